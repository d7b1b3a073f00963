//! RustCrypto's `aead` 0.6 traits for every typed key, with the usual nonce and
//! 16-byte tags. As everywhere here, a failed opening leaves zeros.

use crate::aead::{open, seal_into};
use crate::cpu::{Aes128, Aes192, Aes256, Cpu};
use crate::lanes::InOut;
use crate::{
    Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4, Ccm, ChaCha20Poly1305, Eax, Gcm,
    GcmSiv, Ocb3, Siv, XChaCha20Poly1305,
};
use aead::common::array::typenum::{U12, U16, U24, U32, U48, U64};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Result, Tag, TagPosition};

macro_rules! traits {
    ($($t:ty: key $key:ty, nonce $nonce:ty;)*) => {$(
        impl KeySizeUser for $t {
            type KeySize = $key;
        }
        impl KeyInit for $t {
            fn new(key: &Key<Self>) -> Self {
                match <$t>::build(Cpu::detect(), key, 16) {
                    Ok(key) => key,
                    Err(_) => unreachable!("the key's type has the right length"),
                }
            }
        }
        impl AeadCore for $t {
            type NonceSize = $nonce;
            type TagSize = U16;
            const TAG_POSITION: TagPosition = if <$t as crate::Aead>::TAG_FIRST {
                TagPosition::Prefix
            } else {
                TagPosition::Postfix
            };
        }
        /// A key with another tag length than 16 answers every call with the error.
        impl AeadInOut for $t {
            fn encrypt_inout_detached(&self, nonce: &Nonce<Self>, ad: &[u8], buf: InOutBuf<'_, '_, u8>) -> Result<Tag<Self>> {
                if crate::Aead::tag_len(self) != 16 {
                    return Err(Error);
                }
                let mut out = Tag::<Self>::default();
                seal_into(self, None, nonce, ad, InOut::from_rustcrypto(buf), &mut out).map_err(|_| Error)?;
                Ok(out)
            }
            fn decrypt_inout_detached(&self, nonce: &Nonce<Self>, ad: &[u8], buf: InOutBuf<'_, '_, u8>, tag: &Tag<Self>) -> Result<()> {
                open(self, None, nonce, ad, InOut::from_rustcrypto(buf), tag).map_err(|_| Error)
            }
        }
    )*};
}

traits! {
    Ocb3<Aes128>: key U16, nonce U12;
    Ocb3<Aes192>: key U24, nonce U12;
    Ocb3<Aes256>: key U32, nonce U12;
    Gcm<Aes128>: key U16, nonce U12;
    Gcm<Aes192>: key U24, nonce U12;
    Gcm<Aes256>: key U32, nonce U12;
    GcmSiv<Aes128>: key U16, nonce U12;
    GcmSiv<Aes256>: key U32, nonce U12;
    Ccm<Aes128>: key U16, nonce U12;
    Ccm<Aes192>: key U24, nonce U12;
    Ccm<Aes256>: key U32, nonce U12;
    Eax<Aes128>: key U16, nonce U16;
    Eax<Aes192>: key U24, nonce U16;
    Eax<Aes256>: key U32, nonce U16;
    Siv<Aes128>: key U32, nonce U16;
    Siv<Aes192>: key U48, nonce U16;
    Siv<Aes256>: key U64, nonce U16;
    Aegis128: key U16, nonce U16;
    Aegis128L: key U16, nonce U16;
    Aegis128X2: key U16, nonce U16;
    Aegis128X4: key U16, nonce U16;
    Aegis256: key U32, nonce U32;
    Aegis256X2: key U32, nonce U32;
    Aegis256X4: key U32, nonce U32;
    ChaCha20Poly1305: key U32, nonce U12;
    XChaCha20Poly1305: key U32, nonce U24;
}
