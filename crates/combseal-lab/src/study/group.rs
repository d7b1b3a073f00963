//! Measures one group of a plan. All its implementations are checked first, so that nobody is timed
//! who gives wrong answers; then all its points are measured in one campaign.

use super::options::Options;
use super::plan::{Group, Spec, Subject};
use crate::measure::{Campaign, Clock, Limits, Method, Summary, Width, Work, stats};
use crate::results::{Axis, Failed, Point};
use crate::subjects::batches::Way;
use crate::subjects::workloads::{self, Doing};
use crate::subjects::{Buffers, Implementation, limit_cycles, verify};
use crate::traffic::Traffic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A group may take so many times longer than planned before it is cut short.
const PATIENCE: f64 = 1.25;
/// Rounds that every point gets, however long they take.
const FEWEST: usize = 5;

/// A mix by its axis: what it is, and the sample that stands for it.
type Mix = (Axis, Traffic, Vec<usize>);

/// The realistic mix, and the user's own traffic if there is any.
fn mixes(options: &Options) -> Vec<Mix> {
    let own = options.traffic.clone().map(|traffic| (Axis::Traffic, traffic));
    let all = std::iter::once((Axis::Mix, Traffic::realistic())).chain(own);
    all.map(|(axis, traffic)| (axis, traffic.clone(), traffic.sample(options.seed))).collect()
}

/// What groups are measured with, one after the other.
pub(super) struct Measurer<'a> {
    pub(super) options: &'a Options,
    pub(super) all: &'a [Implementation],
    subjects: &'a [Subject],
    pub(super) limits: Limits,
    pub(super) clock: Clock,
    mixes: Vec<Mix>,
}

/// What measuring a group gave.
pub(super) struct Measured {
    pub(super) points: Vec<Point>,
    pub(super) failed: Vec<Failed>,
    /// Samples thrown away and repeated.
    pub(super) discarded: u64,
    /// Samples taken while the calibration moved or another process had the core.
    pub(super) moved: u64,
}

impl<'a> Measurer<'a> {
    /// Draws the messages of the mixes; the clock and the limits are measured already.
    pub(super) fn new(
        options: &'a Options,
        all: &'a [Implementation],
        subjects: &'a [Subject],
        limits: Limits,
        clock: Clock,
    ) -> Self {
        Measurer { options, all, subjects, limits, clock, mixes: mixes(options) }
    }

    /// The traffic that points are measured on.
    pub(super) fn traffic(&self) -> impl Iterator<Item = &Traffic> {
        self.mixes.iter().map(|(_, traffic, _)| traffic)
    }

    /// Measures a group; `None` if it was stopped.
    pub(super) fn group(
        &mut self,
        group: &Group,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(f64),
    ) -> Option<Measured> {
        progress(0.0);
        let mut failed = self.verify(group);
        let wrong = |spec: &Spec, failed: &[Failed]| {
            let one = &self.all[spec.subject];
            failed.iter().any(|f| f.implementation == one.name && f.scheme == spec.scheme_name(one))
        };
        let longest = group.specs.iter().map(|spec| spec.bytes as usize).max().unwrap_or(0);
        let mixes = &self.mixes;
        let lengths = |spec: &Spec| lengths(spec, mixes, self.options.seed);
        let longest = self.mixes.iter().map(|mix| workloads::room(&mix.2)).max().unwrap_or(0).max(longest);
        let specs: Vec<Spec> = group.specs.iter().filter(|s| !wrong(s, &failed)).copied().collect();

        let mut campaign = Campaign::new(&mut self.clock, longest, self.options.seed);
        for specs in specs.chunk_by(|a, b| a.subject == b.subject && a.axis == Axis::Keys && b.axis == Axis::Keys) {
            let one = &self.all[specs[0].subject];
            match works(one, specs, group.method, &lengths(&specs[0])) {
                Ok(works) => specs.iter().zip(works).for_each(|(spec, work)| campaign.add(*spec, work)),
                Err(why) => {
                    let scheme = specs[0].scheme_name(one);
                    failed.push(Failed { scheme, implementation: one.name.clone(), why });
                }
            }
        }
        let begun = Instant::now();
        let go_on = |done: usize, of: usize| {
            progress(done as f64 / of as f64);
            let late = begun.elapsed().as_secs_f64() > PATIENCE * group.seconds + 0.2;
            let may_stop = group.method == Method::Campaign && done >= FEWEST && self.options.budget().is_some();
            !(stop.load(Ordering::Relaxed) || late && may_stop)
        };
        match group.method {
            Method::Campaign => campaign.run(group.rounds, go_on),
            method => {
                let each = group.seconds / group.specs.len() as f64;
                campaign.run_by(method, Duration::from_secs_f64(each), go_on);
            }
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let (mut points, mut discarded, mut moved) = (Vec::new(), 0, 0);
        for point in &campaign.points {
            let (one, summary) = (&self.all[point.label.subject], campaign.summary(point));
            discarded += point.discarded as u64;
            moved += point.moved as u64;
            if summary.faults > 0 {
                let why =
                    format!("{} of {} bytes wrong {} times", point.label.op.name(), point.label.bytes, summary.faults);
                let scheme = point.label.scheme_name(one);
                failed.push(Failed { scheme, implementation: one.name.clone(), why });
                continue;
            }
            let samples: Vec<f64> = point.samples.iter().map(|sample| rounded(sample.amount)).collect();
            points.push(record(
                one,
                &point.label,
                group.method,
                &summary,
                samples,
                &self.limits,
                &lengths(&point.label),
            ));
        }
        points.retain(|point| {
            !failed.iter().any(|f| (&f.scheme, &f.implementation) == (&point.scheme, &point.implementation))
        });
        Some(Measured { points, failed, discarded, moved })
    }

    /// Checks all implementations of a group on known answers and at the group's lengths.
    fn verify(&self, group: &Group) -> Vec<Failed> {
        let mut lengths: Vec<usize> = group.specs.iter().map(|spec| spec.bytes as usize).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let mut members: Vec<usize> = group.specs.iter().map(|spec| spec.subject).collect();
        members.sort_unstable();
        members.dedup();
        let all: Vec<Implementation> = members.iter().map(|&i| self.all[i].clone()).collect();
        let soft =
            |one: &Implementation| one.tier.is_some_and(|tier| tier.starts_with("soft")) && self.subjects.len() > 1;
        // The software tier is measured up to a short length, and is not checked beyond it.
        let longest = |one: &Implementation| {
            let of = group.specs.iter().filter(|spec| self.all[spec.subject].name == one.name).map(|spec| spec.bytes);
            of.max().unwrap_or(0) as usize
        };
        let (slow, fast): (Vec<Implementation>, Vec<Implementation>) = all.into_iter().partition(soft);
        let mut failed = Vec::new();
        let reference = fast.first().cloned();
        for (set, reference) in [(fast, None), (slow, reference)] {
            let most = set.iter().map(longest).max().unwrap_or(0);
            let lengths: Vec<usize> = lengths.iter().copied().filter(|&bytes| bytes <= most).collect();
            let set: Vec<Implementation> = reference.into_iter().chain(set).collect();
            for (one, result) in set.iter().zip(verify(&set, &lengths)) {
                let Err(why) = result else { continue };
                let one = Failed { scheme: one.scheme_name(), implementation: one.name.clone(), why };
                if !failed.contains(&one) {
                    failed.push(one);
                }
            }
        }
        failed
    }
}

/// The lengths of the messages of a point that has several.
fn lengths(spec: &Spec, mixes: &[Mix], seed: u64) -> Vec<usize> {
    let of = |axis: Axis| mixes.iter().find(|mix| mix.0 == axis);
    let sample = |axis: Axis| of(axis).map_or(Vec::new(), |mix| mix.2.clone());
    match (spec.axis, spec.bytes, spec.batch) {
        (Axis::Mix | Axis::Traffic, ..) => sample(spec.axis),
        (Axis::Batch, 0, together) => of(Axis::Mix).map_or(Vec::new(), |mix| mix.1.quantiles(together, seed)),
        (Axis::Comb, 0, _) => sample(Axis::Mix),
        (Axis::Comb, bytes, lanes) => vec![bytes as usize; full_groups(lanes as usize)],
        (Axis::Batch, bytes, together) => vec![bytes as usize; together as usize],
        _ => Vec::new(),
    }
}

/// Messages of one length for the comb: as many as fill its lanes a few times.
fn full_groups(lanes: usize) -> usize {
    lanes * (workloads::TOGETHER / lanes).max(1)
}

/// The loops of `specs`: one, or all counts of keys at once, which share their keys.
///
/// # Errors
/// If batches give a wrong answer.
fn works(
    one: &Implementation,
    specs: &[Spec],
    method: Method,
    lengths: &[usize],
) -> Result<Vec<Box<dyn Work>>, String> {
    let spec = &specs[0];
    let bytes = spec.bytes as usize;
    Ok(match spec.axis {
        Axis::Keys => {
            let counts: Vec<usize> = specs.iter().map(|spec| spec.keys as usize).collect();
            one.keys(&counts, bytes)
        }
        Axis::Ad => vec![one.work_with_data(spec.op, bytes, spec.ad as usize)],
        Axis::Mix if spec.keys > 1 => vec![one.work_on_mix_under(spec.keys as usize, lengths)],
        Axis::Mix | Axis::Traffic => vec![one.work_on_mix(spec.op, lengths)],
        Axis::Batch | Axis::Comb => {
            let mode = spec.mode(one).ok_or("has no batches")?;
            let way = match (spec.axis, spec.batch) {
                (Axis::Batch, _) => Way::Comb(None),
                (_, 1) => Way::Single,
                (_, lanes) => Way::Comb(Some(lanes as usize)),
            };
            let doing = Doing { op: spec.op, way, keys: spec.keys as usize };
            vec![workloads::batch(mode, one.tier.unwrap_or_default(), doing, lengths)?]
        }
        Axis::Cold => {
            let (tier, alone) = (one.tier.unwrap_or_default(), spec.batch == 1);
            vec![workloads::cold(&one.scheme_name(), tier, bytes, spec.keys as usize, alone)?]
        }
        Axis::Column => {
            let (tier, count) = (one.tier.unwrap_or_default(), spec.batch as usize);
            vec![workloads::column(&one.scheme_name(), tier, spec.op, bytes, count, spec.keys as usize)?]
        }
        Axis::Length if spec.keys > 1 => vec![one.keys_in_turn(spec.keys as usize, bytes)],
        Axis::Length | Axis::Single => {
            let buffers = if method == Method::Campaign { Buffers::One } else { Buffers::Single };
            vec![one.work(spec.op, bytes, buffers)]
        }
    })
}

fn record(
    one: &Implementation,
    spec: &Spec,
    method: Method,
    summary: &Summary,
    samples: Vec<f64>,
    limits: &Limits,
    lengths: &[usize],
) -> Point {
    // What this machine allows is one number for a scheme, whatever registers its code has: another tier's
    // multiple of it would else be smaller for being slower.
    let unit = limits.aes(Width::W512);
    let limit = |bytes: usize| match spec.mode(one) {
        // In a batch, other messages fill the waits of a message's own chain: latency is no limit.
        Some(mode) if matches!(spec.axis, Axis::Batch | Axis::Comb) => mode.limit(bytes, unit.as_ref()?.enc),
        // The same holds of a column's values; but SIV has no nonces there, and many keys no Ktop to share.
        // What comes from memory waits for it.
        _ if matches!(spec.axis, Axis::Column | Axis::Cold) => None,
        _ => limit_cycles(one.scheme, spec.op, one.key_bits, bytes, spec.ad as usize, unit.as_ref()?),
    };
    let mixed = matches!(spec.axis, Axis::Mix | Axis::Traffic | Axis::Batch | Axis::Comb) && spec.bytes == 0;
    // Of a mode without padding only whole blocks are done.
    let done = |bytes: usize| spec.raw.map_or(bytes, |mode| mode.bytes(bytes)) as u64;
    let (bytes, messages, limit) = if mixed {
        let sum: Option<f64> = lengths.iter().map(|&bytes| limit(bytes)).sum();
        let messages = lengths.len() as u64;
        (lengths.iter().map(|&bytes| done(bytes)).sum(), Some(messages), sum.map(|sum| sum / messages as f64))
    } else {
        (spec.bytes, None, limit(spec.bytes as usize))
    };
    // The papers' methods leave no sample out.
    let all = method != Method::Campaign;
    let of = |clean: f64, q: f64| rounded(if all { stats::quantile(&samples, q) } else { clean });
    Point {
        scheme: spec.scheme_name(one),
        family: spec.family(one),
        implementation: one.name.clone(),
        tier: one.tier.map(String::from),
        peer: one.tier.is_none(),
        op: spec.op,
        axis: spec.axis,
        bytes,
        ad: spec.ad,
        keys: spec.keys,
        batch: spec.batch,
        method,
        median: of(summary.median, 0.5),
        minimum: of(summary.minimum, 0.0),
        p25: of(summary.p25, 0.25),
        p75: of(summary.p75, 0.75),
        limit: limit.map(rounded),
        messages,
        clean: summary.clean,
        unclean: summary.unclean,
        discarded: summary.discarded,
        samples,
    }
}

/// To five digits, and no finer than a hundredth: what no clock resolves only makes files longer.
fn rounded(amount: f64) -> f64 {
    let steps = match amount {
        ..1000.0 => 100.0,
        ..10_000.0 => 10.0,
        _ => 1.0,
    };
    (amount * steps).round() / steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Bench;
    use crate::subjects::{Op, Scheme, ours};
    use combseal::Cpu;

    /// What is timed at once is as short under many keys as under one; a batch that is opened is prepared before.
    #[test]
    fn loops_are_of_their_keys_and_operations() {
        let all = ours::implementations(&[Cpu::detect().name().to_string()]);
        let ccm = all.iter().find(|one| (one.scheme, one.key_bits) == (Scheme::of("ccm"), 128)).unwrap();
        let of = |op: Op, axis: Axis, bytes: u64, keys: u64, batch: u64| {
            let spec = Spec { subject: 0, op, axis, bytes, ad: 0, keys, batch, raw: None };
            let mut made = works(ccm, &[spec], Method::Campaign, &[16, 0, 100, 64, 33, 1, 7, 80]).unwrap();
            let mut work = made.remove(0);
            let mut bench = Bench::new(2048);
            for _ in 0..2 {
                work.prepare(&mut bench);
                work.run(&mut bench, work.burst().unwrap_or(1));
            }
            assert_eq!((made.len(), work.faults()), (0, 0), "{spec:?}");
            (work.burst(), work.together())
        };
        for keys in [1, 1000] {
            assert_eq!(of(Op::Seal, Axis::Comb, 0, keys, 4), (None, 8));
            assert_eq!(of(Op::Seal, Axis::Comb, 0, keys, 1), (None, 8));
            assert_eq!(of(Op::Seal, Axis::Mix, 0, keys, 1), (Some(8), 1));
            assert_eq!(of(Op::Seal, Axis::Length, 100, keys, 1), (None, 1));
        }
        // Opened as a whole, once after each sealing.
        assert_eq!(of(Op::Open, Axis::Comb, 0, 1, 4), (Some(1), 8));
        assert_eq!(of(Op::Open, Axis::Batch, 0, 1, 8), (Some(1), 8));
        assert_eq!(of(Op::Open, Axis::Mix, 0, 1, 1), (Some(8), 1));
    }
}
