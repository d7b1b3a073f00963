//! One long OCB3 message over several threads: block `i` has the offset
//! Offset_0 ^ the L[k] of the bits k of `i`'s Gray code, so every thread finds its
//! own place (Krovetz and Rogaway 2021, sect. 3.1: the offsets are a Gray code's).

use super::key::Ocb3;
use super::piece::{Begin, Piece};
use crate::cpu::{Aes, Block, InOut, equal, xor_block};
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
        let mut first = self.key.settings.cpu.run(Begin { key: &self.key, nonce });
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
            let mut l = self.key.masks.number(k);
            offset = xor_block(&offset, &l);
            l.wipe();
        }
        let out = self.key.settings.cpu.run(Piece::<A::Enc, SEAL> { key: &self.key, offset: &offset, start, last, io });
        offset.wipe();
        out
    }
}
