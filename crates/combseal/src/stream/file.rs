//! A sealed file as a plain one: any part of it, in any order, and of each segment a byte only
//! after all of the segment was verified.

use super::error::Error;
use super::header::{Header, fill};
use super::lock::Unlock;
use super::opening::unlock;
use super::sealing::group;
use super::secret::Buffer;
use super::segments::Segments;
use super::threads::Threads;
use std::io::{self, Read, Seek, SeekFrom};

/// The plaintext of a sealed file, to read from and to seek in.
///
/// The last segment is verified before anything else, so that the length is authentic. Then each
/// read touches the segments that it is of and no others; who reads on from where the last
/// segments ended has several read at once, over the threads.
///
/// The file must not be written to meanwhile: what is changed is found to be damaged, and
/// nothing worse comes of it.
pub struct OpenedFile<R: Read + Seek> {
    reader: R,
    /// Where the stream begins in the reader.
    begin: u64,
    header: Option<Header>,
    segments: Segments,
    threads: Threads,
    /// Bytes of plaintext.
    len: u64,
    /// Where the next read is.
    position: u64,
    /// Opened segments: which is the first, and how many bytes of plaintext they have.
    buffer: Buffer,
    first: u64,
    opened: usize,
}

impl<R: Read + Seek> OpenedFile<R> {
    /// Reads the header from where the reader is, unlocks it, and verifies the last segment.
    /// The stream reaches to the reader's end.
    ///
    /// # Errors
    /// Those of [`Opening::new`](super::Opening::new); [`Error::Truncated`] and
    /// [`Error::CutOrDamaged`] of the end.
    pub fn new(mut reader: R, with: Unlock<'_>, context: &[u8], threads: usize) -> Result<Self, Error> {
        let threads = Threads::new(threads)?;
        let begin = reader.stream_position()?;
        let header = Header::read(&mut reader)?;
        let segments = unlock(&header, &with, context)?;
        Self::with(reader, begin, Some(header), segments, threads)
    }

    /// The same with keys that there are already.
    pub(crate) fn with(
        mut reader: R,
        begin: u64,
        header: Option<Header>,
        segments: Segments,
        threads: Threads,
    ) -> Result<Self, Error> {
        let end = reader.seek(SeekFrom::End(0))?;
        let sealed = end.checked_sub(begin).ok_or(Error::Truncated)?;
        let (full, last) = segments.layout.segments(sealed)?;
        let len = segments.layout.plaintext_len(sealed)?;
        let group = group(segments.layout.segment, threads.count());
        let buffer = Buffer::new(group * segments.layout.stride())?;
        let mut it =
            Self { reader, begin, header, segments, threads, len, position: 0, buffer, first: full, opened: 0 };
        it.load(full, 0, Some(last))?;
        Ok(it)
    }

    /// The header, which is authentic; `None` of other people's streams.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Bytes of plaintext, which is authentic.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The reader.
    pub fn into_inner(self) -> R {
        self.reader
    }

    /// Verifies every segment, in the order of the file.
    ///
    /// # Errors
    /// That of the first segment that is not authentic; [`Error::Io`].
    pub fn verify(&mut self) -> Result<(), Error> {
        let position = core::mem::replace(&mut self.position, 0);
        let mut done = Ok(());
        while done.is_ok() && self.position < self.len {
            done = self.find().map(drop);
            self.position = (self.first * self.segments.layout.segment as u64).saturating_add(self.opened as u64);
        }
        self.position = position;
        done
    }

    /// Reads and opens `full` segments from number `index` on, and then the last one if its
    /// length is given.
    fn load(&mut self, index: u64, full: usize, last: Option<usize>) -> Result<(), Error> {
        let layout = self.segments.layout;
        self.opened = 0;
        let body = full * layout.stride();
        let len = body + last.map_or(0, |last| last + layout.tag);
        let at = self.begin.checked_add(layout.offset(index)?).ok_or(Error::TooLong)?;
        self.reader.seek(SeekFrom::Start(at))?;
        let buffer = &mut self.buffer.0[..len];
        if fill(&mut self.reader, buffer)? < len {
            return Err(Error::Truncated);
        }
        let (all, rest) = buffer.split_at_mut(body);
        let segments = &self.segments;
        let opened = self.threads.each(all, layout.stride(), |i, it| segments.open(index + i, false, it));
        opened.map_err(|(_, error)| error)?;
        if last.is_some() {
            segments.open(index + full as u64, true, rest)?;
        }
        (self.first, self.opened) = (index, full * layout.segment + last.unwrap_or(0));
        Ok(())
    }

    /// Makes sure that the byte at `position`, which there is, is in the buffer; returns its
    /// place among the opened bytes.
    fn find(&mut self) -> Result<usize, Error> {
        let layout = self.segments.layout;
        let segment = layout.segment as u64;
        let wanted = self.position / segment;
        let start = self.first * segment;
        if self.opened > 0 && self.position >= start && self.position - start < self.opened as u64 {
            return Ok((self.position - start) as usize);
        }
        let (all, last) = (self.len / segment, (self.len % segment) as usize);
        // Who reads on gets several segments; who jumps, one.
        let reads_on = self.opened > 0 && self.position == start + self.opened as u64;
        let room = if reads_on { (self.buffer.0.len() / layout.stride()) as u64 } else { 1 };
        let full = (all - wanted).min(room);
        let last = (full < room && wanted + full == all).then_some(last);
        self.load(wanted, full as usize, last)?;
        Ok((self.position % segment) as usize)
    }
}

impl<R: Read + Seek> Read for OpenedFile<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() || self.position >= self.len {
            return Ok(0);
        }
        let found = self.find()?;
        let layout = self.segments.layout;
        let (number, at) = (found / layout.segment, found % layout.segment);
        let n = out.len().min(self.opened - found).min(layout.segment - at);
        let start = number * layout.stride() + self.segments.before() + at;
        out[..n].copy_from_slice(&self.buffer.0[start..start + n]);
        self.position += n as u64;
        Ok(n)
    }
}

impl<R: Read + Seek> Seek for OpenedFile<R> {
    /// Goes to a byte of the plaintext; beyond the end, where there is nothing to read, too.
    ///
    /// # Errors
    /// `InvalidInput` before the beginning, or beyond 64 bits.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.len.checked_add_signed(by),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
        };
        self.position = at.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.position)
    }
}
