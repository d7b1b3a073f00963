//! Groups of pairs where there are no more than 16 registers, and one or two blocks in each: their
//! masks are doubled, a register after the other, by shifts, which take fewer operations than
//! carry-less products do there (one product is four of them on Zen 3).
//!
//! The pairs in the lanes of a register are as many apart as a group has registers. A register's
//! masks are then twice those of the register before, whatever its lanes, and three times its own
//! are the sum of both.

use crate::field::big_endian::{times_bytes, times_x_to};
use crate::xex::One;
use combseal::cpu::{Backend, Block, Enc, Keys};
use combseal::internals::InOut;

/// Registers of pairs in a group.
const WIDTH: usize = 4;
/// Registers in flight: the first round of one group, the second round of the group before.
const BOTH: usize = 2 * WIDTH;

/// Bytes from a register's first pair to its second.
const APART: usize = 32 * WIDTH;

/// The round keys, of which the masks hold the first already. What is added behind is loaded when it
/// is needed: it would not fit in the registers.
struct Rounds<'k, 'm, 'a, B: Backend, const N: usize> {
    keys: Enc<'k, [Block; 11]>,
    first: [B::V; N],
    /// The pairs of the first `WIDTH` registers and those of the others, and whether their second
    /// blocks are added behind.
    parts: [(&'m InOut<'a>, bool); 2],
}
impl<B: Backend, const N: usize> Keys<B> for Rounds<'_, '_, '_, B, N> {
    const ROUNDS: usize = 10;
    const SHARED: bool = true;
    const IN_STEP: bool = true;
    const HELD: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let (part, second) = self.parts[j / WIDTH];
        match r {
            0 => self.first[j],
            10 => b.xor(self.keys.get(b, r, j), blocks(b, part.src(), j % WIDTH, second)),
            _ => self.keys.get(b, r, j),
        }
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        false
    }
}

/// The first or the second blocks of register `j`'s pairs.
#[inline(always)]
fn blocks<B: Backend>(b: B, src: &[u8], j: usize, second: bool) -> B::V {
    let (one, at) = (b.one(), 32 * j + 16 * usize::from(second));
    let mut lanes = [one.load(&src[at..]); 4];
    for i in 1..B::BLOCKS {
        lanes[i] = one.load(&src[at + i * APART..]);
    }
    b.join(lanes)
}

/// Writes a group, of which these are the pairs' first and second blocks, and gives `sum` with what
/// was recovered added.
#[inline(always)]
fn done<B: Backend, const OPEN: bool>(
    b: B,
    mut sum: B::V,
    mut part: InOut<'_>,
    x: &[B::V; WIDTH],
    y: &[B::V; WIDTH],
) -> B::V {
    let one = b.one();
    for j in 0..WIDTH {
        if OPEN {
            sum = b.xor(sum, y[j]);
        }
        let (x, y) = (b.split(x[j]), b.split(y[j]));
        for i in 0..B::BLOCKS {
            one.store(&mut part.dst()[32 * j + i * APART..], x[i]);
            one.store(&mut part.dst()[32 * j + i * APART + 16..], y[i]);
        }
    }
    sum
}

/// The masks of groups, as they follow.
struct Masks<B: Backend> {
    /// Those of the next group's first register, little-endian.
    little: B::V,
    /// The first round key.
    key: B::V,
    /// What the masks of versions 1 and 2 differ by from round to round.
    d: B::V,
}

impl<B: Backend> Masks<B> {
    /// The masks of the next group's first and second rounds, with the first round key.
    #[inline(always)]
    fn next<const V3: bool, const OPEN: bool>(&mut self, b: B) -> [[B::V; WIDTH]; 2] {
        let (mut first, mut second) = ([b.zero(); WIDTH], [b.zero(); WIDTH]);
        let (mut little, mut f) = (self.little, b.rev(self.little));
        for j in 0..WIDTH {
            little = b.double(little);
            let (with_key, next) = (b.xor(f, self.key), b.rev(little));
            // Thrice a mask is its sum with the next one.
            let g = b.xor(with_key, if V3 { next } else { self.d });
            (first[j], second[j]) = if OPEN { (g, with_key) } else { (with_key, g) };
            f = next;
        }
        // Two lanes are a group of one lane apart, so the next group begins two of those further on.
        self.little = if B::BLOCKS == 1 { little } else { times_bytes(b, self.little, WIDTH * B::BLOCKS / 8) };
        [first, second]
    }
}

/// Where groups of pairs begin and where they end: the next mask, little-endian, and the sum of the
/// pairs' second blocks, in each lane of some.
pub struct Place<B: Backend> {
    pub mask: One<B>,
    pub sum: B::V,
}

/// Whole groups of pairs, one at least, as long as a pair is left behind them: the second round of one
/// goes with the first round of the next. `d` is the nonce, enciphered.
#[inline(always)]
pub fn groups<B: Backend, const V3: bool, const OPEN: bool>(
    b: B,
    enc: &[Block; 11],
    d: One<B>,
    io: &mut InOut<'_>,
    place: &mut Place<B>,
) {
    let (keys, one) = (Enc(enc), b.one());
    let far = times_x_to(one, place.mask, WIDTH as u32);
    let little = b.join([place.mask, far, far, far]);
    let mut masks = Masks::<B> { little, key: keys.get(b, 0, 0), d: b.widen(d) };
    let size = 2 * WIDTH * B::BYTES;
    let mut part = io.cut(size);
    let [first, mut second] = masks.next::<V3, OPEN>(b);
    let (mut t, mut sum) = ([b.zero(); WIDTH], place.sum);
    for j in 0..WIDTH {
        t[j] = blocks(b, part.src(), j, false);
        if !OPEN {
            sum = b.xor(sum, blocks(b, part.src(), j, true));
        }
    }
    b.encrypt(&Rounds { keys, first, parts: [(&part, true); 2] }, &mut t);
    while io.len() > size {
        let ahead = io.cut(size);
        let [firsts, seconds] = masks.next::<V3, OPEN>(b);
        let (mut x, mut first) = ([b.zero(); BOTH], [b.zero(); BOTH]);
        for j in 0..WIDTH {
            (x[j], first[j]) = (blocks(b, ahead.src(), j, false), firsts[j]);
            (x[WIDTH + j], first[WIDTH + j]) = (t[j], second[j]);
        }
        b.encrypt(&Rounds { keys, first, parts: [(&ahead, true), (&part, false)] }, &mut x);
        if !OPEN {
            for j in 0..WIDTH {
                sum = b.xor(sum, blocks(b, ahead.src(), j, true));
            }
        }
        let mut z = t;
        z.copy_from_slice(&x[WIDTH..]);
        sum = done::<B, OPEN>(b, sum, part, &t, &z);
        t.copy_from_slice(&x[..WIDTH]);
        (part, second) = (ahead, seconds);
    }
    let mut z = t;
    b.encrypt(&Rounds { keys, first: second, parts: [(&part, false); 2] }, &mut z);
    place.sum = done::<B, OPEN>(b, sum, part, &t, &z);
    place.mask = b.split(masks.little)[0];
}
