//! The table of the papers' own figures beside this run's: what the same scheme cost on the machine
//! of the paper, and what it costs here.

use crate::measure::stats;
use crate::published::{self, PAPERS, Published};
use crate::report::figure::{Cell, Table};
use crate::results::{Axis, Point, Run, Unit};
use crate::subjects::Op;

/// The table, if anything that a paper measured was measured in this run too, in cycles.
pub fn then(run: &Run) -> Option<Table> {
    if run.machine.clock.unit != Unit::Cycles {
        return None;
    }
    let mut groups = Vec::new();
    for (paper, cited) in PAPERS {
        let of_paper = published::all().iter().filter(|p| p.paper == paper && is_comparable(p));
        let rows: Vec<Vec<Cell>> = of_paper.filter_map(|p| Some(row(p, &now(run, p)?))).collect();
        if !rows.is_empty() {
            groups.push((cited.to_string(), rows));
        }
    }
    let column = |name: &str, digits| (name.to_string(), digits);
    (!groups.is_empty()).then(|| Table {
        id: "then".into(),
        title: "Then and now".into(),
        after: String::new(),
        note: "What the papers printed, on their machines, beside the fastest of our tiers here. Cycles a byte for sealing; cycles for one byte and for a key’s setup; bytes for a key’s context. Comb: how many messages at a time the paper’s takes it does not say; ours is the best of the batches measured, of as many messages as it says.".into(),
        columns: vec![
            column("scheme", None),
            column("what", None),
            column("place", None),
            column("its CPU", None),
            column("then", Some(2)),
            column("now", Some(2)),
            column("by", None),
            column("then / now", Some(1)),
        ],
        groups,
    })
}

/// On AES instructions in 64-bit mode, as all tiers of ours that are fast, and no ratio: those
/// are in the table's own columns.
fn is_comparable(p: &Published) -> bool {
    let isa = p.isa.contains("AES-NI") && !p.isa.contains("32") || p.isa.is_empty();
    isa && p.unit != "ratio" && p.lanes.is_none()
}

fn row(p: &Published, now: &Now) -> Vec<Cell> {
    let what = match (p.op.as_str(), p.bytes.as_str(), p.way.as_str()) {
        ("key", ..) => "key setup".to_string(),
        ("context", ..) => "context".into(),
        (_, "mix", "comb") => "realistic mix, comb".into(),
        (_, "mix", _) => "realistic mix".into(),
        (_, "ipi", _) => "Internet mix".into(),
        (_, "long", _) => "long messages".into(),
        (_, bytes, "comb") => format!("{bytes} B, comb"),
        (_, bytes, _) => format!("{bytes} B"),
    };
    vec![
        Cell::from(p.scheme.as_str()),
        what.as_str().into(),
        p.place.as_str().into(),
        p.cpu.as_str().into(),
        Some(p.value).into(),
        Some(now.value).into(),
        now.by.as_str().into(),
        Some(p.value / now.value).into(),
    ]
}

/// What it takes here.
struct Now {
    value: f64,
    /// The tier, and of batches how many messages.
    by: String,
}

/// What the fastest of our tiers takes for the same, in the same unit.
fn now(run: &Run, p: &Published) -> Option<Now> {
    let tier = |implementation: &str| implementation.trim_start_matches("combseal ").to_string();
    let fastest = |all: &mut dyn Iterator<Item = Now>| all.min_by(|a, b| a.value.total_cmp(&b.value));
    if p.op == "context" {
        let of = run.contexts.iter().filter(|c| c.scheme == p.scheme && c.implementation.starts_with("combseal"));
        return fastest(&mut of.map(|c| Now { value: c.bytes as f64, by: tier(&c.implementation) }));
    }
    let op = match p.op.as_str() {
        "seal" => Op::Seal,
        "key" => Op::Setup,
        _ => return None,
    };
    let comb = p.way == "comb";
    let ours = || {
        let same =
            |q: &&Point| q.scheme == p.scheme && !q.peer && q.op == op && (q.ad, q.keys) == (0, 1) && !q.is_doubtful();
        run.points.iter().filter(same)
    };
    let by = |q: &Point| match q.batch {
        ..=1 => tier(&q.implementation),
        batch => format!("{}, {batch} together", tier(&q.implementation)),
    };
    // A study has batches, the programme of 2014 the comb's lanes.
    let together = |axis| matches!(axis, Axis::Batch | Axis::Comb);
    let cycles = |q: &Point| Some(Now { value: q.median, by: by(q) });
    let a_byte = |q: &Point| Some(Now { value: q.per_byte()?, by: by(q) });
    match p.bytes.as_str() {
        "" => fastest(&mut ours().filter_map(cycles)),
        "mix" if comb => {
            let together = |q: &&Point| together(q.axis) && q.batch > 1 && q.messages.is_some();
            fastest(&mut ours().filter(together).filter_map(a_byte))
        }
        "mix" => fastest(&mut ours().filter(|q| q.axis == Axis::Mix).filter_map(a_byte)),
        "ipi" => {
            let mut tiers: Vec<&str> = ours().map(|q| q.implementation.as_str()).collect();
            tiers.sort_unstable();
            tiers.dedup();
            let of = |name: &str| {
                let at = |n: usize| {
                    let same = |q: &&Point| q.implementation == name && q.axis == Axis::Length && q.bytes == n as u64;
                    ours().find(same).map(|q| q.median)
                };
                Some(Now { value: stats::ipi(at)?, by: tier(name) })
            };
            fastest(&mut tiers.into_iter().filter_map(of))
        }
        "long" => {
            let points = || ours().filter(|q| q.axis == Axis::Length);
            let longest = points().map(|q| q.bytes).filter(|&n| n <= 16384).max()?;
            fastest(&mut points().filter(|q| q.bytes == longest).filter_map(a_byte))
        }
        bytes => {
            let bytes: u64 = bytes.parse().ok()?;
            let fits = |q: &&Point| match comb {
                true => together(q.axis) && q.batch > 1 && q.messages.is_none() && q.bytes == bytes,
                false => q.axis == Axis::Length && q.bytes == bytes,
            };
            match p.unit.as_str() {
                "cycles" => fastest(&mut ours().filter(fits).filter_map(cycles)),
                _ => fastest(&mut ours().filter(fits).filter_map(a_byte)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;

    #[test]
    fn then_beside_now() {
        let table = then(&fixture::run()).unwrap();
        let all: Vec<&Vec<Cell>> = table.groups.iter().flat_map(|group| &group.1).collect();
        let find = |scheme: &str, what: &str| {
            all.iter()
                .find(|row| row[0] == scheme.into() && row[1] == what.into())
                .unwrap_or_else(|| panic!("{scheme} {what}"))
        };
        assert_eq!(find("AES-128-CCM", "realistic mix, comb")[4], Some(1.64).into());
        for row in &all {
            let [Cell::Number(Some(then)), Cell::Number(Some(now)), Cell::Text(_), Cell::Number(Some(times))] =
                &row[4..]
            else {
                panic!("{row:?}")
            };
            assert!((then / now / times - 1.0).abs() < 0.02, "{row:?}");
        }
        assert!(then(&Run::default()).is_none());
    }
}
