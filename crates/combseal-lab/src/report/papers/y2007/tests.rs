//! The section with the programme's results, with a usual study's, and with nothing.

use super::*;
use crate::report::figure::{Cell, Table};
use crate::results::{Axis, Point, fixture};
use crate::study2007::{Chosen, End, Machine, Options, Robust};
use crate::subjects::Op;

/// A run of the programme with every system at every length; three samples a point are enough here.
pub fn programme(step: u64) -> study2007::Run {
    let options = Options { step, ..Options::default() };
    let point = |op, bytes: u64, keys: u64| study2007::Point {
        op,
        bytes,
        keys,
        singles: (0..3).map(|i| 400 + 3 * bytes + 10 * i).collect(),
        robust: Some(Robust { median: 390.0 + 3.0 * bytes as f64, p25: 380.0, p75: 400.0, clean: 9, unclean: 0 }),
    };
    let systems = SYSTEMS.iter().map(|system| {
        let lengths = || options.lengths().into_iter();
        let mut points: Vec<_> =
            Operation::ON_PACKETS.into_iter().flat_map(|op| lengths().map(move |n| point(op, n, 1))).collect();
        points.extend(
            options.key_counts().into_iter().filter(|keys| *keys > 1).map(|keys| point(Operation::Encrypt, 576, keys)),
        );
        Chosen { name: system.name.into(), tuning: "one".into(), context: 80, points, ..Chosen::default() }
    });
    study2007::Run {
        systems: systems.collect(),
        machine: Machine {
            cpu: "A processor".into(),
            tier: "vaes512".into(),
            unit: "core cycles".into(),
            options: options.clone(),
            ..Machine::default()
        },
        end: Some(End::default()),
        ..study2007::Run::default()
    }
}

fn table(section: &Section, id: &str) -> Table {
    let found = section.items.iter().find_map(|item| match item {
        Item::Table(table) if table.id == id => Some(table.clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("no table {id}"))
}

fn texts(row: &[Cell]) -> Vec<String> {
    let text = |cell: &Cell| match cell {
        Cell::Text(text) => text.clone(),
        Cell::Printed { printed, .. } => printed.clone(),
        Cell::Number(Some(n)) => n.to_string(),
        Cell::Doubtful { doubtful } => format!("{doubtful}?"),
        Cell::Number(None) => "-".into(),
    };
    row.iter().map(text).collect()
}

#[test]
fn every_table_with_the_programme() {
    let run = Run { programme: Some(programme(1)), ..fixture::run() };
    let section = section(&run);
    assert_eq!(section.missing, Vec::<String>::new());
    // MICKEY-128 has no line of the paper's.
    for (id, rows) in
        [("2007-systems", 26), ("2007-length", 51), ("2007-keys", 51), ("2007-decryption", 26), ("2007-rejection", 26)]
    {
        let table = table(&section, id);
        assert_eq!(table.groups[0].1.len(), rows, "{id}");
        assert!(table.groups[0].1.iter().all(|row| row.len() == table.columns.len()), "{id}");
    }
    let rows = table(&section, "2007-length").groups.remove(0).1;
    let at = rows.iter().position(|row| row[0] == "phelix".into()).unwrap();
    assert_eq!(texts(&rows[at]), ["phelix", "printed", "1,292", "1,736", "5,392", "7,084", "16,364", "83,640"]);
    assert_eq!(texts(&rows[at + 1]), ["phelix", "here, vaes512", "390", "510", "1596", "2118", "4890", "24966"]);
    let rows = table(&section, "2007-rejection").groups.remove(0).1;
    let nls = rows.iter().find(|row| row[0] == "nls".into()).unwrap();
    assert_eq!(texts(nls)[1..7], ["9,257", "14,107", "13,072", "15,803", "7,648", "9,037"]);
    let drawn =
        section.items.iter().find_map(|item| if let Item::Drawing(one) = item { Some(one) } else { None }).unwrap();
    assert!(drawn.note.starts_with("Every length from 0 to 8,192 bytes"), "{}", drawn.note);
    assert_eq!(drawn.svg.matches("class=\"cloud\"").count(), 3 * 26);
    assert!(section.items.iter().any(|item| matches!(item, Item::Figure(f) if f.series.len() == 26)));
}

/// Every sample is in the drawing: one that lies where no other does is seen.
#[test]
fn no_sample_is_left_out() {
    let of = |run: &study2007::Run| study2007::every_sample(run).unwrap();
    let mut run = programme(1);
    run.systems.truncate(4);
    let before = of(&run);
    let point = run.systems[3].points.iter_mut().find(|p| p.op == Operation::Decrypt && p.bytes == 4097).unwrap();
    point.singles[1] = 21_000;
    assert_ne!(of(&run), before);
    assert!(study2007::every_sample(&study2007::Run::default()).is_none());
}

#[test]
fn lengths_that_are_not_there_are_named() {
    let with = |programme| section(&Run { programme: Some(programme), ..fixture::run() }).missing.join("\n");
    assert!(with(programme(64)).contains("in steps of 64"));
    let mut some = programme(1);
    some.systems.truncate(24);
    some.end = None;
    let missing = with(some);
    assert!(
        missing.contains("2 of the 26 systems: sosemanuk-poly1305, trivium-poly1305") && missing.contains("stopped"),
        "{missing}"
    );
}

/// Without the programme, what a usual study has of it stands beside the paper's, and the rest is named.
#[test]
fn a_usual_study_has_some() {
    let mut run = fixture::run();
    let like = run
        .points
        .iter()
        .find(|p| p.axis == Axis::Length && p.op == Op::Seal && p.tier.as_deref() == Some("vaes512"))
        .unwrap()
        .clone();
    for (op, bytes) in [(Op::Seal, 576), (Op::Seal, 1500), (Op::Open, 576), (Op::Reject, 576)] {
        run.points.push(Point { scheme: "salsa20-poly1305".into(), op, bytes, median: 1234.0, ..like.clone() });
    }
    let section = super::section(&run);
    let rows = table(&section, "2007-length").groups.remove(0).1;
    assert_eq!(texts(&rows[1]), ["salsa20-poly1305", "here, vaes512", "-", "-", "-", "1234", "1234", "-"]);
    assert_eq!((rows.len(), table(&section, "2007-decryption").groups[0].1.len()), (2, 1));
    let missing = section.missing.join("\n");
    for name in
        ["25 of the 26 systems: abc-v3", "packets of 0, 40, 402, 8192 bytes", "by the number of keys", "the graphs"]
    {
        assert!(missing.contains(name), "{name} in {missing}");
    }
    let nothing = super::section(&Run::default());
    assert!(nothing.missing.len() >= 6 && nothing.items.len() == 1, "{:?}", nothing.missing);
}
