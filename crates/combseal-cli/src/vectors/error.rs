//! What is wrong with a file of known answers, with its place.

use std::fmt;

/// Why a file cannot be used, and where in it.
#[derive(Clone, Debug)]
pub struct Error {
    place: String,
    what: String,
}

impl Error {
    pub(super) fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() { f.write_str(&self.what) } else { write!(f, "{}: {}", self.place, self.what) }
    }
}

impl std::error::Error for Error {}
