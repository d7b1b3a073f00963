//! `Cached`, under every scheme.

use combseal::{Aead, Algorithm, Cached, Error, Key};

/// What is kept changes nothing: the same tags and ciphertexts as without, whatever came before,
/// and wrong lengths leave everything as it was.
#[test]
fn same_as_without() {
    for &algorithm in Algorithm::ALL {
        let key = || Key::new(algorithm, &[7; 64][..algorithm.key_len()]).unwrap();
        let (plain, mut cached) = (key(), Cached::new(key()));
        let tag_len = plain.tag_len();
        for turn in 0..20u8 {
            let (nonce, ad) = ([turn * 9; 64], [turn / 4; 20]);
            let (nonce, ad) = (&nonce[..algorithm.nonce_len()], &ad[..usize::from(turn / 2)]);
            let (message, mut to) = ([turn; 70], [0; 70]);
            let (mut here, mut tag, mut other) = (message, [0; 32], [0; 32]);
            cached.seal_detached(nonce, ad, &mut here, &mut tag[..tag_len]).unwrap();
            plain.seal_to_detached(nonce, ad, &message, &mut to, &mut other[..tag_len]).unwrap();
            assert_eq!((here, tag), (to, other), "{algorithm} {turn}");
            cached.seal_to_detached(nonce, ad, &message, &mut to, &mut other[..tag_len]).unwrap();
            assert_eq!((here, tag), (to, other), "{algorithm} {turn}");
            let tag = &mut tag[..tag_len];
            assert_eq!(cached.seal_detached(nonce, ad, &mut here, &mut [0; 40]), Err(Error::TagLength));
            assert_eq!(plain.seal_detached(nonce, ad, &mut here, &mut [0; 40]), Err(Error::TagLength));
            assert_eq!(cached.seal_to_detached(nonce, ad, &message, &mut to[1..], tag), Err(Error::BufferLength));
            assert_eq!(here, to);
            cached.open_to(nonce, ad, &here, &mut to, tag).unwrap();
            cached.open_in_place(nonce, ad, &mut here, tag).unwrap();
            assert_eq!((here, to), (message, message));
            assert_eq!(cached.open_in_place(nonce, ad, &mut here, tag), Err(Error::Forged));
            assert_eq!(here, [0; 70]);
        }
    }
}
