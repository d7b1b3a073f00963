//! Timed loops over whole batches, sealed on the comb's lanes or one message at a time: these make
//! the tables of Bogdanov, Lauridsen and Tischhauser (2014).
//!
//! The messages of a batch lie in one stretch of memory, each at the start of a cache line, and a
//! run seals all of them in place. Nonces are counted on, so that no run repeats one.

use super::floor::{archived_in_batch, rounds};
use super::scheme::Scheme;
use crate::measure::{Bench, Random, Work};
use combseal::comb::Plan;
use combseal::hazmat::{Cbc, Cfb, Cmac, Comb, Ctr, Ecb, Message, Ofb};
use combseal::{Aes128, Algorithm, Batch, Cpu, Key, NonceCounter, Outcome, Sealer};
use combseal_archive as archive;
use std::hint::black_box;

/// A mode that is measured over batches, with AES-128.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The cipher alone, over the messages' whole blocks: parallel, so that a batch is a loop.
    Ecb,
    /// CBC encryption of the messages' whole blocks.
    Cbc,
    /// CFB-128 encryption.
    Cfb,
    /// OFB.
    Ofb,
    /// CTR: parallel, so that a batch is a loop.
    Ctr,
    /// CMAC.
    Cmac,
    /// A scheme of the library, without associated data.
    Aead(Algorithm),
    /// A scheme of the archive, without associated data.
    Archived(archive::Scheme),
}

impl Mode {
    /// The modes of the paper's tables, its plain ones first: of CAESAR's candidates the first
    /// versions, which are of the paper's year.
    pub const PAPER: [Mode; 17] = [
        Mode::Ecb,
        Mode::Cbc,
        Mode::Cfb,
        Mode::Ofb,
        Mode::Ctr,
        Mode::Cmac,
        Mode::Aead(Algorithm::CcmAes128),
        Mode::Aead(Algorithm::GcmAes128),
        Mode::Aead(Algorithm::Ocb3Aes128),
        Mode::Archived(archive::Scheme::OtrParallelV1),
        Mode::Archived(archive::Scheme::ClocV1),
        Mode::Archived(archive::Scheme::Jambu),
        Mode::Archived(archive::Scheme::SilcV1),
        Mode::Archived(archive::Scheme::McoeG),
        Mode::Archived(archive::Scheme::CopaV1),
        Mode::Archived(archive::Scheme::PoetV1),
        Mode::Archived(archive::Scheme::Julius),
    ];

    /// Others, which the tables show beside the paper's.
    pub const BESIDE: [Mode; 8] = [
        Mode::Aead(Algorithm::EaxAes128),
        Mode::Aead(Algorithm::SivAes128),
        Mode::Aead(Algorithm::GcmSivAes128),
        Mode::Aead(Algorithm::Aegis128),
        Mode::Aead(Algorithm::Aegis128L),
        Mode::Aead(Algorithm::Aegis256),
        Mode::Aead(Algorithm::ChaCha20Poly1305),
        Mode::Archived(archive::Scheme::CbcHmac),
    ];

    /// All of these.
    pub fn all() -> impl Iterator<Item = Mode> {
        Self::PAPER.into_iter().chain(Self::BESIDE)
    }

    /// The mode of a scheme that can be sealed in batches, by its name: schemes of the library
    /// that the tables show, and all of the archive.
    pub fn of_scheme(name: &str) -> Option<Mode> {
        let ours = |mode: &Mode| matches!(mode, Mode::Aead(_)) && mode.name() == name;
        let archived = || archive::Scheme::by_name(name).map(Mode::Archived);
        Self::all().find(ours).or_else(archived)
    }

    /// The name, as in tables.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Ecb => "AES-128-ECB",
            Mode::Cbc => "AES-128-CBC",
            Mode::Cfb => "AES-128-CFB",
            Mode::Ofb => "AES-128-OFB",
            Mode::Ctr => "AES-128-CTR",
            Mode::Cmac => "AES-128-CMAC",
            Mode::Aead(algorithm) => algorithm.name(),
            Mode::Archived(scheme) => scheme.about().name,
        }
    }

    /// Whether it is a mode of SP 800-38A or CMAC, which are no schemes of the laboratory.
    pub fn is_raw(self) -> bool {
        !matches!(self, Mode::Aead(_) | Mode::Archived(_))
    }

    /// Whether one message's blocks wait for each other.
    pub fn is_serial(self) -> bool {
        use Algorithm::{CcmAes128, EaxAes128, SivAes128};
        match self {
            Mode::Ecb | Mode::Ctr => false,
            Mode::Cbc | Mode::Cfb | Mode::Ofb | Mode::Cmac => true,
            Mode::Aead(algorithm) => [CcmAes128, EaxAes128, SivAes128].contains(&algorithm),
            Mode::Archived(scheme) => scheme.is_serial(),
        }
    }

    /// Bytes that the mode works on, of a message of `bytes`.
    pub fn bytes(self, bytes: usize) -> usize {
        if matches!(self, Mode::Ecb | Mode::Cbc) { bytes & !15 } else { bytes }
    }

    /// The fewest core cycles for a message of `bytes` where the AES unit does `enc` block
    /// rounds a cycle and is always full: its calls of the cipher. `None` for AEGIS, which
    /// makes rounds of its own.
    pub fn limit(self, bytes: usize, enc: f64) -> Option<f64> {
        let blocks = bytes.div_ceil(16) as f64;
        let calls = match self {
            Mode::Ecb | Mode::Cbc => (bytes / 16) as f64,
            Mode::Cfb | Mode::Ofb | Mode::Ctr => blocks,
            Mode::Cmac => blocks.max(1.0),
            Mode::Aead(Algorithm::CcmAes128) => 2.0 * blocks + 2.0,
            // OMACs of nonce, nothing and ciphertext; S2V of nothing, nonce and plaintext.
            Mode::Aead(Algorithm::EaxAes128 | Algorithm::SivAes128) => 2.0 + blocks.max(1.0) + blocks,
            Mode::Aead(Algorithm::Ocb3Aes128) => blocks + 1.0 + 1.0 / 64.0,
            Mode::Aead(Algorithm::GcmAes128) => blocks + 1.0,
            Mode::Aead(Algorithm::GcmSivAes128) => blocks + 5.0,
            Mode::Aead(_) => return None,
            Mode::Archived(scheme) => {
                let (family, key_bits) = Scheme::named(scheme.about().name)?;
                return archived_in_batch(family, key_bits, bytes, enc);
            }
        };
        Some(calls * rounds(128) / enc)
    }
}

/// The paper's realistic lengths (sect. 5.1): 44 % of 40 to 100 bytes, 37 % of 1400 to 1500,
/// the others between; drawn by `seed`.
pub fn realistic(count: usize, seed: u64) -> Vec<usize> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| match random.below(100) {
            0..44 => 40 + random.below(61),
            44..81 => 1400 + random.below(101),
            _ => 101 + random.below(1299),
        })
        .collect()
}

/// How a batch is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One message after the other.
    Single,
    /// On as many lanes as suit the tier, or on so many.
    Comb(Option<usize>),
}

/// The batch as a timed loop: a "message" is one whole batch.
///
/// # Panics
/// If `keys` is zero.
pub fn work(mode: Mode, cpu: Cpu, way: Way, keys: usize, lengths: &[usize]) -> Box<dyn Work> {
    assert!(keys > 0);
    let arena = Arena::new(mode, lengths);
    let secret = |i: usize| {
        let mut key = [0x42; 64];
        key[..8].copy_from_slice(&(i as u64).to_le_bytes());
        key
    };
    let comb = match way {
        Way::Comb(Some(lanes)) => Comb::with_lanes(lanes),
        _ => Comb::new(),
    };
    macro_rules! plain {
        ($mode:ident, $one:expr, $many:expr) => {{
            type K = $mode<Aes128>;
            let one: fn(&K, &[u8; 16], &mut [u8]) = $one;
            let many: fn(&mut [Message<'_, K>], &mut Comb) = $many;
            let build = |i: usize| K::build(cpu, &secret(i)[..16]).expect("a 16-byte key");
            let keys = (0..keys).map(build).collect();
            Box::new(Plain { keys, arena, comb, way, one, many })
        }};
    }
    match mode {
        Mode::Ecb => {
            let build = |i: usize| Ecb::<Aes128>::build(cpu, &secret(i)[..16]).expect("a 16-byte key");
            let one = |key: &Ecb<Aes128>, buf: &mut [u8]| key.encrypt(buf).expect("whole blocks");
            Box::new(Parallel { keys: (0..keys).map(build).collect::<Vec<_>>(), arena, one })
        }
        Mode::Cbc => {
            plain!(Cbc, |key, iv, buf| key.encrypt(iv, buf).expect("whole blocks"), |messages, comb| K::encrypt_many(
                messages, comb
            )
            .expect("whole blocks"))
        }
        Mode::Cfb => plain!(Cfb, |key, iv, buf| key.encrypt(iv, buf), K::encrypt_many),
        Mode::Ofb => plain!(Ofb, |key, iv, buf| key.apply(iv, buf), K::apply_many),
        Mode::Ctr => {
            let build = |i: usize| Ctr::<Aes128>::build(cpu, &secret(i)[..16]).expect("a 16-byte key");
            let one = |key: &Ctr<Aes128>, buf: &mut [u8]| key.apply(&black_box([9; 16]), buf);
            Box::new(Parallel { keys: (0..keys).map(build).collect::<Vec<_>>(), arena, one })
        }
        Mode::Cmac => {
            let build = |i: usize| Cmac::<Aes128>::build(cpu, &secret(i)[..16], 16).expect("a 16-byte key");
            let tags = vec![[0; 16]; lengths.len()];
            Box::new(Macs { keys: (0..keys).map(build).collect(), arena, comb, way, tags })
        }
        Mode::Aead(algorithm) => {
            let build = |i: usize| {
                Key::build(cpu, algorithm, &secret(i)[..algorithm.key_len()], 16).expect("a key of the scheme's length")
            };
            if way == Way::Single {
                let sealer = |i: usize| {
                    let counter =
                        NonceCounter::new(&PREFIX[..algorithm.nonce_len() - 8]).expect("room for the counter");
                    Sealer::new(build(i), counter).expect("room for the counter")
                };
                let tags = vec![[0; 16]; lengths.len()];
                return Box::new(Sealers { sealers: (0..keys).map(sealer).collect(), arena, tags });
            }
            let batch = match way {
                Way::Comb(Some(lanes)) => Batch::with_lanes(lanes),
                _ => Batch::new(),
            };
            Box::new(Aeads {
                keys: (0..keys).map(build).collect(),
                nonces: vec![[7; 32]; lengths.len()],
                nonce_len: algorithm.nonce_len(),
                next: 0,
                tags: vec![[0; 16]; lengths.len()],
                batch: Some(batch.run()),
                arena,
            })
        }
        Mode::Archived(scheme) => {
            let about = scheme.about();
            let build = |i: usize| {
                archive::Key::build(cpu, scheme, &secret(i)[..about.key_len]).expect("a key of the scheme's length")
            };
            Box::new(Archived {
                keys: (0..keys).map(build).collect(),
                nonces: vec![[7; 16]; lengths.len()],
                nonce_len: about.nonce_len,
                next: 0,
                tails: lengths.iter().map(|&bytes| vec![0; scheme.tail_len(bytes)]).collect(),
                arena,
                way,
            })
        }
    }
}

/// The comb's plan for messages of these lengths, alone: a "message" is one plan.
pub fn planning(lengths: &[usize], lanes: usize) -> Box<dyn Work> {
    Box::new(Planning { plan: Plan::new(), lengths: lengths.to_vec(), lanes })
}

struct Planning {
    plan: Plan,
    lengths: Vec<usize>,
    lanes: usize,
}

impl Work for Planning {
    fn run(&mut self, _: &mut Bench, plans: u64) {
        for _ in 0..plans {
            let lengths = black_box(&self.lengths);
            self.plan.make(lengths.len(), self.lanes, |i| lengths[i] / 16);
            black_box(self.plan.order());
        }
    }
}

/// The memory of a batch's messages.
struct Arena {
    bytes: Vec<u8>,
    lengths: Vec<usize>,
}

impl Arena {
    fn new(mode: Mode, lengths: &[usize]) -> Self {
        let lengths: Vec<usize> = lengths.iter().map(|&n| mode.bytes(n)).collect();
        let mut bytes = vec![0; lengths.iter().map(|n| stride(*n)).sum()];
        Random::new(2014).fill(&mut bytes);
        Self { bytes, lengths }
    }

    /// Each message.
    #[inline(always)]
    fn each(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let mut rest = &mut self.bytes[..];
        self.lengths.iter().map(move |&n| {
            let (mine, others) = std::mem::take(&mut rest).split_at_mut(stride(n));
            rest = others;
            &mut mine[..n]
        })
    }
}

/// Bytes from a message of `len` to the next: an odd number of cache lines, lest messages of
/// one length share a few of the cache's sets.
fn stride(len: usize) -> usize {
    (len.div_ceil(64) | 1) * 64
}

/// CBC, CFB or OFB.
struct Plain<K> {
    keys: Vec<K>,
    arena: Arena,
    comb: Comb,
    way: Way,
    one: fn(&K, &[u8; 16], &mut [u8]),
    many: fn(&mut [Message<'_, K>], &mut Comb),
}

impl<K> Work for Plain<K> {
    fn run(&mut self, _: &mut Bench, batches: u64) {
        let Self { keys, arena, comb, way, one, many } = self;
        let iv = black_box([9; 16]);
        for _ in 0..batches {
            if *way == Way::Single {
                for (buf, key) in arena.each().zip(keys.iter().cycle()) {
                    one(key, &iv, buf);
                }
            } else {
                let messages = arena.each().zip(keys.iter().cycle()).map(|(buf, key)| Message::new(key, &iv, buf));
                many(&mut messages.collect::<Vec<_>>(), comb);
            }
        }
    }
}

/// ECB or CTR, which have no lanes: together is one after the other.
struct Parallel<K> {
    keys: Vec<K>,
    arena: Arena,
    one: fn(&K, &mut [u8]),
}

impl<K> Work for Parallel<K> {
    fn run(&mut self, _: &mut Bench, batches: u64) {
        for _ in 0..batches {
            for (buf, key) in self.arena.each().zip(self.keys.iter().cycle()) {
                (self.one)(key, buf);
            }
        }
    }
}

/// CMAC.
struct Macs {
    keys: Vec<Cmac<Aes128>>,
    arena: Arena,
    comb: Comb,
    way: Way,
    tags: Vec<[u8; 16]>,
}

impl Work for Macs {
    fn run(&mut self, _: &mut Bench, batches: u64) {
        let Self { keys, arena, comb, way, tags } = self;
        for _ in 0..batches {
            if *way == Way::Single {
                for ((buf, tag), key) in arena.each().zip(tags.iter_mut()).zip(keys.iter().cycle()) {
                    tag.copy_from_slice(key.tag(buf).as_bytes());
                }
            } else {
                let messages = arena.each().zip(keys.iter().cycle()).map(|(buf, key)| (key, &*buf));
                Cmac::tag_many(&messages.collect::<Vec<_>>(), tags, comb).expect("a tag a message");
            }
            black_box(&mut *tags);
        }
    }
}

/// What a sealer's nonces begin with, as far as they are longer than its counter.
const PREFIX: &[u8; 24] = b"combseal's counter nonce";

/// A scheme of the library, one message at a time: by sealers that count nonces, as who has
/// single messages uses it. They keep what a batch keeps from message to message (OCB3's Ktop).
struct Sealers {
    sealers: Vec<Sealer<Key>>,
    arena: Arena,
    tags: Vec<[u8; 16]>,
}

impl Work for Sealers {
    fn run(&mut self, _: &mut Bench, batches: u64) {
        let Self { sealers, arena, tags } = self;
        for _ in 0..batches {
            // As many sealers as there are take turns.
            let mut next = 0;
            for (buf, tag) in arena.each().zip(tags.iter_mut()) {
                sealers[next].seal_detached(b"", buf, tag).expect("far from the key's limit");
                next = if next + 1 == sealers.len() { 0 } else { next + 1 };
            }
            black_box(&mut *tags);
        }
    }
}

/// A scheme of the library, in batches.
struct Aeads {
    keys: Vec<Key>,
    arena: Arena,
    nonces: Vec<[u8; 32]>,
    nonce_len: usize,
    next: u64,
    tags: Vec<[u8; 16]>,
    /// The batch before, in whose memory the next one is made.
    batch: Option<Outcome>,
}

impl Work for Aeads {
    fn run(&mut self, _: &mut Bench, batches: u64) {
        let Self { keys, arena, nonces, nonce_len, next, tags, batch } = self;
        for _ in 0..batches {
            for nonce in nonces.iter_mut() {
                *next += 1;
                nonce[*nonce_len - 8..*nonce_len].copy_from_slice(&next.to_be_bytes());
            }
            let mut mine = batch.take().map_or_else(Batch::new, Outcome::reuse);
            let jobs = arena.each().zip(tags.iter_mut()).zip(nonces.iter()).zip(keys.iter().cycle());
            for (((buf, tag), nonce), key) in jobs {
                mine.seal(key, &nonce[..*nonce_len], b"", buf, tag);
            }
            let done = mine.run();
            assert!(done.iter().all(Result::is_ok));
            *batch = Some(done);
            black_box(&mut *tags);
        }
    }
}

/// A scheme of the archive.
struct Archived {
    keys: Vec<archive::Key>,
    arena: Arena,
    nonces: Vec<[u8; 16]>,
    nonce_len: usize,
    next: u64,
    tails: Vec<Vec<u8>>,
    way: Way,
}

impl Work for Archived {
    fn run(&mut self, _: &mut Bench, batches: u64) {
        let Self { keys, arena, nonces, nonce_len, next, tails, way } = self;
        for _ in 0..batches {
            for nonce in nonces.iter_mut() {
                *next += 1;
                nonce[*nonce_len - 8..*nonce_len].copy_from_slice(&next.to_be_bytes());
            }
            let jobs = arena.each().zip(tails.iter_mut()).zip(nonces.iter()).zip(keys.iter().cycle());
            if *way == Way::Single {
                for (((buf, tail), nonce), key) in jobs {
                    key.seal_in_place(&nonce[..*nonce_len], b"", buf, tail).expect("legal lengths");
                }
            } else {
                let mut batch = match way {
                    Way::Comb(Some(lanes)) => archive::Batch::with_lanes(*lanes),
                    _ => archive::Batch::new(),
                };
                for (((buf, tail), nonce), key) in jobs {
                    batch.seal(key, &nonce[..*nonce_len], b"", buf, tail);
                }
                assert!(batch.run().iter().all(Result::is_ok));
            }
            black_box(&mut *tails);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No mode refuses a job, on lanes or not. (That both come out alike, the library tests.)
    #[test]
    fn every_mode_runs_every_way() {
        let lengths = realistic(40, 1);
        let mut bench = Bench::new(64);
        for mode in Mode::all() {
            for way in [Way::Single, Way::Comb(None), Way::Comb(Some(3))] {
                let mut work = work(mode, Cpu::detect(), way, 3, &lengths);
                work.run(&mut bench, 2);
                assert_eq!(work.faults(), 0);
            }
        }
    }

    #[test]
    fn the_published_limits() {
        // On Cascade Lake: CCM 64 bytes 100 cycles, OCB3 64 bytes 50, CBC 1500 bytes 930.
        assert_eq!(Mode::Aead(Algorithm::CcmAes128).limit(64, 1.0), Some(100.0));
        assert_eq!(Mode::Aead(Algorithm::Ocb3Aes128).limit(64, 1.0).map(f64::floor), Some(50.0));
        assert_eq!(Mode::Cbc.limit(1500, 1.0), Some(930.0));
        assert_eq!(Mode::Cmac.limit(1500, 1.0), Some(940.0));
        assert_eq!(Mode::Aead(Algorithm::Aegis128L).limit(64, 1.0), None);
    }

    #[test]
    fn the_realistic_mix() {
        let lengths = realistic(10_000, 7);
        let share = |from, to| lengths.iter().filter(|&&n| (from..=to).contains(&n)).count();
        assert!((4200..4600).contains(&share(40, 100)) && (3500..3950).contains(&share(1400, 1500)));
        assert_eq!(share(40, 1500), 10_000);
    }
}
