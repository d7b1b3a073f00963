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
        let together = points.iter().filter(same).filter_map(|p| Some((p.per_byte()?, p.batch)));
        let best = together.min_by(|a, b| a.0.total_cmp(&b.0));
        let alone = serial.per_byte();
        rows.push(vec![
            Cell::from(serial.scheme.as_str()),
            serial.implementation.as_str().into(),
            Cell::of(serial, alone),
            best.map(|b| b.0).into(),
            best.and_then(|b| Some(alone? / b.0)).into(),
            best.map(|b| b.1 as f64).into(),
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
    use crate::results::fixture;

    #[test]
    fn a_serial_mode_gains() {
        let table = comb(&fixture::run()).unwrap();
        let row = table.groups[0].1.iter().find(|r| r[0] == "AES-128-CCM".into()).unwrap();
        assert!(matches!(row[4], Cell::Number(Some(times)) if times > 2.0), "{row:?}");
        assert!(comb(&Run::default()).is_none());
    }
}
