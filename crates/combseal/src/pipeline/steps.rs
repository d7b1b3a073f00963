//! Steps of 64 bytes of each of several messages: registers are loaded and stored whole, a
//! message's bytes each, and transposed, so that every lane of a register has its message's
//! block. For sixteen blocks on 512-bit registers these are four loads and eight shuffles, where
//! block by block they are sixteen loads and twelve insertions.

use crate::cpu::{Backend, Block};

/// Bytes of each message in a step.
pub const STEP: usize = 64;

/// At most a step of each lane's message, `part(i)` of lane `i`, zeros behind: its four blocks.
#[inline(always)]
pub fn load_parts<'a, B: Backend>(b: B, part: impl Fn(usize) -> &'a [u8]) -> [B::V; 4] {
    let mut raw = [[b.zero(); 4]; 4];
    for i in 0..B::BLOCKS {
        let part = part(i);
        for q in 0..4 / B::BLOCKS {
            if part.len() > q * B::BYTES {
                raw[i][q] = b.load_part(&part[q * B::BYTES..]);
            }
        }
    }
    to_lanes(b, raw)
}

/// A step of each lane's message: the 64 bytes of `part(i)` from the one numbered `at` on.
#[inline(always)]
pub fn load_whole<'a, B: Backend>(b: B, at: usize, part: impl Fn(usize) -> &'a [u8]) -> [B::V; 4] {
    let mut raw = [[b.zero(); 4]; 4];
    for i in 0..B::BLOCKS {
        let part = &part(i)[at..at + STEP];
        for q in 0..4 / B::BLOCKS {
            raw[i][q] = b.load(&part[q * B::BYTES..]);
        }
    }
    to_lanes(b, raw)
}

/// The first to fourth blocks of all lanes, of 64 bytes of each lane in as many registers as
/// they fill.
#[inline(always)]
pub fn to_lanes<B: Backend>(b: B, raw: [[B::V; 4]; 4]) -> [B::V; 4] {
    match B::BLOCKS {
        1 => raw[0],
        2 => {
            let t = b.transpose128([raw[0][0], raw[1][0], raw[0][1], raw[1][1]]);
            [t[0], t[2], t[1], t[3]]
        }
        _ => b.transpose128([raw[0][0], raw[1][0], raw[2][0], raw[3][0]]),
    }
}

/// The way back.
#[inline(always)]
pub fn from_lanes<B: Backend>(b: B, blocks: [B::V; 4]) -> [[B::V; 4]; 4] {
    let t = if B::BLOCKS == 1 { blocks } else { b.transpose128(blocks) };
    match B::BLOCKS {
        1 => [t; 4],
        2 => [[t[0], t[1], t[0], t[1]], [t[2], t[3], t[2], t[3]], t, t],
        _ => [[t[0]; 4], [t[1]; 4], [t[2]; 4], [t[3]; 4]],
    }
}

/// All bits of the lanes that `live` has a bit for.
#[inline(always)]
pub fn mask<B: Backend>(b: B, live: usize) -> B::V {
    b.load(MASKS[live & ((1 << B::BLOCKS) - 1)].as_flattened())
}

/// All bits of those of four blocks that the place has a bit for.
static MASKS: [[Block; 4]; 16] = {
    let mut t = [[[0; 16]; 4]; 16];
    let mut i = 0;
    while i < 64 {
        if i / 4 >> (i % 4) & 1 == 1 {
            t[i / 4][i % 4] = [0xff; 16];
        }
        i += 1;
    }
    t
};
