//! SNOW 2.0 from its paper (Ekdahl and Johansson, SAC 2002), with the order of bytes of eSTREAM's
//! benchmark: the key's words big-endian, those of the nonce and of the key stream little-endian.

use super::alpha::{over_alpha, times_alpha};
use std::collections::VecDeque;

/// The AES's x times.
fn double(a: u8) -> u8 {
    a << 1 ^ if a & 0x80 == 0 { 0 } else { 0x1b }
}

fn product(mut a: u8, b: u8) -> u8 {
    let mut sum = 0;
    for i in 0..8 {
        if b >> i & 1 == 1 {
            sum ^= a;
        }
        a = double(a);
    }
    sum
}

/// The AES's S-box: the inverse, which is the power 254, and the affine map.
fn sub(a: u8) -> u8 {
    let inverse = (0..254).fold(1, |power, _| product(power, a));
    (0..5).fold(0x63, |sum, i| sum ^ inverse.rotate_left(i))
}

/// SubBytes and MixColumns of a column.
fn s(w: u32) -> u32 {
    let a = w.to_le_bytes().map(sub);
    let mixed = |i: usize| double(a[i]) ^ double(a[(i + 1) % 4]) ^ a[(i + 1) % 4] ^ a[(i + 2) % 4] ^ a[(i + 3) % 4];
    u32::from_le_bytes([mixed(0), mixed(1), mixed(2), mixed(3)])
}

struct State {
    s: VecDeque<u32>,
    r1: u32,
    r2: u32,
}

impl State {
    /// A clock; the machine's word, fed back or added to the oldest word.
    fn clock(&mut self, feed_back: bool) -> u32 {
        let f = self.s[15].wrapping_add(self.r1) ^ self.r2;
        let mut new = times_alpha(self.s[0]) ^ self.s[2] ^ over_alpha(self.s[11]);
        if feed_back {
            new ^= f;
        }
        (self.r1, self.r2) = (self.r2.wrapping_add(self.s[5]), s(self.r1));
        let oldest = self.s.pop_front().unwrap();
        self.s.push_back(new);
        f ^ oldest
    }
}

/// `len` bytes of the key stream.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let k: Vec<u32> = key.chunks(4).map(|w| u32::from_be_bytes(w.try_into().unwrap())).collect();
    let v: Vec<u32> = nonce.chunks(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect();
    // From s15 down: the key and its complement, as often as it takes.
    let both: Vec<u32> = k.iter().copied().chain(k.iter().map(|w| !w)).collect();
    let mut s: Vec<u32> = both.iter().copied().cycle().take(16).collect();
    s.reverse();
    for (place, word) in [(15, 3), (12, 2), (10, 1), (9, 0)] {
        s[place] ^= v[word];
    }
    let mut state = State { s: s.into(), r1: 0, r2: 0 };
    for _ in 0..32 {
        state.clock(true);
    }
    state.clock(false);
    let mut stream = Vec::new();
    while stream.len() < len {
        stream.extend(state.clock(false).to_le_bytes());
    }
    stream.truncate(len);
    stream
}
