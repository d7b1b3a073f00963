//! The papers, redrawn: a section for each, with its tables and figures in their own form and axes, this
//! machine's values beside the printed ones. What a run has not measured is left out, and the section says so.

mod bound;
mod here;
mod section;
mod stretch;
#[cfg(test)]
mod tests;
mod y2007;
mod y2011;
mod y2014;
mod y2021;

pub use section::{Item, Section};
#[cfg(test)]
pub use y2007::programme;

use super::error::Error;
use super::{figures, svg};
use crate::results::Run;

/// A line of more points has no room for whiskers: its quartiles are in the CSV file alone.
const WHISKERS: usize = 256;

/// The sections on the page of `run`, in the papers' order. `all` are the runs that the page has: some
/// figures of a paper are of another kind of machine, whose run may be among them.
pub fn sections(run: &Run, all: &[&Run]) -> Vec<Section> {
    vec![y2007::section(run), y2011::section(run), y2014::section(run), y2021::section(run, all)]
}

/// Names and contents of the files of a section: a CSV for each table, a CSV and an SVG for each figure and
/// drawing. Figures are made ready for the page.
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
                for s in figure.series.iter_mut().filter(|s| s.x.len() > WHISKERS) {
                    (s.low, s.high) = (Vec::new(), Vec::new());
                }
            }
            Item::Heat(heat) => {
                put(format!("{}.csv", heat.id), heat.csv());
                put(format!("{}.svg", heat.id), svg::heat(heat)?);
            }
            Item::Drawing(drawing) => put(format!("{}.svg", drawing.id), drawing.svg.clone()),
        }
    }
    Ok(files)
}
