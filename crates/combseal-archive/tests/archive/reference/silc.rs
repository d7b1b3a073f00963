//! SILC versions 1 and 3 with AES-128: nonces of 12 or 8 bytes, 8-byte tag. CLOC made smaller in hardware: zero padding,
//! and the lengths are authenticated instead; AES is only ever run forwards.
//!
//! Source: Iwata, Minematsu, Guo, Morioka and Kobayashi, "SILC: SImple Lightweight CFB", CAESAR round 1, 2014, which is
//! version 1. Versions 2 (2015) and 3 (2016, as "CLOC and SILC") are the same function; they add a byte in front of the
//! nonce that names the parameters.
//! Status: we know of no break; a third-round candidate of CAESAR that was not chosen.
//! Kept for: "Comb to Pipeline" (Bogdanov, Lauridsen and Tischhauser, 2014), which measures it.

use super::*;

/// Which version. V3 is V2.
#[derive(Clone, Copy)]
pub enum Version {
    V1,
    V3,
}

impl Version {
    /// Gives the byte in front of the nonce, if there is one; nothing at all for a nonce length that the version does
    /// not have. 0xC0 stands for AES, 12-byte nonce, 8-byte tag.
    fn param(self, nonce_len: usize) -> Option<&'static [u8]> {
        match (self, nonce_len) {
            (Version::V1, 8 | 12) => Some(&[]),
            (Version::V3, 12) => Some(&[0xc0]),
            _ => None,
        }
    }
}

/// The bytes b0..b15 become b1, b2, .., b15, b0 ^ b1.
fn g(b: Block) -> Block {
    let mut moved = ZERO;
    moved[..15].copy_from_slice(&b[1..]);
    moved[15] = b[0] ^ b[1];
    moved
}

/// The block with its first bit set.
fn fix1(mut x: Block) -> Block {
    x[0] |= 0x80;
    x
}

/// V from the nonce, with its parameter byte in front if there is one, and the associated data.
fn hash(aes: &Aes, nonce: &[u8], ad: &[u8]) -> Block {
    let mut s = aes.e(right_aligned(nonce));
    for a_i in blocks(ad) {
        s = aes.e(xor([s, zero_padded(a_i)]));
    }
    g(xor([s, integer(ad.len())]))
}

/// The ciphertext.
fn encrypt(aes: &Aes, v: Block, msg: &[u8]) -> Vec<u8> {
    let mut ct = Vec::new();
    let mut s = aes.e(v);
    for m_i in blocks(msg) {
        let c_i = xor_bytes(m_i, &s);
        // After a last block this is not needed, and not used.
        s = aes.e(fix1(zero_padded(&c_i)));
        ct.extend(c_i);
    }
    ct
}

/// The message.
fn decrypt(aes: &Aes, v: Block, ct: &[u8]) -> Vec<u8> {
    let mut msg = Vec::new();
    let mut s = aes.e(v);
    for c_i in blocks(ct) {
        msg.extend(xor_bytes(c_i, &s));
        s = aes.e(fix1(zero_padded(c_i)));
    }
    msg
}

/// T, whose first 8 bytes are the tag.
fn prf(aes: &Aes, v: Block, ct: &[u8]) -> Block {
    let mut s = aes.e(g(v));
    for c_i in blocks(ct) {
        s = aes.e(xor([s, zero_padded(c_i)]));
    }
    aes.e(g(xor([s, integer(ct.len())])))
}

/// Gives ciphertext and tag. Panics if the key does not have 16 bytes or if the version has no such nonce: version 1 has
/// nonces of 8 and of 12 bytes here, version 3 of 12.
pub fn seal(version: Version, key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> (Vec<u8>, Vec<u8>) {
    assert!(key.len() == 16);
    let param = version.param(nonce.len()).expect("8 or 12 bytes of nonce");
    let aes = Aes::new(key);
    let v = hash(&aes, &[param, nonce].concat(), ad);
    let ct = encrypt(&aes, v, msg);
    let t = prf(&aes, v, &ct);
    (ct, t[..8].to_vec())
}

/// Gives the message, or nothing for a forgery.
pub fn open(version: Version, key: &[u8], nonce: &[u8], ad: &[u8], ct: &[u8], tag: &[u8]) -> Option<Vec<u8>> {
    let param = version.param(nonce.len())?;
    if key.len() != 16 {
        return None;
    }
    let aes = Aes::new(key);
    let v = hash(&aes, &[param, nonce].concat(), ad);
    let t = prf(&aes, v, ct);
    (*tag == t[..8]).then(|| decrypt(&aes, v, ct))
}

fn known_answers(file: &str, version: Version) {
    check(
        file,
        |key, nonce, ad, msg| seal(version, key, nonce, ad, msg),
        |key, nonce, ad, ct, tag| open(version, key, nonce, ad, ct, tag),
    );
}

#[test]
fn known_answers_v1() {
    known_answers("aes128n12silcv1", Version::V1);
    known_answers("aes128n8silcv1", Version::V1);
}

#[test]
fn known_answers_v3() {
    known_answers("aes128n12t8silcv3", Version::V3);
}
