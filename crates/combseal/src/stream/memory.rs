//! Streams that are in memory as a whole: every segment from buffer to buffer, over the threads.

use super::error::Error;
use super::header::Header;
use super::lock::{Lock, Unlock};
use super::opening::unlock;
use super::segments::Segments;
use super::settings::{Settings, begin};
use super::threads::Threads;
use crate::memory::wipe::Wipe;
use std::{vec, vec::Vec};

/// Seals `plaintext` into a new vector.
///
/// # Errors
/// Those of [`Sealing::new`](super::Sealing::new).
pub fn seal_vec(plaintext: &[u8], settings: &Settings, locks: &[Lock<'_>]) -> Result<Vec<u8>, Error> {
    let len = settings.sealed_len(plaintext.len() as u64, locks.len())?;
    let mut out = vec![0; usize::try_from(len).map_err(|_| Error::TooLong)?];
    seal_to(plaintext, &mut out, settings, locks)?;
    Ok(out)
}

/// Seals `plaintext` into `out`, which is as long as [`Settings::sealed_len`] says.
///
/// # Errors
/// [`Error::BufferLength`], and those of [`Sealing::new`](super::Sealing::new). `out` never
/// holds plaintext.
pub fn seal_to(plaintext: &[u8], out: &mut [u8], settings: &Settings, locks: &[Lock<'_>]) -> Result<(), Error> {
    if settings.sealed_len(plaintext.len() as u64, locks.len())? != out.len() as u64 {
        return Err(Error::BufferLength);
    }
    let threads = Threads::new(settings.threads)?;
    let (header, segments) = begin(settings, locks)?;
    let (start, body) = out.split_at_mut(header.len());
    start.copy_from_slice(&header);
    seal_body(&segments, &threads, plaintext, body)
}

/// Seals all segments.
pub(crate) fn seal_body(
    segments: &Segments,
    threads: &Threads,
    plaintext: &[u8],
    body: &mut [u8],
) -> Result<(), Error> {
    let layout = segments.layout;
    let full = plaintext.len() / layout.segment;
    let (all, last) = plaintext.split_at(full * layout.segment);
    let (sealed, end) = body.split_at_mut(full * layout.stride());
    let each = |i, src: &[u8], dst: &mut [u8]| segments.seal_to(i, false, src, dst);
    threads.each_pair((all, layout.segment), (sealed, layout.stride()), each).map_err(|(_, error)| error)?;
    segments.seal_to(full as u64, true, last, end)
}

/// Opens a stream into a new vector: all of it or nothing. `context` is what was sealed with;
/// `threads` as in [`Settings::threads`].
///
/// # Errors
/// Those of [`Opening::new`](super::Opening::new); [`Error::Damaged`], [`Error::CutOrDamaged`],
/// [`Error::Truncated`].
pub fn open_vec(sealed: &[u8], with: Unlock<'_>, context: &[u8], threads: usize) -> Result<Vec<u8>, Error> {
    let header = Header::parse(sealed)?;
    let len = header.plaintext_len(sealed.len() as u64)?;
    let threads = Threads::new(threads)?;
    let segments = unlock(&header, &with, context)?;
    let mut out = vec![0; usize::try_from(len).map_err(|_| Error::TooLong)?];
    open_body(&segments, &threads, &sealed[header.header_len()..], &mut out)?;
    Ok(out)
}

/// Opens a stream into `out`, which is as long as [`Header::plaintext_len`] says.
///
/// # Errors
/// [`Error::BufferLength`], and those of [`open_vec`]. If a segment is not authentic, all of
/// `out` is zero.
pub fn open_to(sealed: &[u8], out: &mut [u8], with: Unlock<'_>, context: &[u8], threads: usize) -> Result<(), Error> {
    let header = Header::parse(sealed)?;
    if header.plaintext_len(sealed.len() as u64)? != out.len() as u64 {
        return Err(Error::BufferLength);
    }
    let threads = Threads::new(threads)?;
    let segments = unlock(&header, &with, context)?;
    open_body(&segments, &threads, &sealed[header.header_len()..], out)
}

/// Opens all segments; after a failure `out` is zero.
pub(crate) fn open_body(segments: &Segments, threads: &Threads, body: &[u8], out: &mut [u8]) -> Result<(), Error> {
    let layout = segments.layout;
    let full = out.len() / layout.segment;
    let (sealed, end) = body.split_at(full * layout.stride());
    let (all, last) = out.split_at_mut(full * layout.segment);
    let each = |i, src: &[u8], dst: &mut [u8]| segments.open_to(i, false, src, dst);
    let opened = threads
        .each_pair((sealed, layout.stride()), (all, layout.segment), each)
        .map_err(|(_, error)| error)
        .and_then(|()| segments.open_to(full as u64, true, end, last));
    if opened.is_err() {
        out.wipe();
    }
    opened
}
