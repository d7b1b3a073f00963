//! QUIC's keys for rustls: those of `combseal-quic`, one packet a call.

use combseal_quic::{HeaderKey, MASK_LEN, PacketKey, SAMPLE_LEN, Suite, TAG_LEN};
use rustls::Error;
use rustls::crypto::cipher::{AeadKey, Iv};
use rustls::quic::{Algorithm, HeaderProtectionKey, PacketKey as RustlsPacketKey, Tag};

/// The protection of packets by a suite.
pub(crate) struct Packets(pub Suite);

impl Algorithm for Packets {
    fn packet_key(&self, key: AeadKey, iv: Iv) -> Box<dyn RustlsPacketKey> {
        let iv = iv.as_ref().try_into().ok();
        Box::new(Packet { suite: self.0, key: iv.and_then(|iv| PacketKey::new(self.0, key.as_ref(), iv).ok()) })
    }

    fn header_protection_key(&self, key: AeadKey) -> Box<dyn HeaderProtectionKey> {
        Box::new(Header(HeaderKey::new(self.0, key.as_ref()).ok()))
    }

    fn aead_key_len(&self) -> usize {
        self.0.key_len()
    }
}

/// A packet key; none only if rustls gave one of another length than was asked for: then nothing is
/// sealed or opened.
struct Packet {
    suite: Suite,
    key: Option<PacketKey>,
}

impl Packet {
    fn seal(&self, path: u32, number: u64, header: &[u8], payload: &mut [u8]) -> Result<Tag, Error> {
        let key = self.key.as_ref().ok_or(Error::EncryptError)?;
        let tag = key.seal_in_place_on_path(path, number, header, payload).map_err(|_| Error::EncryptError)?;
        Ok(Tag::from(tag.as_bytes()))
    }

    fn open<'a>(&self, path: u32, number: u64, header: &[u8], payload: &'a mut [u8]) -> Result<&'a [u8], Error> {
        let key = self.key.as_ref().ok_or(Error::DecryptError)?;
        let opened = key.open_in_place_on_path(path, number, header, payload).map_err(|_| Error::DecryptError)?;
        Ok(opened)
    }
}

impl RustlsPacketKey for Packet {
    fn encrypt_in_place(&self, number: u64, header: &[u8], payload: &mut [u8]) -> Result<Tag, Error> {
        self.seal(0, number, header, payload)
    }

    fn encrypt_in_place_for_path(
        &self,
        path: u32,
        number: u64,
        header: &[u8],
        payload: &mut [u8],
    ) -> Result<Tag, Error> {
        self.seal(path, number, header, payload)
    }

    fn decrypt_in_place<'a>(&self, number: u64, header: &[u8], payload: &'a mut [u8]) -> Result<&'a [u8], Error> {
        self.open(0, number, header, payload)
    }

    fn decrypt_in_place_for_path<'a>(
        &self,
        path: u32,
        number: u64,
        header: &[u8],
        payload: &'a mut [u8],
    ) -> Result<&'a [u8], Error> {
        self.open(path, number, header, payload)
    }

    fn tag_len(&self) -> usize {
        TAG_LEN
    }

    fn confidentiality_limit(&self) -> u64 {
        self.suite.confidentiality_limit()
    }

    fn integrity_limit(&self) -> u64 {
        self.suite.integrity_limit()
    }
}

/// A header protection key, likewise.
struct Header(Option<HeaderKey>);

impl Header {
    /// XORs the first byte and the packet number with the mask of a sample. How long the packet
    /// number is, the first byte says where it is not protected: before, if `PROTECT`, else after.
    fn apply<const PROTECT: bool>(&self, sample: &[u8], first: &mut u8, number: &mut [u8]) -> Result<(), Error> {
        let key = self.0.as_ref().ok_or_else(|| general("no header protection key"))?;
        let sample: &[u8; SAMPLE_LEN] = sample.try_into().map_err(|_| general("a sample that is not of 16 bytes"))?;
        if number.len() >= MASK_LEN {
            return Err(general("a packet number of more than four bytes"));
        }
        let mask = key.mask(sample);
        // Four bits of a long header, five of a short one (RFC 9001, 5.4.1).
        let bits = if *first & 0x80 != 0 { 0x0f } else { 0x1f };
        let other = *first ^ mask[0] & bits;
        let len = usize::from((if PROTECT { *first } else { other }) & 3) + 1;
        *first = other;
        for (byte, mask) in number.iter_mut().zip(&mask[1..]).take(len) {
            *byte ^= mask;
        }
        Ok(())
    }
}

fn general(what: &str) -> Error {
    Error::General(what.into())
}

impl HeaderProtectionKey for Header {
    fn encrypt_in_place(&self, sample: &[u8], first: &mut u8, packet_number: &mut [u8]) -> Result<(), Error> {
        self.apply::<true>(sample, first, packet_number)
    }

    fn decrypt_in_place(&self, sample: &[u8], first: &mut u8, packet_number: &mut [u8]) -> Result<(), Error> {
        self.apply::<false>(sample, first, packet_number)
    }

    fn sample_len(&self) -> usize {
        SAMPLE_LEN
    }
}
