//! The public vocabulary: what every scheme can do, and how it fails.
//!
//! A scheme writes two functions, `seal_raw` and `open_raw`; every form that
//! callers use (in place, separate buffers, tag apart or attached, `Vec`) is a
//! thin method of [`Aead`] over them, so lengths are checked and unverified
//! plaintext is wiped in one place.

use crate::cpu::{Answer, Block, Cpu};
use crate::{lanes::InOut, modes::ocb3};
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::fmt;

/// The longest tag of any scheme, in bytes.
pub const MAX_TAG_LEN: usize = 32;
/// The longest nonce that [`Nonce`] holds, in bytes.
pub const MAX_NONCE_LEN: usize = 32;

/// Why a call failed. Forgeries say nothing but [`Error::Forged`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The ciphertext, tag, nonce, associated data or key is not what was
    /// sealed. Nothing more can be said.
    Forged,
    /// The key's length in bytes is not the scheme's.
    KeyLength,
    /// The nonce's length in bytes is not one that the scheme takes.
    NonceLength,
    /// The tag's length in bytes is not this key's.
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
    /// An earlier job of the batch seals under the same key with the same nonce.
    NonceRepeated,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Forged => "the message is not authentic",
            Self::KeyLength => "the key has the wrong length",
            Self::NonceLength => "the nonce has a length that this scheme does not take",
            Self::TagLength => "the tag has the wrong length",
            Self::BufferLength => "the buffers' lengths do not fit",
            Self::MessageTooLong => "the message is longer than the scheme allows",
            Self::AdTooLong => "the associated data is longer than the scheme allows",
            Self::Exhausted => "nothing more may be sealed under this key",
            Self::NonceRepeated => "the batch has this nonce under this key already",
        })
    }
}

impl core::error::Error for Error {}

/// An authentication tag, of 1 to 32 bytes. Compares in constant time.
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
        Self { blocks: [block, [0; 16]], len: len as u8 }
    }
}

impl AsRef<[u8]> for Tag {
    #[inline(always)]
    fn as_ref(&self) -> &[u8] {
        &self.blocks.as_flattened()[..self.len as usize]
    }
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
    /// `prefix`, then zeros, `len` bytes in all; and its last eight bytes as a number.
    pub(crate) fn begin(prefix: &[u8], len: usize) -> (Self, u64) {
        let mut it = Self { bytes: [0; MAX_NONCE_LEN], len: len as u8 };
        it.bytes[MAX_NONCE_LEN - len..][..prefix.len()].copy_from_slice(prefix);
        let mut tail = [0; 8];
        tail.copy_from_slice(&it.bytes[MAX_NONCE_LEN - 8..]);
        (it, u64::from_be_bytes(tail))
    }
    /// The same with other last eight bytes.
    #[inline(always)]
    pub(crate) fn count(&mut self, tail: u64) {
        self.bytes[MAX_NONCE_LEN - 8..].copy_from_slice(&tail.to_be_bytes());
    }
}

impl AsRef<[u8]> for Nonce {
    #[inline(always)]
    fn as_ref(&self) -> &[u8] {
        &self.bytes[MAX_NONCE_LEN - self.len as usize..]
    }
}

/// Both are read as slices and shown in hexadecimal.
macro_rules! as_bytes {
    ($($name:ident),*) => {$(
        impl core::ops::Deref for $name {
            type Target = [u8];
            #[inline(always)]
            fn deref(&self) -> &[u8] {
                self.as_ref()
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.iter().try_for_each(|b| write!(f, "{b:02x}"))
            }
        }
    )*};
}
as_bytes!(Tag, Nonce);

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        crate::cpu::equal(self, other)
    }
}
impl Eq for Tag {}

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

/// What a [`Sealer`](crate::Sealer) or [`Opener`](crate::Opener) keeps from one
/// message to the next. Secret; wiped when dropped.
#[derive(Default)]
pub struct Cache {
    pub(crate) ocb3: ocb3::Cache,
}

/// What sealing has to say besides the tag's first block, and seldom has: written
/// only then, so that what the caller stored here is what the caller reads.
#[derive(Default)]
pub struct Rare {
    /// Nothing was sealed.
    pub(crate) error: Option<Error>,
    /// The second half of a 32-byte tag.
    pub(crate) second: Block,
}

impl Rare {
    /// What a scheme returns that seals nothing.
    #[cold]
    pub(crate) fn fail(&mut self, error: Error) -> Answer {
        self.error = Some(error);
        Answer::new([0; 16])
    }
}

/// An authenticated-encryption scheme with its key.
///
/// Lengths are in bytes. A nonce must not be used twice with one key, unless
/// the scheme says that it survives this. Keys are immutable and `Sync`.
///
/// On a failed `open` of any form the whole output is zero, in place too, and
/// the error is [`Error::Forged`], whatever was wrong.
pub trait Aead: Sized {
    /// Whether a sealed message carries its tag before the ciphertext (SIV)
    /// rather than behind it.
    const TAG_FIRST: bool = false;

    /// Seals `io` and returns the tag's first block. Checks the lengths of nonce,
    /// message and associated data. What is rare goes to `rare`.
    #[doc(hidden)]
    fn seal_raw(&self, cache: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, rare: &mut Rare) -> Answer;

    /// Decrypts `io` and says whether `tag`, of `tag_len()` bytes, is right. If
    /// not, the caller wipes the output.
    #[doc(hidden)]
    fn open_raw(
        &self,
        cache: Option<&mut Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        tag: &[u8],
    ) -> Result<bool, Error>;

    /// The scheme's name, as in `"OCB3-AES-128"`.
    fn name(&self) -> &'static str;
    /// The tag's length in bytes, fixed with the key.
    fn tag_len(&self) -> usize;
    /// Whether a sealed message carries its tag before the ciphertext.
    #[doc(hidden)]
    fn is_tag_first(&self) -> bool {
        Self::TAG_FIRST
    }
    /// The usual length of a nonce in bytes.
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

    /// Opens `buf` in place. On failure `buf` is zeroed.
    ///
    /// # Errors
    /// [`Error::Forged`]; [`Error::TagLength`] and those of `seal_in_place`.
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

    /// Opens `src` into `dst`, which is as long. On failure `dst` is zeroed.
    ///
    /// # Errors
    /// [`Error::BufferLength`] and those of [`open_in_place`](Self::open_in_place).
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
    /// plaintext's part of `buf`. On failure all of that is zeroed.
    ///
    /// # Errors
    /// [`Error::BufferLength`] and those of [`open_in_place`](Self::open_in_place).
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

/// Every form of sealing that returns a tag ends here.
#[inline(always)]
pub(crate) fn seal<A: Aead>(
    aead: &A,
    cache: Option<&mut Cache>,
    nonce: &[u8],
    ad: &[u8],
    io: InOut<'_>,
) -> Result<Tag, Error> {
    let mut rare = Rare::default();
    let first = aead.seal_raw(cache, nonce, ad, io, &mut rare);
    match rare.error {
        None => Ok(Tag { blocks: [first.block(), rare.second], len: aead.tag_len() as u8 }),
        Some(error) => Err(error),
    }
}

/// Every form of sealing that writes a tag ends here; `tag` has `tag_len()` bytes.
#[inline(always)]
pub(crate) fn seal_into<A: Aead>(
    aead: &A,
    cache: Option<&mut Cache>,
    nonce: &[u8],
    ad: &[u8],
    io: InOut<'_>,
    tag: &mut [u8],
) -> Result<(), Error> {
    let mut rare = Rare::default();
    let first = aead.seal_raw(cache, nonce, ad, io, &mut rare);
    match rare.error {
        None => {
            // The usual length apart, and straight from the registers.
            match tag.as_chunks_mut() {
                ([tag], []) => *tag = first.block(),
                _ => put(first, &rare.second, tag),
            }
            Ok(())
        }
        Some(error) => Err(error),
    }
}

/// Writes a tag of an unusual length.
#[inline(never)]
fn put(first: Answer, second: &Block, tag: &mut [u8]) {
    let blocks = [first.block(), *second];
    debug_assert!(tag.len() <= MAX_TAG_LEN);
    tag.iter_mut().zip(blocks.as_flattened()).for_each(|(to, byte)| *to = *byte);
}

/// Every form of opening ends here: the one place that wipes after a forgery.
#[inline(always)]
pub(crate) fn open<A: Aead>(
    aead: &A,
    cache: Option<&mut Cache>,
    nonce: &[u8],
    ad: &[u8],
    mut io: InOut<'_>,
    tag: &[u8],
) -> Result<(), Error> {
    let done = if tag.len() == aead.tag_len() {
        aead.open_raw(cache, nonce, ad, io.reborrow(), tag)
    } else {
        Err(Error::TagLength)
    };
    match done {
        Ok(true) => Ok(()),
        Ok(false) => {
            wipe(io);
            Err(Error::Forged)
        }
        Err(e) => {
            wipe(io);
            Err(e)
        }
    }
}

/// Zeroes the output.
#[cold]
fn wipe(io: InOut<'_>) {
    crate::wipe::Wipe::wipe(io.into_dst());
}

/// How many blocks `len` bytes make.
#[inline(always)]
pub(crate) fn blocks(len: usize) -> u64 {
    // No slice is long enough to overflow.
    (len as u64 + 15) / 16
}
