//! Rankings of a made-up run: what is ranked, by what, what is a tie, and what is not to be believed.

use super::*;
use crate::results::fixture;

#[test]
fn curves() {
    let curve = [(16.0, 50.0), (64.0, 98.0), (128.0, 130.0)];
    for (x, y) in [(1.0, 50.0), (16.0, 50.0), (40.0, 74.0), (64.0, 98.0), (96.0, 114.0), (256.0, 194.0)] {
        assert_eq!(at(&curve, x), y, "at {x}");
    }
}

#[test]
fn measured_before_put_together() {
    let run = fixture::run();
    let ranking = own(&run, Direction::Seal);
    assert!(ranking.measured);
    assert!(ranking.ranked.is_sorted_by_key(|r| r.per_byte));
    assert!(ranking.ranked.iter().all(|r| r.family != "ctr"));
    let best = ranking.best(|_| true);
    let schemes: Vec<_> = best.iter().map(|r| &r.scheme).collect();
    assert!(schemes.iter().enumerate().all(|(i, s)| !schemes[..i].contains(s)));
    let survivors = ranking.best(|r| facts::of(&r.scheme).misuse_resistant);
    assert_eq!(survivors[0].scheme, "AES-128-GCM-SIV");

    assert!(of_traffic(&run, &run.traffic[0], Direction::Seal).measured);
    let other = Traffic { lengths: vec![(100, 1)], ..run.traffic[0].clone() };
    assert!(!of_traffic(&run, &other, Direction::Seal).measured);

    let single = of_lengths(&run, "packets", &[(1500, 3), (64, 1)], Direction::Seal);
    assert!(!single.measured);
    assert_eq!(single.mean_bytes, 1141.0);
    let ocb = single.ranked.iter().find(|r| r.scheme == "OCB3-AES-128" && r.tier.is_some()).unwrap();
    assert!(ocb.gbits.unwrap() > 1.0 && ocb.limit_per_byte.unwrap() < ocb.per_byte);
}

#[test]
fn what_was_emulated_is_not_ranked() {
    let mut run = fixture::run();
    let traffic = run.traffic[0].clone();
    assert!(!own(&run, Direction::Both).ranked.is_empty());
    run.machine.emulated = Some("qemu-aarch64".into());
    assert!(own(&run, Direction::Both).ranked.is_empty());
    assert!(of_traffic(&run, &traffic, Direction::Both).ranked.is_empty());
    assert!(of_lengths(&run, "packets", &[(1500, 3), (64, 1)], Direction::Both).ranked.is_empty());
}

#[test]
fn our_method_is_preferred() {
    let mut points = fixture::run().points;
    points.truncate(1);
    let mut other = points[0].clone();
    other.method = Method::Kr65;
    points.insert(0, other);
    assert_eq!(preferred(&points).iter().map(|p| p.method).collect::<Vec<_>>(), [Method::Campaign]);
}

/// On a machine where one scheme seals faster and another opens faster, sealing alone would
/// name the wrong one.
#[test]
fn both_directions_are_ranked_by_default() {
    let mut run = fixture::run();
    for p in run.points.iter_mut().filter(|p| p.axis == Axis::Mix) {
        let a_byte = match (p.implementation.as_str(), p.scheme.as_str(), p.op) {
            ("combseal vaes512", "OCB3-AES-128", Op::Seal) => 0.253,
            ("combseal vaes512", "OCB3-AES-128", _) => 0.343,
            ("combseal vaes512", "AES-128-GCM", Op::Seal) => 0.268,
            ("combseal vaes512", "AES-128-GCM", _) => 0.285,
            _ => 2.0,
        };
        p.median = a_byte * p.message_bytes();
    }
    let first = |direction| own(&run, direction).ranked[0].clone();
    assert_eq!(first(Direction::Seal).scheme, "OCB3-AES-128");
    assert_eq!(first(Direction::Open).scheme, "AES-128-GCM");
    let both = first(Direction::default());
    assert_eq!(both.scheme, "AES-128-GCM");
    assert!((both.per_byte - 0.553).abs() < 1e-9 && both.seal == Some(0.268) && both.open == Some(0.285));
    assert!((both.gbits.unwrap() - 8.0 * 3.7 / 0.553).abs() < 1e-6);

    // Results of before, which have no opening of the mix, are ranked by sealing, and say so.
    run.points.retain(|p| p.op != Op::Open);
    let ranking = own(&run, Direction::Both);
    assert_eq!((ranking.direction, ranking.ranked[0].scheme.as_str()), (Direction::Seal, "OCB3-AES-128"));
}

#[test]
fn few_clean_samples_rank_nobody() {
    let mut run = fixture::run();
    let first = own(&run, Direction::Both).ranked[0].clone();
    let is_first = |p: &&mut Point| (&p.scheme, &p.implementation) == (&first.scheme, &first.implementation);
    run.points.iter_mut().filter(is_first).filter(|p| p.op == Op::Open).for_each(|p| (p.clean, p.unclean) = (1, 0));
    for ranking in [own(&run, Direction::Both), of_lengths(&run, "", &[(1500, 1), (64, 1)], Direction::Both)] {
        let names = |r: &Ranked| (r.scheme.clone(), r.implementation.clone());
        let gone = names(&first);
        assert!(ranking.ranked.iter().all(|r| names(r) != gone) && ranking.doubtful.contains(&gone));
    }
    assert_eq!(own(&run, Direction::Seal).ranked[0].scheme, first.scheme);
}

#[test]
fn ties_are_called_ties() {
    let all = own(&fixture::run(), Direction::Both).ranked;
    let with = |per_byte: f64, noise: f64| Ranked { per_byte, noise, ..all[0].clone() };
    assert!(with(1.0, 0.0).ties(&with(1.02, 0.0)) && with(1.02, 0.0).ties(&with(1.0, 0.0)));
    assert!(!with(1.0, 0.0).ties(&with(1.04, 0.0)) && with(1.0, 0.03).ties(&with(1.05, 0.03)));
    assert!(!with(1.0, 0.9).ties(&with(1.11, 0.9)));
}

/// One disturbed length says nothing of the others, and what is far apart is no tie by it.
#[test]
fn the_noise_of_another_length_ties_nobody() {
    let mut run = fixture::run();
    let first = |p: &&mut Point| {
        p.axis == Axis::Length && p.implementation == "combseal vaes512" && p.bytes == 65536 && p.tier.is_some()
    };
    run.points.iter_mut().filter(first).for_each(|p| p.p75 = 1.3 * p.median);
    let of = |lengths: &Lengths| of_lengths(&run, "", lengths, Direction::Both);
    let noise = |lengths: &Lengths| of(lengths).best(|_| true)[0].noise;
    assert!(noise(&[(1500, 1)]) < 0.011 && noise(&[(3000, 1)]) < 0.011, "{}", noise(&[(1500, 1)]));
    assert!(noise(&[(65000, 1)]) > 0.1 && noise(&[(65536, 1), (64, 1)]) > 0.1);
    let ranking = of(&[(65536, 1)]);
    let of_scheme = |scheme: &str| ranking.best(|r| r.scheme == scheme)[0].clone();
    assert!(!of_scheme("AES-128-CCM").ties(&of_scheme("OCB3-AES-128")));
}

#[test]
fn what_was_measured_is_told_from_what_was_not() {
    let run = fixture::run();
    let how = |n| of_lengths(&run, "", &[(1500, 1), (n, 1)], Direction::Both).ranked[0].how;
    assert_eq!([64, 100, 65537].map(how), [How::Measured, How::Between, How::Beyond]);
    assert_eq!(own(&run, Direction::Both).sample, Some(1000));
}
