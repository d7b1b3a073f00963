//! Keys and passphrases: from key files, the terminal, files, file descriptors, variables; never
//! from the command line, which everyone on the machine can read.

use super::ends::STANDARD;
use super::failure::{Cause, Failure};
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
    /// A key file of `combseal keygen`, or - for standard input
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

/// How many of those come from standard input.
fn standard_inputs(key_files: &[PathBuf], passphrase: Option<Source<'_>>) -> usize {
    let keys = key_files.iter().filter(|path| path.as_os_str() == STANDARD).count();
    let passphrase = match passphrase {
        Some(Source::File(path)) => path.as_os_str() == STANDARD,
        Some(Source::Descriptor(number)) => number == 0,
        _ => false,
    };
    keys + usize::from(passphrase)
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

    /// How many of these come from standard input.
    pub fn standard_inputs(&self) -> usize {
        standard_inputs(&self.key_file, self.source(true))
    }

    /// Whether there is a passphrase among them.
    pub fn has_passphrase(&self) -> bool {
        self.source(true).is_some()
    }

    /// Everything that a file is to be sealed by, each of which opens it.
    ///
    /// # Errors
    /// When there is nothing, or something cannot be read.
    pub fn all(&self) -> Result<Vec<Secret>, Failure> {
        match all(&self.key_file, self.source(true))? {
            none if none.is_empty() => Err(Failure::usage("seal by what?")
                .hint("--key-file FILE (combseal keygen -o FILE makes one), or --passphrase, or both")),
            all => Ok(all),
        }
    }

    /// The one thing that a file is to be opened with.
    ///
    /// # Errors
    /// When there is none or more than one, or it cannot be read.
    pub fn one(&self) -> Result<Secret, Failure> {
        match (&self.key_file[..], self.source(false)) {
            ([path], None) => key(path),
            ([], Some(source)) => passphrase(&source),
            ([], None) => Err(Failure::usage("open with what?").hint("--key-file FILE, or --passphrase")),
            _ => Err(Failure::usage("a file is opened with one key or one passphrase; more were given")),
        }
    }
}

impl NewSecretArgs {
    fn source(&self) -> Option<Source<'_>> {
        let it = &self.passphrase;
        let terminal = it.new_passphrase.then_some(Source::Terminal { what: "new passphrase", twice: true });
        source(terminal, &it.new_passphrase_file, it.new_passphrase_fd, &it.new_passphrase_env)
    }

    /// How many of these come from standard input.
    pub fn standard_inputs(&self) -> usize {
        standard_inputs(&self.new_key_file, self.source())
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

/// That no more than one of all files, keys and passphrases comes from standard input: these
/// files, and numbers of others.
///
/// # Errors
/// When more do.
pub fn one_standard_input(files: &[PathBuf], others: &[usize]) -> Result<(), Failure> {
    let files = files.iter().filter(|path| path.as_os_str() == STANDARD).count();
    match files + others.iter().sum::<usize>() {
        0 | 1 => Ok(()),
        _ => Err(Failure::usage("standard input can be read for one thing, and is asked for more than one")),
    }
}

/// Reads a key file.
///
/// # Errors
/// When it cannot be read, everyone can read it, or it holds no key.
pub fn key(path: &Path) -> Result<Secret, Failure> {
    let text = if path.as_os_str() == STANDARD {
        read(io::stdin(), "standard input")?
    } else {
        let fail = |error| Failure::path(path, &error);
        let file = File::open(path).map_err(fail)?;
        let about = file.metadata().map_err(fail)?;
        if about.is_dir() {
            return Err(Failure::new(Cause::Io, "is a folder, not a key file").of(path.display()));
        }
        #[cfg(unix)]
        if about.is_file() && std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o006 != 0 {
            return Err(Failure::usage("a key that everyone on this machine can read or change is none")
                .of(path.display())
                .hint(format!("chmod 600 {}; if others may have read it, make a new one", path.display())));
        }
        read(file, &path.display().to_string())?
    };
    let key = KeyFile::parse(&text).map_err(|error| Failure::usage(error.to_string()).of(path.display()))?;
    Ok(Secret::Key(key))
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
            let file = File::open(path).map_err(|error| Failure::path(path, &error))?;
            line(read(file, &path.display().to_string())?)
        }
        Source::Descriptor(0) => line(read(io::stdin(), "standard input")?),
        Source::Descriptor(number) => line(descriptor(number)?),
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
            _ => Failure::io("the terminal", &error)
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

#[cfg(unix)]
fn descriptor(number: u32) -> Result<Zeroizing<Vec<u8>>, Failure> {
    // By its name in the file system, since a number alone says nothing of who owns it.
    let path = format!("/dev/fd/{number}");
    let file = File::open(&path).map_err(|error| {
        Failure::io(format!("file descriptor {number}"), &error)
            .hint(format!("the shell opens it: combseal ... --passphrase-fd {number} {number}< FILE"))
    })?;
    read(file, &format!("file descriptor {number}"))
}

#[cfg(not(unix))]
fn descriptor(_: u32) -> Result<Zeroizing<Vec<u8>>, Failure> {
    Err(Failure::usage("file descriptors have no numbers here; --passphrase-file does the same"))
}

#[cfg(test)]
mod tests {
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
