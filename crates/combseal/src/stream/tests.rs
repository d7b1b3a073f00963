//! The format's known answers (`vectors/stream`, made by another implementation), and what no
//! caller can do: seal with given random values.

use super::copy::buffers;
use super::derive::HeaderKey;
use super::error::{Cost, Error, Unsupported};
use super::file::OpenedFile;
use super::header::{Header, Table};
use super::layout::{Layout, MAGIC, MOST_SEGMENTS};
use super::lock::{Argon2Caps, Argon2Costs, Lock, Unlock};
use super::memory::{open_vec, seal_body};
use super::opening::Opening;
use super::rekey::{Change, Step, steps};
use super::scheme;
use super::sealing::{Sealing, group};
use super::secret::Secret;
use super::settings::{Drawn, Settings, begin_with};
use super::slot::Slot;
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

/// How each way to open a stream ends. All agree, but that some look at the end first.
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
        let verified = it.verify().map_err(|error| format!("{error:?}"));
        let done = it.read_to_end(&mut file).map(drop).map_err(Error::from);
        assert_eq!(verified.as_ref().err(), done.as_ref().err().map(|error| format!("{error:?}")).as_ref());
        assert!(done.is_err() || file.len() as u64 == len);
        done
    });
    match (&all, &streamed, &seeking) {
        (Ok(plain), Ok(()), Ok(())) => assert!(*plain == read && *plain == file),
        (Err(a), Err(b), Err(c)) => {
            let (a, b, c) = (format!("{a:?}"), format!("{b:?}"), format!("{c:?}"));
            match Header::parse(sealed).map(|header| header.segments(sealed.len() as u64)) {
                // A length that no stream has is seen at once, where the length is.
                Ok(Err(Error::Truncated)) => {
                    let damaged = matches!(streamed, Err(Error::Damaged { .. } | Error::Truncated));
                    assert!(a == "Truncated" && c == a && damaged, "{a}, {b}, {c}");
                }
                // Who opens a file looks at its last segment first; who reads a stream, or all of
                // it in memory, comes to it last.
                Ok(Ok(segments)) => {
                    let end = format!("{:?}", Error::CutOrDamaged { segment: segments - 1 });
                    assert!(a == b && (c == b || c == end && b.starts_with("Damaged")), "{a}, {b}, {c}");
                }
                // The header's faults are the same for all.
                _ => assert!(a == b && b == c, "{a}, {b}, {c}"),
            }
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
    let (header, segments) = begin_with(&settings, locks, &drawn).unwrap();
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

/// A stream of no plaintext, and its random values, with these locks in three slots.
fn empty_stream(locks: &[Lock<'_>]) -> (Vec<u8>, Drawn) {
    let slot_salts = (0..locks.len()).map(|i| [40 + i as u8; 16]).collect();
    let drawn = Drawn { file_key: Secret([1; 32]), salt: [2; 32], slot_salts };
    let (mut bytes, segments) = begin_with(&Settings::new().slots(3), locks, &drawn).unwrap();
    let mut end = [0; 16];
    segments.seal(0, true, &mut end).unwrap();
    bytes.extend(end);
    (bytes, drawn)
}

fn write(bytes: &mut [u8], step: &Step, len: usize) {
    bytes[step.offset as usize..][..len].copy_from_slice(&step.bytes[..len]);
}

fn cheap(passphrase: &[u8]) -> Lock<'_> {
    Lock::Passphrase { passphrase, costs: Argon2Costs::legal(64, 2, 2).unwrap() }
}

/// Passphrases open whenever their change is interrupted, with caps that the slots before it meet
/// exactly and those after it too: one that stays counts once, and old and new do not add up.
#[test]
fn interrupted_changes_of_passphrases() {
    let (before, _) = empty_stream(&[cheap(b"old"), cheap(b"stays")]);
    let caps = Argon2Caps { memory_kib: 64, passes: 2, lanes: 2, work: 256 };
    let opened = |bytes: &[u8], passphrase, caps| open_vec(bytes, Unlock::Passphrase { passphrase, caps }, b"", 1);
    let opens = |bytes: &[u8], passphrase| opened(bytes, passphrase, caps).is_ok();
    let with = Unlock::Passphrase { passphrase: b"old", caps };
    let todo = steps(&before, &with, &Change::Own(cheap(b"new")), &[[50; 16]]).unwrap();
    let mut bytes = before;
    for (number, step) in todo.iter().enumerate() {
        let mark = step.bytes.len() == 32;
        for cut in (0..=step.bytes.len()).filter(|&cut| !mark || cut == 0) {
            let mut torn = bytes.clone();
            write(&mut torn, step, cut);
            assert!(opens(&torn, b"stays") && opens(&torn, if number < 2 { b"old" } else { b"new" }), "{number} {cut}");
        }
        write(&mut bytes, step, step.bytes.len());
        if number == 1 {
            assert!([&b"old"[..], b"new", b"stays"].iter().all(|it| opens(&bytes, it)) && !opens(&bytes, b"none"));
            let low = opened(&bytes, b"new", Argon2Caps { work: 255, ..caps });
            assert!(matches!(low, Err(Error::OverCap { of: Cost::Work, asked: 256, cap: 255 })));
            // The numbers are those of the new slots, of which an old passphrase is not.
            let change = Change::Remove(1);
            assert_eq!(Header::parse(&bytes).unwrap().slots().iter().flatten().count(), 2);
            assert!(matches!(steps(&bytes, &with, &change, &[]), Err(Error::Interrupted)));
            let mut removed = bytes.clone();
            let with = Unlock::Passphrase { passphrase: b"new", caps };
            steps(&bytes, &with, &change, &[]).unwrap().iter().for_each(|it| write(&mut removed, it, it.bytes.len()));
            assert!(opens(&removed, b"new") && !opens(&removed, b"stays") && !opens(&removed, b"old"));
        }
    }
    assert!(opens(&bytes, b"new") && opens(&bytes, b"stays") && !opens(&bytes, b"old"));
}

/// A change after which the passphrases would demand more than is allowed together is refused,
/// before any memory is taken; one that adds no passphrase is not.
#[test]
fn costs_of_the_whole_table() {
    let dear = Argon2Costs::new(1 << 20, 5, 4).unwrap();
    let (mut bytes, drawn) = empty_stream(&[Lock::Key(&[4; 32])]);
    let header = Header::parse(&bytes).unwrap();
    let mut slot = [9; 96];
    slot[..16].copy_from_slice(&[[2, 0, 0, 0], (1u32 << 20).to_be_bytes(), [0, 0, 0, 5], [0, 0, 0, 4]].concat());
    let mut slots = header.tables[0].as_ref().unwrap().slots.clone();
    slots[1] = Slot::parse(&slot).unwrap();
    assert_eq!(slots[1].unwrap().kind.costs(), Some(dear));
    let key = HeaderKey::new(&drawn.file_key, header.start()).unwrap();
    let table = Table::encode(&header.fixed, 0, 1, &slots, &key).unwrap();
    bytes[128..128 + table.len()].copy_from_slice(&table);

    let with = Unlock::Key(&[4; 32]);
    let costs = Argon2Costs::new(1 << 20, 4, 4).unwrap();
    let fourth = Lock::Passphrase { passphrase: b"p", costs };
    for change in [
        Change::Add(fourth),
        Change::Own(fourth),
        Change::All(&[fourth, Lock::Passphrase { passphrase: b"q", costs: dear }]),
    ] {
        assert!(matches!(steps(&bytes, &with, &change, &[[1; 16], [2; 16]]), Err(Error::Costs)), "{change:?}");
    }
    for change in [Change::Add(Lock::Key(&[5; 32])), Change::Add(cheap(b"p")), Change::Remove(1), Change::Remove(0)] {
        steps(&bytes, &with, &change, &[[1; 16]]).unwrap();
    }
}

/// What is replaced goes from every slot that it opens.
#[test]
fn the_same_lock_in_two_slots() {
    let key = [4; 32];
    let caps = Argon2Caps::default();
    for (lock, with) in
        [(Lock::Key(&key), Unlock::Key(&key)), (cheap(b"old"), Unlock::Passphrase { passphrase: b"old", caps })]
    {
        let (mut bytes, drawn) = empty_stream(&[Lock::Key(&[5; 32]), lock]);
        let header = Header::parse(&bytes).unwrap();
        let mut slots = header.tables[0].as_ref().unwrap().slots.clone();
        slots[2] = Some(Slot::seal(&lock, &[6; 16], header.start(), &drawn.file_key).unwrap());
        let table = HeaderKey::new(&drawn.file_key, header.start()).unwrap();
        let table = Table::encode(&header.fixed, 0, 1, &slots, &table).unwrap();
        bytes[128..128 + table.len()].copy_from_slice(&table);
        open_vec(&bytes, with, b"", 1).unwrap();
        assert!(matches!(steps(&bytes, &with, &Change::Add(lock), &[[7; 16]]), Err(Error::Locks)));
        let todo = steps(&bytes, &with, &Change::Own(cheap(b"new")), &[[7; 16]]).unwrap();
        todo.iter().for_each(|it| write(&mut bytes, it, it.bytes.len()));
        assert!(matches!(open_vec(&bytes, with, b"", 1), Err(Error::WrongKey)));
        open_vec(&bytes, Unlock::Passphrase { passphrase: b"new", caps }, b"", 1).unwrap();
        open_vec(&bytes, Unlock::Key(&[5; 32]), b"", 1).unwrap();
        assert_eq!(Header::parse(&bytes).unwrap().slots().iter().flatten().count(), 2);
        let again = Unlock::Passphrase { passphrase: b"new", caps };
        assert!(matches!(steps(&bytes, &again, &Change::Add(cheap(b"new")), &[[7; 16]]), Err(Error::SameLock)));
    }
}

/// The magic after every way of taking it for text that the format names.
#[test]
fn files_taken_for_text() {
    let texts = [
        &b"\x89CMB\n\x1a\n"[..],
        b"\x89CMB\r\r\n\x1a\r\n",
        b"\tCMB\r\n",
        b"?CMB\r\n",
        b"\xc2\x89CMB",
        b"\xef\xbf\xbdCMB",
    ];
    let marks = [&b""[..], b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
    let wide = [0x89, 0x09, 0x3f, 0xfffd].map(|first: u16| [first, 0x43, 0x4d, 0x42, 0x0d, 0x0a, 0x1a, 0x0a]);
    let low = wide.map(|it| it.map(u16::to_le_bytes).concat());
    let high = wide.map(|it| it.map(u16::to_be_bytes).concat());
    for text in texts.into_iter().chain(low.iter().chain(&high).map(|it| &it[..])) {
        for mark in marks {
            let mut bytes = [mark, text].concat();
            bytes.resize(2000, 7);
            assert!(matches!(Header::parse(&bytes), Err(Error::TextDamaged)), "{text:x?}");
        }
    }
    for other in [&b"CMB\r\n"[..], b"\x88CMB", b"\0CMB", b"\x89cmb"] {
        assert!(matches!(Header::parse(other), Err(Error::NotSealed)), "{other:x?}");
    }
    assert!(matches!(Header::parse(&MAGIC[..5]), Err(Error::Truncated)));
}

/// What is held at once is bounded, whatever the segments and however many the threads; and each
/// thread has something to do where that leaves room for it.
#[test]
fn memory_is_bounded() {
    for shift in 12..=24 {
        for threads in 1..=256 {
            let segment = 1usize << shift;
            let (in_one, count) = buffers(segment, threads);
            let all = in_one * count * segment;
            assert!(
                in_one > 0 && count >= 3 && all <= if shift < 24 { 32 << 20 } else { 48 << 20 },
                "{segment} {threads}"
            );
            assert!(count / 2 >= threads.min((16 << 20) / (in_one * segment)), "{segment} {threads} {count}");
            let group = group(segment, threads);
            assert!(
                (segment..=32 << 20).contains(&(group * segment)) && group >= threads.min((32 << 20) / segment).min(64)
            );
        }
    }
}

/// What is shown of a header is what it says, not its bytes.
#[test]
fn headers_are_shown_in_short() {
    let (bytes, _) = empty_stream(&[Lock::Key(&[4; 32])]);
    let shown = format!("{:?}", Header::parse(&bytes).unwrap());
    assert!(shown.len() < 200 && shown.contains("65536") && shown.contains("Key"), "{shown}");
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
    let (_, segments) = begin_with(&Settings::new().segment_len(4096), &[Lock::Key(&[4; 32])], &drawn).unwrap();
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
