//! Counter mode and a polynomial hash in one pass: GCM's GHASH, GCM-SIV's POLYVAL.
//!
//! A message is cut into *groups*, `N` registers each, as many as fill the pipeline of
//! the AES; at least a byte and at most a group is left over. What is hashed of a group
//! is there before the AES begins (the input, when GCM opens) or only after it (the
//! output, when GCM seals or GCM-SIV opens). The hash of a group is stitched with the
//! AES of a group: its carry-less products go between the AES's rounds. `|` is one
//! after the other, `+` stitched:
//!
//! ```text
//! input hashed:   AES 1 + hash 1 | AES 2 + hash 2 | AES 3 + hash 3          | rest
//! output hashed:  AES 1          | AES 2 + hash 1 | AES 3 + hash 2 | hash 3 | rest
//! ```
//!
//! The rest, all in one reduction, is encrypted and hashed register by register, first
//! four of them if there are more than four. Its last register has lanes to spare:
//!
//! ```text
//!         data registers             last register
//! AES:    counter blocks      ...    counter blocks of the tail | J0 in the last lane
//! onto:   input               ...    tail                       | zeros
//! hash:   input or output     ...    tail                       | length block behind it
//! ```
//!
//! With one block a register the tail is empty, and J0 and the length block are registers
//! of their own. E(J0) is GCM's mask of the tag; GCM-SIV has no use for it. Associated data
//! is hashed before all this, with a reduction of its own unless all blocks of a message
//! fit into one.

#[cfg(feature = "gcm")]
pub(crate) mod parts;

use super::polyval::{Accumulator, Factors, Powers};
use crate::cpu::{Backend, InOut, Keys, LANES, Schedule, block_count};

/// The length block: the numbers of bits in `low` and `high` bytes, a half each.
#[inline(always)]
pub(crate) fn length_block<B: Backend>(b: B, low: usize, high: usize) -> B::V {
    long_length_block(b, low as u64, high as u64)
}

/// The same of a message that may be longer than memory, since it comes in parts.
#[inline(always)]
pub(crate) fn long_length_block<B: Backend>(b: B, low: u64, high: u64) -> B::V {
    b.load(&((8 * high as u128) << 64 | 8 * low as u128).to_le_bytes())
}

/// A message on its way through counter mode and the hash.
///
/// `GHASH`: the counter is the last four bytes of its block, big-endian, and the hash is
/// GHASH (GCM); else the first four, little-endian, and POLYVAL (GCM-SIV).
pub(crate) struct CtrHash<'a, B: Backend, S, const GHASH: bool, const R: usize> {
    b: B,
    keys: &'a S,
    /// The counter block that the message begins with: J0.
    initial: <B::One as Backend>::V,
    /// The next counter blocks, a lane each; for GHASH with their bytes reversed, so that
    /// the counter is in the first four bytes, little-endian.
    counter: B::V,
    hash: Accumulator<'a, B, GHASH, R>,
}

impl<'a, B: Backend, S: Schedule, const GHASH: bool, const R: usize> CtrHash<'a, B, S, GHASH, R> {
    /// GCM encrypts from the counter block after `initial` on, GCM-SIV from `initial` on.
    #[inline(always)]
    pub fn new(b: B, keys: &'a S, initial: <B::One as Backend>::V, powers: &'a Powers<R>) -> Self {
        let first = b.load(if GHASH { LANES[1..].as_flattened() } else { LANES.as_flattened() });
        Self { b, keys, initial, counter: b.add32(b.widen(initial), first), hash: Accumulator::new(b, powers) }
    }

    /// The next register of counter blocks; for GHASH with their bytes reversed.
    #[inline(always)]
    fn count(&mut self) -> B::V {
        let x = self.counter;
        self.counter = self.b.add32(x, self.b.splat(&(B::BLOCKS as u128).to_le_bytes()));
        x
    }

    /// The next `M` registers of counter blocks.
    #[inline(always)]
    fn counter_blocks<const M: usize>(&mut self) -> [B::V; M] {
        let mut x = [self.b.zero(); M];
        for j in 0..M {
            x[j] = self.count();
            if GHASH {
                x[j] = self.b.rev(x[j]);
            }
        }
        x
    }

    /// Hashes `ad`, encrypts or decrypts all of `io`, and hashes what comes out
    /// (`HASH_OUT`) or goes in, then the length block. Returns the hash and E(J0).
    #[inline(always)]
    pub fn crypt<const N: usize, const HASH_OUT: bool>(
        mut self,
        ad: &[u8],
        mut io: InOut<'_>,
        lengths: <B::One as Backend>::V,
    ) -> (<B::One as Backend>::V, <B::One as Backend>::V) {
        self.hash.ad::<N>(ad, io.len());
        if has_group::<B, N, false>(&io) {
            if HASH_OUT {
                self.groups_out::<N>(&mut io);
            } else {
                self.groups_in::<N, false>(&mut io);
            }
        }
        self.hash.expect_blocks(block_count(io.len()));
        const { assert!(N <= 8, "more than twice four registers in a group") };
        let mut registers = block_count(io.len()) / B::BLOCKS;
        if N > 4 && registers > 4 {
            self.four::<HASH_OUT>(&mut io);
            registers -= 4;
        }
        // Counted here and handed on: counted anew in `end`, it grows the code by a tenth.
        self.end::<HASH_OUT>(io, registers, lengths)
    }

    /// Groups whose output is hashed, each while the next is encrypted; leaves at
    /// least a byte and at most a group. There is a first group.
    #[inline(always)]
    fn groups_out<const N: usize>(&mut self, io: &mut InOut<'_>) {
        let b = self.b;
        let mut factors: Factors<B, N> = self.hash.inner_factors();
        let keys = SpreadKeys::new(b, self.keys);
        let mut group = io.cut(N * B::BYTES);
        let mut x = self.counter_blocks::<N>();
        b.encrypt(&OntoInput { keys: &keys, io: &group }, &mut x);
        for j in 0..N {
            group.store(b, j * B::BYTES, x[j]);
        }
        while has_group::<B, N, false>(io) {
            let mut next = io.cut(N * B::BYTES);
            let mut x = self.counter_blocks::<N>();
            let mut hash = self.hash.stitch(&factors, group.written(), S::ROUNDS);
            b.encrypt_interleaved(&OntoInput { keys: &keys, io: &next }, &mut x, &mut hash);
            self.hash.stitched(hash);
            for j in 0..N {
                next.store(b, j * B::BYTES, x[j]);
            }
            group = next;
        }
        if B::BLOCKS > 1 {
            factors = self.hash.last_factors();
        }
        // Not stitched with the AES of the rest, which would take the code of the rest
        // twice: the CPU overlaps the two, as neither waits for the other.
        self.hash.group(&factors, group.written());
    }

    /// Groups whose input is hashed, each while it is decrypted; leaves as much as
    /// [`groups_out`](Self::groups_out) or, if `ALL`, less than a group.
    #[inline(always)]
    fn groups_in<const N: usize, const ALL: bool>(&mut self, io: &mut InOut<'_>) {
        let b = self.b;
        let mut factors: Factors<B, N> = self.hash.inner_factors();
        let keys = SpreadKeys::new(b, self.keys);
        while has_group::<B, N, ALL>(io) {
            let mut group = io.cut(N * B::BYTES);
            if B::BLOCKS > 1 && !has_group::<B, N, ALL>(io) {
                factors = self.hash.last_factors();
            }
            let mut x = self.counter_blocks::<N>();
            let mut hash = self.hash.stitch(&factors, group.src(), S::ROUNDS);
            b.encrypt_interleaved(&OntoInput { keys: &keys, io: &group }, &mut x, &mut hash);
            self.hash.stitched(hash);
            for j in 0..N {
                group.store(b, j * B::BYTES, x[j]);
            }
        }
        self.hash.end_groups();
    }

    /// Four whole registers.
    #[inline(always)]
    fn four<const HASH_OUT: bool>(&mut self, io: &mut InOut<'_>) {
        let b = self.b;
        let mut part = io.cut(4 * B::BYTES);
        let mut x = self.counter_blocks::<4>();
        b.encrypt(&OntoInput { keys: &SpreadKeys::new(b, self.keys), io: &part }, &mut x);
        for j in 0..4 {
            let input = part.load(b, j * B::BYTES);
            part.store(b, j * B::BYTES, x[j]);
            self.hash.register(if HASH_OUT { x[j] } else { input }, B::BLOCKS);
        }
    }

    /// The end of the message and the length block: `registers`, at most four, that have
    /// data in every lane, and the tail.
    #[inline(always)]
    fn end<const HASH_OUT: bool>(
        mut self,
        mut io: InOut<'_>,
        registers: usize,
        lengths: <B::One as Backend>::V,
    ) -> (<B::One as Backend>::V, <B::One as Backend>::V) {
        let b = self.b;
        // The last data register may end in a part of a block, and then the tail is empty.
        // Else the tail is in fewer lanes than a register has, so that the last is left to
        // J0, and the one behind the tail to the length block.
        let mut before = io.cut(registers.saturating_sub(1) * B::BYTES);
        let mut last = if registers > 0 { Some(io.cut(io.len().min(B::BYTES))) } else { None };
        let mut tail = io;
        let mut input = [b.zero(); 2];
        if let Some(last) = &last {
            input[0] = if last.len() == B::BYTES { last.load(b, 0) } else { last.load_part(b) };
        }
        let mut tail_blocks = 0;
        if B::BLOCKS > 1 {
            tail_blocks = block_count(tail.len());
            input[1] = tail.load_part(b);
        }
        self.hash.expect_blocks(registers * B::BLOCKS + tail_blocks);
        let x = if GHASH || B::BLOCKS > 1 {
            match registers {
                0 => self.last::<0, 1, HASH_OUT>(&mut before, input),
                1 => self.last::<1, 2, HASH_OUT>(&mut before, input),
                2 => self.last::<2, 3, HASH_OUT>(&mut before, input),
                3 => self.last::<3, 4, HASH_OUT>(&mut before, input),
                _ => self.last::<4, 5, HASH_OUT>(&mut before, input),
            }
        } else {
            // No register for J0, which GCM-SIV has no use for.
            match registers {
                0 => input,
                1 => self.last::<1, 1, HASH_OUT>(&mut before, input),
                2 => self.last::<2, 2, HASH_OUT>(&mut before, input),
                3 => self.last::<3, 3, HASH_OUT>(&mut before, input),
                _ => self.last::<4, 4, HASH_OUT>(&mut before, input),
            }
        };
        if let Some(last) = &mut last {
            let mut output = x[0];
            if last.len() == B::BYTES {
                last.store(b, 0, output);
            } else {
                last.store_part(b, output);
                output = b.keep(output, last.len());
            }
            self.hash.register(if HASH_OUT { output } else { input[0] }, B::BLOCKS);
        }
        let mut hashed = b.zero();
        if B::BLOCKS > 1 {
            hashed = if HASH_OUT { b.keep(x[1], tail.len()) } else { input[1] };
            tail.store_part(b, x[1]);
        }
        (self.hash.finish(hashed, tail_blocks, lengths), b.top(x[1]))
    }

    /// Encrypts the last `ALL` registers of counter blocks: `DATA` data registers, and one
    /// more, if `ALL` has it, for the tail and J0. `input` is what goes into the last data
    /// register and into the tail; the data registers `before` those are written and
    /// hashed. Returns what became of `input`, with E(J0) behind.
    #[inline(always)]
    fn last<const DATA: usize, const ALL: usize, const HASH_OUT: bool>(
        &mut self,
        before: &mut InOut<'_>,
        input: [B::V; 2],
    ) -> [B::V; 2] {
        let b = self.b;
        let mut masks = [b.zero(); ALL];
        let mut x = [b.zero(); ALL];
        for j in 0..ALL {
            masks[j] = if j + 1 < DATA { before.load(b, j * B::BYTES) } else { input[j + 1 - DATA] };
            x[j] = self.count();
            if GHASH {
                if j == DATA {
                    x[j] = b.with_top(x[j], self.initial);
                }
                x[j] = b.rev(x[j]);
            }
        }
        b.encrypt(&Onto::<_, _, ALL, HASH_OUT> { keys: self.keys, masks }, &mut x);
        let mut output = [b.zero(); 2];
        for j in 0..ALL {
            if j + 1 < DATA {
                before.store(b, j * B::BYTES, x[j]);
                self.hash.register(if HASH_OUT { x[j] } else { masks[j] }, B::BLOCKS);
            } else {
                output[j + 1 - DATA] = x[j];
            }
        }
        output
    }
}

/// Whether a group of `N` registers comes next: one that has a byte behind it, as the end of a
/// message has to be in the rest, or, if `ALL`, any.
#[inline(always)]
fn has_group<B: Backend, const N: usize, const ALL: bool>(io: &InOut<'_>) -> bool {
    io.len() > N * B::BYTES || ALL && io.len() == N * B::BYTES
}

/// Round keys with a mask for each register in the last one: the cipher's output comes
/// out XORed with it.
///
/// If the output is hashed (`HASH_OUT`), the registers go through the rounds together: the
/// compiler would put the rounds of one behind the store and the product of the one before,
/// and the tag waits for all of them (GCM, 100 bytes on 256-bit registers: 94 cycles, 83 in
/// step). Where the input is hashed, some lengths gained by it and others lost as much.
struct Onto<'a, B: Backend, S, const N: usize, const HASH_OUT: bool> {
    keys: &'a S,
    masks: [B::V; N],
}
impl<B: Backend, S: Schedule, const N: usize, const HASH_OUT: bool> Keys<B> for Onto<'_, B, S, N, HASH_OUT> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = true;
    const IN_STEP: bool = HASH_OUT;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = b.splat(self.keys.key(r));
        if r == S::ROUNDS { b.xor(key, self.masks[j]) } else { key }
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.keys.leaves_out_two()
    }
}

/// Round keys for many groups. With four blocks a register, each is copied to all lanes
/// beforehand, since an instruction cannot do that with its operand, and since there are 32
/// registers to keep them in. Else they are read from the schedule at every use: one block
/// is an operand as it lies in memory, and for two blocks there are no registers to spare.
struct SpreadKeys<'a, B: Backend, S> {
    keys: &'a S,
    wide: [B::V; 15],
}
impl<'a, B: Backend, S: Schedule> SpreadKeys<'a, B, S> {
    #[inline(always)]
    fn new(b: B, keys: &'a S) -> Self {
        let mut wide = [b.zero(); 15];
        if B::BLOCKS == 4 {
            for r in 0..S::ROUNDS + 1 {
                wide[r] = b.splat(keys.key(r));
            }
        }
        Self { keys, wide }
    }
}

/// Round keys with the input of a group as masks in the last one.
struct OntoInput<'a, 'b, B: Backend, S> {
    keys: &'a SpreadKeys<'a, B, S>,
    io: &'a InOut<'b>,
}
impl<B: Backend, S: Schedule> Keys<B> for OntoInput<'_, '_, B, S> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = if B::BLOCKS == 4 { self.keys.wide[r] } else { b.splat(self.keys.keys.key(r)) };
        if r == S::ROUNDS { b.xor(key, self.io.load(b, j * B::BYTES)) } else { key }
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.keys.keys.leaves_out_two()
    }
}
