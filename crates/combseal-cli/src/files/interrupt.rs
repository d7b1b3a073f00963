//! What must be put back in order when the command is interrupted: a file that has a name but is
//! not whole is deleted, and a terminal that does not show what is typed shows it again.
//!
//! Where the system has files without names (`pending.rs`) there is nothing to delete, and a
//! process that cannot be asked any more (`kill -9`, a power cut) leaves nothing either.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// What is out of order at the moment.
struct Unfinished {
    /// The temporary file that is being written.
    file: Option<PathBuf>,
    /// The terminal and how it was before it stopped showing what is typed.
    #[cfg(unix)]
    terminal: Option<(std::fs::File, rustix::termios::Termios)>,
}

static UNFINISHED: Mutex<Unfinished> = Mutex::new(Unfinished {
    file: None,
    #[cfg(unix)]
    terminal: None,
});

fn unfinished() -> MutexGuard<'static, Unfinished> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts things in order. The caller keeps the guard until the process has ended, so that
/// nothing can get out of order again.
fn tidy() -> MutexGuard<'static, Unfinished> {
    let mut it = unfinished();
    if let Some(file) = it.file.take() {
        // The process ends; if this fails there is nothing more that could be done.
        let _ = std::fs::remove_file(file);
    }
    #[cfg(unix)]
    if let Some((terminal, before)) = it.terminal.take() {
        let _ = rustix::termios::tcsetattr(&terminal, rustix::termios::OptionalActions::Now, &before);
    }
    it
}

/// From now on an interrupted process leaves things in order, and a write beyond the limit of a
/// file's size (`ulimit -f`) is an error instead of the process's end. May be called again.
///
/// # Errors
/// When the system does not take the handlers.
pub fn watch() -> io::Result<()> {
    static ONCE: Once = Once::new();
    let mut done = Ok(());
    ONCE.call_once(|| done = install());
    done
}

#[cfg(unix)]
fn install() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::{iterator::Signals, low_level::emulate_default_handler};
    use std::sync::{Arc, atomic::AtomicBool};
    // Nobody reads the flag: with any handler at all, the write fails and says so.
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    // What `nohup`, or a shell for its background jobs, has the process ignore stays ignored.
    let ignored = ignored_signals();
    let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(heeded)?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _order = tidy();
            // Ends the process as the signal would have, so that a shell sees why.
            let _ = emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    })?;
    Ok(())
}

/// The signals that the process was started to ignore, a bit each; none where it cannot be known.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
fn install() -> io::Result<()> {
    ctrlc::set_handler(|| {
        let _order = tidy();
        std::process::exit(130);
    })
    .map_err(io::Error::other)
}

/// A file that is deleted when the process is interrupted, and when this is dropped.
pub struct Doomed(());

impl Doomed {
    /// Has `make` make the file; no interruption comes between that and its being known.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn made<T>(make: impl FnOnce() -> io::Result<(PathBuf, T)>) -> io::Result<(Self, T)> {
        let mut it = unfinished();
        let (path, made) = make()?;
        it.file = Some(path);
        Ok((Self(()), made))
    }

    /// Has `name` give the file its last name; no interruption comes between. If that fails the
    /// file is deleted.
    ///
    /// # Errors
    /// Those of `name`.
    pub fn spare(self, name: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
        let mut it = unfinished();
        let done = it.file.as_deref().map_or(Ok(()), name);
        if done.is_ok() {
            it.file = None;
        }
        done
    }
}

impl Drop for Doomed {
    fn drop(&mut self) {
        if let Some(file) = unfinished().file.take() {
            let _ = std::fs::remove_file(file);
        }
    }
}

/// Runs `ask`, during which the terminal may be in a state that an interruption has to undo.
pub fn with_terminal<T>(ask: impl FnOnce() -> T) -> T {
    #[cfg(unix)]
    {
        let open = || std::fs::OpenOptions::new().read(true).write(true).open("/dev/tty");
        let before = open().ok().and_then(|tty| Some((rustix::termios::tcgetattr(&tty).ok()?, tty)));
        unfinished().terminal = before.map(|(state, tty)| (tty, state));
    }
    let answer = ask();
    #[cfg(unix)]
    {
        unfinished().terminal = None;
    }
    answer
}

/// For tests: a process writes one temporary file at a time, and tests run side by side.
#[cfg(test)]
pub fn one_at_a_time() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an interruption deletes is the file that has not got its name, and no other.
    #[test]
    fn deleted_unless_spared() {
        let _one = one_at_a_time();
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, b"half").unwrap();
            Ok((path, ()))
        };
        let there = |name: &str| folder.path().join(name).exists();

        let (doomed, ()) = Doomed::made(|| make("interrupted")).unwrap();
        drop(tidy());
        assert!(!there("interrupted"));
        drop(doomed);

        let (doomed, ()) = Doomed::made(|| make("dropped")).unwrap();
        drop(doomed);
        assert!(!there("dropped"));

        let (doomed, ()) = Doomed::made(|| make("spared")).unwrap();
        doomed.spare(|path| std::fs::rename(path, folder.path().join("named"))).unwrap();
        drop(tidy());
        assert!(there("named"));

        let (doomed, ()) = Doomed::made(|| make("refused")).unwrap();
        assert!(doomed.spare(|_| Err(io::Error::other("no"))).is_err());
        assert!(!there("refused"));
    }
}
