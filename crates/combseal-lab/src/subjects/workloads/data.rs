//! Messages with associated data that differs from message to message. Some sealers keep the hash
//! of data that stays the same, and would be measured doing nothing.

use super::ring::Ring;
use crate::measure::{Bench, Work};
use crate::subjects::candidate::{CountingNonce, Keyed};
use crate::subjects::op::Op;
use std::hint::black_box;

struct WithData {
    keyed: Box<dyn Keyed>,
    op: Op,
    nonce: CountingNonce,
    ring: Ring,
    ad: Vec<u8>,
    tail: Vec<u8>,
    faults: u64,
}

/// The loop of sealing or opening `bytes` bytes with `ad` bytes of associated data: sealing in
/// one hot buffer, opening round a ring, as without data.
pub(crate) fn data(keyed: Box<dyn Keyed>, op: Op, bytes: usize, ad: usize) -> Box<dyn Work> {
    assert!(matches!(op, Op::Seal | Op::Open), "messages are sealed or opened");
    let nonce = CountingNonce::new(keyed.nonce_len(), 1);
    let ring = Ring::new(bytes);
    let ring = if op == Op::Seal { Ring { messages: 1, ..ring } } else { ring };
    let tail = vec![0; keyed.tail_len(bytes)];
    Box::new(WithData { keyed, op, nonce, ring, ad: vec![0xad; ad], tail, faults: 0 })
}

/// The data of message number `slot`.
#[inline(always)]
fn renew(ad: &mut [u8], slot: usize) -> &[u8] {
    if let Some(first) = ad.first_mut() {
        *first = slot as u8;
    }
    black_box(ad)
}

impl Work for WithData {
    fn burst(&self) -> Option<u64> {
        (self.op == Op::Open).then_some(self.ring.messages as u64)
    }

    fn prepare(&mut self, bench: &mut Bench) {
        let mut nonce = self.nonce.clone();
        let Ring { messages, stride, bytes } = self.ring;
        bench.make_room_for_tails(messages * self.tail.len());
        let Bench { pages, offset, tails, .. } = bench;
        for (slot, tail) in tails.chunks_exact_mut(self.tail.len()).take(messages).enumerate() {
            let buf = &mut pages[*offset + slot * stride..][..bytes];
            self.keyed.seal(nonce.bump(), renew(&mut self.ad, slot), buf, tail);
        }
    }

    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let WithData { keyed, nonce, ring, ad, tail, .. } = self;
        if self.op == Op::Seal {
            let mut slot = 0;
            ring.walk(bench, messages, |buf| {
                slot += 1;
                keyed.seal_next(nonce, renew(ad, slot), buf, black_box(tail));
            });
            return;
        }
        let Bench { pages, offset, tails, .. } = bench;
        for (slot, tail) in tails.chunks_exact(tail.len()).take(ring.messages).enumerate() {
            let buf = black_box(&mut pages[*offset + slot * ring.stride..][..ring.bytes]);
            let good = keyed.open(nonce.bump(), renew(ad, slot), buf, tail);
            self.faults += u64::from(!black_box(good));
        }
    }

    fn faults(&self) -> u64 {
        self.faults
    }
}
