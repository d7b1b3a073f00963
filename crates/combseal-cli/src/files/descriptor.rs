//! A file descriptor by its number, as the caller of the command opened it: what is read is read
//! from where it stands, and whatever it is, a socket too.

use super::failure::{Failure, plain};
use std::fs::File;
use std::io;

/// The descriptor that the caller left open.
///
/// # Errors
/// When there is none of this number, or the system does not give it.
pub fn inherited(number: u32) -> Result<File, Failure> {
    open(number).map_err(|error| {
        Failure::usage(format!("file descriptor {number}: {}", plain(&error)))
            .hint(format!("the shell opens it: combseal ... --passphrase-fd {number} {number}< FILE"))
    })
}

/// Opening `/dev/fd/N` would begin a file anew on Linux, ask for its permissions again, and fail
/// with sockets. So the process asks for a duplicate of its own descriptor.
#[cfg(target_os = "linux")]
fn open(number: u32) -> io::Result<File> {
    use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
    let not_open = || io::Error::other("not open");
    let target = i32::try_from(number).map_err(|_| not_open())?;
    // What this process opened itself is closed on exec; what it was given is not.
    let about = std::fs::read_to_string(format!("/proc/self/fdinfo/{number}")).map_err(|_| not_open())?;
    let flags = about.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok()).unwrap_or(0);
    if flags & rustix::fs::OFlags::CLOEXEC.bits() != 0 {
        return Err(not_open());
    }
    let duplicate =
        pidfd_open(getpid(), PidfdFlags::empty()).and_then(|me| pidfd_getfd(me, target, PidfdGetfdFlags::empty()));
    match duplicate {
        Ok(file) => Ok(File::from(file)),
        // Old systems and some containers do not allow that. A pipe opened by its name is the same pipe.
        Err(error) => {
            use std::os::unix::fs::FileTypeExt;
            let name = format!("/proc/self/fd/{number}");
            match std::fs::metadata(&name)?.file_type().is_fifo() {
                true => File::open(name),
                false => Err(error.into()),
            }
        }
    }
}

/// Elsewhere a descriptor opened by its name is a duplicate.
#[cfg(all(unix, not(target_os = "linux")))]
fn open(number: u32) -> io::Result<File> {
    File::open(format!("/dev/fd/{number}"))
}

#[cfg(not(unix))]
fn open(_: u32) -> io::Result<File> {
    Err(io::Error::other("file descriptors have no numbers here; --passphrase-file does the same"))
}
