//! The longest message and associated data of each scheme, and why; and every length that a scheme does not take is a
//! typed error, whoever is asked.

use super::agreement::noise;
use combseal_archive::{Batch, Error, Key, Scheme};

/// Bytes in the longest message and the longest associated data where a scheme's definition has nothing against it:
/// there is no need for more, and their bits, bytes and blocks are 64-bit numbers.
const USUAL: u64 = (1 << 60) - 1;

struct Limits {
    message: u64,
    ad: u64,
    why: &'static str,
    /// Whether the definition can number, or write down, what it has to of a message and associated data of so many bytes.
    defined: fn(u128, u128) -> bool,
}

fn limits(scheme: Scheme) -> Limits {
    let usual = |why, defined| Limits { message: USUAL, ad: USUAL, why, defined };
    match scheme {
        Scheme::ClocV1
        | Scheme::ClocV1Nonce8
        | Scheme::ClocV3
        | Scheme::Jambu
        | Scheme::OtrParallelV1
        | Scheme::OtrParallelV2
        | Scheme::OtrParallelV3
        | Scheme::OtrSerialV1
        | Scheme::OtrSerialV2
        | Scheme::OtrSerialV3
        | Scheme::CopaV1
        | Scheme::CopaV2
        | Scheme::Colm0
        | Scheme::Colm127
        | Scheme::Colm127Mask3L
        | Scheme::McoeD
        | Scheme::McoeG
        | Scheme::McoeGBothMasks
        | Scheme::McoeX
        | Scheme::Ocb2 => {
            usual("padding or the last block's length alone: nothing counts what is before it", |_, _| true)
        }
        Scheme::SilcV1 | Scheme::SilcV1Nonce8 | Scheme::SilcV3 | Scheme::Julius | Scheme::JuliusAsCoded => {
            usual("the bytes of both are 64-bit numbers", |message, ad| message >> 64 == 0 && ad >> 64 == 0)
        }
        Scheme::PoetV1 | Scheme::PoetV2 => {
            usual("the message's bits are a 64-bit number", |message, _| (8 * message) >> 64 == 0)
        }
        Scheme::DeoxysII128 => usual("blocks of both are numbered in 64 bits", |message, ad| {
            message.div_ceil(16) <= 1 << 64 && ad.div_ceil(16) <= 1 << 64
        }),
        Scheme::CbcHmac => Limits {
            message: (1 << 59) - 1,
            ad: (1 << 59) - 1,
            why: "SHA-256 counts in 64 bits the bits of: a block for the key, the associated data, the nonce, the message \
                  with up to a block of padding, and eight bytes that say how many bits the associated data have",
            defined: |message, ad| (8 * (64 + ad + 16 + (message + 16) + 8)) >> 64 == 0,
        },
        Scheme::CwcAes128 | Scheme::CwcAes256 => Limits {
            message: 16 * ((1 << 32) - 1),
            ad: 16 * ((1 << 32) - 1),
            why: "a counter of 32 bits, whose zero is the tag's; associated data may be as long",
            defined: |message, _| message.div_ceil(16) < 1 << 32,
        },
        Scheme::Ocb1 => Limits {
            message: USUAL,
            ad: 0,
            why: "there is no associated data; the last block's length alone is written down",
            defined: |_, ad| ad == 0,
        },
        other => panic!("{other:?} has no limits here"),
    }
}

/// Each scheme takes what these limits say and not a byte more, and no more than its definition has room for; where that
/// is less than usual, what is usual does not fit.
#[test]
fn longest_messages_and_associated_data() {
    for &scheme in Scheme::ALL {
        let (about, Limits { message, ad, why, defined }) = (scheme.about(), limits(scheme));
        assert_eq!((about.longest, about.longest_ad), (message, ad), "{}: {why}", about.name);
        assert!(defined(message.into(), ad.into()), "{}: {why}", about.name);
        let usual = (message, ad) == (USUAL, USUAL);
        assert_eq!(defined(USUAL.into(), USUAL.into()), usual, "{}: {why}", about.name);

        let check = |ad, message| scheme.check(about.nonce_len, ad, message);
        for (small, large) in [(message, message + 1), (0, u64::MAX)] {
            assert_eq!(check(ad, small), Ok(()), "{}: {why}", about.name);
            assert_eq!(check(ad, large), Err(Error::MessageTooLong), "{}: {why}", about.name);
        }
        for (small, large) in [(ad, ad + 1), (0, u64::MAX)] {
            assert_eq!(check(small, message), Ok(()), "{}: {why}", about.name);
            assert_eq!(check(large, message), Err(Error::AdTooLong), "{}: {why}", about.name);
        }
        for nonce in [0, about.nonce_len - 1, about.nonce_len + 1, usize::MAX] {
            assert_eq!(scheme.check(nonce, ad, message), Err(Error::NonceLength), "{}", about.name);
        }
    }
    // CWC leaves no number of its counter unused.
    let Limits { message, defined, .. } = limits(Scheme::CwcAes128);
    assert!(!defined(u128::from(message) + 1, 0));
}

/// Who asks how long a sealed message is need not ask about a message that there can be.
#[test]
fn tails_of_any_message() {
    for &scheme in Scheme::ALL {
        let key = Key::new(scheme, &vec![0; scheme.about().key_len]).unwrap();
        for less in 0..300 {
            let len = usize::MAX - less;
            let tail = scheme.tail_len(len);
            // COLM127 has most: 32 intermediate tags.
            assert!((8..=33 * 16).contains(&tail), "{scheme:?} {less}");
            let wanted = if tail > less { usize::MAX } else { len + tail };
            assert_eq!(key.sealed_len(len), wanted, "{scheme:?} {less}");
        }
    }
}

#[test]
fn keys_of_wrong_lengths() {
    for &scheme in Scheme::ALL {
        for len in (0..=64).filter(|&len| len != scheme.about().key_len) {
            assert_eq!(Key::new(scheme, &vec![0; len]).err(), Some(Error::KeyLength), "{scheme:?} {len}");
        }
    }
}

/// The error is `wanted`, however a message is sealed or opened in place. What is in the buffers stays as it was, but for
/// what a batch was to seal, lest it be sent for ciphertext.
fn refused(key: &Key, nonce: &[u8], ad: &[u8], tail: usize, wanted: Error) {
    let at = || format!("{:?}, a nonce of {}, {} of data, a tail of {tail}", key.scheme(), nonce.len(), ad.len());
    let (msg, given) = (noise(1, 20), noise(2, tail));
    let (mut buf, mut written) = (msg.clone(), given.clone());
    assert_eq!(key.seal_in_place(nonce, ad, &mut buf, &mut written), Err(wanted), "{}", at());
    assert_eq!(key.open_in_place(nonce, ad, &mut buf, &written), Err(wanted), "{}", at());
    let mut batch = Batch::new();
    batch.open(key, nonce, ad, &mut buf, &written);
    assert_eq!(batch.run(), [Err(wanted)], "{}", at());
    assert_eq!((&buf, &written), (&msg, &given), "{}", at());
    let mut batch = Batch::new();
    batch.seal(key, nonce, ad, &mut buf, &mut written);
    assert_eq!(batch.run(), [Err(wanted)], "{}", at());
    assert_eq!((buf, written), (vec![0; 20], vec![0; tail]), "{}", at());
}

#[test]
fn wrong_lengths() {
    for &scheme in Scheme::ALL {
        let about = scheme.about();
        let key = Key::new(scheme, &noise(1, about.key_len)).unwrap();
        let (nonce, tail) = (noise(2, about.nonce_len), scheme.tail_len(20));
        for nonce in (0..=32).filter(|&len| len != about.nonce_len).map(|len| noise(2, len)) {
            refused(&key, &nonce, b"", tail, Error::NonceLength);
            assert_eq!(key.seal(&nonce, b"", &[1; 20]), Err(Error::NonceLength), "{}", about.name);
            assert_eq!(key.open(&nonce, b"", &vec![1; 20 + tail], 20), Err(Error::NonceLength), "{}", about.name);
        }
        for wrong in (0..=64).filter(|&len| len != tail) {
            refused(&key, &nonce, b"", wrong, Error::TagLength);
            assert_eq!(key.open(&nonce, b"", &vec![1; 20 + wrong], 20), Err(Error::BufferLength), "{}", about.name);
        }
        // Other schemes' limits are more than there is memory for. They too are asked by `Scheme::check`.
        if about.longest_ad == 0 {
            refused(&key, &nonce, b"x", tail, Error::AdTooLong);
            assert_eq!(key.seal(&nonce, b"x", &[1; 20]), Err(Error::AdTooLong));
            assert_eq!(key.open(&nonce, b"x", &vec![1; 20 + tail], 20), Err(Error::AdTooLong));
        }
    }
}
