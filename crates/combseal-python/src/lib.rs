//! Combseal for Python: the native half of the package `combseal`.
//!
//! Everything here is at the edge to Python; what seals is the library.

use pyo3::prelude::*;

mod columns;

/// The module `combseal._native`.
#[pymodule(gil_used = false, name = "_native")]
fn native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    columns::register(m)
}
