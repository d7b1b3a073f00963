//! A folder with a key, and the command run in it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The exit codes, as the manual has them.
pub const OK: i32 = 0;
pub const USAGE: i32 = 2;
pub const WRONG_KEY: i32 = 3;
pub const DAMAGED: i32 = 4;
pub const TRUNCATED: i32 = 5;
pub const UNSUPPORTED: i32 = 6;
pub const IO: i32 = 7;

/// A segment of the usual length.
pub const SEGMENT: usize = 64 << 10;

/// A folder of its own, with a key in the file `key`.
pub struct Place(TempDir);

/// What a command came to.
#[derive(Debug)]
pub struct Done {
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: String,
}

impl Place {
    pub fn new() -> Self {
        let it = Self(tempfile::tempdir().unwrap());
        it.run(&["keygen", "-o", "key"]).is(OK);
        it
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).symlink_metadata().is_ok()
    }

    /// The names of all files, sorted, without the key's.
    pub fn names(&self) -> Vec<String> {
        names(self.0.path()).into_iter().filter(|name| name != "key").collect()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_combseal"));
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Done {
        done(self.command(args).output().unwrap())
    }

    /// With that on standard input, through a pipe.
    pub fn piped(&self, args: &[&str], input: &[u8]) -> Done {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            // Who has failed reads no more: that is no failure of the test.
            scope.spawn(move || drop(stdin.write_all(input)));
            done(child.wait_with_output().unwrap())
        })
    }

    /// By a shell, with the command as `$0`.
    pub fn shell(&self, script: &str) -> Done {
        let mut shell = Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_combseal")]).current_dir(self.0.path()).stdin(Stdio::null());
        done(shell.output().unwrap())
    }

    /// Seals bytes under the key and returns the sealed file's name.
    pub fn sealed(&self, name: &str, bytes: &[u8]) -> String {
        self.write(name, bytes);
        self.run(&["seal", "-k", "key", name]).is(OK);
        format!("{name}.sealed")
    }
}

pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub fn done(output: Output) -> Done {
    Done { code: output.status.code(), out: output.stdout, err: String::from_utf8(output.stderr).unwrap() }
}

impl Done {
    /// That it ended with this exit code.
    #[track_caller]
    pub fn is(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{}{}", String::from_utf8_lossy(&self.out), self.err);
        self
    }

    /// That it said this.
    #[track_caller]
    pub fn says(&self, what: &str) -> &Self {
        assert!(self.err.contains(what), "{what:?} is not in {:?}", self.err);
        self
    }
}

/// Bytes without a pattern of a segment's length, the same for the same seed.
pub fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut out: Vec<u8> = (0..len.div_ceil(8)).flat_map(|_| next().to_le_bytes()).collect();
    out.truncate(len);
    out
}
