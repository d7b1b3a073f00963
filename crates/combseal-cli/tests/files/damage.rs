//! Files that were cut, changed or put together wrongly: none opens, nothing that was not sealed
//! comes out, and the exit code says which it was.

use super::context::*;

/// Every length that a small file can be cut to. By a file nothing is left; by a pipe nothing
/// comes out, since its one segment is not whole.
#[test]
fn every_cut() {
    let place = Place::new();
    let plain = bytes(100, 1);
    let name = place.sealed("file", &plain);
    let sealed = place.read(&name);
    let halves = sealed.len() / 2;
    std::thread::scope(|scope| {
        for range in [0..halves, halves..sealed.len()] {
            let (place, sealed) = (&place, &sealed);
            scope.spawn(move || {
                for len in range {
                    let name = format!("cut-{len}.sealed");
                    place.write(&name, &sealed[..len]);
                    let done = place.run(&["open", "-k", "key", &name]);
                    done.is(TRUNCATED);
                    assert!(!place.has(&format!("cut-{len}")), "{len}");
                    if len % 8 == 0 {
                        assert!(place.piped(&["open", "-k", "key", "-"], &sealed[..len]).is(TRUNCATED).out.is_empty());
                    }
                }
            });
        }
    });
    assert!(!place.names().iter().any(|name| name.ends_with(".part")));
}

/// A cut after each whole segment, and within segments: a pipe gets a beginning of what was
/// sealed, a clear line and the exit code; a file does not appear.
#[test]
fn cut_segments() {
    let place = Place::new();
    let plain = bytes(40 * SEGMENT + 9, 2);
    let name = place.sealed("file", &plain);
    std::fs::remove_file(place.path("file")).unwrap();
    let sealed = place.read(&name);
    let header = sealed.len() - plain.len() - 41 * 16;
    for segments in 0..=40 {
        for rest in [0, 1, 15, 16, 1000, SEGMENT + 15] {
            let len = header + segments * (SEGMENT + 16) + rest;
            if len >= sealed.len() {
                continue;
            }
            place.write("cut.sealed", &sealed[..len]);
            let piped = place.run(&["open", "-k", "key", "cut.sealed", "-o", "-"]);
            piped.is(TRUNCATED).says("cut");
            assert!(plain.starts_with(&piped.out) && piped.out.len() <= segments * SEGMENT, "{segments} {rest}");
            if !piped.out.is_empty() {
                piped.says("bytes that were authentic had been written before");
            }
            if segments % 8 == 0 {
                place.run(&["open", "-k", "key", "cut.sealed"]).is(TRUNCATED);
                let verified = place.run(&["open", "-k", "key", "cut.sealed", "--verify", "-o", "-"]);
                assert!(verified.is(TRUNCATED).out.is_empty());
                // A part of a file whose end is missing is no part of a file.
                let part = place.run(&["open", "-k", "key", "cut.sealed", "--range", "0..0"]);
                assert!(part.is(TRUNCATED).out.is_empty());
            }
        }
    }
    assert_eq!(place.names(), ["cut.sealed", "file.sealed"]);
}

/// Single bits anywhere in the header and in what follows.
#[test]
fn changed_bits() {
    let place = Place::new();
    let plain = bytes(2 * SEGMENT + 50, 3);
    let name = place.sealed("file", &plain);
    let sealed = place.read(&name);
    let header = sealed.len() - plain.len() - 3 * 16;
    let places = (0..header).step_by(7).chain((header..sealed.len()).step_by(977)).chain([sealed.len() - 1]);
    for at in places {
        let mut changed = sealed.clone();
        changed[at] ^= 1 << (at % 8);
        place.write("changed", &changed);
        let done = place.run(&["open", "-k", "key", "changed", "-o", "-"]);
        let expected: &[i32] = match at {
            ..8 => &[DAMAGED, UNSUPPORTED],
            8..16 => &[UNSUPPORTED, DAMAGED, TRUNCATED],
            _ if at < header => &[DAMAGED, UNSUPPORTED],
            _ if at < header + 2 * (SEGMENT + 16) => &[DAMAGED],
            _ => &[TRUNCATED],
        };
        assert!(expected.contains(&done.code.unwrap()), "{at} of {header}: {done:?}");
        assert!(plain.starts_with(&done.out) && done.out.len() < plain.len(), "{at}");
        if let Some(body) = at.checked_sub(header) {
            let segment = body / (SEGMENT + 16);
            done.says(&format!("segment {segment} begins at byte {}", grouped(header + segment * (SEGMENT + 16))));
        }
    }
}

/// With commas, as people read it.
fn grouped(n: usize) -> String {
    if n < 1000 { n.to_string() } else { format!("{},{:03}", grouped(n / 1000), n % 1000) }
}

/// Segments swapped, doubled, left out; two files' segments mixed; something behind the end.
#[test]
fn put_together_wrongly() {
    let place = Place::new();
    let plain = bytes(4 * SEGMENT + 50, 4);
    let one = place.read(&place.sealed("one", &plain));
    let other = place.read(&place.sealed("other", &plain));
    let header = one.len() - plain.len() - 5 * 16;
    let cut = |sealed: &[u8]| {
        let (first, rest) = sealed.split_at(header);
        (first.to_vec(), rest.chunks(SEGMENT + 16).map(<[u8]>::to_vec).collect::<Vec<_>>())
    };
    let ((first, all), (other_first, others)) = (cut(&one), cut(&other));
    let join =
        |first: &[u8], order: &[&Vec<u8>]| [first, &order.iter().flat_map(|s| s.to_vec()).collect::<Vec<_>>()].concat();
    let a = |i: usize| &all[i];
    assert!(join(&first, &[a(0), a(1), a(2), a(3), a(4)]) == one);
    let trailing = [&one[..], b"\0"].concat();
    let whole_tail = [&one[..], &all[1]].concat();
    for (what, wrong) in [
        ("swapped", join(&first, &[a(1), a(0), a(2), a(3), a(4)])),
        ("doubled", join(&first, &[a(0), a(0), a(1), a(2), a(3), a(4)])),
        ("left out", join(&first, &[a(0), a(2), a(3), a(4)])),
        ("last first", join(&first, &[a(4)])),
        ("last twice", join(&first, &[a(0), a(1), a(2), a(3), a(4), a(4)])),
        ("of another file", join(&first, &[a(0), &others[1], a(2), a(3), a(4)])),
        ("another's end", join(&first, &[a(0), a(1), a(2), a(3), &others[4]])),
        ("another's header", join(&other_first, &[a(0), a(1), a(2), a(3), a(4)])),
        ("a byte behind", trailing),
        ("a segment behind", whole_tail),
        ("two files", [&one[..], &other[..]].concat()),
    ] {
        let done = place.piped(&["open", "-k", "key", "-"], &wrong);
        assert!([DAMAGED, TRUNCATED].contains(&done.code.unwrap()), "{what}: {done:?}");
        assert!(plain.starts_with(&done.out) && done.out.len() < plain.len(), "{what}: {} bytes", done.out.len());
        place.write("wrong.sealed", &wrong);
        let verified = place.run(&["open", "-k", "key", "--verify", "wrong.sealed"]);
        assert!([DAMAGED, TRUNCATED].contains(&verified.code.unwrap()) && verified.out.is_empty(), "{what}");
    }
}

/// What is no sealed file, and what was one before something took it for text.
#[test]
fn not_sealed() {
    let place = Place::new();
    let sealed = place.read(&place.sealed("file", b"text"));
    place.piped(&["open", "-k", "key", "-"], b"").is(TRUNCATED);
    place.piped(&["open", "-k", "key", "-"], b"any other file, of some length").is(UNSUPPORTED).says("not a sealed");
    place.piped(&["inspect", "-"], b"any other file, of some length").is(UNSUPPORTED);
    let unix: Vec<u8> = String::from_utf8_lossy(&sealed).replace("\r\n", "\n").into_bytes();
    place.piped(&["open", "-k", "key", "-"], &unix).is(DAMAGED).says("text");
    let seven: Vec<u8> = sealed.iter().map(|b| b & 0x7f).collect();
    place.piped(&["open", "-k", "key", "-"], &seven).is(DAMAGED).says("text");
    let mut version = sealed.clone();
    version[8] = 2;
    place.piped(&["open", "-k", "key", "-"], &version).is(UNSUPPORTED).says("version 2");
}
