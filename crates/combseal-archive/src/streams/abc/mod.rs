//! ABC v3 (Anashin, Bogdanov and Kizhvatov, "ABC: A New Fast Flexible Stream Cipher
//! Specification, Version 3", eSTREAM, 2006), with 16-byte keys and nonces.
//!
//! Status: in eSTREAM's second phase, not in the third (2007). Versions 1 and 2 were broken; of
//! version 3, Zhang, Li and Wang (Science in China F, 2008) break some 2^103.7 weak keys out of
//! 2^128, each with 2^36 words of key stream in 2^50.6 operations. Kept for Bernstein's comparison
//! of 2007.
//!
//! A linear register and a chain of one word, and a filter over that: the sum of those of 32 key
//! words whose bits are set. The chain is four operations a word, which is the limit of all tunings;
//! they differ in the filter. The designers tabulate it over windows of bits ([`windows`]), not in
//! constant time; of sixteen words at once the bits are masks ([`bits`]), in constant time.

pub mod bits;
mod filter;
pub mod windows;

pub use filter::{FIXED, Filter};

use super::about::About;
use super::cipher::Cipher;
use super::words::{le32, xor_le};
use crate::about::Status;
use combseal::Cpu;
use combseal::cpu::{Backend, Kernel};
use combseal::internals::Wipe;
use std::marker::PhantomData;

/// Tables over windows of 4 bits: 512 bytes.
pub type Windows4 = Abc<windows::Windows<4, 128>>;
/// Tables over windows of 8 bits: 4 KiB, the paper's size.
pub type Windows8 = Abc<windows::Windows<8, 1024>>;
/// Tables over windows of 12, 12 and 8 bits: 33 KiB.
pub type Windows12 = Abc<windows::Windows<12, 8448>>;
/// No tables: the bits of sixteen words as masks.
pub type Bits = Abc<bits::Bits>;

/// ABC v3 with some filter.
pub struct Abc<F: Filter> {
    filter: F,
    core: Core,
    cpu: Cpu,
}

impl<F: Filter> Drop for Abc<F> {
    fn drop(&mut self) {
        self.filter.wipe();
    }
}

/// The linear register, the chain and its constants.
pub struct Core {
    z: [u32; 4],
    x: u32,
    d: [u32; 3],
}

impl Drop for Core {
    fn drop(&mut self) {
        self.z.wipe();
        self.d.wipe();
        std::slice::from_mut(&mut self.x).wipe();
    }
}

impl Core {
    /// Words for register, chain and constants; some of their bits are given.
    #[inline(always)]
    fn new(z: [u32; 4], x: u32, d: [u32; 3]) -> Self {
        Self { z: [z[0] | 2, z[1], z[2], z[3]], x, d: [d[0] & !3, d[1] & !3 | 1, d[2] & !3] }
    }

    /// Register and chain, a word on.
    #[inline(always)]
    fn step(&mut self) {
        let [z0, z1, z2, z3] = self.z;
        self.z = [z1, z2, z3, z2 ^ z1 << 31 ^ z0 >> 1];
        let x = (self.x ^ self.d[0]).wrapping_add(self.d[1]) ^ self.d[2];
        self.x = x.wrapping_add(self.z[3]);
    }

    /// A word of key stream.
    #[inline(always)]
    fn word(&mut self, filter: &impl Filter) -> u32 {
        self.step();
        self.z[0].wrapping_add(filter.one(self.x).rotate_left(16))
    }

    /// `N` of them.
    #[inline(always)]
    fn words<const N: usize>(&mut self, filter: &impl Filter) -> [u32; N] {
        let (mut x, mut z) = ([0; N], [0; N]);
        for i in 0..N {
            self.step();
            (x[i], z[i]) = (self.x, self.z[0]);
        }
        let sums = filter.many(&x);
        std::array::from_fn(|i| z[i].wrapping_add(sums[i].rotate_left(16)))
    }

    /// Mixes key or nonce, which are in place, into all of the state.
    #[inline(always)]
    fn warm_up(&mut self, filter: &impl Filter) {
        // The word changes the chain before it is added.
        let word = self.word(filter);
        self.x ^= word;
        for i in 0..3 {
            let d = self.d[i] ^ self.word(filter);
            self.d[i] = d & !3 | u32::from(i == 1);
        }
        for _ in 0..4 {
            let word = self.word(filter);
            self.z[2] ^= word;
        }
        self.z[0] |= 2;
    }
}

/// The words of a key or nonce, and the same rotated for the register.
#[inline(always)]
fn words(bytes: &[u8]) -> ([u32; 4], [u32; 4]) {
    let words: [u32; 4] = std::array::from_fn(|i| le32(bytes, i));
    (words, words.map(|word| word.rotate_left(16)))
}

/// The key's set-up.
struct Expand<'a> {
    cpu: Cpu,
    key: &'a [u8],
}

impl Expand<'_> {
    #[inline(always)]
    fn go<F: Filter>(self) -> Abc<F> {
        let (k, z) = words(self.key);
        let fixed = F::fixed();
        let mut core = Core::new(z, k[0], [k[3], k[2], k[1]]);
        core.warm_up(fixed);
        // 41 words are wanted.
        let mut made = [0; 48];
        if F::VECTORS {
            for block in made.as_chunks_mut().0 {
                *block = core.words::<16>(fixed);
            }
        } else {
            for word in &mut made[..41] {
                *word = core.word(fixed);
            }
        }
        let mut e = [0; 33];
        e[..32].copy_from_slice(&made[1..33]);
        e[31] = e[31] & 0xffff_0000 | 0x1_0000;
        e[32] = made[0];
        let of = |i| made[i];
        let core = Core::new([of(37), of(38), of(39), of(40)], of(36), [of(33), of(34), of(35)]);
        let it = Abc { filter: F::new(&e), core, cpu: self.cpu };
        made.wipe();
        e.wipe();
        it
    }
}

/// The nonce's.
struct Start<'a, F: Filter> {
    key: &'a Abc<F>,
    nonce: &'a [u8],
}

impl<F: Filter> Start<'_, F> {
    #[inline(always)]
    fn go(self) -> Core {
        let ((v, r), core) = (words(self.nonce), &self.key.core);
        let z = std::array::from_fn(|i| core.z[i] ^ r[i]);
        let mut it = Core::new(z, core.x ^ v[0], std::array::from_fn(|i| core.d[i] ^ v[3 - i]));
        it.warm_up(&self.key.filter);
        it
    }
}

/// Whole blocks.
struct Xor<'a, F: Filter> {
    key: &'a Abc<F>,
    core: &'a mut Core,
    data: &'a mut [u8],
}

impl<F: Filter> Xor<'_, F> {
    #[inline(always)]
    fn go(self) {
        let mut core = Core { z: self.core.z, x: self.core.x, d: self.core.d };
        let (long, short) = self.data.as_chunks_mut::<64>();
        for block in long {
            xor_le(block, core.words::<16>(&self.key.filter));
        }
        for block in short.as_chunks_mut::<16>().0 {
            xor_le(block, core.words::<4>(&self.key.filter));
        }
        (self.core.z, self.core.x) = (core.z, core.x);
    }
}

/// What is run with the CPU's instructions.
struct OnCpu<J>(J);

macro_rules! on_cpu {
    ($job:ty, $out:ty) => {
        impl<F: Filter> Kernel for OnCpu<($job, PhantomData<F>)> {
            type Out = $out;
            const MODELS: crate::models::Models = crate::models::MODELS;

            #[inline(always)]
            fn run<B: Backend, const N: usize>(self, _: B) -> $out {
                self.0.0.go()
            }
        }
    };
}
on_cpu!(Expand<'_>, Abc<F>);
on_cpu!(Start<'_, F>, Core);
on_cpu!(Xor<'_, F>, ());

const ABC: About = About {
    name: "abc-v3",
    key_lens: &[16],
    nonce_lens: &[16],
    source: "Anashin, Bogdanov and Kizhvatov, eSTREAM, 2006",
    status: Status::Broken,
    history: "left eSTREAM after the second phase (2007); some 2^103.7 weak keys, which 2^36 words of key stream give \
              away in 2^50.6 operations (Zhang, Li and Wang, 2008)",
    constant_time: false,
    tuning: "",
    context_2007: Some(4176),
    confirmed: true,
};

impl<F: Filter> Cipher for Abc<F> {
    const ABOUT: &'static About = &About { tuning: F::TUNING, constant_time: F::CONSTANT_TIME, ..ABC };
    const BLOCK: usize = F::BLOCK;
    type State = Core;

    fn expand(cpu: Cpu, key: &[u8]) -> Self {
        cpu.run(OnCpu((Expand { cpu, key }, PhantomData::<F>)))
    }

    fn start(&self, nonce: &[u8]) -> Core {
        let job = Start { key: self, nonce };
        if F::VECTORS { self.cpu.run(OnCpu((job, PhantomData::<F>))) } else { job.go() }
    }

    fn xor(&self, core: &mut Core, data: &mut [u8]) {
        let job = Xor { key: self, core, data };
        if F::VECTORS { self.cpu.run(OnCpu((job, PhantomData::<F>))) } else { job.go() }
    }
}
