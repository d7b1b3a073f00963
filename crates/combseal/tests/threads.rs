//! Over several threads comes out what comes out of one.

mod common;

use combseal::cpu::Aes;
use combseal::{Aead, Aes128, Aes192, Aes256, Algorithm, Batch, Cpu, Error, Key, Nonce, Ocb3};
use common::Random;

fn pools() -> impl Iterator<Item = rayon::ThreadPool> {
    [1, 2, 3, 8].into_iter().map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap())
}

/// A batch, some of it forged, in pools of all sizes.
#[test]
fn batches() {
    let mut random = Random::new(11);
    let keys: Vec<Key> = [Algorithm::CcmAes128, Algorithm::Ocb3Aes128, Algorithm::EaxAes256]
        .into_iter()
        .map(|a| common::key(Cpu::detect(), a, &random.bytes(64)))
        .collect();
    for pool in pools() {
        for count in [0, 1, 2, 7, 300] {
            let lens: Vec<usize> = (0..count).map(|i| if i == 5 { 40_000 } else { random.below(600) }).collect();
            let plain: Vec<Vec<u8>> = lens.iter().map(|&n| random.bytes(n)).collect();
            let nonces: Vec<Vec<u8>> = (0..count).map(|i| [&[3; 12][..], &(i as u32).to_be_bytes()].concat()).collect();
            let nonce = |i: usize| &nonces[i][16 - keys[i % 3].nonce_len()..];
            let mut bufs = plain.clone();
            let mut tags = vec![[0; 16]; count];
            // Where some jobs do not wait, too.
            let mut batch = if count == 7 { Batch::new() } else { Batch::for_threads() };
            for (i, (buf, tag)) in bufs.iter_mut().zip(&mut tags).enumerate() {
                batch.seal(&keys[i % 3], nonce(i), b"header", buf, tag);
            }
            assert!(pool.install(|| batch.run_on(rayon::current_num_threads()).iter().all(Result::is_ok)));
            for i in 0..count {
                let sealed = keys[i % 3].seal(nonce(i), b"header", &plain[i]).unwrap();
                assert_eq!([&bufs[i][..], &tags[i]].concat(), sealed, "{i} of {count}");
            }
            if count > 2 {
                tags[2][0] ^= 1;
            }
            let mut batch = if count == 7 { Batch::new() } else { Batch::for_threads().run().reuse() };
            for (i, (buf, tag)) in bufs.iter_mut().zip(&tags).enumerate() {
                batch.open(&keys[i % 3], nonce(i), b"header", buf, tag);
            }
            let results = pool.install(|| batch.run_on(rayon::current_num_threads()));
            for i in 0..count {
                let forged = i == 2;
                assert_eq!(results[i], if forged { Err(Error::Forged) } else { Ok(()) }, "{i} of {count}");
                assert_eq!(bufs[i], if forged { vec![0; lens[i]] } else { plain[i].clone() }, "{i} of {count}");
            }
        }
    }
}

/// So many that threads are worth it, and so few that they are not.
#[test]
fn batches_of_any_size() {
    let key = common::key(Cpu::detect(), Algorithm::GcmAes128, &[5; 64]);
    for (pool, count) in pools().zip([3000, 3000, 5000, 100]) {
        let (mut bufs, mut tags) = (vec![vec![9; 1500]; count], vec![[0; 16]; count]);
        let mut batch = Batch::for_threads();
        for (i, (buf, tag)) in bufs.iter_mut().zip(&mut tags).enumerate() {
            batch.seal(&key, Nonce::counted(b"us->", i as u64).unwrap(), b"", buf, tag);
        }
        pool.install(|| batch.run()).all().unwrap();
        for (i, (buf, tag)) in bufs.iter_mut().zip(&tags).enumerate() {
            key.open_in_place(&Nonce::counted(b"us->", i as u64).unwrap(), b"", buf, tag).unwrap();
            assert!(buf.iter().all(|&byte| byte == 9), "{i} of {count}");
        }
    }
}

/// Sealed over threads as by one, and opened so.
fn as_alone<A: Aes>(key: &Ocb3<A>, pool: &rayon::ThreadPool, nonce: &[u8], ad: &[u8], plain: &[u8]) {
    let at = format!("{} {:?} {}", A::NAME, key.cpu(), plain.len());
    let (mut one, mut many) = (plain.to_vec(), plain.to_vec());
    let tag = key.seal_in_place(nonce, ad, &mut one).unwrap();
    assert_eq!(pool.install(|| key.seal_in_place_parallel(nonce, ad, &mut many)), Ok(tag), "{at}");
    assert!(one == many, "{at}");
    pool.install(|| key.open_in_place_parallel(nonce, ad, &mut many, tag.as_bytes())).unwrap();
    assert!(many == plain, "{at}");
}

/// Messages around every boundary between threads.
#[test]
fn long_messages() {
    let mut random = Random::new(12);
    let piece = 16 * 4096;
    let lens =
        [0, 1, 16, 1000, piece - 1, piece, piece + 1, 2 * piece, 3 * piece + 511, 5 * piece - 16, 9 * piece + 16];
    let pools: Vec<_> = pools().collect();
    for cpu in Cpu::all().filter(|cpu| cpu.is_hardware()) {
        let (small, large) = (Ocb3::<Aes128>::build(cpu, &[1; 16], 16), Ocb3::<Aes256>::build(cpu, &[2; 32], 12));
        let (small, large) = (small.unwrap(), large.unwrap());
        let middle = Ocb3::<Aes192>::build(cpu, &[3; 24], 16).unwrap();
        for (i, n) in lens.into_iter().enumerate() {
            let (plain, pool) = (random.bytes(n), &pools[i % pools.len()]);
            let (nonce, ad) = (b"twelve bytes", &b"associated data"[..i]);
            as_alone(&small, pool, nonce, ad, &plain);
            as_alone(&middle, pool, nonce, ad, &plain);
            let mut one = plain.clone();
            let tag = large.seal_in_place(nonce, ad, &mut one).unwrap();
            let mut wrong = tag.as_bytes().to_vec();
            wrong[11] ^= 0x80;
            let mut two = one.clone();
            let forged = pool.install(|| large.open_in_place_parallel(nonce, ad, &mut two, &wrong));
            assert_eq!((forged, two), (Err(Error::Forged), vec![0; n]), "{cpu:?} {n}");
            pool.install(|| large.open_in_place_parallel(nonce, ad, &mut one, tag.as_bytes())).unwrap();
        }
        let mut buf = [7; 5];
        assert_eq!(small.seal_in_place_parallel(b"short", b"", &mut buf), Err(Error::NonceLength));
        assert_eq!(buf, [7; 5]);
        assert_eq!(small.open_in_place_parallel(b"twelve bytes", b"", &mut buf, &[0; 15]), Err(Error::TagLength));
        assert_eq!(buf, [7; 5]);
    }
}
