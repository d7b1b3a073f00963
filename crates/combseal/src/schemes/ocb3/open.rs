//! What an opened message ends with (RFC 7253, sect. 4.3: the end of "Process any whole blocks",
//! and "Process any final partial block and compute raw tag").
//!
//! The tag that should be waits for all plaintext, and is another call of the cipher behind it. The tag that was
//! given waits for nothing: it goes through the inverse cipher with the last whole blocks, and comes out as what it
//! is the cipher of. That is compared, where tags have a whole block: the cipher is a permutation, so that two of
//! its inputs are the same where, and only where, the tags are.

use super::edge::{leading, load_blocks, store_blocks};
use super::pass::{Masked, One, Pass};
use super::walk::{Walk, tag_input};
use crate::cpu::{Backend, Dec, InOut, Invertible};

/// What is known of an opened message's tag. The one that was given is right if both are the same.
pub(super) struct Inputs<V> {
    /// What the right tag is the cipher of, but for HASH(A).
    pub right: V,
    /// What the tag that was given is the cipher of, likewise; of no meaning if none of 16 bytes was.
    pub given: V,
}

impl<'a, S: Invertible, B: Backend> Walk<'a, S, B> {
    /// Opens a short message. `given` is the sum of the tag that was given and HASH(A), if that tag has 16 bytes.
    #[inline(always)]
    pub fn open_short(self, given: Option<One<B>>) -> Inputs<One<B>> {
        let keys = Dec(&self.key.enc, &self.key.dec);
        match B::BLOCKS {
            1 => self.open_end::<7>(given),
            2 => self.narrow::<_, false>(keys).open_end::<1>(given),
            _ => self.narrow::<_, false>(keys).open_end::<3>(given),
        }
    }

    /// The same of a long one.
    #[inline(always)]
    pub fn open_long(mut self, given: Option<One<B>>) -> Inputs<One<B>> {
        self.groups::<_, false>(Dec(&self.key.enc, &self.key.dec));
        self.open_rest(given)
    }

    /// The same of what a long message has besides whole groups.
    #[inline(always)]
    pub fn open_rest(mut self, given: Option<One<B>>) -> Inputs<One<B>> {
        if B::BLOCKS == 1 && B::TOGETHER {
            return self.open_end::<7>(given);
        }
        self.half::<_, false>(Dec(&self.key.enc, &self.key.dec));
        self.open_end::<4>(given)
    }

    /// The same of at most `MOST` registers, the last perhaps not full, and perhaps a part of a
    /// block.
    #[inline(always)]
    fn open_end<const MOST: usize>(mut self, given: Option<One<B>>) -> Inputs<One<B>> {
        let (one, masks) = (self.b.one(), &self.key.masks);
        let mut whole = self.io.cut(self.io.len() / 16 * 16);
        let mut part = self.io.cut(self.io.len());
        let mut offset = self.offset_behind::<MOST>(&whole);
        let mut padded = one.zero();
        if !part.is_empty() {
            offset = one.xor(offset, one.splat(masks.star()));
            let (_, rest) = self.part(&mut part, offset);
            padded = one.xor(one.keep(rest, part.len()), one.padding(part.len()));
        }
        let tag = given.unwrap_or(one.zero());
        let given = match (whole.len() + B::BYTES - 1) / B::BYTES {
            0 if given.is_none() => tag,
            0 => self.opened::<1>(&mut whole, tag),
            _ if MOST == 1 => self.opened::<2>(&mut whole, tag),
            1 => self.opened::<2>(&mut whole, tag),
            2 => self.opened::<3>(&mut whole, tag),
            _ if MOST == 3 => self.opened::<4>(&mut whole, tag),
            3 => self.opened::<4>(&mut whole, tag),
            _ if MOST == 4 => self.opened::<5>(&mut whole, tag),
            4 => self.opened::<5>(&mut whole, tag),
            5 => self.opened::<6>(&mut whole, tag),
            6 => self.opened::<7>(&mut whole, tag),
            _ => self.opened::<8>(&mut whole, tag),
        };
        let checksum = one.xor(self.b.fold(self.checksum), padded);
        Inputs { right: tag_input(one, self.key, offset, checksum), given }
    }

    /// `N` registers in one pass through the inverse cipher: whole blocks, of which the last
    /// register is perhaps not full, and the tag, of which it gives what comes out.
    #[inline(always)]
    fn opened<const N: usize>(&mut self, whole: &mut InOut<'_>, given: One<B>) -> One<B> {
        let (b, keys, zero) = (self.b, Dec(&self.key.enc, &self.key.dec), self.b.one().zero());
        let mut pass = Pass::<B, N>::new(b);
        let blocks = N - 1;
        let mut front = whole.cut(blocks.saturating_sub(1) * B::BYTES);
        if blocks > 0 {
            self.load::<N, false>(&mut pass, blocks - 1, &front);
            let offsets = b.xor(b.widen(self.offset), self.key.masks.distances::<B, N>(b)[blocks - 1]);
            let x = load_blocks(b, whole);
            (pass.x[blocks - 1], pass.first[blocks - 1], pass.last[blocks - 1]) = (x, offsets, offsets);
        }
        pass.x[N - 1] = b.join([given, zero, zero, zero]);
        b.decrypt(&Masked { keys, first: pass.first, last: pass.last }, &mut pass.x);
        if blocks > 0 {
            self.store::<N, false>(&pass, blocks - 1, &mut front);
            let x = pass.x[blocks - 1];
            store_blocks(b, whole, x);
            let m = if B::BLOCKS == 1 { x } else { b.and(x, leading(b, whole.len())) };
            self.checksum = b.xor(self.checksum, m);
        }
        b.split(pass.x[N - 1])[0]
    }
}
