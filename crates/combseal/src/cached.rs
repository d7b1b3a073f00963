//! A key with what its scheme keeps between messages, whose nonces the caller gives: for protocols
//! that make their own, where a `Sealer` cannot count.

use crate::cpu::InOut;
use crate::interface::aead::Aead;
use crate::interface::error::Error;
use crate::interface::scheme::{open, seal_into};
use crate::memory::blank::Erased;

/// Seals and opens under one key with nonces that the caller gives, and keeps what the scheme can
/// keep from one message to the next: for OCB3 the block Ktop, which 64 nonces that differ in
/// their last six bits share, and the hash of associated data that stays the same.
///
/// As with [`Aead`] itself, that no nonce comes twice is the caller's part. Who can have them
/// counted takes a [`Sealer`](crate::Sealer), and an [`Opener`](crate::Opener).
///
/// ```
/// use combseal::{Aes128, Cached, Ocb3};
///
/// let mut key = Cached::new(Ocb3::<Aes128>::new(&[7; 16]));
/// let (mut packet, mut tag) = (*b"a packet", [0; 16]);
/// key.seal_detached(b"nonce no. 10", b"header", &mut packet, &mut tag)?;
/// key.open_in_place(b"nonce no. 10", b"header", &mut packet, &tag)?;
/// assert_eq!(&packet, b"a packet");
/// # Ok::<(), combseal::Error>(())
/// ```
pub struct Cached<A: Aead>(Erased<Both<A>>);

struct Both<A: Aead> {
    key: A,
    cache: A::Cache,
}

impl<A: Aead> Cached<A> {
    /// Takes over `key`.
    pub fn new(key: A) -> Self {
        Self(Erased::new(Both { key, cache: A::Cache::default() }))
    }

    /// The key.
    #[inline(always)]
    pub fn key(&self) -> &A {
        &self.0.key
    }

    /// As [`Aead::seal_detached`].
    ///
    /// # Errors
    /// Those of [`Aead::seal_detached`].
    #[inline]
    pub fn seal_detached(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
        self.seal(nonce, ad, InOut::in_place(buf), tag)
    }

    /// As [`Aead::seal_to_detached`].
    ///
    /// # Errors
    /// Those of [`Aead::seal_to_detached`].
    #[inline]
    pub fn seal_to_detached(
        &mut self,
        nonce: &[u8],
        ad: &[u8],
        src: &[u8],
        dst: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.seal(nonce, ad, InOut::separate(src, dst).ok_or(Error::BufferLength)?, tag)
    }

    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &mut [u8]) -> Result<(), Error> {
        let Both { key, cache } = &mut *self.0;
        if tag.len() != key.tag_len() {
            return Err(Error::TagLength);
        }
        seal_into(key, Some(cache), nonce, ad, io, tag)
    }

    /// As [`Aead::open_in_place`].
    ///
    /// # Errors
    /// Those of [`Aead::open_in_place`].
    #[inline]
    pub fn open_in_place(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let Both { key, cache } = &mut *self.0;
        open(key, Some(cache), nonce, ad, InOut::in_place(buf), tag)
    }

    /// As [`Aead::open_to`].
    ///
    /// # Errors
    /// Those of [`Aead::open_to`].
    #[inline]
    pub fn open_to(&mut self, nonce: &[u8], ad: &[u8], src: &[u8], dst: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let Both { key, cache } = &mut *self.0;
        open(key, Some(cache), nonce, ad, InOut::separate(src, dst).ok_or(Error::BufferLength)?, tag)
    }
}

impl<A: Aead> core::fmt::Debug for Cached<A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Cached").field("key", &self.0.key.name()).finish_non_exhaustive()
    }
}
