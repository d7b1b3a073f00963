//! A message as the kernels see it: read here, written there, or in place.
//!
//! [`InOut`] makes "in place" and "separate buffers" one type, so that every
//! kernel is written and compiled once. It is `unsafe` inside because one
//! pointer may be both source and destination, and it stays inside of this crate:
//!
//! ```compile_fail,E0603
//! use combseal::cpu::InOut;
//! ```
#![allow(unsafe_code)]

use super::backend::Backend;
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

    /// `len` bytes at `src`, to be written at `dst`.
    ///
    /// # Safety
    /// Neither is NULL, and both are good for `len` bytes, which nobody else touches during `'a`; they are the same
    /// place or do not overlap.
    #[cfg(feature = "internals")]
    #[inline(always)]
    pub unsafe fn new(src: *const u8, dst: *mut u8, len: usize) -> Self {
        Self { src, dst, len, life: PhantomData }
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

    /// Where it is read, where it is written, and how many bytes of it there are.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn into_raw(self) -> (*const u8, *mut u8, usize) {
        (self.src, self.dst, self.len)
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
