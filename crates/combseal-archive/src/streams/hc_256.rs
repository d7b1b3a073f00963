//! HC-256 (Wu, "A New Stream Cipher HC-256", FSE 2004, LNCS 3017; eSTREAM, 2005): two secret tables
//! of 1,024 words that renew one another.
//!
//! Status: HC-128, of the same author, has taken its place in eSTREAM's portfolio for software,
//! which lists both; not broken. The best distinguisher known to us needs 2^276.8 words of key
//! stream (Sekar and Preneel, IWSEC 2009). Kept as one of the paper's ciphers: of all of them its
//! set-up costs most. Not constant-time: the tables are looked up by secret words.
//!
//! Keys have 32 bytes; nonces 32, or 16 that are taken twice, as eSTREAM's code takes them.
//! Sixteen steps at a time, written out, as in HC-128. The 4,096 steps of the set-up throw their
//! key stream away, and do not make it.

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
const TABLE: usize = 1024;
/// Steps at a time, which are words of key stream.
const STEPS: usize = 16;
/// Times that, until all of a table is new.
const TURNS: usize = TABLE / STEPS;

/// HC-256 under a key.
pub struct Hc256 {
    key: [u8; 32],
    cpu: Cpu,
}

/// Both tables, and which sixteen steps come next, of 128 times sixteen.
pub struct State {
    p: [u32; TABLE],
    q: [u32; TABLE],
    turn: usize,
}

impl Drop for Hc256 {
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

impl Cipher for Hc256 {
    const ABOUT: &'static About = &About {
        name: "hc-256",
        key_lens: &[32],
        nonce_lens: &[32, 16],
        source: "Wu, \"A New Stream Cipher HC-256\", FSE 2004",
        status: Status::NotChosen,
        history: "eSTREAM's portfolio names it beside HC-128; the best distinguisher known to us needs 2^276.8 words of \
                  key stream (Sekar and Preneel 2009)",
        constant_time: false,
        tuning: "16 steps written out",
        context_2007: Some(8412),
        confirmed: true,
    };
    const BLOCK: usize = 4 * STEPS;
    type State = State;

    #[inline]
    fn expand(cpu: Cpu, key: &[u8]) -> Self {
        let mut it = Self { key: [0; 32], cpu };
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

/// Sixteen steps: renews as many words of table `a` and, if `OUTPUT`, gives as many words of key
/// stream away, one at a time.
#[inline(always)]
fn steps<const OUTPUT: bool>(a: &mut [u32; TABLE], b: &[u32; TABLE], turn: usize, mut give: impl FnMut(usize, u32)) {
    let place = |turn: usize| turn % TURNS * STEPS;
    let (before, here, behind) = (place(turn + TURNS - 1), place(turn), place(turn + 1));
    let mut new = [0; STEPS];
    // Each word is read once: as the one ahead, then as the one to be renewed.
    let mut old = a[here];
    unrolled!(i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
        let back = |n: usize| if i >= n { new[i - n] } else { a[before + STEPS + i - n] };
        let (x3, x10, x12) = (back(3), back(10), back(12));
        let ahead = if i + 1 < STEPS { a[here + i + 1] } else { a[behind] };
        let turned = old.wrapping_add(x10).wrapping_add(x3.rotate_right(10) ^ ahead.rotate_right(23));
        new[i] = turned.wrapping_add(b[(x3 ^ ahead) as usize % TABLE]);
        if OUTPUT {
            let [b0, b1, b2, b3] = x12.to_le_bytes().map(usize::from);
            let low = b[b0].wrapping_add(b[256 + b1]);
            give(i, new[i] ^ low.wrapping_add(b[512 + b2].wrapping_add(b[768 + b3])));
        }
        a[here + i] = new[i];
        old = ahead;
    });
    let _ = old;
}

/// Key and nonce into the tables, and 4,096 steps, which is twice over both.
struct Start<'a> {
    key: &'a [u8; 32],
    nonce: &'a [u8],
    state: &'a mut State,
}
impl Kernel for Start<'_> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, _: B) {
        let State { p, q, .. } = self.state;
        let mut nonce = [0; 32];
        let (first, second) = nonce.split_at_mut(16);
        first.copy_from_slice(&self.nonce[..16]);
        second.copy_from_slice(&self.nonce[self.nonce.len() - 16..]);
        let word = |i: usize| if i < 8 { le32(self.key, i) } else { le32(&nonce, i % 8) };
        let mut words = Expansion::new(std::array::from_fn(word));
        words.skip(512 / 16 - 1);
        words.fill(p);
        words.fill(q);
        for _ in 0..2 {
            for turn in 0..TURNS {
                steps::<false>(p, q, turn, |_, _| ());
            }
            for turn in 0..TURNS {
                steps::<false>(q, p, turn, |_, _| ());
            }
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
                steps::<true>(p, q, *turn, give);
            } else {
                steps::<true>(q, p, *turn, give);
            }
            *turn = (*turn + 1) % (2 * TURNS);
        }
    }
}
