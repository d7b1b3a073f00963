//! HC-128, from Wu's text: both tables whole, a step at a time.

/// The key stream of 16-byte keys and nonces.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let mut w: Vec<u32> = Vec::new();
    for part in [key, key, nonce, nonce] {
        w.extend(part.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())));
    }
    super::hc_256::expand(&mut w, 1280);
    // Table 0 is P, table 1 is Q.
    let mut tables = [w[256..768].to_vec(), w[768..1280].to_vec()];
    let mut step = |i: usize, feed_back: bool| -> u32 {
        let (own, j) = (i % 1024 / 512, i % 512);
        let back = |n: usize| tables[own][(j + 512 - n) % 512];
        let turn = |x: u32, n: u32| if own == 0 { x.rotate_right(n) } else { x.rotate_left(n) };
        let x = back(12);
        let new = back(0).wrapping_add(turn(back(3), 10) ^ turn(back(511), 23)).wrapping_add(turn(back(10), 8));
        let other = &tables[1 - own];
        let h = other[(x & 255) as usize].wrapping_add(other[256 + (x >> 16 & 255) as usize]);
        tables[own][j] = if feed_back { h ^ new } else { new };
        h ^ new
    };
    for i in 0..1024 {
        step(i, true);
    }
    (0..len.div_ceil(4)).flat_map(|i| step(i, false).to_le_bytes()).take(len).collect()
}
