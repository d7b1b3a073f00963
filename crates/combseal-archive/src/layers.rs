//! Two layers of the cipher with a linear map between them, as COPA and COLM have: what of
//! them does not depend on the mode.
//!
//! The map runs from block to block, and so do the masks, each twice the one before. Where a
//! register holds four blocks, both are walked four blocks at a time: what a block needs of
//! those before it is in its register or the one before, a few lanes further on.
//!
//! Groups go through in three steps, of which three groups are in one each at a time: the first
//! layer, the map, the second layer. No step waits for another one then.

use combseal::cpu::{Backend, Block, Dec, Enc, Interleave, Keys};
use combseal::internals::{InOut, Wipe};
use std::marker::PhantomData;

use crate::field::big_endian::times_bytes;
use crate::xex::{Masked, Spread, one_block};

/// Registers in a group.
const WIDTH: usize = 4;
/// Registers of two groups: in flight together, and of masks.
const BOTH: usize = 2 * WIDTH;
/// Registers in flight where there is but one layer.
const WIDE: usize = 8;

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
        self.reduced(b, self.shifted(b, v, n))
    }

    /// The same before it is reduced: halves shifted left, and what they lose.
    #[inline(always)]
    pub fn shifted<B: Backend<V = V>>(&self, b: B, v: V, n: u32) -> [V; 2] {
        [b.shl64(v, n), b.shr64(v, 64 - n)]
    }

    /// The sum of two such.
    #[inline(always)]
    pub fn plus<B: Backend<V = V>>(&self, b: B, x: [V; 2], y: [V; 2]) -> [V; 2] {
        [b.xor(x[0], y[0]), b.xor(x[1], y[1])]
    }

    #[inline(always)]
    pub fn reduced<B: Backend<V = V>>(&self, b: B, [kept, out]: [V; 2]) -> V {
        let up = b.and(b.swap(out), self.high);
        b.xor(b.xor(kept, b.clmul::<0x01>(out, self.modulus)), up)
    }
}

/// The blocks of `v`, each `k` lanes further on, 1 to 3; the last of `before` come first.
#[inline(always)]
pub fn later<B: Backend>(b: B, before: B::V, v: B::V, k: usize) -> B::V {
    let (p, c) = (b.split(before), b.split(v));
    match (B::BLOCKS, k) {
        (1, _) => before,
        (2, 1) => b.join([p[1], c[0], c[0], c[0]]),
        (2, _) => before,
        (_, 1) => b.join([p[3], c[0], c[1], c[2]]),
        (_, 2) => b.join([p[2], p[3], c[0], c[1]]),
        _ => b.join([p[1], p[2], p[3], c[0]]),
    }
}

/// The blocks `k` further on than those of `v[0]`, 1 or 2, where `v` is one register after the
/// other.
#[inline(always)]
pub fn further<B: Backend>(b: B, v: [B::V; 3], k: usize) -> B::V {
    let (c, n) = (b.split(v[0]), b.split(v[1]));
    match (B::BLOCKS, k) {
        (1, k) => v[k % 3],
        (2, 1) => b.join([c[1], n[0], n[0], n[0]]),
        (2, _) => v[1],
        (_, 1) => b.join([c[1], c[2], c[3], n[0]]),
        _ => b.join([c[2], c[3], n[0], n[1]]),
    }
}

/// What the map between the layers knows of the blocks before: registers that end with the
/// last of them.
#[derive(Clone, Copy)]
pub struct Before<V> {
    /// What it has made of them: what goes from block to block is in the last lane.
    pub w: V,
    /// What it was given.
    pub x: V,
    /// Two by two.
    pub pairs: V,
}

/// What a mode has between the layers, and its masks.
pub trait Link {
    /// Whether the masks below are a sequence of their own, `q`.
    const APART: bool;

    /// The masks above and below of a block, whose numbers are `p` and `q`, which are doubled
    /// from block to block.
    fn numbers(p: u128, q: u128) -> (u128, u128);

    /// The same of a register's blocks; `p` has two registers more.
    fn masks<B: Backend>(b: B, p: [B::V; 3], q: B::V) -> (B::V, B::V);

    /// Before a block that `link` goes to.
    fn begin<B: Backend>(b: B, link: One<B>) -> Before<B::V>;

    /// From what the first layer gives to what the second is given.
    fn seal<B: Backend>(b: B, f: &Field<B::V>, before: &mut Before<B::V>, x: B::V) -> B::V;

    /// The same when opening: from the second layer to the first.
    fn open<B: Backend>(b: B, f: &Field<B::V>, before: &mut Before<B::V>, x: B::V) -> B::V;
}

/// The sum of all blocks up to each.
#[inline(always)]
pub fn sums<B: Backend>(b: B, before: &mut Before<B::V>, x: B::V) -> B::V {
    let mut sum = x;
    if B::BLOCKS > 1 {
        sum = b.xor(x, later(b, before.x, x, 1));
        before.x = x;
    }
    if B::BLOCKS > 2 {
        let pairs = sum;
        sum = b.xor(pairs, later(b, before.pairs, pairs, 2));
        before.pairs = pairs;
    }
    before.w = b.xor(before.w, sum);
    before.w
}

/// Round keys in both directions.
pub struct RoundKeys<'a> {
    pub enc: &'a [Block; 11],
    pub dec: &'a [Block; 9],
}

/// E(x), with a mask before.
#[inline(always)]
pub fn call<B: Backend>(b: B, enc: &[Block; 11], mask: B::V, x: B::V) -> B::V {
    one_block(b, Enc(enc), x, mask, b.zero())
}

/// A layer, with masks before and behind: the cipher, or its inverse.
#[inline(always)]
fn layer<B: Backend, K: Keys<B>, const N: usize, const SEAL: bool>(
    b: B,
    keys: K,
    mut x: [B::V; N],
    first: [B::V; N],
    last: [B::V; N],
) -> [B::V; N] {
    let keys = Masked { keys, first, last };
    if SEAL {
        b.encrypt(&keys, &mut x);
    } else {
        b.decrypt(&keys, &mut x);
    }
    x
}

/// The map.
#[inline(always)]
fn map<L: Link, B: Backend, const N: usize, const SEAL: bool>(
    b: B,
    before: &mut Before<B::V>,
    x: [B::V; N],
) -> [B::V; N] {
    let (f, mut y) = (Field::new(b), x);
    for j in 0..N {
        y[j] = if SEAL { L::seal(b, &f, before, x[j]) } else { L::open(b, &f, before, x[j]) };
    }
    y
}

/// The map as work between the rounds of the layers of other groups: a register every other
/// round. Behind them the CPU would not see it in time.
struct Mapping<'a, L, V, const SEAL: bool> {
    before: &'a mut Before<V>,
    x: [V; WIDTH],
    link: PhantomData<L>,
}
impl<L: Link, B: Backend, const SEAL: bool> Interleave<B> for Mapping<'_, L, B::V, SEAL> {
    #[inline(always)]
    fn step(&mut self, b: B, r: usize) {
        let j = r / 2;
        if r.is_multiple_of(2) || j >= WIDTH {
            return;
        }
        let f = Field::new(b);
        let x = b.hold(self.x[j]);
        let y = if SEAL { L::seal(b, &f, self.before, x) } else { L::open(b, &f, self.before, x) };
        self.x[j] = b.hold(y);
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

/// Numbers that are doubled from block to block: the registers of two groups, little-endian.
struct Ladder<B: Backend>([B::V; BOTH]);

impl<B: Backend> Ladder<B> {
    #[inline(always)]
    fn new(b: B, p: u128) -> Self {
        let (one, f, g) = (b.one(), Field::new(b.one()), Field::new(b));
        let mut lanes = [one.load(&p.to_le_bytes()); 4];
        for l in 1..B::BLOCKS {
            lanes[l] = f.times_x(one, lanes[0], l as u32);
        }
        let mut it = [b.join(lanes); BOTH];
        for j in 1..BOTH {
            it[j] = g.times_x(b, it[0], (j * B::BLOCKS) as u32);
        }
        Self(it)
    }

    /// Goes on by a group.
    #[inline(always)]
    fn advance(&mut self, b: B) {
        let before = self.0;
        for j in 0..WIDTH {
            self.0[j] = before[WIDTH + j];
            self.0[WIDTH + j] = times_bytes(b, before[j], B::BLOCKS);
        }
    }

    /// The next number, by a register that the compiler may not see through: else it has the
    /// ladder's bytes one by one through the loop before.
    #[inline(always)]
    fn number(&self, b: B) -> u128 {
        let first = b.hold(b.pin(self.0[0]));
        u128::from_le_bytes(b.one().block(b.split(first)[0]))
    }
}

/// A group that is not done.
struct Group<'a, B: Backend> {
    part: InOut<'a>,
    x: [B::V; WIDTH],
    /// The masks before the first layer and behind the second.
    first: [B::V; WIDTH],
    last: [B::V; WIDTH],
}

/// A walk over the groups of a message.
struct Walk<B: Backend> {
    b: B,
    sum: B::V,
    p: Ladder<B>,
    q: Ladder<B>,
    before: Before<B::V>,
}

impl<B: Backend> Walk<B> {
    /// The next group.
    #[inline(always)]
    fn group<'a, L: Link, const SEAL: bool>(&mut self, part: InOut<'a>) -> Group<'a, B> {
        let (b, none) = (self.b, [self.b.zero(); WIDTH]);
        let mut it = Group { part, x: none, first: none, last: none };
        let mut p = [b.zero(); WIDTH + 2];
        for j in 0..WIDTH + 2 {
            p[j] = b.rev(self.p.0[j]);
        }
        for j in 0..WIDTH {
            it.x[j] = it.part.load(b, j * B::BYTES);
            let q = if L::APART { b.rev(self.q.0[j]) } else { p[j] };
            let (up, down) = L::masks(b, [p[j], p[j + 1], p[j + 2]], q);
            if SEAL {
                self.sum = b.xor(self.sum, it.x[j]);
                (it.first[j], it.last[j]) = (up, down);
            } else {
                (it.first[j], it.last[j]) = (down, up);
            }
        }
        self.p.advance(b);
        if L::APART {
            self.q.advance(b);
        }
        it
    }

    /// Writes a group.
    #[inline(always)]
    fn done<const SEAL: bool>(&mut self, mut part: InOut<'_>, x: &[B::V]) {
        let b = self.b;
        for j in 0..WIDTH {
            if !SEAL {
                self.sum = b.xor(self.sum, x[j]);
            }
            part.store(b, j * B::BYTES, x[j]);
        }
    }

    /// All whole groups.
    #[inline(always)]
    fn groups<L: Link, K: Keys<B>, const SEAL: bool>(&mut self, keys: K, io: &mut InOut<'_>) {
        let (b, none, size) = (self.b, [self.b.zero(); WIDTH], WIDTH * B::BYTES);
        let keys = &Spread::new(b, keys);
        let mut before = self.before;
        let mut half = self.group::<L, SEAL>(io.cut(size));
        half.x = layer::<_, _, _, SEAL>(b, keys, half.x, half.first, none);
        if io.len() >= size {
            let mut y = map::<L, _, _, SEAL>(b, &mut before, half.x);
            let mut mapped = half;
            half = self.group::<L, SEAL>(io.cut(size));
            half.x = layer::<_, _, _, SEAL>(b, keys, half.x, half.first, none);
            while let Some(part) = io.take(size) {
                let mut next = self.group::<L, SEAL>(part);
                let (mut x, mut first, mut last) = ([b.zero(); BOTH], [b.zero(); BOTH], [b.zero(); BOTH]);
                for j in 0..WIDTH {
                    (x[j], first[j]) = (next.x[j], next.first[j]);
                    (x[WIDTH + j], last[WIDTH + j]) = (y[j], mapped.last[j]);
                }
                if B::BLOCKS == 4 {
                    let mut work = Mapping::<L, _, SEAL> { before: &mut before, x: half.x, link: PhantomData };
                    let keys = Masked { keys, first, last };
                    if SEAL {
                        b.encrypt_interleaved(&keys, &mut x, &mut work);
                    } else {
                        b.decrypt_interleaved(&keys, &mut x, &mut work);
                    }
                    y = work.x;
                } else {
                    x = layer::<_, _, _, SEAL>(b, keys, x, first, last);
                    y = map::<L, _, _, SEAL>(b, &mut before, half.x);
                }
                self.done::<SEAL>(mapped.part, &x[WIDTH..]);
                next.x.copy_from_slice(&x[..WIDTH]);
                mapped = half;
                half = next;
            }
            let x = layer::<_, _, _, SEAL>(b, keys, y, none, mapped.last);
            self.done::<SEAL>(mapped.part, &x);
        }
        let y = map::<L, _, _, SEAL>(b, &mut before, half.x);
        let x = layer::<_, _, _, SEAL>(b, keys, y, none, half.last);
        self.done::<SEAL>(half.part, &x);
        self.before = before;
    }
}

/// All whole groups of registers.
#[inline(always)]
fn groups<L: Link, B: Backend, const SEAL: bool>(b: B, keys: &RoundKeys<'_>, state: &mut State, io: &mut InOut<'_>) {
    if io.len() < WIDTH * B::BYTES {
        return;
    }
    let one = b.one();
    let p = Ladder::new(b, state.p);
    let q = if L::APART { Ladder::new(b, state.q) } else { Ladder(p.0) };
    let before = L::begin(b, one.load(&state.link));
    let mut walk = Walk { b, sum: b.zero(), p, q, before };
    if SEAL {
        walk.groups::<L, _, SEAL>(Enc(keys.enc), io);
    } else {
        walk.groups::<L, _, SEAL>(Dec(keys.enc, keys.dec), io);
    }
    state.sum = one.block(one.xor(b.fold(walk.sum), one.load(&state.sum)));
    state.link = one.block(b.top(walk.before.w));
    state.p = walk.p.number(b);
    if L::APART {
        state.q = walk.q.number(b);
    }
}

/// Blocks from the front of `io` until fewer than 4 whole ones are left, in the widest
/// registers that they fill.
#[inline(always)]
pub fn walk<L: Link, B: Backend, const SEAL: bool>(b: B, keys: &RoundKeys<'_>, state: &mut State, io: &mut InOut<'_>) {
    groups::<L, B, SEAL>(b, keys, state, io);
    if B::BLOCKS == 4 {
        groups::<L, B::Two, SEAL>(b.two(), keys, state, io);
    }
    if B::BLOCKS > 1 {
        groups::<L, B::One, SEAL>(b.one(), keys, state, io);
    }
}

/// The last blocks of a message with what the mode has behind them, each with its own masks:
/// as many as there are, at most 5, in registers of one block.
pub struct End<V> {
    x: [V; 5],
    up: [V; 5],
    down: [V; 5],
    waiting: usize,
    /// What has come out.
    pub out: [V; 5],
}

impl<V: Copy> End<V> {
    #[inline(always)]
    pub fn new<B: Backend<V = V>>(b: B) -> Self {
        let none = [b.zero(); 5];
        Self { x: none, up: none, down: none, waiting: 0, out: none }
    }

    /// The whole blocks that [`walk`] has left, fewer than 4; `io` keeps them, to be written.
    #[inline(always)]
    pub fn blocks<L: Link, B: Backend<V = V>>(&mut self, b: B, state: &mut State, io: &InOut<'_>) -> usize {
        let n = (io.len() / 16).min(WIDTH - 1);
        for j in 0..n {
            let (up, down) = L::numbers(state.p, state.q);
            self.push(b, io.load(b, 16 * j), up, down);
            state.p = double(state.p);
            state.q = double(state.q);
        }
        n
    }

    /// One more, with the masks' numbers.
    #[inline(always)]
    pub fn push<B: Backend<V = V>>(&mut self, b: B, x: V, up: u128, down: u128) {
        // Pinned in registers: halves of a number stored here would be waited for.
        let j = self.waiting.min(4);
        self.x[j] = x;
        self.up[j] = b.pin(b.load(&up.to_be_bytes()));
        self.down[j] = b.pin(b.load(&down.to_be_bytes()));
        self.waiting = j + 1;
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
            3 => self.pass::<L, B, 3, SEAL>(b, keys, state),
            4 => self.pass::<L, B, 4, SEAL>(b, keys, state),
            _ => self.pass::<L, B, 5, SEAL>(b, keys, state),
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
        let (mut x, mut up, mut down) = (zero, zero, zero);
        for j in 0..N {
            (x[j], up[j], down[j]) = (self.x[j], self.up[j], self.down[j]);
        }
        let mut before = L::begin(b, b.load(&state.link));
        if SEAL {
            x = layer::<_, _, _, SEAL>(b, Enc(keys.enc), x, up, zero);
            x = map::<L, _, _, SEAL>(b, &mut before, x);
            x = layer::<_, _, _, SEAL>(b, Enc(keys.enc), x, zero, down);
        } else {
            let keys = Dec(keys.enc, keys.dec);
            x = layer::<_, _, _, SEAL>(b, keys, x, down, zero);
            x = map::<L, _, _, SEAL>(b, &mut before, x);
            x = layer::<_, _, _, SEAL>(b, keys, x, zero, up);
        }
        state.link = b.block(before.w);
        self.out[..N].copy_from_slice(&x);
        self.waiting = 0;
    }
}

/// The sum of E(block ^ mask) over the whole blocks of `data`; `mask` gives one mask after the
/// other, numbers of big-endian blocks.
#[inline(always)]
pub fn hashed<B: Backend>(b: B, enc: &[Block; 11], data: &[u8], mut mask: impl FnMut() -> u128) -> One<B> {
    let one = b.one();
    let mut masks = [[0; 16]; 4 * WIDE];
    let (mut rest, mut sum) = (data, b.zero());
    let mut used = false;
    while let Some((front, behind)) = rest.split_at_checked(WIDE * B::BYTES) {
        let (mut x, mut first) = ([b.zero(); WIDE], [b.zero(); WIDE]);
        for m in &mut masks[..WIDE * B::BLOCKS] {
            *m = mask().to_be_bytes();
        }
        for j in 0..WIDE {
            x[j] = b.load(&front[j * B::BYTES..]);
            first[j] = b.load(masks[j * B::BLOCKS..].as_flattened());
        }
        b.encrypt(&Masked { keys: Enc(enc), first, last: [b.zero(); WIDE] }, &mut x);
        for j in 0..WIDE {
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
        one.encrypt(&Masked { keys: Enc(enc), first, last: [one.zero(); 4] }, &mut x);
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

/// Whether a block is zero, in constant time.
#[inline(always)]
pub fn is_zero<B: Backend<One = B>>(b: B, v: B::V) -> bool {
    b.begins(v, &[0; 16])
}

/// Whether a block is a message's last `n` bytes, at most 15, and the padding behind them.
#[inline(always)]
pub fn is_padded<B: Backend<One = B>>(b: B, v: B::V, n: usize) -> bool {
    is_zero(b, b.xor(b.xor(v, b.keep(v, n)), b.padding(n)))
}

/// The numbers from 0 to 15, three times.
static PLACES: [u8; 48] = {
    let mut t = [0; 48];
    let mut i = 0;
    while i < 48 {
        t[i] = i as u8 % 16;
        i += 1;
    }
    t
};

/// The bytes of a block in a circle: byte `n`, from 0 to 16, comes first. By a shuffle: bytes
/// that were just stored elsewhere would be waited for.
#[inline(always)]
pub fn turned<B: Backend<One = B>>(b: B, v: B::V, n: usize) -> B::V {
    match PLACES[n.min(16)..].first_chunk() {
        Some(from) => b.permute(v, from),
        None => unreachable!("32 bytes behind the 16th"),
    }
}

/// `front`, at most 16 bytes, and `behind` after it: a block, and the first bytes of the next.
#[inline(always)]
pub fn continued<B: Backend<One = B>>(b: B, front: &[u8], behind: B::V) -> (B::V, B::V) {
    let n = front.len();
    let turned = turned(b, behind, 16 - n.min(16));
    let (over, front) = (b.keep(turned, n), if n == 0 { b.zero() } else { b.load_part(front) });
    (b.xor(front, b.xor(turned, over)), over)
}

/// The end of a message whose last block has `io`'s bytes, 0 to 16: they are the first of `c`;
/// the others of `c`, and as many of `t` as make 16, are the tail.
#[inline(always)]
pub fn store_end<B: Backend<One = B>>(b: B, (c, t): (B::V, B::V), mut io: InOut<'_>, tail: &mut [u8]) {
    let n = io.len().min(16);
    let (front, behind) = (turned(b, c, n), turned(b, t, n));
    b.store(tail, b.xor(b.keep(b.xor(front, behind), 16 - n), behind));
    if n > 0 {
        io.store_part(b, c);
    }
}
