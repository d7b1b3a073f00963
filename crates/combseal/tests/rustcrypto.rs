//! RustCrypto's traits with the lengths in the type, beside RustCrypto's own crates on
//! random input: what one seals the other opens.

mod common;

use aead::array::typenum::Unsigned;
use aead::consts::{U6, U7, U8, U9, U10, U11, U12, U13, U15, U16, U32, U64};
use aead::inout::InOutBuf;
use aead::{Aead as _, AeadCore, AeadInOut, Key, KeyInit, KeySizeUser, Nonce, Payload, TagPosition};
use combseal::rustcrypto::{Fixed, Lengths};
use combseal::{Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4};
use combseal::{Aes128, Aes192, Aes256, Algorithm, Cpu, Error};
use combseal::{Ccm, ChaCha20Poly1305, Eax, Gcm, GcmSiv, Ocb3, Siv, XChaCha20Poly1305};
use common::Random;

/// A message and associated data, mostly short.
fn message(random: &mut Random, round: usize) -> (Vec<u8>, Vec<u8>) {
    let most = if round.is_multiple_of(16) { 5000 } else { 200 };
    let (len, ad_len) = (random.below(most), random.below(80));
    (random.bytes(len), random.bytes(ad_len))
}

/// One of them seals, the other opens, in place and between buffers; forged, it leaves
/// zeros.
fn through<A: AeadInOut, B: AeadInOut<NonceSize = A::NonceSize, TagSize = A::TagSize>>(
    a: &A,
    b: &B,
    nonce: &Nonce<A>,
    (msg, ad): (&[u8], &[u8]),
    zeros: bool,
) -> Vec<u8> {
    let mut ct = msg.to_vec();
    let tag = a.encrypt_inout_detached(nonce, ad, ct.as_mut_slice().into()).unwrap();
    let mut apart = vec![0xa5; msg.len()];
    let again = a.encrypt_inout_detached(nonce, ad, InOutBuf::new(msg, &mut apart).unwrap()).unwrap();
    assert_eq!((&apart, &again), (&ct, &tag));

    let mut buf = ct.clone();
    b.decrypt_inout_detached(nonce, ad, buf.as_mut_slice().into(), &tag).unwrap();
    assert_eq!(buf, msg);
    let mut apart = vec![0xa5; msg.len()];
    b.decrypt_inout_detached(nonce, ad, InOutBuf::new(&ct, &mut apart).unwrap(), &tag).unwrap();
    assert_eq!(apart, msg);

    if zeros {
        // The tag's last bit counts, and its first.
        for (at, bit) in [(0, 0x80), (tag.len() - 1, 1)] {
            let mut tag = tag.clone();
            tag[at] ^= bit;
            let mut buf = ct.clone();
            assert!(b.decrypt_inout_detached(nonce, ad, buf.as_mut_slice().into(), &tag).is_err());
            assert!(buf.iter().all(|&x| x == 0), "plaintext left in place");
            let mut apart = vec![0xa5; msg.len()];
            assert!(b.decrypt_inout_detached(nonce, ad, InOutBuf::new(&ct, &mut apart).unwrap(), &tag).is_err());
            assert!(apart.iter().all(|&x| x == 0), "plaintext left");
        }
    }
    [&ct[..], &tag].concat()
}

/// Theirs and ours seal the same, and each opens what the other sealed.
fn beside<T, O>()
where
    T: AeadInOut + KeyInit,
    O: AeadInOut<NonceSize = T::NonceSize, TagSize = T::TagSize> + KeyInit + KeySizeUser<KeySize = T::KeySize>,
{
    assert_eq!(T::TAG_POSITION, O::TAG_POSITION);
    let mut random = Random::new(T::NonceSize::U64 << 8 | T::TagSize::U64);
    for round in 0..100 {
        let key = Key::<T>::try_from(&random.bytes(T::KeySize::USIZE)[..]).unwrap();
        let nonce = Nonce::<T>::try_from(&random.bytes(T::NonceSize::USIZE)[..]).unwrap();
        let (msg, ad) = message(&mut random, round);
        let (theirs, ours) = (T::new(&key), O::new(&key));
        let sealed = through(&ours, &theirs, &nonce, (&msg, &ad), false);
        assert_eq!(through(&theirs, &ours, &nonce, (&msg, &ad), true), sealed);
        // With the tag attached, as a vector.
        let one = ours.encrypt(&nonce, Payload { msg: &msg, aad: &ad }).unwrap();
        assert_eq!(one, theirs.encrypt(&nonce, Payload { msg: &msg, aad: &ad }).unwrap());
        assert_eq!(ours.decrypt(&nonce, Payload { msg: &one, aad: &ad }).unwrap(), msg);
    }
}

// Few keys, in many combinations of lengths: each typed key is all its kernels for every
// tier, made once more in this test.

#[test]
fn ocb3() {
    use ocb3::Ocb3 as Theirs;
    beside::<Theirs<aes::Aes128, U15, U16>, Fixed<Ocb3<Aes128>, U15, U16>>();
    beside::<Theirs<aes::Aes128, U15, U8>, Fixed<Ocb3<Aes128>, U15, U8>>();
    beside::<Theirs<aes::Aes128, U6, U13>, Fixed<Ocb3<Aes128>, U6, U13>>();
    // The typed key by itself, with what is usual.
    beside::<Theirs<aes::Aes128>, Ocb3<Aes128>>();
}

#[test]
fn gcm() {
    use aes_gcm::AesGcm as Theirs;
    beside::<Theirs<aes::Aes256, U16, U16>, Fixed<Gcm<Aes256>, U16, U16>>();
    beside::<Theirs<aes::Aes256, U64, U12>, Fixed<Gcm<Aes256>, U64, U12>>();
    beside::<Theirs<aes::Aes256, U12>, Gcm<Aes256>>();
}

/// Under the names of RustCrypto's crates, where `new` is `KeyInit`'s without its name.
#[test]
fn names() {
    use combseal::{Aead as _, rustcrypto as ours};
    beside::<aes_gcm::Aes128Gcm, ours::Aes128Gcm>();
    beside::<aes_gcm::Aes256Gcm, ours::Aes256Gcm>();
    beside::<aes_gcm_siv::Aes128GcmSiv, ours::Aes128GcmSiv>();
    beside::<aes_gcm_siv::Aes256GcmSiv, ours::Aes256GcmSiv>();
    beside::<chacha20poly1305::ChaCha20Poly1305, ours::ChaCha20Poly1305>();
    beside::<chacha20poly1305::XChaCha20Poly1305, ours::XChaCha20Poly1305>();
    let key = Key::<ours::Aes256Gcm>::default();
    assert_eq!(ours::Aes256Gcm::new(&key).key().name(), "AES-256-GCM");
}

#[test]
fn ccm() {
    use ccm::Ccm as Theirs;
    beside::<Theirs<aes::Aes128, U8, U13>, Fixed<Ccm<Aes128>, U13, U8>>();
    beside::<Theirs<aes::Aes128, U16, U11>, Fixed<Ccm<Aes128>, U11, U16>>();
}

/// With the tag before the ciphertext.
#[test]
fn siv() {
    use aes_siv::CmacSivAead as Theirs;
    assert_eq!(<Fixed<Siv<Aes128>, U16> as AeadCore>::TAG_POSITION, TagPosition::Prefix);
    beside::<Theirs<aes::Aes128>, Fixed<Siv<Aes128>, U16>>();
}

/// As the key does it with its own methods, and not with another key.
fn as_itself<A: Lengths + KeySizeUser, N: aead::array::ArraySize, T: aead::array::ArraySize>(
    build: impl Fn(Cpu, &[u8], usize) -> Result<A, Error>,
) {
    let mut random = Random::new(N::U64 << 8 | T::U64);
    let bytes = random.bytes(A::KeySize::USIZE);
    for (round, cpu) in Cpu::all().enumerate() {
        let fixed = Fixed::<A, N, T>::from_key(build(cpu, &bytes, T::USIZE).unwrap()).unwrap();
        assert_eq!((fixed.key().cpu(), fixed.key().tag_len()), (cpu, T::USIZE));
        let best = Fixed::<A, N, T>::new_from_slice(&bytes).unwrap();
        assert_eq!(best.key().cpu(), Cpu::detect());
        let nonce = Nonce::<Fixed<A, N, T>>::try_from(&random.bytes(N::USIZE)[..]).unwrap();
        let (msg, ad) = message(&mut random, round);
        let sealed = through(&fixed, &best, &nonce, (&msg, &ad), true);
        let mut buf = msg.clone();
        let key = fixed.key();
        let tag = key.seal_in_place(&nonce, &ad, &mut buf).unwrap();
        assert_eq!([&buf[..], tag.as_bytes()].concat(), sealed, "{} on {cpu:?}", key.name());
        for &len in A::TAGS.iter().filter(|&&len| len != T::USIZE) {
            let other = Fixed::<A, N, T>::from_key(build(cpu, &bytes, len).unwrap());
            assert_eq!(other.err(), Some(Error::TagLength), "{} {len}", key.name());
        }
    }
}

/// Where there is nobody to compare with.
#[test]
fn others() {
    as_itself::<_, U16, U32>(Aegis128L::build);
    as_itself::<_, U7, U16>(Siv::<Aes128>::build);
    as_itself::<_, U10, U9>(Ocb3::<Aes128>::build);
}

/// The lists of lengths are what the schemes take, up to nonces of 64 bytes.
#[test]
fn lists() {
    fn list<A: Lengths + KeySizeUser + AeadCore>(algorithm: Algorithm) {
        let (cpu, bytes) = (Cpu::detect(), [7; 64]);
        let bytes = &bytes[..algorithm.key_len()];
        assert_eq!(A::KeySize::USIZE, bytes.len(), "{algorithm}");
        for len in 0..=40 {
            let taken = combseal::Key::build(cpu, algorithm, bytes, len).is_ok();
            assert_eq!(A::TAGS.contains(&len), taken, "{algorithm}: tags of {len}");
        }
        let mut key = combseal::Key::build(cpu, algorithm, bytes, 16).unwrap();
        for len in 0..=64 {
            assert_eq!(A::NONCES.contains(&len), key.set_nonce_len(len).is_ok(), "{algorithm}: nonces of {len}");
        }
        assert_eq!(A::NonceSize::USIZE, algorithm.nonce_len(), "{algorithm}");
    }
    macro_rules! lists {
        ($($t:ty = $algorithm:ident),* $(,)?) => {
            $(list::<$t>(Algorithm::$algorithm);)*
            assert_eq!([$(Algorithm::$algorithm),*], Algorithm::ALL);
        };
    }
    lists![
        Ocb3<Aes128> = Ocb3Aes128,
        Ocb3<Aes192> = Ocb3Aes192,
        Ocb3<Aes256> = Ocb3Aes256,
        Gcm<Aes128> = GcmAes128,
        Gcm<Aes192> = GcmAes192,
        Gcm<Aes256> = GcmAes256,
        GcmSiv<Aes128> = GcmSivAes128,
        GcmSiv<Aes256> = GcmSivAes256,
        Ccm<Aes128> = CcmAes128,
        Ccm<Aes192> = CcmAes192,
        Ccm<Aes256> = CcmAes256,
        Eax<Aes128> = EaxAes128,
        Eax<Aes192> = EaxAes192,
        Eax<Aes256> = EaxAes256,
        Siv<Aes128> = SivAes128,
        Siv<Aes192> = SivAes192,
        Siv<Aes256> = SivAes256,
        Aegis128 = Aegis128,
        Aegis128L = Aegis128L,
        Aegis128X2 = Aegis128X2,
        Aegis128X4 = Aegis128X4,
        Aegis256 = Aegis256,
        Aegis256X2 = Aegis256X2,
        Aegis256X4 = Aegis256X4,
        ChaCha20Poly1305 = ChaCha20Poly1305,
        XChaCha20Poly1305 = XChaCha20Poly1305,
    ];
}

/// A typed key with another tag than 16 bytes answers with an error, and touches nothing.
#[test]
fn another_tag() {
    let key = Ocb3::<Aes128>::with_tag_len(&[7; 16], 12).unwrap();
    let mut buf = *b"message";
    assert!(key.encrypt_inout_detached(&[1; 12].into(), b"", buf[..].as_mut().into()).is_err());
    assert_eq!(&buf, b"message");
    assert!(key.decrypt_inout_detached(&[1; 12].into(), b"", buf[..].as_mut().into(), &[0; 16].into()).is_err());
    assert_eq!(&buf, b"message");
}

/// Nothing of the key is shown.
#[test]
fn debug() {
    let key = Fixed::<Ccm<Aes128>, U13, U8>::new(&[0x77; 16].into());
    assert_eq!(format!("{key:?}"), r#"Fixed { key: "AES-128-CCM", nonce: 13, tag: 8, .. }"#);
}
