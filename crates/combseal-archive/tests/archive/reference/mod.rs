//! What the references share: the conventions in which the modes are written down, and the comparison with the known
//! answers.
//!
//! A block is 16 bytes. "First bit" is the most significant bit of byte 0. Lengths are in bytes unless "bits" is said.

pub mod cloc;
pub mod colm;
pub mod copa;
pub mod cwc;
pub mod deoxys_ii;
pub mod etm;
pub mod jambu;
pub mod julius;
pub mod mcoe;
pub mod ocb1;
pub mod ocb2;
pub mod otr;
pub mod poet;
pub mod silc;

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};

/// 16 bytes.
pub type Block = [u8; 16];

/// The block of 16 zero bytes.
pub const ZERO: Block = [0; 16];

/// AES under one key of 16, 24 or 32 bytes.
pub enum Aes {
    Aes128(aes::Aes128),
    Aes192(aes::Aes192),
    Aes256(aes::Aes256),
}

impl Aes {
    /// Panics if the key has another length: each mode's `open` looks at the length of the key first.
    pub fn new(key: &[u8]) -> Aes {
        match key.len() {
            16 => Aes::Aes128(aes::Aes128::new_from_slice(key).unwrap()),
            24 => Aes::Aes192(aes::Aes192::new_from_slice(key).unwrap()),
            32 => Aes::Aes256(aes::Aes256::new_from_slice(key).unwrap()),
            other => panic!("AES has no keys of {other} bytes"),
        }
    }

    /// E(x), the encryption of one block.
    pub fn e(&self, x: Block) -> Block {
        let mut block = x.into();
        match self {
            Aes::Aes128(aes) => aes.encrypt_block(&mut block),
            Aes::Aes192(aes) => aes.encrypt_block(&mut block),
            Aes::Aes256(aes) => aes.encrypt_block(&mut block),
        }
        block.into()
    }

    /// D(x), the decryption of one block.
    pub fn d(&self, x: Block) -> Block {
        let mut block = x.into();
        match self {
            Aes::Aes128(aes) => aes.decrypt_block(&mut block),
            Aes::Aes192(aes) => aes.decrypt_block(&mut block),
            Aes::Aes256(aes) => aes.decrypt_block(&mut block),
        }
        block.into()
    }
}

/// a ^ b ^ ..., of whole blocks: `xor([a, b, c])`.
pub fn xor<const N: usize>(blocks: [Block; N]) -> Block {
    let mut sum = ZERO;
    for block in blocks {
        for i in 0..16 {
            sum[i] ^= block[i];
        }
    }
    sum
}

/// a ^ b of strings. Where one is shorter, only that many leading bytes are produced.
pub fn xor_bytes(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// x cut in 16-byte blocks, only the last of which may be short. The empty string has no blocks.
pub fn blocks(x: &[u8]) -> Vec<&[u8]> {
    x.chunks(16).collect()
}

/// x cut in blocks alike, but the empty string is one empty block.
pub fn blocks_at_least_one(x: &[u8]) -> Vec<&[u8]> {
    if x.is_empty() { vec![x] } else { blocks(x) }
}

/// A string of exactly 16 bytes as a block.
pub fn block(x: &[u8]) -> Block {
    x.try_into().expect("a block has 16 bytes")
}

/// One-zero padding: x itself if it has 16 bytes, else x, a byte 0x80, and zero bytes up to 16.
pub fn ozp(x: &[u8]) -> Block {
    if x.len() == 16 { block(x) } else { pad10(x) }
}

/// x, shorter than 16 bytes, then always a byte 0x80, and zero bytes up to 16.
pub fn pad10(x: &[u8]) -> Block {
    let mut padded = zero_padded(x);
    padded[x.len()] = 0x80;
    padded
}

/// x, at most 16 bytes, then zero bytes up to 16.
pub fn zero_padded(x: &[u8]) -> Block {
    let mut padded = ZERO;
    padded[..x.len()].copy_from_slice(x);
    padded
}

/// Zero bytes, then x, at most 16 bytes, at the right end.
pub fn right_aligned(x: &[u8]) -> Block {
    let mut padded = ZERO;
    padded[16 - x.len()..].copy_from_slice(x);
    padded
}

/// The integer n as 16 bytes, big-endian.
pub fn integer(n: usize) -> Block {
    (n as u128).to_be_bytes()
}

/// 2B where the first bit of a block is the coefficient of x^127, modulo x^128 + x^7 + x^2 + x + 1.
pub fn dbl(b: Block) -> Block {
    let n = u128::from_be_bytes(b);
    let carry = if n >> 127 == 1 { 0x87 } else { 0 };
    ((n << 1) ^ carry).to_be_bytes()
}

/// B / 2, the inverse of `dbl`.
pub fn half(b: Block) -> Block {
    let n = u128::from_be_bytes(b);
    let carry = if n & 1 == 1 { 0x8000_0000_0000_0000_0000_0000_0000_0043 } else { 0 };
    ((n >> 1) ^ carry).to_be_bytes()
}

/// 3B = 2B ^ B.
pub fn triple(b: Block) -> Block {
    xor([dbl(b), b])
}

/// 4B = 2(2B).
pub fn quadruple(b: Block) -> Block {
    dbl(dbl(b))
}

/// 7B = 4B ^ 2B ^ B.
pub fn sevenfold(b: Block) -> Block {
    xor([quadruple(b), dbl(b), b])
}

/// The product X * Y in the bit order of `dbl`.
pub fn mul(x: Block, y: Block) -> Block {
    let n = u128::from_be_bytes(x);
    let mut z = ZERO;
    for bit in (0..128).rev() {
        z = dbl(z);
        if (n >> bit) & 1 == 1 {
            z = xor([z, y]);
        }
    }
    z
}

/// 2B in GCM's bit order: the first bit of a block is the coefficient of x^0; the same modulus.
pub fn gdbl(b: Block) -> Block {
    let n = u128::from_be_bytes(b);
    let carry = if n & 1 == 1 { 0xe1 << 120 } else { 0 };
    ((n >> 1) ^ carry).to_be_bytes()
}

/// The product X * Y in GCM's bit order.
pub fn gmul(x: Block, y: Block) -> Block {
    let n = u128::from_be_bytes(x);
    let (mut z, mut v) = (ZERO, y);
    for bit in (0..128).rev() {
        if (n >> bit) & 1 == 1 {
            z = xor([z, v]);
        }
        v = gdbl(v);
    }
    z
}

/// One known answer. Where a mode's output does not split into ciphertext and tag, `ct` is the whole output and `tag`
/// is empty.
#[derive(Clone)]
pub struct Answer {
    pub id: u64,
    pub key: Vec<u8>,
    pub nonce: Vec<u8>,
    pub ad: Vec<u8>,
    /// Of a forgery, empty and without meaning.
    pub msg: Vec<u8>,
    pub ct: Vec<u8>,
    pub tag: Vec<u8>,
    /// False for a forgery.
    pub valid: bool,
}

/// The known answers of `vectors/archive/<file>.json`.
pub fn answers(file: &str) -> Vec<Answer> {
    let path = format!("{}/../../vectors/archive/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let read = |test: &serde_json::Value| {
        let bytes = |field: &str| {
            let hex = test[field].as_str().unwrap_or_else(|| panic!("{file} {}: no {field}", test["id"]));
            assert!(hex.len().is_multiple_of(2), "{file} {}: half a byte in {field}", test["id"]);
            (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
        };
        Answer {
            id: test["id"].as_u64().unwrap(),
            key: bytes("key"),
            nonce: bytes("nonce"),
            ad: bytes("ad"),
            msg: bytes("msg"),
            ct: bytes("ct"),
            tag: bytes("tag"),
            valid: test.get("valid").is_none_or(|valid| valid.as_bool().unwrap()),
        }
    };
    json["tests"].as_array().unwrap().iter().map(read).collect()
}

/// Compares a mode with the known answers of a file.
///
/// `seal` takes key, nonce, associated data and message, and gives ciphertext and tag. `open` takes key, nonce,
/// associated data, ciphertext and tag, and gives the message, or nothing for a forgery.
pub fn check(
    file: &str,
    seal: impl Fn(&[u8], &[u8], &[u8], &[u8]) -> (Vec<u8>, Vec<u8>),
    open: impl Fn(&[u8], &[u8], &[u8], &[u8], &[u8]) -> Option<Vec<u8>>,
) {
    check_answers(file, |t| seal(&t.key, &t.nonce, &t.ad, &t.msg), |t| open(&t.key, &t.nonce, &t.ad, &t.ct, &t.tag));
}

/// As `check`, for a mode whose output does not split: `seal` gives the whole output and `open` takes it.
pub fn check_whole(
    file: &str,
    seal: impl Fn(&[u8], &[u8], &[u8], &[u8]) -> Vec<u8>,
    open: impl Fn(&[u8], &[u8], &[u8], &[u8]) -> Option<Vec<u8>>,
) {
    check_answers(
        file,
        |t| (seal(&t.key, &t.nonce, &t.ad, &t.msg), Vec::new()),
        |t| {
            assert!(t.tag.is_empty());
            open(&t.key, &t.nonce, &t.ad, &t.ct)
        },
    );
}

/// As `check`, for functions that read what they need of an answer. `seal` must not look at `ct` and `tag`, and `open`
/// at no more of `msg` than its length (and at that only if the mode has to be told).
///
/// Every known answer has to be sealed and opened, and every forgery of the file refused. What is derived from each
/// known answer has to be refused too: one bit flipped in a byte of the nonce, the associated data, the ciphertext or
/// the tag (in every byte of these if all together are short), and a byte more or less in each of them. Last, zero bytes
/// of every small number in place of any of these or of the key: no `open` may panic on them.
pub fn check_answers(
    file: &str,
    seal: impl Fn(&Answer) -> (Vec<u8>, Vec<u8>),
    open: impl Fn(&Answer) -> Option<Vec<u8>>,
) {
    type Field = fn(&mut Answer) -> &mut Vec<u8>;
    let key: (&str, Field) = ("key", |t| &mut t.key);
    let fields: [(&str, Field); 4] =
        [("nonce", |t| &mut t.nonce), ("ad", |t| &mut t.ad), ("ct", |t| &mut t.ct), ("tag", |t| &mut t.tag)];

    let (forgeries, valid): (Vec<Answer>, Vec<Answer>) = answers(file).into_iter().partition(|test| !test.valid);
    assert!(!valid.is_empty(), "{file} has no valid test");
    for test in &forgeries {
        assert_eq!(open(test), None, "{file} {}: a forgery", test.id);
    }
    for test in &valid {
        assert_eq!(seal(test), (test.ct.clone(), test.tag.clone()), "{file} {}: seal", test.id);
        assert_eq!(open(test), Some(test.msg.clone()), "{file} {}: open", test.id);
    }

    let mut derived = 0;
    let mut refused = |test: &Answer, (name, field): (&str, Field), what: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut forged = test.clone();
        change(field(&mut forged));
        // A mode whose output does not split has no tag to change. Zero bytes can be what was there.
        if (name == "tag" && test.tag.is_empty()) || field(&mut forged) == field(&mut test.clone()) {
            return;
        }
        assert_eq!(open(&forged), None, "{file} {}: {what} {name}", test.id);
        derived += 1;
    };
    for test in &valid {
        let short = test.nonce.len() + test.ad.len() + test.ct.len() + test.tag.len() <= 100;
        // A different byte and a different bit in every test.
        let one = test.id as usize * 37;
        for field in fields {
            for i in 0..field.1(&mut test.clone()).len() {
                refused(test, field, &format!("a bit flipped in byte {i} of"), &|bytes| {
                    if short || i == one % bytes.len() {
                        bytes[i] ^= 1 << ((one + i) % 8);
                    }
                });
            }
            refused(test, field, "a byte more in", &|bytes| bytes.push(0));
            refused(test, field, "a byte less in", &|bytes| _ = bytes.pop());
            refused(test, field, "no", &|bytes| bytes.clear());
        }
    }
    for field in fields.into_iter().chain([key]) {
        for n in 0..100 {
            refused(&valid[0], field, &format!("{n} zero bytes as"), &|bytes| *bytes = vec![0; n]);
        }
    }
    println!("{file}: {} tests, {} forgeries of the file and {derived} derived", valid.len(), forgeries.len());
}
