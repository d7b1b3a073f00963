//! POET with the full AES-128 in its hash layers, v1 and v2, without intermediate tags (Abed,
//! Fluhrer, Forler, List, Lucks, McGrew and Wenzel, "Pipelineable On-Line Encryption", FSE
//! 2014; CAESAR, 2014 and 2015, as the submitted codes compute it).
//!
//! Status: not chosen; it was in CAESAR's second round and not in the third (2016), and v2
//! supersedes v1. The authentication of FSE 2014's version fell with a single query (Guo, Jean,
//! Peyrin and Wang, ePrint 2014/197); the variant that hashes in GF(2^128) has too many weak
//! keys (Abdelraheem, Bogdanov and Tischhauser, ePrint 2014/226) and was withdrawn in 2014.
//! Neither is this one. Nandi (ASIACRYPT 2014) shows that not every hash makes POET secure; his
//! attacks do not reach the submission's. Kept for Bogdanov, Lauridsen and Tischhauser (2014),
//! who measured it as three calls of the AES a block, in chains.
//!
//! The three calls of a block, each under a key of its own, go side by side: one chain, of the
//! top hash when sealing and of the bottom hash when opening, sets the pace at the AES's
//! latency, and the others are a block behind. On lanes the three schedules are one, of which
//! each call takes its part.

use crate::about::{About, Status};
use crate::archived::{Archived, Work, written};
use crate::layers::{hashed, joined, padded, store_end};
use combseal::cpu::{Backend, Block, Enc, Kernel, Keys};
use combseal::internals::chain::rounds;
use combseal::internals::chains::Chains;
use combseal::internals::lanes::Lanes;
use combseal::internals::lockstep::{self, LaneKeys, Turning, Walk};
use combseal::internals::plan::MAX_LANES;
use combseal::internals::{InOut, Wipe, equal, filled};
use combseal::{Aes128, Cpu, secret};

/// POET of `VERSION` 1 or 2, of which a message needs `KEYS` round keys.
pub struct Poet<const VERSION: u8, const KEYS: usize>(Expanded);

/// Version 1.
pub type V1 = Poet<1, { 3 * RK }>;
/// Version 2.
pub type V2 = Poet<2, { 2 * RK }>;

/// The four schedules in a row, each in the order of use: of the cipher, the bottom hash, the
/// top hash and the cipher's inverse. Version 2 has one hash, twice.
struct Expanded {
    all: [Block; 4 * RK],
    /// L, which masks the header's blocks.
    l: Block,
    /// Version 1: TM, the tag's mask. Version 2: E(L), with which each header begins.
    more: Block,
    cpu: Cpu,
}
secret!(Expanded { all, l, more, cpu });

/// Round keys in a schedule.
const RK: usize = 11;

impl Expanded {
    #[inline(always)]
    fn schedule(&self, i: usize) -> &[Block; RK] {
        &self.all.as_chunks().0[i]
    }
    #[inline(always)]
    fn cipher(&self) -> &[Block; RK] {
        self.schedule(0)
    }
    #[inline(always)]
    fn bottom(&self) -> &[Block; RK] {
        self.schedule(1)
    }
    #[inline(always)]
    fn top(&self) -> &[Block; RK] {
        self.schedule(2)
    }
    #[inline(always)]
    fn inverse(&self) -> &[Block; RK] {
        self.schedule(3)
    }
}

impl<const VERSION: u8, const KEYS: usize> Archived for Poet<VERSION, KEYS> {
    const ABOUT: &'static About = &About {
        name: if VERSION == 1 { "POET-v1-AES-128" } else { "POET-v2-AES-128" },
        family: "poet",
        source: "Abed, Fluhrer, Forler, List, Lucks, McGrew and Wenzel, FSE 2014; CAESAR v1 and v2, with Foley",
        status: if VERSION == 1 { Status::Superseded } else { Status::NotChosen },
        history: if VERSION == 1 {
            "superseded by v2; not the version of FSE 2014, which is forged with one query (ePrint 2014/197)"
        } else {
            "in CAESAR's second round and not in the third (2016); we know of no attack on the variant with full AES"
        },
        known_answers: if VERSION == 1 { &["aes128poetv1aes128"] } else { &["aes128poetv2aes128"] },
        ..About::USUAL
    };

    const SERIAL: bool = true;

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Expanded| {
            it.cpu = cpu;
            cpu.run(SetUp::<VERSION> { key, it });
        }))
    }

    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        self.0.cpu.run(Seal::<VERSION> { key: &self.0, nonce, ad, io, tail });
    }

    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        self.0.cpu.run(Open::<VERSION> { key: &self.0, nonce, ad, io, tail })
    }

    fn group(jobs: &[Work<'_, '_, Self>], open: bool, lane_keys: &mut LaneKeys) {
        if open {
            side_by_side::<VERSION, KEYS, true>(jobs, lane_keys);
        } else {
            side_by_side::<VERSION, KEYS, false>(jobs, lane_keys);
        }
    }
}

/// 2B where a block's first bit is the coefficient of x^0, as in GCM.
#[inline(always)]
fn double(x: u128) -> u128 {
    x >> 1 ^ (0xe1 << 120) & 0u128.wrapping_sub(x & 1)
}

struct SetUp<'a, const VERSION: u8> {
    key: &'a [u8],
    it: &'a mut Expanded,
}
impl<const VERSION: u8> Kernel for SetUp<'_, VERSION> {
    type Out = ();
    const ON_MODELS: bool = false;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let b = b.one();
        let Self { key, it } = self;
        let mut user = [[0; 16]; RK];
        b.expand::<Aes128>(key, &mut user);
        // K_0 to K_4: what the number of each is enciphered to.
        let mut x = [b.zero(); 5];
        for i in 0..5 {
            x[i] = b.load(&(i as u128).to_be_bytes());
        }
        b.encrypt(&Enc(&user), &mut x);
        let mut keys = [[0; 16]; 5];
        for i in 0..5 {
            b.store(&mut keys[i], x[i]);
        }
        let [enc, bottom, top, inverse] = it.all.as_chunks_mut::<RK>().0 else { unreachable!("four schedules") };
        b.expand::<Aes128>(&keys[0], enc);
        b.expand::<Aes128>(&keys[2], top);
        if VERSION == 1 {
            b.expand::<Aes128>(&keys[3], bottom);
            it.more = keys[4];
        } else {
            *bottom = *top;
            let mut parameters = [x[1]];
            b.encrypt(&Enc(enc), &mut parameters);
            it.more = b.block(parameters[0]);
        }
        it.l = keys[1];
        let mut middle = [[0; 16]; RK - 2];
        b.invert::<Aes128>(enc, &mut middle);
        (inverse[0], inverse[RK - 1]) = (enc[RK - 1], enc[0]);
        inverse[1..RK - 1].copy_from_slice(&middle);
        user.wipe();
        keys.wipe();
        middle.wipe();
    }
}

/// Each register under a key of its own.
struct Each<'a, const N: usize>([&'a [Block; RK]; N]);
impl<B: Backend, const N: usize> Keys<B> for Each<'_, N> {
    const ROUNDS: usize = RK - 1;
    const SHARED: bool = false;
    const IN_STEP: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        b.splat(&self.0[j][r])
    }
}

/// Each register once through the cipher, under a key of its own.
#[inline(always)]
fn calls<B: Backend, const N: usize>(b: B, keys: [&[Block; RK]; N], mut x: [B::V; N]) -> [B::V; N] {
    b.encrypt(&Each(keys), &mut x);
    x
}

/// A message before its first block.
#[derive(Clone, Copy)]
struct Start {
    /// The header's tag.
    tau: Block,
    /// S, the enciphered length.
    s: Block,
    /// The top hash of tau.
    t: Block,
    /// What the bottom hash begins with.
    y: Block,
}

impl Start {
    const NONE: Self = Self { tau: [0; 16], s: [0; 16], t: [0; 16], y: [0; 16] };

    #[inline(always)]
    fn new<B: Backend, const VERSION: u8>(b: B, key: &Expanded, nonce: &[u8], ad: &[u8], len: usize) -> Self {
        let (one, enc) = (b.one(), key.cipher());
        let block = |x: u128| one.load(&x.to_be_bytes());
        let mut m = u128::from_be_bytes(key.l);
        if VERSION != 1 {
            m = double(m);
        }
        // The header is the associated data and the nonce; `end` is what is left of it behind
        // the data's whole blocks.
        let (whole, rest) = ad.split_at(ad.len() & !15);
        let mut sum = hashed(b, enc, whole, || {
            let now = m;
            m = double(m);
            now
        });
        let mut end = [0; 32];
        end[..rest.len()].copy_from_slice(rest);
        end[rest.len()..][..16].copy_from_slice(nonce);
        let first = one.load(&end);
        let last = padded(one, &end[16..][..rest.len()]);
        let mut length = [0; 16];
        length[..8].copy_from_slice(&(8 * len as u64).to_le_bytes());
        let mut x = [one.load(&length)];
        one.encrypt(&Enc(enc), &mut x);
        let s = x[0];
        if VERSION != 1 {
            let mut x = [one.xor(first, block(m)), one.xor(last, block(double(m)))];
            one.encrypt(&Enc(enc), &mut x);
            sum = one.xor(one.xor(sum, one.load(&key.more)), one.xor(x[0], x[1]));
        } else if rest.is_empty() {
            sum = one.xor(one.xor(sum, first), block(double(m) ^ m));
        } else {
            let mut x = [one.xor(first, block(m))];
            one.encrypt(&Enc(enc), &mut x);
            m = double(m);
            sum = one.xor(one.xor(sum, x[0]), one.xor(last, block(double(double(m)) ^ m)));
        }
        let mut tau = [sum];
        one.encrypt(&Enc(enc), &mut tau);
        let mut t = tau;
        one.encrypt(&Enc(key.top()), &mut t);
        let tau = one.block(tau[0]);
        let mut y = tau;
        y[15] ^= u8::from(VERSION != 1);
        Self { tau, s: one.block(s), t: one.block(t[0]), y }
    }

    /// What is behind the message's last block, before and behind the last call.
    #[inline(always)]
    fn masks<B: Backend, const VERSION: u8>(&self, b: B, key: &Expanded) -> (B::V, B::V) {
        let (tau, tm) = (b.load(&self.tau), b.load(&key.more));
        if VERSION == 1 { (b.xor(tau, tm), tm) } else { (tau, tau) }
    }

    /// Seals the last block, of 0 to 16 bytes. `t` is the top hash of the X before it, `y` the Y
    /// before it.
    #[inline(always)]
    fn seal<B: Backend<One = B>, const VERSION: u8>(
        &self,
        b: B,
        key: &Expanded,
        (t, y): (B::V, B::V),
        last: InOut<'_>,
        tail: &mut [u8],
    ) {
        let s = b.load(&self.s);
        let p = joined(b, last.src(), &self.tau);
        let x = b.xor(b.xor(t, s), b.load(&p));
        let [z, t, f] = calls(b, [key.cipher(), key.top(), key.bottom()], [x, x, y]);
        let w = b.xor(b.xor(z, f), s);
        let (before, behind) = self.masks::<B, VERSION>(b, key);
        let [x, f] = calls(b, [key.cipher(), key.bottom()], [b.xor(t, before), z]);
        store_end(b, (w, b.xor(b.xor(x, f), behind)), last, tail);
    }

    /// Opens the last block, likewise; says whether the message is authentic.
    #[inline(always)]
    fn open<B: Backend<One = B>, const VERSION: u8>(
        &self,
        b: B,
        key: &Expanded,
        (t, f): (B::V, B::V),
        mut last: InOut<'_>,
        tail: &[u8],
    ) -> bool {
        let (r, s) = (last.len(), b.load(&self.s));
        let c = joined(b, last.src(), tail);
        let z = b.xor(b.xor(f, s), b.load(&c));
        let mut x = [z];
        b.decrypt(&Enc(key.inverse()), &mut x);
        let p = b.xor(b.xor(x[0], t), s);
        let [t, f] = calls(b, [key.top(), key.bottom()], [x[0], z]);
        let (before, behind) = self.masks::<B, VERSION>(b, key);
        let [x] = calls(b, [key.cipher()], [b.xor(t, before)]);
        let f = b.block(b.xor(b.xor(x, f), behind));
        if r > 0 {
            last.store_part(b, p);
        }
        equal(&b.block(p)[r..], &self.tau[..16 - r]) & equal(&f[..r], &c[16..16 + r])
    }
}

struct Seal<'a, const VERSION: u8> {
    key: &'a Expanded,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
    tail: &'a mut [u8],
}
impl<const VERSION: u8> Kernel for Seal<'_, VERSION> {
    type Out = ();
    const ON_MODELS: bool = false;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { key, nonce, ad, mut io, tail } = self;
        let start = Start::new::<B, VERSION>(b, key, nonce, ad, io.len());
        let mut front = io.cut(io.len().saturating_sub(1) & !15);
        let b = b.one();
        let ends = sealed(b, key, &start, &mut front);
        start.seal::<_, VERSION>(b, key, ends, io, tail);
    }
}

/// The first and the last key of a schedule.
#[inline(always)]
fn edges<B: Backend>(b: B, keys: &[Block; RK]) -> (B::V, B::V) {
    (b.splat(&keys[0]), b.splat(&keys[RK - 1]))
}

/// All blocks but the last one: the top hash of the last X, and the last Y.
#[inline(always)]
fn sealed<B: Backend>(b: B, key: &Expanded, start: &Start, io: &mut InOut<'_>) -> (B::V, B::V) {
    let keys = Each([key.top(), key.cipher(), key.bottom()]);
    let (t0, t10) = edges(b, key.top());
    let (e0, e10) = edges(b, key.cipher());
    let (b0, b10) = edges(b, key.bottom());
    let (turn, other, to_bottom) = (b.xor(t0, t10), b.xor(t0, e0), b.xor(e10, b0));
    // Each state waits with its round key 0; that of the top hash has its block, too.
    let len = io.len() & !15;
    let mut x = b.xor(b.load(&start.t), t0);
    let mut y = b.xor(b.load(&start.y), b0);
    if len > 0 {
        x = b.xor(x, io.load(b, 0));
    }
    let mut at = 0;
    while at < len {
        let next = if at + 16 < len { io.load(b, at + 16) } else { b.zero() };
        // What comes out of the cipher has the bottom hash's round key 0 in it already.
        let [t, z, f] = rounds(b, &keys, [x, b.xor(x, other), y], [b.xor(turn, next), to_bottom, b.xor(b10, b0)]);
        io.store(b, at, b.xor(z, f));
        (x, y) = (t, z);
        at += 16;
    }
    (b.xor(x, t0), b.xor(y, b0))
}

struct Open<'a, const VERSION: u8> {
    key: &'a Expanded,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
    tail: &'a [u8],
}
impl<const VERSION: u8> Kernel for Open<'_, VERSION> {
    type Out = bool;
    const ON_MODELS: bool = false;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let Self { key, nonce, ad, mut io, tail } = self;
        let start = Start::new::<B, VERSION>(b, key, nonce, ad, io.len());
        let mut front = io.cut(io.len().saturating_sub(1) & !15);
        let b = b.one();
        let ends = opened(b, key, &start, &mut front);
        start.open::<_, VERSION>(b, key, ends, io, tail)
    }
}

/// All blocks but the last one: the top hash of the last X, the bottom hash of the last Y.
#[inline(always)]
fn opened<B: Backend>(b: B, key: &Expanded, start: &Start, io: &mut InOut<'_>) -> (B::V, B::V) {
    let keys = Each([key.bottom(), key.top()]);
    let (b0, b10) = edges(b, key.bottom());
    let (t0, t10) = edges(b, key.top());
    let turn = b.xor(b0, b10);
    let len = io.len() & !15;
    let first = if len > 0 { io.load(b, 0) } else { b.zero() };
    // The state of the bottom hash waits with its round key 0 and the block.
    let [mut y] = calls(b, [key.bottom()], [b.load(&start.y)]);
    y = b.xor(y, b.xor(b0, first));
    // What the top hash is given comes from the block before.
    let mut x = b.load(&start.tau);
    let mut at = 0;
    while at < len {
        let next = if at + 16 < len { io.load(b, at + 16) } else { b.zero() };
        let mut w = [b.xor(y, b0)];
        let [z, t] = rounds(b, &keys, [y, b.xor(x, t0)], [b.xor(turn, next), t10]);
        b.decrypt(&Enc(key.inverse()), &mut w);
        io.store(b, at, b.xor(w[0], t));
        (x, y) = (w[0], z);
        at += 16;
    }
    let [t] = calls(b, [key.top()], [x]);
    (t, b.xor(y, b0))
}

/// 1 to 16 messages before their first blocks.
struct Starts<'g, 'j, 'a, const VERSION: u8, const KEYS: usize> {
    jobs: &'g [Work<'j, 'a, Poet<VERSION, KEYS>>],
    starts: &'g mut [Start; MAX_LANES],
    /// What the bottom hash of the first Y is, if it is wanted.
    y: Option<&'g mut [Block; MAX_LANES]>,
}
impl<const VERSION: u8, const KEYS: usize> Kernel for Starts<'_, '_, '_, VERSION, KEYS> {
    type Out = ();
    const ON_MODELS: bool = false;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let one = b.one();
        for (to, Work { key, job }) in self.starts.iter_mut().zip(self.jobs) {
            *to = Start::new::<B, VERSION>(b, &key.0, job.nonce, job.ad, job.len);
        }
        if let Some(y) = self.y {
            for ((to, start), work) in y.iter_mut().zip(&*self.starts).zip(self.jobs) {
                let [y] = calls(one, [work.key.0.bottom()], [one.load(&start.y)]);
                one.store(to, y);
            }
        }
    }
}

/// The last blocks of 1 to 16 messages to be sealed.
struct SealEnds<'g, 'j, 'a, const VERSION: u8, const KEYS: usize> {
    jobs: &'g [Work<'j, 'a, Poet<VERSION, KEYS>>],
    starts: &'g [Start; MAX_LANES],
    t: &'g [Block; MAX_LANES],
    y: &'g [Block; MAX_LANES],
    rest: &'g mut [InOut<'a>; MAX_LANES],
}
impl<const VERSION: u8, const KEYS: usize> Kernel for SealEnds<'_, '_, '_, VERSION, KEYS> {
    type Out = ();
    const ON_MODELS: bool = false;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let b = b.one();
        for (i, Work { key, job }) in self.jobs.iter().enumerate() {
            let (mut tail, ends) = ([0; 16], (b.load(&self.t[i]), b.load(&self.y[i])));
            self.starts[i].seal::<_, VERSION>(b, &key.0, ends, self.rest[i].reborrow(), &mut tail);
            job.sealed(&tail);
        }
    }
}

/// The last blocks of 1 to 16 messages to be opened.
struct OpenEnds<'g, 'j, 'a, const VERSION: u8, const KEYS: usize> {
    jobs: &'g [Work<'j, 'a, Poet<VERSION, KEYS>>],
    starts: &'g [Start; MAX_LANES],
    t: &'g [Block; MAX_LANES],
    y: &'g [Block; MAX_LANES],
    rest: &'g mut [InOut<'a>; MAX_LANES],
    right: &'g mut [bool; MAX_LANES],
}
impl<const VERSION: u8, const KEYS: usize> Kernel for OpenEnds<'_, '_, '_, VERSION, KEYS> {
    type Out = ();
    const ON_MODELS: bool = false;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let b = b.one();
        for (i, Work { key, job }) in self.jobs.iter().enumerate() {
            let ends = (b.load(&self.t[i]), b.load(&self.y[i]));
            if let crate::archived::Tail::Open(tail) = job.tail {
                let last = self.rest[i].reborrow();
                self.right[i] = self.starts[i].open::<_, VERSION>(b, &key.0, ends, last, tail);
            }
        }
    }
}

/// 1 to 16 messages on lanes, with `KEYS` round keys for each.
fn side_by_side<const VERSION: u8, const KEYS: usize, const OPEN: bool>(
    jobs: &[Work<'_, '_, Poet<VERSION, KEYS>>],
    lane_keys: &mut LaneKeys,
) {
    let (cpu, n) = (jobs[0].key.0.cpu, jobs.len());
    // Sealing takes the schedules from the first on, opening those up to the last.
    let chains = Chains::new(cpu, n, |i| {
        let all = &jobs[i].key.0.all;
        let part: Option<&[Block; KEYS]> = if OPEN { all.last_chunk() } else { all.first_chunk() };
        part.unwrap_or_else(|| unreachable!("no more than four schedules"))
    });
    let mut starts = [Start::NONE; MAX_LANES];
    let (mut t, mut y) = ([[0; 16]; MAX_LANES], [[0; 16]; MAX_LANES]);
    cpu.run(Starts { jobs, starts: &mut starts, y: if OPEN { Some(&mut y) } else { None } });
    for i in 0..n {
        t[i] = starts[i].t;
        if !OPEN {
            y[i] = starts[i].y;
        }
    }
    let mut rest: [InOut<'_>; MAX_LANES] = std::array::from_fn(|i| match jobs.get(i) {
        Some(it) => it.job.take(),
        None => InOut::in_place(&mut []),
    });
    let mut whole: [Option<InOut<'_>>; MAX_LANES] = [const { None }; MAX_LANES];
    for i in 0..n {
        whole[i] = rest[i].take(rest[i].len().saturating_sub(1) & !15);
    }
    let mut front = whole.each_mut().map(|it| it.as_mut().map(InOut::reborrow));
    let mut lanes = Lanes::of(n, |i| written(front[i].take()));
    chains.walk(lane_keys, &mut lanes, Blockwise::<KEYS, OPEN> { t: &mut t, y: &mut y });
    if !OPEN {
        return cpu.run(SealEnds { jobs, starts: &starts, t: &t, y: &y, rest: &mut rest });
    }
    let mut right = [false; MAX_LANES];
    cpu.run(OpenEnds { jobs, starts: &starts, t: &t, y: &y, rest: &mut rest, right: &mut right });
    for (i, end) in rest.into_iter().enumerate().take(n) {
        if !right[i]
            && let Some(whole) = whole[i].take()
        {
            crate::archived::wipe(whole);
        }
        jobs[i].job.opened(right[i], end);
    }
}

/// One of the schedules that are in a row: from key `FROM` on.
struct Part<'k, K, const FROM: usize>(&'k K);
impl<B: Backend, K: Keys<B>, const FROM: usize> Keys<B> for Part<'_, K, FROM> {
    const ROUNDS: usize = RK - 1;
    const SHARED: bool = K::SHARED;
    const IN_STEP: bool = K::IN_STEP;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        self.0.get(b, FROM + r, j)
    }
}

/// Whole blocks of messages on lanes: `t` is the top hash of the X before, `y` the Y before
/// (sealing) or its bottom hash (opening).
struct Blockwise<'g, const KEYS: usize, const OPEN: bool> {
    t: &'g mut [Block; MAX_LANES],
    y: &'g mut [Block; MAX_LANES],
}

impl<const KEYS: usize, const OPEN: bool> Walk for Blockwise<'_, KEYS, OPEN> {
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
        let (mut t, mut y) = (lockstep::load::<B, N>(b, self.t), lockstep::load::<B, N>(b, self.y));
        for at in from..end {
            let mut m = [b.zero(); N];
            for j in 0..N {
                m[j] = lanes.load(b, j, at);
            }
            if OPEN {
                let mut x = [b.zero(); N];
                for j in 0..N {
                    y[j] = b.xor(y[j], m[j]);
                    x[j] = y[j];
                }
                middle::<B, K, N, KEYS, true>(b, keys, &mut x);
                bottom::<B, K, N, KEYS, true>(b, keys, &mut y);
                for j in 0..N {
                    lanes.store(b, j, at, b.xor(x[j], t[j]));
                }
                t = x;
                top::<B, K, N, KEYS, true>(b, keys, &mut t);
            } else {
                for j in 0..N {
                    t[j] = b.xor(t[j], m[j]);
                }
                let mut z = t;
                middle::<B, K, N, KEYS, false>(b, keys, &mut z);
                bottom::<B, K, N, KEYS, false>(b, keys, &mut y);
                top::<B, K, N, KEYS, false>(b, keys, &mut t);
                for j in 0..N {
                    lanes.store(b, j, at, b.xor(z[j], y[j]));
                }
                y = z;
            }
        }
        lockstep::store::<B, N>(b, self.t, &t, lanes.len());
        lockstep::store::<B, N>(b, self.y, &y, lanes.len());
    }
}

/// The top hash.
#[inline(always)]
fn top<B: Backend, K: Keys<B>, const N: usize, const KEYS: usize, const OPEN: bool>(b: B, keys: &K, x: &mut [B::V; N]) {
    match (OPEN, KEYS / RK) {
        (true, 2) => b.encrypt(&Part::<K, 0>(keys), x),
        (false, 3) => b.encrypt(&Part::<K, { 2 * RK }>(keys), x),
        _ => b.encrypt(&Part::<K, RK>(keys), x),
    }
}

/// The bottom hash.
#[inline(always)]
fn bottom<B: Backend, K: Keys<B>, const N: usize, const KEYS: usize, const OPEN: bool>(
    b: B,
    keys: &K,
    x: &mut [B::V; N],
) {
    if OPEN {
        b.encrypt(&Part::<K, 0>(keys), x);
    } else {
        b.encrypt(&Part::<K, RK>(keys), x);
    }
}

/// The cipher or its inverse.
#[inline(always)]
fn middle<B: Backend, K: Keys<B>, const N: usize, const KEYS: usize, const OPEN: bool>(
    b: B,
    keys: &K,
    x: &mut [B::V; N],
) {
    match (OPEN, KEYS / RK) {
        (false, _) => b.encrypt(&Part::<K, 0>(keys), x),
        (true, 2) => b.decrypt(&Part::<K, RK>(keys), x),
        (true, _) => b.decrypt(&Part::<K, { 2 * RK }>(keys), x),
    }
}
