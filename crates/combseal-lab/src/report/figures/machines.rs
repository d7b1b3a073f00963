//! Several machines in one figure. The 2021 paper has a figure for each of its three machines, side by
//! side (Fig. 6 to 8); here each has a line of the same scheme, so that they share an axis.

use super::gather::{best_of, capital, drawn, gather, over_lengths, quartiles, scale, unit};
use crate::report::figure::{By, Figure, Series, Style, View};
use crate::report::palette::Colour;
use crate::results::Run;
use crate::subjects::Op;

/// The machines' colours, in their order; more machines begin anew.
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

/// The scheme shown before anyone chooses.
const FIRST: &str = "OCB3-AES-128";

/// A figure for each unit in which two runs or more are counted.
pub fn machines(runs: &[&Run]) -> Vec<Figure> {
    let mut figures: Vec<Figure> = Vec::new();
    for unit_of in ["cycles", "nanoseconds"] {
        let same: Vec<&Run> = runs.iter().copied().filter(|run| unit(run) == unit_of).collect();
        if same.len() > 1 {
            figures.extend(figure(&same, unit_of));
        }
    }
    figures
}

fn figure(runs: &[&Run], unit: &str) -> Option<Figure> {
    let mut all: Vec<Series> = Vec::new();
    for (i, (run, name)) in runs.iter().zip(names(runs)).enumerate() {
        let points = over_lengths(run, Op::Seal);
        let series = gather(&points, "seal", |p| (p.bytes as f64, quartiles(p, p.bytes as f64)));
        for at in best_of(run, &series) {
            let mut line = series[at].clone();
            let tier = line.implementation.trim_start_matches("combseal ");
            line.implementation = format!("{name}: {tier}");
            line.colours[By::Implementation as usize] = COLOURS[i % COLOURS.len()];
            // Told apart from what was measured, at a glance.
            line.style = if run.machine.emulated.is_some() { Style::Dotted } else { Style::Line };
            all.push(line);
        }
    }
    let mut views: Vec<View> = Vec::new();
    for (i, line) in all.iter().enumerate() {
        match views.iter_mut().find(|view| view.name == line.scheme) {
            Some(view) => view.series.push(i),
            None => views.push(View {
                name: line.scheme.clone(),
                by: By::Implementation,
                series: vec![i],
                hidden: Vec::new(),
            }),
        }
    }
    views.retain(|view| view.series.len() > 1);
    views.sort_by_key(|view| view.name != FIRST);
    let emulated = runs.iter().any(|run| run.machine.emulated.is_some());
    (!views.is_empty()).then_some(())?;
    drawn(Figure {
        id: format!("machines-{unit}"),
        title: format!("The machines side by side: {unit} a byte against message length"),
        after: "Krovetz and Rogaway 2021, Fig. 6 to 8".into(),
        note: format!(
            "Sealing, counter nonces, no associated data; of each machine the fastest of our tiers. {} of different machines are as good as their clocks are.{}",
            capital(unit),
            if emulated { " Dotted lines were emulated: they say nothing of a machine." } else { "" },
        ),
        x: scale("message, bytes", true),
        y: scale(format!("{unit} a byte"), true),
        from: None,
        views,
        series: all,
    })
}

/// The machines' names, short enough for a figure's key; with a number, where two have the same.
fn names(runs: &[&Run]) -> Vec<String> {
    let names: Vec<String> = runs
        .iter()
        .map(|run| match run.machine.emulated {
            Some(_) => format!("{}, emulated", run.machine.arch),
            None => run.machine.cpu.split(" (").next().unwrap_or_default().to_string(),
        })
        .collect();
    let count = |name: &String, until: usize| names[..until].iter().filter(|other| *other == name).count();
    let told_apart = |(i, name): (usize, &String)| match count(name, names.len()) {
        1 => name.clone(),
        _ => format!("{name}, run {}", count(name, i) + 1),
    };
    names.iter().enumerate().map(told_apart).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Unit, fixture};

    #[test]
    fn each_machine_has_a_line() {
        let (one, mut other) = (fixture::run(), fixture::run());
        assert!(machines(&[&one]).is_empty());
        other.machine.arch = "aarch64".into();
        other.machine.emulated = Some("qemu-aarch64".into());
        let mut figures = machines(&[&one, &other]);
        let figure = figures.pop().unwrap();
        assert!(figures.is_empty());
        let view = &figure.views[0];
        assert_eq!((view.name.as_str(), view.series.len()), (FIRST, 2));
        let lines: Vec<&Series> = view.series.iter().map(|&i| &figure.series[i]).collect();
        assert!(lines[0].implementation.starts_with("A processor"), "{}", lines[0].implementation);
        assert!(lines[1].implementation.starts_with("aarch64, emulated: "), "{}", lines[1].implementation);
        assert_ne!(lines[0].colour(view.by), lines[1].colour(view.by));
        assert_eq!([lines[0].style, lines[1].style], [Style::Line, Style::Dotted]);
        assert!(figure.note.contains("Dotted"));
        // Cycles and nanoseconds do not share an axis.
        other.machine.clock.unit = Unit::Nanoseconds;
        assert!(machines(&[&one, &other]).is_empty());
        assert_eq!(machines(&[&one, &other, &other])[0].id, "machines-nanoseconds");
    }

    #[test]
    fn one_machine_twice_is_told_apart() {
        let run = fixture::run();
        let names = names(&[&run, &run]);
        assert!(names[0].ends_with(", run 1") && names[1].ends_with(", run 2"), "{names:?}");
    }
}
