//! What the programme is asked for, and the points that follow from it.

use combseal_archive::streams::named::StreamSystem;
use combseal_archive::streams::registry::SYSTEMS;
use serde::{Deserialize, Serialize};

/// The longest packet of the paper.
pub(super) const LONGEST: u64 = 8192;
/// Up to this length the paper's graphs matter most, and every length is measured.
pub(super) const CLOSE: u64 = 1024;
/// The lengths of the paper's tables.
pub(super) const TABLE: [u64; 6] = [0, 40, 402, 576, 1500, LONGEST];
/// Bytes in a packet under one of many keys, and the most keys.
pub(super) const KEYS_MESSAGE: u64 = 576;
pub(super) const MOST_KEYS: u64 = 8192;
/// The numbers of keys in the paper's table.
const TABLE_KEYS: [u64; 6] = [1, 32, 128, 512, 2048, MOST_KEYS];
/// The robust method takes the lengths that are multiples of this, up to [`CLOSE`] and beyond.
const ROBUST_STEPS: [u64; 2] = [16, 64];

/// The programme's options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Systems by their names, or by their ciphers'; all, if empty.
    pub systems: Vec<String>,
    /// From one length to the next beyond 1,024 bytes: 1 is the paper's.
    pub step: u64,
    /// One length in sixteen to 1,024, eight beyond, and the paper's numbers of keys.
    pub quick: bool,
    /// The seed of every random choice.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { systems: Vec::new(), step: 64, quick: false, seed: 2007 }
    }
}

impl Options {
    /// The lengths of single timings.
    pub fn lengths(&self) -> Vec<u64> {
        let step = if self.quick { 1024 } else { self.step.clamp(1, LONGEST) };
        let close = if self.quick { ROBUST_STEPS[0] } else { 1 };
        let long = (1..).map(|i| CLOSE + i * step).take_while(|&bytes| bytes <= LONGEST);
        sorted((0..=CLOSE).step_by(close as usize).chain(long).chain(TABLE))
    }

    /// Those of them that the robust method takes too: it costs several times as much.
    pub fn robust_lengths(&self) -> Vec<u64> {
        let step = |bytes: u64| if bytes <= CLOSE { ROBUST_STEPS[0] } else { ROBUST_STEPS[1] };
        let mut lengths = self.lengths();
        lengths.retain(|&bytes| TABLE.contains(&bytes) || bytes.is_multiple_of(step(bytes)));
        lengths
    }

    /// The numbers of keys.
    pub fn key_counts(&self) -> Vec<u64> {
        if self.quick {
            return TABLE_KEYS.to_vec();
        }
        (0..).map(|power| 1 << power).take_while(|&keys| keys <= MOST_KEYS).collect()
    }

    /// Samples of a point by the robust method.
    pub(super) fn rounds(&self) -> usize {
        if self.quick { 7 } else { 15 }
    }

    /// The systems that are asked for, each with all its tunings.
    ///
    /// # Errors
    /// A sentence, if there is none of a name.
    pub fn chosen(&self) -> Result<Vec<Vec<&'static StreamSystem>>, String> {
        let is_named = |system: &StreamSystem, name: &str| {
            system.name().eq_ignore_ascii_case(name) || system.about().name.eq_ignore_ascii_case(name)
        };
        if let Some(name) = self.systems.iter().find(|name| !SYSTEMS.iter().any(|system| is_named(system, name))) {
            let mut names: Vec<&str> = SYSTEMS.iter().map(StreamSystem::name).collect();
            names.dedup();
            return Err(format!("there is no system \"{name}\" here; there are {}", names.join(", ")));
        }
        let mut all: Vec<Vec<&'static StreamSystem>> = Vec::new();
        for system in SYSTEMS {
            if !self.systems.is_empty() && !self.systems.iter().any(|name| is_named(system, name)) {
                continue;
            }
            match all.iter_mut().find(|tunings| tunings[0].name() == system.name()) {
                Some(tunings) => tunings.push(system),
                None => all.push(vec![system]),
            }
        }
        Ok(all)
    }
}

fn sorted(numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
