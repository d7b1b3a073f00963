//! A paper's section as data: the page, and the files beside it, are made of it.

use crate::report::figure::{Figure, Heat, Table};
use serde::Serialize;

/// A paper, redrawn: its tables and figures in their own form, this machine's values beside the printed ones.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// The paper's year.
    pub year: u16,
    /// The place on the page: `paper-2011`.
    pub id: String,
    /// The heading.
    pub title: String,
    /// Authors, title, where it appeared.
    pub citation: String,
    /// Where to read it.
    pub link: &'static str,
    /// What it measured, on what, and what stands here: plain paragraphs.
    pub intro: Vec<String>,
    /// Tables and figures in the paper's order.
    pub items: Vec<Item>,
    /// What of the paper this run has not measured, each by its name.
    pub missing: Vec<String>,
    /// Pages that lie beside this one and have more of it.
    pub pages: Vec<String>,
    /// The command that measures all of it.
    pub command: String,
}

/// A table or a figure of a section.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Item {
    /// A table.
    Table(Table),
    /// A figure of lines or dots.
    Figure(Figure),
    /// Values over two axes.
    Heat(Heat),
    /// A drawing in lines.
    Drawing(Drawing),
}

/// A drawing that is made once, as SVG: the page shows it as it is, in its own colours.
#[derive(Clone, Debug, Serialize)]
pub struct Drawing {
    /// File names and links.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Which paper's figure it is, redrawn.
    pub after: String,
    /// How to read it.
    pub note: String,
    /// The SVG, on white.
    pub svg: String,
}

impl Section {
    /// Adds what there is; what there is not is listed by its name.
    pub fn put(&mut self, name: &str, item: Option<Item>) {
        match item {
            Some(item) => self.items.push(item),
            None => self.missing.push(name.into()),
        }
    }

    /// The heading and the command of a paper's section, nothing in it yet.
    pub fn new(year: u16, title: &str, citation: &str, link: &'static str) -> Self {
        Section {
            year,
            id: format!("paper-{year}"),
            title: format!("{year}: {title}"),
            citation: citation.into(),
            link,
            intro: Vec::new(),
            items: Vec::new(),
            missing: Vec::new(),
            pages: Vec::new(),
            command: format!("combseal study --papers {year}"),
        }
    }
}
