//! How fast every implementation is on some traffic. Where the study measured that traffic, its
//! figures are taken; elsewhere they are put together from the single lengths that it measured.

use super::facts;
use crate::measure::{Method, stats};
use crate::results::{Axis, Point, Run, Unit};
use crate::subjects::Op;
use crate::traffic::Traffic;
use std::collections::BTreeMap;

/// The lengths of messages, each with how many there are.
pub type Lengths = [(u64, u64)];

/// One implementation of one scheme on some traffic.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The scheme with its key's length.
    pub scheme: String,
    /// The scheme without it.
    pub family: String,
    /// Whose code.
    pub implementation: String,
    /// Our tier.
    pub tier: Option<String>,
    /// Cycles a message, the mean (nanoseconds where the run counts these).
    pub per_message: f64,
    /// The same a byte.
    pub per_byte: f64,
    /// Gbit/s on one core; `None` if the core's frequency is not known.
    pub gbits: Option<f64>,
    /// Half the middle half of the samples, as a part of the median; the largest of all lengths
    /// that entered.
    pub noise: f64,
    /// The fewest cycles a byte the AES unit allows.
    pub limit_per_byte: Option<f64>,
}

/// What was ranked, in words, and the ranking, the fastest first.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// The traffic's name.
    pub traffic: String,
    /// What the lengths are and where from.
    pub about: String,
    /// Bytes a message, the mean.
    pub mean_bytes: f64,
    /// Measured on this very traffic, or put together from single lengths?
    pub measured: bool,
    /// The fastest first.
    pub ranked: Vec<Ranked>,
}

impl Ranking {
    /// The fastest implementation of each scheme that `fits`, the fastest scheme first.
    pub fn best(&self, fits: impl Fn(&Ranked) -> bool) -> Vec<&Ranked> {
        let mut seen = Vec::new();
        self.ranked
            .iter()
            .filter(|r| {
                fits(r)
                    && (!seen.contains(&&r.scheme) && {
                        seen.push(&r.scheme);
                        true
                    })
            })
            .collect()
    }
}

/// The ranking for a run's own traffic: the user's if there is one, else the realistic mix,
/// else the Internet Performance Index's four lengths.
pub fn own(run: &Run) -> Ranking {
    if let Some(ranking) = measured(run, Axis::Traffic).or_else(|| measured(run, Axis::Mix)) {
        return ranking;
    }
    let lengths: Vec<(u64, u64)> =
        stats::IPI.iter().map(|&(n, weight)| (n as u64, (weight * 100.0).round() as u64)).collect();
    let mut ranking = of_lengths(run, "the Internet mix of 1998", &lengths);
    ranking.about =
        "44, 552, 576 and 1500 bytes as 5, 15, 20 and 60 % of messages (the IPI of McGrew and Viega 2004)".into();
    ranking
}

/// The ranking for some traffic, by the run's own points on it if there are any, else put
/// together from single lengths.
pub fn of_traffic(run: &Run, traffic: &Traffic) -> Ranking {
    let axis = if is_mix(traffic) { Axis::Mix } else { Axis::Traffic };
    let known = run.traffic.iter().any(|t| is_mix(t) == is_mix(traffic) && t.lengths == traffic.lengths);
    match measured(run, axis) {
        Some(ranking) if known => ranking,
        _ => Ranking { about: about(traffic), ..of_lengths(run, &traffic.name, &traffic.lengths) },
    }
}

fn is_mix(traffic: &Traffic) -> bool {
    traffic.source == "realistic mix"
}

/// The ranking by points of [`Axis::Traffic`] or [`Axis::Mix`]; `None` without such points.
fn measured(run: &Run, axis: Axis) -> Option<Ranking> {
    let points: Vec<&Point> =
        run.points.iter().filter(|p| p.axis == axis && p.op == Op::Seal && p.batch <= 1 && p.bytes > 0).collect();
    let mean_bytes = points.first()?.message_bytes();
    let traffic = run.traffic.iter().find(|t| is_mix(t) == (axis == Axis::Mix));
    let (name, about) = match (traffic, axis) {
        (_, Axis::Mix) => ("the realistic mix".to_string(), traffic.map_or(String::new(), about)),
        (Some(t), _) => (t.name.clone(), about(t)),
        (None, _) => ("your traffic".into(), String::new()),
    };
    let ranked = preferred(points).into_iter().map(|p| of_point(run, p)).collect();
    Some(sorted(run, Ranking { traffic: name, about, mean_bytes, measured: true, ranked }))
}

/// What a traffic's lengths are.
pub fn about(t: &Traffic) -> String {
    let payload = match t.payload.as_str() {
        "ip" => "IP payloads",
        "udp" => "UDP payloads",
        "frame" => "whole frames",
        _ => "messages",
    };
    let from = if t.name.contains(&t.source) { String::new() } else { format!(" ({})", t.source) };
    format!("{} {payload} of {:.0} bytes on average{from}", t.messages, t.bytes as f64 / t.messages.max(1) as f64)
}

/// The ranking for messages of these lengths, from the run's points at single lengths.
pub fn of_lengths(run: &Run, name: &str, lengths: &Lengths) -> Ranking {
    let count: u64 = lengths.iter().map(|l| l.1).sum();
    let bytes: u64 = lengths.iter().map(|l| l.0 * l.1).sum();
    let mean = bytes as f64 / count.max(1) as f64;
    let single = |p: &&Point| {
        p.axis == Axis::Length && p.op == Op::Seal && p.ad == 0 && p.keys <= 1 && p.batch <= 1 && p.messages.is_none()
    };
    let mut series: BTreeMap<(&str, &str), Vec<&Point>> = BTreeMap::new();
    for p in preferred(run.points.iter().filter(single)) {
        series.entry((&p.scheme, &p.implementation)).or_default().push(p);
    }
    let mut ranked = Vec::new();
    for points in series.values_mut() {
        points.sort_by_key(|p| p.bytes);
        let curve: Vec<(f64, f64)> = points.iter().map(|p| (p.bytes as f64, p.median)).collect();
        let floor: Option<Vec<(f64, f64)>> = points.iter().map(|p| Some((p.bytes as f64, p.limit?))).collect();
        let mean_of = |curve: &[(f64, f64)]| {
            lengths.iter().map(|&(n, w)| at(curve, n as f64) * w as f64).sum::<f64>() / count.max(1) as f64
        };
        // The cost at one length says nothing of other lengths.
        if curve.len() < 2 || mean <= 0.0 {
            continue;
        }
        let per_message = mean_of(&curve);
        let first = points[0];
        ranked.push(Ranked {
            scheme: first.scheme.clone(),
            family: first.family.clone(),
            implementation: first.implementation.clone(),
            tier: first.tier.clone(),
            per_message,
            per_byte: per_message / mean,
            gbits: gbits(run, per_message / mean),
            noise: points.iter().map(|p| p.noise()).fold(0.0, f64::max),
            limit_per_byte: floor.map(|curve| mean_of(&curve) / mean),
        });
    }
    let about = format!("{count} messages of {mean:.0} bytes on average");
    sorted(run, Ranking { traffic: name.into(), about, mean_bytes: mean, measured: false, ranked })
}

/// Of points that differ in nothing but the method, the one by our own method; where there is
/// none, the first.
pub fn preferred<'a>(points: impl IntoIterator<Item = &'a Point>) -> Vec<&'a Point> {
    type Same<'a> = (&'a str, &'a str, Op, Axis, [u64; 4]);
    let mut best: BTreeMap<Same, &Point> = BTreeMap::new();
    let mut order = Vec::new();
    for p in points {
        let same = (p.scheme.as_str(), p.implementation.as_str(), p.op, p.axis, [p.bytes, p.ad, p.keys, p.batch]);
        match best.get(&same) {
            None => {
                order.push(same);
                best.insert(same, p);
            }
            Some(other) if other.method != Method::Campaign && p.method == Method::Campaign => {
                best.insert(same, p);
            }
            _ => {}
        }
    }
    order.iter().map(|same| best[same]).collect()
}

fn of_point(run: &Run, p: &Point) -> Ranked {
    let per_byte = p.median / p.message_bytes();
    Ranked {
        scheme: p.scheme.clone(),
        family: p.family.clone(),
        implementation: p.implementation.clone(),
        tier: p.tier.clone(),
        per_message: p.median,
        per_byte,
        gbits: gbits(run, per_byte),
        noise: p.noise(),
        limit_per_byte: p.limit.map(|limit| limit / p.message_bytes()),
    }
}

/// Gbit/s of one core at so many cycles, or nanoseconds, a byte.
pub fn gbits(run: &Run, per_byte: f64) -> Option<f64> {
    let ghz = match run.machine.clock.unit {
        Unit::Cycles => run.machine.clock.ghz_core?,
        Unit::Nanoseconds => 1.0,
    };
    (per_byte > 0.0).then(|| 8.0 * ghz / per_byte)
}

/// The baseline does not authenticate, and the archive is not for use: they are not ranked. Nor is
/// anything that an emulator ran.
fn sorted(run: &Run, mut ranking: Ranking) -> Ranking {
    if run.machine.emulated.is_some() {
        ranking.ranked.clear();
    }
    let is_choice = |scheme: &str| {
        let facts = facts::of(scheme);
        !facts.baseline && !facts.archived
    };
    ranking.ranked.retain(|r| is_choice(&r.scheme));
    ranking.ranked.sort_by(|a, b| a.per_byte.total_cmp(&b.per_byte));
    ranking
}

/// The value of a curve at `x`: a straight line between two points, the line through the last two
/// beyond them, and the first point's value before it.
fn at(curve: &[(f64, f64)], x: f64) -> f64 {
    let next = curve.partition_point(|p| p.0 < x);
    match next {
        0 => curve[0].1,
        _ => {
            let i = next.min(curve.len() - 1).max(1);
            let ((x0, y0), (x1, y1)) = (curve[i - 1], curve[i]);
            if x1 > x0 { y0 + (y1 - y0) * (x - x0) / (x1 - x0) } else { y1 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;

    #[test]
    fn curves() {
        let curve = [(16.0, 50.0), (64.0, 98.0), (128.0, 130.0)];
        for (x, y) in [(1.0, 50.0), (16.0, 50.0), (40.0, 74.0), (64.0, 98.0), (96.0, 114.0), (256.0, 194.0)] {
            assert_eq!(at(&curve, x), y, "at {x}");
        }
    }

    #[test]
    fn measured_before_put_together() {
        let run = fixture::run();
        let ranking = own(&run);
        assert!(ranking.measured);
        assert!(ranking.ranked.is_sorted_by_key(|r| r.per_byte));
        assert!(ranking.ranked.iter().all(|r| r.family != "ctr"));
        let best = ranking.best(|_| true);
        let schemes: Vec<_> = best.iter().map(|r| &r.scheme).collect();
        assert!(schemes.iter().enumerate().all(|(i, s)| !schemes[..i].contains(s)));
        let survivors = ranking.best(|r| facts::of(&r.scheme).misuse_resistant);
        assert_eq!(survivors[0].scheme, "AES-128-GCM-SIV");

        assert!(of_traffic(&run, &run.traffic[0]).measured);
        let other = Traffic { lengths: vec![(100, 1)], ..run.traffic[0].clone() };
        assert!(!of_traffic(&run, &other).measured);

        let single = of_lengths(&run, "packets", &[(1500, 3), (64, 1)]);
        assert!(!single.measured);
        assert_eq!(single.mean_bytes, 1141.0);
        let ocb = single.ranked.iter().find(|r| r.scheme == "OCB3-AES-128" && r.tier.is_some()).unwrap();
        assert!(ocb.gbits.unwrap() > 1.0 && ocb.limit_per_byte.unwrap() < ocb.per_byte);
    }

    #[test]
    fn what_was_emulated_is_not_ranked() {
        let mut run = fixture::run();
        let traffic = run.traffic[0].clone();
        assert!(!own(&run).ranked.is_empty());
        run.machine.emulated = Some("qemu-aarch64".into());
        assert!(own(&run).ranked.is_empty());
        assert!(of_traffic(&run, &traffic).ranked.is_empty());
        assert!(of_lengths(&run, "packets", &[(1500, 3), (64, 1)]).ranked.is_empty());
    }

    #[test]
    fn our_method_is_preferred() {
        let mut points = fixture::run().points;
        points.truncate(1);
        let mut other = points[0].clone();
        other.method = Method::Kr65;
        points.insert(0, other);
        assert_eq!(preferred(&points).iter().map(|p| p.method).collect::<Vec<_>>(), [Method::Campaign]);
    }
}
