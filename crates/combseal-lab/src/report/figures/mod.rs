//! The figures of the papers, made of the data of one run. Each is left out where the run has no
//! data for it.

mod gather;
mod machines;
mod varied;

pub use machines::machines;
pub use varied::heat;

use super::figure::{By, Figure, Series, Style, View};
use crate::answers::facts;
use crate::measure::Method;
use crate::results::{Axis, Point, Run};
use crate::subjects::Op;
use gather::{capital, drawn, gather, over_lengths, quartiles, scale, unit, views, with_limits};
use varied::{ad, comb, keys};

/// The most single samples in the page, all series together, at about 2.5 bytes each; all are
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
    let mut views = views(&series);
    with_limits(&mut series, &mut views, &points);
    drawn(Figure {
        id: "length".into(),
        title: format!("{} a byte against message length", capital(unit(run))),
        after: "Krovetz and Rogaway 2011, Fig. 2; 2021, Fig. 6".into(),
        note: "Sealing, counter nonces, no associated data. The shaded area is counter mode, which does not authenticate. Choose a scheme to see our tiers beside other people’s code.".into(),
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

/// What authentication costs: the time beyond counter mode (2011, Fig. 4).
fn overhead(run: &Run) -> Option<Figure> {
    let points = over_lengths(run, Op::Seal);
    let baseline = |p: &Point| {
        let ctr = format!("AES-{}-CTR", facts::key_bits(&p.scheme));
        points.iter().find(|c| c.scheme == ctr && c.implementation == p.implementation && c.bytes == p.bytes)
    };
    let over: Vec<&Point> = points.iter().copied().filter(|p| is_mode(&p.scheme) && baseline(p).is_some()).collect();
    let series = gather(&over, "seal", |p| {
        let n = p.bytes as f64;
        let ctr = baseline(p).map_or(0.0, |c| c.median);
        (n, quartiles(p, n).map(|v| v - ctr / n))
    });
    drawn(Figure {
        id: "overhead".into(),
        title: "What authentication costs: overhead over counter mode".into(),
        after: "Krovetz and Rogaway 2011, Fig. 4".into(),
        note: "The time to seal less the time of counter mode with the same key length on the same tier: the modes of the AES alone. Below zero the mode is faster than counter mode here. Short messages leave the frame.".into(),
        x: scale("message, bytes", true),
        y: scale(format!("{} a byte beyond CTR", unit(run)), false),
        // A single byte's overhead would press all else into a line.
        from: Some(128.0),
        views: views(&series),
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
