//! Phelix with authenticators of 16 bytes, a block at a time.

fn little_endian(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |w, &byte| w << 8 | u32::from(byte))
}

/// Half a block.
fn half(z: &mut [u32; 5], a: u32, b: u32) {
    z[0] = z[0].wrapping_add(z[3] ^ a);
    z[3] = z[3].rotate_left(15);
    z[1] = z[1].wrapping_add(z[4]);
    z[4] = z[4].rotate_left(25);
    z[2] ^= z[0];
    z[0] = z[0].rotate_left(9);
    z[3] ^= z[1];
    z[1] = z[1].rotate_left(10);
    z[4] = z[4].wrapping_add(z[2]);
    z[2] = z[2].rotate_left(17);
    z[0] ^= z[3].wrapping_add(b);
    z[3] = z[3].rotate_left(30);
    z[1] ^= z[4];
    z[4] = z[4].rotate_left(13);
    z[2] = z[2].wrapping_add(z[0]);
    z[0] = z[0].rotate_left(20);
    z[3] = z[3].wrapping_add(z[1]);
    z[1] = z[1].rotate_left(11);
    z[4] ^= z[2];
    z[2] = z[2].rotate_left(5);
}

struct Phelix {
    x0: [u32; 8],
    x1: [u32; 8],
    z: [u32; 5],
    old: [u32; 4],
    i: u32,
}

impl Phelix {
    fn new(key: &[u8], nonce: &[u8]) -> Self {
        let mut x = [0; 8];
        for (word, bytes) in x.iter_mut().zip(key.chunks(4)) {
            *word = little_endian(bytes);
        }
        for round in 0..8 {
            let from = 4 * (round % 2);
            let mut z = [x[from], x[from + 1], x[from + 2], x[from + 3], key.len() as u32 + 64];
            half(&mut z, 0, 0);
            half(&mut z, 0, 0);
            for j in 0..4 {
                x[4 - from + j] ^= z[j];
            }
        }
        let n: Vec<u32> = nonce.chunks(4).map(little_endian).collect();
        let mut x1 = [0u32; 8];
        for i in 0..4 {
            x1[i] = x[i + 4].wrapping_add(n[i]);
            x1[i + 4] = x[i].wrapping_add(i as u32).wrapping_sub(n[i]);
        }
        // Half the bits of the key; an authenticator of 128 bits adds nothing.
        for i in [1, 5] {
            x1[i] = x1[i].wrapping_add(4 * key.len() as u32);
        }
        let z = [x[3] ^ n[0], x[4] ^ n[1], x[5] ^ n[2], x[6] ^ n[3], x[7]];
        let mut it = Self { x0: x, x1, z, old: [0; 4], i: 0 };
        for _ in 0..8 {
            it.block(0);
        }
        it
    }

    /// A block with a word of plaintext: its word of key stream.
    fn block(&mut self, plain: u32) -> u32 {
        let i = self.i as usize;
        half(&mut self.z, 0, self.x0[i % 8]);
        let stream = self.z[4].wrapping_add(self.old[i % 4]);
        half(&mut self.z, plain, self.x1[i % 8].wrapping_add(self.i));
        self.old[i % 4] = self.z[4];
        self.i += 1;
        stream
    }
}

/// Ciphertext and authenticator.
pub fn seal(key: &[u8], nonce: &[u8], ad: &[u8], message: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let mut it = Phelix::new(key, nonce);
    it.z[1] ^= 0xaada_adaa;
    for word in ad.chunks(4) {
        it.block(little_endian(word));
    }
    it.z[1] ^= 0xaada_adaa;
    let mut enciphered = Vec::new();
    for word in message.chunks(4) {
        let stream = it.block(little_endian(word)).to_le_bytes();
        enciphered.extend(word.iter().zip(stream).map(|(a, b)| a ^ b));
    }
    it.z[0] ^= 0x912d_94f1;
    it.z[4] ^= ad.len() as u32;
    it.z[2] ^= (ad.len() as u64 >> 32) as u32;
    let last = message.len() as u32 % 4;
    let tail: Vec<u8> = (0..12).flat_map(|_| (it.block(last) ^ last).to_le_bytes()).collect();
    (enciphered, tail[32..].try_into().unwrap())
}
