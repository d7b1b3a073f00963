//! The rows as a table and as an SVG file, in colours that can be read on white and on black.

use std::fmt::Write;

/// One implementation.
pub struct Row {
    /// What it is an implementation of.
    pub scheme: String,
    /// Whose.
    pub name: String,
    /// Whether it is this library's.
    pub ours: bool,
    /// Nanoseconds to seal a packet; milliseconds to open the records.
    pub values: [f64; 2],
}

/// What the two values are.
const TITLES: [&str; 2] = ["Seal a packet of 1,500 bytes, ns", "Open a million records of 64 bytes, ms"];

/// The rows as a table in Markdown.
pub fn table(rows: &[Row]) -> String {
    let mut out = format!("| | | {} | {} |\n|---|---|---:|---:|\n", TITLES[0], TITLES[1]);
    for row in rows {
        let bold = if row.ours { "**" } else { "" };
        let [a, b] = row.values.map(number);
        let _ = writeln!(out, "| {} | {} | {bold}{a}{bold} | {bold}{b}{bold} |", row.scheme, row.name);
    }
    out
}

/// Three digits at least.
fn number(value: f64) -> String {
    if value < 100.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}

const WIDTH: usize = 920;
/// Where the names end, and where each panel's bars begin.
const NAMES: usize = 246;
const PANELS: [usize; 2] = [258, 596];
/// The longest bar; its number stands behind it.
const LONGEST: f64 = 260.0;
/// Of a bar that is too long for the scale: where it is broken, from its end, and how far.
const BREAK: [f64; 2] = [24.0, 4.0];
const ROW: usize = 20;

/// The rows as a chart: two panels of bars, a group a scheme. The slowest bar but one has the full length, and the
/// slowest is broken: one outlier would make all others too short to be compared.
pub fn svg(rows: &[Row]) -> String {
    let mut body = String::new();
    let mut y = 34;
    let most = [0, 1].map(|i| {
        let mut all: Vec<f64> = rows.iter().map(|row| row.values[i]).collect();
        all.sort_by(f64::total_cmp);
        all[all.len().saturating_sub(2)]
    });
    for (title, x) in TITLES.iter().zip(PANELS) {
        let _ = writeln!(body, r#"<text class="title" x="{x}" y="18">{title}</text>"#);
    }
    for group in rows.chunk_by(|a, b| a.scheme == b.scheme) {
        y += 6;
        let _ = writeln!(body, r#"<text class="scheme" x="8" y="{}">{}</text>"#, y + 13, group[0].scheme);
        y += ROW;
        for row in group {
            let class = if row.ours { "ours" } else { "theirs" };
            let _ = writeln!(body, r#"<text class="name {class}" x="{NAMES}" y="{}">{}</text>"#, y + 13, row.name);
            for ((value, most), x) in row.values.iter().zip(&most).zip(PANELS) {
                let (x, length) = (x as f64, (value / most * LONGEST).clamp(1.0, LONGEST));
                let mut bar = |from: f64, to: f64| {
                    let (x, y, width) = (x + from, y + 3, to - from);
                    let _ = writeln!(
                        body,
                        r#"<rect class="{class}" x="{x:.1}" y="{y}" width="{width:.1}" height="12" rx="2"/>"#
                    );
                };
                if value > most {
                    let end = length - BREAK[0];
                    bar(0.0, end);
                    bar(end + BREAK[1], length);
                } else {
                    bar(0.0, length);
                }
                let (x, y, number) = (x + length + 6.0, y + 13, number(*value));
                let _ = writeln!(body, r#"<text class="value {class}" x="{x:.1}" y="{y}">{number}</text>"#);
            }
            y += ROW;
        }
    }
    let height = y + 10;
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">
<title>Sealing a packet and opening a million records, by library</title>
<desc>Bars: shorter is faster; a broken one is longer than it is drawn. One core, one interleaved run.</desc>
<style>
text {{ font: 12px system-ui, sans-serif; fill: #57606a }}
.title, .scheme {{ font-weight: 600; fill: #24292f }}
.name {{ text-anchor: end }}
text.ours {{ fill: #0a5fb4; font-weight: 600 }}
rect.ours {{ fill: #0a69c9 }}
rect.theirs {{ fill: #afb8c1 }}
@media (prefers-color-scheme: dark) {{
text {{ fill: #9ea7b3 }}
.title, .scheme {{ fill: #e6edf3 }}
text.ours {{ fill: #6cb2ff }}
rect.ours {{ fill: #4c9df3 }}
rect.theirs {{ fill: #545d68 }}
}}
</style>
{body}</svg>
"#
    )
}
