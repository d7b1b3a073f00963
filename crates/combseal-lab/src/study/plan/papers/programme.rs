//! What a paper's programme is: its schemes, its points, how long they may take.

use super::super::spec::{Spec, Subject};

/// What a paper's section needs.
pub(super) struct Programme {
    /// The paper's year.
    pub(super) year: u16,
    /// The schemes by their whole names, the archive's too.
    pub(super) schemes: &'static [&'static str],
    /// Seconds of measuring that the plan divides.
    pub(super) seconds: f64,
    /// The points of an implementation; few of them for a quick study. Subjects are filled in later.
    pub(super) points: fn(&Subject, quick: bool) -> Vec<Spec>,
    /// Small pieces of code that are timed by themselves, by their sets: `lfsr`, `gf128`, `doubling`.
    pub(super) pieces: &'static [&'static str],
}
