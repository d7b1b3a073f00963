//! How many core cycles go by in a tick of the counter, from all calibrations that agreed with their
//! neighbour. Some of them were disturbed twice alike, so their middle counts and not their mean, and
//! of the ends all but one in a hundred.

use std::collections::BTreeMap;

/// Steps of a thousandth of the value.
const STEPS: f64 = 1000.0;

/// Cycles a tick, in the middle of all calibrations and at their ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// One calibration in a hundred was slower.
    pub lowest: f64,
    /// One calibration in a hundred was faster.
    pub highest: f64,
    /// The median.
    pub median: f64,
}

/// Calibrations by their ratio: how many there are in each step, and their sum.
#[derive(Default)]
pub(super) struct Ratios {
    steps: BTreeMap<i32, (u64, f64)>,
    count: u64,
}

impl Ratios {
    /// Adds a calibration.
    pub(super) fn see(&mut self, ratio: f64) {
        if !(1e-6..1e6).contains(&ratio) {
            return;
        }
        let step = self.steps.entry((ratio.ln() * STEPS).round() as i32).or_default();
        *step = (step.0 + 1, step.1 + ratio);
        self.count += 1;
    }

    /// The mean of the step in which a part `q` of all lie below.
    fn quantile(&self, q: f64) -> f64 {
        let place = (q * self.count.saturating_sub(1) as f64).round() as u64;
        let mut below = 0;
        let step = self.steps.values().find(|(count, _)| {
            below += count;
            below > place
        });
        step.map_or(0.0, |(count, sum)| sum / *count as f64)
    }

    /// The ratio by now; `None` before the first calibration.
    pub(super) fn now(&self) -> Option<Ratio> {
        let [lowest, median, highest] = [0.01, 0.5, 0.99].map(|q| self.quantile(q));
        (self.count > 0).then_some(Ratio { lowest, highest, median })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A third of the calibrations were disturbed: a mean would be off by an eighth.
    #[test]
    fn disturbed_calibrations_move_nothing() {
        let mut ratios = Ratios::default();
        assert_eq!(ratios.now(), None);
        for i in 0..300 {
            ratios.see(if i % 3 == 0 { 0.8 + f64::from(i) / 1e4 } else { 1.4 });
        }
        for freak in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            ratios.see(freak);
        }
        let now = ratios.now().unwrap();
        assert!((now.median - 1.4).abs() < 1e-9, "{now:?}");
        assert!(now.lowest < 0.81 && now.highest <= 1.4 + 1e-9, "{now:?}");
    }
}
