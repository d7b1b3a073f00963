//! CMAC chains, one or a few side by side under one key: the associated data, the nonce and
//! the message of EAX, the strings of SIV. A comb fills many lanes with many messages
//! (`lockstep`); here one message's own chains share the pipeline.

use super::chain::{EdgeKeys, rounds};
use crate::cpu::{Backend, Block, Keys};

/// CMAC's subkeys, L doubled once and twice (SP 800-38B, 6.1): `[0]` for a
/// whole last block, `[1]` for a padded one.
pub type Subkeys = [Block; 2];

/// 2B in GF(2^128), big-endian.
#[inline(always)]
pub fn double(x: u128) -> u128 {
    x << 1 ^ 0x87 & 0u128.wrapping_sub(x >> 127)
}

/// What CMAC adds to a last block of `n` bytes, at most 16.
#[inline(always)]
pub fn closing<B: Backend>(b: B, sub: &Subkeys, n: usize) -> B::V {
    if n == 16 { b.splat(&sub[0]) } else { b.xor(b.splat(&sub[1]), b.padding(n)) }
}

/// A chain on its way over a byte string, to the end of its CMAC or not so far.
#[derive(Clone, Copy)]
pub struct MacLane<'a, V> {
    /// The state, as in [`Chain`](super::chain::Chain); the CMAC when nothing is left.
    pub x: V,
    /// What the state has not taken in.
    rest: &'a [u8],
    /// Calls of the cipher still to be made.
    pub left: usize,
    sub: &'a Subkeys,
}
impl<'a, V: Copy> MacLane<'a, V> {
    /// The CMAC of `data`, the chain beginning with `start` rather than zero.
    #[inline(always)]
    pub fn new<B: Backend<V = V>>(b: B, edge: &EdgeKeys<V>, sub: &'a Subkeys, start: V, data: &'a [u8]) -> Self {
        let mut it = Self { x: b.xor(edge.first, start), rest: data, left: data.len().div_ceil(16).max(1), sub };
        let block = it.block(b);
        it.x = b.xor(it.x, block);
        it
    }

    /// The CMAC of the one whole block `block`.
    #[inline(always)]
    pub fn whole<B: Backend<V = V>>(b: B, edge: &EdgeKeys<V>, sub: &'a Subkeys, block: V) -> Self {
        let x = b.xor(b.xor(edge.first, block), b.splat(&sub[0]));
        Self { x, rest: &[], left: 1, sub }
    }

    /// A chain over the first `blocks` blocks of `data`, which has more, that
    /// stops before the cipher is called for the last of them.
    #[inline(always)]
    pub fn prefix<B: Backend<V = V>>(
        b: B,
        edge: &EdgeKeys<V>,
        sub: &'a Subkeys,
        data: &'a [u8],
        blocks: usize,
    ) -> Self {
        let mut it = Self { x: edge.first, rest: data, left: 0, sub };
        if blocks > 0 {
            it.left = blocks - 1;
            let block = it.block(b);
            it.x = b.xor(it.x, block);
        }
        it
    }

    /// A lane with nothing to do.
    #[inline(always)]
    pub fn idle<B: Backend<V = V>>(b: B, sub: &'a Subkeys) -> Self {
        Self { x: b.zero(), rest: &[], left: 0, sub }
    }

    /// Steps that take in a whole block which is not the last.
    #[inline(always)]
    pub fn plain(&self) -> usize {
        self.left.min(self.rest.len().saturating_sub(1) / 16)
    }

    /// A whole block, which there is: callers count them ([`plain`](Self::plain)).
    #[inline(always)]
    pub fn take<B: Backend<V = V>>(&mut self, b: B) -> V {
        let Some((block, rest)) = self.rest.split_first_chunk::<16>() else {
            unreachable!("a whole block that was counted and is not there")
        };
        self.rest = rest;
        b.load(block)
    }

    /// The next block, closed if it is the last.
    #[inline(always)]
    fn block<B: Backend<V = V>>(&mut self, b: B) -> V {
        if self.rest.len() > 16 {
            return self.take(b);
        }
        let last = core::mem::take(&mut self.rest);
        let mask = closing(b, self.sub, last.len());
        // A masked load of nothing from nowhere costs hundreds of cycles.
        if last.is_empty() { mask } else { b.xor(b.load_part(last), mask) }
    }
}

/// `steps` steps of lanes side by side, all under one key; a lane that has none
/// left waits.
#[inline(always)]
pub fn advance<B: Backend, K: Keys<B>, const N: usize>(
    b: B,
    keys: &K,
    edge: &EdgeKeys<B::V>,
    lanes: &mut [MacLane<'_, B::V>; N],
    steps: usize,
) {
    let mut x = [b.zero(); N];
    let mut last = [edge.last; N];
    let mut plain = steps;
    for j in 0..N {
        x[j] = lanes[j].x;
        plain = plain.min(lanes[j].plain());
    }
    for _ in 0..plain {
        for j in 0..N {
            last[j] = b.xor(edge.turn, lanes[j].take(b));
        }
        x = rounds(b, keys, x, last);
    }
    for j in 0..N {
        lanes[j].x = x[j];
        lanes[j].left -= plain;
    }
    for _ in plain..steps {
        last = [edge.last; N];
        for j in 0..N {
            x[j] = lanes[j].x;
            if lanes[j].left > 0 && !lanes[j].rest.is_empty() {
                last[j] = b.xor(edge.turn, lanes[j].block(b));
            }
        }
        x = rounds(b, keys, x, last);
        for j in 0..N {
            if lanes[j].left > 0 {
                lanes[j].x = x[j];
                lanes[j].left -= 1;
            }
        }
    }
}

/// One lane to its end.
#[inline(always)]
pub fn finish<B: Backend, K: Keys<B>>(b: B, keys: &K, edge: &EdgeKeys<B::V>, lane: &mut MacLane<'_, B::V>) {
    if lane.left > 0 {
        let mut lanes = [*lane];
        advance(b, keys, edge, &mut lanes, lane.left);
        *lane = lanes[0];
    }
}
