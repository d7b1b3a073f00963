//! Known answers: `vectors/archive/stream/<name>.json`.

use combseal_archive::streams::cipher::{Cipher, Stream};
use combseal_archive::streams::system::{System, TAG};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// What is at `name` of a test, in hexadecimal.
pub fn bytes(test: &Value, name: &str) -> Vec<u8> {
    let hex = test[name].as_str().unwrap_or_else(|| panic!("{name} in {test}"));
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// The tests of a file.
pub fn tests(name: &str) -> Vec<Value> {
    let path = format!("{}/../../vectors/archive/stream/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let file: Value = serde_json::from_str(&text).unwrap();
    file["tests"].as_array().unwrap().clone()
}

/// Every test of the cipher's file, on every tier.
pub fn check<C: Cipher>(name: &str) {
    let tests = tests(name);
    assert!(tests.len() >= 50, "{name}");
    for cpu in combseal::Cpu::all().filter(|&cpu| combseal_archive::runs_on(cpu)) {
        for test in &tests {
            let (key, iv) = (bytes(test, "key"), bytes(test, "iv"));
            let about = C::ABOUT;
            assert!(about.key_lens.contains(&key.len()) && about.nonce_lens.contains(&iv.len()), "{name} {test}");
            let cipher = C::expand(cpu, &key);
            let mut stream = vec![0; test["length"].as_u64().unwrap() as usize];
            Stream::new(&cipher, &iv).xor(&mut stream);
            let id = &test["id"];
            if test["keystream"].is_string() {
                assert!(stream == bytes(test, "keystream"), "{name} {id} {cpu:?}");
            } else {
                assert!(Sha256::digest(&stream)[..] == bytes(test, "sha256"), "{name} {id} {cpu:?}");
            }
        }
    }
}

/// Every test of the system's file, on every tier: `<name>-poly1305`, where keys are r and the
/// cipher's. What was changed on its way is refused.
pub fn check_system<S: System>(name: &str) {
    let tests = tests(name);
    assert!(tests.len() >= 30, "{name}");
    for cpu in combseal::Cpu::all().filter(|&cpu| combseal_archive::runs_on(cpu)) {
        for test in &tests {
            let id = &test["id"];
            let (key, nonce) = ([bytes(test, "r"), bytes(test, "k")].concat(), bytes(test, "nonce"));
            let (message, enciphered) = (bytes(test, "msg"), bytes(test, "ct"));
            let expected: [u8; TAG] = bytes(test, "tag").try_into().unwrap();
            assert!(S::ABOUT.nonce_lens.contains(&nonce.len()), "{name} {id}");
            let system = S::expand(cpu, &key);
            let (mut data, mut tag) = (message.clone(), [0; TAG]);
            system.encrypt(&nonce, &[], &mut data, &mut tag);
            assert!(data == enciphered && tag == expected, "{name} {id} {cpu:?}");
            assert!(system.decrypt(&nonce, &[], &mut data, &tag) && data == message, "{name} {id} {cpu:?}");
            for bit in [0, 8 * TAG - 1] {
                let (mut data, mut tag) = (enciphered.clone(), expected);
                tag[bit / 8] ^= 1 << (bit % 8);
                assert!(!system.decrypt(&nonce, &[], &mut data, &tag), "{name} {id} {cpu:?}");
                assert!(data == enciphered || data.iter().all(|&b| b == 0), "{name} {id} {cpu:?}");
            }
            for at in [0, message.len() / 2, message.len().saturating_sub(1)] {
                let mut data = enciphered.clone();
                if let Some(byte) = data.get_mut(at) {
                    *byte ^= 0x80;
                    assert!(!system.decrypt(&nonce, &[], &mut data, &expected), "{name} {id} {cpu:?}");
                }
            }
        }
    }
}
