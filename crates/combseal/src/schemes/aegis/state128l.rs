//! The state of AEGIS-128L, eight words, 32 bytes an update; and `D` of them
//! side by side, which is AEGIS-128X.

use super::state::{C, State, contexts, nonce_block};
use crate::cpu::{Backend, Block};

/// `D` states of S0 to S7, each word of them all in `R` registers.
#[derive(Clone, Copy)]
pub(super) struct State128L<V, const D: usize, const R: usize>([[V; 8]; R]);

impl<B: Backend, const D: usize, const R: usize, const W: usize> State<B, 1, W> for State128L<B::V, D, R> {
    #[inline(always)]
    fn new(b: B, key: &[Block; 1], nonce: &[Block; 1]) -> Self {
        let (k, n, c0, c1) = (b.splat(&key[0]), b.splat(&nonce_block(&nonce[0])), b.splat(&C[0]), b.splat(&C[1]));
        let (kn, k0, k1) = (b.xor(k, n), b.xor(k, c0), b.xor(k, c1));
        let mut s = Self([[kn, c1, c0, c1, kn, k0, k1, k0]; R]);
        let mut m = [k; W];
        for j in 0..R {
            m[j] = n;
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
        }
        Self(t)
    }

    #[inline(always)]
    fn finish(self, b: B, lengths: B::V) -> Self {
        let mut m = [lengths; W];
        for j in 0..R {
            m[j] = b.xor(self.0[j][2], lengths);
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
    fn tag128(self, b: B) -> <B::One as Backend>::V {
        let mut t = b.zero();
        for j in 0..R {
            let s = self.0[j];
            let u = b.xor(b.xor(b.xor(s[0], s[1]), b.xor(s[2], s[3])), b.xor(b.xor(s[4], s[5]), s[6]));
            t = b.xor(t, u);
        }
        b.fold(t)
    }

    #[inline(always)]
    fn tag256(self, b: B) -> [<B::One as Backend>::V; 2] {
        let mut t = [b.zero(); 2];
        for j in 0..R {
            let s = self.0[j];
            t[0] = b.xor(t[0], b.xor(b.xor(s[0], s[1]), b.xor(s[2], s[3])));
            t[1] = b.xor(t[1], b.xor(b.xor(s[4], s[5]), b.xor(s[6], s[7])));
        }
        [b.fold(t[0]), b.fold(t[1])]
    }
}
