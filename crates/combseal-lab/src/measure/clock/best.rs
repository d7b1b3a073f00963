//! How fast this machine is while nobody disturbs it. It has to be learnt from readings of which
//! any may be disturbed, so no single reading is believed.

/// The best rate seen, where best means reached by one reading in a hundred, and by eight: an
/// interrupt in a calibration can make a rate look faster than the machine.
pub(super) struct Best {
    /// Readings by rate, in steps of one percent.
    steps: Vec<u32>,
    readings: u32,
    pub(super) best: f64,
}

impl Best {
    const TIMES: u32 = 8;
    /// Rates from 1/148 to 148.
    const ONE: f64 = 500.0;

    pub(super) fn new() -> Self {
        Self { steps: vec![0; 2 * Self::ONE as usize + 1], readings: 0, best: 0.0 }
    }

    pub(super) fn see(&mut self, rate: f64) {
        let step = (rate.max(1e-3).ln() * 100.0 + Self::ONE).clamp(0.0, 2.0 * Self::ONE) as usize;
        self.steps[step] += 1;
        self.readings += 1;
        let enough = Self::TIMES.max(self.readings / 100);
        let mut above = 0;
        let best = self.steps.iter().rposition(|&n| {
            above += n;
            above >= enough
        });
        self.best = best.map_or(0.0, |step| ((step as f64 - Self::ONE) / 100.0).exp());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_ignores_freaks_and_rises_with_the_rest() {
        let mut best = Best::new();
        let near = |best: &Best, rate: f64| (best.best / rate - 1.0).abs() < 0.011;
        for _ in 0..2000 {
            best.see(4.0);
        }
        for _ in 0..19 {
            best.see(9.0);
        }
        assert!(near(&best, 4.0));
        for _ in 0..3 {
            best.see(9.0);
        }
        assert!(near(&best, 9.0));
        best.see(0.0);
        best.see(f64::INFINITY);
        assert!(near(&best, 9.0));
    }
}
