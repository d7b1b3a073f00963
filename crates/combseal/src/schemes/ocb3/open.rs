//! Opening up to the tag (RFC 7253, sect. 4.3), which has to wait for all plaintext, and then goes
//! through the cipher alone.

use super::edge::{leading, load_blocks, store_blocks};
use super::pass::{Masked, One, Pass};
use super::walk::{Walk, tag_input};
use crate::cpu::{Aes, Backend, Dec, InOut};

impl<'a, A: Aes, B: Backend> Walk<'a, A, B> {
    /// Opens a short message; gives what the tag is the cipher of, but for HASH(A).
    #[inline(always)]
    pub fn open_short(self) -> One<B> {
        let keys = Dec(&self.key.enc, &self.key.dec);
        match B::BLOCKS {
            1 => self.open_end::<7>(),
            2 => self.narrow::<_, false>(keys).open_end::<1>(),
            _ => self.narrow::<_, false>(keys).open_end::<3>(),
        }
    }

    /// The same of a long one.
    #[inline(always)]
    pub fn open_long(mut self) -> One<B> {
        self.groups::<_, false>(Dec(&self.key.enc, &self.key.dec));
        self.open_rest()
    }

    /// What a long message has besides whole groups; gives the same.
    #[inline(always)]
    pub fn open_rest(mut self) -> One<B> {
        if B::BLOCKS == 1 && B::TOGETHER {
            return self.open_end::<7>();
        }
        self.half::<_, false>(Dec(&self.key.enc, &self.key.dec));
        self.open_end::<4>()
    }

    /// Opens at most `MOST` registers, the last perhaps not full, and perhaps a part of a
    /// block; gives the same.
    #[inline(always)]
    fn open_end<const MOST: usize>(mut self) -> One<B> {
        let (one, masks) = (self.b.one(), &self.key.masks);
        let mut whole = self.io.cut(self.io.len() / 16 * 16);
        let mut part = self.io.cut(self.io.len());
        let mut offset = self.offset_behind::<MOST>(&whole);
        match (whole.len() + B::BYTES - 1) / B::BYTES {
            0 => {}
            _ if MOST == 1 => self.opened::<1>(&mut whole),
            1 => self.opened::<1>(&mut whole),
            2 => self.opened::<2>(&mut whole),
            _ if MOST == 3 => self.opened::<3>(&mut whole),
            3 => self.opened::<3>(&mut whole),
            _ if MOST == 4 => self.opened::<4>(&mut whole),
            4 => self.opened::<4>(&mut whole),
            5 => self.opened::<5>(&mut whole),
            6 => self.opened::<6>(&mut whole),
            _ => self.opened::<7>(&mut whole),
        }
        let mut checksum = self.b.fold(self.checksum);
        if !part.is_empty() {
            offset = one.xor(offset, one.splat(masks.star()));
            let (_, rest) = self.part(&mut part, offset);
            let padded = one.xor(one.keep(rest, part.len()), one.padding(part.len()));
            checksum = one.xor(checksum, padded);
        }
        tag_input(one, self.key, offset, checksum)
    }

    /// `N` registers in one pass through the inverse cipher, the last perhaps not full.
    #[inline(always)]
    fn opened<const N: usize>(&mut self, whole: &mut InOut<'_>) {
        let (b, keys) = (self.b, Dec(&self.key.enc, &self.key.dec));
        let mut pass = Pass::<B, N>::new(b);
        let mut front = whole.cut((N - 1) * B::BYTES);
        self.load::<N, false>(&mut pass, N - 1, &front);
        let offsets = b.xor(b.widen(self.offset), self.key.masks.distances::<B, N>(b)[N - 1]);
        (pass.x[N - 1], pass.first[N - 1], pass.last[N - 1]) = (load_blocks(b, whole), offsets, offsets);
        b.decrypt(&Masked { keys, first: pass.first, last: pass.last }, &mut pass.x);
        self.store::<N, false>(&pass, N - 1, &mut front);
        store_blocks(b, whole, pass.x[N - 1]);
        let m = if B::BLOCKS == 1 { pass.x[N - 1] } else { b.and(pass.x[N - 1], leading(b, whole.len())) };
        self.checksum = b.xor(self.checksum, m);
    }
}
