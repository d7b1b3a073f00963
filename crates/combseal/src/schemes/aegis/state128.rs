//! The state of AEGIS-128: five words, 16 bytes an update. The competition's
//! winner and the shortest of the family.

use super::state::{C, State, nonce_block};
use crate::cpu::{Backend, Block};

/// S0 to S4, one block each.
#[derive(Clone, Copy)]
pub(super) struct State128<V>([V; 5]);

impl<B: Backend<One = B>> State<B, 1, 1> for State128<B::V> {
    #[inline(always)]
    fn new(b: B, key: &[Block; 1], nonce: &[Block; 1]) -> Self {
        let (k, c0, c1) = (b.splat(&key[0]), b.splat(&C[0]), b.splat(&C[1]));
        let kn = b.xor(k, b.splat(&nonce_block(&nonce[0])));
        let mut s = Self([kn, c1, c0, b.xor(k, c0), b.xor(k, c1)]);
        let zero = [b.zero()];
        for _ in 0..5 {
            s = s.update(b, [k], zero).update(b, [kn], zero);
        }
        s
    }

    #[inline(always)]
    fn stream(self, b: B) -> [B::V; 1] {
        let s = self.0;
        [b.xor(b.xor(s[4], b.and(s[2], s[3])), s[1])]
    }

    /// S0' = R(S4, S0) ^ m, as R(S4, m) ^ S0: S0 waits for no AESENC of its own.
    #[inline(always)]
    fn update(self, b: B, m: [B::V; 1], late: [B::V; 1]) -> Self {
        let s = self.0;
        let mut t = b.round([s[4], s[0], s[1], s[2], s[3]], [m[0], s[1], s[2], s[3], s[4]]);
        t[0] = b.xor(t[0], b.xor(s[0], late[0]));
        Self(t)
    }

    #[inline(always)]
    fn finish(self, b: B, lengths: B::V) -> Self {
        let t = [b.xor(self.0[3], lengths)];
        let mut s = self;
        for _ in 0..7 {
            s = s.update(b, t, [b.zero()]);
        }
        s
    }

    #[inline(always)]
    fn tag128(self, b: B) -> B::V {
        let s = self.0;
        b.xor(b.xor(b.xor(s[0], s[1]), b.xor(s[2], s[3])), s[4])
    }

    #[inline(always)]
    fn tag256(self, _: B) -> [B::V; 2] {
        unreachable!("AEGIS-128 defines no such tag, and its keys are built for 16 bytes only")
    }
}
