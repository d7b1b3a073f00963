//! The records of a results file. A line of JSON is one record, tagged by `"kind"`, so that a file
//! can be written while measuring, cut off anywhere, joined with others by `cat`, and read by other
//! programs.
//!
//! A run is a [`Machine`], then what was measured on it, then an [`End`]; a file may hold
//! several. [`runs`] sorts records into [`Run`]s and joins the parts of a run that was resumed.

use crate::measure::{Method, stats};
use crate::study2007;
use crate::subjects::Op;
use crate::traffic::Traffic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A campaign's point needs so many clean samples to be believed.
pub const FEWEST_CLEAN: usize = 3;
/// Half the middle half of a point's samples may be this part of its median; a wider one is not believed.
pub const WIDEST: f64 = 0.2;
/// A noise above this part is drawn as a whisker: of ours from 1 KiB on that were below it in both of two
/// studies on a Zen 5, 98.6 in 100 agreed to 2 % (docs/measuring.md).
const WHISKER: f64 = 0.015;

/// One line of a results file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Record {
    /// Where and how what follows was measured.
    Machine(Machine),
    /// One thing measured, with every sample.
    Point(Point),
    /// How big a key's context is.
    Context(Context),
    /// A small piece of code that a paper timed by itself.
    Piece(Piece),
    /// The messages that points with the axis `mix` or `traffic` were measured on.
    Traffic(Traffic),
    /// An implementation that gave a wrong answer, and was therefore not timed.
    Failed(Failed),
    /// The end of a run, or of the part before an interruption.
    End(End),
}

/// The machine, the clock and the options of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: String,
    /// The operating system, as Rust names it.
    pub os: String,
    /// The architecture, as Rust names it.
    pub arch: String,
    /// The emulator, if it was one: then the amounts say nothing of the machine, and are not ranked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emulated: Option<String>,
    /// Our tiers that this machine has, the best first.
    pub tiers: Vec<String>,
    /// What the clock counts, and how steady it was.
    pub clock: ClockState,
    /// What the AES and carry-less multiplication units do, by width of register.
    pub limits: Vec<WidthLimits>,
    /// The fastest copy of 16 KiB within the L1 cache, bytes a cycle (a nanosecond for that unit).
    pub memcpy: Option<f64>,
    /// The compiler that made this program.
    pub compiler: String,
    /// Versions, ours and the peers'.
    pub versions: BTreeMap<String, String>,
    /// When the run began (RFC 3339, UTC).
    pub started: String,
    /// The options of the study, by name.
    pub options: BTreeMap<String, serde_json::Value>,
    /// The same for the parts of a run that was interrupted and resumed.
    pub campaign: String,
}

/// What all amounts of a run are counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Core cycles.
    #[default]
    Cycles,
    /// Nanoseconds, on a machine without a cycle counter.
    Nanoseconds,
}

/// The clock of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClockState {
    /// What amounts are counted in.
    pub unit: Unit,
    /// Ticks of the counter, 10^9 a second.
    pub ghz_counter: Option<f64>,
    /// Cycles of the core, 10^9 a second: the run's only estimate, from which all Gbit/s are made.
    pub ghz_core: Option<f64>,
    /// Cycles a tick: the median of all calibrations.
    pub ratio: Option<f64>,
    /// Cycles a tick at the slowest: one calibration in a hundred was slower.
    pub ratio_lowest: Option<f64>,
    /// Cycles a tick at the fastest: one calibration in a hundred was faster.
    pub ratio_highest: Option<f64>,
    /// `nop`s a cycle when nobody disturbs.
    pub canary: Option<f64>,
}

/// Instructions at one width of register: instructions a cycle, and cycles of latency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct WidthLimits {
    /// 128, 256 or 512.
    pub bits: usize,
    pub aesenc_per_cycle: Option<f64>,
    pub aesenc_latency: Option<f64>,
    pub aesdec_per_cycle: Option<f64>,
    pub aesdec_latency: Option<f64>,
    pub clmul_per_cycle: Option<f64>,
    pub clmul_latency: Option<f64>,
}

/// What varies in a series of points. Under several keys, messages have the next one in turn, but where it is said
/// that one is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// The message's length.
    Length,
    /// The associated data's length.
    Ad,
    /// The number of keys in use, one drawn at random for each message.
    Keys,
    /// The messages handed over together.
    Batch,
    /// The lanes of the comb (`batch`; 1 is one message after the other): messages of one length, or the
    /// realistic mix.
    Comb,
    /// Messages that no cache holds, under a few keys drawn at random: handed over together, or one
    /// at a time (a batch of 1).
    Cold,
    /// Values in one buffer, sealed or opened together: their length, and the keys.
    Column,
    /// The realistic mix of the comb paper (2014, Sect. 2).
    Mix,
    /// The user's traffic.
    Traffic,
    /// Nothing: key setup.
    Single,
}

/// One thing measured. Amounts are cycles a message (or nanoseconds: [`ClockState::unit`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The scheme with its key's length: `OCB3-AES-128`.
    pub scheme: String,
    /// The scheme without it: `ocb3`, `chacha20-poly1305`.
    pub family: String,
    /// Whose code: `combseal vaes512`, `ring 0.17.14`.
    pub implementation: String,
    /// Our tier; `None` for a peer.
    pub tier: Option<String>,
    /// Somebody else's code.
    pub peer: bool,
    /// What was done.
    pub op: Op,
    /// The series this point belongs to.
    pub axis: Axis,
    /// Bytes in the message; for `mix` and `traffic`, of all `messages` together.
    pub bytes: u64,
    /// Bytes of associated data.
    pub ad: u64,
    /// Keys in use.
    pub keys: u64,
    /// Messages handed over together.
    pub batch: u64,
    /// How it was timed.
    pub method: Method,
    /// The median of the clean samples; of all, if none was clean.
    pub median: f64,
    /// The smallest of the same.
    pub minimum: f64,
    /// A quarter of the same lie below.
    pub p25: f64,
    /// Three quarters of the same lie below.
    pub p75: f64,
    /// The fewest cycles this machine's AES unit allows for it at any width of registers, where known: the
    /// same whatever implementation it is.
    pub limit: Option<f64>,
    /// Messages that `bytes` counts, for `mix` and `traffic`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<u64>,
    /// Undisturbed samples.
    pub clean: usize,
    /// Samples kept although disturbed.
    pub unclean: usize,
    /// Samples thrown away and repeated.
    pub discarded: usize,
    /// Every sample that was kept, in the order taken.
    pub samples: Vec<f64>,
}

impl Point {
    /// Bytes a message: the mean, where messages differ.
    pub fn message_bytes(&self) -> f64 {
        self.bytes as f64 / self.messages.unwrap_or(1).max(1) as f64
    }

    /// The median in cycles (or nanoseconds) a byte. `None` for empty messages and key setup.
    pub fn per_byte(&self) -> Option<f64> {
        (self.bytes > 0 && self.op != Op::Setup).then(|| self.median / self.message_bytes())
    }

    /// The median as a multiple of the limit.
    pub fn times_limit(&self) -> Option<f64> {
        self.limit.filter(|&limit| limit > 0.0).map(|limit| self.median / limit)
    }

    /// Half the width of the middle half of the samples, as a part of the median. Of a doubtful
    /// point all samples count: the few clean ones say nothing of a spread.
    pub fn noise(&self) -> f64 {
        let all = |q| stats::quantile(&self.samples, q);
        let (p25, p75) =
            if self.is_doubtful() && self.samples.len() > 1 { (all(0.25), all(0.75)) } else { (self.p25, self.p75) };
        if self.median > 0.0 { (p75 - p25) / 2.0 / self.median } else { 0.0 }
    }

    /// Does the page mark it: is it doubtful, or has it a whisker?
    pub fn is_marked(&self) -> bool {
        self.is_doubtful() || self.noise() > WHISKER
    }

    /// Were fewer than half of the samples clean, or too few for a median and a spread, or are they too far
    /// apart for their median to mean anything?
    pub fn is_doubtful(&self) -> bool {
        let too_few = self.method == Method::Campaign && self.clean < FEWEST_CLEAN;
        let too_wide = (self.p75 - self.p25) / 2.0 > WIDEST * self.median;
        self.clean <= self.unclean || too_few || too_wide
    }
}

/// How big a key's context is in memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Context {
    /// The scheme with its key's length.
    pub scheme: String,
    /// Whose code.
    pub implementation: String,
    /// Bytes, without what it may own elsewhere.
    pub bytes: u64,
}

/// A small piece of code that a paper timed by itself: a step of an LFSR, a product, a doubling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// What it is one of: `lfsr`, `gf128`, `doubling`.
    pub set: String,
    /// Its name there.
    pub name: String,
    /// The way it was timed; empty where there is one way.
    pub way: String,
    /// Cycles (or nanoseconds) for one: the median.
    pub median: f64,
    /// A quarter of the readings lie below.
    pub p25: f64,
    /// Three quarters lie below.
    pub p75: f64,
    /// Undisturbed readings; 0 if all were disturbed, and all of them count then.
    pub clean: usize,
}

/// An implementation that was wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    /// The scheme with its key's length.
    pub scheme: String,
    /// Whose code.
    pub implementation: String,
    /// What was wrong.
    pub why: String,
}

/// How a run, or a part of it, ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// How long it took.
    pub seconds: f64,
    /// Stopped by the user.
    pub interrupted: bool,
    /// Samples thrown away and repeated, in all.
    pub discarded: u64,
    /// Of the samples, how many were taken while the calibration moved or another process had the core.
    pub moved: u64,
    /// What was wanted and not measured, and why.
    pub left_out: Vec<String>,
}

/// Everything of one run.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The machine, by the latest part's record.
    pub machine: Machine,
    /// The points, in the file's order.
    pub points: Vec<Point>,
    /// The contexts.
    pub contexts: Vec<Context>,
    /// The pieces of code that a paper timed by themselves.
    pub pieces: Vec<Piece>,
    /// The traffic.
    pub traffic: Vec<Traffic>,
    /// The failures.
    pub failed: Vec<Failed>,
    /// An end for each part; fewer than there are parts if one was killed.
    pub ends: Vec<End>,
    /// What the programme of 2007 measured on the same machine, whose results are a file of their own.
    pub programme: Option<study2007::Run>,
}

/// The runs among records of one or several files, in the order in which they begin. What
/// stands before any [`Machine`] belongs to a run of a machine without a name. Of files in which each
/// tier has a limit of its own, the lowest stands for all: see [`Point::limit`].
pub fn runs(records: impl IntoIterator<Item = Record>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut at = None;
    for record in records {
        if let Record::Machine(machine) = record {
            let same = |run: &Run| !machine.campaign.is_empty() && run.machine.campaign == machine.campaign;
            let place = runs.iter().position(same).unwrap_or(runs.len());
            if place == runs.len() {
                runs.push(Run::default());
            }
            runs[place].machine = machine;
            at = Some(place);
            continue;
        }
        let place = *at.get_or_insert_with(|| {
            runs.push(Run::default());
            runs.len() - 1
        });
        let run = &mut runs[place];
        match record {
            Record::Machine(_) => {}
            Record::Point(point) => run.points.push(point),
            Record::Context(context) if !run.contexts.contains(&context) => run.contexts.push(context),
            Record::Piece(piece) => run.pieces.push(piece),
            Record::Traffic(traffic) if !run.traffic.contains(&traffic) => run.traffic.push(traffic),
            Record::Failed(failed) if !run.failed.contains(&failed) => run.failed.push(failed),
            Record::End(end) => run.ends.push(end),
            _ => {}
        }
    }
    runs.iter_mut().for_each(one_limit);
    runs
}

/// Gives all points that differ in nothing but the implementation and the method the lowest of their limits.
fn one_limit(run: &mut Run) {
    type Same = (String, Op, Axis, [u64; 4]);
    let of = |p: &Point| -> Same { (p.scheme.clone(), p.op, p.axis, [p.bytes, p.ad, p.keys, p.batch]) };
    let mut lowest: BTreeMap<Same, f64> = BTreeMap::new();
    for (same, limit) in run.points.iter().filter_map(|p| Some((of(p), p.limit?))) {
        lowest.entry(same).and_modify(|low| *low = low.min(limit)).or_insert(limit);
    }
    for p in run.points.iter_mut().filter(|p| p.limit.is_some()) {
        p.limit = lowest.get(&of(p)).copied();
    }
}
