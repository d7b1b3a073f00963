//! The software tier's [`Backend`]: registers of one block. Its operations are calls
//! wherever they take more than a few instructions: a kernel has hundreds of places for
//! them, and a call costs little beside a cipher of hundreds of cycles.

use super::bitslice::{self, GROUP};
use super::expand;
use super::halves::{halves, whole};
use super::word::Word;
use crate::cpu::backend::{Aes, Backend, Door, Interleave, Kernel, Keys, Schedule, first_round, middle};
use crate::cpu::bytes::Block;
use crate::memory::stack::clear_stack;
use core::marker::PhantomData;
use zeroize::optimization_barrier;

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

/// A cipher of `bitslice.rs`: blocks, first, middle and last keys.
type Cipher<V> = fn(&mut [V], &[V], &[V], &[V]);

/// `cipher` with keys for `N` registers; between the first and the last are `M`, of each `EACH`:
/// one for all registers or one for each.
#[inline(always)]
fn keyed<W: Word, K: Keys<Bitsliced<W>>, const N: usize, const M: usize, const EACH: usize>(
    k: &K,
    x: &mut [W::V; N],
    cipher: Cipher<W::V>,
) {
    let b = Bitsliced::<W>::TOKEN;
    let mut keys = ([b.zero(); N], [[b.zero(); EACH]; M], [b.zero(); N]);
    for j in 0..N {
        keys.0[j] = k.get(b, 0, j);
        keys.2[j] = k.get(b, K::ROUNDS, j);
    }
    for r in 0..M {
        for j in 0..EACH {
            keys.1[r][j] = k.get(b, r + 1, j);
        }
    }
    let first = first_round(k.leaves_out_two());
    cipher(x, &keys.0, keys.1[first - 1..].as_flattened(), &keys.2);
    // A whole schedule, laid out in memory for a call: see `wipe.rs`.
    keys = ([b.zero(); N], [[b.zero(); EACH]; M], [b.zero(); N]);
    optimization_barrier(&keys);
}

/// The cipher or its inverse (`DEC`). A call, of which there is one for each kind of keys:
/// a kernel calls it in many places. The compiler makes code only of what matches.
#[inline(never)]
fn run<W: Word, K: Keys<Bitsliced<W>>, const N: usize, const DEC: bool>(k: &K, x: &mut [W::V; N]) {
    if K::SHARED {
        let cipher = if DEC { bitslice::decrypt::<W> } else { bitslice::encrypt::<W> };
        match K::ROUNDS {
            10 => keyed::<W, K, N, 9, 1>(k, x, cipher),
            14 => keyed::<W, K, N, 13, 1>(k, x, cipher),
            _ => unreachable!("schedules have 10 rounds or 14"),
        }
    } else {
        let cipher = if DEC { bitslice::decrypt_each::<W> } else { bitslice::encrypt_each::<W> };
        match K::ROUNDS {
            10 => keyed::<W, K, N, 9, N>(k, x, cipher),
            14 => keyed::<W, K, N, 13, N>(k, x, cipher),
            _ => unreachable!("schedules have 10 rounds or 14"),
        }
    }
}

/// One round of each register.
#[inline(always)]
fn round<W: Word, const N: usize, const LAST: bool>(mut x: [W::V; N], k: [W::V; N]) -> [W::V; N] {
    let mut at = 0;
    while at < N {
        let n = GROUP.min(N - at);
        let mut g = [W::join([0; 2]); GROUP];
        g[..n].copy_from_slice(&x[at..at + n]);
        bitslice::round::<W, LAST>(&mut g[..n.next_multiple_of(W::BLOCKS)]);
        for j in 0..n {
            x[at + j] = W::xor(g[j], k[at + j]);
        }
        at += n;
    }
    x
}

/// What other tiers do between the rounds, before them: a call, because a kernel has it in
/// several places.
#[inline(never)]
fn before<W: Word, G: Interleave<Bitsliced<W>>>(work: &mut G, rounds: usize) {
    for r in 1..rounds {
        work.step(Bitsliced::TOKEN, r);
    }
}

/// Bytes of the stack below a door that are zeroed when its kernel is done: where
/// [`apart`](Apart::apart) and all that it called had their frames.
///
/// Elsewhere, what a kernel has in registers stays there, but for what the compiler spills. Here
/// all of it goes through memory: the operations are calls, which leave no register alone, and
/// take round keys (with a message's masks on them, or without) and powers of hash keys by
/// address. So all of the kernel's stack is treated as an array of key material (`wipe.rs`).
/// `tests/memory/stack.rs` looks whether it is enough.
const CLEARED: usize = 8 << 10;

/// A kernel in a frame of its own, which is below the door's. Like the door it is the
/// kernel's function: see [`Door`].
trait Apart<W: Word>: Kernel {
    fn apart(self) -> Self::Out;
}
impl<W: Word, K: Kernel> Apart<W> for K {
    #[inline(never)]
    fn apart(self) -> K::Out {
        self.run::<Bitsliced<W>, GROUP>(Bitsliced::TOKEN)
    }
}

impl<W: Word> Backend for Bitsliced<W> {
    type V = W::V;
    type One = Self;
    type Two = Self;
    type Wide = Self;
    const BLOCKS: usize = 1;
    const TOGETHER: bool = true;
    const HARDWARE: bool = false;
    const WORDS: bool = W::WORDS;

    #[inline(always)]
    fn one(self) -> Self {
        self
    }
    #[inline(always)]
    fn two(self) -> Self {
        self
    }
    #[inline(always)]
    fn wide(self) -> Self {
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
        dst[..16].copy_from_slice(&self.block(v));
    }
    #[inline(always)]
    fn block(self, v: W::V) -> Block {
        whole(W::split(v)).to_le_bytes()
    }
    #[inline(always)]
    fn begins(self, v: W::V, tag: &[u8]) -> bool {
        W::begins(v, tag)
    }
    #[inline(always)]
    fn load_part(self, src: &[u8]) -> W::V {
        W::load_part(src)
    }
    #[inline(always)]
    fn store_part(self, dst: &mut [u8], v: W::V) {
        W::store_part(dst, v);
    }
    #[inline(always)]
    fn keep(self, v: W::V, n: usize) -> W::V {
        // Often all, and known when this is compiled.
        if n >= 16 { v } else { W::keep(v, n) }
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
        W::rev(v)
    }
    #[inline(always)]
    fn swap(self, v: W::V) -> W::V {
        W::swap(v)
    }
    #[inline(always)]
    fn shl64(self, v: W::V, n: u32) -> W::V {
        W::shl64(v, n)
    }
    #[inline(always)]
    fn shr64(self, v: W::V, n: u32) -> W::V {
        W::shr64(v, n)
    }
    #[inline(always)]
    fn add32(self, a: W::V, b: W::V) -> W::V {
        W::add32(a, b)
    }
    #[inline(always)]
    fn add64(self, a: W::V, b: W::V) -> W::V {
        W::add64(a, b)
    }
    #[inline(always)]
    fn add128(self, a: W::V, n: W::V) -> W::V {
        W::add128(a, n)
    }
    #[inline(always)]
    fn rol32<const N: i32>(self, v: W::V) -> W::V {
        W::rol32::<N>(v)
    }
    #[inline(always)]
    fn turn32<const N: usize>(self, v: W::V) -> W::V {
        W::turn32::<N>(v)
    }
    #[inline(always)]
    fn transpose32(self, v: [W::V; 4]) -> [W::V; 4] {
        W::transpose32(v)
    }
    // There is one lane.
    #[inline(always)]
    fn transpose128(self, v: [W::V; 4]) -> [W::V; 4] {
        v
    }
    #[inline(always)]
    fn low_halves(self, a: W::V, b: W::V) -> W::V {
        W::low_halves(a, b)
    }
    #[inline(always)]
    fn high_halves(self, a: W::V, b: W::V) -> W::V {
        W::high_halves(a, b)
    }
    #[inline(always)]
    fn mul32(self, a: W::V, b: W::V) -> W::V {
        W::mul32(a, b)
    }
    #[inline(always)]
    fn clmul<const IMM: i32>(self, a: W::V, b: W::V) -> W::V {
        W::clmul::<IMM>(a, b)
    }
    #[inline(always)]
    fn round<const N: usize>(self, x: [W::V; N], k: [W::V; N]) -> [W::V; N] {
        round::<W, N, false>(x, k)
    }
    #[inline(always)]
    fn last_round<const N: usize>(self, x: [W::V; N], k: [W::V; N]) -> [W::V; N] {
        round::<W, N, true>(x, k)
    }
    #[inline(always)]
    fn encrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [W::V; N]) {
        run::<W, K, N, false>(k, x);
    }
    #[inline(always)]
    fn encrypt_interleaved<K: Keys<Self>, G: Interleave<Self>, const N: usize>(
        self,
        k: &K,
        x: &mut [W::V; N],
        work: &mut G,
    ) {
        before(work, K::ROUNDS);
        self.encrypt(k, x);
    }
    #[inline(always)]
    fn decrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [W::V; N]) {
        run::<W, K, N, true>(k, x);
    }
    #[inline(always)]
    fn expand<A: Aes>(self, key: &[u8], enc: &mut A::Enc) {
        expand::expand::<W>(&key[..A::KEY_LEN], &mut enc.keys_mut()[..A::ROUNDS + 1]);
        #[cfg(test)]
        crate::testing::broken("soft", enc.keys_mut());
        enc.set_rounds(A::ROUNDS);
    }
    #[inline(always)]
    fn invert<A: Aes>(self, enc: &A::Enc, dec: &mut A::Dec) {
        // The slices take the keys of the cipher itself, last first.
        for (key, d) in middle::<A>(enc, dec) {
            *d = *key;
        }
    }
}

impl<W: Word, K: Kernel> Door<Bitsliced<W>> for K {
    #[allow(unsafe_code)]
    unsafe fn door(self) -> K::Out {
        let out = Apart::<W>::apart(self);
        clear_stack::<CLEARED>();
        out
    }
}
