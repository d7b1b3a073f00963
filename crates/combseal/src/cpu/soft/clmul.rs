//! Carry-less multiplication by integer multiplication, in constant time
//! wherever the CPU's multiplication is (Pornin, BearSSL, "ghash_ctmul64"): with
//! three zeros between any two bits of each factor, a column of the product has
//! room to count its ones up to fifteen, and the count's lowest bit is the
//! carry-less product's.

/// Every fourth bit.
const HOLES: u64 = 0x1111_1111_1111_1111;

/// The 128-bit product of `a` and `b` as polynomials over GF(2). Not inlined: it
/// is long, and kernels take many.
#[inline(never)]
pub(super) fn clmul(a: u64, b: u64) -> u128 {
    // `b` goes without its four highest bits, which leaves fifteen to a class.
    let mut x = [0; 4];
    let mut y = [0; 4];
    for i in 0..4 {
        x[i] = a & HOLES << i;
        y[i] = b & (HOLES >> 4) << i;
    }
    // Those four fit into the holes of `a`.
    let mut z = 0;
    for i in 0..4 {
        z ^= x[i] as u128 * (b >> 60) as u128;
    }
    z <<= 60;
    for i in 0..4 {
        let mut class = 0;
        for j in 0..4 {
            class ^= x[j] as u128 * y[(4 + i - j) % 4] as u128;
        }
        z ^= class & ((HOLES as u128) << 64 | HOLES as u128) << i;
    }
    z
}
