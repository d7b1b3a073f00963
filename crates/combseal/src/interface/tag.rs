//! Tags and nonces, as the API hands them out.

use super::error::Error;
use crate::cpu::Block;
#[cfg(feature = "alloc")]
use crate::cpu::by_itself;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

/// The longest tag of any scheme, in bytes.
pub const MAX_TAG_LEN: usize = 32;
/// The longest nonce that [`Nonce`] holds, in bytes.
pub const MAX_NONCE_LEN: usize = 32;

/// The length of the counter in a [`Sealer`](crate::Sealer)'s nonces, in bytes.
pub const COUNTER_LEN: usize = 8;

/// An authentication tag, of 1 to 32 bytes.
///
/// It compares in constant time, with other tags and with bytes (of another length they are
/// never equal), and does not turn into
/// a slice by itself: `==` of slices stops at the first byte that differs, and tells a
/// forger how many were right. [`as_bytes`](Self::as_bytes) is for sending it.
///
/// ```compile_fail,E0608
/// fn equal(tag: combseal::Tag, other: combseal::Tag) -> bool {
///     tag[..] == other[..]
/// }
/// ```
///
/// A tag that nobody takes is a message that nobody can open: the compiler warns.
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// fn seal(key: &impl combseal::Aead, message: &mut [u8]) -> Result<(), combseal::Error> {
///     key.seal_in_place(b"unique nonce", b"header", message)?;
///     Ok(())
/// }
/// ```
#[must_use = "without its tag a message cannot be opened"]
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Tag {
    blocks: [Block; 2],
    len: u8,
}

impl Tag {
    /// The first `len` bytes of a block.
    #[inline(always)]
    pub(crate) fn new(block: Block, len: usize) -> Self {
        debug_assert!(len <= 16);
        Self::of([block, [0; 16]], len)
    }

    /// The first `len` bytes of two blocks.
    #[inline(always)]
    pub(crate) fn of(blocks: [Block; 2], len: usize) -> Self {
        Self { blocks, len: len as u8 }
    }

    /// Its bytes, to be sent or stored. To check a tag, open the message; to compare
    /// two, compare the `Tag`.
    #[inline(always)]
    pub fn as_bytes(&self) -> &[u8] {
        &self.blocks.as_flattened()[..self.len as usize]
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        crate::cpu::equal(self.as_bytes(), other.as_bytes())
    }
}
impl Eq for Tag {}

impl PartialEq<[u8]> for Tag {
    fn eq(&self, other: &[u8]) -> bool {
        crate::cpu::equal(self.as_bytes(), other)
    }
}

impl PartialEq<&[u8]> for Tag {
    fn eq(&self, other: &&[u8]) -> bool {
        crate::cpu::equal(self.as_bytes(), other)
    }
}

#[cfg(feature = "alloc")]
impl PartialEq<Vec<u8>> for Tag {
    fn eq(&self, other: &Vec<u8>) -> bool {
        crate::cpu::equal(self.as_bytes(), other)
    }
}

impl<const N: usize> PartialEq<[u8; N]> for Tag {
    fn eq(&self, other: &[u8; N]) -> bool {
        crate::cpu::equal(self.as_bytes(), other)
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(self.as_bytes(), f)
    }
}

fn hexadecimal(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|b| write!(f, "{b:02x}"))
}

/// A nonce of at most 32 bytes, by value: one that a [`Sealer`](crate::Sealer) made, or one of a
/// counter.
// Aligned, so that the counter is never stored across two cache lines: the load
// behind it would wait for both.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
pub struct Nonce {
    /// Right-aligned: a counter's bytes are always in one place. Words, so that the compiler holds a nonce in
    /// registers and copies it from there: read from memory at greater width than it was stored, it would wait
    /// until it has reached the cache.
    words: [[u8; COUNTER_LEN]; MAX_NONCE_LEN / COUNTER_LEN],
    len: u8,
}

impl Nonce {
    /// Of `bytes`, at most 32: whole words by way of registers.
    #[inline(always)]
    fn of(bytes: &[u8]) -> Self {
        const NONE: [u8; COUNTER_LEN] = [0; COUNTER_LEN];
        let words = match bytes.as_chunks() {
            (&[a], []) => [NONE, NONE, NONE, a],
            (&[a, b], []) => [NONE, NONE, a, b],
            (&[a, b, c], []) => [NONE, a, b, c],
            (&[a, b, c, d], []) => [a, b, c, d],
            _ => return Self::of_odd(bytes),
        };
        Self { words, len: bytes.len() as u8 }
    }
    /// The same of any length.
    #[inline(never)]
    fn of_odd(bytes: &[u8]) -> Self {
        let mut words = [[0; COUNTER_LEN]; MAX_NONCE_LEN / COUNTER_LEN];
        words.as_flattened_mut()[MAX_NONCE_LEN - bytes.len()..].copy_from_slice(bytes);
        Self { words, len: bytes.len() as u8 }
    }
    /// The two parts of the usual nonce, by way of registers.
    #[inline(always)]
    fn usual(prefix: [u8; 4], counter: [u8; COUNTER_LEN]) -> Self {
        let before = u64::from(u32::from_be_bytes(prefix));
        Self { words: [[0; 8], [0; 8], before.to_be_bytes(), counter], len: 12 }
    }
    /// `prefix`, at most 24 bytes, then a counter of eight bytes, which is zero.
    #[inline(always)]
    pub(crate) fn begin(prefix: &[u8]) -> Self {
        if let Ok(prefix) = prefix.try_into() {
            return Self::usual(prefix, [0; COUNTER_LEN]);
        }
        let Self { words: [_, a, b, c], len } = Self::of(prefix);
        Self { words: [a, b, c, [0; COUNTER_LEN]], len: len + COUNTER_LEN as u8 }
    }
    /// The last `len` bytes of it, if it has more: a counter that ends before its eight bytes do.
    pub(crate) fn cut(mut self, len: usize) -> Self {
        self.len = self.len.min(len as u8);
        self
    }
    /// `prefix`, then `counter` as eight bytes, big-endian: what a
    /// [`NonceCounter`](crate::NonceCounter) makes, for who has the counter from elsewhere. (Nonces of fewer than eight
    /// bytes are the last bytes of one without a prefix.) The prefix is eight bytes shorter than the key's nonces: 4 for OCB3, GCM,
    /// CCM, GCM-SIV and ChaCha20-Poly1305, 8 for EAX and AEGIS-128L, 16 for XChaCha20-Poly1305, 24 for AEGIS-256. What key it
    /// is for is not known here: with a prefix of another length the message is refused, with [`Error::NonceLength`].
    ///
    /// # Errors
    /// [`Error::PrefixLength`] if it has more than 24 bytes.
    // Inlined, so that it is made where it is used and not copied.
    #[inline(always)]
    pub fn counted(prefix: &[u8], counter: u64) -> Result<Self, Error> {
        if prefix.len() > MAX_NONCE_LEN - COUNTER_LEN {
            return Err(Error::PrefixLength);
        }
        let mut it = Self::begin(prefix);
        it.count(counter);
        Ok(it)
    }
    /// `iv` XOR `counter`, which has zeros on its left: TLS 1.3 (RFC 8446, sect. 5.3) and QUIC
    /// (RFC 9001, sect. 5.3). The receiver's side of
    /// [`NonceCounter::xored`](crate::NonceCounter::xored). It shows the IV to who knows the
    /// counter: do not log it.
    ///
    /// # Errors
    /// [`Error::NonceLength`] if `iv` has fewer than 8 bytes or more than 32.
    #[inline(always)]
    pub fn xored(iv: &[u8], counter: u64) -> Result<Self, Error> {
        let Some((prefix, mask)) = iv.split_last_chunk() else { return Err(Error::NonceLength) };
        Self::counted(prefix, u64::from_be_bytes(*mask) ^ counter).map_err(|_| Error::NonceLength)
    }
    /// Writes it to `place`, which is as long.
    #[cfg(feature = "internals")]
    #[doc(hidden)]
    #[inline(always)]
    pub fn write(&self, place: &mut [u8]) {
        debug_assert_eq!(place.len(), self.len());
        match <&mut [u8; 12]>::try_from(&mut *place) {
            // The usual length by itself, and the counter by itself: it has just been stored so, and a load
            // of half of it with what is before it would wait until it has reached the cache.
            Ok(place) => {
                let [_, _, before, counter] = &self.words;
                place[..4].copy_from_slice(&before[4..]);
                place[4..].copy_from_slice(counter);
            }
            Err(_) => place.copy_from_slice(self),
        }
    }
    /// The same with another counter.
    #[inline(always)]
    pub(crate) fn count(&mut self, counter: u64) {
        self.words[3] = counter.to_be_bytes();
    }
}

impl AsRef<[u8]> for Nonce {
    #[inline(always)]
    fn as_ref(&self) -> &[u8] {
        &self.words.as_flattened()[MAX_NONCE_LEN - self.len as usize..]
    }
}

impl core::ops::Deref for Nonce {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        self.as_ref()
    }
}

/// A nonce that a [`Batch`](crate::Batch)'s job takes: bytes that are lent, or a [`Nonce`] or an
/// array of at most 32 bytes by value.
///
/// ```
/// # use combseal::AnyNonce;
/// let counter = 7u32;
/// let mut nonce = [0; 12];
/// nonce[8..].copy_from_slice(&counter.to_be_bytes());
/// let (lent, by_value) = (AnyNonce::from(&nonce), AnyNonce::from(nonce));
/// assert_eq!(lent[..], by_value[..]);
/// ```
#[derive(Clone, Copy)]
pub struct AnyNonce<'a>(Bytes<'a>);

#[derive(Clone, Copy)]
enum Bytes<'a> {
    Lent(&'a [u8]),
    Own(Nonce),
}

impl AnyNonce<'_> {
    /// No bytes.
    pub(crate) const EMPTY: Self = Self(Bytes::Lent(&[]));

    /// The same, moved word by word: it comes from a caller who has just stored it so.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn moved(self) -> Self {
        Self(match self.0 {
            Bytes::Lent(nonce) => Bytes::Lent(nonce.get(..by_itself(nonce.len() as u64) as usize).unwrap_or_default()),
            Bytes::Own(Nonce { words, len }) => {
                Bytes::Own(Nonce { words: words.map(|word| by_itself(u64::from_ne_bytes(word)).to_ne_bytes()), len })
            }
        })
    }
}

impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for AnyNonce<'a> {
    #[inline(always)]
    fn from(nonce: &'a T) -> Self {
        Self(Bytes::Lent(nonce.as_ref()))
    }
}

impl From<Nonce> for AnyNonce<'_> {
    #[inline(always)]
    fn from(nonce: Nonce) -> Self {
        Self(Bytes::Own(nonce))
    }
}

impl<const N: usize> From<[u8; N]> for AnyNonce<'_> {
    /// More than 32 bytes do not compile.
    #[inline(always)]
    fn from(nonce: [u8; N]) -> Self {
        const { assert!(N <= MAX_NONCE_LEN, "a nonce by value has at most 32 bytes") };
        Self(Bytes::Own(match (nonce.first_chunk(), nonce.last_chunk()) {
            (Some(prefix), Some(counter)) if N == 12 => Nonce::usual(*prefix, *counter),
            _ => Nonce::of(&nonce),
        }))
    }
}

impl core::ops::Deref for AnyNonce<'_> {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Bytes::Lent(nonce) => nonce,
            Bytes::Own(nonce) => nonce,
        }
    }
}

impl fmt::Debug for AnyNonce<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(self, f)
    }
}

impl fmt::Debug for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(self, f)
    }
}
