//! What a sealed message ends with, and its tag (RFC 7253, sect. 4.2: the end of "Process any
//! whole blocks", and "Process any final partial block and compute raw tag").
//!
//! The tag does not wait for the ciphertext, so it goes through the cipher with the last
//! whole blocks. A part of a block goes before them: what is written in parts is slow to be
//! read again, and who reads it right away should not wait for the tag besides.

use super::edge::{load_blocks, store_blocks};
use super::pass::{Masked, One, Pass};
use super::walk::{Walk, tag, tag_input};
use crate::cpu::{Backend, Enc, InOut, Invertible};

/// What a message's last pass has to know: the last block's offset, or that of the part of
/// one behind it; that part padded, or zero; and HASH(A).
struct End<B: Backend> {
    offset: B::V,
    padded: B::V,
    auth: B::V,
}

impl<'a, S: Invertible, B: Backend> Walk<'a, S, B> {
    /// What is left when sealing, less than a group; gives the tag.
    #[inline(always)]
    pub fn seal_rest<const LONG: bool>(mut self, auth: One<B>) -> One<B> {
        let keys = Enc(&self.key.enc);
        match (B::BLOCKS, LONG) {
            (1, long) if B::TOGETHER || !long => self.seal_end::<7>(auth),
            (2, false) => self.narrow::<_, true>(keys).seal_end::<1>(auth),
            (4, false) => self.narrow::<_, true>(keys).seal_end::<3>(auth),
            _ => {
                self.half::<_, true>(keys);
                self.seal_end::<4>(auth)
            }
        }
    }

    /// Seals at most `MOST` registers, the last perhaps not full, and perhaps a part of a
    /// block; no arm beyond them is compiled.
    #[inline(always)]
    fn seal_end<const MOST: usize>(mut self, auth: One<B>) -> One<B> {
        let (one, masks) = (self.b.one(), &self.key.masks);
        let mut whole = self.io.cut(self.io.len() / 16 * 16);
        let mut part = self.io.cut(self.io.len());
        let mut offset = self.offset_behind::<MOST>(&whole);
        let mut padded = one.zero();
        if !part.is_empty() {
            offset = one.xor(offset, one.splat(masks.star()));
            if B::BLOCKS == 1 && B::TOGETHER {
                return self.seal_together(whole, part, offset, auth);
            }
            let (rest, _) = self.part(&mut part, offset);
            padded = one.xor(rest, one.padding(part.len()));
        }
        let end = End { offset, padded, auth };
        let (_, tag) = match (whole.len() + B::BYTES - 1) / B::BYTES {
            0 => {
                let input = tag_input(one, self.key, offset, one.xor(self.b.fold(self.checksum), padded));
                return tag(one, self.key, input, auth);
            }
            _ if MOST == 1 => self.sealed::<2, false>(&mut whole, end),
            1 => self.sealed::<2, false>(&mut whole, end),
            2 => self.sealed::<3, false>(&mut whole, end),
            _ if MOST == 3 => self.sealed::<4, false>(&mut whole, end),
            3 => self.sealed::<4, false>(&mut whole, end),
            _ if MOST == 4 => self.sealed::<5, false>(&mut whole, end),
            4 => self.sealed::<5, false>(&mut whole, end),
            5 => self.sealed::<6, false>(&mut whole, end),
            6 => self.sealed::<7, false>(&mut whole, end),
            _ => self.sealed::<8, false>(&mut whole, end),
        };
        tag
    }

    /// Blocks and a part of one where all of it had better go through the cipher at once.
    #[inline(always)]
    fn seal_together(mut self, mut whole: InOut<'_>, mut part: InOut<'_>, offset: One<B>, auth: One<B>) -> One<B> {
        let one = self.b.one();
        let rest = part.load_part(one);
        let end = End { offset, padded: one.xor(rest, one.padding(part.len())), auth };
        let (pad, tag) = match whole.len() / 16 {
            0 => self.sealed::<2, true>(&mut whole, end),
            1 => self.sealed::<3, true>(&mut whole, end),
            2 => self.sealed::<4, true>(&mut whole, end),
            3 => self.sealed::<5, true>(&mut whole, end),
            4 => self.sealed::<6, true>(&mut whole, end),
            5 => self.sealed::<7, true>(&mut whole, end),
            6 => self.sealed::<8, true>(&mut whole, end),
            _ => self.sealed::<9, true>(&mut whole, end),
        };
        part.store_part(one, one.xor(pad, rest));
        tag
    }

    /// `N` registers in one pass through the cipher: whole blocks, of which the last
    /// register is perhaps not full; the pad for a part of a block, if it is wanted; and
    /// the tag. Gives the last two.
    #[inline(always)]
    fn sealed<const N: usize, const PAD: bool>(&mut self, whole: &mut InOut<'_>, end: End<B::One>) -> (One<B>, One<B>) {
        let (b, one, zero) = (self.b, self.b.one(), self.b.one().zero());
        let mut pass = Pass::<B, N>::new(b);
        let blocks = N - 1 - PAD as usize;
        let mut front = whole.cut(blocks.saturating_sub(1) * B::BYTES);
        if blocks > 0 {
            self.load::<N, true>(&mut pass, blocks - 1, &front);
            let offsets = b.xor(b.widen(self.offset), self.key.masks.distances::<B, N>(b)[blocks - 1]);
            let m = load_blocks(b, whole);
            (pass.x[blocks - 1], pass.first[blocks - 1], pass.last[blocks - 1]) = (m, offsets, offsets);
            self.checksum = b.xor(self.checksum, m);
        }
        if PAD {
            pass.first[blocks] = b.widen(end.offset);
        }
        let dollar = one.xor(end.offset, one.splat(self.key.masks.dollar()));
        pass.x[N - 1] = b.join([one.xor(b.fold(self.checksum), end.padded), zero, zero, zero]);
        pass.first[N - 1] = b.join([dollar, zero, zero, zero]);
        pass.last[N - 1] = b.join([end.auth, zero, zero, zero]);
        b.encrypt(&Masked { keys: Enc(&self.key.enc), first: pass.first, last: pass.last }, &mut pass.x);
        if blocks > 0 {
            self.store::<N, true>(&pass, blocks - 1, &mut front);
            store_blocks(b, whole, pass.x[blocks - 1]);
        }
        (b.split(pass.x[blocks])[0], b.split(pass.x[N - 1])[0])
    }
}
