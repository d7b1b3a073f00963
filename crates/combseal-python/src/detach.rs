//! When other threads of Python may run: during calls over many bytes.

use pyo3::marker::Ungil;
use pyo3::prelude::*;

/// From so many bytes on, of all messages of a call together, the interpreter's lock is released.
///
/// To give it up and take it again costs little where nobody waits for it, and where somebody
/// does, up to the 5 milliseconds after which a thread of Python has to give it back. So it is kept
/// for what takes a few microseconds.
pub const BYTES: usize = 16 << 10;

/// Does `work`, which goes over `bytes` bytes: attached if they are few, else not.
#[inline]
pub fn over<T: Ungil + Send>(py: Python<'_>, bytes: usize, work: impl FnOnce() -> T + Ungil + Send) -> T {
    if bytes < BYTES { work() } else { py.detach(work) }
}
