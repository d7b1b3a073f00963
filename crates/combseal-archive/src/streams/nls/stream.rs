//! NLS as a stream cipher: the register, its filter, and key streams of both versions.

use super::super::about::About;
use super::super::cipher::Cipher;
use super::super::unrolled::unrolled;
use super::super::words::le32;
use super::tables::SBOX;
use crate::about::Status;
use combseal::Cpu;
use combseal::internals::Wipe;

/// Words in the register.
pub(super) const REGISTER: usize = 17;
/// The constant of the beginning.
pub(super) const INIT_KONST: u32 = 0x6996_c53a;
/// Steps between two changes of the register from outside.
pub(super) const PERIOD: u64 = 0x1_0001;

/// Version 1, as found.
pub struct NlsV1(pub(super) Key<false>);
/// Version 2.
pub struct NlsV2(pub(super) Key<true>);

/// The register behind the key, and the key's constant.
pub(super) struct Key<const V2: bool> {
    pub(super) register: [u32; REGISTER],
    pub(super) konst: u32,
}

/// A message under way, of version 2 or 1.
pub struct State<const V2: bool> {
    pub(super) register: [u32; REGISTER],
    pub(super) konst: u32,
    /// Steps to go until something is added to the register, that one included.
    pub(super) left: u64,
    /// What was added to the register last.
    pub(super) total: u32,
}

impl<const V2: bool> Drop for Key<V2> {
    fn drop(&mut self) {
        self.register.wipe();
        std::slice::from_mut(&mut self.konst).wipe();
    }
}

impl<const V2: bool> Drop for State<V2> {
    fn drop(&mut self) {
        self.register.wipe();
        std::slice::from_mut(&mut self.konst).wipe();
    }
}

/// The word behind a register that begins at `w[i]`.
#[inline(always)]
pub(super) fn next<const N: usize>(w: &[u32; N], i: usize, konst: u32) -> u32 {
    let t = w[i].rotate_left(19).wrapping_add(konst).wrapping_add(w[i + 15].rotate_left(9));
    (t ^ w[i + 4]) ^ SBOX[(t >> 24) as usize]
}

/// The filter's word of a register that begins at `w[i]`.
#[inline(always)]
pub(super) fn tap<const V2: bool, const N: usize>(w: &[u32; N], i: usize, konst: u32) -> u32 {
    let (x, y) = if V2 { (w[i + 13], konst) } else { (konst, w[i + 13]) };
    w[i].wrapping_add(w[i + 16]) ^ w[i + 1].wrapping_add(x) ^ w[i + 6].wrapping_add(y)
}

/// Copies a register word by word: of words that have just been stored one by one a longer copy would wait until they
/// have reached the cache. (Written out, so that the compiler sees which they are and has them at hand.)
#[inline(always)]
pub(super) fn copied<const N: usize, const M: usize>(to: &mut [u32; N], from: &[u32; M], begin: usize) {
    unrolled!(i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16] {
        to[i] = from[begin + i];
    });
}

/// A register and what it becomes when `N` words are mixed in, which were `len` bytes: all of it in one
/// array, where nothing is moved and whose words from `N + 17` on are the new register.
#[inline(always)]
fn mixed<const V2: bool, const N: usize, const W: usize>(
    register: &[u32; REGISTER],
    konst: u32,
    words: [u32; N],
    len: u32,
) -> [u32; W] {
    const { assert!(W >= N + 2 * REGISTER && N <= 4) }
    let mut w = [0; W];
    copied(&mut w, register, 0);
    unrolled!(i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20] {
        if i < N {
            w[i + 15] = w[i + 15].wrapping_add(words[i]);
        } else if i == N {
            w[i + 15] = w[i + 15].wrapping_add(len);
        }
        if i < N + REGISTER {
            w[i + REGISTER] = next(&w, i, konst);
            w[i + 5] ^= tap::<V2, W>(&w, i + 1, konst);
        }
    });
    w
}

/// Mixes `N` words in, which were `len` bytes; `W` is `N` and 34.
#[inline(always)]
pub(super) fn load<const V2: bool, const N: usize, const W: usize>(
    register: &mut [u32; REGISTER],
    konst: u32,
    words: [u32; N],
    len: u32,
) {
    let mut w = mixed::<V2, N, W>(register, konst, words, len);
    copied(register, &w, W - REGISTER);
    w.wipe();
}

/// The same and a step, and the word that is the new constant; `W` is `N` and 35.
#[inline(always)]
fn load_and_renew<const V2: bool, const N: usize, const W: usize>(
    register: &mut [u32; REGISTER],
    konst: u32,
    words: [u32; N],
    len: u32,
) -> u32 {
    let mut w = mixed::<V2, N, W>(register, konst, words, len);
    w[W - 1] = next(&w, W - 1 - REGISTER, konst);
    let konst = tap::<V2, W>(&w, W - REGISTER, konst);
    copied(register, &w, W - REGISTER);
    w.wipe();
    konst
}

/// Words of a byte string of `4 * N` bytes.
#[inline(always)]
pub(super) fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    std::array::from_fn(|i| le32(bytes, i))
}

impl<const V2: bool> Key<V2> {
    #[inline(always)]
    pub(super) fn new(key: &[u8]) -> Self {
        let mut it = Self { register: [0; REGISTER], konst: INIT_KONST };
        let (mut a, mut b) = (1, 1);
        for word in &mut it.register {
            (*word, a, b) = (a, b, a + b);
        }
        let mut konst = load_and_renew::<V2, 4, 39>(&mut it.register, it.konst, words(key), 16);
        // Version 1 wants a constant whose top byte is not zero.
        while !V2 && konst >> 24 == 0 {
            konst = renew::<V2>(&mut it.register, it.konst);
        }
        it.konst = konst;
        it
    }

    #[inline(always)]
    pub(super) fn start(&self, nonce: &[u8]) -> State<V2> {
        let konst = if V2 { INIT_KONST } else { self.konst };
        let mut it = State { register: self.register, konst, left: PERIOD, total: 0 };
        let (r, len) = (&mut it.register, nonce.len() as u32);
        if V2 {
            it.konst = match len {
                16 => load_and_renew::<V2, 4, 39>(r, konst, words(nonce), len),
                12 => load_and_renew::<V2, 3, 38>(r, konst, words(nonce), len),
                8 => load_and_renew::<V2, 2, 37>(r, konst, words(nonce), len),
                _ => load_and_renew::<V2, 1, 36>(r, konst, words(nonce), len),
            };
        } else {
            match len {
                16 => load::<V2, 4, 38>(r, konst, words(nonce), len),
                12 => load::<V2, 3, 37>(r, konst, words(nonce), len),
                8 => load::<V2, 2, 36>(r, konst, words(nonce), len),
                _ => load::<V2, 1, 35>(r, konst, words(nonce), len),
            }
        }
        it
    }
}

/// A step, and the word that is the new constant.
#[inline(always)]
pub(super) fn renew<const V2: bool>(register: &mut [u32; REGISTER], konst: u32) -> u32 {
    step(register, konst);
    tap::<V2, REGISTER>(register, 0, konst)
}

/// A step of the register, which is moved.
#[inline(always)]
pub(super) fn step(register: &mut [u32; REGISTER], konst: u32) {
    let t = next(register, 0, konst);
    register.copy_within(1.., 0);
    register[REGISTER - 1] = t;
}

impl<const V2: bool> State<V2> {
    /// Whether so many steps can be made before the register is changed from outside.
    #[inline(always)]
    pub(super) fn can(&self, steps: u64) -> bool {
        self.left > steps
    }

    /// One step, whatever else is due with it, and its word of key stream.
    #[inline(never)]
    pub(super) fn word(&mut self) -> u32 {
        step(&mut self.register, self.konst);
        self.left -= 1;
        if self.left == 0 {
            self.total = self.total.wrapping_add(PERIOD as u32);
            self.register[2] = self.register[2].wrapping_add(self.total);
            if V2 {
                self.konst = tap::<V2, REGISTER>(&self.register, 0, self.konst);
                step(&mut self.register, self.konst);
                self.left = PERIOD - 1;
            } else {
                // As found: the count is never begun anew.
                self.left = u64::MAX;
            }
        }
        tap::<V2, REGISTER>(&self.register, 0, self.konst)
    }

    /// XORs key stream into whole blocks, four at a time.
    #[inline(always)]
    pub(super) fn xor(&mut self, data: &mut [u8]) {
        let (fours, rest) = data.as_chunks_mut::<{ 4 * BLOCK }>();
        if !fours.is_empty() {
            self.many::<{ REGISTER + 4 * WORDS }, _>(fours);
        }
        let (blocks, rest) = rest.as_chunks_mut::<BLOCK>();
        if !blocks.is_empty() {
            self.many::<{ REGISTER + WORDS }, _>(blocks);
        }
        let (short, _) = rest.as_chunks_mut::<SHORT>();
        if !short.is_empty() {
            self.many::<{ REGISTER + SHORT / 4 }, _>(short);
        }
    }

    /// XORs key stream into pieces of `W` words less the register's.
    #[inline(always)]
    pub(super) fn many<const W: usize, B: AsMut<[u8]>>(&mut self, pieces: &mut [B]) {
        let mut w = [0; W];
        copied(&mut w, &self.register, 0);
        for piece in pieces {
            let words = piece.as_mut().as_chunks_mut::<4>().0;
            let n = W - REGISTER;
            if self.can(n as u64) {
                self.left -= n as u64;
                run(&mut w, self.konst);
                for i in 0..n.min(words.len()) {
                    let stream = tap::<V2, W>(&w, i + 1, self.konst);
                    words[i] = (u32::from_le_bytes(words[i]) ^ stream).to_le_bytes();
                }
                unrolled!(i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16] {
                    w[i] = w[n + i];
                });
            } else {
                self.register.copy_from_slice(&w[..REGISTER]);
                for word in words {
                    *word = (u32::from_le_bytes(*word) ^ self.word()).to_le_bytes();
                }
                w[..REGISTER].copy_from_slice(&self.register);
            }
        }
        copied(&mut self.register, &w, 0);
        w.wipe();
    }
}

/// Fills `w` behind the register that it begins with. The last two words are at hand: what has just
/// been stored, the next but one step would wait for.
#[inline(always)]
pub(super) fn run<const W: usize>(w: &mut [u32; W], konst: u32) {
    let (mut before, mut last) = (w[REGISTER - 2], w[REGISTER - 1]);
    for i in 0..W - REGISTER {
        let t = w[i].rotate_left(19).wrapping_add(konst).wrapping_add(before.rotate_left(9));
        (before, last) = (last, (t ^ w[i + 4]) ^ SBOX[(t >> 24) as usize]);
        w[i + REGISTER] = last;
    }
}

/// Words in a block as the stream with its own authenticator has it.
pub(super) const WORDS: usize = 16;
/// Bytes in it.
pub(super) const BLOCK: usize = 4 * WORDS;
/// Bytes in a block of the stream alone, of which short messages pay for whole ones.
const SHORT: usize = 16;

pub(super) const V2: About = About {
    name: "nls-v2",
    key_lens: &[16],
    nonce_lens: &[16, 4, 8, 12],
    source: "Hawkes, Paddon, Rose and Wiggers de Vries, eSTREAM, 2006",
    status: Status::NotChosen,
    history: "reached eSTREAM's third phase and was not chosen (2008); a distinguisher of some 2^74 words (Cho and \
              Pieprzyk, ISC 2007)",
    constant_time: false,
    tuning: "16 steps, tables",
    context_2007: Some(244),
    confirmed: true,
};

pub(super) const V1: About = About {
    name: "nls-v1",
    source: "Hawkes, Paddon, Rose and Wiggers de Vries, eSTREAM, 2005, as found in a library of that year",
    status: Status::Superseded,
    history: "superseded by version 2; a distinguisher of some 2^60 words (Cho and Pieprzyk, SAC 2006)",
    confirmed: false,
    context_2007: None,
    ..V2
};

macro_rules! cipher {
    ($name:ident, $about:expr, $v2:literal) => {
        impl Cipher for $name {
            const ABOUT: &'static About = &$about;
            const BLOCK: usize = SHORT;
            type State = State<$v2>;

            fn expand(_: Cpu, key: &[u8]) -> Self {
                Self(Key::new(key))
            }

            fn start(&self, nonce: &[u8]) -> State<$v2> {
                self.0.start(nonce)
            }

            fn xor(&self, state: &mut State<$v2>, data: &mut [u8]) {
                state.xor(data);
            }
        }
    };
}
cipher!(NlsV1, V1, false);
cipher!(NlsV2, V2, true);
