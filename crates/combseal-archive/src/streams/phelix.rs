//! Phelix (Whiting, Schneier, Lucks and Muller, "Phelix: Fast Encryption and Authentication in a
//! Single Cryptographic Primitive", eSTREAM, 2005), with keys of up to 32 bytes.
//!
//! Status: in eSTREAM's second phase, not in the third (2007): Wu and Preneel (FSE 2007) recover
//! the key where nonces repeat, from 2^34 chosen nonces and 2^37 chosen words in some 2^41.5
//! operations, which the designers and Bernstein hold to be misuse. Under nonces that do not
//! repeat we know of no attack. Kept for Bernstein's comparison of 2007.
//!
//! Constant-time: sums, XORs and rotations of 32-bit words only.
//!
//! One chain of operations on five words, with a block for each four bytes. Eight blocks are
//! unrolled, so that the two schedules of key words and the four old words have fixed places; when
//! associated data have moved the count, the schedules are turned by as much. A message is deciphered
//! before it is known whether it is authentic: the plaintext drives the state.

use super::about::About;
use super::system::{System, TAG};
use super::words::le32;
use crate::about::Status;
use combseal::Cpu;
use combseal::internals::{Wipe, equal};

/// Added to the state around the associated data.
const AD_MARK: u32 = 0xaada_adaa;
/// Added to the state before the authenticator.
const MAC_MARK: u32 = 0x912d_94f1;
/// Blocks that are unrolled.
const BLOCKS: usize = 8;

/// Phelix with authenticators of `MAC` bytes, from 1 to 16. The length enters the key schedule; a
/// tag's bytes behind it are zero, and are not looked at.
pub struct Phelix<const MAC: usize = TAG> {
    /// The words of the mixed key.
    key: [u32; 8],
    /// Bytes in the key.
    len: u32,
}

impl<const MAC: usize> Drop for Phelix<MAC> {
    fn drop(&mut self) {
        self.key.wipe();
    }
}

/// Half a block, with its two words.
#[inline(always)]
fn half([mut z0, mut z1, mut z2, mut z3, mut z4]: [u32; 5], a: u32, b: u32) -> [u32; 5] {
    z0 = z0.wrapping_add(z3 ^ a);
    z3 = z3.rotate_left(15);
    z1 = z1.wrapping_add(z4);
    z4 = z4.rotate_left(25);
    z2 ^= z0;
    z0 = z0.rotate_left(9);
    z3 ^= z1;
    z1 = z1.rotate_left(10);
    z4 = z4.wrapping_add(z2);
    z2 = z2.rotate_left(17);
    z0 ^= z3.wrapping_add(b);
    z3 = z3.rotate_left(30);
    z1 ^= z4;
    z4 = z4.rotate_left(13);
    z2 = z2.wrapping_add(z0);
    z0 = z0.rotate_left(20);
    z3 = z3.wrapping_add(z1);
    z1 = z1.rotate_left(11);
    z4 ^= z2;
    z2 = z2.rotate_left(5);
    [z0, z1, z2, z3, z4]
}

/// A message under way.
struct State {
    /// The words that go in by themselves, and those of the nonce too, turned so that the next block
    /// takes the first.
    keys: [[u32; 8]; 2],
    z: [u32; 5],
    /// The fifth words of the four blocks before, the next block's first.
    old: [u32; 4],
    /// The number of the next block.
    i: u32,
}

impl Drop for State {
    fn drop(&mut self) {
        self.keys.as_flattened_mut().wipe();
        self.z.wipe();
        self.old.wipe();
    }
}

impl State {
    /// The block at place `j` behind the next: gives its word of key stream to `word`, which says
    /// what the plaintext is.
    #[inline(always)]
    fn block(&mut self, j: usize, word: impl FnOnce(u32) -> u32) {
        let z = half(self.z, 0, self.keys[0][j]);
        let plain = word(z[4].wrapping_add(self.old[j % 4]));
        self.z = half(z, plain, self.keys[1][j].wrapping_add(self.i).wrapping_add(j as u32));
        self.old[j % 4] = self.z[4];
    }

    /// Turns the schedules behind `n` blocks, at most eight.
    #[inline(always)]
    fn behind(&mut self, n: usize) {
        for keys in &mut self.keys {
            keys.rotate_left(n);
        }
        self.old.rotate_left(n % 4);
        self.i = self.i.wrapping_add(n as u32);
    }

    /// Words of plaintext, or of ciphertext if `OPEN`, eight at a time.
    #[inline(always)]
    fn whole<const OPEN: bool>(&mut self, data: &mut [[u8; 4 * BLOCKS]]) {
        for block in data {
            for (j, bytes) in block.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let given = u32::from_le_bytes(*bytes);
                self.block(j, |stream| {
                    let made = given ^ stream;
                    *bytes = made.to_le_bytes();
                    if OPEN { made } else { given }
                });
            }
            self.i = self.i.wrapping_add(BLOCKS as u32);
        }
    }

    /// What is left of it: less than eight words, the last of them padded with zeros.
    #[inline(always)]
    fn rest<const OPEN: bool>(&mut self, data: &mut [u8]) {
        let mut n = 0;
        for bytes in data.chunks_mut(4) {
            let mut padded = [0; 4];
            padded[..bytes.len()].copy_from_slice(bytes);
            let given = u32::from_le_bytes(padded);
            let kept = u32::MAX >> (32 - 8 * bytes.len());
            self.block(n, |stream| {
                let made = (given ^ stream) & kept;
                bytes.copy_from_slice(&made.to_le_bytes()[..bytes.len()]);
                if OPEN { made } else { given }
            });
            n += 1;
        }
        self.behind(n);
    }

    /// Associated data.
    #[inline(always)]
    fn associated(&mut self, ad: &[u8]) {
        let (whole, rest) = ad.as_chunks::<{ 4 * BLOCKS }>();
        for block in whole {
            // What it is enciphered to is nobody's.
            self.whole::<false>(&mut [*block]);
        }
        let mut last = [0; 4 * BLOCKS];
        last[..rest.len()].copy_from_slice(rest);
        self.rest::<false>(&mut last[..rest.len()]);
    }

    /// Associated data and message; their authenticator.
    #[inline(always)]
    fn run<const OPEN: bool>(mut self, ad: &[u8], data: &mut [u8]) -> [u8; TAG] {
        self.z[1] ^= AD_MARK;
        if !ad.is_empty() {
            self.associated(ad);
        }
        self.z[1] ^= AD_MARK;
        let last = (data.len() % 4) as u32;
        let (whole, rest) = data.as_chunks_mut();
        self.whole::<OPEN>(whole);
        self.rest::<OPEN>(rest);
        self.z[0] ^= MAC_MARK;
        self.z[4] ^= ad.len() as u32;
        self.z[2] ^= (ad.len() as u64 >> 32) as u32;
        let mut tag = [0; TAG];
        for i in 0..12 {
            self.block(i % 8, |stream| {
                if i >= 8 {
                    tag[4 * i - 32..4 * i - 28].copy_from_slice(&(stream ^ last).to_le_bytes());
                }
                last
            });
            if i == 7 {
                self.i = self.i.wrapping_add(8);
            }
        }
        tag
    }
}

impl<const MAC: usize> Phelix<MAC> {
    #[inline(always)]
    fn start(&self, nonce: &[u8]) -> State {
        const { assert!(1 <= MAC && MAC <= TAG) }
        let bump = 4 * self.len + 256 * (8 * MAC as u32 % 128);
        let x = &self.key;
        let n: [u32; 4] = std::array::from_fn(|i| le32(nonce, i));
        let mut keys = [*x; 2];
        for i in 0..4 {
            keys[1][i] = x[i + 4].wrapping_add(n[i]);
            keys[1][i + 4] = x[i].wrapping_add(i as u32).wrapping_sub(n[i]);
        }
        keys[1][1] = keys[1][1].wrapping_add(bump);
        keys[1][5] = keys[1][5].wrapping_add(bump);
        let z = [x[3] ^ n[0], x[4] ^ n[1], x[5] ^ n[2], x[6] ^ n[3], x[7]];
        let mut it = State { keys, z, old: [0; 4], i: 0 };
        for j in 0..BLOCKS {
            it.block(j, |_| 0);
        }
        it.i = BLOCKS as u32;
        it
    }

    #[inline(always)]
    fn run<const OPEN: bool>(&self, nonce: &[u8], ad: &[u8], data: &mut [u8]) -> [u8; TAG] {
        let mut tag = self.start(nonce).run::<OPEN>(ad, data);
        tag[MAC..].fill(0);
        tag
    }
}

const ABOUT: About = About {
    name: "phelix",
    key_lens: &[32, 24, 16],
    nonce_lens: &[16],
    source: "Whiting, Schneier, Lucks and Muller, eSTREAM, 2005",
    status: Status::NotChosen,
    history: "left eSTREAM after the second phase (2007); the key is recovered in some 2^41.5 operations where nonces \
              repeat (Wu and Preneel, FSE 2007)",
    constant_time: true,
    tuning: "scalar, 8 blocks",
    context_2007: Some(132),
    confirmed: true,
};

impl<const MAC: usize> System for Phelix<MAC> {
    const ABOUT: &'static About = &ABOUT;
    const TAKES_AD: bool = true;

    fn expand(_: Cpu, key: &[u8]) -> Self {
        let mut padded = [0; 32];
        padded[..key.len()].copy_from_slice(key);
        let mut it = Self { key: std::array::from_fn(|i| le32(&padded, i)), len: key.len() as u32 };
        padded.as_mut_slice().wipe();
        for i in 0..8 {
            let (from, to) = (4 * (i % 2), 4 - 4 * (i % 2));
            let x = &mut it.key;
            let z = half(half([x[from], x[from + 1], x[from + 2], x[from + 3], it.len + 64], 0, 0), 0, 0);
            for j in 0..4 {
                x[to + j] ^= z[j];
            }
        }
        it
    }

    fn encrypt(&self, nonce: &[u8], ad: &[u8], data: &mut [u8], tag: &mut [u8; TAG]) {
        *tag = self.run::<false>(nonce, ad, data);
    }

    fn decrypt(&self, nonce: &[u8], ad: &[u8], data: &mut [u8], tag: &[u8; TAG]) -> bool {
        let right = equal(&self.run::<true>(nonce, ad, data)[..MAC], &tag[..MAC]);
        if !right {
            data.fill(0);
        }
        right
    }
}
