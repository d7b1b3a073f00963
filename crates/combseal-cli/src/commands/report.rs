//! `combseal report`: results of one or several machines as a page to read.

use super::OK;
use combseal_lab::report;
use std::io::{self, Write};
use std::path::PathBuf;

/// What to read and where to write.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Results files of `combseal study`; several runs or machines become one page. The results of `--papers 2007` join
    /// those of the same machine, where they are named or lie beside them
    #[arg(required = true, value_name = "RESULTS")]
    pub results: Vec<PathBuf>,
    /// The page; its figures and data go into a folder beside it
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    pub output: PathBuf,
}

/// Runs the command and returns the exit code.
///
/// # Errors
/// When results cannot be read, or files or `out` cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> io::Result<u8> {
    let written = report::write(&args.results, &args.output).map_err(io::Error::other)?;
    for warning in &written.warnings {
        writeln!(out, "skipped: {warning}")?;
    }
    let megabytes = written.bytes as f64 / 1e6;
    writeln!(out, "{} ({megabytes:.1} MB, opens offline)", written.page.display())?;
    writeln!(out, "{}: {} SVG and CSV files", written.folder.display(), written.files)?;
    Ok(OK)
}
