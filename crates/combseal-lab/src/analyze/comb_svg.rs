//! The comb's windows as an SVG: a bar a message, a colour a window, as in Fig. 1 of Bogdanov, Lauridsen and
//! Tischhauser (2014). The page and the file beside it show the same drawing.

use super::comb::{planned, summary, windows_in};
use std::fmt::Write;

/// The drawing's width, where bars begin and end, and what a row and a line of text take.
const WIDTH: usize = 960;
const BARS: (f64, f64) = (104.0, 946.0);
const ROW: usize = 22;
const LINE: usize = 24;
/// Names of windows in a line, and what each takes.
const NAMES: usize = 10;
const NAME: usize = 84;

/// On white and on black; windows beyond them begin anew.
const COLOURS: [&str; 6] = ["#3b78c4", "#d9772c", "#2c9c79", "#b3559a", "#a2812f", "#7a64c9"];
const INK: &str = "#1d1c1a";
const SOFT: &str = "#625e55";

/// A text at a place of the drawing.
fn text(svg: &mut String, (x, y): (usize, usize), size: u32, ink: &str, text: &str) {
    let _ = write!(svg, r#"<text x="{x}" y="{y}" font-size="{size}" fill="{ink}">{text}</text>"#);
}

/// A rectangle from `x` to `to`, `ROW` less a gap high.
fn bar(svg: &mut String, (x, to): (f64, f64), y: usize, colour: &str, told: &str) {
    let (width, height) = ((to - x).max(1.0) - 0.5, ROW - 5);
    let _ = write!(
        svg,
        r#"<rect x="{x:.1}" y="{y}" width="{width:.1}" height="{height}" fill="{colour}"><title>{told}</title></rect>"#
    );
}

/// The windows of messages of these lengths in blocks, `lanes` side by side, and how full the lanes are.
pub fn svg(lengths: &[u64], lanes: usize) -> String {
    let plan = planned(lengths, lanes);
    let longest = lengths.iter().copied().max().unwrap_or(0).max(1);
    let place = |blocks: usize| BARS.0 + (BARS.1 - BARS.0) * blocks as f64 / longest as f64;
    let groups = plan.groups().count();
    let (mut body, mut y) = (String::new(), 14);
    for (number, group) in plan.groups().enumerate() {
        let windows = windows_in(lengths, group);
        y += LINE;
        let which = if groups > 1 { format!("Group {}", number + 1) } else { "Windows".into() };
        text(&mut body, (14, y - 6), 14, INK, &format!("{which}, (P[w], B[w])"));
        for (w, window) in windows.iter().enumerate() {
            if w % NAMES == 0 {
                y += LINE;
            }
            let x = 14 + NAME * (w % NAMES);
            let _ = write!(
                body,
                r#"<rect x="{x}" y="{}" width="12" height="12" fill="{}"/>"#,
                y - 17,
                COLOURS[w % COLOURS.len()]
            );
            text(&mut body, (x + 17, y - 6), 13, INK, &format!("({}, {})", window.width, window.blocks));
        }
        y += 6;
        for (row, &i) in group.iter().enumerate() {
            text(&mut body, (14, y + 13), 13, INK, &format!("m{}", i + 1));
            text(&mut body, (52, y + 13), 13, SOFT, &lengths[i as usize].to_string());
            let mut done = 0;
            for (w, window) in windows.iter().enumerate().filter(|(_, window)| row < window.width) {
                let ends = (place(done), place(done + window.blocks));
                let told = format!("({}, {}): {} blocks of m{}", window.width, window.blocks, window.blocks, i + 1);
                bar(&mut body, ends, y, COLOURS[w % COLOURS.len()], &told);
                done += window.blocks;
            }
            y += ROW;
        }
        y += 8;
    }
    text(&mut body, (14, y + 14), 13, SOFT, &summary(lengths, &plan, lanes));
    let height = y + 28;
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" font-family="system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"><title>The comb’s windows</title><rect width="{WIDTH}" height="{height}" fill="#ffffff"/>{body}</svg>
"##
    )
}

#[cfg(test)]
mod tests {
    use super::super::comb::FIGURE_1;
    use super::*;

    /// A bar for each window that a message walks in, as long as its blocks.
    #[test]
    fn figure_1_of_2014() {
        let drawing = svg(&FIGURE_1.0, 7);
        for name in ["(7, 5)", "(4, 80)", "(3, 9)"] {
            assert!(drawing.contains(&format!(">{name}</text>")), "{name}");
        }
        let bars = |window: &str| drawing.matches(&format!("<title>{window}:")).count();
        assert_eq!([bars("(7, 5)"), bars("(4, 80)"), bars("(3, 9)")], [7, 4, 3]);
        let whole = BARS.1 - BARS.0;
        let wide = format!(r#"width="{:.1}""#, whole * 80.0 / 94.0 - 0.5);
        assert_eq!(drawing.matches(&wide).count(), 4, "{wide}");
        assert!(drawing.contains("382 blocks in 94 steps"));
    }

    #[test]
    fn odd_lists() {
        for lengths in [&[0, 0][..], &[1, 1_000_000, u64::from(u32::MAX)], &[1; 40]] {
            let drawing = svg(lengths, 16);
            assert!(drawing.starts_with("<svg") && drawing.trim_end().ends_with("</svg>"));
            assert!(!drawing.contains("NaN") && !drawing.contains("inf") && !drawing.contains(r#"width="-"#));
        }
        assert!(svg(&[1, 2, 3], 2).contains("Group 2"));
    }
}
