//! Known-answer tests: what a file holds, and how it is read.
//!
//! Two formats come in, ours (`vectors/README.md`) and Wycheproof's; one list
//! of [`Case`]s comes out. Stream ciphers have formats and lists of their own
//! ([`stream`]). Whatever is wrong with a file is an [`Error`] with
//! its place, never a panic.

pub mod archived;
pub mod check;
mod error;
pub mod files;
mod json;
mod kat;
pub mod stream;
mod suite;
mod wycheproof;

pub use error::Error;
pub use suite::{Case, Ciphertext, Expected, Iterated, KeyStream, Limits, Packet, Streams, Suite, Vectors, Verdict};

use json::At;

/// Reads a file's bytes.
///
/// # Errors
/// Says what is malformed, and where.
pub fn read(bytes: &[u8], limits: Limits) -> Result<Vectors, Error> {
    let json = serde_json::from_slice(bytes).map_err(|e| {
        // serde_json ends its message with the place; ours stands in front.
        let text = e.to_string();
        let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
        Error::new(format!("line {}, column {}", e.line(), e.column()), format!("not JSON: {what}"))
    })?;
    let file = At::root(&json);
    if let Some(name) = file.get("algorithm")? {
        return wycheproof::read(&file, name.str()?);
    }
    if let Some(name) = file.get("scheme")? {
        return kat::read(&file, name.str()?, limits);
    }
    if let Some(name) = file.get("format")? {
        let (format, tests) = (name.str()?.into(), file.field("tests")?.list("test")?.len());
        return Ok(Vectors::Sealed { format, tests });
    }
    // A stream cipher by itself, with an authenticator of its own, or with Poly1305.
    for name in ["cipher", "system"] {
        if let Some(name) = file.get(name)? {
            return stream::read(&file, name.str()?, limits);
        }
    }
    Err(Error::new("", "neither \"scheme\" (our format) nor \"algorithm\" (Wycheproof's) is here"))
}
