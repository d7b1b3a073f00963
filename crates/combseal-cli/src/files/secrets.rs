//! Keys and passphrases: from key files, the terminal, files, file descriptors, variables; never
//! from the command line, which everyone on the machine can read.

use super::ends::STANDARD;
use super::failure::{Failure, plain, warn};
use super::interrupt;
use combseal::stream::KeyFile;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The most bytes of a key file or a passphrase.
const MOST: usize = 1 << 16;

/// A key or a passphrase. Wiped when dropped.
pub enum Secret {
    /// 32 bytes as good as random.
    Key(KeyFile),
    /// What somebody remembers.
    Passphrase(Zeroizing<Vec<u8>>),
}

/// Where a passphrase comes from.
pub enum Source<'a> {
    /// The terminal, where it is typed twice if a file is to be sealed by it.
    Terminal {
        /// What the question calls it.
        what: &'a str,
        /// Whether it has to be typed twice.
        twice: bool,
    },
    /// A file, or standard input for `-`.
    File(&'a Path),
    /// An open file descriptor.
    Descriptor(u32),
    /// A variable of the environment.
    Variable(&'a OsString),
}

/// Options that name what a file is sealed by, or opened with.
#[derive(clap::Args, Debug)]
pub struct SecretArgs {
    /// A key file of `combseal keygen`, or - for standard input; may be given several times
    #[arg(short, long, value_name = "FILE")]
    key_file: Vec<PathBuf>,
    #[command(flatten)]
    passphrase: PassphraseArgs,
}

/// At most one of them.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
struct PassphraseArgs {
    /// A passphrase, asked for on the terminal
    #[arg(short, long)]
    passphrase: bool,
    /// A passphrase from a file, or - for standard input: all of it but for one end of line
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// A passphrase from an open file descriptor
    #[arg(long, value_name = "N")]
    passphrase_fd: Option<u32>,
    /// A passphrase from a variable of the environment, which other programs may see: a key file is safer
    #[arg(long, value_name = "NAME")]
    passphrase_env: Option<OsString>,
}

/// Options that name what a file shall be opened with from now on.
#[derive(clap::Args, Debug)]
pub struct NewSecretArgs {
    /// A key file that shall open the file
    #[arg(long, value_name = "FILE")]
    new_key_file: Vec<PathBuf>,
    #[command(flatten)]
    passphrase: NewPassphraseArgs,
}

/// At most one of them.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
struct NewPassphraseArgs {
    /// A passphrase that shall open the file, asked for on the terminal
    #[arg(long)]
    new_passphrase: bool,
    /// It comes from a file, or - for standard input
    #[arg(long, value_name = "FILE")]
    new_passphrase_file: Option<PathBuf>,
    /// It comes from an open file descriptor
    #[arg(long, value_name = "N")]
    new_passphrase_fd: Option<u32>,
    /// It comes from a variable of the environment
    #[arg(long, value_name = "NAME")]
    new_passphrase_env: Option<OsString>,
}

/// Where a passphrase comes from, by those options.
fn source<'a>(
    terminal: Option<Source<'a>>,
    file: &'a Option<PathBuf>,
    descriptor: Option<u32>,
    variable: &'a Option<OsString>,
) -> Option<Source<'a>> {
    terminal
        .or(file.as_deref().map(Source::File))
        .or(descriptor.map(Source::Descriptor))
        .or(variable.as_ref().map(Source::Variable))
}

/// What of those is read from a file: names, and descriptor 0 by the name of standard input.
fn paths(key_files: &[PathBuf], passphrase: Option<Source<'_>>) -> Vec<PathBuf> {
    let passphrase = match passphrase {
        Some(Source::File(path)) => Some(path.to_path_buf()),
        Some(Source::Descriptor(0)) => Some(STANDARD.into()),
        _ => None,
    };
    key_files.iter().cloned().chain(passphrase).collect()
}

/// All of those, read.
fn all(key_files: &[PathBuf], from: Option<Source<'_>>) -> Result<Vec<Secret>, Failure> {
    let keys = key_files.iter().map(|path| key(path));
    keys.chain(from.as_ref().map(passphrase)).collect()
}

impl SecretArgs {
    fn source(&self, twice: bool) -> Option<Source<'_>> {
        let it = &self.passphrase;
        let terminal = it.passphrase.then_some(Source::Terminal { what: "passphrase", twice });
        source(terminal, &it.passphrase_file, it.passphrase_fd, &it.passphrase_env)
    }

    /// The files that these are read from.
    pub fn paths(&self) -> Vec<PathBuf> {
        paths(&self.key_file, self.source(true))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.key_file.len() + usize::from(self.source(true).is_some())
    }

    /// Whether there is a passphrase among them.
    pub fn has_passphrase(&self) -> bool {
        self.source(true).is_some()
    }

    /// That there is one at least, before any is read.
    ///
    /// # Errors
    /// When there is none; `what` is the question.
    pub fn some(&self, what: &str) -> Result<(), Failure> {
        match self.count() {
            0 => Err(Failure::usage(what)
                .hint("--key-file FILE (combseal keygen -o FILE makes one), or --passphrase, or both")),
            _ => Ok(()),
        }
    }

    /// All of them, the keys first: each opens what is sealed by all, and each is tried to open
    /// what is sealed by some. `twice` says whether a passphrase that is typed is typed twice.
    ///
    /// # Errors
    /// When something cannot be read.
    pub fn all(&self, twice: bool) -> Result<Vec<Secret>, Failure> {
        all(&self.key_file, self.source(twice))
    }

    /// The one thing that a file's slots are to be changed with.
    ///
    /// # Errors
    /// When there is none or more than one, or it cannot be read.
    pub fn one(&self) -> Result<Secret, Failure> {
        match (&self.key_file[..], self.source(false)) {
            ([path], None) => key(path),
            ([], Some(source)) => passphrase(&source),
            ([], None) => Err(Failure::usage("open with what?").hint("--key-file FILE, or --passphrase")),
            _ => Err(Failure::usage("a file is changed with one key or one passphrase of it; more were given")),
        }
    }
}

impl NewSecretArgs {
    fn source(&self) -> Option<Source<'_>> {
        let it = &self.passphrase;
        let terminal = it.new_passphrase.then_some(Source::Terminal { what: "new passphrase", twice: true });
        source(terminal, &it.new_passphrase_file, it.new_passphrase_fd, &it.new_passphrase_env)
    }

    /// The files that these are read from.
    pub fn paths(&self) -> Vec<PathBuf> {
        paths(&self.new_key_file, self.source())
    }

    /// Whether there is a passphrase among them.
    pub fn has_passphrase(&self) -> bool {
        self.source().is_some()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.new_key_file.len() + usize::from(self.source().is_some())
    }

    /// All of them.
    ///
    /// # Errors
    /// When something cannot be read.
    pub fn all(&self) -> Result<Vec<Secret>, Failure> {
        all(&self.new_key_file, self.source())
    }
}

/// That standard input, by whichever name, is asked for only once among all files, keys and
/// passphrases: else a key would be sealed, or half of it.
///
/// # Errors
/// When it is asked for more than once.
pub fn one_standard_input<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    let paths: Vec<&PathBuf> = paths.into_iter().collect();
    let named = |path: &&&PathBuf| {
        let others = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
        path.as_os_str() == STANDARD || cfg!(unix) && others.iter().any(|other| path.as_os_str() == *other)
    };
    if paths.iter().any(|path| named(&path)) && paths.iter().filter(|path| named(path) || is_stdin(path)).count() > 1 {
        return Err(Failure::usage("standard input can be read for one thing, and is asked for more than one"));
    }
    Ok(())
}

/// Whether a name is that of what standard input is, a file or a pipe.
#[cfg(unix)]
fn is_stdin(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let stdin = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned().map(File::from);
    let number = |about: std::fs::Metadata| (about.dev(), about.ino());
    let stdin = stdin.and_then(|file| file.metadata()).map(number);
    stdin.is_ok_and(|stdin| std::fs::metadata(path).is_ok_and(|about| number(about) == stdin))
}

#[cfg(not(unix))]
fn is_stdin(_: &Path) -> bool {
    false
}

/// Reads a key file.
///
/// # Errors
/// When it cannot be read, everyone can read it, or it holds no key.
pub fn key(path: &Path) -> Result<Secret, Failure> {
    let standard = path.as_os_str() == STANDARD;
    let name = if standard { "standard input".into() } else { path.display().to_string() };
    let (text, open_to_others) =
        if standard { (read(io::stdin(), &name)?, false) } else { from_file(path, "is a folder, not a key file")? };
    // What is no key is not a secret either.
    let key = KeyFile::parse(&text).map_err(|error| Failure::usage(error.to_string()).of(&name))?;
    if open_to_others {
        return Err(Failure::usage("other users can read or change this key file")
            .of(&name)
            .hint(format!("chmod 600 {name}; if others may have read it, make a new key")));
    }
    Ok(Secret::Key(key))
}

/// All of a file, and whether every user of the machine can read or change it.
fn from_file(path: &Path, folder: &str) -> Result<(Zeroizing<Vec<u8>>, bool), Failure> {
    let fail = |error| Failure::path(path, &error);
    let file = File::open(path).map_err(fail)?;
    let about = file.metadata().map_err(fail)?;
    if about.is_dir() {
        return Err(Failure::usage(folder).of(path.display()));
    }
    #[cfg(unix)]
    let others = about.is_file() && std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o006 != 0;
    #[cfg(not(unix))]
    let others = false;
    Ok((read(file, &path.display().to_string())?, others))
}

/// Gets a passphrase.
///
/// # Errors
/// When it cannot be got, or is empty.
pub fn passphrase(source: &Source<'_>) -> Result<Secret, Failure> {
    let bytes = match *source {
        Source::Terminal { what, twice } => ask(what, twice)?,
        Source::File(path) if path.as_os_str() == STANDARD => line(read(io::stdin(), "standard input")?),
        Source::File(path) => {
            let (text, open_to_others) = from_file(path, "is a folder, not a file with a passphrase")?;
            if open_to_others {
                // No failure: files that containers are given secrets in are often so.
                warn(&format!("{}: other users can read or change this passphrase file", path.display()));
            }
            line(text)
        }
        Source::Descriptor(0) => line(read(io::stdin(), "standard input")?),
        Source::Descriptor(number) => {
            line(read(super::descriptor::inherited(number)?, &format!("file descriptor {number}"))?)
        }
        Source::Variable(name) => match std::env::var_os(name) {
            Some(value) => Zeroizing::new(value.into_encoded_bytes()),
            None => return Err(Failure::usage("there is no such variable").of(name.display())),
        },
    };
    if bytes.is_empty() {
        return Err(Failure::usage("the passphrase is empty"));
    }
    Ok(Secret::Passphrase(bytes))
}

/// Asks on the terminal, which does not show the answer. Standard input is left alone.
fn ask(what: &str, twice: bool) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let question = |question: String| -> Result<Zeroizing<Vec<u8>>, Failure> {
        let answer = interrupt::with_terminal(|| rpassword::prompt_password(question));
        let answer = answer.map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => Failure::interrupted(),
            io::ErrorKind::UnexpectedEof => Failure::usage(format!("no {what} was given")),
            _ => Failure::usage(format!("there is no terminal to ask on: {}", plain(&error)))
                .hint("without a terminal: --key-file, --passphrase-file, --passphrase-fd or --passphrase-env"),
        })?;
        Ok(Zeroizing::new(answer.into_bytes()))
    };
    let first = question(format!("{what}: "))?;
    // Who types nothing need not type it again.
    if twice && !first.is_empty() && *question(format!("{what}, again: "))? != *first {
        return Err(Failure::usage(format!("the two {what}s differ")));
    }
    Ok(first)
}

/// All that comes from there, in memory that is wiped.
fn read(mut from: impl Read, name: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    // All the room at once: a vector that grows leaves copies behind.
    let mut bytes = Zeroizing::new(vec![0; MOST + 1]);
    let mut len = 0;
    while len <= MOST {
        match from.read(&mut bytes[len..]) {
            Ok(0) => break,
            Ok(n) => len += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(Failure::io(name, &error)),
        }
    }
    if len > MOST {
        return Err(
            Failure::usage(format!("is neither a key nor a passphrase: it has more than {MOST} bytes")).of(name)
        );
    }
    bytes.truncate(len);
    Ok(bytes)
}

/// Without the end of its line, if it has one: editors and `echo` add it.
fn line(mut bytes: Zeroizing<Vec<u8>>) -> Zeroizing<Vec<u8>> {
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::failure::Cause;
    use super::*;

    fn of(bytes: &[u8]) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(bytes.to_vec())
    }

    /// One end of line goes, and no more: spaces and further lines belong to the passphrase.
    #[test]
    fn one_end_of_line() {
        for (text, expected) in [
            (&b"secret"[..], &b"secret"[..]),
            (b"secret\n", b"secret"),
            (b"secret\r\n", b"secret"),
            (b"secret\n\n", b"secret\n"),
            (b" se\ncret \r", b" se\ncret \r"),
            (b"\n", b""),
            (b"", b""),
        ] {
            assert_eq!(*line(of(text)), expected);
        }
    }

    #[test]
    fn lengths() {
        assert_eq!(read(&[7; MOST][..], "it").ok().unwrap().len(), MOST);
        assert_eq!(read(&[7; MOST + 1][..], "it").err().unwrap().cause, Cause::Usage);
        assert!(read(&[][..], "it").ok().unwrap().is_empty());
    }
}
