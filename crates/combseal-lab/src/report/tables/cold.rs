//! The table of messages from memory under a few keys: as many together, and one at a time. A batch
//! has to gain there too, or the page says what it costs.

use crate::answers::rank::preferred;
use crate::report::figure::{Cell, Table};
use crate::results::{Axis, Point, Run, Unit};

/// The table, if messages from memory were measured.
pub fn cold(run: &Run) -> Option<Table> {
    let points = preferred(run.points.iter().filter(|p| p.axis == Axis::Cold));
    let mut lens: Vec<u64> = points.iter().map(|p| p.bytes).collect();
    lens.sort_unstable();
    lens.dedup();
    let mut done: Vec<(&str, &str)> = Vec::new();
    let mut rows = Vec::new();
    for point in &points {
        let key = (point.scheme.as_str(), point.implementation.as_str());
        if done.contains(&key) {
            continue;
        }
        done.push(key);
        let mut row = vec![Cell::from(key.0), key.1.into()];
        for &bytes in &lens {
            let same = |p: &&&Point| (p.scheme.as_str(), p.implementation.as_str(), p.bytes) == (key.0, key.1, bytes);
            let alone = points.iter().filter(same).find(|p| p.batch <= 1);
            let together = points.iter().filter(same).find(|p| p.batch > 1);
            let cell = |p: Option<&&Point>| p.map_or(Cell::Number(None), |p| Cell::of(p, Some(p.median)));
            row.extend([cell(alone), cell(together)]);
            row.push(alone.zip(together).map(|(alone, together)| alone.median / together.median).into());
        }
        rows.push(row);
    }
    let unit = match run.machine.clock.unit {
        Unit::Cycles => "cycles",
        Unit::Nanoseconds => "nanoseconds",
    };
    let mut columns = vec![("scheme".to_string(), None), ("implementation".into(), None)];
    for bytes in lens {
        let column = |what: &str, digits| (format!("{bytes} B, {what}"), Some(digits));
        columns.extend([column("one at a time", 0), column("together", 0), column("gain, times", 2)]);
    }
    (!rows.is_empty()).then(|| Table {
        id: "cold".into(),
        title: "From memory, under many keys".into(),
        after: String::new(),
        note: format!("{unit} a message for sealing messages that no cache holds, each under one of 16 keys drawn at random: each by its key’s sealer, and 64 handed over together in a batch. A gain under 1 is a loss."),
        columns,
        groups: vec![(String::new(), rows)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;

    #[test]
    fn both_ways_and_the_gain() {
        let mut run = fixture::run();
        assert!(cold(&run).is_none());
        let length = run.points.iter().find(|p| p.axis == Axis::Length && p.bytes == 64).unwrap().clone();
        for (batch, median) in [(1, 300.0), (64, 200.0)] {
            run.points.push(Point { axis: Axis::Cold, keys: 16, batch, median, ..length.clone() });
        }
        let table = cold(&run).unwrap();
        let row = &table.groups[0].1[0];
        assert_eq!((row.len(), table.columns.len()), (5, 5));
        assert!(matches!(row[4], Cell::Number(Some(times)) if times == 1.5), "{row:?}");
    }
}
