//! A slot of a header: the file key, wrapped under one key or passphrase.
//!
//! kind (1), zeros (3), memory in KiB, passes, lanes (4 each), salt (16), wrapped key (32),
//! MAC (32). HKDF-SHA-256 of the slot's key makes a pad and a MAC key, both used once, since
//! every slot has a salt of its own. The MAC is long enough to commit to the slot's key.

use super::derive::SlotKeys;
use super::error::{Error, Unsupported};
use super::layout::{SALTED, SLOT};
use super::lock::{Argon2Costs, Lock, Unlock, argon2id};
use super::secret::Secret;

/// What a slot is opened with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SlotKind {
    /// A raw key of 32 bytes.
    Key,
    /// A passphrase, at these costs.
    Passphrase(Argon2Costs),
}

impl SlotKind {
    /// What a passphrase costs; `None` of a key.
    pub(crate) fn costs(self) -> Option<Argon2Costs> {
        match self {
            Self::Key => None,
            Self::Passphrase(costs) => Some(costs),
        }
    }
}

/// A slot in use, as it stands in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub kind: SlotKind,
    bytes: [u8; SLOT],
}

impl Slot {
    /// Reads a slot; `None` of one that is not in use.
    ///
    /// # Errors
    /// [`Error::Unsupported`] of an unknown kind; [`Error::DamagedHeader`] of fields that no
    /// writer writes.
    pub(crate) fn parse(bytes: &[u8; SLOT]) -> Result<Option<Self>, Error> {
        let number = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let kind = match bytes[0] {
            0 if bytes == &[0; SLOT] => return Ok(None),
            0 => return Err(Error::DamagedHeader),
            1 if bytes[1..16] == [0; 15] => SlotKind::Key,
            2 if bytes[1..4] == [0; 3] => {
                let costs = Argon2Costs::legal(number(4), number(8), number(12));
                SlotKind::Passphrase(costs.ok_or(Error::DamagedHeader)?)
            }
            1 | 2 => return Err(Error::DamagedHeader),
            other => return Err(Error::Unsupported(Unsupported::SlotKind(other))),
        };
        Ok(Some(Self { kind, bytes: *bytes }))
    }

    /// Wraps a file key under a lock.
    pub(crate) fn seal(
        lock: &Lock<'_>,
        salt: &[u8; 16],
        start: &[u8; SALTED],
        file_key: &Secret<32>,
    ) -> Result<Self, Error> {
        let mut bytes = [0; SLOT];
        let (kind, kek) = match *lock {
            Lock::Key(key) => {
                bytes[0] = 1;
                (SlotKind::Key, Secret(*key))
            }
            Lock::Passphrase { passphrase, costs } => {
                bytes[0] = 2;
                bytes[4..8].copy_from_slice(&costs.memory_kib().to_be_bytes());
                bytes[8..12].copy_from_slice(&costs.passes().to_be_bytes());
                bytes[12..16].copy_from_slice(&costs.lanes().to_be_bytes());
                (SlotKind::Passphrase(costs), argon2id(passphrase, salt, costs)?)
            }
        };
        bytes[16..32].copy_from_slice(salt);
        let wrapped = SlotKeys::new(&kek, start, head(&bytes))?.wrap(file_key);
        bytes[32..].copy_from_slice(&wrapped);
        Ok(Self { kind, bytes })
    }

    /// Whether this is a slot for such a thing.
    pub(crate) fn takes(&self, unlock: &Unlock<'_>) -> bool {
        matches!(
            (self.kind, unlock),
            (SlotKind::Key, Unlock::Key(_)) | (SlotKind::Passphrase(_), Unlock::Passphrase { .. })
        )
    }

    /// The file key, if this is the right key or passphrase. The caps were looked at before.
    pub(crate) fn open(&self, unlock: &Unlock<'_>, start: &[u8; SALTED]) -> Result<Option<Secret<32>>, Error> {
        let kek = match (self.kind, *unlock) {
            (SlotKind::Key, Unlock::Key(key)) => Secret(*key),
            (SlotKind::Passphrase(costs), Unlock::Passphrase { passphrase, .. }) => {
                let mut salt = [0; 16];
                salt.copy_from_slice(&self.bytes[16..32]);
                argon2id(passphrase, &salt, costs)?
            }
            _ => return Ok(None),
        };
        let mut wrapped = [0; 64];
        wrapped.copy_from_slice(&self.bytes[32..]);
        Ok(SlotKeys::new(&kek, start, head(&self.bytes))?.unwrap(&wrapped))
    }

    pub(crate) fn bytes(&self) -> &[u8; SLOT] {
        &self.bytes
    }
}

/// Kind, costs and salt.
fn head(slot: &[u8; SLOT]) -> &[u8; 32] {
    let Some(head) = slot.first_chunk() else { unreachable!("a slot is longer") };
    head
}
