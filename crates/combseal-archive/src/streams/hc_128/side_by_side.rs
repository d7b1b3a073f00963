//! HC-128 for eight messages side by side: word `i` of a table of each is in row `i`, a lane each.
//! The expansion and all sums are done on rows; what is looked up differs from lane to lane, and is
//! looked up lane by lane, a table of 16 KiB for all eight being in the first cache with the other.
//!
//! A step reads the word that was renewed twelve steps before, so that of sixteen steps the words
//! looked up by the first twelve are known before these begin.

use super::super::cipher::{Cipher, Stream};
use super::super::side_by_side::{Lane, SideBySide};
use super::super::unrolled::unrolled;
use super::{Hc128, STEPS, State, TABLE, TURNS};
use combseal::Cpu;
use combseal::cpu::{Backend, Kernel};
use combseal::internals::Wipe;
use std::sync::atomic::{Ordering, compiler_fence};

/// Messages side by side.
const LANES: usize = 8;
/// Messages that are as fast one after the other.
const FEW: usize = 3;
/// Bytes of key stream in sixteen steps.
const BLOCK: usize = 4 * STEPS;

/// A word of each message, little-endian.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Row([[u8; 4]; LANES]);

/// A table of each message.
type Table = [Row; TABLE];

const ZERO: Row = Row([[0; 4]; LANES]);

/// Both tables of each message.
struct States {
    p: Table,
    q: Table,
}

impl Drop for States {
    fn drop(&mut self) {
        for row in self.p.iter_mut().chain(&mut self.q) {
            row.0.as_flattened_mut().wipe();
        }
    }
}

impl SideBySide for Hc128 {
    const GROUP: usize = LANES;
    const LANES: &'static str = "8 lanes of 32 bits, looked up one by one";

    fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]) {
        cpu.run(Group(lanes));
    }
}

/// A register of rows, or two where one has no room for a row.
#[derive(Clone, Copy)]
struct Words<B: Backend>([B::V; 2]);

/// Words whose registers are what `$of` says of register `$i`. No closure: the compiler leaves some
/// of them functions, to which the CPU's instructions are calls.
macro_rules! each {
    ($b:ident, $i:ident => $of:expr) => {{
        let mut all = [$b.zero(); 2];
        for $i in 0..2 / B::BLOCKS {
            all[$i] = $of;
        }
        Words::<B>(all)
    }};
}

#[inline(always)]
fn load<B: Backend>(b: B, row: &Row) -> Words<B> {
    each!(b, i => b.load(&row.0.as_flattened()[i * B::BYTES..]))
}
#[inline(always)]
fn store<B: Backend>(b: B, row: &mut Row, words: Words<B>) {
    for i in 0..2 / B::BLOCKS {
        b.store(&mut row.0.as_flattened_mut()[i * B::BYTES..], words.0[i]);
    }
}
#[inline(always)]
fn add<B: Backend>(b: B, x: Words<B>, y: Words<B>) -> Words<B> {
    each!(b, i => b.add32(x.0[i], y.0[i]))
}
#[inline(always)]
fn xor<B: Backend>(b: B, x: Words<B>, y: Words<B>) -> Words<B> {
    each!(b, i => b.xor(x.0[i], y.0[i]))
}
/// Turned right by `N` bits if `RIGHT`, left by as many if not; `M` is 32 - `N`.
#[inline(always)]
fn turned<B: Backend, const RIGHT: bool, const N: i32, const M: i32>(b: B, x: Words<B>) -> Words<B> {
    each!(b, i => if RIGHT { b.rol32::<M>(x.0[i]) } else { b.rol32::<N>(x.0[i]) })
}
/// The expansion's small functions: turned left twice, and shifted right.
#[inline(always)]
fn small<B: Backend, const L1: i32, const L2: i32>(b: B, x: Words<B>, shift: u32) -> Words<B> {
    let kept = b.splat32(u32::MAX >> shift);
    each!(b, i => {
        let shifted = b.and(b.shr64(x.0[i], shift), kept);
        b.xor(b.xor(b.rol32::<L1>(x.0[i]), b.rol32::<L2>(x.0[i])), shifted)
    })
}

/// The next sixteen rows of the expansion, the first of which has the number `number`.
#[inline(always)]
fn expand<B: Backend>(b: B, w: &mut [Words<B>; 16], number: u32) {
    unrolled!(i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
        let number = b.splat32(number + i as u32);
        let sum = add(b, add(b, w[i], w[(i + 9) % 16]), small::<B, 25, 14>(b, w[(i + 1) % 16], 3));
        let sum = add(b, sum, Words([number; 2]));
        w[i] = add(b, sum, small::<B, 15, 13>(b, w[(i + 14) % 16], 10));
    });
}

/// Key and nonce of each message into the tables.
#[inline(always)]
fn fill<B: Backend>(b: B, lanes: &[Lane<'_, Hc128>], states: &mut States) {
    let mut rows = [ZERO; 16];
    for l in 0..LANES {
        let lane = &lanes[l.min(lanes.len() - 1)];
        let (key, _) = lane.cipher.key.as_chunks::<4>();
        let (nonce, _) = lane.nonce.as_chunks::<4>();
        for i in 0..4 {
            rows[i].0[l] = key[i];
            rows[i + 4].0[l] = key[i];
            rows[i + 8].0[l] = nonce[i];
            rows[i + 12].0[l] = nonce[i];
        }
    }
    let mut w = [Words([b.zero(); 2]); 16];
    for i in 0..16 {
        w[i] = load(b, &rows[i]);
    }
    let mut number = 16;
    while number < 256 {
        expand(b, &mut w, number);
        number += 16;
    }
    for table in [&mut states.p, &mut states.q] {
        for rows in table.as_chunks_mut::<16>().0 {
            expand(b, &mut w, number);
            for i in 0..16 {
                store(b, &mut rows[i], w[i]);
            }
            number += 16;
        }
    }
    for row in &mut rows {
        row.0.as_flattened_mut().wipe();
    }
}

/// The words of table `b` that the words `x` name, added up, lane by lane.
#[inline(always)]
fn looked_up(b: &Table, x: &Row) -> Row {
    let mut sums = ZERO;
    for l in 0..LANES {
        let [first, _, third, _] = x.0[l].map(usize::from);
        let (x, y) = (u32::from_le_bytes(b[first].0[l]), u32::from_le_bytes(b[256 + third].0[l]));
        sums.0[l] = x.wrapping_add(y).to_le_bytes();
        // Else the compiler looks all lanes up with one slow instruction.
        compiler_fence(Ordering::SeqCst);
    }
    sums
}

/// Sixteen steps of each message, as in `steps` of one.
#[inline(always)]
fn steps<B: Backend, const P: bool, const FEED_BACK: bool>(
    b: B,
    a: &mut Table,
    other: &Table,
    turn: usize,
) -> [Words<B>; STEPS] {
    let place = |turn: usize| turn % TURNS * STEPS;
    let (before, here, behind) = (place(turn + TURNS - 1), place(turn), place(turn + 1));
    let mut h = [ZERO; STEPS];
    for i in 0..12 {
        h[i] = looked_up(other, &a[before + STEPS - 12 + i]);
    }
    let mut new = [Words([b.zero(); 2]); STEPS];
    let mut out = [Words([b.zero(); 2]); STEPS];
    let mut old = load(b, &a[here]);
    unrolled!(i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
        if (1..5).contains(&i) {
            h[i + 11] = looked_up(other, &a[here + i - 1]);
        }
        let x3 = if i >= 3 { new[i - 3] } else { load(b, &a[before + STEPS + i - 3]) };
        let x10 = if i >= 10 { new[i - 10] } else { load(b, &a[before + STEPS + i - 10]) };
        let ahead = if i + 1 < STEPS { load(b, &a[here + i + 1]) } else { load(b, &a[behind]) };
        let sum = add(b, old, turned::<B, P, 8, 24>(b, x10));
        let both = xor(b, turned::<B, P, 10, 22>(b, x3), turned::<B, P, 23, 9>(b, ahead));
        let sum = add(b, sum, both);
        out[i] = xor(b, sum, load(b, &h[i]));
        new[i] = if FEED_BACK { out[i] } else { sum };
        store(b, &mut a[here + i], new[i]);
        old = ahead;
    });
    let _ = old;
    out
}

/// Messages, eight at a time.
struct Group<'g, 'a>(&'g mut [Lane<'a, Hc128>]);
impl Kernel for Group<'_, '_> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        for lanes in self.0.chunks_mut(LANES) {
            if const { B::WORDS } && lanes.len() > FEW {
                together(b.two(), lanes);
                continue;
            }
            for lane in lanes {
                let mut stream = Stream::new(lane.cipher, lane.nonce);
                lane.first = [0; 16];
                stream.xor(&mut lane.first);
                stream.xor(lane.data);
            }
        }
    }
}

/// Four to eight messages, as far as four of them are long; those that are longer go on alone.
#[inline(always)]
fn together<B: Backend>(b: B, lanes: &mut [Lane<'_, Hc128>]) {
    let mut states = States { p: [ZERO; TABLE], q: [ZERO; TABLE] };
    fill(b, lanes, &mut states);
    let States { p, q } = &mut states;
    for turn in 0..TURNS {
        steps::<B, true, true>(b, p, q, turn);
    }
    for turn in 0..TURNS {
        steps::<B, false, true>(b, q, p, turn);
    }
    let blocks = (16 + lanes[FEW].data.len()).div_ceil(BLOCK);
    for block in 0..blocks {
        let turn = block % (2 * TURNS);
        let words =
            if turn < TURNS { steps::<B, true, false>(b, p, q, turn) } else { steps::<B, false, false>(b, q, p, turn) };
        let mut stream = [[0; BLOCK]; LANES];
        transposed(b, &words, &mut stream);
        for (lane, stream) in lanes.iter_mut().zip(&stream) {
            xor_block(lane, block, stream);
        }
    }
    for l in 0..FEW {
        let lane = &mut lanes[l];
        let Some(rest) = lane.data.get_mut(BLOCK * blocks - 16..) else { continue };
        if rest.is_empty() {
            continue;
        }
        let word = |row: &Row| u32::from_le_bytes(row.0[l]);
        let turn = blocks % (2 * TURNS);
        let mut state = State { p: p.each_ref().map(word), q: q.each_ref().map(word), turn };
        let (whole, last) = rest.split_at_mut(rest.len() / BLOCK * BLOCK);
        lane.cipher.xor(&mut state, whole);
        let mut stream = [0; BLOCK];
        lane.cipher.xor(&mut state, &mut stream);
        for (to, from) in last.iter_mut().zip(&stream) {
            *to ^= from;
        }
    }
}

/// Sixteen words of each message, side by side in each.
#[inline(always)]
fn transposed<B: Backend>(b: B, words: &[Words<B>; STEPS], stream: &mut [[u8; BLOCK]; LANES]) {
    let one = b.one();
    for four in 0..STEPS / 4 {
        for half in 0..2 / B::BLOCKS {
            let [w0, w1, w2, w3] = [words[4 * four], words[4 * four + 1], words[4 * four + 2], words[4 * four + 3]];
            let columns = b.transpose32([w0.0[half], w1.0[half], w2.0[half], w3.0[half]]);
            for i in 0..4 {
                let blocks = b.split(columns[i]);
                for j in 0..B::BLOCKS {
                    one.store(&mut stream[4 * (half + j) + i][16 * four..], blocks[j]);
                }
            }
        }
    }
}

/// Uses a block of a message's key stream, the first of which begins with what is not for the
/// message.
#[inline(always)]
fn xor_block(lane: &mut Lane<'_, Hc128>, block: usize, stream: &[u8; BLOCK]) {
    let (data, stream) = if block == 0 {
        let (first, stream) = stream.split_at(16);
        lane.first.copy_from_slice(first);
        (&mut *lane.data, stream)
    } else {
        let Some(data) = lane.data.get_mut(BLOCK * block - 16..) else { return };
        (data, &stream[..])
    };
    // A whole block apart: its length is known.
    if let Some((data, _)) = data.split_first_chunk_mut::<BLOCK>()
        && let Some(stream) = stream.first_chunk::<BLOCK>()
    {
        for i in 0..BLOCK {
            data[i] ^= stream[i];
        }
        return;
    }
    for (to, from) in data.iter_mut().zip(stream) {
        *to ^= from;
    }
}
