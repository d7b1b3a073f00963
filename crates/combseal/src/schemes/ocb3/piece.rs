//! A message in pieces, each from a place of its own: for several threads.

use super::edge::leading;
use super::key::Material;
use super::nonce;
use super::walk::{Walk, tag};
use crate::cpu::{Backend, Block, Dec, Enc, InOut, Invertible, Kernel};

/// The first offset.
pub(super) struct Begin<'a, S: Invertible> {
    pub key: &'a Material<S>,
    pub nonce: &'a [u8],
}
impl<S: Invertible> Kernel for Begin<'_, S> {
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
pub(super) struct Piece<'a, S: Invertible, const SEAL: bool> {
    pub key: &'a Material<S>,
    /// Lent, so that no copy of it is passed by memory and left there.
    pub offset: &'a Block,
    pub start: usize,
    pub last: Option<(Block, &'a Block)>,
    pub io: InOut<'a>,
}
impl<S: Invertible, const SEAL: bool> Kernel for Piece<'_, S, SEAL> {
    type Out = Block;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Block {
        let Self { key, offset, start, last, io } = self;
        let one = b.one();
        let mut walk = Walk { b, key, io, offset: one.load(offset), blocks: start as u64, checksum: b.zero() };
        let (enc, dec) = (Enc(&key.enc), Dec(&key.enc, &key.dec));
        if SEAL {
            walk.groups::<_, true>(enc);
        } else {
            walk.groups::<_, false>(dec);
        }
        let out = match last {
            Some((sum, auth)) => {
                // In one lane: the others count too.
                let sum = b.and(b.widen(one.load(&sum)), leading(b, 16));
                walk.checksum = b.xor(walk.checksum, sum);
                let auth = one.load(auth);
                if SEAL { walk.seal_rest::<true>(auth) } else { tag(one, key, walk.open_rest(None).right, auth) }
            }
            None => b.fold(walk.checksum),
        };
        one.block(out)
    }
}
