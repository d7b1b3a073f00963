//! Bernstein's "Cycle counts for authenticated encryption" of 2007, redrawn.

use super::section::Section;
use crate::results::Run;

/// The section.
pub fn section(_run: &Run) -> Section {
    let mut section = Section::new(
        2007,
        "cycle counts for authenticated encryption",
        "Daniel J. Bernstein, “Cycle counts for authenticated encryption”, 2007",
        "https://cr.yp.to/papers.html#aecycles",
    );
    section.intro =
        vec!["Stream ciphers with Poly1305 on six processors, every timing shown and none averaged.".into()];
    section.missing = vec!["all of it: the programme writes results and a page of its own".into()];
    section
}
