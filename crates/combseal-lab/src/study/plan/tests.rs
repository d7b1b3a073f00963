use super::*;
use crate::measure::Width;
use crate::results::Axis;
use crate::study::options::Peers;
use crate::subjects::Op;
use crate::traffic::Traffic;
use std::collections::BTreeSet;

fn subjects() -> Vec<Subject> {
    let mut subjects = Vec::new();
    let kinds = [
        (Scheme::of("ocb3"), 128),
        (Scheme::of("ocb3"), 192),
        (Scheme::of("gcm"), 128),
        (Scheme::of("gcm"), 256),
        (Scheme::of("ctr"), 128),
        (Scheme::of("ctr"), 256),
    ];
    for (scheme, key_bits) in kinds {
        let standings = [Standing::Best, Standing::Tier, Standing::Soft, Standing::Peer];
        for (standing, name) in standings.into_iter().zip(["ours best", "ours", "ours soft", "theirs"]) {
            subjects.push(Subject { scheme, key_bits, name: name.into(), standing, width: Width::W128 });
        }
    }
    subjects
}

fn of(options: &Options) -> Plan {
    plan(options, &subjects())
}

fn all(plan: &Plan) -> impl Iterator<Item = &Spec> {
    plan.groups.iter().flat_map(|group| &group.specs)
}

#[test]
fn the_default_keeps_to_its_time_and_uses_it() {
    for (scope, seconds) in [(Scope::Default, 120.0), (Scope::Quick, 20.0)] {
        let plan = of(&Options { scope, ..Options::default() });
        assert!(plan.seconds() <= seconds, "{} s", plan.seconds());
        let rounds = plan.groups[0].rounds;
        let more = (rounds + 2) as f64 / rounds as f64;
        assert!(rounds == ROUNDS.0 || plan.seconds() * more > 0.9 * seconds, "{rounds} rounds, {} s", plan.seconds());
    }
    let short = of(&Options { seconds: Some(0.1), ..Options::default() });
    assert!(short.groups.iter().all(|group| group.rounds == ROUNDS.1));
    let less = of(&Options { seconds: Some(12.0), ..Options::default() });
    assert!(less.groups[0].rounds < of(&Options::default()).groups[0].rounds);
}

#[test]
fn every_point_is_there_once() {
    for scope in [Scope::Quick, Scope::Default, Scope::Full] {
        let plan = of(&Options { scope, traffic: Some(Traffic::realistic()), ..Options::default() });
        let mut seen = BTreeSet::new();
        for group in &plan.groups {
            assert!(!group.specs.is_empty() && group.rounds > 0 && group.seconds > 0.0, "{}", group.name);
            for s in &group.specs {
                let point = (group.method, s.subject, s.op, s.axis, s.bytes, s.ad, s.keys, s.batch);
                assert!(seen.insert(point), "{point:?} twice, in {}", group.name);
            }
        }
    }
}

#[test]
fn the_grid_has_what_the_papers_have() {
    let plan = of(&Options::default());
    let has = |want: &dyn Fn(&Spec) -> bool| all(&plan).any(want);
    for bytes in [44, 552, 576, 1500, 4096, 1_048_576] {
        for op in [Op::Seal, Op::Open] {
            assert!(has(&|s| s.bytes == bytes && s.op == op && s.axis == Axis::Length), "{op:?} {bytes}");
        }
    }
    for keys in [1, 2, 4096, 8192] {
        assert!(has(&|s| s.keys == keys && s.axis == Axis::Keys));
    }
    assert!(has(&|s| s.op == Op::Reject) && has(&|s| s.op == Op::Setup) && has(&|s| s.ad == 1024));
    assert!(has(&|s| s.axis == Axis::Batch && (s.bytes, s.batch) == (2048, 16)) && has(&|s| s.batch == 512));
    // The mix is opened in batches, by our best tier alone.
    let opened = |s: &&Spec| s.axis == Axis::Batch && s.op == Op::Open;
    let best: Vec<_> = subjects().iter().map(|s| s.standing == Standing::Best).collect();
    assert!(all(&plan).filter(opened).all(|s| s.bytes == 0 && s.keys == 1 && best[s.subject]));
    let sizes: BTreeSet<u64> = all(&plan).filter(opened).map(|s| s.batch).collect();
    assert_eq!(sizes, BTreeSet::from([8, 64, 512]));
    assert!(has(&|s| s.axis == Axis::Column && (s.bytes, s.keys, s.op) == (16, 1000, Op::Open)));
    assert!(has(&|s| s.axis == Axis::Mix) && !has(&|s| s.axis == Axis::Traffic));
    // Nothing refuses in counter mode, and nothing slow gets a long message.
    let subjects = subjects();
    assert!(!has(&|s| subjects[s.subject].scheme == Scheme::of("ctr") && (s.op == Op::Reject || s.ad > 0)));
    assert!(!has(&|s| subjects[s.subject].standing == Standing::Soft && s.bytes > 16384));
    assert!(!has(&|s| subjects[s.subject].key_bits == 192) && plan.left_out[0].contains("AES-192"));
}

#[test]
fn ccm_is_measured_with_every_number_of_messages() {
    let batches = |family: &str| -> BTreeSet<u64> {
        let (scheme, name) = (Scheme::of(family), "ours best".to_string());
        let subject = Subject { scheme, key_bits: 128, name, standing: Standing::Best, width: Width::W128 };
        let plan = plan(&Options::default(), &[subject]);
        all(&plan).filter(|s| s.axis == Axis::Batch && s.bytes == 64).map(|s| s.batch).collect()
    };
    assert_eq!(batches("ccm"), (2..=16).chain([32, 64]).collect());
    assert!(batches("ocb3").contains(&16) && !batches("ocb3").contains(&7));
}

#[test]
fn the_papers_programme() {
    let plan = of(&Options { scope: Scope::Full, ..Options::default() });
    let lengths = |op: Op, method: Method, key_bits: u32| -> BTreeSet<u64> {
        let groups = plan.groups.iter().filter(|group| group.method == method);
        let wanted = |s: &&Spec| s.op == op && s.axis == Axis::Length && subjects()[s.subject].key_bits == key_bits;
        groups.flat_map(|group| group.specs.iter().filter(wanted)).map(|s| s.bytes).collect()
    };
    let every: BTreeSet<u64> = (1..=2048).collect();
    assert!(lengths(Op::Seal, Method::Campaign, 192).is_superset(&every));
    assert!(lengths(Op::Reject, Method::Campaign, 128).is_superset(&every));
    assert_eq!(lengths(Op::Open, Method::Single15, 128), (0..=8192).collect());
    // Messages from memory are of the papers' programme alone, together and one at a time.
    let cold = |plan: &Plan, batch: u64| {
        all(plan).any(|s| s.axis == Axis::Cold && (s.bytes, s.keys, s.batch) == (1500, 16, batch))
    };
    assert!(cold(&plan, 1) && cold(&plan, 64) && !cold(&of(&Options::default()), 64));
}

/// The archive's schemes are measured at every length on the best tier, at the default's on the
/// others, in batches, and with associated data where they take any.
#[test]
fn the_archive() {
    let mut all_subjects = subjects();
    for scheme in [Scheme::of("cloc-v1"), Scheme::of("ocb1")] {
        for (standing, name) in [(Standing::Best, "ours best"), (Standing::Tier, "ours"), (Standing::Soft, "ours soft")]
        {
            all_subjects.push(Subject { scheme, key_bits: 128, name: name.into(), standing, width: Width::W128 });
        }
    }
    let plan = plan(&Options { scope: Scope::Full, ..Options::default() }, &all_subjects);
    let count = |family: &str, standing: Standing, axis: Axis| {
        let wanted = |s: &&Spec| {
            let subject = &all_subjects[s.subject];
            subject.scheme == Scheme::of(family) && subject.standing == standing && s.axis == axis
        };
        all(&plan).filter(wanted).count()
    };
    assert!(count("cloc-v1", Standing::Best, Axis::Length) > 3 * 2048);
    assert!((1..500).contains(&count("cloc-v1", Standing::Tier, Axis::Length)));
    assert!((1..100).contains(&count("cloc-v1", Standing::Soft, Axis::Length)));
    assert!(count("cloc-v1", Standing::Best, Axis::Batch) > 0 && count("cloc-v1", Standing::Best, Axis::Mix) > 0);
    assert!(count("cloc-v1", Standing::Best, Axis::Ad) > 0 && count("ocb1", Standing::Best, Axis::Ad) == 0);
}

/// The stream ciphers that are still met are in the default study, at few lengths and in no more time.
#[test]
fn the_stream_ciphers() {
    let mut all_subjects = subjects();
    let (scheme, name) = (Scheme::of("salsa20-poly1305"), "ours best".to_string());
    all_subjects.push(Subject { scheme, key_bits: 256, name, standing: Standing::Best, width: Width::W128 });
    let plan = plan(&Options::default(), &all_subjects);
    let is_one = |s: &&Spec| all_subjects[s.subject].scheme.is_system();
    let count = |axis: Axis| all(&plan).filter(is_one).filter(|s| s.axis == axis).count();
    assert!((10..40).contains(&count(Axis::Length)) && count(Axis::Mix) == 2);
    assert_eq!(count(Axis::Ad) + count(Axis::Keys) + count(Axis::Batch) + count(Axis::Column), 0);
    assert!(plan.seconds() <= 120.0);
}

#[test]
fn options_narrow_it() {
    let plan = of(&Options { lengths: vec![100, 3000], ..Options::default() });
    assert!(all(&plan).filter(|s| s.axis == Axis::Length).all(|s| [100, 3000].contains(&s.bytes)));
    let quick = of(&Options { scope: Scope::Quick, peers: Peers::None, ..Options::default() });
    assert!(all(&quick).all(|s| matches!(subjects()[s.subject].standing, Standing::Best | Standing::Peer)));
    for method in [Method::Kr65, Method::Median91, Method::Single15, Method::ProcessTime] {
        let plan = of(&Options { method, ..Options::default() });
        assert!(plan.groups.iter().all(|group| group.method == method));
        let opens = all(&plan).any(|s| s.op == Op::Open);
        assert_eq!(opens, matches!(method, Method::Single15 | Method::Median91));
        assert!(all(&plan).all(|s| matches!(s.axis, Axis::Length | Axis::Single)));
        assert!(plan.left_out.iter().any(|what| what.contains("method")));
    }
}

#[test]
fn the_first_groups_are_what_most_ask_for() {
    let plan = of(&Options::default());
    assert_eq!(plan.groups[0].name, "OCB3-AES-128");
    assert_eq!(plan.groups.last().unwrap().name, "AES-256-CTR");
}

/// Each paper's programme has every length of its figures on the best tier, and no other points.
#[test]
fn the_papers_own_programmes() {
    let mut all_subjects = subjects();
    for family in ["ocb1", "ocb2", "ccm", "chacha20-poly1305"] {
        let scheme = Scheme::of(family);
        let key_bits = scheme.key_bits().next().unwrap();
        let best =
            Subject { scheme, key_bits, name: "combseal vaes512".into(), standing: Standing::Best, width: Width::W128 };
        let soft = Subject { name: "combseal soft".into(), standing: Standing::Soft, ..best.clone() };
        all_subjects.extend([best, soft]);
    }
    let of = |papers: &[u16]| plan(&Options { papers: papers.to_vec(), ..Options::default() }, &all_subjects);
    let lengths = |plan: &Plan, scheme: &str, standing: Standing| -> BTreeSet<u64> {
        let is_it = |s: &&Spec| {
            let one = &all_subjects[s.subject];
            one.scheme.short() == scheme && one.standing == standing && s.op == Op::Seal && s.axis == Axis::Length
        };
        all(plan).filter(is_it).map(|s| s.bytes).collect()
    };
    let (older, newer, both) = (of(&[2011]), of(&[2021]), of(&[2011, 2021]));
    let graphs: BTreeSet<u64> = (1..=1024).chain([1500, 4096]).collect();
    for scheme in ["ocb1", "ocb2", "ocb3", "gcm", "ccm", "ctr"] {
        assert_eq!(lengths(&older, scheme, Standing::Best), graphs, "{scheme}");
        assert!(lengths(&older, scheme, Standing::Peer).is_empty());
    }
    assert_eq!(lengths(&older, "ocb1", Standing::Soft), graphs, "software beside the machines without instructions");
    assert!(all(&older).any(|s| s.op == Op::SealFresh && s.bytes == 576) && all(&older).any(|s| s.op == Op::Setup));
    assert!((1..=2048).all(|n| lengths(&newer, "ocb3", Standing::Best).contains(&n)));
    assert!(
        lengths(&newer, "gcm", Standing::Peer).contains(&2048) && lengths(&newer, "ctr", Standing::Best).is_empty()
    );
    for (plan, most) in [(&older, 150.0), (&newer, 150.0), (&both, 300.0)] {
        assert!(plan.seconds() <= most && plan.groups.iter().all(|group| group.rounds >= 15), "{} s", plan.seconds());
        let mut seen = BTreeSet::new();
        let place = |s: &Spec| (s.subject, s.op, s.axis, s.bytes, s.ad, s.keys, s.batch);
        assert!(all(plan).all(|s| seen.insert(place(s))), "a point is there twice");
        // No longer keys, no associated data, nothing that the figures do not show.
        assert!(all(plan).all(|s| s.ad == 0 && s.op != Op::Reject && all_subjects[s.subject].key_bits != 192));
    }
    assert_eq!(pieces(&Options { papers: vec![2011], ..Options::default() }), ["lfsr"]);
    assert!(pieces(&Options::default()).is_empty());
}

/// The comb of 2014: every mode alone and on each number of lanes; the modes that are no schemes go with
/// counter mode's subject, each in a group of its own.
#[test]
fn the_programme_of_2014() {
    let of = |(family, standing): (&str, Standing)| {
        let name = if standing == Standing::Best { "combseal vaes512" } else { "combseal aesni" };
        Subject { scheme: Scheme::of(family), key_bits: 128, name: name.into(), standing, width: Width::W128 }
    };
    let subjects = [
        ("ccm", Standing::Best),
        ("gcm", Standing::Best),
        ("cloc-v1", Standing::Best),
        ("ctr", Standing::Best),
        ("ctr", Standing::Tier),
        ("ccm", Standing::Tier),
    ]
    .map(of);
    let plan = plan(&Options { papers: vec![2014], ..Options::default() }, &subjects);
    let name = |s: &Spec| s.raw.map_or(subjects[s.subject].scheme.name(128), |mode| mode.name().to_string());
    let lanes = |scheme: &str, bytes: u64, standing: Standing| -> BTreeSet<u64> {
        let is_it = |s: &&Spec| {
            let comb = s.axis == Axis::Comb && s.bytes == bytes && (s.op, s.keys) == (Op::Seal, 1);
            comb && name(s) == scheme && subjects[s.subject].standing == standing
        };
        all(&plan).filter(is_it).map(|s| s.batch).collect()
    };
    // The same under a thousand keys, and opened: of the best tier.
    let others = |scheme: &str, bytes: u64, op: Op, keys: u64| -> BTreeSet<u64> {
        let is_it =
            |s: &&Spec| s.axis == Axis::Comb && (s.bytes, s.op, s.keys) == (bytes, op, keys) && name(s) == scheme;
        assert!(all(&plan).filter(is_it).all(|s| subjects[s.subject].standing == Standing::Best));
        all(&plan).filter(is_it).map(|s| s.batch).collect()
    };
    let every: BTreeSet<u64> = (2..=16).collect();
    for scheme in ["AES-128-CCM", "CLOC-v1-AES-128"] {
        for bytes in [0, 32, 128, 2048] {
            assert_eq!(lanes(scheme, bytes, Standing::Best), every, "{scheme}, {bytes} bytes");
            let under_keys = others(scheme, bytes, Op::Seal, 1000);
            assert!(under_keys.is_subset(&every) && under_keys.is_superset(&BTreeSet::from([2, 7, 8, 16])), "{bytes}");
            assert_eq!(others(scheme, bytes, Op::Open, 1).is_empty(), bytes > 0, "the mix is opened");
        }
        assert_eq!(others(scheme, 0, Op::Seal, 1000), every, "{scheme}");
    }
    for scheme in ["AES-128-CBC", "AES-128-CFB", "AES-128-OFB", "AES-128-CMAC"] {
        assert_eq!(lanes(scheme, 0, Standing::Best), (1..=16).collect(), "{scheme}");
        assert_eq!(others(scheme, 0, Op::Seal, 1000), (1..=16).collect(), "{scheme}");
        assert!(others(scheme, 0, Op::Open, 1).is_empty());
        for name in [scheme.to_string(), format!("{scheme} under 1000 keys")] {
            assert_eq!(plan.groups.iter().filter(|group| group.name == name).count(), 1, "{name}");
        }
    }
    // What fills the unit by itself has one way; of other tiers only CBC is asked.
    assert_eq!(lanes("AES-128-CTR", 0, Standing::Best), BTreeSet::from([1]));
    assert_eq!(others("AES-128-CTR", 0, Op::Seal, 1000), BTreeSet::from([1]));
    assert_eq!(lanes("AES-128-CBC", 2048, Standing::Tier), (1..=16).collect());
    assert!(
        lanes("AES-128-CCM", 128, Standing::Tier).is_empty() && lanes("AES-128-GCM", 128, Standing::Best).is_empty()
    );
    let alone = |op: Op, axis: Axis, keys: u64| -> BTreeSet<u64> {
        let is_it = |s: &&Spec| name(s) == "AES-128-GCM" && (s.op, s.axis, s.keys, s.batch) == (op, axis, keys, 1);
        all(&plan).filter(is_it).map(|s| s.bytes).collect()
    };
    let lengths = BTreeSet::from([32, 64, 128, 256, 512, 1024, 2048]);
    assert_eq!((alone(Op::Seal, Axis::Length, 1), alone(Op::Seal, Axis::Length, 1000)), (lengths.clone(), lengths));
    for (op, keys) in [(Op::Seal, 1), (Op::Seal, 1000), (Op::Open, 1)] {
        assert_eq!(alone(op, Axis::Mix, keys), BTreeSet::from([0]), "{op:?} under {keys} keys");
    }
    let place = |s: &Spec| (s.subject, name(s), s.op, s.axis, [s.bytes, s.keys, s.batch]);
    let mut seen = BTreeSet::new();
    assert!(all(&plan).all(|s| seen.insert(place(s))), "a point is there twice");
    assert!(plan.seconds() <= 90.0 && plan.groups.iter().all(|group| group.rounds > 5), "{} s", plan.seconds());
    // Contexts of a thousand keys are in no group with the messages of one.
    assert!(plan.groups.iter().all(|group| group.specs.iter().all(|s| (s.keys > 1) == (group.specs[0].keys > 1))));
    assert!(!plan.left_out.iter().any(|what| what.contains("CBC")), "{:?}", plan.left_out);
}
