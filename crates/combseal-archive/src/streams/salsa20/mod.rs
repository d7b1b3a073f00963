//! Salsa20 (Bernstein, "Salsa20 specification", 2005; "The Salsa20 family of stream ciphers", 2008)
//! of 20, 12 and 8 rounds.
//!
//! Status: 20 rounds are in use (NaCl's `secretbox`), though new protocols take ChaCha20; 12 are in
//! eSTREAM's portfolio (2008); of 8 keys are found with 2^251 work (Aumasson, Fischer, Khazaei,
//! Meier and Rechberger, FSE 2008), 2^247.2 (Maitra, Paul and Meier, 2015) and, by later claims,
//! less. Kept because the paper of 2007 measures all three. In constant time.
//!
//! In two layouts, as the library has ChaCha20. In columns word `i` of every block is register `i`,
//! so that a pass makes as many blocks as a register has words. In rows a register holds four
//! words of each of a few blocks: a few blocks cost little more than the latency of one. These
//! rows are the diagonals of the cipher's matrix, and each begins with its own kind of words: the
//! first is the constants.

mod blocks;
mod many;

use super::about::About;
use super::cipher::Cipher;
use super::words::le32;
use crate::about::Status;
use blocks::{Blocks, Key, Masked, Place, Whole};
use combseal::Cpu;
use combseal::internals::Wipe;

/// Salsa20 of `ROUNDS` rounds.
pub struct Salsa20<const ROUNDS: usize> {
    key: Key,
    cpu: Cpu,
}

/// A message under way: the nonce, and how many blocks have been made. Neither is secret.
pub struct State(Place);

impl<const ROUNDS: usize> Salsa20<ROUNDS> {
    /// The key stream of `nonce` from block `number` on, of 64 bytes each.
    #[inline]
    pub fn start_at(&self, nonce: &[u8], number: u64) -> State {
        State(Place { nonce: u64::from(le32(nonce, 1)) << 32 | u64::from(le32(nonce, 0)), number })
    }
}

impl<const ROUNDS: usize> Cipher for Salsa20<ROUNDS> {
    const ABOUT: &'static About = &about(ROUNDS);
    const BLOCK: usize = 64;
    type State = State;

    fn expand(cpu: Cpu, key: &[u8]) -> Self {
        // With sixteen bytes both halves of the key are the same.
        let (low, high) = (&key[..16], &key[key.len() - 16..]);
        let sigma = if key.len() == 32 { b"expand 32-byte k" } else { b"expand 16-byte k" };
        let k = |i: usize| le32(if i < 4 { low } else { high }, i % 4);
        // (Nowhere else in memory, where it would have to be wiped.)
        let diagonal = |words: [u32; 4]| {
            let word = |i: usize| u128::from(words[i]) << (32 * i);
            (word(0) | word(1) | word(2) | word(3)).to_le_bytes()
        };
        let key =
            [*sigma, diagonal([k(3), 0, k(7), k(2)]), diagonal([0, k(6), k(1), 0]), diagonal([k(5), k(0), 0, k(4)])];
        Self { key, cpu }
    }

    #[inline]
    fn start(&self, nonce: &[u8]) -> State {
        self.start_at(nonce, 0)
    }

    #[inline]
    fn xor(&self, state: &mut State, data: &mut [u8]) {
        let count = data.len() / 64;
        self.cpu.run(Blocks { key: &self.key, place: state.0, rounds: ROUNDS, count, sink: Whole(data) });
        state.0.number = state.0.number.wrapping_add(count as u64);
    }

    #[inline]
    fn masked(&self, nonce: &[u8], first: &mut [u8; 16], data: &mut [u8]) {
        let sink = Masked { first, data };
        let (State(place), count) = (self.start_at(nonce, 0), sink.blocks());
        self.cpu.run(Blocks { key: &self.key, place, rounds: ROUNDS, count, sink });
    }
}

impl<const ROUNDS: usize> Drop for Salsa20<ROUNDS> {
    fn drop(&mut self) {
        self.key.wipe();
    }
}

/// What is known of so many rounds.
const fn about(rounds: usize) -> About {
    let all = About {
        name: "salsa20",
        key_lens: &[32, 16],
        nonce_lens: &[8],
        source: "Bernstein, \"Salsa20 specification\", 2005",
        status: Status::InUse,
        history: "in eSTREAM's portfolio with 12 of its 20 rounds (2008) and in NaCl; no attack on 9 rounds is known to us",
        constant_time: true,
        tuning: "words in vectors",
        context_2007: Some(80),
        confirmed: true,
    };
    match rounds {
        8 => About {
            name: "salsa20-8",
            status: Status::Broken,
            history: "keys are found with 2^251 work (Aumasson, Fischer, Khazaei, Meier and Rechberger, FSE 2008)",
            ..all
        },
        12 => About {
            name: "salsa20-12",
            history: "in eSTREAM's portfolio (2008); no attack on 9 rounds or more is known to us",
            ..all
        },
        20 => all,
        _ => panic!("Salsa20 is of 8, 12 or 20 rounds"),
    }
}
