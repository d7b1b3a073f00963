//! The archive: authenticated encryption of the papers that the library does not hold: it was
//! broken, withdrawn, superseded or not chosen, or it is kept for comparison alone.
//!
//! **Not for use.** Everything here is kept to be measured, compared and studied: some of it
//! is broken outright (OCB2), and none of it is what to choose today. Each file's first lines
//! say where the scheme is from, what became of it, and what it is kept for; [`About`] says
//! the same at run time. The library does not depend on this crate.
//!
//! The code is as exact and as fast as the library's own, on the same tiers of the CPU and
//! the same lanes, so that a comparison compares schemes and not effort.
//!
//! ```
//! use combseal_archive::{Key, Scheme};
//!
//! let scheme = Scheme::by_name("CLOC-v1-AES-128").unwrap();
//! let key = Key::new(scheme, &[7; 16])?;
//! let sealed = key.seal(b"twelve bytes", b"header", b"message")?;
//! assert_eq!(key.open(b"twelve bytes", b"header", &sealed, 7)?, b"message");
//! # Ok::<(), combseal::Error>(())
//! ```

mod about;
mod archived;
mod batch;
mod field;
mod layers;
mod models;
mod nonce;
mod registry;
mod schemes;
mod serial;
mod xex;

pub use about::{About, Status};
pub use batch::Batch;
pub use combseal::{Cpu, Error};
pub use models::runs_on;
pub use registry::{Key, Scheme};
