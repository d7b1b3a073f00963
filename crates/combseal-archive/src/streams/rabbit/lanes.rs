//! Rabbit in lanes: the words of up to sixteen messages in a register, in constant time.

use super::super::lanes32::{GROUP, InLanes, Words, words, xor_group};
use super::super::side_by_side::{Lane, SideBySide};
use super::{A, Rabbit};
use combseal::Cpu;
use combseal::cpu::{Backend, Block};

/// The states, the counters and their carries.
pub struct Going<V> {
    x: [V; 8],
    c: [V; 8],
    carry: V,
}

/// The low word of each sum's square, XORed with its high word. There are products of every second
/// word alone; a square and itself turned by a word has the XOR in both of its words.
#[inline(always)]
fn g<B: Backend>(b: B, x: B::V, c: B::V) -> B::V {
    let sum = b.add32(x, c);
    let odd = b.shr64(sum, 32);
    let (even, odd) = (b.mul32(sum, sum), b.mul32(odd, odd));
    // The even words' low halves and the odd words' in their places, and likewise the high ones'.
    let low_words = b.splat64(0xffff_ffff);
    let low = b.or(b.and(even, low_words), b.shl64(odd, 32));
    let high = b.or(b.shr64(even, 32), b.xor(odd, b.and(odd, low_words)));
    b.xor(low, high)
}

/// `$body` for each `$j`, written out.
macro_rules! each {
    ($j:ident of $($n:literal)*, $body:block) => {$({
        const $j: usize = $n;
        $body
    })*};
}

/// One iteration of the whole state.
#[inline(always)]
fn step<B: Backend>(b: B, it: &mut Going<B::V>) {
    let mut y = [b.zero(); 8];
    each!(J of 0 1 2 3 4 5 6 7, {
        const A_J: u32 = (A[J / 2] >> (32 * (J % 2))) as u32;
        let before = it.c[J];
        let sum = b.add32(b.add32(before, b.splat32(A_J)), it.carry);
        // What leaves the highest bit: if only one of the two had it, that it is gone.
        let gone = b.xor(sum, b.splat32(!0));
        let left = if A_J >> 31 == 1 { b.or(before, gone) } else { b.and(before, gone) };
        it.carry = b.shr32::<31>(left);
        it.c[J] = sum;
        y[J] = g(b, it.x[J], sum);
    });
    each!(J of 0 2 4 6, {
        let (before, second) = (y[(J + 7) % 8], y[(J + 6) % 8]);
        it.x[J] = b.add32(b.add32(y[J], b.rol32::<16>(before)), b.rol32::<16>(second));
        it.x[J + 1] = b.add32(b.add32(y[J + 1], b.rol32::<8>(y[J])), before);
    });
}

/// The next sixteen bytes.
#[inline(always)]
fn four<B: Backend>(b: B, it: &mut Going<B::V>) -> Words<B> {
    step(b, it);
    let x = &it.x;
    let mut z = [b.zero(); 4];
    for i in 0..4 {
        let j = 2 * i;
        let high = b.shr32::<16>(x[(j + 5) % 8]);
        z[i] = b.xor(x[j], b.xor(high, b.shl32::<16>(x[(j + 3) % 8])));
    }
    z
}

impl InLanes for Rabbit {
    type Going<B: Backend> = Going<B::V>;
    const HALVES: bool = true;

    #[inline(always)]
    fn begin<B: Backend>(b: B, keys: &[&Self; GROUP], nonces: &[Block; GROUP]) -> Going<B::V> {
        let part = |q: usize| words(b, |j| &keys[j].words[q]);
        let ([x0, x1, x2, x3], [x4, x5, x6, x7]) = (part(0), part(1));
        let ([c0, c1, c2, c3], [c4, c5, c6, c7]) = (part(2), part(3));
        let ([carry, ..], [low, high, ..]) = (part(4), words(b, |j| &nonces[j]));
        let upper = b.splat32(0xffff_0000);
        let i1 = b.or(b.and(high, upper), b.shr32::<16>(low));
        let i3 = b.or(b.shl32::<16>(high), b.xor(low, b.and(low, upper)));
        let mut it = Going { x: [x0, x1, x2, x3, x4, x5, x6, x7], c: [c0, c1, c2, c3, c4, c5, c6, c7], carry };
        for j in 0..8 {
            it.c[j] = b.xor(it.c[j], [low, i1, high, i3][j % 4]);
        }
        for _ in 0..4 {
            step(b, &mut it);
        }
        it
    }

    #[inline(always)]
    fn four<B: Backend>(b: B, it: &mut Going<B::V>) -> Words<B> {
        four(b, it)
    }

    #[inline(always)]
    fn sixteen<B: Backend>(b: B, it: &mut Going<B::V>) -> [Words<B>; 4] {
        [four(b, it), four(b, it), four(b, it), four(b, it)]
    }
}

impl SideBySide for Rabbit {
    const GROUP: usize = GROUP;
    const LANES: &'static str = "16 lanes of 32 bits";

    fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]) {
        xor_group(cpu, lanes);
    }
}
