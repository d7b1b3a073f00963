//! Keys under the names that RustCrypto's crates have for them, for either version of the traits. They
//! are `Fixed`, which has no constructor of its own, so that `new` is that of `KeyInit`, and code that
//! was written for those crates is compiled as it stands.

/// Declares the names, with the numbers of a version in scope.
macro_rules! names {
    ($($feature:literal $(#[$doc:meta])* $name:ident = $key:ty, $nonce:ty;)*) => {$(
        #[cfg(feature = $feature)]
        $(#[$doc])*
        ///
        /// `new` and `new_from_slice` are those of `KeyInit`.
        pub type $name = Fixed<$key, $nonce>;
    )*};
    ($(::$consts:ident)+) => {
        #[allow(unused_imports)]
        use $(::$consts)+ as numbers;
        /// GCM with the AES `A`, nonces of `N` bytes and tags of `T`: what the crate `aes-gcm` calls so.
        ///
        /// `new` and `new_from_slice` are those of `KeyInit`.
        #[cfg(feature = "gcm")]
        pub type AesGcm<A, N, T = numbers::U16> = Fixed<crate::Gcm<A>, N, T>;
        /// The ciphers that [`AesGcm`] takes, where the crate `aes-gcm` has them.
        #[cfg(feature = "gcm")]
        pub mod aes {
            pub use crate::{Aes128, Aes192, Aes256};
        }
        crate::rustcrypto::names::names! {
            "gcm" /// AES-128-GCM with nonces of 12 bytes: what the crate `aes-gcm` calls so.
            Aes128Gcm = crate::Gcm<crate::Aes128>, numbers::U12;
            "gcm" /// AES-256-GCM with nonces of 12 bytes: what the crate `aes-gcm` calls so.
            Aes256Gcm = crate::Gcm<crate::Aes256>, numbers::U12;
            "gcm-siv" /// AES-128-GCM-SIV: what the crate `aes-gcm-siv` calls so.
            Aes128GcmSiv = crate::GcmSiv<crate::Aes128>, numbers::U12;
            "gcm-siv" /// AES-256-GCM-SIV: what the crate `aes-gcm-siv` calls so.
            Aes256GcmSiv = crate::GcmSiv<crate::Aes256>, numbers::U12;
            "chacha20-poly1305" /// ChaCha20-Poly1305: what the crate `chacha20poly1305` calls so.
            ChaCha20Poly1305 = crate::ChaCha20Poly1305, numbers::U12;
            "chacha20-poly1305" /// XChaCha20-Poly1305: what the crate `chacha20poly1305` calls so.
            XChaCha20Poly1305 = crate::XChaCha20Poly1305, numbers::U24;
        }
    };
}
pub(super) use names;
