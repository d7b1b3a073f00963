//! The comb's windows for a list of lengths, as Bogdanov, Lauridsen and Tischhauser draw them (2014, Fig.
//! 1), from the scheduler that seals the library's batches.

use combseal::comb::{Plan, Window, windows};
use std::fmt::Write;

/// The lengths of the paper's Fig. 1, in blocks, and its windows: how many messages, and how many blocks
/// of each.
pub const FIGURE_1: ([u64; 7], [(usize, usize); 3]) = ([94, 5, 5, 5, 85, 94, 94], [(7, 5), (4, 80), (3, 9)]);

/// Characters of the longest message in a drawing.
const WIDTH: usize = 72;

/// The windows of messages of these lengths in blocks, `lanes` side by side: group after group, each
/// (`P[w]`, `B[w]`).
pub fn windows_of(lengths: &[u64], lanes: usize) -> Vec<Vec<(usize, usize)>> {
    let of = |group: &[u32]| windows_in(lengths, group).iter().map(|w| (w.width, w.blocks)).collect();
    planned(lengths, lanes).groups().map(of).collect()
}

/// The windows and a drawing of them, each message a line with a letter for each window, and how full the
/// lanes are.
pub fn drawn(lengths: &[u64], lanes: usize) -> String {
    let plan = planned(lengths, lanes);
    let longest = lengths.iter().copied().max().unwrap_or(0).max(1);
    let mut text = String::new();
    for (number, group) in plan.groups().enumerate() {
        let all = windows_in(lengths, group);
        if number > 0 {
            text.push('\n');
        }
        let names: Vec<String> = all.iter().map(|w| format!("({}, {})", w.width, w.blocks)).collect();
        let list = if names.is_empty() { "none: all are empty".into() } else { names.join(", ") };
        let _ = writeln!(text, "Group {}, windows (P[w], B[w]): {list}\n", number + 1);
        let rows: Vec<[String; 3]> = group
            .iter()
            .enumerate()
            .map(|(place, &i)| [format!("m{}", i + 1), lengths[i as usize].to_string(), message(place, &all, longest)])
            .collect();
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let (first, second) = (width(0), width(1));
        for [name, blocks, bar] in &rows {
            let _ = writeln!(text, "{}", format!("{name:<first$}  {blocks:>second$}  {bar}").trim_end());
        }
    }
    let _ = writeln!(text, "\n{}", summary(lengths, &plan, lanes));
    text
}

/// How full the lanes are.
pub(super) fn summary(lengths: &[u64], plan: &Plan, lanes: usize) -> String {
    let shape = plan.shape(|i| lengths[i] as usize);
    format!(
        "{} messages of {} blocks in {} steps: {:.2} blocks a step, of {lanes} lanes",
        lengths.len(),
        shape.blocks,
        shape.steps,
        shape.mean_width()
    )
}

/// What the scheduler makes of the lengths.
pub(super) fn planned(lengths: &[u64], lanes: usize) -> Plan {
    let mut plan = Plan::new();
    plan.make(lengths.len(), lanes, |i| lengths[i] as usize);
    plan
}

/// The windows of one group.
pub(super) fn windows_in(lengths: &[u64], group: &[u32]) -> Vec<Window> {
    windows(group.len(), |i| lengths[group[i] as usize] as usize).collect()
}

/// A message's blocks, each window with the letter of its number; every window of its own has one.
fn message(place: usize, all: &[Window], longest: u64) -> String {
    let column = |blocks: usize| ((blocks as u128 * WIDTH as u128).div_ceil(u128::from(longest))) as usize;
    let (mut text, mut done) = (String::new(), 0);
    for (w, window) in all.iter().enumerate().filter(|(_, window)| place < window.width) {
        let letter = char::from(b'a' + (w % 26) as u8);
        done += window.blocks;
        let wanted = column(done).max(text.len() + 1);
        text.extend(std::iter::repeat_n(letter, wanted - text.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_1_of_2014() {
        let (lengths, printed) = FIGURE_1;
        assert_eq!(windows_of(&lengths, 7), [printed]);
        let text = drawn(&lengths, 7);
        assert!(text.contains("(7, 5), (4, 80), (3, 9)"), "{text}");
        let of = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_string();
        assert!(of("m1").ends_with('c') && of("m5").ends_with('b') && of("m2").ends_with('a'), "{text}");
        assert!(text.contains("382 blocks in 94 steps: 4.06 blocks a step"), "{text}");
    }

    #[test]
    fn odd_lists() {
        assert!(drawn(&[0, 0], 7).contains("none: all are empty"));
        assert_eq!(drawn(&[1, 2, 3], 2).matches("Group").count(), 2);
        for line in drawn(&[1, 1_000_000, u64::from(u32::MAX)], 16).lines() {
            assert!(line.chars().count() <= 120, "{line}");
        }
    }
}
