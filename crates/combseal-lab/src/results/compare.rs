//! Compares two studies: what changed, by how much, and how much of that is noise.
//!
//! A point has changed if it moved by more than the threshold *and* the middle halves of its
//! samples no longer overlap. One that moved as far while its samples overlap, or has too few clean
//! ones, is called noisy, not changed.
//!
//! On one processor what a message costs is compared. Two processors are compared by multiples of what
//! their AES units allow, where both runs know it, and scheme by scheme: a list of thousands of points
//! would say nothing. Whatever is compared stands beside the change.

use super::record::{Point, Run, Unit};
use crate::measure::stats;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// What is compared of two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Cycles (or nanoseconds) a message.
    Message,
    /// The same a byte: of messages of many lengths, of which each run draws its own.
    Byte,
    /// Multiples of the fewest cycles that the machine's AES unit allows.
    TimesLimit,
}

/// A point in both studies.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The point as it was.
    pub old: Point,
    /// The point as it is.
    pub new: Point,
    /// What is compared of the point as it was, and as it is.
    pub values: [f64; 2],
    /// What these values are.
    pub basis: Basis,
    /// How much more it costs, as a part of what it cost: 0.05 is 5 % slower.
    pub by: f64,
    /// The larger of both points' noise, as a part: see [`Point::noise`].
    pub noise: f64,
}

/// How a scheme's points moved from one processor to another. Points that are doubtful in either study are
/// counted, and say nothing of the movement.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemeChange {
    /// The scheme.
    pub scheme: String,
    /// Points in both studies.
    pub points: usize,
    /// Of these, how many are doubtful in one.
    pub doubtful: usize,
    /// The least, the median, and the most by which the others moved; `None` if there are no others.
    pub by: Option<[f64; 3]>,
    /// What was measured where the least and the most are.
    pub at: [String; 2],
}

/// All of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Slower beyond threshold and noise, the worst first.
    pub slower: Vec<Change>,
    /// Faster beyond threshold and noise, the best first.
    pub faster: Vec<Change>,
    /// Moved beyond the threshold, within their noise.
    pub noisy: Vec<Change>,
    /// Points in both.
    pub compared: usize,
    /// What its values are in words: cycles or nanoseconds.
    pub unit: &'static str,
    /// Two processors: how each scheme moved from one to the other. Empty on one processor.
    pub schemes: Vec<SchemeChange>,
    /// Points that only the old study has.
    pub gone: usize,
    /// Points that only the new study has.
    pub added: usize,
    /// By how much the points moved, either way: half of them, 95 of a hundred, and all of them
    /// by less than this.
    pub moved: [f64; 3],
    /// Points that are in neither study doubtful or noisier than a whisker's least, and how many of them moved by no more than the threshold.
    pub unmarked: [usize; 2],
    /// What makes the comparison doubtful.
    pub warnings: Vec<String>,
}

/// Which points to compare, and what counts as a change.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The least change that counts: 0.05 is 5 %.
    pub threshold: f64,
    /// Leave the peers out.
    pub ours: bool,
    /// Leave shorter messages, and key setup, out if this is above 0.
    pub at_least: u64,
}

/// Why two studies cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomparable(pub String);

impl fmt::Display for Incomparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Incomparable {}

/// Compares the last run of each file.
///
/// # Errors
/// If one has no run, they count in different units, or have no point in common.
pub fn compare(old: &[Run], new: &[Run], wanted: Wanted) -> Result<Comparison, Incomparable> {
    let last = |runs: &[Run], which: &str| {
        runs.last().cloned().ok_or_else(|| Incomparable(format!("the {which} file has no measurements")))
    };
    let (old, new) = (last(old, "old")?, last(new, "new")?);
    let (was, is) = (&old.machine, &new.machine);
    if was.clock.unit != is.clock.unit {
        return Err(Incomparable("one counts core cycles, the other nanoseconds".into()));
    }
    if let Some(by) = was.emulated.as_ref().or(is.emulated.as_ref()) {
        return Err(Incomparable(format!("{by} emulated a machine: its times say nothing of a real one")));
    }
    let across = was.cpu != is.cpu;
    let unit = if is.clock.unit == Unit::Cycles { "cycles" } else { "ns" };
    let mut result = Comparison { unit, ..Comparison::default() };
    for (what, was, is) in [("processors", &was.cpu, &is.cpu), ("compilers", &was.compiler, &is.compiler)] {
        if was != is {
            result.warnings.push(format!("different {what}: {was}; {is}"));
        }
    }
    let mut before: BTreeMap<String, &Point> = BTreeMap::new();
    before.extend(old.points.iter().filter(|point| wanted.takes(point)).map(|point| (key(point), point)));
    let mut moved = Vec::new();
    let mut schemes: BTreeMap<&str, Vec<(f64, bool, &Point)>> = BTreeMap::new();
    for point in new.points.iter().filter(|point| wanted.takes(point)) {
        let Some(old) = before.remove(&key(point)) else {
            result.added += 1;
            continue;
        };
        let change = change(old, point, across);
        moved.push(change.by.abs());
        if !old.is_marked() && !point.is_marked() {
            result.unmarked[0] += 1;
            result.unmarked[1] += usize::from(change.by.abs() <= wanted.threshold);
        }
        let doubtful = old.is_doubtful() || point.is_doubtful();
        schemes.entry(&point.scheme).or_default().push((change.by, doubtful, point));
        if change.by.abs() > wanted.threshold {
            match (change.is_apart(), change.by > 0.0) {
                (false, _) => result.noisy.push(change),
                (_, true) => result.slower.push(change),
                (_, false) => result.faster.push(change),
            }
        }
    }
    (result.compared, result.gone) = (moved.len(), before.len());
    if moved.is_empty() {
        return Err(Incomparable("the two have no point in common".into()));
    }
    result.moved = [0.5, 0.95, 1.0].map(|q| stats::quantile(&moved, q));
    if across {
        result.schemes = schemes.into_iter().map(|(scheme, moved)| SchemeChange::of(scheme, &moved)).collect();
        let middle = |it: &SchemeChange| it.by.map_or(f64::INFINITY, |by| by[1]);
        result.schemes.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    }
    result.slower.sort_by(|a, b| b.by.total_cmp(&a.by));
    result.faster.sort_by(|a, b| a.by.total_cmp(&b.by));
    result.noisy.sort_by(|a, b| b.by.abs().total_cmp(&a.by.abs()));
    Ok(result)
}

impl SchemeChange {
    /// Of a scheme's points: by how much each moved, whether it is doubtful, and what it is.
    fn of(scheme: &str, moved: &[(f64, bool, &Point)]) -> Self {
        let mut clean: Vec<_> = moved.iter().filter(|it| !it.1).collect();
        clean.sort_by(|a, b| a.0.total_cmp(&b.0));
        let by: Vec<f64> = clean.iter().map(|it| it.0).collect();
        let at = |it: Option<&&(f64, bool, &Point)>| {
            it.map_or(String::new(), |it| format!("{} by {}", describe(it.2), it.2.implementation))
        };
        SchemeChange {
            scheme: scheme.into(),
            points: moved.len(),
            doubtful: moved.len() - clean.len(),
            by: (!by.is_empty()).then(|| [0.0, 0.5, 1.0].map(|q| stats::quantile(&by, q))),
            at: [at(clean.first()), at(clean.last())],
        }
    }
}

impl Wanted {
    fn takes(&self, point: &Point) -> bool {
        !(self.ours && point.peer) && point.message_bytes() >= self.at_least as f64
    }
}

/// What makes two points the same. A peer's version does not belong to it, since a comparison is
/// to show what a new version changed.
fn key(point: &Point) -> String {
    let name = match point.implementation.rsplit_once(' ') {
        Some((name, version)) if point.peer && version.starts_with(|c: char| c.is_ascii_digit()) => name,
        _ => &point.implementation,
    };
    let Point { scheme, op, axis, bytes, ad, keys, batch, method, .. } = point;
    // A mix's sample depends on the seed, and with it, a little, its bytes.
    let bytes = if point.messages.is_some() { 0 } else { *bytes };
    format!("{scheme}/{name}/{op:?}/{axis:?}/{bytes}/{ad}/{keys}/{batch}/{method:?}")
}

fn change(old: &Point, new: &Point, across: bool) -> Change {
    let limits = (old.times_limit(), new.times_limit());
    let mixed = old.messages.is_some() || new.messages.is_some();
    let (values, basis) = match limits {
        (Some(before), Some(after)) if across => ([before, after], Basis::TimesLimit),
        _ if mixed => ([old, new].map(|p| p.median / p.message_bytes().max(1.0)), Basis::Byte),
        _ => ([old.median, new.median], Basis::Message),
    };
    let by = if values[0] > 0.0 { values[1] / values[0] - 1.0 } else { 0.0 };
    Change { old: old.clone(), new: new.clone(), values, basis, by, noise: old.noise().max(new.noise()) }
}

impl Change {
    /// Do the middle halves of the samples not overlap, in what is compared? Those of doubtful points
    /// are not to be believed.
    fn is_apart(&self) -> bool {
        let half = |p: &Point, value: f64| {
            let of = |quartile: f64| if p.median > 0.0 { quartile / p.median * value } else { value };
            (of(p.p25), of(p.p75))
        };
        let (before, after) = (half(&self.old, self.values[0]), half(&self.new, self.values[1]));
        let apart = after.0 > before.1 || after.1 < before.0;
        apart && !self.old.is_doubtful() && !self.new.is_doubtful()
    }

    /// What is compared, before and after, with its unit.
    fn figures(&self, unit: &str) -> String {
        let [before, after] = self.values;
        match self.basis {
            Basis::Message => format!("{before:.1} -> {after:.1} {unit}"),
            Basis::Byte => format!("{before:.3} -> {after:.3} {unit}/B"),
            Basis::TimesLimit => format!("{before:.2} -> {after:.2} x limit"),
        }
    }
}

impl Comparison {
    /// The comparison in words, with at most `most` changes of a kind; of two processors the schemes,
    /// and changes only if `most` says how many.
    pub fn render(&self, wanted: Wanted, most: Option<usize>) -> String {
        let mut text = String::new();
        for warning in &self.warnings {
            let _ = writeln!(text, "note: {warning}");
        }
        self.render_schemes(&mut text);
        let most = most.unwrap_or(if self.schemes.is_empty() { MOST } else { 0 });
        let percent = |part: f64| format!("{:.1} %", 100.0 * part);
        for (what, changes) in
            [("Slower", &self.slower), ("Faster", &self.faster), ("Moved, but within their noise", &self.noisy)]
        {
            if changes.is_empty() || most == 0 {
                continue;
            }
            let _ = writeln!(text, "\n{what} ({}):", changes.len());
            for change in changes.iter().take(most) {
                let new = &change.new;
                let by = format!("{:+.1} %", 100.0 * change.by);
                let noise = format!("± {}", percent(change.noise));
                let figures = change.figures(self.unit);
                let _ = writeln!(
                    text,
                    "  {by:>9}  {noise:>9}  {figures:>27}  {} {}  {}",
                    new.scheme,
                    describe(new),
                    new.implementation
                );
            }
            if changes.len() > most {
                let _ = writeln!(text, "  and {} more", changes.len() - most);
            }
        }
        let [half, most, all] = self.moved.map(percent);
        let _ = writeln!(
            text,
            "\n{} points compared: half moved by less than {half}, 95 of 100 by less than {most}, all by {all} at most",
            self.compared
        );
        let (slower, faster) = (self.slower.len(), self.faster.len());
        let threshold = percent(wanted.threshold);
        if let ([sure, agreed], true) = (self.unmarked, self.schemes.is_empty())
            && sure > 0
        {
            let part = 100.0 * agreed as f64 / sure as f64;
            let marks = "have no mark in either, neither a ? nor a whisker";
            let _ = writeln!(text, "{sure} of them {marks}: {part:.1} of 100 of these moved by {threshold} at most");
        }
        let _ = writeln!(
            text,
            "{slower} slower and {faster} faster by more than {threshold} and their noise; {} only in the old, {} only in the new",
            self.gone, self.added
        );
        text
    }

    /// How each scheme moved from one processor to the other.
    fn render_schemes(&self, text: &mut String) {
        if self.schemes.is_empty() {
            return;
        }
        let width = self.schemes.iter().map(|row| row.scheme.len()).max().unwrap_or(0);
        let _ = writeln!(
            text,
            "\nTwo processors: multiples of what the AES unit of each allows, where it is known, else {} a message\n",
            self.unit
        );
        let _ = writeln!(text, "{:<width$}  points    median     least      most", "scheme");
        for SchemeChange { scheme, points, doubtful, by, at } in &self.schemes {
            let percent = |place: usize| by.map_or("-".into(), |by| format!("{:+.1} %", 100.0 * by[place]));
            let [least, middle, most] = [0, 1, 2].map(percent);
            let _ = writeln!(text, "{scheme:<width$}  {points:>6}  {middle:>8}  {least:>8}  {most:>8}");
            if by.is_some() {
                let _ = writeln!(text, "    least: {}\n    most:  {}", at[0], at[1]);
            }
            if *doubtful > 0 {
                let _ = writeln!(text, "    {doubtful} left out: too disturbed in one of the two");
            }
        }
    }
}

/// Changes of a kind that are shown, where nobody says how many.
const MOST: usize = 25;

/// What was measured, in a few words.
pub(crate) fn describe(point: &Point) -> String {
    use super::record::Axis;
    let on = if point.batch == 1 { "one at a time".into() } else { format!("on {} lanes", point.batch) };
    let (op, bytes) = (point.op.name(), point.bytes);
    let keys = if point.keys > 1 { format!(" under {} keys", point.keys) } else { String::new() };
    match point.axis {
        Axis::Single => op.into(),
        Axis::Length => format!("{op} {bytes} B{keys}"),
        Axis::Ad => format!("{op} {bytes} B with {} B of data", point.ad),
        Axis::Keys => format!("{op} {bytes} B under {} keys", point.keys),
        Axis::Batch if point.messages.is_some() => format!("{op} the realistic mix, {} together{keys}", point.batch),
        Axis::Batch => format!("{op} {bytes} B, {} together{keys}", point.batch),
        Axis::Comb if point.messages.is_some() => format!("{op} the realistic mix {on}{keys}"),
        Axis::Comb => format!("{op} {bytes} B {on}{keys}"),
        Axis::Cold => format!("{op} {bytes} B from memory, {} together, {} keys", point.batch, point.keys),
        Axis::Column => format!("{op} a column of {bytes} B values{keys}"),
        Axis::Mix => format!("{op} the realistic mix{keys}"),
        Axis::Traffic => format!("{op} the traffic"),
    }
}

#[cfg(test)]
mod tests;
