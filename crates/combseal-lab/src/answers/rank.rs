//! How fast every implementation is on some traffic: sealing it, opening it, or both. Where the study
//! measured that traffic, its figures are taken; elsewhere they are put together from the single
//! lengths that it measured. Points with too few clean samples rank nobody.

use super::facts;
use crate::measure::{Method, stats};
use crate::results::{Axis, Point, Run, Unit};
use crate::subjects::Op;
use crate::traffic::Traffic;
use std::collections::BTreeMap;

/// The lengths of messages, each with how many there are.
pub type Lengths = [(u64, u64)];

/// What is counted of every message. Some schemes seal faster than they open, so the order can turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Sealing alone.
    Seal,
    /// Opening alone.
    Open,
    /// Sealing it once and opening it once: what a message costs in all.
    #[default]
    Both,
}

impl Direction {
    /// All of them.
    pub const ALL: [Direction; 3] = [Direction::Seal, Direction::Open, Direction::Both];

    /// The name, as on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Seal => "seal",
            Direction::Open => "open",
            Direction::Both => "both",
        }
    }

    /// What is done with a message, in words.
    pub fn done(self) -> &'static str {
        match self {
            Direction::Seal => "sealed",
            Direction::Open => "opened",
            Direction::Both => "sealed and opened",
        }
    }

    /// The same as what somebody does.
    pub fn doing(self) -> &'static str {
        match self {
            Direction::Seal => "sealing",
            Direction::Open => "opening",
            Direction::Both => "sealing and opening",
        }
    }

    fn ops(self) -> &'static [Op] {
        match self {
            Direction::Seal => &[Op::Seal],
            Direction::Open => &[Op::Open],
            Direction::Both => &[Op::Seal, Op::Open],
        }
    }
}

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
    /// Cycles a message, the mean (nanoseconds where the run counts these), in the ranking's
    /// direction.
    pub per_message: f64,
    /// The same a byte.
    pub per_byte: f64,
    /// Cycles a byte to seal, where that is known.
    pub seal: Option<f64>,
    /// Cycles a byte to open, where that is known.
    pub open: Option<f64>,
    /// Gbit/s on one core, each way where both are counted; `None` if the core's frequency is not
    /// known.
    pub gbits: Option<f64>,
    /// Half the middle half of the samples, as a part of the median: of all points that entered, each by what
    /// it costs. Between two lengths it is that of the noisier.
    pub noise: f64,
    /// Whether its lengths were measured.
    pub how: How,
    /// The fewest cycles a byte the AES unit allows.
    pub limit_per_byte: Option<f64>,
}

/// Where the costs of a traffic's lengths are from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// All its lengths were measured.
    #[default]
    Measured,
    /// Some lie between two measured lengths: on a straight line.
    Between,
    /// Some are shorter than the shortest or longer than the longest length measured.
    Beyond,
}

/// Two results closer than this are a tie, however quiet the machine was.
pub const TIE: f64 = 0.03;
/// Two results further apart than this are no tie, however loud it was.
pub const NO_TIE: f64 = 0.1;

impl Ranked {
    /// Is it as fast as `other`, within [`TIE`] or the noise of both, but never beyond [`NO_TIE`]?
    pub fn ties(&self, other: &Ranked) -> bool {
        let (fast, slow) = (self.per_byte.min(other.per_byte), self.per_byte.max(other.per_byte));
        slow <= fast * (1.0 + (self.noise + other.noise).clamp(TIE, NO_TIE))
    }
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
    /// How many messages were measured, where a sample stands for a traffic of many.
    pub sample: Option<u64>,
    /// What was counted. It is sealing where opening was asked for and the run has none of it.
    pub direction: Direction,
    /// The fastest first.
    pub ranked: Vec<Ranked>,
    /// Scheme and implementation of those that were measured and cannot be ranked: too few of
    /// their samples were clean.
    pub doubtful: Vec<(String, String)>,
    /// Of these the schemes that have nothing faster: what stands for them in the ranking is not their best.
    pub unsure: Vec<String>,
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
pub fn own(run: &Run, direction: Direction) -> Ranking {
    let of = |axis| measured(run, axis, direction);
    if let Some(ranking) = of(Axis::Traffic).or_else(|| of(Axis::Mix)) {
        return ranking;
    }
    let lengths: Vec<(u64, u64)> =
        stats::IPI.iter().map(|&(n, weight)| (n as u64, (weight * 100.0).round() as u64)).collect();
    let mut ranking = of_lengths(run, "the Internet mix of 1998", &lengths, direction);
    ranking.about =
        "44, 552, 576 and 1500 bytes as 5, 15, 20 and 60 % of messages (the IPI of McGrew and Viega 2004)".into();
    ranking
}

/// The ranking for some traffic, by the run's own points on it if there are any, else put
/// together from single lengths.
pub fn of_traffic(run: &Run, traffic: &Traffic, direction: Direction) -> Ranking {
    let axis = if is_mix(traffic) { Axis::Mix } else { Axis::Traffic };
    let known = run.traffic.iter().any(|t| is_mix(t) == is_mix(traffic) && t.lengths == traffic.lengths);
    match measured(run, axis, direction) {
        Some(ranking) if known => ranking,
        _ => Ranking { about: about(traffic), ..of_lengths(run, &traffic.name, &traffic.lengths, direction) },
    }
}

fn is_mix(traffic: &Traffic) -> bool {
    traffic.source == "realistic mix"
}

/// Is it one message after the other, by one key and without data?
fn is_plain(p: &Point) -> bool {
    p.ad == 0 && p.keys <= 1 && p.batch <= 1 && matches!(p.op, Op::Seal | Op::Open)
}

/// The points of every implementation, in the order of their appearance.
fn by_implementation<'a>(points: impl IntoIterator<Item = &'a Point>) -> Vec<Vec<&'a Point>> {
    let mut all: Vec<Vec<&Point>> = Vec::new();
    for p in preferred(points) {
        let same = |of: &&mut Vec<&Point>| (&of[0].scheme, &of[0].implementation) == (&p.scheme, &p.implementation);
        match all.iter_mut().find(same) {
            Some(of) => of.push(p),
            None => all.push(vec![p]),
        }
    }
    all
}

/// The ranking by points of [`Axis::Traffic`] or [`Axis::Mix`]; `None` without such points.
fn measured(run: &Run, axis: Axis, direction: Direction) -> Option<Ranking> {
    let points = || run.points.iter().filter(|p| p.axis == axis && p.bytes > 0 && is_plain(p));
    let mean_bytes = points().next()?.message_bytes();
    let traffic = run.traffic.iter().find(|t| is_mix(t) == (axis == Axis::Mix));
    let (name, about) = match (traffic, axis) {
        (_, Axis::Mix) => ("the realistic mix".to_string(), traffic.map_or(String::new(), about)),
        (Some(t), _) => (t.name.clone(), about(t)),
        (None, _) => ("your traffic".into(), String::new()),
    };
    let all = by_implementation(points());
    let sample = points().next()?.messages;
    let ranking = Ranking { traffic: name, about, mean_bytes, measured: true, sample, ..Ranking::default() };
    Some(ranked(run, ranking, direction, &all, |op, of| {
        let p = of.iter().find(|p| p.op == op)?;
        let bytes = p.message_bytes();
        Some(Cost {
            per_byte: p.median / bytes,
            limit: p.limit.map(|limit| limit / bytes),
            noise: p.noise(),
            doubtful: p.is_doubtful(),
            how: How::Measured,
        })
    }))
}

/// What an operation costs an implementation on a ranking's traffic.
struct Cost {
    per_byte: f64,
    limit: Option<f64>,
    noise: f64,
    doubtful: bool,
    how: How,
}

/// The noise of a sum of costs, each with its own noise and how often it counts: each by its part of the sum.
fn noise_of(parts: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, noise) = parts.fold((0.0, 0.0), |(sum, all), (cost, noise)| (sum + cost, all + cost * noise));
    if sum > 0.0 { noise / sum } else { 0.0 }
}

/// Fills a ranking in: `cost` tells what an operation costs by an implementation's points.
fn ranked(
    run: &Run,
    ranking: Ranking,
    direction: Direction,
    all: &[Vec<&Point>],
    cost: impl Fn(Op, &[&Point]) -> Option<Cost>,
) -> Ranking {
    let opens = all.iter().any(|of| cost(Op::Open, of).is_some());
    let direction = if opens { direction } else { Direction::Seal };
    let (mut ranked, mut doubtful, mut doubted) = (Vec::<Ranked>::new(), Vec::new(), Vec::new());
    for of in all {
        let costs: Option<Vec<Cost>> = direction.ops().iter().map(|&op| cost(op, of)).collect();
        let Some(costs) = costs else { continue };
        let first = of[0];
        let per_byte: f64 = costs.iter().map(|cost| cost.per_byte).sum();
        if costs.iter().any(|cost| cost.doubtful) {
            doubtful.push((first.scheme.clone(), first.implementation.clone()));
            doubted.push((&first.scheme, per_byte));
            continue;
        }
        let known = |op| cost(op, of).filter(|cost| !cost.doubtful).map(|cost| cost.per_byte);
        ranked.push(Ranked {
            scheme: first.scheme.clone(),
            family: first.family.clone(),
            implementation: first.implementation.clone(),
            tier: first.tier.clone(),
            per_message: per_byte * ranking.mean_bytes,
            per_byte,
            seal: known(Op::Seal),
            open: known(Op::Open),
            gbits: gbits(run, per_byte),
            noise: noise_of(costs.iter().map(|cost| (cost.per_byte, cost.noise))),
            how: costs.iter().map(|cost| cost.how).max().unwrap_or_default(),
            limit_per_byte: costs.iter().map(|cost| cost.limit).sum(),
        });
    }
    let is_best = |(scheme, per_byte): &(&String, f64)| {
        ranked.iter().filter(|r| &r.scheme == *scheme).all(|r| *per_byte < r.per_byte)
    };
    let mut unsure: Vec<String> = doubted.into_iter().filter(is_best).map(|it| it.0.clone()).collect();
    unsure.dedup();
    sorted(run, Ranking { direction, ranked, doubtful, unsure, ..ranking })
}

/// The realistic mix in words, which is the only traffic that has a name of its own.
pub const MIX: &str = "44 % of its messages have 40 to 100 bytes, 37 % have 1400 to 1500, and 19 % lie between";

/// What a traffic's lengths are, beyond its name.
pub fn about(t: &Traffic) -> String {
    if t.messages == 1 {
        return String::new();
    }
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
pub fn of_lengths(run: &Run, name: &str, lengths: &Lengths, direction: Direction) -> Ranking {
    let count: u64 = lengths.iter().map(|l| l.1).sum();
    let bytes: u64 = lengths.iter().map(|l| l.0 * l.1).sum();
    let mean = bytes as f64 / count.max(1) as f64;
    let single = |p: &&Point| p.axis == Axis::Length && p.messages.is_none() && is_plain(p);
    let all = by_implementation(run.points.iter().filter(single));
    let about = format!("{count} messages of {mean:.0} bytes on average");
    let ranking = Ranking { traffic: name.into(), about, mean_bytes: mean, ..Ranking::default() };
    ranked(run, ranking, direction, &all, |op, of| {
        let mut points: Vec<&Point> = of.iter().copied().filter(|p| p.op == op).collect();
        let (measured, is_clean) = (points.len(), |p: &&Point| !p.is_doubtful());
        // A doubtful length is bridged by its neighbours, unless there are many.
        let clean = points.iter().copied().filter(is_clean).count();
        let doubtful = clean < 2 || 4 * clean < 3 * measured;
        if !doubtful {
            points.retain(is_clean);
        }
        points.sort_by_key(|p| p.bytes);
        let curve: Vec<(f64, f64)> = points.iter().map(|p| (p.bytes as f64, p.median)).collect();
        let noise = |n: u64| beside(&points, n).iter().map(|p| p.noise()).fold(0.0, f64::max);
        let floor: Option<Vec<(f64, f64)>> = points.iter().map(|p| Some((p.bytes as f64, p.limit?))).collect();
        let mean_of = |curve: &[(f64, f64)]| {
            lengths.iter().map(|&(n, w)| at(curve, n as f64) * w as f64).sum::<f64>() / count.max(1) as f64
        };
        // The cost at one length says nothing of other lengths.
        (measured >= 2 && mean > 0.0).then(|| Cost {
            per_byte: mean_of(&curve) / mean,
            limit: floor.map(|curve| mean_of(&curve) / mean),
            noise: noise_of(lengths.iter().map(|&(n, w)| (at(&curve, n as f64) * w as f64, noise(n)))),
            doubtful,
            how: lengths.iter().map(|&(n, _)| how(&points, n)).max().unwrap_or_default(),
        })
    })
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
    ranking.doubtful.retain(|(scheme, _)| is_choice(scheme));
    ranking.unsure.retain(|scheme| is_choice(scheme));
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

/// Of points in the order of their lengths those that the value at `n` bytes is made of: the one of that length,
/// the two around it, or the last two.
fn beside<'a, 'b>(points: &'a [&'b Point], n: u64) -> &'a [&'b Point] {
    let next = points.partition_point(|p| p.bytes < n);
    match points.get(next) {
        Some(p) if p.bytes == n || next == 0 => &points[next..=next],
        Some(_) => &points[next - 1..=next],
        None => &points[points.len().saturating_sub(2)..],
    }
}

/// Whether a length was measured, by points in the order of their lengths.
fn how(points: &[&Point], n: u64) -> How {
    let next = points.partition_point(|p| p.bytes < n);
    match points.get(next) {
        Some(p) if p.bytes == n => How::Measured,
        Some(_) if next > 0 => How::Between,
        _ => How::Beyond,
    }
}

#[cfg(test)]
mod tests;
