//! Bit slices in WebAssembly's 128-bit vectors: eight blocks, laid out as in `sse2.rs`; and
//! ChaCha20's words in the same vectors. A module that has them is refused whole by an engine that
//! has not, so there is nothing to detect, and every instruction is safe to call.

use super::halves::Halves;
use super::word::Word;
use core::arch::wasm32::*;
use core::ops::{BitAnd, BitXor, Not};

/// A slice of eight blocks.
#[derive(Clone, Copy)]
pub struct Simd128(v128);

impl BitXor for Simd128 {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }
}
impl BitAnd for Simd128 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }
}
impl Not for Simd128 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(v128_not(self.0))
    }
}

/// Exchanges the bits of `x[j]` under `mask` with those of `x[i]` `shift` above.
#[inline(always)]
fn swap(x: &mut [Simd128; 8], i: usize, j: usize, shift: u32, mask: u8) {
    let t = v128_and(v128_xor(u64x2_shr(x[i].0, shift), x[j].0), u8x16_splat(mask));
    x[j].0 = v128_xor(x[j].0, t);
    x[i].0 = v128_xor(x[i].0, i64x2_shl(t, shift));
}

/// Eight blocks into eight slices, and back.
#[inline(always)]
fn transpose(x: &mut [Simd128; 8]) {
    for i in [0, 2, 4, 6] {
        swap(x, i, i + 1, 1, 0x55);
    }
    for i in [0, 1, 4, 5] {
        swap(x, i, i + 2, 2, 0x33);
    }
    for i in [0, 1, 2, 3] {
        swap(x, i, i + 4, 4, 0x0f);
    }
}

/// The carry-less product of the low halves, as in `sse2.rs`: of 32-bit quarters, two at a time. A
/// call, since it is long and kernels take many.
#[inline(never)]
fn clmul(a: v128, b: v128) -> v128 {
    let straight = quarters(a, b);
    let crossed = quarters(a, i32x4_shuffle::<1, 0, 1, 0>(b, b));
    let middle = v128_xor(crossed, i64x2_shuffle::<1, 0>(crossed, crossed));
    v128_xor(straight, i64x2_shuffle::<0, 2>(i64x2_shl(middle, 32), u64x2_shr(middle, 32)))
}

/// The carry-less products of the first words and of the second ones: eight bits to a class, so all
/// counts fit (`clmul.rs`).
#[inline(always)]
fn quarters(a: v128, b: v128) -> v128 {
    let masks = [u8x16_splat(0x11), u8x16_splat(0x22), u8x16_splat(0x44), u8x16_splat(0x88)];
    let (x, y) = (masks.map(|m| v128_and(a, m)), masks.map(|m| v128_and(b, m)));
    let mut sum = u64x2_splat(0);
    for i in 0..4 {
        let mut class = u64x2_splat(0);
        for j in 0..4 {
            class = v128_xor(class, u64x2_extmul_low_u32x4(x[j], y[(4 + i - j) % 4]));
        }
        sum = v128_or(sum, v128_and(class, masks[i]));
    }
    sum
}

/// In each block, word `(i + by) % 4` at place `i`.
#[inline(always)]
fn turn(v: v128, by: usize) -> v128 {
    match by % 4 {
        0 => v,
        1 => i32x4_shuffle::<1, 2, 3, 0>(v, v),
        2 => i32x4_shuffle::<2, 3, 0, 1>(v, v),
        _ => i32x4_shuffle::<3, 0, 1, 2>(v, v),
    }
}

impl Word for Simd128 {
    type V = v128;
    const BLOCKS: usize = 8;
    const WORDS: bool = true;

    #[inline(always)]
    fn join(h: Halves) -> v128 {
        u64x2(h[0], h[1])
    }
    #[inline(always)]
    fn split(v: v128) -> Halves {
        [u64x2_extract_lane::<0>(v), u64x2_extract_lane::<1>(v)]
    }
    #[inline(always)]
    fn xor(a: v128, b: v128) -> v128 {
        v128_xor(a, b)
    }
    #[inline(always)]
    fn and(a: v128, b: v128) -> v128 {
        v128_and(a, b)
    }
    #[inline(always)]
    fn swap(v: v128) -> v128 {
        i64x2_shuffle::<1, 0>(v, v)
    }
    // The instructions take their numbers modulo 64.
    #[inline(always)]
    fn shl64(v: v128, n: u32) -> v128 {
        if n < 64 { i64x2_shl(v, n) } else { u64x2_splat(0) }
    }
    #[inline(always)]
    fn shr64(v: v128, n: u32) -> v128 {
        if n < 64 { u64x2_shr(v, n) } else { u64x2_splat(0) }
    }
    #[inline(always)]
    fn add32(a: v128, b: v128) -> v128 {
        i32x4_add(a, b)
    }
    #[inline(always)]
    fn add64(a: v128, b: v128) -> v128 {
        i64x2_add(a, b)
    }
    #[inline(always)]
    fn rev(v: v128) -> v128 {
        i8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(v, v)
    }
    #[inline(always)]
    fn clmul<const IMM: i32>(a: v128, b: v128) -> v128 {
        clmul(if IMM & 0x01 == 0 { a } else { turn(a, 2) }, if IMM & 0x10 == 0 { b } else { turn(b, 2) })
    }

    #[inline(always)]
    fn rol32<const N: i32>(v: v128) -> v128 {
        match N {
            8 => i8x16_shuffle::<3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14>(v, v),
            16 => i16x8_shuffle::<1, 0, 3, 2, 5, 4, 7, 6>(v, v),
            _ => v128_or(i32x4_shl(v, N as u32), u32x4_shr(v, 32 - N as u32)),
        }
    }
    #[inline(always)]
    fn turn32<const N: usize>(v: v128) -> v128 {
        turn(v, N)
    }
    #[inline(always)]
    fn transpose32(v: [v128; 4]) -> [v128; 4] {
        // Words 0 and 1 of two blocks side by side, then 2 and 3.
        let a = i32x4_shuffle::<0, 4, 1, 5>(v[0], v[1]);
        let b = i32x4_shuffle::<0, 4, 1, 5>(v[2], v[3]);
        let c = i32x4_shuffle::<2, 6, 3, 7>(v[0], v[1]);
        let d = i32x4_shuffle::<2, 6, 3, 7>(v[2], v[3]);
        [
            i64x2_shuffle::<0, 2>(a, b),
            i64x2_shuffle::<1, 3>(a, b),
            i64x2_shuffle::<0, 2>(c, d),
            i64x2_shuffle::<1, 3>(c, d),
        ]
    }
    #[inline(always)]
    fn low_halves(a: v128, b: v128) -> v128 {
        i64x2_shuffle::<0, 2>(a, b)
    }
    #[inline(always)]
    fn high_halves(a: v128, b: v128) -> v128 {
        i64x2_shuffle::<1, 3>(a, b)
    }
    #[inline(always)]
    fn mul32(a: v128, b: v128) -> v128 {
        u64x2_extmul_low_u32x4(i32x4_shuffle::<0, 2, 0, 2>(a, a), i32x4_shuffle::<0, 2, 0, 2>(b, b))
    }

    #[inline(always)]
    fn compact(v: v128) -> v128 {
        v
    }
    #[inline(always)]
    fn restore(v: v128) -> v128 {
        v
    }
    #[inline(always)]
    fn pack(x: &[v128]) -> [Self; 8] {
        let mut slices = [Self(u64x2_splat(0)); 8];
        for j in 0..8 {
            slices[j] = Self(x[j]);
        }
        transpose(&mut slices);
        slices
    }
    #[inline(always)]
    fn unpack(mut slices: [Self; 8], x: &mut [v128]) {
        transpose(&mut slices);
        for j in 0..8 {
            x[j] = slices[j].0;
        }
    }
    #[inline(always)]
    fn spread(key: v128, bit: usize) -> Self {
        let m = u8x16_splat(1 << bit);
        Self(u8x16_eq(v128_and(key, m), m))
    }
    #[inline(always)]
    fn turn<const ROWS: usize, const COLS: usize>(self) -> Self {
        // A column is a word, a row a byte of each.
        let x = turn(self.0, COLS);
        Self(match ROWS {
            0 => x,
            1 => i8x16_shuffle::<1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12>(x, x),
            _ => i16x8_shuffle::<1, 0, 3, 2, 5, 4, 7, 6>(x, x),
        })
    }
    #[inline(always)]
    fn merge<const ROWS: u8>(self, other: Self) -> Self {
        let mut rows = 0;
        for i in 0..4 {
            if ROWS >> i & 1 == 1 {
                rows |= 0xff << (8 * i);
            }
        }
        Self(v128_bitselect(other.0, self.0, u32x4_splat(rows)))
    }
}
