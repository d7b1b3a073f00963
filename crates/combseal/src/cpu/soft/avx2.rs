//! Bit slices in 256-bit registers: two blocks in each, so a group of sixteen.
#![allow(unsafe_code)]

use super::wide::{self, Wide, calls};
use crate::cpu::bytes::Block;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::ops::{BitAnd, BitXor};

/// A slice of sixteen blocks.
#[derive(Clone, Copy)]
struct Word256(__m256i);

/// Operations, to be inlined where the CPU has the instructions: each caller promises it.
macro_rules! ops {
    ($(fn $f:ident $(<const $I:ident: u32>)? ($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {$(
        #[inline(always)]
        unsafe fn $f $(<const $I: u32>)? ($($a: $t),*) -> $r {
            // SAFETY: the caller's promise.
            unsafe { $e }
        }
    )*};
}
ops! {
    fn xor(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
    fn and(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
    fn or(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
    fn bytes(b: u8) -> __m256i = _mm256_set1_epi8(b as i8);
    fn same(a: __m256i, b: __m256i) -> __m256i = _mm256_cmpeq_epi8(a, b);
    fn shuffle(a: __m256i, from: &Block) -> __m256i =
        _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(_mm_loadu_si128(from.as_ptr().cast())));
    fn down<const N: u32>(a: __m256i) -> __m256i = _mm256_srl_epi64(a, _mm_cvtsi32_si128(N as i32));
    fn up<const N: u32>(a: __m256i) -> __m256i = _mm256_sll_epi64(a, _mm_cvtsi32_si128(N as i32));
    // The products of the low halves of each 64-bit lane.
    fn product(a: __m256i, b: __m256i) -> __m256i = _mm256_mul_epu32(a, b);
    fn lows(a: __m256i, b: __m256i) -> __m256i = _mm256_unpacklo_epi64(a, b);
    fn crossed(a: __m256i) -> __m256i = _mm256_shuffle_epi32::<0b01_00_11_10>(a);
    fn low_quarters(a: __m256i) -> __m256i = _mm256_shuffle_epi32::<0b01_01_00_00>(a);
    fn high_quarters(a: __m256i) -> __m256i = _mm256_shuffle_epi32::<0b11_11_10_10>(a);
}

// SAFETY, of every `unsafe` block in these: `Word256` is private to this file, and only the functions at its end
// work with it. Those have the instructions by their own attribute, and whoever calls them holds a token that they
// are there; what the compiler may not inline runs on the same CPU.
#[allow(clippy::undocumented_unsafe_blocks)]
impl BitXor for Word256 {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        unsafe { Self(xor(self.0, other.0)) }
    }
}
#[allow(clippy::undocumented_unsafe_blocks)]
impl BitAnd for Word256 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        unsafe { Self(and(self.0, other.0)) }
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Wide for Word256 {
    type V = __m256i;

    #[inline(always)]
    fn of(v: __m256i) -> Self {
        Self(v)
    }
    #[inline(always)]
    fn v(self) -> __m256i {
        self.0
    }
    #[inline(always)]
    fn zero() -> Self {
        unsafe { Self(bytes(0)) }
    }
    #[inline(always)]
    fn not(self) -> Self {
        unsafe { Self(xor(self.0, bytes(0xff))) }
    }
    #[inline(always)]
    fn permute(self, from: &Block) -> Self {
        unsafe { Self(shuffle(self.0, from)) }
    }
    #[inline(always)]
    fn add<const BIT: usize>(self, key: __m256i) -> Self {
        unsafe {
            let m = bytes(1 << BIT);
            Self(xor(self.0, same(and(key, m), m)))
        }
    }
    #[inline(always)]
    fn exchange<const SHIFT: u32>(self, other: Self, mask: u8) -> (Self, Self) {
        unsafe {
            let t = and(xor(down::<SHIFT>(self.0), other.0), bytes(mask));
            (Self(xor(self.0, up::<SHIFT>(t))), Self(xor(other.0, t)))
        }
    }
}

/// The carry-less product of the low 32 bits in each 64-bit lane, as in `sse2.rs`.
///
/// # Safety
/// As for the operations.
#[inline(always)]
unsafe fn quarters(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        let masks = [bytes(0x11), bytes(0x22), bytes(0x44), bytes(0x88)];
        let (mut x, mut y) = (masks, masks);
        for i in 0..4 {
            x[i] = and(a, masks[i]);
            y[i] = and(b, masks[i]);
        }
        // Neither a loop, which LLVM leaves rolled, nor a closure, which has no instructions of its own.
        macro_rules! class {
            ($i:literal) => {{
                let p = xor(product(x[0], y[$i]), product(x[1], y[($i + 3) % 4]));
                let q = xor(product(x[2], y[($i + 2) % 4]), product(x[3], y[($i + 1) % 4]));
                and(xor(p, q), masks[$i])
            }};
        }
        or(or(class!(0), class!(1)), or(class!(2), class!(3)))
    }
}

calls!(Word256, __m256i, "avx2");

/// In each block of `a`, its carry-less product with that of `b`, as in `sse2.rs`.
///
/// A call, since kernels have some eighty places for it, and one that has no instructions of its own: of
/// functions that have, rustc 1.95.0 does not tell LLVM that they are never inlined.
///
/// # Safety
/// The CPU has AVX2.
#[inline(never)]
pub(in crate::cpu) unsafe fn clmul<const IMM: i32>(a: &mut __m256i, b: &__m256i) {
    // SAFETY: the caller's promise.
    unsafe { product_of_halves::<IMM>(a, b) }
}

#[target_feature(enable = "avx2")]
fn product_of_halves<const IMM: i32>(to: &mut __m256i, b: &__m256i) {
    // SAFETY: this function has the instructions.
    unsafe {
        let (a, b) = (*to, *b);
        // Quarters 0 and 1 of a half, one in each lane, and 1 and 0.
        let x = if IMM & 0x01 == 0 { low_quarters(a) } else { high_quarters(a) };
        let y = if IMM & 0x10 == 0 { low_quarters(b) } else { high_quarters(b) };
        let straight = quarters(x, y);
        let middle = quarters(x, crossed(y));
        let middle = xor(middle, crossed(middle));
        *to = xor(straight, lows(up::<32>(middle), down::<32>(middle)));
    }
}
