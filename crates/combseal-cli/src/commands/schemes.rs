//! `combseal schemes`: what is there, on this machine.

use crate::schemes::SCHEMES;
use combseal::Cpu;
use std::io::{self, Write};

/// Prints the schemes and the tiers.
///
/// # Errors
/// When `out` cannot be written.
pub fn run(out: &mut impl Write) -> io::Result<()> {
    let head = ["scheme", "key", "nonce", "tag", "a nonce used twice", "under one key", "source"].map(String::from);
    let mut rows = vec![head];
    for about in SCHEMES.iter().filter_map(|s| s.about) {
        let key: Vec<_> = about.key.iter().map(usize::to_string).collect();
        let [name, nonce, tag] = [about.name, about.nonce, about.tag].map(String::from);
        let [misuse, limit, source] = [about.misuse, about.limit, about.source].map(String::from);
        rows.push([name, key.join(" "), nonce, tag, misuse, limit, source]);
    }
    table(out, &rows)?;
    writeln!(out, "\nLengths in bytes; the usual nonce first.\n\nCPU tiers here (* is the one used):\n")?;
    let best = Cpu::detect();
    for cpu in Cpu::all() {
        let star = if cpu == best { '*' } else { ' ' };
        writeln!(out, "{star} {:<9} {}", cpu.name(), cpu.description())?;
    }
    Ok(())
}

/// Columns as wide as they must be.
fn table<const N: usize>(out: &mut impl Write, rows: &[[String; N]]) -> io::Result<()> {
    let width: [usize; N] =
        std::array::from_fn(|i| rows.iter().map(|r| r[i].chars().count()).max().unwrap_or_default());
    for row in rows {
        let line: Vec<_> = row.iter().zip(width).map(|(cell, w)| format!("{cell:<w$}")).collect();
        writeln!(out, "{}", line.join("  ").trim_end())?;
    }
    Ok(())
}
