//! Sending: packets sealed and their headers protected in place, one at a time or many together.

use crate::error::Error;
use crate::header::{self, HeaderKey, KEY_PHASE, MASK_LEN, first, is_long, number_len};
use crate::number;
use crate::packet::PacketKey;
use crate::secret::Secret;
use crate::suite::{SAMPLE_LEN, Suite, TAG_LEN};
use combseal::Outcome;
use core::fmt;

/// A packet to be sealed in a batch.
#[derive(Debug)]
pub struct Outgoing<'a> {
    /// The header, the payload, and sixteen bytes for the tag.
    pub packet: &'a mut [u8],
    /// Where in it the packet number begins.
    pub pn_offset: usize,
    /// The packet number.
    pub number: u64,
}

/// Seals the packets of one direction and one packet number space.
///
/// A packet is its header, as long as the packet number's length in the first byte says; its
/// payload; and sixteen bytes, which become the tag. The sealer writes the packet number, and a
/// short header's key phase, into the header itself. It takes only packet numbers that rise, as a
/// sender's do (RFC 9000, 12.3), so that none is used twice; and it stops at the suite's limit of
/// packets under one key (RFC 9001, 6.6), from where [`update`](Self::update) leads on.
///
/// Of any error nothing is touched, and no packet number is used.
pub struct Sealer {
    header: HeaderKey,
    key: PacketKey,
    /// Of the next key phase.
    next: Secret,
    generation: u64,
    /// The smallest packet number that may follow.
    next_number: u64,
    sealed: u64,
    limit: u64,
    batch: Memory,
}

/// What batches of packets have in memory.
#[derive(Default)]
struct Memory {
    outcome: Option<Outcome>,
    samples: Vec<[u8; SAMPLE_LEN]>,
}

impl Sealer {
    /// A sealer that has sealed nothing yet. **One for each secret**: two would each begin at packet number 0, with the
    /// same nonces.
    pub fn new(secret: &Secret) -> Self {
        Self {
            header: secret.header_key(),
            key: secret.packet_key(),
            next: secret.next(),
            generation: 0,
            next_number: 0,
            sealed: 0,
            limit: secret.suite().confidentiality_limit(),
            batch: Memory::default(),
        }
    }

    /// The cipher suite.
    pub fn suite(&self) -> Suite {
        self.key.suite()
    }

    /// The smallest packet number that may be sealed next.
    pub fn next_number(&self) -> u64 {
        self.next_number
    }

    /// How many key updates there were. The key phase in short headers is its lowest bit.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// How many packets may still be sealed under the present key.
    pub fn packets_left(&self) -> u64 {
        self.limit.saturating_sub(self.sealed)
    }

    /// Lowers the number of packets that may be sealed under a key; more than the suite allows,
    /// or than was allowed before, it does not become.
    pub fn lower_limit(&mut self, packets: u64) {
        self.limit = self.limit.min(packets);
    }

    /// Goes on with the keys of the next key phase (RFC 9001, 6).
    ///
    /// An endpoint may do so when the handshake is confirmed and the peer has acknowledged a
    /// packet of the present phase, and has to when it has opened a packet of the next one
    /// ([`Opener::generation`](crate::Opener::generation)). Packets with long headers have no key phases.
    pub fn update(&mut self) {
        self.key = self.next.packet_key();
        self.next = self.next.next();
        self.generation += 1;
        self.sealed = 0;
    }

    /// Seals a packet in place; its number begins at byte `pn_offset`.
    ///
    /// # Errors
    /// [`Error::PacketNumberOffset`], [`Error::PacketTooShort`], [`Error::PacketTooLong`],
    /// [`Error::PacketNumber`], [`Error::PacketNumberRepeated`], [`Error::ConfidentialityLimit`].
    pub fn seal(&mut self, packet: &mut [u8], pn_offset: usize, number: u64) -> Result<(), Error> {
        check(packet, pn_offset, number, self.next_number)?;
        if self.packets_left() == 0 {
            return Err(Error::ConfidentialityLimit);
        }
        let header_len = begin(packet, pn_offset, number, self.generation);
        let (head, rest) = packet.split_at_mut(header_len);
        self.key.seal_attached(number, head, rest)?;
        self.next_number = number + 1;
        self.sealed += 1;
        self.header.protect(packet, pn_offset)
    }

    /// Seals packets in place, in one batch, in which their numbers rise: the same bytes as one
    /// at a time, in less time.
    ///
    /// # Errors
    /// That of the first packet that [`seal`](Self::seal) would refuse, with its place among the
    /// packets; if the limit leaves room for fewer packets, that of the first one too many. None is
    /// sealed then.
    pub fn seal_batch(&mut self, packets: &mut [Outgoing<'_>]) -> Result<(), (usize, Error)> {
        let mut least = self.next_number;
        for (i, it) in packets.iter().enumerate() {
            check(it.packet, it.pn_offset, it.number, least).map_err(|e| (i, e))?;
            if i as u64 >= self.packets_left() {
                return Err((i, Error::ConfidentialityLimit));
            }
            least = it.number + 1;
        }
        let Memory { outcome, samples } = &mut self.batch;
        let mut batch = outcome.take().unwrap_or_default().reuse();
        for it in packets.iter_mut() {
            let header_len = begin(it.packet, it.pn_offset, it.number, self.generation);
            let (head, rest) = it.packet.split_at_mut(header_len);
            let (payload, tag) = rest.split_at_mut(rest.len() - TAG_LEN);
            batch.seal(&self.key.key, self.key.nonce(it.number), head, payload, tag);
        }
        let done = batch.run();
        // All was checked: this would be a fault of this crate, and has left zeros.
        let failed = done.iter().enumerate().find_map(|(i, result)| result.err().map(|e| (i, e.into())));
        *outcome = Some(done);
        self.next_number = least;
        self.sealed += packets.len() as u64;
        if let Some(error) = failed {
            return Err(error);
        }
        samples.clear();
        for (i, it) in packets.iter().enumerate() {
            samples.push(header::sample(it.packet, it.pn_offset).map_err(|e| (i, e))?);
        }
        self.header.masks(samples);
        for (it, block) in packets.iter_mut().zip(samples.iter()) {
            let mask: [u8; MASK_LEN] = first(block);
            header::add(it.packet, it.pn_offset, &mask);
        }
        Ok(())
    }
}

/// Whether a packet can be sealed.
#[inline]
fn check(packet: &[u8], pn_offset: usize, number: u64, least: u64) -> Result<(), Error> {
    // With room for the sample there is a tag behind the longest packet number; and a shorter one
    // leaves the payload more.
    header::sample(packet, pn_offset)?;
    if number > number::MAX {
        return Err(Error::PacketNumber);
    }
    if number < least {
        return Err(Error::PacketNumberRepeated);
    }
    Ok(())
}

/// Completes the header, and gives its length.
#[inline]
fn begin(packet: &mut [u8], pn_offset: usize, number: u64, generation: u64) -> usize {
    if !is_long(packet[0]) {
        let phase = if generation & 1 == 1 { KEY_PHASE } else { 0 };
        packet[0] = packet[0] & !KEY_PHASE | phase;
    }
    let len = number_len(packet[0]);
    let bytes = (number as u32).to_be_bytes();
    packet[pn_offset..][..len].copy_from_slice(&bytes[4 - len..]);
    pn_offset + len
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { next_number, generation, sealed, .. } = self;
        f.debug_struct("Sealer")
            .field("suite", &self.suite())
            .field("next_number", next_number)
            .field("generation", generation)
            .field("sealed", sealed)
            .finish_non_exhaustive()
    }
}
