//! What is known of an old stream cipher before there is a key.

use crate::about::Status;

/// A stream cipher: its lengths in bytes, its standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct About {
    /// The name, as in `"hc-128"`: that of its known answers too.
    pub name: &'static str,
    /// Bytes in a key: every length that it takes, the paper's first.
    pub key_lens: &'static [usize],
    /// Bytes in a nonce: every length that it takes, that of the systems first; of a cipher
    /// without nonces just 0.
    pub nonce_lens: &'static [usize],
    /// Who defined it, where, when.
    pub source: &'static str,
    /// What became of it.
    pub status: Status,
    /// What became of it, in a sentence: the best attack, by whom, when.
    pub history: &'static str,
    /// Whether this code's time and addresses are the same for every key and message: no table is
    /// looked up by what is secret. The tunings of one cipher may differ in it.
    pub constant_time: bool,
    /// How this code does it, in a few words: `"tables"`, `"64 steps a word"`, `"AESENC"`.
    pub tuning: &'static str,
    /// Bytes of the paper's expanded key (2007, first page), of which 16 are Poly1305's; nothing
    /// where the paper does not have the cipher.
    pub context_2007: Option<usize>,
    /// Whether the known answers come from more than one independent code, and the version is sure.
    pub confirmed: bool,
}
