//! A candidate's costs against length, made small for the page: lengths are kept once for all curves
//! that share them, and of thousands of lengths those that a straight line does not give.

use crate::results::{Axis, Point};
use serde::Serialize;

/// A curve with more points than this is thinned.
const MANY: usize = 100;
/// By how much of its value a point may be off the line that stands for it.
const OFF: f64 = 0.01;

/// Costs of whole messages by length, all else the same.
#[derive(Debug, Serialize)]
pub struct Curve {
    /// `seal` or `open`.
    pub op: &'static str,
    /// Keys in use.
    pub keys: u64,
    /// Messages handed over together.
    pub batch: u64,
    /// Values that lie in one buffer, with associated data of six bytes for all.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub column: bool,
    /// Which of the grids its lengths are.
    pub grid: usize,
    /// For each length the median.
    pub cost: Vec<f64>,
    /// Half the middle half of the samples, in thousandths of the median.
    pub noise: Vec<u32>,
    /// The fewest that the AES unit allows; empty where that is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limit: Vec<f64>,
    /// Places of points most of whose samples were disturbed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubtful: Vec<usize>,
}

/// The lists of lengths that curves have, each once.
#[derive(Debug, Default)]
pub struct Grids(Vec<Vec<u64>>);

impl Grids {
    fn place(&mut self, lengths: Vec<u64>) -> usize {
        let known = self.0.iter().position(|grid| *grid == lengths);
        known.unwrap_or_else(|| {
            self.0.push(lengths);
            self.0.len() - 1
        })
    }

    /// All of them, in the order of their places.
    pub fn lengths(self) -> Vec<Vec<u64>> {
        self.0
    }
}

/// The curves of one candidate's points.
pub fn gather(points: &[&Point], grids: &mut Grids) -> Vec<Curve> {
    type Kind = (&'static str, u64, u64, bool);
    let kind = |p: &Point| -> Kind { (p.op.name(), p.keys.max(1), p.batch.max(1), p.axis == Axis::Column) };
    let mut kinds: Vec<Kind> = Vec::new();
    let single: Vec<&Point> = points.iter().copied().filter(|p| p.messages.is_none()).collect();
    for p in &single {
        if !kinds.contains(&kind(p)) {
            kinds.push(kind(p));
        }
    }
    let curve = |of: Kind| {
        let mut points: Vec<&Point> = single.iter().copied().filter(|p| kind(p) == of).collect();
        points.sort_by_key(|p| p.bytes);
        points.dedup_by_key(|p| p.bytes);
        let points = thinned(points);
        let (op, keys, batch, column) = of;
        let limits = points.iter().map(|p| p.limit.map(digits)).collect::<Option<Vec<f64>>>();
        Curve {
            op,
            keys,
            batch,
            column,
            grid: grids.place(points.iter().map(|p| p.bytes).collect()),
            cost: points.iter().map(|p| digits(p.median)).collect(),
            noise: points.iter().map(|p| (1000.0 * p.noise()).round() as u32).collect(),
            limit: limits.unwrap_or_default(),
            doubtful: (0..points.len()).filter(|&i| points[i].is_doubtful()).collect(),
        }
    };
    kinds.into_iter().map(curve).collect()
}

/// Of very many points, those that are more than a hundredth off a line between others.
fn thinned(points: Vec<&Point>) -> Vec<&Point> {
    if points.len() <= MANY {
        return points;
    }
    let mut kept = vec![points[0]];
    let (mut from, mut to) = (0, 1);
    while to < points.len() {
        let (a, b) = (points[from], points[to]);
        let line =
            |p: &Point| a.median + (b.median - a.median) * (p.bytes - a.bytes) as f64 / (b.bytes - a.bytes) as f64;
        let good = points[from + 1..to].iter().all(|p| (line(p) - p.median).abs() <= OFF * p.median);
        if good {
            to += 1;
        } else {
            from = to - 1;
            kept.push(points[from]);
        }
    }
    kept.push(points[points.len() - 1]);
    kept
}

/// Four digits: a tenth of what any clock here tells apart.
pub fn digits(v: f64) -> f64 {
    if v == 0.0 || !v.is_finite() {
        return 0.0;
    }
    let scale = 10f64.powi(3 - v.abs().log10().floor() as i32);
    (v * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;
    use crate::subjects::Op;

    #[test]
    fn thousands_of_lengths_become_few() {
        let first = fixture::run().points.into_iter().find(|p| p.op == Op::Seal && p.axis == Axis::Length).unwrap();
        let at = |bytes: u64| Point {
            bytes,
            median: 40.0 + 2.0 * bytes.div_ceil(16) as f64 + 300.0 * (bytes > 1000) as u64 as f64,
            ..first.clone()
        };
        let all: Vec<Point> = (1..=2048).map(at).collect();
        let kept = thinned(all.iter().collect());
        assert!(kept.len() < 400, "{}", kept.len());
        for p in &all {
            let next = kept.partition_point(|k| k.bytes < p.bytes).max(1);
            let (a, b) = (kept[next - 1], kept[next]);
            let line = a.median + (b.median - a.median) * (p.bytes - a.bytes) as f64 / (b.bytes - a.bytes) as f64;
            assert!((line - p.median).abs() <= 1.01 * OFF * p.median, "{} bytes: {line} for {}", p.bytes, p.median);
        }
    }

    #[test]
    fn four_digits() {
        for (v, r) in [(12345.0, 12350.0), (0.123456, 0.1235), (0.0, 0.0), (f64::NAN, 0.0)] {
            assert_eq!(digits(v), r);
        }
    }
}
