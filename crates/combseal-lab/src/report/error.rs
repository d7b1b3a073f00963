//! Why a page could not be made. It stands below the modules that draw, since these can fail too.

use crate::results;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why there is no page.
#[derive(Debug)]
pub enum Error {
    /// A results file could not be read.
    Results(results::Error),
    /// These files hold no measurements.
    Empty(Vec<PathBuf>),
    /// These files are the programme of 2007 and nothing else.
    Programme(Vec<PathBuf>),
    /// A file could not be written.
    Write(PathBuf, io::Error),
    /// A figure could not be drawn.
    Draw(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Results(e) => e.fmt(f),
            Error::Empty(files) => {
                let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
                write!(f, "{}: no measurements in it; `combseal study` makes some", names.join(", "))
            }
            Error::Programme(files) => {
                let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
                write!(
                    f,
                    "{}: the programme of 2007, which has a page of its own beside it; to have both on one page, name a study's results.jsonl, too",
                    names.join(", ")
                )
            }
            Error::Write(path, e) => write!(f, "{}: {e}", path.display()),
            Error::Draw(what) => write!(f, "could not draw {what}"),
        }
    }
}

impl std::error::Error for Error {}
