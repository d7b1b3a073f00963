//! Just enough of SVG for the programme's figures: axes, lines, and clouds of so many samples that
//! each is drawn as the pixels it covers. (The report's figures draw a circle a sample, which is
//! 60 bytes; here a system has fifty thousand.)

use std::collections::BTreeSet;
use std::fmt::Write;

const INK: &str = "#1d1c1a";
const SOFT: &str = "#625e55";
const RULE: &str = "#dcd8cc";

/// A scale: from a value to a place between two edges.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    from: f64,
    to: f64,
    edges: (f64, f64),
    is_log: bool,
}

impl Scale {
    /// Even steps.
    pub fn linear(from: f64, to: f64, edges: (f64, f64)) -> Self {
        Self { from, to: to.max(from + 1e-9), edges, is_log: false }
    }

    /// Even ratios; `from` is more than 0.
    pub fn log(from: f64, to: f64, edges: (f64, f64)) -> Self {
        let from = from.max(1e-9);
        Self { from, to: to.max(from * 1.001), edges, is_log: true }
    }

    /// Where a value is.
    pub fn at(&self, value: f64) -> f64 {
        let part = if self.is_log {
            (value.max(1e-9) / self.from).ln() / (self.to / self.from).ln()
        } else {
            (value - self.from) / (self.to - self.from)
        };
        self.edges.0 + part * (self.edges.1 - self.edges.0)
    }

    /// Round values for marks: powers of two along a log scale of `base` 2, of ten with twos and
    /// fives along another; multiples of a round step along a linear one.
    fn marks(&self, base_two: bool) -> Vec<f64> {
        let inside = |value: &f64| (self.from * 0.999..=self.to * 1.001).contains(value);
        if self.is_log && base_two {
            return (0..40).map(|power| 2f64.powi(power)).filter(inside).collect();
        }
        if self.is_log {
            let decades = (0..12).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
            return decades.filter(inside).collect();
        }
        let step = round_up((self.to - self.from) / 6.0);
        (0..).map(|i| self.from + f64::from(i) * step).take_while(|value| *value <= self.to * 1.001).collect()
    }
}

/// The next number of one digit, 1, 2 or 5.
pub(super) fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.max(1e-9).log10().floor());
    let digits = [1.0, 2.0, 5.0, 10.0];
    digits.into_iter().map(|digit| digit * power).find(|round| *round >= value * 0.9999).unwrap_or(value)
}

/// A drawing under way.
pub(super) struct Svg {
    text: String,
}

impl Svg {
    /// An empty one with a title, on white.
    pub fn new((width, height): (u32, u32), title: &str) -> Self {
        let title = escaped(title);
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
             font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\" font-size=\"12\"><title>{title}</title>\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
        );
        Self { text }
    }

    /// The whole drawing.
    pub fn done(mut self) -> String {
        self.text += "</svg>\n";
        self.text
    }

    /// Words at a place: where on them it lies is `start`, `middle` or `end`.
    pub fn words(&mut self, (x, y): (f64, f64), anchor: &str, colour: &str, words: &str) {
        let words = escaped(words);
        let _ = write!(
            self.text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{words}</text>"
        );
    }

    /// A heading.
    pub fn heading(&mut self, (x, y): (f64, f64), words: &str) {
        let words = escaped(words);
        let _ = write!(
            self.text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"15\" font-weight=\"600\" fill=\"{INK}\">{words}</text>"
        );
    }

    /// A line through places.
    pub fn line(&mut self, places: impl IntoIterator<Item = (f64, f64)>, colour: &str, width: f64) {
        let mut path = String::new();
        for (i, (x, y)) in places.into_iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if i == 0 { "M" } else { "L" });
        }
        let _ = write!(
            self.text,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"/>"
        );
    }

    /// A cloud: every pixel in which a sample lies, those above one another as one stroke.
    pub fn cloud(&mut self, places: impl Iterator<Item = (f64, f64)>, colour: &str) {
        let pixels: BTreeSet<(i64, i64)> = places.map(|(x, y)| (x.floor() as i64, y.floor() as i64)).collect();
        let mut path = String::new();
        let mut run: Option<(i64, i64, i64)> = None;
        let mut stroke = |run: Option<(i64, i64, i64)>| {
            if let Some((x, from, to)) = run {
                let _ = write!(path, "M{x} {from}v{}", to - from + 1);
            }
        };
        for (x, y) in pixels {
            run = match run {
                Some((column, from, to)) if column == x && to + 1 == y => Some((column, from, y)),
                before => {
                    stroke(before);
                    Some((x, y, y))
                }
            };
        }
        stroke(run);
        let _ = write!(
            self.text,
            "<path class=\"cloud\" transform=\"translate(.5)\" d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-opacity=\".5\"/>"
        );
    }

    /// The axes with their marks and names. Up and down, powers of ten; along, powers of two if it is
    /// a log scale.
    pub fn axes(&mut self, x: &Scale, y: &Scale, names: [&str; 2]) {
        let ((left, right), (bottom, top)) = (x.edges, y.edges);
        for mark in y.marks(false) {
            let at = y.at(mark);
            self.line([(left, at), (right, at)], RULE, 1.0);
            self.words((left - 6.0, at + 4.0), "end", SOFT, &plain(mark));
        }
        for mark in x.marks(true) {
            let at = x.at(mark);
            self.line([(at, bottom), (at, bottom + 4.0)], SOFT, 1.0);
            self.words((at, bottom + 17.0), "middle", SOFT, &plain(mark));
        }
        self.line([(left, top), (left, bottom), (right, bottom)], SOFT, 1.0);
        self.words(((left + right) / 2.0, bottom + 34.0), "middle", SOFT, names[0]);
        self.words((left, top - 8.0), "start", SOFT, names[1]);
    }
}

/// A number without needless digits.
fn plain(value: f64) -> String {
    if value >= 10.0 || value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// Text between tags.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// One of many colours that stand out on white and from their neighbours.
pub(super) fn colour(index: usize) -> String {
    // Golden-ratio steps round the circle of hues, in three shades by turns.
    let hue = (index as f64 * 0.618_034).fract() * 6.0;
    let (dark, vivid) = [(0.30, 0.62), (0.42, 0.75), (0.22, 0.5)][index % 3];
    let chroma = vivid * (1.0 - (2.0 * dark - 1f64).abs());
    let other = chroma * (1.0 - (hue % 2.0 - 1.0).abs());
    let [red, green, blue] = match hue as u32 {
        0 => [chroma, other, 0.0],
        1 => [other, chroma, 0.0],
        2 => [0.0, chroma, other],
        3 => [0.0, other, chroma],
        4 => [other, 0.0, chroma],
        _ => [chroma, 0.0, other],
    };
    let part = |value: f64| ((value + dark - chroma / 2.0) * 255.0).round().clamp(0.0, 255.0) as u8;
    format!("#{:02x}{:02x}{:02x}", part(red), part(green), part(blue))
}

/// Names beside the right ends of lines: as near as they fit, at least a line apart. Gives where each
/// goes, in the order given.
pub(super) fn apart(wanted: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let gap = 13f64.min((bottom - top) / wanted.len().saturating_sub(1).max(1) as f64);
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    // Less their lines' heights, places must not fall: those that would go to their mean together
    // (the pool-adjacent-violators algorithm).
    let mut pools: Vec<(f64, usize)> = Vec::new();
    let mean = |pool: &(f64, usize)| pool.0 / pool.1 as f64;
    for (i, &one) in order.iter().enumerate() {
        pools.push((wanted[one] - i as f64 * gap, 1));
        while let [.., before, last] = &pools[..]
            && mean(last) < mean(before)
        {
            let both = (before.0 + last.0, before.1 + last.1);
            pools.truncate(pools.len() - 2);
            pools.push(both);
        }
    }
    let most = (bottom - wanted.len().saturating_sub(1) as f64 * gap).max(top);
    let shared = pools.iter().flat_map(|pool| std::iter::repeat_n(mean(pool).clamp(top, most), pool.1));
    let mut places = vec![0.0; wanted.len()];
    for ((i, &one), place) in order.iter().enumerate().zip(shared) {
        places[one] = place + i as f64 * gap;
    }
    places
}
