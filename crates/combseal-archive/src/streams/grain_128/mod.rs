//! Grain-128 (Hell, Johansson, Maximov and Meier, ISIT 2006): a linear and a nonlinear shift register of
//! 128 bits each, for small hardware. Neither Grain-128a nor Grain-128AEAD.
//!
//! Status: broken in theory. Dinur, Güneysu, Paar, Shamir and Zimmermann (ASIACRYPT 2011) recover the key
//! by a dynamic cube attack, some 2^38 times as fast as search through all keys; Grain-128a (2011) took its
//! place. Kept for the comparison of Bernstein (2007).
//!
//! No bit is used within 32 steps after it was made, so 32 steps are done at once. Of each register the
//! bits 0 to 63, 32 to 95 and 64 to 127 are kept in a word each: any 32 bits in a row are then a shift of
//! one word. Nothing is looked up in a table and nothing branches on secrets: this code is
//! constant-time.

mod lanes;

use super::about::About;
use super::cipher::Cipher;
use super::lanes::Logic;
use crate::about::Status;
use combseal::internals::{Wipe, filled};
use combseal::{Cpu, secret};

/// Bytes in a key.
const KEY: usize = 16;
/// Bytes in a nonce.
const NONCE: usize = 12;

/// Grain-128, 32 steps at once.
pub struct Grain128(Key);

/// The key as it is.
struct Key {
    bytes: [u8; KEY],
}
secret!(Key { bytes });

/// The registers: of each the bits 0 to 63, 32 to 95, and 64 to 127.
pub struct State {
    b: [u64; 3],
    s: [u64; 3],
}

impl Drop for State {
    fn drop(&mut self) {
        for word in self.b.iter_mut().chain(&mut self.s) {
            word.wipe();
        }
    }
}

impl Cipher for Grain128 {
    const ABOUT: &'static About = &About {
        name: "grain-128",
        key_lens: &[KEY],
        nonce_lens: &[NONCE],
        source: "Hell, Johansson, Maximov and Meier, ISIT 2006",
        status: Status::Broken,
        history: "a dynamic cube attack recovers the key some 2^38 times as fast as a search (Dinur, Güneysu, Paar, \
                  Shamir and Zimmermann, ASIACRYPT 2011); Grain-128a took its place",
        constant_time: true,
        tuning: "32 steps at once",
        context_2007: Some(8328),
        confirmed: true,
    };
    const BLOCK: usize = 16;
    type State = State;

    fn expand(_: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Key| it.bytes.copy_from_slice(key)))
    }

    fn start(&self, nonce: &[u8]) -> State {
        let mut padded = [0xff; KEY];
        padded[..NONCE].copy_from_slice(nonce);
        let mut it = State { b: loaded(&self.0.bytes), s: loaded(&padded) };
        let (mut b, mut s) = (it.b, it.s);
        for _ in 0..256 / 32 {
            let z = output(|k| bits(&b, k), |k| bits(&s, k));
            advance(&mut b, &mut s, z);
        }
        (it.b, it.s) = (b, s);
        it
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        let (mut b, mut s) = (state.b, state.s);
        for block in data.as_chunks_mut::<16>().0 {
            let (low, high) = (two(&mut b, &mut s), two(&mut b, &mut s));
            let words = u128::from(high) << 64 | u128::from(low);
            *block = (u128::from_le_bytes(*block) ^ words).to_le_bytes();
        }
        (state.b, state.s) = (b, s);
    }
}

/// 128 bits as they are kept.
#[inline(always)]
fn loaded(bytes: &[u8; KEY]) -> [u64; 3] {
    let bits = u128::from_le_bytes(*bytes);
    [bits as u64, (bits >> 32) as u64, (bits >> 64) as u64]
}

/// Bit `k` of a register and those behind it: 32 of them at least.
#[inline(always)]
fn bits(register: &[u64; 3], k: u32) -> u64 {
    match k {
        0..=32 => register[0] >> k,
        33..=64 => register[1] >> (k - 32),
        _ => register[2] >> (k - 64),
    }
}

/// Two times thirty-two steps: 64 bits of key stream. Written out: the compiler would leave a loop
/// as it is, with shifts of two words by a number that changes.
#[inline(always)]
fn two(b: &mut [u64; 3], s: &mut [u64; 3]) -> u64 {
    let mut next = || {
        let z = output(|k| bits(b, k), |k| bits(s, k)) & 0xffff_ffff;
        advance(b, s, 0);
        z
    };
    let (z0, z1) = (next(), next());
    z0 | z1 << 32
}

/// Thirty-two steps; `z` is added to what both registers take in.
#[inline(always)]
fn advance(b: &mut [u64; 3], s: &mut [u64; 3], z: u64) {
    let new_s = linear(|k| bits(s, k)) ^ z;
    let new_b = nonlinear(|k| bits(b, k)) ^ bits(s, 0) ^ z;
    for (register, new) in [(b, new_b), (s, new_s)] {
        *register = [register[1], register[2], register[2] >> 32 | new << 32];
    }
}

/// The output, by the bits of the registers and those behind them.
#[inline(always)]
fn output<T: Logic>(b: impl Fn(u32) -> T, s: impl Fn(u32) -> T) -> T {
    let h = b(12) & s(8) ^ s(13) & s(20) ^ b(95) & (s(42) ^ b(12) & s(95)) ^ s(60) & s(79);
    h ^ b(2) ^ b(15) ^ b(36) ^ b(45) ^ b(64) ^ b(73) ^ b(89) ^ s(93)
}

/// What the linear register takes in.
#[inline(always)]
fn linear<T: Logic>(s: impl Fn(u32) -> T) -> T {
    s(0) ^ s(7) ^ s(38) ^ s(70) ^ s(81) ^ s(96)
}

/// What the nonlinear register takes in but for the linear one's bit.
#[inline(always)]
fn nonlinear<T: Logic>(b: impl Fn(u32) -> T) -> T {
    let products = b(3) & b(67) ^ b(11) & b(13) ^ b(17) & b(18) ^ b(27) & b(59);
    let products = products ^ b(40) & b(48) ^ b(61) & b(65) ^ b(68) & b(84);
    b(0) ^ b(26) ^ b(56) ^ b(91) ^ b(96) ^ products
}
