//! The authenticator between the rounds of the cipher in plain words: where registers have room for nothing but the
//! cipher, by units that it does not need.

use super::Poly1305;
use super::number::{folded, unreduced};
use crate::cpu::{Backend, Block, Interleave};

impl Poly1305 {
    /// As `block`, of an h that is not reduced and is left so: what is above 2^128 is below 2^63. The next block
    /// need not wait for the reduction to be added, only for the product.
    #[inline(always)]
    pub(crate) fn early(&mut self, m: u128) {
        let [h0, h1, h2] = self.h;
        let (t, carry) = (u128::from(h0) | u128::from(h1) << 64).overflowing_add(m);
        let (t, over) = t.overflowing_add(u128::from((h2 & !3) + (h2 >> 2)));
        self.h = unreduced([t as u64, (t >> 64) as u64, (h2 & 3) + 1 + u64::from(carry) + u64::from(over)], self.r);
    }

    /// With h reduced again, behind blocks that were absorbed early.
    #[inline(always)]
    pub(crate) fn reduced(mut self) -> Self {
        self.h = folded(self.h);
        self
    }

    /// As [`tag`](Self::tag), of an h that is [reduced](Self::reduced), in fewer instructions: for what is short and
    /// waits for each.
    #[inline(always)]
    pub(crate) fn tag_in_few(&self) -> [u8; 16] {
        let [h0, h1, h2] = self.h;
        let h = h0 as u128 | (h1 as u128) << 64;
        // h + 5 reaches 2^130 if and only if h reaches 2^130 - 5. What is then left of h modulo 2^128 is h + 5.
        let over = h.overflowing_add(5).1;
        let q = (h2 + u64::from(over)) >> 2;
        h.wrapping_add(self.s).wrapping_add(u128::from(5 * q)).to_le_bytes()
    }
}

/// Blocks between the rounds, in plain words: where registers have room for nothing but the cipher. Few values are
/// alive in it, since the general registers are sixteen too.
///
/// What a pass of sixteen registers makes is spread over all of the next one's rounds: each block waits for the one
/// before, and where there are more of them than rounds, those wait for them. `DENSE`: there may be more to absorb than
/// that.
pub(crate) struct InWords<'m, const DENSE: bool> {
    poly: Poly1305,
    /// What is left to absorb.
    left: &'m [Block],
    /// And then this.
    then: &'m [Block],
}

impl<'m, const DENSE: bool> InWords<'m, DENSE> {
    /// To absorb `data`, whole blocks, and `then`.
    #[inline(always)]
    pub(crate) fn new(poly: Poly1305, data: &'m [u8], then: &'m [Block]) -> Self {
        Self { poly, left: data.as_chunks().0, then }
    }

    /// The next `N` blocks, if there are.
    #[inline(always)]
    fn blocks<const N: usize>(&mut self) {
        if let Some((blocks, left)) = self.left.split_first_chunk::<N>() {
            for block in blocks {
                self.poly.early(u128::from_le_bytes(*block));
            }
            self.left = left;
        } else if DENSE && self.left.is_empty() {
            self.left = core::mem::take(&mut self.then);
        }
    }

    /// The authenticator, behind what the rounds had no step for as well.
    #[inline(always)]
    pub(crate) fn rest(mut self) -> Poly1305 {
        while !self.left.is_empty() || DENSE && !self.then.is_empty() {
            self.blocks::<1>();
        }
        self.poly.reduced()
    }
}

impl<B: Backend, const DENSE: bool> Interleave<B> for InWords<'_, DENSE> {
    #[inline(always)]
    fn step(&mut self, _: B, r: usize) {
        if B::BLOCKS > 1 && (DENSE || r.is_multiple_of(2)) {
            self.blocks::<2>();
        } else {
            self.blocks::<1>();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::{Cpu, Kernel, Models};

    /// A message of whole blocks whose first `.2` bytes go first.
    struct Rounds<'a, const DENSE: bool>(u128, u128, usize, &'a [u8]);
    impl<const DENSE: bool> Kernel for Rounds<'_, DENSE> {
        const MODELS: Models = Models::All;
        type Out = [u8; 16];
        #[inline(always)]
        fn run<B: Backend, const N: usize>(self, b: B) -> [u8; 16] {
            let Self(r, s, at, data) = self;
            let (first, then) = data.split_at(if DENSE { at } else { data.len() });
            let mut work = InWords::<DENSE>::new(Poly1305::new(r, s), first, then.as_chunks().0);
            for r in 0..20 {
                work.step(b, r);
            }
            work.rest().tag_in_few()
        }
    }

    /// As block by block, which is tested by itself: edges of numbers, lengths, splits, every tier.
    #[test]
    fn as_block_by_block() {
        let mut mixed = [0xff; 16 * 45];
        mixed.iter_mut().enumerate().filter(|(i, _)| i / 16 % 3 > 0).for_each(|(i, b)| *b = (i * i * 37 + i) as u8);
        for data in [&[0xff; 16 * 45], &[0; 16 * 45], &mixed] {
            for (r, s) in [(u128::MAX, u128::MAX), (0, 1), (0x0123_4567_89ab_cdef_fedc_ba98_7654_3210, 7)] {
                for n in 0..=45 {
                    let data = &data[..16 * n];
                    let mut plain = Poly1305::new(r, s);
                    data.as_chunks().0.iter().for_each(|block| plain.block(u128::from_le_bytes(*block)));
                    for cpu in Cpu::every() {
                        assert_eq!(cpu.run(Rounds::<false>(r, s, 0, data)), plain.tag(), "{cpu:?} {n} {r:x}");
                        for at in [0, n / 3, n] {
                            let tag = cpu.run(Rounds::<true>(r, s, 16 * at, data));
                            assert_eq!(tag, plain.tag(), "{cpu:?} {n} {at} {r:x}");
                        }
                    }
                }
            }
        }
    }
}
