//! Memory that holds keys: built in place from zeros, and zeroed when it is dropped.

pub mod blank;
#[cfg(feature = "alloc")]
pub(crate) mod lend;
pub(crate) mod stack;
pub mod wipe;
