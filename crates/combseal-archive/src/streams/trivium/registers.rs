//! Trivium's three registers side by side in blocks of one of the CPU's: 64 steps of all three are the
//! same few instructions. For CPUs whose registers hold four blocks (AVX-512); elsewhere the words of
//! the tuning beside it do the same.
//!
//! What a step waits for is the turn of a register's blocks, five cycles on a Zen 5: there this is a
//! tenth faster than words.

use super::words::{ABOUT, BLANK, LAST_ONES, LEN, loaded, step};
use crate::streams::about::About;
use crate::streams::cipher::Cipher;
use combseal::cpu::{Backend, Kernel};
use combseal::internals::{Wipe, filled};
use combseal::{Cpu, secret};

/// Trivium, its registers side by side.
pub struct Registers(Owner);

/// The key, and where it is used.
struct Owner {
    bytes: [u8; LEN],
    cpu: Cpu,
}
secret!(Owner { bytes, cpu });

/// The registers' newest words, each in the low half of a block, and those before.
pub struct State {
    newest: [u8; 64],
    before: [u8; 64],
}

impl Drop for State {
    fn drop(&mut self) {
        self.newest.as_mut_slice().wipe();
        self.before.as_mut_slice().wipe();
    }
}

impl Cipher for Registers {
    const ABOUT: &'static About = &About { tuning: "registers in blocks", ..ABOUT };
    const BLOCK: usize = 16;
    type State = State;

    fn expand(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Owner| {
            it.bytes.copy_from_slice(key);
            it.cpu = cpu;
        }))
    }

    fn start(&self, nonce: &[u8]) -> State {
        let mut state = State { newest: [0; 64], before: [0; 64] };
        for (i, words) in [loaded(&self.0.bytes), loaded(nonce), [0, LAST_ONES]].iter().enumerate() {
            state.newest[16 * i..16 * i + 8].copy_from_slice(&words[0].to_le_bytes());
            state.before[16 * i..16 * i + 8].copy_from_slice(&words[1].to_le_bytes());
        }
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

/// In each block a number by which its words are shifted: left by the first, right by the second.
type Shifts<V> = [V; 2];

impl Kernel for Steps<'_> {
    type Out = ();
    const ON_MODELS: bool = crate::models::ON_MODELS;

    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        if <B::Wide as Backend>::BLOCKS == 4 { self.in_blocks(b.wide()) } else { self.in_words() }
    }
}

impl Steps<'_> {
    #[inline(always)]
    fn in_blocks<B: Backend>(self, b: B) {
        let stages = |k: [u64; 3]| -> Shifts<B::V> {
            let [p, q, r] = k.map(|k| b.one().splat64(k - 64));
            let [s, t, u] = k.map(|k| b.one().splat64(128 - k));
            let none = b.one().zero();
            [b.join([p, q, r, none]), b.join([s, t, u, none])]
        };
        let x = [b.load(&self.state.newest), b.load(&self.state.before)];
        // What each register gives is taken in by the next one: the outcome of a step, turned by a block,
        // is what is newest. What the next register has taken in itself is there before it is turned.
        let back = |v| {
            let [p, q, r, zero] = b.split(v);
            b.join([q, r, p, zero])
        };
        let mut going = Going {
            b,
            x,
            made: [back(x[0]), back(x[1])],
            first: stages([66, 162 - 93, 243 - 177]),
            last: stages([93, 177 - 93, 288 - 177]),
            factors: [stages([91, 175 - 93, 286 - 177]), stages([92, 176 - 93, 287 - 177])],
            next: stages([171 - 93, 264 - 177, 69]),
        };
        for _ in 0..self.blank {
            going.step();
        }
        let one = b.one();
        for block in self.data.as_chunks_mut::<16>().0 {
            let (low, high) = (going.step(), going.step());
            let z = b.fold(b.low_halves(low, high));
            let data = one.load(block);
            one.store(block, one.xor(data, z));
        }
        b.store(&mut self.state.newest, going.x[0]);
        b.store(&mut self.state.before, going.x[1]);
    }

    /// The same by words.
    #[inline(always)]
    fn in_words(self) {
        let (newest, before) = (&mut self.state.newest, &mut self.state.before);
        let word = |bytes: &[u8; 64], i: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[16 * i..16 * i + 8]);
            u64::from_le_bytes(word)
        };
        let mut registers: [[u64; 2]; 3] = std::array::from_fn(|i| [word(newest, i), word(before, i)]);
        let [r, s, t] = &mut registers;
        for _ in 0..self.blank {
            step(r, s, t);
        }
        for block in self.data.as_chunks_mut::<16>().0 {
            let (low, high) = (step(r, s, t), step(r, s, t));
            let words = u128::from(high) << 64 | u128::from(low);
            *block = (u128::from_le_bytes(*block) ^ words).to_le_bytes();
        }
        for (i, words) in registers.iter().enumerate() {
            newest[16 * i..16 * i + 8].copy_from_slice(&words[0].to_le_bytes());
            before[16 * i..16 * i + 8].copy_from_slice(&words[1].to_le_bytes());
        }
    }
}

/// A message under way.
struct Going<B: Backend> {
    b: B,
    /// The registers' newest words, and those before.
    x: [B::V; 2],
    /// The same in the places of the registers that gave them.
    made: [B::V; 2],
    /// The first stage that is used of each register, and the last one.
    first: Shifts<B::V>,
    last: Shifts<B::V>,
    /// Those whose product is.
    factors: [Shifts<B::V>; 2],
    /// That of the next register.
    next: Shifts<B::V>,
}

impl<B: Backend> Going<B> {
    /// 64 steps. In the low halves of three blocks what sums up to key stream.
    #[inline(always)]
    fn step(&mut self) -> B::V {
        let Self { b, x, made, .. } = *self;
        let stage = |of: &[B::V; 2], by: &Shifts<B::V>| b.xor(b.shl64_lanes(of[0], by[0]), b.shr64_lanes(of[1], by[1]));
        let t = b.xor(stage(&x, &self.first), stage(&x, &self.last));
        let product = b.and(stage(&x, &self.factors[0]), stage(&x, &self.factors[1]));
        let new = b.xor(t, b.xor(product, stage(&made, &self.next)));
        let [p, q, r, zero] = b.split(new);
        self.x = [b.join([r, p, q, zero]), x[0]];
        self.made = [new, made[0]];
        t
    }
}
