use super::*;
use crate::results::{read, runs};
use crate::study::{Peers, Scope};
use std::collections::BTreeSet;

/// Keeps what is said; stops the study when a group's table has been shown.
#[derive(Default)]
struct Ears<'a> {
    heard: String,
    stop_after: Option<(&'a str, &'a AtomicBool)>,
}

impl Watcher for Ears<'_> {
    fn say(&mut self, text: &str) {
        self.heard += text;
        if let Some((table, stop)) = self.stop_after
            && text.trim_start().starts_with(table)
        {
            stop.store(true, Ordering::Relaxed);
        }
    }
    fn progress(&mut self, _group: &str, part: f64, _left: Duration) {
        assert!((0.0..=1.0 + 1e-9).contains(&part), "{part}");
    }
}

/// A folder of its own, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("combseal-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn tiny() -> Options {
    Options {
        scope: Scope::Quick,
        schemes: vec!["ocb3".into(), "aegis-128l".into()],
        tiers: vec!["soft".into()],
        peers: Peers::None,
        lengths: vec![16, 1500],
        seconds: Some(0.2),
        seed: 1,
        ..Options::default()
    }
}

fn points(run: &results::Run) -> BTreeSet<String> {
    let all = run.points.iter().map(|p| format!("{} {:?} {:?} {}", p.scheme, p.op, p.axis, p.bytes));
    let set: BTreeSet<String> = all.collect();
    assert_eq!(set.len(), run.points.len(), "a point was measured twice");
    set
}

#[test]
fn a_small_study_from_begin_to_end() {
    let folder = Folder::new("study");
    let (never, mut ears) = (AtomicBool::new(false), Ears::default());
    let outcome = run(&tiny(), &folder.0, false, &never, &mut ears).unwrap();
    assert!(!outcome.interrupted && outcome.failed.is_empty());
    let contents = read(&outcome.file).unwrap();
    assert_eq!(contents.warnings, Vec::<String>::new());
    let all = runs(contents.records);
    assert_eq!(all.len(), 1);
    let whole = points(&all[0]);
    for point in ["OCB3-AES-128 Seal Length 1500", "OCB3-AES-256 SealFresh Length 16", "AEGIS-128L Reject Length 16"] {
        assert!(whole.contains(point), "{point} in {whole:?}");
    }
    assert_eq!(all[0].ends.len(), 1);
    assert!(
        all[0].points.iter().all(|p| p.samples.len() >= 5 && p.median > 0.0 && p.minimum <= p.p25 && p.p25 <= p.p75)
    );
    let mix = all[0].points.iter().find(|p| p.axis == Axis::Mix).unwrap();
    let opened = |p: &&results::Point| p.axis == Axis::Mix && p.op == Op::Open;
    assert_eq!(all[0].points.iter().filter(opened).count(), 3, "the mix opened, by every implementation");
    assert!((600.0..800.0).contains(&mix.message_bytes()), "{}", mix.message_bytes());
    assert!(all[0].contexts.iter().any(|c| c.scheme == "AEGIS-128L" && c.bytes < 100));
    for part in ["OCB3-AES-128  ", "AEGIS-128L  ", "combseal soft", "plan  "] {
        assert!(ears.heard.contains(part), "{part} in {}", ears.heard);
    }

    // Stopped behind the first group, cut off within a line, resumed: the same points.
    let (stop, other) = (AtomicBool::new(false), Folder::new("resumed"));
    let mut ears = Ears { stop_after: Some(("OCB3-AES-128", &stop)), ..Ears::default() };
    let outcome = run(&tiny(), &other.0, false, &stop, &mut ears).unwrap();
    assert!(outcome.interrupted);
    let part = points(&runs(read(&outcome.file).unwrap().records)[0]);
    assert!(!part.is_empty() && part.len() < whole.len());
    let mut file = OpenOptions::new().append(true).open(&outcome.file).unwrap();
    std::io::Write::write_all(&mut file, b"{\"kind\":\"poi").unwrap();
    let resumed = run(&Options::default(), &other.0, true, &never, &mut Ears::default()).unwrap();
    assert!(!resumed.interrupted);
    let contents = read(&resumed.file).unwrap();
    assert_eq!(contents.warnings, Vec::<String>::new());
    let all = runs(contents.records);
    assert_eq!((all.len(), points(&all[0])), (1, whole));

    // Another study there keeps this one.
    let short = Options { schemes: vec!["ctr".into()], ..tiny() };
    run(&short, &other.0, false, &never, &mut Ears::default()).unwrap();
    let kept = std::fs::read_dir(&other.0).unwrap().filter(|f| {
        let name = f.as_ref().unwrap().file_name();
        name.to_string_lossy().starts_with("results-")
    });
    assert_eq!(kept.count(), 1);
}

#[test]
fn the_papers_methods_from_begin_to_end() {
    let never = AtomicBool::new(false);
    for (method, samples) in
        [(Method::Kr65, 15), (Method::Median91, 91), (Method::Single15, 15), (Method::ProcessTime, 1)]
    {
        let folder = Folder::new(&format!("{method:?}"));
        let options = Options { method, schemes: vec!["aegis-128l".into()], lengths: vec![64], ..tiny() };
        let outcome = run(&options, &folder.0, false, &never, &mut Ears::default()).unwrap();
        let run = runs(read(&outcome.file).unwrap().records).remove(0);
        assert!(run.points.iter().all(|p| p.method == method && p.samples.len() == samples), "{method:?}");
        assert!(run.points.len() >= 3 && run.points.iter().all(|p| p.median > 0.0), "{:?}", run.points);
    }
}

#[test]
fn what_makes_no_sense_is_said() {
    let folder = Folder::new("nonsense");
    let never = AtomicBool::new(false);
    let why = |options: &Options, resume: bool| {
        run(options, &folder.0, resume, &never, &mut Ears::default()).unwrap_err().to_string()
    };
    assert!(why(&Options { tiers: vec!["sse2".into()], ..tiny() }, false).contains("\"sse2\""));
    assert!(why(&Options { schemes: vec!["cobra".into()], ..tiny() }, false).contains("chacha20-poly1305"));
    assert!(why(&Options { peers: Peers::Named(vec!["nettle".into()]), ..tiny() }, false).contains("nettle"));
    assert!(why(&tiny(), true).contains("nothing to resume"));
}
