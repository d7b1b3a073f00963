//! The table of one message at a time against messages sealed together on the comb's lanes, for the
//! realistic mix of lengths (Bogdanov, Lauridsen and Tischhauser 2014, Table 4).

use crate::report::figure::{Cell, Table};
use crate::report::together::with_single;
use crate::results::{Point, Run, Unit};

/// The table, if the mix was measured in batches.
pub fn comb(run: &Run) -> Option<Table> {
    let points = with_single(run, true);
    let mut rows = Vec::new();
    for serial in points.iter().filter(|p| p.batch <= 1) {
        let same = |p: &&&Point| p.batch > 1 && p.scheme == serial.scheme && p.implementation == serial.implementation;
        // Of what can be believed the fastest; where none can be, the fastest, with its doubt.
        let together = points.iter().copied().filter(|p| same(&p)).filter_map(|p| Some((p.per_byte()?, p)));
        let best = together.min_by(|a, b| {
            (a.1.is_doubtful(), a.0).partial_cmp(&(b.1.is_doubtful(), b.0)).unwrap_or(std::cmp::Ordering::Equal)
        });
        let alone = serial.per_byte();
        rows.push(vec![
            Cell::from(serial.scheme.as_str()),
            serial.implementation.as_str().into(),
            Cell::of(serial, alone),
            best.map_or(Cell::from(None::<f64>), |(each, p)| Cell::of(p, Some(each))),
            // As doubtful as the more doubtful of the two that it is made of.
            best.map_or(Cell::from(None::<f64>), |(each, p)| {
                Cell::of(if p.is_doubtful() { p } else { serial }, alone.map(|alone| alone / each))
            }),
            best.map(|b| b.1.batch as f64).into(),
        ]);
    }
    let unit = match run.machine.clock.unit {
        Unit::Cycles => "cycles",
        Unit::Nanoseconds => "nanoseconds",
    };
    (!rows.is_empty()).then(|| Table {
        id: "comb".into(),
        title: "One at a time, and together".into(),
        after: "Bogdanov, Lauridsen and Tischhauser 2014, Table 4".into(),
        note: format!("Sealing the realistic mix, {unit} a byte: one message after the other, as in the ranking, and as many handed over together as were the fastest."),
        columns: vec![
            ("scheme".into(), None),
            ("implementation".into(), None),
            ("one at a time".into(), Some(3)),
            ("together".into(), Some(3)),
            ("speed-up, times".into(), Some(2)),
            ("messages".into(), Some(0)),
        ],
        groups: vec![(String::new(), rows)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Axis, fixture};

    #[test]
    fn a_serial_mode_gains() {
        let table = comb(&fixture::run()).unwrap();
        let row = table.groups[0].1.iter().find(|r| r[0] == "AES-128-CCM".into()).unwrap();
        assert!(matches!(row[4], Cell::Number(Some(times)) if times > 2.0), "{row:?}");
        assert!(comb(&Run::default()).is_none());
    }

    /// What is made of a value that is not to be believed is not to be believed.
    #[test]
    fn doubt_is_passed_on() {
        let row = |axis: Axis| {
            let mut run = fixture::run();
            run.points.iter_mut().filter(|p| p.axis == axis && p.messages.is_some()).for_each(|p| p.clean = 0);
            let rows = comb(&run).unwrap().groups.remove(0).1;
            rows.into_iter().find(|r| r[0] == "AES-128-CCM".into()).unwrap()
        };
        let is_doubtful = |cell: &Cell| matches!(cell, Cell::Doubtful { .. });
        let (alone, together) = (row(Axis::Mix), row(Axis::Batch));
        assert!(is_doubtful(&alone[2]) && !is_doubtful(&alone[3]) && is_doubtful(&alone[4]), "{alone:?}");
        assert!(!is_doubtful(&together[2]) && is_doubtful(&together[3]) && is_doubtful(&together[4]), "{together:?}");
    }
}
