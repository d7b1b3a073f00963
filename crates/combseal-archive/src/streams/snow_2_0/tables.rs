//! SNOW 2.0 by tables, and what its tunings share: the state, the register of a key.

use super::super::about::About;
use super::super::alpha::{over_alpha, times_alpha};
use super::super::cipher::Cipher;
use super::super::words::{be32, le32, xor_le};
use super::sbox::sbox;
use crate::about::Status;
use combseal::Cpu;
use combseal::internals::Wipe;

/// The shift register and the two registers of the finite state machine.
pub struct State {
    pub(super) s: [u32; 16],
    pub(super) r: [u32; 2],
}

impl Drop for State {
    #[inline]
    fn drop(&mut self) {
        self.s.wipe();
        self.r.wipe();
    }
}

/// `$body` for each `$i` of sixteen clocks, written out.
macro_rules! sixteen {
    ($i:ident, $body:block) => { sixteen!(@ $i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    (@ $i:ident $body:block $($n:literal)*) => {$({
        let $i: usize = $n;
        $body
    })*};
}
pub(super) use sixteen;

impl State {
    /// Clock `i` of sixteen, when word `i` of the array is the oldest. Gives the word of key stream.
    #[inline(always)]
    pub(super) fn clock<const START: bool>(&mut self, i: usize) -> u32 {
        let (s, [r1, r2]) = (&mut self.s, self.r);
        let f = s[(i + 15) % 16].wrapping_add(r1) ^ r2;
        let oldest = s[i % 16];
        s[i % 16] = times_alpha(oldest) ^ s[(i + 2) % 16] ^ over_alpha(s[(i + 11) % 16]);
        if START {
            s[i % 16] ^= f;
        }
        self.r = [r2.wrapping_add(s[(i + 5) % 16]), sbox(r1)];
        f ^ oldest
    }

    /// The state in which the first word of key stream is made, of a key's register: after 33 clocks,
    /// of which the first has its oldest word last in the array, so that then it is the first.
    #[inline(always)]
    pub(super) fn start(key: [u32; 16], nonce: &[u8]) -> Self {
        let mut it = Self { s: key, r: [0; 2] };
        it.s[14] ^= le32(nonce, 3);
        it.s[11] ^= le32(nonce, 2);
        it.s[9] ^= le32(nonce, 1);
        it.s[8] ^= le32(nonce, 0);
        for _ in 0..2 {
            sixteen!(i, {
                it.clock::<true>(i + 15);
            });
        }
        it.clock::<false>(15);
        it
    }
}

/// The register that a key begins with: it and its complement in turn, from the last word down; the
/// oldest word is behind the others, as [`State::start`] wants it.
pub(super) fn register(key: &[u8]) -> [u32; 16] {
    let (mut s, words) = ([0; 16], key.len() / 4);
    for i in 0..words {
        let word = be32(key, i);
        (s[14 - i], s[(30 - words - i) % 16]) = (word, !word);
        if words == 4 {
            (s[6 - i], s[(18 - i) % 16]) = (word, !word);
        }
    }
    s
}

pub(super) const fn about(tuning: &'static str) -> About {
    About {
        name: "snow-2.0",
        key_lens: &[32, 16],
        nonce_lens: &[16],
        source: "Ekdahl and Johansson, SAC 2002; ISO/IEC 18033-4",
        status: Status::InUse,
        history: "a distinguisher of 2^174 (Nyberg and Wallén, FSE 2006) and a fast correlation attack of 2^164 \
                  (Zhang, Xu and Meier, CRYPTO 2015) are known",
        constant_time: false,
        tuning,
        context_2007: Some(124),
        confirmed: true,
    }
}

/// SNOW 2.0 by tables, one for each byte that a word is made of.
pub struct Tables([u32; 16]);

impl Drop for Tables {
    #[inline]
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl Cipher for Tables {
    const ABOUT: &'static About = &const { about("tables") };
    const BLOCK: usize = 64;
    type State = State;

    fn expand(_: Cpu, key: &[u8]) -> Self {
        Self(register(key))
    }

    fn start(&self, nonce: &[u8]) -> State {
        State::start(self.0, nonce)
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        let mut it = State { s: state.s, r: state.r };
        for block in data.as_chunks_mut::<64>().0 {
            let mut z = [0; 16];
            sixteen!(i, {
                z[i] = it.clock::<false>(i);
            });
            xor_le(block, z);
        }
        (state.s, state.r) = (it.s, it.r);
    }
}
