//! The software tiers of wide registers, for CPUs that have AVX2 or AVX-512 and no instructions for
//! the AES: registers as the hardware tiers', the cipher and the products of `soft/`.
//!
//! Only kernels that gain much by it are made for them ([`Kernel::ON_WIDE_SOFT`]); what is serial, and
//! all others, goes as on the tier of one block a register, whose round keys these have too.

use super::ops;
use crate::cpu::backend::{Aes, Backend, Door, Interleave, Kernel, Keys, first_round};
use crate::cpu::bytes::{Block, equal};
use crate::cpu::soft::{GROUP, Soft, avx2, avx512};
use crate::memory::stack::clear_stack;
use zeroize::optimization_barrier;

/// Bytes of the stack below a door that are zeroed when its kernel is done, as on the tier of one block
/// a register (`soft/backend.rs`), and three times as many: registers are two and four times as long, but of
/// the longest a kernel has half as many in flight. `tests/memory/stack.rs` finds nothing further down.
const CLEARED: usize = 24 << 10;

/// A kernel in a frame of its own, which is below the door's. Like the door it is the kernel's
/// function: see [`Door`].
trait Apart<B: Backend>: Kernel {
    /// # Safety
    /// As for [`Door::door`].
    unsafe fn apart(self) -> Self::Out;
}

macro_rules! bitsliced {
    (
        $(#[$doc:meta])*
        $name:ident, ops::$ops:ident, $calls:ident, blocks $blocks:literal, roomy $roomy:literal, pipe $pipe:literal,
        two $two:ident, [$($feature:tt),*], $enable:literal
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name(());

        impl $name {
            detect!($($feature),*);

            /// The cipher or its inverse (`DEC`), with keys for `N` registers; between the first and the
            /// last are `M`, of each `EACH`: one for all registers or one for each.
            #[inline(always)]
            fn keyed<K: Keys<Self>, const N: usize, const M: usize, const EACH: usize, const DEC: bool>(
                self,
                k: &K,
                x: &mut [ops::$ops::V; N],
            ) {
                let mut keys = ([self.zero(); N], [[self.zero(); EACH]; M], [self.zero(); N]);
                for j in 0..N {
                    keys.0[j] = k.get(self, 0, j);
                    keys.2[j] = k.get(self, M + 1, j);
                }
                for r in 0..M {
                    for j in 0..EACH {
                        keys.1[r][j] = k.get(self, r + 1, j);
                    }
                }
                let first = first_round(k.leaves_out_two());
                let (middle, rounds) = (keys.1[first - 1..].as_flattened(), M + 2 - first);
                if K::SHARED {
                    // SAFETY: `self` exists only where `detect` found the instructions.
                    unsafe { $calls::cipher::<DEC, false>(x, &keys.0, middle, &keys.2, rounds) };
                } else {
                    // SAFETY: as above.
                    unsafe { $calls::cipher::<DEC, true>(x, &keys.0, middle, &keys.2, rounds) };
                }
                // A whole schedule, laid out in memory for a call: see `wipe.rs`.
                keys = ([self.zero(); N], [[self.zero(); EACH]; M], [self.zero(); N]);
                optimization_barrier(&keys);
            }

            /// A call, of which there is one for each kind of keys: a kernel calls it in many places.
            // Sound as a call: the function has the instructions by its own attribute, the registers are passed
            // by reference, so that no ABI of vectors is asked for, and its callers hold `self`.
            #[target_feature(enable = $enable)]
            #[inline(never)]
            fn run<K: Keys<Self>, const N: usize, const DEC: bool>(self, k: &K, x: &mut [ops::$ops::V; N]) {
                if K::SHARED {
                    match K::ROUNDS {
                        10 => self.keyed::<K, N, 9, 1, DEC>(k, x),
                        14 => self.keyed::<K, N, 13, 1, DEC>(k, x),
                        _ => unreachable!("schedules have 10 rounds or 14"),
                    }
                } else {
                    match K::ROUNDS {
                        10 => self.keyed::<K, N, 9, N, DEC>(k, x),
                        14 => self.keyed::<K, N, 13, N, DEC>(k, x),
                        _ => unreachable!("schedules have 10 rounds or 14"),
                    }
                }
            }

            /// What the hardware tiers do between the rounds, before them.
            // Sound as a call for the reasons of `run`.
            #[target_feature(enable = $enable)]
            #[inline(never)]
            fn before<W: Interleave<Self>>(self, work: &mut W, rounds: usize) {
                for r in 1..rounds {
                    work.step(self, r);
                }
            }

            /// One round of each register.
            #[inline(always)]
            fn rounds<const N: usize, const LAST: bool>(
                self,
                mut x: [ops::$ops::V; N],
                k: [ops::$ops::V; N],
            ) -> [ops::$ops::V; N] {
                let mut at = 0;
                while at < N {
                    let n = GROUP.min(N - at);
                    let mut g = [self.zero(); GROUP];
                    g[..n].copy_from_slice(&x[at..at + n]);
                    // SAFETY: as in `keyed`.
                    unsafe { $calls::round::<LAST>(&mut g) };
                    for j in 0..n {
                        x[at + j] = self.xor(g[j], k[at + j]);
                    }
                    at += n;
                }
                x
            }
        }

        // SAFETY, of every `unsafe` block below: `self` exists only where
        // `detect` found the instructions, and a pointer comes from a slice
        // that was just cut to, or checked against, the register's length, or from an
        // array of which the operation reads no more than there is.
        #[allow(clippy::undocumented_unsafe_blocks)]
        impl Backend for $name {
            type V = ops::$ops::V;
            type One = Soft;
            type Two = $two;
            type Wide = Self;
            const BLOCKS: usize = $blocks;
            const ROOMY: bool = $roomy;
            const TOGETHER: bool = true;
            const HARDWARE: bool = false;
            const WIDE_SOFT: bool = true;

            #[inline(always)]
            fn one(self) -> Soft {
                Soft::TOKEN
            }
            #[inline(always)]
            fn two(self) -> $two {
                $two(())
            }
            #[inline(always)]
            fn wide(self) -> Self {
                self
            }
            registers!($ops, $blocks);
            #[inline(always)]
            fn clmul<const IMM: i32>(self, a: Self::V, b: Self::V) -> Self::V {
                let mut product = a;
                unsafe { $calls::clmul::<IMM>(&mut product, &b) };
                product
            }
            #[inline(always)]
            fn pin(self, v: Self::V) -> Self::V {
                unsafe { ops::$ops::pin(v) }
            }
            #[inline(always)]
            fn round<const N: usize>(self, x: [Self::V; N], k: [Self::V; N]) -> [Self::V; N] {
                self.rounds::<N, false>(x, k)
            }
            #[inline(always)]
            fn last_round<const N: usize>(self, x: [Self::V; N], k: [Self::V; N]) -> [Self::V; N] {
                self.rounds::<N, true>(x, k)
            }
            #[inline(always)]
            fn encrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [Self::V; N]) {
                unsafe { self.run::<K, N, false>(k, x) }
            }
            #[inline(always)]
            fn encrypt_interleaved<K: Keys<Self>, W: Interleave<Self>, const N: usize>(
                self,
                k: &K,
                x: &mut [Self::V; N],
                work: &mut W,
            ) {
                unsafe { self.before(work, K::ROUNDS) };
                self.encrypt(k, x);
            }
            #[inline(always)]
            fn decrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [Self::V; N]) {
                unsafe { self.run::<K, N, true>(k, x) }
            }
            #[inline(always)]
            fn expand<A: Aes>(self, key: &[u8], enc: &mut A::Enc) {
                self.one().expand::<A>(key, enc);
            }
            #[inline(always)]
            fn invert<A: Aes>(self, enc: &A::Enc, dec: &mut A::Dec) {
                self.one().invert::<A>(enc, dec);
            }
        }

        impl<K: Kernel> Apart<$name> for K {
            #[target_feature(enable = $enable)]
            #[inline(never)]
            unsafe fn apart(self) -> K::Out {
                self.run::<$name, $pipe>($name(()))
            }
        }

        impl<K: Kernel> Door<$name> for K {
            unsafe fn door(self) -> K::Out {
                // SAFETY: the caller's promise.
                let out = unsafe { Apart::<$name>::apart(self) };
                clear_stack::<CLEARED>();
                out
            }
        }
    };
}

bitsliced!(
    /// AVX2: Haswell and Zen, where the AES is withheld from a virtual machine, say.
    Soft256, ops::x2, avx2, blocks 2, roomy false, pipe 8, two Soft256, ["avx", "avx2"], "avx,avx2"
);
bitsliced!(
    /// AVX-512: half as many registers to a group of counter mode, whose hash has powers for so many
    /// blocks.
    Soft512, ops::x4, avx512, blocks 4, roomy true, pipe 4, two Soft256,
    ["avx", "avx2", "avx512f", "avx512bw", "avx512vl"], "avx,avx2,avx512f,avx512bw,avx512vl"
);
