//! Figures and tables as data. The page, the SVG files and the CSV files are all made of these, so
//! that they cannot differ.

use super::palette::{self, Colour};
use crate::answers::facts;
use crate::published::Published;
use crate::results::Point;
use serde::Serialize;

/// A figure of lines or dots.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// File names and links.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Which paper's figure it is, redrawn.
    pub after: String,
    /// How to read it.
    pub note: String,
    /// Along.
    pub x: Scale,
    /// Up.
    pub y: Scale,
    /// A linear scale upwards has room for the values from this place on; what lies before it
    /// may leave the frame.
    pub from: Option<f64>,
    /// The selections of series that it can show, the first one first.
    pub views: Vec<View>,
    /// All series.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug, Serialize)]
pub struct Scale {
    /// Name and unit.
    pub name: String,
    /// Logarithmic at first; the page can change it.
    pub log: bool,
}

/// A selection of series.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// What it selects.
    pub name: String,
    /// What tells its series apart, and names and colours them.
    pub by: By,
    /// Indices of series.
    pub series: Vec<usize>,
    /// Those of them that are hidden until someone wants them.
    pub hidden: Vec<usize>,
}

/// What tells the series of a view apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Scheme; the implementation is ours at its best.
    Scheme,
    /// Implementation.
    Implementation,
    /// What was done.
    Op,
}

/// One line, or one cloud of dots.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// The scheme's name.
    pub scheme: String,
    /// Whose code.
    pub implementation: String,
    /// What was done.
    pub op: String,
    /// Colours by scheme, implementation, operation.
    pub colours: [Colour; 3],
    /// Drawn as.
    pub style: Style,
    /// The places.
    #[serde(serialize_with = "short")]
    pub x: Vec<f64>,
    /// The values.
    #[serde(serialize_with = "short")]
    pub y: Vec<f64>,
    /// A quarter of the samples lie below; empty if nothing is known of the spread.
    #[serde(serialize_with = "short", skip_serializing_if = "Vec::is_empty")]
    pub low: Vec<f64>,
    /// Three quarters lie below.
    #[serde(serialize_with = "short", skip_serializing_if = "Vec::is_empty")]
    pub high: Vec<f64>,
    /// Which values, by their places in `x`, are of mostly disturbed samples: drawn hollow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubtful: Vec<usize>,
    /// Dots, once packed for a page: for each place the lowest value, and by how many
    /// thousandths of it each dot lies above the one below.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dots: Vec<(f64, f64, Vec<u32>)>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// A line.
    Line,
    /// A dashed line: keys of 256 bits beside those of 128.
    Dashed,
    /// A dotted line: a limit.
    Dotted,
    /// The area below: a baseline.
    Area,
    /// Single samples.
    Dots,
}

impl Series {
    /// An empty series of a point's kind.
    pub fn like(p: &Point, op: &str) -> Self {
        let dashed = facts::key_bits(&p.scheme) != 128 && !p.family.contains("chacha");
        Series {
            scheme: p.scheme.clone(),
            implementation: p.implementation.clone(),
            op: op.into(),
            colours: [
                palette::family(&p.family),
                palette::implementation(p.tier.as_deref(), &p.implementation),
                palette::operation(op),
            ],
            style: if dashed { Style::Dashed } else { Style::Line },
            x: Vec::new(),
            y: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
            doubtful: Vec::new(),
            dots: Vec::new(),
        }
    }

    /// Puts dots into a quarter of the room, to a thousandth of their values; at each place they rise.
    pub fn pack(&mut self) {
        let (x, y) = (std::mem::take(&mut self.x), std::mem::take(&mut self.y));
        let mut from = 0;
        for same in x.chunk_by(|a, b| a == b) {
            let values = &y[from..from + same.len()];
            from += same.len();
            let lowest = rounded(values.iter().copied().fold(f64::INFINITY, f64::min)).max(f64::MIN_POSITIVE);
            let above = |v: &f64| (1000.0 * (v / lowest - 1.0)).round().max(0.0) as u32;
            let mut above: Vec<u32> = values.iter().map(above).collect();
            above.sort_unstable();
            let mut below = 0;
            above.iter_mut().for_each(|v| (*v, below) = (*v - below, *v));
            self.dots.push((same[0], lowest, above));
        }
    }

    /// Adds a value and its quartiles, and whether it is to be doubted.
    pub fn push(&mut self, x: f64, [low, y, high]: [f64; 3], doubtful: bool) {
        if doubtful {
            self.doubtful.push(self.x.len());
        }
        self.x.push(x);
        self.y.push(y);
        self.low.push(low);
        self.high.push(high);
    }

    /// Its name in a view.
    pub fn label(&self, by: By) -> &str {
        match by {
            By::Scheme => &self.scheme,
            By::Implementation => &self.implementation,
            By::Op => &self.op,
        }
    }

    /// Its colour in a view.
    pub fn colour(&self, by: By) -> Colour {
        self.colours[by as usize]
    }
}

/// Values over two axes, as colours.
#[derive(Clone, Debug, Serialize)]
pub struct Heat {
    /// File names and links.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Which paper's figure it is, redrawn.
    pub after: String,
    /// How to read it.
    pub note: String,
    /// Names of the axes and of the value.
    pub axes: [String; 3],
    /// A map each.
    pub maps: Vec<Map>,
}

/// One map of a [`Heat`].
#[derive(Clone, Debug, Serialize)]
pub struct Map {
    /// Of what.
    pub name: String,
    /// Columns and rows.
    pub x: Vec<u64>,
    /// Rows.
    pub y: Vec<u64>,
    /// Column, row, value.
    pub cells: Vec<(usize, usize, f64)>,
}

/// Bars: the first screen's.
#[derive(Clone, Debug, Serialize)]
pub struct Bars {
    /// File names and links.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// Name and unit of the values.
    pub unit: String,
    /// The longest last.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Clone, Debug, Serialize)]
pub struct Bar {
    /// The scheme's name.
    pub scheme: String,
    /// Whose code.
    pub implementation: String,
    /// Its colour.
    pub colour: Colour,
    /// Its length.
    pub value: f64,
    /// The fewest that the AES unit allows.
    pub limit: Option<f64>,
    /// Half the middle half of the samples, as a part of the value.
    pub noise: f64,
}

/// A table to be sorted by any column.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// File names and links.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Which paper's table it is.
    pub after: String,
    /// How to read it.
    pub note: String,
    /// Names of the columns, each with the digits behind its point; `None` for text.
    pub columns: Vec<(String, Option<usize>)>,
    /// The rows, in groups of which one is shown at a time.
    pub groups: Vec<(String, Vec<Vec<Cell>>)>,
}

/// A cell: text, a number, or nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// Text.
    Text(String),
    /// A number; nothing where there is none.
    Number(Option<f64>),
    /// A number of mostly disturbed samples, which gets a question mark.
    Doubtful {
        /// The number.
        doubtful: f64,
    },
    /// A number as a paper prints it, with its digits.
    Printed {
        /// The number.
        value: f64,
        /// As it is printed.
        printed: String,
    },
}

impl Cell {
    /// A number made of a point's median, with a mark if the point is doubtful.
    pub fn of(point: &Point, number: Option<f64>) -> Self {
        match number {
            Some(number) if point.is_doubtful() => Cell::Doubtful { doubtful: rounded(number) },
            number => number.into(),
        }
    }
}

impl From<&Published> for Cell {
    fn from(p: &Published) -> Self {
        Cell::Printed { value: p.value, printed: p.printed.clone() }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.into())
    }
}

impl From<Option<f64>> for Cell {
    fn from(number: Option<f64>) -> Self {
        Cell::Number(number.map(rounded))
    }
}

impl Figure {
    /// As CSV, a line a value; of dots a line a place, the values separated by spaces.
    pub fn csv(&self) -> String {
        let names = ["scheme", "implementation", "operation", &self.x.name, &self.y.name, "p25", "p75", "doubtful"];
        let mut text = csv_line(names);
        for s in &self.series {
            if s.style == Style::Dots {
                let mut from = 0;
                for same in s.x.chunk_by(|a, b| a == b) {
                    let values: Vec<_> = s.y[from..from + same.len()].iter().map(|v| rounded(*v).to_string()).collect();
                    from += same.len();
                    let names = [s.scheme.as_str(), &s.implementation, &s.op];
                    text += &csv_line(names.into_iter().chain([
                        same[0].to_string().as_str(),
                        &values.join(" "),
                        "",
                        "",
                        "",
                    ]));
                }
                continue;
            }
            for i in 0..s.x.len() {
                let part = |v: &[f64]| v.get(i).map_or(String::new(), |v| rounded(*v).to_string());
                text += &csv_line([
                    s.scheme.as_str(),
                    &s.implementation,
                    &s.op,
                    &s.x[i].to_string(),
                    &part(&s.y),
                    &part(&s.low),
                    &part(&s.high),
                    if s.doubtful.contains(&i) { "?" } else { "" },
                ]);
            }
        }
        text
    }
}

impl Heat {
    /// As CSV, a line a cell.
    pub fn csv(&self) -> String {
        let [x, y, z] = &self.axes;
        let mut text = csv_line(["map", x, y, z]);
        for map in &self.maps {
            for &(i, j, value) in &map.cells {
                text +=
                    &csv_line([map.name.as_str(), &map.x[i].to_string(), &map.y[j].to_string(), &value.to_string()]);
            }
        }
        text
    }
}

impl Bars {
    /// As CSV, a line a bar.
    pub fn csv(&self) -> String {
        let mut text = csv_line(["scheme", "implementation", &self.unit, "AES limit", "spread"]);
        for b in &self.bars {
            let limit = b.limit.map_or(String::new(), |l| rounded(l).to_string());
            let numbers = [rounded(b.value).to_string(), limit, rounded(b.noise).to_string()];
            text += &csv_line([b.scheme.as_str(), &b.implementation, &numbers[0], &numbers[1], &numbers[2]]);
        }
        text
    }
}

impl Table {
    /// As CSV, a line a row, its group first.
    pub fn csv(&self) -> String {
        let mut text = csv_line(["group"].into_iter().chain(self.columns.iter().map(|c| c.0.as_str())));
        for (group, rows) in &self.groups {
            for row in rows {
                let cells: Vec<String> = row
                    .iter()
                    .map(|cell| match cell {
                        Cell::Text(text) => text.clone(),
                        Cell::Number(n) => n.map_or(String::new(), |n| n.to_string()),
                        Cell::Doubtful { doubtful } => format!("{doubtful}?"),
                        Cell::Printed { printed, .. } => printed.clone(),
                    })
                    .collect();
                text += &csv_line([group.as_str()].into_iter().chain(cells.iter().map(String::as_str)));
            }
        }
        text
    }
}

/// One line of RFC 4180.
fn csv_line(cells: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut line = csv::Writer::from_writer(Vec::new());
    let cells: Vec<_> = cells.into_iter().map(|cell| cell.as_ref().to_string()).collect();
    line.write_record(&cells).expect("into memory");
    String::from_utf8(line.into_inner().expect("into memory")).expect("from strings")
}

/// Five digits: more than any clock here has.
pub fn rounded(v: f64) -> f64 {
    if v == 0.0 || !v.is_finite() {
        return 0.0;
    }
    let scale = 10f64.powi(4 - v.abs().log10().floor() as i32);
    (v * scale).round() / scale
}

/// Numbers with five digits, whole ones without a point: a third of the page otherwise.
fn short<S: serde::Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeSeq;
    let mut seq = serializer.serialize_seq(Some(values.len()))?;
    for v in values.iter().map(|v| rounded(*v)) {
        if v.fract() == 0.0 && v.abs() < 1e15 {
            seq.serialize_element(&(v as i64))?
        } else {
            seq.serialize_element(&v)?
        }
    }
    seq.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_digits() {
        for (v, r) in [(123456.0, 123460.0), (0.1234567, 0.12346), (0.0, 0.0), (f64::INFINITY, 0.0), (-2.5, -2.5)] {
            assert_eq!(rounded(v), r);
        }
    }

    #[test]
    fn packed_dots_are_the_dots() {
        let mut s = Series {
            scheme: String::new(),
            implementation: String::new(),
            op: String::new(),
            colours: [palette::GREY; 3],
            style: Style::Dots,
            x: vec![16.0, 16.0, 16.0, 64.0],
            y: vec![52.0, 50.0, 75.0, 90.5],
            low: Vec::new(),
            high: Vec::new(),
            doubtful: Vec::new(),
            dots: Vec::new(),
        };
        s.pack();
        assert_eq!(s.dots, [(16.0, 50.0, vec![0, 40, 460]), (64.0, 90.5, vec![0])]);
        assert!(s.x.is_empty() && s.y.is_empty());
    }

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        assert_eq!(csv_line(["a", "b,c", "d \"e\""]), "a,\"b,c\",\"d \"\"e\"\"\"\n");
    }
}
