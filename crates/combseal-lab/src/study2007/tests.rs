//! The programme on two systems with tiny settings: the plan, the results, the tables and the page.

use super::options::Options;
use super::record::{Operation, read};
use super::run::{Heard, run};
use super::svg::{apart, colour, round_up};
use super::then;
use combseal_archive::streams::registry::SYSTEMS;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("combseal-2007-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn tiny() -> Options {
    Options { systems: vec!["phelix".into(), "nls-v2-ae".into()], quick: true, ..Options::default() }
}

#[test]
fn lengths_and_keys() {
    let all = Options { step: 1, ..Options::default() };
    assert_eq!(all.lengths(), (0..=8192).collect::<Vec<_>>());
    let usual = Options::default();
    for bytes in [0, 1, 40, 402, 576, 1023, 1024, 1088, 1500, 8192] {
        assert!(usual.lengths().contains(&bytes), "{bytes}");
    }
    assert!(!usual.lengths().contains(&1025));
    for options in [all, usual, tiny(), Options { step: 7, ..Options::default() }] {
        let (every, some) = (options.lengths(), options.robust_lengths());
        assert!(some.iter().all(|bytes| every.contains(bytes)));
        assert!([0, 40, 402, 576, 1500, 8192].iter().all(|bytes| some.contains(bytes)));
        assert!(some.len() < 260 && every.is_sorted(), "{}", some.len());
        assert!(options.key_counts().contains(&1) && options.key_counts().contains(&8192));
    }
    assert_eq!(Options::default().key_counts().len(), 14);
}

#[test]
fn systems_by_name() {
    let all = Options::default().chosen().unwrap();
    assert_eq!(all.iter().map(Vec::len).sum::<usize>(), SYSTEMS.len());
    let two = tiny().chosen().unwrap();
    assert_eq!(two.len(), 2);
    let why = Options { systems: vec!["frogbit".into()], ..Options::default() }.chosen().unwrap_err();
    assert!(why.contains("frogbit") && why.contains("phelix"), "{why}");
}

/// Of every system of the paper's tables that is here, its context and its figures are known.
#[test]
fn what_the_paper_printed() {
    assert_eq!(then::cycles("phelix", Operation::Encrypt, 1500, then::TABLES), Some(16364.0));
    assert_eq!(then::cycles("nls-v2-ae", Operation::Reject, 576, "Intel Core 2 Duo (6f6) 2137MHz"), Some(7648.0));
    assert_eq!(then::under_keys("nls-v2-poly1305", 8192), Some(10908.0));
    for system in SYSTEMS {
        let (about, printed) = (system.about(), then::context(system.name()));
        if let Some(bytes) = printed {
            assert_eq!(about.context_2007, Some(bytes as usize), "{}", system.name());
        }
    }
}

#[test]
fn two_systems_from_start_to_page() {
    let out = folder("whole");
    let (mut text, mut heard) = (String::new(), 0);
    let outcome = run(&tiny(), &out, &AtomicBool::new(false), &mut |news| match news {
        Heard::Text(more) => text += more,
        Heard::Progress(system, part, _) => {
            assert!(!system.is_empty() && (0.0..=1.0).contains(&part), "{part}");
            heard += 1;
        }
    })
    .unwrap();
    assert!(!outcome.interrupted && outcome.failed.is_empty() && heard > 100);
    let results = read(&outcome.file).unwrap();
    assert!(results.end.is_some() && results.machine.options == tiny());
    assert_eq!(results.systems.iter().map(|s| &s.name[..]).collect::<Vec<_>>(), ["nls-v2-ae", "phelix"]);
    for system in &results.systems {
        assert!(system.tunings.iter().any(|one| one.tuning == system.tuning && one.cycles > 0.0));
        for point in &system.points {
            assert_eq!(point.singles.len(), 15, "none is left out");
            assert!(point.timings().all(|cycles| cycles > 0.0));
        }
        for op in Operation::ON_PACKETS {
            let at = |bytes| system.point(op, bytes, 1).unwrap();
            assert!(at(1500).robust.is_some() && at(8192).cycles() > at(40).cycles());
        }
        assert!(system.point(Operation::Encrypt, 576, 8192).unwrap().robust.is_some());
        assert!(system.cycles(Operation::ExpandKey, 0).unwrap() > 0.0);
    }
    for words in [
        "plan ",
        "about ",
        "Encrypt a packet",
        "Reject a forged packet",
        "Intel Pentium 4 (f29) 3400MHz",
        "16364",
        "Tunings",
    ] {
        assert!(text.contains(words), "{words:?} in {text}");
    }
    let page = std::fs::read_to_string(&outcome.page).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert_eq!(page.matches("<figure").count(), 5);
    assert_eq!((page.matches("<svg").count(), page.matches("</svg>").count()), (5, 5));
    assert_eq!(page.matches("<table>").count(), 5);
    assert_eq!(outcome.figures, 5);
    for tag in ["tr", "table", "figure", "main", "div", "p"] {
        let open = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(open, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    for network in ["src=", "href=\"http", "url(", "@import"] {
        assert!(!page.contains(network), "{network}");
    }
    for figure in ["length-phelix", "length-nls-v2-ae", "length-all", "keys", "every-sample"] {
        let svg = std::fs::read_to_string(out.join(format!("papers-2007-files/{figure}.svg"))).unwrap();
        assert!(svg.starts_with("<svg") && !svg.contains("NaN") && !svg.contains("inf"), "{figure}");
    }

    // Again into the same folder: what was there is kept under its date.
    let one = Options { systems: vec!["phelix".into()], ..tiny() };
    run(&one, &out, &AtomicBool::new(false), &mut |_| ()).unwrap();
    let files = std::fs::read_dir(&out)
        .unwrap()
        .filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().starts_with("results-2007"));
    assert_eq!(files.count(), 2);
    std::fs::remove_dir_all(&out).unwrap();
}

/// What is stopped leaves whole systems alone, here none, and says so.
#[test]
fn a_stopped_run() {
    let out = folder("stopped");
    let stop = AtomicBool::new(false);
    let outcome = run(&tiny(), &out, &stop, &mut |news| {
        if matches!(news, Heard::Progress(_, part, _) if part > 0.1) {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    })
    .unwrap();
    assert!(outcome.interrupted);
    let results = read(&outcome.file).unwrap();
    assert!(results.systems.is_empty() && results.end.unwrap().interrupted);
    assert!(std::fs::read_to_string(&outcome.page).unwrap().contains("was stopped"));
    std::fs::remove_dir_all(&out).unwrap();
}

#[test]
fn drawing() {
    assert_eq!([0.9, 1.0, 1.1, 3.0, 600.0, 51.0].map(round_up), [1.0, 1.0, 2.0, 5.0, 1000.0, 100.0]);
    let places = apart(&[10.0, 11.0, 300.0, 299.0], 0.0, 300.0);
    for (i, a) in places.iter().enumerate() {
        assert!((-0.1..=300.1).contains(a));
        assert!(places[..i].iter().all(|b| (a - b).abs() > 12.9), "{places:?}");
    }
    let colours: std::collections::BTreeSet<String> = (0..40).map(colour).collect();
    assert!(colours.len() == 40 && colours.iter().all(|c| c.len() == 7));
}
