//! The tables, for a terminal and for the page: the paper's first page with its own figures beside
//! ours, the number of keys, and the tunings.

use super::options::{KEYS_MESSAGE, LONGEST};
use super::record::{Chosen, Operation, Run};
use super::then;
use std::fmt::Write;

/// The lengths of the columns; the last is the paper's long one.
const LENGTHS: [u64; 4] = [40, 576, 1500, LONGEST];
/// The length that the paper gives for decrypting and rejecting.
const THEN: u64 = 576;
const KEYS: [u64; 6] = [1, 32, 128, 512, 2048, 8192];

/// A table: groups of columns, and rows of cells. The first column is the system's name.
pub(super) struct Table {
    /// A few words.
    pub title: String,
    /// What is above the columns: words, and over how many columns they stand.
    pub over: Vec<(String, usize)>,
    /// The columns' heads.
    pub heads: Vec<String>,
    /// The cells.
    pub rows: Vec<Vec<String>>,
}

/// All tables of a run.
pub(super) fn all(run: &Run) -> Vec<Table> {
    let mut tables: Vec<Table> = Operation::ON_PACKETS.into_iter().map(|op| packets(run, op)).collect();
    tables.push(keys(run));
    tables.push(tunings(run));
    tables
}

/// The tables as text.
pub fn tables(run: &Run) -> String {
    if run.systems.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", legend(run));
    for table in all(run) {
        let _ = write!(text, "\n{}\n{}", table.title, plain(&table));
    }
    for one in &run.failed {
        let _ = writeln!(text, "\nFAILED    {} ({}), not timed: {}", one.name, one.tuning, one.why);
    }
    text
}

/// What to read before the first table.
pub(super) fn legend(run: &Run) -> String {
    format!(
        "Here: {} of {}, the robust method's medians. Then: cycles as Bernstein's paper of 2007 prints them, on the CPU named. \
         ct: constant-time, no table is looked up by what is secret. Bytes: of an expanded key.",
        run.machine.unit, run.machine.cpu
    )
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".into(), |value| format!("{value:.0}"))
}

fn integer(value: Option<u64>) -> String {
    value.map_or("-".into(), |value| value.to_string())
}

fn ct(is: bool) -> String {
    if is { "yes" } else { "no" }.into()
}

/// An operation on packets: what the paper's first page would list.
fn packets(run: &Run, op: Operation) -> Table {
    let title = match op {
        Operation::Decrypt => "Verify and decrypt a packet",
        Operation::Reject => "Reject a forged packet",
        _ => "Encrypt a packet",
    };
    let lengths = LENGTHS.map(|bytes| bytes.to_string());
    let mut heads = vec!["system".to_string(), "ct".into(), "here".into(), "then".into()];
    let mut over = vec![(String::new(), 2), ("bytes".to_string(), 2), ("here, by bytes in the message".into(), 4)];
    heads.extend(lengths.clone());
    let cpus: Vec<(&str, &str)> = if op == Operation::Encrypt { vec![] } else { then::CPUS.to_vec() };
    if op == Operation::Encrypt {
        over.push((format!("then, {}", then::TABLES), 4));
        heads.extend(lengths);
    } else {
        over.push((format!("then, {THEN} bytes"), cpus.len()));
        heads.extend(cpus.iter().map(|(_, short)| short.to_string()));
    }
    let row = |system: &Chosen| {
        let context = system.context_2007;
        let mut row = vec![system.name.clone(), ct(system.constant_time)];
        row.extend([integer(Some(system.context)), integer(context)]);
        row.extend(LENGTHS.map(|bytes| number(system.cycles(op, bytes))));
        if op == Operation::Encrypt {
            row.extend(LENGTHS.map(|bytes| number(then::cycles(&system.name, op, bytes, then::TABLES))));
        } else {
            row.extend(cpus.iter().map(|(cpu, _)| number(then::cycles(&system.name, op, THEN, cpu))));
        }
        row
    };
    Table { title: title.into(), over, heads, rows: run.systems.iter().map(row).collect() }
}

/// Encrypting under many keys.
fn keys(run: &Run) -> Table {
    let counts = KEYS.map(|keys| keys.to_string());
    let heads = std::iter::once("system".to_string()).chain(counts.clone()).chain(counts);
    let row = |system: &Chosen| {
        let here = KEYS.map(|keys| number(system.point(Operation::Encrypt, KEYS_MESSAGE, keys).map(|p| p.cycles())));
        let then = KEYS.map(|keys| number(then::under_keys(&system.name, keys)));
        std::iter::once(system.name.clone()).chain(here).chain(then).collect()
    };
    Table {
        title: format!("Encrypt {KEYS_MESSAGE} bytes under a key drawn from so many"),
        over: vec![(String::new(), 1), ("here".into(), 6), (format!("then, {}", then::TABLES), 6)],
        heads: heads.collect(),
        rows: run.systems.iter().map(row).collect(),
    }
}

/// All tunings, with what they took, and the time for a key.
fn tunings(run: &Run) -> Table {
    let heads = ["system", "tuning", "ct", "1,536 bytes", "taken", "expandkey", "cipher's status"];
    let rows = run.systems.iter().flat_map(|system| {
        system.tunings.iter().map(|one| {
            let is_taken = one.tuning == system.tuning;
            let setup = is_taken.then(|| system.cycles(Operation::ExpandKey, 0)).flatten();
            vec![
                system.name.clone(),
                one.tuning.clone(),
                ct(one.constant_time),
                format!("{:.0}", one.cycles),
                if is_taken { "yes".into() } else { String::new() },
                if is_taken { number(setup) } else { String::new() },
                if is_taken { system.status.clone() } else { String::new() },
            ]
        })
    });
    Table {
        title: "Tunings, by the median of fifteen single timings; key set-up in the one that is taken".into(),
        over: Vec::new(),
        heads: heads.map(String::from).to_vec(),
        rows: rows.collect(),
    }
}

/// Whether a column has numbers, which stand to the right.
pub(super) fn is_number(table: &Table, column: usize) -> bool {
    let cells = || table.rows.iter().filter_map(|row| row.get(column));
    column > 0 && cells().all(|cell| cell == "-" || cell.is_empty() || cell.parse::<f64>().is_ok())
}

fn plain(table: &Table) -> String {
    let count = table.heads.len();
    let right: Vec<bool> = (0..count).map(|column| is_number(table, column)).collect();
    let mut width: Vec<usize> = table.heads.iter().map(|head| head.chars().count()).collect();
    for row in &table.rows {
        for (cell, width) in row.iter().zip(&mut width) {
            *width = cell.chars().count().max(*width);
        }
    }
    // What stands over columns may be wider than they are.
    let mut from = 0;
    for (words, columns) in &table.over {
        let of = &mut width[from..from + columns];
        let room = of.iter().sum::<usize>() + 2 * (columns - 1);
        if let Some(last) = of.last_mut() {
            *last += words.chars().count().saturating_sub(room);
        }
        from += columns;
    }
    let mut text = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = String>| {
        let cells: Vec<String> = cells.collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    };
    if !table.over.is_empty() {
        let mut from = 0;
        line(&mut table.over.iter().map(|(words, columns)| {
            let room = width[from..from + columns].iter().sum::<usize>() + 2 * (columns - 1);
            from += columns;
            format!("{words:<room$}")
        }));
    }
    for row in std::iter::once(&table.heads).chain(&table.rows) {
        line(&mut row.iter().enumerate().map(|(column, cell)| {
            let width = width[column];
            if right[column] { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        }));
    }
    text
}
