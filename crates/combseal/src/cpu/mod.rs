//! The CPU: one trait for every instruction set, one branch a call.
//!
//! A [`Backend`] is a zero-sized token whose existence proves that the CPU has
//! its instructions; a [`Kernel`] is work written once and run by any of them.
//! Only this folder uses `core::arch`. Where else `unsafe` is, docs/security.md says.
//!
//! This module is the workshop of the project (the archive and the laboratory
//! build on it); it carries no promise of stability.

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod arm;
pub(crate) mod backend;
pub(crate) mod bytes;
pub(crate) mod inout;
pub(crate) mod keys;
#[cfg(feature = "models")]
mod model;
mod returned;
mod soft;
#[cfg(all(test, feature = "models"))]
mod tests;
pub(crate) mod tier;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
mod x86;

pub use backend::{Aes, Backend, Door, Interleave, Invertible, Kernel, Keys, Models, Schedule};
pub use bytes::Block;
pub(crate) use bytes::{LANES, block_count, equal, narrow_load, xor_block};
#[cfg(feature = "alloc")]
pub(crate) use bytes::{by_itself, little};
pub(crate) use inout::{Destination, InOut, Source};
pub use keys::{Aes128, Aes192, Aes256, Dec, Enc, UpTo14};
pub use returned::ReturnedBlock;
pub use tier::Cpu;
pub(crate) use tier::prebuilt;
