//! The traffic that schemes are judged by: how long messages are and how often, from the
//! comb paper's mix or from a capture or list of the user's own.

mod capture;
mod csv;

use crate::measure::Random;
pub use crate::results::Traffic;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// The longest message that can be measured, in bytes.
pub const LONGEST: u64 = 16 << 20;
/// The most messages in a sample, and the bytes they should not exceed together.
const SAMPLE: u64 = 512;
const SAMPLE_BYTES: u64 = 64 << 20;

/// What counts as a message in a captured frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Payload {
    /// What an IP packet carries: what IPsec's transport mode would seal.
    #[default]
    Ip,
    /// What a UDP datagram carries: what QUIC, DTLS and WireGuard would seal.
    Udp,
    /// The whole frame: what MACsec or a tunnel would seal.
    Frame,
}

impl Payload {
    /// The name, as on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Payload::Ip => "ip",
            Payload::Udp => "udp",
            Payload::Frame => "frame",
        }
    }
}

/// Why a file gives no traffic.
#[derive(Debug)]
pub struct Error {
    /// The file.
    pub path: PathBuf,
    /// What is wrong, and what to do.
    pub why: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for Error {}

/// What a file gave.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The lengths.
    pub traffic: Traffic,
    /// A sentence for each thing that was left out.
    pub notes: Vec<String>,
}

/// Reads a capture (pcap, pcapng) or a CSV of lengths.
///
/// # Errors
/// If the file cannot be read, is damaged from the start, or has no message in it.
pub fn read(path: &Path, payload: Payload) -> Result<Reading, Error> {
    let error = |why: String| Error { path: path.into(), why };
    let bytes = std::fs::read(path).map_err(|e| error(e.to_string()))?;
    let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
    parse(&bytes, &name, payload).map_err(error)
}

/// The same from bytes; `name` is for the record.
///
/// # Errors
/// As [`read`]: a sentence.
pub fn parse(bytes: &[u8], name: &str, payload: Payload) -> Result<Reading, String> {
    let (lengths, source, notes) = match capture::format(bytes) {
        Some(format) => {
            let (lengths, notes) = capture::lengths(bytes, payload)?;
            (lengths, format, notes)
        }
        None => (csv::lengths(bytes)?, "csv", Vec::new()),
    };
    let payload = if source == "csv" { "given" } else { payload.name() };
    Ok(Reading { traffic: Traffic::of(name, source, payload, lengths), notes })
}

impl Traffic {
    fn of(name: &str, source: &str, payload: &str, lengths: Lengths) -> Self {
        let sum = |of: fn(u64, u64) -> u64| lengths.iter().fold(0, |sum: u64, (&a, &b)| sum.saturating_add(of(a, b)));
        Traffic {
            name: name.into(),
            source: source.into(),
            payload: payload.into(),
            messages: sum(|_, count| count),
            bytes: sum(u64::saturating_mul),
            lengths: lengths.into_iter().collect(),
        }
    }

    /// The comb paper's realistic mix (Bogdanov, Lauridsen and Tischhauser 2014, Sect. 1): 44 %
    /// of messages with 40 to 100 bytes, 37 % with 1400 to 1500, 19 % between; each part evenly.
    pub fn realistic() -> Self {
        let mut lengths = Lengths::new();
        for (count, from, to) in [(440, 40, 100), (190, 101, 1399), (370, 1400, 1500)] {
            for i in 0..count {
                *lengths.entry(from + i * (to - from) / (count - 1)).or_default() += 1;
            }
        }
        Traffic::of("realistic mix", "realistic mix", "given", lengths)
    }

    /// At most some hundred lengths that stand for all, in random order: all of them if they
    /// are few, else the quantiles.
    pub fn sample(&self, seed: u64) -> Vec<usize> {
        let mean = (self.bytes / self.messages.max(1)).max(1);
        self.quantiles((SAMPLE_BYTES / mean).clamp(4, SAMPLE), seed)
    }

    /// So many lengths that stand for all, in random order; all of them, if they are fewer.
    pub fn quantiles(&self, wanted: u64, seed: u64) -> Vec<usize> {
        let wanted = wanted.min(self.messages);
        let mut sample = Vec::new();
        let (mut at, mut seen) = (0, 0u64);
        for i in 0..wanted {
            // The message in the middle of the i-th of `wanted` equal parts.
            let place = ((2 * u128::from(i) + 1) * u128::from(self.messages) / (2 * u128::from(wanted))) as u64;
            while seen.saturating_add(self.lengths[at].1) <= place {
                seen += self.lengths[at].1;
                at += 1;
            }
            sample.push(self.lengths[at].0 as usize);
        }
        Random::new(seed).shuffle(&mut sample);
        sample
    }
}

/// How many messages have each length.
type Lengths = BTreeMap<u64, u64>;

#[cfg(test)]
mod tests;
