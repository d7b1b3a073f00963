//! Authenticated encryption at the speed of the AES unit.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod aead;
mod counter;
pub mod cpu;
pub mod lanes;
mod modes;
mod registry;
pub mod wipe;

pub use aead::{Aead, Error, Limits, Nonce, Tag};
pub use counter::{NonceCounter, Opener, Sealer};
pub use cpu::{Aes128, Aes192, Aes256, Cpu};
pub use modes::aegis::{Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4};
pub use modes::ccm::Ccm;
pub use modes::chacha20_poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
pub use modes::eax::Eax;
pub use modes::gcm::Gcm;
pub use modes::gcm_siv::GcmSiv;
pub use modes::ocb3::Ocb3;
pub use modes::siv::Siv;
pub use registry::{Algorithm, Key};

/// Parts that are unsafe to use alone: no authentication, or rules that the
/// caller must keep. Know the papers before you come here.
pub mod hazmat {
    pub use crate::modes::cmac::Cmac;
    pub use crate::modes::ctr::Ctr;
    pub use crate::modes::ocb3::theta;
    pub use crate::registry::Relaxed;
}
