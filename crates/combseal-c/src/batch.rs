//! Many messages at once, as an array of jobs: `combseal_batch`.
//!
//! A batch is looked at as a whole before anything is done: a pointer that cannot be right, or two
//! jobs that write to the same bytes, refuse all of it, since they are faults of the program. What
//! can be wrong with a message (a length, a nonce that repeats, a forgery) fails alone.
#![allow(unsafe_code)] // C's pointers: see `edge.rs` and `handle.rs`.

use crate::code::Code;
use crate::edge::{self, Body, Span, apart, blank};
use crate::handle::{Handle, object};
use crate::message::Buffers;
use crate::sealer::Sending;
use combseal::{Batch, Key, Nonce, Outcome};
use core::ffi::c_int;

/// `combseal_job`: a message of a batch. Fields are added behind the last one only.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Job {
    key: *const Handle<Key>,
    nonce: *const u8,
    nonce_len: usize,
    ad: *const u8,
    ad_len: usize,
    input: *const u8,
    len: usize,
    output: *mut u8,
    tag: *mut u8,
    tag_len: usize,
    result: c_int,
}

/// What a batch keeps from run to run.
#[derive(Default)]
pub struct Memory {
    outcome: Outcome,
    /// What all jobs write, in the order of addresses.
    written: Vec<(usize, usize)>,
}

object!(Memory, b"b\xe3h\x2d", combseal_batch_sizeof, combseal_batch_alignof, combseal_batch_free);

/// The caller's jobs.
#[derive(Clone, Copy)]
struct Jobs {
    at: *mut Job,
    count: usize,
    /// Bytes from one job to the next, in the header that the caller was compiled with.
    stride: usize,
}

/// What is to be done with them.
enum Work<'a> {
    Seal,
    Open,
    /// Sealing with the sealer's nonces, of which the first one's counter is told.
    Next(&'a mut Sending, &'a mut u64),
}

impl Jobs {
    /// Whether there can be such jobs.
    fn admit(self) -> Result<(), Code> {
        if self.stride < size_of::<Job>() || !self.stride.is_multiple_of(align_of::<Job>()) {
            return Err(Code::ERROR_OPTION);
        }
        let len = self.count.checked_mul(self.stride).ok_or(Code::ERROR_BUFFER_LENGTH)?;
        Span::new(self.at.cast(), len).admit()?;
        if self.at.is_aligned() { Ok(()) } else { Err(Code::ERROR_PLACE) }
    }

    /// Job `i`, which is below `count`.
    ///
    /// # Safety
    /// The jobs were admitted and are there.
    unsafe fn get(self, i: usize) -> Job {
        // SAFETY: within the array, as the caller promises.
        unsafe { self.at.byte_add(i * self.stride).read() }
    }

    /// Whether a stretch has a byte in common with a job itself. (What a caller keeps behind each,
    /// in a structure that begins with one, is its own: a nonce or a tag may be there.)
    fn touched(self, (from, to): (usize, usize)) -> bool {
        let base = self.at.addr();
        if to <= base || from >= base + self.count * self.stride {
            return false;
        }
        let Some(at) = from.checked_sub(base) else { return true };
        at % self.stride < size_of::<Job>() || at % self.stride + (to - from) > self.stride
    }

    /// Zeroes what all jobs would have written. What touches the jobs themselves is left, since the
    /// next job would then name other places.
    ///
    /// # Safety
    /// The jobs were admitted and are there, and so is what they name, or NULL.
    unsafe fn refuse_all(self, work: &Work<'_>) {
        for i in 0..self.count {
            // SAFETY: as the caller promises.
            let mut job = unsafe { self.get(i) };
            let ([output, tag], _) = job.spans();
            if self.touched(output.bounds()) {
                job.output = core::ptr::null_mut();
            }
            if self.touched(tag.bounds()) {
                job.tag = core::ptr::null_mut();
            }
            // SAFETY: as the caller promises.
            unsafe { job.refuse(work) };
        }
    }

    /// Writes the result of job `i`.
    ///
    /// # Safety
    /// As [`get`](Self::get).
    unsafe fn tell(self, i: usize, result: c_int) {
        // SAFETY: within the array, as the caller promises.
        unsafe { (&raw mut (*self.at.byte_add(i * self.stride)).result).write(result) }
    }
}

impl Job {
    fn spans(&self) -> ([Span; 2], [Span; 3]) {
        let (nonce, ad) = (Span::new(self.nonce, self.nonce_len), Span::new(self.ad, self.ad_len));
        let (input, output) = (Span::new(self.input, self.len), Span::new(self.output, self.len));
        ([output, Span::new(self.tag, self.tag_len)], [nonce, ad, input])
    }

    /// Whether the job is right by itself: pointers, and what it writes apart from all else.
    fn admit(&self, work: &Work<'_>) -> Result<(), Code> {
        let ([output, tag], [nonce, ad, input]) = self.spans();
        for span in [output, tag, nonce, ad, input] {
            span.admit()?;
        }
        if self.input.addr() != self.output.addr() {
            apart([output], [input])?;
        }
        match work {
            Work::Open => apart([output], [nonce, ad, tag]),
            _ => apart([output, tag], [nonce, ad]).and(apart([tag], [input])),
        }
    }

    /// Zeroes what would have been written.
    ///
    /// # Safety
    /// Its output and its tag are there, or NULL.
    unsafe fn refuse(&self, work: &Work<'_>) {
        // SAFETY: as the caller promises.
        unsafe {
            blank(self.output, self.len);
            if !matches!(work, Work::Open) {
                blank(self.tag, self.tag_len);
            }
        }
    }
}

/// Whether no job's output has a byte in common with another job's buffers, and no buffer with the jobs
/// themselves, whose results are written while the buffers are read.
///
/// # Safety
/// The jobs are there, and each by itself is right.
unsafe fn all_apart(jobs: Jobs, work: &Work<'_>, written: &mut Vec<(usize, usize)>) -> Result<(), Code> {
    let open = matches!(work, Work::Open);
    written.clear();
    written.reserve(2 * jobs.count);
    for i in 0..jobs.count {
        // SAFETY: as the caller promises.
        let ([output, tag], _) = unsafe { jobs.get(i) }.spans();
        let all = [output, tag];
        written.extend(all[..if open { 1 } else { 2 }].iter().filter(|it| !it.is_empty()).map(|it| it.bounds()));
    }
    // Jobs lie in order, as a rule, and then there is nothing to be sorted.
    written.sort_unstable();
    if written.windows(2).any(|pair| pair[1].0 < pair[0].1) || written.iter().any(|&it| jobs.touched(it)) {
        return Err(Code::ERROR_OVERLAP);
    }
    let (first, last) = (written.first().map_or(0, |it| it.0), written.last().map_or(0, |it| it.1));
    for i in 0..jobs.count {
        // SAFETY: as the caller promises.
        let job = unsafe { jobs.get(i) };
        let ([_, tag], [nonce, ad, input]) = job.spans();
        let in_place = job.input.addr() == job.output.addr();
        let reads = [(nonce, true), (ad, true), (input, !in_place), (tag, open)];
        for (from, to) in reads.into_iter().filter(|(it, read)| *read && !it.is_empty()).map(|(it, _)| it.bounds()) {
            if jobs.touched((from, to)) {
                return Err(Code::ERROR_OVERLAP);
            }
            if to <= first || from >= last {
                continue;
            }
            // The first stretch that ends behind the beginning of this one must begin behind its end.
            let at = written.partition_point(|it| it.1 <= from);
            if written.get(at).is_some_and(|it| it.0 < to) {
                return Err(Code::ERROR_OVERLAP);
            }
        }
    }
    Ok(())
}

/// Does all jobs, writes their results, and returns that of the first one that failed.
///
/// # Safety
/// What combseal.h asks of the caller.
unsafe fn run(batch: *mut Handle<Memory>, jobs: Jobs, mut work: Work<'_>) -> Result<(), Code> {
    jobs.admit()?;
    // SAFETY: as the caller promises, of everything below: the jobs are there, and so are the
    // buffers that they name once `admit` and `all_apart` have let them pass.
    unsafe {
        let memory = Handle::get_mut(batch);
        let mut bad = memory.as_ref().map(|_| ()).map_err(|&code| code);
        for i in 0..jobs.count {
            let job = jobs.get(i);
            let alive = if matches!(work, Work::Next(..)) { Ok(()) } else { Handle::get(job.key).map(drop) };
            let right = alive.and(job.admit(&work));
            jobs.tell(i, Code::of(right.and(Err(Code::ERROR_NOT_RUN))));
            bad = bad.and(right);
        }
        let memory = match memory {
            Ok(memory) if bad.is_ok() => {
                bad = all_apart(jobs, &work, &mut memory.written);
                memory
            }
            _ => {
                jobs.refuse_all(&work);
                return bad;
            }
        };
        if let Err(code) = bad {
            jobs.refuse_all(&work);
            (0..jobs.count).for_each(|i| jobs.tell(i, Code::of(Err(code))));
            return bad;
        }
        let mut batch = core::mem::take(&mut memory.outcome).reuse();
        let mut first = None;
        for i in 0..jobs.count {
            let job = jobs.get(i);
            // Counted nonces are those of the first jobs: behind the last nonce there is no other.
            let added = match (&work, bad) {
                (Work::Next(..), Err(code)) => Err(code),
                _ => add(&mut batch, &job, &mut work, &mut first),
            };
            if let Err(code) = added {
                job.refuse(&work);
                jobs.tell(i, Code::of(Err(code)));
                bad = bad.and(Err(code));
            } else {
                // Its result is the next one of the batch's.
                jobs.tell(i, 0);
            }
        }
        if let Work::Next(_, counter) = &mut work {
            **counter = first.unwrap_or(0);
        }
        memory.outcome = batch.run();
        let mut results = memory.outcome.iter();
        let mut first_error = Ok(());
        for i in 0..jobs.count {
            let job = jobs.get(i);
            let mut result = job.result;
            if result == 0 {
                let done = results.next().copied().unwrap_or(Err(combseal::Error::NotRun)).map_err(Code::from);
                result = Code::of(done);
                if done.is_err() {
                    job.refuse(&work);
                    jobs.tell(i, result);
                }
                first_error = first_error.and(done);
            } else if first_error.is_ok() {
                first_error = bad;
            }
        }
        first_error
    }
}

/// Adds a job, whose buffers are there, and apart from all that is written as long as the batch lives.
///
/// # Safety
/// So they are: what is written then is the outputs of jobs, which [`all_apart`] has let pass, the results of
/// jobs, of which no buffer has a byte (so it too), and the batch's own memory, which the caller keeps its
/// buffers out of.
unsafe fn add(batch: &mut Batch<'_>, job: &Job, work: &mut Work<'_>, first: &mut Option<u64>) -> Result<(), Code> {
    let &Job { key, nonce, nonce_len, ad, ad_len, input, len, output, tag, tag_len, .. } = job;
    let buffers = Buffers { ad, ad_len, input, output, len };
    // SAFETY: as the caller promises.
    unsafe {
        match work {
            Work::Open => {
                let (key, it) = (Handle::get(key)?, buffers.to_open(nonce, nonce_len, tag, tag_len));
                match it.body {
                    Body::Here(buf) => _ = batch.open(key, it.nonce, it.ad, buf, it.tag),
                    Body::To(src, dst) => _ = batch.open_to(key, it.nonce, it.ad, src, dst, it.tag)?,
                }
            }
            Work::Seal => {
                let (key, it) = (Handle::get(key)?, buffers.to_seal(tag, tag_len));
                let nonce = edge::slice(nonce, nonce_len);
                match it.body {
                    Body::Here(buf) => _ = batch.seal(key, nonce, it.ad, buf, it.tag),
                    Body::To(src, dst) => _ = batch.seal_to(key, nonce, it.ad, src, dst, it.tag)?,
                }
            }
            Work::Next(Sending { key, sealer }, _) => {
                let it = buffers.to_seal(tag, tag_len);
                let counter = sealer.next_counter();
                let nonce: Nonce = sealer.take_nonce(ad_len, len)?;
                first.get_or_insert(counter);
                match it.body {
                    Body::Here(buf) => _ = batch.seal(key, nonce, it.ad, buf, it.tag),
                    Body::To(src, dst) => _ = batch.seal_to(key, nonce, it.ad, src, dst, it.tag)?,
                }
            }
        }
    }
    Ok(())
}

/// `combseal_batch_new`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_batch_new(out: *mut *mut Handle<Memory>) -> c_int {
    // SAFETY: the pointer is what combseal.h says.
    Code::of(unsafe { Handle::create(out, || Ok(Memory::default())) })
}

/// `combseal_batch_seal`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_batch_seal(
    batch: *mut Handle<Memory>,
    jobs: *mut Job,
    count: usize,
    job_size: usize,
) -> c_int {
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe { run(batch, Jobs { at: jobs, count, stride: job_size }, Work::Seal) })
}

/// `combseal_batch_open`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_batch_open(
    batch: *mut Handle<Memory>,
    jobs: *mut Job,
    count: usize,
    job_size: usize,
) -> c_int {
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe { run(batch, Jobs { at: jobs, count, stride: job_size }, Work::Open) })
}

/// `combseal_sealer_seal_batch`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_sealer_seal_batch(
    sealer: *mut Handle<Sending>,
    batch: *mut Handle<Memory>,
    jobs: *mut Job,
    count: usize,
    job_size: usize,
    first_counter: *mut u64,
) -> c_int {
    let mut first = 0;
    let jobs = Jobs { at: jobs, count, stride: job_size };
    // SAFETY: the pointers are what combseal.h says.
    unsafe {
        let done = match Handle::get_mut(sealer) {
            Ok(sending) => run(batch, jobs, Work::Next(sending, &mut first)),
            Err(code) => {
                if jobs.admit().is_ok() {
                    jobs.refuse_all(&Work::Seal);
                    (0..count).for_each(|i| jobs.tell(i, Code::of(Err(code))));
                }
                Err(code)
            }
        };
        edge::tell(first_counter, first);
        Code::of(done)
    }
}
