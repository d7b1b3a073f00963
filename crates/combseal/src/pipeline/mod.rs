//! How messages travel through the AES pipeline: one alone, a row of short ones one after
//! the other, many side by side. Knows the cipher's backends, and no scheme.

pub(crate) mod chain;
#[cfg(feature = "alloc")]
pub mod chains;
pub(crate) mod ctr_and_mac;
#[cfg(feature = "alloc")]
pub(crate) mod jobs;
#[cfg(feature = "alloc")]
pub(crate) mod lanes;
#[cfg(feature = "alloc")]
pub(crate) mod lockstep;
pub(crate) mod mac_lane;
#[cfg(feature = "alloc")]
pub mod plan;
#[cfg(feature = "alloc")]
pub(crate) mod row;
