//! LEX (Biryukov, "A New 128-bit Key Stream Cipher LEX", eSTREAM, 2005; version 2, "The Tweak for
//! LEX-128", 2006): AES-128 whose output goes in again and again, and of whose state four bytes
//! are let out after each round.
//!
//! Status: broken. Wu and Preneel (FSE 2006) find keys of version 1 that were used with 2^60.8
//! nonces; version 2 followed. Of that keys are found from 2^36.3 bytes with 2^112 work (Dunkelman
//! and Keller, ASIACRYPT 2008; 2^100 from 2^40 bytes in their paper of 2013), and with 2^80
//! (Bouillaguet, Derbez and Fouque, CRYPTO 2011). Kept because the paper of 2007 measures it. In
//! constant time.
//!
//! Version 1 is what a later port says of it: neither its author's code nor known answers of his
//! were to be had.
//!
//! The rounds are the AES instruction's, one after the other: its latency is the limit of a message
//! by itself, forty bytes each ten rounds, and all else is done meanwhile. Many messages side by
//! side fill the AES unit.

mod many;
mod rounds;

use super::about::About;
use super::cipher::Cipher;
use crate::about::Status;
use combseal::Cpu;
use combseal::cpu::{Backend, Block, Kernel};
use combseal::internals::Wipe;
use rounds::{Keys, begun, enciphered, pair};

/// LEX of version 1 or 2.
// Aligned, so that no round key is read across two cache lines.
#[repr(C, align(16))]
pub struct Lex<const VERSION: u8> {
    keys: Keys,
    cpu: Cpu,
}

/// The AES state that goes round.
pub struct State(Block);

impl Drop for State {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl<const VERSION: u8> Drop for Lex<VERSION> {
    fn drop(&mut self) {
        self.keys.wipe();
    }
}

impl<const VERSION: u8> Cipher for Lex<VERSION> {
    const ABOUT: &'static About = &about(VERSION);
    const BLOCK: usize = 40;
    type State = State;

    fn expand(cpu: Cpu, key: &[u8]) -> Self {
        let mut it = Self { keys: [[0; 16]; 11], cpu };
        it.keys[0].copy_from_slice(key);
        cpu.run(Expand(&mut it.keys));
        it
    }

    #[inline]
    fn start(&self, nonce: &[u8]) -> State {
        let mut state = State([0; 16]);
        state.0.copy_from_slice(nonce);
        self.cpu.run(Start::<VERSION> { keys: &self.keys, state: &mut state.0 });
        state
    }

    #[inline]
    fn xor(&self, state: &mut State, data: &mut [u8]) {
        self.cpu.run(Xor::<VERSION> { keys: &self.keys, state: &mut state.0, data });
    }
}

/// What is known of a version.
const fn about(version: u8) -> About {
    let all = About {
        name: "lex-v2",
        key_lens: &[16],
        nonce_lens: &[16],
        source: "Biryukov, \"The Tweak for LEX-128, LEX-192, LEX-256\", eSTREAM, 2006",
        status: Status::Broken,
        history: "keys are found from 2^36.3 bytes with 2^112 work (Dunkelman and Keller, ASIACRYPT 2008), with 2^80 \
                  later (Bouillaguet, Derbez and Fouque, CRYPTO 2011)",
        constant_time: true,
        tuning: "AESENC",
        context_2007: None,
        confirmed: true,
    };
    match version {
        1 => About {
            name: "lex-v1",
            context_2007: Some(248),
            source: "Biryukov, \"A New 128-bit Key Stream Cipher LEX\", eSTREAM, 2005, as a later port has it",
            history: "keys that were used with 2^60.8 nonces are found (Wu and Preneel, FSE 2006); superseded by \
                      version 2, which fell too",
            confirmed: false,
            ..all
        },
        2 => all,
        _ => panic!("LEX is of version 1 or 2"),
    }
}

/// The round keys behind the first one, which is the key.
struct Expand<'a>(&'a mut Keys);
impl Kernel for Expand<'_> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        rounds::expand(b.one(), self.0);
    }
}

/// The first state, from a nonce.
struct Start<'a, const VERSION: u8> {
    keys: &'a Keys,
    state: &'a mut Block,
}
impl<const VERSION: u8> Kernel for Start<'_, VERSION> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let b = b.one();
        let mut keys = [[b.zero(); 1]; 11];
        for r in 0..11 {
            keys[r] = [b.splat(&self.keys[r])];
        }
        let [x] = enciphered::<_, VERSION, 1>(b, &keys, [begun(b, b.load(self.state))]);
        b.store(self.state, x);
    }
}

/// Key stream into whole blocks.
struct Xor<'a, const VERSION: u8> {
    keys: &'a Keys,
    state: &'a mut Block,
    data: &'a mut [u8],
}
impl<const VERSION: u8> Kernel for Xor<'_, VERSION> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let b = b.one();
        let mut keys = [[b.zero(); 1]; 11];
        for r in 0..11 {
            keys[r] = [b.splat(&self.keys[r])];
        }
        let mut x = [b.load(self.state)];
        // Twice forty are whole registers.
        let mut eighties = self.data.chunks_exact_mut(80);
        for eighty in eighties.by_ref() {
            for i in 0..5 {
                let [low] = pair::<_, VERSION, 1, 1>(b, &keys, 2 * i % 5, &mut x);
                let [high] = pair::<_, VERSION, 1, 1>(b, &keys, (2 * i + 1) % 5, &mut x);
                let y = b.low_halves(low, high);
                let part = &mut eighty[16 * i..16 * i + 16];
                b.store(part, b.xor(y, b.load(part)));
            }
        }
        // Forty, of which the last eight are half a register.
        for (i, part) in eighties.into_remainder().chunks_mut(16).enumerate() {
            let [low] = pair::<_, VERSION, 1, 1>(b, &keys, 2 * i % 5, &mut x);
            if part.len() == 16 {
                let [high] = pair::<_, VERSION, 1, 1>(b, &keys, (2 * i + 1) % 5, &mut x);
                b.store(part, b.xor(b.low_halves(low, high), b.load(part)));
            } else {
                b.store_part(part, b.xor(low, b.load_part(part)));
            }
        }
        b.store(self.state, x[0]);
    }
}
