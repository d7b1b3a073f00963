//! HASH(A), of associated data (Krovetz and Rogaway 2021, Fig. 1, lines 140 to 14A; RFC
//! 7253, sect. 4.1).
//!
//! Apart from the walk over a message: its offsets begin at zero, nothing is added behind
//! the cipher but the sum so far, and nothing is written.

use super::group::{Group, WIDTH};
use super::key::Material;
use super::pass::{Masked, One};
use crate::cpu::{Backend, Enc, Invertible};

/// HASH(A) (lines 140-14A).
#[inline(always)]
pub(super) fn hash<S: Invertible, B: Backend>(b: B, key: &Material<S>, mut ad: &[u8]) -> One<B> {
    let (one, masks, keys) = (b.one(), &key.masks, Enc(&key.enc));
    let (mut offset, mut sum, mut blocks) = (one.zero(), b.zero(), 0);
    if ad.len() >= WIDTH * B::BYTES {
        let (group, mut base) = (Group::new(b, masks), b.zero());
        while let Some((front, behind)) = ad.split_at_checked(WIDTH * B::BYTES) {
            blocks += (WIDTH * B::BLOCKS) as u64;
            let further = group.further(b, masks, blocks);
            let (mut x, mut first) = ([b.zero(); WIDTH], group.table);
            first[WIDTH - 1] = b.with_top_of(first[WIDTH - 1], further);
            for j in 0..WIDTH {
                first[j] = b.xor(base, first[j]);
                x[j] = b.load(&front[j * B::BYTES..]);
            }
            b.encrypt(&Masked { keys, first, last: [b.zero(); WIDTH] }, &mut x);
            for j in 0..WIDTH {
                sum = b.xor(sum, x[j]);
            }
            (base, ad) = (b.xor(base, further), behind);
        }
        offset = b.split(base)[0];
    }
    // Fewer than a group has: unrolled, so that the compiler knows each one's distance.
    let (mut at, distances) = (offset, masks.distances::<B, { WIDTH - 1 }>(b));
    for j in 0..WIDTH - 1 {
        let Some((front, behind)) = ad.split_at_checked(B::BYTES) else { break };
        let (mut x, d) = ([b.load(front)], b.xor(b.widen(offset), distances[j]));
        b.encrypt(&Masked { keys, first: [d], last: [sum] }, &mut x);
        (sum, ad) = (x[0], behind);
        at = one.xor(offset, masks.distance(one, (j + 1) * B::BLOCKS));
    }
    let (mut sum, place) = (b.fold(sum), at);
    for i in 1..B::BLOCKS {
        let Some((block, behind)) = ad.split_at_checked(16) else { break };
        at = one.xor(place, masks.near(one, i));
        let mut x = [one.load(block)];
        one.encrypt(&Masked { keys, first: [at], last: [sum] }, &mut x);
        (sum, ad) = (x[0], behind);
    }
    if !ad.is_empty() {
        let star = one.xor(at, one.splat(masks.star()));
        let mut x = [one.xor(one.load_part(ad), one.padding(ad.len()))];
        one.encrypt(&Masked { keys, first: [star], last: [sum] }, &mut x);
        sum = x[0];
    }
    sum
}
