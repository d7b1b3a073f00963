//! The cipher over bit slices: slice `b` of a group holds bit `b` of each byte
//! of several blocks, and one word operation works on all of them.
//!
//! ShiftRows is never done: after `r` rounds the state is ShiftRows^-r of the
//! true one, and MixColumns takes its rows from where they are, with a distance
//! that depends on `r` modulo 4 (Adomnicai and Peyrin, "Fixslicing AES-like
//! ciphers", TCHES 2021, section 3). The middle round keys are kept turned the
//! same way, and with the S-box's constant added (`expand.rs`); their form is
//! that of a block that [`Word::compact`] made, sixteen bytes each, spread over
//! the slices where they are used.

use super::sbox;
use core::ops::{BitAnd, BitXor, Not};

/// A block as two little-endian halves.
pub type Halves = [u64; 2];

/// Blocks that a call works on at most.
pub(super) const GROUP: usize = 8;

/// A register for each block of a call.
pub type Group<W> = [<W as Word>::V; GROUP];

/// A bit slice: a bit of each byte of `BLOCKS` blocks.
pub trait Word:
    Copy + Send + Sync + 'static + BitAnd<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// A register: one block.
    type V: Copy;
    /// How many blocks, a divisor of `GROUP`.
    const BLOCKS: usize;
    /// A block in a register.
    fn join(h: Halves) -> Self::V;
    /// The inverse of `join`.
    fn split(v: Self::V) -> Halves;
    /// `a ^ b`.
    fn xor(a: Self::V, b: Self::V) -> Self::V;
    /// `a & b`.
    fn and(a: Self::V, b: Self::V) -> Self::V;
    /// As `Backend::clmul`.
    fn clmul<const IMM: i32>(a: Self::V, b: Self::V) -> Self::V;
    /// The bits of a block or key in the order that suits `pack` and `spread`.
    fn compact(v: Self::V) -> Self::V;
    /// The inverse of `compact`.
    fn restore(v: Self::V) -> Self::V;
    /// The slices of `BLOCKS` compact blocks.
    fn pack(x: &[Self::V]) -> [Self; 8];
    /// The inverse of `pack`.
    fn unpack(slices: [Self; 8], x: &mut [Self::V]);
    /// Slice `bit` of a compact key, the same for all blocks.
    fn spread(key: Self::V, bit: usize) -> Self;
    /// Moves each bit up by `ROWS` rows (0, 1 or 2) and left by `COLS` columns,
    /// around the edges.
    fn turn<const ROWS: usize, const COLS: usize>(self) -> Self;
    /// `other` in the rows whose bits in `ROWS` are set, `self` in the rest.
    fn merge<const ROWS: u8>(self, other: Self) -> Self;
}

/// The state: a slice for each bit of a byte.
type Slices<W> = [W; 8];

/// The S-box's constant, 0x63 in every byte.
#[inline(always)]
fn constant<W: Word>(s: &mut Slices<W>) {
    s[0] = !s[0];
    s[1] = !s[1];
    s[5] = !s[5];
    s[6] = !s[6];
}

/// ShiftRows.
#[inline(always)]
fn shift_rows<W: Word>(s: &mut Slices<W>) {
    for b in 0..8 {
        let x = s[b].merge::<0b1100>(s[b].turn::<0, 2>());
        s[b] = x.merge::<0b1010>(x.turn::<0, 1>());
    }
}

/// ShiftRows twice, its own inverse.
#[inline(always)]
fn shift_rows_twice<W: Word>(s: &mut Slices<W>) {
    for b in 0..8 {
        s[b] = s[b].merge::<0b1010>(s[b].turn::<0, 2>());
    }
}

/// `x` times the field's element x, bit by bit: bit `i` of 2x is bit `i - 1` of
/// `x`, and bit 7 is added to bits 0, 1, 3 and 4.
macro_rules! double {
    ($x:ident, $i:expr) => {
        match $i {
            0 => $x[7],
            1 | 3 | 4 => $x[$i - 1] ^ $x[7],
            i => $x[i - 1],
        }
    };
}

/// MixColumns of a state that lags `C1` ShiftRows behind; `C2` is `2 * C1 % 4`.
///
/// With `b` the row below `a`, and `c = a ^ b`, a row becomes 2a + 3b and the two
/// rows after: 2c, b, and the `c` of two rows on.
#[inline(always)]
fn mix<W: Word, const C1: usize, const C2: usize>(s: &mut Slices<W>) {
    let (mut b, mut c) = (*s, *s);
    for i in 0..8 {
        b[i] = s[i].turn::<1, C1>();
        c[i] = s[i] ^ b[i];
    }
    for i in 0..8 {
        s[i] = c[i].turn::<2, C2>() ^ b[i] ^ double!(c, i);
    }
}

/// The inverse of `mix`: its matrix is MixColumns' times (5, 0, 4, 0).
#[inline(always)]
fn inv_mix<W: Word, const C1: usize, const C2: usize>(s: &mut Slices<W>) {
    // a + 4 (a + a two rows on), by two doublings of the sum.
    let mut c = *s;
    for i in 0..8 {
        c[i] = s[i] ^ s[i].turn::<2, C2>();
    }
    let mut d = c;
    for i in 0..8 {
        d[i] = double!(c, i);
    }
    for i in 0..8 {
        s[i] = s[i] ^ double!(d, i);
    }
    mix::<W, C1, C2>(s);
}

/// The middle keys, in the order of use.
trait Middle<W: Word>: Copy {
    /// How many.
    fn count(self) -> usize;
    /// Adds key `r` to the blocks that begin at number `at` of the group.
    fn add(self, s: &mut Slices<W>, r: usize, at: usize);
}

/// One key for all blocks.
#[derive(Clone, Copy)]
struct Shared<'a, V>(&'a [V]);
impl<W: Word> Middle<W> for Shared<'_, W::V> {
    #[inline(always)]
    fn count(self) -> usize {
        self.0.len()
    }
    #[inline(always)]
    fn add(self, s: &mut Slices<W>, r: usize, _: usize) {
        for b in 0..8 {
            s[b] = s[b] ^ W::spread(self.0[r], b);
        }
    }
}

/// A key for each block.
#[derive(Clone, Copy)]
struct Each<'a, V>(&'a [[V; GROUP]]);
impl<W: Word> Middle<W> for Each<'_, W::V> {
    #[inline(always)]
    fn count(self) -> usize {
        self.0.len()
    }
    #[inline(always)]
    fn add(self, s: &mut Slices<W>, r: usize, at: usize) {
        let k = W::pack(&self.0[r][at..at + W::BLOCKS]);
        for b in 0..8 {
            s[b] = s[b] ^ k[b];
        }
    }
}

/// The slices of `W::BLOCKS` blocks.
#[inline(always)]
fn load<W: Word>(x: &[W::V]) -> Slices<W> {
    let mut t = [x[0]; GROUP];
    for j in 0..W::BLOCKS {
        t[j] = W::compact(x[j]);
    }
    W::pack(&t[..W::BLOCKS])
}

/// The inverse of `load`.
#[inline(always)]
fn store<W: Word>(s: Slices<W>, x: &mut [W::V]) {
    W::unpack(s, x);
    for j in 0..W::BLOCKS {
        x[j] = W::restore(x[j]);
    }
}

/// The rounds of the cipher but for the first and the last key. The length of
/// `x` is a multiple of `W::BLOCKS`, at most `GROUP`.
#[inline(always)]
fn encrypt_with<W: Word, K: Middle<W>>(x: &mut [W::V], k: K) {
    let rounds = k.count();
    for at in (0..x.len()).step_by(W::BLOCKS) {
        let s = &mut load::<W>(&x[at..at + W::BLOCKS]);
        let mut r = 0;
        loop {
            sbox::sub(s);
            mix::<W, 1, 2>(s);
            k.add(s, r, at);
            if r + 1 >= rounds {
                break;
            }
            sbox::sub(s);
            mix::<W, 2, 0>(s);
            k.add(s, r + 1, at);
            sbox::sub(s);
            mix::<W, 3, 2>(s);
            k.add(s, r + 2, at);
            if r + 3 >= rounds {
                break;
            }
            sbox::sub(s);
            mix::<W, 0, 0>(s);
            k.add(s, r + 3, at);
            r += 4;
        }
        sbox::sub(s);
        constant(s);
        // The ShiftRows of all rounds are due: 10 and 14 make two, 12 make none.
        if rounds % 4 == 1 {
            shift_rows_twice(s);
        }
        store(*s, &mut x[at..at + W::BLOCKS]);
    }
}

/// The same backwards.
#[inline(always)]
fn decrypt_with<W: Word, K: Middle<W>>(x: &mut [W::V], k: K) {
    let rounds = k.count();
    for at in (0..x.len()).step_by(W::BLOCKS) {
        let s = &mut load::<W>(&x[at..at + W::BLOCKS]);
        if rounds % 4 == 1 {
            shift_rows_twice(s);
        }
        constant(s);
        sbox::inv_sub(s);
        // `r` keys are left, the last of them lagging `r` modulo 4.
        let mut r = rounds;
        loop {
            if r % 4 == 3 {
                k.add(s, rounds - r, at);
                inv_mix::<W, 3, 2>(s);
                sbox::inv_sub(s);
                k.add(s, rounds - r + 1, at);
                inv_mix::<W, 2, 0>(s);
                sbox::inv_sub(s);
                r -= 2;
            }
            k.add(s, rounds - r, at);
            inv_mix::<W, 1, 2>(s);
            sbox::inv_sub(s);
            if r <= 1 {
                break;
            }
            k.add(s, rounds - r + 1, at);
            inv_mix::<W, 0, 0>(s);
            sbox::inv_sub(s);
            r -= 2;
        }
        store(*s, &mut x[at..at + W::BLOCKS]);
    }
}

/// The cipher without its first and last key; `k` are the middle keys.
#[inline(never)]
pub(super) fn encrypt<W: Word>(x: &mut [W::V], k: &[W::V]) {
    encrypt_with::<W, _>(x, Shared(k));
}

/// The same with a key for each block.
#[inline(never)]
pub(super) fn encrypt_each<W: Word>(x: &mut [W::V], k: &[Group<W>]) {
    encrypt_with::<W, _>(x, Each(k));
}

/// The inverse cipher without its first and last key; `k` are the middle keys
/// in the order of use.
#[inline(never)]
pub(super) fn decrypt<W: Word>(x: &mut [W::V], k: &[W::V]) {
    decrypt_with::<W, _>(x, Shared(k));
}

/// The same with a key for each block.
#[inline(never)]
pub(super) fn decrypt_each<W: Word>(x: &mut [W::V], k: &[Group<W>]) {
    decrypt_with::<W, _>(x, Each(k));
}

/// SubBytes, ShiftRows and MixColumns.
#[inline(never)]
pub(super) fn round<W: Word>(x: &mut [W::V]) {
    for c in x.chunks_exact_mut(W::BLOCKS) {
        let s = &mut load::<W>(c);
        sbox::sub(s);
        constant(s);
        shift_rows(s);
        mix::<W, 0, 0>(s);
        store(*s, c);
    }
}
