//! McOE-G, McOE-X and McOE-D (Fleischmann, Forler and Lucks, "McOE: A Family of Almost Foolproof
//! On-Line Authenticated Encryption Schemes", FSE 2012; ePrint 2011/644, with Wenzel), over
//! AES-128, with 16-byte nonces.
//!
//! Status: broken, superseded. McOE-X's key is found with 2^65 work, as every block has a key
//! of its own (Mendel, Mennink, Rijmen and Tischhauser, CANS 2012). With the tag splitting that
//! is here, the sealed message of another length opens with probability 2^-8
//! (`tests/archive/reference/mcoe.rs` shows it; we know of no publication), for all of them;
//! here the length of the message is given, so that only who believes a forged length is hit.
//! POET (FSE 2014), by several of the same authors, masks the last block on both sides. Kept
//! for the comparison of serial modes by Bogdanov, Lauridsen and Tischhauser (2014), which has
//! McOE-G; X and D show what other tweakable ciphers cost. No public code says whether McOE-G's
//! mask is added behind the cipher too, so both readings are here.
//!
//! A chain: each block's tweak is the sum of the block before and its ciphertext. That sum is
//! what the last round gives, since the block goes into its key. What else is on a chain's way,
//! each tweakable cipher's file says: McOE-G's product ([`g`]), McOE-D's second call ([`d`]),
//! McOE-X's key schedule ([`x`]).

mod d;
mod g;
mod keys;
mod tweakable;
mod x;

pub use d::D;
pub use g::G;
pub use x::X;

use crate::about::About;
use crate::archived::{Archived, Work};
use crate::layers::padded;
use crate::serial::{
    self, AD, Header, OPEN, SEAL, Serial, State, States, behind, filled_up, load_last, store_last, tail,
};
use crate::xex::One;
use combseal::Cpu;
use combseal::cpu::Backend;
use combseal::internals::lanes::Lanes;
use combseal::internals::lockstep::LaneKeys;
use combseal::internals::plan::MAX_LANES;
use combseal::internals::{InOut, equal};
use tweakable::Tweakable;

/// McOE with the tweakable cipher `T`.
pub struct Mcoe<T>(T);

impl<T: Tweakable> Archived for Mcoe<T> {
    const ABOUT: &'static About = T::ABOUT;
    const SERIAL: bool = true;

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(T::build(cpu, key))
    }

    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        serial::seal(self, nonce, ad, io, tail);
    }

    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        serial::open(self, nonce, ad, io, tail)
    }

    fn group(jobs: &[Work<'_, '_, Self>], open: bool, lane_keys: &mut LaneKeys) {
        serial::group(jobs, open, lane_keys);
    }
}

/// A state is the next block's tweak, and tau, of which the tag is made: the ciphertext of the
/// last block of nonce and associated data, which is always padded if there are any.
impl<T: Tweakable> Serial for Mcoe<T> {
    const STATE: usize = 2;

    fn cpu(&self) -> Cpu {
        self.0.cpu()
    }

    #[inline(always)]
    fn start<B: Backend>(&self, b: B, nonce: &[u8], _: &[u8]) -> State<One<B>> {
        let b = b.one();
        let nonce = b.load(nonce);
        let tau = self.0.one::<_, false>(b, b.zero(), nonce);
        [b.xor(tau, nonce), tau, b.zero(), b.zero()]
    }

    fn middle(ad: &[u8]) -> &[u8] {
        &ad[..ad.len() & !15]
    }

    #[inline(always)]
    fn absorb<B: Backend>(&self, b: B, [mut tweak, ..]: State<One<B>>, blocks: &[u8]) -> State<One<B>> {
        let b = b.one();
        for block in blocks.as_chunks::<16>().0 {
            let x = b.load(block);
            tweak = b.xor(self.0.one::<_, false>(b, tweak, x), x);
        }
        [tweak, b.zero(), b.zero(), b.zero()]
    }

    #[inline(always)]
    fn ready<B: Backend>(&self, b: B, state: State<One<B>>, _: bool, it: Header<'_>) -> State<One<B>> {
        if it.ad.is_empty() {
            return state;
        }
        let b = b.one();
        let last = padded(b, &it.ad[it.ad.len() & !15..]);
        let tau = self.0.one::<_, false>(b, state[0], last);
        [b.xor(tau, last), tau, b.zero(), b.zero()]
    }

    #[inline(always)]
    fn blocks<B: Backend, const OPEN: bool>(
        &self,
        b: B,
        [tweak, tau, ..]: State<One<B>>,
        io: InOut<'_>,
    ) -> State<One<B>> {
        let none = b.one().zero();
        [self.0.blocks::<B, OPEN>(b, tweak, io), tau, none, none]
    }

    /// A last block that is not whole is filled up with bytes of tau, by tag splitting; a mask
    /// tells how long it was.
    #[inline(always)]
    fn seal_end<B: Backend<One = B>>(&self, b: B, [mut tweak, tau, ..]: State<B::V>, mut last: InOut<'_>) -> B::V {
        let (n, mut y) = (last.len(), b.zero());
        if n > 0 {
            let mut x = load_last(b, &last);
            if n < 16 {
                x = b.xor(filled_up(b, x, tau, n), self.mask(b, n));
            }
            y = self.0.one::<_, false>(b, tweak, x);
            store_last(b, &mut last, y);
            tweak = b.xor(x, y);
        }
        let tag = self.0.one::<_, false>(b, tweak, tau);
        if n == 0 { tag } else { tail(b, y, tag, n) }
    }

    #[inline(always)]
    fn open_end<B: Backend<One = B>>(
        &self,
        b: B,
        [mut tweak, tau, ..]: State<B::V>,
        mut last: InOut<'_>,
        given: &[u8],
    ) -> bool {
        let (n, given, mut wanted) = (last.len(), b.load(given), b.zero());
        if n > 0 {
            let mut y = load_last(b, &last);
            if n < 16 {
                y = filled_up(b, y, given, n);
            }
            let x = self.0.one::<_, true>(b, tweak, y);
            let m = if n < 16 { b.xor(x, self.mask(b, n)) } else { x };
            store_last(b, &mut last, m);
            tweak = b.xor(x, y);
            wanted = m;
        }
        let tag = self.0.one::<_, false>(b, tweak, tau);
        // The tail's last `n` bytes are the first of the tag; behind the message's bytes the
        // block ends with tau.
        let wrong = match n {
            0 | 16 => b.xor(tag, given),
            _ => filled_up(b, b.xor(tag, behind(b, given, n)), b.xor(behind(b, wanted, 16 - n), tau), n),
        };
        equal(&b.block(wrong), &[0; 16])
    }

    fn walk<const KIND: u8>(keys: &[&Self], lane_keys: &mut LaneKeys, lanes: &mut Lanes<'_>, states: &mut States) {
        let mut within = [&keys[0].0; MAX_LANES];
        for (to, key) in within.iter_mut().zip(keys) {
            *to = &key.0;
        }
        let (keys, [tweaks, ..]) = (&within[..keys.len()], states);
        match KIND {
            AD | SEAL => T::side_by_side::<false>(keys, lane_keys, lanes, tweaks),
            OPEN => T::side_by_side::<true>(keys, lane_keys, lanes, tweaks),
            _ => unreachable!("there are three kinds"),
        }
    }
}

impl<T: Tweakable> Mcoe<T> {
    /// What is added to a last block of `n` bytes.
    #[inline(always)]
    fn mask<B: Backend>(&self, b: B, n: usize) -> B::V {
        self.0.one::<_, false>(b, b.splat(&[0xff; 16]), b.load(&(n as u128).to_be_bytes()))
    }
}
