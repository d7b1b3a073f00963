//! Beside RustCrypto's crates, on random input: other people's code, another
//! reading of the same papers.

mod common;

use aead::array::Array;
use aead::{AeadInOut, KeyInit, KeySizeUser, array::typenum::Unsigned};
use aes::{Aes128, Aes192, Aes256};
use combseal::hazmat::Relaxed;
use combseal::{Aead, Algorithm, Cpu, Key};
use common::{Random, is_model};

/// Seals with theirs, seals and opens with ours, many times.
fn beside<T: AeadInOut + KeyInit>(algorithm: Algorithm, tag_len: usize) {
    let mut random = Random::new(tag_len as u64);
    let tiers: Vec<Cpu> = Cpu::all().filter(|&c| !is_model(c)).collect();
    assert_eq!(<T as KeySizeUser>::KeySize::USIZE, algorithm.key_len());
    for round in 0..300 {
        let bytes = random.bytes(algorithm.key_len());
        let nonce = random.bytes(T::NonceSize::USIZE);
        // Mostly short, one in sixteen to 20 KiB.
        let most = if round % 16 == 0 { 20_000 } else { 200 };
        let (msg, ad) = (random.bytes(most), random.bytes(80));
        let (msg, ad) = (&msg[..random.below(most)], &ad[..random.below(80)]);
        let theirs = T::new_from_slice(&bytes).unwrap();
        let mut ct = msg.to_vec();
        let nonce_array = Array::try_from(&nonce[..]).unwrap();
        let tag = theirs.encrypt_inout_detached(&nonce_array, ad, ct.as_mut_slice().into()).unwrap();
        let cpu = tiers[round % tiers.len()];
        let rules: Vec<Relaxed> = [
            (!algorithm.tag_lens().contains(&tag_len), Relaxed::ShortTags),
            (algorithm.name().ends_with("-GCM") && nonce.len() < 8, Relaxed::ShortNonces),
        ]
        .into_iter()
        .filter_map(|(needed, rule)| needed.then_some(rule))
        .collect();
        let mut ours = Key::hazmat_build(cpu, algorithm, &bytes, tag_len, &rules).unwrap();
        ours.set_nonce_len(nonce.len()).unwrap();
        let mut buf = msg.to_vec();
        let found = ours.seal_in_place(&nonce, ad, &mut buf).unwrap();
        assert_eq!((&buf, found.as_bytes()), (&ct, tag.as_slice()), "{algorithm} on {cpu:?}");
        ours.open_in_place(&nonce, ad, &mut buf, &tag).unwrap();
        assert_eq!(buf, msg, "{algorithm} on {cpu:?}");
    }
}

#[test]
fn ocb3() {
    use aead::consts::{U7, U8, U15};
    beside::<ocb3::Ocb3<Aes128>>(Algorithm::Ocb3Aes128, 16);
    beside::<ocb3::Ocb3<Aes192>>(Algorithm::Ocb3Aes192, 16);
    beside::<ocb3::Ocb3<Aes256>>(Algorithm::Ocb3Aes256, 16);
    beside::<ocb3::Ocb3<Aes128, U15, U8>>(Algorithm::Ocb3Aes128, 8);
    beside::<ocb3::Ocb3<Aes256, U7>>(Algorithm::Ocb3Aes256, 16);
}

#[test]
fn gcm() {
    use aead::consts::{U1, U12, U60};
    beside::<aes_gcm::AesGcm<Aes128, U12>>(Algorithm::GcmAes128, 16);
    beside::<aes_gcm::AesGcm<Aes192, U60>>(Algorithm::GcmAes192, 16);
    beside::<aes_gcm::AesGcm<Aes256, U1, U12>>(Algorithm::GcmAes256, 12);
}

#[test]
fn ccm() {
    use aead::consts::{U4, U7, U10, U13, U16};
    beside::<ccm::Ccm<Aes128, U16, U13>>(Algorithm::CcmAes128, 16);
    beside::<ccm::Ccm<Aes192, U10, U7>>(Algorithm::CcmAes192, 10);
    beside::<ccm::Ccm<Aes256, U4, U13>>(Algorithm::CcmAes256, 4);
}

#[test]
fn eax() {
    beside::<eax::Eax<Aes128>>(Algorithm::EaxAes128, 16);
    beside::<eax::Eax<Aes256>>(Algorithm::EaxAes256, 16);
}

#[test]
fn siv() {
    beside::<aes_siv::Aes128SivAead>(Algorithm::SivAes128, 16);
    beside::<aes_siv::Aes256SivAead>(Algorithm::SivAes256, 16);
}

#[test]
fn gcm_siv() {
    beside::<aes_gcm_siv::Aes128GcmSiv>(Algorithm::GcmSivAes128, 16);
    beside::<aes_gcm_siv::Aes256GcmSiv>(Algorithm::GcmSivAes256, 16);
}

#[test]
fn chacha20_poly1305() {
    beside::<chacha20poly1305::ChaCha20Poly1305>(Algorithm::ChaCha20Poly1305, 16);
    beside::<chacha20poly1305::XChaCha20Poly1305>(Algorithm::XChaCha20Poly1305, 16);
}
