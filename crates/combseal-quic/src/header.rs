//! Header protection (RFC 9001, 5.4): a few bits of the first byte and the packet number are
//! XORed with a mask, which the block cipher makes of a sample of the ciphertext.

use crate::error::Error;
use crate::suite::{MAX_PACKET_LEN, SAMPLE_LEN, Suite};
use combseal::hazmat::{ChaCha20, Ecb};
use combseal::{Aes128, Aes256};
use core::fmt;

/// Bytes of a mask: one for the first byte, four for the packet number.
pub const MASK_LEN: usize = 5;

/// The first bytes of a packet have this bit if the header is long.
const LONG: u8 = 0x80;

/// The bit of a short header that tells the key phase (RFC 9001, 6).
pub(crate) const KEY_PHASE: u8 = 0x04;

/// The header protection key of one direction. It stays as it is when packet keys are updated.
pub struct HeaderKey(Cipher);

/// In places of their own, where they stay.
enum Cipher {
    Aes128(Box<Ecb<Aes128>>),
    Aes256(Box<Ecb<Aes256>>),
    ChaCha20(Box<ChaCha20>),
}

impl HeaderKey {
    /// A key of [`Suite::key_len`] bytes.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn new(suite: Suite, key: &[u8]) -> Result<Self, Error> {
        if key.len() != suite.key_len() {
            return Err(Error::KeyLength);
        }
        let cpu = combseal::Cpu::detect();
        Ok(Self(match suite {
            Suite::Aes128Gcm | Suite::Aes128Ccm => Cipher::Aes128(Box::new(Ecb::build(cpu, key)?)),
            Suite::Aes256Gcm => Cipher::Aes256(Box::new(Ecb::build(cpu, key)?)),
            Suite::ChaCha20Poly1305 => Cipher::ChaCha20(Box::new(ChaCha20::build(cpu, key)?)),
        }))
    }

    /// The mask of a sample.
    pub fn mask(&self, sample: &[u8; SAMPLE_LEN]) -> [u8; MASK_LEN] {
        let mut block = [*sample];
        self.masks(&mut block);
        first(&block[0])
    }

    /// Makes each sample, where it is, a block whose first [`MASK_LEN`] bytes are its mask. Many
    /// together cost little more than one.
    pub fn masks(&self, samples: &mut [[u8; SAMPLE_LEN]]) {
        match &self.0 {
            Cipher::Aes128(key) => encrypt(|buf| key.encrypt(buf), samples),
            Cipher::Aes256(key) => encrypt(|buf| key.encrypt(buf), samples),
            Cipher::ChaCha20(key) => {
                let mut blocks = [[0; 64]; 16];
                for samples in samples.chunks_mut(16) {
                    let blocks = &mut blocks[..samples.len()];
                    if key.blocks(samples, blocks).is_err() {
                        unreachable!("a place for each sample");
                    }
                    for (sample, block) in samples.iter_mut().zip(blocks) {
                        sample.copy_from_slice(&block[..SAMPLE_LEN]);
                    }
                }
            }
        }
    }

    /// Adds header protection to a packet that is sealed, whose packet number begins at byte
    /// `pn_offset` and is as long as the two low bits of the first byte say, plus one.
    ///
    /// # Errors
    /// [`Error::PacketTooShort`], [`Error::PacketTooLong`], [`Error::PacketNumberOffset`];
    /// nothing is touched then.
    pub fn protect(&self, packet: &mut [u8], pn_offset: usize) -> Result<(), Error> {
        let sample = sample(packet, pn_offset)?;
        add(packet, pn_offset, &self.mask(&sample));
        Ok(())
    }

    /// Removes it; returns how many bytes the packet number has, and what they hold.
    ///
    /// What they hold is not authentic until the packet has been opened, and must not be acted on
    /// before, nor show in how long anything takes (RFC 9001, 9.5).
    ///
    /// # Errors
    /// As [`protect`](Self::protect).
    pub fn unprotect(&self, packet: &mut [u8], pn_offset: usize) -> Result<(usize, u32), Error> {
        let sample = sample(packet, pn_offset)?;
        Ok(remove(packet, pn_offset, &self.mask(&sample)))
    }
}

impl fmt::Debug for HeaderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cipher = match self.0 {
            Cipher::Aes128(_) => "AES-128",
            Cipher::Aes256(_) => "AES-256",
            Cipher::ChaCha20(_) => "ChaCha20",
        };
        f.debug_struct("HeaderKey").field("cipher", &cipher).finish_non_exhaustive()
    }
}

fn encrypt(encrypt: impl Fn(&mut [u8]) -> Result<(), combseal::Error>, samples: &mut [[u8; SAMPLE_LEN]]) {
    if encrypt(samples.as_flattened_mut()).is_err() {
        unreachable!("samples are whole blocks");
    }
}

/// The mask at the beginning of a block.
#[inline]
pub(crate) fn first(block: &[u8; SAMPLE_LEN]) -> [u8; MASK_LEN] {
    [block[0], block[1], block[2], block[3], block[4]]
}

/// The sample of a packet: sixteen bytes, four behind the beginning of the packet number however
/// long that is (RFC 9001, 5.4.2).
#[inline]
pub(crate) fn sample(packet: &[u8], pn_offset: usize) -> Result<[u8; SAMPLE_LEN], Error> {
    if pn_offset == 0 {
        return Err(Error::PacketNumberOffset);
    }
    if packet.len() > MAX_PACKET_LEN {
        return Err(Error::PacketTooLong);
    }
    let behind = pn_offset.checked_add(4).and_then(|at| packet.get(at..));
    behind.and_then(<[u8]>::first_chunk).copied().ok_or(Error::PacketTooShort)
}

/// How many bytes the packet number has, as the first byte says, which is not protected.
#[inline]
pub(crate) fn number_len(first: u8) -> usize {
    usize::from(first & 3) + 1
}

/// Whether the header is long.
#[inline]
pub(crate) fn is_long(first: u8) -> bool {
    first & LONG != 0
}

/// The mask of the first byte.
#[inline]
fn bits(first: u8) -> u8 {
    if is_long(first) { 0x0f } else { 0x1f }
}

/// Adds a mask; the sample was there, so that there are four bytes at the offset.
#[inline]
pub(crate) fn add(packet: &mut [u8], pn_offset: usize, mask: &[u8; MASK_LEN]) {
    let len = number_len(packet[0]);
    packet[0] ^= mask[0] & bits(packet[0]);
    for (byte, mask) in packet[pn_offset..][..len].iter_mut().zip(&mask[1..]) {
        *byte ^= mask;
    }
}

/// Removes it. Gives the packet number's length and its bytes.
#[inline]
pub(crate) fn remove(packet: &mut [u8], pn_offset: usize, mask: &[u8; MASK_LEN]) -> (usize, u32) {
    packet[0] ^= mask[0] & bits(packet[0]);
    let len = number_len(packet[0]);
    let mut truncated = 0;
    for (byte, mask) in packet[pn_offset..][..len].iter_mut().zip(&mask[1..]) {
        *byte ^= mask;
        truncated = truncated << 8 | u32::from(*byte);
    }
    (len, truncated)
}
