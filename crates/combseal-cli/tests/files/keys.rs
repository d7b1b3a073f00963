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
    // Nor by another name: the key itself would be sealed.
    for (key, file) in [("-", "/dev/stdin"), ("/dev/stdin", "-"), ("-", "/dev/fd/0"), ("/dev/stdin", "/dev/stdin")] {
        let both = place.piped(&["seal", "-k", key, file, "-o", "x"], &place.read("key"));
        both.is(USAGE).says("more than one");
    }
    place.shell("\"$0\" seal -k - key -o x < key").is(USAGE).says("more than one");
    place.shell("\"$0\" seal -k key file -o x < file").is(OK);
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
            done.says("other users can read or change this key file").says("chmod 600 key");
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
    // Of what is no key, that is said, and not that others can read it.
    place.write("text", b"no key at all");
    fs::set_permissions(place.path("text"), fs::Permissions::from_mode(0o644)).unwrap();
    place.run(&["open", "-k", "text", &sealed, "-o", "-"]).is(USAGE).says("neither a key");
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
        ("--passphrase-fd 3", USAGE),
        ("--passphrase-fd 8", USAGE),
        ("--passphrase-fd 4294967295", USAGE),
        ("--passphrase-env NOT_SET", USAGE),
        ("-k key", WRONG_KEY),
        ("", USAGE),
        ("-k key --passphrase-file phrase", OK),
        ("-k key --passphrase-file wrong", WRONG_KEY),
        ("--passphrase-file phrase --passphrase-fd 7 7< phrase", USAGE),
        ("--passphrase-file - --context x - < phrase", USAGE),
    ] {
        let done = place.shell(&format!("{open} {how}"));
        assert_eq!(done.is(code).out, if code == OK { &b"text"[..] } else { b"" }, "{how}");
    }
    let of_variable = place.shell(&format!("PHRASE='correct horse' {open} --passphrase-env PHRASE"));
    assert_eq!(of_variable.is(OK).out, b"text");
    // Nothing of it on the command line, and no terminal means that nobody can be asked.
    place.run(&["open", "file.sealed", "-o", "x", "--passphrase", "correct horse"]).is(USAGE);
    let alone = place.shell("exec setsid -w \"$0\" open file.sealed -o x --passphrase");
    alone.is(USAGE).says("no terminal").says("--passphrase-file");
}

/// A file descriptor is read as it is: from where it stands, and whatever it is.
#[test]
fn descriptors() {
    let place = Place::new();
    place.write("file", b"text");
    place.write("phrase", b"correct horse");
    place.write("two", b"another line\ncorrect horse\n");
    place.run(&[&["seal", "file", "--passphrase-file", "phrase"][..], &CHEAP].concat()).is(OK);
    let open = "\"$0\" open file.sealed -o - --passphrase-fd 7";
    let of_pipe = place.shell(&format!("cat phrase | {open} 7<&0 < /dev/null"));
    assert_eq!(of_pipe.is(OK).out, b"text");
    let refused = |done: &Done| {
        let refused = ["not permitted", "not implemented"].iter().any(|it| done.err.contains(it));
        if refused {
            eprintln!("SKIPPED: this system gives no duplicates of descriptors: {}", done.err);
        }
        refused
    };
    let second_line = place.shell(&format!("exec 7< two; read first <&7; {open}"));
    if !refused(&second_line) {
        assert_eq!(second_line.is(OK).out, b"text");
    }
    // What may be read because it is open, though its name is gone.
    let nameless = place.shell(&format!("cp phrase gone; exec 7< gone; rm gone; {open}"));
    if !refused(&nameless) {
        assert_eq!(nameless.is(OK).out, b"text");
    }
    let (ours, its) = std::os::unix::net::UnixStream::pair().unwrap();
    std::io::Write::write_all(&mut &ours, b"correct horse\n").unwrap();
    ours.shutdown(std::net::Shutdown::Write).unwrap();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &format!("{open} 7<&0 < /dev/null"), env!("CARGO_BIN_EXE_combseal")]);
    let of_socket = done(shell.current_dir(place.path(".")).stdin(std::os::fd::OwnedFd::from(its)).output().unwrap());
    if !refused(&of_socket) {
        assert_eq!(of_socket.is(OK).out, b"text");
    }
}

/// A passphrase file that others can read is warned of: containers are given secrets so.
#[test]
fn readable_passphrase() {
    let place = Place::new();
    place.write("file", b"text");
    for (mode, warned) in [(0o600, false), (0o640, false), (0o644, true)] {
        place.write("phrase", b"correct horse");
        fs::set_permissions(place.path("phrase"), fs::Permissions::from_mode(mode)).unwrap();
        let done = place.run(&[&["seal", "file", "-f", "--passphrase-file", "phrase"][..], &CHEAP].concat());
        assert_eq!(done.is(OK).err.starts_with("warning: phrase: other users can read"), warned, "{mode:o}");
    }
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
    open("64MiB").is(UNSUPPORTED).says("66560").says("--kdf-cap 65MiB allows it");
    open("65MiB").is(OK);
    let passes = |cap: &str| {
        place.run(&["open", "file.sealed", "-o", "-", "--passphrase-file", "phrase", "--kdf-cap-passes", cap])
    };
    seal(&["--kdf-memory", "64MiB", "--kdf-passes", "2"]).is(OK);
    passes("1").is(UNSUPPORTED).says("--kdf-cap-passes 2 allows it");
    passes("2").is(OK);
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
    // Longer than any, of a scheme whose messages are few: what that is, is not "cut short".
    let text = String::from_utf8(place.run(&["inspect", "cut"]).is(OK).out.clone()).unwrap();
    assert!(text.contains("unknown: the file was cut short, or something was put behind it"), "{text}");
    let long = fs::File::options().write(true).open(place.write("long", &sealed)).unwrap();
    // 2^32 segments are the most; a file that is longer has nothing but its length.
    if long.set_len(header as u64 + (1 << 32) * (SEGMENT as u64 + 16) + 16).is_ok() {
        let text = String::from_utf8(place.run(&["inspect", "long"]).is(OK).out.clone()).unwrap();
        assert!(text.contains("no sealed file is as long"), "{text}");
    } else {
        eprintln!("SKIPPED: no files of 256 TiB here");
    }
    // Several, an object in a line each; one that is none does not stop the others.
    let several = place.run(&["inspect", "--json", "file.sealed", "phrase", "cut"]);
    let lines = String::from_utf8(several.is(UNSUPPORTED).out.clone()).unwrap();
    let files: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((files.len(), &files[0]["file"], &files[1]["file"]), (2, &"file.sealed".into(), &"cut".into()));
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
    // Opened with several, each is tried; of a pipe too, and from the middle.
    place.run(&["keygen", "-o", "other"]).is(OK);
    let sealed = place.read("file.sealed");
    let with = |keys: &[&str], more: &[&str], code: i32| {
        let args = [&["open", "-o", "-"], keys, more].concat();
        let done = place.run(&[&args[..], &["file.sealed"]].concat());
        assert_eq!(done.is(code).out.is_empty(), code != OK);
        done
    };
    for keys in [["-k", "other", "-k", "second"], ["-k", "second", "-k", "other"], ["-k", "key", "-k", "second"]] {
        assert_eq!(with(&keys, &[], OK).out, b"text");
        assert_eq!(with(&keys, &["--verify"], OK).out, b"text");
        assert_eq!(with(&keys, &["--range", "1..3"], OK).out, b"ex");
        with(&keys, &["--context", "none"], WRONG_KEY).says("context");
        let piped = place.piped(&[&["open", "-"], &keys[..]].concat(), &sealed);
        assert_eq!(piped.is(OK).out, b"text");
        assert!(place.piped(&[&["open", "-"], &keys[..]].concat(), &sealed[..900]).is(TRUNCATED).out.is_empty());
        assert!(place.piped(&[&["open", "-"], &keys[..]].concat(), &sealed[..9]).is(TRUNCATED).out.is_empty());
    }
    with(&["-k", "other", "--passphrase-file", "phrase"], &[], OK);
    with(&["-k", "other", "-k", "other"], &[], WRONG_KEY);
}
