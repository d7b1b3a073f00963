//! Trivium with each word of its state in one of the CPU's registers, for CPUs that shift two
//! registers as one and take the XOR of three at once (AVX-512): a step is 15 shifts and 9 instructions of
//! logic, where plain words take two shifts and an OR for each of the 15. Elsewhere the words of the tuning beside it do
//! the same.
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
    const ON_MODELS: bool = crate::models::ON_MODELS;

    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        if <B::Wide as Backend>::BLOCKS == 4 { self.in_registers(b.one()) } else { self.in_words() }
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
