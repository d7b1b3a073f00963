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
    for (verb, file) in [("seal", "file"), ("open", &sealed)] {
        let done = place.run(&[verb, "-k", "key", "folder"]);
        done.is(USAGE).says("is a directory").says("seal -k KEY - -o FOLDER.tar.sealed");
        place.run(&[verb, "-k", "key", "missing"]).is(IO).says("missing: no such file");
        place.run(&[verb, "-k", "key", file, "-o", "none/file"]).is(IO).says("none/file: no such file");
        place.run(&[verb, "-k", "key", file, "-o", "file/below"]).is(IO);
        place.run(&[verb, "-k", "key", file, "-o", &"n".repeat(300)]).is(IO).says("too long");
        place.run(&[verb, "-k", "key", file, "-o", "none/"]).is(USAGE).says("no such folder");
    }
    place.run(&["inspect", "folder"]).is(USAGE);
    place.run(&["inspect", "missing"]).is(IO);
    place.run(&["rekey", "-k", "key", "--new-key-file", "key", "folder"]).is(USAGE);
    place.run(&["seal", "-k", "folder", "file", "-o", "x"]).is(USAGE).says("not a key file");
    place.run(&["seal", "-k", "missing", "file", "-o", "x"]).is(IO);
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

/// Two inputs whose outputs would be one file are refused before anything is written, and so is an
/// input that another one's output would replace.
#[test]
fn one_output_of_two() {
    let place = Place::new();
    for folder in ["one", "two", "out"] {
        fs::create_dir(place.path(folder)).unwrap();
        place.write(&format!("{folder}/file"), folder.as_bytes());
    }
    for force in [&[][..], &["--force"]] {
        let both = ["seal", "-k", "key", "one/file", "two/file", "-o", "out"];
        let done = place.run(&[&both[..], force].concat());
        done.is(USAGE).says("one/file and two/file would become one file");
        place.run(&[&["seal", "-k", "key", "one/file", "one/../one/file"], force].concat()).is(USAGE);
    }
    assert_eq!(names(&place.path("out")), ["file"]);
    assert_eq!(names(&place.path("one")), ["file"]);

    // The same of opening, whether the name is taken or not.
    place.run(&["seal", "-k", "key", "one/file", "two/file"]).is(OK);
    let open = ["open", "-k", "key", "one/file.sealed", "two/file.sealed", "-o", "out"];
    place.run(&[&open[..], &["-f"]].concat()).is(USAGE).says("would become one file");
    assert_eq!(place.read("out/file"), b"out");
    fs::remove_file(place.path("out/file")).unwrap();
    place.run(&[&open[..], &["-f"]].concat()).is(USAGE).says("would become one file");
    assert!(names(&place.path("out")).is_empty());
    // Nothing is asked for when all is refused: there is no such key file.
    place.run(&["seal", "-k", "missing", "one/file"]).is(USAGE).says("exists already");

    // What is sealed first would have been replaced before it is sealed itself.
    let before = place.read("one/file.sealed");
    place.run(&["seal", "-f", "-k", "key", "one/file", "one/file.sealed"]).is(USAGE).says("the output of one/file");
    assert_eq!(place.read("one/file.sealed"), before);
}

/// `seal *` means the files that are not sealed yet.
#[test]
fn sealed_already() {
    let place = Place::new();
    let sealed = place.sealed("file", b"text");
    place.write("no.sealed", b"only its name");
    let done = place.run(&["seal", "-k", "key", &sealed, "no.sealed"]);
    done.is(USAGE).says("file.sealed: is sealed already").says("--force");
    assert_eq!(place.names(), ["file", "file.sealed", "no.sealed", "no.sealed.sealed"]);
    place.run(&["seal", "-k", "key", &sealed, "--force"]).is(OK);
    place.run(&["open", "-k", "key", "file.sealed.sealed", "-o", "again"]).is(OK);
    assert_eq!(place.read("again"), place.read(&sealed));
}

/// A disk is not its own output, by whichever of its device files; on a disk made of a file.
#[test]
fn disk_to_itself() {
    use std::os::unix::fs::MetadataExt;
    let place = Place::new();
    let plain = bytes(1 << 20, 5);
    place.write("image", &plain);
    let losetup = std::process::Command::new("losetup").args(["--find", "--show"]).arg(place.path("image")).output();
    let Ok(made) = losetup.as_ref().map_err(|_| ()).and_then(|out| out.status.success().then_some(out).ok_or(()))
    else {
        eprintln!("SKIPPED: no disk can be made of a file here: {losetup:?}");
        return;
    };
    let disk = String::from_utf8(made.stdout.clone()).unwrap().trim().to_string();
    let number = fs::metadata(&disk).unwrap().rdev();
    let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
    let node = place.shell(&format!("mknod other b {major} {minor}"));
    let runs = [
        place.run(&["seal", "-f", "-k", "key", &disk, "-o", &disk]),
        place.run(&["seal", "-f", "-k", "key", &disk, "-o", "other"]),
        place.shell(&format!("\"$0\" seal -k key - < {disk} 1<> other")),
        place.shell(&format!("\"$0\" seal -k key - < other 1<> {disk}")),
    ];
    let now = fs::read(&disk);
    std::process::Command::new("losetup").args(["--detach", &disk]).status().unwrap();
    node.is(OK);
    for done in runs {
        done.is(USAGE).says("is the input and the output");
    }
    assert!(now.unwrap() == plain);
}

/// Names are shown, not obeyed by the terminal.
#[test]
fn odd_names() {
    let place = Place::new();
    let name = "a\u{1b}[2Jb";
    let done = place.run(&["seal", "-k", "key", name]);
    assert!(!done.is(IO).says("a\\u{1b}[2Jb: no such file").err.contains('\u{1b}'));
    let sealed = place.sealed(name, b"text");
    for args in
        [&["inspect", &sealed][..], &["open", "--verify", "-k", "key", &sealed], &["inspect", "--json", &sealed]]
    {
        let done = place.run(args);
        assert!(!done.is(OK).out.contains(&0x1b) && !done.out.is_empty(), "{done:?}");
    }
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
