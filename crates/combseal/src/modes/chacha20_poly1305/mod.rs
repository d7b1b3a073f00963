//! ChaCha20-Poly1305 (RFC 8439) and XChaCha20-Poly1305
//! (draft-irtf-cfrg-xchacha-03). RustCrypto's `chacha20` carries the cipher until
//! it is ours, and chooses the CPU's instructions by itself; Poly1305 is here.

mod poly1305;

use crate::aead::{Aead, Cache, Error, Limits};
use crate::cpu::{Cpu, equal};
use crate::lanes::InOut;
use crate::wipe::Wipe;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use chacha20::{ChaCha20, XChaCha20};
use poly1305::Poly1305;

/// The longest message in bytes: one 64-byte block less than RFC 8439 allows
/// (2.8), as the crate does not use the last value of its counter.
const MAX_LEN: u64 = (1 << 38) - 128;

/// The first blocks of key stream, made in one go: the one-time key in the first
/// block, then what a short message needs.
const FIRST: usize = 256;

/// How much is encrypted, then authenticated, while it is in the nearest cache.
const PIECE: usize = 4096;

/// A message's key stream and authenticator.
struct Message<C> {
    cipher: C,
    first: [u8; FIRST],
    mac: Poly1305,
}

impl<C: KeyIvInit + StreamCipher> Message<C> {
    /// Begins the message and absorbs its associated data.
    fn new(key: &[u8; 32], nonce: &[u8], ad: &[u8]) -> Result<Self, Error> {
        let mut cipher = C::new_from_slices(key, nonce).map_err(|_| Error::NonceLength)?;
        let mut first = [0; FIRST];
        cipher.try_apply_keystream(&mut first).map_err(|_| Error::MessageTooLong)?;
        let mut one_time = [0; 32];
        one_time.copy_from_slice(&first[..32]);
        let mut mac = Poly1305::new(&one_time);
        one_time.wipe();
        mac.update(ad);
        Ok(Self { cipher, first, mac })
    }

    /// Takes off as much of `io` as is left of the first key stream.
    fn short<'a>(io: &mut InOut<'a>) -> Option<InOut<'a>> {
        io.take(io.len().min(FIRST - 64))
    }

    /// XORs what `short` took with the first key stream.
    fn apply_first(&self, io: &mut InOut<'_>) {
        in_place(io);
        for (x, z) in io.dst().iter_mut().zip(&self.first[64..]) {
            *x ^= z;
        }
    }

    /// XORs what follows with the key stream that follows.
    fn apply(&mut self, io: &mut InOut<'_>) -> Result<(), Error> {
        in_place(io);
        self.cipher.try_apply_keystream(io.dst()).map_err(|_| Error::MessageTooLong)
    }

    /// The tag over `ad_len` and `len` bytes.
    fn tag(&mut self, ad_len: usize, len: usize) -> [u8; 16] {
        let lengths = ad_len as u128 | (len as u128) << 64;
        self.mac.update(&lengths.to_le_bytes());
        self.mac.tag()
    }
}

impl<C> Drop for Message<C> {
    fn drop(&mut self) {
        self.first.wipe();
    }
}

/// Brings the message to where the output goes.
fn in_place(io: &mut InOut<'_>) {
    if io.src().as_ptr() != io.dst().as_ptr() {
        io.copy();
    }
}

fn seal<C: KeyIvInit + StreamCipher>(
    key: &[u8; 32],
    nonce: &[u8],
    ad: &[u8],
    mut io: InOut<'_>,
) -> Result<[u8; 16], Error> {
    let len = io.len();
    let mut message = Message::<C>::new(key, nonce, ad)?;
    if let Some(mut part) = Message::<C>::short(&mut io) {
        message.apply_first(&mut part);
        message.mac.update(part.dst());
    }
    while !io.is_empty() {
        let Some(mut part) = io.take(io.len().min(PIECE)) else { break };
        message.apply(&mut part)?;
        message.mac.update(part.dst());
    }
    Ok(message.tag(ad.len(), len))
}

/// Checks the tag first: a forgery is not decrypted.
fn open<C: KeyIvInit + StreamCipher>(
    key: &[u8; 32],
    nonce: &[u8],
    ad: &[u8],
    mut io: InOut<'_>,
    tag: &[u8],
) -> Result<bool, Error> {
    let mut message = Message::<C>::new(key, nonce, ad)?;
    message.mac.update(io.src());
    if !equal(&message.tag(ad.len(), io.len()), tag) {
        return Ok(false);
    }
    if let Some(mut part) = Message::<C>::short(&mut io) {
        message.apply_first(&mut part);
    }
    message.apply(&mut io)?;
    Ok(true)
}

/// Lengths, before anything is written.
fn check(nonce: &[u8], nonce_len: usize, io: &InOut<'_>) -> Result<(), Error> {
    if nonce.len() != nonce_len {
        return Err(Error::NonceLength);
    }
    if io.len() as u64 > MAX_LEN {
        return Err(Error::MessageTooLong);
    }
    Ok(())
}

/// Declares the key types.
macro_rules! chacha {
    ($($(#[$doc:meta])* $name:ident, $text:literal, $cipher:ty, nonce $nonce_len:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// Works in place; between separate buffers it copies first.
        pub struct $name {
            key: [u8; 32],
            cpu: Cpu,
        }

        impl $name {
            /// A key for 16-byte tags, the only ones there are.
            pub fn new(key: &[u8; 32]) -> Self {
                Self { key: *key, cpu: Cpu::detect() }
            }

            /// A key of 32 bytes for tags of `tag_len` bytes: 16. The tier `cpu`
            /// is kept but not used: the `chacha20` crate has its own.
            ///
            /// # Errors
            /// [`Error::KeyLength`], [`Error::TagLength`].
            pub fn build(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
                let Ok(key) = key.try_into() else { return Err(Error::KeyLength) };
                if tag_len != 16 {
                    return Err(Error::TagLength);
                }
                Ok(Self { key, cpu })
            }
        }

        impl Aead for $name {
            fn seal_raw(
                &self,
                _: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                tag: &mut [u8],
            ) -> Result<(), Error> {
                check(nonce, $nonce_len, &io)?;
                tag.copy_from_slice(&seal::<$cipher>(&self.key, nonce, ad, io)?);
                Ok(())
            }

            fn open_raw(
                &self,
                _: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                tag: &[u8],
            ) -> Result<bool, Error> {
                check(nonce, $nonce_len, &io)?;
                open::<$cipher>(&self.key, nonce, ad, io, tag)
            }

            fn name(&self) -> &'static str {
                $text
            }
            fn tag_len(&self) -> usize {
                16
            }
            #[doc = concat!(stringify!($nonce_len), " bytes; no other length is taken.")]
            fn nonce_len(&self) -> usize {
                $nonce_len
            }
            /// Messages: 2^38 - 128 bytes, a block less than RFC 8439 allows (2.8).
            /// Associated data: 2^64 - 1 bytes (the same). Messages and blocks
            /// under one key: no limit but that nonces may not repeat (RFC 9001,
            /// 6.6, which allows 2^36 forgeries).
            fn limits(&self) -> Limits {
                Limits { message: MAX_LEN, ad: u64::MAX, key_blocks: u64::MAX, key_messages: u64::MAX }
            }
            /// The tier that the key was built for, which this scheme does not use.
            fn cpu(&self) -> Cpu {
                self.cpu
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                self.key.wipe();
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

chacha! {
    /// ChaCha20-Poly1305 (RFC 8439): 32-byte keys, 12-byte nonces, 16-byte tags.
    /// A nonce must not be used twice with one key: count them rather than draw
    /// them.
    ChaCha20Poly1305, "ChaCha20-Poly1305", ChaCha20, nonce 12;

    /// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, 2): 32-byte keys, 24-byte
    /// nonces, 16-byte tags. A nonce must not be used twice with one key; drawn
    /// at random they do not repeat in practice.
    XChaCha20Poly1305, "XChaCha20-Poly1305", XChaCha20, nonce 24;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modes::aegis::tests::{agree, around_powers, flips, known, lengths, wycheproof};

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
