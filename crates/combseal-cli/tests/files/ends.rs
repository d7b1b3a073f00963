//! Where bytes come from and go to: what exists, links, folders, devices, pipes, the same file.

use super::context::*;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

/// What exists is not replaced without `--force`, and what replaces it is whole.
#[test]
fn existing() {
    let place = Place::new();
    let sealed = place.sealed("file", b"text");
    let before = place.read(&sealed);
    place.run(&["seal", "-k", "key", "file"]).is(USAGE).says("exists already").says("--force");
    place.run(&["open", "-k", "key", &sealed]).is(USAGE).says("exists already");
    assert_eq!(place.read(&sealed), before);
    place.run(&["seal", "-k", "key", "file", "--force"]).is(OK);
    assert_ne!(place.read(&sealed), before);

    // A file that does not open replaces nothing, with --force either.
    place.write("bad.sealed", &before[..before.len() - 1]);
    place.run(&["open", "-k", "key", "bad.sealed", "-o", "file", "--force"]).is(TRUNCATED);
    assert_eq!(place.read("file"), b"text");

    place.run(&["keygen", "-o", "key"]).is(USAGE).says("never replaced");
    assert_eq!(place.names(), ["bad.sealed", "file", "file.sealed"]);
}

/// A folder, a missing file, a file that may not be read, a folder that may not be written to or is not
/// there, a name that is too long.
#[test]
fn nothing_to_read_or_write() {
    let place = Place::new();
    let sealed = place.sealed("file", b"text");
    fs::create_dir(place.path("folder")).unwrap();
    for verb in ["seal", "open"] {
        place.run(&[verb, "-k", "key", "folder"]).is(IO).says("is a directory");
        place.run(&[verb, "-k", "key", "missing"]).is(IO).says("missing: no such file");
        place.run(&[verb, "-k", "key", &sealed, "-o", "none/file"]).is(IO).says("none/file: no such file");
        place.run(&[verb, "-k", "key", &sealed, "-o", "file/below"]).is(IO);
        place.run(&[verb, "-k", "key", &sealed, "-o", &"n".repeat(300)]).is(IO).says("too long");
    }
    place.run(&["inspect", "folder"]).is(IO);
    place.run(&["inspect", "missing"]).is(IO);
    place.run(&["rekey", "-k", "key", "--new-key-file", "key", "folder"]).is(IO);
    place.run(&["seal", "-k", "folder", "file"]).is(IO);
    place.run(&["seal", "-k", "missing", "file"]).is(IO);
    // The superuser may read and write everything.
    if rustix::process::geteuid().is_root() {
        eprintln!("SKIPPED: what may not be read or written, by the superuser");
    } else {
        place.write("closed", b"text");
        fs::set_permissions(place.path("closed"), fs::Permissions::from_mode(0o0)).unwrap();
        place.run(&["seal", "-k", "key", "closed"]).is(IO).says("permission denied");
        fs::set_permissions(place.path("folder"), fs::Permissions::from_mode(0o500)).unwrap();
        place.run(&["seal", "-k", "key", "file", "-o", "folder"]).is(IO).says("permission denied");
    }
    assert!(!place.names().iter().any(|name| name.ends_with(".part")));
}

/// Links are followed, to read and to write, and stay links.
#[test]
fn links() {
    let place = Place::new();
    place.write("file", b"text");
    symlink("file", place.path("link")).unwrap();
    place.run(&["seal", "-k", "key", "link"]).is(OK);
    place.run(&["open", "-k", "key", "link.sealed", "-o", "opened"]).is(OK);
    assert_eq!(place.read("opened"), b"text");

    place.write("target", b"before");
    symlink("target", place.path("output")).unwrap();
    place.run(&["open", "-k", "key", "link.sealed", "-o", "output"]).is(USAGE);
    place.run(&["open", "-k", "key", "link.sealed", "-o", "output", "--force"]).is(OK);
    assert!(place.path("output").is_symlink());
    assert_eq!(place.read("target"), b"text");

    symlink("nothing", place.path("dangling")).unwrap();
    place.run(&["seal", "-k", "key", "dangling"]).is(IO);
    place.run(&["seal", "-k", "key", "file", "-o", "dangling", "--force"]).is(IO).says("link to nothing");
    place.run(&["keygen", "-o", "dangling"]).is(USAGE);
    assert!(!place.has("nothing"));
    symlink("loop", place.path("loop")).unwrap();
    place.run(&["seal", "-k", "key", "loop"]).is(IO);
    place.run(&["seal", "-k", "key", "file", "-o", "loop"]).is(IO);
}

/// One file is not its own output, whatever its names; nor if the shell connects them.
#[test]
fn same_file() {
    let place = Place::new();
    place.write("file", b"text");
    fs::hard_link(place.path("file"), place.path("hard")).unwrap();
    symlink("file", place.path("link")).unwrap();
    for output in ["file", "./file", "hard", "link"] {
        place.run(&["seal", "-k", "key", "file", "-o", output, "--force"]).is(USAGE).says("input and the output");
    }
    assert_eq!(place.read("file"), b"text");
    place.shell("\"$0\" seal -k key - < file >> file").is(USAGE).says("input and the output");
    place.shell("\"$0\" seal -k key - < file > file").is(USAGE).says("did the shell cut it off");
    // Not so of devices.
    place.shell("\"$0\" seal -k key - < /dev/null > /dev/null").is(OK);
}

/// Devices and pipes are read if the output has a name, and are written as they are.
#[test]
fn devices_and_pipes() {
    let place = Place::new();
    let sealed = place.sealed("file", b"text");
    place.run(&["seal", "-k", "key", "/dev/null"]).is(USAGE).says("no regular file");
    place.run(&["seal", "-k", "key", "/dev/null", "-o", "empty.sealed"]).is(OK);
    place.run(&["open", "-k", "key", "empty.sealed"]).is(OK);
    assert_eq!(place.read("empty"), b"");
    place.run(&["open", "-k", "key", &sealed, "-o", "/dev/null"]).is(OK);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    place.run(&["open", "-k", "key", "/dev/null", "-o", "x"]).is(TRUNCATED);

    let opened = place.shell("mkfifo pipe; cat pipe > copy & \"$0\" open -k key file.sealed -o pipe; wait");
    opened.is(OK);
    assert_eq!(place.read("copy"), b"text");
    let sealed = place.shell("cat file > pipe & \"$0\" seal -k key pipe -o of-pipe.sealed; wait");
    sealed.is(OK);
    assert_eq!(place.run(&["open", "-k", "key", "of-pipe.sealed", "-o", "-"]).is(OK).out, b"text");
}

/// Who reads no further is not told of, and it is no success either: the end was not verified.
#[test]
fn reader_gone() {
    let place = Place::new();
    place.sealed("file", &bytes(64 * SEGMENT, 1));
    let done = place.shell("{ \"$0\" open -k key file.sealed -o - ; echo $? >&2 ; } | head -c 5 > five");
    assert_eq!(done.err, "7\n");
    assert_eq!(place.read("five").len(), 5);
}

/// A file gets its name from its sealed one's; one that does not end so needs one.
#[test]
fn endings() {
    let place = Place::new();
    place.sealed("file.tar", b"text");
    fs::rename(place.path("file.tar.sealed"), place.path("other")).unwrap();
    place.run(&["open", "-k", "key", "other"]).is(USAGE).says(".sealed").says("-o FILE");
    place.run(&["open", "-k", "key", "other", "-o", "-"]).is(OK);
    fs::rename(place.path("other"), place.path(".sealed")).unwrap();
    place.run(&["open", "-k", "key", ".sealed"]).is(USAGE);
}
