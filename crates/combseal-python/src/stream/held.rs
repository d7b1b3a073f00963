//! A stream that any thread may use, one at a time: who comes while another works waits for it, as
//! at Python's own `io.BufferedReader`.
//!
//! A thread is refused where it would wait for itself, or for a thread that a fork left behind.

use crate::counting::forks;
use crate::errors::of_stream;
use combseal::stream::Error;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};

/// The stream, how far it is, and who works on it.
pub struct Held<T> {
    stream: Mutex<T>,
    /// Bytes of plaintext before the next one; written by who has the stream.
    position: AtomicU64,
    /// The thread that has the stream, 0 if none has.
    owner: AtomicUsize,
    forks: u64,
}

/// What tells the threads that live from each other: where each has a byte of its own.
fn thread() -> usize {
    thread_local!(static HERE: u8 = const { 0 });
    HERE.with(|here| std::ptr::from_ref(here).addr())
}

/// Nobody has the stream any more, whatever way the work ended.
struct Leaving<'a>(&'a AtomicUsize);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

impl<T: Send> Held<T> {
    /// At its beginning.
    pub fn new(stream: T) -> Self {
        Self { stream: Mutex::new(stream), position: AtomicU64::new(0), owner: AtomicUsize::new(0), forks: forks() }
    }

    /// Whether this is the process that the stream was made in, and no child of its.
    pub fn is_own(&self) -> bool {
        self.forks == forks()
    }

    /// Bytes of plaintext before the next one. Nobody waits for it.
    pub fn position(&self) -> u64 {
        self.position.load(Ordering::Relaxed)
    }

    /// To be called by who works on the stream.
    pub fn move_to(&self, position: u64) {
        self.position.store(position, Ordering::Relaxed);
    }

    /// To be called by who works on the stream.
    pub fn move_by(&self, bytes: usize) {
        self.move_to(self.position().saturating_add(bytes as u64));
    }

    /// Does `work` with the stream, without the interpreter's lock.
    ///
    /// # Errors
    /// What `work` says; `RuntimeError` if this thread is at work on the stream already (its file
    /// object reads the stream that it is the file of), or if another one was when this process was
    /// forked off, and is not there to end it.
    pub fn with<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut T) -> Result<R, Error> + Send) -> PyResult<R> {
        let me = thread();
        // Only this thread writes its own number there, so what is compared cannot be late.
        if self.owner.load(Ordering::Relaxed) == me {
            return Err(PyRuntimeError::new_err("the stream is in use by this thread: its file called it"));
        }
        let done = py.detach(|| {
            let mut stream = if self.is_own() {
                self.stream.lock().unwrap_or_else(PoisonError::into_inner)
            } else {
                match self.stream.try_lock() {
                    Ok(stream) => stream,
                    Err(TryLockError::Poisoned(stream)) => stream.into_inner(),
                    Err(TryLockError::WouldBlock) => return None,
                }
            };
            self.owner.store(me, Ordering::Relaxed);
            let _leaving = Leaving(&self.owner);
            Some(work(&mut stream))
        });
        match done {
            Some(done) => done.map_err(|error| of_stream(py, error)),
            None => Err(PyRuntimeError::new_err("the stream was in use when this process was forked off")),
        }
    }
}
