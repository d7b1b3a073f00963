//! The comb gives what one message at a time gives: every scheme, every tier, any
//! number of lanes, keys and lengths mixed, some messages forged.

mod common;

use combseal::hazmat::Relaxed;
use combseal::{Aead, Algorithm, AnyNonce, Batch, Cpu, Error, Key, Nonce, NonceCounter, Outcome, Sealer};
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

/// A key with nonces of a length that the scheme takes, often the usual one.
fn key(random: &mut Random, cpu: Cpu, algorithm: Algorithm) -> Key {
    let mut key = common::key(cpu, algorithm, &random.bytes(64));
    let n = match key.name() {
        name if random.below(2) == 0 || name.contains("AEGIS") => key.nonce_len(),
        name if name.starts_with("OCB3") => 6 + random.below(10),
        name if name.ends_with("CCM") => 7 + random.below(7),
        name if name.ends_with("-GCM") || name.ends_with("EAX") => 8 + random.below(30),
        _ => key.nonce_len(),
    };
    key.set_nonce_len(n).unwrap();
    key
}

/// Messages under some of `keys`, sealed one at a time.
fn messages(random: &mut Random, keys: &[Key], count: usize) -> Vec<Message> {
    (0..count)
        .map(|i| {
            let key = random.below(keys.len());
            let mut nonce = random.bytes(keys[key].nonce_len());
            nonce[..4].copy_from_slice(&(i as u32).to_le_bytes());
            let n = [0, 0, 5, 14, 15, 16, 40, 300][random.below(8)];
            let ad = random.bytes(n);
            let n = length(random);
            let plain = random.bytes(n);
            let mut sealed = plain.clone();
            let tag = keys[key].seal_in_place(&nonce, &ad, &mut sealed).unwrap().as_bytes().to_vec();
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
    // The memory of a batch that has run before.
    let mut batch = batch.run().reuse();
    for (((i, m), buf), tag) in all.iter().enumerate().zip(&mut bufs).zip(&mut tags) {
        let key = &keys[m.key];
        match ways[i] {
            0 => batch.seal(key, &m.nonce, &m.ad, buf, tag),
            1 => batch.seal_to(key, &m.nonce, &m.ad, &srcs[i], buf, tag).unwrap(),
            2 | 4 => batch.open(key, &m.nonce, &m.ad, buf, tag),
            _ => batch.open_to(key, &m.nonce, &m.ad, &srcs[i], buf, tag).unwrap(),
        };
    }
    let results = batch.run();
    assert_eq!(results.len(), all.len(), "{at}");
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
            let keys: Vec<Key> = (0..5).map(|_| key(&mut random, cpu, algorithm)).collect();
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
                m.tag = keys[m.key].seal_in_place(&m.nonce, &m.ad, &mut m.sealed).unwrap().as_bytes().to_vec();
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
            .map(|(cpu, algorithm)| key(&mut random, cpu, algorithm))
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
            let keys: Vec<Key> = (0..9).map(|_| key(&mut random, cpu, algorithm)).collect();
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

/// Nonces that rise and then do not, of several lengths.
#[test]
fn repeated_nonces() {
    let mut random = Random::new(7);
    // Jobs that wait, jobs that do not, and both by turns.
    for (len, way) in [0, 1, 7, 8, 12, 16, 17, 30, 40].into_iter().flat_map(|len| [0, 1, 2].map(|way| (len, way))) {
        let build = |algorithm| {
            let rules = &[Relaxed::ShortNonces];
            let mut key = Key::hazmat_build(Cpu::detect(), algorithm, &[7; 16], 16, rules).unwrap();
            key.set_nonce_len(len).unwrap();
            key
        };
        // (GCM has no nonce of no bytes.)
        if len == 0 && way > 0 {
            continue;
        }
        let (waits, does_not) = (Algorithm::EaxAes128, Algorithm::GcmAes128);
        let (key, other) = (build([waits, does_not, waits][way]), build([waits, does_not, does_not][way]));
        let counted = |n: u8| {
            let mut nonce = vec![0; len];
            if let Some(last) = nonce.last_mut() {
                *last = n;
            }
            nonce
        };
        let mut nonces: Vec<Vec<u8>> = (0..40).map(counted).collect();
        nonces.extend([39, 38, 40, 41, 38, 50, 49, 51].map(counted));
        nonces.extend((0..8).map(|_| random.bytes(len)));
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
                    let expected = if repeated { Err(Error::NonceRepeated) } else { Ok(()) };
                    assert_eq!(*result, expected, "{i} of {count}, nonces of {len} bytes");
                }
            }
        }
    }
}

/// Schemes that survive a repeated nonce are not refused one: SIV without nonces, its
/// deterministic use, in batches of any size, and beside schemes that are refused.
#[test]
fn repeats_that_are_allowed() {
    let gcm = common::key(Cpu::detect(), Algorithm::GcmAes128, &[7; 64]);
    for &algorithm in Algorithm::ALL.iter().filter(|a| a.name().ends_with("SIV")) {
        assert!(algorithm.allows_repeats());
        for cpu in Cpu::all() {
            let mut keys = [common::key(cpu, algorithm, &[7; 64]), common::key(cpu, algorithm, &[8; 64])];
            let nonce_len = if algorithm.name().ends_with("GCM-SIV") { 12 } else { 0 };
            keys.iter_mut().for_each(|key| key.set_nonce_len(nonce_len).unwrap());
            let nonce = vec![1; nonce_len];
            for count in [1, 2, 3, 20] {
                let (mut bufs, mut tags) = (vec![*b"the same cell"; count], vec![[0; 16]; count]);
                let (mut other, mut others) = ([*b"packets"; 2], [[0; 16]; 2]);
                let mut batch = Batch::new();
                for (i, (buf, tag)) in bufs.iter_mut().zip(&mut tags).enumerate() {
                    batch.seal(&keys[i % 2], &nonce, b"column", buf, tag);
                }
                for (buf, tag) in other.iter_mut().zip(&mut others) {
                    batch.seal(&gcm, b"twelve bytes", b"", buf, tag);
                }
                let results = batch.run();
                assert!(results[..count + 1].iter().all(Result::is_ok), "{algorithm} {cpu:?} {count}");
                assert_eq!(results[count + 1], Err(Error::NonceRepeated));
                for i in 0..count {
                    let mut one = *b"the same cell";
                    let tag = keys[i % 2].seal_in_place(&nonce, b"column", &mut one).unwrap();
                    assert_eq!(bufs[i], one, "{algorithm} {cpu:?} {count}");
                    assert!(tag == tags[i]);
                }
            }
        }
    }
}

/// Few nonces under few keys, in any order and in the orders that are looked at first; of the usual length, and of
/// lengths that are compared as numbers of two widths.
#[test]
fn repeated_nonces_of_several_keys() {
    let mut random = Random::new(6);
    let mut build = |algorithm, len: usize| {
        let mut key = common::key(Cpu::detect(), algorithm, &random.bytes(64));
        key.set_nonce_len(len).unwrap();
        key
    };
    // Jobs that wait, jobs that do not, and both.
    let keys = [
        [12, 12, 12, 12, 12].map(|len| build(Algorithm::EaxAes128, len)),
        [8, 16, 17, 24, 32].map(|len| build(Algorithm::EaxAes128, len)),
        [12, 12, 12, 12, 12].map(|len| build(Algorithm::GcmAes128, len)),
        [8, 16, 17, 24, 32].map(|len| build(Algorithm::GcmAes128, len)),
        [12, 12, 40, 32, 32].map(|len| build([Algorithm::EaxAes128, Algorithm::GcmAes128][len / 12 % 2], len)),
        [12, 12, 12, 15, 15].map(|len| build(Algorithm::Ocb3Aes128, len)),
    ];
    for round in 0..3600 {
        let (keys, of, count) = (&keys[round % 6], [3, 10, 60][round / 6 % 3], random.below(30));
        let mut ask = || {
            let key = random.below(5);
            (key, vec![random.below(of) as u8; keys[key].nonce_len()])
        };
        let mut asked: Vec<_> = (0..count).map(|_| ask()).collect();
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

/// What a batch keeps for the next job of a key goes with its run: the next batch may have another key in the same place
/// of memory.
#[test]
fn another_key_in_the_same_place() {
    let mut place = Vec::with_capacity(1);
    let mut done = vec![Outcome::default(), Batch::new().run()];
    #[cfg(feature = "rayon")]
    done.extend([Batch::new().run(), Batch::for_threads().run(), Batch::for_threads().run()]);
    for turn in 0..6u8 {
        for (way, done) in done.iter_mut().enumerate() {
            place.clear();
            place.push(common::key(Cpu::detect(), Algorithm::Ocb3Aes128, &[turn; 64]));
            let key = &place[0];
            let (mut bufs, mut tags) = ([[3; 40]; 6], [[0; 16]; 6]);
            let mut batch = core::mem::take(done).reuse();
            // The same Ktop for all of one key, and the same associated data.
            let nonce = |i: usize| Nonce::counted(b"us->", i as u64).unwrap();
            for (i, (buf, tag)) in bufs.iter_mut().zip(&mut tags).enumerate() {
                batch.seal(key, nonce(i), b"associated data", buf, tag);
            }
            *done = match way {
                #[cfg(feature = "rayon")]
                2 | 4 => batch.run_on(2),
                _ => batch.run(),
            };
            done.all().unwrap();
            for i in 0..6 {
                let sealed = key.seal(&nonce(i), b"associated data", &[3; 40]).unwrap();
                assert_eq!([&bufs[i][..], &tags[i]].concat(), sealed, "{turn} {way} {i}");
            }
        }
    }
}

/// Zero, one and few jobs; a batch used again.
#[test]
fn small_and_again() {
    let mut random = Random::new(3);
    let keys = [common::key(Cpu::detect(), Algorithm::CcmAes128, &[7; 64])];
    assert_eq!(Batch::new().shape().windows, 0);
    let mut memory = Batch::new().run();
    assert!(memory.is_empty() && memory.all().is_ok());
    for count in [1, 2, 3, 8, 9, 16, 17, 100, 1] {
        let all = messages(&mut random, &keys, count);
        check(Batch::new(), &mut random, &keys, &all, "again");
    }
    let mut bufs = [[1u8; 40]; 3];
    let mut tags = [[0; 16]; 3];
    for (i, (buf, tag)) in bufs.iter_mut().zip(&mut tags).enumerate() {
        let mut batch = memory.reuse();
        assert!(batch.is_empty());
        batch.seal(&keys[0], [&b"first nonce."[..], b"second nonce", b"third nonce."][i], b"", buf, tag);
        assert_eq!(batch.len(), 1);
        memory = batch.run();
        assert_eq!(memory[..], [Ok(())]);
    }
    let reference = keys[0].seal(b"third nonce.", b"", &[1; 40]).unwrap();
    assert_eq!([&bufs[2][..], &tags[2]].concat(), reference);
}

/// What is wrong with one job is that job's own. What was to be sealed and is refused is
/// zero, and its tag, whatever was wrong; what was to be opened is as it was unless it was
/// forged.
#[test]
fn refusals() {
    let key = common::key(Cpu::detect(), Algorithm::Ocb3Aes128, &[7; 64]);
    let other = common::key(Cpu::detect(), Algorithm::Ocb3Aes128, &[7; 64]);
    let ccm = common::key(Cpu::detect(), Algorithm::CcmAes128, &[7; 64]);
    for one in [&key, &ccm] {
        // By themselves (a batch of one), and together.
        for together in [false, true] {
            let mut bufs = [[5u8; 33]; 8];
            let mut tags = [[6; 16]; 8];
            let mut results = Vec::new();
            let mut batch = Batch::new();
            for (i, (buf, tag)) in bufs.iter_mut().zip(&mut tags).enumerate() {
                match i {
                    0 => batch.seal(one, b"twelve bytes", b"", buf, tag),
                    1 => batch.seal(one, b"twelve bytes", b"other", buf, tag),
                    2 => batch.seal(&other, b"twelve bytes", b"", buf, tag),
                    3 => batch.seal(one, b"five!", b"", buf, tag),
                    4 => batch.open(one, b"five!", b"", buf, tag),
                    5 => batch.seal(one, b"another one!", b"", buf, &mut tag[..15]),
                    6 => batch.open(one, b"another one!", b"", buf, &tag[..3]),
                    // Opening twice is no mistake of the opener's.
                    _ => batch.open(one, b"twelve bytes", b"", buf, tag),
                };
                if !together {
                    let outcome = batch.run();
                    results.extend_from_slice(&outcome);
                    batch = outcome.reuse();
                }
            }
            results.extend_from_slice(&batch.run());
            let repeated = if together { Err(Error::NonceRepeated) } else { Ok(()) };
            assert_eq!(results[..3], [Ok(()), repeated, Ok(())]);
            assert_eq!(results[3..5], [Err(Error::NonceLength), Err(Error::NonceLength)]);
            assert_eq!(results[5..], [Err(Error::TagLength), Err(Error::TagLength), Err(Error::Forged)]);
            if together {
                assert_eq!((bufs[1], tags[1]), ([0; 33], [0; 16]));
            }
            assert_eq!((bufs[3], tags[3]), ([0; 33], [0; 16]));
            assert_eq!((bufs[5], &tags[5][..15]), ([0; 33], &[0; 15][..]));
            assert_eq!((bufs[4], bufs[6]), ([5; 33], [5; 33]));
            assert_eq!((tags[4], tags[6]), ([6; 16], [6; 16]));
            assert_eq!(bufs[7], [0; 33]);
        }
    }
    let (mut dst, mut tag) = ([0; 3], [0; 16]);
    let mut batch = Batch::new();
    assert_eq!(batch.seal_to(&key, b"twelve bytes", b"", b"four", &mut dst, &mut tag), Err(Error::BufferLength));
    assert!(batch.is_empty());
}

/// What a caller meets who does not look: with one nonce for three packets, with a batch
/// that never runs, with one that is reused before it ran. None gets plaintext back.
#[test]
fn plaintext_never_comes_back() {
    let key = common::key(Cpu::detect(), Algorithm::GcmAes128, &[7; 64]);
    let (mut bufs, mut tags) = ([*b"plaintext"; 3], [[0; 16]; 3]);
    let mut batch = Batch::new();
    for (buf, tag) in bufs.iter_mut().zip(&mut tags) {
        batch.seal(&key, b"twelve bytes", b"", buf, tag);
    }
    assert_eq!(batch.run().all(), Err(Error::NonceRepeated));
    assert_ne!(bufs[0], *b"plaintext");
    assert_eq!((bufs[1], bufs[2]), ([0; 9], [0; 9]));

    // Jobs that wait, which are those of a serial mode; and others, which have been done.
    let ccm = common::key(Cpu::detect(), Algorithm::CcmAes128, &[7; 64]);
    for (key, waits, to) in [(&ccm, true, false), (&ccm, true, true), (&key, false, false), (&key, false, true)] {
        let (mut buf, mut out, mut tag) = (*b"plaintext", [9; 9], [9; 16]);
        let sealed = *b"sealed...";
        let (mut opened, given) = (sealed, [9; 16]);
        let mut batch = Batch::new();
        if to {
            batch.seal_to(key, b"twelve bytes", b"", b"plaintext", &mut out, &mut tag).unwrap();
        } else {
            batch.seal(key, b"twelve bytes", b"", &mut buf, &mut tag);
        }
        batch.open(key, b"twelve bytes", b"", &mut opened, &given);
        // In a debug build that is said on standard error.
        drop(batch);
        let made = if to { out } else { buf };
        if waits {
            assert_eq!((made, tag, opened), ([0; 9], [0; 16], sealed));
        } else {
            assert_eq!([&made[..], &tag].concat(), key.seal(b"twelve bytes", b"", b"plaintext").unwrap());
            assert_eq!(opened, [0; 9]);
        }
    }
}

/// A batch that is dropped with jobs waiting says so on standard error, once, and in a debug
/// build only; one that ran, or has none, says nothing. Looked at from outside, in a process
/// of its own.
#[test]
fn a_dropped_batch_says_so() {
    const CHILD: &str = "COMBSEAL_DROPS_A_BATCH";
    if std::env::var_os(CHILD).is_some() {
        let key = common::key(Cpu::detect(), Algorithm::CcmAes128, &[7; 64]);
        let (mut bufs, mut tags) = ([[1; 20]; 2], [[1; 16]; 2]);
        for run in [true, false] {
            let mut batch = Batch::new();
            for ((buf, tag), nonce) in bufs.iter_mut().zip(&mut tags).zip([b"nonce no. 10", b"nonce no. 11"]) {
                batch.seal(&key, nonce, b"", buf, tag);
            }
            if run {
                drop(batch.run());
            } else {
                drop(batch);
            }
        }
        drop(Batch::new());
        // Nothing waits here.
        let key = common::key(Cpu::detect(), Algorithm::GcmAes128, &[7; 64]);
        let mut batch = Batch::new();
        batch.seal(&key, b"nonce no. 10", b"", &mut bufs[0], &mut tags[0]);
        drop(batch);
        return;
    }
    let child = common::this_program()
        .args(["--exact", "a_dropped_batch_says_so", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    assert!(child.status.success(), "{child:?}");
    let said = String::from_utf8_lossy(&child.stderr);
    let lines = said.lines().filter(|line| line.contains("dropped with 2 jobs that were never run")).count();
    assert_eq!(
        (lines, said.matches("dropped").count()),
        if cfg!(debug_assertions) { (1, 1) } else { (0, 0) },
        "{said}"
    );
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
    let shape = batch.shape();
    assert_eq!((shape.windows, shape.blocks, shape.steps), (3, 382, 94));
    batch.run().all().unwrap();
}

/// Nonces by value, tags attached, a sealer's next nonce; each job's place among the results.
#[test]
fn forms_of_jobs() {
    for &algorithm in Algorithm::ALL {
        let key = common::key(Cpu::detect(), algorithm, &[7; 64]);
        let (n, tag) = (key.nonce_len(), key.tag_len());
        let prefix = &[3; 24][..n - 8];
        let nonce = |i: u64| Nonce::counted(prefix, i).unwrap();
        let mut sealer = Sealer::new(&key, NonceCounter::starting_at(prefix, 5, 0).unwrap()).unwrap();
        let message = *b"a message of a part of a block more than two";
        // With the tag attached, the message is where the scheme has it.
        let attached = || {
            let mut it = vec![0; message.len() + tag];
            let body = key.body_range(it.len()).unwrap();
            it[body].copy_from_slice(&message);
            it
        };
        let apart = || [&message[..], &vec![0; tag]].concat();
        let mut bufs: Vec<Vec<u8>> = (0..9).map(|i| if (5..8).contains(&i) { apart() } else { attached() }).collect();
        let mut taken = Vec::new();
        let mut batch = Batch::new();
        for (i, buf) in bufs.iter_mut().enumerate() {
            let place = match i {
                // What a nonce is made of is gone when the batch runs.
                0..5 => batch.seal_attached(&key, nonce(i as u64), b"ad", buf).unwrap(),
                5..8 => {
                    // For SIV too the message is at the beginning here, and the tag apart.
                    let (body, tag) = buf.split_at_mut(message.len());
                    let (place, nonce) = batch.seal_next(&mut sealer, b"ad", body, tag).unwrap();
                    taken.push(nonce);
                    place
                }
                _ => batch.seal_attached(&key, nonce(3), b"ad", buf).unwrap(),
            };
            assert_eq!(place, i);
        }
        assert_eq!(batch.seal_attached(&key, nonce(100), b"", &mut []), Err(Error::BufferLength));
        assert_eq!(batch.len(), 9);
        let done = batch.run();
        // By value or lent, a nonce that repeats is found.
        assert_eq!(done[8], if algorithm.allows_repeats() { Ok(()) } else { Err(Error::NonceRepeated) });
        assert!(done[..8].iter().all(Result::is_ok));
        assert_eq!(sealer.next_counter(), 8);
        for i in 0..8 {
            let mut one = if i < 5 { attached() } else { apart() };
            if i < 5 {
                key.seal_attached(&nonce(i as u64), b"ad", &mut one).unwrap();
            } else {
                assert_eq!(taken[i - 5][..], nonce(i as u64)[..]);
                let it = key.seal_in_place(&nonce(i as u64), b"ad", &mut one[..message.len()]).unwrap();
                one[message.len()..].copy_from_slice(it.as_bytes());
            }
            assert_eq!(bufs[i], one, "{algorithm} {i}");
        }
        bufs.truncate(5);
        bufs[2][7] ^= 1;
        let mut batch = done.reuse();
        for (i, buf) in bufs.iter_mut().enumerate() {
            assert_eq!(batch.open_attached(&key, nonce(i as u64), b"ad", buf), Ok(i));
        }
        let done = batch.run();
        for (i, buf) in bufs.iter().enumerate() {
            let body = key.body_range(buf.len()).unwrap();
            let text = if i == 2 { [0; 44] } else { message };
            assert_eq!((done[i], &buf[body]), (if i == 2 { Err(Error::Forged) } else { Ok(()) }, &text[..]));
        }
    }
    // Arrays, slices, vectors.
    let (array, vector) = ([7u8; 12], vec![7u8; 12]);
    for nonce in [AnyNonce::from(array), AnyNonce::from(&array), AnyNonce::from(&vector), AnyNonce::from(&vector[..])] {
        assert_eq!(nonce[..], [7; 12]);
    }
    assert!(AnyNonce::from([0u8; 0]).is_empty());
    assert_eq!(AnyNonce::from([1u8; 32])[..], [1; 32]);
}
