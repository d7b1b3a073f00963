//! What the unit tests share. Those of the schemes are in `tests/schemes`: they need nothing that is private, and run on every
//! tier, which here would be made a second time.

use crate::cpu::Block;

/// A wrong bit in a round key of those tiers that `COMBSEAL_BREAK` names, if it does: `soft`, `armv8`, `armv8sha3`. The
/// tests must find it, on whatever runs them; `.ci/far` asks them to.
pub fn broken(tiers: &str, keys: &mut [Block]) {
    if std::env::var("COMBSEAL_BREAK").is_ok_and(|named| named == tiers) {
        keys[3][0] ^= 1;
    }
}

/// Bytes that differ from place to place, and for each `seed`.
pub fn noise(seed: usize, n: usize) -> Vec<u8> {
    let mut x = seed as u64 ^ 0x9e37_79b9_7f4a_7c15;
    let mut next = || {
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (x >> 56) as u8
    };
    (0..n).map(|_| next()).collect()
}
