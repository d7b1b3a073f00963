//! Messages on lanes are as they are one at a time: the schemes whose lanes are not those of the comb's modes, with keys,
//! lengths and associated data mixed, tags of both lengths, and some messages forged.

mod common;

use combseal::{Aead, Algorithm, Batch, Cpu, Error, Key};
use common::noise;

/// A batch of messages of `lengths` lengths from zero on, in an order that mixes them, under nine
/// keys that `key` makes, with associated data of many lengths: sealed, and opened with every
/// fifth one forged, it gives what one message at a time gives; on every tier.
fn lanes_as_alone(lengths: usize, key: impl Fn(Cpu, usize) -> Key) {
    let bytes = |n: usize, seed: usize| -> Vec<u8> {
        (0..n as u64).map(|i| ((i + 3) * (seed as u64 + 7) * 0x9e37 >> 5) as u8).collect()
    };
    for cpu in Cpu::all() {
        let slow = matches!(cpu.name(), "soft" | "soft64" | "model2" | "model4");
        let count = if slow { lengths.min(40) } else { lengths };
        let keys: Vec<_> = (0..9).map(|i| key(cpu, i)).collect();
        // 37 is prime to the usual counts, so that each length comes once.
        let plain: Vec<_> = (0..count).map(|i| bytes(if slow { i * 37 % 307 } else { i * 37 % count }, i)).collect();
        let nonces: Vec<_> = (0..count).map(|i| bytes(keys[0].nonce_len(), i + 1000)).collect();
        let mut ads: Vec<_> = (0..count).map(|i| bytes([0, 0, 5, 13, 32, 64, 65, 200][i * i % 8], i)).collect();
        let mut sealed = plain.clone();
        let mut tags: Vec<_> = (0..count).map(|i| vec![0; keys[i % 9].tag_len()]).collect();
        let mut batch = Batch::new();
        for (i, (buf, tag)) in sealed.iter_mut().zip(&mut tags).enumerate() {
            batch.seal(&keys[i % 9], &nonces[i], &ads[i], buf, tag);
        }
        batch.run().all().unwrap();
        for i in 0..count {
            let mut alone = plain[i].clone();
            let tag = keys[i % 9].seal_in_place(&nonces[i], &ads[i], &mut alone).unwrap();
            assert_eq!((&sealed[i], &tags[i][..]), (&alone, tag.as_bytes()), "{cpu:?} {i} {}", plain[i].len());
            if i % 5 == 3 {
                // A bit of the message, of the associated data or of the tag.
                let part = match i % 3 {
                    0 if !sealed[i].is_empty() => &mut sealed[i],
                    1 if !ads[i].is_empty() => &mut ads[i],
                    _ => &mut tags[i],
                };
                let bit = i * 29 % (8 * part.len());
                part[bit / 8] ^= 1 << (bit % 8);
            }
        }
        let mut opened: Vec<_> = sealed.iter().map(|it| vec![1; it.len()]).collect();
        let mut batch = Batch::new();
        for (i, (buf, tag)) in opened.iter_mut().zip(&tags).enumerate() {
            batch.open_to(&keys[i % 9], &nonces[i], &ads[i], &sealed[i], buf, tag).unwrap();
        }
        let results = batch.run();
        for i in 0..count {
            let at = format!("{cpu:?} {i} {}", plain[i].len());
            if i % 5 == 3 {
                assert_eq!(results[i], Err(Error::Forged), "{at}");
                assert!(opened[i].iter().all(|&x| x == 0), "{at}");
            } else {
                assert_eq!((results[i], &opened[i]), (Ok(()), &plain[i]), "{at}");
            }
        }
    }
}

/// Of all lengths to 300, and longer ones.
#[test]
fn aegis() {
    for (algorithm, lengths) in [
        (Algorithm::Aegis128, 301),
        (Algorithm::Aegis128L, 301),
        (Algorithm::Aegis256, 301),
        (Algorithm::Aegis128L, 1501),
        (Algorithm::Aegis256, 1501),
    ] {
        let tags = algorithm.tag_lens();
        lanes_as_alone(lengths, |cpu, i| {
            Key::build(cpu, algorithm, &noise(i, algorithm.key_len()), tags[i % tags.len()]).unwrap()
        });
    }
}

/// Of all lengths to 300, and a few long ones.
#[test]
fn gcm_siv() {
    for (algorithm, lengths) in
        [(Algorithm::GcmSivAes128, 301), (Algorithm::GcmSivAes256, 301), (Algorithm::GcmSivAes128, 1501)]
    {
        lanes_as_alone(lengths, |cpu, i| Key::build(cpu, algorithm, &noise(i, algorithm.key_len()), 16).unwrap());
    }
}

/// Messages on lanes are as they are one at a time, with keys, lengths and associated data
/// mixed; and a forged one fails alone.
#[test]
fn chacha20_poly1305() {
    let bytes = |n: usize, seed: usize| (0..n).map(|i| (i * i + 7 * seed + i) as u8).collect::<Vec<_>>();
    for cpu in Cpu::all() {
        for algorithm in [Algorithm::ChaCha20Poly1305, Algorithm::XChaCha20Poly1305] {
            for (round, &n) in [2, 3, 16, 17, 31, 40, 16, 9].iter().enumerate() {
                let len = |i: usize| match round % 4 {
                    0 => i * 29 % 70,
                    1 => 64,
                    2 => i * 53 % 400,
                    _ => i * i * 97 % 1700,
                };
                let ad = |i: usize| if round % 2 == 0 { i * 11 % 45 } else { i % 2 * 600 };
                let keys: Vec<_> = (0..n).map(|i| Key::build(cpu, algorithm, &bytes(32, i % 5), 16).unwrap()).collect();
                let nonces: Vec<_> = (0..n).map(|i| bytes(algorithm.nonce_len(), 100 + i)).collect();
                let mut ads: Vec<_> = (0..n).map(|i| bytes(ad(i), i)).collect();
                let plain: Vec<_> = (0..n).map(|i| bytes(len(i), 50 + i)).collect();
                let (mut sealed, mut tags) = (plain.clone(), vec![[0; 16]; n]);
                let mut batch = Batch::new();
                for (i, (buf, tag)) in sealed.iter_mut().zip(&mut tags).enumerate() {
                    batch.seal(&keys[i], &nonces[i], &ads[i], buf, tag);
                }
                batch.run().all().unwrap();
                for i in 0..n {
                    let mut buf = plain[i].clone();
                    let tag = keys[i].seal_in_place(&nonces[i], &ads[i], &mut buf).unwrap();
                    assert_eq!((tag.as_bytes(), &buf), (&tags[i][..], &sealed[i]), "{cpu:?} {round} {i}");
                }
                let forged = round * 7 % n;
                match round % 3 {
                    1 if len(forged) > 0 => sealed[forged][len(forged) - 1] ^= 1,
                    2 if ad(forged) > 0 => ads[forged][ad(forged) / 2] ^= 1,
                    _ => tags[forged][round] ^= 1,
                }
                let mut batch = Batch::new();
                for (i, (buf, tag)) in sealed.iter_mut().zip(&tags).enumerate() {
                    batch.open(&keys[i], &nonces[i], &ads[i], buf, tag);
                }
                let outcome = batch.run();
                for i in 0..n {
                    let want = if i == forged { Err(Error::Forged) } else { Ok(()) };
                    assert_eq!(outcome[i], want, "{cpu:?} {round} {i}");
                    let want = if i == forged { vec![0; len(i)] } else { plain[i].clone() };
                    assert_eq!(sealed[i], want, "{cpu:?} {round} {i}");
                }
            }
        }
    }
}
