//! How work on sealed files fails: a sentence, what may help, and the exit code by which scripts
//! tell the causes apart.

use combseal::stream::{self, Cost};
use std::fmt::{self, Display};
use std::io::{self, Write};
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
        Self { silent, ..Self::new(Cause::Io, plain(error)) }.of(name)
    }

    /// That a folder was given where a file should be.
    pub fn folder(name: impl Display) -> Self {
        let hint = "archive a folder first: tar -c FOLDER | combseal seal -k KEY - -o FOLDER.tar.sealed";
        Self::usage("is a directory").hint(hint).of(name)
    }

    /// As [`io`](Self::io) of a path.
    pub fn path(path: &Path, error: &io::Error) -> Self {
        Self::io(path.display(), error)
    }
}

/// The system's words without Rust's "(os error 2)", and with a small letter, as behind a colon.
pub fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    let (first, rest) = (chars.next(), chars.as_str());
    let word = rest.starts_with(|c: char| c.is_lowercase() || c == ' ');
    first.map(|c| if word { c.to_lowercase().collect() } else { c.to_string() }).unwrap_or_default() + rest
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", printable(&self.what))?;
        self.more.iter().try_for_each(|(word, line)| write!(f, "\n{word}: {}", printable(line)))
    }
}

/// Tells of what is no failure.
pub fn warn(what: &str) {
    // If there is nobody to tell, nothing is lost.
    let _ = writeln!(io::stderr(), "warning: {}", printable(what));
}

/// A text that a terminal shows and does not obey: names of files may have anything in them, so
/// control characters, and those that change the direction of writing, are escaped.
pub fn printable(text: impl Display) -> String {
    let mut shown = String::new();
    for c in text.to_string().chars() {
        match c {
            c if c.is_control() => shown.extend(c.escape_default()),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                shown.extend(c.escape_unicode());
            }
            c => shown.push(c),
        }
    }
    shown
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
        let it = Self::new(cause, said(error));
        match error {
            E::OverCap { of, asked, .. } => match raised(*of, *asked) {
                Some(option) => it.hint(format!("{option} allows it, if you trust where the file comes from")),
                None => it.note("no option allows so many"),
            },
            E::WrongContext => it.hint("give the same --context as when it was sealed"),
            E::TextDamaged => it.hint("in PowerShell write files with -o, not with >; with FTP use binary mode"),
            _ => it,
        }
    }
}

/// What the library says of streams, said of files.
fn said(error: &stream::Error) -> String {
    use stream::Error as E;
    match error {
        E::NotSealed => "this is not a sealed file".into(),
        E::TextDamaged => {
            "the sealed file was changed by something that took it for text; transfer it as binary".into()
        }
        E::WrongKey => "this key or passphrase does not open the file".into(),
        E::CutOrDamaged { segment } => format!("the file was cut short or its end is damaged (segment {segment})"),
        E::Truncated => "the file was cut short".into(),
        E::Locks => {
            "a file has from 1 to as many keys and passphrases as its header has slots, of which 16 are the most".into()
        }
        other => other.to_string().replace("stream", "file"),
    }
}

/// The option that allows a file to ask for so much, of which it asks too much.
fn raised(of: Cost, asked: u64) -> Option<String> {
    let kib = match of {
        Cost::Memory => asked,
        // Four passes over the memory that is allowed are allowed, too (`options::CapArgs`).
        Cost::Work => asked.div_ceil(4),
        Cost::Passes => return Some(format!("--kdf-cap-passes {asked}")),
        _ => return None,
    };
    Some(format!("--kdf-cap {}MiB", kib.div_ceil(1 << 10)))
}

impl From<stream::Error> for Failure {
    fn from(error: stream::Error) -> Self {
        Self::from(&error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name that would clear the screen, or turn the line around, is shown instead.
    #[test]
    fn control_characters() {
        let shown = Failure::usage("exists already").of("a\u{1b}[2J\n\u{202e}b\u{7f}é").hint("c\rd").to_string();
        assert_eq!(shown, "error: a\\u{1b}[2J\\n\\u{202e}b\\u{7f}é: exists already\nhint: c\\rd");
    }

    /// The hint names an option that raises what was over, and to what is enough.
    #[test]
    fn what_would_do() {
        let says = |of, asked| Failure::from(stream::Error::OverCap { of, asked, cap: 1 }).to_string();
        assert!(says(Cost::Memory, 66_560).contains("--kdf-cap 65MiB "));
        assert!(says(Cost::Memory, 66_561).contains("--kdf-cap 66MiB "));
        assert!(says(Cost::Work, 9 << 20).contains("--kdf-cap 2304MiB "));
        assert!(says(Cost::Passes, 20).contains("--kdf-cap-passes 20 "));
        assert!(says(Cost::Lanes, 20).ends_with("note: no option allows so many"));
    }
}
