//! Two layers of the cipher with a linear map between them, as COPA and COLM have: what of
//! them does not depend on the mode.
//!
//! The map runs from block to block. Where a register holds four blocks, it is walked four
//! blocks at a time: what a block needs of those before it is in its register or the one
//! before, a few lanes further on.
//!
//! The masks run from block to block too, each twice the one before. They are multiples of the
//! key's L, so the key holds the first of them. Those behind are sums of earlier ones: since
//! x^128 is x^7 + x^2 + x + 1 in the field, a mask is the sum of those 128, 127, 126 and 121
//! blocks before it, which needs loads and XORs and nothing of what the AES units share.
//!
//! Groups go through in three steps, of which three groups are in one each at a time: the first
//! layer, the map, the second layer. No step waits for another one then.

use combseal::cpu::{Backend, Block, Dec, Enc, Interleave, Kernel, Keys};
use combseal::internals::{InOut, Wipe};
use std::marker::PhantomData;

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
    /// 2^n times `v`, before it is reduced: halves shifted left, and what they lose. What all of
    /// them lose, times the modulus, must fit in half a block: 57 bits.
    #[inline(always)]
    pub fn shifted<B: Backend<V = V>>(&self, b: B, v: V, n: u32) -> [V; 2] {
        [b.shl64(v, n), b.shr64(v, 64 - n)]
    }

    /// 2^n times such a product.
    #[inline(always)]
    pub fn further<B: Backend<V = V>>(&self, b: B, [kept, out]: [V; 2], n: u32) -> [V; 2] {
        let [kept, lost] = self.shifted(b, kept, n);
        [kept, b.xor(b.shl64(out, n), lost)]
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

/// What the map between the layers knows of the blocks before: registers that end with the
/// last of them.
#[derive(Clone, Copy)]
pub struct Before<V> {
    /// What it has made of them: what goes from block to block is in the last lane.
    pub w: V,
    /// The same as blocks.
    pub block: V,
    /// The same as it was summed within a group, before it was reduced.
    pub sum: [V; 2],
    /// What it was given.
    pub x: V,
    /// Two by two.
    pub pairs: V,
}

/// What a mode has between the layers, and its masks.
pub trait Link {
    /// Whether the mode has tags between the blocks.
    const TAGS: bool = false;

    /// The masks above, of the register of blocks that begins `k` blocks behind the first of
    /// `masks`.
    fn above<B: Backend, const N: usize>(b: B, masks: &[Block; N], k: usize) -> B::V;

    /// Those below; after intermediate tags, which count as blocks, `masks` begin as many further on.
    fn below<B: Backend, const N: usize>(b: B, masks: &[Block; N], k: usize) -> B::V;

    /// Before a block that `link` goes to.
    fn begin<B: Backend>(b: B, link: One<B>) -> Before<B::V>;

    /// From what the first layer gives to what the second is given. In two steps: the CPU has
    /// other groups in the layers meanwhile, and does not look so far ahead as to have both steps
    /// in one of their rounds' time.
    fn seal_first<B: Backend>(b: B, before: &mut Before<B::V>, x: B::V) -> B::V;
    /// The second step, of register `j` of a group.
    fn seal_then<B: Backend>(b: B, before: &mut Before<B::V>, j: usize, x: B::V) -> B::V;

    /// The same when opening: from the second layer to the first.
    fn open_first<B: Backend>(b: B, before: &mut Before<B::V>, x: B::V) -> B::V;
    /// The second step.
    fn open_then<B: Backend>(b: B, before: &mut Before<B::V>, x: B::V) -> B::V;
}

/// The sum of each block and the one before it.
#[inline(always)]
pub fn pairs<B: Backend>(b: B, before: &mut Before<B::V>, x: B::V) -> B::V {
    let last = before.x;
    before.x = x;
    if B::BLOCKS > 1 { b.xor(x, later(b, last, x, 1)) } else { x }
}

/// The sum of all blocks up to each, from [`pairs`].
#[inline(always)]
pub fn sums<B: Backend>(b: B, before: &mut Before<B::V>, pairs: B::V) -> B::V {
    let mut sum = pairs;
    if B::BLOCKS > 2 {
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

/// The map's first step.
#[inline(always)]
fn first_step<L: Link, B: Backend, const SEAL: bool>(b: B, before: &mut Before<B::V>, x: B::V) -> B::V {
    if SEAL { L::seal_first(b, before, x) } else { L::open_first(b, before, x) }
}

/// The second step, of register `j` of a group.
#[inline(always)]
fn second_step<L: Link, B: Backend, const SEAL: bool>(b: B, before: &mut Before<B::V>, j: usize, x: B::V) -> B::V {
    if SEAL { L::seal_then(b, before, j, x) } else { L::open_then(b, before, x) }
}

/// The first step of all.
#[inline(always)]
fn prepared<L: Link, B: Backend, const N: usize, const SEAL: bool>(
    b: B,
    before: &mut Before<B::V>,
    x: [B::V; N],
) -> [B::V; N] {
    let mut y = x;
    for j in 0..N {
        y[j] = first_step::<L, B, SEAL>(b, before, x[j]);
    }
    y
}

/// The second step of all, and what has gone from block to block.
#[inline(always)]
fn mapped<L: Link, B: Backend, const N: usize, const SEAL: bool>(
    b: B,
    before: &mut Before<B::V>,
    x: [B::V; N],
) -> [[B::V; N]; 2] {
    let (mut y, mut w) = (x, x);
    for j in 0..N {
        y[j] = second_step::<L, B, SEAL>(b, before, j, x[j]);
        w[j] = before.w;
    }
    [y, w]
}

/// Both steps.
#[inline(always)]
fn map<L: Link, B: Backend, const N: usize, const SEAL: bool>(
    b: B,
    before: &mut Before<B::V>,
    x: [B::V; N],
) -> [[B::V; N]; 2] {
    let x = prepared::<L, B, N, SEAL>(b, before, x);
    mapped::<L, B, N, SEAL>(b, before, x)
}

/// The map as work between the rounds of the layers of other groups: the first step of one
/// group, the second of the one before it, a register of each every other round.
struct Mapping<'a, L, V, const SEAL: bool> {
    before: &'a mut Before<V>,
    /// For the first step.
    x: [V; WIDTH],
    /// For the second.
    y: [V; WIDTH],
    w: [V; WIDTH],
    link: PhantomData<L>,
}
impl<L: Link, B: Backend, const SEAL: bool> Interleave<B> for Mapping<'_, L, B::V, SEAL> {
    #[inline(always)]
    fn step(&mut self, b: B, r: usize) {
        let j = (r - 1) / 2;
        if j >= WIDTH {
            return;
        }
        if r % 2 == 1 {
            let y = second_step::<L, B, SEAL>(b, self.before, j, b.hold(self.y[j]));
            (self.w[j], self.y[j]) = (self.before.w, b.hold(y));
        } else {
            self.x[j] = b.hold(first_step::<L, B, SEAL>(b, self.before, b.hold(self.x[j])));
        }
    }
}

/// What goes from block to block of a message.
pub struct State<'m> {
    /// What the mode's map carries.
    pub link: Block,
    /// The sum of the plaintext's blocks.
    pub sum: Block,
    /// How many blocks have gone.
    pub blocks: usize,
    pub masks: Masks<'m>,
    pub tags: Tags<'m>,
}

impl<'m> State<'m> {
    /// Before the first block; no tags between the blocks.
    #[inline(always)]
    pub fn new(link: Block, masks: Masks<'m>) -> Self {
        Self { link, sum: [0; 16], blocks: 0, masks, tags: Tags::new(&mut []) }
    }
}

/// Blocks from one tag to the next: known here, for where a group has one is asked several times a group, and a
/// division takes long.
pub const INTERVAL: usize = 127;

/// Tags between the blocks of a message.
pub struct Tags<'m> {
    /// What they are made of, and then the tags.
    to: &'m mut [Block],
    /// What is added to them behind the cipher.
    masks: &'m mut [Block],
    /// Those before the blocks that [`pass`](Self::pass) has not been asked about.
    passed: usize,
    /// Behind how many blocks of the message the next one is.
    next: usize,
}

/// Where tags are, as some blocks see it: what [`Tags::pass`] says.
#[derive(Clone, Copy)]
pub struct Cut {
    pub tags: usize,
    pub behind: usize,
}
/// No tags.
const UNCUT: Cut = Cut { tags: 0, behind: usize::MAX };

impl<'m> Tags<'m> {
    /// The first half of `room`, and in the other half what they are made of.
    #[inline(always)]
    pub fn new(room: &'m mut [Block]) -> Self {
        let (to, masks) = room.split_at_mut(room.len() / 2);
        let next = if to.is_empty() { usize::MAX } else { INTERVAL };
        Self { to, masks, passed: 0, next }
    }

    /// How many there are before block `i`, counted from zero.
    #[inline(always)]
    pub fn before(&self, i: usize) -> usize {
        (i / INTERVAL).min(self.to.len())
    }

    /// Of the next `n` blocks, which begin with block `i` and are no more than an interval: how many tags there are
    /// before them, and behind how many of them one is; if that is more than `n`, none.
    #[inline(always)]
    pub fn pass(&mut self, i: usize, n: usize) -> Cut {
        let it = Cut { tags: self.passed, behind: self.next - i };
        if it.behind <= n {
            self.passed += 1;
            self.next = if self.passed < self.to.len() { self.next + INTERVAL } else { usize::MAX };
        }
        it
    }

    /// Tag `k` is to be made of what the map has carried as far as there.
    #[inline(always)]
    pub fn note<B: Backend<One = B>>(&mut self, b: B, k: usize, w: B::V, mask: B::V) {
        b.store(&mut self.to[k], b.rev(w));
        b.store(&mut self.masks[k], mask);
    }

    /// Makes the first `n` tags, all at once: one by one they would be waited for.
    #[inline(always)]
    pub fn make<B: Backend>(&mut self, b: B, enc: &[Block; 11], n: usize) {
        let (to, masks) = (&mut self.to[..n], &mut self.masks[..n]);
        for (to, mask) in to.chunks_mut(B::BLOCKS).zip(masks.chunks_mut(B::BLOCKS)) {
            let x = one_block(b, Enc(enc), b.load_part(to.as_flattened()), b.zero(), b.load_part(mask.as_flattened()));
            b.store_part(to.as_flattened_mut(), x);
            mask.as_flattened_mut().wipe();
        }
    }
}

/// A mask is the sum of earlier ones, of which the first is as many blocks before.
const PERIOD: usize = 128;
/// As many masks in a row as a group's registers are made of.
const NEAR: usize = 64;
/// Masks that a key holds.
pub const WINDOW: usize = PERIOD + NEAR;

/// Masks in a row.
pub type Near = [Block; NEAR];

/// Numbers of which each is twice the one before, big-endian.
pub fn doubles(first: u128, to: &mut [Block; WINDOW]) {
    let mut number = first;
    for it in to {
        *it = number.to_be_bytes();
        number = double(number);
    }
}

/// The register that begins with the `k`th of the masks.
#[inline(always)]
pub fn mask<B: Backend, const N: usize>(b: B, masks: &[Block; N], k: usize) -> B::V {
    b.load(&masks.as_flattened()[16 * k..])
}

/// Those from the `k`th on. Cut off once for all registers of a group: there is one check then that they are there.
#[inline(always)]
pub fn masks_from<const N: usize>(near: &Near, k: usize) -> &[Block; N] {
    match near[k..].first_chunk() {
        Some(masks) => masks,
        None => unreachable!("fewer blocks and tags than masks"),
    }
}

/// What one block needs of them.
pub type OfOne = [Block; 3];
/// What a group needs.
type OfGroup = [Block; 4 * WIDTH + 2];

/// The masks of a message.
pub struct Masks<'m> {
    /// The first ones.
    key: &'m [Block; WINDOW],
    /// Those behind the first 128, if the message needs them: in a circle of 128, the first of
    /// which are there again at the end.
    further: Option<&'m mut [Block; WINDOW]>,
    /// How many of the first are overwritten there.
    gone: usize,
}

/// Room for the masks that the key does not hold, in parts as long as the widest register.
// Aligned, so that no register of masks is written or read across two cache lines.
#[repr(C, align(64))]
pub struct Room([[Block; 4]; WINDOW / 4]);

/// Whether a message of `blocks` blocks needs it.
#[inline(always)]
pub fn is_long(blocks: usize) -> bool {
    blocks > PERIOD - 8
}

/// What is done with a [`Room`], which lies in a frame of the stack of its own and not in that of every message.
///
/// By reference, one word: what a closure holds is written word by word and copied in wider pieces, and those loads
/// wait until the message before is done.
pub struct Long<'f, F>(pub &'f mut F);
impl<T, F: FnMut(&mut Room) -> T> Kernel for Long<'_, F> {
    type Out = T;
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> T {
        // Zeros of which the compiler does not know: else it would fill the room by `memset`, which
        // for so many bytes takes a string instruction that needs long to begin.
        let (zero, mut part) = (b.hold(b.pin(b.zero())), [[0; 16]; 4]);
        for j in 0..4 / B::BLOCKS {
            b.store(part[j * B::BLOCKS..].as_flattened_mut(), zero);
        }
        let mut room = Room([part; WINDOW / 4]);
        (self.0)(&mut room)
    }
}

impl<'m> Masks<'m> {
    #[inline(always)]
    pub fn new(key: &'m [Block; WINDOW], room: Option<&'m mut Room>) -> Self {
        let further = room.and_then(|room| room.0.as_flattened_mut().first_chunk_mut());
        Self { key, further, gone: 0 }
    }

    /// From that of block `i` on, counted from zero.
    #[inline(always)]
    pub fn near(&self, i: usize) -> &Near {
        let window = match &self.further {
            Some(it) if i >= PERIOD => it,
            _ => self.key,
        };
        match window[i % PERIOD..].first_chunk() {
            Some(near) => near,
            None => unreachable!("a place is below 128"),
        }
    }

    /// That of block `i`.
    #[inline(always)]
    pub fn number(&self, i: usize) -> u128 {
        u128::from_be_bytes(self.near(i)[0])
    }

    /// That before the one of block `i`; `first` is that before the first.
    #[inline(always)]
    pub fn before<B: Backend<One = B>>(&self, b: B, i: usize, first: &Block) -> B::V {
        let before = i.wrapping_sub(1) % PERIOD;
        let v = match &self.further {
            Some(it) if i > PERIOD => b.load(&it[before]),
            _ => b.load(if i == 0 { first } else { &self.key[before] }),
        };
        if i <= PERIOD || i > self.gone {
            return v;
        }
        // In its place is the one 128 blocks further on.
        let near = self.near(i);
        b.xor(b.xor(v, mask(b, near, 0)), b.xor(mask(b, near, 1), mask(b, near, 6)))
    }

    /// The masks of the `WIDTH` registers of blocks from `i` on are not needed any more: in
    /// their places come those 128 blocks further on.
    #[inline(always)]
    fn done<B: Backend>(&mut self, b: B, i: usize) {
        if self.further.is_none() {
            return;
        }
        let (near, mut next) = (self.near(i), [b.zero(); WIDTH]);
        for j in 0..WIDTH {
            let k = j * B::BLOCKS;
            let three = b.xor(b.xor(mask(b, near, k), mask(b, near, k + 1)), mask(b, near, k + 2));
            next[j] = b.xor(three, mask(b, near, k + 7));
        }
        self.gone = i + WIDTH * B::BLOCKS;
        let at = i % PERIOD;
        if let Some(to) = &mut self.further {
            for j in 0..WIDTH {
                b.store(to[at + j * B::BLOCKS..].as_flattened_mut(), next[j]);
            }
            if at < NEAR {
                for j in 0..WIDTH {
                    b.store(to[PERIOD + at + j * B::BLOCKS..].as_flattened_mut(), next[j]);
                }
            }
        }
    }
}

impl Drop for Masks<'_> {
    /// Wipes those that were made for the message; in parts, for the same reason.
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(it) = &mut self.further {
            for part in it.as_chunks_mut::<NEAR>().0 {
                part.wipe();
            }
        }
    }
}

/// Ones from place `n` on of the registers of a group that begins `n` blocks before the middle.
static BEHIND: [Block; 8 * WIDTH] = {
    let mut t = [[0; 16]; 8 * WIDTH];
    let mut i = 4 * WIDTH;
    while i < 8 * WIDTH {
        t[i] = [0xff; 16];
        i += 1;
    }
    t
};

/// A group that is not done.
struct Group<'a, B: Backend> {
    part: InOut<'a>,
    /// The number of its first block.
    i: usize,
    cut: Cut,
    x: [B::V; WIDTH],
}

/// A walk over the groups of a message.
struct Walk<'s, 'm, B: Backend> {
    b: B,
    sum: B::V,
    state: &'s mut State<'m>,
    before: Before<B::V>,
}

impl<B: Backend> Walk<'_, '_, B> {
    /// The next group.
    #[inline(always)]
    fn group<'a, L: Link, const SEAL: bool>(&mut self, part: InOut<'a>) -> Group<'a, B> {
        let b = self.b;
        let i = self.state.blocks;
        let cut = if L::TAGS { self.state.tags.pass(i, WIDTH * B::BLOCKS) } else { UNCUT };
        let mut it = Group { part, i, cut, x: [b.zero(); WIDTH] };
        for j in 0..WIDTH {
            it.x[j] = it.part.load(b, j * B::BYTES);
            if SEAL {
                self.sum = b.xor(self.sum, it.x[j]);
            }
        }
        self.state.blocks += WIDTH * B::BLOCKS;
        it
    }

    /// The masks above the `N` registers from block `i` on.
    #[inline(always)]
    fn above<L: Link, const N: usize>(&self, i: usize) -> [B::V; N] {
        let (b, near) = (self.b, self.state.masks.near(i));
        let (from, mut masks): (&OfGroup, _) = (masks_from(near, 0), [b.zero(); N]);
        for j in 0..N {
            masks[j] = L::above(b, from, j * B::BLOCKS);
        }
        masks
    }

    /// The masks below them.
    #[inline(always)]
    fn below<L: Link, const N: usize>(&self, i: usize, cut: Cut) -> [B::V; N] {
        let (b, near, n) = (self.b, self.state.masks.near(i), N * B::BLOCKS);
        let tags = if L::TAGS { cut.tags } else { 0 };
        let (from, mut masks): (&OfGroup, _) = (masks_from(near, tags), [b.zero(); N]);
        for j in 0..N {
            masks[j] = L::below(b, from, j * B::BLOCKS);
        }
        if L::TAGS && cut.behind <= n {
            // Behind a tag they are those of blocks one further on.
            let from: &OfGroup = masks_from(near, tags + 1);
            for j in 0..N {
                let k = j * B::BLOCKS;
                let further = L::below(b, from, k);
                let change =
                    b.and(b.xor(masks[j], further), b.load(BEHIND[4 * WIDTH - cut.behind + k..].as_flattened()));
                masks[j] = b.xor(masks[j], change);
            }
        }
        masks
    }

    /// The masks before the first layer.
    #[inline(always)]
    fn first<L: Link, const N: usize, const SEAL: bool>(&self, i: usize, cut: Cut) -> [B::V; N] {
        if SEAL { self.above::<L, N>(i) } else { self.below::<L, N>(i, cut) }
    }

    /// The masks behind the second layer.
    #[inline(always)]
    fn last<L: Link, const N: usize, const SEAL: bool>(&self, i: usize, cut: Cut) -> [B::V; N] {
        if SEAL { self.below::<L, N>(i, cut) } else { self.above::<L, N>(i) }
    }

    /// The tag in a group, of what the map has carried there.
    #[inline(always)]
    fn tag<L: Link, const N: usize>(&mut self, i: usize, cut: Cut, w: &[B::V; N]) {
        if L::TAGS && cut.behind <= N * B::BLOCKS {
            let Cut { tags: k, behind: cut } = cut;
            let (one, mut all) = (self.b.one(), [[0; 16]; 4 * WIDTH]);
            for j in 0..N {
                self.b.store(all[j * B::BLOCKS..].as_flattened_mut(), w[j]);
            }
            let from: &OfOne = masks_from(self.state.masks.near(i), cut + k);
            let mask = L::below(one, from, 0);
            self.state.tags.note(one, k, one.load(&all[cut - 1]), mask);
        }
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

    /// Groups of `N / WIDTH` through the first layer.
    #[inline(always)]
    fn through<L: Link, K: Keys<B>, const N: usize, const SEAL: bool>(
        &mut self,
        keys: K,
        x: [B::V; N],
        (i, cut): (usize, Cut),
    ) -> [B::V; N] {
        layer::<_, _, _, SEAL>(self.b, keys, x, self.first::<L, N, SEAL>(i, cut), [self.b.zero(); N])
    }

    /// A group through the second layer.
    #[inline(always)]
    fn finish<L: Link, K: Keys<B>, const SEAL: bool>(&mut self, keys: K, group: Group<'_, B>) {
        let b = self.b;
        let last = self.last::<L, WIDTH, SEAL>(group.i, group.cut);
        self.state.masks.done(b, group.i);
        let x = layer::<_, _, _, SEAL>(b, keys, group.x, [b.zero(); WIDTH], last);
        self.done::<SEAL>(group.part, &x);
    }

    /// All whole groups.
    #[inline(always)]
    fn groups<L: Link, K: Keys<B>, const SEAL: bool>(&mut self, keys: K, io: &mut InOut<'_>) {
        let (b, none, size) = (self.b, [self.b.zero(); WIDTH], WIDTH * B::BYTES);
        let keys = &Spread::new(b, keys);
        // Through the first layer, then through the map's first step, then through the second.
        let mut half = self.group::<L, SEAL>(io.cut(size));
        half.x = self.through::<L, _, WIDTH, SEAL>(keys, half.x, (half.i, half.cut));
        if io.len() >= size {
            let mut prepared = half;
            half = self.group::<L, SEAL>(io.cut(size));
            half.x = self.through::<L, _, WIDTH, SEAL>(keys, half.x, (half.i, half.cut));
            let mut before = self.before;
            prepared.x = self::prepared::<L, B, WIDTH, SEAL>(b, &mut before, prepared.x);
            if io.len() >= size {
                let [y, w] = self::mapped::<L, B, WIDTH, SEAL>(b, &mut before, prepared.x);
                self.tag::<L, WIDTH>(prepared.i, prepared.cut, &w);
                let mut mapped = prepared;
                mapped.x = y;
                prepared = half;
                prepared.x = self::prepared::<L, B, WIDTH, SEAL>(b, &mut before, prepared.x);
                half = self.group::<L, SEAL>(io.cut(size));
                half.x = self.through::<L, _, WIDTH, SEAL>(keys, half.x, (half.i, half.cut));
                while let Some(part) = io.take(size) {
                    let mut next = self.group::<L, SEAL>(part);
                    let (mut x, mut first, mut last) = ([b.zero(); BOTH], [b.zero(); BOTH], [b.zero(); BOTH]);
                    first[..WIDTH].copy_from_slice(&self.first::<L, WIDTH, SEAL>(next.i, next.cut));
                    last[WIDTH..].copy_from_slice(&self.last::<L, WIDTH, SEAL>(mapped.i, mapped.cut));
                    self.state.masks.done(b, mapped.i);
                    x[..WIDTH].copy_from_slice(&next.x);
                    x[WIDTH..].copy_from_slice(&mapped.x);
                    let (y, w);
                    if B::BLOCKS == 4 {
                        let mut work = Mapping::<L, _, SEAL> {
                            before: &mut before,
                            x: half.x,
                            y: prepared.x,
                            w: none,
                            link: PhantomData,
                        };
                        let keys = Masked { keys, first, last };
                        if SEAL {
                            b.encrypt_interleaved(&keys, &mut x, &mut work);
                        } else {
                            b.decrypt_interleaved(&keys, &mut x, &mut work);
                        }
                        (half.x, y, w) = (work.x, work.y, work.w);
                    } else {
                        x = layer::<_, _, _, SEAL>(b, keys, x, first, last);
                        [y, w] = self::mapped::<L, B, WIDTH, SEAL>(b, &mut before, prepared.x);
                        half.x = self::prepared::<L, B, WIDTH, SEAL>(b, &mut before, half.x);
                    }
                    self.tag::<L, WIDTH>(prepared.i, prepared.cut, &w);
                    self.done::<SEAL>(mapped.part, &x[WIDTH..]);
                    next.x.copy_from_slice(&x[..WIDTH]);
                    mapped = Group { x: y, ..prepared };
                    (prepared, half) = (half, next);
                }
                self.finish::<L, _, SEAL>(keys, mapped);
            }
            let [y, w] = self::mapped::<L, B, WIDTH, SEAL>(b, &mut before, prepared.x);
            self.tag::<L, WIDTH>(prepared.i, prepared.cut, &w);
            self.before = before;
            self.finish::<L, _, SEAL>(keys, Group { x: y, ..prepared });
        }
        let mut before = self.before;
        let [y, w] = map::<L, B, WIDTH, SEAL>(b, &mut before, half.x);
        self.before = before;
        self.tag::<L, WIDTH>(half.i, half.cut, &w);
        self.finish::<L, _, SEAL>(keys, Group { x: y, ..half });
    }
}

/// The whole registers behind the last group, after the first layer and the map; what else a
/// message has goes through the first layer before these go through the second.
pub struct Rest<'a, B: Backend> {
    part: InOut<'a>,
    i: usize,
    cut: Cut,
    y: [B::V; WIDTH],
}

impl<'a, B: Backend> Rest<'a, B> {
    /// The first layer and the map.
    #[inline(always)]
    fn begin<L: Link, const N: usize, const SEAL: bool>(
        b: B,
        keys: &RoundKeys<'_>,
        state: &mut State<'_>,
        part: InOut<'a>,
    ) -> Self {
        let (one, none, i) = (b.one(), [b.zero(); N], state.blocks);
        let mut before = L::begin(b, one.load(&state.link));
        let (mut x, mut sum) = (none, b.zero());
        for j in 0..N {
            x[j] = part.load(b, j * B::BYTES);
            sum = b.xor(sum, x[j]);
        }
        if SEAL {
            state.sum = one.block(one.xor(b.fold(sum), one.load(&state.sum)));
        }
        let mut walk = Walk { b, sum, state, before };
        let cut = if L::TAGS { walk.state.tags.pass(i, N * B::BLOCKS) } else { UNCUT };
        let first = walk.first::<L, N, SEAL>(i, cut);
        if SEAL {
            x = layer::<_, _, _, SEAL>(b, Enc(keys.enc), x, first, none);
        } else {
            x = layer::<_, _, _, SEAL>(b, Dec(keys.enc, keys.dec), x, first, none);
        }
        let [y, w] = map::<L, B, N, SEAL>(b, &mut before, x);
        walk.tag::<L, N>(i, cut, &w);
        state.link = one.block(b.top(before.w));
        state.blocks += N * B::BLOCKS;
        let mut it = Self { part, i, cut, y: [b.zero(); WIDTH] };
        it.y[..N].copy_from_slice(&y);
        it
    }

    /// The second layer.
    #[inline(always)]
    pub fn finish<L: Link, const SEAL: bool>(self, b: B, keys: &RoundKeys<'_>, state: &mut State<'_>) {
        match self.part.len() / B::BYTES {
            0 => {}
            1 => self.end::<L, 1, SEAL>(b, keys, state),
            2 => self.end::<L, 2, SEAL>(b, keys, state),
            _ => self.end::<L, 3, SEAL>(b, keys, state),
        }
    }

    #[inline(always)]
    fn end<L: Link, const N: usize, const SEAL: bool>(mut self, b: B, keys: &RoundKeys<'_>, state: &mut State<'_>) {
        let (one, none) = (b.one(), [b.zero(); N]);
        let mut y = none;
        y.copy_from_slice(&self.y[..N]);
        let before = L::begin(b, one.zero());
        let last = Walk { b, sum: b.zero(), state, before }.last::<L, N, SEAL>(self.i, self.cut);
        if SEAL {
            y = layer::<_, _, _, SEAL>(b, Enc(keys.enc), y, none, last);
        } else {
            y = layer::<_, _, _, SEAL>(b, Dec(keys.enc, keys.dec), y, none, last);
        }
        let mut sum = b.zero();
        for j in 0..N {
            sum = b.xor(sum, y[j]);
            self.part.store(b, j * B::BYTES, y[j]);
        }
        if !SEAL {
            state.sum = one.block(one.xor(b.fold(sum), one.load(&state.sum)));
        }
    }
}

/// All whole registers from the front of `io`; fewer than 4 whole blocks are left. The last
/// ones are not finished.
#[inline(always)]
pub fn walk<'a, L: Link, B: Backend, const SEAL: bool>(
    b: B,
    keys: &RoundKeys<'_>,
    state: &mut State<'_>,
    io: &mut InOut<'a>,
) -> Rest<'a, B> {
    if io.len() >= WIDTH * B::BYTES {
        let one = b.one();
        let before = L::begin(b, one.load(&state.link));
        let mut walk = Walk { b, sum: b.zero(), state, before };
        if SEAL {
            walk.groups::<L, _, SEAL>(Enc(keys.enc), io);
        } else {
            walk.groups::<L, _, SEAL>(Dec(keys.enc, keys.dec), io);
        }
        let (sum, w) = (b.fold(walk.sum), b.top(walk.before.w));
        state.sum = one.block(one.xor(sum, one.load(&state.sum)));
        state.link = one.block(w);
    }
    let n = if B::BLOCKS == 1 { 0 } else { io.len() / B::BYTES };
    let part = io.cut(n * B::BYTES);
    match n {
        0 => Rest { part, i: 0, cut: UNCUT, y: [b.zero(); WIDTH] },
        1 => Rest::begin::<L, 1, SEAL>(b, keys, state, part),
        2 => Rest::begin::<L, 2, SEAL>(b, keys, state, part),
        _ => Rest::begin::<L, 3, SEAL>(b, keys, state, part),
    }
}

/// The last blocks of a message with what the mode has behind them, each with its own masks:
/// as many as there are, at most 5, in registers of one block.
pub struct End<V> {
    x: [V; 5],
    up: [V; 5],
    down: [V; 5],
    /// One more than wait. Zero at first, it would be written with the registers' zeros, by a wide store that may be in two
    /// cache lines; what reads a part of such a store waits until all that is before it has been done.
    next: usize,
    /// What has come out.
    pub out: [V; 5],
}

impl<V: Copy> End<V> {
    #[inline(always)]
    pub fn new<B: Backend<V = V>>(b: B) -> Self {
        let none = [b.zero(); 5];
        Self { x: none, up: none, down: none, next: 1, out: none }
    }

    /// The whole blocks that [`walk`] has left, fewer than 4; `io` keeps them, to be written.
    #[inline(always)]
    pub fn blocks<L: Link, B: Backend<V = V>>(&mut self, b: B, state: &State<'_>, io: &InOut<'_>) -> usize {
        let n = (io.len() / 16).min(WIDTH - 1);
        for j in 0..n {
            self.block::<L, B>(b, state, io, j);
        }
        n
    }

    /// The `j`th of them.
    #[inline(always)]
    pub fn block<L: Link, B: Backend<V = V>>(&mut self, b: B, state: &State<'_>, io: &InOut<'_>, j: usize) {
        let near = state.masks.near(state.blocks);
        let tags = if L::TAGS { state.tags.before(state.blocks + j) } else { 0 };
        let (above, below): (&OfOne, &OfOne) = (masks_from(near, j), masks_from(near, j + tags));
        self.push(io.load(b, 16 * j), L::above(b, above, 0), L::below(b, below, 0));
    }

    /// One more, with its masks.
    #[inline(always)]
    pub fn push(&mut self, x: V, up: V, down: V) {
        let j = self.next.saturating_sub(1).min(4);
        (self.x[j], self.up[j], self.down[j]) = (x, up, down);
        self.next = j + 2;
    }

    /// The same, of their numbers.
    #[inline(always)]
    pub fn push_numbers<B: Backend<V = V>>(&mut self, b: B, x: V, up: u128, down: u128) {
        // Pinned in registers: halves of a number stored here would be waited for.
        let [up, down] = [up, down].map(|it| it.to_be_bytes());
        self.push(x, b.pin(b.load(&up)), b.pin(b.load(&down)));
    }

    /// All that wait, through both layers.
    #[inline(always)]
    pub fn run<L: Link, B: Backend<V = V, One = B>, const SEAL: bool>(
        &mut self,
        b: B,
        keys: &RoundKeys<'_>,
        state: &mut State<'_>,
    ) {
        match self.next {
            1 => {}
            2 => self.pass::<L, B, 1, SEAL>(b, keys, state),
            3 => self.pass::<L, B, 2, SEAL>(b, keys, state),
            4 => self.pass::<L, B, 3, SEAL>(b, keys, state),
            5 => self.pass::<L, B, 4, SEAL>(b, keys, state),
            _ => self.pass::<L, B, 5, SEAL>(b, keys, state),
        }
    }

    #[inline(always)]
    fn pass<L: Link, B: Backend<V = V, One = B>, const N: usize, const SEAL: bool>(
        &mut self,
        b: B,
        keys: &RoundKeys<'_>,
        state: &mut State<'_>,
    ) {
        let zero = [b.zero(); N];
        let (mut x, mut up, mut down) = (zero, zero, zero);
        for j in 0..N {
            (x[j], up[j], down[j]) = (self.x[j], self.up[j], self.down[j]);
        }
        let mut before = L::begin(b, b.load(&state.link));
        if SEAL {
            x = layer::<_, _, _, SEAL>(b, Enc(keys.enc), x, up, zero);
            [x, _] = map::<L, _, _, SEAL>(b, &mut before, x);
            x = layer::<_, _, _, SEAL>(b, Enc(keys.enc), x, zero, down);
        } else {
            let keys = Dec(keys.enc, keys.dec);
            x = layer::<_, _, _, SEAL>(b, keys, x, down, zero);
            [x, _] = map::<L, _, _, SEAL>(b, &mut before, x);
            x = layer::<_, _, _, SEAL>(b, keys, x, zero, up);
        }
        state.link = b.block(before.w);
        self.out[..N].copy_from_slice(&x);
        self.next = 1;
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
