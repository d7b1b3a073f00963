//! AES-EAX (Bellare, Rogaway and Wagner, FSE 2004): CTR from OMAC^0 of the
//! nonce; the tag is that, OMAC^1 of the associated data and OMAC^2 of the
//! ciphertext, together.
//!
//! The chains over nonce and associated data run side by side, what is left of
//! the latter beside the message's, and CTR beneath all.

#[cfg(feature = "alloc")]
mod comb;
mod parts;

use crate::cpu::{Aes, Backend, Block, Cpu, Enc, InOut, Kernel, ReturnedBlock, Schedule};
use crate::interface::aead::Aead;
use crate::interface::description::{Description, Limits, RepeatedNonce};
use crate::interface::error::Error;
use crate::interface::scheme::{self, Keyed, Raw, Scheme, Settings};
use crate::memory::blank::secret;
use crate::pipeline::chain::{Chain, EdgeKeys, rounds};
use crate::pipeline::ctr_and_mac::CtrAndMac;
use crate::pipeline::mac_lane::{MacLane, Subkeys, advance, closing, finish};
use crate::raw::cmac::subkeys;

/// Nothing can be kept from one message to the next.
pub(crate) type Cache = ();

/// AES-EAX. Nonces of 16 bytes, or another length if the key is told so
/// ([`set_nonce_len`](Self::set_nonce_len)); tags of 8 to 16 bytes, fixed with the key;
/// messages and associated data of any length.
// Aligned, and the round keys behind what comes in blocks, so that none is read across two cache lines.
#[repr(C, align(16))]
pub struct Eax<A: Aes> {
    sub: Subkeys,
    /// The cipher's output for 0, 1 and 2: the first blocks of the three OMACs.
    omac: [Block; 3],
    enc: A::Enc,
    settings: Settings,
}
secret!(Eax<A: Aes> { sub, omac, enc, settings });

impl<A: Aes> Eax<A> {
    scheme::constructors! {
        new A::Key, "16 (`Aes128`), 24 (`Aes192`) or 32 (`Aes256`)";
        tags "8 to 16";
        nonces "at least 8";
    }

    /// Lets [`set_nonce_len`](Self::set_nonce_len) take fewer than 8 bytes too, down to
    /// none, as the paper does. There are few such nonces, and none may be used twice.
    /// For test vectors.
    pub fn hazmat_allow_short_nonces(&mut self) {
        Keyed::allow_short_nonces(self);
    }

    /// With tags of 1 to 7 bytes too. A tag of `t` bits is guessed once in `2^t` tries,
    /// so keep count of forgeries and change the key.
    ///
    /// # Errors
    /// [`Error::KeyLength`]; [`Error::TagLength`] unless `tag_len` is 1 to 16.
    pub fn hazmat_build_short_tag(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        scheme::build_short_tag(cpu, key, tag_len)
    }

    #[inline(always)]
    fn with<'a>(&'a self, nonce: &'a [u8], ad: &'a [u8], io: InOut<'a>) -> Message<'a, A::Enc> {
        Message { keys: &self.enc, sub: &self.sub, omac: &self.omac, nonce, ad, io }
    }
}

impl<A: Aes> Keyed for Eax<A> {
    const DESCRIPTION: &'static Description = &Description {
        name: match A::KEY_LEN {
            16 => "AES-128-EAX",
            24 => "AES-192-EAX",
            _ => "AES-256-EAX",
        },
        family: "eax",
        key_len: A::KEY_LEN,
        key_bits: 8 * A::KEY_LEN as u32,
        nonce_len: 16,
        nonce_lens: 8..=u32::MAX as usize,
        shortest_nonce: 0,
        tag_lens: &[16, 15, 14, 13, 12, 11, 10, 9, 8],
        short_tag_lens: &[7, 6, 5, 4, 3, 2, 1],
        limits: Limits { message: u64::MAX, ad: u64::MAX, key_blocks: 1 << 48, key_messages: 1 << 48 },
        limits_source: "no limit to a message; for a key 2^48 blocks, and so no more messages, which is this \
            library's, as no standard has one: the proof's bounds, about 10 s^2 / 2^128 for s blocks (Bellare, \
            Rogaway and Wagner 2004), are then below 2^-28",
        source: "Bellare, Rogaway and Wagner 2004",
        standard: Some("ISO/IEC 19772"),
        repeated_nonce: RepeatedNonce::Xor,
        ..Description::USUAL
    };

    #[inline(always)]
    fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    fn fill(&mut self, key: &[u8]) {
        self.settings.cpu.run_prebuilt::<SetUp, A>(Expand {
            key,
            enc: &mut self.enc,
            sub: &mut self.sub,
            omac: &mut self.omac,
        });
    }
}

crate::cpu::prebuilt! {
    SealDoors<'a, A> = Seal<'a, A::Enc> => ReturnedBlock, [128 192 = 256];
    OpenDoors<'a, A> = Open<'a, A::Enc> => bool, [128 192 = 256];
    SetUp<'a, A> = Expand<'a, A> => (), [128 192 256];
}

impl<A: Aes> Scheme for Eax<A> {
    type Cache = Cache;

    scheme::described!();
    scheme::parted!();
}

impl<A: Aes> Raw for Eax<A> {
    #[inline(always)]
    fn check(&self, nonce: &[u8], _: &[u8], _: usize) -> Result<(), Error> {
        if self.settings.takes(nonce) { Ok(()) } else { Err(Error::NonceLength) }
    }

    #[inline]
    fn seal_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, _: &mut Block) -> ReturnedBlock {
        self.settings.cpu.run_prebuilt::<SealDoors, A>(Seal { message: self.with(nonce, ad, io) })
    }

    #[inline]
    fn open_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> bool {
        self.settings.cpu.run_prebuilt::<OpenDoors, A>(Open { message: self.with(nonce, ad, io), tag })
    }
}

impl<A: Aes> Aead for Eax<A> {}

struct Expand<'a, A: Aes> {
    key: &'a [u8],
    enc: &'a mut A::Enc,
    sub: &'a mut Subkeys,
    omac: &'a mut [Block; 3],
}
impl<A: Aes> Kernel for Expand<'_, A> {
    type Out = ();
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        b.expand::<A>(self.key, self.enc);
        *self.sub = subkeys(b.one(), self.enc, self.omac);
    }
}

/// What sealing and opening share.
struct Message<'a, S> {
    keys: &'a S,
    sub: &'a Subkeys,
    omac: &'a [Block; 3],
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
}

struct Seal<'a, S> {
    message: Message<'a, S>,
}
impl<S: Schedule> Kernel for Seal<'_, S> {
    type Out = ReturnedBlock;
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let b = b.one();
        b.returned(eax::<_, _, false>(b, self.message))
    }
}

struct Open<'a, S> {
    message: Message<'a, S>,
    tag: &'a [u8],
}
impl<S: Schedule> Kernel for Open<'_, S> {
    type Out = bool;
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let b = b.one();
        b.begins(eax::<_, _, true>(b, self.message), self.tag)
    }
}

/// OMAC^t of `data`, about to begin.
#[inline(always)]
fn omac<'a, B: Backend>(
    b: B,
    edge: &EdgeKeys<B::V>,
    sub: &'a Subkeys,
    omac: &[Block; 3],
    t: u8,
    data: &'a [u8],
) -> MacLane<'a, B::V> {
    if data.is_empty() {
        // The block that holds t is the last, and whole.
        return MacLane::whole(b, edge, sub, number(b, t));
    }
    MacLane::new(b, edge, sub, b.splat(&omac[t as usize]), data)
}

/// Fifteen zero bytes, then `t`.
#[inline(always)]
fn number<B: Backend>(b: B, t: u8) -> B::V {
    b.splat(&u128::from(t).to_be_bytes())
}

/// The kernel; gives the tag.
#[inline(always)]
fn eax<B: Backend, S: Schedule, const OPEN: bool>(b: B, m: Message<'_, S>) -> B::V {
    let keys = Enc(m.keys);
    let edge = EdgeKeys::new(b, &keys, 0);
    let mut lanes = [omac(b, &edge, m.sub, m.omac, 0, m.nonce), omac(b, &edge, m.sub, m.omac, 1, m.ad)];
    let steps = lanes[0].left;
    advance(b, &keys, &edge, &mut lanes, steps);
    let [nonce, mut ad] = lanes;

    let n = m.io.len();
    let x = if n == 0 {
        MacLane::whole(b, &edge, m.sub, number(b, 2)).x
    } else {
        let chain = Chain { x: b.xor(edge.first, b.splat(&m.omac[2])), due: false };
        let mut ctr_and_mac = CtrAndMac::<_, _, _, true>::new(b, &keys, &keys, edge, nonce.x, chain);
        let mask = closing(b, m.sub, (n - 1) % 16 + 1);
        // The chain is over the ciphertext: what is written when sealing.
        if OPEN {
            ctr_and_mac.run::<false>(m.io, mask, Some(&mut ad));
        } else {
            ctr_and_mac.run::<true>(m.io, mask, Some(&mut ad));
        }
        ctr_and_mac.chain.x
    };
    finish(b, &keys, &edge, &mut ad);
    let [x] = rounds(b, &keys, [x], [b.xor(edge.last, b.xor(nonce.x, ad.x))]);
    x
}
