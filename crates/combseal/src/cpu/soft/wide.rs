//! The cipher over bit slices in registers of several blocks, on CPUs that move the bytes of a
//! block as they like by one instruction: eight registers, slice `b` of which holds bit `b` of each
//! byte of their blocks (Käsper and Schwabe, "Faster and timing-attack resistant AES-GCM", CHES
//! 2009; they have one block a register).
//!
//! As in `bitslice.rs` ShiftRows is never done, and the round keys are the same, so that a key made
//! here serves the tier of one block a register too. MixColumns takes its rows from where they are by
//! a shuffle, and since that reads its order from memory, one round is the code of all.

use super::sbox::{self, Gates};
use crate::cpu::bytes::Block;

/// Registers that go through the cipher together.
pub(in crate::cpu) const GROUP: usize = 8;

/// A bit slice: a register with a bit of each byte of as many registers as a group has.
pub(super) trait Wide: Gates {
    /// A register of blocks.
    type V: Copy;

    /// A register as a slice.
    fn of(v: Self::V) -> Self;
    /// The inverse of `of`.
    fn v(self) -> Self::V;
    /// All zero.
    fn zero() -> Self;
    /// All bits turned over.
    fn not(self) -> Self;
    /// In each block, byte `from[i]` at place `i`.
    fn permute(self, from: &Block) -> Self;
    /// The slice with the bits of those bytes turned over that have bit `BIT` set in `key`.
    fn add<const BIT: usize>(self, key: Self::V) -> Self;
    /// Exchanges the bits of `other` under `mask`, the same in every byte, with those of `self`
    /// `SHIFT` above.
    fn exchange<const SHIFT: u32>(self, other: Self, mask: u8) -> (Self, Self);
    /// `a ^ b ^ c`.
    #[inline(always)]
    fn sum(a: Self, b: Self, c: Self) -> Self {
        a ^ b ^ c
    }
    /// As [`sbox::sub`].
    #[inline(always)]
    fn sub(s: &mut [Self; 8]) {
        sbox::sub(s);
    }
    /// As [`sbox::inv_sub`].
    #[inline(always)]
    fn inv_sub(s: &mut [Self; 8]) {
        sbox::inv_sub(s);
    }
}

type Slices<W> = [W; 8];

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

/// ShiftRows, `times` times.
const fn shift_rows(times: usize) -> Block {
    let mut t = [0; 16];
    let mut i = 0;
    while i < 16 {
        t[i] = (4 * ((i / 4 + i % 4 * times) % 4) + i % 4) as u8;
        i += 1;
    }
    t
}

/// The row below and the row two below, in a state that lags so many ShiftRows behind.
static BELOW: [[Block; 2]; 4] =
    [[turn(1, 0), turn(2, 0)], [turn(1, 1), turn(2, 2)], [turn(1, 2), turn(2, 0)], [turn(1, 3), turn(2, 2)]];
static ONCE: Block = shift_rows(1);
static TWICE: Block = shift_rows(2);

/// Eight registers into eight slices, and back.
#[inline(always)]
fn transpose<W: Wide>(s: &mut Slices<W>) {
    for i in [0, 2, 4, 6] {
        (s[i], s[i + 1]) = s[i].exchange::<1>(s[i + 1], 0x55);
    }
    for i in [0, 1, 4, 5] {
        (s[i], s[i + 2]) = s[i].exchange::<2>(s[i + 2], 0x33);
    }
    for i in [0, 1, 2, 3] {
        (s[i], s[i + 4]) = s[i].exchange::<4>(s[i + 4], 0x0f);
    }
}

/// The S-box's constant, 0x63 in every byte.
#[inline(always)]
fn constant<W: Wide>(s: &mut Slices<W>) {
    for b in [0, 1, 5, 6] {
        s[b] = s[b].not();
    }
}

#[inline(always)]
fn permute<W: Wide>(s: &mut Slices<W>, from: &Block) {
    for b in 0..8 {
        s[b] = s[b].permute(from);
    }
}

/// `x` times the field's element x, as in `bitslice.rs`; and with it `$more`, sums of which are
/// taken in one.
macro_rules! double {
    ($x:ident, $i:expr, $more:expr) => {
        match $i {
            0 => $x[7] ^ $more,
            1 | 3 | 4 => W::sum($x[$i - 1], $x[7], $more),
            i => $x[i - 1] ^ $more,
        }
    };
}

/// MixColumns of a state that lags `lag` ShiftRows behind, modulo 4: with `b` the row below `a`, and
/// `c = a ^ b`, a row becomes 2c, b, and the `c` of two rows on.
#[inline(always)]
fn mix<W: Wide>(s: &mut Slices<W>, lag: usize) {
    let [one, two] = &BELOW[lag % 4];
    let (mut b, mut c) = (*s, *s);
    for i in 0..8 {
        b[i] = s[i].permute(one);
        c[i] = s[i] ^ b[i];
    }
    for i in 0..8 {
        s[i] = double!(c, i, c[i].permute(two) ^ b[i]);
    }
}

/// The inverse of `mix`: its matrix is MixColumns' times (5, 0, 4, 0).
#[inline(always)]
fn inv_mix<W: Wide>(s: &mut Slices<W>, lag: usize) {
    let two = &BELOW[lag % 4][1];
    // a + 4 (a + a two rows on), by two doublings of the sum.
    let (mut c, zero) = (*s, W::zero());
    for i in 0..8 {
        c[i] = s[i] ^ s[i].permute(two);
    }
    let mut d = c;
    for i in 0..8 {
        d[i] = double!(c, i, zero);
    }
    for i in 0..8 {
        s[i] = double!(d, i, s[i]);
    }
    mix(s, lag);
}

/// Adds a round key: `EACH` has one for each of the `n` registers, else one is all theirs.
#[inline(always)]
fn add<W: Wide, const EACH: bool>(s: &mut Slices<W>, keys: &[W::V], n: usize) {
    if EACH {
        let keys = &keys[..n];
        let mut k = [W::zero(); GROUP];
        for j in 0..GROUP {
            if j < n {
                k[j] = W::of(keys[j]);
            }
        }
        transpose(&mut k);
        for b in 0..8 {
            s[b] = s[b] ^ k[b];
        }
        return;
    }
    let k = keys[0];
    s[0] = s[0].add::<0>(k);
    s[1] = s[1].add::<1>(k);
    s[2] = s[2].add::<2>(k);
    s[3] = s[3].add::<3>(k);
    s[4] = s[4].add::<4>(k);
    s[5] = s[5].add::<5>(k);
    s[6] = s[6].add::<6>(k);
    s[7] = s[7].add::<7>(k);
}

/// The slices of at most eight registers, to each of which `k` is added.
#[inline(always)]
fn load<W: Wide>(x: &[W::V], k: &[W::V]) -> Slices<W> {
    let (n, mut s) = (x.len(), [W::zero(); GROUP]);
    let k = &k[..n];
    for j in 0..GROUP {
        if j < n {
            s[j] = W::of(x[j]) ^ W::of(k[j]);
        }
    }
    transpose(&mut s);
    s
}

/// The inverse of `load`; `k` is added to the registers.
#[inline(always)]
fn store<W: Wide>(mut s: Slices<W>, x: &mut [W::V], k: &[W::V]) {
    let n = x.len();
    let k = &k[..n];
    transpose(&mut s);
    for j in 0..GROUP {
        if j < n {
            x[j] = (s[j] ^ W::of(k[j])).v();
        }
    }
}

/// The cipher over any number of registers, each with its first and last key; those between are of
/// `rounds` less one rounds, one for all registers or (`EACH`) for each its own, round by round.
#[inline(always)]
pub(super) fn encrypt<W: Wide, const EACH: bool>(
    x: &mut [W::V],
    first: &[W::V],
    middle: &[W::V],
    last: &[W::V],
    rounds: usize,
) {
    let step = if EACH { x.len() } else { 1 };
    for (i, x) in x.chunks_mut(GROUP).enumerate() {
        let (at, n) = (i * GROUP, x.len());
        let s = &mut load::<W>(x, &first[at..]);
        for r in 1..rounds {
            W::sub(s);
            mix(s, r);
            add::<W, EACH>(s, &middle[(r - 1) * step + if EACH { at } else { 0 }..], n);
        }
        W::sub(s);
        constant(s);
        // The ShiftRows of all rounds are due: 10 and 14 make two, 12 make none.
        if rounds % 4 == 2 {
            permute(s, &TWICE);
        }
        store(*s, x, &last[at..]);
    }
}

/// The inverse cipher, likewise; keys are in the order of use.
#[inline(always)]
pub(super) fn decrypt<W: Wide, const EACH: bool>(
    x: &mut [W::V],
    first: &[W::V],
    middle: &[W::V],
    last: &[W::V],
    rounds: usize,
) {
    let step = if EACH { x.len() } else { 1 };
    for (i, x) in x.chunks_mut(GROUP).enumerate() {
        let (at, n) = (i * GROUP, x.len());
        let s = &mut load::<W>(x, &first[at..]);
        if rounds % 4 == 2 {
            permute(s, &TWICE);
        }
        constant(s);
        W::inv_sub(s);
        for r in 1..rounds {
            add::<W, EACH>(s, &middle[(r - 1) * step + if EACH { at } else { 0 }..], n);
            inv_mix(s, rounds - r);
            W::inv_sub(s);
        }
        store(*s, x, &last[at..]);
    }
}

/// SubBytes, ShiftRows and, unless it is the `LAST` round's, MixColumns of eight registers.
#[inline(always)]
pub(super) fn round<W: Wide, const LAST: bool>(x: &mut [W::V; GROUP]) {
    let mut s = [W::zero(); GROUP];
    for j in 0..GROUP {
        s[j] = W::of(x[j]);
    }
    transpose(&mut s);
    W::sub(&mut s);
    constant(&mut s);
    permute(&mut s, &ONCE);
    if !LAST {
        mix(&mut s, 0);
    }
    transpose(&mut s);
    for j in 0..GROUP {
        x[j] = s[j].v();
    }
}

/// What kernels call, compiled for the slices' instructions: `$feature` is what they take. They are sound as
/// calls: each has the instructions by its own attribute, takes registers by reference, so that no ABI of vectors
/// is asked for, and can be called only as `unsafe` from where those are not enabled, by who holds a token.
macro_rules! calls {
    ($word:ident, $v:ty, $feature:literal) => {
        /// The cipher, or the inverse one (`DEC`).
        #[target_feature(enable = $feature)]
        #[inline(never)]
        pub(in crate::cpu) fn cipher<const DEC: bool, const EACH: bool>(
            x: &mut [$v],
            first: &[$v],
            middle: &[$v],
            last: &[$v],
            rounds: usize,
        ) {
            if DEC {
                wide::decrypt::<$word, EACH>(x, first, middle, last, rounds);
            } else {
                wide::encrypt::<$word, EACH>(x, first, middle, last, rounds);
            }
        }

        /// A round without its key.
        #[target_feature(enable = $feature)]
        #[inline(never)]
        pub(in crate::cpu) fn round<const LAST: bool>(x: &mut [$v; wide::GROUP]) {
            wide::round::<$word, LAST>(x);
        }
    };
}
pub(super) use calls;
