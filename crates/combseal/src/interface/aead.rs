//! What every scheme can do, in the forms that callers use: in place, separate buffers, tag
//! apart or attached, `Vec`. All of them are thin methods over a scheme's few functions
//! (`scheme.rs`).

use super::description::Description;
use super::scheme::{Scheme, SealExtra, Settings, open, seal, seal_into};
use crate::cpu::{Cpu, InOut, ReturnedBlock};
#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

pub use super::description::Limits;
pub use super::error::Error;
pub use super::tag::{COUNTER_LEN, MAX_NONCE_LEN, MAX_TAG_LEN, Nonce, Tag};

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
        let at = if self.about().tag_first { n } else { sealed.len() - n };
        let (a, b) = sealed.split_at(at);
        let (body, tag) = if self.about().tag_first { (b, a) } else { (a, b) };
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
    let at = if aead.about().tag_first { n } else { buf.len() - n };
    let (a, b) = buf.split_at_mut(at);
    Ok(if aead.about().tag_first { (b, a) } else { (a, b) })
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
