//! AES-CCM (SP 800-38C; RFC 3610, Whiting, Housley and Ferguson 2003): a
//! CBC-MAC of nonce, lengths, associated data and plaintext, and CTR.
//!
//! One pass: the chain is the limit, 40 cycles a block for AES-128, and CTR
//! runs beneath it. E(A_0), which hides the tag, goes with the chain's last block.

#[cfg(feature = "alloc")]
mod comb;

use crate::cpu::{Aes, Backend, Block, Cpu, Enc, InOut, Kernel, ReturnedBlock, Schedule};
use crate::interface::aead::Aead;
use crate::interface::description::{Description, Limits, RepeatedNonce};
use crate::interface::error::Error;
use crate::interface::scheme::{self, Keyed, Raw, Scheme, Settings};
use crate::memory::blank::secret;
use crate::pipeline::chain::{Chain, EdgeKeys, rounds};
use crate::pipeline::ctr_and_mac::CtrAndMac;
use crate::raw::expand::Expand;

/// Nothing can be kept from one message to the next.
pub(crate) type Cache = ();

/// AES-CCM. The tag has 8, 10, 12, 14 or 16 bytes, fixed with the key. Nonces have 12
/// bytes, or 7 to 13 if the key is told so ([`set_nonce_len`](Self::set_nonce_len)); the
/// longer the nonce, the shorter the message: with a nonce of `n` bytes it has less than
/// 2^(8 (15 - n)) bytes.
// Aligned, so that no round key is read across two cache lines.
#[repr(C, align(16))]
pub struct Ccm<A: Aes> {
    enc: A::Enc,
    settings: Settings,
}
secret!(Ccm<A: Aes> { enc, settings });

impl<A: Aes> Ccm<A> {
    scheme::constructors! {
        new A::Key, "16 (`Aes128`), 24 (`Aes192`) or 32 (`Aes256`)";
        tags "8, 10, 12, 14 or 16";
        nonces "7 to 13";
    }

    /// With tags of 4 or 6 bytes too, as IEEE 802.15.4 and Bluetooth have them. A tag of
    /// `t` bits is guessed once in `2^t` tries: keep count of forgeries (SP 800-38C,
    /// appendix B).
    ///
    /// # Errors
    /// [`Error::KeyLength`]; [`Error::TagLength`] unless `tag_len` is 4, 6, 8, 10, 12, 14
    /// or 16.
    pub fn hazmat_build_short_tag(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        scheme::build_short_tag(cpu, key, tag_len)
    }
}

impl<A: Aes> Keyed for Ccm<A> {
    const DESCRIPTION: &'static Description = &Description {
        name: match A::KEY_LEN {
            16 => "AES-128-CCM",
            24 => "AES-192-CCM",
            _ => "AES-256-CCM",
        },
        family: "ccm",
        key_len: A::KEY_LEN,
        key_bits: 8 * A::KEY_LEN as u32,
        nonce_lens: 7..=13,
        shortest_nonce: 7,
        tag_lens: &[16, 14, 12, 10, 8],
        short_tag_lens: &[6, 4],
        limits: limits(12),
        limits_source: "with a nonce of n bytes, messages below 2^(8 (15 - n)) bytes (SP 800-38C, A.1); a key serves \
            2^61 calls of the cipher (SP 800-38C, sect. 5.1), two of them for each block of a message",
        source: "SP 800-38C; RFC 3610",
        standard: Some("SP 800-38C"),
        nist: true,
        repeated_nonce: RepeatedNonce::Xor,
        ..Description::USUAL
    };

    #[inline(always)]
    fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    fn fill(&mut self, key: &[u8]) {
        self.settings.cpu.run_prebuilt::<SetUp, A>(Expand { key, enc: &mut self.enc });
    }
}

crate::cpu::prebuilt! {
    SealDoors<'a, A> = Seal<'a, A::Enc> => ReturnedBlock, [128 192 = 256];
    OpenDoors<'a, A> = Open<'a, A::Enc> => bool, [128 192 = 256];
    SetUp<'a, A> = Expand<'a, A> => (), [128 192 256];
}

/// 2^(8q) - 1 bytes, where q = 15 - `nonce_len` (SP 800-38C, A.1).
#[inline(always)]
const fn longest_message(nonce_len: usize) -> u64 {
    u64::MAX >> (8 * nonce_len - 56)
}

/// What nonces of `nonce_len` bytes leave room for.
const fn limits(nonce_len: usize) -> Limits {
    Limits { message: longest_message(nonce_len), ad: u64::MAX, key_blocks: 1 << 60, key_messages: u64::MAX }
}

impl<A: Aes> Scheme for Ccm<A> {
    type Cache = Cache;

    scheme::described!();

    fn allowed(&self) -> Limits {
        limits(self.settings.nonce_len as usize)
    }
}

impl<A: Aes> Raw for Ccm<A> {
    /// Refuses what the format has no room for.
    #[inline(always)]
    fn check(&self, nonce: &[u8], _: &[u8], message: usize) -> Result<(), Error> {
        if !self.settings.takes(nonce) {
            return Err(Error::NonceLength);
        }
        if message as u64 > longest_message(nonce.len()) {
            return Err(Error::MessageTooLong);
        }
        Ok(())
    }

    #[inline]
    fn seal_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, _: &mut Block) -> ReturnedBlock {
        self.settings.cpu.run_prebuilt::<SealDoors, A>(Seal {
            keys: &self.enc,
            nonce,
            ad,
            io,
            tag_len: self.settings.tag_len(),
        })
    }

    #[inline]
    fn open_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> bool {
        self.settings.cpu.run_prebuilt::<OpenDoors, A>(Open { keys: &self.enc, nonce, ad, io, tag })
    }
}

impl<A: Aes> Aead for Ccm<A> {}

struct Seal<'a, S> {
    keys: &'a S,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
    tag_len: usize,
}
impl<S: Schedule> Kernel for Seal<'_, S> {
    type Out = ReturnedBlock;
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let b = b.one();
        b.returned(ccm::<_, _, false>(b, self.keys, self.nonce, self.ad, self.io, self.tag_len))
    }
}

struct Open<'a, S> {
    keys: &'a S,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
    tag: &'a [u8],
}
impl<S: Schedule> Kernel for Open<'_, S> {
    type Out = bool;
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let b = b.one();
        let t = ccm::<_, _, true>(b, self.keys, self.nonce, self.ad, self.io, self.tag.len());
        b.begins(t, self.tag)
    }
}

/// The kernel; gives the tag, of which `tag_len` bytes count. The formats are
/// those of SP 800-38C, appendix A.
#[inline(always)]
fn ccm<B: Backend, S: Schedule, const OPEN: bool>(
    b: B,
    keys: &S,
    nonce: &[u8],
    ad: &[u8],
    io: InOut<'_>,
    tag_len: usize,
) -> B::V {
    let keys = Enc(keys);
    let edge = EdgeKeys::new(b, &keys, 0);
    // Blocks as little-endian integers: flags, nonce, then a big-endian field.
    let q = 15 - nonce.len();
    let tail = bits(b, nonce) << 8 | (q - 1) as u128;
    let flags = usize::from(!ad.is_empty()) << 6 | ((tag_len - 2) / 2) << 3;
    let b0 = tail | flags as u128 | u128::from((io.len() as u64).swap_bytes()) << 64;
    let a0 = b.splat(&tail.to_le_bytes());
    let a1 = b.splat(&(tail | 1 << 120).to_le_bytes());

    let mut chain = Chain { x: b.xor(edge.first, b.splat(&b0.to_le_bytes())), due: true };
    if !ad.is_empty() {
        // The length, in 2, 6 or 10 bytes, stands before the associated data.
        let n = ad.len() as u64;
        let (head, size) = if n < 0xff00 {
            (u128::from((n as u16).swap_bytes()), 2)
        } else if n <= u64::from(u32::MAX) {
            (0xfeff | u128::from((n as u32).swap_bytes()) << 16, 6)
        } else {
            (0xffff | u128::from(n.swap_bytes()) << 16, 10)
        };
        let (first, mut rest) = ad.split_at(ad.len().min(16 - size));
        let first = head | bits(b, first) << (8 * size);
        chain.absorb(b, &keys, &edge, b.splat(&first.to_le_bytes()));
        while rest.len() >= 16 {
            chain.absorb(b, &keys, &edge, b.load(rest));
            rest = &rest[16..];
        }
        if !rest.is_empty() {
            chain.absorb(b, &keys, &edge, b.load_part(rest));
        }
    }

    let mut ctr_and_mac = CtrAndMac::<_, _, _, true>::new(b, &keys, &keys, edge, a1, chain);
    ctr_and_mac.run::<OPEN>(io, b.zero(), None);
    let [t, s0] = rounds(b, &keys, [ctr_and_mac.chain.x, b.xor(edge.first, a0)], [edge.last; 2]);
    b.xor(t, s0)
}

/// Up to 16 bytes as a little-endian integer.
#[inline(always)]
fn bits<B: Backend>(b: B, bytes: &[u8]) -> u128 {
    if let (words @ [_, _, _], []) = bytes.as_chunks::<4>() {
        // The last four bytes apart: a caller who counts in them has just written them, and a
        // wider load would wait for that. The compiler joins the first eight, which is as well:
        // with `narrow_load` for all three, opening 16 bytes took a tenth longer.
        let mut z = 0;
        for i in 0..3 {
            z |= u128::from(u32::from_le_bytes(words[i])) << (32 * i);
        }
        return z;
    }
    let mut block = [0; 16];
    b.store(&mut block, b.load_part(bytes));
    u128::from_le_bytes(block)
}
