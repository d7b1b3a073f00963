//! A message of GCM's that comes in parts. Between two parts, the hash of the last group that was
//! encrypted *waits*: it is stitched with the AES of the next part's first group, as within a part, so
//! that a part of whole groups begins and ends without a group that is encrypted or hashed alone.
//!
//! Where the input is hashed nothing waits: each group is hashed beside its own AES.

use super::{CtrHash, OntoInput, SpreadKeys, has_group};
use crate::cpu::{Backend, Block, Enc, InOut, Schedule};
use crate::raw::polyval::Factors;

/// What is kept of the hash between two parts, besides the key.
pub(crate) struct Between<'a> {
    /// The accumulator: a hash in each lane if a group waits, a register at most; else one hash, in the first block. (Blocks that
    /// nobody needs are not touched: all four may lie in two cache lines.)
    pub lanes: &'a mut [Block; 4],
    /// The last group, if it waits to be hashed.
    pub group: &'a mut [Block; 16],
    /// Whether it does.
    pub waits: &'a mut bool,
}

impl<'a, B: Backend, S: Schedule, const GHASH: bool, const R: usize> CtrHash<'a, B, S, GHASH, R> {
    /// Hashes `ad` alone; the message is to come in parts.
    #[inline(always)]
    pub fn begin_parts<const N: usize>(mut self, ad: &[u8], between: &mut Between<'_>) {
        self.hash.ad::<N>(ad, isize::MAX as usize);
        self.keep_lanes(between);
    }

    /// Encrypts or decrypts a part of a message, before which there are `done` blocks: whole blocks, unless
    /// it is the last.
    #[inline(always)]
    pub fn part<const N: usize, const HASH_OUT: bool>(
        mut self,
        done: u32,
        mut io: InOut<'_>,
        between: &mut Between<'_>,
    ) {
        const { assert!(N * B::BYTES <= 256, "more than the room for a group that waits") };
        let b = self.b;
        self.counter = b.add32(self.counter, b.splat(&u128::from(done).to_le_bytes()));
        self.resume(between);
        if has_group::<B, N, true>(&io) {
            if HASH_OUT {
                self.groups_of_part::<N>(&mut io, between);
            } else {
                self.groups_in::<N, true>(&mut io);
            }
        }
        if !io.is_empty() {
            // Less than a group is left, which is a sum of its own.
            self.hash_what_waits::<N>(between);
            self.rest::<N, HASH_OUT>(io);
        }
        self.keep_lanes(between);
    }

    /// The hash of the parts, which are all there, and of the length block; and E(J0).
    #[inline(always)]
    pub fn ended<const N: usize>(
        mut self,
        lengths: <B::One as Backend>::V,
        between: &mut Between<'_>,
    ) -> (<B::One as Backend>::V, <B::One as Backend>::V) {
        let (b, one) = (self.b, self.b.one());
        self.resume(between);
        self.hash_what_waits::<N>(between);
        let mut mask = [if GHASH { one.rev(self.initial) } else { self.initial }];
        one.encrypt(&Enc(self.keys), &mut mask);
        (self.hash.finish(b.zero(), 0, lengths), mask[0])
    }

    /// Groups whose output is hashed, each while the next is encrypted; leaves less than one, and the hash of
    /// the last waits. There is a first group.
    #[inline(always)]
    fn groups_of_part<const N: usize>(&mut self, io: &mut InOut<'_>, between: &mut Between<'_>) {
        let b = self.b;
        let factors: Factors<B, N> = self.hash.inner_factors();
        let keys = SpreadKeys::new(b, self.keys);
        // The last group: in registers where there are 32 of them, else read again from where it was written.
        let mut last = [b.zero(); N];
        let mut written: &[u8] = &between.group.as_flattened()[..N * B::BYTES];
        if *between.waits {
            for j in 0..N {
                last[j] = b.load(&written[j * B::BYTES..]);
            }
        } else {
            let mut first = io.cut(N * B::BYTES);
            last = self.counter_blocks::<N>();
            b.encrypt(&OntoInput { keys: &keys, io: &first }, &mut last);
            for j in 0..N {
                first.store(b, j * B::BYTES, last[j]);
            }
            written = first.into_dst();
        }
        while has_group::<B, N, true>(io) {
            let mut next = io.cut(N * B::BYTES);
            let mut x = self.counter_blocks::<N>();
            let mut hash = if B::ROOMY {
                self.hash.stitch_registers(&factors, last, S::ROUNDS)
            } else {
                self.hash.stitch(&factors, written, S::ROUNDS)
            };
            b.encrypt_interleaved(&OntoInput { keys: &keys, io: &next }, &mut x, &mut hash);
            self.hash.stitched(hash);
            for j in 0..N {
                next.store(b, j * B::BYTES, x[j]);
            }
            written = next.into_dst();
            last = x;
        }
        if !B::ROOMY {
            for j in 0..N {
                last[j] = b.load(&written[j * B::BYTES..]);
            }
        }
        for j in 0..N {
            b.store(&mut between.group.as_flattened_mut()[j * B::BYTES..], last[j]);
        }
        *between.waits = true;
    }

    /// The group that waits, if there is one.
    #[inline(always)]
    fn hash_what_waits<const N: usize>(&mut self, between: &mut Between<'_>) {
        if *between.waits {
            let factors: Factors<B, N> = self.hash.last_factors();
            self.hash.group(&factors, &between.group.as_flattened()[..N * B::BYTES]);
            *between.waits = false;
        }
    }

    /// Less than a group, register by register.
    #[inline(always)]
    fn rest<const N: usize, const HASH_OUT: bool>(&mut self, mut io: InOut<'_>) {
        let b = self.b;
        if !HASH_OUT {
            self.hash.ad::<N>(io.src(), isize::MAX as usize);
        }
        let mut rest = io.reborrow();
        while !rest.is_empty() {
            let mut register = rest.cut(rest.len().min(B::BYTES));
            let mut x = [self.count()];
            if GHASH {
                x[0] = b.rev(x[0]);
            }
            b.encrypt(&Enc(self.keys), &mut x);
            let input = register.load_part(b);
            register.store_part(b, b.xor(x[0], input));
        }
        if HASH_OUT {
            self.hash.ad::<N>(io.written(), isize::MAX as usize);
        }
    }

    #[inline(always)]
    fn resume(&mut self, between: &Between<'_>) {
        let b = self.b;
        self.hash.resume(if *between.waits {
            b.load(between.lanes.as_flattened())
        } else {
            let zero = b.one().zero();
            b.join([b.one().load(&between.lanes[0]), zero, zero, zero])
        });
    }

    #[inline(always)]
    fn keep_lanes(&self, between: &mut Between<'_>) {
        let (b, lanes) = (self.b, self.hash.lanes());
        if *between.waits {
            b.store(between.lanes.as_flattened_mut(), lanes);
        } else {
            b.one().store(&mut between.lanes[0], b.split(lanes)[0]);
        }
    }
}
