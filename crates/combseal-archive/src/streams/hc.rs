//! What HC-128 and HC-256 have in common: the expansion of key and nonce to the words of both
//! tables, which is the message schedule of SHA-256 with the word's number added.

use super::unrolled::unrolled;
use combseal::internals::Wipe;

/// The small function of the expansion that is applied to the fifteenth word before.
#[inline(always)]
pub fn f1(x: u32) -> u32 {
    x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3
}

/// The small function of the expansion that is applied to the second word before.
#[inline(always)]
pub fn f2(x: u32) -> u32 {
    x.rotate_right(17) ^ x.rotate_right(19) ^ x >> 10
}

/// The numbers of the words. What is added last to a word is what is known last; a number that the
/// compiler could compute, it would add behind that.
static NUMBERS: [u32; 2560] = {
    let mut numbers = [0; 2560];
    let mut i = 0;
    while i < numbers.len() {
        numbers[i] = i as u32;
        i += 1;
    }
    numbers
};

/// Sixteen words of the expansion, and what is left of the numbers of those behind them.
pub struct Expansion {
    words: [u32; 16],
    numbers: std::slice::Iter<'static, [u32; 16]>,
}

impl Expansion {
    /// The beginning: the words of the key, then those of the nonce.
    #[inline(always)]
    pub fn new(words: [u32; 16]) -> Self {
        let [_, numbers @ ..] = NUMBERS.as_chunks().0 else { unreachable!("many sixteens") };
        Self { words, numbers: numbers.iter() }
    }

    /// Goes on by `turns` times sixteen words, which go into no table.
    #[inline(always)]
    pub fn skip(&mut self, turns: usize) {
        for numbers in self.numbers.by_ref().take(turns) {
            let w = &mut self.words;
            unrolled!(i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
                next(w, i, numbers[i]);
            });
        }
    }

    /// Fills a table, a whole number of sixteens, with the words that follow.
    #[inline(always)]
    pub fn fill(&mut self, table: &mut [u32]) {
        for (line, numbers) in table.as_chunks_mut::<16>().0.iter_mut().zip(self.numbers.by_ref()) {
            let w = &mut self.words;
            unrolled!(i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
                next(w, i, numbers[i]);
                line[i] = w[i];
            });
        }
    }
}

/// Replaces word `i` of sixteen by the one sixteen places behind it.
#[inline(always)]
fn next(w: &mut [u32; 16], i: usize, number: u32) {
    let sum = w[i].wrapping_add(f1(w[(i + 1) % 16])).wrapping_add(w[(i + 9) % 16]).wrapping_add(number);
    w[i] = sum.wrapping_add(f2(w[(i + 14) % 16]));
}

impl Drop for Expansion {
    #[inline(always)]
    fn drop(&mut self) {
        self.words.wipe();
    }
}

/// XORs a word of key stream into word `i` of a block.
#[inline(always)]
pub fn xor_word(block: &mut [u8; 64], i: usize, word: u32) {
    let to = &mut block.as_chunks_mut().0[i];
    *to = (u32::from_le_bytes(*to) ^ word).to_le_bytes();
}
