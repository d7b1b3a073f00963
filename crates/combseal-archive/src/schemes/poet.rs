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

use crate::about::{About, RepeatedNonce, Status};
use crate::archived::{Archived, Work};
use crate::layers::{hashed, padded};
use crate::serial::{
    self, Header, OPEN, SEAL, Serial, State, States, behind, filled_up, load_last, store_last, tail, together,
};
use crate::xex::One;
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
        repeated_nonce: RepeatedNonce::Prefix,
        source: "Abed, Fluhrer, Forler, List, Lucks, McGrew and Wenzel, FSE 2014; CAESAR v1 and v2, with Foley",
        status: if VERSION == 1 { Status::Superseded } else { Status::NotChosen },
        history: if VERSION == 1 {
            "superseded by v2; not the version of FSE 2014, which is forged with one query (Guo, Jean, Peyrin and Wang, \
             ePrint 2014/197)"
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

    #[inline(always)]
    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        serial::seal(self, nonce, ad, io, tail);
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        serial::open(self, nonce, ad, io, tail)
    }

    fn group(jobs: &[Work<'_, '_, Self>], open: bool, lane_keys: &mut LaneKeys) {
        serial::group(jobs, open, lane_keys);
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
    const MODELS: crate::models::Models = crate::models::MODELS;
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
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        false
    }
}

/// Each register once through the cipher, under a key of its own.
#[inline(always)]
fn calls<B: Backend, const N: usize>(b: B, keys: [&[Block; RK]; N], mut x: [B::V; N]) -> [B::V; N] {
    b.encrypt(&Each(keys), &mut x);
    x
}

/// A state is the top hash of the X before; the Y before, or, when opening, its bottom hash;
/// the header's tag tau; and S, the enciphered length.
impl<const VERSION: u8, const KEYS: usize> Serial for Poet<VERSION, KEYS> {
    const STATE: usize = 4;

    fn cpu(&self) -> Cpu {
        self.0.cpu
    }

    #[inline(always)]
    fn ready<B: Backend, const M: usize>(
        b: B,
        keys: [&Self; M],
        mut states: [State<One<B>>; M],
        open: bool,
        it: [Header<'_>; M],
    ) -> [State<One<B>>; M] {
        for j in 0..M {
            states[j] = keys[j].begun(b, open, it[j]);
        }
        states
    }

    #[inline(always)]
    fn blocks<B: Backend, const OPEN: bool>(
        &self,
        b: B,
        [t, y, tau, s]: State<One<B>>,
        mut io: InOut<'_>,
    ) -> State<One<B>> {
        let b = b.one();
        let (t, y) = if OPEN { opened(b, &self.0, (tau, y), &mut io) } else { sealed(b, &self.0, (t, y), &mut io) };
        [t, y, tau, s]
    }

    #[inline(always)]
    fn seal_ends<B: Backend<One = B>, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<B::V>; M],
        last: &mut [InOut<'_>; M],
    ) -> [B::V; M] {
        let mut tails = [b.zero(); M];
        for j in 0..M {
            tails[j] = keys[j].seal_end(b, states[j], last[j].reborrow());
        }
        tails
    }

    #[inline(always)]
    fn open_ends<B: Backend<One = B>, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<B::V>; M],
        last: &mut [InOut<'_>; M],
        tails: [&[u8]; M],
    ) -> [bool; M] {
        let mut right = [false; M];
        for j in 0..M {
            right[j] = keys[j].open_end(b, states[j], last[j].reborrow(), tails[j]);
        }
        right
    }

    fn walk<const KIND: u8>(keys: &[&Self], lane_keys: &mut LaneKeys, lanes: &mut Lanes<'_>, states: &mut States) {
        let [t, y, ..] = states;
        // Sealing takes the schedules from the first on, opening those up to the last.
        let chains = Chains::new(keys[0].0.cpu, keys.len(), |i| {
            let all = &keys[i].0.all;
            let part: Option<&[Block; KEYS]> = if KIND == OPEN { all.last_chunk() } else { all.first_chunk() };
            part.unwrap_or_else(|| unreachable!("no more than four schedules"))
        });
        match KIND {
            SEAL => chains.walk(lane_keys, lanes, Blockwise::<KEYS, false> { t, y }),
            OPEN => chains.walk(lane_keys, lanes, Blockwise::<KEYS, true> { t, y }),
            _ => unreachable!("associated data goes another way"),
        }
    }
}

/// A number as a block.
#[inline(always)]
fn block<B: Backend>(b: B, x: u128) -> B::V {
    b.load(&x.to_be_bytes())
}

impl<const VERSION: u8, const KEYS: usize> Poet<VERSION, KEYS> {
    /// A state before the first block.
    #[inline(always)]
    fn begun<B: Backend>(&self, b: B, open: bool, it: Header<'_>) -> State<One<B>> {
        let (one, key, enc) = (b.one(), &self.0, self.0.cipher());
        let mut m = u128::from_be_bytes(key.l);
        if VERSION != 1 {
            m = double(m);
        }
        // The header is the associated data and the nonce; the first two blocks behind the
        // data's whole ones are what is left of it.
        let (whole, rest) = it.ad.split_at(it.ad.len() & !15);
        let mut sum = hashed(b, enc, whole, || {
            let now = m;
            m = double(m);
            now
        });
        let nonce = one.load(it.nonce);
        let first = if rest.is_empty() { nonce } else { filled_up(one, one.load_part(rest), nonce, rest.len()) };
        let last = padded(one, &it.nonce[16 - rest.len()..]);
        let mut x = [one.load(&(8 * it.len as u128).to_le_bytes())];
        one.encrypt(&Enc(enc), &mut x);
        let s = x[0];
        if VERSION != 1 {
            let mut x = [one.xor(first, block(one, m)), one.xor(last, block(one, double(m)))];
            one.encrypt(&Enc(enc), &mut x);
            sum = one.xor(one.xor(sum, one.load(&key.more)), one.xor(x[0], x[1]));
        } else if rest.is_empty() {
            sum = one.xor(one.xor(sum, first), block(one, double(m) ^ m));
        } else {
            let mut x = [one.xor(first, block(one, m))];
            one.encrypt(&Enc(enc), &mut x);
            m = double(m);
            sum = one.xor(one.xor(sum, x[0]), one.xor(last, block(one, double(double(m)) ^ m)));
        }
        let mut tau = [sum];
        one.encrypt(&Enc(enc), &mut tau);
        let [tau] = tau;
        let y = if VERSION == 1 { tau } else { one.xor(tau, one.load(&1u128.to_be_bytes())) };
        if open {
            let [t, y] = calls(one, [key.top(), key.bottom()], [tau, y]);
            return [t, y, tau, s];
        }
        let [t] = calls(one, [key.top()], [tau]);
        [t, y, tau, s]
    }

    #[inline(always)]
    fn seal_end<B: Backend<One = B>>(&self, b: B, [t, y, tau, s]: State<B::V>, mut last: InOut<'_>) -> B::V {
        let (key, n) = (&self.0, last.len());
        let p = if n == 0 { tau } else { filled_up(b, load_last(b, &last), tau, n) };
        let x = b.xor(b.xor(t, s), p);
        let [z, t, f] = calls(b, [key.cipher(), key.top(), key.bottom()], [x, x, y]);
        let w = b.xor(b.xor(z, f), s);
        let (before, after) = self.masks(b, tau);
        let [x, f] = calls(b, [key.cipher(), key.bottom()], [b.xor(t, before), z]);
        if n > 0 {
            store_last(b, &mut last, w);
        }
        tail(b, w, b.xor(b.xor(x, f), after), n)
    }

    #[inline(always)]
    fn open_end<B: Backend<One = B>>(
        &self,
        b: B,
        [t, f, tau, s]: State<B::V>,
        mut last: InOut<'_>,
        tail: &[u8],
    ) -> bool {
        let (key, n, tail) = (&self.0, last.len(), b.load(tail));
        let c = if n == 0 { tail } else { filled_up(b, load_last(b, &last), tail, n) };
        let z = b.xor(b.xor(f, s), c);
        let mut x = [z];
        b.decrypt(&Enc(key.inverse()), &mut x);
        let p = b.xor(b.xor(x[0], t), s);
        let [t, f] = calls(b, [key.top(), key.bottom()], [x[0], z]);
        let (before, after) = self.masks(b, tau);
        let [x] = calls(b, [key.cipher()], [b.xor(t, before)]);
        let f = b.xor(b.xor(x, f), after);
        if n > 0 {
            store_last(b, &mut last, p);
        }
        // Behind the message's bytes the block ends with tau; the tail's last bytes are the
        // first of `f`.
        let wrong = filled_up(b, b.xor(f, behind(b, tail, n)), b.xor(behind(b, p, 16 - n), tau), n);
        equal(&b.block(wrong), &[0; 16])
    }

    /// What is behind the message's last block, before and behind the last call.
    #[inline(always)]
    fn masks<B: Backend>(&self, b: B, tau: B::V) -> (B::V, B::V) {
        let tm = b.load(&self.0.more);
        if VERSION == 1 { (b.xor(tau, tm), tm) } else { (tau, tau) }
    }
}

/// The first and the last key of a schedule.
#[inline(always)]
fn edges<B: Backend>(b: B, keys: &[Block; RK]) -> (B::V, B::V) {
    (b.splat(&keys[0]), b.splat(&keys[RK - 1]))
}

/// All blocks but the last one: the top hash of the last X, and the last Y.
#[inline(always)]
fn sealed<B: Backend>(b: B, key: &Expanded, (t, y): (B::V, B::V), io: &mut InOut<'_>) -> (B::V, B::V) {
    let keys = Each([key.top(), key.cipher(), key.bottom()]);
    let (t0, t10) = edges(b, key.top());
    let (e0, e10) = edges(b, key.cipher());
    let (b0, b10) = edges(b, key.bottom());
    let (turn, other, to_bottom) = (b.xor(t0, t10), b.xor(t0, e0), b.xor(e10, b0));
    // Each state waits with its round key 0; that of the top hash has its block, too.
    let len = io.len() & !15;
    let mut x = b.xor(t, t0);
    let mut y = b.xor(y, b0);
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

/// All blocks but the last one, from the X and the bottom hash of the Y before them on: the top
/// hash of the last X, the bottom hash of the last Y.
#[inline(always)]
fn opened<B: Backend>(b: B, key: &Expanded, (mut x, y): (B::V, B::V), io: &mut InOut<'_>) -> (B::V, B::V) {
    let keys = Each([key.bottom(), key.top()]);
    let (b0, b10) = edges(b, key.bottom());
    let (t0, t10) = edges(b, key.top());
    let turn = b.xor(b0, b10);
    let len = io.len() & !15;
    let first = if len > 0 { io.load(b, 0) } else { b.zero() };
    // The state of the bottom hash waits with its round key 0 and the block. What the top hash
    // is given comes from the block before.
    let mut y = b.xor(y, b.xor(b0, first));
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
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        false
    }
}

/// Whole blocks of messages on lanes: `t` is the top hash of the X before, `y` the Y before
/// (sealing) or its bottom hash (opening).
struct Blockwise<'g, const KEYS: usize, const OPEN: bool> {
    t: &'g mut [Block; MAX_LANES],
    y: &'g mut [Block; MAX_LANES],
}

impl<const KEYS: usize, const OPEN: bool> Walk for Blockwise<'_, KEYS, OPEN> {
    const WIDE: bool = true;
    const MODELS: crate::models::Models = crate::models::MODELS;

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
                (x, y) = (together(b, x), together(b, y));
                for j in 0..N {
                    lanes.store(b, j, at, b.xor(x[j], t[j]));
                }
                t = x;
                top::<B, K, N, KEYS, true>(b, keys, &mut t);
                t = together(b, t);
            } else {
                for j in 0..N {
                    t[j] = b.xor(t[j], m[j]);
                }
                let mut z = t;
                middle::<B, K, N, KEYS, false>(b, keys, &mut z);
                bottom::<B, K, N, KEYS, false>(b, keys, &mut y);
                top::<B, K, N, KEYS, false>(b, keys, &mut t);
                (t, z) = (together(b, t), together(b, z));
                y = together(b, y);
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
