//! Rabbit from RFC 4503, section 2.

const A: [u32; 8] = [0x4d34d34d, 0xd34d34d3, 0x34d34d34, 0x4d34d34d, 0xd34d34d3, 0x34d34d34, 0x4d34d34d, 0xd34d34d3];

struct State {
    x: [u32; 8],
    c: [u32; 8],
    b: u64,
}

impl State {
    /// 2.5 and 2.6: the counters, then the state.
    fn next(&mut self) {
        for j in 0..8 {
            let sum = u64::from(self.c[j]) + u64::from(A[j]) + self.b;
            self.c[j] = sum as u32;
            self.b = sum >> 32;
        }
        let mut g = [0u32; 8];
        for j in 0..8 {
            let sum = u64::from(self.x[j].wrapping_add(self.c[j]));
            let square = sum * sum;
            g[j] = (square ^ square >> 32) as u32;
        }
        for j in 0..8 {
            let (one, two) = (g[(j + 7) % 8], g[(j + 6) % 8]);
            self.x[j] = if j % 2 == 0 {
                g[j].wrapping_add(one.rotate_left(16)).wrapping_add(two.rotate_left(16))
            } else {
                g[j].wrapping_add(one.rotate_left(8)).wrapping_add(two)
            };
        }
    }
}

/// `len` bytes of the key stream.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let k: Vec<u32> = (0..8).map(|i| u32::from(key[2 * i]) + 256 * u32::from(key[2 * i + 1])).collect();
    let two = |high: usize, low: usize| k[high % 8] << 16 | k[low % 8];
    let mut state = State { x: [0; 8], c: [0; 8], b: 0 };
    for j in 0..8 {
        if j % 2 == 0 {
            state.x[j] = two(j + 1, j);
            state.c[j] = two(j + 4, j + 5);
        } else {
            state.x[j] = two(j + 5, j + 4);
            state.c[j] = two(j, j + 1);
        }
    }
    for _ in 0..4 {
        state.next();
    }
    for j in 0..8 {
        state.c[j] ^= state.x[(j + 4) % 8];
    }
    // The nonce's four numbers of 16 bits.
    let n: Vec<u32> = (0..4).map(|i| u32::from(nonce[2 * i]) + 256 * u32::from(nonce[2 * i + 1])).collect();
    for j in 0..8 {
        state.c[j] ^= match j % 4 {
            0 => n[1] << 16 | n[0],
            1 => n[3] << 16 | n[1],
            2 => n[3] << 16 | n[2],
            _ => n[2] << 16 | n[0],
        };
    }
    for _ in 0..4 {
        state.next();
    }
    let mut stream = Vec::new();
    while stream.len() < len {
        state.next();
        let x = state.x;
        for (j, high, low) in [(0, 5, 3), (2, 7, 5), (4, 1, 7), (6, 3, 1)] {
            stream.extend((x[j] ^ x[high] >> 16 ^ x[low] << 16).to_le_bytes());
        }
    }
    stream.truncate(len);
    stream
}
