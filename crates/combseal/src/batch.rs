//! Many messages at once: jobs in, a result a job out.
//!
//! A batch sorts indices, not data: jobs of one scheme, tier and direction go in
//! groups of as many as there are lanes, the longest first; the modes do the rest
//! (`pipeline/jobs.rs`). A forged message fails alone.

use crate::cpu::{Cpu, InOut};
use crate::interface::aead::Aead;
use crate::interface::error::Error;
use crate::interface::scheme::Scheme;
use crate::key::Key;
use crate::memory::lend::{Lent, emptied, relend};
use crate::pipeline::jobs::{Job, Tagging};
use crate::pipeline::lockstep::LaneKeys;
use crate::pipeline::plan::{MAX_LANES, Plan, Shape, windows};
use alloc::{boxed::Box, vec::Vec};
use core::cell::Cell;

/// Messages to be sealed and opened together, each with its own key, nonce,
/// associated data and buffers, in any mixture of schemes.
///
/// Serial modes (CCM, EAX, SIV) then run several times faster, and short OCB3 messages
/// cost a third less; other parallel modes take about as long as by themselves. Nothing
/// is allocated for a job once the batch has held as many; [`Outcome::reuse`] keeps the
/// memory for the next messages.
///
/// ```
/// use combseal::{Algorithm, Batch, Key};
/// # fn main() -> Result<(), combseal::Error> {
/// let key = Key::new(Algorithm::CcmAes128, &[7; 16])?;
/// let mut packets = [*b"one packet", *b"and other!"];
/// let mut tags = [[0; 16]; 2];
/// let mut batch = Batch::new();
/// for ((packet, tag), nonce) in packets.iter_mut().zip(&mut tags).zip([b"nonce number", b"nonce, later"]) {
///     batch.seal(&key, nonce, b"header", packet, tag);
/// }
/// batch.run().all()?;
/// // Only now can the packets be looked at, and sent.
/// assert_ne!(packets[0], *b"one packet");
/// # Ok(())
/// # }
/// ```
///
/// A buffer that was handed over to be sealed never comes back as plaintext. While the
/// batch lives, the buffers are lent to it, and [`run`](Self::run) ends its life; a batch
/// that is dropped with jobs waiting, and a job that is refused, leave zeros where
/// ciphertext and tag were to be (and in debug builds with `std` the drop says so on
/// standard error). Only who leaks the batch (`mem::forget`) has plaintext back. So this,
/// which forgets to run, does not compile:
///
/// ```compile_fail,E0505
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
/// another reason. (Keys count as the same by address, not by value.) With SIV and GCM-SIV
/// a repeated nonce is allowed. What earlier runs used, a batch does not know: count the
/// nonces, and under a prefix that no [`Sealer`](crate::Sealer) has. Batches take [`Key`]s,
/// of any mixture of schemes, not the typed ones.
#[must_use = "nothing is sealed or opened until the batch runs"]
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
    lanes: Option<usize>,
    plan: Plan,
    lane_keys: LaneKeys,
    classes: Vec<Class>,
    sections: Sections,
    seen: Vec<u32>,
    results: Vec<Result<(), Error>>,
    /// The threads' memories. Each stays where it is: a copy that a growing vector left
    /// behind would have round keys in it.
    #[cfg(feature = "rayon")]
    #[allow(clippy::vec_box)]
    crew: Vec<Box<Memory>>,
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
    /// the tier ([`Cpu::lanes`]): P of the paper. For measuring, as a rule.
    pub fn with_lanes(lanes: usize) -> Self {
        let mut it = Self::default();
        it.0.kept.lanes = Some(lanes.clamp(1, MAX_LANES));
        it
    }

    /// Adds a message to be sealed in place; `tag`, of the key's tag length, is written.
    /// If the job is refused, both are zeroed.
    #[inline]
    pub fn seal(&mut self, key: &'a Key, nonce: &'a [u8], ad: &'a [u8], buf: &'a mut [u8], tag: &'a mut [u8]) {
        self.add(key, nonce, ad, InOut::in_place(buf), Tagging::Seal(Cell::new(tag)));
    }

    /// Adds a message to be opened in place, which leaves zeros if it is not authentic,
    /// and `buf` as it was if a length is wrong.
    #[inline]
    pub fn open(&mut self, key: &'a Key, nonce: &'a [u8], ad: &'a [u8], buf: &'a mut [u8], tag: &'a [u8]) {
        self.add(key, nonce, ad, InOut::in_place(buf), Tagging::Open(tag));
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
        nonce: &'a [u8],
        ad: &'a [u8],
        src: &'a [u8],
        dst: &'a mut [u8],
        tag: &'a mut [u8],
    ) -> Result<(), Error> {
        let io = InOut::separate(src, dst).ok_or(Error::BufferLength)?;
        self.add(key, nonce, ad, io, Tagging::Seal(Cell::new(tag)));
        Ok(())
    }

    /// Adds a message to be opened from `src` to `dst`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if these differ in length; then there is no job, and
    /// `dst` is as it was.
    pub fn open_to(
        &mut self,
        key: &'a Key,
        nonce: &'a [u8],
        ad: &'a [u8],
        src: &'a [u8],
        dst: &'a mut [u8],
        tag: &'a [u8],
    ) -> Result<(), Error> {
        let io = InOut::separate(src, dst).ok_or(Error::BufferLength)?;
        self.add(key, nonce, ad, io, Tagging::Open(tag));
        Ok(())
    }

    #[inline]
    fn add(&mut self, key: &'a Key, nonce: &'a [u8], ad: &'a [u8], io: InOut<'a>, tag: Tagging<'a>) {
        self.0.lent.0.push(Job { key, nonce, ad, len: io.len(), io: Cell::new(io), tag, done: Cell::new(None) });
    }

    /// How many jobs wait.
    pub fn len(&self) -> usize {
        self.0.lent.0.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Does all jobs, and gives the buffers back. [`Outcome::reuse`] makes a batch of the
    /// memory again.
    #[inline]
    pub fn run(mut self) -> Outcome {
        let Lent { lent: Jobs(jobs), kept } = &mut *self.0;
        if let [job] = &mut jobs[..] {
            kept.one(job);
        } else {
            kept.all(jobs);
        }
        self.outcome()
    }

    /// As [`run`](Self::run), over the threads of the current rayon pool: each takes a
    /// share of the jobs, of about as many blocks. The output is the same.
    #[cfg(feature = "rayon")]
    pub fn run_parallel(mut self) -> Outcome {
        let Lent { lent: Jobs(jobs), kept } = &mut *self.0;
        let one_row = kept.refuse_repeated(jobs);
        let threads = rayon::current_num_threads().max(1);
        let lanes = kept.lanes;
        kept.crew.resize_with(threads, Box::default);
        // What a job costs besides its blocks is worth about 16 of them.
        let cost = |job: &Job<'_, Key>| job.len / 16 + 16;
        let share = jobs.iter().map(cost).sum::<usize>() / threads + 1;
        let mut rest = &mut jobs[..];
        rayon::scope(|scope| {
            for memory in &mut kept.crew {
                memory.lanes = lanes;
                let (mut n, mut sum) = (0, 0);
                while n < rest.len() && sum < share {
                    sum += cost(&rest[n]);
                    n += 1;
                }
                let (mine, others) = core::mem::take(&mut rest).split_at_mut(n);
                rest = others;
                if !mine.is_empty() {
                    scope.spawn(move |_| memory.run(mine, one_row));
                }
            }
        });
        debug_assert!(rest.is_empty());
        kept.gather(jobs);
        self.outcome()
    }

    /// What became of the jobs, which are done.
    #[inline(always)]
    fn outcome(self) -> Outcome {
        Outcome(relend(self.0, Jobs::emptied))
    }

    /// The plan that the batch will make: its windows, and how wide they are on average.
    /// Of parallel modes it says what their messages would be on lanes; of threads, what
    /// one of them would plan.
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
            let lanes = memory.lanes.unwrap_or(class.cpu.lanes());
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
    /// One job and its result: a plain call, as nearly as can be.
    fn one(&mut self, job: &mut Job<'_, Key>) {
        let (key, open) = (job.key, job.opens());
        key.row(core::slice::from_mut(job), open, None);
        self.results.clear();
        self.results.push(job.result());
    }

    /// All jobs and their results.
    fn all(&mut self, jobs: &mut [Job<'_, Key>]) {
        let one_row = self.refuse_repeated(jobs);
        self.run(jobs, one_row);
        self.gather(jobs);
    }

    /// The results of jobs that are done.
    fn gather(&mut self, jobs: &[Job<'_, Key>]) {
        self.results.clear();
        self.results.extend(jobs.iter().map(Job::result));
    }

    fn run(&mut self, jobs: &mut [Job<'_, Key>], one_row: bool) {
        self.classes.clear();
        let mut cache = <Key as Scheme>::Cache::default();
        let mut rest = &mut *jobs;
        while let Some(first) = rest.first() {
            let (class, key) = (Class::of(first), first.key);
            // A row: jobs that follow one another and may share a pipeline.
            let belongs = |job: &Job<'_, Key>, before: &Job<'_, Key>| {
                job.opens() == class.open && (core::ptr::eq(job.key, before.key) || Class::of(job) == class)
            };
            let n = if one_row {
                rest.len()
            } else {
                1 + rest.windows(2).take_while(|pair| belongs(&pair[1], &pair[0])).count()
            };
            let (row, others) = rest.split_at_mut(n);
            if !key.together() {
                // Parallel modes: as they come, since nonces that count share what
                // their key keeps.
                key.row(row, class.open, Some(&mut cache));
            } else if !self.classes.contains(&class) {
                self.classes.push(class);
            }
            rest = others;
        }
        if !self.classes.is_empty() {
            self.comb(jobs);
        }
    }

    /// Serial modes: the longest first, as many at once as there are lanes.
    fn comb(&mut self, jobs: &[Job<'_, Key>]) {
        self.plan.make(jobs.len(), MAX_LANES, |i| jobs[i].len.div_ceil(16));
        self.sections.make(jobs, self.plan.order());
        for &class in &self.classes {
            let lanes = self.lanes.unwrap_or(class.cpu.lanes());
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

    /// Refuses each job that seals under a key and nonce of one before it. Says whether
    /// all of them are one row.
    fn refuse_repeated(&mut self, jobs: &[Job<'_, Key>]) -> bool {
        let Glance { rises, one_row } = glance(jobs);
        if rises {
            return one_row;
        }
        // A table of at least twice as many places as jobs; zero is none.
        let bits = (2 * jobs.len()).next_power_of_two().trailing_zeros();
        self.seen.clear();
        self.seen.resize(1 << bits, 0);
        for (i, job) in jobs.iter().enumerate() {
            if job.opens() || job.key.allows_repeats() {
                continue;
            }
            let mut at = hash(core::ptr::from_ref(job.key).addr(), job.nonce) >> (64 - bits);
            loop {
                let place = &mut self.seen[at as usize & ((1 << bits) - 1)];
                if *place == 0 {
                    *place = i as u32 + 1;
                    break;
                }
                let other = &jobs[*place as usize - 1];
                if core::ptr::eq(other.key, job.key) && other.nonce == job.nonce {
                    job.refuse(Error::NonceRepeated);
                    break;
                }
                at += 1;
            }
        }
        false
    }
}

/// The order of a batch, the jobs of each key that has many set apart: lanes that share
/// a key share its round keys.
#[derive(Default)]
struct Sections {
    /// Places of the keys in memory, of which a batch with few keys has few.
    keys: Vec<usize>,
    /// Which of them a job has.
    whose: Vec<u8>,
    order: Vec<u32>,
    /// Where each section ends in the order; none if all is one section.
    ends: Vec<u32>,
}

impl Sections {
    /// Keys that are told apart.
    const KEYS: usize = 64;
    /// Jobs of a key that are worth a section: it ends with a group that is half full.
    const MANY: usize = 4 * MAX_LANES;

    fn make(&mut self, jobs: &[Job<'_, Key>], order: &[u32]) {
        let most = (jobs.len() / Self::MANY).min(Self::KEYS);
        self.ends.clear();
        if most < 2 || !self.count(jobs, most) {
            return;
        }
        let mut counts = [0u32; Self::KEYS];
        for &k in &self.whose {
            counts[k as usize & (Self::KEYS - 1)] += 1;
        }
        // Keys with few jobs share the last section.
        let (mut begins, mut at) = ([None; Self::KEYS], 0);
        for (begin, &n) in begins.iter_mut().zip(&counts) {
            if n as usize >= Self::MANY {
                *begin = Some(at);
                at += n;
                self.ends.push(at);
            }
        }
        let mut others = at;
        if (at as usize) < jobs.len() {
            self.ends.push(jobs.len() as u32);
        }
        self.order.resize(order.len(), 0);
        for &i in order {
            let place = begins[self.whose[i as usize] as usize & (Self::KEYS - 1)].as_mut().unwrap_or(&mut others);
            self.order[*place as usize] = i;
            *place += 1;
        }
    }

    /// Finds each job's key; false if there are one or more than `most`.
    fn count(&mut self, jobs: &[Job<'_, Key>], most: usize) -> bool {
        // As a rule they have one, and are looked at no more.
        if jobs.windows(2).all(|pair| core::ptr::eq(pair[0].key, pair[1].key)) {
            return false;
        }
        self.keys.clear();
        self.whose.clear();
        let mut this = 0;
        for job in jobs {
            let key = core::ptr::from_ref(job.key).addr();
            if self.keys.get(this) != Some(&key) {
                this = match self.keys.iter().position(|&k| k == key) {
                    Some(i) => i,
                    None if self.keys.len() == most => return false,
                    None => {
                        self.keys.push(key);
                        self.keys.len() - 1
                    }
                };
            }
            self.whose.push(this as u8);
        }
        self.keys.len() > 1
    }

    /// The sections, or all of `order`.
    fn of<'a>(&'a self, order: &'a [u32]) -> impl Iterator<Item = &'a [u32]> {
        let one = self.ends.is_empty().then_some(order);
        let begins = core::iter::once(0).chain(self.ends.iter().copied());
        let some = begins.zip(&self.ends).map(|(from, &to)| &self.order[from as usize..to as usize]);
        one.into_iter().chain(some)
    }
}

/// A nonce of 8 to 16 bytes as its length and a number, its first eight bytes and then its
/// last eight. Different nonces of a length have different numbers, in the nonces' order.
#[inline(always)]
fn number(nonce: &[u8]) -> Option<(usize, u128)> {
    let (Some(first), Some(last), ..=16) = (nonce.first_chunk(), nonce.last_chunk(), nonce.len()) else { return None };
    Some((nonce.len(), u128::from(u64::from_be_bytes(*first)) << 64 | u128::from(u64::from_be_bytes(*last))))
}

/// What is seen of a batch at a glance: the usual one has one key, and nonces that count.
#[derive(Clone, Copy, Default)]
struct Glance {
    /// No nonce repeats that must not, of jobs that seal.
    rises: bool,
    /// All jobs seal, under one key.
    one_row: bool,
}

fn glance(jobs: &[Job<'_, Key>]) -> Glance {
    let Some(first) = jobs.first() else { return Glance { rises: true, one_row: false } };
    let mut before: Option<(usize, u128)> = None;
    let repeats = first.key.allows_repeats();
    for job in jobs {
        if job.opens() || !core::ptr::eq(first.key, job.key) {
            return Glance { rises: rise_by_key(jobs), one_row: false };
        }
        if repeats {
            continue;
        }
        let Some((len, this)) = number(job.nonce) else { return Glance::default() };
        if before.is_some_and(|(n, nonce)| n != len || nonce >= this) {
            return Glance::default();
        }
        before = Some((len, this));
    }
    Glance { rises: true, one_row: true }
}

/// Whether no nonce repeats since all rise, or since the keys' places in memory do and
/// the nonces of each key.
#[inline(never)]
fn rise_by_key(jobs: &[Job<'_, Key>]) -> bool {
    let mut before: Option<(usize, usize, u128)> = None;
    let (mut all_rise, mut each_rise) = (true, true);
    for job in jobs.iter().filter(|j| !j.opens() && !j.key.allows_repeats()) {
        let Some((len, this)) = number(job.nonce) else { return false };
        let key = core::ptr::from_ref(job.key).addr();
        if let Some((key_before, n, nonce)) = before {
            let rises = n == len && nonce < this;
            all_rise &= rises;
            each_rise &= key_before < key || key_before == key && rises;
            if !(all_rise || each_rise) {
                return false;
            }
        }
        before = Some((key, len, this));
    }
    true
}

/// A number for a table of nonces. Both are the sender's own and public.
#[inline(always)]
fn hash(key: usize, nonce: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut h = key as u64;
    let mut word = |w: u64| h = (h ^ w).wrapping_mul(ODD).rotate_left(23);
    if let Some((_, number)) = number(nonce) {
        word((number >> 64) as u64);
        word(number as u64);
    } else {
        nonce.iter().for_each(|&b| word(b.into()));
    }
    (h ^ h >> 29).wrapping_mul(ODD)
}

/// What became of a batch: a result a job, in the order they were added; and the batch's
/// memory, for the next one.
#[must_use = "a job may have been refused or forged"]
pub struct Outcome(Box<Lent<Jobs<'static>, Memory>>);

impl Default for Outcome {
    /// Of no jobs: the memory with which a loop begins.
    fn default() -> Self {
        Batch::new().run()
    }
}

impl core::ops::Deref for Outcome {
    type Target = [Result<(), Error>];
    fn deref(&self) -> &Self::Target {
        &self.0.kept.results
    }
}

impl Outcome {
    /// Whether all went well.
    ///
    /// # Errors
    /// That of the first job with one. Which jobs have one, the results tell.
    pub fn all(&self) -> Result<(), Error> {
        self.iter().copied().collect()
    }

    /// A batch without jobs in the same memory: nothing is allocated for as many jobs. In
    /// a loop, the outcome is what to keep, since each batch borrows its own messages:
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
        Batch(relend(self.0, Jobs::emptied))
    }
}
