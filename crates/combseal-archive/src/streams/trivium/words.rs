//! Trivium by 64 steps at a time, in words of 64 bits.

use super::super::about::About;
use super::super::cipher::Cipher;
use crate::about::Status;
use combseal::internals::{Wipe, filled};
use combseal::{Cpu, secret};

/// Bytes in a key and in a nonce.
pub(super) const LEN: usize = 10;

/// Trivium, 64 steps at once.
pub struct Trivium(pub(super) Key);

/// The key as it is.
pub(super) struct Key {
    pub(super) bytes: [u8; LEN],
}
secret!(Key { bytes });

/// The registers: of each the newest 64 bits, the newest of them on top, and the 64 before.
pub struct State {
    pub(super) a: [u64; 2],
    pub(super) b: [u64; 2],
    pub(super) c: [u64; 2],
}

impl Drop for State {
    fn drop(&mut self) {
        for word in self.a.iter_mut().chain(&mut self.b).chain(&mut self.c) {
            word.wipe();
        }
    }
}

/// Words of steps before there is key stream.
pub(super) const BLANK: usize = 4 * 288 / 64;

/// What the last register begins with: its last three bits are ones.
pub(super) const LAST_ONES: u64 = 7 << (128 - 111);

/// What is known of the cipher, and of this tuning.
pub(super) const ABOUT: About = About {
    name: "trivium",
    key_lens: &[LEN],
    nonce_lens: &[LEN],
    source: "De Cannière and Preneel, eSTREAM, 2005; ISO/IEC 29192-3, 2012",
    status: Status::InUse,
    history: "in eSTREAM's portfolio and an ISO standard; cube attacks reach 848 of the 1,152 rounds of set-up (He, \
              Hu, Preneel and Wang, ASIACRYPT 2022); 80 bits of key are too few today",
    constant_time: true,
    tuning: "64 steps a word",
    context_2007: Some(80),
    confirmed: true,
};

impl Cipher for Trivium {
    const ABOUT: &'static About = &ABOUT;
    const BLOCK: usize = 16;
    type State = State;

    fn expand(_: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Key| it.bytes.copy_from_slice(key)))
    }

    fn start(&self, nonce: &[u8]) -> State {
        let mut it = State { a: loaded(&self.0.bytes), b: loaded(nonce), c: [0, LAST_ONES] };
        let (mut a, mut b, mut c) = (it.a, it.b, it.c);
        for _ in 0..BLANK / 2 {
            step(&mut a, &mut b, &mut c);
            step(&mut a, &mut b, &mut c);
        }
        (it.a, it.b, it.c) = (a, b, c);
        it
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        let (mut a, mut b, mut c) = (state.a, state.b, state.c);
        for block in data.as_chunks_mut::<16>().0 {
            let low = step(&mut a, &mut b, &mut c);
            let high = step(&mut a, &mut b, &mut c);
            let words = u128::from(high) << 64 | u128::from(low);
            *block = (u128::from_le_bytes(*block) ^ words).to_le_bytes();
        }
        (state.a, state.b, state.c) = (a, b, c);
    }
}

/// A key or a nonce in its register: bit 79 is in the first stage, bit 0 in the last of 80.
#[inline(always)]
pub(super) fn loaded(bytes: &[u8]) -> [u64; 2] {
    let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) else { unreachable!("ten bytes") };
    [u64::from_le_bytes(*last), u64::from(u16::from_le_bytes(*first)) << 48]
}

/// What the newer word of a register has of what stage `k`, counted from 1, gives in 64 steps; `k`
/// is from 65 to 127.
#[inline(always)]
pub(super) fn newer(register: &[u64; 2], k: u32) -> u64 {
    register[0] << (k - 64)
}

/// What the older word has of it.
#[inline(always)]
pub(super) fn older(register: &[u64; 2], k: u32) -> u64 {
    register[1] >> (128 - k)
}

/// 64 steps: 64 bits of key stream, the first of them at the bottom. The registers' stages are 93,
/// 84 and 111: where the text counts through all, the second begins behind 93, the third
/// behind 177. The tuning in registers has the same with a stage's 64 bits put together, which takes longer here: the
/// compiler makes a shift of two words of each, six operations on an AMD core. So what comes of the newer
/// words and of the older ones is added up apart, in an order in which it does not see those.
#[inline(always)]
pub(super) fn step(a: &mut [u64; 2], b: &mut [u64; 2], c: &mut [u64; 2]) -> u64 {
    let sum = |r: &[u64; 2], k, l| (newer(r, k) ^ newer(r, l)) ^ (older(r, k) ^ older(r, l));
    let (t1, t2, t3) = (sum(a, 66, 93), sum(b, 162 - 93, 177 - 93), sum(c, 243 - 177, 288 - 177));
    let to_b = taken_in(t1, a, 91, b, 171 - 93);
    let to_c = taken_in(t2, b, 175 - 93, c, 264 - 177);
    let to_a = taken_in(t3, c, 286 - 177, a, 69);
    *a = [to_a, a[0]];
    *b = [to_b, b[0]];
    *c = [to_c, c[0]];
    t1 ^ t2 ^ t3
}

/// The sum of `t`, of what the stages `k` and `k + 1` of a register have in common, and of stage `l` of
/// the next one, which takes it in.
#[inline(always)]
pub(super) fn taken_in(t: u64, from: &[u64; 2], k: u32, to: &[u64; 2], l: u32) -> u64 {
    let product = newer(from, k) & newer(from, k + 1) | older(from, k) & older(from, k + 1);
    let across = newer(from, k) & older(from, k + 1);
    (((t ^ across) ^ newer(to, l)) ^ product) ^ older(to, l)
}
