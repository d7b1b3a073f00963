//! The CPU: one trait for every instruction set, one `match` a call.
//!
//! A [`Backend`] is a zero-sized token whose existence proves that the CPU has
//! its instructions; a [`Kernel`] is work written once and run by any of them.
//! Only this folder uses `core::arch`. Where else `unsafe` is, docs/security.md says.
//!
//! This module is the workshop of the project (the archive and the laboratory
//! build on it); it carries no promise of stability.

mod keys;
#[cfg(feature = "models")]
mod model;
mod soft;
#[cfg(all(test, feature = "models"))]
mod tests;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
mod x86;

pub use keys::{Aes, Aes128, Aes192, Aes256, Dec, Enc, Keys, Schedule};

/// Sixteen bytes: what the AES works on.
pub type Block = [u8; 16];

/// A CPU's instructions, held as a token: a value exists only where they do.
///
/// One register `V` holds [`BLOCKS`](Self::BLOCKS) AES blocks side by side.
/// Every function is inlined into the [`door`](Self::door);
/// outside of one they work but are slow.
pub trait Backend: Copy + Send + Sync + 'static {
    /// A register.
    type V: Copy;
    /// The same instructions with one block a register: for what is serial.
    type One: Backend<One = Self::One>;
    /// The same instructions with at most two blocks a register.
    type Two: Backend;
    /// Blocks in a register: 1, 2 or 4.
    const BLOCKS: usize;
    /// Bytes in a register.
    const BYTES: usize = 16 * Self::BLOCKS;
    /// Blocks in flight that fill the pipeline; at most 16.
    const LANES: usize = 8;
    /// Whether there are 32 registers rather than 16.
    const ROOMY: bool = false;
    /// Whether the cipher takes as long for one register as for all in flight,
    /// so that what is left of a message had better go through it at once.
    const TOGETHER: bool = false;
    /// Whether registers of 32-bit words are the CPU's own, so that ChaCha20 had
    /// better use them than plain `u32`.
    const WORDS: bool = true;

    /// This CPU with one block a register.
    fn one(self) -> Self::One;
    /// This CPU with at most two blocks a register.
    fn two(self) -> Self::Two;

    /// The first `BYTES` bytes of `src`. Panics if there are fewer.
    fn load(self, src: &[u8]) -> Self::V;
    /// Writes the first `BYTES` bytes of `dst`. Panics if there are fewer.
    fn store(self, dst: &mut [u8], v: Self::V);
    /// The first block.
    #[inline(always)]
    fn block(self, v: Self::V) -> Block {
        let mut first = [0; 64];
        self.store(&mut first, v);
        let [first, ..] = *first.as_chunks().0 else { unreachable!("four blocks") };
        first
    }
    /// Whether the first block begins with `tag`, in constant time.
    #[inline(always)]
    fn begins(self, v: Self::V, tag: &[u8]) -> bool {
        self.block(v).get(..tag.len()).is_some_and(|it| equal(it, tag))
    }
    /// The first block, to be returned by a kernel.
    #[inline(always)]
    fn answer(self, v: Self::V) -> Answer {
        Answer::new(self.block(v))
    }
    /// `src`, at most `BYTES` bytes of it, and zeros behind. Touches no byte
    /// outside of `src`.
    fn load_part(self, src: &[u8]) -> Self::V;
    /// The first bytes of `v` to all of `dst`, at most `BYTES` of them.
    fn store_part(self, dst: &mut [u8], v: Self::V);
    /// `v` with all bytes from the `n`th on cleared.
    fn keep(self, v: Self::V, n: usize) -> Self::V;
    /// One block, in every lane.
    fn splat(self, b: &Block) -> Self::V;
    /// One block in a register, to every lane.
    fn widen(self, v: <Self::One as Backend>::V) -> Self::V;
    /// The XOR of all lanes.
    fn fold(self, v: Self::V) -> <Self::One as Backend>::V;
    /// `v` with its last lane replaced by `top`.
    fn with_top(self, v: Self::V, top: <Self::One as Backend>::V) -> Self::V;
    /// The last lane.
    fn top(self, v: Self::V) -> <Self::One as Backend>::V;
    /// A register of the first `BLOCKS` blocks of `lanes`.
    fn join(self, lanes: [<Self::One as Backend>::V; 4]) -> Self::V;
    /// The blocks of a register; behind them, its last again.
    fn split(self, v: Self::V) -> [<Self::One as Backend>::V; 4];

    /// All zero.
    fn zero(self) -> Self::V;
    /// `a ^ b`.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a & b`.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// The bytes of each block in reverse order.
    fn rev(self, v: Self::V) -> Self::V;
    /// The two halves of each block exchanged.
    fn swap(self, v: Self::V) -> Self::V;
    /// Each half of each block shifted left by `n` bits; zero from 64 on.
    fn shl64(self, v: Self::V, n: u32) -> Self::V;
    /// Each half of each block shifted right by `n` bits; zero from 64 on.
    fn shr64(self, v: Self::V, n: u32) -> Self::V;
    /// Little-endian 32-bit sums, wrapping.
    fn add32(self, a: Self::V, b: Self::V) -> Self::V;
    /// Little-endian 64-bit sums, wrapping.
    fn add64(self, a: Self::V, b: Self::V) -> Self::V;
    /// Little-endian 128-bit sums, wrapping, of each block with a number below
    /// 2^63 in the low half of the same block of `n` (whose high half is zero).
    fn add128(self, a: Self::V, n: Self::V) -> Self::V;

    /// Little-endian 32-bit words, rotated left by `N` bits.
    #[inline(always)]
    fn rol32<const N: i32>(self, v: Self::V) -> Self::V {
        let mut t = [0; 64];
        self.store(&mut t, v);
        for w in t.as_chunks_mut::<4>().0 {
            *w = u32::from_le_bytes(*w).rotate_left(N as u32).to_le_bytes();
        }
        self.load(&t)
    }
    /// In each lane, the words of four blocks: word `i` of block `j` becomes word
    /// `j` of block `i`.
    #[inline(always)]
    fn transpose32(self, v: [Self::V; 4]) -> [Self::V; 4] {
        let (mut from, mut to) = ([0; 256], [0; 256]);
        for j in 0..4 {
            self.store(&mut from[j * Self::BYTES..], v[j]);
        }
        for at in 0..Self::BYTES {
            let (lane, i, byte) = (at / 16 * 16, at / 4 % 4, at % 4);
            for j in 0..4 {
                to[i * Self::BYTES + lane + 4 * j + byte] = from[j * Self::BYTES + at];
            }
        }
        let n = Self::BYTES;
        [self.load(&to), self.load(&to[n..]), self.load(&to[2 * n..]), self.load(&to[3 * n..])]
    }
    /// The blocks of four registers: first those of the first lane, then those of
    /// the second, and so on.
    #[inline(always)]
    fn transpose128(self, v: [Self::V; 4]) -> [Self::V; 4] {
        let (mut from, mut to) = ([0; 256], [0; 256]);
        for j in 0..4 {
            self.store(&mut from[j * Self::BYTES..], v[j]);
        }
        for at in 0..4 * Self::BYTES {
            let (lane, j) = (at / 64, at / 16 % 4);
            to[at] = from[j * Self::BYTES + 16 * lane + at % 16];
        }
        let n = Self::BYTES;
        [self.load(&to), self.load(&to[n..]), self.load(&to[2 * n..]), self.load(&to[3 * n..])]
    }

    /// Carry-less product of two 64-bit halves in each block: `IMM` is 0x00
    /// (low, low), 0x11 (high, high), 0x01 (high of `a`, low of `b`) or 0x10
    /// (low of `a`, high of `b`), as for PCLMULQDQ.
    fn clmul<const IMM: i32>(self, a: Self::V, b: Self::V) -> Self::V;

    /// `v`, in a place that the compiler may not move: registers tied after each
    /// round go through the rounds together, not one after the other.
    #[inline(always)]
    fn tie(self, v: Self::V) -> Self::V {
        v
    }

    /// One AES round of each register: SubBytes, ShiftRows, MixColumns, then
    /// XOR with `k` (AESENC).
    fn round<const N: usize>(self, x: [Self::V; N], k: [Self::V; N]) -> [Self::V; N];
    /// The block cipher, over `N` registers in flight.
    fn encrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [Self::V; N]);
    /// [`encrypt`](Self::encrypt) with other work between its rounds:
    /// `work.step(self, r)` for each `r` from 1 to `K::ROUNDS - 1`, in order.
    #[inline(always)]
    fn encrypt_with<K: Keys<Self>, W: Weave<Self>, const N: usize>(self, k: &K, x: &mut [Self::V; N], work: &mut W) {
        for r in 1..K::ROUNDS {
            work.step(self, r);
        }
        self.encrypt(k, x);
    }
    /// The inverse cipher; `k` gives the keys in the order of use.
    fn decrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [Self::V; N]);

    /// The key schedule of FIPS 197. The middle round keys may be in a form
    /// that only this backend reads. `key` has `A::KEY_LEN` bytes.
    fn expand<A: Aes>(self, key: &[u8], enc: &mut A::Enc);
    /// The middle round keys of the inverse cipher, in the order of use.
    fn invert<A: Aes>(self, enc: &A::Enc, dec: &mut A::Dec);

    /// Runs `kernel` in a function compiled for these instructions.
    ///
    /// # Safety
    /// Only where the CPU has them: where a token of this backend exists.
    #[allow(unsafe_code)]
    unsafe fn door<K: Kernel>(kernel: K) -> K::Out;
}

/// A block that a kernel returns: in two vector registers, where an array goes by memory.
///
/// A result is the last thing to be known of a message. Of a stack slot that a caller has
/// zeroed and a kernel has written by its address, Zen 4 seems to guess that it holds
/// zeros still, and begins again up to 90 cycles later (docs/architecture.md).
#[derive(Clone, Copy)]
pub struct Answer(half::Half, half::Half);

impl Answer {
    #[inline(always)]
    pub(crate) fn new(block: Block) -> Self {
        let x = u128::from_le_bytes(block);
        Self(half::hold(x as u64), half::hold((x >> 64) as u64))
    }

    #[inline(always)]
    pub(crate) fn block(self) -> Block {
        (u128::from(half::bits(self.1)) << 64 | u128::from(half::bits(self.0))).to_le_bytes()
    }
}

/// Half an [`Answer`]. Floating-point numbers are what goes by vector registers; they are
/// only moved, which changes no bit of them. (x87 registers would: not on 32-bit x86.)
#[cfg(target_arch = "x86_64")]
mod half {
    pub type Half = f64;
    #[inline(always)]
    pub fn hold(bits: u64) -> Half {
        f64::from_bits(bits)
    }
    #[inline(always)]
    pub fn bits(half: Half) -> u64 {
        half.to_bits()
    }
}
#[cfg(not(target_arch = "x86_64"))]
mod half {
    pub type Half = u64;
    #[inline(always)]
    pub fn hold(bits: u64) -> Half {
        bits
    }
    #[inline(always)]
    pub fn bits(half: Half) -> u64 {
        half
    }
}

/// Work written once, for any backend and any number of registers in flight.
pub trait Kernel {
    /// What comes back.
    type Out;
    /// Whether a long loop keeps more than the registers hold, so that the
    /// overflow lies on the stack and the stack's alignment shows in the speed.
    const SPILLS: bool = false;
    /// Does the work, with `N`, a power of two, the number of registers in
    /// flight that suits `B`. Must be `#[inline(always)]`.
    fn run<B: Backend, const N: usize>(self, b: B) -> Self::Out;
}

/// Work to be done between the rounds of a cipher, on units that the AES leaves
/// idle and without need of its outcome.
pub trait Weave<B: Backend> {
    /// The part that goes with round `r`, a constant once the rounds are
    /// unrolled. Must be `#[inline(always)]`.
    fn step(&mut self, b: B, r: usize);
}

/// The numbers 0, 1, … of the lanes, as little-endian integers.
pub(crate) static LANES: [Block; 4] = {
    let mut t = [[0; 16]; 4];
    t[1][0] = 1;
    t[2][0] = 2;
    t[3][0] = 3;
    t
};

/// Declares the tiers: `Cpu`, its names, its `match`.
macro_rules! tiers {
    ($($(#[$cfg:meta])* $tier:ident($token:ty), $name:literal, $what:literal;)*) => {
        /// A CPU tier that this machine has: instructions that ship together.
        // One byte, of which zero is a value: keys are built in zeroed memory (`blank.rs`).
        #[derive(Clone, Copy)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Cpu {
            $($(#[$cfg])* #[doc = $what] $tier($token),)*
        }
        impl Cpu {
            /// Every tier that this machine has, the fastest for long messages
            /// first; then, with the feature `models`, the pretended ones.
            pub fn all() -> impl Iterator<Item = Cpu> {
                [$($(#[$cfg])* <$token>::detect().map(Cpu::$tier),)*].into_iter().flatten()
            }
            /// The tier's name.
            pub fn name(self) -> &'static str {
                match self { $($(#[$cfg])* Cpu::$tier(_) => $name,)* }
            }
            /// What the tier is, in a line.
            pub fn description(self) -> &'static str {
                match self { $($(#[$cfg])* Cpu::$tier(_) => $what,)* }
            }
            /// AES blocks in one of the tier's registers.
            pub fn blocks(self) -> usize {
                match self { $($(#[$cfg])* Cpu::$tier(_) => <$token as Backend>::BLOCKS,)* }
            }
            /// AES blocks that fill the tier's pipeline, as far as the instructions tell:
            /// how many messages the comb walks side by side (latency times throughput).
            pub fn lanes(self) -> usize {
                match self { $($(#[$cfg])* Cpu::$tier(_) => <$token as Backend>::LANES,)* }
            }
            /// The tier's place in the order of declaration.
            #[inline(always)]
            fn place(self) -> usize {
                #[repr(usize)]
                enum Place { $($(#[$cfg])* $tier,)* }
                match self { $($(#[$cfg])* Cpu::$tier(_) => Place::$tier as usize,)* }
            }
            /// Runs `kernel` on this tier: the library's only branch on the CPU.
            #[inline(always)]
            #[allow(unsafe_code)]
            pub fn run<K: Kernel>(self, kernel: K) -> K::Out {
                // SAFETY: `self` holds a token of the backend whose door this is.
                unsafe { Doors::<K>::ALL[self.place()](kernel) }
            }
        }

        const TIERS: usize = [$($(#[$cfg])* $name,)*].len();

        /// Every tier's door for a kernel: a call through a table is five instructions
        /// fewer than a `match` with a call in each arm, and a tenth of its size where
        /// it is inlined.
        struct Doors<K>(core::marker::PhantomData<K>);
        #[allow(unsafe_code)]
        impl<K: Kernel> Doors<K> {
            const ALL: [unsafe fn(K) -> K::Out; TIERS] = [$($(#[$cfg])* <$token as Backend>::door::<K>,)*];
        }
    };
}

tiers! {
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    Vaes512(x86::Vaes512), "vaes512", "VAES and VPCLMULQDQ on 512-bit registers (AVX-512)";
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    Vaes256(x86::Vaes256), "vaes256", "VAES and VPCLMULQDQ on 256-bit registers (AVX2)";
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    AesNi512(x86::AesNi512), "aesni512", "AES-NI and PCLMULQDQ with AVX-512VL's registers and ternary logic";
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    AesNi(x86::AesNi), "aesni", "AES-NI and PCLMULQDQ, VEX-encoded (AVX)";
    Soft(soft::Soft), "soft", "constant-time bitsliced AES, without instructions for it";
    #[cfg(feature = "models")]
    Soft64(soft::Soft64), "soft64", "constant-time bitsliced AES in 64-bit words";
    #[cfg(feature = "models")]
    Model1(model::Model<1>), "model1", "a slow model with one block a register";
    #[cfg(feature = "models")]
    Model2(model::Model<2>), "model2", "a slow model with two blocks a register";
    #[cfg(feature = "models")]
    Model4(model::Model<4>), "model4", "a slow model with four blocks a register";
    #[cfg(all(feature = "models", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    Split256(x86::Split256), "split256", "256-bit registers, their AES done a block at a time";
    #[cfg(all(feature = "models", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    Split512(x86::Split512), "split512", "512-bit registers, their AES done a block at a time";
}

impl Cpu {
    /// The best tier of this machine.
    #[inline]
    pub fn detect() -> Self {
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        {
            if let Some(b) = x86::Vaes512::detect() {
                return Self::Vaes512(b);
            }
            if let Some(b) = x86::Vaes256::detect() {
                return Self::Vaes256(b);
            }
            if let Some(b) = x86::AesNi512::detect() {
                return Self::AesNi512(b);
            }
            if let Some(b) = x86::AesNi::detect() {
                return Self::AesNi(b);
            }
        }
        Self::soft()
    }

    /// The tier for a message of a few blocks, if it has so `few`: where a register
    /// holds four blocks, the tier whose registers hold one, because filling and
    /// emptying the unused lanes costs time.
    #[inline(always)]
    pub(crate) fn narrow_if(self, few: bool) -> Self {
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        if let Self::Vaes512(b) = self
            && few
        {
            return Self::AesNi512(b.one());
        }
        // No other tier has registers of four blocks.
        let _ = few;
        self
    }

    /// The constant-time software tier, which every machine has.
    #[inline]
    pub fn soft() -> Self {
        Self::Soft(soft::Soft::TOKEN)
    }

    /// The tier of that name, if this machine has it.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|c| c.name() == name)
    }

    /// True where the AES is done by instructions made for it.
    pub fn is_hardware(self) -> bool {
        !matches!(self.name(), "soft" | "soft64" | "model1" | "model2" | "model4")
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

/// Four bytes as they stand in memory, by a load of just these. The compiler would join
/// neighbours into a wider load, which waits when it spans a caller's narrower
/// store: a counter bumped in the last four bytes of a nonce, say.
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn narrow_load(bytes: &[u8; 4]) -> u32 {
    // Packed, so that four bytes anywhere are one load rather than four.
    #[repr(C, packed)]
    struct Word(u32);
    // SAFETY: `bytes` is a valid reference to four bytes, and `Word` has no alignment.
    unsafe { core::ptr::read_volatile(core::ptr::from_ref(bytes).cast::<Word>()) }.0
}

/// 4 to 16 bytes as a little-endian number, by two loads that overlap. Copied to a block first, they would be read there before both stores of the
/// copy have reached the cache, which waits.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn little(bytes: &[u8]) -> u128 {
    let n = bytes.len();
    if let (Some(first), Some(last), ..=16) = (bytes.first_chunk(), bytes.last_chunk(), n) {
        let last = u128::from(u64::from_le_bytes(*last));
        return last << (8 * n - 64) | u128::from(u64::from_le_bytes(*first));
    }
    let (Some(first), Some(last), ..=8) = (bytes.first_chunk(), bytes.last_chunk(), n) else {
        unreachable!("4 to 16 bytes, not {n}")
    };
    let last = u128::from(u32::from_le_bytes(*last));
    last << (8 * n - 32) | u128::from(u32::from_le_bytes(*first))
}

/// `a ^ b` of two blocks in memory.
#[inline(always)]
pub(crate) fn xor_block(a: &Block, b: &Block) -> Block {
    (u128::from_ne_bytes(*a) ^ u128::from_ne_bytes(*b)).to_ne_bytes()
}

/// Compares in a time that depends on the lengths only.
#[inline]
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let ((x, x_rest), (y, y_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut diff = 0;
    for (x, y) in x.iter().zip(y) {
        diff |= u64::from_ne_bytes(*x) ^ u64::from_ne_bytes(*y);
    }
    for (x, y) in x_rest.iter().zip(y_rest) {
        diff |= (x ^ y) as u64;
    }
    // The barrier keeps the compiler from turning the loop into one that stops
    // at the first difference.
    core::hint::black_box(diff) == 0
}
