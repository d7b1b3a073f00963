//! Bernstein's "Cycle counts for authenticated encryption" of 2007, redrawn.

mod systems;
mod tables;

use super::section::{Drawing, Item, Section};
use crate::report::figure::{By, Figure, Scale, Series, Style, View};
use crate::report::palette::{self, Colour};
use crate::results::Run;
use crate::study2007::{self, Operation};
use systems::{Here, SYSTEMS, System};

const AFTER: &str = "Bernstein 2007, its graphs";

/// The section.
pub fn section(run: &Run) -> Section {
    let here = Here::new(run);
    let mut section = Section::new(
        2007,
        "cycle counts for authenticated encryption",
        "Daniel J. Bernstein, “Cycle counts for authenticated encryption”, 18 January 2007",
        "https://cr.yp.to/papers.html#aecycles",
    );
    section.intro = vec![
        "The stream ciphers of eSTREAM’s second phase, with RC4, SNOW 2.0 and the AES beside them, each made a system that authenticates by Poly1305, or by an authenticator of its own: encrypting, decrypting and refusing a forgery, at every packet length from 0 to 8,192 bytes and under 1 to 8,192 keys, on six processors of 1999 to 2006. Each point is fifteen single timings, of which the graphs show all.".into(),
        words_of(&here, run),
    ];
    section.items.push(Item::Table(tables::first_page(&here)));
    section.put("the table by packet length", tables::by_length(&here).map(Item::Table));
    section.put("the table by the number of keys", tables::by_keys(&here).map(Item::Table));
    section.put("the table of decryption", tables::by_machine(&here, Operation::Decrypt).map(Item::Table));
    section.put("the table of rejection", tables::by_machine(&here, Operation::Reject).map(Item::Table));
    section.put("the graphs: every sample at every length", graphs(&here).map(Item::Drawing));
    section.put("all systems against length, on one pair of axes", together(&here).map(Item::Figure));
    section.missing.extend(absent(&here));
    section
}

/// Where this machine's numbers are from.
fn words_of(here: &Here<'_>, run: &Run) -> String {
    match here.programme {
        Some(programme) => {
            let machine = &programme.machine;
            let date = machine.started.split('T').next().unwrap_or_default();
            format!(
                "Here is the programme run again on {}, tier {}, in {}, {date}: {} systems. The systems are kept to be measured, not to be used; some are broken.",
                machine.cpu,
                machine.tier,
                machine.unit,
                programme.systems.len()
            )
        }
        None => {
            let found = SYSTEMS.iter().filter(|system| is_seen(here, system)).count();
            let what = if found == 0 {
                "none of the systems".to_string()
            } else {
                format!("{found} of the 26 systems, at some of the lengths, which are in the tables below")
            };
            format!(
                "The programme has results of its own, which are not among those of this page. The usual run of {} has {what}.",
                run.machine.cpu
            )
        }
    }
}

fn is_seen(here: &Here<'_>, system: &System) -> bool {
    let at = |bytes| here.cycles(system, Operation::Encrypt, bytes, 1);
    [0, 40, 402, 576, 1500, 8192].into_iter().any(|bytes| systems::is_here(&at(bytes)))
}

/// The systems of the first page that are in none of the tables, and lengths that are in no column.
fn absent(here: &Here<'_>) -> Vec<String> {
    let mut absent = Vec::new();
    let seen = |system: &&System| is_seen(here, system);
    let missing: Vec<&str> = SYSTEMS.iter().filter(|system| !seen(system)).map(|system| system.paper).collect();
    if missing.len() == SYSTEMS.len() {
        return absent;
    }
    if !missing.is_empty() {
        absent.push(format!("{} of the 26 systems: {}", missing.len(), missing.join(", ")));
    }
    let empty = |bytes: &u64| {
        let cells = SYSTEMS.iter().map(|system| here.cycles(system, Operation::Encrypt, *bytes, 1));
        !cells.into_iter().any(|cell| systems::is_here(&cell))
    };
    let lengths: Vec<String> = [0, 40, 402, 576, 1500, 8192].iter().filter(|n| empty(n)).map(u64::to_string).collect();
    if !lengths.is_empty() {
        absent.push(format!("packets of {} bytes", lengths.join(", ")));
    }
    if let Some(programme) = here.programme {
        if !programme.machine.options.lengths().into_iter().eq(0..=8192) {
            absent.push(format!(
                "every length beyond 1,024 bytes: the graphs have some, in steps of {}; every one with --step 1",
                step(programme)
            ));
        }
        if programme.end.as_ref().is_none_or(|end| end.interrupted) {
            absent.push("what was not reached when the programme was stopped".into());
        }
    }
    absent
}

fn step(programme: &study2007::Run) -> u64 {
    if programme.machine.options.quick { 1024 } else { programme.machine.options.step }
}

/// The paper's pages of graphs, in small multiples.
fn graphs(here: &Here<'_>) -> Option<Drawing> {
    let programme = here.programme?;
    let options = &programme.machine.options;
    let lengths = match options.lengths() {
        all if all.iter().copied().eq(0..=8192) => "Every length from 0 to 8,192 bytes".to_string(),
        some if options.quick => format!("{} lengths from 0 to 8,192 bytes", some.len()),
        _ => format!("Every length to 1,024 bytes, and on to 8,192 in steps of {}", options.step),
    };
    Some(Drawing {
        id: "2007-graphs".into(),
        title: "Every sample, in small multiples".into(),
        after: AFTER.into(),
        note: format!(
            "{lengths}, fifteen single timings of each to encrypt, to decrypt and to refuse a forgery, none left out and none before them untimed: cold code and interrupts are in them. A sample above its frame is not drawn; the larger figures of the programme’s own page say how many there are. The paper’s frames are 12 cycles a byte at their right end, and have curves for many keys besides."
        ),
        svg: study2007::every_sample(programme)?,
    })
}

/// Colours that stand out on both papers, in turns: names at the lines' ends tell those apart that share one.
const COLOURS: [Colour; 8] = [
    ["#0b4f9e", "#7db7ff"],
    ["#c8500a", "#ff9a52"],
    ["#00785a", "#38c99b"],
    ["#b0207a", "#f48fcb"],
    ["#a8760a", "#f2c14e"],
    ["#7c4fb5", "#c3a2f0"],
    ["#0f7c8c", "#5cd0de"],
    ["#6b4a2b", "#d9b48f"],
];

/// What the figure shows before anyone chooses: the AES, and the ciphers that people still meet.
const FIRST: [&str; 8] = [
    "aes-128-poly1305",
    "hc-128-poly1305",
    "phelix",
    "rabbit-poly1305",
    "rc4-poly1305",
    "salsa20-poly1305",
    "snow-2.0-poly1305",
    "sosemanuk-poly1305",
];

/// All systems' robust medians against length.
fn together(here: &Here<'_>) -> Option<Figure> {
    let programme = here.programme?;
    let mut series = Vec::new();
    for system in &SYSTEMS {
        let Some(chosen) = here.chosen(system) else { continue };
        let mut places: Vec<(f64, f64)> = chosen
            .points
            .iter()
            .filter(|p| p.op == Operation::Encrypt && p.keys == 1 && p.bytes > 0)
            .filter_map(|p| Some((p.bytes as f64, p.robust.as_ref()?.median)))
            .collect();
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (x, y) = places.into_iter().unzip();
        series.push(Series {
            scheme: system.paper.into(),
            implementation: chosen.tuning.clone(),
            op: Operation::Encrypt.name().into(),
            colours: [COLOURS[series.len() % COLOURS.len()], palette::GREY, palette::operation("seal")],
            style: Style::Line,
            x,
            y,
            low: Vec::new(),
            high: Vec::new(),
            doubtful: Vec::new(),
            dots: Vec::new(),
        });
    }
    let all: Vec<usize> = (0..series.len()).collect();
    let hidden = all.iter().copied().filter(|&i| !FIRST.contains(&series[i].scheme.as_str())).collect();
    let hidden = if series.iter().any(|s| FIRST.contains(&s.scheme.as_str())) { hidden } else { Vec::new() };
    let unit = if programme.machine.unit == "nanoseconds" { "nanoseconds" } else { "cycles" };
    series.iter().any(|s| s.x.len() > 1).then(|| Figure {
        id: "2007-together".into(),
        title: "Encrypting a packet, all systems".into(),
        after: AFTER.into(),
        note: "The robust method’s medians under one key, in the tuning that was the fastest. Eight of the systems at first; the names switch the others on.".into(),
        x: Scale { name: "message, bytes".into(), log: true },
        y: Scale { name: format!("{unit} a message"), log: true },
        from: None,
        views: vec![View { name: "all systems".into(), by: By::Scheme, series: all, hidden }],
        series,
    })
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub use tests::programme;
