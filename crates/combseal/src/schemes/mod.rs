//! A room a scheme: its description, its key, its kernels over any backend.

pub mod aegis;
pub mod ccm;
pub mod chacha20_poly1305;
pub mod eax;
pub mod gcm;
pub mod gcm_siv;
pub mod ocb3;
pub mod siv;
