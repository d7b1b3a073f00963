//! C2SP's chunked encryption (c2sp.org/chunked-encryption, v1) as Cobblestone-128 and -256: AES-GCM
//! and HKDF-Expand with SHA-512, read and written.
//!
//! A salt (24 bytes), a commitment (32), then chunks of 16 KiB of plaintext, of which the last one is
//! always shorter. It has no magic and says nothing of itself; slots and passphrases are for
//! other layers.

use super::error::Error;
use super::file::OpenedFile;
use super::header::fill;
use super::layout::Layout;
use super::memory::{open_body, seal_body};
use super::opening::Opening;
use super::sealing::Sealing;
use super::secret::{Secret, random};
use super::segments::Segments;
use super::threads::Threads;
use crate::cpu::equal;
use crate::key::{Algorithm, Key};
use crate::memory::stack::{KEYS, apart};
use core::fmt;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha512;
use std::io::{Read, Seek, Write};
use std::{vec, vec::Vec};

/// Bytes of salt and of header.
const SALT: usize = 24;
const HEADER: usize = SALT + 32;
/// Bytes of plaintext in a chunk.
const CHUNK: usize = 16 << 10;

/// An input key of Cobblestone-128 or -256: 16 or 32 random bytes, for any number of streams.
///
/// Streams are as long as C2SP says, but for AES-GCM's limit of 2^32 messages under one key: below
/// 64 TiB.
pub struct Cobblestone {
    key: Secret<32>,
    algorithm: Algorithm,
}

impl fmt::Debug for Cobblestone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cobblestone({}, secret)", self.algorithm)
    }
}

impl Cobblestone {
    /// An input key of 16 bytes (Cobblestone-128) or 32 (Cobblestone-256).
    ///
    /// # Errors
    /// [`Error::KeyLength`] of another length.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        let algorithm = match key.len() {
            16 => Algorithm::GcmAes128,
            32 => Algorithm::GcmAes256,
            _ => return Err(Error::KeyLength),
        };
        let mut it = Self { key: Secret::zero(), algorithm };
        it.key.0[..key.len()].copy_from_slice(key);
        Ok(it)
    }

    /// Header and chunks under a salt.
    pub(crate) fn derive(&self, salt: &[u8; SALT], context: &[u8]) -> Result<([u8; HEADER], Segments), Error> {
        apart::<KEYS, _>(|| self.derived(salt, context))
    }

    fn derived(&self, salt: &[u8; SALT], context: &[u8]) -> Result<([u8; HEADER], Segments), Error> {
        let key_len = self.algorithm.key_len();
        let name = if key_len == 16 { b"AEAD_AES_128_GCM" } else { b"AEAD_AES_256_GCM" };
        let mut out = Secret::<128>::zero();
        let parts = [b"c2sp.org/chunked-encryption@v1+", &name[..], b"\0", salt, context];
        expand(&self.key.0[..key_len], &parts, &mut out.0);
        let (key, rest) = out.0[..key_len + 12 + 32].split_at(key_len);
        let (base, commitment) = rest.split_at(12);
        let mut header = [0; HEADER];
        header[..SALT].copy_from_slice(salt);
        header[SALT..].copy_from_slice(commitment);
        let layout = Layout::over(self.algorithm, HEADER as u64, CHUNK, 1 << 38);
        let key = Key::new(self.algorithm, key).map_err(|_| Error::KeyLength)?;
        Ok((header, Segments::xored(key, base, layout)))
    }

    fn begin(&self, context: &[u8]) -> Result<([u8; HEADER], Segments), Error> {
        let mut salt = [0; SALT];
        random(&mut salt)?;
        self.derive(&salt, context)
    }

    /// Chunks of a stream that begins with this header.
    fn resume(&self, header: &[u8], context: &[u8]) -> Result<Segments, Error> {
        let Some(header) = header.first_chunk::<HEADER>() else { return Err(Error::Truncated) };
        let Some(salt) = header.first_chunk::<SALT>() else { return Err(Error::Truncated) };
        let (derived, segments) = self.derive(salt, context)?;
        // With another context the commitment is another too, and which was wrong it does not tell.
        if equal(&derived, header) { Ok(segments) } else { Err(Error::WrongKey) }
    }

    /// Seals what is written; see [`Sealing`].
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Random`], [`Error::Memory`], [`Error::Threads`].
    pub fn sealing<W: Write>(&self, writer: W, context: &[u8], threads: usize) -> Result<Sealing<W>, Error> {
        let threads = Threads::new(threads)?;
        let (header, segments) = self.begin(context)?;
        Sealing::with(writer, &header, segments, threads)
    }

    /// Opens what is read; see [`Opening`].
    ///
    /// # Errors
    /// [`Error::WrongKey`] of another key or context; [`Error::Truncated`], [`Error::Io`],
    /// [`Error::Memory`], [`Error::Threads`].
    pub fn opening<R: Read>(&self, mut reader: R, context: &[u8], threads: usize) -> Result<Opening<R>, Error> {
        let threads = Threads::new(threads)?;
        let mut header = [0; HEADER];
        let n = fill(&mut reader, &mut header)?;
        Opening::with(reader, None, self.resume(&header[..n], context)?, threads)
    }

    /// Opens a file to be read from anywhere; see [`OpenedFile`].
    ///
    /// # Errors
    /// As [`opening`](Self::opening), and those of the file's end.
    pub fn file<R: Read + Seek>(&self, mut reader: R, context: &[u8], threads: usize) -> Result<OpenedFile<R>, Error> {
        let begin = reader.stream_position()?;
        let threads = Threads::new(threads)?;
        let mut header = [0; HEADER];
        let n = fill(&mut reader, &mut header)?;
        OpenedFile::with(reader, begin, None, self.resume(&header[..n], context)?, threads)
    }

    /// Seals `plaintext` into a new vector.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Random`], [`Error::Threads`].
    pub fn seal_vec(&self, plaintext: &[u8], context: &[u8], threads: usize) -> Result<Vec<u8>, Error> {
        let threads = Threads::new(threads)?;
        let (header, segments) = self.begin(context)?;
        let len = segments.layout.sealed_len(plaintext.len() as u64)?;
        let mut out = vec![0; usize::try_from(len).map_err(|_| Error::TooLong)?];
        out[..HEADER].copy_from_slice(&header);
        seal_body(&segments, &threads, plaintext, &mut out[HEADER..])?;
        Ok(out)
    }

    /// Opens a stream into a new vector: all of it or nothing.
    ///
    /// # Errors
    /// As [`opening`](Self::opening); [`Error::Damaged`], [`Error::CutOrDamaged`].
    pub fn open_vec(&self, sealed: &[u8], context: &[u8], threads: usize) -> Result<Vec<u8>, Error> {
        let threads = Threads::new(threads)?;
        let segments = self.resume(sealed, context)?;
        let len = segments.layout.plaintext_len(sealed.len() as u64)?;
        let mut out = vec![0; usize::try_from(len).map_err(|_| Error::TooLong)?];
        open_body(&segments, &threads, &sealed[HEADER..], &mut out)?;
        Ok(out)
    }
}

/// HKDF-Expand (RFC 5869) with SHA-512, two blocks of it. The input key is shorter than RFC 5869's
/// pseudorandom keys, as C2SP wants it.
fn expand(key: &[u8], info: &[&[u8]], out: &mut [u8; 128]) {
    for (i, number) in [1, 2].into_iter().enumerate() {
        let Ok(mut mac) = Hmac::<Sha512>::new_from_slice(key) else { unreachable!("HMAC takes keys of any length") };
        let (before, now) = out.split_at_mut(64 * i);
        mac.update(before);
        info.iter().for_each(|part| mac.update(part));
        mac.update(&[number]);
        now[..64].copy_from_slice(&mac.finalize().into_bytes());
    }
}
