//! One segment: an AEAD under the payload's key, without associated data, and a nonce of prefix,
//! number and last mark (STREAM: Hoang, Reyhanitabar, Rogaway and Vizár 2015).

use super::error::Error;
use super::layout::Layout;
use crate::interface::aead::{Aead, MAX_NONCE_LEN};
use crate::key::Key;

/// Bytes of a nonce behind its prefix: the segment's number, five bytes, and the last mark.
pub(crate) const MARKS: usize = 6;

/// The payload's key, the nonces' prefix and the lengths.
pub(crate) struct Segments {
    key: std::boxed::Box<Key>,
    nonces: Nonces,
    pub layout: Layout,
}

/// How segments' numbers become nonces.
enum Nonces {
    /// Prefix, number and last mark: this format, and Tink's with fewer bytes of number.
    Marked { prefix: [u8; MAX_NONCE_LEN], len: usize },
}

impl Segments {
    pub(crate) fn new(key: Key, prefix: &[u8], layout: Layout) -> Self {
        let mut nonce = [0; MAX_NONCE_LEN];
        nonce[..prefix.len()].copy_from_slice(prefix);
        let nonces = Nonces::Marked { prefix: nonce, len: prefix.len() + MARKS };
        Self { key: std::boxed::Box::new(key), nonces, layout }
    }

    fn nonce(&self, index: u64, last: bool) -> ([u8; MAX_NONCE_LEN], usize) {
        let Nonces::Marked { prefix, len } = &self.nonces;
        let (mut nonce, len) = (*prefix, *len);
        nonce[len - MARKS..len - 1].copy_from_slice(&index.to_be_bytes()[3..]);
        nonce[len - 1] = last.into();
        (nonce, len)
    }

    /// Bytes of a sealed segment before its ciphertext: a tag for SIV, none for the others.
    pub(crate) fn before(&self) -> usize {
        if self.layout.algorithm.description().tag_first { self.layout.tag } else { 0 }
    }

    /// The place of the ciphertext in a sealed segment.
    fn body(&self, segment: usize) -> core::ops::Range<usize> {
        let start = self.before();
        start..start + segment - self.layout.tag
    }

    /// Seals a segment in place: plaintext with the tag's bytes behind it (before it for SIV).
    pub(crate) fn seal(&self, index: u64, last: bool, segment: &mut [u8]) -> Result<(), Error> {
        self.layout.admit(index)?;
        let (nonce, len) = self.nonce(index, last);
        self.key.seal_attached(&nonce[..len], b"", segment).map_err(|_| Error::TooLong)
    }

    /// Opens a segment in place. If it is not authentic, its plaintext's place is zero.
    pub(crate) fn open(&self, index: u64, last: bool, segment: &mut [u8]) -> Result<(), Error> {
        self.layout.admit(index)?;
        let (nonce, len) = self.nonce(index, last);
        match self.key.open_attached(&nonce[..len], b"", segment) {
            Ok(_) => Ok(()),
            Err(_) if last => Err(Error::CutOrDamaged { segment: index }),
            Err(_) => Err(Error::Damaged { segment: index }),
        }
    }

    /// Seals `src` to `dst`, which has room for a tag more.
    pub(crate) fn seal_to(&self, index: u64, last: bool, src: &[u8], dst: &mut [u8]) -> Result<(), Error> {
        self.layout.admit(index)?;
        let (nonce, len) = self.nonce(index, last);
        let body = self.body(dst.len());
        let tag = self.key.seal_to(&nonce[..len], b"", src, &mut dst[body.clone()]).map_err(|_| Error::TooLong)?;
        let at = if body.start > 0 { 0 } else { body.end };
        dst[at..at + self.layout.tag].copy_from_slice(tag.as_bytes());
        Ok(())
    }

    /// Opens `src` to `dst`, which has no room for the tag. If it is not authentic, `dst` is
    /// zero.
    pub(crate) fn open_to(&self, index: u64, last: bool, src: &[u8], dst: &mut [u8]) -> Result<(), Error> {
        self.layout.admit(index)?;
        let (nonce, len) = self.nonce(index, last);
        let body = self.body(src.len());
        let at = if body.start > 0 { 0 } else { body.end };
        let tag = &src[at..at + self.layout.tag];
        match self.key.open_to(&nonce[..len], b"", &src[body], dst, tag) {
            Ok(()) => Ok(()),
            Err(_) if last => Err(Error::CutOrDamaged { segment: index }),
            Err(_) => Err(Error::Damaged { segment: index }),
        }
    }
}
