//! The field of POLYVAL and its hash (RFC 8452, sect. 3), which is also GHASH
//! with the bytes of every block reversed and the key times x (appendix A): no
//! bit is ever reversed.
//!
//! A block is a little-endian number, bit i the coefficient of x^i, modulo
//! P = x^128 + x^127 + x^126 + x^121 + 1, and a product carries x^-128
//! (Montgomery's form), so that reducing costs two carry-less products by one
//! constant.
//!
//! Reduction is aggregated: k blocks are multiplied by falling powers of H, the
//! products are added up, and the sum is reduced once:
//!
//! ```text
//! y' = (y + x1) * H^k + x2 * H^(k-1) + ... + xk * H
//! ```
//!
//! The k blocks are a *group* of registers, or what is left of a message, with the
//! length block behind it.

use crate::cpu::{Backend, Block, Interleave, block_count};
use crate::memory::wipe::Wipe;

type One<B> = <<B as Backend>::One as Backend>::V;

/// The size of a table of [`Powers`] for any tier: for groups of 16 blocks.
pub(crate) const ROOM: usize = 20;
/// The same for groups of 8 blocks, as on tiers with one block a register.
pub(crate) const SMALL: usize = 12;

/// P without x^128 and 1, divided by x^64; in both halves.
static FOLD: Block = (0xc2 << 120 | 0xc2u128 << 56).to_le_bytes();

/// A sum of products that is not reduced: 192 bits in two overlapping parts, bits 0 to
/// 127 and 64 to 191.
#[derive(Clone, Copy)]
struct Unreduced<B: Backend> {
    low: B::V,
    high: B::V,
}

impl<B: Backend> Unreduced<B> {
    #[inline(always)]
    fn zero(b: B) -> Self {
        Self { low: b.zero(), high: b.zero() }
    }

    /// Adds `x * h`, with `half` = `h * x^-64`.
    #[inline(always)]
    fn add(&mut self, b: B, x: B::V, h: B::V, half: B::V) {
        self.low = b.xor(self.low, b.xor(b.clmul::<0x00>(x, half), b.clmul::<0x01>(x, h)));
        self.high = b.xor(self.high, b.xor(b.clmul::<0x10>(x, half), b.clmul::<0x11>(x, h)));
    }

    /// The sum times x^-64, modulo P, in each lane.
    #[inline(always)]
    fn reduce(&self, b: B) -> B::V {
        b.xor(self.high, times_half(b, self.low))
    }
}

/// `x * h * x^-128` in each lane, with `half` = `h * x^-64`.
#[cfg(all(feature = "alloc", feature = "gcm-siv"))]
#[inline(always)]
pub(crate) fn times<B: Backend>(b: B, x: B::V, h: B::V, half: B::V) -> B::V {
    let mut sum = Unreduced::zero(b);
    sum.add(b, x, h, half);
    sum.reduce(b)
}

/// `h * x^-64`.
#[inline(always)]
pub(crate) fn times_half<B: Backend>(b: B, h: B::V) -> B::V {
    b.xor(b.swap(h), b.clmul::<0x00>(h, b.splat(&FOLD)))
}

/// `x * h * x^-128`.
#[inline(always)]
fn mul<B: Backend>(b: B, x: B::V, h: B::V) -> B::V {
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
fn lane_mask(n: usize) -> &'static [u8] {
    static LANE: [Block; 7] = {
        let mut t = [[0; 16]; 7];
        t[3] = [0xff; 16];
        t
    };
    LANE[3 - (n & 3)..].as_flattened()
}

/// The powers of H, the highest first, so that a load from any power on gives each lane
/// the next lower one. There are as many as a group has blocks, and one more for the
/// length block. Behind the first power there are three blocks of room, because a load
/// of four lanes may begin there. A second table has each power times x^-64.
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
    /// The highest power that there is room for.
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

/// The powers of H by which a group's `N` registers are multiplied. Beside each is what
/// the way of multiplying wants: for Karatsuba's the sum of its halves, else its product
/// with x^-64.
///
/// Karatsuba's takes three carry-less products, a shuffle and more XORs, the other four
/// products; which is better depends on what else the units have to do.
pub(crate) struct Factors<B: Backend, const N: usize> {
    karatsuba: bool,
    h: [(B::V, B::V); N],
}

impl<B: Backend, const N: usize> Factors<B, N> {
    /// For a group with another behind it: every lane has the same power and goes on as a
    /// hash of its own, every [`BLOCKS`](Backend::BLOCKS)th block of the data, so that the
    /// lanes need not be added up after every group.
    #[inline(always)]
    fn inner<const R: usize>(b: B, powers: &Powers<R>, karatsuba: bool) -> Self {
        let mut h = [(b.zero(), b.zero()); N];
        for j in 0..N {
            h[j] = powers.splat(b, (N - j) * B::BLOCKS);
        }
        Self::with(b, h, karatsuba)
    }

    /// For the last group: every lane has the power of its block's place, so that the sum
    /// of all lanes is the hash.
    #[inline(always)]
    fn last<const R: usize>(b: B, powers: &Powers<R>, karatsuba: bool) -> Self {
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

/// The accumulator of GHASH (`GHASH`: the bytes of every block are reversed) or POLYVAL.
pub(crate) struct Accumulator<'a, B: Backend, const GHASH: bool, const R: usize> {
    b: B,
    powers: &'a Powers<R>,
    /// What is reduced already, to be added to the next block. Between groups its lanes
    /// are hashes of their own ([`Factors`]), else only the first is not zero.
    y: B::V,
    /// The products since then.
    sum: Unreduced<B>,
    /// The power of H that the next block is multiplied by: how many blocks are to come
    /// before the sum is reduced, that one included.
    power: usize,
}

impl<'a, B: Backend, const GHASH: bool, const R: usize> Accumulator<'a, B, GHASH, R> {
    #[inline(always)]
    pub(crate) fn new(b: B, powers: &'a Powers<R>) -> Self {
        Self { b, powers, y: b.zero(), sum: Unreduced::zero(b), power: 0 }
    }

    /// Goes on from what [`lanes`](Self::lanes) gave, with nothing since.
    #[cfg(feature = "gcm")]
    #[inline(always)]
    pub(crate) fn resume(&mut self, lanes: B::V) {
        self.y = lanes;
    }

    /// What is reduced so far: a hash in each lane if the last group was multiplied by the
    /// [`inner_factors`](Self::inner_factors), else one in the first.
    #[cfg(feature = "gcm")]
    #[inline(always)]
    pub(crate) fn lanes(&self) -> B::V {
        self.y
    }

    /// The hash of `ad`, `data` and the length block.
    #[inline(always)]
    pub(crate) fn all<const N: usize>(mut self, ad: &[u8], mut data: &[u8], lengths: One<B>) -> One<B> {
        self.ad::<N>(ad, data.len());
        if data.len() > N * B::BYTES {
            self.groups::<N>(&mut data);
        }
        self.expect_blocks(block_count(data.len()));
        self.registers(&mut data);
        let (b, blocks) = (self.b, block_count(data.len()));
        let tail = b.load_part(data);
        if blocks == B::BLOCKS {
            self.register(tail, blocks);
            return self.finish(b.zero(), 0, lengths);
        }
        self.finish(tail, blocks, lengths)
    }

    /// Takes the associated data; the message to come has `len` bytes. If both and the
    /// length block are no more blocks than there are powers, they share one reduction.
    #[inline(always)]
    pub(crate) fn ad<const N: usize>(&mut self, mut ad: &[u8], len: usize) {
        if ad.is_empty() {
            return;
        }
        let all = block_count(ad.len()) + block_count(len);
        let together = all <= N * B::BLOCKS;
        if together {
            self.power = all + 1;
        } else {
            if ad.len() > N * B::BYTES {
                self.groups::<N>(&mut ad);
            }
            self.power = block_count(ad.len());
        }
        self.registers(&mut ad);
        if !ad.is_empty() {
            self.register(self.b.load_part(ad), block_count(ad.len()));
        }
        if !together {
            self.reduce();
        }
    }

    /// From here on so many `blocks`, at most a group, and the length block share one
    /// reduction. If the associated data does so too, this changes nothing, but may tell
    /// the compiler the number.
    #[inline(always)]
    pub(crate) fn expect_blocks(&mut self, blocks: usize) {
        self.power = blocks + 1;
    }

    /// As many whole registers as `data` has; leaves the rest.
    #[inline(always)]
    fn registers(&mut self, data: &mut &[u8]) {
        while let Some((x, rest)) = data.split_at_checked(B::BYTES) {
            self.register(self.b.load(x), B::BLOCKS);
            *data = rest;
        }
    }

    /// The next register: `blocks` of data and zeros behind.
    #[inline(always)]
    pub(crate) fn register(&mut self, x: B::V, blocks: usize) {
        let b = self.b;
        let x = if GHASH { b.rev(x) } else { x };
        let (h, half) = self.powers.falling(b, self.power);
        self.sum.add(b, b.xor(x, self.y), h, half);
        self.y = b.zero();
        self.power -= blocks;
    }

    /// Reduces the sum, and adds up its lanes.
    #[inline(always)]
    fn reduce(&mut self) {
        self.y = self.sum.reduce(self.b);
        self.sum = Unreduced::zero(self.b);
        self.add_lanes();
    }

    /// The hash of all that came before, of the first `blocks` lanes of `tail`, fewer
    /// than a register has, and of the length block, which goes into the lane behind.
    #[inline(always)]
    pub(crate) fn finish(mut self, tail: B::V, blocks: usize, lengths: One<B>) -> One<B> {
        let b = self.b;
        let mut x = b.widen(lengths);
        if B::BLOCKS > 1 {
            let tail = if GHASH { b.rev(tail) } else { tail };
            x = b.xor(tail, b.and(x, b.load(lane_mask(blocks))));
        }
        let (h, half) = self.powers.falling(b, if B::BLOCKS > 1 { blocks + 1 } else { 1 });
        self.sum.add(b, b.xor(x, self.y), h, half);
        b.fold(self.sum.reduce(b))
    }

    /// Adds up the lanes of `y`: the first is the hash then, the others are zero.
    #[inline(always)]
    fn add_lanes(&mut self) {
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
            if B::BLOCKS > 1 && rest.len() <= N * B::BYTES {
                factors = Factors::last(b, self.powers, true);
            }
            let mut stitch = Stitch::<B, N, GHASH>::new(b, &factors, group, self.y, 0);
            for j in 0..N {
                stitch.take(b, N - 1 - j, true);
            }
            self.y = stitch.reduced(b);
            *data = rest;
        }
        self.add_lanes();
    }

    /// The factors for groups that are hashed between the rounds of the AES and have
    /// others behind them.
    #[inline(always)]
    pub(crate) fn inner_factors<const N: usize>(&self) -> Factors<B, N> {
        Factors::inner(self.b, self.powers, Self::KARATSUBA)
    }

    /// The same for the last group.
    #[inline(always)]
    pub(crate) fn last_factors<const N: usize>(&self) -> Factors<B, N> {
        Factors::last(self.b, self.powers, Self::KARATSUBA)
    }

    /// Whether Karatsuba's way is better between the rounds of the AES, or where a product is a call.
    const KARATSUBA: bool = B::BLOCKS < 4 || B::WIDE_SOFT;

    /// The hashing of the group `data`, to be stitched with a cipher of so many `rounds`
    /// and then given to [`stitched`](Self::stitched).
    #[inline(always)]
    pub(crate) fn stitch<'d, const N: usize>(
        &self,
        factors: &'d Factors<B, N>,
        data: &'d [u8],
        rounds: usize,
    ) -> Stitch<'d, B, N, GHASH> {
        Stitch::new(self.b, factors, data, self.y, rounds)
    }

    /// The same of a group that is in registers.
    #[cfg(feature = "gcm")]
    #[inline(always)]
    pub(crate) fn stitch_registers<'d, const N: usize>(
        &self,
        factors: &'d Factors<B, N>,
        group: [B::V; N],
        rounds: usize,
    ) -> Stitch<'d, B, N, GHASH> {
        debug_assert_eq!(factors.karatsuba, Self::KARATSUBA, "factors of the other way of multiplying");
        Stitch {
            factors: self.b.by_memory(factors),
            // By `factors` it would be read from memory, and be a branch.
            karatsuba: Self::KARATSUBA,
            group: Some(group),
            ..Stitch::new(self.b, factors, &[], self.y, rounds)
        }
    }

    /// The group that was hashed is the accumulator's new value.
    #[inline(always)]
    pub(crate) fn stitched<const N: usize>(&mut self, group: Stitch<'_, B, N, GHASH>) {
        self.y = group.reduced(self.b);
    }

    /// The last group, if it is not stitched with anything.
    #[inline(always)]
    pub(crate) fn group<const N: usize>(&mut self, factors: &Factors<B, N>, data: &[u8]) {
        let mut group = self.stitch(factors, data, 0);
        for j in 0..N {
            group.take(self.b, N - 1 - j, false);
        }
        self.stitched(group);
        self.end_groups();
    }

    /// After the last stitched group, which had the [`last_factors`](Self::last_factors).
    #[inline(always)]
    pub(crate) fn end_groups(&mut self) {
        self.add_lanes();
    }
}

/// The hashing of one group, in parts that are stitched with the rounds of a cipher
/// (Gueron): carry-less products go between the AES instructions, whose unit leaves
/// theirs idle.
pub(crate) struct Stitch<'a, B: Backend, const N: usize, const GHASH: bool> {
    factors: &'a Factors<B, N>,
    /// As in [`Factors`].
    karatsuba: bool,
    data: &'a [u8],
    /// The same in registers, if it is there.
    group: Option<[B::V; N]>,
    y: B::V,
    rounds: usize,
    low: B::V,
    mid: B::V,
    high: B::V,
}

impl<'a, B: Backend, const N: usize, const GHASH: bool> Stitch<'a, B, N, GHASH> {
    /// `data` has `N` registers, `y` is the hash before; `rounds` the cipher's.
    #[inline(always)]
    fn new(b: B, factors: &'a Factors<B, N>, data: &'a [u8], y: B::V, rounds: usize) -> Self {
        Self {
            factors,
            karatsuba: factors.karatsuba,
            data,
            group: None,
            y,
            rounds,
            low: b.zero(),
            mid: b.zero(),
            high: b.zero(),
        }
    }

    /// Multiplies register `j` by its power and adds the product. `settled`: its bytes
    /// were not stored just now, so that a load across two stores need not wait.
    #[inline(always)]
    fn take(&mut self, b: B, j: usize, settled: bool) {
        let loaded = match &self.group {
            Some(group) => group[j],
            None => b.load(&self.data[j * B::BYTES..]),
        };
        let mut x = if GHASH { b.rev(loaded) } else { loaded };
        if j == 0 {
            x = b.xor(x, self.y);
        }
        let (h, beside) = self.factors.h[j];
        if self.karatsuba {
            self.low = b.xor(self.low, b.clmul::<0x00>(x, h));
            self.high = b.xor(self.high, b.clmul::<0x11>(x, h));
            // The upper halves by another load, where that is as good, spare the
            // unit that multiplies a shuffle.
            let swapped = if settled && !GHASH && self.group.is_none() && j > 0 && j < N - 1 {
                b.load(&self.data[j * B::BYTES + 8..])
            } else {
                b.swap(x)
            };
            self.mid = b.xor(self.mid, b.clmul::<0x00>(b.xor(x, swapped), beside));
        } else {
            let mut sum = Unreduced { low: self.low, high: self.high };
            sum.add(b, x, h, beside);
            // Held, as the cipher's registers are, so that the products stay between the
            // rounds that they were put between.
            (self.low, self.high) = (b.hold(sum.low), b.hold(sum.high));
        }
    }

    /// The hash so far, once all registers are taken.
    #[inline(always)]
    fn reduced(self, b: B) -> B::V {
        if self.karatsuba {
            let mid = b.xor(self.mid, b.xor(self.low, self.high));
            b.xor(self.high, times_half(b, b.xor(mid, times_half(b, self.low))))
        } else {
            Unreduced { low: self.low, high: self.high }.reduce(b)
        }
    }
}

impl<B: Backend, const N: usize, const GHASH: bool> Interleave<B> for Stitch<'_, B, N, GHASH> {
    /// The registers are spread over the rounds, the last one first: the first one waits
    /// for the hash of the group before. With four blocks a register the products take
    /// longer than the AES, so that they had better be done before it is.
    #[inline(always)]
    fn step(&mut self, b: B, r: usize) {
        let over = self.rounds - if B::BLOCKS == 4 { 4 } else { 1 };
        for j in 0..N {
            if 1 + j * over / N == r {
                self.take(b, N - 1 - j, false);
            }
        }
    }
}
