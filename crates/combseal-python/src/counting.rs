//! `Sealer` and `Opener`: many messages under one key, with nonces that cannot repeat, and each
//! message accepted once.
//!
//! Each is behind a lock of its own, since any thread may call it. Who waits for the lock lets
//! Python's other threads run, and so does who works long while it has it; nobody waits for the
//! interpreter and for the lock at once.
#![allow(unsafe_code)] // Slices of what Python lends: see `buffers.rs`.

use crate::buffers::{NewBytes, Nonce, Room};
use crate::cipher::{Cipher, Message, apart, exactly, message};
use crate::classes::cipher_of;
use crate::detach;
use crate::errors::{integer, invalid_tag, refused};
use combseal::{Key, NonceCounter, ReplayWindow};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// How often this process is the child of a fork.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// To be called in the child of a fork: sealers that came over it would count through the same
/// nonces as their twins.
#[pyfunction]
pub fn _forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// How many forks lie between this process and the one that loaded the module: what counts nonces
/// keeps the number, and compares.
pub fn forks() -> u64 {
    FORKS.load(Ordering::Relaxed)
}

/// The lock, whatever happened to who had it before: nothing here is left half done.
///
/// # Errors
/// `RuntimeError` in the child of a fork, if a thread that the child does not have is at work.
fn locked<'a, T>(py: Python<'_>, it: &'a Mutex<T>, made: u64) -> PyResult<MutexGuard<'a, T>> {
    if made == forks() {
        return Ok(it.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner));
    }
    match it.try_lock() {
        Ok(it) => Ok(it),
        Err(TryLockError::Poisoned(it)) => Ok(it.into_inner()),
        Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err("it was in use when this process was forked off")),
    }
}

/// A number that is not negative.
fn count(object: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    let number = object.map_or(Ok(0), integer)?;
    u64::try_from(number).map_err(|_| PyValueError::new_err("the number is out of range"))
}

/// The bytes of a prefix, and the key whose nonces begin with it.
fn prefixed(key: &Bound<'_, PyAny>, prefix: &Bound<'_, PyAny>) -> PyResult<(Arc<Key>, Vec<u8>)> {
    let cipher = cipher_of(key)?;
    let mut room = Room::new();
    let prefix = room.read(prefix)?;
    // SAFETY: nothing is written but the copy.
    let prefix = unsafe { prefix.bytes() }.to_vec();
    let key = cipher.key(prefix.len() + 8).map_err(|_| {
        let len = cipher.nonce_len() - 8;
        PyValueError::new_err(format!("the prefix is eight bytes shorter than the nonce: {len} bytes as a rule"))
    })?;
    Ok((key.clone(), prefix))
}

/// Seals messages under one key with nonces that it counts: a prefix, then a big-endian counter of
/// eight bytes. Senders that share a key need a prefix each.
#[pyclass(frozen, module = "combseal")]
pub struct Sealer {
    sealer: Mutex<combseal::Sealer<Arc<Key>>>,
    name: &'static str,
    tag_len: usize,
    forks: u64,
}

#[pymethods]
impl Sealer {
    #[new]
    #[pyo3(signature = (key, prefix, *, next_counter=None, blocks_used=None),
           text_signature = "(key, prefix, *, next_counter=0, blocks_used=0)")]
    fn new(
        py: Python<'_>,
        key: &Bound<'_, PyAny>,
        prefix: &Bound<'_, PyAny>,
        next_counter: Option<&Bound<'_, PyAny>>,
        blocks_used: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (name, tag_len) = (cipher_of(key)?.name(), cipher_of(key)?.tag_len());
        let (key, prefix) = prefixed(key, prefix)?;
        let sealer = NonceCounter::starting_at(&prefix, count(next_counter)?, count(blocks_used)?)
            .and_then(|counter| combseal::Sealer::new(key, counter));
        let sealer = Mutex::new(sealer.map_err(|error| refused(py, error))?);
        Ok(Self { sealer, name, tag_len, forks: forks() })
    }

    /// Seals `data` with the next nonce and returns the nonce and what was sealed, with its tag
    /// behind it.
    #[pyo3(signature = (data, associated_data=None))]
    fn seal<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let (mut a, mut b) = (Room::new(), Room::new());
        let data = a.read(data)?;
        let ad = associated_data.map(|ad| b.optional(ad)).transpose()?;
        self.same_process()?;
        // SAFETY: nothing is written but the new object.
        let (data, ad) = unsafe { (data.bytes(), ad.map_or(&[][..], |ad| ad.bytes())) };
        let mut sealed = NewBytes::new(py, data.len() + self.tag_len)?;
        let out = sealed.bytes();
        let mut sealer = locked(py, &self.sealer, self.forks)?;
        let it = &mut *sealer;
        let nonce = detach::over(py, data.len() + ad.len(), || {
            let (body, tag) = out.split_at_mut(data.len());
            it.seal_to_detached(ad, data, body, tag).copied()
        });
        drop(sealer);
        let nonce = nonce.map_err(|error| refused(py, error))?;
        Ok((PyBytes::new(py, &nonce), sealed.done()))
    }

    /// Seals `data` into `buf`, which has exactly the length that it needs, and returns the nonce.
    fn seal_into<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        associated_data: &Bound<'py, PyAny>,
        buf: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (mut a, mut b, mut c) = (Room::new(), Room::new(), Room::new());
        let (data, ad, buf) = (a.read(data)?, b.optional(associated_data)?, c.write(buf)?);
        self.same_process()?;
        let len = data.len();
        let (ad, (body, tag)) = (apart(ad, &buf)?, exactly(buf, len + self.tag_len)?.split_at(len));
        let message = message(data, body, &tag)?;
        // SAFETY: as in `Cipher::encrypt_into`.
        let (tag, ad) = unsafe { (tag.bytes(), ad.bytes()) };
        let mut sealer = locked(py, &self.sealer, self.forks)?;
        let it = &mut *sealer;
        let nonce = detach::over(py, len + ad.len(), || match message {
            Message::Here(body) => it.seal_detached(ad, body, tag).copied(),
            Message::From(data, body) => it.seal_to_detached(ad, data, body, tag).copied(),
        });
        drop(sealer);
        Ok(PyBytes::new(py, &nonce.map_err(|error| refused(py, error))?))
    }

    /// The counter of the next message, for a record that survives a restart.
    #[getter]
    fn next_counter(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(locked(py, &self.sealer, self.forks)?.next_counter())
    }
    /// Blocks of 16 bytes that were sealed, and two more a message, for the same record.
    #[getter]
    fn blocks_used(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(locked(py, &self.sealer, self.forks)?.blocks_used())
    }
    /// Blocks of 16 bytes that may still be sealed.
    #[getter]
    fn blocks_left(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(locked(py, &self.sealer, self.forks)?.blocks_left())
    }

    fn __repr__(&self) -> String {
        format!("<combseal.Sealer of {}>", self.name)
    }
    fn __reduce__(&self) -> PyResult<()> {
        Err(single("Sealer"))
    }
    fn __reduce_ex__(&self, _protocol: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(single("Sealer"))
    }
    fn __copy__(&self) -> PyResult<()> {
        Err(single("Sealer"))
    }
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(single("Sealer"))
    }
}

impl Sealer {
    fn same_process(&self) -> PyResult<()> {
        if self.forks == forks() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "this Sealer was made before a fork: its twin in the parent would use the same nonces",
        ))
    }
}

#[cold]
fn single(name: &str) -> PyErr {
    PyTypeError::new_err(format!("combseal.{name} holds a key and counts: it cannot be pickled or copied"))
}

/// Words of a window: 1,984 counters behind the highest.
const WORDS: usize = 32;

/// With a window or without.
// An `Opener` has one, and holds it where it is.
#[allow(clippy::large_enum_variant)]
enum Opening {
    All(combseal::Opener<Arc<Key>>),
    Once(combseal::Opener<Arc<Key>, WORDS>),
}

/// Opens messages under one key; with a `prefix`, those of that one sender, each at most once.
#[pyclass(frozen, module = "combseal")]
pub struct Opener {
    opener: Mutex<Opening>,
    name: &'static str,
    tag_len: usize,
    nonce_len: usize,
    forks: u64,
}

/// The same call on both kinds.
macro_rules! either {
    ($opening:expr, $it:ident => $then:expr) => {
        match $opening {
            Opening::All($it) => $then,
            Opening::Once($it) => $then,
        }
    };
}

#[pymethods]
impl Opener {
    #[new]
    #[pyo3(signature = (key, prefix=None))]
    fn new(py: Python<'_>, key: &Bound<'_, PyAny>, prefix: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let cipher: &Cipher = cipher_of(key)?;
        let (opener, nonce_len) = match prefix {
            None => (Opening::All(combseal::Opener::new(cipher.usual().clone())), cipher.nonce_len()),
            Some(prefix) => {
                let (key, prefix) = prefixed(key, prefix)?;
                let opener = combseal::Opener::with_window(key, &prefix, ReplayWindow::new());
                (Opening::Once(opener.map_err(|error| refused(py, error))?), prefix.len() + 8)
            }
        };
        let (name, tag_len) = (cipher.name(), cipher.tag_len());
        Ok(Self { opener: Mutex::new(opener), name, tag_len, nonce_len, forks: forks() })
    }

    /// Opens what a `Sealer` returned. Raises `InvalidTag` if it is not authentic, `ReplayError`
    /// if it was accepted before.
    #[pyo3(signature = (nonce, data, associated_data=None))]
    fn open<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (mut a, mut b) = (Room::new(), Room::new());
        let (nonce, data) = (Nonce::read(nonce)?, a.read(data)?);
        let ad = associated_data.map(|ad| b.optional(ad)).transpose()?;
        let len = self.message_len(py, nonce.len(), data.len())?;
        // SAFETY: nothing is written but the new object.
        let (data, ad) = unsafe { (data.bytes(), ad.map_or(&[][..], |ad| ad.bytes())) };
        let (nonce, (body, tag)) = (nonce.bytes(), data.split_at(len));
        let mut opened = NewBytes::new(py, len)?;
        let out = opened.bytes();
        let mut opener = locked(py, &self.opener, self.forks)?;
        let it = &mut *opener;
        let done =
            detach::over(py, len + ad.len(), || either!(it, opener => opener.open_to(nonce, ad, body, out, tag)));
        drop(opener);
        done.map_err(|error| refused(py, error))?;
        Ok(opened.done())
    }

    /// Opens `data` into `buf`, which has exactly the length that it needs, and returns that. If
    /// `InvalidTag` is raised, `buf` is all zero.
    fn open_into<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: &Bound<'py, PyAny>,
        buf: &Bound<'py, PyAny>,
    ) -> PyResult<usize> {
        let (mut a, mut b, mut c) = (Room::new(), Room::new(), Room::new());
        let (nonce, data, ad) = (Nonce::read(nonce)?, a.read(data)?, b.optional(associated_data)?);
        let buf = c.write(buf)?;
        let len = self.message_len(py, nonce.len(), data.len())?;
        let (ad, buf) = (apart(ad, &buf)?, exactly(buf, len)?);
        let (data, tag) = data.split_at(len);
        let tag = apart(tag, &buf)?;
        let (none, buf) = buf.split_at(0);
        let message = message(data, buf, &none)?;
        let nonce = nonce.bytes();
        // SAFETY: as in `Cipher::decrypt_into`.
        let (tag, ad) = unsafe { (tag.bytes(), ad.bytes()) };
        let mut opener = locked(py, &self.opener, self.forks)?;
        let it = &mut *opener;
        let done = detach::over(py, len + ad.len(), || match message {
            Message::Here(body) => either!(it, opener => opener.open_in_place(nonce, ad, body, tag)),
            Message::From(data, body) => either!(it, opener => opener.open_to(nonce, ad, data, body, tag)),
        });
        drop(opener);
        done.map_or_else(|error| Err(refused(py, error)), |()| Ok(len))
    }

    /// How many forgeries were refused.
    #[getter]
    fn forgeries(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(either!(&*locked(py, &self.opener, self.forks)?, opener => opener.forgeries()))
    }
    /// The highest counter that was accepted; `None` before the first, and without a prefix.
    #[getter]
    fn highest(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        Ok(either!(&*locked(py, &self.opener, self.forks)?, opener => opener.window().and_then(ReplayWindow::highest)))
    }

    fn __repr__(&self) -> String {
        format!("<combseal.Opener of {}>", self.name)
    }
    fn __reduce__(&self) -> PyResult<()> {
        Err(single("Opener"))
    }
    fn __reduce_ex__(&self, _protocol: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(single("Opener"))
    }
    fn __copy__(&self) -> PyResult<()> {
        Err(single("Opener"))
    }
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(single("Opener"))
    }
}

impl Opener {
    /// Bytes of plaintext, once nonce and tag have their lengths.
    fn message_len(&self, py: Python<'_>, nonce: usize, data: usize) -> PyResult<usize> {
        if nonce != self.nonce_len {
            return Err(PyValueError::new_err(format!("Nonce must be {} bytes", self.nonce_len)));
        }
        data.checked_sub(self.tag_len).ok_or_else(|| invalid_tag(py, &[]))
    }
}
