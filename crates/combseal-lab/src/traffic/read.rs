//! Reads the lengths of messages from a file of the user's own: a capture or a list.

use super::lengths::Traffic;
use super::payload::Payload;
use super::{capture, csv};
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a file gives no traffic.
#[derive(Debug)]
pub struct Error {
    /// The file.
    pub path: PathBuf,
    /// What is wrong, and what to do.
    pub why: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for Error {}

/// What a file gave.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The lengths.
    pub traffic: Traffic,
    /// A sentence for each thing that was left out.
    pub notes: Vec<String>,
}

/// Reads a capture (pcap, pcapng) or a CSV of lengths.
///
/// # Errors
/// If the file cannot be read, is damaged from the start, or has no message in it.
pub fn read(path: &Path, payload: Payload) -> Result<Reading, Error> {
    let error = |why: String| Error { path: path.into(), why };
    let bytes = std::fs::read(path).map_err(|e| error(e.to_string()))?;
    let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
    parse(&bytes, &name, payload).map_err(error)
}

/// The same from bytes; `name` is for the record.
///
/// # Errors
/// As [`read`]: a sentence.
pub fn parse(bytes: &[u8], name: &str, payload: Payload) -> Result<Reading, String> {
    let (lengths, source, notes) = match capture::format(bytes) {
        Some(format) => {
            let (lengths, notes) = capture::lengths(bytes, payload)?;
            (lengths, format, notes)
        }
        None => (csv::lengths(bytes)?, "csv", Vec::new()),
    };
    let payload = if source == "csv" { "given" } else { payload.name() };
    Ok(Reading { traffic: Traffic::of(name, source, payload, lengths), notes })
}
