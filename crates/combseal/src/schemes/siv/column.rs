//! SIV over a column without nonces: short values a lane each. S2V's last CMAC takes a block of
//! every lane at a time, then counter mode does; what S2V has of associated data that all values
//! share is made once (RFC 5297, 2.4 to 2.7).

use super::{Siv, counter};
use crate::cpu::{Aes, Backend, Block, Enc, Kernel, Models, Schedule};
use crate::memory::wipe::Wipe;
use crate::pipeline::column::Source;
use crate::pipeline::holds::Holds;
use crate::pipeline::mac_lane::closing;
use crate::pipeline::run::{Group, OfLanes, RoundKeys, Run, block, by_lanes};
use crate::pipeline::steps::mask;
use core::marker::PhantomData;

/// Bytes of associated data that are hashed in the lanes, where each value has its own key.
pub(super) const SHORT_AD: usize = 16;

/// A run of values, to be sealed or opened (`OPEN`).
pub(super) struct Short<'r, 'o, 'a, J, A: Aes, const OPEN: bool> {
    pub run: Run<'r, 'o, 'a, J>,
    /// CMAC of the associated data, if all values have one key.
    pub ad: &'r Block,
    pub of: PhantomData<A>,
}

impl<J: Holds<Siv<A>>, A: Aes, const OPEN: bool> Kernel for Short<'_, '_, '_, J, A, OPEN> {
    type Out = ();
    const SPILLS: bool = true;
    const MODELS: Models = Models::None;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        by_lanes!(B, all::<B, J, A, OPEN>(b, self.run, self.ad));
    }
}

/// S2V's D, of each lane or of all, as what is added to a message's last 16 bytes: sixteen zeros
/// before it and behind, so that a load in between has what falls to each of two blocks.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct D {
    around: [Block; 3],
    /// For a message of less than a block.
    doubled: Block,
}

impl D {
    /// None yet.
    const ZERO: Self = Self { around: [[0; 16]; 3], doubled: [0; 16] };
}

/// The run, `L` values at a time: as many as `R` registers have lanes.
#[inline(always)]
fn all<B: Backend, J: Holds<Siv<A>>, A: Aes, const OPEN: bool, const R: usize, const L: usize>(
    b: B,
    mut run: Run<'_, '_, '_, J>,
    ad: &Block,
) {
    let mut group = run.group::<Siv<A>, L>();
    let (any, shared): (&Siv<A>, Option<&Siv<A>>) = (group.keys[0], run.one_key());
    let (mut mac, mut ctr) = (RoundKeys::<_, L>::new(Enc(&any.key.mac)), RoundKeys::<_, L>::new(Enc(&any.key.ctr)));
    let (one, mut ds) = (b.one(), [D::ZERO; L]);
    if let Some(key) = shared {
        mac.one(b, Enc(&key.key.mac));
        ctr.one(b, Enc(&key.key.ctr));
        let d = one.xor(doubled(one, one.load(&key.key.zero)), one.load(ad));
        one.store(&mut ds[0].around[1], d);
        one.store(&mut ds[0].doubled, doubled(one, d));
    }
    let data = match run.column.ads {
        Source::One(data) => data,
        Source::Each(_) => unreachable!("a run whose associated data differ"),
    };
    while run.next::<Siv<A>, OPEN, L>(&mut group) {
        let blocks = (group.shortest, group.longest) == (16, 16);
        let mut d = [b.zero(); R];
        if shared.is_some() {
            d = [b.widen(one.load(&ds[0].around[1])); R];
        }
        if shared.is_none() {
            mac.each::<B, R>(b, |l| Enc(&group.keys[l].key.mac));
            ctr.each::<B, R>(b, |l| Enc(&group.keys[l].key.ctr));
            let ads = cmac_each::<B, A, R, L>(b, data, &group, &mac);
            for j in 0..R {
                let zero = b.gather(|lane| &group.keys[j * B::BLOCKS + lane].key.zero);
                d[j] = b.xor(doubled(b, zero), ads[j]);
                if !blocks {
                    let (d, doubled) = (b.split(d[j]), b.split(doubled(b, d[j])));
                    for lane in 0..B::BLOCKS {
                        one.store(&mut ds[j * B::BLOCKS + lane].around[1], d[lane]);
                        one.store(&mut ds[j * B::BLOCKS + lane].doubled, doubled[lane]);
                    }
                }
            }
        }

        if OPEN {
            let given = group.given_tags::<B, R>(b);
            crypt::<B, A, R, L>(b, &mut group, given, &ctr);
        }
        let v = if blocks {
            block_each::<B, A, OPEN, R, L>(b, &group, &mac, d)
        } else {
            last::<B, A, OPEN, R, L>(b, &group, &mac, |l| if shared.is_some() { &ds[0] } else { &ds[l] })
        };
        if !OPEN {
            crypt::<B, A, R, L>(b, &mut group, v, &ctr);
        }
        group.finish(b, &v, run.marks, OPEN);
    }
    mac.wipe(<A::Enc as Schedule>::ROUNDS);
    ctr.wipe(<A::Enc as Schedule>::ROUNDS);
    for d in &mut ds {
        d.around.wipe();
        d.doubled.wipe();
    }
}

/// 2B of each block in GF(2^128), big-endian.
#[inline(always)]
fn doubled<B: Backend>(b: B, v: B::V) -> B::V {
    b.rev(b.double(b.rev(v)))
}

/// The CMAC of `data`, at most a block, under each lane's key.
#[inline(always)]
fn cmac_each<B: Backend, A: Aes, const R: usize, const L: usize>(
    b: B,
    data: &[u8],
    group: &Group<'_, '_, Siv<A>, L>,
    mac: &RoundKeys<Enc<'_, A::Enc>, L>,
) -> [B::V; R] {
    let (one, whole) = (b.one(), data.len() == 16);
    let text = one.load_part(data);
    let text = b.widen(if whole { text } else { one.xor(text, one.padding(data.len())) });
    let mut x = [text; R];
    for j in 0..R {
        let subkeys = b.gather(|lane| &group.keys[j * B::BLOCKS + lane].key.sub[usize::from(!whole)]);
        x[j] = b.xor(text, subkeys);
    }
    b.encrypt(&OfLanes::<A, _, L>(mac, PhantomData), &mut x);
    x
}

/// V where each message is one whole block: CMAC of that with `d`.
#[inline(always)]
fn block_each<B: Backend, A: Aes, const OPEN: bool, const R: usize, const L: usize>(
    b: B,
    group: &Group<'_, '_, Siv<A>, L>,
    mac: &RoundKeys<Enc<'_, A::Enc>, L>,
    d: [B::V; R],
) -> [B::V; R] {
    let mut x = d;
    for j in 0..R {
        let of = |lane| j * B::BLOCKS + lane;
        let text = b.gather(|lane| block(group.plain::<OPEN>(of(lane)), 0));
        x[j] = b.xor(b.xor(text, d[j]), b.gather(|lane| &group.keys[of(lane)].key.sub[0]));
    }
    b.encrypt(&OfLanes::<A, _, L>(mac, PhantomData), &mut x);
    x
}

/// V: CMAC of each message, with D in its end.
#[inline(always)]
fn last<'d, B: Backend, A: Aes, const OPEN: bool, const R: usize, const L: usize>(
    b: B,
    group: &Group<'_, '_, Siv<A>, L>,
    mac: &RoundKeys<Enc<'_, A::Enc>, L>,
    d: impl Fn(usize) -> &'d D,
) -> [B::V; R] {
    let one = b.one();
    // The last two blocks, or the only one, with D and CMAC's subkeys in them; and the number
    // of the first of them.
    let (mut ends, mut from, mut most) = ([[one.zero(); 2]; L], [0; L], 0);
    for l in 0..L {
        let (message, sub, d) = (group.plain::<OPEN>(l), &group.keys[l].key.sub, d(l));
        let n = message.len();
        if n < 16 {
            let padded = one.xor(one.load_part(message), one.padding(n));
            ends[l][0] = one.xor(padded, one.xor(one.load(&d.doubled), one.splat(&sub[0])));
        } else if n == 16 {
            ends[l][0] = one.xor(one.load(message), one.xor(one.load(&d.around[1]), one.splat(&sub[0])));
        } else {
            // 1 to 16 bytes behind whole blocks.
            let rest = (n - 1) % 16 + 1;
            let (whole, end) = message.split_at(n - rest);
            from[l] = whole.len() / 16 - 1;
            let around = |at: usize| one.load(&d.around.as_flattened()[at..]);
            ends[l][0] = one.xor(one.load(&whole[16 * from[l]..]), around(16 - rest));
            ends[l][1] = one.xor(one.xor(one.load_part(end), around(32 - rest)), closing(one, sub, rest));
        }
        most = most.max(from[l] + if n > 16 { 2 } else { 1 });
    }
    let mut x = [b.zero(); R];
    for t in 0..most {
        let mut y = x;
        for j in 0..R {
            let (mut blocks, mut live) = ([one.zero(); 4], 0);
            for lane in 0..B::BLOCKS {
                let l = j * B::BLOCKS + lane;
                let n = group.len(l);
                blocks[lane] = if t < from[l] {
                    one.load(block(group.plain::<OPEN>(l), t))
                } else {
                    ends[l][usize::from(t > from[l])]
                };
                live |= usize::from(t < from[l] + if n > 16 { 2 } else { 1 }) << lane;
            }
            y[j] = b.xor(x[j], b.and(b.join(blocks), mask(b, live)));
        }
        b.encrypt(&OfLanes::<A, _, L>(mac, PhantomData), &mut y);
        if t == 0 {
            x = y;
            continue;
        }
        for j in 0..R {
            let mut live = 0;
            for lane in 0..B::BLOCKS {
                let l = j * B::BLOCKS + lane;
                live |= usize::from(t < from[l] + if group.len(l) > 16 { 2 } else { 1 }) << lane;
            }
            x[j] = b.xor(x[j], b.and(b.xor(x[j], y[j]), mask(b, live)));
        }
    }
    x
}

/// Counter mode over each message, from V.
#[inline(always)]
fn crypt<B: Backend, A: Aes, const R: usize, const L: usize>(
    b: B,
    group: &mut Group<'_, '_, Siv<A>, L>,
    v: [B::V; R],
    ctr: &RoundKeys<Enc<'_, A::Enc>, L>,
) {
    let one = b.one();
    // Without the two bits that RFC 5297, 2.6 clears; of those left the last eight bytes do not
    // overflow.
    let bits = b.splat(&counter([0xff; 16]));
    let mut q = v;
    for j in 0..R {
        q[j] = b.rev(b.and(v[j], bits));
    }
    for t in 0..group.longest.div_ceil(16) {
        let mut x = q;
        for j in 0..R {
            x[j] = b.rev(b.add64(q[j], b.splat(&(t as u128).to_le_bytes())));
        }
        b.encrypt(&OfLanes::<A, _, L>(ctr, PhantomData), &mut x);
        for j in 0..R {
            let pads = b.split(x[j]);
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
