//! A scheme of the library, one message at a time: by sealers that count nonces, as who has
//! single messages uses it. They keep what a batch keeps from message to message (OCB3's Ktop).

use super::arena::Arena;
use crate::measure::{Bench, Work};
use combseal::{Key, NonceCounter, Sealer};
use std::hint::black_box;

/// What a sealer's nonces begin with, as far as they are longer than its counter.
const PREFIX: &[u8; 24] = b"combseal's counter nonce";

/// As many sealers as there are keys take turns.
pub(super) struct Sealers {
    sealers: Vec<Sealer<Key>>,
    next: usize,
    arena: Arena,
    tags: Vec<[u8; 16]>,
}

impl Sealers {
    /// A sealer for each of the keys, whose nonces have so many bytes.
    pub(super) fn new(keys: impl Iterator<Item = Key>, nonce_len: usize, arena: Arena) -> Self {
        let sealer = |key: Key| {
            let counter = NonceCounter::new(&PREFIX[..nonce_len - 8]).expect("room for the counter");
            Sealer::new(key, counter).expect("room for the counter")
        };
        Self { sealers: keys.map(sealer).collect(), next: 0, tags: vec![[0; 16]; arena.len()], arena }
    }
}

impl Work for Sealers {
    fn run(&mut self, _: &mut Bench, batches: u64) {
        let Self { sealers, next, arena, tags } = self;
        for _ in 0..batches {
            for (buf, tag) in arena.each().zip(tags.iter_mut()) {
                sealers[*next].seal_detached(b"", buf, tag).expect("far from the key's limit");
                *next = if *next + 1 == sealers.len() { 0 } else { *next + 1 };
            }
            black_box(&mut *tags);
        }
    }
}
