use super::file::parse;
use super::*;
use crate::measure::Method;
use crate::subjects::Op;
use crate::traffic::Traffic;

fn point() -> Point {
    Point {
        scheme: "OCB3-AES-128".into(),
        family: "ocb3".into(),
        implementation: "combseal vaes512".into(),
        tier: Some("vaes512".into()),
        peer: false,
        op: Op::SealFresh,
        axis: Axis::Length,
        bytes: 1024,
        ad: 0,
        keys: 1,
        batch: 1,
        method: Method::ProcessTime,
        median: 200.0,
        minimum: 190.5,
        p25: 196.0,
        p75: 204.0,
        limit: Some(160.0),
        messages: None,
        clean: 3,
        unclean: 1,
        discarded: 2,
        samples: vec![190.5, 200.0, 204.0, 260.25],
    }
}

fn machine(campaign: &str) -> Record {
    Record::Machine(Machine { cpu: "a CPU".into(), campaign: campaign.into(), ..Machine::default() })
}

fn written(records: &[Record]) -> String {
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out);
    records.iter().for_each(|record| writer.write(record).unwrap());
    String::from_utf8(out).unwrap()
}

#[test]
fn every_kind_comes_back() {
    let mix = Traffic {
        name: "mix".into(),
        source: "csv".into(),
        payload: "given".into(),
        messages: 3,
        bytes: 120,
        lengths: vec![(20, 1), (50, 2)],
    };
    let (scheme, implementation) = ("OCB3-AES-128".to_string(), "a \"b\"\\\u{1}".to_string());
    let records = vec![
        machine("1"),
        Record::Point(point()),
        Record::Point(Point { messages: Some(1000), limit: None, tier: None, axis: Axis::Mix, ..point() }),
        Record::Piece(Piece {
            set: "lfsr".into(),
            name: "(1)".into(),
            way: String::new(),
            median: 2.5,
            p25: 2.25,
            p75: 3.0,
            clean: 61,
        }),
        Record::Context(Context { scheme: scheme.clone(), implementation: implementation.clone(), bytes: 512 }),
        Record::Traffic(mix),
        Record::Failed(Failed { scheme, implementation, why: "wrong".into() }),
        Record::End(End { seconds: 1.5, left_out: vec!["batch".into()], ..End::default() }),
    ];
    let text = written(&records);
    assert_eq!(text.lines().count(), records.len());
    let contents = parse(&text, "x").unwrap();
    assert_eq!((contents.records, contents.warnings), (records, vec![]));
}

/// The names that other programs rely on.
#[test]
fn the_names_in_the_file() {
    let text = written(&[Record::Point(point())]);
    for part in [
        r#"{"kind":"point","scheme":"OCB3-AES-128""#,
        r#""op":"seal-fresh""#,
        r#""axis":"length""#,
        r#""method":"process-time""#,
        r#""tier":"vaes512""#,
        r#""samples":[190.5,200.0,204.0,260.25]"#,
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("messages"));
    assert!(written(&[machine("7")]).contains(r#""unit":"cycles""#));
}

#[test]
fn a_file_cut_off_anywhere_keeps_its_whole_lines() {
    let text = written(&[machine("1"), Record::Point(point()), Record::Point(point())]);
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    for cut in 0..text.len() {
        let contents = parse(&text[..cut], "x").unwrap();
        let whole = ends.iter().filter(|&&end| end <= cut).count();
        assert_eq!(contents.records.len(), whole, "cut at {cut}");
        assert_eq!(
            contents.warnings.len(),
            usize::from(!text[..cut].ends_with('\n') && cut > 0 && !ends.contains(&cut))
        );
    }
}

#[test]
fn later_versions_and_other_files() {
    let text = r#"{"kind":"weather","rain":true}"#.to_string() + "\n" + &written(&[Record::Point(point())]);
    let contents = parse(&text, "x").unwrap();
    assert_eq!(contents.records.len(), 1);
    assert!(contents.warnings[0].contains("line 1") && contents.warnings[0].contains("weather"));
    let more = written(&[Record::Point(point())]).replacen('{', r#"{"new_field":1,"#, 1);
    assert_eq!(parse(&more, "x").unwrap().records.len(), 1);
    assert!(parse("time,length\n1,2\n", "x").unwrap_err().contains("line 1"));
    assert!(read(std::path::Path::new("no such file")).unwrap_err().to_string().contains("no such file"));
}

#[test]
fn parts_of_a_resumed_run_belong_together() {
    let end = |interrupted| Record::End(End { interrupted, ..End::default() });
    let records = [
        machine("1"),
        Record::Point(point()),
        end(true),
        machine("2"),
        Record::Point(point()),
        end(false),
        machine("1"),
        Record::Point(point()),
        end(false),
    ];
    let runs = runs(records);
    assert_eq!(runs.iter().map(|run| (run.points.len(), run.ends.len())).collect::<Vec<_>>(), [(2, 2), (1, 1)]);
    assert!(super::runs([Record::Point(point())])[0].machine.cpu.is_empty());
}

/// Results of before, in which each tier has its own limit, have one for a scheme: a slower unit is no excuse.
#[test]
fn one_limit_for_a_scheme() {
    let narrow =
        Point { tier: Some("aesni".into()), implementation: "combseal aesni".into(), limit: Some(320.0), ..point() };
    let longer = Point { bytes: 2048, limit: Some(330.0), ..point() };
    let run = runs([point(), narrow, longer].map(Record::Point)).remove(0);
    assert_eq!(run.points.iter().map(|p| p.limit).collect::<Vec<_>>(), [Some(160.0), Some(160.0), Some(330.0)]);
}

#[test]
fn what_a_point_says() {
    assert_eq!(point().per_byte(), Some(200.0 / 1024.0));
    assert_eq!(point().times_limit(), Some(1.25));
    assert_eq!(point().noise(), 0.02);
    assert!(!point().is_doubtful());
    assert!(Point { p25: 150.0, p75: 240.0, ..point() }.is_doubtful(), "a spread of 22 %");
    assert!(!Point { p25: 165.0, p75: 240.0, ..point() }.is_doubtful(), "a spread of 19 %");
    let mix = Point { bytes: 1000, messages: Some(10), ..point() };
    assert_eq!(mix.per_byte(), Some(2.0));
    assert_eq!(Point { op: Op::Setup, ..point() }.per_byte(), None);
}
