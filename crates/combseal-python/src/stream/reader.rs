//! Opening: a sealed file that seeks, a sealed stream that does not, and Tink's.
//!
//! The interpreter's lock is not held while a stream works; its file takes it for each read.
#![allow(unsafe_code)] // Slices of what Python lends: see `buffers.rs`.

use super::file::File;
use super::held::Held;
use super::keys::{Keys, keyset, public, threads};
use crate::buffers::Room;
use crate::errors::{integer, of_stream};
use combseal::stream::{OpenedFile, Opening, TinkOpening};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::io::{self, Read, Seek, SeekFrom};

/// What is read.
enum Input {
    Whole(OpenedFile<File>),
    Passing(Opening<File>),
    Tink(TinkOpening<File>),
    Closed,
}

/// A stream that is being opened.
#[pyclass(frozen, module = "combseal._native")]
pub struct Reader(Held<Input>);

#[pymethods]
impl Reader {
    /// A stream of this project's; one that `seeks` reaches to the file's end.
    #[staticmethod]
    fn open(
        py: Python<'_>,
        file: &Bound<'_, PyAny>,
        key: &Bound<'_, PyAny>,
        passphrase: &Bound<'_, PyAny>,
        context: &Bound<'_, PyAny>,
        threads_: &Bound<'_, PyAny>,
        seeks: bool,
    ) -> PyResult<Self> {
        let (keys, context, threads) = (Keys::new(key, passphrase)?, public(context)?, threads(threads_)?);
        let (unlock, file) = (keys.unlock()?, File::new(file));
        let input = py.detach(|| {
            if seeks {
                OpenedFile::new(file, unlock, &context, threads).map(Input::Whole)
            } else {
                Opening::new(file, unlock, &context, threads).map(Input::Passing)
            }
        });
        Ok(Self(Held::new(input.map_err(|error| of_stream(py, error))?)))
    }

    /// A stream of Tink's.
    #[staticmethod]
    fn open_tink(
        py: Python<'_>,
        file: &Bound<'_, PyAny>,
        keys: &Bound<'_, PyAny>,
        associated_data: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (keys, ad, file) = (keyset(keys)?, public(associated_data)?, File::new(file));
        let input = py.detach(|| keys.opening(file, &ad).map(Input::Tink));
        Ok(Self(Held::new(input.map_err(|error| of_stream(py, error))?)))
    }

    /// Reads verified bytes into `buf` and returns how many; 0 at the end.
    fn readinto(&self, py: Python<'_>, buf: &Bound<'_, PyAny>) -> PyResult<usize> {
        let mut room = Room::new();
        let buf = room.write(buf)?;
        // SAFETY: the only slice of it; the stream's file has memory of its own.
        let buf = unsafe { buf.bytes() };
        let count = self.0.with(py, |input| {
            let count = match input {
                Input::Whole(it) => it.read(buf)?,
                Input::Passing(it) => it.read(buf)?,
                Input::Tink(it) => it.read(buf)?,
                Input::Closed => return Ok(None),
            };
            self.0.move_by(count);
            Ok(Some(count))
        })?;
        count.ok_or_else(closed)
    }

    /// Goes to a place of the plaintext, and returns it.
    fn seek(&self, py: Python<'_>, offset: &Bound<'_, PyAny>, whence: &Bound<'_, PyAny>) -> PyResult<u64> {
        let (offset, whence) = (integer(offset)?, integer(whence)?);
        let to = match whence {
            0 => SeekFrom::Start(
                u64::try_from(offset).map_err(|_| PyValueError::new_err(format!("negative seek value {offset}")))?,
            ),
            1 => SeekFrom::Current(offset),
            2 => SeekFrom::End(offset),
            _ => return Err(PyValueError::new_err("whence must be 0, 1 or 2")),
        };
        let place = self.0.with(py, |input| match input {
            Input::Whole(it) => {
                let place = it.seek(to)?;
                self.0.move_to(place);
                Ok(Some(place))
            }
            Input::Closed => Ok(None),
            _ => Err(io::Error::from(io::ErrorKind::Unsupported).into()),
        })?;
        place.ok_or_else(closed)
    }

    /// Bytes of plaintext before the next one that is read.
    #[getter]
    fn position(&self) -> u64 {
        self.0.position()
    }

    /// Bytes of plaintext, which is known of files that seek.
    fn length(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.0.with(py, |input| match input {
            Input::Whole(it) => Ok(Some(it.len())),
            _ => Ok(None),
        })
    }

    /// Verifies every segment of a file that seeks, and stays where it is.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let done = self.0.with(py, |input| match input {
            Input::Whole(it) => it.verify().map(Some),
            Input::Closed => Ok(None),
            _ => Err(io::Error::from(io::ErrorKind::Unsupported).into()),
        })?;
        done.ok_or_else(closed)
    }

    /// Lets the file go, and wipes keys and plaintext.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.0.with(py, |input| {
            *input = Input::Closed;
            Ok(())
        })
    }
}

/// What Python's own files say; of ours only where another thread closes them meanwhile.
pub fn closed() -> PyErr {
    PyValueError::new_err("I/O operation on closed file")
}
