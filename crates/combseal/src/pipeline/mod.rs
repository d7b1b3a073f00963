//! How messages travel through the AES pipeline: one alone, a row of short ones one after
//! the other, many side by side. Knows the cipher's backends, and no scheme.

pub(crate) mod chain;
#[cfg(feature = "alloc")]
pub mod chains;
#[cfg(feature = "alloc")]
pub(crate) mod jobs;
#[cfg(feature = "alloc")]
pub(crate) mod lanes;
#[cfg(feature = "alloc")]
pub(crate) mod lockstep;
#[cfg(feature = "alloc")]
pub mod plan;
#[cfg(feature = "alloc")]
pub(crate) mod row;
