//! ABC v3, a word and a bit at a time.

use combseal_archive::streams::abc::FIXED;

fn little_endian(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|word| word.iter().rev().fold(0, |w, &byte| w << 8 | u32::from(byte))).collect()
}

struct Abc {
    z: [u32; 4],
    x: u32,
    d: [u32; 3],
    e: [u32; 33],
}

impl Abc {
    /// The bits that are given.
    fn restrict(&mut self) {
        self.z[0] |= 2;
        self.d[0] &= 0xffff_fffc;
        self.d[1] = self.d[1] & 0xffff_fffc | 1;
        self.d[2] &= 0xffff_fffc;
    }

    fn word(&mut self) -> u32 {
        let [z0, z1, z2, z3] = self.z;
        // The linear register, 32 bits on.
        let new = z2 ^ (z1 << 31) ^ (z0 >> 1);
        self.z = [z1, z2, z3, new];
        // The chain.
        self.x = new.wrapping_add((self.x ^ self.d[0]).wrapping_add(self.d[1]) ^ self.d[2]);
        // The filter.
        let mut r = self.e[32];
        for i in 0..32 {
            if self.x >> i & 1 == 1 {
                r = r.wrapping_add(self.e[i]);
            }
        }
        z1.wrapping_add(r.rotate_left(16))
    }

    fn warm_up(&mut self) {
        self.restrict();
        let word = self.word();
        self.x ^= word;
        for i in 0..3 {
            let word = self.word();
            self.d[i] ^= word;
            let z0 = self.z[0];
            self.restrict();
            self.z[0] = z0;
        }
        for _ in 0..4 {
            let word = self.word();
            self.z[2] ^= word;
        }
        self.z[0] |= 2;
    }
}

/// The key stream.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let (k, v) = (little_endian(key), little_endian(nonce));
    let z = [0, 1, 2, 3].map(|i: usize| k[i].rotate_left(16));
    let mut of_key = Abc { z, x: k[0], d: [k[3], k[2], k[1]], e: FIXED };
    of_key.warm_up();
    let mut it = Abc { z: [0; 4], x: 0, d: [0; 3], e: [0; 33] };
    it.e[32] = of_key.word();
    for i in 0..32 {
        it.e[i] = of_key.word();
    }
    it.e[31] = it.e[31] & 0xffff_0000 | 0x0001_0000;
    it.d = [(); 3].map(|()| of_key.word());
    it.x = of_key.word();
    it.z = [(); 4].map(|()| of_key.word());
    it.restrict();
    for i in 0..4 {
        it.z[i] ^= v[i].rotate_left(16);
    }
    it.x ^= v[0];
    for i in 0..3 {
        it.d[i] ^= v[3 - i];
    }
    it.warm_up();
    let mut out = Vec::new();
    while out.len() < len {
        out.extend(it.word().to_le_bytes());
    }
    out.truncate(len);
    out
}
