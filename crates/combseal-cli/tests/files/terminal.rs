//! What is asked for and shown on a terminal, by a terminal of Python's; without Python it is
//! skipped, aloud.

use super::context::*;
use super::keys::CHEAP;
use std::process::{Command, Stdio};

/// Runs the command in a terminal of its own. `script` is a list of what to wait for and what to
/// type then. The exit code, and what the terminal showed.
const PTY: &str = r#"
import json, os, pty, select, signal, sys, termios, time
script, argv = json.loads(sys.argv[1]), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(argv[0], argv)
shown, at, end = b"", 0, time.time() + 60
while True:
    if script and script[0][0].encode() in shown[at:]:
        at = len(shown)
        # Until what is typed is not shown, as after every question for a passphrase.
        hidden = time.time() + 2
        while termios.tcgetattr(terminal)[3] & termios.ECHO and time.time() < hidden:
            time.sleep(0.01)
        os.write(terminal, script.pop(0)[1].encode())
    if not select.select([terminal], [], [], 0.1)[0]:
        if time.time() > end:
            os.kill(pid, signal.SIGKILL)
        continue
    try:
        more = os.read(terminal, 65536)
    except OSError:
        more = b""
    if not more:
        break
    shown += more
status = os.waitpid(pid, 0)[1]
code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
print(json.dumps([code, shown.decode(errors="replace")]))
"#;

fn in_terminal(place: &Place, script: &[[&str; 2]], args: &[&str]) -> Option<(i64, String)> {
    let script = serde_json::to_string(script).unwrap();
    let mut python = Command::new("python3");
    python.args(["-c", PTY, &script]).args(args).current_dir(place.path("."));
    let Ok(output) = python.stdin(Stdio::null()).output() else {
        eprintln!("SKIPPED: no python3 to make a terminal with");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

const COMBSEAL: &str = env!("CARGO_BIN_EXE_combseal");

/// Typed twice to seal and once to open; not shown; two that differ are refused.
#[test]
fn typed_passphrase() {
    let place = Place::new();
    place.write("file", b"text");
    let twice = [["passphrase: ", "correct horse\n"], ["passphrase, again: ", "correct horse\n"]];
    let seal = [&[COMBSEAL, "seal", "-p", "file"][..], &CHEAP].concat();
    let Some((code, shown)) = in_terminal(&place, &twice, &seal) else { return };
    assert_eq!(code, 0, "{shown}");
    assert!(!shown.contains("horse"), "{shown}");
    let once = [["passphrase: ", "correct horse\n"]];
    let (code, shown) = in_terminal(&place, &once, &[COMBSEAL, "open", "-p", "file.sealed", "-o", "-"]).unwrap();
    assert!(code == 0 && shown.ends_with("text"), "{code} {shown}");
    place.write("phrase", b"correct horse");
    place.run(&["open", "file.sealed", "-o", "-", "--passphrase-file", "phrase"]).is(OK);

    let differ = [["passphrase: ", "correct horse\n"], ["again: ", "correct house\n"]];
    let again = [&seal[..], &["-f"]].concat();
    let (code, shown) = in_terminal(&place, &differ, &again).unwrap();
    assert!(code == 2 && shown.contains("differ"), "{code} {shown}");
    let (code, shown) = in_terminal(&place, &[["passphrase: ", "\n"]], &again).unwrap();
    assert!(code == 2 && shown.contains("empty"), "{code} {shown}");

    // Ctrl-D is no passphrase; and nobody is asked for one that would be of no use.
    let (code, shown) = in_terminal(&place, &[["passphrase: ", "\u{4}"]], &again).unwrap();
    assert!(code == 2 && shown.contains("no passphrase was given"), "{code} {shown}");
    for (args, says) in [
        (&["seal", "-p", "file"][..], "exists already"),
        (&["open", "-p", "file.sealed"], "exists already"),
        (&["seal", "-p", "file", "-o", "none/file"], "none/file: no such file"),
        (&["open", "-p", "phrase", "-o", "out"], "not a sealed file"),
    ] {
        let (code, shown) = in_terminal(&place, &[], &[&[COMBSEAL], args].concat()).unwrap();
        assert!(code != 0 && shown.contains(says) && !shown.contains("passphrase:"), "{code} {shown}");
    }

    // A new passphrase; and standard input is left alone.
    let change = [["passphrase: ", "correct horse\n"], ["new passphrase: ", "b\n"], ["new passphrase, again: ", "b\n"]];
    let rekey = [&[COMBSEAL, "rekey", "file.sealed", "-p", "--new-passphrase"][..], &CHEAP].concat();
    let (code, shown) = in_terminal(&place, &change, &rekey).unwrap();
    assert_eq!(code, 0, "{shown}");
    let script = ["sh", "-c", "\"$0\" open -p - -o opened < file.sealed", COMBSEAL];
    let shell = [&["/bin/sh"], &script[1..]].concat();
    let (code, shown) = in_terminal(&place, &[["passphrase: ", "b\n"]], &shell).unwrap();
    assert_eq!(code, 0, "{shown}");
    assert_eq!(place.read("opened"), b"text");
}

/// Ctrl-C at the question ends the command, leaves no file, and leaves a terminal that shows what is
/// typed.
#[test]
fn interrupted_question() {
    let place = Place::new();
    place.write("file", b"text");
    let script = "stty -a > before; trap 'true' INT; \"$0\" seal -p file; echo $? > code; stty -a > after";
    let shell = ["/bin/sh", "-c", script, COMBSEAL];
    let Some((_, shown)) = in_terminal(&place, &[["passphrase: ", "\u{3}"]], &shell) else { return };
    assert_eq!(place.read("code"), b"130\n", "{shown}");
    assert_eq!(String::from_utf8(place.read("before")).unwrap(), String::from_utf8(place.read("after")).unwrap());
    assert!(!place.has("file.sealed"));
}

/// Long work shows how far it has come, on a terminal and nowhere else, and can be told not to.
#[test]
fn progress() {
    let place = Place::new();
    let script = |options: &str| {
        format!(
            "{{ head -c 3000000 /dev/zero; sleep 2.2; head -c 3000000 /dev/zero; sleep 0.3; head -c 9 /dev/zero; }} \
                 | \"$0\" seal -k key - -f -o out.sealed {options}"
        )
    };
    let shown = |options: &str| {
        in_terminal(&place, &[], &["/bin/sh", "-c", &script(options), COMBSEAL]).map(|(code, shown)| {
            assert_eq!(code, 0, "{shown}");
            shown
        })
    };
    let Some(text) = shown("") else { return };
    assert!(text.contains("standard input") && text.contains("MiB") && text.contains("/s"), "{text:?}");
    assert_eq!(shown("--quiet").unwrap(), "");
    assert_eq!(shown("2> log").unwrap(), "");
    assert_eq!(place.read("log"), b"");
    assert!(place.shell(&script("")).is(OK).err.is_empty());
}

/// Sealed data is not for a terminal.
#[test]
fn not_for_a_terminal() {
    let place = Place::new();
    place.write("file", b"text");
    for script in ["\"$0\" seal -k key - < file", "\"$0\" seal -k key -o - file", "\"$0\" seal -k key -o - - < file"] {
        let shell = ["/bin/sh", "-c", script, COMBSEAL];
        let Some((code, shown)) = in_terminal(&place, &[], &shell) else { return };
        assert!(code == 2 && shown.contains("not for a terminal") && !shown.contains("CMB"), "{code} {shown}");
    }
}
