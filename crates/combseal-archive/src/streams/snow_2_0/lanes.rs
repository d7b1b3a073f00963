//! SNOW 2.0 in lanes: the words of up to sixteen messages in a register. Its S-box is an AES round of
//! sixteen columns, and the multiplications are look-ups in registers of sixteen words: where there
//! are such, time and addresses are the same for every key.

use super::super::alpha::times_and_over;
use super::super::lanes32::{GROUP, InLanes, Words, words, xor_group};
use super::super::side_by_side::{Lane, SideBySide};
use super::aesenc::Aesenc;
use super::tables::sixteen;
use combseal::Cpu;
use combseal::cpu::{Backend, Block};

/// The shift registers and the finite state machines.
pub struct Going<V> {
    s: [V; 16],
    r: [V; 2],
}

/// Where ShiftRows will take each byte from: behind this it has no effect.
const UNSHIFT: Block = {
    let mut from = [0; 16];
    let mut i = 0;
    while i < 16 {
        from[i] = ((i + 16 - 4 * (i % 4)) % 16) as u8;
        i += 1;
    }
    from
};

/// Clock `i` of sixteen, when word `i` of the array is the oldest.
#[inline(always)]
fn clock<B: Backend, const START: bool>(b: B, it: &mut Going<B::V>, i: usize) -> B::V {
    let (s, [r1, r2]) = (&mut it.s, it.r);
    let f = b.xor(b.add32(s[(i + 15) % 16], r1), r2);
    let oldest = s[i % 16];
    let new = b.xor(times_and_over(b, oldest, s[(i + 11) % 16]), s[(i + 2) % 16]);
    s[i % 16] = if START { b.xor(new, f) } else { new };
    let [r2_next] = b.round([b.permute(r1, &UNSHIFT)], [b.zero()]);
    it.r = [b.add32(r2, s[(i + 5) % 16]), r2_next];
    b.xor(f, oldest)
}

impl InLanes for Aesenc {
    type Going<B: Backend> = Going<B::V>;
    const HALVES: bool = false;

    #[inline(always)]
    fn begin<B: Backend>(b: B, keys: &[&Self; GROUP], nonces: &[Block; GROUP]) -> Going<B::V> {
        let mut it = Going { s: [b.zero(); 16], r: [b.zero(); 2] };
        for q in 0..4 {
            it.s[4 * q..4 * q + 4].copy_from_slice(&words(b, |j| &keys[j].register[q]));
        }
        let v = words(b, |j| &nonces[j]);
        it.s[14] = b.xor(it.s[14], v[3]);
        it.s[11] = b.xor(it.s[11], v[2]);
        it.s[9] = b.xor(it.s[9], v[1]);
        it.s[8] = b.xor(it.s[8], v[0]);
        for _ in 0..2 {
            sixteen!(i, {
                clock::<B, true>(b, &mut it, i + 15);
            });
        }
        clock::<B, false>(b, &mut it, 15);
        it
    }

    #[inline(always)]
    fn four<B: Backend>(b: B, it: &mut Going<B::V>) -> Words<B> {
        let mut z = [b.zero(); 4];
        for i in 0..4 {
            z[i] = clock::<B, false>(b, it, i);
        }
        it.s.rotate_left(4);
        z
    }

    #[inline(always)]
    fn sixteen<B: Backend>(b: B, it: &mut Going<B::V>) -> [Words<B>; 4] {
        let mut z = [[b.zero(); 4]; 4];
        sixteen!(i, {
            z[i / 4][i % 4] = clock::<B, false>(b, it, i);
        });
        z
    }
}

impl SideBySide for Aesenc {
    const GROUP: usize = GROUP;
    const LANES: &'static str = "16 lanes of 32 bits, AESENC";

    fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]) {
        xor_group(cpu, lanes);
    }
}
