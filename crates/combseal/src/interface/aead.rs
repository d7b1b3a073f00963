//! What every scheme can do, in the forms that callers use: in place, separate buffers, tag
//! apart or attached, `Vec`. All of them are thin methods over a scheme's few functions
//! (`scheme.rs`).

use super::description::{Description, Limits};
use super::error::Error;
use super::parts::Progress;
use super::scheme::{Scheme, SealExtra, Settings, open, seal, seal_into};
use super::tag::Tag;
use crate::cpu::{Block, Cpu, InOut, ReturnedBlock};
use crate::memory::wipe::Wipe;
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};
use core::ops::Range;

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
    /// What is known of the scheme: its lengths, limits, standards.
    #[inline(always)]
    fn description(&self) -> &'static Description {
        self.about()
    }
    /// The scheme's name, as in `"OCB3-AES-128"`.
    fn name(&self) -> &'static str {
        self.about().name
    }
    /// The tag's length in bytes, fixed with the key.
    #[inline(always)]
    fn tag_len(&self) -> usize {
        self.settings().tag_len()
    }
    /// The nonce's length in bytes: the scheme's usual one, unless the key's
    /// `set_nonce_len` chose another.
    #[inline(always)]
    fn nonce_len(&self) -> usize {
        self.settings().nonce_len as usize
    }
    /// What may be sealed, with nonces of this length;
    /// [`Description::limits_source`] says where that is from.
    fn limits(&self) -> Limits {
        self.allowed()
    }
    /// The CPU tier that this key works on.
    fn cpu(&self) -> Cpu {
        self.settings().cpu
    }

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

    /// Seals `buf` in place and writes the tag to `tag`, of `tag_len()` bytes.
    ///
    /// # Errors
    /// [`Error::TagLength`] and those of [`seal_in_place`](Self::seal_in_place); then both are as
    /// they were.
    #[inline]
    fn seal_detached(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &mut [u8]) -> Result<(), Error> {
        if tag.len() != self.tag_len() {
            return Err(Error::TagLength);
        }
        seal_into(self, None, nonce, ad, InOut::in_place(buf), tag)
    }

    /// Seals `src` into `dst`, which is as long, and writes the tag to `tag`, of `tag_len()` bytes.
    ///
    /// # Errors
    /// [`Error::BufferLength`] and those of [`seal_detached`](Self::seal_detached).
    #[inline]
    fn seal_to_detached(
        &self,
        nonce: &[u8],
        ad: &[u8],
        src: &[u8],
        dst: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        if tag.len() != self.tag_len() {
            return Err(Error::TagLength);
        }
        seal_into(self, None, nonce, ad, InOut::separate(src, dst).ok_or(Error::BufferLength)?, tag)
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

    /// Where the message is in `len` bytes that have its tag attached: before the tag, or behind it
    /// for SIV.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `len` is less than a tag.
    #[inline]
    fn body_range(&self, len: usize) -> Result<Range<usize>, Error> {
        Attached::of(self).body(len)
    }

    /// Seals all that is in `buf` and attaches the tag, for which `buf` grows by `tag_len()` bytes:
    /// at its end, or for SIV at its beginning, where the message makes room. Reserve `tag_len()` bytes before, or `buf` may be
    /// allocated anew, and the plaintext stays in the memory that it had.
    ///
    /// # Errors
    /// As [`seal_in_place`](Self::seal_in_place); then `buf` is as it was.
    fn seal_buffer(&self, nonce: &[u8], ad: &[u8], buf: &mut impl Buffer) -> Result<(), Error> {
        grown(Attached::of(self), buf, |it| self.seal_attached(nonce, ad, it))
    }

    /// Opens what [`seal_buffer`](Self::seal_buffer) sealed: `buf` shrinks to the message.
    ///
    /// # Errors
    /// As [`open_attached`](Self::open_attached). After [`Error::Forged`] the message's place is
    /// zero and `buf` has no bytes any more; after the others it is as it was.
    fn open_buffer(&self, nonce: &[u8], ad: &[u8], buf: &mut impl Buffer) -> Result<(), Error> {
        shrunk(Attached::of(self), buf, |it| self.open_attached(nonce, ad, it).map(drop))
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
        let form = Attached::of(self);
        let (a, b) = sealed.split_at(form.cut(sealed.len())?);
        let (body, tag) = if form.first { (b, a) } else { (a, b) };
        let mut out = vec![0; body.len()];
        self.open_to(nonce, ad, body, &mut out, tag)?;
        Ok(out)
    }
}

/// Bytes that can become more, and fewer: `Vec<u8>`, and with the feature `bytes`
/// `bytes::BytesMut`. For others it takes two lines.
pub trait Buffer: AsMut<[u8]> {
    /// Appends `zeros` bytes that are zero. (What it leaves where it was, when it moves, is
    /// plaintext: who cares reserves enough.)
    fn grow(&mut self, zeros: usize);
    /// Keeps the first `len` bytes, of which there are as many.
    fn shrink(&mut self, len: usize);
}

#[cfg(feature = "alloc")]
impl Buffer for Vec<u8> {
    fn grow(&mut self, zeros: usize) {
        self.resize(self.len() + zeros, 0);
    }
    fn shrink(&mut self, len: usize) {
        self.truncate(len);
    }
}

#[cfg(feature = "bytes")]
impl Buffer for bytes::BytesMut {
    fn grow(&mut self, zeros: usize) {
        self.resize(self.len() + zeros, 0);
    }
    fn shrink(&mut self, len: usize) {
        self.truncate(len);
    }
}

/// Where messages that have their tag attached have what.
#[derive(Clone, Copy)]
pub(crate) struct Attached {
    tag_len: usize,
    /// Whether the tag is before the message, as SIV has it.
    first: bool,
}

impl Attached {
    #[inline(always)]
    pub(crate) fn of<A: Aead>(aead: &A) -> Self {
        Self { tag_len: aead.tag_len(), first: aead.about().tag_first }
    }

    /// Where the first of tag and message ends, in `len` bytes of both.
    #[inline(always)]
    fn cut(self, len: usize) -> Result<usize, Error> {
        let rest = len.checked_sub(self.tag_len).ok_or(Error::BufferLength)?;
        Ok(if self.first { self.tag_len } else { rest })
    }

    /// The message's place.
    #[inline(always)]
    fn body(self, len: usize) -> Result<Range<usize>, Error> {
        let at = self.cut(len)?;
        Ok(if self.first { at..len } else { 0..at })
    }
}

/// Makes room for a tag in `buf`, where the scheme has it, and seals all of it by `seal`. If that
/// refuses, `buf` is as it was.
pub(crate) fn grown(
    form: Attached,
    buf: &mut impl Buffer,
    seal: impl FnOnce(&mut [u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let Attached { tag_len: n, first } = form;
    let len = buf.as_mut().len();
    buf.grow(n);
    let all = buf.as_mut();
    if all.len() != len + n {
        return Err(Error::BufferLength);
    }
    if first {
        all.copy_within(..len, n);
    }
    let done = seal(all);
    if done.is_err() {
        if first {
            all.copy_within(n.., 0);
        }
        all[len..].wipe();
        buf.shrink(len);
    }
    done
}

/// Opens all of `buf` by `open` and leaves the message in it; after a forgery, nothing.
pub(crate) fn shrunk(
    form: Attached,
    buf: &mut impl Buffer,
    open: impl FnOnce(&mut [u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let all = buf.as_mut();
    let body = form.body(all.len())?;
    match open(all) {
        Ok(()) => {
            let len = body.len();
            all.copy_within(body, 0);
            // The tag, and for SIV the message's end, which lies there twice.
            all[len..].wipe();
            buf.shrink(len);
            Ok(())
        }
        Err(Error::Forged) => {
            buf.shrink(0);
            Err(Error::Forged)
        }
        Err(other) => Err(other),
    }
}

/// The message and the tag of a sealed buffer.
#[inline(always)]
pub(crate) fn split_sealed_mut<'b, A: Aead>(
    aead: &A,
    buf: &'b mut [u8],
) -> Result<(&'b mut [u8], &'b mut [u8]), Error> {
    let form = Attached::of(aead);
    let (a, b) = buf.split_at_mut(form.cut(buf.len())?);
    Ok(if form.first { (b, a) } else { (a, b) })
}

/// What lends or owns a key is one.
macro_rules! forward {
    ($($(#[$cfg:meta])* $t:ty;)*) => {$(
        $(#[$cfg])*
        impl<A: Aead> Scheme for $t {
            type Cache = A::Cache;
            #[inline(always)]
            fn about(&self) -> &'static Description {
                (**self).about()
            }
            #[inline(always)]
            fn settings(&self) -> &Settings {
                (**self).settings()
            }
            #[inline(always)]
            fn allowed(&self) -> Limits {
                (**self).allowed()
            }
            #[inline(always)]
            fn allows_repeats(&self) -> bool {
                (**self).allows_repeats()
            }
            #[inline(always)]
            fn seal_checked(
                &self,
                cache: Option<&mut A::Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                extra: &mut SealExtra,
            ) -> ReturnedBlock {
                (**self).seal_checked(cache, nonce, ad, io, extra)
            }
            fn part_unit(&self) -> Result<usize, Error> {
                (**self).part_unit()
            }
            fn begin_parts(&self, nonce: &[u8], ad: &[u8], at: &mut Progress) -> Result<(), Error> {
                (**self).begin_parts(nonce, ad, at)
            }
            #[inline(always)]
            fn do_part(&self, at: &mut Progress, io: InOut<'_>, open: bool) {
                (**self).do_part(at, io, open);
            }
            fn end_parts(&self, at: &mut Progress, io: InOut<'_>, open: bool) -> Block {
                (**self).end_parts(at, io, open)
            }
            #[inline(always)]
            fn open_checked(
                &self,
                cache: Option<&mut A::Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                tag: &[u8],
            ) -> Result<(), Error> {
                (**self).open_checked(cache, nonce, ad, io, tag)
            }
            fn seal_strings(&self, ads: &[&[u8]], buf: &mut [u8]) -> Result<Tag, Error> {
                (**self).seal_strings(ads, buf)
            }
            fn open_strings(&self, ads: &[&[u8]], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
                (**self).open_strings(ads, buf, tag)
            }
        }
        $(#[$cfg])*
        impl<A: Aead> Aead for $t {}
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
