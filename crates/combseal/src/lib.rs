//! Authenticated encryption at the speed of the AES unit.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod aead;
mod counter;
pub mod cpu;
pub mod lanes;
mod modes;

pub use aead::{Aead, Error, Limits, Nonce, Tag};
pub use counter::{NonceCounter, Opener, Sealer};
pub use cpu::{Aes128, Aes192, Aes256, Cpu};
pub use modes::gcm::Gcm;
pub use modes::gcm_siv::GcmSiv;
pub use modes::ocb3::Ocb3;

/// Parts that are unsafe to use alone: no authentication, or rules that the
/// caller must keep. Know the papers before you come here.
pub mod hazmat {
    pub use crate::modes::ctr::Ctr;
    pub use crate::modes::ocb3::theta;
}
