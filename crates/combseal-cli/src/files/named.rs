//! Readers and writers whose errors say which file they are of. A stream that is sealed has one
//! of each, and whoever is told that a disk is full wants to know which.

use super::failure::Failure;
use combseal::stream;
use std::fmt;
use std::io::{self, IoSliceMut, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A reader or a writer with a name.
pub struct Named<T> {
    inner: T,
    name: String,
    /// Bytes that went through it.
    count: Count,
}

/// Bytes that went through a reader or a writer, to be asked while another thread has that.
#[derive(Clone, Default)]
pub struct Count(Arc<AtomicU64>);

impl Count {
    /// How many.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl<T> Named<T> {
    /// `inner` by that name; `count` says how many bytes went through it.
    pub fn new(inner: T, name: &str, count: &Count) -> Self {
        Self { inner, name: name.into(), count: count.clone() }
    }

    fn done(&self, result: io::Result<usize>) -> io::Result<usize> {
        match result {
            Ok(n) => {
                self.count.0.fetch_add(n as u64, Ordering::Relaxed);
                Ok(n)
            }
            Err(error) => Err(self.of(error)),
        }
    }

    fn of(&self, error: io::Error) -> io::Error {
        match error.kind() {
            // No failure, and those who retry know it by its kind.
            io::ErrorKind::Interrupted => error,
            kind => io::Error::new(kind, Of { name: self.name.clone(), error }),
        }
    }
}

impl<T: Read> Read for Named<T> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let result = self.inner.read(buf);
        self.done(result)
    }

    /// Several segments at once, where the file can.
    fn read_vectored(&mut self, bufs: &mut [IoSliceMut<'_>]) -> io::Result<usize> {
        let result = self.inner.read_vectored(bufs);
        self.done(result)
    }
}

impl<T: Write> Write for Named<T> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let result = self.inner.write(buf);
        self.done(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush().map_err(|error| self.of(error))
    }
}

/// An error and the file that it is of.
#[derive(Debug)]
struct Of {
    name: String,
    error: io::Error,
}

impl fmt::Display for Of {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.error)
    }
}

impl std::error::Error for Of {}

/// Why a stream failed: the file that was read or written if that was it, else `name`, which is
/// sealed or to be sealed.
pub fn failure(name: &str, error: &stream::Error) -> Failure {
    let stream::Error::Io(inner) = error else { return Failure::from(error).of(name) };
    match inner.get_ref().and_then(|inner| inner.downcast_ref::<Of>()) {
        Some(of) => Failure::io(&of.name, &of.error),
        None => Failure::io(name, inner),
    }
}
