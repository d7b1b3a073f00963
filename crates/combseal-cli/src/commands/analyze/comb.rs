//! `combseal analyze comb`: the comb's windows for a list of lengths, as Bogdanov, Lauridsen and
//! Tischhauser draw them (2014, Fig. 1), from the scheduler that seals the library's batches.

use crate::commands::columns;
use combseal::comb::{Plan, Window, windows};
use std::io::{self, Write};

/// Characters of the longest message in a drawing.
const WIDTH: usize = 72;

/// Prints the windows of messages of these lengths, `lanes` side by side, and draws them.
///
/// # Errors
/// When `out` cannot be written.
pub(super) fn run(lengths: &[u64], lanes: usize, out: &mut impl Write) -> io::Result<()> {
    let blocks = |i: u32| lengths[i as usize] as usize;
    let mut plan = Plan::new();
    plan.make(lengths.len(), lanes, |i| lengths[i] as usize);
    let longest = lengths.iter().copied().max().unwrap_or(0).max(1);
    for (number, group) in plan.groups().enumerate() {
        let all: Vec<Window> = windows(group.len(), |i| blocks(group[i])).collect();
        if number > 0 {
            writeln!(out)?;
        }
        let names: Vec<String> = all.iter().map(|w| format!("({}, {})", w.width, w.blocks)).collect();
        let list = if names.is_empty() { "none: all are empty".into() } else { names.join(", ") };
        writeln!(out, "Group {}, windows (P[w], B[w]): {list}", number + 1)?;
        writeln!(out)?;
        let rows: Vec<[String; 3]> = group
            .iter()
            .enumerate()
            .map(|(place, &i)| {
                let drawn = drawing(place, &all, longest);
                [format!("m{}", i + 1), format!("{}", blocks(i)), drawn]
            })
            .collect();
        columns(out, &rows)?;
    }
    let shape = plan.shape(|i| lengths[i] as usize);
    writeln!(
        out,
        "\n{} messages of {} blocks in {} steps: {:.2} blocks a step, of {lanes} lanes",
        lengths.len(),
        shape.blocks,
        shape.steps,
        shape.mean_width()
    )
}

/// A message's blocks, each window with the letter of its number; every window of its own has one.
fn drawing(place: usize, all: &[Window], longest: u64) -> String {
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

    fn said(lengths: &[u64], lanes: usize) -> String {
        let mut out = Vec::new();
        run(lengths, lanes, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn figure_1_of_2014() {
        let text = said(&[94, 5, 5, 5, 85, 94, 94], 7);
        assert!(text.contains("(7, 5), (4, 80), (3, 9)"), "{text}");
        let of = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_string();
        assert!(of("m1").ends_with('c') && of("m5").ends_with('b') && of("m2").ends_with('a'), "{text}");
        assert!(text.contains("382 blocks in 94 steps: 4.06 blocks a step"), "{text}");
    }

    #[test]
    fn odd_lists() {
        assert!(said(&[0, 0], 7).contains("none: all are empty"));
        assert_eq!(said(&[1, 2, 3], 2).matches("Group").count(), 2);
        for line in said(&[1, 1_000_000, u64::from(u32::MAX)], 16).lines() {
            assert!(line.chars().count() <= 120, "{line}");
        }
    }
}
