//! Many keys in use at once. Each message is sealed under a key drawn at random, so that contexts
//! miss the caches as they do on a busy server (Bernstein 2007).

use super::ring::Ring;
use crate::measure::{Bench, Random, Work};
use crate::subjects::candidate::{CountingNonce, Keyed, Tailed};
use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

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
    let mut random = Random::new(2007);
    let most = counts.iter().copied().max().unwrap_or(0);
    let mut key = vec![0; key_len];
    let all = (0..most).map(|_| {
        random.fill(&mut key);
        setup(&key)
    });
    let all: Vec<C> = all.collect();
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
