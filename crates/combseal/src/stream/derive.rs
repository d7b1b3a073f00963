//! What is derived from a stream's file key: the payload's key, the nonces' prefix, the
//! commitment, and the header's MAC key. HKDF-SHA-256 (RFC 5869) over all that never changes.

use super::error::Error;
use super::layout::{Layout, SALTED, UNCHANGING};
use super::secret::Secret;
use super::segments::{MARKS, Segments};
use crate::cpu::equal;
use crate::key::Key;
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// What every derivation's `info` begins with.
const LABEL: &[u8] = b"combseal stream v1 ";

/// Bytes of a commitment to a key: as many as SHA-256 has, so that finding two keys for one
/// stream costs 2^128 hashes.
pub(crate) const COMMITMENT: usize = 32;

/// The longest key and prefix of any scheme.
const LONGEST: usize = 64 + 32;

fn hkdf(file_key: &Secret<32>, start: &[u8; SALTED]) -> Hkdf<Sha256> {
    Hkdf::new(Some(&start[16..]), &file_key.0)
}

/// The payload's segments, and the commitment that stands in the header. `start` is the
/// header's first bytes, salt included.
pub(crate) fn payload(
    file_key: &Secret<32>,
    start: &[u8; SALTED],
    layout: Layout,
    context: &[u8],
) -> Result<(Segments, [u8; COMMITMENT]), Error> {
    let algorithm = layout.algorithm;
    let (key_len, prefix_len) = (algorithm.key_len(), algorithm.nonce_len() - MARKS);
    let mut out = Secret::<{ COMMITMENT + LONGEST }>::zero();
    let out = &mut out.0[..COMMITMENT + prefix_len + key_len];
    let info = [LABEL, b"payload\0", algorithm.name().as_bytes(), b"\0", &start[..16], context];
    hkdf(file_key, start).expand_multi_info(&info, out).map_err(|_| Error::Failed)?;
    let (commitment, rest) = out.split_at(COMMITMENT);
    let (prefix, key) = rest.split_at(prefix_len);
    let key = Key::new(algorithm, key).map_err(|_| Error::Failed)?;
    let mut committed = [0; COMMITMENT];
    committed.copy_from_slice(commitment);
    Ok((Segments::new(key, prefix, layout), committed))
}

/// The key of the header's MACs, which a passphrase can be changed with, so that no context is
/// needed for it.
pub(crate) struct HeaderKey(Secret<32>);

impl HeaderKey {
    pub(crate) fn new(file_key: &Secret<32>, start: &[u8; SALTED]) -> Result<Self, Error> {
        let mut key = Secret::zero();
        let info = [LABEL, b"header\0", &start[..16]];
        hkdf(file_key, start).expand_multi_info(&info, &mut key.0).map_err(|_| Error::Failed)?;
        Ok(Self(key))
    }

    /// The MAC of a table, `number` 0 or 1, up to its MAC.
    pub(crate) fn table(&self, unchanging: &[u8; UNCHANGING], number: u8, table: &[u8]) -> [u8; 32] {
        mac(&self.0.0, &[b"table", &[number], unchanging, table])
    }

    /// The mark that stands in the header while slots are being changed.
    pub(crate) fn mark(&self, unchanging: &[u8; UNCHANGING]) -> [u8; 32] {
        mac(&self.0.0, &[b"change", unchanging])
    }
}

/// HMAC-SHA-256 (RFC 2104) of the parts one after the other.
fn mac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let Ok(mut it) = Hmac::<Sha256>::new_from_slice(key) else { unreachable!("HMAC takes keys of any length") };
    parts.iter().for_each(|part| it.update(part));
    it.finalize().into_bytes().into()
}

/// What a slot's own key gives: a pad for the file key, and the key of the slot's MAC.
pub(crate) struct SlotKeys {
    pad: Secret<32>,
    mac: Secret<32>,
}

impl SlotKeys {
    /// `kek` is the raw key or what Argon2id made of the passphrase; `slot` begins with kind,
    /// costs and salt.
    pub(crate) fn new(kek: &Secret<32>, start: &[u8; SALTED], slot: &[u8; 32]) -> Result<Self, Error> {
        let mut both = Secret::<64>::zero();
        let info = [LABEL, b"slot\0", start, &slot[..16]];
        let hkdf = Hkdf::<Sha256>::new(Some(&slot[16..]), &kek.0);
        hkdf.expand_multi_info(&info, &mut both.0).map_err(|_| Error::Failed)?;
        let mut it = Self { pad: Secret::zero(), mac: Secret::zero() };
        it.pad.0.copy_from_slice(&both.0[..32]);
        it.mac.0.copy_from_slice(&both.0[32..]);
        Ok(it)
    }

    /// The file key wrapped, and its MAC.
    pub(crate) fn wrap(&self, file_key: &Secret<32>) -> [u8; 64] {
        let mut out = [0; 64];
        for ((out, key), pad) in out.iter_mut().zip(&file_key.0).zip(&self.pad.0) {
            *out = key ^ pad;
        }
        let tag = mac(&self.mac.0, &[&out[..32]]);
        out[32..].copy_from_slice(&tag);
        out
    }

    /// The file key, if the MAC is right.
    pub(crate) fn unwrap(&self, wrapped: &[u8; 64]) -> Option<Secret<32>> {
        if !equal(&mac(&self.mac.0, &[&wrapped[..32]]), &wrapped[32..]) {
            return None;
        }
        let mut key = Secret::zero();
        for ((out, it), pad) in key.0.iter_mut().zip(wrapped).zip(&self.pad.0) {
            *out = it ^ pad;
        }
        Some(key)
    }
}
