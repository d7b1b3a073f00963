//! Parallel modes in a batch: short messages go one after the other within one door,
//! where the CPU overlaps the end of one with the beginning of the next, and where what
//! a call costs is paid once.
//!
//! The CPU looks only so many instructions ahead. Where an opened message's tag is one more call of
//! the cipher, behind the plaintext, it stands behind the next message's plaintext, so that
//! nothing waits for it.

use super::holds::Holds;
use super::jobs::{Job, Tagging, each};
use crate::cpu::{Backend, Kernel};
use crate::interface::error::Error;
use crate::interface::scheme::Raw;
use crate::memory::wipe::Wipe;
use core::marker::PhantomData;

/// A parallel mode with something shorter than a call for short messages.
pub(crate) trait Short: Raw + 'static {
    /// As [`Kernel::SPILLS`].
    const SPILLS: bool = false;
    /// Whether long messages are opened in the row too ([`open_long`](Self::open_long)).
    const OPENS_LONG: bool = false;
    /// Whether a row is a call for each message, without code of its own.
    const BY_CALLS: bool = false;

    /// Whether a message of these lengths, which have passed [`Raw::check`], is short.
    fn is_short<B: Backend, const N: usize>(&self, nonce: &[u8], ad: &[u8], len: usize) -> bool;

    /// Seals; gives the tag's block. Must be `#[inline(always)]`, as the next.
    fn seal_short<B: Backend, const N: usize>(
        &self,
        b: B,
        cache: &mut Self::Cache,
        it: Parts<'_>,
    ) -> <B::One as Backend>::V;

    /// Decrypts `it`, of which `tag` was given and is as long as this key's tags are.
    fn open_short<B: Backend, const N: usize>(
        &self,
        b: B,
        cache: &mut Self::Cache,
        it: Parts<'_>,
        tag: &[u8],
    ) -> Opened<B>;

    /// The same of a message that is not short, where [that is done](Self::OPENS_LONG).
    fn open_long<B: Backend>(&self, _: B, _: &mut Self::Cache, _: Parts<'_>, _: &[u8]) -> Opened<B> {
        unreachable!("of a scheme whose long messages are opened alone")
    }

    /// The tag's block as it should be, where opening leaves a message [unfinished](Opened::Unfinished).
    fn finish<B: Backend>(&self, _: B, _: &Unfinished<B>) -> <B::One as Backend>::V {
        unreachable!("of a scheme that finishes at once")
    }

    /// Drops what the cache holds of one key, before another's turn.
    fn forget(_: &mut Self::Cache) {}
}

/// What opening a message leaves.
pub(crate) enum Opened<B: Backend> {
    /// Whether its tag is right.
    Finished(bool),
    /// What its tag is made of. Until it is finished, its job is being done.
    Unfinished(Unfinished<B>),
}

/// What an opened message's tag is made of.
pub(crate) struct Unfinished<B: Backend> {
    /// The input of its call of the cipher.
    pub input: <B::One as Backend>::V,
    /// What is added to the cipher's output.
    pub behind: <B::One as Backend>::V,
}

/// What a short message consists of.
pub(crate) struct Parts<'a> {
    pub nonce: &'a [u8],
    pub ad: &'a [u8],
    pub io: crate::cpu::InOut<'a>,
}

/// Does a row of jobs as [`Many::row`](super::jobs::Many::row) says.
#[inline(always)]
pub(crate) fn row<K: Short, J: Holds<K>>(jobs: &mut [Job<'_, J>], open: bool, cache: Option<&mut K::Cache>) {
    let (Some(key), Some(cache)) = (jobs.first().and_then(|job| job.key.held()), cache) else {
        return each::<K, J>(jobs, None);
    };
    if const { K::BY_CALLS } {
        return calls(jobs, cache);
    }
    let (cpu, of) = (key.settings().cpu, PhantomData);
    if open {
        cpu.run(Row::<J, K, true> { jobs, cache, of });
    } else {
        cpu.run(Row::<J, K, false> { jobs, cache, of });
    }
}

/// Jobs one after the other, each by itself.
fn calls<K: Short, J: Holds<K>>(jobs: &mut [Job<'_, J>], cache: &mut K::Cache) {
    let mut before: Option<&K> = None;
    for job in jobs {
        let key = held(job);
        if !before.is_some_and(|it| core::ptr::eq(it, key)) {
            K::forget(cache);
            before = Some(key);
        }
        if job.done.get().is_none() {
            job.alone(key, Some(cache));
        }
    }
}

/// Jobs of one tier, all to be opened or all to be sealed.
struct Row<'g, 'a, J, K: Short, const OPEN: bool> {
    jobs: &'g mut [Job<'a, J>],
    cache: &'g mut K::Cache,
    of: PhantomData<K>,
}

impl<'a, J: Holds<K>, K: Short, const OPEN: bool> Kernel for Row<'_, 'a, J, K, OPEN> {
    type Out = ();
    const SPILLS: bool = K::SPILLS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { jobs, cache, .. } = self;
        let mut before: Option<&K> = None;
        // What was opened last, if it is unfinished.
        let mut unfinished: Option<(&mut Job<'_, J>, Unfinished<B>)> = None;
        for job in jobs {
            let key = held(job);
            if job.done.get().is_some() {
                continue;
            }
            if !before.is_some_and(|it| core::ptr::eq(it, key)) {
                if let (Some((job, it)), Some(key)) = (unfinished.take(), before) {
                    finished(b, key, job, &it);
                }
                K::forget(cache);
                before = Some(key);
            }
            // Unusual lengths, and long messages, which have doors of their own, are not
            // worth the registers here.
            let is_short = key.is_short::<B, N>(&job.nonce, job.ad, job.len);
            if !((is_short || OPEN && K::OPENS_LONG)
                && tag_len(job) == key.settings().tag_len()
                && key.check(&job.nonce, job.ad, job.len).is_ok())
            {
                job.alone(key, Some(cache));
                continue;
            }
            let tag = if OPEN { given(job) } else { &[] };
            let (nonce, ad, io) = (&job.nonce, job.ad, job.io.get_mut().reborrow());
            let it = Parts { nonce, ad, io };
            if !OPEN {
                let tag = key.seal_short::<B, N>(b, cache, it);
                sealed(b.one(), job, tag);
                continue;
            }
            let this = if is_short || !K::OPENS_LONG {
                key.open_short::<B, N>(b, cache, it, tag)
            } else {
                key.open_long(b, cache, it, tag)
            };
            match this {
                Opened::Finished(right) => opened(job, right),
                Opened::Unfinished(it) => {
                    if let Some((job, it)) = unfinished.replace((job, it)) {
                        finished(b, key, job, &it);
                    }
                }
            }
        }
        if let (Some((job, it)), Some(key)) = (unfinished, before) {
            finished(b, key, job, &it);
        }
    }
}

/// The job's key.
#[inline(always)]
fn held<'a, J: Holds<K>, K: 'static>(job: &Job<'a, J>) -> &'a K {
    let key: &'a J = job.key;
    match key.held() {
        Some(key) => key,
        None => unreachable!("a row has jobs of one scheme"),
    }
}

/// Writes the tag of what was sealed.
#[inline(always)]
fn sealed<J, B: Backend>(one: B, job: &mut Job<'_, J>, tag: B::V) {
    let Tagging::Seal(to) = &mut job.tag else { unreachable!("a row has jobs of one direction") };
    match to.get_mut().as_chunks_mut::<16>() {
        ([whole], []) => one.store(whole, tag),
        (_, part) => part.copy_from_slice(&one.block(tag)[..part.len()]),
    }
    job.done.set(Some(Ok(())));
}

/// The tag that was given to open a message.
#[inline(always)]
fn given<'a, J>(job: &Job<'a, J>) -> &'a [u8] {
    let Tagging::Open(tag) = job.tag else { unreachable!("a row has jobs of one direction") };
    tag
}

/// Makes and compares the tag of what was opened.
#[inline(always)]
fn finished<J, K: Short, B: Backend>(b: B, key: &K, job: &mut Job<'_, J>, it: &Unfinished<B>) {
    let right = b.one().begins(key.finish(b, it), given(job));
    opened(job, right);
}

/// Writes what came of opening a message, and wipes it if its tag was wrong.
#[inline(always)]
fn opened<J>(job: &mut Job<'_, J>, right: bool) {
    let done = if right {
        Ok(())
    } else {
        job.io.get_mut().reborrow().into_dst().wipe();
        Err(Error::Forged)
    };
    job.done.set(Some(done));
}

#[inline(always)]
fn tag_len<J>(job: &mut Job<'_, J>) -> usize {
    match &mut job.tag {
        Tagging::Seal(tag) => tag.get_mut().len(),
        Tagging::Open(tag) => tag.len(),
    }
}
