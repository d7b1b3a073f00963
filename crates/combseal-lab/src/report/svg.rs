//! The figures as SVG files, on white, for READMEs and papers. A file cannot be switched, so each
//! shows its figure's first view.

use super::error::Error;
use super::figure::{Bars, Figure, Heat, Series, Style};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;
use std::ops::Range;

const SIZE: (u32, u32) = (960, 540);
const FONT: &str = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif";
const INK: RGBColor = RGBColor(0x1d, 0x1c, 0x1a);
const SOFT: RGBColor = RGBColor(0x62, 0x5e, 0x55);
const RULE: RGBColor = RGBColor(0xdc, 0xd8, 0xcc);
/// Dots of one series in a file: more make it slow to open. Evenly chosen; the CSV has all.
const DOTS: usize = 4000;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Names of a figure whose drawing failed.
type Drawn = Result<(), String>;

fn drawn(size: (u32, u32), title: &str, draw: impl FnOnce(&Area) -> Drawn) -> Result<String, Error> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let done = area
            .fill(&WHITE)
            .map_err(|e| e.to_string())
            .and_then(|()| {
                area.draw(&Text::new(
                    title.to_string(),
                    (14, 12),
                    (FONT, 19).into_font().style(FontStyle::Bold).color(&INK),
                ))
                .map_err(|e| e.to_string())
            })
            .and_then(|()| draw(&area))
            .and_then(|()| area.present().map_err(|e| e.to_string()));
        done.map_err(|e| Error::Draw(format!("“{title}”: {e}")))?;
    }
    Ok(text)
}

fn colour(hex: &str) -> RGBColor {
    let part = |at: usize| u8::from_str_radix(hex.get(at..at + 2).unwrap_or("00"), 16).unwrap_or(0);
    RGBColor(part(1), part(3), part(5))
}

/// The figure's first view.
///
/// # Errors
/// If there is nothing to draw in it.
pub fn figure(figure: &Figure) -> Result<String, Error> {
    let view = figure.views.first().ok_or_else(|| Error::Draw(format!("“{}”: no view", figure.title)))?;
    let chosen = view.series.iter().filter(|i| !view.hidden.contains(i)).map(|&i| &figure.series[i]);
    let framed: Vec<Series> = chosen.map(|s| framed(s, figure.from.filter(|_| !figure.y.log))).collect();
    let shown: Vec<&Series> = framed.iter().collect();
    let fits = |v: f64, log: bool| v.is_finite() && (!log || v > 0.0);
    let range = |of: fn(&Series) -> &Vec<f64>, log: bool| -> Range<f64> {
        let all = || shown.iter().flat_map(|s| of(s)).copied().filter(|v| fits(*v, log));
        let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        match (low.is_finite(), log) {
            (false, _) => 1.0..2.0,
            (_, true) => low / 1.1..(high * 1.1).max(low * 2.0),
            (_, false) => low.min(0.0)..(high + (high - low) * 0.05).max(low + 1e-9),
        }
    };
    let (x, y) = (range(|s| &s.x, figure.x.log), range(|s| &s.y, figure.y.log));
    let base = if in_powers(figure) { 2.0 } else { 10.0 };
    let title = if figure.views.len() > 1 { format!("{} ({})", figure.title, view.name) } else { figure.title.clone() };
    drawn(SIZE, &title, |area| match (figure.x.log, figure.y.log) {
        (false, false) => lines(area, figure, &shown, x, y),
        (true, false) => lines(area, figure, &shown, x.log_scale().base(2.0), y),
        (false, true) => lines(area, figure, &shown, x, y.log_scale().base(base)),
        (true, true) => lines(area, figure, &shown, x.log_scale().base(2.0), y.log_scale().base(base)),
    })
}

/// A probability is a power of two, as the text beside it has it.
fn in_powers(figure: &Figure) -> bool {
    figure.y.log && figure.y.name.starts_with("advantage")
}

/// The series from some place on.
fn framed(s: &Series, from: Option<f64>) -> Series {
    let mut s = s.clone();
    if let Some(from) = from {
        let places = s.x.iter().zip(&s.y).filter(|(x, _)| **x >= from).map(|(x, y)| (*x, *y));
        (s.x, s.y) = places.unzip();
    }
    s
}

fn lines<X, Y>(area: &Area, figure: &Figure, shown: &[&Series], x: X, y: Y) -> Drawn
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let (view, powers) = (&figure.views[0], in_powers(figure));
    let failed = |e: DrawingAreaErrorKind<_>| format!("{e:?}");
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .margin_top(42)
        .margin_right(230)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(x, y)
        .map_err(failed)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RULE)
        .axis_style(SOFT)
        .x_desc(&figure.x.name)
        .y_desc(&figure.y.name)
        .x_label_formatter(&|v| plain(*v))
        .y_label_formatter(&|v| if powers { format!("2^{:.0}", v.log2()) } else { plain(*v) })
        .label_style((FONT, 13).into_font().color(&SOFT))
        .axis_desc_style((FONT, 14).into_font().color(&SOFT))
        .draw()
        .map_err(failed)?;
    for s in shown {
        let ink = colour(s.colour(view.by)[0]);
        let places = || {
            s.x.iter()
                .copied()
                .zip(s.y.iter().copied())
                .filter(|(x, y)| (!figure.x.log || *x > 0.0) && (!figure.y.log || *y > 0.0))
        };
        match s.style {
            Style::Dots => {
                let step = s.x.len().div_ceil(DOTS).max(1);
                chart.draw_series(places().step_by(step).map(|at| Circle::new(at, 1, ink.filled()))).map_err(failed)?;
            }
            Style::Dashed => {
                chart.draw_series(DashedLineSeries::new(places(), 8, 5, ink.stroke_width(2))).map_err(failed)?;
            }
            Style::Dotted => {
                chart.draw_series(DashedLineSeries::new(places(), 2, 4, ink.stroke_width(2))).map_err(failed)?;
            }
            Style::Line | Style::Area => {
                chart.draw_series(LineSeries::new(places(), ink.stroke_width(2))).map_err(failed)?;
            }
        }
    }
    key(area, figure, shown)
}

/// The names beside the figure, those of the highest right ends first.
fn key(area: &Area, figure: &Figure, shown: &[&Series]) -> Drawn {
    let by = figure.views[0].by;
    let mut sorted = shown.to_vec();
    let end = |s: &Series| s.y.last().copied().unwrap_or(0.0);
    sorted.sort_by(|a, b| end(b).total_cmp(&end(a)));
    for (i, s) in sorted.iter().enumerate() {
        let (x, y) = (SIZE.0 as i32 - 220, 52 + 22 * i as i32);
        let ink = colour(s.colour(by)[0]).stroke_width(3);
        area.draw(&PathElement::new([(x, y + 7), (x + 18, y + 7)], ink)).map_err(|e| e.to_string())?;
        let name = clipped(s.label(by), 27);
        area.draw(&Text::new(name, (x + 26, y), (FONT, 14).into_font().color(&INK))).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// The first screen's bars.
///
/// # Errors
/// If it cannot be drawn.
pub fn bars(b: &Bars) -> Result<String, Error> {
    let row = 34;
    let note = lines_of(&b.note, 140);
    let height = 78 + row * b.bars.len() as i32 + 18 * note.len() as i32;
    drawn((SIZE.0, height as u32), &format!("{}: {}", b.title, b.unit), |area| {
        let put = |text: String, at: (i32, i32), size: i32, ink: &RGBColor| {
            area.draw(&Text::new(text, at, (FONT, size).into_font().color(ink))).map_err(|e| e.to_string())
        };
        let (left, right) = (290, SIZE.0 as i32 - 70);
        let longest = b.bars.iter().map(|bar| bar.value).fold(f64::MIN_POSITIVE, f64::max);
        let place = |value: f64| left + ((right - left) as f64 * value / longest).round() as i32;
        for (i, bar) in b.bars.iter().enumerate() {
            let top = 46 + row * i as i32;
            put(clipped(&bar.scheme, 30), (14, top), 15, &INK)?;
            put(clipped(&bar.implementation, 40), (14, top + 16), 12, &SOFT)?;
            let ink = colour(bar.colour[0]).filled();
            area.draw(&Rectangle::new([(left, top + 4), (place(bar.value), top + 24)], ink))
                .map_err(|e| e.to_string())?;
            if let Some(limit) = bar.limit {
                let x = place(limit);
                for (colour, width) in [(WHITE, 5), (INK, 2)] {
                    area.draw(&PathElement::new([(x, top + 1), (x, top + 27)], colour.stroke_width(width)))
                        .map_err(|e| e.to_string())?;
                }
            }
            put(format!("{:.3}", bar.value), (place(bar.value) + 8, top + 7), 14, &INK)?;
        }
        for (i, line) in note.iter().enumerate() {
            put(line.clone(), (14, height - 12 - 18 * (note.len() - i) as i32), 13, &SOFT)?;
        }
        Ok(())
    })
}

/// The first map.
///
/// # Errors
/// If there is none.
pub fn heat(heat: &Heat) -> Result<String, Error> {
    let map = heat.maps.first().ok_or_else(|| Error::Draw(format!("“{}”: no map", heat.title)))?;
    let values = || map.cells.iter().map(|c| c.2);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    drawn(SIZE, &format!("{}: {}", heat.title, map.name), |area| {
        let put = |text: String, at: (i32, i32), ink: &RGBColor| {
            area.draw(&Text::new(text, at, (FONT, 13).into_font().color(ink))).map_err(|e| e.to_string())
        };
        let (left, top, right, bottom) = (70, 56, SIZE.0 as i32 - 20, SIZE.1 as i32 - 62);
        let (w, h) = ((right - left) / map.x.len() as i32, (bottom - top) / map.y.len() as i32);
        for &(i, j, value) in &map.cells {
            let (x, y) = (left + w * i as i32, bottom - h * (j as i32 + 1));
            // Dark blue is fast, pale is slow.
            let part = if high > low { (value - low) / (high - low) } else { 0.0 };
            let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * part) as u8;
            let shade = RGBColor(mix(0x08, 0xe9), mix(0x30, 0xef), mix(0x6b, 0xf3));
            area.draw(&Rectangle::new([(x, y), (x + w - 1, y + h - 1)], shade.filled())).map_err(|e| e.to_string())?;
            if w > 34 && h > 16 {
                put(format!("{value:.2}"), (x + w / 2 - 13, y + h / 2 - 6), if part < 0.5 { &WHITE } else { &INK })?;
            }
        }
        for (i, n) in map.x.iter().enumerate() {
            put(n.to_string(), (left + w * i as i32 + w / 2 - 12, bottom + 6), &SOFT)?;
        }
        for (j, n) in map.y.iter().enumerate() {
            put(n.to_string(), (left - 28, bottom - h * j as i32 - h / 2 - 6), &SOFT)?;
        }
        put(
            format!("across: {}; up: {}; in the cells: {}", heat.axes[0], heat.axes[1], heat.axes[2]),
            (left, SIZE.1 as i32 - 28),
            &SOFT,
        )
    })
}

/// A text in lines of at most so many characters.
fn lines_of(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.into() } else { text.chars().take(most - 1).collect::<String>() + "…" }
}

/// A number without needless digits.
fn plain(v: f64) -> String {
    // A bound's smallest value is not nothing.
    if v != 0.0 && v.abs() < 0.001 || v.abs() >= 1e8 {
        return format!("{v:.0e}");
    }
    if v.abs() >= 100.0 { format!("{v:.0}") } else { format!("{}", (v * 1000.0).round() / 1000.0) }
}
