//! A nonce must not be used twice under one key: the second message of a batch that would be sealed
//! with it is refused. (Not with SIV and GCM-SIV, which survive it.)
//!
//! Nonces that rise cannot repeat, and senders count, so that as a rule a comparison with the message
//! before tells; else a hash table of all messages does. Both decide by key and nonce, which are the sender's
//! own and public, never by a message.

use crate::cpu::narrow_load;
use alloc::vec::Vec;

/// Under which keys and nonces messages of a batch are sealed.
pub(super) struct Used {
    /// The last nonce, as long as nonces [rise](Order::Nonces).
    last: Short,
    all: Vec<Use>,
    order: Order,
    /// The bytes of nonces that are longer than a [`Use`] holds, one after the other.
    long: Vec<u8>,
    /// The number in `all` of what stands at each place, from 1 on; 0 for nothing. Empty as long as the order tells.
    table: Vec<u32>,
}

/// Why no nonce has come twice under a key.
// As wide as a number, as all that a batch's memory has: padding would be whatever the stack held where the memory was
// made, a key's bytes perhaps.
#[derive(Clone, Copy, PartialEq)]
#[repr(usize)]
enum Order {
    /// Each nonce is greater than the one before, or it is the same and its key's place in memory is.
    Nonces,
    /// Each key's place is greater than the one before, or it is the same and the nonce is greater.
    Keys,
    /// It is not in the table.
    None,
}

/// A key and a nonce.
#[derive(Clone, Copy)]
struct Use {
    /// The key's place in memory.
    key: usize,
    /// Bytes in the nonce.
    len: usize,
    nonce: Number,
}

/// A nonce of at most 32 bytes: different ones of a length have different numbers, in the nonces' order. Of a longer
/// one, where its bytes are.
type Number = [u64; 4];

/// A nonce of 8 to 16 bytes in the same way.
#[derive(Clone, Copy)]
struct Short {
    len: usize,
    number: [u64; 2],
}

impl Short {
    /// Whether it is the greater of two of one length.
    #[inline(always)]
    fn follows(self, other: Self) -> bool {
        let wide = |[a, b]: [u64; 2]| u128::from(a) << 64 | u128::from(b);
        wide(self.number) > wide(other.number)
    }
}

/// Of no nonce's length.
const NOTHING: Short = Short { len: usize::MAX, number: [0; 2] };

impl Default for Used {
    fn default() -> Self {
        Self { last: NOTHING, all: Vec::new(), order: Order::Nonces, long: Vec::new(), table: Vec::new() }
    }
}

impl Used {
    /// Forgets all, and keeps the memory.
    pub fn clear(&mut self) {
        self.all.clear();
        self.long.clear();
        self.table.clear();
        (self.last, self.order) = (NOTHING, Order::Nonces);
    }

    /// Notes that a message is sealed under the key at this place with this nonce. Says whether it is the first.
    #[inline(always)]
    pub fn is_new(&mut self, key: usize, nonce: &[u8]) -> bool {
        let last = self.last;
        match short(nonce) {
            Some(it) if it.len == last.len && it.follows(last) && self.all.len() < self.all.capacity() => {
                self.last = it;
                let [a, b] = it.number;
                self.all.push(Use { key, len: it.len, nonce: [0, 0, a, b] });
                true
            }
            _ => self.is_new_by_all(key, nonce),
        }
    }

    /// The same where a comparison with the last nonce does not tell.
    #[inline(never)]
    fn is_new_by_all(&mut self, key: usize, nonce: &[u8]) -> bool {
        let this = Use { key, len: nonce.len(), nonce: self.number(nonce) };
        self.all.push(this);
        if self.order == Order::Nonces && !self.rises(by_nonce) {
            self.order = Order::Keys;
            // Those before it too, of which only the nonces have been compared.
            if !self.all.is_sorted_by(by_key) {
                self.order = Order::None;
            }
        } else if self.order == Order::Keys && !self.rises(by_key) {
            self.order = Order::None;
        }
        let by_nonces = self.order == Order::Nonces;
        self.last = if by_nonces { short(nonce).unwrap_or(NOTHING) } else { NOTHING };
        self.order != Order::None || self.is_new_by_table()
    }

    /// Whether the last one follows the one before it.
    fn rises(&self, follows: fn(&Use, &Use) -> bool) -> bool {
        let [.., before, last] = &self.all[..] else { return true };
        follows(before, last)
    }

    /// Whether the table has nothing like the last one, which is entered; it has all others.
    fn is_new_by_table(&mut self) -> bool {
        let last = self.all.len() - 1;
        // At most half full.
        if self.table.len() < 2 * self.all.len() {
            self.table.clear();
            self.table.resize((4 * self.all.len()).next_power_of_two(), 0);
            for i in 0..last {
                self.enter(i);
            }
        }
        self.enter(last)
    }

    /// Enters number `i` of all in the table. Says whether nothing like it was there.
    fn enter(&mut self, i: usize) -> bool {
        let (this, mask) = (self.all[i], self.table.len() - 1);
        let mut at = self.hash(&this);
        loop {
            let place = self.table[at & mask] as usize;
            if place == 0 {
                self.table[at & mask] = i as u32 + 1;
                return true;
            }
            if self.same(&self.all[place - 1], &this) {
                return false;
            }
            at += 1;
        }
    }

    fn same(&self, a: &Use, b: &Use) -> bool {
        let same_bytes = || if a.len <= 32 { a.nonce == b.nonce } else { self.long(a) == self.long(b) };
        a.key == b.key && a.len == b.len && same_bytes()
    }

    /// A number for the table: its last bits.
    fn hash(&self, it: &Use) -> usize {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut h = it.key as u64;
        let mut word = |w: u64| h = (h ^ w).wrapping_mul(ODD).rotate_left(23);
        if it.len <= 32 {
            it.nonce.iter().for_each(|&w| word(w));
        } else {
            self.long(it).iter().for_each(|&b| word(b.into()));
        }
        (h ^ h >> 29).wrapping_mul(ODD) as usize >> 16
    }

    /// A nonce's number; the bytes of a long one are kept.
    fn number(&mut self, nonce: &[u8]) -> Number {
        if let Some(Short { number: [a, b], .. }) = short(nonce) {
            return [0, 0, a, b];
        }
        let mut bytes = [0; 32];
        match bytes.len().checked_sub(nonce.len()) {
            Some(zeros) => {
                bytes[zeros..].copy_from_slice(nonce);
                let (words, _) = bytes.as_chunks();
                core::array::from_fn(|i| u64::from_be_bytes(words[i]))
            }
            None => {
                let at = self.long.len() as u64;
                self.long.extend_from_slice(nonce);
                [0, 0, 0, at]
            }
        }
    }

    /// The bytes of a long nonce.
    fn long(&self, it: &Use) -> &[u8] {
        let at = it.nonce[3] as usize;
        &self.long[at..at + it.len]
    }
}

fn by_nonce(a: &Use, b: &Use) -> bool {
    b.len <= 32 && a.len == b.len && (a.nonce, a.key) < (b.nonce, b.key)
}

fn by_key(a: &Use, b: &Use) -> bool {
    b.len <= 32 && a.len == b.len && (a.key, a.nonce) < (b.key, b.nonce)
}

/// A nonce of 8 to 16 bytes as a number; `None` of all others.
#[inline(always)]
fn short(nonce: &[u8]) -> Option<Short> {
    let len = nonce.len();
    // The usual length by words of four bytes, since callers count in the last four or eight: a wider load than the
    // store before it would wait until that has reached the cache.
    if let ([a, b, c], []) = nonce.as_chunks::<4>() {
        let [a, b, c] =
            [narrow_load(a), narrow_load(b), narrow_load(c)].map(|word| u64::from(u32::from_be_bytes(word)));
        return Some(Short { len, number: [a, b << 32 | c] });
    }
    match (nonce.first_chunk(), nonce.last_chunk()) {
        (Some(first), Some(last)) if len <= 16 => {
            Some(Short { len, number: [u64::from_be_bytes(*first), u64::from_be_bytes(*last)] })
        }
        _ => None,
    }
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
                let key = 0x1000 * random(1 + of / 10) as usize;
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
        assert!(seen.iter().all(|&n| n > 300), "{seen:?}");
    }
}
