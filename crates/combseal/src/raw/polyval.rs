//! The field of POLYVAL and its hash (RFC 8452, sect. 3), which is also GHASH
//! with the bytes of every block reversed and the key times x (appendix A): no
//! bit is ever reversed.
//!
//! A block is a little-endian number, bit i the coefficient of x^i, modulo
//! P = x^128 + x^127 + x^126 + x^121 + 1, and a product carries x^-128
//! (Montgomery's form), so that reducing costs two carry-less products by one
//! constant. Many blocks times falling powers of the key are added up before
//! one reduction.

use crate::cpu::{Backend, Block, Weave};
use crate::memory::wipe::Wipe;

type One<B> = <<B as Backend>::One as Backend>::V;

/// The size of a table of [`Powers`] for any tier: for groups of 16 blocks.
pub(crate) const ROOM: usize = 20;
/// The same for groups of 8 blocks, as on tiers with one block a register.
pub(crate) const SMALL: usize = 12;

/// P without x^128 and 1, divided by x^64; in both halves.
static FOLD: Block = (0xc2 << 120 | 0xc2u128 << 56).to_le_bytes();

/// How many blocks `len` bytes make; a slice is too short for an overflow.
#[inline(always)]
pub(crate) fn blocks(len: usize) -> usize {
    (len + 15) / 16
}

/// A sum of products, 192 bits in two overlapping parts: bits 0 to 127, 64 to 191.
#[derive(Clone, Copy)]
pub(crate) struct Product<B: Backend> {
    low: B::V,
    high: B::V,
}

impl<B: Backend> Product<B> {
    #[inline(always)]
    pub(crate) fn zero(b: B) -> Self {
        Self { low: b.zero(), high: b.zero() }
    }

    /// Adds `x * h`, with `half` = `h * x^-64`.
    #[inline(always)]
    pub(crate) fn add(&mut self, b: B, x: B::V, h: B::V, half: B::V) {
        self.low = b.xor(self.low, b.xor(b.clmul::<0x00>(x, half), b.clmul::<0x01>(x, h)));
        self.high = b.xor(self.high, b.xor(b.clmul::<0x10>(x, half), b.clmul::<0x11>(x, h)));
    }

    /// The sum times x^-64, modulo P, in each lane.
    #[inline(always)]
    pub(crate) fn reduce(&self, b: B) -> B::V {
        b.xor(self.high, times_half(b, self.low))
    }
}

/// `h * x^-64`.
#[inline(always)]
fn times_half<B: Backend>(b: B, h: B::V) -> B::V {
    b.xor(b.swap(h), b.clmul::<0x00>(h, b.splat(&FOLD)))
}

/// `x * h * x^-128`.
#[inline(always)]
pub(crate) fn mul<B: Backend>(b: B, x: B::V, h: B::V) -> B::V {
    let low = b.clmul::<0x00>(x, h);
    let mid = b.xor(b.clmul::<0x01>(x, h), b.clmul::<0x10>(x, h));
    let high = b.clmul::<0x11>(x, h);
    b.xor(high, times_half(b, b.xor(mid, times_half(b, low))))
}

/// The GHASH key `h` as a POLYVAL key: `h`, its bytes reversed already, times x.
#[inline(always)]
pub(crate) fn times_x(h: Block) -> Block {
    let h = u128::from_le_bytes(h);
    let carry = 0u128.wrapping_sub(h >> 127);
    (h << 1 ^ carry & (0xc2 << 120 | 1)).to_le_bytes()
}

/// All ones in lane `n`, below 4; zeros in the others.
#[inline(always)]
fn lane(n: usize) -> &'static [u8] {
    static LANE: [Block; 7] = {
        let mut t = [[0; 16]; 7];
        t[3] = [0xff; 16];
        t
    };
    LANE[3 - (n & 3)..].as_flattened()
}

/// Powers of the key, the highest first, so that a load from any power on gives
/// each lane the next lower one. The highest is for a group and the block of
/// lengths behind it; there are three blocks of room behind the first power for
/// such a load. Each power has its product with x^-64 beside it.
pub(crate) struct Powers<const R: usize> {
    h: [Block; R],
    half: [Block; R],
}

// SAFETY: all bytes are a value of blocks.
#[allow(unsafe_code)]
unsafe impl<const R: usize> crate::memory::blank::Blank for Powers<R> {}

impl<const R: usize> Wipe for Powers<R> {
    #[inline]
    fn wipe(&mut self) {
        *self = Self::zeroed();
        zeroize::optimization_barrier(self);
    }
}

impl<const R: usize> Powers<R> {
    /// The highest power.
    const TOP: usize = R - 3;

    #[inline(always)]
    pub(crate) fn zeroed() -> Self {
        Self { h: [[0; 16]; R], half: [[0; 16]; R] }
    }

    /// The register of powers from the `i`th down, `i` from 1 to `TOP`.
    #[inline(always)]
    fn falling<B: Backend>(&self, b: B, i: usize) -> (B::V, B::V) {
        let at = 16 * (Self::TOP - i);
        (b.load(&self.h.as_flattened()[at..]), b.load(&self.half.as_flattened()[at..]))
    }

    /// The `i`th power in every lane.
    #[inline(always)]
    fn splat<B: Backend>(&self, b: B, i: usize) -> (B::V, B::V) {
        (b.splat(&self.h[Self::TOP - i]), b.splat(&self.half[Self::TOP - i]))
    }

    #[inline(always)]
    fn put<B: Backend>(&mut self, b: B, i: usize, v: B::V) {
        let at = 16 * (Self::TOP - i);
        b.store(&mut self.h.as_flattened_mut()[at..], v);
        b.store(&mut self.half.as_flattened_mut()[at..], times_half(b, v));
    }

    /// Fills in the powers of `h` from the first to at least the `most`th, at
    /// most the one that follows a group of `N` registers.
    #[inline(always)]
    pub(crate) fn fill<B: Backend, const N: usize>(&mut self, b: B, h: One<B>, most: usize) {
        let (one, group) = (b.one(), N * B::BLOCKS);
        debug_assert!(group <= Self::TOP, "more powers than there is room for");
        // Registers are put together here, not in memory: a load of what several
        // stores have written waits for all of them.
        let mut v = [b.widen(h); N];
        if B::BLOCKS > 1 {
            let h2 = mul(one, h, h);
            let h21 = b.widen(one.xor(h, h2));
            v[0] = b.xor(v[0], b.keep(h21, B::BYTES - 16));
            if B::BLOCKS > 2 {
                let (h3, h4) = (mul(one, h2, h), mul(one, h2, h2));
                v[0] = b.xor(v[0], b.keep(b.widen(one.xor(h2, h3)), 32));
                v[0] = b.xor(v[0], b.keep(b.widen(one.xor(h3, h4)), 16));
            }
        }
        self.put(b, B::BLOCKS, v[0]);
        for j in 1..N {
            if j * B::BLOCKS >= most {
                break;
            }
            let before = 1 << j.ilog2();
            let (by, _) = self.splat(b, before * B::BLOCKS);
            v[j] = mul(b, v[j - before], by);
            self.put(b, (j + 1) * B::BLOCKS, v[j]);
        }
        if most > group {
            let (top, _) = self.splat(one, group);
            self.put(one, group + 1, mul(one, top, h));
        }
    }
}

/// The powers by which a group's `N` registers are multiplied, and what goes
/// with each: the sum of its halves for Karatsuba's product, or its product with
/// x^-64.
///
/// Karatsuba takes three carry-less products, a shuffle and more XORs, the other
/// way four; which is better depends on what else the units have to do.
pub(crate) struct Factors<B: Backend, const N: usize> {
    karatsuba: bool,
    h: [(B::V, B::V); N],
}

impl<B: Backend, const N: usize> Factors<B, N> {
    /// For a group with another behind it: each lane is a hash of its own, with
    /// the same powers, so that the sum need not be folded.
    #[inline(always)]
    pub(crate) fn inner<const R: usize>(b: B, powers: &Powers<R>, karatsuba: bool) -> Self {
        let mut h = [(b.zero(), b.zero()); N];
        for j in 0..N {
            h[j] = powers.splat(b, (N - j) * B::BLOCKS);
        }
        Self::with(b, h, karatsuba)
    }

    /// For the last group: each lane its own power.
    #[inline(always)]
    pub(crate) fn last<const R: usize>(b: B, powers: &Powers<R>, karatsuba: bool) -> Self {
        let mut h = [(b.zero(), b.zero()); N];
        for j in 0..N {
            h[j] = powers.falling(b, (N - j) * B::BLOCKS);
        }
        Self::with(b, h, karatsuba)
    }

    #[inline(always)]
    fn with(b: B, mut h: [(B::V, B::V); N], karatsuba: bool) -> Self {
        if karatsuba {
            for j in 0..N {
                h[j].1 = b.xor(h[j].0, b.swap(h[j].0));
            }
        }
        Self { karatsuba, h }
    }
}

/// Whether Karatsuba is better for hashing between the rounds of the AES.
#[inline(always)]
pub(crate) fn karatsuba<B: Backend>() -> bool {
    B::BLOCKS < 4
}

/// A hash under way. `REV`: GHASH, which reverses the bytes of every block.
pub(crate) struct Hash<'a, B: Backend, const REV: bool, const R: usize> {
    b: B,
    pub powers: &'a Powers<R>,
    sum: Product<B>,
    /// What is reduced already, to be added to the next block.
    pub y: B::V,
    /// The power for the next block: how many blocks are still to come before
    /// the sum is reduced. Zero: none is under way.
    pub left: usize,
}

impl<'a, B: Backend, const REV: bool, const R: usize> Hash<'a, B, REV, R> {
    #[inline(always)]
    pub(crate) fn new(b: B, powers: &'a Powers<R>) -> Self {
        Self { b, powers, sum: Product::zero(b), y: b.zero(), left: 0 }
    }

    /// The hash of `ad`, `data` and the block `lengths`.
    #[inline(always)]
    pub(crate) fn all<const N: usize>(mut self, ad: &[u8], mut data: &[u8], lengths: One<B>) -> One<B> {
        self.begin::<N>(ad, data.len());
        if data.len() > N * B::BYTES {
            self.groups::<N>(&mut data);
        }
        self.expect(data.len());
        let whole = blocks(data.len()) / B::BLOCKS * B::BYTES;
        let (whole, rest) = data.split_at(whole.min(data.len()));
        self.registers(whole);
        let b = self.b;
        self.finish(b.load_part(rest), blocks(rest.len()), lengths)
    }

    /// Takes `ad`, with a message of `len` bytes to come. If all of them and the
    /// lengths are no more blocks than there are powers, they share one reduction.
    #[inline(always)]
    pub(crate) fn begin<const N: usize>(&mut self, mut ad: &[u8], len: usize) {
        if ad.is_empty() {
            return;
        }
        let all = blocks(ad.len()) + blocks(len);
        let together = all <= N * B::BLOCKS;
        if together {
            self.left = all + 1;
        } else {
            if ad.len() > N * B::BYTES {
                self.groups::<N>(&mut ad);
            }
            self.left = blocks(ad.len());
        }
        self.registers(ad);
        if !together {
            self.reduce();
            self.left = 0;
        }
    }

    /// `len` more bytes, at most a group, and then the lengths.
    #[inline(always)]
    pub(crate) fn expect(&mut self, len: usize) {
        if self.left == 0 {
            self.left = blocks(len) + 1;
        }
    }

    /// All of `data`, at most as many blocks as are left.
    #[inline(always)]
    fn registers(&mut self, mut data: &[u8]) {
        while let Some((x, rest)) = data.split_at_checked(B::BYTES) {
            self.next(self.b.load(x), B::BLOCKS);
            data = rest;
        }
        if !data.is_empty() {
            self.next(self.b.load_part(data), blocks(data.len()));
        }
    }

    /// The next register of data, `blocks` of it and zeros behind.
    #[inline(always)]
    pub(crate) fn next(&mut self, x: B::V, blocks: usize) {
        let b = self.b;
        let x = if REV { b.rev(x) } else { x };
        let (h, half) = self.powers.falling(b, self.left);
        self.sum.add(b, b.xor(x, self.y), h, half);
        self.y = b.zero();
        self.left -= blocks;
    }

    /// Reduces the sum.
    #[inline(always)]
    fn reduce(&mut self) {
        let b = self.b;
        let y = b.fold(self.sum.reduce(b));
        self.sum = Product::zero(b);
        self.y = b.keep(b.widen(y), 16);
    }

    /// The hash of what came before, of the first `blocks` lanes of `rest`, fewer
    /// than a register, and of the block `lengths`.
    #[inline(always)]
    pub(crate) fn finish(mut self, rest: B::V, blocks: usize, lengths: One<B>) -> One<B> {
        let b = self.b;
        let mut x = b.widen(lengths);
        if B::BLOCKS > 1 {
            let rest = if REV { b.rev(rest) } else { rest };
            x = b.xor(rest, b.and(x, b.load(lane(blocks))));
        }
        let (h, half) = self.powers.falling(b, if B::BLOCKS > 1 { blocks + 1 } else { 1 });
        self.sum.add(b, b.xor(x, self.y), h, half);
        b.fold(self.sum.reduce(b))
    }

    /// Goes on behind `work`, the last group before `expect`, if there is one.
    #[inline(always)]
    pub(crate) fn after<const N: usize>(&mut self, work: Option<Group<'_, B, N, REV>>) {
        if let Some(work) = work {
            self.y = work.reduced(self.b);
            self.fold();
        }
    }

    /// Brings the lanes of `y` together in the first.
    #[inline(always)]
    pub(crate) fn fold(&mut self) {
        let b = self.b;
        self.y = b.keep(b.widen(b.fold(self.y)), 16);
    }

    /// Groups of `N` registers; leaves at least a byte and at most a group.
    #[inline(always)]
    fn groups<const N: usize>(&mut self, data: &mut &[u8]) {
        let b = self.b;
        let mut factors = Factors::inner(b, self.powers, true);
        while let Some((group, rest)) = data.split_at_checked(N * B::BYTES)
            && !rest.is_empty()
        {
            let last = rest.len() <= N * B::BYTES;
            if B::BLOCKS > 1 && last {
                factors = Factors::last(b, self.powers, true);
            }
            let mut work = Group::<B, N, REV>::new(b, &factors, group, self.y, 0);
            for j in 0..N {
                work.take(b, N - 1 - j, true);
            }
            self.y = work.reduced(b);
            *data = rest;
        }
        self.y = b.keep(b.widen(b.fold(self.y)), 16);
    }
}

/// The hashing of one group, to be done between the rounds of a cipher.
pub(crate) struct Group<'a, B: Backend, const N: usize, const REV: bool> {
    factors: &'a Factors<B, N>,
    data: &'a [u8],
    y: B::V,
    rounds: usize,
    low: B::V,
    mid: B::V,
    high: B::V,
}

impl<'a, B: Backend, const N: usize, const REV: bool> Group<'a, B, N, REV> {
    /// `data` has `N` registers, `y` is the hash before; `rounds` the cipher's.
    #[inline(always)]
    pub(crate) fn new(b: B, factors: &'a Factors<B, N>, data: &'a [u8], y: B::V, rounds: usize) -> Self {
        Self { factors, data, y, rounds, low: b.zero(), mid: b.zero(), high: b.zero() }
    }

    /// Register `j`. `QUIET`: its bytes were not stored just now.
    #[inline(always)]
    fn take(&mut self, b: B, j: usize, quiet: bool) {
        let loaded = b.load(&self.data[j * B::BYTES..]);
        let mut x = if REV { b.rev(loaded) } else { loaded };
        if j == 0 {
            x = b.xor(x, self.y);
        }
        let (h, more) = self.factors.h[j];
        if self.factors.karatsuba {
            self.low = b.xor(self.low, b.clmul::<0x00>(x, h));
            self.high = b.xor(self.high, b.clmul::<0x11>(x, h));
            // The upper halves by another load, where that is as good, spare the
            // unit that multiplies a shuffle.
            let swapped =
                if quiet && !REV && j > 0 && j < N - 1 { b.load(&self.data[j * B::BYTES + 8..]) } else { b.swap(x) };
            self.mid = b.xor(self.mid, b.clmul::<0x00>(b.xor(x, swapped), more));
        } else {
            let mut sum = Product { low: self.low, high: self.high };
            sum.add(b, x, h, more);
            (self.low, self.high) = (sum.low, sum.high);
        }
    }

    /// The hash so far, once all registers are taken.
    #[inline(always)]
    pub(crate) fn reduced(self, b: B) -> B::V {
        if self.factors.karatsuba {
            let mid = b.xor(self.mid, b.xor(self.low, self.high));
            b.xor(self.high, times_half(b, b.xor(mid, times_half(b, self.low))))
        } else {
            Product { low: self.low, high: self.high }.reduce(b)
        }
    }
}

impl<B: Backend, const N: usize, const REV: bool> Weave<B> for Option<Group<'_, B, N, REV>> {
    #[inline(always)]
    fn step(&mut self, b: B, r: usize) {
        if let Some(group) = self {
            group.step(b, r);
        }
    }
}

impl<B: Backend, const N: usize, const REV: bool> Weave<B> for Group<'_, B, N, REV> {
    /// The first register comes last, since it waits for the group before.
    #[inline(always)]
    fn step(&mut self, b: B, r: usize) {
        for j in 0..N {
            if 1 + j * (self.rounds - 1) / N == r {
                self.take(b, N - 1 - j, false);
            }
        }
    }
}
