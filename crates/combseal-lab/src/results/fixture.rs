//! A made-up run for tests, with something of everything in it. Its cycles rise and fall as those of
//! real runs do.

use super::record::{Axis, ClockState, Context, End, Failed, Machine, Point, Record, Run, WidthLimits};
use crate::measure::{Method, Random};
use crate::subjects::Op;
use crate::traffic::Traffic;

/// A scheme: name, family, cycles a message, cycles a byte at best.
const SCHEMES: [(&str, &str, f64, f64); 9] = [
    ("OCB3-AES-128", "ocb3", 45.0, 0.17),
    ("OCB3-AES-256", "ocb3", 55.0, 0.24),
    ("AES-128-GCM", "gcm", 80.0, 0.26),
    ("AES-128-CCM", "ccm", 100.0, 2.5),
    ("AES-128-GCM-SIV", "gcm-siv", 330.0, 0.31),
    ("AES-128-SIV", "siv", 250.0, 2.6),
    ("AEGIS-128L", "aegis-128l", 80.0, 0.22),
    ("ChaCha20-Poly1305", "chacha20-poly1305", 320.0, 0.7),
    ("AES-128-CTR", "ctr", 25.0, 0.16),
];
/// An implementation: name, tier, how many times slower a byte is.
const IMPLEMENTATIONS: [(&str, Option<&str>, f64); 6] = [
    ("combseal vaes512", Some("vaes512"), 1.0),
    ("combseal vaes256", Some("vaes256"), 1.15),
    ("combseal aesni", Some("aesni"), 1.9),
    ("combseal soft", Some("soft"), 45.0),
    ("RustCrypto", None, 4.5),
    ("ring 0.17.14", None, 2.0),
];
const LENGTHS: [u64; 16] = [1, 8, 16, 44, 64, 128, 256, 552, 576, 1024, 1500, 2048, 4096, 8192, 16384, 65536];

/// The records of a run.
pub fn records() -> Vec<Record> {
    let mut random = Random::new(1);
    let width = |bits: usize| WidthLimits {
        bits,
        aesenc_per_cycle: Some(if bits == 512 { 1.0 } else { 2.0 }),
        aesenc_latency: Some(4.0),
        aesdec_per_cycle: Some(if bits == 512 { 1.0 } else { 2.0 }),
        aesdec_latency: Some(4.0),
        clmul_per_cycle: Some(0.5),
        clmul_latency: Some(4.0),
    };
    let mut records = vec![
        Record::Machine(Machine {
            cpu: "A processor that does not exist <b>&amp;".into(),
            os: "linux".into(),
            arch: "x86_64".into(),
            tiers: ["vaes512", "vaes256", "aesni512", "aesni", "soft"].map(String::from).to_vec(),
            clock: ClockState {
                ghz_counter: Some(2.6),
                ghz_core: Some(3.7),
                ratio: Some(1.42),
                ratio_lowest: Some(1.3),
                ratio_highest: Some(1.44),
                canary: Some(5.9),
                ..ClockState::default()
            },
            limits: [128, 256, 512].map(width).to_vec(),
            memcpy: Some(48.0),
            compiler: "rustc 1.95.0".into(),
            versions: [("combseal".to_string(), "0.1.0".to_string()), ("ring".into(), "0.17.14".into())].into(),
            started: "2026-11-21T11:00:00Z".into(),
            campaign: "fixture".into(),
            ..Machine::default()
        }),
        Record::Traffic(Traffic {
            name: "the realistic mix".into(),
            source: "realistic mix".into(),
            payload: "given".into(),
            messages: 1000,
            bytes: 788_000,
            lengths: vec![(44, 400), (576, 100), (1500, 500)],
        }),
        Record::Failed(Failed {
            scheme: "AES-128-CCM".into(),
            implementation: "a peer 1.0".into(),
            why: "a wrong tag for 17 bytes".into(),
        }),
    ];
    for &(scheme, family, fixed, each) in &SCHEMES {
        for &(implementation, tier, slower) in &IMPLEMENTATIONS {
            if implementation.starts_with("ring") && !matches!(family, "gcm" | "chacha20-poly1305") {
                continue;
            }
            let mut point = |op, axis, bytes: u64, [ad, keys, batch]: [u64; 3]| {
                let serial = if family == "ccm" && batch > 1 { (1.0 / batch as f64).max(0.3) } else { 1.0 };
                let cache = if keys > 64 { 40.0 * (keys as f64 / 64.0).log2() } else { 0.0 };
                let times = if op == Op::Setup { 0.0 } else { (bytes + ad) as f64 * each * slower * serial };
                let median = fixed * slower.sqrt() + times + cache + if op == Op::Reject { 20.0 } else { 0.0 };
                let samples: Vec<f64> = (0..9)
                    .map(|_| (median * (0.99 + random.below(40) as f64 / 1000.0) * 10.0).round() / 10.0)
                    .collect();
                Record::Point(Point {
                    scheme: scheme.into(),
                    family: family.into(),
                    implementation: implementation.into(),
                    tier: tier.map(String::from),
                    peer: tier.is_none(),
                    op,
                    axis,
                    bytes,
                    ad,
                    keys,
                    batch,
                    method: Method::Campaign,
                    median,
                    minimum: median * 0.98,
                    p25: median * 0.99,
                    p75: median * if implementation == "RustCrypto" { 1.15 } else { 1.01 },
                    limit: (op != Op::Setup && family != "chacha20-poly1305").then_some(times / slower * 0.9 + 5.0),
                    messages: None,
                    clean: 8,
                    unclean: 1,
                    discarded: 4,
                    samples,
                })
            };
            for bytes in LENGTHS {
                for op in [Op::Seal, Op::Open, Op::Reject] {
                    records.push(point(op, Axis::Length, bytes, [0, 1, 1]));
                }
            }
            records.push(point(Op::Setup, Axis::Single, 0, [0, 1, 1]));
            for power in 0..14 {
                records.push(point(Op::Seal, Axis::Keys, 576, [0, 1 << power, 1]));
            }
            for ad in [0, 16, 64, 256, 1024] {
                records.push(point(Op::Seal, Axis::Ad, 576, [ad, 1, 1]));
            }
            for batch in [1, 2, 4, 7, 8, 16] {
                for bytes in [64, 256, 576, 1500] {
                    records.push(point(Op::Seal, Axis::Batch, bytes, [0, 1, batch]));
                }
            }
            let sealed = [1, 8, 16, 32, 64, 128, 512].map(|batch| (Op::Seal, batch));
            let opened = [8, 64, 512].map(|batch| (Op::Open, batch));
            for (op, batch) in sealed.into_iter().chain(opened) {
                let mut mixed = point(op, Axis::Batch, 788, [0, 1, batch]);
                if let Record::Point(p) = &mut mixed {
                    (p.messages, p.bytes) = (Some(512), 512 * 788);
                }
                records.push(mixed);
            }
            for (op, bytes, keys) in [(Op::Seal, 16, 1), (Op::Seal, 16, 1000), (Op::Open, 16, 1), (Op::Seal, 64, 1)] {
                if implementation.starts_with("combseal") {
                    records.push(point(op, Axis::Column, bytes, [0, keys, 1024]));
                }
            }
            for op in [Op::Seal, Op::Open] {
                let mut mix = point(op, Axis::Mix, 788, [0, 1, 1]);
                if let Record::Point(p) = &mut mix {
                    (p.messages, p.bytes) = (Some(1000), 788_000);
                }
                records.push(mix);
            }
            let (scheme, implementation) = (scheme.into(), implementation.into());
            records.push(Record::Context(Context { scheme, implementation, bytes: 576 }));
        }
    }
    records.push(Record::End(End {
        seconds: 118.0,
        interrupted: false,
        discarded: 1234,
        moved: 56,
        left_out: vec!["libsodium: not installed".into()],
    }));
    records
}

/// The run itself.
pub fn run() -> Run {
    super::record::runs(records()).remove(0)
}
