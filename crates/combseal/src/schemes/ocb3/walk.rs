//! The walk over a message's blocks, sealing or opening: whole groups, and registers of
//! what they leave. What a message ends with is in `seal` and `open`.
//!
//! Every block's offset is that of the aligned place before it and a distance that the key
//! gives ([`Masks::distance`](super::masks::Masks::distance)), so no block waits for the one
//! before it.

use super::group::{Group, Grouped, WIDTH};
use super::key::Material;
use super::pass::{Masked, One, Pass, crypt};
use crate::cpu::{Backend, Enc, InOut, Invertible, Keys};

/// Half a group. The CPU overlaps so many registers with what follows them, so a
/// rest may go in two passes, and less code has to be there for its lengths.
pub(super) const HALF: usize = WIDTH / 2;

/// A walk over a message.
pub(super) struct Walk<'a, S: Invertible, B: Backend> {
    pub b: B,
    pub key: &'a Material<S>,
    /// What is still to be done.
    pub io: InOut<'a>,
    /// The last block's offset.
    pub offset: One<B>,
    /// The last block's number, a multiple of a group's blocks.
    pub blocks: u64,
    /// The XOR of the plaintext so far, in each lane of its own blocks.
    pub checksum: B::V,
}

impl<'a, S: Invertible, B: Backend> Walk<'a, S, B> {
    /// All whole groups.
    #[inline(always)]
    pub fn groups<K: Keys<B> + Copy, const SEAL: bool>(&mut self, keys: K) {
        if self.io.len() < WIDTH * B::BYTES {
            return;
        }
        let (b, masks) = (self.b, &self.key.masks);
        let group = Group::new(b, masks);
        // The base goes with both whitening keys, and both are carried from
        // group to group: the compiler would take sums made here apart again.
        let base = b.widen(self.offset);
        let whitening = keys.get(b, 0, 0);
        let (mut first, mut last) = (b.xor(base, whitening), b.xor(base, keys.get(b, K::ROUNDS, 0)));
        while let Some(mut part) = self.io.take(WIDTH * B::BYTES) {
            self.blocks += (WIDTH * B::BLOCKS) as u64;
            let further = group.further(b, masks, self.blocks);
            let mut x = [b.zero(); WIDTH];
            for j in 0..WIDTH {
                x[j] = part.load(b, j * B::BYTES);
                if SEAL {
                    self.checksum = b.xor(self.checksum, x[j]);
                }
            }
            if SEAL {
                self.checksum = b.at_once(self.checksum);
            }
            let top = b.with_top_of(group.table[WIDTH - 1], further);
            crypt::<B, _, WIDTH, SEAL>(b, &Grouped { keys, first, last, table: &group.table, top }, &mut x);
            for j in 0..WIDTH {
                if !SEAL {
                    self.checksum = b.xor(self.checksum, x[j]);
                }
                part.store(b, j * B::BYTES, x[j]);
            }
            first = b.xor(first, further);
            last = b.xor(last, further);
        }
        self.offset = b.split(b.xor(first, whitening))[0];
    }

    /// Half a group, if whole blocks are behind it. What follows begins at a place aligned for
    /// its registers, and is less than another half, so its distances are those of a group.
    #[inline(always)]
    pub fn half<K: Keys<B> + Copy, const SEAL: bool>(&mut self, keys: K) {
        if self.io.len() >= HALF * B::BYTES + 16 {
            self.registers::<_, HALF, SEAL>(keys);
        }
    }

    /// The next `N` registers, from an aligned place on.
    #[inline(always)]
    pub fn registers<K: Keys<B> + Copy, const N: usize, const SEAL: bool>(&mut self, keys: K) {
        let (b, one) = (self.b, self.b.one());
        let (mut part, mut pass) = (self.io.cut(N * B::BYTES), Pass::<B, N>::new(b));
        self.load::<N, SEAL>(&mut pass, N, &part);
        crypt::<B, _, N, SEAL>(b, &Masked { keys, first: pass.first, last: pass.last }, &mut pass.x);
        self.store::<N, SEAL>(&pass, N, &mut part);
        self.offset = one.xor(self.offset, self.key.masks.distance(one, N * B::BLOCKS));
    }

    /// All whole registers of a short message; what is left goes block by block.
    #[inline(always)]
    pub fn narrow<K: Keys<B> + Copy, const SEAL: bool>(mut self, keys: K) -> Walk<'a, S, B::One> {
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

    /// The offset of the last of `whole` blocks, which are next and fill at most `MOST`
    /// registers.
    #[inline(always)]
    pub fn offset_behind<const MOST: usize>(&self, whole: &InOut<'_>) -> One<B> {
        let one = self.b.one();
        // The remainder changes nothing, since there are no more than `MOST` registers' blocks; the compiler sees by it
        // how few cases `distance` has.
        let blocks = whole.len() / 16 % (MOST * B::BLOCKS + 1).next_power_of_two();
        one.xor(self.offset, self.key.masks.distance(one, blocks))
    }

    /// Seals or opens a part of a block, whose pad is the cipher of its offset. Gives what was
    /// read and what was written, with more behind it.
    #[inline(always)]
    pub fn part(&self, part: &mut InOut<'_>, offset: One<B>) -> (One<B>, One<B>) {
        let (one, mut x) = (self.b.one(), [self.b.one().zero()]);
        let read = part.load_part(one);
        one.encrypt(&Masked { keys: Enc(&self.key.enc), first: [offset], last: [read] }, &mut x);
        part.store_part(one, x[0]);
        (read, x[0])
    }

    /// The first `count` registers of a pass, from `io`.
    #[inline(always)]
    pub fn load<const N: usize, const SEAL: bool>(&mut self, pass: &mut Pass<B, N>, count: usize, io: &InOut<'_>) {
        let (b, base, distances) = (self.b, self.b.widen(self.offset), self.key.masks.distances::<B, N>(self.b));
        for j in 0..count {
            let offset = b.xor(base, distances[j]);
            (pass.x[j], pass.first[j], pass.last[j]) = (io.load(b, j * B::BYTES), offset, offset);
            if SEAL {
                self.checksum = b.xor(self.checksum, pass.x[j]);
            }
        }
    }

    /// The first `count` registers of a pass, to `io`.
    #[inline(always)]
    pub fn store<const N: usize, const SEAL: bool>(&mut self, pass: &Pass<B, N>, count: usize, io: &mut InOut<'_>) {
        let b = self.b;
        for j in 0..count {
            io.store(b, j * B::BYTES, pass.x[j]);
            if !SEAL {
                self.checksum = b.xor(self.checksum, pass.x[j]);
            }
        }
    }
}

/// What the tag is the cipher of, but for HASH(A), behind a block, or a part of one, whose
/// offset is `offset`.
#[inline(always)]
pub(super) fn tag_input<S: Invertible, B: Backend>(one: B, key: &Material<S>, offset: B::V, checksum: B::V) -> B::V {
    one.xor(checksum, one.xor(offset, one.splat(key.masks.dollar())))
}

/// The tag that is the cipher of `input`, if HASH(A) is `auth`.
#[inline(always)]
pub(super) fn tag<S: Invertible, B: Backend>(one: B, key: &Material<S>, input: B::V, auth: B::V) -> B::V {
    let mut x = [input];
    one.encrypt(&Masked { keys: Enc(&key.enc), first: [one.zero()], last: [auth] }, &mut x);
    x[0]
}
