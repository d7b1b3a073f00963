//! The bound of Theorem 1 on OCB (Krovetz and Rogaway 2021) as curves: what an adversary gains at most, beyond
//! breaking the AES, from so many bytes under one key, and from so many attempts to forge.

use crate::answers::bounds::{Use, bound};
use crate::report::figure::{By, Figure, Series, Style, View};
use crate::report::figures::scale;
use crate::report::palette::{self, Colour};
use combseal::Algorithm;

/// Lengths of messages, a line each, and how they are called. Longer ones would lie on the last line.
const LENGTHS: [(u64, &str); 3] =
    [(16, "messages of 16 bytes"), (64, "messages of 64 bytes"), (1500, "messages of 1,500 bytes")];
/// Bits in tags.
const TAGS: [(u32, &str); 3] = [(64, "tags of 64 bits"), (96, "tags of 96 bits"), (128, "tags of 128 bits")];
/// The blocks after which RFC 7253 wants a new key: 2^48, which the paper repeats.
const RFC: (f64, &str) = (48.0, "RFC 7253: at most 2^48 blocks");
const COLOURS: [Colour; 3] = [["#0b4f9e", "#7db7ff"], ["#00785a", "#38c99b"], ["#c8500a", "#ff9a52"]];

fn line(name: &str, colour: Colour, style: Style, at: impl Iterator<Item = (f64, f64)>) -> Series {
    let (x, y) = at.unzip();
    Series {
        scheme: name.into(),
        implementation: "Theorem 1".into(),
        op: "bound".into(),
        colours: [colour; 3],
        style,
        x,
        y,
        low: Vec::new(),
        high: Vec::new(),
        doubtful: Vec::new(),
        dots: Vec::new(),
    }
}

/// A use of a key, sealing alone.
fn sealing(message_bytes: u64, messages: f64) -> Use {
    Use { message_bytes, ad_bytes: 0, messages, attempts: 0.0, tag_bits: 128 }
}

/// The gain from bytes sealed under one key: the term 6 (σ + 2q)² / 2^128.
pub fn messages(after: &str) -> Figure {
    let advantage =
        |length: u64, bytes: f64| bound(Algorithm::Ocb3Aes128, &sealing(length, bytes / length as f64)).advantage();
    let mut series: Vec<Series> = LENGTHS
        .into_iter()
        .zip(COLOURS)
        .map(|((length, name), colour)| {
            // From one message on.
            let from = (length as f64).log2().ceil().max(20.0) as i32;
            let places = (from..=68).map(|k| f64::from(k).exp2());
            line(name, colour, Style::Line, places.map(|bytes| (bytes, advantage(length, bytes))))
        })
        .collect();
    let bytes = (RFC.0 + 4.0).exp2();
    // Its name stands where it ends: below the curves, and clear of the axis.
    let least = series[LENGTHS.len() - 1].y[0];
    let ends = [1.0, least, least * 10f64.exp2()];
    series.push(line(RFC.1, palette::GREY, Style::Dotted, ends.into_iter().map(|y| (bytes, y))));
    Figure {
        id: "2021-theorem1-messages".into(),
        title: "Theorem 1: what sealing under one key gives away, at most".into(),
        after: after.into(),
        note: "Computed: 6 (σ + 2q)² / 2^128 for q messages of σ blocks in all, beyond what breaking the AES itself would give; at 1 the theorem says nothing any more. Short messages cost more for their bytes, since each adds two blocks; those longer than 1,500 bytes lie on the line of these, within a tenth.".into(),
        x: scale("bytes under one key", true),
        y: scale("advantage, at most", true),
        from: None,
        views: vec![View { name: "by length".into(), by: By::Scheme, series: (0..series.len()).collect(), hidden: Vec::new() }],
        series,
    }
}

/// The gain from attempts to forge: the term 1.1 q_d / 2^τ.
pub fn forgeries(after: &str) -> Figure {
    let series: Vec<Series> = TAGS
        .into_iter()
        .zip(COLOURS)
        .map(|((tag_bits, name), colour)| {
            let gain = |attempts: f64| {
                let tried = Use { attempts, tag_bits, ..sealing(0, 0.0) };
                let terms = bound(Algorithm::Ocb3Aes128, &tried).terms;
                terms
                    .iter()
                    .filter(|term| term.formula.contains("q_d"))
                    .map(|term| term.advantage)
                    .sum::<f64>()
                    .min(1.0)
            };
            line(name, colour, Style::Line, (0..=64).map(|k| f64::from(k).exp2()).map(|tried| (tried, gain(tried))))
        })
        .collect();
    Figure {
        id: "2021-theorem1-forgeries".into(),
        title: "Theorem 1: what attempts to forge give, at most".into(),
        after: after.into(),
        note: "Computed: the theorem’s second term, 1.1 q / 2^τ for q attempts against tags of τ bits. It is added to the first.".into(),
        x: scale("attempts to forge", true),
        y: scale("advantage, at most", true),
        from: None,
        views: vec![View { name: "by tag".into(), by: By::Scheme, series: (0..series.len()).collect(), hidden: Vec::new() }],
        series,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_theorems_values() {
        let figure = messages("");
        let sixteen = &figure.series[0];
        let at = sixteen.x.iter().position(|x| *x == 40f64.exp2()).unwrap();
        // 2^36 messages of a block: 6 (3 · 2^36)² / 2^128 = 54 / 2^56.
        assert!((sixteen.y[at] / (54.0 / 56f64.exp2()) - 1.0).abs() < 1e-9);
        assert!(figure.series[2].y[at] < sixteen.y[at] / 8.5, "long messages count their blocks once");
        for s in figure.series.iter().filter(|s| s.style == Style::Line) {
            assert!(s.y.is_sorted() && s.y.iter().all(|y| (0.0..=1.0).contains(y)));
        }
        let forging = forgeries("");
        let at = forging.series[0].x.iter().position(|x| *x == 32f64.exp2()).unwrap();
        assert!((forging.series[0].y[at] / (1.1 / 32f64.exp2()) - 1.0).abs() < 1e-9);
    }
}
