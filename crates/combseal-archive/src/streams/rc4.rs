//! RC4 (Rivest, 1987; published by an unknown hand, 1994), as eSTREAM measured it: without nonces,
//! and without dropping the first bytes.
//!
//! Status: broken. The second byte is zero twice as often as it should (Mantin and Shamir, FSE
//! 2001), all first bytes have biases that recover what is sent often (AlFardan, Bernstein,
//! Paterson, Poettering and Schuldt, USENIX Security 2013), and TLS may not use it (RFC 7465,
//! 2015). Kept as the paper's benchmark cipher. Without a nonce, all messages under a key have one
//! key stream. Not constant-time: the permutation is looked up by secret numbers.
//!
//! The key's shuffle does not depend on a message; a message begins with a copy of what it leaves.

use super::about::About;
use super::cipher::Cipher;
use super::unrolled::unrolled;
use crate::about::Status;
use combseal::Cpu;
use combseal::internals::Wipe;

/// RC4 under a key: the permutation that the key leaves.
pub struct Rc4([u32; 256]);

/// A permutation and two places in it.
pub struct State {
    s: [u32; 256],
    i: u8,
    j: u8,
}

impl Drop for Rc4 {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.s.wipe();
    }
}

impl Cipher for Rc4 {
    const ABOUT: &'static About = &About {
        name: "rc4",
        key_lens: &[32, 16],
        nonce_lens: &[0],
        source: "Rivest, 1987",
        status: Status::Broken,
        history: "biases of its first bytes recover what is sent often (Mantin and Shamir 2001; AlFardan, Bernstein, \
                  Paterson, Poettering and Schuldt 2013); banned from TLS (RFC 7465, 2015)",
        constant_time: false,
        tuning: "table of words",
        context_2007: Some(1084),
        confirmed: true,
    };
    const BLOCK: usize = 64;
    type State = State;

    fn expand(_: Cpu, key: &[u8]) -> Self {
        let mut it = Self(std::array::from_fn(|i| i as u32));
        let s = &mut it.0;
        let mut j = 0u8;
        // Keys of the usual length as an array, so that no place in it is checked.
        match <&[u8; 32]>::try_from(key) {
            Ok(key) => {
                let mut x = s[0];
                for i in 0..256 {
                    // The next element is read before this one is exchanged, and is the other of the two if it was one.
                    let next = s[(i + 1) % 256];
                    j = j.wrapping_add(x as u8).wrapping_add(key[i % 32]);
                    s[i] = s[usize::from(j)];
                    s[usize::from(j)] = x;
                    x = if usize::from(j) == i + 1 { x } else { next };
                }
            }
            Err(_) => {
                for (i, &k) in (0..256).zip(key.iter().cycle()) {
                    j = j.wrapping_add(s[i] as u8).wrapping_add(k);
                    s.swap(i, usize::from(j));
                }
            }
        }
        it
    }

    #[inline]
    fn start(&self, _: &[u8]) -> State {
        State { s: self.0, i: 0, j: 0 }
    }

    fn xor(&self, state: &mut State, data: &mut [u8]) {
        let s = &mut state.s;
        let (mut i, mut j) = (state.i, state.j);
        let mut x = s[usize::from(i.wrapping_add(1))];
        for eight in data.as_chunks_mut::<8>().0 {
            let mut out = 0u64;
            unrolled!(n in [0 1 2 3 4 5 6 7] {
                i = i.wrapping_add(1);
                // Read ahead as in the key's set-up.
                let after = i.wrapping_add(1);
                let next = s[usize::from(after)];
                j = j.wrapping_add(x as u8);
                let y = s[usize::from(j)];
                s[usize::from(i)] = y;
                s[usize::from(j)] = x;
                out |= u64::from(s[usize::from(x.wrapping_add(y) as u8)]) << (8 * n);
                x = if j == after { x } else { next };
            });
            *eight = (u64::from_le_bytes(*eight) ^ out).to_le_bytes();
        }
        state.i = i;
        state.j = j;
    }
}
