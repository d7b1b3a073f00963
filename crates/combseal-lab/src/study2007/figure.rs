//! The figures, after the paper's graphs: cycles against length with every sample, for each system;
//! all systems beside each other; and cycles against the number of keys.

use super::options::{CLOSE, KEYS_MESSAGE, LONGEST};
use super::record::{Chosen, Operation, Run};
use super::svg::{Scale, Svg, apart, colour, round_up};
use crate::measure::stats;

const INK: &str = "#1d1c1a";
const SOFT: &str = "#625e55";

/// The colours of the report, too.
fn of_operation(op: Operation) -> &'static str {
    match op {
        Operation::Decrypt => "#00785a",
        Operation::Reject => "#c8500a",
        _ => "#0b4f9e",
    }
}

/// A figure: the name of its file, and the drawing.
pub(super) struct Figure {
    /// Without `.svg`.
    pub name: String,
    /// The SVG.
    pub svg: String,
}

/// The drawing of every sample of every system, for the report's page; nothing, if there is none.
pub fn every_sample(run: &Run) -> Option<String> {
    run.systems.iter().any(|system| !system.points.is_empty()).then(|| multiples(run).svg)
}

/// All figures: those of all systems first.
pub(super) fn all(run: &Run) -> Vec<Figure> {
    let systems = run.systems.iter().map(|system| {
        let title = format!("{}: cycles against length", system.name);
        Figure { name: format!("length-{}", system.name), svg: lengths(system, &run.machine.unit, &title) }
    });
    [overview(run), keys(run), multiples(run)].into_iter().chain(systems).collect()
}

/// Panels in a row of the small multiples, and how large one is with its words.
const ROW: usize = 4;
const PANEL: (f64, f64) = (236.0, 168.0);
/// Cycles a byte of the diagonal in the small multiples; the paper's is 12.
const DIAGONALS: [f64; 7] = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0];

/// The paper's pages of graphs: every sample of every system in frames of one size, 0 to 8,192 bytes along.
/// The frames' height is that of the paper's (12 cycles a byte at the right end) or less, so that four
/// systems of five fit; what is slower leaves its frame.
pub(super) fn multiples(run: &Run) -> Figure {
    let title = "Cycles against length, every sample of every system".to_string();
    let rows = run.systems.len().div_ceil(ROW);
    let mut svg = Svg::new((960, (84.0 + PANEL.1 * rows as f64) as u32), &title);
    let ends: Vec<f64> = run.systems.iter().filter_map(|system| system.cycles(Operation::Encrypt, LONGEST)).collect();
    let wanted = if ends.is_empty() { 0.0 } else { stats::quantile(&ends, 0.8) / LONGEST as f64 };
    let diagonal = DIAGONALS.into_iter().find(|diagonal| *diagonal >= wanted).unwrap_or(DIAGONALS[6]);
    let top = diagonal * LONGEST as f64;
    svg.heading((14.0, 22.0), &title);
    let about = format!(
        "each frame: 0 to {LONGEST} bytes along, 0 to {top:.0} {} up; the diagonal is {diagonal:.0} a byte; ↗: leaves its frame there",
        run.machine.unit
    );
    svg.words((14.0, 44.0), "start", SOFT, &about);
    let mut x = 700.0;
    for op in Operation::ON_PACKETS {
        svg.line([(x, 40.0), (x + 16.0, 40.0)], of_operation(op), 3.0);
        svg.words((x + 22.0, 44.0), "start", INK, op.name());
        x += 84.0;
    }
    for (i, system) in run.systems.iter().enumerate() {
        let (left, above) = (14.0 + PANEL.0 * (i % ROW) as f64, 62.0 + PANEL.1 * (i / ROW) as f64);
        frame(&mut svg, system, top, (left, above));
    }
    Figure { name: "every-sample".into(), svg: svg.done() }
}

/// A system's frame of the small multiples.
fn frame(svg: &mut Svg, system: &Chosen, top: f64, (left, above): (f64, f64)) {
    let (right, bottom) = (left + PANEL.0 - 16.0, above + PANEL.1 - 14.0);
    let (x, y) = (Scale::linear(0.0, LONGEST as f64, (left, right)), Scale::linear(0.0, top, (bottom, above + 18.0)));
    let alone = |op: Operation| system.points.iter().filter(move |p| p.op == op && p.keys == 1);
    let leaves = alone(Operation::Encrypt).filter(|p| p.cycles() > top).map(|p| p.bytes).min();
    let name = match leaves {
        Some(bytes) => format!("{} ↗ {bytes}", system.name),
        None => system.name.clone(),
    };
    svg.words((left, above + 12.0), "start", INK, &name);
    svg.line([(left, above + 18.0), (left, bottom), (right, bottom)], SOFT, 1.0);
    svg.line([(left, bottom), (right, above + 18.0)], "#eae6da", 1.0);
    for op in Operation::ON_PACKETS {
        let places = alone(op).flat_map(|point| {
            let inside = point.timings().filter(move |cycles| *cycles <= top);
            inside.map(|cycles| (x.at(point.bytes as f64), y.at(cycles)))
        });
        svg.cloud(places, of_operation(op));
    }
}

/// One system: every single timing, to the left up to 1,024 bytes, to the right all.
fn lengths(system: &Chosen, unit: &str, title: &str) -> String {
    let mut svg = Svg::new((960, 392), title);
    let ct = if system.constant_time { "constant-time" } else { "table look-ups by secret data" };
    svg.heading((14.0, 22.0), &format!("{} ({}; {ct})", system.name, system.tuning));
    panel(&mut svg, system, unit, CLOSE, (66.0, 456.0));
    panel(&mut svg, system, unit, LONGEST, (542.0, 932.0));
    let mut x = 66.0;
    for op in Operation::ON_PACKETS {
        svg.line([(x, 376.0), (x + 18.0, 376.0)], of_operation(op), 3.0);
        svg.words((x + 24.0, 380.0), "start", INK, op.name());
        x += 100.0;
    }
    svg.words((x + 24.0, 380.0), "start", SOFT, "clouds: every single timing; lines: medians by the robust method");
    svg.done()
}

/// A system up to a length.
fn panel(svg: &mut Svg, system: &Chosen, unit: &str, longest: u64, along: (f64, f64)) {
    let is_shown = |op: Operation| {
        let of = system.points.iter().filter(move |p| p.op == op && p.keys == 1 && p.bytes <= longest);
        of.collect::<Vec<_>>()
    };
    let samples: Vec<f64> =
        Operation::ON_PACKETS.into_iter().flat_map(&is_shown).flat_map(|point| point.timings()).collect();
    // The frame has room for all but the few that an interrupt or cold caches made slow.
    let top = round_up_finely(1.15 * stats::quantile(&samples, 0.99));
    let (x, y) = (Scale::linear(0.0, longest as f64, along), Scale::linear(0.0, top, (322.0, 56.0)));
    let above: Vec<f64> = samples.iter().copied().filter(|cycles| *cycles > top).collect();
    let mut name = unit.to_string();
    if !above.is_empty() {
        let most = above.iter().copied().fold(0.0, f64::max);
        name += &format!("; {} of {} samples above, to {most:.0}", above.len(), samples.len());
    }
    let bytes = format!("bytes in the message (diagonal: {:.2} a byte)", top / longest as f64);
    svg.axes(&x, &y, [&bytes, &name]);
    svg.line([(along.0, 322.0), (along.1, 56.0)], "#eae6da", 1.0);
    for op in Operation::ON_PACKETS {
        let points = is_shown(op);
        let places = points
            .iter()
            .flat_map(|point| point.timings().map(|cycles| (x.at(point.bytes as f64), y.at(cycles.min(top)))));
        svg.cloud(places, of_operation(op));
    }
    for op in Operation::ON_PACKETS {
        let robust = is_shown(op).into_iter().filter_map(|p| Some((p.bytes as f64, p.robust.as_ref()?.median)));
        svg.line(robust.map(|(bytes, cycles)| (x.at(bytes), y.at(cycles.min(top)))), of_operation(op), 1.2);
    }
}

/// The next number of two digits, the second even.
fn round_up_finely(value: f64) -> f64 {
    let step = round_up(value / 50.0);
    (value / step).ceil() * step
}

/// Cycles of all systems against length, by the robust method.
fn overview(run: &Run) -> Figure {
    let title = format!("Encrypting: {} against length, all systems", run.machine.unit);
    let lines = run.systems.iter().map(|system| {
        let of = system.points.iter().filter(|p| p.op == Operation::Encrypt && p.keys == 1 && p.bytes > 0);
        let of = of.filter_map(|p| Some((p.bytes as f64, p.robust.as_ref()?.median)));
        (system.name.clone(), of.collect(), Vec::new())
    });
    let svg = logarithmic(&title, "bytes in the message", &run.machine.unit, lines.collect());
    Figure { name: "length-all".into(), svg }
}

/// Cycles against the number of keys, with every sample.
fn keys(run: &Run) -> Figure {
    let title = format!("Encrypting {KEYS_MESSAGE} bytes: {} against the number of keys", run.machine.unit);
    let lines = run.systems.iter().map(|system| {
        let of = || system.points.iter().filter(|p| p.op == Operation::Encrypt && p.bytes == KEYS_MESSAGE);
        let mut line: Vec<(f64, f64)> = of().map(|p| (p.keys as f64, p.cycles())).collect();
        line.sort_by(|a, b| a.0.total_cmp(&b.0));
        let samples = of().flat_map(|p| p.timings().map(|cycles| (p.keys as f64, cycles))).collect();
        (system.name.clone(), line, samples)
    });
    let svg = logarithmic(
        &title,
        "keys in use, each message under one of them at random",
        &run.machine.unit,
        lines.collect(),
    );
    Figure { name: "keys".into(), svg }
}

/// A name, the places of a line, and samples around it.
type Line = (String, Vec<(f64, f64)>, Vec<(f64, f64)>);

/// Lines on log scales, with their names at their right ends.
fn logarithmic(title: &str, along: &str, unit: &str, mut lines: Vec<Line>) -> String {
    lines.retain(|(_, line, _)| !line.is_empty());
    let height = (17.0 * lines.len() as f64 + 110.0).max(460.0);
    let mut svg = Svg::new((960, height as u32), title);
    svg.heading((14.0, 22.0), title);
    let (top, bottom) = (56.0, height - 50.0);
    let all = || lines.iter().flat_map(|(_, line, _)| line.iter().copied());
    let range = |of: fn((f64, f64)) -> f64| {
        let (low, high) = all().map(of).fold((f64::INFINITY, 0f64), |(low, high), v| (low.min(v), high.max(v)));
        if low.is_finite() { (low, high) } else { (1.0, 2.0) }
    };
    let ((first, last), (low, high)) = (range(|place| place.0), range(|place| place.1));
    let x = Scale::log(first, last, (66.0, 736.0));
    let (low, high) = (low / 1.1, high * 1.1);
    let y = Scale::log(low, high, (bottom, top));
    let above = lines.iter().flat_map(|(_, _, samples)| samples).filter(|(_, cycles)| *cycles > high).count();
    let name = if above > 0 { format!("{unit}; {above} samples lie above the frame") } else { unit.into() };
    svg.axes(&x, &y, [along, &name]);
    let ends: Vec<f64> =
        lines.iter().map(|(_, line, _)| line.last().map_or(bottom, |(_, cycles)| y.at(*cycles))).collect();
    let places = apart(&ends, top, bottom);
    for (i, (name, line, samples)) in lines.iter().enumerate() {
        let ink = colour(i);
        svg.cloud(samples.iter().map(|(at, cycles)| (x.at(*at), y.at(cycles.clamp(low, high)))), &ink);
        svg.line(line.iter().map(|(at, cycles)| (x.at(*at), y.at(*cycles))), &ink, 1.6);
        svg.line([(738.0, ends[i]), (752.0, places[i])], &ink, 0.8);
        svg.words((756.0, places[i] + 4.0), "start", &ink, name);
    }
    svg.done()
}
