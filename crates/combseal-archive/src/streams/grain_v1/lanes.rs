//! Grain v1's messages side by side: 16 steps of each in a lane of 16 bits.
//!
//! The words of two times 16 steps are put together to words of 32 bits: those of the lanes in even
//! places in one register, those of the lanes in odd places in another.

use super::{GrainV1, linear, nonlinear, output};
use crate::streams::lanes::{Group, InLanes, Words, gathered};
use crate::streams::side_by_side::{Lane, SideBySide};
use combseal::Cpu;
use combseal::cpu::Backend;

impl SideBySide for GrainV1 {
    const GROUP: usize = 32;
    const LANES: &'static str = "lanes of 16 bits";

    fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]) {
        cpu.run(Group(lanes));
    }
}

/// A register of 80 bits, in words of 16.
type Register<T> = [T; 5];

impl InLanes for GrainV1 {
    const WORD: usize = 4;
    const REGISTERS: usize = 2;
    type Going<T: Copy> = [Register<T>; 2];

    #[inline(always)]
    fn begin<B: Backend>(b: B, lanes: &[Lane<'_, Self>]) -> [Register<Words<B>>; 2] {
        let words = gathered::<B, 10>(b, 2, |p| {
            let Some(lane) = lanes.get(p / 2 + p % 2 * (B::BYTES / 4)) else { return [0; 10] };
            let word = |from: &[u8], i| u64::from(u16::from_le_bytes([from[2 * i], from[2 * i + 1]]));
            std::array::from_fn(|i| match i {
                0..5 => word(&lane.cipher.0.bytes, i),
                5..9 => word(lane.nonce, i - 5),
                _ => 0xffff,
            })
        });
        let [b0, b1, b2, b3, b4, s0, s1, s2, s3, s4] = words;
        let mut going = [[b0, b1, b2, b3, b4], [s0, s1, s2, s3, s4]];
        for _ in 0..160 / 16 {
            let z = output(|k| bits(b, &going[0], k), |k| bits(b, &going[1], k));
            advance(b, &mut going, z);
        }
        going
    }

    #[inline(always)]
    fn next<B: Backend>(b: B, going: &mut [Register<Words<B>>; 2]) -> [Words<B>; 2] {
        let none = Words(b, b.zero());
        let low = output(|k| bits(b, &going[0], k), |k| bits(b, &going[1], k));
        advance(b, going, none);
        let high = output(|k| bits(b, &going[0], k), |k| bits(b, &going[1], k));
        advance(b, going, none);
        let (low_half, high_half) = (Words(b, b.splat32(0xffff)), Words(b, b.splat32(0xffff_0000)));
        let even = low & low_half ^ Words(b, b.shl32::<16>(high.1));
        let odd = Words(b, b.shr32::<16>(low.1)) ^ high & high_half;
        [even, odd]
    }
}

/// Bit `k` of a register and the 15 behind it.
#[inline(always)]
fn bits<B: Backend>(b: B, register: &Register<Words<B>>, k: u32) -> Words<B> {
    let (i, n) = (k as usize / 16, k % 16);
    if n == 0 { register[i] } else { Words(b, b.funnel16(register[i + 1].1, register[i].1, 16 - n)) }
}

/// Sixteen steps.
#[inline(always)]
fn advance<B: Backend>(b: B, going: &mut [Register<Words<B>>; 2], z: Words<B>) {
    let new_s = linear(|k| bits(b, &going[1], k)) ^ z;
    let new_b = nonlinear(|k| bits(b, &going[0], k)) ^ going[1][0] ^ z;
    for (register, new) in going.iter_mut().zip([new_b, new_s]) {
        *register = [register[1], register[2], register[3], register[4], new];
    }
}
