//! AES-128 and AES-256 in the counter mode of eSTREAM's benchmarks ("eSTREAM Optimized Code HOWTO"
//! and the code that came with it, De Cannière 2005): the first four bytes of the counter block
//! are counted, little-endian, and nothing is carried out of them.
//!
//! Status: AES is the standard (FIPS 197) and in use. Nothing is known to us that breaks it under
//! one key: bicliques save a factor of four or three (Bogdanov, Khovratovich and Rechberger,
//! ASIACRYPT 2011), and attacks on AES-256 with 2^99.5 work need related keys (Biryukov and
//! Khovratovich, ASIACRYPT 2009). The counter is eSTREAM's alone; it is kept because the paper
//! of 2007 measures it. In constant time.
//!
//! The counter blocks of as many registers as fill the AES unit are made and enciphered together,
//! by the library's backends.

use super::about::About;
use super::cipher::Cipher;
use super::side_by_side::{Lane, SideBySide};
use crate::about::Status;
use combseal::cpu::{Aes, Aes128, Aes256, Backend, Block, Enc, Kernel};
use combseal::internals::filled;
use combseal::{Cpu, secret};

/// AES of size `A` in eSTREAM's counter mode.
// Aligned, so that no round key is read across two cache lines.
#[repr(C, align(16))]
pub struct AesCtr<A: Aes> {
    keys: A::Enc,
    cpu: Cpu,
}
secret!(AesCtr<A: Aes> { keys, cpu });

/// The next counter block: a nonce that is counted up, and no secret.
pub struct Counter(Block);

/// Bytes made at once: a widest register.
const BLOCK: usize = 64;

/// The numbers 0, 1, … of a group's blocks.
static NUMBERS: [Block; 32] = {
    let mut t = [[0; 16]; 32];
    let mut i = 0;
    while i < t.len() {
        t[i][0] = i as u8;
        i += 1;
    }
    t
};

/// What both sizes have in common.
const ABOUT: About = About {
    name: "",
    key_lens: &[16],
    nonce_lens: &[16],
    source: "FIPS 197, with the counter of eSTREAM's benchmark code, 2005",
    status: Status::InUse,
    history: "",
    constant_time: true,
    tuning: "AES instructions, 16 blocks",
    context_2007: None,
    confirmed: true,
};

macro_rules! sizes {
    ($($size:ident, $about:expr;)*) => {$(
        impl Cipher for AesCtr<$size> {
            const ABOUT: &'static About = &$about;
            const BLOCK: usize = BLOCK;
            type State = Counter;

            fn expand(cpu: Cpu, key: &[u8]) -> Self {
                filled(|it: &mut Self| {
                    it.cpu = cpu;
                    cpu.run(Expand::<$size> { key, keys: &mut it.keys });
                })
            }

            #[inline]
            fn start(&self, nonce: &[u8]) -> Counter {
                let mut counter = Counter([0; 16]);
                counter.0.copy_from_slice(nonce);
                counter
            }

            #[inline]
            fn xor(&self, state: &mut Counter, data: &mut [u8]) {
                self.cpu.run(Xor::<$size> { keys: &self.keys, counter: state, data });
            }

            #[inline]
            fn masked(&self, nonce: &[u8], first: &mut [u8; 16], data: &mut [u8]) {
                self.cpu.run(Masked::<$size> { keys: &self.keys, nonce, first, data });
            }
        }
    )*};
}
sizes! {
    Aes128, About {
        name: "aes-128",
        history: "the standard; bicliques save a factor of four (Bogdanov, Khovratovich and Rechberger, ASIACRYPT 2011)",
        context_2007: Some(88),
        ..ABOUT
    };
    Aes256, About {
        name: "aes-256",
        key_lens: &[32],
        history: "the standard; bicliques save a factor of three (Bogdanov, Khovratovich and Rechberger, ASIACRYPT \
                  2011); with related keys 2^99.5 work (Biryukov and Khovratovich, ASIACRYPT 2009)",
        context_2007: Some(276),
        ..ABOUT
    };
}

/// The key schedule.
struct Expand<'a, A: Aes> {
    key: &'a [u8],
    keys: &'a mut A::Enc,
}
impl<A: Aes> Kernel for Expand<'_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        b.expand::<A>(self.key, self.keys);
    }
}

/// Key stream into whole blocks.
struct Xor<'a, A: Aes> {
    keys: &'a A::Enc,
    counter: &'a mut Counter,
    data: &'a mut [u8],
}
impl<A: Aes> Kernel for Xor<'_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Counter(counter) = self.counter;
        let blocks = self.data.len() / 16;
        if const { B::ROOMY && B::BLOCKS == 4 } {
            apply::<B, A, 8>(b, self.keys, counter, 0, self.data);
        } else {
            apply::<B, A, N>(b, self.keys, counter, 0, self.data);
        }
        let first = u32::from_le_bytes([counter[0], counter[1], counter[2], counter[3]]);
        counter[..4].copy_from_slice(&first.wrapping_add(blocks as u32).to_le_bytes());
    }
}

/// Key stream into `data`, from block `from` behind the `counter` on.
#[inline(always)]
fn apply<B: Backend, A: Aes, const N: usize>(b: B, keys: &A::Enc, counter: &Block, from: u32, data: &mut [u8]) {
    let mut next = b.add32(b.splat(counter), b.splat(&u128::from(from).to_le_bytes()));
    let step = b.splat(&((N * B::BLOCKS) as u128).to_le_bytes());
    let mut groups = data.chunks_exact_mut(N * B::BYTES);
    for group in groups.by_ref() {
        // Each a sum of the first, lest they become a chain slower than the cipher.
        let mut x = [next; N];
        for j in 0..N {
            x[j] = b.add32(next, b.load(NUMBERS[j * B::BLOCKS..].as_flattened()));
        }
        next = b.add32(next, step);
        b.encrypt(&Enc(keys), &mut x);
        for j in 0..N {
            let part = &mut group[j * B::BYTES..];
            b.store(part, b.xor(x[j], b.load(part)));
        }
    }
    // One register at a time, which the CPU overlaps by itself; the last may be more than there
    // is.
    let rest = groups.into_remainder();
    let step = b.splat(&(B::BLOCKS as u128).to_le_bytes());
    next = b.add32(next, b.load(NUMBERS.as_flattened()));
    if const { B::TOGETHER } && rest.len() > B::BYTES {
        // But on this tier all of them cost what one does.
        let mut x = [next; N];
        for j in 1..N {
            x[j] = b.add32(x[j - 1], step);
        }
        b.encrypt(&Enc(keys), &mut x);
        for (part, x) in rest.chunks_mut(B::BYTES).zip(x) {
            b.store_part(part, b.xor(x, b.load_part(part)));
        }
    } else {
        for part in rest.chunks_mut(B::BYTES) {
            let mut x = [next];
            next = b.add32(next, step);
            b.encrypt(&Enc(keys), &mut x);
            b.store_part(part, b.xor(x[0], b.load_part(part)));
        }
    }
}

macro_rules! many {
    ($($size:ident)*) => {$(
        impl SideBySide for AesCtr<$size> {
            const GROUP: usize = 16;
            const LANES: &'static str = "one after the other, which the CPU overlaps";

            fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]) {
                cpu.run(Many::<$size>(lanes));
            }
        }
    )*};
}
many!(Aes128 Aes256);

/// Many messages in one call, so that the CPU begins one before the last is done.
struct Many<'g, 'a, A: Aes>(&'g mut [Lane<'a, AesCtr<A>>]);
impl<A: Aes> Kernel for Many<'_, '_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        for Lane { cipher, nonce, first, data } in self.0 {
            Masked::<A> { keys: &cipher.keys, nonce, first, data }.run::<B, N>(b);
        }
    }
}

/// A message behind its mask, the first block.
struct Masked<'a, A: Aes> {
    keys: &'a A::Enc,
    nonce: &'a [u8],
    first: &'a mut Block,
    data: &'a mut [u8],
}
impl<A: Aes> Kernel for Masked<'_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let one = b.one();
        let mut counter = [0; 16];
        counter.copy_from_slice(self.nonce);
        let mut x = [one.splat(&counter)];
        one.encrypt(&Enc(self.keys), &mut x);
        *self.first = one.block(x[0]);
        apply::<B, A, N>(b, self.keys, &counter, 1, self.data);
    }
}
