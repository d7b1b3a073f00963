//! Base64 of RFC 4648's alphabet for URLs and file names, without padding: one text for each byte string, so
//! that tokens as text are as unique as tokens.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// What each letter stands for; 255 of what is none.
const VALUES: [u8; 256] = {
    let mut it = [255; 256];
    let mut i = 0;
    while i < 64 {
        it[ALPHABET[i] as usize] = i as u8;
        i += 1;
    }
    it
};

/// Letters for so many bytes.
pub fn encoded_len(bytes: usize) -> usize {
    bytes / 3 * 4 + [0, 2, 3][bytes % 3]
}

/// Writes `bytes` as letters to the front of `out`, which has room for [`encoded_len`].
pub fn encode(bytes: &[u8], out: &mut [u8]) {
    let letter = |n: u32| ALPHABET[(n & 63) as usize];
    let (threes, rest) = bytes.as_chunks::<3>();
    let (fours, end) = out.split_at_mut(threes.len() * 4);
    for (three, four) in threes.iter().zip(fours.as_chunks_mut::<4>().0) {
        let n = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        *four = [letter(n >> 18), letter(n >> 12), letter(n >> 6), letter(n)];
    }
    match *rest {
        [a] => end[..2].copy_from_slice(&[letter(u32::from(a) >> 2), letter(u32::from(a) << 4)]),
        [a, b] => {
            let n = u32::from_be_bytes([0, a, b, 0]);
            end[..3].copy_from_slice(&[letter(n >> 18), letter(n >> 12), letter(n >> 6)]);
        }
        _ => {}
    }
}

/// Writes what `text` stands for to the front of `out`, which has three bytes for every four
/// letters begun, and returns how many there are; `None` if it is not what [`encode`] writes of anything.
pub fn decode(text: &[u8], out: &mut [u8]) -> Option<usize> {
    if text.len() % 4 == 1 {
        return None;
    }
    let len = text.len() / 4 * 3 + [0, 0, 1, 2][text.len() % 4];
    let mut bad = 0;
    for (i, four) in text.chunks(4).enumerate() {
        let mut n = 0;
        for j in 0..4 {
            let value = four.get(j).map_or(0, |&letter| VALUES[letter as usize]);
            bad |= value & 192;
            n = n << 6 | u32::from(value & 63);
        }
        let three = n.to_be_bytes();
        let count = (len - 3 * i).min(3);
        out[3 * i..3 * i + count].copy_from_slice(&three[1..1 + count]);
        // Bits of no byte must be zero.
        bad |= three[1 + count..].iter().fold(0, |all, &byte| all | byte).min(1) << 7;
    }
    (bad == 0).then_some(len)
}
