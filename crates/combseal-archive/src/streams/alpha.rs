//! Multiplication and division by alpha, the element that the registers of SNOW 2.0 and of SOSEMANUK
//! are made with: a word is a polynomial of degree 3 over GF(2^8), which is the polynomials over
//! GF(2) modulo x^8 + x^7 + x^5 + x^3 + 1, and alpha is a root of
//! x^4 + b^23 x^3 + b^245 x^2 + b^48 x + b^239, where b is x.

use combseal::cpu::Backend;

/// The product of two elements of GF(2^8).
const fn times(a: u32, mut b: u32) -> u32 {
    let (mut a, mut product) = (a, 0);
    while b > 0 {
        product ^= (b & 1) * a;
        b >>= 1;
        a = a << 1 ^ (a >> 7) * 0x1a9;
    }
    product
}

/// For each byte its products with four powers of b, from the highest byte of the word down.
const fn table(powers: [u32; 4]) -> [u32; 256] {
    let mut columns = 0;
    let mut i = 0;
    while i < 4 {
        let (mut power, mut n) = (1, 0);
        while n < powers[i] {
            power = times(power, 2);
            n += 1;
        }
        columns = columns << 8 | power;
        i += 1;
    }
    let mut t = [0; 256];
    let mut c = 1;
    while c < 256 {
        let mut i = 0;
        while i < 32 {
            t[c] |= times(columns >> i & 255, c as u32) << i;
            i += 8;
        }
        c += 1;
    }
    t
}

/// What a word's highest byte becomes when the word is multiplied by alpha, and what its lowest byte
/// becomes when it is divided: one array, so that one register holds the address of both.
static TABLES: [[u32; 256]; 2] = [table([23, 245, 48, 239]), table([16, 39, 6, 64])];

/// `w` times alpha.
#[inline(always)]
pub fn times_alpha(w: u32) -> u32 {
    w << 8 ^ TABLES[0][(w >> 24) as usize]
}

/// `w` over alpha.
#[inline(always)]
pub fn over_alpha(w: u32) -> u32 {
    w >> 8 ^ TABLES[1][(w & 255) as usize]
}

/// Every 16th entry of a table, or its first 16: the tables are linear, so that an entry is the sum
/// of one of either.
const fn sixteen(t: &[u32; 256], step: usize) -> [u32; 16] {
    let (mut part, mut i) = ([0; 16], 0);
    while i < 16 {
        part[i] = t[i * step];
        i += 1;
    }
    part
}

static TIMES_LOW: [u32; 16] = sixteen(&TABLES[0], 1);
static TIMES_HIGH: [u32; 16] = sixteen(&TABLES[0], 16);
static OVER_LOW: [u32; 16] = sixteen(&TABLES[1], 1);
static OVER_HIGH: [u32; 16] = sixteen(&TABLES[1], 16);

/// The words of `a` times alpha and those of `b` over alpha, added.
#[inline(always)]
pub fn times_and_over<B: Backend>(b: B, a: B::V, by: B::V) -> B::V {
    let times = b.xor(b.lookup16(&TIMES_LOW, b.shr32::<24>(a)), b.lookup16(&TIMES_HIGH, b.shr32::<28>(a)));
    let over = b.xor(b.lookup16(&OVER_LOW, by), b.lookup16(&OVER_HIGH, b.shr32::<4>(by)));
    b.xor(b.xor(times, b.shl32::<8>(a)), b.xor(over, b.shr32::<8>(by)))
}
