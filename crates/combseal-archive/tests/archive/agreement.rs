//! Every scheme of the archive agrees with its plain reference, which is written from the text
//! and shares no code with it: at every length to 300 bytes and around powers of two, on every
//! tier, alone in place and apart, and side by side.

use crate::reference::*;
use combseal_archive::{Batch, Cpu, Error, Key, Scheme};

/// Key, nonce, associated data, message: the whole sealed message.
type Reference = fn(&[u8], &[u8], &[u8], &[u8]) -> Vec<u8>;

/// The reference of a scheme.
fn reference(scheme: Scheme) -> Reference {
    fn joined((ct, tag): (Vec<u8>, Vec<u8>)) -> Vec<u8> {
        [ct, tag].concat()
    }
    fn otr<const VERSION: u8, const SERIAL: bool>(key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> Vec<u8> {
        let version = [otr::Version::V1, otr::Version::V2, otr::Version::V3][usize::from(VERSION) - 1];
        joined(otr::seal(version, if SERIAL { otr::Ad::Serial } else { otr::Ad::Parallel }, key, nonce, ad, msg))
    }
    match scheme {
        Scheme::ClocV1 | Scheme::ClocV1Nonce8 => {
            |key, nonce, ad, msg| joined(cloc::seal(cloc::Version::V1, key, nonce, ad, msg))
        }
        Scheme::ClocV3 => |key, nonce, ad, msg| joined(cloc::seal(cloc::Version::V3, key, nonce, ad, msg)),
        Scheme::SilcV1 | Scheme::SilcV1Nonce8 => {
            |key, nonce, ad, msg| joined(silc::seal(silc::Version::V1, key, nonce, ad, msg))
        }
        Scheme::SilcV3 => |key, nonce, ad, msg| joined(silc::seal(silc::Version::V3, key, nonce, ad, msg)),
        Scheme::Jambu => |key, nonce, ad, msg| joined(jambu::seal(key, nonce, ad, msg)),
        Scheme::OtrParallelV1 => otr::<1, false>,
        Scheme::OtrParallelV2 => otr::<2, false>,
        Scheme::OtrParallelV3 => otr::<3, false>,
        Scheme::OtrSerialV1 => otr::<1, true>,
        Scheme::OtrSerialV2 => otr::<2, true>,
        Scheme::OtrSerialV3 => otr::<3, true>,
        Scheme::CbcHmac => |key, nonce, ad, msg| joined(etm::seal(key, nonce, ad, msg)),
        Scheme::CopaV1 => copa::v1::seal,
        Scheme::CopaV2 => copa::v2::seal,
        Scheme::Colm0 => |key, nonce, ad, msg| colm::COLM0.seal(key, nonce, ad, msg),
        Scheme::Colm127 => |key, nonce, ad, msg| colm::COLM127.seal(key, nonce, ad, msg),
        Scheme::Colm127Mask3L => |key, nonce, ad, msg| colm::COLM127_MASK_3L.seal(key, nonce, ad, msg),
        Scheme::DeoxysII128 => |key, nonce, ad, msg| joined(deoxys_ii::seal(key, nonce, ad, msg)),
        Scheme::PoetV1 => |key, nonce, ad, msg| joined(poet::seal(poet::Version::V1, key, nonce, ad, msg)),
        Scheme::PoetV2 => |key, nonce, ad, msg| joined(poet::seal(poet::Version::V2, key, nonce, ad, msg)),
        Scheme::CwcAes128 | Scheme::CwcAes256 => |key, nonce, ad, msg| joined(cwc::seal(key, nonce, ad, msg)),
        Scheme::Julius => |key, nonce, ad, msg| julius::seal(julius::specified, key, nonce, ad, msg),
        Scheme::JuliusAsCoded => |key, nonce, ad, msg| julius::seal(julius::as_the_code_has_it, key, nonce, ad, msg),
        Scheme::McoeD => |key, nonce, ad, msg| mcoe::seal(mcoe::Variant::D, key, nonce, ad, msg),
        Scheme::McoeG => |key, nonce, ad, msg| mcoe::seal(mcoe::Variant::G, key, nonce, ad, msg),
        Scheme::McoeGBothMasks => |key, nonce, ad, msg| mcoe::seal(mcoe::Variant::GLrw2, key, nonce, ad, msg),
        Scheme::McoeX => |key, nonce, ad, msg| mcoe::seal(mcoe::Variant::X, key, nonce, ad, msg),
        Scheme::Ocb1 => |key, nonce, ad, msg| joined(ocb1::seal(key, nonce, ad, msg)),
        Scheme::Ocb2 => |key, nonce, ad, msg| joined(ocb2::seal(key, nonce, ad, msg)),
        other => panic!("{other:?} has no reference here"),
    }
}

/// Bytes that look random, by a seed.
pub fn noise(seed: usize, len: usize) -> Vec<u8> {
    let mut x = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed as u64 + 1);
    (0..len)
        .map(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 32) as u8
        })
        .collect()
}

/// Lengths of message and associated data: all to 300, each with some other of the other; and
/// around powers of two.
fn lengths() -> Vec<(usize, usize)> {
    let small = (0..=300).flat_map(|n| [(n, n * 7 % 67), (n * 11 % 97, n)]);
    let large =
        [512, 1024, 2048, 4096, 8192, 16384].into_iter().flat_map(|n| [(n - 1, 0), (n, 16), (n + 1, 33), (17, n)]);
    small.chain(large).collect()
}

#[test]
fn equal_to_the_references() {
    for &scheme in Scheme::ALL {
        let (about, reference) = (scheme.about(), reference(scheme));
        let (key, nonce) = (noise(1, about.key_len), noise(2, about.nonce_len));
        let cases: Vec<_> = lengths()
            .into_iter()
            .filter(|&(_, ad)| ad as u64 <= about.longest_ad)
            .map(|(len, ad)| {
                let (msg, ad) = (noise(3 + len, len), noise(4 + ad, ad));
                let sealed = reference(&key, &nonce, &ad, &msg);
                (msg, ad, sealed)
            })
            .collect();
        for cpu in Cpu::all().filter(|cpu| combseal_archive::runs_on(*cpu)) {
            let key = Key::build(cpu, scheme, &key).unwrap();
            for (msg, ad, sealed) in &cases {
                let at = || format!("{} {cpu:?}, {} bytes, {} of associated data", about.name, msg.len(), ad.len());
                assert!(key.seal(&nonce, ad, msg).unwrap() == *sealed, "{}", at());
                assert!(key.open(&nonce, ad, sealed, msg.len()).unwrap() == *msg, "{}", at());
                let (mut buf, mut tail) = (msg.clone(), vec![0; scheme.tail_len(msg.len())]);
                key.seal_in_place(&nonce, ad, &mut buf, &mut tail).unwrap();
                assert!([&buf[..], &tail].concat() == *sealed, "{} in place", at());
                key.open_in_place(&nonce, ad, &mut buf, &tail).unwrap();
                assert!(buf == *msg, "{} in place", at());
            }
            for lanes in [1, 3, 8, 16] {
                let mut bufs: Vec<Vec<u8>> = cases.iter().map(|case| case.0.clone()).collect();
                let mut tails: Vec<Vec<u8>> = bufs.iter().map(|buf| vec![0; scheme.tail_len(buf.len())]).collect();
                let mut batch = Batch::with_lanes(lanes);
                for ((buf, tail), (_, ad, _)) in bufs.iter_mut().zip(&mut tails).zip(&cases) {
                    batch.seal(&key, &nonce, ad, buf, tail);
                }
                assert!(batch.run().iter().all(Result::is_ok));
                for ((buf, tail), (_, _, sealed)) in bufs.iter().zip(&tails).zip(&cases) {
                    assert!([&buf[..], tail].concat() == *sealed, "{} {cpu:?}, {lanes} lanes", about.name);
                }
                let mut batch = Batch::with_lanes(lanes);
                for ((buf, tail), (_, ad, _)) in bufs.iter_mut().zip(&tails).zip(&cases) {
                    batch.open(&key, &nonce, ad, buf, tail);
                }
                assert!(batch.run().iter().all(Result::is_ok));
                for (buf, (msg, ..)) in bufs.iter().zip(&cases) {
                    assert!(buf == msg, "{} {cpu:?}, {lanes} lanes", about.name);
                }
            }
        }
    }
}

/// On every number of lanes, each message under a key of its own, with lengths that leave windows of every width: as each is
/// alone. One of them is forged.
#[test]
fn side_by_side_under_keys_of_their_own() {
    /// More than two groups of sixteen, the last not full.
    const COUNT: usize = 35;
    for &scheme in Scheme::ALL.iter().filter(|scheme| scheme.is_serial()) {
        let about = scheme.about();
        for cpu in Cpu::all().filter(|cpu| combseal_archive::runs_on(*cpu)) {
            let keys: Vec<Key> =
                (0..COUNT).map(|i| Key::build(cpu, scheme, &noise(i, about.key_len)).unwrap()).collect();
            let nonces: Vec<_> = (0..COUNT).map(|i| noise(100 + i, about.nonce_len)).collect();
            let ads: Vec<_> =
                (0..COUNT).map(|i| noise(200 + i, (i * 29 % 70).min(about.longest_ad as usize))).collect();
            // Half of them long, so that the widest windows have several blocks.
            let messages: Vec<_> =
                (0..COUNT).map(|i| noise(300 + i, i * 37 % 90 + i % 2 * 16 * (15 + i % 3))).collect();
            let alone: Vec<_> = (0..COUNT).map(|i| keys[i].seal(&nonces[i], &ads[i], &messages[i]).unwrap()).collect();
            for lanes in 1..=16 {
                let mut bufs = messages.clone();
                let mut tails: Vec<Vec<u8>> = bufs.iter().map(|buf| vec![0; scheme.tail_len(buf.len())]).collect();
                let mut batch = Batch::with_lanes(lanes);
                for (i, (buf, tail)) in bufs.iter_mut().zip(&mut tails).enumerate() {
                    batch.seal(&keys[i], &nonces[i], &ads[i], buf, tail);
                }
                assert!(batch.run().iter().all(Result::is_ok));
                for i in 0..COUNT {
                    let sealed = [&bufs[i][..], &tails[i]].concat();
                    assert!(sealed == alone[i], "{} {cpu:?}, {lanes} lanes, message {i}", about.name);
                }
                let forged = (5 * lanes + 1) % COUNT;
                tails[forged][lanes % 8] ^= 1 << (lanes % 8);
                let mut batch = Batch::with_lanes(lanes);
                for (i, (buf, tail)) in bufs.iter_mut().zip(&tails).enumerate() {
                    batch.open(&keys[i], &nonces[i], &ads[i], buf, tail);
                }
                let results = batch.run();
                for i in 0..COUNT {
                    let at = || format!("{} {cpu:?}, {lanes} lanes, message {i}", about.name);
                    if i == forged {
                        assert!(results[i] == Err(Error::Forged) && bufs[i].iter().all(|&byte| byte == 0), "{}", at());
                    } else {
                        assert!(results[i].is_ok() && bufs[i] == messages[i], "{}", at());
                    }
                }
            }
        }
    }
}

/// COLM127's intermediate tags move what is behind them, in place and between buffers; there
/// are no more than 32 of them.
#[test]
fn many_intermediate_tags() {
    let (key, nonce, ad) = (noise(1, 16), noise(2, 8), noise(4, 20));
    let blocks = [127, 128, 254, 255, 381, 32 * 127, 32 * 127 + 1, 33 * 127, 33 * 127 + 1, 34 * 127 + 9];
    for blocks in blocks {
        for len in [16 * blocks - 15, 16 * blocks - 1, 16 * blocks] {
            let msg = noise(3 + len, len);
            let sealed = colm::COLM127.seal(&key, &nonce, &ad, &msg);
            for cpu in Cpu::all().filter(|cpu| combseal_archive::runs_on(*cpu)) {
                let key = Key::build(cpu, Scheme::Colm127, &key).unwrap();
                assert!(key.seal(&nonce, &ad, &msg).unwrap() == sealed, "{cpu:?} {len}");
                assert!(key.open(&nonce, &ad, &sealed, len).unwrap() == msg, "{cpu:?} {len}");
                let (mut buf, mut tail) = (msg.clone(), vec![0; Scheme::Colm127.tail_len(len)]);
                key.seal_in_place(&nonce, &ad, &mut buf, &mut tail).unwrap();
                assert!([&buf[..], &tail].concat() == sealed, "{cpu:?} {len}");
                key.open_in_place(&nonce, &ad, &mut buf, &tail).unwrap();
                assert!(buf == msg, "{cpu:?} {len}");
            }
        }
    }
}
