//! What a study prints while it runs: a table for each group, no wider than a terminal. Which scheme is
//! the answer, whoever reads the results says.

use crate::measure::stats;
use crate::results::{Axis, Failed, Point, Unit};
use crate::subjects::Op;
use std::fmt::Write;

/// The lengths that a table shows, where they were measured.
const SHOWN: [u64; 6] = [16, 64, 576, 1500, 4096, 16384];
/// From this length on, a table shows cycles a byte; below it, cycles a message.
const LONG: u64 = 4096;

/// The widest name of an implementation, and the most characters in a line of a table.
const NAME: usize = 26;
const LINE: usize = 120;

/// The table of a group: a row an implementation.
pub(super) fn group(name: &str, points: &[Point], failed: &[Failed]) -> String {
    let mut rows: Vec<&str> = Vec::new();
    for point in points {
        if !rows.contains(&point.implementation.as_str()) {
            rows.push(&point.implementation);
        }
    }
    let columns = columns(points);
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let of: Vec<&Point> = points.iter().filter(|point| point.implementation == *row).collect();
            columns.iter().map(|column| (column.cell)(&of).unwrap_or_else(|| "-".into())).collect()
        })
        .collect();
    let widths = widths(&columns, &cells);
    let width = NAME + 2;
    // A long name has a line of its own: its end tells the groups of a scheme apart.
    let name = if name.chars().count() < width { name.into() } else { format!("{name}\n{:width$}", "") };
    let mut text = format!("\n{name:<width$}");
    for (column, w) in columns.iter().zip(&widths) {
        let _ = write!(text, "{:>w$}", column.head);
    }
    text.push('\n');
    for (row, cells) in rows.iter().zip(&cells) {
        let _ = write!(text, "  {:<NAME$}", clipped(row, NAME));
        for (cell, w) in cells.iter().zip(&widths) {
            let _ = write!(text, "{cell:>w$}");
        }
        text.push('\n');
    }
    for one in failed {
        let _ = writeln!(text, "  {}: FAILED, not timed: {}", one.implementation, one.why);
    }
    text
}

/// A name that is no longer than it may be: of a peer's, the version is cut off last.
fn clipped(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.into();
    }
    name.chars().take(most - 1).chain(['…']).collect()
}

struct Column {
    head: String,
    cell: Cell,
}

/// What a column says of an implementation's points.
type Cell = Box<dyn Fn(&[&Point]) -> Option<String>>;

/// How wide each column is: as its widest cell with two blanks before it, or with one where the line would be
/// longer than a terminal's.
fn widths(columns: &[Column], cells: &[Vec<String>]) -> Vec<usize> {
    let widest = |i: usize, column: &Column| {
        let of = cells.iter().map(|row| row[i].chars().count());
        of.max().unwrap_or(0).max(column.head.chars().count())
    };
    let all: Vec<usize> = columns.iter().enumerate().map(|(i, column)| widest(i, column)).collect();
    let roomy: Vec<usize> = all.iter().map(|widest| widest.max(&6) + 2).collect();
    let fits = NAME + 2 + roomy.iter().sum::<usize>() <= LINE;
    if fits { roomy } else { all.iter().map(|widest| widest + 1).collect() }
}

fn columns(points: &[Point]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut add = |head: String, cell: Cell| columns.push(Column { head, cell });
    if points.iter().any(|point| point.axis == Axis::Keys) {
        let mut counts: Vec<u64> = points.iter().map(|point| point.keys).collect();
        counts.sort_unstable();
        counts.dedup();
        for keys in counts.into_iter().filter(|keys| keys.trailing_zeros() % 2 == 0 || *keys == 8192) {
            add(
                format!("{keys} key{}", if keys == 1 { "" } else { "s" }),
                Box::new(move |of| cycles(of.iter().find(|p| p.keys == keys)?)),
            );
        }
        return columns;
    }
    if points.iter().any(|point| point.axis == Axis::Column) {
        return values(points);
    }
    if points.iter().any(|point| point.axis == Axis::Batch) {
        return together(points);
    }
    if points.iter().any(|point| point.axis == Axis::Comb) {
        return on_lanes(points);
    }
    // Sealing, or the operation that this group has instead.
    let by_length = |op: Op| points.iter().any(|point| point.axis == Axis::Length && point.op == op);
    let op = Op::ALL.into_iter().find(|&op| by_length(op)).unwrap_or(Op::Seal);
    let at = move |of: &[&Point], op: Op, bytes: u64| -> Option<Point> {
        of.iter().find(|p| p.axis == Axis::Length && p.op == op && p.bytes == bytes).map(|p| (*p).clone())
    };
    let measured = |bytes: &u64| points.iter().any(|p| p.axis == Axis::Length && p.op == op && p.bytes == *bytes);
    let mut lengths: Vec<u64> = SHOWN.into_iter().filter(measured).collect();
    if lengths.len() < 3 {
        lengths = points.iter().filter(|p| p.axis == Axis::Length && p.op == op).map(|p| p.bytes).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths.truncate(8);
    }
    for &bytes in &lengths {
        let head = if op == Op::Seal { size(bytes) } else { format!("{} {}", short(op), size(bytes)) };
        add(
            head,
            Box::new(move |of| {
                let point = at(of, op, bytes)?;
                if bytes < LONG { cycles(&point) } else { a_byte(&point) }
            }),
        );
    }
    if let Some(&bytes) = lengths.last() {
        add("xlimit".into(), Box::new(move |of| Some(format!("{:.2}", at(of, op, bytes)?.times_limit()?))));
    }
    let ipi = move |of: &[&Point]| stats::ipi(|bytes| Some(at(of, op, bytes as u64)?.median));
    if stats::IPI.iter().all(|(bytes, _)| measured(&(*bytes as u64))) {
        add("IPI".into(), Box::new(move |of| Some(format!("{:.3}", ipi(of)?))));
    }
    // The user's traffic where there is some, else the mix: sealed, and opened.
    let own = points.iter().any(|point| point.axis == Axis::Traffic);
    let (axis, heads) = if own { (Axis::Traffic, ["yours", "opened"]) } else { (Axis::Mix, ["mix", "opened"]) };
    for (op, head) in [Op::Seal, Op::Open].into_iter().zip(heads) {
        if points.iter().any(|point| point.axis == axis && point.op == op) {
            add(head.into(), Box::new(move |of| a_byte(of.iter().find(|p| p.axis == axis && p.op == op)?)));
        }
    }
    if points.iter().any(|point| point.op == Op::Setup) {
        add("setup".into(), Box::new(|of| cycles(of.iter().find(|p| p.op == Op::Setup)?)));
    }
    columns
}

/// A column of the realistic mix, by so many messages or lanes.
fn mixed(op: Op, batch: u64, head: String) -> Column {
    let is_it = move |p: &&&Point| (p.op, p.batch) == (op, batch) && p.messages.is_some();
    Column { head, cell: Box::new(move |of| a_byte(of.iter().find(is_it)?)) }
}

/// The columns of a table of batches: cycles a byte of the realistic mix, for more and more
/// messages together; sealed, then opened.
fn together(points: &[Point]) -> Vec<Column> {
    let mut sizes: Vec<(Op, u64)> = points.iter().filter(|p| p.messages.is_some()).map(|p| (p.op, p.batch)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let head = |op: Op, batch: u64| if op == Op::Open { format!("opened, {batch}") } else { format!("by {batch}") };
    sizes.into_iter().map(|(op, batch)| mixed(op, batch, head(op, batch))).collect()
}

/// The columns of a table of the comb: cycles a byte of the realistic mix, by lanes; sealed, then opened.
fn on_lanes(points: &[Point]) -> Vec<Column> {
    let has = |op: Op, lanes: u64| points.iter().any(|p| (p.op, p.batch) == (op, lanes) && p.messages.is_some());
    let head = |op: Op, lanes: u64| match (op, lanes) {
        (Op::Open, _) => format!("opened, {lanes}"),
        (_, 1) => "mix, one".into(),
        _ => format!("P = {lanes}"),
    };
    let sealed = [1, 2, 4, 7, 8, 12, 16].map(|lanes| (Op::Seal, lanes));
    let opened = [8, 16].map(|lanes| (Op::Open, lanes));
    let all = sealed.into_iter().chain(opened).filter(|&(op, lanes)| has(op, lanes));
    all.map(|(op, lanes)| mixed(op, lanes, head(op, lanes))).collect()
}

/// The columns of a table of data columns: cycles a value, by operation, length and keys.
fn values(points: &[Point]) -> Vec<Column> {
    let mut kinds: Vec<(Op, u64, u64)> = points.iter().map(|p| (p.op, p.bytes, p.keys)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let column = |(op, bytes, keys): (Op, u64, u64)| Column {
        head: if keys == 1 { format!("{} {bytes}", short(op)) } else { "keys".into() },
        cell: Box::new(move |of| cycles(of.iter().find(|p| (p.op, p.bytes, p.keys) == (op, bytes, keys))?)),
    };
    kinds.into_iter().map(column).collect()
}

/// Cycles a message; with a mark where fewer than half of the samples were clean.
fn cycles(point: &Point) -> Option<String> {
    let digits = if point.median < 100.0 { 1 } else { 0 };
    Some(format!("{:.digits$}{}", point.median, if point.is_doubtful() { "?" } else { "" }))
}

/// Cycles a byte, with the same mark.
fn a_byte(point: &Point) -> Option<String> {
    Some(format!("{:.3}{}", point.per_byte()?, if point.is_doubtful() { "?" } else { "" }))
}

fn short(op: Op) -> &'static str {
    if op == Op::SealFresh { "fresh" } else { op.name() }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..4096 => format!("{bytes} B"),
        4096..1_048_576 if bytes.is_multiple_of(1024) => format!("{}K cpb", bytes / 1024),
        _ if bytes.is_multiple_of(1 << 20) => format!("{}M cpb", bytes >> 20),
        _ => format!("{bytes} cpb"),
    }
}

/// What to read before the first table.
pub(super) fn legend(unit: Unit) -> String {
    let unit = if unit == Unit::Cycles { "core cycles" } else { "nanoseconds" };
    format!(
        "\nMedians of undisturbed samples: {unit} to seal a message of so many bytes; cpb, IPI and mix are {unit} a\n\
         byte. IPI is the 2011 paper's basket of packets; mix is the 2014 paper's, sealed and (\"opened\") opened; xlimit is\n\
         the multiple of what the AES unit allows at the widest registers, one number for all tiers, at the longest length\n\
         shown. By: so many messages of the mix together. Counter nonces, in place, hot; one key, where a title does not say\n\
         how many: each message is under the next of these. Keys: messages of 576 bytes, each under another of so many keys;\n\
         in columns, of a thousand. A ? has too few undisturbed samples, and is not ranked.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;

    #[test]
    fn tables_fit_a_terminal() {
        let mut points = fixture::run().points;
        let longest = "RustCrypto chacha20poly1305 0.11.0";
        points.iter_mut().filter(|p| p.implementation == "RustCrypto").for_each(|p| p.implementation = longest.into());
        let of = |axis: Axis| points.iter().filter(move |p| p.axis == axis && p.scheme == "OCB3-AES-128").cloned();
        let usual: Vec<Point> = [Axis::Length, Axis::Single, Axis::Mix].into_iter().flat_map(of).collect();
        let sizes: std::collections::BTreeSet<_> =
            of(Axis::Batch).filter(|p| p.messages.is_some()).map(|p| (p.op, p.batch)).collect();
        assert!(sizes.len() >= 9, "as many as a study has");
        for points in [usual, of(Axis::Keys).collect(), of(Axis::Batch).collect(), of(Axis::Column).collect()] {
            let text = group("ChaCha20-Poly1305", &points, &[]);
            assert!(text.lines().count() > 3 && text.lines().nth(1).unwrap().len() > 50, "{text}");
            for line in text.lines().chain(legend(Unit::Cycles).lines()) {
                assert!(line.chars().count() <= LINE, "{} characters: {line}", line.chars().count());
            }
        }
        let text = group("OCB3-AES-128", &of(Axis::Mix).collect::<Vec<_>>(), &[]);
        assert!(text.lines().nth(1).unwrap().ends_with("mix  opened"), "{text}");
    }

    /// A study's groups of a scheme are told apart by the ends of their names.
    #[test]
    fn long_titles_are_whole() {
        let points: Vec<Point> = fixture::run().points.into_iter().filter(|p| p.axis == Axis::Mix).collect();
        let [short, long] = ["AES-128-CCM on lanes", "AES-128-CCM on lanes under 1000 keys"];
        let [one, many] = [short, long].map(|name| group(name, &points, &[]));
        assert_eq!(many.lines().nth(1), Some(long));
        assert!(one.lines().nth(1).unwrap().starts_with(short) && one.lines().nth(1).unwrap().ends_with("opened"));
        assert_eq!(many.lines().nth(2).unwrap().trim_start(), one.lines().nth(1).unwrap()[short.len()..].trim_start());
        assert_eq!(many.lines().count(), one.lines().count() + 1);
    }

    /// However long the numbers are, there is a blank between them.
    #[test]
    fn columns_stand_apart() {
        let mut points: Vec<Point> = fixture::run().points;
        points.retain(|p| p.scheme == "OCB3-AES-128" && [Axis::Length, Axis::Single, Axis::Mix].contains(&p.axis));
        let heads = group("", &points, &[]).lines().nth(1).unwrap().split_whitespace().count();
        for p in &mut points {
            (p.median, p.clean, p.unclean) = (p.median + 1e6, 1, 80);
        }
        let text = group("OCB3-AES-128", &points, &[]);
        for line in text.lines().skip(2) {
            assert!(!line.split_whitespace().any(|cell| cell.matches('?').count() > 1), "{line}");
        }
        assert!(heads > 6);
    }

    #[test]
    fn a_point_of_one_clean_sample_has_a_mark() {
        let mut points: Vec<Point> = fixture::run().points;
        points.retain(|p| p.axis == Axis::Mix && p.scheme == "OCB3-AES-128");
        assert!(!group("", &points, &[]).contains('?'));
        points[0].clean = 1;
        assert!(group("", &points, &[]).contains('?'));
    }
}
