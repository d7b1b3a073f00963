//! GCM-SIV over a column: short values a lane each. Of as many values as a few registers have lanes
//! the keys are derived and expanded together, POLYVAL multiplies each lane by its own hash key,
//! and tags and counter blocks go through the cipher together (RFC 8452, sect. 4 and 5).

use super::schedule::{Each, Rounds, expand};
use super::{GcmSiv, OTHER_BITS, SivAes, first};
use crate::cpu::{Backend, Block, Enc, Kernel, Keys, Models, Schedule};
use crate::pipeline::column::Source;
use crate::pipeline::holds::Holds;
use crate::pipeline::run::{Group, OfLanes, RoundKeys, Run, block, by_lanes, nonces};
use crate::pipeline::steps::mask;
use crate::raw::ctr_hash::length_block;
use crate::raw::polyval::{times, times_half};
use core::marker::PhantomData;

/// Bytes of associated data up to which each lane hashes them for itself: with more, a value alone,
/// which shares a reduction among many blocks, does not take much longer.
pub(super) const SHORT_AD: usize = 256;

/// A run of values, to be sealed or opened (`OPEN`).
pub(super) struct Short<'r, 'o, 'a, J, A, const OPEN: bool> {
    pub run: Run<'r, 'o, 'a, J>,
    pub of: PhantomData<A>,
}

impl<J: Holds<GcmSiv<A>>, A: SivAes, const OPEN: bool> Kernel for Short<'_, '_, '_, J, A, OPEN> {
    type Out = ();
    const SPILLS: bool = true;
    const MODELS: Models = Models::None;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        by_lanes!(B, all::<B, J, A, OPEN>(b, self.run));
    }
}

/// The run, `L` values at a time: as many as `R` registers have lanes.
#[inline(always)]
fn all<B: Backend, J: Holds<GcmSiv<A>>, A: SivAes, const OPEN: bool, const R: usize, const L: usize>(
    b: B,
    mut run: Run<'_, '_, '_, J>,
) {
    // The keys of the column, and those that are derived from them.
    let mut group = run.group::<GcmSiv<A>, L>();
    let (any, shared): (&GcmSiv<A>, Option<&GcmSiv<A>>) = (group.keys[0], run.one_key());
    let (mut own, mut derived) = (RoundKeys::<_, L>::new(Enc(&any.enc)), Rounds::<L>::new());
    if let Some(key) = shared {
        own.one(b, Enc(&key.enc));
    }
    let Source::One(ad) = run.column.ads else { unreachable!("a run whose associated data differ") };
    while run.next::<GcmSiv<A>, OPEN, L>(&mut group) {
        if shared.is_none() {
            own.each::<B, R>(b, |l| Enc(&group.keys[l].enc));
        }
        // Twelve bytes behind four of zeros, as they stand in the blocks that keys are derived from.
        let nonces = nonces::<B, _, R, L>(b, run.column.nonces, run.column.nonce_len, &group);
        let (mut h, mut key) = ([b.zero(); R], [[b.zero(); R]; 2]);
        for j in 0..R {
            let keys = OfRegister(OfLanes::<A, _, L>(&own, PhantomData), j);
            let x = derive::<B, _, 4>(b, &keys, nonces[j], 0);
            (h[j], key[0][j]) = (b.low_halves(x[0], x[1]), b.low_halves(x[2], x[3]));
            if A::KEY_LEN > 16 {
                let x = derive::<B, _, 2>(b, &keys, nonces[j], 4);
                key[1][j] = b.low_halves(x[0], x[1]);
            }
        }

        if OPEN {
            let mut counters = group.given_tags::<B, R>(b);
            for j in 0..R {
                counters[j] = first(b, counters[j]);
            }
            let mut pads = counters;
            expand::<B, A, R, L, true>(b, &key, &mut derived, &mut pads);
            crypt::<B, A, R, L>(b, &mut group, &counters, pads, &derived);
        }
        let mut tags = hash::<B, A, OPEN, R, L>(b, &h, ad, &group);
        for j in 0..R {
            tags[j] = b.and(b.xor(tags[j], b.permute(nonces[j], &FRONT)), b.splat(&OTHER_BITS));
        }
        if OPEN {
            b.encrypt(&Each::<A, L>(&derived, PhantomData), &mut tags);
        } else {
            expand::<B, A, R, L, true>(b, &key, &mut derived, &mut tags);
            let mut counters = tags;
            for j in 0..R {
                counters[j] = first(b, tags[j]);
            }
            let mut pads = counters;
            if group.longest > 0 {
                b.encrypt(&Each::<A, L>(&derived, PhantomData), &mut pads);
            }
            crypt::<B, A, R, L>(b, &mut group, &counters, pads, &derived);
        }
        group.finish(b, &tags, run.marks, OPEN);
    }
    own.wipe(<A::Enc as Schedule>::ROUNDS);
    derived.wipe(<A::Enc as Schedule>::ROUNDS);
}

/// Twelve bytes behind four to the front.
static FRONT: Block = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3];

/// The keys of one register, for all registers.
struct OfRegister<K>(K, usize);
impl<B: Backend, K: Keys<B>> Keys<B> for OfRegister<K> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = false;
    const IN_STEP: bool = true;
    const HELD: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, _: usize) -> B::V {
        self.0.get(b, r, self.1)
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.0.leaves_out_two()
    }
}

/// E(from || nonce), E(from + 1 || nonce), … of each lane.
#[inline(always)]
fn derive<B: Backend, K: Keys<B>, const M: usize>(b: B, keys: &K, nonces: B::V, from: usize) -> [B::V; M] {
    let mut x = [nonces; M];
    for q in 0..M {
        x[q] = b.add32(nonces, b.splat(&((from + q) as u128).to_le_bytes()));
    }
    b.encrypt(keys, &mut x);
    x
}

/// POLYVAL of the associated data, each message and the lengths, under each lane's hash key.
#[inline(always)]
fn hash<B: Backend, A: SivAes, const OPEN: bool, const R: usize, const L: usize>(
    b: B,
    h: &[B::V; R],
    ad: &[u8],
    group: &Group<'_, '_, GcmSiv<A>, L>,
) -> [B::V; R] {
    let one = b.one();
    let (mut half, mut y) = (*h, [b.zero(); R]);
    for j in 0..R {
        half[j] = times_half(b, h[j]);
    }
    for part in ad.chunks(16) {
        let x = b.widen(one.load_part(part));
        for j in 0..R {
            y[j] = times(b, b.xor(y[j], x), h[j], half[j]);
        }
    }
    for t in 0..group.longest.div_ceil(16) {
        let live = group.longer_than(16 * t);
        for j in 0..R {
            let x = if group.ragged {
                let mut lanes = [one.zero(); 4];
                for lane in 0..B::BLOCKS {
                    let message = group.plain::<OPEN>(j * B::BLOCKS + lane);
                    lanes[lane] = one.load_part(message.get(16 * t..).unwrap_or_default());
                }
                b.join(lanes)
            } else {
                b.gather(|lane| block(group.plain::<OPEN>(j * B::BLOCKS + lane), t))
            };
            let next = times(b, b.xor(y[j], x), h[j], half[j]);
            y[j] = b.xor(y[j], b.and(b.xor(y[j], next), mask(b, live >> (j * B::BLOCKS))));
        }
    }
    for j in 0..R {
        let mut lanes = [one.zero(); 4];
        for lane in 0..B::BLOCKS {
            lanes[lane] = length_block(one, ad.len(), group.len(j * B::BLOCKS + lane));
        }
        y[j] = times(b, b.xor(y[j], b.join(lanes)), h[j], half[j]);
    }
    y
}

/// Counter mode over each message, from `counters`, which are encrypted already in `pads`.
#[inline(always)]
fn crypt<B: Backend, A: SivAes, const R: usize, const L: usize>(
    b: B,
    group: &mut Group<'_, '_, GcmSiv<A>, L>,
    counters: &[B::V; R],
    mut pads: [B::V; R],
    derived: &Rounds<L>,
) {
    let one = b.one();
    for t in 0..group.longest.div_ceil(16) {
        if t > 0 {
            for j in 0..R {
                pads[j] = b.add32(counters[j], b.splat(&(t as u128).to_le_bytes()));
            }
            b.encrypt(&Each::<A, L>(derived, PhantomData), &mut pads);
        }
        for j in 0..R {
            let pads = b.split(pads[j]);
            for lane in 0..B::BLOCKS {
                let l = j * B::BLOCKS + lane;
                let (src, dst) = (group.src(l), &mut *group.dst(l));
                if let (Some(from), Some(to)) = (src.as_chunks::<16>().0.get(t), dst.as_chunks_mut::<16>().0.get_mut(t))
                {
                    one.store(to, one.xor(one.load(from), pads[lane]));
                } else if src.len() > 16 * t {
                    one.store_part(&mut dst[16 * t..], one.xor(one.load_part(&src[16 * t..]), pads[lane]));
                }
            }
        }
    }
}
