//! Work that is shared among threads, which are started for a call and end with it: so a fork finds none of them.

use super::fault::{Fault, Result};
use std::sync::{Mutex, PoisonError};

/// Does each piece of work on a thread of its own, the last one on this.
///
/// # Errors
/// The first of theirs.
pub fn each<T: Send>(work: impl Iterator<Item = T>, run: impl Fn(T) -> Result<()> + Sync) -> Result<()> {
    let mut work: Vec<T> = work.collect();
    let Some(last) = work.pop() else { return Ok(()) };
    std::thread::scope(|scope| {
        let run = &run;
        let others: Vec<_> = work.into_iter().map(|it| scope.spawn(move || run(it))).collect();
        let mut done = run(last);
        for other in others {
            done = done.and(other.join().unwrap_or(Err(Fault::value("a thread failed"))));
        }
        done
    })
}

/// Does pieces of work on so many threads, each of which has a state of its own and takes the next piece when it is done
/// with one.
///
/// # Errors
/// The first of theirs.
pub fn spread<T: Send, S>(
    work: Vec<T>,
    threads: usize,
    state: impl Fn() -> S + Sync,
    run: impl Fn(&mut S, T) -> Result<()> + Sync,
) -> Result<()> {
    let left = Mutex::new(work.into_iter());
    each(0..threads, |_| {
        let mut own = state();
        loop {
            let next = left.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(piece) = next else { return Ok(()) };
            run(&mut own, piece)?;
        }
    })
}
