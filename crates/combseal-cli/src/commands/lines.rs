//! Text in lines that fit a terminal, and columns.

use std::io::{self, Write};

/// The most characters in a line of running text.
pub(super) const LINE: usize = 100;

/// Running text in lines that fit a terminal, each behind `indent`. Line feeds at its ends are kept.
pub(super) fn wrapped(out: &mut impl Write, indent: &str, text: &str) -> io::Result<()> {
    let (body, mut column) = (text.trim_matches('\n'), 0);
    write!(out, "{}", &text[..text.len() - text.trim_start_matches('\n').len()])?;
    for word in body.split(' ') {
        let width = word.chars().count();
        if column > 0 && column + 1 + width <= LINE {
            write!(out, " {word}")?;
            column += 1 + width;
        } else {
            write!(out, "{}{indent}{word}", if column > 0 { "\n" } else { "" })?;
            column = indent.len() + width;
        }
    }
    writeln!(out, "{}", &text[text.trim_end_matches('\n').len()..])
}

/// A name and a sentence about it, whose further lines stand below its first.
pub(super) fn hanging(out: &mut impl Write, name: &str, text: &str) -> io::Result<()> {
    const NAME: usize = 20;
    let mut line = format!("  {name:<NAME$} ");
    let indent = " ".repeat(NAME + 3);
    let mut fresh = true;
    for word in text.split(' ') {
        if !fresh && line.chars().count() + 1 + word.chars().count() > LINE {
            writeln!(out, "{line}")?;
            (line, fresh) = (indent.clone(), true);
        }
        line += if fresh { "" } else { " " };
        line += word;
        fresh = false;
    }
    writeln!(out, "{}", line.trim_end())
}

/// Columns as wide as they must be.
pub(super) fn table<const N: usize>(out: &mut impl Write, rows: &[[String; N]]) -> io::Result<()> {
    let width: [usize; N] =
        std::array::from_fn(|i| rows.iter().map(|r| r[i].chars().count()).max().unwrap_or_default());
    for row in rows {
        let line: Vec<_> = row.iter().zip(width).map(|(cell, w)| format!("{cell:<w$}")).collect();
        writeln!(out, "{}", line.join("  ").trim_end())?;
    }
    Ok(())
}
