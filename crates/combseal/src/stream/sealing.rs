//! Sealing what is written, segment by segment, in memory that does not grow.

use super::error::Error;
use super::lock::Lock;
use super::secret::Buffer;
use super::segments::Segments;
use super::settings::{Settings, begin};
use super::threads::Threads;
use std::io::{self, Write};

/// Bytes of plaintext that a thread gets at once, if segments are not longer.
const SHARE: usize = 512 << 10;

/// Bytes of plaintext that are held at most, if a segment is not longer.
const MOST: usize = 32 << 20;

/// How many segments are sealed or opened at once: for one thread what its cache holds, for
/// several enough to be worth waking them, and of long segments no more than fit into [`MOST`].
pub(crate) fn group(segment: usize, threads: usize) -> usize {
    let share = if threads == 1 { SHARE / 2 } else { SHARE };
    ((share / segment).max(1) * threads).min((MOST / segment).max(1))
}

/// Seals what is written to it, and writes the stream to a writer.
///
/// Nothing is left to be written only after [`finish`](Self::finish), which seals the last
/// segment. Without it the stream has no end, and whoever opens it is told that it was cut.
///
/// It holds half a MiB (or a segment, if that is longer) for each thread, a quarter with one
/// thread, and no more than 32 MiB: with segments of 16 MiB, two are sealed at once. Schemes that
/// are faster than copying are done by the caller alone ([`Settings::threads`]).
#[must_use = "a stream is whole only after `finish`"]
pub struct Sealing<W: Write> {
    writer: W,
    segments: Segments,
    threads: Threads,
    /// Sealed segments to be, each with room for its tag.
    buffer: Buffer,
    /// Bytes of plaintext in the buffer.
    filled: usize,
    /// The number of the first segment in the buffer.
    index: u64,
    failed: bool,
}

impl<W: Write> Sealing<W> {
    /// Writes the header of a stream that each of `locks` opens.
    ///
    /// # Errors
    /// [`Error::Locks`], [`Error::SameLock`], [`Error::SegmentLength`], [`Error::Unsupported`];
    /// [`Error::Costs`] of passphrases that together demand more than
    /// [`Argon2Caps::default`](super::Argon2Caps::default) allows;
    /// [`Error::Random`], [`Error::Memory`], [`Error::Threads`], [`Error::Io`].
    pub fn new(writer: W, settings: &Settings, locks: &[Lock<'_>]) -> Result<Self, Error> {
        let threads = Threads::new(settings.threads)?;
        let (header, segments) = begin(settings, locks)?;
        Self::with(writer, &header, segments, threads)
    }

    /// The same with keys and a header that there are already.
    pub(crate) fn with(mut writer: W, header: &[u8], segments: Segments, threads: Threads) -> Result<Self, Error> {
        let threads = threads.for_groups(&segments);
        let group = group(segments.layout.segment, threads.count());
        let buffer = Buffer::new(group * segments.layout.stride())?;
        writer.write_all(header)?;
        Ok(Self { writer, segments, threads, buffer, filled: 0, index: 0, failed: false })
    }

    /// Seals and writes what is left and the last segment, flushes, and gives the writer back.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Io`], [`Error::Failed`].
    pub fn finish(mut self) -> Result<W, Error> {
        self.write_full()?;
        let len = self.filled + self.segments.layout.tag;
        let last = &mut self.buffer.0[..len];
        self.segments.seal(self.index, true, last)?;
        self.writer.write_all(last)?;
        self.writer.flush()?;
        Ok(self.writer)
    }

    /// Bytes of plaintext that were written so far.
    pub fn written(&self) -> u64 {
        self.index * self.segments.layout.segment as u64 + self.filled as u64
    }

    /// Seals and writes the full segments, and moves what is left to the front.
    fn write_full(&mut self) -> Result<(), Error> {
        if self.failed {
            return Err(Error::Failed);
        }
        let layout = self.segments.layout;
        let full = self.filled / layout.segment;
        if full == 0 {
            return Ok(());
        }
        self.failed = true;
        let (sealed, rest) = self.buffer.0.split_at_mut(full * layout.stride());
        let (segments, index) = (&self.segments, self.index);
        let done = self.threads.each(sealed, layout.stride(), |i, it| segments.seal(index + i, false, it));
        done.map_err(|(_, error)| error)?;
        self.writer.write_all(sealed)?;
        self.index += full as u64;
        self.filled -= full * layout.segment;
        let left = segments.before()..segments.before() + self.filled;
        if !left.is_empty() {
            sealed[left.clone()].copy_from_slice(&rest[left]);
        }
        self.failed = false;
        Ok(())
    }
}

impl<W: Write> Write for Sealing<W> {
    /// Takes bytes of plaintext.
    ///
    /// # Errors
    /// What the writer says, or an [`Error`] inside. After one, nothing more can be written.
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        if self.failed {
            return Err(Error::Failed.into());
        }
        let layout = self.segments.layout;
        let room = self.buffer.0.len() / layout.stride() * layout.segment;
        let mut rest = data;
        while !rest.is_empty() {
            let (number, at) = (self.filled / layout.segment, self.filled % layout.segment);
            let n = rest.len().min(layout.segment - at);
            let start = number * layout.stride() + self.segments.before() + at;
            let (now, later) = rest.split_at(n);
            self.buffer.0[start..start + n].copy_from_slice(now);
            self.filled += n;
            rest = later;
            if self.filled == room {
                self.write_full()?;
            }
        }
        Ok(data.len())
    }

    /// Seals and writes the segments that are full. What is in a segment that is not stays until
    /// it is, or until the stream is finished.
    fn flush(&mut self) -> io::Result<()> {
        self.write_full()?;
        self.writer.flush()
    }
}
