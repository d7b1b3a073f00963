//! Dragon: Chen, Henricksen, Millan, Fuller, Simpson, Dawson, Lee and Moon, "Dragon: A Fast Word Based
//! Stream Cipher", ICISC 2004; eSTREAM, phase 3. The best attacks known to us are distinguishers of
//! 2^155 words of key stream (Englund and Maximov, INDOCRYPT 2005) and of 2^151 (Cho and Pieprzyk,
//! 2007): less than the 2^256 of long keys, and more than there are of any key stream.
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

/// The shift register and the counter. Word `i` of the register is at `(at + i) % 32`.
pub struct State {
    b: [u32; 32],
    at: usize,
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
    /// The next eight bytes, of the register's first word; gives that of the next step too, which
    /// need not wait for the register's memory.
    #[inline(always)]
    fn step(&mut self, first: u32) -> (u64, u32) {
        let (at, b, m) = (self.at, &mut self.b, self.m);
        let place = |i: usize| (at + i) % 32;
        let (e, g) = (b[place(30)] ^ (m >> 32) as u32, b[place(31)] ^ m as u32);
        let [a, first, second, _, e, _] = f([first, b[place(9)], b[place(16)], b[place(19)], e, g]);
        (b[place(30)], b[place(31)]) = (first, second);
        self.at = place(30);
        self.m = m.wrapping_add(1);
        (u64::from(a) << 32 | u64::from(e), first)
    }
}

static ABOUT: About = About {
    name: "dragon",
    key_lens: &[32, 16],
    // Defined is a nonce as long as its key: see `start`.
    nonce_lens: &[32, 16],
    source: "Chen, Henricksen, Millan, Fuller, Simpson, Dawson, Lee and Moon, ICISC 2004",
    status: Status::NotChosen,
    history: "eSTREAM's third phase, not its portfolio; distinguishers of 2^155 and 2^151 words of key stream are known \
              (Englund and Maximov, INDOCRYPT 2005; Cho and Pieprzyk, 2007)",
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
    const BLOCK: usize = 16;
    type State = State;

    fn expand(_: Cpu, key: &[u8]) -> Self {
        Self { key: padded(key), short: key.len() == 16 }
    }

    /// The designers define two forms: 16 bytes of key and of nonce, and 32 of both. Of unequal
    /// lengths the shorter is followed by zeros here, and the long form taken.
    fn start(&self, nonce: &[u8]) -> State {
        let (k, v) = (&self.key, padded(nonce));
        let (mut it, m) = (State { b: [0; 32], at: 0, m: 0 }, 0x4472_6167_6f6e_u64);
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
        // What the next round adds to this one's words is known before they are.
        let (mut high, mut low) = ((m >> 32) as u32, m as u32);
        let b = &mut it.b;
        let [mut a, mut c, mut d, mut e] = std::array::from_fn(|i| b[i] ^ b[24 + i] ^ b[28 + i]);
        macro_rules! rounds {
            ($($r:literal)*) => {$(
                let place = |n: usize| (n + 32 - 4 * $r) % 32;
                let next: [u32; 4] = std::array::from_fn(|i| b[place(16 + i)] ^ b[place(20 + i)] ^ b[place(24 + i)]);
                let six = f([a, c, d, e, high, low]);
                for i in 0..4 {
                    b[place(28 + i)] = six[i] ^ b[place(16 + i)];
                }
                (a, c, d, e) = (six[0] ^ next[0], six[1] ^ next[1], six[2] ^ next[2], six[3] ^ next[3]);
                (high, low) = (six[4], six[5]);
            )*};
        }
        for _ in 0..2 {
            rounds!(0 1 2 3 4 5 6 7);
        }
        it.m = u64::from(high) << 32 | u64::from(low);
        it
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        let mut it = State { b: state.b, at: state.at, m: state.m };
        let mut first = it.b[it.at % 32];
        for eight in data.as_chunks_mut::<8>().0 {
            let stream;
            (stream, first) = it.step(first);
            *eight = (u64::from_be_bytes(*eight) ^ stream).to_be_bytes();
        }
        (state.b, state.at, state.m) = (it.b, it.at, it.m);
    }
}
