//! What is known of a scheme before there is a key.
//!
//! There is one description a scheme, beside its kernels (`schemes/`). All else reads it:
//! the registry, the traits of other crates, the `combseal` command, the laboratory.

use core::fmt;
use core::ops::RangeInclusive;

/// A scheme with its size of key: its lengths in bytes, its limits, its standing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Description {
    /// The name, as in `"OCB3-AES-128"`.
    pub name: &'static str,
    /// The name without the size of the AES key, as on command lines: `"ocb3"`.
    pub family: &'static str,
    /// Bytes in a key.
    pub key_len: usize,
    /// Bits of key that an adversary has to guess: of two AES keys, those of one.
    pub key_bits: u32,
    /// Bytes in a nonce as a rule.
    pub nonce_len: usize,
    /// Bytes in a nonce that a key can be told to take.
    pub nonce_lens: RangeInclusive<usize>,
    /// Bytes in the shortest nonce that a hazmat name allows.
    pub shortest_nonce: usize,
    /// Tags' lengths in bytes, the usual one first: none under 8, nor those that the
    /// scheme's standard ties to conditions (GCM's under 12).
    pub tag_lens: &'static [usize],
    /// The shorter ones that a hazmat name allows besides.
    pub short_tag_lens: &'static [usize],
    /// Whether a sealed message carries its tag before the ciphertext rather than behind it.
    pub tag_first: bool,
    /// What may be sealed, with nonces of the usual length.
    pub limits: Limits,
    /// Where the limits are from.
    pub limits_source: &'static str,
    /// Who defined the scheme, and where.
    pub source: &'static str,
    /// The standard or RFC among these, if there is one: a draft is none.
    pub standard: Option<&'static str>,
    /// Whether NIST approves it (SP 800-38 A to G).
    pub nist: bool,
    /// What an adversary gains when a nonce is used twice under one key.
    pub repeated_nonce: RepeatedNonce,
}

/// What a scheme allows, in bytes, blocks and messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes in one message.
    pub message: u64,
    /// Bytes of associated data with one message.
    pub ad: u64,
    /// 16-byte blocks of messages and associated data under one key.
    pub key_blocks: u64,
    /// Messages under one key.
    pub key_messages: u64,
}

/// What an adversary gains when a nonce is used twice under one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepeatedNonce {
    /// No more than that whole messages were equal.
    Equality,
    /// The XOR of the two messages.
    Xor,
    /// The XOR of the two messages, and forgeries from then on.
    XorAndForgeries,
    /// Much of both messages, and forgeries.
    BothAndForgeries,
}

impl fmt::Display for RepeatedNonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Equality => "which messages are equal",
            Self::Xor => "XOR of messages",
            Self::XorAndForgeries => "XOR of messages, forgeries",
            Self::BothAndForgeries => "both messages, forgeries",
        })
    }
}

impl Description {
    /// What most schemes have in common; each says what differs.
    pub(crate) const USUAL: Self = Self {
        name: "",
        family: "",
        key_len: 16,
        key_bits: 128,
        nonce_len: 12,
        nonce_lens: 12..=12,
        shortest_nonce: 12,
        tag_lens: &[16],
        short_tag_lens: &[],
        tag_first: false,
        limits: Limits { message: u64::MAX, ad: u64::MAX, key_blocks: u64::MAX, key_messages: u64::MAX },
        limits_source: "",
        source: "",
        standard: None,
        nist: false,
        repeated_nonce: RepeatedNonce::XorAndForgeries,
    };

    /// Whether a repeated nonce shows no more than that a whole message was repeated.
    pub const fn allows_repeats(&self) -> bool {
        matches!(self.repeated_nonce, RepeatedNonce::Equality)
    }
}
