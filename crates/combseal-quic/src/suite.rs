//! The cipher suites that QUIC takes from TLS 1.3, and the versions of QUIC: what they have for
//! keys, how much they may protect, and the constants that keep versions apart.

use combseal::Algorithm;

/// The length of every suite's tag, in bytes.
pub const TAG_LEN: usize = 16;
/// The length of every suite's IV and nonce, in bytes.
pub const IV_LEN: usize = 12;
/// The length of what header protection takes of the ciphertext, in bytes.
pub const SAMPLE_LEN: usize = 16;
/// The longest packet, in bytes.
pub const MAX_PACKET_LEN: usize = 65_535;

/// An AEAD with the hash of its TLS 1.3 cipher suite (RFC 9001, 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suite {
    /// `TLS_AES_128_GCM_SHA256`, which all Initial packets have.
    Aes128Gcm,
    /// `TLS_AES_256_GCM_SHA384`.
    Aes256Gcm,
    /// `TLS_CHACHA20_POLY1305_SHA256`.
    ChaCha20Poly1305,
    /// `TLS_AES_128_CCM_SHA256`.
    Aes128Ccm,
}

impl Suite {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Aes128Gcm, Self::Aes256Gcm, Self::ChaCha20Poly1305, Self::Aes128Ccm];

    /// The AEAD.
    pub const fn algorithm(self) -> Algorithm {
        match self {
            Self::Aes128Gcm => Algorithm::GcmAes128,
            Self::Aes256Gcm => Algorithm::GcmAes256,
            Self::ChaCha20Poly1305 => Algorithm::ChaCha20Poly1305,
            Self::Aes128Ccm => Algorithm::CcmAes128,
        }
    }

    /// The length of the keys of both the AEAD and header protection, in bytes.
    pub const fn key_len(self) -> usize {
        match self {
            Self::Aes128Gcm | Self::Aes128Ccm => 16,
            Self::Aes256Gcm | Self::ChaCha20Poly1305 => 32,
        }
    }

    /// The length of secrets, which is that of the hash's output, in bytes.
    pub const fn secret_len(self) -> usize {
        match self {
            Self::Aes256Gcm => 48,
            _ => 32,
        }
    }

    /// How many packets may be sealed under one key (RFC 9001, 6.6).
    pub const fn confidentiality_limit(self) -> u64 {
        match self {
            Self::Aes128Gcm | Self::Aes256Gcm => 1 << 23,
            // More than there are packet numbers.
            Self::ChaCha20Poly1305 => u64::MAX,
            Self::Aes128Ccm => CCM_LIMIT,
        }
    }

    /// How many forged packets may be received in a connection, under all its keys of this suite
    /// (RFC 9001, 6.6).
    pub const fn integrity_limit(self) -> u64 {
        match self {
            Self::Aes128Gcm | Self::Aes256Gcm => 1 << 52,
            Self::ChaCha20Poly1305 => 1 << 36,
            Self::Aes128Ccm => CCM_LIMIT,
        }
    }
}

/// 2^21.5, rounded down.
const CCM_LIMIT: u64 = 2_965_820;

/// A version of QUIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Version {
    /// Version 1 (RFC 9000, RFC 9001).
    V1,
    /// Version 2 (RFC 9369), which differs in its labels and salts.
    V2,
}

impl Version {
    /// The salt of Initial secrets (RFC 9001, 5.2; RFC 9369, 3.3.1).
    pub(crate) const fn initial_salt(self) -> &'static [u8; 20] {
        match self {
            Self::V1 => b"\x38\x76\x2c\xf7\xf5\x59\x34\xb3\x4d\x17\x9a\xe6\xa4\xc8\x0c\xad\xcc\xbb\x7f\x0a",
            Self::V2 => b"\x0d\xed\xe3\xde\xf7\x00\xa6\xdb\x81\x93\x81\xbe\x6e\x26\x9d\xcb\xf9\xbd\x2e\xd9",
        }
    }

    /// The key and the nonce of Retry packets (RFC 9001, 5.8; RFC 9369, 3.3.3), which are public.
    pub(crate) const fn retry(self) -> (&'static [u8; 16], &'static [u8; 12]) {
        match self {
            Self::V1 => (
                b"\xbe\x0c\x69\x0b\x9f\x66\x57\x5a\x1d\x76\x6b\x54\xe3\x68\xc8\x4e",
                b"\x46\x15\x99\xd3\x5d\x63\x2b\xf2\x23\x98\x25\xbb",
            ),
            Self::V2 => (
                b"\x8f\xb4\xb0\x1b\x56\xac\x48\xe2\x60\xfb\xcb\xce\xad\x7c\xcc\x92",
                b"\xd8\x69\x69\xbc\x2d\x7c\x6d\x99\x90\xef\xb0\x4a",
            ),
        }
    }

    /// The labels of keys, IVs, header protection keys and the next secret (RFC 9001, 5.1 and
    /// 6.1; RFC 9369, 3.3.2).
    pub(crate) const fn labels(self) -> Labels {
        match self {
            Self::V1 => Labels { key: "quic key", iv: "quic iv", header: "quic hp", update: "quic ku" },
            Self::V2 => Labels { key: "quicv2 key", iv: "quicv2 iv", header: "quicv2 hp", update: "quicv2 ku" },
        }
    }
}

/// What tells apart the values that are made of one secret.
pub(crate) struct Labels {
    pub key: &'static str,
    pub iv: &'static str,
    pub header: &'static str,
    pub update: &'static str,
}
