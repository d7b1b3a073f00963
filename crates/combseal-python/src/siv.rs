//! AES-SIV, which differs in everything: no nonce, a list of associated strings, and the tag in
//! front.
#![allow(unsafe_code)] // Slices of what Python lends: see `buffers.rs`.

use crate::buffers::{Readable, Room, new_bytes};
use crate::cipher::{Cipher, Message, apart, exactly, message};
use crate::detach;
use crate::errors::refused;
use combseal::{Error, Key};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

/// The associated strings of a call: their objects, which the list may lose meanwhile, and their
/// buffers.
pub struct Strings<'py>(Vec<(Bound<'py, PyAny>, Room)>);

impl<'py> Strings<'py> {
    /// The objects of a list or tuple; none of `None`.
    ///
    /// # Errors
    /// `TypeError`.
    pub fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let all: Vec<Bound<'py, PyAny>> = if object.is_none() {
            Vec::new()
        } else if let Ok(list) = object.cast::<PyList>() {
            list.iter().collect()
        } else if let Ok(tuple) = object.cast::<PyTuple>() {
            tuple.iter().collect()
        } else {
            return Err(PyTypeError::new_err("associated_data is a list of bytes-like objects, or None"));
        };
        Ok(Self(all.into_iter().map(|object| (object, Room::new())).collect()))
    }

    /// Their bytes.
    ///
    /// # Errors
    /// As [`Room::read`].
    pub fn read(&mut self) -> PyResult<Vec<Readable<'_>>> {
        self.0.iter_mut().map(|(object, room)| room.read(object)).collect()
    }
}

/// The strings as slices.
///
/// # Safety
/// As of [`Readable::bytes`].
pub unsafe fn slices<'a>(strings: &[Readable<'a>]) -> Vec<&'a [u8]> {
    // SAFETY: as the caller says.
    strings.iter().map(|string| unsafe { string.bytes() }).collect()
}

/// Seals `message`, and writes the tag.
pub fn seal(key: &Key, ads: &[&[u8]], message: Message<'_>, tag: &mut [u8]) -> Result<(), Error> {
    let body = in_place(message);
    tag.copy_from_slice(key.seal_vectored(ads, body)?.as_bytes());
    Ok(())
}

/// Opens `message`.
pub fn open(key: &Key, ads: &[&[u8]], message: Message<'_>, tag: &[u8]) -> Result<(), Error> {
    key.open_vectored(ads, in_place(message), tag)
}

/// The library has this form in place only.
fn in_place(message: Message<'_>) -> &mut [u8] {
    match message {
        Message::Here(body) => body,
        Message::From(data, body) => {
            body.copy_from_slice(data);
            body
        }
    }
}

fn total(strings: &[Readable<'_>], data: usize) -> usize {
    strings.iter().map(Readable::len).sum::<usize>() + data
}

/// Seals into new bytes.
///
/// # Errors
/// `TypeError`, `BufferError`, `ValueError`, `MemoryError`.
pub fn encrypt<'py>(
    cipher: &Cipher,
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    ads: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut a = Room::new();
    let (data, mut strings) = (a.read(data)?, Strings::of(ads)?);
    let ads = strings.read()?;
    let bytes = total(&ads, data.len());
    // SAFETY: nothing is written but the new object.
    let (data, ads) = unsafe { (data.bytes(), slices(&ads)) };
    new_bytes(py, data.len() + cipher.tag_len(), |out| {
        detach::over(py, bytes, || {
            let (tag, body) = out.split_at_mut(cipher.tag_len());
            seal(cipher.usual(), &ads, Message::From(data, body), tag)
        })
    })
}

/// Opens into new bytes.
///
/// # Errors
/// As [`encrypt`], and `InvalidTag`.
pub fn decrypt<'py>(
    cipher: &Cipher,
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    ads: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut a = Room::new();
    let (data, mut strings) = (a.read(data)?, Strings::of(ads)?);
    let ads = strings.read()?;
    let bytes = total(&ads, data.len());
    let len = cipher.message_len(py, data.len())?;
    // SAFETY: nothing is written but the new object.
    let (data, ads) = unsafe { (data.bytes(), slices(&ads)) };
    new_bytes(py, len, |out| {
        detach::over(py, bytes, || {
            let (tag, body) = data.split_at(cipher.tag_len());
            open(cipher.usual(), &ads, Message::From(body, out), tag)
        })
    })
}

/// Seals into `buf` and gives how many bytes that were.
///
/// # Errors
/// As [`encrypt`].
pub fn encrypt_into<'py>(
    cipher: &Cipher,
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    ads: &Bound<'py, PyAny>,
    buf: &Bound<'py, PyAny>,
) -> PyResult<usize> {
    let (mut a, mut b) = (Room::new(), Room::new());
    let (data, mut strings) = (a.read(data)?, Strings::of(ads)?);
    let (ads, buf) = (strings.read()?, b.write(buf)?);
    let (bytes, n) = (total(&ads, data.len()), data.len() + cipher.tag_len());
    let buf = exactly(buf, n)?;
    ads.iter().try_for_each(|ad| apart(*ad, &buf).map(drop))?;
    let (tag, body) = buf.split_at(cipher.tag_len());
    // What is sealed in place begins where the tag ends.
    let message = message(data, body, &tag)?;
    // SAFETY: the tag is a part of its own of the buffer, which none of the strings overlaps.
    let (tag, ads) = unsafe { (tag.bytes(), slices(&ads)) };
    let done = detach::over(py, bytes, || seal(cipher.usual(), &ads, message, tag));
    done.map_or_else(|error| Err(refused(py, error)), |()| Ok(n))
}

/// Opens into `buf`, which is all zero if the tag is wrong, and gives how many bytes that were.
///
/// # Errors
/// As [`decrypt`].
pub fn decrypt_into<'py>(
    cipher: &Cipher,
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    ads: &Bound<'py, PyAny>,
    buf: &Bound<'py, PyAny>,
) -> PyResult<usize> {
    let (mut a, mut b) = (Room::new(), Room::new());
    let (data, mut strings) = (a.read(data)?, Strings::of(ads)?);
    let (ads, buf) = (strings.read()?, b.write(buf)?);
    let (bytes, len) = (total(&ads, data.len()), cipher.message_len(py, data.len())?);
    let buf = exactly(buf, len)?;
    ads.iter().try_for_each(|ad| apart(*ad, &buf).map(drop))?;
    let (tag, data) = data.split_at(cipher.tag_len());
    let tag = apart(tag, &buf)?;
    let (none, buf) = buf.split_at(0);
    let message = message(data, buf, &none)?;
    // SAFETY: neither overlaps the buffer, as `apart` has seen.
    let (tag, ads) = unsafe { (tag.bytes(), slices(&ads)) };
    let done = detach::over(py, bytes, || open(cipher.usual(), &ads, message, tag));
    done.map_or_else(|error| Err(refused(py, error)), |()| Ok(len))
}
