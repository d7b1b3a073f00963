//! Serial modes on lanes: a register in flight holds the next block of each of
//! several messages, each under its own key (Bogdanov, Lauridsen and
//! Tischhauser 2014, Algorithm 1, lines 7 to 15).
//!
//! As in `chain`, a state waits with round key 0 and its block already in, and
//! the last round key of one block brings in the next, so that only the cipher's
//! own rounds are on a lane's way. `AllBlocks` goes over whole blocks; `OneCall` does one
//! call of the cipher for each of many blocks: first blocks, last blocks, pads.

use super::chain::rounds;
use super::lanes::Lanes;
use super::mac_lane::{Subkeys, closing};
use super::plan::{MAX_LANES, Place};
use crate::cpu::{Backend, Block, Dec, Enc, InOut, Kernel, Keys, Models, Schedule, xor_block};
use crate::memory::wipe::Wipe;
use alloc::boxed::Box;
use core::marker::PhantomData;

/// A chain that is only taken in: CBC-MAC.
pub const MAC: u8 = 0;
/// CBC encryption.
pub const CBC: u8 = 1;
/// CFB-128 encryption.
pub const CFB: u8 = 2;
/// OFB.
pub const OFB: u8 = 3;

/// Round keys side by side, those of a round for all lanes one after the other. Kept by
/// the comb, wiped with it; in a box, so that no move leaves a copy behind.
#[derive(Default)]
pub struct LaneKeys(Rounds);

/// What all lanes have of one kind.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Round([Block; MAX_LANES]);

/// The first and the last key of each lane, XORed; then all keys, in order. None before the first group: most
/// batches have no serial mode's messages.
#[derive(Default)]
struct Rounds(Box<[Round]>);

/// As many rounds as the AES takes, of any size.
const USUAL: usize = 16;

impl Rounds {
    fn zeroed(count: usize) -> Self {
        Self(alloc::vec![Round([[0; 16]; MAX_LANES]); count].into_boxed_slice())
    }
}
impl LaneKeys {
    /// Room for the first schedules, or for longer ones than the AES's, of modes that have several keys.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        self.0 = Rounds::zeroed(count.max(USUAL));
    }

    /// Key by key, lane by lane; up to `lanes` lanes, those beyond the last with its keys.
    #[inline(always)]
    fn fill<S: Schedule>(&mut self, keys: &[&S], lanes: usize) -> KeysEach<'_, S> {
        if self.0.0.len() < S::ROUNDS + 2 {
            self.grow(S::ROUNDS + 2);
        }
        let [turns, rounds @ ..] = &mut self.0.0[..S::ROUNDS + 2] else { unreachable!("two or more") };
        for i in 0..lanes.min(MAX_LANES) {
            let keys = keys[i.min(keys.len() - 1)];
            for r in 0..=S::ROUNDS {
                rounds[r].0[i] = *keys.key(r);
            }
            turns.0[i] = xor_block(keys.key(0), keys.key(S::ROUNDS));
        }
        // Lanes have keys of one algorithm: their schedules leave out the same rounds.
        let leaves_out_two = keys[0].leaves_out_two();
        assert!(keys.iter().all(|keys| keys.leaves_out_two() == leaves_out_two), "keys of two sizes in one group");
        KeysEach { turns, rounds, leaves_out_two, keys: PhantomData }
    }
}
impl Drop for Rounds {
    fn drop(&mut self) {
        for round in &mut self.0 {
            round.0.as_flattened_mut().wipe();
        }
    }
}

/// The keys of lanes, and what turns a lane from one block to the next: the last round
/// key of the one and the first of the other, XORed.
pub trait Turning<B: Backend>: Keys<B> {
    /// Of register `j`.
    fn turn(&self, b: B, j: usize) -> B::V;
}

/// Each lane with keys of its own.
struct KeysEach<'r, S> {
    turns: &'r Round,
    /// As many as the schedule has keys.
    rounds: &'r [Round],
    leaves_out_two: bool,
    keys: PhantomData<S>,
}
#[inline(always)]
fn of_lanes<B: Backend>(b: B, round: &Round, j: usize) -> B::V {
    b.load(&round.0.as_flattened()[j * B::BYTES..])
}
impl<B: Backend, S: Schedule> Keys<B> for KeysEach<'_, S> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = false;
    const IN_STEP: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        of_lanes(b, &self.rounds[r], j)
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        S::ROUNDS == 14 && self.leaves_out_two
    }
}
impl<B: Backend, S: Schedule> Turning<B> for KeysEach<'_, S> {
    #[inline(always)]
    fn turn(&self, b: B, j: usize) -> B::V {
        of_lanes(b, self.turns, j)
    }
}

/// One key for every lane; those at a block's edges in registers, since the compiler
/// can't know that no message is written over the others.
struct KeyForAll<'a, B: Backend, S> {
    keys: &'a S,
    first: B::V,
    turn: B::V,
}
impl<'a, B: Backend, S: Schedule> KeyForAll<'a, B, S> {
    #[inline(always)]
    fn new(b: B, keys: &'a S) -> Self {
        let first = b.splat(keys.key(0));
        Self { keys, first, turn: b.xor(first, b.splat(keys.key(S::ROUNDS))) }
    }
}
impl<B: Backend, S: Schedule> Keys<B> for KeyForAll<'_, B, S> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = true;
    const IN_STEP: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, _: usize) -> B::V {
        if r == 0 { self.first } else { b.splat(self.keys.key(r)) }
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.keys.leaves_out_two()
    }
}
impl<B: Backend, S: Schedule> Turning<B> for KeyForAll<'_, B, S> {
    #[inline(always)]
    fn turn(&self, _: B, _: usize) -> B::V {
        self.turn
    }
}

/// What a mode does with messages side by side.
pub trait Walk {
    /// Whether registers of four blocks are worth it: not where what is written must be taken
    /// apart again.
    const WIDE: bool;

    /// As [`Kernel::MODELS`].
    const MODELS: Models = Models::USUAL;

    /// Blocks `from` to `end` of each message, in `N` registers. Must be `#[inline(always)]`.
    fn window<B: Backend, K: Turning<B>, const N: usize>(
        &mut self,
        b: B,
        keys: &K,
        lanes: &mut Lanes<'_>,
        from: usize,
        end: usize,
    );
}

/// Takes messages, the longest first, over all their blocks, window by window.
pub struct AllBlocks<'g, 'k, 'a, S, W> {
    /// Each message's keys; 1 to 16.
    pub keys: &'g [&'k S],
    /// Whether they are all one.
    pub same: bool,
    /// The mode, with what it knows of each message.
    pub walk: W,
    /// The messages.
    pub lanes: &'g mut Lanes<'a>,
    /// Not needed for one key.
    pub lane_keys: Option<&'g mut LaneKeys>,
}
impl<S: Schedule, W: Walk> Kernel for AllBlocks<'_, '_, '_, S, W> {
    type Out = ();
    const MODELS: Models = W::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { keys, same, walk, lanes, lane_keys } = self;
        assert!(!keys.is_empty() && keys.len() == lanes.len());
        if W::WIDE {
            at_width::<B, S, W>(b, keys, same, walk, lanes, lane_keys);
        } else {
            at_width::<B::Two, S, W>(b.two(), keys, same, walk, lanes, lane_keys);
        }
    }
}

#[inline(always)]
fn at_width<B: Backend, S: Schedule, W: Walk>(
    b: B,
    keys: &[&S],
    same: bool,
    walk: W,
    lanes: &mut Lanes<'_>,
    lane_keys: Option<&mut LaneKeys>,
) {
    match lane_keys {
        Some(lane_keys) if !same => {
            let lanes_read = match keys.len().next_multiple_of(4) {
                12 if B::BLOCKS == 1 && B::ROOMY => 12,
                n => n.next_power_of_two(),
            };
            let each = lane_keys.fill(keys, lanes_read);
            all_windows::<B, S, _, W>(b, &each, keys, walk, lanes);
        }
        _ => all_windows::<B, S, _, W>(b, &KeyForAll::new(b, keys[0]), keys, walk, lanes),
    }
}

/// The windows, one after the other, in the narrowest of three widths: 4, 8 or 16 messages.
/// What is chosen is the number of registers that hold as many lanes, `width / BLOCKS`; one
/// message alone has the narrowest registers.
///
/// 32 registers of one block have room for a width of 12, too. Eight are no more than the AES units
/// have under way, and each cycle in which another instruction takes a unit is lost; with twelve
/// it is made good.
#[inline(always)]
fn all_windows<B: Backend, S: Schedule, K: Turning<B>, W: Walk>(
    b: B,
    keys: &K,
    own: &[&S],
    mut walk: W,
    lanes: &mut Lanes<'_>,
) {
    let mut from = 0;
    let mut place = Place::new(lanes.len());
    while let Some(w) = place.window(|i| lanes.counts()[i]) {
        let end = from + w.blocks;
        lanes.narrow(w.width, end);
        match (B::BLOCKS, w.width) {
            (_, 1) => walk.window::<B::One, _, 1>(b.one(), &KeyForAll::new(b.one(), own[0]), lanes, from, end),
            (1, 0..=4) => walk.window::<B, K, 4>(b, keys, lanes, from, end),
            (1, 5..=8) => walk.window::<B, K, 8>(b, keys, lanes, from, end),
            (1, 9..=12) if B::ROOMY => walk.window::<B, K, 12>(b, keys, lanes, from, end),
            (1, _) => walk.window::<B, K, 16>(b, keys, lanes, from, end),
            (2, 0..=4) => walk.window::<B, K, 2>(b, keys, lanes, from, end),
            (2, 5..=8) => walk.window::<B, K, 4>(b, keys, lanes, from, end),
            (2, _) => walk.window::<B, K, 8>(b, keys, lanes, from, end),
            (_, 0..=4) => walk.window::<B, K, 1>(b, keys, lanes, from, end),
            (_, 5..=8) => walk.window::<B, K, 2>(b, keys, lanes, from, end),
            _ => walk.window::<B, K, 4>(b, keys, lanes, from, end),
        }
        from = end;
    }
}

/// CBC-MAC, CBC, CFB and OFB, by `KIND`, from each message's chaining value.
pub struct Chaining<'g, const KIND: u8>(pub &'g mut [Block; MAX_LANES]);

impl<const KIND: u8> Walk for Chaining<'_, KIND> {
    const WIDE: bool = KIND == MAC;

    /// A state waits with round key 0 and what goes in with it. Two XORs a block, so that
    /// little contends with the AES for its unit.
    #[inline(always)]
    fn window<B: Backend, K: Turning<B>, const N: usize>(
        &mut self,
        b: B,
        keys: &K,
        lanes: &mut Lanes<'_>,
        from: usize,
        end: usize,
    ) {
        let x = &mut *self.0;
        let mut s = load::<B, N>(b, x);
        let mut m = [b.zero(); N];
        for j in 0..N {
            s[j] = b.xor(s[j], keys.get(b, 0, j));
            if takes_before(KIND) {
                s[j] = b.xor(s[j], lanes.load(b, j, from));
            }
        }
        for t in from..end {
            // What goes in with the last round key: the next block, or this one. Behind the
            // last there is none; any will do, as it is taken out again.
            let at = if takes_before(KIND) { (t + 1).min(end - 1) } else { t };
            let mut last = [b.zero(); N];
            for j in 0..N {
                m[j] = lanes.load(b, j, at);
            }
            for j in 0..N {
                last[j] = keys.turn(b, j);
                if KIND != OFB {
                    last[j] = b.xor(last[j], m[j]);
                }
                // Made now, not between the last rounds, where there is room to keep them.
                if B::ROOMY && K::SHARED && KIND != OFB {
                    last[j] = b.pin(last[j]);
                }
            }
            s = rounds(b, keys, s, last);
            for j in 0..N {
                if KIND != MAC {
                    let out = b.xor(s[j], keys.get(b, 0, j));
                    // Of many registers there is no room to keep the next blocks: they are read again.
                    let with = if N == 12 && KIND == CBC { lanes.load(b, j, at) } else { m[j] };
                    lanes.store(b, j, t, if KIND == CFB { out } else { b.xor(out, with) });
                }
            }
        }
        for j in 0..N {
            s[j] = b.xor(s[j], keys.get(b, 0, j));
            if takes_before(KIND) {
                s[j] = b.xor(s[j], m[j]);
            }
        }
        store::<B, N>(b, x, &s, lanes.len());
    }
}

/// Whether a block goes in before the cipher.
const fn takes_before(kind: u8) -> bool {
    kind == MAC || kind == CBC
}

/// Chaining values to registers.
#[inline(always)]
pub fn load<B: Backend, const N: usize>(b: B, x: &[Block; MAX_LANES]) -> [B::V; N] {
    let mut s = [b.zero(); N];
    for j in 0..N {
        s[j] = b.gather(|i| &x[j * B::BLOCKS + i]);
    }
    s
}

/// The first `width` chaining values from registers.
#[inline(always)]
pub fn store<B: Backend, const N: usize>(b: B, x: &mut [Block; MAX_LANES], s: &[B::V; N], width: usize) {
    for j in 0..N {
        let lanes = b.split(s[j]);
        for i in 0..B::BLOCKS {
            if j * B::BLOCKS + i < width {
                b.one().store(&mut x[j * B::BLOCKS + i], lanes[i]);
            }
        }
    }
}

/// One call of the cipher for `M` blocks of each of 1 to 16 messages.
pub struct OneCall<'g, 'a, S, const M: usize> {
    /// Each message's keys; 1 to 16.
    pub keys: &'g [&'a S],
    /// Whether they are all one.
    pub same: bool,
    /// Each message's blocks.
    pub x: [&'g mut [Block; MAX_LANES]; M],
}

impl<S: Schedule, const M: usize> Kernel for OneCall<'_, '_, S, M> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { keys, same, x } = self;
        one_call(b, keys, same, x);
    }
}

/// One call of the cipher for chaining values that take in their messages' last bytes.
pub struct LastBlocks<'g, 'k, 'a, S> {
    /// Each message's keys; 1 to 16.
    pub keys: &'g [&'k S],
    /// Whether they are all one.
    pub same: bool,
    /// Each message's chaining value.
    pub x: &'g mut [Block; MAX_LANES],
    /// What it takes in before. Messages without a tail stay as they are.
    pub tails: &'g Tails<'a>,
}

/// The last bytes of each message, at most 16, and CMAC's subkeys if it is to be
/// closed with these.
pub type Tails<'a> = [(&'a [u8], Option<&'a Subkeys>); MAX_LANES];

impl<S: Schedule> Kernel for LastBlocks<'_, '_, '_, S> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { keys, same, x, tails } = self;
        let (one, n) = (b.one(), keys.len().min(MAX_LANES));
        let mut old = *x;
        for i in 0..n {
            let (tail, sub) = tails[i];
            let mut with = if tail.is_empty() { one.zero() } else { one.load_part(tail) };
            if let Some(sub) = sub {
                with = one.xor(with, closing(one, sub, tail.len()));
            }
            let sum = one.xor(one.load(&x[i]), with);
            one.store(&mut x[i], sum);
        }
        one_call(b, keys, same, [&mut *x]);
        for i in 0..n {
            if tails[i].0.is_empty() {
                x[i] = old[i];
            }
        }
        old.wipe();
    }
}

/// One call of the cipher for `M` blocks of each message.
#[inline(always)]
fn one_call<B: Backend, S: Schedule, const M: usize>(b: B, keys: &[&S], same: bool, x: [&mut [Block; MAX_LANES]; M]) {
    let (one, n) = (b.one(), keys.len().min(MAX_LANES));
    if !same {
        // Keys that serve once are read where they are, one after the other: the CPU
        // overlaps them by itself.
        for i in 0..n {
            let mut s = [one.zero(); M];
            for k in 0..M {
                s[k] = one.load(&x[k][i]);
            }
            one.encrypt(&Enc(keys[i]), &mut s);
            for k in 0..M {
                one.store(&mut x[k][i], s[k]);
            }
        }
        return;
    }
    for x in x {
        // The number of registers for 8 lanes, 12 or 16, as in `all_windows`. Not for 4: what
        // is done once a message is not worth the code.
        match (B::BLOCKS, n) {
            (1, 0..=8) => registers::<B, _, 8>(b, &Enc(keys[0]), x),
            (1, 9..=12) if B::ROOMY => registers::<B, _, 12>(b, &Enc(keys[0]), x),
            (1, _) => registers::<B, _, 16>(b, &Enc(keys[0]), x),
            (2, 0..=8) => registers::<B, _, 4>(b, &Enc(keys[0]), x),
            (2, _) => registers::<B, _, 8>(b, &Enc(keys[0]), x),
            (_, 0..=8) => registers::<B, _, 2>(b, &Enc(keys[0]), x),
            _ => registers::<B, _, 4>(b, &Enc(keys[0]), x),
        }
    }
}

#[inline(always)]
fn registers<B: Backend, K: Keys<B>, const N: usize>(b: B, keys: &K, x: &mut [Block; MAX_LANES]) {
    let mut s = load::<B, N>(b, x);
    b.encrypt(keys, &mut s);
    store::<B, N>(b, x, &s, MAX_LANES);
}

/// CBC (`DEC`) and CFB decryption: all blocks at once, the last first, since in place
/// a block must be read until the one behind it is done.
pub struct Backwards<'a, S, D, const DEC: bool> {
    /// Round keys.
    pub enc: &'a S,
    /// Those of the inverse cipher.
    pub dec: &'a D,
    /// What stands before the first block.
    pub iv: &'a Block,
    /// Whole blocks.
    pub io: InOut<'a>,
}
impl<S: Schedule, D: Schedule, const DEC: bool> Kernel for Backwards<'_, S, D, DEC> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { enc, dec, iv, mut io } = self;
        let mut end = io.len() & !15;
        // The first block has none before it in the message: it is left to the rest.
        while end > N * B::BYTES {
            end -= N * B::BYTES;
            let (mut c, mut before) = ([b.zero(); N], [b.zero(); N]);
            for j in 0..N {
                c[j] = io.load(b, end + j * B::BYTES);
                before[j] = io.load(b, end + j * B::BYTES - 16);
            }
            let p = plaintext::<_, _, _, N, DEC>(b, enc, dec, c, before);
            for j in 0..N {
                io.store(b, end + j * B::BYTES, p[j]);
            }
        }
        let b = b.one();
        while end > 0 {
            let n = (end / 16).min(8);
            end -= 16 * n;
            let (mut c, mut before) = ([b.zero(); 8], [b.zero(); 8]);
            for j in 0..8 {
                let at = end + 16 * j.min(n - 1);
                c[j] = io.load(b, at);
                before[j] = if at == 0 { b.splat(iv) } else { io.load(b, at - 16) };
            }
            let p = plaintext::<_, _, _, 8, DEC>(b, enc, dec, c, before);
            for j in 0..n {
                io.store(b, end + 16 * j, p[j]);
            }
        }
    }
}

#[inline(always)]
fn plaintext<B: Backend, S: Schedule, D: Schedule, const N: usize, const DEC: bool>(
    b: B,
    enc: &S,
    dec: &D,
    c: [B::V; N],
    before: [B::V; N],
) -> [B::V; N] {
    let (mut x, with) = if DEC { (c, before) } else { (before, c) };
    if DEC {
        b.decrypt(&Dec(enc, dec), &mut x);
    } else {
        b.encrypt(&Enc(enc), &mut x);
    }
    for j in 0..N {
        x[j] = b.xor(x[j], with[j]);
    }
    x
}
