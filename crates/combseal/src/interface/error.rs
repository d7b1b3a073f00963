//! How a call fails.

use core::fmt;

/// Why a call failed. Forgeries say nothing but [`Error::Forged`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The ciphertext, tag, nonce, associated data or key is not what was
    /// sealed. Nothing more can be said.
    Forged,
    /// The key's length in bytes is not the scheme's.
    KeyLength,
    /// The nonce's length in bytes is not this key's, or not one that the scheme takes.
    NonceLength,
    /// The prefix of counter nonces is not eight bytes shorter than the nonce, or not empty where that has
    /// fewer bytes. All prefixes have one length, since with two lengths different prefixes could make
    /// the same nonce.
    PrefixLength,
    /// The tag's length in bytes is not this key's, or not one that the scheme takes
    /// (short ones need a constructor with `hazmat` in its name).
    TagLength,
    /// Source and destination do not fit each other, the sealed message is shorter than its tag, or the offsets of
    /// a column's values fall or pass the end of the data.
    BufferLength,
    /// The message is longer than the scheme allows.
    MessageTooLong,
    /// The associated data is longer, or has more parts, than the scheme allows.
    AdTooLong,
    /// The nonce counter, or what may be sealed under one key, is used up.
    Exhausted,
    /// An earlier job of the batch is to seal under the same key with the same nonce.
    NonceRepeated,
    /// The nonce's counter was accepted before, or is older than the replay window.
    Replayed,
    /// The nonce does not begin with the prefix of the sender that the replay window
    /// watches.
    NoncePrefix,
    /// The scheme has no such form, or no such rule to relax.
    Unsupported,
    /// No scheme of this library has that name, or its family's feature is off. Names of AES's modes need the key's bits:
    /// [`Algorithm::by_name`](crate::Algorithm::by_name).
    UnknownName,
    /// The batch did not come to this job: only a fault of the library would show it.
    NotRun,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Forged => "the message is not authentic",
            Self::KeyLength => "the key has not as many bytes as the scheme takes (`Algorithm::key_len`)",
            Self::NonceLength => "the nonce has a length that this key does not take",
            Self::PrefixLength => {
                "the prefix must be eight bytes shorter than the key's nonces, whose length `set_nonce_len` sets"
            }
            Self::TagLength => "the tag has the wrong length",
            Self::BufferLength => {
                "buffers do not fit each other, a sealed message is shorter than its tag, or offsets fall or pass the end"
            }
            Self::MessageTooLong => "the message is longer than the scheme allows",
            Self::AdTooLong => "the associated data is longer than the scheme allows",
            Self::Exhausted => "nothing more may be sealed under this key",
            Self::NonceRepeated => "the batch has this nonce under this key already",
            Self::Replayed => "the message was accepted before, or is older than the replay window",
            Self::NoncePrefix => "the nonce is not of the sender that is watched for replays",
            Self::Unsupported => "the scheme has no such form or rule",
            Self::UnknownName => {
                "no scheme here has that name (`Algorithm::ALL` lists them; those of AES's modes have the key's bits)"
            }
            Self::NotRun => "the batch did not come to this job",
        })
    }
}

impl core::error::Error for Error {}
