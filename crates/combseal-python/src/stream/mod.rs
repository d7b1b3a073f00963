//! Sealed streams over Python's file objects: what `combseal/_stream.py` makes `io` classes of.

mod file;
mod held;
mod keys;
mod reader;
mod writer;

use pyo3::prelude::*;

/// Puts the classes and functions into the module.
///
/// # Errors
/// Python's.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<reader::Reader>()?;
    m.add_class::<writer::Writer>()?;
    m.add_function(wrap_pyfunction!(keys::parse_key_file, m)?)
}
