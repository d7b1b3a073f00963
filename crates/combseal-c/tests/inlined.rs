//! The key that the edge calls by, inlined down to the kernel: every scheme gives what its `Key` gives, and
//! refuses what that refuses.

use combseal::internals::{InOut, Inlined};
use combseal::{Aead, Algorithm, Error, Key, NonceCounter, Opener, Sealer};

/// Lengths of messages on both sides of where the kernels change.
const LENS: [usize; 8] = [0, 1, 16, 33, 64, 127, 128, 1500];

fn key(algorithm: Algorithm) -> Key {
    Key::new(algorithm, &[7; 64][..algorithm.key_len()]).unwrap()
}

#[test]
fn seals_and_opens_as_the_key_does() {
    for &algorithm in Algorithm::ALL {
        let key = key(algorithm);
        let nonce = vec![1; key.nonce_len()];
        for len in LENS {
            for ad in [&b""[..], b"header", &[3; 70]] {
                let message: Vec<u8> = (0..len).map(|i| i as u8).collect();
                let (mut expected, mut tag) = (message.clone(), vec![0; key.tag_len()]);
                key.seal_detached(&nonce, ad, &mut expected, &mut tag).unwrap();

                let (mut sealed, mut own) = (vec![0; len], vec![0; tag.len()]);
                let io = InOut::separate(&message, &mut sealed).unwrap();
                Inlined(&key).seal_io(&nonce, ad, io, &mut own).unwrap();
                assert_eq!((&sealed, &own), (&expected, &tag), "{algorithm} {len}");

                let mut again = sealed.clone();
                Inlined(&key).open_io(&nonce, ad, InOut::in_place(&mut again), &tag).unwrap();
                assert_eq!(again, message, "{algorithm} {len}");
                own[0] ^= 1;
                let done = Inlined(&key).open_io(&nonce, ad, InOut::in_place(&mut sealed), &own);
                assert_eq!((done, sealed), (Err(Error::Forged), vec![0; len]), "{algorithm} {len}");
            }
        }
    }
}

#[test]
fn refuses_what_the_key_refuses_and_touches_nothing() {
    for &algorithm in Algorithm::ALL {
        let key = key(algorithm);
        let (mut buf, mut tag, nonce) = ([5; 40], vec![5; key.tag_len()], vec![1; key.nonce_len()]);
        let done = Inlined(&key).seal_io(&[1; 200], b"", InOut::in_place(&mut buf), &mut tag);
        assert_eq!(done, key.seal_detached(&[1; 200], b"", &mut [5; 40], &mut tag.clone()), "{algorithm}");
        for wrong in [tag.len() - 1, tag.len() + 1] {
            let mut tag = vec![5; wrong];
            let done = Inlined(&key).seal_io(&nonce, b"", InOut::in_place(&mut buf), &mut tag);
            assert_eq!((done, tag), (Err(Error::TagLength), vec![5; wrong]), "{algorithm}");
            let done = Inlined(&key).open_io(&nonce, b"", InOut::in_place(&mut buf), &vec![5; wrong]);
            assert_eq!(done, Err(Error::TagLength), "{algorithm}");
        }
        assert_eq!((buf, tag), ([5; 40], vec![5; key.tag_len()]), "{algorithm}");
    }
}

#[test]
fn sealers_and_openers_do_too() {
    for &algorithm in Algorithm::ALL {
        let key = key(algorithm);
        let prefix = vec![2; key.nonce_len() - 8];
        let counter = || NonceCounter::new(&prefix).unwrap();
        let mut expected = Sealer::new(&key, counter()).unwrap();
        let (mut sealer, mut opener) = (Sealer::new(Inlined(&key), counter()).unwrap(), Opener::new(Inlined(&key)));
        assert_eq!(sealer.nonce_len(), key.nonce_len());
        for len in LENS {
            let message: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let (mut one, mut other) = (message.clone(), message.clone());
            let (mut tag, mut own) = (vec![0; key.tag_len()], vec![0; key.tag_len()]);
            let wrong = sealer.seal_io(b"ad", InOut::in_place(&mut other), &mut own[1..]).map(drop);
            assert_eq!((wrong, sealer.next_counter()), (Err(Error::TagLength), expected.next_counter()));
            let nonce = *expected.seal_detached(b"ad", &mut one, &mut tag).unwrap();
            let used = sealer.seal_io(b"ad", InOut::in_place(&mut other), &mut own).unwrap();
            let mut told = vec![0; key.nonce_len()];
            used.write(&mut told);
            assert_eq!((&told[..], &other, &own), (&nonce[..], &one, &tag), "{algorithm} {len}");
            opener.open_io(&told, b"ad", InOut::in_place(&mut other), &own).unwrap();
            assert_eq!(other, message, "{algorithm} {len}");
        }
    }
}

#[test]
fn a_sealer_at_its_end_names_a_wrong_tag_first() {
    let key = key(Algorithm::ALL[0]);
    let end = key.limits().key_messages - 1;
    let counter = || NonceCounter::starting_at(&vec![0; key.nonce_len() - 8], end, 0).unwrap();
    let mut sealer = Sealer::new(Inlined(&key), counter()).unwrap();
    let mut tag = [0; 16];
    sealer.seal_io(b"", InOut::in_place(&mut []), &mut tag).unwrap();
    let mut refused = |tag: &mut [u8]| sealer.seal_io(b"", InOut::in_place(&mut []), tag).map(drop);
    assert_eq!(refused(&mut tag[1..]), Err(Error::TagLength));
    assert_eq!(refused(&mut tag), Err(Error::Exhausted));
}
