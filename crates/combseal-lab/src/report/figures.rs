//! The papers' figures, with this run's data.

use super::facts;
use super::figure::{By, Figure, Heat, Map, Scale, Series, Style, View, rounded};
use super::palette;
use super::rank::preferred;
use crate::results::{Axis, Method, Point, Run, Unit};
use crate::subject::Op;
use std::collections::BTreeMap;

/// The schemes shown before anyone chooses: the study's, and what people use beside them.
const FIRST: [&str; 7] =
    ["AES-128-CTR", "OCB3-AES-128", "AES-128-GCM", "AES-128-CCM", "AES-128-GCM-SIV", "AEGIS-128L", "ChaCha20-Poly1305"];

/// The families that are modes of the AES, of which counter mode is the plainest.
const MODES: [&str; 6] = ["ocb3", "gcm", "ccm", "eax", "siv", "gcm-siv"];

/// The most single samples in the page, all series together; all are in the CSV file.
const SAMPLES: usize = 120_000;

/// Every figure of lines for which the run has data.
pub fn all(run: &Run) -> Vec<Figure> {
    let mut figures: Vec<Figure> =
        [length(run), overhead(run), keys(run), ad(run), comb(run)].into_iter().flatten().collect();
    let at = figures.len().min(2);
    figures.splice(at..at, samples(run));
    figures
}

fn unit(run: &Run) -> &'static str {
    match run.machine.clock.unit {
        Unit::Cycles => "cycles",
        Unit::Nanoseconds => "nanoseconds",
    }
}

fn scale(name: impl Into<String>, log: bool) -> Scale {
    Scale { name: name.into(), log }
}

fn quartiles(p: &Point, by: f64) -> [f64; 3] {
    [p.p25 / by, p.median / by, p.p75 / by]
}

/// Points over single lengths, nothing else varied.
fn over_lengths(run: &Run, op: Op) -> Vec<&Point> {
    preferred(
        run.points.iter().filter(|p| {
            p.axis == Axis::Length && p.op == op && p.ad == 0 && p.keys <= 1 && p.batch <= 1 && p.bytes > 0
        }),
    )
}

/// Points gathered into a series for each scheme and implementation, in their order.
fn gather(points: &[&Point], op: &str, value: impl Fn(&Point) -> (f64, [f64; 3])) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| value(a).0.total_cmp(&value(b).0));
    for p in points {
        if !series.iter().any(|s| s.scheme == p.scheme && s.implementation == p.implementation) {
            series.push(Series::like(p, op));
        }
    }
    for p in sorted {
        let (x, y) = value(p);
        let of = |s: &&mut Series| s.scheme == p.scheme && s.implementation == p.implementation;
        if let Some(s) = series.iter_mut().find(of) {
            s.push(x, y);
        }
    }
    series
}

/// For each scheme the implementation of ours that is the fastest at the right end (any, if
/// none is ours).
fn best_of(series: &[Series], is_ours: impl Fn(&Series) -> bool) -> Vec<usize> {
    let mut best: Vec<usize> = Vec::new();
    for (i, s) in series.iter().enumerate() {
        let last = |s: &Series| (!is_ours(s), s.y.last().copied().unwrap_or(f64::INFINITY));
        match best.iter_mut().find(|b| series[**b].scheme == s.scheme) {
            None => best.push(i),
            Some(b) if last(s) < last(&series[*b]) => *b = i,
            _ => {}
        }
    }
    best
}

fn is_ours(s: &Series) -> bool {
    s.implementation.starts_with("combseal")
}

/// One view of the schemes, then one of each scheme's implementations.
fn views(series: &[Series]) -> Vec<View> {
    let best = best_of(series, is_ours);
    let mut hidden: Vec<usize> =
        best.iter().copied().filter(|&i| !FIRST.contains(&series[i].scheme.as_str())).collect();
    if hidden.len() == best.len() {
        hidden.clear();
    }
    let mut views =
        vec![View { name: "Schemes, each at its best".into(), by: By::Scheme, series: best.clone(), hidden }];
    for &i in &best {
        let scheme = &series[i].scheme;
        let of: Vec<usize> = (0..series.len()).filter(|&j| &series[j].scheme == scheme).collect();
        // Software is ten times slower and would press all others into a line.
        let hidden =
            of.iter().copied().filter(|&j| of.len() > 2 && series[j].implementation.ends_with(" soft")).collect();
        views.push(View { name: scheme.clone(), by: By::Implementation, series: of, hidden });
    }
    views
}

/// The limit of the AES unit beside each scheme's implementations, as a series of its own.
fn with_limits(series: &mut Vec<Series>, views: &mut [View], points: &[&Point]) {
    for view in views.iter_mut().filter(|v| v.by == By::Implementation) {
        // The lowest limit of any tier that was measured.
        let mut lowest: BTreeMap<u64, f64> = BTreeMap::new();
        for p in points.iter().filter(|p| p.scheme == view.name) {
            if let Some(limit) = p.limit {
                let at = lowest.entry(p.bytes).or_insert(limit);
                *at = at.min(limit);
            }
        }
        if lowest.len() < 2 {
            continue;
        }
        view.series.push(series.len());
        series.push(Series {
            scheme: view.name.clone(),
            implementation: "AES limit".into(),
            op: "seal".into(),
            colours: [palette::GREY; 3],
            style: Style::Dotted,
            x: lowest.keys().map(|n| *n as f64).collect(),
            y: lowest.iter().map(|(n, limit)| limit / *n as f64).collect(),
            low: Vec::new(),
            high: Vec::new(),
        });
    }
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
        views,
        series,
    })
}

/// What authentication costs: the time beyond counter mode (2011, Fig. 4).
fn overhead(run: &Run) -> Option<Figure> {
    let points = over_lengths(run, Op::Seal);
    let baseline = |p: &Point| {
        let ctr = format!("AES-{}-CTR", facts::key_bits(&p.scheme));
        points.iter().find(|c| c.scheme == ctr && c.implementation == p.implementation && c.bytes == p.bytes)
    };
    let over: Vec<&Point> =
        points.iter().copied().filter(|p| MODES.contains(&p.family.as_str()) && baseline(p).is_some()).collect();
    let series = gather(&over, "seal", |p| {
        let n = p.bytes as f64;
        let ctr = baseline(p).map_or(0.0, |c| c.median);
        (n, quartiles(p, n).map(|v| v - ctr / n))
    });
    drawn(Figure {
        id: "overhead".into(),
        title: "What authentication costs: overhead over counter mode".into(),
        after: "Krovetz and Rogaway 2011, Fig. 4".into(),
        note: "The time to seal less the time of counter mode with the same key length on the same tier: the modes of the AES alone. A logarithmic scale has no room for what is not above zero.".into(),
        x: scale("message, bytes", true),
        y: scale(format!("{} a byte beyond CTR", unit(run)), true),
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
        views,
        series,
    })
}

/// Cycles against the number of keys in use (2007).
fn keys(run: &Run) -> Option<Figure> {
    let points = preferred(run.points.iter().filter(|p| p.axis == Axis::Keys && p.op == Op::Seal));
    varied(
        run,
        &points,
        |p| p.keys,
        "keys",
        "Many keys: what a cache miss costs",
        "Bernstein 2007",
        "keys in use",
        "A key drawn at random for each message, each with its own context: once these do not fit the cache, every message waits for memory.",
    )
}

/// Cycles against the length of the associated data.
fn ad(run: &Run) -> Option<Figure> {
    let points = preferred(run.points.iter().filter(|p| p.axis == Axis::Ad && p.op == Op::Seal));
    varied(
        run,
        &points,
        |p| p.ad,
        "ad",
        "Associated data",
        "",
        "associated data, bytes",
        "Sealing one message with more and more associated data.",
    )
}

/// Cycles against the messages handed over together, for the realistic mix or one length.
fn comb(run: &Run) -> Option<Figure> {
    let batches = preferred(run.points.iter().filter(|p| p.axis == Axis::Batch && p.op == Op::Seal && p.bytes > 0));
    // The traffic's mix if it was measured in batches, else the length with the most sizes.
    let mix: Vec<&Point> = batches.iter().copied().filter(|p| p.messages.is_some()).collect();
    let points = if mix.is_empty() { most_frequent(&batches, |p| p.bytes) } else { mix };
    let series = gather(&points, "seal", |p| (p.batch.max(1) as f64, quartiles(p, p.message_bytes())));
    let length = points.first().map_or(0.0, |p| p.message_bytes());
    drawn(Figure {
        id: "comb".into(),
        title: "The comb: messages handed over together".into(),
        after: "Bogdanov, Lauridsen and Tischhauser 2014, Tables 3 to 6".into(),
        note: format!("Messages of {length:.0} bytes on average. One message at a time is the left end."),
        x: scale("messages together, P", true),
        y: scale(format!("{} a byte", unit(run)), true),
        views: views(&series),
        series,
    })
}

#[allow(clippy::too_many_arguments)]
fn varied(
    run: &Run,
    points: &[&Point],
    x: fn(&Point) -> u64,
    id: &str,
    title: &str,
    after: &str,
    axis: &str,
    note: &str,
) -> Option<Figure> {
    // One length: that of most points.
    let points = most_frequent(points, |p| p.bytes);
    let length = points.first().map_or(0, |p| p.bytes);
    let series = gather(&points, "seal", |p| (x(p) as f64, quartiles(p, 1.0)));
    drawn(Figure {
        id: id.into(),
        title: title.into(),
        after: after.into(),
        note: format!("Messages of {length} bytes. {note}"),
        x: scale(axis, x(&Point { keys: 2, ad: 0, ..points.first().copied()?.clone() }) == 2),
        y: scale(format!("{} a message", unit(run)), false),
        views: views(&series),
        series,
    })
}

fn most_frequent<'a>(points: &[&'a Point], of: fn(&Point) -> u64) -> Vec<&'a Point> {
    let mut count: BTreeMap<u64, usize> = BTreeMap::new();
    points.iter().for_each(|p| *count.entry(of(p)).or_default() += 1);
    let most = count.iter().max_by_key(|(_, n)| **n).map(|(value, _)| *value);
    points.iter().copied().filter(|p| Some(of(p)) == most).collect()
}

/// P against length, cycles a byte as colours (2014, Fig. 2 and 3).
pub fn heat(run: &Run) -> Option<Heat> {
    let points = preferred(
        run.points.iter().filter(|p| p.axis == Axis::Batch && p.op == Op::Seal && p.bytes > 0 && p.messages.is_none()),
    );
    let mut maps: Vec<Map> = Vec::new();
    for p in &points {
        let name = format!("{}, {}", p.scheme, p.implementation);
        if maps.iter().any(|m| m.name == name) {
            continue;
        }
        let same: Vec<&&Point> =
            points.iter().filter(|q| q.scheme == p.scheme && q.implementation == p.implementation).collect();
        let axis = |of: fn(&Point) -> u64| {
            let mut values: Vec<u64> = same.iter().map(|q| of(q)).collect();
            values.sort_unstable();
            values.dedup();
            values
        };
        let (x, y) = (axis(|q| q.bytes), axis(|q| q.batch));
        let place = |values: &[u64], v: u64| values.binary_search(&v).unwrap_or(0);
        let cells = same
            .iter()
            .filter_map(|q| Some((place(&x, q.bytes), place(&y, q.batch), rounded(q.per_byte()?))))
            .collect();
        maps.push(Map { name, x, y, cells });
    }
    maps.retain(|m| m.x.len() > 1 && m.y.len() > 1);
    (!maps.is_empty()).then(|| Heat {
        id: "heat".into(),
        title: "Batch size by length".into(),
        after: "Bogdanov, Lauridsen and Tischhauser 2014, Fig. 2 and 3".into(),
        note: "Equal lengths, sealed together P at a time. The strongest colour is the fastest.".into(),
        axes: ["message, bytes".into(), "P".into(), format!("{} a byte", unit(run))],
        maps,
    })
}

/// The figure, if it has something to show.
fn drawn(figure: Figure) -> Option<Figure> {
    figure.series.iter().any(|s| s.x.len() > 1).then_some(figure)
}

/// Takes every nth sample where there are too many for a page; says so in the note. The first
/// and last of each series stay.
pub fn thin(figure: &mut Figure) {
    let count: usize = figure.series.iter().map(|s| s.x.len()).sum();
    if count <= SAMPLES {
        return;
    }
    let step = count.div_ceil(SAMPLES);
    for s in &mut figure.series {
        let keep = |values: &[f64]| values.iter().step_by(step).copied().collect::<Vec<f64>>();
        (s.x, s.y, s.low, s.high) = (keep(&s.x), keep(&s.y), keep(&s.low), keep(&s.high));
    }
    figure.note += &format!(" Of {count} values the page draws every {step}th; the CSV file has all.");
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

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
    fn thinned_aloud() {
        let mut f = figure("samples");
        let count = |f: &Figure| f.series.iter().map(|s| s.x.len()).sum::<usize>();
        let before = count(&f);
        thin(&mut f);
        assert_eq!(count(&f), before);
        for s in &mut f.series {
            (s.x, s.y) = (vec![1.0; 50_000], vec![1.0; 50_000]);
        }
        thin(&mut f);
        assert!(count(&f) <= SAMPLES && f.note.contains("the CSV file has all"));
    }
}
