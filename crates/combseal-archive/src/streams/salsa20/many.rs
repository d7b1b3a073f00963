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
    // The next block: of which message, and which of its own.
    let mut next = (0, 0);
    let mut left: usize = messages.iter().map(|message| message.to.blocks()).sum();
    while left > 0 {
        // Two passes together where there is enough: one by itself waits for its own sums.
        if left > 4 * B::BLOCKS {
            left -= pass::<B, 2>(b, messages, &mut next, rounds);
        } else {
            left -= pass::<B, 1>(b, messages, &mut next, rounds);
        }
    }
}

/// Makes the next blocks, `4 * BLOCKS` in each of `M` passes, and says how many there were.
#[inline(always)]
fn pass<B: Backend, const M: usize>(
    b: B,
    messages: &mut [Message<'_>],
    next: &mut (usize, usize),
    rounds: usize,
) -> usize {
    // The last one again where there are fewer than places.
    let (mut blocks, mut made) = ([[*next; 16]; M], 0);
    for place in blocks.iter_mut().flat_map(|blocks| &mut blocks[..4 * B::BLOCKS]) {
        let (message, number) = *next;
        if message == messages.len() {
            *place = (message - 1, 0);
            continue;
        }
        *place = *next;
        made += 1;
        *next = if number + 1 == messages[message].to.blocks() { (message + 1, 0) } else { (message, number + 1) };
    }
    if M == 1 {
        finish(b, messages, &blocks, [begin(b, messages, &blocks[0])], made, rounds);
    } else {
        let begins = [begin(b, messages, &blocks[0]), begin(b, messages, &blocks[1])];
        finish(b, messages, &blocks, begins, made, rounds);
    }
    made
}

/// The rounds of as many passes as there are beginnings, and their key stream to where it belongs.
#[inline(always)]
fn finish<B: Backend, const M: usize>(
    b: B,
    messages: &mut [Message<'_>],
    blocks: &[[(usize, usize); 16]],
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
        let (m, i) = (i / (4 * B::BLOCKS), i % (4 * B::BLOCKS));
        let (message, number) = blocks[m][i];
        messages[message].to.take(b, number, &x[m][i * registers..][..registers]);
    }
}

/// What these blocks begin with, each in a word of each register.
#[inline(always)]
fn begin<B: Backend>(b: B, messages: &[Message<'_>], blocks: &[(usize, usize); 16]) -> Words<B> {
    let one = b.one();
    let mut rows = [[b.zero(); 4]; 5];
    for j in 0..4 {
        let mut lanes = [[one.zero(); 4]; 5];
        for i in 0..B::BLOCKS {
            let (message, number) = blocks[4 * i + j];
            let Message { key, nonce: [low, high], .. } = &messages[message];
            for k in 0..4 {
                lanes[k][i] = one.load(&key[k]);
            }
            let place = (number as u128) << 64 | u128::from(*high) << 32 | u128::from(*low);
            lanes[4][i] = one.splat(&place.to_le_bytes());
        }
        for k in 0..5 {
            rows[k][j] = b.join(lanes[k]);
        }
    }
    // Word i of diagonal k is in row k + i; nonce and number are in the middle.
    let (d0, d1, d2) = (b.transpose32(rows[0]), b.transpose32(rows[1]), b.transpose32(rows[2]));
    let (d3, place) = (b.transpose32(rows[3]), b.transpose32(rows[4]));
    let [p0, p1, p2, p3] = place;
    [d0[0], d3[1], d2[2], d1[3], d1[0], d0[1], p0, p1, p2, p3, d0[2], d3[3], d3[0], d2[1], d1[2], d0[3]]
}
