//! RustCrypto's `aead` traits: for every typed key, with the usual nonce and 16-byte tags, and in
//! `Fixed` with any other lengths that the scheme takes. As everywhere here, a forgery leaves
//! zeros.
//!
//! Those of version 0.6 (feature `aead`) are implemented here, those of 0.5 (feature `aead-05`), which
//! most crates use today, in [`v05`]. Both may be on.

mod lengths;
#[cfg(feature = "aead-05")]
pub mod v05;
#[cfg(feature = "aead")]
mod v06;

pub use lengths::Lengths;
#[cfg(feature = "aead")]
pub use v06::{Fixed, aead};
