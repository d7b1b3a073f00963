//! Deoxys-II-128, v1.41, with the tweakable block cipher Deoxys-BC-256.
//!
//! Source: Jérémy Jean, Ivica Nikolić, Thomas Peyrin and Yannick Seurin, Deoxys v1.41, submission to CAESAR, 2016
//! (v1.43 computes the same); "The Deoxys AEAD Family", Journal of Cryptology, 2021.
//!
//! Status: not broken. In the final portfolio of CAESAR for defence in depth, as the first choice. A repeated nonce
//! shows no more than that a message was repeated, up to the birthday bound.
//!
//! Kept for: how a cipher whose tweak is part of its key schedule compares with masks about AES, and what security
//! under repeated nonces costs.
//!
//! Names as in the text: TK1 and TK2 are the words of the tweakey, STK the subtweakeys, `h` the permutation of their
//! bytes.

use super::{Block, ZERO, block, blocks, pad10, xor, xor_bytes};

/// The constants of the subtweakeys.
const RCON: [u8; 15] = [0x2f, 0x5e, 0xbc, 0x63, 0xc6, 0x97, 0x35, 0x6a, 0xd4, 0xb3, 0x7d, 0xfa, 0xef, 0xc5, 0x91];

/// Where `h` brings each byte.
const H: [usize; 16] = [1, 6, 11, 12, 5, 10, 15, 0, 9, 14, 3, 4, 13, 2, 7, 8];

fn h(tk: Block) -> Block {
    let mut moved = ZERO;
    for i in 0..16 {
        moved[H[i]] = tk[i];
    }
    moved
}

/// A byte through a shift register of 8 bits.
fn lfsr2(b: u8) -> u8 {
    b << 1 | (b >> 7 ^ b >> 5) & 1
}

/// Deoxys-BC-256 of one block.
fn deoxys_bc(key: Block, tweak: Block, x: Block) -> Block {
    let (mut tk1, mut tk2) = (tweak, key);
    let mut s = x;
    for (r, &c) in RCON.iter().enumerate() {
        let rc = [1, 2, 4, 8, c, c, c, c, 0, 0, 0, 0, 0, 0, 0, 0];
        let stk = xor([tk1, tk2, rc]);
        s = if r == 0 { xor([s, stk]) } else { aes_round(s, stk) };
        tk1 = h(tk1);
        tk2 = h(tk2).map(lfsr2);
    }
    s
}

/// A round of AES encryption: SubBytes, ShiftRows, MixColumns and the round key, as the instruction AESENC has it.
fn aes_round(s: Block, round_key: Block) -> Block {
    let mut shifted = ZERO;
    for column in 0..4 {
        for row in 0..4 {
            shifted[4 * column + row] = S_BOX[s[4 * ((column + row) % 4) + row] as usize];
        }
    }
    let mut mixed = ZERO;
    for (column, mixed) in shifted.chunks(4).zip(mixed.chunks_mut(4)) {
        for row in 0..4 {
            let a = |i: usize| column[(row + i) % 4];
            mixed[row] = product(2, a(0)) ^ product(3, a(1)) ^ a(2) ^ a(3);
        }
    }
    xor([mixed, round_key])
}

/// The product in the field of AES, modulo x^8 + x^4 + x^3 + x + 1.
const fn product(a: u8, b: u8) -> u8 {
    let mut sum = 0;
    let mut power = b;
    let mut bit = 0;
    while bit < 8 {
        if a >> bit & 1 == 1 {
            sum ^= power;
        }
        power = power << 1 ^ if power >> 7 == 1 { 0x1b } else { 0 };
        bit += 1;
    }
    sum
}

/// SubBytes: the inverse in the field of AES, then an affine map.
const S_BOX: [u8; 256] = {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        // x^254 = 1/x, and 0 for 0.
        let mut inverse = 1;
        let mut i = 0;
        while i < 254 {
            inverse = product(inverse, x as u8);
            i += 1;
        }
        let b: u8 = inverse;
        table[x] = b ^ b.rotate_left(1) ^ b.rotate_left(2) ^ b.rotate_left(3) ^ b.rotate_left(4) ^ 0x63;
        x += 1;
    }
    table
};

/// The tweak of block i in the place that the prefix names: the prefix is the first half byte, i the last 8 bytes.
fn tweak(prefix: u8, i: usize) -> Block {
    let mut tweak = ZERO;
    tweak[0] = prefix << 4;
    tweak[8..].copy_from_slice(&(i as u64).to_be_bytes());
    tweak
}

/// The sum of the encrypted blocks of a string. A short last block is padded and has a prefix of its own.
fn authenticate(key: Block, full_prefix: u8, short_prefix: u8, string: &[u8]) -> Block {
    let mut auth = ZERO;
    for (i, x_i) in blocks(string).into_iter().enumerate() {
        let y_i = if x_i.len() == 16 {
            deoxys_bc(key, tweak(full_prefix, i), block(x_i))
        } else {
            deoxys_bc(key, tweak(short_prefix, i), pad10(x_i))
        };
        auth = xor([auth, y_i]);
    }
    auth
}

fn tag(key: Block, nonce: &[u8], ad: &[u8], msg: &[u8]) -> Block {
    let auth = xor([authenticate(key, 2, 6, ad), authenticate(key, 0, 4, msg)]);
    deoxys_bc(key, block(&[&[0x10], nonce].concat()), auth)
}

/// The second pass, encryption and decryption alike: the tag and a counter are the tweak, the nonce is the block.
fn stream(key: Block, nonce: &[u8], tag: Block, string: &[u8]) -> Vec<u8> {
    let mut t = tag;
    t[0] |= 0x80;
    let nonce = block(&[&[0], nonce].concat());
    let mut output = Vec::new();
    for (i, x_i) in blocks(string).into_iter().enumerate() {
        output.extend(xor_bytes(x_i, &deoxys_bc(key, xor([t, tweak(0, i)]), nonce)));
    }
    output
}

/// Ciphertext and tag. Panics if the key has not 16 bytes or the nonce not 15.
pub fn seal(key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> (Vec<u8>, Vec<u8>) {
    assert!(key.len() == 16 && nonce.len() == 15);
    let key = block(key);
    let tag = tag(key, nonce, ad, msg);
    (stream(key, nonce, tag, msg), tag.to_vec())
}

/// The message, or nothing for a forgery.
fn open(key: &[u8], nonce: &[u8], ad: &[u8], ct: &[u8], tag_sent: &[u8]) -> Option<Vec<u8>> {
    if key.len() != 16 || nonce.len() != 15 || tag_sent.len() != 16 {
        return None;
    }
    let key = block(key);
    let msg = stream(key, nonce, block(tag_sent), ct);
    (tag_sent == tag(key, nonce, ad, &msg)).then_some(msg)
}

#[test]
fn known_answers() {
    super::check("deoxysii128v141", seal, open);
}

#[test]
fn strings_of_any_length_are_refused() {
    for len in 0..70 {
        for tag_len in [0, 1, 15, 16, 17, 32] {
            assert_eq!(open(&[1; 16], &[2; 15], b"data", &vec![7; len], &vec![9; tag_len]), None);
        }
    }
}
