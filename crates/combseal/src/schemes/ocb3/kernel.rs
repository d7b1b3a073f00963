//! The kernels: a message sealed or opened, associated data hashed (Krovetz and Rogaway 2021,
//! Fig. 1, lines 100 to 10K and 130 to 14A; RFC 7253, sect. 4.1 to 4.3), for any backend.
//!
//! A message is groups of registers and a rest. The rest takes one pass through the cipher, or two if it is more
//! than half a group, and a part of a block one of its own. The tag goes with the last one, since it waits for
//! nothing there: when sealing, and when opening if the tag that was given has 16 bytes (`open`). A short message is
//! nothing but a rest. Long ones use whatever registers the tier has to the end; of short ones, what does not fill a
//! register goes block by block, which is less work than putting blocks together.

use super::group::WIDTH;
use super::hash::hash;
use super::key::Material;
use super::nonce;
use super::open::Inputs;
use super::pass::One;
use super::walk::{Walk, tag};
use crate::cpu::{Backend, Block, Enc, InOut, Invertible, Kernel, ReturnedBlock};

/// Bytes from which on a message is long: as many as the smallest group has, so that a
/// short message is nothing but a rest on every tier.
const SHORT: usize = 16 * WIDTH;

/// Whether a message of `len` bytes is short.
#[inline(always)]
pub(super) fn is_short(len: usize) -> bool {
    len < SHORT
}

/// A message to be sealed or opened, whose associated data are hashed already.
pub(super) struct Message<'a, S: Invertible> {
    pub key: &'a Material<S>,
    pub cache: Option<&'a mut nonce::Cache>,
    pub nonce: &'a [u8],
    pub io: InOut<'a>,
}

/// Seals; gives the tag. Short messages have a door of their own, which saves fewer
/// registers.
pub(super) struct Seal<'a, S: Invertible, const LONG: bool> {
    pub message: Message<'a, S>,
    /// HASH(A).
    pub auth: &'a Block,
}

/// Decrypts; gives a block that is zero if `tag` is right, and only then.
pub(super) struct Open<'a, S: Invertible, const LONG: bool> {
    pub message: Message<'a, S>,
    /// HASH(A).
    pub auth: &'a Block,
    pub tag: &'a [u8],
}

/// HASH(A), into a block.
pub(super) struct Hash<'a, S: Invertible> {
    pub key: &'a Material<S>,
    pub ad: &'a [u8],
    pub hash: &'a mut Block,
}

impl<S: Invertible, const LONG: bool> Kernel for Seal<'_, S, LONG> {
    type Out = ReturnedBlock;
    const SPILLS: bool = LONG;
    const ON_WIDE_SOFT: bool = LONG;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let one = b.one();
        one.returned(self.message.seal::<B, LONG>(b, one.load(self.auth)))
    }
}

impl<S: Invertible, const LONG: bool> Kernel for Open<'_, S, LONG> {
    type Out = ReturnedBlock;
    const SPILLS: bool = LONG;
    const ON_WIDE_SOFT: bool = LONG;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let (one, auth, key) = (b.one(), b.one().load(self.auth), self.message.key);
        let whole = <&Block>::try_from(self.tag).ok();
        let given = whole.map(|tag| one.xor(one.load(tag), auth));
        let Inputs { right, given } = self.message.open::<B, LONG>(b, given);
        one.returned(if whole.is_some() {
            one.xor(right, given)
        } else {
            one.xor(one.keep(tag(one, key, right, auth), self.tag.len()), one.load_part(self.tag))
        })
    }
}

impl<S: Invertible> Kernel for Hash<'_, S> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let sum = hash(b, self.key, self.ad);
        b.one().store(self.hash, sum);
    }
}

impl<'a, S: Invertible> Message<'a, S> {
    /// Seals; gives the tag, if HASH(A) is `auth`.
    #[inline(always)]
    pub fn seal<B: Backend, const LONG: bool>(self, b: B, auth: One<B>) -> One<B> {
        let keys = Enc(&self.key.enc);
        let mut walk = self.begin(b);
        if LONG {
            walk.groups::<_, true>(keys);
        }
        walk.seal_rest::<LONG>(auth)
    }

    /// Decrypts. `given` is the sum of the tag that was given and HASH(A), if that tag has 16 bytes.
    #[inline(always)]
    pub fn open<B: Backend, const LONG: bool>(self, b: B, given: Option<One<B>>) -> Inputs<One<B>> {
        let walk = self.begin(b);
        if LONG { walk.open_long(given) } else { walk.open_short(given) }
    }

    /// Before the first block.
    #[inline(always)]
    fn begin<B: Backend>(self, b: B) -> Walk<'a, S, B> {
        let Self { key, cache, nonce, io } = self;
        let offset = nonce::initial(b.one(), key, cache, nonce);
        Walk { b, key, io, offset, blocks: 0, checksum: b.zero() }
    }
}
