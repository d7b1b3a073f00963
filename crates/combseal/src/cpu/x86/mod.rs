//! The x86 backends: tokens over `ops.rs`, one macro and a use for each tier.
#![allow(unsafe_code)]

mod expand;
mod ops;
#[cfg(all(test, feature = "std"))]
mod tests;

use super::backend::{Aes, Backend, Door, Interleave, Kernel, Keys, rarely};
use super::bytes::{Block, equal};

/// Whether the CPU has all of these, by the standard library.
#[cfg(feature = "std")]
macro_rules! has_by_std {
    ($($feature:tt),*) => { true $(&& std::arch::is_x86_feature_detected!($feature))* };
}

/// The same without it, by `cpufeatures`, which wants AVX-512's state for VAES.
#[cfg(any(not(feature = "std"), test))]
macro_rules! has_by_crate {
    ($($feature:tt),*) => {{
        cpufeatures::new!(features, $($feature),*);
        features::get()
    }};
}

/// A token's `detect`. Tests see both ways of asking (`cpu/x86/tests.rs`).
macro_rules! detect {
    ($($feature:tt),*) => {
        /// The token, where the CPU has the instructions.
        #[inline]
        pub fn detect() -> Option<Self> {
            #[cfg(feature = "std")]
            let has = has_by_std!($($feature),*);
            #[cfg(not(feature = "std"))]
            let has = has_by_crate!($($feature),*);
            if has { Some(Self(())) } else { None }
        }
        /// Whether the token is there if asked without the standard library.
        #[cfg(test)]
        pub fn is_there_without_std() -> bool {
            has_by_crate!($($feature),*)
        }
    };
}

/// `body` for each round from 1 on, written out, since it may be more than the
/// compiler unrolls.
macro_rules! each_round {
    ($r:ident < $end:expr, $body:block) => { each_round!($r, $end, $body, 1 2 3 4 5 6 7 8 9 10 11 12 13) };
    ($r:ident, $end:expr, $body:block, $($n:literal)*) => {$(
        if $n < $end {
            let $r = $n;
            $body
        }
    )*};
}

/// What a backend does with registers of `$blocks` blocks, the operations of `ops::$ops`: all but
/// the AES, products, and what tells one backend of such registers from another.
macro_rules! registers {
    ($ops:ident, $blocks:literal) => {
        #[inline(always)]
        fn load(self, src: &[u8]) -> Self::V {
            unsafe { ops::$ops::load(src[..16 * $blocks].as_ptr()) }
        }
        #[inline(always)]
        fn store(self, dst: &mut [u8], v: Self::V) {
            unsafe { ops::$ops::store(dst[..16 * $blocks].as_mut_ptr(), v) }
        }
        #[inline(always)]
        fn store_every_other(self, dst: &mut [u8], v: Self::V, odd: bool) {
            unsafe { ops::$ops::store_every_other(dst[..16 * $blocks].as_mut_ptr(), v, odd) }
        }
        #[inline(always)]
        fn load_part(self, src: &[u8]) -> Self::V {
            unsafe { ops::$ops::load_part(src.as_ptr(), src.len().min(16 * $blocks)) }
        }
        #[inline(always)]
        fn store_part(self, dst: &mut [u8], v: Self::V) {
            unsafe { ops::$ops::store_part(dst.as_mut_ptr(), dst.len().min(16 * $blocks), v) }
        }
        #[inline(always)]
        fn begins(self, v: Self::V, tag: &[u8]) -> bool {
            // The usual length apart: it needs no memory, and the comparison is what comes
            // last of a message.
            if let Ok(tag) = <&Block>::try_from(tag) {
                return unsafe { ops::is_zero(ops::x1::xor(self.split(v)[0], ops::x1::load(tag.as_ptr()))) };
            }
            self.block(v).get(..tag.len()).is_some_and(|it| equal(it, tag))
        }
        #[inline(always)]
        fn keep(self, v: Self::V, n: usize) -> Self::V {
            unsafe { ops::$ops::keep(v, n) }
        }
        #[inline(always)]
        fn splat(self, b: &Block) -> Self::V {
            unsafe { ops::$ops::splat(b.as_ptr()) }
        }
        #[inline(always)]
        fn widen(self, v: ops::__m128i) -> Self::V {
            unsafe { ops::$ops::widen(v) }
        }
        #[inline(always)]
        fn fold(self, v: Self::V) -> ops::__m128i {
            unsafe { ops::$ops::fold(v) }
        }
        #[inline(always)]
        fn with_top(self, v: Self::V, top: ops::__m128i) -> Self::V {
            unsafe { ops::$ops::with_top(v, top) }
        }
        // Two lanes are blended: to move a block between lanes (VINSERTI128) costs Zen 3 two cycles of OCB3's group.
        #[inline(always)]
        fn with_top_of(self, v: Self::V, all: Self::V) -> Self::V {
            self.with_top(v, if const { Self::BLOCKS == 2 } { self.top(all) } else { self.split(all)[0] })
        }
        #[inline(always)]
        fn top(self, v: Self::V) -> ops::__m128i {
            unsafe { ops::$ops::top(v) }
        }
        #[inline(always)]
        fn join(self, lanes: [ops::__m128i; 4]) -> Self::V {
            unsafe { ops::$ops::join(lanes) }
        }
        #[inline(always)]
        fn split(self, v: Self::V) -> [ops::__m128i; 4] {
            unsafe { ops::$ops::split(v) }
        }
        #[inline(always)]
        fn zero(self) -> Self::V {
            unsafe { ops::$ops::zero() }
        }
        #[inline(always)]
        fn xor(self, a: Self::V, b: Self::V) -> Self::V {
            unsafe { ops::$ops::xor(a, b) }
        }
        #[inline(always)]
        fn and(self, a: Self::V, b: Self::V) -> Self::V {
            unsafe { ops::$ops::and(a, b) }
        }
        #[inline(always)]
        fn or(self, a: Self::V, b: Self::V) -> Self::V {
            unsafe { ops::$ops::or(a, b) }
        }
        #[inline(always)]
        fn rev(self, v: Self::V) -> Self::V {
            unsafe { ops::$ops::rev(v) }
        }
        #[inline(always)]
        fn swap(self, v: Self::V) -> Self::V {
            unsafe { ops::$ops::swap(v) }
        }
        #[inline(always)]
        fn mixed(self, a: Self::V, b: Self::V) -> Self::V {
            unsafe { ops::$ops::mixed(a, b) }
        }
        #[inline(always)]
        fn shl64(self, v: Self::V, n: u32) -> Self::V {
            unsafe { ops::$ops::shl64(v, n) }
        }
        #[inline(always)]
        fn shr64(self, v: Self::V, n: u32) -> Self::V {
            unsafe { ops::$ops::shr64(v, n) }
        }
        #[inline(always)]
        fn shl64_lanes(self, v: Self::V, n: Self::V) -> Self::V {
            unsafe { ops::$ops::shl64_lanes(v, n) }
        }
        #[inline(always)]
        fn shr64_lanes(self, v: Self::V, n: Self::V) -> Self::V {
            unsafe { ops::$ops::shr64_lanes(v, n) }
        }
        #[inline(always)]
        fn double(self, v: Self::V) -> Self::V {
            unsafe { ops::$ops::double(v) }
        }
        #[inline(always)]
        fn add32(self, a: Self::V, b: Self::V) -> Self::V {
            unsafe { ops::$ops::add32(a, b) }
        }
        #[inline(always)]
        fn add64(self, a: Self::V, b: Self::V) -> Self::V {
            unsafe { ops::$ops::add64(a, b) }
        }
        #[inline(always)]
        fn add128(self, a: Self::V, n: Self::V) -> Self::V {
            unsafe { ops::$ops::add128(a, n) }
        }
        #[inline(always)]
        fn rol32<const N: i32>(self, v: Self::V) -> Self::V {
            unsafe { ops::$ops::rol32::<N>(v) }
        }
        #[inline(always)]
        fn shl32<const N: i32>(self, v: Self::V) -> Self::V {
            unsafe { ops::$ops::shl32::<N>(v) }
        }
        #[inline(always)]
        fn shr32<const N: i32>(self, v: Self::V) -> Self::V {
            unsafe { ops::$ops::shr32::<N>(v) }
        }
        #[inline(always)]
        fn funnel64(self, high: Self::V, low: Self::V, n: u32) -> Self::V {
            unsafe { ops::$ops::funnel64(high, low, n) }
        }
        #[inline(always)]
        fn funnel32(self, high: Self::V, low: Self::V, n: u32) -> Self::V {
            unsafe { ops::$ops::funnel32(high, low, n) }
        }
        #[inline(always)]
        fn funnel16(self, high: Self::V, low: Self::V, n: u32) -> Self::V {
            unsafe { ops::$ops::funnel16(high, low, n) }
        }
        #[inline(always)]
        fn lookup16(self, table: &[u32; 16], index: Self::V) -> Self::V {
            unsafe { ops::$ops::lookup16(table, index) }
        }
        #[inline(always)]
        fn permute(self, v: Self::V, from: &Block) -> Self::V {
            unsafe { ops::$ops::permute(v, from.as_ptr()) }
        }
        #[inline(always)]
        fn transpose32(self, v: [Self::V; 4]) -> [Self::V; 4] {
            unsafe { ops::$ops::transpose32(v) }
        }
        #[inline(always)]
        fn transpose128(self, v: [Self::V; 4]) -> [Self::V; 4] {
            unsafe { ops::$ops::transpose128(v) }
        }
        #[inline(always)]
        fn splat32(self, w: u32) -> Self::V {
            unsafe { ops::$ops::splat32(w) }
        }
        #[inline(always)]
        fn splat64(self, w: u64) -> Self::V {
            unsafe { ops::$ops::splat64(w) }
        }
        #[inline(always)]
        fn turn32<const N: usize>(self, v: Self::V) -> Self::V {
            unsafe {
                match N % 4 {
                    1 => ops::$ops::turn32::<0x39>(v),
                    2 => ops::$ops::turn32::<0x4e>(v),
                    3 => ops::$ops::turn32::<0x93>(v),
                    _ => v,
                }
            }
        }
        #[inline(always)]
        fn low_halves(self, a: Self::V, b: Self::V) -> Self::V {
            unsafe { ops::$ops::low_halves(a, b) }
        }
        #[inline(always)]
        fn high_halves(self, a: Self::V, b: Self::V) -> Self::V {
            unsafe { ops::$ops::high_halves(a, b) }
        }
        #[inline(always)]
        fn mul32(self, a: Self::V, b: Self::V) -> Self::V {
            unsafe { ops::$ops::mul32(a, b) }
        }
    };
}

// Behind the macros that it takes from here.
#[cfg(feature = "wide-soft")]
mod bitsliced;

#[cfg(feature = "wide-soft")]
pub use bitsliced::{Soft256, Soft512};

macro_rules! backend {
    (
        $(#[$doc:meta])*
        $name:ident, ops::$ops:ident, blocks $blocks:literal, registers $registers:literal, pipe $pipe:literal,
        one $one:ident, two $two:ident, wide $wide:ident, $(ifma $ifma:ident,)? [$($feature:tt),*], $enable:literal
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name(());

        impl $name {
            detect!($($feature),*);

            /// A round of the cipher or, `DEC`, of its inverse.
            #[inline(always)]
            fn one_round<const DEC: bool>(self, x: ops::$ops::V, k: ops::$ops::V) -> ops::$ops::V {
                // SAFETY: `self` exists only where `detect` found the instructions.
                unsafe { if DEC { ops::$ops::dec(x, k) } else { ops::$ops::enc(x, k) } }
            }
            /// Its last round.
            #[inline(always)]
            fn one_last<const DEC: bool>(self, x: ops::$ops::V, k: ops::$ops::V) -> ops::$ops::V {
                // SAFETY: `self` exists only where `detect` found the instructions.
                unsafe { if DEC { ops::$ops::declast(x, k) } else { ops::$ops::last(x, k) } }
            }
            /// Rounds `from` to `to - 1`.
            #[inline(always)]
            fn rounds<K: Keys<Self>, const N: usize, const DEC: bool>(
                self,
                k: &K,
                x: &mut [ops::$ops::V; N],
                from: usize,
                to: usize,
            ) {
                for r in from..to {
                    for j in 0..N {
                        x[j] = self.one_round::<DEC>(x[j], k.get(self, r, j));
                        if K::IN_STEP {
                            x[j] = self.pin(x[j]);
                        }
                        if K::HELD {
                            x[j] = self.hold(x[j]);
                        }
                    }
                }
            }
            /// Rounds 1 and 2, which AES-192 leaves out. Many registers are pinned in their order: in a block of its own the
            /// compiler put the second round's in the opposite one, so that the last register of the first waited for itself. (Fewer
            /// are not pinned, whatever the keys ask for elsewhere: for two it only cost time.)
            #[inline(always)]
            fn first_two<K: Keys<Self>, const N: usize, const DEC: bool>(self, k: &K, x: &mut [ops::$ops::V; N]) {
                for r in 1..3 {
                    for j in 0..N {
                        x[j] = self.one_round::<DEC>(x[j], k.get(self, r, j));
                        if N >= 4 {
                            x[j] = self.pin(x[j]);
                        }
                    }
                }
            }
            /// Round `r`, held in its place.
            #[inline(always)]
            fn held<K: Keys<Self>, const N: usize, const DEC: bool>(
                self,
                k: &K,
                x: &mut [ops::$ops::V; N],
                r: usize,
            ) {
                for j in 0..N {
                    x[j] = self.hold(self.one_round::<DEC>(x[j], k.get(self, r, j)));
                }
            }
            /// [`Backend::encrypt`] or, `DEC`, [`Backend::decrypt`].
            #[inline(always)]
            fn cipher<K: Keys<Self>, const N: usize, const DEC: bool>(self, k: &K, x: &mut [ops::$ops::V; N]) {
                for j in 0..N {
                    x[j] = self.xor(x[j], k.get(self, 0, j));
                    if K::IN_TURN {
                        x[j] = self.at_once(x[j]);
                    }
                }
                if K::ROUNDS == 14 {
                    if k.leaves_out_two() {
                        rarely();
                    } else {
                        self.first_two::<K, N, DEC>(k, x);
                    }
                    self.rounds::<K, N, DEC>(k, x, 3, K::ROUNDS);
                } else {
                    self.rounds::<K, N, DEC>(k, x, 1, K::ROUNDS);
                }
                for j in 0..N {
                    x[j] = self.one_last::<DEC>(x[j], k.get(self, K::ROUNDS, j));
                }
            }
            /// The same with other work between its rounds.
            #[inline(always)]
            fn cipher_interleaved<K: Keys<Self>, W: Interleave<Self>, const N: usize, const DEC: bool>(
                self,
                k: &K,
                x: &mut [ops::$ops::V; N],
                work: &mut W,
            ) {
                for j in 0..N {
                    x[j] = self.xor(x[j], k.get(self, 0, j));
                }
                if K::ROUNDS == 14 {
                    if k.leaves_out_two() {
                        rarely();
                    } else {
                        self.held::<K, N, DEC>(k, x, 1);
                        self.held::<K, N, DEC>(k, x, 2);
                    }
                }
                each_round!(r < K::ROUNDS, {
                    if K::ROUNDS != 14 || r > 2 {
                        self.held::<K, N, DEC>(k, x, r);
                    }
                    work.step(self, r);
                });
                for j in 0..N {
                    x[j] = self.one_last::<DEC>(x[j], k.get(self, K::ROUNDS, j));
                }
            }
        }

        // SAFETY, of every `unsafe` block below: `self` exists only where
        // `detect` found the instructions, and a pointer comes from a slice
        // that was just cut to, or checked against, the register's length, or from an
        // array of which the operation reads no more than there is.
        #[allow(clippy::undocumented_unsafe_blocks)]
        impl Backend for $name {
            type V = ops::$ops::V;
            type One = $one;
            type Two = $two;
            type Wide = $wide;
            const BLOCKS: usize = $blocks;
            const LANES: usize = if $blocks == 1 { 8 } else { 16 };
            const LANES_OF_ONE_KEY: usize = if $blocks == 1 && $registers == 32 { 12 } else { Self::LANES };
            const ROOMY: bool = $registers == 32;
            const TERNARY: bool = $registers == 32;

            #[inline(always)]
            fn one(self) -> $one {
                $one(())
            }
            #[inline(always)]
            fn two(self) -> $two {
                $two(())
            }
            #[inline(always)]
            fn wide(self) -> $wide {
                $wide(())
            }
            registers!($ops, $blocks);
            $(
                const IFMA: bool = true;
                #[inline(always)]
                fn madd52_low(self, sum: Self::V, a: Self::V, b: Self::V) -> Self::V {
                    unsafe { ops::$ifma::madd52_low(sum, a, b) }
                }
                #[inline(always)]
                fn madd52_high(self, sum: Self::V, a: Self::V, b: Self::V) -> Self::V {
                    unsafe { ops::$ifma::madd52_high(sum, a, b) }
                }
            )?
            #[inline(always)]
            fn clmul<const IMM: i32>(self, a: Self::V, b: Self::V) -> Self::V {
                unsafe { ops::$ops::clmul::<IMM>(a, b) }
            }
            #[inline(always)]
            fn pin(self, v: Self::V) -> Self::V {
                unsafe { ops::$ops::pin(v) }
            }
            #[inline(always)]
            fn at_once(self, v: Self::V) -> Self::V {
                if const { Self::ROOMY } { v } else { self.pin(v) }
            }
            #[inline(always)]
            fn hold(self, v: Self::V) -> Self::V {
                unsafe { ops::$ops::hold(v) }
            }
            #[inline(always)]
            fn park(self, v: &mut [Self::V; 4]) {
                if $registers == 16 {
                    // SAFETY: no instruction at all.
                    unsafe { core::arch::asm!("/* {0} */", in(reg) v, options(nostack, preserves_flags)) };
                }
            }
            #[inline(always)]
            fn by_memory<T>(self, it: &T) -> &T {
                if $blocks < 4 {
                    return it;
                }
                let mut at = core::ptr::from_ref(it);
                // SAFETY: no instruction at all: the address is what it was, of a borrow that still lives, and nothing is written.
                unsafe {
                    core::arch::asm!("/* {0} */", inout(reg) at, options(readonly, nostack, preserves_flags));
                    &*at
                }
            }
            #[inline(always)]
            fn round<const N: usize>(self, mut x: [Self::V; N], k: [Self::V; N]) -> [Self::V; N] {
                for j in 0..N {
                    x[j] = unsafe { ops::$ops::enc(x[j], k[j]) };
                }
                x
            }
            #[inline(always)]
            fn last_round<const N: usize>(self, mut x: [Self::V; N], k: [Self::V; N]) -> [Self::V; N] {
                for j in 0..N {
                    x[j] = unsafe { ops::$ops::last(x[j], k[j]) };
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
            }
            #[inline(always)]
            fn invert<A: Aes>(self, enc: &A::Enc, dec: &mut A::Dec) {
                unsafe { expand::invert::<A>(enc, dec) }
            }
        }

        impl<K: Kernel> Door<$name> for K {
            #[target_feature(enable = $enable)]
            unsafe fn door(self) -> K::Out {
                if K::SPILLS && $blocks > 1 {
                    // Registers that do not fit lie on the stack, where LLVM aligns
                    // them only if a variable there asks for it. Across two cache lines
                    // they cost a tenth.
                    let anchor = core::mem::MaybeUninit::<ops::$ops::V>::uninit();
                    // SAFETY: no instruction at all.
                    unsafe { core::arch::asm!("/* {0} */", in(reg) &anchor, options(readonly, nostack, preserves_flags)) };
                }
                self.run::<$name, $pipe>($name(()))
            }
        }
    };
}

backend!(
    /// AES-NI, VEX-encoded: Sandy Bridge and later.
    AesNi, ops::x1, blocks 1, registers 16, pipe 8, one AesNi, two AesNi, wide AesNi,
    ["aes", "pclmulqdq", "avx"], "aes,pclmulqdq,avx"
);
backend!(
    /// AES-NI with 32 registers, masks and three-way XOR: Skylake-X, Cascade Lake.
    AesNi512, ops::x1m, blocks 1, registers 32, pipe 8, one AesNi512, two AesNi512, wide Split512,
    ["aes", "pclmulqdq", "avx", "avx2", "bmi1", "bmi2", "avx512f", "avx512bw", "avx512vl"],
    "aes,pclmulqdq,avx,avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl"
);
backend!(
    /// VAES on 256-bit registers: Zen 3, Alder Lake.
    Vaes256, ops::x2, blocks 2, registers 16, pipe 8, one AesNi, two Vaes256, wide Vaes256,
    ["aes", "pclmulqdq", "avx", "avx2", "bmi1", "bmi2", "vaes", "vpclmulqdq"],
    "aes,pclmulqdq,avx,avx2,bmi1,bmi2,vaes,vpclmulqdq"
);
backend!(
    /// VAES on 512-bit registers, products of 52 bits and shifts of two words (AVX-512-VBMI2), which
    /// every CPU with these has: Ice Lake, Zen 4.
    Vaes512, ops::x4, blocks 4, registers 32, pipe 4, one AesNi512, two Vaes256, wide Vaes512, ifma x4,
    ["aes", "pclmulqdq", "avx", "avx2", "bmi1", "bmi2", "vaes", "vpclmulqdq", "avx512f", "avx512bw", "avx512vl", "avx512ifma", "avx512vbmi2"],
    "aes,pclmulqdq,avx,avx2,bmi1,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512ifma,avx512vbmi2"
);
backend!(
    /// `Vaes256` with its AES done a block at a time: for work on words, and a model.
    Split256, ops::s2, blocks 2, registers 16, pipe 8, one AesNi, two Split256, wide Split256,
    ["aes", "pclmulqdq", "avx", "avx2", "bmi1", "bmi2"], "aes,pclmulqdq,avx,avx2,bmi1,bmi2"
);
backend!(
    /// `Vaes512` with its AES done a block at a time, without products of 52 bits: for work on
    /// words, and a model.
    Split512, ops::s4, blocks 4, registers 32, pipe 4, one AesNi512, two Split256, wide Split512,
    ["aes", "pclmulqdq", "avx", "avx2", "bmi1", "bmi2", "avx512f", "avx512bw", "avx512vl"],
    "aes,pclmulqdq,avx,avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl"
);
