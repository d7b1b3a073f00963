//! The AEADs of TLS 1.3 and QUIC for [`rustls`], by [Combseal](combseal).
//!
//! [`provider`] takes any [`CryptoProvider`] and replaces the protection of records, and of QUIC
//! packets, in its TLS 1.3 suites; key exchange, signatures, hashes, random numbers and TLS 1.2 stay what
//! they were.
//!
//! ```
//! use std::sync::Arc;
//! use rustls::{ClientConfig, RootCertStore, version::TLS13};
//!
//! // Key exchange and signatures by ring; AES-GCM and ChaCha20-Poly1305 by Combseal.
//! let provider = combseal_rustls::provider(rustls::crypto::ring::default_provider());
//!
//! let roots = RootCertStore::empty(); // yours
//! let config = ClientConfig::builder_with_provider(Arc::new(provider))
//!     .with_protocol_versions(&[&TLS13])?
//!     .with_root_certificates(roots)
//!     .with_no_client_auth();
//! assert_eq!(config.crypto_provider().cipher_suites.len(), 3);
//! # Ok::<(), rustls::Error>(())
//! ```
//!
//! (`rustls = { version = "0.23", default-features = false, features = ["ring", "std"] }` is the
//! dependency that goes with this; ring builds with a C compiler alone.)
//!
//! | suite | AEAD | records under one key | QUIC |
//! |---|---|---|---|
//! | `TLS_AES_256_GCM_SHA384` | AES-256-GCM | 2^24, then rustls updates it | yes |
//! | `TLS_AES_128_GCM_SHA256` | AES-128-GCM | 2^24, then rustls updates it | yes |
//! | `TLS_CHACHA20_POLY1305_SHA256` | ChaCha20-Poly1305 | no limit | yes |
//!
//! Suites of other names are left as they are, in their order. All three get QUIC keys,
//! whether the provider's had some or not, so that `quinn` finds `TLS_AES_128_GCM_SHA256` for Initial
//! packets. QUIC's keys are [`combseal_quic`]'s, one packet a call, as rustls's traits have it; who
//! writes a stack of their own protects [batches](combseal_quic::Sealer::seal_batch) with that crate.
//!
//! What it gains on one machine is in the repository's `docs/speed.md`;
//! `cargo run --release -p combseal-rustls --example transfer` measures it beside ring, and with
//! `--features aws-lc-rs` beside AWS-LC too.
//!
//! # What this crate does not change
//!
//! - `rustls` decides when keys are made, counted, updated and dropped. Keys are in a box each, where
//!   they are zeroed when dropped; the [`AeadKey`](rustls::crypto::cipher::AeadKey) that they were
//!   made of, rustls zeroes.
//! - It is not FIPS-validated: the suites say so, whatever the provider's were.
//! - Nobody has audited this crate or the library.
#![forbid(unsafe_code)]

mod quic;
mod record;

use combseal::{Aes128, Aes256, ChaCha20Poly1305, Gcm};
use combseal_quic::Suite;
use record::RecordAlgorithm;
use rustls::crypto::CryptoProvider;
use rustls::crypto::cipher::Tls13AeadAlgorithm;
use rustls::{CipherSuite, CipherSuiteCommon, SupportedCipherSuite, Tls13CipherSuite};
use std::sync::Mutex;

/// `base` with the AEADs of its TLS 1.3 suites replaced by Combseal's.
///
/// ```
/// let base = rustls::crypto::ring::default_provider();
/// let ours = combseal_rustls::provider(base.clone());
/// assert_eq!(ours.cipher_suites, base.cipher_suites); // the same names, in the same order
/// ```
///
/// For the whole process: `combseal_rustls::provider(base).install_default()`, in the program,
/// not in a library.
pub fn provider(base: CryptoProvider) -> CryptoProvider {
    let cipher_suites = base.cipher_suites.iter().copied().map(suite).collect();
    CryptoProvider { cipher_suites, ..base }
}

/// A suite with its AEAD replaced, if it is one of TLS 1.3 with AES-GCM or ChaCha20-Poly1305; else as
/// it is.
///
/// ```
/// use rustls::crypto::ring::cipher_suite::TLS13_CHACHA20_POLY1305_SHA256 as CHACHA20;
/// let mut provider = rustls::crypto::ring::default_provider();
/// provider.cipher_suites = vec![combseal_rustls::suite(CHACHA20)]; // this one, and no other
/// ```
pub fn suite(base: SupportedCipherSuite) -> SupportedCipherSuite {
    let Some(tls13) = base.tls13() else { return base };
    let (aead_alg, quic): (&'static dyn Tls13AeadAlgorithm, &'static dyn rustls::quic::Algorithm) = match tls13
        .common
        .suite
    {
        CipherSuite::TLS13_AES_128_GCM_SHA256 => (&AES_128_GCM, &quic::Packets(Suite::Aes128Gcm)),
        CipherSuite::TLS13_AES_256_GCM_SHA384 => (&AES_256_GCM, &quic::Packets(Suite::Aes256Gcm)),
        CipherSuite::TLS13_CHACHA20_POLY1305_SHA256 => (&CHACHA20_POLY1305, &quic::Packets(Suite::ChaCha20Poly1305)),
        _ => return base,
    };
    SupportedCipherSuite::Tls13(kept(tls13, aead_alg, quic))
}

static AES_128_GCM: RecordAlgorithm<Gcm<Aes128>> = RecordAlgorithm::new();
static AES_256_GCM: RecordAlgorithm<Gcm<Aes256>> = RecordAlgorithm::new();
static CHACHA20_POLY1305: RecordAlgorithm<ChaCha20Poly1305> = RecordAlgorithm::new();

/// The suites that were made: rustls asks for references that live as long as the process, so each
/// is made once for each base, however often [`provider`] is called.
static KEPT: Mutex<Vec<(&'static Tls13CipherSuite, &'static Tls13CipherSuite)>> = Mutex::new(Vec::new());

fn kept(
    base: &'static Tls13CipherSuite,
    aead_alg: &'static dyn Tls13AeadAlgorithm,
    quic: &'static dyn rustls::quic::Algorithm,
) -> &'static Tls13CipherSuite {
    // A thread that panicked here has left the list as it was.
    let mut kept = KEPT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // Of a suite that is one of ours already there is nothing to replace.
    let known = kept.iter().find(|(of, ours)| core::ptr::eq(*of, base) || core::ptr::eq(*ours, base));
    if let Some((_, ours)) = known {
        return ours;
    }
    let common = CipherSuiteCommon {
        suite: base.common.suite,
        hash_provider: base.common.hash_provider,
        confidentiality_limit: base.common.confidentiality_limit,
    };
    let ours: &'static Tls13CipherSuite =
        Box::leak(Box::new(Tls13CipherSuite { common, hkdf_provider: base.hkdf_provider, aead_alg, quic: Some(quic) }));
    kept.push((base, ours));
    ours
}

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
