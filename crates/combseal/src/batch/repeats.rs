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

/// Looks at each job once.
fn look(jobs: &[Job<'_, Key>]) -> Look {
    let Some(first) = jobs.first() else { return Look::Distinct };
    let mut before: Option<(usize, Number)> = None;
    let repeats = first.key.allows_repeats();
    for job in jobs {
        if job.opens() || !core::ptr::eq(first.key, job.key) {
            return if rise_by_key(jobs) { Look::Distinct } else { Look::Unknown };
        }
        if repeats {
            continue;
        }
        let Some((len, this)) = number(&job.nonce) else { return Look::Unknown };
        if before.is_some_and(|(n, nonce)| n != len || nonce >= this) {
            return Look::Unknown;
        }
        before = Some((len, this));
    }
    Look::OneSender
}

/// Whether no nonce repeats since all rise, or since the keys' places in memory do and
/// the nonces of each key.
#[inline(never)]
fn rise_by_key(jobs: &[Job<'_, Key>]) -> bool {
    let mut before: Option<(usize, usize, Number)> = None;
    let (mut all_rise, mut each_rise) = (true, true);
    for job in jobs.iter().filter(|j| !j.opens() && !j.key.allows_repeats()) {
        let Some((len, this)) = number(&job.nonce) else { return false };
        let key = core::ptr::from_ref(job.key).addr();
        if let Some((key_before, n, nonce)) = before {
            let rises = n == len && nonce < this;
            all_rise &= rises;
            each_rise &= key_before < key || key_before == key && rises;
            if !(all_rise || each_rise) {
                return false;
            }
        }
        before = Some((key, len, this));
    }
    true
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

/// A nonce of 8 to 32 bytes as its length and a number of two parts: its first eight bytes and
/// its last eight, or its first sixteen and its last sixteen. Different nonces of a length have
/// different numbers, in the nonces' order.
#[inline(always)]
fn number(nonce: &[u8]) -> Option<(usize, Number)> {
    if let (Some(first), Some(last), ..=16) = (nonce.first_chunk(), nonce.last_chunk(), nonce.len()) {
        let number = u128::from(u64::from_be_bytes(*first)) << 64 | u128::from(u64::from_be_bytes(*last));
        return Some((nonce.len(), (0, number)));
    }
    let (Some(first), Some(last), ..=32) = (nonce.first_chunk(), nonce.last_chunk(), nonce.len()) else { return None };
    Some((nonce.len(), (u128::from_be_bytes(*first), u128::from_be_bytes(*last))))
}

/// What a nonce is compared by.
type Number = (u128, u128);
