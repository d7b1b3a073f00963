//! LEX, a round at a time (Biryukov, eSTREAM, 2005 and 2006), over the AES of its neighbour.

use super::aes_ctr::{add, expand, round, sbox};

fn stream_of(version: u8, key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let sbox = sbox();
    let keys = expand(&sbox, key);
    // Ten rounds, with the states behind each.
    let ten = |state: &[u8], whiten: bool, mix_last: bool| {
        let mut state = if whiten { add(state, &keys[0]) } else { state.to_vec() };
        let mut states = vec![];
        for r in 1..=10 {
            state = round(&sbox, &state, &keys[r], r < 10 || mix_last);
            states.push(state.clone());
        }
        states
    };
    // The nonce is of little-endian words, the AES of big-endian columns.
    let words: Vec<u8> = nonce.chunks(4).flat_map(|word| word.iter().rev().copied()).collect();
    let mut state = ten(&words, true, version == 1)[9].clone();
    let mut stream = vec![];
    while stream.len() < len {
        let states = ten(&state, version == 1, true);
        for (i, t) in states.iter().enumerate() {
            // The first round is an odd one: rows 0 and 2 of columns 0 and 2.
            let leak = match (i % 2, version) {
                (0, _) => [t[0], t[8], t[2], t[10]],
                (_, 2) => [t[1], t[9], t[3], t[11]],
                _ => [t[5], t[13], t[7], t[15]],
            };
            stream.extend(leak.iter().rev());
        }
        state = states[9].clone();
    }
    stream.truncate(len);
    stream
}

/// Version 2.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    stream_of(2, key, nonce, len)
}

/// Version 1.
pub fn keystream_v1(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    stream_of(1, key, nonce, len)
}
