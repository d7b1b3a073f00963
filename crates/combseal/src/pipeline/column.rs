//! A column on its way through the pipeline: what its values are sealed or opened with, and
//! which of them are authentic.

use super::values::Values;
use crate::interface::tag::{self, AnyNonce};

/// Which messages of a column go a lane each: where a call each costs more.
#[derive(Clone, Copy)]
pub(crate) struct Takes {
    /// Bytes of the longest: a longer one fills the pipeline by itself.
    pub most: usize,
    /// How many that follow one another: all lanes together cost what they cost, however few are taken.
    pub fewest: usize,
}

impl Takes {
    /// Of schemes whose messages take long by themselves.
    pub const SLOW: Self = Self { most: 256, fewest: 1 };
}

/// Where each value's nonce comes from.
#[derive(Clone, Copy)]
pub(crate) enum Nonce<'a> {
    /// A prefix with a counter of zero, and the first value's counter.
    Counted { begun: tag::Nonce, first: u64 },
    /// One behind the other.
    Given(&'a [u8]),
    /// None: RFC 5297's use of SIV without a nonce.
    None,
}

impl<'a> Nonce<'a> {
    /// The nonce of value `i`, of `len` bytes.
    #[inline(always)]
    pub fn get(&self, i: usize, len: usize) -> AnyNonce<'a> {
        match self {
            Self::Counted { begun, first } => {
                let mut nonce = *begun;
                // No counter passes the end of its eight bytes.
                nonce.count(first.wrapping_add(i as u64));
                nonce.into()
            }
            Self::Given(all) => AnyNonce::from(&all[i * len..(i + 1) * len]),
            Self::None => AnyNonce::EMPTY,
        }
    }

    /// Of counted nonces of at most 15 bytes, that of value 0 as a big-endian number, of which the
    /// others are further on.
    #[inline(always)]
    pub fn base(&self) -> Option<u128> {
        match self {
            Self::Counted { begun, first } => {
                let prefix = begun.iter().fold(0, |n, &byte| n << 8 | u128::from(byte));
                Some(prefix | u128::from(*first))
            }
            _ => None,
        }
    }
}

/// One for all values, or one for each.
#[derive(Clone, Copy)]
pub(crate) enum Source<One, Each> {
    /// For all.
    One(One),
    /// For each.
    Each(Each),
}

/// What a column is sealed or opened with. The keys are of one scheme, tier, and length of tags
/// and nonces; there are as many nonces, and keys and associated data if one each, as values.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a, J> {
    pub keys: Source<&'a J, &'a [&'a J]>,
    pub nonces: Nonce<'a>,
    pub ads: Source<&'a [u8], Values<'a>>,
    /// What is read: plaintexts, or sealed values.
    pub values: Values<'a>,
    /// Bytes in front of each sealed value that belong to the caller.
    pub front: usize,
    pub nonce_len: usize,
    pub tag_len: usize,
    /// Bytes that a sealed value has more: `front` and the tag. Where `front` is too large for memory,
    /// so is this, and no sealed value is long enough.
    pub overhead: usize,
    /// Whether the tag stands before the ciphertext.
    pub tag_first: bool,
    pub open: bool,
    /// Bytes that a message may have under these keys.
    pub most: usize,
    /// Bytes in the longest message; more than any has, if a cell is too short to be one or too long.
    pub longest: usize,
}

impl<'a, J> Column<'a, J> {
    /// The key of value `i`.
    #[inline(always)]
    pub fn key(&self, i: usize) -> &'a J {
        match self.keys {
            Source::One(key) => key,
            Source::Each(keys) => keys[i],
        }
    }

    /// The associated data of value `i`.
    #[inline(always)]
    pub fn ad(&self, i: usize) -> &'a [u8] {
        match self.ads {
            Source::One(ad) => ad,
            Source::Each(ads) => ads.get(i),
        }
    }

    /// Bytes in message `i`; `None` of a sealed value that is too short to be one, or longer than its
    /// scheme makes any.
    #[inline(always)]
    pub fn len(&self, i: usize) -> Option<usize> {
        let len = self.values.value_len(i);
        if self.open { len.checked_sub(self.overhead).filter(|&len| len <= self.most) } else { Some(len) }
    }

    /// Bytes that opening writes for cell `i`, whatever its length.
    pub fn opened_room(&self, i: usize) -> usize {
        self.values.value_len(i).saturating_sub(self.overhead)
    }

    /// A sealed value's ciphertext and tag.
    #[inline(always)]
    pub fn parts(&self, cell: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        let cell = &cell[self.front..];
        if self.tag_first {
            let (tag, text) = cell.split_at(self.tag_len);
            (text, tag)
        } else {
            cell.split_at(cell.len() - self.tag_len)
        }
    }

    /// The same to be written.
    #[inline(always)]
    pub fn parts_mut<'o>(&self, cell: &'o mut [u8]) -> (&'o mut [u8], &'o mut [u8]) {
        let cell = &mut cell[self.front..];
        if self.tag_first {
            let (tag, text) = cell.split_at_mut(self.tag_len);
            (text, tag)
        } else {
            cell.split_at_mut(cell.len() - self.tag_len)
        }
    }
}

/// Which values are authentic: a bit each, the lowest of a byte first, as Arrow's validity
/// bitmaps have them.
pub(crate) struct Marks<'o> {
    bits: &'o mut [u8],
    /// The number of the value that has the first bit.
    first: usize,
    /// Whether one is not.
    pub forged: bool,
}

impl<'o> Marks<'o> {
    /// None is authentic, until it is marked: all `bits` are zero.
    pub fn new(bits: &'o mut [u8], first: usize) -> Self {
        debug_assert!(bits.iter().all(|&byte| byte == 0));
        Self { bits, first, forged: false }
    }

    /// Value `i` is authentic, or is not.
    #[inline(always)]
    pub fn mark(&mut self, i: usize, good: bool) {
        let i = i - self.first;
        self.bits[i / 8] |= u8::from(good) << (i % 8);
        self.forged |= !good;
    }
}
