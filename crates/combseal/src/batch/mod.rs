//! Many messages at once: jobs in, one result per job out.
//!
//! Messages of serial modes wait until the batch runs. It sorts indices, not data: jobs of one scheme, tier and
//! direction go in groups of as many as there are lanes, the longest first; the modes do the rest
//! (`pipeline/jobs.rs`). Messages of parallel modes are done as they are added (but in a batch for threads, where all wait). A
//! forged message fails alone.

mod sections;
mod used;

use crate::counter::Sealer;
use crate::cpu::{Cpu, InOut};
use crate::interface::aead::{Aead, split_sealed_mut};
use crate::interface::error::Error;
use crate::interface::scheme::Scheme;
use crate::interface::tag::{AnyNonce, Nonce};
use crate::key::Key;
use crate::memory::lend::{Lent, emptied, relend};
use crate::memory::wipe::Wipe;
use crate::pipeline::jobs::{Job, Tagging};
use crate::pipeline::lockstep::LaneKeys;
use crate::pipeline::plan::{MAX_LANES, Plan, Shape, windows};
use alloc::{boxed::Box, vec::Vec};
use core::cell::Cell;
use core::num::NonZeroUsize;
use sections::Sections;
use used::Used;

/// Messages to be sealed and opened together, each with its own key, nonce,
/// associated data and buffers, in any mixture of schemes.
///
/// ```
/// use combseal::{Algorithm, Batch, Key};
/// # fn main() -> Result<(), combseal::Error> {
/// let key = Key::new(Algorithm::CcmAes128, &[7; 16])?;
/// let mut packets = [*b"one packet", *b"and other!"];
/// let mut tags = [[0; 16]; 2];
/// let nonces = [b"nonce number", b"nonce, later"];
/// let mut batch = Batch::new();
/// for ((packet, tag), nonce) in packets.iter_mut().zip(&mut tags).zip(nonces) {
///     batch.seal(&key, nonce, b"header", packet, tag);
/// }
/// let done = batch.run();
/// done.all()?; // or `done[i]`, one result per job; it borrows nothing
/// // Only now can the packets be looked at, and sent.
/// assert_ne!(packets[0], *b"one packet");
/// # Ok(())
/// # }
/// ```
///
/// Messages that gain by each other wait until the batch [runs](Self::run). Those of parallel modes (OCB3, GCM) and of tiers
/// where nothing is gained are sealed or opened as they are added, which saves what a job costs; what became of them is among
/// the results, all the same. (In a batch of `Batch::for_threads`, with the feature `rayon`, all wait.)
///
/// A buffer that was handed over to be sealed never comes back as plaintext. While the
/// batch lives, the buffers are lent to it, and [`run`](Self::run) ends its life; a batch
/// that is dropped with jobs waiting, and a job that is refused, leave zeros where
/// ciphertext and tag were to be (and if this crate is built with `std` and with debug
/// assertions, the drop says so on standard error). Waiting jobs to be opened leave everything as it was, forged or not. Only
/// who leaks the batch (`mem::forget`) has plaintext back.
///
/// Jobs that did not wait are done, and a batch that is dropped leaves them so: ciphertext and its tag, or plaintext that was
/// authentic; zeros where sealing was refused or a message was forged; a buffer to be opened as it was if a length was wrong. Which jobs
/// wait depends on the scheme and on the CPU. **After a batch was dropped, take all its nonces for used, and assume nothing about its
/// buffers**: each may hold zeros, ciphertext, plaintext that was authentic, or what it held before. A ciphertext sealed again
/// under the same nonce would be plaintext again (GCM, ChaCha20-Poly1305).
///
/// So this, which forgets to run, does not compile:
///
/// ```compile_fail,E0503
/// # use combseal::{Algorithm, Batch, Key};
/// # let key = Key::new(Algorithm::CcmAes128, &[7; 16]).unwrap();
/// # fn send(_: [u8; 10], _: [u8; 16]) {}
/// let (mut packet, mut tag) = (*b"one packet", [0; 16]);
/// let mut batch = Batch::new();
/// batch.seal(&key, b"nonce number", b"header", &mut packet, &mut tag);
/// send(packet, tag);
/// ```
///
/// Two jobs that seal under the same `&Key` with the same nonce are a mistake: the
/// second is refused with [`Error::NonceRepeated`], even if the first is refused for
/// another reason, a wrong length say. (Keys count as the same by address, not by value.) With SIV and GCM-SIV
/// a repeated nonce is allowed. What earlier runs used, a batch does not know: let a [`Sealer`] of the
/// key count the nonces ([`seal_next`](Self::seal_next)); nonces that are counted in another way need a prefix that
/// no `Sealer` of the key has. Batches take [`Key`]s, of any mixture of schemes, not the typed ones.
///
/// A batch opens what is authentic and refuses no replays: keep a [`ReplayWindow`](crate::ReplayWindow) of your own, call its
/// [`accept`](crate::ReplayWindow::accept) with the counter of each message that has opened, and drop the message if that says
/// [`Error::Replayed`]. [`open_attached`](Self::open_attached) makes no job of a packet shorter than a tag and returns an
/// error: a receiver passes over it rather than return it with `?`, which would drop the batch and every other packet. So does a sender
/// with the errors of [`seal_attached`](Self::seal_attached) and [`seal_next`](Self::seal_next), or looks at lengths before the first job. Who
/// needs to know which job was whose keeps the numbers that these methods return, each beside what the job was for.
///
/// A batch borrows keys, nonces and buffers until it has run: declare these before it. A structure that lives longer than its buffers keeps the [`Outcome`], not the batch: [`Outcome::reuse`] makes the next batch of it.
///
/// Nothing is allocated per job once the batch has held as many; [`Outcome::reuse`] keeps the memory for
/// the next messages.
///
/// # Speed
///
/// What gains by a batch are modes whose blocks wait for each other (CCM, EAX, SIV): three to four times on a mix of packets,
/// half as much for 64 bytes; ChaCha20-Poly1305 and XChaCha20-Poly1305, with AVX-512, two to three times if short, and 1.2 to
/// 1.4 times on a mix; AEGIS-128, 128L and 256 and GCM-SIV, on CPUs with VAES, up to twice. To add a job and to plan it costs
/// 20 to 35 cycles, by scheme and CPU. OCB3 and GCM are a call for each message, and 5 to 20 cycles for its result and to
/// look whether its nonce repeats (more if nonces do not rise, as with keys in turns that count for themselves). **For packets of theirs under one key a loop over a [`Sealer`] is as fast or faster.**
/// For them there is [`Columns`](crate::Columns), where the messages lie in one buffer; a batch gives results
/// one by one, and takes mixtures of schemes.
///
/// Of OCB3 a batch keeps one Ktop, the encrypted block that 64 counter nonces in a row share, if the job before has the same
/// key. With keys in turns it is computed for each job, where a [`Sealer`] for each key keeps it: there, add the jobs key by key.
#[must_use = "what waits is not sealed or opened, and no result is told, until the batch runs"]
pub struct Batch<'a>(Box<Lent<Jobs<'a>, Memory>>);

impl Default for Batch<'_> {
    /// No jobs.
    fn default() -> Self {
        Self(Box::new(Lent { lent: Jobs::default(), kept: Memory::default() }))
    }
}

/// Jobs that wait. Dropped, they leave zeros where ciphertext was to be: see [`Batch`].
#[derive(Default)]
struct Jobs<'a>(Vec<Job<'a, Key>>);

impl Jobs<'_> {
    /// Room for as many others; these are done.
    #[inline(always)]
    fn emptied<'b>(mut self) -> Jobs<'b> {
        Jobs(emptied(core::mem::take(&mut self.0)))
    }
}

impl Drop for Jobs<'_> {
    fn drop(&mut self) {
        for job in &self.0 {
            job.refuse(Error::NotRun);
        }
        // Not a panic: an error returned while a batch is filled drops it too.
        #[cfg(all(debug_assertions, feature = "std"))]
        if !self.0.is_empty() {
            std::eprintln!("combseal: a batch was dropped with {} jobs that were never run", self.0.len());
        }
    }
}

/// What a batch keeps from run to run.
#[derive(Default)]
struct Memory {
    waiting: Waiting,
    /// Not an `Option<usize>`, whose number, if there is none, would be whatever the stack held
    /// where the memory was made, a key's bytes perhaps, and go to the heap with it.
    lanes: Option<NonZeroUsize>,
    used: Used,
    recent: Recent,
    /// A result for every job: of those that wait, [`Error::NotRun`]. Empty as long as all wait.
    results: Vec<Result<(), Error>>,
    plan: Plan,
    lane_keys: LaneKeys,
    classes: Vec<Class>,
    sections: Sections,
    /// The threads' memories. (Round keys are in boxes of their own, so that a vector that
    /// grows leaves no copy of them behind.)
    #[cfg(feature = "rayon")]
    threads: Vec<Memory>,
}

/// Which jobs wait until the batch runs.
// As wide as a number, so that a batch's memory has no padding on 64-bit machines: see `Used`.
#[derive(Clone, Copy, Default, PartialEq)]
#[repr(usize)]
enum Waiting {
    /// Those that gain by others.
    #[default]
    Some,
    /// Every one, for threads.
    All,
}

/// What the key of the job before keeps, for the next one.
#[derive(Default)]
struct Recent {
    /// The place in memory of the key that the last job had; 0 at first.
    last: usize,
    /// The same of the key whose cache this is.
    owner: usize,
    cache: <Key as Scheme>::Cache,
}

impl Recent {
    /// What `key` has kept. Only from the second job in a row on: with keys in turns it would be kept in vain.
    #[inline(always)]
    fn of(&mut self, key: &Key) -> Option<&mut <Key as Scheme>::Cache> {
        let this = key.address();
        if self.last != this {
            self.last = this;
            return None;
        }
        if self.owner != this {
            self.owner = this;
            self.cache.forget();
        }
        Some(&mut self.cache)
    }

    /// Forgets all, since keys may go: another may then have the same place.
    fn clear(&mut self) {
        if self.owner != 0 {
            self.cache.forget();
        }
        (self.last, self.owner) = (0, 0);
    }
}

/// Jobs that may share the pipeline.
#[derive(Clone, Copy, PartialEq)]
struct Class {
    /// The place of the scheme among the schemes.
    scheme: usize,
    cpu: Cpu,
    open: bool,
}

impl Class {
    #[inline(always)]
    fn of(job: &Job<'_, Key>) -> Self {
        Self { scheme: job.key.place(), cpu: job.key.cpu(), open: job.opens() }
    }
}

impl<'a> Batch<'a> {
    /// No jobs.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, with `lanes` messages side by side, 1 to 16, rather than what suits
    /// the tier ([`Cpu::lanes`]): the number that Bogdanov, Lauridsen and Tischhauser (2014) call P. For measuring, as a rule.
    pub fn with_lanes(lanes: usize) -> Self {
        let mut it = Self::default();
        it.0.kept.lanes = NonZeroUsize::new(lanes.clamp(1, MAX_LANES));
        it
    }

    /// No jobs; those to come all wait until the batch runs, messages of parallel modes too, and [`run`](Self::run) goes over the
    /// threads of the current rayon pool: each takes a share of the jobs, of about as many blocks. The output is the same.
    ///
    /// A thread is woken only for a MiB of messages, or for some 4,000 short ones: with less than
    /// two such shares all is done on this one, since to wake one takes as long as it would save.
    ///
    /// So it is with every batch that is made of its [`Outcome`]: where a loop begins, keep that of `Batch::for_threads().run()`.
    /// An [`Outcome::default`], which `mem::take` leaves behind, makes one for this thread alone: if a batch or its outcome was lost
    /// on the way (by `?`, say), put such an outcome there again.
    #[cfg(feature = "rayon")]
    pub fn for_threads() -> Self {
        let mut it = Self::default();
        it.0.kept.waiting = Waiting::All;
        it
    }

    /// Adds a message to be sealed in place; `tag`, of the key's tag length, is written. If the
    /// job is refused, both are zeroed. The nonce is lent (`&nonce`) or given by value: see
    /// [`AnyNonce`].
    ///
    /// Returns the job's place among the results ([`Outcome`]), as all these do.
    #[inline]
    pub fn seal(
        &mut self,
        key: &'a Key,
        nonce: impl Into<AnyNonce<'a>>,
        ad: &'a [u8],
        buf: &'a mut [u8],
        tag: &'a mut [u8],
    ) -> usize {
        self.add_sealing(key, nonce, ad, InOut::in_place(buf), tag)
    }

    /// Adds a message to be sealed in place with the sealer's next nonce, which is returned with
    /// the job's place among the results. The nonce is used up, whatever becomes of the job.
    ///
    /// The sealer lends its key, since the batch borrows keys until it has run. Where the sealer has the key in an
    /// `Arc`, which could be gone before, [`Sealer::take_nonce`] and [`seal`](Self::seal) with another `Arc` of
    /// it do the same: the repository's `examples/batches.rs`.
    ///
    /// # Errors
    /// [`Error::Exhausted`] as of [`Sealer::take_nonce`]; then there is no job, and `buf` and
    /// `tag` are as they were.
    #[inline]
    pub fn seal_next<'k: 'a>(
        &mut self,
        sealer: &mut Sealer<&'k Key>,
        ad: &'a [u8],
        buf: &'a mut [u8],
        tag: &'a mut [u8],
    ) -> Result<(usize, Nonce), Error> {
        let nonce = sealer.take_nonce(ad.len(), buf.len())?;
        Ok((self.seal(sealer.key(), nonce, ad, buf, tag), nonce))
    }

    /// The same with the tag attached: `buf` as in [`seal_attached`](Self::seal_attached).
    ///
    /// ```
    /// use combseal::{Aead, Algorithm, Batch, Key, NonceCounter, Sealer};
    /// let key = Key::new(Algorithm::GcmAes128, &[7; 16])?;
    /// let mut sealer = Sealer::new(&key, NonceCounter::new(b"us->")?)?;
    /// let mut packet = *b"message and room for the tag................";
    /// let mut batch = Batch::new();
    /// let (_, nonce) = batch.seal_next_attached(&mut sealer, b"header", &mut packet)?;
    /// batch.run().all()?;
    /// assert_eq!(key.open(&nonce, b"header", &packet)?, b"message and room for the tag");
    /// # Ok::<(), combseal::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `buf` is shorter than a tag, and those of [`seal_next`](Self::seal_next); then there is no job,
    /// `buf` is as it was, and no nonce has been used.
    #[inline]
    pub fn seal_next_attached<'k: 'a>(
        &mut self,
        sealer: &mut Sealer<&'k Key>,
        ad: &'a [u8],
        buf: &'a mut [u8],
    ) -> Result<(usize, Nonce), Error> {
        let (body, tag) = split_sealed_mut(*sealer.key(), buf)?;
        self.seal_next(sealer, ad, body, tag)
    }

    /// Adds a message to be opened in place, which leaves zeros if it is not authentic,
    /// and `buf` as it was if a length is wrong.
    #[inline]
    pub fn open(
        &mut self,
        key: &'a Key,
        nonce: impl Into<AnyNonce<'a>>,
        ad: &'a [u8],
        buf: &'a mut [u8],
        tag: &'a [u8],
    ) -> usize {
        self.add_opening(key, nonce, ad, InOut::in_place(buf), tag)
    }

    /// Adds a message to be sealed in place with its tag attached: `buf` is the message and
    /// `tag_len()` bytes more behind it (before it for SIV), which become the tag. If the job is
    /// refused, all of it is zeroed.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `buf` is shorter than a tag; then there is no job, and `buf` is as it was, not zeroed.
    #[inline]
    pub fn seal_attached(
        &mut self,
        key: &'a Key,
        nonce: impl Into<AnyNonce<'a>>,
        ad: &'a [u8],
        buf: &'a mut [u8],
    ) -> Result<usize, Error> {
        let (body, tag) = split_sealed_mut(key, buf)?;
        Ok(self.seal(key, nonce, ad, body, tag))
    }

    /// Adds a message to be opened in place that has its tag attached. Where the plaintext is,
    /// [`Aead::body_range`] says; if it is not authentic, there are zeros. The tag stays.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `buf` is shorter than a tag; then there is no job, and `buf` is as it was.
    #[inline]
    pub fn open_attached(
        &mut self,
        key: &'a Key,
        nonce: impl Into<AnyNonce<'a>>,
        ad: &'a [u8],
        buf: &'a mut [u8],
    ) -> Result<usize, Error> {
        let (body, tag) = split_sealed_mut(key, buf)?;
        Ok(self.open(key, nonce, ad, body, tag))
    }

    /// Adds a message to be sealed from `src` to `dst`. If the job is refused, `dst` and
    /// `tag` are zeroed.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if these differ in length; then there is no job, and `dst`
    /// is as it was.
    pub fn seal_to(
        &mut self,
        key: &'a Key,
        nonce: impl Into<AnyNonce<'a>>,
        ad: &'a [u8],
        src: &'a [u8],
        dst: &'a mut [u8],
        tag: &'a mut [u8],
    ) -> Result<usize, Error> {
        let io = InOut::separate(src, dst).ok_or(Error::BufferLength)?;
        Ok(self.add_sealing(key, nonce, ad, io, tag))
    }

    /// Adds a message to be opened from `src` to `dst`, which is zeroed if it is not authentic and as it was if a length is wrong.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if these differ in length; then there is no job, and
    /// `dst` is as it was.
    pub fn open_to(
        &mut self,
        key: &'a Key,
        nonce: impl Into<AnyNonce<'a>>,
        ad: &'a [u8],
        src: &'a [u8],
        dst: &'a mut [u8],
        tag: &'a [u8],
    ) -> Result<usize, Error> {
        let io = InOut::separate(src, dst).ok_or(Error::BufferLength)?;
        Ok(self.add_opening(key, nonce, ad, io, tag))
    }

    /// Seals, now or when the batch runs.
    // In two branches the nonce is two values: that of a job that waits is looked at nowhere but in the job, and so
    // comes there from registers. From memory, where this is not inlined, it is `moved` word by word: read wider than it was
    // written, it would be waited for, 30 to 40 cycles of an Emerald Rapids.
    #[inline]
    fn add_sealing(
        &mut self,
        key: &'a Key,
        nonce: impl Into<AnyNonce<'a>>,
        ad: &'a [u8],
        io: InOut<'a>,
        tag: &'a mut [u8],
    ) -> usize {
        if !self.0.kept.waits(key) {
            let done = self.0.kept.seal(key, &nonce.into().moved(), ad, io, tag);
            return self.note(done);
        }
        self.wait(key, nonce.into(), ad, io, Tagging::Seal(Cell::new(tag)))
    }

    /// Opens, now or when the batch runs.
    #[inline]
    fn add_opening(
        &mut self,
        key: &'a Key,
        nonce: impl Into<AnyNonce<'a>>,
        ad: &'a [u8],
        io: InOut<'a>,
        tag: &'a [u8],
    ) -> usize {
        if !self.0.kept.waits(key) {
            let done = self.0.kept.open(key, &nonce.into().moved(), ad, io, tag);
            return self.note(done);
        }
        self.wait(key, nonce.into(), ad, io, Tagging::Open(tag))
    }

    /// A job that waits.
    #[inline(always)]
    fn wait(&mut self, key: &'a Key, nonce: AnyNonce<'a>, ad: &'a [u8], io: InOut<'a>, tag: Tagging<'a>) -> usize {
        let place = self.len();
        let Lent { lent: Jobs(jobs), kept } = &mut *self.0;
        jobs.push(Job { key, nonce: nonce.moved(), ad, len: io.len(), io: Cell::new(io), tag, done: Cell::new(None) });
        if !kept.results.is_empty() {
            kept.results.push(Err(Error::NotRun));
        }
        place
    }

    /// The result of a job that was done as it was added, and its place.
    #[inline(always)]
    fn note(&mut self, done: Result<(), Error>) -> usize {
        let Lent { lent: Jobs(jobs), kept } = &mut *self.0;
        if kept.results.is_empty() {
            kept.results.resize(jobs.len(), Err(Error::NotRun));
        }
        kept.results.push(done);
        kept.results.len() - 1
    }

    /// How many jobs were added.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.kept.results.len().max(self.0.lent.0.len())
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Does all jobs that wait, and gives the buffers back. [`Outcome::reuse`] makes a batch of the
    /// memory again.
    #[inline]
    pub fn run(mut self) -> Outcome {
        #[cfg(feature = "rayon")]
        if self.0.kept.waiting == Waiting::All {
            let threads = self.threads();
            if threads > 1 {
                return self.run_on(threads);
            }
        }
        let Lent { lent: Jobs(jobs), kept } = &mut *self.0;
        let one_sender = kept.refuse_repeats(jobs);
        kept.run(jobs, one_sender);
        self.outcome()
    }

    /// How many threads are worth it.
    #[cfg(feature = "rayon")]
    fn threads(&self) -> usize {
        /// Blocks' worth of jobs for a thread: what OCB3 and GCM do in 40 to 60 microseconds, where
        /// waking a thread took 20 (`examples/batch_threads.rs`).
        const SHARE: usize = 1 << 16;
        rayon::current_num_threads().min(self.0.lent.0.iter().map(cost).sum::<usize>() / SHARE)
    }

    /// As [`run`](Self::run), over so many threads, however little there is to be done: for tests.
    #[cfg(feature = "rayon")]
    #[doc(hidden)]
    pub fn run_on(mut self, threads: usize) -> Outcome {
        let Lent { lent: Jobs(jobs), kept } = &mut *self.0;
        let one_sender = kept.refuse_repeats(jobs);
        let (threads, lanes) = (threads.max(1), kept.lanes);
        if kept.threads.len() < threads {
            kept.threads.resize_with(threads, Memory::default);
        }
        let share = jobs.iter().map(cost).sum::<usize>() / threads + 1;
        let mut rest = &mut jobs[..];
        rayon::scope(|scope| {
            for memory in &mut kept.threads[..threads] {
                (memory.lanes, memory.waiting) = (lanes, Waiting::All);
                let (mut n, mut sum) = (0, 0);
                while n < rest.len() && sum < share {
                    sum += cost(&rest[n]);
                    n += 1;
                }
                let (mine, others) = core::mem::take(&mut rest).split_at_mut(n);
                rest = others;
                if !mine.is_empty() {
                    scope.spawn(move |_| memory.run(mine, one_sender));
                }
            }
        });
        debug_assert!(rest.is_empty());
        self.outcome()
    }

    /// What became of the jobs, which are done.
    #[inline(always)]
    fn outcome(mut self) -> Outcome {
        let Lent { lent: Jobs(jobs), kept } = &mut *self.0;
        kept.gather(jobs);
        kept.used.clear();
        kept.recent.clear();
        Outcome(Some(relend(self.0, Jobs::emptied)))
    }

    /// The plan that the batch will make: its windows, and how wide they are on average.
    /// Of messages that do not wait it knows nothing; of threads, it says what one of them would plan.
    #[doc(hidden)]
    pub fn shape(&self) -> Shape {
        let Lent { lent: Jobs(jobs), kept: memory } = &*self.0;
        let mut shape = Shape::default();
        let mut classes: Vec<Class> = Vec::new();
        for class in jobs.iter().map(Class::of) {
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        for class in classes {
            let of = jobs.iter().find(|job| Class::of(job) == class).map(|job| job.key.lanes());
            let lanes = memory.lanes.map(NonZeroUsize::get).or(of).unwrap_or(MAX_LANES);
            let mut lengths: Vec<usize> =
                jobs.iter().filter(|j| Class::of(j) == class).map(|j| j.len.div_ceil(16)).collect();
            lengths.sort_unstable_by(|a, b| b.cmp(a));
            for group in lengths.chunks(lanes) {
                for w in windows(group.len(), |i| group[i]) {
                    shape.windows += 1;
                    shape.blocks += w.width * w.blocks;
                    shape.steps += w.blocks;
                }
            }
        }
        shape
    }
}

impl Memory {
    /// Whether a message of this key's waits until the batch runs.
    #[inline(always)]
    fn waits(&self, key: &Key) -> bool {
        key.together() || self.waiting == Waiting::All
    }

    /// Seals a message that does not wait.
    #[inline]
    fn seal(&mut self, key: &Key, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tag: &mut [u8]) -> Result<(), Error> {
        let done = if key.allows_repeats() || self.used.is_new(key.address(), nonce) {
            key.seal_with(self.recent.of(key), nonce, ad, io.reborrow(), tag)
        } else {
            Err(Error::NonceRepeated)
        };
        if done.is_err() {
            blank(io.into_dst(), tag);
        }
        done
    }

    /// Opens one.
    #[inline]
    fn open(&mut self, key: &Key, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        key.open_checked(self.recent.of(key), nonce, ad, io, tag)
    }

    /// Refuses each job that seals under a key and nonce of one before it. Says whether all jobs seal under one key, as
    /// far as one look at each shows that.
    fn refuse_repeats(&mut self, jobs: &[Job<'_, Key>]) -> bool {
        let Some(first) = jobs.first() else { return false };
        let of_first = |job: &Job<'_, Key>| !job.opens() && core::ptr::eq(job.key, first.key);
        let once = |job: &Job<'_, Key>| !job.opens() && !job.key.allows_repeats();
        // As a rule all are one sender's, and nonces rise.
        let distinct = match first.key.allows_repeats() {
            true => jobs.iter().all(of_first),
            false => used::rise(jobs.iter().map(|job| of_first(job).then(|| &*job.nonce))),
        };
        if distinct {
            return true;
        }
        if used::rise(jobs.iter().filter(|job| once(job)).map(|job| Some(&*job.nonce))) {
            return false;
        }
        for job in jobs.iter().filter(|job| once(job)) {
            if !self.used.is_new(job.key.address(), &job.nonce) {
                job.refuse(Error::NonceRepeated);
            }
        }
        false
    }

    /// The results of jobs that waited, which are done.
    fn gather(&mut self, jobs: &[Job<'_, Key>]) {
        if self.results.is_empty() {
            self.results.extend(jobs.iter().map(Job::result));
            return;
        }
        if jobs.is_empty() {
            return;
        }
        let waiting = self.results.iter_mut().filter(|it| **it == Err(Error::NotRun));
        for (result, job) in waiting.zip(jobs) {
            *result = job.result();
        }
    }

    /// Does jobs, which all seal under one key if there is `one_sender`.
    fn run(&mut self, jobs: &[Job<'_, Key>], one_sender: bool) {
        self.classes.clear();
        let mut rest = jobs;
        while let Some((job, others)) = rest.split_first() {
            rest = others;
            if job.key.together() {
                let class = Class::of(job);
                if !self.classes.contains(&class) {
                    self.classes.push(class);
                }
                if one_sender {
                    break;
                }
                // As a rule others of its kind follow.
                let like = |it: &Job<'_, Key>| core::ptr::eq(it.key, job.key) && it.opens() == job.opens();
                let n = rest.iter().take_while(|it| like(it)).count();
                rest = &rest[n..];
            } else if job.done.get().is_none() {
                // As they come, since nonces that count share what their key keeps.
                job.alone(job.key, self.recent.of(job.key));
            }
        }
        self.recent.clear();
        match jobs {
            // A plain call.
            [job] if job.done.get().is_none() => job.alone(job.key, None),
            _ if self.classes.is_empty() => {}
            _ => self.comb(jobs),
        }
    }

    /// Schemes that gain by lanes: the longest first, as many at once as there are lanes.
    fn comb(&mut self, jobs: &[Job<'_, Key>]) {
        self.plan.make(jobs.len(), MAX_LANES, |i| jobs[i].len.div_ceil(16));
        self.sections.make(jobs, self.plan.order());
        for &class in &self.classes {
            let of = jobs.iter().find(|job| Class::of(job) == class).map(|job| job.key.lanes());
            let lanes = self.lanes.map(NonZeroUsize::get).or(of).unwrap_or(MAX_LANES);
            for section in self.sections.of(self.plan.order()) {
                let mut group = [&jobs[0]; MAX_LANES];
                let mut n = 0;
                for &i in section {
                    let job = &jobs[i as usize];
                    if job.done.get().is_some() || self.classes.len() > 1 && Class::of(job) != class {
                        continue;
                    }
                    group[n] = job;
                    n += 1;
                    if n == lanes {
                        job.key.many(&group[..n], &mut self.lane_keys);
                        n = 0;
                    }
                }
                match group[..n] {
                    [] => {}
                    [job] => job.alone(job.key, None),
                    _ => group[0].key.many(&group[..n], &mut self.lane_keys),
                }
            }
        }
    }
}

/// Where a message was to be sealed that is refused: zeros, and a tag of zeros, lest plaintext be sent for ciphertext.
// A slice goes by registers. An `InOut` would go by memory, also where none is refused, and a job that waits would have it
// from there.
#[cold]
#[inline(never)]
fn blank(message: &mut [u8], tag: &mut [u8]) {
    message.wipe();
    tag.wipe();
}

/// What a job costs, in blocks: besides its own it is worth about 16 of them.
#[cfg(feature = "rayon")]
fn cost(job: &Job<'_, Key>) -> usize {
    job.len / 16 + 16
}

/// What became of a batch: one result per job, in the order they were added; and the batch's
/// memory, for the next one.
///
/// It has to be looked at: that of `batch.run();` is not, and the compiler warns.
///
/// ```compile_fail
/// #![deny(unused_must_use)]
/// combseal::Batch::new().run();
/// ```
#[must_use = "a job may have been refused or forged"]
// None before the first batch: `mem::take` leaves such a one behind, which must cost nothing.
pub struct Outcome(Option<Box<Lent<Jobs<'static>, Memory>>>);

impl Default for Outcome {
    /// Of no jobs, and without memory: that with which a loop begins. Nothing is allocated.
    fn default() -> Self {
        Self(None)
    }
}

impl core::ops::Deref for Outcome {
    type Target = [Result<(), Error>];
    fn deref(&self) -> &Self::Target {
        self.0.as_ref().map_or(&[], |it| &it.kept.results)
    }
}

impl Outcome {
    /// Whether no job has an error.
    #[must_use]
    pub fn all_ok(&self) -> bool {
        self.iter().all(Result::is_ok)
    }

    /// The same as a result, to be handed on with `?`.
    ///
    /// # Errors
    /// That of the first job with one. Which jobs have one, the results tell.
    pub fn all(&self) -> Result<(), Error> {
        self.iter().copied().collect()
    }

    /// A batch without jobs in the same memory: nothing is allocated for as many jobs. Each batch
    /// borrows its own messages, and an outcome nothing, so an outcome is what a struct keeps. It is stored before `all()?`; a `?` between
    /// `reuse` and `run` drops the batch and its memory, and the next turn begins with an [`Outcome::default`], which allocates
    /// again and is for one thread (`Batch::for_threads`).
    ///
    /// ```
    /// use combseal::{Error, Key, NonceCounter, Outcome, Sealer};
    ///
    /// struct Sender<'k> {
    ///     sealer: Sealer<&'k Key>,
    ///     batches: Outcome,
    /// }
    ///
    /// impl Sender<'_> {
    ///     /// Packets with room for their tags at the end; each is sealed under the next nonce.
    ///     fn seal(&mut self, packets: &mut [Vec<u8>]) -> Result<(), Error> {
    ///         let mut batch = core::mem::take(&mut self.batches).reuse();
    ///         for packet in packets.iter_mut() {
    ///             let at = packet.len().checked_sub(16).ok_or(Error::BufferLength)?;
    ///             let (message, tag) = packet.split_at_mut(at);
    ///             batch.seal_next(&mut self.sealer, b"", message, tag)?;
    ///         }
    ///         self.batches = batch.run();
    ///         self.batches.all()
    ///     }
    /// }
    /// # use combseal::{Aead, Algorithm};
    /// # let key = Key::new(Algorithm::GcmAes128, &[7; 16])?;
    /// # let mut sender = Sender { sealer: Sealer::new(&key, NonceCounter::new(b"us->")?)?, batches: Outcome::default() };
    /// # for turn in 0..3u64 {
    /// #     let mut packets = vec![[&b"a packet"[..], &[0; 16]].concat(); 5];
    /// #     sender.seal(&mut packets)?;
    /// #     let nonce = combseal::Nonce::counted(b"us->", 5 * turn + 4)?;
    /// #     assert_eq!(key.open(&nonce, b"", &packets[4])?, b"a packet");
    /// # }
    /// # Ok::<(), combseal::Error>(())
    /// ```
    ///
    /// Or in a loop:
    ///
    /// ```
    /// use combseal::{Algorithm, Batch, Key, Outcome};
    /// let key = Key::new(Algorithm::GcmAes128, &[7; 16])?;
    /// let mut done = Outcome::default();
    /// for turn in 0..3u32 {
    ///     let (mut packet, mut tag) = (*b"a packet", [0; 16]);
    ///     let nonce = [&[0; 8], &turn.to_be_bytes()[..]].concat();
    ///     let mut batch = done.reuse();
    ///     batch.seal(&key, &nonce, b"header", &mut packet, &mut tag);
    ///     done = batch.run();
    ///     done.all()?;
    /// }
    /// # Ok::<(), combseal::Error>(())
    /// ```
    #[inline]
    pub fn reuse<'b>(self) -> Batch<'b> {
        match self.0 {
            Some(mut it) => {
                it.kept.results.clear();
                Batch(relend(it, Jobs::emptied))
            }
            None => Batch::new(),
        }
    }
}

#[cfg(all(test, feature = "schemes"))]
mod tests {
    use super::*;
    use crate::key::Algorithm;

    /// Jobs that nobody did: none leaves its plaintext, nor says `Ok`. What was to be opened
    /// is as it was.
    #[test]
    fn jobs_that_were_not_run() {
        let key = Key::new(Algorithm::CcmAes128, &[7; 16]).unwrap();
        let (mut bufs, mut tags) = ([[1; 20]; 2], [[1; 16]; 2]);
        let (mut sealed, given) = ([2; 20], [3; 16]);
        let mut batch = Batch::new();
        for ((buf, tag), nonce) in bufs.iter_mut().zip(&mut tags).zip([b"nonce no. 10", b"nonce no. 11"]) {
            batch.seal(&key, nonce, b"", buf, tag);
        }
        batch.open(&key, b"nonce no. 12", b"", &mut sealed, &given);
        let outcome = batch.outcome();
        assert_eq!(outcome[..], [Err(Error::NotRun); 3]);
        assert!(!outcome.all_ok() && Outcome::default().all_ok());
        assert_eq!((bufs, tags), ([[0; 20]; 2], [[0; 16]; 2]));
        assert_eq!(sealed, [2; 20]);
    }
}
