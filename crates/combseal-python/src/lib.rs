//! Combseal for Python: the native half of the package `combseal`.
//!
//! Everything here is at the edge to Python; what seals is the library. Objects of its classes
//! hold a key that never changes, so that any number of threads may use one.

// The classes have pyca's names.
#![allow(clippy::upper_case_acronyms)]

use pyo3::prelude::*;

mod buffers;
mod cipher;
mod classes;
mod columns;
mod counting;
mod detach;
mod errors;
mod many;
mod siv;
mod stream;

/// The module `combseal._native`.
#[pymodule(gil_used = false, name = "_native")]
fn native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_function(wrap_pyfunction!(backend, m)?)?;
    m.add_function(wrap_pyfunction!(counting::_forked, m)?)?;
    classes::register(m)?;
    m.add_class::<counting::Sealer>()?;
    m.add_class::<counting::Opener>()?;
    stream::register(m)?;
    columns::register(m)?;
    // What of it is public, `combseal/__init__.py` says.
    m.delattr("__all__")
}

/// The CPU tier that keys work on: `"vaes512"`, say, or `"soft"` where there are no AES
/// instructions.
#[pyfunction]
fn backend() -> &'static str {
    combseal::Cpu::detect().name()
}
