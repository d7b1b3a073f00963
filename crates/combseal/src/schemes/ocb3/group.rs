//! A group: as many registers as fill the pipeline, again and again from an aligned place on.
//!
//! Behind aligned places the distances of all blocks but the last are the same, so these
//! are made once for a message and added to each group's keys.

use super::masks::Masks;
use crate::cpu::{Backend, Keys};

/// Registers in flight in a long message, whatever their size: with latency 4
/// and throughput 2 no fewer fill the pipeline, and where four would, eight
/// halve what a group costs besides its AES.
pub(super) const WIDTH: usize = 8;

/// How far each block of a group is from the group's base, but for the last one, which
/// goes L[ntz] further, and that depends on the group.
pub(super) struct Group<B: Backend> {
    pub table: [B::V; WIDTH],
    before_last: B::V,
}

impl<B: Backend> Group<B> {
    #[inline(always)]
    pub fn new(b: B, masks: &Masks) -> Self {
        const { assert!(WIDTH.is_power_of_two(), "groups must be aligned") };
        Self { table: masks.distances(b), before_last: masks.distance(b, WIDTH * B::BLOCKS - 1) }
    }

    /// How far the last block, number `blocks` of the message, is from the group's base, in every lane.
    #[inline(always)]
    pub fn further(&self, b: B, masks: &Masks, blocks: u64) -> B::V {
        b.xor(self.before_last, masks.l(b, blocks.trailing_zeros()))
    }
}

/// Round keys of an aligned group: the masks are the base, which `first` and
/// `last` hold already, and the table; `top` stands for the table's last register.
pub(super) struct Grouped<'a, B: Backend, K, const N: usize> {
    pub keys: K,
    pub first: B::V,
    pub last: B::V,
    pub table: &'a [B::V; N],
    pub top: B::V,
}
impl<B: Backend, K: Keys<B>, const N: usize> Keys<B> for Grouped<'_, B, K, N> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    const IN_TURN: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let mask = if j == N - 1 { self.top } else { self.table[j] };
        if r == 0 {
            b.xor(self.first, mask)
        } else if r == K::ROUNDS {
            b.xor(self.last, mask)
        } else {
            self.keys.get(b, r, j)
        }
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.keys.leaves_out_two()
    }
}
