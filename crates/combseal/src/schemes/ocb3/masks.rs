//! What offsets are made of: multiples of L = E(0) in GF(2^128) (RFC 7253, sect. 4.1; Krovetz
//! and Rogaway 2021, Fig. 1, lines 111 to 115).

use crate::cpu::{Backend, Block};
use crate::memory::blank::Blank;

/// What a message's offsets are made of: the distances of blocks 1 to 4, which are L\[0\],
/// L\[0\] ^ L\[1\], L\[1\] and L\[1\] ^ L\[2\]; L*; L$; L\[3\] to L\[7\].
///
/// A block's *distance* is its offset XOR the offset before block 1. The four stand as a wide
/// register loads them, in one cache line if the key begins one. They are good behind every
/// multiple of eight blocks, and the first three of them behind every multiple of four.
/// Longer messages double L\[7\] further.
pub struct Masks([Block; 11]);

/// Where L* is in [`Masks`].
pub const STAR: usize = 4;
/// Where L$ is in [`Masks`].
pub const DOLLAR: usize = 5;
/// Where L\[0\] would be in [`Masks`], if it went before L\[3\].
const L: usize = 3;
/// Where L\[1\] ^ L\[2\] is in [`Masks`].
#[cfg(feature = "alloc")]
pub const SUM: usize = 3;
/// The highest `i` of the L\[i\] that [`Masks`] holds.
const LAST: u32 = 7;

// SAFETY: all bytes are a value of blocks.
#[allow(unsafe_code)]
unsafe impl Blank for Masks {}

/// Where L\[i\] is in [`Masks`], for an i that they hold; there is no L\[2\], but
/// L\[1\] and [`SUM`].
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn place(i: usize) -> usize {
    match i {
        0 => 0,
        1 => 2,
        _ => L + i,
    }
}

impl Masks {
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
    /// L\[i\], for any i from 3 on, in every lane.
    #[inline(always)]
    pub fn l<B: Backend>(&self, b: B, i: u32) -> B::V {
        if i > LAST {
            let l = if i <= LAST + MOST { shifted(self.last(), i - LAST) } else { self.beyond(i) };
            // By a register: in memory its halves would have to reach the cache before it is read.
            return b.widen(b.one().load(&l.to_be_bytes()));
        }
        b.at_once(b.splat(&self.0[L + i as usize]))
    }
    /// L\[i\], for any i.
    #[inline(always)]
    pub fn any<B: Backend>(&self, b: B, i: u32) -> B::V {
        match i {
            0 => self.near(b, 1),
            1 => self.near(b, 3),
            2 => b.xor(self.near(b, 3), self.near(b, 4)),
            _ => self.l(b, i),
        }
    }
    /// What is held in a place: [`STAR`], [`DOLLAR`], [`SUM`], or [`place`]'s.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn held(&self, place: usize) -> &Block {
        &self.0[place]
    }
    /// The last held, as a number.
    #[inline(always)]
    fn last(&self) -> u128 {
        u128::from_be_bytes(self.0[L + LAST as usize])
    }
    /// L\[i\] beyond the last held, by doubling that: needed once in 2^15 blocks, for [`l`](Self::l) itself
    /// makes the first seven, which are needed once in 2^8.
    ///
    /// A number, which is returned in registers: a block would be read in memory before both of its
    /// halves have reached the cache, behind all blocks that are under way.
    #[cold]
    #[inline(never)]
    fn beyond(&self, i: u32) -> u128 {
        let (mut v, mut n) = (self.last(), i - LAST);
        while n > MOST {
            (v, n) = (shifted(v, MOST), n - MOST);
        }
        shifted(v, n)
    }

    /// The distance of block `i`, 1 to 4, in every lane.
    #[inline(always)]
    pub fn near<B: Backend>(&self, b: B, i: usize) -> B::V {
        b.splat(&self.0[i - 1])
    }

    /// The distance of block `i`, up to 63, in every lane: the sum of L\[k\] for each bit k of
    /// the Gray code of `i`, `i ^ i / 2`.
    #[inline(always)]
    pub fn distance<B: Backend>(&self, b: B, i: usize) -> B::V {
        let mut sum = b.zero();
        // Every other eight goes through the last three digits of the code backwards.
        let digits = if i & 8 == 0 { i % 8 } else { 7 - i % 8 };
        if digits / 4 == 1 {
            sum = b.xor(sum, self.near(b, 4));
        }
        if digits % 4 != 0 {
            sum = b.xor(sum, self.near(b, digits % 4));
        }
        for k in 3..6 {
            if (i ^ i >> 1) >> k & 1 == 1 {
                sum = b.xor(sum, b.splat(&self.0[L + k]));
            }
        }
        sum
    }

    /// The distances of the blocks of the first `N` registers, a lane each.
    #[inline(always)]
    pub fn distances<B: Backend, const N: usize>(&self, b: B) -> [B::V; N] {
        let mut distances = [b.zero(); N];
        // Between multiples of eight lie L[2], which is the sum of the third and the fourth
        // distance, and another L.
        let (four, eight) = (self.near(b, 4), b.xor(self.near(b, 3), self.near(b, 4)));
        let mut place = b.zero();
        for j in 0..N {
            let (before, last) = (j * B::BLOCKS, (j + 1) * B::BLOCKS);
            let near = b.load(self.0[before % 4..].as_flattened());
            distances[j] = b.xor(place, if before % 8 < 4 { near } else { b.xor(near, four) });
            if last.is_multiple_of(8) {
                place = b.xor(place, b.xor(eight, b.splat(&self.0[L + last.trailing_zeros() as usize])));
                distances[j] = b.with_top(distances[j], b.split(place)[0]);
            }
        }
        distances
    }

    /// L\[i\], for any i: slow.
    #[cfg(any(feature = "rayon", test))]
    pub fn number(&self, i: u32) -> Block {
        if i > LAST {
            return self.beyond(i).to_be_bytes();
        }
        times_x(u128::from_be_bytes(*self.star()), i + 2).to_be_bytes()
    }

    /// From L* = E(0).
    #[inline(always)]
    pub fn fill(&mut self, star: &Block) {
        let l = |n| shifted(u128::from_be_bytes(*star), n);
        let (l0, l1, l2, l5) = (l(2), l(3), l(4), l(7));
        let it = &mut self.0;
        (it[STAR], it[DOLLAR]) = (*star, l(1).to_be_bytes());
        (it[0], it[1]) = (l0.to_be_bytes(), (l0 ^ l1).to_be_bytes());
        (it[2], it[3]) = (l1.to_be_bytes(), (l1 ^ l2).to_be_bytes());
        (it[L + 3], it[L + 4], it[L + 5]) = (l(5).to_be_bytes(), l(6).to_be_bytes(), l5.to_be_bytes());
        // Beyond seven bits the carry itself overflows: go on from L[5].
        (it[L + 6], it[L + 7]) = (shifted(l5, 1).to_be_bytes(), shifted(l5, 2).to_be_bytes());
    }
}

/// The most that [`shifted`] does at once.
const MOST: u32 = 7;

/// `v * x^n` in GF(2^128) modulo x^128 + x^7 + x^2 + x + 1, for n of 1 to [`MOST`]: at
/// once, since what is carried out, times the modulus, fits below x^14.
#[inline(always)]
fn shifted(v: u128, n: u32) -> u128 {
    let out = (v >> 64) as u64 >> (64 - n);
    let back = out ^ out << 1 ^ out << 2 ^ out << 7;
    v << n ^ back as u128
}

/// `v * x^n` for any n, one by one.
#[cfg(any(feature = "rayon", test))]
pub fn times_x(mut v: u128, n: u32) -> u128 {
    for _ in 0..n {
        v = shifted(v, 1);
    }
    v
}
