//! The figures in which something other than the length varies: the number of keys, the associated
//! data, or the number of messages sealed together.

use super::gather::{drawn, gather, quartiles, scale, unit, views};
use crate::answers::rank::preferred;
use crate::report::figure::{Figure, Heat, Map, rounded};
use crate::report::together::with_single;
use crate::results::{Axis, Point, Run};
use crate::subjects::Op;
use std::collections::BTreeMap;

/// Cycles against the number of keys in use (2007).
pub fn keys(run: &Run) -> Option<Figure> {
    let points = preferred(run.points.iter().filter(|p| p.axis == Axis::Keys && p.op == Op::Seal));
    varied(
        run,
        &points,
        |p| p.keys,
        "keys",
        "Many keys: what a cache miss costs",
        "Bernstein 2007",
        "keys in use",
        "A key drawn at random for each message, each with its own context: once these do not fit the cache, every message waits for memory.",
    )
}

/// Cycles against the length of the associated data.
pub fn ad(run: &Run) -> Option<Figure> {
    let points = preferred(run.points.iter().filter(|p| p.axis == Axis::Ad && p.op == Op::Seal));
    varied(
        run,
        &points,
        |p| p.ad,
        "ad",
        "Associated data",
        "",
        "associated data, bytes",
        "Sealing one message with more and more associated data.",
    )
}

/// Cycles against the messages handed over together, for the realistic mix or one length.
pub fn comb(run: &Run) -> Option<Figure> {
    // The mix if it was measured in batches, else the length with the most sizes.
    let mix = with_single(run, Op::Seal, true);
    let points = if mix.is_empty() { most_frequent(&with_single(run, Op::Seal, false), |p| p.bytes) } else { mix };
    let series = gather(&points, "seal", |p| (p.batch.max(1) as f64, quartiles(p, p.message_bytes())));
    let length = points.first().map_or(0.0, |p| p.message_bytes());
    drawn(Figure {
        id: "comb".into(),
        title: "The comb: messages handed over together".into(),
        after: "Bogdanov, Lauridsen and Tischhauser 2014, Table 2 (theirs is of CBC)".into(),
        note: format!(
            "Messages of {length:.0} bytes on average. One message at a time, as in the ranking, is the left end."
        ),
        x: scale("messages together, P", true),
        y: scale(format!("{} a byte", unit(run)), true),
        from: None,
        views: views(run, &series),
        series,
    })
}

#[allow(clippy::too_many_arguments)]
fn varied(
    run: &Run,
    points: &[&Point],
    x: fn(&Point) -> u64,
    id: &str,
    title: &str,
    after: &str,
    axis: &str,
    note: &str,
) -> Option<Figure> {
    // One length: that of most points.
    let points = most_frequent(points, |p| p.bytes);
    let length = points.first().map_or(0, |p| p.bytes);
    let series = gather(&points, "seal", |p| (x(p) as f64, quartiles(p, 1.0)));
    drawn(Figure {
        id: id.into(),
        title: title.into(),
        after: after.into(),
        note: format!("Messages of {length} bytes. {note}"),
        x: scale(axis, x(&Point { keys: 2, ad: 0, ..points.first().copied()?.clone() }) == 2),
        y: scale(format!("{} a message", unit(run)), false),
        from: None,
        views: views(run, &series),
        series,
    })
}

fn most_frequent<'a>(points: &[&'a Point], of: fn(&Point) -> u64) -> Vec<&'a Point> {
    let mut count: BTreeMap<u64, usize> = BTreeMap::new();
    points.iter().for_each(|p| *count.entry(of(p)).or_default() += 1);
    let most = count.iter().max_by_key(|(_, n)| **n).map(|(value, _)| *value);
    points.iter().copied().filter(|p| Some(of(p)) == most).collect()
}

/// Which of the paper's figures has the schemes of this run: the third is of serial modes that
/// survive a repeated nonce, of which only the archive has those of the paper.
fn paper_figure(run: &Run) -> &'static str {
    let has = |family: &str| run.points.iter().any(|p| p.axis == Axis::Batch && p.family.starts_with(family));
    if has("mcoe") || has("poet") { "Fig. 2 and 3" } else { "Fig. 2" }
}

/// P against length, cycles a byte as colours (2014, Fig. 2 and 3).
pub fn heat(run: &Run) -> Option<Heat> {
    let points = with_single(run, Op::Seal, false);
    let mut maps: Vec<Map> = Vec::new();
    for p in &points {
        let name = format!("{}, {}", p.scheme, p.implementation);
        if maps.iter().any(|m| m.name == name) {
            continue;
        }
        let same: Vec<&&Point> =
            points.iter().filter(|q| q.scheme == p.scheme && q.implementation == p.implementation).collect();
        let axis = |of: fn(&Point) -> u64| {
            let mut values: Vec<u64> = same.iter().map(|q| of(q)).collect();
            values.sort_unstable();
            values.dedup();
            values
        };
        let (x, y) = (axis(|q| q.bytes), axis(|q| q.batch));
        let place = |values: &[u64], v: u64| values.binary_search(&v).unwrap_or(0);
        let cells = same
            .iter()
            .filter_map(|q| Some((place(&x, q.bytes), place(&y, q.batch), rounded(q.per_byte()?))))
            .collect();
        maps.push(Map { name, x, y, cells });
    }
    maps.retain(|m| m.x.len() > 1 && m.y.len() > 1);
    (!maps.is_empty()).then(|| Heat {
        id: "heat".into(),
        title: "Batch size by length".into(),
        after: format!("Bogdanov, Lauridsen and Tischhauser 2014, {}", paper_figure(run)),
        note: "Equal lengths, sealed together P at a time. The scale below the map has each colour’s value.".into(),
        axes: ["message, bytes".into(), "P".into(), format!("{} a byte", unit(run))],
        maps,
    })
}
