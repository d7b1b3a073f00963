//! `combseal keygen`: a new key, in a file that its owner alone can read.

use super::{OK, failed};
use crate::files::ends::{STANDARD, stdout};
use crate::files::failure::Failure;
use crate::files::interrupt;
use crate::files::pending::{Mode, Pending};
use combseal::stream::KeyFile;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::SystemTime;
use zeroize::Zeroizing;

/// Where the key goes.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The key file, or - for standard output; a file that exists is never replaced
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// A line about the key, to be written into its file
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
}

/// Runs the command and returns the exit code.
pub fn run(args: &Args) -> u8 {
    match make(args) {
        Ok(()) => OK,
        Err(failure) => failed(&failure),
    }
}

fn make(args: &Args) -> Result<(), Failure> {
    let mut bytes = Zeroizing::new([0; 32]);
    getrandom::fill(&mut *bytes)
        .map_err(|error| Failure::io("the system's random numbers", &io::Error::other(error)))?;
    let made = format!("made: {}", humantime::format_rfc3339_seconds(SystemTime::now()));
    let mut comments =
        vec!["A key of Combseal. Who reads it opens what it sealed; without it nobody does, so keep a copy.", &made];
    comments.extend(args.comment.as_deref());
    let text = KeyFile::new(&bytes).to_text(&comments);
    if args.output.as_os_str() == STANDARD {
        let written = stdout().and_then(|mut out| out.write_all(text.as_bytes()));
        return written.map_err(|error| Failure::io("standard output", &error));
    }
    let name = args.output.display().to_string();
    let fail = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::usage("exists already")
            .of(&name)
            .hint("a key is never replaced: what it sealed would be lost; choose another name"),
        _ => Failure::io(&name, &error),
    };
    // A link, even to nothing, is a name that is taken.
    if args.output.symlink_metadata().is_ok() {
        return Err(fail(io::ErrorKind::AlreadyExists.into()));
    }
    interrupt::watch().map_err(|error| Failure::io("signals", &error))?;
    let mut pending = Pending::create(&args.output, false, Mode::Private).map_err(fail)?;
    pending.writer().write_all(text.as_bytes()).map_err(fail)?;
    pending.publish().map_err(fail)
}
