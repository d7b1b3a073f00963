//! What an opened message ends with, up to its tag (RFC 7253, sect. 4.3): the tag has to wait for
//! the plaintext, so it goes through the cipher alone, behind the last blocks.

use super::edge::{leading, load_blocks, store_blocks};
use super::pass::{Masked, One, Pass, crypt};
use super::walk::Walk;
use crate::cpu::{Aes, Backend, InOut, Keys};

impl<'a, A: Aes, B: Backend> Walk<'a, A, B> {
    /// What is left, less than a group; gives the block that the tag is the cipher of, but for
    /// HASH(A).
    #[inline(always)]
    pub fn rest<K: Keys<B> + Keys<B::One> + Copy, const LONG: bool, const SEAL: bool>(mut self, keys: K) -> One<B> {
        match (B::BLOCKS, LONG) {
            (1, long) if B::TOGETHER || !long => self.end::<_, 7, SEAL>(keys),
            (2, false) => self.narrow::<_, SEAL>(keys).end::<_, 1, SEAL>(keys),
            (4, false) => self.narrow::<_, SEAL>(keys).end::<_, 3, SEAL>(keys),
            _ => {
                self.half::<_, SEAL>(keys);
                self.end::<_, 4, SEAL>(keys)
            }
        }
    }

    /// At most `MOST` registers, the last perhaps not full, and perhaps a part of a block.
    #[inline(always)]
    fn end<K: Keys<B> + Copy, const MOST: usize, const SEAL: bool>(mut self, keys: K) -> One<B> {
        let (one, masks) = (self.b.one(), &self.key.masks);
        let mut whole = self.io.cut(self.io.len() / 16 * 16);
        let mut part = self.io.cut(self.io.len());
        let mut offset = self.offset_behind::<MOST>(&whole);
        match (whole.len() + B::BYTES - 1) / B::BYTES {
            0 => {}
            _ if MOST == 1 => self.last::<_, 1, SEAL>(keys, &mut whole),
            1 => self.last::<_, 1, SEAL>(keys, &mut whole),
            2 => self.last::<_, 2, SEAL>(keys, &mut whole),
            _ if MOST == 3 => self.last::<_, 3, SEAL>(keys, &mut whole),
            3 => self.last::<_, 3, SEAL>(keys, &mut whole),
            _ if MOST == 4 => self.last::<_, 4, SEAL>(keys, &mut whole),
            4 => self.last::<_, 4, SEAL>(keys, &mut whole),
            5 => self.last::<_, 5, SEAL>(keys, &mut whole),
            6 => self.last::<_, 6, SEAL>(keys, &mut whole),
            _ => self.last::<_, 7, SEAL>(keys, &mut whole),
        }
        let mut checksum = self.b.fold(self.checksum);
        if !part.is_empty() {
            offset = one.xor(offset, one.splat(masks.star()));
            let (read, written) = self.part(&mut part, offset);
            let plaintext = if SEAL { read } else { one.keep(written, part.len()) };
            checksum = one.xor(checksum, one.xor(plaintext, one.padding(part.len())));
        }
        self.tag_input(offset, checksum)
    }

    /// `N` registers in one pass, the last perhaps not full.
    #[inline(always)]
    fn last<K: Keys<B> + Copy, const N: usize, const SEAL: bool>(&mut self, keys: K, whole: &mut InOut<'_>) {
        let b = self.b;
        let mut pass = Pass::<B, N>::new(b);
        let mut front = whole.cut((N - 1) * B::BYTES);
        self.load::<N, SEAL>(&mut pass, N - 1, &front);
        let offsets = b.xor(b.widen(self.offset), self.key.masks.distances::<B, N>(b)[N - 1]);
        (pass.x[N - 1], pass.first[N - 1], pass.last[N - 1]) = (load_blocks(b, whole), offsets, offsets);
        if SEAL {
            self.checksum = b.xor(self.checksum, pass.x[N - 1]);
        }
        crypt::<B, _, N, SEAL>(b, &Masked { keys, first: pass.first, last: pass.last }, &mut pass.x);
        self.store::<N, SEAL>(&pass, N - 1, &mut front);
        store_blocks(b, whole, pass.x[N - 1]);
        if !SEAL {
            let m = if B::BLOCKS == 1 { pass.x[N - 1] } else { b.and(pass.x[N - 1], leading(b, whole.len())) };
            self.checksum = b.xor(self.checksum, m);
        }
    }
}
