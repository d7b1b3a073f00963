//! Krovetz and Rogaway's "The Design and Evolution of OCB" of 2021, redrawn: the curves of Fig. 6 (and of 7
//! and 8 where the page has a run of such a machine), what the text says of peaks and ratios, Fig. 9, and the
//! bound of Theorem 1 as curves.

use super::here::{Here, TEXT_COLUMNS, said, table};
use super::section::{Item, Section};
use super::{bound, stretch};
use crate::published::{self, Published, Stated, stated};
use crate::report::figure::{By, Cell, Figure, Series, Style, Table, View};
use crate::report::figures::scale;
use crate::report::palette;
use crate::results::{Point, Run, Unit};
use std::collections::BTreeMap;

const PAPER: &str = "kr2021";
/// As the page cites it, with a link.
const CITED: &str = "Krovetz and Rogaway 2021";
/// The schemes of its figures.
const SCHEMES: [&str; 6] = [OCB, AEGIS, GCM, SIV, CCM, CHACHA];
const OCB: &str = "OCB3-AES-128";
const AEGIS: &str = "AEGIS-128";
const GCM: &str = "AES-128-GCM";
const SIV: &str = "AES-128-GCM-SIV";
const CCM: &str = "AES-128-CCM";
const CHACHA: &str = "ChaCha20-Poly1305";
/// The longest message of the graphs.
const LONGEST: u64 = 2048;
/// Messages from this length on are at their peak, to this one: beyond, caches count.
const PEAK: (u64, u64) = (4096, 16384);

/// The section.
pub fn section(run: &Run, all: &[&Run]) -> Section {
    let here = Here::new(run);
    let mut section = Section::new(
        2021,
        "the design and evolution of OCB",
        "Ted Krovetz and Phillip Rogaway, “The Design and Evolution of OCB”, Journal of Cryptology 34, 2021",
        "https://doi.org/10.1007/s00145-021-09399-8",
    );
    section.intro = intro(run);
    let is_x86 = |run: &&&Run| run.machine.arch == "x86_64" && !Here::new(run).with_aes().is_empty();
    let is_arm = |run: &&&Run| run.machine.arch == "aarch64" && !Here::new(run).with_aes().is_empty();
    let machine = |is: &dyn Fn(&&&Run) -> bool| {
        let real = |other: &&&Run| other.machine.emulated.is_none();
        std::iter::once(&run).chain(all).filter(real).find(is).copied()
    };
    let merge = "measure one with the command, and put the results on one page by “combseal report”";
    let of = |run: Option<&Run>, figure: u8| run.and_then(|run| curves(run, figure)).map(Item::Figure);
    section.put(
        &format!("Fig. 6, x86-64: no run with its schemes on such a machine is on this page; {merge}"),
        of(machine(&is_x86), 6),
    );
    section.put(
        &format!("Fig. 7, 64-bit ARM: no run of such a machine is on this page; {merge}"),
        of(machine(&is_arm), 7),
    );
    let plain = |run: &&&Run| Here::new(run).with_aes().is_empty();
    section.put(
        &format!("Fig. 8, a processor without AES instructions: no run of such a machine is on this page; {merge}"),
        of(machine(&plain), 8),
    );
    if !here.with_aes().is_empty() {
        section.put("the software tier’s curves, beside Fig. 8", in_software(here).map(Item::Figure));
    }
    let missing: Vec<&str> = SCHEMES.into_iter().filter(|scheme| !here.has(scheme)).collect();
    if !missing.is_empty() && missing.len() < SCHEMES.len() {
        section.missing.push(format!("{}, of the schemes in its figures", missing.join(", ")));
    }
    section.put("Sect. 1 and 6: OCB at its peak", peaks(here, run).map(Item::Table));
    section.put("Sect. 6: what the text says of the schemes", sentences(here, run).map(Item::Table));
    section.put("Fig. 9", Some(Item::Table(stretch::table("2021-fig9", &format!("{CITED}, Fig. 9")))));
    section.put("Theorem 1, messages", Some(Item::Figure(bound::messages(&format!("{CITED}, Theorem 1")))));
    section.put("Theorem 1, forgeries", Some(Item::Figure(bound::forgeries(&format!("{CITED}, Theorem 1")))));
    section
}

fn intro(run: &Run) -> Vec<String> {
    let mut lines = vec![
        "OCB beside GCM, CCM, ChaCha20-Poly1305 (those of TLS 1.3), AEGIS-128 (a winner of CAESAR) and, on x86-64, AES-GCM-SIV. The paper timed sealing at every length from 1 to 2,048 bytes on an Intel Core i3-8121U (“Cannon Lake”), an ARM Cortex-A73, and a Marvell 88FR131 (“Feroceon”, 32 bits, without AES instructions). OCB and AEGIS-128 were C with intrinsics, GCM-SIV was BoringSSL’s, the others OpenSSL’s assembly.".into(),
        "Its results are drawn, not tabulated: what it prints in numbers are the peaks of OCB and some ratios, which stand below. Its OCB is our OCB3.".into(),
    ];
    if run.machine.clock.unit == Unit::Nanoseconds {
        lines.push("This machine has no cycle counter: its values are nanoseconds, and not to be compared with the paper’s cycles.".into());
    }
    lines
}

/// What the paper prints of OCB's peaks.
fn printed_peaks() -> impl Iterator<Item = &'static Published> {
    published::all().iter().filter(|p| p.paper == PAPER && p.bytes == "long" && p.scheme == OCB)
}

/// Fig. 6, 7 or 8: ours on the best tier, and the best of other libraries.
fn curves(run: &Run, figure: u8) -> Option<Figure> {
    let here = Here::new(run);
    let best = here.best()?;
    let ours = here.curves(&SCHEMES, (1, LONGEST), |p| p.tier.as_deref() == Some(best));
    if ours.iter().filter(|s| s.x.len() > 1).count() < 2 {
        return None;
    }
    let mut series = ours;
    let mut views = vec![View {
        name: format!("ours, {best}"),
        by: By::Scheme,
        series: (0..series.len()).collect(),
        hidden: Vec::new(),
    }];
    let fastest = fastest_peers(run);
    let peers =
        here.curves(&SCHEMES, (1, LONGEST), |p| fastest.get(p.scheme.as_str()) == Some(&p.implementation.as_str()));
    if peers.iter().any(|s| s.x.len() > 1) {
        let first = series.len();
        series.extend(peers);
        let name = "other people’s code, each scheme’s fastest".to_string();
        views.push(View { name, by: By::Scheme, series: (first..series.len()).collect(), hidden: Vec::new() });
    }
    let (of, cpu) = match figure {
        6 => ("x86-64", "Cannon Lake"),
        7 => ("64-bit ARM", "Cortex-A73"),
        _ => ("a processor without AES instructions", "Feroceon"),
    };
    // What is printed of the figure: its lowest curve's peak.
    let mut printed = String::new();
    let same_unit = run.machine.clock.unit == Unit::Cycles;
    if let Some(peak) = printed_peaks().find(|p| p.cpu.contains(cpu) && same_unit) {
        printed = format!(
            "; the dotted line is OCB’s peak of {} cycles a byte there, the one number that it prints of this figure",
            peak.printed
        );
        views[0].series.push(series.len());
        series.push(level(&format!("OCB’s peak on {cpu}, printed"), peak.value));
    } else {
        printed += ", and prints no numbers of them";
    }
    Some(Figure {
        id: format!("2021-fig{figure}"),
        title: format!("Authenticated encryption on {of}"),
        after: format!("{CITED}, Fig. {figure}"),
        note: format!(
            "Sealing, 1 to 2,048 bytes, on {}. The paper draws these curves of its {cpu}{printed}. Very short messages leave the frame.",
            run.machine.cpu
        ),
        x: scale("message, bytes", false),
        y: scale(format!("{} a byte", here.unit()), false),
        from: None,
        views,
        series,
    })
}

/// Of each scheme, the peer that seals the longest message of the graphs the fastest, or what was measured nearest
/// to it.
fn fastest_peers(run: &Run) -> BTreeMap<&str, &str> {
    let mut fastest: BTreeMap<&str, &Point> = BTreeMap::new();
    let sealing =
        |p: &&Point| p.peer && p.axis == crate::results::Axis::Length && p.op == crate::subjects::Op::Seal && p.ad == 0;
    for p in run.points.iter().filter(sealing) {
        let order = |p: &Point| p.bytes.abs_diff(LONGEST);
        let first = fastest.entry(&p.scheme).or_insert(p);
        if (order(p), p.median) < (order(first), first.median) {
            *first = p;
        }
    }
    fastest.into_iter().map(|(scheme, p)| (scheme, p.implementation.as_str())).collect()
}

/// A printed value as a level line.
fn level(name: &str, value: f64) -> Series {
    Series {
        scheme: name.into(),
        implementation: "the paper".into(),
        op: "seal".into(),
        colours: [palette::GREY; 3],
        style: Style::Dotted,
        x: vec![1.0, LONGEST as f64],
        y: vec![value; 2],
        low: Vec::new(),
        high: Vec::new(),
        doubtful: Vec::new(),
        dots: Vec::new(),
    }
}

/// The software tier of a machine that has AES instructions, which is not Fig. 8 and asks the same question.
fn in_software(here: Here) -> Option<Figure> {
    let soft = here.soft()?;
    let series = here.curves(&SCHEMES, (1, LONGEST), |p| p.tier.as_deref() == Some(soft));
    (series.iter().filter(|s| s.x.len() > 1).count() > 1).then(|| Figure {
        id: "2021-software".into(),
        title: "Without AES instructions: the software tier of this machine".into(),
        after: format!("{CITED}, Fig. 8 (of a 32-bit processor there)"),
        note: "Not Fig. 8, whose processor has 32-bit registers and no vectors: this machine’s 64-bit registers, without AES instructions and without look-ups by secret data. The question is the same: which scheme is fastest where the AES costs much. The paper prints no numbers of its curves.".into(),
        x: scale("message, bytes", false),
        y: scale(format!("{} a byte", here.unit()), false),
        from: None,
        views: vec![View { name: format!("ours, {soft}"), by: By::Scheme, series: (0..series.len()).collect(), hidden: Vec::new() }],
        series,
    })
}

/// The fewest cycles a byte of long messages.
fn peak(here: Here, scheme: &str, tier: &str) -> Option<f64> {
    let lengths = [PEAK.0, 8192, PEAK.1];
    lengths.into_iter().filter_map(|bytes| here.per_byte(scheme, tier, bytes)).reduce(f64::min)
}

/// OCB's peaks as printed, and here, beside what the AES unit allows.
fn peaks(here: Here, run: &Run) -> Option<Table> {
    if run.machine.clock.unit == Unit::Nanoseconds {
        return None;
    }
    let limit = |cpu: &str| {
        let of = |s: &&Stated| s.paper == PAPER && s.key == "limit" && cpu.contains(s.cpu.trim_start_matches("Intel "));
        stated().iter().find(of).map_or(Cell::Number(None), |s| Cell::Printed {
            value: s.low.parse().unwrap_or_default(),
            printed: s.low.clone(),
        })
    };
    let mut rows: Vec<Vec<Cell>> = printed_peaks()
        .map(|p| vec![Cell::from(p.cpu.as_str()), p.place.as_str().into(), Cell::from(p), limit(&p.cpu)])
        .collect();
    let tiers = here.with_aes();
    let mut measured = 0;
    for tier in tiers {
        let Some(value) = peak(here, OCB, tier) else { continue };
        let bytes = PEAK.1;
        let limit = here.point(OCB, tier, crate::subjects::Op::Seal, bytes).and_then(|p| Some(p.limit? / bytes as f64));
        rows.push(vec![
            format!("here: {}, {tier}", run.machine.cpu).as_str().into(),
            "this run".into(),
            Some(value).into(),
            limit.into(),
        ]);
        measured += 1;
    }
    let columns = [("CPU", None), ("place", None), ("OCB3 at its peak", Some(3)), ("AES limit", Some(3))];
    let note = "Cycles a byte for long messages: as printed, and the fewest of messages of 4 to 16 KiB here. The AES limit is what the unit allows if nothing else costs anything: as the paper computes it for two of its processors, and here as measured (for the message and its tag).".to_string();
    let table = table("2021-peaks", "OCB at its peak", &format!("{CITED}, Sect. 1 and 6"), note, &columns);
    (measured > 0).then_some(Table { groups: vec![(String::new(), rows)], ..table })
}

fn sentences(here: Here, run: &Run) -> Option<Table> {
    if run.machine.clock.unit == Unit::Nanoseconds {
        return None;
    }
    let mut rows = Vec::new();
    let (mut in_software, mut missing) = (0, Vec::new());
    for s in stated().iter().filter(|s| s.paper == PAPER) {
        let is_soft = s.key.starts_with("soft-");
        let tier = if is_soft { here.soft() } else { here.with_aes().first().copied() };
        let Some((tier, value)) = tier.and_then(|tier| Some((tier, same(here, s, tier)?))) else {
            // What is no ratio of two schemes stands in the table of peaks.
            if is_ratio(s) {
                missing.push(s.what.as_str());
            }
            continue;
        };
        in_software += usize::from(is_soft);
        let cells = [s.what.as_str(), &s.printed(), &value, tier, &s.cpu, &s.place];
        rows.push(cells.map(Cell::from).to_vec());
    }
    let feroceon = if in_software == 0 {
        ""
    } else {
        " What its text says of the Feroceon stands beside this machine’s software tier, which has 64-bit registers."
    };
    let without = if missing.is_empty() {
        String::new()
    } else {
        format!(" Not here, since this run has not measured both schemes on such a tier: {}.", missing.join("; "))
    };
    let note = format!(
        "Ratios that the text gives of its figures, and the same of this run. “Slower by 40 %” is 1.4 times the cycles; a peak is the fewest cycles a byte of messages of 4 to 16 KiB here.{feroceon}{without}"
    );
    let table = table("2021-text", "What the text says of it", &format!("{CITED}, Sect. 1 and 6"), note, &TEXT_COLUMNS);
    (!rows.is_empty()).then_some(Table { groups: vec![(String::new(), rows)], ..table })
}

/// Is it a ratio of two schemes, rather than a value of one?
fn is_ratio(s: &Stated) -> bool {
    ["percent", "times"].contains(&s.unit.as_str())
}

/// What the text says, of this run: `None` where it was not measured.
fn same(here: Here, s: &Stated, tier: &str) -> Option<String> {
    let long = |scheme: &str| here.per_byte(scheme, tier, LONGEST);
    let peak = |scheme: &str| peak(here, scheme, tier);
    let times = |a: Option<f64>, b: Option<f64>| Some(format!("{} times", said(a? / b?)));
    // More cycles are a part of the fewer; where it is the other way round, the sentence says which is faster.
    let percent = |slower: &str, a: Option<f64>, b: Option<f64>| {
        let (a, b) = (a?, b?);
        Some(if a >= b {
            format!("{} %", said(100.0 * (a / b - 1.0)))
        } else {
            format!("the other way: {slower} is faster by {} %", said(100.0 * (b / a - 1.0)))
        })
    };
    match s.key.as_str() {
        "faster-than-gcm" => percent("GCM", peak(GCM), peak(OCB)),
        "gcm-slower" => percent("GCM", long(GCM), long(OCB)),
        "gcm-slower-aegis" => percent("GCM", long(GCM), long(AEGIS)),
        "chacha-over-ocb" => times(peak(CHACHA), peak(OCB)),
        "ccm-over-ocb" => times(peak(CCM), peak(OCB)),
        "chacha-over-aegis" => times(peak(CHACHA), peak(AEGIS)),
        "ccm-over-aegis" => times(peak(CCM), peak(AEGIS)),
        "soft-ocb-over-chacha" => times(long(OCB), long(CHACHA)),
        "soft-aegis-over-chacha" => percent("AEGIS-128", long(AEGIS), long(CHACHA)),
        "soft-ccm-over-chacha" => times(long(CCM), long(CHACHA)),
        "soft-gcm-over-chacha" => times(long(GCM), long(CHACHA)),
        "soft-ocb-over-aegis" => times(long(OCB), long(AEGIS)),
        "soft-ccm-over-ocb" => times(long(CCM), long(OCB)),
        _ => None,
    }
}
