//! GCM-SIV in a batch: what a message waits for is done for many at once, a lane each. Their
//! keys are derived and expanded together, each message is a chain of products by its own hash
//! key, and the tags are encrypted together. Counter mode has nothing to wait for and takes one
//! message after the other, each with its own round keys.

use super::schedule::{self, Each, expand};
use super::{GcmSiv, Nonce, OTHER_BITS, SivAes, column, first, stream};
use crate::cpu::{Aes, Backend, Block, Cpu, InOut, Kernel, Keys, LANES, Schedule};
use crate::pipeline::column::{self as columns, Column, Source, Takes};
use crate::pipeline::holds::Holds;
use crate::pipeline::jobs::{Many, SideBySide};
use crate::pipeline::lockstep::LaneKeys;
use crate::pipeline::plan::MAX_LANES;
use crate::pipeline::run::Run;
use crate::pipeline::steps::{STEP, load_parts, load_whole, mask, to_lanes};
use crate::raw::ctr_hash::length_block;
use crate::raw::polyval::{times, times_half};
use core::marker::PhantomData;

/// Bytes of a message from which on it is better alone: the hash key's powers, which it has to
/// itself, then save more than they cost.
const LONG: usize = 4096;

impl<A: SivAes> Many for GcmSiv<A> {
    const TOGETHER: bool = true;

    /// The software tiers and models have round keys in forms of their own; and with one lane a
    /// register little is gained (64 bytes), or lost (1,500: the hash by itself multiplies less).
    #[inline(always)]
    fn together(cpu: Cpu) -> bool {
        cpu.is_hardware() && cpu.blocks() > 1
    }

    fn takes<J: Holds<Self>>(_: Cpu, it: &Column<'_, J>) -> Option<Takes> {
        let short = matches!(it.ads, Source::One(ad) if ad.len() <= column::SHORT_AD);
        (short && !matches!(it.nonces, columns::Nonce::None)).then_some(Takes::SLOW)
    }

    fn column<J: Holds<Self>>(run: Run<'_, '_, '_, J>, _: &mut Option<Block>) {
        let (cpu, of) = (run.cpu, PhantomData::<A>);
        if run.column.open {
            cpu.run(column::Short::<_, _, true> { run, of });
        } else {
            cpu.run(column::Short::<_, _, false> { run, of });
        }
    }

    fn side_by_side<J>(group: &SideBySide<'_, '_, J, Self>, open: bool, _: &mut LaneKeys) {
        // The longest are first.
        let alone = group.jobs.iter().take_while(|job| job.len > LONG).count();
        for i in 0..alone {
            group.jobs[i].alone(group.keys[i], None);
        }
        if alone == group.len() {
            return;
        }
        let group = SideBySide { jobs: &group.jobs[alone..], keys: &group.keys[alone..], cpu: group.cpu };
        if open {
            group.cpu.run(Together::<_, A, true>(&group));
        } else {
            group.cpu.run(Together::<_, A, false>(&group));
        }
    }
}

/// Registers of messages: as many as fill the pipeline.
const R: usize = 4;

/// Bytes of the longest message from which on powers of the hash keys are worth being made.
const WORTH_POWERS: usize = 4 * STEP;

/// A batch's group, to be sealed or opened (`OPEN`).
struct Together<'g, 's, 'a, J, A: SivAes, const OPEN: bool>(&'g SideBySide<'s, 'a, J, GcmSiv<A>>);

impl<J, A: SivAes, const OPEN: bool> Kernel for Together<'_, '_, '_, J, A, OPEN> {
    type Out = ();
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        if B::BLOCKS == 1 {
            // Known when it is compiled, so that no code is made for these tiers.
            unreachable!("messages side by side, on a tier whose registers have one lane");
        }
        let mut rounds = Rounds::new();
        let mut from = 0;
        while from < self.0.len() {
            let count = (self.0.len() - from).min(R * B::BLOCKS);
            some::<B, J, A, N, OPEN>(b, self.0, from, count, &mut rounds);
            from += count;
        }
        rounds.wipe(<A::Enc as Schedule>::ROUNDS);
    }
}

/// Round keys of all lanes that there may be.
type Rounds = schedule::Rounds<MAX_LANES>;

/// Those of one lane, for all blocks of its message.
struct OfLane<'r, A>(&'r Rounds, usize, PhantomData<A>);
impl<B: Backend, A: Aes> Keys<B> for OfLane<'_, A> {
    const ROUNDS: usize = <A::Enc as Schedule>::ROUNDS;
    const SHARED: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, _: usize) -> B::V {
        b.splat(&self.0.0[r][self.1])
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        A::ROUNDS < <A::Enc as Schedule>::ROUNDS
    }
}

/// Register `j` with those of lane `j` behind this one.
struct FromLane<'r, A>(&'r Rounds, usize, PhantomData<A>);
impl<B: Backend, A: Aes> Keys<B> for FromLane<'_, A> {
    const ROUNDS: usize = <A::Enc as Schedule>::ROUNDS;
    const SHARED: bool = false;
    const IN_STEP: bool = true;
    const HELD: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        b.splat(&self.0.0[r][(self.1 + j) % MAX_LANES])
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        A::ROUNDS < <A::Enc as Schedule>::ROUNDS
    }
}

/// `count` messages from the one numbered `from` on, 1 to as many as `R` registers have lanes.
#[inline(always)]
fn some<B: Backend, J, A: SivAes, const N: usize, const OPEN: bool>(
    b: B,
    group: &SideBySide<'_, '_, J, GcmSiv<A>>,
    from: usize,
    count: usize,
    rounds: &mut Rounds,
) {
    let one = b.one();
    let (jobs, keys) = (&group.jobs[from..from + count], &group.keys[from..from + count]);
    let (mut nonces, mut sizes) = ([one.zero(); MAX_LANES], [one.zero(); MAX_LANES]);
    let (mut h, mut key) = ([b.zero(); R], [[b.zero(); R]; 2]);
    // Loops over these registers are loops, not written out: the CPU overlaps one with the next.
    let registers = count.div_ceil(B::BLOCKS);
    for j in 0..registers {
        // Lanes beyond the last message have the first one's, and it is not written what
        // comes of them.
        let of = |lane: usize| if j * B::BLOCKS + lane < count { j * B::BLOCKS + lane } else { 0 };
        let (mut backs, mut own) = ([b.zero(); 4], [&keys[0].enc; 4]);
        for lane in 0..B::BLOCKS {
            let i = of(lane);
            let nonce = Nonce::new(one, &jobs[i].nonce);
            (nonces[j * B::BLOCKS + lane], backs[lane]) = (nonce.front, b.widen(nonce.back));
            sizes[j * B::BLOCKS + lane] = length_block(one, jobs[i].ad.len(), jobs[i].len);
            own[lane] = &keys[i].enc;
        }
        let x = derive::<B, A>(b, own, backs);
        (h[j], key[0][j]) = (b.low_halves(x[0][0], x[0][1]), b.low_halves(x[0][2], x[0][3]));
        key[1][j] = b.low_halves(x[1][0], x[1][1]);
    }
    let mut half = h;
    for j in 0..R {
        half[j] = times_half(b, h[j]);
    }
    let hash = Hash { b, h, half, registers };
    let mut y = [b.zero(); R];
    hash.take(&mut y, |i| if i < count { jobs[i].ad } else { &[] });
    let mut ios: [InOut<'_>; MAX_LANES] =
        core::array::from_fn(|i| if i < count { jobs[i].take() } else { InOut::in_place(&mut []) });
    if OPEN {
        let mut counters = [one.zero(); MAX_LANES];
        for i in 0..count {
            counters[i] = first(one, one.load(&group.tag(from + i)));
        }
        expand::<B, A, R, MAX_LANES, false>(b, &key, rounds, &mut [b.zero(); R]);
        crypt::<B, A, N>(b, rounds, &counters, &mut ios, count);
        hash.take(&mut y, |i| ios[i].written());
    } else {
        hash.take(&mut y, |i| ios[i].src());
    }
    let mut tags = y;
    for j in 0..R {
        let s = times(b, b.xor(y[j], of_lanes(b, &sizes, j)), h[j], half[j]);
        tags[j] = b.and(b.xor(s, of_lanes(b, &nonces, j)), b.splat(&OTHER_BITS));
    }
    if OPEN {
        b.encrypt(&Each::<A, MAX_LANES>(rounds, PhantomData), &mut tags);
    } else {
        expand::<B, A, R, MAX_LANES, true>(b, &key, rounds, &mut tags);
    }
    let (mut each, mut counters) = ([one.zero(); MAX_LANES], [one.zero(); MAX_LANES]);
    for j in 0..R {
        let tags = b.split(tags[j]);
        for lane in 0..B::BLOCKS {
            let i = j * B::BLOCKS + lane;
            (each[i], counters[i]) = (tags[lane], first(one, tags[lane]));
        }
    }
    if OPEN {
        for (i, io) in ios.into_iter().enumerate().take(count) {
            group.opened(from + i, one.begins(each[i], group.given(from + i)), io);
        }
    } else {
        crypt::<B, A, N>(b, rounds, &counters, &mut ios, count);
        for i in 0..count {
            group.sealed_with(from + i, |to| one.store(to, each[i]));
        }
    }
}

/// Counter mode over `count` messages: the first register of four of them together, then what
/// remains of each.
#[inline(always)]
fn crypt<B: Backend, A: SivAes, const N: usize>(
    b: B,
    rounds: &Rounds,
    counters: &[<B::One as Backend>::V; MAX_LANES],
    ios: &mut [InOut<'_>; MAX_LANES],
    count: usize,
) {
    let (one, by) = (b.one(), b.one().splat(&(B::BLOCKS as u128).to_le_bytes()));
    if ios.iter().take(count).all(|io| io.len() <= 16) {
        return one_block_each::<B, A>(b, rounds, counters, ios, count);
    }
    let mut from = 0;
    while from < count {
        let mut x = [b.zero(); 4];
        for k in 0..4 {
            x[k] = b.add32(b.widen(counters[(from + k) % MAX_LANES]), b.load(LANES.as_flattened()));
        }
        b.encrypt(&FromLane::<A>(rounds, from, PhantomData), &mut x);
        for k in 0..4 {
            let i = (from + k) % MAX_LANES;
            let mut io = ios[i].reborrow();
            if let Some(mut whole) = io.take(B::BYTES) {
                let p = whole.load(b, 0);
                whole.store(b, 0, b.xor(x[k], p));
                if !io.is_empty() {
                    let keys = OfLane::<A>(rounds, i, PhantomData);
                    stream::<B, _, N>(b, &keys, one.add32(counters[i], by), io);
                }
            } else if !io.is_empty() {
                let p = io.load_part(b);
                io.store_part(b, b.xor(x[k], p));
            }
        }
        from += 4;
    }
}

/// The same of messages of at most a block: a lane each.
#[inline(always)]
fn one_block_each<B: Backend, A: SivAes>(
    b: B,
    rounds: &Rounds,
    counters: &[<B::One as Backend>::V; MAX_LANES],
    ios: &mut [InOut<'_>; MAX_LANES],
    count: usize,
) {
    let one = b.one();
    let mut x = [b.zero(); R];
    for j in 0..R {
        x[j] = of_lanes(b, counters, j);
    }
    b.encrypt(&Each::<A, MAX_LANES>(rounds, PhantomData), &mut x);
    for j in 0..R {
        let pads = b.split(x[j]);
        for lane in 0..B::BLOCKS {
            let i = j * B::BLOCKS + lane;
            if i >= count {
                break;
            }
            let mut io = ios[i].reborrow();
            if io.len() == 16 {
                let p = io.load(one, 0);
                io.store(one, 0, one.xor(pads[lane], p));
            } else if !io.is_empty() {
                let p = io.load_part(one);
                io.store_part(one, one.xor(pads[lane], p));
            }
        }
    }
}

/// One block of each lane of register `j`.
#[inline(always)]
fn of_lanes<B: Backend>(b: B, blocks: &[<B::One as Backend>::V; MAX_LANES], j: usize) -> B::V {
    let mut lanes = [b.one().zero(); 4];
    for i in 0..B::BLOCKS {
        lanes[i] = blocks[j * B::BLOCKS + i];
    }
    b.join(lanes)
}

/// The blocks that each lane's keys are made of (RFC 8452, sect. 4): E(0 || nonce) to
/// E(3 || nonce), and with larger keys E(4 || nonce) and E(5 || nonce).
#[inline(always)]
fn derive<B: Backend, A: Aes>(b: B, keys: [&A::Enc; 4], nonces: [B::V; 4]) -> [[B::V; 4]; 2] {
    let low = four::<B, A>(b, &keys, &nonces, 0);
    [low, if A::KEY_LEN > 16 { four::<B, A>(b, &keys, &nonces, 4) } else { low }]
}

/// Four of them from the one numbered `from` on, each lane's in one register, in two or in four.
#[inline(always)]
fn four<B: Backend, A: Aes>(b: B, keys: &[&A::Enc; 4], nonces: &[B::V; 4], from: usize) -> [B::V; 4] {
    let (mut x, mut own, mut raw) = ([b.zero(); 4], [keys[0]; 4], [[b.zero(); 4]; 4]);
    for k in 0..4 {
        let (lane, q) = (k * B::BLOCKS / 4, k % (4 / B::BLOCKS));
        let number = b.add32(b.load(LANES.as_flattened()), b.splat(&((from + q * B::BLOCKS) as u128).to_le_bytes()));
        (x[k], own[k]) = (b.add32(nonces[lane], number), keys[lane]);
    }
    b.encrypt(&Several::<A, 4>(own), &mut x);
    for k in 0..4 {
        raw[k * B::BLOCKS / 4][k % (4 / B::BLOCKS)] = x[k];
    }
    to_lanes(b, raw)
}

/// Each register with the keys of its message.
struct Several<'k, A: Aes, const M: usize>([&'k A::Enc; M]);
impl<B: Backend, A: Aes, const M: usize> Keys<B> for Several<'_, A, M> {
    const ROUNDS: usize = <A::Enc as Schedule>::ROUNDS;
    const SHARED: bool = false;
    const IN_STEP: bool = true;
    const HELD: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        b.splat(self.0[j].key(r))
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        A::ROUNDS < <A::Enc as Schedule>::ROUNDS
    }
}

/// POLYVAL in lanes, each under its own key: `h`, and `h` times x^-64.
struct Hash<B: Backend> {
    b: B,
    h: [B::V; R],
    half: [B::V; R],
    /// How many registers have messages.
    registers: usize,
}

impl<B: Backend> Hash<B> {
    /// The next `part(i)` of each lane, filled up with zeros to a whole block.
    #[inline(always)]
    fn take<'p>(&self, y: &mut [B::V; R], part: impl Fn(usize) -> &'p [u8]) {
        let b = self.b;
        let (mut shortest, mut longest, mut most) = ([usize::MAX; R], [0; R], 0);
        for j in 0..self.registers {
            for i in 0..B::BLOCKS {
                let len = part(j * B::BLOCKS + i).len();
                (shortest[j], longest[j]) = (len.min(shortest[j]), len.max(longest[j]));
            }
            most = most.max(longest[j]);
        }
        // The fourth power first, and beside each the sum of its halves.
        let mut powers = [[(b.zero(), b.zero()); 4]; R];
        if most >= WORTH_POWERS {
            for j in 0..self.registers {
                let (h, half) = (self.h[j], self.half[j]);
                let mut power = h;
                for t in (0..4).rev() {
                    powers[j][t] = (power, b.xor(power, b.swap(power)));
                    power = times(b, power, h, half);
                }
            }
        }
        let mut at = 0;
        while at < most {
            for j in 0..self.registers {
                if at + STEP <= shortest[j] && most >= WORTH_POWERS {
                    // One reduction, and three products a block (Karatsuba's).
                    let mut x = load_whole(b, at, |i| part(j * B::BLOCKS + i));
                    x[0] = b.xor(x[0], y[j]);
                    let (mut low, mut mid, mut high) = (b.zero(), b.zero(), b.zero());
                    for t in 0..4 {
                        let (h, sum) = powers[j][t];
                        low = b.xor(low, b.clmul::<0x00>(x[t], h));
                        high = b.xor(high, b.clmul::<0x11>(x[t], h));
                        mid = b.xor(mid, b.clmul::<0x00>(b.xor(x[t], b.swap(x[t])), sum));
                    }
                    let mid = b.xor(mid, b.xor(low, high));
                    y[j] = b.xor(high, times_half(b, b.xor(mid, times_half(b, low))));
                } else if at < longest[j] {
                    y[j] = self.ragged(y[j], j, |i| {
                        let part = part(j * B::BLOCKS + i);
                        &part[at.min(part.len())..part.len().min(at + STEP)]
                    });
                }
            }
            at += STEP;
        }
    }

    /// A step of register `j`'s lanes, of which some may have less than a step: one that has no
    /// such block keeps its hash.
    #[inline(always)]
    fn ragged<'p>(&self, mut y: B::V, j: usize, rest: impl Fn(usize) -> &'p [u8]) -> B::V {
        let b = self.b;
        let x = load_parts(b, &rest);
        for t in 0..4 {
            let live = (0..B::BLOCKS).fold(0, |bits, i| bits | usize::from(rest(i).len() > 16 * t) << i);
            if live == 0 {
                break;
            }
            let next = times(b, b.xor(y, x[t]), self.h[j], self.half[j]);
            y = b.xor(y, b.and(b.xor(y, next), mask(b, live)));
        }
        y
    }
}
