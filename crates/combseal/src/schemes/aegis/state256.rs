//! The state of AEGIS-256, six words, 16 bytes an update; and `D` of them side
//! by side, which is AEGIS-256X.

use super::state::{C, State, choose, contexts, in_turn};
use crate::cpu::Backend;

/// `D` states of S0 to S5, each word of them all in `R` registers.
#[derive(Clone, Copy)]
pub(super) struct State256<V, const D: usize, const R: usize>([[V; 6]; R]);

impl<B: Backend, const D: usize, const R: usize> State<B, 2, R, R> for State256<B::V, D, R> {
    #[inline(always)]
    fn new(b: B, key: [[B::V; R]; 2], nonce: [[B::V; R]; 2]) -> Self {
        let (c0, c1) = (b.splat(&C[0]), b.splat(&C[1]));
        let (mut s, mut words) = (Self([[c0; 6]; R]), [key[0], key[1], nonce[0], nonce[1]]);
        for j in 0..R {
            let (k0, k1) = (key[0][j], key[1][j]);
            (words[2][j], words[3][j]) = (b.xor(k0, nonce[0][j]), b.xor(k1, nonce[1][j]));
            s.0[j] = [words[2][j], words[3][j], c1, c0, b.xor(k0, c0), b.xor(k1, c1)];
        }
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
                s = s.update(b, words[i], [b.zero(); R]);
            }
        }
        s
    }

    #[inline(always)]
    fn stream(self, b: B) -> [B::V; R] {
        let mut z = [b.zero(); R];
        for j in 0..R {
            let s = self.0[j];
            z[j] = b.xor(b.xor(s[4], b.and(s[2], s[3])), b.xor(s[1], s[5]));
        }
        z
    }

    /// S0' = R(S5, S0) ^ m, as R(S5, m) ^ S0: S0 waits for no AESENC of its own.
    #[inline(always)]
    fn update(self, b: B, m: [B::V; R], late: [B::V; R]) -> Self {
        let mut t = self.0;
        for j in 0..R {
            let s = self.0[j];
            t[j] = b.round([s[5], s[0], s[1], s[2], s[3], s[4]], [m[j], s[1], s[2], s[3], s[4], s[5]]);
            t[j][0] = b.xor(t[j][0], b.xor(s[0], late[j]));
            if D == 1 && R > 1 {
                t[j][0] = in_turn(b, t[j][0]);
            }
        }
        Self(t)
    }

    #[inline(always)]
    fn finish(self, b: B, lengths: [B::V; R]) -> Self {
        let mut m = lengths;
        for j in 0..R {
            m[j] = b.xor(self.0[j][3], lengths[j]);
        }
        let mut s = self;
        for _ in 0..7 {
            s = s.update(b, m, [b.zero(); R]);
        }
        s
    }

    #[inline(always)]
    fn tag128(self, b: B) -> [B::V; R] {
        let [mut t, half] = self.tag256(b);
        for j in 0..R {
            t[j] = b.xor(t[j], half[j]);
        }
        t
    }

    #[inline(always)]
    fn tag256(self, b: B) -> [[B::V; R]; 2] {
        let mut t = [[b.zero(); R]; 2];
        for j in 0..R {
            let s = self.0[j];
            t[0][j] = b.xor(b.xor(s[0], s[1]), s[2]);
            t[1][j] = b.xor(b.xor(s[3], s[4]), s[5]);
        }
        t
    }

    #[inline(always)]
    fn select(self, b: B, other: Self, mask: [B::V; R]) -> Self {
        let mut t = self.0;
        for j in 0..R {
            for i in 0..6 {
                t[j][i] = choose(b, t[j][i], other.0[j][i], mask[j]);
            }
        }
        Self(t)
    }
}
