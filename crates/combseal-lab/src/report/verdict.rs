//! How good a run is, in one sentence that stands before its counts: which differences between two of
//! its figures mean nothing.

use crate::results::Run;

/// Differences below this many per cent are not told apart, however quiet a run was.
const LEAST: f64 = 3.0;
/// Up to so many per cent a run is good, and up to so many fair.
const GOOD: f64 = 5.0;
const FAIR: f64 = 10.0;
/// The part of points that may be mostly disturbed in a good run.
const DISTURBED: f64 = 0.02;

/// The sentence. Two figures can differ by both their spreads; nine of ten points spread less than
/// what is counted with.
pub fn verdict(run: &Run) -> String {
    let count = run.points.len();
    if count == 0 {
        return "There is nothing to trust: nothing was measured.".into();
    }
    let mut noise: Vec<f64> = run.points.iter().map(|p| p.noise()).collect();
    noise.sort_by(f64::total_cmp);
    let usual = 100.0 * 2.0 * noise[(count - 1) * 9 / 10];
    let percent = usual.max(LEAST).ceil();
    let disturbed = run.points.iter().filter(|p| p.is_doubtful()).count() as f64 / count as f64;
    let cut = run.ends.is_empty() || run.ends.iter().all(|end| end.interrupted);
    let word = match percent {
        p if p <= GOOD && disturbed <= DISTURBED => "good",
        p if p <= FAIR && disturbed <= 5.0 * DISTURBED => "fair",
        _ => "poor",
    };
    let mut text = format!("This run is {word}: differences under {percent:.0} % mean nothing.");
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
    use crate::results::fixture;

    #[test]
    fn quiet_and_loud() {
        let mut run = fixture::run();
        run.points.iter_mut().for_each(|p| (p.p25, p.p75) = (0.999 * p.median, 1.001 * p.median));
        run.points.iter_mut().for_each(|p| (p.clean, p.unclean) = (81, 0));
        assert_eq!(verdict(&run), "This run is good: differences under 3 % mean nothing.");
        run.points.iter_mut().step_by(4).for_each(|p| p.p75 = 1.077 * p.median);
        assert!(verdict(&run).contains("fair: differences under 8 %"), "{}", verdict(&run));
        run.points.iter_mut().step_by(3).for_each(|p| (p.clean, p.unclean) = (1, 80));
        assert!(verdict(&run).contains("poor") && verdict(&run).contains("again"), "{}", verdict(&run));
        run.ends.clear();
        assert!(verdict(&run).ends_with("did not come to its end."));
        assert!(verdict(&Run::default()).contains("nothing was measured"));
    }
}
