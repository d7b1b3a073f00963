//! Krovetz and Rogaway's "The Software Performance of Authenticated-Encryption Modes" of 2011, redrawn.

use super::section::Section;
use crate::results::Run;

/// The section.
pub fn section(_run: &Run) -> Section {
    let mut section = Section::new(
        2011,
        "the software performance of authenticated-encryption modes",
        "Ted Krovetz and Phillip Rogaway, “The Software Performance of Authenticated-Encryption Modes”, FSE 2011",
        "https://doi.org/10.1007/978-3-642-21702-9_18",
    );
    section.intro = vec!["CCM, GCM and the versions of OCB against counter mode.".into()];
    section
}
