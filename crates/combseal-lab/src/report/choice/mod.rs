//! What the page's answer is computed from, in the browser: of every implementation the facts that
//! decide a choice, and what it costs by length, operation, number of keys and messages together.
//! Nothing is put together here; the page draws straight lines between lengths and none between
//! these.

mod curve;
mod facts;

use super::palette::{self, Colour};
use crate::answers::rank;
use crate::measure::{Method, stats};
use crate::results::{Axis, Point, Run, Unit};
use crate::subjects::Op;
use curve::{Curve, Grids};
use facts::Facts;
use serde::Serialize;

/// What the page computes its answer from.
#[derive(Debug, Serialize)]
pub struct Choice {
    /// What costs are counted in: `cycles` or `ns`.
    unit: &'static str,
    /// Of these, how many there are in a nanosecond; `None` if the core's frequency is not known.
    ghz: Option<f64>,
    /// The kinds of traffic that were measured.
    mixes: Vec<Mix>,
    /// The four lengths of the Internet Performance Index, each with its part of all messages.
    ipi: Vec<(usize, f64)>,
    /// Lengths in bytes. A curve names its own by a place in this list.
    grids: Vec<Vec<u64>>,
    candidates: Vec<Candidate>,
    /// Schemes that were measured and are no choice: the archive's, and counter mode.
    aside: Vec<String>,
}

/// Traffic: what its messages are.
#[derive(Debug, Serialize)]
struct Mix {
    id: &'static str,
    name: String,
    about: String,
    /// Bytes in a message, the mean.
    bytes: f64,
}

/// One implementation of one scheme.
#[derive(Debug, Serialize)]
struct Candidate {
    scheme: String,
    /// The scheme without the size of its key: schemes with one such name stand together.
    pair: String,
    bits: u32,
    implementation: String,
    /// Whose library, without a version or a tier.
    library: String,
    ours: bool,
    colour: Colour,
    facts: Facts,
    curves: Vec<Curve>,
    mixes: Vec<Mixed>,
}

/// What a candidate costs on traffic, for each message.
#[derive(Debug, Serialize)]
struct Mixed {
    mix: &'static str,
    op: &'static str,
    batch: u64,
    cost: f64,
    noise: f64,
    limit: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    doubtful: bool,
}

/// The data for a run's answer.
pub fn of(run: &Run) -> Choice {
    let mut grids = Grids::default();
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut aside: Vec<String> = Vec::new();
    let mut points: Vec<(Candidate, Vec<&Point>)> = Vec::new();
    // By one method: single timings have the timer's cost in them, and many lengths that no other has.
    let campaign = run.points.iter().any(|p| p.method == Method::Campaign);
    // Times of an emulator say nothing of a machine: they are shown, and are no choice.
    let real = run.machine.emulated.is_none();
    let by_method = |p: &Point| real && (!campaign || p.method == Method::Campaign);
    for p in rank::preferred(run.points.iter().filter(|p| is_part(p) && by_method(p))) {
        let known = crate::answers::facts::of(&p.scheme);
        if known.baseline || known.archived {
            if !aside.contains(&p.scheme) {
                aside.push(p.scheme.clone());
            }
            continue;
        }
        let same =
            |one: &(Candidate, Vec<&Point>)| one.0.scheme == p.scheme && one.0.implementation == p.implementation;
        match points.iter().position(same) {
            Some(at) => points[at].1.push(p),
            None => points.push((candidate(p), vec![p])),
        }
    }
    for (mut candidate, of) in points {
        candidate.curves = curve::gather(&of, &mut grids);
        candidate.mixes = of.iter().filter_map(|p| mixed(p)).collect();
        if !candidate.curves.is_empty() || !candidate.mixes.is_empty() {
            candidates.push(candidate);
        }
    }
    Choice {
        unit: match run.machine.clock.unit {
            Unit::Cycles => "cycles",
            Unit::Nanoseconds => "ns",
        },
        // At eight cycles a byte a bit takes one.
        ghz: rank::gbits(run, 8.0),
        mixes: mixes(run),
        ipi: stats::IPI.to_vec(),
        grids: grids.lengths(),
        candidates,
        aside,
    }
}

/// Sealing and opening whole messages: no associated data but in columns, which have no other kind.
/// A batch of one, and one of many keys, are single messages in another harness: those by length
/// stand for them.
fn is_part(p: &Point) -> bool {
    let op = matches!(p.op, Op::Seal | Op::Open) && p.bytes > 0;
    op && match p.axis {
        Axis::Length => p.ad == 0 && p.keys <= 1 && p.batch <= 1,
        Axis::Mix | Axis::Traffic => p.keys <= 1,
        Axis::Keys => p.keys > 1,
        Axis::Batch => p.batch > 1,
        Axis::Column => true,
        Axis::Ad | Axis::Single | Axis::Cold | Axis::Comb => false,
    }
}

fn candidate(p: &Point) -> Candidate {
    let first = p.implementation.split(' ').next().unwrap_or_default();
    Candidate {
        scheme: p.scheme.clone(),
        pair: pair(&p.scheme),
        bits: crate::answers::facts::key_bits(&p.scheme),
        implementation: p.implementation.clone(),
        library: first.into(),
        ours: !p.peer,
        colour: palette::implementation(p.tier.as_deref(), &p.implementation),
        facts: facts::of(p, first),
        curves: Vec::new(),
        mixes: Vec::new(),
    }
}

/// `AES-GCM` for `AES-128-GCM`, `OCB3` for `OCB3-AES-256`, `AEGIS X2` for `AEGIS-128X2`.
fn pair(scheme: &str) -> String {
    let sizes = ["128", "192", "256"];
    let mut parts: Vec<String> = Vec::new();
    for part in scheme.split('-') {
        match sizes.iter().find_map(|size| part.strip_prefix(size)) {
            Some("") => {}
            Some(rest) => parts.push(rest.into()),
            None => parts.push(part.into()),
        }
    }
    match parts.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["OCB3", "AES"] => "OCB3".into(),
        _ => parts.join("-"),
    }
}

fn mixed(p: &Point) -> Option<Mixed> {
    let mix = match p.axis {
        Axis::Mix => "mix",
        Axis::Traffic => "traffic",
        Axis::Batch if p.messages.is_some() => "mix",
        _ => return None,
    };
    Some(Mixed {
        mix,
        op: p.op.name(),
        batch: p.batch.max(1),
        cost: curve::digits(p.median),
        noise: curve::digits(p.noise()),
        limit: p.limit.map(curve::digits),
        doubtful: p.is_doubtful(),
    })
}

/// The traffic that points were measured on, with the page's own words for the realistic mix.
fn mixes(run: &Run) -> Vec<Mix> {
    let of = |axis: Axis| run.points.iter().find(|p| p.axis == axis && p.bytes > 0).map(Point::message_bytes);
    let traffic = |mix: bool| run.traffic.iter().find(|t| (t.source == "realistic mix") == mix);
    let mut mixes = Vec::new();
    if let Some(bytes) = of(Axis::Mix) {
        let about = format!("The realistic mix of Bogdanov, Lauridsen and Tischhauser (2014): {}.", rank::MIX);
        mixes.push(Mix { id: "mix", name: "Internet mix".into(), about, bytes });
    }
    if let Some(bytes) = of(Axis::Traffic) {
        let name = traffic(false).map_or("your capture".into(), |t| t.name.clone());
        let about = traffic(false).map_or("Your traffic.".into(), |t| format!("{}: {}.", t.name, rank::about(t)));
        mixes.push(Mix { id: "traffic", name, about, bytes });
    }
    mixes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;

    #[test]
    fn pairs() {
        let pairs = [
            ("AES-128-GCM", "AES-GCM"),
            ("AES-256-GCM-SIV", "AES-GCM-SIV"),
            ("OCB3-AES-192", "OCB3"),
            ("AEGIS-256", "AEGIS"),
            ("AEGIS-128X2", "AEGIS-X2"),
            ("AEGIS-128L", "AEGIS-L"),
            ("ChaCha20-Poly1305", "ChaCha20-Poly1305"),
        ];
        for (scheme, of) in pairs {
            assert_eq!(pair(scheme), of);
        }
    }

    /// Every scheme that is a choice is there, ours and others', and those that are none are named.
    #[test]
    fn nothing_is_left_out_silently() {
        let run = fixture::run();
        let choice = of(&run);
        for p in &run.points {
            let there = choice.candidates.iter().any(|c| c.scheme == p.scheme && c.implementation == p.implementation);
            assert!(there || choice.aside.contains(&p.scheme), "{} {}", p.scheme, p.implementation);
        }
        assert_eq!(choice.aside, ["AES-128-CTR"]);
        assert!(choice.candidates.iter().any(|c| c.library == "ring" && !c.ours));
    }

    /// What was not measured has no curve: opening of batches, here.
    #[test]
    fn modes_are_kept_apart() {
        let choice = of(&fixture::run());
        let ocb = &choice.candidates[0];
        let kinds: Vec<_> = ocb.curves.iter().map(|c| (c.op, c.keys, c.batch)).collect();
        assert!(kinds.contains(&("seal", 1, 1)) && kinds.contains(&("open", 1, 1)), "{kinds:?}");
        assert!(kinds.contains(&("seal", 8192, 1)) && kinds.contains(&("seal", 1, 16)), "{kinds:?}");
        assert!(!kinds.contains(&("open", 1, 16)) && !kinds.contains(&("open", 8192, 1)), "{kinds:?}");
        let single = &ocb.curves[0];
        assert_eq!(choice.grids[single.grid].len(), single.cost.len());
        assert_eq!(choice.mixes[0].id, "mix");
        let mut ops: Vec<_> = ocb.mixes.iter().map(|m| (m.op, m.batch)).collect();
        ops.sort_unstable();
        let opened = [1, 8, 64, 512].map(|batch| ("open", batch));
        let sealed = [1, 8, 16, 32, 64, 128, 512].map(|batch| ("seal", batch));
        assert_eq!(ops, [&opened[..], &sealed].concat());
    }

    /// The mix under many keys is no answer to what it costs under one.
    #[test]
    fn a_mix_is_of_one_key() {
        let mut run = fixture::run();
        let mix = run.points.iter().find(|p| p.axis == Axis::Mix && p.op == Op::Seal).unwrap().clone();
        run.points.insert(0, Point { keys: 1000, ..mix });
        let before = serde_json::to_string(&of(&fixture::run())).unwrap();
        assert_eq!(serde_json::to_string(&of(&run)).unwrap(), before);
    }

    #[test]
    fn one_method() {
        let mut run = fixture::run();
        let single = Point { method: Method::Single15, bytes: 7, median: 1.0, ..run.points[0].clone() };
        run.points.push(single);
        assert!(of(&run).grids.iter().all(|grid| !grid.contains(&7)));
        run.points.retain(|p| p.method == Method::Single15);
        assert_eq!(of(&run).grids, [[7]]);
    }

    #[test]
    fn nothing_emulated_is_a_choice() {
        let mut run = fixture::run();
        run.machine.emulated = Some("qemu-aarch64".into());
        assert!(of(&run).candidates.is_empty());
    }

    #[test]
    fn an_empty_run() {
        let choice = of(&Run::default());
        assert!(choice.candidates.is_empty() && choice.mixes.is_empty() && choice.ghz.is_none());
    }
}
