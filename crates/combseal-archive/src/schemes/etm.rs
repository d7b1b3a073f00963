//! Encrypt-then-MAC of AES-128-CBC and HMAC-SHA-256: A128CBC-HS256 of RFC 7518 (Jones, 2015,
//! section 5.2), with keys of 32 bytes (the MAC's first), 16-byte initial values and tags.
//!
//! Generic composition in the order that Bellare and Namprempre (ASIACRYPT 2000) proved.
//!
//! Status: standardised and in use, in JSON Web Encryption (RFC 7516); we know of no break. New
//! protocols take modes with one key and one pass, such as GCM. Kept for the rows of generic
//! composition of Krovetz and Rogaway (2011), as the baseline that the other modes are better
//! than.
//!
//! The cipher and the hash are two chains of much the same length: a few blocks are enciphered
//! while the blocks before them are hashed, and the CPU overlaps the two. Of many messages, the
//! CBC goes on lanes and the hashes go in turn, 64 bytes of each, which overlap likewise. To
//! open is to hash, and then to decrypt all blocks at once. The hash is the crate `sha2`'s,
//! which chooses its instructions by itself, whatever the tier.

use crate::about::{About, RepeatedNonce, Status};
use crate::archived::{Archived, Tail, Work, written};
use crate::nonce;
use combseal::cpu::{Backend, Block, Dec, Enc, Kernel};
use combseal::internals::chain::{EdgeKeys, rounds};
use combseal::internals::chains::Chains;
use combseal::internals::lanes::Lanes;
use combseal::internals::lockstep::{Backwards, CBC, LaneKeys};
use combseal::internals::plan::MAX_LANES;
use combseal::internals::{InOut, Wipe, equal, filled, xor_block};
use combseal::{Aes128, Cpu, secret};
use sha2::block_api::compress256;

/// Bytes in a tag.
const TAG: usize = 16;

/// A128CBC-HS256.
pub struct CbcHmac(Expanded);

/// The key.
// Aligned, so that no round key is read across two cache lines.
#[repr(C, align(16))]
struct Expanded {
    /// The hash behind the first block of HMAC, the inner one and the outer.
    mac: [Block; 4],
    enc: [Block; 11],
    dec: [Block; 9],
    cpu: Cpu,
}
secret!(Expanded { mac, enc, dec, cpu });

impl Archived for CbcHmac {
    const ABOUT: &'static About = &About {
        name: "AES-128-CBC-HMAC-SHA-256",
        family: "cbc-hmac",
        key_len: 32,
        longest: u64::MAX >> 5,
        longest_ad: u64::MAX >> 5,
        repeated_nonce: RepeatedNonce::Prefix,
        source: "Bellare and Namprempre, ASIACRYPT 2000; RFC 7518 (2015), A128CBC-HS256",
        status: Status::InUse,
        history: "standardised for JSON Web Encryption (RFC 7516 and 7518, 2015) and in use; new protocols take modes \
                  of one key and one pass, such as GCM",
        known_answers: &["etm_a128cbc_hs256"],
        ..About::USUAL
    };

    const SERIAL: bool = true;

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        let (mac, key) = key.split_at(16);
        Self(filled(|it: &mut Expanded| {
            it.cpu = cpu;
            cpu.run(SetUp { key, enc: &mut it.enc, dec: &mut it.dec });
            for (to, pad) in it.mac.as_chunks_mut::<2>().0.iter_mut().zip([0x36, 0x5c]) {
                let mut block = [pad; 64];
                let mut state = States([0; 16]);
                *state.inner() = BEGINNING;
                for (byte, key) in block.iter_mut().zip(mac) {
                    *byte ^= key;
                }
                compress256(state.inner(), std::slice::from_ref(&block));
                for (to, word) in to.as_flattened_mut().as_chunks_mut::<4>().0.iter_mut().zip(*state.inner()) {
                    *to = word.to_ne_bytes();
                }
                block.wipe();
            }
        }))
    }

    fn tail_len(len: usize) -> usize {
        padding(len) + TAG
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &mut [u8]) {
        self.0.seal(nonce, ad, io.reborrow(), tail);
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &[u8]) -> bool {
        self.0.open(nonce, ad, io.reborrow(), tail)
    }

    fn group(jobs: &[Work<'_, '_, Self>], open: bool, lane_keys: &mut LaneKeys) {
        if open {
            open_group(jobs);
        } else {
            seal_group(jobs, lane_keys);
        }
    }
}

/// A nonce as a block.
fn block(nonce: &[u8]) -> Block {
    nonce::number::<16>(nonce).to_le_bytes()
}

/// Bytes of padding behind a message of `len` bytes, 1 to 16.
fn padding(len: usize) -> usize {
    16 - len % 16
}

/// The last bytes of a message, fewer than 16, with padding: as many bytes as there is room,
/// each of which says how many.
fn padded(rest: &[u8]) -> Block {
    let mut block = [padding(rest.len()) as u8; 16];
    block[..rest.len()].copy_from_slice(rest);
    block
}

impl Expanded {
    fn seal(&self, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &mut [u8]) {
        let mut hash = Hmac::empty();
        hash.begin(self, nonce, ad);
        let mut whole = io.cut(io.len() / 16 * 16);
        let last = padded(io.src());
        let mut c = [0; 16];
        let cbc =
            Cbc { enc: &self.enc, iv: &block(nonce), io: whole.reborrow(), last: &last, hash: &mut hash, c: &mut c };
        self.cpu.run(cbc);
        hash.absorb(&c);
        let (front, back) = c.split_at(io.len());
        io.dst().copy_from_slice(front);
        let (pad, tag) = tail.split_at_mut(back.len());
        pad.copy_from_slice(back);
        tag.copy_from_slice(&hash.finish(ad.len()));
    }

    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        let mut hash = Hmac::empty();
        hash.begin(self, nonce, ad);
        hash.absorb(io.src());
        let (pad, tag) = tail.split_at(tail.len() - TAG);
        hash.absorb(pad);
        // The padding is looked at only if the tag is right.
        equal(&hash.finish(ad.len()), tag) && self.decrypt(&block(nonce), io, pad)
    }

    /// Decrypts what is authentic. `pad` is what ciphertext the tail holds. Says whether the
    /// padding is as it should be, of a message as long as `io`.
    fn decrypt(&self, iv: &Block, mut io: InOut<'_>, pad: &[u8]) -> bool {
        let mut whole = io.cut(io.len() / 16 * 16);
        let before = *whole.src().last_chunk().unwrap_or(iv);
        let mut c = [0; 16];
        let (front, back) = c.split_at_mut(io.len());
        front.copy_from_slice(io.src());
        back.copy_from_slice(pad);
        self.cpu.run(LastBlock { key: self, block: &mut c });
        let last = xor_block(&c, &before);
        let n = io.len();
        io.dst().copy_from_slice(&last[..n]);
        let Self { enc, dec, .. } = self;
        self.cpu.run(Backwards::<_, _, true> { enc, dec, iv, io: whole.reborrow() });
        equal(&last[n..], &[padding(n) as u8; 16][n..])
    }
}

struct SetUp<'a> {
    key: &'a [u8],
    enc: &'a mut [Block; 11],
    dec: &'a mut [Block; 9],
}
impl Kernel for SetUp<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        b.expand::<Aes128>(self.key, self.enc);
        b.invert::<Aes128>(self.enc, self.dec);
    }
}

/// One block through the inverse cipher.
struct LastBlock<'a> {
    key: &'a Expanded,
    block: &'a mut Block,
}
impl Kernel for LastBlock<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let b = b.one();
        let mut x = [b.load(self.block)];
        b.decrypt(&Dec(&self.key.enc, &self.key.dec), &mut x);
        b.store(self.block, x[0]);
    }
}

/// Blocks that are enciphered before as many, those before them, are hashed.
const STEP: usize = 8;

/// CBC over whole blocks and a last one, which goes to `c`; all but that is hashed too.
struct Cbc<'a> {
    enc: &'a [Block; 11],
    iv: &'a Block,
    io: InOut<'a>,
    last: &'a Block,
    hash: &'a mut Hmac,
    c: &'a mut Block,
}
impl Kernel for Cbc<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let b = b.one();
        let Self { enc, iv, mut io, last, hash, c } = self;
        let (keys, end) = (Enc(enc), io.len());
        let edge = EdgeKeys::new(b, &keys, 0);
        let block = |io: &InOut<'_>, at: usize| if at < end { io.load(b, at) } else { b.splat(last) };
        // The state waits with round key 0 and its block in it.
        let mut x = b.xor(b.xor(edge.first, b.splat(iv)), block(&io, 0));
        let (mut at, mut hashed) = (0, 0);
        while at < end {
            let (from, to) = (at, end.min(at + 16 * STEP));
            while at < to {
                let next = block(&io, at + 16);
                [x] = rounds(b, &keys, [x], [b.xor(edge.turn, next)]);
                io.store(b, at, b.xor(x, b.xor(edge.first, next)));
                at += 16;
            }
            // Whole blocks of the hash, of what was there before.
            let ready = hashed + hash.whole(from - hashed);
            hash.absorb(&io.written()[hashed..ready]);
            hashed = ready;
        }
        [x] = rounds(b, &keys, [x], [edge.last]);
        b.store(c, x);
        hash.absorb(&io.written()[hashed..]);
    }
}

/// The state that SHA-256 begins with (FIPS 180-4, 5.3.3).
const BEGINNING: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The states of a hash under way: the inner one, and the outer one's beginning. They are as
/// good as the key, and wiped.
struct States([u32; 16]);

impl States {
    fn inner(&mut self) -> &mut [u32; 8] {
        &mut self.0.as_chunks_mut::<8>().0[0]
    }

    fn outer(&mut self) -> &mut [u32; 8] {
        &mut self.0.as_chunks_mut::<8>().0[1]
    }
}

impl Drop for States {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

/// HMAC-SHA-256 under way.
struct Hmac {
    states: States,
    /// What does not fill a block of the hash; at the end, up to two blocks.
    part: [u8; 128],
    held: usize,
    /// Bytes so far, with the block that the key is in.
    len: u64,
}

impl Hmac {
    /// None, to be begun where it is, since a move may leave a copy behind.
    fn empty() -> Self {
        Self { states: States([0; 16]), part: [0; 128], held: 0, len: 64 }
    }

    /// That of associated data and initial value.
    fn begin(&mut self, key: &Expanded, iv: &[u8], ad: &[u8]) {
        for (to, word) in self.states.0.iter_mut().zip(key.mac.as_flattened().as_chunks::<4>().0) {
            *to = u32::from_ne_bytes(*word);
        }
        self.absorb(ad);
        self.absorb(iv);
    }

    /// How many of the next `n` bytes may be taken in so that none is held back.
    #[inline(always)]
    fn whole(&self, n: usize) -> usize {
        ((self.held + n) / 64 * 64).saturating_sub(self.held)
    }

    #[inline]
    fn absorb(&mut self, mut data: &[u8]) {
        self.len += data.len() as u64;
        if self.held > 0 {
            let n = data.len().min(64 - self.held);
            self.part[self.held..self.held + n].copy_from_slice(&data[..n]);
            (self.held, data) = (self.held + n, &data[n..]);
            if self.held < 64 {
                return;
            }
            self.compress(0);
            self.held = 0;
        }
        let (blocks, rest) = data.as_chunks::<64>();
        if !blocks.is_empty() {
            compress256(self.states.inner(), blocks);
        }
        self.part[..rest.len()].copy_from_slice(rest);
        self.held = rest.len();
    }

    /// Takes in block `i` of what is held.
    #[inline]
    fn compress(&mut self, i: usize) {
        compress256(self.states.inner(), &self.part.as_chunks().0[i..=i]);
    }

    /// Holds `data`, of at most 33 bytes, without taking any of it in.
    #[inline]
    fn hold(&mut self, data: &[u8]) {
        self.part[self.held..self.held + data.len()].copy_from_slice(data);
        (self.held, self.len) = (self.held + data.len(), self.len + data.len() as u64);
    }

    /// Holds what is behind the ciphertext: the number of bits of associated data, and the
    /// padding. Says how many blocks are held then, one or two.
    #[inline]
    fn pad(&mut self, ad: usize) -> usize {
        self.hold(&(8 * ad as u64).to_be_bytes());
        let bits = (8 * self.len).to_be_bytes();
        let blocks = (self.held + 9).div_ceil(64);
        self.part[self.held] = 0x80;
        self.part[self.held + 1..64 * blocks].fill(0);
        self.part[64 * blocks - 8..64 * blocks].copy_from_slice(&bits);
        blocks
    }

    /// The tag, when all is taken in.
    #[inline]
    fn tag(&mut self) -> [u8; TAG] {
        let mut block = [0; 64];
        block[..32].copy_from_slice(&words(self.states.inner()));
        block[32] = 0x80;
        block[62..].copy_from_slice(&(8 * (64 + 32) as u16).to_be_bytes());
        compress256(self.states.outer(), &[block]);
        let hash = words(self.states.outer());
        *hash.first_chunk().unwrap_or(&[0; TAG])
    }

    /// The tag of all that was taken in, and `ad` bytes of associated data.
    fn finish(&mut self, ad: usize) -> [u8; TAG] {
        for i in 0..self.pad(ad) {
            self.compress(i);
        }
        self.tag()
    }
}

/// A hash's state as bytes.
fn words(state: &[u32; 8]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (to, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *to = word.to_be_bytes();
    }
    bytes
}

/// Hashes of messages in turn, a block of the hash of each: they do not wait for one another.
/// `ends` are what is behind the bodies, at most 16 bytes; gives the tags.
///
/// What is copied together is taken in a turn later: a block that has just been stored in
/// parts is there only when all before it is done.
fn in_turn(
    jobs: &[Work<'_, '_, CbcHmac>],
    mut bodies: [&[u8]; MAX_LANES],
    ends: [&[u8]; MAX_LANES],
) -> [[u8; TAG]; MAX_LANES] {
    let mut hashes: [Hmac; MAX_LANES] = std::array::from_fn(|_| Hmac::empty());
    let hashes = &mut hashes[..jobs.len()];
    let mut begun = [false; MAX_LANES];
    for (i, (hash, Work { key, job })) in hashes.iter_mut().zip(jobs).enumerate() {
        hash.begin(&key.0, job.nonce, job.ad);
        if let Some((now, rest)) = bodies[i].split_at_checked(64 - hash.held) {
            hash.part[hash.held..64].copy_from_slice(now);
            hash.len += now.len() as u64;
            (bodies[i], begun[i]) = (rest, true);
        }
    }
    for (hash, _) in hashes.iter_mut().zip(begun).filter(|(_, begun)| *begun) {
        hash.compress(0);
        hash.held = 0;
    }
    let mut left = true;
    while left {
        left = false;
        for ((hash, body), _) in hashes.iter_mut().zip(&mut bodies).zip(begun).filter(|(_, begun)| *begun) {
            if let Some((now, rest)) = body.split_first_chunk::<64>() {
                compress256(hash.states.inner(), std::slice::from_ref(now));
                hash.len += 64;
                (*body, left) = (rest, true);
            }
        }
    }
    let mut blocks = [0; MAX_LANES];
    for (i, (hash, Work { job, .. })) in hashes.iter_mut().zip(jobs).enumerate() {
        hash.part[hash.held..hash.held + bodies[i].len()].copy_from_slice(bodies[i]);
        (hash.held, hash.len) = (hash.held + bodies[i].len(), hash.len + bodies[i].len() as u64);
        hash.hold(ends[i]);
        blocks[i] = hash.pad(job.ad.len());
    }
    for at in 0..2 {
        for (hash, _) in hashes.iter_mut().zip(blocks).filter(|(_, blocks)| *blocks > at) {
            hash.compress(at);
        }
    }
    let mut tags = [[0; TAG]; MAX_LANES];
    for (tag, hash) in tags.iter_mut().zip(hashes) {
        *tag = hash.tag();
    }
    tags
}

/// 1 to 16 messages to be sealed: CBC on lanes, and then the hashes.
fn seal_group(jobs: &[Work<'_, '_, CbcHmac>], lane_keys: &mut LaneKeys) {
    let n = jobs.len();
    let mut chains = Chains::new(jobs[0].key.0.cpu, n, |i| &jobs[i].key.0.enc);
    let mut rest: [InOut<'_>; MAX_LANES] = std::array::from_fn(|i| match jobs.get(i) {
        Some(it) => it.job.take(),
        None => InOut::in_place(&mut []),
    });
    let mut whole: [InOut<'_>; MAX_LANES] = std::array::from_fn(|_| InOut::in_place(&mut []));
    for i in 0..n {
        chains.x[i] = block(jobs[i].job.nonce);
        whole[i] = rest[i].cut(rest[i].len() / 16 * 16);
    }
    let mut parts = whole.each_mut().map(|it| Some(it.reborrow()));
    chains.run::<CBC>(lane_keys, Lanes::of(n, |i| written(parts[i].take())));
    for i in 0..n {
        chains.x[i] = xor_block(&chains.x[i], &padded(rest[i].src()));
    }
    chains.cipher();
    let ends = std::array::from_fn(|i| &chains.x[i][..]);
    let tags = in_turn(jobs, whole.each_ref().map(InOut::written), ends);
    for i in 0..n {
        let (front, back) = chains.x[i].split_at(rest[i].len());
        rest[i].dst().copy_from_slice(front);
        let mut tail = [0; 16 + TAG];
        tail[..back.len()].copy_from_slice(back);
        tail[back.len()..back.len() + TAG].copy_from_slice(&tags[i]);
        jobs[i].job.sealed(&tail[..back.len() + TAG]);
    }
}

/// 1 to 16 messages to be opened: the hashes, and then those that are authentic one by one.
fn open_group(jobs: &[Work<'_, '_, CbcHmac>]) {
    let mut io: [InOut<'_>; MAX_LANES] = std::array::from_fn(|i| match jobs.get(i) {
        Some(it) => it.job.take(),
        None => InOut::in_place(&mut []),
    });
    let tails: [(&[u8], &[u8]); MAX_LANES] = std::array::from_fn(|i| match jobs.get(i).map(|it| &it.job.tail) {
        Some(Tail::Open(tail)) => tail.split_at(tail.len() - TAG),
        _ => (&[][..], &[][..]),
    });
    let tags = in_turn(jobs, io.each_ref().map(InOut::src), tails.map(|(pad, _)| pad));
    for (i, (it, mut io)) in jobs.iter().zip(io.each_mut().map(InOut::reborrow)).enumerate() {
        let (pad, tag) = tails[i];
        let right = equal(&tags[i], tag) && it.key.0.decrypt(&block(it.job.nonce), io.reborrow(), pad);
        it.job.opened(right, io);
    }
}
