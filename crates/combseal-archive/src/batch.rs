//! Many messages at once: the library's comb over the archive's schemes.

use crate::archived::{Job, Tail, wipe};
use crate::registry::{Key, Scheme};
use combseal::internals::lockstep::LaneKeys;
use combseal::internals::plan::{MAX_LANES, Plan};
use combseal::internals::{InOut, Wipe};
use combseal::{Cpu, Error};
use std::cell::Cell;

/// Messages to be sealed and opened together, each with its own key, nonce, associated data
/// and buffers, in any mixture of schemes. Serial schemes then run several times faster.
/// Messages of all other schemes ([`Scheme::is_serial`] says which they are) are sealed or opened as they are
/// added: a job costs more to keep than these messages gain beside each other.
///
/// While the batch lives the buffers are lent to it, and [`run`](Self::run) ends its life. A
/// batch that is dropped with jobs waiting leaves zeros where their ciphertext was to be (but not for
/// jobs that were being done when something panicked); what waited to be opened stays as it was. Messages that were
/// done as they were added stay sealed or opened, and what became of them is lost.
#[derive(Default)]
#[must_use = "messages of serial schemes are not sealed or opened until the batch runs"]
pub struct Batch<'a> {
    jobs: Jobs<'a>,
    /// A result for every message, those that wait included.
    results: Vec<Result<(), Error>>,
    lanes: Option<usize>,
}

/// Messages of serial schemes. Dropped, those that wait leave zeros: see [`Batch`].
#[derive(Default)]
struct Jobs<'a> {
    all: Vec<Waiting<'a>>,
    /// Set when each has its result, so that none need be looked at again.
    done: bool,
}

/// A job with its key, and its place among the results.
struct Waiting<'a> {
    key: &'a Key,
    job: Job<'a>,
    place: usize,
}

impl Drop for Jobs<'_> {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        for it in self.all.iter().filter(|it| it.job.done.get().is_none()) {
            refuse(&it.job, Error::NotRun);
        }
    }
}

/// Messages for which there is room from the first on: whoever hands over some hands over many, and what grows message by message
/// is copied again and again.
const ROOM: usize = 64;

/// Jobs that may share the pipeline.
type Class = (Scheme, Cpu, bool);

fn class(it: &Waiting<'_>) -> Class {
    (it.key.scheme(), it.key.cpu(), matches!(it.job.tail, Tail::Open(_)))
}

impl<'a> Batch<'a> {
    /// No jobs.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with `lanes` messages side by side, 1 to 16 (less is 1, more is 16), rather than
    /// what suits the tier.
    pub fn with_lanes(lanes: usize) -> Self {
        Self { lanes: Some(lanes.clamp(1, MAX_LANES)), ..Self::default() }
    }

    /// Adds a message to be sealed in place; what sealing adds is written to `tail`. If the job
    /// is refused, both are zeroed.
    #[inline]
    pub fn seal(&mut self, key: &'a Key, nonce: &'a [u8], ad: &'a [u8], buf: &'a mut [u8], tail: &'a mut [u8]) {
        if key.scheme().is_serial() {
            return self.wait(key, nonce, ad, buf, Tail::Seal(Cell::new(tail)));
        }
        let result = key.seal_in_place(nonce, ad, buf, tail);
        if result.is_err() {
            buf.wipe();
            tail.wipe();
        }
        self.note(result);
    }

    /// Adds a message to be opened in place. It leaves zeros if it is not authentic, and is as
    /// it was if a length is wrong.
    #[inline]
    pub fn open(&mut self, key: &'a Key, nonce: &'a [u8], ad: &'a [u8], buf: &'a mut [u8], tail: &'a [u8]) {
        if key.scheme().is_serial() {
            return self.wait(key, nonce, ad, buf, Tail::Open(tail));
        }
        self.note(key.open_in_place(nonce, ad, buf, tail));
    }

    // Inlined: a `Tail` that is handed over in memory is stored word by word and loaded as a whole, which waits until the stores
    // have reached the cache.
    #[inline(always)]
    fn wait(&mut self, key: &'a Key, nonce: &'a [u8], ad: &'a [u8], buf: &'a mut [u8], tail: Tail<'a>) {
        let job = Job { nonce, ad, len: buf.len(), io: Cell::new(InOut::in_place(buf)), tail, done: Cell::new(None) };
        if self.jobs.all.capacity() == 0 {
            self.jobs.all.reserve(ROOM);
        }
        self.jobs.all.push(Waiting { key, job, place: self.results.len() });
        self.note(Err(Error::NotRun));
    }

    /// The next message's result.
    #[inline(always)]
    fn note(&mut self, result: Result<(), Error>) {
        if self.results.capacity() == 0 {
            self.results.reserve(ROOM);
        }
        self.results.push(result);
    }

    /// Does the jobs that wait, and gives the buffers back; a result for every message, in the order they were added.
    /// The results' errors are those of [`Key::seal_in_place`] and [`Key::open_in_place`].
    #[must_use = "a job may have been refused or forged"]
    pub fn run(mut self) -> Vec<Result<(), Error>> {
        let (jobs, mut plan, mut lane_keys) = (&self.jobs.all, Plan::default(), LaneKeys::default());
        let mut classes: Vec<Class> = Vec::new();
        for it in jobs {
            let job = &it.job;
            let tail = match &job.tail {
                Tail::Seal(tail) => {
                    let slice = tail.take();
                    let len = slice.len();
                    tail.set(slice);
                    len
                }
                Tail::Open(tail) => tail.len(),
            };
            if let Err(why) = it.key.check(job.nonce, job.ad, job.len, tail) {
                refuse(job, why);
            } else if !classes.contains(&class(it)) {
                classes.push(class(it));
            }
        }
        if !classes.is_empty() {
            plan.make(jobs.len(), MAX_LANES, |i| jobs[i].job.len.div_ceil(16));
        }
        for &wanted in &classes {
            let mut of_class = jobs.iter().filter(|it| classes.len() == 1 || class(it) == wanted).map(|it| it.key);
            let first = of_class.next();
            let one_key = first.is_none_or(|first| of_class.all(|key| std::ptr::eq(key, first)));
            let usual = if one_key { wanted.1.lanes_of_one_key() } else { wanted.1.lanes() };
            let lanes = self.lanes.unwrap_or(usual);
            let mut waiting = plan
                .order()
                .iter()
                .map(|&i| &jobs[i as usize])
                .filter(|&it| it.job.done.get().is_none() && (classes.len() == 1 || class(it) == wanted));
            while let Some(first) = waiting.next() {
                let (mut members, mut n) = ([(first.key, &first.job); MAX_LANES], 1);
                for it in waiting.by_ref().take(lanes - 1) {
                    members[n] = (it.key, &it.job);
                    n += 1;
                }
                first.key.group(&members[..n], wanted.2, &mut lane_keys);
            }
        }
        // A job without a result would be a fault of ours: it leaves zeros when the batch is dropped.
        let mut all = true;
        for it in jobs {
            match it.job.done.get() {
                Some(result) => self.results[it.place] = result,
                None => all = false,
            }
        }
        self.jobs.done = all;
        self.results
    }
}

/// A job whose lengths the scheme does not take: what was to be sealed is zeroed, lest it be
/// sent for ciphertext.
#[cold]
fn refuse(job: &Job<'_>, why: Error) {
    if let Tail::Seal(tail) = &job.tail {
        wipe(job.take());
        tail.take().wipe();
    }
    job.done.set(Some(Err(why)));
}
