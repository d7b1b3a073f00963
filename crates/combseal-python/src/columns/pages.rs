//! Memory for the bytes of a large column, in large pages where the system gives them: to be given
//! memory in pages of 4 KiB costs as much as the cipher.
#![allow(unsafe_code)]

use super::fault::{Fault, Result};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};

/// Bytes of a large page.
const LARGE: usize = 1 << 21;

/// Bytes that begin as zeros.
pub struct Pages {
    start: *mut u8,
    len: usize,
    layout: Layout,
}

// SAFETY: it owns its memory, as a `Vec` does.
unsafe impl Send for Pages {}
// SAFETY: as above; what is shared is read only.
unsafe impl Sync for Pages {}

impl Pages {
    /// So many zeros.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn zeros(len: usize) -> Result<Self> {
        // With a greater alignment the allocator would write the zeros itself.
        let layout = Layout::from_size_align(len.max(1), 16).map_err(|_| Fault::Memory)?;
        // SAFETY: the layout is not empty.
        let start = unsafe { alloc_zeroed(layout) };
        if start.is_null() {
            return Err(Fault::Memory);
        }
        #[cfg(target_os = "linux")]
        if len >= 4 * LARGE {
            let skip = start.addr().next_multiple_of(LARGE) - start.addr();
            let whole = (len - skip) / LARGE * LARGE;
            // SAFETY: whole pages within what was allocated; this advice changes no byte. That it may
            // be refused is why nobody looks.
            let _ = unsafe { libc::madvise(start.add(skip).cast(), whole, libc::MADV_HUGEPAGE) };
        }
        Ok(Self { start, len, layout })
    }
}

impl Pages {
    /// Leaves out what is behind so many bytes.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl Default for Pages {
    fn default() -> Self {
        Self { start: std::ptr::without_provenance_mut(16), len: 0, layout: Layout::new::<()>() }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: allocated with this layout, which is not empty, and dropped once.
            unsafe { dealloc(self.start, self.layout) }
        }
    }
}

impl Deref for Pages {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: as many bytes, zeroed at first, that live as long as this.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and nobody else has them.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}
