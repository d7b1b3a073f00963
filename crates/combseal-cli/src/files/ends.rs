//! Where bytes come from and where they go: files, pipes, devices; and that one is not the other.

use super::failure::{Cause, Failure, printable};
use super::pending::{Mode, Pending};
use std::fs::{self, File, Metadata};
use std::io::{self, Seek, SeekFrom, Write};
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
        let name = if standard { "standard input".into() } else { printable(path.display()) };
        let fail = |error: io::Error| Failure::io(&name, &error);
        let mut file = if standard { own(io::stdin()) } else { File::open(path) }.map_err(fail)?;
        let about = file.metadata().map_err(fail)?;
        if about.is_dir() {
            return Err(Failure::folder(&name));
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
/// Where there is none, or no more files can be opened.
pub fn stdout() -> io::Result<File> {
    own(io::stdout())
}

/// What a file or a disk is to the system, whatever its names; pipes and other devices are none.
#[derive(Debug, PartialEq, Eq, Hash)]
pub enum Identity {
    /// A regular file.
    #[cfg(unix)]
    File {
        /// The file system's number.
        device: u64,
        /// The file's number there.
        inode: u64,
    },
    /// A regular file.
    #[cfg(not(unix))]
    File(same_file::Handle),
    /// A disk as a device, of which there may be several files.
    #[cfg(unix)]
    Disk(u64),
}

#[cfg(unix)]
impl Identity {
    fn of(about: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Self::known(about.is_file(), storage(about), about.dev(), about.ino(), about.rdev())
    }

    fn known(file: bool, disk: bool, device: u64, inode: u64, disk_number: u64) -> Option<Self> {
        match (file, disk) {
            (true, _) => Some(Self::File { device, inode }),
            (false, true) => Some(Self::Disk(disk_number)),
            (false, false) => None,
        }
    }

    /// Of what has this name, or what it links to.
    pub fn at(path: &Path) -> Option<Self> {
        Self::of(&fs::metadata(path).ok()?)
    }

    /// Of an open file.
    pub fn open(file: &File) -> Option<Self> {
        Self::of(&file.metadata().ok()?)
    }
}

#[cfg(not(unix))]
impl Identity {
    /// Of what has this name, or what it links to.
    pub fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok()?.is_file().then(|| same_file::Handle::from_path(path).ok().map(Self::File))?
    }

    /// Of an open file.
    pub fn open(file: &File) -> Option<Self> {
        let handle = || same_file::Handle::from_file(file.try_clone().ok()?).ok();
        file.metadata().ok()?.is_file().then(handle)?.map(Self::File)
    }
}

/// Of an input by its argument.
pub fn input_identity(path: &Path) -> Option<Identity> {
    match path.as_os_str() == STANDARD {
        true => Identity::open(&own(io::stdin()).ok()?),
        false => Identity::at(path),
    }
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
            Some(_) if several => Err(one_folder()),
            // What ends in a slash means a folder: no file gets that name.
            Some(output) if output.as_os_str().as_encoded_bytes().last().is_some_and(|&c| separates(c)) => {
                Err(Failure::usage("there is no such folder").of(output.display()))
            }
            Some(output) => Ok(Self::Path(output.to_path_buf())),
        }
    }
}

/// That several files were to go where there is room for one.
pub fn one_folder() -> Failure {
    Failure::usage("-o must be an existing folder when there are several files")
}

fn separates(byte: u8) -> bool {
    std::path::is_separator(char::from(byte))
}

impl Destination {
    /// Refuses what will not be written to, as far as that can be known before anything is: what
    /// exists already, a folder that does not, the input itself. Says what is there now.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn check(&self, force: bool, input: &Path) -> Result<Option<Identity>, Failure> {
        let (identity, about) = match self {
            Self::Stdout => (stdout().ok().and_then(|file| Identity::open(&file)), None),
            Self::Path(path) => {
                let about = look(path)?;
                if about.is_none() {
                    let folder = fs::metadata(folder_of(path)).map_err(|error| Failure::path(path, &error))?;
                    if !folder.is_dir() {
                        return Err(Failure::path(path, &io::ErrorKind::NotADirectory.into()));
                    }
                }
                (Identity::at(path), about)
            }
        };
        if identity.is_some() && identity == input_identity(input) {
            let standard = input.as_os_str() == STANDARD;
            let about = if standard { own(io::stdin()).and_then(|file| file.metadata()) } else { fs::metadata(input) };
            let empty = about.is_ok_and(|about| about.is_file() && about.len() == 0);
            return Err(both(&printable(input.display()), empty));
        }
        match (self, about) {
            (Self::Path(path), Some(about)) if !force && (about.is_file() || storage(&about)) => {
                Err(exists(&printable(path.display())))
            }
            _ => Ok(identity),
        }
    }
}

/// The folder that a file of this name is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// What has this name, or what it links to; `None` if the name is free.
fn look(path: &Path) -> Result<Option<Metadata>, Failure> {
    let fail = |error: io::Error| Failure::path(path, &error);
    let about = match fs::symlink_metadata(path) {
        Ok(_) => match fs::metadata(path) {
            Ok(about) => about,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Failure::new(Cause::Io, "is a link to nothing").of(path.display()));
            }
            Err(error) => return Err(fail(error)),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fail(error)),
    };
    if about.is_dir() {
        return Err(Failure::usage("is a folder").of(path.display()));
    }
    Ok(Some(about))
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
                differ(input, Identity::open(&file).as_ref())?;
                return Ok(Self { kind: Kind::Direct(file), name });
            }
            Destination::Path(path) => path,
        };
        let name = printable(path.display());
        let fail = |error: io::Error| Failure::io(&name, &error);
        let Some(about) = look(path)? else {
            let pending = Pending::create(path, force, mode).map_err(fail)?;
            return Ok(Self { kind: Kind::Pending(pending), name });
        };
        differ(input, Identity::at(path).as_ref())?;
        if !force && (about.is_file() || storage(&about)) {
            return Err(exists(&name));
        }
        if !about.is_file() {
            let file = File::options().write(true).open(path).map_err(fail)?;
            // Between looking and opening somebody may have put another thing there.
            let opened = file.metadata().map_err(fail)?;
            if opened.is_file() || storage(&opened) != storage(&about) {
                return Err(Failure::new(Cause::Io, "became another file while it was opened").of(&name));
            }
            differ(input, Identity::open(&file).as_ref())?;
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

/// That the output is another file, or another disk, than the input.
fn differ(input: &Input, output: Option<&Identity>) -> Result<(), Failure> {
    match (Identity::open(&input.file), output) {
        (Some(one), Some(other)) if one == *other => Err(both(&input.name, input.len == Some(0))),
        _ => Ok(()),
    }
}

/// That something is input and output.
fn both(name: &str, empty: bool) -> Failure {
    let name = if name == STANDARD { "standard input" } else { name };
    let it = Failure::usage("is the input and the output").of(name);
    if empty { it.hint("it is empty now: did the shell cut it off, with > FILE?") } else { it }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files are one by their numbers, disks by the disk's, whatever their names' numbers are; pipes
    /// and other devices are never one.
    #[cfg(unix)]
    #[test]
    fn identities() {
        let known = |file, disk, inode, number| Identity::known(file, disk, 5, inode, number);
        assert_eq!(known(true, false, 1, 0), known(true, false, 1, 0));
        assert_ne!(known(true, false, 1, 0), known(true, false, 2, 0));
        assert_eq!(known(false, true, 1, 8), known(false, true, 2, 8));
        assert_ne!(known(false, true, 1, 8), known(false, true, 1, 9));
        assert_eq!(known(false, false, 1, 8), None);
        assert_eq!(Identity::at(Path::new("/dev/null")), None);
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(Identity::at(file.path()), Identity::open(file.as_file()));
        assert!(Identity::open(file.as_file()).is_some());
    }

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
        assert_eq!(to("a/b", Some(Path::new("c/")), false), Err(Cause::Usage));
        let inside = Ok(Destination::Path(folder.path().join("b.sealed")));
        assert_eq!(to("a/b", Some(folder.path()), true), inside);
        assert_eq!(to("-", Some(folder.path()), false), Err(Cause::Usage));
    }
}
