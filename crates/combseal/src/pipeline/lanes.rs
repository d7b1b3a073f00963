//! Up to 16 messages side by side: a register holds the same block of each of several.
//!
//! It is `unsafe` inside, as it holds the messages by pointers of which one may be both
//! source and destination ([`InOut`]).
#![allow(unsafe_code)]

use super::plan::MAX_LANES;
use crate::cpu::{Backend, Block, InOut};
use core::marker::PhantomData;

/// Whole blocks of one message: read, or read and written.
pub struct Blocks<'a> {
    src: *const u8,
    /// Null where nothing is to be written.
    dst: *mut u8,
    count: usize,
    life: PhantomData<&'a mut [u8]>,
}

impl<'a> Blocks<'a> {
    /// The whole blocks of `data`, to be read only.
    #[inline(always)]
    pub fn read(data: &'a [u8]) -> Self {
        Self { src: data.as_ptr(), dst: core::ptr::null_mut(), count: data.len() / 16, life: PhantomData }
    }

    /// The whole blocks of `io`, to be read and written.
    #[inline(always)]
    pub fn write(io: InOut<'a>) -> Self {
        let (src, dst, len) = io.into_raw();
        Self { src, dst, count: len / 16, life: PhantomData }
    }
}

/// Messages side by side, each a run of whole blocks: lane `i` of a kernel is a
/// block of message `i`. Lanes beyond the last message read the first once more
/// and write nothing, so that a kernel may be wider than there are messages.
pub struct Lanes<'a> {
    src: [*const u8; MAX_LANES],
    dst: [*mut u8; MAX_LANES],
    counts: [usize; MAX_LANES],
    len: usize,
    /// Whether no message is longer than the one before it.
    sorted: bool,
    /// From here on, lanes read the first message.
    idle: usize,
    /// Blocks that every lane has, by `narrow`.
    end: usize,
    life: PhantomData<&'a mut [u8]>,
}

impl Default for Lanes<'_> {
    /// No messages.
    #[inline(always)]
    fn default() -> Self {
        let (src, dst) = ([core::ptr::null(); MAX_LANES], [core::ptr::null_mut(); MAX_LANES]);
        let counts = [0; MAX_LANES];
        Self { src, dst, counts, len: 0, sorted: true, idle: MAX_LANES, end: 0, life: PhantomData }
    }
}

impl<'a> Lanes<'a> {
    /// `count` messages, at most [`MAX_LANES`].
    #[inline(always)]
    pub fn of(count: usize, mut message: impl FnMut(usize) -> Blocks<'a>) -> Self {
        let mut it = Self::default();
        let (mut before, mut sorted) = (usize::MAX, true);
        for i in 0..count.min(MAX_LANES) {
            let message = message(i);
            (it.src[i], it.dst[i], it.counts[i]) = (message.src, message.dst, message.count);
            sorted &= message.count <= before;
            before = message.count;
        }
        (it.len, it.sorted) = (count.min(MAX_LANES), sorted);
        it
    }

    /// Whether no message is longer than the one before it.
    #[inline(always)]
    pub fn is_sorted(&self) -> bool {
        self.sorted
    }

    /// How many messages.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[cfg(feature = "internals")]
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Blocks in each message.
    #[inline(always)]
    pub fn counts(&self) -> &[usize; MAX_LANES] {
        &self.counts
    }

    /// Message `order[i]` in the place of message `i`; `order` begins with the numbers
    /// below [`len`](Self::len), each once, or this panics.
    pub fn permute(&mut self, order: &[usize; MAX_LANES]) {
        let (src, dst, counts) = (self.src, self.dst, self.counts);
        let mut seen = 0u32;
        for &from in &order[..self.len] {
            assert!(from < self.len && seen >> from & 1 == 0);
            seen |= 1 << from;
        }
        // What `narrow` found out is no longer true.
        self.end = 0;
        for i in 0..self.len {
            (self.src[i], self.dst[i], self.counts[i]) = (src[order[i]], dst[order[i]], counts[order[i]]);
        }
        self.sorted = self.counts[..self.len].is_sorted_by(|a, b| a >= b);
    }

    /// Only the first `width` messages go on, up to block `end`. Panics if one of
    /// them is shorter, if there are none, or if they are not sorted.
    #[inline(always)]
    pub fn narrow(&mut self, width: usize, end: usize) {
        assert!(width > 0 && width <= self.len);
        // The last is the shortest.
        assert!(self.sorted && end <= self.counts[width - 1]);
        for i in width..self.idle {
            (self.src[i], self.dst[i]) = (self.src[0], core::ptr::null_mut());
        }
        (self.len, self.idle, self.end) = (width, width, end);
    }

    /// Register `j` of the lanes' blocks `t`, which are before the `end` last given.
    #[inline(always)]
    pub fn load<B: Backend>(&self, b: B, j: usize, t: usize) -> B::V {
        assert!(t < self.end && (j + 1) * B::BLOCKS <= MAX_LANES);
        // SAFETY: `end` is zero until `narrow` saw to it that every lane has as many
        // blocks; nothing writes them while `self` is borrowed.
        b.gather(|i| unsafe { &*self.src[j * B::BLOCKS + i].add(16 * t).cast::<Block>() })
    }

    /// Writes register `j` to the lanes' blocks `t`, of those lanes that are there
    /// and that write.
    #[inline(always)]
    pub fn store<B: Backend>(&mut self, b: B, j: usize, t: usize, v: B::V) {
        assert!(t < self.end && (j + 1) * B::BLOCKS <= MAX_LANES);
        let one = b.one();
        let lanes = b.split(v);
        for i in 0..B::BLOCKS {
            let dst = self.dst[j * B::BLOCKS + i];
            if !dst.is_null() {
                // SAFETY: as in `load`; `self` is borrowed mutably, and a message's
                // source and destination are the same place or apart.
                one.store(unsafe { &mut *dst.add(16 * t).cast::<Block>() }, lanes[i]);
            }
        }
    }
}
