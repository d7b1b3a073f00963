//! Where bytes come from and where they go: files, pipes, devices; and that one is not the other.

use super::failure::{Cause, Failure};
use super::pending::{Mode, Pending};
use same_file::Handle;
use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Standard input or output as an argument.
pub const STANDARD: &str = "-";

/// What is read.
pub struct Input {
    /// The file, pipe or device.
    pub file: File,
    /// What messages call it.
    pub name: String,
    /// Bytes from here to its end, if it is a regular file.
    pub len: Option<u64>,
    /// Where in the file that is: something may have read the beginning of standard input.
    start: u64,
}

impl Input {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// When it cannot be opened, or is a folder.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let standard = path.as_os_str() == STANDARD;
        let name = if standard { "standard input".into() } else { path.display().to_string() };
        let fail = |error: io::Error| Failure::io(&name, &error);
        let mut file = if standard { own(io::stdin()) } else { File::open(path) }.map_err(fail)?;
        let about = file.metadata().map_err(fail)?;
        if about.is_dir() {
            return Err(Failure::io(&name, &io::ErrorKind::IsADirectory.into()));
        }
        let start = if about.is_file() { file.stream_position().map_err(fail)? } else { 0 };
        let len = about.is_file().then(|| about.len().saturating_sub(start));
        Ok(Self { file, name, len, start })
    }

    /// Begins again, if that is possible, and says whether it is.
    pub fn again(&self) -> bool {
        self.len.is_some() && (&self.file).seek(SeekFrom::Start(self.start)).is_ok()
    }

    /// That only a regular file can be asked for: to be read twice, or from the middle.
    ///
    /// # Errors
    /// When it is a pipe or a device, or somebody has read some of it.
    pub fn seekable(&self, option: &str) -> Result<u64, Failure> {
        self.len.filter(|_| self.start == 0).ok_or_else(|| {
            Failure::usage(format!("{option} needs a file that can be read from any place"))
                .of(&self.name)
                .hint("a pipe can only be read once, from its beginning")
        })
    }
}

/// A handle of standard input or output without the buffer of Rust's own.
#[cfg(unix)]
fn own(standard: impl std::os::fd::AsFd) -> io::Result<File> {
    Ok(File::from(standard.as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn own(standard: impl std::os::windows::io::AsHandle) -> io::Result<File> {
    Ok(File::from(standard.as_handle().try_clone_to_owned()?))
}

/// Standard output, of which nothing is kept in a buffer.
///
/// # Errors
/// When it is closed.
pub fn stdout() -> io::Result<File> {
    own(io::stdout())
}

/// Where the output is to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file, pipe or device of this name.
    Path(PathBuf),
}

impl Destination {
    /// By `-o OUTPUT`; without it beside the input under the name that `usual` makes, or standard
    /// output if that is where the input comes from. `several` inputs need a folder.
    ///
    /// # Errors
    /// When the arguments do not fit each other, or `usual` fails.
    pub fn new(
        input: &Path,
        output: Option<&Path>,
        several: bool,
        usual: impl Fn(&Path) -> Result<PathBuf, Failure>,
    ) -> Result<Self, Failure> {
        let standard = input.as_os_str() == STANDARD;
        match output {
            None if standard => Ok(Self::Stdout),
            None => Ok(Self::Path(usual(input)?)),
            Some(output) if output.as_os_str() == STANDARD && !several => Ok(Self::Stdout),
            Some(output) if output.is_dir() => {
                let name = usual(input)?;
                match name.file_name() {
                    Some(name) if !standard => Ok(Self::Path(output.join(name))),
                    _ => Err(Failure::usage(format!("{} is a folder", output.display()))
                        .hint("what comes from standard input has no name: give the output one with -o FOLDER/NAME")),
                }
            }
            Some(_) if several => {
                Err(Failure::usage("of several files -o can only name the folder that they go to, and one that exists"))
            }
            Some(output) => Ok(Self::Path(output.to_path_buf())),
        }
    }
}

/// What is written.
pub struct Output {
    kind: Kind,
    /// What messages call it.
    pub name: String,
}

enum Kind {
    /// Standard output, a pipe or a device: what is written is gone.
    Direct(File),
    Pending(Pending),
}

impl Output {
    /// Opens it. What exists is replaced only if `force` says so, and only when all is written;
    /// pipes and devices are written to as they are.
    ///
    /// # Errors
    /// When it cannot be made, exists, or is the input.
    pub fn open(to: &Destination, force: bool, mode: Mode, input: &Input) -> Result<Self, Failure> {
        let path = match to {
            Destination::Stdout => {
                let name = "standard output".to_string();
                let file = stdout().map_err(|error| Failure::io(&name, &error))?;
                differ(input, &Handle::stdout(), &file.metadata())?;
                return Ok(Self { kind: Kind::Direct(file), name });
            }
            Destination::Path(path) => path,
        };
        let name = path.display().to_string();
        let fail = |error: io::Error| Failure::io(&name, &error);
        let about = match fs::symlink_metadata(path) {
            Ok(_) => match fs::metadata(path) {
                Ok(about) => Some(about),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(Failure::new(Cause::Io, "is a link to nothing").of(&name));
                }
                Err(error) => return Err(fail(error)),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(fail(error)),
        };
        let Some(about) = about else {
            let pending = Pending::create(path, force, mode).map_err(fail)?;
            return Ok(Self { kind: Kind::Pending(pending), name });
        };
        if about.is_dir() {
            return Err(Failure::new(Cause::Io, "is a folder").of(&name));
        }
        if !about.is_file() && !storage(&about) {
            let file = File::options().write(true).open(path).map_err(fail)?;
            return Ok(Self { kind: Kind::Direct(file), name });
        }
        differ(input, &Handle::from_path(path), &Ok(about.clone()))?;
        if !force {
            return Err(exists(&name));
        }
        if !about.is_file() {
            let file = File::options().write(true).open(path).map_err(fail)?;
            return Ok(Self { kind: Kind::Direct(file), name });
        }
        // A link keeps pointing where it does: the file there is replaced.
        let real = fs::canonicalize(path).map_err(fail)?;
        let pending = Pending::create(&real, true, mode).map_err(fail)?;
        Ok(Self { kind: Kind::Pending(pending), name })
    }

    /// What to write to, and what messages call it.
    pub fn writer(&mut self) -> (Box<dyn Write + Send + '_>, &str) {
        match &mut self.kind {
            Kind::Direct(file) => (Box::new(file), &self.name),
            Kind::Pending(pending) => (Box::new(pending.writer()), &self.name),
        }
    }

    /// Whether what is written can be seen before all of it is.
    pub fn is_direct(&self) -> bool {
        matches!(self.kind, Kind::Direct(_))
    }

    /// Whether it is a terminal.
    pub fn is_terminal(&self) -> bool {
        matches!(&self.kind, Kind::Direct(file) if file.is_terminal())
    }

    /// All is written: a file gets its name.
    ///
    /// # Errors
    /// When it cannot be synced or named.
    pub fn finish(self) -> Result<(), Failure> {
        match self.kind {
            Kind::Direct(_) => Ok(()),
            Kind::Pending(pending) => pending.publish().map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => exists(&self.name),
                _ => Failure::io(&self.name, &error),
            }),
        }
    }
}

/// That a file is there already.
fn exists(name: &str) -> Failure {
    Failure::usage("exists already").of(name).hint("--force replaces it; -o NAME writes another")
}

/// Whether it is a disk as a device: overwritten only if it must be.
#[cfg(unix)]
fn storage(about: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_block_device(&about.file_type())
}

#[cfg(not(unix))]
fn storage(_: &Metadata) -> bool {
    false
}

/// That the output is another file than the input.
fn differ(input: &Input, output: &io::Result<Handle>, about: &io::Result<Metadata>) -> Result<(), Failure> {
    if input.len.is_none() || !about.as_ref().is_ok_and(Metadata::is_file) {
        return Ok(());
    }
    let input_handle = input.file.try_clone().and_then(Handle::from_file);
    match (input_handle, output) {
        (Ok(one), Ok(other)) if one == *other => {
            let it = Failure::usage("is the input and the output").of(&input.name);
            Err(match input.len {
                Some(0) => it.hint("it is empty now: did the shell cut it off, with > FILE?"),
                _ => it,
            })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of outputs by those of inputs.
    #[test]
    fn destinations() {
        let folder = tempfile::tempdir().unwrap();
        let sealed = |path: &Path| Ok(PathBuf::from(format!("{}.sealed", path.display())));
        let to = |input: &str, output: Option<&Path>, several| {
            Destination::new(Path::new(input), output, several, sealed).map_err(|failure| failure.cause)
        };
        let path = |path: &str| Ok(Destination::Path(path.into()));
        assert_eq!(to("a/b", None, false), path("a/b.sealed"));
        assert_eq!(to("a/b", None, true), path("a/b.sealed"));
        assert_eq!(to("-", None, false), Ok(Destination::Stdout));
        assert_eq!(to("-", Some(Path::new("c")), false), path("c"));
        assert_eq!(to("a/b", Some(Path::new("-")), false), Ok(Destination::Stdout));
        assert_eq!(to("a/b", Some(Path::new("-")), true), Err(Cause::Usage));
        assert_eq!(to("a/b", Some(Path::new("c")), false), path("c"));
        assert_eq!(to("a/b", Some(Path::new("c")), true), Err(Cause::Usage));
        let inside = Ok(Destination::Path(folder.path().join("b.sealed")));
        assert_eq!(to("a/b", Some(folder.path()), true), inside);
        assert_eq!(to("-", Some(folder.path()), false), Err(Cause::Usage));
    }
}
