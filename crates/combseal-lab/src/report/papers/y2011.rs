//! Krovetz and Rogaway's "The Software Performance of Authenticated-Encryption Modes" of 2011, redrawn: the
//! curves of Fig. 2, the table and the graphs of Fig. 4, the single bytes and what else the text says of its
//! results, Fig. 5, and the appendix's LFSRs.

use super::here::{Here, TEXT_COLUMNS, printed, said, table};
use super::section::{Item, Section};
use super::stretch;
use crate::analyze::lfsr::{self, LFSRS};
use crate::published::{Published, Stated, stated};
use crate::report::figure::{By, Cell, Figure, Series, Style, Table, View};
use crate::report::figures::scale;
use crate::results::{Run, Unit};
use crate::subjects::Op;

const PAPER: &str = "kr2011";
/// As the page cites it, with a link.
const CITED: &str = "Krovetz and Rogaway 2011";
/// The modes in the order of Fig. 4.
const MODES: [&str; 6] = [CCM, GCM, OCB1, OCB2, OCB3, CTR];
const CCM: &str = "AES-128-CCM";
const GCM: &str = "AES-128-GCM";
const OCB1: &str = "OCB1-AES-128";
const OCB2: &str = "OCB2-AES-128";
const OCB3: &str = "OCB3-AES-128";
const CTR: &str = "AES-128-CTR";
/// The longest message of the graphs.
const LONGEST: u64 = 1024;

/// The section.
pub fn section(run: &Run) -> Section {
    let here = Here::new(run);
    let mut section = Section::new(
        2011,
        "the software performance of authenticated-encryption modes",
        "Ted Krovetz and Phillip Rogaway, “The Software Performance of Authenticated-Encryption Modes”, FSE 2011",
        "https://doi.org/10.1007/978-3-642-21702-9_18",
    );
    section.intro = intro(here, run);
    let top = [CTR, OCB3, GCM, CCM];
    let bottom = [CTR, OCB3, OCB1, OCB2];
    section.put("Fig. 2, top: CCM, GCM and OCB3 against length", curves(here, "top", &top).map(Item::Figure));
    section
        .put("Fig. 2, bottom: OCB1, OCB2 and OCB3 against length", curves(here, "bottom", &bottom).map(Item::Figure));
    section.put("Fig. 4: its table of modes", performance(here).map(Item::Table));
    section.put("Fig. 4: what authentication costs beyond CTR", overheads(here).map(Item::Table));
    section.put("Fig. 4: its graphs of the time beyond CTR", graphs(here).map(Item::Figure));
    section.put("Sect. 3: the cost of a single byte", single_bytes(here).map(Item::Table));
    section.put("Sect. 3: what the text says of overheads", sentences(here, run).map(Item::Table));
    for mode in [OCB1, OCB2].into_iter().filter(|mode| !here.has(mode)) {
        section.missing.push(format!("{mode} of the archive, in Fig. 2 and Fig. 4"));
    }
    section.put("Fig. 5", Some(Item::Table(stretch::table("2011-fig5", &format!("{CITED}, Fig. 5")))));
    section.put("Appendix A", Some(Item::Table(lfsrs(run))));
    if !run.pieces.iter().any(|piece| piece.set == "lfsr") {
        section.missing.push("Appendix A: what a step of each LFSR costs".into());
    }
    section
}

fn intro(here: Here, run: &Run) -> Vec<String> {
    let mut lines = vec![
        "CCM, GCM and three versions of OCB against counter mode (CTR), which encrypts and does not authenticate: what a mode takes beyond it is the price of authentication. The paper timed sealing at every length from 1 to 1,024 bytes, at 1,500 and at 4,096, on an Intel Core i5-650 of 2010 (“Clarkdale”) with and without its AES instructions, and on three processors that had none: ARM Cortex-A8, PowerPC 970fx, UltraSPARC IIIcu.".into(),
        "T4K is the time for 4,096 bytes. TIPI is the Internet Performance Index: messages of 44, 552, 576 and 1,500 bytes with weights of 5, 15, 20 and 60 %. Its machines with AES instructions stand beside this machine’s best tier and beside the one with registers of 128 bits, which is closest to them; the others beside the software tier, which has neither tables nor AES instructions.".into(),
    ];
    if run.machine.clock.unit == Unit::Nanoseconds {
        lines.push("This machine has no cycle counter: its values are nanoseconds, and not to be compared with the paper’s cycles.".into());
    } else if let [best, narrow] = here.with_aes()[..] {
        lines.push(format!("Here these are {best} and {narrow}."));
    }
    lines
}

/// A view for each tier that stands for a machine of the paper, and the lines in it.
fn by_tier(here: Here, schemes: &[&str], series: &mut Vec<Series>) -> Vec<View> {
    let mut tiers = here.with_aes();
    tiers.extend(here.soft().filter(|soft| !tiers.contains(soft)));
    let mut views = Vec::new();
    for tier in tiers {
        let lines = here.curves(schemes, (1, LONGEST), |p| p.tier.as_deref() == Some(tier));
        if lines.iter().filter(|s| s.x.len() > 1).count() > 1 {
            let first = series.len();
            series.extend(lines);
            let name = format!("on {tier}");
            views.push(View { name, by: By::Scheme, series: (first..series.len()).collect(), hidden: Vec::new() });
        }
    }
    views
}

/// Fig. 2, one part: these schemes against length, the first of them shaded.
fn curves(here: Here, part: &str, schemes: &[&str]) -> Option<Figure> {
    let mut series = Vec::new();
    let views = by_tier(here, schemes, &mut series);
    // A mode and its baseline are not yet the figure.
    let others =
        |view: &View| view.series.iter().filter(|&&i| series[i].scheme != CTR && series[i].scheme != OCB3).count();
    let views: Vec<View> = views.into_iter().filter(|view| others(view) > 0).collect();
    series.iter_mut().filter(|s| s.scheme == CTR).for_each(|s| s.style = Style::Area);
    (!views.is_empty()).then(|| Figure {
        id: format!("2011-fig2-{part}"),
        title: if part == "top" { "CCM, GCM and OCB3" } else { "OCB2, OCB1 and OCB3" }.into(),
        after: format!("{CITED}, Fig. 2, {part}"),
        note: "Sealing on counted nonces, 1 to 1,024 bytes; the shaded area is CTR. The paper draws these curves of its Core i5-650 and prints no numbers of them; those of 4,096 bytes are in the table of Fig. 4. Very short messages leave the frame, as there.".into(),
        x: scale("message, bytes", false),
        y: scale(format!("{} a byte", here.unit()), false),
        from: None,
        views,
        series,
    })
}

/// The graphs of Fig. 4: what a mode takes beyond CTR on the same tier.
fn graphs(here: Here) -> Option<Figure> {
    let mut all = Vec::new();
    let tiers = by_tier(here, &MODES, &mut all);
    let (mut series, mut views): (Vec<Series>, Vec<View>) = (Vec::new(), Vec::new());
    for tier in tiers {
        let Some(ctr) = tier.series.iter().map(|&i| &all[i]).find(|s| s.scheme == CTR) else { continue };
        let first = series.len();
        for s in tier.series.iter().map(|&i| &all[i]).filter(|s| s.scheme != CTR) {
            let mut beyond = Series { op: "seal, beyond CTR".into(), ..s.clone() };
            (beyond.x, beyond.y) = (Vec::new(), Vec::new());
            (beyond.low, beyond.high, beyond.doubtful) = (Vec::new(), Vec::new(), Vec::new());
            for (i, x) in s.x.iter().enumerate() {
                let Some(at) = ctr.x.iter().position(|v| v == x) else { continue };
                let doubtful = s.doubtful.contains(&i) || ctr.doubtful.contains(&at);
                beyond.push(*x, [s.low[i], s.y[i], s.high[i]].map(|v| v - ctr.y[at]), doubtful);
            }
            series.push(beyond);
        }
        // The paper drops the curves of OCB1 and OCB2, which lie close to OCB3's.
        let hidden = (first..series.len()).filter(|&i| [OCB1, OCB2].contains(&series[i].scheme.as_str())).collect();
        views.push(View { series: (first..series.len()).collect(), hidden, ..tier });
    }
    views.retain(|view| view.series.iter().any(|&i| series[i].x.len() > 1));
    let left_out = match views.iter().any(|view| !view.hidden.is_empty()) {
        true => "it leaves out OCB1 and OCB2, which are hidden here",
        false => "it leaves out OCB1 and OCB2, which are not in this run",
    };
    (!views.is_empty()).then(|| Figure {
        id: "2011-fig4-graphs".into(),
        title: "The time beyond CTR".into(),
        after: format!("{CITED}, Fig. 4, the graphs"),
        note: format!("Sealing less CTR of the same length on the same tier. The paper draws such a graph of each of its machines and prints no numbers of them; {left_out}. Below zero a mode is faster than CTR by itself."),
        x: scale("message, bytes", false),
        y: scale(format!("{} a byte beyond CTR", here.unit()), false),
        from: Some(64.0),
        views,
        series,
    })
}

/// A machine of Fig. 4: its CPU and how the AES is done there.
type Of = (&'static str, &'static str);

/// The machines of Fig. 4 in its order, each with what is printed of it, mode by mode.
fn machines() -> Vec<(Of, Vec<Vec<&'static Published>>)> {
    let mut machines: Vec<(Of, Vec<Vec<&Published>>)> = Vec::new();
    for p in printed(PAPER, "figure 4") {
        let of = (p.cpu.as_str(), p.isa.as_str());
        if machines.last().is_none_or(|last| last.0 != of) {
            machines.push((of, Vec::new()));
        }
        let Some((_, modes)) = machines.last_mut() else { continue };
        match modes.last_mut().filter(|mode| mode[0].as_named == p.as_named) {
            Some(mode) => mode.push(p),
            None => modes.push(vec![p]),
        }
    }
    machines
}

/// A printed number of a mode.
fn find<'a>(mode: &[&'a Published], op: &str, bytes: &str) -> Option<&'a Published> {
    mode.iter().copied().find(|p| p.op == op && p.bytes == bytes)
}

/// The groups of a table of machines: of each machine a row for each of its modes and each tier that stands
/// beside it, where `row` has something to say of that.
fn groups(
    here: Here,
    row: impl Fn(&[&Published], &[Vec<&Published>], &str) -> Option<Vec<Cell>>,
) -> Vec<(String, Vec<Vec<Cell>>)> {
    let mut groups = Vec::new();
    for ((cpu, isa), modes) in machines() {
        let mut rows = Vec::new();
        for mode in &modes {
            rows.extend(here.beside(mode[0]).into_iter().filter_map(|tier| row(mode, &modes, tier)));
        }
        if !rows.is_empty() {
            groups.push((format!("{cpu}, {isa}"), rows));
        }
    }
    groups
}

fn performance(here: Here) -> Option<Table> {
    let row = |mode: &[&Published], _: &[Vec<&Published>], tier: &str| {
        let scheme = mode[0].scheme.as_str();
        let then = |op: &str, bytes: &str| find(mode, op, bytes).map_or(Cell::Number(None), Cell::from);
        let seal = here.point(scheme, tier, Op::Seal, 4096);
        let setup = here.point(scheme, tier, Op::Setup, 0);
        let row = vec![
            Cell::from(mode[0].as_named.as_str()),
            tier.into(),
            then("seal", "4096"),
            seal.map_or(Cell::Number(None), |p| Cell::of(p, p.per_byte())),
            then("seal", "ipi"),
            here.ipi_cell(scheme, tier),
            then("context", ""),
            here.context(scheme, tier).into(),
            then("key", ""),
            setup.map_or(Cell::Number(None), |p| Cell::of(p, Some(p.median))),
        ];
        (seal.is_some() || setup.is_some()).then_some(row)
    };
    let groups = groups(here, row);
    let note = format!(
        "For each machine of the paper (choose one): T4K and TIPI in cycles a byte for sealing, the key’s context in bytes, its set-up in cycles; each first as printed, then {} here. “here, by” is our tier. Of the mode that the paper calls GCM-8K, tables of 8 KiB a key are the paper’s alone; its 32-bit code stands beside ours of 64 bits.",
        here.unit()
    );
    let columns = [
        ("mode", None),
        ("here, by", None),
        ("T4K, then", Some(2)),
        ("T4K, here", Some(3)),
        ("TIPI, then", Some(2)),
        ("TIPI, here", Some(3)),
        ("context, then", Some(0)),
        ("context, here", Some(0)),
        ("set-up, then", Some(0)),
        ("set-up, here", Some(0)),
    ];
    let table = table("2011-fig4", "The modes", &format!("{CITED}, Fig. 4"), note, &columns);
    (!groups.is_empty()).then_some(Table { groups, ..table })
}

/// What a mode takes beyond CTR: then, by the printed numbers, and here.
fn overheads(here: Here) -> Option<Table> {
    let row = |mode: &[&Published], modes: &[Vec<&Published>], tier: &str| {
        let ctr = modes.iter().find(|other| other[0].scheme == CTR)?;
        let scheme = mode[0].scheme.as_str();
        // Of two printed numbers the difference has no more digits than they have.
        let then = |bytes: &str| Some(find(mode, "seal", bytes)?.value - find(ctr, "seal", bytes)?.value);
        let long = || Some(here.per_byte(scheme, tier, 4096)? - here.per_byte(CTR, tier, 4096)?);
        let mixed = || Some(here.ipi(scheme, tier, Op::Seal)? - here.ipi(CTR, tier, Op::Seal)?);
        let (long, mixed) = (long(), mixed());
        let row = vec![
            Cell::from(mode[0].as_named.as_str()),
            tier.into(),
            then("4096").into(),
            long.into(),
            then("ipi").into(),
            mixed.into(),
        ];
        (scheme != CTR && (long.is_some() || mixed.is_some())).then_some(row)
    };
    let groups = groups(here, row);
    let columns = [
        ("mode", None),
        ("here, by", None),
        ("4,096 bytes, then", Some(2)),
        ("4,096 bytes, here", Some(3)),
        ("IPI, then", Some(2)),
        ("IPI, here", Some(3)),
    ];
    let note = format!(
        "The time of a mode less that of CTR on the same machine or tier, a byte: then in cycles, the differences of the numbers printed in Fig. 4; here in {}. Below zero a mode is faster than CTR by itself.",
        here.unit()
    );
    let table = table("2011-fig4-overheads", "What authentication costs", &format!("{CITED}, Fig. 4"), note, &columns);
    (!groups.is_empty()).then_some(Table { groups, ..table })
}

fn single_bytes(here: Here) -> Option<Table> {
    let mut tiers = here.with_aes();
    tiers.extend(here.soft().filter(|soft| !tiers.contains(soft)));
    let mut rows = Vec::new();
    for p in printed(PAPER, "section 3").into_iter().filter(|p| p.op == "seal" && p.bytes == "1") {
        let beside = here.beside(p);
        let cells: Vec<Cell> = tiers
            .iter()
            .map(|tier| match here.point(&p.scheme, tier, Op::Seal, 1).filter(|_| beside.contains(tier)) {
                Some(point) => Cell::of(point, Some(point.median)),
                None => Cell::Number(None),
            })
            .collect();
        if cells.iter().any(|cell| *cell != Cell::Number(None)) {
            let mut row = vec![Cell::from(p.as_named.as_str()), p.cpu.as_str().into(), p.isa.as_str().into(), p.into()];
            row.extend(cells);
            rows.push(row);
        }
    }
    let heads: Vec<String> = tiers.iter().map(|tier| format!("here, {tier}")).collect();
    let mut columns = vec![("mode", None), ("its CPU", None), ("its AES", None), ("then", Some(0))];
    columns.extend(heads.iter().map(|head| (head.as_str(), Some(0))));
    let note = format!(
        "Sealing one byte: the cycles that the text of Sect. 3 gives, and {} here, on the tiers that stand beside that machine. Of CTR on the PowerPC no number is taken over: the printed one is less than one call of the AES takes there.",
        here.unit()
    );
    let table = table("2011-sect3", "A single byte", &format!("{CITED}, Sect. 3"), note, &columns);
    (!rows.is_empty()).then_some(Table { groups: vec![(String::new(), rows)], ..table })
}

/// What the text says in numbers of its results, and the same of this run.
fn sentences(here: Here, run: &Run) -> Option<Table> {
    if run.machine.clock.unit == Unit::Nanoseconds {
        return None;
    }
    let mut rows = Vec::new();
    for s in stated().iter().filter(|s| s.paper == PAPER) {
        let tiers = if s.key.ends_with("-soft") { here.soft().into_iter().collect() } else { here.with_aes() };
        let row = |tier: &str| {
            Some(vec![
                Cell::from(s.what.as_str()),
                s.printed().as_str().into(),
                same(here, run, s, tier)?.as_str().into(),
                tier.into(),
                s.cpu.as_str().into(),
                s.place.as_str().into(),
            ])
        };
        rows.extend(tiers.into_iter().filter_map(row));
    }
    // OCB3 under nonces that are no counter, which the text says is like OCB1.
    for tier in here.with_aes() {
        if let (Some(fresh), Some(ocb1)) = (here.ipi(OCB3, tier, Op::SealFresh), here.ipi(OCB1, tier, Op::Seal)) {
            rows.push(vec![
                "OCB3 under nonces that are no counter, as a multiple of OCB1 (IPI)".into(),
                "indistinguishable".into(),
                format!("{} times", said(fresh / ocb1)).as_str().into(),
                tier.into(),
                "most".into(),
                "section 3".into(),
            ]);
        }
    }
    let note = "Numbers in the text of Sect. 1 and 3. “Beyond CTR” is a mode’s time less that of CTR.".to_string();
    let table = table("2011-text", "What the text says of it", &format!("{CITED}, Sect. 1 and 3"), note, &TEXT_COLUMNS);
    (!rows.is_empty()).then_some(Table { groups: vec![(String::new(), rows)], ..table })
}

/// What the text says, of this run: `None` where it was not measured.
fn same(here: Here, run: &Run, s: &Stated, tier: &str) -> Option<String> {
    let ipi = |scheme: &str| here.ipi(scheme, tier, Op::Seal);
    let long = |scheme: &str| here.per_byte(scheme, tier, 4096);
    let over = |scheme: &str| Some(ipi(scheme)? - ipi(CTR)?);
    let part = |scheme: &str| Some(format!("{} %", said(100.0 * over(scheme)? / ipi(scheme)?)));
    let percent = |of: f64, whole: f64| format!("{} %", said(100.0 * of / whole));
    // The unit's rounds a cycle in registers as wide as the tier's are not known here: the fastest of all.
    let units = || run.machine.limits.iter();
    match s.key.as_str() {
        "overhead-4k" => Some(format!("{} cycles a byte", said(long(OCB3)? - long(CTR)?))),
        "gcm-over-ocb" => {
            let (gcm, ocb) = (long(GCM)? - long(CTR)?, long(OCB3)? - long(CTR)?);
            // By nothing, or less, there is no multiple.
            Some(if ocb > 0.005 {
                format!("{} times", said(gcm / ocb))
            } else {
                format!("no multiple: GCM is {} cycles a byte beyond CTR, OCB3 {}", said(gcm), said(ocb))
            })
        }
        "overhead-of-ctr" => {
            Some(format!("{}; {}", percent(over(OCB3)?, ipi(CTR)?), percent(long(OCB3)? - long(CTR)?, long(CTR)?)))
        }
        "ocb-part" | "ocb-part-soft" => part(OCB3),
        "gcm-part" | "gcm-part-soft" => part(GCM),
        "ccm-part" => part(CCM),
        "ocb1-overhead" => Some(percent(over(OCB3)?, over(OCB1)?)),
        "ocb2-overhead" => Some(percent(over(OCB3)?, over(OCB2)?)),
        "block" => {
            let best = units().filter_map(|w| Some(w.aesenc_per_cycle? * w.bits as f64 / 128.0)).reduce(f64::max)?;
            (here.best() == Some(tier)).then(|| format!("{} cycles", said(10.0 / best)))
        }
        "chained-block" => {
            let latency = units().find(|w| w.bits == 128)?.aesenc_latency?;
            (here.best() == Some(tier)).then(|| format!("{} cycles", said(10.0 * latency)))
        }
        _ => None,
    }
}

/// The appendix's LFSRs: whether each is maximal, computed, and what a step costs, if the run measured it.
fn lfsrs(run: &Run) -> Table {
    let pieces = || run.pieces.iter().filter(|piece| piece.set == "lfsr");
    let cost = |name: &str| pieces().find(|piece| piece.name == name).map(|piece| piece.median);
    let timed = pieces().next().is_some();
    let mut rows = Vec::new();
    for lfsr in LFSRS {
        let maximal = if lfsr::analyze(lfsr.step).maximal { "yes" } else { "no" };
        let then = if lfsr.name.starts_with('(') { "yes" } else { "yes (OCB2’s step)" };
        let mut row = vec![Cell::from(lfsr.name), lfsr.formula.into(), then.into(), maximal.into()];
        row.extend(timed.then(|| Cell::from(cost(lfsr.name))));
        rows.push(row);
    }
    for piece in pieces().filter(|piece| !LFSRS.iter().any(|lfsr| lfsr.name == piece.name)) {
        let what = "one XOR with a block of a table, as OCB1 and OCB3 step".into();
        rows.push(vec![Cell::from(piece.name.as_str()), what, "".into(), "".into(), Some(piece.median).into()]);
    }
    let cost = format!("{} a step", Here::new(run).unit());
    let mut columns = vec![("LFSR", None), ("its map", None), ("maximal, then", None), ("maximal, here", None)];
    if timed {
        columns.push((cost.as_str(), Some(1)));
    }
    let mut note = "128-bit LFSRs that the authors tried as steps from one offset to the next; + is XOR. Maximal: all nonzero blocks are on one cycle, computed here from the characteristic polynomial. In (1) the paper prints the constant as 10^120 1010001, which does not fit a word of 64 bits; 10^56 1010001 does, and is maximal. The paper prints no cycles: it found no clear winner, and none as fast as an XOR with a stored block.".to_string();
    if timed {
        note += " The cycles are of one step and its store, each waiting for the one before.";
    }
    let table = table("2011-appendix", "The appendix’s LFSRs", &format!("{CITED}, Appendix A"), note, &columns);
    Table { groups: vec![(String::new(), rows)], ..table }
}
