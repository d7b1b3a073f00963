//! CryptMT version 2 (Matsumoto, Saito, Nishimura and Hagita, eSTREAM, around the turn of 2006), with
//! keys of 16 or 32 bytes and nonces of 16; the paper has all multiples of 4 from 16 to 256.
//!
//! Status: superseded by version 3 (2006). No attack faster than trying keys is known to us. It rests
//! on one C text of December 2005, found without its header and without vectors. Kept for
//! Bernstein's comparison of 2007.
//!
//! Constant-time where products of 32-bit words are.
//!
//! A byte a step: the top of a chain of products of 623 words, which a booter makes of key and nonce
//! and a linear generator renews. Products go in pairs: the chain waits for one in two bytes, and
//! the byte between is made beside it.

use super::super::about::About;
use super::super::cipher::Cipher;
use super::super::words::le32;
use crate::about::Status;
use combseal::Cpu;
use combseal::internals::Wipe;

/// Words in the generator.
const N: usize = 623;
/// Words between one and its older partner, N - 609.
const LAG: usize = 14;
/// Words in a nonce.
const NONCE: usize = 4;
/// Words of expanded key.
const EXPANDED: usize = 2 * N + 4 * NONCE;
/// What the generator's word begins as.
const INITIAL: u32 = 0x4d48_4e53;
/// Words of the longest key.
const LONGEST: usize = 8;
/// Bytes in a block.
const BLOCK: usize = 16;

/// CryptMT v2.
pub struct CryptMtV2 {
    expanded: [u32; EXPANDED],
}

impl Drop for CryptMtV2 {
    fn drop(&mut self) {
        self.expanded.wipe();
    }
}

/// A message under way.
pub struct State {
    /// The last words of the generator as they were when its turn began, and all of them.
    words: [u32; LAG + N + NONCE],
    /// The booter's chain of products, then the generator's word.
    chain: u32,
    /// The filter's chain of products.
    product: u32,
    /// The word whose turn it is.
    at: usize,
    /// Whether the booter still makes words.
    booting: bool,
}

impl Drop for State {
    fn drop(&mut self) {
        self.words.wipe();
        std::slice::from_mut(&mut self.chain).wipe();
        std::slice::from_mut(&mut self.product).wipe();
    }
}

/// A step of the booter: renews the word at `i` with its partner `y`, and the word at `to`.
#[inline(always)]
fn mix(words: &mut [u32], i: usize, to: usize, y: u32, chain: &mut u32) {
    let old = words[i];
    words[i] = old ^ y;
    *chain = chain.wrapping_mul(y | 1);
    let x = old ^ *chain;
    words[to] ^= (x ^ (!x >> 16)).wrapping_add(y << 1);
}

/// The key's expansion, with keys of `K` words, in an array of `W`.
#[inline(always)]
fn expand<const K: usize, const W: usize>(key: &[u8], expanded: &mut [u32; EXPANDED]) {
    const { assert!(W == EXPANDED + 2 * K) }
    let mut w = [0; W];
    for (i, word) in w[..K].iter_mut().enumerate() {
        *word = le32(key, i);
    }
    let mut chain = w[1] | 1;
    for i in 0..EXPANDED + K {
        let y = w[K - 2 + i] ^ (K - 1 + i) as u32;
        mix(&mut w, i, K + i, y, &mut chain);
    }
    expanded.copy_from_slice(&w[2 * K..]);
    w.wipe();
}

impl CryptMtV2 {
    #[inline(always)]
    fn begin(&self, nonce: &[u8]) -> State {
        let expanded = &self.expanded;
        // The nonce, and the second half of the expanded key.
        let mut w = [0; N + 3 * NONCE];
        for i in 0..NONCE {
            w[i] = le32(nonce, i);
        }
        w[NONCE..].copy_from_slice(&expanded[EXPANDED - N - 2 * NONCE..]);
        let mut chain = w[1] | 1;
        for i in 0..2 * NONCE {
            let y = w[NONCE - 2 + i] ^ expanded[i];
            mix(&mut w, i, NONCE + i, y, &mut chain);
        }
        let mut words = [0; LAG + N + NONCE];
        words[LAG..].copy_from_slice(&w[2 * NONCE..]);
        let it = State { words, chain: w[2 * NONCE + 1] | 1, product: w[NONCE - 1] | 1, at: 0, booting: true };
        w.wipe();
        it
    }
}

impl State {
    /// Renews the next `n` words, all of them within a turn, and XORs their bytes into `data`.
    #[inline(always)]
    fn bytes(&mut self, expanded: &[u32; EXPANDED], data: &mut [u8]) {
        let (at, mut chain) = (self.at, self.chain);
        let n = data.len();
        if self.booting {
            // The expanded key has no more words than the booter takes.
            for (i, key) in (at..at + n).zip(&expanded[2 * NONCE + at..]) {
                let i = LAG + i;
                let y = self.words[i + NONCE - 2] ^ key;
                mix(&mut self.words, i, i + NONCE, y, &mut chain);
            }
        } else {
            let words = &mut self.words[at..at + n + LAG];
            for i in 0..n {
                chain ^= words[i + LAG] << 7 ^ words[i];
                words[i + LAG] ^= chain ^ chain >> 3;
            }
        }
        self.chain = chain;
        let (pairs, last) = data.as_chunks_mut::<2>();
        let words = &self.words[LAG + at..LAG + at + n];
        let (factors, factor) = words.as_chunks::<2>();
        let mut product = self.product;
        for ([first, second], [x, y]) in pairs.iter_mut().zip(factors) {
            let (x, y) = (x | 1, y | 1);
            *first ^= (product.wrapping_mul(x) >> 24) as u8;
            product = product.wrapping_mul(x.wrapping_mul(y));
            *second ^= (product >> 24) as u8;
        }
        for (byte, x) in last.iter_mut().zip(factor) {
            product = product.wrapping_mul(x | 1);
            *byte ^= (product >> 24) as u8;
        }
        self.product = product;
        self.at += n;
        if self.at == N {
            if self.booting {
                (self.booting, self.chain) = (false, INITIAL);
            }
            self.at = 0;
            // The last words of this turn are the older partners of the next turn's first.
            self.words.copy_within(N..N + LAG, 0);
        }
    }
}

const ABOUT: About = About {
    name: "cryptmt-v2",
    key_lens: &[32, 16],
    nonce_lens: &[16],
    source: "Matsumoto, Saito, Nishimura and Hagita, eSTREAM, 2006, as found in a text of December 2005",
    status: Status::Superseded,
    history: "superseded by version 3 (2006); no attack is known to us",
    constant_time: true,
    tuning: "products in pairs",
    context_2007: Some(11812),
    confirmed: false,
};

impl Cipher for CryptMtV2 {
    const ABOUT: &'static About = &ABOUT;
    const BLOCK: usize = BLOCK;
    type State = State;

    fn expand(_: Cpu, key: &[u8]) -> Self {
        let mut it = Self { expanded: [0; EXPANDED] };
        if key.len() == 4 * LONGEST {
            expand::<LONGEST, { EXPANDED + 2 * LONGEST }>(key, &mut it.expanded);
        } else {
            expand::<4, { EXPANDED + 8 }>(key, &mut it.expanded);
        }
        it
    }

    #[inline(always)]
    fn start(&self, nonce: &[u8]) -> State {
        self.begin(nonce)
    }

    fn xor(&self, state: &mut State, mut data: &mut [u8]) {
        while !data.is_empty() {
            let (now, rest) = data.split_at_mut(data.len().min(N - state.at));
            state.bytes(&self.expanded, now);
            data = rest;
        }
    }
}
