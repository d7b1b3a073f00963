//! What is measured: the schemes, our implementations of them and the peers', the loops over
//! messages that are timed, and the check that an implementation is right before it is timed.

pub mod batches;
mod floor;
pub mod ours;
pub mod peers;
mod scheme;
mod subject;
mod verify;
pub mod workloads;

pub use floor::limit_cycles;
pub use scheme::Scheme;
pub use subject::{Candidate, CountingNonce, Implementation, Op, Tag};
pub use verify::verify;
pub use workloads::Buffers;
