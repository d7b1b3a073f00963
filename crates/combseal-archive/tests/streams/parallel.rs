//! What goes by the library's vectors and AES instructions: Salsa20, the AES in counter mode, LEX.

use crate::properties::Numbers;
use crate::{known, properties, reference};
use combseal::cpu::{Aes128, Aes256};
use combseal_archive::streams::aes_ctr::AesCtr;
use combseal_archive::streams::cipher::Cipher;
use combseal_archive::streams::lex::Lex;
use combseal_archive::streams::salsa20::Salsa20;
use combseal_archive::streams::with_poly1305::WithPoly1305;

#[test]
fn salsa20() {
    known::check::<Salsa20<20>>("salsa20");
    known::check::<Salsa20<12>>("salsa20-12");
    known::check::<Salsa20<8>>("salsa20-8");
    properties::check::<Salsa20<20>>(reference::salsa20::keystream);
    properties::check::<Salsa20<12>>(reference::salsa20::keystream_12);
    properties::check::<Salsa20<8>>(reference::salsa20::keystream_8);
}

#[test]
fn salsa20_many() {
    properties::check_many::<Salsa20<20>>();
    properties::check_many::<Salsa20<12>>();
    properties::check_many::<Salsa20<8>>();
    properties::check_packets::<Salsa20<8>>();
}

/// From any block on: also where the number's low word overflows, and where all of it does.
#[test]
fn salsa20_numbers() {
    let mut numbers = Numbers(9);
    let (key, nonce) = (numbers.bytes(32), numbers.bytes(8));
    for cpu in combseal::Cpu::all().filter(|&cpu| combseal_archive::runs_on(cpu)) {
        let cipher = Salsa20::<20>::expand(cpu, &key);
        for end in [7 << 32, 0u64] {
            for back in [1u64, 3, 8, 15, 16, 17, 40] {
                let number = end.wrapping_sub(back);
                let mut data = vec![0; 64 * 48];
                let mut state = cipher.start_at(&nonce, number);
                cipher.xor(&mut state, &mut data);
                let expected = reference::salsa20::keystream_from(20, &key, &nonce, number, data.len());
                assert!(data == expected, "{cpu:?} {number}");
            }
        }
    }
}

#[test]
fn aes() {
    known::check::<AesCtr<Aes128>>("aes-128");
    known::check::<AesCtr<Aes256>>("aes-256");
    properties::check::<AesCtr<Aes128>>(reference::aes_ctr::keystream);
    properties::check::<AesCtr<Aes256>>(reference::aes_ctr::keystream);
}

#[test]
fn aes_many() {
    properties::check_many::<AesCtr<Aes128>>();
    properties::check_many::<AesCtr<Aes256>>();
    properties::check_packets::<AesCtr<Aes128>>();
}

#[test]
fn lex() {
    known::check::<Lex<2>>("lex-v2");
    known::check::<Lex<1>>("lex-v1");
    properties::check::<Lex<2>>(reference::lex::keystream);
    properties::check::<Lex<1>>(reference::lex::keystream_v1);
}

#[test]
fn lex_many() {
    properties::check_many::<Lex<2>>();
    properties::check_many::<Lex<1>>();
    properties::check_packets::<Lex<2>>();
}

#[test]
fn systems() {
    known::check_system::<WithPoly1305<Salsa20<20>>>("salsa20-poly1305");
    known::check_system::<WithPoly1305<Salsa20<12>>>("salsa20-12-poly1305");
    known::check_system::<WithPoly1305<Salsa20<8>>>("salsa20-8-poly1305");
    known::check_system::<WithPoly1305<AesCtr<Aes128>>>("aes-128-poly1305");
    known::check_system::<WithPoly1305<AesCtr<Aes256>>>("aes-256-poly1305");
    known::check_system::<WithPoly1305<Lex<2>>>("lex-v2-poly1305");
    known::check_system::<WithPoly1305<Lex<1>>>("lex-v1-poly1305");
}
