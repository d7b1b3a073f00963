//! The loops over messages of one length: sealing, opening, and refusing forgeries.
//!
//! Opening needs care, because opening in place consumes the ciphertext. Each burst therefore first
//! *seals* a ring of messages in place, untimed, and then opens each of them once, timed. Nothing
//! is copied, so there is no copying to subtract, the ring stays in the L1 cache, and the candidate
//! opens what it sealed itself. Refusing needs no such thing: a forged message stays forged whatever
//! a failed open leaves in the buffer (zeros, plaintext or ciphertext), so one buffer will do.

use super::ring::Ring;
use crate::measure::{Bench, Work};
use crate::subjects::candidate::{CountingNonce, Tailed};
use crate::subjects::op::Op;
use std::hint::black_box;

/// Which buffers `seal` and `reject` work on. (`open` goes round a ring, unless it is `Single`.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Buffers {
    /// One hot buffer, again and again: what the published figures and our bars mean. A short
    /// message then waits for the one before, whose ciphertext is its plaintext.
    #[default]
    One,
    /// A ring of buffers in the L1 cache: independent messages.
    Ring,
    /// One buffer for opening too: each message is sealed, and then timed by itself.
    Single,
}

/// The loop of `op` for `candidate`; key setup has [`Setup`](super::setup::Setup).
pub(crate) fn work<C: Tailed + 'static>(candidate: C, op: Op, bytes: usize, buffers: Buffers) -> Box<dyn Work> {
    // OCB's Ktop serves 64 nonces in a row: in steps of 64, each needs its own.
    let nonce = CountingNonce::new(candidate.nonce_len(), if op == Op::SealFresh { 64 } else { 1 });
    let ring = match buffers {
        Buffers::Ring => Ring::new(bytes),
        Buffers::One | Buffers::Single => Ring { messages: 1, ..Ring::new(bytes) },
    };
    let opened = if buffers == Buffers::Single { ring } else { Ring::new(bytes) };
    let tail = vec![0x5a; candidate.tail_len(bytes)];
    match op {
        Op::Seal => Box::new(Seal { candidate, nonce, ring, tail }),
        Op::SealFresh => Box::new(SealFresh { candidate, nonce, ring, tail }),
        Op::Open => Box::new(Open { candidate, nonce, ring: opened, tail_len: tail.len(), faults: 0 }),
        Op::Reject => Box::new(Reject { candidate, nonce, ring, tail, faults: 0 }),
        Op::Setup => unreachable!("made from the setup function, not from a candidate"),
    }
}

/// Empty associated data, of which the compiler cannot know that it is empty.
fn no_data() -> &'static [u8] {
    black_box(b"")
}

struct Seal<C> {
    candidate: C,
    nonce: CountingNonce,
    ring: Ring,
    tail: Vec<u8>,
}

impl<C: Tailed> Work for Seal<C> {
    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let ad = no_data();
        self.ring.walk(bench, messages, |buf| {
            self.candidate.seal_next_unseen(&mut self.nonce, ad, buf, &mut self.tail);
        });
    }
}

struct SealFresh<C> {
    candidate: C,
    nonce: CountingNonce,
    ring: Ring,
    tail: Vec<u8>,
}

impl<C: Tailed> Work for SealFresh<C> {
    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let ad = no_data();
        self.ring.walk(bench, messages, |buf| {
            self.candidate.seal_unseen(self.nonce.bump(), ad, buf, &mut self.tail);
        });
    }
}

/// Ciphertexts are sealed into the ring by [`prepare`](Work::prepare); a burst opens them all.
struct Open<C> {
    candidate: C,
    nonce: CountingNonce,
    ring: Ring,
    tail_len: usize,
    faults: u64,
}

impl<C: Tailed> Work for Open<C> {
    fn burst(&self) -> Option<u64> {
        Some(self.ring.messages as u64)
    }

    fn prepare(&mut self, bench: &mut Bench) {
        // The burst counts the same nonces again.
        let mut nonce = self.nonce.clone();
        bench.make_room_for_tails(self.ring.messages * self.tail_len);
        let Bench { pages, offset, tails, .. } = bench;
        for (slot, tail) in tails.chunks_exact_mut(self.tail_len).take(self.ring.messages).enumerate() {
            let buf = &mut pages[*offset + slot * self.ring.stride..][..self.ring.bytes];
            self.candidate.seal(nonce.bump(), b"", buf, tail);
        }
    }

    fn run(&mut self, bench: &mut Bench, messages: u64) {
        debug_assert_eq!(Some(messages), self.burst());
        let ad = no_data();
        let Bench { pages, offset, tails, .. } = bench;
        let mut faults = 0;
        for (slot, tail) in tails.chunks_exact(self.tail_len).take(self.ring.messages).enumerate() {
            let buf = &mut pages[*offset + slot * self.ring.stride..][..self.ring.bytes];
            let good = self.candidate.open(self.nonce.bump(), ad, black_box(buf), tail);
            faults += u64::from(!black_box(good));
        }
        self.faults += faults;
    }

    fn faults(&self) -> u64 {
        self.faults
    }
}

/// Whatever the buffer holds, the tag is wrong.
struct Reject<C> {
    candidate: C,
    nonce: CountingNonce,
    ring: Ring,
    tail: Vec<u8>,
    faults: u64,
}

impl<C: Tailed> Work for Reject<C> {
    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let mut faults = 0;
        let ad = no_data();
        self.ring.walk(bench, messages, |buf| {
            let good = self.candidate.open(self.nonce.bump(), ad, buf, black_box(&self.tail));
            faults += u64::from(black_box(good));
        });
        self.faults += faults;
    }

    fn faults(&self) -> u64 {
        self.faults
    }
}
