//! What is sealed comes back, by every way in and out.

use super::context::*;
use std::os::unix::fs::PermissionsExt;

/// No bytes, one segment exactly, one byte more and less, several segments.
#[test]
fn lengths() {
    let place = Place::new();
    for len in [0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, 3 * SEGMENT, 40 * SEGMENT + 7] {
        let plain = bytes(len, len as u64);
        place.write("file", &plain);
        place.run(&["seal", "-k", "key", "file", "--force"]).is(OK);
        let sealed = place.read("file.sealed");
        assert!(sealed.len() > len && !sealed.windows(40).any(|w| plain.windows(40).next() == Some(w)));

        std::fs::remove_file(place.path("file")).unwrap();
        let opened = place.run(&["open", "-k", "key", "file.sealed"]);
        assert!(opened.is(OK).err.is_empty() && opened.out.is_empty());
        assert!(place.read("file") == plain, "{len}");

        // Through pipes, both ways; sealing is another each time.
        let piped = place.piped(&["seal", "-k", "key", "-"], &plain);
        assert_eq!(piped.is(OK).out.len(), sealed.len());
        assert_ne!(piped.out, sealed);
        assert!(place.piped(&["open", "-k", "key", "-"], &piped.out).is(OK).out == plain, "{len}");

        let verified = place.run(&["open", "-k", "key", "--verify", "file.sealed"]);
        assert!(String::from_utf8_lossy(&verified.is(OK).out).starts_with("file.sealed: whole and authentic, "));
        assert!(place.run(&["open", "-k", "key", "--verify", "file.sealed", "-o", "-"]).is(OK).out == plain);
        assert_eq!(place.names(), ["file", "file.sealed"]);
    }
}

/// Every scheme, and segments of other lengths.
#[test]
fn schemes_and_segments() {
    let place = Place::new();
    let plain = bytes(3 * SEGMENT + 5, 1);
    place.write("file", &plain);
    for scheme in combseal::Algorithm::ALL {
        // A message of CCM with the usual nonce has no more than 16 MiB, so that all of them do.
        let made = place.run(&["seal", "-k", "key", "file", "-o", "-", "--scheme", scheme.name()]);
        place.write("sealed", &made.is(OK).out);
        assert!(place.run(&["open", "-k", "key", "sealed", "-o", "-"]).is(OK).out == plain, "{scheme}");
        let about = place.run(&["inspect", "sealed", "--json"]);
        let about = String::from_utf8(about.is(OK).out.clone()).unwrap();
        assert!(about.contains(&format!("\"scheme\":\"{scheme}\"")), "{about}");
    }
    for (segment, code) in
        [("4KiB", OK), ("1MiB", OK), ("16MiB", OK), ("2KiB", USAGE), ("32MiB", USAGE), ("65537", USAGE)]
    {
        let made = place.run(&["seal", "-k", "key", "file", "-o", "-", "--segment", segment]);
        if code == OK {
            assert!(place.piped(&["open", "-k", "key", "-"], &made.is(OK).out).is(OK).out == plain, "{segment}");
        }
        made.is(code);
    }
}

/// One thread does the same as several.
#[test]
fn threads() {
    let place = Place::new();
    let plain = bytes(50 * SEGMENT + 1, 2);
    place.write("file", &plain);
    for n in ["1", "2", "7"] {
        place.run(&["seal", "-k", "key", "--threads", n, "file", "--force"]).is(OK);
        for m in ["1", "3"] {
            assert!(place.run(&["open", "-k", "key", "--threads", m, "file.sealed", "-o", "-"]).is(OK).out == plain);
        }
    }
    place.run(&["seal", "-k", "key", "--threads", "0", "file"]).is(USAGE).says("at least 1");
    place.run(&["seal", "-k", "key", "--threads", "257", "file"]).is(USAGE).says("at most 256");
}

/// No more threads than segments, if their number is known. They are there when the command waits
/// for somebody to read the pipe that it writes to.
#[cfg(target_os = "linux")]
#[test]
fn few_threads() {
    use std::time::{Duration, Instant};
    let place = Place::new();
    place.write("file", &bytes(2 * SEGMENT + 1, 2));
    place.run(&["seal", "-k", "key", "file"]).is(OK);
    place.shell("mkfifo pipe").is(OK);
    // The most that there were, until there were `enough` and half a second more.
    let threads = |args: &[&str], enough: usize| {
        let mut command = place.command(&[args, &["-k", "key", "-o", "pipe", "--threads", "40"]].concat());
        let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
        let (tasks, mut most) = (format!("/proc/{}/task", child.id()), 0);
        let (begun, mut left) = (Instant::now(), 100);
        while begun.elapsed() < Duration::from_secs(60) && left > 0 {
            most = most.max(std::fs::read_dir(&tasks).unwrap().count());
            left -= u32::from(most >= enough);
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        most
    };
    // The first one, and one that waits for signals.
    assert_eq!(threads(&["seal", "file"], 2 + 3), 2 + 3);
    assert_eq!(threads(&["open", "file.sealed"], 2 + 3), 2 + 3);
    assert!(threads(&["seal", "-"], 40) >= 40);
}

/// Parts of a file, at the borders of its segments and at its ends.
#[test]
fn ranges() {
    let place = Place::new();
    let len = 5 * SEGMENT + 100;
    let plain = bytes(len, 3);
    let sealed = place.sealed("file", &plain);
    let open = |range: &str| place.run(&["open", "-k", "key", &sealed, "--range", range]);
    let borders = [0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, 3 * SEGMENT, 5 * SEGMENT - 1, 5 * SEGMENT, len - 1, len];
    for (i, &from) in borders.iter().enumerate() {
        for &to in &borders[i..] {
            assert!(open(&format!("{from}..{to}")).is(OK).out == plain[from..to], "{from}..{to}");
        }
    }
    assert!(open("64KiB..").is(OK).out == plain[SEGMENT..]);
    assert!(open("..64KiB").is(OK).out == plain[..SEGMENT]);
    assert!(open("..").is(OK).out == plain);
    open(&format!("0..{}", len + 1)).is(USAGE).says(&format!("there are {len} bytes"));
    open(&format!("{}..", len + 1)).is(USAGE);
    open("9..8").is(USAGE);

    // A range into a file, and of what cannot be read from the middle.
    place.run(&["open", "-k", "key", &sealed, "--range", "5..10", "-o", "part"]).is(OK);
    assert_eq!(place.read("part"), plain[5..10]);
    place.piped(&["open", "-k", "key", "-", "--range", "5..10"], &place.read(&sealed)).is(USAGE).says("--range needs");
    place.piped(&["open", "-k", "key", "-", "--verify", "-o", "x"], &place.read(&sealed)).is(USAGE);
    // A file on standard input is as good as one by its name.
    assert_eq!(place.shell("\"$0\" open -k key - --range 5..10 < file.sealed").is(OK).out, plain[5..10]);

    // Damage elsewhere is not seen by who reads a part, unless all is to be verified.
    let mut damaged = place.read(&sealed);
    let at = damaged.len() - 2 * SEGMENT;
    damaged[at] ^= 1;
    place.write("damaged.sealed", &damaged);
    let part = ["open", "-k", "key", "damaged.sealed", "--range", "5..10"];
    assert_eq!(place.run(&part).is(OK).out, plain[5..10]);
    assert!(place.run(&[&part[..], &["--verify"]].concat()).is(DAMAGED).out.is_empty());
}

/// Who may read what: the umask takes away from sealed files, plaintext is the owner's.
#[test]
fn modes() {
    let place = Place::new();
    place.write("file", b"text");
    place.shell("umask 027; \"$0\" seal -k key file && umask 0 && \"$0\" open -k key file.sealed -o opened").is(OK);
    let mode = |name: &str| std::fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("file.sealed"), mode("opened"), mode("key")), (0o640, 0o600, 0o600));
}

/// Several files, and a folder to put them in; one that fails does not stop the others.
#[test]
fn several() {
    let place = Place::new();
    for name in ["one", "two", "three"] {
        place.write(name, name.as_bytes());
    }
    std::fs::create_dir(place.path("to")).unwrap();
    place.run(&["seal", "-k", "key", "one", "two", "-o", "to"]).is(OK);
    place.run(&["open", "-k", "key", "to/one.sealed", "to/two.sealed"]).is(OK);
    assert_eq!(names(&place.path("to")), ["one", "one.sealed", "two", "two.sealed"]);
    assert_eq!((place.read("to/one"), place.read("to/two")), (b"one".to_vec(), b"two".to_vec()));
    place.run(&["seal", "-k", "key", "one", "two", "-o", "both"]).is(USAGE);
    place.run(&["seal", "-k", "key", "one", "two", "-o", "-"]).is(USAGE);
    place.run(&["open", "-k", "key", "to/one.sealed", "to/two.sealed", "--range", "0..1"]).is(USAGE);

    let mixed = place.run(&["seal", "-k", "key", "one", "missing", "three"]);
    mixed.is(IO).says("missing: no such file");
    assert_eq!(place.names(), ["one", "one.sealed", "three", "three.sealed", "to", "two"]);
}

/// The context is part of what was sealed, and not in the file.
#[test]
fn contexts() {
    let place = Place::new();
    place.write("file", b"text");
    place.run(&["seal", "-k", "key", "file", "--context", "backup 7"]).is(OK);
    let open = |context: &[&str]| place.run(&[&["open", "-k", "key", "file.sealed", "-o", "-"], context].concat());
    assert_eq!(open(&["--context", "backup 7"]).is(OK).out, b"text");
    for wrong in [&[][..], &["--context", "backup 8"], &["--context", ""]] {
        let done = open(wrong);
        assert!(done.is(WRONG_KEY).out.is_empty());
        done.says("context");
    }
    assert!(!place.read("file.sealed").windows(8).any(|w| w == b"backup 7"));
}
