//! Encrypt-then-MAC of AES-128-CBC and HMAC-SHA-256: A128CBC-HS256, with a key of 32 bytes, a 16-byte IV and a 16-byte
//! tag.
//!
//! Source: Bellare and Namprempre, "Authenticated encryption: Relations among notions and analysis of the generic
//! composition paradigm", ASIACRYPT 2000; this instance is from Jones, RFC 7518 (2015), section 5.2.
//! Status: not broken, and in use. Superseded in new protocols by modes with one key and one pass, such as GCM.
//! Kept for: the rows of generic composition in Krovetz and Rogaway, FSE 2011, and as the baseline from which one key
//! and one pass are the progress.

use super::*;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// PKCS#7: n bytes of value n, 1 to 16 of them.
fn pad(msg: &[u8]) -> Vec<u8> {
    let n = 16 - msg.len() % 16;
    [msg, &vec![n as u8; n]].concat()
}

/// Removes the padding, if there is one.
fn unpad(padded: &[u8]) -> Option<Vec<u8>> {
    let n = usize::from(*padded.last()?);
    if !(1..=16).contains(&n) || n > padded.len() {
        return None;
    }
    let (msg, padding) = padded.split_at(padded.len() - n);
    padding.iter().all(|&byte| usize::from(byte) == n).then(|| msg.to_vec())
}

/// The first 16 bytes of HMAC-SHA-256 of A || IV || C || be64(length of A in bits).
fn tag(mac_key: &[u8], iv: &[u8], ad: &[u8], ct: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(mac_key).unwrap();
    mac.update(ad);
    mac.update(iv);
    mac.update(ct);
    mac.update(&(8 * ad.len() as u64).to_be_bytes());
    mac.finalize().into_bytes()[..16].to_vec()
}

/// Gives ciphertext and tag. The key is that of the MAC, then that of the encryption. Panics if it does not have 32 bytes
/// or the IV not 16.
pub fn seal(key: &[u8], iv: &[u8], ad: &[u8], msg: &[u8]) -> (Vec<u8>, Vec<u8>) {
    assert!(key.len() == 32 && iv.len() == 16);
    let (mac_key, enc_key) = key.split_at(16);
    let aes = Aes::new(enc_key);
    let (mut previous, mut ct) = (block(iv), Vec::new());
    for m_i in blocks(&pad(msg)) {
        previous = aes.e(xor([block(m_i), previous]));
        ct.extend(previous);
    }
    let tag = tag(mac_key, iv, ad, &ct);
    (ct, tag)
}

/// Gives the message, or nothing for a forgery. The padding is looked at only if the tag is right.
pub fn open(key: &[u8], iv: &[u8], ad: &[u8], ct: &[u8], received: &[u8]) -> Option<Vec<u8>> {
    if key.len() != 32 || iv.len() != 16 || !ct.len().is_multiple_of(16) {
        return None;
    }
    let (mac_key, enc_key) = key.split_at(16);
    if received != tag(mac_key, iv, ad, ct) {
        return None;
    }
    let aes = Aes::new(enc_key);
    let (mut previous, mut padded) = (block(iv), Vec::new());
    for c_i in blocks(ct) {
        padded.extend(xor([aes.d(block(c_i)), previous]));
        previous = block(c_i);
    }
    unpad(&padded)
}

#[test]
fn known_answers() {
    check("etm_a128cbc_hs256", seal, open);
}
