//! The archive: authenticated encryption of the papers that the library does not hold: it was
//! broken, withdrawn, superseded or not chosen, or it is kept for comparison alone.
//!
//! **Not for use.** Everything here is kept to be measured, compared and studied: some of it
//! is broken outright (OCB2), and none of it is what this project advises to choose today. Each file's first lines
//! say where the scheme is from, what became of it, and what it is kept for; [`About`] says
//! it in short at run time. The library does not depend on this crate.
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
//!
//! Many messages, those of serial schemes side by side. How much sealing adds (`Scheme::tail_len`) differs from scheme to
//! scheme, and with some (COPA v2, COLM127, Julius, CBC with HMAC) from length to length:
//!
//! ```
//! use combseal_archive::{Batch, Key, Scheme};
//!
//! let [copa, jambu] = [Scheme::CopaV2, Scheme::Jambu].map(|scheme| Key::new(scheme, &[7; 16]).unwrap());
//! let nonces: Vec<[u8; 16]> = (0..10u128).map(u128::to_le_bytes).collect();
//! let mut messages = vec![*b"a message"; 10];
//! let key = |i: usize| if i % 2 == 0 { &copa } else { &jambu };
//! let mut tails: Vec<Vec<u8>> = (0..10).map(|i| vec![0; key(i).scheme().tail_len(9)]).collect();
//! let mut batch = Batch::new();
//! for (i, (message, tail)) in messages.iter_mut().zip(&mut tails).enumerate() {
//!     let nonce = &nonces[i][..key(i).scheme().about().nonce_len];
//!     batch.seal(key(i), nonce, b"header", message, tail);
//! }
//! assert!(batch.run().iter().all(Result::is_ok)); // a result a job
//! let nonce = &nonces[1][..8];
//! jambu.open_in_place(nonce, b"header", &mut messages[1], &tails[1])?;
//! assert_eq!(&messages[1], b"a message");
//! # Ok::<(), combseal::Error>(())
//! ```
//!
//! Keys are wiped when they are dropped, and can be neither cloned nor printed. Nobody counts
//! nonces or looks whether they repeat: that is for schemes that are for use.

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
pub mod streams;
mod xex;

pub use about::{About, RepeatedNonce, Status};
pub use batch::Batch;
pub use combseal::{Cpu, Error};
pub use models::runs_on;
pub use registry::{Key, Scheme};
