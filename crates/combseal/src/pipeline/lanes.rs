//! Messages as the kernels see them: read here, written there, or in place.
//!
//! [`InOut`] makes "in place" and "separate buffers" one type, so that every
//! kernel is written and compiled once. It is `unsafe` inside because one
//! pointer may be both source and destination, and it stays inside of this crate:
//!
//! ```compile_fail,E0603
//! use combseal::lanes::InOut;
//! ```
#![allow(unsafe_code)]

use crate::cpu::Backend;
#[cfg(feature = "alloc")]
use crate::cpu::Block;
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};
use core::{marker::PhantomData, slice};

/// `len` bytes to be read at `src` and written at `dst`, which are the same
/// place or do not overlap.
pub struct InOut<'a> {
    src: *const u8,
    dst: *mut u8,
    len: usize,
    life: PhantomData<&'a mut [u8]>,
}

// SAFETY: an `InOut` is a `&mut [u8]`, or a `&[u8]` and a `&mut [u8]`; both are `Send`.
unsafe impl Send for InOut<'_> {}

impl<'a> InOut<'a> {
    /// Source and destination are `buf`.
    #[inline(always)]
    pub fn in_place(buf: &'a mut [u8]) -> Self {
        let dst = buf.as_mut_ptr();
        Self { src: dst, dst, len: buf.len(), life: PhantomData }
    }

    /// From `src` to `dst`; `None` if their lengths differ.
    #[inline(always)]
    pub fn separate(src: &'a [u8], dst: &'a mut [u8]) -> Option<Self> {
        if src.len() != dst.len() {
            return None;
        }
        Some(Self { src: src.as_ptr(), dst: dst.as_mut_ptr(), len: src.len(), life: PhantomData })
    }

    /// The same of RustCrypto's.
    #[cfg(feature = "aead")]
    #[inline]
    pub fn from_rustcrypto<'o>(buf: ::aead::inout::InOutBuf<'a, 'o, u8>) -> InOut<'a>
    where
        'o: 'a,
    {
        let len = buf.len();
        // Its own promise is ours: the same place, or two that do not overlap.
        let (src, dst) = buf.into_raw();
        Self { src, dst, len, life: PhantomData }
    }

    /// How many bytes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The same bytes, for a shorter time.
    #[inline(always)]
    pub fn reborrow(&mut self) -> InOut<'_> {
        InOut { src: self.src, dst: self.dst, len: self.len, life: PhantomData }
    }

    /// The first `n` bytes, taken off; `None` if there are fewer.
    #[inline(always)]
    pub fn take(&mut self, n: usize) -> Option<InOut<'a>> {
        if n > self.len {
            return None;
        }
        let head = InOut { src: self.src, dst: self.dst, len: n, life: PhantomData };
        // SAFETY: `n <= len`, so both stay within, or one past, their buffers.
        unsafe {
            self.src = self.src.add(n);
            self.dst = self.dst.add(n);
        }
        self.len -= n;
        Some(head)
    }

    /// The first `n` bytes, taken off. Panics if there are fewer: for who knows that
    /// there are not.
    #[inline(always)]
    pub fn cut(&mut self, n: usize) -> InOut<'a> {
        match self.take(n) {
            Some(head) => head,
            None => unreachable!("a message shorter than the part that was counted in it"),
        }
    }

    /// The bytes to be read.
    #[inline(always)]
    pub fn src(&self) -> &[u8] {
        // SAFETY: `src` is good for `len` bytes, and nothing writes through
        // `dst` while `self` is borrowed.
        unsafe { slice::from_raw_parts(self.src, self.len) }
    }

    /// The bytes to be written. In place, they are still what was to be read.
    #[inline(always)]
    pub fn dst(&mut self) -> &mut [u8] {
        // SAFETY: `dst` is good for `len` bytes, and `self` is borrowed mutably.
        unsafe { slice::from_raw_parts_mut(self.dst, self.len) }
    }

    /// What the destination holds by now.
    #[inline(always)]
    pub fn written(&self) -> &[u8] {
        // SAFETY: `dst` is good for `len` bytes, which nothing writes while `self`
        // is borrowed.
        unsafe { slice::from_raw_parts(self.dst, self.len) }
    }

    /// The destination, for as long as it was lent.
    #[inline(always)]
    pub fn into_dst(self) -> &'a mut [u8] {
        // SAFETY: as in `dst`; `self` is gone, so the borrow is the only one.
        unsafe { slice::from_raw_parts_mut(self.dst, self.len) }
    }

    /// The register of source bytes that begins at byte `at`.
    #[inline(always)]
    pub fn load<B: Backend>(&self, b: B, at: usize) -> B::V {
        b.load(&self.src()[at..])
    }

    /// Writes the register of destination bytes that begins at byte `at`.
    #[inline(always)]
    pub fn store<B: Backend>(&mut self, b: B, at: usize, v: B::V) {
        b.store(&mut self.dst()[at..], v);
    }

    /// All source bytes, at most one register of them, and zeros behind.
    #[inline(always)]
    pub fn load_part<B: Backend>(&self, b: B) -> B::V {
        b.load_part(self.src())
    }

    /// Writes all destination bytes, at most one register of them.
    #[inline(always)]
    pub fn store_part<B: Backend>(&mut self, b: B, v: B::V) {
        b.store_part(self.dst(), v);
    }

    /// In two parts, for a call that is not inlined.
    #[inline(always)]
    pub fn split(self) -> (Source<'a>, Destination<'a>) {
        let Self { src, dst, len, life } = self;
        (Source(src, len, PhantomData), Destination(dst, len, life))
    }

    /// The whole that was split.
    ///
    /// # Safety
    /// Both are of one message. Parts of two would make an `InOut` that reads what the
    /// other one of them writes.
    #[inline(always)]
    pub unsafe fn join(src: Source<'a>, dst: Destination<'a>) -> Self {
        debug_assert!(src.1 == dst.1);
        Self { src: src.0, dst: dst.0, len: dst.1, life: PhantomData }
    }

    /// Copies the source to the destination.
    #[inline]
    pub fn copy(&mut self) {
        // SAFETY: both are good for `len` bytes; `copy` allows them to be the same place.
        unsafe { core::ptr::copy(self.src, self.dst, self.len) }
    }
}

/// The source of an [`InOut`] and its length: two words, which a call passes in
/// registers. Three go by memory, written one by one and copied from there in a wider
/// piece, which waits for the words to reach the cache.
pub struct Source<'a>(*const u8, usize, PhantomData<&'a [u8]>);

/// The destination, likewise.
pub struct Destination<'a>(*mut u8, usize, PhantomData<&'a mut [u8]>);

#[cfg(feature = "alloc")]
/// Whole blocks of one message: read, or read and written.
pub struct Blocks<'a> {
    src: *const u8,
    /// Null where nothing is to be written.
    dst: *mut u8,
    count: usize,
    life: PhantomData<&'a mut [u8]>,
}

// SAFETY: as for `InOut`.
#[cfg(feature = "alloc")]
unsafe impl Send for Blocks<'_> {}

#[cfg(feature = "alloc")]
impl<'a> Blocks<'a> {
    /// The whole blocks of `data`, to be read only.
    #[inline(always)]
    pub fn read(data: &'a [u8]) -> Self {
        Self { src: data.as_ptr(), dst: core::ptr::null_mut(), count: data.len() / 16, life: PhantomData }
    }

    /// The whole blocks of `io`, to be read and written.
    #[inline(always)]
    pub fn write(io: InOut<'a>) -> Self {
        Self { src: io.src, dst: io.dst, count: io.len / 16, life: PhantomData }
    }

    /// None.
    #[inline(always)]
    pub fn none() -> Self {
        Self::read(&[])
    }
}

#[cfg(feature = "alloc")]
/// The most messages side by side.
pub const MAX_LANES: usize = 16;

#[cfg(feature = "alloc")]
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

#[cfg(feature = "alloc")]
impl Default for Lanes<'_> {
    /// No messages.
    #[inline(always)]
    fn default() -> Self {
        let (src, dst) = ([core::ptr::null(); MAX_LANES], [core::ptr::null_mut(); MAX_LANES]);
        let counts = [0; MAX_LANES];
        Self { src, dst, counts, len: 0, sorted: true, idle: MAX_LANES, end: 0, life: PhantomData }
    }
}

#[cfg(feature = "alloc")]
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
        let one = b.one();
        // SAFETY: `end` is zero until `narrow` saw to it that every lane has as many
        // blocks; nothing writes them while `self` is borrowed.
        let block = |i: usize| unsafe { &*self.src[j * B::BLOCKS + i].add(16 * t).cast::<Block>() };
        let mut lanes = [one.load(block(0)); 4];
        for i in 1..B::BLOCKS {
            lanes[i] = one.load(block(i));
        }
        b.join(lanes)
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

/// Things that borrow messages, and what is kept when the messages have gone: in one box,
/// so that both move as one word.
#[cfg(feature = "alloc")]
#[repr(C)]
pub(crate) struct Lent<L, K> {
    pub lent: L,
    pub kept: K,
}

/// The same box for other borrowers, of the same size: `change` makes them of the old ones.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn relend<L, N, K>(it: Box<Lent<L, K>>, change: impl FnOnce(L) -> N) -> Box<Lent<N, K>> {
    const { assert!(size_of::<L>() == size_of::<N>() && align_of::<L>() == align_of::<N>()) };
    let at = Box::into_raw(it);
    // SAFETY: the place is a box's own; what is read here is written over below. (If `change`
    // panics, the box is not freed: that is all.)
    let lent = change(unsafe { (&raw const (*at).lent).read() });
    let at = at.cast::<Lent<N, K>>();
    // SAFETY: both forms of the box have one layout, as the fields are in order (`repr(C)`)
    // and the first ones have the same size and alignment; the other is as it was.
    unsafe {
        (&raw mut (*at).lent).write(lent);
        Box::from_raw(at)
    }
}

/// An empty vector's memory, for values of the same form that borrow something else.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn emptied<T, U>(mut v: Vec<T>) -> Vec<U> {
    const { assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() == align_of::<U>()) };
    v.clear();
    let mut v = core::mem::ManuallyDrop::new(v);
    let (first, room) = (v.as_mut_ptr().cast(), v.capacity());
    // SAFETY: the allocation is given up by `v`, which is not dropped; it was made for
    // as many values of that size and alignment, and none of it is taken for a value.
    unsafe { Vec::from_raw_parts(first, 0, room) }
}
