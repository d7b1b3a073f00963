//! What the states of AEGIS have in common: constants, contexts, the nonce's blocks, and
//! what the scheme asks of each.

use crate::cpu::{Backend, Block, narrow_load};

/// The Fibonacci numbers modulo 256, C0 || C1 (v1.1, 2.1).
pub static C: [Block; 2] = [
    [0x00, 0x01, 0x01, 0x02, 0x03, 0x05, 0x08, 0x0d, 0x15, 0x22, 0x37, 0x59, 0x90, 0xe9, 0x79, 0x62],
    [0xdb, 0x3d, 0x18, 0x55, 0x6d, 0xc2, 0x2f, 0xf1, 0x20, 0x11, 0x31, 0x42, 0x73, 0xb5, 0x28, 0xdd],
];

/// The state of AEGIS on backend `B`: each word in `R` registers. `K` is the number of blocks
/// in a key and in a nonce; `W` the number of registers that one update absorbs: `R` for its
/// first block of each lane, and `R` for its second if there is one.
pub trait State<B: Backend, const K: usize, const R: usize, const W: usize>: Copy {
    /// Init: key and nonce of each lane mixed by the first updates.
    fn new(b: B, key: [[B::V; R]; K], nonce: [[B::V; R]; K]) -> Self;
    /// The key stream that goes with the next `W` registers.
    fn stream(self, b: B) -> [B::V; W];
    /// Update: one AES round of each word, the message `m ^ late` XORed in.
    /// `m` goes in as AESENC's key and must be there before it; `late` behind it.
    fn update(self, b: B, m: [B::V; W], late: [B::V; W]) -> Self;
    /// The seven updates of Finalize. `lengths` is le64(bits of A) || le64(bits of M).
    fn finish(self, b: B, lengths: [B::V; R]) -> Self;
    /// What each lane of a finished state adds to the 16-byte tag.
    fn tag128(self, b: B) -> [B::V; R];
    /// What each lane of a finished state adds to the halves of the 32-byte tag.
    fn tag256(self, b: B) -> [[B::V; R]; 2];
    /// `self` where `mask` has ones, `other` where it has zeros.
    fn select(self, b: B, other: Self, mask: [B::V; R]) -> Self;
}

/// The lanes of a word's registers added up.
#[inline(always)]
pub fn fold<B: Backend, const R: usize>(b: B, v: [B::V; R]) -> <B::One as Backend>::V {
    let mut sum = v[0];
    for j in 1..R {
        sum = b.xor(sum, v[j]);
    }
    b.fold(sum)
}

/// `v`, a word of one of several states: they go through their updates together, where LLVM
/// would put all of one's before those of the next, farther than the CPU looks ahead.
#[inline(always)]
pub fn in_turn<B: Backend>(b: B, v: B::V) -> B::V {
    b.hold(b.pin(v))
}

/// `a` where `mask` has ones, `b` where it has zeros.
#[inline(always)]
pub fn choose<B: Backend>(on: B, a: B::V, b: B::V, mask: B::V) -> B::V {
    on.xor(b, on.and(on.xor(a, b), mask))
}

/// The context block of each of `D` states (draft, 5.1): its number, `D - 1`,
/// and zeros. All zero, and so without effect, for one state.
pub const fn contexts<const D: usize>() -> [Block; D] {
    let mut t = [[0; 16]; D];
    let mut i = 0;
    while i < D {
        t[i][0] = i as u8;
        t[i][1] = D as u8 - 1;
        i += 1;
    }
    t
}

/// A block of the nonce, in narrow loads: the sender has just counted in it, and
/// a load wider than that store would keep this message from overlapping with
/// the one before.
#[inline(always)]
pub fn nonce_block(n: &Block) -> Block {
    let (words, _) = n.as_chunks::<4>();
    let word = |i: usize| u32::from_le_bytes(narrow_load(&words[i])) as u64;
    let (low, high) = (word(0) | word(1) << 32, word(2) | word(3) << 32);
    (low as u128 | (high as u128) << 64).to_le_bytes()
}
