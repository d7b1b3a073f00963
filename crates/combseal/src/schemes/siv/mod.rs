//! AES-SIV (RFC 5297; Rogaway and Shrimpton, EUROCRYPT 2006): a synthetic IV, V, from
//! CMACs of every string (S2V), then CTR from V. Deterministic where no nonce
//! is given, and nothing but equality of messages is lost where one repeats.
//!
//! Chains run side by side: two associated strings at a time, what is left of
//! the longer beside the message's, of which only the last 16 bytes wait for
//! the others. Sealing then needs a second pass, at full width; opening is one.

#[cfg(feature = "alloc")]
mod column;
#[cfg(feature = "alloc")]
mod comb;

use crate::cpu::{Aes, Backend, Block, Cpu, Enc, InOut, Kernel, ReturnedBlock, Schedule};
use crate::interface::aead::Aead;
use crate::interface::description::{Description, Limits, RepeatedNonce};
use crate::interface::error::Error;
use crate::interface::scheme::{self, Keyed, Raw, Scheme, Settings};
use crate::interface::tag::Tag;
use crate::memory::blank::{At16, blank, filled, secret};
use crate::memory::wipe::Wipe;
use crate::pipeline::chain::{Chain, EdgeKeys, rounds};
use crate::pipeline::ctr_and_mac::CtrAndMac;
use crate::pipeline::mac_lane::{MacLane, Subkeys, advance, closing, double, finish};
use crate::raw::cmac::subkeys_alone;
use crate::raw::ctr;

/// Nothing can be kept from one message to the next.
pub(crate) type Cache = ();

/// The length of V, the tag, in bytes.
const TAG_LEN: usize = 16;
/// Associated strings that S2V takes beside the plaintext (RFC 5297, 7: strings
/// must be fewer than a block has bits).
const MAX_STRINGS: usize = 126;

/// AES-SIV with CMAC: AEAD_AES_SIV_CMAC_256, _384 and _512 for AES-128, 192
/// and 256. A key is two AES keys, that of S2V first. The tag is V, 16 bytes,
/// and goes before the ciphertext.
///
/// As an [`Aead`], S2V's strings are the associated data, the nonce, of 16 bytes or what
/// [`set_nonce_len`](Self::set_nonce_len) says, and the plaintext; either of the first two
/// may be empty but counts (RFC 5297, 3). With nonces of no bytes, or one nonce again and
/// again, the mode is deterministic: the same message under the same associated data is
/// sealed to the same bytes, and nothing else is lost. [`seal_vectored`](Self::seal_vectored) takes any strings.
pub struct Siv<A: Aes> {
    key: Material<A::Enc>,
}
secret!(Siv<A: Aes> { key });

/// What a key consists of, for kernels: they are generic over its round keys and not over the size of
/// the AES, so that those of AES-256 do for AES-192 too.
#[repr(C, align(16))]
struct Material<S: Schedule> {
    sub: Subkeys,
    /// CMAC of sixteen zero bytes, where S2V begins.
    zero: Block,
    mac: S,
    before_ctr: At16,
    ctr: S,
    settings: Settings,
}
blank!(@ Material [<S: Schedule>] [<S>] sub, zero, mac, before_ctr, ctr, settings);

impl<A: Aes> Siv<A> {
    /// Expands the keys of S2V and of CTR for the best tier of this machine.
    pub fn new(key: &[A::Key; 2]) -> Self {
        filled(|it: &mut Self| {
            let mut both = [0; 64];
            let (whole, _) = both.split_at_mut(2 * A::KEY_LEN);
            whole[..A::KEY_LEN].copy_from_slice(key[0].as_ref());
            whole[A::KEY_LEN..].copy_from_slice(key[1].as_ref());
            it.begin(Cpu::detect(), whole, TAG_LEN);
            both.wipe();
        })
    }

    scheme::constructors! {
        build;
        nonces "any length below 2^32, or none. A nonce of no bytes is still a string of S2V, after the associated data; RFC 5297's use without a nonce has no such string: that is [`seal_vectored`](Self::seal_vectored) with the associated data alone";
    }

    /// Seals `buf` in place under a vector of associated strings, at most 126,
    /// and returns the tag, V. A nonce, if there is one, is the last string.
    ///
    /// # Errors
    /// [`Error::AdTooLong`] if there are more strings.
    pub fn seal_vectored(&self, ads: &[&[u8]], buf: &mut [u8]) -> Result<Tag, Error> {
        let strings = Strings::new(ads)?;
        let tag = self.key.settings.cpu.run_prebuilt::<SealDoors, A>(Seal {
            siv: &self.key,
            strings,
            io: InOut::in_place(buf),
        });
        Ok(Tag::new(tag.block(), TAG_LEN))
    }

    /// Opens what [`seal_vectored`](Self::seal_vectored) sealed, in place.
    ///
    /// # Errors
    /// [`Error::Forged`], and `buf` is zero; [`Error::TagLength`] if `tag` has not 16
    /// bytes, [`Error::AdTooLong`], and `buf` is as it was.
    pub fn open_vectored(&self, ads: &[&[u8]], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        if tag.len() != TAG_LEN {
            return Err(Error::TagLength);
        }
        let strings = Strings::new(ads)?;
        if self.key.settings.cpu.run_prebuilt::<OpenDoors, A>(Open {
            siv: &self.key,
            strings,
            io: InOut::in_place(buf),
            tag,
        }) {
            return Ok(());
        }
        buf.wipe();
        Err(Error::Forged)
    }
}

impl<A: Aes> Keyed for Siv<A> {
    const DESCRIPTION: &'static Description = &Description {
        name: match A::KEY_LEN {
            16 => "AES-128-SIV",
            24 => "AES-192-SIV",
            _ => "AES-256-SIV",
        },
        family: "siv",
        key_len: 2 * A::KEY_LEN,
        key_bits: 8 * A::KEY_LEN as u32,
        nonce_len: 16,
        nonce_lens: 0..=u32::MAX as usize,
        shortest_nonce: 0,
        tag_first: true,
        limits: Limits { message: u64::MAX, ad: u64::MAX, key_blocks: 1 << 48, key_messages: 1 << 48 },
        limits_source: "no limit to a message that a machine can hold (RFC 5297, sect. 6.1: 2^132 bytes); for a key \
            2^48 messages (RFC 5297, sect. 6); that these have 2^48 blocks in all is this library's: s^2 / 2^128 \
            for s blocks, which is how the proof's bounds grow (Rogaway and Shrimpton 2006), is then 2^-32",
        source: "RFC 5297; Rogaway and Shrimpton 2006",
        standard: Some("RFC 5297"),
        repeated_nonce: RepeatedNonce::Equality,
        ..Description::USUAL
    };

    #[inline(always)]
    fn settings_mut(&mut self) -> &mut Settings {
        &mut self.key.settings
    }

    fn fill(&mut self, key: &[u8]) {
        let keys = key.split_at(A::KEY_LEN).into();
        self.key.settings.cpu.run_prebuilt::<SetUp, A>(Expand { keys, it: &mut self.key });
    }
}

crate::cpu::prebuilt! {
    SealDoors<'a, A> = Seal<'a, A::Enc> => ReturnedBlock, [128 192 = 256];
    OpenDoors<'a, A> = Open<'a, A::Enc> => bool, [128 192 = 256];
    SetUp<'a, A> = Expand<'a, A> => (), [128 192 256];
}

impl<A: Aes> Scheme for Siv<A> {
    type Cache = Cache;

    scheme::described!(key.settings);

    fn seal_strings(&self, ads: &[&[u8]], buf: &mut [u8]) -> Result<Tag, Error> {
        self.seal_vectored(ads, buf)
    }

    fn open_strings(&self, ads: &[&[u8]], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.open_vectored(ads, buf, tag)
    }
}

impl<A: Aes> Raw for Siv<A> {
    #[inline(always)]
    fn check(&self, nonce: &[u8], _: &[u8], _: usize) -> Result<(), Error> {
        if self.key.settings.takes(nonce) { Ok(()) } else { Err(Error::NonceLength) }
    }

    #[inline]
    fn seal_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, _: &mut Block) -> ReturnedBlock {
        self.key.settings.cpu.run_prebuilt::<SealDoors, A>(Seal { siv: &self.key, strings: Strings::of(ad, nonce), io })
    }

    #[inline]
    fn open_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> bool {
        self.key.settings.cpu.run_prebuilt::<OpenDoors, A>(Open {
            siv: &self.key,
            strings: Strings::of(ad, nonce),
            io,
            tag,
        })
    }
}

impl<A: Aes> Aead for Siv<A> {}

struct Expand<'a, A: Aes> {
    keys: [&'a [u8]; 2],
    it: &'a mut Material<A::Enc>,
}
impl<A: Aes> Kernel for Expand<'_, A> {
    type Out = ();
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let it = self.it;
        b.expand::<A>(self.keys[0], &mut it.mac);
        b.expand::<A>(self.keys[1], &mut it.ctr);
        let b = b.one();
        it.sub = subkeys_alone(b, &it.mac);
        let mut x = [b.splat(&it.sub[0])];
        b.encrypt(&Enc(&it.mac), &mut x);
        b.store(&mut it.zero, x[0]);
    }
}

/// Two associated strings, or one, or none.
type Pair<'a> = [Option<&'a [u8]>; 2];

/// The associated strings, the last two apart.
#[derive(Clone, Copy)]
struct Strings<'a> {
    early: &'a [&'a [u8]],
    late: Pair<'a>,
}
impl<'a> Strings<'a> {
    /// A vector of strings, at most 126.
    fn new(ads: &'a [&'a [u8]]) -> Result<Self, Error> {
        if ads.len() > MAX_STRINGS {
            return Err(Error::AdTooLong);
        }
        Ok(match ads {
            [early @ .., first, second] => Self { early, late: [Some(first), Some(second)] },
            [first] => Self { early: &[], late: [Some(first), None] },
            [] => Self { early: &[], late: [None; 2] },
        })
    }

    /// Those of the AEAD (RFC 5297, 3).
    #[inline(always)]
    fn of(ad: &'a [u8], nonce: &'a [u8]) -> Self {
        Self { early: &[], late: [Some(ad), Some(nonce)] }
    }
}

/// S2V but for the message (RFC 5297, 2.4).
struct S2v<'a, B: Backend, S> {
    b: B,
    keys: Enc<'a, S>,
    edge: EdgeKeys<B::V>,
    sub: &'a Subkeys,
    /// D, big-endian.
    d: u128,
}
impl<'a, B: Backend, S: Schedule> S2v<'a, B, S> {
    #[inline(always)]
    fn new(b: B, siv: &'a Material<S>) -> Self {
        let keys = Enc(&siv.mac);
        let edge = EdgeKeys::new(b, &keys, 0);
        Self { b, keys, edge, sub: &siv.sub, d: u128::from_be_bytes(siv.zero) }
    }

    /// All strings but the last two, and of these the second; the first may
    /// have steps left.
    #[inline(always)]
    fn begin(&mut self, strings: &Strings<'a>) -> [MacLane<'a, B::V>; 2] {
        for pair in strings.early.chunks(2) {
            let pair = [pair.first().copied(), pair.get(1).copied()];
            let [mut first, second] = self.macs(&pair);
            finish(self.b, &self.keys, &self.edge, &mut first);
            self.mix(&pair, &[first, second]);
        }
        self.macs(&strings.late)
    }

    /// The lanes of two strings, one, or none, to the end of the second.
    #[inline(always)]
    fn macs(&self, pair: &Pair<'a>) -> [MacLane<'a, B::V>; 2] {
        let mut lanes = [MacLane::idle(self.b, self.sub); 2];
        for j in 0..2 {
            if let Some(string) = pair[j] {
                lanes[j] = MacLane::new(self.b, &self.edge, self.sub, self.b.zero(), string);
            }
        }
        let steps = lanes[1].left;
        advance(self.b, &self.keys, &self.edge, &mut lanes, steps);
        lanes
    }

    /// Brings the CMACs of a pair into D.
    #[inline(always)]
    fn mix(&mut self, pair: &Pair<'a>, lanes: &[MacLane<'a, B::V>; 2]) {
        for j in 0..2 {
            if pair[j].is_some() {
                let mut mac = [0; 16];
                self.b.store(&mut mac, lanes[j].x);
                self.d = double(self.d) ^ u128::from_be_bytes(mac);
            }
        }
    }

    /// V. `chain` has all of the message but its last whole block, `whole`, and
    /// the bytes behind that, `part`, padded with zeros. A message of `n` bytes,
    /// less than 16, is all in `part`.
    #[inline(always)]
    fn finish(&self, mut chain: Chain<B::V>, n: usize, whole: B::V, part: B::V) -> B::V {
        let (b, keys, edge, d) = (self.b, &self.keys, &self.edge, self.d);
        let r = n % 16;
        if n < 16 {
            let t = b.xor(b.xor(part, b.padding(n)), b.splat(&double(d).to_be_bytes()));
            chain.absorb(b, keys, edge, b.xor(t, closing(b, self.sub, 16)));
        } else if r == 0 {
            let t = b.xor(whole, b.splat(&d.to_be_bytes()));
            chain.absorb(b, keys, edge, b.xor(t, closing(b, self.sub, 16)));
        } else {
            // D goes to the last 16 bytes, across two blocks.
            chain.absorb(b, keys, edge, b.xor(whole, b.splat(&(d >> (8 * r)).to_be_bytes())));
            let t = b.xor(part, b.splat(&(d << (128 - 8 * r)).to_be_bytes()));
            chain.absorb(b, keys, edge, b.xor(t, closing(b, self.sub, r)));
        }
        let [v] = rounds(b, keys, [chain.x], [edge.last]);
        v
    }
}

/// Blocks of a message of `n` bytes that D does not reach.
#[inline(always)]
fn free_blocks(n: usize) -> usize {
    (n / 16).saturating_sub(1)
}

/// The counter block: V with bits 31 and 63 cleared (RFC 5297, 2.5).
#[inline(always)]
fn counter(mut v: Block) -> Block {
    v[8] &= 0x7f;
    v[12] &= 0x7f;
    v
}

struct Seal<'a, S: Schedule> {
    siv: &'a Material<S>,
    strings: Strings<'a>,
    io: InOut<'a>,
}
impl<S: Schedule> Kernel for Seal<'_, S> {
    type Out = ReturnedBlock;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let (wide, b) = (b, b.one());
        let mut s2v = S2v::new(b, self.siv);
        let [first, second] = s2v.begin(&self.strings);
        let n = self.io.len();
        let free = free_blocks(n);
        let message = self.io.src();
        let mut lanes = [first, MacLane::prefix(b, &s2v.edge, s2v.sub, message, free)];
        let both = lanes[0].left.min(lanes[1].left);
        advance(b, &s2v.keys, &s2v.edge, &mut lanes, both);
        let [mut first, mut long] = lanes;
        finish(b, &s2v.keys, &s2v.edge, &mut first);
        finish(b, &s2v.keys, &s2v.edge, &mut long);
        s2v.mix(&self.strings.late, &[first, second]);

        let chain = Chain { x: long.x, due: free > 0 };
        let (mut whole, mut part) = (b.zero(), b.zero());
        let mut rest = &message[16 * free..];
        if rest.len() >= 16 {
            whole = b.load(rest);
            rest = &rest[16..];
        }
        if !rest.is_empty() {
            part = b.load_part(rest);
        }
        let v = s2v.finish(chain, n, whole, part);
        // The cleared bits leave room for 2^63 blocks before the last eight bytes overflow.
        ctr::apply::<B, S, N, false>(wide, &self.siv.ctr, &counter(b.block(v)), self.io);
        b.returned(v)
    }
}

struct Open<'a, S: Schedule> {
    siv: &'a Material<S>,
    strings: Strings<'a>,
    io: InOut<'a>,
    tag: &'a [u8],
}
impl<S: Schedule> Kernel for Open<'_, S> {
    type Out = bool;
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let b = b.one();
        let mut s2v = S2v::new(b, self.siv);
        let [mut first, second] = s2v.begin(&self.strings);
        let mut v = [0; 16];
        b.store(&mut v, b.load_part(self.tag));
        let (mac, ctr) = (Enc(&self.siv.mac), Enc(&self.siv.ctr));
        let chain = Chain { x: s2v.edge.first, due: false };
        let q = b.splat(&counter(v));
        let mut ctr_and_mac = CtrAndMac::<_, _, _, false>::new(b, &mac, &ctr, s2v.edge, q, chain);

        let mut io = self.io;
        let n = io.len();
        ctr_and_mac.run::<true>(io.cut(16 * free_blocks(n)), b.zero(), Some(&mut first));
        let mut whole = b.zero();
        if let Some(mut block) = io.take(16) {
            whole = ctr_and_mac.crypt(block.load(b, 0));
            block.store(b, 0, whole);
        }
        let mut part = b.zero();
        if !io.is_empty() {
            part = ctr_and_mac.crypt(io.load_part(b));
            io.store_part(b, part);
            part = b.keep(part, io.len());
        }

        finish(b, &s2v.keys, &s2v.edge, &mut first);
        s2v.mix(&self.strings.late, &[first, second]);
        b.begins(s2v.finish(ctr_and_mac.chain, n, whole, part), self.tag)
    }
}
