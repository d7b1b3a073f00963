//! A room a scheme: its description, its key, its kernels over any backend.
//!
//! A scheme is a room of this folder and a line of [`every_scheme`]; its family's feature is
//! in `Cargo.toml`. The registry, the traits of other crates, the command and the laboratory
//! follow by themselves.

#[cfg(feature = "aegis")]
pub mod aegis;
#[cfg(feature = "ccm")]
pub mod ccm;
#[cfg(feature = "chacha20-poly1305")]
pub mod chacha20_poly1305;
#[cfg(feature = "eax")]
pub mod eax;
#[cfg(feature = "gcm")]
pub mod gcm;
#[cfg(feature = "gcm-siv")]
pub mod gcm_siv;
#[cfg(feature = "ocb3")]
pub mod ocb3;
#[cfg(feature = "siv")]
pub mod siv;

/// Every scheme, for a macro `$of` that makes something of each: the family's feature, its
/// room and its keys' types, then a line for each size of key with its name as an
/// [`Algorithm`](crate::Algorithm).
macro_rules! every_scheme {
    ($of:ident) => {
        $of! {
            "ocb3" ocb3 [Ocb3] {
                Ocb3Aes128 = ocb3::Ocb3<Aes128>,
                Ocb3Aes192 = ocb3::Ocb3<Aes192>,
                Ocb3Aes256 = ocb3::Ocb3<Aes256>,
            }
            "gcm" gcm [Gcm] {
                GcmAes128 = gcm::Gcm<Aes128>,
                GcmAes192 = gcm::Gcm<Aes192>,
                GcmAes256 = gcm::Gcm<Aes256>,
            }
            "gcm-siv" gcm_siv [GcmSiv] {
                GcmSivAes128 = gcm_siv::GcmSiv<Aes128>,
                GcmSivAes256 = gcm_siv::GcmSiv<Aes256>,
            }
            "ccm" ccm [Ccm] {
                CcmAes128 = ccm::Ccm<Aes128>,
                CcmAes192 = ccm::Ccm<Aes192>,
                CcmAes256 = ccm::Ccm<Aes256>,
            }
            "eax" eax [Eax] {
                EaxAes128 = eax::Eax<Aes128>,
                EaxAes192 = eax::Eax<Aes192>,
                EaxAes256 = eax::Eax<Aes256>,
            }
            "siv" siv [Siv] {
                SivAes128 = siv::Siv<Aes128>,
                SivAes192 = siv::Siv<Aes192>,
                SivAes256 = siv::Siv<Aes256>,
            }
            "aegis" aegis [Aegis128 Aegis128L Aegis128X2 Aegis128X4 Aegis256 Aegis256X2 Aegis256X4] {
                Aegis128 = aegis::Aegis128,
                Aegis128L = aegis::Aegis128L,
                Aegis128X2 = aegis::Aegis128X2,
                Aegis128X4 = aegis::Aegis128X4,
                Aegis256 = aegis::Aegis256,
                Aegis256X2 = aegis::Aegis256X2,
                Aegis256X4 = aegis::Aegis256X4,
            }
            "chacha20-poly1305" chacha20_poly1305 [ChaCha20Poly1305 XChaCha20Poly1305] {
                ChaCha20Poly1305 = chacha20_poly1305::ChaCha20Poly1305,
                XChaCha20Poly1305 = chacha20_poly1305::XChaCha20Poly1305,
            }
        }
    };
}
pub(crate) use every_scheme;
