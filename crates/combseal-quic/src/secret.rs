//! From a secret to keys: HKDF-Expand-Label (RFC 8446, 7.1) with QUIC's labels.
//!
//! Nothing that QUIC asks for is longer than the hash's output, so that HKDF-Expand (RFC 5869,
//! 2.3) is one HMAC of the secret.

use crate::error::Error;
use crate::header::HeaderKey;
use crate::packet::PacketKey;
use crate::suite::{IV_LEN, Suite, Version};
use core::fmt;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Sha256, Sha384};
use zeroize::{Zeroize, Zeroizing};

/// The longest secret, in bytes.
const MAX_SECRET_LEN: usize = 48;

/// The longest connection ID, in bytes (RFC 9000, 17.2).
pub(crate) const MAX_CONNECTION_ID_LEN: usize = 20;

/// What the keys of one direction are made of: an Initial secret, or one that TLS gave.
///
/// Zeroed when dropped; not `Clone`, and `Debug` shows the suite only.
pub struct Secret {
    version: Version,
    suite: Suite,
    bytes: Zeroizing<[u8; MAX_SECRET_LEN]>,
}

/// The secrets of both directions' Initial packets, which are no secrets: who sees the client's
/// first packet can make them too.
#[derive(Debug)]
pub struct InitialSecrets {
    /// Of the packets that the client sends.
    pub client: Secret,
    /// Of the packets that the server sends.
    pub server: Secret,
}

impl Secret {
    /// A secret that TLS gave for `suite` (RFC 9001, 5.1).
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless it has [`Suite::secret_len`] bytes.
    pub fn new(version: Version, suite: Suite, secret: &[u8]) -> Result<Self, Error> {
        if secret.len() != suite.secret_len() {
            return Err(Error::KeyLength);
        }
        let mut it = Self { version, suite, bytes: Zeroizing::new([0; MAX_SECRET_LEN]) };
        it.bytes[..secret.len()].copy_from_slice(secret);
        Ok(it)
    }

    /// The secrets of Initial packets, of the Destination Connection ID in the first packet that
    /// the client sent (RFC 9001, 5.2).
    ///
    /// # Errors
    /// [`Error::ConnectionIdLength`] if that has more than 20 bytes.
    pub fn initial(version: Version, client_dst_connection_id: &[u8]) -> Result<InitialSecrets, Error> {
        if client_dst_connection_id.len() > MAX_CONNECTION_ID_LEN {
            return Err(Error::ConnectionIdLength);
        }
        let mut common = Self { version, suite: Suite::Aes128Gcm, bytes: Zeroizing::new([0; MAX_SECRET_LEN]) };
        // HKDF-Extract.
        common.suite.hmac(version.initial_salt(), &[client_dst_connection_id], &mut common.bytes[..32]);
        Ok(InitialSecrets { client: common.derived("client in"), server: common.derived("server in") })
    }

    /// The cipher suite.
    pub fn suite(&self) -> Suite {
        self.suite
    }

    /// The version of QUIC.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The secret of the next key phase (RFC 9001, 6.1). Its header protection key is not for
    /// use: that stays as it is.
    pub fn next(&self) -> Self {
        self.derived(self.version.labels().update)
    }

    /// The key and the IV of the AEAD (RFC 9001, 5.1).
    pub fn packet_key(&self) -> PacketKey {
        let (mut key, mut iv) = (Zeroizing::new([0; 32]), Zeroizing::new([0; IV_LEN]));
        let key = &mut key[..self.suite.key_len()];
        self.expand(self.version.labels().key, key);
        self.expand(self.version.labels().iv, &mut iv[..]);
        match PacketKey::new(self.suite, key, &iv) {
            Ok(it) => it,
            Err(_) => unreachable!("the suite's own length of key"),
        }
    }

    /// The header protection key (RFC 9001, 5.1 and 5.4).
    pub fn header_key(&self) -> HeaderKey {
        let mut key = Zeroizing::new([0; 32]);
        let key = &mut key[..self.suite.key_len()];
        self.expand(self.version.labels().header, key);
        match HeaderKey::new(self.suite, key) {
            Ok(it) => it,
            Err(_) => unreachable!("the suite's own length of key"),
        }
    }

    /// Another secret, as long.
    fn derived(&self, label: &str) -> Self {
        let mut it = Self { version: self.version, suite: self.suite, bytes: Zeroizing::new([0; MAX_SECRET_LEN]) };
        self.expand(label, &mut it.bytes[..self.suite.secret_len()]);
        it
    }

    /// HKDF-Expand-Label with an empty context, of at most as many bytes as the hash has.
    fn expand(&self, label: &str, out: &mut [u8]) {
        debug_assert!(out.len() <= self.suite.secret_len());
        let len = (out.len() as u16).to_be_bytes();
        let label_len = [(b"tls13 ".len() + label.len()) as u8];
        // The empty context's length, and the number of HKDF's first and only block.
        let info: [&[u8]; 5] = [&len, &label_len, b"tls13 ", label.as_bytes(), &[0, 1]];
        self.suite.hmac(&self.bytes[..self.suite.secret_len()], &info, out);
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secret").field("version", &self.version).field("suite", &self.suite).finish_non_exhaustive()
    }
}

impl Suite {
    /// The first bytes of an HMAC with the suite's hash.
    fn hmac(self, key: &[u8], data: &[&[u8]], out: &mut [u8]) {
        match self {
            Self::Aes256Gcm => hmac::<Hmac<Sha384>>(key, data, out),
            _ => hmac::<Hmac<Sha256>>(key, data, out),
        }
    }
}

fn hmac<M: Mac + KeyInit>(key: &[u8], data: &[&[u8]], out: &mut [u8]) {
    let Ok(mut mac) = <M as KeyInit>::new_from_slice(key) else { unreachable!("HMAC takes keys of any length") };
    data.iter().for_each(|part| mac.update(part));
    let mut tag = mac.finalize().into_bytes();
    out.copy_from_slice(&tag[..out.len()]);
    tag.as_mut_slice().zeroize();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unhex(text: &str) -> Vec<u8> {
        (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
    }

    /// Key, IV, header protection key and next secret are these.
    fn check(secret: &Secret, known: [&str; 4]) {
        let labels = secret.version.labels();
        for (label, known) in [labels.key, labels.iv, labels.header, labels.update].into_iter().zip(known) {
            let known = unhex(known);
            let mut out = vec![0; known.len()];
            secret.expand(label, &mut out);
            assert_eq!(out, known, "{label}");
        }
        assert_eq!(secret.next().bytes[..], {
            let mut next = unhex(known[3]);
            next.resize(MAX_SECRET_LEN, 0);
            next
        });
    }

    /// RFC 9001, A.1, and RFC 9369, A.1; the next secrets of Initial packets, which no one uses,
    /// are in neither.
    #[test]
    fn initial_secrets() {
        let known = [
            (
                Version::V1,
                "c00cf151ca5be075ed0ebfb5c80323c42d6b7db67881289af4008f1f6c357aea",
                ["1f369613dd76d5467730efcbe3b1a22d", "fa044b2f42a3fd3b46fb255c", "9f50449e04a0e810283a1e9933adedd2"],
                "3c199828fd139efd216c155ad844cc81fb82fa8d7446fa7d78be803acdda951b",
                ["cf3a5331653c364c88f0f379b6067e37", "0ac1493ca1905853b0bba03e", "c206b8d9b9f0f37644430b490eeaa314"],
            ),
            (
                Version::V2,
                "14ec9d6eb9fd7af83bf5a668bc17a7e283766aade7ecd0891f70f9ff7f4bf47b",
                ["8b1a0bc121284290a29e0971b5cd045d", "91f73e2351d8fa91660e909f", "45b95e15235d6f45a6b19cbcb0294ba9"],
                "0263db1782731bf4588e7e4d93b7463907cb8cd8200b5da55a8bd488eafc37c1",
                ["82db637861d55e1d011f19ea71d5d2a7", "dd13c276499c0249d3310652", "edf6d05c83121201b436e16877593c3a"],
            ),
        ];
        for (version, client, of_client, server, of_server) in known {
            let InitialSecrets { client: c, server: s } = Secret::initial(version, &unhex("8394c8f03e515708")).unwrap();
            for (secret, bytes, [key, iv, header]) in [(c, client, of_client), (s, server, of_server)] {
                assert_eq!(secret.bytes[..32], unhex(bytes));
                let next: String = secret.next().bytes[..32].iter().map(|b| format!("{b:02x}")).collect();
                check(&secret, [key, iv, header, &next]);
            }
        }
    }

    /// RFC 9001, A.5, and RFC 9369, A.5.
    #[test]
    fn application_secrets() {
        let secret = unhex("9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b");
        let of = |version| Secret::new(version, Suite::ChaCha20Poly1305, &secret).unwrap();
        check(
            &of(Version::V1),
            [
                "c6d98ff3441c3fe1b2182094f69caa2ed4b716b65488960a7a984979fb23e1c8",
                "e0459b3474bdd0e44a41c144",
                "25a282b9e82f06f21f488917a4fc8f1b73573685608597d0efcb076b0ab7a7a4",
                "1223504755036d556342ee9361d253421a826c9ecdf3c7148684b36b714881f9",
            ],
        );
        check(
            &of(Version::V2),
            [
                "3bfcddd72bcf02541d7fa0dd1f5f9eeea817e09a6963a0e6c7df0f9a1bab90f2",
                "a6b5bc6ab7dafce30ffff5dd",
                "d659760d2ba434a226fd37b35c69e2da8211d10c4f12538787d65645d5d1b8e2",
                "c69374c49e3d2a9466fa689e49d476db5d0dfbc87d32ceeaa6343fd0ae4c7d88",
            ],
        );
    }

    #[test]
    fn lengths() {
        for suite in Suite::ALL {
            for n in 0..=64 {
                let it = Secret::new(Version::V1, suite, &vec![7; n]);
                assert_eq!(it.is_ok(), n == suite.secret_len(), "{suite:?} {n}");
            }
            assert_eq!(suite.key_len(), suite.algorithm().key_len());
            let of = suite.algorithm().description();
            assert_eq!((of.nonce_len, of.tag_lens[0]), (IV_LEN, crate::TAG_LEN));
        }
        assert_eq!(Secret::initial(Version::V1, &[0; 21]).err(), Some(Error::ConnectionIdLength));
        assert!(Secret::initial(Version::V1, &[0; 20]).is_ok());
        let text = format!("{:?}", Secret::initial(Version::V1, &[]).unwrap());
        assert!(text.contains("Aes128Gcm") && !text.contains("bytes"), "{text}");
    }
}
