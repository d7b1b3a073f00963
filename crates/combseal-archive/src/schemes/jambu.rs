//! AES-JAMBU (Wu and Huang, "JAMBU lightweight authenticated encryption mode and AES-JAMBU",
//! CAESAR v1, 2014; v2, 2015, is the same function), on AES-128 with 8-byte nonces and tags.
//!
//! Status: not chosen. It reached CAESAR's third round and was not among the finalists (2018).
//! Peyrin, Sim, Wang and Zhang (FSE 2015) broke the confidentiality that version 1 claimed for
//! repeated nonces, with 2^32 queries; under nonces that do not repeat, they break it with 2^96
//! work by chosen ciphertexts. Wang, Zhang and Liu (ePrint 2017/831) give proofs for both
//! cases. Kept for the comparison of serial modes of Bogdanov, Lauridsen and Tischhauser
//! (2014).
//!
//! One call of the cipher for each half of a block. Of the state's halves U and V and the
//! register R, what is added to a state is all known while the cipher runs: R is the sum of the
//! V before, so it goes in with the last round key, together with the next eight bytes, and is
//! brought up to date beneath the next call. Only when a message is opened must U, which tells
//! the plaintext, be added to V between two calls.

use super::cloc::SetUp;
use crate::about::{About, Status};
use crate::archived::{Archived, Work, written};
use combseal::cpu::{Backend, Block, Enc, Kernel, ReturnedBlock};
use combseal::internals::chain::{EdgeKeys, rounds};
use combseal::internals::chains::Chains;
use combseal::internals::lanes::{Blocks, Lanes};
use combseal::internals::lockstep::{self, LaneKeys, Turning, Walk};
use combseal::internals::plan::MAX_LANES;
use combseal::internals::{InOut, filled};
use combseal::{Cpu, secret};

/// Bytes in half a block, in a nonce, in a tag.
const HALF: usize = 8;

/// The first half of a block.
const FIRST_HALF: Block = (u64::MAX as u128).to_le_bytes();
/// The second half.
const SECOND_HALF: Block = ((u64::MAX as u128) << 64).to_le_bytes();

/// What is added to U, in its first byte: at the beginning, with associated data, at the end.
/// With the message nothing is.
const BEGIN: u8 = 5;
const AD: u8 = 1;
const MESSAGE: u8 = 0;
const END: u8 = 3;

/// A number that is added to U, as a block.
const fn constant(n: u8) -> Block {
    (n as u128).to_le_bytes()
}

/// JAMBU on AES-128.
pub struct Jambu(Expanded);

/// The cipher's key.
// Aligned, so that no round key is read across two cache lines.
#[repr(C, align(16))]
struct Expanded {
    enc: [Block; 11],
    cpu: Cpu,
}
secret!(Expanded { enc, cpu });

impl Archived for Jambu {
    const ABOUT: &'static About = &About {
        name: "JAMBU-AES-128",
        family: "jambu",
        nonce_len: HALF,
        tag_bits: 8 * HALF as u32,
        source: "Wu and Huang, CAESAR v1 and v2, 2014 and 2015",
        status: Status::NotChosen,
        history: "reached CAESAR's third round, not among the finalists; the confidentiality that version 1 claimed \
                  fell to 2^32 queries where nonces repeat, and to 2^96 work where ciphertexts are chosen (Peyrin, \
                  Sim, Wang and Zhang, FSE 2015)",
        known_answers: &["aesjambuv1"],
        ..About::USUAL
    };

    const SERIAL: bool = true;

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Expanded| {
            it.cpu = cpu;
            cpu.run(SetUp { key, enc: &mut it.enc });
        }))
    }

    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        let Expanded { enc, cpu } = &self.0;
        let tag = cpu.run(Seal(Message { enc, nonce: &nonce_block(nonce), ad, io }));
        tail.copy_from_slice(&tag.block()[..HALF]);
    }

    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        let Expanded { enc, cpu } = &self.0;
        cpu.run(Open(Message { enc, nonce: &nonce_block(nonce), ad, io }, tail))
    }

    fn group(jobs: &[Work<'_, '_, Self>], open: bool, lane_keys: &mut LaneKeys) {
        if open {
            side_by_side::<true>(jobs, lane_keys);
        } else {
            side_by_side::<false>(jobs, lane_keys);
        }
    }
}

/// The nonce, and zeros behind.
fn nonce_block(nonce: &[u8]) -> Block {
    let mut block = [0; 16];
    block[..HALF].copy_from_slice(nonce);
    block
}

/// One message.
struct Message<'a> {
    enc: &'a [Block; 11],
    nonce: &'a Block,
    ad: &'a [u8],
    io: InOut<'a>,
}

struct Seal<'a>(Message<'a>);
impl Kernel for Seal<'_> {
    type Out = ReturnedBlock;
    const ON_MODELS: bool = false;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let b = b.one();
        b.returned(self.0.jambu::<_, false>(b))
    }
}

struct Open<'a>(Message<'a>, &'a [u8]);
impl Kernel for Open<'_> {
    type Out = bool;
    const ON_MODELS: bool = false;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let b = b.one();
        b.begins(self.0.jambu::<_, true>(b), self.1)
    }
}

/// A message's state under way.
struct State<'a, B: Backend> {
    b: B,
    keys: Enc<'a, [Block; 11]>,
    edge: EdgeKeys<B::V>,
    /// U and V, with round key 0.
    s: B::V,
    /// R, in the first half.
    r: B::V,
}

impl<'a, B: Backend> State<'a, B> {
    #[inline(always)]
    fn new(b: B, enc: &'a [Block; 11], nonce: &Block) -> Self {
        let keys = Enc(enc);
        let edge = EdgeKeys::new(b, &keys, 0);
        let [s] = rounds(b, &keys, [b.xor(edge.first, b.splat(nonce))], [b.xor(edge.turn, b.splat(&constant(BEGIN)))]);
        let mut it = Self { b, keys, edge, s, r: b.zero() };
        it.update();
        it
    }

    /// The first half of `x` in the place of the second.
    #[inline(always)]
    fn behind(&self, x: B::V) -> B::V {
        self.b.and(self.b.swap(x), self.b.splat(&SECOND_HALF))
    }

    /// The second half of `x`.
    #[inline(always)]
    fn second(&self, x: B::V) -> B::V {
        self.b.and(x, self.b.splat(&SECOND_HALF))
    }

    /// The second half of `x` in the place of the first.
    #[inline(always)]
    fn before(&self, x: B::V) -> B::V {
        self.b.and(self.b.swap(x), self.b.splat(&FIRST_HALF))
    }

    /// V goes into R.
    #[inline(always)]
    fn update(&mut self) {
        self.r = self.b.xor(self.r, self.before(self.b.xor(self.s, self.edge.first)));
    }

    /// A call of the cipher; the input `x` is in the second half, and `turn` is what else goes
    /// in with the last round key. Gives U in the first half.
    #[inline(always)]
    fn step(&mut self, turn: B::V, x: B::V) -> B::V {
        let b = self.b;
        [self.s] = rounds(b, &self.keys, [self.s], [b.xor(b.xor(turn, self.r), x)]);
        self.update();
        b.and(b.xor(self.s, self.edge.first), b.splat(&FIRST_HALF))
    }

    /// The same where the ciphertext `c` is known, in the second half: the input is its sum
    /// with U. `turn` has round key 0's first half in its second, which U brings along.
    #[inline(always)]
    fn step_open(&mut self, turn: B::V, c: B::V) -> B::V {
        let b = self.b;
        [self.s] = rounds(b, &self.keys, [self.s], [b.xor(b.xor(turn, self.r), c)]);
        self.s = b.xor(self.s, self.behind(self.s));
        self.update();
        b.and(b.xor(self.s, self.edge.first), b.splat(&FIRST_HALF))
    }

    #[inline(always)]
    fn associated(&mut self, ad: &[u8]) {
        let b = self.b;
        let turn = b.xor(self.edge.turn, b.splat(&constant(AD)));
        let (blocks, rest) = ad.as_chunks::<16>();
        for block in blocks {
            let block = b.load(block);
            self.step(turn, self.behind(block));
            self.step(turn, self.second(block));
        }
        let part = if rest.is_empty() { b.zero() } else { b.load_part(rest) };
        let last = b.xor(part, b.padding(rest.len()));
        self.step(turn, self.behind(last));
        if rest.len() >= HALF {
            self.step(turn, self.second(last));
        }
    }

    #[inline(always)]
    fn message<const OPEN: bool>(&mut self, mut io: InOut<'_>) {
        let b = self.b;
        let turn = self.edge.turn;
        let turn_open = b.xor(turn, self.behind(self.edge.first));
        while io.len() >= 16 {
            let mut now = io.cut(16);
            let from = now.load(b, 0);
            let (first, second) = (self.behind(from), self.second(from));
            let (u, v);
            if OPEN {
                u = self.step_open(turn_open, first);
                v = self.step_open(turn_open, second);
            } else {
                u = self.step(turn, first);
                v = self.step(turn, second);
            }
            now.store(b, 0, b.xor(b.xor(from, u), b.swap(v)));
        }
        // What is left, and then the half that is padded: from 0 to 7 bytes of the message.
        let n = io.len();
        let mut rest = if n == 0 { b.zero() } else { io.load_part(b) };
        let mut pad = b.zero();
        let from = rest;
        if n >= HALF {
            let first = self.behind(rest);
            pad = if OPEN { self.step_open(turn_open, first) } else { self.step(turn, first) };
            rest = self.before(rest);
        }
        let k = n % HALF;
        if OPEN {
            // Here the input is the sum with U of no more than `k` bytes.
            [self.s] = rounds(b, &self.keys, [self.s], [b.xor(turn, self.r)]);
            let u = b.and(b.xor(self.s, self.edge.first), b.splat(&FIRST_HALF));
            let p = b.xor(b.keep(b.xor(rest, u), k), b.padding(k));
            self.s = b.xor(self.s, b.swap(p));
            self.update();
            pad = b.xor(pad, if n >= HALF { b.swap(u) } else { u });
        } else {
            let u = self.step(turn, b.swap(b.xor(rest, b.padding(k))));
            pad = b.xor(pad, if n >= HALF { b.swap(u) } else { u });
        }
        if n > 0 {
            io.store_part(b, b.xor(from, pad));
        }
    }

    /// The tag, in the first half.
    #[inline(always)]
    fn tag(mut self) -> B::V {
        let b = self.b;
        self.step(b.xor(self.edge.turn, b.splat(&constant(END))), b.zero());
        let [x] = rounds(b, &self.keys, [self.s], [self.edge.last]);
        b.xor(b.xor(x, b.swap(x)), self.r)
    }
}

impl Message<'_> {
    /// Gives the tag.
    #[inline(always)]
    fn jambu<B: Backend, const OPEN: bool>(self, b: B) -> B::V {
        let mut state = State::new(b, self.enc, self.nonce);
        state.associated(self.ad);
        state.message::<OPEN>(self.io);
        state.tag()
    }
}

/// The states of messages on lanes.
struct States {
    /// U and V.
    s: [Block; MAX_LANES],
    /// R, in the first half.
    r: [Block; MAX_LANES],
}

impl States {
    /// Behind a call of the cipher: U takes in R and the constant `n`, V takes in what `input`
    /// makes of U, and R takes in V.
    fn step(&mut self, i: usize, n: u8, input: impl FnOnce([u8; HALF]) -> [u8; HALF]) {
        let s = u128::from_le_bytes(self.s[i]);
        let mut r = u128::from_le_bytes(self.r[i]) as u64;
        let u = s as u64 ^ r ^ u64::from(n);
        let v = (s >> 64) as u64 ^ u64::from_le_bytes(input(u.to_le_bytes()));
        r ^= v;
        self.s[i] = (u128::from(v) << 64 | u128::from(u)).to_le_bytes();
        self.r[i] = u128::from(r).to_le_bytes();
    }

    /// The cipher for those lanes that are to go on.
    fn cipher<S: combseal::cpu::Schedule>(&mut self, chains: &mut Chains<'_, S>, on: impl Fn(usize) -> bool) {
        chains.x = self.s;
        chains.cipher();
        for i in 0..MAX_LANES {
            if on(i) {
                self.s[i] = chains.x[i];
            }
        }
    }
}

/// Over the whole blocks of a byte string of each message, two halves each: associated data, or
/// messages to be sealed or opened. The longest go first; they need not come so.
fn over<'d, const KIND: u8>(
    jobs: &[Work<'_, '_, Jambu>],
    lane_keys: &mut LaneKeys,
    states: &mut States,
    len: impl Fn(usize) -> usize,
    mut blocks: impl FnMut(usize) -> Blocks<'d>,
) {
    let n = jobs.len();
    let mut order: [usize; MAX_LANES] = std::array::from_fn(|i| i);
    order[..n].sort_by_key(|&i| std::cmp::Reverse(len(i) / 16));
    let chains = Chains::new(jobs[0].key.0.cpu, n, |i| &jobs[order[i]].key.0.enc);
    let mut sorted = States { s: order.map(|i| states.s[i]), r: order.map(|i| states.r[i]) };
    let mut lanes = Lanes::of(n, |i| blocks(order[i]));
    chains.walk(lane_keys, &mut lanes, Halves::<KIND>(&mut sorted));
    for i in 0..n {
        (states.s[order[i]], states.r[order[i]]) = (sorted.s[i], sorted.r[i]);
    }
}

/// The first bytes of `from`, and 0x80 behind them if there is room.
fn padded(from: &[u8]) -> [u8; HALF] {
    let mut half = [0; HALF];
    half[..from.len()].copy_from_slice(from);
    if let Some(byte) = half.get_mut(from.len()) {
        *byte = 0x80;
    }
    half
}

/// 1 to 16 messages on lanes.
fn side_by_side<const OPEN: bool>(jobs: &[Work<'_, '_, Jambu>], lane_keys: &mut LaneKeys) {
    let n = jobs.len();
    let mut chains = Chains::new(jobs[0].key.0.cpu, n, |i| &jobs[i].key.0.enc);
    let mut states = States { s: [[0; 16]; MAX_LANES], r: [[0; 16]; MAX_LANES] };
    for i in 0..n {
        states.s[i] = nonce_block(jobs[i].job.nonce);
    }
    states.cipher(&mut chains, |_| true);
    for i in 0..n {
        states.step(i, BEGIN, |_| [0; HALF]);
    }
    let ad = |i: usize| jobs[i].job.ad;
    over::<AD>(jobs, lane_keys, &mut states, |i| ad(i).len(), |i| Blocks::read(ad(i)));
    // A half that is left of each, if it is, and then the half that is padded.
    for last in [false, true] {
        let due = |i: usize| i < n && (last || ad(i).len() % 16 >= HALF);
        if (0..n).any(due) {
            states.cipher(&mut chains, due);
            for i in (0..n).filter(|&i| due(i)) {
                let ad = ad(i);
                let at = if last { ad.len() / HALF * HALF } else { ad.len() / 16 * 16 };
                states.step(i, AD, |_| padded(&ad[at..ad.len().min(at + HALF)]));
            }
        }
    }
    let mut rest: [InOut<'_>; MAX_LANES] = std::array::from_fn(|i| match jobs.get(i) {
        Some(it) => it.job.take(),
        None => InOut::in_place(&mut []),
    });
    let mut whole: [Option<InOut<'_>>; MAX_LANES] = [const { None }; MAX_LANES];
    for i in 0..n {
        whole[i] = rest[i].take(rest[i].len() / 16 * 16);
    }
    let mut front = whole.each_mut().map(|it| it.as_mut().map(InOut::reborrow));
    let len = |i: usize| jobs[i].job.len;
    let blocks = |i: usize| written(front[i].take());
    if OPEN {
        over::<OPENING>(jobs, lane_keys, &mut states, len, blocks);
    } else {
        over::<MESSAGE>(jobs, lane_keys, &mut states, len, blocks);
    }
    let mut ends = rest.each_mut().map(InOut::reborrow);
    for last in [false, true] {
        let due = |i: usize| i < n && (last || len(i) % 16 >= HALF);
        if (0..n).any(due) {
            states.cipher(&mut chains, due);
            for i in (0..n).filter(|&i| due(i)) {
                let mut part = ends[i].cut(ends[i].len().min(HALF));
                states.step(i, MESSAGE, |u| {
                    let (mut to, k) = (u, part.len());
                    for (to, from) in to.iter_mut().zip(part.src()) {
                        *to ^= from;
                    }
                    let message = padded(if OPEN { &to[..k] } else { part.src() });
                    part.dst().copy_from_slice(&to[..k]);
                    message
                });
            }
        }
    }
    states.cipher(&mut chains, |_| true);
    for i in 0..n {
        states.step(i, END, |_| [0; HALF]);
    }
    states.cipher(&mut chains, |_| true);
    for i in 0..n {
        // U and V of the last call, and R: V's sum with U's and R's.
        let sum = u128::from_le_bytes(states.s[i]);
        let sum = (sum ^ sum >> 64 ^ u128::from_le_bytes(states.r[i])) as u64;
        let (job, tag) = (jobs[i].job, &sum.to_le_bytes());
        if OPEN {
            let right = job.is_right(tag);
            if !right && let Some(whole) = whole[i].take() {
                crate::archived::wipe(whole);
            }
            let rest = std::mem::replace(&mut rest[i], InOut::in_place(&mut []));
            job.opened(right, rest);
        } else {
            job.sealed(tag);
        }
    }
}

/// Whole blocks that are opened: what [`AD`] and [`MESSAGE`] are to the two other kinds.
const OPENING: u8 = 0xff;

/// Whole blocks of messages on lanes, two calls of the cipher each.
struct Halves<'g, const KIND: u8>(&'g mut States);

impl<const KIND: u8> Walk for Halves<'_, KIND> {
    const WIDE: bool = false;
    const ON_MODELS: bool = false;

    #[inline(always)]
    fn window<B: Backend, K: Turning<B>, const N: usize>(
        &mut self,
        b: B,
        keys: &K,
        lanes: &mut Lanes<'_>,
        from: usize,
        end: usize,
    ) {
        let states = &mut *self.0;
        let (mut s, mut r) = (lockstep::load::<B, N>(b, &states.s), lockstep::load::<B, N>(b, &states.r));
        let (front, back) = (b.splat(&FIRST_HALF), b.splat(&SECOND_HALF));
        for j in 0..N {
            s[j] = b.xor(s[j], keys.get(b, 0, j));
        }
        for at in from..end {
            let mut m = [b.zero(); N];
            for j in 0..N {
                m[j] = lanes.load(b, j, at);
            }
            for half in 0..2 {
                let mut last = [b.zero(); N];
                for j in 0..N {
                    let x = if half == 0 { b.swap(m[j]) } else { m[j] };
                    last[j] = b.xor(b.xor(keys.turn(b, j), r[j]), b.and(x, back));
                    if KIND == AD {
                        last[j] = b.xor(last[j], b.splat(&constant(AD)));
                    }
                }
                s = rounds(b, keys, s, last);
                for j in 0..N {
                    let first = keys.get(b, 0, j);
                    let u = b.and(b.xor(s[j], first), front);
                    if KIND == OPENING {
                        s[j] = b.xor(s[j], b.swap(u));
                    }
                    r[j] = b.xor(r[j], b.and(b.swap(b.xor(s[j], first)), front));
                    if KIND != AD {
                        m[j] = b.xor(m[j], if half == 0 { u } else { b.swap(u) });
                    }
                }
            }
            if KIND != AD {
                for j in 0..N {
                    lanes.store(b, j, at, m[j]);
                }
            }
        }
        for j in 0..N {
            s[j] = b.xor(s[j], keys.get(b, 0, j));
        }
        lockstep::store::<B, N>(b, &mut states.s, &s, lanes.len());
        lockstep::store::<B, N>(b, &mut states.r, &r, lanes.len());
    }
}
