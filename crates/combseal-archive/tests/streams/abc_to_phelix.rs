//! ABC, CryptMT, DICING, NLS and Phelix.

use crate::{authenticated, known, properties, reference};
use combseal_archive::streams::abc;
use combseal_archive::streams::cipher::{Cipher, Stream};
use combseal_archive::streams::cryptmt::v2::CryptMtV2;
use combseal_archive::streams::cryptmt::v3::CryptMtV3;
use combseal_archive::streams::dicing::Dicing;
use combseal_archive::streams::nls::{NlsV1, NlsV1Ae, NlsV2, NlsV2Ae};
use combseal_archive::streams::phelix::Phelix;

/// A long stream is as `reference` says, from a place on at which no block begins.
fn check_long<C: Cipher>(key: &[u8], nonce: &[u8], len: usize, reference: fn(&[u8], &[u8], usize) -> Vec<u8>) {
    let expected = reference(key, nonce, len);
    for cpu in combseal::Cpu::all().filter(|&cpu| combseal_archive::runs_on(cpu)) {
        let cipher = C::expand(cpu, key);
        let (mut data, mut stream) = (vec![0; len], Stream::new(&cipher, nonce));
        stream.xor(&mut data[..9]);
        stream.xor(&mut data[9..]);
        assert!(data == expected, "{} {cpu:?}", C::ABOUT.name);
    }
}

#[test]
fn abc_v3() {
    known::check::<abc::Windows4>("abc-v3");
    known::check::<abc::Windows8>("abc-v3");
    known::check::<abc::Windows12>("abc-v3");
    known::check::<abc::Bits>("abc-v3");
    properties::check::<abc::Windows4>(reference::abc::keystream);
    properties::check::<abc::Windows8>(reference::abc::keystream);
    properties::check::<abc::Windows12>(reference::abc::keystream);
    properties::check::<abc::Bits>(reference::abc::keystream);
}

#[test]
fn cryptmt() {
    known::check::<CryptMtV2>("cryptmt-v2");
    known::check::<CryptMtV3>("cryptmt-v3");
    properties::check::<CryptMtV2>(reference::cryptmt::keystream_v2);
    properties::check::<CryptMtV3>(reference::cryptmt::keystream_v3);
}

#[test]
fn cryptmt_goes_on_behind_its_first_turn() {
    check_long::<CryptMtV2>(&[1; 16], &[2; 16], 5000, reference::cryptmt::keystream_v2);
    check_long::<CryptMtV3>(&[1; 64], &[2; 64], 5000, reference::cryptmt::keystream_v3);
}

#[test]
fn dicing() {
    known::check::<Dicing>("dicing-v2");
    properties::check::<Dicing>(reference::dicing::keystream);
}

#[test]
fn nls() {
    known::check::<NlsV1>("nls-v1");
    known::check::<NlsV2>("nls-v2");
    properties::check::<NlsV1>(reference::nls::keystream_v1);
    properties::check::<NlsV2>(reference::nls::keystream_v2);
}

#[test]
fn nls_goes_on_behind_the_changes_from_outside() {
    // The register is changed with word 65537, and of version 2 again 65536 words later.
    let (key, nonce) = ([1; 16], [2; 16]);
    let len = 3 * 4 * 65537 + 100;
    check_long::<NlsV1>(&key, &nonce, len, reference::nls::keystream_v1);
    check_long::<NlsV2>(&key, &nonce, len, reference::nls::keystream_v2);
    authenticated::check_long::<NlsV1Ae>(&key, &nonce, len, reference::nls::seal_v1);
    authenticated::check_long::<NlsV2Ae>(&key, &nonce, len, reference::nls::seal_v2);
}

#[test]
fn nls_authenticates() {
    authenticated::check_known::<NlsV1Ae>("nls-v1-ae", 16, true);
    authenticated::check_known::<NlsV2Ae>("nls-v2-ae", 16, true);
    authenticated::check::<NlsV1Ae>(reference::nls::seal_v1);
    authenticated::check::<NlsV2Ae>(reference::nls::seal_v2);
}

#[test]
fn phelix() {
    authenticated::check_known::<Phelix>("phelix", 16, false);
    authenticated::check_known::<Phelix<8>>("phelix", 8, false);
    authenticated::check_known::<Phelix<10>>("phelix", 10, false);
    authenticated::check_known::<Phelix<12>>("phelix", 12, false);
    authenticated::check_known::<Phelix<14>>("phelix", 14, false);
    authenticated::check::<Phelix>(reference::phelix::seal);
}
