//! What a file of known answers holds, whichever format it came in.

use crate::schemes::{self, Scheme};
use combseal_archive::streams::named::{StreamCipher, StreamSystem};

/// What a test expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Sealing gives the ciphertext and the tag, opening gives the message.
    Valid,
    /// Opening refuses, and leaves zeros.
    Forged,
    /// The library may refuse; if it does not, everything fits.
    Either,
}

/// The ciphertext that a test expects.
#[derive(Clone, Debug)]
pub enum Ciphertext {
    /// These bytes.
    Bytes(Vec<u8>),
    /// As long as the message, with this SHA-256.
    Sha256(Vec<u8>),
}

/// One test.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file's number or name for it.
    pub id: String,
    /// What the file says about it.
    pub comment: String,
    /// What is expected.
    pub verdict: Verdict,
    /// The key.
    pub key: Vec<u8>,
    /// The nonce or initial counter block; `None` for a scheme used without one.
    pub nonce: Option<Vec<u8>>,
    /// The associated data: one string, or any number for SIV. What a MAC
    /// authenticates is here too, and its message is empty.
    pub ads: Vec<Vec<u8>>,
    /// The message.
    pub msg: Vec<u8>,
    /// The ciphertext, without the tag.
    pub ct: Ciphertext,
    /// The tag.
    pub tag: Vec<u8>,
    /// The tag length of the key, in bytes.
    pub tag_len: usize,
}

/// One value of the iterated test at the end of RFC 7253, appendix A.
#[derive(Clone, Debug)]
pub struct Iterated {
    /// Bytes in the key.
    pub key_len: usize,
    /// Bytes in the tag.
    pub tag_len: usize,
    /// The output.
    pub output: Vec<u8>,
}

/// A file's tests.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The scheme.
    pub scheme: &'static Scheme,
    /// The tests, in the file's order.
    pub cases: Vec<Case>,
    /// The iterated tests.
    pub iterated: Vec<Iterated>,
}

/// The tests of a file of the archive's.
#[derive(Clone, Debug)]
pub struct Archived {
    /// The scheme, with each size of key that the file's name leaves open.
    pub schemes: Vec<combseal_archive::Scheme>,
    /// The tests, in the file's order.
    pub cases: Vec<Case>,
}

/// The tests of a file of the archive's stream ciphers.
#[derive(Clone, Debug)]
pub enum Streams {
    /// Of a cipher by itself, in all its tunings.
    KeyStream(Vec<&'static StreamCipher>, Vec<KeyStream>),
    /// Of a system, in all its tunings.
    System(Vec<&'static StreamSystem>, Vec<Packet>),
}

/// A test of a key stream.
#[derive(Clone, Debug)]
pub struct KeyStream {
    /// The file's name for it.
    pub id: String,
    /// The key.
    pub key: Vec<u8>,
    /// The nonce.
    pub nonce: Vec<u8>,
    /// How many bytes are made.
    pub len: usize,
    /// What they are.
    pub expected: Expected,
}

/// What a key stream is.
#[derive(Clone, Debug)]
pub enum Expected {
    /// These bytes.
    Bytes(Vec<u8>),
    /// This is its SHA-256, and these bytes are in these places.
    Sha256(Vec<u8>, Vec<(usize, Vec<u8>)>),
}

/// A test of a system.
#[derive(Clone, Debug)]
pub struct Packet {
    /// The file's name for it.
    pub id: String,
    /// The key; with Poly1305, r and behind it the cipher's.
    pub key: Vec<u8>,
    /// The nonce.
    pub nonce: Vec<u8>,
    /// The associated data.
    pub ad: Vec<u8>,
    /// The message.
    pub msg: Vec<u8>,
    /// The ciphertext.
    pub ct: Vec<u8>,
    /// The authenticator. Of one that is longer than the archive's, the first bytes are compared;
    /// of one that is shorter, all.
    pub tag: Vec<u8>,
    /// The first bytes of the key stream, where the file has them.
    pub mask: Option<Vec<u8>>,
}

/// What a file turned out to be.
#[derive(Clone, Debug)]
pub enum Vectors {
    /// Tests of a scheme that is here.
    Suite(Suite),
    /// Tests of a scheme of the archive.
    Archived(Archived),
    /// Tests of a stream cipher of the archive, by itself or authenticating.
    Stream(Streams),
    /// Tests of a format of sealed streams, which the library's own tests go through.
    Sealed {
        /// What the file calls it.
        format: String,
        /// How many tests it has.
        tests: usize,
    },
    /// Tests of another scheme.
    Unknown {
        /// What the file calls it.
        scheme: String,
        /// How many tests it has.
        tests: usize,
    },
}

/// What reading may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes that a test may ask to be generated (`ocb3_long`).
    pub generated: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { generated: 64 << 20 }
    }
}

/// The scheme of that name, or the tests counted as unknown.
pub(super) fn known(name: &str, tests: usize) -> Result<(&'static Scheme, schemes::Name), Vectors> {
    schemes::by_name(name).ok_or_else(|| Vectors::Unknown { scheme: name.into(), tests })
}
