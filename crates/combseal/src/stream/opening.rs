//! Opening what is read, segment by segment, in memory that does not grow. Of no segment a byte
//! is seen before all of it was verified.

use super::derive::payload;
use super::error::Error;
use super::header::{Header, read};
use super::lock::Unlock;
use super::sealing::group;
use super::secret::Buffer;
use super::segments::Segments;
use super::threads::Threads;
use crate::cpu::equal;
use crate::memory::stack::{KEYS, apart};
use std::io::{self, BufRead, Read};

/// Unlocks a header and checks the commitment.
pub(crate) fn unlock(header: &Header, unlock: &Unlock<'_>, context: &[u8]) -> Result<Segments, Error> {
    apart::<KEYS, _>(|| unlocked(header, unlock, context))
}

fn unlocked(header: &Header, unlock: &Unlock<'_>, context: &[u8]) -> Result<Segments, Error> {
    let found = header.unlock(unlock)?;
    let (segments, commitment) = payload(&found.file_key, header.start(), header.layout, context)?;
    if !equal(&commitment, header.commitment()) {
        // The header's MAC was right, so nothing but the context can be another.
        return Err(Error::WrongContext);
    }
    Ok(segments)
}

/// Reads a stream and gives its plaintext, of which every byte was verified.
///
/// The plaintext is whole only when `read` has returned 0: before, it is a beginning of what was
/// sealed, and the end may be missing, of which an error tells. It holds half a MiB (or a
/// segment, if that is longer) for each thread, and no more than 32 MiB.
///
/// Segments that have arrived are given out: it reads until there is a whole one, and on for as
/// long as the reader fills what it is asked to. So from a pipe segments come one by one as they
/// do there; who wants several at once from it uses [`open_all`](super::open_all).
pub struct Opening<R: Read> {
    reader: R,
    segments: Segments,
    threads: Threads,
    header: Option<Header>,
    /// Opened segments, and behind them the beginning of the next one.
    buffer: Buffer,
    /// Where that is.
    rest: core::ops::Range<usize>,
    /// Verified bytes of plaintext in the buffer, and how many of them were given out.
    verified: usize,
    given: usize,
    /// The number of the next segment to be read.
    index: u64,
    state: State,
}

/// What comes after the verified bytes.
enum State {
    More,
    End,
    Fails(Error),
    Failed,
}

impl<R: Read> Opening<R> {
    /// Reads the header and unlocks it. `context` is what was sealed with; `threads` as in
    /// [`Settings::threads`](super::Settings::threads).
    ///
    /// # Errors
    /// Those of [`Header::parse`], [`Error::WrongKey`], [`Error::WrongContext`],
    /// [`Error::OverCap`], [`Error::Memory`], [`Error::Threads`], [`Error::Io`].
    pub fn new(mut reader: R, with: Unlock<'_>, context: &[u8], threads: usize) -> Result<Self, Error> {
        let threads = Threads::new(threads)?;
        let header = Header::read(&mut reader)?;
        let segments = unlock(&header, &with, context)?;
        Self::with(reader, Some(header), segments, threads)
    }

    /// The same with keys that there are already, behind the header.
    pub(crate) fn with(reader: R, header: Option<Header>, segments: Segments, threads: Threads) -> Result<Self, Error> {
        let threads = threads.for_groups(&segments);
        let buffer = Buffer::new(group(segments.layout.segment, threads.count()) * segments.layout.stride())?;
        let (rest, verified, given, index, state) = (0..0, 0, 0, 0, State::More);
        Ok(Self { reader, segments, threads, header, buffer, rest, verified, given, index, state })
    }

    /// The header, which is authentic now; `None` of other people's streams.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Whether all of the stream was read and verified, its end too.
    pub fn is_whole(&self) -> bool {
        matches!(self.state, State::End) && self.given == self.verified
    }

    /// Reads and opens the next group of segments.
    fn next_group(&mut self) -> Result<(), Error> {
        match core::mem::replace(&mut self.state, State::Failed) {
            State::More => {}
            State::End => {
                self.state = State::End;
                return Ok(());
            }
            State::Fails(error) => return Err(error),
            State::Failed => return Err(Error::Failed),
        }
        (self.verified, self.given) = (0, 0);
        let layout = self.segments.layout;
        let mut n = self.rest.len();
        self.buffer.0.copy_within(core::mem::take(&mut self.rest), 0);
        let to_come = loop {
            let more = read(&mut self.reader, &mut self.buffer.0[n..])?;
            n += more;
            // All that it was asked for: there may be more. Less: that is all for now.
            if n == self.buffer.0.len() || more > 0 && n >= layout.stride() {
                break true;
            }
            if more == 0 {
                break false;
            }
        };
        let full = n / layout.stride();
        let (segments, index) = (&self.segments, self.index);
        let (all, rest) = self.buffer.0[..n].split_at_mut(full * layout.stride());
        let opened = self.threads.each(all, layout.stride(), |i, it| segments.open(index + i, false, it));
        self.index += full as u64;
        self.verified = full * layout.segment;
        self.state = match opened {
            Err((good, error)) => {
                self.verified = good as usize * layout.segment;
                State::Fails(error)
            }
            Ok(()) if to_come => {
                self.rest = full * layout.stride()..n;
                State::More
            }
            Ok(()) if rest.len() < layout.tag => State::Fails(Error::Truncated),
            Ok(()) => match segments.open(index + full as u64, true, rest) {
                Ok(()) => {
                    self.verified += rest.len() - layout.tag;
                    State::End
                }
                Err(error) => State::Fails(error),
            },
        };
        Ok(())
    }
}

impl<R: Read> BufRead for Opening<R> {
    /// The verified bytes of the segment that is next. Empty only at the end of a whole stream.
    ///
    /// # Errors
    /// What the reader says, or an [`Error`] inside. Bytes that were given out before it are
    /// authentic.
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.given == self.verified && !matches!(self.state, State::End) {
            self.next_group()?;
        }
        let layout = self.segments.layout;
        let (number, at) = (self.given / layout.segment, self.given % layout.segment);
        let n = (self.verified - self.given).min(layout.segment - at);
        let start = number * layout.stride() + self.segments.before() + at;
        Ok(if n == 0 { &[] } else { &self.buffer.0[start..start + n] })
    }

    fn consume(&mut self, n: usize) {
        self.given += n.min(self.verified - self.given);
    }
}

impl<R: Read> Read for Opening<R> {
    /// Gives verified bytes; 0 only at the end of a whole stream, or for an empty buffer.
    ///
    /// # Errors
    /// As [`fill_buf`](BufRead::fill_buf).
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let data = if out.is_empty() { &[][..] } else { self.fill_buf()? };
        let n = data.len().min(out.len());
        out[..n].copy_from_slice(&data[..n]);
        self.consume(n);
        Ok(n)
    }
}
