//! What is measured: the schemes, our implementations of them and the peers', the loops over
//! messages that are timed, and the check that an implementation is right before it is timed.

pub mod archive;
pub mod batches;
mod candidate;
mod floor;
mod implementation;
#[cfg(feature = "in-c")]
pub mod in_c;
mod op;
pub mod ours;
pub mod peers;
mod scheme;
pub mod streams;
mod verify;
pub mod workloads;

pub use candidate::{Candidate, CountingNonce, Tag};
pub use floor::limit_cycles;
pub use implementation::Implementation;
pub use op::Op;
pub use scheme::{Scheme, descriptions};
pub use verify::verify;
pub use workloads::Buffers;
