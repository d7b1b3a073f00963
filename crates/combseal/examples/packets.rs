//! A sender and a receiver of packets: the sender counts its nonces, the receiver takes each
//! packet once, and a packet carries eight bytes of counter instead of a nonce.
//!
//!     cargo run --release -p combseal --example packets

use combseal::{Aes128, Error, Nonce, NonceCounter, Ocb3, Opener, ReplayWindow, Sealer};

/// What all nonces of this sender begin with: four bytes, and eight of counter follow.
const SENDER: &[u8] = b"A->B";

/// A packet's header: its counter. It is authenticated, not encrypted.
const HEADER: usize = 8;
const TAG: usize = 16;

type Key = Ocb3<Aes128>;

/// A packet of header, message and tag, sealed in place.
fn send(sealer: &mut Sealer<&Key>, message: &[u8]) -> Result<Vec<u8>, Error> {
    let mut packet = vec![0; HEADER + message.len() + TAG];
    let (header, body) = packet.split_at_mut(HEADER);
    // The counter that the next message will have.
    header.copy_from_slice(&sealer.next_counter().to_be_bytes());
    body[..message.len()].copy_from_slice(message);
    sealer.seal_attached(header, body)?;
    Ok(packet)
}

/// The message of a packet; an error if it is forged, or came before.
fn receive<'p>(opener: &mut Opener<&Key, 32>, packet: &'p mut [u8]) -> Result<&'p [u8], Error> {
    let (header, body) = packet.split_first_chunk_mut::<HEADER>().ok_or(Error::BufferLength)?;
    let nonce = Nonce::counted(SENDER, u64::from_be_bytes(*header))?;
    let message = opener.open_attached(&nonce, header, body)?;
    Ok(message)
}

fn main() -> Result<(), Error> {
    // Of a key exchange, as a rule; a key of its own for each direction.
    let key = Key::new(&[7; 16]);
    let mut sealer = Sealer::new(&key, NonceCounter::new(SENDER)?)?;
    // 32 words are a window of some 2,000 packets, so late may one come (RFC 6479).
    let mut opener = Opener::with_window(&key, SENDER, ReplayWindow::<32>::new())?;

    let mut packets = Vec::new();
    for i in 0..5 {
        packets.push(send(&mut sealer, format!("packet number {i}").as_bytes())?);
    }
    // They come in another order, one of them twice, and one was changed on its way.
    packets.swap(1, 3);
    packets.push(packets[0].clone());
    packets[2][HEADER] ^= 1;
    let mut outcomes = Vec::new();
    for packet in &mut packets {
        match receive(&mut opener, packet) {
            Ok(message) => outcomes.push(String::from_utf8_lossy(message).into_owned()),
            Err(error) => outcomes.push(error.to_string()),
        }
    }
    for outcome in &outcomes {
        println!("{outcome}");
    }
    assert_eq!(outcomes[0], "packet number 0");
    assert_eq!(outcomes[1], "packet number 3");
    assert_eq!(outcomes[2], Error::Forged.to_string());
    assert_eq!(outcomes[5], Error::Replayed.to_string());
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
