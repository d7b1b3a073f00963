//! ChaCha20 (RFC 8439, 2.3) on any backend, in two layouts, and HChaCha20.
//!
//! In columns ([`Start::columns`]) word `i` of every block is register `i`, so that a pass makes as many blocks
//! as a register has words: the fewest instructions a block. In rows ([`Start::rows`]) a register holds
//! a row of four words of each of a few blocks, as many as it has lanes: nothing is spread
//! over registers before or gathered after, and a few blocks cost little more than the
//! latency of one.

use crate::cpu::{Backend, Block, Interleave, LANES};
use crate::memory::wipe::Wipe;

/// "expand 32-byte k".
const SIGMA: Block = *b"expand 32-byte k";

/// The numbers 0, 1, … of the blocks of a pass.
static COUNT: [Block; 4] = {
    let mut t = [[0; 16]; 4];
    let mut i = 0;
    while i < 16 {
        t[i / 4][i % 4 * 4] = i as u8;
        i += 1;
    }
    t
};

/// What a block begins with, but its number.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    key: &'a [u8; 32],
    pub(crate) nonce: [u32; 3],
}

/// Sixteen registers of key stream.
pub(crate) type Stream<B> = [<B as Backend>::V; 16];

/// Nothing between the rounds.
pub(crate) struct Nothing;
impl<B: Backend> Interleave<B> for Nothing {
    #[inline(always)]
    fn step(&mut self, _: B, _: usize) {}
}

impl<'a> Start<'a> {
    #[inline(always)]
    pub(crate) fn new(key: &'a [u8; 32], nonce: [u32; 3]) -> Self {
        Self { key, nonce }
    }

    /// Word `i`, of which the twelfth is the block's number.
    #[inline(always)]
    fn word(&self, i: usize, number: u32) -> u32 {
        match i {
            0..4 => word(&SIGMA, i),
            4..12 => word(self.key, i - 4),
            12 => number,
            _ => self.nonce[i - 13],
        }
    }

    /// `M` times `4 * BLOCKS` blocks of key stream from block `counter` on, in their order;
    /// meanwhile `work`, in each round.
    #[inline(always)]
    pub(crate) fn columns<B: Backend, W: Interleave<B>, const M: usize>(
        &self,
        b: B,
        counter: u32,
        work: &mut W,
        out: &mut [Stream<B>; M],
    ) {
        let mut x = [[b.zero(); 16]; M];
        for m in 0..M {
            for i in 0..16 {
                x[m][i] = self.column(b, i, counter, m);
            }
        }
        column_rounds(b, &mut x, work);
        // Where registers are few, read once more: see `rows`.
        let key = if const { B::ROOMY } { self.key } else { core::hint::black_box(self.key) };
        let again = Start { key, nonce: self.nonce };
        for m in 0..M {
            for i in 0..16 {
                x[m][i] = summed(b, x[m][i], again.column(b, i, counter, m));
            }
            out[m] = in_order(b, x[m]);
        }
    }

    /// What word `i` of the blocks of pass `m` begins with.
    #[inline(always)]
    fn column<B: Backend>(&self, b: B, i: usize, counter: u32, m: usize) -> B::V {
        if i == 12 {
            let counter = counter.wrapping_add((4 * B::BLOCKS * m) as u32);
            b.add32(b.splat32(counter), b.load(COUNT.as_flattened()))
        } else {
            b.splat32(self.word(i, 0))
        }
    }

    /// `N * BLOCKS` blocks, likewise, `BLOCKS` of them in each four registers: a register has a row
    /// of each.
    #[inline(always)]
    pub(crate) fn rows<B: Backend, W: Interleave<B>, const N: usize>(
        &self,
        b: B,
        counter: u32,
        work: &mut W,
    ) -> [[B::V; 4]; N] {
        let (key, []) = self.key.as_chunks() else { unreachable!("32 bytes are two blocks") };
        let [n0, n1, n2] = self.nonce.map(u128::from);
        let last = (u128::from(counter) | n0 << 32 | n1 << 64 | n2 << 96).to_le_bytes();
        let begin = [b.splat(&SIGMA), b.splat(&key[0]), b.splat(&key[1]), b.splat(&last)];
        let mut counts = [b.zero(); N];
        for j in 0..N {
            counts[j] = b.add32(begin[3], b.load(LANES[j * B::BLOCKS..].as_flattened()));
        }
        let mut x = [begin; N];
        for j in 0..N {
            x[j][3] = counts[j];
        }
        for r in 0..10 {
            work.step(b, 2 * r);
            row_round(b, &mut x);
            work.step(b, 2 * r + 1);
            // The diagonals into columns. The second row is the last to be known and the first
            // that is asked for: it stays, and the others move.
            for x in &mut x {
                *x = [b.turn32::<3>(x[0]), x[1], b.turn32::<1>(x[2]), b.turn32::<2>(x[3])];
            }
            row_round(b, &mut x);
            for x in &mut x {
                *x = [b.turn32::<1>(x[0]), x[1], b.turn32::<3>(x[2]), b.turn32::<2>(x[3])];
            }
        }
        // Read once more: what was read above would be kept on the stack meanwhile, and stay there.
        if const { B::ROOMY } {
            let key = core::hint::black_box(self.key).as_chunks().0;
            let begin = [b.splat(&SIGMA), b.splat(&key[0]), b.splat(&key[1])];
            for j in 0..N {
                for i in 0..3 {
                    x[j][i] = b.add32(x[j][i], begin[i]);
                }
            }
        } else {
            for i in 0..3 {
                let key = core::hint::black_box(self.key).as_chunks().0;
                let begin = b.splat([&SIGMA, &key[0], &key[1]][i]);
                for j in 0..N {
                    x[j][i] = summed(b, x[j][i], begin);
                }
            }
        }
        for j in 0..N {
            x[j][3] = b.add32(x[j][3], counts[j]);
        }
        x
    }

    /// Blocks in plain words, one at a time: as many as the first `len` bytes take, at most sixteen
    /// registers of them.
    #[inline(always)]
    pub(crate) fn plain<B: Backend>(&self, b: B, counter: u32, len: usize) -> Stream<B> {
        let mut begin = [0; 16];
        for i in 0..16 {
            begin[i] = self.word(i, 0);
        }
        let mut out = [b.zero(); 16];
        let registers = 4 / B::BLOCKS;
        let (mut x, mut block) = (begin, [0; 64]);
        for j in 0..len.div_ceil(64).min(4 * B::BLOCKS) {
            begin[12] = counter.wrapping_add(j as u32);
            x = begin;
            double_rounds(&mut x);
            for (i, w) in block.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                *w = x[i].wrapping_add(begin[i]).to_le_bytes();
            }
            for i in 0..registers {
                out[j * registers + i] = b.load(&block[i * B::BYTES..]);
            }
        }
        begin.wipe();
        x.wipe();
        block.wipe();
        out
    }
}

/// What the blocks of as many messages as a register has words begin with: word `i` of each
/// is register `i`, and the block's number is left out.
pub(crate) struct Starts<B: Backend>(Stream<B>);

impl<B: Backend> Starts<B> {
    /// How many messages.
    pub(crate) const MESSAGES: usize = 4 * B::BLOCKS;

    /// `half(i, 0)` and `half(i, 1)` are the key of message `i`, and `last(i)` is the last row
    /// of its blocks, with zeros for the number.
    #[inline(always)]
    pub(crate) fn new<'a>(
        b: B,
        half: impl Fn(usize, usize) -> &'a Block,
        last: impl Fn(usize) -> <B::One as Backend>::V,
    ) -> Self {
        let one = b.one();
        let (mut x, mut rows) = ([b.zero(); 16], [[b.zero(); 4]; 3]);
        for j in 0..4 {
            let mut lanes = [[one.zero(); 4]; 3];
            for i in 0..B::BLOCKS {
                let message = 4 * i + j;
                lanes[0][i] = one.load(half(message, 0));
                lanes[1][i] = one.load(half(message, 1));
                lanes[2][i] = last(message);
            }
            for k in 0..3 {
                rows[k][j] = b.join(lanes[k]);
            }
        }
        for i in 0..4 {
            x[i] = b.splat32(word(&SIGMA, i));
        }
        for k in 0..3 {
            let words = b.transpose32(rows[k]);
            for i in 0..4 {
                x[4 + 4 * k + i] = words[i];
            }
        }
        Self(x)
    }

    /// XChaCha20's: the messages' subkeys by HChaCha20 of what this has for keys and last rows,
    /// and other last rows.
    #[inline(always)]
    pub(crate) fn extended(self, b: B, last: impl Fn(usize) -> <B::One as Backend>::V) -> Self {
        let zeros = [0; 16];
        let mut next = Self::new(b, |_, _| &zeros, last);
        let mut x = [self.0];
        column_rounds(b, &mut x, &mut Nothing);
        for i in 0..4 {
            next.0[4 + i] = x[0][i];
            next.0[8 + i] = x[0][12 + i];
        }
        next
    }

    /// A block of each message, whose number its last row has.
    #[inline(always)]
    pub(crate) fn numbered(&self, b: B) -> Stream<B> {
        let mut x = [self.0];
        column_rounds(b, &mut x, &mut Nothing);
        for i in 0..16 {
            x[0][i] = b.add32(x[0][i], self.0[i]);
        }
        in_order(b, x[0])
    }

    /// Block `counter` of each message, and so on for `M` blocks; meanwhile `work`, in each round.
    #[inline(always)]
    pub(crate) fn columns<W: Interleave<B>, const M: usize>(
        &self,
        b: B,
        counter: u32,
        work: &mut W,
    ) -> [Quarters<B>; M] {
        let mut x = [self.0; M];
        for m in 0..M {
            x[m][12] = b.splat32(counter.wrapping_add(m as u32));
        }
        column_rounds(b, &mut x, work);
        let mut out = [[[b.zero(); 4]; 4]; M];
        for m in 0..M {
            for i in 0..16 {
                let begin = if i == 12 { b.splat32(counter.wrapping_add(m as u32)) } else { self.0[i] };
                x[m][i] = b.add32(x[m][i], begin);
            }
            out[m] = quarters(b, x[m]);
        }
        out
    }
}

/// The sum of a word that the rounds have made and of what it began with. Where registers are few it is made here: the
/// compiler would otherwise put it off, and meanwhile spill what the word began with, of which some are the key's.
#[inline(always)]
fn summed<B: Backend>(b: B, made: B::V, began: B::V) -> B::V {
    let sum = b.add32(made, began);
    if const { B::ROOMY } { sum } else { b.pin(sum) }
}

/// The twenty rounds of one pass or of two together, and a step of `work` in each: in two passes two of them, where
/// a step does less since the authenticator's numbers have five limbs.
#[inline(always)]
fn column_rounds<B: Backend, W: Interleave<B>, const M: usize>(b: B, x: &mut [Stream<B>; M], work: &mut W) {
    const { assert!(M == 1 || M == 2) };
    if const { !B::ROOMY } {
        // One after the other: two would lie in memory.
        for x in x {
            parked_rounds(b, x, work);
        }
        return;
    }
    // Written out: of a loop over two passes, with a long step in it, the compiler kept both in memory.
    let (mut p, mut q) = (x[0], x[M - 1]);
    for r in 0..10 {
        work.step(b, 2 * r);
        for i in 0..4 {
            quarter(b, &mut p, [i, 4 + i, 8 + i, 12 + i]);
        }
        if M == 2 {
            if const { !B::IFMA } {
                work.step(b, 2 * r);
            }
            for i in 0..4 {
                quarter(b, &mut q, [i, 4 + i, 8 + i, 12 + i]);
            }
        }
        work.step(b, 2 * r + 1);
        for i in 0..4 {
            quarter(b, &mut p, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
        }
        if M == 2 {
            if const { !B::IFMA } {
                work.step(b, 2 * r + 1);
            }
            for i in 0..4 {
                quarter(b, &mut q, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
            }
        }
    }
    x[0] = p;
    if M == 2 {
        x[1] = q;
    }
}

/// The twenty rounds of one pass where registers are sixteen: the third row lies in memory between two rounds. A quarter
/// round knows its word three instructions before it ends and asks for it only after four, so that nothing
/// waits for memory.
#[inline(always)]
fn parked_rounds<B: Backend, W: Interleave<B>>(b: B, x: &mut Stream<B>, work: &mut W) {
    let [x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15] = *x;
    let (mut a, mut e, mut c, mut d) = ([x0, x1, x2, x3], [x4, x5, x6, x7], [x8, x9, x10, x11], [x12, x13, x14, x15]);
    for r in 0..10 {
        work.step(b, 2 * r);
        b.park(&mut c);
        for i in 0..4 {
            let mut q = [a[i], e[i], c[i], d[i]];
            quarter(b, &mut q, [0, 1, 2, 3]);
            [a[i], e[i], c[i], d[i]] = q;
        }
        work.step(b, 2 * r + 1);
        b.park(&mut c);
        for i in 0..4 {
            let (j, k, l) = ((i + 1) % 4, (i + 2) % 4, (i + 3) % 4);
            let mut q = [a[i], e[j], c[k], d[l]];
            quarter(b, &mut q, [0, 1, 2, 3]);
            [a[i], e[j], c[k], d[l]] = q;
        }
    }
    for i in 0..4 {
        (x[i], x[4 + i], x[8 + i], x[12 + i]) = (a[i], e[i], c[i], d[i]);
    }
}

/// Words of each block in a register each, to blocks one after the other.
#[inline(always)]
fn in_order<B: Backend>(b: B, x: Stream<B>) -> Stream<B> {
    whole(b, quarters(b, x))
}

/// Blocks of 64 bytes in quarters: `[i][j]`, in lane `l`, is the `i`th sixteen bytes of block `4 l + j`.
pub(crate) type Quarters<B> = [[<B as Backend>::V; 4]; 4];

/// Words of each block in a register each, to quarters.
#[inline(always)]
fn quarters<B: Backend>(b: B, x: Stream<B>) -> Quarters<B> {
    let mut y = [[b.zero(); 4]; 4];
    for i in 0..4 {
        y[i] = b.transpose32([x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]]);
    }
    y
}

/// Quarters to blocks one after the other.
#[inline(always)]
pub(crate) fn whole<B: Backend>(b: B, y: Quarters<B>) -> Stream<B> {
    let mut out = [b.zero(); 16];
    let registers = 4 / B::BLOCKS;
    for j in 0..4 {
        let z = b.transpose128([y[0][j], y[1][j], y[2][j], y[3][j]]);
        for i in 0..4 {
            let (lane, part) = (i / registers, i % registers);
            out[(4 * lane + j) * registers + part] = z[i];
        }
    }
    out
}

/// Word `i` of `from`.
#[inline(always)]
fn word<const N: usize>(from: &[u8; N], i: usize) -> u32 {
    u32::from_le_bytes([from[4 * i], from[4 * i + 1], from[4 * i + 2], from[4 * i + 3]])
}

/// The quarter round on four of the registers.
#[inline(always)]
fn quarter<B: Backend, const N: usize>(b: B, x: &mut [B::V; N], at: [usize; 4]) {
    let [i, j, k, l] = at;
    x[i] = b.add32(x[i], x[j]);
    x[l] = b.rol32::<16>(b.xor(x[l], x[i]));
    x[k] = b.add32(x[k], x[l]);
    x[j] = b.rol32::<12>(b.xor(x[j], x[k]));
    x[i] = b.add32(x[i], x[j]);
    x[l] = b.rol32::<8>(b.xor(x[l], x[i]));
    x[k] = b.add32(x[k], x[l]);
    x[j] = b.rol32::<7>(b.xor(x[j], x[k]));
}

/// The quarter rounds of all columns, in rows.
#[inline(always)]
fn row_round<B: Backend, const N: usize>(b: B, x: &mut [[B::V; 4]; N]) {
    for x in x {
        quarter(b, x, [0, 1, 2, 3]);
    }
}

/// HChaCha20 (draft-irtf-cfrg-xchacha-03, 2.2): a key, `out`, from a key and sixteen
/// bytes of nonce. In plain words: it is one block, and serial.
pub(crate) fn hchacha20(key: &[u8; 32], nonce: &[u8; 16], out: &mut [u8; 32]) {
    let mut x = [0; 16];
    for i in 0..16 {
        x[i] = match i {
            0..4 => word(&SIGMA, i),
            4..12 => word(key, i - 4),
            _ => word(nonce, i - 12),
        };
    }
    double_rounds(&mut x);
    for (i, w) in out.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        *w = x[if i < 4 { i } else { 8 + i }].to_le_bytes();
    }
    x.wipe();
}

/// The ten double rounds, on plain words.
#[inline]
fn double_rounds(x: &mut [u32; 16]) {
    for _ in 0..10 {
        for i in 0..4 {
            quarter_words(x, [i, 4 + i, 8 + i, 12 + i]);
        }
        for i in 0..4 {
            quarter_words(x, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
        }
    }
}

/// The quarter round on four words.
#[inline(always)]
fn quarter_words(x: &mut [u32; 16], at: [usize; 4]) {
    let [i, j, k, l] = at;
    x[i] = x[i].wrapping_add(x[j]);
    x[l] = (x[l] ^ x[i]).rotate_left(16);
    x[k] = x[k].wrapping_add(x[l]);
    x[j] = (x[j] ^ x[k]).rotate_left(12);
    x[i] = x[i].wrapping_add(x[j]);
    x[l] = (x[l] ^ x[i]).rotate_left(8);
    x[k] = x[k].wrapping_add(x[l]);
    x[j] = (x[j] ^ x[k]).rotate_left(7);
}
