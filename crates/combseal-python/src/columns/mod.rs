//! Columns of Arrow.

use pyo3::prelude::*;

/// Puts the classes of this part into the module.
///
/// # Errors
/// Python's.
pub fn register(_m: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
