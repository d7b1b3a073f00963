//! The loops that are timed: over messages of one length or of many, with associated data, under
//! many keys, in batches, from memory, in columns; and over key setup. Each loop is the same for all implementations.

mod batch;
mod cold;
mod column;
mod data;
mod keys;
mod mix;
mod raw;
mod ring;
mod setup;
mod single;
#[cfg(test)]
mod tests;

pub(crate) use batch::{Doing, batch};
pub(crate) use cold::{TOGETHER, cold};
pub use column::column;
pub(crate) use data::data;
pub(crate) use keys::{in_turn, many};
pub(crate) use mix::mix;
pub use mix::room;
pub(crate) use setup::Setup;
pub use single::Buffers;
pub(crate) use single::work;
