//! The tables of 2014 in the paper's form, printed values beside those of this run.

use super::numbers::{CPU, Fastest, Here, LONGEST, MODES, Messages, NIST, Named, calls_a_block, printed};
use crate::published::{self, Published};
use crate::report::figure::{Cell, Table};
use crate::results::{Axis, Point, Run, Unit};
use crate::subjects::batches::Mode;

const AFTER: &str = "Bogdanov, Lauridsen and Tischhauser 2014";
/// The paper's numbers of lanes in Table 2.
const LANES: [u64; 7] = [2, 3, 4, 5, 6, 7, 8];
/// More lanes, which this machine may have room for.
const MORE: [u64; 2] = [12, 16];
/// What rows under many keys are called.
const KEYS: &str = "here, 1,000 keys";
/// The lengths of Tables 5 and 6.
pub(super) const LENGTHS: [u64; 5] = [128, 256, 512, 1024, LONGEST];

/// What this run's amounts are counted in.
pub(super) fn unit(run: &Run) -> &'static str {
    match run.machine.clock.unit {
        Unit::Cycles => "cycles",
        Unit::Nanoseconds => "nanoseconds",
    }
}

fn column(name: impl Into<String>, digits: Option<usize>) -> (String, Option<usize>) {
    (name.into(), digits)
}

fn cell(published: Option<&'static Published>) -> Cell {
    published.map_or(Cell::Number(None), Cell::from)
}

/// A point's cycles a byte.
fn a_byte(point: Option<&Point>) -> Cell {
    point.map_or(Cell::Number(None), |p| Cell::of(p, p.per_byte()))
}

/// How many times as fast the second is; with a mark if either is doubtful.
fn times(alone: Option<&Point>, together: Option<&Point>) -> Cell {
    let (Some(alone), Some(together)) = (alone, together) else { return Cell::Number(None) };
    let ratio = alone.per_byte().zip(together.per_byte()).map(|(alone, together)| alone / together);
    Cell::of(if alone.is_doubtful() { alone } else { together }, ratio)
}

fn part(mode: &Named) -> &'static str {
    if mode.resists { "(b)" } else { "(a)" }
}

/// The table, where its rows have something of this run.
fn measured(table: Table, from: usize) -> Option<Table> {
    let is_here = |cell: &Cell| matches!(cell, Cell::Number(Some(_)) | Cell::Doubtful { .. });
    let rows = || table.groups.iter().flat_map(|group| &group.1);
    rows().any(|row| row.iter().skip(from).any(is_here)).then_some(table)
}

/// A mode in Table 1, as printed: year, parallel, needs no inverse, calls and products a block.
const OVERVIEW: [(&str, u16, bool, bool, &str, &str); 12] = [
    ("CCM", 2002, false, true, "2", "-"),
    ("GCM", 2004, true, true, "1", "1"),
    ("OCB3", 2010, true, false, "1", "-"),
    ("OTR", 2013, true, true, "1", "-"),
    ("CLOC", 2014, false, true, "1", "-"),
    ("COBRA", 2014, true, true, "1", "1"),
    ("JAMBU", 2014, false, true, "1", "-"),
    ("SILC", 2014, false, true, "1", "-"),
    ("McOE-G", 2011, false, false, "1", "1"),
    ("COPA", 2013, true, false, "2", "-"),
    ("POET", 2014, true, false, "3", "-"),
    ("Julius", 2014, false, false, "1", "2"),
];

/// Table 1, which is an overview and no measurement: what it says of each mode, and the calls of the AES that
/// the laboratory counts.
pub(super) fn overview() -> Table {
    let yes = |is: bool| if is { "yes" } else { "no" };
    let mut rows = Vec::new();
    for (mode, (paper, year, parallel, free, calls, products)) in MODES.iter().zip(OVERVIEW) {
        debug_assert_eq!(mode.paper, paper);
        let serial = Mode::of_scheme(mode.scheme).map(|mode| if mode.is_serial() { "on lanes" } else { "by itself" });
        rows.push(vec![
            Cell::from(paper),
            part(mode).into(),
            year.to_string().as_str().into(),
            yes(parallel).into(),
            yes(free).into(),
            calls.into(),
            products.into(),
            calls_a_block(mode.scheme).into(),
            serial.unwrap_or("not here").into(),
        ]);
    }
    Table {
        id: "2014-1".into(),
        title: "Table 1: the modes of authenticated encryption".into(),
        after: format!("{AFTER}, Table 1"),
        note: "An overview, nothing of it is measured. (a): nonce-based; (b): “nonce-misuse resistant”, the paper’s word: McOE-G, COPA and POET give away common beginnings where a nonce repeats, and McOE-G and COPA v1 have been broken since (“combseal schemes --archive” says how). McOE-G opens faster than it seals, since only its products wait for each other then. As printed: E, calls of the cipher for a block of the message, and M, products in GF(2^128). E counted is what this laboratory counts for 16 bytes of a long message, from the definitions. CLOC and SILC call the cipher once to encrypt and once to authenticate, JAMBU twice as its blocks have 8 bytes, where the paper prints 1. The last column: whether one message fills the AES unit by itself here, or only several on lanes.".into(),
        columns: vec![
            column("mode", None),
            column("part", None),
            column("year", None),
            column("parallel", None),
            column("needs no inverse", None),
            column("E", None),
            column("M", None),
            column("E counted", Some(0)),
            column("here fills the unit", None),
        ],
        groups: vec![(String::new(), rows)],
    }
}

/// Table 2: CBC by lanes, on each tier of this machine.
pub(super) fn by_lanes(run: &Run) -> Option<Table> {
    const CBC: &str = "AES-128-CBC";
    let more: Vec<u64> = MORE
        .into_iter()
        .filter(|&lanes| Here::tiers(run).any(|here| here.lanes(CBC, Messages::Mix, lanes).is_some()))
        .collect();
    let all: Vec<u64> = LANES.into_iter().chain(more).collect();
    let mut rows = Vec::new();
    for (messages, name) in [(Messages::Of(2048), "2,048 bytes"), (Messages::Mix, "realistic mix")] {
        for (unit, what) in [("cpb", "printed, cycles a byte"), ("ratio", "printed, speed-up")] {
            let mut row =
                vec![Cell::from(name), what.into(), cell(printed("table 2", CBC, false, None, messages, unit))];
            row.extend(all.iter().map(|&lanes| cell(printed("table 2", CBC, true, Some(lanes), messages, unit))));
            rows.push(row);
        }
        for here in Here::tiers(run) {
            let alone = here.alone(CBC, messages);
            if alone.is_none() {
                continue;
            }
            let on: Vec<Option<&Point>> = all.iter().map(|&lanes| here.lanes(CBC, messages, lanes)).collect();
            let (first, second) = (format!("{}, {} a byte", here.tier, unit(run)), format!("{}, speed-up", here.tier));
            let mut row = vec![Cell::from(name), first.as_str().into(), a_byte(alone)];
            row.extend(on.iter().map(|p| a_byte(*p)));
            rows.push(row);
            let mut row = vec![Cell::from(name), second.as_str().into(), times(alone, alone)];
            row.extend(on.iter().map(|p| times(alone, *p)));
            rows.push(row);
        }
    }
    let mut columns = vec![column("messages", None), column("of", None), column("one at a time", Some(3))];
    columns.extend(all.iter().map(|lanes| column(format!("P = {lanes}"), Some(3))));
    measured(
        Table {
            id: "2014-2".into(),
            title: "Table 2: CBC on 2 to 8 lanes".into(),
            after: format!("{AFTER}, Table 2"),
            note: format!(
                "Printed: {CPU}. Below: each tier of this machine, P messages side by side; a tier that is wide has two or four blocks in a register, so that its best P is beyond the paper’s."
            ),
            columns,
            groups: vec![(String::new(), rows)],
        },
        2,
    )
}

/// What of Tables 3 and 4 a run has beside the paper's own columns.
#[derive(Clone, Copy)]
struct Beside {
    /// The same under many keys.
    keys: bool,
    /// The mix opened.
    opened: bool,
}

impl Beside {
    /// What there is of these modes on the mix.
    fn of(here: Option<&Here<'_>>, modes: &[Named]) -> Self {
        let has = |here: Option<Here<'_>>| {
            here.is_some_and(|here| {
                let any = |mode: &Named| {
                    here.alone(mode.scheme, Messages::Mix).is_some() || combed_mix(&here, mode).is_some()
                };
                modes.iter().any(any)
            })
        };
        Beside { keys: has(here.map(Here::under_keys)), opened: has(here.map(Here::opening)) }
    }

    /// What the note says of the numbers of lanes, and of these columns.
    fn note(self, here: Option<&Here<'_>>, modes: &[Named]) -> String {
        let of = |here: Option<Here<'_>>| here.and_then(|here| here.tried(modes, Messages::Mix));
        let tried = |lanes: Option<String>| {
            lanes.map_or(String::new(), |lanes| format!(" P is of {lanes}, which were measured."))
        };
        let mut note = tried(of(here.cloned()));
        if self.keys {
            note += " 1,000 keys: the same messages, each under the next of so many keys.";
            note += &tried(of(here.map(Here::under_keys)));
        }
        if self.opened {
            note += " Opened: what was sealed before, under one key.";
            note += &tried(of(here.map(Here::opening)));
        }
        note
    }
}

/// A mode's mix on as many lanes as were the fastest. What the paper does not comb is not combed here, either: it
/// fills the unit by itself.
fn combed_mix<'a>(here: &Here<'a>, mode: &Named) -> Option<Fastest<'a>> {
    here.fastest(mode.scheme, Messages::Mix).filter(|_| mode.combed)
}

/// One message at a time, on the comb, how many times as fast, and on how many lanes.
fn here_cells(here: Option<&Here<'_>>, mode: &Named) -> [Cell; 4] {
    let alone = here.and_then(|here| here.alone(mode.scheme, Messages::Mix));
    let best = here.and_then(|here| combed_mix(here, mode));
    let together = best.as_ref().map(|best| best.point);
    let on = best.map_or(String::new(), |best| best.lanes());
    [a_byte(alone), a_byte(together), times(alone, together), on.as_str().into()]
}

/// The row of a mode in Tables 3 and 4: printed and here, one at a time, on the comb, how many times as fast, on how
/// many lanes; the same under many keys, and what opening takes, where the run has it.
fn alone_and_combed(table: &str, mode: &Named, here: Option<&Here<'_>>, beside: Beside) -> Vec<Cell> {
    let print = |comb, unit| cell(printed(table, mode.scheme, comb, None, Messages::Mix, unit));
    let mut row = vec![print(false, "cpb"), print(true, "cpb"), print(true, "ratio")];
    row.extend(here_cells(here, mode));
    if beside.keys {
        row.extend(here_cells(here.map(Here::under_keys).as_ref(), mode));
    }
    if beside.opened {
        let [alone, comb, ..] = here_cells(here.map(Here::opening).as_ref(), mode);
        row.extend([alone, comb]);
    }
    row
}

fn combed_columns(beside: Beside) -> Vec<(String, Option<usize>)> {
    const HERE: [(&str, Option<usize>); 4] =
        [("alone", Some(3)), ("comb", Some(3)), ("speed-up", Some(2)), ("P", None)];
    let printed = HERE[..3].iter().map(|(name, _)| column(format!("2014: {name}"), Some(2)));
    let here = |what: &'static str, some: &'static [(&str, Option<usize>)], is_there: bool| {
        some.iter().filter(move |_| is_there).map(move |(name, digits)| column(format!("{what}: {name}"), *digits))
    };
    let beside = here("1,000 keys", &HERE, beside.keys).chain(here("opened", &HERE[..2], beside.opened));
    printed.chain(here("here", &HERE, true)).chain(beside).collect()
}

fn tier_of(run: &Run) -> String {
    Here::best(run).map_or(String::new(), |here| here.tier)
}

/// Table 3: NIST’s modes on the realistic mix.
pub(super) fn nist(run: &Run) -> Option<Table> {
    let here = Here::best(run);
    let beside = Beside::of(here.as_ref(), &NIST);
    let row = |mode: &Named| {
        [vec![Cell::from(mode.paper)], alone_and_combed("table 3", mode, here.as_ref(), beside)].concat()
    };
    measured(
        Table {
            id: "2014-3".into(),
            title: "Table 3: NIST’s modes on the realistic mix".into(),
            after: format!("{AFTER}, Table 3"),
            note: format!(
                "2014: cycles a byte on {CPU}, P not said. Here: {} a byte, tier {}, on as many lanes, P, as were the fastest. Alone: one message at a time.{} ECB and CBC do the whole blocks of each message. ECB and CTR fill the unit by themselves and are not combed.",
                unit(run),
                tier_of(run),
                beside.note(here.as_ref(), &NIST)
            ),
            columns: [vec![column("mode", None)], combed_columns(beside)].concat(),
            groups: vec![(String::new(), NIST.iter().map(row).collect())],
        },
        4,
    )
}

/// Table 4: authenticated encryption on the realistic mix.
pub(super) fn authenticated(run: &Run) -> Option<Table> {
    let here = Here::best(run);
    let beside = Beside::of(here.as_ref(), &MODES);
    let row = |mode: &Named| {
        let table = if mode.resists { "table 4b" } else { "table 4a" };
        [vec![Cell::from(mode.paper), part(mode).into()], alone_and_combed(table, mode, here.as_ref(), beside)].concat()
    };
    let all = here.iter().flat_map(|here| [here.clone(), here.opening()]);
    let mut batches = all.flat_map(|here| MODES.iter().filter_map(move |mode| combed_mix(&here, mode)));
    let stands_in = if batches.any(|best| best.point.axis == Axis::Batch) {
        " A value “together” is of so many messages of the mix handed over at once, on as many lanes as the tier has."
    } else {
        ""
    };
    measured(
        Table {
            id: "2014-4".into(),
            title: "Table 4: authenticated encryption on the realistic mix".into(),
            after: format!("{AFTER}, Table 4"),
            note: format!(
                "2014: cycles a byte on {CPU}, P not said; no associated data, tags included. (a): nonce-based; (b): “nonce-misuse resistant”, see Table 1. Here: {} a byte, tier {}, on as many lanes, P, as were the fastest.{stands_in} Alone: one message at a time.{} COBRA is not here: its authors withdrew it from CAESAR, and we found neither code nor vectors nor a text of its specification that could be read.",
                unit(run),
                tier_of(run),
                beside.note(here.as_ref(), &MODES)
            ),
            columns: [vec![column("mode", None), column("part", None)], combed_columns(beside)].concat(),
            groups: vec![(String::new(), MODES.iter().map(row).collect())],
        },
        5,
    )
}

/// Two rows a mode, printed and here, over the lengths of Tables 5 and 6; a third under many keys, where it was
/// measured.
fn by_length(
    run: &Run,
    [id, title, number, note]: [&str; 4],
    comb: bool,
    here_row: impl Fn(&Here<'_>, &Named) -> Option<(String, Vec<Cell>)>,
) -> Option<Table> {
    let here: Vec<(&str, Here<'_>)> =
        Here::best(run).into_iter().flat_map(|here| [("here", here.clone()), (KEYS, here.under_keys())]).collect();
    let mut rows = Vec::new();
    for mode in MODES.iter().filter(|mode| mode.combed || !comb) {
        let place = format!("table {number}{}", if mode.resists { "b" } else { "a" });
        let mut row = vec![Cell::from(mode.paper), part(mode).into(), "printed".into()];
        row.extend(LENGTHS.map(|n| cell(printed(&place, mode.scheme, comb, None, Messages::Of(n), "cpb"))));
        rows.push(row);
        for (what, here) in &here {
            if let Some((how, values)) = here_row(here, mode) {
                let of = format!("{what}, {how}");
                rows.push([vec![Cell::from(mode.paper), part(mode).into(), of.as_str().into()], values].concat());
            }
        }
    }
    let mut columns = vec![column("mode", None), column("part", None), column("of", None)];
    columns.extend(LENGTHS.map(|n| column(format!("{n} B"), Some(3))));
    measured(
        Table {
            id: id.into(),
            title: title.into(),
            after: format!("{AFTER}, Table {number}"),
            note: format!(
                "Printed: cycles a byte on {CPU}. (a): nonce-based; (b): “nonce-misuse resistant”, see Table 1. Here: {} a byte, tier {}. {note}",
                unit(run),
                tier_of(run)
            ),
            columns,
            groups: vec![(String::new(), rows)],
        },
        3,
    )
}

/// Table 5: one message at a time, by length.
pub(super) fn alone(run: &Run) -> Option<Table> {
    let about = [
        "2014-5",
        "Table 5: one message at a time, by length",
        "5",
        "Julius’s printed value at 256 bytes is left out: a digit of it is wrong in our copy, or in print.",
    ];
    by_length(run, about, false, |here, mode| {
        let points = LENGTHS.map(|n| here.alone(mode.scheme, Messages::Of(n)));
        let any = points.iter().any(Option::is_some);
        any.then(|| (here.tier.clone(), points.map(a_byte).to_vec()))
    })
}

/// Table 6: on the comb, by length, on as many lanes as are the fastest with the longest messages.
pub(super) fn combed(run: &Run) -> Option<Table> {
    let best = Here::best(run);
    let tried = |here: Option<Here<'_>>, how: &str| {
        let lanes = here.and_then(|here| here.tried(&MODES, Messages::Of(LONGEST)));
        lanes.map_or(String::new(), |lanes| format!(" P is of {lanes}, which were measured{how}."))
    };
    let note = format!(
        "All of a row on as many lanes, P, as are the fastest at 2,048 bytes; the paper does not say how many it took.{}{}",
        tried(best.clone(), ""),
        tried(best.as_ref().map(Here::under_keys), " under 1,000 keys")
    );
    let about = ["2014-6", "Table 6: messages of one length on the comb", "6", &note];
    by_length(run, about, true, |here, mode| {
        let longest: Fastest<'_> = here.fastest(mode.scheme, Messages::Of(LONGEST))?;
        Some((longest.how(), LENGTHS.map(|n| a_byte(here.as_longest(mode.scheme, n))).to_vec()))
    })
}

/// The instructions of Table 7, and which of them the run has measured: at 128 bits.
pub(super) fn instructions(run: &Run) -> Option<Table> {
    let narrow = run.machine.limits.iter().find(|width| width.bits == 128)?;
    let of = |name: &str| match name {
        "aesenc" => (narrow.aesenc_latency, narrow.aesenc_per_cycle),
        "aesdec" => (narrow.aesdec_latency, narrow.aesdec_per_cycle),
        "pclmulqdq" => (narrow.clmul_latency, narrow.clmul_per_cycle),
        _ => (None, None),
    };
    let place = || published::all().iter().filter(|p| p.paper == "blt2014" && p.place == "table 7");
    let find = |name: &str, op: &str| place().find(|p| p.scheme == name && p.op == op);
    let rows = place().filter(|p| p.op == "latency").map(|p| {
        let (latency, rate) = of(&p.scheme);
        let [latency_then, inverse_then] = ["latency", "inverse-throughput"].map(|op| cell(find(&p.scheme, op)));
        let inverse = rate.filter(|rate| *rate > 0.0).map(|rate| 1.0 / rate);
        vec![Cell::from(p.scheme.as_str()), latency_then, inverse_then, latency.into(), inverse.into()]
    });
    measured(
        Table {
            id: "2014-7".into(),
            title: "Table 7: instructions of the AES and of products".into(),
            after: format!("{AFTER}, Table 7"),
            note: format!(
                "L: cycles from one to the next that needs its result. 1/T: cycles from one to the next that does not. Printed: {CPU}. Here: in registers of 128 bits; the study measures three of the seven, which are those that limits are made of. P = L · T fills the unit."
            ),
            columns: vec![
                column("instruction", None),
                column("printed: L", Some(0)),
                column("printed: 1/T", Some(0)),
                column("here: L", Some(2)),
                column("here: 1/T", Some(2)),
            ],
            groups: vec![(String::new(), rows.collect())],
        },
        3,
    )
}

/// The doubling of section 6.5: the paper's four ways to ask for the top bit, and ours.
pub(super) fn doubling(run: &Run) -> Option<Table> {
    use crate::analyze::doubling::Way;
    let of = |way: Way, how: &str| {
        let piece = run.pieces.iter().find(|p| p.set == "doubling" && p.name == way.name() && p.way == how);
        Cell::from(piece.map(|p| p.median))
    };
    let printed = published::all().iter().filter(|p| p.paper == "blt2014" && p.op == "doubling");
    let mut printed: Vec<&Published> = printed.collect();
    let rows = Way::ALL.map(|way| {
        let then = way.published().filter(|_| !printed.is_empty()).map(|_| printed.remove(0));
        vec![Cell::from(way.name()), cell(then), of(way, "with a jump"), of(way, "as a mask")]
    });
    measured(
        Table {
            id: "2014-doubling".into(),
            title: "Section 6.5: doubling in GF(2^128)".into(),
            after: format!("{AFTER}, Sect. 6.5"),
            note: format!(
                "Cycles a doubling, each waiting for the one before. Printed: {CPU}, its four ways to ask for the top bit. Here: the same questions with a jump on the answer, which a processor mispredicts every second time, and with a mask instead; then the two ways that ask nothing. “combseal analyze gf128” measures them by themselves."
            ),
            columns: vec![
                column("way", None),
                column("printed", Some(1)),
                column("here, with a jump", Some(1)),
                column("here, as a mask", Some(1)),
            ],
            groups: vec![(String::new(), rows.to_vec())],
        },
        2,
    )
}
