//! The cost of a product in GF(2^128): the two ways of the comb paper (Bogdanov, Lauridsen and
//! Tischhauser 2014, sect. 6.3 and 6.4, Fig. 4) and the ways between them.
//!
//! The *classical* way multiplies by Karatsuba's three carry-less products and reduces by shifts
//! (Gueron and Kounavis 2010). The *Haswell* way multiplies by four products and reduces by two
//! more (Gueron 2013). Aggregated reduction (Jankowski and Laurent 2011) sums several products
//! before one reduction. All of it is in POLYVAL's form of GCM's field (RFC 8452, sect. 3), in
//! which a product carries the factor x^-128 and no bits are reflected.

use super::timer::{Cost, Timer};
use combseal::Cpu;
use combseal::cpu::{Backend, Block, Kernel};
use std::hint::black_box;

/// How to multiply and how to reduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// Karatsuba's three products instead of four.
    pub karatsuba: bool,
    /// Reduction by shifts instead of two products.
    pub shifts: bool,
}

impl Method {
    /// Classical, Haswell, and the two between.
    pub const ALL: [Method; 4] = [
        Method { karatsuba: true, shifts: true },
        Method { karatsuba: false, shifts: false },
        Method { karatsuba: false, shifts: true },
        Method { karatsuba: true, shifts: false },
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match (self.karatsuba, self.shifts) {
            (true, true) => "classical: 3 products, shifts",
            (false, false) => "Haswell: 4 products, 2 to reduce",
            (false, true) => "4 products, shifts",
            (true, false) => "3 products, 2 to reduce",
        }
    }
}

/// x^127 + x^126 + x^121 of the modulus, divided by x^64.
static FOLD: Block = (0xc2u128 << 120 | 0xc2u128 << 56).to_le_bytes();
/// Ones in the low half.
static LOW: Block = (u64::MAX as u128).to_le_bytes();

/// The 256-bit product of each block: low half, middle, high half, overlapping by 64 bits.
type Wide<V> = [V; 3];

#[inline(always)]
fn wide<B: Backend, const KARATSUBA: bool>(b: B, x: B::V, h: B::V) -> Wide<B::V> {
    let (low, high) = (b.clmul::<0x00>(x, h), b.clmul::<0x11>(x, h));
    let mid = if KARATSUBA {
        let (x, h) = (b.xor(x, b.swap(x)), b.xor(h, b.swap(h)));
        b.xor(b.clmul::<0x00>(x, h), b.xor(low, high))
    } else {
        b.xor(b.clmul::<0x01>(x, h), b.clmul::<0x10>(x, h))
    };
    [low, mid, high]
}

/// A product times x^-128, modulo x^128 + x^127 + x^126 + x^121 + 1.
#[inline(always)]
fn reduce<B: Backend, const SHIFTS: bool>(b: B, [low, mid, high]: Wide<B::V>) -> B::V {
    if !SHIFTS {
        let fold = |v| b.xor(b.swap(v), b.clmul::<0x00>(v, b.splat(&FOLD)));
        return b.xor(high, fold(b.xor(mid, fold(low))));
    }
    let low_half = |v| b.and(v, b.splat(&LOW));
    let (mid_low, mid_high) = (b.swap(low_half(mid)), low_half(b.swap(mid)));
    let (low, high) = (b.xor(low, mid_low), b.xor(high, mid_high));
    // What the lowest 64 bits add to the next, then all 128 at once.
    let left = |v| b.xor(b.shl64(v, 63), b.xor(b.shl64(v, 62), b.shl64(v, 57)));
    let right = |v| b.xor(b.shr64(v, 1), b.xor(b.shr64(v, 2), b.shr64(v, 7)));
    let v = b.xor(low, b.swap(low_half(left(low))));
    let down = low_half(b.swap(left(v)));
    b.xor(high, b.xor(v, b.xor(right(v), down)))
}

/// `x * h * x^-128` in each block.
#[inline(always)]
fn mul<B: Backend, const K: bool, const S: bool>(b: B, x: B::V, h: B::V) -> B::V {
    reduce::<B, S>(b, wide::<B, K>(b, x, h))
}

/// `CHAINS` registers, each multiplied by `h` again and again: with one, all waits for the
/// product before, as in McOE-G or COBRA; with eight, as in these over eight messages.
struct Chains<'a, const CHAINS: usize, const K: bool, const S: bool> {
    turns: usize,
    h: &'a Block,
    x: &'a mut [Block; 32],
}

impl<const CHAINS: usize, const K: bool, const S: bool> Kernel for Chains<'_, CHAINS, K, S> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let bytes = self.x.as_flattened_mut();
        let h = b.splat(self.h);
        let mut x: [B::V; CHAINS] = [b.zero(); CHAINS];
        for j in 0..CHAINS {
            x[j] = b.load(&bytes[j * B::BYTES..]);
        }
        for _ in 0..self.turns {
            for j in 0..CHAINS {
                x[j] = mul::<B, K, S>(b, x[j], h);
            }
        }
        for j in 0..CHAINS {
            b.store(&mut bytes[j * B::BYTES..], x[j]);
        }
    }
}

/// A hash of blocks, `AT_ONCE` products between reductions, one block a register.
struct Hash<'a, const AT_ONCE: usize, const K: bool, const S: bool> {
    powers: &'a [Block; 8],
    data: &'a [Block],
}

impl<const AT_ONCE: usize, const K: bool, const S: bool> Kernel for Hash<'_, AT_ONCE, K, S> {
    type Out = Block;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Block {
        let b = b.one();
        let mut y = b.zero();
        for group in self.data.as_chunks::<AT_ONCE>().0 {
            let mut sum = [b.zero(); 3];
            for j in 0..AT_ONCE {
                let x = b.load(&group[j]);
                let x = if j == 0 { b.xor(x, y) } else { x };
                let part = wide::<_, K>(b, x, b.load(&self.powers[AT_ONCE - 1 - j]));
                for i in 0..3 {
                    sum[i] = b.xor(sum[i], part[i]);
                }
            }
            y = reduce::<_, S>(b, sum);
        }
        let mut out = [0; 16];
        b.store(&mut out, y);
        out
    }
}

/// `x * h * x^-128` a bit at a time, as the definition says: what the others are tested against.
pub fn reference(x: u128, h: u128) -> u128 {
    let mut product = 0;
    for i in (0..128).rev() {
        // product / x: an odd one takes the modulus first.
        let times_h = if x >> (127 - i) & 1 == 1 { h } else { 0 };
        product ^= times_h;
        product = product >> 1 ^ if product & 1 == 1 { 0xe1 << 120 } else { 0 };
    }
    product
}

/// The powers h, h^2, … h^8, each with the factor x^-128 of a product.
fn powers(h: &Block) -> [Block; 8] {
    let h = u128::from_le_bytes(*h);
    let mut power = h;
    std::array::from_fn(|i| {
        if i > 0 {
            power = reference(power, h);
        }
        power.to_le_bytes()
    })
}

/// Calls `$do!(K, S)` with the constants of a method.
macro_rules! with_method {
    ($method:expr, $do:ident) => {
        match ($method.karatsuba, $method.shifts) {
            (true, true) => $do!(true, true),
            (true, false) => $do!(true, false),
            (false, true) => $do!(false, true),
            (false, false) => $do!(false, false),
        }
    };
}

/// Multiplies 1, 2, 4 or 8 registers of blocks by `h`, `turns` times.
fn chains(cpu: Cpu, method: Method, count: usize, turns: usize, h: &Block, x: &mut [Block; 32]) {
    macro_rules! go {
        ($k:literal, $s:literal) => {
            match count {
                1 => cpu.run(Chains::<1, $k, $s> { turns, h, x }),
                2 => cpu.run(Chains::<2, $k, $s> { turns, h, x }),
                4 => cpu.run(Chains::<4, $k, $s> { turns, h, x }),
                _ => cpu.run(Chains::<8, $k, $s> { turns, h, x }),
            }
        };
    }
    with_method!(method, go)
}

/// Hashes `data` with 1, 4 or 8 products between reductions.
fn hash(cpu: Cpu, method: Method, at_once: usize, powers: &[Block; 8], data: &[Block]) -> Block {
    macro_rules! go {
        ($k:literal, $s:literal) => {
            match at_once {
                1 => cpu.run(Hash::<1, $k, $s> { powers, data }),
                4 => cpu.run(Hash::<4, $k, $s> { powers, data }),
                _ => cpu.run(Hash::<8, $k, $s> { powers, data }),
            }
        };
    }
    with_method!(method, go)
}

/// Registers in flight that are measured.
pub const IN_FLIGHT: [usize; 4] = [1, 2, 4, 8];
/// Products between reductions that are measured.
pub const AT_ONCE: [usize; 3] = [1, 4, 8];

/// One method on one tier.
#[derive(Clone, Debug)]
pub struct Row {
    /// The tier.
    pub cpu: Cpu,
    /// The method.
    pub method: Method,
    /// Cycles a product, by registers in flight ([`IN_FLIGHT`]).
    pub product: [Cost; 4],
    /// Cycles a block of a hash, by products between reductions ([`AT_ONCE`]).
    pub hash: [Cost; 3],
}

/// Measures every method on every tier that has instructions for it: a second or two.
pub fn measure(timer: &mut Timer) -> Vec<Row> {
    let h: Block = std::array::from_fn(|i| 17 * i as u8 + 3);
    let powers = powers(&h);
    let data = vec![h; 256];
    let mut rows = Vec::new();
    for cpu in Cpu::all().filter(|c| c.is_hardware()) {
        for method in Method::ALL {
            let mut x = [h; 32];
            let product = IN_FLIGHT.map(|count| {
                let turns = 256;
                let products = turns * count * cpu.blocks();
                timer.cost(products, || chains(cpu, method, count, turns, black_box(&h), black_box(&mut x)))
            });
            let hash = AT_ONCE.map(|at_once| {
                let run = || _ = black_box(hash(cpu, method, at_once, black_box(&powers), black_box(&data)));
                timer.cost(data.len(), run)
            });
            rows.push(Row { cpu, method, product, hash });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Random;

    /// RFC 8452, Appendix A: a * b * x^-128.
    #[test]
    fn the_rfcs_example() {
        let number = |hex: &str| {
            let bytes: Vec<u8> = (0..16).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect();
            u128::from_le_bytes(bytes.try_into().unwrap())
        };
        let a = number("66e94bd4ef8a2c3b884cfa59ca342b2e");
        let b = number("ff000000000000000000000000000000");
        assert_eq!(reference(a, b), number("ebe563401e7e91ea3ad6426b8140c394"));
        assert_eq!(reference(a, b), reference(b, a));
    }

    #[test]
    fn every_way_is_the_reference() {
        let mut random = Random::new(128);
        // The wide software tiers have no code for these, and take the narrow one's.
        for cpu in Cpu::all().filter(|cpu| !cpu.is_wide_soft()) {
            for method in Method::ALL {
                for count in IN_FLIGHT {
                    let (mut h, mut x) = ([0; 16], [[0; 16]; 32]);
                    random.fill(&mut h);
                    random.fill(x.as_flattened_mut());
                    let of = |x: Block| {
                        let h = u128::from_le_bytes(h);
                        (0..3).fold(u128::from_le_bytes(x), |x, _| reference(x, h)).to_le_bytes()
                    };
                    let want = x.map(of);
                    chains(cpu, method, count, 3, &h, &mut x);
                    let blocks = count * cpu.blocks();
                    assert_eq!(x[..blocks], want[..blocks], "{cpu:?} {method:?} {count}");
                }
            }
        }
    }

    #[test]
    fn aggregated_or_not() {
        let mut random = Random::new(256);
        let mut data = [[0; 16]; 16];
        random.fill(data.as_flattened_mut());
        let h = [0x5b; 16];
        let number = u128::from_le_bytes;
        let want = data.iter().fold(0, |y, x| reference(y ^ number(*x), number(h)));
        for cpu in Cpu::all() {
            for method in Method::ALL {
                for at_once in AT_ONCE {
                    let y = hash(cpu, method, at_once, &powers(&h), &data);
                    assert_eq!(number(y), want, "{cpu:?} {method:?} {at_once}");
                }
            }
        }
    }
}
