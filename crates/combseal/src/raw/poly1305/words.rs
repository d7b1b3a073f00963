//! Long messages on 512-bit registers without products of 52 bits: a message's words are multiplied as they are, by powers of r
//! that are moved to where each word stands, and not made limbs before.

use super::limbs::{Factor, Limbs, Sums, five, opaque, split};
use crate::cpu::Backend;

/// What the words of eight groups are multiplied by, where products are of 32 bits: a message's words need not be made limbs
/// then, and are four rather than five.
pub(crate) struct Words<B: Backend> {
    /// Times 2^0, 2^32, 2^64 and 2^96, in limbs: the first eight powers of r to the number of halves, of which `place` says where
    /// they are. In memory, since an instruction has the same number in all halves from there.
    powers: [[[u64; 8]; 5]; 4],
    /// The eighth of the powers, in every half.
    eighth: Factor<B>,
    /// The bits behind the blocks of eight groups, multiplied.
    bits: Limbs<B>,
}

impl<B: Backend> Words<B> {
    /// Groups of a message from which on they are worth it.
    pub(super) const WORTH: usize = 32;

    /// By the first four powers, in every half.
    #[inline(always)]
    pub(super) fn new(b: B, first: &[Factor<B>; 4]) -> Self {
        let (mut r, mut by) = ([b.zero(); 5], [b.zero(); 5]);
        for k in 0..5 {
            let mut lanes = [b.one().zero(); 4];
            for i in 0..4 {
                lanes[i] = b.split(first[i].r[k])[0];
            }
            r[k] = b.join(lanes);
            // Times 1 in the low halves, times the fourth power in the high ones.
            by[k] = b.mixed(b.splat64(u64::from(k == 0)), first[3].r[k]);
        }
        let r = Factor::new(b, by).times(b, &r);
        let mut powers = [[[0; 8]; 5]; 4];
        for word in 0..4 {
            powers[word] = Self::stored(b, &Self::shifted(b, &r, word));
        }
        let (mut eighth, mut bits) = ([b.zero(); 5], [b.zero(); 5]);
        let all = Self::stored(b, &Self::shifted(b, &r, 4));
        for k in 0..5 {
            eighth[k] = b.splat64(powers[0][k][Self::place(8)]);
            let mut sum = if k == 4 { 1 << 24 } else { 0 };
            for i in 1..8 {
                sum += all[k][Self::place(i)];
            }
            bits[k] = b.splat64(sum);
        }
        Self { powers, eighth: Factor::new(b, eighth), bits }
    }

    /// Where the `i`th of the eight powers is.
    const fn place(i: usize) -> usize {
        if i > 4 { 2 * (i - 5) + 1 } else { 2 * (i - 1) }
    }

    #[inline(always)]
    fn stored(b: B, r: &Limbs<B>) -> [[u64; 8]; 5] {
        let mut to = [[0; 8]; 5];
        for k in 0..5 {
            let mut bytes = [0; 64];
            b.store(&mut bytes, r[k]);
            for (to, bytes) in to[k].iter_mut().zip(bytes.as_chunks().0) {
                *to = u64::from_le_bytes(*bytes);
            }
        }
        to
    }

    /// Times 2^32 to the `n`th: so many limbs further, and six times as many bits.
    #[inline(always)]
    fn shifted(b: B, r: &Limbs<B>, n: usize) -> Limbs<B> {
        if n == 0 {
            return *r;
        }
        let mut sums = Sums::new(b);
        for k in 0..5 {
            let it = b.shl64(r[k], 6 * n as u32);
            sums.low[(k + n) % 5] = if k + n < 5 { it } else { five(b, it) };
        }
        sums.carried26(b)
    }

    /// Absorbs eight groups into `h` with one carry. Of 28 products of 32 bits by 2^26 and a little (0.875 times 2^63), and five of
    /// limbs below ten times 2^26 (0.1025 times 2^63), no sum reaches 2^63, nor is there room for more.
    #[inline(always)]
    pub(super) fn absorb(&self, b: B, h: &mut Limbs<B>, data: &[u8]) {
        let data = &data[..16 * B::BYTES];
        let it = b.by_memory(self);
        let mut sums = Sums::new(b);
        macro_rules! written_out {
            ($($i:literal)*) => {$(
                let (x, y) = (b.load(&data[2 * $i * B::BYTES..]), b.load(&data[(2 * $i + 1) * B::BYTES..]));
                let (low, high) = (b.low_halves(x, y), b.high_halves(x, y));
                let words = [low, b.shr64(low, 32), high, b.shr64(high, 32)];
                for word in 0..4 {
                    for k in 0..5 {
                        let by = b.splat64(it.powers[word][k][const { Self::place(7 - $i) }]);
                        sums.low[k] = b.add64(sums.low[k], b.mul32(words[word], by));
                    }
                }
            )*};
        }
        it.eighth.add_product(b, &mut sums, &opaque(b, h));
        written_out!(0 1 2 3 4 5 6);
        let m = split(b, b.load(&data[14 * B::BYTES..]), b.load(&data[15 * B::BYTES..]));
        *h = sums.carried26(b);
        for k in 0..5 {
            h[k] = b.add64(b.add64(h[k], m[k]), it.bits[k]);
        }
    }
}
