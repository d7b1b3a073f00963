//! The section on a run that has all of it, on one that has some, and on one that has nothing.

use super::*;
use crate::report::figure::{Cell, Table};
use crate::results::{Axis, Piece, Point, fixture};

/// The made-up run with every mode of the paper on every number of lanes.
fn whole() -> Run {
    let mut run = fixture::run();
    let like =
        run.points.iter().find(|p| p.scheme == "AES-128-CCM" && p.tier.as_deref() == Some("vaes512")).unwrap().clone();
    run.points.retain(|p| p.axis == Axis::Single);
    for mode in MODES.iter().chain(&NIST).filter(|mode| mode.paper != "COBRA") {
        let raw = NIST.iter().any(|nist| nist.scheme == mode.scheme);
        let mut add = |axis, bytes: u64, lanes: u64| {
            let mixed = bytes == 0;
            let mean = if mixed { 700 } else { bytes };
            let median = 100.0 + 2.5 * mean as f64 / lanes as f64;
            let (bytes, messages) = if mixed { (700 * 512, Some(512)) } else { (bytes, None) };
            let scheme = mode.scheme.to_string();
            run.points.push(Point { scheme, axis, bytes, messages, batch: lanes, median, ..like.clone() });
        };
        for bytes in [0, 32, 64, 128, 256, 512, 1024, 2048] {
            add(
                if raw {
                    Axis::Comb
                } else if bytes == 0 {
                    Axis::Mix
                } else {
                    Axis::Length
                },
                bytes,
                1,
            );
            if mode.combed {
                (2..=16).for_each(|lanes| add(Axis::Comb, bytes, lanes));
            }
        }
    }
    for name in ["(i) extract a byte", "(iv) compare"] {
        let (set, way) = ("doubling".to_string(), "with a jump".to_string());
        run.pieces.push(Piece { set, name: name.into(), way, median: 9.5, p25: 9.0, p75: 10.0, clean: 9 });
    }
    let (set, way) = ("gf128".to_string(), "8 at once".to_string());
    let name = "aesni, classical: 3 products, shifts".to_string();
    run.pieces.push(Piece { set, name, way, median: 4.5, p25: 4.0, p75: 5.0, clean: 9 });
    run
}

fn table(section: &Section, id: &str) -> Table {
    let found = section.items.iter().find_map(|item| match item {
        Item::Table(table) if table.id == id => Some(table.clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("no table {id}"))
}

fn row<'a>(table: &'a Table, begin: &[&str]) -> &'a [Cell] {
    let is_it = |row: &&Vec<Cell>| row.iter().zip(begin).all(|(cell, text)| *cell == Cell::from(*text));
    table.groups[0].1.iter().find(is_it).unwrap_or_else(|| panic!("no row {begin:?} in {}", table.id))
}

fn printed(cell: &Cell) -> &str {
    match cell {
        Cell::Printed { printed, .. } => printed,
        other => panic!("not printed: {other:?}"),
    }
}

#[test]
fn every_table_has_its_rows() {
    let section = section(&whole());
    assert_eq!(section.missing, Vec::<String>::new());
    let counts = [
        ("2014-1", 12),
        ("2014-3", 6),
        ("2014-4", 12),
        ("2014-5", 23),
        ("2014-6", 12),
        ("2014-7", 7),
        ("2014-doubling", 6),
    ];
    for (id, rows) in counts {
        let table = table(&section, id);
        assert_eq!(table.groups[0].1.len(), rows, "{id}");
        assert!(table.groups[0].1.iter().all(|row| row.len() == table.columns.len()), "{id}");
    }
    // Two messages, each printed twice, and CBC's tier twice.
    assert_eq!(table(&section, "2014-2").groups[0].1.len(), 8);
    let maps: Vec<(usize, usize)> = section
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Heat(heat) => Some((heat.maps.len(), heat.maps[0].cells.len())),
            _ => None,
        })
        .collect();
    assert_eq!(maps, [(4, 7 * 16), (2, 7 * 16)]);
}

#[test]
fn printed_values_are_as_printed() {
    let section = section(&whole());
    let two = table(&section, "2014-2");
    let cells = row(&two, &["2,048 bytes", "printed, speed-up"]);
    assert_eq!(
        cells[2..10].iter().map(printed).collect::<Vec<_>>(),
        ["1.00", "2.00", "2.98", "3.95", "4.81", "5.76", "6.64", "6.74"]
    );
    assert_eq!(cells[10], Cell::Number(None));
    let four = table(&section, "2014-4");
    assert_eq!(row(&four, &["JAMBU"])[2..5].iter().map(printed).collect::<Vec<_>>(), ["9.12", "2.05", "4.45"]);
    assert_eq!(
        row(&four, &["COBRA"])[2..].iter().skip(3).filter(|cell| matches!(cell, Cell::Number(Some(_)))).count(),
        0
    );
    let five = table(&section, "2014-5");
    assert_eq!(printed(&row(&five, &["CCM", "(a)", "printed"])[7]), "5.10");
    assert_eq!(row(&five, &["Julius", "(b)", "printed"])[4], Cell::Number(None));
    assert_eq!(printed(&row(&table(&section, "2014-doubling"), &["(iv) compare"])[1]), "5.6");
    assert_eq!(printed(&row(&table(&section, "2014-7"), &["aesimc"])[1]), "14");
}

/// On the comb, the best number of lanes is taken, named, and the speed-up is the quotient.
#[test]
fn speed_ups() {
    let section = section(&whole());
    let four = table(&section, "2014-4");
    let cells = row(&four, &["CCM"]);
    let [Cell::Number(Some(alone)), Cell::Number(Some(comb)), Cell::Number(Some(times)), how] = &cells[5..] else {
        panic!("{cells:?}")
    };
    assert!((alone / comb / times - 1.0).abs() < 1e-3 && *how == Cell::from("P = 16"), "{cells:?}");
    // What the paper does not comb has nothing there.
    assert_eq!(row(&four, &["GCM"])[6..], [Cell::Number(None), Cell::Number(None), Cell::from("")]);
    assert_eq!(row(&table(&section, "2014-6"), &["CCM", "(a)", "here, P = 16"]).len(), 8);
}

/// A usual study has some of it: what it has not is named, and nothing is said of it elsewhere.
#[test]
fn what_is_not_there_is_named() {
    let section = section(&fixture::run());
    let missing = section.missing.join("\n");
    for name in [
        "Table 2",
        "Table 3",
        "Fig. 3",
        "Fig. 4",
        "Sect. 6.5",
        "of Table 4: OTR, CLOC, JAMBU, SILC, McOE-G, COPA, POET, Julius",
    ] {
        assert!(missing.contains(name), "{name} in {missing}");
    }
    assert!(!section.items.iter().any(|item| matches!(item, Item::Table(t) if t.id == "2014-2")));
    let four = table(&section, "2014-4");
    assert_eq!(row(&four, &["CCM"])[8], Cell::from("8 together"));
    assert!(four.note.contains("together"), "{}", four.note);
    let heat =
        section.items.iter().find_map(|item| if let Item::Heat(heat) = item { Some(heat) } else { None }).unwrap();
    assert_eq!((heat.maps.len(), heat.maps[0].name.as_str()), (1, "CCM"));
    assert!(heat.note.ends_with("Not in this run: CLOC, JAMBU, SILC."), "{}", heat.note);

    let nothing = super::section(&Run::default());
    assert!(nothing.missing.len() >= 10, "{:?}", nothing.missing);
    let drawing =
        nothing.items.iter().find_map(|item| if let Item::Drawing(one) = item { Some(one) } else { None }).unwrap();
    assert!(["(7, 5)", "(4, 80)", "(3, 9)"].iter().all(|window| drawing.svg.contains(window)), "{}", drawing.svg);
    assert!(drawing.note.contains("makes the same"), "{}", drawing.note);
}

/// A disturbed value keeps its mark wherever it goes.
#[test]
fn doubt_is_kept() {
    let mut run = whole();
    let ccm = |p: &&mut Point| p.scheme == "AES-128-CCM" && p.axis == Axis::Comb;
    run.points.iter_mut().filter(ccm).for_each(|p| (p.clean, p.unclean) = (1, 20));
    let section = section(&run);
    let four = table(&section, "2014-4");
    let cells = row(&four, &["CCM"]);
    assert!(matches!((&cells[6], &cells[7]), (Cell::Doubtful { .. }, Cell::Doubtful { .. })), "{cells:?}");
}
