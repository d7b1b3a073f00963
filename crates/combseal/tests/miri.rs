//! The unsafe parts with inputs so small that Miri can follow them: every form of sealing and
//! opening, messages side by side, memory used again, buffers that begin anywhere.
//!
//! `.ci/miri` runs it, as this machine and as two others.

mod common;

use combseal::cpu::{Aes, Backend, Kernel, Schedule};
use combseal::{Aead, Aes256, Algorithm, Batch, Cpu, Error, Key, NonceCounter, Opener, Sealer};
use common::{Random, key};

/// Under Miri, one of `of` things at a time takes its turn; else all do.
fn skips(turn: usize, of: usize) -> bool {
    cfg!(miri) && !turn.is_multiple_of(of)
}

/// A tier that Miri is quick with: 64-bit words.
fn quick() -> Cpu {
    Cpu::by_name("soft64").unwrap_or(Cpu::soft())
}

/// The schemes that differ in how they walk a message.
fn kinds() -> impl Iterator<Item = Algorithm> {
    use Algorithm::*;
    [Ocb3Aes128, GcmAes128, GcmSivAes128, CcmAes128, EaxAes128, SivAes128, Aegis128L, ChaCha20Poly1305].into_iter()
}

/// In place and apart.
fn two_forms(key: &Key, len: usize) {
    let (mut buf, msg, nonce) = (vec![1; len], vec![1; len], &[2; 64][..key.nonce_len()]);
    let tag = key.seal_in_place(nonce, b"", &mut buf).unwrap();
    let mut opened = vec![0; len];
    key.open_to(nonce, b"", &buf, &mut opened, tag.as_bytes()).unwrap();
    assert_eq!(opened, msg, "{} on {:?}", key.name(), key.cpu());
}

/// In place, apart, attached, and as vectors; forged too.
fn every_form(key: &Key, len: usize) {
    let mut random = Random::new(len as u64);
    let (nonce, ad, msg) = (random.bytes(key.nonce_len()), random.bytes(5), random.bytes(len));
    let what = format!("{} on {:?}", key.name(), key.cpu());
    // At an odd place of a buffer with just this room.
    let mut buf = vec![0; len + 1];
    let buf = &mut buf[1..];
    buf.copy_from_slice(&msg);
    let tag = key.seal_in_place(&nonce, &ad, buf).unwrap();
    let mut apart = vec![0xee; len];
    assert_eq!(key.seal_to(&nonce, &ad, &msg, &mut apart).unwrap(), tag, "{what}");
    assert_eq!(apart, buf, "{what}");
    let mut opened = vec![0xee; len];
    key.open_to(&nonce, &ad, buf, &mut opened, tag.as_bytes()).unwrap();
    assert_eq!(opened, msg, "{what}");
    let sealed = key.seal(&nonce, &ad, &msg).unwrap();
    assert_eq!(key.open(&nonce, &ad, &sealed).unwrap(), msg, "{what}");
    let mut attached = sealed.clone();
    assert_eq!(key.open_attached(&nonce, &ad, &mut attached).unwrap(), msg, "{what}");
    key.seal_attached(&nonce, &ad, &mut attached).unwrap();
    assert_eq!(attached, sealed, "{what}");
    let mut wrong = tag.as_bytes().to_vec();
    wrong[3] ^= 1;
    assert_eq!(key.open_in_place(&nonce, &ad, buf, &wrong), Err(Error::Forged), "{what}");
    assert!(buf.iter().all(|&b| b == 0), "{what}");
}

#[test]
fn forms() {
    for (i, algorithm) in kinds().enumerate() {
        two_forms(&key(quick(), algorithm, &[7; 64]), [21, 35][i % 2]);
    }
    // The tag before the ciphertext, as only SIV has it, and behind.
    every_form(&key(quick(), Algorithm::SivAes128, &[7; 64]), 3);
    for (i, cpu) in Cpu::all().enumerate() {
        if cpu == quick() || !cfg!(miri) {
            every_form(&key(cpu, Algorithm::ChaCha20Poly1305, &[7; 64]), 67);
        }
        // The two that have the most to do with registers of several blocks.
        for (j, algorithm) in [Algorithm::Ocb3Aes128, Algorithm::GcmAes128].into_iter().enumerate() {
            if cpu != quick() && !skips(i + 2 * j, 4) {
                two_forms(&key(cpu, algorithm, &[7; 64]), 36);
            }
        }
    }
}

/// Longer than the registers that are in flight together.
#[test]
fn groups() {
    for (i, cpu) in Cpu::all().enumerate() {
        let algorithms = [Algorithm::Ocb3Aes128, Algorithm::GcmAes128];
        for (j, algorithm) in algorithms.into_iter().enumerate() {
            // Models are the slowest, but have few blocks in flight.
            if cfg!(miri) && !(cpu == quick() || cpu.name() == "model2" && i % 2 == j) {
                continue;
            }
            let msg = vec![3; if cpu.name() == "model2" { 83 } else { 150 }];
            let key = key(cpu, algorithm, &[7; 64]);
            let mut buf = msg.clone();
            let nonce = &[2; 16][..key.nonce_len()];
            let tag = key.seal_in_place(nonce, b"", &mut buf).unwrap();
            key.open_in_place(nonce, b"", &mut buf, tag.as_bytes()).unwrap();
            assert_eq!(buf, msg, "{algorithm} on {cpu:?}");
        }
    }
}

/// Jobs of several keys and lengths, in place and not, one of them forged, and a batch that is
/// used again for messages that live elsewhere.
fn batch(cpu: Cpu, algorithms: &[Algorithm], lens: &[usize]) {
    let keys: Vec<Key> = (0u8..).zip(algorithms).map(|(i, &algorithm)| key(cpu, algorithm, &[i; 64])).collect();
    let nonces: Vec<[u8; 16]> = (0..lens.len()).map(|i| [i as u8; 16]).collect();
    let of = |i: usize| (&keys[i % keys.len()], &nonces[i][..keys[i % keys.len()].nonce_len()]);
    let plain: Vec<Vec<u8>> = lens.iter().map(|&n| vec![n as u8; n]).collect();
    let mut sealed = plain.clone();
    let mut tags = vec![[0; 16]; lens.len()];
    let mut batch = Batch::new();
    for (i, (buf, tag)) in sealed.iter_mut().zip(&mut tags).enumerate() {
        let (key, nonce) = of(i);
        if i % 2 == 0 {
            batch.seal(key, nonce, b"ad", buf, tag);
        } else {
            batch.seal_to(key, nonce, b"ad", &plain[i], buf, tag).unwrap();
        }
    }
    let done = batch.run();
    done.all().unwrap();
    let (mut opened, mut other) = (sealed.clone(), sealed.clone());
    tags[0][9] ^= 4;
    let mut batch = done.reuse();
    for (i, ((to, tag), also)) in opened.iter_mut().zip(&tags).zip(&mut other).enumerate() {
        let (key, nonce) = of(i);
        if i % 2 == 0 {
            batch.open_to(key, nonce, b"ad", &sealed[i], to, tag).unwrap();
        } else {
            batch.open(key, nonce, b"ad", to, tag);
        }
        if i == 1 {
            // A second job for the same message, and a tag of a length that is refused.
            batch.open(key, nonce, b"ad", also, &tag[..3]);
        }
    }
    let results = batch.run();
    assert_eq!((results[0], &opened[0]), (Err(Error::Forged), &vec![0; lens[0]]), "{cpu:?}");
    assert_eq!((results[2], &other[1]), (Err(Error::TagLength), &sealed[1]), "{cpu:?}");
    assert!(results[3..].iter().all(Result::is_ok), "{cpu:?}");
    assert_eq!(opened[1..], plain[1..], "{cpu:?}");
}

#[test]
fn batches() {
    use Algorithm::{CcmAes128, ChaCha20Poly1305, EaxAes128, GcmAes128, Ocb3Aes128, SivAes128};
    batch(quick(), &[CcmAes128, CcmAes128], &[5, 35, 16]);
    batch(quick(), &[EaxAes128, EaxAes128], &[35, 0, 3]);
    batch(quick(), &[SivAes128, SivAes128], &[0, 33, 17]);
    batch(quick(), &[Ocb3Aes128, GcmAes128], &[20, 1, 17, 33]);
    batch(quick(), &[ChaCha20Poly1305], &[1, 70, 0]);
    for (i, cpu) in Cpu::all().enumerate() {
        if cpu != quick() && !skips(i, 4) {
            batch(cpu, &[CcmAes128, CcmAes128], &[3, 19, 5]);
        }
    }
}

/// A nonce that has been used is refused, whatever the order.
#[test]
fn repeated_nonces() {
    let key = key(quick(), Algorithm::ChaCha20Poly1305, &[7; 64]);
    let nonces = [[1; 12], [3; 12], [2; 12], [3; 12]];
    let mut tags = [[0; 16]; 4];
    let mut batch = Batch::new();
    for (nonce, tag) in nonces.iter().zip(&mut tags) {
        batch.seal(&key, nonce, b"", &mut [], tag);
    }
    assert_eq!(batch.run()[..], [Ok(()), Ok(()), Ok(()), Err(Error::NonceRepeated)]);
}

/// A batch that is dropped before it ran writes zeros, through the borrows that it has.
#[test]
fn never_run() {
    let key = key(quick(), Algorithm::CcmAes128, &[7; 64]);
    let (mut bufs, mut tags) = ([[1; 20]; 2], [[1; 16]; 2]);
    let mut batch = Batch::new();
    for (buf, tag) in bufs.iter_mut().zip(&mut tags) {
        batch.seal(&key, b"nonce no. 10", b"", buf, tag);
    }
    drop(batch);
    assert_eq!((bufs, tags), ([[0; 20]; 2], [[0; 16]; 2]));
}

/// Batches that go to other threads, each with the messages that it borrows, in place and
/// from one buffer to another; Miri looks for races as well.
#[test]
fn batches_move_to_threads() {
    let keys = [Algorithm::CcmAes128, Algorithm::ChaCha20Poly1305].map(|it| key(quick(), it, &[7; 64]));
    let nonces = [b"nonce no. 10", b"nonce no. 11"];
    let plain = [1; 20];
    let (mut bufs, mut tags) = ([[plain; 2]; 2], [[[0; 16]; 2]; 2]);
    std::thread::scope(|scope| {
        for ((key, bufs), tags) in keys.iter().zip(&mut bufs).zip(&mut tags) {
            let ([here, there], [tag, other]) = (bufs, tags);
            let mut batch = Batch::new();
            batch.seal(key, nonces[0], b"ad", here, tag);
            batch.seal_to(key, nonces[1], b"ad", &plain, there, other).unwrap();
            scope.spawn(move || batch.run().all().unwrap());
        }
    });
    for ((key, bufs), tags) in keys.iter().zip(&mut bufs).zip(&tags) {
        for ((buf, nonce), tag) in bufs.iter_mut().zip(nonces).zip(tags) {
            key.open_in_place(nonce, b"ad", buf, tag).unwrap();
            assert_eq!(*buf, plain, "{}", key.name());
        }
    }
}

/// RustCrypto's own buffers, in place and from one to another, as our kernels see them.
#[cfg(feature = "aead")]
#[test]
fn rustcrypto() {
    use combseal::ChaCha20Poly1305;
    use combseal::rustcrypto::aead::{AeadInOut, KeyInit, inout::InOutBuf};
    let cipher = <ChaCha20Poly1305 as KeyInit>::new(&[7; 32].into());
    let (nonce, plain) = ([1; 12].into(), [3; 35]);
    let (mut buf, mut apart, mut opened) = (plain, [0xee; 35], [0xee; 35]);
    let tag = cipher.encrypt_inout_detached(&nonce, b"ad", buf[..].as_mut().into()).unwrap();
    let other = cipher.encrypt_inout_detached(&nonce, b"ad", InOutBuf::new(&plain, &mut apart).unwrap()).unwrap();
    assert_eq!((tag, apart), (other, buf));
    cipher.decrypt_inout_detached(&nonce, b"ad", InOutBuf::new(&buf, &mut opened).unwrap(), &tag).unwrap();
    cipher.decrypt_inout_detached(&nonce, b"ad", buf[..].as_mut().into(), &tag).unwrap();
    assert_eq!((opened, buf), (plain, plain));
    // A forgery, which writes zeros to the destination alone.
    assert!(cipher.decrypt_inout_detached(&nonce, b"ad", InOutBuf::new(&plain, &mut opened).unwrap(), &tag).is_err());
    assert_eq!((opened, plain), ([0; 35], [3; 35]));
}

/// Safe code may write kernels of its own (`combseal::cpu`). What it does wrongly there, with
/// slices that are too short or numbers that are too large, panics or has an answer; it
/// touches no byte outside of its slices.
#[test]
fn kernels_of_others() {
    /// Calls that panic, by their number; the last ones must not.
    struct Wrong(usize);
    const PANICS: usize = 4;
    const ALL: usize = 7;
    impl Kernel for Wrong {
        type Out = usize;
        #[inline(always)]
        fn run<B: Backend, const N: usize>(self, b: B) -> usize {
            let mut long = [0x11; 130];
            let few = B::BYTES - 1;
            match self.0 {
                0 => b.store(&mut long, b.load(&[7; 64][..few])),
                1 => b.store(&mut long[..few], b.zero()),
                2 => b.store(&mut [], b.splat(&[7; 16])),
                3 => b.expand::<Aes256>(&[7; 31], &mut <Aes256 as Aes>::Enc::zeroed()),
                // No more than a register of what is longer, and nothing of nothing.
                4 => b.store_part(&mut long, b.load_part(&[0x11; 130])),
                5 => b.store_part(&mut [], b.load_part(&[])),
                _ => {
                    let kept = b.xor(b.keep(b.zero(), usize::MAX), b.padding(usize::MAX));
                    b.store_part(&mut long[..3], b.shl64(kept, u32::MAX));
                    long[..3].fill(0x11);
                }
            }
            let right = long.iter().filter(|&&byte| byte == 0x11).count();
            long.len() - right
        }
    }
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut wrong = Vec::new();
    for cpu in Cpu::all().filter(|&cpu| !cfg!(miri) || cpu == quick() || cpu.name() == "model2") {
        for i in 0..ALL {
            let out = std::panic::catch_unwind(|| cpu.run(Wrong(i)));
            if out.is_err() != (i < PANICS) || out.is_ok_and(|changed| changed != 0) {
                wrong.push((cpu, i));
            }
        }
    }
    std::panic::set_hook(hook);
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Over threads. Miri follows rayon only with `-Zmiri-tree-borrows -Zmiri-ignore-leaks`.
#[cfg(feature = "rayon")]
#[test]
fn threads() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let key = key(quick(), Algorithm::ChaCha20Poly1305, &[7; 64]);
    let (mut bufs, mut tags) = ([[1; 20]; 3], [[0; 16]; 3]);
    let mut batch = Batch::for_threads();
    for ((buf, nonce), tag) in bufs.iter_mut().zip([b"nonce no. 10", b"nonce no. 11", b"nonce no. 12"]).zip(&mut tags) {
        batch.seal(&key, nonce, b"", buf, tag);
    }
    pool.install(|| batch.run_on(rayon::current_num_threads())).all().unwrap();
    key.open_in_place(b"nonce no. 11", b"", &mut bufs[1], &tags[1]).unwrap();
    assert_eq!(bufs[1], [1; 20]);
}

/// What a sender and a receiver keep from one message to the next.
#[test]
fn counters() {
    for algorithm in [Algorithm::Ocb3Aes128, Algorithm::ChaCha20Poly1305] {
        let of = || key(quick(), algorithm, &[7; 64]);
        let mut sealer = Sealer::new(of(), NonceCounter::starting_at(b"us->", 63, 0).unwrap()).unwrap();
        let mut opener = Opener::new(of());
        for ad in ["header", "header", "other"] {
            let mut buf = [9; 19];
            let (nonce, tag) = sealer.seal_in_place(ad.as_bytes(), &mut buf).unwrap();
            opener.open_in_place(&nonce, ad.as_bytes(), &mut buf, tag.as_bytes()).unwrap();
            assert_eq!(buf, [9; 19]);
        }
    }
}

/// For Miri alone: elsewhere `tests/plain.rs` and ChaCha20's unit tests do this. There nobody calls these functions, so that
/// the compiler makes no kernels for them.
#[cfg_attr(not(miri), allow(dead_code))]
mod hazmat {
    use super::{quick, skips};
    use combseal::hazmat::{Cbc, CbcMac, Cfb, ChaCha20, Cmac, Comb, Ctr, Ecb, Message, Ofb};
    use combseal::{Aes128, Cpu};

    /// CBC, CFB, OFB, CTR, CMAC and CBC-MAC of three messages on lanes, and each by itself.
    fn side_by_side(cpu: Cpu, comb: &mut Comb, kind: usize) {
        const LENS: [usize; 3] = [16, 5, 37];
        macro_rules! check {
            ($key:ident, $whole:expr, $many:ident, $one:ident) => {{
                let keys: Vec<_> = [1; 3].iter().map(|&b| $key::<Aes128>::build(cpu, &[b; 16]).unwrap()).collect();
                let mut bufs = LENS.map(|n| vec![7; if $whole { n & !15 } else { n }]);
                let mut alone = bufs.clone();
                let ivs = [[1; 16], [2; 16], [3; 16]];
                let mut messages: Vec<_> =
                    keys.iter().zip(&ivs).zip(&mut bufs).map(|((key, iv), buf)| Message::new(key, iv, buf)).collect();
                $many(&mut messages, comb);
                drop(messages);
                for ((key, iv), buf) in keys.iter().zip(&ivs).zip(&mut alone) {
                    $one(key, iv, buf);
                }
                assert_eq!(bufs, alone, "{cpu:?}, kind {kind}");
                (keys, ivs, bufs)
            }};
        }
        type Bytes16 = [u8; 16];
        match kind {
            0 => {
                let many = |m: &mut [Message<'_, Cbc<Aes128>>], c: &mut Comb| Cbc::encrypt_many(m, c).unwrap();
                let one = |key: &Cbc<Aes128>, iv: &Bytes16, buf: &mut [u8]| key.encrypt(iv, buf).unwrap();
                let (keys, ivs, mut bufs) = check!(Cbc, true, many, one);
                keys[2].decrypt(&ivs[2], &mut bufs[2]).unwrap();
                assert_eq!(bufs[2], [7; 32]);
            }
            1 => {
                let (many, one) = (Cfb::<Aes128>::encrypt_many, Cfb::<Aes128>::encrypt);
                let (keys, ivs, mut bufs) = check!(Cfb, false, many, one);
                keys[2].decrypt(&ivs[2], &mut bufs[2]);
                assert_eq!(bufs[2], [7; 37]);
            }
            2 => {
                let (many, one) = (Ofb::<Aes128>::apply_many, Ofb::<Aes128>::apply);
                check!(Ofb, false, many, one);
            }
            3 => {
                let many = |m: &mut [Message<'_, Ctr<Aes128>>], _: &mut Comb| Ctr::apply_many(m);
                let one = Ctr::<Aes128>::apply;
                check!(Ctr, false, many, one);
                // Without lanes, a register and more at once.
                let (key, mut buf) = (Ecb::<Aes128>::build(cpu, &[1; 16]).unwrap(), [7; 80]);
                key.encrypt(&mut buf).unwrap();
                key.decrypt(&mut buf).unwrap();
                assert_eq!(buf, [7; 80], "{cpu:?}");
                let (key, mut blocks) = (ChaCha20::build(cpu, &[1; 32]).unwrap(), [[0; 64]; 3]);
                key.blocks(&[[7; 16]; 2], &mut blocks[..2]).unwrap();
                key.blocks(&[[7; 16]], &mut blocks[2..]).unwrap();
                assert!(blocks == [blocks[0]; 3] && blocks[0] != [0; 64], "{cpu:?}");
            }
            _ => {
                let data = LENS.map(|n| vec![7; n]);
                let mut tags = [[0; 16]; 3];
                let keys: Vec<_> =
                    [1, 2, 3].iter().map(|&b| Cmac::<Aes128>::build(cpu, &[b; 16], 16).unwrap()).collect();
                let messages: Vec<_> = keys.iter().zip(&data).map(|(key, it)| (key, &it[..])).collect();
                Cmac::tag_many(&messages, &mut tags, comb).unwrap();
                for ((key, message), tag) in messages.iter().zip(&tags) {
                    assert_eq!(key.tag(message), *tag, "{cpu:?}");
                }
                let keys: Vec<_> = [1, 2, 3].iter().map(|&b| CbcMac::<Aes128>::build(cpu, &[b; 16]).unwrap()).collect();
                let messages: Vec<_> = keys.iter().zip(&data).map(|(key, it)| (key, &it[..])).collect();
                CbcMac::tag_many(&messages, &mut tags, comb).unwrap();
                for ((key, message), tag) in messages.iter().zip(&tags) {
                    assert_eq!(key.tag(message), *tag, "{cpu:?}");
                }
            }
        }
    }

    #[cfg_attr(miri, test)]
    fn on_every_tier() {
        let mut comb = Comb::new();
        for (i, cpu) in Cpu::all().enumerate() {
            for kind in 0..5 {
                if cpu == quick() || !skips(i + kind, 5) {
                    side_by_side(cpu, &mut comb, kind);
                }
            }
        }
    }
}
