//! Grain-128's messages side by side: 32 steps of each in a lane of 32 bits.

use super::{Grain128, linear, nonlinear, output};
use crate::streams::lanes::{Group, InLanes, Words, gathered};
use crate::streams::side_by_side::{Lane, SideBySide};
use crate::streams::words::le32;
use combseal::Cpu;
use combseal::cpu::Backend;

impl SideBySide for Grain128 {
    const GROUP: usize = 16;
    const LANES: &'static str = "lanes of 32 bits";

    fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]) {
        cpu.run(Group(lanes));
    }
}

/// A register of 128 bits, in words of 32.
type Register<T> = [T; 4];

impl InLanes for Grain128 {
    const WORD: usize = 4;
    const REGISTERS: usize = 1;
    type Going<T: Copy> = [Register<T>; 2];

    #[inline(always)]
    fn begin<B: Backend>(b: B, lanes: &[Lane<'_, Self>]) -> [Register<Words<B>>; 2] {
        let words = gathered::<B, 8>(b, 4, |p| {
            let Some(lane) = lanes.get(p) else { return [0; 8] };
            std::array::from_fn(|i| match i {
                0..4 => u64::from(le32(&lane.cipher.0.bytes, i)),
                4..7 => u64::from(le32(lane.nonce, i - 4)),
                _ => u64::from(u32::MAX),
            })
        });
        let [b0, b1, b2, b3, s0, s1, s2, s3] = words;
        let mut going = [[b0, b1, b2, b3], [s0, s1, s2, s3]];
        for _ in 0..256 / 32 {
            let z = output(|k| bits(b, &going[0], k), |k| bits(b, &going[1], k));
            advance(b, &mut going, z);
        }
        going
    }

    #[inline(always)]
    fn next<B: Backend>(b: B, going: &mut [Register<Words<B>>; 2]) -> [Words<B>; 2] {
        let z = output(|k| bits(b, &going[0], k), |k| bits(b, &going[1], k));
        advance(b, going, Words(b, b.zero()));
        [z, z]
    }
}

/// Bit `k` of a register and the 31 behind it.
#[inline(always)]
fn bits<B: Backend>(b: B, register: &Register<Words<B>>, k: u32) -> Words<B> {
    let (i, n) = (k as usize / 32, k % 32);
    if n == 0 { register[i] } else { Words(b, b.funnel32(register[i + 1].1, register[i].1, 32 - n)) }
}

/// Thirty-two steps.
#[inline(always)]
fn advance<B: Backend>(b: B, going: &mut [Register<Words<B>>; 2], z: Words<B>) {
    let new_s = linear(|k| bits(b, &going[1], k)) ^ z;
    let new_b = nonlinear(|k| bits(b, &going[0], k)) ^ going[1][0] ^ z;
    for (register, new) in going.iter_mut().zip([new_b, new_s]) {
        *register = [register[1], register[2], register[3], new];
    }
}
