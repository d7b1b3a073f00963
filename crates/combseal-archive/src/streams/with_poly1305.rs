//! A stream cipher with Poly1305 as Bernstein combines them ("Cycle counts for authenticated
//! encryption", 2007, section 2): the first sixteen bytes of key stream mask the authenticator of
//! the ciphertext, those behind them encipher the message.
//!
//! The key is Poly1305's r, sixteen bytes that serve for all messages, and behind it the cipher's.
//! There is no associated data. A packet is authenticated before it is deciphered, so that a forged
//! one costs the cipher's start, its first block and the authenticator.
//!
//! Of many packets ([`open_many`]) the cipher makes the masks and all else in one go, and what then
//! proves not to be authentic is made zeros.

use super::about::About;
use super::cipher::{Cipher, Stream};
use super::side_by_side::{Lane, SideBySide};
use super::system::{System, TAG};
use combseal::Cpu;
use combseal::internals::{Wipe, equal, poly1305};
use std::cmp::Reverse;

/// Bytes of Poly1305's r, the beginning of a key.
pub const R: usize = 16;

/// The cipher `C` with Poly1305.
pub struct WithPoly1305<C> {
    cipher: C,
    authenticator: Authenticator,
}

/// Poly1305's r, clamped.
struct Authenticator {
    r: [u8; R],
    cpu: Cpu,
}

impl Authenticator {
    /// Takes any sixteen bytes; those bits that Poly1305 has no use for are cleared.
    fn new(cpu: Cpu, r: &[u8]) -> Self {
        let mut it = Self { r: [0; R], cpu };
        it.r.copy_from_slice(r);
        for i in [3, 7, 11, 15] {
            it.r[i] &= 15;
        }
        for i in [4, 8, 12] {
            it.r[i] &= 252;
        }
        it
    }

    /// The authenticator of `data`, masked by `s`.
    fn of(&self, s: &[u8; TAG], data: &[u8]) -> [u8; TAG] {
        poly1305(self.cpu, &self.r, s, data)
    }
}

impl Drop for Authenticator {
    fn drop(&mut self) {
        self.r.wipe();
    }
}

impl<C: Cipher> System for WithPoly1305<C> {
    const ABOUT: &'static About = C::ABOUT;
    const TAKES_AD: bool = false;

    /// The key has [`R`] bytes more than the cipher's.
    fn expand(cpu: Cpu, key: &[u8]) -> Self {
        let (r, key) = key.split_at(R);
        Self { cipher: C::expand(cpu, key), authenticator: Authenticator::new(cpu, r) }
    }

    fn encrypt(&self, nonce: &[u8], _: &[u8], data: &mut [u8], tag: &mut [u8; TAG]) {
        let mut s = [0; TAG];
        self.cipher.masked(nonce, &mut s, data);
        *tag = self.authenticator.of(&s, data);
    }

    /// `data` that is not authentic is left as it came, and the caller zeroes it.
    fn decrypt(&self, nonce: &[u8], _: &[u8], data: &mut [u8], tag: &[u8; TAG]) -> bool {
        // Made where it stays: a state that is moved is read before all of it has reached the cache.
        let (mut stream, mut s) = (Stream::new(&self.cipher, nonce), [0; TAG]);
        stream.xor(&mut s);
        let authentic = equal(&self.authenticator.of(&s, data), tag);
        if authentic {
            stream.xor(data);
        }
        authentic
    }
}

/// One packet of many.
pub struct Packet<'a, C> {
    /// Its key.
    pub system: &'a WithPoly1305<C>,
    /// Its nonce, of a length that the cipher takes.
    pub nonce: &'a [u8],
    /// The message, or what it has been enciphered to.
    pub data: &'a mut [u8],
    /// The authenticator, which [`seal_many`] writes and [`open_many`] reads.
    pub tag: [u8; TAG],
    /// What [`open_many`] finds: whether it is authentic.
    pub authentic: bool,
}

/// Enciphers any number of packets, those of like length together, and writes their authenticators.
pub fn seal_many<C: SideBySide>(cpu: Cpu, packets: &mut [Packet<'_, C>]) {
    by_length(cpu, packets, |_| (), |packet, s, ()| packet.tag = packet.system.authenticator.of(s, packet.data));
}

/// Deciphers any number of packets likewise, and notes of each whether it is authentic. The data of
/// those that are not are zeros.
pub fn open_many<C: SideBySide>(cpu: Cpu, packets: &mut [Packet<'_, C>]) {
    by_length(
        cpu,
        packets,
        |packet| u128::from_le_bytes(packet.system.authenticator.of(&[0; TAG], packet.data)),
        |packet, s, sum| {
            let tag = sum.wrapping_add(u128::from_le_bytes(*s)).to_le_bytes();
            packet.authentic = equal(&tag, &packet.tag);
            if !packet.authentic {
                packet.data.fill(0);
            }
        },
    );
}

/// The cipher over all packets, group by group; of each packet `before`, and with what that gave
/// and the mask, `after`.
fn by_length<'a, C: SideBySide, T>(
    cpu: Cpu,
    packets: &mut [Packet<'a, C>],
    before: impl Fn(&Packet<'a, C>) -> T,
    after: impl Fn(&mut Packet<'a, C>, &[u8; TAG], T),
) {
    let mut order: Vec<&mut Packet<'a, C>> = packets.iter_mut().collect();
    order.sort_unstable_by_key(|packet| Reverse(packet.data.len()));
    for group in order.chunks_mut(C::GROUP) {
        let sums: Vec<T> = group.iter().map(|packet| before(packet)).collect();
        let mut lanes: Vec<Lane<'_, C>> = group
            .iter_mut()
            .map(|packet| {
                let Packet { system, nonce, data, .. } = &mut **packet;
                Lane { cipher: &system.cipher, nonce, first: [0; TAG], data }
            })
            .collect();
        C::xor_group(cpu, &mut lanes);
        let masks: Vec<[u8; TAG]> = lanes.iter().map(|lane| lane.first).collect();
        for ((packet, s), sum) in group.iter_mut().zip(&masks).zip(sums) {
            after(packet, s, sum);
        }
    }
}
