//! Zeroing that the compiler may not leave out, at the speed of `memset`: the
//! `zeroize` crate's own loops write a byte at a time, which for a key of 700
//! bytes costs more than its set-up. Its barrier is what keeps the writes.
//!
//! The rule for locals: an array that holds what is made of a key, or of a key and a
//! nonce to serve as a key (master keys, round keys, subkeys, hash keys and their powers,
//! derived keys, Ktop and the first offsets from it), is wiped before its function returns.
//! Not wiped are registers, single numbers among them, what the compiler spills of them,
//! values that are returned, and what belongs to one message (its pads and key stream,
//! of which Poly1305's one-time key is the first block, counters, chaining values,
//! checksums, tags). A chaining value that is still what its key
//! put there (EAX's begin so) is the key's, and copies of it are wiped.
//!
//! An array of a backend's registers (`[B::V; N]`) counts as registers, powers of a hash key
//! and round keys among them: on hardware the compiler keeps it there, or spills it, or is told
//! to read it from memory (`Backend::by_memory`). On the
//! software tier a kernel's registers are memory, since its operations are calls: there the
//! door zeroes the stack that the kernel had, 8 KiB deep (`stack.rs`, `cpu/soft/backend.rs`), on the wide
//! software tiers 24 KiB (`cpu/x86/bitsliced.rs`). The models are exempt: they are for tests.

use zeroize::optimization_barrier;

/// Key material that can be wiped.
pub trait Wipe {
    /// Zeroes all of it.
    fn wipe(&mut self);
}

impl Wipe for [u8] {
    #[inline]
    fn wipe(&mut self) {
        self.fill(0);
        optimization_barrier(self);
    }
}

impl Wipe for [u32] {
    #[inline]
    fn wipe(&mut self) {
        self.fill(0);
        optimization_barrier(self);
    }
}

impl<const N: usize> Wipe for [[u8; 16]; N] {
    #[inline]
    fn wipe(&mut self) {
        *self = [[0; 16]; N];
        optimization_barrier(self);
    }
}

macro_rules! plain {
    ($($t:ty),*) => {$(
        impl Wipe for $t {
            #[inline]
            fn wipe(&mut self) {
                *self = <$t>::default();
                optimization_barrier(self);
            }
        }
    )*};
}
plain!(u64, u128, [u8; 16], [u32; 16]);
