//! The figures of the papers, made of the data of one run. Each is left out where the run has no
//! data for it.

mod gather;
mod machines;
mod varied;

pub use gather::{capital, gather, quartiles, scale};
pub use machines::machines;
pub use varied::heat;

use super::figure::{By, Figure, Series, Style, View};
use crate::answers::facts;
use crate::measure::Method;
use crate::results::{Axis, Point, Run};
use crate::subjects::Op;
use gather::{best_of, drawn, over_lengths, unit, views, with_limits};
use varied::{ad, comb, keys};

/// The most single samples in the page, all series together, at about two bytes each; all are
/// in the CSV file.
const SAMPLES: usize = 1_000_000;

/// Every figure of lines for which the run has data.
pub fn all(run: &Run) -> Vec<Figure> {
    let mut figures: Vec<Figure> =
        [length(run), overhead(run), keys(run), ad(run), comb(run)].into_iter().flatten().collect();
    let at = figures.len().min(2);
    figures.splice(at..at, samples(run));
    figures
}

/// Cycles a byte against the message's length (2011, Fig. 2; 2021, Fig. 6).
fn length(run: &Run) -> Option<Figure> {
    let points = over_lengths(run, Op::Seal);
    let mut series = gather(&points, "seal", |p| (p.bytes as f64, quartiles(p, p.bytes as f64)));
    series.iter_mut().filter(|s| s.scheme.ends_with("-CTR")).for_each(|s| s.style = Style::Area);
    let mut views = views(run, &series);
    with_limits(&mut series, &mut views, &points);
    let shaded = if series.iter().any(|s| s.style == Style::Area) {
        " A shaded area, where there is one, is counter mode, which does not authenticate."
    } else {
        ""
    };
    drawn(Figure {
        id: "length".into(),
        title: format!("{} a byte against message length", capital(unit(run))),
        after: "Krovetz and Rogaway 2011, Fig. 2; 2021, Fig. 6".into(),
        note: format!(
            "Sealing, counter nonces, no associated data.{shaded} Choose a scheme to see our tiers beside other people’s code."
        ),
        x: scale("message, bytes", true),
        y: scale(format!("{} a byte", unit(run)), true),
        from: None,
        views,
        series,
    })
}

/// Is it a mode of the AES that authenticates? Counter mode is the plainest mode, and the baseline.
fn is_mode(scheme: &str) -> bool {
    scheme.contains("AES-") && !facts::of(scheme).baseline
}

/// What authentication costs: the time beyond counter mode (2011, Fig. 4), or beyond what the AES unit
/// allows counter mode, which no code of ours can make look better or worse.
fn overhead(run: &Run) -> Option<Figure> {
    let points = over_lengths(run, Op::Seal);
    let counter = |p: &Point| {
        let ctr = format!("AES-{}-CTR", facts::key_bits(&p.scheme));
        points.iter().find(|c| c.scheme == ctr && c.implementation == p.implementation && c.bytes == p.bytes)
    };
    let over = |op: &str, baseline: &dyn Fn(&Point) -> Option<f64>| -> Vec<Series> {
        let over: Vec<&Point> =
            points.iter().copied().filter(|p| is_mode(&p.scheme) && baseline(p).is_some()).collect();
        gather(&over, op, |p| {
            let n = p.bytes as f64;
            (n, quartiles(p, n).map(|v| v - baseline(p).unwrap_or(0.0) / n))
        })
    };
    let mut series = over("seal, beyond counter mode", &|p| Some(counter(p)?.median));
    let mut views = views(run, &series);
    let limits = over("seal, beyond the AES limit", &|p| counter(p)?.limit);
    if let (Some(first), false) = (views.first_mut(), limits.is_empty()) {
        first.name = "Beyond counter mode, each at its best".into();
        let beyond = best_of(run, &limits).into_iter().map(|i| i + series.len()).collect();
        let hidden = first.hidden.iter().map(|&i| series[i].scheme.clone()).collect::<Vec<_>>();
        let mut limit = View {
            name: "Beyond the AES limit, each at its best".into(),
            by: By::Scheme,
            series: beyond,
            hidden: vec![],
        };
        series.extend(limits);
        limit.hidden = limit.series.iter().copied().filter(|&i| hidden.contains(&series[i].scheme)).collect();
        views.insert(1, limit);
    }
    drawn(Figure {
        id: "overhead".into(),
        title: "What authentication costs: overhead over counter mode".into(),
        after: "Krovetz and Rogaway 2011, Fig. 4".into(),
        note: "The time to seal less the time of counter mode with the same key length on the same tier: the modes of the AES alone. Below zero the mode is faster than counter mode here. Counter mode has its own cost for a short message; beyond the AES limit, what is subtracted is only what the unit needs for the message’s blocks. Short messages leave the frame.".into(),
        x: scale("message, bytes", true),
        y: scale(format!("{} a byte beyond", unit(run)), false),
        // A single byte's overhead would press all else into a line.
        from: Some(128.0),
        views,
        series,
    })
}

/// Every single sample against length: seal, open, reject (2007).
fn samples(run: &Run) -> Option<Figure> {
    let single = run.points.iter().any(|p| p.method == Method::Single15);
    let wanted = if single { Method::Single15 } else { Method::Campaign };
    let of = |op| {
        run.points.iter().filter(move |p| {
            p.axis == Axis::Length && p.op == op && p.method == wanted && p.ad == 0 && p.keys <= 1 && p.batch <= 1
        })
    };
    let mut series: Vec<Series> = Vec::new();
    let mut views: Vec<View> = Vec::new();
    for (op, name) in [(Op::Seal, "seal"), (Op::Open, "open"), (Op::Reject, "reject")] {
        let mut points: Vec<&Point> = of(op).collect();
        points.sort_by_key(|p| p.bytes);
        for p in points {
            let view_name = format!("{}, {}", p.scheme, p.implementation);
            let view = match views.iter().position(|v| v.name == view_name) {
                Some(at) => at,
                None => {
                    views.push(View { name: view_name, by: By::Op, series: Vec::new(), hidden: Vec::new() });
                    views.len() - 1
                }
            };
            let at = match views[view].series.iter().copied().find(|&i| series[i].op == name) {
                Some(at) => at,
                None => {
                    series.push(Series { style: Style::Dots, ..Series::like(p, name) });
                    views[view].series.push(series.len() - 1);
                    series.len() - 1
                }
            };
            for &sample in &p.samples {
                series[at].x.push(p.bytes as f64);
                series[at].y.push(sample);
            }
        }
    }
    views.retain(|v| v.series.iter().any(|&i| series[i].x.len() > 1));
    let how = if single {
        "15 single timings a length, none averaged or left out"
    } else {
        "every sample of the campaign that was kept, disturbed ones too"
    };
    // From packets to a megabyte, short messages would all lie in one place.
    let log = series.iter().flat_map(|s| &s.x).any(|n| *n > 8192.0);
    drawn(Figure {
        id: "samples".into(),
        title: format!("{} against length, every sample", capital(unit(run))),
        after: "Bernstein 2007".into(),
        note: format!("Sealing, opening and rejecting a forgery: {how}."),
        x: scale("message, bytes", log),
        y: scale(format!("{} a message", unit(run)), log),
        from: None,
        views,
        series,
    })
}

/// Makes a figure ready for the page: dots are packed. Where there are too many for a page, every
/// nth is taken, and the note says so.
pub fn pack(figure: &mut Figure) {
    let is_dots = |s: &&mut Series| s.style == Style::Dots;
    let count: usize = figure.series.iter_mut().filter(is_dots).map(|s| s.x.len()).sum();
    let step = count.div_ceil(SAMPLES).max(1);
    for s in figure.series.iter_mut().filter(is_dots) {
        if step > 1 {
            let keep = |values: &[f64]| values.iter().step_by(step).copied().collect::<Vec<f64>>();
            (s.x, s.y) = (keep(&s.x), keep(&s.y));
        }
        s.pack();
    }
    if step > 1 {
        figure.note += &format!(" Of {count} samples the page draws every {step}th; the CSV file has all.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;

    fn figure(id: &str) -> Figure {
        all(&fixture::run()).into_iter().find(|f| f.id == id).unwrap_or_else(|| panic!("no figure {id}"))
    }

    #[test]
    fn all_that_the_run_has_data_for() {
        let run = fixture::run();
        let ids: Vec<_> = all(&run).into_iter().map(|f| f.id).collect();
        assert_eq!(ids, ["length", "overhead", "samples", "keys", "ad", "comb"]);
        assert!(all(&Run::default()).is_empty());
        assert!(heat(&run).is_some() && heat(&Run::default()).is_none());
    }

    #[test]
    fn schemes_first_then_implementations() {
        let figure = figure("length");
        assert_eq!(figure.views[0].by, By::Scheme);
        let ocb = figure.views.iter().find(|v| v.name == "OCB3-AES-128").unwrap();
        let names: Vec<_> = ocb.series.iter().map(|&i| figure.series[i].implementation.as_str()).collect();
        assert!(names.contains(&"combseal vaes512") && names.contains(&"AES limit"), "{names:?}");
        for s in &figure.series {
            assert!(s.x.is_sorted() && s.x.len() == s.y.len());
        }
    }

    #[test]
    fn overhead_is_a_difference() {
        let (all, over) = (figure("length"), figure("overhead"));
        let of = |f: &Figure, scheme: &str| {
            let s = f.series.iter().find(|s| s.scheme == scheme && s.implementation == "combseal vaes512").unwrap();
            let i = s.x.iter().position(|x| *x == 4096.0).unwrap();
            s.y[i]
        };
        let difference = of(&all, "OCB3-AES-128") - of(&all, "AES-128-CTR");
        assert!((of(&over, "OCB3-AES-128") - difference).abs() < 1e-9);
        assert!(over.series.iter().all(|s| s.scheme != "AES-128-CTR"));
    }

    /// The software tier's overhead is small beside its counter mode, and may be below zero: it must
    /// not stand for a scheme all the same. One tier stands for it in all figures.
    #[test]
    fn a_slow_tier_never_stands_for_a_scheme() {
        let mut run = fixture::run();
        let slow = |p: &&mut Point| p.tier.as_deref() == Some("soft") && p.op == Op::Seal && p.axis == Axis::Length;
        for p in run.points.iter_mut().filter(slow) {
            // All that software does costs the same, and hides what authentication costs.
            p.median = 100.0 + 25.0 * p.bytes as f64;
        }
        for figure in all(&run) {
            for view in figure.views.iter().filter(|v| v.by == By::Scheme) {
                for s in view.series.iter().map(|&i| &figure.series[i]) {
                    assert_eq!(s.implementation, "combseal vaes512", "{} in {}, {}", s.scheme, figure.id, view.name);
                }
            }
        }
        let over = overhead(&run).unwrap();
        let limit = over.views.iter().find(|v| v.name.contains("AES limit")).unwrap();
        assert!(limit.series.len() > 3 && limit.series.iter().all(|&i| over.series[i].op.contains("limit")));
    }

    #[test]
    fn doubtful_points_are_marked() {
        let mut run = fixture::run();
        let is_it = |p: &&mut Point| {
            (p.scheme.as_str(), p.op, p.axis, p.bytes) == ("OCB3-AES-128", Op::Seal, Axis::Length, 1500)
        };
        run.points.iter_mut().filter(is_it).for_each(|p| (p.clean, p.unclean) = (1, 8));
        let figure = length(&run).unwrap();
        for s in figure.series.iter().filter(|s| s.scheme == "OCB3-AES-128" && s.style == Style::Line) {
            assert_eq!(s.doubtful.iter().map(|&i| s.x[i]).collect::<Vec<_>>(), [1500.0], "{}", s.implementation);
        }
        assert!(figure.csv().lines().any(|line| line.ends_with(",?")));
    }

    /// No caption names a table or figure whose schemes are not there.
    #[test]
    fn captions_name_what_is_there() {
        let run = fixture::run();
        let comb = figure("comb").after;
        assert!(comb.contains("Table 2") && !comb.contains("Tables"), "{comb}");
        assert!(heat(&run).unwrap().after.ends_with("Fig. 2"));
        let mut archived = run;
        archived.points.iter_mut().filter(|p| p.family == "siv").for_each(|p| p.family = "mcoe-g".into());
        assert!(heat(&archived).unwrap().after.ends_with("Fig. 2 and 3"));
    }

    #[test]
    fn every_sample_is_there_or_the_page_says_so() {
        let mut f = figure("samples");
        let count = |f: &Figure| f.series.iter().flat_map(|s| &s.dots).map(|d| d.2.len()).sum::<usize>();
        let before: usize = f.series.iter().map(|s| s.x.len()).sum();
        pack(&mut f);
        assert_eq!(count(&f), before);
        assert!(!f.note.contains("the page draws"));
        let each = 2 * SAMPLES / f.series.len();
        for s in &mut f.series {
            (s.x, s.y) = (vec![1.0; each], vec![1.0; each]);
            s.dots.clear();
        }
        pack(&mut f);
        assert!(count(&f) <= SAMPLES + f.series.len() && f.note.contains("the CSV file has all"));
    }
}
