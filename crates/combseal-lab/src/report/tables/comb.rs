//! The table of one message at a time against messages sealed and opened together on the comb's lanes, for the
//! realistic mix of lengths (Bogdanov, Lauridsen and Tischhauser 2014, Table 4).

use crate::report::figure::{Cell, Table};
use crate::report::together::with_single;
use crate::results::{Point, Run, Unit};
use crate::subjects::Op;

/// The table, if the mix was measured in batches.
pub fn comb(run: &Run) -> Option<Table> {
    let (sealed, opened) = (with_single(run, Op::Seal, true), with_single(run, Op::Open, true));
    let rows: Vec<Vec<Cell>> = sealed
        .iter()
        .filter(|p| p.batch <= 1)
        .map(|alone| {
            let names = vec![Cell::from(alone.scheme.as_str()), alone.implementation.as_str().into()];
            let mut row = [names, beside(alone, &sealed).to_vec()].concat();
            if !opened.is_empty() {
                let same = |p: &&&Point| p.batch <= 1 && is_of(alone, p);
                row.extend(opened.iter().find(same).map_or(NOTHING, |alone| beside(alone, &opened)));
            }
            row
        })
        .collect();
    let unit = match run.machine.clock.unit {
        Unit::Cycles => "cycles",
        Unit::Nanoseconds => "nanoseconds",
    };
    let mut columns = vec![("scheme".into(), None), ("implementation".into(), None)];
    let ops: &[&str] = if opened.is_empty() { &[""] } else { &["sealed: ", "opened: "] };
    for op in ops {
        let heads = [("one at a time", 3), ("together", 3), ("speed-up, times", 2), ("messages", 0)];
        columns.extend(heads.map(|(name, digits)| (format!("{op}{name}"), Some(digits))));
    }
    let both = if opened.is_empty() { "Sealing" } else { "Sealing and opening" };
    (!rows.is_empty()).then(|| Table {
        id: "comb".into(),
        title: "One at a time, and together".into(),
        after: "Bogdanov, Lauridsen and Tischhauser 2014, Table 4".into(),
        note: format!("{both} the realistic mix, {unit} a byte: one message after the other, as in the ranking, and as many handed over together as were the fastest."),
        columns,
        groups: vec![(String::new(), rows)],
    })
}

/// Are both of the same scheme and implementation?
fn is_of(a: &Point, b: &Point) -> bool {
    (&a.scheme, &a.implementation) == (&b.scheme, &b.implementation)
}

/// Cells where nothing was measured.
const NOTHING: [Cell; 4] = [const { Cell::Number(None) }; 4];

/// One message at a time, the fastest of the same implementation's batches among `all`, how many times as fast that
/// is, and of how many messages.
fn beside(alone: &Point, all: &[&Point]) -> [Cell; 4] {
    // Of what can be believed the fastest; where none can be, the fastest, with its doubt.
    let together = all.iter().copied().filter(|p| p.batch > 1 && is_of(alone, p));
    let best = together.filter_map(|p| Some((p.per_byte()?, p))).min_by(|a, b| {
        (a.1.is_doubtful(), a.0).partial_cmp(&(b.1.is_doubtful(), b.0)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let first = Cell::of(alone, alone.per_byte());
    let Some((each, p)) = best else { return [first, Cell::Number(None), Cell::Number(None), Cell::Number(None)] };
    // As doubtful as the more doubtful of the two that it is made of.
    let times = Cell::of(if p.is_doubtful() { p } else { alone }, alone.per_byte().map(|alone| alone / each));
    [first, Cell::of(p, Some(each)), times, Some(p.batch as f64).into()]
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

    /// Opening stands in columns of its own, of points of its own; and a file without it has no such columns.
    #[test]
    fn opening_is_beside_sealing() {
        let mut run = fixture::run();
        run.points.iter_mut().filter(|p| p.op == Op::Open).for_each(|p| p.median *= 3.0);
        let table = comb(&run).unwrap();
        assert_eq!((table.columns.len(), table.columns[7].0.as_str()), (10, "opened: together"));
        let row = table.groups[0].1.iter().find(|r| r[0] == "AES-128-CCM".into()).unwrap();
        let number = |cell: &Cell| if let Cell::Number(Some(n)) = cell { *n } else { panic!("{cell:?}") };
        assert!((number(&row[7]) / number(&row[3]) - 3.0).abs() < 0.01, "{row:?}");
        run.points.retain(|p| p.axis != Axis::Batch || p.op == Op::Seal);
        let table = comb(&run).unwrap();
        assert_eq!((table.columns.len(), table.columns[3].0.as_str()), (6, "together"));
        assert!(table.groups[0].1.iter().all(|row| row.len() == 6));
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
