//! Rabbit: Boesgaard, Vesterager, Pedersen, Christiansen and Scavenius, "Rabbit: A New
//! High-Performance Stream Cipher", FSE 2003; eSTREAM's portfolio (2008), RFC 4503. The best attack
//! known to us is a distinguisher of 2^141 blocks of key stream (Lu and Desmedt, ISC 2010), more work
//! than trying the keys of 128 bits.
//!
//! Here to be measured beside the ciphers of Bernstein's "Cycle counts for authenticated
//! encryption" (2007). No table and no branch depends on a secret: constant-time where products
//! of 32 bits are.

mod lanes;

use super::about::About;
use super::cipher::Cipher;
use super::words::{le32, xor_le};
use crate::about::Status;
use combseal::Cpu;
use combseal::internals::Wipe;

/// What the counters grow by, as one number of 256 bits, its lowest word first.
const A: [u64; 4] = [0xd34d_34d3_4d34_d34d, 0x4d34_d34d_34d3_4d34, 0x34d3_4d34_d34d_34d3, 0xd34d_34d3_4d34_d34d];

/// The state after the key's set-up: each message begins with a copy.
pub struct Rabbit {
    /// State words, then counters, then the carry, little-endian.
    words: [[u8; 16]; 5],
}

impl Drop for Rabbit {
    #[inline]
    fn drop(&mut self) {
        self.words.wipe();
    }
}

/// The eight state words, the eight counters and the carry.
pub struct State {
    x: [u32; 8],
    /// Two counters a word, the lower in the low half: they are one number of 256 bits.
    c: [u64; 4],
    carry: u64,
}

impl Drop for State {
    #[inline]
    fn drop(&mut self) {
        self.x.wipe();
        for c in &mut self.c {
            c.wipe();
        }
        self.carry.wipe();
    }
}

/// The low word of the square of a 32-bit sum, XORed with its high word.
#[inline(always)]
fn g(x: u32, c: u32) -> u32 {
    let square = u64::from(x.wrapping_add(c)).pow(2);
    square as u32 ^ (square >> 32) as u32
}

impl State {
    /// One iteration of the whole state.
    #[inline(always)]
    fn step(&mut self) {
        let mut carry = self.carry;
        for (c, a) in self.c.iter_mut().zip(A) {
            let sum = u128::from(*c) + u128::from(a) + u128::from(carry);
            (*c, carry) = (sum as u64, (sum >> 64) as u64);
        }
        self.carry = carry;
        let mut y = [0; 8];
        for j in 0..4 {
            y[2 * j] = g(self.x[2 * j], self.c[j] as u32);
            y[2 * j + 1] = g(self.x[2 * j + 1], (self.c[j] >> 32) as u32);
        }
        for j in [0, 2, 4, 6] {
            let (before, second) = (y[(j + 7) % 8], y[(j + 6) % 8]);
            self.x[j] = y[j].wrapping_add(before.rotate_left(16)).wrapping_add(second.rotate_left(16));
            self.x[j + 1] = y[j + 1].wrapping_add(y[j].rotate_left(8)).wrapping_add(before);
        }
    }

    /// The next sixteen bytes of key stream.
    #[inline(always)]
    fn words(&self) -> [u32; 4] {
        let x = &self.x;
        let word = |j: usize| x[j] ^ x[(j + 5) % 8] >> 16 ^ x[(j + 3) % 8] << 16;
        [word(0), word(2), word(4), word(6)]
    }

    #[inline(always)]
    fn copy(&self) -> Self {
        Self { x: self.x, c: self.c, carry: self.carry }
    }
}

static ABOUT: About = About {
    name: "rabbit",
    key_lens: &[16],
    nonce_lens: &[8],
    source: "Boesgaard, Vesterager, Pedersen, Christiansen and Scavenius, FSE 2003; RFC 4503",
    status: Status::InUse,
    history: "eSTREAM's portfolio of 2008; known are a distinguisher of 2^141 blocks (Lu and Desmedt, ISC 2010) and, \
              where relations between the states of 2^51 messages are known, keys in 2^97 (Lu, Wang and Ling, ISC 2008)",
    constant_time: true,
    tuning: "products of 64 bits",
    context_2007: Some(152),
    confirmed: true,
};

impl Cipher for Rabbit {
    const ABOUT: &'static About = &ABOUT;
    const BLOCK: usize = 16;
    type State = State;

    fn expand(_: Cpu, key: &[u8]) -> Self {
        // Sixteen-bit parts of the key follow each other around a ring; two of them are a word of the key
        // turned by some of them, their halves exchanged for the counters.
        let Some(key) = key.first_chunk() else { unreachable!("sixteen bytes") };
        let ring = u128::from_le_bytes(*key);
        let (one, five) = (ring.rotate_right(16), ring.rotate_right(80));
        let word = |of: u128, j: usize| (of >> (32 * j)) as u32;
        let mut it = State { x: [0; 8], c: [0; 4], carry: 0 };
        for j in 0..4 {
            it.x[2 * j] = word(ring, j);
            it.x[2 * j + 1] = word(five, j);
            let (low, high) = (word(ring, (j + 2) % 4), word(one, j));
            it.c[j] = u64::from(low.rotate_left(16)) | u64::from(high.rotate_left(16)) << 32;
        }
        for _ in 0..4 {
            it.step();
        }
        for j in 0..4 {
            let (low, high) = (it.x[(2 * j + 4) % 8], it.x[(2 * j + 5) % 8]);
            it.c[j] ^= u64::from(low) | u64::from(high) << 32;
        }
        let mut words = [[0; 16]; 5];
        let (x, rest) = words.as_flattened_mut().split_at_mut(32);
        for (bytes, x) in x.as_chunks_mut().0.iter_mut().zip(it.x) {
            *bytes = x.to_le_bytes();
        }
        for (bytes, c) in rest.as_chunks_mut().0.iter_mut().zip(it.c) {
            *bytes = c.to_le_bytes();
        }
        words[4][0] = it.carry as u8;
        Self { words }
    }

    #[inline(always)]
    fn start(&self, nonce: &[u8]) -> State {
        let word = |i: usize| le32(self.words.as_flattened(), i);
        let mut it = State {
            x: std::array::from_fn(word),
            c: std::array::from_fn(|j| u64::from(word(8 + 2 * j)) | u64::from(word(9 + 2 * j)) << 32),
            carry: u64::from(word(16)),
        };
        let (low, high) = (le32(nonce, 0), le32(nonce, 1));
        let first = u64::from(low) | u64::from(high & 0xffff_0000 | low >> 16) << 32;
        let second = u64::from(high) | u64::from(high << 16 | low & 0xffff) << 32;
        for j in [0, 2] {
            it.c[j] ^= first;
            it.c[j + 1] ^= second;
        }
        for _ in 0..4 {
            it.step();
        }
        it
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        let mut it = state.copy();
        for block in data.as_chunks_mut::<16>().0 {
            it.step();
            xor_le(block, it.words());
        }
        *state = it;
    }
}
