//! Memory for the bytes and offsets of a large column, in large pages where the system gives them: to be given
//! memory in pages of 4 KiB costs as much as the cipher.
#![allow(unsafe_code)]

use super::fault::{Fault, Result};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};

/// Bytes of a large page.
const LARGE: usize = 1 << 21;

/// Numbers of which zeros, and any other bytes, are values.
///
/// # Safety
/// Any bytes are a value of the type.
pub unsafe trait Number: Copy + Send + Sync {}
// SAFETY: whole numbers.
unsafe impl Number for u8 {}
// SAFETY: as above.
unsafe impl Number for i32 {}
// SAFETY: as above.
unsafe impl Number for i64 {}

/// Numbers that begin as zeros.
pub struct Pages<T: Number = u8> {
    start: *mut T,
    len: usize,
    layout: Layout,
}

// SAFETY: it owns its memory, as a `Vec` does.
unsafe impl<T: Number> Send for Pages<T> {}
// SAFETY: as above; what is shared is read only.
unsafe impl<T: Number> Sync for Pages<T> {}

/// The alignment of what is allocated: at least that of every `T`.
const ALIGN: usize = 16;

impl<T: Number> Pages<T> {
    /// So many zeros.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn zeros(len: usize) -> Result<Self> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(Fault::Memory)?;
        // With a greater alignment the allocator would write the zeros itself.
        let layout = Layout::from_size_align(bytes.max(1), ALIGN).map_err(|_| Fault::Memory)?;
        // SAFETY: the layout is not empty.
        let start = unsafe { alloc_zeroed(layout) };
        if start.is_null() {
            return Err(Fault::Memory);
        }
        #[cfg(target_os = "linux")]
        if bytes >= 4 * LARGE {
            let skip = start.addr().next_multiple_of(LARGE) - start.addr();
            let whole = (bytes - skip) / LARGE * LARGE;
            // SAFETY: whole pages within what was allocated; this advice changes no byte. That it may
            // be refused is why nobody looks.
            let _ = unsafe { libc::madvise(start.add(skip).cast(), whole, libc::MADV_HUGEPAGE) };
        }
        Ok(Self { start: start.cast(), len, layout })
    }

    /// Leaves out what is behind so many numbers.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl<T: Number> Default for Pages<T> {
    fn default() -> Self {
        Self { start: std::ptr::without_provenance_mut(ALIGN), len: 0, layout: Layout::new::<()>() }
    }
}

impl<T: Number> Drop for Pages<T> {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: allocated with this layout, which is not empty, and dropped once.
            unsafe { dealloc(self.start.cast(), self.layout) }
        }
    }
}

impl<T: Number> Deref for Pages<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: as many numbers, zeros at first, aligned, that live as long as this.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl<T: Number> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and nobody else has them.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

/// A bitmap of so many rows, none of them set.
///
/// # Errors
/// If there is no memory for it.
pub fn bitmap(rows: usize) -> Result<Vec<u8>> {
    let (mut bits, bytes) = (Vec::new(), rows.div_ceil(8));
    bits.try_reserve_exact(bytes).map_err(|_| Fault::Memory)?;
    bits.resize(bytes, 0);
    Ok(bits)
}
