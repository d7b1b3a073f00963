//! Where everything lies in a sealed stream: lengths and offsets by arithmetic alone, in 64 bits.
//!
//! After the header come segments, each of `segment` bytes of plaintext and a tag, but for the
//! last one, which is always shorter. So every length of a stream has one meaning.

use super::error::{Error, Unsupported};
use super::scheme;
use crate::key::Algorithm;

/// The first eight bytes. The first is no ASCII and shows a lost high bit; the two line ends and
/// the control-Z between them show conversions of text, as PNG's signature does.
pub(crate) const MAGIC: [u8; 8] = *b"\x89CMB\r\n\x1a\n";
/// The version of the format that is written.
pub(crate) const VERSION: u8 = 1;
/// Bytes of the header before its tables.
pub(crate) const FIXED: usize = 128;
/// Bytes of the header that never change and that the salt is part of.
pub(crate) const SALTED: usize = 48;
/// Bytes of the header that never change.
pub(crate) const UNCHANGING: usize = 96;
/// Bytes of a slot.
pub(crate) const SLOT: usize = 96;
/// Bytes of a table besides its slots.
pub(crate) const TABLE: usize = 64;
/// The most slots that a table has.
pub(crate) const MOST_SLOTS: u8 = 16;
/// Segments have at most this many numbers, which five bytes count.
pub(crate) const MOST_SEGMENTS: u64 = 1 << 40;
/// The powers of two that segments may be.
pub(crate) const SHIFTS: core::ops::RangeInclusive<u8> = 12..=24;

/// Lengths, in bytes, of a stream's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub algorithm: Algorithm,
    /// Before the first segment.
    pub header: u64,
    /// Plaintext in a full segment.
    pub segment: usize,
    pub tag: usize,
    /// The most segments under one key.
    segments: u64,
}

impl Layout {
    /// Of a stream whose header has `slots` slots and segments of `2^shift` bytes.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if they are out of bounds, or too long for the scheme.
    pub(crate) fn new(number: u8, shift: u8, slots: u8) -> Result<Self, Error> {
        if !SHIFTS.contains(&shift) {
            return Err(Error::Unsupported(Unsupported::Segment(shift)));
        }
        if !(1..=MOST_SLOTS).contains(&slots) {
            return Err(Error::Unsupported(Unsupported::Slots(slots)));
        }
        let algorithm = scheme::by_number(number)?;
        let it = Self::over(algorithm, header_len(slots) as u64, 1 << shift, MOST_SEGMENTS);
        if 1 << shift > algorithm.description().limits.message {
            return Err(Error::Unsupported(Unsupported::Segment(shift)));
        }
        Ok(it)
    }

    /// Of a stream with a header of so many bytes and segments of so many bytes of plaintext,
    /// at most `most` of them.
    pub(crate) fn over(algorithm: Algorithm, header: u64, segment: usize, most: u64) -> Self {
        let tag = algorithm.tag_lens()[0];
        let limits = algorithm.description().limits;
        // Each segment costs its blocks and one more for the tag.
        let blocks = segment as u64 / 16 + 1;
        let segments = most.min(limits.key_messages).min(limits.key_blocks / blocks);
        Self { algorithm, header, segment, tag, segments }
    }

    /// Bytes of a full segment and its tag: from one segment's offset to the next one's.
    #[inline]
    pub(crate) fn stride(&self) -> usize {
        self.segment + self.tag
    }

    /// Where segment `index` begins.
    ///
    /// # Errors
    /// [`Error::TooLong`] if there can be none.
    pub(crate) fn offset(&self, index: u64) -> Result<u64, Error> {
        let at = index.checked_mul(self.stride() as u64).and_then(|n| n.checked_add(self.header));
        at.filter(|_| index < self.segments).ok_or(Error::TooLong)
    }

    /// Whether a segment of this number may be.
    ///
    /// # Errors
    /// [`Error::TooLong`].
    #[inline]
    pub(crate) fn admit(&self, index: u64) -> Result<(), Error> {
        if index < self.segments { Ok(()) } else { Err(Error::TooLong) }
    }

    /// Bytes of the stream that `plaintext` bytes become.
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub(crate) fn sealed_len(&self, plaintext: u64) -> Result<u64, Error> {
        let full = plaintext / self.segment as u64;
        let rest = plaintext % self.segment as u64 + self.tag as u64;
        self.offset(full)?.checked_add(rest).ok_or(Error::TooLong)
    }

    /// The segments of a stream of `sealed` bytes: how many are full, and the plaintext bytes
    /// in the last one.
    ///
    /// # Errors
    /// [`Error::Truncated`] if no stream is so long; [`Error::TooLong`].
    pub(crate) fn segments(&self, sealed: u64) -> Result<(u64, usize), Error> {
        let body = sealed.checked_sub(self.header).ok_or(Error::Truncated)?;
        let (full, rest) = (body / self.stride() as u64, (body % self.stride() as u64) as usize);
        let last = rest.checked_sub(self.tag).ok_or(Error::Truncated)?;
        self.admit(full)?;
        Ok((full, last))
    }

    /// Bytes of plaintext in a stream of `sealed` bytes.
    ///
    /// # Errors
    /// Those of [`segments`](Self::segments).
    pub(crate) fn plaintext_len(&self, sealed: u64) -> Result<u64, Error> {
        let (full, last) = self.segments(sealed)?;
        let whole = full.checked_mul(self.segment as u64).ok_or(Error::TooLong)?;
        whole.checked_add(last as u64).ok_or(Error::TooLong)
    }
}

/// Bytes of a header with so many slots in a table.
pub(crate) const fn header_len(slots: u8) -> usize {
    FIXED + 2 * table_len(slots)
}

/// Bytes of a table with so many slots.
pub(crate) const fn table_len(slots: u8) -> usize {
    TABLE + SLOT * slots as usize
}
