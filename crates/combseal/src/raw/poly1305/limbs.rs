//! Numbers modulo 2^130 - 5 in a register's halves: limbs of 44, 44 and 42 bits, or five of 26, their products, and the carries
//! behind sums of these.

use super::number::folded;
use crate::cpu::Backend;

/// Numbers modulo 2^130 - 5, one in each half of a register, in limbs: three or five.
pub(super) type Limbs<B> = [<B as Backend>::V; 5];

/// How many limbs.
pub(super) const fn count<B: Backend>() -> usize {
    if B::IFMA { 3 } else { 5 }
}

/// Halves in a register, and so blocks in a group, which fills two registers.
pub(super) const fn halves<B: Backend>() -> usize {
    2 * B::BLOCKS
}

/// A number's limbs.
#[inline(always)]
pub(super) fn limbs<B: Backend>([h0, h1, h2]: [u64; 3]) -> [u64; 5] {
    if B::IFMA {
        let mask = (1 << 44) - 1;
        [h0 & mask, (h0 >> 44 | h1 << 20) & mask, h1 >> 24 | h2 << 40, 0, 0]
    } else {
        let mask = (1 << 26) - 1;
        let middle = (h0 >> 52 | h1 << 12) & mask;
        [h0 & mask, h0 >> 26 & mask, middle, h1 >> 14 & mask, h1 >> 40 | h2 << 24]
    }
}

/// The number of which these are the limbs, sums of a few perhaps.
#[inline(always)]
pub(super) fn number<B: Backend>(limbs: [u64; 5]) -> [u64; 3] {
    let [a, b, c, d, e] = limbs.map(u128::from);
    // The last limb is of 2^88 or 2^104, and what it has above 2^128 is apart.
    let (low, top, at) =
        if const { B::IFMA } { (a + (b << 44), c, 88) } else { (a + (b << 26) + (c << 52) + (d << 78), e, 104) };
    let (h, over) = low.overflowing_add(top << at);
    folded([h as u64, (h >> 64) as u64, (top >> (128 - at)) as u64 + u64::from(over)])
}

/// The blocks of two registers as numbers.
#[inline(always)]
pub(super) fn split<B: Backend>(b: B, x: B::V, y: B::V) -> Limbs<B> {
    let (low, high) = (b.low_halves(x, y), b.high_halves(x, y));
    if const { B::IFMA } {
        let mask = b.splat64((1 << 44) - 1);
        let middle = b.xor(b.shr64(low, 44), b.shl64(high, 20));
        [b.and(low, mask), b.and(middle, mask), b.shr64(high, 24), b.zero(), b.zero()]
    } else {
        let mask = b.splat64((1 << 26) - 1);
        let middle = b.xor(b.shr64(low, 52), b.shl64(high, 12));
        [
            b.and(low, mask),
            b.and(b.shr64(low, 26), mask),
            b.and(middle, mask),
            b.and(b.shr64(high, 14), mask),
            b.shr64(high, 40),
        ]
    }
}

/// The same, with the bit behind them.
#[inline(always)]
pub(super) fn padded<B: Backend>(b: B, x: B::V, y: B::V) -> Limbs<B> {
    let mut m = split(b, x, y);
    let top = count::<B>() - 1;
    m[top] = b.xor(m[top], b.splat64(if B::IFMA { 1 << 40 } else { 1 << 24 }));
    m
}

/// Limbs of which the compiler does not know how large they are. Where it does, it takes the mask of 32 bits out of their products,
/// and behind the next branch, where it has forgotten why, it makes each of two.
#[inline(always)]
pub(super) fn opaque<B: Backend>(b: B, limbs: &Limbs<B>) -> Limbs<B> {
    let mut it = *limbs;
    if const { !B::IFMA } {
        for k in 0..5 {
            it[k] = b.pin(b.hold(it[k]));
        }
    }
    it
}

/// Five times `x`. The compiler is not told that it is: it made a product of 64 bits of it, which takes two of 32 and two shifts,
/// for a shift, and six times as long where something waits for it.
#[inline(always)]
pub(super) fn five<B: Backend>(b: B, x: B::V) -> B::V {
    b.add64(x, b.pin(b.hold(b.shl64(x, 2))))
}

/// What sums are multiplied by: limbs, and their multiples for what goes around.
#[derive(Clone, Copy)]
pub(super) struct Factor<B: Backend> {
    pub(super) r: Limbs<B>,
    /// 2^130 is 5, and 2^132, where three limbs end, is 20.
    pub(super) s: Limbs<B>,
}

impl<B: Backend> Factor<B> {
    /// A number in every half.
    #[inline(always)]
    pub(super) fn all(b: B, number: [u64; 3]) -> Self {
        let (mut r, number) = ([b.zero(); 5], limbs::<B>(number));
        for k in 0..count::<B>() {
            r[k] = b.splat64(number[k]);
        }
        Self::new(b, r)
    }

    #[inline(always)]
    pub(super) fn new(b: B, r: Limbs<B>) -> Self {
        let mut s = r;
        for i in 1..count::<B>() {
            s[i] = five(b, r[i]);
            if B::IFMA {
                s[i] = b.shl64(s[i], 2);
            }
        }
        Self { r, s }
    }

    /// `h` times this.
    #[inline(always)]
    pub(super) fn times(&self, b: B, h: &Limbs<B>) -> Limbs<B> {
        let mut sums = Sums::new(b);
        self.add_product(b, &mut sums, h);
        sums.carried(b)
    }

    /// `h` times this, in parts that others can be added to: the carries come later.
    #[inline(always)]
    pub(super) fn add_product(&self, b: B, sum: &mut Sums<B>, h: &Limbs<B>) {
        if const { B::IFMA } {
            for j in 0..3 {
                for i in 0..3 {
                    let by = if j <= i { self.r[i - j] } else { self.s[3 + i - j] };
                    sum.low[i] = b.madd52_low(sum.low[i], h[j], by);
                    sum.high[i] = b.madd52_high(sum.high[i], h[j], by);
                }
            }
        } else {
            for j in 0..5 {
                for i in 0..5 {
                    let by = if j <= i { self.r[i - j] } else { self.s[5 + i - j] };
                    sum.low[i] = b.add64(sum.low[i], b.mul32(h[j], by));
                }
            }
        }
    }
}

/// Sums of products, limb by limb. Of products of 52 bits the high parts are apart.
pub(super) struct Sums<B: Backend> {
    pub(super) low: Limbs<B>,
    pub(super) high: [B::V; 3],
}

impl<B: Backend> Sums<B> {
    #[inline(always)]
    pub(super) fn new(b: B) -> Self {
        Self { low: [b.zero(); 5], high: [b.zero(); 3] }
    }

    /// As limbs again.
    #[inline(always)]
    pub(super) fn carried(self, b: B) -> Limbs<B> {
        if const { B::IFMA } { self.carried44(b) } else { self.carried26(b) }
    }

    /// Of at most four products, whose first factor has limbs below 2^46: no sum reaches 2^56.
    #[inline(always)]
    pub(super) fn carried44(self, b: B) -> Limbs<B> {
        let Self { low, high } = self;
        let (mask, top) = (b.splat64((1 << 44) - 1), b.splat64((1 << 42) - 1));
        // A high part is worth 2^52, the next limb 2^44.
        let t0 = low[0];
        let t1 = b.add64(b.add64(low[1], b.shl64(high[0], 8)), b.shr64(t0, 44));
        let t2 = b.add64(b.add64(low[2], b.shl64(high[1], 8)), b.shr64(t1, 44));
        // The third limb has 42 bits, so that its high part is worth 2^10 of what is above.
        let over = b.add64(b.shl64(high[2], 10), b.shr64(t2, 42));
        let t0 = b.add64(b.and(t0, mask), five(b, over));
        let t1 = b.add64(b.and(t1, mask), b.shr64(t0, 44));
        [b.and(t0, mask), t1, b.and(t2, top), b.zero(), b.zero()]
    }

    /// Of at most four products, whose first factors have limbs below 2^28, or one of them below 2^30; or of what
    /// `Words::absorb` adds up. What of a carry goes around is then small enough for the two that follow.
    #[inline(always)]
    pub(super) fn carried26(self, b: B) -> Limbs<B> {
        let mut d = self.low;
        // Two carries on their way at a time.
        let mask = b.splat64((1 << 26) - 1);
        // (Not a closure: where there were many of these, the compiler made calls of them, and their instructions calls too.)
        for i in [0, 3, 1, 4, 2, 0, 3] {
            let mut over = b.shr64(d[i], 26);
            d[i] = b.and(d[i], mask);
            if i == 4 {
                over = five(b, over);
            }
            d[(i + 1) % 5] = b.add64(d[(i + 1) % 5], over);
        }
        d
    }
}
