//! Many short messages that lie in one buffer: a data column's values, a ring of packets.
//!
//! There is no struct a message here and nothing to be planned: `Values` says where the messages
//! lie, and they are sealed to one buffer, or opened to one. Runs of short values go through
//! the pipeline a lane each where their scheme has a kernel for them (`pipeline/run.rs`);
//! all others as a batch's jobs do (`jobs`).

mod jobs;
mod nonces;

use crate::interface::aead::Aead;
use crate::interface::error::Error;
use crate::key::Key;
use crate::pipeline::column::{Column, LONGEST, Marks, Source};
use crate::pipeline::run::Run;
#[cfg(feature = "rayon")]
use crate::pipeline::run::cut;
use crate::pipeline::values::{Offset, Values};
use jobs::Workspace;
pub use nonces::Nonces;

/// Seals and opens many messages that lie in one buffer, [`Values`]: the cells of a data column,
/// the packets of a ring.
///
/// A sealed value is as long as the message and [`overhead`](Self::overhead) bytes more: the
/// ciphertext and behind it the tag, or with SIV before it, as
/// [`seal_attached`](Aead::seal_attached) has them. They lie one behind the other, in the values'
/// order. Short values of OCB3 with one key, and of SIV without nonces, take a lane of the
/// pipeline each and cost a quarter to a tenth of a call; those of all other schemes what they
/// cost in a [`Batch`](crate::Batch), without its jobs.
///
/// ```
/// use combseal::{Algorithm, Columns, Key, NonceCounter, Nonces, Values};
/// let key = Key::new(Algorithm::Ocb3Aes128, &[7; 16])?;
/// let columns = Columns::new(&key).ad(b"table.column");
/// let (names, offsets) = (b"AnnBobChristine", [0u32, 3, 6, 6, 15]);
/// let names = Values::new(names, &offsets)?;
///
/// let mut counter = NonceCounter::new(b"col1")?;
/// let mut sealed = vec![0; columns.sealed_len(&names)?];
/// let first = columns.seal(&names, Nonces::counted(&mut counter), &mut sealed)?;
/// let mut cells = [0u32; 5];
/// columns.sealed_offsets(&names, &mut cells)?;
/// assert_eq!(cells, [0, 19, 38, 54, 79]);
///
/// let cells = Values::new(&sealed, &cells)?;
/// let mut opened = vec![0; columns.opened_len(&cells)?];
/// let mut authentic = [0; 1];
/// columns.open(&cells, Nonces::counted_from(b"col1", first)?, &mut opened, &mut authentic)?;
/// assert_eq!((&opened[..], authentic), (&b"AnnBobChristine"[..], [0b1111]));
/// # Ok::<(), combseal::Error>(())
/// ```
///
/// Deterministic tokens, equal for equal values, are SIV's without nonces
/// ([`Nonces::none`]): RFC 5297's S2V over the associated data and the value.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    keys: Source<&'a Key, &'a [&'a Key]>,
    ads: Source<&'a [u8], Values<'a>>,
    front: usize,
}

impl<'a> Columns<'a> {
    /// All values under one key, without associated data.
    pub fn new(key: &'a Key) -> Self {
        Self { keys: Source::One(key), ads: Source::One(&[]), front: 0 }
    }

    /// A key for each value. They are of one scheme, for one tier, and with tags and nonces of one
    /// length.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if they are not.
    pub fn with_keys(keys: &'a [&'a Key]) -> Result<Self, Error> {
        let alike = |key: &Key, other: &Key| {
            key.algorithm() == other.algorithm()
                && key.cpu() == other.cpu()
                && key.tag_len() == other.tag_len()
                && key.nonce_len() == other.nonce_len()
        };
        if keys.iter().any(|key| !alike(key, keys[0])) {
            return Err(Error::Unsupported);
        }
        Ok(Self { keys: Source::Each(keys), ads: Source::One(&[]), front: 0 })
    }

    /// The same with associated data, for all values the same bytes.
    pub fn ad(self, ad: &'a [u8]) -> Self {
        Self { ads: Source::One(ad), ..self }
    }

    /// The same with associated data for each value.
    pub fn ads(self, ads: Values<'a>) -> Self {
        Self { ads: Source::Each(ads), ..self }
    }

    /// The same with `front` bytes before each sealed value that belong to the caller, for a
    /// key's number or a nonce, say. Sealing leaves them as they are, opening passes over them;
    /// they are not authenticated.
    pub fn front(self, front: usize) -> Self {
        Self { front, ..self }
    }

    /// The first key: all that is asked of it, the others have too. `None` if there are no keys.
    fn key(&self) -> Option<&'a Key> {
        match self.keys {
            Source::One(key) => Some(key),
            Source::Each(keys) => keys.first().copied(),
        }
    }

    /// How many bytes longer a sealed value is: tag and [`front`](Self::front).
    pub fn overhead(&self) -> usize {
        self.front.saturating_add(self.key().map_or(0, Aead::tag_len))
    }

    /// Bytes that `values` have when they are sealed.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if these are more than a buffer can have.
    pub fn sealed_len(&self, values: &Values<'_>) -> Result<usize, Error> {
        let more = self.overhead().checked_mul(values.count());
        more.and_then(|more| more.checked_add(values.total())).ok_or(Error::BufferLength)
    }

    /// Bytes that sealed `values` have when they are opened. One that is too short to be sealed
    /// counts as empty.
    ///
    /// # Errors
    /// None so far: a message is shorter than its sealed form.
    pub fn opened_len(&self, values: &Values<'_>) -> Result<usize, Error> {
        let more = self.overhead();
        if values.extremes().0 >= more {
            return Ok(values.total() - more * values.count());
        }
        Ok((0..values.count()).map(|i| values.len(i).saturating_sub(more)).sum())
    }

    /// Writes where each of `values` begins when it is sealed, and behind them where the last one
    /// ends.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless there is one offset more than of values, and each fits its
    /// type.
    pub fn sealed_offsets<O: Offset>(&self, values: &Values<'_>, offsets: &mut [O]) -> Result<(), Error> {
        let more = self.overhead();
        write(values, offsets, |len| len.checked_add(more))
    }

    /// Writes where each of sealed `values` begins when it is opened, and behind them where the
    /// last one ends.
    ///
    /// # Errors
    /// As of [`sealed_offsets`](Self::sealed_offsets).
    pub fn opened_offsets<O: Offset>(&self, values: &Values<'_>, offsets: &mut [O]) -> Result<(), Error> {
        let more = self.overhead();
        write(values, offsets, |len| Some(len.saturating_sub(more)))
    }

    /// Seals `values` to `out`, which is [`sealed_len`](Self::sealed_len) bytes long. Returns the
    /// first value's counter, if nonces are counted, else zero.
    ///
    /// # Errors
    /// Nothing is sealed, and no nonce used, where there is an error: [`Error::BufferLength`] if
    /// `out` has another length, or there are not as many keys or associated data as values;
    /// [`Error::NonceLength`], [`Error::PrefixLength`] if the nonces do not fit the key or there
    /// are not as many; [`Error::Unsupported`] for no nonces with another scheme than SIV, or for
    /// nonces that are not to be sealed with; [`Error::Exhausted`], [`Error::MessageTooLong`],
    /// [`Error::AdTooLong`].
    pub fn seal(&self, values: &Values<'_>, nonces: Nonces<'_>, out: &mut [u8]) -> Result<u64, Error> {
        if out.len() != self.sealed_len(values)? {
            return Err(Error::BufferLength);
        }
        let Some((column, first)) = self.column(values, nonces, false)? else { return Ok(0) };
        self.run(&column, 0..values.count(), out, &mut Marks::new(&mut [], 0));
        Ok(first)
    }

    /// Opens sealed `values` to `out`, which is [`opened_len`](Self::opened_len) bytes long. Bit
    /// `i % 8` of byte `i / 8` of `authentic`, an eighth as many bytes as there are values, says
    /// whether value `i` is authentic; where one is not, or too short, there are zeros in its place.
    ///
    /// # Errors
    /// [`Error::Forged`] if one is not; all others are opened. Where there is another error
    /// nothing was: [`Error::BufferLength`] as of [`seal`](Self::seal) or if `authentic` has
    /// another length, and the others named there.
    pub fn open(
        &self,
        values: &Values<'_>,
        nonces: Nonces<'_>,
        out: &mut [u8],
        authentic: &mut [u8],
    ) -> Result<(), Error> {
        if out.len() != self.opened_len(values)? || authentic.len() != values.count().div_ceil(8) {
            return Err(Error::BufferLength);
        }
        let column = self.column(values, nonces, true)?;
        let mut marks = Marks::new(authentic, 0);
        if let Some((column, _)) = column {
            self.run(&column, 0..values.count(), out, &mut marks);
        }
        if marks.forged { Err(Error::Forged) } else { Ok(()) }
    }

    /// As [`seal`](Self::seal), over the threads of the current rayon pool. The output is the same.
    ///
    /// # Errors
    /// Those of [`seal`](Self::seal).
    #[cfg(feature = "rayon")]
    pub fn seal_parallel(&self, values: &Values<'_>, nonces: Nonces<'_>, out: &mut [u8]) -> Result<u64, Error> {
        if out.len() != self.sealed_len(values)? {
            return Err(Error::BufferLength);
        }
        let Some((column, first)) = self.column(values, nonces, false)? else { return Ok(0) };
        let mut rest = out;
        rayon::scope(|scope| {
            for share in shares(values.count()) {
                let len = values.slice(share.clone()).total() + share.len() * self.overhead();
                let (out, column) = (cut(&mut rest, len), &column);
                scope.spawn(move |_| self.run(column, share, out, &mut Marks::new(&mut [], 0)));
            }
        });
        Ok(first)
    }

    /// As [`open`](Self::open), over the threads of the current rayon pool. The output is the same.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    #[cfg(feature = "rayon")]
    pub fn open_parallel(
        &self,
        values: &Values<'_>,
        nonces: Nonces<'_>,
        out: &mut [u8],
        authentic: &mut [u8],
    ) -> Result<(), Error> {
        use core::sync::atomic::{AtomicBool, Ordering};
        if out.len() != self.opened_len(values)? || authentic.len() != values.count().div_ceil(8) {
            return Err(Error::BufferLength);
        }
        let Some((column, _)) = self.column(values, nonces, true)? else { return Ok(()) };
        let (mut rest, mut bits, forged) = (out, authentic, AtomicBool::new(false));
        rayon::scope(|scope| {
            for share in shares(values.count()) {
                let out = cut(&mut rest, self.opened_len(&values.slice(share.clone())).unwrap_or(0));
                let bits = cut(&mut bits, share.len().div_ceil(8));
                let (column, forged) = (&column, &forged);
                scope.spawn(move |_| {
                    let mut marks = Marks::new(bits, share.start);
                    self.run(column, share, out, &mut marks);
                    forged.fetch_or(marks.forged, Ordering::Relaxed);
                });
            }
        });
        if forged.into_inner() { Err(Error::Forged) } else { Ok(()) }
    }

    /// What the pipeline is told, and the first counter, once all lengths are right; `None` if
    /// there is nothing to be done.
    fn column<'v>(
        &self,
        values: &Values<'v>,
        nonces: Nonces<'v>,
        open: bool,
    ) -> Result<Option<(Column<'v, Key>, u64)>, Error>
    where
        'a: 'v,
    {
        let count = values.count();
        if matches!(self.keys, Source::Each(keys) if keys.len() != count)
            || matches!(self.ads, Source::Each(ads) if ads.count() != count)
        {
            return Err(Error::BufferLength);
        }
        let Some(key) = self.key() else { return Ok(None) };
        // Of all values together, which is at least what one has.
        let limits = key.limits();
        let (shortest, longest) = values.extremes();
        let overhead = if open { self.overhead() } else { 0 };
        if longest as u64 > limits.message {
            return Err(Error::MessageTooLong);
        }
        let (ad_longest, ad_blocks) = match self.ads {
            Source::One(ad) => (ad.len(), (ad.len().div_ceil(16) as u64).saturating_mul(count as u64)),
            Source::Each(ads) => (ads.extremes().1, (ads.total() / 16 + count) as u64),
        };
        if ad_longest as u64 > limits.ad {
            return Err(Error::AdTooLong);
        }
        let blocks = ((values.total() / 16 + count) as u64).saturating_add(ad_blocks);
        let (nonces, first) = nonces.for_values(key, count, blocks, open)?;
        let column = Column {
            keys: self.keys,
            nonces,
            ads: self.ads,
            values: *values,
            front: self.front,
            nonce_len: key.nonce_len(),
            tag_len: key.tag_len(),
            tag_first: key.algorithm().description().tag_first,
            open,
            short: shortest >= overhead && longest - overhead <= LONGEST,
        };
        Ok(Some((column, first)))
    }

    /// Does the values of a range, runs of short ones by the scheme's kernel if it has one.
    fn run<'o>(
        &self,
        column: &Column<'_, Key>,
        range: core::ops::Range<usize>,
        mut out: &'o mut [u8],
        marks: &mut Marks<'o>,
    ) {
        let Some(key) = self.key() else { return };
        let takes = key.takes(column);
        let mut workspace = None;
        let mut i = range.start;
        while i < range.end {
            let short = |i: usize| column.len(i).is_some_and(|len| len <= LONGEST);
            // As a rule.
            let mut to = if takes && column.short { range.end } else { i };
            while takes && to < range.end && short(to) {
                to += 1;
            }
            if to > i {
                key.column(Run { column, cpu: key.cpu(), from: i, to, out: &mut out, marks });
            } else if column.len(i).is_none() {
                marks.mark(i, false);
                to = i + 1;
            } else {
                to = workspace
                    .get_or_insert_with(Workspace::default)
                    .run(key, column, i, range.end, takes, &mut out, marks);
            }
            i = to;
        }
    }
}

/// Shows what there is, and no byte of it.
impl core::fmt::Debug for Columns<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut f = f.debug_struct("Columns");
        match self.keys {
            Source::One(key) => f.field("key", key),
            Source::Each(keys) => f.field("keys", &keys.len()),
        };
        f.field("front", &self.front).finish_non_exhaustive()
    }
}

/// Writes the offsets of values of the lengths `of` what the values have.
fn write<O: Offset>(values: &Values<'_>, offsets: &mut [O], of: impl Fn(usize) -> Option<usize>) -> Result<(), Error> {
    if offsets.len() != values.count() + 1 {
        return Err(Error::BufferLength);
    }
    let mut at = 0usize;
    for (i, offset) in offsets.iter_mut().enumerate() {
        *offset = O::of(at).ok_or(Error::BufferLength)?;
        if i < values.count() {
            at = of(values.len(i)).and_then(|len| at.checked_add(len)).ok_or(Error::BufferLength)?;
        }
    }
    Ok(())
}

/// As many values for each thread, a multiple of eight, so that no two write one byte of a bitmap.
#[cfg(feature = "rayon")]
fn shares(count: usize) -> impl Iterator<Item = core::ops::Range<usize>> {
    /// Values that are worth a thread's while.
    const FEWEST: usize = 256;
    let threads = rayon::current_num_threads().max(1);
    let share = count.div_ceil(4 * threads).max(FEWEST).next_multiple_of(8);
    (0..count).step_by(share).map(move |from| from..count.min(from + share))
}

#[cfg(all(test, feature = "schemes"))]
mod tests;
