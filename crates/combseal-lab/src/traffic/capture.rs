//! The payload lengths of captured frames (pcap, pcapng). They are the lengths that headers state,
//! since a capture may have kept only the beginning of each frame.

use super::lengths::{LONGEST, Lengths};
use super::payload::Payload;
use etherparse::{EtherType, LaxNetSlice, LaxSlicedPacket, TransportSlice};
use pcap_parser::{Block, Linktype, PcapBlockOwned, PcapError, create_reader};

/// Frames are smaller than this; a block that claims more is damaged.
const LARGEST_BLOCK: usize = 16 << 20;

/// The format by its first bytes.
pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    match bytes.first_chunk()? {
        [0x0a, 0x0d, 0x0d, 0x0a] => Some("pcapng"),
        // Microseconds and nanoseconds, in either order of bytes.
        [0xd4, 0xc3, 0xb2, 0xa1] | [0xa1, 0xb2, 0xc3, 0xd4] | [0x4d, 0x3c, 0xb2, 0xa1] | [0xa1, 0xb2, 0x3c, 0x4d] => {
            Some("pcap")
        }
        _ => None,
    }
}

/// The lengths, and what was left out.
pub(super) fn lengths(bytes: &[u8], payload: Payload) -> Result<(Lengths, Vec<String>), String> {
    let mut frames = Frames { payload, lengths: Lengths::new(), links: Vec::new(), others: 0, read: 0 };
    let mut notes = Vec::new();
    if let Err(why) = frames.read(bytes) {
        if frames.read == 0 {
            return Err(format!("no frame can be read: {why}"));
        }
        notes.push(format!("the capture ends after {} frames: {why}", frames.read));
    }
    let what = match payload {
        Payload::Ip => "IP packets",
        Payload::Udp => "UDP datagrams",
        Payload::Frame => "frames",
    };
    if frames.lengths.is_empty() {
        return Err(format!("no {what} among its {} frames; try --payload frame", frames.read));
    }
    if frames.others > 0 {
        notes.push(format!("{} of {} frames are no {what} and were left out", frames.others, frames.read));
    }
    Ok((frames.lengths, notes))
}

struct Frames {
    payload: Payload,
    lengths: Lengths,
    /// The link type of each interface of the section.
    links: Vec<Linktype>,
    others: u64,
    read: u64,
}

impl Frames {
    fn read(&mut self, bytes: &[u8]) -> Result<(), String> {
        // A little more than the file, or else a block that is cut off looks too large.
        let room = (bytes.len() + (1 << 16)).min(LARGEST_BLOCK);
        let damaged = |e: PcapError<&[u8]>| match e {
            PcapError::Incomplete(_) | PcapError::UnexpectedEof | PcapError::Eof => "it is cut off".to_string(),
            PcapError::BufferTooSmall => "a frame claims to be larger than any can be".to_string(),
            _ => "it is damaged".to_string(),
        };
        let mut reader = create_reader(room, bytes).map_err(damaged)?;
        loop {
            let exhausted = reader.reader_exhausted();
            match reader.next() {
                Ok((size, block)) => {
                    self.block(&block);
                    reader.consume(size);
                }
                Err(PcapError::Eof) => return Ok(()),
                Err(PcapError::Incomplete(_)) if !exhausted => {
                    let before = reader.data().len();
                    reader.refill().map_err(damaged)?;
                    if reader.data().len() == before && !reader.reader_exhausted() {
                        return Err(damaged(PcapError::BufferTooSmall));
                    }
                }
                Err(e) => return Err(damaged(e)),
            }
        }
    }

    fn block(&mut self, block: &PcapBlockOwned) {
        match block {
            PcapBlockOwned::LegacyHeader(header) => self.links = vec![header.network],
            PcapBlockOwned::Legacy(frame) => self.frame(0, frame.data, frame.caplen, frame.origlen),
            PcapBlockOwned::NG(Block::SectionHeader(_)) => self.links.clear(),
            PcapBlockOwned::NG(Block::InterfaceDescription(interface)) => self.links.push(interface.linktype),
            PcapBlockOwned::NG(Block::EnhancedPacket(frame)) => {
                self.frame(frame.if_id as usize, frame.data, frame.caplen, frame.origlen);
            }
            PcapBlockOwned::NG(Block::SimplePacket(frame)) => {
                self.frame(0, frame.data, frame.data.len() as u32, frame.origlen);
            }
            PcapBlockOwned::NG(_) => {}
        }
    }

    fn frame(&mut self, interface: usize, data: &[u8], captured: u32, original: u32) {
        self.read += 1;
        // The frame is followed by what pads the block.
        let data = &data[..data.len().min(captured as usize)];
        let length = match (self.payload, self.links.get(interface)) {
            // A length that no frame has is damage.
            (Payload::Frame, _) => Some(u64::from(original)).filter(|&bytes| bytes <= LONGEST),
            (_, None) => None,
            (payload, Some(&link)) => packet(link, data).and_then(|packet| within(payload, &packet)),
        };
        match length {
            Some(length) => *self.lengths.entry(length).or_default() += 1,
            None => self.others += 1,
        }
    }
}

/// The packet in a frame.
fn packet(link: Linktype, data: &[u8]) -> Option<LaxSlicedPacket<'_>> {
    let behind = |header: usize, ether_type: usize| {
        let ether_type = data.get(ether_type..)?.first_chunk()?;
        Some(LaxSlicedPacket::from_ether_type(EtherType(u16::from_be_bytes(*ether_type)), data.get(header..)?))
    };
    match link {
        Linktype::ETHERNET => LaxSlicedPacket::from_ethernet(data).ok(),
        // 12 and 14 are what raw IP is called in captures of some BSDs.
        Linktype::RAW | Linktype::IPV4 | Linktype::IPV6 | Linktype(12 | 14) => LaxSlicedPacket::from_ip(data).ok(),
        Linktype::NULL | Linktype::LOOP => LaxSlicedPacket::from_ip(data.get(4..)?).ok(),
        Linktype::LINUX_SLL => behind(16, 14),
        Linktype::LINUX_SLL2 => behind(20, 0),
        _ => None,
    }
}

/// The bytes of payload, by the packet's own headers.
fn within(payload: Payload, packet: &LaxSlicedPacket) -> Option<u64> {
    if payload == Payload::Udp {
        return match packet.transport.as_ref()? {
            TransportSlice::Udp(udp) => u64::from(udp.length()).checked_sub(8),
            _ => None,
        };
    }
    match packet.net.as_ref()? {
        LaxNetSlice::Ipv4(ip) => match ip.header().payload_len() {
            Ok(length) => Some(u64::from(length)),
            // A total length of 0: it was captured before the network card cut it into packets.
            Err(_) => Some(ip.payload().payload.len() as u64),
        },
        LaxNetSlice::Ipv6(ip) => Some(u64::from(ip.header().payload_length())),
        LaxNetSlice::Arp(_) => None,
    }
}
