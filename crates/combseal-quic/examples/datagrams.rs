//! Datagrams of 1-RTT packets sealed and opened in place: in batches, and one at a time with this crate
//! and with rustls's keys of ring.
//!
//!     cargo run --release -p combseal-quic --example datagrams -- [rounds]
//!
//! Each round takes every suite, length and form in turns. The table gives medians, in nanoseconds a packet, of
//! 2,048 packets in buffers of their own. One at a time a stack does what it has to with rustls's traits: the
//! AEAD, and header protection, a packet a call.

use combseal_quic::{Error, Incoming, Opener, Outgoing, Sealer, Secret, Suite, TAG_LEN, Version};
use rustls::crypto::cipher::{AeadKey, Iv};
use rustls::crypto::ring::cipher_suite::{TLS13_AES_256_GCM_SHA384, TLS13_CHACHA20_POLY1305_SHA256};
use rustls::quic::{HeaderProtectionKey, PacketKey};
use std::time::Instant;

/// A byte, a connection ID of eight, and a packet number of two.
const PN_OFFSET: usize = 9;
const HEADER_LEN: usize = PN_OFFSET + 2;
const PACKETS: usize = 2048;
const BATCH: usize = 64;

type Packets = Vec<Vec<u8>>;

fn packets(payload_len: usize) -> Packets {
    let header = [0x41, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0];
    (0..PACKETS).map(|_| [&header[..], &vec![7; payload_len], &[0; TAG_LEN]].concat()).collect()
}

/// A way to seal and open packets.
trait Form {
    fn seal(&mut self, packets: &mut Packets) -> Result<(), Error>;
    fn open(&mut self, packets: &mut Packets) -> Result<(), Error>;
}

struct Ours {
    sealer: Sealer,
    opener: Opener,
    batch: usize,
}

impl Form for Ours {
    fn seal(&mut self, packets: &mut Packets) -> Result<(), Error> {
        let mut number = self.sealer.next_number();
        if self.batch == 1 {
            for packet in packets {
                self.sealer.seal(packet, PN_OFFSET, number)?;
                number += 1;
            }
            return Ok(());
        }
        for packets in packets.chunks_mut(self.batch) {
            let mut outgoing: Vec<_> = (number..)
                .zip(packets)
                .map(|(number, packet)| Outgoing { packet, pn_offset: PN_OFFSET, number })
                .collect();
            self.sealer.seal_batch(&mut outgoing).map_err(|(_, error)| error)?;
            number += self.batch as u64;
        }
        Ok(())
    }

    fn open(&mut self, packets: &mut Packets) -> Result<(), Error> {
        if self.batch == 1 {
            for packet in packets {
                self.opener.open(packet, PN_OFFSET)?;
            }
            return Ok(());
        }
        for packets in packets.chunks_mut(self.batch) {
            let mut incoming: Vec<_> =
                packets.iter_mut().map(|packet| Incoming { packet, pn_offset: PN_OFFSET }).collect();
            for result in self.opener.open_batch(&mut incoming) {
                (*result)?;
            }
        }
        Ok(())
    }
}

struct Theirs {
    packet: Box<dyn PacketKey>,
    header: Box<dyn HeaderProtectionKey>,
    sealed: u64,
    opened: u64,
}

impl Form for Theirs {
    fn seal(&mut self, packets: &mut Packets) -> Result<(), Error> {
        for packet in packets {
            let number = self.sealed;
            packet[PN_OFFSET..HEADER_LEN].copy_from_slice(&(number as u16).to_be_bytes());
            let (header, rest) = packet.split_at_mut(HEADER_LEN);
            let at = rest.len() - TAG_LEN;
            let (payload, tag) = rest.split_at_mut(at);
            tag.copy_from_slice(self.packet.encrypt_in_place(number, header, payload).map_err(failed)?.as_ref());
            let (head, sample) = packet.split_at_mut(PN_OFFSET + 4);
            let (first, rest) = head.split_first_mut().ok_or(Error::PacketTooShort)?;
            self.header.encrypt_in_place(&sample[..16], first, &mut rest[PN_OFFSET - 1..]).map_err(failed)?;
            self.sealed += 1;
        }
        Ok(())
    }

    fn open(&mut self, packets: &mut Packets) -> Result<(), Error> {
        for packet in packets {
            let (head, sample) = packet.split_at_mut(PN_OFFSET + 4);
            let (first, rest) = head.split_first_mut().ok_or(Error::PacketTooShort)?;
            self.header.decrypt_in_place(&sample[..16], first, &mut rest[PN_OFFSET - 1..]).map_err(failed)?;
            let len = usize::from(packet[0] & 3) + 1;
            let bytes = packet[PN_OFFSET..][..len].iter().fold(0, |number, &b| number << 8 | u32::from(b));
            let number = combseal_quic::number::decode(bytes, len, self.opened.checked_sub(1))?;
            let (header, rest) = packet.split_at_mut(HEADER_LEN);
            self.packet.decrypt_in_place(number, header, rest).map_err(failed)?;
            self.opened = number + 1;
        }
        Ok(())
    }
}

fn failed(_: rustls::Error) -> Error {
    Error::Forged
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds: usize = std::env::args().nth(1).map_or(Ok(31), |text| text.parse())?;
    run(rounds)
}

/// Each form once: that what is measured works.
#[test]
fn once() {
    run(1).unwrap();
}

fn run(rounds: usize) -> Result<(), Box<dyn std::error::Error>> {
    println!("2,048 packets, batches of {BATCH}, {rounds} rounds; ns a packet, medians: sealing / opening\n");
    println!("| suite | payload | batches | one at a time | rustls with ring |\n|---|---:|---:|---:|---:|");
    for suite in Suite::ALL {
        for payload_len in [64, 300, 1200] {
            let secret = Secret::new(Version::V1, suite, &vec![7; suite.secret_len()])?;
            let ours = |batch| Ours { sealer: Sealer::new(&secret), opener: Opener::with_key_updates(&secret), batch };
            let mut forms: Vec<Box<dyn Form>> = vec![Box::new(ours(BATCH)), Box::new(ours(1))];
            if let Some((packet, header)) = rings(suite) {
                forms.push(Box::new(Theirs { packet, header, sealed: 0, opened: 0 }));
            }
            let mut times = vec![[Vec::new(), Vec::new()]; forms.len()];
            let mut buffers = packets(payload_len);
            for round in 0..rounds {
                let n = forms.len();
                for i in (0..n).map(|i| (i + round) % n) {
                    let start = Instant::now();
                    forms[i].seal(&mut buffers)?;
                    let sealed = Instant::now();
                    forms[i].open(&mut buffers)?;
                    times[i][0].push(sealed - start);
                    times[i][1].push(sealed.elapsed());
                    if buffers.iter().any(|packet| packet[0] != 0x41 || packet[HEADER_LEN] != 7) {
                        return Err("what was opened is not what was sealed".into());
                    }
                }
            }
            print!("| {suite:?} | {payload_len} |");
            for times in &mut times {
                let [seal, open] = times.each_mut().map(|times| {
                    times.sort();
                    times[rounds / 2].as_nanos() / PACKETS as u128
                });
                print!(" {seal} / {open} |");
            }
            println!("{}", if times.len() == 2 { " |" } else { "" });
        }
    }
    Ok(())
}

/// ring's keys. Keys of 128 bits rustls makes only of secrets: here, those of Initial packets.
fn rings(suite: Suite) -> Option<(Box<dyn PacketKey>, Box<dyn HeaderProtectionKey>)> {
    use rustls::crypto::ring::cipher_suite::TLS13_AES_128_GCM_SHA256;
    let of = |suite: rustls::SupportedCipherSuite| suite.tls13().and_then(|suite| suite.quic_suite());
    let quic = match suite {
        Suite::Aes128Gcm => {
            let quic = of(TLS13_AES_128_GCM_SHA256)?;
            let keys = quic.keys(b"8 bytes!", rustls::Side::Client, rustls::quic::Version::V1).local;
            return Some((keys.packet, keys.header));
        }
        Suite::Aes256Gcm => of(TLS13_AES_256_GCM_SHA384)?,
        Suite::ChaCha20Poly1305 => of(TLS13_CHACHA20_POLY1305_SHA256)?,
        Suite::Aes128Ccm => return None,
    };
    let packet = quic.quic.packet_key(AeadKey::from([7; 32]), Iv::from([7; 12]));
    Some((packet, quic.quic.header_protection_key(AeadKey::from([8; 32]))))
}
