//! What the schemes of another crate are built on: the archive's. Public with the feature
//! `internals`, hidden from the documentation, and without promise of stability.
//!
//! Who uses it sees unverified plaintext and makes the lengths right by himself; but what is
//! here is sound: where a caller has something to prove, the function is `unsafe`.

pub use crate::cpu::bytes::{block_count, equal, narrow_load, xor_block};
pub use crate::cpu::inout::InOut;
#[cfg(feature = "_scheme")]
pub use crate::key::inlined::Inlined;
pub use crate::memory::blank::{Blank, erase, filled};
pub use crate::memory::wipe::Wipe;
pub use crate::pipeline::{chain, ctr_and_mac, mac_lane};
#[cfg(feature = "alloc")]
pub use crate::pipeline::{chains, lanes, lockstep, plan};
pub use crate::raw::cmac::subkeys;
#[cfg(feature = "chacha20-poly1305")]
pub use crate::raw::poly1305_tag::poly1305;
