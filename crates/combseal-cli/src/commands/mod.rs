//! The subcommands: arguments in, text out, an exit code back.

pub mod advise;
mod amount;
pub mod analyze;
mod answer;
pub mod check;
pub mod compare;
pub mod inspect;
pub mod keygen;
pub mod limits;
mod lines;
mod nearest;
pub mod open;
pub mod rekey;
pub mod report;
pub mod schemes;
pub mod seal;
pub mod study;
pub mod study2007;
mod terminal;

use crate::files::failure::Failure;
use std::io::{self, Write};

/// Everything asked for was found right.
pub const OK: u8 = 0;
/// A test failed.
pub const FAILED: u8 = 1;
/// An input could not be read, or an argument makes no sense.
pub const UNREADABLE: u8 = 2;

/// Tells of a failure and gives its exit code.
fn failed(failure: &Failure) -> u8 {
    if !failure.silent {
        // Where nobody can be told, the exit code still says it.
        let _ = writeln!(io::stderr(), "{failure}");
    }
    failure.cause as u8
}

/// Does work on several files: what fails of one is told while the others are done. The exit code is
/// that of the first failure.
fn each(work: impl FnOnce(&mut dyn FnMut(Failure)) -> Result<(), Failure>) -> u8 {
    let mut code = OK;
    let mut tell = |failure: Failure| {
        let now = failed(&failure);
        if code == OK {
            code = now;
        }
    };
    if let Err(failure) = work(&mut tell) {
        tell(failure);
    }
    code
}

/// Rows as columns, each as wide as it must be: the first to the left, numbers to the right.
fn columns(out: &mut impl Write, rows: &[impl AsRef<[String]>]) -> io::Result<()> {
    let count = rows.iter().map(|r| r.as_ref().len()).max().unwrap_or(0);
    let cells = |i: usize| rows.iter().filter_map(move |r| r.as_ref().get(i));
    let width: Vec<usize> = (0..count).map(|i| cells(i).map(|c| c.chars().count()).max().unwrap_or(0)).collect();
    let is_number = |c: &String| c.is_empty() || c.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let right: Vec<bool> = (0..count).map(|i| i > 0 && cells(i).skip(1).all(is_number)).collect();
    for row in rows {
        let mut line = String::new();
        for (i, cell) in row.as_ref().iter().enumerate() {
            let w = width[i];
            line += &if right[i] { format!("{cell:>w$}  ") } else { format!("{cell:<w$}  ") };
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
