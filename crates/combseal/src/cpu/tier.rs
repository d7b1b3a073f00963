//! The tiers: which backends this machine has, and the one branch on them.

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use super::arm;
use super::backend::{Aes, Backend, Door, Kernel, Models};
use super::keys::{Aes128, Aes192, Aes256};
#[cfg(feature = "models")]
use super::model;
use super::soft;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
use super::x86;
use crate::memory::blank::Blank;

/// Declares the tiers: `Cpu`, its names, its `match`. `everywhere` is the one that no machine
/// lacks, `real` are those that a CPU may have, `pretended` those of the feature `models`: among the
/// [few](Models::Few) are those that are called `Few`, and not those called `Other`.
macro_rules! tiers {
    (
        everywhere { $always:ident($always_token:ty), $always_name:literal, $always_what:literal; }
        real { $($(#[$real_cfg:meta])* $real:ident($real_token:ty), $real_name:literal, $real_what:literal;)* }
        pretended { $($(#[$model_cfg:meta])* $kind:ident $model:ident($model_token:ty), $model_name:literal, $model_what:literal;)* }
    ) => {
        tiers! {
            @ Everywhere $always($always_token), $always_name, $always_what;
            $($(#[$real_cfg])* Real $real($real_token), $real_name, $real_what;)*
            $($(#[$model_cfg])* $kind $model($model_token), $model_name, $model_what;)*
        }
        impl Cpu {
            /// The best tier of this machine.
            #[inline]
            pub fn detect() -> Self {
                // In this crate's unit tests the kernels of schemes are made for the software tier alone.
                $($(#[$real_cfg])*
                #[cfg(not(test))]
                {
                    if let Some(token) = <$real_token>::detect() {
                        return Cpu::$real(token);
                    }
                })*
                Cpu::$always(<$always_token>::TOKEN)
            }
            /// Every tier that this machine has, the fastest for long messages
            /// first; then, with the feature `models`, the pretended ones that the
            /// library's kernels are made for. (In this crate's unit tests `soft` alone.)
            pub fn all() -> impl Iterator<Item = Cpu> {
                Self::every().filter(|cpu| cpu.is_among(Models::USUAL))
            }
            /// The same with every pretended tier, and in this crate's unit tests with the CPU's: for kernels that
            /// say so ([`Models::All`]).
            pub(crate) fn every() -> impl Iterator<Item = Cpu> {
                [
                    $($(#[$real_cfg])* <$real_token>::detect().map(Cpu::$real),)*
                    Some(Cpu::$always(<$always_token>::TOKEN)),
                    $($(#[$model_cfg])* <$model_token>::detect().map(Cpu::$model),)*
                ]
                .into_iter()
                .flatten()
            }
        }
        // SAFETY: a `Cpu` is one byte. The variants are numbered from zero in the order of
        // declaration, and the first is the tier that every machine has, so that zero is a
        // `Cpu` whose token tells the truth.
        #[allow(unsafe_code)]
        unsafe impl Blank for Cpu {}
        const _: () = assert!(size_of::<Cpu>() == 1 && Cpu::$always(<$always_token>::TOKEN).place() == 0);
    };
    (@ $($(#[$cfg:meta])* $kind:ident $tier:ident($token:ty), $name:literal, $what:literal;)*) => {
        /// A CPU tier that this machine has: instructions that ship together.
        ///
        /// [`detect`](Self::detect) gives the best one, [`all`](Self::all) the others too; [`name`](Self::name) tells them apart.
        // One byte, of which zero is the software tier: keys are built in zeroed memory
        // (`blank.rs`), where a tier that the machine has not must never stand.
        #[derive(Clone, Copy)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Cpu {
            $($(#[$cfg])* #[doc = $what] #[doc(hidden)] $tier($token),)*
        }
        impl Cpu {
            /// Whether the tier is pretended: one of those that the feature `models` adds.
            #[doc(hidden)]
            pub fn is_pretended(self) -> bool {
                match self { $($(#[$cfg])* Cpu::$tier(_) => matches!(Kind::$kind, Kind::Few | Kind::Other),)* }
            }
            /// Whether kernels are made for it that ask for these [`Models`].
            #[doc(hidden)]
            pub const fn is_among(self, models: Models) -> bool {
                match self { $($(#[$cfg])* Cpu::$tier(_) => made(models, Kind::$kind),)* }
            }
            /// The tier's name.
            pub fn name(self) -> &'static str {
                match self { $($(#[$cfg])* Cpu::$tier(_) => $name,)* }
            }
            /// What the tier is, in a line.
            pub fn description(self) -> &'static str {
                match self { $($(#[$cfg])* Cpu::$tier(_) => $what,)* }
            }
            /// AES blocks in one of the tier's registers. On the [wide software tiers](Self::is_wide_soft), true
            /// of the few kernels that are made for them: all others run with one block a register there.
            pub fn blocks(self) -> usize {
                match self { $($(#[$cfg])* Cpu::$tier(_) => <$token as Backend>::BLOCKS,)* }
            }
            /// Whether this is a software tier of wide registers, which runs most kernels as
            /// [`soft`](Self::soft) does (`Kernel::ON_WIDE_SOFT`), so that what [`blocks`](Self::blocks) says is
            /// not true of those.
            pub fn is_wide_soft(self) -> bool {
                match self { $($(#[$cfg])* Cpu::$tier(_) => <$token as Backend>::WIDE_SOFT,)* }
            }
            /// True where the AES is done by instructions made for it.
            pub fn is_hardware(self) -> bool {
                match self { $($(#[$cfg])* Cpu::$tier(_) => <$token as Backend>::HARDWARE,)* }
            }
            /// Words of 32 bits in the widest register that the tier has for them; none if
            /// it has no registers of words, or only in few kernels.
            pub(crate) fn words(self) -> usize {
                match self { $($(#[$cfg])* Cpu::$tier(_) => if <$token as Backend>::WORDS && !<$token as Backend>::WIDE_SOFT { 4 * <<$token as Backend>::Wide as Backend>::BLOCKS } else { 0 },)* }
            }
            /// Whether the tier has 32 registers rather than 16.
            pub(crate) fn is_roomy(self) -> bool {
                match self { $($(#[$cfg])* Cpu::$tier(_) => <$token as Backend>::ROOMY,)* }
            }
            /// AES blocks that fill the tier's pipeline, as far as the instructions tell:
            /// how many messages the comb walks side by side (latency times throughput).
            pub fn lanes(self) -> usize {
                match self { $($(#[$cfg])* Cpu::$tier(_) => <$token as Backend>::LANES,)* }
            }
            /// The same of messages under one key.
            #[doc(hidden)]
            pub fn lanes_of_one_key(self) -> usize {
                match self { $($(#[$cfg])* Cpu::$tier(_) => <$token as Backend>::LANES_OF_ONE_KEY,)* }
            }
            /// The tier's place in the order of declaration.
            #[inline(always)]
            const fn place(self) -> usize {
                #[repr(usize)]
                enum Place { $($(#[$cfg])* $tier,)* }
                match self { $($(#[$cfg])* Cpu::$tier(_) => Place::$tier as usize,)* }
            }
            /// Runs `kernel` on this tier, by doors that are made in the calling crate:
            /// with `run_prebuilt`, the library's only branches on the CPU.
            #[doc(hidden)]
            #[inline(always)]
            #[allow(unsafe_code)]
            pub fn run<K: Kernel>(self, kernel: K) -> K::Out {
                // SAFETY: `self` holds a token of the backend whose door this is; or it is the door of that backend's
                // `One`, all of whose instructions the backend has too.
                unsafe { const { &Doors::<K>::ALL }.0[self.place()](kernel) }
            }
        }

        const TIERS: usize = [$($(#[$cfg])* $name,)*].len();

        /// Every tier's door for a kernel: a call through a table is five instructions
        /// fewer than a `match` with a call in each arm, and a tenth of its size where
        /// it is inlined.
        pub(crate) struct Doors<K: Kernel>([unsafe fn(K) -> K::Out; TIERS]);
        impl<K: Kernel> Doors<K> {
            pub(crate) const ALL: Self = Self([$(
                $(#[$cfg])*
                if !made(K::MODELS, Kind::$kind) { not_made::<K> }
                else if <$token as Backend>::WIDE_SOFT && !K::ON_WIDE_SOFT { <K as Door<soft::Soft>>::door }
                else if K::ONE_BLOCK { <K as Door<<$token as Backend>::One>>::door }
                else { <K as Door<$token>>::door },
            )*]);
        }
    };
}

tiers! {
    everywhere {
        Soft(soft::Soft), "soft", "bitsliced AES, without instructions for it";
    }
    real {
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        Vaes512(x86::Vaes512), "vaes512", "VAES and VPCLMULQDQ on 512-bit registers (AVX-512)";
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        Vaes256(x86::Vaes256), "vaes256", "VAES and VPCLMULQDQ on 256-bit registers (AVX2)";
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        AesNi512(x86::AesNi512), "aesni512", "AES-NI and PCLMULQDQ with AVX-512VL's registers and ternary logic";
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        AesNi(x86::AesNi), "aesni", "AES-NI and PCLMULQDQ, VEX-encoded (AVX)";
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        ArmV8Sha3(arm::ArmV8Sha3), "armv8sha3", "ARMv8's AES and PMULL, with XOR of three registers (FEAT_SHA3)";
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        ArmV8(arm::ArmV8), "armv8", "ARMv8's AES and PMULL, on NEON";
        #[cfg(all(feature = "wide-soft", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        Soft512(x86::Soft512), "soft512", "bitsliced AES on 512-bit registers (AVX-512)";
        #[cfg(all(feature = "wide-soft", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        Soft256(x86::Soft256), "soft256", "bitsliced AES on 256-bit registers (AVX2)";
    }
    pretended {
        #[cfg(feature = "models")]
        Few Soft64(soft::Soft64), "soft64", "bitsliced AES in 64-bit words";
        #[cfg(feature = "models")]
        Other Model1(model::Model<1>), "model1", "a slow model with one block a register";
        #[cfg(feature = "models")]
        Few Model2(model::Model<2>), "model2", "a slow model with two blocks a register";
        #[cfg(feature = "models")]
        Few Model4(model::Model<4>), "model4", "a slow model with four blocks a register";
        #[cfg(all(feature = "models", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        Other Split256(x86::Split256), "split256", "256-bit registers, their AES done a block at a time";
        #[cfg(all(feature = "models", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        Other Split512(x86::Split512), "split512", "512-bit registers, their AES done a block at a time";
    }
}

/// The kinds of tiers, of which a kernel says for which it is made ([`Kernel::MODELS`]).
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "not every machine and not every set of features has tiers of each kind")]
enum Kind {
    /// The software tier, which no machine lacks.
    Everywhere,
    /// One that a CPU may have.
    Real,
    /// A pretended one, [one for each width](Models::Few).
    Few,
    /// Any other pretended one.
    Other,
}

/// Whether a kernel that asks for these models is made for a tier of that kind. In this crate's unit tests the tiers of
/// the CPU count as models, so that the kernels of schemes are made for `soft` alone there. To make them for every tier
/// takes the compiler minutes, and that is done once, in the library that the tests in `tests/` run.
const fn made(models: Models, kind: Kind) -> bool {
    match kind {
        Kind::Everywhere => true,
        Kind::Real => !cfg!(test) || matches!(models, Models::All),
        Kind::Few => matches!(models, Models::Few | Models::All),
        Kind::Other => matches!(models, Models::All),
    }
}

/// Where a kernel that is not made for a tier ([`Kernel::MODELS`]) would have its door.
#[allow(unsafe_code)]
unsafe fn not_made<K: Kernel>(_: K) -> K::Out {
    unreachable!("a kernel was to be run on a tier that it is not made for")
}

/// A kernel whose doors are made in this crate, once: the typed keys are generic, so that
/// theirs would be made again in each crate that uses them, as that one is optimised.
pub(crate) trait Prebuilt: 'static {
    /// What comes back.
    type Out;
    /// The kernel, over the AES of size `A`.
    type Of<'a, A: Aes>: Kernel<Out = Self::Out>;
    /// Its doors with AES-128.
    fn aes128() -> &'static Doors<Self::Of<'static, Aes128>>;
    /// Its doors with AES-192.
    fn aes192() -> &'static Doors<Self::Of<'static, Aes192>>;
    /// Its doors with AES-256.
    fn aes256() -> &'static Doors<Self::Of<'static, Aes256>>;
}

/// Declares kernels [`Prebuilt`], each under a name of its own and for those sizes of the
/// AES that there are: all, or `128` alone where the kernel is not over the AES. `192 = 256`: where it is over
/// the round keys alone, whose type these two share, and so is the kernel of both.
macro_rules! prebuilt {
    ($($name:ident<$a:lifetime, $size:ident> = $kernel:ty => $out:ty, $sizes:tt;)*) => {$(
        /// A name for doors that are made in this crate.
        struct $name;
        impl crate::cpu::tier::Prebuilt for $name {
            type Out = $out;
            type Of<$a, $size: crate::cpu::backend::Aes> = $kernel;
            crate::cpu::tier::prebuilt!(@ $name $sizes);
        }
    )*};
    (@ $name:ident [128 192 256]) => {
        crate::cpu::tier::prebuilt!(@doors $name aes128 Aes128);
        crate::cpu::tier::prebuilt!(@doors $name aes192 Aes192);
        crate::cpu::tier::prebuilt!(@doors $name aes256 Aes256);
    };
    (@ $name:ident [128 192 = 256]) => {
        crate::cpu::tier::prebuilt!(@doors $name aes128 Aes128);
        #[inline(always)]
        fn aes192() -> &'static crate::cpu::tier::Doors<Self::Of<'static, crate::cpu::keys::Aes192>> {
            Self::aes256()
        }
        crate::cpu::tier::prebuilt!(@doors $name aes256 Aes256);
    };
    (@ $name:ident [128 256]) => {
        crate::cpu::tier::prebuilt!(@doors $name aes128 Aes128);
        crate::cpu::tier::prebuilt!(@none aes192 Aes192);
        crate::cpu::tier::prebuilt!(@doors $name aes256 Aes256);
    };
    (@ $name:ident [128]) => {
        crate::cpu::tier::prebuilt!(@doors $name aes128 Aes128);
        crate::cpu::tier::prebuilt!(@none aes192 Aes192);
        crate::cpu::tier::prebuilt!(@none aes256 Aes256);
    };
    (@doors $name:ident $get:ident $size:ident) => {
        #[inline(always)]
        fn $get() -> &'static crate::cpu::tier::Doors<Self::Of<'static, crate::cpu::keys::$size>> {
            static DOORS: crate::cpu::tier::Doors<<$name as crate::cpu::tier::Prebuilt>::Of<'static, crate::cpu::keys::$size>> =
                crate::cpu::tier::Doors::ALL;
            &DOORS
        }
    };
    (@none $get:ident $size:ident) => {
        fn $get() -> &'static crate::cpu::tier::Doors<Self::Of<'static, crate::cpu::keys::$size>> {
            unreachable!("the scheme has no such size")
        }
    };
}
pub(crate) use prebuilt;

impl Cpu {
    /// Runs a kernel that this crate has made.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(crate) fn run_prebuilt<'a, P: Prebuilt, A: Aes>(self, kernel: P::Of<'a, A>) -> P::Out {
        let doors = match A::KEY_LEN {
            16 => core::ptr::from_ref(P::aes128()).cast(),
            24 => core::ptr::from_ref(P::aes192()).cast(),
            _ => core::ptr::from_ref(P::aes256()).cast::<Doors<P::Of<'a, A>>>(),
        };
        // SAFETY: `Aes` is sealed, and its three sizes differ in the key's length, so that
        // these are the doors of `P::Of<'static, A>`; and of `P::Of<'a, A>` too, since a
        // function that is made knows nothing of lifetimes.
        let doors = unsafe { &*doors };
        // SAFETY: `self` holds a token of the backend whose door this is; or it is the door of that backend's
        // `One`, all of whose instructions the backend has too.
        unsafe { doors.0[self.place()](kernel) }
    }

    /// The tier for a message of so many `blocks`: of a few, up to `of_four` where a register holds four blocks and up to
    /// `of_two` where it holds two, the tier whose registers hold one, because filling and
    /// emptying the unused lanes costs time. Of the wide software tiers, up to `of_four`, the narrow one.
    #[inline(always)]
    pub(crate) fn narrow_at(self, blocks: usize, of_four: usize, of_two: usize) -> Self {
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        match self {
            Self::Vaes512(b) if blocks <= of_four => return Self::AesNi512(b.one()),
            Self::Vaes256(b) if blocks <= of_two => return Self::AesNi(b.one()),
            _ => {}
        }
        let _ = of_two;
        self.soft_if(blocks <= of_four)
    }

    /// Of the wide software tiers, the narrow one, if there is so `few` to do.
    #[inline(always)]
    pub(crate) fn soft_if(self, few: bool) -> Self {
        #[cfg(all(feature = "wide-soft", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        if let Self::Soft512(_) | Self::Soft256(_) = self
            && few
        {
            return Self::soft();
        }
        let _ = few;
        self
    }

    /// The software tier, which every machine has: constant-time, its carry-less products
    /// given a constant-time multiplier.
    #[inline]
    pub fn soft() -> Self {
        Self::Soft(soft::Soft::TOKEN)
    }

    /// The tier of that name, if this machine has it.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|c| c.name() == name)
    }
}

impl core::fmt::Debug for Cpu {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for Cpu {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        core::mem::discriminant(self) == core::mem::discriminant(other)
    }
}
impl Eq for Cpu {}
