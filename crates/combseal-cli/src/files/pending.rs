//! A file that appears under its name only when it is whole: written beside its place, synced,
//! and then given the name in one step. Whatever happens before leaves what had that name as it
//! was.
//!
//! On Linux the file has no name until then (`O_TMPFILE`): if the process dies, by whatever
//! means, the system frees it. Elsewhere, and on file systems that have no such files, it has a
//! name like `.combseal-a1b2c3.part`, which is deleted on failure and on interruption; only
//! `kill -9` or a power cut leaves it.

use super::interrupt::Doomed;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use tempfile::{Builder, TempPath};

/// After so many bytes the disk begins to write them, while more are made: then there is little to
/// wait for at the end.
const SYNC: u64 = 32 << 20;

/// A file that has not got its name yet.
pub struct Pending {
    file: File,
    /// Bytes written since the last sync began.
    unsynced: u64,
    syncing: Option<Syncing>,
    target: PathBuf,
    folder: PathBuf,
    replace: bool,
    /// Its temporary name, if it has one.
    named: Option<Doomed>,
}

/// Who may read what is written: the umask takes away from these.
#[derive(Clone, Copy, Debug)]
pub enum Mode {
    /// The owner alone: keys, and plaintext.
    Private = 0o600,
    /// Everyone: sealed files.
    Public = 0o666,
}

impl Pending {
    /// Begins the file that will be `target`; `replace` says whether it may take the place of
    /// another.
    ///
    /// # Errors
    /// When no file can be made in the target's folder.
    pub fn create(target: &Path, replace: bool, mode: Mode) -> io::Result<Self> {
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let (file, named) = match unnamed(&folder, mode)? {
            Some(file) => (file, None),
            None => {
                let (doomed, file) = named(&folder, mode)?;
                (file, Some(doomed))
            }
        };
        Ok(Self { file, unsynced: 0, syncing: None, target: target.to_path_buf(), folder, replace, named })
    }

    /// What to write to.
    pub fn writer(&mut self) -> impl Write + Send + '_ {
        Writer(self)
    }

    /// Syncs the file and gives it its name.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if something has that name and it may not be replaced;
    /// those of the system. The name means what it meant before, but for an error in syncing the
    /// folder, which comes last.
    pub fn publish(self) -> io::Result<()> {
        let Self { file, syncing, target, folder, replace, named, .. } = self;
        // An error of the disk is told once, so that it must be asked for here.
        syncing.map_or(Ok(()), Syncing::finish)?;
        tolerate(file.sync_all())?;
        match named {
            Some(doomed) => doomed.spare(|path| rename(path, &target, replace))?,
            None => link(&file, &folder, &target, replace)?,
        }
        // Without that a power cut may undo the naming, whole file or not.
        #[cfg(unix)]
        match File::open(&folder) {
            Ok(folder) => tolerate(folder.sync_all())?,
            // A folder may be written to and not read.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => (),
            Err(error) => return Err(error),
        }
        #[cfg(not(unix))]
        let _ = folder;
        Ok(())
    }
}

/// Writes to a pending file.
struct Writer<'a>(&'a mut Pending);

impl Write for Writer<'_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let it = &mut *self.0;
        let len = it.file.write(buf)?;
        it.unsynced += len as u64;
        if it.unsynced >= SYNC {
            it.unsynced = 0;
            if it.syncing.is_none() {
                it.syncing = Some(Syncing::begin(&it.file)?);
            }
            if let Some(syncing) = &it.syncing {
                syncing.go_on();
            }
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A thread that has a file synced while it is written.
struct Syncing {
    again: SyncSender<()>,
    thread: JoinHandle<io::Result<()>>,
}

impl Syncing {
    fn begin(file: &File) -> io::Result<Self> {
        let (again, asked) = sync_channel(1);
        let file = file.try_clone()?;
        let thread = thread::Builder::new()
            .name("sync".into())
            .spawn(move || asked.iter().try_for_each(|()| tolerate(file.sync_data())))?;
        Ok(Self { again, thread })
    }

    /// Once more, unless that was asked for and not begun.
    fn go_on(&self) {
        let _ = self.again.try_send(());
    }

    fn finish(self) -> io::Result<()> {
        drop(self.again);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the syncing thread has failed")))
    }
}

/// File systems that know of no syncing are no reason to fail.
fn tolerate(synced: io::Result<()>) -> io::Result<()> {
    match synced {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        other => other,
    }
}

/// Gives the file at `path` the name `target`.
fn rename(path: &Path, target: &Path, replace: bool) -> io::Result<()> {
    let path = TempPath::try_from_path(path)?;
    if replace { path.persist(target) } else { path.persist_noclobber(target) }.map_err(|error| error.error)
}

/// A file with a temporary name.
fn named(folder: &Path, mode: Mode) -> io::Result<(Doomed, File)> {
    Doomed::made(|| {
        let mut builder = Builder::new();
        builder.prefix(".combseal-").suffix(".part");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode as u32));
        #[cfg(not(unix))]
        let _ = mode;
        let (file, path) = builder.tempfile_in(folder)?.keep().map_err(|error| error.error)?;
        Ok((path, file))
    })
}

/// A file without a name, where there is such a thing.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path, mode: Mode) -> io::Result<Option<File>> {
    use rustix::io::Errno;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::TMPFILE.bits() as i32;
    match File::options().read(true).write(true).custom_flags(flags).mode(mode as u32).open(folder) {
        // It gets its name by way of `/proc`, which a container may lack.
        Ok(file) => Ok(std::fs::symlink_metadata(number(&file)).is_ok().then_some(file)),
        Err(error) => match Errno::from_io_error(&error) {
            Some(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => Ok(None),
            _ => Err(error),
        },
    }
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path, _: Mode) -> io::Result<Option<File>> {
    Ok(None)
}

/// Where the system shows the open file.
#[cfg(target_os = "linux")]
fn number(file: &File) -> String {
    format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file))
}

/// Gives a file without a name the name `target`.
#[cfg(target_os = "linux")]
fn link(file: &File, folder: &Path, target: &Path, replace: bool) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    let name = |path: &Path| linkat(CWD, number(file), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from);
    match name(target) {
        // A link replaces nothing: it takes a name beside, for the moment, and a renaming.
        Err(error) if replace && error.kind() == io::ErrorKind::AlreadyExists => {
            let (doomed, ()) = Doomed::made(|| {
                let made = Builder::new().prefix(".combseal-").suffix(".part").make_in(folder, |path| name(path))?;
                let ((), path) = made.keep().map_err(|error| error.error)?;
                Ok((path, ()))
            })?;
            doomed.spare(|path| rename(path, target, true))
        }
        other => other,
    }
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path, _: &Path, _: bool) -> io::Result<()> {
    unreachable!("`unnamed` makes no such files here")
}

#[cfg(test)]
mod tests {
    use super::super::interrupt::one_at_a_time;
    use super::*;
    use std::fs;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// As `create`, with a temporary name in any case.
    fn create_named(target: &Path, replace: bool, mode: Mode) -> Pending {
        let folder = target.parent().unwrap().to_path_buf();
        let (doomed, file) = named(&folder, mode).unwrap();
        Pending { file, unsynced: 0, syncing: None, target: target.to_path_buf(), folder, replace, named: Some(doomed) }
    }

    /// Either way of making it: nothing has the name before, or it is not replaced, or it is.
    #[test]
    fn both_ways() {
        let _one = one_at_a_time();
        type Create = fn(&Path, bool, Mode) -> Pending;
        let ways: [Create; 2] = [create_named, |target, replace, mode| Pending::create(target, replace, mode).unwrap()];
        for create in ways {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("target");
            let mut pending = create(&target, false, Mode::Private);
            pending.writer().write_all(b"first").unwrap();
            assert!(!target.exists());
            pending.publish().unwrap();
            assert_eq!(fs::read(&target).unwrap(), b"first");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o7777, 0o600);
            }

            let mut pending = create(&target, false, Mode::Private);
            pending.writer().write_all(b"second").unwrap();
            assert_eq!(pending.publish().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
            assert_eq!(fs::read(&target).unwrap(), b"first");
            assert_eq!(names(folder.path()), ["target"]);

            let mut pending = create(&target, true, Mode::Public);
            pending.writer().write_all(b"third").unwrap();
            assert_eq!(fs::read(&target).unwrap(), b"first");
            pending.publish().unwrap();
            assert_eq!(fs::read(&target).unwrap(), b"third");

            drop(create(&target, true, Mode::Private));
            assert_eq!(fs::read(&target).unwrap(), b"third");
            assert_eq!(names(folder.path()), ["target"]);
        }
    }

    /// What `interrupted` runs as a process of its own: it begins a file with a temporary name, and
    /// goes on for as long as nobody ends it.
    #[cfg(unix)]
    #[test]
    #[ignore = "run by `interrupted`"]
    fn goes_on() {
        let Some(target) = std::env::var_os(TARGET) else { return };
        super::super::interrupt::watch().unwrap();
        let mut pending = create_named(Path::new(&target), true, Mode::Private);
        pending.writer().write_all(b"half").unwrap();
        std::thread::sleep(std::time::Duration::from_secs(60));
        panic!("nobody ended it");
    }

    /// Where `goes_on` writes to.
    #[cfg(unix)]
    const TARGET: &str = "COMBSEAL_TEST_TARGET";

    /// Where a file cannot do without a name, a signal that can be heeded deletes it.
    #[cfg(unix)]
    #[test]
    fn interrupted() {
        use rustix::process::{Pid, Signal, kill_process};
        use std::os::unix::process::ExitStatusExt;
        use std::time::{Duration, Instant};
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
        let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap();
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            if ignored >> (signal.as_raw() - 1) & 1 == 1 {
                eprintln!("SKIPPED: whoever runs the tests has them ignore {signal:?}");
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("target");
            fs::write(&target, b"before").unwrap();
            let mut child = std::process::Command::new(std::env::current_exe().unwrap())
                .args(["files::pending::tests::goes_on", "--exact", "--ignored"])
                .env(TARGET, &target)
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap();
            let written = || {
                let mut parts = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
                let part = parts.find(|path| path.extension().is_some_and(|ending| ending == "part"));
                part.is_some_and(|path| fs::read(path).is_ok_and(|text| text == b"half"))
            };
            let start = Instant::now();
            while !written() && start.elapsed() < Duration::from_secs(30) {
                std::thread::sleep(Duration::from_millis(2));
            }
            let there = written();
            kill_process(Pid::from_child(&child), signal).unwrap();
            let status = child.wait().unwrap();
            assert!(there, "the file was not begun");
            assert_eq!(status.signal(), Some(signal.as_raw()), "{status:?}");
            assert_eq!(names(folder.path()), ["target"]);
            assert_eq!(fs::read(&target).unwrap(), b"before");
        }
    }

    /// On this system's temporary folder the file has no name while it is written.
    #[cfg(target_os = "linux")]
    #[test]
    fn nameless() {
        let _one = one_at_a_time();
        let folder = tempfile::tempdir().unwrap();
        let Some(_file) = unnamed(folder.path(), Mode::Private).unwrap() else {
            eprintln!("SKIPPED: {} has no files without names", folder.path().display());
            return;
        };
        assert!(names(folder.path()).is_empty());
    }

    /// What is longer than the disk is given at once is whole, too.
    #[test]
    fn synced_meanwhile() {
        let _one = one_at_a_time();
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        let mut pending = Pending::create(&target, false, Mode::Private).unwrap();
        let chunk: Vec<u8> = (0..SYNC as usize / 2 + 9).map(|i| i as u8).collect();
        (0..5).for_each(|_| pending.writer().write_all(&chunk).unwrap());
        assert!(pending.syncing.is_some());
        pending.publish().unwrap();
        let all = fs::read(&target).unwrap();
        assert!(all.len() == 5 * chunk.len() && all.chunks(chunk.len()).all(|part| part == chunk));
    }

    #[test]
    fn no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("none/target");
        assert_eq!(Pending::create(&missing, false, Mode::Public).err().unwrap().kind(), io::ErrorKind::NotFound);
    }
}
