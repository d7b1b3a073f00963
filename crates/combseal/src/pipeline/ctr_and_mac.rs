//! Counter mode and a CBC-MAC chain over one message, in one pass (CCM, EAX, SIV).
//!
//! The chain is the limit, since each of its blocks waits for the one before. Counter mode
//! runs beneath it, a block ahead, so that a chain over its output never waits for it:
//!
//! ```text
//! cipher call   1        2                3                    last
//! counter mode  C1 = P1  C2 = P2          C3 = P3              (E(A0) of CCM)
//! chain                  takes in C1 (P1) takes in C2 (P2)     takes in the last
//! side chain    ...      its own blocks, while there are any
//! ```

use super::chain::{Chain, EdgeKeys, rounds};
use super::mac_lane::{MacLane, finish};
use crate::cpu::{Backend, InOut, Keys};

/// The keys of chains and, in lane 1, of the counter mode beneath them. `ONE`:
/// they are the same.
struct Pair<'a, M, C, const ONE: bool>(&'a M, &'a C);
impl<B: Backend, M: Keys<B>, C: Keys<B>, const ONE: bool> Keys<B> for Pair<'_, M, C, ONE> {
    const ROUNDS: usize = M::ROUNDS;
    const SHARED: bool = ONE && M::SHARED;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        if j == 1 { self.1.get(b, r, 0) } else { self.0.get(b, r, 0) }
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        debug_assert_eq!(self.0.leaves_out_two(), self.1.leaves_out_two(), "keys of two sizes");
        self.0.leaves_out_two()
    }
}

/// A counter mode over a message and a chain over what it reads or writes, in
/// one pass. The counter mode is a block ahead, so a chain over its output
/// never waits for it. `ONE`: both have the same key.
pub struct CtrAndMac<'a, B: Backend, M, C, const ONE: bool> {
    b: B,
    mac: &'a M,
    ctr: &'a C,
    edge: EdgeKeys<B::V>,
    ctr_edge: EdgeKeys<B::V>,
    /// The next counter block, its bytes reversed.
    next: B::V,
    one: B::V,
    /// The chain so far.
    pub chain: Chain<B::V>,
}
impl<'a, B: Backend, M: Keys<B>, C: Keys<B>, const ONE: bool> CtrAndMac<'a, B, M, C, ONE> {
    /// With the chain's edge, the first counter block and the chain so far.
    #[inline(always)]
    pub fn new(b: B, mac: &'a M, ctr: &'a C, edge: EdgeKeys<B::V>, counter: B::V, chain: Chain<B::V>) -> Self {
        let ctr_edge = if ONE { edge } else { EdgeKeys::new(b, ctr, 0) };
        let one = b.splat(&1u128.to_le_bytes());
        Self { b, mac, ctr, edge, ctr_edge, next: b.rev(counter), one, chain }
    }

    #[inline(always)]
    fn counter(&mut self) -> B::V {
        let c = self.b.xor(self.b.rev(self.next), self.ctr_edge.first);
        self.next = self.b.add128(self.next, self.one);
        c
    }

    /// One block of the counter mode.
    #[inline(always)]
    pub fn crypt(&mut self, p: B::V) -> B::V {
        let c = self.counter();
        let [c] = rounds(self.b, self.ctr, [c], [self.b.xor(self.ctr_edge.last, p)]);
        c
    }

    /// Takes `block` into the chain.
    #[inline(always)]
    pub fn absorb(&mut self, block: B::V) {
        self.chain.absorb(self.b, self.mac, &self.edge, block);
    }

    /// Takes `block` into the chain, where the cipher is due, and `p` through
    /// the counter mode.
    #[inline(always)]
    fn both(&mut self, block: B::V, p: B::V) -> B::V {
        let (b, c) = (self.b, self.counter());
        let last = [b.xor(self.edge.turn, block), b.xor(self.ctr_edge.last, p)];
        let [x, c] = rounds(b, &Pair::<M, C, ONE>(self.mac, self.ctr), [self.chain.x, c], last);
        self.chain.x = x;
        c
    }

    /// All of `io`, the chain over its output if `OUT`, else its input, padded
    /// with zeros and `mask` added to the last block. Another chain under the
    /// same key, `side`, runs beside it, and may have steps left in the end.
    #[inline(always)]
    pub fn run<const OUT: bool>(&mut self, mut io: InOut<'_>, mask: B::V, side: Option<&mut MacLane<'_, B::V>>) {
        let b = self.b;
        if io.is_empty() {
            return;
        }
        // The block that the chain takes in next; none before the first.
        let mut block = b.zero();
        let mut begun = false;
        // The last block has 1 to 16 bytes.
        if io.len() > 16 {
            block = self.alone::<OUT>(&mut io);
            begun = true;
        }
        if !self.chain.due && io.len() > 16 {
            self.absorb(block);
            block = self.alone::<OUT>(&mut io);
        }
        if let Some(side) = side
            && side.left > 0
        {
            let shared = side.plain().min(io.len().saturating_sub(1) / 16);
            for _ in 0..shared {
                block = self.turn_beside::<OUT>(&mut io, block, side);
            }
            side.left -= shared;
            if side.plain() == 0 {
                finish(b, self.mac, &self.edge, side);
            }
        }
        while io.len() > 16 {
            block = self.turn::<OUT>(&mut io, block);
        }
        let p = io.load_part(b);
        let c = if begun && self.chain.due {
            self.both(block, p)
        } else {
            if begun {
                self.absorb(block);
            }
            self.crypt(p)
        };
        io.store_part(b, c);
        block = if OUT { b.keep(c, io.len()) } else { p };
        self.absorb(b.xor(block, mask));
    }

    /// A whole block through the counter mode; what the chain is to take in.
    #[inline(always)]
    fn alone<const OUT: bool>(&mut self, io: &mut InOut<'_>) -> B::V {
        let mut now = io.cut(16);
        let p = now.load(self.b, 0);
        let c = self.crypt(p);
        now.store(self.b, 0, c);
        if OUT { c } else { p }
    }

    /// The same, while the chain takes in `block`.
    #[inline(always)]
    fn turn<const OUT: bool>(&mut self, io: &mut InOut<'_>, block: B::V) -> B::V {
        let mut now = io.cut(16);
        let p = now.load(self.b, 0);
        let c = self.both(block, p);
        now.store(self.b, 0, c);
        if OUT { c } else { p }
    }

    /// The same, while `side` takes in a whole block of its own.
    #[inline(always)]
    fn turn_beside<const OUT: bool>(&mut self, io: &mut InOut<'_>, block: B::V, side: &mut MacLane<'_, B::V>) -> B::V {
        let mut now = io.cut(16);
        let b = self.b;
        let p = now.load(b, 0);
        let x = [self.chain.x, self.counter(), side.x];
        let next = b.xor(self.edge.turn, side.take(b));
        let last = [b.xor(self.edge.turn, block), b.xor(self.ctr_edge.last, p), next];
        let [x, c, y] = rounds(b, &Pair::<M, C, ONE>(self.mac, self.ctr), x, last);
        self.chain.x = x;
        side.x = y;
        now.store(b, 0, c);
        if OUT { c } else { p }
    }
}
