//! OCB3 over a column: short values a lane each. Every step of the mode, the nonce's block, the
//! blocks, the part of a block, the tag, is one pass of the cipher for as many values as four or eight
//! registers have lanes (RFC 7253, sect. 4.2 and 4.3).

use super::key::Ocb3;
use super::masks::{DOLLAR, STAR, SUM, place};
use super::nonce::stretched;
use super::pass::{Masked, One};
use crate::cpu::{Aes, Backend, Block, Dec, Enc, Kernel, Keys, LANES, Models, Schedule};
use crate::pipeline::column::Source;
use crate::pipeline::holds::Holds;
use crate::pipeline::run::{Group, OfLanes, RoundKeys, Run, block, by_lanes, nonces, registers};
use crate::pipeline::steps::mask;
use core::marker::PhantomData;

/// Bytes of associated data that are hashed in the lanes, where each value has its own key.
pub(super) const SHORT_AD: usize = 16;

/// A run of values, to be sealed or opened (`OPEN`).
pub(super) struct Short<'r, 'o, 'a, J, A: Aes, const OPEN: bool> {
    pub run: Run<'r, 'o, 'a, J>,
    /// HASH(A), if all values have one key.
    pub auth: &'r Block,
    pub of: PhantomData<A>,
}

impl<J: Holds<Ocb3<A>>, A: Aes, const OPEN: bool> Kernel for Short<'_, '_, '_, J, A, OPEN> {
    type Out = ();
    const SPILLS: bool = true;
    const MODELS: Models = Models::None;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        by_lanes!(B, all::<B, J, A, OPEN>(b, self.run, self.auth));
    }
}

/// The run, `L` values at a time: as many as `R` registers have lanes.
#[inline(always)]
fn all<B: Backend, J: Holds<Ocb3<A>>, A: Aes, const OPEN: bool, const R: usize, const L: usize>(
    b: B,
    mut run: Run<'_, '_, '_, J>,
    auth: &Block,
) {
    let one = b.one();
    let mut group = run.group::<Ocb3<A>, L>();
    let (any, shared): (&Ocb3<A>, Option<&Ocb3<A>>) = (group.keys[0], run.one_key());
    let (mut enc, mut dec) =
        (RoundKeys::<_, L>::new(Enc(&any.key.enc)), RoundKeys::<_, L>::new(Dec(&any.key.enc, &any.key.dec)));
    if let Some(key) = shared {
        enc.one(b, Enc(&key.key.enc));
        if OPEN {
            dec.one(b, Dec(&key.key.enc, &key.key.dec));
        }
    }
    let (nonces_of, nonce_len) = (run.column.nonces, run.column.nonce_len);
    let ad = match run.column.ads {
        Source::One(ad) => ad,
        Source::Each(_) => unreachable!("a run whose associated data differ"),
    };
    // The block that Ktop was made of: none, so far, since its last bits are not zero.
    let (mut top, mut ktop, mut behind) = (u128::MAX, one.zero(), one.zero());
    let base = nonces_of.base();
    // The lanes' numbers, in both halves of each block.
    let mut count = [b.zero(); R];
    for j in 0..R {
        let low = b.load(LANES[j * B::BLOCKS..].as_flattened());
        count[j] = b.xor(low, b.swap(low));
    }
    while run.next::<Ocb3<A>, OPEN, L>(&mut group) {
        if shared.is_none() {
            enc.each::<B, R>(b, |l| Enc(&group.keys[l].key.enc));
            if OPEN {
                dec.each::<B, R>(b, |l| Dec(&group.keys[l].key.enc, &group.keys[l].key.dec));
            }
        }
        let keys = || OfLanes::<A, _, L>(&enc, PhantomData);

        // The first offsets (RFC 7253, sect. 4.2, "Nonce-dependent and per-encryption variables").
        let mut offset = [b.zero(); R];
        let named = |l: usize| u128::from(group.keys[l].key.named_tag_bits) << 121 | 1 << (8 * nonce_len);
        let counted = base.map(|base| named(0) | base.wrapping_add(group.first as u128));
        if let (Some(number), Some(_)) = (counted.filter(|n| n % 64 + L as u128 <= 64), shared) {
            // One key, and one Ktop: numbers that follow one another.
            if number & !63 != top {
                top = number & !63;
                (ktop, behind) = stretch(b, &keys(), top);
            }
            let first = b.splat64((number & 63) as u64);
            for j in 0..R {
                offset[j] = chosen_lanes(b, b.widen(ktop), b.widen(behind), b.add64(first, count[j]));
            }
        } else {
            let nonces = nonces::<B, _, R, L>(b, nonces_of, nonce_len, &group);
            let mut names = [b.splat(&named(0).to_be_bytes()); R];
            if (1..L).any(|l| group.keys[l].key.named_tag_bits != group.keys[0].key.named_tag_bits) {
                let each: [One<B>; L] = core::array::from_fn(|l| one.load(&named(l).to_be_bytes()));
                names = registers(b, &each);
            }
            let (mut x, mut bottoms) = ([b.zero(); R], [b.zero(); R]);
            for j in 0..R {
                let n = b.xor(nonces[j], names[j]);
                let low = b.and(b.rev(n), b.splat(&63u128.to_le_bytes()));
                bottoms[j] = b.xor(low, b.swap(low));
                x[j] = b.and(n, b.splat(&(!63u128).to_be_bytes()));
            }
            b.encrypt(&keys(), &mut x);
            for j in 0..R {
                let (ktop, behind) = stretched(b, x[j]);
                offset[j] = chosen_lanes(b, ktop, behind, bottoms[j]);
            }
        }

        // Whole blocks.
        let mut checksum = [b.zero(); R];
        for t in 0..group.longest / 16 {
            let live = group.longer_than(16 * t + 15);
            let mut x = [b.zero(); R];
            for j in 0..R {
                // L[2] alone is not held.
                let i = (t + 1).trailing_zeros() as usize;
                let mut next = held(b, shared, &group.keys, j, place(if i == 2 { 1 } else { i }));
                if i == 2 {
                    next = b.xor(next, held(b, shared, &group.keys, j, SUM));
                }
                // As a rule all lanes go on. (Opening has the mask at hand.)
                if OPEN || live != usize::MAX {
                    next = b.and(next, mask(b, live >> (j * B::BLOCKS)));
                }
                offset[j] = b.xor(offset[j], next);
                x[j] = b.gather(|lane| block(group.src(j * B::BLOCKS + lane), t));
                if !OPEN {
                    checksum[j] = b.xor(checksum[j], x[j]);
                }
            }
            if OPEN {
                let keys = OfLanes::<A, _, L>(&dec, PhantomData);
                b.decrypt(&Masked { keys, first: offset, last: offset }, &mut x);
            } else {
                b.encrypt(&Masked { keys: keys(), first: offset, last: offset }, &mut x);
            }
            for j in 0..R {
                if OPEN {
                    checksum[j] = b.xor(checksum[j], b.and(x[j], mask(b, live >> (j * B::BLOCKS))));
                }
                let blocks = b.split(x[j]);
                for lane in 0..B::BLOCKS {
                    if let Some(to) = group.dst(j * B::BLOCKS + lane).as_chunks_mut::<16>().0.get_mut(t) {
                        one.store(to, blocks[lane]);
                    }
                }
            }
        }

        // Parts of a block.
        let rest = |group: &Group<'_, '_, Ocb3<A>, L>, l: usize| group.len(l) % 16;
        if group.ragged {
            let ragged = (0..L).fold(0, |bits, l| bits | usize::from(rest(&group, l) > 0) << l);
            for j in 0..R {
                offset[j] =
                    b.xor(offset[j], b.and(held(b, shared, &group.keys, j, STAR), mask(b, ragged >> (j * B::BLOCKS))));
            }
            let mut pad = offset;
            b.encrypt(&keys(), &mut pad);
            for j in 0..R {
                let (pads, mut padded) = (b.split(pad[j]), [one.zero(); 4]);
                for lane in 0..B::BLOCKS {
                    let l = j * B::BLOCKS + lane;
                    let (n, whole) = (rest(&group, l), group.len(l) / 16 * 16);
                    if n > 0 {
                        let text = one.load_part(&group.src(l)[whole..]);
                        let other = one.xor(text, pads[lane]);
                        one.store_part(&mut group.dst(l)[whole..], other);
                        let plain = if OPEN { one.keep(other, n) } else { text };
                        padded[lane] = one.xor(plain, one.padding(n));
                    }
                }
                checksum[j] = b.xor(checksum[j], b.join(padded));
            }
        }

        // The tags.
        let (mut before, mut hash) = (offset, [b.widen(one.load(auth)); R]);
        for j in 0..R {
            before[j] = b.xor(offset[j], held(b, shared, &group.keys, j, DOLLAR));
        }
        if shared.is_none() {
            hash = hash_each::<B, A, R, L>(b, ad, &group, &enc);
        }
        b.encrypt(&Masked { keys: keys(), first: before, last: hash }, &mut checksum);
        group.finish(b, &checksum, run.marks, OPEN);
    }
    enc.wipe(<A::Enc as Schedule>::ROUNDS);
    if OPEN {
        dec.wipe(<A::Enc as Schedule>::ROUNDS);
    }
}

/// Ktop of the nonce block `top`, stretched.
#[inline(always)]
fn stretch<B: Backend, K: Keys<B>>(b: B, keys: &K, top: u128) -> (One<B>, One<B>) {
    let one = b.one();
    let mut x = [b.widen(one.load(&top.to_be_bytes()))];
    b.encrypt(keys, &mut x);
    stretched(one, b.split(x[0])[0])
}

/// The first offsets, each by the number of its lane: as `nonce::chosen` has one.
#[inline(always)]
fn chosen_lanes<B: Backend>(b: B, ktop: B::V, behind: B::V, bottom: B::V) -> B::V {
    // 64 less a number below 64 and one more: all of its six bits turned over.
    let ones = b.splat64(63);
    let others = b.shr64_lanes(b.shr64(behind, 1), b.xor(bottom, ones));
    b.rev(b.xor(b.shl64_lanes(ktop, bottom), others))
}

/// HASH(A) of associated data that all values share, at most a block, under each lane's key.
#[inline(always)]
fn hash_each<B: Backend, A: Aes, const R: usize, const L: usize>(
    b: B,
    ad: &[u8],
    group: &Group<'_, '_, Ocb3<A>, L>,
    enc: &RoundKeys<Enc<'_, A::Enc>, L>,
) -> [B::V; R] {
    if ad.is_empty() {
        return [b.zero(); R];
    }
    let (one, whole) = (b.one(), ad.len() == 16);
    let text = one.load_part(ad);
    let text = if whole { text } else { one.xor(text, one.padding(ad.len())) };
    let (mut x, mut offset) = ([b.widen(text); R], [b.zero(); R]);
    for j in 0..R {
        offset[j] = held(b, None, &group.keys, j, if whole { place(0) } else { STAR });
    }
    let keys = OfLanes::<A, _, L>(enc, PhantomData);
    b.encrypt(&Masked { keys, first: offset, last: [b.zero(); R] }, &mut x);
    x
}

/// What the masks of register `j`'s lanes hold in a place. (Closures in its stead were calls.)
#[inline(always)]
fn held<B: Backend, A: Aes, const L: usize>(
    b: B,
    shared: Option<&Ocb3<A>>,
    keys: &[&Ocb3<A>; L],
    j: usize,
    place: usize,
) -> B::V {
    let one = b.one();
    if let Some(key) = shared {
        return b.widen(one.load(key.key.masks.held(place)));
    }
    let mut lanes = [one.zero(); 4];
    for lane in 0..B::BLOCKS {
        lanes[lane] = one.load(keys[j * B::BLOCKS + lane].key.masks.held(place));
    }
    b.join(lanes)
}
