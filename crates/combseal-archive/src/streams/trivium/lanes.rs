//! Trivium's messages side by side: 64 steps of each in a lane of 64 bits.

use super::registers::{Registers, step};
use super::words::{BLANK, LAST_ONES, loaded};
use crate::streams::lanes::{Group, InLanes, Words, gathered};
use crate::streams::side_by_side::{Lane, SideBySide};
use combseal::Cpu;
use combseal::cpu::Backend;

impl SideBySide for Registers {
    const GROUP: usize = 16;
    const LANES: &'static str = "lanes of 64 bits";

    fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]) {
        cpu.run(Group(lanes));
    }
}

impl InLanes for Registers {
    const WORD: usize = 8;
    const REGISTERS: usize = 1;
    type Going<T: Copy> = [[T; 2]; 3];

    #[inline(always)]
    fn begin<B: Backend>(b: B, lanes: &[Lane<'_, Self>]) -> [[Words<B>; 2]; 3] {
        let words = gathered(b, 8, |p| match lanes.get(p) {
            Some(lane) => {
                let (key, nonce) = (loaded(&lane.cipher.0.bytes), loaded(lane.nonce));
                [key[0], key[1], nonce[0], nonce[1]]
            }
            None => [0; 4],
        });
        let mut going =
            [[words[0], words[1]], [words[2], words[3]], [Words(b, b.zero()), Words(b, b.splat64(LAST_ONES))]];
        for _ in 0..BLANK {
            Self::next(b, &mut going);
        }
        going
    }

    #[inline(always)]
    fn next<B: Backend>(b: B, going: &mut [[Words<B>; 2]; 3]) -> [Words<B>; 2] {
        let z = step(b, going);
        [z, z]
    }
}
