//! Bogdanov, Lauridsen and Tischhauser's "Comb to Pipeline" of 2014, redrawn.

use super::section::Section;
use crate::results::Run;

/// The section.
pub fn section(_run: &Run) -> Section {
    let mut section = Section::new(
        2014,
        "comb to pipeline",
        "Andrey Bogdanov, Martin M. Lauridsen and Elmar Tischhauser, “Comb to Pipeline: Fast Software Encryption Revisited”, FSE 2015",
        "https://eprint.iacr.org/2016/047",
    );
    section.intro = vec!["Several messages walk side by side through the AES unit, on a Haswell i5-4300U.".into()];
    section.missing = vec!["its tables and figures".into()];
    section
}
