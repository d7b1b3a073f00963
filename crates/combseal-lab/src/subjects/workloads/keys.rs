//! Many keys in use at once, and one message at a time. Each is sealed under a key drawn at random, so that
//! contexts miss the caches as they do on a busy server (Bernstein 2007); or under the next key, where a key comes
//! again after all others. That is the best case for a prefetcher, which sees contexts in the order in which they lie.

use super::ring::Ring;
use crate::measure::{Bench, Random, Work};
use crate::subjects::candidate::{CountingNonce, Keyed, Tailed};
use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

/// Keys of which one is drawn for each message.
struct Keys<C> {
    /// Shared by the points of all counts, each of which uses the first so many.
    keys: Rc<RefCell<Vec<C>>>,
    count: u64,
    /// A linear congruence, so that drawing costs a product and no memory.
    draw: u64,
    nonce: CountingNonce,
    ring: Ring,
    tail: Vec<u8>,
}

/// For each of `counts`, the loop that seals `bytes` bytes under one of so many keys.
pub(crate) fn many<C: Tailed + 'static>(
    setup: &dyn Fn(&[u8]) -> C,
    key_len: usize,
    counts: &[usize],
    bytes: usize,
) -> Vec<Box<dyn Work>> {
    let all = drawn(setup, key_len, counts.iter().copied().max().unwrap_or(0));
    let (nonce_len, tail_len) =
        all.first().map_or((0, 0), |one| (Tailed::nonce_len(one), Tailed::tail_len(one, bytes)));
    let keys = Rc::new(RefCell::new(all));
    let work = |&count: &usize| -> Box<dyn Work> {
        Box::new(Keys {
            keys: Rc::clone(&keys),
            count: count as u64,
            draw: 1,
            nonce: CountingNonce::new(nonce_len, 1),
            ring: Ring { messages: 1, ..Ring::new(bytes) },
            tail: vec![0; tail_len],
        })
    };
    counts.iter().map(work).collect()
}

/// So many keys, their bytes drawn at random.
fn drawn<C>(setup: &dyn Fn(&[u8]) -> C, key_len: usize, count: usize) -> Vec<C> {
    let mut random = Random::new(2007);
    let mut key = vec![0; key_len];
    let one = |_| {
        random.fill(&mut key);
        setup(&key)
    };
    (0..count).map(one).collect()
}

impl<C: Tailed> Work for Keys<C> {
    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let Keys { keys, count, draw, nonce, ring, tail } = self;
        let mut keys = keys.borrow_mut();
        ring.walk(bench, messages, |buf| {
            *draw = draw.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let one = ((*draw >> 32) * *count) >> 32;
            Keyed::seal_next(&mut keys[one as usize], nonce, black_box(b""), buf, black_box(tail));
        });
    }
}

/// Keys that take turns. Each lies by itself, as those of the mix do, in the order in which they were made.
struct InTurn<C> {
    keys: Vec<Box<C>>,
    /// The place of the next message's, which goes on from sample to sample.
    next: usize,
    nonce: CountingNonce,
    ring: Ring,
    tail: Vec<u8>,
}

/// The loop that seals `bytes` bytes under each of `count` keys, one at least, in turn.
pub(crate) fn in_turn<C: Tailed + 'static>(
    setup: &dyn Fn(&[u8]) -> C,
    key_len: usize,
    count: usize,
    bytes: usize,
) -> Box<dyn Work> {
    let boxed = |key: &[u8]| Box::new(setup(key));
    let keys = drawn(&boxed, key_len, count);
    let nonce = CountingNonce::new(Tailed::nonce_len(&*keys[0]), 1);
    let tail = vec![0; Tailed::tail_len(&*keys[0], bytes)];
    Box::new(InTurn { keys, next: 0, nonce, ring: Ring { messages: 1, ..Ring::new(bytes) }, tail })
}

/// The place behind `at`, going round.
#[inline(always)]
pub(super) fn behind(at: usize, count: usize) -> usize {
    if at + 1 == count { 0 } else { at + 1 }
}

impl<C: Tailed> Work for InTurn<C> {
    /// Each key has its turn, so that no context that is timed was last read before another point's sample.
    fn warm(&mut self, bench: &mut Bench) {
        self.run(bench, self.keys.len() as u64);
    }

    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let InTurn { keys, next, nonce, ring, tail } = self;
        ring.walk(bench, messages, |buf| {
            Keyed::seal_next(&mut *keys[*next], nonce, black_box(b""), buf, black_box(tail));
            *next = behind(*next, keys.len());
        });
    }
}
