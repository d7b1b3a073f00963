//! A room a scheme: its description, its key, its kernels over any backend.

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
