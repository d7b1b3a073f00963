//! The systems on the paper's first page, and what this run has of each: from the programme of 2007, if its
//! results are there, else from the few systems that a usual study has.

use crate::report::figure::Cell;
use crate::results::{Axis, Point, Run};
use crate::study2007::{self, Chosen, Operation};
use crate::subjects::Op;

/// A system of the first page: the paper's name and ours; bits of the cipher's key, the cipher, the MAC, bits
/// of the whole key, as printed.
pub(super) struct System {
    /// The paper's name.
    pub paper: &'static str,
    /// Ours.
    pub name: &'static str,
    /// Bits of the cipher's key.
    pub bits: u32,
    /// The cipher.
    pub cipher: &'static str,
    /// The authenticator.
    pub mac: &'static str,
    /// Bits of the key.
    pub total: u32,
}

const fn with_poly1305(name: &'static str, bits: u32, cipher: &'static str) -> System {
    System { paper: name, name, bits, cipher, mac: "Poly1305", total: bits + 128 }
}

const fn known_as(paper: &'static str, system: System) -> System {
    System { paper, ..system }
}

const fn built_in(paper: &'static str, name: &'static str, bits: u32, cipher: &'static str) -> System {
    System { paper, name, bits, cipher, mac: "built-in", total: bits }
}

/// All of them, in the paper's order.
pub(super) const SYSTEMS: [System; 26] = [
    with_poly1305("abc-v3-poly1305", 128, "ABC v3"),
    with_poly1305("aes-128-poly1305", 128, "10-round AES"),
    with_poly1305("aes-256-poly1305", 256, "14-round AES"),
    with_poly1305("cryptmt-v2-poly1305", 256, "CryptMT v2"),
    with_poly1305("dicing-v2-poly1305", 256, "DICING P2"),
    with_poly1305("dragon-poly1305", 256, "Dragon"),
    with_poly1305("grain-128-poly1305", 128, "Grain-128"),
    with_poly1305("grain-v1-poly1305", 80, "Grain v1"),
    with_poly1305("hc-128-poly1305", 128, "HC-128"),
    with_poly1305("hc-256-poly1305", 256, "HC-256"),
    with_poly1305("lex-v1-poly1305", 128, "LEX v1"),
    known_as("mickey-128-2-poly1305", with_poly1305("mickey-128-2.0-poly1305", 128, "MICKEY-128 2.0")),
    built_in("nls", "nls-v2-ae", 128, "NLS"),
    known_as("nls-poly1305", with_poly1305("nls-v2-poly1305", 128, "NLS")),
    built_in("phelix", "phelix", 256, "Phelix"),
    with_poly1305("py6-poly1305", 256, "Py6"),
    with_poly1305("py-poly1305", 256, "Py"),
    with_poly1305("pypy-poly1305", 256, "Pypy"),
    with_poly1305("rabbit-poly1305", 128, "Rabbit"),
    with_poly1305("rc4-poly1305", 256, "RC4"),
    with_poly1305("salsa20-8-poly1305", 256, "Salsa20/8"),
    with_poly1305("salsa20-12-poly1305", 256, "Salsa20/12"),
    with_poly1305("salsa20-poly1305", 256, "Salsa20"),
    with_poly1305("snow-2.0-poly1305", 256, "SNOW 2.0"),
    with_poly1305("sosemanuk-poly1305", 256, "SOSEMANUK"),
    with_poly1305("trivium-poly1305", 80, "Trivium"),
];

/// What this machine took, wherever it is from.
pub(super) struct Here<'a> {
    run: &'a Run,
    /// The programme, if its results are there.
    pub programme: Option<&'a study2007::Run>,
}

impl<'a> Here<'a> {
    /// A run, and the programme that belongs to it.
    pub fn new(run: &'a Run) -> Self {
        Here { run, programme: run.programme.as_ref() }
    }

    /// A system of the programme.
    pub fn chosen(&self, system: &System) -> Option<&'a Chosen> {
        self.programme?.systems.iter().find(|chosen| chosen.name == system.name)
    }

    /// The point of a usual study: of the best tier that has it.
    fn usual(&self, system: &System, op: Operation, bytes: u64) -> Option<&'a Point> {
        let op = match op {
            Operation::Encrypt => Op::Seal,
            Operation::Decrypt => Op::Open,
            Operation::Reject => Op::Reject,
            Operation::ExpandKey => return None,
        };
        let fits = |tier: &str, p: &Point| {
            let same = p.scheme == system.name && p.tier.as_deref() == Some(tier) && p.op == op;
            same && p.axis == Axis::Length && p.bytes == bytes && (p.ad, p.keys, p.batch) == (0, 1, 1)
        };
        let tiers = &self.run.machine.tiers;
        tiers.iter().find_map(|tier| self.run.points.iter().find(|p| fits(tier, p)))
    }

    /// Cycles, with a mark if they are of disturbed samples.
    pub fn cycles(&self, system: &System, op: Operation, bytes: u64, keys: u64) -> Cell {
        if self.programme.is_some() {
            let point = self.chosen(system).and_then(|chosen| chosen.point(op, bytes, keys));
            let Some(point) = point else { return Cell::Number(None) };
            let number = Cell::from(Some(point.cycles()));
            return match (&point.robust, number) {
                (Some(robust), Cell::Number(Some(doubtful))) if robust.clean <= robust.unclean => {
                    Cell::Doubtful { doubtful }
                }
                (_, number) => number,
            };
        }
        let point = self.usual(system, op, bytes).filter(|_| keys == 1);
        point.map_or(Cell::Number(None), |p| Cell::of(p, Some(p.median)))
    }

    /// The tier, and what times are counted in.
    pub fn tier_and_unit(&self) -> (String, String) {
        match self.programme {
            Some(programme) => (programme.machine.tier.clone(), programme.machine.unit.clone()),
            None => {
                let unit = match self.run.machine.clock.unit {
                    crate::results::Unit::Cycles => "core cycles",
                    crate::results::Unit::Nanoseconds => "nanoseconds",
                };
                (self.run.machine.tiers.first().cloned().unwrap_or_default(), unit.into())
            }
        }
    }
}

/// Whether a cell has a value of this machine.
pub(super) fn is_here(cell: &Cell) -> bool {
    matches!(cell, Cell::Number(Some(_)) | Cell::Doubtful { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use combseal_archive::streams::named::StreamSystem;

    #[test]
    fn all_are_in_the_archive_with_keys_of_that_length() {
        for system in SYSTEMS {
            let ours = StreamSystem::by_name(system.name).next().unwrap_or_else(|| panic!("{}", system.name));
            assert!(ours.key_lens().any(|bytes| 8 * bytes as u32 == system.total), "{}", system.name);
        }
    }
}
