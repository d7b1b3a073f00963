//! A message in parts: between two blocks all that is known of it are the OMACs of nonce and associated
//! data, the chain over the ciphertext, and how many blocks came.

use super::{Eax, number, omac};
use crate::cpu::{Aes, Backend, Block, Enc, InOut, Kernel, ReturnedBlock, Schedule};
use crate::interface::parts::Progress;
use crate::interface::scheme::Parted;
use crate::pipeline::chain::{Chain, EdgeKeys, rounds};
use crate::pipeline::ctr_and_mac::CtrAndMac;
use crate::pipeline::mac_lane::{Subkeys, advance, closing, finish};

crate::cpu::prebuilt! {
    BeginParts<'a, A> = Begin<'a, A::Enc> => (), [128 192 = 256];
    SealPart<'a, A> = Part<'a, A::Enc, true> => (), [128 192 = 256];
    OpenPart<'a, A> = Part<'a, A::Enc, false> => (), [128 192 = 256];
    SealEnd<'a, A> = End<'a, A::Enc, true> => ReturnedBlock, [128 192 = 256];
    OpenEnd<'a, A> = End<'a, A::Enc, false> => ReturnedBlock, [128 192 = 256];
}

impl<A: Aes> Eax<A> {
    fn of(&self) -> Of<'_, A::Enc> {
        Of { keys: &self.enc, sub: &self.sub, omac: &self.omac }
    }
}

impl<A: Aes> Parted for Eax<A> {
    const UNIT: usize = 16;

    fn begin(&self, nonce: &[u8], ad: &[u8], at: &mut Progress) {
        let (of, at) = (self.of(), &mut at.blocks);
        self.settings.cpu.run_prebuilt::<BeginParts, A>(Begin { of, nonce, ad, at });
    }

    #[inline(always)]
    fn part(&self, at: &mut Progress, io: InOut<'_>, open: bool) {
        let (cpu, of, done) = (self.settings.cpu, self.of(), at.done() / 16);
        if open {
            cpu.run_prebuilt::<OpenPart, A>(Part { of, at: &mut at.blocks, done, io });
        } else {
            cpu.run_prebuilt::<SealPart, A>(Part { of, at: &mut at.blocks, done, io });
        }
    }

    fn end(&self, at: &mut Progress, io: InOut<'_>, open: bool) -> Block {
        let (cpu, of, done, at) = (self.settings.cpu, self.of(), at.done() / 16, &at.blocks);
        if open {
            cpu.run_prebuilt::<OpenEnd, A>(End { of, at, done, io }).block()
        } else {
            cpu.run_prebuilt::<SealEnd, A>(End { of, at, done, io }).block()
        }
    }
}

/// Where in [`Progress::blocks`] the OMAC of the nonce is, which is
/// the first counter.
const NONCE: usize = 0;
/// Where that of the associated data is.
const AD: usize = 1;
/// Where the chain is, with round key 0 and the blocks so far.
const CHAIN: usize = 2;

/// What all kernels here have of a key.
struct Of<'a, S> {
    keys: &'a S,
    sub: &'a Subkeys,
    omac: &'a [Block; 3],
}

/// The OMACs of nonce and associated data.
struct Begin<'a, S> {
    of: Of<'a, S>,
    nonce: &'a [u8],
    ad: &'a [u8],
    at: &'a mut [Block; 8],
}
impl<S: Schedule> Kernel for Begin<'_, S> {
    type Out = ();
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let (b, Self { of, nonce, ad, at }) = (b.one(), self);
        let keys = Enc(of.keys);
        let edge = EdgeKeys::new(b, &keys, 0);
        let mut lanes = [omac(b, &edge, of.sub, of.omac, 0, nonce), omac(b, &edge, of.sub, of.omac, 1, ad)];
        let steps = lanes[0].left;
        advance(b, &keys, &edge, &mut lanes, steps);
        let [nonce, mut ad] = lanes;
        finish(b, &keys, &edge, &mut ad);
        b.store(&mut at[NONCE], nonce.x);
        b.store(&mut at[AD], ad.x);
        b.store(&mut at[CHAIN], b.xor(edge.first, b.splat(&of.omac[2])));
    }
}

/// The next part, `done` blocks being behind it: whole blocks.
struct Part<'a, S, const SEAL: bool> {
    of: Of<'a, S>,
    at: &'a mut [Block; 8],
    done: u64,
    io: InOut<'a>,
}
impl<S: Schedule, const SEAL: bool> Kernel for Part<'_, S, SEAL> {
    type Out = ();
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let (b, Self { of, at, done, io }) = (b.one(), self);
        let keys = Enc(of.keys);
        let edge = EdgeKeys::new(b, &keys, 0);
        // The cipher is due for the last block that was taken in, and will be for this part's:
        // whether that is the message's last, nobody knows yet.
        let chain = Chain { x: b.load(&at[CHAIN]), due: done > 0 };
        let mut ctr_and_mac = CtrAndMac::<_, _, _, true>::new(b, &keys, &keys, edge, b.load(&counter(at, done)), chain);
        ctr_and_mac.run::<SEAL>(io, b.zero(), None);
        b.store(&mut at[CHAIN], ctr_and_mac.chain.x);
    }
}

/// The counter of block `done`. It is made of the key, so that its carries must not show in the time.
#[inline(always)]
fn counter(at: &[Block; 8], done: u64) -> Block {
    u128::from_be_bytes(at[NONCE]).wrapping_add(done.into()).to_be_bytes()
}

/// The end: less than a block, or nothing, and the tag.
struct End<'a, S, const SEAL: bool> {
    of: Of<'a, S>,
    at: &'a [Block; 8],
    done: u64,
    io: InOut<'a>,
}
impl<S: Schedule, const SEAL: bool> Kernel for End<'_, S, SEAL> {
    type Out = ReturnedBlock;
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let (one, Self { of, at, done, io }) = (b.one(), self);
        let keys = Enc(of.keys);
        let edge = EdgeKeys::new(one, &keys, 0);
        let mut chain = Chain { x: one.load(&at[CHAIN]), due: done > 0 };
        let len = io.len();
        if len > 0 {
            let mut ctr_and_mac =
                CtrAndMac::<_, _, _, true>::new(one, &keys, &keys, edge, one.load(&counter(at, done)), chain);
            ctr_and_mac.run::<SEAL>(io, closing(one, of.sub, len), None);
            chain = ctr_and_mac.chain;
        } else if done > 0 {
            chain.x = one.xor(chain.x, closing(one, of.sub, 16));
        } else {
            // The block that holds 2 is the last, and whole.
            chain.x = one.xor(edge.first, one.xor(number(one, 2), closing(one, of.sub, 16)));
        }
        let others = one.xor(one.load(&at[NONCE]), one.load(&at[AD]));
        let [tag] = rounds(one, &keys, [chain.x], [one.xor(edge.last, others)]);
        one.returned(tag)
    }
}
