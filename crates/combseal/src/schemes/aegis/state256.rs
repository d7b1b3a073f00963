//! The state of AEGIS-256, six words, 16 bytes an update; and `D` of them side
//! by side, which is AEGIS-256X.

use super::state::{C, State, contexts, nonce_block};
use crate::cpu::{Backend, Block};

/// `D` states of S0 to S5, each word of them all in `R` registers.
#[derive(Clone, Copy)]
pub(super) struct State256<V, const D: usize, const R: usize>([[V; 6]; R]);

impl<B: Backend, const D: usize, const R: usize, const W: usize> State<B, 2, W> for State256<B::V, D, R> {
    #[inline(always)]
    fn new(b: B, key: &[Block; 2], nonce: &[Block; 2]) -> Self {
        let (k0, k1, c0, c1) = (b.splat(&key[0]), b.splat(&key[1]), b.splat(&C[0]), b.splat(&C[1]));
        let (kn0, kn1) = (b.xor(k0, b.splat(&nonce_block(&nonce[0]))), b.xor(k1, b.splat(&nonce_block(&nonce[1]))));
        let mut s = Self([[kn0, kn1, c1, c0, b.xor(k0, c0), b.xor(k1, c1)]; R]);
        let words = [k0, k1, kn0, kn1];
        for _ in 0..4 {
            for i in 0..4 {
                if D > 1 {
                    let contexts = const { contexts::<D>() };
                    for j in 0..R {
                        let context = b.load(&contexts.as_flattened()[j * B::BYTES..]);
                        s.0[j][3] = b.xor(s.0[j][3], context);
                        s.0[j][5] = b.xor(s.0[j][5], context);
                    }
                }
                s = s.update(b, [words[i]; W], [b.zero(); W]);
            }
        }
        s
    }

    #[inline(always)]
    fn stream(self, b: B) -> [B::V; W] {
        const { assert!(W == R) }
        let mut z = [b.zero(); W];
        for j in 0..R {
            let s = self.0[j];
            z[j] = b.xor(b.xor(s[4], b.and(s[2], s[3])), b.xor(s[1], s[5]));
        }
        z
    }

    /// S0' = R(S5, S0) ^ m, as R(S5, m) ^ S0: S0 waits for no AESENC of its own.
    #[inline(always)]
    fn update(self, b: B, m: [B::V; W], late: [B::V; W]) -> Self {
        let mut t = self.0;
        for j in 0..R {
            let s = self.0[j];
            t[j] = b.round([s[5], s[0], s[1], s[2], s[3], s[4]], [m[j], s[1], s[2], s[3], s[4], s[5]]);
            t[j][0] = b.xor(t[j][0], b.xor(s[0], late[j]));
        }
        Self(t)
    }

    #[inline(always)]
    fn finish(self, b: B, lengths: B::V) -> Self {
        let mut m = [lengths; W];
        for j in 0..R {
            m[j] = b.xor(self.0[j][3], lengths);
        }
        let mut s = self;
        for _ in 0..7 {
            s = s.update(b, m, [b.zero(); W]);
        }
        s
    }

    #[inline(always)]
    fn tag128(self, b: B) -> <B::One as Backend>::V {
        let t = self.halves(b);
        b.fold(b.xor(t[0], t[1]))
    }

    #[inline(always)]
    fn tag256(self, b: B) -> [<B::One as Backend>::V; 2] {
        let t = self.halves(b);
        [b.fold(t[0]), b.fold(t[1])]
    }
}

impl<V: Copy, const D: usize, const R: usize> State256<V, D, R> {
    /// S0 ^ S1 ^ S2 and S3 ^ S4 ^ S5.
    #[inline(always)]
    fn halves<B: Backend<V = V>>(self, b: B) -> [V; 2] {
        let mut t = [b.zero(); 2];
        for j in 0..R {
            let s = self.0[j];
            t[0] = b.xor(t[0], b.xor(b.xor(s[0], s[1]), s[2]));
            t[1] = b.xor(t[1], b.xor(b.xor(s[3], s[4]), s[5]));
        }
        t
    }
}
