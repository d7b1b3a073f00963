//! Every known answer of `vectors/`, on every tier, the library's on the models too; and proof
//! that the checker would notice.

use combseal::Cpu;
use combseal_cli::vectors::{
    Case, Ciphertext, Expected, Limits, Streams, Suite, Vectors, Verdict, archived, check::check, files, read, stream,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// Every file's name and tests.
fn suites() -> Vec<(String, Suite)> {
    let files = files::collect(&folder()).unwrap();
    let suite = |file: &PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        match read(&std::fs::read(file).unwrap(), Limits::default()).unwrap() {
            Vectors::Suite(suite) => Some((name, suite)),
            Vectors::Archived(_) | Vectors::Stream(_) | Vectors::Sealed { .. } => None,
            Vectors::Unknown { scheme, .. } => panic!("{name} has an unknown scheme, {scheme}"),
        }
    };
    files.iter().filter_map(suite).collect()
}

/// The archive's: its own tests run them on every tier; here it is the command's reading and
/// checking that is tested.
#[test]
fn the_archive() {
    let mut files = files::collect(&folder().join("archive")).unwrap();
    files.retain(|file| !file.starts_with(folder().join("archive/stream")));
    let mut passed = 0;
    for file in &files {
        let name = file.display();
        let Vectors::Archived(mut suite) = read(&std::fs::read(file).unwrap(), Limits::default()).unwrap() else {
            panic!("{name} is not of a scheme of the archive");
        };
        let report = archived::check(&suite, &[Cpu::detect()]);
        assert!(report.failures.is_empty(), "{name}: {:#?}", report.failures);
        passed += report.passed;
        // A changed byte of what is expected is noticed.
        let Some(case) = suite.cases.iter().find(|case| case.verdict == Verdict::Valid && case.msg.len() > 20) else {
            panic!("{name} has no valid test");
        };
        let mut case = case.clone();
        case.msg[7] ^= 1;
        suite.cases = vec![case];
        assert_eq!(archived::check(&suite, &[Cpu::detect()]).failures.len(), 1, "{name}");
    }
    // So that no file is lost without a word.
    assert_eq!((files.len(), passed), (32, 5_445));
}

/// The archive's stream ciphers: all pass, none is skipped, and a changed byte is noticed.
#[test]
fn the_stream_ciphers() {
    let tiers: Vec<Cpu> = Cpu::all().filter(|cpu| !cpu.is_pretended()).collect();
    let files = files::collect(&folder().join("archive/stream")).unwrap();
    let mut passed = 0;
    for file in &files {
        let name = file.display();
        let Vectors::Stream(suite) = read(&std::fs::read(file).unwrap(), Limits::default()).unwrap() else {
            panic!("{name} is not of a stream cipher of the archive");
        };
        let report = stream::check(&suite, &tiers);
        assert!(report.failures.is_empty(), "{name}: {:#?}", report.failures);
        passed += report.passed;
        let changed = match suite {
            Streams::KeyStream(ciphers, cases) => {
                let mut case = cases.into_iter().find(|case| case.len > 64).unwrap();
                match &mut case.expected {
                    Expected::Bytes(bytes) | Expected::Sha256(bytes, _) => bytes[30] ^= 1,
                }
                Streams::KeyStream(ciphers, vec![case])
            }
            Streams::System(systems, cases) => {
                let mut case = cases.into_iter().find(|case| case.msg.len() > 20).unwrap();
                case.msg[7] ^= 1;
                Streams::System(systems, vec![case])
            }
        };
        assert_eq!(stream::check(&changed, &[Cpu::detect()]).failures.len(), 1, "{name}");
    }
    // So that no file is lost without a word.
    assert_eq!((files.len(), passed), (64, 2_766));
}

#[test]
fn every_known_answer() {
    let (suites, next) = (suites(), AtomicUsize::new(0));
    let tiers: Vec<Cpu> = Cpu::all().collect();
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let worker = || {
        let mut passed = 0;
        while let Some((name, suite)) = suites.get(next.fetch_add(1, Ordering::Relaxed)) {
            let report = check(suite, &tiers);
            assert!(report.failures.is_empty(), "{name}: {:#?}", report.failures);
            passed += report.passed;
        }
        passed
    };
    let passed: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).sum()
    });
    // So that no file is lost without a word.
    assert_eq!((suites.len(), passed), (66, 13_967));
}

/// A bit changed in what a test expects, gives or calls a forgery is noticed, in every file.
#[test]
fn every_flip_is_noticed() {
    for (name, suite) in suites() {
        let valid = suite.cases.iter().filter(|c| c.verdict == Verdict::Valid && c.tag.len() > 7);
        let (Some(case), Some(long)) = (valid.clone().next(), valid.max_by_key(|c| c.msg.len())) else { continue };
        for (i, case) in [case, long].into_iter().enumerate() {
            let flips: [fn(&mut Case) -> &mut Vec<u8>; 6] = [
                |c| &mut c.tag,
                |c| &mut c.msg,
                |c| &mut c.key,
                |c| c.ads.first_mut().unwrap_or(&mut c.msg),
                |c| c.nonce.as_mut().unwrap_or(&mut c.msg),
                |c| match &mut c.ct {
                    Ciphertext::Bytes(b) | Ciphertext::Sha256(b) => b,
                },
            ];
            for (j, flip) in flips.into_iter().enumerate() {
                // CMAC has an unused nonce; it comes as one that is empty.
                let mut changed = case.clone();
                let bytes = flip(&mut changed);
                let n = bytes.len();
                let Some(byte) = bytes.get_mut((37 * (i + j)) % n.max(1)) else { continue };
                *byte ^= 1 << (j % 8);
                let suite = Suite { cases: vec![changed], iterated: Vec::new(), ..suite };
                let report = check(&suite, &[Cpu::detect()]);
                assert_eq!((report.passed, report.failures.len()), (0, 1), "{name}, field {j}");
            }
        }
    }
}

/// A valid test that is called a forgery fails, and a forgery that is called valid.
#[test]
fn verdicts_matter() {
    for (name, suite) in suites() {
        for mut case in suite.cases.iter().step_by(31).cloned() {
            if matches!(case.ct, Ciphertext::Sha256(_)) || case.tag.is_empty() || case.verdict == Verdict::Either {
                continue;
            }
            case.verdict = if case.verdict == Verdict::Valid { Verdict::Forged } else { Verdict::Valid };
            let suite = Suite { cases: vec![case], iterated: Vec::new(), ..suite };
            assert_eq!(check(&suite, &[Cpu::detect()]).failures.len(), 1, "{name}");
        }
    }
}
