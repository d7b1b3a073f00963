//! Round keys of any size of the AES, under one type: on a software tier the AES is a call, whose rounds
//! may be a number, so that a kernel over these is one code for all sizes.
//!
//! [`Kernel::soft`](super::backend::Kernel::soft) copies the key into this form: some dozens of cycles,
//! where a block takes hundreds.

use super::backend::{Aes, Schedule, sealed};
use super::bytes::Block;
use crate::memory::blank::{erase, filled, secret};
use crate::memory::wipe::Wipe;

/// The last round key's place in [`AnyKeys`].
const LAST: usize = 14;

/// Round keys of one size or another. Of the cipher: all but the last, zeros, the last one; of its
/// inverse: the middle ones and zeros.
#[derive(Clone)]
pub struct AnyKeys {
    keys: [Block; LAST + 1],
    rounds: u32,
}
secret!(AnyKeys { keys, rounds });

impl AnyKeys {
    /// Of the cipher: round keys 0 to the last, at most fifteen.
    #[inline(always)]
    pub fn of(keys: &[Block]) -> Self {
        filled(|it: &mut Self| it.fill(keys))
    }

    /// The same, where the keys are to be.
    #[inline(never)]
    pub fn fill(&mut self, keys: &[Block]) {
        if let [front @ .., last] = keys {
            self.fill_inverse(front);
            self.keys[LAST] = *last;
            self.rounds = front.len() as u32;
        }
    }

    /// Of the inverse cipher: the middle round keys, at most fourteen.
    #[inline(never)]
    pub fn fill_inverse(&mut self, keys: &[Block]) {
        for (to, from) in self.keys.iter_mut().zip(keys) {
            *to = *from;
        }
    }
}

impl Wipe for AnyKeys {
    fn wipe(&mut self) {
        erase(self);
    }
}

impl Schedule for AnyKeys {
    const ROUNDS: usize = LAST;
    fn zeroed() -> Self {
        filled(|_: &mut Self| {})
    }
    #[inline(always)]
    fn rounds(&self) -> usize {
        self.rounds as usize
    }
    #[inline(always)]
    fn key(&self, r: usize) -> &Block {
        &self.keys[r]
    }
    fn keys(&self) -> &[Block] {
        &self.keys
    }
    fn keys_mut(&mut self) -> &mut [Block] {
        &mut self.keys
    }
}

/// The AES with a key of any size, already expanded.
#[derive(Clone, Copy, Debug)]
pub struct AnyAes;
impl sealed::Sealed for AnyAes {}
impl Aes for AnyAes {
    const KEY_LEN: usize = 32;
    const ROUNDS: usize = LAST;
    const NAME: &'static str = "AES";
    type Key = [u8; 32];
    type Enc = AnyKeys;
    type Dec = AnyKeys;
}
