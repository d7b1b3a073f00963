//! AES-GCM (NIST SP 800-38D): counter mode and GHASH in one pass.
//!
//! While a group of counters goes through the AES, the group before it (when
//! sealing) or itself (when opening) goes through the hash on units that the
//! AES leaves idle. What is left at the end, at most a group, is hashed with
//! the block of lengths in one reduction.

use crate::aead::{Aead, Error, Limits};
use crate::cpu::{Aes, Answer, Backend, Block, Cpu, Enc, Kernel, Keys, Schedule};
use crate::memory::blank::secret;
use crate::memory::wipe::Wipe;
#[cfg(feature = "alloc")]
use crate::pipeline::jobs::{Holds, Job, Many};
use crate::pipeline::lanes::InOut;
#[cfg(feature = "alloc")]
use crate::pipeline::row::{Parts, Short, row};
use crate::raw::polyval::{Factors, Group, Hash, Powers, ROOM, blocks, karatsuba, times_x};
use crate::scheme::{self, Cache, Keyed, Rare, Relaxed, Scheme};
use core::sync::atomic::{Ordering, compiler_fence};

/// AES-GCM with the AES of size `A`. Tags have 12 to 16 bytes, nonces 12, or another
/// length if the key is told so ([`set_nonce_len`](Self::set_nonce_len)).
#[repr(C, align(64))]
pub struct Gcm<A: Aes> {
    // Tables at multiples of 64 bytes: a load across two cache lines costs two.
    powers: Powers<ROOM>,
    enc: A::Enc,
    nonce_len: u32,
    shortest_nonce: u8,
    tag_len: u8,
    cpu: Cpu,
}
secret!(Gcm<A> { powers, enc, nonce_len, shortest_nonce, tag_len, cpu });

impl<A: Aes> Gcm<A> {
    /// Expands `key` for the best tier of this machine; tags have 16 bytes.
    pub fn new(key: &A::Key) -> Self {
        crate::memory::blank::filled(|it: &mut Self| it.fill(Cpu::detect(), key.as_ref(), 16))
    }

    /// The same with tags of `tag_len` bytes.
    ///
    /// # Errors
    /// [`Error::TagLength`] unless `tag_len` is 12 to 16.
    pub fn with_tag_len(key: &A::Key, tag_len: usize) -> Result<Self, Error> {
        Self::build(Cpu::detect(), key.as_ref(), tag_len)
    }

    /// Everything chosen at run time: the tier, the key in bytes, the tag's length.
    ///
    /// # Errors
    /// [`Error::KeyLength`]; [`Error::TagLength`] unless `tag_len` is 12 to 16.
    pub fn build(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        scheme::build(cpu, key, tag_len)
    }

    /// From now on nonces have `len` bytes, at least 8. SP 800-38D recommends 12; the
    /// first counter of others is a hash, which may coincide with another's.
    ///
    /// # Errors
    /// [`Error::NonceLength`] for fewer; nothing has changed then.
    pub fn set_nonce_len(&mut self, len: usize) -> Result<(), Error> {
        Keyed::set_nonce_len(self, len)
    }

    /// Lets [`set_nonce_len`](Self::set_nonce_len) take 1 to 7 bytes too, as SP 800-38D
    /// does. There are few such nonces, and none may be used twice. For test vectors.
    pub fn hazmat_allow_short_nonces(&mut self) {
        self.shortest_nonce = 1;
    }

    /// With tags of 4 or 8 bytes too. A forgery of `n` blocks against a tag of
    /// `t` bits succeeds with probability `n / 2^t`, and then tells of the key:
    /// keep to SP 800-38D, appendix C, and its limits on what such a key may open.
    ///
    /// # Errors
    /// [`Error::KeyLength`]; [`Error::TagLength`] unless `tag_len` is 4, 8, or 12 to 16.
    pub fn hazmat_build_short_tag(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        scheme::build_short_tag(cpu, key, tag_len)
    }
}

impl<A: Aes> Keyed for Gcm<A> {
    const END: usize = core::mem::offset_of!(Self, cpu) + size_of::<Cpu>();
    const SHORT_TAGS: &'static [usize] = &[8, 4];

    fn takes(key_len: usize, tag_len: usize) -> Result<(), Error> {
        match (key_len, tag_len) {
            (n, _) if n != A::KEY_LEN => Err(Error::KeyLength),
            (_, 12..=16) => Ok(()),
            _ => Err(Error::TagLength),
        }
    }

    #[inline(always)]
    fn fill(&mut self, cpu: Cpu, key: &[u8], tag_len: usize) {
        self.cpu = cpu;
        self.tag_len = tag_len as u8;
        (self.nonce_len, self.shortest_nonce) = (12, 8);
        cpu.run(Setup { key, into: self });
    }

    fn set_nonce_len(&mut self, len: usize) -> Result<(), Error> {
        match u32::try_from(len) {
            Ok(n) if n >= self.shortest_nonce.into() => self.nonce_len = n,
            _ => return Err(Error::NonceLength),
        }
        Ok(())
    }

    fn relax(&mut self, rule: Relaxed) -> Result<(), Error> {
        match rule {
            Relaxed::ShortNonces => self.hazmat_allow_short_nonces(),
            _ => return Err(Error::Unsupported),
        }
        Ok(())
    }
}

/// SP 800-38D, sect. 5.2.1.1: 2^39 - 256 bits.
const MESSAGE: u64 = (1 << 36) - 32;
/// The same: 2^64 - 1 bits.
const AD: u64 = (1 << 61) - 1;

struct Setup<'a, A: Aes> {
    key: &'a [u8],
    into: &'a mut Gcm<A>,
}
impl<A: Aes> Kernel for Setup<'_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let one = b.one();
        one.expand::<A>(self.key, &mut self.into.enc);
        let mut x = [one.zero()];
        one.encrypt(&Enc(&self.into.enc), &mut x);
        let mut block = [0; 16];
        one.store(&mut block, one.rev(x[0]));
        block = times_x(block);
        let h = one.load(&block);
        block.wipe();
        self.into.powers.fill::<B, N>(b, h, N * B::BLOCKS + 1);
    }
}

struct Seal<'a, A: Aes> {
    key: &'a Gcm<A>,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
}
impl<A: Aes> Kernel for Seal<'_, A> {
    type Out = Answer;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Answer {
        b.one().answer(whole::<A, B, N, true>(b, self.key, self.nonce, self.ad, self.io))
    }
}

struct Open<'a, A: Aes> {
    key: &'a Gcm<A>,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
    tag: &'a [u8],
}
impl<A: Aes> Kernel for Open<'_, A> {
    type Out = bool;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let expected = whole::<A, B, N, false>(b, self.key, self.nonce, self.ad, self.io);
        b.one().begins(expected, self.tag)
    }
}

/// Seals or opens; returns the tag.
#[inline(always)]
fn whole<A: Aes, B: Backend, const N: usize, const SEAL: bool>(
    b: B,
    key: &Gcm<A>,
    nonce: &[u8],
    ad: &[u8],
    io: InOut<'_>,
) -> <B::One as Backend>::V {
    let one = b.one();
    let j0 = initial::<B, N>(b, &key.powers, nonce);
    let lengths = bits::<B::One>(one, io.len(), ad.len());
    let mut walk = Walk::<B, A::Enc, true, ROOM>::new(b, &key.enc, j0, &key.powers);
    walk.hash.begin::<N>(ad, io.len());
    let (hash, mask) = walk.crypt::<N, SEAL>(io, lengths);
    one.xor(one.rev(hash), mask)
}

/// The same for a message of at most four registers with at most a block of
/// associated data.
#[cfg(feature = "alloc")]
#[inline(always)]
fn short<A: Aes, B: Backend, const N: usize, const SEAL: bool>(
    b: B,
    key: &Gcm<A>,
    it: Parts<'_>,
) -> <B::One as Backend>::V {
    let one = b.one();
    let j0 = initial::<B, N>(b, &key.powers, it.nonce);
    let lengths = bits::<B::One>(one, it.io.len(), it.ad.len());
    let mut walk = Walk::<B, A::Enc, true, ROOM>::new(b, &key.enc, j0, &key.powers);
    if !it.ad.is_empty() {
        walk.hash.left = blocks(it.io.len()) + 2;
        walk.hash.next(b.load_part(it.ad), 1);
    }
    walk.hash.expect(it.io.len());
    let whole = blocks(it.io.len()) / B::BLOCKS;
    let (hash, mask) = walk.end::<N, SEAL>(it.io, lengths, whole, None);
    one.xor(one.rev(hash), mask)
}

#[cfg(feature = "alloc")]
impl<A: Aes> Many for Gcm<A> {
    fn row<J: Holds<Self>>(jobs: &mut [Job<'_, J>], open: bool, cache: Option<&mut Cache>) {
        row(jobs, open, cache);
    }
}

#[cfg(feature = "alloc")]
impl<A: Aes> Short for Gcm<A> {
    const SPILLS: bool = true;

    #[inline(always)]
    fn is_short<B: Backend, const N: usize>(&self, nonce: &[u8], ad: &[u8], len: usize) -> bool {
        // The hash of both, and of the lengths, is one sum, for which there are powers.
        let most = N.min(4) * B::BLOCKS;
        ad.len() <= 16 && blocks(ad.len()) + blocks(len) <= most && nonce.len() == 12 && self.nonce_len == 12
    }

    #[inline(always)]
    fn seal_short<B: Backend, const N: usize>(&self, b: B, _: &mut Cache, it: Parts<'_>) -> <B::One as Backend>::V {
        if B::BLOCKS == 4 && is_short(it.ad, &it.io) {
            return short::<A, B::One, N, true>(b.one(), self, it);
        }
        short::<A, B, N, true>(b, self, it)
    }

    #[inline(always)]
    fn open_short<B: Backend, const N: usize>(&self, b: B, _: &mut Cache, it: Parts<'_>) -> <B::One as Backend>::V {
        if B::BLOCKS == 4 && is_short(it.ad, &it.io) {
            return short::<A, B::One, N, false>(b.one(), self, it);
        }
        short::<A, B, N, false>(b, self, it)
    }
}

/// The numbers of bits in `low` and `high` bytes, a half each.
#[inline(always)]
pub(super) fn bits<B: Backend>(b: B, low: usize, high: usize) -> B::V {
    b.load(&((8 * high as u128) << 64 | 8 * low as u128).to_le_bytes())
}

/// J0, its bytes reversed.
#[inline(always)]
fn initial<B: Backend, const N: usize>(b: B, powers: &Powers<ROOM>, nonce: &[u8]) -> <B::One as Backend>::V {
    let one = b.one();
    if nonce.len() == 12 {
        // Three loads of four bytes, because callers count in the last four or
        // eight: a load wider than the store before it would wait for that to
        // reach the cache. The fences keep the compiler from joining them.
        let word = |i: usize| u32::from_le_bytes([nonce[i], nonce[i + 1], nonce[i + 2], nonce[i + 3]]) as u128;
        let x = word(0);
        compiler_fence(Ordering::SeqCst);
        let y = word(4);
        compiler_fence(Ordering::SeqCst);
        let block = 1 << 120 | word(8) << 64 | y << 32 | x;
        return one.rev(one.load(&block.to_le_bytes()));
    }
    Hash::<B::One, true, ROOM>::new(one, powers).all::<N>(nonce, &[], bits::<B::One>(one, nonce.len(), 0))
}

/// The numbers 0 to 4, as little-endian integers.
static COUNTS: [Block; 5] = {
    let mut t = [[0; 16]; 5];
    let mut i = 0;
    while i < 5 {
        t[i][0] = i as u8;
        i += 1;
    }
    t
};

/// A place in a message that is encrypted in counter mode and hashed.
///
/// `REV`: the counter is the last four bytes, big-endian, and the hash GHASH
/// (GCM); else the first four, little-endian, and POLYVAL (GCM-SIV).
pub(super) struct Walk<'a, B: Backend, S, const REV: bool, const R: usize> {
    b: B,
    keys: &'a S,
    /// J0.
    initial: <B::One as Backend>::V,
    /// The next counters, a lane each, little-endian in the first four bytes.
    counter: B::V,
    pub hash: Hash<'a, B, REV, R>,
}

impl<'a, B: Backend, S: Schedule, const REV: bool, const R: usize> Walk<'a, B, S, REV, R> {
    /// GCM begins with the counter that follows `initial`, GCM-SIV with `initial`.
    #[inline(always)]
    pub fn new(b: B, keys: &'a S, initial: <B::One as Backend>::V, powers: &'a Powers<R>) -> Self {
        let first = b.load(if REV { COUNTS[1..].as_flattened() } else { COUNTS.as_flattened() });
        Self { b, keys, initial, counter: b.add32(b.widen(initial), first), hash: Hash::new(b, powers) }
    }

    /// The next register of counters.
    #[inline(always)]
    fn step(&mut self) -> B::V {
        let x = self.counter;
        self.counter = self.b.add32(x, self.b.splat(&(B::BLOCKS as u128).to_le_bytes()));
        x
    }

    /// The next `M` registers of counters as blocks.
    #[inline(always)]
    fn steps<const M: usize>(&mut self) -> [B::V; M] {
        let mut x = [self.b.zero(); M];
        for j in 0..M {
            x[j] = self.step();
            if REV {
                x[j] = self.b.rev(x[j]);
            }
        }
        x
    }

    /// Encrypts or decrypts all of `io` and hashes what comes out (`OUT`) or
    /// goes in, then the block `lengths`. Returns the hash and E(J0).
    #[inline(always)]
    pub fn crypt<const N: usize, const OUT: bool>(
        mut self,
        mut io: InOut<'_>,
        lengths: <B::One as Backend>::V,
    ) -> (<B::One as Backend>::V, <B::One as Backend>::V) {
        let mut whole = blocks(io.len()) / B::BLOCKS;
        if io.len() > N * B::BYTES {
            if OUT {
                let mut factors = Factors::<B, N>::inner(self.b, self.hash.powers, karatsuba::<B>());
                let mut group = self.groups_out::<N>(&mut io, &factors);
                whole = blocks(io.len()) / B::BLOCKS;
                if B::BLOCKS > 1 {
                    factors = Factors::last(self.b, self.hash.powers, karatsuba::<B>());
                }
                let last = Some(Group::new(self.b, &factors, group.dst(), self.hash.y, S::ROUNDS));
                if whole <= 4 {
                    return self.end::<N, OUT>(io, lengths, whole, last);
                }
                self.hash.expect(io.len());
                self.four::<N, OUT>(&mut io, last);
                whole -= 4;
            } else {
                self.groups_in::<N>(&mut io);
                whole = blocks(io.len()) / B::BLOCKS;
            }
        }
        self.hash.expect(io.len());
        while whole > 4 {
            self.four::<N, OUT>(&mut io, None);
            whole -= 4;
        }
        self.end::<N, OUT>(io, lengths, whole, None)
    }

    /// Groups whose output is hashed, each while the next is encrypted; leaves at
    /// least a byte and at most a group. The last is still to be hashed.
    #[inline(always)]
    fn groups_out<'i, const N: usize>(&mut self, io: &mut InOut<'i>, factors: &Factors<B, N>) -> InOut<'i> {
        let b = self.b;
        let keys = Spread::new(b, self.keys);
        let mut group = io.cut(N * B::BYTES);
        let mut x = self.steps::<N>();
        b.encrypt(&Onto { keys: &keys, io: &group }, &mut x);
        for j in 0..N {
            group.store(b, j * B::BYTES, x[j]);
        }
        while io.len() > N * B::BYTES {
            let mut next = io.cut(N * B::BYTES);
            let mut x = self.steps::<N>();
            let mut work = Group::<B, N, REV>::new(b, factors, group.dst(), self.hash.y, S::ROUNDS);
            b.encrypt_with(&Onto { keys: &keys, io: &next }, &mut x, &mut work);
            self.hash.y = work.reduced(b);
            for j in 0..N {
                next.store(b, j * B::BYTES, x[j]);
            }
            group = next;
        }
        group
    }

    /// Groups whose input is hashed, each while it is decrypted; leaves at least
    /// a byte and at most a group.
    #[inline(always)]
    fn groups_in<const N: usize>(&mut self, io: &mut InOut<'_>) {
        let b = self.b;
        let mut factors = Factors::<B, N>::inner(b, self.hash.powers, karatsuba::<B>());
        let keys = Spread::new(b, self.keys);
        while io.len() > N * B::BYTES {
            let mut group = io.cut(N * B::BYTES);
            if B::BLOCKS > 1 && io.len() <= N * B::BYTES {
                factors = Factors::last(b, self.hash.powers, karatsuba::<B>());
            }
            let mut x = self.steps::<N>();
            let mut work = Group::<B, N, REV>::new(b, &factors, group.src(), self.hash.y, S::ROUNDS);
            b.encrypt_with(&Onto { keys: &keys, io: &group }, &mut x, &mut work);
            self.hash.y = work.reduced(b);
            for j in 0..N {
                group.store(b, j * B::BYTES, x[j]);
            }
        }
        self.hash.fold();
    }

    /// Four registers, after `work`.
    #[inline(always)]
    fn four<const N: usize, const OUT: bool>(&mut self, io: &mut InOut<'_>, mut work: Option<Group<'_, B, N, REV>>) {
        let b = self.b;
        let mut part = io.cut(4 * B::BYTES);
        let mut x = self.steps::<4>();
        b.encrypt_with(&Onto { keys: &Spread::new(b, self.keys), io: &part }, &mut x, &mut work);
        self.hash.after(work);
        for j in 0..4 {
            let p = part.load(b, j * B::BYTES);
            part.store(b, j * B::BYTES, x[j]);
            self.hash.next(if OUT { x[j] } else { p }, B::BLOCKS);
        }
    }

    /// The end, after `work`: `whole` registers, at most four, the last of which
    /// may be short, then less than a register more, and the lengths.
    #[inline(always)]
    fn end<const N: usize, const OUT: bool>(
        mut self,
        mut io: InOut<'_>,
        lengths: <B::One as Backend>::V,
        whole: usize,
        work: Option<Group<'_, B, N, REV>>,
    ) -> (<B::One as Backend>::V, <B::One as Backend>::V) {
        let b = self.b;
        let mut head = io.cut(whole.saturating_sub(1) * B::BYTES);
        let mut part = if whole > 0 { Some(io.cut(io.len().min(B::BYTES))) } else { None };
        let mut p = [b.zero(); 2];
        if let Some(part) = &part {
            p[0] = if part.len() == B::BYTES { part.load(b, 0) } else { part.load_part(b) };
        }
        let mut more = 0;
        if B::BLOCKS > 1 {
            more = blocks(io.len());
            p[1] = io.load_part(b);
        }
        self.hash.left = whole * B::BLOCKS + more + 1;
        let x = if REV || B::BLOCKS > 1 {
            match whole {
                0 => self.last::<N, 0, 1, OUT>(&mut head, p, work),
                1 => self.last::<N, 1, 2, OUT>(&mut head, p, work),
                2 => self.last::<N, 2, 3, OUT>(&mut head, p, work),
                3 => self.last::<N, 3, 4, OUT>(&mut head, p, work),
                _ => self.last::<N, 4, 5, OUT>(&mut head, p, work),
            }
        } else {
            match whole {
                0 => p,
                1 => self.last::<N, 1, 1, OUT>(&mut head, p, work),
                2 => self.last::<N, 2, 2, OUT>(&mut head, p, work),
                3 => self.last::<N, 3, 3, OUT>(&mut head, p, work),
                _ => self.last::<N, 4, 4, OUT>(&mut head, p, work),
            }
        };
        if let Some(part) = &mut part {
            let n = part.len();
            let mut out = x[0];
            if n == B::BYTES {
                part.store(b, 0, out);
            } else {
                part.store_part(b, out);
                out = b.keep(out, n);
            }
            self.hash.next(if OUT { out } else { p[0] }, B::BLOCKS);
        }
        let mut rest = b.zero();
        if B::BLOCKS > 1 {
            rest = if OUT { b.keep(x[1], io.len()) } else { p[1] };
            io.store_part(b, x[1]);
        }
        (self.hash.finish(rest, more, lengths), b.top(x[1]))
    }

    /// The last `M` registers: `D` of data, and one more if that has anything in
    /// it, data or, in its last lane, J0. Encrypts `D - 1` registers `head` and
    /// returns the others, onto `p`.
    #[inline(always)]
    fn last<const N: usize, const D: usize, const M: usize, const OUT: bool>(
        &mut self,
        head: &mut InOut<'_>,
        last: [B::V; 2],
        mut work: Option<Group<'_, B, N, REV>>,
    ) -> [B::V; 2] {
        let b = self.b;
        let mut p = [b.zero(); M];
        let mut x = [b.zero(); M];
        for j in 0..M {
            p[j] = if j + 1 < D { head.load(b, j * B::BYTES) } else { last[j + 1 - D] };
            x[j] = self.step();
            if REV {
                if j == D {
                    x[j] = b.with_top(x[j], self.initial);
                }
                x[j] = b.rev(x[j]);
            }
        }
        b.encrypt_with(&Masked { keys: self.keys, last: p }, &mut x, &mut work);
        self.hash.after(work);
        for j in 1..D {
            head.store(b, (j - 1) * B::BYTES, x[j - 1]);
            self.hash.next(if OUT { x[j - 1] } else { p[j - 1] }, B::BLOCKS);
        }
        let mut rest = [b.zero(); 2];
        for j in 0..M {
            if j + 1 >= D {
                rest[j + 1 - D] = x[j];
            }
        }
        rest
    }
}

/// Round keys with a mask for each register behind.
struct Masked<'a, B: Backend, S, const N: usize> {
    keys: &'a S,
    last: [B::V; N],
}
impl<B: Backend, S: Schedule, const N: usize> Keys<B> for Masked<'_, B, S, N> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = b.splat(self.keys.key(r));
        if r == S::ROUNDS { b.xor(key, self.last[j]) } else { key }
    }
}

/// Round keys for many groups, spread over all lanes beforehand where that is
/// not for nothing.
struct Spread<'a, B: Backend, S> {
    keys: &'a S,
    wide: [B::V; 15],
}
impl<'a, B: Backend, S: Schedule> Spread<'a, B, S> {
    #[inline(always)]
    fn new(b: B, keys: &'a S) -> Self {
        let mut wide = [b.zero(); 15];
        if B::BLOCKS == 4 {
            for r in 0..S::ROUNDS + 1 {
                wide[r] = b.splat(keys.key(r));
            }
        }
        Self { keys, wide }
    }
}

/// Round keys, with the group to be encrypted as masks behind.
struct Onto<'a, 'b, B: Backend, S> {
    keys: &'a Spread<'a, B, S>,
    io: &'a InOut<'b>,
}
impl<B: Backend, S: Schedule> Keys<B> for Onto<'_, '_, B, S> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = if B::BLOCKS == 4 { self.keys.wide[r] } else { b.splat(self.keys.keys.key(r)) };
        if r == S::ROUNDS { b.xor(key, self.io.load(b, j * B::BYTES)) } else { key }
    }
}

/// Whether a wide register would be empty for the most part.
#[inline(always)]
fn is_short(ad: &[u8], io: &InOut<'_>) -> bool {
    blocks(ad.len()) + blocks(io.len()) <= 2
}

impl<A: Aes> Scheme for Gcm<A> {
    #[inline(always)]
    fn check(&self, nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error> {
        if nonce.len() != self.nonce_len as usize {
            return Err(Error::NonceLength);
        }
        if len as u64 > MESSAGE {
            return Err(Error::MessageTooLong);
        }
        if ad.len() as u64 > AD {
            return Err(Error::AdTooLong);
        }
        Ok(())
    }

    #[inline(always)]
    fn seal_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, rare: &mut Rare) -> Answer {
        if let Err(error) = self.check(nonce, ad, io.len()) {
            return rare.fail(error);
        }
        self.cpu.narrow_if(is_short(ad, &io)).run(Seal { key: self, nonce, ad, io })
    }

    #[inline(always)]
    fn open_raw(
        &self,
        _: Option<&mut Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        tag: &[u8],
    ) -> Result<bool, Error> {
        self.check(nonce, ad, io.len())?;
        Ok(self.cpu.narrow_if(is_short(ad, &io)).run(Open { key: self, nonce, ad, io, tag }))
    }
}

impl<A: Aes> Aead for Gcm<A> {
    fn name(&self) -> &'static str {
        match A::KEY_LEN {
            16 => "AES-128-GCM",
            24 => "AES-192-GCM",
            _ => "AES-256-GCM",
        }
    }
    #[inline(always)]
    fn tag_len(&self) -> usize {
        self.tag_len as usize
    }
    /// 12, unless [`set_nonce_len`](Self::set_nonce_len) chose another length.
    #[inline(always)]
    fn nonce_len(&self) -> usize {
        self.nonce_len as usize
    }
    fn limits(&self) -> Limits {
        Limits { message: MESSAGE, ad: AD, key_blocks: 1 << 48, key_messages: 1 << 32 }
    }
    fn cpu(&self) -> Cpu {
        self.cpu
    }
}

#[cfg(test)]
pub(crate) mod tests;
