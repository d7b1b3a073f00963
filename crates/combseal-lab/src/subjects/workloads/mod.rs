//! The timed loops: an operation on messages of one length, the same loop for every candidate.
//!
//! How `open` is timed needs care, because opening in place consumes the ciphertext: each burst
//! first *seals* a ring of messages in place, untimed, and then opens each of them once, timed.
//! Nothing is copied, so there is no copying to subtract, the ring stays in the L1 cache, and
//! the candidate opens what it sealed itself. `reject` needs no such thing: a forged message
//! stays forged whatever a failed open leaves in the buffer (zeros, plaintext or ciphertext),
//! so it uses one hot buffer.

mod batch;
mod data;
mod keys;
mod mix;

pub(crate) use batch::{batch, batches};
pub(crate) use data::data;
pub(crate) use keys::many;
pub(crate) use mix::mix;
pub use mix::room;

use super::subject::{Candidate, CountingNonce, Op};
use crate::measure::{Bench, RING_BYTES, RING_MESSAGES, Work};
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

/// The loop of `op` for `candidate`; key setup has [`Setup`].
pub(crate) fn work<C: Candidate + 'static>(candidate: C, op: Op, bytes: usize, buffers: Buffers) -> Box<dyn Work> {
    // OCB's Ktop serves 64 nonces in a row: in steps of 64, each needs its own.
    let nonce = CountingNonce::new(C::NONCE_LEN, if op == Op::SealFresh { 64 } else { 1 });
    let ring = match buffers {
        Buffers::Ring => Ring::new(bytes),
        Buffers::One | Buffers::Single => Ring { messages: 1, ..Ring::new(bytes) },
    };
    let opened = if buffers == Buffers::Single { ring } else { Ring::new(bytes) };
    match op {
        Op::Seal => Box::new(Seal { candidate, nonce, ring }),
        Op::SealFresh => Box::new(SealFresh { candidate, nonce, ring }),
        Op::Open => Box::new(Open { candidate, nonce, ring: opened, faults: 0 }),
        Op::Reject => Box::new(Reject { candidate, nonce, ring, faults: 0 }),
        Op::Setup => unreachable!("made from the setup function, not from a candidate"),
    }
}

/// Where the messages of a loop lie: `messages` of `bytes` bytes, each at a cache line's start.
#[derive(Clone, Copy)]
struct Ring {
    messages: usize,
    stride: usize,
    bytes: usize,
}

impl Ring {
    fn new(bytes: usize) -> Self {
        let stride = bytes.next_multiple_of(64).max(64);
        Ring { messages: (RING_BYTES / stride).clamp(1, RING_MESSAGES), stride, bytes }
    }

    /// Does `act` on `messages` messages, round and round.
    #[inline(always)]
    fn walk(self, bench: &mut Bench, messages: u64, mut act: impl FnMut(&mut [u8])) {
        if self.messages == 1 {
            // The same slice each time, without the arithmetic of a ring.
            let buf = bench.message(0, self.stride, self.bytes);
            for _ in 0..messages {
                act(black_box(&mut *buf));
            }
        } else {
            let mut slot = 0;
            for _ in 0..messages {
                act(black_box(bench.message(slot, self.stride, self.bytes)));
                slot = if slot + 1 == self.messages { 0 } else { slot + 1 };
            }
        }
    }
}

/// No associated data, without the compiler knowing.
fn no_data() -> &'static [u8] {
    black_box(b"")
}

struct Seal<C> {
    candidate: C,
    nonce: CountingNonce,
    ring: Ring,
}

impl<C: Candidate> Work for Seal<C> {
    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let ad = no_data();
        self.ring.walk(bench, messages, |buf| {
            black_box(self.candidate.seal_next(&mut self.nonce, ad, buf));
        });
    }
}

struct SealFresh<C> {
    candidate: C,
    nonce: CountingNonce,
    ring: Ring,
}

impl<C: Candidate> Work for SealFresh<C> {
    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let ad = no_data();
        self.ring.walk(bench, messages, |buf| {
            black_box(self.candidate.seal(self.nonce.bump(), ad, buf));
        });
    }
}

/// Ciphertexts are sealed into the ring by [`prepare`](Work::prepare); a burst opens them all.
struct Open<C> {
    candidate: C,
    nonce: CountingNonce,
    ring: Ring,
    faults: u64,
}

impl<C: Candidate> Work for Open<C> {
    fn burst(&self) -> Option<u64> {
        Some(self.ring.messages as u64)
    }

    fn prepare(&mut self, bench: &mut Bench) {
        // The burst counts the same nonces again.
        let mut nonce = self.nonce.clone();
        for slot in 0..self.ring.messages {
            let buf = bench.message(slot, self.ring.stride, self.ring.bytes);
            bench.tags[slot] = self.candidate.seal(nonce.bump(), b"", buf);
        }
    }

    fn run(&mut self, bench: &mut Bench, messages: u64) {
        debug_assert_eq!(Some(messages), self.burst());
        let ad = no_data();
        let Bench { pages, offset, tags, .. } = bench;
        let mut faults = 0;
        for (slot, tag) in tags[..self.ring.messages].iter().enumerate() {
            let buf = &mut pages[*offset + slot * self.ring.stride..][..self.ring.bytes];
            let good = self.candidate.open(self.nonce.bump(), ad, black_box(buf), tag);
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
    faults: u64,
}

impl<C: Candidate> Work for Reject<C> {
    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let tag = [0x5a; 16];
        let mut faults = 0;
        let ad = no_data();
        self.ring.walk(bench, messages, |buf| {
            let good = self.candidate.open(self.nonce.bump(), ad, buf, black_box(&tag));
            faults += u64::from(black_box(good));
        });
        self.faults += faults;
    }

    fn faults(&self) -> u64 {
        self.faults
    }
}

pub(crate) struct Setup<F, T> {
    setup: F,
    key: Vec<u8>,
    context: T,
}

impl<T, F: Fn(&[u8]) -> T> Setup<F, T> {
    pub(crate) fn new(setup: F, key: &[u8]) -> Self {
        Setup { context: setup(key), setup, key: key.to_vec() }
    }
}

impl<T, F: Fn(&[u8]) -> T> Work for Setup<F, T> {
    fn run(&mut self, _bench: &mut Bench, messages: u64) {
        for _ in 0..messages {
            // Dropping the context before it is part of it: whoever changes keys pays for that.
            self.context = (self.setup)(black_box(&self.key));
            black_box(&mut self.context);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Width;
    use crate::subjects::subject::{Implementation, Scheme, Tag};

    /// A toy that keeps count of what it is asked: XOR with the nonce's last byte.
    struct Toy;

    impl Candidate for Toy {
        fn seal(&mut self, nonce: &[u8], _ad: &[u8], buf: &mut [u8]) -> Tag {
            buf.iter_mut().for_each(|b| *b ^= nonce[11]);
            [nonce[11]; 16]
        }
        fn open(&mut self, nonce: &[u8], _ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
            buf.iter_mut().for_each(|b| *b ^= nonce[11]);
            *tag == [nonce[11]; 16]
        }
    }

    fn toy() -> Implementation {
        Implementation::new(Scheme::Gcm, 128, "toy", Width::W128, |_| Toy)
    }

    #[test]
    fn every_loop_runs_and_open_finds_what_prepare_sealed() {
        for bytes in [0, 1, 64, 100, 1500, 16384, 20000] {
            let mut bench = Bench::new(bytes);
            for buffers in [Buffers::One, Buffers::Ring] {
                for op in Op::ALL.into_iter().filter(|op| op.applies_to(Scheme::Gcm)) {
                    let mut work = toy().work(op, bytes, buffers);
                    let burst = work.burst().unwrap_or(300);
                    for _ in 0..3 {
                        work.prepare(&mut bench);
                        work.run(&mut bench, burst);
                    }
                    // The toy's one-byte tags collide with the forged one once in 256.
                    let allowed = if op == Op::Reject { 4 } else { 0 };
                    assert!(work.faults() <= allowed, "{op:?} {bytes}: {}", work.faults());
                }
            }
        }
    }

    #[test]
    fn data_and_mixes_and_keys() {
        let mut bench = Bench::new(super::room(&[40, 1500, 0, 100]));
        let mut all = toy().keys(&[1, 8], 100);
        for op in [Op::Seal, Op::Open] {
            all.push(toy().work_with_data(op, 100, 20));
            all.push(toy().work_on_mix(op, &[40, 1500, 0, 100]));
            all.push(toy().work(op, 100, Buffers::Single));
        }
        for work in &mut all {
            for _ in 0..3 {
                work.prepare(&mut bench);
                work.run(&mut bench, work.burst().unwrap_or(300));
            }
            assert_eq!(work.faults(), 0);
        }
        assert_eq!(all.len(), 8);
    }

    #[test]
    fn opening_without_sealing_first_is_noticed() {
        let mut bench = Bench::new(64);
        let mut work = toy().work(Op::Open, 64, Buffers::Ring);
        work.run(&mut bench, work.burst().unwrap());
        assert!(work.faults() > 0);
    }

    #[test]
    fn a_ring_stays_in_the_cache() {
        assert_eq!(Ring::new(1).messages, 256);
        assert_eq!(Ring::new(1500).messages, 10);
        assert_eq!(Ring::new(1 << 20).messages, 1);
    }
}
