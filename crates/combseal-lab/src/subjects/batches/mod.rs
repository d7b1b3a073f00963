//! Timed loops over whole batches, sealed on the comb's lanes or one message at a time, and opened on lanes:
//! these make the tables of Bogdanov, Lauridsen and Tischhauser (2014).
//!
//! The messages of a batch lie in one stretch of memory, each at the start of a cache line, and a
//! run seals all of them in place. Nonces are counted on, so that no run repeats one, and keys take turns.

mod arena;
mod jobs;
mod mode;
mod plain;
mod sealers;
mod turns;
mod way;

pub use mode::Mode;
pub use way::Way;

use crate::measure::{Bench, Random, Work};
use arena::Arena;
use combseal::comb::Plan;
use combseal::hazmat::{Cbc, Cfb, Cmac, Comb, Ctr, Ecb, Message, Ofb};
use combseal::{Aes128, Algorithm, Cpu, Key};
use combseal_archive as archive;
use jobs::{Aeads, Archived, Jobs, Opening, Sealing};
use plain::{Macs, Parallel, Plain};
use sealers::Sealers;
use std::hint::black_box;
use turns::Turns;

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

/// Key number `i`, as many bytes of it as a scheme wants.
fn secret(i: usize) -> [u8; 64] {
    let mut key = [0x42; 64];
    key[..8].copy_from_slice(&(i as u64).to_le_bytes());
    key
}

/// So many keys of a scheme of the library.
fn keys_of(algorithm: Algorithm, cpu: Cpu, keys: usize) -> impl Iterator<Item = Key> {
    let build = move |i: usize| {
        Key::build(cpu, algorithm, &secret(i)[..algorithm.key_len()], 16).expect("a key of the scheme's length")
    };
    (0..keys).map(build)
}

/// The messages that a mode works on, of messages of these lengths.
fn messages(mode: Mode, lengths: &[usize]) -> Arena {
    Arena::new(lengths.iter().map(|&bytes| mode.bytes(bytes)).collect())
}

/// The batch as a timed loop that seals: a "message" is one whole batch. With more keys than messages, the next
/// batch goes on with the next key.
///
/// # Panics
/// If `keys` is zero.
pub fn work(mode: Mode, cpu: Cpu, way: Way, keys: usize, lengths: &[usize]) -> Box<dyn Work> {
    assert!(keys > 0);
    if let (Mode::Aead(algorithm), Way::Single) = (mode, way) {
        let arena = messages(mode, lengths);
        return Box::new(Sealers::new(keys_of(algorithm, cpu, keys), algorithm.nonce_len(), arena));
    }
    match jobs(mode, cpu, way, keys, lengths) {
        Some(jobs) => Box::new(Sealing(jobs)),
        None => plain(mode, cpu, way, keys, messages(mode, lengths)),
    }
}

/// The batch as a timed loop that opens, on so many lanes or on as many as suit the tier; `None` for a mode that
/// is no scheme of authenticated encryption. It has to be prepared before each run, which is of one batch.
///
/// # Panics
/// If `keys` is zero.
pub fn opening(mode: Mode, cpu: Cpu, lanes: Option<usize>, keys: usize, lengths: &[usize]) -> Option<Box<dyn Work>> {
    assert!(keys > 0);
    Some(Box::new(Opening::new(jobs(mode, cpu, Way::Comb(lanes), keys, lengths)?)))
}

/// A scheme of authenticated encryption in batches; those of the archive one message after the other, too.
fn jobs(mode: Mode, cpu: Cpu, way: Way, keys: usize, lengths: &[usize]) -> Option<Box<dyn Jobs>> {
    let arena = messages(mode, lengths);
    Some(match mode {
        Mode::Aead(algorithm) => {
            let keys = Turns::new(keys_of(algorithm, cpu, keys).collect());
            let Way::Comb(lanes) = way else { return None };
            Box::new(Aeads::new(keys, algorithm.nonce_len(), lanes, arena))
        }
        Mode::Archived(scheme) => {
            let about = scheme.about();
            let build = |i: usize| {
                archive::Key::build(cpu, scheme, &secret(i)[..about.key_len]).expect("a key of the scheme's length")
            };
            let keys = Turns::new((0..keys).map(build).collect());
            let tails = lengths.iter().map(|&bytes| vec![0; scheme.tail_len(bytes)]).collect();
            Box::new(Archived::new(keys, about.nonce_len, way, arena, tails))
        }
        _ => return None,
    })
}

/// A mode that is no scheme of authenticated encryption.
fn plain(mode: Mode, cpu: Cpu, way: Way, keys: usize, arena: Arena) -> Box<dyn Work> {
    let comb = match way {
        Way::Comb(Some(lanes)) => Comb::with_lanes(lanes),
        _ => Comb::new(),
    };
    macro_rules! keys {
        ($build:expr) => {
            Turns::new((0..keys).map(|i| $build(&secret(i)[..16]).expect("a 16-byte key")).collect())
        };
    }
    macro_rules! plain {
        ($mode:ident, $one:expr, $many:expr) => {{
            type K = $mode<Aes128>;
            let one: fn(&K, &[u8; 16], &mut [u8]) = $one;
            let many: fn(&mut [Message<'_, K>], &mut Comb) = $many;
            Box::new(Plain { keys: keys!(|key| K::build(cpu, key)), arena, comb, way, one, many })
        }};
    }
    match mode {
        Mode::Cbc => {
            plain!(Cbc, |key, iv, buf| key.encrypt(iv, buf).expect("whole blocks"), |messages, comb| K::encrypt_many(
                messages, comb
            )
            .expect("whole blocks"))
        }
        Mode::Cfb => plain!(Cfb, |key, iv, buf| key.encrypt(iv, buf), K::encrypt_many),
        Mode::Ofb => plain!(Ofb, |key, iv, buf| key.apply(iv, buf), K::apply_many),
        Mode::Ctr => {
            let one = |key: &Ctr<Aes128>, buf: &mut [u8]| key.apply(&black_box([9; 16]), buf);
            Box::new(Parallel { keys: keys!(|key| Ctr::<Aes128>::build(cpu, key)), arena, one })
        }
        Mode::Cmac => {
            let tags = vec![[0; 16]; arena.len()];
            Box::new(Macs { keys: keys!(|key| Cmac::<Aes128>::build(cpu, key, 16)), arena, comb, way, tags })
        }
        _ => {
            let one = |key: &Ecb<Aes128>, buf: &mut [u8]| key.encrypt(buf).expect("whole blocks");
            Box::new(Parallel { keys: keys!(|key| Ecb::<Aes128>::build(cpu, key)), arena, one })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// No mode refuses a job, on lanes or not, under as many keys as messages or more. (That both come out
    /// alike, the library tests.)
    #[test]
    fn every_mode_runs_every_way() {
        let lengths = realistic(40, 1);
        let mut bench = Bench::new(64);
        for mode in Mode::all() {
            for (way, keys) in [(Way::Single, 3), (Way::Comb(None), 3), (Way::Comb(Some(3)), 50), (Way::Single, 50)] {
                let mut work = work(mode, Cpu::detect(), way, keys, &lengths);
                work.run(&mut bench, 3);
                assert_eq!(work.faults(), 0);
            }
        }
    }

    /// Each batch is opened once, under the keys and nonces that it was sealed under.
    #[test]
    fn every_scheme_opens_what_it_sealed() {
        let lengths = realistic(40, 1);
        let mut bench = Bench::new(64);
        for mode in Mode::all() {
            for (lanes, keys) in [(None, 1), (Some(3), 3), (Some(16), 50)] {
                let Some(mut work) = opening(mode, Cpu::detect(), lanes, keys, &lengths) else {
                    assert!(mode.is_raw(), "{mode:?}");
                    continue;
                };
                assert_eq!(work.burst(), Some(1));
                for _ in 0..3 {
                    work.prepare(&mut bench);
                    work.run(&mut bench, 1);
                }
                assert_eq!(work.faults(), 0, "{mode:?}");
                // What was opened is no ciphertext any more: every message but an empty one is refused.
                work.run(&mut bench, 1);
                assert_eq!(work.faults(), 40, "{mode:?}");
            }
        }
    }

    #[test]
    fn the_realistic_mix() {
        let lengths = realistic(10_000, 7);
        let share = |from, to| lengths.iter().filter(|&&n| (from..=to).contains(&n)).count();
        assert!((4200..4600).contains(&share(40, 100)) && (3500..3950).contains(&share(1400, 1500)));
        assert_eq!(share(40, 1500), 10_000);
    }
}
