//! What a stream is locked and unlocked with: raw keys, and passphrases by Argon2id.

use super::error::{Cost, Error};
use super::secret::Secret;
use crate::cpu::equal;
use argon2::{Algorithm, Argon2, Block, Params, Version};
use core::fmt;
use zeroize::Zeroize;

/// One way to open a stream that is being sealed. Each takes a slot of the header.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Lock<'a> {
    /// A key of 32 random bytes.
    Key(&'a [u8; 32]),
    /// A passphrase, which Argon2id makes a key of.
    Passphrase {
        /// Any bytes; not empty, to be of any use.
        passphrase: &'a [u8],
        /// What each attempt at it shall cost.
        costs: Argon2Costs,
    },
}

/// What a stream is opened with.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Unlock<'a> {
    /// A key of 32 bytes.
    Key(&'a [u8; 32]),
    /// A passphrase.
    Passphrase {
        /// The bytes that it was sealed with.
        passphrase: &'a [u8],
        /// What the header may ask for at most, since it may be an enemy's.
        caps: Argon2Caps,
    },
}

impl fmt::Debug for Lock<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(_) => f.write_str("Key(secret)"),
            Self::Passphrase { costs, .. } => write!(f, "Passphrase(secret, {costs:?})"),
        }
    }
}

impl fmt::Debug for Unlock<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(_) => f.write_str("Key(secret)"),
            Self::Passphrase { caps, .. } => write!(f, "Passphrase(secret, {caps:?})"),
        }
    }
}

impl Lock<'_> {
    /// What a passphrase costs; `None` of a key.
    pub(crate) fn costs(&self) -> Option<Argon2Costs> {
        match self {
            Self::Key(_) => None,
            Self::Passphrase { costs, .. } => Some(*costs),
        }
    }

    /// Whether this is the same key or passphrase, whatever it costs.
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Key(a), Self::Key(b)) => equal(&a[..], &b[..]),
            (Self::Passphrase { passphrase: a, .. }, Self::Passphrase { passphrase: b, .. }) => equal(a, b),
            _ => false,
        }
    }

    /// Whether one of these is there twice.
    pub(crate) fn any_twice(all: &[Self]) -> bool {
        all.iter().enumerate().any(|(i, lock)| all[..i].iter().any(|before| lock.same(before)))
    }
}

impl Unlock<'_> {
    /// Whether this is the same key or passphrase.
    pub(crate) fn is(&self, lock: &Lock<'_>) -> bool {
        match (self, lock) {
            (Self::Key(a), Lock::Key(b)) => equal(&a[..], &b[..]),
            (Self::Passphrase { passphrase: a, .. }, Lock::Passphrase { passphrase: b, .. }) => equal(a, b),
            _ => false,
        }
    }
}

/// What Argon2id (RFC 9106) costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argon2Costs {
    memory_kib: u32,
    passes: u32,
    lanes: u32,
}

impl Argon2Costs {
    /// The least memory that is sealed with, in KiB: 64 MiB, which RFC 9106, 4, recommends where
    /// memory is scarce.
    pub const LEAST_MEMORY_KIB: u32 = 64 << 10;

    /// Memory in KiB, passes over it, and lanes.
    ///
    /// # Errors
    /// [`Error::Costs`] if the memory is less than 64 MiB or than 8 KiB a lane, or if there is
    /// no pass or no lane; or if they are more than [`Argon2Caps::default`] lets anybody open.
    pub fn new(memory_kib: u32, passes: u32, lanes: u32) -> Result<Self, Error> {
        let it = Self::legal(memory_kib, passes, lanes).ok_or(Error::Costs)?;
        if memory_kib < Self::LEAST_MEMORY_KIB || Argon2Caps::default().admit(it).is_err() {
            return Err(Error::Costs);
        }
        Ok(it)
    }

    /// What a header may say: anything that is Argon2's.
    pub(crate) fn legal(memory_kib: u32, passes: u32, lanes: u32) -> Option<Self> {
        let legal = passes > 0 && (1..1 << 24).contains(&lanes) && u64::from(memory_kib) >= 8 * u64::from(lanes);
        legal.then_some(Self { memory_kib, passes, lanes })
    }

    /// Memory in KiB.
    pub fn memory_kib(&self) -> u32 {
        self.memory_kib
    }
    /// Passes over the memory.
    pub fn passes(&self) -> u32 {
        self.passes
    }
    /// Lanes, which may be done at once.
    pub fn lanes(&self) -> u32 {
        self.lanes
    }
    /// Memory in KiB times passes.
    pub(crate) fn work(&self) -> u64 {
        u64::from(self.memory_kib) * u64::from(self.passes)
    }
}

impl Default for Argon2Costs {
    /// 256 MiB, 3 passes, 4 lanes: four times the memory of RFC 9106's second choice. They are
    /// the same on every machine, so that a stream does not tell which one sealed it.
    fn default() -> Self {
        Self { memory_kib: 256 << 10, passes: 3, lanes: 4 }
    }
}

/// What a header may ask of Argon2id before it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argon2Caps {
    /// KiB of memory.
    pub memory_kib: u32,
    /// Passes over the memory.
    pub passes: u32,
    /// Lanes.
    pub lanes: u32,
    /// KiB of memory times passes, summed over the slots that the passphrase is tried on. While a
    /// change of slots is interrupted there are old slots and new ones; each sum may be this much.
    pub work: u64,
}

impl Default for Argon2Caps {
    /// 2 GiB (512 MiB where addresses have 32 bits), 16 passes, 16 lanes, and 8 GiB of memory
    /// times passes in all: a few seconds of one core. Nothing is sealed that needs more.
    fn default() -> Self {
        let memory_kib = if usize::BITS < 64 { 512 << 10 } else { 2 << 20 };
        Self { memory_kib, passes: 16, lanes: 16, work: 8 << 20 }
    }
}

impl Argon2Caps {
    /// Whether a slot may ask for this.
    pub(crate) fn admit(&self, costs: Argon2Costs) -> Result<(), Error> {
        let all = [
            (Cost::Memory, costs.memory_kib.into(), self.memory_kib.into()),
            (Cost::Passes, costs.passes.into(), self.passes.into()),
            (Cost::Lanes, costs.lanes.into(), self.lanes.into()),
            (Cost::Work, costs.work(), self.work),
        ];
        all.into_iter().try_for_each(
            |(of, asked, cap)| {
                if asked <= cap { Ok(()) } else { Err(Error::OverCap { of, asked, cap }) }
            },
        )
    }

    /// Whether all the slots that a passphrase is tried on may ask for this together.
    pub(crate) fn admit_all(&self, all: impl Iterator<Item = Argon2Costs> + Clone) -> Result<(), Error> {
        all.clone().try_for_each(|costs| self.admit(costs))?;
        let asked = all.fold(0u64, |sum, costs| sum.saturating_add(costs.work()));
        if asked <= self.work { Ok(()) } else { Err(Error::OverCap { of: Cost::Work, asked, cap: self.work }) }
    }
}

/// Argon2id, version 0x13, without secret and associated data: 32 bytes. The memory is zeroed.
pub(crate) fn argon2id(passphrase: &[u8], salt: &[u8; 16], costs: Argon2Costs) -> Result<Secret<32>, Error> {
    let params = Params::new(costs.memory_kib, costs.passes, costs.lanes, Some(32)).map_err(|_| Error::Costs)?;
    let mut blocks: std::vec::Vec<Block> = std::vec::Vec::new();
    let n = params.block_count();
    blocks.try_reserve_exact(n).map_err(|_| Error::Memory)?;
    blocks.resize(n, Block::new());
    let mut key = Secret::zero();
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let done = argon2.hash_password_into_with_memory(passphrase, salt, &mut key.0, &mut blocks[..]);
    blocks.iter_mut().for_each(Zeroize::zeroize);
    done.map_err(|_| Error::Costs)?;
    Ok(key)
}
