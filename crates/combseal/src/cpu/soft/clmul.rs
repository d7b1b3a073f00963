//! Carry-less multiplication by integer multiplication, in constant time
//! wherever the CPU's multiplication is (Pornin, BearSSL, "ghash_ctmul64"):
//! with three zeros between any two bits, a column's sum has room to count its
//! ones, and the lowest bit of the count is the product's.

/// Every fourth bit.
const HOLES: u64 = 0x1111_1111_1111_1111;

/// The 128-bit product of `a` and `b` as polynomials over GF(2).
#[inline(always)]
pub(super) fn clmul(a: u64, b: u64) -> u128 {
    // A count must stay below sixteen: `b` has fifteen bits in a class without
    // its four highest, and those are added apart.
    let mut x = [0; 4];
    let mut y = [0; 4];
    for i in 0..4 {
        x[i] = a & HOLES << i;
        y[i] = b & (HOLES >> 4) << i;
    }
    let mut z = 0;
    for i in 0..4 {
        let mut class = 0;
        for j in 0..4 {
            class ^= x[j] as u128 * y[(4 + i - j) % 4] as u128;
        }
        z |= class & (((HOLES as u128) << 64 | HOLES as u128) << i);
    }
    for i in 60..64 {
        z ^= (a as u128) << i & 0u128.wrapping_sub((b >> i & 1) as u128);
    }
    z
}
