//! Receiving: header protection removed and packets opened in place, one at a time or many
//! together, across key updates.

use crate::error::Error;
use crate::header::{self, HeaderKey, KEY_PHASE, MASK_LEN, first, is_long};
use crate::number;
use crate::packet::PacketKey;
use crate::secret::Secret;
use crate::suite::{IV_LEN, SAMPLE_LEN, Suite, TAG_LEN};
use combseal::Outcome;
use core::fmt;
use core::ops::Range;
use zeroize::Zeroize;

/// A packet to be opened in a batch.
#[derive(Debug)]
pub struct Incoming<'a> {
    /// The packet, to its last byte and no further: of packets that share a datagram one.
    pub packet: &'a mut [u8],
    /// Where in it the packet number begins.
    pub pn_offset: usize,
}

/// What is known of a packet that was opened: it is authentic. The packet itself holds the
/// header, without its protection, and the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The packet number.
    pub number: u64,
    /// How many key updates there were before the keys that opened it.
    pub generation: u64,
    header_len: usize,
    packet_len: usize,
}

impl Opened {
    /// Where in the packet the header is, packet number included.
    pub fn header(&self) -> Range<usize> {
        0..self.header_len
    }

    /// Where in the packet the payload is. The tag is behind it.
    pub fn payload(&self) -> Range<usize> {
        self.header_len..self.packet_len - TAG_LEN
    }
}

/// Opens the packets of one direction and one packet number space.
///
/// If a packet does not open, its payload is zero and its header is protected as it was; of the
/// other errors, but [`Error::KeyUpdate`], nothing is touched. Packets with one number are opened as often as
/// they come: to process each once is the caller's care (RFC 9000, 12.3), as are the reserved bits of
/// the header (RFC 9000, 17.2 and 17.3.1), which are not looked at.
pub struct Opener {
    header: HeaderKey,
    current: PacketKey,
    /// The keys of the other key phase.
    other: Option<PacketKey>,
    /// Whether those are the next ones, rather than the ones before.
    other_is_next: bool,
    /// Of the keys after the newest there are.
    next: Secret,
    /// Updates before the current keys.
    generation: u64,
    /// The smallest and the largest number that the current keys have opened.
    span: Option<(u64, u64)>,
    /// The largest number that the keys before them have opened.
    before: Option<u64>,
    /// The largest of all.
    largest: Option<u64>,
    forgeries: u64,
    limit: u64,
    batch: Memory,
}

/// What batches of packets have in memory.
#[derive(Default)]
struct Memory {
    outcome: Option<Outcome>,
    samples: Vec<[u8; SAMPLE_LEN]>,
    plans: Vec<Plan>,
    results: Vec<Result<Opened, Error>>,
}

/// A packet of which header protection has been removed: nothing of it is authentic yet.
struct Plan {
    /// Where in the batch it is.
    at: usize,
    mask: [u8; MASK_LEN],
    nonce: [u8; IV_LEN],
    /// What it will be, if it opens.
    opened: Opened,
}

impl Opener {
    /// An opener of packets with long headers (Initial, 0-RTT, Handshake), which have no key
    /// phase. For 1-RTT packets take [`with_key_updates`](Self::with_key_updates): this one does not look at
    /// the key phase of short headers, and after the sender's first key update nothing would open.
    pub fn new(secret: &Secret) -> Self {
        Self {
            header: secret.header_key(),
            current: secret.packet_key(),
            other: None,
            other_is_next: false,
            next: secret.next(),
            generation: 0,
            span: None,
            before: None,
            largest: None,
            forgeries: 0,
            limit: secret.suite().integrity_limit(),
            batch: Memory::default(),
        }
    }

    /// An opener of packets with short headers (1-RTT), which follows the sender's key updates: the
    /// key phase says which keys a packet has, and the first one that opens with the next keys
    /// makes them the current ones. The ones before stay, for packets that were delayed, until
    /// [`retire`](Self::retire).
    pub fn with_key_updates(secret: &Secret) -> Self {
        let mut it = Self::new(secret);
        it.other = Some(it.next.packet_key());
        it.other_is_next = true;
        it.next = it.next.next();
        it
    }

    /// The cipher suite.
    pub fn suite(&self) -> Suite {
        self.current.suite()
    }

    /// How many key updates the sender has made. When it has risen above that of one's own
    /// [`Sealer`](crate::Sealer), that has to be updated before it seals again (RFC 9001, 6.2).
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether the keys before the last update are still kept.
    pub fn keeps_old_keys(&self) -> bool {
        self.other.is_some() && !self.other_is_next
    }

    /// Drops the keys before the last update and makes the next ones, if that has not been done:
    /// to be called three times the probe timeout after the generation has risen (RFC 9001, 6.5). Until
    /// then no further update can be followed. It is not done while a packet is opened, so that the time
    /// that takes tells nobody of an update (RFC 9001, 9.5).
    pub fn retire(&mut self) {
        if self.keeps_old_keys() {
            self.other = Some(self.next.packet_key());
            self.other_is_next = true;
            self.next = self.next.next();
        }
    }

    /// The largest packet number that was opened.
    pub fn largest(&self) -> Option<u64> {
        self.largest
    }

    /// How many packets did not open. The limit is a connection's, under all keys of a suite
    /// (RFC 9001, 6.6): who has openers for several packet number spaces adds them up, and may
    /// [lower the limit](Self::lower_limit) of each.
    pub fn forgeries(&self) -> u64 {
        self.forgeries
    }

    /// Lowers the number of forged packets after which nothing more is opened; more than the
    /// suite allows, or than was allowed before, it does not become.
    pub fn lower_limit(&mut self, forgeries: u64) {
        self.limit = self.limit.min(forgeries);
    }

    /// Opens a packet in place; its number begins at byte `pn_offset`.
    ///
    /// # Errors
    /// [`Error::PacketNumberOffset`], [`Error::PacketTooShort`], [`Error::PacketTooLong`], [`Error::Forged`]:
    /// drop the packet. [`Error::IntegrityLimit`], [`Error::KeyUpdate`]: close the connection.
    pub fn open(&mut self, packet: &mut [u8], pn_offset: usize) -> Result<Opened, Error> {
        let sample = header::sample(packet, pn_offset)?;
        if self.forgeries >= self.limit {
            return Err(Error::IntegrityLimit);
        }
        let plan = self.plan(packet, 0, pn_offset, self.header.mask(&sample));
        let (head, rest) = packet.split_at_mut(plan.opened.header_len);
        let (payload, tag) = rest.split_at_mut(rest.len() - TAG_LEN);
        let key = &self.key(plan.opened.generation).key;
        let done = combseal::Aead::open_in_place(&**key, &plan.nonce, head, payload, tag);
        self.finish(&plan, packet, pn_offset, done)
    }

    /// Opens packets in place, in one batch, and gives a result for each. They are as they would be
    /// one at a time, in less time, if a number's bytes tell it from all others that may be on their
    /// way, as a sender has to see to (RFC 9000, 17.1): they are understood by the largest number
    /// before the batch.
    ///
    /// # Errors
    /// Those of [`open`](Self::open), for each packet.
    pub fn open_batch(&mut self, packets: &mut [Incoming<'_>]) -> &[Result<Opened, Error>] {
        let mut memory = core::mem::take(&mut self.batch);
        memory.results.clear();
        if packets.len() as u64 > self.limit.saturating_sub(self.forgeries) {
            // So few forgeries are left that the last packets may not be tried any more.
            memory.results.extend(packets.iter_mut().map(|it| self.open(it.packet, it.pn_offset)));
        } else {
            self.open_together(packets, &mut memory);
        }
        self.batch = memory;
        &self.batch.results
    }

    fn open_together(&mut self, packets: &mut [Incoming<'_>], memory: &mut Memory) {
        let Memory { outcome, samples, plans, results } = memory;
        samples.clear();
        plans.clear();
        // Those that have room for a sample are tried. The others' errors are known.
        for it in packets.iter() {
            let sample = header::sample(it.packet, it.pn_offset);
            results.push(Err(sample.err().unwrap_or(Error::Forged)));
            samples.extend(sample);
        }
        self.header.masks(samples);
        let mut masks = samples.iter();
        for (i, (it, result)) in packets.iter_mut().zip(results.iter()).enumerate() {
            if *result != Err(Error::Forged) {
                continue;
            }
            let Some(block) = masks.next() else { unreachable!("a sample of each that is tried") };
            plans.push(self.plan(it.packet, i, it.pn_offset, first(block)));
        }
        let mut batch = outcome.take().unwrap_or_default().reuse();
        let mut rest = packets.iter_mut().enumerate();
        for plan in plans.iter() {
            let Some((_, it)) = rest.find(|(i, _)| *i == plan.at) else { unreachable!("plans are in order") };
            let (head, rest) = it.packet.split_at_mut(plan.opened.header_len);
            let (payload, tag) = rest.split_at_mut(rest.len() - TAG_LEN);
            batch.open(&self.key(plan.opened.generation).key, plan.nonce, head, payload, tag);
        }
        let done = batch.run();
        for (plan, done) in plans.iter().zip(done.iter()) {
            let it = &mut packets[plan.at];
            results[plan.at] = self.finish(plan, it.packet, it.pn_offset, *done);
        }
        *outcome = Some(done);
    }

    /// Removes header protection, and concludes what the packet would be.
    fn plan(&self, packet: &mut [u8], at: usize, pn_offset: usize, mask: [u8; MASK_LEN]) -> Plan {
        let (len, truncated) = header::remove(packet, pn_offset, &mask);
        let number = number::nearest(truncated, len, self.largest);
        let phase = u64::from(packet[0] & KEY_PHASE != 0);
        let same = is_long(packet[0]) || self.other.is_none() || phase == self.generation & 1;
        let generation = match (same, self.other_is_next) {
            (true, _) => self.generation,
            (false, true) => self.generation + 1,
            (false, false) => self.generation - 1,
        };
        let nonce = self.key(generation).nonce(number);
        let opened = Opened { number, generation, header_len: pn_offset + len, packet_len: packet.len() };
        Plan { at, mask, nonce, opened }
    }

    /// The keys of a generation: the current ones or the others.
    fn key(&self, generation: u64) -> &PacketKey {
        match &self.other {
            Some(other) if generation != self.generation => other,
            _ => &self.current,
        }
    }

    /// Notes that a packet was opened, or was not.
    fn finish(
        &mut self,
        plan: &Plan,
        packet: &mut [u8],
        pn_offset: usize,
        done: Result<(), combseal::Error>,
    ) -> Result<Opened, Error> {
        let Opened { number, generation, .. } = plan.opened;
        let error = match done {
            Ok(()) if self.note(number, generation) => return Ok(plan.opened),
            Ok(()) => {
                packet[plan.opened.payload()].zeroize();
                Error::KeyUpdate
            }
            Err(_) => {
                self.forgeries += 1;
                Error::Forged
            }
        };
        header::add(packet, pn_offset, &plan.mask);
        Err(error)
    }

    /// An authentic packet: whether its keys are as new as its number asks (RFC 9001, 6.4).
    fn note(&mut self, number: u64, generation: u64) -> bool {
        let right = if generation > self.generation {
            // An update. In one batch several packets may be of the next keys.
            let right = self.span.is_none_or(|(_, most)| number > most);
            if let (true, Some(other)) = (right, &mut self.other) {
                core::mem::swap(&mut self.current, other);
                self.other_is_next = false;
                self.before = self.span.map(|(_, most)| most);
                self.span = Some((number, number));
                self.generation = generation;
            }
            right
        } else if generation == self.generation {
            let right = self.before.is_none_or(|before| number > before);
            if right {
                let (least, most) = self.span.unwrap_or((number, number));
                self.span = Some((least.min(number), most.max(number)));
            }
            right
        } else {
            let right = self.span.is_none_or(|(least, _)| number < least);
            if right {
                self.before = Some(self.before.map_or(number, |before| before.max(number)));
            }
            right
        };
        if right {
            self.largest = Some(self.largest.map_or(number, |largest| largest.max(number)));
        }
        right
    }
}

impl fmt::Debug for Opener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { generation, largest, forgeries, .. } = self;
        f.debug_struct("Opener")
            .field("suite", &self.suite())
            .field("generation", generation)
            .field("largest", largest)
            .field("forgeries", forgeries)
            .finish_non_exhaustive()
    }
}
