//! How work on sealed files fails: a sentence, what may help, and the exit code by which scripts
//! tell the causes apart.

use combseal::stream;
use std::fmt::{self, Display};
use std::io;
use std::path::Path;

/// Why it failed, as the exit code says it. 0 is success: what was opened is whole and authentic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The command's arguments make no sense, or not with these files.
    Usage = 2,
    /// Neither this key nor this passphrase opens the file.
    WrongKey = 3,
    /// The file is not what was sealed, or another context was given.
    Damaged = 4,
    /// The file ends too early.
    Truncated = 5,
    /// Not a sealed file, or one of a version, scheme or cost that this command does not take.
    Unsupported = 6,
    /// Reading or writing failed.
    Io = 7,
    /// Ctrl-C where something was to be typed, as shells count it.
    Interrupted = 130,
}

/// What went wrong, ready to be told.
#[derive(Debug)]
pub struct Failure {
    /// For the exit code.
    pub cause: Cause,
    what: String,
    /// Lines behind it, each with the word that it begins with.
    more: Vec<(&'static str, String)>,
    /// Whether there is nobody to tell, or nothing: what read the output has gone, or the user
    /// wanted it so.
    pub silent: bool,
}

impl Failure {
    /// A failure of that cause.
    pub fn new(cause: Cause, what: impl Into<String>) -> Self {
        Self { cause, what: what.into(), more: Vec::new(), silent: false }
    }

    /// What the user interrupted: there is nothing to tell.
    pub fn interrupted() -> Self {
        Self { silent: true, ..Self::new(Cause::Interrupted, "interrupted") }
    }

    /// Arguments that make no sense.
    pub fn usage(what: impl Into<String>) -> Self {
        Self::new(Cause::Usage, what)
    }

    /// Says what may help, in a line of its own.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.more.push(("hint", hint.into()));
        self
    }

    /// Says what else is known, in a line of its own.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.more.push(("note", note.into()));
        self
    }

    /// Names the file that it is about.
    pub fn of(mut self, name: impl Display) -> Self {
        self.what = format!("{name}: {}", self.what);
        self
    }

    /// A failed call of the system, of the file `name`. Errors of the stream's own travel in
    /// [`io::Error`] and keep their cause.
    pub fn io(name: impl Display, error: &io::Error) -> Self {
        if let Some(own) = error.get_ref().and_then(|inner| inner.downcast_ref::<stream::Error>()) {
            return Self::from(own).of(name);
        }
        let silent = error.kind() == io::ErrorKind::BrokenPipe;
        let mut it = Self { silent, ..Self::new(Cause::Io, plain(error)) };
        if error.kind() == io::ErrorKind::IsADirectory {
            it = it.hint("archive a folder first: tar -c FOLDER | combseal seal - -o FOLDER.tar.sealed");
        }
        it.of(name)
    }

    /// As [`io`](Self::io) of a path.
    pub fn path(path: &Path, error: &io::Error) -> Self {
        Self::io(path.display(), error)
    }
}

/// The system's words without Rust's "(os error 2)", and with a small letter, as behind a colon.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    let (first, rest) = (chars.next(), chars.as_str());
    let word = rest.starts_with(|c: char| c.is_lowercase() || c == ' ');
    first.map(|c| if word { c.to_lowercase().collect() } else { c.to_string() }).unwrap_or_default() + rest
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.what)?;
        self.more.iter().try_for_each(|(word, line)| write!(f, "\n{word}: {line}"))
    }
}

impl From<&stream::Error> for Failure {
    fn from(error: &stream::Error) -> Self {
        use stream::Error as E;
        let cause = match error {
            E::Io(inner) => return Self { what: plain(inner), ..Self::new(Cause::Io, "") },
            E::WrongKey | E::WrongContext => Cause::WrongKey,
            E::TextDamaged | E::DamagedHeader | E::Damaged { .. } => Cause::Damaged,
            E::Truncated | E::CutOrDamaged { .. } => Cause::Truncated,
            E::NotSealed | E::Unsupported(_) | E::OverCap { .. } | E::TooLong => Cause::Unsupported,
            E::Locks | E::SameLock | E::SegmentLength | E::Costs | E::NoSlot | E::LastSlot | E::Interrupted => {
                Cause::Usage
            }
            _ => Cause::Io,
        };
        let it = Self::new(cause, error.to_string());
        match error {
            E::OverCap { .. } => it.hint("--kdf-cap SIZE allows more, if you trust where the file comes from"),
            E::WrongContext => it.hint("give the same --context as when it was sealed"),
            E::TextDamaged => it.hint("in PowerShell write files with -o, not with >; with FTP use binary mode"),
            _ => it,
        }
    }
}

impl From<stream::Error> for Failure {
    fn from(error: stream::Error) -> Self {
        Self::from(&error)
    }
}
