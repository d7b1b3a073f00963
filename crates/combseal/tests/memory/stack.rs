//! The stack below a call of the software tier, whose operations are calls, so that round keys
//! pass through it: its doors zero what their kernels used (`cpu/soft/backend.rs`).

use crate::below::{WHOLE, careless, elsewhere, left_by};
use crate::common::Random;
use crate::place::Place;
use crate::secrets::{Secrets, compacted, find, gcm_siv_key, hchacha20, lagged, round_keys};
use crate::{Messages, here, used};
use combseal::hazmat::OpenUnverified;
use combseal::{Aead, Algorithm, Batch, Columns, Cpu, Key, Nonces, SealParts, Values};

/// Messages of many lengths, sealed and opened alone.
fn alone(key: &Key) {
    let nonce = [0x5a; 64];
    let nonce = &nonce[..key.nonce_len()];
    for n in [0, 1, 16, 40, 64, 100, 150, 300, 1500, 4096] {
        let mut buf = vec![0x3c; n];
        for ad in [0, 5, 16, 100, 1000] {
            let ad = &[0x77; 1000][..ad];
            let tag = key.seal_in_place(nonce, ad, &mut buf).unwrap();
            key.open_in_place(nonce, ad, &mut buf, tag.as_bytes()).unwrap();
        }
    }
}

/// Many messages at once.
fn batch(keys: &[Key]) {
    let mut messages = Messages::new(40);
    let mut batch = Batch::new();
    messages.seal(&mut batch, keys);
    batch.run().all().unwrap();
}

/// Where the first of these pieces of eight bytes is.
fn place_of(left: &[u8], pieces: &[u8]) -> Option<usize> {
    left.windows(8).position(|piece| pieces.chunks_exact(8).any(|it| it == piece))
}

/// ChaCha20 has no schedule, so that what a call works with is the caller's key itself, or XChaCha20's
/// subkey. On the hardware tiers too single calls leave nothing of them below: the kernels read them again rather
/// than keep them. Of messages in parts no two words that stand together are left, but single ones may be, as
/// registers are spilled; batches, whose lanes have a key each, leave more (docs/security.md).
#[test]
fn chacha20_keys() {
    let mut random = Random::new(113);
    let mut text = String::new();
    for name in ["ChaCha20-Poly1305", "XChaCha20-Poly1305"] {
        let algorithm = Algorithm::by_name(name).unwrap();
        for cpu in Cpu::all().filter(|cpu| cpu.is_hardware() && !cpu.is_pretended()) {
            let bytes = random.bytes(64);
            let key = here(cpu, algorithm, &bytes);
            let pieces = [&bytes[..32], &hchacha20(&bytes[..32], &[0x5a; 16])].concat();
            for n in [0, 64, 100, 300, 600, 5000] {
                let mut buf = vec![0x3c; n];
                let left = left_by(&mut || {
                    let nonce = &[0x5a; 24][..key.nonce_len()];
                    let tag = key.seal_in_place(nonce, b"ad", &mut buf).unwrap();
                    key.open_in_place(nonce, b"ad", &mut buf, tag.as_bytes()).unwrap();
                });
                if let Some(at) = place_of(&left, &pieces) {
                    text += &format!("\n{name} on {cpu:?}, {n} bytes: {} bytes down", WHOLE - at);
                }
                let left = left_by(&mut || {
                    let nonce = &[0x5a; 24][..key.nonce_len()];
                    let (mut out, mut it) = (vec![0; n + 64], SealParts::new(&key, nonce, b"ad").unwrap());
                    let done = it.update(&buf, &mut out).unwrap();
                    let _ = it.finish(&mut out[done..]).unwrap();
                });
                if let Some(at) = place_of(&left, &pieces) {
                    text += &format!("\n{name} in parts on {cpu:?}, {n} bytes: {} bytes down", WHOLE - at);
                }
            }
        }
    }
    assert!(text.is_empty(), "keys on the stack:{text}");
}

/// The schedules that GCM-SIV makes for every value of a column are wiped behind the last one. (The keys that they begin with and
/// their last round keys are in registers, which the compiler may spill on the hardware tiers: docs/security.md.)
#[test]
fn schedules_of_a_column() {
    let mut random = Random::new(117);
    let mut text = String::new();
    for algorithm in [Algorithm::GcmSivAes128, Algorithm::GcmSivAes256] {
        for cpu in Cpu::all().filter(|cpu| !cpu.is_pretended()) {
            let bytes = random.bytes(64);
            let key = here(cpu, algorithm, &bytes);
            let column = Columns::new(&key);
            let (values, nonces) = (random.bytes(40 * 24), random.bytes(40 * 12));
            let offsets: Vec<u32> = (0..=40).map(|i| 24 * i).collect();
            let values = Values::new(&values, &offsets).unwrap();
            let (own, given) = (bytes[..algorithm.key_len()].to_vec(), nonces.clone());
            let secrets = elsewhere(move || {
                let mut it = Secrets::default();
                for nonce in given.as_chunks().0 {
                    let keys = round_keys(&gcm_siv_key(&own, nonce));
                    keys[2..keys.len() - 1].iter().for_each(|key| it.add(key));
                }
                it.sorted()
            });
            let mut out = vec![0; column.sealed_len(&values).unwrap()];
            let left = left_by(&mut || {
                column.seal(&values, Nonces::given(&nonces), &mut out).unwrap();
            });
            if let Some(at) = find(left.into_iter(), |piece| secrets.has(piece)) {
                text += &format!("\n{algorithm} on {cpu:?}: {} bytes down", WHOLE - at);
            }
        }
    }
    assert!(text.is_empty(), "round keys on the stack:{text}");
}

/// What a message in parts holds back is left nowhere: not where it was finished, nor where it was dropped
/// in the middle, nor in a place that its value was moved from.
#[test]
fn held_back() {
    let mut random = Random::new(115);
    let mut text = String::new();
    for name in ["ChaCha20-Poly1305", "XChaCha20-Poly1305", "OCB3-AES-128", "AES-256-GCM", "AES-128-EAX"] {
        let algorithm = Algorithm::by_name(name).unwrap();
        for cpu in Cpu::all().filter(|cpu| cpu.is_hardware() && !cpu.is_pretended()) {
            let bytes = random.bytes(64);
            let key = here(cpu, algorithm, &bytes);
            let nonce = &[0x5a; 24][..key.nonce_len()];
            // Of these the last fifteen are held back at least: a piece of eight bytes begins at any place.
            let buf = random.bytes(15 * 64 + 63);
            let last = |held: usize| &buf[buf.len() - held..];
            let sealed = key.seal(nonce, b"ad", &buf).unwrap();
            let mut held = 0;
            let mut out = vec![0; buf.len()];
            let mut look = |what: &str, open: bool, finishes: bool| {
                let left = left_by(&mut || {
                    let end = &mut [0; 64];
                    if open {
                        let mut it = OpenUnverified::new(&key, nonce, b"ad").unwrap();
                        it.update(&sealed[..buf.len()], &mut out).unwrap();
                        held = it.held();
                        if finishes {
                            assert!(it.finish(&[0; 16], end).is_err());
                        }
                    } else {
                        let mut it = SealParts::new(&key, nonce, b"ad").unwrap();
                        it.update(&buf, &mut out).unwrap();
                        held = it.held();
                        if finishes {
                            let _ = it.finish(end).unwrap();
                        }
                    }
                });
                assert!(held >= 15);
                let found = left.windows(8).position(|piece| last(held).windows(8).any(|it| it == piece));
                if let Some(at) = found {
                    text += &format!("\n{name} on {cpu:?}, {what}: {} bytes down", WHOLE - at);
                }
            };
            look("sealed", false, true);
            look("dropped", false, false);
            // ChaCha20's kernels leave the end of a message that they open in their frames, as of a whole one: it is
            // the message's, and what was held back is its ciphertext.
            if !name.contains("ChaCha20") {
                look("opened", true, true);
            }
        }
    }
    assert!(text.is_empty(), "plaintext on the stack:{text}");
}

/// Nothing of a key is left below a call, for messages alone or many at once; and what is left
/// by who wipes nothing is found.
#[test]
fn software_tier() {
    let mut random = Random::new(111);
    let mut text = String::new();
    for &algorithm in Algorithm::ALL {
        for cpu in Cpu::all().filter(|cpu| cpu.name().starts_with("soft")) {
            let bytes = random.bytes(64);
            let secrets = Secrets::of(algorithm, &bytes);
            let search = |left: Vec<u8>| find(left.into_iter(), |piece| secrets.has(piece));
            let whole = bytes.first_chunk().unwrap();
            assert!(search(left_by(&mut || careless(whole))).is_some());

            let one = [here(cpu, algorithm, &bytes)];
            let two = [here(cpu, algorithm, &bytes), here(cpu, algorithm, &bytes)];
            let mut look = |what: &str, with: &mut dyn FnMut()| {
                if let Some(at) = search(left_by(with)) {
                    text += &format!("\n{algorithm} on {cpu:?}, {what}: {} bytes down", WHOLE - at);
                }
            };
            look("one message", &mut || used(&one[0]));
            look("messages alone", &mut || alone(&one[0]));
            if algorithm.nonce_len() <= 16 {
                look("a batch under one key", &mut || batch(&one));
                look("a batch under two", &mut || batch(&two));
            }
        }
    }
    assert!(text.is_empty(), "secrets on the stack:{text}");
}

/// The software tiers keep their middle round keys as they are looked for: all of them are where a key is, and one
/// that is left anywhere is found.
#[test]
fn kept_keys() {
    let bytes = Random::new(114).bytes(64);
    for algorithm in [Algorithm::Ocb3Aes128, Algorithm::Ocb3Aes256] {
        let (secrets, keys) = (Secrets::of(algorithm, &bytes), round_keys(&bytes[..algorithm.key_len()]));
        for cpu in Cpu::all().filter(|cpu| cpu.name().starts_with("soft")) {
            let mut place = Place::new();
            place.0.push(here(cpu, algorithm, &bytes));
            let there: Vec<u8> = place.bytes().collect();
            for (r, &key) in keys.iter().enumerate().take(keys.len() - 1).skip(1) {
                let lagged = lagged(key, r % 4);
                let forms = [lagged, compacted(lagged)];
                let kept = forms.iter().find(|form| there.windows(16).any(|it| it == *form));
                let kept = *kept.unwrap_or_else(|| panic!("{algorithm} on {cpu:?}: key {r} is not there"));
                let left = left_by(&mut || careless(&core::array::from_fn(|i| kept[i % 16])));
                assert!(
                    find(left.into_iter(), |piece| secrets.has(piece)).is_some(),
                    "{algorithm} on {cpu:?}: key {r}"
                );
            }
        }
    }
}
