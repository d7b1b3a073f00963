//! CWC (Kohno, Viega and Whiting, "CWC: A high-performance conventional authenticated
//! encryption mode", FSE 2004), on AES-128 and AES-256 with 16-byte tags.
//!
//! Status: superseded by GCM (2004), whose hash is cheaper in hardware and which NIST chose. We
//! know of no break. Kept for the list of modes by Krovetz and Rogaway (FSE 2011), and as the
//! mode whose hash is integer arithmetic, modulo 2^127 - 1.
//!
//! Counter mode in registers of any width. The hash takes sixteen words of twelve bytes at once,
//! each by a power of Z of its own, in integer multiplications of 64 bits whose sums are reduced
//! once; words are cut in halves of 48 bits, so that sums of sixteen products do not overflow. It
//! runs on other units of the CPU than the AES, stretch by stretch of 192 bytes, so that the two
//! overlap. No step depends on the data.

use crate::about::{About, RepeatedNonce, Status};
use crate::archived::Archived;
use crate::nonce;
use crate::xex::{Masked, One, one_block};
use combseal::cpu::{Aes, Backend, Block, Enc, Kernel, ReturnedBlock};
use combseal::internals::{InOut, filled};
use combseal::{Cpu, secret};

/// Bytes in a word of the hash.
const WORD: usize = 12;
/// Words that are reduced together.
const GROUP: usize = 16;
/// Bytes encrypted and hashed in turns: whole blocks and whole words.
const STRETCH: usize = GROUP * WORD;
/// Blocks that the counter, which begins with 1, can tell apart.
const MOST: u64 = 16 * (u32::MAX as u64);

/// CWC with the AES of size `A`.
pub struct Cwc<A: Aes> {
    enc: A::Enc,
    /// Z to Z^16, little-endian.
    powers: [Block; GROUP],
    cpu: Cpu,
}
secret!(Cwc<A: Aes> { enc, powers, cpu });

impl<A: Aes> Archived for Cwc<A> {
    const ABOUT: &'static About = &About {
        name: if A::KEY_LEN == 16 { "CWC-AES-128" } else { "CWC-AES-256" },
        family: "cwc",
        key_len: A::KEY_LEN,
        nonce_len: 11,
        longest: MOST,
        longest_ad: MOST,
        repeated_nonce: RepeatedNonce::Xor,
        source: "Kohno, Viega and Whiting, FSE 2004",
        status: Status::Superseded,
        history: "superseded by GCM (2004), whose hash is cheaper in hardware and which NIST chose; we know of no \
                  break",
        known_answers: if A::KEY_LEN == 16 { &["cwc_aes128"] } else { &["cwc_aes256"] },
        ..About::USUAL
    };

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        filled(|it: &mut Self| {
            it.cpu = cpu;
            cpu.run(SetUp { key, it });
        })
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        let tag = self.cpu.run(Seal(Message { key: self, nonce, ad, io }));
        tail.copy_from_slice(&tag.block());
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        self.cpu.run(Open(Message { key: self, nonce, ad, io }, tail))
    }
}

struct SetUp<'a, A: Aes> {
    key: &'a [u8],
    it: &'a mut Cwc<A>,
}
impl<A: Aes> Kernel for SetUp<'_, A> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let (one, it) = (b.one(), self.it);
        b.expand::<A>(self.key, &mut it.enc);
        let zero = one.zero();
        let z = one_block(one, Enc(&it.enc), one.load(&(0xc0u128 << 120).to_be_bytes()), zero, zero);
        // The first bit is cleared.
        let z = u128::from_be_bytes(one.block(z)) & P;
        let mut power = z;
        it.powers[0] = z.to_le_bytes();
        for i in 1..GROUP {
            power = multiply(power, z);
            it.powers[i] = power.to_le_bytes();
        }
    }
}

/// The prime. Numbers modulo it are at most it: zero has two forms until [`canonical`].
const P: u128 = (1 << 127) - 1;

/// A number below 2^128 - 1, modulo the prime.
#[inline(always)]
fn folded(n: u128) -> u128 {
    (n & P) + (n >> 127)
}

/// The sum modulo the prime.
#[inline(always)]
fn sum(a: u128, b: u128) -> u128 {
    folded(a + b)
}

/// `n * 2^k` modulo the prime, for `k` from 1 to 126.
#[inline(always)]
fn shifted(n: u128, k: u32) -> u128 {
    // At most 2^127 - 1, and 2^k - 1 more, for n below 2^128 and k up to 64; below 2^117, up to
    // 112.
    folded(((n << k) & P) + (n >> (127 - k)))
}

/// The full product of two halves.
#[inline(always)]
fn product(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

/// The product modulo the prime.
#[inline(always)]
fn multiply(a: u128, b: u128) -> u128 {
    let ((a0, a1), (b0, b1)) = ((a as u64, (a >> 64) as u64), (b as u64, (b >> 64) as u64));
    let middle = product(a0, b1) + product(a1, b0);
    // 2^128 is 2.
    let high = folded(product(a1, b1) << 1);
    sum(sum(folded(product(a0, b0)), high), shifted(middle, 64))
}

/// The same number below the prime.
#[inline(always)]
fn canonical(n: u128) -> u128 {
    (n + (n + 1 >> 127)) & P
}

/// A sum of up to sixteen products of words and powers, as its four parts: the halves of a word
/// weigh 1 and 2^48, those of a power 1 and 2^64.
#[derive(Default)]
struct Products([u128; 4]);

impl Products {
    #[inline(always)]
    fn add<B: Backend>(&mut self, one: B, word: &[u8; WORD], power: &Block) {
        // Which the compiler may not move: else it takes several words at once, by gathers
        // and with more sums than there are registers, which takes a third longer.
        one.pin(one.zero());
        let (x0, x1) = (number(word, 4) & 0xffff_ffff_ffff, number(word, 0) >> 16);
        let power = u128::from_le_bytes(*power);
        let (z0, z1) = (power as u64, (power >> 64) as u64);
        let it = &mut self.0;
        it[0] += product(x0, z0);
        it[1] += product(x0, z1);
        it[2] += product(x1, z0);
        it[3] += product(x1, z1);
    }

    #[inline(always)]
    fn reduced(&self) -> u128 {
        let [low, a, b, high] = self.0;
        sum(sum(low, shifted(a, 64)), sum(shifted(b, 48), shifted(high, 112)))
    }
}

/// Eight bytes of a word, from byte `at` on.
#[inline(always)]
fn number(word: &[u8; WORD], at: usize) -> u64 {
    match word[at..].first_chunk() {
        Some(it) => u64::from_be_bytes(*it),
        None => unreachable!("a word has twelve bytes"),
    }
}

/// The hash on its way.
struct Hash<'a> {
    h: u128,
    powers: &'a [Block; GROUP],
}

impl Hash<'_> {
    #[inline(always)]
    fn group<B: Backend>(&mut self, one: B, words: &[u8; GROUP * WORD]) {
        let mut products = Products::default();
        for (i, word) in words.as_chunks::<WORD>().0.iter().enumerate() {
            products.add(one, word, &self.powers[GROUP - 1 - i]);
        }
        self.h = sum(multiply(self.h, u128::from_le_bytes(self.powers[GROUP - 1])), products.reduced());
    }

    /// A string, padded with zeros to whole words.
    #[inline(always)]
    fn string<B: Backend>(&mut self, one: B, data: &[u8]) {
        let (groups, rest) = data.as_chunks();
        for words in groups {
            self.group(one, words);
        }
        let n = rest.len().div_ceil(WORD);
        if n == 0 {
            return;
        }
        let mut products = Products::default();
        let (words, last) = rest.as_chunks::<WORD>();
        for (i, word) in words.iter().enumerate() {
            products.add(one, word, &self.powers[n - 1 - i]);
        }
        if !last.is_empty() {
            let mut word = [0; WORD];
            word[..last.len()].copy_from_slice(last);
            products.add(one, &word, &self.powers[0]);
        }
        self.h = sum(multiply(self.h, u128::from_le_bytes(self.powers[n - 1])), products.reduced());
    }
}

/// The numbers 0 to 4, little-endian: how far the blocks of a register are from the counter.
static NUMBERS: [Block; 5] =
    [0u128.to_le_bytes(), 1u128.to_le_bytes(), 2u128.to_le_bytes(), 3u128.to_le_bytes(), 4u128.to_le_bytes()];

/// One message.
struct Message<'a, A: Aes> {
    key: &'a Cwc<A>,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
}

struct Seal<'a, A: Aes>(Message<'a, A>);
impl<A: Aes> Kernel for Seal<'_, A> {
    type Out = ReturnedBlock;
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        b.one().returned(self.0.cwc::<B, true>(b))
    }
}

struct Open<'a, A: Aes>(Message<'a, A>, &'a [u8]);
impl<A: Aes> Kernel for Open<'_, A> {
    type Out = bool;
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        b.one().begins(self.0.cwc::<B, false>(b), self.1)
    }
}

/// Counter blocks, the next register of them, with their bytes reversed.
struct Counter<B: Backend>(B::V);

impl<B: Backend> Counter<B> {
    #[inline(always)]
    fn next(&mut self, b: B) -> B::V {
        let now = b.rev(self.0);
        self.0 = b.add32(self.0, b.splat(&NUMBERS[B::BLOCKS]));
        now
    }

    /// `N` whole registers of `io`.
    #[inline(always)]
    fn whole<A: Aes, const N: usize>(&mut self, b: B, enc: &A::Enc, io: &mut InOut<'_>) {
        let (mut x, mut last) = ([b.zero(); N], [b.zero(); N]);
        for j in 0..N {
            (x[j], last[j]) = (self.next(b), io.load(b, j * B::BYTES));
        }
        b.encrypt(&Masked { keys: Enc(enc), first: [b.zero(); N], last }, &mut x);
        for j in 0..N {
            io.store(b, j * B::BYTES, x[j]);
        }
    }

    /// All of `io`, less than [`STRETCH`].
    #[inline(always)]
    fn rest<A: Aes>(&mut self, b: B, enc: &A::Enc, mut io: InOut<'_>) {
        const ALL: usize = STRETCH / 16;
        if B::TOGETHER {
            let mut x = [b.zero(); ALL];
            for j in 0..ALL {
                x[j] = self.next(b);
            }
            b.encrypt(&Enc(enc), &mut x);
            for pad in x {
                let mut part = io.cut(io.len().min(B::BYTES));
                let from = part.load_part(b);
                part.store_part(b, b.xor(from, pad));
            }
            return;
        }
        while !io.is_empty() {
            let mut part = io.cut(io.len().min(B::BYTES));
            let from = part.load_part(b);
            let mut x = [self.next(b)];
            b.encrypt(&Masked { keys: Enc(enc), first: [b.zero()], last: [from] }, &mut x);
            part.store_part(b, x[0]);
        }
    }
}

impl<A: Aes> Message<'_, A> {
    /// Gives the tag.
    #[inline(always)]
    fn cwc<B: Backend, const SEAL: bool>(self, b: B) -> One<B> {
        let Self { key, nonce, ad, mut io } = self;
        let (one, enc, len) = (b.one(), &key.enc, io.len());
        let initial = nonce::register(one, nonce::number::<11>(nonce) << 8 | 0x80);
        let pad = one_block(one, Enc(enc), initial, one.zero(), one.zero());
        let from_one = b.load(NUMBERS[1..].as_flattened());
        let mut counter = Counter::<B>(b.add32(b.widen(one.rev(initial)), from_one));
        let mut hash = Hash { h: 0, powers: &key.powers };
        hash.string(one, ad);
        while let Some(mut part) = io.take(STRETCH) {
            if !SEAL {
                hash.string(one, part.src());
            }
            match B::BLOCKS {
                1 => counter.whole::<A, 12>(b, enc, &mut part),
                2 => counter.whole::<A, 6>(b, enc, &mut part),
                _ => counter.whole::<A, 3>(b, enc, &mut part),
            }
            if SEAL {
                hash.string(one, part.written());
            }
        }
        if !SEAL {
            hash.string(one, io.src());
        }
        counter.rest::<A>(b, enc, io.reborrow());
        if SEAL {
            hash.string(one, io.written());
        }
        let h = canonical(sum(hash.h, ((ad.len() as u128) << 64) + len as u128));
        one_block(one, Enc(enc), one.load(&h.to_be_bytes()), one.zero(), pad)
    }
}
