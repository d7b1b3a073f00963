//! ThetaCB, slow and clear: OCB3 as it is defined over a tweakable blockcipher.
//!
//! Krovetz and Rogaway (2021), Fig. 3, over the blockcipher's `Tw` of Fig. 5;
//! Lemma 1 says that the two together are OCB3. The fast code is tested against
//! this file, which shares nothing with it but the AES. Slow, and not for production,
//! but with the same care: keys are wiped, tags compared in constant time, forgeries
//! leave zeros.

use crate::cpu::{Aes, Backend, Block, Cpu, Dec, Enc, Kernel, equal};
use crate::interface::error::Error;
use crate::interface::tag::Tag;
use crate::memory::blank::{filled, secret};
use crate::memory::wipe::Wipe;

/// A tweakable blockcipher with the tweaks of ThetaCB: a nonce or none (for the
/// associated data), a number, and the marks * and $.
pub trait Tbc {
    /// Encrypts `x` under the tweak.
    fn encipher(&self, tweak: Tweak<'_>, x: Block) -> Block;
    /// Decrypts `y` under the tweak.
    fn decipher(&self, tweak: Tweak<'_>, y: Block) -> Block;
}

/// A tweak: `N i`, `N i *`, `N i $`, `N i * $`, and `i`, `i *` without a nonce.
#[derive(Clone, Copy)]
pub struct Tweak<'a> {
    /// The nonce, of at most 15 bytes, or none.
    nonce: Option<&'a [u8]>,
    /// The block's number, below 2^126.
    pub i: u128,
    /// The mark of a partial block.
    pub star: bool,
    /// The mark of the tag.
    pub dollar: bool,
}

impl<'a> Tweak<'a> {
    /// A tweak.
    ///
    /// # Errors
    /// [`Error::NonceLength`] if `nonce` has more than 15 bytes.
    pub fn new(nonce: Option<&'a [u8]>, i: u128, star: bool, dollar: bool) -> Result<Self, Error> {
        if nonce.is_some_and(|n| n.len() > 15) {
            return Err(Error::NonceLength);
        }
        Ok(Self { nonce, i, star, dollar })
    }

    /// The nonce, of at most 15 bytes, or none.
    pub fn nonce(&self) -> Option<&'a [u8]> {
        self.nonce
    }
}

/// OCB3's tweakable blockcipher `Tw[E, τ]` (Fig. 5), a block at a time.
pub struct Tw<A: Aes> {
    cpu: Cpu,
    enc: A::Enc,
    dec: A::Dec,
    tag_len: u8,
    /// E(0), big-endian.
    l: Block,
}
secret!(Tw<A: Aes> { cpu, enc, dec, tag_len, l });

struct Setup<'a, A: Aes>(&'a [u8], &'a mut Tw<A>);
impl<A: Aes> Kernel for Setup<'_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        b.one().expand::<A>(self.0, &mut self.1.enc);
        b.one().invert::<A>(&self.1.enc, &mut self.1.dec);
    }
}

struct One<'a, A: Aes>(&'a Tw<A>, Block, bool);
impl<A: Aes> Kernel for One<'_, A> {
    type Out = Block;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Block {
        let one = b.one();
        let mut x = [one.load(&self.1)];
        if self.2 {
            one.encrypt(&Enc(&self.0.enc), &mut x);
        } else {
            one.decrypt(&Dec(&self.0.enc, &self.0.dec), &mut x);
        }
        one.block(x[0])
    }
}

impl<A: Aes> Tw<A> {
    /// Over the AES under `key`, of `A::KEY_LEN` bytes, for tags of `tag_len` bytes.
    ///
    /// # Errors
    /// [`Error::KeyLength`]; [`Error::TagLength`] unless `tag_len` is 1 to 16.
    pub fn new(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        if key.len() != A::KEY_LEN {
            return Err(Error::KeyLength);
        }
        check_tag_len(tag_len)?;
        Ok(filled(|it: &mut Self| {
            it.cpu = cpu;
            it.tag_len = tag_len as u8;
            cpu.run(Setup(key, it));
            it.l = it.aes([0; 16], true);
        }))
    }

    fn aes(&self, x: Block, encrypt: bool) -> Block {
        self.cpu.run(One(self, x, encrypt))
    }

    /// `Initial` of Fig. 5, bit by bit; the nonce has at most 15 bytes.
    fn initial(&self, nonce: &[u8]) -> u128 {
        let mut bytes = [0; 16];
        bytes[0] = ((8 * self.tag_len as usize % 128) << 1) as u8;
        bytes[15 - nonce.len()] |= 1;
        bytes[16 - nonce.len()..].copy_from_slice(nonce);
        let bottom = (bytes[15] & 63) as usize;
        bytes[15] &= !63;
        let mut top = self.aes(bytes, true);
        let ktop = u128::from_be_bytes(top);
        top.wipe();
        let bit = |i: usize| if i < 128 { ktop >> (127 - i) & 1 } else { (ktop ^ ktop << 8) >> (255 - i) & 1 };
        (0..128).fold(0, |n, i| n << 1 | bit(bottom + i))
    }

    /// Δ of Fig. 5: the nonce's part and λ times L.
    fn delta(&self, t: Tweak<'_>) -> u128 {
        let gray = t.i ^ (t.i >> 1);
        let lambda = gray << 2 | u128::from(t.dollar) << 1 | u128::from(t.star);
        t.nonce.map_or(0, |n| self.initial(n)) ^ multiply(lambda, u128::from_be_bytes(self.l))
    }
}

/// Multiplication in GF(2^128) modulo x^128 + x^7 + x^2 + x + 1; `a` is public.
fn multiply(a: u128, mut b: u128) -> u128 {
    let mut z = 0;
    for i in 0..128 {
        if a >> i & 1 == 1 {
            z ^= b;
        }
        b = b << 1 ^ 135 & 0u128.wrapping_sub(b >> 127);
    }
    z
}

impl<A: Aes> Tbc for Tw<A> {
    fn encipher(&self, tweak: Tweak<'_>, x: Block) -> Block {
        let delta = self.delta(tweak);
        let y = u128::from_be_bytes(self.aes((u128::from_be_bytes(x) ^ delta).to_be_bytes(), true));
        // Only the tweaks `N i` are whitened behind too.
        let behind = tweak.nonce.is_some() && !tweak.star && !tweak.dollar;
        (y ^ if behind { delta } else { 0 }).to_be_bytes()
    }
    fn decipher(&self, tweak: Tweak<'_>, y: Block) -> Block {
        let delta = self.delta(tweak);
        let x = u128::from_be_bytes(self.aes((u128::from_be_bytes(y) ^ delta).to_be_bytes(), false));
        (x ^ delta).to_be_bytes()
    }
}

/// ThetaCB (Fig. 3) over any tweakable blockcipher.
pub struct ThetaCb<T> {
    tbc: T,
    tag_len: usize,
}

fn xor(a: Block, b: &[u8]) -> Block {
    let mut z = a;
    for (z, b) in z.iter_mut().zip(b) {
        *z ^= b;
    }
    z
}

/// `x 10*`.
fn padded(x: &[u8]) -> Block {
    let mut z = [0; 16];
    z[..x.len()].copy_from_slice(x);
    z[x.len()] = 0x80;
    z
}

fn check_tag_len(len: usize) -> Result<(), Error> {
    if (1..=16).contains(&len) { Ok(()) } else { Err(Error::TagLength) }
}

impl<A: Aes> ThetaCb<Tw<A>> {
    /// OCB3 in the reference's form, on the best tier.
    ///
    /// # Errors
    /// [`Error::TagLength`] unless `tag_len` is 1 to 16.
    pub fn ocb3(key: &A::Key, tag_len: usize) -> Result<Self, Error> {
        Self::new(Tw::new(Cpu::detect(), key.as_ref(), tag_len)?, tag_len)
    }
}

impl<T: Tbc> ThetaCb<T> {
    /// Over `tbc`, with tags of `tag_len` bytes.
    ///
    /// # Errors
    /// [`Error::TagLength`] unless `tag_len` is 1 to 16.
    pub fn new(tbc: T, tag_len: usize) -> Result<Self, Error> {
        check_tag_len(tag_len)?;
        Ok(Self { tbc, tag_len })
    }

    /// Encrypts `message` in place (lines 200-20E) and returns the tag.
    ///
    /// # Errors
    /// [`Error::NonceLength`] if `nonce` has more than 15 bytes.
    pub fn seal(&self, nonce: &[u8], ad: &[u8], message: &mut [u8]) -> Result<Tag, Error> {
        Ok(Tag::new(self.walk(nonce, ad, message, true)?, self.tag_len))
    }

    /// Decrypts `message` in place (lines 220-22H).
    ///
    /// # Errors
    /// [`Error::Forged`], and `message` is zero; [`Error::NonceLength`] if `nonce` has more
    /// than 15 bytes, [`Error::TagLength`], and `message` is as it was.
    pub fn open(&self, nonce: &[u8], ad: &[u8], message: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        if tag.len() != self.tag_len {
            return Err(Error::TagLength);
        }
        let whole = self.walk(nonce, ad, message, false)?;
        if equal(&whole[..self.tag_len], tag) {
            return Ok(());
        }
        message.wipe();
        Err(Error::Forged)
    }

    fn walk(&self, nonce: &[u8], ad: &[u8], message: &mut [u8], seal: bool) -> Result<Block, Error> {
        if nonce.len() > 15 {
            return Err(Error::NonceLength);
        }
        let tweak = |i, star, dollar| Tweak { nonce: Some(nonce), i, star, dollar };
        let (mut checksum, mut i) = ([0; 16], 0);
        let (whole, rest) = message.as_chunks_mut::<16>();
        for block in whole {
            i += 1;
            let other = if seal {
                self.tbc.encipher(tweak(i, false, false), *block)
            } else {
                self.tbc.decipher(tweak(i, false, false), *block)
            };
            checksum = xor(checksum, if seal { block } else { &other });
            *block = other;
        }
        let last = if rest.is_empty() {
            self.tbc.encipher(tweak(i, false, true), checksum)
        } else {
            let pad = self.tbc.encipher(tweak(i, true, false), [0; 16]);
            let other = xor(pad, rest);
            let plain = if seal { padded(rest) } else { padded(&other[..rest.len()]) };
            rest.copy_from_slice(&other[..rest.len()]);
            self.tbc.encipher(tweak(i, true, true), xor(checksum, &plain))
        };
        Ok(xor(last, &self.hash(ad)))
    }

    /// Lines 210-217.
    fn hash(&self, ad: &[u8]) -> Block {
        let tweak = |i, star| Tweak { nonce: None, i, star, dollar: false };
        let (mut sum, mut i) = ([0; 16], 0);
        let (whole, rest) = ad.as_chunks::<16>();
        for block in whole {
            i += 1;
            sum = xor(sum, &self.tbc.encipher(tweak(i, false), *block));
        }
        if !rest.is_empty() {
            sum = xor(sum, &self.tbc.encipher(tweak(i, true), padded(rest)));
        }
        sum
    }
}
