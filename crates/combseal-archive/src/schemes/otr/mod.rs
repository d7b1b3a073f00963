//! AES-OTR (Minematsu, "Parallelizable rate-1 authenticated encryption from pseudorandom
//! functions", EUROCRYPT 2014; CAESAR v1, 2014, v2, 2015, v3, 2016), on AES-128 with 12-byte
//! nonces and 16-byte tags; associated data in parallel or serially.
//!
//! Status: versions 1 and 2 superseded, version 3 not chosen. In many fields the masks of
//! versions 1 and 2 collide, which gives forgeries there (Bost and Sanders, ASIACRYPT 2016; Al
//! Mahri and others, ATIS 2016); the designer's proof is for particular fields, and we know of
//! no collision in this one. Version 3 has other masks. It reached CAESAR's third round and was
//! not among the finalists (2018). Kept for the comparison of Bogdanov, Lauridsen and
//! Tischhauser (2014), and as the mode with OCB's structure that needs no inverse of the
//! cipher.
//!
//! Two blocks are two rounds of a Feistel cipher. The first round of many pairs goes through
//! the pipeline together, then their second round; beyond that, no pair waits for another. The
//! masks are added to the cipher's first round key, what the cipher's output is added to is
//! added to its last. A register's masks are multiples of those of the register before, by
//! carry-less multiplication, which leaves the AES's units alone. So do loads and stores, which
//! therefore part the blocks of pairs and join them again: on Zen 5 a shuffle across lanes takes
//! a port of the AES.

mod doubling;

use super::cloc::SetUp;
use crate::about::{About, RepeatedNonce, Status};
use crate::archived::Archived;
use crate::field::big_endian::times_bytes;
use crate::nonce;
use crate::xex::{Masked, One, Spread};
use combseal::cpu::{Backend, Block, Enc, Kernel, Keys, ReturnedBlock};
use combseal::internals::chain::EdgeKeys;
use combseal::internals::mac_lane::{MacLane, Subkeys, double, finish};
use combseal::internals::{InOut, filled};
use combseal::{Cpu, secret};
use doubling::Place;

/// OTR of `VERSION` 1, 2 or 3; with `SERIAL`, the associated data is hashed serially.
pub struct Otr<const VERSION: u8, const SERIAL: bool>(Expanded);

/// The cipher's key, and multiples of Q = E(0).
// Aligned, so that no round key is read across two cache lines.
#[repr(C, align(16))]
struct Expanded {
    enc: [Block; 11],
    /// Q.
    q: Block,
    /// 4Q and 2Q: what CMAC adds to a last block, whole or padded. (Elsewhere it is the other
    /// way round.)
    sub: Subkeys,
    cpu: Cpu,
}
secret!(Expanded { enc, q, sub, cpu });

impl<const VERSION: u8, const SERIAL: bool> Archived for Otr<VERSION, SERIAL> {
    const ABOUT: &'static About = &About {
        name: match (VERSION, SERIAL) {
            (1, false) => "OTR-P-v1-AES-128",
            (2, false) => "OTR-P-v2-AES-128",
            (_, false) => "OTR-P-v3-AES-128",
            (1, true) => "OTR-S-v1-AES-128",
            (2, true) => "OTR-S-v2-AES-128",
            (_, true) => "OTR-S-v3-AES-128",
        },
        family: if SERIAL { "otr-s" } else { "otr-p" },
        nonce_len: 12,
        repeated_nonce: RepeatedNonce::BlocksAndForgeries,
        source: "Minematsu, EUROCRYPT 2014; CAESAR v1 to v3, 2014 to 2016",
        status: if VERSION == 3 { Status::NotChosen } else { Status::Superseded },
        history: if VERSION == 3 {
            "reached CAESAR's third round; not among the finalists; we know of no attack"
        } else {
            "superseded by version 3; in many fields its masks collide (Bost and Sanders, ASIACRYPT 2016), though we \
             know of no collision in the field that it uses"
        },
        known_answers: match (VERSION, SERIAL) {
            (1, false) => &["aes128otrpv1"],
            (2, false) => &["aes128otrpv2"],
            (_, false) => &["aes128otrpv3"],
            (1, true) => &["aes128otrsv1"],
            (2, true) => &["aes128otrsv2"],
            (_, true) => &["aes128otrsv3"],
        },
        ..About::USUAL
    };

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Expanded| {
            it.cpu = cpu;
            cpu.run(SetUp { key, enc: &mut it.enc });
            cpu.run(Multiples(it));
        }))
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        let (key, mut ta) = (&self.0, [0; 16]);
        let ta = self.hash(ad, &mut ta);
        let message = Message { key, nonce, version: VERSION, ta, serial: SERIAL, io };
        let tag = if VERSION == 3 { key.cpu.run(Seal::<true>(message)) } else { key.cpu.run(Seal::<false>(message)) };
        tail.copy_from_slice(&tag.block());
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        let (key, mut ta) = (&self.0, [0; 16]);
        let ta = self.hash(ad, &mut ta);
        let message = Message { key, nonce, version: VERSION, ta, serial: SERIAL, io };
        if VERSION == 3 { key.cpu.run(Open::<true>(message, tail)) } else { key.cpu.run(Open::<false>(message, tail)) }
    }
}

impl<const VERSION: u8, const SERIAL: bool> Otr<VERSION, SERIAL> {
    /// TA; nothing is done if there are no associated data.
    #[inline(always)]
    fn hash<'t>(&self, ad: &[u8], ta: &'t mut Block) -> &'t Block {
        let key = &self.0;
        if ad.is_empty() {
            return &[0; 16];
        }
        if SERIAL {
            key.cpu.run(SerialHash { key, ad, ta });
        } else if VERSION == 3 {
            key.cpu.run(ParallelHash::<true> { key, ad, ta });
        } else {
            key.cpu.run(ParallelHash::<false> { key, ad, ta });
        }
        ta
    }
}

/// The nonce's block: padded, in version 1; from version 2 on at the end, behind a one bit and
/// the tag's length in bits modulo 128, as OCB3 has it.
#[inline(always)]
fn nonce_block<B: Backend>(b: B, nonce: &[u8], version: u8) -> B::V {
    let number = nonce::number::<12>(nonce);
    nonce::register(b, if version == 1 { number | 0x80 << 96 } else { number << 32 | 1 << 24 })
}

/// Q and its multiples.
struct Multiples<'a>(&'a mut Expanded);
impl Kernel for Multiples<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let (b, it) = (b.one(), self.0);
        let mut x = [b.zero()];
        b.encrypt(&Enc(&it.enc), &mut x);
        b.store(&mut it.q, x[0]);
        let two = double(u128::from_be_bytes(it.q));
        it.sub = [double(two).to_be_bytes(), two.to_be_bytes()];
    }
}

/// One message. Versions 1 and 2 differ in nothing but the nonce's block: what is said of
/// masks below is by whether they are version 3's, `V3`.
struct Message<'a> {
    key: &'a Expanded,
    nonce: &'a [u8],
    version: u8,
    /// Of associated data that were hashed serially, and then part of the masks; or in
    /// parallel, and then added to the tag.
    ta: &'a Block,
    serial: bool,
    io: InOut<'a>,
}

struct Seal<'a, const V3: bool>(Message<'a>);
impl<const V3: bool> Kernel for Seal<'_, V3> {
    type Out = ReturnedBlock;
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let one = b.one();
        one.returned(self.0.otr::<B, V3, false>(b))
    }
}

struct Open<'a, const V3: bool>(Message<'a>, &'a [u8]);
impl<const V3: bool> Kernel for Open<'_, V3> {
    type Out = bool;
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let one = b.one();
        one.begins(self.0.otr::<B, V3, true>(b), self.1)
    }
}

/// TA of associated data, serially.
struct SerialHash<'a> {
    key: &'a Expanded,
    ad: &'a [u8],
    ta: &'a mut Block,
}
impl Kernel for SerialHash<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let (b, keys) = (b.one(), Enc(&self.key.enc));
        let edge = EdgeKeys::new(b, &keys, 0);
        let mut lane = MacLane::new(b, &edge, &self.key.sub, b.zero(), self.ad);
        finish(b, &keys, &edge, &mut lane);
        b.store(self.ta, lane.x);
    }
}

/// TA of associated data, in parallel.
struct ParallelHash<'a, const V3: bool> {
    key: &'a Expanded,
    ad: &'a [u8],
    ta: &'a mut Block,
}
impl<const V3: bool> Kernel for ParallelHash<'_, V3> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let ta = hash::<B, V3, N>(b, self.key, self.ad);
        b.one().store(self.ta, ta);
    }
}

/// E(first ^ x) ^ last of each register.
#[inline(always)]
fn cipher<B: Backend, K: Keys<B>, const N: usize>(
    b: B,
    keys: K,
    mut x: [B::V; N],
    first: [B::V; N],
    last: [B::V; N],
) -> [B::V; N] {
    b.encrypt(&Masked { keys, first, last }, &mut x);
    x
}

/// 2^0 to 2^31, little-endian.
static POWERS: [Block; 32] = POWERS_OF;
const POWERS_OF: [Block; 32] = {
    let mut t = [[0; 16]; 32];
    let mut i = 0;
    while i < t.len() {
        t[i][i / 8] = 1 << (i % 8);
        i += 1;
    }
    t
};

/// The same, four from each on, in the order of [`evens`].
static PAIRS: [[Block; 4]; 5] = {
    let mut t = [[[0; 16]; 4]; 5];
    let mut n = 0;
    while n < t.len() {
        t[n] = [POWERS_OF[n], POWERS_OF[n + 2], POWERS_OF[n + 1], POWERS_OF[n + 3]];
        n += 1;
    }
    t
};

/// What x^128 is modulo the field's polynomial, little-endian.
static REDUCTION: Block = 0x87u128.to_le_bytes();
/// The first half of a block.
const FIRST_HALF: Block = (u64::MAX as u128).to_le_bytes();
/// The second half of a block.
const SECOND_HALF: Block = ((u64::MAX as u128) << 64).to_le_bytes();

/// The blocks of `v`, little-endian, times those of `by`, which are below 2^64, in
/// GF(2^128).
#[inline(always)]
fn product<B: Backend>(b: B, v: B::V, by: B::V) -> B::V {
    let (low, high) = (b.clmul::<0x00>(v, by), b.clmul::<0x01>(v, by));
    let carry = b.clmul::<0x01>(high, b.splat(&REDUCTION));
    b.xor(b.xor(low, carry), b.and(b.swap(high), b.splat(&SECOND_HALF)))
}

/// Those times 2^`n`, by shifts: for software, which has no carry-less multiplication.
#[inline(always)]
fn shifted<B: Backend>(b: B, v: B::V, n: u32) -> B::V {
    let over = b.swap(b.shr64(v, 64 - n));
    let high = b.and(over, b.splat(&FIRST_HALF));
    let sum = b.xor(b.xor(b.shl64(v, n), over), b.shl64(high, 1));
    b.xor(sum, b.xor(b.shl64(high, 2), b.shl64(high, 7)))
}

/// Whether a few doublings by shifts take less than a product: where there are no more than 16
/// registers, and one or two blocks in each.
const fn doubles<B: Backend>() -> bool {
    B::WORDS && !B::ROOMY && B::BLOCKS <= 2
}

/// Those times 2^`n`, `n` at most 31.
#[inline(always)]
fn doubled<B: Backend>(b: B, mut v: B::V, n: usize) -> B::V {
    match (B::WORDS, n) {
        (_, 0) => v,
        (true, 1..=4) if doubles::<B>() => {
            for _ in 0..n {
                v = b.double(v);
            }
            v
        }
        (true, _) => product(b, v, b.splat(&POWERS[n])),
        (false, _) => shifted(b, v, n as u32),
    }
}

/// Masks, each twice the one before.
#[derive(Clone, Copy)]
struct Ladder<B: Backend> {
    b: B,
    /// The next register of them, little-endian.
    little: B::V,
    /// The same as they are added to blocks.
    next: B::V,
}

impl<B: Backend> Ladder<B> {
    /// From 2^`n` times `mask` on, which is little-endian; `n` is at most 4. In the lanes' order
    /// or, if `pairs`, in that of [`evens`].
    #[inline(always)]
    fn new(b: B, mask: One<B>, n: usize, pairs: bool) -> Self {
        let little = if doubles::<B>() {
            let one = b.one();
            let first = doubled(one, mask, n);
            let second = one.double(first);
            b.join([first, second, second, second])
        } else if B::WORDS {
            let powers = if pairs && B::BLOCKS == 4 { PAIRS[n].as_flattened() } else { POWERS[n..].as_flattened() };
            product(b, b.widen(mask), b.load(powers))
        } else {
            doubled(b, b.widen(mask), n)
        };
        Self { b, little, next: b.rev(little) }
    }

    /// The next `N` registers. They are made of the first of them, not one of the other: no
    /// register waits for the one before it.
    #[inline(always)]
    fn step<const N: usize>(&mut self) -> [B::V; N] {
        let (b, mut masks) = (self.b, [self.next; N]);
        if doubles::<B>() {
            // A few operations each, one after the other.
            for j in 1..N {
                self.little = doubled(b, self.little, B::BLOCKS);
                masks[j] = b.rev(self.little);
            }
            self.little = doubled(b, self.little, B::BLOCKS);
            self.next = b.rev(self.little);
            return masks;
        }
        for j in 1..N {
            masks[j] = b.rev(doubled(b, self.little, j * B::BLOCKS));
        }
        self.little = doubled(b, self.little, N * B::BLOCKS);
        self.next = b.rev(self.little);
        masks
    }

    /// The next registers, those of two groups, little-endian.
    #[inline(always)]
    fn both(&self) -> [B::V; BOTH] {
        let (b, mut masks) = (self.b, [self.little; BOTH]);
        for j in 1..BOTH {
            masks[j] = doubled(b, self.little, j * B::BLOCKS);
        }
        masks
    }

    /// Goes on by a group. The masks behind those of two groups are made of the first of them,
    /// whole bytes further.
    #[inline(always)]
    fn advance(&self, masks: &mut [B::V; BOTH]) {
        let (b, before) = (self.b, *masks);
        for j in 0..WIDTH {
            masks[j] = before[WIDTH + j];
            masks[WIDTH + j] = if B::WORDS {
                times_bytes(b, before[j], BOTH * B::BLOCKS / 8)
            } else {
                shifted(b, before[j], (BOTH * B::BLOCKS) as u32)
            };
        }
    }

    /// The register that is next.
    #[inline(always)]
    fn set_first(&mut self, little: B::V) {
        (self.little, self.next) = (little, self.b.rev(little));
    }

    /// From the next mask on, block by block.
    #[inline(always)]
    fn narrow(self) -> Ladder<B::One> {
        let b = self.b;
        Ladder { b: b.one(), little: b.split(self.little)[0], next: b.split(self.next)[0] }
    }
}

/// The first blocks of `BLOCKS` pairs, which stand in two registers' bytes from `at` on. Where
/// a register holds four blocks, those of pairs 0, 2, 1 and 3: they then come from two loads,
/// none of which must change its lane.
#[inline(always)]
fn evens<B: Backend>(b: B, src: &[u8], at: usize) -> B::V {
    let one = b.one();
    match B::BLOCKS {
        1 => b.load(&src[at..]),
        2 => {
            let second = one.load(&src[at + 32..]);
            b.join([one.load(&src[at..]), second, second, second])
        }
        _ => {
            let (p, q) = (b.split(b.load(&src[at..])), b.split(b.load(&src[at + 48..])));
            b.join([p[0], q[1], p[2], q[3]])
        }
    }
}

/// Their second blocks.
#[inline(always)]
fn odds<B: Backend>(b: B, src: &[u8], at: usize) -> B::V {
    if B::BLOCKS < 4 {
        return evens(b, src, at + 16);
    }
    let (p, q) = (b.split(b.load(&src[at + 16..])), b.split(b.load(&src[at + 64..])));
    b.join([p[0], q[1], p[2], q[3]])
}

/// Writes first and second blocks of pairs: the reverse of [`evens`] and [`odds`].
#[inline(always)]
fn store_pairs<B: Backend>(b: B, dst: &mut [u8], at: usize, x: B::V, y: B::V) {
    let (p, q) = (b.split(x), b.split(y));
    match B::BLOCKS {
        1 => {
            b.store(&mut dst[at..], x);
            b.store(&mut dst[at + 16..], y);
        }
        2 => {
            b.store(&mut dst[at..], b.join([p[0], q[0], q[0], q[0]]));
            b.store(&mut dst[at + 32..], b.join([p[1], q[1], q[1], q[1]]));
        }
        // Stores, where the blocks would not change their lanes either.
        _ => {
            b.store_every_other(&mut dst[at..], x, false);
            b.store_every_other(&mut dst[at + 16..], y, false);
            b.store_every_other(&mut dst[at + 48..], x, true);
            b.store_every_other(&mut dst[at + 64..], y, true);
        }
    }
}

/// The masks of the pairs one further on than those of `v`; `next` are those of the next
/// register.
#[inline(always)]
fn one_further<B: Backend>(b: B, v: B::V, next: B::V) -> B::V {
    let (p, q) = (b.split(v), b.split(next)[0]);
    match B::BLOCKS {
        1 => next,
        2 => b.join([p[1], q, q, q]),
        _ => b.join([p[2], p[3], p[1], q]),
    }
}

impl Message<'_> {
    /// Gives the tag.
    #[inline(always)]
    fn otr<B: Backend, const V3: bool, const OPEN: bool>(self, b: B) -> One<B> {
        let Self { key, nonce, version, ta, serial, io } = self;
        let one = b.one();
        let (ta, zero) = (one.splat(ta), one.zero());
        let (start, ta) = if serial { (ta, zero) } else { (zero, ta) };
        let [d] = cipher(one, Enc(&key.enc), [nonce_block(one, nonce, version)], [zero], [start]);
        // The first mask is a multiple of d: by 4, or by 1, or by 2.
        let masks = Ladder::new(b, one.rev(d), if V3 { usize::from(serial) } else { 2 }, true);
        let mut walk = Walk { b, enc: &key.enc, io, d, masks, sum: b.zero() };
        walk.pairs::<V3, OPEN>();
        walk.narrow().end::<V3, OPEN>(ta)
    }
}

/// TA of associated data in parallel, of at least one byte.
#[inline(always)]
fn hash<B: Backend, const V3: bool, const N: usize>(b: B, key: &Expanded, mut ad: &[u8]) -> One<B> {
    let one = b.one();
    let q = one.rev(one.splat(&key.q));
    let mut masks = Ladder::new(b, q, if V3 { 0 } else { 2 }, false);
    let mut sum = b.zero();
    // The last block, perhaps not whole, is treated apart.
    while ad.len() > N * B::BYTES {
        let (mut x, first) = ([b.zero(); N], masks.step());
        for j in 0..N {
            x[j] = b.load(&ad[j * B::BYTES..]);
        }
        x = cipher(b, Enc(&key.enc), x, first, [b.zero(); N]);
        for j in 0..N {
            sum = b.xor(sum, x[j]);
        }
        ad = &ad[N * B::BYTES..];
    }
    while ad.len() > B::BYTES {
        let [x] = cipher(b, Enc(&key.enc), [b.load(ad)], masks.step(), [b.zero()]);
        (sum, ad) = (b.xor(sum, x), &ad[B::BYTES..]);
    }
    let (mut masks, mut sum) = (masks.narrow(), b.fold(sum));
    while ad.len() > 16 {
        let [x] = cipher(one, Enc(&key.enc), [one.load(ad)], masks.step(), [one.zero()]);
        (sum, ad) = (one.xor(sum, x), &ad[16..]);
    }
    let whole = ad.len() == 16;
    sum = one.xor(sum, one.load_part(ad));
    if !whole {
        sum = one.xor(sum, one.padding(ad.len()));
    }
    let mask = if V3 {
        one.rev(plus_multiple(one, masks.little, if whole { 2 } else { 1 }))
    } else {
        one.xor(masks.next, one.splat(if whole { &key.sub[1] } else { &key.q }))
    };
    let [ta] = cipher(one, Enc(&key.enc), [sum], [mask], [one.zero()]);
    ta
}

/// Registers of pairs in a group.
const WIDTH: usize = 4;
/// Registers of two groups: in flight, and of masks.
const BOTH: usize = 2 * WIDTH;

/// The round keys for the first round of pairs and the second round of those before them. What
/// is added behind is loaded when it is needed: it would not fit in the registers.
struct TwoRounds<'k, 'm, 'a, B: Backend> {
    keys: &'k Spread<Enc<'k, [Block; 11]>, B::V>,
    first: [B::V; BOTH],
    /// The pairs of the first round and those of the second.
    parts: [&'m InOut<'a>; 2],
}
impl<B: Backend> Keys<B> for TwoRounds<'_, '_, '_, B> {
    const ROUNDS: usize = 10;
    const SHARED: bool = true;
    const IN_STEP: bool = true;
    const HELD: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = self.keys.get(b, r, j);
        match r {
            0 => b.xor(key, self.first[j]),
            10 if j < WIDTH => b.xor(key, odds(b, self.parts[0].src(), 2 * j * B::BYTES)),
            10 => b.xor(key, evens(b, self.parts[1].src(), 2 * (j - WIDTH) * B::BYTES)),
            _ => key,
        }
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        false
    }
}

/// A walk over a message.
struct Walk<'a, B: Backend> {
    b: B,
    enc: &'a [Block; 11],
    /// What is still to be done.
    io: InOut<'a>,
    /// The nonce, enciphered.
    d: One<B>,
    /// Those of the pairs' first blocks.
    masks: Ladder<B>,
    /// The sum of the pairs' second blocks, in each lane of its own pairs.
    sum: B::V,
}

impl<'a, B: Backend> Walk<'a, B> {
    /// All pairs but the last, as far as they fill registers.
    #[inline(always)]
    fn pairs<const V3: bool, const OPEN: bool>(&mut self) {
        if self.io.len() > 2 * WIDTH * B::BYTES {
            if doubles::<B>() {
                self.doubled_groups::<V3, OPEN>();
            } else {
                self.groups::<V3, OPEN>();
            }
        }
        // One pair at least is for the end.
        match (self.io.len().max(1) - 1) / (2 * B::BYTES) {
            0 => {}
            1 => self.registers::<V3, OPEN, 1>(),
            2 => self.registers::<V3, OPEN, 2>(),
            _ => self.registers::<V3, OPEN, 3>(),
        }
    }

    /// Whole groups of pairs where masks are doubled.
    #[inline(always)]
    fn doubled_groups<const V3: bool, const OPEN: bool>(&mut self) {
        let (b, one) = (self.b, self.b.one());
        let mut place = Place { mask: b.split(self.masks.little)[0], sum: self.sum };
        doubling::groups::<B, V3, OPEN>(b, self.enc, self.d, &mut self.io, &mut place);
        self.sum = place.sum;
        let two = one.double(place.mask);
        self.masks.set_first(b.join([place.mask, two, two, two]));
    }

    /// Whole groups of pairs: the second round of one goes with the first round of the next.
    #[inline(always)]
    fn groups<const V3: bool, const OPEN: bool>(&mut self) {
        let b = self.b;
        let keys = &Spread::new(b, Enc(self.enc));
        let mut masks = self.masks.both();
        let mut next = b.rev(masks[0]);
        let size = 2 * WIDTH * B::BYTES;
        let mut part = self.io.cut(size);
        let [first, mut second] = self.rounds::<V3, OPEN>(&masks, &mut next);
        let (mut t, mut y) = ([b.zero(); WIDTH], [b.zero(); WIDTH]);
        let mut sum = self.sum;
        for j in 0..WIDTH {
            t[j] = evens(b, part.src(), 2 * j * B::BYTES);
            y[j] = odds(b, part.src(), 2 * j * B::BYTES);
            if !OPEN {
                sum = b.xor(sum, y[j]);
            }
        }
        t = cipher(b, keys, t, first, y);
        while self.io.len() > size {
            self.masks.advance(&mut masks);
            let ahead = self.io.cut(size);
            let [firsts, seconds] = self.rounds::<V3, OPEN>(&masks, &mut next);
            let (mut x, mut first) = ([b.zero(); BOTH], [b.zero(); BOTH]);
            for j in 0..WIDTH {
                (x[j], first[j]) = (evens(b, ahead.src(), 2 * j * B::BYTES), firsts[j]);
                (x[WIDTH + j], first[WIDTH + j]) = (t[j], second[j]);
            }
            b.encrypt(&TwoRounds { keys, first, parts: [&ahead, &part] }, &mut x);
            if !OPEN {
                for j in 0..WIDTH {
                    sum = b.xor(sum, odds(b, ahead.src(), 2 * j * B::BYTES));
                }
            }
            let mut z = t;
            z.copy_from_slice(&x[WIDTH..]);
            sum = done::<B, OPEN>(b, sum, part, &t, &z);
            t.copy_from_slice(&x[..WIDTH]);
            (part, second) = (ahead, seconds);
        }
        let mut x = [b.zero(); WIDTH];
        for j in 0..WIDTH {
            x[j] = evens(b, part.src(), 2 * j * B::BYTES);
        }
        let z = cipher(b, keys, t, second, x);
        self.sum = done::<B, OPEN>(b, sum, part, &t, &z);
        self.masks.advance(&mut masks);
        self.masks.set_first(masks[0]);
    }

    /// The masks of a group's first and second round; `next` is the first of them, and then that
    /// of the next group.
    #[inline(always)]
    fn rounds<const V3: bool, const OPEN: bool>(&self, masks: &[B::V; BOTH], next: &mut B::V) -> [[B::V; WIDTH]; 2] {
        let (b, mut f) = (self.b, *next);
        let (mut first, mut second) = ([f; WIDTH], [f; WIDTH]);
        for j in 0..WIDTH {
            *next = b.rev(masks[j + 1]);
            // Thrice a mask is its sum with the next one.
            let g = b.xor(f, if V3 { one_further(b, f, *next) } else { b.widen(self.d) });
            (first[j], second[j]) = if OPEN { (g, f) } else { (f, g) };
            f = *next;
        }
        [first, second]
    }

    /// The next `N` registers of pairs.
    #[inline(always)]
    fn registers<const V3: bool, const OPEN: bool, const N: usize>(&mut self) {
        let b = self.b;
        let mut part = self.io.cut(2 * N * B::BYTES);
        let (f, mut g) = (self.masks.step::<N>(), [b.zero(); N]);
        for j in 0..N {
            // Thrice a mask is its sum with the next one.
            let next = if j + 1 < N { f[j + 1] } else { self.masks.next };
            g[j] = b.xor(f[j], if V3 { one_further(b, f[j], next) } else { b.widen(self.d) });
        }
        let (mut x, mut y) = ([b.zero(); N], [b.zero(); N]);
        for j in 0..N {
            let at = 2 * j * B::BYTES;
            (x[j], y[j]) = (evens(b, part.src(), at), odds(b, part.src(), at));
            if !OPEN {
                self.sum = b.xor(self.sum, y[j]);
            }
        }
        if OPEN {
            y = cipher(b, Enc(self.enc), x, g, y);
            x = cipher(b, Enc(self.enc), y, f, x);
            for j in 0..N {
                (x[j], y[j]) = (y[j], x[j]);
                self.sum = b.xor(self.sum, y[j]);
            }
        } else {
            y = cipher(b, Enc(self.enc), x, f, y);
            x = cipher(b, Enc(self.enc), y, g, x);
            for j in 0..N {
                (x[j], y[j]) = (y[j], x[j]);
            }
        }
        for j in 0..N {
            store_pairs(b, part.dst(), 2 * j * B::BYTES, x[j], y[j]);
        }
    }

    /// The same with one block a register.
    #[inline(always)]
    fn narrow(self) -> Walk<'a, B::One> {
        let Self { b, enc, io, d, masks, sum } = self;
        Walk { b: b.one(), enc, io, d, masks: masks.narrow(), sum: b.fold(sum) }
    }
}

/// Writes a group, of which these are the pairs' first and second blocks.
#[inline(always)]
fn done<B: Backend, const OPEN: bool>(
    b: B,
    mut sum: B::V,
    mut part: InOut<'_>,
    x: &[B::V; WIDTH],
    y: &[B::V; WIDTH],
) -> B::V {
    for j in 0..WIDTH {
        if OPEN {
            sum = b.xor(sum, y[j]);
        }
        store_pairs(b, part.dst(), 2 * j * B::BYTES, x[j], y[j]);
    }
    sum
}

impl<B: Backend<One = B>> Walk<'_, B> {
    /// What is left: fewer pairs than fill a register, the last, of 1 to 32 bytes or none, and
    /// the tag.
    #[inline(always)]
    fn end<const V3: bool, const OPEN: bool>(mut self, ta: B::V) -> B::V {
        match (self.io.len().max(1) - 1) / 32 {
            0 => {}
            1 => self.registers::<V3, OPEN, 1>(),
            2 => self.registers::<V3, OPEN, 2>(),
            _ => self.registers::<V3, OPEN, 3>(),
        }
        let (b, enc, mut io) = (self.b, self.enc, self.io);
        let (f, little) = (self.masks.next, self.masks.little);
        let n = io.len();
        let whole = n == 16 || n == 32;
        if n <= 16 {
            let mask = last_mask::<_, V3>(b, little, self.d, whole);
            let m = if n == 0 { b.zero() } else { io.load_part(b) };
            let [out] = cipher(b, Enc(enc), [b.zero()], [f], [m]);
            if n > 0 {
                io.store_part(b, out);
            }
            let mut sum = b.xor(self.sum, if OPEN { b.keep(out, n) } else { m });
            if !whole {
                sum = b.xor(sum, b.padding(n));
            }
            let [tag] = cipher(b, Enc(enc), [sum], [mask], [ta]);
            return tag;
        }
        let (g, little) = if V3 {
            let little = plus_multiple(b, little, 1);
            (b.rev(little), little)
        } else {
            (b.xor(f, self.d), b.xor(little, b.rev(self.d)))
        };
        let mask = last_mask::<_, V3>(b, little, self.d, whole);
        let (mut first, mut second) = (io.cut(16), io);
        let (x, y) = (first.load(b, 0), second.load_part(b));
        let pad = if whole { b.zero() } else { b.padding(n) };
        // The halves of what comes out are exchanged against those of the other pairs.
        if OPEN {
            let w = b.xor(y, pad);
            let [x] = cipher(b, Enc(enc), [w], [g], [x]);
            let [z] = cipher(b, Enc(enc), [x], [f], [b.zero()]);
            first.store(b, 0, x);
            second.store_part(b, b.xor(y, z));
            let sum = b.xor(self.sum, b.xor(w, z));
            let [tag] = cipher(b, Enc(enc), [sum], [mask], [ta]);
            tag
        } else {
            let [z] = cipher(b, Enc(enc), [x], [f], [b.zero()]);
            let c = b.xor(y, z);
            let w = b.xor(b.keep(c, n - 16), pad);
            second.store_part(b, c);
            let sum = b.xor(self.sum, b.xor(w, z));
            let [c, tag] = cipher(b, Enc(enc), [w, sum], [g, mask], [x, ta]);
            first.store(b, 0, c);
            tag
        }
    }
}

/// The sum of `v` and 2^`n` times `v`.
#[inline(always)]
fn plus_multiple<B: Backend>(b: B, v: B::V, n: usize) -> B::V {
    b.xor(v, doubled(b, v, n))
}

/// What is added to the sum before it is enciphered; `little` is the last mask, little-endian.
#[inline(always)]
fn last_mask<B: Backend<One = B>, const V3: bool>(b: B, little: B::V, d: B::V, whole: bool) -> B::V {
    if V3 {
        // 5 times, which is 3 times 3 in this field; of a whole last block 7 times.
        let five = plus_multiple(b, little, 2);
        return b.rev(if whole { b.xor(five, doubled(b, little, 1)) } else { five });
    }
    let mask = b.rev(plus_multiple(b, little, 1));
    if whole { b.xor(mask, d) } else { mask }
}
