//! Associated data that a context keeps for the next message: bytes on the heap, which a context that was
//! half overwritten does not own.
//!
//! Programs that carry the original need not clear a context on the stack, so `ae_init` may find what is
//! left of an old one in the place of the new. Here are plain numbers, of which any are values, and a
//! check that tells ours from what lies there by chance. `unsafe` here is: the heap's memory by pointer.
#![allow(unsafe_code)]

use crate::edge::Refused;
use core::mem::ManuallyDrop;

/// Bytes of associated data.
pub struct Kept {
    at: *mut u8,
    room: usize,
    len: usize,
    /// [`check`](Self::check) of the memory that is owned.
    check: usize,
}

/// What is mixed into the check of no memory.
const CHECK: usize = 0x51c6_9e17u32 as usize;

impl Kept {
    /// No bytes.
    pub fn new() -> Self {
        let none = Self { at: core::ptr::null_mut(), room: 0, len: 0, check: 0 };
        Self { check: none.check(), ..none }
    }

    /// What tells memory that is owned.
    fn check(&self) -> usize {
        CHECK ^ self.at.addr() ^ self.room.rotate_left(usize::BITS / 2 + 3)
    }

    /// The bytes.
    #[inline(always)]
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes were written there.
        if self.len == 0 { &[] } else { unsafe { core::slice::from_raw_parts(self.at, self.len) } }
    }

    /// The memory as a vector, of which nothing is owned here any more.
    fn take(&mut self) -> Vec<u8> {
        let Self { at, room, len, .. } = core::mem::replace(self, Self::new());
        // SAFETY: from a vector of this capacity, with so many bytes.
        if room == 0 { Vec::new() } else { unsafe { Vec::from_raw_parts(at, len, room) } }
    }

    /// Keeps these bytes behind the first `from`.
    ///
    /// # Errors
    /// [`Refused::NotSupported`] if there is no memory for them; nothing has changed then.
    pub fn put(&mut self, from: usize, bytes: &[u8]) -> Result<(), Refused> {
        let mut all = self.take();
        let len = all.len();
        let done = all.try_reserve(bytes.len()).map_err(|_| Refused::NotSupported);
        if done.is_ok() {
            all.truncate(from.min(len));
            all.extend_from_slice(bytes);
        }
        let mut all = ManuallyDrop::new(all);
        (self.at, self.room, self.len) = (all.as_mut_ptr(), all.capacity(), all.len());
        self.check = self.check();
        done
    }

    /// Keeps these bytes.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    #[inline(always)]
    pub fn keep(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        if bytes.is_empty() {
            // Not compared: glibc's `memcmp` takes 600 cycles for no bytes at an empty vector's address,
            // which it reads by a mask that leaves all of them out, and that no page is there is found slowly.
            self.len = 0;
        } else if self.bytes() != bytes {
            self.put(0, bytes)?;
        }
        Ok(())
    }

    /// Gives memory back, if it is that of a vector that was kept here.
    pub fn end(&mut self) {
        if self.check == self.check() {
            drop(self.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes as they were put; what was overwritten is left alone.
    #[test]
    fn kept() {
        let mut it = Kept::new();
        assert_eq!(it.bytes(), b"");
        it.put(0, b"header").unwrap();
        it.put(6, b" and more").unwrap();
        assert_eq!(it.bytes(), b"header and more");
        it.put(0, b"another").unwrap();
        assert_eq!(it.bytes(), b"another");
        it.keep(b"").unwrap();
        assert_eq!(it.bytes(), b"");
        it.keep(b"x").unwrap();
        assert_eq!(it.bytes(), b"x");
        let (at, room) = (it.at, it.room);
        for change in [(at.wrapping_add(1), room), (at, room + 1), (core::ptr::null_mut(), 0)] {
            let mut broken = Kept { at: change.0, room: change.1, len: 1, check: it.check };
            broken.end();
        }
        it.end();
        it.end();
        assert_eq!(it.bytes(), b"");
    }
}
