//! AES-GCM-SIV (RFC 8452): a key for each nonce, POLYVAL, then counter mode from
//! the tag. Repeating a nonce tells only whether a whole message was repeated.
//!
//! Sealing takes two passes, as the tag is the first counter: POLYVAL as fast as
//! the carry-less unit multiplies, then the AES alone. Opening takes one.

use crate::cpu::{
    Aes, Aes128, Aes256, Backend, Block, Cpu, Enc, InOut, Kernel, Keys, ReturnedBlock, Schedule, block_count,
    narrow_load,
};
use crate::interface::aead::Aead;
use crate::interface::description::{Description, Limits, RepeatedNonce};
use crate::interface::error::Error;
use crate::interface::scheme::{self, Keyed, Raw, Scheme, Settings};
use crate::memory::blank::{blank, filled, secret};
use crate::memory::wipe::Wipe;
use crate::raw::ctr_hash::{CtrHash, length_block};
use crate::raw::expand::Expand;
use crate::raw::polyval::{Accumulator, Powers, ROOM, SMALL};

/// Nothing can be kept from one message to the next.
pub(crate) type Cache = ();

/// The sizes of the AES that RFC 8452 gives GCM-SIV.
pub trait SivAes: Aes {}
impl SivAes for Aes128 {}
impl SivAes for Aes256 {}

/// AES-GCM-SIV with the AES of size `A`, [`Aes128`] or [`Aes256`].
///
/// Nonces have 12 bytes, tags 16. A nonce that is used again does no harm but to
/// show whether the same message was sealed again with it.
// Aligned, so that no round key is read across two cache lines.
#[repr(C, align(16))]
pub struct GcmSiv<A: Aes> {
    enc: A::Enc,
    settings: Settings,
}
secret!(GcmSiv<A: Aes> { enc, settings });

impl<A: SivAes> GcmSiv<A> {
    scheme::constructors! { new A::Key, "16 (`Aes128`) or 32 (`Aes256`)"; }
}

impl<A: SivAes> Keyed for GcmSiv<A> {
    const DESCRIPTION: &'static Description = &Description {
        name: if A::KEY_LEN == 16 { "AES-128-GCM-SIV" } else { "AES-256-GCM-SIV" },
        family: "gcm-siv",
        key_len: A::KEY_LEN,
        key_bits: 8 * A::KEY_LEN as u32,
        limits: Limits { message: MOST, ad: MOST, key_blocks: 1 << 61, key_messages: 1 << 32 },
        limits_source: "RFC 8452, sect. 6: a message of 2^36 bytes; sect. 9: with random nonces 2^32 messages of up \
            to 8 GiB, which leaves an adversary an advantage of 2^-32 (2^48 of up to 32 MiB and 2^64 of up to \
            128 KiB leave the same); of blocks, as many as that makes",
        source: "RFC 8452",
        standard: Some("RFC 8452"),
        repeated_nonce: RepeatedNonce::Equality,
        ..Description::USUAL
    };

    #[inline(always)]
    fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    #[inline(always)]
    fn fill(&mut self, key: &[u8]) {
        self.settings.cpu.run_prebuilt::<SetUp, A>(Expand { key, enc: &mut self.enc });
    }
}

crate::cpu::prebuilt! {
    SealDoors<'a, A> = Seal<'a, A> => ReturnedBlock, [128 256];
    OpenDoors<'a, A> = Open<'a, A> => bool, [128 256];
    SetUp<'a, A> = Expand<'a, A> => (), [128 256];
}

/// RFC 8452, sect. 6: 2^36 bytes.
const MOST: u64 = 1 << 36;

/// The bit that tells the first counter from the tag.
static TOP_BIT: Block = (1u128 << 127).to_le_bytes();
static OTHER_BITS: Block = (!(1u128 << 127)).to_le_bytes();

/// A nonce as it is added to the hash, and behind the number of a derived block.
struct Nonce<B: Backend> {
    front: B::V,
    back: B::V,
}

impl<B: Backend> Nonce<B> {
    #[inline(always)]
    fn new(b: B, nonce: &[u8]) -> Self {
        // Twelve bytes, by `check`.
        let words = nonce.as_chunks::<4>().0.iter().take(3);
        let front = words.rev().fold(0, |n, w| n << 32 | u128::from(u32::from_le_bytes(narrow_load(w))));
        Self { front: b.load(&front.to_le_bytes()), back: b.load(&(front << 32).to_le_bytes()) }
    }
}

/// What is derived for one nonce. In this order, and aligned, groups of four powers begin
/// where cache lines do: three blocks are before them, and before the powers of a
/// multiple of four there is one more (`Powers::falling`).
#[repr(C, align(64))]
struct Derived<A: Aes, const R: usize> {
    before: [Block; 3],
    powers: Powers<R>,
    enc: A::Enc,
}
blank!(@ Derived [<A: Aes, const R: usize>] [<A, R>] before, powers, enc);

impl<A: Aes, const R: usize> Derived<A, R> {
    #[inline(always)]
    fn empty() -> Self {
        filled(|_| {})
    }

    /// The keys for `nonce` (RFC 8452, sect. 4), and powers enough for `total`
    /// blocks of data.
    #[inline(always)]
    fn fill<B: Backend, const N: usize>(&mut self, b: B, enc: &A::Enc, nonce: &Nonce<B::One>, total: usize) {
        let one = b.one();
        let mut key = [[0; 16]; 2];
        let auth = if A::KEY_LEN == 16 {
            let x = derive::<B::One, A::Enc, 4>(one, enc, nonce.back);
            one.store(&mut key[0], halves(one, x[2], x[3]));
            halves(one, x[0], x[1])
        } else {
            let x = derive::<B::One, A::Enc, 6>(one, enc, nonce.back);
            one.store(&mut key[0], halves(one, x[2], x[3]));
            one.store(&mut key[1], halves(one, x[4], x[5]));
            halves(one, x[0], x[1])
        };
        one.expand::<A>(&key.as_flattened()[..A::KEY_LEN], &mut self.enc);
        self.powers.fill::<B, N>(b, auth, total.min(N * B::BLOCKS) + 1);
        key.wipe();
    }

    /// The tag for the hash `s`.
    #[inline(always)]
    fn tag<B: Backend>(&self, b: B, s: B::V, nonce: &Nonce<B>) -> B::V {
        let mut x = [b.and(b.xor(s, nonce.front), b.splat(&OTHER_BITS))];
        b.encrypt(&Enc(&self.enc), &mut x);
        x[0]
    }

    #[inline(always)]
    fn wipe(&mut self) {
        // Written out, as `Wipe` has it: by a call of that, inlined, sealing 128 bytes on
        // 512-bit registers took 335 cycles, and takes 240 so.
        self.enc = A::Enc::zeroed();
        zeroize::optimization_barrier(&self.enc);
        self.powers.wipe();
    }
}

/// E(0 || nonce), E(1 || nonce), …
#[inline(always)]
fn derive<B: Backend, S: Schedule, const M: usize>(b: B, enc: &S, nonce: B::V) -> [B::V; M] {
    let mut x = [nonce; M];
    for j in 1..M {
        x[j] = b.add32(x[j - 1], b.splat(&crate::cpu::LANES[1]));
    }
    b.encrypt(&Enc(enc), &mut x);
    x
}

/// The low halves of two blocks.
#[inline(always)]
fn halves<B: Backend>(b: B, low: B::V, high: B::V) -> B::V {
    b.xor(b.keep(low, 8), b.swap(b.keep(high, 8)))
}

/// The first counter block: the tag with its last bit set.
#[inline(always)]
fn first<B: Backend>(b: B, tag: B::V) -> B::V {
    b.xor(b.and(tag, b.splat(&OTHER_BITS)), b.splat(&TOP_BIT))
}

struct Seal<'a, A: Aes> {
    enc: &'a A::Enc,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
}
impl<A: Aes> Kernel for Seal<'_, A> {
    type Out = ReturnedBlock;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        if const { N * B::BLOCKS + 3 < SMALL } { self.sized::<B, N, SMALL>(b) } else { self.sized::<B, N, ROOM>(b) }
    }
}
impl<A: Aes> Seal<'_, A> {
    #[inline(always)]
    fn sized<B: Backend, const N: usize, const R: usize>(self, b: B) -> ReturnedBlock {
        let one = b.one();
        let nonce = Nonce::new(one, self.nonce);
        let mut derived = Derived::<A, R>::empty();
        derived.fill::<B, N>(b, self.enc, &nonce, block_count(self.ad.len()) + block_count(self.io.len()));
        let lengths = length_block::<B::One>(one, self.ad.len(), self.io.len());
        let s = Accumulator::<B, false, R>::new(b, &derived.powers).all::<N>(self.ad, self.io.src(), lengths);
        let tag = derived.tag(one, s, &nonce);
        stream::<B, _, N>(b, &Enc(&derived.enc), first(one, tag), self.io);
        derived.wipe();
        one.returned(tag)
    }
}

struct Open<'a, A: Aes> {
    enc: &'a A::Enc,
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
        if const { N * B::BLOCKS + 3 < SMALL } { self.sized::<B, N, SMALL>(b) } else { self.sized::<B, N, ROOM>(b) }
    }
}
impl<A: Aes> Open<'_, A> {
    #[inline(always)]
    fn sized<B: Backend, const N: usize, const R: usize>(self, b: B) -> bool {
        let one = b.one();
        let nonce = Nonce::new(one, self.nonce);
        let mut derived = Derived::<A, R>::empty();
        derived.fill::<B, N>(b, self.enc, &nonce, block_count(self.ad.len()) + block_count(self.io.len()));
        let lengths = length_block::<B::One>(one, self.ad.len(), self.io.len());
        let counter = first(one, one.load(self.tag));
        let message = CtrHash::<B, A::Enc, false, R>::new(b, &derived.enc, counter, &derived.powers);
        let (s, _) = message.crypt::<N, true>(self.ad, self.io, lengths);
        let expected = derived.tag(one, s, &nonce);
        derived.wipe();
        one.begins(expected, self.tag)
    }
}

/// Counter mode (RFC 8452, sect. 4): the counter is the first four bytes,
/// little-endian, and wraps.
#[inline(always)]
fn stream<B: Backend, K: Keys<B>, const N: usize>(b: B, keys: &K, counter: <B::One as Backend>::V, mut io: InOut<'_>) {
    let by = b.splat(&(B::BLOCKS as u128).to_le_bytes());
    let mut counter = b.add32(b.widen(counter), b.load(crate::cpu::LANES.as_flattened()));
    while let Some(mut part) = io.take(N * B::BYTES) {
        counter = some::<B, K, N>(b, keys, counter, by, &mut part);
    }
    if N > 4
        && let Some(mut part) = io.take(4 * B::BYTES)
    {
        counter = some::<B, K, 4>(b, keys, counter, by, &mut part);
    }
    while let Some(mut part) = io.take(B::BYTES) {
        counter = some::<B, K, 1>(b, keys, counter, by, &mut part);
    }
    if !io.is_empty() {
        let mut x = [counter];
        b.encrypt(keys, &mut x);
        let p = io.load_part(b);
        io.store_part(b, b.xor(x[0], p));
    }
}

/// `M` registers; returns the next counters.
#[inline(always)]
fn some<B: Backend, K: Keys<B>, const M: usize>(
    b: B,
    keys: &K,
    mut counter: B::V,
    by: B::V,
    io: &mut InOut<'_>,
) -> B::V {
    let mut x = [counter; M];
    for j in 0..M {
        x[j] = counter;
        counter = b.add32(counter, by);
    }
    b.encrypt(keys, &mut x);
    for j in 0..M {
        let p = io.load(b, j * B::BYTES);
        io.store(b, j * B::BYTES, b.xor(x[j], p));
    }
    counter
}

/// The tier for a message: of a few blocks the powers of H for registers of several cost more than those registers
/// save.
#[inline(always)]
fn suited(cpu: Cpu, ad: &[u8], io: &InOut<'_>) -> Cpu {
    cpu.narrow_at(block_count(ad.len()) + block_count(io.len()), 6, 4)
}

impl<A: SivAes> Scheme for GcmSiv<A> {
    type Cache = Cache;

    scheme::described!();
}

impl<A: SivAes> Raw for GcmSiv<A> {
    #[inline(always)]
    fn check(&self, nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error> {
        if nonce.len() != 12 {
            return Err(Error::NonceLength);
        }
        if len as u64 > MOST {
            return Err(Error::MessageTooLong);
        }
        if ad.len() as u64 > MOST {
            return Err(Error::AdTooLong);
        }
        Ok(())
    }

    #[inline(always)]
    fn seal_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, _: &mut Block) -> ReturnedBlock {
        suited(self.settings.cpu, ad, &io).run_prebuilt::<SealDoors, A>(Seal { enc: &self.enc, nonce, ad, io })
    }

    #[inline(always)]
    fn open_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> bool {
        suited(self.settings.cpu, ad, &io).run_prebuilt::<OpenDoors, A>(Open { enc: &self.enc, nonce, ad, io, tag })
    }
}

impl<A: SivAes> Aead for GcmSiv<A> {}

#[cfg(feature = "alloc")]
mod column;
#[cfg(feature = "alloc")]
mod comb;
#[cfg(feature = "alloc")]
mod schedule;
