//! Every tier gives what the model gives, at every length to 300 bytes and
//! around powers of two to 1 MiB, in place and not, wherever the buffers begin.

mod common;

use combseal::{Aead, Algorithm, Cpu, Key};
use common::{Random, is_model, key};

/// The clearest tier: every operation in plain arrays, and no instruction for the AES.
fn model() -> Cpu {
    Cpu::by_name("model2").unwrap_or(Cpu::soft())
}

/// Seals and opens on every tier of `tiers` as `reference` does, each from and
/// to a place of its own.
fn agree(algorithm: Algorithm, reference: Cpu, tiers: &[Cpu], len: usize, ad_len: usize) {
    let mut random = Random::new((len * 1009 + ad_len) as u64);
    let (bytes, nonce) = (random.bytes(64), random.bytes(algorithm.nonce_len()));
    let (msg, ad) = (random.bytes(len), random.bytes(ad_len));
    let mut expected = msg.clone();
    let tag = key(reference, algorithm, &bytes).seal_in_place(&nonce, &ad, &mut expected).unwrap();
    let mut space = vec![0; len + 64];
    for &cpu in tiers {
        let key: Key = key(cpu, algorithm, &bytes);
        let what = || format!("{algorithm} on {cpu:?}: message {len}, associated data {ad_len}");
        let at = random.below(64);
        let buf = &mut space[at..at + len];
        buf.copy_from_slice(&msg);
        assert_eq!(key.seal_in_place(&nonce, &ad, buf).unwrap(), tag, "{}: tag", what());
        assert!(buf == expected, "{}: ciphertext", what());
        key.open_in_place(&nonce, &ad, buf, tag.as_bytes()).unwrap_or_else(|e| panic!("{}: {e}", what()));
        assert!(buf == msg, "{}: opened in place", what());
        buf.fill(0xa5);
        assert_eq!(key.seal_to(&nonce, &ad, &msg, buf).unwrap(), tag, "{}: tag, separate buffers", what());
        assert!(buf == expected, "{}: ciphertext, separate buffers", what());
        buf.fill(0xa5);
        key.open_to(&nonce, &ad, &expected, buf, tag.as_bytes()).unwrap_or_else(|e| panic!("{}: {e}", what()));
        assert!(buf == msg, "{}: opened, separate buffers", what());
    }
}

#[test]
fn every_length_to_300() {
    let tiers: Vec<Cpu> = Cpu::all().collect();
    for &algorithm in Algorithm::ALL {
        for len in 0..=300 {
            // Models take every length in turn with the others' associated data.
            let ad_len = (len * 7) % 67;
            let fast: Vec<Cpu> = tiers.iter().copied().filter(|&c| !is_model(c) || len % 3 == 0 || len < 40).collect();
            agree(algorithm, model(), &fast, len, ad_len);
            // Associated data of every length, on the software tiers of every third.
            let real = fast.iter().copied().filter(|&c| !is_model(c) && !c.is_pretended());
            let real: Vec<Cpu> = real.filter(|&c| c.is_hardware() || len % 3 == 1 || len < 40).collect();
            agree(algorithm, model(), &real, (len * 11) % 41, len);
        }
    }
}

#[test]
fn around_powers_of_two() {
    let tiers: Vec<Cpu> = Cpu::all().filter(|&c| !is_model(c)).collect();
    for &algorithm in Algorithm::ALL {
        for power in 9..=20 {
            for len in [(1 << power) - 1, 1 << power, (1 << power) + 17] {
                // The model to 4 KiB; beyond, software is the reference.
                let reference = if power <= 12 { model() } else { Cpu::soft() };
                // Few tiers are few enough for a MiB; the last power tries them all.
                let some =
                    if power < 16 || power == 20 && len % 2 == 1 { &tiers[..] } else { &tiers[..tiers.len().min(2)] };
                agree(algorithm, reference, some, len, 0);
            }
            if power <= 14 {
                agree(algorithm, Cpu::soft(), &tiers, 5, (1 << power) + 3);
            }
        }
    }
}

/// SIV of several associated strings, which is only by a call of its own.
#[test]
fn strings_of_siv() {
    let mut random = Random::new(5);
    for algorithm in [Algorithm::SivAes128, Algorithm::SivAes192, Algorithm::SivAes256] {
        let bytes = random.bytes(64);
        for count in 0..6 {
            for len in [0, 1, 15, 16, 17, 48, 100] {
                let strings: Vec<Vec<u8>> = (0..count).map(|i| random.bytes(len * 3 / (i + 1))).collect();
                let strings: Vec<&[u8]> = strings.iter().map(|it| &it[..]).collect();
                let msg = random.bytes(len);
                let mut expected = msg.clone();
                let tag = key(model(), algorithm, &bytes).seal_vectored(&strings, &mut expected).unwrap();
                for cpu in Cpu::all() {
                    let (it, mut buf) = (key(cpu, algorithm, &bytes), msg.clone());
                    assert_eq!(it.seal_vectored(&strings, &mut buf).unwrap(), tag, "{algorithm} {cpu:?} {count} {len}");
                    assert_eq!(buf, expected, "{algorithm} {cpu:?} {count} {len}");
                    it.open_vectored(&strings, &mut buf, tag.as_bytes()).unwrap();
                    assert_eq!(buf, msg, "{algorithm} {cpu:?} {count} {len}");
                    let mut wrong = tag.as_bytes().to_vec();
                    wrong[len % 16] ^= 4;
                    assert!(it.open_vectored(&strings, &mut buf, &wrong).is_err());
                    assert!(buf.iter().all(|&byte| byte == 0), "{algorithm} {cpu:?} {count} {len}");
                }
            }
        }
    }
}
