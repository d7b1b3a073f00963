//! SOSEMANUK: Berbain, Billet, Canteaut, Courtois, Gilbert, Goubin, Gouget, Granboulan, Lauradoux,
//! Minier, Pornin and Sibert, eSTREAM 2005; in its portfolio of 2008. The best attack known to us is a
//! correlation attack of 2^148 (Lee, Lee and Park, ASIACRYPT 2008), above the 128 bits it promises.
//!
//! Here to be measured beside the ciphers of Bernstein's "Cycle counts for authenticated
//! encryption" (2007). Its Serpent is bit-sliced; the multiplications by alpha look up tables
//! by secret data: not constant-time, but for messages side by side where registers hold the tables.

mod lanes;
mod sboxes;
mod serpent;

use super::about::About;
use super::alpha::{over_alpha, times_alpha};
use super::cipher::Cipher;
use super::words::xor_le;
use crate::about::Status;
use combseal::cpu::{Backend, Block, Kernel};
use combseal::internals::{Wipe, filled};
use combseal::{Cpu, secret};
use sboxes::sbox;
use serpent::{Plain, SUBKEYS, encrypt, four, subkeys};

/// The subkeys of Serpent's first 24 rounds, little-endian words.
pub struct Sosemanuk {
    keys: [Block; SUBKEYS],
    cpu: Cpu,
}
secret!(Sosemanuk { keys, cpu });

/// The shift register and the two registers of the finite state machine.
pub struct State {
    s: [u32; 10],
    r: [u32; 2],
}

impl Drop for State {
    #[inline]
    fn drop(&mut self) {
        self.s.as_mut_slice().wipe();
        self.r.as_mut_slice().wipe();
    }
}

impl State {
    /// Step `i` of twenty, when word `i` of the array is the oldest. Gives the machine's word and
    /// the oldest word.
    #[inline(always)]
    fn step(&mut self, i: usize) -> [u32; 2] {
        let (s, [r1, r2]) = (&mut self.s, self.r);
        // Both sums, then one of them: the choice alone waits for R1.
        let (without, with) = (r2.wrapping_add(s[(i + 1) % 10]), r2.wrapping_add(s[(i + 1) % 10] ^ s[(i + 8) % 10]));
        let new = if r1 & 1 == 1 { with } else { without };
        self.r = [new, r1.wrapping_mul(0x5465_5307).rotate_left(7)];
        let f = s[(i + 9) % 10].wrapping_add(new) ^ self.r[1];
        let oldest = s[i % 10];
        s[i % 10] = s[(i + 9) % 10] ^ over_alpha(s[(i + 3) % 10]) ^ times_alpha(oldest);
        [f, oldest]
    }

    /// Four steps, of which the first is `i`: sixteen bytes of key stream.
    #[inline(always)]
    fn four(&mut self, i: usize) -> [u32; 4] {
        let ([a, w], [b, x]) = (self.step(i), self.step(i + 1));
        let ([c, y], [d, z]) = (self.step(i + 2), self.step(i + 3));
        let [a, b, c, d] = sbox::<_, 2>(Plain, [a, b, c, d]);
        [a ^ w, b ^ x, c ^ y, d ^ z]
    }
}

static ABOUT: About = About {
    name: "sosemanuk",
    key_lens: &[32, 16],
    nonce_lens: &[16],
    source: "Berbain and others, eSTREAM 2005",
    status: Status::NotChosen,
    history: "eSTREAM's portfolio of 2008, and no standard known to us; a correlation attack of 2^148 is known (Lee, \
              Lee and Park, ASIACRYPT 2008)",
    constant_time: false,
    tuning: "tables",
    context_2007: Some(468),
    confirmed: true,
};

/// The key's subkeys.
struct SetUp<'a> {
    key: &'a [u8],
    keys: &'a mut [Block; SUBKEYS],
}

impl Kernel for SetUp<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;

    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        subkeys(b.one(), self.key, self.keys);
    }
}

/// The beginning of a message.
struct Start<'a> {
    keys: &'a [Block; SUBKEYS],
    nonce: &'a [u8],
    state: &'a mut State,
}

impl Kernel for Start<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;

    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, _: B) {
        let [[d, c, b, a], [r1, e, r2, f], [j, i, h, g]] = encrypt(Plain, four(self.nonce), self.keys);
        self.state.s = [a, b, c, d, e, f, g, h, i, j];
        self.state.r = [r1, r2];
    }
}

/// Whole blocks of 80 bytes.
struct Blocks<'a> {
    state: &'a mut State,
    data: &'a mut [u8],
}

impl Kernel for Blocks<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;

    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, _: B) {
        let mut it = State { s: self.state.s, r: self.state.r };
        for block in self.data.as_chunks_mut::<80>().0 {
            xor_le(&mut block[..16], it.four(0));
            xor_le(&mut block[16..32], it.four(4));
            xor_le(&mut block[32..48], it.four(8));
            xor_le(&mut block[48..64], it.four(12));
            xor_le(&mut block[64..], it.four(16));
        }
        (self.state.s, self.state.r) = (it.s, it.r);
    }
}

impl Cipher for Sosemanuk {
    const ABOUT: &'static About = &ABOUT;
    /// Twenty steps: as many as it takes until the oldest word is where it was, of ten.
    const BLOCK: usize = 80;
    type State = State;

    fn expand(cpu: Cpu, key: &[u8]) -> Self {
        filled(|it: &mut Self| {
            it.cpu = cpu;
            cpu.run(SetUp { key, keys: &mut it.keys });
        })
    }

    #[inline(always)]
    fn start(&self, nonce: &[u8]) -> State {
        let mut state = State { s: [0; 10], r: [0; 2] };
        self.cpu.run(Start { keys: &self.keys, nonce, state: &mut state });
        state
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        self.cpu.run(Blocks { state, data });
    }
}
