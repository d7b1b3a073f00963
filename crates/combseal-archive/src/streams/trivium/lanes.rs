//! Trivium's messages side by side: 64 steps of each in a lane of 64 bits.

use super::words::{BLANK, LAST_ONES, Trivium, loaded};
use crate::streams::lanes::{Group, InLanes, Words, gathered};
use crate::streams::side_by_side::{Lane, SideBySide};
use combseal::Cpu;
use combseal::cpu::Backend;

impl SideBySide for Trivium {
    const GROUP: usize = 16;
    const LANES: &'static str = "lanes of 64 bits";

    fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]) {
        cpu.run(Group(lanes));
    }
}

impl InLanes for Trivium {
    const WORD: usize = 8;
    const REGISTERS: usize = 1;
    const PAIRS: bool = true;
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
    fn next<B: Backend>(b: B, [r, s, t]: &mut [[Words<B>; 2]; 3]) -> [Words<B>; 2] {
        let stage = |register: &[Words<B>; 2], k: u32| Words(b, b.funnel64(register[0].1, register[1].1, k - 64));
        let t1 = stage(r, 66) ^ stage(r, 93);
        let t2 = stage(s, 162 - 93) ^ stage(s, 177 - 93);
        let t3 = stage(t, 243 - 177) ^ stage(t, 288 - 177);
        let to_s = t1 ^ stage(r, 91) & stage(r, 92) ^ stage(s, 171 - 93);
        let to_t = t2 ^ stage(s, 175 - 93) & stage(s, 176 - 93) ^ stage(t, 264 - 177);
        let to_r = t3 ^ stage(t, 286 - 177) & stage(t, 287 - 177) ^ stage(r, 69);
        *r = [to_r, r[0]];
        *s = [to_s, s[0]];
        *t = [to_t, t[0]];
        let z = t1 ^ t2 ^ t3;
        [z, z]
    }
}
