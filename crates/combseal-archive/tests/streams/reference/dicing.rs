//! DICING v2, a step at a time, with its matrices and shifts bit by bit.

use combseal_archive::streams::dicing::S0;

/// Added to the nonce before each mixing.
const CT: &str = "9a044dcc2c81f9286587c050282541e1049495a3c69e39a5bf93b992b5618ef3";

fn little_endian(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|word| word.iter().rev().fold(0, |w, &byte| w << 8 | u32::from(byte))).collect()
}

/// A matrix's rows: a lower triangle times an upper one, each with ones on its diagonal.
fn matrix(k: &[u8]) -> Vec<u8> {
    let upper: Vec<u8> = (0..8).map(|i| (1 << i) ^ (k[i] & (0xfeu8 << i))).collect();
    let row = |r: usize| (0..r).filter(|i| k[r] >> i & 1 == 1).fold(upper[r], |sum, i| sum ^ upper[i]);
    (0..8).map(row).collect()
}

/// The S-box of a key.
fn s_box(mk: &[u8]) -> Vec<u32> {
    let (w, y) = (matrix(&mk[..8]), matrix(&mk[8..]));
    let diagonal = |k: &[u8]| (0..8).map(|i| k[i] & (1 << i)).sum::<u8>();
    let (d1, d2) = (diagonal(&mk[..8]), diagonal(&mk[8..]));
    let (c1, c2) = (d1 ^ d2.rotate_left(1), d1 ^ d2);
    let mut s_box = vec![0; 256];
    for k in 0..=255u8 {
        let t = S0[usize::from(k)] ^ c1 ^ 255;
        let mut bytes = [c2, 0, c2, c2];
        for i in 0..8 {
            if t >> i & 1 == 1 {
                for (byte, of_row) in bytes.iter_mut().zip([w[i], y[i], w[i], w[i] ^ y[i]]) {
                    *byte ^= of_row;
                }
            }
        }
        s_box[usize::from(k ^ c1)] = u32::from_le_bytes(bytes);
    }
    s_box
}

/// A shift left by `n` of a number of `len` bits, a bit at a time: the number and the bits pushed out.
fn shift(mut number: u128, len: u32, n: u32) -> (u128, u128) {
    let mut out = 0;
    for _ in 0..n {
        out = out << 1 | number >> (len - 1) & 1;
        number = number << 1 & if len == 128 { u128::MAX } else { (1 << len) - 1 };
    }
    (number, out)
}

/// The key stream.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let mut k = little_endian(key);
    let mk: Vec<u8> = if key.len() == 16 {
        k.extend(k.clone().iter().map(|word| !word));
        key.to_vec()
    } else {
        (0..16).map(|i| key[i] ^ key[16 + i]).collect()
    };
    let s_box = s_box(&mk);
    let t = |i: usize, byte: u8| s_box[usize::from(byte)].rotate_right(8 * i as u32);
    let complement: Vec<u32> = k[4..].iter().chain(&k[..4]).map(|word| !word).collect();
    let layer = |v: &[u8], key: &[u32]| -> Vec<u8> {
        let mut out = Vec::new();
        for j in 0..4 {
            for half in [0, 16] {
                let word = (0..4).fold(0, |sum, i| sum ^ t(i, v[half + j + 4 * i]));
                out.extend((word ^ key[2 * j + half / 16]).to_le_bytes());
            }
        }
        out
    };
    let ct: Vec<u8> = (0..32).map(|i| u8::from_str_radix(&CT[2 * i..2 * i + 2], 16).unwrap()).collect();
    let mut u = nonce.to_vec();
    let mut made = Vec::new();
    for _ in 0..4 {
        let v: Vec<u8> = u.iter().zip(&ct).map(|(a, b)| a ^ b).collect();
        u = layer(&layer(&layer(&v, &k), &complement), &[0; 8]);
        made.push(little_endian(&u));
    }
    let number = |words: &[u32]| words.iter().rev().fold(0, |n: u128, &word| n << 32 | u128::from(word));
    let last: Vec<u32> = (0..4).map(|i| made[0][i] ^ made[0][4 + i]).collect();
    let (mut a, mut b) = (number(&made[1][..4]), number(&made[1][4..]));
    let mut l1 = number(&made[2][..4]) & ((1 << 127) - 1);
    let mut l2 = number(&made[2][4..]) & ((1 << 126) - 1);
    let (mut c, mut d) = (number(&made[3][..4]), number(&made[3][4..]));
    if c == 0 && d == 0 {
        (c, d) = (number(&k[..4]), number(&k[4..]));
    }
    let mut out = Vec::new();
    while out.len() < len {
        let (shifted, t1) = shift(l1, 127, 8);
        let f = t1 ^ (t1 << 3);
        l1 = shifted ^ f ^ (f << 41) ^ (f << 89);
        let (shifted, t2) = shift(l2, 126, 8);
        let f = t2 ^ (t2 << 7);
        l2 = shifted ^ f ^ (f << 35) ^ (f << 83);
        let dice = (t1 ^ t2) as u32;
        let (shifted, top) = shift(c, 128, 1 + (dice & 15));
        let top = top ^ (top << 3);
        c = shifted ^ top ^ (top << 32) ^ (top << 3 << 64) ^ (top << 96);
        let (shifted, top) = shift(d, 128, 1 + (dice >> 4));
        let top = top ^ (top << 5) ^ (top << 7);
        d = shifted ^ top ^ (top << 5 << 32) ^ (top << 64) ^ (top << 96);
        a ^= c;
        b ^= d;
        let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
        let mut mixed = Vec::new();
        for i in 0..4 {
            let word = (0..4).fold(0, |sum, j| sum ^ t(j, a[4 * i + j]));
            mixed.extend(word.to_le_bytes());
        }
        let mixed: Vec<u8> = mixed.iter().zip(b).map(|(x, y)| x ^ y).collect();
        for i in 0..4 {
            let word = (0..4).fold(last[i], |sum, j| sum ^ t(j, mixed[4 * j + i]));
            out.extend(word.to_le_bytes());
        }
    }
    out.truncate(len);
    out
}
