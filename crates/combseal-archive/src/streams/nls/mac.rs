//! NLS with its own authenticator, Mundja: a register with a linear feedback and rounds of SHA-256,
//! both of the plaintext and beside the key stream.
//!
//! Associated data and message are one byte string: words go across their border. The authenticator
//! may have any length, which enters nowhere; here it has sixteen bytes. A message is deciphered
//! before it is known whether it is authentic, since what is authenticated is the plaintext.

use super::super::about::About;
use super::super::system::{System, TAG};
use super::stream::{BLOCK, INIT_KONST, Key, REGISTER, State, V1, V2, WORDS, next, tap};
use super::tables::{MULTAB, SBOX};
use combseal::Cpu;
use combseal::internals::Wipe;
use combseal::internals::equal;

/// Version 1, as found, with its authenticator.
pub struct NlsV1Ae(Key<false>);
/// Version 2 with its authenticator.
pub struct NlsV2Ae(Key<true>);

/// A message under way: key stream and authenticator.
struct Both<const V2: bool> {
    state: State<V2>,
    mac: Mac,
}

/// The authenticator's two registers, of eight words each.
struct Mac {
    /// That of SHA-256.
    hash: [u32; 8],
    /// The linear one.
    crc: [u32; 8],
}

impl Drop for Mac {
    fn drop(&mut self) {
        self.hash.wipe();
        self.crc.wipe();
    }
}

impl Mac {
    /// A round of SHA-256 with the word `w`, and `r8` of the cipher's register.
    #[inline(always)]
    fn round(&mut self, w: u32, r8: u32) {
        let [a, b, c, d, e, f, g, h] = self.hash;
        let t = h.wrapping_add(w.wrapping_add(r8));
        let t = (t ^ SBOX[(t >> 24) as usize]).wrapping_add(g ^ e & (f ^ g));
        let t = t.wrapping_add(e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25));
        let sum = (a & b) | (c & (a | b));
        let sum = sum.wrapping_add(a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22));
        self.hash = [t.wrapping_add(sum), a, b, c, d.wrapping_add(t), e, f, g];
    }

    /// A step of the linear register with the word `w`.
    #[inline(always)]
    fn step(&mut self, w: u32) {
        let [first, c1, c2, c3, c4, c5, c6, c7] = self.crc;
        let last = (first << 8) ^ MULTAB[(first >> 24) as usize] ^ c5 ^ w;
        self.crc = [c1, c2, c3, c4, c5, c6, c7, last];
    }
}

impl<const V2: bool> Both<V2> {
    #[inline(always)]
    fn new(key: &Key<V2>, nonce: &[u8]) -> Self {
        let state = key.start(nonce);
        let (mut hash, mut crc) = ([0; 8], [0; 8]);
        hash.copy_from_slice(&state.register[..8]);
        crc.copy_from_slice(&state.register[8..16]);
        Self { state, mac: Mac { hash, crc } }
    }

    /// Takes a word in, which `word` makes of the key stream's.
    #[inline(always)]
    fn word(&mut self, word: impl FnOnce(u32) -> u32) {
        let w = word(self.state.word());
        self.mac.step(w);
        self.mac.round(w, self.state.register[8]);
    }

    /// The bytes of a word from `from` on, at most three or four of them, with `before` in front.
    #[inline(never)]
    fn part<const OPEN: bool>(&mut self, before: u32, from: usize, data: &mut [u8]) {
        self.word(|stream| {
            let mut w = before;
            for (byte, i) in data.iter_mut().zip(from..4) {
                let given = *byte;
                *byte ^= (stream >> (8 * i)) as u8;
                w |= u32::from(if OPEN { *byte } else { given }) << (8 * i);
            }
            w
        });
    }

    /// A whole block of plaintext, or of ciphertext if `OPEN`.
    #[inline(always)]
    fn block<const OPEN: bool>(&mut self, w: &mut [u32; REGISTER + WORDS], block: &mut [u8; BLOCK]) {
        let words = block.as_chunks_mut::<4>().0;
        if !self.state.can(WORDS as u64) {
            self.state.register.copy_from_slice(&w[..REGISTER]);
            for word in words {
                self.part::<OPEN>(0, 0, word);
            }
            w[..REGISTER].copy_from_slice(&self.state.register);
            return;
        }
        self.state.left -= WORDS as u64;
        let konst = self.state.konst;
        for (i, word) in words.iter_mut().enumerate() {
            w[i + REGISTER] = next(w, i, konst);
            let given = u32::from_le_bytes(*word);
            let made = given ^ tap::<V2, { REGISTER + WORDS }>(w, i + 1, konst);
            *word = made.to_le_bytes();
            let plain = if OPEN { made } else { given };
            self.mac.step(plain);
            self.mac.round(plain, w[i + 9]);
        }
        w.copy_within(WORDS.., 0);
    }

    /// Whole blocks.
    #[inline(never)]
    fn blocks<const OPEN: bool>(&mut self, blocks: &mut [[u8; BLOCK]]) {
        let mut w = [0; REGISTER + WORDS];
        w[..REGISTER].copy_from_slice(&self.state.register);
        for block in blocks {
            self.block::<OPEN>(&mut w, block);
        }
        self.state.register.copy_from_slice(&w[..REGISTER]);
        w.wipe();
    }

    /// Associated data and message, one byte string; their authenticator.
    #[inline(always)]
    fn run<const OPEN: bool>(mut self, ad: &[u8], data: &mut [u8]) -> [u8; TAG] {
        let all = (ad.len() as u64).wrapping_add(data.len() as u64);
        let (blocks, rest) = ad.as_chunks::<BLOCK>();
        for block in blocks {
            // What it is enciphered to is nobody's.
            self.blocks::<false>(&mut [*block]);
        }
        let (words, rest) = rest.as_chunks::<4>();
        for word in words {
            self.word(|_| u32::from_le_bytes(*word));
        }
        let mut data = data;
        if !rest.is_empty() {
            let before = rest.iter().rev().fold(0, |w, &byte| w << 8 | u32::from(byte));
            let (now, then) = data.split_at_mut(data.len().min(4 - rest.len()));
            self.part::<OPEN>(before, rest.len(), now);
            data = then;
        }
        let (blocks, rest) = data.as_chunks_mut::<BLOCK>();
        self.blocks::<OPEN>(blocks);
        for word in rest.chunks_mut(4) {
            self.part::<OPEN>(0, 0, word);
        }
        self.tag(all)
    }

    /// The authenticator of `len` bytes.
    #[inline(always)]
    fn tag(mut self, len: u64) -> [u8; TAG] {
        self.state.word();
        // The bits of the last word that are not used.
        let unused = (len.wrapping_neg() % 4) as u32 * 8;
        self.mac.round(INIT_KONST.wrapping_add(unused << 24), self.state.register[8]);
        let mut tag = [0; TAG];
        let (words, _) = tag.as_chunks_mut::<4>();
        for i in 0..12 {
            self.state.word();
            self.mac.step(0);
            self.mac.round(self.mac.crc[7], self.state.register[8]);
            if i >= 8 {
                words[i - 8] = self.mac.hash[0].to_le_bytes();
            }
        }
        tag
    }
}

const V2_AE: About = About { name: "nls-v2-ae", context_2007: Some(232), ..V2 };
const V1_AE: About = About { name: "nls-v1-ae", ..V1 };

macro_rules! system {
    ($name:ident, $about:expr) => {
        impl System for $name {
            const ABOUT: &'static About = &$about;
            const TAKES_AD: bool = true;

            fn expand(_: Cpu, key: &[u8]) -> Self {
                Self(Key::new(key))
            }

            fn encrypt(&self, nonce: &[u8], ad: &[u8], data: &mut [u8], tag: &mut [u8; TAG]) {
                *tag = Both::new(&self.0, nonce).run::<false>(ad, data);
            }

            fn decrypt(&self, nonce: &[u8], ad: &[u8], data: &mut [u8], tag: &[u8; TAG]) -> bool {
                let right = equal(&Both::new(&self.0, nonce).run::<true>(ad, data), tag);
                if !right {
                    data.fill(0);
                }
                right
            }
        }
    };
}
system!(NlsV1Ae, V1_AE);
system!(NlsV2Ae, V2_AE);
