//! McOE-D: `E(E(X) ^ U)`.
//!
//! Source, status and what it is kept for: those of [the family](super). A block's first call
//! does not wait for the tweak: it runs two blocks ahead, beside the chain.

use super::keys::{RoundKeys, rounds};
use super::tweakable::Tweakable;
use crate::about::{About, RepeatedNonce, Status};
use crate::serial::{Each, together};
use crate::xex::One;
use combseal::cpu::{Backend, Block, Enc, Kernel};
use combseal::internals::chain::EdgeKeys;
use combseal::internals::chains::Chains;
use combseal::internals::lanes::Lanes;
use combseal::internals::lockstep::{self, LaneKeys, Turning, Walk};
use combseal::internals::plan::MAX_LANES;
use combseal::internals::{InOut, filled};
use combseal::{Cpu, secret};

/// `E(E(X) ^ U)` for McOE-D.
pub struct D(DKeys);

struct DKeys {
    aes: RoundKeys,
    cpu: Cpu,
}
secret!(DKeys { aes, cpu });

struct SetUpD<'a> {
    key: &'a [u8],
    aes: &'a mut RoundKeys,
}
impl Kernel for SetUpD<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        self.aes.fill(b.one(), self.key);
    }
}

impl Tweakable for D {
    const ABOUT: &'static About = &About {
        name: "McOE-D-AES-128",
        family: "mcoe-d",
        repeated_nonce: RepeatedNonce::Prefix,
        source: "Fleischmann, Forler and Lucks, FSE 2012; ePrint 2011/644",
        status: Status::Broken,
        history: "with its tag splitting a sealed message cut to another length opens with probability 2^-8: our \
                  tests found that, we know of no publication; superseded by POET",
        known_answers: &["mcoe_d"],
        ..About::USUAL
    };

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut DKeys| {
            it.cpu = cpu;
            cpu.run(SetUpD { key, aes: &mut it.aes });
        }))
    }

    fn cpu(&self) -> Cpu {
        self.0.cpu
    }

    #[inline(always)]
    fn ones<B: Backend<One = B>, const OPEN: bool, const M: usize>(
        b: B,
        keys: [&Self; M],
        tweaks: [B::V; M],
        mut x: [B::V; M],
    ) -> [B::V; M] {
        let mut schedules = [keys[0].0.aes.of::<OPEN>(); M];
        for j in 0..M {
            schedules[j] = keys[j].0.aes.of::<OPEN>();
        }
        let keys = Each(schedules);
        let (mut turn, mut last) = ([b.zero(); M], [b.zero(); M]);
        for j in 0..M {
            let edge = EdgeKeys::new(b, &keys, j);
            (x[j], turn[j], last[j]) = (b.xor(edge.first, x[j]), b.xor(edge.turn, tweaks[j]), edge.last);
        }
        let x = rounds::<_, _, M, OPEN>(b, &keys, x, turn);
        rounds::<_, _, M, OPEN>(b, &keys, x, last)
    }

    #[inline(always)]
    fn blocks<B: Backend, const OPEN: bool>(&self, b: B, tweak: One<B>, mut io: InOut<'_>) -> One<B> {
        let b = b.one();
        let keys = Enc(self.0.aes.of::<OPEN>());
        let edge = EdgeKeys::new(b, &keys, 0);
        // Beyond the last block it is the last once more: what comes of it is taken out again.
        let (end, last) = (io.len(), io.len() - 16);
        let ahead = |io: &InOut<'_>, at: usize| b.xor(edge.first, io.load(b, at.min(last)));
        let [mut inner, mut next] =
            rounds::<_, _, 2, OPEN>(b, &keys, [ahead(&io, 0), ahead(&io, 16)], [edge.turn, edge.last]);
        // The state of the chain, with round key 0 and the inner block in it.
        inner = b.xor(inner, tweak);
        let mut state = inner;
        for at in (0..end).step_by(16) {
            let x = io.load(b, at);
            let with = b.xor(b.xor(edge.first, x), next);
            let after;
            [state, after] =
                rounds::<_, _, 2, OPEN>(b, &keys, [state, ahead(&io, at + 32)], [b.xor(edge.last, with), edge.last]);
            io.store(b, at, b.xor(state, with));
            (inner, next) = (next, after);
        }
        b.xor(b.xor(state, edge.first), inner)
    }

    fn side_by_side<const OPEN: bool>(
        keys: &[&Self],
        lane_keys: &mut LaneKeys,
        lanes: &mut Lanes<'_>,
        tweaks: &mut [Block; MAX_LANES],
    ) {
        let chains = Chains::new(keys[0].0.cpu, keys.len(), |i| keys[i].0.aes.of::<OPEN>());
        chains.walk(lane_keys, lanes, WalkD::<OPEN>(tweaks));
    }
}

/// The first call of blocks `at`, with round key 0 of the second. (No closure: one is not
/// always inlined.)
#[inline(always)]
fn inner<B: Backend, K: Turning<B>, const N: usize, const OPEN: bool>(
    b: B,
    keys: &K,
    lanes: &Lanes<'_>,
    at: usize,
) -> [B::V; N] {
    let (mut x, mut turn) = ([b.zero(); N], [b.zero(); N]);
    for j in 0..N {
        x[j] = b.xor(keys.get(b, 0, j), lanes.load(b, j, at));
        turn[j] = keys.turn(b, j);
    }
    rounds::<_, _, N, OPEN>(b, keys, x, turn)
}

/// Whole blocks of messages on lanes, for McOE-D.
struct WalkD<'g, const OPEN: bool>(&'g mut [Block; MAX_LANES]);
impl<const OPEN: bool> Walk for WalkD<'_, OPEN> {
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
        let mut tweaks = lockstep::load::<B, N>(b, self.0);
        let mut next = inner::<_, _, N, OPEN>(b, keys, lanes, from);
        for at in from..end {
            let (mut x, mut state, mut last) = ([b.zero(); N], [b.zero(); N], [b.zero(); N]);
            for j in 0..N {
                x[j] = lanes.load(b, j, at);
                state[j] = b.xor(tweaks[j], next[j]);
                last[j] = b.xor(keys.get(b, K::ROUNDS, j), x[j]);
            }
            tweaks = together(b, rounds::<_, _, N, OPEN>(b, keys, state, last));
            // Beyond the last block it is the last once more, for nothing.
            next = together(b, inner::<_, _, N, OPEN>(b, keys, lanes, (at + 1).min(end - 1)));
            for j in 0..N {
                lanes.store(b, j, at, b.xor(tweaks[j], x[j]));
            }
        }
        lockstep::store::<B, N>(b, self.0, &tweaks, lanes.len());
    }
}
