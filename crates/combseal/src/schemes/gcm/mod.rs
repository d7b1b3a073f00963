//! AES-GCM (NIST SP 800-38D): counter mode and GHASH in one pass, which `raw/ctr_hash.rs`
//! makes of a message; `parts` is one that comes in parts.

mod parts;

use crate::cpu::{Aes, Backend, Block, Cpu, Enc, InOut, Kernel, ReturnedBlock, Schedule, block_count};
use crate::interface::aead::Aead;
use crate::interface::description::{Description, Limits, RepeatedNonce};
use crate::interface::error::Error;
use crate::interface::scheme::{self, Keyed, Raw, Scheme, Settings};
use crate::memory::blank::{blank, secret};
use crate::memory::wipe::Wipe;
#[cfg(feature = "alloc")]
use crate::pipeline::jobs::Many;
use crate::raw::ctr_hash::{CtrHash, length_block};
use crate::raw::polyval::{Accumulator, Powers, ROOM, times_x};
use core::sync::atomic::{Ordering, compiler_fence};

/// Nothing can be kept from one message to the next.
pub(crate) type Cache = ();

/// AES-GCM with the AES of size `A`. Tags have 12 to 16 bytes, nonces 12, or another
/// length if the key is told so ([`set_nonce_len`](Self::set_nonce_len)).
pub struct Gcm<A: Aes> {
    key: Material<A::Enc>,
}
secret!(Gcm<A: Aes> { key });

/// What a key consists of, for kernels: they are generic over its round keys and not over the size of
/// the AES, so that those of AES-256 do for AES-192 too.
#[repr(C, align(64))]
struct Material<S: Schedule> {
    // Tables at multiples of 64 bytes: a load across two cache lines costs two.
    powers: Powers<ROOM>,
    enc: S,
    settings: Settings,
}
blank!(@ Material [<S: Schedule>] [<S>] powers, enc, settings);

impl<A: Aes> Gcm<A> {
    scheme::constructors! {
        new A::Key, "16 (`Aes128`), 24 (`Aes192`) or 32 (`Aes256`)";
        tags "12 to 16";
        nonces "at least 8. SP 800-38D recommends 12; the first counter of others is a hash, which may coincide with another's";
    }

    /// Lets [`set_nonce_len`](Self::set_nonce_len) take 1 to 7 bytes too, as SP 800-38D
    /// does. There are few such nonces, and none may be used twice. For test vectors.
    pub fn hazmat_allow_short_nonces(&mut self) {
        Keyed::allow_short_nonces(self);
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
    const DESCRIPTION: &'static Description = &Description {
        name: match A::KEY_LEN {
            16 => "AES-128-GCM",
            24 => "AES-192-GCM",
            _ => "AES-256-GCM",
        },
        family: "gcm",
        key_len: A::KEY_LEN,
        key_bits: 8 * A::KEY_LEN as u32,
        nonce_lens: 8..=u32::MAX as usize,
        shortest_nonce: 1,
        tag_lens: &[16, 15, 14, 13, 12],
        short_tag_lens: &[8, 4],
        limits: Limits { message: MESSAGE, ad: AD, key_blocks: 1 << 48, key_messages: 1 << 32 },
        limits_source: "SP 800-38D, sect. 5.2.1.1 (lengths) and 8.3 (2^32 messages under a key); that these have 2^48 \
            blocks in all is this library's: the proof's bound, (s + q + 1)^2 / 2^129 for s blocks in q messages \
            (Iwata, Ohashi and Minematsu 2012), is then about 2^-33",
        source: "SP 800-38D",
        standard: Some("SP 800-38D"),
        nist: true,
        repeated_nonce: RepeatedNonce::XorAndForgeries,
        ..Description::USUAL
    };
    const END: usize = core::mem::offset_of!(Self, key.settings) + size_of::<Settings>();

    #[inline(always)]
    fn settings_mut(&mut self) -> &mut Settings {
        &mut self.key.settings
    }

    #[inline(always)]
    fn fill(&mut self, key: &[u8]) {
        self.key.settings.cpu.run_prebuilt::<SetUp, A>(Setup { key, into: &mut self.key });
    }
}

crate::cpu::prebuilt! {
    SealDoors<'a, A> = Seal<'a, A::Enc> => ReturnedBlock, [128 192 = 256];
    OpenDoors<'a, A> = Open<'a, A::Enc> => bool, [128 192 = 256];
    SetUp<'a, A> = Setup<'a, A> => (), [128 192 256];
}

/// SP 800-38D, sect. 5.2.1.1: 2^39 - 256 bits.
const MESSAGE: u64 = (1 << 36) - 32;
/// The same: 2^64 - 1 bits.
const AD: u64 = (1 << 61) - 1;

struct Setup<'a, A: Aes> {
    key: &'a [u8],
    into: &'a mut Material<A::Enc>,
}
impl<A: Aes> Kernel for Setup<'_, A> {
    type Out = ();
    // As the other kernels, which read powers of H that the narrow tier's set-up does not make.
    const ON_WIDE_SOFT: bool = true;
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

struct Seal<'a, S: Schedule> {
    key: &'a Material<S>,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
}
impl<S: Schedule> Kernel for Seal<'_, S> {
    type Out = ReturnedBlock;
    const ON_WIDE_SOFT: bool = true;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        b.one().returned(crypt::<S, B, N, true>(b, self.key, self.nonce, self.ad, self.io))
    }
}

struct Open<'a, S: Schedule> {
    key: &'a Material<S>,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
    tag: &'a [u8],
}
impl<S: Schedule> Kernel for Open<'_, S> {
    type Out = bool;
    const ON_WIDE_SOFT: bool = true;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let expected = crypt::<S, B, N, false>(b, self.key, self.nonce, self.ad, self.io);
        b.one().begins(expected, self.tag)
    }
}

/// Seals or opens; returns the tag.
#[inline(always)]
fn crypt<S: Schedule, B: Backend, const N: usize, const SEAL: bool>(
    b: B,
    key: &Material<S>,
    nonce: &[u8],
    ad: &[u8],
    io: InOut<'_>,
) -> <B::One as Backend>::V {
    let one = b.one();
    let j0 = initial(b, &key.powers, nonce);
    let lengths = length_block::<B::One>(one, io.len(), ad.len());
    let message = CtrHash::<B, S, true, ROOM>::new(b, &key.enc, j0, &key.powers);
    let (hash, mask) = message.crypt::<N, SEAL>(ad, io, lengths);
    one.xor(one.rev(hash), mask)
}

#[cfg(feature = "alloc")]
impl<A: Aes> Many for Gcm<A> {}

/// J0, its bytes reversed.
#[inline(always)]
fn initial<B: Backend>(b: B, powers: &Powers<ROOM>, nonce: &[u8]) -> <B::One as Backend>::V {
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
    // In groups of one block, the least code: such nonces are rare, and short.
    let lengths = length_block::<B::One>(one, nonce.len(), 0);
    Accumulator::<B::One, true, ROOM>::new(one, powers).all::<1>(&[], nonce, lengths)
}

/// Blocks up to which registers of several would be empty for the most part: one block each is
/// faster then.
const FEW: usize = 2;

impl<A: Aes> Scheme for Gcm<A> {
    type Cache = Cache;

    scheme::described!(key.settings);
    scheme::parted!();
}

impl<A: Aes> Raw for Gcm<A> {
    #[inline(always)]
    fn check(&self, nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error> {
        if !self.key.settings.takes(nonce) {
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
    fn seal_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, _: &mut Block) -> ReturnedBlock {
        self.key
            .settings
            .cpu
            .narrow_at(block_count(ad.len()) + block_count(io.len()), FEW, FEW)
            .run_prebuilt::<SealDoors, A>(Seal { key: &self.key, nonce, ad, io })
    }

    #[inline(always)]
    fn open_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> bool {
        self.key
            .settings
            .cpu
            .narrow_at(block_count(ad.len()) + block_count(io.len()), FEW, FEW)
            .run_prebuilt::<OpenDoors, A>(Open { key: &self.key, nonce, ad, io, tag })
    }
}

impl<A: Aes> Aead for Gcm<A> {}
