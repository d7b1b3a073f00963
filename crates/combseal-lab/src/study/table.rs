//! What a study prints while it runs: a table for each group, and at the end the fastest schemes.

use crate::measure::stats;
use crate::results::{Axis, Failed, Machine, Point, Unit};
use crate::subjects::{Implementation, Op, Scheme};
use std::fmt::Write;

/// The lengths that a table shows, where they were measured.
const SHOWN: [u64; 6] = [16, 64, 576, 1500, 4096, 16384];
/// From this length on, a table shows cycles a byte; below it, cycles a message.
const LONG: u64 = 4096;

/// The table of a group: a row an implementation.
pub(super) fn group(name: &str, points: &[Point], failed: &[Failed], all: &[Implementation]) -> String {
    let mut rows: Vec<&str> = Vec::new();
    for point in points {
        if !rows.contains(&point.implementation.as_str()) {
            rows.push(&point.implementation);
        }
    }
    let columns = columns(points, all);
    let mut text = format!("\n{name:<34}");
    for column in &columns {
        let _ = write!(text, "{:>w$}", column.head, w = column.width());
    }
    text.push('\n');
    for row in rows {
        let _ = write!(text, "  {row:<32}");
        let of: Vec<&Point> = points.iter().filter(|point| point.implementation == row).collect();
        for column in &columns {
            let cell = (column.cell)(&of).unwrap_or_else(|| "-".into());
            let _ = write!(text, "{cell:>w$}", w = column.width());
        }
        text.push('\n');
    }
    for one in failed {
        let _ = writeln!(text, "  {:<32}  FAILED, not timed: {}", one.implementation, one.why);
    }
    text
}

struct Column<'a> {
    head: String,
    cell: Cell<'a>,
}

/// What a column says of an implementation's points.
type Cell<'a> = Box<dyn Fn(&[&Point]) -> Option<String> + 'a>;

impl Column<'_> {
    fn width(&self) -> usize {
        self.head.len().max(7) + 2
    }
}

fn columns<'a>(points: &[Point], all: &'a [Implementation]) -> Vec<Column<'a>> {
    let mut columns: Vec<Column> = Vec::new();
    let mut add = |head: String, cell: Cell<'a>| columns.push(Column { head, cell });
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
        add("x limit".into(), Box::new(move |of| Some(format!("{:.2}", at(of, op, bytes)?.times_limit()?))));
    }
    let ipi = move |of: &[&Point]| stats::ipi(|bytes| Some(at(of, op, bytes as u64)?.median));
    if stats::IPI.iter().all(|(bytes, _)| measured(&(*bytes as u64))) {
        add("IPI".into(), Box::new(move |of| Some(format!("{:.3}", ipi(of)?))));
    }
    for (axis, head) in [(Axis::Mix, "mix"), (Axis::Traffic, "traffic")] {
        if points.iter().any(|point| point.axis == axis) {
            add(head.into(), Box::new(move |of| a_byte(of.iter().find(|p| p.axis == axis && p.op == Op::Seal)?)));
        }
    }
    if op == Op::Seal {
        for (op, bytes) in [(Op::Open, 1500), (Op::Reject, 1500)] {
            if points.iter().any(|p| p.axis == Axis::Length && (p.op, p.bytes) == (op, bytes)) {
                add(format!("{} {bytes}", short(op)), Box::new(move |of| cycles(&at(of, op, bytes)?)));
            }
        }
    }
    if points.iter().any(|point| point.op == Op::Setup) {
        add("setup".into(), Box::new(|of| cycles(of.iter().find(|p| p.op == Op::Setup)?)));
        let context = |of: &[&Point]| {
            let first = of.first()?;
            all.iter().find(|one| one.name == first.implementation && one.scheme_name() == first.scheme)?.context
        };
        add("context".into(), Box::new(move |of| Some(format!("{} B", context(of)?))));
    }
    columns
}

/// The columns of a table of batches: cycles a byte of the realistic mix, for more and more
/// messages together.
fn together<'a>(points: &[Point]) -> Vec<Column<'a>> {
    let mut sizes: Vec<u64> = points.iter().filter(|p| p.messages.is_some()).map(|p| p.batch).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let column = |batch: u64| Column {
        head: if batch == 1 { "mix alone".into() } else { format!("{batch} of it") },
        cell: Box::new(move |of| a_byte(of.iter().find(|p| p.batch == batch && p.messages.is_some())?)),
    };
    sizes.into_iter().map(column).collect()
}

/// The columns of a table of data columns: cycles a value, by operation, length and keys.
fn values<'a>(points: &[Point]) -> Vec<Column<'a>> {
    let mut kinds: Vec<(Op, u64, u64)> = points.iter().map(|p| (p.op, p.bytes, p.keys)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let column = |(op, bytes, keys): (Op, u64, u64)| Column {
        head: format!("{} {bytes} B{}", short(op), if keys == 1 { "" } else { ", keys" }),
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
        "\nMedians of undisturbed samples: {unit} a message; cpb, IPI and mix are {unit} a byte, sealing. IPI is the 2011\n\
         paper's basket of packets, mix the 2014 paper's; x limit is the multiple of what the AES unit allows, at the\n\
         longest length shown. One key, counter nonces, in place, hot. A ? has fewer than half of its samples clean.\n"
    )
}

/// The answer: every scheme's best implementation on the traffic measured, the fastest first. The
/// archive's schemes follow, since nobody should take them for an answer.
pub(super) fn answer(points: &[Point], machine: &Machine) -> String {
    let axis = if points.iter().any(|p| p.axis == Axis::Traffic) { Axis::Traffic } else { Axis::Mix };
    let mut best: Vec<&Point> = Vec::new();
    for point in points.iter().filter(|p| p.axis == axis && p.op == Op::Seal && p.family != "ctr") {
        match best.iter_mut().find(|other| other.scheme == point.scheme) {
            Some(other) if other.median > point.median => *other = point,
            Some(_) => {}
            None => best.push(point),
        }
    }
    if best.is_empty() {
        return String::new();
    }
    if let Some(by) = &machine.emulated {
        return format!("\nNot ranked: {by} emulated this machine, and its times say nothing of a real one.\n");
    }
    best.sort_by(|a, b| a.median.total_cmp(&b.median));
    let what = if axis == Axis::Traffic { "your traffic" } else { "the realistic mix of Internet packets" };
    let mean = best[0].message_bytes();
    let mut text = format!("\nSealing {what} ({mean:.0} bytes a message on average), each scheme by its fastest code");
    let is_archived = |point: &&Point| Scheme::named(&point.scheme).is_some_and(|(scheme, _)| scheme.is_archived());
    let (archived, choices): (Vec<&Point>, Vec<&Point>) = best.into_iter().partition(is_archived);
    let width = choices.iter().chain(&archived).map(|point| point.scheme.len()).max().unwrap_or(0).max(22);
    text += if choices.is_empty() { "; " } else { ":\n" };
    let places = choices.iter().chain(&archived).enumerate();
    for (place, point) in places {
        if place == choices.len() {
            text += if choices.is_empty() { "from" } else { "From" };
            text += " the archive, to be measured and not to be used:\n";
        }
        let cpb = point.per_byte().unwrap_or(0.0);
        let ghz = match machine.clock.unit {
            Unit::Cycles => machine.clock.ghz_core,
            Unit::Nanoseconds => Some(1.0),
        };
        let rate =
            ghz.filter(|_| cpb > 0.0).map_or(String::new(), |ghz| format!("{:>8.1} Gbit/s a core", 8.0 * ghz / cpb));
        let _ = writeln!(text, "  {:<width$}{:>9.3} a byte{rate}   {}", point.scheme, cpb, point.implementation);
    }
    text
}
