//! Results files are written a line at a time and read with patience. A line that is cut off at the
//! file's end, or a record of a kind that a later version writes, costs a warning and not the file.

use super::record::Record;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes records, a line each.
pub struct Writer<W: Write>(W);

impl<W: Write> Writer<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Writer(out)
    }

    /// Writes one record. Call [`flush`](Self::flush) where a group is complete.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&mut self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.0.write_all(&line)
    }

    /// Hands everything written to the operating system.
    ///
    /// # Errors
    /// Those of the output.
    pub fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// What was read, and what was not understood.
#[derive(Debug, Default)]
pub struct Contents {
    /// The records, in the file's order.
    pub records: Vec<Record>,
    /// A sentence for each thing that was skipped.
    pub warnings: Vec<String>,
}

/// Why a results file could not be read.
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

/// Reads one file.
///
/// # Errors
/// If it cannot be opened, or a line other than the last is not JSON.
pub fn read(path: &Path) -> Result<Contents, Error> {
    let error = |why: String| Error { path: path.into(), why };
    let bytes = std::fs::read(path).map_err(|e| error(format!("{e}; is it the results.jsonl of a study?")))?;
    parse(&String::from_utf8_lossy(&bytes), &path.display().to_string()).map_err(error)
}

/// Reads several files, one behind the other.
///
/// # Errors
/// As [`read`].
pub fn read_all<P: AsRef<Path>>(paths: &[P]) -> Result<Contents, Error> {
    let mut all = Contents::default();
    for path in paths {
        let one = read(path.as_ref())?;
        all.records.extend(one.records);
        all.warnings.extend(one.warnings);
    }
    Ok(all)
}

pub(super) fn parse(text: &str, name: &str) -> Result<Contents, String> {
    let mut contents = Contents::default();
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    while let Some((number, line)) = lines.next() {
        let number = number + 1;
        match serde_json::from_str(line) {
            Ok(record) => contents.records.push(record),
            Err(why) => contents.warnings.push(match serde_json::from_str::<serde_json::Value>(line) {
                Ok(value) => {
                    let kind = value.get("kind").and_then(|kind| kind.as_str()).unwrap_or("(none)");
                    format!("{name}, line {number}: a record of kind {kind} was skipped ({why})")
                }
                Err(_) if lines.peek().is_none() => {
                    format!("{name}, line {number}: the last line is cut off and was skipped")
                }
                Err(why) => return Err(format!("line {number} is not JSON ({why}); is it a results.jsonl?")),
            }),
        }
    }
    Ok(contents)
}
