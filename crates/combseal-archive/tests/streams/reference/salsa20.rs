//! Salsa20, word by word (Bernstein, "Salsa20 specification", 2005).

/// A block of 64 bytes from the sixteen words of the matrix.
fn core(x: [u32; 16], rounds: usize) -> Vec<u8> {
    let mut z = x;
    let mut quarter = |[a, b, c, d]: [usize; 4]| {
        z[b] ^= z[a].wrapping_add(z[d]).rotate_left(7);
        z[c] ^= z[b].wrapping_add(z[a]).rotate_left(9);
        z[d] ^= z[c].wrapping_add(z[b]).rotate_left(13);
        z[a] ^= z[d].wrapping_add(z[c]).rotate_left(18);
    };
    for _ in 0..rounds / 2 {
        for column in [[0, 4, 8, 12], [5, 9, 13, 1], [10, 14, 2, 6], [15, 3, 7, 11]] {
            quarter(column);
        }
        for row in [[0, 1, 2, 3], [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]] {
            quarter(row);
        }
    }
    (0..16).flat_map(|i| z[i].wrapping_add(x[i]).to_le_bytes()).collect()
}

/// Key stream from block `number` on.
pub fn keystream_from(rounds: usize, key: &[u8], nonce: &[u8], number: u64, len: usize) -> Vec<u8> {
    let word = |bytes: &[u8], i: usize| u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().unwrap());
    let c = if key.len() == 32 { b"expand 32-byte k" } else { b"expand 16-byte k" };
    let (k0, k1) = (&key[..16], &key[key.len() - 16..]);
    let mut stream = vec![];
    let mut count = number;
    while stream.len() < len {
        let x = [
            [word(c, 0), word(k0, 0), word(k0, 1), word(k0, 2)],
            [word(k0, 3), word(c, 1), word(nonce, 0), word(nonce, 1)],
            [count as u32, (count >> 32) as u32, word(c, 2), word(k1, 0)],
            [word(k1, 1), word(k1, 2), word(k1, 3), word(c, 3)],
        ];
        stream.extend(core(x.concat().try_into().unwrap(), rounds));
        count = count.wrapping_add(1);
    }
    stream.truncate(len);
    stream
}

/// Salsa20/20.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    keystream_from(20, key, nonce, 0, len)
}
/// Salsa20/12.
pub fn keystream_12(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    keystream_from(12, key, nonce, 0, len)
}
/// Salsa20/8.
pub fn keystream_8(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    keystream_from(8, key, nonce, 0, len)
}
