//! A group of messages in the lanes of the CPU's registers, for ciphers that go by words: a word of
//! each message in a lane of 16, 32 or 64 bits. What these ciphers have in common is here: which
//! messages go together, how words of key stream in lanes become bytes of messages.

use super::cipher::Cipher;
use super::side_by_side::{Lane, has_halves};
use combseal::cpu::{Backend, Kernel};
use combseal::internals::Wipe;
use std::ops::{BitAnd, BitXor, Not};

/// A register of words, with the operators that a cipher's step is written in, so that one text of it
/// does for plain words and for registers.
#[derive(Clone, Copy)]
pub struct Words<B: Backend>(pub B, pub B::V);

impl<B: Backend> BitXor for Words<B> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0, self.0.xor(self.1, other.1))
    }
}

impl<B: Backend> BitAnd for Words<B> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0, self.0.and(self.1, other.1))
    }
}

impl<B: Backend> Not for Words<B> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0, self.0.xor(self.1, self.0.splat64(u64::MAX)))
    }
}

/// Plain words, or registers of them.
pub trait Logic: Copy + BitXor<Output = Self> + BitAnd<Output = Self> + Not<Output = Self> {}
impl<T: Copy + BitXor<Output = T> + BitAnd<Output = T> + Not<Output = T>> Logic for T {}

/// A cipher whose messages go in lanes.
pub trait InLanes: Cipher {
    /// Bytes in a word of key stream as [`next`](Self::next) gives it: 4 or 8.
    const WORD: usize;
    /// Registers of such words that a state gives at once: 1 or 2. Those of the second belong to
    /// messages of their own.
    const REGISTERS: usize;
    /// The registers of the messages under way.
    type Going<T: Copy>: Copy;

    /// The beginning of the messages' key streams; there are no more of them than lanes.
    fn begin<B: Backend>(b: B, lanes: &[Lane<'_, Self>]) -> Self::Going<Words<B>>;

    /// The next word of each message, little-endian.
    fn next<B: Backend>(b: B, going: &mut Self::Going<Words<B>>) -> [Words<B>; 2];
}

/// A group of messages of one cipher, to be done.
pub struct Group<'g, 'a, C>(pub &'g mut [Lane<'a, C>]);

impl<C: InLanes> Kernel for Group<'_, '_, C> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;

    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let state = C::REGISTERS * count::<B::Wide, C>();
        for lanes in self.0.chunks_mut(state) {
            if const { has_halves::<B::Wide>() } && in_halves(lanes, state / 2) {
                if lanes.len() > state / 2 {
                    side_by_side::<_, C, 2>(b.wide().two(), lanes);
                } else {
                    side_by_side::<_, C, 1>(b.wide().two(), lanes);
                }
            } else {
                side_by_side::<_, C, 1>(b.wide(), lanes);
            }
        }
    }
}

/// Whether messages had better go in registers half as wide, of which the CPU shifts two in the time of one: where
/// these are enough, or the shorter half of the messages ends so early that the longer half has the CPU for itself.
#[inline(always)]
fn in_halves<C: Cipher>(lanes: &[Lane<'_, C>], half: usize) -> bool {
    lanes.get(half).is_none_or(|lane| lane.data.len() / 3 < lanes[0].data.len() / 4)
}

/// Words in a register.
#[inline(always)]
fn count<B: Backend, C: InLanes>() -> usize {
    B::BYTES / C::WORD
}

/// The messages of `M` states.
#[inline(always)]
fn side_by_side<B: Backend, C: InLanes, const M: usize>(b: B, lanes: &mut [Lane<'_, C>]) {
    let state = C::REGISTERS * count::<B, C>();
    let mut going = [C::begin(b, &lanes[..state.min(lanes.len())]); M];
    for j in 1..M {
        going[j] = C::begin(b, &lanes[j * state..]);
    }
    for j in 0..M {
        let end = lanes.len().min((j + 1) * state);
        first(b, &mut going[j], &mut lanes[j * state..end]);
    }
    let mut at = 0;
    if M > 1 {
        // The second state's messages are the shorter ones.
        let longest = lanes[state].data.len();
        while at < longest {
            chunk(b, &mut going, lanes, at);
            at += B::BYTES;
        }
    }
    let mut alone = [going[0]];
    let end = lanes.len().min(state);
    let lanes = &mut lanes[..end];
    let longest = lanes[0].data.len();
    while at < longest {
        chunk(b, &mut alone, lanes, at);
        at += B::BYTES;
    }
}

/// The first sixteen bytes of each message's key stream.
#[inline(always)]
fn first<B: Backend, C: InLanes>(b: B, going: &mut C::Going<Words<B>>, lanes: &mut [Lane<'_, C>]) {
    let per_block = 16 / C::WORD;
    let mut words = [[b.zero(); 4]; 2];
    for i in 0..per_block {
        let [w, v] = C::next(b, going);
        (words[0][i], words[1][i]) = (w.1, v.1);
    }
    let mut bytes = [0; 64];
    for r in 0..C::REGISTERS {
        let blocks = blocks::<B, C>(b, words[r]);
        for i in 0..per_block {
            b.store(&mut bytes, blocks[i]);
            for k in 0..B::BLOCKS {
                if let Some(lane) = lanes.get_mut(r * count::<B, C>() + k * per_block + i) {
                    lane.first.copy_from_slice(&bytes[16 * k..16 * k + 16]);
                }
            }
        }
    }
}

/// From byte `at` on as many bytes of each message as a register has.
#[inline(always)]
fn chunk<B: Backend, C: InLanes, const M: usize>(
    b: B,
    going: &mut [C::Going<Words<B>>; M],
    lanes: &mut [Lane<'_, C>],
    at: usize,
) {
    let count = count::<B, C>();
    let mut words = [[[b.zero(); 16]; 2]; M];
    for i in 0..count {
        for j in 0..M {
            let [w, v] = C::next(b, &mut going[j]);
            (words[j][0][i], words[j][1][i]) = (w.1, v.1);
        }
    }
    for j in 0..M {
        for r in 0..C::REGISTERS {
            let rows = rows::<B, C>(b, &words[j][r]);
            let begin = (j * C::REGISTERS + r) * count;
            let Some(lanes) = lanes.get_mut(begin..) else { return };
            for (row, lane) in rows[..count].iter().zip(lanes) {
                let Some(data) = lane.data.get_mut(at..) else { break };
                if data.len() >= B::BYTES {
                    b.store(data, b.xor(b.load(data), *row));
                } else if data.is_empty() {
                    // Nor is there anything left of the messages behind.
                    break;
                } else {
                    b.store_part(data, b.xor(b.load_part(data), *row));
                }
            }
        }
    }
}

/// Words of so many messages as bytes: block `k` of register `i` is sixteen bytes of message
/// `k * 16 / C::WORD + i`.
#[inline(always)]
fn blocks<B: Backend, C: InLanes>(b: B, words: [B::V; 4]) -> [B::V; 4] {
    if C::WORD == 4 {
        b.transpose32(words)
    } else {
        let [w, v, ..] = words;
        [b.low_halves(w, v), b.high_halves(w, v), w, v]
    }
}

/// As many words of each message as there are messages: register `m` of the outcome is message `m`.
#[inline(always)]
fn rows<B: Backend, C: InLanes>(b: B, words: &[B::V; 16]) -> [B::V; 16] {
    let per_block = 16 / C::WORD;
    let mut parts = [[b.zero(); 4]; 4];
    for q in 0..B::BLOCKS {
        let mut part = [b.zero(); 4];
        part[..per_block].copy_from_slice(&words[q * per_block..(q + 1) * per_block]);
        parts[q] = blocks::<B, C>(b, part);
    }
    let mut rows = [b.zero(); 16];
    match B::BLOCKS {
        4 => {
            for i in 0..per_block {
                let lanes = b.transpose128([parts[0][i], parts[1][i], parts[2][i], parts[3][i]]);
                for k in 0..4 {
                    rows[k * per_block + i] = lanes[k];
                }
            }
        }
        2 => {
            for i in (0..per_block).step_by(2) {
                // Of two blocks a register, two messages' are transposed at once.
                let lanes = b.transpose128([parts[0][i], parts[1][i], parts[0][i + 1], parts[1][i + 1]]);
                rows[i] = lanes[0];
                rows[i + 1] = lanes[1];
                rows[per_block + i] = lanes[2];
                rows[per_block + i + 1] = lanes[3];
            }
        }
        _ => rows[..per_block].copy_from_slice(&parts[0][..per_block]),
    }
    rows
}

/// Registers of words of `size` bytes: `word(p)` are those of the lane `p`, a register's each.
#[inline(always)]
pub fn gathered<B: Backend, const N: usize>(b: B, size: usize, word: impl Fn(usize) -> [u64; N]) -> [Words<B>; N] {
    let mut bytes = [[0; 64]; N];
    for p in 0..B::BYTES / size {
        let words = word(p);
        for i in 0..N {
            bytes[i][p * size..(p + 1) * size].copy_from_slice(&words[i].to_le_bytes()[..size]);
        }
    }
    let mut registers = [Words(b, b.zero()); N];
    for i in 0..N {
        registers[i] = Words(b, b.load(&bytes[i]));
    }
    bytes.as_flattened_mut().wipe();
    registers
}
