//! The filter without tables: each bit of a word is a mask on its coefficient, for sixteen words
//! side by side in the CPU's vectors; of a single word, for its 32 coefficients side by side.
//!
//! Written in words, which the compiler makes vectors of: there is no product and no permutation in
//! it. Nothing is looked up by the state, so it takes the same time for every key.

use super::filter::{FIXED, Filter};
use combseal::internals::Wipe;

/// The coefficients as they are.
pub struct Bits([u32; 33]);

/// Those of the key's own set-up.
static FIXED_BITS: Bits = Bits(FIXED);

impl Filter for Bits {
    const TUNING: &'static str = "16 words, bits as masks";
    const CONSTANT_TIME: bool = true;
    const VECTORS: bool = true;
    const BLOCK: usize = 64;
    type Fixed = Self;

    fn fixed() -> &'static Self {
        &FIXED_BITS
    }

    #[inline(always)]
    fn new(e: &[u32; 33]) -> Self {
        Self(*e)
    }

    #[inline(always)]
    fn one(&self, x: u32) -> u32 {
        let mut sum = self.0[32];
        for i in 0..32 {
            sum = sum.wrapping_add(self.0[i] & (x >> i & 1).wrapping_neg());
        }
        sum
    }

    #[inline(always)]
    fn many<const N: usize>(&self, x: &[u32; N]) -> [u32; N] {
        let mut sums = [self.0[32]; N];
        for i in 0..32 {
            for j in 0..N {
                sums[j] = sums[j].wrapping_add(self.0[i] & (x[j] >> i & 1).wrapping_neg());
            }
        }
        sums
    }

    fn wipe(&mut self) {
        self.0.wipe();
    }
}
