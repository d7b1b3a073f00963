//! Changing who can open a stream, without touching its data.
//!
//! The new slots are written to the table that is not in use. While that goes on, a mark stands
//! in the header, an HMAC under the file key, and says that one of the tables may be torn.

use super::derive::HeaderKey;
use super::error::Error;
use super::header::{Header, MARK_AT, Table};
use super::layout::{FIXED, table_len};
use super::lock::{Lock, Unlock};
use super::settings::{sealed_slots, slot_salts};
use crate::memory::stack::{KEYS, apart};
use std::{vec, vec::Vec};

/// What becomes of a stream's slots. If an earlier change was interrupted, it goes on from those
/// slots, old or new, of which the key or passphrase is that opens the header.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Change<'a> {
    /// These locks and no others.
    All(&'a [Lock<'a>]),
    /// This one in the place of what the header is opened with: a new passphrase, say. Should that
    /// open several slots, all of them go. The others stay.
    Own(Lock<'a>),
    /// One more.
    Add(Lock<'a>),
    /// None in the slot of this number, as [`Header::slots`] counts them. The last slot cannot be
    /// removed.
    Remove(usize),
}

/// Bytes to be written over a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where, in bytes from the stream's beginning.
    pub offset: u64,
    /// What.
    pub bytes: Vec<u8>,
}

/// Changes who can open a stream. `header` is the stream's first bytes, as many as
/// [`Header::header_len`] says or more; 3,328 bytes are enough for any.
///
/// Write the steps in their order, each synced before the next one begins: then the stream opens
/// whenever the work is interrupted, with what it was unlocked with now or with what it is to be
/// unlocked with, and the next change clears up. That takes for granted of the disk that the mark, 32
/// bytes within one sector, is written whole or not at all, and that a write which is cut off
/// harms no bytes beside it.
///
/// ```no_run
/// use combseal::stream::{Change, Header, Lock, Unlock, rekey};
/// use std::io::{Read, Seek, SeekFrom, Write};
///
/// # fn change(old: &[u8; 32], new: &[u8; 32]) -> Result<(), Box<dyn std::error::Error>> {
/// let mut file = std::fs::File::options().read(true).write(true).open("file.sealed")?;
/// let mut header = vec![0; Header::read(&mut file)?.header_len()];
/// file.rewind()?;
/// file.read_exact(&mut header)?;
/// for step in rekey(&header, Unlock::Key(old), &Change::Own(Lock::Key(new)))? {
///     file.seek(SeekFrom::Start(step.offset))?;
///     file.write_all(&step.bytes)?;
///     file.sync_all()?; // before the next one
/// }
/// # Ok(())
/// # }
/// ```
///
/// The file key stays. So whoever has an old copy of the header, or had the file key once, can
/// open the stream as before; who must be shut out needs the data sealed anew.
///
/// No context is needed. To replace a passphrase, it is tried on every slot of a passphrase.
///
/// # Errors
/// Those of [`Header::parse`]; [`Error::WrongKey`], [`Error::OverCap`]; [`Error::Locks`] if there
/// are no free slots; [`Error::SameLock`] of a key that opens a slot which stays, and of a
/// passphrase that is added and the header was opened with; [`Error::NoSlot`],
/// [`Error::LastSlot`], [`Error::Interrupted`]; [`Error::Costs`] if the passphrases that are there
/// then would together demand more than [`Argon2Caps::default`](super::Argon2Caps::default)
/// allows; [`Error::Random`], [`Error::Memory`].
pub fn rekey(header: &[u8], with: Unlock<'_>, change: &Change<'_>) -> Result<Vec<Step>, Error> {
    let new = match change {
        Change::All(locks) => locks.len(),
        Change::Own(_) | Change::Add(_) => 1,
        Change::Remove(_) => 0,
    };
    let salts = slot_salts(new)?;
    apart::<KEYS, _>(|| steps(header, &with, change, &salts))
}

/// The same with salts for new slots.
pub(crate) fn steps(
    header: &[u8],
    with: &Unlock<'_>,
    change: &Change<'_>,
    salts: &[[u8; 16]],
) -> Result<Vec<Step>, Error> {
    let header = Header::parse(header)?;
    let found = header.unlock(with)?;
    let Some(old) = &header.tables[found.table] else { return Err(Error::DamagedHeader) };
    let sealed = |locks: &[Lock<'_>], others: &[_]| sealed_slots(locks, others, salts, header.start(), &found.file_key);
    let newest = header.tables.iter().flatten().map(|table| table.generation).max();
    let mut slots = old.slots.clone();
    match *change {
        Change::All([]) => return Err(Error::Locks),
        Change::All(locks) if locks.len() > slots.len() => return Err(Error::Locks),
        Change::All(locks) => {
            let count = slots.len();
            slots = sealed(locks, &[])?;
            slots.resize(count, None);
        }
        Change::Own(lock) => {
            slots[found.slot] = None;
            // Those before it were tried.
            for slot in &mut slots[found.slot + 1..] {
                let same = slot.filter(|slot| slot.takes(with)).map(|slot| slot.open(with, header.start()));
                if same.transpose()?.flatten().is_some() {
                    *slot = None;
                }
            }
            slots[found.slot] = sealed(&[lock], &slots)?.pop().flatten();
        }
        Change::Add(lock) => {
            let free = slots.iter().position(Option::is_none).ok_or(Error::Locks)?;
            if with.is(&lock) {
                return Err(Error::SameLock);
            }
            slots[free] = sealed(&[lock], &slots)?.pop().flatten();
        }
        // The caller has the number from the newest slots.
        Change::Remove(_) if Some(old.generation) != newest => return Err(Error::Interrupted),
        Change::Remove(number) => match slots.get_mut(number) {
            Some(slot) if slot.is_some() => *slot = None,
            _ => return Err(Error::NoSlot),
        },
    }
    if slots.iter().all(Option::is_none) {
        return Err(Error::LastSlot);
    }
    let key = HeaderKey::new(&found.file_key, header.start())?;
    let generation = newest.and_then(|n| n.checked_add(1)).ok_or(Error::DamagedHeader)?;
    let other = 1 - found.table;
    let len = table_len(header.fixed[11]);
    let at = |table: usize| (FIXED + table * len) as u64;
    let table = Table::encode(&header.fixed, other as u8, generation, &slots, &key)?;
    Ok(vec![
        Step { offset: MARK_AT as u64, bytes: key.mark(header.unchanging()).to_vec() },
        Step { offset: at(other), bytes: table },
        Step { offset: at(found.table), bytes: vec![0; len] },
        Step { offset: MARK_AT as u64, bytes: vec![0; 32] },
    ])
}
