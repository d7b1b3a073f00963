//! MICKEY-128 2.0 (Babbage and Dodd, eSTREAM, 2006): two shift registers of 160 bits, each of which
//! decides how the other one moves.
//!
//! Status: not chosen; eSTREAM's portfolio has the 80-bit MICKEY 2.0. Keys that are related by shifts of their
//! bits are recovered from 113 key streams (Ding and Guan, Security and Communication Networks, 2013). No
//! attack on a single key that is faster than a search is known to us, faults and other side channels
//! apart. Kept for the comparison of Bernstein (2007).
//!
//! A step at a time, all stages of a register at once, in three words each; what the control bits
//! decide are masks. Nothing is looked up in a table and nothing branches on secrets: this code is
//! constant-time.

mod lanes;

use super::about::About;
use super::cipher::Cipher;
use crate::about::Status;
use combseal::internals::{Wipe, filled};
use combseal::{Cpu, secret};
use std::hint::black_box;

/// Bytes in a key.
const KEY: usize = 16;
/// Bits in a register.
const STAGES: usize = 160;

/// 160 bits: stage i is bit `i % 64` of word `i / 64`. What is above stage 159 means nothing, and
/// never comes down.
type Register = [u64; 3];

/// A constant of 160 bits, its words from the highest on.
const fn constant(words: [u64; 3]) -> Register {
    [words[2], words[1], words[0]]
}

/// The stages of R that take its feedback in.
const R_MASK: Register = constant([0x3752_53af, 0x803b_be32_9c67_9626, 0xf3ec_4c59_4211_4d31]);
/// What is added to S before the product of neighbours: to each stage, and to the one above it.
const COMP0: Register = constant([0x0fbe_06be, 0x37af_d931_7900_7062, 0x7926_0955_5dd6_f25e]);
const COMP1: Register = constant([0x7ff4_5bb5, 0x6660_e345_7c00_c3e0, 0xfeb6_3c98_7d19_1f30]);
/// The stages of S that take its feedback in, by its control bit.
const S_MASK0: Register = constant([0x8363_0bc1, 0xd454_4b91_66e5_4d81, 0x0e2f_a322_c43c_1faf]);
const S_MASK1: Register = constant([0x11a7_80ef, 0x6c4b_7ee7_6f9a_18b6, 0x7079_8c90_9bf4_77ab]);
/// All stages but the first and the last, which take part in no product.
const MIDDLE: Register = constant([0x7fff_ffff, u64::MAX, u64::MAX - 1]);

/// MICKEY-128 2.0, all stages of a register at once.
pub struct Mickey128(Key);

/// The key as it is.
struct Key {
    bytes: [u8; KEY],
}
secret!(Key { bytes });

/// The registers.
pub struct State {
    r: Register,
    s: Register,
}

impl Drop for State {
    fn drop(&mut self) {
        for word in self.r.iter_mut().chain(&mut self.s) {
            word.wipe();
        }
    }
}

impl Cipher for Mickey128 {
    const ABOUT: &'static About = &About {
        name: "mickey-128-2.0",
        key_lens: &[KEY],
        // Any number of bits up to 128, of which whole bytes are taken here.
        nonce_lens: &[16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        source: "Babbage and Dodd, eSTREAM, 2006",
        status: Status::NotChosen,
        history: "reached eSTREAM's third phase; its portfolio has the 80-bit MICKEY 2.0. Related keys are recovered \
                  from 113 key streams (Ding and Guan, 2013); of single keys no attack faster than a search is \
                  known to us",
        constant_time: true,
        tuning: "all stages at once",
        context_2007: None,
        confirmed: true,
    };
    const BLOCK: usize = 16;
    type State = State;

    fn expand(_: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Key| it.bytes.copy_from_slice(key)))
    }

    fn start(&self, nonce: &[u8]) -> State {
        let mut it = State { r: [0; 3], s: [0; 3] };
        let (mut r, mut s) = (it.r, it.s);
        for byte in nonce.iter().chain(&self.0.bytes).chain(&[0; STAGES / 8]) {
            for i in (0..8).rev() {
                step::<true>(&mut r, &mut s, u64::from(byte >> i) << 63);
            }
        }
        (it.r, it.s) = (r, s);
        it
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        let (mut r, mut s) = (state.r, state.s);
        for byte in data {
            let mut bits = 0;
            for _ in 0..8 {
                bits = bits << 1 | (r[0] ^ s[0]) & 1;
                step::<false>(&mut r, &mut s, 0);
            }
            *byte ^= bits as u8;
        }
        (state.r, state.s) = (r, s);
    }
}

/// Stage `i`, in the highest bit; what is below it is to be ignored.
#[inline(always)]
fn stage(register: &Register, i: usize) -> u64 {
    register[i / 64] << (63 - i % 64)
}

/// All ones if the highest bit is one, else zero.
#[inline(always)]
fn mask(bit: u64) -> u64 {
    (bit as i64 >> 63) as u64
}

/// One step, with the highest bit of `input` as both registers' input bit; `MIXING` adds a bit of S to
/// that of R.
///
/// A word takes in what comes from its neighbours last: of a word and its neighbour side by side the
/// compiler makes a shift of two words, which is six operations on an AMD core.
#[inline(always)]
fn step<const MIXING: bool>(r: &mut Register, s: &mut Register, input: u64) {
    let mixed = if MIXING { input ^ stage(s, 80) } else { input };
    let masks = [
        mask(stage(s, 54) ^ stage(r, 106)),
        mask(stage(r, 53) ^ stage(s, 106)),
        mask(stage(r, 159) ^ mixed),
        mask(stage(s, 159) ^ input),
    ];
    // Of what it sees to be masks the compiler makes branches on secret bits. (Under keys that the CPU
    // had not learnt by heart those were guessed wrongly, and took half as long again.)
    let [moves_r, chooses_s, to_r, to_s] = black_box(masks);
    let (old_r, old_s) = (*r, *s);
    for i in 0..3 {
        let from_below = |x: &Register| if i == 0 { 0 } else { x[i - 1] >> 63 };
        let from_above = if i == 2 { 0 } else { old_s[i + 1] << 63 };
        r[i] = ((old_r[i] << 1 ^ old_r[i] & moves_r) ^ R_MASK[i] & to_r) ^ from_below(&old_r);
        let factor = (old_s[i] ^ COMP0[i]) & MIDDLE[i];
        let product = factor & (old_s[i] >> 1 ^ COMP1[i]);
        let feedback = (S_MASK0[i] ^ chooses_s & (S_MASK0[i] ^ S_MASK1[i])) & to_s;
        s[i] = (((old_s[i] << 1 ^ product) ^ feedback) ^ from_below(&old_s)) ^ (factor & from_above);
    }
}
