//! Packet protection: the AEAD, whose nonce is the packet number XORed into the IV (RFC 9001,
//! 5.3).

use crate::error::Error;
use crate::suite::{IV_LEN, Suite, TAG_LEN};
use combseal::{Aead, Key, Tag};
use core::fmt;
use zeroize::Zeroizing;

/// The key of the AEAD with its IV, for either direction.
///
/// It takes any packet number: that none is sealed with twice is the caller's care.
/// [`Sealer`](crate::Sealer) sees to it.
pub struct PacketKey {
    suite: Suite,
    /// In a place of its own, where it stays when keys change roles.
    pub(crate) key: Box<Key>,
    iv: Zeroizing<[u8; IV_LEN]>,
}

impl PacketKey {
    /// A key of [`Suite::key_len`] bytes and an IV.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn new(suite: Suite, key: &[u8], iv: &[u8; IV_LEN]) -> Result<Self, Error> {
        Ok(Self { suite, key: Box::new(Key::new(suite.algorithm(), key)?), iv: Zeroizing::new(*iv) })
    }

    /// The cipher suite.
    pub fn suite(&self) -> Suite {
        self.suite
    }

    /// The nonce of packet `number`.
    #[inline]
    pub fn nonce(&self, number: u64) -> [u8; IV_LEN] {
        self.nonce_on_path(0, number)
    }

    /// The nonce of packet `number` on a path of a connection of several
    /// (draft-ietf-quic-multipath, whose paths number their packets each for itself); on path 0 it is
    /// [`nonce`](Self::nonce).
    #[inline]
    pub fn nonce_on_path(&self, path: u32, number: u64) -> [u8; IV_LEN] {
        let number = (u128::from(path) << 64 | u128::from(number)) << 32;
        let mut iv = [0; 16];
        iv[..IV_LEN].copy_from_slice(&self.iv[..]);
        let nonce = (u128::from_be_bytes(iv) ^ number).to_be_bytes();
        *nonce.first_chunk().unwrap_or_else(|| unreachable!("12 of 16 bytes"))
    }

    /// Seals `payload` in place, with the whole header, packet number included, for associated
    /// data; returns the tag, which follows the payload.
    ///
    /// # Errors
    /// [`Error::PacketTooLong`], if the AEAD takes no message as long; nothing is touched then.
    pub fn seal_in_place(&self, number: u64, header: &[u8], payload: &mut [u8]) -> Result<Tag, Error> {
        Ok(self.key.seal_in_place(&self.nonce(number), header, payload)?)
    }

    /// The same on a path of several.
    ///
    /// # Errors
    /// As [`seal_in_place`](Self::seal_in_place).
    pub fn seal_in_place_on_path(
        &self,
        path: u32,
        number: u64,
        header: &[u8],
        payload: &mut [u8],
    ) -> Result<Tag, Error> {
        Ok(self.key.seal_in_place(&self.nonce_on_path(path, number), header, payload)?)
    }

    /// Opens `payload`, the tag attached, in place, and returns what was sealed.
    ///
    /// # Errors
    /// [`Error::Forged`], and all but the tag is zero; [`Error::PacketTooShort`] if it is shorter
    /// than a tag, and [`Error::PacketTooLong`] as for sealing: then nothing is touched.
    pub fn open_in_place<'p>(&self, number: u64, header: &[u8], payload: &'p mut [u8]) -> Result<&'p mut [u8], Error> {
        Ok(self.key.open_attached(&self.nonce(number), header, payload)?)
    }

    /// The same on a path of several.
    ///
    /// # Errors
    /// As [`open_in_place`](Self::open_in_place).
    pub fn open_in_place_on_path<'p>(
        &self,
        path: u32,
        number: u64,
        header: &[u8],
        payload: &'p mut [u8],
    ) -> Result<&'p mut [u8], Error> {
        Ok(self.key.open_attached(&self.nonce_on_path(path, number), header, payload)?)
    }

    /// Seals what has a place for the tag at its end.
    #[inline]
    pub(crate) fn seal_attached(&self, number: u64, header: &[u8], payload: &mut [u8]) -> Result<(), Error> {
        debug_assert!(payload.len() >= TAG_LEN);
        Ok(self.key.seal_attached(&self.nonce(number), header, payload)?)
    }
}

impl fmt::Debug for PacketKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PacketKey").field("suite", &self.suite).finish_non_exhaustive()
    }
}
