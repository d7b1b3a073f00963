//! The state of AEGIS-128L, eight words, 32 bytes an update; and `D` of them
//! side by side, which is AEGIS-128X.

use super::state::{C, State, choose, contexts, in_turn};
use crate::cpu::Backend;

/// `D` states of S0 to S7, each word of them all in `R` registers.
#[derive(Clone, Copy)]
pub(super) struct State128L<V, const D: usize, const R: usize>([[V; 8]; R]);

impl<B: Backend, const D: usize, const R: usize, const W: usize> State<B, 1, R, W> for State128L<B::V, D, R> {
    #[inline(always)]
    fn new(b: B, [k]: [[B::V; R]; 1], [n]: [[B::V; R]; 1]) -> Self {
        let (c0, c1) = (b.splat(&C[0]), b.splat(&C[1]));
        let (mut s, mut m) = (Self([[c0; 8]; R]), [c0; W]);
        for j in 0..R {
            let (kn, k0, k1) = (b.xor(k[j], n[j]), b.xor(k[j], c0), b.xor(k[j], c1));
            s.0[j] = [kn, c1, c0, c1, kn, k0, k1, k0];
            (m[j], m[R + j]) = (n[j], k[j]);
        }
        for _ in 0..10 {
            if D > 1 {
                let contexts = const { contexts::<D>() };
                for j in 0..R {
                    let context = b.load(&contexts.as_flattened()[j * B::BYTES..]);
                    s.0[j][3] = b.xor(s.0[j][3], context);
                    s.0[j][7] = b.xor(s.0[j][7], context);
                }
            }
            s = s.update(b, m, [b.zero(); W]);
        }
        s
    }

    #[inline(always)]
    fn stream(self, b: B) -> [B::V; W] {
        const { assert!(W == 2 * R) }
        let mut z = [b.zero(); W];
        for j in 0..R {
            let s = self.0[j];
            z[j] = b.xor(b.xor(s[6], b.and(s[2], s[3])), s[1]);
            z[R + j] = b.xor(b.xor(s[2], b.and(s[6], s[7])), s[5]);
        }
        z
    }

    /// S0' = R(S7, S0) ^ m, as R(S7, m) ^ S0: S0 waits for no AESENC of its own,
    /// nor does S4. This takes the chain of a message from 5 cycles an update to
    /// little more than 4.
    #[inline(always)]
    fn update(self, b: B, m: [B::V; W], late: [B::V; W]) -> Self {
        let mut t = self.0;
        for j in 0..R {
            let s = self.0[j];
            t[j] = b.round(
                [s[7], s[0], s[1], s[2], s[3], s[4], s[5], s[6]],
                [m[j], s[1], s[2], s[3], m[R + j], s[5], s[6], s[7]],
            );
            t[j][0] = b.xor(t[j][0], b.xor(s[0], late[j]));
            t[j][4] = b.xor(t[j][4], b.xor(s[4], late[R + j]));
            if D == 1 && R > 1 {
                t[j][0] = in_turn(b, t[j][0]);
            }
        }
        Self(t)
    }

    #[inline(always)]
    fn finish(self, b: B, lengths: [B::V; R]) -> Self {
        let mut m = [b.zero(); W];
        for j in 0..R {
            m[j] = b.xor(self.0[j][2], lengths[j]);
            m[R + j] = m[j];
        }
        let mut s = self;
        for _ in 0..7 {
            s = s.update(b, m, [b.zero(); W]);
        }
        s
    }

    /// S7 is not used (v1.1, 4.2; the first version of 2013 had it).
    #[inline(always)]
    fn tag128(self, b: B) -> [B::V; R] {
        let mut t = [b.zero(); R];
        for j in 0..R {
            let s = self.0[j];
            t[j] = b.xor(b.xor(b.xor(s[0], s[1]), b.xor(s[2], s[3])), b.xor(b.xor(s[4], s[5]), s[6]));
        }
        t
    }

    #[inline(always)]
    fn tag256(self, b: B) -> [[B::V; R]; 2] {
        let mut t = [[b.zero(); R]; 2];
        for j in 0..R {
            let s = self.0[j];
            t[0][j] = b.xor(b.xor(s[0], s[1]), b.xor(s[2], s[3]));
            t[1][j] = b.xor(b.xor(s[4], s[5]), b.xor(s[6], s[7]));
        }
        t
    }

    #[inline(always)]
    fn select(self, b: B, other: Self, mask: [B::V; R]) -> Self {
        let mut t = self.0;
        for j in 0..R {
            for i in 0..8 {
                t[j][i] = choose(b, t[j][i], other.0[j][i], mask[j]);
            }
        }
        Self(t)
    }
}
