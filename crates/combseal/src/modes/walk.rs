//! Serial modes on lanes: a register in flight holds the next block of each of
//! several messages, each under its own key (Bogdanov, Lauridsen and
//! Tischhauser 2014, Algorithm 1, lines 7 to 15).
//!
//! As in `chain`, a state waits with round key 0 and its block already in, and
//! the last round key of one block brings in the next, so that only the cipher's
//! own rounds are on a lane's way. `Walk` goes over whole blocks; `Pool` does one
//! call of the cipher for each of many blocks: first blocks, last blocks, pads.

use super::chain::{closing, rounds};
use crate::comb;
use crate::cpu::{Backend, Block, Dec, Enc, Kernel, Keys, Schedule};
use crate::lanes::{InOut, Lanes, MAX_LANES, Strand};
use crate::wipe::Wipe;
use core::marker::PhantomData;

/// A chain that is only taken in: CBC-MAC.
pub(crate) const MAC: u8 = 0;
/// CBC encryption.
pub(crate) const CBC: u8 = 1;
/// CFB-128 encryption.
pub(crate) const CFB: u8 = 2;
/// OFB.
pub(crate) const OFB: u8 = 3;

/// Round keys side by side, lane by lane: key `r` of all lanes is one row. Kept by
/// the comb, wiped with it.
#[repr(C, align(64))]
pub(crate) struct Ring([[Block; MAX_LANES]; 15]);

impl Default for Ring {
    fn default() -> Self {
        Self([[[0; 16]; MAX_LANES]; 15])
    }
}
impl Ring {
    /// Key by key, lane by lane; lanes beyond the last get its keys.
    #[inline(always)]
    fn fill<S: Schedule>(&mut self, strands: &[Strand<'_, S>], lanes: usize) {
        for i in 0..lanes.min(MAX_LANES) {
            let keys = strands[i.min(strands.len() - 1)].keys;
            for r in 0..=S::ROUNDS {
                self.0[r][i] = *keys.key(r);
            }
        }
    }
}
impl Drop for Ring {
    fn drop(&mut self) {
        self.0.as_flattened_mut().as_flattened_mut().wipe();
    }
}

/// The keys of a ring.
struct Own<'r, S>(&'r Ring, PhantomData<S>);
impl<B: Backend, S: Schedule> Keys<B> for Own<'_, S> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = false;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        b.load(&self.0.0[r].as_flattened()[j * B::BYTES..])
    }
}

/// Whether all strands have one key.
#[inline(always)]
fn one_key<S>(strands: &[Strand<'_, S>]) -> bool {
    strands.iter().all(|s| core::ptr::eq(s.keys, strands[0].keys))
}

/// Takes strands, the longest first, over all their blocks, window by window.
pub(crate) struct Walk<'g, 'a, S, const KIND: u8> {
    pub strands: &'g mut [Strand<'a, S>],
    /// Not needed for strands under one key.
    pub ring: Option<&'g mut Ring>,
}
impl<S: Schedule, const KIND: u8> Kernel for Walk<'_, '_, S, KIND> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let strands = self.strands;
        assert!((1..=MAX_LANES).contains(&strands.len()));
        match self.ring {
            Some(ring) if !one_key(strands) => {
                ring.fill(strands, strands.len().next_multiple_of(4).next_power_of_two());
                walk::<B, S, _, KIND>(b, &Own::<S>(ring, PhantomData), strands);
            }
            _ => {
                let keys = strands[0].keys;
                walk::<B, S, _, KIND>(b, &Enc(keys), strands);
            }
        }
    }
}

/// The windows, one after the other, in the narrowest of three widths.
#[inline(always)]
fn walk<B: Backend, S: Schedule, K: Keys<B>, const KIND: u8>(b: B, keys: &K, strands: &mut [Strand<'_, S>]) {
    let mut lengths = [0; MAX_LANES];
    for (n, s) in lengths.iter_mut().zip(&*strands) {
        *n = s.blocks.count();
    }
    let mut from = 0;
    for w in comb::windows(strands.len(), |i| lengths[i]) {
        let group = &mut strands[..w.width];
        match (B::BLOCKS, w.width) {
            (_, 1) => {
                let keys = Enc(group[0].keys);
                window::<B::One, S, _, 1, KIND>(b.one(), &keys, group, from, w.blocks);
            }
            (1, 0..=4) => window::<B, S, K, 4, KIND>(b, keys, group, from, w.blocks),
            (1, 5..=8) => window::<B, S, K, 8, KIND>(b, keys, group, from, w.blocks),
            (1, _) => window::<B, S, K, 16, KIND>(b, keys, group, from, w.blocks),
            (2, 0..=4) => window::<B, S, K, 2, KIND>(b, keys, group, from, w.blocks),
            (2, 5..=8) => window::<B, S, K, 4, KIND>(b, keys, group, from, w.blocks),
            (2, _) => window::<B, S, K, 8, KIND>(b, keys, group, from, w.blocks),
            (_, 0..=4) => window::<B, S, K, 1, KIND>(b, keys, group, from, w.blocks),
            (_, 5..=8) => window::<B, S, K, 2, KIND>(b, keys, group, from, w.blocks),
            _ => window::<B, S, K, 4, KIND>(b, keys, group, from, w.blocks),
        }
        from += w.blocks;
    }
}

/// `steps` blocks of each strand, from block `from` on.
#[inline(always)]
fn window<B: Backend, S, K: Keys<B>, const N: usize, const KIND: u8>(
    b: B,
    keys: &K,
    strands: &mut [Strand<'_, S>],
    from: usize,
    steps: usize,
) {
    let mut s = chaining::<B, S, N>(b, strands);
    // What is XORed into the state after the last window, to have the bare chaining value.
    let mut behind = [b.zero(); N];
    let mut lanes = Lanes::new(strands, from, steps);
    let chained = KIND == MAC || KIND == CBC;
    for j in 0..N {
        let mut first = keys.get(b, 0, j);
        if chained {
            first = b.xor(first, lanes.load(b, j, 0));
        }
        s[j] = b.xor(s[j], first);
    }
    for t in 0..steps {
        let mut last = [b.zero(); N];
        for j in 0..N {
            // Round key 0, and the block that goes in before it.
            behind[j] = keys.get(b, 0, j);
            if chained {
                // In the end there is none; any will do, as `behind` takes it out again.
                behind[j] = b.xor(behind[j], lanes.load(b, j, (t + 1).min(steps - 1)));
            }
            last[j] = b.xor(keys.get(b, K::ROUNDS, j), behind[j]);
            if KIND == CFB {
                last[j] = b.xor(last[j], lanes.load(b, j, t));
            }
        }
        s = rounds(b, keys, s, last);
        for j in 0..N {
            match KIND {
                CBC | CFB => lanes.store(b, j, t, b.xor(s[j], behind[j])),
                OFB => {
                    let p = lanes.load(b, j, t);
                    lanes.store(b, j, t, b.xor(b.xor(s[j], behind[j]), p));
                }
                _ => {}
            }
        }
    }
    for j in 0..N {
        s[j] = b.xor(s[j], behind[j]);
    }
    keep::<B, S, N, false>(b, strands, &s);
}

/// The strands' chaining values, in registers; lanes without one have the last's.
#[inline(always)]
fn chaining<B: Backend, S, const N: usize>(b: B, strands: &[Strand<'_, S>]) -> [B::V; N] {
    let (one, end) = (b.one(), strands.len() - 1);
    let mut s = [b.zero(); N];
    for j in 0..N {
        let mut lanes = [one.load(&strands[(j * B::BLOCKS).min(end)].x); 4];
        for i in 1..B::BLOCKS {
            lanes[i] = one.load(&strands[(j * B::BLOCKS + i).min(end)].x);
        }
        s[j] = b.join(lanes);
    }
    s
}

/// The inverse of `chaining`; `TAILS`: of those only that have a tail.
#[inline(always)]
fn keep<B: Backend, S, const N: usize, const TAILS: bool>(b: B, strands: &mut [Strand<'_, S>], s: &[B::V; N]) {
    for j in 0..N {
        let lanes = b.split(s[j]);
        for i in 0..B::BLOCKS {
            if let Some(strand) = strands.get_mut(j * B::BLOCKS + i)
                && (!TAILS || !strand.tail.is_empty())
            {
                b.one().store(&mut strand.x, lanes[i]);
            }
        }
    }
}

/// One call of the cipher for the chaining value of each of up to 16 strands.
/// `TAILS`: first each takes in its tail, padded with zeros or as CMAC closes;
/// those that have none stay as they are.
pub(crate) struct Pool<'g, 'a, S, const TAILS: bool> {
    pub strands: &'g mut [Strand<'a, S>],
}
impl<S: Schedule, const TAILS: bool> Kernel for Pool<'_, '_, S, TAILS> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        if self.strands.is_empty() {
            return;
        }
        if one_key(self.strands) {
            let keys = Enc(self.strands[0].keys);
            for group in self.strands.chunks_mut(N * B::BLOCKS) {
                pool::<B, S, _, N, TAILS>(b, &keys, group);
            }
        } else {
            // Keys that serve once are read where they are, a lane a register.
            for group in self.strands.chunks_mut(8) {
                let mut keys = [group[0].keys; 8];
                for (k, s) in keys.iter_mut().zip(&*group) {
                    *k = s.keys;
                }
                pool::<_, S, _, 8, TAILS>(b.one(), &Each(keys), group);
            }
        }
    }
}

#[inline(always)]
fn pool<B: Backend, S, K: Keys<B>, const N: usize, const TAILS: bool>(b: B, keys: &K, strands: &mut [Strand<'_, S>]) {
    if TAILS {
        let one = b.one();
        for s in strands.iter_mut().filter(|s| !s.tail.is_empty()) {
            let mut x = one.xor(one.load(&s.x), one.load_part(s.tail));
            if let Some(sub) = s.sub {
                x = one.xor(x, closing(one, sub, s.tail.len()));
            }
            one.store(&mut s.x, x);
        }
    }
    let mut s = chaining::<B, S, N>(b, strands);
    b.encrypt(keys, &mut s);
    keep::<B, S, N, TAILS>(b, strands, &s);
}

/// The strands' own keys, where they are.
struct Each<'a, S>([&'a S; 8]);
impl<B: Backend, S: Schedule> Keys<B> for Each<'_, S> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = false;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        b.splat(self.0[j].key(r))
    }
}

/// CBC (`DEC`) and CFB decryption: all blocks at once, the last first, since in place
/// a block must be read until the one behind it is done.
pub(crate) struct Backwards<'a, S, D, const DEC: bool> {
    pub enc: &'a S,
    pub dec: &'a D,
    pub iv: &'a Block,
    /// Whole blocks.
    pub io: InOut<'a>,
}
impl<S: Schedule, D: Schedule, const DEC: bool> Kernel for Backwards<'_, S, D, DEC> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { enc, dec, iv, mut io } = self;
        let mut end = io.len() & !15;
        // The first block has none before it in the message: it is left to the rest.
        while end > N * B::BYTES {
            end -= N * B::BYTES;
            let (mut c, mut before) = ([b.zero(); N], [b.zero(); N]);
            for j in 0..N {
                c[j] = io.load(b, end + j * B::BYTES);
                before[j] = io.load(b, end + j * B::BYTES - 16);
            }
            let p = plaintext::<_, _, _, N, DEC>(b, enc, dec, c, before);
            for j in 0..N {
                io.store(b, end + j * B::BYTES, p[j]);
            }
        }
        let b = b.one();
        while end > 0 {
            let n = (end / 16).min(8);
            end -= 16 * n;
            let (mut c, mut before) = ([b.zero(); 8], [b.zero(); 8]);
            for j in 0..8 {
                let at = end + 16 * j.min(n - 1);
                c[j] = io.load(b, at);
                before[j] = if at == 0 { b.splat(iv) } else { io.load(b, at - 16) };
            }
            let p = plaintext::<_, _, _, 8, DEC>(b, enc, dec, c, before);
            for j in 0..n {
                io.store(b, end + 16 * j, p[j]);
            }
        }
    }
}

#[inline(always)]
fn plaintext<B: Backend, S: Schedule, D: Schedule, const N: usize, const DEC: bool>(
    b: B,
    enc: &S,
    dec: &D,
    c: [B::V; N],
    before: [B::V; N],
) -> [B::V; N] {
    let (mut x, with) = if DEC { (c, before) } else { (before, c) };
    if DEC {
        b.decrypt(&Dec(enc, dec), &mut x);
    } else {
        b.encrypt(&Enc(enc), &mut x);
    }
    for j in 0..N {
        x[j] = b.xor(x[j], with[j]);
    }
    x
}
