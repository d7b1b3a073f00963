//! What must be refused is, with the right error, and leaves zeros; and no
//! length makes anything panic.

mod common;

use combseal::{Aead, Algorithm, Cpu, Error, Key};
use common::{Random, is_model, key};

/// Every bit of nonce, associated data, ciphertext and tag counts: with any of
/// them changed, opening fails in every form and leaves nothing.
#[test]
fn every_bit_counts() {
    for &algorithm in Algorithm::ALL {
        let tiers: Vec<Cpu> = Cpu::all().filter(|&c| !is_model(c)).collect();
        for (len, &cpu) in [0, 1, 16, 33].into_iter().zip(tiers.iter().cycle()) {
            let mut random = Random::new(len as u64);
            let key = key(cpu, algorithm, &random.bytes(64));
            let parts = [random.bytes(algorithm.nonce_len()), random.bytes(19), random.bytes(len)];
            let [nonce, ad, msg] = &parts;
            let mut ct = msg.clone();
            let tag = key.seal_in_place(nonce, ad, &mut ct).unwrap();
            let all = [nonce, &ad[..], &ct, tag.as_bytes()].concat();
            for bit in 0..8 * all.len() {
                let mut all = all.clone();
                all[bit / 8] ^= 1 << (bit % 8);
                let (nonce, rest) = all.split_at(nonce.len());
                let (ad, rest) = rest.split_at(ad.len());
                let (ct, tag) = rest.split_at(len);
                let what = format!("{algorithm} on {cpu:?}: message {len}, bit {bit}");
                let mut buf = ct.to_vec();
                assert_eq!(key.open_in_place(nonce, ad, &mut buf, tag), Err(Error::Forged), "{what}");
                assert!(buf.iter().all(|&b| b == 0), "{what}: plaintext left in place");
                let mut buf = vec![0xa5; len];
                assert_eq!(key.open_to(nonce, ad, ct, &mut buf, tag), Err(Error::Forged), "{what}");
                assert!(buf.iter().all(|&b| b == 0), "{what}: plaintext left");
            }
        }
    }
}

/// A long message is zeroed to its end, on every tier.
#[test]
fn long_forgeries_leave_zeros() {
    for &algorithm in Algorithm::ALL {
        for cpu in Cpu::all() {
            let mut random = Random::new(1);
            let key = key(cpu, algorithm, &random.bytes(64));
            let (nonce, mut buf) = (random.bytes(algorithm.nonce_len()), random.bytes(1031));
            let tag = key.seal_in_place(&nonce, b"", &mut buf).unwrap();
            buf[1030] ^= 0x80;
            assert_eq!(key.open_in_place(&nonce, b"", &mut buf, tag.as_bytes()), Err(Error::Forged));
            assert!(buf.iter().all(|&b| b == 0), "{algorithm} on {cpu:?}");
        }
    }
}

/// Lengths that do not fit are typed errors, checked before anything is written.
#[test]
fn lengths() {
    for &algorithm in Algorithm::ALL {
        for n in (0..=64).filter(|&n| n != algorithm.key_len()) {
            assert_eq!(Key::new(algorithm, &[0; 64][..n]).err(), Some(Error::KeyLength), "{algorithm} {n}");
        }
        let key = key(Cpu::detect(), algorithm, &[7; 64]);
        for n in 0..=300 {
            let (nonce, mut buf) = (vec![1; n], *b"message");
            match key.seal_in_place(&nonce, b"", &mut buf) {
                Ok(tag) => key.open_in_place(&nonce, b"", &mut buf, tag.as_bytes()).unwrap(),
                Err(e) => {
                    assert_eq!((e, &buf), (Error::NonceLength, b"message"), "{algorithm} {n}");
                    assert_eq!(key.open_in_place(&nonce, b"", &mut buf, &[0; 16]), Err(Error::NonceLength));
                    let mut other = *b"another";
                    assert_eq!(key.open_to(&nonce, b"", &buf, &mut other, &[0; 16]), Err(Error::NonceLength));
                    assert_eq!((&buf, &other), (b"message", b"another"));
                }
            }
        }
        let nonce = vec![0; algorithm.nonce_len()];
        for n in (0..=40).filter(|&n| n != key.tag_len()) {
            let mut buf = *b"sealed?";
            assert_eq!(
                key.open_in_place(&nonce, b"", &mut buf, &[0; 40][..n]),
                Err(Error::TagLength),
                "{algorithm} {n}"
            );
            assert_eq!(&buf, b"sealed?", "it can be tried again with the right tag");
        }
        for n in 0..key.tag_len() {
            assert_eq!(key.open(&nonce, b"", &[0; 32][..n]), Err(Error::BufferLength), "{algorithm} {n}");
            assert_eq!(key.open_attached(&nonce, b"", &mut [0; 32][..n]).err(), Some(Error::BufferLength));
            assert_eq!(key.seal_attached(&nonce, b"", &mut [0; 32][..n]).err(), Some(Error::BufferLength));
        }
        assert_eq!(key.seal_to(&nonce, b"", &[0; 3], &mut [0; 4]).err(), Some(Error::BufferLength));
        let mut short = [9; 4];
        assert_eq!(key.open_to(&nonce, b"", &[0; 5], &mut short, &[0; 16]).err(), Some(Error::BufferLength));
        assert_eq!(short, [9; 4]);
    }
}

/// The attached forms and the vectors are the detached ones with the tag beside.
#[test]
fn attached() {
    for &algorithm in Algorithm::ALL {
        let mut random = Random::new(3);
        let key = key(Cpu::detect(), algorithm, &random.bytes(64));
        for len in [0, 1, 15, 16, 17, 100] {
            let (nonce, msg) = (random.bytes(algorithm.nonce_len()), random.bytes(len));
            let mut ct = msg.clone();
            let tag = key.seal_in_place(&nonce, b"ad", &mut ct).unwrap();
            // Only SIV's tag goes first.
            let first = algorithm.name().ends_with("128-SIV")
                || algorithm.name().ends_with("192-SIV")
                || algorithm.name().ends_with("256-SIV");
            let tag = tag.as_bytes();
            let sealed = if first { [tag, &ct].concat() } else { [&ct[..], tag].concat() };
            assert_eq!(key.seal(&nonce, b"ad", &msg).unwrap(), sealed, "{algorithm}");
            assert_eq!(key.open(&nonce, b"ad", &sealed).unwrap(), msg, "{algorithm}");
            let mut buf = vec![0; len + tag.len()];
            let at = if first { tag.len() } else { 0 };
            buf[at..at + len].copy_from_slice(&msg);
            key.seal_attached(&nonce, b"ad", &mut buf).unwrap();
            assert_eq!(buf, sealed, "{algorithm}");
            assert_eq!(key.open_attached(&nonce, b"ad", &mut buf).unwrap(), msg, "{algorithm}");
            let mut buf = sealed;
            buf[0] ^= 1;
            assert_eq!(key.open_attached(&nonce, b"ad", &mut buf).err(), Some(Error::Forged), "{algorithm}");
            assert!(buf[at..at + len].iter().all(|&b| b == 0), "{algorithm}");
        }
    }
}
