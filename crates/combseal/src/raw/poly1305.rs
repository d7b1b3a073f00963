//! Poly1305 (RFC 8439, 2.5), without branches on data: in plain 64-bit words, a block at a time,
//! for what is short; and for what is long in a register's halves, a block in each, by powers
//! of r.
//!
//! A block in plain words takes some 12 cycles of latency but few instructions, and nothing
//! has to be made ready. In registers ([`Side`]) as many blocks as there are halves are absorbed
//! at once, each half being a sum of its own that is multiplied by r to the number of halves;
//! at the end each is multiplied by the power that its place asks for, and all are added. The
//! numbers are in limbs of 44, 44 and 42 bits where the CPU multiplies 52 bits at once, else
//! in five of 26, and carries are left as they are as long as they fit (Bernstein and Schwabe
//! 2012, "NEON crypto", 5; Goll and Gueron 2015, "Vectorization of Poly1305").

use crate::cpu::{Backend, Block, Interleave};
use crate::memory::wipe::Wipe;
use limbs::{Factor, Limbs, Sums, count, halves, limbs, number, opaque, padded};
use number::{by_key, product};
pub(crate) use words::Words;

pub(crate) mod each;
pub(crate) mod in_words;
mod limbs;
mod number;
#[cfg(feature = "alloc")]
pub(crate) mod waiting;
mod words;

/// The one-time authenticator, in the form that AEADs use: whole 16-byte blocks,
/// zeros behind what is short. It belongs to one message, like key stream (`memory/wipe.rs`).
#[derive(Clone, Copy)]
pub(crate) struct Poly1305 {
    r: [u64; 2],
    /// The sum, below 2^131: 64, 64 and a few bits.
    h: [u64; 3],
    s: u128,
}

impl Poly1305 {
    /// Takes the one-time key r || s.
    #[inline(always)]
    pub(crate) fn new(r: u128, s: u128) -> Self {
        let r = r & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
        Self { r: [r as u64, (r >> 64) as u64], h: [0; 3], s }
    }

    /// As three blocks and half of one, to be kept between two parts of a message.
    #[inline(always)]
    pub(crate) fn keep(&self, to: &mut [Block; 4]) {
        let two = |x: u64, y: u64| (u128::from(x) | u128::from(y) << 64).to_le_bytes();
        *to = [two(self.r[0], self.r[1]), self.s.to_le_bytes(), two(self.h[0], self.h[1]), two(self.h[2], 0)];
    }

    /// What was kept.
    #[inline(always)]
    pub(crate) fn kept(from: &[Block; 4]) -> Self {
        let [r, s, h, rest] = from.map(u128::from_le_bytes);
        Self { r: [r as u64, (r >> 64) as u64], h: [h as u64, (h >> 64) as u64, rest as u64], s }
    }

    /// Absorbs `data`, padded with zeros to whole blocks.
    #[inline(always)]
    pub(crate) fn update<B: Backend>(&mut self, b: B, data: &[u8]) {
        let (blocks, rest) = data.as_chunks::<16>();
        for block in blocks {
            self.block(u128::from_le_bytes(*block));
        }
        if !rest.is_empty() {
            let one = b.one();
            self.block(u128::from_le_bytes(one.block(one.load_part(rest))));
        }
    }

    /// h = (h + m + 2^128) r, reduced to a few bits above 2^130 - 5.
    #[inline(always)]
    pub(crate) fn block(&mut self, m: u128) {
        self.absorb(m, 1);
    }

    /// Absorbs what is left of a message, below 16 bytes, as messages by themselves have it: with
    /// a byte of 1 behind it, and zeros only behind that.
    #[cfg(feature = "internals")]
    #[inline(always)]
    pub(crate) fn part<B: Backend>(&mut self, b: B, rest: &[u8]) {
        if !rest.is_empty() {
            let one = b.one();
            self.absorb(u128::from_le_bytes(one.block(one.load_part(rest))) | 1 << (8 * (rest.len() & 15)), 0);
        }
    }

    /// h = (h + m + 2^128 top) r, likewise.
    #[inline(always)]
    fn absorb(&mut self, m: u128, top: u64) {
        let t = self.h[0] as u128 + m as u64 as u128;
        let u = self.h[1] as u128 + (m >> 64) + (t >> 64);
        self.h = by_key([t as u64, u as u64, self.h[2] + (u >> 64) as u64 + top], self.r);
    }

    /// The tag: h modulo 2^130 - 5, plus s, modulo 2^128.
    #[inline(always)]
    pub(crate) fn tag(&self) -> [u8; 16] {
        let [h0, h1, h2] = self.h;
        let h = h0 as u128 | (h1 as u128) << 64;
        // h + 5 reaches 2^130 if and only if h reaches 2^130 - 5.
        let (g, over) = h.overflowing_add(5);
        let take_g = 0u128.wrapping_sub(((h2 + over as u64) >> 2) as u128);
        ((h & !take_g) | (g & take_g)).wrapping_add(self.s).to_le_bytes()
    }
}

impl Wipe for Poly1305 {
    #[inline]
    fn wipe(&mut self) {
        self.r.iter_mut().chain(&mut self.h).for_each(Wipe::wipe);
        self.s.wipe();
    }
}
/// Sums side by side, and the powers of r that they are multiplied by.
pub(crate) struct Side<B: Backend> {
    h: Limbs<B>,
    /// r to the number of halves, and the second, third and fourth power of that, in every half.
    steps: [Factor<B>; 4],
    /// In each half the power that its sum is multiplied by at the end.
    last: Factor<B>,
}

impl<B: Backend> Side<B> {
    /// How many bytes are absorbed at once.
    const GROUP: usize = 2 * B::BYTES;

    /// The powers of the one-time key that `groups` groups ask for.
    #[inline(always)]
    fn new(b: B, poly: &Poly1305, groups: usize) -> Self {
        let one = [poly.r[0], poly.r[1], 0];
        let two = by_key(one, poly.r);
        if const { B::BLOCKS == 4 } {
            // Four numbers by themselves. Those behind them are products of whole registers: far fewer instructions, and
            // none lies in memory.
            let (three, four) = (by_key(two, poly.r), product(two, two));
            let (p4, p3, p2, p1) = (limbs::<B>(four), limbs::<B>(three), limbs::<B>(two), limbs::<B>(one));
            let (mut powers, mut by, lane) = ([b.zero(); 5], [b.zero(); 5], b.one());
            for k in 0..count::<B>() {
                powers[k] =
                    b.join([lane.splat64(p4[k]), lane.splat64(p3[k]), lane.splat64(p2[k]), lane.splat64(p1[k])]);
                // Times the fourth power in the low halves, in the high ones times 1.
                by[k] = b.mixed(b.splat64(p4[k]), b.splat64(u64::from(k == 0)));
            }
            let mut last = Factor::new(b, by).times(b, &powers);
            for k in 0..count::<B>() {
                last[k] = b.hold(last[k]);
            }
            let last = Factor::new(b, last);
            if const { !B::IFMA } {
                return Self { h: [b.zero(); 5], steps: Self::steps(b, product(four, four), groups), last };
            }
            let mut first = [b.zero(); 5];
            for k in 0..count::<B>() {
                let all = b.widen(b.split(last.r[k])[0]);
                first[k] = b.low_halves(all, all);
            }
            let first = Factor::new(b, first);
            let mut steps = [first; 4];
            if groups > 2 {
                steps[1] = Factor::new(b, first.times(b, &first.r));
            }
            if groups > 4 {
                steps[2] = Factor::new(b, first.times(b, &steps[1].r));
                steps[3] = Factor::new(b, steps[1].times(b, &steps[1].r));
            }
            return Self { h: [b.zero(); 5], steps, last };
        }
        // As few products after another as can be: the highest power is what is waited for. Numbers
        // by themselves, which stay in registers.
        let (mut three, mut four) = (two, two);
        if B::BLOCKS > 1 {
            four = product(two, two);
            three = by_key(two, poly.r);
        }
        let power = |i: usize| match i {
            1 => one,
            2 => two,
            3 => three,
            _ => four,
        };
        // The halves of a block are of blocks of the message that are half a group apart.
        let mut table = [[[0; 16]; 4]; 5];
        for i in 0..B::BLOCKS {
            let low = limbs::<B>(power(halves::<B>() - i));
            let high = limbs::<B>(power(B::BLOCKS - i));
            for k in 0..count::<B>() {
                table[k][i] = (u128::from(high[k]) << 64 | u128::from(low[k])).to_le_bytes();
            }
        }
        let mut last = [b.zero(); 5];
        for k in 0..count::<B>() {
            last[k] = b.load(table[k].as_flattened());
            table[k].wipe();
        }
        Self { h: [b.zero(); 5], steps: Self::steps(b, power(halves::<B>()), groups), last: Factor::new(b, last) }
    }

    /// `first`, which is r to the number of halves, and as many powers of it as `groups` groups ask for.
    #[inline(always)]
    fn steps(b: B, first: [u64; 3], groups: usize) -> [Factor<B>; 4] {
        let mut steps = [Factor::all(b, first); 4];
        if B::ROOMY && groups > 2 {
            let second = product(first, first);
            steps[1] = Factor::all(b, second);
            if groups > 4 {
                steps[2] = Factor::all(b, product(second, first));
                steps[3] = Factor::all(b, product(second, second));
            }
        }
        steps
    }

    /// Begins with the sum that `poly` has by now, and a group of blocks.
    #[inline(always)]
    fn begin(&mut self, b: B, poly: &Poly1305, x: B::V, y: B::V) {
        let (m, h) = (padded(b, x, y), limbs::<B>(poly.h));
        for k in 0..count::<B>() {
            // The first block of the group is in the first half.
            let first = b.keep(b.splat64(h[k]), 8);
            self.h[k] = b.add64(m[k], first);
        }
    }

    /// Absorbs `N` further groups, at most four, with one carry. `WAITING`: the sums so far are what is waited for, and are
    /// multiplied last, so that as few additions as can be come behind them. Where there is enough else to do, as between
    /// rounds, that only costs registers.
    #[inline(always)]
    fn absorb<const N: usize, const WAITING: bool>(&mut self, b: B, x: [[B::V; 2]; N]) {
        const { assert!(0 < N && N <= 4) };
        let (mut sums, h) = (Sums::new(b), opaque(b, &self.h));
        if !WAITING {
            self.steps[N - 1].add_product(b, &mut sums, &h);
        }
        // Written out: the compiler left four as a loop, for which see `opaque`.
        if N > 1 {
            self.steps[N - 2].add_product(b, &mut sums, &padded(b, x[0][0], x[0][1]));
        }
        if N > 2 {
            self.steps[N - 3].add_product(b, &mut sums, &padded(b, x[1][0], x[1][1]));
        }
        if N > 3 {
            self.steps[N - 4].add_product(b, &mut sums, &padded(b, x[2][0], x[2][1]));
        }
        if WAITING {
            self.steps[N - 1].add_product(b, &mut sums, &h);
        }
        self.h = sums.carried(b);
        let m = padded(b, x[N - 1][0], x[N - 1][1]);
        for k in 0..count::<B>() {
            self.h[k] = b.add64(self.h[k], m[k]);
        }
    }

    /// Absorbs `N` groups from the beginning of `data`.
    #[inline(always)]
    fn absorb_from<const N: usize, const WAITING: bool>(&mut self, b: B, data: &[u8]) {
        let data = &data[..N * Self::GROUP];
        let mut x = [[b.zero(); 2]; N];
        for i in 0..N {
            x[i] = [b.load(&data[2 * i * B::BYTES..]), b.load(&data[(2 * i + 1) * B::BYTES..])];
        }
        self.absorb::<N, WAITING>(b, x);
    }

    /// All sums, each times its power, into the one of `poly`.
    #[inline(always)]
    fn end(&self, b: B, poly: &mut Poly1305) {
        let mut products = Sums::new(b);
        self.last.add_product(b, &mut products, &opaque(b, &self.h));
        let (h, one) = (products.carried(b), b.one());
        let mut sums = [0; 5];
        for k in 0..count::<B>() {
            let lanes = b.split(h[k]);
            let mut sum = lanes[0];
            for i in 1..B::BLOCKS {
                sum = one.add64(sum, lanes[i]);
            }
            let sum = u128::from_le_bytes(one.block(one.add64(sum, one.swap(sum))));
            sums[k] = sum as u64;
        }
        poly.h = number::<B>(sums);
    }
}

impl Poly1305 {
    /// As `update`, of what may be long.
    #[inline(always)]
    pub(crate) fn update_long<B: Backend>(&mut self, b: B, data: &[u8]) {
        let blocks = data.len() / 16;
        let mut data = data;
        if blocks >= Mac::<B, true>::FEWEST {
            let groups = blocks / halves::<B>();
            let mut side = Side::<B>::new(b, self, groups);
            let (head, rest) = data.split_at(16 * (blocks % halves::<B>()));
            self.update(b, head);
            side.begin(b, self, b.load(rest), b.load(&rest[B::BYTES..]));
            data = &rest[Side::<B>::GROUP..];
            while B::ROOMY && data.len() >= 4 * Side::<B>::GROUP {
                side.absorb_from::<4, true>(b, data);
                data = &data[4 * Side::<B>::GROUP..];
            }
            // (Then there are more than two groups in all, and the second power is there.)
            if B::ROOMY && data.len() >= 2 * Side::<B>::GROUP {
                side.absorb_from::<2, true>(b, data);
                data = &data[2 * Side::<B>::GROUP..];
            }
            while data.len() >= Side::<B>::GROUP {
                side.absorb_from::<1, true>(b, data);
                data = &data[Side::<B>::GROUP..];
            }
            side.end(b, self);
        }
        self.update(b, data);
    }
}

/// The authenticator of one message, on the way through it: its associated data has been
/// absorbed.
///
/// It is absorbed in groups side by side, between the rounds too, where there are registers for both (where
/// there are not: `in_words.rs`). Of the blocks, the lengths behind them included, so many go first in plain
/// words that the others are whole groups.
///
/// `WHOLE`: the message is all there is, and its lengths go last. Else it is whole blocks, and
/// others come behind them.
pub(crate) struct Mac<B: Backend, const WHOLE: bool> {
    poly: Poly1305,
    side: Side<B>,
    lengths: u128,
    /// Where the next group begins.
    at: usize,
    /// Where the last group does, which has the lengths in it.
    last: usize,
}

/// What of a message can be absorbed.
#[derive(Clone, Copy)]
pub(crate) struct Data<'a> {
    /// The message, or all of it that there is as yet.
    pub message: &'a [u8],
    /// What begins behind is not wanted yet.
    pub end: usize,
}

impl<B: Backend, const WHOLE: bool> Mac<B, WHOLE> {
    /// Whether it is for this CPU, so that a message's sums can be kept between two of its parts.
    pub(crate) const KEEPS: bool = B::ROOMY;
    /// Bytes in a group.
    const GROUP: usize = Side::<B>::GROUP;

    /// The fewest blocks, the lengths among them, that are worth it.
    pub(crate) const FEWEST: usize = match B::BLOCKS {
        1 => 6,
        2 => 12,
        _ => 26,
    };

    /// Begins, with data of which there are as yet a few groups, or all, of a message of `len`
    /// bytes that is not shorter than [`FEWEST`](Self::FEWEST) blocks.
    #[inline(always)]
    pub(crate) fn new(b: B, mut poly: Poly1305, data: &[u8], ad: usize, len: usize) -> Self {
        let lengths = ad as u128 | (len as u128) << 64;
        let blocks = (len + 15) / 16 + WHOLE as usize;
        let mut side = Side::new(b, &poly, blocks / halves::<B>());
        let head = 16 * (blocks % halves::<B>());
        let last = 16 * (blocks - halves::<B>());
        poly.update(b, &data[..head]);
        side.begin(b, &poly, b.load(&data[head..]), b.load(&data[head + B::BYTES..]));
        Self { poly, side, lengths, at: head + Self::GROUP, last }
    }

    /// Absorbs `N` groups, if there are and are wanted.
    #[inline(always)]
    fn groups<const N: usize, const WAITING: bool>(&mut self, b: B, data: Data<'_>) -> bool {
        let behind = self.at + N * Self::GROUP;
        if self.at >= data.end || behind > self.last || behind > data.message.len() {
            return false;
        }
        self.side.absorb_from::<N, WAITING>(b, &data.message[self.at..behind]);
        self.at = behind;
        true
    }

    /// Absorbs all groups that there are and are wanted.
    #[inline(always)]
    pub(crate) fn absorb(&mut self, b: B, data: Data<'_>) {
        while self.groups::<4, true>(b, data) {}
        // (Then there are more than two groups in all, and the second power is there.)
        if B::BLOCKS == 4 {
            self.groups::<2, true>(b, data);
        }
        while self.groups::<1, true>(b, data) {}
    }

    /// Whether long messages are absorbed by words.
    pub(crate) const BY_WORDS: bool = B::BLOCKS == 4 && !B::IFMA && WHOLE;

    /// What [`absorb_eights`](Self::absorb_eights) asks for, if the message is long.
    #[inline(always)]
    pub(crate) fn words(&self, b: B) -> Option<Words<B>> {
        let long = self.last.saturating_sub(self.at) >= Words::<B>::WORTH * Self::GROUP;
        if const { Self::BY_WORDS } && long { Some(Words::new(b, &self.side.steps)) } else { None }
    }

    /// Absorbs eight groups at a time, as many as there are and are wanted.
    #[inline(always)]
    pub(crate) fn absorb_eights(&mut self, b: B, words: &Words<B>, data: Data<'_>) {
        let eight = 8 * Self::GROUP;
        while self.at < data.end && self.at + eight <= self.last.min(data.message.len()) {
            words.absorb(b, &mut self.side.h, &data.message[self.at..]);
            self.at += eight;
        }
    }

    /// Absorbs what is left of all of the message, and its lengths.
    #[inline(always)]
    pub(crate) fn absorb_rest(&mut self, b: B, message: &[u8]) {
        let data = Data { message, end: message.len() };
        if B::BLOCKS < 4 {
            self.absorb(b, data);
            if self.at == self.last {
                self.absorb_last::<1>(b, message);
            }
            return;
        }
        while self.groups::<4, true>(b, data) {}
        if self.at <= self.last {
            // The last ones with one carry too.
            match (self.last - self.at) / Self::GROUP {
                0 => self.absorb_last::<1>(b, message),
                1 => self.absorb_last::<2>(b, message),
                // Four groups in all would wait for the third power.
                2 => {
                    self.groups::<2, true>(b, data);
                    self.absorb_last::<1>(b, message);
                }
                _ => self.absorb_last::<4>(b, message),
            }
        }
    }

    /// Absorbs the last `N` groups.
    #[inline(always)]
    fn absorb_last<const N: usize>(&mut self, b: B, message: &[u8]) {
        let (whole, rest) = message[self.at..].split_at((N - 1) * Self::GROUP);
        let mut x = [[b.zero(); 2]; N];
        for i in 0..N - 1 {
            x[i] = [b.load(&whole[2 * i * B::BYTES..]), b.load(&whole[(2 * i + 1) * B::BYTES..])];
        }
        let (low, high) = rest.split_at(rest.len().min(B::BYTES));
        let mut high = b.load_part(high);
        if WHOLE {
            high = b.with_top(high, b.one().load(&self.lengths.to_le_bytes()));
        }
        x[N - 1] = [b.load_part(low), high];
        self.side.absorb::<N, true>(b, x);
        self.at += N * Self::GROUP;
    }

    /// The tag of a message that has been absorbed.
    #[inline(always)]
    pub(crate) fn tag(self, b: B) -> [u8; 16] {
        self.ended(b).tag()
    }

    /// The authenticator behind what has been absorbed.
    #[inline(always)]
    pub(crate) fn ended(mut self, b: B) -> Poly1305 {
        self.side.end(b, &mut self.poly);
        self.poly
    }
}

/// A message's groups between the rounds: one, two or four in each other round.
pub(crate) struct Between<'a, 'm, B: Backend, const WHOLE: bool>(pub &'a mut Mac<B, WHOLE>, pub Data<'m>);
impl<B: Backend, const WHOLE: bool> Interleave<B> for Between<'_, '_, B, WHOLE> {
    #[inline(always)]
    fn step(&mut self, b: B, r: usize) {
        let Self(mac, data) = self;
        if r.is_multiple_of(2) {
            if B::BLOCKS == 4 {
                // One carry for four. What of the cipher does not fit beside them lies in memory meanwhile.
                mac.groups::<4, false>(b, *data);
            } else if B::IFMA {
                mac.groups::<2, false>(b, *data);
            } else {
                mac.groups::<1, false>(b, *data);
            }
        }
    }
}

#[cfg(test)]
mod tests;
