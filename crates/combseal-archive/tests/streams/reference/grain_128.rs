//! Grain-128 (of 2006), a step at a time, in its specification's words.

use super::bits::{bits, bytes};

/// The registers: `b` is the nonlinear one, `s` the linear one.
struct Grain {
    b: Vec<u8>,
    s: Vec<u8>,
}

/// The first `len` bytes of key stream.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let mut it = Grain { b: bits(key), s: bits(nonce) };
    it.s.extend([1; 32]);
    for _ in 0..256 {
        let z = it.step();
        it.b[127] ^= z;
        it.s[127] ^= z;
    }
    bytes(len, || it.step())
}

impl Grain {
    /// One step; its bit of output.
    fn step(&mut self) -> u8 {
        let Self { b, s } = self;
        let mut z = b[2] ^ b[15] ^ b[36] ^ b[45] ^ b[64] ^ b[73] ^ b[89] ^ s[93];
        z ^= b[12] & s[8] ^ s[13] & s[20] ^ b[95] & s[42] ^ s[60] & s[79] ^ b[12] & b[95] & s[95];
        let new_s = s[0] ^ s[7] ^ s[38] ^ s[70] ^ s[81] ^ s[96];
        let mut new_b = s[0] ^ b[0] ^ b[26] ^ b[56] ^ b[91] ^ b[96];
        new_b ^= b[3] & b[67] ^ b[11] & b[13] ^ b[17] & b[18] ^ b[27] & b[59];
        new_b ^= b[40] & b[48] ^ b[61] & b[65] ^ b[68] & b[84];
        for (register, new) in [(b, new_b), (s, new_s)] {
            register.remove(0);
            register.push(new);
        }
        z
    }
}
