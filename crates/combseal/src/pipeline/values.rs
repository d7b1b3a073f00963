//! Many messages in one buffer, one behind the other, as data columns and packet rings have
//! them: where each one lies is a length that all have, or offsets.

use crate::interface::error::Error;
use core::ops::Range;

/// Messages, *values*, that lie in one buffer one behind the other: plaintexts, associated data, or
/// sealed values, which are called *cells*.
///
/// As in Apache Arrow's layout of binary columns, value `i` is from offset `i` to offset
/// `i + 1`; or all values have one length. Arrow's nulls are not known here: a null's slot is a
/// value like any other, of the bytes between its offsets, as a rule none.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    data: &'a [u8],
    places: Places<'a>,
    count: usize,
}

/// A number that says where a value begins: `u32`, `u64` and `usize`, and Arrow's `i32` and
/// `i64`.
pub trait Offset: sealed::Sealed + Copy {
    /// As a place in memory; `None` of a negative number, or one beyond this machine's memory.
    fn place(self) -> Option<usize>;
    /// The place as such a number, if it fits.
    fn of(place: usize) -> Option<Self>;
}

mod sealed {
    pub trait Sealed: Sized {
        fn places(all: &[Self]) -> super::Places<'_>;
    }
}

macro_rules! offsets {
    ($($t:ident)*) => {
        /// Where the values lie.
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types)]
        pub enum Places<'a> {
            /// Of so many bytes each.
            Fixed(usize),
            $(
                /// Between offsets of this type.
                $t(&'a [$t]),
            )*
        }

        impl Places<'_> {
            /// Where value `i` begins, or where the last one ends.
            #[inline(always)]
            fn at(&self, i: usize) -> usize {
                match self {
                    Self::Fixed(len) => i * len,
                    // In order, within a slice's length and not negative: `Values::new` looked.
                    $(Self::$t(all) => all[i] as usize,)*
                }
            }

            /// Whether no offset is less than the one before it. Without an early exit, so that
            /// many are compared at once.
            fn in_order(&self) -> bool {
                match self {
                    Self::Fixed(_) => true,
                    $(Self::$t(all) => all.windows(2).fold(true, |so_far, pair| so_far & (pair[0] <= pair[1])),)*
                }
            }

            /// Where values `from` and on begin, and behind as many as asked the last one ends.
            #[inline(always)]
            fn read(&self, from: usize, to: &mut [usize]) {
                match self {
                    Self::Fixed(len) => to.iter_mut().enumerate().for_each(|(i, to)| *to = (from + i) * len),
                    $(Self::$t(all) => {
                        let all = &all[from..from + to.len()];
                        to.iter_mut().zip(all).for_each(|(to, &at)| *to = at as usize);
                    })*
                }
            }

            /// The least and the most bytes of one of the first `count` values.
            fn extremes(&self, count: usize) -> (usize, usize) {
                match self {
                    Self::Fixed(len) => (*len, *len),
                    $(Self::$t(all) => {
                        let lens = all[..=count].windows(2).map(|pair| pair[1] - pair[0]);
                        let (least, most) = lens.fold((<$t>::MAX, 0), |(least, most), n| (least.min(n), most.max(n)));
                        (least as usize, most as usize)
                    })*
                }
            }

            /// How many bytes the first `count` values are short of whole blocks of 16 bytes, all
            /// together.
            fn short_of_blocks(&self, count: usize) -> u64 {
                /// As many values fall short by less than the narrowest offset can say.
                const MOST: usize = 1 << 24;
                match self {
                    Self::Fixed(len) => (count as u64).saturating_mul(len.wrapping_neg() as u64 % 16),
                    $(Self::$t(all) => {
                        let parts = (0..count).step_by(MOST).map(|from| &all[from..=count.min(from + MOST)]);
                        let short = |pair: &[$t]| pair[0].wrapping_sub(pair[1]) & 15;
                        // Summed up in the offsets' type, so that many are at once.
                        parts.map(|part| part.windows(2).fold(0, |sum, pair| sum + short(pair)) as u64).sum()
                    })*
                }
            }

            /// Those of a range of values.
            fn slice(self, range: Range<usize>) -> Self {
                match self {
                    Self::Fixed(len) => Self::Fixed(len),
                    $(Self::$t(all) => Self::$t(&all[range.start..=range.end]),)*
                }
            }
        }

        $(
            impl Offset for $t {
                #[inline(always)]
                fn place(self) -> Option<usize> {
                    self.try_into().ok()
                }
                #[inline(always)]
                fn of(place: usize) -> Option<Self> {
                    place.try_into().ok()
                }
            }
            impl sealed::Sealed for $t {
                fn places(all: &[Self]) -> Places<'_> {
                    Places::$t(all)
                }
            }
        )*
    };
}
offsets!(u32 i32 u64 i64 usize);

impl<'a> Values<'a> {
    /// Values of `len` bytes each.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `len` is zero, or `data` no multiple of it.
    pub fn fixed(data: &'a [u8], len: usize) -> Result<Self, Error> {
        match data.len().checked_rem(len) {
            Some(0) => Ok(Self { data, places: Places::Fixed(len), count: data.len() / len }),
            _ => Err(Error::BufferLength),
        }
    }

    /// Values between `offsets`, of which there is one more than of values (or none, for no
    /// values). What lies before the first and behind the last belongs to no value.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if an offset is less than the one before it, is negative, or is
    /// beyond the end of `data`.
    pub fn new<O: Offset>(data: &'a [u8], offsets: &'a [O]) -> Result<Self, Error> {
        let none = Self { data, places: Places::Fixed(0), count: 0 };
        let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else { return Ok(none) };
        // Not below the first and in order, so none is negative; and none above the last.
        let (Some(first), Some(last)) = (first.place(), last.place()) else { return Err(Error::BufferLength) };
        let it = Self { data, places: O::places(offsets), count: offsets.len() - 1 };
        if first > last || last > data.len() || !it.places.in_order() {
            return Err(Error::BufferLength);
        }
        Ok(it)
    }

    /// How many values.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Value `i`.
    ///
    /// # Panics
    /// If `i` is not below [`count`](Self::count).
    #[inline(always)]
    pub fn get(&self, i: usize) -> &'a [u8] {
        assert!(i < self.count, "value {i} of {}", self.count);
        &self.data[self.places.at(i)..self.places.at(i + 1)]
    }

    /// The buffer, and where in it values `from` and on begin, one less than there is room for in
    /// `to`, and the last of them ends. Panics if there are not so many.
    #[inline(always)]
    pub(crate) fn read(&self, from: usize, to: &mut [usize]) -> &'a [u8] {
        assert!(from + to.len() <= self.count + 1, "value {from} and {} more of {}", to.len(), self.count);
        self.places.read(from, to);
        self.data
    }

    /// Bytes in value `i`.
    ///
    /// # Panics
    /// If `i` is not below [`count`](Self::count).
    #[inline(always)]
    pub fn value_len(&self, i: usize) -> usize {
        assert!(i < self.count, "value {i} of {}", self.count);
        self.places.at(i + 1) - self.places.at(i)
    }

    /// Bytes in the shortest and in the longest value; zero if there are none.
    pub(crate) fn extremes(&self) -> (usize, usize) {
        if self.count == 0 { (0, 0) } else { self.places.extremes(self.count) }
    }

    /// Bytes in all values.
    pub fn total(&self) -> usize {
        if self.count == 0 { 0 } else { self.places.at(self.count) - self.places.at(0) }
    }

    /// Blocks of 16 bytes in all values, of which each begins with a block of its own.
    pub(crate) fn blocks(&self) -> u64 {
        // The sum is a multiple of 16.
        (self.total() as u64).saturating_add(self.places.short_of_blocks(self.count)) / 16
    }

    /// The values of a range.
    ///
    /// # Panics
    /// If the range ends before it begins, or beyond [`count`](Self::count).
    pub fn slice(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.count, "values {range:?} of {}", self.count);
        if let Places::Fixed(len) = self.places {
            return Self { data: &self.data[range.start * len..range.end * len], count: range.len(), ..*self };
        }
        Self { data: self.data, count: range.len(), places: self.places.slice(range) }
    }
}

/// Shows how many there are, and no byte of them.
impl core::fmt::Debug for Values<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} values of {} bytes in all", self.count, self.total())
    }
}
