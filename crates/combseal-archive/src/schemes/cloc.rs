//! CLOC (Iwata, Minematsu, Guo and Morioka, "CLOC: Authenticated Encryption for Short Input",
//! FSE 2014; CAESAR v1 to v3), on AES-128 with 8-byte tags.
//!
//! Status: not chosen. It reached CAESAR's third round, joined with SILC, and was not among the
//! finalists (2018); we know of nothing against it but the 64-bit bounds of its tag and proof.
//! Kept for the comparison of serial modes of Bogdanov, Lauridsen and Tischhauser (2014).
//!
//! Two chains that do not wait for each other: the cipher feedback over the message, and the
//! MAC over the ciphertext, one step a block each. No call of the cipher is wasted on the
//! nonce or on lengths: what they would be for, four linear maps of 32-bit words do.

use crate::about::{About, Status};
use crate::archived::{Archived, Work, written};
use combseal::cpu::{Backend, Block, Enc, Kernel, ReturnedBlock};
use combseal::internals::chain::{EdgeKeys, rounds};
use combseal::internals::chains::Chains;
use combseal::internals::lanes::Lanes;
use combseal::internals::lockstep::{self, LaneKeys, Turning, Walk};
use combseal::internals::mac_lane::{MacLane, finish};
use combseal::internals::plan::MAX_LANES;
use combseal::internals::{InOut, filled, xor_block};
use combseal::{Aes128, Cpu, secret};

/// Bytes in a tag.
const TAG: usize = 8;

/// CLOC of `VERSION` 1 or 3 (2 is the same function) with nonces of `NONCE` bytes.
pub struct Cloc<const VERSION: u8, const NONCE: usize>(Expanded);

/// The cipher's key.
// Aligned, so that no round key is read across two cache lines.
#[repr(C, align(16))]
struct Expanded {
    enc: [Block; 11],
    cpu: Cpu,
}
secret!(Expanded { enc, cpu });

/// The nonce's block, which is padded as a short block is; from version 2 on behind a byte
/// that names the parameters.
fn nonce_block<const VERSION: u8>(nonce: &[u8]) -> Block {
    let (mut block, at) = ([0; 16], usize::from(VERSION > 1));
    if VERSION > 1 {
        // AES-128, nonces of 12 bytes, tags of 8.
        block[0] = 0xc0;
    }
    block[at..at + nonce.len()].copy_from_slice(nonce);
    block[at + nonce.len()] = 0x80;
    block
}

impl<const VERSION: u8, const NONCE: usize> Archived for Cloc<VERSION, NONCE> {
    const ABOUT: &'static About = &About {
        name: match (VERSION, NONCE) {
            (1, 12) => "CLOC-v1-AES-128",
            (1, _) => "CLOC-v1-AES-128-nonce8",
            _ => "CLOC-v3-AES-128",
        },
        family: "cloc",
        nonce_len: NONCE,
        tag_bits: 8 * TAG as u32,
        source: "Iwata, Minematsu, Guo and Morioka, FSE 2014; CAESAR v1 to v3",
        status: Status::NotChosen,
        history: "reached CAESAR's third round, joined with SILC; not among the finalists",
        known_answers: match (VERSION, NONCE) {
            (1, 12) => &["aes128n12clocv1"],
            (1, _) => &["aes128n8clocv1"],
            _ => &["aes128n12t8clocv3"],
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

/// The linear maps of a block's four words, of which bytes and bits need no order.
fn mapped(block: &Block, map: impl Fn([u32; 4]) -> [u32; 4]) -> Block {
    let (words, mut out) = (block.as_chunks::<4>().0, [0; 16]);
    let word = |i: usize| u32::from_ne_bytes(words[i]);
    let mapped = map([word(0), word(1), word(2), word(3)]);
    for (to, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(mapped) {
        *to = word.to_ne_bytes();
    }
    out
}
fn f1([a, b, c, d]: [u32; 4]) -> [u32; 4] {
    [a ^ c, b ^ d, a ^ b ^ c, b ^ c ^ d]
}
fn f2([a, b, c, d]: [u32; 4]) -> [u32; 4] {
    [b, c, d, a ^ b]
}
fn g1([a, b, c, d]: [u32; 4]) -> [u32; 4] {
    [c, d, a ^ b, b ^ c]
}
/// It is [`f2`] by definition.
fn g2(words: [u32; 4]) -> [u32; 4] {
    f2(words)
}
fn h([a, b, c, d]: [u32; 4]) -> [u32; 4] {
    [a ^ b, b ^ c, c ^ d, a ^ b ^ d]
}

/// The first bit of a block.
pub(super) const FIRST_BIT: Block = {
    let mut t = [0; 16];
    t[0] = 0x80;
    t
};
/// All others.
pub(super) const OTHER_BITS: Block = {
    let mut t = [0xff; 16];
    t[0] = 0x7f;
    t
};

/// The first block of the associated data, padded if it is short or missing; and whether its
/// first bit was one, which is cleared.
fn first_block(ad: &[u8]) -> (Block, bool) {
    let mut block = [0; 16];
    let n = ad.len().min(16);
    block[..n].copy_from_slice(&ad[..n]);
    if n < 16 {
        block[n] = 0x80;
    }
    let bit = block[0] & 0x80 != 0;
    block[0] &= 0x7f;
    (block, bit)
}

/// What the hash over the associated data ends with: the nonce goes in, and a linear map tells
/// whether the last block was padded.
fn hashed(s: &Block, nonce: &Block, ad: &[u8]) -> Block {
    let padded = ad.is_empty() || !ad.len().is_multiple_of(16);
    mapped(&xor_block(s, nonce), if padded { f2 } else { f1 })
}

/// No subkeys: a chain that ends so has its last block padded, and nothing else added to it.
const NO_SUBKEYS: [Block; 2] = [[0; 16]; 2];

/// The key's expansion.
pub(super) struct SetUp<'a> {
    pub key: &'a [u8],
    pub enc: &'a mut [Block; 11],
}
impl Kernel for SetUp<'_> {
    type Out = ();
    const ON_MODELS: bool = false;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        b.expand::<Aes128>(self.key, self.enc);
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
        b.returned(self.0.cloc::<_, false>(b))
    }
}

struct Open<'a>(Message<'a>, &'a [u8]);
impl Kernel for Open<'_> {
    type Out = bool;
    const ON_MODELS: bool = false;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let b = b.one();
        b.begins(self.0.cloc::<_, true>(b), self.1)
    }
}

impl Message<'_> {
    /// HASH: over nonce and associated data.
    #[inline(always)]
    fn hash<B: Backend>(&self, b: B, edge: &EdgeKeys<B::V>) -> Block {
        let keys = Enc(self.enc);
        let (first, bit) = first_block(self.ad);
        let [mut s] = rounds(b, &keys, [b.xor(edge.first, b.splat(&first))], [edge.last]);
        if bit {
            s = b.splat(&mapped(&b.block(s), h));
        }
        if let Some(rest) = self.ad.get(16..)
            && !rest.is_empty()
        {
            let mut lane = MacLane::new(b, edge, &NO_SUBKEYS, s, rest);
            finish(b, &keys, edge, &mut lane);
            s = lane.x;
        }
        hashed(&b.block(s), self.nonce, self.ad)
    }

    /// ENC and PRF, side by side; gives the tag's block.
    #[inline(always)]
    fn cloc<B: Backend, const OPEN: bool>(mut self, b: B) -> B::V {
        let keys = Enc(self.enc);
        let edge = EdgeKeys::new(b, &keys, 0);
        let v = self.hash(b, &edge);
        if self.io.is_empty() {
            let [tag] = rounds(b, &keys, [b.xor(edge.first, b.splat(&mapped(&v, g1)))], [edge.last]);
            return tag;
        }
        // Both states wait with round key 0 in them.
        let mut s = b.xor(edge.first, b.splat(&v));
        let mut t = b.xor(edge.first, b.splat(&mapped(&v, g2)));
        let (others, bit) = (b.splat(&OTHER_BITS), b.xor(edge.first, b.splat(&FIRST_BIT)));
        while self.io.len() > 16 {
            let mut now = self.io.cut(16);
            let from = now.load(b, 0);
            let [to, y] = rounds(b, &keys, [s, t], [b.xor(edge.last, from), edge.turn]);
            now.store(b, 0, to);
            let c = if OPEN { from } else { to };
            // The next input is the ciphertext with its first bit set.
            s = b.xor(b.and(c, others), bit);
            t = b.xor(y, c);
        }
        let n = self.io.len();
        let from = self.io.load_part(b);
        let [to, y] = rounds(b, &keys, [s, t], [b.xor(edge.last, from), edge.last]);
        self.io.store_part(b, to);
        let c = if OPEN { from } else { b.keep(to, n) };
        let last = if n < 16 { b.xor(c, b.padding(n)) } else { c };
        let x = mapped(&b.block(b.xor(y, last)), if n < 16 { f2 } else { f1 });
        let [tag] = rounds(b, &keys, [b.xor(edge.first, b.splat(&x))], [edge.last]);
        tag
    }
}

/// 1 to 16 messages on lanes.
fn side_by_side<const VERSION: u8, const NONCE: usize, const OPEN: bool>(
    jobs: &[Work<'_, '_, Cloc<VERSION, NONCE>>],
    lane_keys: &mut LaneKeys,
) {
    let (cpu, n) = (jobs[0].key.0.cpu, jobs.len());
    let mut chains = Chains::new(cpu, n, |i| &jobs[i].key.0.enc);
    let ad = |i: usize| jobs[i].job.ad;
    for i in 0..n {
        chains.x[i] = first_block(ad(i)).0;
    }
    chains.cipher();
    for i in 0..n {
        if first_block(ad(i)).1 {
            chains.x[i] = mapped(&chains.x[i], h);
        }
    }
    chains.cmac(lane_keys, |_| &NO_SUBKEYS, |i| ad(i).get(16..).unwrap_or(&[]));
    let (mut s, mut t) = ([[0; 16]; MAX_LANES], [[0; 16]; MAX_LANES]);
    for i in 0..n {
        let v = hashed(&chains.x[i], &nonce_block::<VERSION>(jobs[i].job.nonce), ad(i));
        (s[i], t[i]) = (v, mapped(&v, if jobs[i].job.len == 0 { g1 } else { g2 }));
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
        // An empty message has no last block: its tag is there already.
        if len > 0 {
            let (mut from, mut c) = ([0; 16], [0; 16]);
            from[..len].copy_from_slice(end.src());
            let to = xor_block(&from, &s[i]);
            end.dst().copy_from_slice(&to[..len]);
            c[..len].copy_from_slice(if OPEN { &from[..len] } else { &to[..len] });
            if len < 16 {
                c[len] = 0x80;
            }
            chains.x[i] = mapped(&xor_block(&t[i], &c), if len < 16 { f2 } else { f1 });
        }
    }
    let before = t;
    chains.cipher();
    for i in 0..n {
        let (job, len) = (jobs[i].job, jobs[i].job.len);
        let tag = &(if len == 0 { before[i] } else { chains.x[i] })[..TAG];
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

/// Whole blocks of messages on lanes: `s` is what the cipher is given next for the feedback,
/// `t` for the MAC. (SILC's are the same.)
pub(super) struct Blockwise<'g, const OPEN: bool> {
    pub s: &'g mut [Block; MAX_LANES],
    pub t: &'g mut [Block; MAX_LANES],
}

impl<const OPEN: bool> Walk for Blockwise<'_, OPEN> {
    const WIDE: bool = false;
    const ON_MODELS: bool = false;

    #[inline(always)]
    fn window<B: Backend, K: Turning<B>, const N: usize>(
        &mut self,
        b: B,
        keys: &K,
        lanes: &mut Lanes<'_>,
        from: usize,
        end: usize,
    ) {
        let (mut s, mut t) = (lockstep::load::<B, N>(b, self.s), lockstep::load::<B, N>(b, self.t));
        let (others, bit) = (b.splat(&OTHER_BITS), b.splat(&FIRST_BIT));
        for j in 0..N {
            s[j] = b.xor(s[j], keys.get(b, 0, j));
            t[j] = b.xor(t[j], keys.get(b, 0, j));
        }
        for at in from..end {
            let (mut m, mut last, mut turn) = ([b.zero(); N], [b.zero(); N], [b.zero(); N]);
            for j in 0..N {
                m[j] = lanes.load(b, j, at);
                last[j] = b.xor(m[j], keys.get(b, K::ROUNDS, j));
                turn[j] = keys.turn(b, j);
            }
            let to = rounds(b, keys, s, last);
            t = rounds(b, keys, t, turn);
            for j in 0..N {
                lanes.store(b, j, at, to[j]);
                let c = if OPEN { m[j] } else { to[j] };
                s[j] = b.xor(b.xor(b.and(c, others), bit), keys.get(b, 0, j));
                t[j] = b.xor(t[j], c);
            }
        }
        for j in 0..N {
            s[j] = b.xor(s[j], keys.get(b, 0, j));
            t[j] = b.xor(t[j], keys.get(b, 0, j));
        }
        lockstep::store::<B, N>(b, self.s, &s, lanes.len());
        lockstep::store::<B, N>(b, self.t, &t, lanes.len());
    }
}
