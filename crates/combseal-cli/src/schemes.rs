//! Which schemes there are, a line each, and how a vector file names them.

use crate::about::{self, About};
use crate::subject::{self, Subject};
use combseal::Algorithm::{self, *};
use combseal::cpu::Aes;
use combseal::hazmat::{Cmac, Ctr};
use combseal::{Aes128, Aes192, Aes256, Cpu, Error, Key, Ocb3, Siv};

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

/// A key for a tier, from its bytes and the tag's length.
type Door = fn(Cpu, &[u8], usize) -> Result<Box<dyn Subject>, Error>;

/// A scheme that vector files can name.
#[derive(Clone, Copy)]
pub struct Scheme {
    /// The name, without parameters, underlines and hyphens: "ccm", "gcmsiv".
    pub id: &'static str,
    /// What kind it is.
    pub kind: Kind,
    /// The library's names for it, one for each length of key.
    pub algorithms: &'static [Algorithm],
    /// What a person should know.
    pub about: About,
    /// Its keys, where vectors ask for more than [`Key`] gives.
    door: Option<Door>,
}

/// The table of schemes.
macro_rules! schemes {
    ($($id:literal $kind:ident [$($algorithm:ident),*] $about:ident $($door:expr)?;)*) => {
        /// Every scheme of the library, and its variants.
        pub const SCHEMES: &[Scheme] = &[$(Scheme {
            id: $id,
            kind: Kind::$kind,
            algorithms: &[$($algorithm),*],
            about: about::$about,
            door: schemes!(@ $($door)?),
        }),*];
    };
    (@) => { None };
    (@ $door:expr) => { Some($door) };
}

schemes! {
    "ocb3" Aead [Ocb3Aes128, Ocb3Aes192, Ocb3Aes256] OCB3 ocb3;
    "ocb3fse2011" Aead [] OCB3 ocb3_fse2011;
    "gcm" Aead [GcmAes128, GcmAes192, GcmAes256] GCM;
    "ccm" Aead [CcmAes128, CcmAes192, CcmAes256] CCM;
    "eax" Aead [EaxAes128, EaxAes192, EaxAes256] EAX;
    "siv" Siv [SivAes128, SivAes192, SivAes256] SIV siv;
    "aegis128" Aead [Aegis128] AEGIS_128;
    "aegis128l" Aead [Aegis128L] AEGIS_128X;
    "aegis128x2" Aead [Aegis128X2] AEGIS_128X;
    "aegis128x4" Aead [Aegis128X4] AEGIS_128X;
    "aegis256" Aead [Aegis256] AEGIS_256X;
    "aegis256x2" Aead [Aegis256X2] AEGIS_256X;
    "aegis256x4" Aead [Aegis256X4] AEGIS_256X;
    "chacha20poly1305" Aead [ChaCha20Poly1305] CHACHA20_POLY1305;
    "xchacha20poly1305" Aead [XChaCha20Poly1305] XCHACHA20_POLY1305;
    "ctr" Stream [] CTR ctr;
    "cmac" Mac [] CMAC cmac;
}

impl Scheme {
    /// Builds a key for a tier: its bytes, and the tag's length in bytes.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::TagLength`].
    pub fn key(&self, cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
        if let Some(door) = self.door {
            return door(cpu, key, tag_len);
        }
        let algorithm = *self.algorithms.iter().find(|a| a.key_len() == key.len()).ok_or(Error::KeyLength)?;
        let key = key.to_vec();
        subject::aead(move || Key::build(cpu, algorithm, &key, tag_len))
    }

    /// Key lengths in bytes.
    pub fn key_lens(&self) -> Vec<usize> {
        match self.algorithms {
            [] => vec![16, 24, 32],
            some => some.iter().map(|a| a.key_len()).collect(),
        }
    }

    /// Tag lengths in bytes, the usual one first.
    pub fn tag_lens(&self) -> &'static [usize] {
        match (self.algorithms, self.kind) {
            ([first, ..], _) => first.tag_lens(),
            (_, Kind::Stream) => &[0],
            (_, Kind::Mac) => &[16],
            _ => Ocb3Aes128.tag_lens(),
        }
    }
}

impl std::fmt::Debug for Scheme {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// Calls a function of the AES that the key's length, in so many bytes more
/// than the AES takes, stands for.
macro_rules! by_aes {
    ($f:ident($cpu:ident, $key:ident, $($more:expr),*), $times:literal) => {
        match $key.len() / $times {
            16 => $f::<Aes128>($cpu, $key, $($more),*),
            24 => $f::<Aes192>($cpu, $key, $($more),*),
            _ => $f::<Aes256>($cpu, $key, $($more),*),
        }
    };
}

/// OCB3 with the short nonces that its vectors have.
fn ocb3(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
    by_aes!(any_nonce(cpu, key, tag_len, Ocb3::build), 1)
}

/// The same in the form of FSE 2011.
fn ocb3_fse2011(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
    by_aes!(any_nonce(cpu, key, tag_len, Ocb3::build_fse2011), 1)
}

fn any_nonce<A: Aes>(
    cpu: Cpu,
    key: &[u8],
    tag_len: usize,
    build: fn(Cpu, &[u8], usize) -> Result<Ocb3<A>, Error>,
) -> Result<Box<dyn Subject>, Error> {
    let key = key.to_vec();
    subject::aead(move || {
        let mut key = build(cpu, &key, tag_len)?;
        key.hazmat_allow_short_nonces();
        Ok(key)
    })
}

/// SIV, whose key is two keys of the AES, with any number of strings.
fn siv(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
    fn of<A: Aes>(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
        let key = key.to_vec();
        subject::siv(move || Siv::<A>::build(cpu, &key, tag_len))
    }
    by_aes!(of(cpu, key, tag_len), 2)
}

/// AES-CTR.
fn ctr(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
    fn of<A: Aes>(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
        if tag_len != 0 {
            return Err(Error::TagLength);
        }
        let key = Ctr::<A>::build(cpu, key)?;
        Ok(subject::stream(move |iv, buf| key.apply(iv, buf)))
    }
    by_aes!(of(cpu, key, tag_len), 1)
}

/// AES-CMAC.
fn cmac(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
    fn of<A: Aes>(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
        Ok(subject::mac(Cmac::<A>::build(cpu, key, tag_len)?))
    }
    by_aes!(of(cpu, key, tag_len), 1)
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
    let find = |words: &[&str]| {
        let id = words.concat();
        let id = if id == "sivcmac" { "siv" } else { &id };
        SCHEMES.iter().find(|s| s.id == id)
    };
    let scheme = find(&words).or_else(|| {
        // A number of its own is a key length ("siv_cmac_512"), unless it belongs
        // to the name ("AEGIS-128"), which is tried first.
        words.retain(|w| !matches!(*w, "128" | "192" | "256" | "384" | "512"));
        find(&words)
    })?;
    Some((scheme, out))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every algorithm stands in one line, and its name leads there.
    #[test]
    fn whole_registry() {
        for &a in Algorithm::ALL {
            let lines: Vec<_> = SCHEMES.iter().filter(|s| s.algorithms.contains(&a)).map(|s| s.id).collect();
            assert_eq!(lines.len(), 1, "{a}");
            assert_eq!(by_name(a.name()).map(|s| s.0.id), Some(lines[0]), "{a}");
        }
    }

    /// Every line's lengths are taken, and no others.
    #[test]
    fn lengths() {
        for scheme in SCHEMES {
            for n in 0..80 {
                let taken = scheme.key(Cpu::detect(), &vec![0; n], scheme.tag_lens()[0]).is_ok();
                assert_eq!(taken, scheme.key_lens().contains(&n), "{scheme:?} {n}");
            }
            for n in 0..40 {
                let taken = scheme.key(Cpu::detect(), &vec![0; scheme.key_lens()[0]], n).is_ok();
                assert_eq!(taken, scheme.tag_lens().contains(&n), "{scheme:?} {n}");
            }
        }
    }

    #[test]
    fn names() {
        for (name, id, tag_len) in [
            ("ocb3_aes192_tag96", "ocb3", Some(12)),
            ("ocb3_rfc7253_vectors", "ocb3", None),
            ("ocb3_fse2011_tag64", "ocb3fse2011", Some(8)),
            ("ccm_aes256_tag64_nonce13", "ccm", Some(8)),
            ("aegis128x2_tag256", "aegis128x2", Some(32)),
            ("siv_cmac_512", "siv", None),
            ("gcm_siv_aes128", "gcmsiv", None),
            ("AES-GCM-SIV", "gcmsiv", None),
            ("AEAD-AES-SIV-CMAC", "siv", None),
            ("AEGIS-128L", "aegis128l", None),
            ("XCHACHA20-POLY1305", "xchacha20poly1305", None),
            ("aes_ctr", "ctr", None),
        ] {
            let Some((scheme, found)) = by_name(name) else {
                assert_eq!(id, "gcmsiv", "{name}");
                continue;
            };
            assert_eq!((scheme.id, found.tag_len), (id, tag_len), "{name}");
        }
        for name in
            ["", "aes", "128", "ocb2_aes128", "ocb1_aes128", "colm0v1", "SM4-GCM", "ARIA-CCM", "eax_prime", "aes_cbc"]
        {
            assert!(by_name(name).is_none(), "{name}");
        }
    }
}
