//! A rough estimate of how long a point takes. It has to be good enough to divide two minutes among
//! all points, and to tell the user how long a study will take.

use super::spec::{Spec, Standing, Subject};
use crate::measure::Method;
use crate::results::Axis;
use crate::subjects::Op;
use crate::subjects::workloads::TOGETHER;

/// Seconds that one sample takes beside its work: two calibrations, two canaries.
const AROUND: f64 = 20e-6;
/// Seconds that the messages in a sample take together, if one is not longer.
const SAMPLE: f64 = 18e-6;
/// Samples taken for one that is kept, on a machine shared with others.
const TRIES: f64 = 1.5;
/// Cycles in a second.
const GHZ: f64 = 3e9;

/// Seconds for one point of so many rounds. `mix` is the mean length of the traffic.
pub fn seconds(spec: &Spec, subjects: &[Subject], mix: f64, method: Method, rounds: usize) -> f64 {
    let subject = &subjects[spec.subject];
    let bytes = if spec.bytes == 0 { mix } else { (spec.bytes + spec.ad) as f64 };
    let one = match spec.op {
        Op::Setup => 1000.0,
        _ => 200.0 + bytes * per_byte(subject),
    } / GHZ;
    // An opened message was sealed first.
    let one = if spec.op == Op::Open { 2.0 * one } else { one };
    let messages = match spec.axis {
        Axis::Mix | Axis::Traffic => 512.0,
        Axis::Comb if spec.bytes == 0 => 512.0,
        Axis::Comb => TOGETHER as f64,
        // As many one at a time.
        Axis::Cold => TOGETHER as f64,
        _ => spec.batch as f64,
    };
    // Each of many keys has its turn before a sample.
    let turns = match spec.axis {
        Axis::Length | Axis::Mix | Axis::Comb if spec.keys > 1 => one * messages.max(spec.keys as f64),
        _ => 0.0,
    };
    match method {
        Method::Campaign => {
            let sample = (one * messages).max(SAMPLE);
            // A tenth of a sample goes before it untimed, but at least one message; and what
            // outlasts ten samples is taken less often, and repeated less often.
            let cost = sample / SAMPLE;
            let warm = (sample / 10.0).max(one * messages);
            let every = (cost / 10.0).clamp(1.0, (rounds as f64 / 5.0).max(1.0));
            let tries = if cost > 10.0 { 1.2 } else { TRIES };
            // Finding the size takes about five samples.
            (rounds as f64 / every + 5.0) * (tries * (AROUND + sample + warm) + turns)
        }
        Method::Kr65 => 16.0 * (66.0 * one + 2.0 * AROUND) + 65.0 * one,
        Method::Median91 => 91.0 * (200.0f64.max(messages) * (one + 50e-9) + AROUND),
        Method::Single15 => 15.0 * (one * messages + AROUND),
        // Each point gets the time that is left for it, so it has no cost of its own.
        Method::ProcessTime => 0.0,
    }
}

/// Cycles a byte, from what such code has been seen to take.
fn per_byte(subject: &Subject) -> f64 {
    let family = subject.scheme.short();
    let (aegis, chacha) = (family.starts_with("aegis"), family.contains("chacha20"));
    let soft = subject.name.ends_with(" soft");
    match subject.standing {
        _ if soft && (aegis || chacha) => 8.0,
        _ if soft => 25.0,
        Standing::Peer => 2.0,
        _ => 1.0,
    }
}
