//! What the papers measured, on the machines of their day, as data: `data/published.csv`. Its
//! README says where each number is from, and which were left out.

use std::sync::LazyLock;

/// A paper by the name that the data have for it, and as people cite it.
pub const PAPERS: [(&str, &str); 4] = [
    ("blt2014", "Bogdanov, Lauridsen and Tischhauser 2014"),
    ("kr2011", "Krovetz and Rogaway 2011"),
    ("kr2021", "Krovetz and Rogaway 2021"),
    ("bernstein2007", "Bernstein 2007"),
];

/// A published figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// One of [`PAPERS`].
    pub paper: String,
    /// The table or section.
    pub place: String,
    /// The CPU, as the paper names it.
    pub cpu: String,
    /// How the AES is done there.
    pub isa: String,
    /// The scheme by our name; by the paper's, if we have none.
    pub scheme: String,
    /// The scheme by the paper's name.
    pub as_named: String,
    /// `single` or `comb`; empty where it makes no difference.
    pub way: String,
    /// Messages on lanes, where the paper says how many.
    pub lanes: Option<u64>,
    /// What was done: `seal`, `open`, `key`, `context` and others.
    pub op: String,
    /// Bytes in the message, `mix`, `ipi` or `long`.
    pub bytes: String,
    /// `one`, or how many keys are in use in turn; empty where the paper does not say.
    pub keys: String,
    /// `cpb` (cycles a byte), `cycles`, `bytes` or `ratio`.
    pub unit: String,
    /// The value.
    pub value: f64,
    /// The value as it is printed: `22.4` and `1.00` have the digits that the paper gives them.
    pub printed: String,
}

/// What the text of a paper says of its results, beside its tables: a number, or from one to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// One of [`PAPERS`].
    pub paper: String,
    /// The section.
    pub place: String,
    /// The CPU that it is said of.
    pub cpu: String,
    /// Its name in this laboratory, which knows how to compute the same here.
    pub key: String,
    /// What it is said of.
    pub what: String,
    /// The number, or the lower one, as printed.
    pub low: String,
    /// The higher one; the same as `low` if there is one number.
    pub high: String,
    /// `cpb`, `cycles`, `percent` or `times`.
    pub unit: String,
}

impl Stated {
    /// The number with its unit, as a person reads it: `4 to 16 %`.
    pub fn printed(&self) -> String {
        let unit = match self.unit.as_str() {
            "percent" => " %",
            "times" => " times",
            "cycles" => " cycles",
            _ => " cycles a byte",
        };
        if self.low == self.high {
            format!("{}{unit}", self.low)
        } else {
            format!("{} to {}{unit}", self.low, self.high)
        }
    }
}

static ALL: LazyLock<Vec<Published>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(include_str!("../data/published.csv").as_bytes());
    let read = |row: csv::Result<csv::StringRecord>| {
        let row = row.ok()?;
        let text = |i: usize| row.get(i).map(String::from);
        Some(Published {
            paper: text(0)?,
            place: text(1)?,
            cpu: text(2)?,
            isa: text(3)?,
            scheme: text(4)?,
            as_named: text(5)?,
            way: text(6)?,
            lanes: text(7)?.parse().ok(),
            op: text(8)?,
            bytes: text(9)?,
            keys: text(10)?,
            unit: text(11)?,
            value: text(12)?.parse().ok()?,
            printed: text(12)?,
        })
    };
    let rows = reader.records().map(|row| read(row).expect("the tests have read every line"));
    rows.collect()
});

static STATED: LazyLock<Vec<Stated>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(include_str!("../data/stated.csv").as_bytes());
    let read = |row: csv::Result<csv::StringRecord>| {
        let row = row.ok()?;
        let text = |i: usize| row.get(i).map(String::from);
        let (place, cpu, key, what) = (text(1)?, text(2)?, text(3)?, text(4)?);
        Some(Stated { paper: text(0)?, place, cpu, key, what, low: text(5)?, high: text(6)?, unit: text(7)? })
    };
    let rows = reader.records().map(|row| read(row).expect("the tests have read every line"));
    rows.collect()
});

/// What the texts say: `data/stated.csv`.
pub fn stated() -> &'static [Stated] {
    &STATED
}

/// All of them.
pub fn all() -> &'static [Published] {
    &ALL
}

/// Cycles a byte to seal messages of `bytes` (or the `mix`) on the comb paper's Haswell: one at a
/// time or, if `comb`, together on as many lanes as were the best.
pub fn comb_paper(scheme: &str, comb: bool, bytes: &str) -> Option<f64> {
    let way = if comb { "comb" } else { "single" };
    let fits = |p: &&Published| {
        let same = (p.paper.as_str(), p.scheme.as_str(), p.way.as_str()) == ("blt2014", scheme, way);
        // Table 2 has every number of lanes, and is about CBC alone.
        same && p.bytes == bytes && p.unit == "cpb" && p.place != "table 2"
    };
    all().iter().find(fits).map(|p| p.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::Scheme;
    use combseal_archive::streams::named::StreamSystem;

    /// A scheme that only a paper has, and raw modes that the laboratory's families leave out.
    const NOT_OURS: &str = "COBRA";
    const RAW: [&str; 5] = ["AES-128-CBC", "AES-128-CFB", "AES-128-OFB", "AES-128-ECB", "AES-128-CMAC"];

    #[test]
    fn every_line_is_read_and_names_what_we_know() {
        assert_eq!(all().len() + 1, include_str!("../data/published.csv").lines().count());
        for p in all() {
            assert!(PAPERS.iter().any(|paper| paper.0 == p.paper), "{p:?}");
            assert!(p.value > 0.0 && ["cpb", "cycles", "bytes", "ratio"].contains(&p.unit.as_str()), "{p:?}");
            let instruction = p.place == "table 7" || p.op == "doubling";
            let known = Scheme::named(&p.scheme).is_some() || RAW.contains(&p.scheme.as_str());
            let system = p.paper == "bernstein2007" && StreamSystem::by_name(&p.scheme).next().is_some();
            assert!(known || system || instruction || p.scheme == NOT_OURS, "{p:?}");
            let length = p.bytes.is_empty() || ["mix", "ipi", "long"].contains(&p.bytes.as_str());
            assert!(length || p.bytes.parse::<u64>().is_ok(), "{p:?}");
        }
    }

    #[test]
    fn what_texts_say_is_read() {
        assert_eq!(stated().len() + 1, include_str!("../data/stated.csv").lines().count());
        for s in stated() {
            assert!(PAPERS.iter().any(|paper| paper.0 == s.paper), "{s:?}");
            let [low, high] = [&s.low, &s.high].map(|n| n.parse::<f64>().unwrap());
            assert!(
                0.0 < low && low <= high && ["cpb", "cycles", "percent", "times"].contains(&s.unit.as_str()),
                "{s:?}"
            );
        }
        let of = |key: &str| stated().iter().find(|s| s.key == key).unwrap().printed();
        assert_eq!((of("overhead-of-ctr").as_str(), of("block").as_str()), ("4 to 16 %", "20 cycles"));
    }

    /// Tables 3 and 4 of the comb paper.
    #[test]
    fn by_scheme_and_way() {
        assert_eq!(comb_paper("AES-128-CBC", false, "mix"), Some(4.47));
        assert_eq!(comb_paper("AES-128-CBC", true, "mix"), Some(0.87));
        assert_eq!(comb_paper("AES-128-CCM", true, "mix"), Some(1.64));
        assert_eq!(comb_paper("AES-128-GCM", true, "mix"), None);
    }
}
