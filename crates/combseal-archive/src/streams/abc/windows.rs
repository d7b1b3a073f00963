//! The filter as its designers tabulate it: a word's bits in windows, and for each window the sums
//! of all choices of its coefficients. Wide windows are fewer look-ups and longer set-ups.

use super::filter::{FIXED, Filter};
use combseal::internals::Wipe;

/// Tables over windows of `BITS` bits, the last of what is left of 32: `N` words in all.
pub struct Windows<const BITS: usize, const N: usize>([u32; N]);

impl<const BITS: usize, const N: usize> Windows<BITS, N> {
    #[inline(always)]
    const fn tabulate(&mut self, e: &[u32; 33]) {
        let (table, mut first) = (&mut self.0, 0);
        table[0] = e[32];
        while first < 32 {
            let at = first / BITS << BITS;
            let mut bit = 0;
            while bit < BITS && first + bit < 32 {
                // The sums without this bit, and behind them those with it.
                let (_, sums) = table.split_at_mut(at);
                let (without, with) = sums.split_at_mut(1 << bit);
                let mut i = 0;
                while i < without.len() && i < with.len() {
                    with[i] = without[i].wrapping_add(e[first + bit]);
                    i += 1;
                }
                bit += 1;
            }
            first += BITS;
        }
    }
}

/// What the key's own set-up goes by.
static FIXED_8: Windows<8, 1024> = {
    let mut it = Windows([0; 1024]);
    it.tabulate(&FIXED);
    it
};

impl<const BITS: usize, const N: usize> Filter for Windows<BITS, N> {
    const TUNING: &'static str = match BITS {
        4 => "4-bit windows",
        8 => "8-bit windows",
        _ => "12-bit windows",
    };
    const CONSTANT_TIME: bool = false;
    const VECTORS: bool = false;
    // Nothing is won by more at once, and short messages pay for whole blocks.
    const BLOCK: usize = 16;
    type Fixed = Windows<8, 1024>;

    fn fixed() -> &'static Self::Fixed {
        &FIXED_8
    }

    #[inline(always)]
    fn new(e: &[u32; 33]) -> Self {
        const { assert!(N == (32 / BITS << BITS) + if 32 % BITS == 0 { 0 } else { 1 << (32 % BITS) }) }
        let mut it = Self([0; N]);
        it.tabulate(e);
        it
    }

    #[inline(always)]
    fn one(&self, x: u32) -> u32 {
        // Many windows in two sums, so that they wait less for each other.
        let (mut sums, windows) = ([0u32; 2], 32usize.div_ceil(BITS));
        for i in 0..windows {
            let window = x as usize >> (i * BITS) & ((1 << BITS) - 1);
            let sum = &mut sums[if windows > 4 { 2 * i / windows } else { 0 }];
            *sum = sum.wrapping_add(self.0[(i << BITS) + window]);
        }
        sums[0].wrapping_add(sums[1])
    }

    fn wipe(&mut self) {
        self.0.wipe();
    }
}
