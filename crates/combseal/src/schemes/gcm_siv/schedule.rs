//! The key schedules of several lanes at once (FIPS 197, sect. 5.2). Word `i` of four keys in each
//! lane of four registers is made one register: then a word of all of them takes one instruction
//! where a schedule by itself shifts and adds up its four, and one last round of the cipher
//! substitutes for sixteen keys in a register of four blocks.

use super::SivAes;
use crate::cpu::{Aes, Backend, Block, Keys, Schedule};
use crate::memory::wipe::Wipe;
use core::marker::PhantomData;

/// FIPS 197's RCON, in every word.
static RCON: [Block; 10] = {
    let (mut t, mut c, mut r) = ([[0; 16]; 10], 1u32, 0);
    while r < 10 {
        t[r] = (c as u128 * 0x1_0000_0001_0000_0001_0000_0001).to_le_bytes();
        c = c << 1 ^ (c >> 7) * 0x11b;
        r += 1;
    }
    t
};

/// Where the last round's ShiftRows takes each byte from, undone: column `d`, row `i` has row
/// `i + turn` of column `d - i`, so that what comes out is SubWord of each word, with `turn` 1 of
/// RotWord of it.
const fn unshifted(turn: usize) -> Block {
    let (mut t, mut at) = ([0; 16], 0);
    while at < 16 {
        let (d, i) = (at / 4, at % 4);
        t[at] = (4 * ((d + 4 - i) % 4) + (i + turn) % 4) as u8;
        at += 1;
    }
    t
}
static PLAIN: Block = unshifted(0);
static TURNED: Block = unshifted(1);

/// Round keys: key by key, lane by lane. On the stack, and to be [wiped](Self::wipe) after use.
#[repr(C, align(64))]
pub(super) struct Rounds<const L: usize>(pub [[Block; L]; 15]);

impl<const L: usize> Rounds<L> {
    /// None yet.
    #[inline(always)]
    pub fn new() -> Self {
        Self([[[0; 16]; L]; 15])
    }

    #[inline(always)]
    fn put<B: Backend, const R: usize>(&mut self, b: B, r: usize, keys: &[B::V; R]) {
        for j in 0..R {
            b.store(&mut self.0[r].as_flattened_mut()[j * B::BYTES..], keys[j]);
        }
    }

    /// Zeroes those of `rounds` rounds.
    #[inline(always)]
    pub fn wipe(&mut self, rounds: usize) {
        for keys in &mut self.0[..=rounds] {
            keys.wipe();
        }
    }
}

/// Each lane with its own.
pub(super) struct Each<'r, A, const L: usize>(pub &'r Rounds<L>, pub PhantomData<A>);
impl<B: Backend, A: Aes, const L: usize> Keys<B> for Each<'_, A, L> {
    const ROUNDS: usize = <A::Enc as Schedule>::ROUNDS;
    const SHARED: bool = false;
    const IN_STEP: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        b.load(&self.0.0[r].as_flattened()[j * B::BYTES..])
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        A::ROUNDS < <A::Enc as Schedule>::ROUNDS
    }
}

/// Makes all round keys of the keys in `key[0]`, with AES-256 their second halves in `key[1]`; and
/// if they are to be used at once (`ENCRYPT`), encrypts `x` with them meanwhile: a schedule waits for
/// each substitution longer than the cipher for a round.
#[inline(always)]
pub(super) fn expand<B: Backend, A: SivAes, const R: usize, const L: usize, const ENCRYPT: bool>(
    b: B,
    key: &[[B::V; R]; 2],
    rounds: &mut Rounds<L>,
    x: &mut [B::V; R],
) {
    let mut schedules = Schedules::<B, A, R>::new(b, key);
    rounds.put(b, 0, &key[0]);
    if ENCRYPT {
        for j in 0..R {
            x[j] = b.xor(x[j], key[0][j]);
        }
    }
    let wide = A::KEY_LEN > 16;
    if wide {
        rounds.put(b, 1, &key[1]);
        round::<B, R, ENCRYPT>(b, x, key[1]);
    }
    let last = if wide { 7 } else { 10 };
    for n in 1..last {
        let keys = schedules.turned(n);
        rounds.put(b, if wide { 2 * n } else { n }, &keys);
        round::<B, R, ENCRYPT>(b, x, keys);
        if wide {
            let keys = schedules.plain();
            rounds.put(b, 2 * n + 1, &keys);
            round::<B, R, ENCRYPT>(b, x, keys);
        }
    }
    let keys = schedules.turned(last);
    rounds.put(b, A::ROUNDS, &keys);
    if ENCRYPT {
        *x = b.last_round(*x, keys);
    }
}

#[inline(always)]
fn round<B: Backend, const R: usize, const ENCRYPT: bool>(b: B, x: &mut [B::V; R], keys: [B::V; R]) {
    if ENCRYPT {
        *x = b.round(*x, keys);
    }
}

/// The schedules of the keys in `R` registers, a multiple of four, a lane each: round keys one by
/// one, in order.
struct Schedules<B: Backend, A, const R: usize> {
    b: B,
    /// The words of the last round key of an even number, and of AES-256 the last of an odd one:
    /// registers `4 g` to `4 g + 3` have words 0 to 3 of the keys in these four.
    even: [B::V; R],
    odd: [B::V; R],
    of: PhantomData<A>,
}

impl<B: Backend, A: SivAes, const R: usize> Schedules<B, A, R> {
    /// Of keys that are in `key[0]`, with AES-256 their second halves in `key[1]`: as round keys
    /// 0 and 1.
    #[inline(always)]
    fn new(b: B, key: &[[B::V; R]; 2]) -> Self {
        let odd = if A::KEY_LEN > 16 { words(b, &key[1]) } else { key[1] };
        Self { b, even: words(b, &key[0]), odd, of: PhantomData }
    }

    /// Round key `2 n` with AES-256, from 2 on; `n` with AES-128, from 1 on.
    #[inline(always)]
    fn turned(&mut self, n: usize) -> [B::V; R] {
        let (b, last) = (self.b, if A::KEY_LEN > 16 { &self.odd } else { &self.even });
        let mut from = [b.zero(); R];
        for g in 0..R / 4 {
            from[4 * g] = b.permute(last[4 * g + 3], &TURNED);
        }
        step(b, &mut self.even, &from, b.splat(&RCON[n - 1]));
        words(b, &self.even)
    }

    /// Round key `2 n + 1` of AES-256, from 3 on.
    #[inline(always)]
    fn plain(&mut self) -> [B::V; R] {
        let b = self.b;
        let mut from = [b.zero(); R];
        for g in 0..R / 4 {
            from[4 * g] = b.permute(self.even[4 * g + 3], &PLAIN);
        }
        step(b, &mut self.odd, &from, b.zero());
        words(b, &self.odd)
    }
}

/// The next words: the first with what the last round of the cipher makes of `from`, each other with
/// the one before it. From the words before alone, so that they are there together.
#[inline(always)]
fn step<B: Backend, const R: usize>(b: B, w: &mut [B::V; R], from: &[B::V; R], rcon: B::V) {
    for g in 0..R / 4 {
        let i = 4 * g;
        let upto2 = b.xor(w[i + 1], w[i + 2]);
        let upto3 = b.xor(upto2, w[i + 3]);
        let [next] = b.last_round([from[i]], [b.xor(w[i], rcon)]);
        w[i] = next;
        w[i + 1] = b.xor(w[i + 1], next);
        w[i + 2] = b.xor(upto2, next);
        w[i + 3] = b.xor(upto3, next);
    }
}

/// Keys as words, and words as keys.
#[inline(always)]
fn words<B: Backend, const R: usize>(b: B, v: &[B::V; R]) -> [B::V; R] {
    let mut to = *v;
    for g in 0..R / 4 {
        let i = 4 * g;
        [to[i], to[i + 1], to[i + 2], to[i + 3]] = b.transpose32([v[i], v[i + 1], v[i + 2], v[i + 3]]);
    }
    to
}
