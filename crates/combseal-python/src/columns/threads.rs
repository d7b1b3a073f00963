//! Work that is shared among threads, which are started for a call and end with it: so a fork finds none of them.

use super::fault::{Fault, Result};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Does pieces of work on so many threads, this one among them, each of which has a state of its own and takes the next
/// piece when it is done with one. Where the system gives no more threads, those that there are do all of it. After an
/// error no piece is begun any more.
///
/// # Errors
/// One of theirs.
pub fn spread<T: Send, S>(
    work: Vec<T>,
    threads: usize,
    state: impl Fn() -> S + Sync,
    run: impl Fn(&mut S, T) -> Result<()> + Sync,
) -> Result<()> {
    let left = Mutex::new(work.into_iter());
    let one = || {
        let mut own = state();
        loop {
            let Some(piece) = locked(&left).next() else { return Ok(()) };
            if let Err(why) = run(&mut own, piece) {
                locked(&left).by_ref().for_each(drop);
                return Err(why);
            }
        }
    };
    std::thread::scope(|scope| {
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, one).ok();
        let others: Vec<_> = (1..threads).map_while(start).collect();
        let mut done = one();
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
