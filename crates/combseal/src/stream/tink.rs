//! Tink's AES-GCM-HKDF streaming, read and written: keysets of `keyset.rs`, segments one by one.
//!
//! A header of its own length (1 byte), a salt as long as the AES key, and a prefix (7). The AES key is
//! HKDF of the keyset's key, the salt and the associated data; nonces are prefix, number (4) and
//! last mark. The first segment is shorter by the header, and the last one is not empty unless
//! the message is. Segment length and hash are the keyset's and stand nowhere in the stream.

use super::error::Error;
use super::keyset::{Hash, TinkKey, TinkKeyset};
use super::secret::{Buffer, Secret, random};
use crate::interface::aead::Aead;
use crate::key::{Algorithm, Key};
use crate::memory::stack::{KERNEL, KEYS, apart};
use core::ops::Range;
use hkdf::Hkdf;
use sha1::Sha1;
use sha2::{Sha256, Sha512};
use std::boxed::Box;
use std::io::{self, Read, Write};

/// Bytes of a tag.
const TAG: usize = 16;
/// How many segments are written at most: Tink's Java counts them in 31 bits.
const MOST: u64 = (1 << 31) - 1;
/// How many are read.
const MOST_READ: u64 = 1 << 32;

/// One stream's key and nonces.
struct Stream {
    key: Box<Key>,
    prefix: [u8; 7],
    header: usize,
    segment: usize,
}

impl Stream {
    /// `header` has the length that the key's streams have.
    fn new(key: &TinkKey, header: &[u8], ad: &[u8]) -> Result<Self, Error> {
        apart::<KEYS, _>(|| Self::derived(key, header, ad))
    }

    fn derived(key: &TinkKey, header: &[u8], ad: &[u8]) -> Result<Self, Error> {
        let (salt, prefix) = header[1..].split_at(key.derived);
        let mut out = Secret::<32>::zero();
        let derived = &mut out.0[..key.derived];
        let (salt, ikm) = (Some(salt), &key.ikm.0[..]);
        let expanded = match key.hash {
            Hash::Sha1 => Hkdf::<Sha1>::new(salt, ikm).expand(ad, derived),
            Hash::Sha256 => Hkdf::<Sha256>::new(salt, ikm).expand(ad, derived),
            Hash::Sha512 => Hkdf::<Sha512>::new(salt, ikm).expand(ad, derived),
        };
        expanded.map_err(|_| Error::Keyset)?;
        let algorithm = if key.derived == 16 { Algorithm::GcmAes128 } else { Algorithm::GcmAes256 };
        let aes = Box::new(Key::new(algorithm, derived).map_err(|_| Error::Keyset)?);
        let mut it = Self { key: aes, prefix: [0; 7], header: key.header(), segment: key.segment };
        it.prefix.copy_from_slice(prefix);
        Ok(it)
    }

    fn nonce(&self, index: u64, last: bool) -> [u8; 12] {
        let mut nonce = [0; 12];
        nonce[..7].copy_from_slice(&self.prefix);
        nonce[7..11].copy_from_slice(&index.to_be_bytes()[4..]);
        nonce[11] = last.into();
        nonce
    }

    /// Bytes of ciphertext in a full segment of this number.
    fn room(&self, index: u64) -> usize {
        if index == 0 { self.segment - self.header } else { self.segment }
    }

    fn open(&self, index: u64, last: bool, segment: &mut [u8]) -> Result<(), Error> {
        // Nobody writes an empty segment behind others.
        let empty = segment.len() == TAG && index > 0;
        match apart::<KERNEL, _>(|| self.key.open_attached(&self.nonce(index, last), b"", segment).map(drop)) {
            Ok(_) if !empty => Ok(()),
            _ if last => Err(Error::CutOrDamaged { segment: index }),
            _ => Err(Error::Damaged { segment: index }),
        }
    }
}

impl TinkKeyset {
    /// Seals what is written under the primary key. `ad` is Tink's associated data.
    ///
    /// # Errors
    /// [`Error::Random`], [`Error::Io`].
    pub fn sealing<W: Write>(&self, writer: W, ad: &[u8]) -> Result<TinkSealing<W>, Error> {
        let mut header = [0; 40];
        let header = &mut header[..self.primary().header()];
        random(&mut header[1..])?;
        self.begin(writer, header, ad)
    }

    /// The same with salt and prefix given.
    pub(crate) fn begin<W: Write>(&self, mut writer: W, header: &mut [u8], ad: &[u8]) -> Result<TinkSealing<W>, Error> {
        header[0] = header.len() as u8;
        let stream = Stream::new(self.primary(), header, ad)?;
        writer.write_all(header)?;
        Ok(TinkSealing { writer, stream, buffer: Buffer(std::vec::Vec::new()), index: 0, failed: false })
    }

    /// Opens what is read, with the key of the set that opens its first segment, which is read
    /// at once.
    ///
    /// # Errors
    /// [`Error::WrongKey`] if no key opens the first segment: it may be damaged, or the associated
    /// data may be others, which this format does not tell apart. [`Error::Truncated`] if there is
    /// none; [`Error::Io`].
    pub fn opening<R: Read>(&self, mut reader: R, ad: &[u8]) -> Result<TinkOpening<R>, Error> {
        let mut start = std::vec::Vec::new();
        let mut short = true;
        for key in self.keys() {
            // One byte more than the first segment tells whether it is the last one.
            let missing = (key.segment + 1).saturating_sub(start.len());
            (&mut reader).take(missing as u64).read_to_end(&mut start)?;
            let header = key.header();
            if start.len() < header + TAG {
                continue;
            }
            short = false;
            if usize::from(start[0]) != header {
                continue;
            }
            let stream = Stream::new(key, &start[..header], ad)?;
            let end = start.len().min(key.segment);
            let last = start.len() <= key.segment;
            let mut buffer = Buffer::new(end - header)?;
            buffer.0.copy_from_slice(&start[header..end]);
            if stream.open(0, last, &mut buffer.0).is_err() {
                continue;
            }
            let (ready, rest) = (0..buffer.0.len() - TAG, start.split_off(end));
            return Ok(TinkOpening { reader, stream, buffer, ready, rest, index: 1, ended: last, failed: false });
        }
        Err(if short { Error::Truncated } else { Error::WrongKey })
    }
}

/// Seals what is written to it as a stream of Tink's. It is whole only after
/// [`finish`](Self::finish), and holds one segment, in memory that grows with what is written.
#[must_use = "a stream is whole only after `finish`"]
pub struct TinkSealing<W: Write> {
    writer: W,
    stream: Stream,
    /// Plaintext of the segment that is next.
    buffer: Buffer,
    index: u64,
    failed: bool,
}

impl<W: Write> TinkSealing<W> {
    /// Seals the last segment, flushes, and gives the writer back.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Io`], [`Error::Failed`].
    pub fn finish(mut self) -> Result<W, Error> {
        self.segment(true)?;
        self.writer.flush()?;
        Ok(self.writer)
    }

    /// Bytes of memory that it holds.
    #[cfg(test)]
    pub(crate) fn held(&self) -> usize {
        self.buffer.0.capacity()
    }

    fn segment(&mut self, last: bool) -> Result<(), Error> {
        if core::mem::replace(&mut self.failed, true) {
            return Err(Error::Failed);
        }
        if self.index >= MOST {
            return Err(Error::TooLong);
        }
        let len = self.buffer.0.len();
        self.buffer.reserve(TAG, len + TAG)?;
        self.buffer.0.resize(len + TAG, 0);
        let nonce = self.stream.nonce(self.index, last);
        self.stream.key.seal_attached(&nonce, b"", &mut self.buffer.0).map_err(|_| Error::TooLong)?;
        self.writer.write_all(&self.buffer.0)?;
        self.buffer.0.clear();
        self.index += 1;
        self.failed = false;
        Ok(())
    }
}

impl<W: Write> Write for TinkSealing<W> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        if self.failed {
            return Err(Error::Failed.into());
        }
        // A full segment waits for more, since it may be the last one.
        let room = self.stream.room(self.index) - TAG;
        if self.buffer.0.len() == room && !data.is_empty() {
            self.segment(false)?;
        }
        let room = self.stream.room(self.index) - TAG;
        let n = data.len().min(room - self.buffer.0.len());
        // It grows with the data: segments may be up to 2 GiB. There is always room for the tag.
        self.buffer.reserve(n + TAG, room + TAG)?;
        self.buffer.0.extend(&data[..n]);
        Ok(n)
    }

    /// Flushes the writer. A segment that is not full stays until it is.
    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Reads a stream of Tink's and gives its plaintext, of which every byte was verified. It is
/// whole only when `read` has returned 0.
pub struct TinkOpening<R: Read> {
    reader: R,
    stream: Stream,
    /// A segment that was opened, and where what was not given out is.
    buffer: Buffer,
    ready: Range<usize>,
    /// Bytes that were read beyond it.
    rest: std::vec::Vec<u8>,
    /// The number of the next segment.
    index: u64,
    ended: bool,
    failed: bool,
}

impl<R: Read> TinkOpening<R> {
    fn segment(&mut self) -> Result<(), Error> {
        if core::mem::replace(&mut self.failed, true) {
            return Err(Error::Failed);
        }
        if self.index >= MOST_READ {
            return Err(Error::TooLong);
        }
        let room = self.stream.room(self.index);
        let mut segment = Buffer(core::mem::take(&mut self.rest));
        let missing = (room + 1).saturating_sub(segment.0.len());
        (&mut self.reader).take(missing as u64).read_to_end(&mut segment.0)?;
        let last = segment.0.len() <= room;
        self.rest = segment.0.split_off(segment.0.len().min(room));
        if segment.0.len() < TAG {
            return Err(Error::Truncated);
        }
        self.stream.open(self.index, last, &mut segment.0)?;
        self.ready = 0..segment.0.len() - TAG;
        self.buffer = segment;
        self.index += 1;
        (self.ended, self.failed) = (last, false);
        Ok(())
    }
}

impl<R: Read> Read for TinkOpening<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.ready.is_empty() && !self.ended && !out.is_empty() {
            self.segment()?;
        }
        let n = self.ready.len().min(out.len());
        out[..n].copy_from_slice(&self.buffer.0[self.ready.start..][..n]);
        self.ready.start += n;
        Ok(n)
    }
}
