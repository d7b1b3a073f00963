//! A reader that reads ahead in a thread of its own, so that reading, the cipher and writing go
//! on at the same time.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Bytes asked for at once.
const CHUNK: usize = 1 << 20;
/// Chunks that are read and not used, at most: memory stays the same at any length.
const CHUNKS: usize = 4;

/// Reads ahead.
pub struct Ahead {
    full: Receiver<io::Result<Vec<u8>>>,
    empty: SyncSender<Vec<u8>>,
    /// What is given out, and how much of it was.
    chunk: Vec<u8>,
    used: usize,
    ended: bool,
}

impl Ahead {
    /// From now on `from` is read.
    ///
    /// # Errors
    /// When there can be no thread.
    pub fn new(mut from: impl Read + Send + 'static) -> io::Result<Self> {
        let (send_full, full) = sync_channel(CHUNKS);
        let (empty, take_empty) = sync_channel(CHUNKS);
        for _ in 0..CHUNKS {
            // The channel has room for all of them, and its other end is here.
            let _ = empty.try_send(Vec::new());
        }
        thread::Builder::new().name("reader".into()).spawn(move || {
            // Ends with the data, an error, or when nobody wants any more.
            while let Ok(chunk) = take_empty.recv() {
                let chunk = fill(&mut from, chunk);
                let last = chunk.as_ref().map_or(true, Vec::is_empty);
                if send_full.send(chunk).is_err() || last {
                    break;
                }
            }
        })?;
        Ok(Self { full, empty, chunk: Vec::new(), used: 0, ended: false })
    }
}

/// What one call of `read` gives: a pipe's data goes on as soon as it is there.
fn fill(from: &mut impl Read, mut chunk: Vec<u8>) -> io::Result<Vec<u8>> {
    chunk.resize(CHUNK, 0);
    loop {
        match from.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
            Ok(len) => {
                chunk.truncate(len);
                return Ok(chunk);
            }
        }
    }
}

impl BufRead for Ahead {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used == self.chunk.len() && !self.ended {
            let used = std::mem::take(&mut self.chunk);
            // The thread has ended if it does not take it.
            let _ = self.empty.try_send(used);
            self.used = 0;
            // It sends its last word before it ends, unless it panicked.
            let next = self.full.recv().unwrap_or_else(|_| Err(io::Error::other("the reading thread has failed")));
            self.ended = next.as_ref().map_or(true, Vec::is_empty);
            self.chunk = next?;
        }
        Ok(&self.chunk[self.used..])
    }

    fn consume(&mut self, len: usize) {
        self.used = (self.used + len).min(self.chunk.len());
    }
}

impl Read for Ahead {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let chunk = self.fill_buf()?;
        let len = buf.len().min(chunk.len());
        buf[..len].copy_from_slice(&chunk[..len]);
        self.consume(len);
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time, and then ends, or fails.
    struct Drops {
        left: usize,
        sizes: Vec<usize>,
        fails: bool,
    }

    impl Read for Drops {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let size = self.sizes.remove(0);
            self.sizes.push(size);
            let len = size.min(self.left).min(buf.len());
            if len == 0 && self.fails {
                return Err(io::Error::other("cut"));
            }
            for (i, b) in buf[..len].iter_mut().enumerate() {
                *b = (self.left - i) as u8;
            }
            self.left -= len;
            Ok(len)
        }
    }

    #[test]
    fn same_bytes() {
        for (left, sizes) in
            [(0, vec![1]), (1000, vec![1, 2, 300]), (5 << 20, vec![usize::MAX]), (3 << 20, vec![70_001])]
        {
            for fails in [false, true] {
                let mut read = Vec::new();
                let ended = Ahead::new(Drops { left, sizes: sizes.clone(), fails }).unwrap().read_to_end(&mut read);
                assert_eq!(ended.is_err(), fails);
                assert_eq!(read.len(), left);
                assert!(read.iter().enumerate().all(|(i, &b)| b == (left - i) as u8));
            }
        }
    }

    /// Who stops reading leaves no thread behind that waits for ever: the reader is dropped.
    #[test]
    fn dropped() {
        let (dropped, seen) = sync_channel::<()>(0);
        struct Endless(#[allow(dead_code)] SyncSender<()>);
        impl Read for Endless {
            fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
                Ok(buf.len())
            }
        }
        let mut ahead = Ahead::new(Endless(dropped)).unwrap();
        ahead.read_exact(&mut [0; 10]).unwrap();
        drop(ahead);
        assert!(
            seen.recv_timeout(std::time::Duration::from_secs(60))
                == Err(std::sync::mpsc::RecvTimeoutError::Disconnected)
        );
    }
}
