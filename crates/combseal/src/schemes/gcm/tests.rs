//! GCM against published vectors and a bitwise GHASH, on every tier of this machine.

use super::*;
use crate::cpu::{Aes128, Aes192, Aes256, Block};
use crate::raw::ctr::Ctr;
use serde_json::Value;

/// A file of `vectors/`.
pub(crate) fn vectors(name: &str) -> Value {
    let path = format!("{}/../../vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The bytes that `test[name]` gives in hex.
pub(crate) fn hex(test: &Value, name: &str) -> Vec<u8> {
    let text = test[name].as_str().unwrap();
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

pub(crate) fn bytes(n: usize, seed: u8) -> Vec<u8> {
    (0..n).map(|i| (i as u8).wrapping_mul(31) ^ (i >> 8) as u8 ^ seed).collect()
}

/// What a scheme must do with a sealed message that it was given.
pub(crate) fn check<K: Aead>(key: &K, nonce: &[u8], ad: &[u8], msg: Option<&[u8]>, ct: &[u8], tag: &[u8]) {
    let mut opened = ct.to_vec();
    let result = key.open_in_place(nonce, ad, &mut opened, tag);
    let cpu = key.cpu();
    let Some(msg) = msg else {
        let zero = opened.iter().all(|&b| b == 0);
        // A wrong length is found before anything is touched.
        let lengths = matches!(result, Err(Error::NonceLength | Error::TagLength)) && opened == ct;
        assert!(result == Err(Error::Forged) && zero || lengths, "{cpu:?}");
        return;
    };
    assert_eq!(result, Ok(()), "{cpu:?}");
    assert_eq!(opened, msg, "{cpu:?}");
    let mut sealed = msg.to_vec();
    let made = key.seal_in_place(nonce, ad, &mut sealed).unwrap();
    assert_eq!((&sealed[..], made.as_bytes()), (ct, tag), "{cpu:?}");
    let mut apart = vec![0xaa; msg.len()];
    let made = key.seal_to(nonce, ad, msg, &mut apart).unwrap();
    assert_eq!((&apart[..], made.as_bytes()), (ct, tag), "{cpu:?}");
    key.open_to(nonce, ad, ct, &mut apart, tag).unwrap();
    assert_eq!(apart, msg, "{cpu:?}");
}

/// The project's vectors: (key, nonce, AD, message, ciphertext, tag) of each test.
pub(crate) fn known(name: &str, each: impl Fn(&[u8], &[u8], &[u8], Option<&[u8]>, &[u8], &[u8])) {
    for test in vectors(name)["tests"].as_array().unwrap() {
        let [key, nonce, ad, msg, ct, tag] = ["key", "nonce", "ad", "msg", "ct", "tag"].map(|n| hex(test, n));
        let valid = test["valid"].as_bool() != Some(false);
        each(&key, &nonce, &ad, valid.then_some(&msg), &ct, &tag);
    }
}

/// The same for Wycheproof's.
pub(crate) fn wycheproof(name: &str, each: impl Fn(&[u8], &[u8], &[u8], Option<&[u8]>, &[u8], &[u8])) {
    for group in vectors(name)["testGroups"].as_array().unwrap() {
        for test in group["tests"].as_array().unwrap() {
            let valid = test["result"] == "valid";
            let [key, nonce, msg, tag] = ["key", "iv", "msg", "tag"].map(|n| hex(test, n));
            if group["type"] == "MacWithIvTest" {
                each(&key, &nonce, &msg, valid.then_some(&[]), &[], &tag);
            } else {
                each(&key, &nonce, &hex(test, "aad"), valid.then_some(&msg), &hex(test, "ct"), &tag);
            }
        }
    }
}

/// A key for nonces as long as this one, if there are such.
fn built<A: Aes>(cpu: Cpu, key: &[u8], nonce: &[u8]) -> Gcm<A> {
    let mut it = Gcm::build(cpu, key, 16).unwrap();
    it.hazmat_allow_short_nonces();
    assert_eq!(it.set_nonce_len(nonce.len()).is_ok(), !nonce.is_empty());
    it
}

/// `check` with the key's AES, on every tier of this machine.
fn all_tiers(key: &[u8], nonce: &[u8], ad: &[u8], msg: Option<&[u8]>, ct: &[u8], tag: &[u8]) {
    for cpu in crate::testing::tiers() {
        match key.len() {
            16 => check(&built::<Aes128>(cpu, key, nonce), nonce, ad, msg, ct, tag),
            24 => check(&built::<Aes192>(cpu, key, nonce), nonce, ad, msg, ct, tag),
            _ => check(&built::<Aes256>(cpu, key, nonce), nonce, ad, msg, ct, tag),
        }
    }
}

#[test]
fn known_answers() {
    for name in ["gcm_aes128.json", "gcm_aes192.json", "gcm_aes256.json"] {
        known(name, all_tiers);
    }
}

#[test]
fn wycheproof_answers() {
    wycheproof("wycheproof/aes_gcm_test.json", all_tiers);
    wycheproof("wycheproof/aes_gmac_test.json", all_tiers);
}

/// GHASH bit by bit (SP 800-38D, sect. 6.3), the first bit the coefficient of x^0.
pub(crate) fn ghash(h: u128, parts: &[&[u8]]) -> u128 {
    let mut y = 0;
    for block in parts.iter().flat_map(|p| p.chunks(16)) {
        let mut x = [0; 16];
        x[..block.len()].copy_from_slice(block);
        let x = y ^ u128::from_be_bytes(x);
        let mut v = h;
        y = 0;
        for i in (0..128).rev() {
            y ^= v & 0u128.wrapping_sub(x >> i & 1);
            v = v >> 1 ^ (0xe1 << 120) & 0u128.wrapping_sub(v & 1);
        }
    }
    y
}

/// GCM by the book.
fn reference<A: Aes>(key: &[u8], nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Block {
    let aes = Ctr::<A>::build(Cpu::detect(), key).unwrap();
    let encrypt = |block: u128| {
        let mut x = [0; 16];
        aes.apply(&block.to_be_bytes(), &mut x);
        u128::from_be_bytes(x)
    };
    let h = encrypt(0);
    let lengths = |a: usize, b: usize| (8 * (a as u128) << 64 | 8 * b as u128).to_be_bytes();
    let j0 = if nonce.len() == 12 {
        let mut b = [0; 16];
        b[..12].copy_from_slice(nonce);
        b[15] = 1;
        u128::from_be_bytes(b)
    } else {
        ghash(h, &[nonce, &lengths(0, nonce.len())])
    };
    for (i, block) in buf.chunks_mut(16).enumerate() {
        let low = (j0 as u32).wrapping_add(1 + i as u32);
        let pad = encrypt(j0 >> 32 << 32 | low as u128).to_be_bytes();
        for (x, p) in block.iter_mut().zip(pad) {
            *x ^= p;
        }
    }
    (encrypt(j0) ^ ghash(h, &[ad, buf, &lengths(ad.len(), buf.len())])).to_be_bytes()
}

fn agrees<A: Aes>(len: usize, nonce: &[u8], ad: &[u8], slow: bool) {
    let key = bytes(A::KEY_LEN, 7);
    let plain = bytes(len, 2);
    let mut expected = plain.clone();
    let tag = reference::<A>(&key, nonce, ad, &mut expected);
    for cpu in crate::testing::tiers().filter(|cpu| slow || cpu.is_hardware()) {
        check(&built::<A>(cpu, &key, nonce), nonce, ad, Some(&plain), &expected, &tag);
    }
}

#[test]
fn equals_the_reference() {
    for len in 0..=300 {
        agrees::<Aes128>(len, &bytes(12, len as u8), &bytes(len * 7 % 67, 1), len % 4 == 0 || len < 40);
        agrees::<Aes256>(len, &bytes(12, len as u8), &[], false);
    }
    for near in [512usize, 1024, 2048, 4096, 8192, 65536] {
        for len in near - 17..near + 18 {
            agrees::<Aes128>(len, &bytes(12, len as u8), &bytes(len % 20, 1), false);
        }
    }
    for len in [512, 517, 1000, 1024, 1500] {
        agrees::<Aes192>(len, &bytes(12, 3), &bytes(13, 1), true);
    }
    agrees::<Aes128>((1 << 20) + 5, &bytes(12, 9), &bytes(5, 1), false);
}

#[test]
fn long_associated_data() {
    for len in 0..=600 {
        agrees::<Aes128>(len % 5 * 16, &bytes(12, 1), &bytes(len, 3), len % 32 == 3);
    }
    agrees::<Aes128>(100, &bytes(12, 1), &bytes(70000, 3), false);
}

#[test]
fn nonces_of_any_length() {
    for len in (1..=300).chain([1000, 4096]) {
        agrees::<Aes128>(70, &bytes(len, 5), &[1, 2, 3], len % 37 == 0);
    }
    for cpu in crate::testing::tiers() {
        let mut key = Gcm::<Aes128>::build(cpu, &[1; 16], 16).unwrap();
        for (len, taken) in [(0, false), (1, false), (7, false), (8, true), (16, true)] {
            assert_eq!(key.set_nonce_len(len).is_ok(), taken, "{len}");
        }
        assert_eq!(key.nonce_len(), 16);
        assert_eq!(key.seal(&[1; 12], b"", b""), Err(Error::NonceLength));
        key.hazmat_allow_short_nonces();
        assert_eq!(key.set_nonce_len(0), Err(Error::NonceLength));
    }
}
