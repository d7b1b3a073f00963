//! Parallel modes in a batch: short messages go one after the other within one door,
//! where the CPU overlaps the end of one with the beginning of the next, and where what
//! a call costs is paid once.

use super::jobs::{Holds, Job, Tagging, each};
use crate::cpu::{Backend, Kernel};
use crate::interface::error::Error;
use crate::interface::scheme::Raw;
use crate::memory::wipe::Wipe;
use core::marker::PhantomData;

/// A parallel mode with something shorter than a call for short messages.
pub(crate) trait Short: Raw {
    /// As [`Kernel::SPILLS`].
    const SPILLS: bool = false;

    /// Whether a message of these lengths, which have passed [`Raw::check`], is short.
    fn is_short<B: Backend, const N: usize>(&self, nonce: &[u8], ad: &[u8], len: usize) -> bool;

    /// Seals; gives the tag's block. Must be `#[inline(always)]`, as the next.
    fn seal_short<B: Backend, const N: usize>(
        &self,
        b: B,
        cache: &mut Self::Cache,
        it: Parts<'_>,
    ) -> <B::One as Backend>::V;

    /// Decrypts; gives the tag's block as it should be.
    fn open_short<B: Backend, const N: usize>(
        &self,
        b: B,
        cache: &mut Self::Cache,
        it: Parts<'_>,
    ) -> <B::One as Backend>::V;

    /// Drops what the cache holds of one key, before another's turn.
    fn forget(_: &mut Self::Cache) {}
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
    let (cpu, of) = (key.settings().cpu, PhantomData);
    if open {
        cpu.run(Row::<J, K, true> { jobs, cache, of });
    } else {
        cpu.run(Row::<J, K, false> { jobs, cache, of });
    }
}

/// Jobs of one tier, all to be opened or all to be sealed.
struct Row<'g, 'a, J, K: Short, const OPEN: bool> {
    jobs: &'g mut [Job<'a, J>],
    cache: &'g mut K::Cache,
    of: PhantomData<K>,
}

impl<J: Holds<K>, K: Short, const OPEN: bool> Kernel for Row<'_, '_, J, K, OPEN> {
    type Out = ();
    const SPILLS: bool = K::SPILLS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { jobs, cache, .. } = self;
        let mut before: Option<&K> = None;
        for job in jobs {
            let Some(key) = job.key.held() else { unreachable!("a row has jobs of one scheme") };
            if job.done.get().is_some() {
                continue;
            }
            if !before.is_some_and(|it| core::ptr::eq(it, key)) {
                K::forget(cache);
                before = Some(key);
            }
            // Unusual lengths, and long messages, which have doors of their own, are not
            // worth the registers here.
            if key.is_short::<B, N>(job.nonce, job.ad, job.len)
                && tag_len(job) == key.settings().tag_len()
                && key.check(job.nonce, job.ad, job.len).is_ok()
            {
                let done = short::<J, K, B, N, OPEN>(b, key, job, cache);
                job.done.set(Some(done));
            } else {
                job.alone(key, Some(cache));
            }
        }
    }
}

#[inline(always)]
fn tag_len<J>(job: &mut Job<'_, J>) -> usize {
    match &mut job.tag {
        Tagging::Seal(tag) => tag.get_mut().len(),
        Tagging::Open(tag) => tag.len(),
    }
}

#[inline(always)]
fn short<J, K: Short, B: Backend, const N: usize, const OPEN: bool>(
    b: B,
    key: &K,
    job: &mut Job<'_, J>,
    cache: &mut K::Cache,
) -> Result<(), Error> {
    let (nonce, ad, one) = (job.nonce, job.ad, b.one());
    let mut io = job.io.get_mut().reborrow();
    match &mut job.tag {
        Tagging::Seal(to) if !OPEN => {
            let tag = key.seal_short::<B, N>(b, cache, Parts { nonce, ad, io });
            match to.get_mut().as_chunks_mut::<16>() {
                ([whole], []) => one.store(whole, tag),
                (_, part) => part.copy_from_slice(&one.block(tag)[..part.len()]),
            }
            Ok(())
        }
        Tagging::Open(tag) if OPEN => {
            let right = key.open_short::<B, N>(b, cache, Parts { nonce, ad, io: io.reborrow() });
            if one.begins(right, tag) {
                Ok(())
            } else {
                io.into_dst().wipe();
                Err(Error::Forged)
            }
        }
        _ => unreachable!("a row has jobs of one direction"),
    }
}
