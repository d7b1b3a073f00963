//! What offsets are made of: multiples of L = E(0) in GF(2^128) (RFC 7253, sect. 4.1; Krovetz
//! and Rogaway 2021, Fig. 1, lines 111 to 115).

use crate::cpu::{Backend, Block};
use crate::memory::blank::Blank;
use crate::memory::wipe::Wipe;

/// What a message's offsets are made of. First the offsets of blocks 0 to 16, counted
/// from an aligned place and apart from the offset there, so that a wide register loads
/// those of its blocks at once; then L*, L$ and L\[3\] to L\[7\]. Longer messages double
/// L\[7\] further.
pub struct Masks(pub(super) [Block; 24]);

/// How many blocks behind an aligned place [`Masks`] holds the offsets of.
pub const REACH: usize = 16;
/// Where L* is in [`Masks`].
const STAR: usize = 17;
/// Where L$ is in [`Masks`].
const DOLLAR: usize = 18;
/// Where L\[0\] would be in [`Masks`]: the first that a group asks for is L\[3\].
pub const L: usize = 16;
/// The highest `i` of the L\[i\] that [`Masks`] holds.
pub const LAST: u32 = 7;

// SAFETY: all bytes are a value of blocks.
#[allow(unsafe_code)]
unsafe impl Blank for Masks {}

impl Masks {
    /// How far the offset of block `i`, at most [`REACH`], is from that of an aligned
    /// place before block 1: the sum of all L\[ntz(k)\], k from 1 to `i`.
    #[inline(always)]
    pub fn offset(&self, i: usize) -> &Block {
        &self.0[i]
    }
    /// The same for the blocks of register `j`, counted from zero, as they stand in memory.
    #[inline(always)]
    pub fn offsets<B: Backend>(&self, b: B, j: usize) -> B::V {
        b.load(self.0[1 + j * B::BLOCKS..].as_flattened())
    }
    /// L*.
    #[inline(always)]
    pub fn star(&self) -> &Block {
        &self.0[STAR]
    }
    /// L$.
    #[inline(always)]
    pub fn dollar(&self) -> &Block {
        &self.0[DOLLAR]
    }
    /// L\[i\], for any i from 3 on.
    #[inline(always)]
    pub fn l<B: Backend>(&self, b: B, i: u32) -> B::V {
        if i > LAST {
            return b.load(&self.beyond(i));
        }
        b.load(&self.0[L + i as usize])
    }
    /// L\[i\] beyond the table, by doubling L\[7\]: needed once in 2^8 blocks.
    #[cold]
    #[inline(never)]
    fn beyond(&self, i: u32) -> Block {
        times_x(u128::from_be_bytes(self.0[L + LAST as usize]), i - LAST).to_be_bytes()
    }

    /// From L* = E(0).
    #[inline(always)]
    pub fn fill<B: Backend>(&mut self, b: B, star: &Block) {
        let l = u128::from_be_bytes(*star);
        let mut ls = [[0; 16]; LAST as usize + 1];
        for i in 0..6 {
            ls[i] = shifted(l, 2 + i as u32);
        }
        // Beyond seven bits the carry itself overflows: go on from L[5].
        let l5 = u128::from_be_bytes(ls[5]);
        (ls[6], ls[7]) = (shifted(l5, 1), shifted(l5, 2));
        let it = &mut self.0;
        (it[STAR], it[DOLLAR]) = (*star, shifted(l, 1));
        for i in 3..ls.len() {
            b.store(&mut it[L + i], b.load(&ls[i]));
        }
        // A Gray code: with every L, what came before is repeated backwards.
        let mut offsets = [b.zero(); REACH + 1];
        reflect::<B, 1>(b, &mut offsets, &ls[0]);
        reflect::<B, 2>(b, &mut offsets, &ls[1]);
        reflect::<B, 4>(b, &mut offsets, &ls[2]);
        reflect::<B, 8>(b, &mut offsets, &ls[3]);
        offsets[REACH] = b.xor(offsets[REACH - 1], b.load(&ls[4]));
        for i in 0..offsets.len() {
            b.store(&mut it[i], offsets[i]);
        }
        ls.wipe();
    }
}

/// The offsets of blocks `N` to `2 N - 1`: those of the `N` before, backwards, and `l`.
#[inline(always)]
fn reflect<B: Backend, const N: usize>(b: B, offsets: &mut [B::V; REACH + 1], l: &Block) {
    for i in 0..N {
        offsets[2 * N - 1 - i] = b.xor(offsets[i], b.load(l));
    }
}

/// `v * x^n` in GF(2^128) modulo x^128 + x^7 + x^2 + x + 1, for n of 1 to 7: at
/// once, since what is carried out, times the modulus, fits below x^14.
#[inline(always)]
fn shifted(v: u128, n: u32) -> Block {
    let out = (v >> 64) as u64 >> (64 - n);
    let back = out ^ out << 1 ^ out << 2 ^ out << 7;
    (v << n ^ back as u128).to_be_bytes()
}

/// `v * x^n` for any n.
pub fn times_x(mut v: u128, n: u32) -> u128 {
    for _ in 0..n {
        v = u128::from_be_bytes(shifted(v, 1));
    }
    v
}
