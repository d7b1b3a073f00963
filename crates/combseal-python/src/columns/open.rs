//! Opening an array of tokens or cells, block by block: each finds its key by what stands in front of it,
//! and a row that is not authentic is a null, counted, and says nothing else.

use super::base64;
use super::fault::{Fault, Result};
use super::input::{View, bit};
use super::pages::{Pages, bitmap};
use super::ring::{Purpose, chunk_key};
use super::seal::{BLOCK, CELL_FRONT, TOKEN_FRONT, Tie, bind};
use super::threads::each;
use combseal::{Columns, Key, Nonces, Values};
use std::collections::HashMap;
use std::ops::Range;
use zeroize::Zeroizing;

/// With what a column is opened.
#[derive(Default)]
pub struct Keys {
    /// Of tokens: what stands in front of them, and their key.
    pub tokens: Vec<([u8; TOKEN_FRONT], Key)>,
    /// Of tokens with nothing in front; each is tried.
    pub bare: Vec<Key>,
    /// Of cells: form and number, and what their keys are derived from.
    pub cells: Vec<(Purpose, u32, Zeroizing<Vec<u8>>)>,
}

/// How a column is opened.
pub struct Job<'a> {
    pub keys: &'a Keys,
    /// Associated data of all values, none at all if `None`; those of bound columns come behind.
    pub ad: Option<&'a [u8]>,
    pub bound: &'a [Tie<'a>],
    /// Values were filled up.
    pub padded: bool,
    /// Nulls were sealed.
    pub nulls: bool,
    /// Text comes in.
    pub text: bool,
    pub threads: usize,
}

/// Canonical bytes, and which rows have any.
pub struct Raw {
    pub offsets: Pages<i64>,
    pub data: Pages,
    pub len: usize,
    /// Rows that are neither null nor failed.
    pub valid: Vec<u8>,
    /// Rows that are not authentic, or of an unknown key.
    pub failed: Vec<u8>,
    pub unknown: usize,
}

/// One thread's part of it.
struct Part<'a> {
    rows: Range<usize>,
    ends: &'a mut [i64],
    out: &'a mut [u8],
    valid: &'a mut [u8],
    failed: &'a mut [u8],
    used: &'a mut (usize, usize),
}

/// What is used again from block to block.
#[derive(Default)]
struct Room {
    cells: Vec<u8>,
    places: Vec<usize>,
    ads: Vec<u8>,
    ad_places: Vec<usize>,
    nonces: Vec<u8>,
    plain: Vec<u8>,
    letters: Vec<u8>,
    rows: Vec<(usize, usize)>,
    /// The keys of chunks that were met.
    chunks: HashMap<[u8; 21], Key>,
}

/// Chunks' keys that are kept: at some 2 KiB each, 8 MiB.
const CHUNKS: usize = 4096;

impl Job<'_> {
    fn overhead(&self) -> usize {
        if !self.keys.cells.is_empty() {
            16 + CELL_FRONT
        } else if self.keys.bare.is_empty() {
            16 + TOKEN_FRONT
        } else {
            16
        }
    }

    fn room_for(&self, view: &View<'_>, i: usize) -> usize {
        let len = view.bytes(i).len();
        let len = if self.text { len / 4 * 3 + [0, 0, 1, 2][len % 4] } else { len };
        len.saturating_sub(self.overhead())
    }

    /// Opens an array whose first row is row `first` of the column.
    ///
    /// # Errors
    /// If there is no memory. Rows that are not authentic are none.
    pub fn run(&self, view: &View<'_>, first: usize) -> Result<Raw> {
        let threads = self.threads.clamp(1, view.len.div_ceil(16 * BLOCK).max(1));
        let share = view.len.div_ceil(threads).next_multiple_of(BLOCK);
        let shares: Vec<Range<usize>> =
            (0..threads).map(|i| (i * share).min(view.len)..((i + 1) * share).min(view.len)).collect();
        let mut totals = vec![0; threads];
        each(shares.iter().zip(&mut totals), |(rows, total)| {
            *total = rows.clone().filter(|&i| view.valid(i)).map(|i| self.room_for(view, i)).sum();
            Ok(())
        })?;
        let mut data = Pages::<u8>::zeros(totals.iter().sum())?;
        let mut offsets = Pages::<i64>::zeros(view.len + 1)?;
        let (mut valid, mut failed) = (bitmap(view.len)?, bitmap(view.len)?);
        let mut used = vec![(0, 0); threads];
        {
            let (mut out, mut ends): (&mut [u8], _) = (&mut data, &mut offsets[1..]);
            let (mut left, mut failing) = (&mut valid[..], &mut failed[..]);
            let mut work = Vec::new();
            for ((rows, &total), used) in shares.iter().zip(&totals).zip(&mut used) {
                let bytes = rows.len().div_ceil(8);
                work.push(Part {
                    rows: rows.clone(),
                    ends: cut(&mut ends, rows.len()),
                    out: cut(&mut out, total),
                    valid: cut(&mut left, bytes),
                    failed: cut(&mut failing, bytes),
                    used,
                });
            }
            each(work.into_iter(), |part| self.share(view, first, part))?;
        }
        // Shares move together where rows had no value.
        let (mut from, mut to) = (0, 0);
        for ((rows, &total), &(len, _)) in shares.iter().zip(&totals).zip(&used) {
            if from != to {
                data.copy_within(from..from + len, to);
            }
            if to != 0 {
                offsets[rows.start + 1..=rows.end].iter_mut().for_each(|end| *end += to as i64);
            }
            from += total;
            to += len;
        }
        let unknown = used.iter().map(|it| it.1).sum();
        Ok(Raw { offsets, data, len: to, valid, failed, unknown })
    }

    fn share(&self, view: &View<'_>, first: usize, mut part: Part<'_>) -> Result<()> {
        let mut room = Room::default();
        let mut at = 0;
        for from in part.rows.clone().step_by(BLOCK) {
            let block = from..(from + BLOCK).min(part.rows.end);
            at = self.block(view, first, block, &mut part, at, &mut room)?;
        }
        part.used.0 = at;
        Ok(())
    }

    fn block(
        &self,
        view: &View<'_>,
        first: usize,
        block: Range<usize>,
        part: &mut Part<'_>,
        at: usize,
        room: &mut Room,
    ) -> Result<usize> {
        let start = part.rows.start;
        let mut lens = [0; BLOCK];
        room.rows.clear();
        room.letters.clear();
        if room.chunks.len() > CHUNKS {
            room.chunks.clear();
        }
        for i in block.clone().filter(|&i| view.valid(i)) {
            let cell = if self.text { decoded(view.bytes(i), &mut room.letters) } else { Some(view.bytes(i)) };
            match cell.map(|cell| self.find(cell, &mut room.chunks)).transpose()? {
                Some(Found::Key(key)) => room.rows.push((i, key)),
                Some(Found::Unknown) => {
                    part.used.1 += 1;
                    set(part.failed, i - start);
                }
                Some(Found::Nothing) | None => set(part.failed, i - start),
            }
        }
        let mut done = at;
        let found = std::mem::take(&mut room.rows);
        for run in found.chunk_by(|a, b| same_scheme(a.1, b.1)) {
            done = self.open_run(view, first, run, part, done, room, &mut lens, block.start)?;
        }
        room.rows = found;
        let mut end = at;
        for i in block.clone() {
            end += lens[i - block.start];
            part.ends[i - start] = end as i64;
        }
        Ok(done)
    }

    /// Which key a cell is under.
    fn find(&self, cell: &[u8], chunks: &mut HashMap<[u8; 21], Key>) -> Result<Found> {
        let keys = self.keys;
        if !keys.cells.is_empty() {
            let Some((front, _)) = cell.split_first_chunk::<21>().filter(|_| cell.len() >= CELL_FRONT + 16) else {
                return Ok(Found::Nothing);
            };
            let id = u32::from_be_bytes([front[1], front[2], front[3], front[4]]);
            let Some(which) = keys.cells.iter().position(|it| it.0.form == front[0] && it.1 == id) else {
                let known = keys.cells.iter().any(|it| it.0.form == front[0]);
                return Ok(if known { Found::Unknown } else { Found::Nothing });
            };
            if !chunks.contains_key(front) {
                let mut random = [0; 16];
                random.copy_from_slice(&front[5..]);
                chunks.insert(*front, chunk_key(&keys.cells[which].2, keys.cells[which].0, &random)?);
            }
            return Ok(Found::Key(usize::from(front[0]) << 32 | which));
        }
        if let Some((front, _)) = cell.split_first_chunk::<TOKEN_FRONT>().filter(|_| cell.len() >= TOKEN_FRONT + 16) {
            if let Some(which) = keys.tokens.iter().position(|it| it.0 == *front) {
                return Ok(Found::Key(usize::from(front[0]) << 32 | which));
            }
            if keys.bare.is_empty() {
                let known = keys.tokens.iter().any(|it| it.0[0] == front[0]);
                return Ok(if known { Found::Unknown } else { Found::Nothing });
            }
        }
        Ok(if keys.bare.is_empty() || cell.len() < 16 { Found::Nothing } else { Found::Key(BARE) })
    }

    /// Opens rows under keys of one scheme, and writes what they were to `part.out` from `at` on.
    #[allow(clippy::too_many_arguments)]
    fn open_run(
        &self,
        view: &View<'_>,
        first: usize,
        run: &[(usize, usize)],
        part: &mut Part<'_>,
        mut at: usize,
        room: &mut Room,
        lens: &mut [usize; BLOCK],
        block: usize,
    ) -> Result<usize> {
        let Room { cells, places, ads, ad_places, nonces, plain, chunks, .. } = room;
        cells.clear();
        places.clear();
        places.push(0);
        ads.clear();
        ad_places.clear();
        ad_places.push(0);
        for &(i, _) in run {
            if self.text {
                decoded(view.bytes(i), cells);
            } else {
                cells.extend_from_slice(view.bytes(i));
            }
            places.push(cells.len());
            if !self.bound.is_empty() {
                bind(self.ad.unwrap_or(&[]), self.bound, first + i, ads);
                ad_places.push(ads.len());
            }
        }
        let values = Values::new(cells, places)?;
        let mut bits = [0; BLOCK / 8];
        let bits = &mut bits[..run.len().div_ceil(8)];
        let mut keys = Vec::new();
        let front = match run.first() {
            Some(&(_, BARE)) => 0,
            _ if self.keys.cells.is_empty() => TOKEN_FRONT,
            _ => CELL_FRONT,
        };
        if front > 0 {
            for (n, &(_, which)) in run.iter().enumerate() {
                let chunk = || values.get(n).first_chunk::<21>().and_then(|front| chunks.get(front));
                let key = if front == TOKEN_FRONT {
                    self.keys.tokens.get(which & 0xffff_ffff).map(|it| &it.1)
                } else {
                    chunk()
                };
                keys.push(key.ok_or(Fault::value("a column that changed while it was opened"))?);
            }
            let same = keys.windows(2).all(|pair| std::ptr::eq(pair[0], pair[1]));
            let columns = if same { Columns::new(keys[0]) } else { Columns::with_keys(&keys)? }.front(front);
            let columns = match ad_places.len() {
                1 => columns.ad(self.ad.unwrap_or(&[])),
                _ => columns.ads(Values::new(ads, ad_places)?),
            };
            plain.clear();
            plain.resize(columns.opened_len(&values), 0);
            nonces.clear();
            let given = if front == CELL_FRONT {
                for n in 0..values.count() {
                    nonces.extend([0; 8]);
                    nonces.extend_from_slice(&values.get(n)[21..25]);
                }
                Nonces::given(nonces)
            } else {
                Nonces::none()
            };
            match columns.open(&values, given, plain, bits) {
                Ok(()) | Err(combseal::Error::Forged) => {}
                Err(other) => return Err(other.into()),
            }
        } else {
            plain.clear();
        }
        let mut from = 0;
        for (n, &(i, _)) in run.iter().enumerate() {
            let len = values.value_len(n).saturating_sub(front + 16);
            let mut ok = front > 0 && bit(bits, n);
            if !ok && !self.keys.bare.is_empty() {
                // In place of what the other keys left.
                if let Some(text) = self.bare(values.get(n)) {
                    plain.splice(from..from + if front > 0 { len } else { 0 }, text.iter().copied());
                    ok = true;
                    (lens[i - block], from, at) = self.keep(plain, from, text.len(), i, part, at);
                    continue;
                }
            }
            if ok {
                (lens[i - block], from, at) = self.keep(plain, from, len, i, part, at);
            } else {
                set(part.failed, i - part.rows.start);
                from += if front > 0 { len } else { 0 };
            }
        }
        Ok(at)
    }

    /// Takes the padding and the mark of nulls off what was opened and puts it out. Returns its length, and
    /// both places behind it.
    fn keep(
        &self,
        plain: &[u8],
        from: usize,
        len: usize,
        i: usize,
        part: &mut Part<'_>,
        at: usize,
    ) -> (usize, usize, usize) {
        let i = i - part.rows.start;
        let end = from + len;
        let mut text = &plain[from..end];
        if self.padded {
            let zeros = text.iter().rev().take_while(|&&byte| byte == 0).count();
            match text[..len - zeros].split_last() {
                Some((0x80, rest)) => text = rest,
                _ => {
                    set(part.failed, i);
                    return (0, end, at);
                }
            }
        }
        if self.nulls {
            match text.split_first() {
                Some((1, rest)) => text = rest,
                Some((0, [])) => return (0, end, at),
                _ => {
                    set(part.failed, i);
                    return (0, end, at);
                }
            }
        }
        let Some(room) = part.out.get_mut(at..at + text.len()) else {
            set(part.failed, i);
            return (0, end, at);
        };
        room.copy_from_slice(text);
        set(part.valid, i);
        (text.len(), end, at + text.len())
    }

    /// Tries the keys whose tokens have nothing in front.
    fn bare(&self, cell: &[u8]) -> Option<Vec<u8>> {
        let (tag, text) = cell.split_at_checked(16)?;
        self.keys.bare.iter().find_map(|key| {
            let mut text = text.to_vec();
            let ads = self.ad.map(|ad| [ad]);
            key.open_vectored(ads.as_ref().map_or(&[], |ads| &ads[..]), &mut text, tag).ok().map(|()| text)
        })
    }
}

/// In place of a key's number: one of those with nothing in front.
const BARE: usize = usize::MAX;

enum Found {
    Key(usize),
    Unknown,
    Nothing,
}

/// Whether keys found go into one call.
fn same_scheme(a: usize, b: usize) -> bool {
    a >> 32 == b >> 32 && (a == BARE) == (b == BARE)
}

fn set(bits: &mut [u8], i: usize) {
    bits[i / 8] |= 1 << (i % 8);
}

fn cut<'a, T>(rest: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    let (now, later) = std::mem::take(rest).split_at_mut(len);
    *rest = later;
    now
}

/// Appends what letters stand for, and returns it.
fn decoded<'r>(letters: &[u8], to: &'r mut Vec<u8>) -> Option<&'r [u8]> {
    let from = to.len();
    to.resize(from + letters.len() / 4 * 3 + 3, 0);
    let len = base64::decode(letters, &mut to[from..]);
    to.truncate(from + len.unwrap_or(0));
    len.map(|_| &to[from..])
}
