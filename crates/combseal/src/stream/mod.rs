//! Sealed files and streams: data of any length, in memory that does not grow, over all cores,
//! and of which nothing is seen that was not verified.
//!
//! ```
//! use combseal::stream::{Lock, OpenedFile, Opening, Sealing, Settings, Unlock};
//! use std::io::{Cursor, Read, Seek, SeekFrom, Write};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let key = [7; 32]; // of a key file, or `Lock::Passphrase`
//! let mut sealing = Sealing::new(Vec::new(), &Settings::new(), &[Lock::Key(&key)])?;
//! sealing.write_all(b"as much as there is, ")?;
//! sealing.write_all(b"in pieces of any length")?;
//! let sealed = sealing.finish()?; // without this the stream has no end
//!
//! let mut text = String::new();
//! Opening::new(&sealed[..], Unlock::Key(&key), b"", 0)?.read_to_string(&mut text)?;
//! assert_eq!(text, "as much as there is, in pieces of any length");
//!
//! // Any part of a file, by reading only the segments that it is in.
//! let mut file = OpenedFile::new(Cursor::new(sealed), Unlock::Key(&key), b"", 0)?;
//! let mut word = [0; 6];
//! file.seek(SeekFrom::Start(24))?;
//! file.read_exact(&mut word)?;
//! assert_eq!(&word, b"pieces");
//! # Ok(())
//! # }
//! ```
//!
//! The format is written down byte by byte in the repository's `docs/format.md`: segments after
//! STREAM (Hoang, Reyhanitabar, Rogaway and Vizár 2015; Hoang and Shen 2020) under a key of the
//! stream's own, a commitment to that key, and a header with slots for keys and passphrases.
//!
//! **A stream is written once.** To change a segment of a stream that is sealed, its nonce would
//! be needed again with other plaintext, which breaks most schemes; with a nonce that is drawn
//! anew, whoever kept the old segment could put it back, and nobody would see it. So there is no
//! such function: seal the data again. Who can open a stream is another matter, and [`rekey()`]
//! changes it.

#[cfg(feature = "stream-interop")]
mod cobblestone;
mod copy;
mod derive;
mod error;
mod file;
mod header;
#[cfg(all(test, feature = "stream-interop"))]
mod interop_tests;
mod key_file;
#[cfg(feature = "stream-interop")]
mod keyset;
mod layout;
mod lock;
mod memory;
mod opening;
mod rekey;
mod scheme;
mod sealing;
mod secret;
mod segments;
mod settings;
mod slot;
#[cfg(test)]
mod tests;
mod threads;
#[cfg(feature = "stream-interop")]
mod tink;

#[cfg(feature = "stream-interop")]
pub use cobblestone::Cobblestone;
pub use copy::{open_all, open_all_detached, seal_all, seal_all_detached};
pub use error::{Cost, Error, Unsupported};
pub use file::OpenedFile;
pub use header::Header;
pub use key_file::{KeyFile, KeyFileError};
#[cfg(feature = "stream-interop")]
pub use keyset::TinkKeyset;
pub use lock::{Argon2Caps, Argon2Costs, Lock, Unlock};
pub use memory::{open_to, open_vec, seal_to, seal_vec};
pub use opening::Opening;
pub use rekey::{Change, Step, rekey};
pub use sealing::Sealing;
pub use settings::Settings;
pub use slot::SlotKind;
#[cfg(feature = "stream-interop")]
pub use tink::{TinkOpening, TinkSealing};
