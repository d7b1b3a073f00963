//! The library's search for what keys were made of, over the archive's keys: every block that goes
//! back to the allocator, where a key was among them, and the stack below a call of the software
//! tier.
#![cfg(not(miri))]
// The allocator's spy, and places read whose values are gone.
#![allow(unsafe_code)]

#[path = "../../../combseal/tests/memory/below.rs"]
mod below;
#[path = "../../../combseal/tests/memory/place.rs"]
#[allow(dead_code)]
mod place;
#[path = "../../../combseal/tests/memory/secrets.rs"]
#[allow(dead_code)]
mod secrets;
#[path = "../../../combseal/tests/memory/spy.rs"]
#[allow(dead_code)]
mod spy;

use below::{WHOLE, careless, left_by};
use combseal_archive::{Batch, Cpu, Key, Scheme};
use place::Faults;
use secrets::{Secrets, encrypt, find};
use spy::Armed;

/// Bytes that look random, by a seed.
fn noise(seed: usize, len: usize) -> Vec<u8> {
    let mut x = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed as u64 + 1);
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 32) as u8
    };
    (0..len).map(|_| next()).collect()
}

fn tiers(soft: bool) -> impl Iterator<Item = Cpu> {
    let wanted = move |cpu: &Cpu| cpu.name().starts_with("soft") == soft;
    Cpu::all().filter(|cpu| combseal_archive::runs_on(*cpu) && !cpu.name().starts_with("model")).filter(wanted)
}

/// What can be known of a key: its bytes, the round keys of the cipher under it or its parts, and
/// multiples of E(0).
fn secrets(scheme: Scheme, bytes: &[u8]) -> Secrets {
    let key = bytes.to_vec();
    Secrets::of_parts(bytes, move || match scheme.about().family {
        // The first half is the hash's.
        "cbc-hmac" => vec![key[16..].to_vec()],
        // The second half is a factor.
        "mcoe-g" => vec![key[..16].to_vec()],
        // Keys of the calls in chains, made by the user's.
        "poet" => {
            let made = (0..5).map(|i| encrypt(&key, i).to_be_bytes().to_vec());
            made.chain([key.clone()]).collect()
        }
        // Rounds of another cipher.
        "deoxys-ii" => vec![],
        _ => vec![key],
    })
}

/// Messages of some lengths, sealed and opened alone.
fn alone(key: &Key) {
    let about = key.scheme().about();
    let nonce = &[0x5a; 16][..about.nonce_len];
    for n in [0, 1, 16, 40, 64, 100, 150, 300, 1500, 4096] {
        let (mut buf, mut tail) = (vec![0x3c; n], vec![0; key.scheme().tail_len(n)]);
        for ad in [0, 5, 16, 100, 1000] {
            let ad = &[0x77; 1000][..ad.min(about.longest_ad as usize)];
            key.seal_in_place(nonce, ad, &mut buf, &mut tail).unwrap();
            key.open_in_place(nonce, ad, &mut buf, &tail).unwrap();
        }
    }
}

/// Many messages at once, sealed and opened.
fn batch(keys: &[Key]) {
    let scheme = keys[0].scheme();
    let about = scheme.about();
    let (nonce, header) = (&[0x5a; 16][..about.nonce_len], &[0x77; 40][..40.min(about.longest_ad as usize)]);
    let mut messages: Vec<_> = (0..40)
        .map(|i| (&keys[i % keys.len()], vec![i as u8; 16 * (i % 7) + 5], vec![0; scheme.tail_len(16 * (i % 7) + 5)]))
        .collect();
    let mut batch = Batch::new();
    for (key, buf, tail) in &mut messages {
        batch.seal(key, nonce, header, buf, tail);
    }
    assert!(batch.run().iter().all(Result::is_ok));
    let mut batch = Batch::new();
    for (key, buf, tail) in &mut messages {
        batch.open(key, nonce, header, buf, tail);
    }
    assert!(batch.run().iter().all(Result::is_ok));
}

/// Nothing of a key is in memory that was given back: where the key was, or what a batch had of it.
/// While it lives, it is found.
#[test]
fn dropped_keys_and_batches() {
    let mut faults = Faults::default();
    for (i, &scheme) in Scheme::ALL.iter().enumerate() {
        let bytes = noise(i, scheme.about().key_len);
        let secrets = secrets(scheme, &bytes);
        for cpu in tiers(false).chain(tiers(true)) {
            let what = format!("{} on {cpu:?}", scheme.about().name);
            let armed = Armed::new(&secrets);
            let key = Key::build(cpu, scheme, &bytes).unwrap();
            alone(&key);
            drop(key);
            armed.end(&mut faults, &what);

            let keys = [0, 1].map(|_| Key::build(cpu, scheme, &bytes).unwrap());
            let armed = Armed::new(&secrets);
            batch(&keys);
            batch(&keys[..1]);
            armed.end(&mut faults, &format!("{what}, a batch"));
        }
    }
}

/// Nothing of a key is left on the stack below a call of the software tier, whose operations are
/// calls; and what is left by who wipes nothing is found. (Of building a key nothing is asked here:
/// a key that is moved leaves a copy behind.)
#[test]
fn software_tier() {
    let mut text = String::new();
    for (i, &scheme) in Scheme::ALL.iter().enumerate() {
        for cpu in tiers(true) {
            let bytes = noise(100 + i, 64);
            let secrets = secrets(scheme, &bytes[..scheme.about().key_len]);
            let search = |left: Vec<u8>| find(left.into_iter(), |piece| secrets.has(piece));
            let whole = bytes.first_chunk().unwrap();
            assert!(search(left_by(&mut || careless(whole))).is_some());

            let build = || Key::build(cpu, scheme, &bytes[..scheme.about().key_len]).unwrap();
            let (one, two) = ([build()], [build(), build()]);
            let mut look = |what: &str, with: &mut dyn FnMut()| {
                if let Some(at) = search(left_by(with)) {
                    text += &format!("\n{} on {cpu:?}, {what}: {} bytes down", scheme.about().name, WHOLE - at);
                }
            };
            look("messages alone", &mut || alone(&one[0]));
            look("a batch under one key", &mut || batch(&one));
            look("a batch under two", &mut || batch(&two));
        }
    }
    assert!(text.is_empty(), "secrets on the stack:{text}");
}
