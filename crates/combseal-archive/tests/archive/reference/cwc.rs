//! CWC with AES of any key: 11-byte nonce, 16-byte tag. Counter mode and a Carter-Wegman hash modulo the prime
//! p = 2^127 - 1.
//!
//! Source: Kohno, Viega and Whiting, "CWC: A high-performance conventional authenticated encryption mode", FSE 2004.
//! Status: we know of no break. Superseded by GCM (2004), whose hash is cheaper in hardware and which NIST chose.
//! Kept for: the list of modes by Krovetz and Rogaway, FSE 2011, and as the mode whose hash is integer arithmetic.

use super::*;

const P: u128 = (1 << 127) - 1;

/// a * b modulo p for a, b < p, one bit of b after another. No sum here reaches 2^128.
fn multiply(a: u128, b: u128) -> u128 {
    let mut product = 0;
    for bit in (0..127).rev() {
        product = (product + product) % P;
        if (b >> bit) & 1 == 1 {
            product = (product + a) % P;
        }
    }
    product
}

/// ctr(i).
fn counter(nonce: &[u8], i: u32) -> Block {
    block(&[&[0x80], nonce, &i.to_be_bytes()].concat())
}

/// Encrypts or decrypts.
fn stream(aes: &Aes, nonce: &[u8], x: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (i, x_i) in blocks(x).into_iter().enumerate() {
        out.extend(xor_bytes(x_i, &aes.e(counter(nonce, i as u32 + 1))));
    }
    out
}

fn tag(aes: &Aes, nonce: &[u8], ad: &[u8], ct: &[u8]) -> Block {
    let mut c0 = ZERO;
    c0[0] = 0xc0;
    // The first bit is cleared. All ones would be p, which is zero.
    let z = (u128::from_be_bytes(aes.e(c0)) & P) % P;
    let mut h = 0;
    for part in [ad, ct] {
        // Each part is padded with zero bytes to words of 12.
        for word in part.chunks(12) {
            let mut x_j = ZERO;
            x_j[4..][..word.len()].copy_from_slice(word);
            h = multiply((h + u128::from_be_bytes(x_j)) % P, z);
        }
    }
    h = (h + ((ad.len() as u128) << 64) + ct.len() as u128) % P;
    xor([aes.e(h.to_be_bytes()), aes.e(counter(nonce, 0))])
}

/// Gives ciphertext and tag. Panics if the key does not have 16, 24 or 32 bytes or the nonce not 11.
pub fn seal(key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> (Vec<u8>, Vec<u8>) {
    assert!(nonce.len() == 11);
    let aes = Aes::new(key);
    let ct = stream(&aes, nonce, msg);
    let tag = tag(&aes, nonce, ad, &ct);
    (ct, tag.to_vec())
}

/// Gives the message, or nothing for a forgery.
pub fn open(key: &[u8], nonce: &[u8], ad: &[u8], ct: &[u8], received: &[u8]) -> Option<Vec<u8>> {
    if !matches!(key.len(), 16 | 24 | 32) || nonce.len() != 11 {
        return None;
    }
    let aes = Aes::new(key);
    (received == tag(&aes, nonce, ad, ct)).then(|| stream(&aes, nonce, ct))
}

#[test]
fn known_answers() {
    check("cwc_aes128", seal, open);
    check("cwc_aes256", seal, open);
}
