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
use crate::about::{About, RepeatedNonce, Status};
use crate::archived::{Archived, Work};
use crate::layers::padded;
use crate::nonce;
use crate::serial::{self, Each, Header, OPEN, SEAL, Serial, State, States, either, load_last, store_last, together};
use crate::xex::One;
use combseal::cpu::{Backend, Block, Keys};
use combseal::internals::chain::{EdgeKeys, rounds};
use combseal::internals::chains::Chains;
use combseal::internals::lanes::Lanes;
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
        repeated_nonce: RepeatedNonce::PrefixAndXor,
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

    #[inline(always)]
    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        serial::seal(&self.0, nonce, ad, io, tail);
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        serial::open(&self.0, nonce, ad, io, tail)
    }

    fn group(jobs: &[Work<'_, '_, Self>], open: bool, lane_keys: &mut LaneKeys) {
        serial::group_of(jobs, |key| &key.0, open, lane_keys);
    }
}

/// The states of `M` messages under way.
struct Going<'a, B: Backend, const M: usize> {
    b: B,
    keys: Each<'a, M>,
    edge: [EdgeKeys<B::V>; M],
    /// U and V, with round key 0.
    s: [B::V; M],
    /// R, in the first half.
    r: [B::V; M],
}

/// Those of `M` messages that take part in a step.
type Some<const M: usize> = [bool; M];

impl<'a, B: Backend<One = B>, const M: usize> Going<'a, B, M> {
    /// From U and V, and R.
    #[inline(always)]
    fn new(b: B, of: [&'a Expanded; M], states: [State<B::V>; M]) -> Self {
        let mut enc = [&of[0].enc; M];
        for j in 0..M {
            enc[j] = &of[j].enc;
        }
        let keys = Each(enc);
        let (mut s, mut r) = ([b.zero(); M], [b.zero(); M]);
        let mut edge = [EdgeKeys::new(b, &keys, 0); M];
        for j in 0..M {
            edge[j] = EdgeKeys::new(b, &keys, j);
            (s[j], r[j]) = (b.xor(states[j][0], edge[j].first), states[j][1]);
        }
        Self { b, keys, edge, s, r }
    }

    #[inline(always)]
    fn states(&self) -> [State<B::V>; M] {
        let b = self.b;
        let mut states = [[b.zero(); 4]; M];
        for j in 0..M {
            (states[j][0], states[j][1]) = (b.xor(self.s[j], self.edge[j].first), self.r[j]);
        }
        states
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

    /// A call of the cipher: of each message the input `x` is in the second half, and the constant
    /// `n` is added to U. Gives U in the first half.
    #[inline(always)]
    fn step(&mut self, n: u8, x: [B::V; M]) -> [B::V; M] {
        self.some::<false>([true; M], n, x)
    }

    /// The same of some messages; the others stay as they are. With `OPEN` the ciphertext is given:
    /// the input is its sum with U.
    #[inline(always)]
    fn some<const OPEN: bool>(&mut self, some: Some<M>, n: u8, x: [B::V; M]) -> [B::V; M] {
        let b = self.b;
        let (mut last, mut u) = ([b.zero(); M], [b.zero(); M]);
        for j in 0..M {
            let mut turn = self.edge[j].turn;
            if n != 0 {
                turn = b.xor(turn, b.splat(&constant(n)));
            }
            if OPEN {
                // U will bring round key 0's first half along.
                turn = b.xor(turn, self.behind(self.edge[j].first));
            }
            last[j] = b.xor(b.xor(turn, self.r[j]), x[j]);
        }
        let s = rounds(b, &self.keys, self.s, last);
        for j in 0..M {
            let s = if OPEN { b.xor(s[j], self.behind(s[j])) } else { s[j] };
            let plain = b.xor(s, self.edge[j].first);
            let r = b.xor(self.r[j], self.before(plain));
            u[j] = b.and(plain, b.splat(&FIRST_HALF));
            self.s[j] = if M == 1 && some[j] { s } else { either(b, some[j], s, self.s[j]) };
            self.r[j] = if M == 1 && some[j] { r } else { either(b, some[j], r, self.r[j]) };
        }
        u
    }

    /// Associated data: the first half of each block, and the second of those where it is wanted
    /// too.
    #[inline(always)]
    fn associated(&mut self, blocks: [B::V; M], both: Some<M>) {
        let (mut first, mut second) = (blocks, blocks);
        for j in 0..M {
            (first[j], second[j]) = (self.behind(blocks[j]), self.second(blocks[j]));
        }
        self.step(AD, first);
        if both.contains(&true) {
            self.some::<false>(both, AD, second);
        }
    }

    /// What is left of each message, at most 16 bytes, half by half, and the half that is padded:
    /// from 0 to 7 bytes of it.
    #[inline(always)]
    fn end<const OPEN: bool>(&mut self, io: &mut [InOut<'_>; M]) {
        let b = self.b;
        let (mut from, mut pad, mut rest) = ([b.zero(); M], [b.zero(); M], [b.zero(); M]);
        for j in 0..M {
            if !io[j].is_empty() {
                from[j] = load_last(b, &io[j]);
            }
            rest[j] = from[j];
        }
        for half in 0..2 {
            let (mut some, mut x) = ([false; M], [b.zero(); M]);
            for j in 0..M {
                some[j] = io[j].len() >= HALF * (half + 1);
                // What comes next is in the first half.
                x[j] = self.behind(rest[j]);
                rest[j] = either(b, some[j], self.before(rest[j]), rest[j]);
            }
            if some.contains(&true) {
                let u = self.some::<OPEN>(some, 0, x);
                for j in 0..M {
                    let u = if half == 0 { u[j] } else { b.swap(u[j]) };
                    pad[j] = either(b, some[j], b.xor(pad[j], u), pad[j]);
                }
            }
        }
        let (mut k, mut x, mut u) = ([0; M], [b.zero(); M], [b.zero(); M]);
        for j in 0..M {
            k[j] = io[j].len() % HALF;
            x[j] = b.swap(b.xor(rest[j], b.padding(k[j])));
        }
        if OPEN {
            // Here the input is the sum with U of no more than `k` bytes.
            let mut last = [b.zero(); M];
            for j in 0..M {
                last[j] = b.xor(self.edge[j].turn, self.r[j]);
            }
            let s = rounds(b, &self.keys, self.s, last);
            for j in 0..M {
                u[j] = b.and(b.xor(s[j], self.edge[j].first), b.splat(&FIRST_HALF));
                let p = b.xor(b.keep(b.xor(rest[j], u[j]), k[j]), b.padding(k[j]));
                self.s[j] = b.xor(s[j], b.swap(p));
                self.r[j] = b.xor(self.r[j], self.before(b.xor(self.s[j], self.edge[j].first)));
            }
        } else {
            u = self.step(0, x);
        }
        for j in 0..M {
            let n = io[j].len();
            // Behind the first half, if that was whole; of a whole block there is nothing left.
            let u = either(b, n >= HALF, b.swap(u[j]), u[j]);
            if n > 0 {
                store_last(b, &mut io[j], b.xor(from[j], either(b, n < 2 * HALF, b.xor(pad[j], u), pad[j])));
            }
        }
    }

    /// The tags, in the first half.
    #[inline(always)]
    fn tags(mut self) -> [B::V; M] {
        let b = self.b;
        let (mut last, mut tags) = ([b.zero(); M], [b.zero(); M]);
        self.step(END, last);
        for j in 0..M {
            last[j] = self.edge[j].last;
        }
        let x = rounds(b, &self.keys, self.s, last);
        for j in 0..M {
            tags[j] = b.xor(b.xor(x[j], b.swap(x[j])), self.r[j]);
        }
        tags
    }
}

impl<B: Backend<One = B>> Going<'_, B, 1> {
    /// Whole blocks of a message.
    #[inline(always)]
    fn blocks<const OPEN: bool>(&mut self, mut io: InOut<'_>) {
        let b = self.b;
        if OPEN && B::TERNARY {
            return self.opened_both_ways(io);
        }
        while let Some(mut now) = io.take(16) {
            let from = now.load(b, 0);
            let [u] = self.some::<OPEN>([true], 0, [self.behind(from)]);
            let [v] = self.some::<OPEN>([true], 0, [self.second(from)]);
            now.store(b, 0, b.xor(b.xor(from, u), b.swap(v)));
        }
    }
}

/// A key's schedule, and the same with the halves of each round key changed over.
struct BothWays<V>([[V; 2]; 11]);
impl<B: Backend> Keys<B> for BothWays<B::V> {
    const ROUNDS: usize = 10;
    const SHARED: bool = false;
    const IN_STEP: bool = true;
    #[inline(always)]
    fn get(&self, _: B, r: usize, j: usize) -> B::V {
        self.0[r][j]
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        false
    }
}

impl<B: Backend<One = B>> Going<'_, B, 1> {
    /// Whole blocks of a message that is opened, where U must go into V between two calls.
    ///
    /// The cipher is called twice side by side, of which one is enough in what it gives: on the state, and on the
    /// state with its halves changed over, under round keys that are changed over too. All steps of a round commute
    /// with that (it moves whole columns, and ShiftRows and MixColumns treat all columns alike), so the second
    /// call has U in the place of V, and what is between two calls is `x ^ (y & mask)`: one instruction with AVX-512
    /// ([`Backend::TERNARY`]), where moving U and adding it are two.
    #[inline(always)]
    fn opened_both_ways(&mut self, mut io: InOut<'_>) {
        let b = self.b;
        let mut keys = BothWays([[b.zero(); 2]; 11]);
        for (key, from) in keys.0.iter_mut().zip(self.keys.0[0]) {
            let key_here = b.splat(from);
            *key = [key_here, b.swap(key_here)];
        }
        // Pinned: of masks that it knows the compiler makes moves, and of one instruction two.
        let (first, second) = (b.pin(b.splat(&FIRST_HALF)), b.pin(b.splat(&SECOND_HALF)));
        let [key, key_over] = keys.0[0];
        // U will bring round key 0's first half along.
        let turn = b.xor(self.edge[0].turn, self.behind(self.edge[0].first));
        // The first half of R's register has taken in the second half of round key 0 after the first call of each
        // two; its second half holds what happens to be there.
        let turns = [turn, b.xor(turn, b.and(key_over, first))];
        let keys_out = b.xor(b.and(key, first), b.and(key_over, second));
        let (mut x, mut r) = ([self.s[0], b.swap(self.s[0])], self.r[0]);
        while let Some(mut now) = io.take(16) {
            let from = now.load(b, 0);
            let mut u = [b.zero(); 2];
            for (half, input) in [self.behind(from), b.and(from, second)].into_iter().enumerate() {
                let last = b.xor(b.xor(turns[half], input), b.and(r, first));
                let [s, over] = rounds(b, &keys, x, [last, b.swap(last)]);
                x = [b.xor(s, b.and(over, second)), b.xor(over, b.and(s, first))];
                r = b.xor(r, x[1]);
                u[half] = x[half];
            }
            let u = b.xor(b.and(u[0], first), b.and(u[1], second));
            now.store(b, 0, b.xor(b.xor(from, u), keys_out));
        }
        let r = b.and(r, first);
        (self.s[0], self.r[0]) = (x[0], r);
    }
}

/// A state is U and V, and R in the first half of another block.
impl Serial for Expanded {
    const STATE: usize = 2;
    const TAIL: usize = HALF;
    const TOGETHER: bool = true;

    fn cpu(&self) -> Cpu {
        self.cpu
    }

    #[inline(always)]
    fn start<B: Backend, const M: usize>(b: B, keys: [&Self; M], it: [Header<'_>; M]) -> [State<One<B>>; M] {
        let b = b.one();
        let mut states = [[b.zero(); 4]; M];
        for j in 0..M {
            // The nonce, and zeros behind, in the place of U and V.
            states[j][0] = nonce::register(b, nonce::number::<HALF>(it[j].nonce));
        }
        let mut going = Going::new(b, keys, states);
        going.step(BEGIN, [b.zero(); M]);
        going.states()
    }

    fn middle(ad: &[u8]) -> &[u8] {
        &ad[..ad.len() & !15]
    }

    #[inline(always)]
    fn absorb<B: Backend>(&self, b: B, state: State<One<B>>, blocks: &[u8]) -> State<One<B>> {
        let b = b.one();
        let mut it = Going::new(b, [self], [state]);
        for block in blocks.as_chunks::<16>().0 {
            it.associated([b.load(block)], [true]);
        }
        let [state] = it.states();
        state
    }

    #[inline(always)]
    fn ready<B: Backend, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<One<B>>; M],
        _: bool,
        it: [Header<'_>; M],
    ) -> [State<One<B>>; M] {
        let b = b.one();
        let (mut blocks, mut both) = ([b.zero(); M], [false; M]);
        for j in 0..M {
            let rest = &it[j].ad[it[j].ad.len() & !15..];
            (blocks[j], both[j]) = (padded(b, rest), rest.len() >= HALF);
        }
        let mut going = Going::new(b, keys, states);
        going.associated(blocks, both);
        going.states()
    }

    #[inline(always)]
    fn blocks<B: Backend, const OPEN: bool>(&self, b: B, state: State<One<B>>, io: InOut<'_>) -> State<One<B>> {
        let mut it = Going::new(b.one(), [self], [state]);
        it.blocks::<OPEN>(io);
        let [state] = it.states();
        state
    }

    #[inline(always)]
    fn seal_ends<B: Backend<One = B>, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<B::V>; M],
        last: &mut [InOut<'_>; M],
    ) -> [B::V; M] {
        let mut it = Going::new(b, keys, states);
        it.end::<false>(last);
        it.tags()
    }

    #[inline(always)]
    fn open_ends<B: Backend<One = B>, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<B::V>; M],
        last: &mut [InOut<'_>; M],
        tails: [&[u8]; M],
    ) -> [bool; M] {
        let mut it = Going::new(b, keys, states);
        it.end::<true>(last);
        let (tags, mut right) = (it.tags(), [false; M]);
        for j in 0..M {
            right[j] = b.begins(tags[j], tails[j]);
        }
        right
    }

    fn walk<const KIND: u8>(keys: &[&Self], lane_keys: &mut LaneKeys, lanes: &mut Lanes<'_>, states: &mut States) {
        let chains = Chains::new(keys[0].cpu, keys.len(), |i| &keys[i].enc);
        let [s, r, ..] = states;
        chains.walk(lane_keys, lanes, Halves::<KIND> { s, r });
    }
}

/// Whole blocks on lanes, two calls of the cipher each, of the kind `KIND`.
struct Halves<'g, const KIND: u8> {
    /// U and V.
    s: &'g mut [Block; MAX_LANES],
    /// R, in the first half.
    r: &'g mut [Block; MAX_LANES],
}

impl<const KIND: u8> Walk for Halves<'_, KIND> {
    const WIDE: bool = true;
    const MODELS: crate::models::Models = crate::models::MODELS;

    /// As few operations beside the cipher as there can be: the second half of R's register
    /// holds what happens to be there, and its first half, after the first call of each two,
    /// the second half of round key 0 too. Both is known where they go in.
    #[inline(always)]
    fn window<B: Backend, K: Turning<B>, const N: usize>(
        &mut self,
        b: B,
        keys: &K,
        lanes: &mut Lanes<'_>,
        from: usize,
        end: usize,
    ) {
        let (mut s, mut r) = (lockstep::load::<B, N>(b, self.s), lockstep::load::<B, N>(b, self.r));
        for j in 0..N {
            s[j] = b.xor(s[j], keys.get(b, 0, j));
        }
        for at in from..end {
            let (mut m, mut last) = ([b.zero(); N], [b.zero(); N]);
            for j in 0..N {
                m[j] = lanes.load(b, j, at);
                last[j] = b.xor(turn::<B, K, KIND>(b, keys, j), b.low_halves(r[j], m[j]));
            }
            s = together(b, rounds(b, keys, s, last));
            let first = s;
            for j in 0..N {
                r[j] = taken_in::<B, KIND>(b, &mut s[j], r[j]);
                // R has taken in the second half of round key 0 too. Of one key it is taken out by what
                // never changes.
                let (turn, second) = (turn::<B, K, KIND>(b, keys, j), b.swap(keys.get(b, 0, j)));
                last[j] = if K::SHARED {
                    b.xor(b.xor(turn, b.mixed(second, b.zero())), b.mixed(r[j], m[j]))
                } else {
                    b.xor(turn, b.mixed(b.xor(r[j], second), m[j]))
                };
            }
            s = together(b, rounds(b, keys, s, last));
            for j in 0..N {
                if KIND == SEAL || KIND == OPEN {
                    let key = keys.get(b, 0, j);
                    let u = b.xor(b.low_halves(first[j], s[j]), b.low_halves(key, key));
                    lanes.store(b, j, at, b.xor(m[j], u));
                }
                r[j] = taken_in::<B, KIND>(b, &mut s[j], r[j]);
            }
        }
        for j in 0..N {
            s[j] = b.xor(s[j], keys.get(b, 0, j));
            r[j] = b.mixed(r[j], b.zero());
        }
        lockstep::store::<B, N>(b, self.s, &s, lanes.len());
        lockstep::store::<B, N>(b, self.r, &r, lanes.len());
    }
}

/// What goes in with the last round key whatever the message: round key 0; the constant of
/// associated data; or, opening, the first half of round key 0 in its second, which U will bring
/// along.
#[inline(always)]
fn turn<B: Backend, K: Turning<B>, const KIND: u8>(b: B, keys: &K, j: usize) -> B::V {
    let turn = keys.turn(b, j);
    match KIND {
        OPEN => b.xor(turn, b.low_halves(b.zero(), keys.get(b, 0, j))),
        SEAL => turn,
        _ => b.xor(turn, b.splat(&constant(AD))),
    }
}

/// Behind a call of the cipher: when opening, V takes in U; and R takes in V.
#[inline(always)]
fn taken_in<B: Backend, const KIND: u8>(b: B, s: &mut B::V, r: B::V) -> B::V {
    let (before, swapped) = (*s, b.swap(*s));
    if KIND == OPEN {
        *s = b.xor(before, b.low_halves(b.zero(), before));
        b.xor(r, b.xor(swapped, before))
    } else {
        b.xor(r, swapped)
    }
}
