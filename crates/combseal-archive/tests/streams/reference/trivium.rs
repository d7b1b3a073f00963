//! Trivium, a step at a time, its state's bits counted from 1 as the specification does.

use super::bits::{bits, bytes};

/// The first `len` bytes of key stream.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let (k, v) = (bits(key), bits(nonce));
    let mut s = [0; 289];
    for i in 0..80 {
        s[1 + i] = k[79 - i];
        s[94 + i] = v[79 - i];
    }
    (s[286], s[287], s[288]) = (1, 1, 1);
    for _ in 0..4 * 288 {
        step(&mut s);
    }
    bytes(len, || step(&mut s))
}

/// One step; its bit of key stream.
fn step(s: &mut [u8; 289]) -> u8 {
    let mut t1 = s[66] ^ s[93];
    let mut t2 = s[162] ^ s[177];
    let mut t3 = s[243] ^ s[288];
    let z = t1 ^ t2 ^ t3;
    t1 ^= s[91] & s[92] ^ s[171];
    t2 ^= s[175] & s[176] ^ s[264];
    t3 ^= s[286] & s[287] ^ s[69];
    s.copy_within(1..288, 2);
    (s[1], s[94], s[178]) = (t3, t1, t2);
    z
}
