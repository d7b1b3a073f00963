//! A sealed file as a plain one: any part of it, in any order, and of each segment a byte only
//! after all of the segment was verified.

use super::error::Error;
use super::header::{Header, read};
use super::lock::Unlock;
use super::opening::unlock;
use super::sealing::group;
use super::secret::Buffer;
use super::segments::Segments;
use super::threads::Threads;
use core::ops::Range;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// The plaintext of a sealed file, to read from and to seek in.
///
/// The last segment is verified before anything else, so that the length is authentic. Then each
/// read touches the segments that it is of and no others; who reads on from where the last
/// segments ended has several read at once, over the threads. [`read_range`](Self::read_range)
/// reads no more than it is asked for. It holds half a MiB (or a segment, if that is longer) for
/// each thread, and no more than 32 MiB or the file.
///
/// A damaged segment takes nothing but itself away: all others are there, and it fails whenever
/// it is read.
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
        let threads = threads.for_groups(&segments);
        let group = group(segments.layout.segment, threads.count());
        let group = usize::try_from(full + 1).map_or(group, |all| group.min(all));
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

    /// Writes the plaintext's bytes in `range` to `to`, as many of them as there are, and says how
    /// many that is. Touches no segment but those that they are in, of which it has several read
    /// at once. The position of [`Read`] and [`Seek`] stays where it is.
    ///
    /// # Errors
    /// That of the first segment that is not authentic: what was written then is authentic, and
    /// reaches to that segment. [`Error::Io`] of either side.
    pub fn read_range(&mut self, range: Range<u64>, mut to: impl Write) -> Result<u64, Error> {
        let (mut at, end) = (range.start, range.end.min(self.len));
        while at < end {
            let found = self.find(at, end)?;
            let bytes = self.verified(found, end - at);
            to.write_all(bytes)?;
            at += bytes.len() as u64;
        }
        Ok(end.saturating_sub(range.start))
    }

    /// Verifies every segment, in the order of the file. The position of [`Read`] and [`Seek`]
    /// stays where it is.
    ///
    /// # Errors
    /// That of the first segment that is not authentic; [`Error::Io`].
    pub fn verify(&mut self) -> Result<(), Error> {
        let mut at = 0;
        while at < self.len {
            self.find(at, self.len)?;
            at = self.first * self.segments.layout.segment as u64 + self.opened as u64;
        }
        Ok(())
    }

    /// Reads and opens `full` segments from number `index` on, and then the last one if its
    /// length is given. If one of them fails, those before it are kept, and its error is told only
    /// if there are none: else it comes again when it is its turn.
    fn load(&mut self, index: u64, full: usize, last: Option<usize>) -> Result<(), Error> {
        let layout = self.segments.layout;
        self.opened = 0;
        let len = full * layout.stride() + last.map_or(0, |last| last + layout.tag);
        let at = self.begin.checked_add(layout.offset(index)?).ok_or(Error::TooLong)?;
        self.reader.seek(SeekFrom::Start(at))?;
        let buffer = &mut self.buffer.0[..len];
        let (mut n, mut fault) = (0, None);
        while n < len && fault.is_none() {
            match read(&mut self.reader, &mut buffer[n..]) {
                Ok(0) => fault = Some(Error::Truncated),
                Ok(more) => n += more,
                Err(error) => fault = Some(error),
            }
        }
        let mut good = (n / layout.stride()).min(full);
        let (all, rest) = buffer.split_at_mut(good * layout.stride());
        let segments = &self.segments;
        let opened = self.threads.each(all, layout.stride(), |i, it| segments.open(index + i, false, it));
        if let Err((before, error)) = opened {
            (good, fault) = (before as usize, Some(error));
        }
        let mut opened = good * layout.segment;
        if let (None, Some(last)) = (&fault, last) {
            match segments.open(index + full as u64, true, rest) {
                Ok(()) => opened += last,
                Err(error) => fault = Some(error),
            }
        }
        (self.first, self.opened) = (index, opened);
        match fault {
            Some(error) if opened == 0 => Err(error),
            _ => Ok(()),
        }
    }

    /// Makes sure that the byte at `position` is in the buffer, with as much as there is room for
    /// of what comes before `end`; returns its place among the opened bytes. `position < end`, and
    /// `end` is no more than the length.
    fn find(&mut self, position: u64, end: u64) -> Result<usize, Error> {
        let layout = self.segments.layout;
        let segment = layout.segment as u64;
        let start = self.first * segment;
        if position >= start && position - start < self.opened as u64 {
            return Ok((position - start) as usize);
        }
        let (wanted, all) = (position / segment, self.len / segment);
        let room = (self.buffer.0.len() / layout.stride()) as u64;
        let count = ((end - 1) / segment - wanted + 1).min(room);
        let full = (all - wanted).min(count);
        let last = (full < count).then_some((self.len % segment) as usize);
        self.load(wanted, full as usize, last)?;
        Ok((position % segment) as usize)
    }

    /// Opened bytes from this place on, no more than `most` and to the end of their segment.
    fn verified(&self, found: usize, most: u64) -> &[u8] {
        let layout = self.segments.layout;
        let (number, at) = (found / layout.segment, found % layout.segment);
        let n = (self.opened - found).min(layout.segment - at);
        let n = usize::try_from(most).map_or(n, |most| n.min(most));
        &self.buffer.0[number * layout.stride() + self.segments.before() + at..][..n]
    }
}

impl<R: Read + Seek> Read for OpenedFile<R> {
    /// Gives verified bytes; 0 only at the end, or for an empty buffer.
    ///
    /// # Errors
    /// That of the segment that the position is in, as an [`Error`] inside or as what the reader
    /// says, and the same one again until the position is in another segment.
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() || self.position >= self.len {
            return Ok(0);
        }
        // Who reads on gets several segments; who jumps, one.
        let reads_on =
            self.opened > 0 && self.position == self.first * self.segments.layout.segment as u64 + self.opened as u64;
        let found = self.find(self.position, if reads_on { self.len } else { self.position + 1 })?;
        let bytes = self.verified(found, out.len() as u64);
        out[..bytes.len()].copy_from_slice(bytes);
        let n = bytes.len();
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
