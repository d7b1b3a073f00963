//! McOE-G: `E(X ^ H)` with a mask H, the product of a second key and the tweak.
//!
//! Source, status and what it is kept for: those of [the family](super). The chain has nothing
//! but the cipher and that product on its way from block to block. With one mask it opens from
//! the cipher's outputs, which do not wait for one another.

use super::keys::{RoundKeys, rounds};
use super::tweakable::Tweakable;
use crate::about::{About, RepeatedNonce, Status};
use crate::field::gcm;
use crate::serial::Each;
use crate::xex::{Masked, One};
use combseal::cpu::{Backend, Block, Enc, Kernel};
use combseal::internals::chain::EdgeKeys;
use combseal::internals::chains::Chains;
use combseal::internals::lanes::Lanes;
use combseal::internals::lockstep::{self, LaneKeys, Turning, Walk};
use combseal::internals::plan::MAX_LANES;
use combseal::internals::{InOut, Wipe, filled};
use combseal::{Cpu, secret};

/// `E(X ^ H)` for McOE-G, the mask H a product of the second key and the tweak in GCM's order
/// of bits; with `BOTH`, `E(X ^ H) ^ H`, after Liskov, Rivest and Wagner.
pub struct G<const BOTH: bool>(GKeys);

struct GKeys {
    aes: RoundKeys,
    /// The second key as a factor, and the same times x^-64.
    h: Block,
    half: Block,
    cpu: Cpu,
}
secret!(GKeys { aes, h, half, cpu });

struct SetUpG<'a> {
    key: &'a [u8],
    it: &'a mut GKeys,
}
impl Kernel for SetUpG<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let (b, it) = (b.one(), self.it);
        let (first, second) = self.key.split_at(16);
        it.aes.fill(b, first);
        let mut k2 = [0; 16];
        k2.copy_from_slice(second);
        it.h = gcm::factor(&k2);
        b.store(&mut it.half, gcm::times_half(b, b.load(&it.h)));
        k2.wipe();
    }
}

/// The mask of a tweak.
#[inline(always)]
fn mask<B: Backend>(b: B, tweak: B::V, h: B::V, half: B::V) -> B::V {
    b.rev(gcm::times(b, b.rev(tweak), h, half))
}

/// What of a block's mask is added before the cipher or its inverse, and what behind.
#[inline(always)]
fn sides<B: Backend, const BOTH: bool, const OPEN: bool>(b: B, mask: B::V) -> (B::V, B::V) {
    (if BOTH || !OPEN { mask } else { b.zero() }, if BOTH || OPEN { mask } else { b.zero() })
}

impl<const BOTH: bool> G<BOTH> {
    /// Opens where the mask is added before the cipher only: the inverse cipher of each block
    /// is done beforehand, and the chain is one product a block.
    #[inline(always)]
    fn open_one_mask<B: Backend, const N: usize>(&self, b: B, tweak: &mut One<B>, io: &mut InOut<'_>) {
        let (one, keys) = (b.one(), Enc(&self.0.aes.inverse));
        let (h, half) = (one.load(&self.0.h), one.load(&self.0.half));
        let mut c = [b.zero(); N];
        for j in 0..N {
            c[j] = io.load(b, j * B::BYTES);
        }
        let mut x = c;
        // A block's next tweak is this and its mask: the ciphertext goes into the last key.
        b.decrypt(&Masked { keys, first: [b.zero(); N], last: c }, &mut x);
        let mut reversed = one.rev(*tweak);
        for j in 0..N {
            let (parts, mut message) = (b.split(b.rev(x[j])), [one.zero(); 4]);
            for i in 0..B::BLOCKS {
                reversed = one.xor(parts[i], gcm::times(one, reversed, h, half));
                message[i] = reversed;
            }
            io.store(b, j * B::BYTES, b.xor(b.rev(b.join(message)), c[j]));
        }
        *tweak = one.rev(reversed);
    }
}

impl<const BOTH: bool> Tweakable for G<BOTH> {
    const ABOUT: &'static About = &About {
        name: if BOTH { "McOE-G-AES-128-both-masks" } else { "McOE-G-AES-128" },
        family: "mcoe-g",
        key_len: 32,
        repeated_nonce: RepeatedNonce::Prefix,
        source: "Fleischmann, Forler and Lucks, FSE 2012; ePrint 2011/644",
        status: Status::Broken,
        history: "with its tag splitting a sealed message cut to another length opens with probability 2^-8: our \
                  tests found that, we know of no publication; superseded by POET",
        known_answers: if BOTH { &["mcoe_g_lrw2"] } else { &["mcoe_g"] },
        ..About::USUAL
    };

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut GKeys| {
            it.cpu = cpu;
            cpu.run(SetUpG { key, it });
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
        let (mut first, mut last) = ([b.zero(); M], [b.zero(); M]);
        for j in 0..M {
            let it = &keys[j].0;
            schedules[j] = it.aes.of::<OPEN>();
            (first[j], last[j]) = sides::<B, BOTH, OPEN>(b, mask(b, tweaks[j], b.load(&it.h), b.load(&it.half)));
        }
        let keys = Masked { keys: Each(schedules), first, last };
        if OPEN {
            b.decrypt(&keys, &mut x);
        } else {
            b.encrypt(&keys, &mut x);
        }
        x
    }

    #[inline(always)]
    fn blocks<B: Backend, const OPEN: bool>(&self, b: B, mut tweak: One<B>, mut io: InOut<'_>) -> One<B> {
        if OPEN && !BOTH {
            while io.len() >= 4 * B::BYTES {
                let mut part = io.cut(4 * B::BYTES);
                self.open_one_mask::<B, 4>(b, &mut tweak, &mut part);
            }
            while let Some(mut part) = io.take(16) {
                self.open_one_mask::<B::One, 1>(b.one(), &mut tweak, &mut part);
            }
            return tweak;
        }
        let b = b.one();
        let keys = Enc(self.0.aes.of::<OPEN>());
        let edge = EdgeKeys::new(b, &keys, 0);
        let (h, half) = (b.load(&self.0.h), b.load(&self.0.half));
        while let Some(mut block) = io.take(16) {
            let x = block.load(b, 0);
            // The block is added to the product before its bytes are put in their order: that
            // is done while the product is under way. (Pinned, or the compiler undoes it.)
            let with = b.pin(b.rev(b.xor(edge.first, x)));
            let product = gcm::times(b, b.rev(tweak), h, half);
            let mut last = b.xor(edge.last, x);
            if BOTH {
                last = b.xor(last, b.rev(product));
            }
            [tweak] = rounds::<_, _, 1, OPEN>(b, &keys, [b.rev(b.xor(product, with))], [last]);
            block.store(b, 0, b.xor(tweak, x));
        }
        tweak
    }

    fn side_by_side<const OPEN: bool>(
        keys: &[&Self],
        lane_keys: &mut LaneKeys,
        lanes: &mut Lanes<'_>,
        tweaks: &mut [Block; MAX_LANES],
    ) {
        let (mut h, mut half) = ([[0; 16]; MAX_LANES], [[0; 16]; MAX_LANES]);
        for (i, it) in keys.iter().enumerate() {
            (h[i], half[i]) = (it.0.h, it.0.half);
        }
        let chains = Chains::new(keys[0].0.cpu, keys.len(), |i| keys[i].0.aes.of::<OPEN>());
        chains.walk(lane_keys, lanes, WalkG::<BOTH, OPEN> { tweaks, h: &h, half: &half });
        h.wipe();
        half.wipe();
    }
}

/// Whole blocks of messages on lanes, for McOE-G.
struct WalkG<'g, const BOTH: bool, const OPEN: bool> {
    tweaks: &'g mut [Block; MAX_LANES],
    h: &'g [Block; MAX_LANES],
    half: &'g [Block; MAX_LANES],
}
impl<const BOTH: bool, const OPEN: bool> Walk for WalkG<'_, BOTH, OPEN> {
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
        let (h, half) = (lockstep::load::<B, N>(b, self.h), lockstep::load::<B, N>(b, self.half));
        let mut tweaks = lockstep::load::<B, N>(b, self.tweaks);
        for at in from..end {
            let (mut x, mut state, mut last) = ([b.zero(); N], [b.zero(); N], [b.zero(); N]);
            for j in 0..N {
                x[j] = lanes.load(b, j, at);
                let (first, behind) = sides::<B, BOTH, OPEN>(b, mask(b, tweaks[j], h[j], half[j]));
                state[j] = b.xor(b.xor(keys.get(b, 0, j), x[j]), first);
                last[j] = b.xor(b.xor(keys.get(b, K::ROUNDS, j), x[j]), behind);
            }
            tweaks = rounds::<_, _, N, OPEN>(b, keys, state, last);
            for j in 0..N {
                lanes.store(b, j, at, b.xor(tweaks[j], x[j]));
            }
        }
        lockstep::store::<B, N>(b, self.tweaks, &tweaks, lanes.len());
    }
}
