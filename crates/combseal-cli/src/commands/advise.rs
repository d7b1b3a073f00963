//! `combseal advise`: which scheme for this traffic, and why not the others.

use super::amount::bytes;
use super::answer;
use super::study::PayloadArg;
use super::{FAILED, OK};
use combseal_lab::answers::Need;
use combseal_lab::answers::rank::{self, Direction};
use combseal_lab::results::{self, Run};
use combseal_lab::study::{Options, RESULTS, Scope, Watcher, run as study};
use combseal_lab::traffic::{self, Traffic};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The folder in which a study leaves its results.
const FOLDER: &str = "combseal-study";

/// What is sealed, and what it is sealed with.
#[derive(clap::Args)]
pub struct Args {
    /// What is sealed: a capture (pcap, pcapng), a CSV of lengths, a length as 1500, 1.5k or 16Ki, or `mix`, the realistic
    /// mix of packets
    #[arg(long, value_name = "FILE|BYTES|mix", default_value = "mix")]
    traffic: PathBuf,
    /// What is counted of every message
    #[arg(long, value_enum, default_value = "both")]
    op: OpArg,
    /// What counts as a message in a captured frame
    #[arg(long, value_enum, default_value = "ip")]
    payload: PayloadArg,
    /// What the scheme must have, with commas between: standard (a standard or an RFC defines it), nist (approved by
    /// NIST, as FIPS 140 asks), misuse-resistant (two messages under one nonce show no more than that they are equal),
    /// 256-bit-key, short-tags (fewer than 16 bytes)
    #[arg(long, value_delimiter = ',', value_name = "NEEDS", value_parser = need)]
    need: Vec<Need>,
    /// Results files of `combseal study` [default: those in combseal-study/; if there are none, 20 seconds of measuring]
    #[arg(value_name = "RESULTS")]
    results: Vec<PathBuf>,
}

/// What is counted, on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
enum OpArg {
    /// Sealing alone
    Seal,
    /// Opening alone
    Open,
    /// Sealing it once and opening it once
    Both,
}

impl From<OpArg> for Direction {
    fn from(op: OpArg) -> Self {
        match op {
            OpArg::Seal => Direction::Seal,
            OpArg::Open => Direction::Open,
            OpArg::Both => Direction::Both,
        }
    }
}

fn need(name: &str) -> Result<Need, String> {
    let said = |need: Need| format!("\n  {:<17} {}", need.name(), need.meaning());
    Need::ALL
        .into_iter()
        .find(|need| need.name() == name)
        .ok_or_else(|| format!("the needs are{}", Need::ALL.map(said).concat()))
}

/// The traffic that is meant: a file of that name before a length.
fn traffic(args: &Args, err: &mut impl Write) -> io::Result<Traffic> {
    let name = args.traffic.to_str().unwrap_or_default();
    if name == "mix" {
        return Ok(Traffic::realistic());
    }
    if !args.traffic.exists() {
        return match bytes(name) {
            Ok(length @ 1..=traffic::LONGEST) => Ok(Traffic::one_length(length)),
            Ok(_) => Err(io::Error::other(format!("{name}: lengths are of 1 to {} bytes", traffic::LONGEST))),
            Err(_) => {
                let shown = args.traffic.display();
                Err(io::Error::other(format!("{shown}: no such file, and no length as 1500, 1.5k or 16Ki")))
            }
        };
    }
    let reading = traffic::read(&args.traffic, args.payload.into()).map_err(io::Error::other)?;
    for note in &reading.notes {
        writeln!(err, "{}: {note}", args.traffic.display())?;
    }
    Ok(reading.traffic)
}

/// Runs the command and returns the exit code: 1 if no scheme has what is needed.
///
/// # Errors
/// When the traffic or the results cannot be read, or `out` or `err` cannot be written.
pub fn run(args: &Args, out: &mut impl Write, err: &mut impl Write) -> io::Result<u8> {
    let traffic = traffic(args, err)?;
    let own = [Path::new(FOLDER).join(RESULTS)];
    let files = match &args.results[..] {
        [] if own[0].exists() => &own[..],
        [] => {
            writeln!(err, "No results yet: measuring for about 20 seconds, into {FOLDER}/.")?;
            let options =
                Options { scope: Scope::Quick, traffic: Some(traffic.clone()), seed: 1, ..Options::default() };
            study(&options, Path::new(FOLDER), false, &AtomicBool::new(false), &mut Quiet).map_err(io::Error::other)?;
            &own
        }
        some => some,
    };
    let contents = results::read_all(files).map_err(io::Error::other)?;
    for warning in &contents.warnings {
        writeln!(err, "{warning}")?;
    }
    let mut fits = false;
    let runs: Vec<Run> = results::runs(contents.records).into_iter().filter(|run| !run.points.is_empty()).collect();
    if runs.is_empty() {
        let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
        let why = format!("{}: no measurements in it; `combseal study` makes some", names.join(", "));
        return Err(io::Error::other(why));
    }
    for (i, run) in runs.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        let ranking = rank::of_traffic(run, &traffic, args.op.into());
        fits |= answer::print(run, &ranking, args.op.into(), &args.need, out)?;
    }
    Ok(if fits { OK } else { FAILED })
}

/// A study that nobody watches.
struct Quiet;

impl Watcher for Quiet {
    fn say(&mut self, _: &str) {}
    fn progress(&mut self, _: &str, _: f64, _: Duration) {}
}
