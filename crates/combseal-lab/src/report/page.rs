//! The page's own text: the machine, the traffic, and how far the figures can be trusted. The
//! template is filled in here.

use super::choice::{self, Choice};
use super::figure::{Bars, Cell, Figure, Heat, Table};
use super::papers::{self, Section};
use super::repeat;
use super::verdict::verdict;
use super::{figures, tables};
use crate::answers::rank::{self, Direction, Ranking};
use crate::results::{Axis, Point, Run, Unit, describe};
use serde::Serialize;

/// A run as the page shows it.
#[derive(Debug, Serialize)]
pub struct Page {
    name: String,
    machine: Vec<String>,
    /// What the answer is computed from.
    choice: Choice,
    /// The first screen's answer as a chart, for the files: the page draws its own.
    #[serde(skip)]
    pub bars: Option<Bars>,
    /// By their `id`, the page knows where each goes.
    pub tables: Vec<Table>,
    /// The papers' figures.
    pub figures: Vec<Figure>,
    /// The heat map.
    pub heat: Option<Heat>,
    /// The papers, redrawn.
    pub sections: Vec<Section>,
    honesty: Honesty,
    /// The command that measures it again.
    repeat: String,
}

/// What was run, what was thrown away, what went wrong.
#[derive(Debug, Serialize)]
struct Honesty {
    /// How good the run is, in a sentence.
    verdict: String,
    facts: Vec<String>,
    /// Scheme, implementation, what was wrong.
    failed: Vec<[String; 3]>,
    #[serde(rename = "noisyTitle")]
    noisy_title: String,
    noisy: Option<Table>,
    versions: Vec<String>,
}

/// Everything a page shows of a run; `all` are those that the page has.
pub fn of(run: &Run, all: &[&Run]) -> Page {
    let ranking = rank::own(run, Direction::Both);
    Page {
        name: format!("{}, {}", run.machine.cpu, date(&run.machine.started)),
        machine: machine(run),
        choice: choice::of(run),
        bars: tables::bars(run, &ranking),
        tables: tables::all(run),
        figures: figures::all(run),
        heat: figures::heat(run),
        sections: papers::sections(run, all),
        honesty: honesty(run, &ranking),
        repeat: repeat::command(&run.machine),
    }
}

/// What the ranking is of, and how it was measured.
fn traffic(run: &Run, ranking: &Ranking) -> String {
    let about = if ranking.about.is_empty() { String::new() } else { format!(": {}", ranking.about) };
    let mut text = format!("For {}{about}. ", ranking.traffic);
    if ranking.traffic.ends_with("realistic mix") {
        text += &format!("It is that of Bogdanov, Lauridsen and Tischhauser (2014): {}. ", rank::MIX);
    }
    let is_of = |p: &&Point| matches!(p.axis, Axis::Mix | Axis::Traffic) && p.messages.is_some();
    text += &match (ranking.measured, run.points.iter().find(is_of).and_then(|p| p.messages)) {
        (true, Some(sample)) => format!(
            "Measured one message at a time, on {sample} whose lengths stand for all of these, in random order, each in a place of its own."
        ),
        (true, None) => "Measured one message at a time.".into(),
        (false, _) => "Put together from single lengths: the study was not given this traffic.".into(),
    };
    let count = ranking.best(|_| true).len();
    let of = if count == 1 { "One scheme was".to_string() } else { format!("{count} schemes were") };
    let what = match ranking.direction {
        Direction::Both => "Each message is sealed once and opened once",
        Direction::Seal => "Each message is sealed; these results have no opening of it",
        Direction::Open => "Each message is opened",
    };
    text += &format!(" {what}, with counter nonces and one key. {of} measured.");
    if !ranking.doubtful.is_empty() {
        let names: Vec<_> = ranking.doubtful.iter().map(|(scheme, by)| format!("{scheme} by {by}")).collect();
        text += &format!(" Not ranked, since too few of their samples were undisturbed: {}.", names.join(", "));
    }
    text
}

fn date(started: &str) -> &str {
    started.split('T').next().unwrap_or(started)
}

fn machine(run: &Run) -> Vec<String> {
    let m = &run.machine;
    let clock = &m.clock;
    let mut second = match clock.unit {
        Unit::Cycles => "All figures are core cycles".to_string(),
        Unit::Nanoseconds => "No cycle counter here: all figures are nanoseconds".into(),
    };
    if let Some(ghz) = clock.ghz_core {
        second += &format!(", at {ghz:.2} GHz on average");
    }
    if let Some(best) =
        m.limits.iter().filter_map(|w| Some(w.aesenc_per_cycle? * w.bits as f64 / 128.0)).reduce(f64::max)
    {
        second += &format!(". The AES unit does {best:.1} block rounds a cycle");
    }
    let mut lines = vec![
        format!("{}. {} {}. Tiers: {}. Measured {}.", m.cpu, m.os, m.arch, m.tiers.join(", "), date(&m.started)),
        second + ".",
    ];
    if let Some(by) = &m.emulated {
        lines.push(format!("EMULATED by {by}: that it runs is seen here, and every answer was checked. How long it takes says nothing of a real machine, and nothing is ranked."));
    }
    lines
}

fn honesty(run: &Run, ranking: &Ranking) -> Honesty {
    let m = &run.machine;
    let samples: usize = run.points.iter().map(|p| p.clean + p.unclean).sum();
    let unclean: usize = run.points.iter().map(|p| p.unclean).sum();
    let discarded: u64 = run.ends.iter().map(|e| e.discarded).sum();
    let moved: u64 = run.ends.iter().map(|e| e.moved).sum();
    let seconds: f64 = run.ends.iter().map(|e| e.seconds).sum();
    let mut facts = vec![format!(
        "{} points, {samples} samples, in {}. Competitors took turns in random order; a point is the median of its undisturbed samples.",
        run.points.len(),
        if run.ends.is_empty() {
            "an unknown time: the study did not come to its end".into()
        } else {
            duration(seconds)
        },
    )];
    if run.ends.iter().any(|e| e.interrupted) {
        facts.push("The study was interrupted; what is missing was not measured.".into());
    }
    facts.push(format!(
        "{discarded} disturbed samples were thrown away and taken again; during {moved} the clock’s calibration moved, or another process had the core. {unclean} ({:.1} %) stayed disturbed after all repeats and were kept as they are.",
        100.0 * unclean as f64 / samples.max(1) as f64
    ));
    if let (Some(low), Some(high)) = (m.clock.ratio_lowest, m.clock.ratio_highest) {
        facts.push(format!(
            "The core ran at {low:.3} to {high:.3} cycles a tick of its counter. Each sample stands between two calibrations, so a moving frequency is not in the figures."
        ));
    }
    facts.push(format!("The ranking. {}", traffic(run, ranking)));
    facts.push("Before it was timed, every implementation gave a known answer, where the laboratory has one of its scheme, and agreed with the others of the scheme. Peers keep their context and change the nonce, as their interfaces allow best; all work in place on the same buffers.".into());
    let left: Vec<&String> = run.ends.iter().flat_map(|e| &e.left_out).collect();
    if left.is_empty() {
        facts.push("Nothing that was asked for was left out.".into());
    }
    facts.extend(left.iter().map(|what| format!("Left out: {what}.")));

    let noisy = tables::noisy(run);
    facts.push(match noisy.len() {
        0 => format!("No point spreads by more than {:.0} %.", 100.0 * tables::NOISY),
        n => format!("{n} points spread by more than {:.0} % to a side or were mostly disturbed; they are listed below and have whiskers in the figures.", 100.0 * tables::NOISY),
    });
    let rows = noisy.iter().map(|p| {
        vec![
            Cell::from(p.scheme.as_str()),
            p.implementation.as_str().into(),
            describe(p).as_str().into(),
            Some(p.median).into(),
            Some(100.0 * p.noise()).into(),
            Some(p.clean as f64).into(),
            Some(p.unclean as f64).into(),
        ]
    });
    let columns = [
        ("scheme", None),
        ("implementation", None),
        ("what", None),
        ("median", Some(0)),
        ("± %", Some(1)),
        ("clean", Some(0)),
        ("disturbed", Some(0)),
    ];
    let rows: Vec<_> = rows.collect();
    Honesty {
        verdict: verdict(run),
        facts,
        failed: run.failed.iter().map(|f| [f.scheme.clone(), f.implementation.clone(), f.why.clone()]).collect(),
        noisy_title: format!("The {} noisy points", rows.len()),
        noisy: (!rows.is_empty()).then(|| Table {
            id: "noisy".into(),
            title: "Noisy points".into(),
            after: String::new(),
            note: "Half the middle half of the samples, as a part of the median.".into(),
            columns: columns.map(|(name, digits)| (name.to_string(), digits)).to_vec(),
            groups: vec![(String::new(), rows)],
        }),
        versions: versions(run),
    }
}

fn versions(run: &Run) -> Vec<String> {
    let m = &run.machine;
    let mut lines = vec![m.compiler.clone()];
    lines.extend(m.versions.iter().map(|(name, version)| format!("{name} {version}")));
    lines.extend(m.options.iter().map(|(name, value)| format!("option {name}: {value}")));
    lines.retain(|line| !line.trim().is_empty());
    lines
}

fn duration(seconds: f64) -> String {
    if seconds < 120.0 { format!("{seconds:.0} s") } else { format!("{:.1} minutes", seconds / 60.0) }
}

#[derive(Serialize)]
struct Data<'a> {
    runs: &'a [Page],
    files: Files,
    footer: String,
}

/// What lies beside the page, by the names that a link from it has.
#[derive(Debug, Serialize)]
pub struct Files {
    /// The folder with the figures and tables.
    pub folder: String,
    /// Their names.
    pub names: Vec<String>,
    /// Results in the page's own folder.
    pub results: Vec<String>,
}

/// The page's own scripts, each after those that it uses.
const SCRIPT: &str = concat!(
    include_str!("../../assets/report/base.js"),
    include_str!("../../assets/report/still.js"),
    include_str!("../../assets/report/choice.js"),
    include_str!("../../assets/report/state.js"),
    include_str!("../../assets/report/answer.js"),
    include_str!("../../assets/report/cards.js"),
    include_str!("../../assets/report/explain.js"),
    include_str!("../../assets/report/tables.js"),
    include_str!("../../assets/report/units.js"),
    include_str!("../../assets/report/band.js"),
    include_str!("../../assets/report/figures.js"),
    include_str!("../../assets/report/lines.js"),
    include_str!("../../assets/report/heat.js"),
    include_str!("../../assets/report/papers.js"),
    include_str!("../../assets/report/page.js"),
);

/// Its style.
const STYLE: &str = concat!(
    include_str!("../../assets/report/style.css"),
    include_str!("../../assets/report/answer.css"),
    include_str!("../../assets/report/figures.css"),
);

/// The page with everything in it.
pub fn html(pages: &[Page], warnings: &[String], files: Files) -> String {
    let mut footer = format!(
        "Made by combseal {}. Figures are drawn by Apache ECharts 6.1.0 (Apache License 2.0, © The Apache Software Foundation), which is part of this file. Nothing is fetched from anywhere.",
        env!("CARGO_PKG_VERSION")
    );
    for warning in warnings {
        footer += &format!(" Results: {warning}.");
    }
    let data = serde_json::to_string(&Data { runs: pages, files, footer }).expect("strings and numbers");
    // So that no text of a result can end the element that it is in.
    let data = data.replace('<', "\\u003c");
    let title = match pages {
        [one] => format!("Combseal: {}", one.name),
        all => format!("Combseal: {} machines", all.len()),
    };
    let mut html = include_str!("../../assets/report/page.html").to_string();
    // The data last: nothing in it may be taken for a placeholder.
    for (place, with) in [
        ("{{title}}", escaped(&title).as_str()),
        ("{{style}}", STYLE),
        ("{{echarts}}", include_str!("../../assets/echarts/echarts-6.1.0.min.js")),
        ("{{script}}", SCRIPT),
        ("{{data}}", &data),
    ] {
        html = html.replacen(place, with, 1);
    }
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::rank;
    use crate::results::fixture;
    use crate::subjects::Op;
    use std::collections::BTreeSet;

    /// Noisy points that differ in keys, lanes or axis alone have rows that differ.
    #[test]
    fn noisy_points_are_told_apart() {
        let mut run = fixture::run();
        let like = run.points.iter().find(|p| p.axis == Axis::Length && p.op == Op::Seal && p.bytes == 576).unwrap();
        let like = Point { clean: 1, unclean: 9, ..like.clone() };
        let points = [Axis::Length, Axis::Comb, Axis::Mix].into_iter().flat_map(|axis| {
            let messages = (axis == Axis::Mix).then_some(1);
            let lanes: &[u64] = if axis == Axis::Comb { &[1, 7, 8] } else { &[1] };
            let like = &like;
            let all = [1, 1000].into_iter().flat_map(move |keys| lanes.iter().map(move |&batch| (keys, batch)));
            all.map(move |(keys, batch)| Point { axis, keys, batch, messages, ..like.clone() })
        });
        run.points = points.collect();
        let noisy = honesty(&run, &rank::own(&run, Direction::Both)).noisy.unwrap();
        let rows: BTreeSet<String> = noisy.groups[0].1.iter().map(|row| format!("{row:?}")).collect();
        assert_eq!((rows.len(), run.points.len()), (10, 10), "{rows:#?}");
        for what in ["seal 576 B on 7 lanes under 1000 keys", "seal the realistic mix under 1000 keys"] {
            assert!(rows.iter().any(|row| row.contains(what)), "{what} in {rows:#?}");
        }
    }
}
