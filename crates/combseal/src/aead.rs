//! The public vocabulary: what every scheme can do, and how it fails.
//!
//! A scheme writes a few functions (`scheme.rs`); every form that callers use (in
//! place, separate buffers, tag apart or attached, `Vec`) is a thin method of [`Aead`]
//! over them.

use crate::cpu::{Answer, Block, Cpu};
use crate::pipeline::lanes::InOut;
use crate::scheme::{Cache, Rare, Scheme, open, seal, seal_into};
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::fmt;

/// The longest tag of any scheme, in bytes.
pub const MAX_TAG_LEN: usize = 32;
/// The longest nonce that [`Nonce`] holds, in bytes.
pub const MAX_NONCE_LEN: usize = 32;

/// The length of the counter in a [`Sealer`](crate::Sealer)'s nonces, in bytes.
pub const COUNTER_LEN: usize = 8;

/// Why a call failed. Forgeries say nothing but [`Error::Forged`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The ciphertext, tag, nonce, associated data or key is not what was
    /// sealed. Nothing more can be said.
    Forged,
    /// The key's length in bytes is not the scheme's.
    KeyLength,
    /// The nonce's length in bytes is not this key's, or not one that the scheme takes.
    NonceLength,
    /// The prefix of counter nonces is not eight bytes shorter than the nonce. All
    /// prefixes have one length, since with two lengths different prefixes could make
    /// the same nonce.
    PrefixLength,
    /// The tag's length in bytes is not this key's, or not one that the scheme takes
    /// (short ones need a constructor with `hazmat` in its name).
    TagLength,
    /// Source and destination do not fit each other, or the sealed message is
    /// shorter than its tag.
    BufferLength,
    /// The message is longer than the scheme allows.
    MessageTooLong,
    /// The associated data is longer, or has more parts, than the scheme allows.
    AdTooLong,
    /// The nonce counter, or what may be sealed under one key, is used up.
    Exhausted,
    /// An earlier job of the batch is to seal under the same key with the same nonce.
    NonceRepeated,
    /// The nonce's counter was accepted before, or is older than the replay window.
    Replayed,
    /// The nonce does not begin with the prefix of the sender that the replay window
    /// watches.
    NoncePrefix,
    /// The scheme has no such form, or no such rule to relax.
    Unsupported,
    /// The batch did not come to this job: only a fault of the library would show it.
    NotRun,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Forged => "the message is not authentic",
            Self::KeyLength => "the key has the wrong length",
            Self::NonceLength => "the nonce has a length that this key does not take",
            Self::PrefixLength => {
                "the prefix must be eight bytes shorter than the nonce, lest two prefixes make the same nonce"
            }
            Self::TagLength => "the tag has the wrong length",
            Self::BufferLength => "the buffers' lengths do not fit",
            Self::MessageTooLong => "the message is longer than the scheme allows",
            Self::AdTooLong => "the associated data is longer than the scheme allows",
            Self::Exhausted => "nothing more may be sealed under this key",
            Self::NonceRepeated => "the batch has this nonce under this key already",
            Self::Replayed => "the message was accepted before, or is older than the replay window",
            Self::NoncePrefix => "the nonce is not of the sender that is watched for replays",
            Self::Unsupported => "the scheme has no such form or rule",
            Self::NotRun => "the batch did not come to this job",
        })
    }
}

impl core::error::Error for Error {}

/// An authentication tag, of 1 to 32 bytes.
///
/// It compares in constant time, with other tags and with bytes (of another length they are
/// never equal), and does not turn into
/// a slice by itself: `==` of slices stops at the first byte that differs, and tells a
/// forger how many were right. [`as_bytes`](Self::as_bytes) is for sending it.
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

/// A nonce that a [`Sealer`](crate::Sealer) made.
// Aligned, so that the counter is never stored across two cache lines: the load
// behind it would wait for both.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
pub struct Nonce {
    /// Right-aligned: a counter's bytes are always in one place.
    bytes: [u8; MAX_NONCE_LEN],
    len: u8,
}

impl Nonce {
    /// `prefix`, then a counter of eight bytes, which is zero.
    pub(crate) fn begin(prefix: &[u8]) -> Self {
        let len = prefix.len() + COUNTER_LEN;
        let mut it = Self { bytes: [0; MAX_NONCE_LEN], len: len as u8 };
        it.bytes[MAX_NONCE_LEN - len..][..prefix.len()].copy_from_slice(prefix);
        it
    }
    /// The same with another counter.
    #[inline(always)]
    pub(crate) fn count(&mut self, counter: u64) {
        self.bytes[MAX_NONCE_LEN - COUNTER_LEN..].copy_from_slice(&counter.to_be_bytes());
    }
}

impl AsRef<[u8]> for Nonce {
    #[inline(always)]
    fn as_ref(&self) -> &[u8] {
        &self.bytes[MAX_NONCE_LEN - self.len as usize..]
    }
}

impl core::ops::Deref for Nonce {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        self.as_ref()
    }
}

impl fmt::Debug for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(self, f)
    }
}

/// What a scheme allows, in bytes, blocks and messages. The docs of each
/// scheme's `limits` name the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes in one message.
    pub message: u64,
    /// Bytes of associated data with one message.
    pub ad: u64,
    /// 16-byte blocks of messages and associated data under one key.
    pub key_blocks: u64,
    /// Messages under one key.
    pub key_messages: u64,
}

/// An authenticated-encryption scheme with its key.
///
/// Lengths are in bytes. A key has one tag length and one nonce length; calls with
/// another are refused. Arguments come in the order of RFC 5116: nonce, associated data,
/// message. A nonce must not be used twice with one key, unless the scheme says that it
/// survives this. Keys are immutable and `Sync`; a reference to a key, a `Box` or an
/// `Arc` of one is an `Aead` too, so that one expansion serves many.
///
/// Of opening, in every form: wrong lengths are found first, say what is wrong, and leave
/// all buffers as they were. After [`Error::Forged`] the whole output is zero, in place
/// too, and nothing tells what was wrong.
///
/// The trait is sealed: it cannot be implemented outside of this crate.
pub trait Aead: Scheme {
    /// Whether a sealed message carries its tag before the ciphertext (SIV)
    /// rather than behind it.
    const TAG_FIRST: bool = false;

    /// The scheme's name, as in `"OCB3-AES-128"`.
    fn name(&self) -> &'static str;
    /// The tag's length in bytes, fixed with the key.
    fn tag_len(&self) -> usize;
    /// Whether a sealed message carries its tag before the ciphertext.
    #[doc(hidden)]
    fn is_tag_first(&self) -> bool {
        Self::TAG_FIRST
    }
    /// The nonce's length in bytes: the scheme's usual one, unless the key's
    /// `set_nonce_len` chose another.
    fn nonce_len(&self) -> usize;
    /// What may be sealed.
    fn limits(&self) -> Limits;
    /// The CPU tier that this key works on.
    fn cpu(&self) -> Cpu;

    /// Seals `buf` in place and returns the tag.
    ///
    /// # Errors
    /// [`Error::NonceLength`], [`Error::MessageTooLong`], [`Error::AdTooLong`].
    #[inline]
    fn seal_in_place(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Result<Tag, Error> {
        seal(self, None, nonce, ad, InOut::in_place(buf))
    }

    /// Opens `buf` in place.
    ///
    /// # Errors
    /// [`Error::Forged`], and `buf` is zero; [`Error::TagLength`] and those of
    /// `seal_in_place`, and `buf` is as it was.
    #[inline]
    fn open_in_place(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        open(self, None, nonce, ad, InOut::in_place(buf), tag)
    }

    /// Seals `src` into `dst`, which is as long, and returns the tag.
    ///
    /// # Errors
    /// [`Error::BufferLength`] and those of [`seal_in_place`](Self::seal_in_place).
    #[inline]
    fn seal_to(&self, nonce: &[u8], ad: &[u8], src: &[u8], dst: &mut [u8]) -> Result<Tag, Error> {
        seal(self, None, nonce, ad, InOut::separate(src, dst).ok_or(Error::BufferLength)?)
    }

    /// Opens `src` into `dst`, which is as long.
    ///
    /// # Errors
    /// As [`open_in_place`](Self::open_in_place), of `dst`; [`Error::BufferLength`], and
    /// `dst` is as it was.
    #[inline]
    fn open_to(&self, nonce: &[u8], ad: &[u8], src: &[u8], dst: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        open(self, None, nonce, ad, InOut::separate(src, dst).ok_or(Error::BufferLength)?, tag)
    }

    /// Seals in place with the tag attached: `buf` is the message and
    /// `tag_len()` bytes more behind it (before it for SIV), which become the tag.
    ///
    /// # Errors
    /// [`Error::BufferLength`] and those of [`seal_in_place`](Self::seal_in_place).
    #[inline]
    fn seal_attached(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Result<(), Error> {
        let (body, tag) = split_sealed_mut(self, buf)?;
        seal_into(self, None, nonce, ad, InOut::in_place(body), tag)
    }

    /// Opens in place a message with its tag attached and returns the
    /// plaintext's part of `buf`.
    ///
    /// # Errors
    /// As [`open_in_place`](Self::open_in_place), of the plaintext's part;
    /// [`Error::BufferLength`] if `buf` is shorter than a tag, and it is as it was.
    #[inline]
    fn open_attached<'b>(&self, nonce: &[u8], ad: &[u8], buf: &'b mut [u8]) -> Result<&'b mut [u8], Error> {
        let (body, tag) = split_sealed_mut(self, buf)?;
        open(self, None, nonce, ad, InOut::in_place(body), tag)?;
        Ok(body)
    }

    /// Seals `plaintext` into a new vector, the tag attached.
    ///
    /// # Errors
    /// As [`seal_in_place`](Self::seal_in_place).
    #[cfg(feature = "alloc")]
    fn seal(&self, nonce: &[u8], ad: &[u8], plaintext: &[u8]) -> Result<Vec<u8>, Error> {
        let mut out = vec![0; plaintext.len() + self.tag_len()];
        let (body, tag) = split_sealed_mut(self, &mut out)?;
        let io = InOut::separate(plaintext, body).ok_or(Error::BufferLength)?;
        seal_into(self, None, nonce, ad, io, tag)?;
        Ok(out)
    }

    /// Opens a message with its tag attached into a new vector.
    ///
    /// # Errors
    /// As [`open_attached`](Self::open_attached).
    #[cfg(feature = "alloc")]
    fn open(&self, nonce: &[u8], ad: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let n = self.tag_len();
        if sealed.len() < n {
            return Err(Error::BufferLength);
        }
        let at = if self.is_tag_first() { n } else { sealed.len() - n };
        let (a, b) = sealed.split_at(at);
        let (body, tag) = if self.is_tag_first() { (b, a) } else { (a, b) };
        let mut out = vec![0; body.len()];
        self.open_to(nonce, ad, body, &mut out, tag)?;
        Ok(out)
    }
}

/// The message and the tag of a sealed buffer.
#[inline(always)]
pub(crate) fn split_sealed_mut<'b, A: Aead>(
    aead: &A,
    buf: &'b mut [u8],
) -> Result<(&'b mut [u8], &'b mut [u8]), Error> {
    let n = aead.tag_len();
    if buf.len() < n {
        return Err(Error::BufferLength);
    }
    let at = if aead.is_tag_first() { n } else { buf.len() - n };
    let (a, b) = buf.split_at_mut(at);
    Ok(if aead.is_tag_first() { (b, a) } else { (a, b) })
}

/// What lends or owns a key is one.
macro_rules! forward {
    ($($(#[$cfg:meta])* $t:ty;)*) => {$(
        $(#[$cfg])*
        impl<A: Aead> Scheme for $t {
            #[inline(always)]
            fn allows_repeats(&self) -> bool {
                (**self).allows_repeats()
            }
            #[inline(always)]
            fn check(&self, nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error> {
                (**self).check(nonce, ad, len)
            }
            #[inline(always)]
            fn seal_raw(
                &self,
                cache: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                rare: &mut Rare,
            ) -> Answer {
                (**self).seal_raw(cache, nonce, ad, io, rare)
            }
            #[inline(always)]
            fn open_raw(
                &self,
                cache: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                tag: &[u8],
            ) -> Result<bool, Error> {
                (**self).open_raw(cache, nonce, ad, io, tag)
            }
        }
        $(#[$cfg])*
        impl<A: Aead> Aead for $t {
            const TAG_FIRST: bool = A::TAG_FIRST;
            fn name(&self) -> &'static str {
                (**self).name()
            }
            #[inline(always)]
            fn tag_len(&self) -> usize {
                (**self).tag_len()
            }
            #[inline(always)]
            fn is_tag_first(&self) -> bool {
                (**self).is_tag_first()
            }
            #[inline(always)]
            fn nonce_len(&self) -> usize {
                (**self).nonce_len()
            }
            fn limits(&self) -> Limits {
                (**self).limits()
            }
            fn cpu(&self) -> Cpu {
                (**self).cpu()
            }
        }
    )*};
}
forward! {
    &A;
    #[cfg(feature = "alloc")]
    alloc::boxed::Box<A>;
    #[cfg(feature = "alloc")]
    alloc::rc::Rc<A>;
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    alloc::sync::Arc<A>;
}

/// How many blocks `len` bytes make.
#[inline(always)]
pub(crate) fn blocks(len: usize) -> u64 {
    // No slice is long enough to overflow.
    (len as u64 + 15) / 16
}
