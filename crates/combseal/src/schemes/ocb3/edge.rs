//! A message's edge: blocks that do not fill a register, and a part of a block.
//!
//! Apart from the walk, since all that is here looks at lengths and at no offset.

use crate::cpu::{Backend, InOut};

/// All ones in the first `n` bytes, at most a register of them.
#[inline(always)]
pub(super) fn leading<B: Backend>(b: B, n: usize) -> B::V {
    static EDGE: [u8; 192] = {
        let mut t = [0; 192];
        let mut i = 0;
        while i < 64 {
            t[i] = 0xff;
            i += 1;
        }
        t
    };
    b.load(&EDGE[(64 - n) & 127..])
}

/// The whole blocks of a message's source, at most a register of them, and zeros behind.
///
/// A block at a time where they do not fill the register. With AVX-512's masks it would be
/// one instruction, but a masked store keeps later loads of the bytes behind it waiting
/// until it has reached the cache, and those may be the next message.
#[inline(always)]
pub(super) fn load_blocks<B: Backend>(b: B, io: &InOut<'_>) -> B::V {
    if B::BLOCKS == 1 || io.len() >= B::BYTES {
        return io.load(b, 0);
    }
    let mut lanes = [b.one().zero(); 4];
    for i in 0..B::BLOCKS - 1 {
        if io.len() >= 16 * (i + 1) {
            lanes[i] = io.load(b.one(), 16 * i);
        }
    }
    b.join(lanes)
}

/// The same, to be written.
#[inline(always)]
pub(super) fn store_blocks<B: Backend>(b: B, io: &mut InOut<'_>, v: B::V) {
    if B::BLOCKS == 1 || io.len() >= B::BYTES {
        return io.store(b, 0, v);
    }
    let lanes = b.split(v);
    for i in 0..B::BLOCKS - 1 {
        if io.len() >= 16 * (i + 1) {
            io.store(b.one(), 16 * i, lanes[i]);
        }
    }
}
