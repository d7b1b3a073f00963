//! `combseal study --papers 2007`: Bernstein's programme, arguments to options and back to text.

use super::terminal::{INTERRUPTED, Terminal, stop_on_ctrl_c};
use super::{FAILED, OK, UNREADABLE};
use combseal_lab::study::Watcher;
use combseal_lab::study2007::{self, Heard, Options};
use std::io::{self, Write};
use std::path::Path;

/// Arguments of the programme. (`--quick`, `--seed` and `--out` are those of every study.)
#[derive(clap::Args)]
#[group(skip)]
pub struct Args {
    /// From one length to the next beyond 1,024 bytes, with --papers 2007; 1 is the paper's
    #[arg(long, value_name = "BYTES", default_value_t = 64, requires = "papers", value_parser = clap::value_parser!(u64).range(1..=8192))]
    step: u64,
    /// Only these systems or ciphers, with --papers 2007: hc-128-poly1305, salsa20, phelix, …
    #[arg(long, value_delimiter = ',', value_name = "NAMES", requires = "papers")]
    systems: Vec<String>,
}

/// Runs the programme.
///
/// # Errors
/// When `out` or `err` cannot be written.
pub fn run(
    args: &Args,
    quick: bool,
    seed: Option<u64>,
    folder: &Path,
    out: &mut impl Write,
    err: &mut impl Write,
) -> io::Result<u8> {
    let Args { step, systems, .. } = args;
    let options = Options { systems: systems.clone(), step: *step, quick, ..Options::default() };
    let options = Options { seed: seed.unwrap_or(options.seed), ..options };
    let stop = stop_on_ctrl_c();
    let mut terminal = Terminal::new(out, err);
    let outcome = study2007::run(&options, folder, &stop, &mut |heard| match heard {
        Heard::Text(text) => terminal.say(text),
        Heard::Progress(system, part, left) => terminal.progress(system, part, left),
    });
    terminal.done()?;
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(why) => {
            writeln!(err, "error: {why}")?;
            return Ok(UNREADABLE);
        }
    };
    if outcome.interrupted {
        writeln!(out, "\nStopped. The systems that are whole are kept; the others are missing.")?;
    }
    writeln!(out, "\nresults   {}", outcome.file.display())?;
    writeln!(out, "page      {} (opens in a browser, offline)", outcome.page.display())?;
    writeln!(out, "figures   {} SVG files beside it", outcome.figures)?;
    Ok(if outcome.interrupted {
        INTERRUPTED
    } else if outcome.failed.is_empty() {
        OK
    } else {
        FAILED
    })
}
