//! What the unit tests share. The tests of schemes are in `tests/schemes`, since they need nothing that is private; the
//! kernels that they run on every tier are those of the library.

use crate::cpu::Block;

/// A wrong bit in a round key of those tiers that `COMBSEAL_BREAK` names, if it does: `soft`, `armv8`, `armv8sha3`. The
/// unit test of FIPS 197 must find it, on whatever runs it; `.ci/far` asks it to.
pub fn broken(tiers: &str, keys: &mut [Block]) {
    if std::env::var("COMBSEAL_BREAK").is_ok_and(|named| named == tiers) {
        keys[3][0] ^= 1;
    }
}
