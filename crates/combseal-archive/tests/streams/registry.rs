//! Ciphers and systems by value: their names, every error, and what every packet must do, for all
//! that the registry has.

use crate::known::{bytes, tests};
use crate::properties::Numbers;
use combseal_archive::streams::named::{
    LONGEST, StreamCipher, StreamJob, StreamKey, StreamSystem, SystemJob, SystemKey,
};
use combseal_archive::streams::registry::{CIPHERS, SYSTEMS};
use combseal_archive::streams::together::{decrypt_many, encrypt_many, xor_many};
use combseal_archive::{Cpu, Error, runs_on};

/// Names are those of the known answers, tunings of a name differ, and what is said of a cipher makes
/// sense.
#[test]
fn names_and_descriptions() {
    for cipher in CIPHERS {
        let about = cipher.about();
        assert!(!tests(about.name).is_empty());
        let system = format!("{}-poly1305", about.name);
        assert!(StreamSystem::by_name(&system).any(|one| one.about().tuning == about.tuning), "{system}");
        assert!(StreamCipher::by_name(&about.name.to_uppercase()).any(|one| std::ptr::eq(one, cipher)));
        for words in [about.source, about.history, about.tuning] {
            assert!(!words.is_empty() && words.trim() == words && !words.ends_with('.'), "{}: {words:?}", about.name);
        }
        assert!(!about.key_lens.is_empty() && !about.nonce_lens.is_empty(), "{}", about.name);
        let others = CIPHERS.iter().filter(|one| (one.about().name, one.about().tuning) == (about.name, about.tuning));
        assert_eq!(others.count(), 1, "{} {}", about.name, about.tuning);
    }
    for system in SYSTEMS {
        assert!(!tests(system.name()).is_empty());
        let cipher = system.name().trim_end_matches("-poly1305").trim_end_matches("-ae");
        assert!(system.about().name.starts_with(cipher), "{system:?}");
        assert_eq!(system.has_poly1305(), system.name().ends_with("-poly1305"));
        assert!(system.context_len() > 0);
    }
    assert!(StreamCipher::by_name("frogbit").next().is_none() && StreamSystem::by_name("vest").next().is_none());
}

/// The tunings of a cipher are listed one behind the other, as the lists promise.
#[test]
fn tunings_stand_together() {
    let mut seen = Vec::new();
    for name in CIPHERS.iter().map(|cipher| cipher.about().name) {
        if seen.last() != Some(&name) {
            assert!(!seen.contains(&name), "{name}");
            seen.push(name);
        }
    }
}

#[test]
fn lengths_that_are_refused() {
    let mut numbers = Numbers(1);
    for system in SYSTEMS {
        for len in 0..100 {
            let made = SystemKey::new(system, &numbers.bytes(len));
            assert_eq!(made.is_ok(), system.key_lens().any(|right| right == len), "{system:?} {len}");
            assert!(made.is_ok() || matches!(made, Err(Error::KeyLength)));
        }
        let key = SystemKey::new(system, &numbers.bytes(system.key_len())).unwrap();
        let nonce = numbers.bytes(system.nonce_len());
        for len in 0..100 {
            let (nonce, mut data) = (numbers.bytes(len), [7; 5]);
            let right = system.nonce_lens().contains(&len);
            assert_eq!(key.encrypt(&nonce, b"", b"data").is_ok(), right, "{system:?} {len}");
            if !right {
                assert_eq!(key.encrypt_in_place(&nonce, b"", &mut data), Err(Error::NonceLength));
                assert_eq!(key.decrypt_in_place(&nonce, b"", &mut data, &[0; 16]), Err(Error::NonceLength));
                assert_eq!(data, [7; 5], "untouched");
            }
        }
        let ad = key.encrypt(&nonce, b"ad", b"message");
        assert_eq!(ad.is_ok(), system.takes_ad(), "{system:?}");
        if !system.takes_ad() {
            assert_eq!(ad, Err(Error::AdTooLong));
            assert_eq!(key.decrypt(&nonce, b"ad", &[0; 30]), Err(Error::AdTooLong));
        }
        for len in 0..16 {
            assert_eq!(key.decrypt(&nonce, b"", &vec![0; len]), Err(Error::BufferLength));
        }
        let check = |message| system.check(nonce.len(), 0, message);
        assert_eq!((check(LONGEST), check(LONGEST + 1)), (Ok(()), Err(Error::MessageTooLong)));
        let ad = |len| system.check(nonce.len(), len, 0);
        assert_eq!(ad(LONGEST).is_ok(), system.takes_ad());
        assert_eq!(ad(LONGEST + 1), Err(Error::AdTooLong));
    }
    for cipher in CIPHERS {
        let about = cipher.about();
        for len in 0..100 {
            let made = StreamKey::build(Cpu::detect(), cipher, &numbers.bytes(len));
            assert_eq!(made.is_ok(), about.key_lens.contains(&len), "{cipher:?} {len}");
        }
        let key = StreamKey::build(Cpu::detect(), cipher, &numbers.bytes(about.key_lens[0])).unwrap();
        for len in 0..100 {
            let nonce = numbers.bytes(len);
            assert_eq!(key.xor(&nonce, &mut [0; 3]).is_ok(), about.nonce_lens.contains(&len), "{cipher:?} {len}");
            assert_eq!(key.stream(&nonce).is_ok(), about.nonce_lens.contains(&len), "{cipher:?} {len}");
        }
    }
}

/// A pretended tier is refused unless the kernels are made for it.
#[test]
fn tiers() {
    for cpu in Cpu::all() {
        let made = SystemKey::build(cpu, &SYSTEMS[0], &vec![1; SYSTEMS[0].key_len()]);
        assert_eq!(made.is_ok(), runs_on(cpu), "{cpu:?}");
    }
}

/// Every length to 300: a packet is authenticator and ciphertext, opens, and is refused with any part
/// changed, leaving zeros.
#[test]
fn packets() {
    let mut numbers = Numbers(2);
    for system in SYSTEMS {
        let key = SystemKey::new(system, &numbers.bytes(system.key_len())).unwrap();
        for len in 0..=300 {
            let (nonce, message) = (numbers.bytes(system.nonce_len()), numbers.bytes(len));
            let ad = if system.takes_ad() { numbers.bytes(len % 40) } else { Vec::new() };
            let packet = key.encrypt(&nonce, &ad, &message).unwrap();
            assert_eq!(packet.len(), 16 + len);
            assert_eq!(key.decrypt(&nonce, &ad, &packet).as_ref(), Ok(&message), "{system:?} {len}");
            let mut data = message.clone();
            let tag = key.encrypt_in_place(&nonce, &ad, &mut data).unwrap();
            assert!(tag[..] == packet[..16] && data == packet[16..], "{system:?} {len}");
            assert_eq!(key.decrypt_in_place(&nonce, &ad, &mut data, &tag), Ok(()));
            assert!(data == message, "{system:?} {len}");
            for at in [0, 15, 16, 16 + len / 2, 15 + len] {
                let mut forged = packet.clone();
                let Some(byte) = forged.get_mut(at) else { continue };
                *byte ^= 1 << (len % 8);
                assert_eq!(key.decrypt(&nonce, &ad, &forged), Err(Error::Forged), "{system:?} {len} {at}");
                let (tag, body) = forged.split_first_chunk_mut().unwrap();
                assert_eq!(key.decrypt_in_place(&nonce, &ad, body, tag), Err(Error::Forged));
                assert!(body.iter().all(|&byte| byte == 0), "{system:?} {len} {at}");
            }
            if !nonce.is_empty() {
                let mut other = nonce.clone();
                other[len % nonce.len()] ^= 1;
                assert_eq!(key.decrypt(&other, &ad, &packet), Err(Error::Forged), "{system:?} {len}");
            }
        }
    }
}

/// All tunings of a system give the same packets, and take each other's.
#[test]
fn tunings_agree() {
    let mut numbers = Numbers(3);
    for system in SYSTEMS {
        let reference = StreamSystem::by_name(system.name()).next().unwrap();
        for key_len in system.key_lens() {
            let bytes = numbers.bytes(key_len);
            let (one, other) = (SystemKey::new(system, &bytes).unwrap(), SystemKey::new(reference, &bytes).unwrap());
            for &nonce_len in system.nonce_lens() {
                for len in [0, 1, 100, 1500, 5000] {
                    let (nonce, message) = (numbers.bytes(nonce_len), numbers.bytes(len));
                    let packet = one.encrypt(&nonce, b"", &message).unwrap();
                    assert!(other.encrypt(&nonce, b"", &message).as_ref() == Ok(&packet), "{system:?} {len}");
                }
            }
        }
    }
}

/// Many at once, by name, are as one at a time; keys of two ciphers do not go together.
#[test]
fn many_by_name() {
    let mut numbers = Numbers(4);
    for cipher in CIPHERS {
        let about = cipher.about();
        let group = cipher.lanes().map_or(1, |(group, _)| group);
        let key = |numbers: &mut Numbers, i: usize| {
            StreamKey::build(Cpu::detect(), cipher, &numbers.bytes(about.key_lens[i % about.key_lens.len()])).unwrap()
        };
        let keys: Vec<StreamKey> = (0..2 * group + 1).map(|i| key(&mut numbers, i)).collect();
        let nonces: Vec<Vec<u8>> = keys.iter().map(|_| numbers.bytes(about.nonce_lens[0])).collect();
        let mut data: Vec<Vec<u8>> = (0..keys.len()).map(|i| vec![0; (i * 67) % 700]).collect();
        let mut jobs: Vec<StreamJob<'_>> = keys
            .iter()
            .zip(&nonces)
            .zip(&mut data)
            .map(|((key, nonce), data)| StreamJob { key, nonce, first: [0; 16], data })
            .collect();
        xor_many(&mut jobs).unwrap();
        for job in &jobs {
            let mut alone = vec![0; 16 + job.data.len()];
            job.key.xor(job.nonce, &mut alone).unwrap();
            assert!(alone[..16] == job.first && alone[16..] == *job.data, "{cipher:?}");
        }
        let other = CIPHERS.iter().find(|other| other.about().name != about.name).unwrap();
        let other = StreamKey::build(Cpu::detect(), other, &vec![1; other.about().key_lens[0]]).unwrap();
        let nonce = vec![0; other.cipher().about().nonce_lens[0]];
        let mut last = [0; 4];
        jobs.push(StreamJob { key: &other, nonce: &nonce, first: [0; 16], data: &mut last });
        assert_eq!(xor_many(&mut jobs), Err(Error::Unsupported));
    }
    assert_eq!(xor_many(&mut []), Ok(()));
}

/// Packets many at once, by name, are as one at a time; of those that are opened, the one that was
/// forged is refused alone.
#[test]
fn many_packets_by_name() {
    let mut numbers = Numbers(5);
    for system in SYSTEMS {
        let count = 2 * system.lanes().map_or(1, |(group, _)| group) + 1;
        let keys: Vec<SystemKey> =
            (0..count).map(|_| SystemKey::new(system, &numbers.bytes(system.key_len())).unwrap()).collect();
        let nonces: Vec<Vec<u8>> = keys.iter().map(|_| numbers.bytes(system.nonce_len())).collect();
        let messages: Vec<Vec<u8>> = (0..count).map(|i| numbers.bytes((i * 67) % 700)).collect();
        let mut data = messages.clone();
        let parts = keys.iter().zip(&nonces).zip(&mut data);
        let mut jobs: Vec<SystemJob<'_>> = parts
            .map(|((key, nonce), data)| SystemJob { key, nonce, data, tag: [0; 16], done: Err(Error::NotRun) })
            .collect();
        encrypt_many(&mut jobs).unwrap();
        for (job, message) in jobs.iter().zip(&messages) {
            let packet = job.key.encrypt(job.nonce, b"", message).unwrap();
            assert!(job.done == Ok(()) && packet[..16] == job.tag && packet[16..] == *job.data, "{system:?}");
        }
        jobs[1].tag[3] ^= 4;
        decrypt_many(&mut jobs).unwrap();
        for (i, (job, message)) in jobs.iter().zip(&messages).enumerate() {
            if i == 1 {
                assert!(job.done == Err(Error::Forged) && job.data.iter().all(|&byte| byte == 0), "{system:?}");
            } else {
                assert!(job.done == Ok(()) && *job.data == message[..], "{system:?}");
            }
        }
        let nonce = numbers.bytes(99);
        jobs[0].nonce = &nonce;
        assert_eq!(encrypt_many(&mut jobs), Err(Error::NonceLength));
    }
    assert_eq!(decrypt_many(&mut []), Ok(()));
}

/// The systems by name give the known answers, those with shorter authenticators too.
#[test]
fn shorter_authenticators() {
    let phelix = StreamSystem::by_name("phelix").next().unwrap();
    let mut lens = std::collections::BTreeSet::new();
    for test in tests("phelix") {
        let mac = bytes(&test, "mac");
        lens.insert(mac.len());
        let key = SystemKey::new(phelix.with_tag_len(mac.len()), &bytes(&test, "key")).unwrap();
        let packet = key.encrypt(&bytes(&test, "nonce"), &bytes(&test, "ad"), &bytes(&test, "msg")).unwrap();
        assert!(packet[..mac.len()] == mac && packet[16..] == bytes(&test, "ct"), "{}", test["id"]);
    }
    assert_eq!(lens.len(), 5);
}
