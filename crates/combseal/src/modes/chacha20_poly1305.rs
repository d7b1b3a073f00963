//! ChaCha20-Poly1305 (RFC 8439) and XChaCha20-Poly1305
//! (draft-irtf-cfrg-xchacha), carried by RustCrypto's crate until they are ours.
//!
//! The crate checks the tag before it decrypts, wipes its keys, and chooses the
//! CPU's instructions by itself. It works in place here: separate buffers cost
//! a copy.

use crate::aead::{Aead, Cache, Error, Limits};
use crate::cpu::Cpu;
use crate::lanes::InOut;
use chacha20poly1305::{AeadInOut, KeyInit};

/// The longest message in bytes: RFC 8439's P_MAX, 2^38 - 64 (2.8), less one,
/// as the crate's bound is strict.
const MAX_LEN: u64 = (1 << 38) - 65;

/// Declares the key types.
macro_rules! chacha {
    ($($(#[$doc:meta])* $name:ident, $text:literal, nonce $nonce_len:literal;)*) => {$(
        $(#[$doc])*
        pub struct $name {
            /// Wipes its key when dropped.
            inner: chacha20poly1305::$name,
            cpu: Cpu,
        }

        impl $name {
            /// A key for 16-byte tags, the only ones there are.
            pub fn new(key: &[u8; 32]) -> Self {
                Self { inner: KeyInit::new(key.into()), cpu: Cpu::detect() }
            }

            /// A key of 32 bytes for tags of `tag_len` bytes: 16. The tier `cpu`
            /// is kept but not used: the crate has its own.
            ///
            /// # Errors
            /// [`Error::KeyLength`], [`Error::TagLength`].
            pub fn build(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
                let inner = KeyInit::new_from_slice(key).map_err(|_| Error::KeyLength)?;
                if tag_len != 16 {
                    return Err(Error::TagLength);
                }
                Ok(Self { inner, cpu })
            }
        }

        impl Aead for $name {
            fn seal_raw(
                &self,
                _: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                mut io: InOut<'_>,
                tag: &mut [u8],
            ) -> Result<(), Error> {
                let nonce = nonce.try_into().map_err(|_| Error::NonceLength)?;
                let buf = in_place(&mut io)?;
                let right = self.inner.encrypt_inout_detached(nonce, ad, buf.into());
                tag.copy_from_slice(&right.map_err(|_| Error::MessageTooLong)?);
                Ok(())
            }

            fn open_raw(
                &self,
                _: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                mut io: InOut<'_>,
                tag: &[u8],
            ) -> Result<bool, Error> {
                let nonce = nonce.try_into().map_err(|_| Error::NonceLength)?;
                let tag = tag.try_into().map_err(|_| Error::TagLength)?;
                let buf = in_place(&mut io)?;
                Ok(self.inner.decrypt_inout_detached(nonce, ad, buf.into(), tag).is_ok())
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
            /// Messages: 2^38 - 65 bytes, one less than RFC 8439, 2.8, allows.
            /// Associated data: 2^64 - 1 bytes (the same). Messages and blocks
            /// under one key: no limit but that nonces may not repeat (RFC 9001,
            /// 6.6, which also allows 2^36 forgeries).
            fn limits(&self) -> Limits {
                Limits { message: MAX_LEN, ad: u64::MAX, key_blocks: u64::MAX, key_messages: u64::MAX }
            }
            /// The tier that the key was built for. The crate does not use it.
            fn cpu(&self) -> Cpu {
                self.cpu
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
    /// A nonce must not be used twice with one key; count rather than draw them.
    ChaCha20Poly1305, "ChaCha20-Poly1305", nonce 12;

    /// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, 2): 32-byte keys, 24-byte
    /// nonces, 16-byte tags. A nonce must not be used twice with one key; drawn
    /// at random they do not repeat in practice.
    XChaCha20Poly1305, "XChaCha20-Poly1305", nonce 24;
}

/// The message where the output goes.
fn in_place<'a>(io: &'a mut InOut<'_>) -> Result<&'a mut [u8], Error> {
    if io.len() as u64 > MAX_LEN {
        return Err(Error::MessageTooLong);
    }
    if io.src().as_ptr() != io.dst().as_ptr() {
        io.copy();
    }
    Ok(io.dst())
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
