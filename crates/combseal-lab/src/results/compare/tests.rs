//! What counts as a change, and what is said of it.

use super::*;
use crate::measure::Method;
use crate::results::record::{Axis, Machine};
use crate::subjects::Op;

fn point(bytes: u64, median: f64, noise: f64) -> Point {
    Point {
        scheme: "OCB3-AES-128".into(),
        family: "ocb3".into(),
        implementation: "combseal vaes512".into(),
        tier: Some("vaes512".into()),
        peer: false,
        op: Op::Seal,
        axis: Axis::Length,
        bytes,
        ad: 0,
        keys: 1,
        batch: 1,
        method: Method::Campaign,
        median,
        minimum: median,
        p25: median * (1.0 - noise),
        p75: median * (1.0 + noise),
        limit: Some(100.0),
        messages: None,
        clean: 9,
        unclean: 0,
        discarded: 0,
        samples: vec![median],
    }
}

fn run(points: Vec<Point>) -> Vec<Run> {
    vec![Run { points, ..Run::default() }]
}

const WANTED: Wanted = Wanted { threshold: 0.05, ours: false, at_least: 0 };

#[test]
fn changes_are_told_from_noise() {
    let old = run(vec![
        point(1, 100.0, 0.01),
        point(2, 100.0, 0.01),
        point(3, 100.0, 0.3),
        point(4, 100.0, 0.01),
        point(5, 9.0, 0.0),
    ]);
    let new = run(vec![
        point(1, 120.0, 0.01),
        point(2, 80.0, 0.01),
        point(3, 120.0, 0.3),
        point(4, 104.0, 0.001),
        point(6, 9.0, 0.0),
    ]);
    let result = compare(&old, &new, WANTED).unwrap();
    let lengths = |changes: &[Change]| changes.iter().map(|c| c.new.bytes).collect::<Vec<_>>();
    assert_eq!((lengths(&result.slower), lengths(&result.faster), lengths(&result.noisy)), (vec![1], vec![2], vec![3]));
    assert_eq!((result.compared, result.gone, result.added), (4, 1, 1));
    // The third is too loud to count, and the fourth alone stayed where it was.
    assert_eq!(result.unmarked, [3, 1]);
    assert!((result.slower[0].by - 0.2).abs() < 1e-9 && (result.moved[2] - 0.2).abs() < 1e-9);
    let text = result.render(WANTED, Some(10));
    for part in [
        "Slower (1)",
        "+20.0 %",
        "± 1.0 %",
        "100.0 -> 120.0",
        "seal 1 B",
        "within their noise (1)",
        "4 points",
        "3 of them have no mark",
        "33.3 of 100",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

/// +45 % stands beside 233 -> 338 whatever the limits measured in the two runs.
#[test]
fn what_is_compared_is_what_is_printed() {
    let old = Point { limit: Some(100.0), ..point(1, 233.0, 0.0) };
    let new = Point { limit: Some(75.0), ..point(1, 338.0, 0.0) };
    let result = compare(&run(vec![old.clone()]), &run(vec![new.clone()]), WANTED).unwrap();
    let text = result.render(WANTED, None);
    assert!(text.contains("+45.1 %") && text.contains("233.0 -> 338.0 cycles") && !text.contains("limit"), "{text}");

    // On a machine whose AES is a third faster, multiples are compared, and printed.
    let mut other = run(vec![new]);
    other[0].machine.cpu = "another".into();
    let result = compare(&run(vec![old]), &other, WANTED).unwrap();
    let text = result.render(WANTED, Some(5));
    assert!(text.contains("+93.4 %") && text.contains("2.33 -> 4.51 x limit"), "{text}");
    // Without such a wish the schemes are enough.
    let text = result.render(WANTED, None);
    assert!(text.contains("OCB3-AES-128       1   +93.4 %") && !text.contains("->"), "{text}");
}

/// A disturbed point is no extreme of its scheme, and where the extremes are is said.
#[test]
fn extremes_are_of_clean_points_and_have_names() {
    let old = run((1..=4).map(|n| point(n, 100.0, 0.0)).collect());
    let moved = |(n, median): (u64, f64)| Point { clean: if n == 4 { 1 } else { 9 }, ..point(n, median, 0.0) };
    let mut new = run([(1, 90.0), (2, 110.0), (3, 130.0), (4, 900.0)].map(moved).to_vec());
    new[0].machine.cpu = "another".into();
    let result = compare(&old, &new, WANTED).unwrap();
    let row = &result.schemes[0];
    assert_eq!((row.points, row.doubtful), (4, 1));
    assert!(row.by.unwrap().iter().zip([-0.1, 0.1, 0.3]).all(|(by, want)| (by - want).abs() < 1e-9), "{row:?}");
    let text = result.render(WANTED, None);
    for part in ["least: seal 1 B by combseal vaes512", "most:  seal 3 B by", "1 left out: too disturbed"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn a_mix_is_compared_by_the_byte_and_doubt_is_noise() {
    let mix = |bytes, median, clean| Point { messages: Some(10), clean, ..point(bytes, median, 0.0) };
    let result = compare(&run(vec![mix(10_000, 100.0, 9)]), &run(vec![mix(20_000, 300.0, 9)]), WANTED).unwrap();
    assert!((result.slower[0].by - 0.5).abs() < 1e-9);
    assert!(result.render(WANTED, None).contains("0.100 -> 0.150 cycles/B"));
    let result = compare(&run(vec![mix(10_000, 100.0, 9)]), &run(vec![mix(10_000, 300.0, 1)]), WANTED).unwrap();
    assert_eq!((result.slower.len(), result.noisy.len()), (0, 1));
}

#[test]
fn what_is_asked_for_and_what_cannot_be() {
    let peer =
        |version: &str| Point { peer: true, implementation: format!("ring {version}"), ..point(2000, 10.0, 0.0) };
    let old = run(vec![point(1, 100.0, 0.0), point(2000, 100.0, 0.0), peer("0.17.14")]);
    let new = run(vec![point(1, 100.0, 0.0), point(2000, 100.0, 0.0), peer("0.17.15")]);
    let compared = |wanted| compare(&old, &new, wanted).unwrap().compared;
    assert_eq!(compared(WANTED), 3);
    assert_eq!(compared(Wanted { ours: true, ..WANTED }), 2);
    assert_eq!(compared(Wanted { ours: true, at_least: 1024, ..WANTED }), 1);
    assert!(compare(&old, &run(vec![point(7, 1.0, 0.0)]), WANTED).unwrap_err().0.contains("no point in common"));
    assert!(compare(&[], &new, WANTED).unwrap_err().0.contains("old"));
    let mut wall = new.clone();
    wall[0].machine = Machine { cpu: "another".into(), ..Machine::default() };
    assert!(compare(&old, &wall, WANTED).unwrap().warnings[0].contains("processors"));
    wall[0].machine.emulated = Some("qemu-s390x".into());
    assert!(compare(&old, &wall, WANTED).unwrap_err().0.contains("qemu-s390x"));
    wall[0].machine.emulated = None;
    wall[0].machine.clock.unit = Unit::Nanoseconds;
    assert!(compare(&old, &wall, WANTED).unwrap_err().0.contains("nanoseconds"));
}
