//! The section on a run that has all of it, on one that has some, and on one that has nothing.

use super::*;
use crate::report::figure::{Cell, Table};
use crate::results::{Axis, Piece, Point, fixture};
use crate::subjects::Op;

/// How many times as long it takes under many keys, and to open.
const SLOWER: [f64; 2] = [1.25, 1.5];

/// Lanes of messages of one length under many keys, and lanes on which the mix is opened: as the study's plan has them.
const UNDER_KEYS: [u64; 9] = [2, 4, 6, 7, 8, 10, 12, 14, 16];
const OPENED: [u64; 6] = [4, 7, 8, 12, 15, 16];

/// The made-up run with every mode of the paper on as many lanes as the study measures, under one key and under many,
/// and opened.
/// Before each point stand some that are not the page's: of another number of keys, and of another operation.
fn whole() -> Run {
    let mut run = fixture::run();
    let like =
        run.points.iter().find(|p| p.scheme == "AES-128-CCM" && p.tier.as_deref() == Some("vaes512")).unwrap().clone();
    run.points.retain(|p| p.axis == Axis::Single);
    for mode in MODES.iter().chain(&NIST).filter(|mode| mode.paper != "COBRA") {
        let raw = NIST.iter().any(|nist| nist.scheme == mode.scheme);
        let mut add = |op: Op, axis: Axis, keys: u64, bytes: u64, lanes: u64| {
            let mixed = bytes == 0;
            let mean = if mixed { 700 } else { bytes };
            let slower = if keys > 1 { SLOWER[0] } else { 1.0 } * if op == Op::Open { SLOWER[1] } else { 1.0 };
            let median = slower * (100.0 + 2.5 * mean as f64 / lanes as f64);
            let (bytes, messages) = if mixed { (700 * 512, Some(512)) } else { (bytes, None) };
            let scheme = mode.scheme.to_string();
            let point = Point { scheme, op, axis, keys, bytes, messages, batch: lanes, median, ..like.clone() };
            for (op, keys) in [(op, 8), (op, 1024), (Op::Reject, keys)] {
                run.points.push(Point { op, keys, median: 1.0, ..point.clone() });
            }
            run.points.push(point);
        };
        for keys in [1, 1000] {
            for bytes in [0, 32, 64, 128, 256, 512, 1024, 2048] {
                let alone = match (raw, bytes) {
                    (true, _) => Axis::Comb,
                    (_, 0) => Axis::Mix,
                    _ => Axis::Length,
                };
                add(Op::Seal, alone, keys, bytes, 1);
                if mode.combed {
                    let is_measured = |lanes: &u64| keys == 1 || bytes == 0 || UNDER_KEYS.contains(lanes);
                    (2..=16).filter(is_measured).for_each(|lanes| add(Op::Seal, Axis::Comb, keys, bytes, lanes));
                }
            }
        }
        if !raw {
            add(Op::Open, Axis::Mix, 1, 0, 1);
            if mode.combed {
                OPENED.into_iter().for_each(|lanes| add(Op::Open, Axis::Comb, 1, 0, lanes));
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
        ("2014-5", 34),
        ("2014-6", 18),
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
    assert_eq!(maps, [(4, 7 * 16), (2, 7 * 16), (4, 7 * 10), (2, 7 * 10)]);
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
    let [Cell::Number(Some(alone)), Cell::Number(Some(comb)), Cell::Number(Some(times)), how] = &cells[5..9] else {
        panic!("{cells:?}")
    };
    assert!((alone / comb / times - 1.0).abs() < 1e-3 && *how == Cell::from("16"), "{cells:?}");
    // What the paper does not comb has nothing there.
    assert_eq!(row(&four, &["GCM"])[6..9], [Cell::Number(None), Cell::Number(None), Cell::from("")]);
    assert_eq!(row(&table(&section, "2014-6"), &["CCM", "(a)", "here, P = 16"]).len(), 8);
}

fn number(cell: &Cell) -> f64 {
    if let Cell::Number(Some(number)) = cell { *number } else { panic!("no number: {cell:?}") }
}

/// Many keys, and opening, stand beside one key and sealing, each of its own points.
#[test]
fn keys_and_opening_are_of_their_own_points() {
    let section = section(&whole());
    // Cycles a byte of the mix: one at a time, and on so many lanes.
    let a_byte = |lanes: f64| (100.0 + 2.5 * 700.0 / lanes) / 700.0;
    let near = |cell: &Cell, value: f64| assert!((number(cell) / value - 1.0).abs() < 1e-3, "{cell:?}, not {value}");
    let four = table(&section, "2014-4");
    let heads: Vec<&str> = four.columns[5..].iter().map(|column| column.0.as_str()).collect();
    let words = ["alone", "comb", "speed-up", "P"];
    let wanted = [("here", 4), ("1,000 keys", 4), ("opened", 2)];
    let wanted = wanted.into_iter().flat_map(|(of, n)| words[..n].iter().map(move |word| format!("{of}: {word}")));
    assert_eq!(heads, wanted.collect::<Vec<_>>());
    for (first, slower, lanes) in [(5, 1.0, 16), (9, SLOWER[0], 16), (13, SLOWER[1], 16)] {
        let cells = row(&four, &["CCM"]);
        near(&cells[first], slower * a_byte(1.0));
        near(&cells[first + 1], slower * a_byte(f64::from(lanes)));
        if first < 13 {
            near(&cells[first + 2], a_byte(1.0) / a_byte(f64::from(lanes)));
            assert_eq!(cells[first + 3], Cell::from(lanes.to_string().as_str()));
        }
        near(&row(&four, &["GCM"])[first], slower * a_byte(1.0));
        assert_eq!(row(&four, &["GCM"])[first + 1], Cell::Number(None));
    }
    // NIST's modes are not opened.
    let three = table(&section, "2014-3");
    assert_eq!(three.columns.len(), 12);
    near(&row(&three, &["AES-CBC"])[8], SLOWER[0] * a_byte(1.0));
    near(&row(&three, &["AES-CTR"])[8], SLOWER[0] * a_byte(1.0));
    near(&row(&three, &["AES-CBC"])[9], SLOWER[0] * a_byte(16.0));
    for (id, of, many, lanes) in [
        ("2014-5", "here, vaes512", "here, 1,000 keys, vaes512", 1.0),
        ("2014-6", "here, P = 16", "here, 1,000 keys, P = 16", 16.0),
    ] {
        let table = table(&section, id);
        for (of, slower) in [(of, 1.0), (many, SLOWER[0])] {
            let cells = row(&table, &["POET", "(b)", of]);
            for (cell, bytes) in cells[3..].iter().zip([128.0, 256.0, 512.0, 1024.0, 2048.0]) {
                near(cell, slower * (100.0 + 2.5 * bytes / lanes) / bytes);
            }
        }
    }
    let heat = |id: &str| {
        let found = section
            .items
            .iter()
            .find_map(|item| if let Item::Heat(heat) = item { Some(heat) } else { None }.filter(|heat| heat.id == id));
        found.unwrap_or_else(|| panic!("no map {id}"))
    };
    for number in [2, 3] {
        let (one, many) = (heat(&format!("2014-fig{number}")), heat(&format!("2014-fig{number}-keys")));
        for (one, many) in one.maps.iter().zip(&many.maps) {
            assert_eq!((&one.name, &one.x), (&many.name, &many.x));
            assert_eq!(many.y, [&[1][..], &UNDER_KEYS].concat());
            let under_one = |x: usize, y: usize| {
                let same = one.cells.iter().find(|cell| (cell.0, one.y[cell.1]) == (x, many.y[y]));
                same.unwrap_or_else(|| panic!("no cell of {}", one.name)).2
            };
            let slower =
                |&(x, y, value): &(usize, usize, f64)| (value / under_one(x, y) / SLOWER[0] - 1.0).abs() < 1e-3;
            assert!(many.cells.iter().all(slower), "{}", one.name);
        }
    }
}

/// "The fastest" is of those that were measured, which are named, under many keys and opened, too.
#[test]
fn lanes_that_were_measured_are_named() {
    let section = section(&whole());
    let note = |id: &str| table(&section, id).note;
    let (all, some) =
        ("P is of 2 to 16, which were measured", "P is of 2, 4, 6, 7, 8, 10, 12, 14 and 16, which were measured");
    for id in ["2014-3", "2014-4"] {
        assert_eq!(note(id).matches(all).count(), 2, "{}", note(id));
    }
    assert!(note("2014-4").contains("under one key. P is of 4, 7, 8, 12, 15 and 16, which were"), "{}", note("2014-4"));
    assert!(note("2014-6").contains(&format!("{all}. {some} under 1,000 keys.")), "{}", note("2014-6"));
    for item in &section.items {
        if let Item::Heat(heat) = item {
            let lanes = if heat.id.ends_with("keys") { "1, 2, 4, 6, 7, 8, 10, 12, 14 and 16." } else { "1 to 16." };
            assert!(heat.note.contains(&format!("Measured: P = {lanes}")), "{}", heat.note);
        }
    }
}

/// A point that is missing is named: of many keys, of the comb, of opening; and what is there is not.
#[test]
fn missing_keys_and_openings_are_named() {
    let without = |is_gone: &dyn Fn(&Point) -> bool| {
        let mut run = whole();
        run.points.retain(|p| !is_gone(p));
        section(&run).missing
    };
    let poet = |p: &Point, axis: Axis, keys: u64| p.scheme == "POET-v1-AES-128" && (p.axis, p.keys) == (axis, keys);
    assert_eq!(without(&|p| poet(p, Axis::Mix, 1000)), ["of Table 4, under 1,000 keys: POET"]);
    assert_eq!(without(&|p| poet(p, Axis::Length, 1000)), ["of Table 5, under 1,000 keys: POET"]);
    assert_eq!(
        without(&|p| poet(p, Axis::Comb, 1000)),
        ["of Table 4, on the comb, under 1,000 keys: POET", "of Table 6, under 1,000 keys: POET"]
    );
    assert_eq!(without(&|p| poet(p, Axis::Comb, 1) && p.op == Op::Open), ["of Table 4, opened on the comb: POET"]);
    let opened = |p: &Point, scheme: &str| p.scheme == scheme && p.op == Op::Open && p.axis == Axis::Mix;
    assert_eq!(
        without(&|p| opened(p, "AES-128-GCM") || opened(p, "Julius-ECB-AES-128")),
        ["of Table 4, opened: GCM, Julius"]
    );
    // Of a mode that has other lengths, those that it has not.
    assert_eq!(
        without(&|p| poet(p, Axis::Length, 1000) && [128, 1024].contains(&p.bytes)),
        ["of Table 5, under 1,000 keys, of 128 and 1,024 bytes: POET"]
    );
    assert_eq!(
        without(&|p| p.axis == Axis::Length && p.keys == 1 && [256, 512].contains(&p.bytes)),
        ["of Table 5, of 256 and 512 bytes: all"]
    );
    assert_eq!(
        without(&|p| poet(p, Axis::Comb, 1) && (p.bytes, p.batch) == (512, 16)),
        ["of Table 6, of 512 bytes: POET"]
    );
    assert_eq!(without(&|p| p.axis == Axis::Length && p.keys == 1000), ["of Table 5, under 1,000 keys: all"]);
    let comb = without(&|p| p.axis == Axis::Comb && p.keys == 1000 && p.bytes == 2048);
    assert_eq!(comb, ["of Table 6, under 1,000 keys: all"]);
    // An older file: the columns, the rows and the maps are left out.
    let mut older = whole();
    older.points.retain(|p| p.keys == 1 && p.op == Op::Seal);
    let section = section(&older);
    assert_eq!(
        section.missing,
        [
            "Tables 3 to 6, Fig. 2 and Fig. 3 under 1,000 keys",
            "of Table 4, opened: all",
            "of Table 4, opened on the comb: all"
        ]
    );
    assert_eq!((table(&section, "2014-3").columns.len(), table(&section, "2014-4").columns.len()), (8, 9));
    assert_eq!(table(&section, "2014-5").groups[0].1.len(), 23);
    assert_eq!(section.items.iter().filter(|item| matches!(item, Item::Heat(_))).count(), 2);
    assert!(!table(&section, "2014-4").note.contains("1,000"));
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
        "of Table 4, opened on the comb: CLOC, JAMBU, SILC, McOE-G, POET",
        "Tables 3 to 6, Fig. 2 and Fig. 3 under 1,000 keys",
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
