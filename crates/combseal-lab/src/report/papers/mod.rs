//! The papers, redrawn: a section for each, with its tables and figures in their own form and axes, this
//! machine's values beside the printed ones. What a run has not measured is left out, and the section says so.

mod bound;
mod here;
mod section;
mod stretch;
mod y2007;
mod y2011;
mod y2014;
mod y2021;

pub use section::{Item, Section};

use super::error::Error;
use super::{figures, svg};
use crate::results::Run;

/// The sections on the page of `run`, in the papers' order. `all` are the runs that the page has: some
/// figures of a paper are of another kind of machine, whose run may be among them.
pub fn sections(run: &Run, all: &[&Run]) -> Vec<Section> {
    vec![y2007::section(run), y2011::section(run), y2014::section(run), y2021::section(run, all)]
}

/// Names and contents of the files of a section: a CSV for each table, a CSV and an SVG for each figure, a text
/// for each drawing in letters. Figures are made ready for the page.
///
/// # Errors
/// If a figure cannot be drawn.
pub fn files(section: &mut Section) -> Result<Vec<(String, String)>, Error> {
    let mut files = Vec::new();
    let mut put = |name: String, text: String| files.push((name, text));
    for item in &mut section.items {
        match item {
            Item::Table(table) => put(format!("table-{}.csv", table.id), table.csv()),
            Item::Figure(figure) => {
                put(format!("{}.csv", figure.id), figure.csv());
                put(format!("{}.svg", figure.id), svg::figure(figure)?);
                figures::pack(figure);
            }
            Item::Heat(heat) => {
                put(format!("{}.csv", heat.id), heat.csv());
                put(format!("{}.svg", heat.id), svg::heat(heat)?);
            }
            Item::Words(words) => put(format!("{}.txt", words.id), words.text.clone()),
            Item::Drawing(drawing) => put(format!("{}.svg", drawing.id), drawing.svg.clone()),
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;
    use std::collections::BTreeSet;

    #[test]
    fn every_paper_has_a_section() {
        for run in [fixture::run(), Run::default()] {
            let sections = sections(&run, &[&run]);
            assert_eq!(sections.iter().map(|s| s.year).collect::<Vec<_>>(), [2007, 2011, 2014, 2021]);
            for section in sections {
                assert!(!section.intro.is_empty() && section.link.starts_with("https://"), "{}", section.year);
                assert_eq!(section.command, format!("combseal study --papers {}", section.year));
            }
        }
    }

    /// Tables and figures of all papers, and the page's own, lie in one folder.
    #[test]
    fn names_differ() {
        let run = fixture::run();
        let mut names = BTreeSet::new();
        for mut section in sections(&run, &[&run]) {
            for (name, text) in files(&mut section).unwrap() {
                assert!(name.contains(&section.year.to_string()), "{name}");
                assert!(!text.is_empty() && names.insert(name.clone()), "{name}");
            }
        }
    }
}
