//! Which schemes there are, a line each, and how a vector file names them.

use crate::subject::{self, Apply, Plain, Subject};
use combseal::Algorithm;
use combseal::cpu::Aes;
use combseal::hazmat::Relaxed::{self, *};
use combseal::hazmat::{Cbc, Cfb, Cmac, Comb, Ctr, Ecb, Message, Ofb};
use combseal::{Aes128, Aes192, Aes256, Cpu, Error, Key};
use std::sync::LazyLock;

/// What kind of thing a scheme is, where vector files differ by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nonce, associated data, message; ciphertext and tag.
    Aead,
    /// SIV: any number of associated strings, the nonce perhaps among them.
    Siv,
    /// A plain mode: no tag.
    Stream,
    /// A MAC: no ciphertext, no nonce.
    Mac,
}

/// A scheme that vector files can name.
pub struct Scheme {
    /// The name, without parameters, underlines and hyphens: "ccm", "gcmsiv".
    pub id: String,
    /// What kind it is.
    pub kind: Kind,
    /// The library's names for it, one for each length of key.
    pub algorithms: Vec<Algorithm>,
    door: Door,
}

/// Makes a key for a tier: its bytes, and the tag's length in bytes.
type Maker = fn(Cpu, &[u8], usize) -> Result<Box<dyn Subject>, Error>;

/// How a scheme's keys are made.
enum Door {
    /// By [`Key::hazmat_build`], with rules relaxed, since vectors break them.
    Key(Vec<Relaxed>),
    /// Not by [`Key`].
    Other(Maker),
}

/// Every scheme of the library, as it describes them, and its variants; then the raw modes.
pub static SCHEMES: LazyLock<Vec<Scheme>> = LazyLock::new(|| {
    let mut all: Vec<Scheme> = Vec::new();
    for family in Algorithm::ALL.chunk_by(|a, b| a.description().family == b.description().family) {
        let it = family[0].description();
        let mut rules = Vec::new();
        if it.shortest_nonce < *it.nonce_lens.start() {
            rules.push(ShortNonces);
        }
        if !it.short_tag_lens.is_empty() {
            rules.push(ShortTags);
        }
        let kind = if it.family == "siv" { Kind::Siv } else { Kind::Aead };
        let scheme = |id: String, rules| Scheme { id, kind, algorithms: family.to_vec(), door: Door::Key(rules) };
        let id = it.family.replace('-', "");
        if it.family == "ocb3" {
            all.push(scheme(id.clone() + "fse2011", [&[Fse2011], &rules[..]].concat()));
        }
        all.push(scheme(id, rules));
    }
    let raw: [(&str, Kind, Maker); 7] = [
        ("ecb", Kind::Stream, ecb),
        ("ctr", Kind::Stream, ctr),
        ("cbc", Kind::Stream, cbc),
        ("cbcpkcs5", Kind::Stream, cbc_pkcs5),
        ("cfb", Kind::Stream, cfb),
        ("ofb", Kind::Stream, ofb),
        ("cmac", Kind::Mac, cmac),
    ];
    all.extend(raw.map(|(id, kind, make)| Scheme { id: id.into(), kind, algorithms: vec![], door: Door::Other(make) }));
    all
});

impl Scheme {
    /// Builds a key for a tier: its bytes, the lengths of tag and nonce in bytes; the
    /// nonce's usual one, if none is given.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::TagLength`], [`Error::NonceLength`].
    pub fn key(
        &self,
        cpu: Cpu,
        key: &[u8],
        tag_len: usize,
        nonce_len: Option<usize>,
    ) -> Result<Box<dyn Subject>, Error> {
        let rules = match &self.door {
            Door::Other(build) => return build(cpu, key, tag_len),
            Door::Key(rules) => rules,
        };
        let algorithm = *self.algorithms.iter().find(|a| a.key_len() == key.len()).ok_or(Error::KeyLength)?;
        let mut key = Key::hazmat_build(cpu, algorithm, key, tag_len, rules)?;
        if let Some(len) = nonce_len {
            key.set_nonce_len(len)?;
        }
        Ok(subject::aead(self.kind == Kind::Siv, key))
    }

    /// Whether a person may ask for it: not a variant that vectors alone have.
    pub fn is_listed(&self) -> bool {
        matches!(&self.door, Door::Key(rules) if !rules.contains(&Fse2011))
    }

    /// Key lengths in bytes.
    pub fn key_lens(&self) -> Vec<usize> {
        match &self.algorithms[..] {
            [] => vec![16, 24, 32],
            some => some.iter().map(|a| a.key_len()).collect(),
        }
    }

    /// Tag lengths in bytes, the usual one first.
    pub fn tag_lens(&self) -> &'static [usize] {
        match &self.algorithms[..] {
            [first, ..] => first.tag_lens(),
            [] if self.kind == Kind::Stream => &[0],
            [] => &[16],
        }
    }
}

impl std::fmt::Debug for Scheme {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.id)
    }
}

/// A plain mode by the key's length; there is no tag.
macro_rules! plain {
    ($name:ident, $mode:ident, |$key:ident, $iv:ident, $buf:ident| $encrypt:expr, $decrypt:expr $(, many |$all:ident, $comb:ident| $many:expr)?) => {
        #[doc = concat!("AES-", stringify!($mode), ".")]
        fn $name(cpu: Cpu, bytes: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
            fn of<A: Aes>(cpu: Cpu, bytes: &[u8]) -> Result<Box<dyn Subject>, Error> {
                let key = || $mode::<A>::build(cpu, bytes);
                let (one, two) = (key()?, key()?);
                let many = None::<Apply>;
                $(
                    let three = key()?;
                    let many: Option<Apply> = many.or(Some(Box::new(move |iv, buf| {
                        let mut others = [vec![1; 48], vec![2; 16]];
                        let [a, b] = &mut others;
                        let $all = &mut [Message::new(&three, iv, a), Message::new(&three, iv, buf), Message::new(&three, iv, b)];
                        let $comb = &mut Comb::new();
                        $many
                    })));
                )?
                Ok(Box::new(Plain {
                    encrypt: Box::new(move |$iv, $buf| { let $key = &one; $encrypt }),
                    decrypt: Box::new(move |$iv, $buf| { let $key = &two; $decrypt }),
                    many,
                }))
            }
            match (tag_len, bytes.len()) {
                (1.., _) => Err(Error::TagLength),
                (_, 16) => of::<Aes128>(cpu, bytes),
                (_, 24) => of::<Aes192>(cpu, bytes),
                _ => of::<Aes256>(cpu, bytes),
            }
        }
    };
}

plain!(ecb, Ecb, |key, _iv, buf| key.encrypt(buf), key.decrypt(buf));
plain!(
    ctr,
    Ctr,
    |key, iv, buf| {
        key.apply(iv, buf);
        Ok(())
    },
    {
        key.apply(iv, buf);
        Ok(())
    }
);
plain!(
    cbc,
    Cbc,
    |key, iv, buf| key.encrypt(iv, buf),
    key.decrypt(iv, buf),
    many | all,
    comb | Cbc::encrypt_many(all, comb)
);
plain!(
    cfb,
    Cfb,
    |key, iv, buf| {
        key.encrypt(iv, buf);
        Ok(())
    },
    {
        key.decrypt(iv, buf);
        Ok(())
    },
    many | all,
    comb | {
        Cfb::encrypt_many(all, comb);
        Ok(())
    }
);
plain!(
    ofb,
    Ofb,
    |key, iv, buf| {
        key.apply(iv, buf);
        Ok(())
    },
    {
        key.apply(iv, buf);
        Ok(())
    },
    many | all,
    comb | {
        Ofb::apply_many(all, comb);
        Ok(())
    }
);

/// AES-CBC with padding, as Wycheproof has it.
fn cbc_pkcs5(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
    Ok(subject::padded(cbc(cpu, key, tag_len)?))
}

/// AES-CMAC.
fn cmac(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Box<dyn Subject>, Error> {
    Ok(match key.len() {
        16 => subject::mac(Cmac::<Aes128>::build(cpu, key, tag_len)?),
        24 => subject::mac(Cmac::<Aes192>::build(cpu, key, tag_len)?),
        _ => subject::mac(Cmac::<Aes256>::build(cpu, key, tag_len)?),
    })
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
            let lines: Vec<_> =
                SCHEMES.iter().filter(|s| s.is_listed() && s.algorithms.contains(&a)).map(|s| &s.id[..]).collect();
            assert_eq!(lines.len(), 1, "{a}");
            assert_eq!(by_name(a.name()).map(|s| &s.0.id[..]), Some(lines[0]), "{a}");
        }
    }

    /// Every line's lengths are taken, and no others.
    #[test]
    fn lengths() {
        for scheme in SCHEMES.iter() {
            for n in 0..80 {
                let taken = scheme.key(Cpu::detect(), &vec![0; n], scheme.tag_lens()[0], None).is_ok();
                assert_eq!(taken, scheme.key_lens().contains(&n), "{scheme:?} {n}");
            }
            for n in 0..40 {
                let taken = scheme.key(Cpu::detect(), &vec![0; scheme.key_lens()[0]], n, None).is_ok();
                // What vectors may have, but no person is offered.
                let short = scheme.algorithms.first().is_some_and(|a| a.short_tag_lens().contains(&n));
                assert_eq!(taken, scheme.tag_lens().contains(&n) || short, "{scheme:?} {n}");
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
            ("aes_cbc", "cbc", None),
            ("aes_ecb", "ecb", None),
            ("AES-CBC-PKCS5", "cbcpkcs5", None),
        ] {
            let found = by_name(name).map(|(scheme, name)| (&scheme.id[..], name.tag_len));
            assert_eq!(found, Some((id, tag_len)), "{name}");
        }
        for name in
            ["", "aes", "128", "ocb2_aes128", "ocb1_aes128", "colm0v1", "SM4-GCM", "ARIA-CCM", "eax_prime", "aes_xts"]
        {
            assert!(by_name(name).is_none(), "{name}");
        }
    }
}
