//! What the sampler asks of a timed loop. The sampler need not know what the loop does with its
//! messages, so it depends on no scheme and on no implementation.

use super::bench::Bench;

/// A timed loop over messages of one length.
pub trait Work {
    /// `Some(n)` if exactly `n` messages must follow each [`prepare`](Work::prepare).
    fn burst(&self) -> Option<u64> {
        None
    }

    /// What goes before a sample, or before the first of those that are repeated until one is undisturbed. Nobody
    /// minds what disturbs it, so that it may take longer than a sample.
    fn warm(&mut self, _bench: &mut Bench) {}

    /// What goes before a burst, untimed.
    fn prepare(&mut self, _bench: &mut Bench) {}

    /// Messages that each one counted by [`run`](Work::run) stands for: those of a batch.
    fn together(&self) -> u64 {
        1
    }

    /// Handles `messages` messages: this is timed.
    fn run(&mut self, bench: &mut Bench, messages: u64);

    /// How many messages did not come out as they should have: a valid one refused, a forgery
    /// accepted.
    fn faults(&self) -> u64 {
        0
    }
}
