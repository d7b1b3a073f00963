//! Keys and passphrases: their files, where they come from, which one opens, what `inspect` says.

use super::context::*;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// The least that is sealed with, so that tests do not take long.
pub const CHEAP: [&str; 4] = ["--kdf-memory", "64MiB", "--kdf-passes", "1"];

/// A key file's text, and that no two are the same.
#[test]
fn key_files() {
    let place = Place::new();
    place.run(&["keygen", "-o", "other", "--comment", "for\nbackups"]).is(OK);
    let text = String::from_utf8(place.read("other")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[..3].iter().all(|line| line.starts_with("# ")) && lines[2] == "# for backups", "{text}");
    assert!(lines[3].starts_with("COMBSEAL-KEY-1") && lines[3].len() == 72, "{text}");
    assert_ne!(place.read("other"), place.read("key"));
    let shown = place.run(&["keygen", "-o", "-"]);
    assert!(String::from_utf8_lossy(&shown.is(OK).out).contains("\nCOMBSEAL-KEY-1"));

    let sealed = place.sealed("file", b"text");
    place.run(&["open", "-k", "other", &sealed, "-o", "-"]).is(WRONG_KEY).says("key or passphrase");
    // In lower case, from a pipe, from standard input: the same key.
    place.write("lower", &place.read("key").to_ascii_lowercase());
    fs::set_permissions(place.path("lower"), fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(place.run(&["open", "-k", "lower", &sealed, "-o", "-"]).is(OK).out, b"text");
    let of_pipe = place.piped(&["open", "-k", "-", &sealed, "-o", "-"], &place.read("key"));
    assert_eq!(of_pipe.is(OK).out, b"text");
    place.run(&["open", "-k", "-", "-"]).is(USAGE).says("more than one");
}

/// A key that everyone can read is refused, and one that was not copied right is named with the place.
#[test]
fn bad_key_files() {
    let place = Place::new();
    let sealed = place.sealed("file", b"text");
    let key = place.read("key");
    for (mode, code) in [(0o600, OK), (0o400, OK), (0o640, OK), (0o604, USAGE), (0o644, USAGE), (0o602, USAGE)] {
        fs::set_permissions(place.path("key"), fs::Permissions::from_mode(mode)).unwrap();
        let done = place.run(&["open", "-k", "key", &sealed, "-o", "-"]);
        assert_eq!(done.is(code).out.is_empty(), code != OK, "{mode:o}");
        if code != OK {
            done.says("chmod 600 key");
        }
    }
    let mut wrong = key.clone();
    let at = wrong.len() - 10;
    wrong[at] = if wrong[at] == b'Q' { b'P' } else { b'Q' };
    for (text, says) in [
        (&wrong[..], "line 3 was not copied right"),
        (b"", "no key"),
        (b"# nothing\n", "no key"),
        (&[&key[..], &key[..]].concat(), "second key"),
        (&[0x80; 100], "neither a key"),
        (&[b'a'; 70_000], "more than 65536 bytes"),
    ] {
        place.write("bad", text);
        fs::set_permissions(place.path("bad"), fs::Permissions::from_mode(0o600)).unwrap();
        let done = place.run(&["open", "-k", "bad", &sealed, "-o", "-"]);
        assert!(done.is(USAGE).says(says).out.is_empty());
    }
}

/// From a file, a file descriptor, a variable and standard input; wrong ones; none; two.
#[test]
fn passphrases() {
    let place = Place::new();
    place.write("file", b"text");
    place.write("phrase", b"correct horse\n");
    place.write("wrong", b"correct horse \n");
    place.write("empty", b"\n");
    place.run(&[&["seal", "file", "--passphrase-file", "phrase"][..], &CHEAP].concat()).is(OK);
    let open = "\"$0\" open file.sealed -o -";
    for (how, code) in [
        ("--passphrase-file phrase", OK),
        ("--passphrase-file - < phrase", OK),
        ("--passphrase-fd 7 7< phrase", OK),
        ("--passphrase-fd 0 < phrase", OK),
        ("--passphrase-file wrong", WRONG_KEY),
        ("--passphrase-file empty", USAGE),
        ("--passphrase-file missing", IO),
        ("--passphrase-fd 8", IO),
        ("--passphrase-env NOT_SET", USAGE),
        ("-k key", WRONG_KEY),
        ("", USAGE),
        ("-k key --passphrase-file phrase", USAGE),
        ("--passphrase-file phrase --passphrase-fd 7 7< phrase", USAGE),
        ("--passphrase-file - --context x - < phrase", USAGE),
    ] {
        let done = place.shell(&format!("{open} {how}"));
        assert_eq!(done.is(code).out, if code == OK { &b"text"[..] } else { b"" }, "{how}");
    }
    let of_variable = place.shell(&format!("PHRASE='correct horse' {open} --passphrase-env PHRASE"));
    assert_eq!(of_variable.is(OK).out, b"text");
    // Nothing of it on the command line, and no terminal means that nobody can be asked.
    place.run(&["open", "file.sealed", "--passphrase", "correct horse"]).is(IO);
    let alone = place.shell("exec setsid -w \"$0\" open file.sealed --passphrase");
    alone.is(IO).says("the terminal").says("--passphrase-file");
}

/// What a passphrase costs is chosen when sealing and bounded when opening.
#[test]
fn costs() {
    let place = Place::new();
    place.write("file", b"text");
    place.write("phrase", b"correct horse");
    let seal = |costs: &[&str]| place.run(&[&["seal", "file", "-f", "--passphrase-file", "phrase"], costs].concat());
    seal(&["--kdf-memory", "32MiB"]).is(USAGE).says("64MiB");
    seal(&["--kdf-memory", "4GiB"]).is(USAGE);
    seal(&["--kdf-passes", "0"]).is(USAGE);
    seal(&["--kdf-passes", "17"]).is(USAGE);
    place.run(&["seal", "file", "-k", "key", "--kdf-passes", "4"]).is(USAGE).says("there is none");
    seal(&["--kdf-memory", "65MiB", "--kdf-passes", "1"]).is(OK);
    let open =
        |cap: &str| place.run(&["open", "file.sealed", "-o", "-", "--passphrase-file", "phrase", "--kdf-cap", cap]);
    open("64MiB").is(UNSUPPORTED).says("66560").says("--kdf-cap");
    open("65MiB").is(OK);
}

/// What can be known without the key, for people and for programs.
#[test]
fn inspect() {
    let place = Place::new();
    place.write("file", &bytes(2 * SEGMENT + 10, 1));
    place.write("phrase", b"correct horse");
    let both = ["seal", "file", "-k", "key", "--passphrase-file", "phrase"];
    place.run(&[&both[..], &CHEAP].concat()).is(OK);
    let sealed = place.read("file.sealed");
    let text = String::from_utf8(place.run(&["inspect", "file.sealed"]).is(OK).out.clone()).unwrap();
    for line in [
        "file.sealed",
        "  scheme     OCB3-AES-256",
        "  plaintext  131,082 bytes, if the file is authentic",
        "  segments   3 of 65,536 bytes",
        "  slot 0     a key",
        "  slot 1     a passphrase, by Argon2id: 64 MiB, 1 pass, 4 lanes",
    ] {
        assert!(text.lines().any(|it| it == line), "{line:?} is not in\n{text}");
    }
    let json = |args: &[&str], input: &[u8]| {
        let out = place.piped(&[&["inspect", "--json"], args].concat(), input).is(OK).out.clone();
        serde_json::from_slice::<serde_json::Value>(&out).unwrap()
    };
    let it = json(&["file.sealed"], b"");
    assert_eq!(it["plaintext_bytes"], 131_082);
    assert_eq!(it["segments"], 3);
    assert_eq!(it["file_bytes"], sealed.len());
    assert_eq!(it["segment_bytes"], SEGMENT);
    assert_eq!(it["tag_bytes"], 16);
    assert_eq!(it["version"], 1);
    assert_eq!(it["slots"][0]["kind"], "key");
    assert_eq!(it["slots"][1]["memory_kib"], 65536);
    assert_eq!(it["salt"].as_str().unwrap().len(), 64);
    // Of a pipe nobody knows the length.
    let it = json(&["-"], &sealed);
    assert!(it["file_bytes"].is_null() && it["plaintext_bytes"].is_null() && it["segments"].is_null());
    // A length that no file has; the header says what it is all the same.
    let header = it["header_bytes"].as_u64().unwrap() as usize;
    place.write("cut", &sealed[..header + 5]);
    let it = json(&["cut"], b"");
    assert!(it["plaintext_bytes"].is_null() && it["file_bytes"] == header + 5);
    place.write("cut", &sealed[..header - 5]);
    place.run(&["inspect", "cut"]).is(TRUNCATED);
}

/// A file that was sealed by several opens with each.
#[test]
fn several_locks() {
    let place = Place::new();
    place.write("file", b"text");
    place.write("phrase", b"correct horse");
    place.run(&["keygen", "-o", "second"]).is(OK);
    let all = ["seal", "file", "-k", "key", "-k", "second", "--passphrase-file", "phrase"];
    place.run(&[&all[..], &CHEAP].concat()).is(OK);
    for with in [["-k", "key"], ["-k", "second"], ["--passphrase-file", "phrase"]] {
        assert_eq!(place.run(&["open", "file.sealed", "-o", "-", with[0], with[1]]).is(OK).out, b"text");
    }
    place.run(&["open", "file.sealed", "-o", "-", "-k", "key", "-k", "second"]).is(USAGE);
}
