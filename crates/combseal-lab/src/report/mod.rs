//! The page that a person reads. Results go in; one HTML file comes out, which opens without a
//! network, and beside it a folder with the figures as SVG and their data as CSV.
//!
//! * `figures` and `tables` make the papers' figures and tables of a run, as data ([`figure`]);
//! * `papers` redraws each paper's own, printed values beside this machine's;
//! * `choice` is what the page's interactive answer is computed from;
//! * `page` puts them into the template of `assets/report`, with the charting library;
//! * `svg` draws them for the files.

mod choice;
mod error;
pub mod figure;
mod figures;
mod page;
mod palette;
mod papers;
mod programme;
mod repeat;
mod svg;
mod tables;
mod together;
mod verdict;

#[cfg(test)]
mod browser;

pub use error::Error;

use crate::results::{self, Run};
use crate::study2007;
use std::path::{Path, PathBuf};

/// What was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// The page.
    pub page: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// The folder with SVG and CSV files.
    pub folder: PathBuf,
    /// How many there are.
    pub files: usize,
    /// A sentence for each thing that was skipped in the results.
    pub warnings: Vec<String>,
}

/// Writes the page of all runs in `inputs` to `output`, and beside it a folder, named as the page
/// with `-files` behind, with an SVG and a CSV file for each figure and a CSV file for each table.
///
/// # Errors
/// If results cannot be read or hold no points, or a file cannot be written.
pub fn write(inputs: &[PathBuf], output: &Path) -> Result<Written, Error> {
    let is_programme = |input: &PathBuf| study2007::is_results(input);
    let (given, usual): (Vec<PathBuf>, Vec<PathBuf>) = inputs.iter().cloned().partition(is_programme);
    if usual.is_empty() && !given.is_empty() {
        return Err(Error::Programme(given));
    }
    let contents = results::read_all(&usual).map_err(Error::Results)?;
    let mut runs = results::runs(contents.records);
    if runs.iter().all(|run| run.points.is_empty()) {
        return Err(Error::Empty(inputs.to_vec()));
    }
    let joined = programme::join(&mut runs, &given, &usual);
    let warnings = [contents.warnings, joined.warnings].concat();
    write_runs(&runs, &warnings, &[inputs.to_vec(), joined.found].concat(), output)
}

/// The names of those results that lie in the page's own folder, where it can link to them.
fn beside(inputs: &[PathBuf], output: &Path) -> Vec<String> {
    let here = |input: &&PathBuf| input.parent() == output.parent();
    inputs.iter().filter(here).filter_map(|input| Some(input.file_name()?.to_string_lossy().into_owned())).collect()
}

fn write_runs(runs: &[Run], warnings: &[String], inputs: &[PathBuf], output: &Path) -> Result<Written, Error> {
    let runs: Vec<&Run> = runs.iter().filter(|run| !run.points.is_empty()).collect();
    let stem = output.file_stem().map_or("report".into(), |stem| stem.to_string_lossy().into_owned());
    let folder = output.with_file_name(format!("{stem}-files"));
    let put = |path: &Path, text: &str| std::fs::write(path, text).map_err(|e| Error::Write(path.into(), e));
    std::fs::create_dir_all(&folder).map_err(|e| Error::Write(folder.clone(), e))?;
    let mut names = Vec::new();
    let mut pages = Vec::new();
    // The same on every machine's page, and once in the folder.
    let together = figures::machines(&runs);
    for figure in &together {
        for (name, text) in
            [(format!("{}.csv", figure.id), figure.csv()), (format!("{}.svg", figure.id), svg::figure(figure)?)]
        {
            put(&folder.join(&name), &text)?;
            names.push(name);
        }
    }
    for (i, run) in runs.iter().enumerate() {
        let mut page = page::of(run, &runs);
        let prefix = if runs.len() > 1 { format!("{}-", i + 1) } else { String::new() };
        let mut put_beside = |name: &str, text: &str| {
            names.push(format!("{prefix}{name}"));
            put(&folder.join(format!("{prefix}{name}")), text)
        };
        for table in &page.tables {
            put_beside(&format!("table-{}.csv", table.id), &table.csv())?;
        }
        if let Some(bars) = &page.bars {
            put_beside(&format!("{}.csv", bars.id), &bars.csv())?;
            put_beside(&format!("{}.svg", bars.id), &svg::bars(bars)?)?;
        }
        for figure in &mut page.figures {
            put_beside(&format!("{}.csv", figure.id), &figure.csv())?;
            put_beside(&format!("{}.svg", figure.id), &svg::figure(figure)?)?;
            figures::pack(figure);
        }
        if let Some(heat) = &page.heat {
            put_beside(&format!("{}.csv", heat.id), &heat.csv())?;
            put_beside(&format!("{}.svg", heat.id), &svg::heat(heat)?)?;
        }
        // The programme of 2007 has a page of its own, which has more of it.
        if output.with_file_name(study2007::PAGE).is_file() {
            page.sections.iter_mut().filter(|s| s.year == 2007).for_each(|s| s.pages.push(study2007::PAGE.into()));
        }
        for section in &mut page.sections {
            for (name, text) in papers::files(section)? {
                put_beside(&name, &text)?;
            }
        }
        page.figures.splice(..0, together.iter().cloned());
        pages.push(page);
    }
    let files = names.len();
    let results = beside(inputs, output);
    let html = page::html(&pages, warnings, page::Files { folder: format!("{stem}-files"), names, results });
    put(output, &html)?;
    let warnings = warnings.to_vec();
    Ok(Written { page: output.into(), bytes: html.len() as u64, folder, files, warnings })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Writer, fixture};

    #[test]
    fn results_to_files() {
        let folder = std::env::temp_dir().join(format!("combseal-report-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let input = folder.join("results.jsonl");
        let mut writer = Writer::new(std::fs::File::create(&input).unwrap());
        fixture::records().iter().for_each(|record| writer.write(record).unwrap());
        let output = folder.join("page.html");
        let written = write(std::slice::from_ref(&input), &output).unwrap();
        assert!(written.bytes < 4_000_000, "{} bytes", written.bytes);
        assert_eq!(written.folder, folder.join("page-files"));
        assert_eq!(std::fs::read_dir(&written.folder).unwrap().count(), written.files);
        for name in ["answer", "length", "overhead", "samples", "keys", "ad", "comb", "heat"] {
            let svg = std::fs::read_to_string(written.folder.join(format!("{name}.svg"))).unwrap();
            assert!(svg.starts_with("<svg") && svg.contains("</text>"), "{name}");
            let csv = std::fs::read_to_string(written.folder.join(format!("{name}.csv"))).unwrap();
            let columns = |line: &str| line.matches(',').count();
            assert!(csv.lines().count() > 3, "{name}");
            assert!(csv.lines().next().is_some_and(|head| columns(head) >= 3), "{name}");
        }
        let html = std::fs::read_to_string(&output).unwrap();
        assert!(!html.contains("{{"), "a placeholder is left");
        assert!(html.contains(r#""results":["results.jsonl"]"#) && html.contains(r#""folder":"page-files""#));
        // Text of the results is never markup.
        assert!(!html.contains("exist <b>"));

        let none = write(&[folder.join("missing.jsonl")], &output);
        assert!(matches!(none, Err(Error::Results(_))));
        let empty = folder.join("empty.jsonl");
        std::fs::write(&empty, "").unwrap();
        let why = write(&[empty], &output).unwrap_err().to_string();
        assert!(why.contains("empty.jsonl: no measurements"), "{why}");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn two_machines_are_two_runs() {
        let mut other = fixture::run();
        other.machine.cpu = "another".into();
        let folder = std::env::temp_dir().join(format!("combseal-report-two-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let written = write_runs(&[fixture::run(), other], &[], &[], &folder.join("two.html")).unwrap();
        for name in ["1-length.svg", "2-length.svg", "machines-cycles.svg", "machines-cycles.csv"] {
            assert!(written.folder.join(name).exists(), "{name}");
        }
        assert_eq!(std::fs::read_dir(&written.folder).unwrap().count(), written.files);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
