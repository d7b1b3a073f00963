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
    faults: u64,
}

/// The loop of sealing or opening `bytes` bytes with `ad` bytes of associated data: sealing in
/// one hot buffer, opening round a ring, as without data.
pub(crate) fn data(keyed: Box<dyn Keyed>, op: Op, bytes: usize, ad: usize) -> Box<dyn Work> {
    assert!(matches!(op, Op::Seal | Op::Open), "messages are sealed or opened");
    let nonce = CountingNonce::new(keyed.nonce_len(), 1);
    let ring = Ring::new(bytes);
    let ring = if op == Op::Seal { Ring { messages: 1, ..ring } } else { ring };
    Box::new(WithData { keyed, op, nonce, ring, ad: vec![0xad; ad], faults: 0 })
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
        for slot in 0..self.ring.messages {
            let buf = bench.message(slot, self.ring.stride, self.ring.bytes);
            bench.tags[slot] = self.keyed.seal(nonce.bump(), renew(&mut self.ad, slot), buf);
        }
    }

    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let WithData { keyed, nonce, ring, ad, .. } = self;
        if self.op == Op::Seal {
            let mut slot = 0;
            ring.walk(bench, messages, |buf| {
                slot += 1;
                black_box(keyed.seal_next(nonce, renew(ad, slot), buf));
            });
            return;
        }
        for slot in 0..ring.messages {
            let tag = bench.tags[slot];
            let buf = black_box(bench.message(slot, ring.stride, ring.bytes));
            let good = keyed.open(nonce.bump(), renew(ad, slot), buf, &tag);
            self.faults += u64::from(!black_box(good));
        }
    }

    fn faults(&self) -> u64 {
        self.faults
    }
}
