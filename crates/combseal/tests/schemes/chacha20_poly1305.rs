//! ChaCha20-Poly1305 and XChaCha20-Poly1305: known answers, and every tier as every other.

use crate::agreement::{agree, around_powers, flips, lengths};
use crate::known::{check, known};
use combseal::{Aead, ChaCha20Poly1305, XChaCha20Poly1305};

#[test]
fn known_answers() {
    known(&["chacha20_poly1305", "wycheproof/chacha20_poly1305_test"], |cpu, case| {
        check(&ChaCha20Poly1305::build(cpu, &case.key, 16).unwrap(), case);
    });
    known(&["xchacha20_poly1305", "wycheproof/xchacha20_poly1305_test"], |cpu, case| {
        check(&XChaCha20Poly1305::build(cpu, &case.key, 16).unwrap(), case);
    });
}

#[test]
fn buffers_agree() {
    agree(ChaCha20Poly1305::build, 32, 16, (0..=300).chain(around_powers()));
    agree(XChaCha20Poly1305::build, 32, 16, (0..=300).chain(around_powers()));
}

#[test]
fn forgeries() {
    flips(ChaCha20Poly1305::build, 32, 16);
    flips(XChaCha20Poly1305::build, 32, 16);
}

#[test]
fn wrong_lengths() {
    lengths(ChaCha20Poly1305::build, 32, &[16]);
    lengths(XChaCha20Poly1305::build, 32, &[16]);
}

#[test]
fn doors() {
    assert_eq!(ChaCha20Poly1305::new(&[9; 32]).nonce_len(), 12);
    assert_eq!(XChaCha20Poly1305::new(&[9; 32]).nonce_len(), 24);
    assert!(!format!("{:?}", ChaCha20Poly1305::new(&[9; 32])).contains('9'));
}
