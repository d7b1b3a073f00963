//! Every operation of every backend against the model with registers of the
//! same width, and against what plain integers or FIPS 197 say.

use super::*;
use std::{format, string::String, vec, vec::Vec};

/// Bytes that look random and are the same every time (SplitMix64).
struct Bytes(u64);
impl Bytes {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
    fn take(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.word() as u8).collect()
    }
}

/// The model with registers as wide as those of `cpu`.
fn model(cpu: Cpu) -> Cpu {
    let name = format!("model{}", cpu.blocks());
    Cpu::every().find(|cpu| cpu.name() == name).unwrap()
}

/// The tiers, with the models, that this machine can run.
fn tiers() -> impl Iterator<Item = (Cpu, usize)> {
    Cpu::every().map(|cpu| (cpu, 16 * cpu.blocks()))
}

/// One operation on registers.
#[derive(Clone, Copy, Debug)]
enum Op {
    Load,
    LoadPart,
    Store,
    StorePart,
    Keep(usize),
    Splat,
    Widen,
    Fold,
    Top,
    Zero,
    Xor,
    And,
    Or,
    Rev,
    Permute,
    Swap,
    Double,
    EveryOther(bool),
    Add32,
    Add64,
    Add128,
    Clmul00,
    Clmul11,
    Clmul01,
    Clmul10,
    One,
    Two,
    Wide,
    Rol7,
    Rol8,
    Rol12,
    Rol16,
    Shl1,
    Shl31,
    Shl32,
    Shr1,
    Shr31,
    Shr32,
    ShlLanes,
    ShrLanes,
    Funnel64(u32),
    Funnel32(u32),
    Funnel16(u32),
    Lookup,
    Splat32,
    Splat64,
    Turn1,
    Turn2,
    Turn3,
    LowHalves,
    HighHalves,
    Mul32,
    Madd52Low,
    Madd52High,
}

/// A permutation of a block's bytes.
const PLACES: Block = [7, 0, 13, 10, 11, 4, 1, 14, 15, 8, 5, 2, 3, 12, 9, 6];

/// A table of words, all different.
static TABLE: [u32; 16] = {
    let mut t = [0; 16];
    let mut i = 0;
    while i < 16 {
        t[i] = (i as u32 + 1).wrapping_mul(0x9e37_79b1);
        i += 1;
    }
    t
};

/// What stands around a destination and must stay.
const GUARD: u8 = 0xa5;

/// `op` of the registers at `x` and `y`, stored between `GUARD`s. `x` is a whole
/// register but for `LoadPart` and `StorePart`; the latter stores as many bytes
/// of `y` as `x` has.
struct Run<'a> {
    op: Op,
    x: &'a [u8],
    y: &'a [u8],
}
impl Kernel for Run<'_> {
    const MODELS: Models = Models::All;
    type Out = Vec<u8>;
    const ON_WIDE_SOFT: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Vec<u8> {
        let Run { op, x, y } = self;
        let mut out = vec![GUARD; 3 * B::BYTES + x.len()];
        let at = B::BYTES;
        if let Op::StorePart = op {
            b.store_part(&mut out[at..at + x.len()], b.load(y));
            return out;
        }
        if let Op::LoadPart = op {
            b.store(&mut out[at..], b.load_part(x));
            return out;
        }
        let mut block = [0; 16];
        block.copy_from_slice(&x[..16]);
        let (one, two) = (b.one(), b.two());
        let (u, v) = (b.load(x), b.load(y));
        let z = match op {
            Op::Load => u,
            Op::Store => {
                // To just as many bytes as it needs.
                b.store(&mut out[at..at + B::BYTES], u);
                return out;
            }
            Op::EveryOther(odd) => {
                b.store_every_other(&mut out[at..at + B::BYTES], u, odd);
                return out;
            }
            Op::Keep(n) => b.keep(u, n),
            Op::Splat => b.splat(&block),
            Op::Widen => b.widen(one.load(x)),
            Op::Fold => b.widen(b.fold(u)),
            Op::Top => b.widen(b.top(u)),
            Op::Zero => b.zero(),
            Op::Xor => b.xor(u, v),
            Op::And => b.and(u, v),
            Op::Or => b.or(u, v),
            Op::Rev => b.rev(u),
            Op::Permute => b.permute(u, &PLACES),
            Op::Swap => b.swap(u),
            Op::Double => b.double(u),
            Op::Add32 => b.add32(u, v),
            Op::Add64 => b.add64(u, v),
            Op::Add128 => b.add128(u, v),
            Op::Clmul00 => b.clmul::<0x00>(u, v),
            Op::Clmul11 => b.clmul::<0x11>(u, v),
            Op::Clmul01 => b.clmul::<0x01>(u, v),
            Op::Clmul10 => b.clmul::<0x10>(u, v),
            Op::One => {
                for i in 0..B::BLOCKS {
                    one.store(&mut out[at + 16 * i..], one.xor(one.load(&x[16 * i..]), one.load(&y[16 * i..])));
                }
                return out;
            }
            Op::Two => {
                let step = B::Two::BYTES.min(B::BYTES);
                for i in (0..B::BYTES).step_by(step) {
                    two.store(&mut out[at + i..], two.xor(two.load(&x[i..]), two.load(&y[i..])));
                }
                return out;
            }
            Op::Wide => {
                // Registers that are wider have their first blocks compared.
                let (wide, n) = (b.wide(), B::Wide::BYTES);
                let (x, y) = (x.repeat(n / B::BYTES), y.repeat(n / B::BYTES));
                let mut all = vec![0; n];
                wide.store(&mut all, wide.xor(wide.load(&x), wide.load(&y)));
                out[at..at + B::BYTES].copy_from_slice(&all[..B::BYTES]);
                return out;
            }
            Op::Rol7 => b.rol32::<7>(u),
            Op::Rol8 => b.rol32::<8>(u),
            Op::Rol12 => b.rol32::<12>(u),
            Op::Rol16 => b.rol32::<16>(u),
            Op::Shl1 => b.shl32::<1>(u),
            Op::Shl31 => b.shl32::<31>(u),
            Op::Shl32 => b.shl32::<32>(u),
            Op::Shr1 => b.shr32::<1>(u),
            Op::Shr31 => b.shr32::<31>(u),
            Op::Shr32 => b.shr32::<32>(u),
            Op::ShlLanes => b.shl64_lanes(u, v),
            Op::ShrLanes => b.shr64_lanes(u, v),
            // Known to the compiler, as wherever the operation is used; and not.
            Op::Funnel64(1) => b.funnel64(u, v, 1),
            Op::Funnel64(n) => b.funnel64(u, v, n),
            Op::Funnel32(1) => b.funnel32(u, v, 1),
            Op::Funnel32(n) => b.funnel32(u, v, n),
            Op::Funnel16(1) => b.funnel16(u, v, 1),
            Op::Funnel16(n) => b.funnel16(u, v, n),
            Op::Lookup => b.lookup16(&TABLE, u),
            Op::Splat32 => b.splat32(u32::from_le_bytes(*x.first_chunk().unwrap())),
            Op::Splat64 => b.splat64(u64::from_le_bytes(*x.first_chunk().unwrap())),
            Op::Turn1 => b.turn32::<1>(u),
            Op::Turn2 => b.turn32::<2>(u),
            Op::Turn3 => b.turn32::<3>(u),
            Op::LowHalves => b.low_halves(u, v),
            Op::HighHalves => b.high_halves(u, v),
            Op::Mul32 => b.mul32(u, v),
            Op::Madd52Low => b.madd52_low(u, v, b.swap(u)),
            Op::Madd52High => b.madd52_high(u, v, b.swap(u)),
            Op::LoadPart | Op::StorePart => unreachable!(),
        };
        b.store(&mut out[at..], z);
        out
    }
}

/// Runs `op` on `cpu` and on its model; what they agree on.
fn agreed(cpu: Cpu, op: Op, x: &[u8], y: &[u8]) -> Vec<u8> {
    let z = cpu.run(Run { op, x, y });
    let expected = model(cpu).run(Run { op, x, y });
    assert_eq!(z, expected, "{cpu:?} {op:?} {x:02x?} {y:02x?}");
    z
}

/// `f` of each pair of blocks, between guards: what `Run` should give.
fn blockwise(x: &[u8], y: &[u8], f: impl Fn(u128, u128) -> u128) -> Vec<u8> {
    let block = |b: &[u8]| u128::from_le_bytes(b.try_into().unwrap());
    let mut out = vec![GUARD; 4 * x.len()];
    for i in (0..x.len()).step_by(16) {
        let z = f(block(&x[i..i + 16]), block(&y[i..i + 16]));
        out[x.len() + i..][..16].copy_from_slice(&z.to_le_bytes());
    }
    out
}

/// `a` and `b` in lanes of `bits` bits, added.
fn add_lanes(a: u128, b: u128, bits: u32) -> u128 {
    let mask = u128::MAX >> (128 - bits);
    (0..128 / bits).fold(0, |z, i| z | ((a >> (i * bits)).wrapping_add(b >> (i * bits)) & mask) << (i * bits))
}

fn clmul(a: u64, b: u64) -> u128 {
    (0..64).fold(0, |z, i| if b >> i & 1 == 1 { z ^ (a as u128) << i } else { z })
}

#[test]
fn operations() {
    let mut random = Bytes(1);
    for (cpu, bytes) in tiers() {
        for _ in 0..64 {
            let (x, y) = (random.take(bytes), random.take(bytes));
            for op in [Op::Load, Op::Store, Op::Zero, Op::Splat, Op::Widen, Op::Fold, Op::Top] {
                agreed(cpu, op, &x, &y);
            }
            let check = |op, f: &dyn Fn(u128, u128) -> u128| {
                assert_eq!(agreed(cpu, op, &x, &y), blockwise(&x, &y, f), "{cpu:?} {op:?}");
            };
            check(Op::Xor, &|a, b| a ^ b);
            check(Op::One, &|a, b| a ^ b);
            check(Op::Two, &|a, b| a ^ b);
            check(Op::And, &|a, b| a & b);
            check(Op::Or, &|a, b| a | b);
            check(Op::Rev, &|a, _| a.swap_bytes());
            check(Op::Permute, &|a, _| {
                u128::from_le_bytes(std::array::from_fn(|i| a.to_le_bytes()[usize::from(PLACES[i])]))
            });
            check(Op::Swap, &|a, _| a.rotate_left(64));
            check(Op::Double, &|a, _| a << 1 ^ (a >> 127) * 0x87);
            check(Op::Add32, &|a, b| add_lanes(a, b, 32));
            check(Op::Add64, &|a, b| add_lanes(a, b, 64));
            check(Op::Wide, &|a, b| a ^ b);
        }
    }
}

/// `f` of the halves of `a`, of `b` and of `a` exchanged.
fn by_halves(a: u128, b: u128, f: impl Fn(u64, u64, u64) -> u64) -> u128 {
    let (low, high) = (|x: u128| x as u64, |x: u128| (x >> 64) as u64);
    u128::from(f(high(a), high(b), low(a))) << 64 | u128::from(f(low(a), low(b), high(a)))
}

/// What ChaCha20, Poly1305 and the archive's stream ciphers are made of, of any numbers and of those that fill all bits.
#[test]
fn words() {
    let mut random = Bytes(12);
    for (cpu, bytes) in tiers() {
        for round in 0..64 {
            let mut take = || if round % 8 == 0 { vec![0xff; bytes] } else { random.take(bytes) };
            let (x, y) = (take(), take());
            let check = |op, f: &dyn Fn(u128, u128) -> u128| {
                assert_eq!(agreed(cpu, op, &x, &y), blockwise(&x, &y, f), "{cpu:?} {op:?}");
            };
            let each = |op, f: &dyn Fn(u32) -> u32| {
                check(op, &|a, _| (0..4).fold(0, |z, i| z | u128::from(f((a >> (32 * i)) as u32)) << (32 * i)));
            };
            each(Op::Rol7, &|w| w.rotate_left(7));
            each(Op::Rol8, &|w| w.rotate_left(8));
            each(Op::Rol12, &|w| w.rotate_left(12));
            each(Op::Rol16, &|w| w.rotate_left(16));
            each(Op::Shl1, &|w| w << 1);
            each(Op::Shl31, &|w| w << 31);
            each(Op::Shl32, &|_| 0);
            each(Op::Shr1, &|w| w >> 1);
            each(Op::Shr31, &|w| w >> 31);
            each(Op::Shr32, &|_| 0);
            // The same of two registers, by words of so many bits.
            let funnel = |bits: u32, n: u32| {
                move |a: u128, b: u128| {
                    let mask = u128::MAX >> (128 - bits);
                    (0..128 / bits).fold(0, |z, i| {
                        let (a, b) = (a >> (i * bits) & mask, b >> (i * bits) & mask);
                        z | ((a << n | b >> (bits - n)) & mask) << (i * bits)
                    })
                }
            };
            for n in [1, 2, 7, 8, 13, 15] {
                check(Op::Funnel16(n), &funnel(16, n));
                check(Op::Funnel32(n), &funnel(32, n));
                check(Op::Funnel64(n), &funnel(64, n));
            }
            for n in [16, 17, 31] {
                check(Op::Funnel32(n), &funnel(32, n));
                check(Op::Funnel64(n), &funnel(64, n));
            }
            for n in [32, 33, 63] {
                check(Op::Funnel64(n), &funnel(64, n));
            }
            each(Op::Lookup, &|w| TABLE[(w & 15) as usize]);
            check(Op::Turn1, &|a, _| a.rotate_right(32));
            check(Op::Turn2, &|a, _| a.rotate_right(64));
            check(Op::Turn3, &|a, _| a.rotate_right(96));
            check(Op::LowHalves, &|a, b| b << 64 | u128::from(a as u64));
            check(Op::HighHalves, &|a, b| b >> 64 << 64 | a >> 64);
            check(Op::Mul32, &|a, b| by_halves(a, b, |a, b, _| u64::from(a as u32) * u64::from(b as u32)));
            let product = |b: u64, c: u64| u128::from(b << 12 >> 12) * u128::from(c << 12 >> 12);
            check(Op::Madd52Low, &|a, b| by_halves(a, b, |a, b, c| a.wrapping_add((product(b, c) as u64) << 12 >> 12)));
            check(Op::Madd52High, &|a, b| by_halves(a, b, |a, b, c| a.wrapping_add((product(b, c) >> 52) as u64)));
            let first = u128::from_le_bytes(*x.first_chunk().unwrap());
            check(Op::Splat32, &|_, _| u128::from(first as u32) * 0x0000_0001_0000_0001_0000_0001_0000_0001);
            check(Op::Splat64, &|_, _| u128::from(first as u64) * 0x0000_0000_0000_0001_0000_0000_0000_0001);
        }
    }
}

/// Each block shifted by a number of its own, of any size.
#[test]
fn shifts_by_lanes() {
    let mut random = Bytes(13);
    for (cpu, bytes) in tiers() {
        for first in 0..64 {
            let numbers = [0, 1, 2, 31, 32, 33, 62, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1 << 32, u64::MAX];
            let counts = (0..cpu.blocks()).map(|i| numbers[(first + 5 * i) % numbers.len()].to_le_bytes());
            let (x, n): (_, Vec<u8>) = (random.take(bytes), counts.flat_map(|n| [n, n].concat()).collect());
            let shift = |by: fn(u64, u32) -> Option<u64>| {
                move |a: u128, n: u128| {
                    let half = |a: u64| u32::try_from(n as u64).ok().and_then(|n| by(a, n)).unwrap_or(0);
                    u128::from(half((a >> 64) as u64)) << 64 | u128::from(half(a as u64))
                }
            };
            assert_eq!(agreed(cpu, Op::ShlLanes, &x, &n), blockwise(&x, &n, shift(u64::checked_shl)), "{cpu:?}");
            assert_eq!(agreed(cpu, Op::ShrLanes, &x, &n), blockwise(&x, &n, shift(u64::checked_shr)), "{cpu:?}");
        }
    }
}

/// Lanes: what goes to all of them, comes from all, and comes from the last.
#[test]
fn lanes() {
    let mut random = Bytes(2);
    for (cpu, bytes) in tiers() {
        let x = random.take(bytes);
        let all = |b: &[u8]| b.repeat(cpu.blocks());
        let mid = |z: Vec<u8>| z[bytes..2 * bytes].to_vec();
        let mut sum = [0; 16];
        for (i, b) in x.iter().enumerate() {
            sum[i % 16] ^= b;
        }
        assert_eq!(mid(agreed(cpu, Op::Splat, &x, &x)), all(&x[..16]), "{cpu:?}");
        assert_eq!(mid(agreed(cpu, Op::Widen, &x, &x)), all(&x[..16]), "{cpu:?}");
        assert_eq!(mid(agreed(cpu, Op::Fold, &x, &x)), all(&sum), "{cpu:?}");
        assert_eq!(mid(agreed(cpu, Op::Top, &x, &x)), all(&x[bytes - 16..]), "{cpu:?}");
        assert_eq!(mid(agreed(cpu, Op::Zero, &x, &x)), vec![0; bytes], "{cpu:?}");
        for odd in [false, true] {
            let mut every_other = x.clone();
            for (i, block) in every_other.chunks_mut(16).enumerate() {
                if (i % 2 == 1) != odd {
                    block.fill(GUARD);
                }
            }
            assert_eq!(mid(agreed(cpu, Op::EveryOther(odd), &x, &x)), every_other, "{cpu:?}");
        }
    }
}

/// Parts of a register, at every length and at every alignment.
#[test]
fn parts() {
    let mut random = Bytes(3);
    for (cpu, bytes) in tiers() {
        let y = random.take(bytes);
        for n in 0..=bytes + 3 {
            let within = n.min(bytes);
            for shift in [0, 1, 7] {
                // Ones all around what may be read.
                let mut around = vec![0xff; shift + n + bytes];
                let x = random.take(n);
                around[shift..shift + n].copy_from_slice(&x);
                let z = agreed(cpu, Op::LoadPart, &around[shift..shift + n], &[]);
                assert_eq!(z[bytes..bytes + within], x[..within], "{cpu:?} load_part {n}");
                assert!(z[bytes + within..2 * bytes].iter().all(|&b| b == 0), "{cpu:?} load_part {n}");
            }
            let z = agreed(cpu, Op::StorePart, &vec![0; n], &y);
            assert_eq!(z[bytes..bytes + within], y[..within], "{cpu:?} store_part {n}");
            let guards = z[..bytes].iter().chain(&z[bytes + within..]);
            assert!(guards.into_iter().all(|&b| b == GUARD), "{cpu:?} store_part {n}");
            let z = agreed(cpu, Op::Keep(n), &y, &y);
            assert_eq!(z[bytes..bytes + within], y[..within], "{cpu:?} keep {n}");
            assert!(z[bytes + within..2 * bytes].iter().all(|&b| b == 0), "{cpu:?} keep {n}");
        }
    }
}

/// `add128`'s carries, with every register's lanes taking different ones.
#[test]
fn carries() {
    let low = [0u64, 1, 2, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, u64::MAX - 1, u64::MAX];
    let high = [0u64, 1, 1 << 63, u64::MAX - 1, u64::MAX];
    let small = [0u64, 1, 2, 4, 255, 1 << 32, (1 << 62) + 1, (1 << 63) - 2, (1 << 63) - 1];
    let mut random = Bytes(4);
    for (cpu, bytes) in tiers() {
        let mut pairs = vec![];
        for l in low {
            for h in high {
                for n in small {
                    pairs.push(((h as u128) << 64 | l as u128, n as u128));
                }
            }
        }
        for _ in 0..256 {
            let a = (random.word() as u128) << 64 | random.word() as u128;
            pairs.push((a, (random.word() >> 1) as u128));
        }
        for (i, _) in pairs.iter().enumerate() {
            let lane = |k: usize| pairs[(i + 7 * k) % pairs.len()];
            let x: Vec<u8> = (0..bytes / 16).flat_map(|k| lane(k).0.to_le_bytes()).collect();
            let n: Vec<u8> = (0..bytes / 16).flat_map(|k| lane(k).1.to_le_bytes()).collect();
            assert_eq!(agreed(cpu, Op::Add128, &x, &n), blockwise(&x, &n, u128::wrapping_add), "{cpu:?}");
        }
    }
}

/// All four products of halves, also of the numbers that fill every column.
#[test]
fn products() {
    let mut random = Bytes(5);
    let mut edges = vec![0, 1, 1 << 63, u64::MAX, 0x1111_1111_1111_1111, 0x8888_8888_8888_8888, u64::MAX >> 4];
    edges.extend((0..64).map(|i| 1 << i));
    edges.extend((0..64).map(|i| u64::MAX >> i));
    edges.extend((0..8).map(|_| random.word()));
    for (cpu, bytes) in tiers() {
        let check = |x: &[u8], y: &[u8]| {
            let half = |v: u128, high: bool| (v >> if high { 64 } else { 0 }) as u64;
            for (op, h, i) in [
                (Op::Clmul00, false, false),
                (Op::Clmul11, true, true),
                (Op::Clmul01, true, false),
                (Op::Clmul10, false, true),
            ] {
                let expected = blockwise(x, y, |a, b| clmul(half(a, h), half(b, i)));
                assert_eq!(cpu.run(Run { op, x, y }), expected, "{cpu:?} {op:?} {x:02x?} {y:02x?}");
            }
        };
        for &a in &edges {
            for &b in &edges {
                let x = ((b as u128) << 64 | a as u128).to_le_bytes();
                let y = ((!a as u128) << 64 | b as u128).to_le_bytes();
                check(&x.repeat(bytes / 16), &y.repeat(bytes / 16));
            }
        }
        for _ in 0..256 {
            check(&random.take(bytes), &random.take(bytes));
        }
    }
}

/// A schedule for each lane of each register, key by key, and a mask that some
/// mode adds to the first and the last key.
struct Each<'a, A> {
    /// `keys[r]` is key `r` of every lane, in the order of use.
    keys: &'a [Vec<u8>],
    mask: &'a [u8],
    size: core::marker::PhantomData<A>,
}
impl<B: Backend, A: Aes> Keys<B> for Each<'_, A> {
    const ROUNDS: usize = A::Enc::ROUNDS;
    const SHARED: bool = false;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let k = b.load(&self.keys[r][j * B::BYTES..]);
        if r == 0 || r == A::Enc::ROUNDS { b.xor(k, b.load(&self.mask[j * B::BYTES..])) } else { k }
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        A::ROUNDS == 12
    }
}

/// `data` through the cipher, `M` registers at a time and blocks of zeros behind.
/// One key a block in `keys`, or one for all.
struct Cipher<'a, A, const M: usize> {
    keys: &'a [Vec<u8>],
    data: &'a [u8],
    mask: &'a [u8],
    decrypt: bool,
    size: core::marker::PhantomData<A>,
}
impl<A: Aes, const M: usize> Kernel for Cipher<'_, A, M> {
    const MODELS: Models = Models::All;
    type Out = Vec<u8>;
    const ON_WIDE_SOFT: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Vec<u8> {
        let mut schedules = vec![];
        for key in self.keys {
            let (mut enc, mut dec) = (A::Enc::zeroed(), A::Dec::zeroed());
            b.expand::<A>(key, &mut enc);
            b.invert::<A>(&enc, &mut dec);
            schedules.push((enc, dec));
        }
        let group = M * B::BYTES;
        let padded = self.data.len().next_multiple_of(group);
        let mut data = self.data.to_vec();
        data.resize(padded, 0);
        let mut mask = self.mask.to_vec();
        mask.resize(padded, 0);
        for at in (0..padded).step_by(group) {
            let mut x = [b.zero(); M];
            for j in 0..M {
                x[j] = b.load(&data[at + j * B::BYTES..]);
            }
            if let [(enc, dec)] = &schedules[..] {
                if self.decrypt {
                    b.decrypt(&Dec(enc, dec), &mut x);
                } else {
                    b.encrypt(&Enc(enc), &mut x);
                }
            } else {
                let mut keys = vec![vec![]; A::Enc::ROUNDS + 1];
                for i in 0..group / 16 {
                    let (enc, dec) = &schedules[(at / 16 + i) % schedules.len()];
                    for (r, row) in keys.iter_mut().enumerate() {
                        row.extend_from_slice(match r {
                            _ if !self.decrypt => enc.key(r),
                            0 => enc.key(A::Enc::ROUNDS),
                            r if r == A::Enc::ROUNDS => enc.key(0),
                            r => dec.key(r - 1),
                        });
                    }
                }
                let each = Each::<A> { keys: &keys, mask: &mask[at..], size: core::marker::PhantomData };
                if self.decrypt {
                    b.decrypt(&each, &mut x);
                } else {
                    b.encrypt(&each, &mut x);
                }
            }
            for j in 0..M {
                b.store(&mut data[at + j * B::BYTES..], x[j]);
            }
        }
        data.truncate(self.data.len());
        data
    }
}

const BLOCKS: usize = 70;

/// Blocks, masks and keys for the cipher.
struct Case {
    data: Vec<u8>,
    mask: Vec<u8>,
    keys: Vec<Vec<u8>>,
}
impl Case {
    fn new<A: Aes>(seed: u64) -> Self {
        let mut random = Bytes(seed);
        let (data, mask) = (random.take(16 * BLOCKS), random.take(16 * BLOCKS));
        Self { data, mask, keys: (0..BLOCKS).map(|_| random.take(A::KEY_LEN)).collect() }
    }
    fn kernel<'a, A: Aes, const M: usize>(&'a self, keys: usize, data: &'a [u8], decrypt: bool) -> Cipher<'a, A, M> {
        Cipher { keys: &self.keys[..keys], data, mask: &self.mask, decrypt, size: core::marker::PhantomData }
    }
    /// What the model with one block a register makes of it.
    #[inline(never)]
    fn expected<A: Aes>(&self, keys: usize) -> Vec<u8> {
        self.kernel::<A, 1>(keys, &self.data, false).run::<_, 1>(model::Model::<1>::TOKEN)
    }
}

/// `M` registers in flight, on every tier.
fn cipher<A: Aes, const M: usize>() {
    let case = Case::new::<A>(6 + M as u64);
    for keys in [1, 2, 3, BLOCKS] {
        let expected = case.expected::<A>(keys);
        for (cpu, _) in tiers() {
            for (from, to, decrypt) in [(&case.data, &expected, false), (&expected, &case.data, true)] {
                let got = cpu.run(case.kernel::<A, M>(keys, from, decrypt));
                assert_eq!(got, *to, "{} {cpu:?}, {M} registers, {keys} keys, {decrypt}", A::NAME);
            }
        }
    }
}

/// Few widths, as every one of them is compiled for every tier.
#[test]
fn ciphers() {
    cipher::<Aes128, 1>();
    cipher::<Aes128, 3>();
    cipher::<Aes128, 8>();
    cipher::<Aes192, 1>();
    cipher::<Aes256, 1>();
    cipher::<Aes256, 5>();
}

/// The cipher and its inverse, without and with other work between their rounds: what comes of them, and the steps of the work.
struct Interleaved<'a, A>(&'a [u8], &'a [u8], core::marker::PhantomData<A>);
struct Steps(Vec<usize>);
impl<B: Backend> Interleave<B> for Steps {
    #[inline(always)]
    fn step(&mut self, _: B, r: usize) {
        self.0.push(r);
    }
}
impl<A: Aes> Kernel for Interleaved<'_, A> {
    const MODELS: Models = Models::All;
    const ON_WIDE_SOFT: bool = true;
    type Out = ([Vec<u8>; 3], [Vec<usize>; 2]);
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Self::Out {
        let (mut enc, mut dec) = (A::Enc::zeroed(), A::Dec::zeroed());
        b.expand::<A>(self.0, &mut enc);
        b.invert::<A>(&enc, &mut dec);
        let mut x = [b.load(self.1), b.load(&self.1[B::BYTES..])];
        let (mut plain, mut steps) = (x, [Steps(vec![]), Steps(vec![])]);
        b.encrypt(&Enc(&enc), &mut plain);
        b.encrypt_interleaved(&Enc(&enc), &mut x, &mut steps[0]);
        let between = x;
        b.decrypt_interleaved(&Dec(&enc, &dec), &mut x, &mut steps[1]);
        let bytes = |x: [B::V; 2]| {
            let mut out = vec![0; 2 * B::BYTES];
            b.store(&mut out, x[0]);
            b.store(&mut out[B::BYTES..], x[1]);
            out
        };
        ([bytes(plain), bytes(between), bytes(x)], steps.map(|it| it.0))
    }
}

#[test]
fn interleaved() {
    fn of<A: Aes>() {
        let (key, data) = (Bytes(7).take(A::KEY_LEN), Bytes(8).take(128));
        for (cpu, _) in tiers() {
            let ([plain, between, back], steps) = cpu.run(Interleaved::<A>(&key, &data, core::marker::PhantomData));
            assert_eq!((&between, &back[..]), (&plain, &data[..plain.len()]), "{} {cpu:?}", A::NAME);
            let all: Vec<usize> = (1..A::Enc::ROUNDS).collect();
            assert_eq!(steps, [all.clone(), all], "{} {cpu:?}", A::NAME);
        }
    }
    of::<Aes128>();
    of::<Aes192>();
    of::<Aes256>();
}

/// `M` registers in flight, by the slices `B`.
fn sliced<B: Backend, A: Aes, const M: usize>(b: B) {
    let case = Case::new::<A>(30 + M as u64);
    for keys in [1, BLOCKS] {
        let expected = case.expected::<A>(keys);
        for (from, to, decrypt) in [(&case.data, &expected, false), (&expected, &case.data, true)] {
            let got = case.kernel::<A, M>(keys, from, decrypt).run::<B, 1>(b);
            assert_eq!(got, *to, "{}, {M} registers, {keys} keys, {decrypt}", A::NAME);
        }
    }
}

/// Every way to fill a group of bit slices, and more than one.
#[test]
fn groups() {
    macro_rules! widths {
        ($($m:literal)*) => {$(
            sliced::<_, Aes128, $m>(soft::Soft::TOKEN);
            sliced::<_, Aes128, $m>(soft::Soft64::TOKEN);
        )*};
    }
    widths!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    sliced::<_, Aes192, 8>(soft::Soft::TOKEN);
    sliced::<_, Aes192, 8>(soft::Soft64::TOKEN);
    sliced::<_, Aes256, 8>(soft::Soft::TOKEN);
    sliced::<_, Aes256, 8>(soft::Soft64::TOKEN);
    // Registers of several blocks: parts of a group, and more than one.
    #[cfg(all(feature = "wide-soft", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    {
        if let Some(b) = x86::Soft256::detect() {
            sliced::<_, Aes128, 7>(b);
            sliced::<_, Aes192, 9>(b);
            sliced::<_, Aes256, 16>(b);
        }
        if let Some(b) = x86::Soft512::detect() {
            sliced::<_, Aes128, 7>(b);
            sliced::<_, Aes192, 9>(b);
            sliced::<_, Aes256, 16>(b);
        }
    }
}

/// A round of `AESENC`, another and one of `AESENCLAST` on `M` registers, each with its key.
struct Rounds<'a, const M: usize> {
    data: &'a [u8],
    keys: &'a [u8],
}
impl<const M: usize> Kernel for Rounds<'_, M> {
    const MODELS: Models = Models::All;
    type Out = Vec<u8>;
    const ON_WIDE_SOFT: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Vec<u8> {
        let mut out = vec![];
        for at in (0..self.data.len()).step_by(M * B::BYTES) {
            let (mut x, mut k) = ([b.zero(); M], [b.zero(); M]);
            for j in 0..M {
                x[j] = b.load(&self.data[at + j * B::BYTES..]);
                k[j] = b.load(&self.keys[at + j * B::BYTES..]);
            }
            let x = b.last_round(b.round(b.round(x, k), k), k);
            out.resize(at + M * B::BYTES, 0);
            for j in 0..M {
                b.store(&mut out[at + j * B::BYTES..], x[j]);
            }
        }
        out
    }
}

fn round<const M: usize>() {
    let mut random = Bytes(50 + M as u64);
    // Four registers of the widest.
    let (data, keys) = (random.take(M * 256), random.take(M * 256));
    let run = |cpu: Cpu| cpu.run(Rounds::<M> { data: &data, keys: &keys });
    let expected = run(model(Cpu::soft()));
    for (cpu, _) in tiers() {
        assert_eq!(run(cpu), expected, "{cpu:?}, {M} registers");
    }
}

#[test]
fn rounds() {
    round::<1>();
    round::<5>();
    round::<6>();
    round::<8>();
    round::<9>();
}

/// The last round of a block in every lane.
struct LastRound(Block, Block);
impl Kernel for LastRound {
    const MODELS: Models = Models::All;
    type Out = Vec<u8>;
    const ON_WIDE_SOFT: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Vec<u8> {
        let [x] = b.last_round([b.splat(&self.0)], [b.splat(&self.1)]);
        let mut out = vec![0; B::BYTES];
        b.store(&mut out, x);
        out
    }
}

/// FIPS 197, appendix B: round 10, with its key.
#[test]
fn fips197_last_round() {
    let block = |hex_digits: &str| Block::try_from(hex(hex_digits)).unwrap();
    let (start, key) = (block("eb40f21e592e38848ba113e71bc342d2"), block("d014f9a8c9ee2589e13f0cc8b6630ca6"));
    for (cpu, bytes) in tiers() {
        let expected = hex("3925841d02dc09fbdc118597196a0b32").repeat(bytes / 16);
        assert_eq!(cpu.run(LastRound(start, key)), expected, "{cpu:?}");
    }
}

/// A key schedule alone: its first and last keys, which are plain.
struct Ends<'a, A>(&'a [u8], core::marker::PhantomData<A>);
impl<A: Aes> Kernel for Ends<'_, A> {
    const MODELS: Models = Models::All;
    type Out = [Block; 2];
    const ON_WIDE_SOFT: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> [Block; 2] {
        let mut enc = A::Enc::zeroed();
        b.expand::<A>(self.0, &mut enc);
        [*enc.key(0), *enc.key(A::Enc::ROUNDS)]
    }
}

fn hex(s: &str) -> Vec<u8> {
    let s: String = s.split_whitespace().collect();
    (0..s.len()).step_by(2).map(|i| u8::from_str_radix(&s[i..i + 2], 16).unwrap()).collect()
}

/// FIPS 197: one block, in and out.
fn fips<A: Aes>(key: &str, plain: &str, coded: &str) {
    let (keys, plain, coded) = ([hex(key)], hex(plain), hex(coded));
    for (cpu, _) in tiers() {
        for (data, to, decrypt) in [(&plain, &coded, false), (&coded, &plain, true)] {
            let kernel = Cipher::<A, 1> { keys: &keys, data, mask: &[], decrypt, size: core::marker::PhantomData };
            assert_eq!(cpu.run(kernel), *to, "{} {cpu:?}", A::NAME);
        }
    }
}

#[test]
fn fips197() {
    // Appendix B.
    fips::<Aes128>(
        "2b7e151628aed2a6abf7158809cf4f3c",
        "3243f6a8885a308d313198a2e0370734",
        "3925841d02dc09fbdc118597196a0b32",
    );
    // Appendix C.
    let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    let plain = "00112233445566778899aabbccddeeff";
    fips::<Aes128>(&key[..32], plain, "69c4e0d86a7b0430d8cdb78070b4c55a");
    fips::<Aes192>(&key[..48], plain, "dda97ca4864cdfe06eaf70a0ec0d7191");
    fips::<Aes256>(key, plain, "8ea2b7ca516745bfeafc49904b496089");
}

/// FIPS 197, appendix A: the last round key.
fn last_key<A: Aes>(key: &str, last: &str) {
    let key = hex(key);
    for (cpu, _) in tiers() {
        let [first, end] = cpu.run(Ends::<A>(&key, core::marker::PhantomData));
        assert_eq!(first[..], key[..16], "{} {cpu:?}", A::NAME);
        assert_eq!(end[..], hex(last), "{} {cpu:?}", A::NAME);
    }
}

#[test]
fn fips197_schedules() {
    last_key::<Aes128>("2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6");
    last_key::<Aes192>("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "e98ba06f448c773c8ecc720401002202");
    last_key::<Aes256>(
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        "fe4890d1e6188d0b046df344706c631e",
    );
}

/// A key schedule alone: the round keys, those of the inverse cipher, and whether two rounds are left out.
struct Places<'a, A>(&'a [u8], core::marker::PhantomData<A>);
impl<A: Aes> Kernel for Places<'_, A> {
    const MODELS: Models = Models::All;
    type Out = (Vec<Block>, Vec<Block>, bool);
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Self::Out {
        let (mut enc, mut dec) = (A::Enc::zeroed(), A::Dec::zeroed());
        b.one().expand::<A>(self.0, &mut enc);
        b.one().invert::<A>(&enc, &mut dec);
        (enc.keys().to_vec(), dec.keys().to_vec(), enc.leaves_out_two())
    }
}

/// Where AES-192 has no round keys there are zeros, and only there.
#[test]
fn places_of_round_keys() {
    fn zeros(keys: &[Block]) -> Vec<usize> {
        (0..keys.len()).filter(|&r| keys[r] == [0; 16]).collect()
    }
    for (cpu, _) in tiers() {
        let (enc, dec, less) = cpu.run(Places::<Aes192>(&[1; 24], core::marker::PhantomData));
        assert_eq!((zeros(&enc), zeros(&dec), less), (vec![1, 2], vec![0, 1], true), "{cpu:?}");
        let (enc, dec, less) = cpu.run(Places::<Aes256>(&[1; 32], core::marker::PhantomData));
        assert_eq!((zeros(&enc), zeros(&dec), less), (vec![], vec![], false), "{cpu:?}");
    }
    assert_eq!(size_of::<<Aes256 as Aes>::Enc>(), 241);
}

#[test]
fn comparison() {
    let mut random = Bytes(7);
    for n in 0..70 {
        let a = random.take(n);
        assert!(equal(&a, &a.clone()));
        assert!(!equal(&a, &random.take(n + 1)));
        for i in 0..8 * n {
            let mut b = a.clone();
            b[i / 8] ^= 1 << (i % 8);
            assert!(!equal(&a, &b));
        }
    }
}

/// Gives back the block it is given.
struct Echo<'a>(&'a Block);
impl Kernel for Echo<'_> {
    const MODELS: Models = Models::All;
    type Out = ReturnedBlock;
    const ON_WIDE_SOFT: bool = true;
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        b.returned(b.splat(self.0))
    }
}

/// No bit of a block is lost on its way out of a door: not those that would be a
/// signalling NaN if anyone calculated with them.
#[test]
fn answers() {
    let signalling = u128::from(f64::NAN.to_bits() & !(1 << 51) | 1);
    let mut random = Bytes(9);
    for cpu in Cpu::every() {
        let same = |x: u128| assert_eq!(cpu.run(Echo(&x.to_le_bytes())).block(), x.to_le_bytes(), "{cpu:?}");
        same(signalling | signalling << 64);
        same(1 << 127 | 1 << 63 | 1);
        for _ in 0..100 {
            let mut x = [0; 16];
            x.copy_from_slice(&random.take(16));
            same(u128::from_le_bytes(x));
        }
    }
}

/// Bytes as a number, of every length that it is made for; others are a mistake of the
/// caller's, which must not pass for a number.
#[test]
fn little_numbers() {
    let bytes = Bytes(11).take(17);
    // Where a panic ends the program (WebAssembly), nobody could look on.
    let lens = if cfg!(panic = "unwind") { 0..=17 } else { 4..=16 };
    for n in lens {
        let plain = bytes[..n].iter().rev().fold(0, |x, &b| x << 8 | u128::from(b));
        let found = std::panic::catch_unwind(|| little(&bytes[..n])).ok();
        assert_eq!(found, (4..=16).contains(&n).then_some(plain), "{n}");
    }
}
