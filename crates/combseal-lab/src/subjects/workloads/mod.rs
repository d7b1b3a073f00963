//! The loops that are timed: messages of one length, of many lengths, with associated data, under
//! many keys, in batches; and key setup. Each is the same for every implementation.

mod batch;
mod data;
mod keys;
mod mix;
mod ring;
mod setup;
mod single;
#[cfg(test)]
mod tests;

pub(crate) use batch::{batch, batches};
pub(crate) use data::data;
pub(crate) use keys::many;
pub(crate) use mix::mix;
pub use mix::room;
pub(crate) use setup::Setup;
pub use single::Buffers;
pub(crate) use single::work;
