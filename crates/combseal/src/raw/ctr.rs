//! AES-CTR (SP 800-38A, 6.5): the baseline of every study, and a part of EAX
//! and SIV. No authentication, so it lives under `hazmat`.

use super::expand::raw_key;
#[cfg(feature = "alloc")]
use super::plain::Message;
use crate::cpu::{Aes, Backend, Block, Cpu, Enc, InOut, Kernel, LANES, Schedule, block_count};

raw_key! {
    /// AES-CTR. The counter is the whole 16-byte block, big-endian, modulo 2^128.
    Ctr
}

impl<A: Aes> Ctr<A> {
    /// XORs `buf` with the key stream that begins at the counter block `iv`.
    /// The same call encrypts and decrypts. A counter block must not be used
    /// twice under one key.
    pub fn apply(&self, iv: &Block, buf: &mut [u8]) {
        // Four blocks and fewer are one run of the narrowest slices, which the wide software tiers have too.
        let narrow = buf.len() <= 64 && self.cpu.is_wide_soft();
        let cpu = if narrow { Cpu::soft() } else { self.cpu };
        cpu.run(Apply { keys: &self.enc, iv: *iv, io: InOut::in_place(buf) });
    }

    /// The same with many messages, each with its key, in one call: the CPU overlaps the
    /// end of one with the beginning of the next.
    #[cfg(feature = "alloc")]
    pub fn apply_many(messages: &mut [Message<'_, Self>]) {
        let mut rest = messages;
        while let Some(first) = rest.first() {
            // Each tier has its own form of round keys.
            let cpu = first.key.cpu;
            let n = rest.iter().take_while(|m| m.key.cpu == cpu).count();
            let (messages, others) = rest.split_at_mut(n);
            cpu.run(Row { messages });
            rest = others;
        }
    }
}

/// Messages one after the other.
#[cfg(feature = "alloc")]
struct Row<'g, 'a, A: Aes> {
    messages: &'g mut [Message<'a, Ctr<A>>],
}
#[cfg(feature = "alloc")]
impl<A: Aes> Kernel for Row<'_, '_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        for m in self.messages {
            Apply { keys: &m.key.enc, iv: m.iv, io: m.io.reborrow() }.run::<B, N>(b);
        }
    }
}

struct Apply<'a, S> {
    keys: &'a S,
    iv: Block,
    io: InOut<'a>,
}
impl<S: Schedule> Kernel for Apply<'_, S> {
    type Out = ();
    // What others are compared with is as fast on every tier as they are.
    const ON_WIDE_SOFT: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let low = u128::from_be_bytes(self.iv) as u64;
        // The counter is public, so a rare carry out of its low half may be told by the time.
        if low.checked_add(block_count(self.io.len()) as u64).is_some() {
            apply::<B, S, N, false>(b, self.keys, &self.iv, self.io);
        } else {
            apply::<B, S, 1, true>(b, self.keys, &self.iv, self.io);
        }
    }
}

/// Counter mode over each of several messages: its keys, its first counter block,
/// its bytes. `SECRET`: the counters are not public, and must not show in the time.
#[cfg(feature = "alloc")]
pub(crate) struct Each<'g, 'a, S, const SECRET: bool> {
    pub keys: &'g [&'g S],
    pub ivs: &'g [Block],
    pub ios: &'g mut [InOut<'a>],
}
#[cfg(feature = "alloc")]
impl<S: Schedule, const SECRET: bool> Kernel for Each<'_, '_, S, SECRET> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        // With fewer counters or messages than keys this panics: none is left as it was.
        for i in 0..self.keys.len() {
            let (keys, iv, io) = (self.keys[i], self.ivs[i], self.ios[i].reborrow());
            if SECRET {
                apply::<B, S, N, true>(b, keys, &iv, io);
            } else {
                Apply { keys, iv, io }.run::<B, N>(b);
            }
        }
    }
}

/// The number of each block of a group in a counter's last byte, in the block's own order of bytes.
static NUMBERS: [Block; 32] = {
    let mut t = [[0; 16]; 32];
    let mut i = 0;
    while i < t.len() {
        t[i][15] = i as u8;
        i += 1;
    }
    t
};

/// Registers in flight in a long message, as in OCB3, whose loop this one is compared with.
const WIDTH: usize = 8;

/// The kernel: groups of registers, then one register at a time, which the CPU overlaps by itself.
///
/// `CARRY`: the counter is the whole block; else its last eight bytes, which do
/// not overflow, and it is public.
#[inline(always)]
pub(crate) fn apply<B: Backend, S: Schedule, const N: usize, const CARRY: bool>(
    b: B,
    keys: &S,
    iv: &Block,
    io: InOut<'_>,
) {
    let mut walk = Walk::<B, S> { b, keys, counter: b.rev(b.splat(iv)), last: usize::from(iv[15]), io };
    if N == 1 {
        walk.groups::<1, CARRY>();
    } else {
        walk.groups::<WIDTH, CARRY>();
        if N < WIDTH {
            walk.groups::<N, CARRY>();
        }
    }
    let steps = LANES.as_flattened();
    let Walk { counter: base, mut io, .. } = walk;
    if B::TOGETHER && io.len() > B::BYTES {
        let mut x = [base; N];
        for j in 0..N {
            x[j] = b.rev(add::<B, CARRY>(b, base, b.load(&steps[j * B::BYTES..])));
        }
        b.encrypt(&Enc(keys), &mut x);
        for j in 0..N {
            let n = io.len().min(B::BYTES);
            let mut part = io.cut(n);
            let p = part.load_part(b);
            part.store_part(b, b.xor(x[j], p));
        }
    }
    let mut next = add::<B, CARRY>(b, base, b.load(steps));
    let one = b.splat(&(B::BLOCKS as u128).to_le_bytes());
    while !io.is_empty() {
        let n = io.len().min(B::BYTES);
        let mut part = io.cut(n);
        let mut x = [b.rev(next)];
        next = add::<B, CARRY>(b, next, one);
        b.encrypt(&Enc(keys), &mut x);
        let p = part.load_part(b);
        part.store_part(b, b.xor(x[0], p));
    }
}

/// A walk over a message.
struct Walk<'a, B: Backend, S> {
    b: B,
    keys: &'a S,
    /// The next block's counter in every lane, its bytes reversed.
    counter: B::V,
    /// Its last byte.
    last: usize,
    /// What is still to be done.
    io: InOut<'a>,
}
impl<B: Backend, S: Schedule> Walk<'_, B, S> {
    /// All groups of `M` registers. Their counters are each a sum of the group's first, not of
    /// one another, lest they become a chain slower than the cipher.
    #[inline(always)]
    fn groups<const M: usize, const CARRY: bool>(&mut self) {
        const { assert!(M * B::BLOCKS <= LANES.len(), "the numbers reach to the end of a group") };
        const { assert!(LANES.len() == NUMBERS.len(), "in either order of bytes") };
        let b = self.b;
        let (steps, numbers) = (LANES.as_flattened(), NUMBERS.as_flattened());
        let group_step = b.splat(&((M * B::BLOCKS) as u128).to_le_bytes());
        while let Some(mut group) = self.io.take(M * B::BYTES) {
            let mut x = [self.counter; M];
            // To reverse a register's bytes takes one of the slots of the AES. Where no sum of this group carries out
            // of the counter's last byte, which is public then, one reversal does for all. (In a short message what
            // is gained is lost again where the processor guesses wrong which way this goes.)
            if !CARRY && M == WIDTH && self.last + M * B::BLOCKS <= 256 {
                let first = b.rev(self.counter);
                for j in 0..M {
                    x[j] = b.add32(first, b.load(&numbers[j * B::BYTES..]));
                }
            } else {
                for j in 0..M {
                    x[j] = b.rev(add::<B, CARRY>(b, self.counter, b.load(&steps[j * B::BYTES..])));
                }
            }
            self.last = (self.last + M * B::BLOCKS) % 256;
            self.counter = add::<B, CARRY>(b, self.counter, group_step);
            b.encrypt(&Enc(self.keys), &mut x);
            for j in 0..M {
                let p = group.load(b, j * B::BYTES);
                group.store(b, j * B::BYTES, b.xor(x[j], p));
            }
        }
    }
}

/// The sum of a counter, its bytes reversed, and `n`.
#[inline(always)]
fn add<B: Backend, const CARRY: bool>(b: B, counter: B::V, n: B::V) -> B::V {
    if CARRY { b.add128(counter, n) } else { b.add64(counter, n) }
}
