//! One long OCB3 message over several threads: block `i` has the offset
//! Offset_0 ^ the L[k] of the bits k of `i`'s Gray code, so every thread finds its
//! own place (Krovetz and Rogaway 2021, sect. 3.1: the offsets are a Gray code's).

use super::kernel::{Begin, Piece};
use super::key::Ocb3;
use super::masks::{L, LAST, Masks, times_x};
use crate::cpu::{Aes, Backend, Block, InOut, Kernel, equal, xor_block};
use crate::interface::aead::Aead;
use crate::interface::error::Error;
use crate::interface::scheme::Raw;
use crate::interface::tag::Tag;
use crate::memory::wipe::Wipe;
use alloc::vec::Vec;
use rayon::prelude::*;

/// Blocks in a piece: 64 KiB, a few tens of thousands of cycles.
const PIECE: usize = 4096;

impl<A: Aes> Ocb3<A> {
    /// As [`seal_in_place`](Aead::seal_in_place), over the threads of the current
    /// rayon pool. The output is the same; it pays from some hundred KiB on.
    ///
    /// # Errors
    /// As there.
    pub fn seal_in_place_parallel(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Result<Tag, Error> {
        let whole = self.pieces::<true>(nonce, ad, InOut::in_place(buf))?;
        Ok(Tag::new(whole, self.tag_len()))
    }

    /// As [`open_in_place`](Aead::open_in_place), over the threads of the current
    /// rayon pool.
    ///
    /// # Errors
    /// As there.
    pub fn open_in_place_parallel(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        if tag.len() != self.tag_len() {
            return Err(Error::TagLength);
        }
        let whole = self.pieces::<false>(nonce, ad, InOut::in_place(buf))?;
        if equal(&whole[..tag.len()], tag) {
            return Ok(());
        }
        buf.wipe();
        Err(Error::Forged)
    }

    /// The whole tag.
    fn pieces<const SEAL: bool>(&self, nonce: &[u8], ad: &[u8], mut io: InOut<'_>) -> Result<Block, Error> {
        self.check(nonce, ad, io.len())?;
        let mut auth = [0; 16];
        self.hash(None, ad, &mut auth);
        let mut first = self.settings.cpu.run(Begin { key: self, nonce });
        let mut pieces: Vec<InOut<'_>> = Vec::new();
        while let Some(piece) = io.take(16 * PIECE) {
            pieces.push(piece);
        }
        let start = PIECE * pieces.len();
        let one = |(i, io): (usize, InOut<'_>)| self.piece::<SEAL>(&first, i * PIECE, None, io);
        let sum = pieces.into_par_iter().enumerate().map(one).reduce(|| [0; 16], |a, b| xor_block(&a, &b));
        let tag = self.piece::<SEAL>(&first, start, Some((sum, &auth)), io);
        first.wipe();
        Ok(tag)
    }

    /// The piece behind block `start`, counted from one: its checksum, or of the last the
    /// tag.
    fn piece<const SEAL: bool>(
        &self,
        first: &Block,
        start: usize,
        last: Option<(Block, &Block)>,
        io: InOut<'_>,
    ) -> Block {
        let mut offset = *first;
        let gray = start ^ start >> 1;
        for k in (0..usize::BITS).filter(|k| gray >> k & 1 == 1) {
            let mut l = self.masks.number(k);
            offset = xor_block(&offset, &l);
            l.wipe();
        }
        let out = self.settings.cpu.run(Placed::<A, SEAL> { key: self, offset: &offset, start, last, io });
        offset.wipe();
        out
    }
}

/// A [`Piece`] whose offset is lent: made a piece behind the door, where it goes to a
/// register, so that no copy of the offset is passed by memory and left there.
struct Placed<'a, A: Aes, const SEAL: bool> {
    key: &'a Ocb3<A>,
    offset: &'a Block,
    start: usize,
    last: Option<(Block, &'a Block)>,
    io: InOut<'a>,
}
impl<A: Aes, const SEAL: bool> Kernel for Placed<'_, A, SEAL> {
    type Out = Block;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Block {
        let Self { key, offset, start, last, io } = self;
        Piece::<A, SEAL> { key, offset: *offset, start, last, io }.run::<B, N>(b)
    }
}

impl Masks {
    /// L\[i\], for any i.
    fn number(&self, i: u32) -> Block {
        let held = i.min(LAST);
        // L[0] to L[2] are the offsets of blocks 1, 3 and 7.
        let l = self.0[if held < 3 { (2 << held) - 1 } else { L + held as usize }];
        times_x(u128::from_be_bytes(l), i - held).to_be_bytes()
    }
}
