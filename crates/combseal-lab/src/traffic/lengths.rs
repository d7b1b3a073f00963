//! The traffic that schemes are judged by: how long messages are and how many there are of each
//! length. A sample stands for all of them where they are too many to be measured.

use crate::measure::Random;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The longest message that can be measured, in bytes.
pub const LONGEST: u64 = 16 << 20;
/// The most messages in a sample, and the bytes they should not exceed together.
const SAMPLE: u64 = 512;
const SAMPLE_BYTES: u64 = 64 << 20;

/// How many messages have each length.
pub(super) type Lengths = BTreeMap<u64, u64>;

/// The lengths of messages in some traffic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Traffic {
    /// The mix's name, or the file's.
    pub name: String,
    /// `realistic mix`, `pcap`, `pcapng` or `csv`.
    pub source: String,
    /// What counts as a message: `ip`, `udp`, `frame`, or `given` where lengths were listed.
    pub payload: String,
    /// Messages in all.
    pub messages: u64,
    /// Bytes in all.
    pub bytes: u64,
    /// Each length, rising, and how many messages have it.
    pub lengths: Vec<(u64, u64)>,
}

impl Traffic {
    pub(super) fn of(name: &str, source: &str, payload: &str, lengths: Lengths) -> Self {
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

    /// Messages of one length.
    pub fn one_length(bytes: u64) -> Self {
        Traffic::of(&format!("messages of {bytes} bytes"), "messages", "given", Lengths::from([(bytes, 1)]))
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
