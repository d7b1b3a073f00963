//! Sealing and opening many messages under one key: the nonce that cannot
//! repeat, the key's limit, and what may be kept between messages.

use crate::aead::{self, Aead, Cache, Error, Nonce, Tag, blocks};
use crate::lanes::InOut;

/// Counter nonces: a prefix that tells senders under one key apart, then a
/// big-endian counter that fills the scheme's nonce.
///
/// Deliberately not `Clone`: two copies would use each nonce twice.
#[derive(Debug)]
pub struct NonceCounter {
    prefix: [u8; aead::MAX_NONCE_LEN],
    len: usize,
    next: u64,
}

impl NonceCounter {
    /// Nonces that begin with `prefix`, of at most 31 bytes; counting from zero.
    ///
    /// # Errors
    /// [`Error::NonceLength`] if the prefix is longer.
    pub fn new(prefix: &[u8]) -> Result<Self, Error> {
        Self::starting_at(prefix, 0)
    }

    /// The same, counting from `next`: for a sender that goes on where it, or
    /// its counter's record on disk, stopped.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn starting_at(prefix: &[u8], next: u64) -> Result<Self, Error> {
        let mut it = Self { prefix: [0; aead::MAX_NONCE_LEN], len: prefix.len(), next };
        if prefix.len() >= aead::MAX_NONCE_LEN {
            return Err(Error::NonceLength);
        }
        it.prefix[..prefix.len()].copy_from_slice(prefix);
        Ok(it)
    }
}

/// Seals messages under one key with nonces that it counts itself.
///
/// It owns the key, the counter, and what the scheme can keep from one message
/// to the next: for OCB3 the block Ktop, which 64 counter nonces share, and the
/// hash of associated data that stays the same.
pub struct Sealer<A: Aead> {
    key: A,
    cache: Cache,
    nonce: Nonce,
    /// The last eight bytes of the nonce with a counter of zero.
    base: u64,
    next: u64,
    /// Where the counter or the scheme's number of messages ends.
    end: u64,
    blocks_left: u64,
}

impl<A: Aead> Sealer<A> {
    /// Takes over `key`; the nonces have the scheme's usual length.
    ///
    /// # Errors
    /// [`Error::NonceLength`] if the prefix leaves no byte for the counter;
    /// [`Error::Exhausted`] if the counter begins beyond its last value.
    pub fn new(key: A, counter: NonceCounter) -> Result<Self, Error> {
        let nonce_len = key.nonce_len();
        let room = nonce_len.checked_sub(counter.len).filter(|&r| r > 0).ok_or(Error::NonceLength)?;
        let (nonce, base) = Nonce::begin(&counter.prefix[..counter.len], nonce_len);
        let last = if room >= 8 { u64::MAX } else { (1 << (8 * room)) - 1 };
        let limits = key.limits();
        Ok(Self {
            key,
            cache: Cache::default(),
            nonce,
            base,
            next: counter.next,
            end: last.saturating_add(1).min(counter.next.saturating_add(limits.key_messages)),
            blocks_left: limits.key_blocks,
        })
    }

    /// The key.
    pub fn key(&self) -> &A {
        &self.key
    }

    /// The counter of the next message, for a record that survives a restart.
    pub fn next_counter(&self) -> u64 {
        self.next
    }

    /// Blocks of 16 bytes that may still be sealed under this key.
    pub fn blocks_left(&self) -> u64 {
        self.blocks_left
    }

    /// Seals `buf` in place; returns the nonce that it used and the tag.
    ///
    /// # Errors
    /// [`Error::Exhausted`], [`Error::MessageTooLong`], [`Error::AdTooLong`].
    /// After an error no nonce has been used.
    #[inline(always)]
    pub fn seal_in_place(&mut self, ad: &[u8], buf: &mut [u8]) -> Result<(Nonce, Tag), Error> {
        self.seal(ad, InOut::in_place(buf))
    }

    /// Seals `src` into `dst`, which is as long; returns the nonce and the tag.
    ///
    /// # Errors
    /// [`Error::BufferLength`] and those of [`seal_in_place`](Self::seal_in_place).
    #[inline(always)]
    pub fn seal_to(&mut self, ad: &[u8], src: &[u8], dst: &mut [u8]) -> Result<(Nonce, Tag), Error> {
        self.seal(ad, InOut::separate(src, dst).ok_or(Error::BufferLength)?)
    }

    /// Seals `buf` in place and writes the tag to `tag`, of `tag_len()` bytes;
    /// lends the nonce. Nothing is copied: the form for packets.
    ///
    /// # Errors
    /// [`Error::TagLength`] and those of [`seal_in_place`](Self::seal_in_place).
    #[inline(always)]
    pub fn seal_detached(&mut self, ad: &[u8], buf: &mut [u8], tag: &mut [u8]) -> Result<&Nonce, Error> {
        if tag.len() != self.key.tag_len() {
            return Err(Error::TagLength);
        }
        self.seal_into(ad, InOut::in_place(buf), tag)
    }

    /// Seals in place with the tag attached, as [`Aead::seal_attached`] does;
    /// lends the nonce.
    ///
    /// # Errors
    /// [`Error::BufferLength`] and those of [`seal_in_place`](Self::seal_in_place).
    #[inline(always)]
    pub fn seal_attached(&mut self, ad: &[u8], buf: &mut [u8]) -> Result<&Nonce, Error> {
        let (body, tag) = aead::split_sealed_mut(&self.key, buf)?;
        self.seal_into(ad, InOut::in_place(body), tag)
    }

    /// Before every form of sealing `len` bytes: the limits, the next nonce. Gives the
    /// blocks that will be left.
    #[inline(always)]
    fn begin(&mut self, ad: &[u8], len: usize) -> Result<u64, Error> {
        // One block more for the tag, one for the nonce.
        let cost = blocks(len) + blocks(ad.len()) + 2;
        let Some(blocks_left) = self.blocks_left.checked_sub(cost) else { return Err(Error::Exhausted) };
        if self.next >= self.end {
            return Err(Error::Exhausted);
        }
        self.nonce.count(self.base | self.next);
        Ok(blocks_left)
    }

    /// After it, if something was sealed.
    #[inline(always)]
    fn done(&mut self, blocks_left: u64) {
        self.blocks_left = blocks_left;
        self.next += 1;
    }

    #[inline(always)]
    fn seal(&mut self, ad: &[u8], io: InOut<'_>) -> Result<(Nonce, Tag), Error> {
        let left = self.begin(ad, io.len())?;
        let tag = aead::seal(&self.key, Some(&mut self.cache), &self.nonce, ad, io)?;
        self.done(left);
        Ok((self.nonce, tag))
    }

    #[inline(always)]
    fn seal_into(&mut self, ad: &[u8], io: InOut<'_>, tag: &mut [u8]) -> Result<&Nonce, Error> {
        let left = self.begin(ad, io.len())?;
        aead::seal_into(&self.key, Some(&mut self.cache), &self.nonce, ad, io, tag)?;
        self.done(left);
        Ok(&self.nonce)
    }
}

/// Opens messages under one key and keeps what the scheme can keep between them.
pub struct Opener<A: Aead> {
    key: A,
    cache: Cache,
    forgeries: u64,
}

impl<A: Aead> Opener<A> {
    /// Takes over `key`.
    pub fn new(key: A) -> Self {
        Self { key, cache: Cache::default(), forgeries: 0 }
    }

    /// The key.
    pub fn key(&self) -> &A {
        &self.key
    }

    /// How many forgeries this opener has refused: with short tags, the number
    /// to watch.
    pub fn forgeries(&self) -> u64 {
        self.forgeries
    }

    /// Opens `buf` in place. On failure `buf` is zeroed.
    ///
    /// # Errors
    /// As [`Aead::open_in_place`].
    #[inline]
    pub fn open_in_place(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.open(nonce, ad, InOut::in_place(buf), tag)
    }

    /// Opens `src` into `dst`, which is as long. On failure `dst` is zeroed.
    ///
    /// # Errors
    /// As [`Aead::open_to`].
    #[inline]
    pub fn open_to(&mut self, nonce: &[u8], ad: &[u8], src: &[u8], dst: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.open(nonce, ad, InOut::separate(src, dst).ok_or(Error::BufferLength)?, tag)
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        let done = aead::open(&self.key, Some(&mut self.cache), nonce, ad, io, tag);
        if done == Err(Error::Forged) {
            self.forgeries += 1;
        }
        done
    }
}

impl<A: Aead> core::fmt::Debug for Sealer<A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Sealer").field("key", &self.key.name()).field("next", &self.next).finish_non_exhaustive()
    }
}

impl<A: Aead> core::fmt::Debug for Opener<A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Opener")
            .field("key", &self.key.name())
            .field("forgeries", &self.forgeries)
            .finish_non_exhaustive()
    }
}
