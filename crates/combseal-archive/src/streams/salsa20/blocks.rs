//! Salsa20's blocks of one message, on any backend.

use combseal::cpu::{Backend, Block, Kernel};

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

/// `M` times `4 * BLOCKS` blocks in their order. The low word of their numbers does not overflow.
#[inline(always)]
fn columns<B: Backend, const M: usize>(b: B, key: &Key, place: Place, rounds: usize) -> [Words<B>; M] {
    let begin = |m: usize, i: usize| match i {
        6 => b.splat32(place.nonce as u32),
        7 => b.splat32((place.nonce >> 32) as u32),
        8 => b.add32(b.splat32(place.number as u32 + (4 * B::BLOCKS * m) as u32), b.load(COUNT.as_flattened())),
        9 => b.splat32((place.number >> 32) as u32),
        i => b.splat32(word(key, i)),
    };
    let mut x = [[b.zero(); 16]; M];
    for m in 0..M {
        for i in 0..16 {
            x[m][i] = begin(m, i);
        }
    }
    column_rounds(b, &mut x, rounds);
    for m in 0..M {
        for i in 0..16 {
            x[m][i] = b.add32(x[m][i], begin(m, i));
        }
        x[m] = in_order(b, x[m]);
    }
    x
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
fn rows<B: Backend, const N: usize>(b: B, key: &Key, place: Place, rounds: usize) -> [[B::V; 4]; N] {
    let block = |x: u128| b.splat(&x.to_le_bytes());
    let (nonce, number) = (u128::from(place.nonce), u128::from(place.number));
    let begin = [
        b.splat(&key[0]),
        b.xor(b.splat(&key[1]), block(number >> 32 << 32)),
        b.xor(b.splat(&key[2]), block(number & 0xffff_ffff | nonce >> 32 << 96)),
        b.xor(b.splat(&key[3]), block((nonce & 0xffff_ffff) << 64)),
    ];
    let mut counts = [begin[2]; N];
    for j in 0..N {
        counts[j] = b.add32(begin[2], b.load(LANES[j * B::BLOCKS..].as_flattened()));
    }
    let mut x = [begin; N];
    for j in 0..N {
        x[j][2] = counts[j];
    }
    for _ in 0..rounds {
        for x in &mut x {
            quarter(b, x, [0, 1, 2, 3]);
        }
        // Columns into rows and back: the same both times.
        for x in &mut x {
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
    x
}

/// A block in plain words.
fn plain(key: &Key, place: Place, rounds: usize) -> [u8; 64] {
    let mut begin = [0; 16];
    for i in 0..16 {
        begin[i] = word(key, i);
    }
    begin[6] = place.nonce as u32;
    begin[7] = (place.nonce >> 32) as u32;
    begin[8] = place.number as u32;
    begin[9] = (place.number >> 32) as u32;
    let mut x = begin;
    let mut quarter = |[i, j, k, l]: [usize; 4]| {
        x[j] ^= x[i].wrapping_add(x[l]).rotate_left(7);
        x[k] ^= x[j].wrapping_add(x[i]).rotate_left(9);
        x[l] ^= x[k].wrapping_add(x[j]).rotate_left(13);
        x[i] ^= x[l].wrapping_add(x[k]).rotate_left(18);
    };
    for _ in 0..rounds / 2 {
        [[0, 4, 8, 12], [5, 9, 13, 1], [10, 14, 2, 6], [15, 3, 7, 11]].into_iter().for_each(&mut quarter);
        [[0, 1, 2, 3], [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]].into_iter().for_each(&mut quarter);
    }
    let mut out = [0; 64];
    for (to, i) in out.as_chunks_mut::<4>().0.iter_mut().zip(0..) {
        *to = x[i].wrapping_add(begin[i]).to_le_bytes();
    }
    out
}

/// Key stream into whole blocks.
pub struct Xor<'a> {
    pub key: &'a Key,
    pub place: &'a mut Place,
    pub rounds: usize,
    pub data: &'a mut [u8],
}
impl Kernel for Xor<'_> {
    type Out = ();
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        if const { B::WORDS } {
            in_registers(b.wide(), self);
        } else {
            for block in self.data.chunks_exact_mut(64) {
                let stream = plain(self.key, *self.place, self.rounds);
                for (to, from) in block.iter_mut().zip(stream) {
                    *to ^= from;
                }
                self.place.number = self.place.number.wrapping_add(1);
            }
        }
    }
}

#[inline(always)]
fn in_registers<B: Backend>(b: B, it: Xor<'_>) {
    let Xor { key, place, rounds, data } = it;
    let mut rest = data;
    while !rest.is_empty() {
        let blocks = rest.len() / 64;
        // So many until the number's low word overflows, which may be told by the time.
        let left = (1 << 32) - (place.number & 0xffff_ffff);
        let blocks = blocks.min(usize::try_from(left).unwrap_or(usize::MAX));
        let now;
        if blocks >= 4 * B::BLOCKS {
            now = 4 * B::BLOCKS;
            let [x] = columns::<B, 1>(b, key, *place, rounds);
            xor(b, &mut rest[..64 * now], &x);
        } else if blocks > 2 * B::BLOCKS {
            now = blocks;
            let x = rows::<B, 4>(b, key, *place, rounds);
            xor(b, &mut rest[..64 * now], x.as_flattened());
        } else if blocks > B::BLOCKS {
            now = blocks;
            let x = rows::<B, 2>(b, key, *place, rounds);
            xor(b, &mut rest[..64 * now], x.as_flattened());
        } else {
            now = blocks;
            let x = rows::<B, 1>(b, key, *place, rounds);
            xor(b, &mut rest[..64 * now], x.as_flattened());
        }
        place.number = place.number.wrapping_add(now as u64);
        rest = &mut rest[64 * now..];
    }
}

/// XORs registers of key stream into as many bytes as there are.
#[inline(always)]
fn xor<B: Backend>(b: B, data: &mut [u8], stream: &[B::V]) {
    for (part, &x) in data.chunks_mut(B::BYTES).zip(stream) {
        b.store(part, b.xor(x, b.load(part)));
    }
}
