//! The walk over the blocks (Krovetz and Rogaway 2021, Fig. 1, lines 100-10K
//! and 130-14A), for any backend.
//!
//! Offsets travel as round keys: `E(M ^ D) ^ D` is one AES whose first and last
//! keys are `rk ^ D`. In a long message the offsets of a group are the group's
//! base XOR a fixed table, and each is made twice from it rather than kept:
//! with 16 registers, eight blocks in flight leave no room for eight offsets.
//! The rest of a message, its pad and its tag do not wait for each other.

use super::{Masks, Ocb3, nonce};
use crate::cpu::{Aes, Backend, Dec, Enc, Kernel, Keys, equal};
use crate::lanes::InOut;

/// Seals; writes the tag.
pub(super) struct Seal<'a, A: Aes> {
    pub key: &'a Ocb3<A>,
    pub cache: Option<&'a mut nonce::Cache>,
    pub nonce: &'a [u8],
    pub ad: &'a [u8],
    pub io: InOut<'a>,
    pub tag: &'a mut [u8],
}

/// Decrypts; says whether the tag is right.
pub(super) struct Open<'a, A: Aes> {
    pub key: &'a Ocb3<A>,
    pub cache: Option<&'a mut nonce::Cache>,
    pub nonce: &'a [u8],
    pub ad: &'a [u8],
    pub io: InOut<'a>,
    pub tag: &'a [u8],
}

impl<A: Aes> Kernel for Seal<'_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(mut self, b: B) {
        let (key, one) = (self.key, b.one());
        let offset = nonce::initial(one, key, self.cache.as_deref_mut(), self.nonce);
        let auth = auth::<A, B, N>(b, key, self.cache, self.ad);
        let mut walk = Walk::new(b, &key.masks, offset);
        let mut io = self.io;
        walk.whole::<Enc<A::Enc>, N, true>(&Enc(&key.enc), &mut io);
        let mut sum = b.fold(walk.sum);
        if io.is_empty() {
            let offset = one.xor(walk.offset, one.splat(key.masks.dollar()));
            let mut x = [sum];
            let keys = Masked { keys: Enc(&key.enc), first: [offset], last: [auth] };
            one.encrypt(&keys, &mut x);
            one.store_part(self.tag, x[0]);
        } else {
            let rest = io.load_part(one);
            sum = one.xor(sum, one.xor(rest, one.load(pad(io.len()))));
            let star = one.xor(walk.offset, one.splat(key.masks.star()));
            let offset = one.xor(star, one.splat(key.masks.dollar()));
            // The pad and the tag, in one pass.
            let mut x = [one.zero(), sum];
            let keys = Masked { keys: Enc(&key.enc), first: [star, offset], last: [rest, auth] };
            one.encrypt(&keys, &mut x);
            io.store_part(one, x[0]);
            one.store_part(self.tag, x[1]);
        }
    }
}

impl<A: Aes> Kernel for Open<'_, A> {
    type Out = bool;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(mut self, b: B) -> bool {
        let (key, one) = (self.key, b.one());
        let offset = nonce::initial(one, key, self.cache.as_deref_mut(), self.nonce);
        let auth = auth::<A, B, N>(b, key, self.cache, self.ad);
        let mut walk = Walk::new(b, &key.masks, offset);
        let mut io = self.io;
        walk.whole::<Dec<A::Enc, A::Dec>, N, false>(&Dec(&key.enc, &key.dec), &mut io);
        let mut sum = b.fold(walk.sum);
        let mut offset = walk.offset;
        if !io.is_empty() {
            let n = io.len();
            offset = one.xor(offset, one.splat(key.masks.star()));
            let mut x = [one.zero()];
            let keys = Masked { keys: Enc(&key.enc), first: [offset], last: [io.load_part(one)] };
            one.encrypt(&keys, &mut x);
            io.store_part(one, x[0]);
            sum = one.xor(sum, one.xor(one.keep(x[0], n), one.load(pad(n))));
        }
        offset = one.xor(offset, one.splat(key.masks.dollar()));
        let mut x = [sum];
        let keys = Masked { keys: Enc(&key.enc), first: [offset], last: [auth] };
        one.encrypt(&keys, &mut x);
        let mut tag = [0; 16];
        one.store(&mut tag, x[0]);
        equal(&tag[..self.tag.len()], self.tag)
    }
}

/// HASH(A), from the cache if it is there.
#[inline(always)]
fn auth<A: Aes, B: Backend, const N: usize>(
    b: B,
    key: &Ocb3<A>,
    cache: Option<&mut nonce::Cache>,
    ad: &[u8],
) -> <B::One as Backend>::V {
    let one = b.one();
    if ad.is_empty() {
        return one.zero();
    }
    let Some(cache) = cache else { return hash::<A, B, N>(b, key, ad) };
    if let Some(hash) = cache.hash(ad) {
        return one.load(hash);
    }
    let sum = hash::<A, B, N>(b, key, ad);
    let mut bytes = [0; 16];
    one.store(&mut bytes, sum);
    cache.keep(ad, bytes);
    sum
}

/// HASH(A) (lines 140-14A).
#[inline(always)]
fn hash<A: Aes, B: Backend, const N: usize>(b: B, key: &Ocb3<A>, mut ad: &[u8]) -> <B::One as Backend>::V {
    let one = b.one();
    let mut walk = Walk::new(b, &key.masks, one.zero());
    let keys = Enc(&key.enc);
    while let Some((group, rest)) = ad.split_at_checked(N * B::BYTES) {
        let mut x = [b.zero(); N];
        let mut d = [b.zero(); N];
        for j in 0..N {
            d[j] = walk.step();
            x[j] = b.load(&group[j * B::BYTES..]);
        }
        b.encrypt(&Masked { keys, first: d, last: [b.zero(); N] }, &mut x);
        for j in 0..N {
            walk.sum = b.xor(walk.sum, x[j]);
        }
        ad = rest;
    }
    while let Some((group, rest)) = ad.split_at_checked(B::BYTES) {
        let mut x = [b.load(group)];
        b.encrypt(&Masked { keys, first: [walk.step()], last: [b.zero()] }, &mut x);
        walk.sum = b.xor(walk.sum, x[0]);
        ad = rest;
    }
    if B::BLOCKS > 1 && ad.len() >= 16 {
        let (few, rest) = ad.split_at(ad.len() & !15);
        let mut x = [b.load_part(few)];
        b.encrypt(&Masked { keys, first: [walk.part(few.len())], last: [b.zero()] }, &mut x);
        walk.sum = b.xor(walk.sum, b.keep(x[0], few.len()));
        ad = rest;
    }
    let mut sum = b.fold(walk.sum);
    if !ad.is_empty() {
        let star = one.xor(walk.offset, one.splat(key.masks.star()));
        let mut x = [one.xor(one.load_part(ad), one.load(pad(ad.len())))];
        one.encrypt(&Masked { keys, first: [star], last: [sum] }, &mut x);
        sum = x[0];
    }
    sum
}

/// 0x80 at byte `n`, below 16.
#[inline(always)]
fn pad(n: usize) -> &'static [u8] {
    static PADS: [u8; 32] = {
        let mut t = [0; 32];
        t[16] = 0x80;
        t
    };
    &PADS[16 - (n & 15)..]
}

/// A place in a message: the last block's offset and number, and the checksum.
struct Walk<'a, B: Backend> {
    b: B,
    masks: &'a Masks,
    offset: <B::One as Backend>::V,
    blocks: usize,
    sum: B::V,
}

impl<'a, B: Backend> Walk<'a, B> {
    #[inline(always)]
    fn new(b: B, masks: &'a Masks, offset: <B::One as Backend>::V) -> Self {
        Self { b, masks, offset, blocks: 0, sum: b.zero() }
    }

    /// The offsets of the next register's blocks; goes on to the last of them.
    /// The blocks before are a multiple of `BLOCKS`.
    #[inline(always)]
    fn step(&mut self) -> B::V {
        let (b, one) = (self.b, self.b.one());
        let group = b.widen(self.offset);
        self.blocks += B::BLOCKS;
        if B::BLOCKS > 1 {
            self.offset = one.xor(self.offset, one.splat(self.masks.within(B::BLOCKS - 1)));
        }
        let l = self.masks.l(self.blocks.trailing_zeros());
        self.offset = one.xor(self.offset, one.splat(&l));
        if B::BLOCKS == 1 {
            return b.widen(self.offset);
        }
        b.with_top(b.xor(group, b.load(self.masks.pattern())), self.offset)
    }

    /// The offsets of the last `bytes / 16` blocks, less than a register of them.
    #[inline(always)]
    fn part(&mut self, bytes: usize) -> B::V {
        let (b, one) = (self.b, self.b.one());
        let group = b.widen(self.offset);
        self.offset = one.xor(self.offset, one.splat(self.masks.within(bytes / 16)));
        b.xor(group, b.load(self.masks.pattern()))
    }

    /// All whole blocks of `io`; leaves the rest. `SEAL` encrypts.
    #[inline(always)]
    fn whole<K: Keys<B> + Copy, const N: usize, const SEAL: bool>(&mut self, keys: &K, io: &mut InOut<'_>) {
        if io.len() >= N * B::BYTES {
            self.groups::<K, N, SEAL>(keys, io);
        }
        if B::BLOCKS == 1 {
            while let Some(mut part) = io.take(4 * B::BYTES) {
                self.pass::<K, 4, SEAL>(keys, &mut part);
            }
        }
        while let Some(mut part) = io.take(B::BYTES) {
            self.pass::<K, 1, SEAL>(keys, &mut part);
        }
        if B::BLOCKS > 1
            && io.len() >= 16
            && let Some(mut part) = io.take(io.len() & !15)
        {
            let b = self.b;
            let d = self.part(part.len());
            let p = part.load_part(b);
            let mut x = [p];
            crypt::<B, _, 1, SEAL>(b, &Masked { keys: *keys, first: [d], last: [d] }, &mut x);
            self.sum = b.xor(self.sum, if SEAL { p } else { b.keep(x[0], part.len()) });
            part.store_part(b, x[0]);
        }
    }

    /// Groups of `N` registers.
    #[inline(always)]
    fn groups<K: Keys<B> + Copy, const N: usize, const SEAL: bool>(&mut self, keys: &K, io: &mut InOut<'_>) {
        let (b, one) = (self.b, self.b.one());
        const { assert!(N.is_power_of_two(), "groups must be aligned") };
        // How far each block of a group is from the group's base: a walk from
        // zero. The last block goes L[ntz] further, which depends on the group.
        let mut from_zero = Walk::new(b, self.masks, one.zero());
        let mut table = [b.zero(); N];
        let mut before_last = one.zero();
        for j in 0..N {
            if B::BLOCKS == 1 {
                before_last = from_zero.offset;
            } else if j == N - 1 {
                before_last = one.xor(from_zero.offset, one.splat(self.masks.within(B::BLOCKS - 1)));
            }
            table[j] = from_zero.step();
        }
        while let Some(mut group) = io.take(N * B::BYTES) {
            self.blocks += N * B::BLOCKS;
            let l = self.masks.l(self.blocks.trailing_zeros());
            let next = one.xor(one.xor(self.offset, before_last), one.splat(&l));
            let base = b.widen(self.offset);
            self.offset = next;
            let mut x = [b.zero(); N];
            for j in 0..N {
                x[j] = group.load(b, j * B::BYTES);
                if SEAL {
                    self.sum = b.xor(self.sum, x[j]);
                }
            }
            let keys = Grouped {
                first: b.xor(base, keys.get(b, 0, 0)),
                last: b.xor(base, keys.get(b, K::ROUNDS, 0)),
                top: next,
                table: &table,
                keys: *keys,
            };
            crypt::<B, _, N, SEAL>(b, &keys, &mut x);
            for j in 0..N {
                if !SEAL {
                    self.sum = b.xor(self.sum, x[j]);
                }
                group.store(b, j * B::BYTES, x[j]);
            }
        }
    }

    /// `M` registers, the offsets one after another.
    #[inline(always)]
    fn pass<K: Keys<B> + Copy, const M: usize, const SEAL: bool>(&mut self, keys: &K, part: &mut InOut<'_>) {
        let b = self.b;
        let mut x = [b.zero(); M];
        let mut d = [b.zero(); M];
        for j in 0..M {
            d[j] = self.step();
            x[j] = part.load(b, j * B::BYTES);
            if SEAL {
                self.sum = b.xor(self.sum, x[j]);
            }
        }
        crypt::<B, _, M, SEAL>(b, &Masked { keys: *keys, first: d, last: d }, &mut x);
        for j in 0..M {
            if !SEAL {
                self.sum = b.xor(self.sum, x[j]);
            }
            part.store(b, j * B::BYTES, x[j]);
        }
    }
}

/// The cipher or its inverse.
#[inline(always)]
fn crypt<B: Backend, K: Keys<B>, const N: usize, const SEAL: bool>(b: B, keys: &K, x: &mut [B::V; N]) {
    if SEAL {
        b.encrypt(keys, x);
    } else {
        b.decrypt(keys, x);
    }
}

/// Round keys with a mask for each register: before and behind.
struct Masked<B: Backend, K, const N: usize> {
    keys: K,
    first: [B::V; N],
    last: [B::V; N],
}
impl<B: Backend, K: Keys<B>, const N: usize> Keys<B> for Masked<B, K, N> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = self.keys.get(b, r, j);
        if r == 0 {
            b.xor(key, self.first[j])
        } else if r == K::ROUNDS {
            b.xor(key, self.last[j])
        } else {
            key
        }
    }
}

/// Round keys of an aligned group: the masks are the base, which `first` and
/// `last` hold already, and the table; the last block's is `top`.
struct Grouped<'a, B: Backend, K, const N: usize> {
    keys: K,
    first: B::V,
    last: B::V,
    top: <B::One as Backend>::V,
    table: &'a [B::V; N],
}
impl<B: Backend, K: Keys<B>, const N: usize> Grouped<'_, B, K, N> {
    #[inline(always)]
    fn masked(&self, b: B, r: usize, with_base: B::V, j: usize) -> B::V {
        let v = b.xor(with_base, self.table[j]);
        if j < N - 1 {
            return v;
        }
        let key = self.keys.get(b, r, j);
        b.with_top(v, b.one().xor(self.top, b.top(key)))
    }
}
impl<B: Backend, K: Keys<B>, const N: usize> Keys<B> for Grouped<'_, B, K, N> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        if r == 0 {
            self.masked(b, r, self.first, j)
        } else if r == K::ROUNDS {
            self.masked(b, r, self.last, j)
        } else {
            self.keys.get(b, r, j)
        }
    }
}
