//! The walk over the blocks (Krovetz and Rogaway 2021, Fig. 1, lines 100-10K
//! and 130-14A), for any backend.
//!
//! Offsets travel as round keys: `E(M ^ D) ^ D` is one AES whose first and last
//! keys are `rk ^ D`. In a long message the offsets of a group are the group's
//! base XOR a fixed table, and each is made twice from it rather than kept:
//! with 16 registers, eight blocks in flight leave no room for eight offsets.
//! The rest of a message, its pad and its tag do not wait for each other.

use super::{Masks, Ocb3, nonce};
use crate::cpu::{Aes, Answer, Backend, Block, Dec, Enc, InOut, Kernel, Keys};

/// Registers in flight in a long message, whatever their size: with latency 4
/// and throughput 2 no fewer fill the pipeline, and where four would, eight
/// halve what a group costs besides its AES.
const WIDTH: usize = 8;

/// Whole blocks from which on a message is long.
pub(super) const SHORT: usize = 8;

/// Seals; gives the tag. Messages of fewer than [`SHORT`] whole blocks have a
/// door of their own: it saves fewer registers and knows each mask's place.
pub(super) struct Seal<'a, A: Aes, const LONG: bool> {
    pub key: &'a Ocb3<A>,
    pub cache: Option<&'a mut nonce::Cache>,
    pub nonce: &'a [u8],
    pub auth: &'a Block,
    pub io: InOut<'a>,
}

/// Decrypts; says whether the tag is right.
pub(super) struct Open<'a, A: Aes, const LONG: bool> {
    pub key: &'a Ocb3<A>,
    pub cache: Option<&'a mut nonce::Cache>,
    pub nonce: &'a [u8],
    pub auth: &'a Block,
    pub io: InOut<'a>,
    pub tag: &'a [u8],
}

/// HASH(A), into a block.
pub(super) struct Hash<'a, A: Aes> {
    pub key: &'a Ocb3<A>,
    pub ad: &'a [u8],
    pub hash: &'a mut Block,
}

impl<A: Aes, const LONG: bool> Kernel for Seal<'_, A, LONG> {
    type Out = Answer;
    const SPILLS: bool = LONG;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(mut self, b: B) -> Answer {
        let (key, one, keys) = (self.key, b.one(), Enc(&self.key.enc));
        let (walk, mut io) = self.begin(b);
        if !LONG && B::TOGETHER {
            return one.answer(walk.sealed_short(key, one.load(self.auth), io));
        }
        let walk = if LONG { walk.long::<_, true>(&keys, &mut io) } else { walk.short::<_, true>(&keys, &mut io) };
        one.answer(seal_end(one, key, walk.offset, walk.sum, one.load(self.auth), io))
    }
}

impl<'a, A: Aes, const LONG: bool> Seal<'a, A, LONG> {
    #[inline(always)]
    fn begin<B: Backend>(&mut self, b: B) -> (Walk<'a, B>, InOut<'a>) {
        let offset = nonce::initial(b.one(), self.key, self.cache.as_deref_mut(), self.nonce);
        (Walk::new(b, &self.key.masks, offset), core::mem::replace(&mut self.io, InOut::in_place(&mut [])))
    }
}

impl<A: Aes> Seal<'_, A, false> {
    /// A short message of a row: its tag, if that of the associated data is `auth`. Here
    /// the tag had better go with the last blocks; alone, behind them: 1 to 3 cycles.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn tag<B: Backend>(mut self, b: B, auth: <B::One as Backend>::V) -> <B::One as Backend>::V {
        let (walk, io) = self.begin(b);
        walk.sealed_short(self.key, auth, io)
    }
}

/// What follows the whole blocks when sealing; gives the tag.
#[inline(always)]
fn seal_end<A: Aes, B: Backend>(
    one: B,
    key: &Ocb3<A>,
    offset: B::V,
    mut sum: B::V,
    auth: B::V,
    mut io: InOut<'_>,
) -> B::V {
    if io.is_empty() {
        let offset = one.xor(offset, one.splat(key.masks.dollar()));
        let mut x = [sum];
        let keys = Masked { keys: Enc(&key.enc), first: [offset], last: [auth] };
        one.encrypt(&keys, &mut x);
        return x[0];
    }
    let rest = io.load_part(one);
    sum = one.xor(sum, one.xor(rest, one.load(pad(io.len()))));
    let star = one.xor(offset, one.splat(key.masks.star()));
    let offset = one.xor(star, one.splat(key.masks.dollar()));
    // The pad and the tag, in one pass.
    let mut x = [one.zero(), sum];
    let keys = Masked { keys: Enc(&key.enc), first: [star, offset], last: [rest, auth] };
    one.encrypt(&keys, &mut x);
    io.store_part(one, x[0]);
    x[1]
}

impl<A: Aes, const LONG: bool> Kernel for Open<'_, A, LONG> {
    type Out = bool;
    const SPILLS: bool = LONG;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let (given, auth) = (self.tag, b.one().load(self.auth));
        b.one().begins(self.tag(b, auth), given)
    }
}

impl<A: Aes, const LONG: bool> Open<'_, A, LONG> {
    /// The tag as it should be, if that of the associated data is `auth`.
    #[inline(always)]
    pub fn tag<B: Backend>(self, b: B, auth: <B::One as Backend>::V) -> <B::One as Backend>::V {
        let (key, one) = (self.key, b.one());
        let offset = nonce::initial(one, key, self.cache, self.nonce);
        let mut io = self.io;
        let walk = Walk::new(b, &key.masks, offset);
        let keys = Dec(&key.enc, &key.dec);
        let walk = if LONG { walk.long::<_, false>(&keys, &mut io) } else { walk.short::<_, false>(&keys, &mut io) };
        open_end(one, key, walk.offset, walk.sum, auth, io)
    }
}

/// What follows the whole blocks when opening; gives the tag.
#[inline(always)]
fn open_end<A: Aes, B: Backend>(
    one: B,
    key: &Ocb3<A>,
    mut offset: B::V,
    mut sum: B::V,
    auth: B::V,
    mut io: InOut<'_>,
) -> B::V {
    if !io.is_empty() {
        let n = io.len();
        offset = one.xor(offset, one.splat(key.masks.star()));
        let mut x = [one.zero()];
        let keys = Masked { keys: Enc(&key.enc), first: [offset], last: [io.load_part(one)] };
        one.encrypt(&keys, &mut x);
        io.store_part(one, x[0]);
        sum = one.xor(sum, one.xor(one.keep(x[0], n), one.load(pad(n))));
    }
    offset = one.xor(offset, one.splat(key.masks.dollar()));
    let mut x = [sum];
    let keys = Masked { keys: Enc(&key.enc), first: [offset], last: [auth] };
    one.encrypt(&keys, &mut x);
    x[0]
}

impl<A: Aes> Kernel for Hash<'_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let sum = hash::<A, B, WIDTH>(b, self.key, self.ad);
        b.one().store(self.hash, sum);
    }
}

/// HASH(A) of at most a block (lines 146-149).
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn hash_short<A: Aes, B: Backend>(one: B, key: &Ocb3<A>, ad: &[u8]) -> B::V {
    if ad.is_empty() {
        return one.zero();
    }
    let (mut x, mut offset) = ([one.load_part(ad)], key.masks.l(one, 0));
    if ad.len() < 16 {
        (x[0], offset) = (one.xor(x[0], one.load(pad(ad.len()))), one.splat(key.masks.star()));
    }
    one.encrypt(&Masked { keys: Enc(&key.enc), first: [offset], last: [one.zero()] }, &mut x);
    x[0]
}

/// HASH(A) (lines 140-14A).
#[inline(always)]
fn hash<A: Aes, B: Backend, const N: usize>(b: B, key: &Ocb3<A>, mut ad: &[u8]) -> <B::One as Backend>::V {
    let one = b.one();
    let mut walk = Walk::new(b, &key.masks, one.zero());
    let keys = Enc(&key.enc);
    while let Some((group, rest)) = ad.split_at_checked(N * B::BYTES) {
        let mut x = [b.zero(); N];
        let mut d = [b.zero(); N];
        for j in 0..N {
            d[j] = walk.step();
            x[j] = b.load(&group[j * B::BYTES..]);
        }
        b.encrypt(&Masked { keys, first: d, last: [b.zero(); N] }, &mut x);
        for j in 0..N {
            walk.sum = b.xor(walk.sum, x[j]);
        }
        ad = rest;
    }
    while let Some((group, rest)) = ad.split_at_checked(B::BYTES) {
        let mut x = [b.load(group)];
        b.encrypt(&Masked { keys, first: [walk.step()], last: [b.zero()] }, &mut x);
        walk.sum = b.xor(walk.sum, x[0]);
        ad = rest;
    }
    let mut walk = walk.narrow();
    while let Some((block, rest)) = ad.split_at_checked(16) {
        let mut x = [one.load(block)];
        one.encrypt(&Masked { keys, first: [walk.step()], last: [walk.sum] }, &mut x);
        walk.sum = x[0];
        ad = rest;
    }
    let mut sum = walk.sum;
    if !ad.is_empty() {
        let star = one.xor(walk.offset, one.splat(key.masks.star()));
        let mut x = [one.xor(one.load_part(ad), one.load(pad(ad.len())))];
        one.encrypt(&Masked { keys, first: [star], last: [sum] }, &mut x);
        sum = x[0];
    }
    sum
}

/// 0x80 at byte `n`, below 16.
#[inline(always)]
fn pad(n: usize) -> &'static [u8] {
    static PADS: [u8; 32] = {
        let mut t = [0; 32];
        t[16] = 0x80;
        t
    };
    &PADS[16 - (n & 15)..]
}

/// A place in a message: the last block's offset and number, and the checksum.
struct Walk<'a, B: Backend> {
    b: B,
    masks: &'a Masks,
    offset: <B::One as Backend>::V,
    blocks: usize,
    sum: B::V,
}

impl<'a, B: Backend> Walk<'a, B> {
    #[inline(always)]
    fn new(b: B, masks: &'a Masks, offset: <B::One as Backend>::V) -> Self {
        Self { b, masks, offset, blocks: 0, sum: b.zero() }
    }

    /// The offsets of the next register's blocks; goes on to the last of them.
    /// The blocks before are a multiple of `BLOCKS`.
    #[inline(always)]
    fn step(&mut self) -> B::V {
        let (b, one) = (self.b, self.b.one());
        let group = b.widen(self.offset);
        self.blocks += B::BLOCKS;
        if B::BLOCKS > 1 {
            self.offset = one.xor(self.offset, one.splat(self.masks.within(B::BLOCKS - 1)));
        }
        self.offset = one.xor(self.offset, self.masks.l(one, self.blocks.trailing_zeros()));
        if B::BLOCKS == 1 {
            return b.widen(self.offset);
        }
        b.with_top(b.xor(group, b.load(self.masks.pattern())), self.offset)
    }

    /// The same place, for the last blocks: one at a time, and no masks.
    #[inline(always)]
    fn narrow(self) -> Walk<'a, B::One> {
        let Walk { b, masks, offset, blocks, sum } = self;
        Walk { b: b.one(), masks, offset, blocks, sum: b.fold(sum) }
    }

    /// All whole blocks of a short message; leaves the rest.
    #[inline(always)]
    fn short<K, const SEAL: bool>(self, keys: &K, io: &mut InOut<'_>) -> Walk<'a, B::One>
    where
        K: Keys<B> + Keys<B::One> + Copy,
    {
        // With the number of blocks known when this is compiled, so are the masks.
        const { assert!(SHORT == 8) };
        match io.len() / 16 {
            0 => self.exactly::<K, 0, SEAL>(keys, io),
            1 => self.exactly::<K, 1, SEAL>(keys, io),
            2 => self.exactly::<K, 2, SEAL>(keys, io),
            3 => self.exactly::<K, 3, SEAL>(keys, io),
            4 => self.exactly::<K, 4, SEAL>(keys, io),
            5 => self.exactly::<K, 5, SEAL>(keys, io),
            6 => self.exactly::<K, 6, SEAL>(keys, io),
            _ => self.exactly::<K, 7, SEAL>(keys, io),
        }
    }

    /// A short message and its tag, which does not wait for the ciphertext.
    #[inline(always)]
    fn sealed_short<A: Aes>(
        self,
        key: &Ocb3<A>,
        auth: <B::One as Backend>::V,
        io: InOut<'_>,
    ) -> <B::One as Backend>::V {
        // Whole registers and that and one; blocks behind them and that and one and two.
        macro_rules! sealed {
            ($w:literal, $w1:literal; $r:literal, $r1:literal, $r2:literal) => {
                self.sealed::<A, $w, $w1, $r, $r1, $r2>(key, auth, io)
            };
        }
        const { assert!(SHORT == 8) };
        match (B::BLOCKS, io.len() / 16) {
            (_, 0) => sealed!(0, 1; 0, 1, 2),
            (_, 1) => sealed!(0, 1; 1, 2, 3),
            (1, 2) | (4, 2) => sealed!(0, 1; 2, 3, 4),
            (1, 3) | (4, 3) => sealed!(0, 1; 3, 4, 5),
            (1, 4) => sealed!(0, 1; 4, 5, 6),
            (1, 5) => sealed!(0, 1; 5, 6, 7),
            (1, 6) => sealed!(0, 1; 6, 7, 8),
            (1, _) => sealed!(0, 1; 7, 8, 9),
            (2, 2) => sealed!(1, 2; 0, 1, 2),
            (2, 3) => sealed!(1, 2; 1, 2, 3),
            (2, 4) => sealed!(2, 3; 0, 1, 2),
            (2, 5) => sealed!(2, 3; 1, 2, 3),
            (2, 6) => sealed!(3, 4; 0, 1, 2),
            (2, _) => sealed!(3, 4; 1, 2, 3),
            (_, 4) => sealed!(1, 2; 0, 1, 2),
            (_, 5) => sealed!(1, 2; 1, 2, 3),
            (_, 6) => sealed!(1, 2; 2, 3, 4),
            _ => sealed!(1, 2; 3, 4, 5),
        }
    }

    /// Of `W` registers and `R` blocks that `io` has, and perhaps a part of one; gives
    /// the tag, which goes in the last pass.
    #[inline(always)]
    fn sealed<A: Aes, const W: usize, const W1: usize, const R: usize, const R1: usize, const R2: usize>(
        mut self,
        key: &Ocb3<A>,
        auth: <B::One as Backend>::V,
        mut io: InOut<'_>,
    ) -> <B::One as Backend>::V {
        let (b, one, keys) = (self.b, self.b.one(), Enc(&key.enc));
        if W > 0 && R == 0 && io.len() == W * B::BYTES {
            let mut pass = Pass::<B, W1>::new(b);
            pass.blocks(&mut self, W, &io);
            let dollar = one.xor(self.offset, one.splat(key.masks.dollar()));
            pass.put(W, b.widen(b.fold(self.sum)), b.widen(dollar), b.widen(auth));
            pass.run(b, keys);
            pass.store(b, W, &mut io);
            return b.split(pass.x[W])[0];
        }
        if W > 0 {
            let mut part = io.cut(W * B::BYTES);
            let mut pass = Pass::<B, W>::new(b);
            pass.blocks(&mut self, W, &part);
            pass.run(b, keys);
            pass.store(b, W, &mut part);
        }
        let mut walk = self.narrow();
        let mut part = io.cut(R * 16);
        if io.is_empty() {
            let mut pass = Pass::<B::One, R1>::new(one);
            pass.blocks(&mut walk, R, &part);
            let dollar = one.xor(walk.offset, one.splat(key.masks.dollar()));
            pass.put(R, walk.sum, dollar, auth);
            pass.run(one, keys);
            pass.store(one, R, &mut part);
            return pass.x[R];
        }
        let mut pass = Pass::<B::One, R2>::new(one);
        pass.blocks(&mut walk, R, &part);
        let rest = io.load_part(one);
        let sum = one.xor(walk.sum, one.xor(rest, one.load(pad(io.len()))));
        let star = one.xor(walk.offset, one.splat(key.masks.star()));
        pass.put(R, one.zero(), star, rest);
        pass.put(R + 1, sum, one.xor(star, one.splat(key.masks.dollar())), auth);
        pass.run(one, keys);
        pass.store(one, R, &mut part);
        io.store_part(one, pass.x[R]);
        pass.x[R + 1]
    }

    /// All whole blocks of `io`; leaves the rest. `SEAL` encrypts.
    #[inline(always)]
    fn long<K, const SEAL: bool>(mut self, keys: &K, io: &mut InOut<'_>) -> Walk<'a, B::One>
    where
        K: Keys<B> + Keys<B::One> + Copy,
    {
        if io.len() >= WIDTH * B::BYTES {
            self.groups::<K, WIDTH, SEAL>(keys, io);
        }
        if let Some(mut part) = io.take(WIDTH / 2 * B::BYTES) {
            self.pass::<K, { WIDTH / 2 }, SEAL>(keys, &mut part);
        }
        while let Some(mut part) = io.take(B::BYTES) {
            self.pass::<K, 1, SEAL>(keys, &mut part);
        }
        let mut walk = self.narrow();
        while B::BLOCKS > 1
            && let Some(mut part) = io.take(16)
        {
            walk.pass::<K, 1, SEAL>(keys, &mut part);
        }
        walk
    }

    /// `M` blocks, of which `io` has as many.
    #[inline(always)]
    fn exactly<K, const M: usize, const SEAL: bool>(mut self, keys: &K, io: &mut InOut<'_>) -> Walk<'a, B::One>
    where
        K: Keys<B> + Keys<B::One> + Copy,
    {
        if B::BLOCKS > 1 {
            for _ in 0..M / B::BLOCKS {
                self.pass::<K, 1, SEAL>(keys, &mut io.cut(B::BYTES));
            }
            let mut walk = self.narrow();
            for _ in 0..M % B::BLOCKS {
                walk.pass::<K, 1, SEAL>(keys, &mut io.cut(16));
            }
            return walk;
        }
        self.pass::<K, M, SEAL>(keys, &mut io.cut(16 * M));
        self.narrow()
    }

    /// Groups of `N` registers.
    #[inline(always)]
    fn groups<K: Keys<B> + Copy, const N: usize, const SEAL: bool>(&mut self, keys: &K, io: &mut InOut<'_>) {
        let (b, one) = (self.b, self.b.one());
        const { assert!(N.is_power_of_two(), "groups must be aligned") };
        // How far each block of a group is from the group's base: a walk from
        // zero. The last block goes L[ntz] further, which depends on the group.
        let mut from_zero = Walk::new(b, self.masks, one.zero());
        let mut table = [b.zero(); N];
        let mut before_last = one.zero();
        for j in 0..N {
            if B::BLOCKS == 1 {
                before_last = from_zero.offset;
            } else if j == N - 1 {
                before_last = one.xor(from_zero.offset, one.splat(self.masks.within(B::BLOCKS - 1)));
            }
            table[j] = from_zero.step();
        }
        // The base goes with both whitening keys, and both are carried from
        // group to group: the compiler would take sums made here apart again.
        let base = b.widen(self.offset);
        let whitening = keys.get(b, 0, 0);
        let (mut first, mut last) = (b.xor(base, whitening), b.xor(base, keys.get(b, K::ROUNDS, 0)));
        while let Some(mut group) = io.take(N * B::BYTES) {
            self.blocks += N * B::BLOCKS;
            let further = one.xor(before_last, self.masks.l(one, self.blocks.trailing_zeros()));
            let mut x = [b.zero(); N];
            for j in 0..N {
                x[j] = group.load(b, j * B::BYTES);
                if SEAL {
                    self.sum = b.xor(self.sum, x[j]);
                }
            }
            let top = b.with_top(table[N - 1], further);
            crypt::<B, _, N, SEAL>(b, &Grouped { keys: *keys, first, last, table: &table, top }, &mut x);
            for j in 0..N {
                if !SEAL {
                    self.sum = b.xor(self.sum, x[j]);
                }
                group.store(b, j * B::BYTES, x[j]);
            }
            first = b.xor(first, b.widen(further));
            last = b.xor(last, b.widen(further));
        }
        self.offset = b.top(b.xor(first, whitening));
    }

    /// `M` registers, the offsets one after another.
    #[inline(always)]
    fn pass<K: Keys<B> + Copy, const M: usize, const SEAL: bool>(&mut self, keys: &K, part: &mut InOut<'_>) {
        let b = self.b;
        let mut x = [b.zero(); M];
        let mut d = [b.zero(); M];
        for j in 0..M {
            d[j] = self.step();
            x[j] = part.load(b, j * B::BYTES);
            if SEAL {
                self.sum = b.xor(self.sum, x[j]);
            }
        }
        crypt::<B, _, M, SEAL>(b, &Masked { keys: *keys, first: d, last: d }, &mut x);
        for j in 0..M {
            if !SEAL {
                self.sum = b.xor(self.sum, x[j]);
            }
            part.store(b, j * B::BYTES, x[j]);
        }
    }
}

/// What is encrypted side by side, each register with its masks before and behind.
struct Pass<B: Backend, const N: usize> {
    x: [B::V; N],
    first: [B::V; N],
    last: [B::V; N],
}

impl<B: Backend, const N: usize> Pass<B, N> {
    #[inline(always)]
    fn new(b: B) -> Self {
        let none = [b.zero(); N];
        Self { x: none, first: none, last: none }
    }

    /// Register `j`.
    #[inline(always)]
    fn put(&mut self, j: usize, x: B::V, first: B::V, last: B::V) {
        (self.x[j], self.first[j], self.last[j]) = (x, first, last);
    }

    /// The next `count` registers of a message to be sealed, as the first of these.
    #[inline(always)]
    fn blocks(&mut self, walk: &mut Walk<'_, B>, count: usize, io: &InOut<'_>) {
        for j in 0..count {
            let (d, m) = (walk.step(), io.load(walk.b, j * B::BYTES));
            walk.sum = walk.b.xor(walk.sum, m);
            self.put(j, m, d, d);
        }
    }

    #[inline(always)]
    fn run<K: Keys<B>>(&mut self, b: B, keys: K) {
        b.encrypt(&Masked { keys, first: self.first, last: self.last }, &mut self.x);
    }

    /// Writes the first `count` registers.
    #[inline(always)]
    fn store(&self, b: B, count: usize, io: &mut InOut<'_>) {
        for j in 0..count {
            io.store(b, j * B::BYTES, self.x[j]);
        }
    }
}

/// The cipher or its inverse.
#[inline(always)]
fn crypt<B: Backend, K: Keys<B>, const N: usize, const SEAL: bool>(b: B, keys: &K, x: &mut [B::V; N]) {
    if SEAL {
        b.encrypt(keys, x);
    } else {
        b.decrypt(keys, x);
    }
}

/// Round keys with a mask for each register: before and behind.
struct Masked<B: Backend, K, const N: usize> {
    keys: K,
    first: [B::V; N],
    last: [B::V; N],
}
impl<B: Backend, K: Keys<B>, const N: usize> Keys<B> for Masked<B, K, N> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
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

/// Round keys of an aligned group: the masks are the base, which `first` and
/// `last` hold already, and the table; `top` stands for the table's last register.
struct Grouped<'a, B: Backend, K, const N: usize> {
    keys: K,
    first: B::V,
    last: B::V,
    table: &'a [B::V; N],
    top: B::V,
}
impl<B: Backend, K: Keys<B>, const N: usize> Keys<B> for Grouped<'_, B, K, N> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let mask = if j == N - 1 { self.top } else { self.table[j] };
        if r == 0 {
            b.xor(self.first, mask)
        } else if r == K::ROUNDS {
            b.xor(self.last, mask)
        } else {
            self.keys.get(b, r, j)
        }
    }
}

#[cfg(feature = "rayon")]
pub(super) use pieces::{Begin, Piece};

/// A message in pieces, each from a place of its own.
#[cfg(feature = "rayon")]
mod pieces {
    use super::*;

    /// The first offset.
    pub(in super::super) struct Begin<'a, A: Aes> {
        pub key: &'a Ocb3<A>,
        pub nonce: &'a [u8],
    }
    impl<A: Aes> Kernel for Begin<'_, A> {
        type Out = Block;
        #[inline(always)]
        fn run<B: Backend, const N: usize>(self, b: B) -> Block {
            let (one, mut offset) = (b.one(), [0; 16]);
            one.store(&mut offset, nonce::initial(one, self.key, None, self.nonce));
            offset
        }
    }

    /// The blocks from number `start` on, a multiple of 32, whose offset before the
    /// first is `offset`. Gives their checksum; the last piece, which knows the others'
    /// `sum` and has the tag's `auth`, gives the tag.
    pub(in super::super) struct Piece<'a, A: Aes, const SEAL: bool> {
        pub key: &'a Ocb3<A>,
        pub offset: Block,
        pub start: usize,
        pub last: Option<(Block, &'a Block)>,
        pub io: InOut<'a>,
    }
    impl<A: Aes, const SEAL: bool> Kernel for Piece<'_, A, SEAL> {
        type Out = Block;
        #[inline(always)]
        fn run<B: Backend, const N: usize>(self, b: B) -> Block {
            let Self { key, offset, start, last, mut io } = self;
            let one = b.one();
            let mut walk = Walk::new(b, &key.masks, one.load(&offset));
            walk.blocks = start;
            let walk = if SEAL {
                walk.long::<Enc<A::Enc>, true>(&Enc(&key.enc), &mut io)
            } else {
                walk.long::<Dec<A::Enc, A::Dec>, false>(&Dec(&key.enc, &key.dec), &mut io)
            };
            let mut out = walk.sum;
            if let Some((sum, auth)) = last {
                let (sum, auth) = (one.xor(walk.sum, one.load(&sum)), one.load(auth));
                out = if SEAL {
                    seal_end(one, key, walk.offset, sum, auth, io)
                } else {
                    open_end(one, key, walk.offset, sum, auth, io)
                };
            }
            let mut bytes = [0; 16];
            one.store(&mut bytes, out);
            bytes
        }
    }
}
