//! Tink's keysets of AES-GCM-HKDF streaming keys: cleartext JSON, around protocol buffers in Base64.

use super::error::Error;
use super::secret::{Buffer, random};
use crate::memory::wipe::Wipe;
use base64ct::{Base64, Encoding};
use core::fmt;
use serde_json::Value;
use std::{format, string::String, vec::Vec};

/// The type's address in a keyset.
const TYPE: &str = "type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey";
/// The longest segments that Tink has in all its languages, in bytes of ciphertext.
const LONGEST: u64 = (1 << 31) - 1;

/// The hash of HKDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hash {
    Sha1,
    Sha256,
    Sha512,
}

/// One key of a keyset.
pub(crate) struct TinkKey {
    pub id: u32,
    /// Bytes of ciphertext in a full segment.
    pub segment: usize,
    /// Bytes of AES key: 16 or 32.
    pub derived: usize,
    pub hash: Hash,
    pub ikm: Buffer,
}

/// A keyset of Tink's AES-GCM-HKDF streaming keys, of any segment length, AES-128 or 256.
pub struct TinkKeyset {
    keys: Vec<TinkKey>,
    primary: usize,
}

impl fmt::Debug for TinkKeyset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TinkKeyset({} keys, secret)", self.keys.len())
    }
}

impl TinkKeyset {
    /// Reads a keyset as Tink writes it without encryption. Keys that are not enabled are left
    /// out; those that Tink has destroyed have no material any more. The type of output prefix, of
    /// which streams have none, does not matter.
    ///
    /// # Errors
    /// [`Error::Keyset`] of anything else, of parameters that are not legal, and if the primary
    /// key is not there.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let mut json: Value = serde_json::from_str(json).map_err(|_| Error::Keyset)?;
        let primary = json["primaryKeyId"].as_u64().ok_or(Error::Keyset)?;
        let mut keys = Vec::new();
        for key in json.get_mut("key").and_then(Value::as_array_mut).ok_or(Error::Keyset)? {
            // Taken out of each, so that none is left behind in memory.
            let data = match key.get_mut("keyData").and_then(|data| data.get_mut("value")).map(Value::take) {
                Some(Value::String(text)) => Some(Buffer(text.into_bytes())),
                _ => None,
            };
            match key["status"].as_str() {
                Some("ENABLED") => {}
                Some(_) => continue,
                None => return Err(Error::Keyset),
            }
            let data = data.ok_or(Error::Keyset)?;
            let id = key["keyId"].as_u64().and_then(|id| u32::try_from(id).ok()).ok_or(Error::Keyset)?;
            if key["keyData"]["typeUrl"] != TYPE || key["keyData"]["keyMaterialType"] != "SYMMETRIC" {
                return Err(Error::Keyset);
            }
            let text = core::str::from_utf8(&data.0).map_err(|_| Error::Keyset)?;
            let bytes = Buffer(Base64::decode_vec(text).map_err(|_| Error::Keyset)?);
            keys.push(TinkKey::parse(id, &bytes.0)?);
        }
        let primary = keys.iter().position(|key| u64::from(key.id) == primary).ok_or(Error::Keyset)?;
        Ok(Self { keys, primary })
    }

    /// A keyset of one new key, like Tink's templates: HKDF with SHA-256, AES keys of `key_len`
    /// bytes (16 or 32), and `segment_len` bytes of ciphertext in a segment (Tink's templates
    /// have 4 KiB and 1 MiB).
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::SegmentLength`]: no more than `key_len` + 24 bytes, or more than
    /// 2^31 - 1; [`Error::Random`].
    pub fn generate(key_len: usize, segment_len: usize) -> Result<Self, Error> {
        if !matches!(key_len, 16 | 32) {
            return Err(Error::KeyLength);
        }
        if segment_len <= key_len + 24 || segment_len as u64 > LONGEST {
            return Err(Error::SegmentLength);
        }
        let (mut ikm, mut id) = (Buffer::new(key_len)?, [0; 4]);
        random(&mut ikm.0)?;
        random(&mut id)?;
        // Tink's identifiers are not zero.
        let id = u32::from_be_bytes(id).max(1);
        let key = TinkKey { id, segment: segment_len, derived: key_len, hash: Hash::Sha256, ikm };
        Ok(Self { keys: std::vec![key], primary: 0 })
    }

    /// The keyset as Tink reads it, not encrypted: keep it as a key, and zero the string.
    pub fn to_json(&self) -> String {
        let keys: Vec<String> = self
            .keys
            .iter()
            .map(|key| {
                let bytes = key.encode();
                let mut value = Base64::encode_string(&bytes.0);
                let json = format!(
                    "{{\"keyData\":{{\"typeUrl\":\"{TYPE}\",\"value\":\"{value}\",\"keyMaterialType\":\"SYMMETRIC\"}},\
                     \"status\":\"ENABLED\",\"keyId\":{},\"outputPrefixType\":\"RAW\"}}",
                    key.id
                );
                let mut bytes = core::mem::take(&mut value).into_bytes();
                bytes.as_mut_slice().wipe();
                json
            })
            .collect();
        let json = format!("{{\"primaryKeyId\":{},\"key\":[{}]}}", self.keys[self.primary].id, keys.join(","));
        keys.into_iter().for_each(|key| key.into_bytes().as_mut_slice().wipe());
        json
    }

    /// The key that seals.
    pub(crate) fn primary(&self) -> &TinkKey {
        &self.keys[self.primary]
    }

    /// The keys that open, the primary one first.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &TinkKey> {
        let others = self.keys.iter().enumerate().filter(|&(i, _)| i != self.primary).map(|(_, key)| key);
        core::iter::once(self.primary()).chain(others)
    }
}

impl TinkKey {
    /// Bytes of a stream's header: its own length, the salt, the nonces' prefix.
    pub(crate) fn header(&self) -> usize {
        1 + self.derived + 7
    }

    /// The message `AesGcmHkdfStreamingKey`.
    fn parse(id: u32, bytes: &[u8]) -> Result<Self, Error> {
        let (mut version, mut params, mut ikm) = (0, &[][..], &[][..]);
        fields(bytes, |number, value| match (number, value) {
            (1, Field::Number(n)) => version = n,
            (2, Field::Bytes(b)) => params = b,
            (3, Field::Bytes(b)) => ikm = b,
            _ => {}
        })?;
        let (mut segment, mut derived, mut hash) = (0, 0, 0);
        fields(params, |number, value| match (number, value) {
            (1, Field::Number(n)) => segment = n,
            (2, Field::Number(n)) => derived = n,
            (3, Field::Number(n)) => hash = n,
            _ => {}
        })?;
        let hash = match hash {
            1 => Hash::Sha1,
            3 => Hash::Sha256,
            4 => Hash::Sha512,
            _ => return Err(Error::Keyset),
        };
        let legal = version == 0 && matches!(derived, 16 | 32) && segment > derived + 24 && segment <= LONGEST;
        if !legal || (ikm.len() as u64) < derived {
            return Err(Error::Keyset);
        }
        let mut kept = Buffer::new(ikm.len())?;
        kept.0.copy_from_slice(ikm);
        Ok(Self { id, segment: segment as usize, derived: derived as usize, hash, ikm: kept })
    }

    fn encode(&self) -> Buffer {
        let mut params = Vec::new();
        let hash = match self.hash {
            Hash::Sha1 => 1,
            Hash::Sha256 => 3,
            Hash::Sha512 => 4,
        };
        for (tag, n) in [(0x08, self.segment as u64), (0x10, self.derived as u64), (0x18, hash)] {
            params.push(tag);
            varint(&mut params, n);
        }
        // Room for all of it, so that no copy is left behind where it grew.
        let mut out = Vec::with_capacity(params.len() + self.ikm.0.len() + 16);
        out.push(0x12);
        varint(&mut out, params.len() as u64);
        out.extend(params);
        out.push(0x1a);
        varint(&mut out, self.ikm.0.len() as u64);
        out.extend(&self.ikm.0);
        Buffer(out)
    }
}

/// A field of a protocol buffer.
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// Of a fixed width, which no field that is known here has.
    Fixed,
}

/// Every field of a message; of one that comes twice the last counts.
fn fields<'a>(mut bytes: &'a [u8], mut each: impl FnMut(u64, Field<'a>)) -> Result<(), Error> {
    while !bytes.is_empty() {
        let tag = read_varint(&mut bytes)?;
        let len = match tag & 7 {
            0 => {
                each(tag >> 3, Field::Number(read_varint(&mut bytes)?));
                continue;
            }
            1 => 8,
            2 => usize::try_from(read_varint(&mut bytes)?).map_err(|_| Error::Keyset)?,
            5 => 4,
            _ => return Err(Error::Keyset),
        };
        let (value, rest) = bytes.split_at_checked(len).ok_or(Error::Keyset)?;
        bytes = rest;
        let value = if tag & 7 == 2 { Field::Bytes(value) } else { Field::Fixed };
        each(tag >> 3, value);
    }
    Ok(())
}

fn read_varint(bytes: &mut &[u8]) -> Result<u64, Error> {
    let mut n = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(Error::Keyset)?;
        *bytes = rest;
        n |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(n);
        }
    }
    Err(Error::Keyset)
}

fn varint(out: &mut Vec<u8>, mut n: u64) {
    while n > 127 {
        out.push(n as u8 | 128);
        n >>= 7;
    }
    out.push(n as u8);
}
