//! Round keys: their schedules, and the ways a register gets its key.
//!
//! A mode's masks travel as round keys: OCB's `E(P ^ D) ^ D` is an AES whose
//! first and last keys are `rk ^ D`, so no backend needs an extra XOR for them.

use super::{Backend, Block};
use crate::memory::blank::Blank;
use crate::memory::wipe::Wipe;

mod sealed {
    pub trait Sealed {}
}

/// An array of round keys.
pub trait Schedule: Wipe + Blank + Clone + Send + Sync + 'static {
    /// How many rounds.
    const ROUNDS: usize;
    /// All zero, to be filled.
    fn zeroed() -> Self;
    /// Key `r`.
    fn key(&self, r: usize) -> &Block;
    /// All keys.
    fn keys(&self) -> &[Block];
    /// All keys.
    fn keys_mut(&mut self) -> &mut [Block];
}

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

/// A size of the AES.
pub trait Aes: sealed::Sealed + Copy + Send + Sync + 'static {
    /// Bytes in a key: 16, 24 or 32.
    const KEY_LEN: usize;
    /// Rounds: 10, 12 or 14.
    const ROUNDS: usize;
    /// The name, as in "AES-128".
    const NAME: &'static str;
    /// The key in bytes.
    type Key: AsRef<[u8]> + AsMut<[u8]> + Clone;
    /// Round keys 0 to `ROUNDS`.
    type Enc: Schedule;
    /// Middle round keys of the inverse cipher, `ROUNDS - 1` of them.
    type Dec: Schedule;
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

/// Where round key `r` of register `j` comes from, in the order of use.
///
/// Key 0 is added before the first round and key `ROUNDS` after the last; both
/// are plain blocks, so a mode may add its masks to them. The keys between are
/// as the backend's `expand` and `invert` left them.
pub trait Keys<B: Backend> {
    /// How many rounds.
    const ROUNDS: usize;
    /// Whether the middle keys are the same for every register and lane.
    const SHARED: bool;
    /// Whether the registers must go through the rounds together: where one chain of
    /// rounds follows another, the compiler may put them one after the other, and
    /// the CPU does not look far enough ahead to overlap eight of them.
    const TIED: bool = false;
    /// Key `r` of register `j`.
    fn get(&self, b: B, r: usize, j: usize) -> B::V;
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
