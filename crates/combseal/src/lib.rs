//! Authenticated encryption at the speed of the AES unit: OCB3 (RFC 7253) and the
//! schemes that it is judged by, on every tier of the CPU.
//!
//! ```
//! use combseal::{Aead, Aes128, NonceCounter, Ocb3, Sealer};
//!
//! let key = Ocb3::<Aes128>::new(&[7; 16]);
//! # #[cfg(feature = "alloc")]
//! # {
//! let sealed = key.seal(b"unique nonce", b"header", b"message")?; // tag attached
//! assert_eq!(key.open(b"unique nonce", b"header", &sealed)?, b"message");
//! # }
//!
//! // Nonces that cannot repeat, for packets: sealed in place, the tag in its place.
//! let mut sealer = Sealer::new(key, NonceCounter::new(b"us->")?)?;
//! let mut packet = *b"message and room for the tag................";
//! let nonce = sealer.seal_attached(b"header", &mut packet)?;
//! assert_eq!(nonce.len(), 12);
//! # Ok::<(), combseal::Error>(())
//! ```
//!
//! - [`Aead`] is what every scheme can do: in place, between buffers, with the tag
//!   apart or attached, as a `Vec`. After a forgery the output is all zero.
//! - [`Sealer`] and [`Opener`] keep what messages under one key share: the nonce
//!   counter, the key's limit, the [`ReplayWindow`], OCB3's Ktop, the hash of associated
//!   data. Both may share one key: `Sealer::new(&key, …)`.
//! - [`Batch`] takes many messages, of any mixture of keys and schemes, through the pipeline
//!   together; [`Columns`] takes many short ones that lie in one buffer.
//! - [`Key`] and [`Algorithm`] are the same schemes, chosen at run time.
//! - The module `stream` (feature `stream`) seals files and streams of any length.
//! - [`Cpu`] names the tiers; keys take the best one, or the one they are built for.
//!
//! What is promised, and what you must do, is in the repository's `docs/security.md`.
#![cfg_attr(not(feature = "std"), no_std)]
// Who leaves schemes or the allocator out leaves some of the tools unused that others share.
#![cfg_attr(not(all(feature = "schemes", feature = "alloc")), allow(dead_code, unused_imports, unused_macros))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(all(feature = "alloc", feature = "_scheme"))]
mod batch;
#[cfg(all(feature = "alloc", feature = "_scheme"))]
mod columns;
mod counter;
pub mod cpu;
mod interface;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
#[cfg(feature = "_scheme")]
mod key;
#[cfg(not(feature = "internals"))]
mod memory;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod memory;
mod pipeline;
mod raw;
mod replay;
#[cfg(feature = "aead")]
pub mod rustcrypto;
mod schemes;
#[cfg(feature = "stream")]
pub mod stream;
#[cfg(test)]
mod testing;

#[cfg(all(feature = "alloc", feature = "_scheme"))]
pub use batch::{Batch, Outcome};
#[cfg(all(feature = "alloc", feature = "_scheme"))]
pub use columns::{Columns, Nonces};
pub use counter::{NonceCounter, Opener, Sealer};
pub use cpu::{Aes128, Aes192, Aes256, Cpu};
pub use interface::aead::{self, Aead, Buffer};
pub use interface::description::{Description, Limits, RepeatedNonce};
pub use interface::error::Error;
pub use interface::tag::{AnyNonce, Nonce, Tag};
#[cfg(feature = "_scheme")]
pub use key::{Algorithm, Key};
pub use memory::wipe;
#[cfg(feature = "alloc")]
pub use pipeline::plan as comb;
#[cfg(feature = "alloc")]
pub use pipeline::values::{Offset, Values};
pub use replay::ReplayWindow;

/// The typed keys.
macro_rules! exports {
    ($($feature:literal $family:ident [$($type:ident)*] { $($variant:ident = $key:ty,)* })*) => {
        $($(#[cfg(feature = $feature)] pub use schemes::$family::$type;)*)*
    };
}
schemes::every_scheme!(exports);

/// Parts that are unsafe to use alone: no authentication, or rules that the
/// caller must keep. Know the papers before you come here.
pub mod hazmat {
    pub use crate::interface::scheme::Relaxed;
    #[cfg(feature = "alloc")]
    pub use crate::pipeline::chains::Comb;
    #[cfg(feature = "chacha20-poly1305")]
    pub use crate::raw::chacha20_blocks::ChaCha20;
    pub use crate::raw::cmac::Cmac;
    pub use crate::raw::ctr::Ctr;
    pub use crate::raw::ecb::Ecb;
    #[cfg(feature = "alloc")]
    pub use crate::raw::{cbc::Cbc, cbc_mac::CbcMac, cfb::Cfb, ofb::Ofb, plain::Message};
    #[cfg(feature = "ocb3")]
    pub use crate::schemes::ocb3::theta;
}

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
