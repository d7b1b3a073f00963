//! Poly1305 against RFC 8439's vectors and a plain reference: in words, in groups, by words, side by side.

use super::each::{Each, wanted};
use super::*;
use crate::cpu::{Cpu, Kernel, Models};

/// r, s, the data's blocks and the tag.
type Vector = (u128, u128, &'static [u128], u128);

/// RFC 8439, A.3, vectors 5 to 11. They ask for carries, and for the last reduction.
const A3: [Vector; 7] = {
    let ones = u128::MAX;
    let (r, first, second) = (4 << 64 | 1, 0xb943_5e50_d794_35e3, 1 << 64 | 0xcd79_435e_50d7_9433);
    let (bytes_fe, bytes_1) = (ones / 255 * 254 - 3, ones / 255);
    [
        // h reaches 2^130 - 5 + 3.
        (2, 0, &[ones], 3),
        // s carries beyond 2^128.
        (2, ones, &[2], 3),
        (1, 0, &[ones, ones - 0xf, 0x11], 5),
        (1, 0, &[ones, bytes_fe, bytes_1], 0),
        (2, 0, &[ones - 2], ones - 5),
        (r, 0, &[first, second, 0, 1], 0x55 << 64 | 0x14),
        (r, 0, &[first, second, 0], 0x13),
    ]
};

/// These vectors on every tier.
#[test]
fn rfc8439() {
    struct Tag<'a>(u128, u128, &'a [u8]);
    impl Kernel for Tag<'_> {
        const MODELS: Models = Models::All;
        type Out = [u8; 16];
        #[inline(always)]
        fn run<B: Backend, const N: usize>(self, b: B) -> [u8; 16] {
            let mut poly = Poly1305::new(self.0, self.1);
            poly.update(b, self.2);
            poly.tag()
        }
    }
    for (i, (r, s, data, tag)) in A3.into_iter().enumerate() {
        let data: Vec<u8> = data.iter().flat_map(|block| block.to_le_bytes()).collect();
        assert_eq!(reference(r, s, &data), tag.to_le_bytes(), "vector {}", 5 + i);
        for cpu in Cpu::every() {
            assert_eq!(cpu.run(Tag(r, s, &data)), tag.to_le_bytes(), "vector {}, {cpu:?}", 5 + i);
        }
    }
}

/// A number modulo 2^130 - 5: what is above 2^128, and below.
#[derive(Clone, Copy)]
struct Number(u64, u128);
impl Number {
    fn plus(self, other: Self) -> Self {
        let (low, over) = self.1.overflowing_add(other.1);
        let (high, low) = (self.0 + other.0 + u64::from(over), low);
        // Both were below 2^130, so that the prime is taken off once at most, and again
        // for what its five brings up.
        let (low, over) = low.overflowing_add(u128::from(high >> 2) * 5);
        let it = Self((high & 3) + u64::from(over), low);
        let (g, over) = it.1.overflowing_add(5);
        if it.0 + u64::from(over) >= 4 { Self(0, g) } else { it }
    }
    /// By doubling and adding.
    fn times(self, r: u128) -> Self {
        (0..128).rev().fold(Self(0, 0), |sum, i| {
            let sum = sum.plus(sum);
            if r >> i & 1 == 1 { sum.plus(self) } else { sum }
        })
    }
}

/// Poly1305 as RFC 8439, 2.5.1 has it, of blocks padded with zeros.
fn reference(r: u128, s: u128, data: &[u8]) -> [u8; 16] {
    let r = r & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
    let mut h = Number(0, 0);
    for part in data.chunks(16) {
        let mut block = [0; 16];
        block[..part.len()].copy_from_slice(part);
        h = h.plus(Number(1, u128::from_le_bytes(block))).times(r);
    }
    h.1.wrapping_add(s).to_le_bytes()
}

/// Data in two parts, of which the second may be long.
struct Parts<'a>(u128, u128, &'a [u8], &'a [u8]);
impl Kernel for Parts<'_> {
    const MODELS: Models = Models::All;
    type Out = [u8; 16];
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> [u8; 16] {
        let mut poly = Poly1305::new(self.0, self.1);
        poly.update(b, self.2);
        if B::WORDS {
            poly.update_long(b.wide(), self.3);
        } else {
            poly.update(b, self.3);
        }
        poly.tag()
    }
}

/// A message with its lengths, absorbed in groups: as far as `Between` may go, up to `2`, and
/// the rest.
struct Whole<'a>(u128, u128, usize, &'a [u8]);
impl Kernel for Whole<'_> {
    const MODELS: Models = Models::All;
    type Out = Option<[u8; 16]>;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Option<[u8; 16]> {
        let Self(r, s, end, message) = self;
        let few = message.len().div_ceil(16) + 1 < Mac::<B::Wide, true>::FEWEST;
        if !B::WORDS || !Mac::<B::Wide, true>::KEEPS || few {
            return None;
        }
        let b = b.wide();
        let mut mac = Mac::<_, true>::new(b, Poly1305::new(r, s), message, 3, message.len());
        Between(&mut mac, Data { message, end }).step(b, 0);
        mac.absorb(b, Data { message, end });
        mac.absorb_rest(b, message);
        Some(mac.tag(b))
    }
}

/// A message long enough for its words, absorbed as far as they go up to `3`, then as far as they go, and the rest.
struct ByWords<'a>(u128, u128, usize, &'a [u8]);
impl Kernel for ByWords<'_> {
    const MODELS: Models = Models::All;
    type Out = Option<[u8; 16]>;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Option<[u8; 16]> {
        let Self(r, s, end, message) = self;
        if const { !B::WORDS || !Mac::<B::Wide, true>::BY_WORDS } {
            return None;
        }
        let b = b.wide();
        let mut mac = Mac::<_, true>::new(b, Poly1305::new(r, s), message, 3, message.len());
        let words = mac.words(b)?;
        mac.absorb_eights(b, &words, Data { message, end });
        mac.absorb(b, Data { message, end });
        mac.absorb_eights(b, &words, Data { message, end: message.len() });
        mac.absorb_rest(b, message);
        Some(mac.tag(b))
    }
}

/// By words: the largest that they and limbs can be, over several groups of eight.
#[test]
fn by_words() {
    let mut mixed = vec![0xff; 9000];
    mixed.iter_mut().enumerate().filter(|(i, _)| i / 16 % 3 > 0).for_each(|(i, b)| *b = (i * i * 37 + i / 256) as u8);
    for data in [vec![0xff; 9000], vec![0; 9000], mixed] {
        for (r, s) in
            [(u128::MAX, u128::MAX), (0x0200_00ff_ffc0_001f_ffec, 1), (0x0123_4567_89ab_cdef_fedc_ba98_7654_3210, 7)]
        {
            for n in [4300, 5121, 7007, 9000] {
                let mut whole = data[..n].to_vec();
                whole.resize(n.next_multiple_of(16), 0);
                whole.extend((3 | (n as u128) << 64).to_le_bytes());
                let want = reference(r, s, &whole);
                for cpu in Cpu::every() {
                    for end in [0, 1500, n] {
                        if let Some(tag) = cpu.run(ByWords(r, s, end, &data[..n])) {
                            assert_eq!(tag, want, "{cpu:?} {n} {end} {r:x}");
                        }
                    }
                }
            }
        }
    }
}

/// Keys r: at the mask, of edge limbs, small.
const RS: [u128; 8] = [
    u128::MAX,
    0,
    1,
    4,
    // Their squares are so near to 2^130 that products of them have carries everywhere.
    0x0200_00ff_ffc0_001f_ffec,
    0x0800_01ff_ffc0_000f_fffb,
    0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff - 4,
    0x0123_4567_89ab_cdef_fedc_ba98_7654_3210,
];

/// Data that fills limbs, or leaves them empty: all ones, none, some in each block, and any.
fn edges() -> [[u8; 1040]; 4] {
    let mut random = [0; 1040];
    random.iter_mut().enumerate().for_each(|(i, b)| *b = (i * i * 37 + i * 11 + 5) as u8);
    let mut edges = [0xff; 1040];
    for (i, block) in edges.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        // Numbers around the prime, and ones in some of the limbs.
        match i % 5 {
            0 => block[0] = 0xfa + (i % 3) as u8,
            1 => block[..5].fill(0),
            2 => block[6..11].fill(0),
            _ => {}
        }
    }
    [[0xff; 1040], [0; 1040], edges, random]
}

/// On every tier: limbs at their edges; with r at its mask every length up to 300, with others some; lengths from
/// which vectors are used on; and a part in front of any number of blocks.
#[test]
fn long() {
    let long = [399, 400, 401, 415, 416, 417, 431, 512, 545, 640, 801, 1025, 1040];
    for data in edges() {
        for (k, &r) in RS.iter().enumerate() {
            let s = (u128::MAX / 3).wrapping_mul(k as u128);
            let some = (0..=300).filter(|n| k == 0 || n % 7 == k || *n == 300);
            for n in some.chain(long) {
                let data = &data[..n];
                let want = reference(r, s, data);
                let mut whole = data.to_vec();
                whole.resize(n.next_multiple_of(16), 0);
                whole.extend((3 | (n as u128) << 64).to_le_bytes());
                let tag = reference(r, s, &whole);
                for cpu in Cpu::every() {
                    if cpu.is_pretended() && n % 5 != 0 {
                        continue;
                    }
                    for at in (0..=n).step_by(if [300, 1040].contains(&n) || k == 7 { 16 } else { 1056 }) {
                        let (a, b) = data.split_at(at);
                        assert_eq!(cpu.run(Parts(r, s, a, b)), want, "{cpu:?} {n} {at} {r:x}");
                        let it = cpu.run(Whole(r, s, at, data));
                        assert!(it.is_none_or(|it| it == tag), "{cpu:?} {n} {at} {r:x}");
                        // Registers of four blocks take 26 and more.
                        assert!(it.is_some() || cpu.words() < 16 || n <= 400, "{cpu:?} {n}: not in vectors");
                    }
                }
            }
        }
    }
}

/// Messages side by side, under keys of their own, of as many blocks as are told, absorbed by one or by two.
struct SideBySide<'a>(&'a [(u128, u128); 8], &'a [[u8; 1040]; 8], &'a [usize; 8], bool);
impl Kernel for SideBySide<'_> {
    const MODELS: Models = Models::All;
    type Out = Option<(usize, [[u8; 16]; 8])>;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Self::Out {
        if !B::WORDS {
            return None;
        }
        let Self(keys, data, blocks, by_two) = self;
        let (b, n) = (b.wide(), Each::<B::Wide>::MESSAGES);
        let two = |block: &dyn Fn(usize) -> [u8; 16]| {
            let blocks: [[u8; 16]; 8] = core::array::from_fn(block);
            let (low, high) = blocks.as_flattened().split_at(B::Wide::BYTES);
            [b.load(low), b.load(high)]
        };
        let at = |k: usize| two(&|i: usize| *data[i][16 * k..].first_chunk().unwrap());
        let mut each = Each::<B::Wide>::new(b, two(&|i| keys[i].0.to_le_bytes()), two(&|i| keys[i].1.to_le_bytes()));
        each.square(b);
        let (fewest, most) = (*blocks[..n].iter().min()?, *blocks[..n].iter().max()?);
        let mut k = 0;
        while by_two && k + 2 <= fewest {
            each.absorb_two(b, at(k), at(k + 1));
            k += 2;
        }
        while k < most {
            if k < fewest {
                each.absorb_all(b, at(k));
            } else {
                each.absorb(b, at(k), wanted(b, |i| blocks[i].saturating_sub(k)));
            }
            k += 1;
        }
        let (tags, mut out) = (each.tags(b), [[0; 16]; 8]);
        let (low, high) = out.as_flattened_mut().split_at_mut(B::Wide::BYTES);
        b.store(low, tags[0]);
        b.store(high, tags[1]);
        Some((n, out))
    }
}

/// Each message has the tag that it has alone: keys and limbs at their edges in all lanes, and mixed lengths.
#[test]
fn side_by_side() {
    let edges = edges();
    for turn in 0..64 {
        let keys: [_; 8] = core::array::from_fn(|i| {
            (RS[(turn + i * (turn % 3)) % 8], (u128::MAX / 7).wrapping_mul((turn * i) as u128))
        });
        let data: [_; 8] = core::array::from_fn(|i| edges[(turn / 8 + i * (turn % 5)) % 4]);
        let blocks: [_; 8] = core::array::from_fn(|i| turn % 20 + if turn < 32 { i * i * turn % 11 } else { 0 });
        check_side_by_side(&keys, &data, &blocks, &format!("turn {turn}"));
    }
    // The vectors of RFC 8439, A.3, each in every lane, and numbers at which a last carry goes round.
    for turn in 0..8 {
        let (mut keys, mut data, mut blocks) = ([(1, 0); 8], [[0xff; 1040]; 8], [0; 8]);
        for i in 0..8 {
            blocks[i] = 2 + turn;
            if let Some((r, s, vector, _)) = A3.get((i + turn) % 8) {
                (keys[i], blocks[i]) = ((*r, *s), vector.len());
                for (to, block) in data[i].as_chunks_mut().0.iter_mut().zip(*vector) {
                    *to = block.to_le_bytes();
                }
            }
        }
        check_side_by_side(&keys, &data, &blocks, &format!("A.3, turn {turn}"));
    }
}

/// On every tier, absorbed by one and by two: each of the messages has the tag that it has alone.
fn check_side_by_side(keys: &[(u128, u128); 8], data: &[[u8; 1040]; 8], blocks: &[usize; 8], what: &str) {
    for (cpu, by_two) in Cpu::every().flat_map(|cpu| [(cpu, false), (cpu, true)]) {
        let Some((n, tags)) = cpu.run(SideBySide(keys, data, blocks, by_two)) else { continue };
        for i in 0..n {
            let want = reference(keys[i].0, keys[i].1, &data[i][..16 * blocks[i]]);
            assert_eq!(tags[i], want, "{cpu:?}, {what}, message {i}, {by_two}");
        }
    }
}
