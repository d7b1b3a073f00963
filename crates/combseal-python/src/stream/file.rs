//! A binary file object of Python as a reader, a writer and a seeker: of the interpreter's own
//! files, of `BytesIO`, of whatever has `read`, `write` and `seek`.
#![allow(unsafe_code)] // Slices of what Python lends: see `buffers.rs`.

use crate::buffers::Room;
use pyo3::exceptions::{PyBlockingIOError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// The object. Its exceptions go through the library as what an [`io::Error`] holds, and come out
/// as they were.
pub struct File(Py<PyAny>);

impl File {
    /// Takes a reference.
    pub fn new(object: &Bound<'_, PyAny>) -> Self {
        Self(object.clone().unbind())
    }
}

/// How many bytes the object says that it took, or gave, of `most`.
fn taken(answer: &Bound<'_, PyAny>, most: usize) -> PyResult<usize> {
    if answer.is_none() {
        return Err(PyBlockingIOError::new_err("the file is not ready, and streams do not wait for it"));
    }
    let n = answer.extract::<usize>()?;
    if n <= most { Ok(n) } else { Err(PyOSError::new_err("the file says that it took more than it was given")) }
}

impl Read for File {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = Python::attach(|py| -> PyResult<usize> {
            let bytes = self.0.bind(py).call_method1("read", (out.len(),))?;
            if bytes.is_none() {
                return taken(&bytes, 0);
            }
            let mut room = Room::new();
            let bytes = room.read(&bytes)?;
            let to = out.get_mut(..bytes.len());
            let to = to.ok_or_else(|| PyOSError::new_err("the file gave more than it was asked for"))?;
            // SAFETY: `out` is memory of the stream's own, which no object of Python lends.
            to.copy_from_slice(unsafe { bytes.bytes() });
            Ok(to.len())
        });
        read.map_err(io::Error::from)
    }
}

impl Write for File {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let written = Python::attach(|py| {
            let answer = self.0.bind(py).call_method1("write", (PyBytes::new(py, data),))?;
            taken(&answer, data.len())
        });
        written.map_err(io::Error::from)
    }

    /// Does nothing: who has the file flushes it.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (by, whence) = match to {
            SeekFrom::Start(at) => (i128::from(at), 0),
            SeekFrom::Current(by) => (i128::from(by), 1),
            SeekFrom::End(by) => (i128::from(by), 2),
        };
        let by = i64::try_from(by).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        let place = Python::attach(|py| self.0.bind(py).call_method1("seek", (by, whence))?.extract::<u64>());
        place.map_err(io::Error::from)
    }
}
