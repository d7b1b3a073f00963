//! A message in parts: between two blocks, all that is known of it is the first counter block, how many
//! blocks came, and the hash of these.

use super::{Gcm, initial};
use crate::cpu::{Aes, Backend, Block, InOut, Kernel, ReturnedBlock};
use crate::raw::ctr_hash::{CtrHash, long_length_block};
use crate::raw::polyval::ROOM;

/// Where in [`Progress::blocks`](crate::interface::parts::Progress) J0 is, its bytes reversed.
const FIRST: usize = 0;
/// Where the hash is.
const HASH: usize = 1;

/// J0, and the hash of the associated data.
pub(super) struct Begin<'a, A: Aes> {
    pub key: &'a Gcm<A>,
    pub nonce: &'a [u8],
    pub ad: &'a [u8],
    pub at: &'a mut [Block; 8],
}
impl<A: Aes> Kernel for Begin<'_, A> {
    type Out = ();
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { key, nonce, ad, at } = self;
        let one = b.one();
        let j0 = initial(b, &key.powers, nonce);
        one.store(&mut at[FIRST], j0);
        let message = CtrHash::<B, A::Enc, true, ROOM>::new(b, &key.enc, j0, &key.powers);
        one.store(&mut at[HASH], message.ad::<N>(ad));
    }
}

/// The next part, `done` blocks being behind it: whole blocks.
pub(super) struct Part<'a, A: Aes, const SEAL: bool> {
    pub key: &'a Gcm<A>,
    pub at: &'a mut [Block; 8],
    pub done: u32,
    pub io: InOut<'a>,
}
impl<A: Aes, const SEAL: bool> Kernel for Part<'_, A, SEAL> {
    type Out = ();
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { key, at, done, io } = self;
        let one = b.one();
        let hash = resumed::<A, B>(b, key, at, done).part::<N, SEAL>(io);
        one.store(&mut at[HASH], hash);
    }
}

/// The end: less than a block, or nothing, and the tag.
pub(super) struct End<'a, A: Aes, const SEAL: bool> {
    pub key: &'a Gcm<A>,
    pub at: &'a mut [Block; 8],
    pub done: u32,
    /// Bytes of message and of associated data, as the length block has them.
    pub lengths: [u64; 2],
    pub io: InOut<'a>,
}
impl<A: Aes, const SEAL: bool> Kernel for End<'_, A, SEAL> {
    type Out = ReturnedBlock;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let Self { key, at, done, lengths, io } = self;
        let one = b.one();
        let hash = resumed::<A, B>(b, key, at, done).part::<N, SEAL>(io);
        one.store(&mut at[HASH], hash);
        let lengths = long_length_block::<B::One>(one, lengths[0], lengths[1]);
        let (hash, mask) = resumed::<A, B>(b, key, at, done).ended(lengths);
        one.returned(one.xor(one.rev(hash), mask))
    }
}

#[inline(always)]
fn resumed<'a, A: Aes, B: Backend>(
    b: B,
    key: &'a Gcm<A>,
    at: &[Block; 8],
    done: u32,
) -> CtrHash<'a, B, A::Enc, true, ROOM> {
    let one = b.one();
    CtrHash::new(b, &key.enc, one.load(&at[FIRST]), &key.powers).resumed(done, one.load(&at[HASH]))
}
