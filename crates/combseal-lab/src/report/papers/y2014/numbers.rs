//! The numbers of the tables of 2014: as the paper prints them, and as this run has them. A mode is seen
//! on one tier, the best that the run has.

use crate::published::{self, Published};
use crate::results::{Axis, Point, Run};
use crate::subjects::Op;
use crate::subjects::batches::Mode;
use std::cmp::Ordering;

/// The paper's machine, as its data name it.
pub(super) const CPU: &str = "Core i5-4300U (Haswell)";

/// A mode of the paper by its name there, and its name here; without one, it is not here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    /// In the paper's tables of authenticated encryption.
    pub paper: &'static str,
    /// The scheme's whole name.
    pub scheme: &'static str,
    /// Whether the paper runs it on the comb.
    pub combed: bool,
    /// Whether it is one of those that are to survive a repeated nonce: parts (b) of the tables.
    pub resists: bool,
}

const fn named(paper: &'static str, scheme: &'static str, combed: bool, resists: bool) -> Named {
    Named { paper, scheme, combed, resists }
}

/// The modes of authenticated encryption, in the paper's order.
pub(super) const MODES: [Named; 12] = [
    named("CCM", "AES-128-CCM", true, false),
    named("GCM", "AES-128-GCM", false, false),
    named("OCB3", "OCB3-AES-128", false, false),
    named("OTR", "OTR-P-v1-AES-128", false, false),
    named("CLOC", "CLOC-v1-AES-128", true, false),
    named("COBRA", "COBRA", false, false),
    named("JAMBU", "JAMBU-AES-128", true, false),
    named("SILC", "SILC-v1-AES-128", true, false),
    named("McOE-G", "McOE-G-AES-128", true, true),
    named("COPA", "COPA-v1-AES-128", false, true),
    named("POET", "POET-v1-AES-128", true, true),
    named("Julius", "Julius-ECB-AES-128", false, true),
];

/// NIST's modes of Table 3, in its order.
pub(super) const NIST: [Named; 6] = [
    named("AES-ECB", "AES-128-ECB", false, false),
    named("AES-CTR", "AES-128-CTR", false, false),
    named("AES-CBC", "AES-128-CBC", true, false),
    named("AES-OFB", "AES-128-OFB", true, false),
    named("AES-CFB", "AES-128-CFB", true, false),
    named("CMAC-AES", "AES-128-CMAC", true, false),
];

/// Which messages a number is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Messages {
    /// The realistic mix.
    Mix,
    /// All of so many bytes.
    Of(u64),
}

impl Messages {
    fn published(self) -> String {
        match self {
            Messages::Mix => "mix".into(),
            Messages::Of(bytes) => bytes.to_string(),
        }
    }
}

/// A number of the paper: of a table, one message at a time or on the comb; `lanes` where the table has a
/// column for each number of them.
pub(super) fn printed(
    table: &str,
    scheme: &str,
    comb: bool,
    lanes: Option<u64>,
    messages: Messages,
    unit: &str,
) -> Option<&'static Published> {
    let (way, bytes) = (if comb { "comb" } else { "single" }, messages.published());
    let fits = |p: &&Published| {
        (p.paper.as_str(), p.place.as_str(), p.scheme.as_str()) == ("blt2014", table, scheme)
            && (p.way.as_str(), p.lanes, p.bytes.as_str(), p.unit.as_str()) == (way, lanes, bytes.as_str(), unit)
    };
    published::all().iter().find(fits)
}

/// Keys where there are many, each message's own.
pub(super) const MANY: u64 = 1000;

/// This run, on one tier: what sealing takes under one key, unless it is said.
#[derive(Clone)]
pub(super) struct Here<'a> {
    run: &'a Run,
    /// The tier's name.
    pub tier: String,
    op: Op,
    keys: u64,
}

impl<'a> Here<'a> {
    fn on(run: &'a Run, tier: &str) -> Self {
        Here { run, tier: tier.into(), op: Op::Seal, keys: 1 }
    }

    /// The run on its best tier.
    pub fn best(run: &'a Run) -> Option<Self> {
        Some(Here::on(run, run.machine.tiers.first()?))
    }

    /// The run on each of its tiers.
    pub fn tiers(run: &'a Run) -> impl Iterator<Item = Self> {
        run.machine.tiers.iter().map(move |tier| Here::on(run, tier))
    }

    /// The same under [`MANY`] keys.
    pub fn under_keys(&self) -> Self {
        Here { keys: MANY, ..self.clone() }
    }

    /// What opening takes.
    pub fn opening(&self) -> Self {
        Here { op: Op::Open, ..self.clone() }
    }

    fn of<'s>(&'s self, scheme: &'s str, axis: Axis, messages: Messages) -> impl Iterator<Item = &'a Point> + 's {
        let (run, op, keys, mixed) = (self.run, self.op, self.keys, messages == Messages::Mix);
        run.points.iter().filter(move |p| {
            let kind = match messages {
                // A mix has a sum of lengths; on its own axes, alone, it is nothing else.
                Messages::Mix => p.messages.is_some(),
                Messages::Of(bytes) => p.messages.is_none() && p.bytes == bytes,
            };
            let same = p.scheme == scheme && p.tier.as_deref() == Some(&self.tier) && p.op == op;
            same && p.axis == axis && (kind || mixed && axis == Axis::Mix) && (p.ad, p.keys) == (0, keys)
        })
    }

    /// One message at a time.
    pub fn alone(&self, scheme: &str, messages: Messages) -> Option<&'a Point> {
        let axis = if messages == Messages::Mix { Axis::Mix } else { Axis::Length };
        let usual = self.of(scheme, axis, messages).find(|p| p.batch <= 1);
        usual.or_else(|| self.of(scheme, Axis::Comb, messages).find(|p| p.batch == 1))
    }

    /// On so many lanes of the comb. A usual study has no such points; it has as many messages of one
    /// length handed over together, which fill as many lanes once.
    pub fn lanes(&self, scheme: &str, messages: Messages, lanes: u64) -> Option<&'a Point> {
        let on = |axis| self.of(scheme, axis, messages).find(|p| p.batch == lanes);
        on(Axis::Comb).or_else(|| if messages == Messages::Mix { None } else { on(Axis::Batch) })
    }

    /// On as many lanes as were the fastest; in a usual study, handed over in as large a batch.
    pub fn fastest(&self, scheme: &str, messages: Messages) -> Option<Fastest<'a>> {
        let on = |axis| {
            let all = self.of(scheme, axis, messages).filter(|p| p.batch > 1);
            // A disturbed value may be too low as well as too high: it wins where there is no other.
            let order = |a: &&Point, b: &&Point| match a.is_doubtful().cmp(&b.is_doubtful()) {
                Ordering::Equal => a.median.total_cmp(&b.median),
                other => other,
            };
            Some(Fastest { point: all.min_by(order)?, on_lanes: axis == Axis::Comb })
        };
        on(Axis::Comb).or_else(|| on(Axis::Batch))
    }
}

impl<'a> Here<'a> {
    /// Messages of a length on the comb as Table 6 has them: on as many lanes as are the fastest at its longest.
    pub fn as_longest(&self, scheme: &str, bytes: u64) -> Option<&'a Point> {
        let Point { batch, axis, .. } = self.fastest(scheme, Messages::Of(LONGEST))?.point;
        self.of(scheme, *axis, Messages::Of(bytes)).find(|p| p.batch == *batch)
    }

    /// The numbers of lanes on which any of these modes was measured, in words: those that the fastest is one of. A
    /// number that stands in for a batch is none.
    pub fn tried(&self, modes: &[Named], messages: Messages) -> Option<String> {
        let of = |mode: &Named| self.of(mode.scheme, Axis::Comb, messages).map(|p| p.batch).collect::<Vec<_>>();
        let mut lanes: Vec<u64> = modes.iter().filter(|mode| mode.combed).flat_map(of).filter(|&p| p > 1).collect();
        lanes.sort_unstable();
        lanes.dedup();
        (!lanes.is_empty()).then(|| listed(&lanes))
    }
}

/// The longest messages of Tables 5 and 6.
pub(super) const LONGEST: u64 = 2048;

/// Rising numbers in words: "2 to 16" where none between them is left out, else each of them.
pub(super) fn listed(numbers: &[u64]) -> String {
    let written = |n: &u64| if *n < 1000 { n.to_string() } else { format!("{},{:03}", n / 1000, n % 1000) };
    match numbers {
        [] => String::new(),
        [one] => written(one),
        [first, .., last] if numbers.len() > 2 && last - first + 1 == numbers.len() as u64 => {
            format!("{} to {}", written(first), written(last))
        }
        [some @ .., last] => {
            format!("{} and {}", some.iter().map(written).collect::<Vec<_>>().join(", "), written(last))
        }
    }
}

/// The fastest way of several messages together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fastest<'a> {
    /// What was measured.
    pub point: &'a Point,
    on_lanes: bool,
}

impl Fastest<'_> {
    /// How many lanes, or how many messages together.
    pub fn lanes(&self) -> String {
        match self.on_lanes {
            true => self.point.batch.to_string(),
            false => format!("{} together", self.point.batch),
        }
    }

    /// The same where it does not stand under a P.
    pub fn how(&self) -> String {
        if self.on_lanes { format!("P = {}", self.lanes()) } else { self.lanes() }
    }
}

/// Calls of the cipher for each block of a long message, as the laboratory counts them for its limits.
pub(super) fn calls_a_block(scheme: &str) -> Option<f64> {
    // At ten rounds a cycle, AES-128 takes a cycle.
    let calls = |bytes| Mode::of_scheme(scheme)?.limit(bytes, 10.0);
    Some((calls(4096)? - calls(2048)?) / 128.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;

    #[test]
    fn as_printed() {
        let of = |comb, lanes, unit| {
            printed("table 2", "AES-128-CBC", comb, lanes, Messages::Of(2048), unit).map(|p| p.value)
        };
        assert_eq!(of(false, None, "cpb"), Some(4.38));
        assert_eq!((of(true, Some(7), "cpb"), of(true, Some(7), "ratio")), (Some(0.66), Some(6.64)));
        assert_eq!(printed("table 4a", "COBRA", false, None, Messages::Mix, "cpb").map(|p| p.value), Some(3.56));
        assert_eq!(of(true, Some(9), "cpb"), None);
        for mode in MODES.iter().chain(&NIST).filter(|mode| mode.paper != "COBRA") {
            let raw = Mode::PAPER.into_iter().find(|m| m.name() == mode.scheme);
            assert!(raw.is_some(), "{}", mode.scheme);
        }
    }

    #[test]
    fn calls() {
        for (scheme, calls) in [("AES-128-CCM", 2.0), ("AES-128-GCM", 1.0), ("POET-v1-AES-128", 3.0)] {
            assert_eq!(calls_a_block(scheme), Some(calls), "{scheme}");
        }
        assert_eq!(calls_a_block("COBRA"), None);
    }

    /// A usual study's batches stand in for lanes, where there are no lanes, and are called what they are.
    #[test]
    fn batches_stand_in_for_lanes() {
        let mut run = fixture::run();
        let alone = |run: &Run| Here::best(run).unwrap().alone("AES-128-CCM", Messages::Mix).map(|p| p.median);
        assert!(alone(&run).is_some());
        run.points.retain(|p| p.axis != Axis::Comb);
        let here = Here::best(&run).unwrap();
        assert!(here.lanes("AES-128-CCM", Messages::Of(256), 7).is_some_and(|p| p.axis == Axis::Batch));
        assert!(here.lanes("AES-128-CCM", Messages::Mix, 8).is_none());
        assert_eq!(here.fastest("AES-128-CCM", Messages::Mix).unwrap().how(), "8 together");
        assert!(here.alone("AES-128-CBC", Messages::Mix).is_none());
    }

    #[test]
    fn numbers_in_words() {
        let all: Vec<u64> = (2..=16).collect();
        for (numbers, words) in
            [(&all[..], "2 to 16"), (&[4, 7, 8], "4, 7 and 8"), (&[7, 8], "7 and 8"), (&[1024], "1,024"), (&[], "")]
        {
            assert_eq!(listed(numbers), words);
        }
    }

    /// A number is of the keys and the operation that are asked for, and of no others.
    #[test]
    fn keys_and_operations_are_kept_apart() {
        let mut run = fixture::run();
        let here = |run: &Run| Here::best(run).unwrap().alone("AES-128-CCM", Messages::Mix).map(|p| (p.op, p.keys));
        let many = |run: &Run| {
            let here = Here::best(run).unwrap().under_keys();
            let mix = here.alone("AES-128-CCM", Messages::Mix).map(|p| (p.op, p.keys));
            (mix, here.alone("AES-128-CCM", Messages::Of(1)).map(|p| p.keys))
        };
        assert_eq!((here(&run), many(&run)), (Some((Op::Seal, 1)), (None, None)));
        let of = |run: &Run, axis: Axis| {
            let is_it = |p: &&Point| p.axis == axis && p.op == Op::Seal && p.tier.as_deref() == Some("vaes512");
            run.points.iter().filter(is_it).find(|p| p.scheme == "AES-128-CCM").unwrap().clone()
        };
        let more = [Axis::Mix, Axis::Length].map(|axis| Point { keys: MANY, ..of(&run, axis) });
        run.points.splice(..0, more);
        assert_eq!((here(&run), many(&run)), (Some((Op::Seal, 1)), (Some((Op::Seal, MANY)), Some(MANY))));
        let opened = Here::best(&run).unwrap().opening();
        assert_eq!(opened.alone("AES-128-CCM", Messages::Mix).map(|p| (p.op, p.keys)), Some((Op::Open, 1)));
        assert!(opened.under_keys().alone("AES-128-CCM", Messages::Mix).is_none());
    }
}
