//! Counter nonces: prefixes that cannot collide, limits that a restart does not forget,
//! one expansion of a key for both directions.

mod common;

use combseal::{Aead, Aes128, Algorithm, Cpu, Error, Key, NonceCounter, Ocb3, Opener, Sealer, Tag};
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
    key.set_nonce_len(7).unwrap();
    assert_eq!(Sealer::new(&key, NonceCounter::new(b"").unwrap()).err(), Some(Error::NonceLength));
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
