//! NLS v1 (as found) and v2, a word at a time, and their authenticator.

use combseal_archive::streams::nls::tables::{MULTAB, SBOX};

const INIT_KONST: u32 = 0x6996_c53a;
const F16: u64 = 0x1_0001;

/// A cipher under way.
pub struct Nls {
    version: u8,
    r: [u32; 17],
    konst: u32,
    count: u64,
    total: u32,
    m: [u32; 8],
    crc: [u32; 8],
}

fn nonlin(w: u32) -> u32 {
    w ^ SBOX[w as usize >> 24]
}

fn little_endian(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |w, &byte| w << 8 | u32::from(byte))
}

impl Nls {
    /// Behind the key and the nonce.
    pub fn new(version: u8, key: &[u8], nonce: &[u8]) -> Self {
        let mut r = [1u32; 17];
        for i in 2..17 {
            r[i] = r[i - 1] + r[i - 2];
        }
        let mut it = Self { version, r, konst: INIT_KONST, count: 0, total: 0, m: [0; 8], crc: [0; 8] };
        it.load(key);
        it.new_konst();
        if version == 2 {
            it.konst = INIT_KONST;
        }
        it.load(nonce);
        if version == 2 {
            it.new_konst();
        }
        (it.count, it.total) = (0, 0);
        it.m.copy_from_slice(&it.r[..8]);
        it.crc.copy_from_slice(&it.r[8..16]);
        it
    }

    fn cycle(&mut self) {
        let r = &mut self.r;
        let sum = r[0].rotate_left(19).wrapping_add(r[15].rotate_left(9)).wrapping_add(self.konst);
        let t = nonlin(sum) ^ r[4];
        r.rotate_left(1);
        r[16] = t;
        self.count += 1;
        if self.count == F16 {
            self.total = self.total.wrapping_add(F16 as u32);
            self.r[2] = self.r[2].wrapping_add(self.total);
            if self.version == 2 {
                self.count = 0;
                self.konst = self.tap();
                self.cycle();
            }
        }
    }

    fn tap(&self) -> u32 {
        let r = &self.r;
        let outer = r[0].wrapping_add(r[16]);
        if self.version == 2 {
            outer ^ r[1].wrapping_add(r[13]) ^ r[6].wrapping_add(self.konst)
        } else {
            outer ^ r[1].wrapping_add(self.konst) ^ r[6].wrapping_add(r[13])
        }
    }

    fn load(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(4) {
            self.r[15] = self.r[15].wrapping_add(little_endian(word));
            self.cycle();
            self.r[4] ^= self.tap();
        }
        self.r[15] = self.r[15].wrapping_add(bytes.len() as u32);
        for _ in 0..17 {
            self.cycle();
            self.r[4] ^= self.tap();
        }
    }

    fn new_konst(&mut self) {
        loop {
            self.cycle();
            let konst = self.tap();
            if self.version == 2 || konst >> 24 != 0 {
                self.konst = konst;
                return;
            }
        }
    }

    fn sha(&mut self, w: u32) {
        let [a, b, c, d, e, f, g, h] = self.m;
        let t = nonlin(h.wrapping_add(self.r[8]).wrapping_add(w));
        let t = t.wrapping_add(e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25));
        let t = t.wrapping_add((e & f) ^ (!e & g));
        let new_e = d.wrapping_add(t);
        let t = t.wrapping_add(a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22));
        let t = t.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        self.m = [t, a, b, c, new_e, e, f, g];
    }

    fn crc(&mut self, w: u32) {
        let last = (self.crc[0] << 8) ^ MULTAB[self.crc[0] as usize >> 24] ^ self.crc[5] ^ w;
        self.crc.rotate_left(1);
        self.crc[7] = last;
    }
}

fn keystream(version: u8, key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let mut it = Nls::new(version, key, nonce);
    let mut out = Vec::new();
    while out.len() < len {
        it.cycle();
        out.extend(it.tap().to_le_bytes());
    }
    out.truncate(len);
    out
}

/// The key stream of version 1.
pub fn keystream_v1(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    keystream(1, key, nonce, len)
}

/// The key stream of version 2.
pub fn keystream_v2(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    keystream(2, key, nonce, len)
}

fn seal(version: u8, key: &[u8], nonce: &[u8], ad: &[u8], message: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let mut it = Nls::new(version, key, nonce);
    let all = [ad, message].concat();
    let mut enciphered = Vec::new();
    for word in all.chunks(4) {
        it.cycle();
        enciphered.extend(word.iter().zip(it.tap().to_le_bytes()).map(|(a, b)| a ^ b));
        it.crc(little_endian(word));
        it.sha(little_endian(word));
    }
    let unused = 8 * (all.len().wrapping_neg() % 4) as u32;
    it.cycle();
    it.sha(INIT_KONST.wrapping_add(unused << 24));
    let mut tag = Vec::new();
    for i in 0..12 {
        it.cycle();
        it.crc(0);
        it.sha(it.crc[7]);
        if i >= 8 {
            tag.extend(it.m[0].to_le_bytes());
        }
    }
    (enciphered[ad.len()..].to_vec(), tag.try_into().unwrap())
}

/// Ciphertext and authenticator of version 1.
pub fn seal_v1(key: &[u8], nonce: &[u8], ad: &[u8], message: &[u8]) -> (Vec<u8>, [u8; 16]) {
    seal(1, key, nonce, ad, message)
}

/// Ciphertext and authenticator of version 2.
pub fn seal_v2(key: &[u8], nonce: &[u8], ad: &[u8], message: &[u8]) -> (Vec<u8>, [u8; 16]) {
    seal(2, key, nonce, ad, message)
}
