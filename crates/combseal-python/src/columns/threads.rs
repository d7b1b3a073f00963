//! Work that is shared among threads, which are started for a call and end with it: so a fork finds none of them.

use super::fault::{Fault, Result};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Does pieces of work on so many threads, this one among them, each of which has a state of its own. Pieces that are
/// neighbours mostly lie beside each other in memory, and share pages: each thread goes through a stretch of them, and is
/// then given the last pieces of the others' stretches. Where the system gives no more threads, those that there are do all
/// of it. After an error no piece is begun any more.
///
/// # Errors
/// One of theirs.
pub fn spread<T: Send, S>(
    work: Vec<T>,
    threads: usize,
    state: impl Fn() -> S + Sync,
    run: impl Fn(&mut S, T) -> Result<()> + Sync,
) -> Result<()> {
    let threads = threads.max(1);
    let share = work.len().div_ceil(threads);
    let mut work = work.into_iter();
    let stretches: Vec<Mutex<VecDeque<T>>> =
        (0..threads).map(|_| Mutex::new(work.by_ref().take(share).collect())).collect();
    let next = |me: usize| {
        let own = locked(&stretches[me]).pop_front();
        own.or_else(|| stretches.iter().find_map(|of| locked(of).pop_back()))
    };
    let one = |me: usize| {
        let mut own = state();
        while let Some(piece) = next(me) {
            if let Err(why) = run(&mut own, piece) {
                stretches.iter().for_each(|of| locked(of).clear());
                return Err(why);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let one = &one;
        let start = |me| std::thread::Builder::new().spawn_scoped(scope, move || one(me)).ok();
        let others: Vec<_> = (1..threads).map_while(start).collect();
        let mut done = one(0);
        for other in others {
            done = done.and(other.join().unwrap_or_else(|_| Err(Fault::value("a thread failed"))));
        }
        done
    })
}

/// Does each piece of work on a thread of its own, or fewer threads where the system gives no more.
///
/// # Errors
/// One of theirs.
pub fn each<T: Send>(work: impl Iterator<Item = T>, run: impl Fn(T) -> Result<()> + Sync) -> Result<()> {
    let work: Vec<T> = work.collect();
    let threads = work.len();
    spread(work, threads, || (), |(), piece| run(piece))
}

fn locked<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}
