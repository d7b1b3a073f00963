//! What the tests share: two ends of a connection, with a certificate that nobody else trusts.
#![allow(dead_code)]

use rustls::crypto::ring::cipher_suite::{
    TLS13_AES_128_GCM_SHA256, TLS13_AES_256_GCM_SHA384, TLS13_CHACHA20_POLY1305_SHA256,
};
use rustls::crypto::{CryptoProvider, ring::default_provider};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::version::TLS13;
use rustls::{
    ClientConfig, ClientConnection, Error, RootCertStore, ServerConfig, ServerConnection, SupportedCipherSuite,
};
use std::io::{Read, Write};
use std::sync::Arc;

/// `certificate/make.py` made both.
static CERTIFICATE: &[u8] = include_bytes!("../certificate/certificate.der");
static KEY: &[u8] = include_bytes!("../certificate/key.der");

/// ring's suites of TLS 1.3.
pub fn suites() -> [SupportedCipherSuite; 3] {
    [TLS13_AES_128_GCM_SHA256, TLS13_AES_256_GCM_SHA384, TLS13_CHACHA20_POLY1305_SHA256]
}

/// Both ends' settings with one suite, Combseal's or ring's.
pub fn config(suite: SupportedCipherSuite, combseal: bool) -> (Arc<ClientConfig>, Arc<ServerConfig>) {
    let base = CryptoProvider { cipher_suites: vec![suite], ..default_provider() };
    configs(if combseal { combseal_rustls::provider(base) } else { base })
}

/// Both ends' settings with a provider.
pub fn configs(provider: CryptoProvider) -> (Arc<ClientConfig>, Arc<ServerConfig>) {
    let provider = Arc::new(provider);
    let certificate = CertificateDer::from(CERTIFICATE);
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let client = ClientConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[&TLS13])
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let server = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(KEY)))
        .unwrap();
    (Arc::new(client), Arc::new(server))
}

pub fn name() -> ServerName<'static> {
    ServerName::try_from("localhost").unwrap()
}

/// A client and a server that have shaken hands.
pub fn pair(
    (client, _): (Arc<ClientConfig>, Arc<ServerConfig>),
    (_, server): (Arc<ClientConfig>, Arc<ServerConfig>),
) -> (ClientConnection, ServerConnection) {
    let mut client = ClientConnection::new(client, name()).unwrap();
    let mut server = ServerConnection::new(server).unwrap();
    let mut nothing = Vec::new();
    while client.is_handshaking() || server.is_handshaking() || client.wants_write() || server.wants_write() {
        server.take(&client.wire(), &mut nothing).unwrap();
        client.take(&server.wire(), &mut nothing).unwrap();
    }
    assert!(nothing.is_empty());
    (client, server)
}

/// An end of a connection.
pub trait Side {
    fn send(&mut self, data: &[u8]);
    /// What it has to send.
    fn wire(&mut self) -> Vec<u8>;
    /// Takes what the other has sent, and gives what is in it.
    fn take(&mut self, wire: &[u8], got: &mut Vec<u8>) -> Result<(), Error>;
}

macro_rules! side {
    ($($end:ty)*) => {$(
        impl Side for $end {
            fn send(&mut self, data: &[u8]) {
                self.writer().write_all(data).unwrap();
            }
            fn wire(&mut self) -> Vec<u8> {
                let mut wire = Vec::new();
                while self.wants_write() {
                    self.write_tls(&mut wire).unwrap();
                }
                wire
            }
            fn take(&mut self, wire: &[u8], got: &mut Vec<u8>) -> Result<(), Error> {
                let mut rest = wire;
                while !rest.is_empty() {
                    self.read_tls(&mut rest).unwrap();
                    let state = self.process_new_packets()?;
                    let from = got.len();
                    got.resize(from + state.plaintext_bytes_to_read(), 0);
                    self.reader().read_exact(&mut got[from..]).unwrap();
                }
                Ok(())
            }
        }
    )*};
}
side!(ClientConnection ServerConnection);
