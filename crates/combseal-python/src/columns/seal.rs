//! Sealing an array: blocks of values that stay in the cache, each through one call of the library, over
//! Arrow's own buffers where the values lie there as the cipher wants them.

use super::base64;
use super::fault::{Fault, Result};
use super::input::{Data, View};
use super::output::{Buffer, Owned};
use super::pages::{Pages, bitmap};
use super::ring::{Purpose, chunk_key};
use super::threads::spread;
use combseal::{Columns, Key, NonceCounter, Nonces, Values};
use std::ops::Range;
use std::sync::Arc;

/// Values of one call.
pub const BLOCK: usize = 1024;

/// Pieces of a column for each of several threads: who is slower, since other programs want its core too or the system is
/// slow to give it memory, takes fewer. So short that nobody waits long for the last one: a piece of ten million values
/// takes half a millisecond, and one that needs new memory ten times as long.
const PIECES: usize = 128;

/// Bytes in front of a token of ours, and of Tink's: a form and a key's number.
pub const TOKEN_FRONT: usize = 5;

/// Bytes in front of a sealed cell: form, key's number, 16 random bytes, the number of the value.
pub const CELL_FRONT: usize = 25;

/// What is sealed with a chunk key: fewer than the four bytes of a value's number can count.
const CHUNK_ROWS: usize = 1 << 24;

/// With what a column is sealed.
pub enum With<'a> {
    /// Tokens, under one key, behind so many bytes.
    Tokens { key: &'a Key, front: &'a [u8] },
    /// Tokens without any associated data, not even empty ones.
    Bare { key: &'a Key },
    /// Cells, each chunk of them under a key that is derived from this.
    Cells { domain_key: &'a [u8], purpose: Purpose, id: u32 },
}

/// How a column is sealed.
pub struct Job<'a> {
    pub with: With<'a>,
    /// Associated data of all values; those of bound columns come behind.
    pub ad: &'a [u8],
    /// The columns that values are bound to, as long as the one that is sealed.
    pub bound: &'a [Tie<'a>],
    /// Values are filled up to a multiple of so many bytes; 0: not.
    pub pad: usize,
    /// Nulls are sealed too, as a value of their own.
    pub nulls: bool,
    /// Text comes out, not bytes.
    pub text: bool,
    pub threads: usize,
}

/// A column that values are bound to: its arrays, and where each begins.
pub struct Tie<'a> {
    pub views: Vec<View<'a>>,
    pub starts: Vec<usize>,
}

impl<'a> Tie<'a> {
    /// Of arrays one after the other.
    pub fn new(views: Vec<View<'a>>) -> Self {
        let mut starts = Vec::with_capacity(views.len());
        let mut at = 0;
        for view in &views {
            starts.push(at);
            at += view.len;
        }
        Self { views, starts }
    }

    /// All values.
    pub fn len(&self) -> usize {
        self.views.iter().map(|view| view.len).sum()
    }

    /// Appends value `row` so that it cannot be taken for another.
    fn append(&self, row: usize, to: &mut Vec<u8>) {
        let i = self.starts.partition_point(|&start| start <= row).saturating_sub(1);
        let Some(view) = self.views.get(i) else { return };
        to.extend(view.ty.tag());
        let row = row - self.starts[i];
        if !view.valid(row) {
            to.push(0);
            return;
        }
        to.push(1);
        to.extend((view.canonical_len(row) as u64).to_be_bytes());
        view.canonical(row, to);
    }
}

/// Appends the associated data of row `row`.
pub fn bind(ad: &[u8], bound: &[Tie<'_>], row: usize, to: &mut Vec<u8>) {
    to.extend_from_slice(ad);
    bound.iter().for_each(|it| it.append(row, to));
}

impl Job<'_> {
    fn overhead(&self) -> usize {
        16 + match self.with {
            With::Tokens { front, .. } => front.len(),
            With::Bare { .. } => 0,
            With::Cells { .. } => CELL_FRONT,
        }
    }

    /// Bytes of row `i` before it is sealed, `None` of a null that stays one.
    fn plain_len(&self, view: &View<'_>, i: usize) -> Option<usize> {
        let len = match (view.valid(i), self.nulls) {
            (true, false) => view.canonical_len(i),
            (true, true) => view.canonical_len(i) + 1,
            (false, true) => 1,
            (false, false) => return None,
        };
        Some(if self.pad == 0 { len } else { (len + 1).next_multiple_of(self.pad) })
    }

    /// Appends those bytes.
    fn plain(&self, view: &View<'_>, i: usize, to: &mut Vec<u8>) {
        let from = to.len();
        let valid = view.valid(i);
        if self.nulls {
            to.push(valid.into());
        }
        if valid {
            view.canonical(i, to);
        }
        if self.pad != 0 {
            // A one bit and zeros, ISO/IEC 7816-4's padding.
            to.push(0x80);
            let len = (to.len() - from).next_multiple_of(self.pad);
            to.resize(from + len, 0);
        }
    }

    /// Whether a block's values can be sealed where they lie.
    fn direct(&self, view: &View<'_>, rows: Range<usize>) -> bool {
        matches!(view.data, Data::Offsets32(..) | Data::Offsets64(..))
            && self.pad == 0
            && !self.nulls
            && !matches!(self.with, With::Bare { .. })
            && view.all_valid(rows)
    }

    fn out_len(&self, plain: usize) -> usize {
        let len = plain + self.overhead();
        if self.text { base64::encoded_len(len) } else { len }
    }

    /// Bytes that rows have when they are sealed.
    fn total(&self, view: &View<'_>, rows: Range<usize>) -> usize {
        if !self.text && view.validity.is_none() && self.direct(view, 0..0) {
            let span = match &view.data {
                Data::Offsets32(offsets, _) => (offsets[rows.end] - offsets[rows.start]) as usize,
                Data::Offsets64(offsets, _) => (offsets[rows.end] - offsets[rows.start]) as usize,
                _ => 0,
            };
            return span + rows.len() * self.overhead();
        }
        if matches!(view.data, Data::None) && !self.nulls {
            return 0;
        }
        rows.filter_map(|i| self.plain_len(view, i)).map(|len| self.out_len(len)).sum()
    }

    /// Seals an array whose first row is row `first` of the column; with offsets of 64 bits if `large` or
    /// if others do not do.
    ///
    /// # Errors
    /// If there is no memory, or no random numbers, or a value is too long.
    pub fn run(&self, view: &View<'_>, first: usize, large: bool) -> Result<(Owned, bool)> {
        let least = view.len.div_ceil(16 * BLOCK).max(1);
        let threads = self.threads.clamp(1, least);
        let pieces = if threads == 1 { 1 } else { (threads * PIECES).min(least) };
        let share = view.len.div_ceil(pieces).next_multiple_of(BLOCK);
        let shares: Vec<Range<usize>> =
            (0..pieces).map(|i| (i * share).min(view.len)..((i + 1) * share).min(view.len)).collect();
        let mut totals = vec![0; pieces];
        let sums = shares.iter().zip(&mut totals).collect();
        spread(
            sums,
            threads,
            || (),
            |(), (rows, total)| {
                *total = self.total(view, rows.clone());
                Ok(())
            },
        )?;
        let total: usize = totals.iter().sum();
        let large = large || i32::try_from(total).is_err();
        let mut data = Pages::zeros(total)?;
        let offsets = if large {
            let mut offsets = Pages::<i64>::zeros(view.len + 1)?;
            self.shares(view, first, threads, (&shares, &totals), &mut offsets, &mut data)?;
            Buffer::I64(offsets)
        } else {
            let mut offsets = Pages::<i32>::zeros(view.len + 1)?;
            self.shares(view, first, threads, (&shares, &totals), &mut offsets, &mut data)?;
            Buffer::I32(offsets)
        };
        let validity = if self.nulls { None } else { validity(view)? };
        let nulls = validity.as_ref().map_or(0, |bits| view.len - ones(bits));
        let validity = validity.filter(|_| nulls > 0);
        Ok((
            Owned { len: view.len, nulls, validity, buffers: vec![offsets, Buffer::Pages(data)], dictionary: None },
            large,
        ))
    }

    fn shares<O: Place>(
        &self,
        view: &View<'_>,
        first: usize,
        threads: usize,
        (shares, totals): (&[Range<usize>], &[usize]),
        offsets: &mut [O],
        data: &mut [u8],
    ) -> Result<()> {
        let (mut data, mut offsets, mut base) = (data, &mut offsets[1..], 0);
        let mut work = Vec::new();
        for (rows, &total) in shares.iter().zip(totals) {
            let (out, rest) = std::mem::take(&mut data).split_at_mut(total);
            let (ends, more) = std::mem::take(&mut offsets).split_at_mut(rows.len());
            (data, offsets) = (rest, more);
            work.push((rows.clone(), ends, out, base));
            base += total;
        }
        spread(work, threads, Thread::default, |own, (rows, ends, out, base)| {
            self.share(view, first, rows, (ends, out), base, own)
        })
    }

    /// Seals a range of rows to `out`, which begins at byte `base` of all.
    fn share<O: Place>(
        &self,
        view: &View<'_>,
        first: usize,
        rows: Range<usize>,
        (ends, out): (&mut [O], &mut [u8]),
        base: usize,
        own: &mut Thread,
    ) -> Result<()> {
        let Thread { room, fresh } = own;
        let mut at = 0;
        for from in rows.clone().step_by(BLOCK) {
            let block = from..(from + BLOCK).min(rows.end);
            let ends = &mut ends[from - rows.start..block.end - rows.start];
            if let With::Cells { domain_key, purpose, .. } = self.with
                && fresh.as_ref().is_none_or(|it| it.left < BLOCK)
            {
                *fresh = Some(Chunk::new(domain_key, purpose)?);
            }
            at += self.block(view, first, block, ends, &mut out[at..], base + at, room, fresh.as_mut())?;
        }
        if at == out.len() { Ok(()) } else { Err(Fault::value("an array that changed while it was sealed")) }
    }

    #[allow(clippy::too_many_arguments)]
    fn block<O: Place>(
        &self,
        view: &View<'_>,
        first: usize,
        rows: Range<usize>,
        ends: &mut [O],
        out: &mut [u8],
        base: usize,
        room: &mut Room,
        fresh: Option<&mut Chunk>,
    ) -> Result<usize> {
        let direct = self.direct(view, rows.clone());
        let Room { plain, places, ads, ad_places, cells } = room;
        if !direct {
            plain.clear();
            places.clear();
            places.push(0);
            for i in rows.clone() {
                if let Some(len) = self.plain_len(view, i) {
                    // A block of padded values may have a gigabyte.
                    plain.try_reserve(len).map_err(|_| Fault::Memory)?;
                    self.plain(view, i, plain);
                    places.push(plain.len());
                }
            }
        }
        let values = match &view.data {
            Data::Offsets32(offsets, data) if direct => Values::new(data, &offsets[rows.start..=rows.end])?,
            Data::Offsets64(offsets, data) if direct => Values::new(data, &offsets[rows.start..=rows.end])?,
            _ => Values::new(plain, places)?,
        };
        let more = self.overhead();
        let len = values.total() + values.count() * more;
        let target = if self.text {
            cells.clear();
            cells.try_reserve(len).map_err(|_| Fault::Memory)?;
            cells.resize(len, 0);
            &mut cells[..]
        } else {
            out.get_mut(..len).ok_or(Fault::value("an array that changed while it was sealed"))?
        };
        ads.clear();
        ad_places.clear();
        if !self.bound.is_empty() {
            ad_places.push(0);
            for i in rows.clone().filter(|&i| self.nulls || view.valid(i)) {
                bind(self.ad, self.bound, first + i, ads);
                ad_places.push(ads.len());
            }
        }
        self.seal(&values, (ads, ad_places), target, fresh)?;
        let mut end = 0;
        let mut rest = out;
        let mut done = 0;
        let mut cell = 0;
        for (i, to) in rows.zip(ends) {
            if direct || self.nulls || view.valid(i) {
                let len = values.value_len(done) + more;
                if self.text {
                    let letters = base64::encoded_len(len);
                    let (now, later) = rest.split_at_mut_checked(letters).ok_or(Fault::Memory)?;
                    base64::encode(&cells[cell..cell + len], now);
                    rest = later;
                    end += letters;
                } else {
                    end += len;
                }
                cell += len;
                done += 1;
            }
            *to = O::of(base + end);
        }
        Ok(end)
    }

    fn seal(
        &self,
        values: &Values<'_>,
        (ads, ad_places): (&[u8], &[usize]),
        out: &mut [u8],
        fresh: Option<&mut Chunk>,
    ) -> Result<()> {
        let each_ad = Values::new(ads, ad_places)?;
        let run = |columns: Columns<'_>, nonces: Nonces<'_>, out: &mut [u8]| match ad_places {
            [] => columns.ad(self.ad).seal(values, nonces, out),
            _ => columns.ads(each_ad).seal(values, nonces, out),
        };
        let mut at = 0;
        match (&self.with, fresh) {
            (With::Tokens { key, front }, _) => {
                run(Columns::new(key).front(front.len()), Nonces::none(), out)?;
                if let Ok(front) = <&[u8; TOKEN_FRONT]>::try_from(*front) {
                    for i in 0..values.count() {
                        let len = TOKEN_FRONT + 16 + values.value_len(i);
                        out[at..at + TOKEN_FRONT].copy_from_slice(front);
                        at += len;
                    }
                }
            }
            (With::Bare { key }, _) => {
                for i in 0..values.count() {
                    let (tag, text) = out[at..at + 16 + values.value_len(i)].split_at_mut(16);
                    text.copy_from_slice(values.get(i));
                    tag.copy_from_slice(key.seal_vectored(&[], text)?.as_bytes());
                    at += 16 + text.len();
                }
            }
            (With::Cells { id, purpose, .. }, Some(chunk)) => {
                let first = run(Columns::new(&chunk.key).front(CELL_FRONT), Nonces::counted(&mut chunk.counter), out)?;
                chunk.left -= values.count();
                for i in 0..values.count() {
                    let front = &mut out[at..at + CELL_FRONT];
                    front[0] = purpose.form;
                    front[1..5].copy_from_slice(&id.to_be_bytes());
                    front[5..21].copy_from_slice(&chunk.random);
                    front[21..].copy_from_slice(&(first as u32 + i as u32).to_be_bytes());
                    at += CELL_FRONT + 16 + values.value_len(i);
                }
            }
            (With::Cells { .. }, None) => return Err(Fault::value("a column of cells without a key")),
        }
        Ok(())
    }
}

/// A key that is random, and what was sealed with it.
struct Chunk {
    key: Key,
    random: [u8; 16],
    counter: NonceCounter,
    left: usize,
}

impl Chunk {
    fn new(domain_key: &[u8], purpose: Purpose) -> Result<Self> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|_| Fault::value("the system gives no random numbers"))?;
        let key = chunk_key(domain_key, purpose, &random)?;
        Ok(Self { key, random, counter: NonceCounter::new(&[0; 4])?, left: CHUNK_ROWS })
    }
}

/// What is used again from block to block.
#[derive(Default)]
struct Room {
    plain: Vec<u8>,
    places: Vec<usize>,
    ads: Vec<u8>,
    ad_places: Vec<usize>,
    cells: Vec<u8>,
}

/// What a thread has to itself: the chunk key, which no other thread counts under, is kept from piece to piece.
#[derive(Default)]
struct Thread {
    room: Room,
    fresh: Option<Chunk>,
}

/// An offset that is written.
pub trait Place: Send {
    /// Of a place that was seen to fit.
    fn of(place: usize) -> Self;
}

impl Place for i32 {
    fn of(place: usize) -> Self {
        place as Self
    }
}

impl Place for i64 {
    fn of(place: usize) -> Self {
        place as Self
    }
}

/// The bitmap of an array's rows, from bit 0 on; `None` if none is null.
///
/// # Errors
/// If there is no memory.
pub fn validity(view: &View<'_>) -> Result<Option<Vec<u8>>> {
    if view.all_valid(0..view.len) {
        return Ok(None);
    }
    let mut bits = bitmap(view.len)?;
    (0..view.len).filter(|&i| view.valid(i)).for_each(|i| bits[i / 8] |= 1 << (i % 8));
    Ok(Some(bits))
}

/// Bits that are set.
pub fn ones(bits: &[u8]) -> usize {
    bits.iter().map(|byte| byte.count_ones() as usize).sum()
}

/// An array of indices of so many bytes over another dictionary: `place` says where a row's value is there,
/// or that it is null; then the index is zero.
///
/// # Errors
/// If there is no memory.
pub fn indices(
    view: &View<'_>,
    width: usize,
    dictionary: Arc<Owned>,
    place: impl Fn(usize) -> Option<usize>,
) -> Result<Owned> {
    let mut bytes = Pages::<u8>::zeros(view.len.checked_mul(width).ok_or(Fault::Memory)?)?;
    let mut bits = bitmap(view.len)?;
    for (i, to) in bytes.chunks_mut(width).enumerate() {
        if let Some(place) = place(i) {
            bits[i / 8] |= 1 << (i % 8);
            to.copy_from_slice(&(place as u64).to_le_bytes()[..width]);
        }
    }
    let nulls = view.len - ones(&bits);
    let validity = (nulls > 0).then_some(bits);
    Ok(Owned { len: view.len, nulls, validity, buffers: vec![Buffer::Pages(bytes)], dictionary: Some(dictionary) })
}
