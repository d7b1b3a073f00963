//! How messages travel through the AES pipeline: one alone, many side by side. Knows the cipher's backends, and no
//! scheme.
//!
//! One message: `chain` is one CBC-MAC chain, `mac_lane` a message's several CMACs,
//! `ctr_and_mac` counter mode beneath a chain. Many: `plan` says which messages go together
//! and how far, `lanes` holds them, `lockstep` has the kernels that take a block of each,
//! `chains` is what a scheme's code sees of that, and `steps` takes 64 bytes of each at once.
//! In a batch: `jobs`. Messages in one buffer:
//! `values` says where each lies, `column` what they are sealed with, and `run` gives the short
//! ones to a scheme's kernel. `holds` finds the scheme's key in a key of any scheme.

pub mod chain;
#[cfg(feature = "alloc")]
pub mod chains;
#[cfg(feature = "alloc")]
pub(crate) mod column;
pub mod ctr_and_mac;
#[cfg(feature = "alloc")]
pub(crate) mod holds;
#[cfg(feature = "alloc")]
pub(crate) mod jobs;
#[cfg(feature = "alloc")]
pub mod lanes;
#[cfg(feature = "alloc")]
pub mod lockstep;
pub mod mac_lane;
#[cfg(feature = "alloc")]
pub mod plan;
#[cfg(feature = "alloc")]
pub(crate) mod run;
#[cfg(feature = "alloc")]
pub(crate) mod steps;
#[cfg(feature = "alloc")]
pub mod values;
