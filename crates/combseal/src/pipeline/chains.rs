//! Up to 16 messages on lanes, as a mode's code sees them: chaining values, and what
//! is done to all of them at once. And the comb's memory, kept between batches.

use super::lanes::{Blocks, Lanes};
use super::lockstep::{AllBlocks, Chaining, LaneKeys, LastBlocks, MAC, OneCall, Tails};
use super::mac_lane::Subkeys;
use super::plan::{MAX_LANES, Plan};
use crate::cpu::{Block, Cpu, Schedule};
use crate::memory::wipe::Wipe;

/// Up to 16 chains, each under its own key.
pub struct Chains<'a, S> {
    /// The chaining values.
    pub x: [Block; MAX_LANES],
    keys: [&'a S; MAX_LANES],
    count: usize,
    same: bool,
    cpu: Cpu,
}

impl<'a, S: Schedule> Chains<'a, S> {
    /// `count` chains, 1 to 16, under `keys(i)`; their chaining values are zero.
    #[inline(always)]
    pub fn new(cpu: Cpu, count: usize, keys: impl Fn(usize) -> &'a S) -> Self {
        assert!((1..=MAX_LANES).contains(&count));
        let mut it = Self { x: [[0; 16]; MAX_LANES], keys: [keys(0); MAX_LANES], count, same: true, cpu };
        for i in 1..count {
            it.keys[i] = keys(i);
            it.same &= core::ptr::eq(it.keys[i], it.keys[0]);
        }
        it
    }

    /// Every chaining value through the cipher.
    pub fn cipher(&mut self) {
        let Self { x, keys, count, same, cpu } = self;
        cpu.run(OneCall { keys: &keys[..*count], same: *same, x: [x] });
    }

    /// Every chaining value and every block of `others` through the cipher, in one pass.
    pub fn cipher_both(&mut self, others: &mut [Block; MAX_LANES]) {
        let Self { x, keys, count, same, cpu } = self;
        cpu.run(OneCall { keys: &keys[..*count], same: *same, x: [x, others] });
    }

    /// Those chains that have a tail take it in, padded with zeros or as CMAC
    /// closes, and go through the cipher.
    fn tails(&mut self, tails: &Tails<'_>) {
        let Self { x, keys, count, same, cpu } = self;
        cpu.run(LastBlocks { keys: &keys[..*count], same: *same, x, tails });
    }

    /// CBC-MAC of `data(i)`, padded with zeros.
    #[inline(always)]
    pub fn absorb<'d>(&mut self, lane_keys: &mut LaneKeys, data: impl Fn(usize) -> &'d [u8]) {
        let mut tails: Tails<'_> = [(&[], None); MAX_LANES];
        let mut any = false;
        let lanes = Lanes::of(self.count, |i| {
            let (whole, tail) = data(i).split_at(data(i).len() & !15);
            tails[i].0 = tail;
            any |= !tail.is_empty();
            Blocks::read(whole)
        });
        self.run::<MAC>(lane_keys, lanes);
        if any {
            self.tails(&tails);
        }
    }

    /// CMAC of `data(i)`; chains without any stay as they are.
    #[inline(always)]
    pub fn cmac<'d>(
        &mut self,
        lane_keys: &mut LaneKeys,
        sub: impl Fn(usize) -> &'d Subkeys,
        data: impl Fn(usize) -> &'d [u8],
    ) {
        let mut tails: Tails<'_> = [(&[], None); MAX_LANES];
        let lanes = Lanes::of(self.count, |i| {
            let (whole, tail) = data(i).split_at(data(i).len().saturating_sub(1) & !15);
            tails[i] = (tail, Some(sub(i)));
            Blocks::read(whole)
        });
        self.run::<MAC>(lane_keys, lanes);
        self.tails(&tails);
    }

    /// Messages side by side over all their blocks, none with more than the one before it, as
    /// `walk` does it under the chains' keys.
    #[cfg(feature = "internals")]
    pub fn walk(&self, lane_keys: &mut LaneKeys, lanes: &mut Lanes<'_>, walk: impl super::lockstep::Walk) {
        let Self { keys, count, same, cpu, .. } = self;
        if lanes.counts()[0] > 0 {
            cpu.run(AllBlocks { keys: &keys[..*count], same: *same, walk, lanes, lane_keys: Some(lane_keys) });
        }
    }

    /// Over all blocks, the longest first. As a rule the batch has sorted them; if
    /// not, they are sorted here by insertion, as the paper has it.
    pub fn run<const KIND: u8>(&mut self, lane_keys: &mut LaneKeys, mut lanes: Lanes<'_>) {
        if lanes.is_sorted() {
            return self.sorted::<KIND>(lane_keys, &mut lanes);
        }
        let counts = *lanes.counts();
        let mut order: [usize; MAX_LANES] = core::array::from_fn(|i| i);
        for i in 1..self.count {
            let mut at = i;
            while at > 0 && counts[order[at - 1]] < counts[order[at]] {
                order.swap(at - 1, at);
                at -= 1;
            }
        }
        lanes.permute(&order);
        let (mut x, keys) = (self.x, self.keys);
        for i in 0..self.count {
            (self.x[i], self.keys[i]) = (x[order[i]], keys[order[i]]);
        }
        x.wipe();
        self.sorted::<KIND>(lane_keys, &mut lanes);
        let x = self.x;
        for i in 0..self.count {
            self.x[order[i]] = x[i];
        }
        self.keys = keys;
    }

    #[inline(always)]
    fn sorted<const KIND: u8>(&mut self, lane_keys: &mut LaneKeys, lanes: &mut Lanes<'_>) {
        let Self { x, keys, count, same, cpu } = self;
        if lanes.counts()[0] > 0 {
            cpu.run(AllBlocks {
                keys: &keys[..*count],
                same: *same,
                walk: Chaining::<KIND>(x),
                lanes,
                lane_keys: Some(lane_keys),
            });
        }
    }
}

/// One message alone: the chaining value behind its blocks.
pub fn alone<S: Schedule, const KIND: u8>(cpu: Cpu, keys: &S, iv: &Block, blocks: Blocks<'_>) -> Block {
    let mut x = [[0; 16]; MAX_LANES];
    x[0] = *iv;
    let mut blocks = Some(blocks);
    let mut lanes = Lanes::of(1, |_| match blocks.take() {
        Some(blocks) => blocks,
        None => unreachable!("one lane is one message"),
    });
    if lanes.counts()[0] > 0 {
        cpu.run(AllBlocks {
            keys: &[keys],
            same: true,
            walk: Chaining::<KIND>(&mut x),
            lanes: &mut lanes,
            lane_keys: None,
        });
    }
    x[0]
}

/// The comb's memory, to be kept from batch to batch: a plan, and the round keys of
/// the messages side by side, which are wiped when it is dropped.
#[derive(Default)]
pub struct Comb {
    lanes: Option<usize>,
    plan: Plan,
    lane_keys: LaneKeys,
}

impl Comb {
    /// As many lanes as suit the tier and the keys ([`Cpu::lanes`]).
    pub fn new() -> Self {
        Self::default()
    }

    /// `lanes` messages side by side, 1 to 16: P of the paper.
    pub fn with_lanes(lanes: usize) -> Self {
        Self { lanes: Some(lanes.clamp(1, MAX_LANES)), ..Self::default() }
    }

    /// Plans for `count` messages of `blocks(i)` blocks, all under one key or not.
    pub fn plan(&mut self, cpu: Cpu, one_key: bool, count: usize, blocks: impl Fn(usize) -> usize) {
        let lanes = if one_key { cpu.lanes_of_one_key() } else { cpu.lanes() };
        self.plan.make(count, self.lanes.unwrap_or(lanes), blocks);
    }

    /// The groups, the longest messages first, and the memory for round keys.
    pub fn groups(&mut self) -> (impl Iterator<Item = &[u32]>, &mut LaneKeys) {
        (self.plan.groups(), &mut self.lane_keys)
    }
}
