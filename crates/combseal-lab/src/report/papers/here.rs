//! What of a run stands beside a paper's printed values: which of our tiers, and what each of them takes.

use crate::measure::stats;
use crate::published::{self, Published};
use crate::report::figure::{Cell, Series, Table};
use crate::report::figures::{gather, quartiles};
use crate::results::{Axis, Point, Run, Unit};
use crate::subjects::Op;

/// The tiers whose registers are those of the papers' machines: AES instructions on 128 bits.
const NARROW: [&str; 2] = ["aesni", "armv8"];
/// The tier without AES instructions.
const SOFT: &str = "soft";

/// A run, looked at for a paper.
#[derive(Clone, Copy)]
pub struct Here<'a> {
    run: &'a Run,
}

impl<'a> Here<'a> {
    /// Looks at a run.
    pub fn new(run: &'a Run) -> Self {
        Here { run }
    }

    /// Our tiers that sealed single messages in this run, the best first, by their names.
    fn tiers(self) -> impl Iterator<Item = &'a str> {
        let run = self.run;
        run.machine.tiers.iter().map(String::as_str).filter(move |tier| {
            run.points.iter().any(|p| p.tier.as_deref() == Some(*tier) && p.op == Op::Seal && p.axis == Axis::Length)
        })
    }

    /// The best tier.
    pub fn best(self) -> Option<&'a str> {
        self.tiers().next()
    }

    /// The software tier.
    pub fn soft(self) -> Option<&'a str> {
        self.tiers().find(|tier| *tier == SOFT)
    }

    /// The tiers that stand beside a machine with AES instructions: the best, and the one with registers of 128
    /// bits; none, if this machine has no such instructions.
    pub fn with_aes(self) -> Vec<&'a str> {
        let best = self.best().filter(|tier| !tier.starts_with(SOFT));
        let narrow = self.tiers().find(|tier| NARROW.contains(tier) && Some(*tier) != best);
        best.into_iter().chain(narrow).collect()
    }

    /// The tiers that stand beside a paper's machine: with AES instructions or without, as it.
    pub fn beside(self, p: &Published) -> Vec<&'a str> {
        let has_aes = p.isa.contains("AES-NI") || p.isa.contains("ARMv8");
        if has_aes { self.with_aes() } else { self.soft().into_iter().collect() }
    }

    /// What an operation on one message, one key, no associated data, took on a tier.
    pub fn point(self, scheme: &str, tier: &str, op: Op, bytes: u64) -> Option<&'a Point> {
        let axis = if op == Op::Setup { Axis::Single } else { Axis::Length };
        self.run.points.iter().find(|p| {
            (p.scheme.as_str(), p.tier.as_deref(), p.op, p.axis, p.bytes) == (scheme, Some(tier), op, axis, bytes)
                && p.ad == 0
                && p.keys <= 1
                && p.batch <= 1
        })
    }

    /// Cycles a byte to seal a message of that length on a tier.
    pub fn per_byte(self, scheme: &str, tier: &str, bytes: u64) -> Option<f64> {
        self.point(scheme, tier, Op::Seal, bytes)?.per_byte()
    }

    /// The Internet performance index of an operation on a tier.
    pub fn ipi(self, scheme: &str, tier: &str, op: Op) -> Option<f64> {
        stats::ipi(|n| Some(self.point(scheme, tier, op, n as u64)?.median))
    }

    /// The same as a cell, with a question mark if one of its lengths is doubtful.
    pub fn ipi_cell(self, scheme: &str, tier: &str) -> Cell {
        let points = || stats::IPI.iter().filter_map(|(n, _)| self.point(scheme, tier, Op::Seal, *n as u64));
        let value = self.ipi(scheme, tier, Op::Seal);
        points().find(|p| p.is_doubtful()).map_or(value.into(), |p| Cell::of(p, value))
    }

    /// Bytes of a key's context on a tier.
    pub fn context(self, scheme: &str, tier: &str) -> Option<f64> {
        let name = format!("combseal {tier}");
        let of = |c: &&crate::results::Context| c.scheme == scheme && c.implementation == name;
        self.run.contexts.iter().find(of).map(|c| c.bytes as f64)
    }

    /// Was anything of this scheme sealed by our tiers?
    pub fn has(self, scheme: &str) -> bool {
        self.run.points.iter().any(|p| p.scheme == scheme && !p.peer && p.op == Op::Seal && p.axis == Axis::Length)
    }

    /// Sealing against length, cycles a byte: a line for each of these schemes that was measured by code for which
    /// `by` holds, from `lengths.0` to `lengths.1` bytes.
    pub fn curves(self, schemes: &[&str], lengths: (u64, u64), by: impl Fn(&Point) -> bool) -> Vec<Series> {
        let fits = |p: &&Point| {
            let alone = p.axis == Axis::Length && p.op == Op::Seal && p.ad == 0 && p.keys <= 1 && p.batch <= 1;
            alone && (lengths.0..=lengths.1).contains(&p.bytes) && schemes.contains(&p.scheme.as_str()) && by(p)
        };
        let mut points: Vec<&Point> = self.run.points.iter().filter(fits).collect();
        points.sort_by_key(|p| schemes.iter().position(|scheme| *scheme == p.scheme));
        gather(&points, "seal", |p| (p.bytes as f64, quartiles(p, p.bytes as f64)))
    }

    /// What this run counts in.
    pub fn unit(self) -> &'static str {
        match self.run.machine.clock.unit {
            Unit::Cycles => "cycles",
            Unit::Nanoseconds => "nanoseconds",
        }
    }
}

/// What a paper printed at a place, in the file's order.
pub fn printed(paper: &str, place: &str) -> Vec<&'static Published> {
    published::all().iter().filter(|p| p.paper == paper && p.place == place).collect()
}

/// A table of one group or several, if it has rows.
pub fn table(id: &str, title: &str, after: &str, note: String, columns: &[(&str, Option<usize>)]) -> Table {
    let columns = columns.iter().map(|(name, digits)| (name.to_string(), *digits)).collect();
    Table { id: id.into(), title: title.into(), after: after.into(), note, columns, groups: Vec::new() }
}

/// A number as a person reads it: three digits, or as many behind the point.
pub fn said(v: f64) -> String {
    let digits = match v.abs() {
        100.0.. => 0,
        10.0.. => 1,
        0.1.. => 2,
        _ => 3,
    };
    let text = format!("{v:.digits$}");
    // What is nothing has no sign.
    if text.trim_start_matches(['-', '0', '.']).is_empty() { text.trim_start_matches('-').into() } else { text }
}

/// The columns of a table of what a text says.
pub const TEXT_COLUMNS: [(&str, Option<usize>); 6] =
    [("what", None), ("then", None), ("here", None), ("by", None), ("its CPU", None), ("place", None)];
