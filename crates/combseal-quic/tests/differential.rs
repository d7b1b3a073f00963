//! The same packets as another implementation makes: rustls with ring.

mod common;

use combseal_quic::{HeaderKey, Opener, PacketKey, Sealer, Secret, Suite, Version};
use common::{Random, long};
use rustls::crypto::cipher::{AeadKey, Iv};
use rustls::crypto::ring::cipher_suite::{
    TLS13_AES_128_GCM_SHA256, TLS13_AES_256_GCM_SHA384, TLS13_CHACHA20_POLY1305_SHA256,
};
use rustls::{Side, SupportedCipherSuite, quic};

fn theirs(suite: SupportedCipherSuite) -> quic::Suite {
    suite.tls13().unwrap().quic_suite().unwrap()
}

/// Initial packets of both versions and both directions, with connection IDs of every length:
/// secrets, keys, nonces, masks.
#[test]
fn initial_packets() {
    let mut random = Random(3);
    let theirs = theirs(TLS13_AES_128_GCM_SHA256);
    for (version, same) in [(Version::V1, quic::Version::V1), (Version::V2, quic::Version::V2)] {
        for id_len in 0..=20 {
            let id = random.bytes(id_len);
            let ours = Secret::initial(version, &id).unwrap();
            let keys = theirs.keys(&id, Side::Client, same);
            for (secret, their) in [(&ours.client, keys.local), (&ours.server, keys.remote)] {
                let number = random.next() >> random.under(60).max(2);
                let pn_len = 1 + random.under(4);
                let len = 3 + random.under(1200);
                let payload = random.bytes(len);
                let (mut packet, at) = long(id_len, pn_len, &payload);
                let bytes = (number as u32).to_be_bytes();
                packet[at..at + pn_len].copy_from_slice(&bytes[4 - pn_len..]);
                let mut same = packet.clone();
                Sealer::new(secret).seal(&mut packet, at, number).unwrap();

                let (header, rest) = same.split_at_mut(at + pn_len);
                let (body, place) = rest.split_at_mut(payload.len());
                let tag = their.packet.encrypt_in_place(number, header, body).unwrap();
                place.copy_from_slice(tag.as_ref());
                let (head, sample) = same.split_at_mut(at + 4);
                let (first, rest) = head.split_first_mut().unwrap();
                their.header.encrypt_in_place(&sample[..16], first, &mut rest[at - 1..]).unwrap();
                assert_eq!(packet, same);

                if number < 1 << (8 * pn_len - 1) {
                    let opened = Opener::new(secret).open(&mut same, at).unwrap();
                    assert_eq!((opened.number, &same[opened.payload()]), (number, &payload[..]));
                }
            }
        }
    }
}

/// The two halves under keys of 32 bytes, many packets each.
#[test]
fn keys_of_256_bits() {
    let mut random = Random(4);
    for (suite, other) in [
        (Suite::Aes256Gcm, theirs(TLS13_AES_256_GCM_SHA384)),
        (Suite::ChaCha20Poly1305, theirs(TLS13_CHACHA20_POLY1305_SHA256)),
    ] {
        let mut sealed = 0;
        for _ in 0..20 {
            let key: [u8; 32] = random.bytes(32).try_into().unwrap();
            let iv: [u8; 12] = random.bytes(12).try_into().unwrap();
            let ours = PacketKey::new(suite, &key, &iv).unwrap();
            let their = other.quic.packet_key(AeadKey::from(key), Iv::from(iv));
            assert_eq!(their.confidentiality_limit(), suite.confidentiality_limit());
            assert_eq!(their.integrity_limit(), suite.integrity_limit());
            let header = HeaderKey::new(suite, &key).unwrap();
            let their_header = other.quic.header_protection_key(AeadKey::from(key));
            for _ in 0..20 {
                let (number, path) = (random.next() >> 2, random.next() as u32);
                let (ad_len, len) = (random.under(40), random.under(1500));
                let (ad, mut payload) = (random.bytes(ad_len), random.bytes(len));
                let mut same = payload.clone();
                let tag = ours.seal_in_place(number, &ad, &mut payload).unwrap();
                let their_tag = their.encrypt_in_place(number, &ad, &mut same).unwrap();
                assert_eq!((&payload, tag.as_bytes()), (&same, their_tag.as_ref()));
                let tag = ours.seal_in_place_on_path(path, number, &ad, &mut payload).unwrap();
                let their_tag = their.encrypt_in_place_for_path(path, number, &ad, &mut same).unwrap();
                assert_eq!((&payload, tag.as_bytes()), (&same, their_tag.as_ref()));
                payload.extend_from_slice(tag.as_bytes());
                assert_eq!(
                    ours.open_in_place_on_path(path, number, &ad, &mut payload).unwrap(),
                    their
                        .decrypt_in_place_for_path(path, number, &ad, &mut [&same, their_tag.as_ref()].concat())
                        .unwrap()
                );
                let sample: [u8; 16] = random.bytes(16).try_into().unwrap();
                let mut bytes = [random.next() as u8 | 3, 0, 0, 0, 0];
                let first = bytes[0];
                let (head, number) = bytes.split_at_mut(1);
                their_header.encrypt_in_place(&sample, &mut head[0], number).unwrap();
                let mask = header.mask(&sample);
                let bits = if first & 0x80 != 0 { 0x0f } else { 0x1f };
                assert_eq!((bytes[0], &bytes[1..]), (first ^ mask[0] & bits, &mask[1..]));
                sealed += 1;
            }
        }
        assert_eq!(sealed, 400);
    }
}
