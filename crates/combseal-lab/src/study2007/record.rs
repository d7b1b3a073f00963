//! The results file: a line of JSON for the machine, one for each system once it is whole, one for
//! each tuning that gave wrong answers, and one for the end.

use super::options::Options;
use crate::measure::stats;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// What is done with a packet or a key: the paper's three operations, and refusing a forgery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// A key's bytes become an expanded key.
    ExpandKey,
    /// A message becomes a packet.
    Encrypt,
    /// A packet becomes a message.
    Decrypt,
    /// A forged packet is refused.
    Reject,
}

impl Operation {
    /// Those on packets.
    pub const ON_PACKETS: [Self; 3] = [Self::Encrypt, Self::Decrypt, Self::Reject];

    /// The paper's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ExpandKey => "expandkey",
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
            Self::Reject => "reject",
        }
    }
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Record {
    /// The first.
    Machine(Machine),
    /// A system, measured.
    System(Chosen),
    /// A tuning that gave wrong answers, and was not timed.
    Failed(Failed),
    /// The last.
    End(End),
}

/// The machine, and what was asked for.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// The processor.
    pub cpu: String,
    /// The tier of the library's instructions that systems were built for.
    pub tier: String,
    /// `core cycles`, or `nanoseconds` where there is no counter.
    pub unit: String,
    /// The core's speed, if it is known.
    pub ghz: Option<f64>,
    /// The compiler.
    pub compiler: String,
    /// The version of this laboratory.
    pub version: String,
    /// When it began (RFC 3339).
    pub started: String,
    /// The options.
    pub options: Options,
}

/// A system in its best tuning.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Chosen {
    /// Its name.
    pub name: String,
    /// The tuning.
    pub tuning: String,
    /// Whether time and addresses are the same for every key and message.
    pub constant_time: bool,
    /// What became of the cipher.
    pub status: String,
    /// Bytes in an expanded key, ours.
    pub context: u64,
    /// And the paper's.
    pub context_2007: Option<u64>,
    /// All tunings, in the order of the list.
    pub tunings: Vec<Tuning>,
    /// What was measured.
    pub points: Vec<Point>,
}

/// A tuning, and what it took.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Tuning {
    /// Its name.
    pub tuning: String,
    /// Whether time and addresses are the same for every key and message.
    pub constant_time: bool,
    /// Cycles to encrypt 1,536 bytes, the median of fifteen.
    pub cycles: f64,
}

/// A point: an operation, a length, a number of keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// What was done.
    pub op: Operation,
    /// Bytes in the message.
    pub bytes: u64,
    /// Keys in use.
    pub keys: u64,
    /// Fifteen single timings, in their order, none left out; to a cycle, which is finer than a
    /// counter's step.
    pub singles: Vec<u64>,
    /// The same by the robust method, where it was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robust: Option<Robust>,
}

impl Point {
    /// Its cycles: the robust median where there is one, else the median of the single timings.
    pub fn cycles(&self) -> f64 {
        self.robust.as_ref().map_or_else(|| stats::median(&self.timings().collect::<Vec<_>>()), |robust| robust.median)
    }

    /// The single timings.
    pub fn timings(&self) -> impl Iterator<Item = f64> {
        self.singles.iter().map(|cycles| *cycles as f64)
    }
}

/// What the campaign found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Robust {
    /// The median of the undisturbed samples.
    pub median: f64,
    /// A quarter of them lie below.
    pub p25: f64,
    /// Three quarters lie below.
    pub p75: f64,
    /// How many there are.
    pub clean: u64,
    /// Samples that stayed disturbed.
    pub unclean: u64,
}

/// A tuning that was not timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// The system.
    pub name: String,
    /// The tuning.
    pub tuning: String,
    /// What was wrong.
    pub why: String,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct End {
    /// Stopped by the user: systems are missing.
    pub interrupted: bool,
    /// How long it took.
    pub seconds: f64,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Run {
    /// The machine.
    pub machine: Machine,
    /// The systems.
    pub systems: Vec<Chosen>,
    /// What was wrong.
    pub failed: Vec<Failed>,
    /// How it ended; nothing, if it was cut off.
    pub end: Option<End>,
}

impl Chosen {
    /// Its point, if that was measured.
    pub fn point(&self, op: Operation, bytes: u64, keys: u64) -> Option<&Point> {
        self.points.iter().find(|point| (point.op, point.bytes, point.keys) == (op, bytes, keys))
    }

    /// Its cycles under one key.
    pub fn cycles(&self, op: Operation, bytes: u64) -> Option<f64> {
        Some(self.point(op, bytes, 1)?.cycles())
    }
}

/// Whether a file is one of these: its first line is this programme's machine, which has a tier and, other
/// than that of a usual study, no clock. What cannot be read is not.
pub fn is_results(path: &Path) -> bool {
    let Ok(file) = std::fs::File::open(path) else { return false };
    let mut line = String::new();
    // The line of a machine is short; a file without any lines may be long.
    if BufReader::new(file.take(1 << 16)).read_line(&mut line).is_err() {
        return false;
    }
    let value: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
    value["kind"] == "machine" && value["tier"].is_string() && value.get("clock").is_none()
}

/// Reads a results file. A last line that is cut off is left out.
///
/// # Errors
/// Those of the file system, and what is no such file.
pub fn read(path: &Path) -> io::Result<Run> {
    let text = std::fs::read_to_string(path)?;
    let mut run = Run::default();
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        match serde_json::from_str(line).map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why))? {
            Record::Machine(machine) => run.machine = machine,
            Record::System(system) => run.systems.push(system),
            Record::Failed(failed) => run.failed.push(failed),
            Record::End(end) => run.end = Some(end),
        }
    }
    Ok(run)
}
