//! Krovetz and Rogaway's "The Design and Evolution of OCB" of 2021, redrawn.

use super::section::Section;
use crate::results::Run;

/// The section.
pub fn section(_run: &Run, _all: &[&Run]) -> Section {
    let mut section = Section::new(
        2021,
        "the design and evolution of OCB",
        "Ted Krovetz and Phillip Rogaway, “The Design and Evolution of OCB”, Journal of Cryptology 34, 2021",
        "https://doi.org/10.1007/s00145-021-09399-8",
    );
    section.intro = vec!["OCB beside five other schemes.".into()];
    section
}
