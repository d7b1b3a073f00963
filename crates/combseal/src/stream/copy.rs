//! Whole streams from a reader to a writer, with reading, sealing and writing under way at the
//! same time: a thread reads, one writes, and the caller has the segments sealed or opened. A few
//! buffers go round between them, so that memory does not grow.

use super::error::Error;
use super::header::{Header, fill};
use super::lock::{Lock, Unlock};
use super::opening::unlock;
use super::secret::Buffer;
use super::segments::Segments;
use super::settings::{Drawn, Settings, begin};
use super::threads::Threads;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Bytes of plaintext that go round at once, if a segment a thread is not more.
const ROUND: usize = 2 << 20;
/// How many buffers go round: one that is read, one that is sealed, one that is written, and one
/// to spare.
const BUFFERS: usize = 4;

/// Seals all that `reader` has, into a stream to `writer`, and flushes. Says how many bytes of
/// plaintext there were. After each group of segments that was written, `progress` is told how
/// many bytes of plaintext that makes.
///
/// It holds about 8 MiB, or four segments for each thread if that is more.
///
/// # Errors
/// Those of [`Sealing::new`](super::Sealing::new); [`Error::TooLong`]; [`Error::Io`] of either
/// side. What was written then has no end, and does not open as a whole stream.
pub fn seal_all(
    reader: impl Read + Send,
    mut writer: impl Write + Send,
    settings: &Settings,
    locks: &[Lock<'_>],
    progress: impl FnMut(u64),
) -> Result<u64, Error> {
    let threads = Threads::new(settings.threads)?;
    let (header, segments) = begin(settings, locks, &Drawn::new(locks.len())?)?;
    writer.write_all(&header)?;
    Rounds { segments: &segments, threads: &threads, seal: true, progress }.run(reader, writer)
}

/// Opens a stream that `reader` has, to `writer`, which gets verified bytes alone, and flushes.
/// Says how many they were. `context` is what was sealed with; `threads` as in
/// [`Settings::threads`]; `progress` as in [`seal_all`].
///
/// # Errors
/// Those of [`Opening::new`](super::Opening::new), [`Error::Damaged`], [`Error::CutOrDamaged`],
/// [`Error::Truncated`], and [`Error::Io`] of either side. What was written then is a true
/// beginning of the plaintext.
pub fn open_all(
    mut reader: impl Read + Send,
    writer: impl Write + Send,
    with: Unlock<'_>,
    context: &[u8],
    threads: usize,
    progress: impl FnMut(u64),
) -> Result<u64, Error> {
    let threads = Threads::new(threads)?;
    let header = Header::read(&mut reader)?;
    let segments = unlock(&header, &with, context)?;
    Rounds { segments: &segments, threads: &threads, seal: false, progress }.run(reader, writer)
}

/// A buffer on its way, and how many bytes of it count: plaintext or ciphertext, tags included.
struct Round {
    buffer: Buffer,
    len: usize,
}

/// What goes round.
struct Rounds<'a, P> {
    segments: &'a Segments,
    threads: &'a Threads,
    seal: bool,
    progress: P,
}

impl<P: FnMut(u64)> Rounds<'_, P> {
    fn run(mut self, reader: impl Read + Send, writer: impl Write + Send) -> Result<u64, Error> {
        let layout = self.segments.layout;
        let group = (ROUND / layout.segment).max(self.threads.count());
        let plain = Spaced { piece: layout.segment, before: self.segments.before(), stride: layout.stride() };
        let sealed = Spaced { piece: layout.stride(), before: 0, stride: layout.stride() };
        let (from, to) = if self.seal { (plain, sealed) } else { (sealed, plain) };
        let (empty, empties) = sync_channel(BUFFERS);
        for _ in 0..BUFFERS {
            let _ = empty.send(Buffer::new(group * layout.stride())?);
        }
        let (full, fulls) = sync_channel(BUFFERS);
        let (done, dones) = sync_channel(BUFFERS);
        std::thread::scope(|scope| {
            let spawn = |name: &str| std::thread::Builder::new().name(name.into());
            spawn("combseal-read")
                .spawn_scoped(scope, move || from.read(reader, group, &empties, &full))
                .map_err(|_| Error::Threads)?;
            let writing = spawn("combseal-write")
                .spawn_scoped(scope, move || to.write(writer, &dones, &empty))
                .map_err(|_| Error::Threads)?;
            let opened = self.go_round(from, group, &fulls, &done);
            // The threads end when nothing comes any more.
            drop((fulls, done));
            let written = writing.join().unwrap_or(Err(Error::Failed));
            // If writing failed, that is why the rounds ended.
            written.and(opened)
        })
    }

    /// Has each round sealed or opened, and sends it on, until the end; returns how many bytes of
    /// plaintext there were.
    fn go_round(
        &mut self,
        from: Spaced,
        group: usize,
        fulls: &Receiver<Result<Round, Error>>,
        done: &SyncSender<Round>,
    ) -> Result<u64, Error> {
        let (layout, segments, seal) = (self.segments.layout, self.segments, self.seal);
        let (mut index, mut total) = (0, 0);
        while let Ok(round) = fulls.recv() {
            let Round { mut buffer, len } = round?;
            let (full, rest) = (len / from.piece, len % from.piece);
            let (all, end) = buffer.0.split_at_mut(full * layout.stride());
            let mut result = self
                .threads
                .each(all, layout.stride(), |i, it| {
                    if seal { segments.seal(index + i, false, it) } else { segments.open(index + i, false, it) }
                })
                .map_err(|(good, error)| (good as usize * layout.segment, error));
            let (mut plain, mut sealed) = (full * layout.segment, full * layout.stride());
            index += full as u64;
            let last = full < group;
            if last && result.is_ok() {
                result = if seal {
                    plain += rest;
                    sealed += rest + layout.tag;
                    segments.seal(index, true, &mut end[..rest + layout.tag])
                } else if rest < layout.tag {
                    Err(Error::Truncated)
                } else {
                    segments.open(index, true, &mut end[..rest]).map(|()| plain += rest - layout.tag)
                }
                .map_err(|error| (plain, error));
            }
            if let Err((good, error)) = result {
                // What was verified before the fault goes out; of sealing nothing more.
                if !seal {
                    let _ = done.send(Round { buffer, len: good });
                }
                return Err(error);
            }
            total += plain as u64;
            if done.send(Round { buffer, len: if seal { sealed } else { plain } }).is_err() {
                return Err(Error::Failed);
            }
            (self.progress)(total);
            if last {
                return Ok(total);
            }
        }
        Err(Error::Failed)
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

impl Spaced {
    /// Reads into buffers that come back empty, until one is not filled or nobody wants more.
    fn read(
        self,
        mut reader: impl Read,
        group: usize,
        empties: &Receiver<Buffer>,
        full: &SyncSender<Result<Round, Error>>,
    ) {
        while let Ok(mut buffer) = empties.recv() {
            let read = self.fill(&mut buffer, group, &mut reader);
            let more = read.as_ref().is_ok_and(|&n| n == group * self.piece);
            if full.send(read.map(|len| Round { buffer, len })).is_err() || !more {
                return;
            }
        }
    }

    fn fill(self, buffer: &mut Buffer, group: usize, reader: &mut impl Read) -> Result<usize, Error> {
        if self.piece == self.stride {
            return fill(reader, &mut buffer.0[..group * self.stride]);
        }
        let mut n = 0;
        for place in buffer.0.chunks_exact_mut(self.stride) {
            let more = fill(reader, &mut place[self.before..][..self.piece])?;
            n += more;
            if more < self.piece {
                break;
            }
        }
        Ok(n)
    }

    /// Writes what comes and sends the buffers back.
    fn write(self, mut writer: impl Write, dones: &Receiver<Round>, empty: &SyncSender<Buffer>) -> Result<(), Error> {
        while let Ok(Round { buffer, len }) = dones.recv() {
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
