//! The walk over the blocks (Krovetz and Rogaway 2021, Fig. 1, lines 100-10K
//! and 130-14A; RFC 7253, sect. 4.1 to 4.3), for any backend.
//!
//! Offsets travel as round keys: `E(M ^ D) ^ D` is one AES whose first and last
//! keys are `rk ^ D`. Behind an aligned place, every block's offset is the offset
//! there XOR an entry of the key's table ([`Masks::offset`]), so no block waits for the
//! one before it.
//!
//! A message is groups of registers and a rest. The rest takes one pass through the
//! cipher, or two if it is more than half a group; when sealing, the tag goes with the last
//! one, as it does not wait for the ciphertext. A short message is nothing but a rest. Long
//! ones use whatever registers the tier has to the end; of short ones, what does not fill a
//! register goes block by block, which is less work than putting blocks together.

use super::key::Ocb3;
use super::masks::{Masks, REACH};
use super::nonce;
use crate::cpu::{Aes, Backend, Block, Dec, Enc, InOut, Kernel, Keys, ReturnedBlock};

/// Registers in flight in a long message, whatever their size: with latency 4
/// and throughput 2 no fewer fill the pipeline, and where four would, eight
/// halve what a group costs besides its AES.
const WIDTH: usize = 8;

/// Half a group. The CPU overlaps so many registers with what follows them, so a
/// rest may go in two passes, and less code has to be there for its lengths.
const HALF: usize = WIDTH / 2;

/// Bytes from which on a message is long: as many as the smallest group has, so that a
/// short message is nothing but a rest on every tier.
const SHORT: usize = 16 * WIDTH;

/// Whether a message of `len` bytes is short.
#[inline(always)]
pub(super) fn is_short(len: usize) -> bool {
    len < SHORT
}

/// A message to be sealed or opened, whose associated data are hashed already.
pub(super) struct Message<'a, A: Aes> {
    pub key: &'a Ocb3<A>,
    pub cache: Option<&'a mut nonce::Cache>,
    pub nonce: &'a [u8],
    pub io: InOut<'a>,
}

/// Seals; gives the tag. Short messages have a door of their own, which saves fewer
/// registers.
pub(super) struct Seal<'a, A: Aes, const LONG: bool> {
    pub message: Message<'a, A>,
    /// HASH(A).
    pub auth: &'a Block,
}

/// Decrypts; says whether the tag is right.
pub(super) struct Open<'a, A: Aes, const LONG: bool> {
    pub message: Message<'a, A>,
    /// HASH(A).
    pub auth: &'a Block,
    pub tag: &'a [u8],
}

/// HASH(A), into a block.
pub(super) struct Hash<'a, A: Aes> {
    pub key: &'a Ocb3<A>,
    pub ad: &'a [u8],
    pub hash: &'a mut Block,
}

impl<A: Aes, const LONG: bool> Kernel for Seal<'_, A, LONG> {
    type Out = ReturnedBlock;
    const SPILLS: bool = LONG;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let one = b.one();
        one.returned(self.message.seal::<B, LONG>(b, one.load(self.auth)))
    }
}

impl<A: Aes, const LONG: bool> Kernel for Open<'_, A, LONG> {
    type Out = bool;
    const SPILLS: bool = LONG;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let one = b.one();
        one.begins(self.message.open::<B, LONG>(b, one.load(self.auth)), self.tag)
    }
}

impl<A: Aes> Kernel for Hash<'_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let sum = hash(b, self.key, self.ad);
        b.one().store(self.hash, sum);
    }
}

impl<'a, A: Aes> Message<'a, A> {
    /// Seals; gives the tag, if HASH(A) is `auth`.
    #[inline(always)]
    pub fn seal<B: Backend, const LONG: bool>(self, b: B, auth: One<B>) -> One<B> {
        let keys = Enc(&self.key.enc);
        let mut walk = self.begin(b);
        if LONG {
            walk.groups::<_, true>(keys);
        }
        walk.seal_rest::<LONG>(auth)
    }

    /// Decrypts; gives the tag as it should be, if HASH(A) is `auth`.
    #[inline(always)]
    pub fn open<B: Backend, const LONG: bool>(self, b: B, auth: One<B>) -> One<B> {
        let keys = Dec(&self.key.enc, &self.key.dec);
        let mut walk = self.begin(b);
        if LONG {
            walk.groups::<_, false>(keys);
        }
        walk.open_rest::<LONG>(auth)
    }

    /// Before the first block.
    #[inline(always)]
    fn begin<B: Backend>(self, b: B) -> Walk<'a, A, B> {
        let Self { key, cache, nonce, io } = self;
        let offset = nonce::initial(b.one(), key, cache, nonce);
        Walk { b, key, io, offset, blocks: 0, checksum: b.zero() }
    }
}

/// HASH(A) of at most a block (lines 146-149).
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn hash_short<A: Aes, B: Backend>(one: B, key: &Ocb3<A>, ad: &[u8]) -> B::V {
    if ad.is_empty() {
        return one.zero();
    }
    let (mut x, mut offset) = ([one.load_part(ad)], one.splat(key.masks.offset(1)));
    if ad.len() < 16 {
        (x[0], offset) = (one.xor(x[0], one.padding(ad.len())), one.splat(key.masks.star()));
    }
    one.encrypt(&Masked { keys: Enc(&key.enc), first: [offset], last: [one.zero()] }, &mut x);
    x[0]
}

/// HASH(A) (lines 140-14A).
#[inline(always)]
fn hash<A: Aes, B: Backend>(b: B, key: &Ocb3<A>, mut ad: &[u8]) -> One<B> {
    let (one, masks, keys) = (b.one(), &key.masks, Enc(&key.enc));
    let (mut offset, mut sum, mut blocks) = (one.zero(), b.zero(), 0);
    let group = Group::new(b, masks);
    while let Some((front, behind)) = ad.split_at_checked(WIDTH * B::BYTES) {
        blocks += WIDTH * B::BLOCKS;
        let further = group.further(b, masks, blocks);
        let (mut x, mut first) = ([b.zero(); WIDTH], group.table);
        first[WIDTH - 1] = b.with_top(first[WIDTH - 1], further);
        for j in 0..WIDTH {
            first[j] = b.xor(b.widen(offset), first[j]);
            x[j] = b.load(&front[j * B::BYTES..]);
        }
        b.encrypt(&Masked { keys, first, last: [b.zero(); WIDTH] }, &mut x);
        for j in 0..WIDTH {
            sum = b.xor(sum, x[j]);
        }
        (offset, ad) = (one.xor(offset, further), behind);
    }
    let mut at = 0;
    while let Some((front, behind)) = ad.split_at_checked(B::BYTES) {
        let (mut x, d) = ([b.load(front)], b.xor(b.widen(offset), masks.offsets(b, at / B::BLOCKS)));
        b.encrypt(&Masked { keys, first: [d], last: [sum] }, &mut x);
        (sum, ad) = (x[0], behind);
        at += B::BLOCKS;
        if at == HALF * B::BLOCKS {
            (offset, at) = (one.xor(offset, one.splat(masks.offset(at))), 0);
        }
    }
    let mut sum = b.fold(sum);
    while let Some((block, behind)) = ad.split_at_checked(16) {
        at += 1;
        let (mut x, d) = ([one.load(block)], one.xor(offset, one.splat(masks.offset(at))));
        one.encrypt(&Masked { keys, first: [d], last: [sum] }, &mut x);
        (sum, ad) = (x[0], behind);
    }
    if !ad.is_empty() {
        let star = one.xor(one.xor(offset, one.splat(masks.offset(at))), one.splat(masks.star()));
        let mut x = [one.xor(one.load_part(ad), one.padding(ad.len()))];
        one.encrypt(&Masked { keys, first: [star], last: [sum] }, &mut x);
        sum = x[0];
    }
    sum
}

/// The register with one block.
type One<B> = <<B as Backend>::One as Backend>::V;

/// All ones in the first `n` bytes, at most a register of them.
#[inline(always)]
fn leading<B: Backend>(b: B, n: usize) -> B::V {
    static EDGE: [u8; 192] = {
        let mut t = [0; 192];
        let mut i = 0;
        while i < 64 {
            t[i] = 0xff;
            i += 1;
        }
        t
    };
    b.load(&EDGE[(64 - n) & 127..])
}

/// The whole blocks of a message's source, at most a register of them, and zeros behind.
///
/// A block at a time where they do not fill the register. With AVX-512's masks it would be
/// one instruction, but a masked store keeps later loads of the bytes behind it waiting
/// until it has reached the cache, and those may be the next message.
#[inline(always)]
fn load_blocks<B: Backend>(b: B, io: &InOut<'_>) -> B::V {
    if B::BLOCKS == 1 || io.len() >= B::BYTES {
        return io.load(b, 0);
    }
    let mut lanes = [b.one().zero(); 4];
    for i in 0..B::BLOCKS - 1 {
        if io.len() >= 16 * (i + 1) {
            lanes[i] = io.load(b.one(), 16 * i);
        }
    }
    b.join(lanes)
}

/// The same, to be written.
#[inline(always)]
fn store_blocks<B: Backend>(b: B, io: &mut InOut<'_>, v: B::V) {
    if B::BLOCKS == 1 || io.len() >= B::BYTES {
        return io.store(b, 0, v);
    }
    let lanes = b.split(v);
    for i in 0..B::BLOCKS - 1 {
        if io.len() >= 16 * (i + 1) {
            io.store(b.one(), 16 * i, lanes[i]);
        }
    }
}

/// A walk over a message.
struct Walk<'a, A: Aes, B: Backend> {
    b: B,
    key: &'a Ocb3<A>,
    /// What is still to be done.
    io: InOut<'a>,
    /// The last block's offset.
    offset: One<B>,
    /// The last block's number, a multiple of a group's blocks.
    blocks: usize,
    /// The XOR of the plaintext so far, in each lane of its own blocks.
    checksum: B::V,
}

impl<'a, A: Aes, B: Backend> Walk<'a, A, B> {
    /// All whole groups.
    #[inline(always)]
    fn groups<K: Keys<B> + Copy, const SEAL: bool>(&mut self, keys: K) {
        if self.io.len() < WIDTH * B::BYTES {
            return;
        }
        let (b, masks) = (self.b, &self.key.masks);
        const { assert!(WIDTH.is_power_of_two(), "groups must be aligned") };
        let group = Group::new(b, masks);
        // The base goes with both whitening keys, and both are carried from
        // group to group: the compiler would take sums made here apart again.
        let base = b.widen(self.offset);
        let whitening = keys.get(b, 0, 0);
        let (mut first, mut last) = (b.xor(base, whitening), b.xor(base, keys.get(b, K::ROUNDS, 0)));
        while let Some(mut part) = self.io.take(WIDTH * B::BYTES) {
            self.blocks += WIDTH * B::BLOCKS;
            let further = group.further(b, masks, self.blocks);
            let mut x = [b.zero(); WIDTH];
            for j in 0..WIDTH {
                x[j] = part.load(b, j * B::BYTES);
                if SEAL {
                    self.checksum = b.xor(self.checksum, x[j]);
                }
            }
            let top = b.with_top(group.table[WIDTH - 1], further);
            crypt::<B, _, WIDTH, SEAL>(b, &Grouped { keys, first, last, table: &group.table, top }, &mut x);
            for j in 0..WIDTH {
                if !SEAL {
                    self.checksum = b.xor(self.checksum, x[j]);
                }
                part.store(b, j * B::BYTES, x[j]);
            }
            first = b.xor(first, b.widen(further));
            last = b.xor(last, b.widen(further));
        }
        self.offset = b.split(b.xor(first, whitening))[0];
    }

    /// Half a group, if more is behind it. (As many blocks as the key's table reaches, at
    /// most, so that what follows begins at an aligned place too.)
    #[inline(always)]
    fn half<K: Keys<B> + Copy, const SEAL: bool>(&mut self, keys: K) {
        if self.io.len() > HALF * B::BYTES {
            self.registers::<_, HALF, SEAL>(keys);
        }
    }

    /// The next `N` registers, from an aligned place on.
    #[inline(always)]
    fn registers<K: Keys<B> + Copy, const N: usize, const SEAL: bool>(&mut self, keys: K) {
        let (b, one) = (self.b, self.b.one());
        let (mut part, mut pass) = (self.io.cut(N * B::BYTES), Pass::<B, N>::new(b));
        self.load::<N, SEAL>(&mut pass, N, &part);
        crypt::<B, _, N, SEAL>(b, &Masked { keys, first: pass.first, last: pass.last }, &mut pass.x);
        self.store::<N, SEAL>(&pass, N, &mut part);
        self.offset = one.xor(self.offset, one.splat(self.key.masks.offset(N * B::BLOCKS)));
    }

    /// All whole registers of a short message; what is left goes block by block.
    #[inline(always)]
    fn narrow<K: Keys<B> + Copy, const SEAL: bool>(mut self, keys: K) -> Walk<'a, A, B::One> {
        let mut checksum = self.b.one().zero();
        if self.io.len() >= B::BYTES {
            match self.io.len() / B::BYTES {
                _ if B::BLOCKS == 4 => self.registers::<_, 1, SEAL>(keys),
                1 => self.registers::<_, 1, SEAL>(keys),
                2 => self.registers::<_, 2, SEAL>(keys),
                _ => self.registers::<_, 3, SEAL>(keys),
            }
            checksum = self.b.fold(self.checksum);
        }
        let Self { b, key, io, offset, blocks, .. } = self;
        Walk { b: b.one(), key, io, offset, blocks, checksum }
    }

    /// What is left when sealing, less than a group; gives the tag, which does not wait
    /// for the ciphertext (RFC 7253, sect. 4.2: the end of "Process any whole blocks",
    /// and "Process any final partial block and compute raw tag").
    #[inline(always)]
    fn seal_rest<const LONG: bool>(mut self, auth: One<B>) -> One<B> {
        let keys = Enc(&self.key.enc);
        match (B::BLOCKS, LONG) {
            (1, long) if B::TOGETHER || !long => self.seal_blocks::<8>(auth),
            (1, _) => {
                self.half::<_, true>(keys);
                self.seal_blocks::<4>(auth)
            }
            (2, false) => self.narrow::<_, true>(keys).seal_blocks::<2>(auth),
            (_, false) => self.narrow::<_, true>(keys).seal_blocks::<4>(auth),
            (_, true) => {
                self.half::<_, true>(keys);
                self.seal_wide(auth)
            }
        }
    }

    /// What is left when opening, less than a group; gives the tag, which has to wait for
    /// the plaintext (sect. 4.3).
    #[inline(always)]
    fn open_rest<const LONG: bool>(mut self, auth: One<B>) -> One<B> {
        let keys = Dec(&self.key.enc, &self.key.dec);
        match (B::BLOCKS, LONG) {
            (1, long) if B::TOGETHER || !long => self.open_end::<8>(auth),
            (1, _) => {
                self.half::<_, false>(keys);
                self.open_end::<4>(auth)
            }
            (2, false) => self.narrow::<_, false>(keys).open_end::<2>(auth),
            (_, false) => self.narrow::<_, false>(keys).open_end::<4>(auth),
            (_, true) => {
                self.half::<_, false>(keys);
                self.open_end::<4>(auth)
            }
        }
    }

    /// Seals at most `MOST` blocks, the last perhaps a part of one; no arm beyond them is
    /// compiled.
    #[inline(always)]
    fn seal_blocks<const MOST: usize>(mut self, auth: One<B>) -> One<B> {
        let (b, len) = (self.b, self.io.len());
        if len == 0 {
            return self.tag(self.offset, b.fold(self.checksum), auth);
        }
        let (mut rest, mut padded) = (b.zero(), b.zero());
        if !len.is_multiple_of(16) {
            rest = b.load_part(&self.io.src()[len / 16 * 16..]);
            padded = b.xor(rest, b.padding(len % 16));
        }
        let last = Last { rest, padded, auth: b.widen(auth) };
        match (len + 15) / 16 {
            1 => self.sealed_blocks::<2>(last),
            _ if MOST == 2 => self.sealed_blocks::<3>(last),
            2 => self.sealed_blocks::<3>(last),
            3 => self.sealed_blocks::<4>(last),
            _ if MOST == 4 => self.sealed_blocks::<5>(last),
            4 => self.sealed_blocks::<5>(last),
            5 => self.sealed_blocks::<6>(last),
            6 => self.sealed_blocks::<7>(last),
            7 => self.sealed_blocks::<8>(last),
            _ => self.sealed_blocks::<9>(last),
        }
    }

    /// `N` blocks in one pass through the cipher: all of the message, the last perhaps
    /// a part of one, and the tag's. Gives the tag.
    #[inline(always)]
    fn sealed_blocks<const N: usize>(&mut self, last: Last<B>) -> One<B> {
        let (b, masks, count) = (self.b, &self.key.masks, N - 2);
        let mut pass = Pass::<B, N>::new(b);
        let mut front = self.io.cut(count * 16);
        let mut end = self.io.cut(self.io.len());
        let is_part = end.len() < 16;
        self.load::<N, true>(&mut pass, count, &front);
        let at = |i| b.xor(b.widen(self.offset), b.splat(masks.offset(i)));
        let offset;
        if is_part {
            // The pad's block is zero, and the part is added behind it.
            offset = b.xor(at(count), b.splat(masks.star()));
            (pass.first[count], pass.last[count]) = (offset, last.rest);
            self.checksum = b.xor(self.checksum, last.padded);
        } else {
            offset = at(count + 1);
            (pass.x[count], pass.first[count], pass.last[count]) = (end.load(b, 0), offset, offset);
            self.checksum = b.xor(self.checksum, pass.x[count]);
        }
        pass.x[N - 1] = self.checksum;
        (pass.first[N - 1], pass.last[N - 1]) = (b.xor(offset, b.splat(masks.dollar())), last.auth);
        b.encrypt(&Masked { keys: Enc(&self.key.enc), first: pass.first, last: pass.last }, &mut pass.x);
        self.store::<N, true>(&pass, count, &mut front);
        if is_part {
            end.store_part(b, pass.x[count]);
        } else {
            end.store(b, 0, pass.x[count]);
        }
        b.split(pass.x[N - 1])[0]
    }

    /// Seals at most half a group of wide registers, the last perhaps not full, and perhaps
    /// a part of a block.
    #[inline(always)]
    fn seal_wide(mut self, auth: One<B>) -> One<B> {
        let (b, one) = (self.b, self.b.one());
        if self.io.is_empty() {
            return self.tag(self.offset, b.fold(self.checksum), auth);
        }
        let masks = &self.key.masks;
        let mut whole = self.io.cut(self.io.len() / 16 * 16);
        let mut part = self.io.cut(self.io.len());
        let offset = one.xor(self.offset, one.splat(masks.offset(whole.len() / 16)));
        let star = one.xor(offset, one.splat(masks.star()));
        let dollar = one.xor(if part.is_empty() { offset } else { star }, one.splat(masks.dollar()));
        let (mut rest, mut padded) = (one.zero(), one.zero());
        if !part.is_empty() {
            rest = part.load_part(one);
            padded = one.xor(rest, one.padding(part.len()));
        }
        // The pad goes in as its offset only, and the part is added on the way out. There
        // is room for it in the tag's register.
        let end = Mask { first: b.with_top(b.widen(star), dollar), last: b.with_top(b.widen(rest), auth) };
        let (pad, tag);
        if whole.is_empty() {
            (_, pad, tag) = self.sealed::<1>(&mut whole, b.zero(), b.zero(), padded, end);
        } else {
            let count = (whole.len() - 1) / B::BYTES;
            let mut front = whole.cut(count * B::BYTES);
            let m = load_blocks(b, &whole);
            self.checksum = b.xor(self.checksum, m);
            let offsets = b.xor(b.widen(self.offset), masks.offsets(b, count));
            let x = b.xor(m, offsets);
            let c;
            (c, pad, tag) = match count {
                0 => self.sealed::<2>(&mut front, x, offsets, padded, end),
                1 => self.sealed::<3>(&mut front, x, offsets, padded, end),
                2 => self.sealed::<4>(&mut front, x, offsets, padded, end),
                _ => self.sealed::<5>(&mut front, x, offsets, padded, end),
            };
            store_blocks(b, &mut whole, c);
        }
        if !part.is_empty() {
            part.store_part(one, pad);
        }
        tag
    }

    /// `N` registers in one pass through the cipher: those of `front`; one that goes in
    /// as `x` and comes out with `last`; the end, with the pad in its first lane and the
    /// tag in its last. Gives the last two.
    #[inline(always)]
    fn sealed<const N: usize>(
        &mut self,
        front: &mut InOut<'_>,
        x: B::V,
        last: B::V,
        padded: One<B>,
        end: Mask<B>,
    ) -> (B::V, One<B>, One<B>) {
        let (b, count) = (self.b, N.saturating_sub(2));
        let mut pass = Pass::<B, N>::new(b);
        self.load::<N, true>(&mut pass, count, front);
        (pass.x[count], pass.last[count]) = (x, last);
        let checksum = b.one().xor(b.fold(self.checksum), padded);
        pass.x[N - 1] = b.with_top(b.zero(), checksum);
        (pass.first[N - 1], pass.last[N - 1]) = (end.first, end.last);
        b.encrypt(&Masked { keys: Enc(&self.key.enc), first: pass.first, last: pass.last }, &mut pass.x);
        self.store::<N, true>(&pass, count, front);
        (pass.x[count], b.split(pass.x[N - 1])[0], b.top(pass.x[N - 1]))
    }

    /// Opens at most `MOST` registers, the last perhaps not full.
    #[inline(always)]
    fn open_end<const MOST: usize>(mut self, auth: One<B>) -> One<B> {
        let (b, one, keys, masks) = (self.b, self.b.one(), Enc(&self.key.enc), &self.key.masks);
        let mut whole = self.io.cut(self.io.len() / 16 * 16);
        let (blocks, mut part) = (whole.len() / 16, self.io.cut(self.io.len()));
        let mut offset = match (blocks + B::BLOCKS - 1) / B::BLOCKS {
            0 => self.offset,
            1 => self.opened::<1>(&mut whole),
            _ if MOST == 2 => self.opened::<2>(&mut whole),
            2 => self.opened::<2>(&mut whole),
            3 => self.opened::<3>(&mut whole),
            _ if MOST == 4 => self.opened::<4>(&mut whole),
            4 => self.opened::<4>(&mut whole),
            5 => self.opened::<5>(&mut whole),
            6 => self.opened::<6>(&mut whole),
            7 => self.opened::<7>(&mut whole),
            _ => self.opened::<8>(&mut whole),
        };
        if B::BLOCKS > 1 {
            offset = one.xor(self.offset, one.splat(masks.offset(blocks)));
        }
        let mut checksum = b.fold(self.checksum);
        if !part.is_empty() {
            let n = part.len();
            offset = one.xor(offset, one.splat(masks.star()));
            let (mut pad, c) = ([one.zero()], part.load_part(one));
            one.encrypt(&Masked { keys, first: [offset], last: [c] }, &mut pad);
            part.store_part(one, pad[0]);
            checksum = one.xor(checksum, one.xor(one.keep(pad[0], n), one.padding(n)));
        }
        self.tag(offset, checksum, auth)
    }

    /// The tag behind a block, or a part of one, whose offset is `offset`.
    #[inline(always)]
    fn tag(&self, offset: One<B>, checksum: One<B>, auth: One<B>) -> One<B> {
        let one = self.b.one();
        let mut x = [checksum];
        let first = [one.xor(offset, one.splat(self.key.masks.dollar()))];
        one.encrypt(&Masked { keys: Enc(&self.key.enc), first, last: [auth] }, &mut x);
        x[0]
    }

    /// `N` registers in one pass through the inverse cipher, the last perhaps not full.
    /// Gives the offset of the last block, if a register is one block.
    #[inline(always)]
    fn opened<const N: usize>(&mut self, whole: &mut InOut<'_>) -> One<B> {
        let (b, keys) = (self.b, Dec(&self.key.enc, &self.key.dec));
        let mut pass = Pass::<B, N>::new(b);
        let mut front = whole.cut((N - 1) * B::BYTES);
        self.load::<N, false>(&mut pass, N - 1, &front);
        let offsets = b.xor(b.widen(self.offset), self.key.masks.offsets(b, N - 1));
        (pass.x[N - 1], pass.first[N - 1], pass.last[N - 1]) = (load_blocks(b, whole), offsets, offsets);
        b.decrypt(&Masked { keys, first: pass.first, last: pass.last }, &mut pass.x);
        self.store::<N, false>(&pass, N - 1, &mut front);
        store_blocks(b, whole, pass.x[N - 1]);
        let m = if B::BLOCKS == 1 { pass.x[N - 1] } else { b.and(pass.x[N - 1], leading(b, whole.len())) };
        self.checksum = b.xor(self.checksum, m);
        b.top(offsets)
    }

    /// The first `count` registers of a pass, from `io`.
    #[inline(always)]
    fn load<const N: usize, const SEAL: bool>(&mut self, pass: &mut Pass<B, N>, count: usize, io: &InOut<'_>) {
        let (b, base) = (self.b, self.b.widen(self.offset));
        for j in 0..count {
            let offsets = b.xor(base, self.key.masks.offsets(b, j));
            (pass.x[j], pass.first[j], pass.last[j]) = (io.load(b, j * B::BYTES), offsets, offsets);
            if SEAL {
                self.checksum = b.xor(self.checksum, pass.x[j]);
            }
        }
    }

    /// The first `count` registers of a pass, to `io`.
    #[inline(always)]
    fn store<const N: usize, const SEAL: bool>(&mut self, pass: &Pass<B, N>, count: usize, io: &mut InOut<'_>) {
        let b = self.b;
        for j in 0..count {
            io.store(b, j * B::BYTES, pass.x[j]);
            if !SEAL {
                self.checksum = b.xor(self.checksum, pass.x[j]);
            }
        }
    }
}

/// What goes through the cipher side by side: the registers, and what is added to each of
/// them before and behind.
struct Pass<B: Backend, const N: usize> {
    x: [B::V; N],
    first: [B::V; N],
    last: [B::V; N],
}

impl<B: Backend, const N: usize> Pass<B, N> {
    #[inline(always)]
    fn new(b: B) -> Self {
        let none = [b.zero(); N];
        Self { x: none, first: none, last: none }
    }
}

/// The part of a block at a message's end, and padded; both zero if there is none. And
/// HASH(A).
struct Last<B: Backend> {
    rest: B::V,
    padded: B::V,
    auth: B::V,
}

/// What is added to one register before and behind the cipher.
struct Mask<B: Backend> {
    first: B::V,
    last: B::V,
}

/// How far each block of a group is from the group's base, but for the last one, which
/// goes L[ntz] further, and that depends on the group.
struct Group<B: Backend> {
    table: [B::V; WIDTH],
    before_last: One<B>,
}

impl<B: Backend> Group<B> {
    #[inline(always)]
    fn new(b: B, masks: &Masks) -> Self {
        let one = b.one();
        let mut table = [b.zero(); WIDTH];
        let mut before_last = one.splat(masks.offset((WIDTH * B::BLOCKS - 1) % REACH));
        let reach = b.splat(masks.offset(REACH));
        for j in 0..WIDTH {
            table[j] = masks.offsets(b, j % (REACH / B::BLOCKS));
            // What is beyond repeats it.
            if j >= REACH / B::BLOCKS {
                table[j] = b.xor(table[j], reach);
            }
        }
        if WIDTH * B::BLOCKS > REACH {
            before_last = one.xor(before_last, one.splat(masks.offset(REACH)));
        }
        Self { table, before_last }
    }

    /// The last block, number `blocks` of the message.
    #[inline(always)]
    fn further(&self, b: B, masks: &Masks, blocks: usize) -> One<B> {
        let one = b.one();
        one.xor(self.before_last, masks.l(one, blocks.trailing_zeros()))
    }
}

/// The cipher or its inverse.
#[inline(always)]
fn crypt<B: Backend, K: Keys<B>, const N: usize, const SEAL: bool>(b: B, keys: &K, x: &mut [B::V; N]) {
    if SEAL {
        b.encrypt(keys, x);
    } else {
        b.decrypt(keys, x);
    }
}

/// Round keys with a mask for each register: before and behind.
struct Masked<B: Backend, K, const N: usize> {
    keys: K,
    first: [B::V; N],
    last: [B::V; N],
}
impl<B: Backend, K: Keys<B>, const N: usize> Keys<B> for Masked<B, K, N> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = self.keys.get(b, r, j);
        if r == 0 {
            b.xor(key, self.first[j])
        } else if r == K::ROUNDS {
            b.xor(key, self.last[j])
        } else {
            key
        }
    }
}

/// Round keys of an aligned group: the masks are the base, which `first` and
/// `last` hold already, and the table; `top` stands for the table's last register.
struct Grouped<'a, B: Backend, K, const N: usize> {
    keys: K,
    first: B::V,
    last: B::V,
    table: &'a [B::V; N],
    top: B::V,
}
impl<B: Backend, K: Keys<B>, const N: usize> Keys<B> for Grouped<'_, B, K, N> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let mask = if j == N - 1 { self.top } else { self.table[j] };
        if r == 0 {
            b.xor(self.first, mask)
        } else if r == K::ROUNDS {
            b.xor(self.last, mask)
        } else {
            self.keys.get(b, r, j)
        }
    }
}

#[cfg(feature = "rayon")]
pub(super) use pieces::{Begin, Piece};

/// A message in pieces, each from a place of its own.
#[cfg(feature = "rayon")]
mod pieces {
    use super::*;

    /// The first offset.
    pub(in super::super) struct Begin<'a, A: Aes> {
        pub key: &'a Ocb3<A>,
        pub nonce: &'a [u8],
    }
    impl<A: Aes> Kernel for Begin<'_, A> {
        type Out = Block;
        #[inline(always)]
        fn run<B: Backend, const N: usize>(self, b: B) -> Block {
            let (one, mut offset) = (b.one(), [0; 16]);
            one.store(&mut offset, nonce::initial(one, self.key, None, self.nonce));
            offset
        }
    }

    /// The blocks from number `start` on, a multiple of 32, whose offset before the
    /// first is `offset`. Gives their checksum; the last piece, which knows the others'
    /// `sum` and has the tag's `auth`, gives the tag. Other pieces are whole groups.
    pub(in super::super) struct Piece<'a, A: Aes, const SEAL: bool> {
        pub key: &'a Ocb3<A>,
        pub offset: Block,
        pub start: usize,
        pub last: Option<(Block, &'a Block)>,
        pub io: InOut<'a>,
    }
    impl<A: Aes, const SEAL: bool> Kernel for Piece<'_, A, SEAL> {
        type Out = Block;
        #[inline(always)]
        fn run<B: Backend, const N: usize>(self, b: B) -> Block {
            let Self { key, offset, start, last, io } = self;
            let one = b.one();
            let mut walk = Walk { b, key, io, offset: one.load(&offset), blocks: start, checksum: b.zero() };
            if SEAL {
                walk.groups::<_, true>(Enc(&key.enc));
            } else {
                walk.groups::<_, false>(Dec(&key.enc, &key.dec));
            }
            let out = match last {
                Some((sum, auth)) => {
                    // In one lane: the others count too.
                    let sum = b.and(b.widen(one.load(&sum)), leading(b, 16));
                    walk.checksum = b.xor(walk.checksum, sum);
                    let auth = one.load(auth);
                    if SEAL { walk.seal_rest::<true>(auth) } else { walk.open_rest::<true>(auth) }
                }
                None => b.fold(walk.checksum),
            };
            one.block(out)
        }
    }
}
