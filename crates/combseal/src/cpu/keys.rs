//! Round keys: their schedules, and the ways a register gets its key.
//!
//! A mode's masks travel as round keys: OCB's `E(P ^ D) ^ D` is an AES whose
//! first and last keys are `rk ^ D`, so no backend needs an extra XOR for them.

use super::backend::{Aes, Backend, Invertible, Keys, Schedule, sealed};
use super::bytes::Block;
use crate::memory::blank::{blank, erase};
use crate::memory::wipe::Wipe;

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
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        false
    }
    #[inline(always)]
    fn set_rounds(&mut self, rounds: usize) {
        debug_assert_eq!(rounds, Self::ROUNDS);
    }
}
impl Invertible for [Block; 11] {
    type Inverse = [Block; 9];
}

/// The round keys of AES-256, or those of AES-192 in the same places.
///
/// AES-192 does the same with two rounds fewer, and hardly anyone uses it. So no code is made for it: it goes by
/// that of AES-256, which leaves out rounds 1 and 2 if told so (how long a key is, is public). AES-192's keys 1 to 11 are in places
/// 3 to 13 and its last in place 14, which is the last one's of AES-256; places 1 and 2 are zero. These two of all, since ARM's
/// instructions take a round's key before the round: then the last round's is the same for both.
// A byte behind the keys, not aligned: with a block more, GCM's keys would take a cache line more. What follows in a struct
// would so begin in the middle of a block, and round keys be read across two cache lines: OCB3 and SIV therefore fill up
// (`At16`, `At64`), others put what comes in blocks before it.
#[derive(Clone)]
#[repr(C)]
pub struct UpTo14 {
    keys: [Block; 15],
    /// One if these are AES-192's, else zero.
    leaves_out_two: u8,
}
blank!(UpTo14 { keys, leaves_out_two });

impl Wipe for UpTo14 {
    #[inline]
    fn wipe(&mut self) {
        erase(self);
    }
}
impl Schedule for UpTo14 {
    const ROUNDS: usize = 14;
    #[inline(always)]
    fn zeroed() -> Self {
        Self { keys: [[0; 16]; 15], leaves_out_two: 0 }
    }
    #[inline(always)]
    fn key(&self, r: usize) -> &Block {
        &self.keys[r]
    }
    #[inline(always)]
    fn keys(&self) -> &[Block] {
        &self.keys
    }
    #[inline(always)]
    fn keys_mut(&mut self) -> &mut [Block] {
        &mut self.keys
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.leaves_out_two != 0
    }
    #[inline(always)]
    fn set_rounds(&mut self, rounds: usize) {
        self.leaves_out_two = u8::from(rounds == 12);
        if rounds == 12 {
            self.keys[14] = self.keys[12];
            self.keys.copy_within(1..12, 3);
            [self.keys[1], self.keys[2]] = [[0; 16]; 2];
        }
    }
}
impl Invertible for UpTo14 {
    type Inverse = [Block; 13];
}

macro_rules! sizes {
    ($($name:ident, $text:literal, $bytes:literal, $rounds:literal, $schedule:ty;)*) => {$(
        #[doc = concat!($text, ": ", $bytes, "-byte keys, ", $rounds, " rounds (FIPS 197).")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl Aes for $name {
            const KEY_LEN: usize = $bytes;
            const ROUNDS: usize = $rounds;
            const NAME: &'static str = $text;
            type Key = [u8; $bytes];
            type Enc = $schedule;
            type Dec = <$schedule as Invertible>::Inverse;
        }
    )*};
}
sizes! {
    Aes128, "AES-128", 16, 10, [Block; 11];
    Aes192, "AES-192", 24, 12, UpTo14;
    Aes256, "AES-256", 32, 14, UpTo14;
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
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.0.leaves_out_two()
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
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.0.leaves_out_two()
    }
}
