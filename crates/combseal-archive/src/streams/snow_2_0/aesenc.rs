//! SNOW 2.0 with AESENC: one message, whose finite state machine is in vector registers.
//!
//! A word is in all four columns of its register, so that ShiftRows changes nothing and a round is
//! the S-box; additions take the words of the shift register as loads that copy them to all columns.
//! So every second value of the machine's first register takes an AESENC and an addition, and that
//! chain of five cycles, two of which go side by side, is what the time of a word is bound to.
//! (The shift register stays in plain words: its multiplications are look-ups.)

use super::super::about::About;
use super::super::alpha::{over_alpha, times_alpha};
use super::super::cipher::Cipher;
use super::super::words::le32;
use super::tables::{State, about, register, sixteen};
use combseal::Cpu;
use combseal::cpu::{Backend, Block, Kernel};
use combseal::internals::Wipe;

/// SNOW 2.0, its S-box done by the AES unit.
pub struct Aesenc {
    /// Little-endian words, the oldest behind the others.
    pub(super) register: [Block; 4],
    cpu: Cpu,
}

impl Drop for Aesenc {
    #[inline]
    fn drop(&mut self) {
        self.register.wipe();
    }
}

/// Whole blocks of 64 bytes.
struct Blocks<'a> {
    state: &'a mut State,
    data: &'a mut [u8],
}

impl Kernel for Blocks<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;

    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        self.run_on(b.one());
    }
}

impl Blocks<'_> {
    #[inline(always)]
    fn run_on<B: Backend>(self, b: B) {
        // The shift register now and sixteen clocks later.
        let mut s = [0; 32];
        s[..16].copy_from_slice(&self.state.s);
        let (mut r1, mut r2) = (b.splat32(self.state.r[0]), b.splat32(self.state.r[1]));
        for block in self.data.as_chunks_mut::<64>().0 {
            forward(&mut s);
            let (mut a, mut c) = ([b.zero(); 16], [b.zero(); 16]);
            sixteen!(i, {
                (a[i], c[i]) = (r1, r2);
                let [s1] = b.round([r1], [b.zero()]);
                (r1, r2) = (b.add32(r2, b.splat32(s[i + 5])), s1);
            });
            for i in [0, 4, 8, 12] {
                let four = |v: &[B::V; 16]| {
                    let [first, ..] = b.transpose32([v[i], v[i + 1], v[i + 2], v[i + 3]]);
                    first
                };
                let word = |from: usize| b.load(&words(&s, from));
                let f = b.xor(b.add32(word(i + 15), four(&a)), four(&c));
                let at = &mut block[4 * i..4 * i + 16];
                b.store(at, b.xor(b.load(at), b.xor(f, word(i))));
            }
            let (now, next) = s.split_at_mut(16);
            now.copy_from_slice(next);
        }
        self.state.s.copy_from_slice(&s[..16]);
        let first = |v: B::V| u32::from_le_bytes(*b.block(v).first_chunk().expect("sixteen bytes"));
        self.state.r = [first(r1), first(r2)];
        s.wipe();
    }
}

/// The shift register sixteen clocks later. A call, for the compiler makes instructions that gather
/// of these look-ups where it may, and then this takes three times as long.
#[inline(never)]
fn forward(s: &mut [u32; 32]) {
    sixteen!(i, {
        s[i + 16] = times_alpha(s[i]) ^ s[i + 2] ^ over_alpha(s[i + 11]);
    });
}

/// Four words as a register has them.
#[inline(always)]
fn words(s: &[u32; 32], from: usize) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (to, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(&s[from..from + 4]) {
        *to = word.to_le_bytes();
    }
    bytes
}

impl Cipher for Aesenc {
    const ABOUT: &'static About = &const { about("AESENC") };
    const BLOCK: usize = 64;
    type State = State;

    fn expand(cpu: Cpu, key: &[u8]) -> Self {
        let mut words = register(key);
        let mut it = Self { register: [[0; 16]; 4], cpu };
        for (to, word) in it.register.as_flattened_mut().as_chunks_mut::<4>().0.iter_mut().zip(&words) {
            *to = word.to_le_bytes();
        }
        words.wipe();
        it
    }

    #[inline(always)]
    fn start(&self, nonce: &[u8]) -> State {
        State::start(std::array::from_fn(|i| le32(self.register.as_flattened(), i)), nonce)
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        self.cpu.run(Blocks { state, data });
    }
}
