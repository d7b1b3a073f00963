//! Round keys: their schedules, and the ways a register gets its key.
//!
//! A mode's masks travel as round keys: OCB's `E(P ^ D) ^ D` is an AES whose
//! first and last keys are `rk ^ D`, so no backend needs an extra XOR for them.

use super::backend::{Aes, Backend, Keys, Schedule, sealed};
use super::bytes::Block;

impl<const RK: usize> Schedule for [Block; RK] {
    const ROUNDS: usize = RK - 1;
    #[inline(always)]
    fn zeroed() -> Self {
        [[0; 16]; RK]
    }
    #[inline(always)]
    fn key(&self, r: usize) -> &Block {
        &self[r]
    }
    #[inline(always)]
    fn keys(&self) -> &[Block] {
        self
    }
    #[inline(always)]
    fn keys_mut(&mut self) -> &mut [Block] {
        self
    }
}

macro_rules! sizes {
    ($($name:ident, $text:literal, $bytes:literal, $rounds:literal;)*) => {$(
        #[doc = concat!($text, ": ", $bytes, "-byte keys, ", $rounds, " rounds (FIPS 197).")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl Aes for $name {
            const KEY_LEN: usize = $bytes;
            const ROUNDS: usize = $rounds;
            const NAME: &'static str = $text;
            type Key = [u8; $bytes];
            type Enc = [Block; $rounds + 1];
            type Dec = [Block; $rounds - 1];
        }
    )*};
}
sizes! {
    Aes128, "AES-128", 16, 10;
    Aes192, "AES-192", 24, 12;
    Aes256, "AES-256", 32, 14;
}

/// One key for every lane.
pub struct Enc<'a, S>(pub &'a S);
impl<S> Clone for Enc<'_, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S> Copy for Enc<'_, S> {}
impl<B: Backend, S: Schedule> Keys<B> for Enc<'_, S> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, _: usize) -> B::V {
        b.splat(self.0.key(r))
    }
}

/// One key for every lane, for the inverse cipher.
pub struct Dec<'a, S, D>(pub &'a S, pub &'a D);
impl<S, D> Clone for Dec<'_, S, D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S, D> Copy for Dec<'_, S, D> {}
impl<B: Backend, S: Schedule, D: Schedule> Keys<B> for Dec<'_, S, D> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, _: usize) -> B::V {
        if r == 0 {
            b.splat(self.0.key(S::ROUNDS))
        } else if r == S::ROUNDS {
            b.splat(self.0.key(0))
        } else {
            b.splat(self.1.key(r - 1))
        }
    }
}
