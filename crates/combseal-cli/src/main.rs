//! The `combseal` command.

use clap::{Parser, Subcommand};
use combseal_cli::commands::{self, OK, UNREADABLE};
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// Authenticated encryption at the speed of the AES unit
#[derive(Parser)]
#[command(name = "combseal", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(flatten)]
    Files(Files),
    #[command(flatten)]
    Laboratory(Laboratory),
}

// Sealed files. (Not a documentation comment: that would become the command's own description.)
#[derive(Subcommand)]
enum Files {
    /// Seal files: encrypt them so that no change goes unnoticed
    ///
    /// The sealed file appears, whole, when all is written. Exits with 0; 2 if the arguments make no sense, 7 if
    /// reading or writing failed.
    Seal(commands::seal::Args),
    /// Open sealed files
    ///
    /// Nothing is written that was not verified; a file appears when all of it was. Exits with 0 if all of it is
    /// authentic; 2 if the arguments make no sense, 3 if key, passphrase or context is another, 4 if the file is
    /// damaged, 5 if it was cut short or its end is damaged, 6 if it is no sealed file, one that is not supported, or one
    /// whose passphrase demands more than is allowed, 7 if reading or writing failed.
    Open(commands::open::Args),
    /// What a sealed file says of itself, without the key
    Inspect(commands::inspect::Args),
    /// Make a key file
    Keygen(commands::keygen::Args),
    /// Change keys and passphrases of a sealed file, in place
    Rekey(commands::rekey::Args),
}

// Schemes, measured and checked.
#[derive(Subcommand)]
enum Laboratory {
    /// List the schemes, what they ask of you, and this machine's CPU tiers
    Schemes(commands::schemes::Args),
    /// Which scheme is the fastest here, and by how much, in about two minutes
    ///
    /// Measures every scheme of the library, by CPU tier, and the libraries that people use, in core cycles: sealing,
    /// opening, rejecting forgeries and key setup, by length, associated data, number of keys and mix of packets. Each
    /// is checked against known answers first. Ctrl-C keeps what was measured.
    Study(commands::study::Args),
    /// What changed between two studies, and how much of it is noise
    ///
    /// Exits with 1 if anything got slower by more than the threshold and the noise.
    Compare(commands::compare::Args),
    /// Known-answer tests
    #[command(subcommand)]
    Vectors(Vectors),
    /// Which scheme for this traffic, and why not the others
    ///
    /// Ranks the schemes by measured results and says cycles and Gbit/s a core. Exits with 1 if none has what is needed.
    Advise(commands::advise::Args),
    /// Make a page of results: figures, tables, and which scheme to choose
    Report(commands::report::Args),
    /// How much may be sealed under one key, by the proven bounds
    Limits(commands::limits::Args),
    /// What the papers computed once, computed again
    #[command(subcommand)]
    Analyze(commands::analyze::Args),
}

#[derive(Subcommand)]
enum Vectors {
    /// Run every test of vector files through every CPU tier
    ///
    /// Reads our formats (vectors/README.md) and Wycheproof's. Ends with "N passed, M failed" and exits with 0 if all
    /// passed, 1 if any failed, 2 if anything could not be read. A scheme that is not here is named and skipped.
    Check(commands::check::Args),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Files(command) => ExitCode::from(files(&command)),
        Command::Laboratory(command) => laboratory(&command),
    }
}

/// The exit codes are those of `files::failure::Cause`.
fn files(command: &Files) -> u8 {
    match command {
        Files::Seal(args) => commands::seal::run(args),
        Files::Open(args) => commands::open::run(args),
        Files::Inspect(args) => commands::inspect::run(args, &mut io::stdout()),
        Files::Keygen(args) => commands::keygen::run(args),
        Files::Rekey(args) => commands::rekey::run(args),
    }
}

fn laboratory(command: &Laboratory) -> ExitCode {
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    let done = match command {
        Laboratory::Schemes(args) => commands::schemes::run(args, &mut out).map(|()| OK),
        Laboratory::Study(args) => commands::study::run(args, &mut out, &mut err),
        Laboratory::Compare(args) => commands::compare::run(args, &mut out, &mut err),
        Laboratory::Vectors(Vectors::Check(args)) => commands::check::run(args, &mut out, &mut err),
        Laboratory::Report(args) => commands::report::run(args, &mut out),
        Laboratory::Advise(args) => commands::advise::run(args, &mut out, &mut err),
        Laboratory::Limits(args) => commands::limits::run(args, &mut out),
        Laboratory::Analyze(args) => commands::analyze::run(args, &mut out),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        // `combseal … | head`: whoever read has read enough.
        Err(e) if e.kind() == ErrorKind::BrokenPipe => ExitCode::from(OK),
        Err(e) => {
            let _ = writeln!(err, "error: {e}");
            ExitCode::from(UNREADABLE)
        }
    }
}
