//! OCB1 with AES-128: 16-byte nonce, 16-byte tag, no associated data.
//!
//! Source: Rogaway, Bellare, Black and Krovetz, "OCB: A block-cipher mode of operation for efficient authenticated
//! encryption", CCS 2001; TISSEC 2003.
//! Status: not broken, and proven secure up to the birthday bound. Superseded by OCB2 (2004) and by OCB3 (2011,
//! RFC 7253), which take associated data.
//! Kept for: the comparison of OCB's three versions by Krovetz and Rogaway, FSE 2011.
//!
//! Blocks are big-endian integers in GF(2^128).

use super::*;

/// The offsets of one message.
struct Offsets {
    /// L(i) = 2^i L(0).
    l: Vec<Block>,
    /// L(-1) = L(0) / 2.
    l_minus_1: Block,
    /// Z_0 = R.
    r: Block,
}

impl Offsets {
    fn new(aes: &Aes, nonce: Block) -> Offsets {
        let l_0 = aes.e(ZERO);
        let mut l = vec![l_0];
        for i in 1..64 {
            l.push(dbl(l[i - 1]));
        }
        Offsets { l, l_minus_1: half(l_0), r: aes.e(xor([nonce, l_0])) }
    }

    /// Z_i = Z_{i-1} ^ L(ntz(i)).
    fn next(&self, z: Block, i: usize) -> Block {
        xor([z, self.l[i.trailing_zeros() as usize]])
    }
}

/// Gives ciphertext and tag. Panics if the key or the nonce does not have 16 bytes, or if there is associated data.
pub fn seal(key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> (Vec<u8>, Vec<u8>) {
    assert!(key.len() == 16 && nonce.len() == 16 && ad.is_empty());
    let aes = Aes::new(key);
    let offsets = Offsets::new(&aes, block(nonce));
    let m = blocks_at_least_one(msg);
    let (last, full) = m.split_last().unwrap();

    let (mut z, mut checksum, mut ct) = (offsets.r, ZERO, Vec::new());
    for (i, m_i) in full.iter().enumerate() {
        z = offsets.next(z, i + 1);
        ct.extend(xor([z, aes.e(xor([block(m_i), z]))]));
        checksum = xor([checksum, block(m_i)]);
    }
    // The last block is the one that takes the length, also if it is full.
    z = offsets.next(z, m.len());
    let x = xor([integer(8 * last.len()), offsets.l_minus_1, z]);
    let y = aes.e(x);
    let c_m = xor_bytes(last, &y);
    checksum = xor([checksum, zero_padded(&c_m), y]);
    ct.extend(c_m);
    let tag = aes.e(xor([checksum, z]));
    (ct, tag.to_vec())
}

/// Gives the message, or nothing for a forgery.
pub fn open(key: &[u8], nonce: &[u8], ad: &[u8], ct: &[u8], tag: &[u8]) -> Option<Vec<u8>> {
    if key.len() != 16 || nonce.len() != 16 || !ad.is_empty() {
        return None;
    }
    let aes = Aes::new(key);
    let offsets = Offsets::new(&aes, block(nonce));
    let c = blocks_at_least_one(ct);
    let (last, full) = c.split_last().unwrap();

    let (mut z, mut checksum, mut msg) = (offsets.r, ZERO, Vec::new());
    for (i, c_i) in full.iter().enumerate() {
        z = offsets.next(z, i + 1);
        let m_i = xor([z, aes.d(xor([block(c_i), z]))]);
        msg.extend(m_i);
        checksum = xor([checksum, m_i]);
    }
    z = offsets.next(z, c.len());
    let x = xor([integer(8 * last.len()), offsets.l_minus_1, z]);
    let y = aes.e(x);
    msg.extend(xor_bytes(last, &y));
    checksum = xor([checksum, zero_padded(last), y]);
    (tag == aes.e(xor([checksum, z]))).then_some(msg)
}

#[test]
fn known_answers() {
    check("ocb1_aes128", seal, open);
}
