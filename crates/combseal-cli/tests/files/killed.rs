//! Interrupted at any moment, by signals that can be heeded and by one that cannot: never a file
//! that looks whole and is not, never the old file lost.

use super::context::*;
use rustix::process::{Pid, Signal, kill_process};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What is sealed: enough to be hit in the middle.
const LEN: usize = 24 << 20;

fn send(child: &Child, signal: Signal) {
    let pid = Pid::from_child(child);
    kill_process(pid, signal).unwrap();
}

/// Runs it and kills it after a while; says whether it had ended by itself before.
pub fn kill_after(command: &mut Command, after: Duration, signal: Signal) -> bool {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(after);
    // Not waited for, so that its number is still its own.
    send(&child, signal);
    let status = child.wait().unwrap();
    match status.code() {
        Some(0) => true,
        _ => {
            assert_eq!(status.signal(), Some(signal.as_raw()), "{status:?}");
            false
        }
    }
}

/// Whether a signal is in one of the sets of signals that the system tells of a process.
fn signals(status: &str, set: &str, signal: Signal) -> bool {
    let status = std::fs::read_to_string(status).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix(set)).unwrap().trim().to_string();
    u64::from_str_radix(&mask, 16).unwrap() >> (signal.as_raw() - 1) & 1 == 1
}

/// Waits until the process has said what is to be done at this signal.
fn until_it_heeds(child: &mut Child, signal: Signal) {
    let (status, begun) = (format!("/proc/{}/status", child.id()), Instant::now());
    while !signals(&status, "SigCgt:", signal) {
        assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not heed {signal:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// How long a run is left alone before it is killed: from not at all to somewhat longer than a whole one takes.
pub struct Waits {
    /// How long a whole one takes at most, as far as is known.
    took: Duration,
}
impl Waits {
    /// By the longest of three runs that nobody kills.
    pub fn of(mut run: impl FnMut()) -> Self {
        let times = (0..3).map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        });
        Self { took: times.max().unwrap() }
    }

    /// The time of run `i`, of every 25 the last three longer than a whole one takes.
    pub fn run(&self, i: u32) -> Duration {
        self.took * (i % 25) / 22
    }

    /// A run that was left alone so long had ended before: where others have the processors at first and not later,
    /// most would, and show nothing.
    pub fn ended(&mut self, after: Duration) {
        self.took = self.took.min(after).max(self.took / 2);
    }
}

/// What may be there beside what was there: a name that lasts for the moment between linking and
/// renaming, and, where files cannot do without one, the temporary name.
fn only_temporary(place: &Place, expected: &[&str]) {
    let others: Vec<_> = place.names().into_iter().filter(|name| !expected.contains(&name.as_str())).collect();
    for name in others {
        assert!(name.starts_with(".combseal-") && name.ends_with(".part"), "{name}");
        std::fs::remove_file(place.path(&name)).unwrap();
    }
}

/// `kill -9`, 50 times while sealing, 25 of them over an old file.
#[test]
fn kill_9_sealing() {
    let place = Place::new();
    let plain = bytes(LEN, 1);
    place.write("file", &plain);
    let mut waits = Waits::of(|| {
        place.run(&["seal", "-k", "key", "file", "--force"]).is(OK);
    });
    let mut old = place.read("file.sealed");
    let opens = |name: &str| place.run(&["open", "-k", "key", name, "-o", "-"]).is(OK).out == plain;
    let (mut unfinished, mut finished) = (0, 0);
    for i in 0..50u32 {
        let after = waits.run(i);
        let force = i % 2 == 0;
        let args: &[&str] =
            if force { &["seal", "-k", "key", "file", "-f"] } else { &["seal", "-k", "key", "file", "-o", "new"] };
        let ended = kill_after(&mut place.command(args), after, Signal::KILL);
        if force {
            // The old file, or a new one that is whole.
            let now = place.read("file.sealed");
            assert!(now == old || opens("file.sealed"), "after {after:?}");
            old = now;
        } else if place.has("new") {
            assert!(opens("new"), "after {after:?}");
            std::fs::remove_file(place.path("new")).unwrap();
        } else {
            assert!(!ended, "it said that it had sealed, and there is nothing");
        }
        if ended {
            waits.ended(after);
            finished += 1
        } else {
            unfinished += 1
        }
        only_temporary(&place, &["file", "file.sealed"]);
    }
    // Else this would have shown nothing.
    assert!(unfinished >= 20, "{unfinished} killed, {finished} ended before");
}

/// The same while opening: plaintext appears whole or not at all.
#[test]
fn kill_9_opening() {
    let place = Place::new();
    let plain = bytes(LEN, 2);
    place.sealed("file", &plain);
    let mut waits = Waits::of(|| {
        place.run(&["open", "-k", "key", "file.sealed", "--force"]).is(OK);
    });
    place.write("file", b"before");
    let mut unfinished = 0;
    for i in 0..25u32 {
        let mut open = place.command(&["open", "-k", "key", "file.sealed", "-f"]);
        let after = waits.run(i);
        if kill_after(&mut open, after, Signal::KILL) {
            waits.ended(after);
        } else {
            unfinished += 1;
        }
        let now = place.read("file");
        assert!(now == b"before" || now == plain);
        place.write("file", b"before");
        only_temporary(&place, &["file", "file.sealed"]);
    }
    assert!(unfinished >= 5, "{unfinished} of 25 were killed");
}

/// Ctrl-C and its like leave nothing at all, whatever has to wait: a pipe from which nothing comes.
#[test]
fn heeded() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        if signals("/proc/self/status", "SigIgn:", signal) {
            eprintln!("SKIPPED: whoever runs the tests has them ignore {signal:?}");
            continue;
        }
        let place = Place::new();
        for args in [["seal", "-k", "key", "-", "-o", "file.sealed"], ["open", "-k", "key", "-", "-o", "file"]] {
            let mut command = place.command(&args);
            let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            let stdin = child.stdin.take().unwrap();
            // Until it heeds signals, and has begun to write.
            until_it_heeds(&mut child, signal);
            std::thread::sleep(Duration::from_millis(30));
            send(&child, signal);
            let status = child.wait().unwrap();
            assert_eq!(status.signal(), Some(signal.as_raw()), "{status:?}");
            assert!(place.names().is_empty(), "{:?}", place.names());
            drop(stdin);
        }
    }
}

/// What `nohup` has a command ignore stays ignored.
#[test]
fn nohup() {
    let place = Place::new();
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" seal -k key - -o again.sealed", env!("CARGO_BIN_EXE_combseal")]);
    let mut child = shell.current_dir(place.path(".")).stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    // Until it is the command itself, which heeds another signal.
    until_it_heeds(&mut child, Signal::TERM);
    send(&child, Signal::HUP);
    std::thread::sleep(Duration::from_millis(100));
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(place.has("again.sealed"));
}
