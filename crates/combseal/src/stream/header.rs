//! A stream's header: what it says of the stream, and who can open it.
//!
//! ```text
//!   0   8  magic 89 43 4D 42 0D 0A 1A 0A
//!   8   1  version: 1
//!   9   1  number of the scheme
//!  10   1  s: segments hold 2^s bytes of plaintext
//!  11   1  n: slots in a table
//!  12   4  zeros
//!  16  32  salt
//!  48  32  commitment to file key, all of the above and the context
//!  80  16  zeros
//!  96  32  zeros, or a mark while slots are being changed
//! 128   t  table 0, t = 64 + 96 n
//! 128+t t  table 1
//! ```
//!
//! A table is a generation (8), zeros (8), n slots (96 each), an HMAC under the file key (32) and
//! a checksum (16). At rest one of the two is zero. They are two so that slots can be changed in
//! place (`rekey.rs`).

use super::derive::HeaderKey;
use super::error::{Error, Unsupported};
use super::layout::{FIXED, Layout, MAGIC, MOST_SLOTS, SALTED, SLOT, UNCHANGING, VERSION, header_len, table_len};
use super::lock::Unlock;
use super::secret::Secret;
use super::slot::{Slot, SlotKind};
use crate::cpu::equal;
use crate::key::Algorithm;
use core::fmt;
use sha2::{Digest, Sha256};
use std::io::Read;
use std::{vec, vec::Vec};

/// Bytes of a table before its slots.
const TABLE_START: usize = 16;
/// Bytes of a table's MAC.
const MAC: usize = 32;
/// Bytes of a table's checksum.
const SUM: usize = 16;
/// Where the mark is.
pub(crate) const MARK_AT: usize = 96;

/// What a stream's header says, read without any key.
///
/// Nothing of it is authentic before the stream was opened: whoever changes scheme, lengths or
/// salt changes the keys, and whoever changes slots fails at the header's MAC.
#[derive(Clone)]
pub struct Header {
    pub(crate) fixed: [u8; FIXED],
    pub(crate) layout: Layout,
    pub(crate) tables: [Option<Table>; 2],
    /// Whether a change of slots was under way.
    pub(crate) marked: bool,
}

/// What it says, not its bytes.
impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Header")
            .field("version", &self.version())
            .field("algorithm", &self.algorithm())
            .field("segment_len", &self.segment_len())
            .field("slots", &self.slots())
            .field("interrupted", &self.interrupted())
            .finish_non_exhaustive()
    }
}

/// One of the two tables, whole.
#[derive(Clone)]
pub(crate) struct Table {
    pub generation: u64,
    /// Of the header's number of slots, those in use.
    pub slots: Vec<Option<Slot>>,
    bytes: Vec<u8>,
}

/// What a header that was unlocked gives.
pub(crate) struct Unlocked {
    pub file_key: Secret<32>,
    /// Which table.
    pub table: usize,
    /// Which of its slots.
    pub slot: usize,
}

impl Header {
    /// As many bytes tell how long the header is.
    pub const START_LEN: usize = 16;

    /// Reads the header at the beginning of `bytes`; what is behind it is not looked at.
    ///
    /// # Errors
    /// [`Error::NotSealed`], [`Error::TextDamaged`], [`Error::Unsupported`],
    /// [`Error::DamagedHeader`]; [`Error::Truncated`] if there is only a part of it.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let len = Self::len_from_start(bytes)?;
        let bytes = bytes.get(..len).ok_or(Error::Truncated)?;
        let (Some(fixed), Some(start)) = (bytes.first_chunk::<FIXED>(), bytes.first_chunk::<16>()) else {
            return Err(Error::Truncated);
        };
        if start[12..] != [0; 4] || fixed[80..MARK_AT] != [0; 16] {
            return Err(Error::Unsupported(Unsupported::Reserved));
        }
        let slots = start[11];
        let layout = Layout::new(start[9], start[10], slots)?;
        let (marked, tables) = (fixed[MARK_AT..] != [0; 32], &bytes[FIXED..]);
        let (zero, one) = tables.split_at(table_len(slots));
        let table = |number, bytes| Table::parse(fixed, number, slots, bytes);
        let tables = match (table(0, zero)?, table(1, one)?) {
            // At rest one is whole, and nothing is in the other.
            (Found::Whole(table), Found::Empty) => [Some(table), None],
            (Found::Empty, Found::Whole(table)) => [None, Some(table)],
            // While slots are changed, one is whole, whatever is in the other.
            (Found::Whole(a), Found::Whole(b)) if marked && a.generation != b.generation => [Some(a), Some(b)],
            (Found::Whole(table), Found::Torn) if marked => [Some(table), None],
            (Found::Torn, Found::Whole(table)) if marked => [None, Some(table)],
            _ => return Err(Error::DamagedHeader),
        };
        Ok(Self { fixed: *fixed, layout, tables, marked })
    }

    /// How many bytes the header has that begins so: [`START_LEN`](Self::START_LEN) bytes tell
    /// it, and no more of them are looked at. At most 3,328.
    ///
    /// # Errors
    /// [`Error::NotSealed`], [`Error::TextDamaged`], [`Error::Unsupported`]; [`Error::Truncated`]
    /// if there are too few.
    pub fn len_from_start(bytes: &[u8]) -> Result<usize, Error> {
        let seen = bytes.len().min(MAGIC.len());
        if bytes[..seen] != MAGIC[..seen] {
            return Err(if was_text(bytes) { Error::TextDamaged } else { Error::NotSealed });
        }
        let start: &[u8; 16] = bytes.first_chunk().ok_or(Error::Truncated)?;
        match (start[8], start[11]) {
            (VERSION, slots @ 1..=MOST_SLOTS) => Ok(header_len(slots)),
            (VERSION, slots) => Err(Error::Unsupported(Unsupported::Slots(slots))),
            (version, _) => Err(Error::Unsupported(Unsupported::Version(version))),
        }
    }

    /// Reads a header, and no more than it, from a reader.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse); [`Error::Io`].
    pub fn read(reader: &mut impl Read) -> Result<Self, Error> {
        let mut bytes = vec![0; Self::START_LEN];
        let n = fill(reader, &mut bytes)?;
        let len = Self::len_from_start(&bytes[..n])?;
        bytes.resize(len, 0);
        let n = Self::START_LEN + fill(reader, &mut bytes[Self::START_LEN..])?;
        Self::parse(&bytes[..n])
    }

    /// The format's version: 1.
    pub fn version(&self) -> u8 {
        self.fixed[8]
    }
    /// The scheme.
    pub fn algorithm(&self) -> Algorithm {
        self.layout.algorithm
    }
    /// Bytes of plaintext in a full segment.
    pub fn segment_len(&self) -> usize {
        self.layout.segment
    }
    /// Bytes of a tag, of which every segment has one.
    pub fn tag_len(&self) -> usize {
        self.layout.tag
    }
    /// Bytes of the header.
    pub fn header_len(&self) -> usize {
        header_len(self.fixed[11])
    }
    /// The stream's random salt, which is different in every stream.
    pub fn salt(&self) -> &[u8; 32] {
        let Some(salt) = self.fixed[16..].first_chunk() else { unreachable!("the fixed part is longer") };
        salt
    }
    /// The slots, in their order; `None` is one that is free. If a change was interrupted and
    /// there are old slots and new ones, these are the new ones.
    pub fn slots(&self) -> Vec<Option<SlotKind>> {
        let slots = self.newest().map_or(&[][..], |table| &table.slots);
        slots.iter().map(|slot| slot.as_ref().map(|slot| slot.kind)).collect()
    }
    /// Whether a change of slots was interrupted. The stream opens none the less, with old keys
    /// or with new ones; the next [`rekey`](super::rekey()) ends it.
    pub fn interrupted(&self) -> bool {
        self.marked
    }

    /// Bytes of plaintext in a stream of `stream_len` bytes, if it is authentic.
    ///
    /// # Errors
    /// [`Error::Truncated`] if no stream has that length; [`Error::TooLong`].
    pub fn plaintext_len(&self, stream_len: u64) -> Result<u64, Error> {
        self.layout.plaintext_len(stream_len)
    }

    /// Segments in a stream of `stream_len` bytes, if it is authentic: the last one, which is
    /// never full, is counted.
    ///
    /// # Errors
    /// [`Error::Truncated`] if no stream has that length; [`Error::TooLong`].
    pub fn segments(&self, stream_len: u64) -> Result<u64, Error> {
        self.layout.segments(stream_len).map(|(full, _)| full + 1)
    }

    /// What the salt is part of.
    pub(crate) fn start(&self) -> &[u8; SALTED] {
        let Some(start) = self.fixed.first_chunk() else { unreachable!("the fixed part is longer") };
        start
    }

    pub(crate) fn unchanging(&self) -> &[u8; UNCHANGING] {
        let Some(unchanging) = self.fixed.first_chunk() else { unreachable!("the fixed part is longer") };
        unchanging
    }

    pub(crate) fn commitment(&self) -> &[u8] {
        &self.fixed[SALTED..80]
    }

    /// The tables that there are, the newest first.
    fn by_age(&self) -> impl Iterator<Item = (usize, &Table)> {
        let mut all: Vec<_> = self.tables.iter().enumerate().filter_map(|(i, it)| Some((i, it.as_ref()?))).collect();
        all.sort_by_key(|(_, table)| core::cmp::Reverse(table.generation));
        all.into_iter()
    }

    fn newest(&self) -> Option<&Table> {
        self.by_age().next().map(|(_, table)| table)
    }

    /// Finds the slot that opens, and makes sure that the header is what a holder of the file
    /// key wrote. What passphrases cost is looked at before any is tried: of each table by
    /// itself, so that a change of slots that was interrupted leaves a stream that opens if it
    /// opened before and would open afterwards.
    pub(crate) fn unlock(&self, unlock: &Unlock<'_>) -> Result<Unlocked, Error> {
        let mut all: Vec<(usize, usize, &Slot)> = Vec::new();
        for (i, table) in self.by_age() {
            let before = all.len();
            for (j, slot) in table.slots.iter().enumerate() {
                // What stays the same in a change is in both tables, and is tried once.
                let Some(slot) = slot.as_ref().filter(|slot| slot.takes(unlock)) else { continue };
                if !all[..before].iter().any(|(_, _, newer)| *newer == slot) {
                    all.push((i, j, slot));
                }
            }
            if let Unlock::Passphrase { caps, .. } = unlock {
                caps.admit_all(all[before..].iter().filter_map(|(_, _, slot)| slot.kind.costs()))?;
            }
        }
        for (table, number, slot) in all {
            let Some(file_key) = slot.open(unlock, self.start())? else { continue };
            self.verify(&file_key, table)?;
            return Ok(Unlocked { file_key, table, slot: number });
        }
        Err(Error::WrongKey)
    }

    /// Whether the table, and the mark if there is one, were made with the file key.
    fn verify(&self, file_key: &Secret<32>, table: usize) -> Result<(), Error> {
        let key = HeaderKey::new(file_key, self.start())?;
        let Some(it) = &self.tables[table] else { return Err(Error::DamagedHeader) };
        let (signed, rest) = it.bytes.split_at(it.bytes.len() - MAC - SUM);
        let right = equal(&key.table(self.unchanging(), table as u8, signed), &rest[..MAC]);
        let mark = if self.marked { key.mark(self.unchanging()) } else { [0; 32] };
        if right & equal(&mark, &self.fixed[MARK_AT..]) { Ok(()) } else { Err(Error::DamagedHeader) }
    }

    /// The header as it is sealed with, its second table empty.
    pub(crate) fn encode(fixed: &[u8; FIXED], table: &[u8]) -> Vec<u8> {
        let mut out = [&fixed[..], table].concat();
        out.resize(FIXED + 2 * table.len(), 0);
        out
    }
}

/// What a table's bytes are.
enum Found {
    Empty,
    Whole(Table),
    Torn,
}

impl Table {
    fn parse(fixed: &[u8; FIXED], number: u8, slots: u8, bytes: &[u8]) -> Result<Found, Error> {
        if bytes.iter().all(|&b| b == 0) {
            return Ok(Found::Empty);
        }
        let (summed, sum) = bytes.split_at(bytes.len() - SUM);
        if checksum(fixed, number, summed) != sum {
            return Ok(Found::Torn);
        }
        let (start, rest) = summed.split_at(TABLE_START);
        let (generation, zeros) = start.split_at(8);
        let generation = generation.iter().fold(0, |n, &b| n << 8 | u64::from(b));
        if generation == 0 || zeros != [0; 8] {
            return Err(Error::DamagedHeader);
        }
        let (all, _) = rest.as_chunks::<SLOT>();
        let slots = all[..slots.into()].iter().map(Slot::parse).collect::<Result<Vec<_>, _>>()?;
        if slots.iter().all(Option::is_none) {
            return Err(Error::DamagedHeader);
        }
        Ok(Found::Whole(Self { generation, slots, bytes: bytes.to_vec() }))
    }

    /// A table's bytes.
    pub(crate) fn encode(
        fixed: &[u8; FIXED],
        number: u8,
        generation: u64,
        slots: &[Option<Slot>],
        key: &HeaderKey,
    ) -> Result<Vec<u8>, Error> {
        let mut out = generation.to_be_bytes().to_vec();
        out.extend([0; 8]);
        slots.iter().for_each(|slot| out.extend(slot.as_ref().map_or(&[0; SLOT], Slot::bytes)));
        let unchanging = fixed.first_chunk().ok_or(Error::DamagedHeader)?;
        let mac = key.table(unchanging, number, &out);
        out.extend(mac);
        let sum = checksum(fixed, number, &out);
        out.extend(sum);
        Ok(out)
    }
}

/// A checksum over what never changes and the table: it tells damage from a wrong key before
/// any key is known, and authenticates nothing.
fn checksum(fixed: &[u8; FIXED], number: u8, table: &[u8]) -> [u8; SUM] {
    let mut hash = Sha256::new();
    hash.update(b"combseal stream v1 table");
    hash.update([number]);
    hash.update(&fixed[..UNCHANGING]);
    hash.update(table);
    let mut out = [0; SUM];
    out.copy_from_slice(&hash.finalize()[..SUM]);
    out
}

/// Whether these bytes look like the magic after it went through something that treats bytes as
/// text: the high bit lost, line ends converted, decoded as Latin-1 or as UTF-8 with
/// replacements, or any of these widened to UTF-16, with or without a byte-order mark.
fn was_text(bytes: &[u8]) -> bool {
    let bytes = [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"]
        .iter()
        .find_map(|mark| bytes.strip_prefix(*mark))
        .unwrap_or(bytes);
    let starts: [&[u8]; 13] = [
        b"\x89CMB",
        b"\x09CMB",
        b"?CMB",
        b"\xc2\x89CMB",
        b"\xef\xbf\xbdCMB",
        // In UTF-16, the low byte first and the high byte first.
        b"\x89\0C\0M\0B\0",
        b"\x09\0C\0M\0B\0",
        b"?\0C\0M\0B\0",
        b"\xfd\xffC\0M\0B\0",
        b"\0\x89\0C\0M\0B",
        b"\0\x09\0C\0M\0B",
        b"\0?\0C\0M\0B",
        b"\xff\xfd\0C\0M\0B",
    ];
    starts.iter().any(|start| bytes.starts_with(start))
}

/// Reads until `buf` is full or the input ends; says how much there was.
pub(crate) fn fill(reader: &mut impl Read, buf: &mut [u8]) -> Result<usize, Error> {
    let mut n = 0;
    while n < buf.len() {
        match read(reader, &mut buf[n..])? {
            0 => break,
            more => n += more,
        }
    }
    Ok(n)
}

/// Reads once; again if that is interrupted.
pub(crate) fn read(reader: &mut impl Read, buf: &mut [u8]) -> Result<usize, Error> {
    loop {
        match reader.read(buf) {
            // A reader may be wrong, and must not make us so.
            Ok(n) => return Ok(n.min(buf.len())),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::from(error)),
        }
    }
}
