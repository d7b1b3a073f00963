//! A message in parts: OCB is online (Krovetz and Rogaway 2021, sect. 1), so that between two
//! blocks all that is known of a message is its offset, its checksum and their number.

use super::group::WIDTH;
use super::key::Material;
use super::nonce;
use super::pass::{Masked, One, Pass, crypt};
use super::walk::{Walk, tag, tag_input};
use crate::cpu::{Backend, Block, Dec, Enc, InOut, Invertible, Kernel, Keys, ReturnedBlock};

/// Where in [`Progress::blocks`](crate::interface::parts::Progress) the offset is.
pub(super) const OFFSET: usize = 0;
/// Where the checksum is.
pub(super) const CHECKSUM: usize = 1;
/// Where HASH(A) is.
pub(super) const HASH: usize = 2;

/// The first offset.
pub(super) struct Begin<'a, S: Invertible> {
    pub key: &'a Material<S>,
    pub nonce: &'a [u8],
    pub offset: &'a mut Block,
}
impl<S: Invertible> Kernel for Begin<'_, S> {
    type Out = ();
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let one = b.one();
        one.store(self.offset, nonce::initial(one, self.key, None, self.nonce));
    }
}

/// The next blocks, `done` blocks being behind them.
pub(super) struct Part<'a, S: Invertible, const SEAL: bool> {
    pub key: &'a Material<S>,
    pub at: &'a mut [Block; 8],
    pub done: u64,
    /// A multiple of a block.
    pub io: InOut<'a>,
}
impl<S: Invertible, const SEAL: bool> Kernel for Part<'_, S, SEAL> {
    type Out = ();
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { key, at, done, mut io } = self;
        let one = b.one();
        let group = WIDTH * B::BLOCKS;
        let offset = one.load(&at[OFFSET]);
        let mut edge = Edge { b, key, offset, blocks: done, sum: b.zero(), checksum: one.zero() };
        // Groups begin at multiples of their blocks; up to there, and behind the last, in fewer registers.
        let before = (done.wrapping_neg() as usize % group * 16).min(io.len());
        edge.blocks::<SEAL>(io.cut(before));
        if io.len() >= group * 16 {
            let Edge { offset, blocks, sum, .. } = edge;
            let whole = io.cut(io.len() / (group * 16) * (group * 16));
            let mut walk = Walk { b, key, io: whole, offset, blocks, checksum: sum };
            if SEAL {
                walk.groups::<_, true>(Enc(&key.enc));
            } else {
                walk.groups::<_, false>(Dec(&key.enc, &key.dec));
            }
            (edge.offset, edge.blocks, edge.sum) = (walk.offset, walk.blocks, walk.checksum);
        }
        edge.blocks::<SEAL>(io);
        one.store(&mut at[OFFSET], edge.offset);
        let sum = one.xor(edge.checksum, b.fold(edge.sum));
        let before = one.load(&at[CHECKSUM]);
        one.store(&mut at[CHECKSUM], one.xor(before, sum));
    }
}

/// Blocks that are not of a group.
struct Edge<'a, S: Invertible, B: Backend> {
    b: B,
    key: &'a Material<S>,
    /// The last block's offset.
    offset: One<B>,
    /// The last block's number.
    blocks: u64,
    /// The checksum of whole registers, in each lane of its own blocks.
    sum: B::V,
    /// That of blocks by themselves.
    checksum: One<B>,
}

impl<S: Invertible, B: Backend> Edge<'_, S, B> {
    /// Fewer than a group.
    #[inline(always)]
    fn blocks<const SEAL: bool>(&mut self, io: InOut<'_>) {
        if SEAL {
            let keys = Enc(&self.key.enc);
            self.each::<_, _, true>(keys, keys, io);
        } else {
            let keys = Dec(&self.key.enc, &self.key.dec);
            self.each::<_, _, false>(keys, keys, io);
        }
    }

    /// Up to a place that is aligned for registers block by block, then registers, and what is left again
    /// block by block.
    #[inline(always)]
    fn each<K: Keys<B> + Copy, L: Keys<B::One> + Copy, const SEAL: bool>(
        &mut self,
        keys: K,
        one_keys: L,
        mut io: InOut<'_>,
    ) {
        if io.is_empty() {
            return;
        }
        if B::BLOCKS > 1 {
            let lead = (self.blocks.wrapping_neg() as usize % B::BLOCKS * 16).min(io.len());
            self.one_by_one::<_, SEAL>(one_keys, io.cut(lead));
            // As many as there are, in passes of powers of two: no pass waits for another.
            let registers = io.len() / B::BYTES;
            if registers & 4 != 0 {
                self.registers::<_, 4, SEAL>(keys, io.cut(4 * B::BYTES));
            }
            if registers & 2 != 0 {
                self.registers::<_, 2, SEAL>(keys, io.cut(2 * B::BYTES));
            }
            if registers & 1 != 0 {
                self.registers::<_, 1, SEAL>(keys, io.cut(B::BYTES));
            }
        }
        self.one_by_one::<_, SEAL>(one_keys, io);
    }

    /// `N` registers from a place on that is aligned for one. The last block of each goes as far from the one
    /// before it as its number says, the others as in every register.
    #[inline(always)]
    fn registers<K: Keys<B> + Copy, const N: usize, const SEAL: bool>(&mut self, keys: K, mut io: InOut<'_>) {
        let (b, one, masks) = (self.b, self.b.one(), &self.key.masks);
        let near = masks.distances::<B, 1>(b)[0];
        let mut pass = Pass::<B, N>::new(b);
        for j in 0..N {
            self.blocks += B::BLOCKS as u64;
            let last = one.xor(masks.near(one, B::BLOCKS - 1), masks.any(one, self.blocks.trailing_zeros()));
            let offsets = b.xor(b.widen(self.offset), b.with_top(near, last));
            self.offset = one.xor(self.offset, last);
            (pass.x[j], pass.first[j], pass.last[j]) = (io.load(b, j * B::BYTES), offsets, offsets);
            if SEAL {
                self.sum = b.xor(self.sum, pass.x[j]);
            }
        }
        crypt::<B, _, N, SEAL>(b, &Masked { keys, first: pass.first, last: pass.last }, &mut pass.x);
        for j in 0..N {
            if !SEAL {
                self.sum = b.xor(self.sum, pass.x[j]);
            }
            io.store(b, j * B::BYTES, pass.x[j]);
        }
    }

    /// One after the other; the CPU overlaps them, since none waits for another.
    #[inline(always)]
    fn one_by_one<K: Keys<B::One> + Copy, const SEAL: bool>(&mut self, keys: K, mut io: InOut<'_>) {
        let b = self.b.one();
        while let Some(mut block) = io.take(16) {
            self.blocks += 1;
            self.offset = b.xor(self.offset, self.key.masks.any(b, self.blocks.trailing_zeros()));
            let mut x = [block.load(b, 0)];
            if SEAL {
                self.checksum = b.xor(self.checksum, x[0]);
            }
            crypt::<B::One, _, 1, SEAL>(b, &Masked { keys, first: [self.offset], last: [self.offset] }, &mut x);
            if !SEAL {
                self.checksum = b.xor(self.checksum, x[0]);
            }
            block.store(b, 0, x[0]);
        }
    }
}

/// The end: a part of a block, or nothing, and the tag.
pub(super) struct End<'a, S: Invertible, const SEAL: bool> {
    pub key: &'a Material<S>,
    pub at: &'a [Block; 8],
    /// At most fifteen bytes.
    pub io: InOut<'a>,
}
impl<S: Invertible, const SEAL: bool> Kernel for End<'_, S, SEAL> {
    type Out = ReturnedBlock;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let Self { key, at, mut io } = self;
        let one = b.one();
        let (mut offset, mut checksum): (One<B>, One<B>) = (one.load(&at[OFFSET]), one.load(&at[CHECKSUM]));
        if !io.is_empty() {
            offset = one.xor(offset, one.splat(key.masks.star()));
            let read = io.load_part(one);
            let mut x = [one.zero()];
            one.encrypt(&Masked { keys: Enc(&key.enc), first: [offset], last: [read] }, &mut x);
            io.store_part(one, x[0]);
            let plain = if SEAL { read } else { one.keep(x[0], io.len()) };
            checksum = one.xor(checksum, one.xor(plain, one.padding(io.len())));
        }
        one.returned(tag(one, key, tag_input(one, key, offset, checksum), one.load(&at[HASH])))
    }
}
