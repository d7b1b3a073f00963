//! HC-256, from Wu's text: both tables whole, a step at a time.

/// The expansion of sixteen words to `len` words, which HC-128 has too.
pub fn expand(w: &mut Vec<u32>, len: usize) {
    for i in 16..len {
        let f1 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
        let f2 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
        w.push(f2.wrapping_add(w[i - 7]).wrapping_add(f1).wrapping_add(w[i - 16]).wrapping_add(i as u32));
    }
}

/// The key stream of 32-byte keys, and of nonces of 32 bytes or of 16 that are taken twice.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let mut w: Vec<u32> = Vec::new();
    for part in [key, nonce, nonce] {
        w.extend(part.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())));
    }
    w.truncate(16);
    expand(&mut w, 2560);
    // Table 0 is P, table 1 is Q.
    let mut tables = [w[512..1536].to_vec(), w[1536..].to_vec()];
    let mut step = |i: usize| -> u32 {
        let (own, j) = (i % 2048 / 1024, i % 1024);
        let back = |n: usize| tables[own][(j + 1024 - n) % 1024];
        let (x, other) = (back(12), &tables[1 - own]);
        let new = back(0)
            .wrapping_add(back(10))
            .wrapping_add(back(3).rotate_right(10) ^ back(1023).rotate_right(23))
            .wrapping_add(other[((back(3) ^ back(1023)) % 1024) as usize]);
        let h = (0..4).fold(0u32, |sum, n| sum.wrapping_add(other[256 * n + (x >> (8 * n) & 255) as usize]));
        tables[own][j] = new;
        h ^ new
    };
    for i in 0..4096 {
        step(i);
    }
    (0..len.div_ceil(4)).flat_map(|i| step(i).to_le_bytes()).take(len).collect()
}
