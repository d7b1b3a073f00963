//! Ciphers with an authenticator of their own: known answers, and what holds for every system.

use crate::known::{bytes, tests};
use crate::properties::Numbers;
use combseal_archive::streams::system::{System, TAG};

/// The tests of the system's file whose authenticators have `mac` bytes; of longer ones the first
/// bytes, if `cut`.
pub fn check_known<S: System>(name: &str, mac: usize, cut: bool) {
    let mut done = 0;
    for cpu in combseal::Cpu::all().filter(|&cpu| combseal_archive::runs_on(cpu)) {
        for test in tests(name) {
            let expected = bytes(&test, "mac");
            if !cut && expected.len() != mac {
                continue;
            }
            let n = expected.len().min(mac);
            let (key, nonce) = (bytes(&test, "key"), bytes(&test, "nonce"));
            let about = S::ABOUT;
            assert!(about.key_lens.contains(&key.len()) && about.nonce_lens.contains(&nonce.len()), "{name} {test}");
            let system = S::expand(cpu, &key);
            let (ad, message, mut data) = (bytes(&test, "ad"), bytes(&test, "msg"), bytes(&test, "msg"));
            let mut tag = [0; TAG];
            system.encrypt(&nonce, &ad, &mut data, &mut tag);
            assert!(data == bytes(&test, "ct"), "{name} {} {cpu:?}", test["id"]);
            assert!(tag[..n] == expected[..n], "{name} {} {cpu:?}", test["id"]);
            assert!(system.decrypt(&nonce, &ad, &mut data, &tag), "{name} {} {cpu:?}", test["id"]);
            assert!(data == message, "{name} {} {cpu:?}", test["id"]);
            done += 1;
        }
    }
    assert!(done > 0, "{name}");
}

/// What a plain reference makes of key, nonce, associated data and message.
pub type Seal = fn(&[u8], &[u8], &[u8], &[u8]) -> (Vec<u8>, [u8; TAG]);

/// All of it is as `reference` says, for every length of key and nonce; a message opens to what it
/// was, and to zeros when a bit of it, of the associated data, the nonce or the authenticator is
/// another.
pub fn check<S: System>(reference: Seal) {
    let (about, mut numbers) = (S::ABOUT, Numbers(7));
    for &key_len in about.key_lens {
        for &nonce_len in about.nonce_lens {
            for cpu in combseal::Cpu::all().filter(|&cpu| combseal_archive::runs_on(cpu)) {
                let (key, nonce) = (numbers.bytes(key_len), numbers.bytes(nonce_len));
                let system = S::expand(cpu, &key);
                for len in (0..=200).chain([255, 256, 257, 1100]) {
                    let ad_len = if len % 3 == 0 { 0 } else { numbers.next() as usize % 150 };
                    let (ad, message) = (numbers.bytes(ad_len), numbers.bytes(len));
                    let (mut data, mut tag) = (message.clone(), [0; TAG]);
                    system.encrypt(&nonce, &ad, &mut data, &mut tag);
                    assert!((data.clone(), tag) == reference(&key, &nonce, &ad, &message), "{} {len}", about.name);
                    let sealed = data.clone();
                    assert!(system.decrypt(&nonce, &ad, &mut data, &tag), "{} {len}", about.name);
                    assert!(data == message, "{} {len}", about.name);
                    let mut other = |of: &[u8]| {
                        let mut it = of.to_vec();
                        let n = it.len();
                        if n > 0 {
                            it[numbers.next() as usize % n] ^= 1 << (numbers.next() % 8);
                        }
                        it
                    };
                    let forged: [u8; TAG] = other(&tag).try_into().unwrap();
                    let attempts = [
                        (nonce.clone(), ad.clone(), sealed.clone(), forged),
                        (other(&nonce), ad.clone(), sealed.clone(), tag),
                        (nonce.clone(), other(&ad), sealed.clone(), tag),
                        (nonce.clone(), ad.clone(), other(&sealed), tag),
                    ];
                    for (other_nonce, other_ad, mut data, other_tag) in attempts {
                        if (&other_nonce, &other_ad, &data, other_tag) == (&nonce, &ad, &sealed, tag) {
                            continue;
                        }
                        assert!(
                            !system.decrypt(&other_nonce, &other_ad, &mut data, &other_tag),
                            "{} {len}",
                            about.name
                        );
                        assert!(data.iter().all(|&byte| byte == 0), "{} {len}", about.name);
                    }
                }
            }
        }
    }
}

/// One long message under `key` and `nonce` is as `reference` says.
pub fn check_long<S: System>(key: &[u8], nonce: &[u8], len: usize, reference: Seal) {
    for ad_len in [0, 30] {
        let (ad, message) = (vec![3; ad_len], vec![4; len]);
        let expected = reference(key, nonce, &ad, &message);
        for cpu in combseal::Cpu::all().filter(|&cpu| combseal_archive::runs_on(cpu)) {
            let (mut data, mut tag) = (message.clone(), [0; TAG]);
            let system = S::expand(cpu, key);
            system.encrypt(nonce, &ad, &mut data, &mut tag);
            assert!((&data, &tag) == (&expected.0, &expected.1), "{} {cpu:?}", S::ABOUT.name);
            assert!(system.decrypt(nonce, &ad, &mut data, &tag) && data == message, "{} {cpu:?}", S::ABOUT.name);
        }
    }
}
