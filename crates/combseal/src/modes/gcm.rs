//! AES-GCM (NIST SP 800-38D): counter mode and GHASH in one pass.
//!
//! While a group of counters goes through the AES, the group before it (when
//! sealing) or itself (when opening) goes through the hash on units that the
//! AES leaves idle. What is left at the end, at most a group, is hashed with
//! the block of lengths in one reduction.

use super::polyval::{Factors, Group, Hash, Powers, times_x};
use super::secret;
use crate::aead::{Aead, Cache, Error, Limits};
use crate::cpu::{Aes, Backend, Cpu, Enc, Kernel, Keys, LANES, Schedule, equal};
use crate::lanes::InOut;

/// AES-GCM with the AES of size `A`.
pub struct Gcm<A: Aes> {
    enc: A::Enc,
    powers: Powers,
    tag_len: u8,
    cpu: Cpu,
}
secret!(Gcm<A>, enc, powers);

impl<A: Aes> Gcm<A> {
    /// Expands `key` for the best tier of this machine; tags have 16 bytes.
    pub fn new(key: &A::Key) -> Self {
        Self::expanded(Cpu::detect(), key.as_ref(), 16)
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
    /// [`Error::KeyLength`], [`Error::TagLength`].
    pub fn build(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        if key.len() != A::KEY_LEN {
            return Err(Error::KeyLength);
        }
        if !(12..=16).contains(&tag_len) {
            return Err(Error::TagLength);
        }
        Ok(Self::expanded(cpu, key, tag_len))
    }

    #[inline(always)]
    fn expanded(cpu: Cpu, key: &[u8], tag_len: usize) -> Self {
        let mut it = Self { enc: A::Enc::zeroed(), powers: Powers::zeroed(), tag_len: tag_len as u8, cpu };
        cpu.run(Setup { key, into: &mut it });
        it
    }

    #[inline(always)]
    fn check(&self, nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error> {
        if nonce.is_empty() {
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
        let mut h = [0; 16];
        one.store(&mut h, one.rev(x[0]));
        let h = one.load(&times_x(h));
        self.into.powers.fill::<B, N>(b, h, N * B::BLOCKS + 1);
    }
}

struct Seal<'a, A: Aes> {
    key: &'a Gcm<A>,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
    tag: &'a mut [u8],
}
impl<A: Aes> Kernel for Seal<'_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let tag = whole::<A, B, N, true>(b, self.key, self.nonce, self.ad, self.io);
        b.one().store_part(self.tag, tag);
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
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let expected = whole::<A, B, N, false>(b, self.key, self.nonce, self.ad, self.io);
        let mut tag = [0; 16];
        b.one().store(&mut tag, expected);
        tag.get(..self.tag.len()).is_some_and(|t| equal(t, self.tag))
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
    let mut mask = [one.rev(j0)];
    one.encrypt(&Enc(&key.enc), &mut mask);
    let lengths = bits::<B::One>(one, io.len(), ad.len());
    let mut walk = Walk::<B, A::Enc, true>::new(b, &key.enc, one.add32(j0, one.load(&LANES[1])), &key.powers);
    walk.hash.begin::<N>(ad, io.len());
    walk.crypt::<N, SEAL>(io);
    one.xor(one.rev(walk.hash.finish(lengths)), mask[0])
}

/// The numbers of bits in `low` and `high` bytes, a half each.
#[inline(always)]
pub(super) fn bits<B: Backend>(b: B, low: usize, high: usize) -> B::V {
    b.load(&((8 * high as u128) << 64 | 8 * low as u128).to_le_bytes())
}

/// J0, its bytes reversed.
#[inline(always)]
fn initial<B: Backend, const N: usize>(b: B, powers: &Powers, nonce: &[u8]) -> <B::One as Backend>::V {
    let one = b.one();
    if nonce.len() == 12 {
        // Loads of four bytes, because callers count in the last four: a wider
        // load would wait for the narrower store.
        let word = |i: usize| u32::from_le_bytes([nonce[i], nonce[i + 1], nonce[i + 2], nonce[i + 3]]) as u128;
        let block = 1 << 120 | word(8) << 64 | word(4) << 32 | word(0);
        return one.rev(one.load(&block.to_le_bytes()));
    }
    Hash::<B, true>::new(b, powers).all::<N>(nonce, &[], bits::<B::One>(one, nonce.len(), 0))
}

/// A place in a message that is encrypted in counter mode and hashed.
///
/// `REV`: the counter is the last four bytes, big-endian, and the hash GHASH
/// (GCM); else the first four, little-endian, and POLYVAL (GCM-SIV).
pub(super) struct Walk<'a, B: Backend, S, const REV: bool> {
    b: B,
    keys: &'a S,
    /// The next counters, a lane each, little-endian in the first four bytes.
    counter: B::V,
    pub hash: Hash<'a, B, REV>,
}

impl<'a, B: Backend, S: Schedule, const REV: bool> Walk<'a, B, S, REV> {
    #[inline(always)]
    pub fn new(b: B, keys: &'a S, first: <B::One as Backend>::V, powers: &'a Powers) -> Self {
        let counter = b.add32(b.widen(first), b.load(LANES.as_flattened()));
        Self { b, keys, counter, hash: Hash::new(b, powers) }
    }

    /// The next register of counters.
    #[inline(always)]
    fn step(&mut self, by: B::V) -> B::V {
        let b = self.b;
        let x = if REV { b.rev(self.counter) } else { self.counter };
        self.counter = b.add32(self.counter, by);
        x
    }

    /// Encrypts or decrypts all of `io` and hashes what comes out (`OUT`) or
    /// goes in.
    #[inline(always)]
    pub fn crypt<const N: usize, const OUT: bool>(&mut self, mut io: InOut<'_>) {
        let b = self.b;
        let by = b.splat(&(B::BLOCKS as u128).to_le_bytes());
        let mut before: Option<InOut<'_>> = None;
        if io.len() > N * B::BYTES {
            let mut factors = Factors::<B, N>::inner(b, self.hash.powers);
            if OUT {
                let Some(mut group) = io.take(N * B::BYTES) else { return };
                let mut x = [b.zero(); N];
                for j in 0..N {
                    x[j] = self.step(by);
                }
                b.encrypt(&Onto { keys: self.keys, io: &group }, &mut x);
                for j in 0..N {
                    group.store(b, j * B::BYTES, x[j]);
                }
                while io.len() > N * B::BYTES {
                    let Some(mut next) = io.take(N * B::BYTES) else { return };
                    let mut x = [b.zero(); N];
                    for j in 0..N {
                        x[j] = self.step(by);
                    }
                    let mut work = Group::<B, N, REV>::new(b, &factors, group.dst(), self.hash.y, S::ROUNDS);
                    b.encrypt_with(&Onto { keys: self.keys, io: &next }, &mut x, &mut work);
                    self.hash.y = work.reduced(b);
                    for j in 0..N {
                        next.store(b, j * B::BYTES, x[j]);
                    }
                    group = next;
                }
                before = Some(group);
            } else {
                while io.len() > N * B::BYTES {
                    let Some(mut group) = io.take(N * B::BYTES) else { return };
                    if B::BLOCKS > 1 && io.len() <= N * B::BYTES {
                        factors = Factors::last(b, self.hash.powers);
                    }
                    let mut x = [b.zero(); N];
                    for j in 0..N {
                        x[j] = self.step(by);
                    }
                    let mut work = Group::<B, N, REV>::new(b, &factors, group.src(), self.hash.y, S::ROUNDS);
                    b.encrypt_with(&Onto { keys: self.keys, io: &group }, &mut x, &mut work);
                    self.hash.y = work.reduced(b);
                    for j in 0..N {
                        group.store(b, j * B::BYTES, x[j]);
                    }
                }
                self.hash.fold();
            }
        }
        if let Some(mut group) = before {
            self.hash.last_group::<N>(group.dst());
        }
        self.hash.expect(io.len());
        while !io.is_empty() {
            let n = io.len().min(B::BYTES);
            let Some(mut part) = io.take(n) else { return };
            let p = part.load_part(b);
            let mut x = [self.step(by)];
            b.encrypt(&Enc(self.keys), &mut x);
            let c = b.xor(x[0], p);
            part.store_part(b, c);
            self.hash.next(if OUT { b.keep(c, n) } else { p }, n.div_ceil(16));
        }
    }
}

/// Round keys, with the group to be encrypted as masks behind.
struct Onto<'a, 'b, S> {
    keys: &'a S,
    io: &'a InOut<'b>,
}
impl<B: Backend, S: Schedule> Keys<B> for Onto<'_, '_, S> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = b.splat(self.keys.key(r));
        if r == S::ROUNDS { b.xor(key, self.io.load(b, j * B::BYTES)) } else { key }
    }
}

impl<A: Aes> Aead for Gcm<A> {
    #[inline(always)]
    fn seal_raw(
        &self,
        _: Option<&mut Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.check(nonce, ad, io.len())?;
        self.cpu.run(Seal { key: self, nonce, ad, io, tag });
        Ok(())
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
        Ok(self.cpu.run(Open { key: self, nonce, ad, io, tag }))
    }

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
    /// 12; any from one byte on is taken.
    #[inline(always)]
    fn nonce_len(&self) -> usize {
        12
    }
    fn limits(&self) -> Limits {
        Limits { message: MESSAGE, ad: AD, key_blocks: 1 << 48, key_messages: 1 << 32 }
    }
    fn cpu(&self) -> Cpu {
        self.cpu
    }
}

#[cfg(test)]
mod tests;
