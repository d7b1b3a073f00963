//! OCB2 with AES-128: 16-byte nonce, 16-byte tag; the associated data by PMAC, XORed to the tag.
//!
//! Source: Rogaway, "Efficient instantiations of tweakable blockciphers and refinements to modes OCB and PMAC",
//! ASIACRYPT 2004; ISO/IEC 19772:2009.
//! Status: BROKEN. Inoue, Iwata, Minematsu and Poettering (CRYPTO 2019) forge after one query, and recover plaintexts.
//! ISO has withdrawn it. Superseded by OCB3 (2011, RFC 7253), which the attacks do not touch.
//! Kept for: the comparison of OCB's three versions by Krovetz and Rogaway, FSE 2011. Measure it, do not use it.
//!
//! Blocks are big-endian integers in GF(2^128).

use super::*;

/// PMAC of nonempty associated data.
fn pmac(aes: &Aes, ad: &[u8]) -> Block {
    let a = blocks(ad);
    let (last, full) = a.split_last().unwrap();
    let mut d = triple(triple(aes.e(ZERO)));
    let mut s = ZERO;
    for a_i in full {
        d = dbl(d);
        s = xor([s, aes.e(xor([block(a_i), d]))]);
    }
    d = triple(dbl(d));
    if last.len() == 16 {
        s = xor([s, block(last)]);
    } else {
        d = triple(d);
        s = xor([s, pad10(last)]);
    }
    aes.e(xor([s, d]))
}

/// Gives ciphertext and tag. Panics if the key or the nonce does not have 16 bytes.
pub fn seal(key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> (Vec<u8>, Vec<u8>) {
    assert!(key.len() == 16 && nonce.len() == 16);
    let aes = Aes::new(key);
    let m = blocks_at_least_one(msg);
    let (last, full) = m.split_last().unwrap();

    let mut delta = aes.e(block(nonce));
    let (mut checksum, mut ct) = (ZERO, Vec::new());
    for m_i in full {
        delta = dbl(delta);
        ct.extend(xor([delta, aes.e(xor([block(m_i), delta]))]));
        checksum = xor([checksum, block(m_i)]);
    }
    // The last block is the one that takes the length, also if it is full.
    delta = dbl(delta);
    let pad = aes.e(xor([integer(8 * last.len()), delta]));
    let c_m = xor_bytes(last, &pad);
    checksum = xor([checksum, zero_padded(&c_m), pad]);
    ct.extend(c_m);
    let mut tag = aes.e(xor([checksum, triple(delta)]));
    if !ad.is_empty() {
        tag = xor([tag, pmac(&aes, ad)]);
    }
    (ct, tag.to_vec())
}

/// Gives the message, or nothing for a forgery. (The mode is broken: it gives the message of some forgeries too.)
pub fn open(key: &[u8], nonce: &[u8], ad: &[u8], ct: &[u8], tag: &[u8]) -> Option<Vec<u8>> {
    if key.len() != 16 || nonce.len() != 16 {
        return None;
    }
    let aes = Aes::new(key);
    let c = blocks_at_least_one(ct);
    let (last, full) = c.split_last().unwrap();

    let mut delta = aes.e(block(nonce));
    let (mut checksum, mut msg) = (ZERO, Vec::new());
    for c_i in full {
        delta = dbl(delta);
        let m_i = xor([delta, aes.d(xor([block(c_i), delta]))]);
        msg.extend(m_i);
        checksum = xor([checksum, m_i]);
    }
    delta = dbl(delta);
    let pad = aes.e(xor([integer(8 * last.len()), delta]));
    msg.extend(xor_bytes(last, &pad));
    checksum = xor([checksum, zero_padded(last), pad]);
    let mut expected = aes.e(xor([checksum, triple(delta)]));
    if !ad.is_empty() {
        expected = xor([expected, pmac(&aes, ad)]);
    }
    (tag == expected).then_some(msg)
}

#[test]
fn known_answers() {
    check("ocb2_aes128", seal, open);
}

/// The smallest forgery of Inoue, Iwata, Minematsu and Poettering: from the ciphertext of the two blocks len(16 bytes)
/// and M_2, one block of ciphertext that was never given out, and its tag.
#[test]
fn is_broken() {
    let (key, nonce) = ([1; 16], [2; 16]);
    let m_2 = [3; 16];
    let msg = [integer(128), m_2].concat();
    let (ct, _) = seal(&key, &nonce, &[], &msg);
    let (c_1, c_2) = (block(&ct[..16]), block(&ct[16..]));
    let forged_ct = xor([c_1, integer(128)]);
    let forged_tag = xor([m_2, c_2]);
    assert!(open(&key, &nonce, &[], &forged_ct, &forged_tag).is_some());
}
