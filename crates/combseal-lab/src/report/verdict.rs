//! How good a run is, in one sentence that stands before its counts: which differences between two of
//! its figures mean nothing.

use crate::answers::rank::{self, Direction};
use crate::results::Run;

/// Differences below this many per cent are not told apart, however quiet a run was.
const LEAST: f64 = 3.0;
/// Up to so many per cent a run is good, and up to so many fair.
const GOOD: f64 = 5.0;
const FAIR: f64 = 10.0;
/// The part of points that may be mostly disturbed in a good run.
const DISTURBED: f64 = 0.02;

/// The sentence. Two figures can differ by both their spreads; nine of ten spread less than what is counted
/// with. It judges what the ranking is made of, each scheme at its best, and names all points beside it: a run
/// whose ranking is loud is not good because of thousands of quiet points elsewhere.
pub fn verdict(run: &Run) -> String {
    let count = run.points.len();
    if count == 0 {
        return "There is nothing to trust: nothing was measured.".into();
    }
    let percent = |mut noise: Vec<f64>| {
        noise.sort_by(f64::total_cmp);
        let usual = noise.len().checked_sub(1).map(|last| 100.0 * 2.0 * noise[last * 9 / 10]);
        usual.map(|usual| usual.max(LEAST).ceil())
    };
    let all = percent(run.points.iter().map(|p| p.noise()).collect()).unwrap_or(LEAST);
    let ranking = rank::own(run, Direction::Both);
    let ranked = percent(ranking.best(|_| true).iter().map(|r| r.noise).collect());
    let judged = ranked.unwrap_or(all);
    let disturbed = run.points.iter().filter(|p| p.is_doubtful()).count() as f64 / count as f64;
    let cut = run.ends.is_empty() || run.ends.iter().all(|end| end.interrupted);
    let word = match judged {
        p if p <= GOOD && disturbed <= DISTURBED && ranking.unsure.is_empty() => "good",
        p if p <= FAIR && disturbed <= 5.0 * DISTURBED => "fair",
        _ => "poor",
    };
    let mut text = format!("This run is {word}: differences under {judged:.0} % mean nothing");
    text += &match ranked {
        Some(_) if all != judged => format!(" in its ranking, and under {all:.0} % among all its points."),
        _ => ".".to_string(),
    };
    if !ranking.unsure.is_empty() {
        text += &format!(" The fastest code of {} was too disturbed to be ranked.", ranking.unsure.join(", "));
    }
    if word == "poor" {
        text += " Run it again on a quiet machine before you decide by it.";
    }
    if cut {
        text += " It did not come to its end.";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Axis, Point, fixture};

    #[test]
    fn quiet_and_loud() {
        let mut run = fixture::run();
        run.points.iter_mut().for_each(|p| (p.p25, p.p75) = (0.999 * p.median, 1.001 * p.median));
        run.points.iter_mut().for_each(|p| (p.clean, p.unclean) = (81, 0));
        assert_eq!(verdict(&run), "This run is good: differences under 3 % mean nothing.");
        // What is ranked decides, and the rest is told.
        let mut other = run.clone();
        let is_mix = |p: &&mut Point| p.axis == Axis::Mix;
        other.points.iter_mut().filter(|p| p.axis != Axis::Mix).for_each(|p| p.p75 = 1.077 * p.median);
        let said =
            "This run is good: differences under 3 % mean nothing in its ranking, and under 8 % among all its points.";
        assert_eq!(verdict(&other), said);
        let mut other = run.clone();
        other.points.iter_mut().filter(is_mix).for_each(|p| p.p75 = 1.077 * p.median);
        assert!(verdict(&other).contains("fair: differences under 8 % mean nothing in its ranking, and under 3 %"));
        // Nor is a run good in which a scheme's best is not to be believed.
        let mut other = run.clone();
        let best = |p: &&mut Point| p.scheme == "OCB3-AES-128" && p.implementation == "combseal vaes512";
        other.points.iter_mut().filter(is_mix).filter(best).for_each(|p| p.clean = 2);
        let text = verdict(&other);
        assert!(text.contains("is fair") && text.contains("fastest code of OCB3-AES-128 was too"), "{text}");
        run.points.iter_mut().step_by(3).for_each(|p| (p.clean, p.unclean) = (1, 80));
        assert!(verdict(&run).contains("poor") && verdict(&run).contains("again"), "{}", verdict(&run));
        run.ends.clear();
        assert!(verdict(&run).ends_with("did not come to its end."));
        assert!(verdict(&Run::default()).contains("nothing was measured"));
    }
}
