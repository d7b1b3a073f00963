//! Failures as Python's exceptions.

use combseal::Error;
use combseal::stream;
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::io;

/// A function of `combseal._errors`, looked up once.
fn maker<'py>(py: Python<'py>, at: &PyOnceLock<Py<PyAny>>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let it = at.get_or_try_init(py, || py.import("combseal._errors")?.getattr(name).map(Bound::unbind))?;
    Ok(it.bind(py).clone())
}

/// `InvalidTag`, which says which messages of a batch failed and nothing else. Who catches
/// pyca's class catches it.
#[cold]
pub fn invalid_tag(py: Python<'_>, places: &[usize]) -> PyErr {
    static MAKER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made = maker(py, &MAKER, "invalid_tag").and_then(|make| make.call1((places.to_vec(),)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// `ReplayError`.
#[cold]
fn replayed(py: Python<'_>) -> PyErr {
    static MAKER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made = maker(py, &MAKER, "replay_error").and_then(|make| make.call0());
    made.map_or_else(|error| error, PyErr::from_value)
}

/// What a call on the library says, of one message.
#[cold]
pub fn refused(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Forged => invalid_tag(py, &[]),
        Error::Replayed => replayed(py),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// What a call on a stream says: `ValueError` about what the caller gave, `StreamError` (an
/// `OSError`) about the stream, and what the file said as it said it.
#[cold]
pub fn of_stream(py: Python<'_>, error: stream::Error) -> PyErr {
    static MAKER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let error = match error {
        stream::Error::Io(error) => match error.downcast::<stream::Error>() {
            Ok(own) => own,
            // About a place that there is not, and nobody's exception.
            Err(other) if other.kind() == io::ErrorKind::InvalidInput && other.get_ref().is_none() => {
                return PyValueError::new_err("negative seek value");
            }
            // An exception of a Python file is in there, and comes out as it was.
            Err(other) => return other.into(),
        },
        other => other,
    };
    let text = error.to_string();
    match error {
        stream::Error::Memory => PyMemoryError::new_err(text),
        stream::Error::Threads | stream::Error::Random => PyRuntimeError::new_err(text),
        other => {
            let segment = match other {
                stream::Error::Damaged { segment } | stream::Error::CutOrDamaged { segment } => Some(segment),
                _ => None,
            };
            if io::Error::from(other).kind() == io::ErrorKind::InvalidInput {
                return PyValueError::new_err(text);
            }
            let made = maker(py, &MAKER, "stream_error").and_then(|make| make.call1((text, segment)));
            made.map_or_else(|error| error, PyErr::from_value)
        }
    }
}

/// A whole number; one that has no room in 64 bits is a `ValueError` like any other that is not
/// among those that are allowed.
///
/// # Errors
/// `TypeError`, `ValueError`.
pub fn integer(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    object.extract::<i64>().map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(object.py()) {
            PyValueError::new_err("the number is out of range")
        } else {
            error
        }
    })
}
