//! Two layers of the cipher with a linear map between them, as COPA and COLM have: what of
//! them does not depend on the mode.
//!
//! The map runs from block to block, and so do the masks, each twice the one before. Neither
//! needs a block at a time: register `j` of a group of `N` holds, in lane `l`, block `N l + j`.
//! Each lane then has a run of blocks of its own, walked from register to register, and the
//! lanes are joined once a group, by what each of them ends with.

use combseal::cpu::{Backend, Block, Dec, Enc, Keys};
use combseal::internals::{InOut, Wipe, equal};

/// Registers in flight in whole groups.
const WIDTH: usize = 8;

/// The register of one block.
pub type One<B> = <<B as Backend>::One as Backend>::V;

/// 2B in GF(2^128), of a big-endian block's number.
#[inline(always)]
pub fn double(x: u128) -> u128 {
    x << 1 ^ 0x87 & 0u128.wrapping_sub(x >> 127)
}
/// B / 2.
#[inline(always)]
pub fn half(x: u128) -> u128 {
    x >> 1 ^ (1 << 127 | 0x43) & 0u128.wrapping_sub(x & 1)
}
/// 3B.
#[inline(always)]
pub fn triple(x: u128) -> u128 {
    double(x) ^ x
}
/// 7B.
#[inline(always)]
pub fn sevenfold(x: u128) -> u128 {
    double(triple(x)) ^ x
}

/// Multiplication by powers of two in registers whose blocks are little-endian numbers.
#[derive(Clone, Copy)]
pub struct Field<V> {
    modulus: V,
    high: V,
}
impl<V: Copy> Field<V> {
    #[inline(always)]
    pub fn new<B: Backend<V = V>>(b: B) -> Self {
        Self { modulus: b.splat(&0x87u128.to_le_bytes()), high: b.splat(&(!0u128 << 64).to_le_bytes()) }
    }
    /// 2^n times `v`, n from 1 to 57: what is carried out, times the modulus, fits in half a
    /// block.
    #[inline(always)]
    pub fn times_x<B: Backend<V = V>>(&self, b: B, v: V, n: u32) -> V {
        let out = b.shr64(v, 64 - n);
        let up = b.and(b.swap(out), self.high);
        b.xor(b.xor(b.shl64(v, n), b.clmul::<0x01>(out, self.modulus)), up)
    }
    /// `v`, 2v, 4v, and so on.
    #[inline(always)]
    pub fn powers<B: Backend<V = V>, const K: usize>(&self, b: B, v: V) -> [V; K] {
        let mut it = [v; K];
        for k in 1..K {
            // Four sequences that do not wait for each other.
            it[k] = if k < 4 { self.times_x(b, it[k - 1], 1) } else { self.times_x(b, it[k - 4], 4) };
        }
        it
    }
}

/// The masks of a group's blocks, above the first layer and below the second.
pub struct Masks<V, const N: usize> {
    pub up: [V; N],
    pub down: [V; N],
}

/// What a mode has between the layers, and its masks.
pub trait Link {
    /// Whether the masks below are a sequence of their own, `q`.
    const APART: bool;

    /// The masks of blocks that begin with `p` and `q`, numbers that are doubled from block to
    /// block.
    fn masks<B: Backend, const N: usize>(b: B, f: &Field<B::V>, p: B::V, q: B::V) -> Masks<B::V, N>;

    /// From what the first layer gives to what the second is given. What goes from block to
    /// block is in `link` before the first of them and after the last; it is returned as it
    /// is behind each.
    fn seal<B: Backend, const N: usize>(b: B, f: &Field<B::V>, link: &mut One<B>, x: &mut [B::V; N]) -> [B::V; N];

    /// The same when opening: from the second layer to the first.
    fn open<B: Backend, const N: usize>(b: B, f: &Field<B::V>, link: &mut One<B>, x: &mut [B::V; N]) -> [B::V; N];
}

/// What the lane before ended with, for each lane; the first has `first`.
#[inline(always)]
pub fn shifted<B: Backend>(b: B, first: One<B>, ends: B::V) -> B::V {
    let [a, c, d, _] = b.split(ends);
    b.join([first, a, c, d])
}

/// The sum of all blocks up to each, and of `link`, which becomes the last of them.
#[inline(always)]
pub fn sums<B: Backend, const N: usize>(b: B, link: &mut One<B>, x: &[B::V; N]) -> [B::V; N] {
    let one = b.one();
    let mut s = *x;
    if B::BLOCKS == 1 {
        s[0] = b.xor(s[0], b.widen(*link));
    }
    for j in 1..N {
        s[j] = b.xor(s[j - 1], s[j]);
    }
    if B::BLOCKS > 1 {
        let ends = b.split(s[N - 1]);
        let mut before = [*link; 4];
        for l in 1..B::BLOCKS {
            before[l] = one.xor(before[l - 1], ends[l - 1]);
        }
        let before = b.join(before);
        for j in 0..N {
            s[j] = b.xor(s[j], before);
        }
    }
    *link = b.top(s[N - 1]);
    s
}

/// Round keys in both directions.
pub struct RoundKeys<'a> {
    pub enc: &'a [Block; 11],
    pub dec: &'a [Block; 9],
}

/// Round keys with masks added to the first and the last.
struct Masked<'a, K, V, const N: usize> {
    keys: K,
    first: &'a [V; N],
    last: &'a [V; N],
}
impl<B: Backend, K: Keys<B>, const N: usize> Keys<B> for Masked<'_, K, B::V, N> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    // One layer's rounds follow the other's.
    const IN_STEP: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = self.keys.get(b, r, j);
        if r == 0 {
            b.xor(key, self.first[j])
        } else if r == K::ROUNDS {
            b.xor(key, self.last[j])
        } else {
            key
        }
    }
}

/// E(x), with a mask before.
#[inline(always)]
pub fn call<B: Backend>(b: B, enc: &[Block; 11], mask: B::V, x: B::V) -> B::V {
    let mut x = [x];
    b.encrypt(&Masked { keys: Enc(enc), first: &[mask], last: &[b.zero()] }, &mut x);
    x[0]
}

/// Both layers; gives `link` behind each block.
#[inline(always)]
fn layers<L: Link, B: Backend, const N: usize, const SEAL: bool>(
    b: B,
    keys: &RoundKeys<'_>,
    masks: &Masks<B::V, N>,
    link: &mut One<B>,
    x: &mut [B::V; N],
) -> [B::V; N] {
    let (f, none) = (Field::new(b), [b.zero(); N]);
    if SEAL {
        let keys = Enc(keys.enc);
        b.encrypt(&Masked { keys, first: &masks.up, last: &none }, x);
        let links = L::seal(b, &f, link, x);
        b.encrypt(&Masked { keys, first: &none, last: &masks.down }, x);
        links
    } else {
        let keys = Dec(keys.enc, keys.dec);
        b.decrypt(&Masked { keys, first: &masks.down, last: &none }, x);
        let links = L::open(b, &f, link, x);
        b.decrypt(&Masked { keys, first: &none, last: &masks.up }, x);
        links
    }
}

/// What goes from block to block of a message.
pub struct State {
    /// What the mode's map carries.
    pub link: Block,
    /// The sum of the plaintext's blocks.
    pub sum: Block,
    /// The number that the next block's masks are made of.
    pub p: u128,
    /// The other, if the mode has two.
    pub q: u128,
}

/// Each lane's first number: of lane `l`, that of block `N l`.
#[inline(always)]
fn spread<B: Backend, const N: usize>(b: B, p: u128) -> B::V {
    let one = b.one();
    let f = Field::new(one);
    let mut lanes = [one.load(&p.to_le_bytes()); 4];
    for l in 1..B::BLOCKS {
        lanes[l] = f.times_x(one, lanes[l - 1], N as u32);
    }
    b.join(lanes)
}

/// All whole groups of `N` registers.
#[inline(always)]
fn groups<L: Link, B: Backend, const N: usize, const SEAL: bool>(
    b: B,
    keys: &RoundKeys<'_>,
    state: &mut State,
    io: &mut InOut<'_>,
) {
    if io.len() < N * B::BYTES {
        return;
    }
    let (one, f) = (b.one(), Field::new(b));
    let (mut link, mut sum) = (one.load(&state.link), b.zero());
    let mut p = spread::<B, N>(b, state.p);
    let mut q = if L::APART { spread::<B, N>(b, state.q) } else { p };
    while let Some(mut part) = io.take(N * B::BYTES) {
        let masks = L::masks::<B, N>(b, &f, p, q);
        p = f.times_x(b, p, (N * B::BLOCKS) as u32);
        if L::APART {
            q = f.times_x(b, q, (N * B::BLOCKS) as u32);
        }
        let mut x = [b.zero(); N];
        for j in 0..N {
            x[j] = part.load(b, j * B::BYTES);
            if SEAL {
                sum = b.xor(sum, x[j]);
            }
        }
        x = to_lanes(b, x);
        layers::<L, B, N, SEAL>(b, keys, &masks, &mut link, &mut x);
        x = from_lanes(b, x);
        for j in 0..N {
            if !SEAL {
                sum = b.xor(sum, x[j]);
            }
            part.store(b, j * B::BYTES, x[j]);
        }
    }
    let sum = one.xor(b.fold(sum), one.load(&state.sum));
    state.sum = one.block(sum);
    state.link = one.block(link);
    let first = |v: B::V| u128::from_le_bytes(one.block(b.split(v)[0]));
    state.p = first(p);
    state.q = first(q);
}

/// Registers of blocks as they stand in memory, to those whose lane `l` holds the `l`th run
/// of `N` blocks.
#[inline(always)]
fn to_lanes<B: Backend, const N: usize>(b: B, r: [B::V; N]) -> [B::V; N] {
    let mut x = r;
    if B::BLOCKS == 4 {
        for k in 0..N / 4 {
            let t = b.transpose128([r[k], r[N / 4 + k], r[N / 2 + k], r[3 * N / 4 + k]]);
            for i in 0..4 {
                x[4 * k + i] = t[i];
            }
        }
    } else if B::BLOCKS == 2 {
        for k in 0..N / 4 {
            let t = b.transpose128([r[2 * k], r[2 * k + N / 2], r[2 * k + 1], r[2 * k + 1 + N / 2]]);
            (x[4 * k], x[4 * k + 1], x[4 * k + 2], x[4 * k + 3]) = (t[0], t[2], t[1], t[3]);
        }
    }
    x
}

/// Back.
#[inline(always)]
fn from_lanes<B: Backend, const N: usize>(b: B, x: [B::V; N]) -> [B::V; N] {
    let mut r = x;
    if B::BLOCKS > 1 {
        for k in 0..N / 4 {
            let t = b.transpose128([x[4 * k], x[4 * k + 1], x[4 * k + 2], x[4 * k + 3]]);
            if B::BLOCKS == 4 {
                (r[k], r[N / 4 + k], r[N / 2 + k], r[3 * N / 4 + k]) = (t[0], t[1], t[2], t[3]);
            } else {
                (r[2 * k], r[2 * k + 1], r[2 * k + N / 2], r[2 * k + 1 + N / 2]) = (t[0], t[1], t[2], t[3]);
            }
        }
    }
    r
}

/// Blocks from the front of `io` until fewer than 8 whole ones are left, in the widest
/// registers that they fill.
#[inline(always)]
pub fn walk<L: Link, B: Backend, const SEAL: bool>(b: B, keys: &RoundKeys<'_>, state: &mut State, io: &mut InOut<'_>) {
    groups::<L, B, WIDTH, SEAL>(b, keys, state, io);
    if B::BLOCKS == 4 {
        groups::<L, B::Two, WIDTH, SEAL>(b.two(), keys, state, io);
    }
    if B::BLOCKS > 1 {
        groups::<L, B::One, WIDTH, SEAL>(b.one(), keys, state, io);
    }
}

/// The last blocks of a message with what the mode has behind them, each with its own masks:
/// as many as there are, in registers of one block.
pub struct End<V> {
    masks: Masks<V, 8>,
    x: [V; 8],
    waiting: usize,
    /// What has come out.
    pub out: [V; 16],
    /// How many of them.
    pub done: usize,
}

impl<V: Copy> End<V> {
    #[inline(always)]
    pub fn new<B: Backend<V = V>>(b: B) -> Self {
        let none = [b.zero(); 8];
        Self { masks: Masks { up: none, down: none }, x: none, waiting: 0, out: [b.zero(); 16], done: 0 }
    }

    /// The whole blocks that [`walk`] has left, fewer than 8; `io` keeps them, to be written.
    #[inline(always)]
    pub fn blocks<L: Link, B: Backend<V = V>>(&mut self, b: B, state: &mut State, io: &InOut<'_>) -> usize {
        let n = (io.len() / 16).min(7);
        if n > 0 {
            let number = |p: u128| b.load(&p.to_le_bytes());
            self.masks = L::masks::<B, 8>(b, &Field::new(b), number(state.p), number(state.q));
            for j in 0..n {
                self.x[j] = io.load(b, 16 * j);
                state.p = double(state.p);
                state.q = double(state.q);
            }
        }
        self.waiting = n;
        n
    }

    /// One more, with the masks' numbers.
    #[inline(always)]
    pub fn push<B: Backend<V = V>>(&mut self, b: B, x: V, up: u128, down: u128) {
        let j = self.waiting & 7;
        (self.x[j], self.waiting) = (x, j + 1);
        self.masks.up[j] = b.load(&up.to_be_bytes());
        self.masks.down[j] = b.load(&down.to_be_bytes());
    }

    /// Whether there is no room for another one.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.waiting == 8
    }

    /// All that wait, through both layers.
    #[inline(always)]
    pub fn run<L: Link, B: Backend<V = V, One = B>, const SEAL: bool>(
        &mut self,
        b: B,
        keys: &RoundKeys<'_>,
        state: &mut State,
    ) {
        match self.waiting {
            0 => {}
            1 => self.pass::<L, B, 1, SEAL>(b, keys, state),
            2 => self.pass::<L, B, 2, SEAL>(b, keys, state),
            3..=4 => self.pass::<L, B, 4, SEAL>(b, keys, state),
            _ => self.pass::<L, B, 8, SEAL>(b, keys, state),
        }
    }

    #[inline(always)]
    fn pass<L: Link, B: Backend<V = V, One = B>, const N: usize, const SEAL: bool>(
        &mut self,
        b: B,
        keys: &RoundKeys<'_>,
        state: &mut State,
    ) {
        let zero = [b.zero(); N];
        let (mut x, mut masks) = (zero, Masks { up: zero, down: zero });
        for j in 0..N {
            (x[j], masks.up[j], masks.down[j]) = (self.x[j], self.masks.up[j], self.masks.down[j]);
        }
        let mut link = b.load(&state.link);
        let links = layers::<L, B, N, SEAL>(b, keys, &masks, &mut link, &mut x);
        let n = self.waiting.clamp(1, N);
        state.link = b.block(links[n - 1]);
        for j in 0..N {
            self.out[(self.done + j) & 15] = x[j];
        }
        self.done += n;
        self.waiting = 0;
    }
}

/// The sum of E(block ^ mask) over the whole blocks of `data`; `mask` gives one mask after the
/// other, numbers of big-endian blocks.
#[inline(always)]
pub fn hashed<B: Backend>(b: B, enc: &[Block; 11], data: &[u8], mut mask: impl FnMut() -> u128) -> One<B> {
    let one = b.one();
    let mut masks = [[0; 16]; 4 * WIDTH];
    let (mut rest, mut sum) = (data, b.zero());
    let mut used = false;
    while let Some((front, behind)) = rest.split_at_checked(WIDTH * B::BYTES) {
        let (mut x, mut first) = ([b.zero(); WIDTH], [b.zero(); WIDTH]);
        for m in &mut masks[..WIDTH * B::BLOCKS] {
            *m = mask().to_be_bytes();
        }
        for j in 0..WIDTH {
            x[j] = b.load(&front[j * B::BYTES..]);
            first[j] = b.load(masks[j * B::BLOCKS..].as_flattened());
        }
        b.encrypt(&Masked { keys: Enc(enc), first: &first, last: &[b.zero(); WIDTH] }, &mut x);
        for j in 0..WIDTH {
            sum = b.xor(sum, x[j]);
        }
        (rest, used) = (behind, true);
    }
    if used {
        masks.wipe();
    }
    let mut sum = b.fold(sum);
    while rest.len() >= 16 {
        let n = (rest.len() / 16).min(4);
        let (mut x, mut first) = ([one.zero(); 4], [one.zero(); 4]);
        for j in 0..n {
            x[j] = one.load(&rest[16 * j..]);
            first[j] = one.load(&mask().to_be_bytes());
        }
        one.encrypt(&Masked { keys: Enc(enc), first: &first, last: &[one.zero(); 4] }, &mut x);
        for j in 0..n {
            sum = one.xor(sum, x[j]);
        }
        rest = &rest[16 * n..];
    }
    sum
}

/// A block of at most 15 bytes and the padding behind them.
#[inline(always)]
pub fn padded<B: Backend<One = B>>(b: B, bytes: &[u8]) -> B::V {
    let padding = b.padding(bytes.len());
    // A masked load of nothing from nowhere costs hundreds of cycles.
    if bytes.is_empty() { padding } else { b.xor(b.load_part(bytes), padding) }
}

/// Whether a block is a message's last `n` bytes, at most 15, and the padding behind them.
#[inline(always)]
pub fn is_padded<B: Backend<One = B>>(b: B, v: B::V, n: usize) -> bool {
    equal(&b.block(b.xor(v, b.keep(v, n))), &b.block(b.padding(n)))
}

/// `front`, at most 16 bytes, and 16 bytes behind it.
#[inline(always)]
pub fn joined<B: Backend<One = B>>(b: B, front: &[u8], behind: &[u8]) -> [u8; 32] {
    let (mut it, n) = ([0; 32], front.len().min(16));
    if n > 0 {
        b.store(&mut it, b.load_part(front));
    }
    it[n..n + 16].copy_from_slice(&behind[..16]);
    it
}

/// The end of a message whose last block has `io`'s bytes, 0 to 16: they are the first of `c`;
/// the others of `c`, and as many of `t` as make 16, are the tail.
#[inline(always)]
pub fn store_end<B: Backend<One = B>>(b: B, (c, t): (B::V, B::V), mut io: InOut<'_>, tail: &mut [u8]) {
    let (mut both, n) = ([0; 32], io.len().min(16));
    b.store(&mut both, c);
    b.store(&mut both[16..], t);
    if n > 0 {
        io.store_part(b, c);
    }
    tail[..16].copy_from_slice(&both[n..n + 16]);
}
