//! Writing that fails: a full disk, a limit, a device that takes nothing. Nothing is left, and
//! what was there stays.

use super::context::*;
use std::os::unix::process::ExitStatusExt;

/// A limit of the file's length, which ends a process that is not ready for it.
#[test]
fn limited_length() {
    let place = Place::new();
    let plain = bytes(20 * SEGMENT, 1);
    let sealed = place.sealed("file", &plain);
    let before = place.read(&sealed);
    for (blocks, enough) in [(0, false), (1, false), (100, false), (2000, false), (4000, true)] {
        let code = if enough { OK } else { IO };
        // `ulimit -f` counts 512 bytes.
        let seal = place.shell(&format!("ulimit -f {blocks}; \"$0\" seal -k key file -o new.sealed"));
        seal.is(code);
        let open = place.shell(&format!("ulimit -f {blocks}; \"$0\" open -k key file.sealed -o new"));
        open.is(code);
        let replace = place.shell(&format!("ulimit -f {blocks}; \"$0\" seal -k key file --force"));
        replace.is(code);
        if enough {
            assert_eq!(place.names(), ["file", "file.sealed", "new", "new.sealed"]);
            assert_ne!(place.read(&sealed), before);
        } else {
            seal.says("new.sealed: file too large");
            assert_eq!(place.names(), ["file", "file.sealed"]);
            assert!(place.read(&sealed) == before);
        }
    }
}

/// A device that is always full, through a pipe's end and as a name.
#[test]
fn full_device() {
    let place = Place::new();
    place.sealed("file", &bytes(SEGMENT, 2));
    for args in ["seal -k key file", "open -k key file.sealed"] {
        place.shell(&format!("\"$0\" {args} -o /dev/full")).is(IO).says("no space left");
        place.shell(&format!("\"$0\" {args} -o - > /dev/full")).is(IO).says("no space left");
    }
    place.shell("\"$0\" inspect file.sealed > /dev/full").is(IO).says("no space left");
    place.shell("\"$0\" keygen -o - > /dev/full").is(IO).says("no space left");
    place.shell("\"$0\" open -k key --verify file.sealed > /dev/full").is(IO).says("no space left");
    // Nobody can be told; the exit code says it.
    for (args, code) in [("seal -k key missing", IO), ("open -k key file.sealed", USAGE), ("inspect missing", IO)] {
        place.shell(&format!("\"$0\" {args} 2> /dev/full")).is(code);
    }
    place.write("phrase", b"correct horse");
    place.shell("\"$0\" open --passphrase-file phrase file.sealed -o - 2> /dev/full").is(WRONG_KEY);
}

/// Writing fails while standard input has nothing to give and does not end: nobody waits for it.
#[test]
fn idle_input() {
    use std::io::{Read, Write};
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let place = Place::new();
    let plain = bytes(100 * SEGMENT, 4);
    let sealed = place.sealed("file", &plain);
    let sealed = place.read(&sealed);
    for (args, input) in
        [("open -k key - -o -", &sealed[..80 * SEGMENT]), ("seal -k key - -o -", &plain[..80 * SEGMENT])]
    {
        let mut command = place.command(&args.split(' ').collect::<Vec<_>>());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Who reads what comes out takes a byte and goes.
        let mut out = child.stdout.take().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let feeder = std::thread::spawn(move || {
            // It may end before it has taken everything.
            let _ = stdin.write_all(&input);
            stdin
        });
        out.read_exact(&mut [0]).unwrap();
        drop(out);
        let begin = Instant::now();
        let code = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status.code(),
                None if begin.elapsed() > Duration::from_secs(60) => {
                    child.kill().unwrap();
                    panic!("{args}: waits for an input that does not come");
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        assert_eq!(code, Some(IO), "{args}");
        drop(feeder.join().unwrap());
    }
}

/// A file system that is really full, where one can be made.
#[test]
fn full_disk() {
    let place = Place::new();
    let plain = bytes(60 * SEGMENT, 3);
    place.sealed("file", &plain);
    let script = "mkdir small && mount -t tmpfs -o size=2m none small || exit 77
        cd small && echo before > old.sealed && cp old.sealed old
        \"$0\" seal -k ../key ../file -o new.sealed; echo $?
        \"$0\" seal -k ../key ../file -o old.sealed --force; echo $?
        \"$0\" open -k ../key ../file.sealed -o new; echo $?
        ls -A; cat old.sealed; df --output=used . | tail -1 >&2";
    let mut shell = std::process::Command::new("unshare");
    shell.args(["--mount", "--map-root-user", "sh", "-c", script, env!("CARGO_BIN_EXE_combseal")]);
    let output = shell.current_dir(place.path(".")).output();
    match output {
        Ok(output) if output.status.code() == Some(0) => {
            let done = done(output);
            assert_eq!(
                String::from_utf8(done.out.clone()).unwrap(),
                "7\n7\n7\nold\nold.sealed\nbefore\n",
                "{}",
                done.err
            );
            done.says("no space left");
            // What was written without a name is free again.
            let used: u64 = done.err.lines().last().unwrap().trim().parse().unwrap();
            assert!(used < 100, "{used} KiB are used");
        }
        Ok(output) if output.status.signal().is_some() => panic!("{output:?}"),
        _ => eprintln!("SKIPPED: no small file system can be mounted here"),
    }
}

/// A disk that fails while it is read: a directory in the place of a file, as near as it gets.
#[test]
fn reading_fails() {
    let place = Place::new();
    place.shell("\"$0\" seal -k key - -o x.sealed < .").is(USAGE).says("standard input: is a directory");
    assert!(place.names().is_empty());
}
