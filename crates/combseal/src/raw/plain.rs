//! What CBC, CFB and OFB share (SP 800-38A): a key, one message, and many on the
//! comb's lanes.

use crate::cpu::{Block, Cpu, InOut, Schedule};
use crate::pipeline::chains::{Chains, Comb, alone};
use crate::pipeline::lanes::{Blocks, Lanes};
use crate::pipeline::lockstep::LaneKeys;
use crate::pipeline::plan::MAX_LANES;

/// A message to be encrypted together with others, in place: its key, its initial
/// value, its bytes.
pub struct Message<'a, K> {
    pub(crate) key: &'a K,
    pub(crate) iv: Block,
    pub(crate) io: InOut<'a>,
}

impl<'a, K> Message<'a, K> {
    /// `buf` under `key`, beginning with `iv`.
    pub fn new(key: &'a K, iv: &Block, buf: &'a mut [u8]) -> Self {
        Self { key, iv: *iv, io: InOut::in_place(buf) }
    }

    /// The message, taken away.
    fn take(&mut self) -> InOut<'a> {
        core::mem::replace(&mut self.io, InOut::in_place(&mut []))
    }
}

/// One message; gives the chaining value behind its whole blocks, and what follows
/// them.
pub(crate) fn one<'a, S: Schedule, const KIND: u8>(
    cpu: Cpu,
    keys: &S,
    iv: &Block,
    mut io: InOut<'a>,
) -> (Block, InOut<'a>) {
    let whole = io.len() & !15;
    let head = io.cut(whole);
    (alone::<S, KIND>(cpu, keys, iv, Blocks::write(head)), io)
}

/// All messages, on lanes; `of` gives a key's tier and schedule.
pub(crate) fn many<K, S: Schedule, const KIND: u8>(
    messages: &mut [Message<'_, K>],
    comb: &mut Comb,
    of: impl Fn(&K) -> (Cpu, &S),
) {
    let Some(first) = messages.first() else { return };
    let cpu = of(first.key).0;
    if messages.iter().any(|m| of(m.key).0 != cpu) {
        // Each tier has its own form of round keys.
        for m in messages {
            let io = m.take();
            let (cpu, keys) = of(m.key);
            let (x, tail) = one::<S, KIND>(cpu, keys, &m.iv, io);
            finish(cpu, keys, x, tail);
        }
        return;
    }
    let one_key = messages.iter().all(|m| core::ptr::eq(m.key, first.key));
    comb.plan(cpu, one_key, messages.len(), |i| messages[i].io.len() / 16);
    let (groups, lane_keys) = comb.groups();
    for group in groups {
        lanes::<K, S, KIND>(cpu, messages, group, lane_keys, &of);
    }
}

/// One group.
fn lanes<K, S: Schedule, const KIND: u8>(
    cpu: Cpu,
    messages: &mut [Message<'_, K>],
    group: &[u32],
    lane_keys: &mut LaneKeys,
    of: impl Fn(&K) -> (Cpu, &S),
) {
    let mut tails: [InOut<'_>; MAX_LANES] = core::array::from_fn(|_| InOut::in_place(&mut []));
    let mut any = false;
    let heads = Lanes::of(group.len(), |i| {
        let mut io = messages[group[i] as usize].take();
        let whole = io.len() & !15;
        let head = io.cut(whole);
        any |= !io.is_empty();
        tails[i] = io;
        Blocks::write(head)
    });
    let message = |i: usize| &messages[group[i] as usize];
    let mut chains = Chains::new(cpu, group.len(), |i| of(message(i).key).1);
    for i in 0..group.len() {
        chains.x[i] = message(i).iv;
    }
    chains.run::<KIND>(lane_keys, heads);
    if any {
        chains.cipher();
        for (i, tail) in tails.into_iter().enumerate().take(group.len()) {
            stream(&chains.x[i], tail);
        }
    }
}

/// The tail of a stream mode: E(x) over it.
pub(crate) fn finish<S: Schedule>(cpu: Cpu, keys: &S, x: Block, tail: InOut<'_>) {
    if tail.is_empty() {
        return;
    }
    let mut chain = Chains::new(cpu, 1, |_| keys);
    chain.x[0] = x;
    chain.cipher();
    stream(&chain.x[0], tail);
}

/// XORs up to 15 bytes with the beginning of `pad`.
fn stream(pad: &Block, mut io: InOut<'_>) {
    let n = io.len().min(16);
    let mut block = [0; 16];
    block[..n].copy_from_slice(&io.src()[..n]);
    let block = crate::cpu::xor_block(&block, pad);
    io.dst()[..n].copy_from_slice(&block[..n]);
}
