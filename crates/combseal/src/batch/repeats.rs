//! A nonce must not be used twice under one key: the second job of a batch that would seal
//! with it is refused. (Not with SIV and GCM-SIV, which survive it.)
//!
//! Nonces that rise cannot repeat, and senders count, so that as a rule one look at each job
//! tells; else a hash table does. Both decide by key and nonce, which are the sender's own and
//! public, never by a message.

use crate::interface::error::Error;
use crate::interface::scheme::Scheme;
use crate::key::Key;
use crate::pipeline::jobs::Job;
use alloc::vec::Vec;

/// What one look at each job shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// All seal under one key, and their nonces rise, or may repeat.
    OneSender,
    /// None repeats.
    Distinct,
    /// It does not show it: the table must tell.
    Unknown,
}

/// The memory of the table, kept from batch to batch.
#[derive(Default)]
pub(super) struct Repeats {
    /// The number of the job at each place, from 1 on; 0 for none.
    seen: Vec<u32>,
}

impl Repeats {
    /// Refuses each job that seals under a key and nonce of one before it. Says whether all
    /// jobs are to be sealed under one key, so that they may go in one row.
    pub(super) fn refuse(&mut self, jobs: &[Job<'_, Key>]) -> bool {
        match look(jobs) {
            Look::OneSender => true,
            Look::Distinct => false,
            Look::Unknown => {
                self.refuse_by_table(jobs);
                false
            }
        }
    }

    fn refuse_by_table(&mut self, jobs: &[Job<'_, Key>]) {
        // At least twice as many places as jobs.
        let bits = (2 * jobs.len()).next_power_of_two().trailing_zeros();
        self.seen.clear();
        self.seen.resize(1 << bits, 0);
        for (i, job) in jobs.iter().enumerate() {
            if job.opens() || job.key.allows_repeats() {
                continue;
            }
            let mut at = hash(core::ptr::from_ref(job.key).addr(), &job.nonce) >> (64 - bits);
            loop {
                let place = &mut self.seen[at as usize & ((1 << bits) - 1)];
                if *place == 0 {
                    *place = i as u32 + 1;
                    break;
                }
                let other = &jobs[*place as usize - 1];
                if core::ptr::eq(other.key, job.key) && *other.nonce == *job.nonce {
                    job.refuse(Error::NonceRepeated);
                    break;
                }
                at += 1;
            }
        }
    }
}

/// Looks at each job once: as numbers of one register's width if all nonces are that short, as most are; else as
/// wide ones.
fn look(jobs: &[Job<'_, Key>]) -> Look {
    look_by(jobs, short).or_else(|| look_by(jobs, number)).unwrap_or(Look::Unknown)
}

/// The same by nonces' lengths and `number`s; `None` if it has none of some nonce.
#[inline(always)]
fn look_by<N: Copy + PartialOrd>(
    jobs: &[Job<'_, Key>],
    number: impl Fn(&[u8]) -> Option<(usize, N)> + Copy,
) -> Option<Look> {
    let Some((first, others)) = jobs.split_first() else { return Some(Look::Distinct) };
    let one_sender = |job: &Job<'_, Key>| !job.opens() && core::ptr::eq(first.key, job.key);
    let by_key = || Some(if rise_by_key(jobs, number)? { Look::Distinct } else { Look::Unknown });
    if first.opens() {
        return by_key();
    }
    if first.key.allows_repeats() {
        return if others.iter().all(one_sender) { Some(Look::OneSender) } else { by_key() };
    }
    let (len, mut before) = number(&first.nonce)?;
    for job in others {
        if !one_sender(job) {
            return by_key();
        }
        let (n, this) = number(&job.nonce)?;
        if n != len || before >= this {
            return Some(Look::Unknown);
        }
        before = this;
    }
    Some(Look::OneSender)
}

/// Whether no nonce repeats since all rise, or since the keys' places in memory do and
/// the nonces of each key; `None` as [`look_by`].
#[inline(never)]
fn rise_by_key<N: Copy + PartialOrd>(
    jobs: &[Job<'_, Key>],
    number: impl Fn(&[u8]) -> Option<(usize, N)> + Copy,
) -> Option<bool> {
    let rises = |a: &Sealing<N>, b: &Sealing<N>| a.len == b.len && a.nonce < b.nonce;
    let by_key = |a: &Sealing<N>, b: &Sealing<N>| a.key < b.key || a.key == b.key && rises(a, b);
    Some(in_order(jobs, number, rises)? || in_order(jobs, number, by_key)?)
}

/// A job that seals under a key that no nonce may come under twice.
#[derive(Clone, Copy)]
struct Sealing<N> {
    /// The key's place in memory.
    key: usize,
    /// Bytes in the nonce.
    len: usize,
    nonce: N,
}

/// Whether each of those jobs follows the one before it; `None` as [`look_by`].
#[inline(always)]
fn in_order<N: Copy>(
    jobs: &[Job<'_, Key>],
    number: impl Fn(&[u8]) -> Option<(usize, N)>,
    follows: impl Fn(&Sealing<N>, &Sealing<N>) -> bool,
) -> Option<bool> {
    let mut before = None;
    for job in jobs.iter().filter(|job| !job.opens() && !job.key.allows_repeats()) {
        let (len, nonce) = number(&job.nonce)?;
        let this = Sealing { key: core::ptr::from_ref(job.key).addr(), len, nonce };
        if before.is_some_and(|before| !follows(&before, &this)) {
            return Some(false);
        }
        before = Some(this);
    }
    Some(true)
}

/// A number for a table of nonces. Both are the sender's own and public.
#[inline(always)]
fn hash(key: usize, nonce: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut h = key as u64;
    let mut word = |w: u64| h = (h ^ w).wrapping_mul(ODD).rotate_left(23);
    if let Some((_, number)) = number(nonce) {
        if nonce.len() > 16 {
            word((number.0 >> 64) as u64);
            word(number.0 as u64);
        }
        word((number.1 >> 64) as u64);
        word(number.1 as u64);
    } else {
        nonce.iter().for_each(|&b| word(b.into()));
    }
    (h ^ h >> 29).wrapping_mul(ODD)
}

/// A nonce of 8 to 16 bytes as its length and a number: its first eight bytes and its last eight. Different nonces
/// of a length have different numbers, in the nonces' order.
#[inline(always)]
fn short(nonce: &[u8]) -> Option<(usize, u128)> {
    let (Some(first), Some(last), ..=16) = (nonce.first_chunk(), nonce.last_chunk(), nonce.len()) else { return None };
    Some((nonce.len(), u128::from(u64::from_be_bytes(*first)) << 64 | u128::from(u64::from_be_bytes(*last))))
}

/// The same of a nonce of 8 to 32 bytes, as a number of two parts: longer ones have their first sixteen bytes and
/// their last sixteen.
#[inline(always)]
fn number(nonce: &[u8]) -> Option<(usize, Number)> {
    if let Some((len, number)) = short(nonce) {
        return Some((len, (0, number)));
    }
    let (Some(first), Some(last), ..=32) = (nonce.first_chunk(), nonce.last_chunk(), nonce.len()) else { return None };
    Some((nonce.len(), (u128::from_be_bytes(*first), u128::from_be_bytes(*last))))
}

/// What a nonce is compared by.
type Number = (u128, u128);
