//! The traits of RustCrypto's `aead` 0.5: the same bytes as the library's own calls, in the forms
//! that the traits have, and under `aead`'s streams, which are generic over them.

mod common;

use aead05::generic_array::ArrayLength;
use aead05::generic_array::typenum::Unsigned;
use aead05::stream::{DecryptorBE32, EncryptorBE32};
use aead05::{Aead as _, AeadCore, AeadInPlace, Key, KeyInit, KeySizeUser, Nonce, Payload};
use combseal::rustcrypto::{Lengths, v05::Fixed};
use combseal::{Aead, Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4};
use combseal::{Aes128, Aes192, Aes256, Cpu};
use combseal::{Ccm, ChaCha20Poly1305, Eax, Gcm, GcmSiv, Ocb3, Siv, XChaCha20Poly1305};
use common::Random;

/// The traits' forms beside the library's, `own`, with the same key.
fn same<A: AeadInPlace>(it: &A, own: &impl Aead, random: &mut Random) {
    let n = A::TagSize::USIZE;
    assert_eq!((n, A::NonceSize::USIZE), (own.tag_len(), own.nonce_len()), "{}", own.name());
    for round in 0..40 {
        let message = random.bytes([0, 1, 15, 16, 17, 64, 200, 5000][round % 8]);
        let ad = random.bytes(round % 3 * 20);
        let bytes = random.bytes(own.nonce_len());
        let nonce = Nonce::<A>::from_slice(&bytes);
        let sealed = own.seal(&bytes, &ad, &message).unwrap();

        let payload = || Payload { msg: &message, aad: &ad };
        assert_eq!(it.encrypt(nonce, payload()).unwrap(), sealed, "{}", own.name());
        assert_eq!(it.decrypt(nonce, Payload { msg: &sealed, aad: &ad }).unwrap(), message);

        let mut buffer = message.clone();
        it.encrypt_in_place(nonce, &ad, &mut buffer).unwrap();
        assert_eq!(buffer, sealed);
        it.decrypt_in_place(nonce, &ad, &mut buffer).unwrap();
        assert_eq!(buffer, message);

        let tag = it.encrypt_in_place_detached(nonce, &ad, &mut buffer).unwrap();
        let body = own.body_range(sealed.len()).unwrap();
        assert_eq!(buffer, sealed[body]);
        it.decrypt_in_place_detached(nonce, &ad, &mut buffer, &tag).unwrap();
        assert_eq!(buffer, message);

        // A forgery leaves zeros.
        let mut forged = sealed.clone();
        let at = random.below(forged.len());
        forged[at] ^= 1;
        assert!(it.decrypt(nonce, Payload { msg: &forged, aad: &ad }).is_err());
        assert!(it.decrypt_in_place(nonce, &ad, &mut forged).is_err());
        let body = own.body_range(sealed.len()).unwrap();
        assert!(forged[body].iter().all(|&byte| byte == 0), "{}", own.name());
        assert!(it.decrypt_in_place(nonce, &ad, &mut vec![0; n - 1]).is_err());
    }
}

fn typed<A: AeadInPlace + KeyInit + Aead>(random: &mut Random) {
    let bytes = random.bytes(A::KeySize::USIZE);
    let key = A::new_from_slice(&bytes).unwrap();
    same(&key, &key, random);
    assert!(A::new_from_slice(&bytes[1..]).is_err());
}

#[test]
fn every_typed_key() {
    let random = &mut Random::new(120);
    macro_rules! all { ($($key:ty),*) => { $(typed::<$key>(random);)* } }
    all!(Ocb3<Aes128>, Ocb3<Aes192>, Ocb3<Aes256>, Gcm<Aes128>, Gcm<Aes192>, Gcm<Aes256>, GcmSiv<Aes128>);
    all!(GcmSiv<Aes256>, Ccm<Aes128>, Ccm<Aes192>, Ccm<Aes256>, Eax<Aes128>, Eax<Aes192>, Eax<Aes256>);
    all!(Siv<Aes128>, Siv<Aes192>, Siv<Aes256>, Aegis128, Aegis128L, Aegis128X2, Aegis128X4);
    all!(Aegis256, Aegis256X2, Aegis256X4, ChaCha20Poly1305, XChaCha20Poly1305);
}

/// The calls of the page of `aes-gcm` 0.10, with its name given to the module: a random key and nonce, a key of an array
/// and of a slice, a message there and back.
#[test]
fn instead_of_aes_gcm() {
    use aes_gcm_0_10::aead::{Aead, AeadCore, KeyInit, OsRng};
    use aes_gcm_0_10::{Aes256Gcm, Error, Key, Nonce, Tag};
    use combseal::rustcrypto::v05 as aes_gcm_0_10;

    fn there_and_back(key: &Key<Aes256Gcm>) -> Result<(), Error> {
        let cipher = Aes256Gcm::new(key);
        let nonce: Nonce<aes_gcm_0_10::aead::consts::U12> = Aes256Gcm::generate_nonce(&mut OsRng);
        let mut sealed = cipher.encrypt(&nonce, b"a message".as_ref())?;
        assert_eq!(cipher.decrypt(&nonce, sealed.as_ref())?, b"a message");
        assert_eq!(cipher.encrypt(Nonce::from_slice(&nonce[..]), b"a message".as_ref())?, sealed);
        let tag = Tag::<aes_gcm_0_10::aead::consts::U16>::clone_from_slice(&sealed.split_off(9));
        let nonce = [&nonce[..], &tag[..]].concat();
        let own = combseal::Gcm::<Aes256>::new(key.as_ref());
        combseal::Aead::open_in_place(&own, &nonce[..12], b"", &mut sealed, &nonce[12..]).map_err(|_| Error)
    }

    // Other lengths of nonces, by the names that the crate has for them.
    type Gcm16 = aes_gcm_0_10::AesGcm<aes_gcm_0_10::aes::Aes256, aes_gcm_0_10::aead::consts::U16>;
    let cipher = Gcm16::new_from_slice(&[42; 32]).unwrap();
    let sealed = cipher.encrypt(&[1; 16].into(), &b"a message"[..]).unwrap();
    let mut own = combseal::Gcm::<Aes256>::new(&[42; 32]);
    own.set_nonce_len(16).unwrap();
    assert_eq!(combseal::Aead::open(&own, &[1; 16], b"", &sealed).unwrap(), b"a message");

    let random = Aes256Gcm::generate_key(OsRng);
    assert_ne!(random, Aes256Gcm::generate_key(OsRng));
    let of_array: &Key<Aes256Gcm> = (&[42; 32]).into();
    let of_slice = Key::<Aes256Gcm>::from_slice(&[42; 32][..]);
    for key in [&random, of_array, of_slice] {
        there_and_back(key).unwrap();
    }
}

/// Lengths in the type: those of nonces and tags that the key then takes.
#[test]
fn other_lengths() {
    use aead05::consts::{U0, U7, U8, U12, U13, U15, U16, U24, U32};
    fn fixed<A: Lengths + KeySizeUser, N: ArrayLength<u8>, T: ArrayLength<u8>>(random: &mut Random) {
        let bytes = random.bytes(A::KeySize::USIZE);
        let it = Fixed::<A, N, T>::new(Key::<Fixed<A, N, T>>::from_slice(&bytes));
        assert_eq!(<Fixed<A, N, T> as AeadCore>::TagSize::USIZE, it.key().tag_len());
        same(&it, it.key(), random);
    }
    let random = &mut Random::new(121);
    fixed::<Ocb3<Aes128>, U15, U16>(random);
    fixed::<Ocb3<Aes256>, U7, U8>(random);
    fixed::<Eax<Aes128>, U16, U12>(random);
    fixed::<Gcm<Aes256>, U32, U13>(random);
    fixed::<Ccm<Aes128>, U7, U8>(random);
    fixed::<Siv<Aes128>, U24, U16>(random);
    fixed::<Siv<Aes128>, U0, U16>(random);
    fixed::<Aegis128L, U16, U32>(random);
}

/// A key with another length of tags than the type says answers with the error, and leaves the
/// buffer as it was.
#[test]
fn wrong_lengths() {
    let short = || Gcm::<Aes128>::build(Cpu::detect(), &[7; 16], 12).unwrap();
    let (key, mut buffer) = (short(), b"message".to_vec());
    assert!(key.encrypt_in_place(&[1; 12].into(), b"", &mut buffer).is_err());
    assert_eq!(buffer, b"message");
    assert!(key.encrypt_in_place_detached(&[1; 12].into(), b"", &mut buffer).is_err());
    assert_eq!(buffer, b"message");
    assert!(Fixed::<_, aead05::consts::U12>::from_key(short()).is_err());
}

/// Somebody else's code that is generic over the traits.
#[test]
fn under_the_streams_of_aead() {
    let seal = || EncryptorBE32::<Gcm<Aes128>>::new(&[7; 16].into(), &[1; 7].into());
    let (mut sealing, mut parts) = (seal(), Vec::new());
    for part in [&b"one"[..], b"two"] {
        parts.push(sealing.encrypt_next(part).unwrap());
    }
    parts.push(sealing.encrypt_last(&b"three"[..]).unwrap());
    let mut opening = DecryptorBE32::<Gcm<Aes128>>::new(&[7; 16].into(), &[1; 7].into());
    assert_eq!(opening.decrypt_next(&parts[0][..]).unwrap(), b"one");
    assert_eq!(opening.decrypt_next(&parts[1][..]).unwrap(), b"two");
    assert_eq!(opening.decrypt_last(&parts[2][..]).unwrap(), b"three");
    let mut opening = DecryptorBE32::<Gcm<Aes128>>::new(&[7; 16].into(), &[1; 7].into());
    assert!(opening.decrypt_next(&parts[1][..]).is_err());
}
