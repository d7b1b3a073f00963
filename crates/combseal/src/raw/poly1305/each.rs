//! The authenticators of messages side by side, each with a key of its own: one in each half of a register.

use super::limbs::{Factor, Limbs, Sums, count, five, halves, padded, split};
use crate::cpu::Backend;

/// As many messages' authenticators as a register has halves, side by side, each with its own
/// r: the messages `first`, `first + 1`, …, half of them in the low halves of the blocks.
pub(crate) struct Each<B: Backend> {
    h: Limbs<B>,
    r: Factor<B>,
    /// r squared, if [asked for](Self::square); else r.
    square: Factor<B>,
    s: [B::V; 2],
}

impl<B: Backend> Each<B> {
    /// How many messages.
    pub(crate) const MESSAGES: usize = halves::<B>();

    /// By the messages' keys r and s.
    #[inline(always)]
    pub(crate) fn new(b: B, r: [B::V; 2], s: [B::V; 2]) -> Self {
        let clamp = b.splat(&0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff_u128.to_le_bytes());
        let r = Factor::new(b, split(b, b.and(r[0], clamp), b.and(r[1], clamp)));
        Self { h: [b.zero(); 5], r, square: r, s }
    }

    /// Makes what [`absorb_two`](Self::absorb_two) multiplies by.
    #[inline(always)]
    pub(crate) fn square(&mut self, b: B) {
        self.square = Factor::new(b, self.r.times(b, &self.r.r));
    }

    /// Absorbs two blocks of each message with one carry.
    #[inline(always)]
    pub(crate) fn absorb_two(&mut self, b: B, first: [B::V; 2], second: [B::V; 2]) {
        let mut m = padded(b, first[0], first[1]);
        for k in 0..count::<B>() {
            m[k] = b.add64(m[k], self.h[k]);
        }
        let mut sums = Sums::new(b);
        self.square.add_product(b, &mut sums, &m);
        self.r.add_product(b, &mut sums, &padded(b, second[0], second[1]));
        self.h = sums.carried(b);
    }

    /// Absorbs a block of each message.
    #[inline(always)]
    pub(crate) fn absorb_all(&mut self, b: B, block: [B::V; 2]) {
        self.h = self.absorbed(b, block);
    }

    /// Absorbs a block of each of those messages whose bits `wanted` has.
    #[inline(always)]
    pub(crate) fn absorb(&mut self, b: B, block: [B::V; 2], wanted: B::V) {
        let h = self.absorbed(b, block);
        for k in 0..count::<B>() {
            self.h[k] = b.xor(self.h[k], b.and(b.xor(self.h[k], h[k]), wanted));
        }
    }

    #[inline(always)]
    fn absorbed(&self, b: B, [x, y]: [B::V; 2]) -> Limbs<B> {
        let mut m = padded(b, x, y);
        for k in 0..count::<B>() {
            m[k] = b.add64(m[k], self.h[k]);
        }
        let mut sums = Sums::new(b);
        self.r.add_product(b, &mut sums, &m);
        sums.carried(b)
    }

    /// The messages' tags, as `r` and `s` were given: h modulo 2^130 - 5, plus s, modulo 2^128.
    #[inline(always)]
    pub(crate) fn tags(&self, b: B) -> [B::V; 2] {
        let mut h = self.h;
        let (bits, top) = if B::IFMA { (44, 42) } else { (26, 26) };
        let last = count::<B>() - 1;
        let keep = |i: usize| b.splat64((1 << if i == last { top } else { bits }) - 1);
        // A carry through all limbs and around leaves less than 2^130 and a little; a second
        // one at most a bit above 2^130 - 5, if anything.
        for _ in 0..2 {
            for i in 0..=last {
                let over = b.shr64(h[i], if i == last { top } else { bits });
                h[i] = b.and(h[i], keep(i));
                let (to, over) = if i == last { (0, five(b, over)) } else { (i + 1, over) };
                h[to] = b.add64(h[to], over);
            }
        }
        // h + 5 reaches 2^130 if and only if h reaches 2^130 - 5. Then it is taken, without 2^130.
        let mut g = h;
        g[0] = b.add64(g[0], b.splat64(5));
        for i in 0..last {
            g[i + 1] = b.add64(g[i + 1], b.shr64(g[i], bits));
            g[i] = b.and(g[i], keep(i));
        }
        let ones = b.splat64(u64::MAX);
        let take = b.xor(b.add64(b.shr64(g[last], top), ones), ones);
        for i in 0..=last {
            h[i] = b.xor(h[i], b.and(b.xor(h[i], b.and(g[i], keep(i))), take));
        }
        let (low, high) = if const { B::IFMA } {
            (b.xor(h[0], b.shl64(h[1], 44)), b.xor(b.shr64(h[1], 20), b.shl64(h[2], 24)))
        } else {
            let low = b.xor(b.xor(h[0], b.shl64(h[1], 26)), b.shl64(h[2], 52));
            (low, b.xor(b.xor(b.shr64(h[2], 12), b.shl64(h[3], 14)), b.shl64(h[4], 40)))
        };
        // The halves of s likewise, and the carry between the sums: where both have the top bit,
        // or one has and the sum has not.
        let (s_low, s_high) = (b.low_halves(self.s[0], self.s[1]), b.high_halves(self.s[0], self.s[1]));
        let sum = b.add64(low, s_low);
        let (both, differ) = (b.and(low, s_low), b.xor(low, s_low));
        let carry = b.shr64(b.xor(both, b.and(differ, b.xor(sum, ones))), 63);
        let high = b.add64(b.add64(high, s_high), carry);
        [b.low_halves(sum, high), b.high_halves(sum, high)]
    }
}

/// In which of `Each`'s halves there is something left, as all bits or none: `left(i)` is how much
/// of message `i`, below 2^63.
#[inline(always)]
pub(crate) fn wanted<B: Backend>(b: B, left: impl Fn(usize) -> usize) -> B::V {
    let mut table = [[0; 16]; 4];
    for i in 0..B::BLOCKS {
        let bits = |left: usize| if left > 0 { u128::from(u64::MAX) } else { 0 };
        table[i] = (bits(left(B::BLOCKS + i)) << 64 | bits(left(i))).to_le_bytes();
    }
    b.gather(|i| &table[i])
}
