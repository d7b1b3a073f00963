//! HC-128 (Wu, "The Stream Cipher HC-128", eSTREAM, 2006; New Stream Cipher Designs, LNCS 4986,
//! 2008): two secret tables of 512 words that renew one another.
//!
//! Status: in eSTREAM's portfolio for software, and not broken. The best distinguisher known to us
//! needs 2^152.5 words of key stream (Stankovski, Ruj, Hell and Johansson, Designs, Codes and
//! Cryptography 63, 2012). Kept as one of the paper's ciphers: with HC-256 the one whose set-up
//! costs most beside what a byte costs. Not constant-time: the tables are looked up by secret
//! words.
//!
//! Sixteen steps at a time, written out: what they read of their own table lies in these sixteen
//! words, in the sixteen before or at the beginning of those behind, so that three places are all
//! that must be found anew.

mod side_by_side;

use super::about::About;
use super::cipher::Cipher;
use super::hc::{Expansion, xor_word};
use super::unrolled::unrolled;
use super::words::le32;
use crate::about::Status;
use combseal::Cpu;
use combseal::cpu::{Backend, Kernel};
use combseal::internals::Wipe;

/// Words in a table.
const TABLE: usize = 512;
/// Steps at a time, which are words of key stream.
const STEPS: usize = 16;
/// Times that, until all of a table is new.
const TURNS: usize = TABLE / STEPS;

/// HC-128 under a key.
pub struct Hc128 {
    key: [u8; 16],
    cpu: Cpu,
}

/// Both tables, and which sixteen steps come next, of 64 times sixteen.
pub struct State {
    p: [u32; TABLE],
    q: [u32; TABLE],
    turn: usize,
}

impl Drop for Hc128 {
    fn drop(&mut self) {
        self.key.wipe();
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.p.wipe();
        self.q.wipe();
    }
}

impl Cipher for Hc128 {
    const ABOUT: &'static About = &About {
        name: "hc-128",
        key_lens: &[16],
        nonce_lens: &[16],
        source: "Wu, \"The Stream Cipher HC-128\", eSTREAM, 2006",
        status: Status::NotChosen,
        history: "in eSTREAM's portfolio for software; the best distinguisher known to us needs 2^152.5 words of key \
                  stream (Stankovski, Ruj, Hell and Johansson 2012)",
        constant_time: false,
        tuning: "16 steps written out",
        context_2007: Some(4316),
        confirmed: true,
    };
    const BLOCK: usize = 4 * STEPS;
    type State = State;

    #[inline]
    fn expand(cpu: Cpu, key: &[u8]) -> Self {
        let mut it = Self { key: [0; 16], cpu };
        it.key.copy_from_slice(key);
        it
    }

    #[inline]
    fn start(&self, nonce: &[u8]) -> State {
        let mut state = State { p: [0; TABLE], q: [0; TABLE], turn: 0 };
        self.cpu.run(Start { key: &self.key, nonce, state: &mut state });
        state
    }

    #[inline]
    fn xor(&self, state: &mut State, data: &mut [u8]) {
        self.cpu.run(Xor { state, data });
    }
}

/// Sixteen steps: renews as many words of table `a` and gives as many words of key stream away, one
/// at a time: all at once the compiler would look them up with one slow instruction. `P` is whether `a` is the first table, which turns its words right; `FEED_BACK` whether the
/// key stream goes into the table, as it does in the set-up.
#[inline(always)]
fn steps<const P: bool, const FEED_BACK: bool>(
    a: &mut [u32; TABLE],
    b: &[u32; TABLE],
    turn: usize,
    mut give: impl FnMut(usize, u32),
) {
    let place = |turn: usize| turn % TURNS * STEPS;
    let (before, here, behind) = (place(turn + TURNS - 1), place(turn), place(turn + 1));
    let mut new = [0; STEPS];
    // Each word is read once: as the one ahead, then as the one to be renewed.
    let mut old = a[here];
    unrolled!(i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
        let back = |n: usize| if i >= n { new[i - n] } else { a[before + STEPS + i - n] };
        let (x3, x10, x12) = (back(3), back(10), back(12));
        let ahead = if i + 1 < STEPS { a[here + i + 1] } else { a[behind] };
        let turned = if P {
            old.wrapping_add(x10.rotate_right(8)).wrapping_add(x3.rotate_right(10) ^ ahead.rotate_right(23))
        } else {
            old.wrapping_add(x10.rotate_left(8)).wrapping_add(x3.rotate_left(10) ^ ahead.rotate_left(23))
        };
        let out = turned ^ b[usize::from(x12 as u8)].wrapping_add(b[256 + usize::from((x12 >> 16) as u8)]);
        new[i] = if FEED_BACK { out } else { turned };
        a[here + i] = new[i];
        give(i, out);
        old = ahead;
    });
    let _ = old;
}

/// Key and nonce into the tables, and 1,024 steps whose key stream goes into the tables.
struct Start<'a> {
    key: &'a [u8; 16],
    nonce: &'a [u8],
    state: &'a mut State,
}
impl Kernel for Start<'_> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, _: B) {
        let State { p, q, .. } = self.state;
        let word = |i: usize| if i < 8 { le32(self.key, i % 4) } else { le32(self.nonce, i % 4) };
        let mut words = Expansion::new(std::array::from_fn(word));
        words.skip(256 / 16 - 1);
        words.fill(p);
        words.fill(q);
        for turn in 0..TURNS {
            steps::<true, true>(p, q, turn, |_, _| ());
        }
        for turn in 0..TURNS {
            steps::<false, true>(q, p, turn, |_, _| ());
        }
    }
}

/// Whole blocks of sixteen steps.
struct Xor<'a> {
    state: &'a mut State,
    data: &'a mut [u8],
}
impl Kernel for Xor<'_> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, _: B) {
        let State { p, q, turn } = self.state;
        for block in self.data.as_chunks_mut::<{ 4 * STEPS }>().0 {
            let give = |i, word| xor_word(block, i, word);
            if *turn < TURNS {
                steps::<true, false>(p, q, *turn, give);
            } else {
                steps::<false, false>(q, p, *turn, give);
            }
            *turn = (*turn + 1) % (2 * TURNS);
        }
    }
}
