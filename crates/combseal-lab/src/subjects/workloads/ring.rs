//! A ring of messages for a loop to go round. There are several, so that no message waits for the
//! one before, and no more than stay in the L1 cache.

use crate::measure::{Bench, RING_BYTES, RING_MESSAGES};
use std::hint::black_box;

/// Where the messages of a loop lie: `messages` of `bytes` bytes, each at a cache line's start.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    pub(super) messages: usize,
    pub(super) stride: usize,
    pub(super) bytes: usize,
}

impl Ring {
    pub(super) fn new(bytes: usize) -> Self {
        let stride = bytes.next_multiple_of(64).max(64);
        Ring { messages: (RING_BYTES / stride).clamp(1, RING_MESSAGES), stride, bytes }
    }

    /// Does `act` on `messages` messages, round and round.
    #[inline(always)]
    pub(super) fn walk(self, bench: &mut Bench, messages: u64, mut act: impl FnMut(&mut [u8])) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_stays_in_the_cache() {
        assert_eq!(Ring::new(1).messages, 256);
        assert_eq!(Ring::new(1500).messages, 10);
        assert_eq!(Ring::new(1 << 20).messages, 1);
    }
}
