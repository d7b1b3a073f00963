//! An opener with a window opens each message of its sender once, and nobody else's.

mod common;

use combseal::{Aead, Algorithm, Cpu, Error, Key, NonceCounter, Opener, ReplayWindow, Sealer};
use common::{Random, key};
use std::sync::Arc;

/// A packet as it travels: its nonce, and the message with its tag.
type Packet = (Vec<u8>, Vec<u8>);

/// Both ends share one expansion of the key.
type Shared = Arc<Key>;

/// A sender and a receiver who share a key, and the prefix of their nonces.
fn pair(algorithm: Algorithm, next: u64) -> (Sealer<Shared>, Opener<Shared, 2>, Vec<u8>) {
    let key = Arc::new(key(Cpu::detect(), algorithm, &[7; 64]));
    let prefix = vec![0x81; key.nonce_len() - 8];
    let sealer = Sealer::new(Arc::clone(&key), NonceCounter::starting_at(&prefix, next, 0).unwrap()).unwrap();
    (sealer, Opener::with_window(key, &prefix, ReplayWindow::new()).unwrap(), prefix)
}

/// The next packet of `sealer`, of 21 bytes and the tag.
fn packet(sealer: &mut Sealer<Shared>) -> Packet {
    let mut packet = vec![0x5a; 21 + sealer.tag_len()];
    let nonce = sealer.seal_attached(b"header", &mut packet).unwrap().to_vec();
    (nonce, packet)
}

/// In all forms, `packet` is refused before any work: everything is as it was.
fn refused(opener: &mut Opener<Shared, 2>, (nonce, sealed): &Packet, why: Error) {
    let before = (opener.window().unwrap().highest(), opener.forgeries());
    let mut buf = sealed.clone();
    assert_eq!(opener.open_attached(nonce, b"header", &mut buf), Err(why));
    assert_eq!(&buf, sealed);
    let (body, tag) = sealed.split_at(21);
    let mut buf = body.to_vec();
    assert_eq!(opener.open_in_place(nonce, b"header", &mut buf, tag), Err(why));
    assert_eq!(buf, body);
    let mut buf = [0xa5; 21];
    assert_eq!(opener.open_to(nonce, b"header", body, &mut buf, tag), Err(why));
    assert_eq!(buf, [0xa5; 21]);
    // Not even the tag's length matters, nor what is authentic.
    assert_eq!(opener.open_to(nonce, b"other", body, &mut buf, &[]), Err(why));
    assert_eq!(buf, [0xa5; 21]);
    assert_eq!((opener.window().unwrap().highest(), opener.forgeries()), before);
}

fn opened(opener: &mut Opener<Shared, 2>, (nonce, sealed): &Packet) {
    let mut buf = sealed.clone();
    let plain = opener.open_attached(nonce, b"header", &mut buf).unwrap();
    assert_eq!(plain, [0x5a; 21]);
}

/// Every scheme's packets pass once.
#[test]
fn replays() {
    for &algorithm in Algorithm::ALL {
        let (mut sealer, mut opener, _) = pair(algorithm, 0);
        assert_eq!(opener.window().unwrap().highest(), None);
        let packets: Vec<Packet> = (0..5).map(|_| packet(&mut sealer)).collect();
        for (i, one) in packets.iter().enumerate() {
            opened(&mut opener, one);
            assert_eq!(opener.window().unwrap().highest(), Some(i as u64), "{algorithm}");
            for again in &packets[..=i] {
                refused(&mut opener, again, Error::Replayed);
            }
        }
    }
}

/// In any order, by all three forms, each one once, as long as it is not too old.
#[test]
fn reordered() {
    let (mut sealer, mut opener, _) = pair(Algorithm::Ocb3Aes128, 1000);
    let packets: Vec<Packet> = (0..65).map(|_| packet(&mut sealer)).collect();
    let mut order: Vec<usize> = (0..65).collect();
    let mut random = Random::new(5);
    (1..order.len()).rev().for_each(|i| order.swap(i, random.below(i + 1)));
    for (round, &i) in order.iter().enumerate() {
        let (nonce, sealed) = &packets[i];
        let (body, tag) = sealed.split_at(21);
        let mut buf = body.to_vec();
        match round % 3 {
            0 => opened(&mut opener, &packets[i]),
            1 => opener.open_in_place(nonce, b"header", &mut buf, tag).unwrap(),
            _ => opener.open_to(nonce, b"header", body, &mut buf, tag).unwrap(),
        }
        refused(&mut opener, &packets[i], Error::Replayed);
    }
    packets.iter().for_each(|packet| refused(&mut opener, packet, Error::Replayed));
}

/// 64 behind is not too old for two words, 65 is.
#[test]
fn too_old() {
    let (mut sealer, mut opener, _) = pair(Algorithm::GcmAes128, 7);
    let packets: Vec<Packet> = (0..66).map(|_| packet(&mut sealer)).collect();
    opened(&mut opener, &packets[65]);
    refused(&mut opener, &packets[0], Error::Replayed);
    opened(&mut opener, &packets[1]);
}

/// A forgery is zeroed and counted, and its counter stays new.
#[test]
fn forged() {
    for &algorithm in Algorithm::ALL {
        let (mut sealer, mut opener, _) = pair(algorithm, 0);
        let first = packet(&mut sealer);
        let second = packet(&mut sealer);
        opened(&mut opener, &first);
        for bit in [0, 8 * first.1.len() - 1] {
            let (nonce, mut buf) = second.clone();
            buf[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(opener.open_attached(&nonce, b"header", &mut buf), Err(Error::Forged));
            assert!(buf.windows(21).any(|w| w == [0; 21]), "{algorithm}");
            // A counter far ahead, as a forger would have it slide the window.
            let (mut nonce, mut buf) = second.clone();
            let at = nonce.len() - 8;
            nonce[at] ^= 0x80;
            assert_eq!(opener.open_attached(&nonce, b"header", &mut buf), Err(Error::Forged));
        }
        // Wrong in length only: refused, and not seen either.
        let mut buf = [0xa5; 21];
        assert_eq!(opener.open_in_place(&second.0, b"header", &mut buf, &[]), Err(Error::TagLength));
        assert_eq!(buf, [0xa5; 21]);
        assert_eq!((opener.forgeries(), opener.window().unwrap().highest()), (4, Some(0)), "{algorithm}");
        opened(&mut opener, &second);
        refused(&mut opener, &second, Error::Replayed);
    }
}

/// Another sender's nonces, however authentic, are not this one's, and nonces of other
/// lengths are nobody's.
#[test]
fn other_senders() {
    for &algorithm in Algorithm::ALL {
        let (mut sealer, mut opener, prefix) = pair(algorithm, 3);
        let own = packet(&mut sealer);
        let it = key(Cpu::detect(), algorithm, &[7; 64]);
        for bit in 0..8 * prefix.len() {
            let mut nonce = own.0.clone();
            nonce[bit / 8] ^= 1 << (bit % 8);
            let mut foreign = vec![0x5a; 21 + it.tag_len()];
            it.seal_attached(&nonce, b"header", &mut foreign).unwrap();
            refused(&mut opener, &(nonce, foreign), Error::NoncePrefix);
        }
        for len in (0..40).filter(|&n| n != own.0.len()) {
            let nonce = [&own.0[..], &own.0, &own.0, &own.0].concat()[..len].to_vec();
            refused(&mut opener, &(nonce, own.1.clone()), Error::NonceLength);
        }
        assert_eq!(opener.window().unwrap().highest(), None);
        opened(&mut opener, &own);
        assert_eq!(opener.window().unwrap().highest(), Some(3));
        for len in (0..40).filter(|&n| n != prefix.len()) {
            let opener = Opener::with_window(&it, &vec![0; len], ReplayWindow::<2>::new());
            assert_eq!(opener.err(), Some(Error::PrefixLength), "{algorithm} {len}");
        }
    }
}

/// Without a window, nothing of this; attached too.
#[test]
fn without_a_window() {
    for &algorithm in Algorithm::ALL {
        let (mut sealer, ..) = pair(algorithm, 0);
        let mut opener = Opener::new(key(Cpu::detect(), algorithm, &[7; 64]));
        assert!(opener.window().is_none());
        let (nonce, sealed) = packet(&mut sealer);
        for _ in 0..2 {
            assert_eq!(opener.open_attached(&nonce, b"header", &mut sealed.clone()).unwrap(), [0x5a; 21]);
        }
        let mut buf = sealed.clone();
        assert_eq!(opener.open_attached(&nonce, b"", &mut buf), Err(Error::Forged));
        assert!(buf.windows(21).any(|w| w == [0; 21]), "{algorithm}");
        assert_eq!(opener.open_attached(&nonce, b"", &mut [0; 7]), Err(Error::BufferLength));
        assert_eq!(opener.forgeries(), 1);
    }
}
