//! Who can open a file, changed in place; and that it opens whenever the change is interrupted.

use super::context::*;
use super::keys::CHEAP;
use super::killed::{Waits, kill_after};
use rustix::process::Signal;
use std::cell::Cell;

fn place() -> Place {
    let place = Place::new();
    for name in ["second", "third"] {
        place.run(&["keygen", "-o", name]).is(OK);
    }
    place.write("phrase", b"correct horse");
    place.write("new-phrase", b"battery staple");
    place
}

fn opens(place: &Place, with: &[&str]) -> bool {
    let done = place.run(&[&["open", "file.sealed", "-o", "-"], with].concat());
    assert!([Some(OK), Some(WRONG_KEY)].contains(&done.code), "{done:?}");
    assert_eq!(done.code == Some(OK), !done.out.is_empty());
    done.code == Some(OK)
}

const KEY: [&str; 2] = ["-k", "key"];
const SECOND: [&str; 2] = ["-k", "second"];
const THIRD: [&str; 2] = ["-k", "third"];
const PHRASE: [&str; 2] = ["--passphrase-file", "phrase"];
const NEW_PHRASE: [&str; 2] = ["--passphrase-file", "new-phrase"];

/// One for another, one more, these and no others, one less; the data stays as it is.
#[test]
fn changes() {
    let place = place();
    let plain = bytes(3 * SEGMENT, 1);
    let name = place.sealed("file", &plain);
    let before = place.read(&name);
    let rekey = |args: &[&str]| place.run(&[&["rekey", "file.sealed"], args].concat());

    rekey(&["-k", "key", "--new-key-file", "second"]).is(OK);
    assert!(!opens(&place, &KEY) && opens(&place, &SECOND));

    let passphrase = ["-k", "second", "--add", "--new-passphrase-file", "phrase"];
    rekey(&[&passphrase[..], &CHEAP].concat()).is(OK);
    assert!(opens(&place, &SECOND) && opens(&place, &PHRASE));

    let another = ["--passphrase-file", "phrase", "--new-passphrase-file", "new-phrase"];
    rekey(&[&another[..], &CHEAP].concat()).is(OK);
    assert!(opens(&place, &SECOND) && opens(&place, &NEW_PHRASE) && !opens(&place, &PHRASE));

    rekey(&["-k", "second", "--remove", "1"]).is(OK);
    assert!(opens(&place, &SECOND) && !opens(&place, &NEW_PHRASE));
    rekey(&["-k", "second", "--remove", "0"]).is(USAGE).says("is the last one");
    rekey(&["-k", "second", "--remove", "3"]).is(USAGE).says("nothing in key slot 3");
    rekey(&["-k", "second", "--remove", "4"]).is(USAGE).says("nothing in key slot 4");

    rekey(&["-k", "second", "--only", "--new-key-file", "key", "--new-key-file", "third"]).is(OK);
    assert!(opens(&place, &KEY) && opens(&place, &THIRD) && !opens(&place, &SECOND));

    let now = place.read(&name);
    let header = before.len() - plain.len() - 4 * 16;
    assert!(now[header..] == before[header..] && now[..header] != before[..header] && now.len() == before.len());
    assert!(place.run(&["open", "-k", "key", &name, "-o", "-"]).is(OK).out == plain);
}

/// What does not make sense changes nothing.
#[test]
fn refused() {
    let place = place();
    let name = place.sealed("file", b"text");
    let before = place.read(&name);
    let rekey = |args: &[&str]| place.run(&[&["rekey", "file.sealed"], args].concat());
    rekey(&["-k", "second", "--new-key-file", "third"]).is(WRONG_KEY);
    rekey(&["-k", "key"]).is(USAGE).says("which key or passphrase");
    rekey(&["--new-key-file", "second"]).is(USAGE).says("open with what");
    rekey(&["-k", "key", "--new-key-file", "second", "--new-key-file", "third"]).is(USAGE).says("--only");
    rekey(&["-k", "key", "--new-key-file", "second", "--remove", "0"]).is(USAGE);
    rekey(&["-k", "key", "--add", "--only", "--new-key-file", "second"]).is(USAGE);
    rekey(&["-k", "-", "--new-key-file", "-"]).is(USAGE).says("more than one");
    rekey(&["-k", "key", "--new-key-file", "missing"]).is(IO);
    place.piped(&["rekey", "/dev/stdin", "-k", "key", "--new-key-file", "second"], &before).is(USAGE);
    assert_eq!(place.read(&name), before);
    // One that opens it already needs no slot more.
    rekey(&["-k", "key", "--add", "--new-key-file", "key"]).is(USAGE).says("twice");
    assert_eq!(place.read(&name), before);
    // Four slots, and no room for a fifth; a file that was sealed with more has it.
    for key in ["a", "b", "c", "d"] {
        place.run(&["keygen", "-o", key]).is(OK);
    }
    for key in ["a", "b", "c"] {
        rekey(&["-k", "key", "--add", "--new-key-file", key]).is(OK);
    }
    let full = place.read(&name);
    rekey(&["-k", "key", "--add", "--new-key-file", "d"]).is(USAGE).says("--remove").says("--slots");
    let five = ["a", "b", "c", "d", "key"].map(|key| ["--new-key-file", key]).concat();
    rekey(&[&["-k", "key", "--only"][..], &five].concat()).is(USAGE).says("--slots");
    assert_eq!(place.read(&name), full);
    let four = ["key", "a", "b", "c"].map(|key| ["-k", key]).concat();
    place.run(&[&["seal", "-f", "file", "--slots", "5"][..], &four].concat()).is(OK);
    rekey(&["-k", "key", "--add", "--new-key-file", "d"]).is(OK);
    assert!(opens(&place, &["-k", "d"]) && opens(&place, &["-k", "c"]));
    for slots in ["0", "17"] {
        place.run(&["seal", "-f", "file", "-k", "key", "--slots", slots]).is(USAGE);
    }
}

/// `kill -9` at any moment: the file opens with the old key or the new one, and the next change
/// ends what was begun.
#[test]
fn kill_9() {
    let place = place();
    place.sealed("file", b"text");
    let (mut now, mut next) = ("key", "second");
    let mut waits = Waits::of(|| {
        place.run(&["rekey", "file.sealed", "-k", now, "--new-key-file", next]).is(OK);
        (now, next) = (next, now);
    });
    let unfinished = Cell::new(0);
    // 60 times, and where most had ended before, until some were killed.
    for i in (0..300u32).take_while(|&i| i < 60 || unfinished.get() <= 10) {
        let args = ["rekey", "file.sealed", "-k", now, "--new-key-file", next];
        let after = waits.run(i);
        if kill_after(&mut place.command(&args), after, Signal::KILL) {
            waits.ended(after);
        } else {
            unfinished.set(unfinished.get() + 1);
        }
        let (old, new) = (opens(&place, &["-k", now]), opens(&place, &["-k", next]));
        assert!(old || new, "neither opens");
        if new {
            (now, next) = (next, now);
        }
    }
    assert!(unfinished.get() > 10, "{} of 300 were killed", unfinished.get());
    place.run(&["rekey", "file.sealed", "-k", now, "--new-key-file", "third", "--only"]).is(OK);
    assert!(opens(&place, &THIRD) && !opens(&place, &["-k", now]) && !opens(&place, &["-k", next]));
    let about = String::from_utf8(place.run(&["inspect", "file.sealed", "--json"]).is(OK).out.clone()).unwrap();
    assert!(about.contains("\"rekey_interrupted\":false"), "{about}");
}
