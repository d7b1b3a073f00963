//! What several tests share.
#![allow(dead_code)]

use combseal_quic::{Secret, Suite, TAG_LEN, Version};

/// Bytes from hexadecimal digits; white space is for the eye.
pub fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16).unwrap()).collect();
    assert!(digits.len().is_multiple_of(2));
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// A secret of one byte, over and over.
pub fn secret(suite: Suite, byte: u8) -> Secret {
    Secret::new(Version::V1, suite, &vec![byte; suite.secret_len()]).unwrap()
}

/// A short header with a connection ID of so many bytes and a packet number of `pn_len`, a payload
/// and a place for the tag; and where the number begins.
pub fn short(id_len: usize, pn_len: usize, payload: &[u8]) -> (Vec<u8>, usize) {
    let mut packet = vec![0x40 | (pn_len as u8 - 1)];
    packet.extend((0..id_len).map(|i| i as u8 ^ 0x5a));
    packet.extend_from_slice(&[0; 4][..pn_len]);
    packet.extend_from_slice(payload);
    packet.extend_from_slice(&[0; TAG_LEN]);
    (packet, 1 + id_len)
}

/// A Handshake packet's header, likewise.
pub fn long(id_len: usize, pn_len: usize, payload: &[u8]) -> (Vec<u8>, usize) {
    let mut packet = vec![0xe0 | (pn_len as u8 - 1), 0, 0, 0, 1, id_len as u8];
    packet.extend((0..id_len).map(|i| i as u8 ^ 0xa5));
    packet.push(0);
    let len = 0x4000 | (pn_len + payload.len() + TAG_LEN) as u16;
    packet.extend_from_slice(&len.to_be_bytes());
    let pn_offset = packet.len();
    packet.extend_from_slice(&[0; 4][..pn_len]);
    packet.extend_from_slice(payload);
    packet.extend_from_slice(&[0; TAG_LEN]);
    (packet, pn_offset)
}

/// Numbers that look random, the same each time.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 ^ self.0 >> 33).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// One under `end`.
    pub fn under(&mut self, end: usize) -> usize {
        (self.next() >> 20) as usize % end
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.next() >> 40) as u8).collect()
    }
}
