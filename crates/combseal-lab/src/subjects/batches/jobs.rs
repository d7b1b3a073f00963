//! Whole batches of a scheme of authenticated encryption, as timed loops: sealed again and again, or opened.
//!
//! Opening in place consumes the ciphertext. So all messages are sealed in place before each batch, untimed,
//! as [single messages](crate::subjects::workloads) are, and then opened once, timed.

use super::arena::Arena;
use super::turns::Turns;
use super::way::Way;
use crate::measure::{Bench, Work};
use combseal::{Batch, Key, Outcome};
use combseal_archive as archive;
use std::hint::black_box;

/// A batch that can be sealed, and opened again.
pub(super) trait Jobs {
    /// Seals all messages under the next nonces and the next keys.
    fn seal(&mut self);

    /// Opens them under the nonces and the keys of the last sealing. Says how many were refused.
    fn open(&mut self) -> u64;
}

/// A batch that is sealed.
pub(super) struct Sealing(pub(super) Box<dyn Jobs>);

impl Work for Sealing {
    fn run(&mut self, _: &mut Bench, batches: u64) {
        for _ in 0..batches {
            self.0.seal();
        }
    }
}

/// A batch that is opened.
pub(super) struct Opening {
    jobs: Box<dyn Jobs>,
    faults: u64,
}

impl Opening {
    pub(super) fn new(jobs: Box<dyn Jobs>) -> Self {
        Self { jobs, faults: 0 }
    }
}

impl Work for Opening {
    fn burst(&self) -> Option<u64> {
        Some(1)
    }

    fn prepare(&mut self, _: &mut Bench) {
        self.jobs.seal();
    }

    fn run(&mut self, _: &mut Bench, batches: u64) {
        debug_assert_eq!(Some(batches), self.burst());
        self.faults += self.jobs.open();
    }

    fn faults(&self) -> u64 {
        self.faults
    }
}

/// The nonces of a batch's messages: they count on, so that no batch repeats one.
struct Nonces<const N: usize> {
    all: Vec<[u8; N]>,
    /// As many bytes as the scheme wants.
    len: usize,
    next: u64,
}

impl<const N: usize> Nonces<N> {
    fn new(count: usize, len: usize) -> Self {
        Self { all: vec![[7; N]; count], len, next: 0 }
    }

    #[inline(always)]
    fn count_on(&mut self) {
        for nonce in &mut self.all {
            self.next += 1;
            nonce[self.len - 8..self.len].copy_from_slice(&self.next.to_be_bytes());
        }
    }

    #[inline(always)]
    fn each(&self) -> impl Iterator<Item = &[u8]> {
        self.all.iter().map(|nonce| &nonce[..self.len])
    }
}

/// A scheme of the library, in batches.
pub(super) struct Aeads {
    keys: Turns<Key>,
    /// The place of the first message's key in the last sealing.
    first: usize,
    arena: Arena,
    nonces: Nonces<32>,
    tags: Vec<[u8; 16]>,
    /// The batch before, in whose memory the next one is made.
    batch: Option<Outcome>,
}

impl Aeads {
    /// On so many lanes, or on as many as suit the tier.
    pub(super) fn new(keys: Turns<Key>, nonce_len: usize, lanes: Option<usize>, arena: Arena) -> Self {
        let batch = lanes.map_or_else(Batch::new, Batch::with_lanes);
        Self {
            first: keys.next(),
            keys,
            nonces: Nonces::new(arena.len(), nonce_len),
            tags: vec![[0; 16]; arena.len()],
            batch: Some(batch.run()),
            arena,
        }
    }
}

impl Jobs for Aeads {
    fn seal(&mut self) {
        let Self { keys, first, arena, nonces, tags, batch } = self;
        *first = keys.next();
        nonces.count_on();
        let mut mine = batch.take().map_or_else(Batch::new, Outcome::reuse);
        for (((buf, tag), nonce), key) in arena.each().zip(tags.iter_mut()).zip(nonces.each()).zip(keys.take()) {
            mine.seal(key, nonce, b"", buf, tag);
        }
        let done = mine.run();
        assert!(done.iter().all(Result::is_ok));
        *batch = Some(done);
        black_box(&mut *tags);
    }

    fn open(&mut self) -> u64 {
        let Self { keys, first, arena, nonces, tags, batch } = self;
        keys.back_to(*first);
        let mut mine = batch.take().map_or_else(Batch::new, Outcome::reuse);
        for (((buf, tag), nonce), key) in arena.each().zip(tags.iter()).zip(nonces.each()).zip(keys.take()) {
            mine.open(key, nonce, b"", buf, tag);
        }
        let done = mine.run();
        let refused = done.iter().filter(|result| result.is_err()).count() as u64;
        *batch = Some(done);
        black_box(arena);
        refused
    }
}

/// A scheme of the archive: sealed in batches or one message after the other, opened in batches.
pub(super) struct Archived {
    keys: Turns<archive::Key>,
    /// The place of the first message's key in the last sealing.
    first: usize,
    arena: Arena,
    nonces: Nonces<16>,
    tails: Vec<Vec<u8>>,
    way: Way,
}

impl Archived {
    /// `tails` have room for what sealing adds to each message.
    pub(super) fn new(
        keys: Turns<archive::Key>,
        nonce_len: usize,
        way: Way,
        arena: Arena,
        tails: Vec<Vec<u8>>,
    ) -> Self {
        Self { first: keys.next(), keys, nonces: Nonces::new(arena.len(), nonce_len), arena, tails, way }
    }
}

/// An empty batch on the lanes of a way.
fn archived_batch<'a>(way: Way) -> archive::Batch<'a> {
    match way {
        Way::Comb(Some(lanes)) => archive::Batch::with_lanes(lanes),
        _ => archive::Batch::new(),
    }
}

impl Jobs for Archived {
    fn seal(&mut self) {
        let Self { keys, first, arena, nonces, tails, way } = self;
        *first = keys.next();
        nonces.count_on();
        let jobs = arena.each().zip(tails.iter_mut()).zip(nonces.each()).zip(keys.take());
        if *way == Way::Single {
            for (((buf, tail), nonce), key) in jobs {
                key.seal_in_place(nonce, b"", buf, tail).expect("legal lengths");
            }
        } else {
            let mut batch = archived_batch(*way);
            for (((buf, tail), nonce), key) in jobs {
                batch.seal(key, nonce, b"", buf, tail);
            }
            assert!(batch.run().iter().all(Result::is_ok));
        }
        black_box(&mut *tails);
    }

    fn open(&mut self) -> u64 {
        let Self { keys, first, arena, nonces, tails, way } = self;
        keys.back_to(*first);
        let mut batch = archived_batch(*way);
        for (((buf, tail), nonce), key) in arena.each().zip(tails.iter()).zip(nonces.each()).zip(keys.take()) {
            batch.open(key, nonce, b"", buf, tail);
        }
        let refused = batch.run().iter().filter(|result| result.is_err()).count();
        black_box(arena);
        refused as u64
    }
}
