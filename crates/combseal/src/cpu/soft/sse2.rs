//! Bit slices in a 128-bit register: eight blocks. SSE2 is part of x86-64, so
//! this needs no detection, and it is still software: AND, XOR, shifts and fixed
//! shuffles (after Käsper and Schwabe, "Faster and timing-attack resistant
//! AES-GCM", CHES 2009).
//!
//! A slice has a byte for each byte of the block, in the block's own order: a
//! column in each 32-bit lane. Bit `i` of a byte is block `i`'s. So a compact
//! block is the block itself.
#![allow(unsafe_code)]

use super::halves::{self, Halves};
use super::word::Word;
use crate::cpu::bytes::equal;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::ops::{BitAnd, BitXor, Not};

/// A slice of eight blocks.
#[derive(Clone, Copy)]
pub struct Word128(__m128i);

macro_rules! ops {
    ($(fn $f:ident $(<const $I:ident: i32>)? ($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {$(
        #[inline(always)]
        fn $f $(<const $I: i32>)? ($($a: $t),*) -> $r {
            // SAFETY: this file is compiled only for targets that have SSE2; a
            // register and a block are both sixteen bytes of any value.
            unsafe { $e }
        }
    )*};
}
ops! {
    fn join(h: Halves) -> __m128i = core::mem::transmute::<Halves, __m128i>(h);
    fn split(v: __m128i) -> Halves = core::mem::transmute::<__m128i, Halves>(v);
    fn bytes(b: u8) -> __m128i = _mm_set1_epi8(b as i8);
    fn words(w: u32) -> __m128i = _mm_set1_epi32(w as i32);
    fn xor(a: __m128i, b: __m128i) -> __m128i = _mm_xor_si128(a, b);
    fn and(a: __m128i, b: __m128i) -> __m128i = _mm_and_si128(a, b);
    fn or(a: __m128i, b: __m128i) -> __m128i = _mm_or_si128(a, b);
    // The products of the low halves of each 64-bit lane.
    fn product(a: __m128i, b: __m128i) -> __m128i = _mm_mul_epu32(a, b);
    fn lows(a: __m128i, b: __m128i) -> __m128i = _mm_unpacklo_epi64(a, b);
    fn same(a: __m128i, b: __m128i) -> __m128i = _mm_cmpeq_epi8(a, b);
    fn add32(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi32(a, b);
    fn add64(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi64(a, b);
    // By a number that is not known yet; zero from 64 on.
    fn down_by(a: __m128i, n: u32) -> __m128i = _mm_srl_epi64(a, _mm_cvtsi32_si128(n as i32));
    fn up_by(a: __m128i, n: u32) -> __m128i = _mm_sll_epi64(a, _mm_cvtsi32_si128(n as i32));
    fn down<const N: i32>(a: __m128i) -> __m128i = _mm_srli_epi64::<N>(a);
    fn up<const N: i32>(a: __m128i) -> __m128i = _mm_slli_epi64::<N>(a);
    fn lanes<const N: i32>(a: __m128i) -> __m128i = _mm_shuffle_epi32::<N>(a);
    // The bytes of each lane turned by one and by two.
    fn turn1(a: __m128i) -> __m128i = _mm_or_si128(_mm_srli_epi32::<8>(a), _mm_slli_epi32::<24>(a));
    fn turn2(a: __m128i) -> __m128i = _mm_shufflehi_epi16::<0b10_11_00_01>(_mm_shufflelo_epi16::<0b10_11_00_01>(a));
}

impl BitXor for Word128 {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(xor(self.0, other.0))
    }
}
impl BitAnd for Word128 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(and(self.0, other.0))
    }
}
impl Not for Word128 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(xor(self.0, bytes(0xff)))
    }
}

/// Exchanges the bits of `x[j]` under `mask` with those of `x[i]` `SHIFT` above.
#[inline(always)]
fn swap<const SHIFT: i32>(x: &mut [Word128; 8], i: usize, j: usize, mask: u8) {
    let t = and(xor(down::<SHIFT>(x[i].0), x[j].0), bytes(mask));
    x[j].0 = xor(x[j].0, t);
    x[i].0 = xor(x[i].0, up::<SHIFT>(t));
}

/// Eight blocks into eight slices, and back.
#[inline(always)]
fn transpose(x: &mut [Word128; 8]) {
    for i in [0, 2, 4, 6] {
        swap::<1>(x, i, i + 1, 0x55);
    }
    for i in [0, 1, 4, 5] {
        swap::<2>(x, i, i + 2, 0x33);
    }
    for i in [0, 1, 2, 3] {
        swap::<4>(x, i, i + 4, 0x0f);
    }
}

/// Carry-less products as in `clmul.rs`, of 32-bit quarters and two at a time:
/// eight bits to a class, so all counts fit.
#[inline(never)]
#[allow(improper_ctypes_definitions)]
extern "C" fn clmul<const IMM: i32>(a: __m128i, b: __m128i) -> __m128i {
    // Quarters 0 and 1 of a half, one in each lane, and 1 and 0.
    let x = if IMM & 0x01 == 0 { lanes::<0b01_01_00_00>(a) } else { lanes::<0b11_11_10_10>(a) };
    let y = if IMM & 0x10 == 0 { lanes::<0b01_01_00_00>(b) } else { lanes::<0b11_11_10_10>(b) };
    let straight = quarters(x, y);
    let crossed = quarters(x, lanes::<0b01_00_11_10>(y));
    let middle = xor(crossed, lanes::<0b01_00_11_10>(crossed));
    xor(straight, lows(up::<32>(middle), down::<32>(middle)))
}

/// The carry-less product of the low 32 bits in each 64-bit lane.
#[inline(always)]
fn quarters(a: __m128i, b: __m128i) -> __m128i {
    let masks = [bytes(0x11), bytes(0x22), bytes(0x44), bytes(0x88)];
    let (mut x, mut y) = (masks, masks);
    for i in 0..4 {
        x[i] = and(a, masks[i]);
        y[i] = and(b, masks[i]);
    }
    // Written out, for LLVM leaves a loop of these rolled.
    let class = |i: usize| {
        let p = xor(product(x[0], y[i]), product(x[1], y[(i + 3) % 4]));
        let q = xor(product(x[2], y[(i + 2) % 4]), product(x[3], y[(i + 1) % 4]));
        and(xor(p, q), masks[i])
    };
    or(or(class(0), class(1)), or(class(2), class(3)))
}

// What kernels call, besides `clmul`. By C's rules, which leave vectors in registers; by
// Rust's they go by memory.
macro_rules! calls {
    ($($(#[$doc:meta])* fn $f:ident($($a:ident: $t:ty),*) $(-> $r:ty)? { $e:expr })*) => {$(
        $(#[$doc])*
        #[inline(never)]
        #[allow(improper_ctypes_definitions)]
        extern "C" fn $f($($a: $t),*) $(-> $r)? { $e }
    )*};
}
calls! {
    fn rev(v: __m128i) -> __m128i {{
        let [low, high] = split(v);
        join([high.swap_bytes(), low.swap_bytes()])
    }}
    fn add128(a: __m128i, n: __m128i) -> __m128i {
        join(halves::halves(halves::whole(split(a)).wrapping_add(halves::whole(split(n)))))
    }
    fn keep(v: __m128i, n: usize) -> __m128i {
        join(halves::keep(split(v), n))
    }
    fn load_part(src: &[u8]) -> __m128i {
        join(halves::load_part(src))
    }
    fn store_part(dst: &mut [u8], v: __m128i) {
        halves::store_part(dst, split(v))
    }
    fn begins(v: __m128i, tag: &[u8]) -> bool {
        halves::whole(split(v)).to_le_bytes().get(..tag.len()).is_some_and(|it| equal(it, tag))
    }
}

impl Word for Word128 {
    type V = __m128i;
    const BLOCKS: usize = 8;

    #[inline(always)]
    fn join(h: Halves) -> __m128i {
        join(h)
    }
    #[inline(always)]
    fn split(v: __m128i) -> Halves {
        split(v)
    }
    #[inline(always)]
    fn xor(a: __m128i, b: __m128i) -> __m128i {
        xor(a, b)
    }
    #[inline(always)]
    fn and(a: __m128i, b: __m128i) -> __m128i {
        and(a, b)
    }
    #[inline(always)]
    fn swap(v: __m128i) -> __m128i {
        lanes::<0b01_00_11_10>(v)
    }
    #[inline(always)]
    fn shl64(v: __m128i, n: u32) -> __m128i {
        up_by(v, n)
    }
    #[inline(always)]
    fn shr64(v: __m128i, n: u32) -> __m128i {
        down_by(v, n)
    }
    #[inline(always)]
    fn add32(a: __m128i, b: __m128i) -> __m128i {
        add32(a, b)
    }
    #[inline(always)]
    fn add64(a: __m128i, b: __m128i) -> __m128i {
        add64(a, b)
    }
    #[inline(always)]
    fn add128(a: __m128i, n: __m128i) -> __m128i {
        add128(a, n)
    }
    #[inline(always)]
    fn rev(v: __m128i) -> __m128i {
        rev(v)
    }
    #[inline(always)]
    fn keep(v: __m128i, n: usize) -> __m128i {
        keep(v, n)
    }
    #[inline(always)]
    fn load_part(src: &[u8]) -> __m128i {
        load_part(src)
    }
    #[inline(always)]
    fn store_part(dst: &mut [u8], v: __m128i) {
        store_part(dst, v);
    }
    #[inline(always)]
    fn begins(v: __m128i, tag: &[u8]) -> bool {
        begins(v, tag)
    }
    #[inline(always)]
    fn clmul<const IMM: i32>(a: __m128i, b: __m128i) -> __m128i {
        clmul::<IMM>(a, b)
    }

    #[inline(always)]
    fn compact(v: __m128i) -> __m128i {
        v
    }
    #[inline(always)]
    fn restore(v: __m128i) -> __m128i {
        v
    }
    #[inline(always)]
    fn pack(x: &[__m128i]) -> [Self; 8] {
        let mut slices = [Self(bytes(0)); 8];
        for j in 0..8 {
            slices[j] = Self(x[j]);
        }
        transpose(&mut slices);
        slices
    }
    #[inline(always)]
    fn unpack(mut slices: [Self; 8], x: &mut [__m128i]) {
        transpose(&mut slices);
        for j in 0..8 {
            x[j] = slices[j].0;
        }
    }
    #[inline(always)]
    fn spread(key: __m128i, bit: usize) -> Self {
        let m = bytes(1 << bit);
        Self(same(and(key, m), m))
    }
    #[inline(always)]
    fn turn<const ROWS: usize, const COLS: usize>(self) -> Self {
        let x = match COLS {
            0 => self.0,
            1 => lanes::<0b00_11_10_01>(self.0),
            2 => lanes::<0b01_00_11_10>(self.0),
            _ => lanes::<0b10_01_00_11>(self.0),
        };
        Self(match ROWS {
            0 => x,
            1 => turn1(x),
            _ => turn2(x),
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
        Self(xor(self.0, and(xor(self.0, other.0), words(rows))))
    }
}
