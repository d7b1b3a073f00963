//! SOSEMANUK from its designers' text (eSTREAM, 2005), its S-boxes by their tables, bit by bit.

use super::alpha::{over_alpha, times_alpha};

const S: [[u32; 16]; 8] = [
    [3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12],
    [15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4],
    [8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2],
    [0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14],
    [1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13],
    [15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1],
    [7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0],
    [1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6],
];

/// S-box `i`: the bits in one place of four words are its number, the first word's the lowest.
fn sbox(i: usize, x: [u32; 4]) -> [u32; 4] {
    let mut y = [0; 4];
    for bit in 0..32 {
        let number = (0..4).fold(0, |number, w| number | (x[w] >> bit & 1) << w);
        for w in 0..4 {
            y[w] |= (S[i][number as usize] >> w & 1) << bit;
        }
    }
    y
}

/// Serpent's linear transformation.
fn transform([mut a, mut b, mut c, mut d]: [u32; 4]) -> [u32; 4] {
    a = a.rotate_left(13);
    c = c.rotate_left(3);
    b ^= a ^ c;
    d ^= c ^ a << 3;
    b = b.rotate_left(1);
    d = d.rotate_left(7);
    a ^= b ^ d;
    c ^= d ^ b << 7;
    [a.rotate_left(5), b, c.rotate_left(22), d]
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect()
}

/// The first 25 of Serpent's subkeys.
fn subkeys(key: &[u8]) -> Vec<[u32; 4]> {
    let mut padded = key.to_vec();
    if padded.len() < 32 {
        padded.push(1);
        padded.resize(32, 0);
    }
    let mut w = words(&padded);
    for i in 0..100 {
        w.push((w[i] ^ w[i + 3] ^ w[i + 5] ^ w[i + 7] ^ 0x9e37_79b9 ^ i as u32).rotate_left(11));
    }
    (0..25).map(|i| sbox((35 - i) % 8, w[8 + 4 * i..][..4].try_into().unwrap())).collect()
}

fn xor(a: [u32; 4], b: [u32; 4]) -> [u32; 4] {
    [a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]]
}

/// `len` bytes of the key stream.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let keys = subkeys(key);
    let mut y: [u32; 4] = words(nonce).try_into().unwrap();
    let mut after = vec![y];
    for r in 0..24 {
        y = transform(sbox(r % 8, xor(y, keys[r])));
        if r == 23 {
            y = xor(y, keys[24]);
        }
        after.push(y);
    }
    // s[0] is s_1.
    let mut s = Vec::new();
    s.extend(after[24].iter().rev());
    s.extend([after[18][1], after[18][3]]);
    s.extend(after[12].iter().rev());
    let (mut r1, mut r2) = (after[18][0], after[18][2]);
    let mut stream = Vec::new();
    while stream.len() < len {
        let (mut f, mut oldest) = ([0; 4], [0; 4]);
        for i in 0..4 {
            let word = s[1] ^ if r1 & 1 == 1 { s[8] } else { 0 };
            (r1, r2) = (r2.wrapping_add(word), r1.wrapping_mul(0x5465_5307).rotate_left(7));
            f[i] = s[9].wrapping_add(r1) ^ r2;
            s.push(s[9] ^ over_alpha(s[3]) ^ times_alpha(s[0]));
            oldest[i] = s.remove(0);
        }
        for word in xor(sbox(2, f), oldest) {
            stream.extend(word.to_le_bytes());
        }
    }
    stream.truncate(len);
    stream
}
