//! Columns of Arrow, sealed value by value: one native call a chunk over Arrow's own buffers.
//!
//! What comes in is taken from its capsules (`ffi`, `input`), turned into one byte string a value
//! (`types`, `canonical`), sealed (`seal`, under keys from `ring`), and goes out in buffers of its own
//! (`output`, `pages`); and back (`open`, `restore`). Python sees `keyring`, `cipher` and `column`;
//! what is for people is in the package's `combseal.columns`.

mod base64;
mod canonical;
mod cipher;
mod column;
mod fault;
mod ffi;
mod input;
mod keyring;
mod number;
mod open;
mod output;
mod pages;
mod restore;
mod rewrap;
mod ring;
mod seal;
mod threads;
mod types;

use pyo3::prelude::*;

// Arrow's numbers lie as the machine has them, and are read here lowest byte first.
#[cfg(target_endian = "big")]
compile_error!("columns are for little-endian machines");

/// Puts the classes and functions of this part into the module.
///
/// # Errors
/// Python's.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<keyring::Ring>()?;
    m.add_class::<cipher::Cipher>()?;
    m.add_class::<column::ChunkedColumn>()?;
    m.add_class::<column::Column>()?;
    m.add("columns_build", wrap_pyfunction!(column::build, m)?)?;
    m.add("columns_values", wrap_pyfunction!(column::values, m)?)?;
    m.add("columns_format_of", wrap_pyfunction!(column::format_of, m)?)?;
    m.add("columns_distinct", wrap_pyfunction!(cipher::distinct, m)?)?;
    m.add("columns_derive", wrap_pyfunction!(keyring::derive, m)?)?;
    Ok(())
}
