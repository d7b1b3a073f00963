//! AES (FIPS 197), byte by byte, and eSTREAM's counter mode of it.

/// Twice `a` in the field.
fn twice(a: u8) -> u8 {
    a << 1 ^ if a & 0x80 == 0 { 0 } else { 0x1b }
}

/// The product in the field.
fn times(a: u8, b: u8) -> u8 {
    (0..8).rev().fold(0, |z, i| twice(z) ^ if b >> i & 1 == 1 { a } else { 0 })
}

/// The S-box: the inverse, which is the 254th power, and the affine map.
fn sub(x: u8) -> u8 {
    let inverse = (0..254).fold(1, |z, _| times(z, x));
    (0..5).fold(0x63, |z, i| z ^ inverse.rotate_left(i))
}

/// The S-box of every byte.
pub fn sbox() -> Vec<u8> {
    (0..=255).map(sub).collect()
}

/// Round keys: 11 of a key of 16 bytes, 15 of one of 32.
pub fn expand(sbox: &[u8], key: &[u8]) -> Vec<Vec<u8>> {
    let n = key.len() / 4;
    let mut words: Vec<Vec<u8>> = key.chunks(4).map(<[u8]>::to_vec).collect();
    let mut constant = 1;
    for i in n..4 * (n + 7) {
        let mut t = words[i - 1].clone();
        if i % n == 0 {
            t.rotate_left(1);
            t = t.iter().map(|&b| sbox[usize::from(b)]).collect();
            t[0] ^= constant;
            constant = twice(constant);
        } else if n == 8 && i % n == 4 {
            t = t.iter().map(|&b| sbox[usize::from(b)]).collect();
        }
        words.push(words[i - n].iter().zip(t).map(|(a, b)| a ^ b).collect());
    }
    words.chunks(4).map(<[Vec<u8>]>::concat).collect()
}

/// `a ^ b`.
pub fn add(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// A round of the state, byte `i` of which is in row `i % 4` and column `i / 4`.
pub fn round(sbox: &[u8], state: &[u8], key: &[u8], mix: bool) -> Vec<u8> {
    let shifted: Vec<u8> = (0..16).map(|i| sbox[usize::from(state[(i + 4 * (i % 4)) % 16])]).collect();
    let mixed = (0..16).map(|i| {
        let row = |n: usize| shifted[i / 4 * 4 + (i + n) % 4];
        twice(row(0)) ^ twice(row(1)) ^ row(1) ^ row(2) ^ row(3)
    });
    add(&if mix { mixed.collect() } else { shifted.clone() }, key)
}

/// The cipher.
pub fn encrypt(sbox: &[u8], keys: &[Vec<u8>], block: &[u8]) -> Vec<u8> {
    let mut state = add(block, &keys[0]);
    for (r, key) in keys.iter().enumerate().skip(1) {
        state = round(sbox, &state, key, r + 1 < keys.len());
    }
    state
}

/// Key stream: the first four bytes of the counter block are counted, little-endian.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let sbox = sbox();
    let keys = expand(&sbox, key);
    let (first, rest) = nonce.split_at(4);
    let mut count = u32::from_le_bytes(first.try_into().unwrap());
    let mut stream = vec![];
    while stream.len() < len {
        stream.extend(encrypt(&sbox, &keys, &[&count.to_le_bytes(), rest].concat()));
        count = count.wrapping_add(1);
    }
    stream.truncate(len);
    stream
}
