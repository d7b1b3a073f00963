//! AES-JAMBU: AES-128, 8-byte nonce, 8-byte tag, 8 bytes of message a call of AES.
//!
//! Source: Wu and Huang, "JAMBU lightweight authenticated encryption mode and AES-JAMBU", CAESAR round 1, 2014. Version 2
//! (round 2, 2015) is the same function.
//! Status: a third-round candidate of CAESAR that was not chosen. Peyrin, Sim, Wang and Zhang (FSE 2015) broke the
//! confidentiality that version 1 claimed for repeated nonces, with 2^32 queries, and under nonces that do not repeat
//! with 2^96 work by chosen ciphertexts.
//! Kept for: "Comb to Pipeline" (Bogdanov, Lauridsen and Tischhauser, 2014), which measures it.

use super::*;

/// Half a block.
type Half = [u8; 8];

fn xor_halves(a: Half, b: Half) -> Half {
    (u64::from_be_bytes(a) ^ u64::from_be_bytes(b)).to_be_bytes()
}

/// The 8-byte blocks of x, padded always: a byte 0x80 behind x, and zero bytes to the end of the block.
fn padded(x: &[u8]) -> Vec<Half> {
    let mut x = x.to_vec();
    x.push(0x80);
    while !x.len().is_multiple_of(8) {
        x.push(0);
    }
    x.chunks(8).map(|half| half.try_into().unwrap()).collect()
}

/// The state: a block (U, V), and R.
struct State {
    aes: Aes,
    u: Half,
    v: Half,
    r: Half,
}

impl State {
    fn new(key: &[u8], nonce: &[u8]) -> State {
        let mut state = State { aes: Aes::new(key), u: nonce.try_into().unwrap(), v: [0; 8], r: [0; 8] };
        (state.u, state.v) = state.encrypted();
        state.u[0] ^= 5;
        state.r = state.v;
        state
    }

    /// (U', V') = E(U || V).
    fn encrypted(&self) -> (Half, Half) {
        let x = self.aes.e(block(&[self.u, self.v].concat()));
        (x[..8].try_into().unwrap(), x[8..].try_into().unwrap())
    }

    /// The first half of a step, which gives the new U without a look at the input.
    fn begin_step(&mut self, constant: u8) {
        let (u, v) = self.encrypted();
        self.u = xor_halves(u, self.r);
        self.u[0] ^= constant;
        self.v = v;
    }

    /// The second half of a step: the input goes into V, and the new V into R.
    fn end_step(&mut self, x: Half) {
        self.v = xor_halves(self.v, x);
        self.r = xor_halves(self.r, self.v);
    }

    fn step(&mut self, constant: u8, x: Half) {
        self.begin_step(constant);
        self.end_step(x);
    }

    fn associated(&mut self, ad: &[u8]) {
        for a_i in padded(ad) {
            self.step(1, a_i);
        }
    }

    fn tag(mut self) -> Half {
        self.step(3, [0; 8]);
        let (u, v) = self.encrypted();
        xor_halves(xor_halves(u, v), self.r)
    }
}

/// Gives ciphertext and tag. Panics if the key does not have 16 bytes or the nonce not 8.
pub fn seal(key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> (Vec<u8>, Vec<u8>) {
    assert!(key.len() == 16 && nonce.len() == 8);
    let mut state = State::new(key, nonce);
    state.associated(ad);
    let mut ct = Vec::new();
    for p_i in padded(msg) {
        state.step(0, p_i);
        ct.extend(xor_halves(p_i, state.u));
    }
    // The padding gives no ciphertext.
    ct.truncate(msg.len());
    (ct, state.tag().to_vec())
}

/// Gives the message, or nothing for a forgery.
pub fn open(key: &[u8], nonce: &[u8], ad: &[u8], ct: &[u8], tag: &[u8]) -> Option<Vec<u8>> {
    if key.len() != 16 || nonce.len() != 8 {
        return None;
    }
    let mut state = State::new(key, nonce);
    state.associated(ad);
    let mut msg = Vec::new();
    let full = ct.len() / 8 * 8;
    for c_i in ct[..full].chunks(8) {
        state.begin_step(0);
        let p_i = xor_halves(c_i.try_into().unwrap(), state.u);
        state.end_step(p_i);
        msg.extend(p_i);
    }
    // The last block, 0 to 7 bytes before the padding.
    state.begin_step(0);
    let p = xor_bytes(&ct[full..], &state.u);
    state.end_step(padded(&p)[0]);
    msg.extend(p);
    (*tag == state.tag()).then_some(msg)
}

#[test]
fn known_answers() {
    check("aesjambuv1", seal, open);
}
