//! What all figures of lines have in common: points are gathered into series, and series into views.

use crate::answers::rank::preferred;
use crate::report::figure::{By, Figure, Scale, Series, Style, View};
use crate::report::palette;
use crate::results::{Axis, Point, Run, Unit};
use crate::subjects::Op;
use std::collections::BTreeMap;

/// The schemes shown before anyone chooses: the study's, and what people use beside them.
const FIRST: [&str; 7] =
    ["AES-128-CTR", "OCB3-AES-128", "AES-128-GCM", "AES-128-CCM", "AES-128-GCM-SIV", "AEGIS-128L", "ChaCha20-Poly1305"];

/// As many schemes as are all shown at once.
const FEW: usize = 8;

pub fn unit(run: &Run) -> &'static str {
    match run.machine.clock.unit {
        Unit::Cycles => "cycles",
        Unit::Nanoseconds => "nanoseconds",
    }
}

pub fn scale(name: impl Into<String>, log: bool) -> Scale {
    Scale { name: name.into(), log }
}

pub fn quartiles(p: &Point, by: f64) -> [f64; 3] {
    [p.p25 / by, p.median / by, p.p75 / by]
}

/// Points over single lengths, nothing else varied.
pub fn over_lengths(run: &Run, op: Op) -> Vec<&Point> {
    preferred(
        run.points.iter().filter(|p| {
            p.axis == Axis::Length && p.op == op && p.ad == 0 && p.keys <= 1 && p.batch <= 1 && p.bytes > 0
        }),
    )
}

/// Points gathered into a series for each scheme and implementation, in their order.
pub fn gather(points: &[&Point], op: &str, value: impl Fn(&Point) -> (f64, [f64; 3])) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| value(a).0.total_cmp(&value(b).0));
    for p in points {
        if !series.iter().any(|s| s.scheme == p.scheme && s.implementation == p.implementation) {
            series.push(Series::like(p, op));
        }
    }
    for p in sorted {
        let (x, y) = value(p);
        let of = |s: &&mut Series| s.scheme == p.scheme && s.implementation == p.implementation;
        if let Some(s) = series.iter_mut().find(of) {
            s.push(x, y, p.is_doubtful());
        }
    }
    series
}

/// The length whose speed decides which implementation stands for a scheme: long enough that the
/// start of a message matters little, and measured by all tiers.
const DECIDING: u64 = 4096;

/// For each scheme the implementation that stands for it on the whole page: the fastest of ours at
/// sealing [`DECIDING`] bytes, or what was measured nearest to it; the fastest of all where none is
/// ours. No figure chooses by its own values, which may be differences that a slow tier wins. A doubtful
/// point decides too: a disturbed sample of a fast tier is no reason to draw a slow one.
pub fn chosen(run: &Run) -> BTreeMap<&str, &str> {
    let far = |p: &Point| p.bytes.abs_diff(DECIDING);
    let mut nearest: BTreeMap<(&str, &str), &Point> = BTreeMap::new();
    for p in over_lengths(run, Op::Seal) {
        let near = nearest.entry((&p.scheme, &p.implementation)).or_insert(p);
        if far(p) < far(near) {
            *near = p;
        }
    }
    let mut best: BTreeMap<&str, &Point> = BTreeMap::new();
    for ((scheme, _), p) in nearest {
        // At another length an implementation cannot be compared: the nearer one stands.
        let order = |p: &Point| (p.peer, far(p));
        let speed = |p: &Point| p.median / p.bytes as f64;
        let first = best.entry(scheme).or_insert(p);
        if order(p).cmp(&order(first)).then(speed(p).total_cmp(&speed(first))).is_lt() {
            *first = p;
        }
    }
    best.into_iter().map(|(scheme, p)| (scheme, p.implementation.as_str())).collect()
}

/// For each scheme the series of the implementation that was [`chosen`]; where a figure has none of
/// it, the first of ours, or the first.
pub fn best_of(run: &Run, series: &[Series]) -> Vec<usize> {
    let chosen = chosen(run);
    let mut best: Vec<usize> = Vec::new();
    for (i, s) in series.iter().enumerate() {
        let rank = |s: &Series| (chosen.get(s.scheme.as_str()) != Some(&s.implementation.as_str()), !is_ours(s));
        match best.iter_mut().find(|b| series[**b].scheme == s.scheme) {
            None => best.push(i),
            Some(b) if rank(s) < rank(&series[*b]) => *b = i,
            _ => {}
        }
    }
    best
}

pub fn is_ours(s: &Series) -> bool {
    s.implementation.starts_with("combseal")
}

/// One view of the schemes, then one of each scheme's implementations.
pub fn views(run: &Run, series: &[Series]) -> Vec<View> {
    let best = best_of(run, series);
    let mut hidden: Vec<usize> =
        best.iter().copied().filter(|&i| !FIRST.contains(&series[i].scheme.as_str())).collect();
    // So few can all be told apart, and were asked for by name as a rule.
    if best.len() <= FEW || hidden.len() == best.len() {
        hidden.clear();
    }
    let mut views =
        vec![View { name: "Schemes, each at its best".into(), by: By::Scheme, series: best.clone(), hidden }];
    for &i in &best {
        let scheme = &series[i].scheme;
        let of: Vec<usize> = (0..series.len()).filter(|&j| &series[j].scheme == scheme).collect();
        // Software is ten times slower and would press all others into a line.
        let hidden =
            of.iter().copied().filter(|&j| of.len() > 2 && series[j].implementation.ends_with(" soft")).collect();
        views.push(View { name: scheme.clone(), by: By::Implementation, series: of, hidden });
    }
    views
}

/// The limit of the AES unit beside each scheme's implementations, as a series of its own.
pub fn with_limits(series: &mut Vec<Series>, views: &mut [View], points: &[&Point]) {
    for view in views.iter_mut().filter(|v| v.by == By::Implementation) {
        // The limit is the machine's: one for a length, whatever implementation it stands beside.
        let mut lowest: BTreeMap<u64, f64> = BTreeMap::new();
        for p in points.iter().filter(|p| p.scheme == view.name) {
            if let Some(limit) = p.limit {
                let at = lowest.entry(p.bytes).or_insert(limit);
                *at = at.min(limit);
            }
        }
        if lowest.len() < 2 {
            continue;
        }
        view.series.push(series.len());
        series.push(Series {
            scheme: view.name.clone(),
            implementation: "AES limit".into(),
            op: "seal".into(),
            colours: [palette::GREY; 3],
            style: Style::Dotted,
            x: lowest.keys().map(|n| *n as f64).collect(),
            y: lowest.iter().map(|(n, limit)| limit / *n as f64).collect(),
            low: Vec::new(),
            high: Vec::new(),
            doubtful: Vec::new(),
            dots: Vec::new(),
        });
    }
}

/// The figure, if it has something to show.
pub fn drawn(figure: Figure) -> Option<Figure> {
    figure.series.iter().any(|s| s.x.len() > 1).then_some(figure)
}

pub fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}
