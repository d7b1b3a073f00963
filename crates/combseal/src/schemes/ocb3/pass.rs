//! One pass through the cipher: registers side by side, with offsets for round keys.
//!
//! `E(M ^ D) ^ D` is one AES whose first and last keys are `rk ^ D`, so [`Masked`] gives
//! the cipher those keys, and the offsets cost no XOR of their own on the critical path.

use crate::cpu::{Backend, Keys};

/// The register with one block.
pub(super) type One<B> = <<B as Backend>::One as Backend>::V;

/// What goes through the cipher side by side: the registers, and what is added to each of
/// them before and behind.
pub(super) struct Pass<B: Backend, const N: usize> {
    pub x: [B::V; N],
    pub first: [B::V; N],
    pub last: [B::V; N],
}

impl<B: Backend, const N: usize> Pass<B, N> {
    #[inline(always)]
    pub fn new(b: B) -> Self {
        let none = [b.zero(); N];
        Self { x: none, first: none, last: none }
    }
}

/// The cipher or its inverse.
#[inline(always)]
pub(super) fn crypt<B: Backend, K: Keys<B>, const N: usize, const SEAL: bool>(b: B, keys: &K, x: &mut [B::V; N]) {
    if SEAL {
        b.encrypt(keys, x);
    } else {
        b.decrypt(keys, x);
    }
}

/// Round keys with a mask for each register: before and behind.
pub(super) struct Masked<B: Backend, K, const N: usize> {
    pub keys: K,
    pub first: [B::V; N],
    pub last: [B::V; N],
}
impl<B: Backend, K: Keys<B>, const N: usize> Keys<B> for Masked<B, K, N> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = self.keys.get(b, r, j);
        if r == 0 {
            b.xor(key, self.first[j])
        } else if r == K::ROUNDS {
            b.xor(key, self.last[j])
        } else {
            key
        }
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.keys.leaves_out_two()
    }
}
