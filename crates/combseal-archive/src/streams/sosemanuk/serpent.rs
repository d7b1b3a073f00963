//! Serpent as SOSEMANUK has it: the first 24 rounds, the linear transformation in the last of them
//! too, on bit slices of one block or of many.

use super::super::words::le32;
use super::sboxes::{Logic, Slices, sbox};
use combseal::cpu::{Backend, Block};
use combseal::internals::Wipe;

/// Subkeys: one before each round and one behind the last.
pub const SUBKEYS: usize = 25;

/// Slices of one block: words.
#[derive(Clone, Copy)]
pub struct Plain;

impl Logic for Plain {
    type W = u32;
    #[inline(always)]
    fn and(self, a: u32, b: u32) -> u32 {
        a & b
    }
    #[inline(always)]
    fn or(self, a: u32, b: u32) -> u32 {
        a | b
    }
    #[inline(always)]
    fn xor(self, a: u32, b: u32) -> u32 {
        a ^ b
    }
    #[inline(always)]
    fn not(self, a: u32) -> u32 {
        !a
    }
    #[inline(always)]
    fn but(self, a: u32, b: u32) -> u32 {
        !a & b
    }
    #[inline(always)]
    fn rol<const N: i32>(self, a: u32) -> u32 {
        a.rotate_left(N as u32)
    }
    #[inline(always)]
    fn shl<const N: i32>(self, a: u32) -> u32 {
        a << N
    }
}

/// `$body` for each `$i` of the numbers, written out.
macro_rules! each {
    ($i:ident of $($n:literal)*, $body:block) => {$({
        const $i: usize = $n;
        $body
    })*};
}

/// What is added to each word of the key schedule. From memory, since a constant the compiler would add behind the word
/// before, for which all wait.
static NUMBERS: [u32; 4 * SUBKEYS] = {
    let (mut numbers, mut i) = ([0; 4 * SUBKEYS], 0);
    while i < numbers.len() {
        numbers[i] = 0x9e37_79b9 ^ i as u32;
        i += 1;
    }
    numbers
};

/// The words of the key schedule, four in a row for each subkey, which the S-boxes are still to go over.
#[inline(always)]
fn prekeys(key: &[u8], keys: &mut [Block; SUBKEYS]) {
    let mut padded = [0; 32];
    padded[..key.len()].copy_from_slice(key);
    if let Some(next) = padded.get_mut(key.len()) {
        *next = 1;
    }
    let mut w: [u32; 8] = std::array::from_fn(|i| le32(&padded, i));
    padded.as_mut_slice().wipe();
    // Word `i` of the key schedule is in place `i % 8` of the last eight.
    macro_rules! next {
        ($i:ident, $to:expr, $numbers:expr) => {{
            let sum = w[$i] ^ w[($i + 3) % 8] ^ w[($i + 5) % 8] ^ $numbers[$i];
            w[$i] = (w[($i + 7) % 8] ^ sum).rotate_left(11);
            $to[$i / 4].as_chunks_mut::<4>().0[$i % 4] = w[$i].to_le_bytes();
        }};
    }
    let (pairs, last) = keys.as_chunks_mut::<2>();
    let (eights, four) = NUMBERS.as_chunks::<8>();
    for (pair, numbers) in pairs.iter_mut().zip(eights) {
        each!(I of 0 1 2 3 4 5 6 7, { next!(I, pair, numbers) });
    }
    each!(I of 0 1 2 3, { next!(I, last, four) });
    w.as_mut_slice().wipe();
}

/// The subkeys of a key: of those that go through the same S-box, which are three or four, all at once.
#[inline(always)]
pub fn subkeys<B: Backend>(b: B, key: &[u8], keys: &mut [Block; SUBKEYS]) {
    prekeys(key, keys);
    each!(I of 0 1 2 3 4 5 6 7, {
        let mut x = [b.load(&keys[I]), b.load(&keys[I + 8]), b.load(&keys[I + 16]), b.zero()];
        if I == 0 {
            x[3] = b.load(&keys[24]);
        }
        let x = b.transpose32(sbox::<_, { (11 - I) % 8 }>(Slices(b), b.transpose32(x)));
        for i in 0..3 {
            b.store(&mut keys[I + 8 * i], x[i]);
        }
        if I == 0 {
            b.store(&mut keys[24], x[3]);
        }
    });
}

/// Where the slices of subkeys come from. (A closure may not be inlined where it is called so often,
/// and then it is not compiled for the instructions of the function that calls it.)
pub trait Subkeys<L: Logic> {
    /// Subkey `i`.
    fn subkey(&self, l: L, i: usize) -> [L::W; 4];
}

impl Subkeys<Plain> for [Block; SUBKEYS] {
    #[inline(always)]
    fn subkey(&self, _: Plain, i: usize) -> [u32; 4] {
        four(&self[i])
    }
}

/// Four words.
#[inline(always)]
pub fn four(bytes: &[u8]) -> [u32; 4] {
    [le32(bytes, 0), le32(bytes, 1), le32(bytes, 2), le32(bytes, 3)]
}

/// The outcome of rounds 24, 18 and 12.
#[inline(always)]
pub fn encrypt<L: Logic>(l: L, mut x: [L::W; 4], keys: &impl Subkeys<L>) -> [[L::W; 4]; 3] {
    let (mut twelfth, mut eighteenth) = (x, x);
    each!(R of 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23, {
        x = transform(l, sbox::<L, { R % 8 }>(l, add(l, x, keys.subkey(l, R))));
        if R == 11 {
            twelfth = x;
        } else if R == 17 {
            eighteenth = x;
        }
    });
    [add(l, x, keys.subkey(l, 24)), eighteenth, twelfth]
}

/// A subkey added.
#[inline(always)]
fn add<L: Logic>(l: L, x: [L::W; 4], k: [L::W; 4]) -> [L::W; 4] {
    [l.xor(x[0], k[0]), l.xor(x[1], k[1]), l.xor(x[2], k[2]), l.xor(x[3], k[3])]
}

/// Serpent's linear transformation.
#[inline(always)]
fn transform<L: Logic>(l: L, [a, b, c, d]: [L::W; 4]) -> [L::W; 4] {
    let (a, c) = (l.rol::<13>(a), l.rol::<3>(c));
    let b = l.rol::<1>(l.xor(b, l.xor(a, c)));
    let d = l.rol::<7>(l.xor(l.xor(d, c), l.shl::<3>(a)));
    let a = l.rol::<5>(l.xor(l.xor(a, b), d));
    let c = l.rol::<22>(l.xor(l.xor(c, d), l.shl::<7>(b)));
    [a, b, c, d]
}
