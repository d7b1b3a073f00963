//! CBC-MAC chains: the serial heart of CCM, EAX, SIV and CMAC.
//!
//! A chain costs the AES's latency for each block (4 cycles a round), so
//! nothing else may stand in its way: a state waits with round key 0 and its
//! block already in, and the last round key of one block brings in the next
//! (`last ^ first ^ M`), which is ready long before. Beneath a chain there is
//! room for a counter mode and for other chains, which is what [`Duet`] and
//! [`walk`] do; a register in flight is a lane, and lanes know nothing of each
//! other, so a comb fills them with other messages.

use crate::cpu::InOut;
use crate::cpu::{Backend, Block, Keys};

/// Round keys whose first is already in the state and whose last is `last`.
struct Folded<'a, K, V, const N: usize> {
    keys: &'a K,
    last: [V; N],
}
impl<B: Backend, K: Keys<B>, const N: usize> Keys<B> for Folded<'_, K, B::V, N> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    const TIED: bool = K::TIED;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        if r == 0 {
            b.zero()
        } else if r == K::ROUNDS {
            self.last[j]
        } else {
            self.keys.get(b, r, j)
        }
    }
}

/// The AES on states that have round key 0 in them, with `last` for last round
/// keys. Nothing but the rounds is on the way from `x` to the result.
#[inline(always)]
pub(crate) fn rounds<B: Backend, K: Keys<B>, const N: usize>(
    b: B,
    keys: &K,
    mut x: [B::V; N],
    last: [B::V; N],
) -> [B::V; N] {
    b.encrypt(&Folded { keys, last }, &mut x);
    x
}

/// The round keys at the edges of a lane's blocks.
#[derive(Clone, Copy)]
pub(crate) struct Edge<V> {
    /// Round key 0.
    pub first: V,
    /// The last round key.
    pub last: V,
    /// Both: from one block of a chain to the next.
    pub turn: V,
}
impl<V: Copy> Edge<V> {
    /// Those of lane `j`.
    #[inline(always)]
    pub fn new<B: Backend<V = V>, K: Keys<B>>(b: B, keys: &K, j: usize) -> Self {
        let (first, last) = (keys.get(b, 0, j), keys.get(b, K::ROUNDS, j));
        Self { first, last, turn: b.xor(first, last) }
    }
}

/// A chain whose blocks come one by one.
#[derive(Clone, Copy)]
pub(crate) struct Chain<V> {
    /// The state, with round key 0 and the blocks so far.
    pub x: V,
    /// Whether the cipher is due before the next block.
    pub due: bool,
}
impl<V: Copy> Chain<V> {
    /// Takes in `block`.
    #[inline(always)]
    pub fn absorb<B: Backend<V = V>, K: Keys<B>>(&mut self, b: B, keys: &K, edge: &Edge<V>, block: V) {
        if self.due {
            [self.x] = rounds(b, keys, [self.x], [b.xor(edge.turn, block)]);
        } else {
            self.x = b.xor(self.x, block);
            self.due = true;
        }
    }
}

/// CMAC's subkeys, L doubled once and twice (SP 800-38B, 6.1): `[0]` for a
/// whole last block, `[1]` for a padded one.
pub(crate) type Subkeys = [Block; 2];

/// 2B in GF(2^128), big-endian.
#[inline(always)]
pub(crate) fn double(x: u128) -> u128 {
    x << 1 ^ 0x87 & 0u128.wrapping_sub(x >> 127)
}

/// Sixteen zeros, 0x80, zeros: padding that begins at byte `n` is at `16 - n`.
static STOP: [u8; 32] = {
    let mut t = [0; 32];
    t[16] = 0x80;
    t
};

/// 0x80 at byte `n` of a block, at most 15.
#[inline(always)]
pub(crate) fn stop<B: Backend>(b: B, n: usize) -> B::V {
    b.load(&STOP[16 - n % 16..])
}

/// What CMAC adds to a last block of `n` bytes, at most 16.
#[inline(always)]
pub(crate) fn closing<B: Backend>(b: B, sub: &Subkeys, n: usize) -> B::V {
    if n == 16 { b.splat(&sub[0]) } else { b.xor(b.splat(&sub[1]), stop(b, n)) }
}

/// A chain on its way over a byte string, to the end of its CMAC or not so far.
#[derive(Clone, Copy)]
pub(crate) struct Lane<'a, V> {
    /// The state, as in [`Chain`]; the CMAC when nothing is left.
    pub x: V,
    /// What the state has not taken in.
    rest: &'a [u8],
    /// Calls of the cipher still to be made.
    pub left: usize,
    sub: &'a Subkeys,
}
impl<'a, V: Copy> Lane<'a, V> {
    /// The CMAC of `data`, the chain beginning with `start` rather than zero.
    #[inline(always)]
    pub fn new<B: Backend<V = V>>(b: B, edge: &Edge<V>, sub: &'a Subkeys, start: V, data: &'a [u8]) -> Self {
        let mut it = Self { x: b.xor(edge.first, start), rest: data, left: data.len().div_ceil(16).max(1), sub };
        let block = it.block(b);
        it.x = b.xor(it.x, block);
        it
    }

    /// The CMAC of the one whole block `block`.
    #[inline(always)]
    pub fn whole<B: Backend<V = V>>(b: B, edge: &Edge<V>, sub: &'a Subkeys, block: V) -> Self {
        let x = b.xor(b.xor(edge.first, block), b.splat(&sub[0]));
        Self { x, rest: &[], left: 1, sub }
    }

    /// A chain over the first `blocks` blocks of `data`, which has more, that
    /// stops before the cipher is called for the last of them.
    #[inline(always)]
    pub fn prefix<B: Backend<V = V>>(b: B, edge: &Edge<V>, sub: &'a Subkeys, data: &'a [u8], blocks: usize) -> Self {
        let mut it = Self { x: edge.first, rest: data, left: 0, sub };
        if blocks > 0 {
            it.left = blocks - 1;
            let block = it.block(b);
            it.x = b.xor(it.x, block);
        }
        it
    }

    /// A lane with nothing to do.
    #[inline(always)]
    pub fn idle<B: Backend<V = V>>(b: B, sub: &'a Subkeys) -> Self {
        Self { x: b.zero(), rest: &[], left: 0, sub }
    }

    /// Steps that take in a whole block which is not the last.
    #[inline(always)]
    fn plain(&self) -> usize {
        self.left.min(self.rest.len().saturating_sub(1) / 16)
    }

    /// A whole block, if there is one.
    #[inline(always)]
    fn take<B: Backend<V = V>>(&mut self, b: B) -> V {
        let Some((block, rest)) = self.rest.split_first_chunk::<16>() else { return b.zero() };
        self.rest = rest;
        b.load(block)
    }

    /// The next block, closed if it is the last.
    #[inline(always)]
    fn block<B: Backend<V = V>>(&mut self, b: B) -> V {
        if self.rest.len() > 16 {
            return self.take(b);
        }
        let last = core::mem::take(&mut self.rest);
        let mask = closing(b, self.sub, last.len());
        // A masked load of nothing from nowhere costs hundreds of cycles.
        if last.is_empty() { mask } else { b.xor(b.load_part(last), mask) }
    }
}

/// `steps` steps of lanes side by side, all under one key; a lane that has none
/// left waits.
#[inline(always)]
pub(crate) fn walk<B: Backend, K: Keys<B>, const N: usize>(
    b: B,
    keys: &K,
    edge: &Edge<B::V>,
    lanes: &mut [Lane<'_, B::V>; N],
    steps: usize,
) {
    let mut x = [b.zero(); N];
    let mut last = [edge.last; N];
    let mut plain = steps;
    for j in 0..N {
        x[j] = lanes[j].x;
        plain = plain.min(lanes[j].plain());
    }
    for _ in 0..plain {
        for j in 0..N {
            last[j] = b.xor(edge.turn, lanes[j].take(b));
        }
        x = rounds(b, keys, x, last);
    }
    for j in 0..N {
        lanes[j].x = x[j];
        lanes[j].left -= plain;
    }
    for _ in plain..steps {
        last = [edge.last; N];
        for j in 0..N {
            x[j] = lanes[j].x;
            if lanes[j].left > 0 && !lanes[j].rest.is_empty() {
                last[j] = b.xor(edge.turn, lanes[j].block(b));
            }
        }
        x = rounds(b, keys, x, last);
        for j in 0..N {
            if lanes[j].left > 0 {
                lanes[j].x = x[j];
                lanes[j].left -= 1;
            }
        }
    }
}

/// One lane to its end.
#[inline(always)]
pub(crate) fn finish<B: Backend, K: Keys<B>>(b: B, keys: &K, edge: &Edge<B::V>, lane: &mut Lane<'_, B::V>) {
    if lane.left > 0 {
        let mut lanes = [*lane];
        walk(b, keys, edge, &mut lanes, lane.left);
        *lane = lanes[0];
    }
}

/// The keys of chains and, in lane 1, of the counter mode beneath them. `ONE`:
/// they are the same.
struct Pair<'a, M, C, const ONE: bool>(&'a M, &'a C);
impl<B: Backend, M: Keys<B>, C: Keys<B>, const ONE: bool> Keys<B> for Pair<'_, M, C, ONE> {
    const ROUNDS: usize = M::ROUNDS;
    const SHARED: bool = ONE && M::SHARED;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        if j == 1 { self.1.get(b, r, 0) } else { self.0.get(b, r, 0) }
    }
}

/// A counter mode over a message and a chain over what it reads or writes, in
/// one pass. The counter mode is a block ahead, so a chain over its output
/// never waits for it. `ONE`: both have the same key.
pub(crate) struct Duet<'a, B: Backend, M, C, const ONE: bool> {
    b: B,
    mac: &'a M,
    ctr: &'a C,
    edge: Edge<B::V>,
    ctr_edge: Edge<B::V>,
    /// The next counter block, its bytes reversed.
    next: B::V,
    one: B::V,
    pub chain: Chain<B::V>,
}
impl<'a, B: Backend, M: Keys<B>, C: Keys<B>, const ONE: bool> Duet<'a, B, M, C, ONE> {
    /// With the chain's edge, the first counter block and the chain so far.
    #[inline(always)]
    pub fn new(b: B, mac: &'a M, ctr: &'a C, edge: Edge<B::V>, counter: B::V, chain: Chain<B::V>) -> Self {
        let ctr_edge = if ONE { edge } else { Edge::new(b, ctr, 0) };
        let one = b.splat(&1u128.to_le_bytes());
        Self { b, mac, ctr, edge, ctr_edge, next: b.rev(counter), one, chain }
    }

    #[inline(always)]
    fn counter(&mut self) -> B::V {
        let c = self.b.xor(self.b.rev(self.next), self.ctr_edge.first);
        self.next = self.b.add128(self.next, self.one);
        c
    }

    /// One block of the counter mode.
    #[inline(always)]
    pub fn crypt(&mut self, p: B::V) -> B::V {
        let c = self.counter();
        let [c] = rounds(self.b, self.ctr, [c], [self.b.xor(self.ctr_edge.last, p)]);
        c
    }

    /// Takes `block` into the chain.
    #[inline(always)]
    pub fn absorb(&mut self, block: B::V) {
        self.chain.absorb(self.b, self.mac, &self.edge, block);
    }

    /// Takes `block` into the chain, where the cipher is due, and `p` through
    /// the counter mode.
    #[inline(always)]
    fn both(&mut self, block: B::V, p: B::V) -> B::V {
        let (b, c) = (self.b, self.counter());
        let last = [b.xor(self.edge.turn, block), b.xor(self.ctr_edge.last, p)];
        let [x, c] = rounds(b, &Pair::<M, C, ONE>(self.mac, self.ctr), [self.chain.x, c], last);
        self.chain.x = x;
        c
    }

    /// All of `io`, the chain over its output if `OUT`, else its input, padded
    /// with zeros and `mask` added to the last block. Another chain under the
    /// same key, `side`, runs beside it, and may have steps left in the end.
    #[inline(always)]
    pub fn run<const OUT: bool>(&mut self, mut io: InOut<'_>, mask: B::V, side: Option<&mut Lane<'_, B::V>>) {
        let b = self.b;
        if io.is_empty() {
            return;
        }
        // The block that the chain takes in next; none before the first.
        let mut block = b.zero();
        let mut begun = false;
        // The last block has 1 to 16 bytes.
        if io.len() > 16 {
            block = self.alone::<OUT>(&mut io);
            begun = true;
        }
        if !self.chain.due && io.len() > 16 {
            self.absorb(block);
            block = self.alone::<OUT>(&mut io);
        }
        if let Some(side) = side
            && side.left > 0
        {
            let shared = side.plain().min(io.len().saturating_sub(1) / 16);
            for _ in 0..shared {
                block = self.turn_beside::<OUT>(&mut io, block, side);
            }
            side.left -= shared;
            if side.plain() == 0 {
                finish(b, self.mac, &self.edge, side);
            }
        }
        while io.len() > 16 {
            block = self.turn::<OUT>(&mut io, block);
        }
        let p = io.load_part(b);
        let c = if begun && self.chain.due {
            self.both(block, p)
        } else {
            if begun {
                self.absorb(block);
            }
            self.crypt(p)
        };
        io.store_part(b, c);
        block = if OUT { b.keep(c, io.len()) } else { p };
        self.absorb(b.xor(block, mask));
    }

    /// A whole block through the counter mode; what the chain is to take in.
    #[inline(always)]
    fn alone<const OUT: bool>(&mut self, io: &mut InOut<'_>) -> B::V {
        let mut now = io.cut(16);
        let p = now.load(self.b, 0);
        let c = self.crypt(p);
        now.store(self.b, 0, c);
        if OUT { c } else { p }
    }

    /// The same, while the chain takes in `block`.
    #[inline(always)]
    fn turn<const OUT: bool>(&mut self, io: &mut InOut<'_>, block: B::V) -> B::V {
        let mut now = io.cut(16);
        let p = now.load(self.b, 0);
        let c = self.both(block, p);
        now.store(self.b, 0, c);
        if OUT { c } else { p }
    }

    /// The same, while `side` takes in a whole block of its own.
    #[inline(always)]
    fn turn_beside<const OUT: bool>(&mut self, io: &mut InOut<'_>, block: B::V, side: &mut Lane<'_, B::V>) -> B::V {
        let mut now = io.cut(16);
        let b = self.b;
        let p = now.load(b, 0);
        let x = [self.chain.x, self.counter(), side.x];
        let next = b.xor(self.edge.turn, side.take(b));
        let last = [b.xor(self.edge.turn, block), b.xor(self.ctr_edge.last, p), next];
        let [x, c, y] = rounds(b, &Pair::<M, C, ONE>(self.mac, self.ctr), x, last);
        self.chain.x = x;
        side.x = y;
        now.store(b, 0, c);
        if OUT { c } else { p }
    }
}
