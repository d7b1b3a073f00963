//! Salsa20's blocks of one message, on any backend.

use combseal::cpu::{Backend, Block, Kernel};
use combseal::internals::Wipe;

/// What blocks begin with under a key, diagonal by diagonal: words 0, 5, 10, 15, which are the
/// constants; 4, 9, 14, 3; 8, 13, 2, 7; and 12, 1, 6, 11. Nonce and number are zeros.
pub type Key = [Block; 4];

/// Which block comes next.
#[derive(Clone, Copy)]
pub struct Place {
    /// The nonce.
    pub nonce: u64,
    /// The block's number.
    pub number: u64,
}

/// Sixteen registers of words or of key stream.
pub type Words<B> = [<B as Backend>::V; 16];

/// The numbers 0, 1, … of blocks, each in the first word of its lane.
static LANES: [Block; 16] = {
    let mut t = [[0; 16]; 16];
    let mut i = 0;
    while i < t.len() {
        t[i][0] = i as u8;
        i += 1;
    }
    t
};

/// The same, word by word.
static COUNT: [Block; 4] = {
    let mut t = [[0; 16]; 4];
    let mut i = 0;
    while i < 16 {
        t[i / 4][i % 4 * 4] = i as u8;
        i += 1;
    }
    t
};

/// Word `i` of the matrix, as the key has it.
#[inline(always)]
fn word(key: &Key, i: usize) -> u32 {
    let (row, column) = (i / 4, i % 4);
    let diagonal = &key[(4 + row - column) % 4];
    u32::from_le_bytes([
        diagonal[4 * column],
        diagonal[4 * column + 1],
        diagonal[4 * column + 2],
        diagonal[4 * column + 3],
    ])
}

/// The quarter round on four of the registers.
#[inline(always)]
fn quarter<B: Backend, const N: usize>(b: B, x: &mut [B::V; N], [i, j, k, l]: [usize; 4]) {
    x[j] = b.xor(x[j], b.rol32::<7>(b.add32(x[i], x[l])));
    x[k] = b.xor(x[k], b.rol32::<9>(b.add32(x[j], x[i])));
    x[l] = b.xor(x[l], b.rol32::<13>(b.add32(x[k], x[j])));
    x[i] = b.xor(x[i], b.rol32::<18>(b.add32(x[l], x[k])));
}

/// All rounds in columns, `M` passes together.
#[inline(always)]
pub fn column_rounds<B: Backend, const M: usize>(b: B, x: &mut [Words<B>; M], rounds: usize) {
    for _ in 0..rounds / 2 {
        for x in &mut *x {
            for at in [[0, 4, 8, 12], [5, 9, 13, 1], [10, 14, 2, 6], [15, 3, 7, 11]] {
                quarter(b, x, at);
            }
        }
        for x in &mut *x {
            for at in [[0, 1, 2, 3], [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]] {
                quarter(b, x, at);
            }
        }
    }
}

/// What the words of the blocks of pass `m` begin with.
#[inline(always)]
fn column_words<B: Backend>(b: B, key: &Key, place: Place, m: usize) -> Words<B> {
    macro_rules! words {
        ($($i:literal)*) => { [$(match $i {
            6 => b.splat32(place.nonce as u32),
            7 => b.splat32((place.nonce >> 32) as u32),
            8 => b.add32(b.splat32(place.number as u32 + (4 * B::BLOCKS * m) as u32), b.load(COUNT.as_flattened())),
            9 => b.splat32((place.number >> 32) as u32),
            i => b.splat32(word(key, i)),
        }),*] };
    }
    words!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
}

/// `M` times `4 * BLOCKS` blocks in their order, from what their words begin with. The low word of
/// their numbers does not overflow.
#[inline(always)]
fn columns<B: Backend, const M: usize>(b: B, key: &Key, place: Place, rounds: usize, x: &mut [Words<B>; M]) {
    column_rounds(b, x, rounds);
    for m in 0..M {
        let begin = column_words(b, key, place, m);
        for i in 0..16 {
            x[m][i] = b.add32(x[m][i], begin[i]);
        }
        x[m] = in_order(b, x[m]);
    }
}

/// Words of each block in a register each, to blocks one after the other.
#[inline(always)]
pub fn in_order<B: Backend>(b: B, x: Words<B>) -> Words<B> {
    // In lane l of y[i][j] are the i-th sixteen bytes of block 4l + j.
    let mut y = [[b.zero(); 4]; 4];
    for i in 0..4 {
        y[i] = b.transpose32([x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]]);
    }
    let mut out = x;
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

/// `N * BLOCKS` blocks in their order, `BLOCKS` of them in each four registers. The low word of
/// their numbers does not overflow.
#[inline(always)]
fn rows<B: Backend, const N: usize>(b: B, key: &Key, place: Place, rounds: usize, x: &mut [[B::V; 4]; N]) {
    let (nonce, number) = (u128::from(place.nonce), u128::from(place.number));
    let begin = [
        b.splat(&key[0]),
        b.xor(b.splat(&key[1]), b.splat(&(number >> 32 << 32).to_le_bytes())),
        b.xor(b.splat(&key[2]), b.splat(&(number & 0xffff_ffff | nonce >> 32 << 96).to_le_bytes())),
        b.xor(b.splat(&key[3]), b.splat(&((nonce & 0xffff_ffff) << 64).to_le_bytes())),
    ];
    let mut counts = [begin[2]; N];
    for j in 0..N {
        counts[j] = b.add32(begin[2], b.load(LANES[j * B::BLOCKS..].as_flattened()));
    }
    for j in 0..N {
        x[j] = begin;
        x[j][2] = counts[j];
    }
    for _ in 0..rounds {
        for x in &mut *x {
            quarter(b, x, [0, 1, 2, 3]);
        }
        // Columns into rows and back: the same both times.
        for x in &mut *x {
            *x = [x[0], b.turn32::<1>(x[3]), b.turn32::<2>(x[2]), b.turn32::<3>(x[1])];
        }
    }
    let odd = b.splat64(0xffff_ffff_0000_0000);
    for j in 0..N {
        let mut y = x[j];
        for k in 0..4 {
            y[k] = b.add32(x[j][k], if k == 2 { counts[j] } else { begin[k] });
        }
        // Diagonals to rows: word i of row r is that of diagonal r - i.
        let mut z = y;
        for r in 0..4 {
            z[r] = b.xor(y[r], b.and(b.xor(y[r], y[(r + 3) % 4]), odd));
        }
        x[j] = b.transpose128([b.mixed(z[0], z[2]), b.mixed(z[1], z[3]), b.mixed(z[2], z[0]), b.mixed(z[3], z[1])]);
    }
}

/// The quarter round on four plain words.
macro_rules! quarter {
    ($($a:ident $b:ident $c:ident $d:ident;)*) => {$(
        $b ^= $a.wrapping_add($d).rotate_left(7);
        $c ^= $b.wrapping_add($a).rotate_left(9);
        $d ^= $c.wrapping_add($b).rotate_left(13);
        $a ^= $d.wrapping_add($c).rotate_left(18);
    )*};
}

/// A block in plain words, whose instructions have a latency of a cycle where some CPUs' vectors
/// have two.
#[inline(always)]
fn plain(key: &Key, place: Place, rounds: usize) -> [u32; 16] {
    let mut begin = [0; 16];
    for i in 0..16 {
        begin[i] = word(key, i);
    }
    begin[6] = place.nonce as u32;
    begin[7] = (place.nonce >> 32) as u32;
    begin[8] = place.number as u32;
    begin[9] = (place.number >> 32) as u32;
    let [
        mut a,
        mut b,
        mut c,
        mut d,
        mut e,
        mut f,
        mut g,
        mut h,
        mut i,
        mut j,
        mut k,
        mut l,
        mut m,
        mut n,
        mut o,
        mut p,
    ] = begin;
    for _ in 0..rounds / 2 {
        quarter! { a e i m; f j n b; k o c g; p d h l; a b c d; f g h e; k l i j; p m n o; }
    }
    let mut x = [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p];
    for (x, begin) in x.iter_mut().zip(begin) {
        *x = x.wrapping_add(begin);
    }
    begin.wipe();
    x
}

/// A block of plain words in registers.
#[inline(always)]
fn loaded<B: Backend>(b: B, x: [u32; 16]) -> [B::V; 4] {
    let mut rows = [b.zero(); 4];
    for i in 0..4 {
        let word = |j: usize| u128::from(x[4 * i + j]) << (32 * j);
        rows[i] = b.splat(&(word(0) | word(1) | word(2) | word(3)).to_le_bytes());
    }
    rows
}

/// What is done with a message's blocks as they are made.
pub trait Sink {
    /// Takes block `i` of them: the first `4 / BLOCKS` registers.
    fn take<B: Backend>(&mut self, b: B, i: usize, stream: &[B::V]);
}

/// Gives `sink` the blocks from `made` on, `now` of them.
#[inline(always)]
fn hand_out<B: Backend>(b: B, sink: &mut impl Sink, stream: &[B::V], made: usize, now: usize) {
    for i in 0..now {
        sink.take(b, made + i, &stream[i * (4 / B::BLOCKS)..][..4 / B::BLOCKS]);
    }
}

/// So many blocks of a message.
pub struct Blocks<'a, S> {
    pub key: &'a Key,
    pub place: Place,
    pub rounds: usize,
    pub count: usize,
    pub sink: S,
}
impl<S: Sink> Kernel for Blocks<'_, S> {
    type Out = ();
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(mut self, b: B) {
        if self.count == 1 && const { B::ROOMY } {
            self.in_a_row(b.one());
        } else if self.count == 1 || const { !B::WORDS } {
            self.in_words(b.one());
        } else {
            self.in_registers(b.wide());
        }
    }
}

impl<S: Sink> Blocks<'_, S> {
    /// One block in rows, where words in registers are turned by one instruction: three for a step of a quarter round, four of
    /// which go together, where plain words have twelve.
    #[inline(always)]
    fn in_a_row<B: Backend>(&mut self, b: B) {
        let mut x = [[b.zero(); 4]; 1];
        rows(b, self.key, self.place, self.rounds, &mut x);
        self.sink.take(b, 0, x.as_flattened());
    }

    #[inline(always)]
    fn in_words<B: Backend>(&mut self, b: B) {
        for i in 0..self.count {
            let x = plain(self.key, self.place, self.rounds);
            self.sink.take(b, i, &loaded(b, x));
            self.place.number = self.place.number.wrapping_add(1);
        }
    }

    #[inline(always)]
    fn in_registers<B: Backend>(&mut self, b: B) {
        let Self { key, place, rounds, count, ref mut sink } = *self;
        let mut place = place;
        let mut made = 0;
        while made < count {
            // So many until the number's low word overflows, which may be told by the time.
            let left = usize::try_from((1 << 32) - (place.number & 0xffff_ffff)).unwrap_or(usize::MAX);
            let blocks = left.min(count - made);
            let now;
            // Begun here, as an array that is filled later would first be zeroed in memory.
            if blocks >= 8 * B::BLOCKS {
                // Two passes together: one by itself waits for its own sums.
                now = 8 * B::BLOCKS;
                let mut x = [column_words(b, key, place, 0), column_words(b, key, place, 1)];
                columns(b, key, place, rounds, &mut x);
                hand_out(b, sink, x.as_flattened(), made, now);
            } else if blocks >= 4 * B::BLOCKS {
                now = 4 * B::BLOCKS;
                let mut x = [column_words(b, key, place, 0)];
                columns(b, key, place, rounds, &mut x);
                hand_out(b, sink, x.as_flattened(), made, now);
            } else if blocks > 2 * B::BLOCKS {
                now = blocks;
                let mut x = [[b.zero(); 4]; 4];
                rows(b, key, place, rounds, &mut x);
                hand_out(b, sink, x.as_flattened(), made, now);
            } else if blocks > B::BLOCKS {
                now = blocks;
                let mut x = [[b.zero(); 4]; 2];
                rows(b, key, place, rounds, &mut x);
                hand_out(b, sink, x.as_flattened(), made, now);
            } else {
                now = blocks;
                let mut x = [[b.zero(); 4]; 1];
                rows(b, key, place, rounds, &mut x);
                hand_out(b, sink, x.as_flattened(), made, now);
            }
            made += now;
            place.number = place.number.wrapping_add(now as u64);
        }
    }
}

/// Data of whole blocks.
pub struct Whole<'a>(pub &'a mut [u8]);
impl Sink for Whole<'_> {
    #[inline(always)]
    fn take<B: Backend>(&mut self, b: B, i: usize, stream: &[B::V]) {
        for (part, &x) in self.0[64 * i..64 * i + 64].chunks_exact_mut(B::BYTES).zip(stream) {
            b.store(part, b.xor(x, b.load(part)));
        }
    }
}

/// A message behind its mask, the first sixteen bytes.
pub struct Masked<'a> {
    pub first: &'a mut Block,
    pub data: &'a mut [u8],
}

impl Masked<'_> {
    /// How many blocks its key stream has.
    pub fn blocks(&self) -> usize {
        (16 + self.data.len()).div_ceil(64)
    }
}

impl Sink for Masked<'_> {
    #[inline(always)]
    fn take<B: Backend>(&mut self, b: B, i: usize, stream: &[B::V]) {
        if let Some(at) = (64 * i).checked_sub(16)
            && let Some(data) = self.data.get_mut(at..at + 64)
        {
            return Whole(data).take(b, 0, stream);
        }
        if const { B::BLOCKS == 4 } {
            // A first or a last block: what is not for the message, and as much as the message has.
            let (from, stream) = if i == 0 {
                let [first, second, third, last] = b.split(stream[0]);
                *self.first = b.one().block(first);
                (0, b.join([second, third, last, b.one().zero()]))
            } else {
                (64 * i - 16, stream[0])
            };
            let end = self.data.len().min(64 * i + 48);
            if from < end {
                let part = &mut self.data[from..end];
                b.store_part(part, b.xor(stream, b.load_part(part)));
            }
            return;
        }
        // The same sixteen bytes at a time.
        let one = b.one();
        for j in 0..4 {
            let x = b.split(stream[j / B::BLOCKS])[j % B::BLOCKS];
            match (64 * i + 16 * j).checked_sub(16) {
                None => *self.first = one.block(x),
                Some(at) if at >= self.data.len() => break,
                Some(at) => {
                    let end = self.data.len().min(at + 16);
                    let part = &mut self.data[at..end];
                    one.store_part(part, one.xor(x, one.load_part(part)));
                }
            }
        }
    }
}
