//! A batch's jobs that wait, and what a scheme does with many of them ([`Many`]): those that gain by it take a group
//! side by side, a lane each: serial modes, AEGIS, GCM-SIV, ChaCha20-Poly1305. (OCB3 and GCM are done as they are added, but
//! in a batch for threads.)

use super::column::{Column, Takes};
use super::holds::Holds;
use super::lockstep::LaneKeys;
use super::plan::MAX_LANES;
use super::run::Run;
use crate::cpu::{Block, Cpu, InOut, equal};
use crate::interface::error::Error;
use crate::interface::scheme::{self, Raw, Scheme};
use crate::interface::tag::AnyNonce;
use crate::memory::wipe::Wipe;
use core::cell::Cell;

/// What becomes of a job's tag.
pub(crate) enum Tagging<'a> {
    /// It is to be written.
    Seal(Cell<&'a mut [u8]>),
    /// It is to be compared.
    Open(&'a [u8]),
}

/// One message to be sealed or opened.
pub(crate) struct Job<'a, K> {
    pub key: &'a K,
    pub nonce: AnyNonce<'a>,
    pub ad: &'a [u8],
    /// Bytes in the message.
    pub len: usize,
    pub io: Cell<InOut<'a>>,
    pub tag: Tagging<'a>,
    /// `None` until it is done.
    pub done: Cell<Option<Result<(), Error>>>,
}

impl<'a, K> Job<'a, K> {
    /// Whether it is to be opened.
    #[inline(always)]
    pub fn opens(&self) -> bool {
        matches!(self.tag, Tagging::Open(_))
    }

    /// The message, taken away.
    #[inline(always)]
    pub fn take(&self) -> InOut<'a> {
        self.io.replace(InOut::in_place(&mut []))
    }

    /// What became of it. One that nobody did is refused here, so that neither plaintext
    /// nor a tag of zeros that might be taken for its own is left without an error.
    #[inline(always)]
    pub fn result(&self) -> Result<(), Error> {
        self.done.get().unwrap_or_else(|| {
            self.refuse(Error::NotRun);
            Err(Error::NotRun)
        })
    }

    /// Done without the message having been looked at. A buffer that was to be sealed is
    /// zeroed, and its tag, so that nobody sends plaintext for ciphertext; one that was to
    /// be opened stays as it was, and can be tried again.
    #[cold]
    pub fn refuse(&self, why: Error) {
        if let Tagging::Seal(tag) = &self.tag {
            self.take().into_dst().wipe();
            tag.take().wipe();
        }
        self.done.set(Some(Err(why)));
    }
}

/// A group: jobs of one scheme on one tier, all to be sealed or all to be opened, 1 to 16 of
/// them, the longest first, their lengths checked.
pub(crate) struct SideBySide<'g, 'a, J, K> {
    pub jobs: &'g [&'g Job<'a, J>],
    pub keys: &'g [&'g K],
    pub cpu: Cpu,
}

impl<'a, J, K: Scheme> SideBySide<'_, 'a, J, K> {
    /// How many.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// All messages.
    #[inline(always)]
    pub fn take(&self) -> [InOut<'a>; MAX_LANES] {
        core::array::from_fn(|i| match self.jobs.get(i) {
            Some(job) => job.take(),
            None => InOut::in_place(&mut []),
        })
    }

    /// Job `i` is sealed; `tag` begins with its tag.
    #[inline(always)]
    pub fn sealed(&self, i: usize, tag: &Block) {
        let Tagging::Seal(to) = &self.jobs[i].tag else { unreachable!("a group has jobs of one direction") };
        let to = to.take();
        if let Ok(whole) = <&mut Block>::try_from(&mut *to) {
            *whole = *tag;
        } else {
            short_tag(to, tag);
        }
        self.jobs[i].done.set(Some(Ok(())));
    }

    /// Job `i` is sealed; `write` writes its tag.
    #[inline(always)]
    pub fn sealed_with(&self, i: usize, write: impl FnOnce(&mut [u8])) {
        let Tagging::Seal(to) = &self.jobs[i].tag else { unreachable!("a group has jobs of one direction") };
        write(to.take());
        self.jobs[i].done.set(Some(Ok(())));
    }

    /// The tag that job `i` was given to open.
    #[inline(always)]
    pub fn given(&self, i: usize) -> &[u8] {
        let Tagging::Open(tag) = self.jobs[i].tag else { unreachable!("a group has jobs of one direction") };
        tag
    }

    /// The tag that job `i` was given to open, of 16 bytes.
    #[inline(always)]
    pub fn tag(&self, i: usize) -> Block {
        let Tagging::Open(tag) = self.jobs[i].tag else { unreachable!("a group has jobs of one direction") };
        if let ([whole], []) = tag.as_chunks() {
            return *whole;
        }
        let mut block = [0; 16];
        block[..tag.len()].copy_from_slice(tag);
        block
    }

    /// Whether `tag` begins with the tag of job `i`, in constant time.
    #[inline(always)]
    pub fn is_right(&self, i: usize, tag: &Block) -> bool {
        let Tagging::Open(it) = self.jobs[i].tag else { unreachable!("a group has jobs of one direction") };
        // The usual length apart: it is compared without a loop.
        if let Ok(it) = <&Block>::try_from(it) { equal(tag, it) } else { it.len() <= 16 && equal(&tag[..it.len()], it) }
    }

    /// Job `i` is opened, if `right`; else its message is wiped.
    #[inline(always)]
    pub fn opened(&self, i: usize, right: bool, message: InOut<'_>) {
        if !right {
            message.into_dst().wipe();
        }
        self.jobs[i].done.set(Some(if right { Ok(()) } else { Err(Error::Forged) }));
    }
}

impl<J> Job<'_, J> {
    /// The job by itself under `key`, with what that may keep from one to the next.
    #[inline(always)]
    pub fn alone<K: Scheme>(&self, key: &K, cache: Option<&mut K::Cache>) {
        let done = match &self.tag {
            Tagging::Seal(to) => {
                let (mut io, tag) = (self.take(), to.take());
                let done = if tag.len() == key.settings().tag_len() {
                    scheme::seal_into(key, cache, &self.nonce, self.ad, io.reborrow(), tag)
                } else {
                    Err(Error::TagLength)
                };
                if let Err(why) = done {
                    self.io.set(io);
                    to.set(tag);
                    return self.refuse(why);
                }
                done
            }
            Tagging::Open(tag) => scheme::open(key, cache, &self.nonce, self.ad, self.take(), tag),
        };
        self.done.set(Some(done));
    }
}

/// Writes a tag of less than 16 bytes.
// Apart, so that the usual length stays a copy that is no call: of both in one place the compiler made one call.
#[inline(never)]
fn short_tag(to: &mut [u8], tag: &Block) {
    to.copy_from_slice(&tag[..to.len()]);
}

/// A scheme that takes many messages at once.
pub(crate) trait Many: Raw {
    /// Whether [`side_by_side`](Self::side_by_side) does better than one after the other.
    const TOGETHER: bool = false;

    /// How many go side by side.
    fn lanes(cpu: Cpu) -> usize {
        cpu.lanes()
    }

    /// Whether it does on this tier.
    #[inline(always)]
    fn together(_: Cpu) -> bool {
        Self::TOGETHER
    }

    /// Seals a group on lanes, or opens it. Not called where `TOGETHER` is false.
    fn side_by_side<J>(_: &SideBySide<'_, '_, J, Self>, _open: bool, _: &mut LaneKeys) {
        unreachable!("messages side by side, of a scheme that takes none so")
    }

    /// Which messages of this column, whose keys are of this scheme, [`column`](Self::column) takes.
    fn takes<J: Holds<Self>>(_: Cpu, _: &Column<'_, J>) -> Option<Takes> {
        None
    }

    /// Seals or opens a run of a column, a lane each. Not called of columns that
    /// [`takes`](Self::takes) does not take. What the first run makes of associated data under the
    /// one key that all values have, it leaves in `hash` for the next.
    fn column<J: Holds<Self>>(_: Run<'_, '_, '_, J>, _hash: &mut Option<Block>) {
        unreachable!("a column, of a scheme that takes none")
    }
}
