//! SOSEMANUK in lanes: the words of up to sixteen messages in a register. The multiplications by alpha
//! are look-ups in registers of sixteen words: where there are such, time and addresses are the same
//! for every key.

use super::super::alpha::times_and_over;
use super::super::lanes32::{GROUP, InLanes, Words, words, xor_group};
use super::super::side_by_side::{Lane, SideBySide};
use super::Sosemanuk;
use super::sboxes::{Logic, Slices, sbox};
use super::serpent::{Subkeys, encrypt};
use combseal::Cpu;
use combseal::cpu::{Backend, Block};

/// The shift registers and the finite state machines.
pub struct Going<V> {
    s: [V; 10],
    r: [V; 2],
}

impl<B: Backend> Subkeys<Slices<B>> for [&Sosemanuk; GROUP] {
    #[inline(always)]
    fn subkey(&self, l: Slices<B>, i: usize) -> Words<B> {
        words(l.0, |j| &self[j].keys[i])
    }
}

/// R1 times the machine's constant, rotated: there are products of every second word alone.
#[inline(always)]
fn product<B: Backend>(b: B, r: B::V) -> B::V {
    let factor = b.splat64(0x5465_5307);
    let even = b.and(b.mul32(r, factor), b.splat64(0xffff_ffff));
    let odd = b.shl64(b.mul32(b.shr64(r, 32), factor), 32);
    b.rol32::<7>(b.or(even, odd))
}

/// Step `i`, when word `i` of the array is the oldest. Gives the machine's word and the oldest word.
#[inline(always)]
fn step<B: Backend>(b: B, it: &mut Going<B::V>, i: usize) -> [B::V; 2] {
    let (s, [r1, r2]) = (&mut it.s, it.r);
    // All bits where R1 is even.
    let even = b.add32(b.and(r1, b.splat32(1)), b.splat32(!0));
    let word = b.xor(s[(i + 1) % 10], Slices(b).but(even, s[(i + 8) % 10]));
    it.r = [b.add32(r2, word), product(b, r1)];
    let newest = s[(i + 9) % 10];
    let f = b.xor(b.add32(newest, it.r[0]), it.r[1]);
    let oldest = s[i % 10];
    s[i % 10] = b.xor(newest, times_and_over(b, oldest, s[(i + 3) % 10]));
    [f, oldest]
}

/// Four steps, of which the first is `i`.
#[inline(always)]
fn four<B: Backend>(b: B, it: &mut Going<B::V>, i: usize) -> Words<B> {
    let ([a, w], [e, x]) = (step(b, it, i), step(b, it, i + 1));
    let ([c, y], [d, z]) = (step(b, it, i + 2), step(b, it, i + 3));
    let [a, e, c, d] = sbox::<_, 2>(Slices(b), [a, e, c, d]);
    [b.xor(a, w), b.xor(e, x), b.xor(c, y), b.xor(d, z)]
}

impl InLanes for Sosemanuk {
    type Going<B: Backend> = Going<B::V>;
    const HALVES: bool = false;

    #[inline(always)]
    fn begin<B: Backend>(b: B, keys: &[&Self; GROUP], nonces: &[Block; GROUP]) -> Going<B::V> {
        let [last, middle, first] = encrypt(Slices(b), words(b, |j| &nonces[j]), keys);
        let [d, c, a1, a0] = last;
        let [r1, e, r2, g] = middle;
        let [j, i, h, f] = first;
        Going { s: [a0, a1, c, d, e, g, f, h, i, j], r: [r1, r2] }
    }

    #[inline(always)]
    fn four<B: Backend>(b: B, it: &mut Going<B::V>) -> Words<B> {
        let z = four(b, it, 0);
        it.s.rotate_left(4);
        z
    }

    #[inline(always)]
    fn sixteen<B: Backend>(b: B, it: &mut Going<B::V>) -> [Words<B>; 4] {
        let z = [four(b, it, 0), four(b, it, 4), four(b, it, 8), four(b, it, 12)];
        it.s.rotate_left(6);
        z
    }
}

impl SideBySide for Sosemanuk {
    const GROUP: usize = GROUP;
    const LANES: &'static str = "16 lanes of 32 bits";

    fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]) {
        xor_group(cpu, lanes);
    }
}
