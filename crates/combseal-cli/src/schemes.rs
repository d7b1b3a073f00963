//! Which schemes there are: a line each, and a line each in the README's sense
//! of "what is it, and what does it ask of me".

use crate::subject::{self, Subject};
use combseal::{Aead, Aes128, Aes192, Aes256, Cpu, Error, hazmat};

/// What kind of thing a scheme is, where vector files differ by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nonce, associated data, message; ciphertext and tag.
    Aead,
    /// SIV: any number of associated strings, the nonce perhaps among them.
    Siv,
    /// A key stream: no tag.
    Stream,
    /// A MAC: no ciphertext.
    Mac,
}

/// Builds a key for a tier: key bytes, tag length in bytes.
pub type Door = fn(Cpu, &[u8], usize) -> Result<Box<dyn Subject>, Error>;

/// A scheme that vector files can name.
#[derive(Clone, Copy)]
pub struct Scheme {
    /// The name, without parameters, underlines and hyphens: "ccm", "gcmsiv".
    pub id: &'static str,
    /// What kind it is.
    pub kind: Kind,
    /// Its keys.
    pub door: Door,
    /// What a person should know, except for variants that vectors alone need.
    pub about: Option<About>,
}

impl std::fmt::Debug for Scheme {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// What a person should know of a scheme before they use it.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The library's name for it.
    pub name: &'static str,
    /// Key lengths in bytes.
    pub key: &'static [usize],
    /// Nonce lengths in bytes, the usual one first.
    pub nonce: &'static str,
    /// Tag lengths in bytes.
    pub tag: &'static str,
    /// What happens when a nonce is used twice.
    pub misuse: &'static str,
    /// How much one key may seal.
    pub limit: &'static str,
    /// Where it is from.
    pub source: &'static str,
}

/// A scheme over the AES, whose key length says which.
macro_rules! by_aes {
    ($x:ident :: $build:ident, $l128:literal $l192:literal $l256:literal) => {
        |cpu, key, tag_len| {
            let k = key.to_vec();
            match key.len() {
                $l128 => subject::typed(move || $x::<Aes128>::$build(cpu, &k, tag_len)),
                $l192 => subject::typed(move || $x::<Aes192>::$build(cpu, &k, tag_len)),
                $l256 => subject::typed(move || $x::<Aes256>::$build(cpu, &k, tag_len)),
                _ => Err(Error::KeyLength),
            }
        }
    };
    ($x:ident :: $build:ident) => {
        by_aes!($x::$build, 16 24 32)
    };
}

/// A scheme with one kind of key.
macro_rules! one {
    ($x:ident) => {
        |cpu, key, tag_len| {
            let key = key.to_vec();
            subject::typed(move || $x::build(cpu, &key, tag_len))
        }
    };
}

/// AES-CTR, by key length.
fn ctr(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
    use hazmat::Ctr;
    if tag_len != 0 {
        return Err(Error::TagLength);
    }
    Ok(match key.len() {
        16 => Ctr::<Aes128>::build(cpu, key).map(|k| subject::stream(move |iv, buf| k.apply(iv, buf)))?,
        24 => Ctr::<Aes192>::build(cpu, key).map(|k| subject::stream(move |iv, buf| k.apply(iv, buf)))?,
        _ => Ctr::<Aes256>::build(cpu, key).map(|k| subject::stream(move |iv, buf| k.apply(iv, buf)))?,
    })
}

/// Every scheme of the library.
pub const SCHEMES: &[Scheme] = &[Scheme {
    id: "ctr",
    kind: Kind::Stream,
    door: ctr,
    about: Some(About {
        name: "AES-CTR",
        key: &[16, 24, 32],
        nonce: "16",
        tag: "none",
        misuse: "reveals the XOR of the messages",
        limit: "no block twice",
        source: "SP 800-38A, 6.5",
    }),
}];

/// A scheme's name taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// Bytes of tag, where the name says so.
    pub tag_len: Option<usize>,
}

/// Words in the names of vector files that do not change the scheme.
const PLAIN_WORDS: &[&str] = &[
    "aes", "rfc7253", "rfc5297", "rfc8452", "rfc8439", "vectors", "tests", "kat", "extra", "bottom", "sweep", "long",
    "short", "multi", "random", "edge", "hidden", "lengths",
];

/// Finds the scheme that a vector file or a person names: `ccm_aes256_tag64_nonce13`,
/// `AES-GCM-SIV`, `aegis128x2_tag256`, `siv_cmac_512`.
pub fn by_name(name: &str) -> Option<(&'static Scheme, Name)> {
    let lower = name.to_ascii_lowercase();
    let mut out = Name::default();
    let mut words = Vec::new();
    for word in lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()) {
        let number = |prefix| word.strip_prefix(prefix).and_then(|n: &str| n.parse::<usize>().ok());
        if let Some(bits) = number("tag") {
            out.tag_len = Some(bits / 8);
        } else if number("nonce").or(number("iv")).or(number("key")).is_none()
            && !matches!(number("aes"), Some(128 | 192 | 256))
            && !PLAIN_WORDS.contains(&word)
        {
            words.push(word);
        }
    }
    let find = |words: &[&str]| SCHEMES.iter().find(|s| s.id == words.concat());
    let scheme = find(&words).or_else(|| {
        // A number of its own is a key length ("siv_cmac_512"), unless it belongs
        // to the name ("AEGIS-128"), which is tried first.
        words.retain(|w| !matches!(*w, "128" | "192" | "256" | "384" | "512"));
        find(&words)
    })?;
    Some((scheme, out))
}
