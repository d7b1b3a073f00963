//! What the section on Bogdanov, Lauridsen and Tischhauser 2014 needs: every mode of its tables one message at
//! a time, at the lengths of Table 5 and on the realistic mix, and those that it combs on 2 to 16 lanes, at
//! the lengths of Fig. 2 and 3 and on the mix; the same under many keys, on fewer numbers of lanes; and the
//! mix opened again, where something is sealed. The modes that are no schemes of the laboratory (CBC and its
//! like) go with counter mode's subject, which has their tier; CBC, of which Table 2 is, on every tier.

use super::programme::Programme;
use crate::results::Axis;
use crate::study::plan::spec::{Spec, Standing, Subject};
use crate::subjects::Op;
use crate::subjects::batches::Mode;

pub(super) const PROGRAMME: Programme = Programme {
    year: 2014,
    schemes: &[
        "AES-128-CTR",
        "AES-128-CCM",
        "AES-128-GCM",
        "OCB3-AES-128",
        "OTR-P-v1-AES-128",
        "CLOC-v1-AES-128",
        "JAMBU-AES-128",
        "SILC-v1-AES-128",
        "McOE-G-AES-128",
        "COPA-v1-AES-128",
        "POET-v1-AES-128",
        "Julius-ECB-AES-128",
    ],
    seconds: 90.0,
    points,
    pieces: &["doubling", "gf128"],
};

/// The scheme whose implementations stand for a tier.
const TIER: &str = "AES-128-CTR";
/// The lengths of Fig. 2 and 3; those of Tables 5 and 6 are among them.
const LENGTHS: [u64; 7] = [32, 64, 128, 256, 512, 1024, 2048];
/// The most lanes of Fig. 2 and 3.
const MOST: u64 = 16;
/// Keys where there are many, each message's own: as many as the laboratory's columns have.
const KEYS: u64 = 1000;
/// Lanes of messages of one length under many keys: the paper's seven, and the even ones. Which of all are the
/// fastest is told by the mix.
const UNDER_KEYS: [u64; 9] = [2, 4, 6, 7, 8, 10, 12, 14, 16];
/// Lanes on which the mix is opened: those that were the fastest to seal it on some tier, and a few below.
const OPENED: [u64; 6] = [4, 7, 8, 12, 15, 16];
/// Lanes and lengths of a quick study.
const FEW: ([u64; 5], [u64; 2]) = ([2, 4, 7, 8, 16], [128, 2048]);

fn points(subject: &Subject, quick: bool) -> Vec<Spec> {
    let lanes: Vec<u64> = if quick { FEW.0.to_vec() } else { (2..=MOST).collect() };
    let lengths: Vec<u64> = if quick { FEW.1.to_vec() } else { LENGTHS.to_vec() };
    let name = subject.scheme.name(subject.key_bits);
    let (best, tier) =
        (subject.standing == Standing::Best, matches!(subject.standing, Standing::Best | Standing::Tier));
    let among = |some: &[u64]| -> Vec<u64> { some.iter().copied().filter(|n| lanes.contains(n)).collect() };
    if name == TIER {
        let modes = Mode::PAPER.into_iter().filter(|mode| mode.is_raw() && (best || tier && *mode == Mode::Cbc));
        let under_keys = modes.clone().filter(|_| best).flat_map(|mode| raw(mode, &lanes, KEYS));
        return modes.flat_map(|mode| raw(mode, &lanes, 1)).chain(under_keys).collect();
    }
    if !best {
        return Vec::new();
    }
    let is_serial = Mode::of_scheme(&name).is_some_and(Mode::is_serial);
    let mut points: Vec<Spec> = lengths.iter().map(|&bytes| Spec::of(Op::Seal, Axis::Length, bytes)).collect();
    points.extend([Op::Seal, Op::Open].map(|op| Spec::of(op, Axis::Mix, 0)));
    points.extend(lengths.iter().map(|&bytes| Spec { keys: KEYS, ..Spec::of(Op::Seal, Axis::Length, bytes) }));
    points.push(Spec { keys: KEYS, ..Spec::of(Op::Seal, Axis::Mix, 0) });
    if is_serial {
        points.extend(lengths.iter().chain(&[0]).flat_map(|&bytes| on_lanes(bytes, &lanes, 1)));
        points.extend(lengths.iter().flat_map(|&bytes| on_lanes(bytes, &among(&UNDER_KEYS), KEYS)));
        points.extend(on_lanes(0, &lanes, KEYS));
        points.extend(on_lanes(0, &among(&OPENED), 1).into_iter().map(|spec| Spec { op: Op::Open, ..spec }));
    }
    points
}

/// Messages of a length, or of the mix for 0, on each number of lanes, under so many keys.
fn on_lanes(bytes: u64, lanes: &[u64], keys: u64) -> Vec<Spec> {
    lanes.iter().map(|&lanes| Spec { batch: lanes, keys, ..Spec::of(Op::Seal, Axis::Comb, bytes) }).collect()
}

/// A mode that is no scheme, under so many keys: on the mix, and CBC under one at the length of Table 2, too.
fn raw(mode: Mode, lanes: &[u64], keys: u64) -> Vec<Spec> {
    let lanes: Vec<u64> = [1].into_iter().chain(lanes.iter().copied().filter(|_| mode.is_serial())).collect();
    let lengths: &[u64] = if mode == Mode::Cbc && keys == 1 { &[0, 2048] } else { &[0] };
    let all = lengths.iter().flat_map(|&bytes| on_lanes(bytes, &lanes, keys));
    all.map(|spec| Spec { raw: Some(mode), ..spec }).collect()
}
