//! Salsa20's blocks of many messages: as many at a time as a register has words, each of any
//! message, so that no word is idle while there are blocks to be made.

use super::Salsa20;
use super::blocks::{Key, Masked, Sink, Words, column_rounds, in_order};
use crate::streams::cipher::Cipher;
use crate::streams::side_by_side::{Lane, SideBySide};
use crate::streams::words::le32;
use combseal::Cpu;
use combseal::cpu::{Backend, Kernel};

impl<const ROUNDS: usize> SideBySide for Salsa20<ROUNDS> {
    const GROUP: usize = 64;
    const LANES: &'static str = "a block a word: 4, 8 or 16";

    fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]) {
        let mut messages: Vec<Message<'_>> = lanes
            .iter_mut()
            .map(|lane| Message {
                key: &lane.cipher.key,
                nonce: [le32(lane.nonce, 0), le32(lane.nonce, 1)],
                to: Masked { first: &mut lane.first, data: lane.data },
            })
            .collect();
        if !cpu.run(Many { messages: &mut messages, rounds: ROUNDS }) {
            drop(messages);
            for lane in lanes {
                lane.cipher.masked(lane.nonce, &mut lane.first, lane.data);
            }
        }
    }
}

/// One of them.
struct Message<'a> {
    key: &'a Key,
    nonce: [u32; 2],
    to: Masked<'a>,
}

/// All blocks of the messages.
struct Many<'g, 'a> {
    messages: &'g mut [Message<'a>],
    rounds: usize,
}
impl Kernel for Many<'_, '_> {
    /// Whether there are registers for it.
    type Out = bool;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        if const { B::WORDS } {
            passes(b.wide(), self);
        }
        B::WORDS
    }
}

#[inline(always)]
fn passes<B: Backend>(b: B, it: Many<'_, '_>) {
    let Many { messages, rounds } = it;
    let mut left: usize = messages.iter().map(|message| message.to.blocks()).sum();
    let Some(first) = messages.first() else { return };
    let mut next = Next { message: 0, number: 0 };
    let (mut now, mut behind) = (&mut Places::new(first.key), &mut Places::new(first.key));
    now.fill::<B>(messages, &mut next);
    while left > 0 {
        let made = left.min(8 * B::BLOCKS);
        left -= made;
        // Two passes together where there is enough: one by itself waits for its own sums.
        if made > 4 * B::BLOCKS {
            let begins = [begin(b, now, 0), begin(b, now, 1)];
            // Those of the passes behind are noted before the rounds, so that they are in the cache behind them.
            behind.fill::<B>(messages, &mut next);
            finish(b, messages, now, begins, made, rounds);
            (now, behind) = (behind, now);
        } else {
            finish(b, messages, now, [begin(b, now, 0)], made, rounds);
        }
    }
}

/// The block whose turn it is: of which message, and which of its own.
struct Next {
    message: usize,
    number: usize,
}

/// The blocks of two passes.
struct Places<'a> {
    /// The keys that they are under.
    keys: [&'a Key; 32],
    /// Of which message each is. (A group has few.)
    messages: [u32; 32],
    /// The words that tell a block from the message's others and the message from other messages: the nonce's two, and
    /// the block's number. (No message has more than 2^32 blocks.)
    low: [[u8; 4]; 32],
    high: [[u8; 4]; 32],
    numbers: [[u8; 4]; 32],
}

impl<'a> Places<'a> {
    /// None yet: where there is no block, it is the first message's, under `key`.
    #[inline(always)]
    fn new(key: &'a Key) -> Self {
        Self { keys: [key; 32], messages: [0; 32], low: [[0; 4]; 32], high: [[0; 4]; 32], numbers: [[0; 4]; 32] }
    }

    /// The next ones. Behind the last block there is what was there.
    #[inline(always)]
    fn fill<B: Backend>(&mut self, messages: &[Message<'a>], next: &mut Next) {
        let (places, mut filled) = (8 * B::BLOCKS, 0);
        while filled < places
            && let Some(message) = messages.get(next.message)
        {
            let left = message.to.blocks() - next.number;
            let run = left.min(places - filled);
            let [low, high] = message.nonce.map(u32::to_le_bytes);
            for i in filled..filled + run {
                self.keys[i] = message.key;
                self.messages[i] = next.message as u32;
                (self.low[i], self.high[i]) = (low, high);
                self.numbers[i] = (next.number as u32).to_le_bytes();
                next.number += 1;
            }
            filled += run;
            if run == left {
                *next = Next { message: next.message + 1, number: 0 };
            }
        }
    }
}

/// The rounds of as many passes as there are beginnings, and their key stream to where it belongs.
#[inline(always)]
fn finish<B: Backend, const M: usize>(
    b: B,
    messages: &mut [Message<'_>],
    places: &Places<'_>,
    begins: [Words<B>; M],
    made: usize,
    rounds: usize,
) {
    let mut x = begins;
    column_rounds(b, &mut x, rounds);
    for m in 0..M {
        for i in 0..16 {
            x[m][i] = b.add32(x[m][i], begins[m][i]);
        }
        x[m] = in_order(b, x[m]);
    }
    let registers = 4 / B::BLOCKS;
    for i in 0..made {
        let (message, number) = (places.messages[i] as usize, u32::from_le_bytes(places.numbers[i]) as usize);
        messages[message].to.take(b, number, &x.as_flattened()[i * registers..][..registers]);
    }
}

/// What the blocks of pass `m` begin with, each in a word of each register.
#[inline(always)]
fn begin<B: Backend>(b: B, places: &Places<'_>, m: usize) -> Words<B> {
    let mut rows = [[b.zero(); 4]; 4];
    for j in 0..4 {
        let mut keys = [places.keys[0]; 4];
        for i in 0..B::BLOCKS {
            keys[i] = places.keys[4 * (B::BLOCKS * m + i) + j];
        }
        for k in 0..4 {
            rows[k][j] = b.gather(|i| &keys[i][k]);
        }
    }
    let of = 4 * B::BLOCKS * m..4 * B::BLOCKS * (m + 1);
    let place = |words: &[[u8; 4]; 32]| b.load(words[of.clone()].as_flattened());
    // Word i of diagonal k is in row k + i; nonce and number are in the middle.
    let (d0, d1, d2) = (b.transpose32(rows[0]), b.transpose32(rows[1]), b.transpose32(rows[2]));
    let d3 = b.transpose32(rows[3]);
    let (low, high, number) = (place(&places.low), place(&places.high), place(&places.numbers));
    [d0[0], d3[1], d2[2], d1[3], d1[0], d0[1], low, high, number, b.zero(), d0[2], d3[3], d3[0], d2[1], d1[2], d0[3]]
}
