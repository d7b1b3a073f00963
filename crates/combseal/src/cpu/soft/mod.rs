//! The software tier: AES and carry-less multiplication without instructions
//! made for them, in constant time. No table is indexed by a secret, no branch
//! taken on one.
//!
//! A register is one block, as two little-endian halves. The cipher gathers
//! eight of them (a *group*) into bit slices, does all rounds there and gives
//! them back (`bitslice.rs`), so that a call for one block takes as long as a
//! call for eight.

mod bitslice;
mod clmul;
mod expand;
mod sbox;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
mod sse2;
mod word64;

use super::{Aes, Backend, Block, Kernel, Keys, Schedule};
use bitslice::{GROUP, V, Word};
use core::marker::PhantomData;

/// The software tier's token: vector registers where every CPU of the target
/// has them, 64-bit words elsewhere.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub type Soft = Bitsliced<sse2::Word128>;
/// The software tier's token.
#[cfg(not(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2")))]
pub type Soft = Bitsliced<u64>;
/// The token of the tier that any machine could have, for tests and studies.
#[cfg(feature = "models")]
pub type Soft64 = Bitsliced<u64>;

/// The most rounds of any AES.
const MAX_ROUNDS: usize = 14;

/// A software backend whose bit slices are `W`s.
pub struct Bitsliced<W>(PhantomData<W>);

impl<W> Clone for Bitsliced<W> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<W> Copy for Bitsliced<W> {}

impl<W> Bitsliced<W> {
    /// Every machine can run it.
    pub const TOKEN: Self = Self(PhantomData);
    /// As `TOKEN`.
    #[inline]
    pub fn detect() -> Option<Self> {
        Some(Self::TOKEN)
    }
}

/// A register as one number.
#[inline(always)]
fn whole(v: V) -> u128 {
    (v[1] as u128) << 64 | v[0] as u128
}
/// The inverse of `whole`.
#[inline(always)]
fn halves(v: u128) -> V {
    [v as u64, (v >> 64) as u64]
}

/// The bytes of a register.
#[inline(always)]
fn bytes(v: V) -> Block {
    whole(v).to_le_bytes()
}

/// Blocks of a group that are worked on when `n` registers are left.
#[inline(always)]
fn padded<W: Word>(n: usize) -> usize {
    if n >= GROUP { GROUP } else { n.next_multiple_of(W::BLOCKS) }
}

/// The whole cipher: `shared` or `each`, between the first and the last key.
#[inline(always)]
fn cipher<W: Word, K: Keys<Bitsliced<W>>, const N: usize>(
    b: Bitsliced<W>,
    k: &K,
    x: &mut [V; N],
    shared: fn(&mut [V], &[V]),
    each: fn(&mut [V], &[[V; GROUP]]),
) {
    let middle = K::ROUNDS - 1;
    let mut keys = [[0; 2]; MAX_ROUNDS - 1];
    if K::SHARED {
        for r in 0..middle {
            keys[r] = k.get(b, r + 1, 0);
        }
    }
    let mut at = 0;
    while at < N {
        let mut g = [[0; 2]; GROUP];
        for j in at..N.min(at + GROUP) {
            g[j - at] = b.xor(x[j], k.get(b, 0, j));
        }
        let part = &mut g[..padded::<W>(N - at)];
        if K::SHARED {
            shared(part, &keys[..middle]);
        } else {
            let mut keys = [[[0; 2]; GROUP]; MAX_ROUNDS - 1];
            for r in 0..middle {
                for j in at..N.min(at + GROUP) {
                    keys[r][j - at] = k.get(b, r + 1, j);
                }
            }
            each(part, &keys[..middle]);
        }
        for j in at..N.min(at + GROUP) {
            x[j] = b.xor(g[j - at], k.get(b, K::ROUNDS, j));
        }
        at += GROUP;
    }
}

/// The top bit of each 32-bit word.
const TOPS: u64 = 0x8000_0000_8000_0000;

impl<W: Word> Backend for Bitsliced<W> {
    type V = [u64; 2];
    type One = Self;
    type Two = Self;
    const BLOCKS: usize = 1;

    #[inline(always)]
    fn one(self) -> Self {
        self
    }
    #[inline(always)]
    fn two(self) -> Self {
        self
    }
    #[inline(always)]
    fn load(self, src: &[u8]) -> V {
        let mut t = [0; 16];
        t.copy_from_slice(&src[..16]);
        self.splat(&t)
    }
    #[inline(always)]
    fn store(self, dst: &mut [u8], v: V) {
        dst[..16].copy_from_slice(&bytes(v));
    }
    #[inline(always)]
    fn load_part(self, src: &[u8]) -> V {
        let mut t = [0; 16];
        let n = src.len().min(16);
        t[..n].copy_from_slice(&src[..n]);
        self.splat(&t)
    }
    #[inline(always)]
    fn store_part(self, dst: &mut [u8], v: V) {
        let n = dst.len().min(16);
        dst[..n].copy_from_slice(&bytes(v)[..n]);
    }
    #[inline(always)]
    fn keep(self, v: V, n: usize) -> V {
        if n >= 16 { v } else { halves(whole(v) & ((1 << (8 * n)) - 1)) }
    }
    #[inline(always)]
    fn splat(self, b: &Block) -> V {
        halves(u128::from_le_bytes(*b))
    }
    #[inline(always)]
    fn widen(self, v: V) -> V {
        v
    }
    #[inline(always)]
    fn fold(self, v: V) -> V {
        v
    }
    #[inline(always)]
    fn with_top(self, _: V, top: V) -> V {
        top
    }
    #[inline(always)]
    fn top(self, v: V) -> V {
        v
    }
    #[inline(always)]
    fn zero(self) -> V {
        [0; 2]
    }
    #[inline(always)]
    fn xor(self, a: V, b: V) -> V {
        [a[0] ^ b[0], a[1] ^ b[1]]
    }
    #[inline(always)]
    fn and(self, a: V, b: V) -> V {
        [a[0] & b[0], a[1] & b[1]]
    }
    #[inline(always)]
    fn rev(self, v: V) -> V {
        [v[1].swap_bytes(), v[0].swap_bytes()]
    }
    #[inline(always)]
    fn swap(self, v: V) -> V {
        [v[1], v[0]]
    }
    #[inline(always)]
    fn shl64(self, v: V, n: u32) -> V {
        [v[0].checked_shl(n).unwrap_or(0), v[1].checked_shl(n).unwrap_or(0)]
    }
    #[inline(always)]
    fn shr64(self, v: V, n: u32) -> V {
        [v[0].checked_shr(n).unwrap_or(0), v[1].checked_shr(n).unwrap_or(0)]
    }
    #[inline(always)]
    fn add32(self, a: V, b: V) -> V {
        // The top bits are added apart, where their carries are lost.
        let mut z = [0; 2];
        for i in 0..2 {
            z[i] = ((a[i] & !TOPS) + (b[i] & !TOPS)) ^ ((a[i] ^ b[i]) & TOPS);
        }
        z
    }
    #[inline(always)]
    fn add64(self, a: V, b: V) -> V {
        [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])]
    }
    #[inline(always)]
    fn add128(self, a: V, n: V) -> V {
        halves(whole(a).wrapping_add(whole(n)))
    }
    #[inline(always)]
    fn clmul<const IMM: i32>(self, a: V, b: V) -> V {
        halves(clmul::clmul(a[(IMM & 1) as usize], b[(IMM >> 4 & 1) as usize]))
    }
    #[inline(always)]
    fn round<const N: usize>(self, mut x: [V; N], k: [V; N]) -> [V; N] {
        let mut at = 0;
        while at < N {
            let mut g = [[0; 2]; GROUP];
            for j in at..N.min(at + GROUP) {
                g[j - at] = x[j];
            }
            bitslice::round::<W>(&mut g[..padded::<W>(N - at)]);
            for j in at..N.min(at + GROUP) {
                x[j] = self.xor(g[j - at], k[j]);
            }
            at += GROUP;
        }
        x
    }
    #[inline(always)]
    fn encrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [V; N]) {
        cipher::<W, K, N>(self, k, x, bitslice::encrypt::<W>, bitslice::encrypt_each::<W>);
    }
    #[inline(always)]
    fn decrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [V; N]) {
        cipher::<W, K, N>(self, k, x, bitslice::decrypt::<W>, bitslice::decrypt_each::<W>);
    }
    #[inline(always)]
    fn expand<A: Aes>(self, key: &[u8], enc: &mut A::Enc) {
        expand::expand::<W>(&key[..A::KEY_LEN], enc.keys_mut());
    }
    #[inline(always)]
    fn invert<A: Aes>(self, enc: &A::Enc, dec: &mut A::Dec) {
        // The slices take the keys of the cipher itself, last first.
        for (i, d) in dec.keys_mut().iter_mut().enumerate() {
            *d = *enc.key(A::ROUNDS - 1 - i);
        }
    }
    #[inline(always)]
    fn enter<K: Kernel>(self, kernel: K) -> K::Out {
        kernel.run::<Self, GROUP>(self)
    }
}
