//! ChaCha20-Poly1305 on lanes. A pass makes one block of key stream for each of as many messages
//! as a register has words. The first pass makes their one-time keys. Where there are registers
//! for it, the authenticators are side by side too.

use super::{ChaCha20Poly1305, LONG_AD, XChaCha20Poly1305, narrow};
use crate::cpu::{Backend, Block, Cpu, InOut, Interleave, Kernel};
use crate::interface::scheme::Scheme;
use crate::memory::wipe::Wipe;
use crate::pipeline::jobs::{Many, SideBySide};
use crate::pipeline::lockstep::LaneKeys;
use crate::pipeline::plan::MAX_LANES;
use crate::raw::chacha20::{Nothing, Quarters, Starts, Stream, whole};
use crate::raw::poly1305::Poly1305;
use crate::raw::poly1305::each::{Each, wanted};

/// Messages side by side: sealed, or decrypted; and their tags. XChaCha20's nonces have 24 bytes.
struct Lanes<'g, 'a, const SEAL: bool> {
    keys: &'g [&'g [u8; 32]; MAX_LANES],
    nonces: &'g [&'g [u8]; MAX_LANES],
    ads: &'g [&'g [u8]; MAX_LANES],
    /// The longest first.
    ios: &'g mut [InOut<'a>],
    tags: &'g mut [Block; MAX_LANES],
}

impl<const SEAL: bool> Kernel for Lanes<'_, '_, SEAL> {
    type Out = ();
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        if const { !B::WORDS || <B::Wide as Backend>::BLOCKS == 1 } {
            unreachable!("messages on lanes, on a tier without words or with four of them");
        }
        let Self { keys, nonces, ads, ios, tags } = self;
        let mut from = 0;
        while from < ios.len() {
            let to = ios.len().min(from + Starts::<B::Wide>::MESSAGES);
            let it = Group { keys: &keys[from..to], nonces: &nonces[from..to], ads: &ads[from..to] };
            it.crypt::<_, SEAL>(b.wide(), &mut ios[from..to], &mut tags[from..to]);
            from = to;
        }
    }
}

/// As many messages as a register has words, or fewer.
struct Group<'g> {
    keys: &'g [&'g [u8; 32]],
    nonces: &'g [&'g [u8]],
    ads: &'g [&'g [u8]],
}

impl Group<'_> {
    #[inline(always)]
    fn crypt<B: Backend, const SEAL: bool>(&self, b: B, ios: &mut [InOut<'_>], tags: &mut [Block]) {
        let (one, n) = (b.one(), ios.len());
        // Lanes without a message have the first one's key.
        let at = |i: usize| if i < n { i } else { 0 };
        let half = |i: usize, k: usize| &self.keys[at(i)].as_chunks().0[k];
        let starts = if self.nonces[0].len() == 12 {
            // One word further, to make room for the number.
            Starts::new(b, half, |i| one.turn32::<3>(one.load_part(self.nonces[at(i)])))
        } else {
            Starts::new(b, half, |i| one.load(self.nonces[at(i)]))
                .extended(b, |i| one.swap(one.load_part(&self.nonces[at(i)][16..])))
        };
        if const { B::ROOMY } {
            self.together::<B, SEAL>(b, &starts, ios, tags);
        } else {
            self.in_turn::<B, SEAL>(b, &starts, ios, tags);
        }
    }

    /// With the authenticators side by side: what two blocks have made is absorbed between the rounds of the next two.
    #[inline(always)]
    fn together<B: Backend, const SEAL: bool>(
        &self,
        b: B,
        starts: &Starts<B>,
        ios: &mut [InOut<'_>],
        tags: &mut [Block],
    ) {
        // The shortest is the last.
        let (longest, shortest) = (ios[0].len(), ios[ios.len() - 1].len());
        // Made so early that they have reached the cache when they are loaded.
        let lengths = self.lengths(ios);
        let [keys, first] = starts.columns::<_, 2>(b, 0, &mut Nothing);
        let mut macs = Macs::new(b, &keys, self.ads, &lengths);
        if shortest >= 64 {
            macs.square(b);
        }
        // What was encrypted last and is not absorbed yet: `count` blocks from byte `from` on.
        let (mut steps, mut from, mut count) = ([[[b.zero(); 4]; 4]; 2], 0, 0);
        if longest > 0 {
            crypt_quarters::<B, SEAL>(b, &first, ios, 0, &mut steps[0]);
            count = 1;
        }
        // As many of them as no message ends in. (Of lanes without a message nobody wants to know.)
        let whole = |from: usize, count: usize| ((shortest / 64).saturating_sub(from / 64)).min(count);
        while from + 64 * count < longest {
            let (n, at) = (whole(from, count), from + 64 * count);
            let number = (at / 64) as u32 + 1;
            if longest > at + 64 {
                let mut work = Between { macs: &mut macs, steps: &steps, next: 0, end: 4 * n };
                let [first, second] = starts.columns::<_, 2>(b, number, &mut work);
                work.rest(b);
                macs.absorb_parts(b, &steps[n..count], ios, from + 64 * n);
                crypt_quarters::<B, SEAL>(b, &first, ios, at, &mut steps[0]);
                crypt_quarters::<B, SEAL>(b, &second, ios, at + 64, &mut steps[1]);
                (from, count) = (at, 2);
            } else {
                let mut work = Between { macs: &mut macs, steps: &steps, next: 0, end: 4 * n };
                let [last] = starts.columns::<_, 1>(b, number, &mut work);
                work.rest(b);
                macs.absorb_parts(b, &steps[n..count], ios, from + 64 * n);
                crypt_quarters::<B, SEAL>(b, &last, ios, at, &mut steps[0]);
                (from, count) = (at, 1);
            }
        }
        let n = whole(from, count);
        Between { macs: &mut macs, steps: &steps, next: 0, end: 4 * n }.rest(b);
        macs.absorb_parts(b, &steps[n..count], ios, from + 64 * n);
        macs.tags(b, &lengths, tags);
    }

    /// The lengths of associated data and message, of each.
    #[inline(always)]
    fn lengths(&self, ios: &[InOut<'_>]) -> [Block; MAX_LANES] {
        let mut lengths = [[0; 16]; MAX_LANES];
        for ((to, ad), io) in lengths.iter_mut().zip(self.ads).zip(ios) {
            *to = (ad.len() as u128 | (io.len() as u128) << 64).to_le_bytes();
        }
        lengths
    }

    /// With one authenticator after the other.
    #[inline(always)]
    fn in_turn<B: Backend, const SEAL: bool>(
        &self,
        b: B,
        starts: &Starts<B>,
        ios: &mut [InOut<'_>],
        tags: &mut [Block],
    ) {
        let longest = ios[0].len();
        let [keys, stream] = starts.columns::<_, 2>(b, 0, &mut Nothing);
        let mut macs = InTurn::new(b, &whole(b, keys), self.ads);
        let mut at = 0;
        let mut next = Some(stream);
        while at < longest {
            let number = (at / 64) as u32 + 1;
            let stream = match next.take() {
                Some(stream) => stream,
                None if longest > at + 64 => {
                    let [stream, second] = starts.columns::<_, 2>(b, number, &mut Nothing);
                    next = Some(second);
                    stream
                }
                None => starts.columns::<_, 1>(b, number, &mut Nothing)[0],
            };
            let sealed = crypt_block::<B, SEAL>(b, &whole(b, stream), ios, at);
            macs.absorb(b, &sealed, ios, at);
            at += 64;
        }
        macs.tags(&self.lengths(ios), tags);
    }
}

/// XORs 64 bytes of each message from byte `at` on, or what is left of it, with its part of `stream`;
/// gives the ciphertext, with zeros behind.
#[inline(always)]
fn crypt_block<B: Backend, const SEAL: bool>(b: B, stream: &Stream<B>, ios: &mut [InOut<'_>], at: usize) -> Stream<B> {
    let registers = 4 / B::BLOCKS;
    let mut sealed = [b.zero(); 16];
    for (i, io) in ios.iter_mut().enumerate().take(Starts::<B>::MESSAGES) {
        for k in 0..registers {
            let it = i * registers + k;
            sealed[it] = crypt_register::<B, SEAL>(b, stream[it], io, at + k * B::BYTES);
        }
    }
    sealed
}

/// The same of a register.
#[inline(always)]
fn crypt_register<B: Backend, const SEAL: bool>(b: B, stream: B::V, io: &mut InOut<'_>, at: usize) -> B::V {
    if io.len() >= at + B::BYTES {
        let x = io.load(b, at);
        let y = b.xor(x, stream);
        io.store(b, at, y);
        if SEAL { y } else { x }
    } else if io.len() > at {
        let x = b.load_part(&io.src()[at..]);
        let y = b.xor(x, stream);
        b.store_part(&mut io.dst()[at..], y);
        if SEAL { b.keep(y, io.len() - at) } else { x }
    } else {
        b.zero()
    }
}

/// As [`crypt_block`], in quarters; writes those of the ciphertext.
#[inline(always)]
fn crypt_quarters<B: Backend, const SEAL: bool>(
    b: B,
    stream: &Quarters<B>,
    ios: &mut [InOut<'_>],
    at: usize,
    sealed: &mut Quarters<B>,
) {
    let registers = 4 / B::BLOCKS;
    for j in 0..4 {
        let mut z = b.transpose128([stream[0][j], stream[1][j], stream[2][j], stream[3][j]]);
        for i in 0..4 {
            let at = at + i % registers * B::BYTES;
            z[i] = match ios.get_mut(4 * (i / registers) + j) {
                Some(io) => crypt_register::<B, SEAL>(b, z[i], io, at),
                None => b.zero(),
            };
        }
        let y = match B::BLOCKS {
            2 => {
                let [y0, y2, y1, y3] = b.transpose128([z[0], z[2], z[1], z[3]]);
                [y0, y1, y2, y3]
            }
            _ => b.transpose128(z),
        };
        for i in 0..4 {
            sealed[i][j] = y[i];
        }
    }
}

/// The message that half `i` of authenticators number `group` is of: as its quarters lie in registers.
#[inline(always)]
fn message<B: Backend>(group: usize, i: usize) -> usize {
    4 * (i % B::BLOCKS) + 2 * group + i / B::BLOCKS
}

/// The messages' authenticators, side by side, where there are registers for it.
///
/// Behind them the complements of the messages' lengths, in the same halves: which messages have something left is told from them
/// in registers. Made of lengths each time, what is wanted went through memory, in pieces that the next load waited for.
struct Macs<B: Backend>([Each<B>; 2], [B::V; 2]);

impl<B: Backend> Macs<B> {
    /// By the first blocks of key stream; absorbs associated data.
    #[inline(always)]
    fn new(b: B, keys: &Quarters<B>, ads: &[&[u8]], lengths: &[Block; MAX_LANES]) -> Self {
        let [r, s, ..] = keys;
        let mut ends = [b.splat64(u64::MAX); 2];
        for (group, ends) in ends.iter_mut().enumerate() {
            let low = b.gather(|i| &lengths[message::<B>(group, i)]);
            let high = b.gather(|i| &lengths[message::<B>(group, B::BLOCKS + i)]);
            *ends = b.xor(*ends, b.high_halves(low, high));
        }
        let mut it = Self([Each::new(b, two(r, 0), two(s, 0)), Each::new(b, two(r, 1), two(s, 1))], ends);
        let longest = ads.iter().map(|ad| ad.len()).max().unwrap_or(0);
        let one = b.one();
        let mut at = 0;
        while at < longest {
            for (group, each) in it.0.iter_mut().enumerate() {
                let left = |i: usize| ads.get(message::<B>(group, i)).map_or(&[][..], |ad| &ad[at.min(ad.len())..]);
                let mut lanes = [[one.zero(); 4]; 2];
                for i in 0..B::BLOCKS {
                    lanes[0][i] = one.load_part(left(i));
                    lanes[1][i] = one.load_part(left(B::BLOCKS + i));
                }
                each.absorb(b, [b.join(lanes[0]), b.join(lanes[1])], wanted(b, |i| left(i).len()));
            }
            at += 16;
        }
        it
    }

    /// Makes what two blocks at once are multiplied by.
    #[inline(always)]
    fn square(&mut self, b: B) {
        for each in &mut self.0 {
            each.square(b);
        }
    }

    /// Absorbs blocks of 64 bytes, from byte `from` on, in which messages may end.
    #[inline(always)]
    fn absorb_parts(&mut self, b: B, steps: &[Quarters<B>], ios: &[InOut<'_>], from: usize) {
        let mut at = from;
        for step in steps {
            for k in 0..4 {
                // (The first is the longest.)
                if ios[0].len() <= at + 16 * k {
                    return;
                }
                for group in 0..2 {
                    self.0[group].absorb(b, two(&step[k], group), self.wanted(b, group, at + 16 * k));
                }
            }
            at += 64;
        }
    }

    /// In which halves a message goes on behind byte `at`, as all bits or none.
    #[inline(always)]
    fn wanted(&self, b: B, group: usize, at: usize) -> B::V {
        // Below zero, `at` less the length.
        let less = b.shr64(b.add64(self.1[group], b.splat64(at as u64 + 1)), 63);
        let ones = b.splat64(u64::MAX);
        b.xor(b.add64(less, ones), ones)
    }

    /// Absorbs the lengths; the tags.
    #[inline(always)]
    fn tags(&mut self, b: B, lengths: &[Block; MAX_LANES], tags: &mut [Block]) {
        let one = b.one();
        for (group, each) in self.0.iter_mut().enumerate() {
            let length = |i: usize| &lengths[message::<B>(group, i)];
            each.absorb_all(b, [b.gather(length), b.gather(|i| length(B::BLOCKS + i))]);
            let [x, y] = each.tags(b);
            let lanes = [b.split(x), b.split(y)];
            for i in 0..Each::<B>::MESSAGES {
                if let Some(tag) = tags.get_mut(message::<B>(group, i)) {
                    one.store(tag, lanes[i / B::BLOCKS][i % B::BLOCKS]);
                }
            }
        }
    }
}

/// Of a quarter of each message that of those whose authenticators are number `group`.
#[inline(always)]
fn two<V: Copy>(quarter: &[V; 4], group: usize) -> [V; 2] {
    [quarter[2 * group], quarter[2 * group + 1]]
}

/// Whole blocks of all messages, to be absorbed between the rounds: 32 bytes of half of the messages
/// at a time.
struct Between<'a, B: Backend> {
    macs: &'a mut Macs<B>,
    steps: &'a [Quarters<B>; 2],
    /// What comes next.
    next: usize,
    end: usize,
}

impl<B: Backend> Between<'_, B> {
    #[inline(always)]
    fn one(&mut self, b: B) {
        if self.next < self.end {
            let (step, k, group) = (&self.steps[self.next / 4 % 2], self.next & 2, self.next % 2);
            self.macs.0[group].absorb_two(b, two(&step[k], group), two(&step[k + 1], group));
            self.next += 1;
        }
    }

    /// What the rounds had no step for.
    #[inline(always)]
    fn rest(mut self, b: B) {
        while self.next < self.end {
            self.one(b);
        }
    }
}

impl<B: Backend> Interleave<B> for Between<'_, B> {
    #[inline(always)]
    fn step(&mut self, b: B, r: usize) {
        // Eight parts at most, in ten places.
        if r.is_multiple_of(if B::IFMA { 2 } else { 4 }) {
            self.one(b);
        }
    }
}

/// The messages' authenticators, one after the other: of no more than eight messages, since where these are made
/// registers are not the widest.
struct InTurn([Poly1305; 8]);

impl InTurn {
    /// By the first blocks of key stream; absorbs associated data.
    #[inline(always)]
    fn new<B: Backend>(b: B, keys: &Stream<B>, ads: &[&[u8]]) -> Self {
        const { assert!(B::ROOMY || Starts::<B>::MESSAGES <= 8) };
        let mut it = Self([Poly1305::new(0, 0); 8]);
        for (i, ad) in ads.iter().enumerate().take(Starts::<B>::MESSAGES) {
            let half = |k: usize| u128::from_le_bytes(b.one().block(part(b, keys, i, k)));
            it.0[i] = Poly1305::new(half(0), half(1));
            it.0[i].update(b, ad);
        }
        it
    }

    /// Absorbs 64 bytes of each message, which `sealed` has, from byte `at` on.
    #[inline(always)]
    fn absorb<B: Backend>(&mut self, b: B, sealed: &Stream<B>, ios: &[InOut<'_>], at: usize) {
        for (i, io) in ios.iter().enumerate().take(Starts::<B>::MESSAGES) {
            for k in 0..4 {
                if io.len() > at + 16 * k {
                    let block = b.one().block(part(b, sealed, i, k));
                    self.0[i].block(u128::from_le_bytes(block));
                }
            }
        }
    }

    /// Absorbs the lengths; the tags.
    #[inline(always)]
    fn tags(&mut self, lengths: &[Block; MAX_LANES], tags: &mut [Block]) {
        for ((mac, tag), length) in self.0.iter_mut().zip(tags).zip(lengths) {
            mac.block(u128::from_le_bytes(*length));
            *tag = mac.tag();
        }
        self.0.iter_mut().for_each(Wipe::wipe);
    }
}

/// Sixteen bytes of message `i`, the `k`th of its 64.
#[inline(always)]
fn part<B: Backend>(b: B, stream: &Stream<B>, i: usize, k: usize) -> <B::One as Backend>::V {
    b.split(stream[i * (4 / B::BLOCKS) + k / B::BLOCKS])[k % B::BLOCKS]
}

/// What is known of a scheme's keys here.
trait Keyed: Scheme {
    fn bytes(&self) -> &[u8; 32];
}

/// Longer messages, if the lanes are too uneven or few for them, by themselves, the others on lanes.
#[inline(always)]
fn side_by_side<J, K: Keyed>(group: &SideBySide<'_, '_, J, K>, open: bool) {
    let n = group.len();
    let alone = alone(group.cpu.words(), n, |i| (group.jobs[i].len, group.jobs[i].ad.len()));
    for i in 0..alone {
        group.jobs[i].alone(group.keys[i], None);
    }
    if alone == n {
        return;
    }
    let jobs = &group.jobs[alone..];
    let mut ios: [InOut<'_>; MAX_LANES] = core::array::from_fn(|_| InOut::in_place(&mut []));
    let (mut keys, mut nonces, mut ads) =
        ([group.keys[alone].bytes(); MAX_LANES], [&[][..]; MAX_LANES], [&[][..]; MAX_LANES]);
    for (i, job) in jobs.iter().enumerate() {
        (keys[i], nonces[i], ads[i]) = (group.keys[alone + i].bytes(), &job.nonce, job.ad);
        ios[i] = job.take();
    }
    let ios = &mut ios[..jobs.len()];
    let (keys, nonces, ads) = (&keys, &nonces, &ads);
    let mut tags = [[0; 16]; MAX_LANES];
    if open {
        group.cpu.run(Lanes::<false> { keys, nonces, ads, ios: &mut *ios, tags: &mut tags });
    } else {
        group.cpu.run(Lanes::<true> { keys, nonces, ads, ios: &mut *ios, tags: &mut tags });
    }
    narrow::clear_below(group.cpu);
    for (i, io) in ios.iter_mut().enumerate() {
        if open {
            group.opened(alone + i, group.is_right(alone + i, &tags[i]), io.reborrow());
        } else {
            group.sealed(alone + i, &tags[i]);
        }
    }
}

/// How many of `n` messages, the longest first, had better go by themselves, where a register has so
/// many `words`. In cycles, roughly, as measured on Zen 5 where there are sixteen words, else on Zen 3.
fn alone(words: usize, n: usize, len: impl Fn(usize) -> (usize, usize)) -> usize {
    // What a message costs by itself, its first and each 64 bytes; what a block of all lanes does.
    let (first, more, block): (u64, u64, u64) = match words {
        0 | 4 => return n,
        16 => (520, 40, 700),
        _ => (345, 95, 1300),
    };
    let blocks = |i: usize| len(i).0.div_ceil(64) as u64;
    // Long associated data is absorbed faster by itself; messages that are longer than one with
    // such go by themselves as well, which is rare and costs time only.
    let fewest = (0..n).rev().find(|&i| len(i).1 >= LONG_AD).map_or(0, |i| i + 1);
    // Of messages all alike that fill the lanes either all go by themselves or none.
    if fewest == 0 && n > 0 && n.is_multiple_of(words) && blocks(0) == blocks(n - 1) {
        let (lanes, each) = ((n / words) as u64 * (blocks(0) + 1) * block, first + blocks(0) * more);
        return if lanes <= n as u64 * each { 0 } else { n };
    }
    let (mut by_themselves, mut best, mut least) = (0, u64::MAX, n);
    for i in fewest..=n {
        let lanes = if i == n { 0 } else { (n - i).div_ceil(words) as u64 * (blocks(i) + 1) * block };
        if by_themselves + lanes < best {
            (best, least) = (by_themselves + lanes, i);
        }
        if i < n {
            by_themselves += first + blocks(i) * more;
        }
    }
    least
}

macro_rules! many {
    ($($name:ident)*) => {$(
        impl Keyed for $name {
            #[inline(always)]
            fn bytes(&self) -> &[u8; 32] {
                &self.key
            }
        }

        impl Many for $name {
            const TOGETHER: bool = true;

            /// With four words in a register a message by itself is as fast.
            fn together(cpu: Cpu) -> bool {
                cpu.words() > 4
            }

            /// The lanes are words, of which a register has more than blocks.
            fn lanes(cpu: Cpu) -> usize {
                cpu.words().clamp(cpu.lanes(), MAX_LANES)
            }

            fn side_by_side<J>(group: &SideBySide<'_, '_, J, Self>, open: bool, _: &mut LaneKeys) {
                side_by_side(group, open);
            }
        }
    )*};
}
many!(ChaCha20Poly1305 XChaCha20Poly1305);
