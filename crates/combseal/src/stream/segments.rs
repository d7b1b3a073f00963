//! One segment: an AEAD under the payload's key, without associated data, and a nonce of prefix,
//! number and last mark (STREAM: Hoang, Reyhanitabar, Rogaway and Vizár 2015).

use super::error::Error;
use super::layout::Layout;
use crate::interface::aead::Aead;
use crate::interface::tag::MAX_NONCE_LEN;
use crate::key::Key;
use crate::memory::stack::{KERNEL, apart};

/// Bytes of a nonce behind its prefix: the segment's number, five bytes, and the last mark.
pub(crate) const MARKS: usize = 6;

/// The payload's key, the nonces' prefix and the lengths.
pub(crate) struct Segments {
    key: std::boxed::Box<Key>,
    nonces: Nonces,
    pub layout: Layout,
}

/// How segments' numbers become nonces.
struct Nonces {
    /// Prefix, and zeros where the marks go; or a base.
    base: [u8; MAX_NONCE_LEN],
    len: usize,
    /// Whether the last byte is the last mark, behind the number.
    marked: bool,
}

impl Nonces {
    /// The number and the mark fall on zeros, or, with a base, the number alone on its end. The
    /// number is below 2^40.
    fn of(&self, index: u64, last: bool) -> [u8; MAX_NONCE_LEN] {
        let mut nonce = self.base;
        let end = self.len - usize::from(self.marked);
        for (byte, number) in nonce[end - 5..end].iter_mut().zip(&index.to_be_bytes()[3..]) {
            *byte ^= number;
        }
        if self.marked {
            nonce[end] = last.into();
        }
        nonce
    }
}

impl Segments {
    /// Nonces are prefix, number and last mark; the prefix has all the bytes that are left.
    pub(crate) fn new(key: Key, prefix: &[u8], layout: Layout) -> Self {
        Self::with(key, prefix, true, layout)
    }

    /// As C2SP has it: nonces are `base` XOR the number.
    #[cfg(feature = "stream-interop")]
    pub(crate) fn xored(key: Key, base: &[u8], layout: Layout) -> Self {
        Self::with(key, base, false, layout)
    }

    fn with(key: Key, base: &[u8], marked: bool, layout: Layout) -> Self {
        let mut nonce = [0; MAX_NONCE_LEN];
        nonce[..base.len()].copy_from_slice(base);
        let len = key.nonce_len();
        Self { key: std::boxed::Box::new(key), nonces: Nonces { base: nonce, len, marked }, layout }
    }

    /// Whether segments are sealed and opened faster than they are copied: by parallel modes where
    /// AES instructions do several blocks each.
    pub(crate) fn outrun_copying(&self) -> bool {
        let family = self.layout.algorithm.description().family;
        let parallel = ["ocb3", "gcm", "gcm-siv"].contains(&family) || family.starts_with("aegis");
        parallel && self.key.cpu().is_hardware() && self.key.cpu().blocks() > 1
    }

    fn nonce(&self, index: u64, last: bool) -> ([u8; MAX_NONCE_LEN], usize) {
        (self.nonces.of(index, last), self.nonces.len)
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
        apart::<KERNEL, _>(|| self.key.seal_attached(&nonce[..len], b"", segment)).map_err(|_| Error::TooLong)
    }

    /// Opens a segment in place. If it is not authentic, its plaintext's place is zero.
    pub(crate) fn open(&self, index: u64, last: bool, segment: &mut [u8]) -> Result<(), Error> {
        self.layout.admit(index)?;
        let (nonce, len) = self.nonce(index, last);
        match apart::<KERNEL, _>(|| self.key.open_attached(&nonce[..len], b"", segment).map(drop)) {
            Ok(()) => Ok(()),
            Err(_) if last => Err(Error::CutOrDamaged { segment: index }),
            Err(_) => Err(Error::Damaged { segment: index }),
        }
    }

    /// Seals `src` to `dst`, which has room for a tag more.
    pub(crate) fn seal_to(&self, index: u64, last: bool, src: &[u8], dst: &mut [u8]) -> Result<(), Error> {
        self.layout.admit(index)?;
        let (nonce, len) = self.nonce(index, last);
        let body = self.body(dst.len());
        let text = &mut dst[body.clone()];
        let tag = apart::<KERNEL, _>(|| self.key.seal_to(&nonce[..len], b"", src, text)).map_err(|_| Error::TooLong)?;
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
        match apart::<KERNEL, _>(|| self.key.open_to(&nonce[..len], b"", &src[body], dst, tag)) {
            Ok(()) => Ok(()),
            Err(_) if last => Err(Error::CutOrDamaged { segment: index }),
            Err(_) => Err(Error::Damaged { segment: index }),
        }
    }
}
