//! Bytes that are zeroed when they are dropped, and that no `Debug` shows.

use super::error::Error;
use crate::memory::wipe::Wipe;
use core::fmt;

/// Secret bytes of a fixed length.
pub(crate) struct Secret<const N: usize>(pub(crate) [u8; N]);

impl<const N: usize> Secret<N> {
    /// All zero, to be written to.
    pub(crate) const fn zero() -> Self {
        Self([0; N])
    }

    /// Random bytes of the operating system.
    pub(crate) fn random() -> Result<Self, Error> {
        let mut it = Self::zero();
        random(&mut it.0)?;
        Ok(it)
    }
}

impl<const N: usize> Drop for Secret<N> {
    fn drop(&mut self) {
        self.0.as_mut_slice().wipe();
    }
}

impl<const N: usize> fmt::Debug for Secret<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// Fills `out` with random bytes of the operating system.
pub(crate) fn random(out: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(out).map_err(|_| Error::Random)
}

/// A buffer of plaintext, zeroed when it is dropped.
pub(crate) struct Buffer(pub(crate) std::vec::Vec<u8>);

impl Buffer {
    /// `len` zero bytes.
    pub(crate) fn new(len: usize) -> Result<Self, Error> {
        let mut bytes = std::vec::Vec::new();
        bytes.try_reserve_exact(len).map_err(|_| Error::Memory)?;
        bytes.resize(len, 0);
        Ok(Self(bytes))
    }

    /// Makes room for `more` bytes behind those that there are, and for some besides, up to `most`
    /// in all. Where the bytes move, their old place is zeroed.
    #[cfg(feature = "stream-interop")]
    pub(crate) fn reserve(&mut self, more: usize, most: usize) -> Result<(), Error> {
        let needed = self.0.len().checked_add(more).ok_or(Error::Memory)?;
        if needed > self.0.capacity() {
            let room = needed.max(self.0.capacity().saturating_mul(2).min(most));
            let mut bytes = std::vec::Vec::new();
            bytes.try_reserve_exact(room).map_err(|_| Error::Memory)?;
            bytes.extend_from_slice(&self.0);
            // The old ones are dropped, which zeroes them.
            *self = Self(bytes);
        }
        Ok(())
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.0.as_mut_slice().wipe();
    }
}
