//! What Python lends: the bytes of any contiguous bytes-like object, read or written where they
//! are.
//!
//! `unsafe` here is the buffer protocol: asking for a buffer, giving it back, and taking its
//! pointer and length for a slice. Lengths are read once, when a buffer is asked for, and nothing
//! that Python's threads could change meanwhile is ever taken for a length or a place.
#![allow(unsafe_code)]

use crate::errors::refused;
use combseal::Error;
use pyo3::exceptions::{PyBufferError, PyMemoryError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::ffi::CStr;
use std::marker::PhantomData;
use std::{ptr, slice};

/// Room for one object's buffer, which is given back when this is dropped. It stays where it is
/// while the bytes are used, as they borrow it: some objects note where the buffer's description
/// was.
#[derive(Default)]
pub struct Room {
    /// Set while an object lends its buffer.
    view: Option<ffi::Py_buffer>,
}

/// Memory of a Python object that may be read: `bytes`, or a buffer that a [`Room`] holds.
#[derive(Clone, Copy)]
pub struct Readable<'a> {
    at: *const u8,
    len: usize,
    life: PhantomData<&'a [u8]>,
}

/// A nonce, which nobody can change during the call: of `bytes` where it is, of other objects
/// copied.
pub enum Nonce<'a> {
    /// The bytes of a `bytes` object.
    Lent(&'a [u8]),
    /// A copy, and how many bytes there were to be copied.
    Copied([u8; LONGEST_NONCE], usize),
}

/// Bytes in the longest nonce that any class takes.
pub const LONGEST_NONCE: usize = 128;

/// Memory of a Python object that may be written.
pub struct Writable<'a> {
    at: *mut u8,
    len: usize,
    life: PhantomData<&'a mut [u8]>,
}

/// How two pieces of memory lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// They have no byte in common.
    None,
    /// They begin at the same place and have one length.
    Same,
    /// Anything else.
    Partial,
}

impl Room {
    /// Nothing is lent.
    pub fn new() -> Self {
        Self::default()
    }

    /// The bytes of `object`.
    ///
    /// # Errors
    /// `TypeError` if it is not bytes-like, `BufferError` if its bytes do not lie in a row.
    #[inline]
    pub fn read<'a>(&'a mut self, object: &'a Bound<'_, PyAny>) -> PyResult<Readable<'a>> {
        if let Ok(bytes) = object.cast_exact::<PyBytes>() {
            return Ok(Readable::of(bytes.as_bytes()));
        }
        let view = self.ask(object, 0)?;
        Ok(Readable { at: view.0, len: view.1, life: PhantomData })
    }

    /// The bytes of `object`, or none of `None`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    #[inline]
    pub fn optional<'a>(&'a mut self, object: &'a Bound<'_, PyAny>) -> PyResult<Readable<'a>> {
        if object.is_none() { Ok(Readable::of(&[])) } else { self.read(object) }
    }

    /// The bytes of `object`, to be written.
    ///
    /// # Errors
    /// As [`read`](Self::read), and `TypeError` if it is read-only.
    #[inline]
    pub fn write<'a>(&'a mut self, object: &'a Bound<'_, PyAny>) -> PyResult<Writable<'a>> {
        let view = self.ask(object, ffi::PyBUF_WRITABLE)?;
        Ok(Writable { at: view.0, len: view.1, life: PhantomData })
    }

    /// Asks for a buffer; gives its place, which is never null, and its length.
    fn ask(&mut self, object: &Bound<'_, PyAny>, flags: i32) -> PyResult<(*mut u8, usize)> {
        self.release();
        let view = self.view.insert(ffi::Py_buffer::new());
        // With a shape and without strides: the bytes lie in a row, or there is an error. With
        // the format, to see that they are numbers.
        // SAFETY: `object` is alive and the thread is attached, as the `Bound` shows; `view` is
        // room for one description.
        let done = unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), view, flags | ffi::PyBUF_ND | ffi::PyBUF_FORMAT) };
        if done != 0 {
            self.view = None;
            return Err(refusal(object, flags));
        }
        // SAFETY: the protocol says that the format is null, or a C string that lives as long as
        // the buffer, which is held.
        let format = (!view.format.is_null()).then(|| unsafe { CStr::from_ptr(view.format) }.to_bytes());
        // Pointers are no bytes to seal, and to write over them would crash the interpreter.
        if format.is_some_and(|format| !is_plain(format)) {
            return Err(not_bytes(object));
        }
        let len = usize::try_from(view.len).map_err(|_| PyBufferError::new_err("the buffer has no length"))?;
        let at = view.buf.cast::<u8>();
        Ok((if at.is_null() { ptr::dangling_mut() } else { at }, if at.is_null() { 0 } else { len }))
    }

    fn release(&mut self) {
        if let Some(mut view) = self.view.take() {
            // SAFETY: an object filled this in and has not had it back. Rooms live in functions
            // that have a `Python` token, so the thread is attached.
            unsafe { ffi::PyBuffer_Release(&mut view) }
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.release();
    }
}

/// Why an object lent nothing: what its exporter said becomes the `TypeError` or `BufferError`
/// that callers expect.
#[cold]
fn refusal(object: &Bound<'_, PyAny>, flags: i32) -> PyErr {
    let py = object.py();
    let said = PyErr::fetch(py);
    if said.is_instance_of::<PyTypeError>(py) {
        return not_bytes(object);
    }
    if flags & ffi::PyBUF_WRITABLE != 0 {
        // Exporters have no one way to say that they are read-only: whoever lends the same for
        // reading is.
        if Room::new().read(object).is_ok() {
            return PyTypeError::new_err("the buffer is not writable");
        }
    }
    // Released memory views and closed maps say ValueError; NumPy says that of what has gaps.
    let closed = object.getattr("closed").is_ok_and(|closed| closed.is_truthy().unwrap_or(false));
    if closed || said.to_string().contains("released") {
        return said;
    }
    let error = PyBufferError::new_err("the buffer is not contiguous");
    error.set_cause(py, Some(said));
    error
}

#[cold]
fn not_bytes(object: &Bound<'_, PyAny>) -> PyErr {
    let name = object.get_type().name().map_or_else(|_| String::from("this"), |name| name.to_string());
    let hint = if object.is_instance_of::<PyString>() { "; text has to be encoded first" } else { "" };
    PyTypeError::new_err(format!("a bytes-like object is required, not {name}{hint}"))
}

/// Whether a format is that of bytes or of one kind of number.
fn is_plain(format: &[u8]) -> bool {
    let rest = match format {
        [b'@' | b'=' | b'<' | b'>' | b'!', rest @ ..] => rest,
        all => all,
    };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    matches!(&rest[digits..], [kind] if b"cbB?hHiIlLqQnNefds".contains(kind))
}

impl<'a> Readable<'a> {
    /// Bytes of this crate's own, or of `bytes`.
    #[inline]
    pub fn of(bytes: &'a [u8]) -> Self {
        Self { at: bytes.as_ptr(), len: bytes.len(), life: PhantomData }
    }

    /// How many bytes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// How this and what may be written lie.
    #[inline]
    pub fn overlap(&self, other: &Writable<'_>) -> Overlap {
        let (a, b) = (self.at as usize, other.at as usize);
        if self.len == 0 || other.len == 0 || a + self.len <= b || b + other.len <= a {
            Overlap::None
        } else if a == b && self.len == other.len {
            Overlap::Same
        } else {
            Overlap::Partial
        }
    }

    /// The bytes before `at` and from there on.
    ///
    /// # Panics
    /// If there are not as many.
    #[inline]
    pub fn split_at(self, at: usize) -> (Self, Self) {
        assert!(at <= self.len);
        // SAFETY: `at` is within, or one past, the memory.
        let rest = unsafe { self.at.add(at) };
        (Self { len: at, ..self }, Self { at: rest, len: self.len - at, ..self })
    }

    /// The bytes.
    ///
    /// # Safety
    /// While they are used this crate writes to no memory that they overlap. (That no other thread
    /// of Python writes to a mutable object during the call is the part of who calls from Python,
    /// as it is with `hashlib` and `zlib`, and the documentation says so. What a torn message can
    /// do is to be sealed torn: no length and no place is read from it.)
    #[inline]
    pub unsafe fn bytes(self) -> &'a [u8] {
        // SAFETY: the object lends `len` bytes at `at`, not null, for as long as the room, or the
        // reference to `bytes`, is borrowed; nothing here writes to them, as the caller says.
        unsafe { slice::from_raw_parts(self.at, self.len) }
    }
}

impl<'a> Nonce<'a> {
    /// The bytes of `object`.
    ///
    /// # Errors
    /// As [`Room::read`].
    #[inline]
    pub fn read(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        match object.cast_exact::<PyBytes>() {
            Ok(bytes) => Ok(Self::Lent(bytes.as_bytes())),
            Err(_) => Self::copied(object),
        }
    }

    fn copied(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut room = Room::new();
        let all = room.read(object)?;
        // SAFETY: nothing is written but the copy.
        let all = unsafe { all.bytes() };
        let (mut copy, n) = ([0; LONGEST_NONCE], all.len().min(LONGEST_NONCE));
        copy[..n].copy_from_slice(&all[..n]);
        Ok(Self::Copied(copy, all.len()))
    }

    /// How many bytes there are.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Self::Lent(bytes) => bytes.len(),
            Self::Copied(_, len) => *len,
        }
    }

    /// The bytes; of those that were copied no more than [`LONGEST_NONCE`].
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Lent(bytes) => bytes,
            Self::Copied(copy, len) => &copy[..(*len).min(LONGEST_NONCE)],
        }
    }
}

impl<'a> Writable<'a> {
    /// How many bytes there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The bytes before `at` and from there on.
    ///
    /// # Panics
    /// If there are not as many.
    #[inline]
    pub fn split_at(self, at: usize) -> (Self, Self) {
        assert!(at <= self.len);
        // SAFETY: `at` is within, or one past, the memory.
        let rest = unsafe { self.at.add(at) };
        (Self { len: at, ..self }, Self { at: rest, len: self.len - at, ..self })
    }

    /// The bytes, to be written.
    ///
    /// # Safety
    /// While they are used this crate makes no other slice of memory that they overlap. (Of other
    /// threads of Python see [`Readable::bytes`].)
    #[inline]
    pub unsafe fn bytes(self) -> &'a mut [u8] {
        // SAFETY: the object lends `len` bytes at `at`, not null, to be written, for as long as
        // the room is borrowed; the slice is the only one, as the caller says.
        unsafe { slice::from_raw_parts_mut(self.at, self.len) }
    }
}

/// A new `bytes` object that nobody has seen yet.
pub struct NewBytes<'py>(Bound<'py, PyBytes>, usize);

impl<'py> NewBytes<'py> {
    /// An object of `len` bytes, which are to be written, all of them.
    ///
    /// # Errors
    /// `MemoryError`.
    #[inline]
    pub fn new(py: Python<'py>, len: usize) -> PyResult<Self> {
        let size = ffi::Py_ssize_t::try_from(len).map_err(|_| PyMemoryError::new_err(()))?;
        // SAFETY: with a null pointer the object is made without anything being read; what comes
        // back is a new reference, or null and an exception.
        let object = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyBytes_FromStringAndSize(ptr::null(), size))? };
        // SAFETY: that function makes objects of this type.
        Ok(Self(unsafe { object.cast_into_unchecked() }, len))
    }

    /// The bytes, to be written.
    #[inline]
    pub fn bytes(&mut self) -> &mut [u8] {
        if self.1 == 0 {
            return &mut [];
        }
        // SAFETY: the object has `len > 0` bytes at that place. It was made without contents, and
        // such an object is shared with nobody (the empty one is, and those of one byte that are
        // made of a byte), and `self` is borrowed as long as the slice. The memory is that of a
        // foreign allocator, so that for the compiler its bytes have some value; of what is
        // sealed or opened the destination is not read before it is written.
        unsafe { slice::from_raw_parts_mut(ffi::PyBytes_AsString(self.0.as_ptr()).cast(), self.1) }
    }

    /// The object, whose bytes have been written.
    #[inline]
    pub fn done(self) -> Bound<'py, PyBytes> {
        self.0
    }
}

/// A new `bytes` object of `len` bytes that `fill` writes, all of them. If it fails, nobody sees
/// the object.
///
/// # Errors
/// `MemoryError`, and what `fill` says.
#[inline]
pub fn new_bytes<'py>(
    py: Python<'py>,
    len: usize,
    fill: impl FnOnce(&mut [u8]) -> Result<(), Error>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut it = NewBytes::new(py, len)?;
    match fill(it.bytes()) {
        Ok(()) => Ok(it.done()),
        Err(error) => Err(refused(py, error)),
    }
}
