//! The five word-oriented LFSRs with which Krovetz and Rogaway tried to step OCB's offsets
//! (2011, Appendix A). Each runs through all 2^128 - 1 nonzero blocks if its characteristic
//! polynomial is primitive, and that is checked here.
//!
//! A block is a number, and the word that is named first stands on its left. The paper writes its
//! maps as `X ↦ X·S` on row vectors; a matrix and its transpose have the same polynomial.

use super::gf2;

/// A linear map of 128 bits to step an offset with.
#[derive(Clone, Copy)]
pub struct Lfsr {
    /// The paper's number, or what it is.
    pub name: &'static str,
    /// The map in the paper's notation.
    pub formula: &'static str,
    /// The map.
    pub step: fn(u128) -> u128,
    /// The map, once for each block of the slice, each written there; returns the last.
    pub fill: fn(u128, &mut [u128]) -> u128,
}

/// What its matrix says of an LFSR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The characteristic polynomial without x^128.
    pub polynomial: u128,
    /// Whether every nonzero block is on one cycle.
    pub maximal: bool,
}

/// Declares an LFSR and its loop, compiled with the step inside.
macro_rules! lfsr {
    ($name:literal, $formula:literal, $step:ident) => {
        Lfsr { name: $name, formula: $formula, step: $step, fill: |block, out| fill(block, out, $step) }
    };
}

/// The doubling of OCB2, then the paper's five.
///
/// The constant of (1) is printed as 10^120 1010001, 128 bits that are to be added to a word of
/// 64. With 10^56 1010001, which has 64, the LFSR is maximal as the paper says; without its
/// leading one it is not (see the tests). So the exponent is a misprint.
pub const LFSRS: [Lfsr; 6] = [
    lfsr!("doubling", "X -> (X << 1) + msb(X)·135", double),
    lfsr!("(1)", "XY -> Y ((X << 1) + msb(X)·10^56 1010001 + Y)", lfsr1),
    lfsr!("(2)", "XY -> Y ((X << 1) + (X >> 1) + (Y & 148))", lfsr2),
    lfsr!("(3)", "ABCD -> C D B ((A << 1) + msb(A)·831 + B + D)", lfsr3),
    lfsr!("(4)", "ABCD -> C D B ((A << 1) + (A >> 1) + (D & 107))", lfsr4),
    lfsr!("(5)", "ABCD -> C D B ((A << 1) + (A >> 1) + (D << 15))", lfsr5),
];

/// Steps once for each block of `out` and leaves the block there.
#[inline(always)]
fn fill(mut block: u128, out: &mut [u128], step: impl Fn(u128) -> u128) -> u128 {
    for place in out {
        block = step(block);
        *place = block;
    }
    block
}

/// Its characteristic polynomial, and whether that is primitive.
pub fn analyze(step: impl Fn(u128) -> u128) -> Analysis {
    let polynomial = gf2::characteristic(gf2::matrix(step));
    Analysis { polynomial, maximal: gf2::is_primitive(polynomial) }
}

/// Two words, the left one first.
#[inline(always)]
pub fn words2(block: u128) -> [u64; 2] {
    [(block >> 64) as u64, block as u64]
}

/// The block of two words.
#[inline(always)]
pub fn block2([x, y]: [u64; 2]) -> u128 {
    (x as u128) << 64 | y as u128
}

/// Four words, the leftmost first.
#[inline(always)]
pub fn words4(block: u128) -> [u32; 4] {
    [(block >> 96) as u32, (block >> 64) as u32, (block >> 32) as u32, block as u32]
}

/// The block of four words.
#[inline(always)]
pub fn block4([a, b, c, d]: [u32; 4]) -> u128 {
    (a as u128) << 96 | (b as u128) << 64 | (c as u128) << 32 | d as u128
}

/// `msb(x)·c` without a branch.
#[inline(always)]
fn times_msb64(x: u64, c: u64) -> u64 {
    0u64.wrapping_sub(x >> 63) & c
}

#[inline(always)]
fn double(x: u128) -> u128 {
    x << 1 ^ 0u128.wrapping_sub(x >> 127) & 135
}

#[inline(always)]
fn lfsr1(block: u128) -> u128 {
    let [x, y] = words2(block);
    block2([y, x << 1 ^ times_msb64(x, 1 << 63 | 0b1010001) ^ y])
}

#[inline(always)]
fn lfsr2(block: u128) -> u128 {
    let [x, y] = words2(block);
    block2([y, x << 1 ^ x >> 1 ^ y & 148])
}

#[inline(always)]
fn lfsr3(block: u128) -> u128 {
    let [a, b, c, d] = words4(block);
    let feedback = 0u32.wrapping_sub(a >> 31) & 831;
    block4([c, d, b, a << 1 ^ feedback ^ b ^ d])
}

#[inline(always)]
fn lfsr4(block: u128) -> u128 {
    let [a, b, c, d] = words4(block);
    block4([c, d, b, a << 1 ^ a >> 1 ^ d & 107])
}

#[inline(always)]
fn lfsr5(block: u128) -> u128 {
    let [a, b, c, d] = words4(block);
    block4([c, d, b, a << 1 ^ a >> 1 ^ d << 15])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_them_are_maximal() {
        for lfsr in LFSRS {
            assert!(analyze(lfsr.step).maximal, "{}", lfsr.name);
        }
        assert_eq!(analyze(double).polynomial, 0x87);
        // x^128 + x^120 + x^112 + x^96 + x^67 + x^64 + x^47 + x^6 + x^3 + 1
        assert_eq!(analyze(lfsr5).polynomial, 0x0101_0001_0000_0009_0008_0008_0000_0049);
    }

    /// Read as seven bits, the constant of (1) gives no maximal LFSR.
    #[test]
    fn the_first_ones_constant() {
        let short = |block| {
            let [x, y] = words2(block);
            block2([y, x << 1 ^ times_msb64(x, 0b1010001) ^ y])
        };
        assert!(!analyze(short).maximal);
    }

    #[test]
    fn loops_are_steps() {
        for lfsr in LFSRS {
            let mut out = [0; 20];
            let start = 0x0123_4567_89ab_cdef_8899_aabb_ccdd_eeff;
            assert_eq!((lfsr.fill)(start, &mut out), out[19]);
            let mut block = start;
            for place in out {
                block = (lfsr.step)(block);
                assert_eq!(place, block, "{}", lfsr.name);
            }
        }
    }

    #[test]
    fn words_and_back() {
        let block = 0x0123_4567_89ab_cdef_8899_aabb_ccdd_eeff;
        assert_eq!(words4(block), [0x0123_4567, 0x89ab_cdef, 0x8899_aabb, 0xccdd_eeff]);
        assert_eq!((block2(words2(block)), block4(words4(block))), (block, block));
    }
}
