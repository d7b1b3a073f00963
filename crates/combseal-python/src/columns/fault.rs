//! What can be wrong with a column: its type (Python's `TypeError`) or what it says
//! (`ValueError`). No message holds a value.

use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};

/// An error that waits for the interpreter.
#[derive(Debug)]
pub enum Fault {
    /// Of the wrong type.
    Type(String),
    /// Of the right type, and wrong.
    Value(String),
    /// No memory for the output.
    Memory,
    /// What Python raised.
    Python(PyErr),
}

/// `Ok`, or what is wrong.
pub type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    /// [`Fault::Value`] of a fixed text.
    pub fn value(text: &str) -> Self {
        Self::Value(text.into())
    }

    /// [`Fault::Type`] of a fixed text.
    pub fn kind(text: &str) -> Self {
        Self::Type(text.into())
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Type(text) => PyTypeError::new_err(text),
            Fault::Value(text) => PyValueError::new_err(text),
            Fault::Memory => PyMemoryError::new_err("no memory for the column"),
            Fault::Python(error) => error,
        }
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<combseal::Error> for Fault {
    fn from(error: combseal::Error) -> Self {
        Self::Value(error.to_string())
    }
}
