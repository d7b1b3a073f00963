//! Connections in memory, client and server each with Combseal or without: what one seals the other opens.

mod common;

use common::{config, pair, suites};
use rustls::crypto::ring::default_provider;
use rustls::{CipherSuite, ContentType, Error, SupportedCipherSuite};
use std::io::{Read, Write};

/// Sends `data` in one direction, through the wire's bytes; what came is what was sent.
fn transfer(
    from: &mut impl common::Side,
    to: &mut impl common::Side,
    data: &[u8],
    change: impl Fn(&mut Vec<u8>),
) -> Result<(), Error> {
    let mut got = Vec::with_capacity(data.len());
    for part in data.chunks(40_000) {
        from.send(part);
        let mut wire = from.wire();
        change(&mut wire);
        to.take(&wire, &mut got)?;
    }
    assert!(got == data);
    Ok(())
}

fn megabytes(n: usize) -> Vec<u8> {
    (0..n << 20).map(|i| (i ^ i >> 8 ^ i >> 16) as u8).collect()
}

/// Every suite, with Combseal on both sides, on one and on neither: the bytes on the wire are those
/// of the other provider, or the other side could not open them.
#[test]
fn handshakes_and_data() {
    let data = megabytes(3);
    let mut names = Vec::new();
    for suite in suites() {
        for (at_client, at_server) in [(true, true), (true, false), (false, true), (false, false)] {
            let (mut client, mut server) = pair(config(suite, at_client), config(suite, at_server));
            let name = client.negotiated_cipher_suite().unwrap().suite();
            assert_eq!(name, suite.suite());
            transfer(&mut client, &mut server, &data, |_| ()).unwrap();
            transfer(&mut server, &mut client, &data[..1 << 20], |_| ()).unwrap();
            // Records of every short length.
            for n in 0..70 {
                transfer(&mut client, &mut server, &data[..n], |_| ()).unwrap();
            }
            // After new keys too.
            client.refresh_traffic_keys().unwrap();
            server.refresh_traffic_keys().unwrap();
            transfer(&mut client, &mut server, &data[..100_000], |_| ()).unwrap();
            transfer(&mut server, &mut client, &data[..100_000], |_| ()).unwrap();
            names.push(name);
        }
    }
    names.dedup();
    assert_eq!(names.len(), 3);
}

/// A GiB through one connection: 65,536 records, each under a nonce of its own.
#[test]
fn a_gibibyte() {
    let data = megabytes(16);
    let (mut client, mut server) = pair(config(suites()[0], true), config(suites()[0], true));
    for _ in 0..64 {
        transfer(&mut client, &mut server, &data, |_| ()).unwrap();
    }
}

/// A record with a bit changed, wherever, is an error, as are one cut short and one that comes twice.
#[test]
fn forged_records() {
    type Change = fn(&mut Vec<u8>);
    let changes: [(&str, Change); 5] = [
        ("tag", |wire| *wire.last_mut().unwrap() ^= 1),
        ("ciphertext", |wire| wire[5] ^= 0x80),
        ("no ciphertext at all", |wire| {
            wire.truncate(5 + 16);
            wire[3..5].copy_from_slice(&16_u16.to_be_bytes());
        }),
        ("shorter than a tag", |wire| {
            wire.truncate(5 + 15);
            wire[3..5].copy_from_slice(&15_u16.to_be_bytes());
        }),
        ("twice", |wire| wire.extend_from_within(..)),
    ];
    for suite in suites() {
        for (what, change) in changes {
            for at_server in [false, true] {
                let (mut client, mut server) = pair(config(suite, true), config(suite, at_server));
                transfer(&mut client, &mut server, b"before", |_| ()).unwrap();
                let error = transfer(&mut client, &mut server, b"a record", change).unwrap_err();
                assert_eq!(error, Error::DecryptError, "{what}");
            }
        }
    }
}

/// The suites that come out: the names of those that went in, our AEADs in them, QUIC in each; made
/// once, however often they are asked for.
#[test]
fn suites_that_come_out() {
    let base = default_provider();
    let ours = combseal_rustls::provider(base.clone());
    let again = combseal_rustls::provider(combseal_rustls::provider(base.clone()));
    let place = |it: &SupportedCipherSuite| core::ptr::from_ref(it.tls13().unwrap());
    assert_eq!(ours.cipher_suites, base.cipher_suites);
    for ((suite, other), base) in ours.cipher_suites.iter().zip(&again.cipher_suites).zip(&base.cipher_suites) {
        assert_eq!(place(suite), place(other));
        assert_ne!(place(suite), place(base));
        let (suite, base) = (suite.tls13().unwrap(), base.tls13().unwrap());
        assert!(suite.quic.is_some() && !suite.fips());
        assert_eq!(suite.common.confidentiality_limit, base.common.confidentiality_limit);
        assert_eq!(suite.aead_alg.key_len(), base.aead_alg.key_len());
        let len = if suite.common.suite == CipherSuite::TLS13_AES_128_GCM_SHA256 { 16 } else { 32 };
        assert_eq!(suite.quic.unwrap().aead_key_len(), len);
    }
}

/// Keys for the kernel's TLS come out too.
#[test]
fn extracted_secrets() {
    use rustls::ConnectionTrafficSecrets as Secrets;
    for suite in suites() {
        let (mut client, server) = (config(suite, true), config(suite, true));
        let settings = std::sync::Arc::get_mut(&mut client.0).unwrap();
        settings.enable_secret_extraction = true;
        let (client, _) = pair(client, server);
        let secrets = client.dangerous_extract_secrets().unwrap();
        let right = match suite.suite() {
            CipherSuite::TLS13_AES_128_GCM_SHA256 => matches!(secrets.tx.1, Secrets::Aes128Gcm { .. }),
            CipherSuite::TLS13_AES_256_GCM_SHA384 => matches!(secrets.tx.1, Secrets::Aes256Gcm { .. }),
            _ => matches!(secrets.tx.1, Secrets::Chacha20Poly1305 { .. }),
        };
        assert!(right);
    }
}

/// What is sent looks like records of TLS 1.3 from outside.
#[test]
fn records_on_the_wire() {
    let (mut client, mut server) = pair(config(suites()[0], true), config(suites()[0], true));
    client.writer().write_all(b"hello").unwrap();
    let mut wire = Vec::new();
    client.write_tls(&mut wire).unwrap();
    assert_eq!(wire.len(), 5 + 5 + 1 + 16);
    assert_eq!(wire[..5], [u8::from(ContentType::ApplicationData), 3, 3, 0, 22]);
    server.read_tls(&mut &wire[..]).unwrap();
    server.process_new_packets().unwrap();
    let mut got = [0; 5];
    server.reader().read_exact(&mut got).unwrap();
    assert_eq!(&got, b"hello");
}
