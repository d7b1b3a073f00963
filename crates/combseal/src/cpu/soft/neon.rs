//! Bit slices in a 128-bit register of ARM: eight blocks, as in `sse2.rs`. NEON is part of AArch64,
//! so this needs no detection, and it is still software: AND, XOR, shifts, fixed shuffles, and
//! products of bytes, none of which takes longer for one number than for another.
//!
//! A slice has a byte for each byte of the block, in the block's own order: a
//! column in each 32-bit lane. Bit `i` of a byte is block `i`'s. So a compact
//! block is the block itself.
#![allow(unsafe_code)]

use super::halves::{self, Halves};
use super::word::Word;
use crate::cpu::bytes::{Block, equal};
use core::arch::aarch64::*;
use core::ops::{BitAnd, BitXor, Not};

/// A slice of eight blocks.
#[derive(Clone, Copy)]
pub struct Word128(uint8x16_t);

macro_rules! ops {
    ($(fn $f:ident $(<const $I:ident: i32>)? ($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {$(
        #[inline(always)]
        fn $f $(<const $I: i32>)? ($($a: $t),*) -> $r {
            // SAFETY: this file is compiled only for targets that have NEON; a
            // register and a block are both sixteen bytes of any value.
            unsafe { $e }
        }
    )*};
}
ops! {
    fn join(h: Halves) -> uint8x16_t = core::mem::transmute::<Halves, uint8x16_t>(h);
    fn split(v: uint8x16_t) -> Halves = core::mem::transmute::<uint8x16_t, Halves>(v);
    fn bytes(b: u8) -> uint8x16_t = vdupq_n_u8(b);
    fn words(w: u32) -> uint8x16_t = vreinterpretq_u8_u32(vdupq_n_u32(w));
    fn xor(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = veorq_u8(a, b);
    fn and(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vandq_u8(a, b);
    fn not(a: uint8x16_t) -> uint8x16_t = vmvnq_u8(a);
    // `a` where the mask is set, else `b`.
    fn choose(mask: uint8x16_t, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vbslq_u8(mask, a, b);
    fn shuffle(a: uint8x16_t, from: &Block) -> uint8x16_t = vqtbl1q_u8(a, vld1q_u8(from.as_ptr()));
    fn add32(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
        vreinterpretq_u8_u32(vaddq_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
    fn add64(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t =
        vreinterpretq_u8_u64(vaddq_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
    // By a number that is not known yet, to the right if it is negative; zero from 64 on.
    fn shift(a: uint8x16_t, n: i64) -> uint8x16_t =
        vreinterpretq_u8_u64(vshlq_u64(vreinterpretq_u64_u8(a), vdupq_n_s64(n)));
    // Each byte's bits.
    fn down<const N: i32>(a: uint8x16_t) -> uint8x16_t = vshrq_n_u8::<N>(a);
    fn up<const N: i32>(a: uint8x16_t) -> uint8x16_t = vshlq_n_u8::<N>(a);
    // The high four bits of each byte of `a`, and the low four of `b` above the others.
    fn highs(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vsriq_n_u8::<4>(a, b);
    fn lows(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t = vsliq_n_u8::<4>(a, b);
    // All ones in the bytes that have a bit of `m`.
    fn has(a: uint8x16_t, m: uint8x16_t) -> uint8x16_t = vtstq_u8(a, m);
    fn swapped(a: uint8x16_t) -> uint8x16_t = vextq_u8::<8>(a, a);
    fn reversed(a: uint8x16_t) -> uint8x16_t = swapped(vrev64q_u8(a));
    fn low(a: uint8x16_t) -> uint8x8_t = vget_low_u8(a);
    fn high(a: uint8x16_t) -> uint8x8_t = vget_high_u8(a);
    // The bytes, turned by `N`.
    fn turned<const N: i32>(a: uint8x8_t) -> uint8x8_t = vext_u8::<N>(a, a);
    // The carry-less products of eight bytes.
    fn products(a: uint8x8_t, b: uint8x8_t) -> uint8x16_t =
        vreinterpretq_u8_p16(vmull_p8(vreinterpret_p8_u8(a), vreinterpret_p8_u8(b)));
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
        Self(not(self.0))
    }
}

/// Exchanges the bits of `x[j]` under `mask` with those of `x[i]` `SHIFT` above.
#[inline(always)]
fn swap<const SHIFT: i32>(x: &mut [Word128; 8], i: usize, j: usize, mask: u8) {
    let (a, b) = (x[i].0, x[j].0);
    x[i].0 = choose(bytes(mask), a, up::<SHIFT>(b));
    x[j].0 = choose(bytes(mask), down::<SHIFT>(a), b);
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
        let (a, b) = (x[i].0, x[i + 4].0);
        (x[i].0, x[i + 4].0) = (lows(a, b), highs(b, a));
    }
}

/// Where the products of bytes `i` and `i + apart` of two halves belong: two bytes each, `2 * i + apart`
/// bytes up; or eight bytes lower, those (`WRAPPED`) whose second byte is one of the first again. Zeros
/// elsewhere.
const fn places(apart: usize, wrapped: bool) -> Block {
    let mut t = [0xff; 16];
    let mut i = if wrapped { 8 - apart } else { 0 };
    while i < if wrapped { 8 } else { 8 - apart } {
        let to = if wrapped { 2 * i + apart - 8 } else { 2 * i + apart };
        t[to] = 2 * i as u8;
        t[to + 1] = 2 * i as u8 + 1;
        i += 1;
    }
    t
}
static PLACES: [[Block; 2]; 4] = [
    [places(1, false), places(1, true)],
    [places(2, false), places(2, true)],
    [places(3, false), places(3, true)],
    [places(4, false), places(4, true)],
];

/// Carry-less products, of bytes first (Câmara, Gouvêa, López and Dahab, "Fast software polynomial
/// multiplication on ARM processors using the NEON engine", 2013): each byte of one half with each of the
/// other, eight at a time.
#[inline(never)]
#[allow(improper_ctypes_definitions)]
extern "C" fn clmul<const IMM: i32>(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    let a = if IMM & 0x01 == 0 { low(a) } else { high(a) };
    let b = if IMM & 0x10 == 0 { low(b) } else { high(b) };
    let sums = [
        xor(products(a, turned::<1>(b)), products(turned::<1>(a), b)),
        xor(products(a, turned::<2>(b)), products(turned::<2>(a), b)),
        xor(products(a, turned::<3>(b)), products(turned::<3>(a), b)),
        products(a, turned::<4>(b)),
    ];
    let mut sum = products(a, b);
    for i in 0..4 {
        sum = xor(sum, xor(shuffle(sums[i], &PLACES[i][0]), shuffle(sums[i], &PLACES[i][1])));
    }
    sum
}

// What kernels call, besides `clmul`. By C's rules, which leave vectors in registers; by
// Rust's they go by memory.
macro_rules! calls {
    ($(fn $f:ident($($a:ident: $t:ty),*) $(-> $r:ty)? { $e:expr })*) => {$(
        #[inline(never)]
        #[allow(improper_ctypes_definitions)]
        extern "C" fn $f($($a: $t),*) $(-> $r)? { $e }
    )*};
}
calls! {
    fn add128(a: uint8x16_t, n: uint8x16_t) -> uint8x16_t {
        join(halves::halves(halves::whole(split(a)).wrapping_add(halves::whole(split(n)))))
    }
    fn keep(v: uint8x16_t, n: usize) -> uint8x16_t {
        join(halves::keep(split(v), n))
    }
    fn load_part(src: &[u8]) -> uint8x16_t {
        join(halves::load_part(src))
    }
    fn store_part(dst: &mut [u8], v: uint8x16_t) {
        halves::store_part(dst, split(v))
    }
    fn begins(v: uint8x16_t, tag: &[u8]) -> bool {
        halves::whole(split(v)).to_le_bytes().get(..tag.len()).is_some_and(|it| equal(it, tag))
    }
}

/// Places in a block, a column of four bytes after the other, that lie `rows` further down and
/// `columns` further right, around the edges.
const fn turn(rows: usize, columns: usize) -> Block {
    let mut t = [0; 16];
    let mut i = 0;
    while i < 16 {
        t[i] = (4 * ((i / 4 + columns) % 4) + (i + rows) % 4) as u8;
        i += 1;
    }
    t
}
static TURNS: [[Block; 4]; 3] = [
    [turn(0, 0), turn(0, 1), turn(0, 2), turn(0, 3)],
    [turn(1, 0), turn(1, 1), turn(1, 2), turn(1, 3)],
    [turn(2, 0), turn(2, 1), turn(2, 2), turn(2, 3)],
];

impl Word for Word128 {
    type V = uint8x16_t;
    const BLOCKS: usize = 8;

    #[inline(always)]
    fn join(h: Halves) -> uint8x16_t {
        join(h)
    }
    #[inline(always)]
    fn split(v: uint8x16_t) -> Halves {
        split(v)
    }
    #[inline(always)]
    fn xor(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        xor(a, b)
    }
    #[inline(always)]
    fn and(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        and(a, b)
    }
    #[inline(always)]
    fn swap(v: uint8x16_t) -> uint8x16_t {
        swapped(v)
    }
    #[inline(always)]
    fn shl64(v: uint8x16_t, n: u32) -> uint8x16_t {
        shift(v, i64::from(n.min(64)))
    }
    #[inline(always)]
    fn shr64(v: uint8x16_t, n: u32) -> uint8x16_t {
        shift(v, -i64::from(n.min(64)))
    }
    #[inline(always)]
    fn add32(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        add32(a, b)
    }
    #[inline(always)]
    fn add64(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        add64(a, b)
    }
    #[inline(always)]
    fn add128(a: uint8x16_t, n: uint8x16_t) -> uint8x16_t {
        add128(a, n)
    }
    #[inline(always)]
    fn rev(v: uint8x16_t) -> uint8x16_t {
        reversed(v)
    }
    #[inline(always)]
    fn keep(v: uint8x16_t, n: usize) -> uint8x16_t {
        keep(v, n)
    }
    #[inline(always)]
    fn load_part(src: &[u8]) -> uint8x16_t {
        load_part(src)
    }
    #[inline(always)]
    fn store_part(dst: &mut [u8], v: uint8x16_t) {
        store_part(dst, v);
    }
    #[inline(always)]
    fn begins(v: uint8x16_t, tag: &[u8]) -> bool {
        begins(v, tag)
    }
    #[inline(always)]
    fn clmul<const IMM: i32>(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        clmul::<IMM>(a, b)
    }

    #[inline(always)]
    fn compact(v: uint8x16_t) -> uint8x16_t {
        v
    }
    #[inline(always)]
    fn restore(v: uint8x16_t) -> uint8x16_t {
        v
    }
    #[inline(always)]
    fn pack(x: &[uint8x16_t]) -> [Self; 8] {
        let mut slices = [Self(bytes(0)); 8];
        for j in 0..8 {
            slices[j] = Self(x[j]);
        }
        transpose(&mut slices);
        slices
    }
    #[inline(always)]
    fn unpack(mut slices: [Self; 8], x: &mut [uint8x16_t]) {
        transpose(&mut slices);
        for j in 0..8 {
            x[j] = slices[j].0;
        }
    }
    #[inline(always)]
    fn spread(key: uint8x16_t, bit: usize) -> Self {
        Self(has(key, bytes(1 << bit)))
    }
    #[inline(always)]
    fn turn<const ROWS: usize, const COLS: usize>(self) -> Self {
        Self(shuffle(self.0, &TURNS[ROWS][COLS]))
    }
    #[inline(always)]
    fn merge<const ROWS: u8>(self, other: Self) -> Self {
        let mut rows = 0;
        for i in 0..4 {
            if ROWS >> i & 1 == 1 {
                rows |= 0xff << (8 * i);
            }
        }
        Self(choose(words(rows), other.0, self.0))
    }
}
