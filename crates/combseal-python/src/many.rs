//! Many messages in one call: one pass over Python's objects, one batch of the library's, one
//! release of the interpreter's lock.
#![allow(unsafe_code)] // Slices of what Python lends: see `buffers.rs`.

use crate::buffers::{NewBytes, Readable, Room};
use crate::cipher::{Cipher, Message};
use crate::detach;
use crate::errors::{invalid_tag, refused};
use crate::siv::{self, Strings};
use combseal::{Batch, Error, Key};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use std::borrow::Cow;

/// What an argument with an item a message holds: its objects, which are kept alive, since other
/// threads may empty the list meanwhile.
fn items<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if is_bytes_like(object) || object.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("{name} is a sequence with an item for each message")));
    }
    object.try_iter()?.collect()
}

fn is_bytes_like(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: it looks at the type of an object that is alive.
    unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
}

/// The bytes of all objects; none of `None`. There are rooms for those that are not `bytes`.
fn read_all<'a>(objects: &'a [Bound<'_, PyAny>], rooms: &'a mut Vec<Room>) -> PyResult<Vec<Readable<'a>>> {
    let others = objects.iter().filter(|object| object.cast_exact::<PyBytes>().is_err()).count();
    rooms.resize_with(others, Room::new);
    let mut free = rooms.iter_mut();
    let read = |object: &'a Bound<'_, PyAny>| match object.cast_exact::<PyBytes>() {
        Ok(bytes) => Ok(Readable::of(bytes.as_bytes())),
        Err(_) => match free.next() {
            Some(room) => room.read(object),
            None => Err(PyTypeError::new_err("an object has changed its type")),
        },
    };
    objects.iter().map(read).collect()
}

/// Associated data: the same for all messages, or one for each.
enum Data<'py> {
    All(Option<Bound<'py, PyAny>>),
    Each(Vec<Bound<'py, PyAny>>),
}

impl<'py> Data<'py> {
    fn of(object: Option<&Bound<'py, PyAny>>, messages: usize) -> PyResult<Self> {
        let Some(object) = object.filter(|object| !object.is_none()) else { return Ok(Self::All(None)) };
        if is_bytes_like(object) {
            return Ok(Self::All(Some(object.clone())));
        }
        // Of messages without associated data.
        let empty = PyBytes::new(object.py(), b"").into_any();
        let mut all = items(object, "associated_data")?;
        all.iter_mut().filter(|it| it.is_none()).for_each(|it| *it = empty.clone());
        same_number(all.len(), messages, "associated_data")?;
        Ok(Self::Each(all))
    }

    fn objects(&self) -> &[Bound<'py, PyAny>] {
        match self {
            Self::All(one) => one.as_slice(),
            Self::Each(all) => all,
        }
    }
}

fn same_number(items: usize, messages: usize, name: &str) -> PyResult<()> {
    if items == messages {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{name} has {items} items for {messages} messages")))
}

/// A nonce, of a mutable object copied, and the key that takes it.
type Keyed<'a> = (&'a Key, Cow<'a, [u8]>);

/// The nonces.
fn nonces<'a>(cipher: &'a Cipher, all: &'a [Bound<'_, PyAny>]) -> PyResult<Vec<Keyed<'a>>> {
    let one = |object: &'a Bound<'_, PyAny>| {
        let nonce = match object.cast_exact::<PyBytes>() {
            Ok(bytes) => Cow::Borrowed(bytes.as_bytes()),
            Err(_) => {
                let mut room = Room::new();
                // SAFETY: nothing is written but the copy.
                Cow::Owned(unsafe { room.read(object)?.bytes() }.to_vec())
            }
        };
        Ok(nonce)
    };
    // All of them are bytes-like, or there is a `TypeError`, before any length is looked at.
    let all: Vec<Cow<'a, [u8]>> = all.iter().map(one).collect::<PyResult<_>>()?;
    all.into_iter().map(|nonce| Ok((&**cipher.key(nonce.len())?, nonce))).collect()
}

/// Seals messages that have nonces.
///
/// # Errors
/// `TypeError`, `BufferError`, `ValueError`, `MemoryError`; nothing is returned then.
pub fn encrypt<'py>(
    cipher: &Cipher,
    py: Python<'py>,
    nonce: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    ad: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let (nonce, data) = (items(nonce, "nonces")?, items(data, "data")?);
    same_number(nonce.len(), data.len(), "nonces")?;
    let ad = Data::of(ad, data.len())?;
    let (mut rooms, mut others) = (Vec::new(), Vec::new());
    let (data, ads) = (read_all(&data, &mut rooms)?, read_all(ad.objects(), &mut others)?);
    let keys = nonces(cipher, &nonce)?;
    let bytes = data.iter().chain(&ads).map(Readable::len).sum();
    let mut sealed =
        data.iter().map(|it| NewBytes::new(py, it.len() + cipher.tag_len())).collect::<PyResult<Vec<_>>>()?;
    // SAFETY: nothing is written but new objects.
    let (data, ads) = unsafe { (siv::slices(&data), siv::slices(&ads)) };
    let outputs: Vec<&mut [u8]> = sealed.iter_mut().map(NewBytes::bytes).collect();
    let done = detach::over(py, bytes, || {
        let mut batch = Batch::new();
        for (i, (((key, nonce), data), out)) in keys.iter().zip(&data).zip(outputs).enumerate() {
            let (body, tag) = out.split_at_mut(data.len());
            batch.seal_to(key, &**nonce, ad_of(&ads, i), data, body, tag).map_err(|error| (i, error))?;
        }
        let done = batch.run();
        done.iter().enumerate().try_for_each(|(i, done)| done.map_err(|error| (i, error)))
    });
    match done {
        Ok(()) => PyList::new(py, sealed.into_iter().map(NewBytes::done)),
        Err((i, error)) => Err(PyValueError::new_err(format!("message {i}: {error}"))),
    }
}

/// The associated data of message `i`.
fn ad_of<'a>(ads: &[&'a [u8]], i: usize) -> &'a [u8] {
    match ads {
        [one] => one,
        all => all.get(i).copied().unwrap_or(&[]),
    }
}

/// What is done with forged messages.
fn raises(errors: &str) -> PyResult<bool> {
    match errors {
        "raise" => Ok(true),
        "none" => Ok(false),
        _ => Err(PyValueError::new_err("errors must be \"raise\" or \"none\"")),
    }
}

/// Opens messages that have nonces.
///
/// # Errors
/// As [`encrypt`], and `InvalidTag`.
pub fn decrypt<'py>(
    cipher: &Cipher,
    py: Python<'py>,
    nonce: &Bound<'py, PyAny>,
    data: &Bound<'py, PyAny>,
    ad: Option<&Bound<'py, PyAny>>,
    errors: &str,
) -> PyResult<Bound<'py, PyList>> {
    let raises = raises(errors)?;
    let (nonce, data) = (items(nonce, "nonces")?, items(data, "data")?);
    same_number(nonce.len(), data.len(), "nonces")?;
    let ad = Data::of(ad, data.len())?;
    let (mut rooms, mut others) = (Vec::new(), Vec::new());
    let (data, ads) = (read_all(&data, &mut rooms)?, read_all(ad.objects(), &mut others)?);
    let keys = nonces(cipher, &nonce)?;
    let bytes = data.iter().chain(&ads).map(Readable::len).sum();
    let mut opened = room_for(py, cipher, &data)?;
    // SAFETY: nothing is written but new objects.
    let (data, ads) = unsafe { (siv::slices(&data), siv::slices(&ads)) };
    let outputs: Vec<Option<&mut [u8]>> = opened.iter_mut().map(|it| it.as_mut().map(NewBytes::bytes)).collect();
    let done = detach::over(py, bytes, || {
        let mut batch = Batch::new();
        for (i, (((key, nonce), data), out)) in keys.iter().zip(&data).zip(outputs).enumerate() {
            let Some(out) = out else { continue };
            let (body, tag) = data.split_at(out.len());
            batch.open_to(key, &**nonce, ad_of(&ads, i), body, out, tag)?;
        }
        Ok(batch.run().to_vec())
    });
    let done: Vec<Result<(), Error>> = done.map_err(|error| refused(py, error))?;
    let mut done = done.into_iter();
    results(py, opened, raises, |_| done.next().unwrap_or(Err(Error::NotRun)))
}

/// An object for each message that has a tag.
fn room_for<'py>(py: Python<'py>, cipher: &Cipher, data: &[Readable<'_>]) -> PyResult<Vec<Option<NewBytes<'py>>>> {
    let one = |it: &Readable<'_>| it.len().checked_sub(cipher.tag_len()).map(|len| NewBytes::new(py, len)).transpose();
    data.iter().map(one).collect()
}

/// The list of what was opened; `done` is asked in turn of each message that had a tag.
fn results<'py>(
    py: Python<'py>,
    opened: Vec<Option<NewBytes<'py>>>,
    raises: bool,
    mut done: impl FnMut(usize) -> Result<(), Error>,
) -> PyResult<Bound<'py, PyList>> {
    let mut forged = Vec::new();
    let mut all = Vec::with_capacity(opened.len());
    for (i, it) in opened.into_iter().enumerate() {
        let it = match it {
            None => None,
            Some(it) => match done(i) {
                Ok(()) => Some(it.done()),
                Err(Error::Forged) => None,
                Err(error) => return Err(PyValueError::new_err(format!("message {i}: {error}"))),
            },
        };
        if it.is_none() {
            forged.push(i);
        }
        all.push(it);
    }
    if raises && !forged.is_empty() {
        return Err(invalid_tag(py, &forged));
    }
    PyList::new(py, all)
}

/// Of AES-SIV: the same strings for all messages, or a list of them for each.
enum Lists<'py> {
    All(Strings<'py>),
    Each(Vec<Strings<'py>>),
}

impl<'py> Lists<'py> {
    fn of(py: Python<'py>, object: Option<&Bound<'py, PyAny>>, messages: usize) -> PyResult<Self> {
        let none = py.None().into_bound(py);
        let object = object.unwrap_or(&none);
        let is_list = |it: &Bound<'_, PyAny>| it.is_instance_of::<PyList>() || it.is_instance_of::<PyTuple>();
        if is_list(object) {
            let all = items(object, "associated_data")?;
            if all.first().is_some_and(|first| first.is_none() || is_list(first)) {
                same_number(all.len(), messages, "associated_data")?;
                return Ok(Self::Each(all.iter().map(Strings::of).collect::<PyResult<_>>()?));
            }
        }
        Ok(Self::All(Strings::of(object)?))
    }

    fn read(&mut self) -> PyResult<Vec<Vec<Readable<'_>>>> {
        match self {
            Self::All(one) => Ok(vec![one.read()?]),
            Self::Each(all) => all.iter_mut().map(Strings::read).collect(),
        }
    }
}

/// The strings of message `i`.
fn list_of<'a, 'b>(lists: &'b [Vec<&'a [u8]>], i: usize) -> &'b [&'a [u8]] {
    match lists {
        [one] => one,
        all => all.get(i).map_or(&[], |list| list),
    }
}

/// Seals messages by AES-SIV.
///
/// # Errors
/// As [`encrypt`].
pub fn encrypt_siv<'py>(
    cipher: &Cipher,
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    ads: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let data = items(data, "data")?;
    let (mut lists, mut rooms) = (Lists::of(py, ads, data.len())?, Vec::new());
    let (data, lists) = (read_all(&data, &mut rooms)?, lists.read()?);
    let bytes = data.iter().chain(lists.iter().flatten()).map(Readable::len).sum();
    let mut sealed =
        data.iter().map(|it| NewBytes::new(py, it.len() + cipher.tag_len())).collect::<PyResult<Vec<_>>>()?;
    // SAFETY: nothing is written but new objects.
    let (data, lists) = unsafe { (siv::slices(&data), lists.iter().map(|list| siv::slices(list)).collect::<Vec<_>>()) };
    let outputs: Vec<&mut [u8]> = sealed.iter_mut().map(NewBytes::bytes).collect();
    let done = detach::over(py, bytes, || {
        data.iter().zip(outputs).enumerate().try_for_each(|(i, (data, out))| {
            let (tag, body) = out.split_at_mut(cipher.tag_len());
            let done = siv::seal(cipher.usual(), list_of(&lists, i), Message::From(data, body), tag);
            done.map_err(|error| (i, error))
        })
    });
    match done {
        Ok(()) => PyList::new(py, sealed.into_iter().map(NewBytes::done)),
        Err((i, error)) => Err(PyValueError::new_err(format!("message {i}: {error}"))),
    }
}

/// Opens messages by AES-SIV.
///
/// # Errors
/// As [`decrypt`].
pub fn decrypt_siv<'py>(
    cipher: &Cipher,
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    ads: Option<&Bound<'py, PyAny>>,
    errors: &str,
) -> PyResult<Bound<'py, PyList>> {
    let raises = raises(errors)?;
    let data = items(data, "data")?;
    let (mut lists, mut rooms) = (Lists::of(py, ads, data.len())?, Vec::new());
    let (data, lists) = (read_all(&data, &mut rooms)?, lists.read()?);
    let bytes = data.iter().chain(lists.iter().flatten()).map(Readable::len).sum();
    let mut opened = room_for(py, cipher, &data)?;
    // SAFETY: nothing is written but new objects.
    let (data, lists) = unsafe { (siv::slices(&data), lists.iter().map(|list| siv::slices(list)).collect::<Vec<_>>()) };
    let outputs: Vec<Option<&mut [u8]>> = opened.iter_mut().map(|it| it.as_mut().map(NewBytes::bytes)).collect();
    let done: Vec<Result<(), Error>> = detach::over(py, bytes, || {
        let one = |(i, (data, out)): (usize, (&&[u8], Option<&mut [u8]>))| {
            let Some(out) = out else { return Err(Error::Forged) };
            let (tag, body) = data.split_at(cipher.tag_len());
            siv::open(cipher.usual(), list_of(&lists, i), Message::From(body, out), tag)
        };
        data.iter().zip(outputs).enumerate().map(one).collect()
    });
    results(py, opened, raises, |i| done[i])
}
