//! The memory of a batch's messages: one stretch, in which each begins at a cache line.

use crate::measure::Random;

/// The messages.
pub(super) struct Arena {
    bytes: Vec<u8>,
    lengths: Vec<usize>,
}

impl Arena {
    /// Messages of these lengths, filled at random.
    pub(super) fn new(lengths: Vec<usize>) -> Self {
        let mut bytes = vec![0; lengths.iter().map(|n| stride(*n)).sum()];
        Random::new(2014).fill(&mut bytes);
        Self { bytes, lengths }
    }

    /// How many messages there are.
    pub(super) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Each message.
    #[inline(always)]
    pub(super) fn each(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let mut rest = &mut self.bytes[..];
        self.lengths.iter().map(move |&n| {
            let (mine, others) = std::mem::take(&mut rest).split_at_mut(stride(n));
            rest = others;
            &mut mine[..n]
        })
    }
}

/// Bytes from a message of `len` to the next: an odd number of cache lines, lest messages of
/// one length share a few of the cache's sets.
fn stride(len: usize) -> usize {
    (len.div_ceil(64) | 1) * 64
}
