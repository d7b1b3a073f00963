//! Bit slices in a 64-bit word: four blocks, for every machine.
//!
//! A slice has a nibble for each byte of the block, row after row, so that
//! ROWS turn by a rotation of the word; bit `i` of a nibble is block `i`'s. A
//! compact block has its bytes' low nibbles in that order, then the high ones.

use super::clmul::clmul;
use super::halves::{Halves, halves};
use super::word::Word;

/// Exchanges the bits of `x` under `mask` with those `shift` above.
#[inline(always)]
fn swap_within(x: u64, shift: u32, mask: u64) -> u64 {
    let t = (x ^ x >> shift) & mask;
    x ^ t ^ t << shift
}

/// Exchanges the bits of `b` under `mask` with those of `a` `shift` above.
#[inline(always)]
fn swap_across(a: u64, b: u64, shift: u32, mask: u64) -> (u64, u64) {
    let t = (a >> shift ^ b) & mask;
    (a ^ t << shift, b ^ t)
}

const NIBBLES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
/// Every second nibble, byte and pair of bytes of those that change places.
const INNER: [(u32, u64); 3] = [(16, 0x0000_0000_ffff_0000), (8, 0x0000_ff00_0000_ff00), (4, 0x00f0_00f0_00f0_00f0)];

/// Four blocks' nibbles into four slices, and back.
#[inline(always)]
fn transpose(x: [u64; 4]) -> [u64; 4] {
    let (a, b) = swap_across(x[0], x[1], 1, 0x5555_5555_5555_5555);
    let (c, d) = swap_across(x[2], x[3], 1, 0x5555_5555_5555_5555);
    let (a, c) = swap_across(a, c, 2, 0x3333_3333_3333_3333);
    let (b, d) = swap_across(b, d, 2, 0x3333_3333_3333_3333);
    [a, b, c, d]
}

impl Word for u64 {
    type V = Halves;
    const BLOCKS: usize = 4;

    #[inline(always)]
    fn join(h: Halves) -> Halves {
        h
    }
    #[inline(always)]
    fn split(v: Halves) -> Halves {
        v
    }
    #[inline(always)]
    fn xor(a: Halves, b: Halves) -> Halves {
        [a[0] ^ b[0], a[1] ^ b[1]]
    }
    #[inline(always)]
    fn and(a: Halves, b: Halves) -> Halves {
        [a[0] & b[0], a[1] & b[1]]
    }

    #[inline(always)]
    fn clmul<const IMM: i32>(a: Halves, b: Halves) -> Halves {
        halves(clmul(a[(IMM & 1) as usize], b[(IMM >> 4 & 1) as usize]))
    }
    #[inline(always)]
    fn compact(v: Halves) -> Halves {
        // A nibble's number is c1 c0 r1 r0 h: column, row, half of the byte.
        // Exchange c1 and h across the halves, then move c0 below r1, r0, c1.
        let (low, high) = swap_across(v[0], v[1], 4, NIBBLES);
        let mut z = [low, high];
        for i in 0..2 {
            for (shift, mask) in INNER {
                z[i] = swap_within(z[i], shift, mask);
            }
        }
        z
    }
    #[inline(always)]
    fn restore(mut v: Halves) -> Halves {
        for i in 0..2 {
            for (shift, mask) in INNER.into_iter().rev() {
                v[i] = swap_within(v[i], shift, mask);
            }
        }
        let (low, high) = swap_across(v[0], v[1], 4, NIBBLES);
        [low, high]
    }
    #[inline(always)]
    fn pack(x: &[Halves]) -> [u64; 8] {
        let [a, b, c, d] = transpose([x[0][0], x[1][0], x[2][0], x[3][0]]);
        let [e, f, g, h] = transpose([x[0][1], x[1][1], x[2][1], x[3][1]]);
        [a, b, c, d, e, f, g, h]
    }
    #[inline(always)]
    fn unpack([a, b, c, d, e, f, g, h]: [u64; 8], x: &mut [Halves]) {
        let low = transpose([a, b, c, d]);
        let high = transpose([e, f, g, h]);
        for j in 0..4 {
            x[j] = [low[j], high[j]];
        }
    }
    #[inline(always)]
    fn spread(key: Halves, bit: usize) -> u64 {
        let m = key[bit / 4] >> (bit % 4) & 0x1111_1111_1111_1111;
        // Times 15: from a nibble's low bit to all four.
        (m << 4).wrapping_sub(m)
    }
    #[inline(always)]
    fn turn<const ROWS: usize, const COLS: usize>(self) -> u64 {
        let x = self.rotate_right(16 * ROWS as u32);
        if COLS == 0 {
            return x;
        }
        // Each row's columns turn within sixteen bits.
        let (down, up) = (4 * COLS as u32, 16 - 4 * COLS as u32);
        let stay = 0x0001_0001_0001_0001 * (0xffff >> down);
        (x >> down & stay) | (x << up & !stay)
    }
    #[inline(always)]
    fn merge<const ROWS: u8>(self, other: u64) -> u64 {
        let mut rows = 0;
        for i in 0..4 {
            if ROWS >> i & 1 == 1 {
                rows |= 0xffff << (16 * i);
            }
        }
        self ^ (self ^ other) & rows
    }
}
