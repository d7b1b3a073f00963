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
use crate::nonce;
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

    #[inline(always)]
    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        serial::seal(self, nonce, ad, io, tail);
    }

    #[inline(always)]
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
    const TOGETHER: bool = true;

    fn cpu(&self) -> Cpu {
        self.0.cpu()
    }

    #[inline(always)]
    fn start<B: Backend, const M: usize>(b: B, keys: [&Self; M], it: [Header<'_>; M]) -> [State<One<B>>; M] {
        let b = b.one();
        let mut nonces = [b.zero(); M];
        for j in 0..M {
            nonces[j] = nonce::register(b, nonce::number::<16>(it[j].nonce));
        }
        let taus = T::ones::<_, false, M>(b, ciphers(keys), [b.zero(); M], nonces);
        begun(b, nonces, taus)
    }

    fn middle(ad: &[u8]) -> &[u8] {
        &ad[..ad.len() & !15]
    }

    #[inline(always)]
    fn absorb<B: Backend>(&self, b: B, [mut tweak, ..]: State<One<B>>, blocks: &[u8]) -> State<One<B>> {
        let b = b.one();
        for block in blocks.as_chunks::<16>().0 {
            let x = b.load(block);
            let [y] = T::ones::<_, false, 1>(b, [&self.0], [tweak], [x]);
            tweak = b.xor(y, x);
        }
        [tweak, b.zero(), b.zero(), b.zero()]
    }

    #[inline(always)]
    fn ready<B: Backend, const M: usize>(
        b: B,
        keys: [&Self; M],
        mut states: [State<One<B>>; M],
        _: bool,
        it: [Header<'_>; M],
    ) -> [State<One<B>>; M] {
        let (b, mut any) = (b.one(), false);
        let (mut tweaks, mut last) = ([b.zero(); M], [b.zero(); M]);
        for j in 0..M {
            if !it[j].ad.is_empty() {
                (last[j], any) = (padded(b, &it[j].ad[it[j].ad.len() & !15..]), true);
            }
            tweaks[j] = states[j][0];
        }
        if any {
            let taus = T::ones::<_, false, M>(b, ciphers(keys), tweaks, last);
            let after = begun(b, last, taus);
            for j in 0..M {
                if !it[j].ad.is_empty() {
                    states[j] = after[j];
                }
            }
        }
        states
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
    fn seal_ends<B: Backend<One = B>, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<B::V>; M],
        last: &mut [InOut<'_>; M],
    ) -> [B::V; M] {
        let masks = masks(b, keys, last);
        let (mut tweaks, mut taus, mut x) = ([b.zero(); M], [b.zero(); M], [b.zero(); M]);
        for j in 0..M {
            let n = last[j].len();
            [tweaks[j], taus[j], ..] = states[j];
            if n > 0 {
                x[j] = load_last(b, &last[j]);
            }
            if n > 0 && n < 16 {
                x[j] = b.xor(filled_up(b, x[j], taus[j], n), masks[j]);
            }
        }
        let mut y = x;
        if last.iter().any(|io| !io.is_empty()) {
            y = T::ones::<_, false, M>(b, ciphers(keys), tweaks, x);
        }
        for j in 0..M {
            if !last[j].is_empty() {
                store_last(b, &mut last[j], y[j]);
                tweaks[j] = b.xor(x[j], y[j]);
            }
        }
        let mut tags = T::ones::<_, false, M>(b, ciphers(keys), tweaks, taus);
        for j in 0..M {
            if !last[j].is_empty() {
                tags[j] = tail(b, y[j], tags[j], last[j].len());
            }
        }
        tags
    }

    #[inline(always)]
    fn open_ends<B: Backend<One = B>, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<B::V>; M],
        last: &mut [InOut<'_>; M],
        tails: [&[u8]; M],
    ) -> [bool; M] {
        let masks = masks(b, keys, last);
        let (mut tweaks, mut taus) = ([b.zero(); M], [b.zero(); M]);
        let (mut given, mut y, mut wanted) = ([b.zero(); M], [b.zero(); M], [b.zero(); M]);
        for j in 0..M {
            let n = last[j].len();
            [tweaks[j], taus[j], ..] = states[j];
            given[j] = b.load(tails[j]);
            if n > 0 {
                y[j] = load_last(b, &last[j]);
            }
            if n > 0 && n < 16 {
                y[j] = filled_up(b, y[j], given[j], n);
            }
        }
        let mut x = y;
        if last.iter().any(|io| !io.is_empty()) {
            x = T::ones::<_, true, M>(b, ciphers(keys), tweaks, y);
        }
        for j in 0..M {
            let n = last[j].len();
            if n > 0 {
                wanted[j] = if n < 16 { b.xor(x[j], masks[j]) } else { x[j] };
                store_last(b, &mut last[j], wanted[j]);
                tweaks[j] = b.xor(x[j], y[j]);
            }
        }
        let tags = T::ones::<_, false, M>(b, ciphers(keys), tweaks, taus);
        let mut right = [false; M];
        for j in 0..M {
            let (tag, given) = (tags[j], given[j]);
            // The tail's last `n` bytes are the first of the tag; behind the message's bytes the
            // block ends with tau.
            let wrong = match last[j].len() {
                0 | 16 => b.xor(tag, given),
                n => filled_up(b, b.xor(tag, behind(b, given, n)), b.xor(behind(b, wanted[j], 16 - n), taus[j]), n),
            };
            right[j] = equal(&b.block(wrong), &[0; 16]);
        }
        right
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

/// The ciphers of messages' keys.
#[inline(always)]
fn ciphers<T, const M: usize>(keys: [&Mcoe<T>; M]) -> [&T; M] {
    let mut all = [&keys[0].0; M];
    for j in 0..M {
        all[j] = &keys[j].0;
    }
    all
}

/// States behind the blocks `x`, of which the ciphertexts are `taus`.
#[inline(always)]
fn begun<B: Backend<One = B>, const M: usize>(b: B, x: [B::V; M], taus: [B::V; M]) -> [State<B::V>; M] {
    let mut states = [[b.zero(); 4]; M];
    for j in 0..M {
        (states[j][0], states[j][1]) = (b.xor(taus[j], x[j]), taus[j]);
    }
    states
}

/// What is added to last blocks that are not whole.
#[inline(always)]
fn masks<T: Tweakable, B: Backend<One = B>, const M: usize>(
    b: B,
    keys: [&Mcoe<T>; M],
    last: &[InOut<'_>; M],
) -> [B::V; M] {
    let (mut lengths, mut any) = ([b.zero(); M], false);
    for j in 0..M {
        let n = last[j].len();
        any |= n % 16 > 0;
        lengths[j] = b.load(&(n as u128).to_be_bytes());
    }
    if !any {
        return lengths;
    }
    T::ones::<_, false, M>(b, ciphers(keys), [b.splat(&[0xff; 16]); M], lengths)
}
