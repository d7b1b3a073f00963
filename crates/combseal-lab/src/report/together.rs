//! Messages sealed or opened together, and the same messages one at a time. One at a time has one value on the
//! whole page: that of the mix, or of the length, which every implementation has; no batch of one is
//! measured beside it.

use crate::answers::rank::preferred;
use crate::results::{Axis, Point, Run};
use crate::subjects::Op;

/// The batches of two messages and more, sealed or opened, of the mix if `mixed`, else of equal lengths; before them
/// what the same implementation takes for the same messages one at a time (`batch` is 1 there).
pub fn with_single(run: &Run, op: Op, mixed: bool) -> Vec<&Point> {
    let is_batch =
        |p: &&Point| p.axis == Axis::Batch && p.op == op && p.batch > 1 && p.bytes > 0 && p.messages.is_some() == mixed;
    let batches = preferred(run.points.iter().filter(is_batch));
    let is_single = |p: &&Point| {
        let like = |b: &&Point| {
            (&b.scheme, &b.implementation) == (&p.scheme, &p.implementation) && (mixed || b.bytes == p.bytes)
        };
        let axis = if mixed { Axis::Mix } else { Axis::Length };
        p.axis == axis && p.op == op && (p.ad, p.keys, p.batch) == (0, 1, 1) && batches.iter().any(like)
    };
    let mut all = preferred(run.points.iter().filter(is_single));
    all.extend(batches);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;

    /// The tables, the figures and the ranking say the same of a mix one at a time, whatever an older
    /// file has of batches of one.
    #[test]
    fn one_at_a_time_has_one_value() {
        let run = fixture::run();
        assert!(run.points.iter().any(|p| p.axis == Axis::Batch && p.batch == 1));
        for (mixed, axis) in [(true, Axis::Mix), (false, Axis::Length)] {
            let all = with_single(&run, Op::Seal, mixed);
            let single = |p: &&&Point| p.batch == 1;
            assert!(all.iter().filter(single).count() > 5 && all.iter().filter(single).all(|p| p.axis == axis));
            assert!(all.iter().any(|p| p.batch == 8));
        }
        let opened = with_single(&run, Op::Open, true);
        assert!(opened.iter().all(|p| p.op == Op::Open) && opened.iter().any(|p| p.batch == 8));
        assert!(opened.iter().any(|p| p.batch == 1) && with_single(&run, Op::Open, false).is_empty());
        assert!(with_single(&Run::default(), Op::Seal, true).is_empty());
    }
}
