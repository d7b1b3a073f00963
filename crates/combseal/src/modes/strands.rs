//! Up to 16 messages on lanes, as a mode's code sees them: chaining values, and what
//! is done to all of them at once. And the comb's memory, kept between batches.

use super::chain::Subkeys;
use super::walk::{MAC, Pool, Ring, Walk};
use crate::comb::Plan;
use crate::cpu::{Block, Cpu, Schedule};
use crate::lanes::{Blocks, InOut, MAX_LANES, Strand};
use alloc::{boxed::Box, vec::Vec};

/// Up to 16 strands, and what modes do with them.
pub(crate) struct Strands<'a, S> {
    all: [Strand<'a, S>; MAX_LANES],
    count: usize,
    cpu: Cpu,
}

impl<'a, S: Schedule> Strands<'a, S> {
    /// `count` strands, 1 to 16, under `keys(i)`, their chaining values `x(i)`.
    #[inline(always)]
    pub fn new(cpu: Cpu, count: usize, keys: impl Fn(usize) -> &'a S, x: impl Fn(usize) -> Block) -> Self {
        assert!((1..=MAX_LANES).contains(&count));
        let all = core::array::from_fn(|id| {
            let (keys, x) = if id < count { (keys(id), x(id)) } else { (keys(0), [0; 16]) };
            Strand { id, keys, x, blocks: Blocks::none(), tail: &[], sub: None }
        });
        Self { all, count, cpu }
    }

    /// The chaining value of strand `i`.
    #[inline(always)]
    pub fn x(&self, i: usize) -> Block {
        self.all[i].x
    }

    /// Gives strand `i` another chaining value.
    #[inline(always)]
    pub fn set(&mut self, i: usize, x: Block) {
        self.all[i].x = x;
    }

    /// The strands themselves.
    #[inline(always)]
    fn live(&mut self) -> &mut [Strand<'a, S>] {
        &mut self.all[..self.count]
    }

    /// Every chaining value through the cipher.
    pub fn cipher(&mut self) {
        let (cpu, strands) = (self.cpu, self.live());
        cpu.run(Pool::<_, false> { strands });
    }

    /// Those strands that have a tail, of at most 16 bytes: it goes in, padded with
    /// zeros, and they go through the cipher.
    pub fn tails(&mut self, tail: impl Fn(usize) -> &'a [u8]) {
        for (i, s) in self.live().iter_mut().enumerate() {
            (s.tail, s.sub) = (tail(i), None);
        }
        self.finish();
    }

    fn finish(&mut self) {
        let (cpu, strands) = (self.cpu, self.live());
        if strands.iter().any(|s| !s.tail.is_empty()) {
            cpu.run(Pool::<_, true> { strands });
        }
    }

    /// CBC-MAC of `data(i)`, padded with zeros.
    pub fn absorb(&mut self, ring: &mut Ring, data: impl Fn(usize) -> &'a [u8]) {
        for (i, s) in self.live().iter_mut().enumerate() {
            let (whole, tail) = data(i).split_at(data(i).len() & !15);
            (s.blocks, s.tail, s.sub) = (Blocks::read(whole), tail, None);
        }
        self.walk::<MAC>(ring);
        self.finish();
    }

    /// CMAC of `data(i)`; strands without any stay as they are.
    pub fn cmac(&mut self, ring: &mut Ring, sub: impl Fn(usize) -> &'a Subkeys, data: impl Fn(usize) -> &'a [u8]) {
        for (i, s) in self.live().iter_mut().enumerate() {
            let n = data(i).len();
            let (whole, tail) = data(i).split_at(n.saturating_sub(1) & !15);
            (s.blocks, s.tail, s.sub) = (Blocks::read(whole), tail, Some(sub(i)));
        }
        self.walk::<MAC>(ring);
        self.finish();
    }

    /// A mode over the whole blocks of `io(i)`.
    pub fn over<const KIND: u8>(&mut self, ring: &mut Ring, mut io: impl FnMut(usize) -> InOut<'a>) {
        for (i, s) in self.live().iter_mut().enumerate() {
            s.blocks = Blocks::write(io(i));
        }
        self.walk::<KIND>(ring);
    }

    /// Over all blocks, the longest first: sorted by insertion, as in the paper,
    /// since the batch has done so already as a rule.
    fn walk<const KIND: u8>(&mut self, ring: &mut Ring) {
        let (cpu, strands) = (self.cpu, self.live());
        let mut sorted = true;
        for i in 1..strands.len() {
            let mut at = i;
            while at > 0 && strands[at - 1].blocks.count() < strands[at].blocks.count() {
                strands.swap(at - 1, at);
                (at, sorted) = (at - 1, false);
            }
        }
        if strands[0].blocks.count() > 0 {
            cpu.run(Walk::<_, KIND> { strands, ring: Some(ring) });
        }
        if !sorted {
            strands.sort_unstable_by_key(|s| s.id);
        }
        for s in strands {
            s.blocks = Blocks::none();
        }
    }
}

/// One message alone.
pub(crate) fn alone<S: Schedule, const KIND: u8>(cpu: Cpu, keys: &S, x: Block, blocks: Blocks<'_>) -> Block {
    let mut strands = [Strand { id: 0, keys, x, blocks, tail: &[], sub: None }];
    if strands[0].blocks.count() > 0 {
        cpu.run(Walk::<_, KIND> { strands: &mut strands, ring: None });
    }
    strands[0].x
}

/// The comb's memory, to be kept from batch to batch: a plan, and the round keys of
/// the messages side by side, which are wiped when it is dropped.
#[derive(Default)]
pub struct Comb {
    lanes: Option<usize>,
    plan: Plan,
    ring: Box<Ring>,
    /// Lengths in blocks, while messages are planned for.
    pub(crate) lens: Vec<usize>,
}

impl Comb {
    /// As many lanes as suit the tier ([`Cpu::lanes`]).
    pub fn new() -> Self {
        Self::default()
    }

    /// `lanes` messages side by side, 1 to 16: P of the paper.
    pub fn with_lanes(lanes: usize) -> Self {
        Self { lanes: Some(lanes.clamp(1, MAX_LANES)), ..Self::default() }
    }

    /// Groups of messages of `blocks(i)` blocks, the longest first.
    pub(crate) fn groups(
        &mut self,
        cpu: Cpu,
        count: usize,
        blocks: impl Fn(usize) -> usize,
        mut each: impl FnMut(&[u32], &mut Ring),
    ) {
        self.plan.make(count, self.lanes.unwrap_or(cpu.lanes()), blocks);
        for group in self.plan.groups() {
            each(group, &mut self.ring);
        }
    }
}
