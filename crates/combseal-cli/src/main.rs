//! The `combseal` command.

use clap::{Parser, Subcommand};
use combseal_cli::commands::{self, OK, UNREADABLE};
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// What most people want of the command, behind its help.
const EXAMPLES: &str = "\
Examples:
  combseal study                         measure everything here, and say which scheme to take
  combseal advise --need nist            which of those that NIST approved, by results that are there
  combseal keygen -o my.key && combseal seal --key my.key letter.txt
  combseal help advise                   more of one command, with examples";

/// Authenticated encryption at the speed of the AES unit
#[derive(Parser)]
#[command(name = "combseal", version, arg_required_else_help = true, after_help = EXAMPLES)]
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
    #[command(after_help = "\
Examples:
  combseal schemes
  combseal schemes --archive             those of the archive, and what became of each")]
    Schemes(commands::schemes::Args),
    /// Which scheme is the fastest here, and by how much, in about two minutes
    ///
    /// Measures every scheme of the library, by CPU tier, and the libraries that people use, in core cycles: sealing,
    /// opening, rejecting forgeries and key setup, by length, associated data, number of keys and mix of packets. Each
    /// is checked against known answers first. Ctrl-C keeps what was measured.
    #[command(after_help = "\
Examples:
  combseal study                         everything, in about two minutes; ends with what to take
  combseal study --quick --schemes gcm,ocb3
  combseal study --traffic capture.pcap  your own traffic beside the realistic mix
  combseal study --resume                go on with one that was interrupted")]
    Study(commands::study::Args),
    /// What changed between two studies, and how much of it is noise
    ///
    /// Compares what a message costs; of two processors, multiples of what the AES unit of each allows. Exits with 1 if
    /// anything got slower by more than the threshold and the noise.
    #[command(after_help = "\
Examples:
  combseal compare before.jsonl after.jsonl --ours --threshold 3%
  combseal compare laptop.jsonl server.jsonl        two processors: a line a scheme")]
    Compare(commands::compare::Args),
    /// Known-answer tests
    #[command(subcommand)]
    Vectors(Vectors),
    /// Which scheme for this traffic, and why not the others
    ///
    /// Ranks the schemes by measured results, sealing and opening, and says cycles and Gbit/s a core. Exits with 1 if none
    /// has what is needed.
    #[command(after_help = "\
Examples:
  combseal advise                        the realistic mix of packets, sealed and opened
  combseal advise --traffic 1.5k --op seal
  combseal advise --traffic capture.pcap --need nist,256-bit-key
  combseal advise --need misuse-resistant server.jsonl")]
    Advise(commands::advise::Args),
    /// Make a page of results: figures, tables, and which scheme to choose
    #[command(after_help = "\
Examples:
  combseal report combseal-study/results.jsonl
  combseal report laptop.jsonl server.jsonl -o both.html")]
    Report(commands::report::Args),
    /// How much may be sealed under one key, by the proven bounds
    #[command(after_help = "\
Examples:
  combseal limits AES-128-GCM --message-bytes 1500 --messages 2^32
  combseal limits OCB3-AES-128 --message-bytes 16Ki --messages 1e9 --attempts 2^40 --advantage 2^-50")]
    Limits(commands::limits::Args),
    /// What the papers computed once, computed again
    #[command(
        subcommand,
        after_help = "\
Examples:
  combseal analyze comb 94 5 5 5 85 94 94
  combseal analyze stretch"
    )]
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
