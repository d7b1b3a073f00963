//! Every known answer of the archive's schemes, on every tier; and what is asked of each of
//! them besides: forgeries leave zeros, messages side by side come out as one at a time.

use combseal_archive::{Batch, Cpu, Error, Key, Scheme};
use serde_json::Value;

/// A known answer.
struct Case {
    id: String,
    key: Vec<u8>,
    nonce: Vec<u8>,
    ad: Vec<u8>,
    msg: Vec<u8>,
    /// The message's bytes, enciphered, and the tail.
    sealed: Vec<u8>,
    valid: bool,
}

/// The files of each scheme.
fn files() -> Vec<(&'static str, Scheme)> {
    let of = |&scheme: &Scheme| scheme.about().known_answers.iter().map(move |&file| (file, scheme));
    Scheme::ALL.iter().flat_map(of).collect()
}

fn load(name: &str) -> Vec<Case> {
    let path = format!("{}/../../vectors/archive/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let unhex = |s: &str| -> Vec<u8> {
        (0..s.len()).step_by(2).map(|i| u8::from_str_radix(&s[i..i + 2], 16).unwrap()).collect()
    };
    let tests = file["tests"].as_array().unwrap();
    assert!(!tests.is_empty());
    tests
        .iter()
        .map(|test| {
            let bytes = |field: &str| unhex(test[field].as_str().unwrap());
            Case {
                id: format!("{name} {}", test["id"]),
                key: bytes("key"),
                nonce: bytes("nonce"),
                ad: bytes("ad"),
                msg: bytes("msg"),
                sealed: [bytes("ct"), bytes("tag")].concat(),
                valid: test["valid"] != false,
            }
        })
        .collect()
}

#[test]
fn every_scheme_has_known_answers() {
    for scheme in Scheme::ALL {
        assert!(files().iter().any(|(_, with)| with == scheme), "{scheme:?}");
    }
}

#[test]
fn known_answers() {
    for (file, scheme) in files() {
        for case in load(file) {
            for cpu in Cpu::all().filter(|cpu| combseal_archive::runs_on(*cpu)) {
                let key = Key::build(cpu, scheme, &case.key).unwrap();
                let at = format!("{} {cpu:?}", case.id);
                if !case.valid {
                    // As a message of any length that is sealed to as many bytes, if there is one.
                    for len in 0..=case.sealed.len() {
                        let why =
                            if key.sealed_len(len) == case.sealed.len() { Error::Forged } else { Error::BufferLength };
                        assert_eq!(key.open(&case.nonce, &case.ad, &case.sealed, len), Err(why), "{at}");
                    }
                    continue;
                }
                let sealed = key.seal(&case.nonce, &case.ad, &case.msg).unwrap();
                assert_eq!(sealed, case.sealed, "{at}");
                let len = case.msg.len();
                assert_eq!(key.open(&case.nonce, &case.ad, &sealed, len).unwrap(), case.msg, "{at}");
                // Not as a message of another length, if one is sealed to as many bytes.
                for other in (0..=sealed.len()).filter(|&n| n != len && key.sealed_len(n) == sealed.len()) {
                    assert_eq!(key.open(&case.nonce, &case.ad, &sealed, other), Err(Error::Forged), "{at}");
                }
                // In place, and a bit flipped somewhere.
                let (body, tail) = sealed.split_at(len);
                let mut buf = body.to_vec();
                key.open_in_place(&case.nonce, &case.ad, &mut buf, tail).unwrap();
                assert_eq!(buf, case.msg, "{at}");
                let mut flipped = sealed.clone();
                let bit = (37 * len + 11 * case.ad.len()) % (8 * sealed.len());
                flipped[bit / 8] ^= 1 << (bit % 8);
                let (body, tail) = flipped.split_at(len);
                let mut buf = body.to_vec();
                assert_eq!(key.open_in_place(&case.nonce, &case.ad, &mut buf, tail), Err(Error::Forged), "{at}");
                assert!(buf.iter().all(|&byte| byte == 0), "{at}");
            }
        }
    }
}

/// All of a file's messages in one batch, sealed and then opened, some of them forged.
#[test]
fn side_by_side() {
    for (file, scheme) in files() {
        let cases: Vec<Case> = load(file).into_iter().filter(|case| case.valid).collect();
        for cpu in Cpu::all().filter(|cpu| combseal_archive::runs_on(*cpu)) {
            for one_key in [false, true] {
                let keys: Vec<Key> = cases
                    .iter()
                    .map(|case| Key::build(cpu, scheme, if one_key { &cases[0].key } else { &case.key }).unwrap())
                    .collect();
                let key = |i: usize| &keys[if one_key { 0 } else { i }];
                let mut bufs: Vec<Vec<u8>> = cases.iter().map(|case| case.msg.clone()).collect();
                let mut tails: Vec<Vec<u8>> = bufs.iter().map(|buf| vec![0; scheme.tail_len(buf.len())]).collect();
                let mut batch = Batch::new();
                for (i, (buf, tail)) in bufs.iter_mut().zip(&mut tails).enumerate() {
                    batch.seal(key(i), &cases[i].nonce, &cases[i].ad, buf, tail);
                }
                assert!(batch.run().iter().all(Result::is_ok));
                for (i, case) in cases.iter().enumerate() {
                    let alone = key(i).seal(&case.nonce, &case.ad, &case.msg).unwrap();
                    assert_eq!([&bufs[i][..], &tails[i]].concat(), alone, "{} {cpu:?}", case.id);
                }
                let forged = |i: usize| i % 5 == 3;
                for i in (0..cases.len()).filter(|&i| forged(i)) {
                    match bufs[i].last_mut() {
                        Some(byte) if i % 2 == 0 => *byte ^= 1,
                        _ => tails[i][0] ^= 0x80,
                    }
                }
                let mut batch = Batch::new();
                for (i, (buf, tail)) in bufs.iter_mut().zip(&tails).enumerate() {
                    batch.open(key(i), &cases[i].nonce, &cases[i].ad, buf, tail);
                }
                for (i, done) in batch.run().into_iter().enumerate() {
                    assert_eq!(done, if forged(i) { Err(Error::Forged) } else { Ok(()) }, "{} {cpu:?}", cases[i].id);
                }
                for (i, case) in cases.iter().enumerate() {
                    if forged(i) {
                        assert!(bufs[i].iter().all(|&byte| byte == 0), "{}", case.id);
                    } else {
                        assert_eq!(bufs[i], case.msg, "{}", case.id);
                    }
                }
            }
        }
    }
}

/// A buffer that was handed over to be sealed never comes back as plaintext.
#[test]
fn a_batch_that_is_dropped_leaves_no_plaintext() {
    for &scheme in Scheme::ALL {
        let about = scheme.about();
        let key = Key::new(scheme, &vec![0; about.key_len]).unwrap();
        let (nonce, mut buf, mut tail) = (vec![0; about.nonce_len], [1; 20], vec![1; scheme.tail_len(20)]);
        let (mut sealed, given) = ([2; 20], vec![2; scheme.tail_len(20)]);
        let mut batch = Batch::new();
        batch.seal(&key, &nonce, b"", &mut buf, &mut tail);
        batch.open(&key, &nonce, b"", &mut sealed, &given);
        drop(batch);
        if scheme.is_serial() {
            assert_eq!((buf, tail.iter().all(|&byte| byte == 0), sealed), ([0; 20], true, [2; 20]));
        } else {
            // Done as they were added: sealed, and found to be forged.
            let alone = key.seal(&nonce, b"", &[1; 20]).unwrap();
            assert_eq!(([&buf[..], &tail].concat(), sealed), (alone, [0; 20]), "{}", about.name);
        }
    }
}
