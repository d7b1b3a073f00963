//! A message in parts: between two of them, all that is known of it is the first counter block, how many
//! blocks came, and the hash of these, of which the last group may wait (`raw/ctr_hash/parts.rs`).

use super::{Gcm, Material, initial};
use crate::cpu::{Aes, Backend, Block, InOut, Kernel, ReturnedBlock, Schedule};
use crate::interface::parts::Progress;
use crate::interface::scheme::Parted;
use crate::raw::ctr_hash::parts::Between;
use crate::raw::ctr_hash::{CtrHash, long_length_block};
use crate::raw::polyval::ROOM;

crate::cpu::prebuilt! {
    BeginParts<'a, A> = Begin<'a, A::Enc> => (), [128 192 = 256];
    SealPart<'a, A> = Part<'a, A::Enc, true> => (), [128 192 = 256];
    OpenPart<'a, A> = Part<'a, A::Enc, false> => (), [128 192 = 256];
    SealEnd<'a, A> = End<'a, A::Enc, true> => ReturnedBlock, [128 192 = 256];
    OpenEnd<'a, A> = End<'a, A::Enc, false> => ReturnedBlock, [128 192 = 256];
}

impl<A: Aes> Parted for Gcm<A> {
    const UNIT: usize = 16;

    fn begin(&self, nonce: &[u8], ad: &[u8], at: &mut Progress) {
        self.key.settings.cpu.run_prebuilt::<BeginParts, A>(Begin { key: &self.key, nonce, ad, at });
    }

    #[inline(always)]
    fn part(&self, at: &mut Progress, io: InOut<'_>, open: bool) {
        // As many blocks as the longest message has fit into 32 bits.
        let (cpu, key, done) = (self.key.settings.cpu, &self.key, (at.done() / 16) as u32);
        if open {
            cpu.run_prebuilt::<OpenPart, A>(Part { key, at, done, io });
        } else {
            cpu.run_prebuilt::<SealPart, A>(Part { key, at, done, io });
        }
    }

    fn end(&self, at: &mut Progress, io: InOut<'_>, open: bool) -> Block {
        let (cpu, key, done) = (self.key.settings.cpu, &self.key, (at.done() / 16) as u32);
        let lengths = [at.done() + io.len() as u64, at.ad_len()];
        if open {
            cpu.run_prebuilt::<OpenEnd, A>(End { key, at, done, lengths, io }).block()
        } else {
            cpu.run_prebuilt::<SealEnd, A>(End { key, at, done, lengths, io }).block()
        }
    }
}

/// What is in [`Progress`]: J0, its bytes reversed, and the hash.
#[inline(always)]
fn parted(at: &mut Progress) -> (&mut Block, Between<'_>) {
    let [first, lanes @ .., _, _, _] = &mut at.blocks;
    (first, Between { lanes, group: &mut at.group, waits: &mut at.group_waits })
}

/// J0, and the hash of the associated data.
struct Begin<'a, S: Schedule> {
    key: &'a Material<S>,
    nonce: &'a [u8],
    ad: &'a [u8],
    at: &'a mut Progress,
}
impl<S: Schedule> Kernel for Begin<'_, S> {
    type Out = ();
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { key, nonce, ad, at } = self;
        let (first, mut between) = parted(at);
        let j0 = initial(b, &key.powers, nonce);
        b.one().store(first, j0);
        let message = CtrHash::<B, S, true, ROOM>::new(b, &key.enc, j0, &key.powers);
        message.begin_parts::<N>(ad, &mut between);
    }
}

/// The next part, `done` blocks being behind it: whole blocks.
struct Part<'a, S: Schedule, const SEAL: bool> {
    key: &'a Material<S>,
    at: &'a mut Progress,
    done: u32,
    io: InOut<'a>,
}
impl<S: Schedule, const SEAL: bool> Kernel for Part<'_, S, SEAL> {
    type Out = ();
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { key, at, done, io } = self;
        let (first, mut between) = parted(at);
        resumed::<S, B>(b, key, first).part::<N, SEAL>(done, io, &mut between);
    }
}

/// The end: less than a block, or nothing, and the tag.
struct End<'a, S: Schedule, const SEAL: bool> {
    key: &'a Material<S>,
    at: &'a mut Progress,
    done: u32,
    /// Bytes of message and of associated data, as the length block has them.
    lengths: [u64; 2],
    io: InOut<'a>,
}
impl<S: Schedule, const SEAL: bool> Kernel for End<'_, S, SEAL> {
    type Out = ReturnedBlock;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let Self { key, at, done, lengths, io } = self;
        let one = b.one();
        let (first, mut between) = parted(at);
        resumed::<S, B>(b, key, first).part::<N, SEAL>(done, io, &mut between);
        let lengths = long_length_block::<B::One>(one, lengths[0], lengths[1]);
        let (hash, mask) = resumed::<S, B>(b, key, first).ended::<N>(lengths, &mut between);
        one.returned(one.xor(one.rev(hash), mask))
    }
}

#[inline(always)]
fn resumed<'a, S: Schedule, B: Backend>(b: B, key: &'a Material<S>, first: &Block) -> CtrHash<'a, B, S, true, ROOM> {
    CtrHash::new(b, &key.enc, b.one().load(first), &key.powers)
}
