//! Many packets at once, in a struct that lives as long as the connection: the batch's memory is
//! kept from one burst to the next, and every packet has a result of its own. The sender borrows its key, the
//! receiver has an `Arc` of it, and so has a sender that borrows nothing.
//!
//!     cargo run --release -p combseal --example batches

use combseal::{Aead, Algorithm, Error, Key, Nonce, NonceCounter, Outcome, Sealer};
use std::sync::Arc;

/// Bytes of a tag, which each packet has room for at its end.
const TAG: usize = 16;

/// Seals bursts of packets. Between two bursts an [`Outcome`] is what is kept: it borrows no
/// packet, and a batch in the same memory comes of it.
struct Sender<'k> {
    sealer: Sealer<&'k Key>,
    memory: Outcome,
}

impl Sender<'_> {
    fn seal(&mut self, packets: &mut [Vec<u8>]) -> Result<Vec<Nonce>, Error> {
        let mut batch = core::mem::take(&mut self.memory).reuse();
        let mut nonces = Vec::with_capacity(packets.len());
        for packet in packets.iter_mut() {
            let end = packet.len().checked_sub(TAG).ok_or(Error::BufferLength)?;
            let (message, tag) = packet.split_at_mut(end);
            let (_, nonce) = batch.seal_next(&mut self.sealer, b"", message, tag)?;
            nonces.push(nonce);
        }
        self.memory = batch.run();
        self.memory.all()?;
        Ok(nonces)
    }
}

/// The same without a lifetime: the key is in an `Arc`. A batch borrows keys until it has run, so the sealer's `Arc`
/// cannot lend it one (the sealer is borrowed for each nonce); another one beside it can.
struct OwningSender {
    key: Arc<Key>,
    sealer: Sealer<Arc<Key>>,
    memory: Outcome,
}

impl OwningSender {
    fn new(key: Arc<Key>, prefix: &[u8]) -> Result<Self, Error> {
        let sealer = Sealer::new(Arc::clone(&key), NonceCounter::new(prefix)?)?;
        Ok(Self { key, sealer, memory: Outcome::default() })
    }

    fn seal(&mut self, packets: &mut [Vec<u8>]) -> Result<Vec<Nonce>, Error> {
        let mut batch = core::mem::take(&mut self.memory).reuse();
        let mut nonces = Vec::with_capacity(packets.len());
        for packet in packets.iter_mut() {
            let len = packet.len().checked_sub(TAG).ok_or(Error::BufferLength)?;
            // The nonce and the blocks count as those of a message that the sealer seals itself.
            let nonce = self.sealer.take_nonce(0, len)?;
            batch.seal_attached(&self.key, nonce, b"", packet)?;
            nonces.push(nonce);
        }
        self.memory = batch.run();
        self.memory.all()?;
        Ok(nonces)
    }
}

/// Opens bursts of packets.
struct Receiver {
    key: Arc<Key>,
    memory: Outcome,
}

impl Receiver {
    /// The places of those that are authentic. The others are all zero, but for those shorter than a tag. Copies of one packet
    /// are all opened: a receiver of a network keeps a `ReplayWindow` besides, and asks it about each of these.
    fn open(&mut self, packets: &mut [Vec<u8>], nonces: &[Nonce]) -> Vec<usize> {
        let mut batch = core::mem::take(&mut self.memory).reuse();
        // Anybody can send a packet that is shorter than a tag: it gets no job, and the others go on.
        let mut places = Vec::with_capacity(packets.len());
        for (i, (packet, nonce)) in packets.iter_mut().zip(nonces).enumerate() {
            if batch.open_attached(&self.key, nonce, b"", packet).is_ok() {
                places.push(i);
            }
        }
        self.memory = batch.run();
        // The packets are the caller's again, and so are the results.
        self.memory.iter().zip(places).filter_map(|(result, i)| result.is_ok().then_some(i)).collect()
    }
}

fn main() -> Result<(), Error> {
    let key = Arc::new(Key::new(Algorithm::CcmAes128, &[7; 16])?);
    assert_eq!(key.tag_len(), TAG);
    // Nonces of 12 bytes, as all but a few schemes have them: a prefix of four, and eight of counter.
    let mut sender = Sender { sealer: Sealer::new(&*key, NonceCounter::new(b"A->B")?)?, memory: Outcome::default() };
    // Under one key each sender has a prefix of its own.
    let mut owning = OwningSender::new(Arc::clone(&key), b"C->B")?;
    let mut receiver = Receiver { key: Arc::clone(&key), memory: Outcome::default() };
    for burst in 0..4 {
        let mut packets: Vec<Vec<u8>> = (0..8)
            .map(|i| {
                let mut packet = format!("burst {burst}, packet {i}").into_bytes();
                packet.resize(packet.len() + TAG, 0);
                packet
            })
            .collect();
        let nonces = if burst % 2 == 0 { sender.seal(&mut packets)? } else { owning.seal(&mut packets)? };
        packets[5][0] ^= 1;
        packets[6].truncate(3);
        let good = receiver.open(&mut packets, &nonces);
        assert_eq!(good, [0, 1, 2, 3, 4, 7]);
        for i in good {
            let end = packets[i].len() - TAG;
            println!("{}", String::from_utf8_lossy(&packets[i][..end]));
        }
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
