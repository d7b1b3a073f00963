//! A message in parts: OCB is online (Krovetz and Rogaway 2021, sect. 1), so that between two
//! blocks all that is known of a message is its offset, its checksum and their number.

use super::group::WIDTH;
use super::key::Ocb3;
use super::nonce;
use super::pass::{Masked, One, crypt};
use super::walk::{Walk, tag, tag_input};
use crate::cpu::{Aes, Backend, Block, Dec, Enc, InOut, Kernel, Keys, ReturnedBlock};

/// Where in [`Progress::blocks`](crate::interface::parts::Progress) the offset is.
pub(super) const OFFSET: usize = 0;
/// Where the checksum is.
pub(super) const CHECKSUM: usize = 1;
/// Where HASH(A) is.
pub(super) const HASH: usize = 2;

/// The first offset.
pub(super) struct Begin<'a, A: Aes> {
    pub key: &'a Ocb3<A>,
    pub nonce: &'a [u8],
    pub offset: &'a mut Block,
}
impl<A: Aes> Kernel for Begin<'_, A> {
    type Out = ();
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let one = b.one();
        one.store(self.offset, nonce::initial(one, self.key, None, self.nonce));
    }
}

/// The next blocks, `done` blocks being behind them.
pub(super) struct Part<'a, A: Aes, const SEAL: bool> {
    pub key: &'a Ocb3<A>,
    pub at: &'a mut [Block; 8],
    pub done: u64,
    /// A multiple of a block.
    pub io: InOut<'a>,
}
impl<A: Aes, const SEAL: bool> Kernel for Part<'_, A, SEAL> {
    type Out = ();
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { key, at, done, mut io } = self;
        let one = b.one();
        let group = WIDTH * B::BLOCKS;
        let mut edge = Edge { b: one, key, offset: one.load(&at[OFFSET]), blocks: done, checksum: one.zero() };
        // Groups begin at multiples of their blocks; up to there, and behind the last, block by block.
        let before = (edge.blocks.wrapping_neg() as usize % group * 16).min(io.len());
        edge.blocks::<SEAL>(io.cut(before));
        let mut sum = b.zero();
        if io.len() >= group * 16 {
            let Edge { offset, blocks, .. } = edge;
            let whole = io.cut(io.len() / (group * 16) * (group * 16));
            let mut walk = Walk { b, key, io: whole, offset, blocks, checksum: b.zero() };
            if SEAL {
                walk.groups::<_, true>(Enc(&key.enc));
            } else {
                walk.groups::<_, false>(Dec(&key.enc, &key.dec));
            }
            (edge.offset, edge.blocks, sum) = (walk.offset, walk.blocks, walk.checksum);
        }
        edge.blocks::<SEAL>(io);
        one.store(&mut at[OFFSET], edge.offset);
        let sum = one.xor(edge.checksum, b.fold(sum));
        let before = one.load(&at[CHECKSUM]);
        one.store(&mut at[CHECKSUM], one.xor(before, sum));
    }
}

/// Blocks that are not of a group.
struct Edge<'a, A: Aes, B: Backend> {
    b: B,
    key: &'a Ocb3<A>,
    /// The last block's offset.
    offset: B::V,
    /// The last block's number.
    blocks: u64,
    checksum: B::V,
}

impl<A: Aes, B: Backend> Edge<'_, A, B> {
    #[inline(always)]
    fn blocks<const SEAL: bool>(&mut self, io: InOut<'_>) {
        if SEAL {
            self.each::<_, true>(Enc(&self.key.enc), io);
        } else {
            self.each::<_, false>(Dec(&self.key.enc, &self.key.dec), io);
        }
    }

    /// One after the other; the CPU overlaps them, since none waits for another.
    #[inline(always)]
    fn each<K: Keys<B> + Copy, const SEAL: bool>(&mut self, keys: K, mut io: InOut<'_>) {
        let b = self.b;
        while let Some(mut block) = io.take(16) {
            self.blocks += 1;
            self.offset = b.xor(self.offset, self.key.masks.any(b, self.blocks.trailing_zeros()));
            let mut x = [block.load(b, 0)];
            if SEAL {
                self.checksum = b.xor(self.checksum, x[0]);
            }
            crypt::<B, _, 1, SEAL>(b, &Masked { keys, first: [self.offset], last: [self.offset] }, &mut x);
            if !SEAL {
                self.checksum = b.xor(self.checksum, x[0]);
            }
            block.store(b, 0, x[0]);
        }
    }
}

/// The end: a part of a block, or nothing, and the tag.
pub(super) struct End<'a, A: Aes, const SEAL: bool> {
    pub key: &'a Ocb3<A>,
    pub at: &'a [Block; 8],
    /// At most fifteen bytes.
    pub io: InOut<'a>,
}
impl<A: Aes, const SEAL: bool> Kernel for End<'_, A, SEAL> {
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
