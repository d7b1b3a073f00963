//! Counter nonces: prefixes that cannot collide, limits that a restart does not forget,
//! one expansion of a key for both directions.

mod common;

use combseal::{
    Aead, Aes128, Algorithm, Cpu, Error, Key, Nonce, NonceCounter, Ocb3, Opener, ReplayWindow, Sealer, Tag,
};
use common::key;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

/// `b"us"` and `b"us\0\0"` once made the same nonces. All prefixes have one length now.
#[test]
fn prefixes_of_one_length() {
    for &algorithm in Algorithm::ALL {
        let key = key(Cpu::detect(), algorithm, &[7; 64]);
        let right = key.nonce_len() - 8;
        for len in 0..40 {
            let made = NonceCounter::new(&vec![1; len]).and_then(|counter| Sealer::new(&key, counter));
            assert_eq!(made.err(), (len != right).then_some(Error::PrefixLength), "{algorithm} {len}");
        }
        // Prefixes that differ make nonces that differ, whatever is counted.
        let mut seen = HashSet::new();
        for first in [0, 1, 0x75] {
            if right == 0 && first > 0 {
                break;
            }
            let mut prefix = vec![0; right];
            prefix.iter_mut().take(1).for_each(|byte| *byte = first);
            for next in [0, 10, 254, 1 << 20] {
                let counter = NonceCounter::starting_at(&prefix, next, 0).unwrap();
                let mut sealer = Sealer::new(&key, counter).unwrap();
                for _ in 0..3 {
                    let (nonce, _) = sealer.seal_in_place(b"", &mut []).unwrap();
                    assert_eq!(nonce.len(), key.nonce_len());
                    assert!(seen.insert(nonce.to_vec()), "{algorithm}: {nonce:?} again");
                }
            }
        }
    }
    // A key with other nonces takes other prefixes.
    let mut key = Ocb3::<Aes128>::new(&[7; 16]);
    key.set_nonce_len(15).unwrap();
    let mut sealer = Sealer::new(&key, NonceCounter::new(b"OpenPGP").unwrap()).unwrap();
    let (nonce, _) = sealer.seal_in_place(b"", &mut []).unwrap();
    assert_eq!(&nonce[..], b"OpenPGP\0\0\0\0\0\0\0\0");
    drop(sealer);
}

/// Nonces of fewer than eight bytes are a counter and nothing else, which ends where they do.
#[test]
fn nonces_shorter_than_a_counter() {
    let window = ReplayWindow::<4>::new;
    for (algorithm, len) in [
        (Algorithm::Ocb3Aes128, 6),
        (Algorithm::Ocb3Aes256, 7),
        (Algorithm::CcmAes128, 7),
        (Algorithm::SivAes128, 1),
        (Algorithm::SivAes128, 2),
    ] {
        let mut key = key(Cpu::detect(), algorithm, &[7; 64]);
        key.set_nonce_len(len).unwrap();
        let at = |prefix: &[u8], next| Sealer::new(&key, NonceCounter::starting_at(prefix, next, 0).unwrap());
        assert_eq!(at(b"1", 0).err(), Some(Error::PrefixLength));
        assert_eq!(Opener::with_window(&key, b"1", window()).err(), Some(Error::PrefixLength));
        // A secret IV has eight bytes at least.
        assert_eq!(Sealer::new(&key, NonceCounter::xored(&[1; 8]).unwrap()).err(), Some(Error::NonceLength));
        assert_eq!(Opener::with_xored_window(&key, &[1; 8], window()).err(), Some(Error::NonceLength));

        let (mut sealer, mut opener) = (at(b"", 0).unwrap(), Opener::with_window(&key, b"", window()).unwrap());
        for n in 0..200u64 {
            let nonce = &n.to_be_bytes()[8 - len..];
            let (mut one, mut other) = (*b"a message of more than a block", *b"a message of more than a block");
            let (used, tag) = sealer.seal_in_place(b"header", &mut one).unwrap();
            assert_eq!(used[..], *nonce, "{algorithm} {len}");
            assert_eq!(key.seal_in_place(nonce, b"header", &mut other), Ok(tag), "{algorithm} {len}");
            assert_eq!(one, other);
            let mut open = |nonce: &[u8], buf: &mut [u8]| opener.open_in_place(nonce, b"header", buf, tag.as_bytes());
            assert_eq!(open(&[0; 8], &mut one), Err(Error::NonceLength));
            assert_eq!(open(&used, &mut one), Ok(()));
            assert_eq!(&one, b"a message of more than a block");
            assert_eq!(open(&used, &mut other), Err(Error::Replayed));
        }
        // The last nonces that there are, or that the scheme's limit allows.
        let end = key.limits().key_messages.min(1 << (8 * len));
        let mut last = at(b"", end - 1).unwrap();
        let (nonce, _) = last.seal_in_place(b"", &mut []).unwrap();
        assert_eq!(nonce[..], (end - 1).to_be_bytes()[8 - len..]);
        assert_eq!(last.seal_in_place(b"", &mut []).err(), Some(Error::Exhausted));
        assert_eq!(at(b"", end).err(), Some(Error::Exhausted));
    }
    // No nonce, no counter.
    let mut siv = key(Cpu::detect(), Algorithm::SivAes128, &[7; 64]);
    siv.set_nonce_len(0).unwrap();
    assert_eq!(Sealer::new(&siv, NonceCounter::new(b"").unwrap()).err(), Some(Error::NonceLength));
}

/// What was sealed before a restart counts: messages by the counter, blocks as given.
#[test]
fn limits_go_on() {
    let gcm = key(Cpu::detect(), Algorithm::GcmAes128, &[7; 64]);
    let messages = gcm.limits().key_messages;
    assert_eq!(messages, 1 << 32);
    let at = |next, blocks| Sealer::new(&gcm, NonceCounter::starting_at(b"us->", next, blocks).unwrap());
    assert_eq!(at(messages, 0).err(), Some(Error::Exhausted));
    assert_eq!(at(u64::MAX, 0).err(), Some(Error::Exhausted));
    let mut last = at(messages - 1, 0).unwrap();
    let _ = last.seal_in_place(b"", &mut [1]).unwrap();
    let mut buf = *b"message";
    assert_eq!(last.seal_in_place(b"", &mut buf).err(), Some(Error::Exhausted));
    assert_eq!(&buf, b"message");
    assert_eq!(last.next_counter(), messages);

    let blocks = gcm.limits().key_blocks;
    // The least message takes two.
    for left in [0, 1, 2, 3] {
        assert_eq!(at(5, blocks - left).err(), (left < 2).then_some(Error::Exhausted), "{left}");
    }
    let mut few = at(5, blocks - 10).unwrap();
    assert_eq!((few.blocks_used(), few.blocks_left()), (blocks - 10, 10));
    // A message of 7 blocks counts 9 with its tag and nonce; another does not fit.
    let _ = few.seal_in_place(b"", &mut [1; 112]).unwrap();
    assert_eq!((few.blocks_used(), few.blocks_left()), (blocks - 1, 1));
    assert_eq!(few.seal_in_place(b"", &mut []).err(), Some(Error::Exhausted));

    // The record of one sealer is where the next begins.
    let mut one = at(0, 0).unwrap();
    for _ in 0..3 {
        let _ = one.seal_in_place(b"header", &mut [1; 100]).unwrap();
    }
    let two = at(one.next_counter(), one.blocks_used()).unwrap();
    assert_eq!((two.next_counter(), two.blocks_used()), (3, 30));
    assert_eq!(two.blocks_left(), one.blocks_left());
}

/// One expansion of a key serves a sender, a receiver and who brings his own nonces:
/// by reference, in a box, counted.
#[test]
fn one_expansion() {
    fn both<A: Aead, B: Aead>(sealing: A, opening: B) {
        let (name, tag_len, cpu) = (sealing.name(), sealing.tag_len(), sealing.cpu());
        let prefix = vec![3; sealing.nonce_len() - 8];
        let mut sealer = Sealer::new(sealing, NonceCounter::new(&prefix).unwrap()).unwrap();
        let mut opener = Opener::new(opening);
        assert_eq!((sealer.name(), sealer.tag_len(), opener.name(), opener.tag_len()), (name, tag_len, name, tag_len));
        for len in [0, 1, 100, 1000] {
            let mut buf = vec![9; len + tag_len];
            let nonce = *sealer.seal_attached(b"header", &mut buf).unwrap();
            assert_eq!(opener.open_attached(&nonce, b"header", &mut buf).unwrap(), vec![9; len], "{name} {cpu:?}");
        }
    }
    for &algorithm in Algorithm::ALL {
        let make = || key(Cpu::detect(), algorithm, &[7; 64]);
        let one = make();
        both(&one, &one);
        both(&one, Box::new(make()));
        let counted = Arc::new(make());
        both(Arc::clone(&counted), counted);
        let counted = Rc::new(make());
        both(Rc::clone(&counted), counted);
        // As the key itself.
        let nonce = vec![1; one.nonce_len()];
        let sealed = (&&one).seal(&nonce, b"ad", b"message").unwrap();
        assert_eq!(one.open(&nonce, b"ad", &sealed).unwrap(), b"message", "{algorithm}");
    }
    let typed = Ocb3::<Aes128>::new(&[7; 16]);
    both(&typed, typed_again());
}

fn typed_again() -> Key {
    Key::new(Algorithm::Ocb3Aes128, &[7; 16]).unwrap()
}

/// Tags compare with tags and with bytes, whole.
#[test]
fn tags_compare() {
    let key = Ocb3::<Aes128>::new(&[7; 16]);
    let tag = |ad: &[u8]| -> Tag { key.seal_in_place(b"twelve bytes", ad, &mut []).unwrap() };
    let (one, same, other) = (tag(b"1"), tag(b"1"), tag(b"2"));
    assert!(one == same && one != other);
    let mut bytes: [u8; 16] = one.as_bytes().try_into().unwrap();
    assert!(one == bytes && one == bytes[..] && one != bytes[..15] && one != [0; 17]);
    for bit in 0..128 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(one != bytes && one != bytes[..]);
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

/// RFC 8446, sect. 5.3 (TLS 1.3) and RFC 9001, sect. 5.3 (QUIC): the counter, padded on the left,
/// XORed into the IV. Appendix A.5 of the latter has IV, packet number and nonce.
#[test]
fn xored_into_an_iv() {
    let iv = [0xe0, 0x45, 0x9b, 0x34, 0x74, 0xbd, 0xd0, 0xe4, 0x4a, 0x41, 0xc1, 0x44];
    let nonce = [0xe0, 0x45, 0x9b, 0x34, 0x74, 0xbd, 0xd0, 0xe4, 0x6d, 0x41, 0x7e, 0xb0];
    let number = 654_360_564;
    assert_eq!(Nonce::xored(&iv, number).unwrap()[..], nonce);

    for algorithm in [Algorithm::ChaCha20Poly1305, Algorithm::GcmAes128, Algorithm::Ocb3Aes128, Algorithm::Aegis256] {
        let key = key(Cpu::detect(), algorithm, &[7; 64]);
        let iv = [&[9; 20][..], &iv].concat();
        let iv = &iv[32 - key.nonce_len()..];
        for from in [0, number, u64::from(u32::MAX) - 70] {
            let mut sealer = Sealer::new(&key, NonceCounter::xored_at(iv, from, 0).unwrap()).unwrap();
            let mut opener = Opener::with_xored_window(&key, iv, ReplayWindow::<4>::new()).unwrap();
            for n in from..(from + 140).min(key.limits().key_messages) {
                let expected = Nonce::xored(iv, n).unwrap();
                let mut buf = *b"message and room for the tag....";
                let nonce = if n % 3 == 0 {
                    let nonce = sealer.take_nonce(0, 16).unwrap();
                    key.seal_attached(&nonce, b"", &mut buf).unwrap();
                    nonce
                } else {
                    *sealer.seal_attached(b"", &mut buf).unwrap()
                };
                assert_eq!(nonce[..], expected[..], "{algorithm} {n}");
                let sealed = buf;
                assert_eq!(opener.open_attached(&nonce, b"", &mut buf).unwrap(), b"message and room");
                assert_eq!(opener.open_attached(&nonce, b"", &mut sealed.clone()).err(), Some(Error::Replayed));
            }
        }
    }
    // An IV that is too short, too long, or not this key's; nor is it shown.
    assert_eq!(NonceCounter::xored(&[1; 7]).err(), Some(Error::NonceLength));
    assert_eq!(NonceCounter::xored(&[1; 33]).err(), Some(Error::NonceLength));
    assert_eq!(Nonce::xored(&[1; 33], 0).err(), Some(Error::NonceLength));
    assert_eq!(Nonce::counted(&[1; 25], 0).err(), Some(Error::PrefixLength));
    let gcm = key(Cpu::detect(), Algorithm::GcmAes128, &[7; 64]);
    assert_eq!(Sealer::new(&gcm, NonceCounter::xored(&[1; 13]).unwrap()).err(), Some(Error::PrefixLength));
    let window = ReplayWindow::<4>::new();
    assert_eq!(Opener::with_xored_window(&gcm, &[1; 13], window).err(), Some(Error::NonceLength));
    let shown = format!("{:?}", NonceCounter::xored(&iv).unwrap());
    assert!(!shown.contains("prefix") && !shown.contains("224"), "{shown}");
}

/// A nonce that was taken counts, with its message's blocks.
#[test]
fn taken_nonces_count() {
    let gcm = key(Cpu::detect(), Algorithm::GcmAes128, &[7; 64]);
    let limits = gcm.limits();
    let at = |next, blocks| NonceCounter::starting_at(b"us->", next, blocks).unwrap();
    let mut sealer = Sealer::new(&gcm, at(limits.key_messages - 1, limits.key_blocks - 10)).unwrap();
    assert_eq!(sealer.take_nonce(17, 100).err(), Some(Error::Exhausted));
    assert_eq!((sealer.next_counter(), sealer.blocks_left()), (limits.key_messages - 1, 10));
    assert_eq!(sealer.take_nonce(17, 96).unwrap()[..], *b"us->\0\0\0\0\xff\xff\xff\xff");
    assert_eq!(sealer.blocks_left(), 0);
    assert_eq!(sealer.take_nonce(0, 0).err(), Some(Error::Exhausted));
    for n in [usize::MAX, usize::MAX - 14, usize::MAX - 15] {
        let mut sealer = Sealer::new(&gcm, at(0, limits.key_blocks - 10)).unwrap();
        assert_eq!(sealer.take_nonce(n, n).err(), Some(Error::Exhausted), "{n}");
    }
}
