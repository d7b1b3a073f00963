//! Zeroing that the compiler may not leave out, at the speed of `memset`: the
//! `zeroize` crate's own loops write a byte at a time, which for a key of 700
//! bytes costs more than its set-up. Its barrier is what keeps the writes.
//!
//! The rule for locals: an array that holds what is made of a key, or of a key and a
//! nonce to serve as a key (master keys, round keys, subkeys, hash keys and their powers,
//! derived keys, Ktop), is wiped before its function returns. Registers, arrays of them in a
//! kernel among these, what the compiler spills of them, values that are returned, and what
//! belongs to one message (its pads and key stream, counters, chaining values, checksums, tags)
//! are not. On the software tier a kernel's registers are memory, since its operations are
//! calls: there the door zeroes the stack that the kernel had, 8 KiB deep
//! (`cpu/soft/backend.rs`).

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
