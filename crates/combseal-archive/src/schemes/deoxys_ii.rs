//! Deoxys-II-128 (Jean, Nikolić, Peyrin and Seurin, Deoxys v1.41, CAESAR, 2016; "The Deoxys
//! AEAD Family", Journal of Cryptology, 2021), with the tweakable block cipher Deoxys-BC-256.
//!
//! Status: in CAESAR's final portfolio (2019) for defence in depth, as the first choice. Its
//! cipher is in ISO/IEC 18033-7 (2022), as Deoxys-TBC-256; we know of no standard that has the
//! mode. Zhao, Dong and Jia (ToSC 2019) attack 11 of the cipher's 14 rounds, but not this mode.
//! Under a repeated nonce it shows no more than that a message was repeated, up to the birthday
//! bound. Kept for how a cipher whose tweak is part of its key schedule compares with masks
//! about the AES.
//!
//! Two passes, all blocks in flight. The key's part of the subtweakeys is made with the key.
//! The tweak's part moves bytes and does nothing else to them: what a message's tweaks have in
//! common is permuted once in 32 or 64 blocks, and in what they differ, the last bits of the
//! counter, is a table of constants.

use crate::about::{About, RepeatedNonce, Status};
use crate::archived::Archived;
use crate::layers::padded;
use crate::nonce;
use combseal::cpu::{Backend, Block, Kernel};
use combseal::internals::{InOut, filled};
use combseal::{Cpu, secret};

/// Deoxys-II with 128-bit keys.
pub struct DeoxysII(Expanded);

/// Subtweakeys without the tweak.
struct Expanded {
    sub: [Block; KEYS],
    cpu: Cpu,
}
secret!(Expanded { sub, cpu });

/// Subtweakeys, one more than rounds.
const KEYS: usize = 15;
/// Registers in flight; twice as many where they have four blocks and there are enough.
const WIDTH: usize = 8;
const BOTH: usize = 2 * WIDTH;
/// Blocks whose tweaks differ in the last five bits alone.
const SPAN: usize = 32;

/// Blocks that share subtweakeys but for their counters, of `N` registers in flight.
const fn shared<B: Backend, const N: usize>() -> usize {
    if B::BLOCKS == 4 { 4 * N } else { SPAN }
}

/// The constants of the subtweakeys.
const RCON: [u8; KEYS] = [0x2f, 0x5e, 0xbc, 0x63, 0xc6, 0x97, 0x35, 0x6a, 0xd4, 0xb3, 0x7d, 0xfa, 0xef, 0xc5, 0x91];

/// Where h brings each byte.
const H: Block = [1, 6, 11, 12, 5, 10, 15, 0, 9, 14, 3, 4, 13, 2, 7, 8];

/// h, `r` times: which byte comes to each place.
static FROM: [Block; KEYS] = {
    let mut t = [[0; 16]; KEYS];
    let mut i = 0;
    while i < 16 {
        t[0][i] = i as u8;
        i += 1;
    }
    let mut r = 1;
    while r < KEYS {
        let mut i = 0;
        while i < 16 {
            t[r][H[i] as usize] = t[r - 1][i];
            i += 1;
        }
        r += 1;
    }
    t
};

/// The tweaks of a span's blocks in each subtweakey, apart from what they have in common.
#[repr(align(64))]
struct Counters([[Block; SPAN]; KEYS]);
static COUNTERS: Counters = {
    let mut t = [[[0; 16]; SPAN]; KEYS];
    let mut r = 0;
    while r < KEYS {
        let mut place = 0;
        while FROM[r][place] != 15 {
            place += 1;
        }
        let mut i = 0;
        while i < SPAN {
            t[r][i][place] = i as u8;
            i += 1;
        }
        r += 1;
    }
    Counters(t)
};

/// What the tweaks of blocks 4, 8, 16 and 32 places further on differ in, in every lane of a register
/// of four blocks.
#[repr(align(64))]
struct Steps([[[Block; 4]; 4]; KEYS]);
static STEPS: Steps = {
    let mut t = [[[[0; 16]; 4]; 4]; KEYS];
    let mut i = 0;
    while i < KEYS * 256 {
        let (r, k, lane, place) = (i / 256, i / 64 % 4, i / 16 % 4, i % 16);
        t[r][k][lane][place] = COUNTERS.0[r][1][place] * (4 << k);
        i += 1;
    }
    Steps(t)
};

impl Archived for DeoxysII {
    const ABOUT: &'static About = &About {
        name: "Deoxys-II-128",
        family: "deoxys-ii",
        nonce_len: 15,
        repeated_nonce: RepeatedNonce::Equality,
        source: "Jean, Nikolić, Peyrin and Seurin, Deoxys v1.41, CAESAR, 2016; Journal of Cryptology, 2021",
        status: Status::Portfolio,
        history: "first choice for defence in depth in CAESAR's portfolio (2019); its cipher is in ISO/IEC \
                  18033-7 (2022)",
        known_answers: &["deoxysii128v141"],
        ..About::USUAL
    };

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Expanded| {
            it.cpu = cpu;
            cpu.run(SetUp { key, sub: &mut it.sub });
        }))
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        self.0.cpu.run(Seal(Message { sub: &self.0.sub, nonce, ad, io }, tail));
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        self.0.cpu.run(Open(Message { sub: &self.0.sub, nonce, ad, io }, tail))
    }
}

struct SetUp<'a> {
    key: &'a [u8],
    sub: &'a mut [Block; KEYS],
}
impl Kernel for SetUp<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let b = b.one();
        let (low, high) = (b.splat(&[0xfe; 16]), b.splat(&[1; 16]));
        let mut tk = b.load(self.key);
        for r in 0..KEYS {
            let c = RCON[r];
            let rc = b.splat(&[1, 2, 4, 8, c, c, c, c, 0, 0, 0, 0, 0, 0, 0, 0]);
            b.store(&mut self.sub[r], b.xor(tk, rc));
            // h, and each byte through its shift register: bits 7 and 5 come in below.
            let moved = b.permute(tk, &FROM[1]);
            let into = b.and(b.xor(b.shr64(moved, 7), b.shr64(moved, 5)), high);
            tk = b.xor(b.and(b.shl64(moved, 1), low), into);
        }
    }
}

/// One message.
struct Message<'a> {
    sub: &'a [Block; KEYS],
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
}

struct Seal<'a>(Message<'a>, &'a mut [u8]);
impl Kernel for Seal<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self(mut message, tail) = self;
        let one = b.one();
        let sum = message.hash(b, message.ad, Place::DATA);
        let sum = one.xor(sum, message.hash(b, message.io.src(), Place::MESSAGE));
        let tag = message.tag(one, sum);
        one.store(tail, tag);
        message.stream(b, tag);
    }
}

struct Open<'a>(Message<'a>, &'a [u8]);
impl Kernel for Open<'_> {
    type Out = bool;
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let Self(mut message, tail) = self;
        let one = b.one();
        message.stream(b, one.load(tail));
        let sum = message.hash(b, message.ad, Place::DATA);
        let sum = one.xor(sum, message.hash(b, message.io.written(), Place::MESSAGE));
        one.begins(message.tag(one, sum), tail)
    }
}

/// What a tweak begins with: half a byte for whole blocks, another one for a short block.
#[derive(Clone, Copy)]
struct Place {
    whole: u8,
    short: u8,
}
impl Place {
    const DATA: Self = Self { whole: 0x20, short: 0x60 };
    const MESSAGE: Self = Self { whole: 0x00, short: 0x40 };
}

/// The register of one block.
type One<B> = <<B as Backend>::One as Backend>::V;

/// The tweak that begins with `first`, of block `i`.
#[inline(always)]
fn tweak(first: u8, i: usize) -> Block {
    (u128::from(first) << 120 | i as u128).to_be_bytes()
}

/// The subtweakeys of a span's blocks but for their counters.
#[inline(always)]
fn span<B: Backend>(b: B, sub: &[B::V; KEYS], tweak: B::V) -> [B::V; KEYS] {
    let mut it = [tweak; KEYS];
    for r in 0..KEYS {
        it[r] = b.xor(sub[r], b.permute(tweak, &FROM[r]));
    }
    it
}

/// The subtweakeys without the tweak, in every lane; where a register has four blocks, with what the
/// lanes' tweaks differ in.
#[inline(always)]
fn spread<B: Backend>(b: B, sub: &[Block; KEYS]) -> [B::V; KEYS] {
    let mut it = [b.zero(); KEYS];
    for r in 0..KEYS {
        it[r] = b.splat(&sub[r]);
        if B::BLOCKS == 4 {
            it[r] = b.xor(it[r], b.load(COUNTERS.0[r].as_flattened()));
        }
    }
    it
}

/// Deoxys-BC of `N` registers, which begin with block `at` of a span.
#[inline(always)]
fn cipher<B: Backend, const N: usize>(b: B, span: &[B::V; KEYS], at: usize, x: [B::V; N]) -> [B::V; N] {
    // So that no block is behind the span's end, whatever the compiler knows of `at`.
    let at = at & (SPAN - 1) & !(N * B::BLOCKS - 1);
    let mut x = x;
    for r in 0..KEYS {
        if B::BLOCKS == 4 {
            in_fours(b, span[r], r, &mut x);
            continue;
        }
        let (counters, mut key) = (&COUNTERS.0[r][at..], [span[r]; N]);
        for j in 0..N {
            key[j] = b.xor(span[r], b.load(counters[j * B::BLOCKS..].as_flattened()));
        }
        if r == 0 {
            for j in 0..N {
                x[j] = b.xor(x[j], key[j]);
            }
        } else {
            x = b.round(x, key);
        }
        if N > 4 {
            // In step: the compiler would put one register's rounds after another's.
            for j in 0..N {
                x[j] = b.pin(x[j]);
            }
        }
    }
    x
}

/// Round `r` of `N` registers of four blocks, of which `subtweakey` is the first one's.
///
/// To load a subtweakey for each register would take longer than the rounds. Those of the first four registers are made once, and
/// each further four have the same but for one sum, which is added to each right before its round: so sixteen states and what is
/// needed beside them fit into 32 registers.
#[inline(always)]
fn in_fours<B: Backend, const N: usize>(b: B, subtweakey: B::V, r: usize, x: &mut [B::V; N]) {
    const { assert!(B::BLOCKS < 4 || N.is_multiple_of(4) && N <= 16) };
    let step = |k: usize| b.load(STEPS.0[r][k].as_flattened());
    let next = b.xor(subtweakey, step(0));
    let first = [subtweakey, next, b.xor(subtweakey, step(1)), b.xor(next, step(1))];
    for four in 0..N / 4 {
        let offset = match four {
            0 | 1 => step(2),
            2 => step(3),
            _ => b.xor(step(2), step(3)),
        };
        for i in 0..4 {
            let (j, key) = (4 * four + i, if four == 0 { first[i] } else { b.xor(first[i], offset) });
            x[j] = if r == 0 { b.xor(x[j], key) } else { b.round([x[j]], [key])[0] };
            // In step, and each right behind its subtweakey: the compiler would put one register's rounds after another's, or
            // make all subtweakeys first, for which there is no room.
            x[j] = b.hold(b.pin(x[j]));
        }
    }
}

/// Deoxys-BC of one block.
#[inline(always)]
fn call<B: Backend>(b: B, sub: &[Block; KEYS], tweak: B::V, x: B::V) -> B::V {
    let span = span(b, &spread(b, sub), tweak);
    let mut x = [b.xor(x, span[0])];
    for r in 1..KEYS {
        x = b.round(x, [span[r]]);
    }
    x[0]
}

impl Message<'_> {
    /// The sum of a string's blocks, enciphered.
    #[inline(always)]
    fn hash<B: Backend>(&self, b: B, data: &[u8], place: Place) -> One<B> {
        let one = b.one();
        let (whole, rest) = data.split_at(data.len() & !15);
        let mut at = 0;
        let mut sum = one.zero();
        if B::BLOCKS == 4 {
            sum = self.sums::<_, BOTH>(b, whole, &mut at, place);
        }
        sum = one.xor(sum, self.sums::<_, WIDTH>(b, whole, &mut at, place));
        if B::BLOCKS == 4 {
            let two = b.two();
            let more = self.sums::<_, WIDTH>(two, whole, &mut at, place);
            let mut both = [0; 16];
            two.one().store(&mut both, more);
            sum = one.xor(sum, one.load(&both));
        }
        if B::BLOCKS > 1 {
            let mut last = [0; 16];
            let more = self.sums::<_, WIDTH>(one, whole, &mut at, place);
            one.one().store(&mut last, more);
            sum = one.xor(sum, one.load(&last));
        }
        let n = whole.len() / 16 - at;
        if n > 0 {
            let more = match n {
                1 => self.few::<_, 1>(one, &whole[16 * at..], at, place),
                2 => self.few::<_, 2>(one, &whole[16 * at..], at, place),
                3..=4 => self.few::<_, 4>(one, &whole[16 * at..], at, place),
                _ => self.few::<_, 8>(one, &whole[16 * at..], at, place),
            };
            sum = one.xor(sum, more);
        }
        if !rest.is_empty() {
            let tweak = one.load(&tweak(place.short, whole.len() / 16));
            sum = one.xor(sum, call(one, self.sub, tweak, padded(one, rest)));
        }
        sum
    }

    /// The sum of whole groups of registers from block `at` on.
    #[inline(always)]
    fn sums<B: Backend, const N: usize>(&self, b: B, whole: &[u8], at: &mut usize, place: Place) -> One<B> {
        let group = N * B::BLOCKS;
        let mut sum = b.zero();
        let blocks = whole.len() / 16;
        if blocks - *at < group {
            return b.one().zero();
        }
        let sub = spread(b, self.sub);
        while blocks - *at >= group {
            let keys = span(b, &sub, b.splat(&tweak(place.whole, *at & !(shared::<B, N>() - 1))));
            loop {
                let from = &whole[16 * *at..];
                let mut x = [b.zero(); N];
                for j in 0..N {
                    x[j] = b.load(&from[j * B::BYTES..]);
                }
                x = cipher(b, &keys, *at, x);
                for j in 0..N {
                    sum = b.xor(sum, x[j]);
                }
                *at += group;
                if at.is_multiple_of(shared::<B, N>()) || blocks - *at < group {
                    break;
                }
            }
        }
        b.fold(sum)
    }

    /// The sum of at most `N` blocks, of one span.
    #[inline(always)]
    fn few<B: Backend, const N: usize>(&self, b: B, from: &[u8], at: usize, place: Place) -> B::V {
        let keys = span(b, &spread(b, self.sub), b.splat(&tweak(place.whole, at & !(SPAN - 1))));
        let n = (from.len() / 16).min(N);
        let mut x = [b.zero(); N];
        for j in 0..n {
            x[j] = b.load(&from[16 * j..]);
        }
        x = cipher(b, &keys, at, x);
        let mut sum = b.zero();
        for j in 0..n {
            sum = b.xor(sum, x[j]);
        }
        sum
    }

    #[inline(always)]
    fn tag<B: Backend>(&self, b: B, sum: B::V) -> B::V {
        let tweak = nonce::number::<15>(self.nonce) << 8 | 0x10;
        call(b, self.sub, nonce::register(b, tweak), sum)
    }

    /// The second pass: tag and counter are the tweak, the nonce is the block.
    #[inline(always)]
    fn stream<B: Backend>(&mut self, b: B, tag: One<B>) {
        let one = b.one();
        let nonce = nonce::register(one, nonce::number::<15>(self.nonce) << 8);
        // The first bit is set.
        let top = one.splat(&0x80u128.to_le_bytes());
        let tag = one.xor(one.and(tag, one.splat(&(!0x80u128).to_le_bytes())), top);
        let mut io = self.io.reborrow();
        let mut at = 0;
        if B::BLOCKS == 4 {
            add::<_, BOTH>(b, self.sub, b.widen(tag), b.widen(nonce), &mut io, &mut at);
        }
        add::<_, WIDTH>(b, self.sub, b.widen(tag), b.widen(nonce), &mut io, &mut at);
        if B::BLOCKS == 4 {
            let two = b.two();
            let v = |x: One<B>| two.splat(&one.block(x));
            add::<_, WIDTH>(two, self.sub, v(tag), v(nonce), &mut io, &mut at);
        }
        if B::BLOCKS > 1 {
            add::<_, WIDTH>(one, self.sub, tag, nonce, &mut io, &mut at);
        }
        match io.len().div_ceil(16) {
            0 => {}
            1 => add_few::<_, 1>(one, self.sub, tag, nonce, &mut io, at),
            2 => add_few::<_, 2>(one, self.sub, tag, nonce, &mut io, at),
            3..=4 => add_few::<_, 4>(one, self.sub, tag, nonce, &mut io, at),
            _ => add_few::<_, 8>(one, self.sub, tag, nonce, &mut io, at),
        }
    }
}

/// The tweak of a span that begins with block `at`.
#[inline(always)]
fn counted<B: Backend>(b: B, tag: B::V, at: usize) -> B::V {
    b.xor(tag, b.splat(&(at as u128).to_be_bytes()))
}

/// The stream to whole groups of registers, which begin with block `at`.
#[inline(always)]
fn add<B: Backend, const N: usize>(
    b: B,
    sub: &[Block; KEYS],
    tag: B::V,
    nonce: B::V,
    io: &mut InOut<'_>,
    at: &mut usize,
) {
    let group = N * B::BLOCKS;
    if io.len() < 16 * group {
        return;
    }
    let sub = spread(b, sub);
    while io.len() >= 16 * group {
        let mut keys = span(b, &sub, counted(b, tag, *at & !(shared::<B, N>() - 1)));
        keys[0] = b.xor(keys[0], nonce);
        loop {
            let mut part = io.cut(16 * group);
            let x = cipher(b, &keys, *at, [b.zero(); N]);
            for j in 0..N {
                part.store(b, j * B::BYTES, b.xor(x[j], part.load(b, j * B::BYTES)));
            }
            *at += group;
            if at.is_multiple_of(shared::<B, N>()) || io.len() < 16 * group {
                break;
            }
        }
    }
}

/// The stream to the last blocks, at most `N`.
#[inline(always)]
fn add_few<B: Backend, const N: usize>(
    b: B,
    sub: &[Block; KEYS],
    tag: B::V,
    nonce: B::V,
    io: &mut InOut<'_>,
    at: usize,
) {
    let keys = span(b, &spread(b, sub), counted(b, tag, at & !(SPAN - 1)));
    let x = cipher(b, &keys, at, [nonce; N]);
    for j in 0..N {
        let n = io.len().min(16);
        if n > 0 {
            let mut part = io.cut(n);
            if n == 16 {
                part.store(b, 0, b.xor(x[j], part.load(b, 0)));
            } else {
                part.store_part(b, b.xor(x[j], part.load_part(b)));
            }
        }
    }
}
