//! AEGIS in a batch: a message a lane, each with its own key and nonce.
//!
//! A message is a chain of updates, which leaves most of the AES unit idle if a register has
//! several lanes. Here these hold the states of several messages, as those of 128X and 256X hold
//! one message's. All go through Init, Finalize and what they have in common together; a lane
//! whose message ends before the others' keeps the state that it has then.

use super::family::{Family, Task, blocks, lengths};
use super::state::State;
use crate::cpu::{Backend, Block, InOut, Kernel, equal};
use crate::interface::scheme::Scheme;
use crate::pipeline::jobs::SideBySide;
use crate::pipeline::steps::{STEP, from_lanes, load_parts, mask, to_lanes};
use core::marker::PhantomData;

/// A key of the family, in blocks.
pub(super) trait Keyed<const K: usize>: Scheme {
    fn key(&self) -> &[Block; K];
}

/// The most lanes of a group: two registers of four.
const MOST: usize = 8;

/// A batch's group, sealed or opened (`OPEN`), as many messages at once as the registers of
/// the family's states have lanes.
pub(super) struct Together<'g, 's, 'a, J, X, F, const K: usize, const OPEN: bool> {
    pub group: &'g SideBySide<'s, 'a, J, X>,
    pub family: PhantomData<F>,
}

impl<J, X: Keyed<K>, F: Family<K>, const K: usize, const OPEN: bool> Kernel for Together<'_, '_, '_, J, X, F, K, OPEN> {
    type Out = ();
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        // Known when it is compiled: no code is made for tiers on which no family wants it.
        if B::BLOCKS > 1 || B::ROOMY {
            F::many(b, self);
        } else {
            unreachable!("messages side by side, on a tier without room for them");
        }
    }
}

impl<J, X: Keyed<K>, F: Family<K>, const K: usize, const OPEN: bool> Task<K>
    for Together<'_, '_, '_, J, X, F, K, OPEN>
{
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, S: State<B, K, R, W>, const R: usize, const W: usize>(self, b: B) {
        let mut from = 0;
        while from < self.group.len() {
            let count = (self.group.len() - from).min(R * B::BLOCKS);
            some::<B, S, J, X, K, R, W, OPEN>(b, self.group, from, count);
            from += count;
        }
    }
}

/// `count` messages from the one numbered `from` on, 1 to as many as there are lanes.
#[inline(always)]
fn some<
    B: Backend,
    S: State<B, K, R, W>,
    J,
    X: Keyed<K>,
    const K: usize,
    const R: usize,
    const W: usize,
    const OPEN: bool,
>(
    b: B,
    group: &SideBySide<'_, '_, J, X>,
    from: usize,
    count: usize,
) {
    const { assert!(R * B::BLOCKS <= MOST) }
    let (jobs, keys) = (&group.jobs[from..from + count], &group.keys[from..from + count]);
    // Lanes beyond the last message have the first one's key, nonce and associated data.
    let of = |i: usize| if i < count { i } else { 0 };
    let (mut k, mut n) = ([[b.zero(); R]; K], [[b.zero(); R]; K]);
    for i in 0..K {
        for j in 0..R {
            k[i][j] = b.gather(|lane| &keys[of(j * B::BLOCKS + lane)].key()[i]);
            n[i][j] = b.gather(|lane| &blocks::<K>(&jobs[of(j * B::BLOCKS + lane)].nonce)[i]);
        }
    }
    // Made so early that they have reached the cache when they are loaded.
    let mut sizes = [[0; 16]; MOST];
    for i in 0..R * B::BLOCKS {
        sizes[i] = lengths(jobs[of(i)].ad.len(), jobs[of(i)].len);
    }
    let mut s = S::new(b, k, n);

    let longest = (0..R * B::BLOCKS).fold(0, |most, i| most.max(jobs[of(i)].ad.len()));
    let mut at = 0;
    while at < longest {
        let rest = |i: usize| {
            let ad = jobs[of(i)].ad;
            &ad[at.min(ad.len())..ad.len().min(at + STEP)]
        };
        let x = parts::<B, R>(b, rest);
        (s, _) = last::<B, S, K, R, W, false>(b, s, x, x, |i| rest(i).len());
        at += STEP;
    }

    let mut all: [InOut<'_>; MOST] =
        core::array::from_fn(|i| if i < count { jobs[i].take() } else { InOut::in_place(&mut []) });
    let mut rests = all.each_mut().map(InOut::reborrow);
    s = steps::<B, S, K, R, W, OPEN>(b, s, &mut rests, count);
    if rests.iter().any(|rest| !rest.is_empty()) {
        let x = parts::<B, R>(b, |i| rests[i].src());
        let mut kept = x;
        if OPEN {
            // What is absorbed has zeros behind it, not key stream.
            let ones = b.splat(&[0xff; 16]);
            for j in 0..R {
                let mut raw = [[b.zero(); 4]; 4];
                for i in 0..B::BLOCKS {
                    for q in 0..4 / B::BLOCKS {
                        raw[i][q] = b.keep(ones, rests[j * B::BLOCKS + i].len().saturating_sub(q * B::BYTES));
                    }
                }
                kept[j] = to_lanes(b, raw);
            }
        }
        let y;
        (s, y) = last::<B, S, K, R, W, OPEN>(b, s, x, kept, |i| rests[i].len());
        for j in 0..R {
            let raw = from_lanes(b, y[j]);
            for i in 0..B::BLOCKS {
                let dst = rests[j * B::BLOCKS + i].dst();
                for q in 0..4 / B::BLOCKS {
                    if dst.len() > q * B::BYTES {
                        b.store_part(&mut dst[q * B::BYTES..], raw[i][q]);
                    }
                }
            }
        }
    }

    let mut ends = [b.zero(); R];
    for j in 0..R {
        ends[j] = b.load(&sizes.as_flattened()[j * B::BYTES..]);
    }
    s = s.finish(b, ends);
    let tags = split::<B, R>(b, s.tag128(b));
    let mut halves = [tags; 2];
    if keys.iter().any(|key| key.settings().tag_len() > 16) {
        let [first, second] = s.tag256(b);
        halves = [split::<B, R>(b, first), split::<B, R>(b, second)];
    }
    let one = b.one();
    for (i, whole) in all.into_iter().enumerate().take(count) {
        if OPEN {
            let tag = group.given(from + i);
            // Lengths known here, as where one message is opened.
            let right = if let Ok(tag) = <&Block>::try_from(tag) {
                one.begins(tags[i], tag)
            } else if let Ok(tag) = <&[u8; 32]>::try_from(tag) {
                equal([one.block(halves[0][i]), one.block(halves[1][i])].as_flattened(), tag)
            } else {
                false
            };
            group.opened(from + i, right, whole);
        } else {
            group.sealed_with(from + i, |to| match to.as_chunks_mut::<16>() {
                ([tag], []) => one.store(tag, tags[i]),
                ([first, second], []) => {
                    one.store(first, halves[0][i]);
                    one.store(second, halves[1][i]);
                }
                _ => unreachable!("a tag of a length that the family has not"),
            });
        }
    }
}

/// The lanes of all registers.
#[inline(always)]
fn split<B: Backend, const R: usize>(b: B, v: [B::V; R]) -> [<B::One as Backend>::V; MOST] {
    let mut all = [b.one().zero(); MOST];
    for j in 0..R {
        let lanes = b.split(v[j]);
        for i in 0..B::BLOCKS {
            all[j * B::BLOCKS + i] = lanes[i];
        }
    }
    all
}

/// As many whole steps of each message as it has; what remains of them is shorter than one.
#[inline(always)]
fn steps<B: Backend, S: State<B, K, R, W>, const K: usize, const R: usize, const W: usize, const OPEN: bool>(
    b: B,
    mut s: S,
    rests: &mut [InOut<'_>; MOST],
    count: usize,
) -> S {
    let lanes = R * B::BLOCKS;
    let counts = rests.each_ref().map(|rest| rest.len() / STEP);
    let beyond = |done: usize| (0..lanes).fold(0u32, |bits, i| bits | u32::from(counts[i] > done) << i);
    let (mut live, mut done, mut kept) = (beyond(0), 0, s);
    // As in the comb's plan, windows in which the same messages go on. (The last few steps with
    // masks instead cost more: the mix 133 cycles a message, 118 so.)
    while live != 0 {
        let mut end = usize::MAX;
        for i in 0..lanes {
            end = end.min(if live >> i & 1 == 1 { counts[i] } else { usize::MAX });
        }
        s = if live == (1 << lanes) - 1 {
            window::<B, S, K, R, W, OPEN, true>(b, s, rests, live, end - done)
        } else {
            window::<B, S, K, R, W, OPEN, false>(b, s, rests, live, end - done)
        };
        done = end;
        let more = beyond(done);
        let ended = live & !more;
        kept = if ended.count_ones() as usize == count { s } else { s.select(b, kept, masks::<B, R>(b, ended)) };
        live = more;
    }
    kept
}

/// `count` steps of those messages that `live` has a bit for (`ALL`: of as many as there
/// are lanes).
#[inline(always)]
fn window<
    B: Backend,
    S: State<B, K, R, W>,
    const K: usize,
    const R: usize,
    const W: usize,
    const OPEN: bool,
    const ALL: bool,
>(
    b: B,
    mut s: S,
    rests: &mut [InOut<'_>; MOST],
    live: u32,
    count: usize,
) -> S {
    let bytes = count * STEP;
    let goes = |i: usize| i < R * B::BLOCKS && (ALL || live >> i & 1 == 1);
    let mut parts: [InOut<'_>; MOST] =
        core::array::from_fn(|i| if goes(i) { rests[i].cut(bytes) } else { InOut::in_place(&mut []) });
    let mut at = 0;
    while at < bytes {
        let mut x = [[b.zero(); 4]; R];
        for j in 0..R {
            let mut raw = [[b.zero(); 4]; 4];
            for i in 0..B::BLOCKS {
                if goes(j * B::BLOCKS + i) {
                    for q in 0..4 / B::BLOCKS {
                        raw[i][q] = parts[j * B::BLOCKS + i].load(b, at + q * B::BYTES);
                    }
                }
            }
            x[j] = to_lanes(b, raw);
        }
        let mut y = x;
        for u in 0..4 * R / W {
            s = update::<B, S, K, R, W, OPEN>(b, s, &x, &mut y, None, u);
        }
        for j in 0..R {
            let raw = from_lanes(b, y[j]);
            for i in 0..B::BLOCKS {
                if goes(j * B::BLOCKS + i) {
                    for q in 0..4 / B::BLOCKS {
                        parts[j * B::BLOCKS + i].store(b, at + q * B::BYTES, raw[i][q]);
                    }
                }
            }
        }
        at += STEP;
    }
    s
}

/// Update `u` of a step: of blocks `x` of each message it makes blocks `y`, which are `mask`ed
/// before they are absorbed if the messages are to be opened.
#[inline(always)]
fn update<B: Backend, S: State<B, K, R, W>, const K: usize, const R: usize, const W: usize, const OPEN: bool>(
    b: B,
    s: S,
    x: &[[B::V; 4]; R],
    y: &mut [[B::V; 4]; R],
    mask: Option<&[[B::V; 4]; R]>,
    u: usize,
) -> S {
    let (z, mut m) = (s.stream(b), [b.zero(); W]);
    for p in 0..W / R {
        for j in 0..R {
            let at = u * (W / R) + p;
            y[j][at] = b.xor(x[j][at], z[p * R + j]);
            m[p * R + j] = match mask {
                _ if !OPEN => x[j][at],
                Some(mask) => b.and(y[j][at], mask[j][at]),
                None => y[j][at],
            };
        }
    }
    let zero = [b.zero(); W];
    if OPEN { s.update(b, zero, m) } else { s.update(b, m, zero) }
}

/// Less than a step of each message, `len(i)` of message `i`, zeros behind: a lane takes part in
/// the updates for which it has bytes.
#[inline(always)]
fn last<B: Backend, S: State<B, K, R, W>, const K: usize, const R: usize, const W: usize, const OPEN: bool>(
    b: B,
    mut s: S,
    x: [[B::V; 4]; R],
    mask: [[B::V; 4]; R],
    len: impl Fn(usize) -> usize,
) -> (S, [[B::V; 4]; R]) {
    let mut y = x;
    for u in 0..4 * R / W {
        let begin = u * (W / R) * 16;
        let live = (0..R * B::BLOCKS).fold(0u32, |bits, i| bits | u32::from(len(i) > begin) << i);
        if live == 0 {
            break;
        }
        s = update::<B, S, K, R, W, OPEN>(b, s, &x, &mut y, Some(&mask), u).select(b, s, masks::<B, R>(b, live));
    }
    (s, y)
}

/// At most a step of each message, zeros behind, as blocks of all lanes.
#[inline(always)]
fn parts<'p, B: Backend, const R: usize>(b: B, part: impl Fn(usize) -> &'p [u8]) -> [[B::V; 4]; R] {
    let mut x = [[b.zero(); 4]; R];
    for j in 0..R {
        x[j] = load_parts(b, |i| part(j * B::BLOCKS + i));
    }
    x
}

/// All bits of the lanes that `live` has a bit for.
#[inline(always)]
fn masks<B: Backend, const R: usize>(b: B, live: u32) -> [B::V; R] {
    let mut m = [b.zero(); R];
    for j in 0..R {
        m[j] = mask(b, (live >> (j * B::BLOCKS)) as usize);
    }
    m
}
