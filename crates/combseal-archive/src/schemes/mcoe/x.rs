//! McOE-X: `E_{K ^ U}(X)`.
//!
//! Source, status and what it is kept for: those of [the family](super). Every block has a key
//! of its own, whose schedule is on the chain's way.

use super::tweakable::Tweakable;
use crate::about::{About, RepeatedNonce, Status};
use crate::xex::One;
use combseal::cpu::{Backend, Block, Dec, Enc, Schedule};
use combseal::internals::chains::Chains;
use combseal::internals::lanes::Lanes;
use combseal::internals::lockstep::{LaneKeys, Turning, Walk};
use combseal::internals::plan::MAX_LANES;
use combseal::internals::{InOut, Wipe, filled};
use combseal::{Aes128, Cpu, secret};

/// `E_{K ^ U}(X)` for McOE-X.
pub struct X(XKey);

struct XKey {
    /// The key as it is: every block has a schedule of its own.
    key: [Block; 1],
    cpu: Cpu,
}
secret!(XKey { key, cpu });

/// The cipher or its inverse under the key `k ^ tweak`.
#[inline(always)]
fn rekeyed<B: Backend, const OPEN: bool>(b: B, k: &Block, tweak: B::V, x: B::V) -> B::V {
    let (mut key, mut enc) = (b.block(b.xor(b.load(k), tweak)), <[Block; 11]>::zeroed());
    let mut x = [x];
    b.expand::<Aes128>(&key, &mut enc);
    if OPEN {
        let mut dec = <[Block; 9]>::zeroed();
        b.invert::<Aes128>(&enc, &mut dec);
        b.decrypt(&Dec(&enc, &dec), &mut x);
        dec.wipe();
    } else {
        b.encrypt(&Enc(&enc), &mut x);
    }
    key.wipe();
    enc.wipe();
    x[0]
}

impl Tweakable for X {
    const ABOUT: &'static About = &About {
        name: "McOE-X-AES-128",
        family: "mcoe-x",
        repeated_nonce: RepeatedNonce::Prefix,
        source: "Fleischmann, Forler and Lucks, FSE 2012; ePrint 2011/644",
        status: Status::Broken,
        history: "its key is found with 2^65 work by Mendel, Mennink, Rijmen and Tischhauser (CANS 2012), and with its \
                  tag splitting a sealed message cut to another length opens with probability 2^-8: our tests found \
                  that, we know of no publication; superseded by POET",
        known_answers: &["mcoe_x"],
        ..About::USUAL
    };

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut XKey| {
            it.cpu = cpu;
            it.key[0].copy_from_slice(key);
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
        for j in 0..M {
            x[j] = rekeyed::<B, OPEN>(b, &keys[j].0.key[0], tweaks[j], x[j]);
        }
        x
    }

    #[inline(always)]
    fn blocks<B: Backend, const OPEN: bool>(&self, b: B, mut tweak: One<B>, mut io: InOut<'_>) -> One<B> {
        let b = b.one();
        while let Some(mut block) = io.take(16) {
            let x = block.load(b, 0);
            let y = rekeyed::<_, OPEN>(b, &self.0.key[0], tweak, x);
            block.store(b, 0, y);
            tweak = b.xor(x, y);
        }
        tweak
    }

    fn side_by_side<const OPEN: bool>(
        keys: &[&Self],
        lane_keys: &mut LaneKeys,
        lanes: &mut Lanes<'_>,
        tweaks: &mut [Block; MAX_LANES],
    ) {
        let mut own = [[0; 16]; MAX_LANES];
        for (i, it) in keys.iter().enumerate() {
            own[i] = it.0.key[0];
        }
        let chains = Chains::new(keys[0].0.cpu, keys.len(), |i| &keys[i].0.key);
        chains.walk(lane_keys, lanes, WalkX::<OPEN> { tweaks, keys: &own });
        own.wipe();
    }
}

/// Whole blocks of messages on lanes, for McOE-X: block by block, as each has its own key
/// schedule; the CPU overlaps those of different messages.
struct WalkX<'g, const OPEN: bool> {
    tweaks: &'g mut [Block; MAX_LANES],
    keys: &'g [Block; MAX_LANES],
}
impl<const OPEN: bool> Walk for WalkX<'_, OPEN> {
    const WIDE: bool = false;
    const MODELS: crate::models::Models = crate::models::MODELS;

    #[inline(always)]
    fn window<B: Backend, K: Turning<B>, const N: usize>(
        &mut self,
        b: B,
        _: &K,
        lanes: &mut Lanes<'_>,
        from: usize,
        end: usize,
    ) {
        let b = b.one();
        for at in from..end {
            for j in 0..lanes.len() {
                let x = lanes.load(b, j, at);
                let y = rekeyed::<_, OPEN>(b, &self.keys[j], b.load(&self.tweaks[j]), x);
                lanes.store(b, j, at, y);
                b.store(&mut self.tweaks[j], b.xor(x, y));
            }
        }
    }
}
