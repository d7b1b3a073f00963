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
///
/// While the batch lives the buffers are lent to it, and [`run`](Self::run) ends its life. A
/// batch that is dropped with jobs waiting leaves zeros where ciphertext was to be (but not for
/// jobs that were being done when something panicked).
#[derive(Default)]
#[must_use = "nothing is sealed or opened until the batch runs"]
pub struct Batch<'a> {
    jobs: Jobs<'a>,
    lanes: Option<usize>,
}

/// Jobs, each with its key. Dropped, those that wait leave zeros: see [`Batch`].
#[derive(Default)]
struct Jobs<'a> {
    all: Vec<(&'a Key, Job<'a>)>,
    /// Set when each has its result, so that none need be looked at again.
    done: bool,
}

impl Drop for Jobs<'_> {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        for (_, job) in self.all.iter().filter(|(_, job)| job.done.get().is_none()) {
            refuse(job, Error::NotRun);
        }
    }
}

/// Jobs that may share the pipeline.
type Class = (Scheme, Cpu, bool);

fn class((key, job): &(&Key, Job<'_>)) -> Class {
    (key.scheme(), key.cpu(), matches!(job.tail, Tail::Open(_)))
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
    pub fn seal(&mut self, key: &'a Key, nonce: &'a [u8], ad: &'a [u8], buf: &'a mut [u8], tail: &'a mut [u8]) {
        self.add(key, nonce, ad, buf, Tail::Seal(Cell::new(tail)));
    }

    /// Adds a message to be opened in place. It leaves zeros if it is not authentic, and is as
    /// it was if a length is wrong.
    pub fn open(&mut self, key: &'a Key, nonce: &'a [u8], ad: &'a [u8], buf: &'a mut [u8], tail: &'a [u8]) {
        self.add(key, nonce, ad, buf, Tail::Open(tail));
    }

    fn add(&mut self, key: &'a Key, nonce: &'a [u8], ad: &'a [u8], buf: &'a mut [u8], tail: Tail<'a>) {
        let job = Job { nonce, ad, len: buf.len(), io: Cell::new(InOut::in_place(buf)), tail, done: Cell::new(None) };
        self.jobs.all.push((key, job));
    }

    /// Does all jobs, and gives the buffers back; a result each, in the order they were added.
    /// The results' errors are those of [`Key::seal_in_place`] and [`Key::open_in_place`].
    #[must_use = "a job may have been refused or forged"]
    pub fn run(mut self) -> Vec<Result<(), Error>> {
        let (jobs, mut plan, mut lane_keys) = (&self.jobs.all, Plan::default(), LaneKeys::default());
        let mut classes: Vec<Class> = Vec::new();
        for it in jobs {
            let (key, job) = it;
            let tail = match &job.tail {
                Tail::Seal(tail) => {
                    let slice = tail.take();
                    let len = slice.len();
                    tail.set(slice);
                    len
                }
                Tail::Open(tail) => tail.len(),
            };
            if let Err(why) = key.check(job.nonce, job.ad, job.len, tail) {
                refuse(job, why);
            } else if !key.scheme().is_serial() {
                key.alone(job);
            } else if !classes.contains(&class(it)) {
                classes.push(class(it));
            }
        }
        if !classes.is_empty() {
            plan.make(jobs.len(), MAX_LANES, |i| jobs[i].1.len.div_ceil(16));
        }
        for &wanted in &classes {
            let mut of_class = jobs.iter().filter(|it| classes.len() == 1 || class(it) == wanted).map(|it| it.0);
            let first = of_class.next();
            let one_key = first.is_none_or(|first| of_class.all(|key| std::ptr::eq(key, first)));
            let usual = if one_key { wanted.1.lanes_of_one_key() } else { wanted.1.lanes() };
            let lanes = self.lanes.unwrap_or(usual);
            let mut waiting = plan
                .order()
                .iter()
                .map(|&i| &jobs[i as usize])
                .filter(|&it| it.1.done.get().is_none() && (classes.len() == 1 || class(it) == wanted));
            while let Some(first) = waiting.next() {
                let (mut members, mut n) = ([(first.0, &first.1); MAX_LANES], 1);
                for (key, job) in waiting.by_ref().take(lanes - 1) {
                    members[n] = (*key, job);
                    n += 1;
                }
                first.0.group(&members[..n], wanted.2, &mut lane_keys);
            }
        }
        // A job without a result would be a fault of ours: it leaves zeros when the batch is dropped.
        let mut all = true;
        let result = |(_, job): &(&Key, Job<'_>)| {
            all &= job.done.get().is_some();
            job.done.get().unwrap_or(Err(Error::NotRun))
        };
        let results = jobs.iter().map(result).collect();
        self.jobs.done = all;
        results
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
