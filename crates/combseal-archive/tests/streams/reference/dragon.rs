//! Dragon from its paper (ICISC 2004). Of unequal lengths of key and nonce, which the paper does not
//! have, the shorter is followed by zeros.

use combseal_archive::streams::dragon::{S1, S2};
use std::collections::VecDeque;

/// The sum of the entries of four bytes, the lowest first, in the tables of those numbers.
fn sum(tables: [u8; 4], x: u32) -> u32 {
    (0..4).fold(0, |sum, i| {
        let byte = usize::from(x.to_le_bytes()[i]);
        sum ^ if tables[i] == 1 { S1[byte] } else { S2[byte] }
    })
}

fn f([mut a, mut b, mut c, mut d, mut e, mut f]: [u32; 6]) -> [u32; 6] {
    // Pre-mixing.
    (b, d, f) = (b ^ a, d ^ c, f ^ e);
    (c, e, a) = (c.wrapping_add(b), e.wrapping_add(d), a.wrapping_add(f));
    // The functions G, then H.
    (d, f, b) = (d ^ sum([2, 1, 1, 1], a), f ^ sum([1, 2, 1, 1], c), b ^ sum([1, 1, 2, 1], e));
    (a, c, e) = (a ^ sum([1, 2, 2, 2], b), c ^ sum([2, 1, 2, 2], d), e ^ sum([2, 2, 1, 2], f));
    // Post-mixing.
    (d, f, b) = (d.wrapping_add(a), f.wrapping_add(c), b.wrapping_add(e));
    [a ^ f, b, c ^ b, d, e ^ d, f]
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|w| u32::from_be_bytes(w.try_into().unwrap())).collect()
}

/// `len` bytes of the key stream.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let (mut k, mut v) = (words(key), words(nonce));
    let xor = |p: &[u32], q: &[u32]| -> Vec<u32> { p.iter().zip(q).map(|(p, q)| p ^ q).collect() };
    let turned = |p: &[u32]| [p[2], p[3], p[0], p[1]].to_vec();
    let mut register = VecDeque::new();
    if k.len() == 4 && v.len() == 4 {
        let (k2, v2) = (turned(&k), turned(&v));
        for part in [&k, &xor(&k2, &v2), &v, &xor(&k, &v2), &k2, &xor(&k, &v), &v2, &xor(&k2, &v)] {
            register.extend(part);
        }
    } else {
        k.resize(8, 0);
        v.resize(8, 0);
        let x = xor(&k, &v);
        let not: Vec<u32> = x.iter().map(|w| !w).collect();
        for part in [&k, &x, &not, &v] {
            register.extend(part);
        }
    }
    let mut m = 0x0000_4472_6167_6f6e_u64;
    for _ in 0..16 {
        let b = &register;
        let word = |i: usize| b[i] ^ b[24 + i] ^ b[28 + i];
        let six = f([word(0), word(1), word(2), word(3), (m >> 32) as u32, m as u32]);
        let new: Vec<u32> = (0..4).map(|i| six[i] ^ b[16 + i]).collect();
        m = u64::from(six[4]) << 32 | u64::from(six[5]);
        register.truncate(28);
        for word in new.into_iter().rev() {
            register.push_front(word);
        }
    }
    let mut stream = Vec::new();
    while stream.len() < len {
        let b = &register;
        let [a, second, third, _, e, _] = f([b[0], b[9], b[16], b[19], b[30] ^ (m >> 32) as u32, b[31] ^ m as u32]);
        m = m.wrapping_add(1);
        register.truncate(30);
        register.push_front(third);
        register.push_front(second);
        stream.extend(a.to_be_bytes());
        stream.extend(e.to_be_bytes());
    }
    stream.truncate(len);
    stream
}
