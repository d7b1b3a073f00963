//! Py, Pypy and Py6, and the tweaked TPy, TPypy and TPy6 (Biham and Seberry, eSTREAM, 2005 to
//! 2007): arrays of words and of bytes that roll, an element dropped in front and another put at
//! the end in every step.
//!
//! Status: all broken, those of 2007 on paper. Untweaked, two nonces out of 2^16 with chosen
//! differences have one key stream, which gives away all but 3 bytes of the key (Wu and Preneel,
//! EUROCRYPT 2007). Tweaked, key streams can be told from random ones by 2^281 words of TPypy (Sekar,
//! Paul and Preneel, ePrint 2007/075), 2^268.6 of TPy (the same, ePrint 2007/230) and 2^224.6 of
//! TPy6 (the same, ePrint 2007/436); these count for keys longer than that. Kept as some of the
//! paper's ciphers, with the tweaked ones beside them. Not constant-time: the arrays are looked up
//! by secret bytes.
//!
//! The arrays lie in longer ones that they roll along, and are put back to the beginning when they
//! come to the end. In a block of steps each element has a place that differs from the block's
//! beginning by what the compiler knows, or by a byte.

use super::about::About;
use super::cipher::Cipher;
use super::unrolled::unrolled;
use super::words::xor_le;
use crate::about::Status;
use combseal::Cpu;
use combseal::internals::Wipe;

/// What the inner permutation is made of.
const SENTENCE: &[u8] = b"This is the seed for generating the fixed internal permutation for Py. \
The permutation is used in the key setup and IV setup as a source of nonlinearity. \
The shifted special keys on a keyboard are ~!@#$%^&*()_+{}:|<>?";

/// The inner permutation: sixteen passes of RC4's shuffle under the sentence.
const fn inner_permutation() -> [u8; 256] {
    let mut p = [0; 256];
    let mut i = 0;
    while i < 256 {
        p[i] = i as u8;
        i += 1;
    }
    let (mut i, mut j) = (0, 0u8);
    while i < 256 * 16 {
        j = j.wrapping_add(SENTENCE[i % SENTENCE.len()]);
        (p[i % 256], p[j as usize]) = (p[j as usize], p[i % 256]);
        i += 1;
    }
    p
}

static INNER: [u8; 256] = inner_permutation();

/// The inner permutation, twice.
static TWICE: [u8; 512] = {
    let (inner, mut p) = (inner_permutation(), [0; 512]);
    let mut i = 0;
    while i < 512 {
        p[i] = inner[i % 256];
        i += 1;
    }
    p
};

/// What makes the larger of the two sizes, and what the smaller.
struct Size {
    /// Elements of the permutation that rolls.
    bytes: usize,
    /// Words of the array that rolls, the first of which has the number -3.
    words: usize,
    /// Which bits of a word are a place in the permutation.
    mask: u8,
    /// Places that a step reads: the word that the permutation is mixed by; the elements of the
    /// permutation that name the words added and taken away, the turn, the word that the new one
    /// is made of, and the words of the two outputs.
    mixer: usize,
    added: usize,
    taken: usize,
    turn: usize,
    renewed: usize,
    first: usize,
    second: usize,
    /// By how many bits the nonce's loops turn.
    nonce_turn: u32,
}

const PY: Size = Size {
    bytes: 256,
    words: 260,
    mask: 255,
    mixer: 185,
    added: 72,
    taken: 239,
    turn: 116,
    renewed: 153,
    first: 26,
    second: 208,
    nonce_turn: 8,
};

const PY6: Size = Size {
    bytes: 64,
    words: 68,
    mask: 63,
    mixer: 43,
    added: 18,
    taken: 57,
    turn: 26,
    renewed: 48,
    first: 8,
    second: 21,
    nonce_turn: 6,
};

/// Words before number 0.
const BELOW: usize = 3;
/// Steps that the arrays roll along before they are put back, those of a nonce's mixing too.
const ROLL: usize = 512;
/// Steps of the mixing that are written out: their number divides that of the words.
const MIXED: usize = 4;
/// Steps of a block that are written out.
const EIGHT: usize = 8;
/// Bytes in the longest nonce.
const LONGEST: usize = 64;

/// One of the family, under a key: `SIX` is the smaller, `TWEAKED` its set-up of 2007, `HALF` the
/// form that gives away the second of the two words of each step alone.
pub struct Rolling<const SIX: bool, const TWEAKED: bool, const HALF: bool> {
    key: [u8; 64],
    key_len: usize,
    /// The words that the key leaves for a nonce of the usual length.
    words: [u32; PY.words],
}

/// Py of 2005.
pub type Py = Rolling<false, false, false>;
/// Py6 of 2005.
pub type Py6 = Rolling<true, false, false>;
/// Pypy of 2006.
pub type Pypy = Rolling<false, false, true>;
/// Py with the set-up of 2007.
pub type TPy = Rolling<false, true, false>;
/// Py6 with the set-up of 2007.
pub type TPy6 = Rolling<true, true, false>;
/// Pypy with the set-up of 2007.
pub type TPypy = Rolling<false, true, true>;

/// The arrays, in longer ones. They are made with the first block, in their place, since to move them would
/// take a sixth of the time of Py6's nonce.
pub struct State {
    words: [u32; PY.words + ROLL],
    bytes: [u8; PY.bytes + ROLL],
    /// Where both begin.
    at: usize,
    s: u32,
    /// The nonce, and how many bytes it has until it is mixed in.
    nonce: [u8; LONGEST],
    waiting: usize,
}

impl<const SIX: bool, const TWEAKED: bool, const HALF: bool> Drop for Rolling<SIX, TWEAKED, HALF> {
    fn drop(&mut self) {
        self.key.as_mut_slice().wipe();
        self.words.wipe();
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.words.wipe();
        self.bytes.as_mut_slice().wipe();
    }
}

impl<const SIX: bool, const TWEAKED: bool, const HALF: bool> Cipher for Rolling<SIX, TWEAKED, HALF> {
    const ABOUT: &'static About = &About {
        name: match (SIX, TWEAKED, HALF) {
            (false, false, false) => "py",
            (true, false, _) => "py6",
            (false, false, true) => "pypy",
            (false, true, false) => "tpy",
            (true, true, _) => "tpy6",
            (false, true, true) => "tpypy",
        },
        key_lens: &[32, 64],
        nonce_lens: if SIX { &[16, 32] } else { &[16, 32, 64] },
        source: if TWEAKED {
            "Biham and Seberry, \"Tweaking the IV Setup of the Py Family of Stream Ciphers\", 2007"
        } else if HALF {
            "Biham and Seberry, \"Pypy: Another Version of Py\", eSTREAM, 2006"
        } else {
            "Biham and Seberry, \"Py (Roo): A Fast and Secure Stream Cipher using Rolling Arrays\", eSTREAM, 2005"
        },
        status: Status::Broken,
        history: match (SIX, TWEAKED, HALF) {
            (true, true, _) => "told from random by 2^224.6 words (Sekar, Paul and Preneel, ePrint 2007/436)",
            (_, true, false) => "told from random by 2^268.6 words (Sekar, Paul and Preneel, ePrint 2007/230)",
            (_, true, true) => "told from random by 2^281 words (Sekar, Paul and Preneel, ePrint 2007/075)",
            _ => {
                "2^24 chosen nonces give away all but 3 bytes of a key of 32 (Wu and Preneel, EUROCRYPT 2007); superseded \
                 by the form tweaked in 2007"
            }
        },
        constant_time: false,
        tuning: "rolling arrays in longer ones",
        context_2007: match (SIX, TWEAKED, HALF) {
            (_, true, _) => None,
            (true, ..) => Some(1140),
            (_, _, false) => Some(4212),
            (_, _, true) => Some(4260),
        },
        // Of Py and Pypy only one vector is from outside.
        confirmed: SIX || TWEAKED,
    };
    const BLOCK: usize = 64;
    type State = State;

    fn expand(_: Cpu, key: &[u8]) -> Self {
        let mut it = Self { key: [0; 64], key_len: key.len(), words: [0; PY.words] };
        it.key[..key.len()].copy_from_slice(key);
        key_words(key, Self::ABOUT.nonce_lens[0], &mut it.words[..Self::SIZE.words]);
        it
    }

    #[inline]
    fn start(&self, nonce: &[u8]) -> State {
        let mut state = State {
            words: [0; PY.words + ROLL],
            bytes: [0; PY.bytes + ROLL],
            at: 0,
            s: 0,
            nonce: [0; LONGEST],
            waiting: nonce.len(),
        };
        state.nonce[..nonce.len()].copy_from_slice(nonce);
        state
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        if state.waiting > 0 {
            self.begin(state);
        }
        for block in data.as_chunks_mut::<64>().0 {
            if HALF {
                let (first, second) = block.split_at_mut(32);
                let [words, more] = [Self::eight(state), Self::eight(state)];
                xor_le(first, words.1);
                xor_le(second, more.1);
            } else {
                let (first, second) = Self::eight(state);
                let mut both = [0; 16];
                for i in 0..8 {
                    both[2 * i] = first[i];
                    both[2 * i + 1] = second[i];
                }
                xor_le(block, both);
            }
        }
    }
}

/// What the key makes of the words, of nonces of a given length. Neither is empty.
fn key_words(key: &[u8], nonce_len: usize, words: &mut [u32]) {
    let inner = |s: u32| u32::from(INNER[usize::from(s as u8)]);
    let byte = |i: usize| u32::from(key[i]);
    let mut s = u32::from(INNER[(key.len() - 1) % 256]);
    s = s << 8 | inner(s ^ (nonce_len as u32 - 1));
    s = s << 8 | inner(s ^ byte(0));
    s = s << 8 | inner(s ^ byte(key.len() - 1));
    // What is looked up depends on what was looked up before; so that as little as possible is
    // between, the lowest byte of the sum with the key's byte is not taken: the permutation, twice,
    // is looked up from that byte on.
    let mut low = s as u8;
    let looked_up = |low: u8, b: u8| -> u8 {
        let from: &[u8; 256] = window(&TWICE, b.into());
        from[usize::from(low)]
    };
    for &b in key {
        s = s.wrapping_add(b.into());
        let x = looked_up(low, b);
        low = (s >> 24) as u8 ^ x;
        s = s.rotate_left(8) ^ u32::from(x);
    }
    for &b in key {
        s = s.wrapping_add(b.into());
        let x = looked_up(low, b);
        low = s as u8 ^ ((s >> 24) as u8).wrapping_add(x);
        s ^= s.rotate_left(8).wrapping_add(x.into());
    }
    for words in words.chunks_mut(key.len()) {
        for (word, &b) in words.iter_mut().zip(key) {
            s = s.wrapping_add(b.into());
            let x = looked_up(low, b);
            low = (s >> 24) as u8 ^ x;
            s = s.rotate_left(8) ^ u32::from(x);
            *word = s;
        }
    }
}

impl<const SIX: bool, const TWEAKED: bool, const HALF: bool> Rolling<SIX, TWEAKED, HALF> {
    const SIZE: Size = if SIX { PY6 } else { PY };

    /// The arrays' beginning.
    #[inline(never)]
    fn begin(&self, state: &mut State) {
        let (nonce, len) = (state.nonce, state.waiting);
        let nonce = &nonce[..len.min(LONGEST)];
        let words = &mut state.words[..Self::SIZE.words];
        if len == Self::ABOUT.nonce_lens[0] {
            words.copy_from_slice(&self.words[..Self::SIZE.words]);
        } else {
            key_words(&self.key[..self.key_len], len, words);
        }
        Self::mix(state, nonce, self.key_len);
        state.waiting = 0;
    }

    /// Mixes the nonce into what the key left, from the beginning of the arrays on.
    #[inline(always)]
    fn mix(state: &mut State, nonce: &[u8], key_len: usize) {
        let Size { bytes: count, words: roll, mask, nonce_turn, .. } = const { Self::SIZE };
        let (y, p) = (&mut state.words, &mut state.bytes);
        let n = nonce.len().min(LONGEST);
        let last = roll - 1;
        let at = |p: &[u8; PY.bytes + ROLL], s: u32| u32::from(p[usize::from(s as u8 & mask)]);

        let mut v = nonce[0] ^ (y[BELOW] >> 16) as u8;
        let d = (nonce[1 % n] ^ (y[BELOW + 1] >> 16) as u8) | 1;
        for p in &mut p[..count] {
            *p = if SIX { v & mask } else { INNER[usize::from(v)] };
            v = v.wrapping_add(d);
        }
        v &= mask;
        let mut s = u32::from_be_bytes([v, d, p[count - 2], p[count - 1]]);
        s ^= y[0].wrapping_add(y[last]);

        // Bytes made of the nonce; twice as many where the smaller size is tweaked.
        let mut e = [0u8; LONGEST];
        let twice = SIX && TWEAKED;
        let len = if twice { 2 * n } else { n };
        for i in 0..n {
            s = s.wrapping_add(nonce[i].into()).wrapping_add(y[i]);
            let low = at(p, s);
            e[i] = low as u8;
            if twice {
                let high = at(p, s >> 2);
                e[n + i] = high as u8;
                s = s.rotate_left(2 * nonce_turn) ^ low ^ high << 6;
            } else {
                s = s.rotate_left(nonce_turn) ^ low;
            }
        }
        let mut before = e[len - 1];
        for i in 0..len {
            let with = if TWEAKED { before } else { nonce[i] };
            s = s.wrapping_add(with.into()).wrapping_add(y[last - i]);
            let low = at(p, s);
            e[i] = e[i].wrapping_add(low as u8) & mask;
            before = e[i];
            s = s.rotate_left(nonce_turn) ^ low;
        }

        // Of the bytes of the nonce, which are in a ring, each is made of itself. The permutation is
        // mixed by them a while later: the words do not depend on it, and the CPU then knows early
        // where it is written.
        const LATER: usize = 4;
        let mut mixers = [0u8; PY.words];
        let groups = roll / MIXED;
        let mut i = 0;
        for group in 0..groups + LATER {
            if group < groups {
                let y: &mut [u32; PY.words + MIXED] = window_mut(y, MIXED * group);
                let mixers: &mut [u8; MIXED] = window_mut(&mut mixers, MIXED * group);
                unrolled!(k in [0 1 2 3] {
                    let x = e[i % LONGEST] ^ (s as u8 & mask);
                    e[i % LONGEST] = x;
                    i += 1;
                    if i == n {
                        i = 0;
                    }
                    mixers[k] = x;
                    let x = usize::from(x & mask) + k + BELOW;
                    if TWEAKED {
                        s = s.rotate_left(8).wrapping_add(y[k + last]);
                        y[k + roll] = y[k].wrapping_add(s ^ y[x]);
                    } else {
                        s = (s ^ y[k]).wrapping_add(y[x]);
                        y[k + roll] = s;
                    }
                });
            }
            if group >= LATER {
                let from = MIXED * (group - LATER);
                let p: &mut [u8; PY.bytes + MIXED] = window_mut(p, from);
                let mixers: &[u8; MIXED] = window(&mixers, from);
                unrolled!(k in [0 1 2 3] {
                    let x = usize::from(mixers[k] & mask) + k;
                    p[k + count] = p[x];
                    p[x] = p[k];
                });
            }
        }
        mixers.as_mut_slice().wipe();
        state.at = roll;
        for place in [Self::SIZE.first, Self::SIZE.renewed, Self::SIZE.second] {
            s = s.wrapping_add(y[roll + BELOW + place]);
        }
        let lengths = (8 * key_len as u32).wrapping_add((8 * n as u32) << 16);
        state.s = if s == 0 { lengths.wrapping_add(0x8765_4321) } else { s };
        e.as_mut_slice().wipe();
    }

    /// Eight steps: the first words and the second words of their output.
    #[inline(always)]
    fn eight(state: &mut State) -> ([u32; EIGHT], [u32; EIGHT]) {
        let size = const { Self::SIZE };
        if state.at + EIGHT > ROLL {
            state.words.copy_within(state.at..state.at + size.words, 0);
            state.bytes.copy_within(state.at..state.at + size.bytes, 0);
            state.at = 0;
        }
        // As long for the smaller size, whose places are bytes too.
        let y: &mut [u32; PY.words + EIGHT] = window_mut(&mut state.words, state.at);
        let p: &mut [u8; PY.bytes + EIGHT] = window_mut(&mut state.bytes, state.at);
        state.at += EIGHT;
        let (mut first, mut second) = ([0; EIGHT], [0; EIGHT]);
        let mut s = state.s;
        // Known two steps before they are needed: else the CPU reads the permutation before it knows
        // where it is written, and must now and then begin again.
        let mixer = |y: &[u32; PY.words + EIGHT], k: usize| usize::from(y[k + BELOW + size.mixer] as u8 & size.mask);
        let mut mixers = [mixer(y, 0), mixer(y, 1)];
        unrolled!(k in [0 1 2 3 4 5 6 7] {
            let x = mixers[0] + k;
            mixers = [mixers[1], mixer(y, k + 2)];
            p[k + size.bytes] = p[x];
            p[x] = p[k];
            let named = |place: usize| usize::from(p[k + 1 + place]) + k + BELOW;
            s = s.wrapping_add(y[named(size.added)].wrapping_sub(y[named(size.taken)]));
            s = s.rotate_left(u32::from(p[k + 1 + size.turn]) & 31);
            y[k + size.words] = (s ^ y[k]).wrapping_add(y[named(size.renewed)]);
            if !HALF {
                first[k] = (s.rotate_left(11) ^ y[k + size.words - 1]).wrapping_add(y[named(size.first)]);
            }
            s = s.rotate_left(18);
            second[k] = (s ^ y[k + BELOW - 1]).wrapping_add(y[named(size.second)]);
        });
        let _ = mixers;
        state.s = s;
        (first, second)
    }
}

/// `N` elements of `of`, from `at` on, which leaves room for them.
#[inline(always)]
fn window<T, const N: usize>(of: &[T], at: usize) -> &[T; N] {
    let Some(window) = of[at..].first_chunk() else { unreachable!("room is left") };
    window
}

/// The same, to be changed.
#[inline(always)]
fn window_mut<T, const N: usize>(of: &mut [T], at: usize) -> &mut [T; N] {
    let Some(window) = of[at..].first_chunk_mut() else { unreachable!("room is left") };
    window
}
