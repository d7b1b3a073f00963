//! What is known of an archived scheme before there is a key.

/// A scheme with its version and size of key: its lengths in bytes, its standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct About {
    /// The name, as in `"CLOC-v1-AES-128"`.
    pub name: &'static str,
    /// The name without version and size of key, as on command lines: `"cloc"`.
    pub family: &'static str,
    /// Bytes in a key.
    pub key_len: usize,
    /// Bytes in a nonce.
    pub nonce_len: usize,
    /// Bits of the tag: how often a forgery is tried in vain, 2^n times on average. (What
    /// sealing adds to a message may be more: `Key::sealed_len`.)
    pub tag_bits: u32,
    /// Bytes in the longest message that the scheme takes.
    pub longest: u64,
    /// Bytes in the longest associated data that the scheme takes.
    pub longest_ad: u64,
    /// What is given away when a nonce repeats under a key.
    pub repeated_nonce: RepeatedNonce,
    /// Who defined it, where, when.
    pub source: &'static str,
    /// What became of it.
    pub status: Status,
    /// What became of it, in a sentence: by whom, how, superseded by what.
    pub history: &'static str,
    /// The files of its known answers in the repository's `vectors/archive`, without `.json`.
    pub known_answers: &'static [&'static str],
}

/// What anyone learns of two messages that were sealed with one nonce, at least. (It follows from
/// how each scheme is defined, and the tests show it. Who chooses the messages may learn more:
/// Vaudenay and Vizár, "Can Caesar Beat Galois?", ACNS 2018, go through CAESAR's third round.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepeatedNonce {
    /// No more than that whole messages were equal: what Rogaway and Shrimpton (EUROCRYPT 2006) call
    /// resistant to misuse.
    Equality,
    /// How far they begin with the same blocks: what online schemes cannot hide (Fleischmann,
    /// Forler and Lucks, FSE 2012, section 2), nor CBC.
    Prefix,
    /// The same, and the XOR of the block behind: cipher feedback.
    PrefixAndXor,
    /// The XOR of the two messages: counter mode.
    Xor,
    /// Which blocks in the same place are equal; and blocks of the two can be put together to a
    /// message that opens: a sum of blocks is all that the tag is made of.
    BlocksAndForgeries,
}

impl std::fmt::Display for RepeatedNonce {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Equality => "which messages are equal",
            Self::Prefix => "common beginnings",
            Self::PrefixAndXor => "common beginnings, some XOR",
            Self::Xor => "XOR of messages",
            Self::BlocksAndForgeries => "equal blocks, forgeries",
        })
    }
}

/// What became of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// There is an attack on what it promised.
    Broken,
    /// Its authors took it back, or left a competition with it.
    Withdrawn,
    /// A later version, or a later scheme of the same authors, has taken its place.
    Superseded,
    /// We know of no standard that has it, as a rule since a competition chose others. It is not
    /// broken, or only in part of what it once promised; its history says which.
    NotChosen,
    /// In CAESAR's final portfolio.
    Portfolio,
    /// Standardised and in use, though new protocols choose others.
    InUse,
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Broken => "broken",
            Self::Withdrawn => "withdrawn",
            Self::Superseded => "superseded",
            Self::NotChosen => "not chosen",
            Self::Portfolio => "CAESAR portfolio",
            Self::InUse => "in use",
        })
    }
}

impl About {
    /// What most schemes have in common; each says what differs. Their definitions take any length, or any that is
    /// a 64-bit number of bits, of bytes or of blocks: less than 2^60 bytes is all three.
    pub(crate) const USUAL: Self = Self {
        name: "",
        family: "",
        key_len: 16,
        nonce_len: 16,
        tag_bits: 128,
        longest: u64::MAX >> 4,
        longest_ad: u64::MAX >> 4,
        repeated_nonce: RepeatedNonce::Prefix,
        source: "",
        status: Status::NotChosen,
        history: "",
        known_answers: &[],
    };
}
