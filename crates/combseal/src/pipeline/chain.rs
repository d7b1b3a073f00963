//! CBC-MAC chains: the serial heart of CCM, EAX, SIV and CMAC.
//!
//! A chain costs the AES's latency for each block (4 cycles a round), so
//! nothing else may stand in its way: a state waits with round key 0 and its
//! block already in, and the last round key of one block brings in the next
//! (`last ^ first ^ M`), which is ready long before. Beneath a chain there is room for
//! counter mode (`ctr_and_mac`), for a message's other chains (`mac_lane`) and for other
//! messages' (`lockstep`): each takes a register of its own in flight, and knows nothing of
//! the others.

use crate::cpu::{Backend, Keys};

/// Round keys whose first is already in the state and whose last is `last`.
pub struct Folded<'a, K, V, const N: usize> {
    /// The keys between.
    pub keys: &'a K,
    /// The last.
    pub last: [V; N],
}
impl<B: Backend, K: Keys<B>, const N: usize> Keys<B> for Folded<'_, K, B::V, N> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    const IN_STEP: bool = K::IN_STEP;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        if r == 0 {
            b.zero()
        } else if r == K::ROUNDS {
            self.last[j]
        } else {
            self.keys.get(b, r, j)
        }
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.keys.leaves_out_two()
    }
}

/// The AES on states that have round key 0 in them, with `last` for last round
/// keys. Nothing but the rounds is on the way from `x` to the result.
#[inline(always)]
pub fn rounds<B: Backend, K: Keys<B>, const N: usize>(b: B, keys: &K, mut x: [B::V; N], last: [B::V; N]) -> [B::V; N] {
    b.encrypt(&Folded { keys, last }, &mut x);
    x
}

/// The round keys at the edges of a lane's blocks.
#[derive(Clone, Copy)]
pub struct EdgeKeys<V> {
    /// Round key 0.
    pub first: V,
    /// The last round key.
    pub last: V,
    /// Both: from one block of a chain to the next.
    pub turn: V,
}
impl<V: Copy> EdgeKeys<V> {
    /// Those of lane `j`.
    #[inline(always)]
    pub fn new<B: Backend<V = V>, K: Keys<B>>(b: B, keys: &K, j: usize) -> Self {
        let (first, last) = (keys.get(b, 0, j), keys.get(b, K::ROUNDS, j));
        Self { first, last, turn: b.xor(first, last) }
    }
}

/// A chain whose blocks come one by one.
#[derive(Clone, Copy)]
pub struct Chain<V> {
    /// The state, with round key 0 and the blocks so far.
    pub x: V,
    /// Whether the cipher is due before the next block.
    pub due: bool,
}
impl<V: Copy> Chain<V> {
    /// Takes in `block`.
    #[inline(always)]
    pub fn absorb<B: Backend<V = V>, K: Keys<B>>(&mut self, b: B, keys: &K, edge: &EdgeKeys<V>, block: V) {
        if self.due {
            [self.x] = rounds(b, keys, [self.x], [b.xor(edge.turn, block)]);
        } else {
            self.x = b.xor(self.x, block);
            self.due = true;
        }
    }
}
