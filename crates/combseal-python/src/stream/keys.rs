//! What a stream is locked and unlocked with, copied out of Python's objects and wiped afterwards.
#![allow(unsafe_code)] // Slices of what Python lends: see `buffers.rs`.

use crate::buffers::Room;
use crate::errors::integer;
use combseal::stream::{Argon2Caps, Argon2Costs, KeyFile, Lock, TinkKeyset, Unlock};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use zeroize::Zeroizing;

/// A key, a passphrase, or both.
pub struct Keys {
    key: Option<Zeroizing<[u8; 32]>>,
    passphrase: Option<Zeroizing<Vec<u8>>>,
}

/// The bytes of an argument, copied; of text its UTF-8.
fn copied(object: &Bound<'_, PyAny>) -> PyResult<Zeroizing<Vec<u8>>> {
    if let Ok(text) = object.cast::<PyString>() {
        let text = text.encode_utf8()?;
        return Ok(Zeroizing::new(text.as_bytes().to_vec()));
    }
    let mut room = Room::new();
    let bytes = room.read(object)?;
    // SAFETY: nothing is written but the copy.
    Ok(Zeroizing::new(unsafe { bytes.bytes() }.to_vec()))
}

/// The bytes of an argument that is no secret; `None` has none.
///
/// # Errors
/// As [`Room::read`].
pub fn public(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let mut room = Room::new();
    let bytes = room.optional(object)?;
    // SAFETY: nothing is written but the copy.
    Ok(unsafe { bytes.bytes() }.to_vec())
}

impl Keys {
    /// Of the arguments `key` and `passphrase`, of which there is one at least.
    ///
    /// # Errors
    /// `TypeError`, `ValueError`.
    pub fn new(key: &Bound<'_, PyAny>, passphrase: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = if key.is_none() {
            None
        } else if key.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("key is 32 bytes; text is a passphrase"));
        } else {
            let bytes = copied(key)?;
            let mut key = Zeroizing::new([0; 32]);
            if bytes.len() != key.len() {
                return Err(PyValueError::new_err("the key of a stream must be 32 bytes"));
            }
            key.copy_from_slice(&bytes);
            Some(key)
        };
        let passphrase = if passphrase.is_none() { None } else { Some(copied(passphrase)?) };
        if key.is_none() && passphrase.is_none() {
            return Err(PyTypeError::new_err("a key or a passphrase is required"));
        }
        Ok(Self { key, passphrase })
    }

    /// To seal with: whoever has one of them can open the stream.
    pub fn locks(&self) -> Vec<Lock<'_>> {
        let key = self.key.as_ref().map(|key| Lock::Key(key));
        let costs = Argon2Costs::default();
        key.into_iter()
            .chain(self.passphrase.as_ref().map(|passphrase| Lock::Passphrase { passphrase, costs }))
            .collect()
    }

    /// To open with.
    ///
    /// # Errors
    /// `TypeError` if there are both.
    pub fn unlock(&self) -> PyResult<Unlock<'_>> {
        match (&self.key, &self.passphrase) {
            (Some(key), None) => Ok(Unlock::Key(key)),
            (None, Some(passphrase)) => Ok(Unlock::Passphrase { passphrase, caps: Argon2Caps::default() }),
            _ => Err(PyTypeError::new_err("a key or a passphrase, not both")),
        }
    }
}

/// A keyset of Tink's, of its JSON.
///
/// # Errors
/// `TypeError`, `ValueError`.
pub fn keyset(json: &Bound<'_, PyAny>) -> PyResult<TinkKeyset> {
    let json = copied(json)?;
    let text = std::str::from_utf8(&json).map_err(|_| PyValueError::new_err("the keyset is not UTF-8"))?;
    TinkKeyset::from_json(text).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// How many threads seal and open segments; 0 is as many as the machine runs at once.
///
/// # Errors
/// `TypeError`, `ValueError`.
pub fn threads(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    match integer(object)? {
        // Not rayon's own pool, whose threads are not there in the child of a fork.
        0 => Ok(std::thread::available_parallelism().map_or(1, usize::from).min(256)),
        n @ 1..=256 => Ok(n as usize),
        _ => Err(PyValueError::new_err("threads must be 0 to 256")),
    }
}

/// The 32 bytes of a key file of the command `combseal`, whose text this is.
#[pyfunction]
pub fn parse_key_file<'py>(text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = copied(text)?;
    let key = KeyFile::parse(&bytes).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(PyBytes::new(text.py(), key.bytes()))
}
