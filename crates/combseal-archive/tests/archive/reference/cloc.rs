//! CLOC versions 1 and 3 with AES-128: nonces of 12 or 8 bytes, 8-byte tag. CFB encryption beside a CBC-MAC, made for
//! short messages; AES is only ever run forwards.
//!
//! Source: Iwata, Minematsu, Guo and Morioka, "CLOC: Authenticated encryption for short input", FSE 2014, which is
//! version 1 of the CAESAR candidate. Versions 2 (2015) and 3 (2016, as "CLOC and SILC") are the same function; they add
//! a byte in front of the nonce that names the parameters.
//! Status: we know of no break; a third-round candidate of CAESAR that was not chosen.
//! Kept for: "Comb to Pipeline" (Bogdanov, Lauridsen and Tischhauser, 2014), which measures it, and as an example of a
//! serial mode with two chains that can be interleaved.

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

/// A block as four words (a, b, c, d). They are only XORed and moved, so their byte order does not matter.
fn words(x: Block) -> [u32; 4] {
    let n = u128::from_be_bytes(x);
    [(n >> 96) as u32, (n >> 64) as u32, (n >> 32) as u32, n as u32]
}

fn from_words([a, b, c, d]: [u32; 4]) -> Block {
    let n = (u128::from(a) << 96) | (u128::from(b) << 64) | (u128::from(c) << 32) | u128::from(d);
    n.to_be_bytes()
}

fn f1(x: Block) -> Block {
    let [a, b, c, d] = words(x);
    from_words([a ^ c, b ^ d, a ^ b ^ c, b ^ c ^ d])
}

fn f2(x: Block) -> Block {
    let [a, b, c, d] = words(x);
    from_words([b, c, d, a ^ b])
}

fn g1(x: Block) -> Block {
    let [a, b, c, d] = words(x);
    from_words([c, d, a ^ b, b ^ c])
}

fn g2(x: Block) -> Block {
    f2(x)
}

fn h(x: Block) -> Block {
    let [a, b, c, d] = words(x);
    from_words([a ^ b, b ^ c, c ^ d, a ^ b ^ d])
}

/// The block with its first bit cleared.
fn fix0(mut x: Block) -> Block {
    x[0] &= 0x7f;
    x
}

/// The block with its first bit set.
fn fix1(mut x: Block) -> Block {
    x[0] |= 0x80;
    x
}

/// V from the nonce, with its parameter byte in front if there is one, and the associated data.
fn hash(aes: &Aes, nonce: &[u8], ad: &[u8]) -> Block {
    let a = blocks_at_least_one(ad);
    let padded = a.last().unwrap().len() < 16;
    // Only the last block can be short, so this pads no other.
    let a: Vec<Block> = a.into_iter().map(ozp).collect();
    let mut s = aes.e(fix0(a[0]));
    if a[0][0] & 0x80 != 0 {
        s = h(s);
    }
    for a_i in &a[1..] {
        s = aes.e(xor([s, *a_i]));
    }
    let s = xor([s, ozp(nonce)]);
    if padded { f2(s) } else { f1(s) }
}

/// The ciphertext.
fn encrypt(aes: &Aes, v: Block, msg: &[u8]) -> Vec<u8> {
    let mut ct = Vec::new();
    let mut s = aes.e(v);
    for m_i in blocks(msg) {
        let c_i = xor_bytes(m_i, &s);
        // After a last block this is not needed, and not used.
        s = aes.e(fix1(ozp(&c_i)));
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
        s = aes.e(fix1(ozp(c_i)));
    }
    msg
}

/// T, whose first 8 bytes are the tag.
fn prf(aes: &Aes, v: Block, ct: &[u8]) -> Block {
    let c = blocks(ct);
    let Some((last, before)) = c.split_last() else {
        return aes.e(g1(v));
    };
    let mut s = aes.e(g2(v));
    for c_i in before {
        s = aes.e(xor([s, block(c_i)]));
    }
    let s = xor([s, ozp(last)]);
    aes.e(if last.len() == 16 { f1(s) } else { f2(s) })
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
    known_answers("aes128n12clocv1", Version::V1);
    known_answers("aes128n8clocv1", Version::V1);
}

#[test]
fn known_answers_v3() {
    known_answers("aes128n12t8clocv3", Version::V3);
}
