//! Grain v1, a step at a time, in its specification's words.

use super::bits::{bits, bytes};

/// The registers: `b` is the nonlinear one, `s` the linear one.
struct Grain {
    b: Vec<u8>,
    s: Vec<u8>,
}

/// The first `len` bytes of key stream.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let mut it = Grain { b: bits(key), s: bits(nonce) };
    it.s.extend([1; 16]);
    for _ in 0..160 {
        let z = it.step();
        it.b[79] ^= z;
        it.s[79] ^= z;
    }
    bytes(len, || it.step())
}

impl Grain {
    /// One step; its bit of output.
    fn step(&mut self) -> u8 {
        let Self { b, s } = self;
        let (x0, x1, x2, x3, x4) = (s[3], s[25], s[46], s[64], b[63]);
        let mut h = x1 ^ x4 ^ x0 & x3 ^ x2 & x3 ^ x3 & x4 ^ x0 & x1 & x2 ^ x0 & x2 & x3;
        h ^= x0 & x2 & x4 ^ x1 & x2 & x4 ^ x2 & x3 & x4;
        let z = h ^ b[1] ^ b[2] ^ b[4] ^ b[10] ^ b[31] ^ b[43] ^ b[56];
        let new_s = s[62] ^ s[51] ^ s[38] ^ s[23] ^ s[13] ^ s[0];
        let mut new_b = s[0] ^ b[62] ^ b[60] ^ b[52] ^ b[45] ^ b[37] ^ b[33] ^ b[28] ^ b[21] ^ b[14] ^ b[9] ^ b[0];
        new_b ^= b[63] & b[60] ^ b[37] & b[33] ^ b[15] & b[9];
        new_b ^= b[60] & b[52] & b[45] ^ b[33] & b[28] & b[21];
        new_b ^= b[63] & b[45] & b[28] & b[9] ^ b[60] & b[52] & b[37] & b[33] ^ b[63] & b[60] & b[21] & b[15];
        new_b ^= b[63] & b[60] & b[52] & b[45] & b[37] ^ b[33] & b[28] & b[21] & b[15] & b[9];
        new_b ^= b[52] & b[45] & b[37] & b[33] & b[28] & b[21];
        for (register, new) in [(b, new_b), (s, new_s)] {
            register.remove(0);
            register.push(new);
        }
        z
    }
}
