//! MICKEY-128's messages side by side: of each register 32 stages of each message in a lane of 32 bits,
//! in five registers of the CPU.

use super::{COMP0, COMP1, Mickey128, R_MASK, Register, S_MASK0, S_MASK1, STAGES};
use crate::streams::lanes::{Group, InLanes, Words, gathered};
use crate::streams::side_by_side::{Lane, SideBySide};
use combseal::Cpu;
use combseal::cpu::{Backend, Block};

impl SideBySide for Mickey128 {
    const GROUP: usize = 16;
    const LANES: &'static str = "lanes of 32 bits";

    fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]) {
        cpu.run(Group(lanes));
    }
}

/// The registers R and S, each in words of 32 bits.
type Going<T> = [[T; 5]; 2];

/// The bytes of each word in reverse order.
const REVERSED: Block = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

impl InLanes for Mickey128 {
    const WORD: usize = 4;
    const REGISTERS: usize = 1;
    type Going<T: Copy> = Going<T>;

    #[inline(always)]
    fn begin<B: Backend>(b: B, lanes: &[Lane<'_, Self>]) -> Going<Words<B>> {
        let zero = Words(b, b.zero());
        let mut going = [[zero; 5]; 2];
        // Where a nonce has less than sixteen bytes, its message begins later.
        for i in 0..16 {
            let [bits, begun] = gathered(b, 4, |p| match lanes.get(p) {
                Some(lane) => match (i + lane.nonce.len()).checked_sub(16) {
                    Some(at) => [u64::from(lane.nonce[at]), u64::MAX],
                    None => [0; 2],
                },
                None => [0; 2],
            });
            load_byte(b, &mut going, bits);
            for register in &mut going {
                for word in register {
                    *word = *word & begun;
                }
            }
        }
        for i in 0..16 {
            let [bits] = gathered(b, 4, |p| [lanes.get(p).map_or(0, |lane| u64::from(lane.cipher.0.bytes[i]))]);
            load_byte(b, &mut going, bits);
        }
        for _ in 0..STAGES {
            step::<B, true>(b, &mut going, zero);
        }
        going
    }

    #[inline(always)]
    fn next<B: Backend>(b: B, going: &mut Going<Words<B>>) -> [Words<B>; 2] {
        let zero = Words(b, b.zero());
        let mut bits = zero;
        for _ in 0..32 {
            let z = (going[0][0] ^ going[1][0]) & Words(b, b.splat32(1));
            bits = Words(b, b.add32(bits.1, bits.1)) ^ z;
            step::<B, false>(b, going, zero);
        }
        // Bits fill bytes from the top, and bytes follow one another.
        let bits = Words(b, b.permute(bits.1, &REVERSED));
        [bits, bits]
    }
}

/// Eight steps with the low eight bits of each word as input, the highest first.
#[inline(always)]
fn load_byte<B: Backend>(b: B, going: &mut Going<Words<B>>, mut bits: Words<B>) {
    for _ in 0..8 {
        step::<B, true>(b, going, Words(b, b.shr32::<7>(bits.1)));
        bits = Words(b, b.add32(bits.1, bits.1));
    }
}

/// Zero where bit 0 is one, else all ones.
#[inline(always)]
fn unless<B: Backend>(b: B, bit: Words<B>) -> Words<B> {
    let bit = bit & Words(b, b.splat32(1));
    Words(b, b.add32(bit.1, b.splat32(u32::MAX)))
}

/// Stage `i`, in bit 0; what is above it is to be ignored.
#[inline(always)]
fn stage<B: Backend>(b: B, register: &[Words<B>; 5], i: usize) -> Words<B> {
    Words(b, b.shr64(register[i / 32].1, (i % 32) as u32))
}

/// Word `i` of a constant, in every lane.
#[inline(always)]
fn constant<B: Backend>(b: B, of: &Register, i: usize) -> Words<B> {
    Words(b, b.splat32((of[i / 2] >> (32 * (i % 2))) as u32))
}

/// One step, as the plain one is; masks are the other way round. Bit 0 of `input` is both registers' input.
#[inline(always)]
fn step<B: Backend, const MIXING: bool>(b: B, [r, s]: &mut Going<Words<B>>, input: Words<B>) {
    let stays_r = unless(b, stage(b, s, 54) ^ stage(b, r, 106));
    let chooses_s = unless(b, stage(b, r, 53) ^ stage(b, s, 106));
    let mixed = if MIXING { input ^ stage(b, s, 80) } else { input };
    let (not_to_r, not_to_s) = (unless(b, stage(b, r, 159) ^ mixed), unless(b, stage(b, s, 159) ^ input));
    let (old_r, old_s) = (*r, *s);
    for i in 0..5 {
        let up = |x: &[Words<B>; 5]| match i {
            0 => Words(b, b.add32(x[0].1, x[0].1)),
            _ => Words(b, b.funnel32(x[i].1, x[i - 1].1, 1)),
        };
        let down = match i {
            4 => Words(b, b.shr32::<1>(old_s[4].1)),
            _ => Words(b, b.funnel32(old_s[i + 1].1, old_s[i].1, 31)),
        };
        r[i] = up(&old_r) ^ old_r[i] & !stays_r ^ constant(b, &R_MASK, i) & !not_to_r;
        let mut product = (old_s[i] ^ constant(b, &COMP0, i)) & (down ^ constant(b, &COMP1, i));
        // The first stage and the last take part in no product.
        if i == 0 {
            product = product & Words(b, b.splat32(u32::MAX - 1));
        } else if i == 4 {
            product = product & Words(b, b.splat32(u32::MAX >> 1));
        }
        let (mask, other) = (constant(b, &S_MASK0, i), constant(b, &S_MASK0, i) ^ constant(b, &S_MASK1, i));
        s[i] = up(&old_s) ^ product ^ (mask ^ other & !chooses_s) & !not_to_s;
    }
}
