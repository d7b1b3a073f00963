//! `combseal compare`: two results files in, what changed out.

use super::{FAILED, OK, UNREADABLE};
use combseal_lab::results::{self, Wanted, compare};
use std::io::{self, Write};
use std::path::PathBuf;

/// Arguments of `compare`.
#[derive(clap::Args)]
pub struct Args {
    /// The results.jsonl of before
    old: PathBuf,
    /// The results.jsonl of now
    new: PathBuf,
    /// What counts as a change, if it is also more than the noise
    #[arg(long, default_value = "5%", value_parser = percent)]
    threshold: f64,
    /// Leave the peers out
    #[arg(long)]
    ours: bool,
    /// Leave messages of fewer bytes out, and key setup: 1024, 1Ki
    #[arg(long, value_name = "BYTES", default_value = "0", value_parser = super::amount::bytes)]
    at_least: u64,
    /// Show so many changes of a kind [default: 25; of two processors a line a scheme instead]
    #[arg(long, value_name = "N")]
    most: Option<usize>,
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end().parse::<f64>();
    match number {
        Ok(percent) if percent.is_finite() && percent >= 0.0 => Ok(percent / 100.0),
        _ => Err("a percentage is wanted, as in 5%".into()),
    }
}

/// Compares; exits with [`FAILED`] if anything got slower.
///
/// # Errors
/// When `out` or `err` cannot be written.
pub fn run(args: &Args, out: &mut impl Write, err: &mut impl Write) -> io::Result<u8> {
    let mut runs = Vec::new();
    for path in [&args.old, &args.new] {
        match results::read(path) {
            Ok(contents) => {
                for warning in &contents.warnings {
                    writeln!(err, "warning: {warning}")?;
                }
                runs.push(results::runs(contents.records));
            }
            Err(why) => {
                writeln!(err, "error: {why}")?;
                return Ok(UNREADABLE);
            }
        }
    }
    let wanted = Wanted { threshold: args.threshold, ours: args.ours, at_least: args.at_least };
    match compare(&runs[0], &runs[1], wanted) {
        Ok(comparison) => {
            write!(out, "{}", comparison.render(wanted, args.most))?;
            Ok(if comparison.slower.is_empty() { OK } else { FAILED })
        }
        Err(why) => {
            let (old, new) = (args.old.display(), args.new.display());
            writeln!(err, "error: {old} and {new} cannot be compared: {why}")?;
            Ok(UNREADABLE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages() {
        assert_eq!((percent("5%"), percent("2.5 %"), percent("0")), (Ok(0.05), Ok(0.025), Ok(0.0)));
        for wrong in ["", "%", "five", "-1%", "inf"] {
            assert!(percent(wrong).is_err(), "{wrong}");
        }
    }
}
