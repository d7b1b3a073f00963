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

use super::cloc::{SetUp, number};
use crate::about::{About, Status};
use crate::archived::{Archived, Work};
use crate::layers::padded;
use crate::serial::{self, Header, OPEN, SEAL, Serial, State, States, together};
use crate::xex::One;
use combseal::cpu::{Backend, Block, Enc};
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
        serial::seal(&self.0, nonce, ad, io, tail);
    }

    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        serial::open(&self.0, nonce, ad, io, tail)
    }

    fn group(jobs: &[Work<'_, '_, Self>], open: bool, lane_keys: &mut LaneKeys) {
        serial::group_of(jobs, |key| &key.0, open, lane_keys);
    }
}

/// A message's state under way.
struct Going<'a, B: Backend> {
    b: B,
    keys: Enc<'a, [Block; 11]>,
    edge: EdgeKeys<B::V>,
    /// U and V, with round key 0.
    s: B::V,
    /// R, in the first half.
    r: B::V,
}

impl<'a, B: Backend<One = B>> Going<'a, B> {
    /// From U and V, and R.
    #[inline(always)]
    fn new(b: B, enc: &'a [Block; 11], [s, r, ..]: State<B::V>) -> Self {
        let keys = Enc(enc);
        let edge = EdgeKeys::new(b, &keys, 0);
        Self { b, keys, edge, s: b.xor(s, edge.first), r }
    }

    #[inline(always)]
    fn state(&self) -> State<B::V> {
        let b = self.b;
        [b.xor(self.s, self.edge.first), self.r, b.zero(), b.zero()]
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

    /// Associated data: the first half of `block`, and the second if it is wanted too.
    #[inline(always)]
    fn associated(&mut self, block: B::V, both: bool) {
        let turn = self.b.xor(self.edge.turn, self.b.splat(&constant(AD)));
        self.step(turn, self.behind(block));
        if both {
            self.step(turn, self.second(block));
        }
    }

    /// Whole blocks.
    #[inline(always)]
    fn blocks<const OPEN: bool>(&mut self, mut io: InOut<'_>) {
        let b = self.b;
        let turn = self.edge.turn;
        let turn_open = b.xor(turn, self.behind(self.edge.first));
        while let Some(mut now) = io.take(16) {
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
    }

    /// What is left, at most 15 bytes, and the half that is padded: from 0 to 7 bytes of the
    /// message.
    #[inline(always)]
    fn end<const OPEN: bool>(&mut self, mut io: InOut<'_>) {
        let b = self.b;
        let turn = self.edge.turn;
        let n = io.len();
        let mut rest = if n == 0 { b.zero() } else { io.load_part(b) };
        let mut pad = b.zero();
        let from = rest;
        if n >= HALF {
            let first = self.behind(rest);
            let turn_open = b.xor(turn, self.behind(self.edge.first));
            pad = if OPEN { self.step_open(turn_open, first) } else { self.step(turn, first) };
            rest = self.before(rest);
        }
        let k = n % HALF;
        let u;
        if OPEN {
            // Here the input is the sum with U of no more than `k` bytes.
            [self.s] = rounds(b, &self.keys, [self.s], [b.xor(turn, self.r)]);
            u = b.and(b.xor(self.s, self.edge.first), b.splat(&FIRST_HALF));
            let p = b.xor(b.keep(b.xor(rest, u), k), b.padding(k));
            self.s = b.xor(self.s, b.swap(p));
            self.update();
        } else {
            u = self.step(turn, b.swap(b.xor(rest, b.padding(k))));
        }
        pad = b.xor(pad, if n >= HALF { b.swap(u) } else { u });
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

impl Expanded {
    /// The last block, and the tag.
    #[inline(always)]
    fn end<B: Backend<One = B>, const OPEN: bool>(&self, b: B, state: State<B::V>, mut last: InOut<'_>) -> B::V {
        let mut it = Going::new(b, &self.enc, state);
        if let Some(whole) = last.take(16) {
            it.blocks::<OPEN>(whole);
        }
        it.end::<OPEN>(last);
        it.tag()
    }
}

/// A state is U and V, and R in the first half of another block.
impl Serial for Expanded {
    const STATE: usize = 2;
    const TAIL: usize = HALF;

    fn cpu(&self) -> Cpu {
        self.cpu
    }

    #[inline(always)]
    fn start<B: Backend>(&self, b: B, nonce: &[u8], _: &[u8]) -> State<One<B>> {
        let b = b.one();
        // The nonce, and zeros behind, in the place of U and V.
        let mut it = Going::new(b, &self.enc, [b.load(&number(nonce).to_le_bytes()), b.zero(), b.zero(), b.zero()]);
        let turn = b.xor(it.edge.turn, b.splat(&constant(BEGIN)));
        it.step(turn, b.zero());
        it.state()
    }

    fn middle(ad: &[u8]) -> &[u8] {
        &ad[..ad.len() & !15]
    }

    #[inline(always)]
    fn absorb<B: Backend>(&self, b: B, state: State<One<B>>, blocks: &[u8]) -> State<One<B>> {
        let b = b.one();
        let mut it = Going::new(b, &self.enc, state);
        for block in blocks.as_chunks::<16>().0 {
            it.associated(b.load(block), true);
        }
        it.state()
    }

    #[inline(always)]
    fn ready<B: Backend>(&self, b: B, state: State<One<B>>, _: bool, header: Header<'_>) -> State<One<B>> {
        let b = b.one();
        let mut it = Going::new(b, &self.enc, state);
        let rest = &header.ad[header.ad.len() & !15..];
        it.associated(padded(b, rest), rest.len() >= HALF);
        it.state()
    }

    #[inline(always)]
    fn blocks<B: Backend, const OPEN: bool>(&self, b: B, state: State<One<B>>, io: InOut<'_>) -> State<One<B>> {
        let mut it = Going::new(b.one(), &self.enc, state);
        it.blocks::<OPEN>(io);
        it.state()
    }

    #[inline(always)]
    fn seal_end<B: Backend<One = B>>(&self, b: B, state: State<B::V>, last: InOut<'_>) -> B::V {
        self.end::<B, false>(b, state, last)
    }

    #[inline(always)]
    fn open_end<B: Backend<One = B>>(&self, b: B, state: State<B::V>, last: InOut<'_>, tail: &[u8]) -> bool {
        b.begins(self.end::<B, true>(b, state, last), tail)
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
    const ON_MODELS: bool = crate::models::ON_MODELS;

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
        let front = b.splat(&FIRST_HALF);
        for j in 0..N {
            s[j] = b.xor(s[j], keys.get(b, 0, j));
        }
        for at in from..end {
            let (mut m, mut last) = ([b.zero(); N], [b.zero(); N]);
            for j in 0..N {
                m[j] = lanes.load(b, j, at);
                let with = b.xor(keys.turn(b, j), halves(b, r[j], b.swap(m[j])));
                last[j] = added::<B, KIND>(b, with, keys.get(b, 0, j));
            }
            s = together(b, rounds(b, keys, s, last));
            let first = s;
            for j in 0..N {
                r[j] = taken_in::<B, KIND>(b, &mut s[j], r[j]);
                let second = b.swap(keys.get(b, 0, j));
                let with = b.xor(keys.turn(b, j), halves(b, b.xor(r[j], second), m[j]));
                last[j] = added::<B, KIND>(b, with, keys.get(b, 0, j));
            }
            s = together(b, rounds(b, keys, s, last));
            for j in 0..N {
                if KIND == SEAL || KIND == OPEN {
                    let key = keys.get(b, 0, j);
                    let u = halves(b, b.xor(first[j], key), b.swap(b.xor(s[j], key)));
                    lanes.store(b, j, at, b.xor(m[j], u));
                }
                r[j] = taken_in::<B, KIND>(b, &mut s[j], r[j]);
            }
        }
        for j in 0..N {
            s[j] = b.xor(s[j], keys.get(b, 0, j));
            r[j] = b.and(r[j], front);
        }
        lockstep::store::<B, N>(b, self.s, &s, lanes.len());
        lockstep::store::<B, N>(b, self.r, &r, lanes.len());
    }
}

/// The first half of the one and the second of the other.
#[inline(always)]
fn halves<B: Backend>(b: B, first: B::V, second: B::V) -> B::V {
    b.xor(b.and(first, b.splat(&FIRST_HALF)), b.and(second, b.splat(&SECOND_HALF)))
}

/// What else goes in with the last round key: the constant of associated data; or, opening,
/// the first half of round key 0 in its second, which U will bring along.
#[inline(always)]
fn added<B: Backend, const KIND: u8>(b: B, with: B::V, first: B::V) -> B::V {
    match KIND {
        OPEN => b.xor(with, b.and(b.swap(first), b.splat(&SECOND_HALF))),
        SEAL => with,
        _ => b.xor(with, b.splat(&constant(AD))),
    }
}

/// Behind a call of the cipher: when opening, V takes in U; and R takes in V.
#[inline(always)]
fn taken_in<B: Backend, const KIND: u8>(b: B, s: &mut B::V, r: B::V) -> B::V {
    let (before, swapped) = (*s, b.swap(*s));
    if KIND == OPEN {
        *s = b.xor(before, b.and(swapped, b.splat(&SECOND_HALF)));
        b.xor(r, b.xor(swapped, before))
    } else {
        b.xor(r, swapped)
    }
}
