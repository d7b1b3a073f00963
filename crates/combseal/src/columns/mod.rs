//! Many short messages that lie in one buffer: a data column's values, a ring of packets.
//!
//! The caller makes no struct a message, and nothing is planned over the whole: `Values` says where the messages
//! lie, and they are sealed to one buffer, or opened to one. Runs of short values go through
//! the pipeline a lane each where their scheme has a kernel for them (`pipeline/run.rs`);
//! the others are a call each or, of schemes whose blocks wait for each other, sixteen jobs at a time (`jobs`).

mod jobs;
mod nonces;

use crate::interface::aead::Aead;
use crate::interface::error::Error;
use crate::key::Key;
use crate::memory::wipe::Wipe;
use crate::pipeline::column::{Column, Marks, Source, Takes};
use crate::pipeline::run::{Run, cut};
use crate::pipeline::values::{Offset, Values};
use core::ops::Range;
use jobs::Workspace;
pub use nonces::Nonces;

/// Seals and opens many messages that lie in one buffer, [`Values`]: those of a data column, the
/// packets of a ring.
///
/// A sealed value is called a *cell*. It is as long as its message and
/// [`overhead`](Self::overhead) bytes more: first the caller's own bytes, if
/// [`front`](Self::front) asked for any, then the ciphertext and behind it the tag, or with SIV
/// before it, as [`seal_attached`](Aead::seal_attached) has them. Cells lie one behind the other, in
/// the values' order. To be opened they are [`Values`] again: between the offsets that
/// [`sealed_offsets`](Self::sealed_offsets) writes or, if all messages have `len` bytes,
/// `Values::fixed(&sealed, len + columns.overhead())`.
///
/// ```
/// use combseal::{Algorithm, Columns, Key, NonceCounter, Nonces, Values};
/// let key = Key::new(Algorithm::Ocb3Aes128, &[7; 16])?;
/// let columns = Columns::new(&key).ad(b"table.column");
/// let (names, offsets) = (b"AnnBobChristine", [0u32, 3, 6, 6, 15]);
/// let names = Values::new(names, &offsets)?;
///
/// // One counter for all that this key seals with this prefix.
/// let mut counter = NonceCounter::new(b"col1")?;
/// let mut sealed = vec![0; columns.sealed_len(&names)?];
/// let first = columns.seal(&names, Nonces::counted(&mut counter), &mut sealed)?;
/// let mut cells = [0u32; 5];
/// columns.sealed_offsets(&names, &mut cells)?;
/// assert_eq!(cells, [0, 19, 38, 54, 79]);
/// // With the cells are stored the prefix and `first`: they are opened by these.
/// let stored = (*b"col1", first);
///
/// // The next column goes on with the same counter.
/// let years = Values::fixed(b"181519121887", 4)?;
/// let mut more = vec![0; columns.sealed_len(&years)?];
/// assert_eq!(columns.seal(&years, Nonces::counted(&mut counter), &mut more)?, first + 4);
/// // To seal after a restart too, this has to be on disk before any of these cells leaves:
/// let record = (counter.next_counter(), counter.blocks_used());
/// let counter = NonceCounter::starting_at(b"col1", record.0, record.1)?;
/// assert_eq!(counter.next_counter(), first + 7);
///
/// let cells = Values::new(&sealed, &cells)?;
/// let mut opened = vec![0; columns.opened_len(&cells)];
/// let mut authentic = vec![0; cells.count().div_ceil(8)];
/// let (prefix, first) = stored;
/// columns.open(&cells, Nonces::counted_from(&prefix, first)?, &mut opened, &mut authentic)?;
/// assert_eq!((&opened[..], &authentic[..]), (&b"AnnBobChristine"[..], &[0b1111][..]));
///
/// let cells = Values::fixed(&more, 4 + columns.overhead())?;
/// let (mut opened, mut authentic) = ([0; 12], [0; 1]);
/// columns.open(&cells, Nonces::counted_from(b"col1", 4)?, &mut opened, &mut authentic)?;
/// assert_eq!(&opened, b"181519121887");
/// # Ok::<(), combseal::Error>(())
/// ```
///
/// # What is fast
/// Short values that follow one another take a lane of the pipeline each where that costs less than a call
/// each, and where the [`Cpu`](crate::Cpu) has instructions for the AES:
///
/// - OCB3 with AES-128 or AES-256 and nonces, eight values and more in a row: on tiers with VAES up to 160 bytes under one key
///   and up to 64 with a key for each value; on tiers without it up to 48 and 16 bytes;
/// - SIV without nonces ([`Nonces::none`]), with AES-128 or AES-256, and GCM-SIV: up to 256 bytes, however few they are.
///
/// All values then have the same associated data ([`ad`](Self::ad), not [`ads`](Self::ads)), and if there is a key for each
/// value, at most 16 bytes of it; with GCM-SIV, which has a hash key for each nonce, at most 256 bytes of it.
///
/// All other values cost a call each and some 15 cycles more (of modes whose blocks wait for each other sixteen go side by side, as
/// in a [`Batch`](crate::Batch), by jobs on the stack). Cycles a value, sealed under one key, of a thousand values in a column and,
/// in brackets, of one by a [`Sealer`](crate::Sealer) that seals the same buffer again; an Emerald Rapids, tier `vaes512`:
///
/// | | 16 bytes | 64 | 128 | 256 |
/// |---|---:|---:|---:|---:|
/// | OCB3-AES-128 | 20 (41) | 36 (47) | 59 (55) | 80 (68) |
/// | AES-128-GCM | 59 (48) | 79 (66) | 87 (75) | 107 (95) |
///
/// # What is authenticated
/// Each value by itself, with its associated data and its nonce, and no more:
///
/// - **Not how many values there are**: with the last ones cut off, the others are authentic. Who
///   must notice puts the number into the associated data.
/// - **A value's place only with counted nonces**, as long as the first counter is the one that was
///   stored. A given nonce and its cell can be moved to another place together, and a cell without a
///   nonce by itself, unless the associated data ([`ads`](Self::ads)) tell the place.
/// - **Not the bytes in [`front`](Self::front)**, nor offsets as such: only what lies between them.
///
/// # Deterministic tokens
/// SIV without nonces ([`Nonces::none`]) seals equal values, under one key and equal associated
/// data, to equal cells. So the cells show which values are equal and how often each occurs, and who
/// knows how often the plaintexts occur may guess them from that. All cells show how long their
/// values are.
///
/// # Nulls
/// Values know nothing of Arrow's nulls: a null is sealed as the bytes in its slot, as a rule none,
/// and its cell is then that of an empty value (with deterministic tokens, one cell for both). The
/// validity bitmap stays with the caller, who authenticates it if it matters. The bits that
/// [`open`](Self::open) writes lie as in such a bitmap, but say of a null, too, that it is authentic.
#[must_use = "a column is sealed or opened by `seal`, `open` and their sisters only"]
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    keys: Source<&'a Key, &'a [&'a Key]>,
    ads: Source<&'a [u8], Values<'a>>,
    front: usize,
}

impl<'a> Columns<'a> {
    /// All values under one key, without associated data, which is the same as with empty ones.
    ///
    /// For SIV without nonces too: S2V's strings are an empty one and the value, as in
    /// `key.seal_vectored(&[b""], …)`. Others who use RFC 5297 with no string but the value, as in
    /// `key.seal_vectored(&[], …)`, make other tokens.
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

    /// The same with associated data, for all values the same bytes. They take the place of what
    /// `ad` or [`ads`](Self::ads) set before.
    pub fn ad(self, ad: &'a [u8]) -> Self {
        Self { ads: Source::One(ad), ..self }
    }

    /// The same with associated data for each value, as many as there are values. They take the
    /// place of what [`ad`](Self::ad) or `ads` set before.
    pub fn ads(self, ads: Values<'a>) -> Self {
        Self { ads: Source::Each(ads), ..self }
    }

    /// The same with `front` bytes at the beginning of each cell that belong to the caller, for a
    /// key's number or a nonce, say. Sealing leaves them as they are in the output, opening passes
    /// over them; they are not authenticated.
    ///
    /// Nonces are not read from there. Who keeps [given](Nonces::given) ones in front of their cells
    /// writes them to the output before or after sealing, and to open the cells puts them into one
    /// buffer, one behind the other. (A nonce that was changed there makes its cell a forgery.)
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

    /// How many bytes longer a cell is than its message: tag and [`front`](Self::front).
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

    /// Bytes that the cells `values` have when they are opened. A cell that is too short to be one
    /// counts as empty.
    pub fn opened_len(&self, values: &Values<'_>) -> usize {
        let more = self.overhead();
        if values.extremes().0 >= more {
            return values.total() - more * values.count();
        }
        (0..values.count()).map(|i| values.value_len(i).saturating_sub(more)).sum()
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

    /// Writes where each of the cells `values` begins when it is opened, and behind them where the
    /// last one ends.
    ///
    /// # Errors
    /// As of [`sealed_offsets`](Self::sealed_offsets).
    pub fn opened_offsets<O: Offset>(&self, values: &Values<'_>, offsets: &mut [O]) -> Result<(), Error> {
        let more = self.overhead();
        write(values, offsets, |len| Some(len.saturating_sub(more)))
    }

    /// Seals `values` to `out`, which is [`sealed_len`](Self::sealed_len) bytes long. Returns the
    /// first value's counter, if nonces are [counted](Nonces::counted): to be stored with the
    /// prefix, for [`Nonces::counted_from`]. Else it is zero and says nothing.
    ///
    /// # Errors
    /// After an error nothing is sealed, `out` is as it was, and no nonce has been used.
    ///
    /// - [`Error::BufferLength`]: `out` has another length, or there are not as many keys, or
    ///   associated data for each, as values.
    /// - [`Error::MessageTooLong`], [`Error::AdTooLong`]: one of the values, or of the associated
    ///   data, is longer than the scheme takes.
    /// - [`Error::NonceLength`]: given nonces are not `count` times the key's length; or nonces are
    ///   counted, and the key's have fewer than 8 bytes or more than 32.
    /// - [`Error::PrefixLength`]: the counter's prefix is not eight bytes shorter than the key's
    ///   nonces.
    /// - [`Error::Exhausted`]: so many messages, or so many blocks, are more than what the key's
    ///   limits leave the counter.
    /// - [`Error::Unsupported`]: [`Nonces::none`] with another scheme than SIV, or
    ///   [`Nonces::counted_from`], which is for opening.
    pub fn seal(&self, values: &Values<'_>, nonces: Nonces<'_>, out: &mut [u8]) -> Result<u64, Error> {
        let Some((column, first)) = self.column(values, nonces, out.len(), false)? else { return Ok(0) };
        self.run(&column, 0..values.count(), out, &mut Marks::new(&mut [], 0));
        Ok(first)
    }

    /// Opens the cells `values` to `out`, which is [`opened_len`](Self::opened_len) bytes long.
    ///
    /// `authentic` has `values.count().div_ceil(8)` bytes: bit `i % 8` of byte `i / 8`, the lowest
    /// bit first, says whether value `i` is authentic. It is cleared before anything else, so that no
    /// bit is left from before, whatever the outcome. Where a value is not authentic there are zeros
    /// in its place: as many as its cell has bytes beyond [`overhead`](Self::overhead), none if the
    /// cell is too short to be one. A cell that is longer than its scheme makes any is not authentic
    /// either.
    ///
    /// # Errors
    /// [`Error::Forged`] if a value is not authentic; all others are opened. After any other error
    /// nothing is opened, and `out` is as it was:
    ///
    /// - [`Error::BufferLength`]: `out` or `authentic` has another length, or there are not as many
    ///   keys, or associated data for each, as values.
    /// - [`Error::AdTooLong`]: associated data are longer than the scheme takes.
    /// - [`Error::NonceLength`]: given nonces are not `count` times the key's length; or nonces are
    ///   counted, and the key's have fewer than 8 bytes or more than 32.
    /// - [`Error::PrefixLength`]: the prefix is not eight bytes shorter than the key's nonces.
    /// - [`Error::Exhausted`]: the first counter and the number of values are together more than
    ///   `u64::MAX`.
    /// - [`Error::Unsupported`]: [`Nonces::none`] with another scheme than SIV, or
    ///   [`Nonces::counted`], which is for sealing.
    pub fn open(
        &self,
        values: &Values<'_>,
        nonces: Nonces<'_>,
        out: &mut [u8],
        authentic: &mut [u8],
    ) -> Result<(), Error> {
        authentic.fill(0);
        if authentic.len() != values.count().div_ceil(8) {
            return Err(Error::BufferLength);
        }
        let Some((column, _)) = self.column(values, nonces, out.len(), true)? else { return Ok(()) };
        let mut marks = Marks::new(authentic, 0);
        self.run(&column, 0..values.count(), out, &mut marks);
        if marks.forged { Err(Error::Forged) } else { Ok(()) }
    }

    /// As [`seal`](Self::seal), over the threads of the current rayon pool. The output is the same.
    ///
    /// # Errors
    /// Those of [`seal`](Self::seal).
    #[cfg(feature = "rayon")]
    pub fn seal_parallel(&self, values: &Values<'_>, nonces: Nonces<'_>, out: &mut [u8]) -> Result<u64, Error> {
        let Some((column, first)) = self.column(values, nonces, out.len(), false)? else { return Ok(0) };
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
        authentic.fill(0);
        if authentic.len() != values.count().div_ceil(8) {
            return Err(Error::BufferLength);
        }
        let Some((column, _)) = self.column(values, nonces, out.len(), true)? else { return Ok(()) };
        let (mut rest, mut bits, forged) = (out, authentic, AtomicBool::new(false));
        rayon::scope(|scope| {
            for share in shares(values.count()) {
                let out = cut(&mut rest, self.opened_len(&values.slice(share.clone())));
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

    /// What the pipeline is told, and the first counter, once all lengths are right, that of the
    /// output too; `None` if there is nothing to be done.
    fn column<'v>(
        &self,
        values: &Values<'v>,
        nonces: Nonces<'v>,
        out_len: usize,
        open: bool,
    ) -> Result<Option<(Column<'v, Key>, u64)>, Error>
    where
        'a: 'v,
    {
        let count = values.count();
        if out_len != if open { self.opened_len(values) } else { self.sealed_len(values)? }
            || matches!(self.keys, Source::Each(keys) if keys.len() != count)
            || matches!(self.ads, Source::Each(ads) if ads.count() != count)
        {
            return Err(Error::BufferLength);
        }
        let Some(key) = self.key() else { return Ok(None) };
        let limits = key.limits();
        // On a machine that cannot hold a message so long, there is no limit.
        let most = usize::try_from(limits.message).unwrap_or(usize::MAX);
        let (shortest, longest) = values.extremes();
        // A cell that is too long is not authentic, and fails by itself; what is to be sealed is the
        // caller's own.
        if !open && longest > most {
            return Err(Error::MessageTooLong);
        }
        let ad_longest = match self.ads {
            Source::One(ad) => ad.len(),
            Source::Each(ads) => ads.extremes().1,
        };
        if ad_longest as u64 > limits.ad {
            return Err(Error::AdTooLong);
        }
        let blocks = || {
            let of_ads = match self.ads {
                Source::One(ad) => (ad.len().div_ceil(16) as u64).saturating_mul(count as u64),
                Source::Each(ads) => ads.blocks(),
            };
            values.blocks().saturating_add(of_ads)
        };
        let (nonces, first) = nonces.for_values(key, count, blocks, open)?;
        let overhead = self.overhead();
        let longest = if !open {
            longest
        } else if shortest < overhead || longest - overhead > most {
            usize::MAX
        } else {
            longest - overhead
        };
        let column = Column {
            keys: self.keys,
            nonces,
            ads: self.ads,
            values: *values,
            front: self.front,
            nonce_len: key.nonce_len(),
            tag_len: key.tag_len(),
            overhead,
            tag_first: key.algorithm().description().tag_first,
            open,
            most,
            longest,
        };
        Ok(Some((column, first)))
    }

    /// Does the values of a range, runs of short ones by the scheme's kernel if it has one.
    fn run<'o>(&self, column: &Column<'_, Key>, range: Range<usize>, mut out: &'o mut [u8], marks: &mut Marks<'o>) {
        let Some(key) = self.key() else { return };
        let takes = key.takes(column);
        let all = takes.is_some_and(|it| range.len() >= it.fewest && column.longest <= it.most);
        let (mut workspace, mut hash) = (None, None);
        let mut i = range.start;
        while i < range.end {
            let others = if all { i } else { others(column, i..range.end, takes) };
            if others > i {
                workspace.get_or_insert_with(Workspace::default).run(key, column, i..others, &mut out, marks);
                i = others;
            } else if column.len(i).is_none() {
                cut(&mut out, column.opened_room(i)).wipe();
                marks.mark(i, false);
                i += 1;
            } else {
                // As a rule all of them.
                let mut to = if all { range.end } else { i + 1 };
                while to < range.end && is_short(column, to, takes) {
                    to += 1;
                }
                key.column(Run { column, cpu: key.cpu(), from: i, to, out: &mut out, marks }, &mut hash);
                i = to;
            }
        }
        if let Some(hash) = &mut hash {
            hash.wipe();
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

/// Whether value `i` is as short as what the scheme's kernel takes.
#[inline(always)]
fn is_short(column: &Column<'_, Key>, i: usize, takes: Option<Takes>) -> bool {
    takes.is_some_and(|it| column.len(i).is_some_and(|len| len <= it.most))
}

/// Where the values end, from the first of `range` on, that the scheme's kernel does not take: before enough that it does,
/// or a cell that is too short to be one.
fn others(column: &Column<'_, Key>, range: Range<usize>, takes: Option<Takes>) -> usize {
    let mut run = 0;
    for i in range.clone() {
        if column.len(i).is_none() {
            return i;
        }
        run = if is_short(column, i, takes) { run + 1 } else { 0 };
        if takes.is_some_and(|it| run == it.fewest) {
            return i + 1 - run;
        }
    }
    range.end
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
            at = of(values.value_len(i)).and_then(|len| at.checked_add(len)).ok_or(Error::BufferLength)?;
        }
    }
    Ok(())
}

/// As many values for each thread, a multiple of eight, so that no two write one byte of a bitmap.
#[cfg(feature = "rayon")]
fn shares(count: usize) -> impl Iterator<Item = Range<usize>> {
    /// Values that are worth a thread's while.
    const FEWEST: usize = 256;
    let threads = rayon::current_num_threads().max(1);
    let share = count.div_ceil(4 * threads).max(FEWEST).next_multiple_of(8);
    (0..count).step_by(share).map(move |from| from..count.min(from + share))
}
