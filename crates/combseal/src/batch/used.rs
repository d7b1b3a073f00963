//! A nonce must not be used twice under one key: the second message of a batch that would be sealed
//! with it is refused. (Not with SIV and GCM-SIV, which survive it.)
//!
//! Nonces that rise cannot repeat, and senders count, so that as a rule a comparison with the message
//! before tells; else a hash table of all messages does. Both decide by key and nonce, which are the sender's
//! own and public, never by a message.

use crate::cpu::narrow_load;
use alloc::vec::Vec;

/// Under which keys and nonces messages of a batch are sealed.
// Nothing here has padding: that would be whatever the stack held where a batch's memory was made, a key's bytes perhaps.
pub(super) struct Used {
    /// What was used last; not in `all`.
    last: Use,
    /// What was used before that.
    all: Vec<Use>,
    /// Room for as many that are apart.
    apart: Vec<Use>,
    order: Order,
    /// The bytes of nonces that have no number, one after the other.
    bytes: Vec<u8>,
    /// The number in `all` of what stands at each place, from 1 on; 0 for nothing. Empty as long as the order tells.
    table: Vec<u32>,
}

/// A key with a nonce, or with several in a row.
#[derive(Clone, Copy)]
struct Use {
    /// The key's place in memory; 0 for no key.
    key: usize,
    /// Bytes in each nonce.
    len: usize,
    /// The first 16 bytes of nonces that have more than 16; else zero.
    head: [u64; 2],
    /// The first nonce's number, or where its bytes are if it has none.
    first: [u64; 2],
    /// The last nonce's, which is so much greater as there are nonces besides the first.
    last: [u64; 2],
}

/// Why no nonce has come twice under a key.
#[derive(Clone, Copy, PartialEq)]
#[repr(u64)]
enum Order {
    /// Each nonce is greater than the one before, or it is the same and its key's place in memory is.
    Nonces,
    /// Each key's place is greater than the one before, or it is the same and the nonce is greater.
    Keys,
    /// It is not in the table.
    None,
}

const NOTHING: Use = Use { key: 0, len: 0, head: [0; 2], first: [0; 2], last: [0; 2] };

impl Default for Used {
    fn default() -> Self {
        Self {
            last: NOTHING,
            all: Vec::new(),
            apart: Vec::new(),
            order: Order::Nonces,
            bytes: Vec::new(),
            table: Vec::new(),
        }
    }
}

impl Used {
    /// Forgets all, and keeps the memory.
    pub fn clear(&mut self) {
        self.all.clear();
        self.bytes.clear();
        self.table.clear();
        (self.last, self.order) = (NOTHING, Order::Nonces);
    }

    /// Notes that a message is sealed under the key at this place with this nonce. Says whether it is the first.
    #[inline(always)]
    pub fn is_new(&mut self, key: usize, nonce: &[u8]) -> bool {
        let Some(n) = number(nonce) else { return self.is_new_by_all(key, nonce) };
        // What a key's counter makes is one number after the other; with several keys in turns they rise.
        let before = wide(self.last.last);
        let (same_len, rises) = (self.last.len == nonce.len(), n > before && self.order == Order::Nonces);
        if same_len && rises && self.last.key == key && n - before == 1 {
            self.last.last = narrow(n);
            return true;
        }
        if same_len && rises && self.all.len() < self.all.capacity() {
            self.all.push(self.last);
            self.last = Use { key, len: nonce.len(), head: [0; 2], first: narrow(n), last: narrow(n) };
            return true;
        }
        self.is_new_by_all(key, nonce)
    }

    /// The same where a comparison with the last nonce does not tell, or the nonce is longer.
    #[inline(never)]
    fn is_new_by_all(&mut self, key: usize, nonce: &[u8]) -> bool {
        let (head, first) = match (number(nonce), long(nonce)) {
            (Some(n), _) => (0, n),
            (None, Some(parts)) => parts,
            (None, None) => {
                let at = self.bytes.len();
                self.bytes.extend_from_slice(nonce);
                (0, at as u128)
            }
        };
        let first = narrow(first);
        let this = Use { key, len: nonce.len(), head: narrow(head), first, last: first };
        if self.order == Order::None {
            return self.is_new_by_table(this);
        }
        let before = core::mem::replace(&mut self.last, this);
        if before.key == 0 {
            return true;
        }
        self.all.push(before);
        if self.order == Order::Nonces && !by_nonce(&before, &this) {
            // Those before it too, of which only the nonces have been compared.
            self.order = if self.all.is_sorted_by(by_key) { Order::Keys } else { Order::None };
        }
        if self.order == Order::Keys && !by_key(&before, &this) {
            self.order = Order::None;
        }
        if self.order != Order::None {
            return true;
        }
        // From here on each nonce by itself.
        self.apart.clear();
        for &run in &self.all {
            let (mut n, last) = (wide(run.first), wide(run.last));
            self.apart.push(Use { last: run.first, ..run });
            while n < last {
                n += 1;
                self.apart.push(Use { first: narrow(n), last: narrow(n), ..run });
            }
        }
        core::mem::swap(&mut self.all, &mut self.apart);
        self.is_new_by_table(this)
    }

    /// Whether the table has nothing like this, which is entered.
    fn is_new_by_table(&mut self, this: Use) -> bool {
        let place = self.all.len();
        self.all.push(this);
        // At most half full.
        if self.table.len() < 2 * self.all.len() {
            self.table.clear();
            self.table.resize((4 * self.all.len()).next_power_of_two(), 0);
            for i in 0..place {
                self.enter(i);
            }
        }
        self.enter(place)
    }

    /// Enters number `i` of all in the table. Says whether nothing like it was there.
    fn enter(&mut self, i: usize) -> bool {
        let (this, mask) = (self.all[i], self.table.len() - 1);
        let mut at = self.hash(&this) & mask;
        loop {
            let place = self.table[at] as usize;
            if place == 0 {
                self.table[at] = i as u32 + 1;
                return true;
            }
            if self.same(&self.all[place - 1], &this) {
                return false;
            }
            at = (at + 1) & mask;
        }
    }

    fn same(&self, a: &Use, b: &Use) -> bool {
        let same_nonce =
            || if has_number(a.len) { (a.head, a.first) == (b.head, b.first) } else { self.bytes(a) == self.bytes(b) };
        a.key == b.key && a.len == b.len && same_nonce()
    }

    /// A number for the table: its last bits.
    fn hash(&self, it: &Use) -> usize {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut h = it.key as u64;
        let mut word = |w: u64| h = (h ^ w).wrapping_mul(ODD).rotate_left(23);
        if !has_number(it.len) {
            self.bytes(it).iter().for_each(|&b| word(b.into()));
        } else {
            it.first.iter().for_each(|&w| word(w));
            if it.len > 16 {
                it.head.iter().for_each(|&w| word(w));
            }
        }
        ((h ^ h >> 29).wrapping_mul(ODD) >> 32) as usize
    }

    /// The bytes of a nonce that has no number.
    fn bytes(&self, it: &Use) -> &[u8] {
        let at = it.first[1] as usize;
        &self.bytes[at..at + it.len]
    }
}

fn by_nonce(a: &Use, b: &Use) -> bool {
    let (first, second) = ((a.head, a.last, a.key), (b.head, b.first, b.key));
    has_number(b.len) && a.len == b.len && first < second
}

fn by_key(a: &Use, b: &Use) -> bool {
    let (first, second) = ((a.key, a.head, a.last), (b.key, b.head, b.first));
    has_number(b.len) && a.len == b.len && first < second
}

#[inline(always)]
fn wide([a, b]: [u64; 2]) -> u128 {
    u128::from(a) << 64 | u128::from(b)
}

#[inline(always)]
fn narrow(n: u128) -> [u64; 2] {
    [(n >> 64) as u64, n as u64]
}

/// Whether a nonce of this length has a number, of 16 bytes or, behind a head, of two parts.
#[inline(always)]
fn has_number(len: usize) -> bool {
    (8..=32).contains(&len)
}

/// Whether these are all nonces, have one length and rise, so that none is there twice.
#[inline(always)]
pub(super) fn rise<'a>(nonces: impl Iterator<Item = Option<&'a [u8]>> + Clone) -> bool {
    rise_by(nonces.clone(), |nonce| Some((nonce.len(), number(nonce)?)))
        .or_else(|| rise_by(nonces, |nonce| Some((nonce.len(), long(nonce)?))))
        .unwrap_or(false)
}

/// The same by nonces' lengths and numbers; `None` if a nonce has no number.
#[inline(always)]
fn rise_by<'a, N: PartialOrd>(
    nonces: impl Iterator<Item = Option<&'a [u8]>>,
    number: impl Fn(&[u8]) -> Option<(usize, N)>,
) -> Option<bool> {
    let mut before = None;
    for nonce in nonces {
        let Some(nonce) = nonce else { return Some(false) };
        let (len, this) = number(nonce)?;
        if before.is_some_and(|(n, before)| n != len || before >= this) {
            return Some(false);
        }
        before = Some((len, this));
    }
    Some(true)
}

/// A nonce of 8 to 16 bytes as a number: different ones of a length have different numbers, in the nonces' order.
#[inline(always)]
fn number(nonce: &[u8]) -> Option<u128> {
    // The usual length by words of four bytes, since callers count in the last four or eight: a wider load than the
    // store before it would wait until that has reached the cache.
    if let ([a, b, c], []) = nonce.as_chunks::<4>() {
        let [a, b, c] =
            [narrow_load(a), narrow_load(b), narrow_load(c)].map(|word| u64::from(u32::from_be_bytes(word)));
        return Some(wide([a, b << 32 | c]));
    }
    match (nonce.first_chunk(), nonce.last_chunk()) {
        (Some(first), Some(last)) if nonce.len() <= 16 => {
            Some(wide([u64::from_be_bytes(*first), u64::from_be_bytes(*last)]))
        }
        _ => None,
    }
}

/// A nonce of 16 to 32 bytes as a number of two parts, which may overlap.
fn long(nonce: &[u8]) -> Option<(u128, u128)> {
    let (Some(first), Some(last), ..=32) = (nonce.first_chunk(), nonce.last_chunk(), nonce.len()) else { return None };
    Some((u128::from_be_bytes(*first), u128::from_be_bytes(*last)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Nonces of all lengths, few of each so that they repeat, in the orders that tell and in none, beside a set.
    #[test]
    fn as_a_set() {
        let (mut used, mut x) = (Used::default(), 1u64);
        let mut random = |n: u64| {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (x >> 33) % n
        };
        let mut seen = [0; 3];
        for round in 0..3000 {
            let (count, of, usual) =
                (random(80), 1 + random(200), [12, 12, 12, 16, 8, 13, 24, 32, 33, 5][random(10) as usize]);
            let mut all: Vec<(usize, Vec<u8>)> = Vec::new();
            for _ in 0..count {
                let key = 0x1000 * (1 + random(1 + of / 10)) as usize;
                let mut nonce = vec![0; if round % 3 == 0 { random(41) as usize } else { usual }];
                let n = random(of) as u8;
                // Where the nonces differ: in the last byte as counters do, in the first, or in all.
                match random(4) {
                    0 if round % 2 == 0 => nonce.iter_mut().for_each(|byte| *byte = n),
                    1 if round % 2 == 0 => nonce.iter_mut().take(1).for_each(|byte| *byte = n),
                    _ => nonce.iter_mut().rev().take(1).for_each(|byte| *byte = n),
                }
                all.push((key, nonce));
            }
            match round % 7 {
                0..=2 => all.sort(),
                3..=5 => all.sort_by(|a, b| (&a.1, a.0).cmp(&(&b.1, b.0))),
                _ => {}
            }
            if random(3) > 0 {
                all.dedup();
            }
            if random(3) == 0 {
                // One that has been there, behind all others.
                all.extend(all.first().cloned());
            }
            let mut set = HashSet::new();
            for (key, nonce) in &all {
                assert_eq!(used.is_new(*key, nonce), set.insert((*key, nonce)), "{nonce:?} under {key}, of {all:?}");
            }
            seen[used.order as usize] += 1;
            used.clear();
        }
        assert!(seen.iter().all(|&n| n > 200), "{seen:?}");
    }
}
