//! Trivium with each word of its state in one of the CPU's registers, for CPUs that shift two
//! registers as one and take the XOR of three at once (AVX-512): a step is 15 shifts and 9 instructions of
//! logic, where plain words take two shifts and an OR for each of the 15. Elsewhere the words of the tuning beside it do
//! the same.
//!
//! The step is that of the messages in lanes, with one message.

use super::words::{ABOUT, BLANK, LAST_ONES, LEN, Trivium, loaded, step};
use crate::streams::about::About;
use crate::streams::cipher::Cipher;
use crate::streams::lanes::{InLanes, Words};
use combseal::cpu::{Backend, Kernel};
use combseal::internals::{Wipe, filled};
use combseal::{Cpu, secret};

/// Trivium, its words in registers.
pub struct Registers(Owner);

/// The key, and where it is used.
struct Owner {
    bytes: [u8; LEN],
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
            Trivium::next(b, &mut going);
        }
        for block in self.data.as_chunks_mut::<16>().0 {
            let [low, _] = Trivium::next(b, &mut going);
            let [high, _] = Trivium::next(b, &mut going);
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
            step(&mut r, &mut s, &mut t);
        }
        for block in self.data.as_chunks_mut::<16>().0 {
            let (low, high) = (step(&mut r, &mut s, &mut t), step(&mut r, &mut s, &mut t));
            let words = u128::from(high) << 64 | u128::from(low);
            *block = (u128::from_le_bytes(*block) ^ words).to_le_bytes();
        }
        self.state.0 = [r, s, t];
    }
}
