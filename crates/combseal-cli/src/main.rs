//! The `combseal` command.

use clap::{Parser, Subcommand};
use combseal_cli::commands::{self, OK, UNREADABLE};
use std::io::{self, ErrorKind};
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
    /// Reads our format (vectors/README.md) and Wycheproof's. Ends with "N passed, M failed" and exits with 0 if all
    /// passed, 1 if any failed, 2 if anything could not be read. A scheme that is not here is named and skipped.
    Check(commands::check::Args),
}

fn main() -> ExitCode {
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    let done = match Cli::parse().command {
        Command::Schemes(args) => commands::schemes::run(&args, &mut out).map(|()| OK),
        Command::Study(args) => commands::study::run(&args, &mut out, &mut err),
        Command::Compare(args) => commands::compare::run(&args, &mut out, &mut err),
        Command::Vectors(Vectors::Check(args)) => commands::check::run(&args, &mut out, &mut err),
        Command::Report(args) => commands::report::run(&args, &mut out),
        Command::Advise(args) => commands::advise::run(&args, &mut out, &mut err),
        Command::Limits(args) => commands::limits::run(&args, &mut out),
        Command::Analyze(args) => commands::analyze::run(&args, &mut out),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        // `combseal … | head`: whoever read has read enough.
        Err(e) if e.kind() == ErrorKind::BrokenPipe => ExitCode::from(OK),
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(UNREADABLE)
        }
    }
}
