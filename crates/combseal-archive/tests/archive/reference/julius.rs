//! Julius-ECB, regular, and what its reference code computes in its place.
//!
//! Source: Lear Bahack, "Julius: Secure Mode of Operation for Authenticated Encryption Based on ECB and Finite Field
//! Multiplications", submission to CAESAR, v1.0, March 2014.
//!
//! Status: not chosen, not standardised. In the first round of CAESAR, not in the second; no attack beyond the birthday
//! bound is known to us. The submitted code is faulty: its product is not the field's, its AES key schedule is wrong
//! where `unsigned long` has 64 bits, and its decryption never removes the masks.
//!
//! Kept for: Bogdanov, Lauridsen and Tischhauser (2014), who measured it: one AES call and two products a block, and
//! security that is whole when a nonce repeats, not up to the common prefix as with the online modes. The faulty
//! product is kept for its known answers alone, which anyone meets who tests against the submitted code.
//!
//! The zeros that fill the message to whole blocks stand in front of it, so opening has to be told the message's
//! length. The field is in the bit order of `dbl`.

use super::{Aes, Block, ZERO, block, blocks, mul, xor};

/// The element by which everything is multiplied: delta as it is, or as the reference code mistakes it.
pub type Delta = fn(Block) -> Block;

/// As specified.
pub fn specified(delta: Block) -> Block {
    delta
}

/// The reference code asks `byte >= 2^j` where it should ask for bit j, and so takes all bits below the highest set
/// bit of a byte for set.
pub fn as_the_code_has_it(delta: Block) -> Block {
    delta.map(|byte| match byte.checked_ilog2() {
        None => 0,
        Some(k) => 0xff >> (7 - k),
    })
}

/// 16 zero bytes, as many more as fill the message to whole blocks, and the message.
fn reg(msg: &[u8]) -> Vec<u8> {
    let fill = msg.len().next_multiple_of(16) - msg.len();
    [&[0; 16], &vec![0; fill][..], msg].concat()
}

/// mu = E(seed), where the seed is a polynomial in delta whose coefficients are the blocks of PAD.
fn mu(aes: &Aes, delta: Block, nonce: &[u8], ad: &[u8], msg: &[u8]) -> Block {
    let mut pad = vec![0; 15];
    pad.push(1);
    pad.extend(nonce);
    pad.extend((ad.len() as u64).to_be_bytes());
    pad.extend((msg.len() as u64).to_be_bytes());
    pad.extend(ad);
    pad.resize(pad.len().next_multiple_of(16), 0);
    pad.extend(reg(msg));
    let mut seed = ZERO;
    for b in blocks(&pad) {
        seed = xor([mul(seed, delta), block(b)]);
    }
    aes.e(seed)
}

/// The masks of the r blocks of REG.
fn masks(mu: Block, delta: Block, r: usize) -> Vec<Block> {
    // mu * delta^i
    let mut powers = vec![mu];
    for i in 1..r {
        powers.push(mul(powers[i - 1], delta));
    }
    if r.is_multiple_of(2) {
        return powers;
    }
    let odd = |i| match i {
        0 => mu,
        1 => xor([powers[1], mu]),
        i => powers[i - 1],
    };
    (0..r).map(odd).collect()
}

/// As many bytes as fill 16-byte blocks, and 16 more. Panics if key or nonce have not 16 bytes.
pub fn seal(delta: Delta, key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> Vec<u8> {
    assert!(key.len() == 16 && nonce.len() == 16);
    let aes = Aes::new(key);
    let delta = delta(aes.e(ZERO));
    let mu = mu(&aes, delta, nonce, ad, msg);
    let reg = reg(msg);
    let masks = masks(mu, delta, reg.len() / 16);
    let mut ct = Vec::new();
    for (r_i, mask) in blocks(&reg).into_iter().zip(masks) {
        ct.extend(aes.e(xor([block(r_i), mask])));
    }
    ct
}

/// The message, or nothing for a forgery.
fn open(delta: Delta, key: &[u8], nonce: &[u8], ad: &[u8], ct: &[u8], msg_len: usize) -> Option<Vec<u8>> {
    if key.len() != 16 || nonce.len() != 16 || !ct.len().is_multiple_of(16) || ct.len() / 16 != 1 + msg_len.div_ceil(16)
    {
        return None;
    }
    let aes = Aes::new(key);
    let delta = delta(aes.e(ZERO));
    let x: Vec<Block> = blocks(ct).into_iter().map(|c_i| aes.d(block(c_i))).collect();
    // R_0 = 0, whose mask is mu.
    let mu_sent = x[0];
    let masks = masks(mu_sent, delta, x.len());
    let mut reg = Vec::new();
    for (x_i, mask) in x.into_iter().zip(masks) {
        reg.extend(xor([x_i, mask]));
    }
    let (zeros, msg) = reg.split_at(reg.len() - msg_len);
    let whole = zeros.iter().all(|&byte| byte == 0);
    (whole && mu_sent == mu(&aes, delta, nonce, ad, msg)).then(|| msg.to_vec())
}

fn check(file: &str, delta: Delta) {
    super::check_answers(
        file,
        |t| (seal(delta, &t.key, &t.nonce, &t.ad, &t.msg), Vec::new()),
        |t| open(delta, &t.key, &t.nonce, &t.ad, &t.ct, t.msg.len()).filter(|_| t.tag.is_empty()),
    );
}

#[test]
fn known_answers() {
    check("julius_ecb_regular", specified);
}

#[test]
fn known_answers_of_the_faulty_code() {
    check("julius_ecb_regular_code", as_the_code_has_it);
}

#[test]
fn strings_of_any_length_are_refused() {
    for len in 0..70 {
        for msg_len in (0..70).chain([usize::MAX - 15, usize::MAX]) {
            assert_eq!(open(specified, &[1; 16], &[2; 16], b"data", &vec![7; len], msg_len), None);
        }
    }
}

/// A wrong length is refused although the blocks are as many.
#[test]
fn another_message_length_is_refused() {
    let msg = [0; 20];
    let ct = seal(specified, &[1; 16], &[2; 16], b"data", &msg);
    for msg_len in 0..50 {
        let opened = open(specified, &[1; 16], &[2; 16], b"data", &ct, msg_len);
        assert_eq!(opened, (msg_len == 20).then(|| msg.to_vec()));
    }
}
