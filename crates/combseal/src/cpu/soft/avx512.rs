//! Bit slices in 512-bit registers: four blocks in each, so a group of thirty-two.
#![allow(unsafe_code)]

use super::sbox3::{self, Gates3};
use super::wide::{self, Wide, calls};
use crate::cpu::bytes::Block;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::ops::{BitAnd, BitXor};

/// A slice of thirty-two blocks.
#[derive(Clone, Copy)]
struct Word512(__m512i);

/// Operations, to be inlined where the CPU has the instructions: each caller promises it.
macro_rules! ops {
    ($(fn $f:ident $(<const $I:ident: $i:ty>)? ($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {$(
        #[inline(always)]
        unsafe fn $f $(<const $I: $i>)? ($($a: $t),*) -> $r {
            // SAFETY: the caller's promise.
            unsafe { $e }
        }
    )*};
}
ops! {
    fn xor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
    fn and(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
    fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i = _mm512_ternarylogic_epi64::<0x96>(a, b, c);
    // `a` where the mask is set, else `b`.
    fn choose(mask: __m512i, a: __m512i, b: __m512i) -> __m512i = _mm512_ternarylogic_epi64::<0xca>(mask, a, b);
    fn gate<const TABLE: i32>(a: __m512i, b: __m512i, c: __m512i) -> __m512i = _mm512_ternarylogic_epi64::<TABLE>(a, b, c);
    fn bytes(b: u8) -> __m512i = _mm512_set1_epi8(b as i8);
    // The bits of a byte turned over where the key's byte has the bit: 0xff minus a byte is its complement.
    fn turned(a: __m512i, key: __m512i, bit: __m512i) -> __m512i =
        _mm512_mask_sub_epi8(a, _mm512_test_epi8_mask(key, bit), bytes(0xff), a);
    fn shuffle(a: __m512i, from: &Block) -> __m512i =
        _mm512_shuffle_epi8(a, _mm512_broadcast_i32x4(_mm_loadu_si128(from.as_ptr().cast())));
    fn down<const N: u32>(a: __m512i) -> __m512i = _mm512_srli_epi64::<N>(a);
    fn up<const N: u32>(a: __m512i) -> __m512i = _mm512_slli_epi64::<N>(a);
    // The products of the low halves of each 64-bit lane.
    fn product(a: __m512i, b: __m512i) -> __m512i = _mm512_mul_epu32(a, b);
    fn lows(a: __m512i, b: __m512i) -> __m512i = _mm512_unpacklo_epi64(a, b);
    fn crossed(a: __m512i) -> __m512i = _mm512_shuffle_epi32::<0b01_00_11_10>(a);
    fn low_quarters(a: __m512i) -> __m512i = _mm512_shuffle_epi32::<0b01_01_00_00>(a);
    fn high_quarters(a: __m512i) -> __m512i = _mm512_shuffle_epi32::<0b11_11_10_10>(a);
}

// SAFETY, of every `unsafe` block in these: `Word512` is private to this file, and only the functions at its end
// work with it. Those have the instructions by their own attribute, and whoever calls them holds a token that they
// are there; what the compiler may not inline runs on the same CPU.
#[allow(clippy::undocumented_unsafe_blocks)]
impl BitXor for Word512 {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        unsafe { Self(xor(self.0, other.0)) }
    }
}
#[allow(clippy::undocumented_unsafe_blocks)]
impl BitAnd for Word512 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        unsafe { Self(and(self.0, other.0)) }
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Gates3 for Word512 {
    #[inline(always)]
    fn gate<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        unsafe { Self(gate::<TABLE>(a.0, b.0, c.0)) }
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Wide for Word512 {
    type V = __m512i;

    #[inline(always)]
    fn of(v: __m512i) -> Self {
        Self(v)
    }
    #[inline(always)]
    fn v(self) -> __m512i {
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
    fn add<const BIT: usize>(self, key: __m512i) -> Self {
        unsafe { Self(turned(self.0, key, bytes(1 << BIT))) }
    }
    #[inline(always)]
    fn exchange<const SHIFT: u32>(self, other: Self, mask: u8) -> (Self, Self) {
        unsafe {
            // Each takes what is under the mask, or under the other half, from one of both.
            let low = choose(bytes(mask), down::<SHIFT>(self.0), other.0);
            (Self(choose(bytes(mask << SHIFT), up::<SHIFT>(other.0), self.0)), Self(low))
        }
    }
    #[inline(always)]
    fn sum(a: Self, b: Self, c: Self) -> Self {
        unsafe { Self(xor3(a.0, b.0, c.0)) }
    }
    #[inline(always)]
    fn sub(s: &mut [Self; 8]) {
        sbox3::sub(s);
    }
    #[inline(always)]
    fn inv_sub(s: &mut [Self; 8]) {
        sbox3::inv_sub(s);
    }
}

/// The carry-less product of the low 32 bits in each 64-bit lane, as in `sse2.rs`.
///
/// # Safety
/// As for the operations.
#[inline(always)]
unsafe fn quarters(a: __m512i, b: __m512i) -> __m512i {
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
                let p = xor3(product(x[0], y[$i]), product(x[1], y[($i + 3) % 4]), product(x[2], y[($i + 2) % 4]));
                xor(p, product(x[3], y[($i + 1) % 4]))
            }};
        }
        let two = choose(masks[1], class!(1), and(class!(0), masks[0]));
        choose(masks[3], class!(3), choose(masks[2], class!(2), two))
    }
}

calls!(Word512, __m512i, "avx512f,avx512bw");

/// In each block of `a`, its carry-less product with that of `b`, as in `sse2.rs`.
///
/// A call, since kernels have some eighty places for it, and one that has no instructions of its own: of
/// functions that have, rustc 1.95.0 does not tell LLVM that they are never inlined.
///
/// # Safety
/// The CPU has AVX-512F and AVX-512BW.
#[inline(never)]
pub(in crate::cpu) unsafe fn clmul<const IMM: i32>(a: &mut __m512i, b: &__m512i) {
    // SAFETY: the caller's promise.
    unsafe { product_of_halves::<IMM>(a, b) }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn product_of_halves<const IMM: i32>(to: &mut __m512i, b: &__m512i) {
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
