//! AES-GCM-SIV (RFC 8452): survives a repeated nonce, which then tells only
//! whether two messages are equal.
//!
//! Each nonce has keys of its own, so a message pays for a key schedule and for
//! the powers of its POLYVAL key, of which it makes no more than it needs. The
//! tag is the counter's beginning: sealing hashes, then encrypts.

use super::polyval::{Hash, Powers, blocks};
use super::secret;
use crate::aead::{Aead, Cache, Error, Limits};
use crate::cpu::{Aes, Aes128, Aes256, Backend, Block, Cpu, Enc, Kernel, Schedule, equal};
use crate::lanes::InOut;
use crate::wipe::Wipe;

type One<B> = <<B as Backend>::One as Backend>::V;

/// RFC 8452, sect. 6: 2^36 bytes of message, and of associated data.
const MOST: u64 = 1 << 36;
const NONCE_LEN: usize = 12;
const TAG_LEN: usize = 16;

/// AES-GCM-SIV with AES-128 or AES-256: 12-byte nonces, 16-byte tags.
pub struct GcmSiv<A: Aes> {
    enc: A::Enc,
    cpu: Cpu,
}
secret!(GcmSiv<A>, enc);

/// The sizes of the AES that RFC 8452 has.
pub trait GcmSivAes: Aes {}
impl GcmSivAes for Aes128 {}
impl GcmSivAes for Aes256 {}

impl<A: GcmSivAes> GcmSiv<A> {
    /// Expands `key` for the best tier of this machine.
    pub fn new(key: &A::Key) -> Self {
        Self::expanded(Cpu::detect(), key.as_ref())
    }

    /// Expands `key` for the tier `cpu`.
    ///
    /// # Errors
    /// [`Error::KeyLength`]; [`Error::TagLength`] if `tag_len` is not 16.
    pub fn build(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        if key.len() != A::KEY_LEN {
            return Err(Error::KeyLength);
        }
        if tag_len != TAG_LEN {
            return Err(Error::TagLength);
        }
        Ok(Self::expanded(cpu, key))
    }

    #[inline(always)]
    fn expanded(cpu: Cpu, key: &[u8]) -> Self {
        let mut it = Self { enc: A::Enc::zeroed(), cpu };
        cpu.run(super::ctr::Expand::<A> { key, enc: &mut it.enc });
        it
    }

    #[inline(always)]
    fn check<'n>(&self, nonce: &'n [u8], ad: &[u8], len: usize) -> Result<&'n [u8; NONCE_LEN], Error> {
        let nonce = nonce.try_into().map_err(|_| Error::NonceLength)?;
        if len as u64 > MOST {
            return Err(Error::MessageTooLong);
        }
        if ad.len() as u64 > MOST {
            return Err(Error::AdTooLong);
        }
        Ok(nonce)
    }
}

struct Seal<'a, A: Aes> {
    key: &'a GcmSiv<A>,
    nonce: &'a [u8; NONCE_LEN],
    ad: &'a [u8],
    io: InOut<'a>,
    tag: &'a mut [u8],
}

struct Open<'a, A: Aes> {
    key: &'a GcmSiv<A>,
    nonce: &'a [u8; NONCE_LEN],
    ad: &'a [u8],
    io: InOut<'a>,
    tag: &'a [u8],
}

impl<A: Aes> Kernel for Seal<'_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let most = blocks(self.ad.len()) + blocks(self.io.len()) + 1;
        let keys = Derived::<A, B>::new::<N>(b, &self.key.enc, self.nonce, most);
        let tag = keys.tag::<N>(self.nonce, self.ad, self.io.src());
        b.one().store(self.tag, tag);
        keys.crypt::<N>(tag, self.io);
        keys.wipe();
    }
}

impl<A: Aes> Kernel for Open<'_, A> {
    type Out = bool;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(mut self, b: B) -> bool {
        let most = blocks(self.ad.len()) + blocks(self.io.len()) + 1;
        let keys = Derived::<A, B>::new::<N>(b, &self.key.enc, self.nonce, most);
        keys.crypt::<N>(b.one().load(self.tag), self.io.reborrow());
        let mut tag = [0; TAG_LEN];
        b.one().store(&mut tag, keys.tag::<N>(self.nonce, self.ad, self.io.dst()));
        keys.wipe();
        equal(&tag, self.tag)
    }
}

/// The keys of one nonce (RFC 8452, sect. 4).
struct Derived<A: Aes, B: Backend> {
    b: B,
    enc: A::Enc,
    powers: Powers,
}

impl<A: Aes, B: Backend> Derived<A, B> {
    /// Ready for `most` blocks, lengths included, to be hashed.
    #[inline(always)]
    fn new<const N: usize>(b: B, enc: &A::Enc, nonce: &[u8; NONCE_LEN], most: usize) -> Self {
        let one = b.one();
        let mut block = [0; 16];
        block[4..].copy_from_slice(nonce);
        let base = one.load(&block);
        // Half a block of key from each block: two for POLYVAL, two or four for the AES.
        let mut halves = [[0; 8]; 6];
        if A::KEY_LEN == 16 {
            derive::<B::One, A, 4>(one, enc, base, &mut halves);
        } else {
            derive::<B::One, A, 6>(one, enc, base, &mut halves);
        }
        let mut it = Self { b, enc: A::Enc::zeroed(), powers: Powers::zeroed() };
        let bytes = halves.as_flattened();
        one.expand::<A>(&bytes[16..16 + A::KEY_LEN], &mut it.enc);
        let h = one.load(bytes);
        it.powers.fill::<B, N>(b, h, most.min(N * B::BLOCKS + 1));
        halves.as_flattened_mut().wipe();
        it
    }

    /// The tag: the encrypted hash of everything.
    #[inline(always)]
    fn tag<const N: usize>(&self, nonce: &[u8; NONCE_LEN], ad: &[u8], message: &[u8]) -> One<B> {
        let one = self.b.one();
        let lengths = (8 * message.len() as u128) << 64 | 8 * ad.len() as u128;
        let hash = Hash::<B, false>::new(self.b, &self.powers).all::<N>(ad, message, one.load(&lengths.to_le_bytes()));
        let below_top = u128::MAX >> 1;
        let sum = one.and(one.xor(hash, one.load_part(nonce)), one.load(&below_top.to_le_bytes()));
        let mut x = [sum];
        one.encrypt(&Enc(&self.enc), &mut x);
        x[0]
    }

    /// XORs `io` with the key stream that begins at `tag`.
    #[inline(always)]
    fn crypt<const N: usize>(&self, tag: One<B>, mut io: InOut<'_>) {
        let (b, one) = (self.b, self.b.one());
        let top: Block = (1u128 << 127).to_le_bytes();
        // The tag's top bit set, whatever it was.
        let cleared = one.and(tag, one.load(&(u128::MAX >> 1).to_le_bytes()));
        let mut counter = b.add32(b.widen(one.xor(cleared, one.load(&top))), b.load(STEPS.as_flattened()));
        let step = b.splat(&(B::BLOCKS as u128).to_le_bytes());
        let keys = Enc(&self.enc);
        while let Some(mut group) = io.take(N * B::BYTES) {
            let mut x = [counter; N];
            for j in 0..N {
                x[j] = counter;
                counter = b.add32(counter, step);
            }
            b.encrypt(&keys, &mut x);
            for j in 0..N {
                let p = group.load(b, j * B::BYTES);
                group.store(b, j * B::BYTES, b.xor(x[j], p));
            }
        }
        if B::TOGETHER && io.len() > B::BYTES {
            let mut x = [counter; N];
            for j in 0..N {
                x[j] = counter;
                counter = b.add32(counter, step);
            }
            b.encrypt(&keys, &mut x);
            for j in 0..N {
                let n = io.len().min(B::BYTES);
                let Some(mut part) = io.take(n) else { break };
                if n > 0 {
                    let p = part.load_part(b);
                    part.store_part(b, b.xor(x[j], p));
                }
            }
        }
        while !io.is_empty() {
            let n = io.len().min(B::BYTES);
            let Some(mut part) = io.take(n) else { break };
            let mut x = [counter];
            counter = b.add32(counter, step);
            b.encrypt(&keys, &mut x);
            if n == B::BYTES {
                let p = part.load(b, 0);
                part.store(b, 0, b.xor(x[0], p));
            } else {
                let p = part.load_part(b);
                part.store_part(b, b.xor(x[0], p));
            }
        }
    }

    #[inline(always)]
    fn wipe(mut self) {
        self.enc.wipe();
        self.powers.wipe();
    }
}

/// The lanes' numbers, in the first 32-bit word.
static STEPS: [Block; 4] = {
    let mut t = [[0; 16]; 4];
    t[1][0] = 1;
    t[2][0] = 2;
    t[3][0] = 3;
    t
};

/// The first halves of `E(le32(i) || nonce)`, i from 0 below `M`.
#[inline(always)]
fn derive<B: Backend, A: Aes, const M: usize>(b: B, enc: &A::Enc, base: B::V, halves: &mut [[u8; 8]; 6]) {
    let mut x = [base; M];
    for i in 0..M {
        x[i] = b.add32(base, b.load(&(i as u128).to_le_bytes()));
    }
    b.encrypt(&Enc(enc), &mut x);
    for i in 0..M {
        b.store_part(&mut halves[i], x[i]);
    }
}

impl<A: GcmSivAes> Aead for GcmSiv<A> {
    #[inline]
    fn seal_raw(
        &self,
        _: Option<&mut Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let nonce = self.check(nonce, ad, io.len())?;
        self.cpu.run(Seal { key: self, nonce, ad, io, tag });
        Ok(())
    }

    #[inline]
    fn open_raw(
        &self,
        _: Option<&mut Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        tag: &[u8],
    ) -> Result<bool, Error> {
        let nonce = self.check(nonce, ad, io.len())?;
        Ok(self.cpu.run(Open { key: self, nonce, ad, io, tag }))
    }

    fn name(&self) -> &'static str {
        if A::KEY_LEN == 16 { "AES-128-GCM-SIV" } else { "AES-256-GCM-SIV" }
    }
    #[inline(always)]
    fn tag_len(&self) -> usize {
        TAG_LEN
    }
    #[inline(always)]
    fn nonce_len(&self) -> usize {
        NONCE_LEN
    }
    /// RFC 8452, sect. 6: messages and associated data of 2^36 bytes. Sect. 9
    /// bounds the whole by how often a nonce comes again; with nonces that do
    /// not, 2^48 messages and 2^64 blocks are far within it.
    fn limits(&self) -> Limits {
        Limits { message: MOST, ad: MOST, key_blocks: u64::MAX, key_messages: 1 << 48 }
    }
    fn cpu(&self) -> Cpu {
        self.cpu
    }
}
