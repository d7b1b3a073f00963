//! DICING v2 (Li An-Ping, "A New Stream Cipher: DICING", eSTREAM, 2006), with keys of 16 or 32 bytes
//! and nonces of 32.
//!
//! Status: in eSTREAM's second phase, not in the third (2007). Piret (eSTREAM, 2005) broke version 1;
//! of version 2 no attack is known to us. Kept for Bernstein's comparison of 2007.
//!
//! Not constant-time: tables are looked up by the state, and their entries' places hang on the key.
//!
//! Two controllers say how far two registers are shifted; these are added up in two accumulators,
//! which go through two layers of a key's tables. Nothing but the last is behind the tables, so
//! the look-ups of several steps overlap. Registers are numbers of 128 bits, of which the CPU's
//! double shifts make the most.

use super::about::About;
use super::cipher::Cipher;
use super::unrolled::unrolled;
use super::words::le32;
use crate::about::Status;
use combseal::Cpu;
use combseal::internals::Wipe;

/// The fixed S-box.
#[rustfmt::skip]
pub static S0: [u8; 256] = [
    0xd5, 0xbd, 0x05, 0x00, 0xf0, 0x68, 0x03, 0xb3, 0xe5, 0x6b, 0xa3, 0xef, 0x92, 0x3b, 0x36, 0xdb,
    0xc7, 0x98, 0x01, 0xe8, 0xb9, 0xf1, 0x7a, 0xb0, 0x50, 0x4f, 0xbf, 0x34, 0x4e, 0xf9, 0xfd, 0x78,
    0x2c, 0xf8, 0x59, 0xc6, 0x82, 0x8c, 0x2b, 0xe0, 0x55, 0x3f, 0xb7, 0x84, 0x85, 0xf6, 0x61, 0xc3,
    0xaf, 0x20, 0x2f, 0xdc, 0x6f, 0xc8, 0xb5, 0x1b, 0x8b, 0x0c, 0x12, 0xac, 0xdd, 0xe3, 0x1f, 0x49,
    0x26, 0xba, 0xf7, 0x74, 0x97, 0x21, 0x60, 0xb1, 0xb6, 0x0f, 0x4d, 0x4c, 0x5b, 0x8e, 0xd1, 0xd2,
    0x69, 0xaa, 0x67, 0x58, 0xd9, 0x75, 0xde, 0x3d, 0x47, 0xa9, 0x83, 0xc9, 0x9c, 0xa0, 0x11, 0xed,
    0x3a, 0x4a, 0x48, 0x1a, 0xca, 0x57, 0xfb, 0xee, 0x5d, 0x39, 0x8a, 0x96, 0x13, 0xf5, 0xf2, 0x28,
    0xe9, 0xe4, 0x62, 0x3c, 0x30, 0xfc, 0x5f, 0xcf, 0xa1, 0xd3, 0x66, 0xcd, 0xfa, 0xe2, 0xb4, 0x27,
    0xd7, 0x15, 0x6a, 0x63, 0x33, 0x38, 0x08, 0x9d, 0xd8, 0x51, 0xe7, 0x7c, 0xe1, 0x44, 0x6d, 0x16,
    0xa2, 0x88, 0x2a, 0x70, 0x5a, 0x52, 0x73, 0xa4, 0x71, 0x2d, 0xfe, 0x46, 0x7d, 0x29, 0xec, 0x41,
    0x1e, 0x7f, 0x17, 0x42, 0x31, 0x23, 0x37, 0xea, 0x72, 0x89, 0x94, 0xae, 0xc5, 0xa7, 0xab, 0x9b,
    0xd6, 0x76, 0x19, 0xd0, 0x9e, 0x91, 0x53, 0x81, 0x7e, 0x8f, 0x93, 0x7b, 0x18, 0xa5, 0x40, 0xf3,
    0x4b, 0x35, 0x2e, 0x6e, 0x45, 0x80, 0x32, 0xa6, 0xad, 0xda, 0xd4, 0x10, 0x9f, 0xbb, 0x54, 0xe6,
    0x14, 0x04, 0x07, 0xbc, 0x79, 0xff, 0x43, 0xeb, 0xcb, 0xa8, 0x5c, 0x64, 0xb8, 0x1c, 0x0e, 0x86,
    0x0d, 0xc2, 0xb2, 0x56, 0x24, 0x3e, 0x5e, 0x09, 0x25, 0x6c, 0x0a, 0x06, 0x1d, 0x99, 0x02, 0xf4,
    0x77, 0x87, 0x90, 0x95, 0xcc, 0x0b, 0xc4, 0xbe, 0x9a, 0xc1, 0x8d, 0xc0, 0x65, 0x22, 0xce, 0xdf,
];

/// Added to the nonce before each of its four mixings, as words.
const CT: [u32; 8] =
    [0xcc4d_049a, 0x28f9_812c, 0x50c0_8765, 0xe141_2528, 0xa395_9404, 0xa539_9ec6, 0x92b9_93bf, 0xf38e_61b5];

/// Bytes in a block.
const BLOCK: usize = 16;

/// DICING v2.
pub struct Dicing {
    /// The S-box of the key, and the same with its words rotated right by 8 bits. Those rotated by 16 and
    /// 24 are left to the sums of two look-ups: a rotation each, and half the tables to be made.
    tables: [[u32; 256]; 2],
    key: [u32; 8],
}

impl Drop for Dicing {
    fn drop(&mut self) {
        self.tables.as_flattened_mut().wipe();
        self.key.wipe();
    }
}

/// A message under way.
pub struct State {
    /// The controllers, of 127 and of 126 bits.
    controllers: [u128; 2],
    /// The registers.
    registers: [u128; 2],
    /// The accumulators.
    sums: [u128; 2],
    /// Added to each block.
    last: [u32; 4],
}

impl Drop for State {
    fn drop(&mut self) {
        for it in [&mut self.controllers, &mut self.registers, &mut self.sums].into_iter().flatten() {
            it.wipe();
        }
        self.last.wipe();
    }
}

/// A matrix of 8 rows of 8 bits: the product of a lower and an upper triangle that `k` has.
#[inline(always)]
fn matrix(k: &[u8; 8]) -> [u8; 8] {
    let upper: [u8; 8] = std::array::from_fn(|i| (1 << i) | k[i] & (0xfe << i));
    std::array::from_fn(|row| {
        let lower = (0..row).fold(0, |sum, i| sum ^ upper[i] & (k[row] >> i & 1).wrapping_neg());
        upper[row] ^ lower
    })
}

/// The bits on the diagonal of `k`.
#[inline(always)]
fn diagonal(k: &[u8; 8]) -> u8 {
    (0..8).fold(0, |sum, i| sum | k[i] & (1 << i))
}

/// Fills the tables of the halves of a 16-byte value.
#[inline(always)]
fn tabulate([first, second]: [&[u8; 8]; 2], [table, turned]: &mut [[u32; 256]; 2]) {
    let (w, y) = (matrix(first), matrix(second));
    let (d1, d2) = (diagonal(first), diagonal(second));
    let (c1, c2) = (d1 ^ d2.rotate_left(1), d1 ^ d2);
    let rows: [u32; 8] = std::array::from_fn(|i| u32::from_le_bytes([w[i], y[i], w[i], w[i] ^ y[i]]));
    // The matrices' products with all numbers. As they are linear, what is added to each number before
    // is a product added to all of them.
    let mut products = [0u32; 256];
    products[0] = u32::from_le_bytes([c2, 0, c2, c2]);
    for (i, row) in rows.iter().enumerate() {
        products[0] ^= row & u32::from(!c1 >> i & 1).wrapping_neg();
    }
    unrolled!(bit in [0 1 2 3 4 5 6 7] {
        let (without, with) = products.split_at_mut(1 << bit);
        for (with, without) in with.iter_mut().zip(&*without) {
            *with = without ^ rows[bit];
        }
    });
    for (i, s) in S0.iter().enumerate() {
        table[(i ^ usize::from(c1)) & 0xff] = products[usize::from(*s)];
    }
    for (to, word) in turned.iter_mut().zip(&*table) {
        *to = word.rotate_right(8);
    }
    products.wipe();
}

/// Byte `i` of a word, as a place in a table.
#[inline(always)]
fn byte(word: u32, i: usize) -> usize {
    (word >> (8 * i)) as usize & 0xff
}

/// Four words as a number.
#[inline(always)]
fn number(words: &[u32]) -> u128 {
    (0..4).fold(0, |number, i| number | u128::from(words[i]) << (32 * i))
}

/// A number as four words.
#[inline(always)]
fn words(number: u128) -> [u32; 4] {
    std::array::from_fn(|i| (number >> (32 * i)) as u32)
}

impl Dicing {
    /// The sum of what the tables have at four places, rotated right by 0, 8, 16 and 24 bits.
    #[inline(always)]
    fn sum(&self, [p, q, r, s]: [usize; 4]) -> u32 {
        let [t, u] = &self.tables;
        (t[p] ^ u[q]) ^ (t[r] ^ u[s]).rotate_right(16)
    }

    /// That for a byte of each of four words, its place given by `i`.
    #[inline(always)]
    fn column(&self, words: [u32; 4], i: usize) -> u32 {
        self.sum(words.map(|word| byte(word, i)))
    }

    /// That for the bytes of a word.
    #[inline(always)]
    fn row(&self, word: u32) -> u32 {
        self.sum([byte(word, 0), byte(word, 1), byte(word, 2), byte(word, 3)])
    }

    /// A layer of the nonce's mixing: each byte of a half goes to a word.
    #[inline(always)]
    fn layer(&self, v: [u32; 8], key: impl Fn(usize) -> u32) -> [u32; 8] {
        std::array::from_fn(|i| {
            let half = 4 * (i % 2);
            self.column([v[half], v[half + 1], v[half + 2], v[half + 3]], i / 2) ^ key(i)
        })
    }

    #[inline(always)]
    fn begin(&self, nonce: &[u8]) -> State {
        let mut u: [u32; 8] = std::array::from_fn(|i| le32(nonce, i));
        let mut made = [[0; 8]; 4];
        for made in &mut made {
            let v = self.layer(std::array::from_fn(|i| u[i] ^ CT[i]), |i| self.key[i]);
            let v = self.layer(v, |i| !self.key[(i + 4) % 8]);
            u = self.layer(v, |_| 0);
            *made = u;
        }
        let [first, sums, controllers, mut registers] = made;
        if registers == [0; 8] {
            registers = self.key;
        }
        let both = |it: [u32; 8]| [number(&it[..4]), number(&it[4..])];
        let [c1, c2] = both(controllers);
        State {
            controllers: [c1 & (1 << 127) - 1, c2 & (1 << 126) - 1],
            registers: both(registers),
            sums: both(sums),
            last: std::array::from_fn(|i| first[i] ^ first[4 + i]),
        }
    }

    /// Whole blocks.
    #[inline(always)]
    fn blocks(&self, state: &mut State, data: &mut [u8]) {
        let ([mut l1, mut l2], [mut c, mut d]) = (state.controllers, state.registers);
        let ([mut a, mut b], last) = (state.sums, state.last);
        for block in data.as_chunks_mut::<BLOCK>().0 {
            let t1 = (l1 >> 119) as u64;
            let f = u128::from(t1 ^ t1 << 3);
            l1 = l1 << 8 & (1 << 127) - 1 ^ f ^ f << 41 ^ f << 89;
            let t2 = (l2 >> 118) as u64;
            let f = u128::from(t2 ^ t2 << 7);
            l2 = l2 << 8 & (1 << 126) - 1 ^ f ^ f << 35 ^ f << 83;
            let dice = t1 ^ t2;
            // From 1 to 16 bits each; what is pushed out comes in again in several places.
            let (n, m) = (1 + (dice & 15) as u32, 1 + (dice >> 4) as u32);
            let t = (c >> 64) as u64 >> (64 - n);
            let t = u128::from(t ^ t << 3);
            c = c << n ^ t ^ t << 32 ^ t << 67 ^ t << 96;
            let t = (d >> 64) as u64 >> (64 - m);
            let t = u128::from(t ^ t << 5 ^ t << 7);
            d = d << m ^ t ^ t << 37 ^ t << 64 ^ t << 96;
            a ^= c;
            b ^= d;
            let (rows, added) = (words(a), words(b));
            let mixed = std::array::from_fn(|i| self.row(rows[i]) ^ added[i]);
            for (i, bytes) in block.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let stream = self.column(mixed, i) ^ last[i];
                *bytes = (u32::from_le_bytes(*bytes) ^ stream).to_le_bytes();
            }
        }
        (state.controllers, state.registers, state.sums) = ([l1, l2], [c, d], [a, b]);
    }
}

const ABOUT: About = About {
    name: "dicing-v2",
    key_lens: &[32, 16],
    nonce_lens: &[32],
    source: "Li, eSTREAM, 2006",
    status: Status::NotChosen,
    history: "left eSTREAM after the second phase (2007); version 1 was broken (Piret, 2005), of version 2 no attack is \
              known to us",
    constant_time: false,
    tuning: "tables",
    context_2007: Some(4412),
    confirmed: true,
};

impl Cipher for Dicing {
    const ABOUT: &'static About = &ABOUT;
    const BLOCK: usize = BLOCK;
    type State = State;

    fn expand(_: Cpu, key: &[u8]) -> Self {
        let mut it = Self { tables: [[0; 256]; 2], key: [0; 8] };
        let mut mixed = [0; 16];
        for (i, byte) in mixed.iter_mut().enumerate() {
            // Of a long key the sum of its halves.
            *byte = key[i] ^ key.get(16 + i).copied().unwrap_or(0);
        }
        for i in 0..8 {
            // A short key is followed by its complement.
            it.key[i] = if 4 * i < key.len() { le32(key, i) } else { !le32(key, i - 4) };
        }
        let (halves, _) = mixed.as_chunks();
        tabulate([&halves[0], &halves[1]], &mut it.tables);
        mixed.wipe();
        it
    }

    #[inline(always)]
    fn start(&self, nonce: &[u8]) -> State {
        self.begin(nonce)
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        self.blocks(state, data);
    }
}
