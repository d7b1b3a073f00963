//! What a scheme of the archive does: a key from bytes, a message sealed and opened, and, if
//! it is serial, many at once.

use crate::about::About;
use combseal::internals::InOut;
use combseal::internals::lanes::Blocks;
use combseal::internals::lockstep::LaneKeys;
use combseal::{Cpu, Error};
use std::cell::Cell;

/// A key of one scheme. Its functions are given lengths that the scheme takes: `registry.rs`
/// has checked them.
pub trait Archived: Sized {
    /// What is known of the scheme.
    const ABOUT: &'static About;

    /// Whether [`group`](Self::group) does better than one message after the other.
    const SERIAL: bool = false;

    /// Expands `key`, of the scheme's length, for the tier `cpu`.
    fn build(cpu: Cpu, key: &[u8]) -> Self;

    /// How many bytes sealing adds to a message of `len` bytes.
    fn tail_len(_len: usize) -> usize {
        Self::ABOUT.tag_bits as usize / 8
    }

    /// Seals `io`; what it does not hold of the sealed message goes to `tail`.
    ///
    /// This and `open` must be `#[inline(always)]`, and hand `io` on to what is not inlined by
    /// [`reborrow`](InOut::reborrow) alone. Else it lies in memory, written word by word and read as a whole, and
    /// that load waits until the message before is done, for a [`Key`](crate::Key) of every scheme.
    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]);

    /// Decrypts `io` and says whether the message is authentic. If not, the caller wipes the
    /// output.
    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool;

    /// Does 1 to 16 jobs on the same tier side by side, all to be sealed or all to be opened,
    /// none with more blocks than the one before it. Not called where `SERIAL` is false.
    fn group(_: &[Work<'_, '_, Self>], _open: bool, _: &mut LaneKeys) {}
}

/// A job with its key, as a scheme sees it.
pub struct Work<'g, 'a, K> {
    pub key: &'g K,
    pub job: &'g Job<'a>,
}
impl<K> Clone for Work<'_, '_, K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Work<'_, '_, K> {}

/// One message of a batch, to be sealed or opened.
pub struct Job<'a> {
    pub nonce: &'a [u8],
    pub ad: &'a [u8],
    /// Bytes in the message.
    pub len: usize,
    pub io: Cell<InOut<'a>>,
    pub tail: Tail<'a>,
    /// `None` until it is done.
    pub done: Cell<Option<Result<(), Error>>>,
}

/// What becomes of the rest of a sealed message.
pub enum Tail<'a> {
    /// It is to be written.
    Seal(Cell<&'a mut [u8]>),
    /// It is to be compared.
    Open(&'a [u8]),
}

impl<'a> Job<'a> {
    /// The message, taken away.
    // By `cut`, which makes an `InOut` of its three words. One that is moved, the compiler stores word by word and loads as a
    // whole, and the CPU cannot forward several stores to one load: it waits until they have reached the cache.
    #[inline(always)]
    pub fn take(&self) -> InOut<'a> {
        let mut io = self.io.replace(InOut::in_place(&mut []));
        let len = io.len();
        io.cut(len)
    }

    /// The job is sealed, and this is its tag.
    pub fn sealed(&self, tag: &[u8]) {
        if let Tail::Seal(tail) = &self.tail {
            tail.take().copy_from_slice(tag);
        }
        self.done.set(Some(Ok(())));
    }

    /// The job is opened, if `right`; else its message is wiped.
    pub fn opened(&self, right: bool, message: InOut<'_>) {
        if !right {
            wipe(message);
        }
        self.done.set(Some(if right { Ok(()) } else { Err(Error::Forged) }));
    }
}

/// A message that goes on lanes, to be read and written there.
pub fn written(message: Option<InOut<'_>>) -> Blocks<'_> {
    match message {
        Some(io) => Blocks::write(io),
        None => unreachable!("each message of a group goes on lanes once"),
    }
}

/// Zeroes the output.
#[cold]
#[inline(always)]
pub fn wipe(message: InOut<'_>) {
    combseal::internals::Wipe::wipe(message.into_dst());
}
