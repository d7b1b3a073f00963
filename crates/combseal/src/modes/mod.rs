//! One file a mode: its kernels, generic over the backend, and its key type.

pub mod aegis;
#[cfg(feature = "alloc")]
pub mod cbc;
#[cfg(feature = "alloc")]
pub mod cbc_mac;
pub mod ccm;
#[cfg(feature = "alloc")]
pub mod cfb;
pub mod chacha20_poly1305;
mod chain;
pub mod cmac;
pub mod ctr;
pub mod eax;
pub mod gcm;
pub mod gcm_siv;
#[cfg(feature = "alloc")]
pub(crate) mod many;
pub mod ocb3;
#[cfg(feature = "alloc")]
pub mod ofb;
#[cfg(feature = "alloc")]
pub(crate) mod plain;
pub(crate) mod polyval;
#[cfg(feature = "alloc")]
pub(crate) mod row;
pub mod siv;
#[cfg(feature = "alloc")]
pub(crate) mod strands;
#[cfg(feature = "alloc")]
pub(crate) mod walk;
