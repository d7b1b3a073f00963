//! Trivium with each word of its state in one of the CPU's registers, for CPUs that shift two
//! registers as one and take the XOR of three at once (AVX-512): a step is 15 shifts and 9 instructions of
//! logic, where plain words take two shifts and an OR for each of the 15. With AVX2 a word of each of the three registers is
//! in one of the CPU's, whose parts are shifted by numbers of their own: ten shifts a step in all. Elsewhere the words of the
//! tuning beside it do the same.
//!
//! The step does for one message, and for as many as a register has words.

use super::words::{self, ABOUT, BLANK, LAST_ONES, LEN, loaded};
use crate::streams::about::About;
use crate::streams::cipher::Cipher;
use crate::streams::lanes::Words;
use combseal::cpu::{Backend, Kernel};
use combseal::internals::{Wipe, filled};
use combseal::{Cpu, secret};

/// Trivium, its words in registers.
pub struct Registers(pub(super) Owner);

/// The key, and where it is used.
pub(super) struct Owner {
    pub(super) bytes: [u8; LEN],
    cpu: Cpu,
}
secret!(Owner { bytes, cpu });

/// The registers: of each the newest word, and the one before.
pub struct State([[u64; 2]; 3]);

impl Drop for State {
    fn drop(&mut self) {
        for word in self.0.as_flattened_mut() {
            word.wipe();
        }
    }
}

impl Cipher for Registers {
    const ABOUT: &'static About = &About { tuning: "words in registers", ..ABOUT };
    const BLOCK: usize = 16;
    type State = State;

    fn expand(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Owner| {
            it.bytes.copy_from_slice(key);
            it.cpu = cpu;
        }))
    }

    fn start(&self, nonce: &[u8]) -> State {
        let mut state = State([loaded(&self.0.bytes), loaded(nonce), [0, LAST_ONES]]);
        self.0.cpu.run(Steps { state: &mut state, blank: BLANK, data: &mut [] });
        state
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        self.0.cpu.run(Steps { state, blank: 0, data });
    }
}

/// Steps of 64: as many as are blank, then those for whole blocks of data.
struct Steps<'a> {
    state: &'a mut State,
    blank: usize,
    data: &'a mut [u8],
}

impl Kernel for Steps<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;

    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        match <B::Wide as Backend>::BLOCKS {
            4 => self.in_registers(b.one()),
            2 => self.in_halves(b.wide()),
            _ => self.in_words(),
        }
    }
}

impl Steps<'_> {
    #[inline(always)]
    fn in_registers<B: Backend>(self, b: B) {
        let State(words) = self.state;
        let mut going = [[Words(b, b.zero()); 2]; 3];
        for i in 0..3 {
            for j in 0..2 {
                going[i][j] = Words(b, b.splat64(words[i][j]));
            }
        }
        for _ in 0..self.blank {
            step(b, &mut going);
        }
        for block in self.data.as_chunks_mut::<16>().0 {
            let (low, high) = (step(b, &mut going), step(b, &mut going));
            let data = b.load(block);
            b.store(block, b.xor(data, b.low_halves(low.1, high.1)));
        }
        for i in 0..3 {
            for j in 0..2 {
                words[i][j] = u128::from_le_bytes(b.block(going[i][j].1)) as u64;
            }
        }
    }

    /// The same with a word of each register in a half of one of two blocks, for CPUs that shift each half by a
    /// number of its own (AVX2).
    #[inline(always)]
    fn in_halves<B: Backend>(self, b: B) {
        let one = b.one();
        let State([r, s, t]) = self.state;
        let mut going = [three(b, [r[0], s[0], t[0]], 0), three(b, [r[1], s[1], t[1]], 0)];
        for _ in 0..self.blank {
            step_in_halves(b, &mut going);
        }
        for block in self.data.as_chunks_mut::<16>().0 {
            let (x, y) = (step_in_halves(b, &mut going), step_in_halves(b, &mut going));
            // The key stream is the sum of the three.
            let [first, third, ..] = b.split(b.low_halves(x, y));
            let [second, ..] = b.split(b.high_halves(x, y));
            let data = one.load(block);
            one.store(block, one.xor(data, one.xor(one.xor(first, second), third)));
        }
        for j in 0..2 {
            let [first, third, ..] = b.split(going[j]).map(|x| u128::from_le_bytes(one.block(x)));
            (r[j], s[j], t[j]) = (first as u64, (first >> 64) as u64, third as u64);
        }
    }

    /// The same by words.
    #[inline(always)]
    fn in_words(self) {
        let [mut r, mut s, mut t] = self.state.0;
        for _ in 0..self.blank {
            words::step(&mut r, &mut s, &mut t);
        }
        for block in self.data.as_chunks_mut::<16>().0 {
            let (low, high) = (words::step(&mut r, &mut s, &mut t), words::step(&mut r, &mut s, &mut t));
            let words = u128::from(high) << 64 | u128::from(low);
            *block = (u128::from_le_bytes(*block) ^ words).to_le_bytes();
        }
        self.state.0 = [r, s, t];
    }
}

/// Three numbers, and one that fills the register, in its halves.
#[inline(always)]
fn three<B: Backend>(b: B, [r, s, t]: [u64; 3], last: u64) -> B::V {
    let one = b.one();
    let pair = |low: u64, high: u64| one.splat(&(u128::from(high) << 64 | u128::from(low)).to_le_bytes());
    b.join([pair(r, s), pair(t, last), one.zero(), one.zero()])
}

/// 64 steps of one message, whose newest words are in the halves of `going[0]`, and those before in `going[1]`;
/// nothing is in the last half. Returns what each register has for the key stream.
#[inline(always)]
fn step_in_halves<B: Backend>(b: B, going: &mut [B::V; 2]) -> B::V {
    let [newer, older] = *going;
    // Of these stages, counted in each register by itself.
    let stage = |at: [u64; 3]| {
        let newer = b.shl64_lanes(newer, three(b, at.map(|k| k - 64), 64));
        b.xor(newer, b.shr64_lanes(older, three(b, at.map(|k| 128 - k), 64)))
    };
    let linear = b.xor(stage([66, 162 - 93, 243 - 177]), stage([93, 177 - 93, 288 - 177]));
    let product = b.and(stage([91, 175 - 93, 286 - 177]), stage([92, 176 - 93, 287 - 177]));
    let own = stage([69, 171 - 93, 264 - 177]);
    // What a register gives the next one takes in, and what the third gives, the first.
    let [low, high, ..] = b.split(b.xor(linear, product));
    let one = b.one();
    let given = b.join([one.low_halves(high, low), one.high_halves(low, high), one.zero(), one.zero()]);
    *going = [b.xor(own, given), newer];
    linear
}

/// 64 steps: the next word of key stream of each message.
#[inline(always)]
pub(super) fn step<B: Backend>(b: B, [r, s, t]: &mut [[Words<B>; 2]; 3]) -> Words<B> {
    let stage = |register: &[Words<B>; 2], k: u32| Words(b, b.funnel64(register[0].1, register[1].1, k - 64));
    let t1 = stage(r, 66) ^ stage(r, 93);
    let t2 = stage(s, 162 - 93) ^ stage(s, 177 - 93);
    let t3 = stage(t, 243 - 177) ^ stage(t, 288 - 177);
    let to_s = t1 ^ stage(r, 91) & stage(r, 92) ^ stage(s, 171 - 93);
    let to_t = t2 ^ stage(s, 175 - 93) & stage(s, 176 - 93) ^ stage(t, 264 - 177);
    let to_r = t3 ^ stage(t, 286 - 177) & stage(t, 287 - 177) ^ stage(r, 69);
    *r = [to_r, r[0]];
    *s = [to_s, s[0]];
    *t = [to_t, t[0]];
    t1 ^ t2 ^ t3
}
