//! Segments over threads: none, those of the current rayon pool, or a pool of our own.

use super::error::Error;
use super::segments::Segments;
use core::error::Error as _;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;

/// Bytes that are worth a task of their own: a few ten thousand cycles.
const TASK: usize = 128 << 10;

/// The most threads that a pool of our own has.
const MOST: usize = 256;

/// Who does the segments.
pub(crate) enum Threads {
    /// The thread that calls.
    Caller,
    /// The current rayon pool.
    Current,
    /// This pool.
    Own(ThreadPool),
}

impl Threads {
    /// `n` threads; 0 is the current rayon pool, or the caller where its threads cannot be started.
    /// To be called before there are secrets on the stack: what starts threads copies structures
    /// together with what stood between their fields.
    ///
    /// # Errors
    /// [`Error::Threads`] if there are too many, or if they cannot be started.
    pub(crate) fn new(n: usize) -> Result<Self, Error> {
        match n {
            0 if has_current() && rayon::current_num_threads() > 1 => Ok(Self::Current),
            0 | 1 => Ok(Self::Caller),
            n if n > MOST => Err(Error::Threads),
            n => ThreadPoolBuilder::new().num_threads(n).build().map(Self::Own).map_err(|_| Error::Threads),
        }
    }

    /// Those that do groups of segments, which one thread copies in and out: of schemes that are
    /// faster than this the caller alone, in whose cache the group then stays. (Two cores took half
    /// as long again as one, with OCB3 on registers of 512 bits: `examples/stream_speed.rs`.)
    pub(crate) fn for_groups(self, segments: &Segments) -> Self {
        if segments.outrun_copying() { Self::Caller } else { self }
    }

    /// How many.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Caller => 1,
            Self::Current => rayon::current_num_threads().max(1),
            Self::Own(pool) => pool.current_num_threads(),
        }
    }

    /// `each` of the pieces of `buf`, `stride` bytes each but for the last: the number of
    /// pieces before the first one that fails, and its error.
    pub(crate) fn each(
        &self,
        buf: &mut [u8],
        stride: usize,
        each: impl Fn(u64, &mut [u8]) -> Result<(), Error> + Sync,
    ) -> Result<(), (u64, Error)> {
        let one = |(i, piece): (usize, &mut [u8])| each(i as u64, piece).map_err(|error| (i as u64, error));
        if buf.len() <= stride.max(TASK) || matches!(self, Self::Caller) {
            return buf.chunks_mut(stride).enumerate().try_for_each(one);
        }
        self.run(|| {
            let all = buf.par_chunks_mut(stride).with_min_len((TASK / stride).max(1)).enumerate().map(one);
            all.reduce(|| Ok(()), first)
        })
    }

    /// `each` of the pieces of `src` and of `dst` at once, as many of both.
    pub(crate) fn each_pair(
        &self,
        (src, from): (&[u8], usize),
        (dst, to): (&mut [u8], usize),
        each: impl Fn(u64, &[u8], &mut [u8]) -> Result<(), Error> + Sync,
    ) -> Result<(), (u64, Error)> {
        let one =
            |(i, (src, dst)): (usize, (&[u8], &mut [u8]))| each(i as u64, src, dst).map_err(|error| (i as u64, error));
        if src.len() <= from.max(TASK) || matches!(self, Self::Caller) {
            return src.chunks(from).zip(dst.chunks_mut(to)).enumerate().try_for_each(one);
        }
        self.run(|| {
            let pairs = src.par_chunks(from).zip(dst.par_chunks_mut(to)).with_min_len((TASK / from).max(1));
            pairs.enumerate().map(one).reduce(|| Ok(()), first)
        })
    }

    /// `each` of `items`.
    pub(crate) fn each_of<T: Send>(&self, items: &mut [T], each: impl Fn(&mut T) + Sync) {
        if items.len() <= 1 || matches!(self, Self::Caller) {
            return items.iter_mut().for_each(each);
        }
        self.run(|| items.par_iter_mut().with_max_len(1).for_each(&each));
    }

    fn run<R: Send>(&self, then: impl FnOnce() -> R + Send) -> R {
        match self {
            Self::Own(pool) => pool.install(then),
            _ => then(),
        }
    }
}

/// Whether there is a current pool. Rayon's global one is started if it has not been: by name,
/// because rayon panics where it starts it by itself and cannot.
fn has_current() -> bool {
    static GLOBAL: OnceLock<bool> = OnceLock::new();
    // An error without a source says that somebody has started it before.
    let started = || ThreadPoolBuilder::new().build_global().map_or_else(|error| error.source().is_none(), |()| true);
    rayon::current_thread_index().is_some() || *GLOBAL.get_or_init(started)
}

/// What came of two pieces, of which the first failure counts.
fn first(a: Result<(), (u64, Error)>, b: Result<(), (u64, Error)>) -> Result<(), (u64, Error)> {
    match (a, b) {
        (Err(a), Err(b)) => Err(if a.0 <= b.0 { a } else { b }),
        (a, Ok(())) => a,
        (Ok(()), b) => b,
    }
}
