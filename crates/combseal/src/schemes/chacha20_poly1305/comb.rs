//! ChaCha20-Poly1305 on lanes. A pass makes one block of key stream for each of as many messages
//! as a register has words. The first pass makes their one-time keys. Where there are registers
//! for it, the authenticators are side by side too.

use super::{ChaCha20Poly1305, LONG_AD, XChaCha20Poly1305};
use crate::cpu::{Backend, Block, Cpu, InOut, Kernel};
use crate::interface::scheme::Scheme;
use crate::memory::wipe::Wipe;
use crate::pipeline::jobs::{Many, SideBySide};
use crate::pipeline::lockstep::LaneKeys;
use crate::pipeline::plan::MAX_LANES;
use crate::raw::chacha20::{Starts, Stream};
use crate::raw::poly1305::{Each, Poly1305, wanted};

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
        if const { !B::WORDS } {
            unreachable!("messages on lanes, on a tier without words");
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
        let [keys, stream] = starts.columns(b, 0);
        let mut macs = Macs::new(b, &keys, self.ads);
        let mut at = 0;
        let mut next = Some(stream);
        while at < ios[0].len() {
            let number = (at / 64) as u32 + 1;
            let stream = match next.take() {
                Some(stream) => stream,
                None if ios[0].len() > at + 64 => {
                    let [stream, second] = starts.columns(b, number);
                    next = Some(second);
                    stream
                }
                None => starts.columns::<1>(b, number)[0],
            };
            let sealed = crypt_block::<B, SEAL>(b, &stream, ios, at);
            macs.absorb(b, &sealed, ios, at);
            at += 64;
        }
        macs.tags(b, self.ads, ios, tags);
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
            let (it, at) = (i * registers + k, at + k * B::BYTES);
            if io.len() >= at + B::BYTES {
                let x = io.load(b, at);
                let y = b.xor(x, stream[it]);
                io.store(b, at, y);
                sealed[it] = if SEAL { y } else { x };
            } else if io.len() > at {
                let x = b.load_part(&io.src()[at..]);
                let y = b.xor(x, stream[it]);
                b.store_part(&mut io.dst()[at..], y);
                sealed[it] = if SEAL { b.keep(y, io.len() - at) } else { x };
            }
        }
    }
    sealed
}

/// The messages' authenticators: side by side, or by themselves.
struct Macs<B: Backend> {
    each: [Each<B>; 2],
    /// Of no more than eight: registers are not the widest where this is so.
    alone: [Poly1305; 8],
}

impl<B: Backend> Macs<B> {
    /// Whether side by side.
    const EACH: bool = B::ROOMY;
    const ENOUGH: () = assert!(Self::EACH || Starts::<B>::MESSAGES <= 8);

    /// By the first blocks of key stream; absorbs associated data.
    #[inline(always)]
    fn new(b: B, keys: &Stream<B>, ads: &[&[u8]]) -> Self {
        let () = Self::ENOUGH;
        let new = |group| {
            let [r, s, ..] = quarters(b, keys, group);
            Each::new(b, r, s)
        };
        let mut it = Self { each: [new(0), new(1)], alone: [Poly1305::new(0, 0); 8] };
        if const { !Self::EACH } {
            for (i, ad) in ads.iter().enumerate().take(Starts::<B>::MESSAGES) {
                let half = |k: usize| u128::from_le_bytes(b.one().block(part(b, keys, i, k)));
                it.alone[i] = Poly1305::new(half(0), half(1));
                it.alone[i].update(b, ad);
            }
            return it;
        }
        let longest = ads.iter().map(|ad| ad.len()).max().unwrap_or(0);
        let one = b.one();
        let mut at = 0;
        while at < longest {
            for (group, each) in it.each.iter_mut().enumerate() {
                let left =
                    |i: usize| ads.get(group * Each::<B>::MESSAGES + i).map_or(&[][..], |ad| &ad[at.min(ad.len())..]);
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

    /// Absorbs 64 bytes of each message, which `sealed` has, from byte `at` on.
    #[inline(always)]
    fn absorb(&mut self, b: B, sealed: &Stream<B>, ios: &[InOut<'_>], at: usize) {
        if const { !Self::EACH } {
            for (i, io) in ios.iter().enumerate().take(Starts::<B>::MESSAGES) {
                for k in 0..4 {
                    if io.len() > at + 16 * k {
                        let block = b.one().block(part(b, sealed, i, k));
                        self.alone[i].block(u128::from_le_bytes(block));
                    }
                }
            }
            return;
        }
        // The shortest is the last.
        let all = ios.len() == Starts::<B>::MESSAGES && ios[ios.len() - 1].len() >= at + 64;
        let left = |i: usize| ios.get(i).map_or(0, |io| io.len().saturating_sub(at));
        let blocks = [quarters(b, sealed, 0), quarters(b, sealed, 1)];
        for k in 0..4 {
            if left(0) <= 16 * k {
                break;
            }
            for group in 0..2 {
                let first = group * Each::<B>::MESSAGES;
                let wanted =
                    if all { b.splat64(u64::MAX) } else { wanted(b, |i| left(first + i).saturating_sub(16 * k)) };
                self.each[group].absorb(b, blocks[group][k], wanted);
            }
        }
    }

    /// Absorbs the lengths; the tags.
    #[inline(always)]
    fn tags(&mut self, b: B, ads: &[&[u8]], ios: &[InOut<'_>], tags: &mut [Block]) {
        let lengths = |i: usize| match (ads.get(i), ios.get(i)) {
            (Some(ad), Some(io)) => ad.len() as u128 | (io.len() as u128) << 64,
            _ => 0,
        };
        if const { !Self::EACH } {
            for (i, tag) in tags.iter_mut().enumerate().take(Starts::<B>::MESSAGES) {
                self.alone[i].block(lengths(i));
                *tag = self.alone[i].tag();
            }
            self.alone.iter_mut().for_each(Wipe::wipe);
            return;
        }
        let one = b.one();
        for (group, (each, tags)) in self.each.iter_mut().zip(tags.chunks_mut(Each::<B>::MESSAGES)).enumerate() {
            let mut blocks = [[[0; 16]; 4]; 2];
            for i in 0..B::BLOCKS {
                blocks[0][i] = lengths(group * Each::<B>::MESSAGES + i).to_le_bytes();
                blocks[1][i] = lengths(group * Each::<B>::MESSAGES + B::BLOCKS + i).to_le_bytes();
            }
            let all = b.splat64(u64::MAX);
            each.absorb(b, [b.gather(|i| &blocks[0][i]), b.gather(|i| &blocks[1][i])], all);
            let [x, y] = each.tags(b);
            let lanes = [b.split(x), b.split(y)];
            for (i, tag) in tags.iter_mut().enumerate().take(Each::<B>::MESSAGES) {
                one.store(tag, lanes[i / B::BLOCKS][i % B::BLOCKS]);
            }
        }
    }
}

/// Sixteen bytes of message `i`, the `k`th of its 64.
#[inline(always)]
fn part<B: Backend>(b: B, stream: &Stream<B>, i: usize, k: usize) -> <B::One as Backend>::V {
    b.split(stream[i * (4 / B::BLOCKS) + k / B::BLOCKS])[k % B::BLOCKS]
}

/// Block `k` of 64 bytes of each of those messages that `Each` number `group` has.
#[inline(always)]
fn quarters<B: Backend>(b: B, stream: &Stream<B>, group: usize) -> [[B::V; 2]; 4] {
    let mut out = [[b.zero(); 2]; 4];
    let first = group * 8;
    match B::BLOCKS {
        4 => {
            for j in 0..2 {
                let at = first + 4 * j;
                let blocks = b.transpose128([stream[at], stream[at + 1], stream[at + 2], stream[at + 3]]);
                for k in 0..4 {
                    out[k][j] = blocks[k];
                }
            }
        }
        2 => {
            for part in 0..2 {
                let at = |i: usize| stream[first + 2 * i + part];
                let [x, y, z, w] = b.transpose128([at(0), at(1), at(2), at(3)]);
                (out[2 * part], out[2 * part + 1]) = ([x, y], [z, w]);
            }
        }
        _ => {
            for k in 0..4 {
                out[k] = [stream[first + k], stream[first + 4 + k]];
            }
        }
    }
    out
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
    let mut ios = group.take_from(alone);
    let ios = &mut ios[..n - alone];
    let (mut keys, mut nonces, mut ads) =
        ([group.keys[alone].bytes(); MAX_LANES], [&[][..]; MAX_LANES], [&[][..]; MAX_LANES]);
    for (i, job) in group.jobs[alone..].iter().enumerate() {
        (keys[i], nonces[i], ads[i]) = (group.keys[alone + i].bytes(), &job.nonce, job.ad);
    }
    let (keys, nonces, ads) = (&keys, &nonces, &ads);
    let mut tags = [[0; 16]; MAX_LANES];
    if open {
        group.cpu.run(Lanes::<false> { keys, nonces, ads, ios: &mut *ios, tags: &mut tags });
    } else {
        group.cpu.run(Lanes::<true> { keys, nonces, ads, ios: &mut *ios, tags: &mut tags });
    }
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
        0 => return n,
        16 => (520, 40, 700),
        8 => (345, 95, 1300),
        _ => (370, 110, 1000),
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
