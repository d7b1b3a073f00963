//! Cycles of small pieces of code, by the clock that a campaign uses. Each piece is measured by
//! itself, until enough readings of it were undisturbed.

use crate::measure::{Clock, Unit, stats};

/// Clean readings of each piece of code.
const READINGS: usize = 61;
/// Readings tried before disturbed ones have to do.
const TRIES: usize = 1500;

/// What an operation costs: the median of clean readings, and half of them lie between
/// the quartiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Core cycles an operation (nanoseconds where there is no cycle counter).
    pub median: f64,
    /// The first quartile.
    pub p25: f64,
    /// The third quartile.
    pub p75: f64,
    /// Clean readings; 0 if all were disturbed, and all of them count then.
    pub clean: usize,
}

/// Measures pieces of code that call it with the operations of one call.
pub struct Timer {
    clock: Clock,
}

impl Timer {
    /// The best clock of this machine.
    pub fn new() -> Self {
        Timer { clock: Clock::new() }
    }

    /// `"core cycles"` or `"nanoseconds"`.
    pub fn unit(&self) -> &'static str {
        self.clock.unit().name()
    }

    /// Whether the clock counts cycles.
    pub fn counts_cycles(&self) -> bool {
        self.clock.unit() == Unit::Cycles
    }

    /// The cost of one operation; `work` does `operations` of them.
    pub fn cost(&mut self, operations: usize, mut work: impl FnMut()) -> Cost {
        let (mut clean, mut all) = (Vec::new(), Vec::new());
        while clean.len() < READINGS && all.len() < TRIES {
            let reading = self.clock.measure(&mut |watch| {
                // Once for the caches and the branch predictors.
                work();
                watch.time(&mut work);
            });
            let each = reading.amount / operations as f64;
            all.push(each);
            if self.clock.trusts(reading.steady, reading.canary) {
                clean.push(each);
            }
        }
        let used = if clean.is_empty() { &all } else { &clean };
        Cost {
            median: stats::median(used),
            p25: stats::quantile(used, 0.25),
            p75: stats::quantile(used, 0.75),
            clean: clean.len(),
        }
    }
}

impl Default for Timer {
    fn default() -> Self {
        Self::new()
    }
}
