//! Sealing what is written, in this project's format or Tink's.
#![allow(unsafe_code)] // Slices of what Python lends: see `buffers.rs`.

use super::file::File;
use super::held::Held;
use super::keys::{Keys, keyset, public, threads};
use super::reader::closed;
use crate::buffers::Room;
use crate::errors::{integer, of_stream};
use combseal::Algorithm;
use combseal::stream::{Sealing, Settings, TinkSealing};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::io::Write;

/// What is written to.
enum Output {
    Own(Sealing<File>),
    Tink(TinkSealing<File>),
    Closed,
}

/// A stream that is being sealed, in the process that made it: a child of a fork has the same key
/// and the same next nonce.
#[pyclass(frozen, module = "combseal._native")]
pub struct Writer(Held<Output>);

#[pymethods]
impl Writer {
    /// A stream of this project's: writes its header.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)] // One caller, in Python.
    fn create(
        py: Python<'_>,
        file: &Bound<'_, PyAny>,
        key: &Bound<'_, PyAny>,
        passphrase: &Bound<'_, PyAny>,
        context: &Bound<'_, PyAny>,
        threads_: &Bound<'_, PyAny>,
        scheme: &str,
        segment_length: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (keys, context, threads) = (Keys::new(key, passphrase)?, public(context)?, threads(threads_)?);
        let scheme: Algorithm =
            scheme.parse().map_err(|error: combseal::Error| PyValueError::new_err(error.to_string()))?;
        let segment = usize::try_from(integer(segment_length)?).unwrap_or(0);
        let settings = Settings::new().scheme(scheme).segment_len(segment).context(&context).threads(threads);
        let file = File::new(file);
        let output = py.detach(|| Sealing::new(file, &settings, &keys.locks()).map(Output::Own));
        Ok(Self(Held::new(output.map_err(|error| of_stream(py, error))?)))
    }

    /// A stream of Tink's.
    #[staticmethod]
    fn create_tink(
        py: Python<'_>,
        file: &Bound<'_, PyAny>,
        keys: &Bound<'_, PyAny>,
        associated_data: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (keys, ad, file) = (keyset(keys)?, public(associated_data)?, File::new(file));
        let output = py.detach(|| keys.sealing(file, &ad).map(Output::Tink));
        Ok(Self(Held::new(output.map_err(|error| of_stream(py, error))?)))
    }

    /// Takes all of `data` and returns how many bytes that were.
    fn write(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<usize> {
        let mut room = Room::new();
        let data = room.read(data)?;
        // SAFETY: what is written is memory of the stream's own.
        let data = unsafe { data.bytes() };
        self.same_process()?;
        let taken = self.0.with(py, |output| {
            match output {
                Output::Own(it) => it.write_all(data)?,
                Output::Tink(it) => it.write_all(data)?,
                Output::Closed => return Ok(None),
            }
            self.0.move_by(data.len());
            Ok(Some(data.len()))
        })?;
        taken.ok_or_else(closed)
    }

    /// Bytes of plaintext that were written.
    #[getter]
    fn position(&self) -> u64 {
        self.0.position()
    }

    /// Seals and writes the segments that are full.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        self.same_process()?;
        self.0.with(py, |output| match output {
            Output::Own(it) => Ok(it.flush()?),
            Output::Tink(it) => Ok(it.flush()?),
            Output::Closed => Ok(()),
        })
    }

    /// Seals the last segment, without which the stream has no end.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        self.same_process()?;
        self.0.with(py, |output| match std::mem::replace(output, Output::Closed) {
            Output::Own(it) => it.finish().map(drop),
            Output::Tink(it) => it.finish().map(drop),
            Output::Closed => Ok(()),
        })
    }

    /// Lets the file go without an end of the stream, and wipes keys and plaintext.
    fn discard(&self, py: Python<'_>) -> PyResult<()> {
        self.0.with(py, |output| {
            *output = Output::Closed;
            Ok(())
        })
    }
}

impl Writer {
    /// Refuses what came over a fork, before anything is sealed.
    fn same_process(&self) -> PyResult<()> {
        if self.0.is_own() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "this stream was begun before a fork: its twin in the parent would use the same nonces",
        ))
    }
}
