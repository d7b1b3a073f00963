//! A key as the classes hold it: a scheme, the rules of its class, and an expanded key for each
//! length of nonce that was asked for.
//!
//! Arguments are taken in pyca's order: first every one is a buffer or a `TypeError`, then the
//! nonce's length, then whether there is a tag at all, then the length of the caller's buffer,
//! then the tag.
#![allow(unsafe_code)] // Slices of what Python lends: see `buffers.rs`.

use crate::buffers::{Nonce, Overlap, Readable, Room, Writable, new_bytes};
use crate::detach;
use crate::errors::{integer, invalid_tag, refused};
use combseal::hazmat::Relaxed;
use combseal::{Aead, Algorithm, Cpu, Error, Key};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, OnceLock};
use zeroize::Zeroizing;

/// What is special about a class.
pub struct Rules {
    /// Its name.
    pub name: &'static str,
    /// The schemes, a size of key each.
    pub algorithms: &'static [Algorithm],
    /// Bytes in the shortest nonce and the longest.
    pub nonces: (usize, usize),
    /// Whether the shortest tags are there, which the library has behind a hazmat name: CCM's of 4
    /// and 6 bytes, for protocols that have them.
    pub short_tags: bool,
}

impl Rules {
    /// The sizes of key in bits.
    fn sizes(&self) -> String {
        let all: Vec<String> = self.algorithms.iter().map(|it| (it.key_len() * 8).to_string()).collect();
        match &all[..] {
            [a, b] => format!("{a} or {b}"),
            [first @ .., last] if !first.is_empty() => format!("{}, or {last}", first.join(", ")),
            all => all.concat(),
        }
    }

    /// A new key of so many bits.
    ///
    /// # Errors
    /// `TypeError`, `ValueError`; what `os.urandom` raises.
    pub fn generate<'py>(&self, py: Python<'py>, bits: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let len = match bits {
            None => self.algorithms[0].key_len(),
            Some(bits) => {
                let bits = integer(bits)?;
                let fits = self.algorithms.iter().map(|it| it.key_len()).find(|&len| len as i64 * 8 == bits);
                fits.ok_or_else(|| PyValueError::new_err(format!("bit_length must be {}", self.sizes())))?
            }
        };
        py.import("os")?.call_method1("urandom", (len,))
    }
}

/// A message of which the source and the destination are known not to overlap, or to be one.
pub enum Message<'a> {
    /// In place.
    Here(&'a mut [u8]),
    /// From one place to another, of one length.
    From(&'a [u8], &'a mut [u8]),
}

/// A scheme with its key.
pub struct Cipher {
    rules: &'static Rules,
    algorithm: Algorithm,
    tag_len: usize,
    /// Takes nonces of the scheme's usual length.
    usual: Arc<Key>,
    /// Of which keys for other nonces' lengths are expanded.
    raw: Zeroizing<Box<[u8]>>,
    /// Those keys, by the length from the shortest on.
    others: OnceLock<Box<[OnceLock<Arc<Key>>]>>,
}

impl Cipher {
    /// Expands `key`; tags have `tag_len` bytes.
    ///
    /// # Errors
    /// `TypeError`, `ValueError`.
    pub fn new(rules: &'static Rules, key: &Bound<'_, PyAny>, tag_len: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut room = Room::new();
        let key = room.read(key)?;
        let tag_len = tag_len.map_or(Ok(16), integer)?;
        let Some(&algorithm) = rules.algorithms.iter().find(|it| it.key_len() == key.len()) else {
            return Err(PyValueError::new_err(format!("{} key must be {} bits.", rules.name, rules.sizes())));
        };
        // SAFETY: nothing is written but this copy, and the key that is made of it.
        let raw = Zeroizing::new(Box::<[u8]>::from(unsafe { key.bytes() }));
        let tag_len = usize::try_from(tag_len).unwrap_or(usize::MAX);
        let usual = expand(rules, algorithm, &raw, tag_len).map_err(|_| PyValueError::new_err("Invalid tag_length"))?;
        Ok(Self { rules, algorithm, tag_len, usual: Arc::new(usual), raw, others: OnceLock::new() })
    }

    /// The class's name.
    pub fn name(&self) -> &'static str {
        self.rules.name
    }
    /// Bits in the key.
    pub fn key_bits(&self) -> usize {
        self.raw.len() * 8
    }
    /// Bytes in a tag.
    #[inline]
    pub fn tag_len(&self) -> usize {
        self.tag_len
    }
    /// Bytes in a nonce as a rule.
    pub fn nonce_len(&self) -> usize {
        self.algorithm.nonce_len()
    }
    /// The key for nonces of the usual length.
    #[inline]
    pub fn usual(&self) -> &Arc<Key> {
        &self.usual
    }

    /// The key for nonces of `len` bytes.
    ///
    /// # Errors
    /// `ValueError`.
    #[inline]
    pub fn key(&self, len: usize) -> PyResult<&Arc<Key>> {
        if len == self.usual.nonce_len() { Ok(&self.usual) } else { self.other(len) }
    }

    fn other(&self, len: usize) -> PyResult<&Arc<Key>> {
        let (least, most) = self.rules.nonces;
        if len < least || len > most {
            return Err(PyValueError::new_err(if least == most {
                format!("Nonce must be {least} bytes")
            } else {
                format!("Nonce must be between {least} and {most} bytes")
            }));
        }
        let others = self.others.get_or_init(|| (least..=most).map(|_| OnceLock::new()).collect());
        let place = &others[len - least];
        if let Some(key) = place.get() {
            return Ok(key);
        }
        let made = expand(self.rules, self.algorithm, &self.raw, self.tag_len).and_then(|mut key| {
            key.set_nonce_len(len)?;
            Ok(key)
        });
        // The rules have no length that the library has not; all the same this is no panic.
        let made = made.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(place.get_or_init(|| Arc::new(made)))
    }

    /// Seals into new bytes.
    ///
    /// # Errors
    /// `TypeError`, `BufferError`, `ValueError`, `MemoryError`.
    #[inline]
    pub fn encrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        ad: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (mut a, mut b) = (Room::new(), Room::new());
        let (nonce, data, ad) = (Nonce::read(nonce)?, a.read(data)?, b.optional(ad)?);
        let key = self.key(nonce.len())?;
        // SAFETY: nothing is written but the new object.
        let (data, ad) = unsafe { (data.bytes(), ad.bytes()) };
        let nonce = nonce.bytes();
        new_bytes(py, data.len() + self.tag_len, |out| {
            detach::over(py, data.len() + ad.len(), || {
                let (body, tag) = out.split_at_mut(data.len());
                key.seal_to_detached(nonce, ad, data, body, tag)
            })
        })
    }

    /// Opens into new bytes.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt), and `InvalidTag`.
    #[inline]
    pub fn decrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        ad: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (mut a, mut b) = (Room::new(), Room::new());
        let (nonce, data, ad) = (Nonce::read(nonce)?, a.read(data)?, b.optional(ad)?);
        let key = self.key(nonce.len())?;
        let len = self.message_len(py, data.len())?;
        // SAFETY: nothing is written but the new object.
        let (data, ad) = unsafe { (data.bytes(), ad.bytes()) };
        let nonce = nonce.bytes();
        new_bytes(py, len, |out| {
            detach::over(py, data.len() + ad.len(), || {
                let (body, tag) = data.split_at(len);
                key.open_to(nonce, ad, body, out, tag)
            })
        })
    }

    /// Seals into `buf` and gives how many bytes that were.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt).
    #[inline]
    pub fn encrypt_into<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        ad: &Bound<'py, PyAny>,
        buf: &Bound<'py, PyAny>,
    ) -> PyResult<usize> {
        let (mut a, mut b, mut c) = (Room::new(), Room::new(), Room::new());
        let (nonce, data, ad, buf) = (Nonce::read(nonce)?, a.read(data)?, b.optional(ad)?, c.write(buf)?);
        let key = self.key(nonce.len())?;
        let (len, n) = (data.len(), data.len() + self.tag_len);
        let (ad, (body, tag)) = (apart(ad, &buf)?, exactly(buf, n)?.split_at(len));
        // What is sealed in place ends where the tag begins.
        let message = message(data, body, &tag)?;
        let nonce = nonce.bytes();
        // SAFETY: body and tag are two parts of one buffer, and what else is used does not overlap
        // either of them, as `apart` and `message` have seen.
        let (tag, ad) = unsafe { (tag.bytes(), ad.bytes()) };
        let done = detach::over(py, len + ad.len(), || match message {
            Message::Here(body) => key.seal_detached(nonce, ad, body, tag),
            Message::From(data, body) => key.seal_to_detached(nonce, ad, data, body, tag),
        });
        done.map_or_else(|error| Err(refused(py, error)), |()| Ok(n))
    }

    /// Opens into `buf`, which is all zero if the tag is wrong, and gives how many bytes that were.
    ///
    /// # Errors
    /// As [`decrypt`](Self::decrypt).
    #[inline]
    pub fn decrypt_into<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        ad: &Bound<'py, PyAny>,
        buf: &Bound<'py, PyAny>,
    ) -> PyResult<usize> {
        let (mut a, mut b, mut c) = (Room::new(), Room::new(), Room::new());
        let (nonce, data, ad, buf) = (Nonce::read(nonce)?, a.read(data)?, b.optional(ad)?, c.write(buf)?);
        let key = self.key(nonce.len())?;
        let len = self.message_len(py, data.len())?;
        let (ad, buf) = (apart(ad, &buf)?, exactly(buf, len)?);
        let (data, tag) = data.split_at(len);
        let tag = apart(tag, &buf)?;
        let (none, buf) = buf.split_at(0);
        let message = message(data, buf, &none)?;
        let nonce = nonce.bytes();
        // SAFETY: neither overlaps the buffer, as `apart` has seen.
        let (tag, ad) = unsafe { (tag.bytes(), ad.bytes()) };
        let done = detach::over(py, len + ad.len(), || match message {
            Message::Here(body) => key.open_in_place(nonce, ad, body, tag),
            Message::From(data, body) => key.open_to(nonce, ad, data, body, tag),
        });
        done.map_or_else(|error| Err(refused(py, error)), |()| Ok(len))
    }

    /// Bytes of plaintext in a sealed message of `len` bytes.
    ///
    /// # Errors
    /// `InvalidTag` if it is shorter than a tag.
    #[inline]
    pub fn message_len(&self, py: Python<'_>, len: usize) -> PyResult<usize> {
        len.checked_sub(self.tag_len).ok_or_else(|| invalid_tag(py, &[]))
    }
}

/// A key for nonces of the usual length.
fn expand(rules: &Rules, algorithm: Algorithm, key: &[u8], tag_len: usize) -> Result<Key, Error> {
    if rules.short_tags && algorithm.short_tag_lens().contains(&tag_len) {
        return Key::hazmat_build(Cpu::detect(), algorithm, key, tag_len, &[Relaxed::ShortTags]);
    }
    Key::build(Cpu::detect(), algorithm, key, tag_len)
}

/// The caller's buffer, if it is as long as it has to be.
///
/// # Errors
/// `ValueError`.
#[inline]
pub fn exactly(buf: Writable<'_>, len: usize) -> PyResult<Writable<'_>> {
    if buf.len() == len { Ok(buf) } else { Err(PyValueError::new_err(format!("buffer must be {len} bytes"))) }
}

/// What is read, if it does not overlap what is written.
///
/// # Errors
/// `ValueError`.
#[inline]
pub fn apart<'a>(read: Readable<'a>, written: &Writable<'_>) -> PyResult<Readable<'a>> {
    if read.overlap(written) == Overlap::None { Ok(read) } else { Err(overlapping()) }
}

#[cold]
fn overlapping() -> PyErr {
    PyValueError::new_err("buf overlaps another argument, and is not where the message itself is")
}

/// From `data` to `body`, in place if they are one; `tag` is written as well. `body` is used for
/// nothing else.
///
/// # Errors
/// `ValueError` if they overlap in another way.
#[inline]
pub fn message<'a>(data: Readable<'a>, body: Writable<'a>, tag: &Writable<'_>) -> PyResult<Message<'a>> {
    apart(data, tag)?;
    match data.overlap(&body) {
        Overlap::Partial => Err(overlapping()),
        // SAFETY: the body's only slice, and whoever has another of the same object, for the tag,
        // has split it off.
        Overlap::Same => Ok(Message::Here(unsafe { body.bytes() })),
        // SAFETY: the same, and the data do not overlap it.
        Overlap::None => unsafe { Ok(Message::From(data.bytes(), body.bytes())) },
    }
}
