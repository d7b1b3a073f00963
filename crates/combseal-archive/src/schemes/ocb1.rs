//! OCB1 (Rogaway, Bellare, Black and Krovetz, "OCB: A block-cipher mode of operation for
//! efficient authenticated encryption", CCS 2001; TISSEC 2003), on AES-128 with 16-byte tags.
//!
//! Status: superseded, by OCB2 (2004) and by OCB3 (2011, RFC 7253), which take associated data.
//! Proven up to the birthday bound; the attacks on OCB2 do not touch it. Kept for the
//! comparison of OCB's three versions by Krovetz and Rogaway (FSE 2011).
//!
//! The offsets follow a Gray code, as OCB3's do: behind an aligned place each is the offset
//! there XOR an entry of the key's table, so that no block waits for the one before it. They
//! travel as round keys of registers of any width, eight in flight. The last block, which takes
//! the length, and then the tag wait for one another; nothing else does.

use crate::about::{About, RepeatedNonce, Status};
use crate::archived::Archived;
use crate::nonce;
use crate::xex::{Offsets, One, WIDTH, crypt, is_few, one_block};
use combseal::cpu::{Aes, Backend, Block, Dec, Enc, Kernel, ReturnedBlock};
use combseal::internals::mac_lane::double;
use combseal::internals::{InOut, filled};
use combseal::{Aes128, Cpu, secret};

/// Blocks in the longest group.
const REACH: usize = 32;
/// How many L(i) a key holds: what 2^24 blocks need. Longer messages double the last further.
const LS: usize = 24;

/// A key of OCB1.
pub struct Ocb1 {
    enc: <Aes128 as Aes>::Enc,
    dec: <Aes128 as Aes>::Dec,
    /// How far the offset of block i, from 0 to 32, is from that of an aligned place before
    /// block 1: the sum of all L(ntz(k)), k from 1 to i.
    offsets: [Block; REACH + 1],
    /// L(0), L(1), and so on.
    l: [Block; LS],
    /// L(-1), half of L(0).
    half: Block,
    cpu: Cpu,
}
secret!(Ocb1 { enc, dec, offsets, l, half, cpu });

impl Archived for Ocb1 {
    const ABOUT: &'static About = &About {
        name: "OCB1-AES-128",
        family: "ocb1",
        longest_ad: 0,
        repeated_nonce: RepeatedNonce::BlocksAndForgeries,
        source: "Rogaway, Bellare, Black and Krovetz, CCS 2001; TISSEC 2003",
        status: Status::Superseded,
        history: "superseded by OCB2 (2004) and by OCB3 (2011, RFC 7253), which take associated data; the \
                  attacks on OCB2 do not touch it",
        known_answers: &["ocb1_aes128"],
        ..About::USUAL
    };

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        filled(|it: &mut Self| {
            it.cpu = cpu;
            cpu.run(SetUp { key, it });
        })
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], _: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        let tag = self.cpu.run(Seal(Message { key: self, nonce, io }));
        tail.copy_from_slice(&tag.block());
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], _: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        self.cpu.run(Open(Message { key: self, nonce, io }, tail))
    }
}

/// B / 2, without a branch.
fn halved(n: u128) -> u128 {
    n >> 1 ^ 0x8000_0000_0000_0000_0000_0000_0000_0043 & 0u128.wrapping_sub(n & 1)
}

struct SetUp<'a> {
    key: &'a [u8],
    it: &'a mut Ocb1,
}
impl Kernel for SetUp<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let (one, it) = (b.one(), self.it);
        b.expand::<Aes128>(self.key, &mut it.enc);
        b.invert::<Aes128>(&it.enc, &mut it.dec);
        let zero = one.zero();
        one.store(&mut it.l[0], one_block(one, Enc(&it.enc), zero, zero, zero));
        let l_0 = u128::from_be_bytes(it.l[0]);
        it.half = halved(l_0).to_be_bytes();
        for i in 1..LS {
            it.l[i] = double(u128::from_be_bytes(it.l[i - 1])).to_be_bytes();
        }
        for i in 1..=REACH {
            let sum = one.xor(one.load(&it.offsets[i - 1]), one.load(&it.l[i.trailing_zeros() as usize]));
            one.store(&mut it.offsets[i], sum);
        }
    }
}

impl Ocb1 {
    /// L(i), for any i.
    #[inline(always)]
    fn l<B: Backend>(&self, one: B, i: u32) -> B::V {
        match self.l.get(i as usize) {
            Some(l) => one.load(l),
            None => one.load(&self.beyond(i)),
        }
    }

    /// L(i) beyond the table.
    #[cold]
    #[inline(never)]
    fn beyond(&self, i: u32) -> Block {
        let mut l = u128::from_be_bytes(self.l[LS - 1]);
        for _ in LS as u32 - 1..i {
            l = double(l);
        }
        l.to_be_bytes()
    }
}

/// The offsets Z(i): a place aligned to a group, and how many blocks behind it the next
/// register begins.
struct Gray<'a, B: Backend> {
    key: &'a Ocb1,
    base: One<B>,
    blocks: usize,
    at: usize,
}

impl<B: Backend> Gray<'_, B> {
    const GROUP: usize = WIDTH * B::BLOCKS;

    /// The offset of the last block of this group: the only one whose L depends on where the
    /// group is.
    #[inline(always)]
    fn last(&self, b: B) -> One<B> {
        let one = b.one();
        let before = one.xor(self.base, one.load(&self.key.offsets[Self::GROUP - 1]));
        one.xor(before, self.key.l(one, (self.blocks + Self::GROUP).trailing_zeros()))
    }

    /// The offsets of the register that begins `at` blocks behind the place.
    #[inline(always)]
    fn at(&self, b: B, at: usize) -> B::V {
        let it = b.xor(b.widen(self.base), b.load(self.key.offsets[1 + at..].as_flattened()));
        if at + B::BLOCKS == Self::GROUP { b.with_top(it, self.last(b)) } else { it }
    }
}

impl<B: Backend> Offsets<B> for Gray<'_, B> {
    type Group = ();

    #[inline(always)]
    fn register(&self, b: B) -> B::V {
        self.at(b, self.at)
    }
    #[inline(always)]
    fn advance(&mut self, _: B) {
        self.at += B::BLOCKS;
    }
    #[inline(always)]
    fn begin(&mut self, _: B) {}
    #[inline(always)]
    fn masks(&self, b: B, (): &()) -> [B::V; WIDTH] {
        let mut masks = [b.zero(); WIDTH];
        for j in 0..WIDTH {
            masks[j] = self.at(b, j * B::BLOCKS);
        }
        masks
    }
    #[inline(always)]
    fn advance_group(&mut self, b: B, (): &mut ()) {
        self.base = self.last(b);
        self.blocks += Self::GROUP;
    }
    #[inline(always)]
    fn end(&mut self, _: B, (): ()) {}
}

/// One message.
struct Message<'a> {
    key: &'a Ocb1,
    nonce: &'a [u8],
    io: InOut<'a>,
}

struct Seal<'a>(Message<'a>);
impl Kernel for Seal<'_> {
    type Out = ReturnedBlock;
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let one = b.one();
        one.returned(if is_few::<B>(&self.0.io) { self.0.ocb1::<_, true>(one) } else { self.0.ocb1::<_, true>(b) })
    }
}

struct Open<'a>(Message<'a>, &'a [u8]);
impl Kernel for Open<'_> {
    type Out = bool;
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let one = b.one();
        let few = is_few::<B>(&self.0.io);
        one.begins(if few { self.0.ocb1::<_, false>(one) } else { self.0.ocb1::<_, false>(b) }, self.1)
    }
}

impl Message<'_> {
    /// Gives the tag.
    #[inline(always)]
    fn ocb1<B: Backend, const SEAL: bool>(self, b: B) -> One<B> {
        let Self { key, nonce, mut io } = self;
        let (one, enc) = (b.one(), Enc(&key.enc));
        let l_0 = one.load(&key.l[0]);
        let r = one_block(one, enc, nonce::register(one, nonce::number::<16>(nonce)), l_0, one.zero());
        let mut offsets = Gray::<B> { key, base: r, blocks: 0, at: 0 };
        // The last block takes the length, and is treated apart even if it is whole.
        let whole = io.cut(io.len().saturating_sub(1) / 16 * 16);
        let lane = whole.len() / 16 % B::BLOCKS;
        let sum = if SEAL {
            crypt::<_, _, _, true>(b, enc, &mut offsets, whole)
        } else {
            crypt::<_, _, _, false>(b, Dec(&key.enc, &key.dec), &mut offsets, whole)
        };
        let z = b.split(offsets.register(b))[lane];
        let n = io.len();
        let len = one.load(&(8 * n as u128).to_be_bytes());
        let y = one_block(one, enc, len, one.xor(one.load(&key.half), z), one.zero());
        let from = io.load_part(one);
        let to = one.xor(from, y);
        io.store_part(one, to);
        let c = if SEAL { one.keep(to, n) } else { from };
        one_block(one, enc, one.xor(sum, one.xor(c, y)), z, one.zero())
    }
}
