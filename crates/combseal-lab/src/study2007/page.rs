//! The page: the tables and figures of a run in one HTML file that opens without a network, and
//! beside it a folder with the figures as SVG.

use super::figure::{self, Figure};
use super::options::Options;
use super::record::Run;
use super::svg::escaped;
use super::table::{self, Table, is_number};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

/// Writes the page and its folder, which is named as the page with `-files` behind; gives the number
/// of SVG files.
///
/// # Errors
/// Those of the file system, with the file.
pub(super) fn write(run: &Run, page: &Path) -> Result<usize, (PathBuf, io::Error)> {
    let put = |path: PathBuf, text: &str| std::fs::write(&path, text).map_err(|why| (path, why));
    let stem = page.file_stem().map_or("page".into(), |stem| stem.to_string_lossy().into_owned());
    let folder = page.with_file_name(format!("{stem}-files"));
    std::fs::create_dir_all(&folder).map_err(|why| (folder.clone(), why))?;
    let figures = if run.systems.is_empty() { Vec::new() } else { figure::all(run) };
    for figure in &figures {
        put(folder.join(format!("{}.svg", figure.name)), &figure.svg)?;
    }
    put(page.into(), &html(run, &figures))?;
    Ok(figures.len())
}

const STYLE: &str = include_str!("../../assets/report/style.css");

/// The whole page.
fn html(run: &Run, figures: &[Figure]) -> String {
    let machine = &run.machine;
    let cpu = escaped(&machine.cpu);
    let date = escaped(machine.started.split('T').next().unwrap_or_default());
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\" data-theme=\"light\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>Cycle counts of 2007, again: {cpu}</title>\n\
         <style>{STYLE}\nfigure svg {{ width: 100%; height: auto; }}\nh3 {{ margin-top: 1.8rem; }}\nth.over {{ border-bottom: 0; text-align: center; }}\n</style>\n\
         </head>\n<body>\n<header class=\"top\"><p class=\"brand\">Combseal laboratory</p></header>\n<main>\n\
         <h1>Cycle counts for authenticated encryption: 2007, and this machine</h1>\n"
    );
    let ghz = machine.ghz.map_or(String::new(), |ghz| format!(" at {ghz:.2} GHz"));
    let Options { step, quick, seed, .. } = machine.options;
    let kind = if quick { "a quick run".into() } else { format!("every length to 1,024, then in steps of {step}") };
    let _ = writeln!(
        text,
        "<p class=\"machine\">{cpu}, tier {}{ghz}; all figures of this machine are {}. Measured {date} with {} ({kind}; seed {seed}).</p>",
        escaped(&machine.tier),
        escaped(&machine.unit),
        escaped(&machine.compiler),
    );
    text += "<p>The programme of Daniel J. Bernstein, “Cycle counts for authenticated encryption” (18 January 2007), run again: \
             stream ciphers with Poly1305 as he combines them, NLS and Phelix with their own authenticators. These systems are kept to be \
             measured, not to be used; some are broken.</p>\n\
             <p>Two methods stand beside each other. Single timings: fifteen of each point, one packet each, none left out and none before \
             them untimed; they are the clouds. The robust method: many packets a sample, between calibrations, disturbed samples \
             repeated; its medians are the tables and the lines. Cold code, cold keys and interrupts are in the first and \
             not in the second.</p>\n";
    if run.end.as_ref().is_none_or(|end| end.interrupted) {
        text += "<p class=\"honest\"><span class=\"bad\">The run was stopped: systems are missing.</span></p>\n";
    }
    for one in &run.failed {
        let _ = writeln!(
            text,
            "<p class=\"honest\"><span class=\"bad\">{} ({}) was wrong and was not timed: {}</span></p>",
            escaped(&one.name),
            escaped(&one.tuning),
            escaped(&one.why)
        );
    }
    if !run.systems.is_empty() {
        let _ = write!(text, "<h2>Then and now</h2>\n<p class=\"note\">{}</p>\n", escaped(&table::legend(run)));
        for one in table::all(run) {
            text += &of_table(&one);
        }
        text += "<h2>Figures</h2>\n";
        for one in figures {
            let _ = write!(text, "<figure id=\"{}\">\n{}</figure>\n", escaped(&one.name), one.svg);
        }
    }
    if let Some(end) = &run.end {
        let _ = writeln!(text, "<footer>combseal {}, {:.0} seconds.</footer>", escaped(&machine.version), end.seconds);
    }
    text += "</main>\n</body>\n</html>\n";
    text
}

fn of_table(table: &Table) -> String {
    let class = |column: usize| if is_number(table, column) { " class=\"n\"" } else { "" };
    let mut text = format!("<h3>{}</h3>\n<div class=\"scroll\"><table>\n<thead>\n", escaped(&table.title));
    if !table.over.is_empty() {
        text += "<tr>";
        for (words, columns) in &table.over {
            let _ = write!(text, "<th class=\"over\" colspan=\"{columns}\">{}</th>", escaped(words));
        }
        text += "</tr>\n";
    }
    text += "<tr>";
    for (column, head) in table.heads.iter().enumerate() {
        let _ = write!(text, "<th{}>{}</th>", class(column), escaped(head));
    }
    text += "</tr>\n</thead>\n<tbody>\n";
    for row in &table.rows {
        text += "<tr>";
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(text, "<td{}>{}</td>", class(column), escaped(cell));
        }
        text += "</tr>\n";
    }
    text += "</tbody>\n</table></div>\n";
    text
}
