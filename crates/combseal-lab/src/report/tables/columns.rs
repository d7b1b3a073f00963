//! The table of short values that lie in one buffer, sealed and opened as columns, beside single
//! calls of the same length: ours, and the fastest of somebody else's.

use crate::answers::rank::preferred;
use crate::report::figure::{Cell, Table};
use crate::results::{Axis, Point, Run, Unit};
use crate::subjects::Op;

/// The table's columns: what is done, of values of so many bytes, under so many keys.
const KINDS: [(Op, u64, u64); 8] = [
    (Op::Seal, 16, 1),
    (Op::Open, 16, 1),
    (Op::Seal, 16, 1000),
    (Op::Open, 16, 1000),
    (Op::Seal, 64, 1),
    (Op::Open, 64, 1),
    (Op::Seal, 64, 1000),
    (Op::Open, 64, 1000),
];

/// The table, if columns were measured.
pub fn columns(run: &Run) -> Option<Table> {
    let points = preferred(run.points.iter().filter(|p| p.axis == Axis::Column));
    let mut done: Vec<(&str, &str)> = Vec::new();
    let mut rows = Vec::new();
    for point in &points {
        let key = (point.scheme.as_str(), point.implementation.as_str());
        if done.contains(&key) {
            continue;
        }
        done.push(key);
        let of = |kind: (Op, u64, u64)| {
            let same = |p: &&&Point| (p.scheme.as_str(), p.implementation.as_str()) == key;
            points.iter().filter(same).find(|p| (p.op, p.bytes, p.keys) == kind)
        };
        let cell = |p: Option<&&Point>| p.map_or(Cell::Number(None), |p| Cell::of(p, Some(p.median)));
        let single = |p: &&Point| {
            p.axis == Axis::Length && p.op == Op::Seal && p.scheme == key.0 && (p.bytes, p.ad, p.keys) == (16, 0, 1)
        };
        let alone = run.points.iter().filter(single);
        let ours = alone.clone().find(|p| p.implementation == key.1);
        let peer = alone.filter(|p| p.peer).min_by(|a, b| a.median.total_cmp(&b.median));
        let mut row = vec![Cell::from(key.0), key.1.into()];
        row.extend(KINDS.map(|kind| cell(of(kind))));
        row.extend([cell(ours.as_ref()), cell(peer.as_ref())]);
        row.push(peer.map_or("", |p| p.implementation.as_str()).into());
        rows.push(row);
    }
    let unit = match run.machine.clock.unit {
        Unit::Cycles => "cycles",
        Unit::Nanoseconds => "nanoseconds",
    };
    let kind = |(op, bytes, keys): (Op, u64, u64)| {
        (format!("{} {bytes} B{}", op.name(), if keys == 1 { "" } else { ", keys" }), Some(1))
    };
    let mut heads = vec![("scheme".to_string(), None), ("implementation".into(), None)];
    heads.extend(KINDS.map(kind));
    heads.extend([("alone, 16 B".into(), Some(1)), ("fastest peer, 16 B".into(), Some(1)), ("which".into(), None)]);
    (!rows.is_empty()).then(|| Table {
        id: "columns".into(),
        title: "Short values in columns".into(),
        after: String::new(),
        note: format!("{unit} a value, of 1024 that lie in one buffer: under one key, and (“keys”) each under one of a thousand. Associated data of six bytes for all; nonces counted, SIV without. Beside: sealing 16 bytes by a call of its own, ours and the fastest of other libraries."),
        columns: heads,
        groups: vec![(String::new(), rows)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;

    #[test]
    fn a_row_a_scheme() {
        let table = columns(&fixture::run()).unwrap();
        let row = table.groups[0].1.iter().find(|r| r[0] == "OCB3-AES-128".into()).unwrap();
        assert_eq!(row.len(), table.columns.len());
        assert!(matches!(row[2], Cell::Number(Some(n)) if n > 0.0), "{row:?}");
        assert!(columns(&Run::default()).is_none());
    }
}
