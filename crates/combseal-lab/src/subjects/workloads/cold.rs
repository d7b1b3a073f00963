//! Batches as a busy server has them: messages that no cache holds, each under one of a few keys drawn at
//! random, handed over together; and the same messages one at a time, each by its key's sealer.

use crate::measure::{Bench, Random, Work};
use combseal::{Aead, Algorithm, Batch, Cpu, Key, NonceCounter, Outcome, Sealer};
use std::hint::black_box;

/// Messages that are handed over together; and as many make up a run one at a time.
pub(crate) const TOGETHER: usize = 64;
/// Bytes of memory that the messages go round in: more than the caches near a core hold.
const MEMORY: usize = 64 << 20;
/// What nonces begin with, as far as they are longer than their counter.
const PREFIX: [u8; 32] = *b"nonces of messages from memory..";

/// Messages in an order that is not that of their places in memory, so that no cache has been told
/// of the next one.
struct Messages {
    all: Vec<Vec<u8>>,
    at: usize,
    /// A linear congruence, so that drawing a key costs a product and no memory.
    draw: u64,
}

impl Messages {
    /// So many runs of messages of `bytes` bytes.
    fn new(bytes: usize, runs: usize) -> Self {
        let mut all: Vec<Vec<u8>> = (0..runs * TOGETHER).map(|_| vec![0x5a; bytes]).collect();
        Random::new(64).shuffle(&mut all);
        Self { all, at: 0, draw: 1 }
    }

    /// As many as are handed over together, each with the place of its key among `keys`.
    #[inline(always)]
    fn next(&mut self, keys: usize) -> impl Iterator<Item = (&mut [u8], usize)> {
        let from = self.at;
        self.at = (from + TOGETHER) % self.all.len();
        let Self { all, draw, .. } = self;
        all[from..from + TOGETHER].iter_mut().map(move |message| {
            *draw = draw.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (&mut message[..], (((*draw >> 32) * keys as u64) >> 32) as usize)
        })
    }
}

/// Runs that fill the memory; fewer if the messages are so short that they would be very many.
fn runs(bytes: usize) -> usize {
    (MEMORY / TOGETHER / bytes.max(64)).max(1)
}

/// The loop that seals messages of `bytes` bytes, each under one of `keys` keys: together, or each
/// `alone` for comparison. A "message" is [`TOGETHER`] of them.
///
/// # Errors
/// If the scheme has no batches, or these seal otherwise than one message after the other does.
pub(crate) fn cold(scheme: &str, tier: &str, bytes: usize, keys: usize, alone: bool) -> Result<Box<dyn Work>, String> {
    made(scheme, tier, bytes, keys, alone, runs(bytes))
}

fn made(
    scheme: &str,
    tier: &str,
    bytes: usize,
    keys: usize,
    alone: bool,
    runs: usize,
) -> Result<Box<dyn Work>, String> {
    let algorithm = Algorithm::by_name(scheme).ok_or("has no batches")?;
    let cpu = Cpu::by_name(tier).ok_or("no such tier here")?;
    let mut random = Random::new(16);
    let keys = (0..keys).map(|_| {
        let mut key = vec![0; algorithm.key_len()];
        random.fill(&mut key);
        Key::build(cpu, algorithm, &key, 16).map_err(|e| e.to_string())
    });
    let keys = keys.collect::<Result<Vec<_>, String>>()?;
    let together = Together {
        messages: Messages::new(bytes, runs),
        nonces: vec![PREFIX; TOGETHER],
        nonce_len: algorithm.nonce_len(),
        next: 0,
        tags: vec![[0; 16]; TOGETHER],
        batch: None,
        keys,
    };
    together.agrees(bytes).map_err(|e| format!("in batches: {e}"))?;
    if !alone {
        return Ok(Box::new(together));
    }
    let Together { messages, tags, nonce_len, keys, .. } = together;
    let sealer = |key| {
        let prefix = &PREFIX[..nonce_len.saturating_sub(8)];
        NonceCounter::new(prefix).and_then(|counter| Sealer::new(key, counter)).map_err(|e| e.to_string())
    };
    let sealers = keys.into_iter().map(sealer).collect::<Result<_, String>>()?;
    Ok(Box::new(Alone { sealers, messages, tags }))
}

/// Handed over together.
struct Together {
    keys: Vec<Key>,
    messages: Messages,
    nonces: Vec<[u8; 32]>,
    nonce_len: usize,
    next: u64,
    tags: Vec<[u8; 16]>,
    /// The batch before, in whose memory the next one is made.
    batch: Option<Outcome>,
}

impl Together {
    /// Does a batch under these keys give what single messages do, which were compared with known
    /// answers?
    fn agrees(&self, bytes: usize) -> Result<(), String> {
        let mut messages = vec![(vec![0xa5; bytes], [0; 16]); TOGETHER];
        let nonce = |i: usize| [&(i as u64).to_be_bytes()[..], &PREFIX].concat()[..self.nonce_len].to_vec();
        let nonces: Vec<Vec<u8>> = (0..TOGETHER).map(nonce).collect();
        let key = |i: usize| &self.keys[i * 7 % self.keys.len()];
        let mut batch = Batch::new();
        for (i, (message, tag)) in messages.iter_mut().enumerate() {
            batch.seal(key(i), &nonces[i][..], b"", message, tag);
        }
        batch.run().all().map_err(|e| e.to_string())?;
        for (i, (message, tag)) in messages.iter().enumerate() {
            let mut single = vec![0xa5; bytes];
            let right = key(i).seal_in_place(&nonces[i], b"", &mut single).map_err(|e| e.to_string())?;
            if right != *tag || single != *message {
                return Err(format!("another ciphertext at {bytes} bytes under key {}", i * 7 % self.keys.len()));
            }
        }
        Ok(())
    }
}

impl Work for Together {
    fn together(&self) -> u64 {
        TOGETHER as u64
    }

    fn run(&mut self, _: &mut Bench, batches: u64) {
        let Self { keys, messages, nonces, nonce_len, next, tags, batch } = self;
        for _ in 0..batches {
            for nonce in nonces.iter_mut() {
                *next += 1;
                nonce[*nonce_len - 8..*nonce_len].copy_from_slice(&next.to_be_bytes());
            }
            let mut mine = batch.take().map_or_else(Batch::new, Outcome::reuse);
            for (((message, key), tag), nonce) in messages.next(keys.len()).zip(tags.iter_mut()).zip(nonces.iter()) {
                mine.seal(&keys[key], &nonce[..*nonce_len], b"", message, tag);
            }
            let done = mine.run();
            assert!(done.all_ok());
            *batch = Some(done);
            black_box(&mut *tags);
        }
    }
}

/// One at a time.
struct Alone {
    sealers: Vec<Sealer<Key>>,
    messages: Messages,
    tags: Vec<[u8; 16]>,
}

impl Work for Alone {
    fn together(&self) -> u64 {
        TOGETHER as u64
    }

    fn run(&mut self, _: &mut Bench, batches: u64) {
        let Self { sealers, messages, tags } = self;
        for _ in 0..batches {
            for ((message, key), tag) in messages.next(sealers.len()).zip(tags.iter_mut()) {
                sealers[key].seal_detached(b"", message, tag).expect("far from the key's limit");
            }
            black_box(&mut *tags);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_run_round_and_use_every_key() {
        let tier = Cpu::detect().name();
        for scheme in ["OCB3-AES-128", "AES-128-GCM", "AES-128-CCM"] {
            for alone in [false, true] {
                let mut work = made(scheme, tier, 100, 16, alone, 2).unwrap();
                assert_eq!(work.together(), 64);
                work.run(&mut Bench::new(64), 5);
            }
        }
        let mut messages = Messages::new(1, 3);
        let drawn: std::collections::BTreeSet<usize> =
            (0..9).flat_map(|_| messages.next(16).map(|(_, key)| key).collect::<Vec<_>>()).collect();
        assert_eq!(drawn, (0..16).collect());
        assert!(
            cold("AES-128-CTR", tier, 64, 16, false).is_err() && cold("AES-128-GCM", "no tier", 64, 16, true).is_err()
        );
    }

    /// They lie in more memory than caches have.
    #[test]
    fn they_are_not_in_a_cache() {
        for bytes in [64, 576, 1500] {
            assert!((MEMORY * 9 / 10..=MEMORY).contains(&(runs(bytes) * TOGETHER * bytes)));
        }
    }
}
