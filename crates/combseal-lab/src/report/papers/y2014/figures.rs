//! The figures of 2014: the windows of Fig. 1 from the library's scheduler, the maps of Fig. 2 and 3 and
//! the lines of Fig. 4 from what this run measured.

use super::numbers::{Here, MODES, Messages, Named, listed};
use super::tables::unit;
use crate::analyze::comb::{FIGURE_1, windows_of};
use crate::analyze::comb_svg::svg;
use crate::analyze::gf128::Method;
use crate::report::figure::{By, Cell, Figure, Heat, Map, Scale, Series, Table, View, rounded};
use crate::report::figures::capital;
use crate::report::papers::section::Drawing;
use crate::results::{Point, Run};

const AFTER: &str = "Bogdanov, Lauridsen and Tischhauser 2014";
/// The lengths and the most lanes of Fig. 2 and 3.
const LENGTHS: [u64; 7] = [32, 64, 128, 256, 512, 1024, 2048];
const MOST: u64 = 16;
/// Messages side by side in the right half of Fig. 4.
const TOGETHER: u64 = 8;
/// The mode of Fig. 4 that is here.
const MCOE: &str = "McOE-G-AES-128";

/// Fig. 1: windows for the paper's seven lengths.
pub(super) fn windows() -> Drawing {
    let (lengths, printed) = FIGURE_1;
    let same = windows_of(&lengths, lengths.len()) == [printed];
    let list = printed.map(|(width, blocks)| format!("({width}, {blocks})")).join(", ");
    let is = if same { "the same" } else { "others" };
    Drawing {
        id: "2014-fig1".into(),
        title: "Fig. 1: windows for seven messages".into(),
        after: format!("{AFTER}, Fig. 1"),
        note: format!(
            "A drawing of the scheduler’s work, nothing of it is measured. A bar a message, the longest first, with its number and its blocks; a colour a window (P[w], B[w]): P messages walk on together by B blocks. The paper prints {list}; the library’s scheduler makes {is}. For any other lengths: combseal analyze comb 94 5 5 5 85 94 94."
        ),
        svg: svg(&lengths, lengths.len()),
    }
}

/// Fig. 2, of the modes that want a nonce, or Fig. 3, of those that survive a repeated one: cycles a byte by
/// length and lanes.
pub(super) fn map(run: &Run, number: u32) -> Option<Heat> {
    let note = ". P = 1 is one message at a time. The paper’s colours give no numbers to print beside these.";
    maps_of(&Here::best(run)?, run, number, ["", "", note])
}

/// The same under many keys.
pub(super) fn map_under_keys(run: &Run, number: u32) -> Option<Heat> {
    let note = ", each under the next of 1,000 keys; P = 1 is one message at a time.";
    maps_of(&Here::best(run)?.under_keys(), run, number, ["-keys", " under 1,000 keys", note])
}

/// The maps of Fig. 2 or 3. What sets them apart from other maps of it stands in their id, title and note.
fn maps_of(here: &Here<'_>, run: &Run, number: u32, [id, title, note]: [&str; 3]) -> Option<Heat> {
    let resists = number == 3;
    let modes = || MODES.iter().filter(|mode| mode.combed && mode.resists == resists);
    let maps: Vec<Map> = modes().filter_map(|mode| map_of(here, mode)).collect();
    let absent: Vec<&str> =
        modes().filter(|mode| !maps.iter().any(|map| map.name == mode.paper)).map(|m| m.paper).collect();
    let what = if resists { "nonce-misuse resistant" } else { "nonce-based" };
    let gaps = maps.iter().any(|map| map.cells.len() < map.x.len() * map.y.len());
    let empty = if gaps { " A cell that is empty was not measured." } else { "" };
    let without = if absent.is_empty() { String::new() } else { format!(" Not in this run: {}.", absent.join(", ")) };
    let mut lanes: Vec<u64> = maps.iter().flat_map(|map| map.y.iter().copied()).collect();
    lanes.sort_unstable();
    lanes.dedup();
    let lanes = format!(" Measured: P = {}.", listed(&lanes));
    (!maps.is_empty()).then(|| Heat {
        id: format!("2014-fig{number}{id}"),
        title: format!("Fig. {number}{title}: serial {what} modes by lanes and length"),
        after: format!("{AFTER}, Fig. {number}"),
        note: format!("Messages of one length on P lanes of tier {}{note}{lanes}{empty}{without}", here.tier),
        axes: ["message, bytes".into(), "P".into(), format!("{} a byte", unit(run))],
        maps,
    })
}

/// A mode's map, if it has two rows and two columns at least.
fn map_of(here: &Here<'_>, mode: &Named) -> Option<Map> {
    let at = |bytes: u64, lanes: u64| match lanes {
        1 => here.alone(mode.scheme, Messages::Of(bytes)),
        _ => here.lanes(mode.scheme, Messages::Of(bytes), lanes),
    };
    let found: Vec<(u64, u64, f64)> = LENGTHS
        .into_iter()
        .flat_map(|bytes| (1..=MOST).map(move |lanes| (bytes, lanes)))
        .filter_map(|(bytes, lanes)| Some((bytes, lanes, rounded(at(bytes, lanes)?.per_byte()?))))
        .collect();
    let axis = |of: fn(&(u64, u64, f64)) -> u64| {
        let mut values: Vec<u64> = found.iter().map(of).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    let (x, y) = (axis(|cell| cell.0), axis(|cell| cell.1));
    let place = |values: &[u64], value: u64| values.binary_search(&value).unwrap_or(0);
    let cells = found.iter().map(|&(bytes, lanes, value)| (place(&x, bytes), place(&y, lanes), value)).collect();
    // More than the row of single messages, which every run has.
    (x.len() > 1 && y.len() > 1).then(|| Map { name: mode.paper.into(), x, y, cells })
}

/// Fig. 4: McOE-G, one message at a time and eight side by side.
pub(super) fn products<'a>(run: &'a Run) -> Option<Figure> {
    let here = Here::best(run)?;
    let line = |op: &str, at: &dyn Fn(u64) -> Option<&'a Point>| {
        let points: Vec<&'a Point> = LENGTHS.into_iter().filter_map(at).collect();
        let mut series = Series::like(points.first().copied()?, op);
        for p in points {
            let bytes = p.bytes as f64;
            series.push(bytes, [p.p25, p.median, p.p75].map(|cycles| cycles / bytes), p.is_doubtful());
        }
        (series.x.len() > 1).then_some(series)
    };
    let alone = line("one message at a time", &|n| here.alone(MCOE, Messages::Of(n)))?;
    let together = line("8 messages of one length", &|n| here.lanes(MCOE, Messages::Of(n), TOGETHER))?;
    let view = |name: &str, at: usize| View { name: name.into(), by: By::Op, series: vec![at], hidden: Vec::new() };
    Some(Figure {
        id: "2014-fig4".into(),
        title: "Fig. 4: McOE-G, alone and by eight".into(),
        after: format!("{AFTER}, Fig. 4"),
        note: format!(
            "The paper draws McOE-G and COBRA with two ways to multiply in GF(2^128), one message at a time to the left and eight to the right. COBRA is not here, and the archive’s McOE-G multiplies in one way, so that each half has one line, of tier {}. What the two ways cost by themselves is in the table below, if it was measured.",
            here.tier
        ),
        x: Scale { name: "message, bytes".into(), log: true },
        y: Scale { name: format!("{} a byte", unit(run)), log: false },
        from: None,
        views: vec![view("left: one message at a time", 0), view("right: eight messages together", 1)],
        series: vec![alone, together],
    })
}

/// The products of Fig. 4 by themselves, on each tier with one block in a register, as the paper's: each
/// waiting for the one before, and eight at once.
pub(super) fn multiplications(run: &Run) -> Option<Table> {
    let of = |name: &str, way: &str| {
        run.pieces.iter().find(|p| p.set == "gf128" && p.name == name && p.way == way).map(|p| p.median)
    };
    let mut rows = Vec::new();
    for tier in run.machine.tiers.iter().filter(|tier| !tier.starts_with("vaes")) {
        for method in Method::ALL {
            let name = format!("{tier}, {}", method.name());
            let [one, eight] = ["1 at once", "8 at once"].map(|way| of(&name, way));
            if one.or(eight).is_some() {
                rows.push(vec![Cell::from(tier.as_str()), method.name().into(), one.into(), eight.into()]);
            }
        }
    }
    (!rows.is_empty()).then(|| Table {
        id: "2014-products".into(),
        title: "Sect. 6.4: a product in GF(2^128), classical and Haswell’s".into(),
        after: format!("{AFTER}, Sect. 6.3 and 6.4, of which Fig. 4 is drawn"),
        note: format!("{} for a product: each waiting for the one before, as in one message of McOE-G or COBRA; and eight at once, as in eight messages. The paper prints no numbers of it. “combseal analyze gf128” measures it by itself.", capital(unit(run))),
        columns: vec![
            ("tier".into(), None),
            ("way".into(), None),
            ("one after the other".into(), Some(1)),
            ("8 at once, each".into(), Some(1)),
        ],
        groups: vec![(String::new(), rows)],
    })
}
