//! The state of AEGIS-128: five words, 16 bytes an update. The competition's
//! winner and the shortest of the family.

use super::state::{C, State, choose, in_turn};
use crate::cpu::Backend;

/// S0 to S4, each in `R` registers, of which a lane is a message's.
#[derive(Clone, Copy)]
pub(super) struct State128<V, const R: usize>([[V; 5]; R]);

impl<B: Backend, const R: usize> State<B, 1, R, R> for State128<B::V, R> {
    #[inline(always)]
    fn new(b: B, [k]: [[B::V; R]; 1], [n]: [[B::V; R]; 1]) -> Self {
        let (c0, c1) = (b.splat(&C[0]), b.splat(&C[1]));
        let (mut s, mut kn) = (Self([[c0; 5]; R]), n);
        for j in 0..R {
            kn[j] = b.xor(k[j], n[j]);
            s.0[j] = [kn[j], c1, c0, b.xor(k[j], c0), b.xor(k[j], c1)];
        }
        let zero = [b.zero(); R];
        for _ in 0..5 {
            s = s.update(b, k, zero).update(b, kn, zero);
        }
        s
    }

    #[inline(always)]
    fn stream(self, b: B) -> [B::V; R] {
        let mut z = [b.zero(); R];
        for j in 0..R {
            let s = self.0[j];
            z[j] = b.xor(b.xor(s[4], b.and(s[2], s[3])), s[1]);
        }
        z
    }

    /// S0' = R(S4, S0) ^ m, as R(S4, m) ^ S0: S0 waits for no AESENC of its own.
    #[inline(always)]
    fn update(self, b: B, m: [B::V; R], late: [B::V; R]) -> Self {
        let mut t = self.0;
        for j in 0..R {
            let s = self.0[j];
            t[j] = b.round([s[4], s[0], s[1], s[2], s[3]], [m[j], s[1], s[2], s[3], s[4]]);
            t[j][0] = b.xor(t[j][0], b.xor(s[0], late[j]));
            if R > 1 {
                t[j][0] = in_turn(b, t[j][0]);
            }
        }
        Self(t)
    }

    #[inline(always)]
    fn finish(self, b: B, lengths: [B::V; R]) -> Self {
        let mut t = lengths;
        for j in 0..R {
            t[j] = b.xor(self.0[j][3], lengths[j]);
        }
        let mut s = self;
        for _ in 0..7 {
            s = s.update(b, t, [b.zero(); R]);
        }
        s
    }

    #[inline(always)]
    fn tag128(self, b: B) -> [B::V; R] {
        let mut t = [b.zero(); R];
        for j in 0..R {
            let s = self.0[j];
            t[j] = b.xor(b.xor(b.xor(s[0], s[1]), b.xor(s[2], s[3])), s[4]);
        }
        t
    }

    #[inline(always)]
    fn tag256(self, _: B) -> [[B::V; R]; 2] {
        unreachable!("AEGIS-128 defines no such tag, and its keys are built for 16 bytes only")
    }

    #[inline(always)]
    fn select(self, b: B, other: Self, mask: [B::V; R]) -> Self {
        let mut t = self.0;
        for j in 0..R {
            for i in 0..5 {
                t[j][i] = choose(b, t[j][i], other.0[j][i], mask[j]);
            }
        }
        Self(t)
    }
}
