//! Whole streams from a reader to a writer, with reading, sealing and writing under way at the
//! same time: a thread reads, one writes, and the caller has the segments sealed or opened. A few
//! buffers go round between them, so that memory does not grow, and nothing waits in one of them
//! for more to come.

use super::error::Error;
use super::header::Header;
use super::lock::{Lock, Unlock};
use super::opening::unlock;
use super::secret::Buffer;
use super::segments::Segments;
use super::settings::{Settings, begin};
use super::threads::Threads;
use std::io::{self, IoSliceMut, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Builder;
use std::vec::Vec;

/// Bytes of plaintext in a buffer, if a segment is not longer.
const ROUND: usize = 512 << 10;
/// How many buffers go round, if there are not many threads.
const BUFFERS: usize = 16;
/// Bytes of plaintext in all of them at most, if they are not too few then.
const MOST: usize = 32 << 20;
/// The fewest: one is read, one is sealed, one is written.
const FEWEST: usize = 3;

/// Seals all that `reader` has, into a stream to `writer`, and flushes. Says how many bytes of
/// plaintext there were. After each few segments that went to the writer, `progress` is told how
/// many bytes of plaintext that makes.
///
/// Each segment is sealed and written as soon as all of it was read, whether or not more comes.
/// What is there at once is sealed at once, over the threads.
///
/// It holds about 8 MiB; with more than five threads 1.5 MiB for each, up to 32 MiB. Of segments
/// longer than half a MiB it holds 16, or as many as fit into 32 MiB, but three: of 16 MiB, 48 MiB.
/// These are sealed one after the other, and those of up to 8 MiB over the threads.
///
/// After a failure it returns when `reader` does: a `read` that waits for data cannot be left
/// behind while it may use what the caller lent. [`seal_all_detached`] can, with a reader of its
/// own.
///
/// Not to be called in a rayon pool for both ends of one pipe: it waits for its reader and its
/// writer, and a pool that has no thread left for the other end waits for ever. Threads of
/// their own may.
///
/// # Errors
/// Those of [`Sealing::new`](super::Sealing::new); [`Error::TooLong`]; [`Error::Io`] of either
/// side. What was written then has no end, and does not open as a whole stream.
pub fn seal_all(
    reader: impl Read + Send,
    writer: impl Write + Send,
    settings: &Settings,
    locks: &[Lock<'_>],
    progress: impl FnMut(u64),
) -> Result<u64, Error> {
    std::thread::scope(|scope| {
        let start = |reading: Reading| thread("combseal-read").spawn_scoped(scope, || reading.run(reader)).map(drop);
        seal(writer, settings, locks, progress, start)
    })
}

/// [`seal_all`] of a reader that can be left behind: after a failure it returns at once, and the
/// thread that reads ends, and drops the reader, when its `read` has returned.
///
/// # Errors
/// Those of [`seal_all`].
pub fn seal_all_detached(
    reader: impl Read + Send + 'static,
    writer: impl Write + Send,
    settings: &Settings,
    locks: &[Lock<'_>],
    progress: impl FnMut(u64),
) -> Result<u64, Error> {
    let start = |reading: Reading| thread("combseal-read").spawn(|| reading.run(reader)).map(drop);
    seal(writer, settings, locks, progress, start)
}

/// Opens a stream that `reader` has, to `writer`, which gets verified bytes alone, and flushes.
/// Says how many they were. `context` is what was sealed with; `threads` as in
/// [`Settings::threads`]; `progress` as in [`seal_all`], and so are memory, what a failure waits
/// for ([`open_all_detached`] does not), and the warning of rayon pools.
///
/// Each segment is opened and written as soon as all of it was read; of the last one that is
/// when the reader has ended.
///
/// # Errors
/// Those of [`Opening::new`](super::Opening::new), [`Error::Damaged`], [`Error::CutOrDamaged`],
/// [`Error::Truncated`], and [`Error::Io`] of either side. What was written then is a true
/// beginning of the plaintext.
pub fn open_all(
    reader: impl Read + Send,
    writer: impl Write + Send,
    with: Unlock<'_>,
    context: &[u8],
    threads: usize,
    progress: impl FnMut(u64),
) -> Result<u64, Error> {
    std::thread::scope(|scope| {
        let start =
            |reading: Reading, reader| thread("combseal-read").spawn_scoped(scope, || reading.run(reader)).map(drop);
        open(reader, writer, with, context, threads, progress, start)
    })
}

/// [`open_all`] of a reader that can be left behind: after a failure it returns at once, and the
/// thread that reads ends, and drops the reader, when its `read` has returned.
///
/// # Errors
/// Those of [`open_all`].
pub fn open_all_detached(
    reader: impl Read + Send + 'static,
    writer: impl Write + Send,
    with: Unlock<'_>,
    context: &[u8],
    threads: usize,
    progress: impl FnMut(u64),
) -> Result<u64, Error> {
    let start = |reading: Reading, reader| thread("combseal-read").spawn(|| reading.run(reader)).map(drop);
    open(reader, writer, with, context, threads, progress, start)
}

/// The reader's thread is started when the header was read.
fn open<R: Read>(
    mut reader: R,
    writer: impl Write + Send,
    with: Unlock<'_>,
    context: &[u8],
    threads: usize,
    progress: impl FnMut(u64),
    start: impl FnOnce(Reading, R) -> io::Result<()>,
) -> Result<u64, Error> {
    let threads = Threads::new(threads)?;
    let header = Header::read(&mut reader)?;
    let segments = unlock(&header, &with, context)?;
    let start = |reading| start(reading, reader);
    Rounds { segments: &segments, threads: &threads, seal: false, progress }.run(writer, start)
}

fn seal(
    mut writer: impl Write + Send,
    settings: &Settings,
    locks: &[Lock<'_>],
    progress: impl FnMut(u64),
    start: impl FnOnce(Reading) -> io::Result<()>,
) -> Result<u64, Error> {
    let threads = Threads::new(settings.threads)?;
    let (header, segments) = begin(settings, locks)?;
    writer.write_all(&header)?;
    Rounds { segments: &segments, threads: &threads, seal: true, progress }.run(writer, start)
}

fn thread(name: &str) -> Builder {
    Builder::new().name(name.into())
}

/// A buffer on its way.
struct Round {
    buffer: Buffer,
    /// How many bytes of it count: plaintext or ciphertext, tags included.
    len: usize,
    /// Whether the stream's last segment is in it, behind the full ones.
    last: bool,
    /// The number of its first segment.
    index: u64,
    /// Why a segment of it failed; then `len` is what those before it have.
    fault: Option<Error>,
}

impl Round {
    /// Seals a buffer's segments; its length becomes that of what is sealed.
    fn seal(&mut self, segments: &Segments) {
        let layout = segments.layout;
        let (full, rest) = (self.len / layout.segment, self.len % layout.segment);
        let (all, end) = self.buffer.0.split_at_mut(full * layout.stride());
        let pieces = all.chunks_exact_mut(layout.stride());
        let mut done = (self.index..).zip(pieces).try_for_each(|(i, it)| segments.seal(i, false, it));
        self.len = full * layout.stride();
        if self.last && done.is_ok() {
            done = segments.seal(self.index + full as u64, true, &mut end[..rest + layout.tag]);
            self.len += rest + layout.tag;
        }
        self.fault = done.err();
    }

    /// Opens a buffer's segments; its length becomes that of the plaintext that was verified.
    fn open(&mut self, segments: &Segments) {
        let layout = segments.layout;
        let (full, rest) = (self.len / layout.stride(), self.len % layout.stride());
        let (all, end) = self.buffer.0.split_at_mut(full * layout.stride());
        self.len = 0;
        for (i, segment) in (self.index..).zip(all.chunks_exact_mut(layout.stride())) {
            if let Err(error) = segments.open(i, false, segment) {
                self.fault = Some(error);
                return;
            }
            self.len += layout.segment;
        }
        if self.last {
            let opened = match rest.checked_sub(layout.tag) {
                None => Err(Error::Truncated),
                Some(n) => segments.open(self.index + full as u64, true, &mut end[..rest]).map(|()| n),
            };
            match opened {
                Ok(n) => self.len += n,
                Err(error) => self.fault = Some(error),
            }
        }
    }
}

/// How many segments a buffer has, and how many buffers there are.
pub(crate) fn buffers(segment: usize, threads: usize) -> (usize, usize) {
    let group = (ROUND / segment).max(1);
    (group, BUFFERS.max(3 * threads).min(MOST / (group * segment)).max(FEWEST))
}

/// What goes round.
struct Rounds<'a, P> {
    segments: &'a Segments,
    threads: &'a Threads,
    seal: bool,
    progress: P,
}

impl<P: FnMut(u64)> Rounds<'_, P> {
    /// `start` has a thread read.
    fn run(mut self, writer: impl Write + Send, start: impl FnOnce(Reading) -> io::Result<()>) -> Result<u64, Error> {
        let layout = self.segments.layout;
        let (group, count) = buffers(layout.segment, self.threads.count());
        let plain = Spaced { piece: layout.segment, before: self.segments.before(), stride: layout.stride() };
        let sealed = Spaced { piece: layout.stride(), before: 0, stride: layout.stride() };
        let (from, to) = if self.seal { (plain, sealed) } else { (sealed, plain) };
        let (empty, empties) = sync_channel(count);
        for _ in 0..count {
            let _ = empty.send(Buffer::new(group * layout.stride())?);
        }
        // Room for the errors of both threads besides, so that neither waits to tell.
        let (full, fulls) = sync_channel(count + 2);
        let failed = full.clone();
        let (done, dones) = sync_channel(count);
        std::thread::scope(|scope| {
            start(Reading { spaced: from, empties, full }).map_err(|_| Error::Threads)?;
            let writing = thread("combseal-write")
                .spawn_scoped(scope, move || {
                    let written = to.write(writer, &dones, &empty);
                    if written.is_err() {
                        // Nobody shall wait for what there is no use for any more.
                        let _ = failed.try_send(Err(Error::Failed));
                    }
                    written
                })
                .map_err(|_| Error::Threads)?;
            // Half of them: the others are being read and written meanwhile.
            let opened = self.go_round(from, count / 2, &fulls, &done);
            // The threads end when nothing comes any more.
            drop((fulls, done));
            let written = writing.join().unwrap_or(Err(Error::Failed));
            // If writing failed, that is why the rounds ended.
            written.and(opened)
        })
    }

    /// Has what comes sealed or opened, at most so many buffers at once, and sends it on, until
    /// the end; returns how many bytes of plaintext there were.
    fn go_round(
        &mut self,
        from: Spaced,
        most: usize,
        fulls: &Receiver<Result<Round, Error>>,
        done: &SyncSender<Round>,
    ) -> Result<u64, Error> {
        let (mut index, mut total) = (0, 0);
        loop {
            let (mut rounds, ends) = gather(most, fulls);
            for round in &mut rounds {
                round.index = index;
                index += (round.len / from.piece) as u64;
            }
            let plain: Vec<usize> = rounds.iter().map(|round| round.len).collect();
            let (segments, seal) = (self.segments, self.seal);
            self.threads.each_of(&mut rounds, |it| if seal { it.seal(segments) } else { it.open(segments) });
            for (mut round, plain) in rounds.into_iter().zip(plain) {
                let (fault, last) = (round.fault.take(), round.last);
                if let Some(error) = fault {
                    // What was verified before the fault goes out; of sealing nothing more.
                    if !self.seal {
                        let _ = done.send(round);
                    }
                    return Err(error);
                }
                total += if self.seal { plain } else { round.len } as u64;
                if done.send(round).is_err() {
                    return Err(Error::Failed);
                }
                (self.progress)(total);
                if last {
                    return Ok(total);
                }
            }
            if let Some(error) = ends {
                return Err(error);
            }
        }
    }
}

/// Waits for a buffer, and takes what others have come, up to the last one; and the error that
/// comes after them.
fn gather(most: usize, fulls: &Receiver<Result<Round, Error>>) -> (Vec<Round>, Option<Error>) {
    let mut rounds = Vec::new();
    let mut next = fulls.recv().unwrap_or(Err(Error::Failed));
    loop {
        match next {
            Ok(round) => rounds.push(round),
            Err(error) => return (rounds, Some(error)),
        }
        if rounds.len() >= most || rounds.last().is_some_and(|round| round.last) {
            return (rounds, None);
        }
        match fulls.try_recv() {
            Ok(it) => next = it,
            // The next wait tells if the reading has ended.
            Err(_) => return (rounds, None),
        }
    }
}

/// Where bytes lie in a buffer of segments: pieces of plaintext, between which there is room for
/// tags, or sealed segments without room between.
#[derive(Clone, Copy)]
struct Spaced {
    piece: usize,
    before: usize,
    stride: usize,
}

/// What a thread needs to read.
struct Reading {
    spaced: Spaced,
    empties: Receiver<Buffer>,
    full: SyncSender<Result<Round, Error>>,
}

/// If the reader panics, nobody shall wait for it.
impl Drop for Reading {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.full.try_send(Err(Error::Failed));
        }
    }
}

impl Reading {
    /// Reads into buffers that come back empty, until the reader ends or nobody wants more.
    fn run(self, mut reader: impl Read) {
        let Spaced { piece, before, stride } = self.spaced;
        let Ok(mut buffer) = self.empties.recv() else { return };
        // Bytes in the buffer: always less than a segment.
        let mut n = 0;
        loop {
            let read = self.spaced.read(&mut buffer.0, n, &mut reader);
            let ends = !matches!(read, Ok(1..));
            n += *read.as_ref().unwrap_or(&0);
            if !ends && n < piece {
                continue;
            }
            // If the buffer is not full, then nothing more is there now, and whole segments do not
            // wait for it. What is behind them goes to the next buffer.
            let rest = if ends { 0 } else { n % piece };
            let mut next = None;
            if rest > 0 {
                let Ok(mut it) = self.empties.recv() else { return };
                it.0[before..][..rest].copy_from_slice(&buffer.0[n / piece * stride + before..][..rest]);
                next = Some(it);
            }
            let round = read.map(|_| Round { buffer, len: n - rest, last: ends, index: 0, fault: None });
            if self.full.send(round).is_err() || ends {
                return;
            }
            (buffer, n) = match next.map_or_else(|| self.empties.recv(), Ok) {
                Ok(it) => (it, rest),
                Err(_) => return,
            };
        }
    }
}

impl Spaced {
    /// Reads once, behind the `n` bytes that there are of the first segment, into as much of the
    /// buffer as there is.
    fn read(self, buffer: &mut [u8], n: usize, reader: &mut impl Read) -> Result<usize, Error> {
        loop {
            let result = if self.piece == self.stride {
                reader.read(&mut buffer[n..])
            } else {
                let places = buffer.chunks_exact_mut(self.stride).zip([n].into_iter().chain(std::iter::repeat(0)));
                let places = places.map(|(it, n)| IoSliceMut::new(&mut it[self.before..][n..self.piece]));
                reader.read_vectored(&mut places.collect::<Vec<_>>())
            };
            match result {
                // A reader may be wrong, and must not make us so.
                Ok(more) => return Ok(more.min(buffer.len() / self.stride * self.piece - n)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::from(error)),
            }
        }
    }

    /// Writes what comes and sends the buffers back.
    fn write(self, mut writer: impl Write, dones: &Receiver<Round>, empty: &SyncSender<Buffer>) -> Result<(), Error> {
        while let Ok(Round { buffer, len, .. }) = dones.recv() {
            if self.piece == self.stride {
                writer.write_all(&buffer.0[..len])?;
            } else {
                let starts = (0..len).step_by(self.piece);
                for (start, place) in starts.zip(buffer.0.chunks(self.stride)) {
                    writer.write_all(&place[self.before..][..self.piece.min(len - start)])?;
                }
            }
            // Nobody waits for it after the last round.
            let _ = empty.try_send(buffer);
        }
        Ok(writer.flush()?)
    }
}
