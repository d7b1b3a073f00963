//! The software tier: AES and carry-less multiplication without instructions
//! made for them, in constant time. No table is indexed by a secret, no branch
//! taken on one.
//!
//! A register is one block. The cipher gathers eight of them (a *group*) into
//! bit slices, does all rounds there and gives them back (`bitslice.rs`), so a
//! call for one block takes as long as a call for eight.

mod bitslice;
mod clmul;
mod expand;
mod sbox;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
mod sse2;
mod word64;

use super::backend::{Aes, Backend, Kernel, Keys, Schedule};
use super::bytes::Block;
use bitslice::{GROUP, Group, Halves, Word};
use core::marker::PhantomData;
use zeroize::optimization_barrier;

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

/// A block as one number.
#[inline(always)]
fn whole(v: Halves) -> u128 {
    (v[1] as u128) << 64 | v[0] as u128
}
/// The inverse of `whole`.
#[inline(always)]
fn halves(v: u128) -> Halves {
    [v as u64, (v >> 64) as u64]
}

/// The bytes of a register.
#[inline(always)]
fn bytes<W: Word>(v: W::V) -> Block {
    whole(W::split(v)).to_le_bytes()
}

/// Blocks of a group that are worked on when `n` are wanted.
#[inline(always)]
fn padded<W: Word>(n: usize) -> usize {
    n.next_multiple_of(W::BLOCKS)
}

/// The whole cipher, a group at a time, between the first and the last key:
/// `shared` takes the middle keys if there is one for all blocks, `each` if every
/// block has its own.
#[inline(always)]
fn cipher<W: Word, K: Keys<Bitsliced<W>>, const N: usize>(
    b: Bitsliced<W>,
    k: &K,
    x: &mut [W::V; N],
    shared: fn(&mut [W::V], &[W::V]),
    each: fn(&mut [W::V], &[Group<W>]),
) {
    let middle = K::ROUNDS - 1;
    let mut one = [b.zero(); MAX_ROUNDS - 1];
    if K::SHARED {
        for r in 0..middle {
            one[r] = k.get(b, r + 1, 0);
        }
    }
    let mut at = 0;
    while at < N {
        let n = GROUP.min(N - at);
        let mut g = [b.zero(); GROUP];
        for j in 0..n {
            g[j] = b.xor(x[at + j], k.get(b, 0, at + j));
        }
        if K::SHARED {
            shared(&mut g[..padded::<W>(n)], &one[..middle]);
        } else {
            let mut own = [[b.zero(); GROUP]; MAX_ROUNDS - 1];
            for r in 0..middle {
                for j in 0..n {
                    own[r][j] = k.get(b, r + 1, at + j);
                }
            }
            each(&mut g[..padded::<W>(n)], &own[..middle]);
            own = [[b.zero(); GROUP]; MAX_ROUNDS - 1];
            optimization_barrier(&own);
        }
        for j in 0..n {
            x[at + j] = b.xor(g[j], k.get(b, K::ROUNDS, at + j));
        }
        at += n;
    }
    // Here round keys lie in arrays: see `wipe.rs`.
    one = [b.zero(); MAX_ROUNDS - 1];
    optimization_barrier(&one);
}

/// The top bit of each 32-bit word.
const TOPS: u64 = 0x8000_0000_8000_0000;

impl<W: Word> Backend for Bitsliced<W> {
    type V = W::V;
    type One = Self;
    type Two = Self;
    const BLOCKS: usize = 1;
    const TOGETHER: bool = true;
    const WORDS: bool = false;

    #[inline(always)]
    fn one(self) -> Self {
        self
    }
    #[inline(always)]
    fn two(self) -> Self {
        self
    }
    #[inline(always)]
    fn load(self, src: &[u8]) -> W::V {
        let mut t = [0; 16];
        t.copy_from_slice(&src[..16]);
        self.splat(&t)
    }
    #[inline(always)]
    fn store(self, dst: &mut [u8], v: W::V) {
        dst[..16].copy_from_slice(&bytes::<W>(v));
    }
    #[inline(always)]
    fn load_part(self, src: &[u8]) -> W::V {
        let mut t = [0; 16];
        let n = src.len().min(16);
        t[..n].copy_from_slice(&src[..n]);
        self.splat(&t)
    }
    #[inline(always)]
    fn store_part(self, dst: &mut [u8], v: W::V) {
        let n = dst.len().min(16);
        dst[..n].copy_from_slice(&bytes::<W>(v)[..n]);
    }
    #[inline(always)]
    fn keep(self, v: W::V, n: usize) -> W::V {
        if n >= 16 { v } else { W::join(halves(whole(W::split(v)) & ((1 << (8 * n)) - 1))) }
    }
    #[inline(always)]
    fn splat(self, b: &Block) -> W::V {
        W::join(halves(u128::from_le_bytes(*b)))
    }
    #[inline(always)]
    fn widen(self, v: W::V) -> W::V {
        v
    }
    #[inline(always)]
    fn fold(self, v: W::V) -> W::V {
        v
    }
    #[inline(always)]
    fn with_top(self, _: W::V, top: W::V) -> W::V {
        top
    }
    #[inline(always)]
    fn top(self, v: W::V) -> W::V {
        v
    }
    #[inline(always)]
    fn join(self, lanes: [W::V; 4]) -> W::V {
        lanes[0]
    }
    #[inline(always)]
    fn split(self, v: W::V) -> [W::V; 4] {
        [v; 4]
    }
    #[inline(always)]
    fn zero(self) -> W::V {
        W::join([0; 2])
    }
    #[inline(always)]
    fn xor(self, a: W::V, b: W::V) -> W::V {
        W::xor(a, b)
    }
    #[inline(always)]
    fn and(self, a: W::V, b: W::V) -> W::V {
        W::and(a, b)
    }
    #[inline(always)]
    fn rev(self, v: W::V) -> W::V {
        let [low, high] = W::split(v);
        W::join([high.swap_bytes(), low.swap_bytes()])
    }
    #[inline(always)]
    fn swap(self, v: W::V) -> W::V {
        let [low, high] = W::split(v);
        W::join([high, low])
    }
    #[inline(always)]
    fn shl64(self, v: W::V, n: u32) -> W::V {
        let [low, high] = W::split(v);
        W::join([low.checked_shl(n).unwrap_or(0), high.checked_shl(n).unwrap_or(0)])
    }
    #[inline(always)]
    fn shr64(self, v: W::V, n: u32) -> W::V {
        let [low, high] = W::split(v);
        W::join([low.checked_shr(n).unwrap_or(0), high.checked_shr(n).unwrap_or(0)])
    }
    #[inline(always)]
    fn add32(self, a: W::V, b: W::V) -> W::V {
        // The top bits are added apart, where their carries are lost.
        let (mut z, b) = (W::split(a), W::split(b));
        for i in 0..2 {
            z[i] = ((z[i] & !TOPS) + (b[i] & !TOPS)) ^ ((z[i] ^ b[i]) & TOPS);
        }
        W::join(z)
    }
    #[inline(always)]
    fn add64(self, a: W::V, b: W::V) -> W::V {
        let (a, b) = (W::split(a), W::split(b));
        W::join([a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])])
    }
    #[inline(always)]
    fn add128(self, a: W::V, n: W::V) -> W::V {
        W::join(halves(whole(W::split(a)).wrapping_add(whole(W::split(n)))))
    }
    #[inline(always)]
    fn clmul<const IMM: i32>(self, a: W::V, b: W::V) -> W::V {
        W::clmul::<IMM>(a, b)
    }
    #[inline(always)]
    fn round<const N: usize>(self, mut x: [W::V; N], k: [W::V; N]) -> [W::V; N] {
        let mut at = 0;
        while at < N {
            let n = GROUP.min(N - at);
            let mut g = [self.zero(); GROUP];
            g[..n].copy_from_slice(&x[at..at + n]);
            bitslice::round::<W>(&mut g[..padded::<W>(n)]);
            for j in 0..n {
                x[at + j] = self.xor(g[j], k[at + j]);
            }
            at += n;
        }
        x
    }
    #[inline(always)]
    fn encrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [W::V; N]) {
        cipher::<W, K, N>(self, k, x, bitslice::encrypt::<W>, bitslice::encrypt_each::<W>);
    }
    #[inline(always)]
    fn decrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [W::V; N]) {
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
    #[allow(unsafe_code)]
    unsafe fn door<K: Kernel>(kernel: K) -> K::Out {
        kernel.run::<Self, GROUP>(Self::TOKEN)
    }
}
