//! The ARMv8 backends: tokens over `ops.rs`, one macro and a use for each tier. Both have registers
//! of one block; they differ in what the compiler may use.
//!
//! AESE adds the key before it substitutes, where AESENC adds it behind. So key 0, with the mask that
//! it carries, goes into the first AESE, and the last key alone is an EOR; no round takes an
//! instruction more than AESE and AESMC, which most cores run as one.
//!
//! All registers go through the rounds together here, whatever [`Keys::IN_STEP`] says: left alone, the
//! compiler loaded all round keys at once, had no registers left, and took two blocks through all
//! rounds before the other six. Loads do not pass what is pinned, so that a round key is there for its
//! round alone, and the work between rounds stays between them.
#![allow(unsafe_code)]

mod detect;
mod expand;
mod ops;

use super::backend::{Aes, Backend, Door, Interleave, Kernel, Keys, rarely};
use super::bytes::{Block, equal};

/// `body` for each round from 1 on, written out, since two instructions a block and round are
/// more than the compiler unrolls from AES-192 on.
macro_rules! each_round {
    ($r:ident in $from:expr, $end:expr, $body:block) => { each_round!($r, $from, $end, $body, 1 2 3 4 5 6 7 8 9 10 11 12 13) };
    ($r:ident, $from:expr, $end:expr, $body:block, $($n:literal)*) => {{$(
        if $n >= $from && $n < $end {
            let $r = $n;
            $body
        }
    )*}};
}

/// The same where all registers take one key, and else a loop, as the compiler likes it: keys of their
/// own are loaded anew for each register and round, however the rounds are written.
macro_rules! all_rounds {
    ($r:ident in $from:expr, $end:expr, $keys:ident, $body:block) => {
        if $keys::SHARED {
            each_round!($r in $from, $end, $body)
        } else {
            for $r in $from..$end $body
        }
    };
}

macro_rules! backend {
    ($(#[$doc:meta])* $name:ident, $tier:literal, $enable:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name(());

        impl $name {
            /// A round of the cipher or, `DEC`, of its inverse.
            #[inline(always)]
            fn one_round<const DEC: bool>(self, x: ops::V, k: ops::V) -> ops::V {
                // SAFETY: `self` exists only where `detect` found the instructions.
                self.pin(unsafe { if DEC { ops::dec(x, k) } else { ops::enc(x, k) } })
            }
            /// Rounds `from` to `to - 1`, each with the key of the round before it.
            #[inline(always)]
            fn rounds<K: Keys<Self>, const N: usize, const DEC: bool>(
                self,
                k: &K,
                x: &mut [ops::V; N],
                from: usize,
                to: usize,
            ) {
                all_rounds!(r in from, to, K, {
                    for j in 0..N {
                        x[j] = self.one_round::<DEC>(x[j], k.get(self, r - 1, j));
                    }
                });
            }
            /// The last round, and the last key behind it.
            #[inline(always)]
            fn last<K: Keys<Self>, const N: usize, const DEC: bool>(self, k: &K, x: &mut [ops::V; N]) {
                for j in 0..N {
                    let key = k.get(self, K::ROUNDS - 1, j);
                    // SAFETY: `self` exists only where `detect` found the instructions.
                    x[j] = unsafe { if DEC { ops::declast(x[j], key) } else { ops::last(x[j], key) } };
                    x[j] = self.xor(x[j], k.get(self, K::ROUNDS, j));
                }
            }
            /// [`Backend::encrypt`] or, `DEC`, [`Backend::decrypt`].
            #[inline(always)]
            fn cipher<K: Keys<Self>, const N: usize, const DEC: bool>(self, k: &K, x: &mut [ops::V; N]) {
                if K::ROUNDS == 14 {
                    self.rounds::<K, N, DEC>(k, x, 1, 2);
                    if k.leaves_out_two() {
                        rarely();
                    } else {
                        self.rounds::<K, N, DEC>(k, x, 2, 4);
                    }
                    self.rounds::<K, N, DEC>(k, x, 4, K::ROUNDS);
                } else {
                    self.rounds::<K, N, DEC>(k, x, 1, K::ROUNDS);
                }
                self.last::<K, N, DEC>(k, x);
            }
            /// The same with other work between its rounds.
            #[inline(always)]
            fn cipher_interleaved<K: Keys<Self>, W: Interleave<Self>, const N: usize, const DEC: bool>(
                self,
                k: &K,
                x: &mut [ops::V; N],
                work: &mut W,
            ) {
                let less = k.leaves_out_two();
                each_round!(r in 1, K::ROUNDS, {
                    if K::ROUNDS == 14 && matches!(r, 2 | 3) && less {
                        rarely();
                    } else {
                        for j in 0..N {
                            x[j] = self.one_round::<DEC>(x[j], k.get(self, r - 1, j));
                        }
                    }
                    work.step(self, r);
                });
                self.last::<K, N, DEC>(k, x);
            }
        }

        // SAFETY, of every `unsafe` block below: `self` exists only where
        // `detect` found the instructions, and a pointer comes from a slice
        // that was just cut to, or checked against, the register's length, or from an
        // array of which the operation reads no more than there is.
        #[allow(clippy::undocumented_unsafe_blocks)]
        impl Backend for $name {
            type V = ops::V;
            type One = Self;
            type Two = Self;
            type Wide = Self;
            const BLOCKS: usize = 1;
            const ROOMY: bool = true;

            #[inline(always)]
            fn one(self) -> Self {
                self
            }
            #[inline(always)]
            fn two(self) -> Self {
                self
            }
            #[inline(always)]
            fn wide(self) -> Self {
                self
            }
            #[inline(always)]
            fn load(self, src: &[u8]) -> Self::V {
                unsafe { ops::load(src[..16].as_ptr()) }
            }
            #[inline(always)]
            fn store(self, dst: &mut [u8], v: Self::V) {
                unsafe { ops::store(dst[..16].as_mut_ptr(), v) }
            }
            #[inline(always)]
            fn load_part(self, src: &[u8]) -> Self::V {
                unsafe { ops::load_part(src.as_ptr(), src.len().min(16)) }
            }
            #[inline(always)]
            fn store_part(self, dst: &mut [u8], v: Self::V) {
                unsafe { ops::store_part(dst.as_mut_ptr(), dst.len().min(16), v) }
            }
            #[inline(always)]
            fn begins(self, v: Self::V, tag: &[u8]) -> bool {
                // The usual length apart: it needs no memory, and the comparison is what comes
                // last of a message.
                if let Ok(tag) = <&Block>::try_from(tag) {
                    return unsafe { ops::is_zero(ops::xor(v, ops::load(tag.as_ptr()))) };
                }
                self.block(v).get(..tag.len()).is_some_and(|it| equal(it, tag))
            }
            #[inline(always)]
            fn keep(self, v: Self::V, n: usize) -> Self::V {
                unsafe { ops::keep(v, n) }
            }
            #[inline(always)]
            fn splat(self, b: &Block) -> Self::V {
                unsafe { ops::load(b.as_ptr()) }
            }
            #[inline(always)]
            fn widen(self, v: Self::V) -> Self::V {
                v
            }
            #[inline(always)]
            fn fold(self, v: Self::V) -> Self::V {
                v
            }
            #[inline(always)]
            fn with_top(self, _: Self::V, top: Self::V) -> Self::V {
                top
            }
            #[inline(always)]
            fn top(self, v: Self::V) -> Self::V {
                v
            }
            #[inline(always)]
            fn join(self, lanes: [Self::V; 4]) -> Self::V {
                lanes[0]
            }
            #[inline(always)]
            fn split(self, v: Self::V) -> [Self::V; 4] {
                [v; 4]
            }
            #[inline(always)]
            fn zero(self) -> Self::V {
                unsafe { ops::zero() }
            }
            #[inline(always)]
            fn xor(self, a: Self::V, b: Self::V) -> Self::V {
                unsafe { ops::xor(a, b) }
            }
            #[inline(always)]
            fn and(self, a: Self::V, b: Self::V) -> Self::V {
                unsafe { ops::and(a, b) }
            }
            #[inline(always)]
            fn or(self, a: Self::V, b: Self::V) -> Self::V {
                unsafe { ops::or(a, b) }
            }
            #[inline(always)]
            fn rev(self, v: Self::V) -> Self::V {
                unsafe { ops::rev(v) }
            }
            #[inline(always)]
            fn swap(self, v: Self::V) -> Self::V {
                unsafe { ops::swap(v) }
            }
            #[inline(always)]
            fn mixed(self, a: Self::V, b: Self::V) -> Self::V {
                unsafe { ops::mixed(a, b) }
            }
            #[inline(always)]
            fn shl64(self, v: Self::V, n: u32) -> Self::V {
                unsafe { ops::shl64(v, n) }
            }
            #[inline(always)]
            fn shr64(self, v: Self::V, n: u32) -> Self::V {
                unsafe { ops::shr64(v, n) }
            }
            #[inline(always)]
            fn shl64_lanes(self, v: Self::V, n: Self::V) -> Self::V {
                unsafe { ops::shl64_lanes(v, n) }
            }
            #[inline(always)]
            fn shr64_lanes(self, v: Self::V, n: Self::V) -> Self::V {
                unsafe { ops::shr64_lanes(v, n) }
            }
            #[inline(always)]
            fn double(self, v: Self::V) -> Self::V {
                unsafe { ops::double(v) }
            }
            #[inline(always)]
            fn add32(self, a: Self::V, b: Self::V) -> Self::V {
                unsafe { ops::add32(a, b) }
            }
            #[inline(always)]
            fn add64(self, a: Self::V, b: Self::V) -> Self::V {
                unsafe { ops::add64(a, b) }
            }
            #[inline(always)]
            fn add128(self, a: Self::V, n: Self::V) -> Self::V {
                unsafe { ops::add128(a, n) }
            }
            #[inline(always)]
            fn rol32<const N: i32>(self, v: Self::V) -> Self::V {
                unsafe { ops::rol32::<N>(v) }
            }
            #[inline(always)]
            fn shl32<const N: i32>(self, v: Self::V) -> Self::V {
                unsafe { ops::shl32::<N>(v) }
            }
            #[inline(always)]
            fn shr32<const N: i32>(self, v: Self::V) -> Self::V {
                unsafe { ops::shr32::<N>(v) }
            }
            #[inline(always)]
            fn funnel64(self, high: Self::V, low: Self::V, n: u32) -> Self::V {
                unsafe { ops::funnel64(high, low, n) }
            }
            #[inline(always)]
            fn funnel32(self, high: Self::V, low: Self::V, n: u32) -> Self::V {
                unsafe { ops::funnel32(high, low, n) }
            }
            #[inline(always)]
            fn funnel16(self, high: Self::V, low: Self::V, n: u32) -> Self::V {
                unsafe { ops::funnel16(high, low, n) }
            }
            #[inline(always)]
            fn lookup16(self, table: &[u32; 16], index: Self::V) -> Self::V {
                unsafe { ops::lookup16(table, index) }
            }
            #[inline(always)]
            fn permute(self, v: Self::V, from: &Block) -> Self::V {
                unsafe { ops::permute(v, from.as_ptr()) }
            }
            #[inline(always)]
            fn transpose32(self, v: [Self::V; 4]) -> [Self::V; 4] {
                unsafe { ops::transpose32(v) }
            }
            #[inline(always)]
            fn transpose128(self, v: [Self::V; 4]) -> [Self::V; 4] {
                v
            }
            #[inline(always)]
            fn splat32(self, w: u32) -> Self::V {
                unsafe { ops::splat32(w) }
            }
            #[inline(always)]
            fn splat64(self, w: u64) -> Self::V {
                unsafe { ops::splat64(w) }
            }
            #[inline(always)]
            fn turn32<const N: usize>(self, v: Self::V) -> Self::V {
                unsafe {
                    match N % 4 {
                        1 => ops::turn32::<1>(v),
                        2 => ops::turn32::<2>(v),
                        3 => ops::turn32::<3>(v),
                        _ => v,
                    }
                }
            }
            #[inline(always)]
            fn low_halves(self, a: Self::V, b: Self::V) -> Self::V {
                unsafe { ops::low_halves(a, b) }
            }
            #[inline(always)]
            fn high_halves(self, a: Self::V, b: Self::V) -> Self::V {
                unsafe { ops::high_halves(a, b) }
            }
            #[inline(always)]
            fn mul32(self, a: Self::V, b: Self::V) -> Self::V {
                unsafe { ops::mul32(a, b) }
            }
            #[inline(always)]
            fn clmul<const IMM: i32>(self, a: Self::V, b: Self::V) -> Self::V {
                unsafe { ops::clmul::<IMM>(a, b) }
            }
            #[inline(always)]
            fn pin(self, v: Self::V) -> Self::V {
                unsafe { ops::pin(v) }
            }
            #[inline(always)]
            fn at_once(self, v: Self::V) -> Self::V {
                self.pin(v)
            }
            // The key comes behind, so that the rounds of the AEGIS, whose keys are its state, take an EOR each.
            #[inline(always)]
            fn round<const N: usize>(self, mut x: [Self::V; N], k: [Self::V; N]) -> [Self::V; N] {
                for j in 0..N {
                    x[j] = self.xor(unsafe { ops::enc(x[j], ops::zero()) }, k[j]);
                }
                x
            }
            #[inline(always)]
            fn last_round<const N: usize>(self, mut x: [Self::V; N], k: [Self::V; N]) -> [Self::V; N] {
                for j in 0..N {
                    x[j] = self.xor(unsafe { ops::last(x[j], ops::zero()) }, k[j]);
                }
                x
            }
            #[inline(always)]
            fn encrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [Self::V; N]) {
                self.cipher::<K, N, false>(k, x);
            }
            #[inline(always)]
            fn encrypt_interleaved<K: Keys<Self>, W: Interleave<Self>, const N: usize>(
                self,
                k: &K,
                x: &mut [Self::V; N],
                work: &mut W,
            ) {
                self.cipher_interleaved::<K, W, N, false>(k, x, work);
            }
            #[inline(always)]
            fn decrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [Self::V; N]) {
                self.cipher::<K, N, true>(k, x);
            }
            #[inline(always)]
            fn decrypt_interleaved<K: Keys<Self>, W: Interleave<Self>, const N: usize>(
                self,
                k: &K,
                x: &mut [Self::V; N],
                work: &mut W,
            ) {
                self.cipher_interleaved::<K, W, N, true>(k, x, work);
            }
            #[inline(always)]
            fn expand<A: Aes>(self, key: &[u8], enc: &mut A::Enc) {
                unsafe { expand::expand::<A>(key, enc) }
                #[cfg(test)]
                crate::testing::broken($tier, super::backend::Schedule::keys_mut(enc));
            }
            #[inline(always)]
            fn invert<A: Aes>(self, enc: &A::Enc, dec: &mut A::Dec) {
                unsafe { expand::invert::<A>(enc, dec) }
            }
        }

        impl<K: Kernel> Door<$name> for K {
            #[target_feature(enable = $enable)]
            unsafe fn door(self) -> K::Out {
                self.run::<$name, 8>($name(()))
            }
        }
    };
}

backend!(
    /// AES, PMULL and NEON: nearly every core since the Cortex-A53, but not the Raspberry Pi's up to
    /// the fourth.
    ArmV8, "armv8", "neon,aes"
);
backend!(
    /// The same with FEAT_SHA3, of which XOR of three registers (EOR3) is what serves here: Apple's
    /// cores, Neoverse V1 and N2.
    ArmV8Sha3, "armv8sha3", "neon,aes,sha3"
);
