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
use super::word::Word;

/// Blocks for which a cipher costs no more than for one: the most that a slice has.
pub(super) const GROUP: usize = 8;

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
    /// Adds key `r` to the `n` blocks of the state, which begin at block `at` of all.
    fn add(self, s: &mut Slices<W>, r: usize, at: usize, n: usize);
}

/// One key for all blocks.
#[derive(Clone, Copy)]
struct Shared<'a, V>(&'a [V]);
impl<W: Word> Middle<W> for Shared<'_, W::V> {
    #[inline(always)]
    fn add(self, s: &mut Slices<W>, r: usize, _: usize, _: usize) {
        for b in 0..8 {
            s[b] = s[b] ^ W::spread(self.0[r], b);
        }
    }
}

/// A key for each block: for each round so many, one after the other.
#[derive(Clone, Copy)]
struct Each<'a, V>(&'a [V], usize);
impl<W: Word> Middle<W> for Each<'_, W::V> {
    #[inline(always)]
    fn add(self, s: &mut Slices<W>, r: usize, at: usize, n: usize) {
        let keys = &self.0[r * self.1 + at..][..n];
        let mut t = [W::join([0; 2]); GROUP];
        for j in 0..W::BLOCKS {
            if j < n {
                t[j] = keys[j];
            }
        }
        let k = W::pack(&t[..W::BLOCKS]);
        for b in 0..8 {
            s[b] = s[b] ^ k[b];
        }
    }
}

/// The slices of `W::BLOCKS` blocks.
#[inline(always)]
fn slices<W: Word>(x: &[W::V]) -> Slices<W> {
    let mut t = [x[0]; GROUP];
    for j in 0..W::BLOCKS {
        t[j] = W::compact(x[j]);
    }
    W::pack(&t[..W::BLOCKS])
}

/// The inverse of `slices`.
#[inline(always)]
fn blocks<W: Word>(s: Slices<W>, x: &mut [W::V]) {
    W::unpack(s, x);
    for j in 0..W::BLOCKS {
        x[j] = W::restore(x[j]);
    }
}

/// The slices of at most `W::BLOCKS` blocks, to each of which `k` is added: from
/// registers, as a copy in memory would be waited for.
#[inline(always)]
fn load<W: Word>(x: &[W::V], k: &[W::V]) -> Slices<W> {
    let (n, mut t) = (x.len(), [W::join([0; 2]); GROUP]);
    let k = &k[..n];
    for j in 0..W::BLOCKS {
        if j < n {
            t[j] = W::xor(x[j], k[j]);
        }
    }
    slices::<W>(&t)
}

/// The inverse of `load`; `k` is added to the blocks.
#[inline(always)]
fn store<W: Word>(s: Slices<W>, x: &mut [W::V], k: &[W::V]) {
    let (n, mut t) = (x.len(), [W::join([0; 2]); GROUP]);
    let k = &k[..n];
    blocks(s, &mut t[..W::BLOCKS]);
    for j in 0..W::BLOCKS {
        if j < n {
            x[j] = W::xor(t[j], k[j]);
        }
    }
}

/// The cipher; `first` and `last` have a key for each block, `k` are those between,
/// `middle` of them.
#[inline(always)]
fn encrypt_with<W: Word, K: Middle<W>>(x: &mut [W::V], first: &[W::V], k: K, middle: usize, last: &[W::V]) {
    for (i, x) in x.chunks_mut(W::BLOCKS).enumerate() {
        let (at, n) = (i * W::BLOCKS, x.len());
        let s = &mut load::<W>(x, &first[at..]);
        let mut r = 0;
        loop {
            sbox::sub(s);
            mix::<W, 1, 2>(s);
            k.add(s, r, at, n);
            if r + 1 >= middle {
                break;
            }
            sbox::sub(s);
            mix::<W, 2, 0>(s);
            k.add(s, r + 1, at, n);
            sbox::sub(s);
            mix::<W, 3, 2>(s);
            k.add(s, r + 2, at, n);
            if r + 3 >= middle {
                break;
            }
            sbox::sub(s);
            mix::<W, 0, 0>(s);
            k.add(s, r + 3, at, n);
            r += 4;
        }
        sbox::sub(s);
        constant(s);
        // The ShiftRows of all rounds are due: 10 and 14 make two, 12 make none.
        if middle % 4 == 1 {
            shift_rows_twice(s);
        }
        store(*s, x, &last[at..]);
    }
}

/// The same backwards.
#[inline(always)]
fn decrypt_with<W: Word, K: Middle<W>>(x: &mut [W::V], first: &[W::V], k: K, middle: usize, last: &[W::V]) {
    for (i, x) in x.chunks_mut(W::BLOCKS).enumerate() {
        let (at, n) = (i * W::BLOCKS, x.len());
        let s = &mut load::<W>(x, &first[at..]);
        if middle % 4 == 1 {
            shift_rows_twice(s);
        }
        constant(s);
        sbox::inv_sub(s);
        // `r` keys are left, the last of them lagging `r` modulo 4.
        let mut r = middle;
        loop {
            if r % 4 == 3 {
                k.add(s, middle - r, at, n);
                inv_mix::<W, 3, 2>(s);
                sbox::inv_sub(s);
                k.add(s, middle - r + 1, at, n);
                inv_mix::<W, 2, 0>(s);
                sbox::inv_sub(s);
                r -= 2;
            }
            k.add(s, middle - r, at, n);
            inv_mix::<W, 1, 2>(s);
            sbox::inv_sub(s);
            if r <= 1 {
                break;
            }
            k.add(s, middle - r + 1, at, n);
            inv_mix::<W, 0, 0>(s);
            sbox::inv_sub(s);
            r -= 2;
        }
        store(*s, x, &last[at..]);
    }
}

/// The cipher over any number of blocks, each with its first and last key; the keys
/// between are the same for all.
#[inline(never)]
pub(super) fn encrypt<W: Word>(x: &mut [W::V], first: &[W::V], middle: &[W::V], last: &[W::V]) {
    encrypt_with::<W, _>(x, first, Shared(middle), middle.len(), last);
}

/// The same where each block has its own: in `middle`, for each round as many as in `x`.
#[inline(never)]
pub(super) fn encrypt_each<W: Word>(x: &mut [W::V], first: &[W::V], middle: &[W::V], last: &[W::V]) {
    let n = x.len();
    encrypt_with::<W, _>(x, first, Each(middle, n), middle.len() / n, last);
}

/// The inverse cipher, likewise; keys are in the order of use.
#[inline(never)]
pub(super) fn decrypt<W: Word>(x: &mut [W::V], first: &[W::V], middle: &[W::V], last: &[W::V]) {
    decrypt_with::<W, _>(x, first, Shared(middle), middle.len(), last);
}

/// The same where each block has its own: in `middle`, for each round as many as in `x`.
#[inline(never)]
pub(super) fn decrypt_each<W: Word>(x: &mut [W::V], first: &[W::V], middle: &[W::V], last: &[W::V]) {
    let n = x.len();
    decrypt_with::<W, _>(x, first, Each(middle, n), middle.len() / n, last);
}

/// SubBytes, ShiftRows and, unless it is the `LAST` round's, MixColumns of whole groups of
/// `W::BLOCKS` blocks.
#[inline(never)]
pub(super) fn round<W: Word, const LAST: bool>(x: &mut [W::V]) {
    for x in x.chunks_exact_mut(W::BLOCKS) {
        let s = &mut slices::<W>(x);
        sbox::sub(s);
        constant(s);
        shift_rows(s);
        if !LAST {
            mix::<W, 0, 0>(s);
        }
        blocks(*s, x);
    }
}
