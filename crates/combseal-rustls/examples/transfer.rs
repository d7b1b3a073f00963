//! Data through a TLS 1.3 connection in memory, beside other providers: how fast one core seals the
//! records at one end and opens them at the other.
//!
//!     cargo run --release -p combseal-rustls --example transfer -- [MiB] [rounds]
//!     cargo run --release -p combseal-rustls --features aws-lc-rs --example transfer
//!
//! Each round sends so many MiB (1,024 unless told otherwise) for each suite and provider, in turns, so that
//! what disturbs the machine disturbs all of them alike. The table gives medians and, in brackets, the best
//! of the rounds, in MB/s (10^6 bytes of plaintext a second). What is timed is rustls with its buffers, as
//! its users have it: sealing is `Writer::write` and `write_tls`, opening is `read_tls`,
//! `process_new_packets` and `Reader::read`.

use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::version::TLS13;
use rustls::{
    CipherSuite, ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection, SupportedCipherSuite,
};
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a program gives rustls at once: four records.
const PART: usize = 4 << 14;

/// A certificate for `localhost` and its key: `tests/certificate/make.py`.
static CERTIFICATE: &[u8] = include_bytes!("../tests/certificate/certificate.der");
static KEY: &[u8] = include_bytes!("../tests/certificate/key.der");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mib: usize = arguments.next().map_or(Ok(1024), |text| text.parse())?;
    let rounds: usize = arguments.next().map_or(Ok(7), |text| text.parse())?;
    run(mib << 20, rounds)
}

/// A connection of few bytes by each provider and suite: that what is measured works.
#[test]
fn small() {
    run(3_000_000, 1).unwrap();
}

fn run(bytes: usize, rounds: usize) -> Result<(), Box<dyn std::error::Error>> {
    let providers = [
        ("Combseal, ring's key exchange", combseal_rustls::provider(ring::default_provider())),
        ("ring", ring::default_provider()),
        #[cfg(feature = "aws-lc-rs")]
        ("aws-lc-rs", rustls::crypto::aws_lc_rs::default_provider()),
    ];
    let suites = [
        CipherSuite::TLS13_AES_128_GCM_SHA256,
        CipherSuite::TLS13_AES_256_GCM_SHA384,
        CipherSuite::TLS13_CHACHA20_POLY1305_SHA256,
    ];

    let mut times = vec![vec![[Vec::new(), Vec::new()]; providers.len()]; suites.len()];
    for round in 0..rounds {
        for (times, suite) in times.iter_mut().zip(suites) {
            // Each round begins with another provider.
            for i in (0..providers.len()).map(|i| (i + round) % providers.len()) {
                let [seal, open] = transfer(only(&providers[i].1, suite), bytes)?;
                times[i][0].push(seal);
                times[i][1].push(open);
            }
        }
    }

    println!("{} MiB a run, {rounds} rounds, {} KiB at a time; MB/s, median (best)\n", bytes >> 20, PART >> 10);
    println!("| suite | provider | sealing | opening |\n|---|---|---:|---:|");
    for (times, suite) in times.iter_mut().zip(suites) {
        for ([seal, open], (name, _)) in times.iter_mut().zip(&providers) {
            println!("| {} | {name} | {} | {} |", suite.as_str().unwrap_or("?"), rate(bytes, seal), rate(bytes, open));
        }
    }
    Ok(())
}

/// A median and the best, in megabytes a second.
fn rate(bytes: usize, times: &mut [Duration]) -> String {
    times.sort();
    let of = |time: &Duration| bytes as f64 / time.as_secs_f64() / 1e6;
    format!("{:.0} ({:.0})", of(&times[times.len() / 2]), of(&times[0]))
}

/// The provider with one suite of TLS 1.3.
fn only(provider: &CryptoProvider, suite: CipherSuite) -> CryptoProvider {
    let is = |it: &SupportedCipherSuite| it.suite() == suite;
    CryptoProvider { cipher_suites: provider.cipher_suites.iter().copied().filter(is).collect(), ..provider.clone() }
}

/// Sends so many bytes from a client to a server; how long the one sealed and the other opened.
fn transfer(provider: CryptoProvider, bytes: usize) -> Result<[Duration; 2], Box<dyn std::error::Error>> {
    let (mut client, mut server) = connect(provider)?;
    let plain: Vec<u8> = (0..PART).map(|i| (i ^ i >> 8) as u8).collect();
    let (mut wire, mut got) = (Vec::with_capacity(2 * PART), vec![0; PART]);
    let mut times = [Duration::ZERO; 2];
    let mut left = bytes;
    while left > 0 {
        let part = &plain[..left.min(PART)];
        wire.clear();
        let start = Instant::now();
        client.writer().write_all(black_box(part))?;
        while client.wants_write() {
            client.write_tls(&mut wire)?;
        }
        let sealed = Instant::now();
        let (mut rest, mut at) = (&wire[..], 0);
        while !rest.is_empty() {
            server.read_tls(&mut rest)?;
            let ready = server.process_new_packets()?.plaintext_bytes_to_read();
            server.reader().read_exact(&mut got[at..at + ready])?;
            at += ready;
        }
        let opened = Instant::now();
        times[0] += sealed - start;
        times[1] += opened - sealed;
        if got[..at] != *part {
            return Err(io::Error::other("other bytes came than were sent").into());
        }
        left -= part.len();
    }
    Ok(times)
}

/// A client and a server that have shaken hands.
fn connect(provider: CryptoProvider) -> Result<(ClientConnection, ServerConnection), Box<dyn std::error::Error>> {
    let provider = Arc::new(provider);
    let certificate = CertificateDer::from(CERTIFICATE);
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone())?;
    let client = ClientConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[&TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let server = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])?
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(KEY)))?;
    let mut client = ClientConnection::new(Arc::new(client), ServerName::try_from("localhost")?)?;
    let mut server = ServerConnection::new(Arc::new(server))?;
    // More at once than rustls keeps by itself.
    client.set_buffer_limit(Some(2 * PART));
    while client.is_handshaking() || server.is_handshaking() || client.wants_write() || server.wants_write() {
        let mut wire = Vec::new();
        while client.wants_write() {
            client.write_tls(&mut wire)?;
        }
        server.read_tls(&mut &wire[..])?;
        server.process_new_packets()?;
        wire.clear();
        while server.wants_write() {
            server.write_tls(&mut wire)?;
        }
        client.read_tls(&mut &wire[..])?;
        client.process_new_packets()?;
    }
    Ok((client, server))
}
