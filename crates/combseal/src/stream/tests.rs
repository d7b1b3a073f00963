//! The format's known answers (`vectors/stream`, made by another implementation), and what no
//! caller can do: seal with given random values.

use super::error::{Error, Unsupported};
use super::file::OpenedFile;
use super::header::Header;
use super::layout::{Layout, MOST_SEGMENTS};
use super::lock::{Argon2Caps, Argon2Costs, Lock, Unlock};
use super::memory::{open_vec, seal_body};
use super::opening::Opening;
use super::rekey::{Change, steps};
use super::scheme;
use super::sealing::Sealing;
use super::secret::Secret;
use super::settings::{Drawn, Settings, begin};
use super::threads::Threads;
use crate::key::Algorithm;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::{Cursor, Read, Write};
use std::{format, string::String, vec, vec::Vec};

fn unhex(text: &Value) -> Vec<u8> {
    let text = text.as_str().unwrap_or_default();
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

fn tests(name: &str) -> Vec<Value> {
    let path = format!("{}/../../vectors/stream/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(file["format"], "combseal stream 1");
    let tests = file["tests"].as_array().unwrap().clone();
    assert!(!tests.is_empty());
    tests
}

/// SHA-256(seed || 0) || SHA-256(seed || 1) || …, the number in eight bytes.
fn stretch(seed: &[u8], len: usize) -> Vec<u8> {
    let blocks = (0..len.div_ceil(32) as u64)
        .flat_map(|i| Sha256::new().chain_update(seed).chain_update(i.to_be_bytes()).finalize());
    blocks.take(len).collect()
}

/// The error's name in the vectors.
fn name(error: &Error) -> &'static str {
    match error {
        Error::NotSealed => "not_sealed",
        Error::TextDamaged => "text_damaged",
        Error::Unsupported(_) => "unsupported",
        Error::OverCap { .. } => "over_cap",
        Error::DamagedHeader => "damaged_header",
        Error::WrongKey => "wrong_key",
        Error::WrongContext => "wrong_context",
        Error::Damaged { .. } => "damaged",
        Error::CutOrDamaged { .. } => "cut_or_damaged",
        Error::Truncated => "truncated",
        other => panic!("{other}"),
    }
}

/// Whether a scheme that this build leaves out is all that is wrong.
fn left_out(error: &Error) -> bool {
    matches!(error, Error::Unsupported(Unsupported::NotBuilt(_)))
}

/// How each way to open a stream ends; in which all but the whole-or-nothing ones must agree.
fn open(sealed: &[u8], with: Unlock<'_>, context: &[u8]) -> Result<Vec<u8>, Error> {
    let all = open_vec(sealed, with, context, 1);
    let mut read = Vec::new();
    let streamed = Opening::new(sealed, with, context, 1).and_then(|mut it| {
        let done = it.read_to_end(&mut read);
        assert_eq!(done.is_ok(), it.is_whole());
        Ok(done.map(drop)?)
    });
    let mut file = Vec::new();
    let seeking = OpenedFile::new(Cursor::new(sealed), with, context, 1).and_then(|mut it| {
        let len = it.len();
        let verified = it.verify().map_err(|error| name(&error));
        let done = it.read_to_end(&mut file);
        assert_eq!(verified.is_ok(), done.is_ok());
        assert!(done.is_err() || file.len() as u64 == len);
        Ok(done.map(drop)?)
    });
    match (&all, &streamed, &seeking) {
        (Ok(plain), Ok(()), Ok(())) => assert!(*plain == read && *plain == file),
        // Who opens a file looks at its end first, who reads a stream comes to it last.
        (Err(a), Err(b), Err(c)) => {
            let end = ["truncated", "cut_or_damaged", "damaged"];
            assert!(name(a) == name(b) || end.contains(&name(a)) && end.contains(&name(b)), "{a}, {b}");
            assert!(name(b) == name(c) || end.contains(&name(b)) && end.contains(&name(c)), "{b}, {c}");
        }
        others => panic!("{others:?}"),
    }
    // A stream that is not whole has given a beginning; its error is the one that is told.
    streamed.map(|()| read)
}

fn check(name_: &str) -> usize {
    let mut opened = 0;
    for test in tests(name_) {
        let at = format!("{name_} {} ({})", test["id"], test["comment"]);
        let (sealed, context) = (unhex(&test["sealed"]), unhex(&test["context"]));
        let key: Option<[u8; 32]> = unhex(&test["key"]).try_into().ok();
        let passphrase = unhex(&test["passphrase"]);
        let with = match &key {
            Some(key) => Unlock::Key(key),
            None => Unlock::Passphrase { passphrase: &passphrase, caps: Argon2Caps::default() },
        };
        match (open(&sealed, with, &context), test["error"].as_str()) {
            (Err(error), _) if left_out(&error) => {}
            (Err(error), Some(expected)) => assert_eq!(name(&error), expected, "{at}"),
            (Ok(plain), None) => {
                opened += 1;
                assert_eq!(plain.len() as u64, test["length"], "{at}");
                assert_eq!(plain, stretch(b"plaintext", plain.len()), "{at}");
                assert_eq!(Sha256::digest(&plain)[..], unhex(&test["plaintext_sha256"]), "{at}");
                if let (Some(key), Some(_)) = (key, test["file_key"].as_str()) {
                    seals(&test, &key, &plain, &sealed, &at);
                }
            }
            (result, expected) => panic!("{at}: {:?}, not {expected:?}", result.map(drop)),
        }
    }
    opened
}

/// From the same random values the library makes the same bytes.
fn seals(test: &Value, key: &[u8; 32], plain: &[u8], sealed: &[u8], at: &str) {
    let second: [u8; 32] = core::array::from_fn(|i| 32 + i as u8);
    let costs = Argon2Costs::legal(64, 2, 2).unwrap();
    let passphrase = "a passphrase, späte Nacht".as_bytes();
    let all = [Lock::Key(key), Lock::Passphrase { passphrase, costs }, Lock::Key(&second)];
    let locks = if test["comment"] == "the first of three slots" { &all[..] } else { &all[..1] };
    let settings = Settings::new()
        .scheme(Algorithm::by_name(test["scheme"].as_str().unwrap()).unwrap())
        .segment_len(test["segment_len"].as_u64().unwrap() as usize)
        .slots(test["slots"].as_u64().unwrap() as u8)
        .context(&unhex(&test["context"]));
    let drawn = Drawn {
        file_key: Secret(unhex(&test["file_key"]).try_into().unwrap()),
        salt: unhex(&test["salt"]).try_into().unwrap(),
        slot_salts: test["slot_salts"].as_array().unwrap().iter().map(|it| unhex(it).try_into().unwrap()).collect(),
    };
    let (header, segments) = begin(&settings, locks, &drawn).unwrap();
    assert_eq!(header, sealed[..header.len()], "{at}");
    let mut body = vec![0; sealed.len() - header.len()];
    seal_body(&segments, &Threads::Caller, plain, &mut body).unwrap();
    assert!(body == sealed[header.len()..], "{at}");
    let mut sealing = Sealing::with(Vec::new(), &header, segments, Threads::Caller).unwrap();
    plain.chunks(1000).for_each(|piece| sealing.write_all(piece).unwrap());
    assert!(sealing.finish().unwrap() == sealed, "{at}");
}

#[test]
fn good_streams() {
    let opened = check("good");
    assert!(if cfg!(feature = "schemes") { opened == tests("good").len() } else { opened > 8 });
}

#[test]
fn streams_whose_slots_are_being_changed() {
    assert_eq!(check("changing"), 8);
}

#[test]
fn bad_streams() {
    assert_eq!(check("bad"), 0);
}

/// The steps of a change are those of the vectors, and whenever they are interrupted, within a
/// step too, the stream opens with the old key or with the new one.
#[test]
fn interrupted_changes() {
    let (old, new): ([u8; 32], [u8; 32]) = (core::array::from_fn(|i| i as u8), core::array::from_fn(|i| 32 + i as u8));
    let all = tests("changing");
    let named = |comment: &str| unhex(&all.iter().find(|it| it["comment"] == comment).unwrap()["sealed"]);
    let before = named("before");
    let salt = stretch(b"new slot", 16).try_into().unwrap();
    let change = Change::Own(Lock::Key(&new));
    let steps_of = |bytes: &[u8], key, change: &Change<'_>| steps(bytes, &Unlock::Key(key), change, &[salt]).unwrap();
    let todo = steps_of(&before, &old, &change);
    let after = ["marked", "both, the old key", "old table gone", "done"];
    let mut bytes = before.clone();
    for (number, (step, comment)) in todo.iter().zip(after).enumerate() {
        let at = step.offset as usize;
        // The mark is written whole or not at all.
        let cuts: Vec<usize> = if step.bytes.len() == 32 { vec![] } else { (0..step.bytes.len()).collect() };
        for cut in cuts {
            let mut torn = bytes.clone();
            torn[at..at + cut].copy_from_slice(&step.bytes[..cut]);
            let opens = |key| open_vec(&torn, Unlock::Key(key), b"", 1).is_ok();
            assert!(if number < 2 { opens(&old) } else { opens(&new) }, "{comment} {cut}");
            // And the next change clears up, whichever key it is made with.
            for key in [&old, &new] {
                let Ok(again) = steps(&torn, &Unlock::Key(key), &change, &[salt]) else { continue };
                let mut cleared = torn.clone();
                for step in again {
                    cleared[step.offset as usize..][..step.bytes.len()].copy_from_slice(&step.bytes);
                    assert!([&old, &new].iter().any(|key| open_vec(&cleared, Unlock::Key(key), b"", 1).is_ok()));
                }
                assert!(open_vec(&cleared, Unlock::Key(&new), b"", 1).is_ok());
                assert!(matches!(open_vec(&cleared, Unlock::Key(&old), b"", 1), Err(Error::WrongKey)));
                assert!(!Header::parse(&cleared).unwrap().interrupted());
            }
        }
        bytes[at..at + step.bytes.len()].copy_from_slice(&step.bytes);
        assert!(bytes == named(comment), "{comment}");
    }
}

/// What a stream may be at most follows from the scheme and from five bytes of number, and
/// arithmetic at the ends of 64 bits does not wrap.
#[test]
fn the_longest_streams() {
    for &algorithm in Algorithm::ALL {
        let Ok(layout) = Layout::new(scheme::number(algorithm).unwrap(), 16, 4) else { panic!("{algorithm}") };
        let limits = algorithm.description().limits;
        let most = MOST_SEGMENTS.min(limits.key_messages).min(limits.key_blocks / 4097);
        let end = layout.offset(most - 1).unwrap();
        assert!(layout.offset(most).is_err());
        let longest = most * (1 << 16) - 1;
        assert_eq!(layout.plaintext_len(layout.sealed_len(longest).unwrap()).unwrap(), longest, "{algorithm}");
        assert_eq!(layout.segments(end + 16).unwrap(), (most - 1, 0));
        for too_long in [longest + 1, longest + 2, u64::MAX] {
            assert!(matches!(layout.sealed_len(too_long), Err(Error::TooLong)), "{algorithm} {too_long}");
        }
        assert!(matches!(layout.segments(u64::MAX), Err(Error::TooLong | Error::Truncated)));
        for short in 0..1024 + 16 {
            assert!(matches!(layout.segments(short), Err(Error::Truncated)));
        }
    }
    let widest = Layout::new(3, 24, 16).unwrap();
    assert!(widest.offset(u64::MAX).is_err() && widest.sealed_len(u64::MAX).is_err());
}

/// A segment number beyond the last one is refused before it is sealed or opened.
#[test]
fn too_many_segments() {
    let drawn = Drawn { file_key: Secret([1; 32]), salt: [2; 32], slot_salts: vec![[3; 16]] };
    let (_, segments) = begin(&Settings::new().segment_len(4096), &[Lock::Key(&[4; 32])], &drawn).unwrap();
    let mut segment = vec![0; 16];
    // OCB3's limit: 2^48 blocks, of which a segment takes 257.
    let most = (1u64 << 48) / 257;
    segments.seal(most - 1, true, &mut segment).unwrap();
    assert!(matches!(segments.seal(most, true, &mut segment), Err(Error::TooLong)));
    assert!(matches!(segments.open(most, true, &mut segment), Err(Error::TooLong)));
}

/// Nothing secret is printed.
#[test]
fn secrets_are_not_printed() {
    let lock = Lock::Passphrase { passphrase: b"swordfish", costs: Argon2Costs::default() };
    let unlock = Unlock::Passphrase { passphrase: b"swordfish", caps: Argon2Caps::default() };
    let all: [String; 5] = [
        format!("{lock:?}"),
        format!("{unlock:?}"),
        format!("{:?}", Lock::Key(&[77; 32])),
        format!("{:?}", Unlock::Key(&[77; 32])),
        format!("{:?}", Secret([77; 32])),
    ];
    for text in all {
        assert!(text.contains("secret") && !text.contains("swordfish") && !text.contains("77"), "{text}");
        assert!(!text.contains("115"), "{text}");
    }
}
