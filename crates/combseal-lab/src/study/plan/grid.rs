//! Which points there are to be measured, whatever time they take.

use super::papers;
use super::spec::{Spec, Standing, Subject};
use crate::measure::Method;
use crate::results::Axis;
use crate::study::options::{Options, Scope};
use crate::subjects::Op;
use crate::subjects::batches::Mode;
use crate::subjects::workloads::TOGETHER;
use crate::traffic::Traffic;
use combseal::Algorithm;

/// Lengths for the tiers with AES instructions and for the peers: many short ones, among them
/// those just below and above whole blocks; all lengths of the IPI; then longer ones, until
/// messages no longer fit the caches.
const CLOSE: [u64; 46] = [
    1, 8, 16, 17, 24, 31, 32, 33, 40, 44, 48, 64, 65, 80, 96, 112, 128, 129, 160, 192, 224, 256, 320, 384, 448, 512,
    552, 576, 640, 768, 896, 1023, 1024, 1025, 1280, 1500, 1536, 2048, 3072, 4096, 8192, 16384, 32768, 65536, 262_144,
    1_048_576,
];
/// Lengths for the software tier, for longer keys on the other tiers, and for a quick study.
const FEW: [u64; 10] = [16, 44, 64, 256, 552, 576, 1024, 1500, 4096, 16384];
/// The lengths of a full study that follow the 2021 paper's 1 to 2048.
const LONG: [u64; 10] = [3072, 4096, 6144, 8192, 16384, 32768, 65536, 131_072, 262_144, 1_048_576];
/// Lengths of refused messages, and of OCB3 with a new Ktop for each.
const SOME: [u64; 6] = [16, 64, 576, 1500, 4096, 16384];
/// Lengths of associated data, sent with a message of [`AD_MESSAGE`] bytes.
const AD: [u64; 7] = [0, 13, 20, 64, 256, 1024, 4096];
const AD_MESSAGE: u64 = 64;
/// Bytes in a message under one of many keys.
const KEYS_MESSAGE: u64 = 576;
/// The most keys in use (Bernstein 2007).
const MOST_KEYS: u64 = 8192;
/// Messages sealed together, and their lengths (Bogdanov, Lauridsen and Tischhauser 2014, Tables
/// 5 and 6).
///
/// One message at a time is not among them: it is measured by length and on the mix already, and would
/// have two values otherwise.
const BATCHES: [u64; 8] = [2, 3, 4, 6, 8, 16, 32, 64];
const BATCHED: [u64; 7] = [16, 64, 128, 256, 512, 1024, 2048];
/// The scheme that is measured with each number of messages up to so many: the first that the page's
/// map of batches shows.
const EVERY: (&str, u32) = ("ccm", 128);
const EVERY_TO: u64 = 16;
/// Larger batches of the realistic mix; the smallest batch that can stand for a mix; and those that are opened, too.
const MIXED: [u64; 2] = [128, 512];
const MIXED_FROM: u64 = 8;
const OPENED: [u64; 3] = [8, 64, 512];
/// Lengths of messages that no cache holds, and how many keys they have.
const COLD: [u64; 3] = [64, 576, 1500];
const COLD_KEYS: u64 = 16;
/// Values in a column, their lengths, and how many keys they have.
const COLUMN: u64 = 1024;
const VALUES: [u64; 2] = [16, 64];
const VALUE_KEYS: [u64; 2] = [1, 1000];
/// The schemes that most readers compare: a family and the bits of its key.
const COMMON: [(&str, u32); 6] =
    [("ocb3", 128), ("gcm", 128), ("ccm", 128), ("gcm-siv", 128), ("aegis-128l", 128), ("chacha20-poly1305", 256)];
/// The longest message of single timings (Bernstein 2007).
const LONGEST_SINGLE: u64 = 8192;

/// The mean length of the traffic measured.
pub(super) fn mean_bytes(options: &Options) -> f64 {
    let mean = |traffic: &Traffic| traffic.bytes as f64 / traffic.messages.max(1) as f64;
    options.traffic.as_ref().map_or(0.0, mean).max(mean(&Traffic::realistic()))
}

/// The points of one scheme with one key length, in groups: a name, a method and the points.
pub(super) fn grids(options: &Options, subjects: &[Subject], members: &[usize]) -> Vec<(String, Method, Vec<Spec>)> {
    let of = |axes: &dyn Fn(&Subject) -> Vec<Spec>| -> Vec<Spec> {
        let with = |&subject: &usize| axes(&subjects[subject]).into_iter().map(move |spec| Spec { subject, ..spec });
        members.iter().flat_map(with).collect()
    };
    let (full, method) = (options.scope == Scope::Full, options.method);
    if !options.papers.is_empty() {
        return by_mode(of(&|s| papers::points(options, s)), method);
    }
    if method != Method::Campaign {
        return vec![(String::new(), method, of(&|s| by_paper(options, s, method)))];
    }
    let mut groups = Vec::new();
    if full {
        // Each operation has thousands of points, and is a group by itself: groups stay small.
        for op in Op::ALL {
            let only = |s: &Subject| lengths(options, s).into_iter().filter(|spec| spec.op == op).collect();
            groups.push((op.name().to_string(), method, of(&only)));
        }
        groups.push(("data and traffic".into(), method, of(&|s| [data(options, s), traffic(options, s)].concat())));
        for op in [Op::Seal, Op::Open, Op::Reject] {
            let only = |s: &Subject| singles(options, s).into_iter().filter(|spec| spec.op == op).collect();
            groups.push((format!("single timings, {}", op.name()), Method::Single15, of(&only)));
        }
    } else {
        let all = |s: &Subject| [lengths(options, s), data(options, s), traffic(options, s)].concat();
        groups.push((String::new(), method, of(&all)));
    }
    groups.push(("keys".into(), method, of(&|s| keys(options, s))));
    groups.push(("batches".into(), method, of(&|s| batches(options, s))));
    groups.push(("from memory".into(), method, of(&|s| cold(options, s))));
    groups.push(("columns".into(), method, of(&|s| columns(options, s))));
    groups
}

/// A paper's points in groups: one at a time and on the comb's lanes, those under many keys apart, lest their
/// contexts drive each other's messages out of the caches; and each mode that is no scheme by itself.
fn by_mode(points: Vec<Spec>, method: Method) -> Vec<(String, Method, Vec<Spec>)> {
    let kind = |spec: &Spec| (spec.raw.map(Mode::name), spec.axis == Axis::Comb, spec.keys);
    let mut kinds: Vec<_> = points.iter().map(kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let group = |of: (Option<&str>, bool, u64)| {
        let what = match of {
            (None, true, 1) => "on lanes".into(),
            (None, true, keys) => format!("on lanes under {keys} keys"),
            (_, _, 1) => String::new(),
            (_, _, keys) => format!("under {keys} keys"),
        };
        (what, method, points.iter().filter(|spec| kind(spec) == of).copied().collect())
    };
    kinds.into_iter().map(group).collect()
}

/// Is this one of those that most readers compare? They alone are measured at every length by
/// single timings, and with many keys.
fn is_common(subject: &Subject) -> bool {
    COMMON.contains(&(subject.scheme.short(), subject.key_bits)) && is_close(subject)
}

/// Is it measured at many lengths? Our best tier and the peers are.
fn is_close(subject: &Subject) -> bool {
    matches!(subject.standing, Standing::Best | Standing::Peer)
}

/// Is it part of a study of this scope at all? A quick one has our best tier and the peers.
fn takes_part(options: &Options, subject: &Subject) -> bool {
    match options.scope {
        Scope::Quick => is_close(subject),
        _ => true,
    }
}

fn spec(op: Op, axis: Axis, bytes: u64) -> Spec {
    Spec { subject: 0, op, axis, bytes, ad: 0, keys: 1, batch: 1, raw: None }
}

/// Sealing, opening and rejecting by length; and key setup.
fn lengths(options: &Options, subject: &Subject) -> Vec<Spec> {
    if !takes_part(options, subject) {
        return Vec::new();
    }
    let grid: Vec<u64> = match options.scope {
        _ if !options.lengths.is_empty() => options.lengths.clone(),
        // The archive's schemes at every length on the best tier alone: they are many.
        Scope::Full if is_close(subject) || !subject.scheme.is_archived() => (1..=2048).chain(LONG).collect(),
        Scope::Default if is_close(subject) && !subject.scheme.is_system() => CLOSE.to_vec(),
        Scope::Default | Scope::Full
            if subject.standing == Standing::Tier && subject.key_bits == 128 && !subject.scheme.is_system() =>
        {
            CLOSE.to_vec()
        }
        _ => FEW.to_vec(),
    };
    let some: Vec<u64> = match options.scope {
        _ if !options.lengths.is_empty() => options.lengths.clone(),
        Scope::Full => grid.clone(),
        _ => SOME.to_vec(),
    };
    let mut specs = Vec::new();
    for op in Op::ALL.into_iter().filter(|op| op.applies_to(subject.scheme)) {
        match op {
            Op::Setup => specs.push(spec(op, Axis::Single, 0)),
            Op::Seal | Op::Open => specs.extend(grid.iter().map(|&bytes| spec(op, Axis::Length, bytes))),
            _ => specs.extend(some.iter().map(|&bytes| spec(op, Axis::Length, bytes))),
        }
    }
    specs
}

/// Sealing with associated data.
fn data(options: &Options, subject: &Subject) -> Vec<Spec> {
    if options.scope == Scope::Quick || !is_close(subject) || !subject.scheme.takes_ad() {
        return Vec::new();
    }
    let ops: &[Op] = if options.scope == Scope::Full { &[Op::Seal, Op::Open] } else { &[Op::Seal] };
    let point = |op| AD.into_iter().map(move |ad| Spec { ad, ..spec(op, Axis::Ad, AD_MESSAGE) });
    ops.iter().copied().flat_map(point).collect()
}

/// Sealing and opening the realistic mix and the user's traffic, by every tier: schemes are ranked
/// by both.
fn traffic(options: &Options, subject: &Subject) -> Vec<Spec> {
    if !takes_part(options, subject) {
        return Vec::new();
    }
    let ops = [Op::Seal, Op::Open];
    let axes: &[Axis] = if options.traffic.is_some() { &[Axis::Mix, Axis::Traffic] } else { &[Axis::Mix] };
    axes.iter().flat_map(|&axis| ops.iter().map(move |&op| spec(op, axis, 0))).collect()
}

/// Sealing under 1 to 8,192 keys, in powers of two.
fn keys(options: &Options, subject: &Subject) -> Vec<Spec> {
    if options.scope == Scope::Quick || !is_common(subject) {
        return Vec::new();
    }
    let counts = (0..).map(|power| 1 << power).take_while(|&keys| keys <= MOST_KEYS);
    counts.map(|keys| Spec { keys, ..spec(Op::Seal, Axis::Keys, KEYS_MESSAGE) }).collect()
}

/// Sealing 2 to 64 messages of a length together, and more and more of the realistic mix; opening the mix, on the
/// best tier.
fn batches(options: &Options, subject: &Subject) -> Vec<Spec> {
    let tier = match options.scope {
        Scope::Quick => false,
        Scope::Default => subject.standing == Standing::Best,
        Scope::Full => subject.standing != Standing::Peer,
    };
    if !tier || Mode::of_scheme(&subject.scheme.name(subject.key_bits)).is_none() {
        return Vec::new();
    }
    let point = |op, bytes, batch| Spec { batch, ..spec(op, Axis::Batch, bytes) };
    let opened = OPENED.into_iter().filter(|_| subject.standing == Standing::Best);
    let mix = BATCHES.into_iter().chain(MIXED).filter(|&batch| batch >= MIXED_FROM);
    let each = (subject.scheme.short(), subject.key_bits) == EVERY;
    let sizes: Vec<u64> = (2..=BATCHES[BATCHES.len() - 1])
        .filter(|batch| BATCHES.contains(batch) || each && *batch <= EVERY_TO)
        .collect();
    let equal = BATCHED.into_iter().flat_map(|bytes| sizes.iter().map(move |&batch| (bytes, batch)));
    let sealed = equal.chain(mix.map(|batch| (0, batch))).map(|(bytes, batch)| point(Op::Seal, bytes, batch));
    sealed.chain(opened.map(|batch| point(Op::Open, 0, batch))).collect()
}

/// Sealing messages from memory under a few keys, together and one at a time: in a full study only, since
/// each point has memory of its own to go round in.
fn cold(options: &Options, subject: &Subject) -> Vec<Spec> {
    let ours = subject.standing == Standing::Best && !subject.scheme.is_archived();
    if options.scope != Scope::Full || !ours || Mode::of_scheme(&subject.scheme.name(subject.key_bits)).is_none() {
        return Vec::new();
    }
    let point = |bytes, batch| Spec { keys: COLD_KEYS, batch, ..spec(Op::Seal, Axis::Cold, bytes) };
    COLD.into_iter().flat_map(|bytes| [1, TOGETHER as u64].map(|batch| point(bytes, batch))).collect()
}

/// Sealing and opening columns of short values, under one key and under a thousand.
fn columns(options: &Options, subject: &Subject) -> Vec<Spec> {
    let tier = match options.scope {
        Scope::Quick => false,
        Scope::Default => subject.standing == Standing::Best,
        Scope::Full => matches!(subject.standing, Standing::Best | Standing::Tier),
    };
    if !tier || subject.key_bits == 192 || Algorithm::by_name(&subject.scheme.name(subject.key_bits)).is_none() {
        return Vec::new();
    }
    let point = |op, bytes, keys| Spec { keys, batch: COLUMN, ..spec(op, Axis::Column, bytes) };
    let keys = |op, bytes| VALUE_KEYS.into_iter().map(move |keys| point(op, bytes, keys));
    [Op::Seal, Op::Open].into_iter().flat_map(|op| VALUES.into_iter().flat_map(move |bytes| keys(op, bytes))).collect()
}

/// Every length by single timings.
fn singles(options: &Options, subject: &Subject) -> Vec<Spec> {
    if !is_common(subject) || !options.lengths.is_empty() {
        return Vec::new();
    }
    let ops = [Op::Seal, Op::Open, Op::Reject];
    ops.into_iter().flat_map(|op| (0..=LONGEST_SINGLE).map(move |bytes| spec(op, Axis::Length, bytes))).collect()
}

/// What a paper's method can time: single messages, and opening only where each is timed by
/// itself, after it was sealed.
fn by_paper(options: &Options, subject: &Subject, method: Method) -> Vec<Spec> {
    let alone = matches!(method, Method::Single15 | Method::Median91);
    lengths(options, subject).into_iter().filter(|spec| alone || spec.op != Op::Open).collect()
}
