//! A ring of secrets, each with a number and a state, and what is derived from them: a key for every
//! purpose, domain and number, and a value that tells two secrets apart without telling them.

use super::fault::{Fault, Result};
use base64ct::{Base64Unpadded, Base64UrlUnpadded, Encoding};
use combseal::{Algorithm, Key};
use hkdf::Hkdf;
use serde_json::Value;
use sha2::Sha256;
use zeroize::{Zeroize, Zeroizing};

/// What every derivation's `info` begins with.
const LABEL: &[u8] = b"combseal/col/1";

/// What an entry may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// To seal, unless another one is asked for; there is one.
    Primary,
    /// To seal if asked for by number, and to open.
    Enabled,
    /// To open only.
    DecryptOnly,
    /// For nothing: its secret is gone.
    Destroyed,
}

impl State {
    const ALL: [(Self, &str); 4] = [
        (Self::Primary, "primary"),
        (Self::Enabled, "enabled"),
        (Self::DecryptOnly, "decrypt_only"),
        (Self::Destroyed, "destroyed"),
    ];

    /// Its name in the file.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|it| it.0 == self).map_or("", |it| it.1)
    }
}

/// One secret: 32 bytes that keys are derived from, or 64 that are an AES-256-SIV key of another
/// program's.
pub struct Entry {
    pub id: u32,
    pub state: State,
    pub secret: Zeroizing<Vec<u8>>,
    /// Whether Tink writes no number in front of what this key seals.
    pub bare: bool,
}

/// The entries, in the file's order.
pub struct Secrets {
    pub entries: Vec<Entry>,
    /// Domains that stay on a number of their own.
    pub pins: Vec<(String, u32)>,
}

fn wrong(what: &str) -> Fault {
    Fault::Value(format!("the keyring is wrong: {what}"))
}

/// JSON text, whose secrets are wiped with it.
struct Json(Value);

impl Drop for Json {
    fn drop(&mut self) {
        fn wipe(it: &mut Value) {
            match it {
                Value::String(text) => text.zeroize(),
                Value::Array(all) => all.iter_mut().for_each(wipe),
                Value::Object(all) => all.iter_mut().for_each(|(_, it)| wipe(it)),
                _ => {}
            }
        }
        wipe(&mut self.0);
    }
}

fn json(text: &[u8]) -> Result<Json> {
    // The parser's own message shows no more than a place.
    serde_json::from_slice(text).map(Json).map_err(|_| wrong("it is not JSON"))
}

fn number(it: &Value) -> Result<u32> {
    it.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or(wrong("an id is no number of 32 bits"))
}

fn bytes(it: &Value) -> Result<Zeroizing<Vec<u8>>> {
    let text = it.as_str().ok_or(wrong("a secret is no text"))?.trim_end_matches('=');
    // The alphabet is chosen first, so that no half of a secret is left behind by the one that does not fit.
    let url = text.bytes().any(|letter| matches!(letter, b'-' | b'_'));
    let mut secret = Zeroizing::new(vec![0; text.len() / 4 * 3 + 3]);
    let decoded =
        if url { Base64UrlUnpadded::decode(text, &mut secret) } else { Base64Unpadded::decode(text, &mut secret) };
    let len = decoded.map_err(|_| wrong("a secret is not base64"))?.len();
    secret.truncate(len);
    Ok(secret)
}

impl Secrets {
    /// From this package's JSON: `{"combseal": "keyring", "version": 1, "keys": [{"id", "state",
    /// "secret"}], "pins": {domain: id}}`, secrets in base64 of either alphabet.
    ///
    /// # Errors
    /// If it is anything else. No error shows what is in it.
    pub fn parse(text: &[u8]) -> Result<Self> {
        let it = json(text)?;
        if it.0["combseal"] != "keyring" || it.0["version"] != 1 {
            return Err(wrong("it does not say that it is one, of version 1"));
        }
        let mut entries = Vec::new();
        for key in it.0["keys"].as_array().ok_or(wrong("it has no keys"))? {
            let state = key["state"].as_str().unwrap_or("");
            let state = State::ALL.into_iter().find(|it| it.1 == state).ok_or(wrong("a state has no such name"))?.0;
            let destroyed = state == State::Destroyed;
            let secret = if destroyed { Zeroizing::default() } else { bytes(&key["secret"])? };
            if !destroyed && ![32, 64].contains(&secret.len()) {
                return Err(wrong("a secret has neither 32 bytes nor 64"));
            }
            entries.push(Entry { id: number(&key["id"])?, state, secret, bare: false });
        }
        let mut pins = Vec::new();
        match &it.0["pins"] {
            Value::Null => {}
            Value::Object(all) => {
                for (domain, id) in all {
                    pins.push((domain.clone(), number(id)?));
                }
            }
            _ => return Err(wrong("its pins are no object")),
        }
        Self::checked(entries, pins)
    }

    /// From Tink's JSON keyset in clear, of AES-SIV keys.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn tink(text: &[u8]) -> Result<Self> {
        let it = json(text)?;
        let primary = number(&it.0["primaryKeyId"])?;
        let mut entries = Vec::new();
        for key in it.0["key"].as_array().ok_or(wrong("it has no keys"))? {
            let id = number(&key["keyId"])?;
            let state = match key["status"].as_str() {
                Some("ENABLED") if id == primary => State::Primary,
                Some("ENABLED") => State::Enabled,
                _ => State::Destroyed,
            };
            let bare = match key["outputPrefixType"].as_str() {
                Some("TINK") => false,
                Some("RAW") => true,
                _ => return Err(wrong("a prefix type is neither TINK nor RAW")),
            };
            if key["keyData"]["typeUrl"] != "type.googleapis.com/google.crypto.tink.AesSivKey" {
                return Err(wrong("a key is not Tink's AesSivKey"));
            }
            // A message with the bytes as its field 2, behind its field 1, the version, if that is not zero.
            let value = bytes(&key["keyData"]["value"])?;
            let secret = match (&value[..], state) {
                (_, State::Destroyed) => Zeroizing::default(),
                ([0x12, 64, key @ ..] | [8, 0, 0x12, 64, key @ ..], _) if key.len() == 64 => key.to_vec().into(),
                _ => return Err(wrong("a key does not have 64 bytes")),
            };
            entries.push(Entry { id, state, secret, bare });
        }
        Self::checked(entries, Vec::new())
    }

    fn checked(entries: Vec<Entry>, pins: Vec<(String, u32)>) -> Result<Self> {
        let mut ids: Vec<u32> = entries.iter().map(|it| it.id).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.len() != entries.len() {
            return Err(wrong("an id comes twice"));
        }
        if entries.iter().filter(|it| it.state == State::Primary).count() != 1 {
            return Err(wrong("it must have one primary key"));
        }
        let it = Self { entries, pins };
        for (_, id) in &it.pins {
            it.sealing(*id)?;
        }
        Ok(it)
    }

    /// The entry that a domain is sealed with: the one asked for, else its pin, else the primary.
    ///
    /// # Errors
    /// If that one does not exist, or is not to seal with.
    pub fn chosen(&self, domain: &str, id: Option<u32>) -> Result<&Entry> {
        let pin = || self.pins.iter().find(|it| it.0 == domain).map(|it| it.1);
        let primary = || self.entries.iter().find(|it| it.state == State::Primary).map(|it| it.id);
        self.sealing(id.or_else(pin).or_else(primary).ok_or(wrong("it has no primary key"))?)
    }

    fn sealing(&self, id: u32) -> Result<&Entry> {
        let it = self.entries.iter().find(|it| it.id == id);
        let it = it.ok_or_else(|| Fault::Value(format!("the keyring has no key {id}")))?;
        if !matches!(it.state, State::Primary | State::Enabled) {
            return Err(Fault::Value(format!("key {id} is {} and seals nothing", it.state.name())));
        }
        Ok(it)
    }
}

/// What a derived key is for, which is part of its derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purpose {
    pub name: &'static str,
    pub algorithm: Algorithm,
    /// The first byte of what is sealed with it.
    pub form: u8,
}

/// Deterministic tokens.
pub const TOKENS: [Purpose; 2] = [
    Purpose { name: "token/AES-256-SIV", algorithm: Algorithm::SivAes256, form: 1 },
    Purpose { name: "token/AES-128-SIV", algorithm: Algorithm::SivAes128, form: 2 },
];

/// Sealed cells.
pub const SEALED: [Purpose; 3] = [
    Purpose { name: "sealed/OCB3-AES-256", algorithm: Algorithm::Ocb3Aes256, form: 17 },
    Purpose { name: "sealed/AES-256-GCM", algorithm: Algorithm::GcmAes256, form: 18 },
    Purpose { name: "sealed/AES-256-GCM-SIV", algorithm: Algorithm::GcmSivAes256, form: 19 },
];

/// HKDF-SHA-256 without a salt (RFC 5869); `info` is the label and then each part with its length in
/// front, eight bytes, big-endian.
pub fn derive(secret: &[u8], parts: &[&[u8]], out: &mut [u8]) -> Result<()> {
    let mut info = LABEL.to_vec();
    for part in parts {
        info.extend((part.len() as u64).to_be_bytes());
        info.extend_from_slice(part);
    }
    Hkdf::<Sha256>::new(None, secret).expand(&info, out).map_err(|_| wrong("a key is too long"))
}

impl Entry {
    /// Eight bytes that tell this secret from others; nothing else is derived so.
    ///
    /// # Errors
    /// None that can happen.
    pub fn check(&self) -> Result<[u8; 8]> {
        let mut out = [0; 8];
        derive(&self.secret, &[b"check", &self.id.to_be_bytes()], &mut out)?;
        Ok(out)
    }

    /// The bytes that are the key of a domain's tokens, or those that the keys of its cells are
    /// derived from.
    ///
    /// # Errors
    /// If this is another program's key, and not to derive from.
    pub fn domain_key(&self, purpose: Purpose, domain: &str, len: usize) -> Result<Zeroizing<Vec<u8>>> {
        if self.secret.len() != 32 {
            return Err(Fault::Value(format!("key {} is another program's; `wire` must say whose", self.id)));
        }
        let mut out = Zeroizing::new(vec![0; len]);
        derive(&self.secret, &[purpose.name.as_bytes(), domain.as_bytes(), &self.id.to_be_bytes()], &mut out)?;
        Ok(out)
    }
}

/// The key of the cells that carry `random`.
///
/// # Errors
/// None that can happen.
pub fn chunk_key(domain_key: &[u8], purpose: Purpose, random: &[u8; 16]) -> Result<Key> {
    let mut key = Zeroizing::new([0; 32]);
    derive(domain_key, &[b"chunk", random], &mut key[..])?;
    Ok(Key::new(purpose.algorithm, &key[..])?)
}
