//! What is chosen when a stream is sealed, and the header that comes of it.

use super::derive::{COMMITMENT, HeaderKey, payload};
use super::error::Error;
use super::header::{Header, Table};
use super::layout::{FIXED, Layout, MAGIC, MOST_SLOTS, SALTED, SHIFTS, VERSION};
use super::lock::{Argon2Caps, Lock, Unlock};
use super::scheme;
use super::secret::{Secret, random};
use super::segments::Segments;
use super::slot::Slot;
use crate::key::Algorithm;
use crate::memory::stack::{KEYS, apart};
use std::vec::Vec;

/// What is chosen when a stream is sealed. [`Settings::new`] has what is right as a rule.
#[derive(Clone, Debug)]
pub struct Settings {
    pub(crate) algorithm: Algorithm,
    pub(crate) segment_len: usize,
    pub(crate) context: Vec<u8>,
    pub(crate) threads: usize,
    pub(crate) slots: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Self::new()
    }
}

impl Settings {
    /// OCB3-AES-256, segments of 64 KiB, no context, the threads of the current rayon pool, four
    /// slots or as many as there are locks: a header of 1,024 bytes.
    pub fn new() -> Self {
        Self { algorithm: Algorithm::Ocb3Aes256, segment_len: 64 << 10, context: Vec::new(), threads: 0, slots: 4 }
    }

    /// The scheme; its tags and nonces have the usual length.
    #[must_use]
    pub fn scheme(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// Bytes of plaintext in a segment: a power of two from 4 KiB to 16 MiB, no longer than the
    /// scheme's messages. It is checked when sealing begins ([`Error::SegmentLength`]).
    #[must_use]
    pub fn segment_len(mut self, bytes: usize) -> Self {
        self.segment_len = bytes;
        self
    }

    /// What the stream belongs to: any bytes, which are not in the stream, and without which it
    /// does not open.
    #[must_use]
    pub fn context(mut self, context: &[u8]) -> Self {
        self.context = context.to_vec();
        self
    }

    /// How many threads seal segments: 1 is the caller alone, 0 the current rayon pool (the caller
    /// alone, if rayon's global pool is meant and its threads cannot be started). No more than
    /// 256: more, or such as cannot be started, are [`Error::Threads`] when sealing begins.
    ///
    /// [`Sealing`](super::Sealing), [`Opening`](super::Opening) and
    /// [`OpenedFile`](super::OpenedFile), through which one thread copies everything, leave the others
    /// alone where the scheme is faster than copying: OCB3, GCM, GCM-SIV and AEGIS on the tiers
    /// with VAES.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// For how many keys and passphrases the header has room, 1 to 16, so that some can be
    /// added later. Each costs 192 bytes. It is checked when sealing begins ([`Error::Locks`]).
    #[must_use]
    pub fn slots(mut self, slots: u8) -> Self {
        self.slots = slots;
        self
    }

    /// Bytes of the stream that `plaintext` bytes become when they are sealed so, under as many
    /// locks.
    ///
    /// # Errors
    /// [`Error::SegmentLength`], [`Error::Locks`], [`Error::TooLong`].
    pub fn sealed_len(&self, plaintext: u64, locks: usize) -> Result<u64, Error> {
        self.layout(locks)?.1.sealed_len(plaintext)
    }

    /// The bytes from version to number of slots, and the lengths.
    fn layout(&self, locks: usize) -> Result<([u8; 4], Layout), Error> {
        let slots = u8::try_from(locks.max(self.slots.into())).map_err(|_| Error::Locks)?;
        if locks == 0 || self.slots == 0 || slots > MOST_SLOTS {
            return Err(Error::Locks);
        }
        let shift = self.segment_len.trailing_zeros() as u8;
        if !self.segment_len.is_power_of_two() || !SHIFTS.contains(&shift) {
            return Err(Error::SegmentLength);
        }
        let number = scheme::number(self.algorithm)?;
        let layout = Layout::new(number, shift, slots).map_err(|_| Error::SegmentLength)?;
        Ok(([VERSION, number, shift, slots], layout))
    }
}

/// The random values of a stream.
pub(crate) struct Drawn {
    pub file_key: Secret<32>,
    pub salt: [u8; 32],
    /// One for each lock.
    pub slot_salts: Vec<[u8; 16]>,
}

impl Drawn {
    /// From the operating system.
    pub(crate) fn new(locks: usize) -> Result<Self, Error> {
        let mut salt = [0; 32];
        random(&mut salt)?;
        Ok(Self { file_key: Secret::random()?, salt, slot_salts: slot_salts(locks)? })
    }
}

/// Salts for as many new slots.
pub(crate) fn slot_salts(locks: usize) -> Result<Vec<[u8; 16]>, Error> {
    (0..locks.min(MOST_SLOTS.into()))
        .map(|_| {
            let mut salt = [0; 16];
            random(&mut salt)?;
            Ok(salt)
        })
        .collect()
}

/// The header's bytes, and what seals the segments.
pub(crate) fn begin(settings: &Settings, locks: &[Lock<'_>]) -> Result<(Vec<u8>, Segments), Error> {
    apart::<KEYS, _>(|| begin_with(settings, locks, &Drawn::new(locks.len())?))
}

/// The same of numbers that were drawn.
pub(crate) fn begin_with(settings: &Settings, locks: &[Lock<'_>], drawn: &Drawn) -> Result<(Vec<u8>, Segments), Error> {
    let (chosen, layout) = settings.layout(locks.len())?;
    let mut fixed = [0; FIXED];
    fixed[..8].copy_from_slice(&MAGIC);
    fixed[8..12].copy_from_slice(&chosen);
    fixed[16..SALTED].copy_from_slice(&drawn.salt);
    let mut start = [0; SALTED];
    start.copy_from_slice(&fixed[..SALTED]);
    let (segments, commitment) = payload(&drawn.file_key, &start, layout, &settings.context)?;
    fixed[SALTED..SALTED + COMMITMENT].copy_from_slice(&commitment);
    let mut slots = sealed_slots(locks, &[], &drawn.slot_salts, &start, &drawn.file_key)?;
    slots.resize(chosen[3].into(), None);
    let table = Table::encode(&fixed, 0, 1, &slots, &HeaderKey::new(&drawn.file_key, &start)?)?;
    Ok((Header::encode(&fixed, &table), segments))
}

/// A slot for each lock, to stand beside these others. Refuses a lock that is there already, and
/// passphrases that with those of the others nobody could open without raising the caps.
pub(crate) fn sealed_slots(
    locks: &[Lock<'_>],
    others: &[Option<Slot>],
    salts: &[[u8; 16]],
    start: &[u8; SALTED],
    file_key: &Secret<32>,
) -> Result<Vec<Option<Slot>>, Error> {
    // Who adds no passphrase makes nothing worse, whatever the others cost.
    if locks.iter().any(|lock| lock.costs().is_some()) {
        let there = others.iter().flatten().filter_map(|slot| slot.kind.costs());
        let costs = there.chain(locks.iter().filter_map(Lock::costs));
        Argon2Caps::default().admit_all(costs).map_err(|_| Error::Costs)?;
    }
    if Lock::any_twice(locks) {
        return Err(Error::SameLock);
    }
    for lock in locks {
        // Whether a passphrase is there already is not worth what each attempt costs.
        let Lock::Key(key) = lock else { continue };
        for slot in others.iter().flatten() {
            if slot.open(&Unlock::Key(key), start)?.is_some() {
                return Err(Error::SameLock);
            }
        }
    }
    if salts.len() < locks.len() {
        return Err(Error::Locks);
    }
    locks.iter().zip(salts).map(|(lock, salt)| Slot::seal(lock, salt, start, file_key).map(Some)).collect()
}
