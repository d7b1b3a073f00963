//! How a call fails.

use core::fmt;

/// Why a call failed. Of packets that do not open it says nothing but [`Error::Forged`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The packet is not what was sealed: it is to be dropped (RFC 9001, 5.5).
    Forged,
    /// The secret or the key has another length than the suite's.
    KeyLength,
    /// A connection ID has more than 20 bytes (RFC 9000, 17.2).
    ConnectionIdLength,
    /// The packet has no room for the sample that header protection takes, which ends 20 bytes
    /// behind the beginning of the packet number (RFC 9001, 5.4.2). Who seals must pad the
    /// payload, so that it and the packet number have four bytes together; a packet that was
    /// received so is to be dropped.
    PacketTooShort,
    /// The packet has more than 65,535 bytes, which no datagram holds and the limits of
    /// RFC 9001, 6.6 do not speak of.
    PacketTooLong,
    /// The packet number cannot begin at the packet's first byte.
    PacketNumberOffset,
    /// The packet number is larger than 2^62 - 1 (RFC 9000, 12.3), or four bytes cannot tell it
    /// from others that may be on their way (RFC 9000, 17.1).
    PacketNumber,
    /// The packet number is not larger than that of the packet sealed before: as a nonce it
    /// might have been used (RFC 9000, 12.3).
    PacketNumberRepeated,
    /// As many packets were sealed under these keys as are allowed: update the keys, or close
    /// the connection (RFC 9001, 6.6).
    ConfidentialityLimit,
    /// As many forged packets were received as are allowed in a connection, which is to be
    /// closed with `AEAD_LIMIT_REACHED` (RFC 9001, 6.6).
    IntegrityLimit,
    /// An authentic packet has newer keys than one with a larger number, or older ones than one
    /// with a smaller number: the connection is to be closed with `KEY_UPDATE_ERROR` (RFC 9001,
    /// 6.4).
    KeyUpdate,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Forged => "the packet is not authentic",
            Self::KeyLength => "the secret or key has a length that is not the suite's",
            Self::ConnectionIdLength => "the connection ID is longer than 20 bytes",
            Self::PacketTooShort => "the packet is too short for the sample of header protection",
            Self::PacketTooLong => "the packet is longer than 65,535 bytes",
            Self::PacketNumberOffset => "the packet number cannot be where the first byte is",
            Self::PacketNumber => "the packet number is too large, or too far ahead for four bytes",
            Self::PacketNumberRepeated => "the packet number is not larger than the one sealed before",
            Self::ConfidentialityLimit => "as many packets were sealed under these keys as are allowed",
            Self::IntegrityLimit => "as many forged packets were received as are allowed",
            Self::KeyUpdate => "a packet has newer or older keys than its number allows",
        })
    }
}

impl core::error::Error for Error {}

impl From<combseal::Error> for Error {
    /// Of sealing and opening with lengths that this crate chose.
    fn from(error: combseal::Error) -> Self {
        match error {
            combseal::Error::KeyLength => Self::KeyLength,
            combseal::Error::MessageTooLong | combseal::Error::AdTooLong => Self::PacketTooLong,
            combseal::Error::BufferLength | combseal::Error::TagLength => Self::PacketTooShort,
            _ => Self::Forged,
        }
    }
}
