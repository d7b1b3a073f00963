//! The page's tables: the study's main one (Krovetz and Rogaway 2011, Fig. 4), the chosen lengths,
//! the machine's limits, and what makes a figure doubtful.

mod cold;
mod columns;
mod comb;
mod then;

use super::figure::{Bar, Bars, Cell, Table};
use super::figures::capital;
use super::palette;
use crate::answers::rank::{Ranking, preferred};
use crate::measure::stats;
use crate::results::{Axis, Machine, Point, Run, Unit};
use crate::subjects::Op;
use std::collections::BTreeMap;

/// Lengths for which the page has columns, those of them that were measured.
const CHOSEN: [u64; 8] = [1, 16, 64, 256, 576, 1500, 4096, 16384];
/// Half the middle half, as a part of the median, from which a figure is called noisy.
pub const NOISY: f64 = 0.05;

/// Every table for which the run has data.
pub fn all(run: &Run) -> Vec<Table> {
    [
        study(run),
        comb::comb(run),
        cold::cold(run),
        columns::columns(run),
        then::then(run),
        lengths(run),
        limits(&run.machine),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn unit(run: &Run) -> &'static str {
    match run.machine.clock.unit {
        Unit::Cycles => "cycles",
        Unit::Nanoseconds => "ns",
    }
}

/// One scheme and implementation, with its points by operation.
type Rows<'a> = BTreeMap<(&'a str, &'a str), Vec<&'a Point>>;

fn rows(run: &Run) -> (Vec<(&str, &str)>, Rows<'_>) {
    let single = |p: &&Point| matches!(p.axis, Axis::Length | Axis::Single) && p.ad == 0 && p.keys <= 1 && p.batch <= 1;
    let (mut order, mut rows) = (Vec::new(), Rows::new());
    for p in preferred(run.points.iter().filter(single)) {
        let key = (p.scheme.as_str(), p.implementation.as_str());
        if !rows.contains_key(&key) {
            order.push(key);
        }
        rows.entry(key).or_default().push(p);
    }
    (order, rows)
}

/// T4K, TIPI, context size and setup (2011, Fig. 4), and the limits reached.
fn study(run: &Run) -> Option<Table> {
    let (order, rows) = rows(run);
    let cells = order.iter().map(|key| {
        let points = &rows[key];
        let at = |bytes: usize| points.iter().find(|p| p.op == Op::Seal && p.bytes == bytes as u64);
        let cell = |p: Option<&&Point>, of: &dyn Fn(&Point) -> Option<f64>| {
            p.map_or(Cell::Number(None), |p| Cell::of(p, of(p)))
        };
        let ipi = stats::ipi(|n| at(n).map(|p| p.median));
        let unsure = stats::IPI.iter().filter_map(|(n, _)| at(*n)).find(|p| p.is_doubtful());
        let context = run.contexts.iter().find(|c| c.scheme == key.0 && c.implementation == key.1);
        let setup = points.iter().find(|p| p.op == Op::Setup);
        vec![
            Cell::from(key.0),
            key.1.into(),
            cell(at(4096), &|p| Some(p.median / 4096.0)),
            cell(at(4096), &|p| p.times_limit()),
            unsure.map_or(ipi.into(), |p| Cell::of(p, ipi)),
            context.map(|c| c.bytes as f64).into(),
            cell(setup, &|p| Some(p.median)),
        ]
    });
    let rows: Vec<Vec<Cell>> = cells.filter(|row| row[2..].iter().any(|c| *c != Cell::Number(None))).collect();
    let unit = unit(run);
    let column = |name: &str, digits| (name.to_string(), digits);
    (!rows.is_empty()).then(|| Table {
        id: "study".into(),
        title: "The study’s table".into(),
        after: "Krovetz and Rogaway 2011, Fig. 4".into(),
        note: format!("T4K: {unit} a byte for messages of 4096 bytes; TIPI: for the Internet mix of 44, 552, 576 and 1500 bytes (5, 15, 20, 60 %). × limit: T4K as a multiple of what the AES unit allows. Context in bytes, without what it may own elsewhere; setup in {unit}."),
        columns: vec![
            column("scheme", None),
            column("implementation", None),
            column("T4K", Some(3)),
            column("× limit", Some(2)),
            column("TIPI", Some(3)),
            column("context", Some(0)),
            column("setup", Some(0)),
        ],
        groups: vec![(String::new(), rows)],
    })
}

/// A message of each chosen length, by operation.
fn lengths(run: &Run) -> Option<Table> {
    let (order, rows) = rows(run);
    let measured: Vec<u64> = CHOSEN
        .into_iter()
        .filter(|n| rows.values().flatten().any(|p| p.axis == Axis::Length && p.bytes == *n))
        .collect();
    let mut groups = Vec::new();
    for (op, name) in
        [(Op::Seal, "seal"), (Op::SealFresh, "seal, new Ktop"), (Op::Open, "open"), (Op::Reject, "reject")]
    {
        let mut group = Vec::new();
        for key in &order {
            let at = |n: u64| rows[key].iter().find(|p| p.op == op && p.axis == Axis::Length && p.bytes == n);
            if !measured.iter().any(|n| at(*n).is_some()) {
                continue;
            }
            let mut row = vec![Cell::from(key.0), key.1.into()];
            let cell = |p: Option<&&Point>| p.map_or(Cell::Number(None), |p| Cell::of(p, Some(p.median)));
            row.extend(measured.iter().map(|n| cell(at(*n))));
            row.push(measured.iter().rev().find_map(|n| at(*n)).map(|p| 100.0 * p.noise()).into());
            group.push(row);
        }
        if !group.is_empty() {
            groups.push((name.to_string(), group));
        }
    }
    let mut columns = vec![("scheme".to_string(), None), ("implementation".into(), None)];
    columns.extend(measured.iter().map(|n| (format!("{n} B"), Some(0))));
    columns.push(("± %".into(), Some(1)));
    (!groups.is_empty()).then(|| Table {
        id: "lengths".into(),
        title: format!("{} a message", if unit(run) == "cycles" { "Cycles" } else { "Nanoseconds" }),
        after: String::new(),
        note: "Medians. ± is half the middle half of the samples of the longest message, as a part of the median."
            .into(),
        columns,
        groups,
    })
}

/// Latency and throughput of the instructions (2014, Table 7).
fn limits(machine: &Machine) -> Option<Table> {
    let mut rows = Vec::new();
    let [enc, dec, product] = match machine.arch.as_str() {
        "aarch64" => ["AESE and AESMC", "AESD and AESIMC", "PMULL"],
        _ => ["AESENC", "AESDEC", "PCLMULQDQ"],
    };
    for w in &machine.limits {
        let instructions = [
            (enc, w.aesenc_latency, w.aesenc_per_cycle),
            (dec, w.aesdec_latency, w.aesdec_per_cycle),
            (product, w.clmul_latency, w.clmul_per_cycle),
        ];
        for (name, latency, per_cycle) in instructions {
            if per_cycle.is_some() {
                let blocks = per_cycle.map(|p| p * w.bits as f64 / 128.0);
                rows.push(vec![
                    format!("{name}, {} bits", w.bits).as_str().into(),
                    latency.into(),
                    per_cycle.into(),
                    blocks.into(),
                ]);
            }
        }
    }
    if let Some(bytes) = machine.memcpy {
        rows.push(vec!["copying 16 KiB, bytes".into(), None.into(), Some(bytes).into(), None.into()]);
    }
    (!rows.is_empty()).then(|| Table {
        id: "limits".into(),
        title: "What this machine’s units can do".into(),
        after: "Bogdanov, Lauridsen and Tischhauser 2014, Table 7".into(),
        note: "Measured in the same run. All limits on this page come from here.".into(),
        columns: vec![
            ("instruction".into(), None),
            ("latency, cycles".into(), Some(2)),
            ("a cycle".into(), Some(2)),
            ("blocks a cycle".into(), Some(2)),
        ],
        groups: vec![(String::new(), rows)],
    })
}

/// The first screen's answer for the files: each scheme that the page ranks, whatever the length of its key, at its
/// best, and other people's best of the same scheme.
pub fn bars(run: &Run, ranking: &Ranking) -> Option<Bars> {
    let mut shown: Vec<Bar> = Vec::new();
    for r in &ranking.ranked {
        let same = |b: &&Bar| b.scheme == r.scheme;
        let ours = |name: &str| name.starts_with("combseal");
        // One bar of ours and one of the peers for a scheme.
        if shown.iter().filter(same).any(|b| ours(&b.implementation) == ours(&r.implementation)) {
            continue;
        }
        shown.push(Bar {
            scheme: r.scheme.clone(),
            implementation: r.implementation.clone(),
            colour: palette::implementation(r.tier.as_deref(), &r.implementation),
            value: r.per_byte,
            limit: r.limit_per_byte,
            noise: r.noise,
        });
    }
    let bars = shown;
    let passed = bars.iter().any(|bar| bar.limit.is_some_and(|limit| limit > bar.value));
    let beyond = if passed {
        " It may stand right of a serial mode’s bar: it is one message’s, and the core can begin the next before that one ends."
    } else {
        ""
    };
    let unit = if unit(run) == "cycles" { "cycles a byte" } else { "nanoseconds a byte" };
    (!bars.is_empty()).then(|| Bars {
        id: "answer".into(),
        title: format!("{} {}", capital(ranking.direction.doing()), ranking.traffic),
        note: format!(
            "Shorter is faster: every message {}. The mark is what the AES unit of this machine allows.{beyond}",
            ranking.direction.done()
        ),
        unit: unit.into(),
        bars,
    })
}

/// Points whose spread or disturbance makes them doubtful, worst first.
pub fn noisy(run: &Run) -> Vec<&Point> {
    let mut noisy: Vec<&Point> = run.points.iter().filter(|p| p.noise() > NOISY || p.is_doubtful()).collect();
    noisy.sort_by(|a, b| b.noise().total_cmp(&a.noise()));
    noisy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::rank::{self, Direction};
    use crate::results::fixture;
    use std::collections::BTreeSet;

    #[test]
    fn the_studys_columns() {
        let table = study(&fixture::run()).unwrap();
        let row = table.groups[0]
            .1
            .iter()
            .find(|r| r[0] == "OCB3-AES-128".into() && r[1] == "combseal vaes512".into())
            .unwrap();
        for (cell, column) in row.iter().zip(&table.columns).skip(2) {
            assert!(matches!(cell, Cell::Number(Some(n)) if *n > 0.0), "{column:?}: {cell:?}");
        }
        assert!(table.csv().starts_with("group,scheme,implementation,T4K,"));
        assert!(all(&Run::default()).is_empty());
    }

    #[test]
    fn bars_have_ours_and_theirs() {
        let run = fixture::run();
        let ranking = rank::own(&run, Direction::Both);
        let bars = bars(&run, &ranking).unwrap().bars;
        assert!(bars.is_sorted_by_key(|b| b.value));
        // The same schemes as on the page, of 256-bit keys and wide ones too.
        let ranked: BTreeSet<&str> = ranking.ranked.iter().map(|r| r.scheme.as_str()).collect();
        assert_eq!(bars.iter().map(|b| b.scheme.as_str()).collect::<BTreeSet<&str>>(), ranked);
        let of = |ours: bool| {
            bars.iter()
                .filter(|b| b.scheme == "AES-128-GCM" && b.implementation.starts_with("combseal") == ours)
                .count()
        };
        assert_eq!((of(true), of(false)), (1, 1));
    }

    #[test]
    fn noise_is_told() {
        let mut run = fixture::run();
        run.points.truncate(5);
        let quiet = noisy(&run).len();
        run.points[0].p75 = run.points[0].median * 2.0;
        assert_eq!(noisy(&run).len(), quiet + 1);
    }
}
