//! Dragon: Chen, Henricksen, Millan, Fuller, Simpson, Dawson, Lee and Moon, "Dragon: A Fast Word Based
//! Stream Cipher", ICISC 2004; eSTREAM, phase 3. The best attacks known to us are distinguishers of
//! about 2^150 work that need more key stream than the designers allow under one key and nonce
//! (Englund and Maximov, INDOCRYPT 2005; Cho and Pieprzyk, 2007).
//!
//! Here to be measured beside the ciphers of Bernstein's "Cycle counts for authenticated
//! encryption" (2007). It looks up tables by secret data: not constant-time.
//!
//! Each step's first word is what the step before has made last, so that two look-ups in a row, a
//! sum before and after them and between, are what the time of eight bytes is bound to. There
//! is no tuning of another kind: the S-boxes are no field's inverses, and with 24 look-ups for eight
//! bytes vectors that gather would be slower than this.

mod tables;

use super::about::About;
use super::cipher::Cipher;
use super::words::be32;
use crate::about::Status;
use combseal::Cpu;
use combseal::internals::Wipe;
pub use tables::{S1, S2};

/// The key's words, and zeros behind those of a short one.
pub struct Dragon {
    key: [u32; 8],
    short: bool,
}

impl Drop for Dragon {
    #[inline]
    fn drop(&mut self) {
        self.key.wipe();
    }
}

/// The shift register and the counter. Word `i` of the register is at `i`, or at the other half's
/// `i` if `half`: of the 32 words, eight steps move them by sixteen.
pub struct State {
    b: [u32; 32],
    half: bool,
    m: u64,
}

impl Drop for State {
    #[inline]
    fn drop(&mut self) {
        self.b.wipe();
        self.m.wipe();
    }
}

/// The sum of four entries, one for each byte of `x`, from the lowest: the tables G and H are made of.
#[inline(always)]
fn sum(x: u32, of: [&[u32; 256]; 4]) -> u32 {
    let entry = |i: usize| of[i][(x >> (8 * i) & 255) as usize];
    (entry(0) ^ entry(1)) ^ (entry(2) ^ entry(3))
}

/// Dragon's function of six words.
#[inline(always)]
fn f([mut a, mut b, mut c, mut d, mut e, mut f]: [u32; 6]) -> [u32; 6] {
    b ^= a;
    d ^= c;
    f ^= e;
    c = c.wrapping_add(b);
    e = e.wrapping_add(d);
    a = a.wrapping_add(f);
    d ^= sum(a, [&S2, &S1, &S1, &S1]);
    f ^= sum(c, [&S1, &S2, &S1, &S1]);
    b ^= sum(e, [&S1, &S1, &S2, &S1]);
    a ^= sum(b, [&S1, &S2, &S2, &S2]);
    c ^= sum(d, [&S2, &S1, &S2, &S2]);
    e ^= sum(f, [&S2, &S2, &S1, &S2]);
    d = d.wrapping_add(a);
    f = f.wrapping_add(c);
    b = b.wrapping_add(e);
    [a ^ f, b, c ^ b, d, e ^ d, f]
}

impl State {
    /// Step `i` of the eight of a block, whose register begins at `half`'s. Gives its eight bytes.
    #[inline(always)]
    fn step<const HALF: usize>(&mut self, i: usize) -> u64 {
        let place = |n: usize| (n + 16 * HALF + 32 - 2 * i) % 32;
        let (b, m) = (&mut self.b, self.m);
        let six = [
            b[place(0)],
            b[place(9)],
            b[place(16)],
            b[place(19)],
            b[place(30)] ^ (m >> 32) as u32,
            b[place(31)] ^ m as u32,
        ];
        let [a, first, second, _, e, _] = f(six);
        (b[place(30)], b[place(31)]) = (first, second);
        self.m = m.wrapping_add(1);
        u64::from(a) << 32 | u64::from(e)
    }

    /// The next block.
    #[inline(always)]
    fn block<const HALF: usize>(&mut self, block: &mut [u8; 64]) {
        macro_rules! steps {
            ($($i:literal)*) => {$(
                let at = &mut block.as_chunks_mut::<8>().0[$i];
                *at = (u64::from_be_bytes(*at) ^ self.step::<HALF>($i)).to_be_bytes();
            )*};
        }
        steps!(0 1 2 3 4 5 6 7);
    }
}

static ABOUT: About = About {
    name: "dragon",
    key_lens: &[32, 16],
    // Defined is a nonce as long as its key: see `start`.
    nonce_lens: &[32, 16],
    source: "Chen, Henricksen, Millan, Fuller, Simpson, Dawson, Lee and Moon, ICISC 2004",
    status: Status::NotChosen,
    history: "eSTREAM's third phase, not its portfolio; distinguishers of about 2^150 work are known (Englund and \
              Maximov, INDOCRYPT 2005; Cho and Pieprzyk, 2007)",
    constant_time: false,
    tuning: "tables",
    context_2007: Some(300),
    confirmed: true,
};

/// The words of a key or nonce, and zeros behind those of a short one.
fn padded(bytes: &[u8]) -> [u32; 8] {
    let mut words = [0; 8];
    for (i, word) in words[..bytes.len() / 4].iter_mut().enumerate() {
        *word = be32(bytes, i);
    }
    words
}

impl Cipher for Dragon {
    const ABOUT: &'static About = &ABOUT;
    const BLOCK: usize = 64;
    type State = State;

    fn expand(_: Cpu, key: &[u8]) -> Self {
        Self { key: padded(key), short: key.len() == 16 }
    }

    /// The designers define two forms: 16 bytes of key and of nonce, and 32 of both. Of unequal
    /// lengths the shorter is followed by zeros here, and the long form taken.
    fn start(&self, nonce: &[u8]) -> State {
        let (k, v) = (&self.key, padded(nonce));
        let mut it = State { b: [0; 32], half: false, m: 0x4472_6167_6f6e };
        if self.short && nonce.len() == 16 {
            for i in 0..4 {
                let (k, v, k_turned, v_turned) = (k[i], v[i], k[i ^ 2], v[i ^ 2]);
                let all = [k, k_turned ^ v_turned, v, k ^ v_turned, k_turned, k ^ v, v_turned, k_turned ^ v];
                for (j, word) in all.into_iter().enumerate() {
                    it.b[4 * j + i] = word;
                }
            }
        } else {
            for i in 0..8 {
                (it.b[i], it.b[i + 8], it.b[i + 16], it.b[i + 24]) = (k[i], k[i] ^ v[i], !(k[i] ^ v[i]), v[i]);
            }
        }
        // Each of the sixteen rounds puts four words in front: the array is turned through twice.
        let (mut high, mut low) = ((it.m >> 32) as u32, it.m as u32);
        macro_rules! rounds {
            ($($r:literal)*) => {$(
                let place = |n: usize| (n + 32 - 4 * $r) % 32;
                let word = |i: usize| it.b[place(i)] ^ it.b[place(24 + i)] ^ it.b[place(28 + i)];
                let [a, b, c, d, e, g] = f([word(0), word(1), word(2), word(3), high, low]);
                for (i, word) in [a, b, c, d].into_iter().enumerate() {
                    it.b[place(28 + i)] = word ^ it.b[place(16 + i)];
                }
                (high, low) = (e, g);
            )*};
        }
        for _ in 0..2 {
            rounds!(0 1 2 3 4 5 6 7);
        }
        it.m = u64::from(high) << 32 | u64::from(low);
        it
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        let mut it = State { b: state.b, half: state.half, m: state.m };
        for block in data.as_chunks_mut::<64>().0 {
            if it.half {
                it.block::<1>(block);
            } else {
                it.block::<0>(block);
            }
            it.half = !it.half;
        }
        (state.b, state.half, state.m) = (it.b, it.half, it.m);
    }
}
