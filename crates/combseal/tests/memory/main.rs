//! Memory is searched for what keys were made of: the place where a key was, or where another
//! has taken its place, every block that goes back to the allocator, and the stack below a call
//! of the software tier.
#![cfg(not(miri))]
// The allocator's spy, and places read whose values are gone.
#![allow(unsafe_code)]

mod below;
#[path = "../common/mod.rs"]
mod common;
mod parts;
mod place;
mod secrets;
mod spy;
mod stack;
#[cfg(feature = "stream")]
mod streams;

use combseal::hazmat::theta::Tw;
use combseal::hazmat::{Cbc, CbcMac, Cfb, ChaCha20, Cmac, Comb, Ctr, Ecb, Message, Ofb};
use combseal::{
    Aead, Algorithm, Batch, Cached, Columns, Cpu, Key, NonceCounter, Nonces, Opener, ReplayWindow, Sealer, Values,
};
use combseal::{Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4};
use combseal::{Aes128, Aes192, Aes256, Ccm, Eax, Gcm, GcmSiv, Ocb3, Siv};
use combseal::{ChaCha20Poly1305, XChaCha20Poly1305};
use common::{Random, is_model};
use place::{Faults, Place};
use secrets::{Secrets, bytes_at, find};
use spy::Armed;

fn real_tiers() -> Vec<Cpu> {
    Cpu::all().filter(|&cpu| !is_model(cpu)).collect()
}

type Build = fn(Cpu, Algorithm, &[u8]) -> Key;

/// A key from a call, by way of that call's result.
#[inline(never)]
fn apart(cpu: Cpu, algorithm: Algorithm, bytes: &[u8]) -> Key {
    common::key(cpu, algorithm, bytes)
}

/// A key made where it is wanted.
#[inline(always)]
fn here(cpu: Cpu, algorithm: Algorithm, bytes: &[u8]) -> Key {
    Key::build(cpu, algorithm, &bytes[..algorithm.key_len()], algorithm.tag_lens()[0]).unwrap()
}

/// Seals a message and opens it.
fn used<K: Aead>(key: &K) {
    let (nonce, mut buf) = ([0x5a; 64], [0x3c; 150]);
    let nonce = &nonce[..key.nonce_len()];
    let tag = key.seal_in_place(nonce, b"associated data", &mut buf).unwrap();
    key.open_in_place(nonce, b"associated data", &mut buf, tag.as_bytes()).unwrap();
}

/// The spy sees a block that is dropped and one that moves, and the search finds a key that
/// is there.
#[test]
fn the_spy_sees() {
    let mut random = Random::new(101);
    let bytes = random.bytes(64);
    for &algorithm in Algorithm::ALL {
        let secrets = Secrets::of(algorithm, &bytes);
        let mut place = Place::new();
        place.0.push(apart(Cpu::detect(), algorithm, &bytes));
        assert!(find(place.bytes(), |piece| secrets.has(piece)).is_some(), "{algorithm}");
    }
    let secrets = Secrets::of(Algorithm::Ocb3Aes128, &bytes);
    for moves in [false, true] {
        let mut faults = Faults::default();
        let armed = Armed::new(&secrets);
        let mut copy = Vec::with_capacity(40);
        copy.extend_from_slice(&bytes[..16]);
        // Or the compiler would not write what nobody reads before it is freed.
        core::hint::black_box(&mut copy);
        if moves {
            copy.reserve(1000);
            copy.fill(0);
        }
        drop(copy);
        armed.end(&mut faults, "a copy");
        assert_eq!(core::mem::take(&mut faults.0).len(), 1);
    }
}

/// Nothing of a key is left where it was.
#[test]
fn dropped_keys() {
    let mut random = Random::new(102);
    let mut faults = Faults::default();
    for &algorithm in Algorithm::ALL {
        let bytes = random.bytes(64);
        let secrets = Secrets::of(algorithm, &bytes);
        for cpu in Cpu::all() {
            let what = || format!("{algorithm} on {cpu:?}");
            for build in [apart, here] {
                let mut place = Place::new();
                place.take_turn(build(cpu, algorithm, &bytes), &secrets, None, &mut faults, &what, |key| used(key));
            }
            let armed = Armed::new(&secrets);
            let key = Box::new(here(cpu, algorithm, &bytes));
            used(&*key);
            drop(key);
            armed.end(&mut faults, &what());
        }
    }
}

/// Where there is no memory for the associated data that OCB3 would keep, nothing is kept and nothing else
/// changes: the process goes on.
#[test]
fn no_memory_to_keep() {
    static AD: [u8; spy::NEVER] = [7; spy::NEVER];
    for algorithm in [Algorithm::Ocb3Aes128, Algorithm::Ocb3Aes256] {
        let key = || here(Cpu::detect(), algorithm, &[9; 64]);
        let (plain, mut cached) = (key(), Cached::new(key()));
        for ad in [&AD[..], &AD[..20], &AD, &AD, &AD[..20], &[]] {
            let (mut buf, mut tag) = ([3; 40], [0; 16]);
            cached.seal_detached(&[1; 12], ad, &mut buf, &mut tag).unwrap();
            plain.open_in_place(&[1; 12], ad, &mut buf, &tag).unwrap();
        }
    }
}

/// All bytes of a key are zero where it was, those between its fields too.
#[test]
fn dropped_keys_are_zero() {
    let mut random = Random::new(103);
    let mut faults = Faults::default();
    for &algorithm in Algorithm::ALL {
        let bytes = random.bytes(64);
        for cpu in Cpu::all() {
            for build in [apart, here] {
                let mut place = Place::new();
                place.0.push(build(cpu, algorithm, &bytes));
                place.0.iter().for_each(used);
                place.0.clear();
                place.is_zero(&mut faults, &|| format!("{algorithm} on {cpu:?}"));
            }
        }
    }
}

/// A key that takes another's place has nothing of it, where its scheme needs fewer bytes
/// either: for every pair of schemes, on every tier.
#[test]
fn one_key_after_another() {
    let mut random = Random::new(104);
    let mut faults = Faults::default();
    // Each scheme's two keys, and their secrets.
    let mut two_keys = |algorithm| {
        let bytes = [random.bytes(64), random.bytes(64)];
        (algorithm, bytes.map(|it| (it.clone(), Secrets::of(algorithm, &it))))
    };
    let all: Vec<_> = Algorithm::ALL.iter().map(|&algorithm| two_keys(algorithm)).collect();
    for cpu in real_tiers() {
        for (first, [(one, before), _]) in &all {
            for (second, [_, (two, secrets)]) in &all {
                let what = || format!("{second} after {first} on {cpu:?}");
                let ways: [[Build; 2]; 3] = [[apart, here], [here, apart], [apart, apart]];
                for [build, build_next] in ways {
                    let mut place = Place::new();
                    place.take_turn(build(cpu, *first, one), before, None, &mut faults, &what, |key| used(key));
                    let next = build_next(cpu, *second, two);
                    place.take_turn(next, secrets, Some(before), &mut faults, &what, |key| used(key));
                }
            }
        }
    }
}

/// A key of a type of its own.
fn typed<K>(faults: &mut Faults, random: &mut Random, algorithm: Algorithm, build: impl Fn(Cpu, &[u8]) -> K) {
    let bytes = random.bytes(algorithm.key_len());
    let secrets = Secrets::of(algorithm, &bytes);
    for cpu in real_tiers() {
        let what = || format!("{} on {cpu:?}", core::any::type_name::<K>());
        Place::new().take_turn(build(cpu, &bytes), &secrets, None, faults, &what, |_| {});
        let armed = Armed::new(&secrets);
        drop(Box::new(build(cpu, &bytes)));
        armed.end(faults, &what());
    }
}

/// All bytes of such a key.
fn typed_is_zero<K>(faults: &mut Faults, random: &mut Random, algorithm: Algorithm, build: impl Fn(Cpu, &[u8]) -> K) {
    let bytes = random.bytes(algorithm.key_len());
    for cpu in real_tiers() {
        let mut place = Place::new();
        place.0.push(build(cpu, &bytes));
        place.0.clear();
        place.is_zero(faults, &|| format!("{} on {cpu:?}", core::any::type_name::<K>()));
    }
}

/// `typed` or `typed_is_zero` with every type of key; those under `hazmat` have the same secrets
/// as AES-CCM's.
macro_rules! all_types {
    ($typed:ident, $random:expr) => {
        let (mut random, mut faults) = ($random, Faults::default());
        all_types! { $typed, random, faults, [16],
            Ocb3Aes128 Ocb3<Aes128>, Ocb3Aes192 Ocb3<Aes192>, Ocb3Aes256 Ocb3<Aes256>,
            GcmAes128 Gcm<Aes128>, GcmAes192 Gcm<Aes192>, GcmAes256 Gcm<Aes256>,
            GcmSivAes128 GcmSiv<Aes128>, GcmSivAes256 GcmSiv<Aes256>,
            CcmAes128 Ccm<Aes128>, CcmAes192 Ccm<Aes192>, CcmAes256 Ccm<Aes256>,
            EaxAes128 Eax<Aes128>, EaxAes192 Eax<Aes192>, EaxAes256 Eax<Aes256>,
            SivAes128 Siv<Aes128>, SivAes192 Siv<Aes192>, SivAes256 Siv<Aes256>,
            Aegis128 Aegis128, Aegis128L Aegis128L, Aegis128X2 Aegis128X2, Aegis128X4 Aegis128X4,
            Aegis256 Aegis256, Aegis256X2 Aegis256X2, Aegis256X4 Aegis256X4,
            ChaCha20Poly1305 ChaCha20Poly1305, XChaCha20Poly1305 XChaCha20Poly1305,
            CcmAes128 Cmac<Aes128>, CcmAes256 Cmac<Aes256>
        }
        all_types! { $typed, random, faults, [],
            CcmAes128 Ecb<Aes128>, CcmAes256 Ecb<Aes256>,
            CcmAes128 Cbc<Aes128>, CcmAes256 Cbc<Aes256>, CcmAes128 Cfb<Aes128>,
            CcmAes128 Ofb<Aes128>, CcmAes128 Ctr<Aes128>, CcmAes128 CbcMac<Aes128>,
            ChaCha20Poly1305 ChaCha20
        }
        all_types! { $typed, random, faults, [new 16],
            Ocb3Aes128 Tw<Aes128>, Ocb3Aes192 Tw<Aes192>, Ocb3Aes256 Tw<Aes256>
        }
    };
    ($typed:ident, $random:ident, $faults:ident, $tag:tt, $($algorithm:ident $key:ty),*) => {
        $($typed(&mut $faults, &mut $random, Algorithm::$algorithm, |cpu, bytes| {
            all_types!(@build $key, cpu, bytes, $tag).unwrap()
        });)*
    };
    (@build $key:ty, $cpu:ident, $bytes:ident, [16]) => { <$key>::build($cpu, $bytes, 16) };
    (@build $key:ty, $cpu:ident, $bytes:ident, [new 16]) => { <$key>::new($cpu, $bytes, 16) };
    (@build $key:ty, $cpu:ident, $bytes:ident, []) => { <$key>::build($cpu, $bytes) };
}

/// As for [`Key`], for each scheme's own type.
#[test]
fn dropped_typed_keys() {
    all_types!(typed, Random::new(105));
}

/// The same.
#[test]
fn dropped_typed_keys_are_zero() {
    all_types!(typed_is_zero, Random::new(106));
}

/// A secret IV is not left where its counter was.
#[test]
fn counters_of_secret_ivs() {
    let mut random = Random::new(114);
    let mut faults = Faults::default();
    for n in [8, 12, 16, 32] {
        let iv = random.bytes(n);
        let mut secrets = Secrets::default();
        secrets.add(&iv);
        secrets.add(&iv.iter().rev().copied().collect::<Vec<_>>());
        secrets.add(&iv[n - 8..]);
        let secrets = secrets.sorted();
        let mut place = Place::new();
        let counter = || NonceCounter::xored(&iv).unwrap();
        let what = || format!("a counter of an IV of {n} bytes");
        place.take_turn(counter(), &secrets, None, &mut faults, &what, |it| assert_eq!(it.next_counter(), 0));
        let armed = Armed::new(&secrets);
        drop(Box::new(counter()));
        armed.end(&mut faults, &what());
    }
}

/// What senders and receivers keep between messages, OCB3's Ktop and hash among it, is gone
/// with them; a receiver's window changes nothing about that.
#[test]
fn sealers_and_openers() {
    let mut random = Random::new(107);
    let mut faults = Faults::default();
    for &algorithm in Algorithm::ALL {
        let bytes = random.bytes(64);
        let ad: [u8; 16] = random.bytes(16).try_into().unwrap();
        let mut secrets = Secrets::of(algorithm, &bytes);
        let ocb3 = algorithm.name().starts_with("OCB3");
        if ocb3 {
            secrets = secrets.with_ocb3_cache(&bytes[..algorithm.key_len()], b"us->\0\0\0\0\0\0\0\0", &ad);
        }
        for cpu in real_tiers() {
            let prefix = &b"us->, and some more bytes of prefix"[..algorithm.nonce_len() - 8];
            let sealer = || Sealer::new(here(cpu, algorithm, &bytes), NonceCounter::new(prefix).unwrap()).unwrap();
            let opener = || Opener::new(here(cpu, algorithm, &bytes));
            let mut sent = Vec::new();
            let mut seal = |sealer: &mut Sealer<Key>| {
                for _ in 0..3 {
                    let mut buf = [7; 40];
                    let (nonce, tag) = sealer.seal_in_place(&ad, &mut buf).unwrap();
                    sent.push((nonce, buf, tag));
                }
            };
            let mut place = Place::new();
            let what = || format!("{algorithm}'s Sealer on {cpu:?}");
            place.take_turn(sealer(), &secrets, None, &mut faults, &what, &mut seal);
            place.is_zero(&mut faults, &what);
            let armed = Armed::new(&secrets);
            let mut boxed = Box::new(sealer());
            seal(&mut boxed);
            drop(boxed);
            armed.end(&mut faults, &what());

            let open = |opener: &mut Opener<Key>| {
                for (nonce, mut buf, tag) in sent.iter().copied() {
                    opener.open_in_place(&nonce, &ad, &mut buf, tag.as_bytes()).unwrap();
                }
            };
            let what = || format!("{algorithm}'s Opener on {cpu:?}");
            let mut place = Place::new();
            place.take_turn(opener(), &secrets, None, &mut faults, &what, open);
            place.is_zero(&mut faults, &what);
            let armed = Armed::new(&secrets);
            let mut boxed = Box::new(opener());
            open(&mut boxed);
            // What is looked for is there, until it is dropped.
            let kept = find(
                // SAFETY: the box has that size.
                unsafe { bytes_at((&raw const *boxed).cast(), size_of_val(&*boxed)) },
                |piece| secrets.has(piece),
            );
            drop(boxed);
            armed.end(&mut faults, &what());
            assert!(kept.is_some(), "{}", what());

            let watching = || Opener::with_window(here(cpu, algorithm, &bytes), prefix, ReplayWindow::<32>::new());
            // Both sealers counted from zero, and no message is taken twice.
            let open = |opener: &mut Opener<Key, 32>| {
                for (nonce, mut buf, tag) in sent[..3].iter().copied() {
                    opener.open_in_place(&nonce, &ad, &mut buf, tag.as_bytes()).unwrap();
                }
            };
            let what = || format!("{algorithm}'s Opener with a window on {cpu:?}");
            let mut place = Place::new();
            place.take_turn(watching().unwrap(), &secrets, None, &mut faults, &what, open);
            place.is_zero(&mut faults, &what);
            let armed = Armed::new(&secrets);
            let mut boxed = Box::new(watching().unwrap());
            open(&mut boxed);
            drop(boxed);
            armed.end(&mut faults, &what());
        }
    }
}

/// Keys of one scheme for the messages of a batch, and the secrets of them all.
fn keys(random: &mut Random, cpu: Cpu, algorithm: Algorithm, count: usize) -> (Vec<Key>, Vec<Vec<u8>>, Secrets) {
    let bytes: Vec<Vec<u8>> = (0..count).map(|_| random.bytes(64)).collect();
    let mut secrets = Secrets::default();
    for bytes in &bytes {
        secrets.0.extend(Secrets::of(algorithm, bytes).0);
    }
    (bytes.iter().map(|it| here(cpu, algorithm, it)).collect(), bytes, secrets.sorted())
}

/// Messages, a nonce and a tag each.
struct Messages {
    bufs: Vec<Vec<u8>>,
    nonces: Vec<[u8; 32]>,
    tags: Vec<[u8; 16]>,
}

impl Messages {
    fn new(count: usize) -> Self {
        let bufs = (0..count).map(|i| vec![i as u8; 16 * (i % 7) + 5]).collect();
        Self { bufs, nonces: (0..count).map(|i| [i as u8; 32]).collect(), tags: vec![[0; 16]; count] }
    }

    fn seal<'a>(&'a mut self, batch: &mut Batch<'a>, keys: &'a [Key]) {
        for (i, ((buf, nonce), tag)) in self.bufs.iter_mut().zip(&self.nonces).zip(&mut self.tags).enumerate() {
            // Two in a row under each key: then something is kept for the second.
            let key = &keys[i / 2 % keys.len()];
            batch.seal(key, &nonce[..key.nonce_len()], b"header", buf, tag);
        }
    }
}

/// What a batch has of keys is gone with it, one that is used again too: the round keys of
/// messages side by side (CCM, EAX, SIV), and of the other schemes nothing that the heap had.
#[test]
fn batches() {
    let mut random = Random::new(108);
    let mut faults = Faults::default();
    for &algorithm in Algorithm::ALL {
        for cpu in real_tiers() {
            let (keys, bytes, mut secrets) = keys(&mut random, cpu, algorithm, 16);
            let mut messages = [Messages::new(16), Messages::new(50)];
            // What a job of OCB3 leaves for the next one of its key, of which each has a Ktop of its own.
            for i in (0..50).filter(|_| algorithm.name().starts_with("OCB3")) {
                let key = &bytes[i / 2 % keys.len()][..algorithm.key_len()];
                secrets = secrets.with_ocb3_cache(key, &[i as u8; 12], &[0; 16]);
            }
            let armed = Armed::new(&secrets);
            let mut done = Batch::new().run();
            for some in &mut messages {
                let mut batch = done.reuse();
                some.seal(&mut batch, &keys);
                done = batch.run();
                done.all().unwrap();
            }
            drop(done);
            armed.end(&mut faults, &format!("{algorithm} on {cpu:?}"));
        }
    }
}

/// The same for the threads' memories, when there are more of them or fewer than before.
#[cfg(feature = "rayon")]
#[test]
fn batches_on_threads() {
    let mut random = Random::new(109);
    let mut faults = Faults::default();
    let pools = [1, 4, 9, 2].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    for &algorithm in Algorithm::ALL {
        for cpu in real_tiers() {
            let (keys, _bytes, secrets) = keys(&mut random, cpu, algorithm, 16);
            let mut messages = pools.each_ref().map(|_| Messages::new(48));
            let armed = Armed::new(&secrets);
            let mut done = Batch::for_threads().run();
            for (some, pool) in messages.iter_mut().zip(&pools) {
                let mut batch = done.reuse();
                some.seal(&mut batch, &keys);
                done = pool.install(|| batch.run_on(rayon::current_num_threads()));
                done.all().unwrap();
            }
            drop(done);
            armed.end(&mut faults, &format!("{algorithm} on {cpu:?}"));
        }
    }
}

/// The same for the comb's memory under `hazmat`.
#[test]
fn combs() {
    let mut random = Random::new(110);
    let mut faults = Faults::default();
    for cpu in real_tiers() {
        let bytes: Vec<Vec<u8>> = (0..16).map(|_| random.bytes(16)).collect();
        let keys: Vec<_> = bytes.iter().map(|it| Ofb::<Aes128>::build(cpu, it).unwrap()).collect();
        let mut secrets = Secrets::default();
        bytes.iter().for_each(|it| secrets.0.extend(Secrets::of(Algorithm::CcmAes128, it).0));
        let secrets = secrets.sorted();
        let mut bufs: Vec<Vec<u8>> = (0..16).map(|i| vec![7; 20 * i]).collect();
        let mut messages: Vec<_> =
            keys.iter().zip(&mut bufs).map(|(key, buf)| Message::new(key, &[3; 16], buf)).collect();
        let armed = Armed::new(&secrets);
        let mut comb = Comb::new();
        Ofb::apply_many(&mut messages, &mut comb);
        drop(comb);
        armed.end(&mut faults, &format!("OFB on {cpu:?}"));
    }
}

/// A column asks for no memory for a value: for a thousand values as often as for sixty, which is at most three times
/// (associated data that OCB3 keeps; round keys for all lanes).
#[test]
fn columns_allocate_nothing_per_value() {
    let mut random = Random::new(111);
    for (&algorithm, cpu) in Algorithm::ALL.iter().flat_map(|it| real_tiers().into_iter().map(move |cpu| (it, cpu))) {
        let keys: Vec<Key> = (0..3).map(|_| here(cpu, algorithm, &random.bytes(64))).collect();
        for (len, each_key) in [(16, false), (16, true), (600, false), (600, true)] {
            let asked = [60, 1000].map(|count| {
                let keys: Vec<&Key> = keys.iter().cycle().take(count).collect();
                let columns = if each_key { Columns::with_keys(&keys).unwrap() } else { Columns::new(keys[0]) };
                let (columns, data) = (columns.ad(b"the same of all"), vec![7; count * len]);
                let plain = Values::fixed(&data, len).unwrap();
                let mut sealed = vec![0; columns.sealed_len(&plain).unwrap()];
                let cells = sealed.len() / count;
                let (mut opened, mut bits) = (vec![0; data.len()], vec![0; count.div_ceil(8)]);
                let nonces = vec![5; count * keys[0].nonce_len()];
                let seal = spy::asked_for(|| {
                    columns.seal(&plain, Nonces::given(&nonces), &mut sealed).unwrap();
                });
                let open = spy::asked_for(|| {
                    let cells = Values::fixed(&sealed, cells).unwrap();
                    columns.open(&cells, Nonces::given(&nonces), &mut opened, &mut bits).unwrap();
                });
                assert!(opened == data);
                [seal, open]
            });
            assert_eq!(asked[0], asked[1], "{algorithm} on {cpu:?}, {len} bytes, a key each: {each_key}");
            assert!(asked[0].iter().all(|&times| times <= 3), "{algorithm} on {cpu:?}: {asked:?}");
        }
    }
}
