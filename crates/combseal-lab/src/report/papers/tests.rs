//! The sections on a made-up run that has everything of them, and on runs that lack something.

use super::section::Item;
use super::*;
use crate::report::figure::{Cell, Figure, Table};
use crate::results::{Piece, Point, Unit, fixture};
use crate::subjects::Op;
use std::collections::BTreeSet;

/// The fixture with what only the papers' programmes measure.
fn whole() -> Run {
    let mut run = fixture::run();
    let copies = [
        ("OCB3-AES-128", "OCB1-AES-128", "ocb1"),
        ("OCB3-AES-128", "OCB2-AES-128", "ocb2"),
        ("AEGIS-128L", "AEGIS-128", "aegis-128"),
    ];
    for (of, scheme, family) in copies {
        let like = |p: &Point| Point { scheme: scheme.into(), family: family.into(), ..p.clone() };
        let more: Vec<Point> = run.points.iter().filter(|p| p.scheme == of && !p.peer).map(like).collect();
        run.points.extend(more);
    }
    let fresh = |p: &Point| Point { op: Op::SealFresh, median: p.median + 30.0, ..p.clone() };
    let is_ocb = |p: &&Point| p.scheme == "OCB3-AES-128" && p.op == Op::Seal && !p.peer;
    let more: Vec<Point> = run.points.iter().filter(is_ocb).map(fresh).collect();
    run.points.extend(more);
    for (i, name) in
        ["doubling", "(1)", "(2)", "(3)", "(4)", "(5)", "Gray code, general registers"].into_iter().enumerate()
    {
        let median = 2.0 + i as f64;
        run.pieces.push(Piece {
            set: "lfsr".into(),
            name: name.into(),
            way: String::new(),
            median,
            p25: median,
            p75: median,
            clean: 61,
        });
    }
    run
}

fn of(run: &Run, year: u16) -> Section {
    sections(run, &[run]).into_iter().find(|section| section.year == year).unwrap()
}

fn ids(section: &Section) -> Vec<String> {
    let id = |item: &Item| match item {
        Item::Table(it) => it.id.clone(),
        Item::Figure(it) => it.id.clone(),
        Item::Heat(it) => it.id.clone(),
        Item::Drawing(it) => it.id.clone(),
    };
    section.items.iter().map(id).collect()
}

fn has(section: &Section, id: &str) -> bool {
    ids(section).iter().any(|one| one == id)
}

fn table<'a>(section: &'a Section, id: &str) -> &'a Table {
    let is_it = |item: &'a Item| match item {
        Item::Table(table) if table.id == id => Some(table),
        _ => None,
    };
    section.items.iter().find_map(is_it).unwrap_or_else(|| panic!("no table {id} in {:?}", ids(section)))
}

fn figure<'a>(section: &'a Section, id: &str) -> &'a Figure {
    let is_it = |item: &'a Item| match item {
        Item::Figure(figure) if figure.id == id => Some(figure),
        _ => None,
    };
    section.items.iter().find_map(is_it).unwrap_or_else(|| panic!("no figure {id} in {:?}", ids(section)))
}

/// The number in a cell.
fn value(cell: &Cell) -> f64 {
    match cell {
        Cell::Number(Some(n)) | Cell::Doubtful { doubtful: n } | Cell::Printed { value: n, .. } => *n,
        other => panic!("{other:?} is no number"),
    }
}

#[test]
fn every_paper_has_a_section() {
    for run in [fixture::run(), Run::default()] {
        let sections = sections(&run, &[&run]);
        assert_eq!(sections.iter().map(|s| s.year).collect::<Vec<_>>(), [2007, 2011, 2014, 2021]);
        for section in sections {
            assert!(!section.intro.is_empty() && section.link.starts_with("https://"), "{}", section.year);
            assert_eq!(section.command, format!("combseal study --papers {}", section.year));
        }
    }
}

/// Tables and figures of all papers, and the page's own, lie in one folder.
#[test]
fn names_differ() {
    let run = whole();
    let mut names = BTreeSet::new();
    for mut section in sections(&run, &[&run]) {
        for (name, text) in files(&mut section).unwrap() {
            assert!(name.contains(&section.year.to_string()), "{name}");
            assert!(!text.is_empty() && names.insert(name.clone()), "{name}");
        }
    }
}

#[test]
fn all_of_2011_is_there() {
    let section = of(&whole(), 2011);
    assert_eq!(
        ids(&section),
        [
            "2011-fig2-top",
            "2011-fig2-bottom",
            "2011-fig4",
            "2011-fig4-overheads",
            "2011-fig4-graphs",
            "2011-sect3",
            "2011-text",
            "2011-fig5",
            "2011-appendix"
        ]
    );
    assert_eq!(section.missing, Vec::<String>::new());
    // The table has its six machines, and every mode of each: on two tiers where the AES has instructions.
    let table = table(&section, "2011-fig4");
    let rows: Vec<usize> = table.groups.iter().map(|group| group.1.len()).collect();
    assert_eq!(rows, [12, 12, 6, 6, 6, 6]);
    let names: Vec<&Cell> = table.groups[0].1.iter().step_by(2).map(|row| &row[0]).collect();
    assert_eq!(names, ["CCM", "GCM", "OCB1", "OCB2", "OCB3", "CTR"].map(Cell::from).iter().collect::<Vec<_>>());
    for row in table.groups.iter().flat_map(|group| &group.1) {
        // Contexts of what the fixture does not have are not known.
        row[2..].iter().filter(|cell| **cell != Cell::Number(None)).for_each(|cell| assert!(value(cell) > 0.0));
        assert!(value(&row[3]) > 0.0 && value(&row[5]) > 0.0 && value(&row[9]) > 0.0, "{row:?}");
    }
}

/// The digits are the paper's: 22.4 has one behind its point, 41.0 a nought.
#[test]
fn printed_values_come_out_as_printed() {
    let section = of(&whole(), 2011);
    let csv = table(&section, "2011-fig4").csv();
    let line = |begin: &str| {
        csv.lines().find(|line| line.starts_with(begin)).unwrap_or_else(|| panic!("{begin} in {csv}")).to_string()
    };
    let soft = line("\"Intel Core i5-650 Clarkdale, x86-64 bitsliced (Käsper-Schwabe)\",GCM,soft,");
    assert!(
        soft.contains(",22.4,") && soft.contains(",26.7,") && soft.contains(",1456,") && soft.contains(",3780,"),
        "{soft}"
    );
    assert!(line("\"PowerPC 970fx, OpenSSL\",OCB1,soft,").contains(",41.0,"));
    let aes = line("\"Intel Core i5-650 Clarkdale, x86-64 AES-NI\",OCB3,vaes512,");
    assert!(
        aes.contains("vaes512,1.48,") && aes.contains(",1.87,") && aes.contains(",624,") && aes.contains(",253,"),
        "{aes}"
    );
    let bytes = table(&section, "2011-sect3").csv();
    assert!(bytes.lines().any(|line| line.starts_with(",OCB3,Intel Core i5-650 Clarkdale,AES-NI,249,")), "{bytes}");
}

#[test]
fn overheads_are_differences() {
    let run = whole();
    let section = of(&run, 2011);
    let rows = &table(&section, "2011-fig4-overheads").groups[0].1;
    let gcm = rows.iter().find(|row| row[0] == "GCM".into() && row[1] == "vaes512".into()).unwrap();
    assert!((value(&gcm[2]) - (3.73 - 1.27)).abs() < 1e-9 && (value(&gcm[4]) - (4.53 - 1.37)).abs() < 1e-9, "{gcm:?}");
    let at = |scheme: &str| {
        let same = |p: &&Point| {
            p.scheme == scheme && p.tier.as_deref() == Some("vaes512") && p.op == Op::Seal && p.bytes == 4096
        };
        run.points.iter().find(same).unwrap().median / 4096.0
    };
    assert!((value(&gcm[3]) / (at("AES-128-GCM") - at("AES-128-CTR")) - 1.0).abs() < 1e-3);
    let graphs = figure(&section, "2011-fig4-graphs");
    assert!(graphs.series.iter().all(|s| s.scheme != "AES-128-CTR" && s.x.iter().all(|x| *x <= 1024.0)));
    assert_eq!(graphs.views.len(), 3, "the best tier, the paper's registers, software");
}

#[test]
fn what_is_not_there_is_named() {
    // Without the archive: no lower half of Fig. 2, no rows, and the section says so.
    let section = of(&fixture::run(), 2011);
    assert!(!has(&section, "2011-fig2-bottom") && has(&section, "2011-fig2-top"));
    for part in ["Fig. 2, bottom", "OCB1-AES-128", "OCB2-AES-128", "Appendix A"] {
        assert!(section.missing.iter().any(|what| what.contains(part)), "{part} in {:?}", section.missing);
    }
    assert!(!table(&section, "2011-fig4").csv().contains("OCB1"));
    // Nothing measured: what is computed is there, and all else is named.
    let nothing = Run::default();
    assert_eq!(ids(&of(&nothing, 2011)), ["2011-fig5", "2011-appendix"]);
    assert_eq!(of(&nothing, 2011).missing.len(), 10);
    assert_eq!(ids(&of(&nothing, 2021)), ["2021-fig9", "2021-theorem1-messages", "2021-theorem1-forgeries"]);
    for figure in ["Fig. 6", "Fig. 7", "Fig. 8", "peak", "the text says"] {
        assert!(of(&nothing, 2021).missing.iter().any(|what| what.contains(figure)), "{figure}");
    }
}

#[test]
fn all_of_2021_is_there() {
    let run = whole();
    let section = of(&run, 2021);
    assert_eq!(
        ids(&section),
        [
            "2021-fig6",
            "2021-software",
            "2021-peaks",
            "2021-text",
            "2021-fig9",
            "2021-theorem1-messages",
            "2021-theorem1-forgeries"
        ]
    );
    assert!(
        section.missing.len() == 2
            && section.missing[0].starts_with("Fig. 7")
            && section.missing[1].starts_with("Fig. 8")
    );
    let six = figure(&section, "2021-fig6");
    let names: BTreeSet<&str> = six.views[0].series.iter().map(|&i| six.series[i].scheme.as_str()).collect();
    for scheme in ["OCB3-AES-128", "AEGIS-128", "AES-128-GCM", "AES-128-CCM", "AES-128-GCM-SIV", "ChaCha20-Poly1305"] {
        assert!(names.contains(scheme), "{scheme} in {names:?}");
    }
    let printed = six.series.iter().find(|s| s.scheme.contains("Cannon Lake")).unwrap();
    assert_eq!(printed.y, [0.43, 0.43]);
    // Of other people's code the fastest: ring where it has the scheme.
    let theirs: Vec<&str> = six.views[1].series.iter().map(|&i| &*six.series[i].implementation).collect();
    assert!(theirs.contains(&"ring 0.17.14") && theirs.contains(&"RustCrypto"), "{theirs:?}");
    let peaks = table(&section, "2021-peaks").csv();
    assert!(
        peaks.contains("Intel Skylake,section 6,0.62,0.62") && peaks.contains("Intel Ice Lake,section 6,0.19,"),
        "{peaks}"
    );
    let text = table(&section, "2021-text").csv();
    assert!(text.contains("40 to 60 %") && text.contains("3 to 7 times"), "{text}");
    let note = &table(&section, "2021-text").note;
    assert!(note.contains("Feroceon stands beside") && !note.contains("Not here"), "{note}");
}

/// A caption claims no rows that are not there, and names them; nobody is slower by less than nothing.
#[test]
fn captions_are_of_what_is_there() {
    let mut run = whole();
    run.points.retain(|p| p.tier.as_deref() != Some("soft"));
    let section = of(&run, 2021);
    let note = &table(&section, "2021-text").note;
    assert!(
        !note.contains("Feroceon stands beside") && note.contains("Not here") && note.contains("software"),
        "{note}"
    );
    // A GCM that is faster than OCB is said to be so.
    let is_gcm = |p: &&mut Point| p.scheme == "AES-128-GCM";
    let mut fast = whole();
    fast.points.iter_mut().filter(is_gcm).for_each(|p| p.median /= 10.0);
    let text = table(&of(&fast, 2021), "2021-text").csv();
    assert!(text.contains("the other way: GCM is faster by") && !text.contains(",-") && !text.contains('−'), "{text}");
    // OCB1 and OCB2 are hidden where they are, and not said to be where they are not.
    let hidden = |run: &Run| figure(&of(run, 2011), "2011-fig4-graphs").note.contains("hidden here");
    assert!(hidden(&whole()) && !hidden(&fixture::run()));
}

/// Fig. 7 is of a 64-bit ARM machine: of a run of one, and never of an emulated one.
#[test]
fn a_run_on_arm_draws_figure_7() {
    let run = whole();
    let mut arm = whole();
    arm.machine.arch = "aarch64".into();
    arm.machine.cpu = "Neoverse".into();
    arm.machine.tiers = vec!["armv8".into(), "soft".into()];
    arm.points.retain(|p| matches!(p.tier.as_deref(), Some("aesni" | "soft")));
    for p in arm.points.iter_mut().filter(|p| p.tier.as_deref() == Some("aesni")) {
        (p.tier, p.implementation) = (Some("armv8".into()), "combseal armv8".into());
    }
    let section = y2021::section(&run, &[&run, &arm]);
    let seven = figure(&section, "2021-fig7");
    assert!(seven.note.contains("Neoverse") && seven.views[0].name == "ours, armv8");
    assert!(seven.series.iter().any(|s| s.y == [1.14, 1.14]), "the peak that is printed of the Cortex-A73");
    arm.machine.emulated = Some("qemu".into());
    let section = y2021::section(&run, &[&run, &arm]);
    assert!(!has(&section, "2021-fig7") && section.missing[0].starts_with("Fig. 7"));
}

#[test]
fn nanoseconds_stand_beside_no_cycles() {
    let mut run = whole();
    run.machine.clock.unit = Unit::Nanoseconds;
    for year in [2011, 2021] {
        let section = of(&run, year);
        assert!(section.intro.iter().any(|line| line.contains("nanoseconds")), "{year}");
        assert!(section.missing.iter().any(|what| what.contains("the text says")), "{year}");
    }
    assert!(figure(&of(&run, 2021), "2021-fig6").series.iter().all(|s| !s.scheme.contains("printed")));
}

#[test]
fn the_appendix_has_its_costs() {
    let section = of(&whole(), 2011);
    let table = table(&section, "2011-appendix");
    let (columns, rows) = (&table.columns, &table.groups[0].1);
    assert_eq!((columns.len(), rows.len()), (5, 7));
    assert!(rows[..6].iter().all(|row| row[3] == "yes".into()), "all are maximal");
    assert_eq!((value(&rows[1][4]), &rows[1][0]), (3.0, &"(1)".into()));
    let without = of(&fixture::run(), 2011);
    assert_eq!(self::table(&without, "2011-appendix").columns.len(), 4);
    assert!(self::table(&section, "2011-fig5").note.contains("They are the same."));
}
