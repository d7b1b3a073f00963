//! Grain v1 (Hell, Johansson and Meier, eSTREAM, 2005 and 2006): a linear and a nonlinear shift
//! register of 80 bits each, for small hardware.
//!
//! Status: broken in theory, though in eSTREAM's final portfolio. Todo, Isobe, Meier, Aoki and Zhang
//! (CRYPTO 2018) recover the state by fast correlations with 2^76.7 work and 2^75.1 bits of key stream;
//! besides, there are pairs of keys and nonces whose key streams are the same but for a step's shift
//! (Küçük, 2006). Kept for the comparison of Bernstein (2007).
//!
//! No bit is used within 16 steps after it was made, so 16 steps are done at once. Of each register the
//! bits 0 to 63 and 16 to 79 are kept in a word each: any 16 bits in a row are then a shift of one word.
//! Nothing is looked up in a table and nothing branches on secrets: this code is constant-time.

mod lanes;

use super::about::About;
use super::cipher::Cipher;
use super::lanes::Logic;
use crate::about::Status;
use combseal::internals::{Wipe, filled};
use combseal::{Cpu, secret};

/// Bytes in a key.
const KEY: usize = 10;
/// Bytes in a nonce.
const NONCE: usize = 8;

/// Grain v1, 16 steps at once.
pub struct GrainV1(Key);

/// The key as it is.
struct Key {
    bytes: [u8; KEY],
}
secret!(Key { bytes });

/// The registers: of each the bits 0 to 63, and the bits 16 to 79.
pub struct State {
    b: [u64; 2],
    s: [u64; 2],
}

impl Drop for State {
    fn drop(&mut self) {
        for word in self.b.iter_mut().chain(&mut self.s) {
            word.wipe();
        }
    }
}

impl Cipher for GrainV1 {
    const ABOUT: &'static About = &About {
        name: "grain-v1",
        key_lens: &[KEY],
        nonce_lens: &[NONCE],
        source: "Hell, Johansson and Meier, eSTREAM, 2005, revised in 2006",
        status: Status::Broken,
        history: "in eSTREAM's portfolio; fast correlations recover the state with 2^76.7 work and 2^75.1 bits of \
                  key stream, where the key has 80 bits (Todo, Isobe, Meier, Aoki and Zhang, CRYPTO 2018)",
        constant_time: true,
        tuning: "16 steps at once",
        context_2007: Some(4184),
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
        for _ in 0..160 / 16 {
            let z = output(|k| bits(&b, k), |k| bits(&s, k));
            advance(&mut b, &mut s, z);
        }
        (it.b, it.s) = (b, s);
        it
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        let (mut b, mut s) = (state.b, state.s);
        for block in data.as_chunks_mut::<16>().0 {
            let (low, high) = (four(&mut b, &mut s), four(&mut b, &mut s));
            let words = u128::from(high) << 64 | u128::from(low);
            *block = (u128::from_le_bytes(*block) ^ words).to_le_bytes();
        }
        (state.b, state.s) = (b, s);
    }
}

/// Eighty bits as they are kept.
#[inline(always)]
fn loaded(bytes: &[u8; KEY]) -> [u64; 2] {
    let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) else { unreachable!("ten bytes") };
    [u64::from_le_bytes(*first), u64::from_le_bytes(*last)]
}

/// Bit `k` of a register and those behind it: 16 of them at least.
#[inline(always)]
fn bits(register: &[u64; 2], k: u32) -> u64 {
    if k <= 48 { register[0] >> k } else { register[1] >> (k - 16) }
}

/// Four times sixteen steps: 64 bits of key stream. Written out: the compiler would leave a loop
/// as it is, with shifts of two words by a number that changes.
#[inline(always)]
fn four(b: &mut [u64; 2], s: &mut [u64; 2]) -> u64 {
    let mut next = || {
        let z = output(|k| bits(b, k), |k| bits(s, k)) & 0xffff;
        advance(b, s, 0);
        z
    };
    let (z0, z1, z2, z3) = (next(), next(), next(), next());
    z0 | z1 << 16 | z2 << 32 | z3 << 48
}

/// Sixteen steps; `z` is added to what both registers take in.
#[inline(always)]
fn advance(b: &mut [u64; 2], s: &mut [u64; 2], z: u64) {
    let new_s = linear(|k| bits(s, k)) ^ z;
    let new_b = nonlinear(|k| bits(b, k)) ^ bits(s, 0) ^ z;
    for (register, new) in [(b, new_b), (s, new_s)] {
        *register = [register[1], register[1] >> 16 | new << 48];
    }
}

/// The output, by the bits of the registers and those behind them.
#[inline(always)]
fn output<T: Logic>(b: impl Fn(u32) -> T, s: impl Fn(u32) -> T) -> T {
    let (x0, x1, x2, x3) = (s(3), s(25), s(46), s(64));
    // The text's h, with what is multiplied by its last argument put together.
    let h = x1 ^ x3 & (x0 ^ x2) ^ x0 & x2 & (x1 ^ x3) ^ b(63) & !(x3 ^ x2 & (x0 ^ x1 ^ x3));
    h ^ b(1) ^ b(2) ^ b(4) ^ b(10) ^ b(31) ^ b(43) ^ b(56)
}

/// What the linear register takes in.
#[inline(always)]
fn linear<T: Logic>(s: impl Fn(u32) -> T) -> T {
    s(62) ^ s(51) ^ s(38) ^ s(23) ^ s(13) ^ s(0)
}

/// What the nonlinear register takes in but for the linear one's bit. The text's sum of products, those
/// with bits that are the last to be known put together.
#[inline(always)]
fn nonlinear<T: Logic>(b: impl Fn(u32) -> T) -> T {
    let (b9, b15, b21, b28, b33, b37, b45) = (b(9), b(15), b(21), b(28), b(33), b(37), b(45));
    let (b52, b60, b63) = (b(52), b(60), b(63));
    let (p, q, r, t) = (b33 & b37, b37 & b45, b21 & b28 & b33, b9 & b15);
    let early = b(0) ^ b9 ^ b(14) ^ b21 ^ b28 ^ b33 ^ b37 ^ b45 ^ p ^ t ^ r ^ r & t;
    let late = b(62) ^ b52 & !(q & r) ^ b63 & (b45 & b28 & b9);
    early ^ late ^ b60 & !(b52 & (b45 ^ p) ^ b63 & !(b21 & b15 ^ b52 & q))
}
