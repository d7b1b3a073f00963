//! Which schemes there are, a line each, and how a vector file names them.

use crate::about::{self, About};
use crate::subject::{self, Subject};
use combseal::cpu::Aes;
use combseal::hazmat::{Cmac, Ctr};
use combseal::{Aead, Aes128, Aes192, Aes256, Ccm, Cpu, Eax, Error, Gcm, Ocb3, Siv};
use combseal::{Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4};

/// What kind of thing a scheme is, where vector files differ by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nonce, associated data, message; ciphertext and tag.
    Aead,
    /// SIV: any number of associated strings, the nonce perhaps among them.
    Siv,
    /// A key stream: no tag.
    Stream,
    /// A MAC: no ciphertext, no nonce.
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
    pub about: Option<&'static About>,
}

impl std::fmt::Debug for Scheme {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// A scheme over the AES, whose key length says which.
macro_rules! by_aes {
    ($($build:ident)::+) => {
        |cpu, key, tag_len| match key.len() {
            16 => by_aes!(@ Aes128, cpu, key, tag_len, $($build)::+),
            24 => by_aes!(@ Aes192, cpu, key, tag_len, $($build)::+),
            _ => by_aes!(@ Aes256, cpu, key, tag_len, $($build)::+),
        }
    };
    (@ $aes:ty, $cpu:ident, $key:ident, $tag_len:ident, $x:ident::$build:ident) => {
        typed($cpu, $key, $tag_len, $x::<$aes>::$build)
    };
    (@ $aes:ty, $cpu:ident, $key:ident, $tag_len:ident, $build:ident) => {
        typed($cpu, $key, $tag_len, $build::<$aes>)
    };
}

/// SIV, whose key is two keys of the AES.
fn siv(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
    let k = key.to_vec();
    match key.len() {
        32 => subject::vectored(move || Siv::<Aes128>::build(cpu, &k, tag_len)),
        48 => subject::vectored(move || Siv::<Aes192>::build(cpu, &k, tag_len)),
        _ => subject::vectored(move || Siv::<Aes256>::build(cpu, &k, tag_len)),
    }
}

/// AES-CMAC.
fn cmac(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
    match key.len() {
        16 => Ok(subject::mac(Cmac::<Aes128>::build(cpu, key, tag_len)?)),
        24 => Ok(subject::mac(Cmac::<Aes192>::build(cpu, key, tag_len)?)),
        _ => Ok(subject::mac(Cmac::<Aes256>::build(cpu, key, tag_len)?)),
    }
}

/// A scheme with one kind of key.
macro_rules! one {
    ($x:ident) => {
        |cpu, key, tag_len| typed(cpu, key, tag_len, $x::build)
    };
}

/// The key of an AEAD type.
fn typed<A: Aead + 'static>(
    cpu: Cpu,
    key: &[u8],
    tag_len: usize,
    build: fn(Cpu, &[u8], usize) -> Result<A, Error>,
) -> Result<Box<dyn Subject>, Error> {
    let key = key.to_vec();
    subject::typed(move || build(cpu, &key, tag_len))
}

/// OCB3 with every nonce that the vectors have.
fn ocb3<A: Aes>(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Ocb3<A>, Error> {
    let mut key = Ocb3::build(cpu, key, tag_len)?;
    key.hazmat_allow_short_nonces();
    Ok(key)
}

/// The same in the form of FSE 2011.
fn ocb3_fse2011<A: Aes>(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Ocb3<A>, Error> {
    let mut key = Ocb3::build_fse2011(cpu, key, tag_len)?;
    key.hazmat_allow_short_nonces();
    Ok(key)
}

/// AES-CTR.
fn ctr(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
    fn of<A: Aes>(cpu: Cpu, key: &[u8]) -> Result<Box<dyn Subject>, Error> {
        let key = Ctr::<A>::build(cpu, key)?;
        Ok(subject::stream(move |iv, buf| key.apply(iv, buf)))
    }
    match (key.len(), tag_len) {
        (_, 1..) => Err(Error::TagLength),
        (16, _) => of::<Aes128>(cpu, key),
        (24, _) => of::<Aes192>(cpu, key),
        _ => of::<Aes256>(cpu, key),
    }
}

/// The table; a variant that only vectors ask for has no description.
macro_rules! schemes {
    ($($id:literal $kind:ident, $door:expr $(, $about:expr)?;)*) => {
        /// Every scheme of the library.
        pub const SCHEMES: &[Scheme] =
            &[$(Scheme { id: $id, kind: Kind::$kind, door: $door, about: schemes!(@ $($about)?) }),*];
    };
    (@) => { None };
    (@ $about:expr) => { Some(&$about) };
}

schemes! {
    "ocb3" Aead, by_aes!(ocb3), about::OCB3;
    "ocb3fse2011" Aead, by_aes!(ocb3_fse2011);
    "gcm" Aead, by_aes!(Gcm::build), about::GCM;
    "ccm" Aead, by_aes!(Ccm::build), about::CCM;
    "eax" Aead, by_aes!(Eax::build), about::EAX;
    "sivcmac" Siv, siv, about::SIV;
    "aegis128" Aead, one!(Aegis128), about::AEGIS_128;
    "aegis128l" Aead, one!(Aegis128L), about::AEGIS_128L;
    "aegis256" Aead, one!(Aegis256), about::AEGIS_256;
    "aegis128x2" Aead, one!(Aegis128X2), about::AEGIS_128X2;
    "aegis128x4" Aead, one!(Aegis128X4), about::AEGIS_128X4;
    "aegis256x2" Aead, one!(Aegis256X2), about::AEGIS_256X2;
    "aegis256x4" Aead, one!(Aegis256X4), about::AEGIS_256X4;
    "ctr" Stream, ctr, about::CTR;
    "cmac" Mac, cmac, about::CMAC;
}

/// A scheme's name taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// Bytes of tag, where the name says so.
    pub tag_len: Option<usize>,
}

/// Words in the names of vector files that do not change the scheme.
const PLAIN_WORDS: &[&str] = &[
    "aes", "aead", "rfc7253", "rfc5297", "rfc8452", "rfc8439", "vectors", "tests", "kat", "extra", "bottom", "sweep",
    "long", "short", "multi", "random", "edge", "hidden", "lengths",
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
