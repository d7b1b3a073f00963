//! The comb gives what one message at a time gives: every scheme, every tier, any
//! number of lanes, keys and lengths mixed, some messages forged.

mod common;

use combseal::{Aead, Algorithm, Batch, Cpu, Error, Key};
use common::{Random, is_model};

struct Message {
    key: usize,
    nonce: Vec<u8>,
    ad: Vec<u8>,
    plain: Vec<u8>,
    sealed: Vec<u8>,
    tag: Vec<u8>,
}

fn length(random: &mut Random) -> usize {
    match random.below(8) {
        0 => 0,
        1..=4 => random.below(101),
        5 => 16 * random.below(20),
        6 => random.below(600),
        _ => 400,
    }
}

/// Messages under some of `keys`, sealed one at a time.
fn messages(random: &mut Random, keys: &[Key], count: usize) -> Vec<Message> {
    (0..count)
        .map(|i| {
            let key = random.below(keys.len());
            // Of five bytes and more, as the first four are the message's number.
            let n = match keys[key].name() {
                name if random.below(2) == 0 || name.contains("AEGIS") => keys[key].nonce_len(),
                name if name.starts_with("OCB3") => 6 + random.below(10),
                name if name.ends_with("CCM") => 7 + random.below(7),
                name if name.ends_with("-GCM") || name.ends_with("EAX") => 5 + random.below(30),
                _ => keys[key].nonce_len(),
            };
            let mut nonce = random.bytes(n);
            nonce[..4].copy_from_slice(&(i as u32).to_le_bytes());
            let n = [0, 0, 5, 14, 15, 16, 40, 300][random.below(8)];
            let ad = random.bytes(n);
            let n = length(random);
            let plain = random.bytes(n);
            let mut sealed = plain.clone();
            let tag = keys[key].seal_in_place(&nonce, &ad, &mut sealed).unwrap().to_vec();
            Message { key, nonce, ad, plain, sealed, tag }
        })
        .collect()
}

fn check(batch: Batch<'_>, random: &mut Random, keys: &[Key], all: &[Message], at: &str) {
    // Some are sealed, some opened, and some of those are forged; in place or not.
    let ways: Vec<usize> = all.iter().map(|_| random.below(6)).collect();
    let mut bufs: Vec<Vec<u8>> = all.iter().map(|_| Vec::new()).collect();
    let mut srcs: Vec<Vec<u8>> = all.iter().map(|_| Vec::new()).collect();
    let mut tags: Vec<Vec<u8>> = all.iter().map(|_| Vec::new()).collect();
    for (i, m) in all.iter().enumerate() {
        let opened = ways[i] >= 2;
        srcs[i] = if opened { m.sealed.clone() } else { m.plain.clone() };
        tags[i] = if opened { m.tag.clone() } else { vec![0; m.tag.len()] };
        if ways[i] == 4 {
            let n = random.below(8 * m.tag.len());
            tags[i][n / 8] ^= 1 << (n % 8);
        }
        bufs[i] = if ways[i].is_multiple_of(2) { srcs[i].clone() } else { vec![0xee; srcs[i].len()] };
    }
    let mut batch = batch.reuse();
    for (((i, m), buf), tag) in all.iter().enumerate().zip(&mut bufs).zip(&mut tags) {
        let key = &keys[m.key];
        match ways[i] {
            0 => batch.seal(key, &m.nonce, &m.ad, buf, tag),
            1 => batch.seal_to(key, &m.nonce, &m.ad, &srcs[i], buf, tag).unwrap(),
            2 | 4 => batch.open(key, &m.nonce, &m.ad, buf, tag),
            _ => batch.open_to(key, &m.nonce, &m.ad, &srcs[i], buf, tag).unwrap(),
        }
    }
    let results: Vec<_> = batch.run().to_vec();
    assert_eq!(results.len(), all.len(), "{at}");
    drop(batch);
    for (i, m) in all.iter().enumerate() {
        let at =
            format!("{at}, job {i} of {}, {} bytes, {} of AD, way {}", all.len(), m.plain.len(), m.ad.len(), ways[i]);
        match ways[i] {
            0 | 1 => {
                assert_eq!(results[i], Ok(()), "{at}");
                assert_eq!(bufs[i], m.sealed, "{at}");
                assert_eq!(tags[i], m.tag, "{at}");
            }
            4 => {
                assert_eq!(results[i], Err(Error::Forged), "{at}");
                assert!(bufs[i].iter().all(|&x| x == 0), "{at}");
            }
            _ => {
                assert_eq!(results[i], Ok(()), "{at}");
                assert_eq!(bufs[i], m.plain, "{at}");
            }
        }
    }
}

/// Each scheme by itself, on every tier, with 1 to 16 lanes, one key and several.
#[test]
fn comb_equals_one_at_a_time() {
    let mut random = Random::new(1);
    for cpu in Cpu::all() {
        for &algorithm in Algorithm::ALL {
            let keys: Vec<Key> = (0..5).map(|_| common::key(cpu, algorithm, &random.bytes(64))).collect();
            let lanes = if cpu.is_hardware() { 1..=16usize } else { 6..=8 };
            for lanes in lanes {
                let some = if lanes.is_multiple_of(2) { &keys[..] } else { &keys[..1] };
                let count = match random.below(4) {
                    0 => lanes,
                    1 => lanes + 1,
                    _ => random.below(40),
                };
                let count = if is_model(cpu) { count.min(9) } else { count };
                let all = messages(&mut random, some, count);
                check(
                    Batch::with_lanes(lanes),
                    &mut random,
                    some,
                    &all,
                    &format!("{algorithm} {cpu:?}, {lanes} lanes"),
                );
            }
        }
    }
}

/// Nonces that count, as most do: what a key keeps from one message to the next serves
/// the next, and none other.
#[test]
fn counting_nonces() {
    let mut random = Random::new(5);
    for cpu in Cpu::all() {
        for &algorithm in Algorithm::ALL {
            // With tags of any length.
            let mut key = || {
                let tags = algorithm.tag_lens();
                let tag_len = tags[random.below(tags.len())];
                Key::build(cpu, algorithm, &random.bytes(algorithm.key_len()), tag_len).unwrap()
            };
            let keys = [key(), key()];
            let n = keys[0].nonce_len();
            // Across a change of OCB3's Ktop, and some of them long.
            let count = if is_model(cpu) { 12 } else { 150 };
            let mut all = messages(&mut random, &keys, count);
            for (i, m) in all.iter_mut().enumerate() {
                let jump = if i % 3 == 2 { 576 } else { 0 };
                m.key = usize::from(i > 2 * count / 3 && i % 5 == 0);
                m.nonce = vec![0xa5; n];
                m.nonce[n - 4..].copy_from_slice(&(250 - count / 2 + i + jump).to_be_bytes()[4..]);
                m.ad.truncate([0, 0, 12][i % 3]);
                m.sealed.clone_from(&m.plain);
                m.tag = keys[m.key].seal_in_place(&m.nonce, &m.ad, &mut m.sealed).unwrap().to_vec();
            }
            check(Batch::new(), &mut random, &keys, &all, &format!("{algorithm} {cpu:?}"));
        }
    }
}

/// All schemes and all tiers in one batch.
#[test]
fn everything_together() {
    let mut random = Random::new(2);
    for round in 0..4 {
        let keys: Vec<Key> = Cpu::all()
            .filter(|cpu| !is_model(*cpu))
            .flat_map(|cpu| Algorithm::ALL.iter().map(move |&a| (cpu, a)))
            .map(|(cpu, algorithm)| common::key(cpu, algorithm, &random.bytes(64)))
            .collect();
        let all = messages(&mut random, &keys, 900);
        check(Batch::new(), &mut random, &keys, &all, &format!("round {round}"));
    }
}

/// Keys with many jobs each, which go apart, and keys with few.
#[test]
fn keys_apart() {
    let mut random = Random::new(4);
    for cpu in Cpu::all().filter(|cpu| !is_model(*cpu)) {
        for algorithm in [Algorithm::CcmAes128, Algorithm::EaxAes256, Algorithm::SivAes128] {
            let keys: Vec<Key> = (0..9).map(|_| common::key(cpu, algorithm, &random.bytes(64))).collect();
            let mut all = messages(&mut random, &keys[..3], 300);
            for (key, count) in [(3, 80), (4, 20), (5, 1), (6, 63), (7, 64)] {
                let more = messages(&mut random, &keys[key..=key], count);
                all.extend(more.into_iter().map(|m| Message { key, ..m }));
            }
            // Every key's jobs among the others'.
            for i in (1..all.len()).rev() {
                all.swap(i, random.below(i + 1));
            }
            check(Batch::new(), &mut random, &keys, &all, &format!("{cpu:?} {algorithm:?}"));
        }
    }
}

/// Nonces that rise and then do not, of any length.
#[test]
fn repeated_nonces() {
    let key = common::key(Cpu::detect(), Algorithm::EaxAes128, &[7; 64]);
    let other = common::key(Cpu::detect(), Algorithm::EaxAes128, &[7; 64]);
    let counted = |n: u64, len: usize| [vec![0; len - 8], n.to_be_bytes().to_vec()].concat();
    let mut nonces: Vec<Vec<u8>> = (0..40).map(|n| counted(n, 12)).collect();
    nonces.extend([counted(39, 13), counted(38, 12), vec![], vec![1; 7], vec![2; 17], vec![2; 16], vec![2; 17]]);
    nonces.extend([vec![], vec![1; 6], vec![1; 7], counted(38, 13), counted(39, 13)]);
    for count in 0..=nonces.len() {
        for odd in [&key, &other] {
            let mut tags = vec![[0; 16]; count];
            let mut batch = Batch::new();
            let key_of = |i: usize| if i.is_multiple_of(2) { &key } else { odd };
            for (i, tag) in tags.iter_mut().enumerate() {
                batch.seal(key_of(i), &nonces[i], b"", &mut [], tag);
            }
            for (i, result) in batch.run().iter().enumerate() {
                let repeated = (0..i).any(|j| core::ptr::eq(key_of(j), key_of(i)) && nonces[j] == nonces[i]);
                assert_eq!(*result, if repeated { Err(Error::NonceRepeated) } else { Ok(()) }, "{i} of {count}");
            }
        }
    }
}

/// Few nonces under few keys, in any order and in the orders that are looked at first.
#[test]
fn repeated_nonces_of_several_keys() {
    let mut random = Random::new(6);
    let keys: Vec<Key> = (0..4).map(|_| common::key(Cpu::detect(), Algorithm::GcmAes128, &random.bytes(64))).collect();
    for round in 0..600 {
        let of = [3, 10, 60][round % 3];
        let mut asked: Vec<(usize, Vec<u8>)> = (0..random.below(30))
            .map(|_| (random.below(4), vec![random.below(of) as u8; 12 + usize::from(random.below(20) == 0)]))
            .collect();
        match random.below(4) {
            0 => asked.sort(),
            1 => asked.sort_by(|a, b| a.1.cmp(&b.1)),
            2 => asked.sort_by_key(|a| a.0),
            _ => {}
        }
        let mut tags = vec![[0; 16]; asked.len()];
        let mut batch = Batch::new();
        for ((key, nonce), tag) in asked.iter().zip(&mut tags) {
            batch.seal(&keys[*key], nonce, b"", &mut [], tag);
        }
        for (i, result) in batch.run().iter().enumerate() {
            let repeated = asked[..i].contains(&asked[i]);
            assert_eq!(*result, if repeated { Err(Error::NonceRepeated) } else { Ok(()) }, "{i} of {asked:?}");
        }
    }
}

/// Zero, one and few jobs; a batch used again.
#[test]
fn small_and_again() {
    let mut random = Random::new(3);
    let keys = [common::key(Cpu::detect(), Algorithm::CcmAes128, &[7; 64])];
    let mut batch = Batch::new();
    assert!(batch.run().is_empty());
    assert_eq!(batch.run().shape().windows, 0);
    for count in [1, 2, 3, 8, 9, 16, 17, 100, 1] {
        let all = messages(&mut random, &keys, count);
        check(Batch::new(), &mut random, &keys, &all, "again");
    }
    let mut bufs = [[1u8; 40]; 3];
    let mut tags = [[0; 16]; 3];
    for (i, (buf, tag)) in bufs.iter_mut().zip(&mut tags).enumerate() {
        batch.seal(&keys[0], [&b"first nonce."[..], b"second nonce", b"third nonce."][i], b"", buf, tag);
        assert_eq!(batch.len(), 1);
        assert_eq!(batch.run()[..], [Ok(())]);
        assert!(batch.is_empty());
    }
    let reference = keys[0].seal(b"third nonce.", b"", &[1; 40]).unwrap();
    assert_eq!([&bufs[2][..], &tags[2]].concat(), reference);
}

/// What is wrong with one job is that job's own.
#[test]
fn refusals() {
    let key = common::key(Cpu::detect(), Algorithm::Ocb3Aes128, &[7; 64]);
    let other = common::key(Cpu::detect(), Algorithm::Ocb3Aes128, &[7; 64]);
    let ccm = common::key(Cpu::detect(), Algorithm::CcmAes128, &[7; 64]);
    for one in [&key, &ccm] {
        let mut bufs = [[5u8; 33]; 8];
        let mut tags = [[0; 16]; 8];
        let [b0, b1, b2, b3, b4, b5, b6, b7] = &mut bufs;
        let [t0, t1, t2, t3, t4, t5, t6, t7] = &mut tags;
        let mut batch = Batch::new();
        batch.seal(one, b"twelve bytes", b"", b0, t0);
        batch.seal(one, b"twelve bytes", b"other", b1, t1);
        batch.seal(&other, b"twelve bytes", b"", b2, t2);
        batch.seal(one, b"five!", b"", b3, t3);
        batch.open(one, b"five!", b"", b4, t4);
        batch.seal(one, b"another one!", b"", b5, &mut t5[..15]);
        batch.open(one, b"another one!", b"", b6, &t6[..3]);
        // Opening twice is no mistake of the opener's.
        batch.open(one, b"twelve bytes", b"", b7, t7);
        let results = batch.run().to_vec();
        assert_eq!(results[..3], [Ok(()), Err(Error::NonceRepeated), Ok(())]);
        assert_eq!(results[3..5], [Err(Error::NonceLength), Err(Error::NonceLength)]);
        assert_eq!(results[5..], [Err(Error::TagLength), Err(Error::TagLength), Err(Error::Forged)]);
        drop(batch);
        assert_eq!(bufs[1], [5; 33]);
        assert_eq!((bufs[3], bufs[5]), ([5; 33], [5; 33]));
        assert_eq!((bufs[4], bufs[6], bufs[7]), ([0; 33], [0; 33], [0; 33]));
    }
    let mut batch = Batch::new();
    let (mut dst, mut tag) = ([0; 3], [0; 16]);
    assert_eq!(batch.seal_to(&key, b"twelve bytes", b"", b"four", &mut dst, &mut tag), Err(Error::BufferLength));
    assert!(batch.is_empty());
}

/// The plan is told: Fig. 1 of Bogdanov, Lauridsen and Tischhauser (2014).
#[test]
fn tells_its_plan() {
    let key = common::key(Cpu::detect(), Algorithm::CcmAes128, &[7; 64]);
    let mut bufs: Vec<Vec<u8>> = [94, 5, 5, 5, 85, 94, 94].iter().map(|n| vec![0; 16 * n]).collect();
    let nonces: Vec<[u8; 12]> = (0..7).map(|i| [i; 12]).collect();
    let mut tags = [[0; 16]; 7];
    let mut batch = Batch::with_lanes(7);
    for ((buf, nonce), tag) in bufs.iter_mut().zip(&nonces).zip(&mut tags) {
        batch.seal(&key, nonce, b"", buf, tag);
    }
    let outcome = batch.run();
    let shape = outcome.shape();
    assert_eq!((shape.windows, shape.blocks, shape.steps), (3, 382, 94));
}
