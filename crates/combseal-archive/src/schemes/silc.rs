//! SILC (Iwata, Minematsu, Guo, Morioka and Kobayashi, "SILC: SImple Lightweight CFB", CAESAR
//! v1, 2014, to v3, 2016), on AES-128 with 8-byte tags.
//!
//! Status: not chosen. It reached CAESAR's third round, joined with CLOC, and was not among the
//! finalists (2018); we know of nothing against it but the 64-bit bounds of its tag and proof.
//! Kept for the comparison of serial modes of Bogdanov, Lauridsen and Tischhauser (2014).
//!
//! CLOC made smaller in hardware, and as fast as CLOC in software: the cipher feedback over
//! the message and the MAC over the ciphertext are two chains that do not wait for each other,
//! one step a block each. Blocks go in with the cipher's last round key. When a message is
//! opened, its ciphertext is known before, and nothing but the cipher is on the MAC's way.

use super::cloc::{Blockwise, FIRST_BIT, OTHER_BITS, SetUp};
use crate::about::{About, Status};
use crate::archived::{Archived, Work, written};
use combseal::cpu::{Backend, Block, Enc, Kernel, ReturnedBlock};
use combseal::internals::chain::{EdgeKeys, rounds};
use combseal::internals::chains::Chains;
use combseal::internals::lanes::Lanes;
use combseal::internals::lockstep::LaneKeys;
use combseal::internals::plan::MAX_LANES;
use combseal::internals::{InOut, filled, xor_block};
use combseal::{Cpu, secret};

/// Bytes in a tag.
const TAG: usize = 8;

/// SILC of `VERSION` 1 or 3 (2 is the same function) with nonces of `NONCE` bytes.
pub struct Silc<const VERSION: u8, const NONCE: usize>(Expanded);

/// The cipher's key.
// Aligned, so that no round key is read across two cache lines.
#[repr(C, align(16))]
struct Expanded {
    enc: [Block; 11],
    cpu: Cpu,
}
secret!(Expanded { enc, cpu });

/// The nonce's block: the nonce at its end; from version 2 on behind a byte that names the
/// parameters.
fn nonce_block<const VERSION: u8>(nonce: &[u8]) -> Block {
    let (mut block, at) = ([0; 16], 16 - nonce.len());
    block[at..].copy_from_slice(nonce);
    if VERSION > 1 {
        // AES-128, nonces of 12 bytes, tags of 8.
        block[at - 1] = 0xc0;
    }
    block
}

/// A length in bytes, as a block.
fn length(len: usize) -> Block {
    (len as u128).to_be_bytes()
}

/// The map g: the bytes b0 to b15 become b1 to b15 and b0 ^ b1.
fn moved(block: &Block) -> Block {
    let x = u128::from_le_bytes(*block);
    let y = x >> 8;
    (y ^ (x ^ y) << 120).to_le_bytes()
}

/// The second half of a block.
const SECOND_HALF: Block = 0xffff_ffff_ffff_ffff_0000_0000_0000_0000u128.to_le_bytes();

/// The same in a register. (Of the halves exchanged, the first's bytes b0 and b1 are in the
/// second half: what is shifted to its end is b0 ^ b1 there, and b8 in the first half.)
#[inline(always)]
fn moved_register<B: Backend>(b: B, x: B::V) -> B::V {
    let y = b.swap(x);
    let y = b.xor(y, b.and(b.shr64(y, 8), b.splat(&SECOND_HALF)));
    b.xor(b.shr64(x, 8), b.shl64(y, 56))
}

impl<const VERSION: u8, const NONCE: usize> Archived for Silc<VERSION, NONCE> {
    const ABOUT: &'static About = &About {
        name: match (VERSION, NONCE) {
            (1, 12) => "SILC-v1-AES-128",
            (1, _) => "SILC-v1-AES-128-nonce8",
            _ => "SILC-v3-AES-128",
        },
        family: "silc",
        nonce_len: NONCE,
        tag_bits: 8 * TAG as u32,
        source: "Iwata, Minematsu, Guo, Morioka and Kobayashi, CAESAR v1 to v3, 2014 to 2016",
        status: Status::NotChosen,
        history: "reached CAESAR's third round, joined with CLOC; not among the finalists",
        known_answers: match (VERSION, NONCE) {
            (1, 12) => &["aes128n12silcv1"],
            (1, _) => &["aes128n8silcv1"],
            _ => &["aes128n12t8silcv3"],
        },
        ..About::USUAL
    };

    const SERIAL: bool = true;

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Expanded| {
            it.cpu = cpu;
            cpu.run(SetUp { key, enc: &mut it.enc });
        }))
    }

    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        let Expanded { enc, cpu } = &self.0;
        let tag = cpu.run(Seal(Message { enc, nonce: &nonce_block::<VERSION>(nonce), ad, io }));
        tail.copy_from_slice(&tag.block()[..TAG]);
    }

    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        let Expanded { enc, cpu } = &self.0;
        cpu.run(Open(Message { enc, nonce: &nonce_block::<VERSION>(nonce), ad, io }, tail))
    }

    fn group(jobs: &[Work<'_, '_, Self>], open: bool, lane_keys: &mut LaneKeys) {
        if open {
            side_by_side::<VERSION, NONCE, true>(jobs, lane_keys);
        } else {
            side_by_side::<VERSION, NONCE, false>(jobs, lane_keys);
        }
    }
}

/// One message.
struct Message<'a> {
    enc: &'a [Block; 11],
    nonce: &'a Block,
    ad: &'a [u8],
    io: InOut<'a>,
}

struct Seal<'a>(Message<'a>);
impl Kernel for Seal<'_> {
    type Out = ReturnedBlock;
    const ON_MODELS: bool = false;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let b = b.one();
        b.returned(self.0.silc::<_, false>(b))
    }
}

struct Open<'a>(Message<'a>, &'a [u8]);
impl Kernel for Open<'_> {
    type Out = bool;
    const ON_MODELS: bool = false;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let b = b.one();
        b.begins(self.0.silc::<_, true>(b), self.1)
    }
}

impl Message<'_> {
    /// HASH: over nonce and associated data.
    #[inline(always)]
    fn hash<B: Backend>(&self, b: B, edge: &EdgeKeys<B::V>) -> B::V {
        let keys = Enc(self.enc);
        let mut x = b.xor(edge.first, b.splat(self.nonce));
        let (blocks, rest) = self.ad.as_chunks::<16>();
        for block in blocks {
            [x] = rounds(b, &keys, [x], [b.xor(edge.turn, b.splat(block))]);
        }
        if !rest.is_empty() {
            [x] = rounds(b, &keys, [x], [b.xor(edge.turn, b.load_part(rest))]);
        }
        [x] = rounds(b, &keys, [x], [b.xor(edge.last, b.splat(&length(self.ad.len())))]);
        moved_register(b, x)
    }

    /// ENC and PRF, side by side; gives the tag's block.
    #[inline(always)]
    fn silc<B: Backend, const OPEN: bool>(mut self, b: B) -> B::V {
        let keys = Enc(self.enc);
        let edge = EdgeKeys::new(b, &keys, 0);
        let len = b.xor(edge.last, b.splat(&length(self.io.len())));
        let v = self.hash(b, &edge);
        // Both states wait with round key 0 in them.
        let mut s = b.xor(edge.first, v);
        let mut t = b.xor(edge.first, moved_register(b, v));
        let (others, bit) = (b.splat(&OTHER_BITS), b.xor(edge.first, b.splat(&FIRST_BIT)));
        while self.io.len() > 16 {
            let mut now = self.io.cut(16);
            let from = now.load(b, 0);
            let turn = if OPEN { b.xor(edge.turn, from) } else { edge.turn };
            let [to, y] = rounds(b, &keys, [s, t], [b.xor(edge.last, from), turn]);
            now.store(b, 0, to);
            // The next input is the ciphertext with its first bit set.
            let c = if OPEN { from } else { to };
            s = b.xor(b.and(c, others), bit);
            t = if OPEN { y } else { b.xor(y, c) };
        }
        if !self.io.is_empty() {
            let n = self.io.len();
            let from = self.io.load_part(b);
            let turn = if OPEN { b.xor(edge.turn, from) } else { edge.turn };
            let [to, y] = rounds(b, &keys, [s, t], [b.xor(edge.last, from), turn]);
            self.io.store_part(b, to);
            t = if OPEN { y } else { b.xor(y, b.keep(to, n)) };
        }
        let [y] = rounds(b, &keys, [t], [len]);
        let [tag] = rounds(b, &keys, [b.xor(edge.first, moved_register(b, y))], [edge.last]);
        tag
    }
}

/// 1 to 16 messages on lanes.
fn side_by_side<const VERSION: u8, const NONCE: usize, const OPEN: bool>(
    jobs: &[Work<'_, '_, Silc<VERSION, NONCE>>],
    lane_keys: &mut LaneKeys,
) {
    let (cpu, n) = (jobs[0].key.0.cpu, jobs.len());
    let mut chains = Chains::new(cpu, n, |i| &jobs[i].key.0.enc);
    for i in 0..n {
        chains.x[i] = nonce_block::<VERSION>(jobs[i].job.nonce);
    }
    chains.cipher();
    chains.absorb(lane_keys, |i| jobs[i].job.ad);
    let (mut s, mut t) = ([[0; 16]; MAX_LANES], [[0; 16]; MAX_LANES]);
    for i in 0..n {
        s[i] = moved(&xor_block(&chains.x[i], &length(jobs[i].job.ad.len())));
        t[i] = moved(&s[i]);
    }
    // All whole blocks but the last one, which is treated apart even if it is whole.
    let mut rest: [InOut<'_>; MAX_LANES] = std::array::from_fn(|i| match jobs.get(i) {
        Some(it) => it.job.take(),
        None => InOut::in_place(&mut []),
    });
    let mut whole: [Option<InOut<'_>>; MAX_LANES] = [const { None }; MAX_LANES];
    for i in 0..n {
        whole[i] = rest[i].take(rest[i].len().saturating_sub(1) / 16 * 16);
    }
    let mut front = whole.each_mut().map(|it| it.as_mut().map(InOut::reborrow));
    let mut lanes = Lanes::of(n, |i| written(front[i].take()));
    chains.walk(lane_keys, &mut lanes, Blockwise::<OPEN> { s: &mut s, t: &mut t });
    chains.x = s;
    chains.cipher_both(&mut t);
    s = chains.x;
    for i in 0..n {
        let end = &mut rest[i];
        let len = end.len();
        let (mut from, mut c) = ([0; 16], [0; 16]);
        from[..len].copy_from_slice(end.src());
        let to = xor_block(&from, &s[i]);
        end.dst().copy_from_slice(&to[..len]);
        c[..len].copy_from_slice(if OPEN { &from[..len] } else { &to[..len] });
        chains.x[i] = xor_block(&t[i], &c);
    }
    chains.cipher();
    for i in 0..n {
        // An empty message has no last block: its MAC is one call of the cipher shorter.
        let len = jobs[i].job.len;
        let mac = if len == 0 { &t[i] } else { &chains.x[i] };
        chains.x[i] = moved(&xor_block(mac, &length(len)));
    }
    chains.cipher();
    for i in 0..n {
        let (job, tag) = (jobs[i].job, &chains.x[i][..TAG]);
        if OPEN {
            let right = job.is_right(tag);
            if !right && let Some(whole) = whole[i].take() {
                crate::archived::wipe(whole);
            }
            let rest = std::mem::replace(&mut rest[i], InOut::in_place(&mut []));
            job.opened(right, rest);
        } else {
            job.sealed(tag);
        }
    }
}
