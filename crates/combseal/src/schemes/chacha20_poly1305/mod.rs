//! ChaCha20-Poly1305 (RFC 8439) and XChaCha20-Poly1305
//! (draft-irtf-cfrg-xchacha-03). The key of Poly1305 is the key stream's first
//! block, so it comes with the first blocks of the message in one pass, and a
//! short message's pass is a narrow one.

use crate::cpu::{Aes128, Backend, Block, InOut, Kernel, ReturnedBlock, equal};
use crate::interface::aead::Aead;
use crate::interface::description::{Description, Limits, RepeatedNonce};
use crate::interface::error::Error;
use crate::interface::scheme::{self, Keyed, Raw, Scheme, Settings};
use crate::memory::blank::secret;
use crate::memory::wipe::Wipe;
use crate::raw::chacha20::{Words, hchacha20};
use crate::raw::poly1305::Poly1305;

/// Nothing can be kept from one message to the next.
pub(crate) type Cache = ();

/// The longest message in bytes (RFC 8439, 2.8): 2^32 - 1 blocks of 64.
const MAX_LEN: u64 = (1 << 38) - 64;

/// One message under way.
struct Message<'w, 'm> {
    words: &'w Words,
    mac: Poly1305,
    /// The next block of key stream.
    counter: u32,
    /// What is yet to be encrypted or decrypted.
    io: InOut<'m>,
    /// What has been encrypted but not absorbed.
    pending: InOut<'m>,
}

impl<'w, 'm> Message<'w, 'm> {
    /// The first pass makes the one-time key, with which the associated data is
    /// absorbed, and has something left for the message.
    #[inline(always)]
    fn first<B: Backend, const SEAL: bool>(b: B, words: &'w Words, ad: &[u8], io: InOut<'m>) -> Self {
        let stream = words.stream(b, 0, 64 + io.len(), &mut Poly1305::new(&[0; 32]), &[]);
        let mut block = [0; 64];
        for i in 0..4 / B::BLOCKS {
            b.store(&mut block[i * B::BYTES..], stream[i]);
        }
        let mut key = [0; 32];
        key.copy_from_slice(&block[..32]);
        let mut mac = Poly1305::new(&key);
        block.wipe();
        key.wipe();
        mac.update(b, ad);
        let mut it = Self { words, mac, counter: 4 * B::BLOCKS as u32, io, pending: InOut::in_place(&mut []) };
        let mut part = it.take(256 * B::BLOCKS - 64);
        if !SEAL {
            it.mac.update(b, part.src());
        }
        apply(b, &stream, 4 / B::BLOCKS, part.reborrow());
        it.pending = part;
        it
    }

    /// A further pass: key stream, and at the same time the ciphertext of the
    /// pass before (to seal) or of this one (to open) is absorbed.
    #[inline(always)]
    fn next<B: Backend, const SEAL: bool>(&mut self, b: B) {
        let mut part = self.take(256 * B::BLOCKS);
        let data: &[u8] = if SEAL { self.pending.dst() } else { part.src() };
        let stream = self.words.stream(b, self.counter, part.len(), &mut self.mac, data);
        self.counter = self.counter.wrapping_add(4 * B::BLOCKS as u32);
        apply(b, &stream, 0, part.reborrow());
        self.pending = part;
    }

    /// At most `n` bytes off what is left.
    #[inline(always)]
    fn take(&mut self, n: usize) -> InOut<'m> {
        self.io.cut(n.min(self.io.len()))
    }
}

/// XORs `io` with the registers of `stream` from `from` on, of which there are enough.
#[inline(always)]
fn apply<B: Backend>(b: B, stream: &[B::V; 16], from: usize, mut io: InOut<'_>) {
    if io.len() == (16 - from) * B::BYTES {
        for i in 0..16 {
            if i >= from {
                let x = io.load(b, (i - from) * B::BYTES);
                io.store(b, (i - from) * B::BYTES, b.xor(x, stream[i]));
            }
        }
        return;
    }
    let mut i = from;
    while let Some(mut whole) = io.take(B::BYTES) {
        let x = whole.load(b, 0);
        whole.store(b, 0, b.xor(x, stream[i & 15]));
        i += 1;
    }
    let x = io.load_part(b);
    io.store_part(b, b.xor(x, stream[i & 15]));
}

/// Seals or opens; returns the tag. Every pass is as narrow as what is left allows.
#[inline(always)]
fn crypt<B: Backend, const SEAL: bool>(b: B, words: &Words, ad: &[u8], io: InOut<'_>) -> [u8; 16] {
    let len = io.len();
    let fits = |len: usize, blocks: usize| len <= 256 * blocks;
    let mut message = if B::BLOCKS == 1 || fits(64 + len, 1) {
        Message::first::<_, SEAL>(b.one(), words, ad, io)
    } else if B::BLOCKS == 2 || fits(64 + len, 2) {
        Message::first::<_, SEAL>(b.two(), words, ad, io)
    } else {
        Message::first::<_, SEAL>(b, words, ad, io)
    };
    while !message.io.is_empty() {
        let left = message.io.len();
        if B::BLOCKS == 1 || fits(left, 1) {
            message.next::<_, SEAL>(b.one());
        } else if B::BLOCKS == 2 || fits(left, 2) {
            message.next::<_, SEAL>(b.two());
        } else {
            message.next::<_, SEAL>(b);
        }
    }
    if SEAL {
        message.mac.update(b, message.pending.dst());
    }
    let lengths = ad.len() as u128 | (len as u128) << 64;
    message.mac.update(b, &lengths.to_le_bytes());
    message.mac.tag()
}

struct Seal<'a> {
    key: &'a [u8; 32],
    nonce: &'a [u8; 12],
    ad: &'a [u8],
    io: InOut<'a>,
}
impl Kernel for Seal<'_> {
    type Out = [u8; 16];
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> [u8; 16] {
        crypt::<B, true>(b, &Words::new(self.key, self.nonce), self.ad, self.io)
    }
}

struct Open<'a>(Seal<'a>);
impl Kernel for Open<'_> {
    type Out = [u8; 16];
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> [u8; 16] {
        crypt::<B, false>(b, &Words::new(self.0.key, self.0.nonce), self.0.ad, self.0.io)
    }
}

crate::cpu::prebuilt! {
    SealDoors<'a, A> = Seal<'a> => [u8; 16], [128];
    OpenDoors<'a, A> = Open<'a> => [u8; 16], [128];
}

/// Declares the key types.
macro_rules! chacha {
    ($($(#[$doc:meta])* $name:ident, $text:literal, $id:literal, $source:literal, $standard:expr, $with:ident, nonce $nonce_len:literal;)*) => {$(
        $(#[$doc])*
        pub struct $name {
            key: [u8; 32],
            settings: Settings,
        }
        secret!($name { key, settings });

        impl $name {
            scheme::constructors! { new [u8; 32]; }
        }

        impl Keyed for $name {
            const DESCRIPTION: &'static Description = &Description {
                name: $text,
                family: $id,
                key_len: 32,
                key_bits: 256,
                nonce_len: $nonce_len,
                nonce_lens: $nonce_len..=$nonce_len,
                shortest_nonce: $nonce_len,
                limits: Limits { message: MAX_LEN, ..Description::USUAL.limits },
                limits_source: "messages of 2^38 - 64 bytes, associated data of 2^64 - 1 (RFC 8439, sect. 2.8); \
                    under one key, of messages and blocks, no limit but that nonces may not repeat (RFC 9001, \
                    sect. 6.6, which allows 2^36 forgeries)",
                source: $source,
                standard: $standard,
                repeated_nonce: RepeatedNonce::XorAndForgeries,
                ..Description::USUAL
            };

            #[inline(always)]
            fn settings_mut(&mut self) -> &mut Settings {
                &mut self.settings
            }

            fn fill(&mut self, key: &[u8]) {
                self.key.copy_from_slice(key);
            }
        }

        impl Scheme for $name {
            type Cache = Cache;

            scheme::described!();
        }

        impl Raw for $name {
            #[inline]
            fn check(&self, nonce: &[u8], _: &[u8], len: usize) -> Result<(), Error> {
                match (nonce.len(), len as u64) {
                    ($nonce_len, ..=MAX_LEN) => Ok(()),
                    ($nonce_len, _) => Err(Error::MessageTooLong),
                    _ => Err(Error::NonceLength),
                }
            }
            fn seal_raw(
                &self,
                _: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                _: &mut Block,
            ) -> ReturnedBlock {
                ReturnedBlock::new($with(&self.key, whole(nonce), |key, nonce| self.settings.cpu.run_prebuilt::<SealDoors, Aes128>(Seal { key, nonce, ad, io })))
            }

            fn open_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> bool {
                let right = $with(&self.key, whole(nonce), |key, nonce| self.settings.cpu.run_prebuilt::<OpenDoors, Aes128>(Open(Seal { key, nonce, ad, io })));
                equal(&right, tag)
            }
        }

        #[cfg(feature = "alloc")]
        impl crate::pipeline::jobs::Many for $name {}

        impl Aead for $name {}
    )*};
}

chacha! {
    /// ChaCha20-Poly1305 (RFC 8439): 32-byte keys, 12-byte nonces, 16-byte tags.
    /// A nonce must not be used twice with one key: count them rather than draw
    /// them.
    ChaCha20Poly1305, "ChaCha20-Poly1305", "chacha20-poly1305", "RFC 8439", Some("RFC 8439"), plain, nonce 12;

    /// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, 2): 32-byte keys, 24-byte
    /// nonces, 16-byte tags. A nonce must not be used twice with one key; drawn
    /// at random they do not repeat in practice.
    XChaCha20Poly1305, "XChaCha20-Poly1305", "xchacha20-poly1305", "draft-irtf-cfrg-xchacha-03", None, extended,
        nonce 24;
}

/// The nonce, whose length has been checked.
#[inline(always)]
fn whole<const N: usize>(nonce: &[u8]) -> &[u8; N] {
    match nonce.try_into() {
        Ok(nonce) => nonce,
        Err(_) => unreachable!("a nonce of a length that `check` refuses"),
    }
}

/// The key and nonce as they are.
#[inline(always)]
fn plain<T>(key: &[u8; 32], nonce: &[u8; 12], run: impl FnOnce(&[u8; 32], &[u8; 12]) -> T) -> T {
    run(key, nonce)
}

/// XChaCha20's: the subkey of the first sixteen bytes, four zeros, and the rest.
#[inline(always)]
fn extended<T>(key: &[u8; 32], nonce: &[u8; 24], run: impl FnOnce(&[u8; 32], &[u8; 12]) -> T) -> T {
    let (mut first, mut rest) = ([0; 16], [0; 12]);
    first.copy_from_slice(&nonce[..16]);
    rest[4..].copy_from_slice(&nonce[16..]);
    let mut subkey = [0; 32];
    hchacha20(key, &first, &mut subkey);
    let out = run(&subkey, &rest);
    subkey.wipe();
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemes::aegis::tests::{agree, around_powers, flips, known, lengths, wycheproof};

    #[test]
    fn known_answers() {
        known("chacha20_poly1305.json", ChaCha20Poly1305::build, 16);
        known("xchacha20_poly1305.json", XChaCha20Poly1305::build, 16);
    }

    #[test]
    fn wycheproof_files() {
        wycheproof("chacha20_poly1305_test.json", ChaCha20Poly1305::build);
        wycheproof("xchacha20_poly1305_test.json", XChaCha20Poly1305::build);
    }

    #[test]
    fn buffers_agree() {
        agree(ChaCha20Poly1305::build, 32, 16, (0..=300).chain(around_powers()));
        agree(XChaCha20Poly1305::build, 32, 16, (0..=300).chain(around_powers()));
    }

    #[test]
    fn forgeries() {
        flips(ChaCha20Poly1305::build, 32, 16);
        flips(XChaCha20Poly1305::build, 32, 16);
    }

    #[test]
    fn wrong_lengths() {
        lengths(ChaCha20Poly1305::build, 32, &[16]);
        lengths(XChaCha20Poly1305::build, 32, &[16]);
    }

    #[test]
    fn doors() {
        assert_eq!(ChaCha20Poly1305::new(&[9; 32]).nonce_len(), 12);
        assert_eq!(XChaCha20Poly1305::new(&[9; 32]).nonce_len(), 24);
        assert!(!format!("{:?}", ChaCha20Poly1305::new(&[9; 32])).contains('9'));
    }
}
