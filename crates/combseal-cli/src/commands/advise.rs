//! `combseal advise`: which scheme for this traffic, and why not the others.

use super::study::PayloadArg;
use super::{FAILED, OK, columns};
use combseal_lab::answers::rank::{self, Ranking};
use combseal_lab::answers::{Advice, Need, advise};
use combseal_lab::results::{self, Run, Unit};
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
    /// A capture (pcap, pcapng), a CSV of lengths, or `mix`: the realistic mix of packets
    #[arg(long, value_name = "FILE|mix", default_value = "mix")]
    traffic: PathBuf,
    /// What counts as a message in a captured frame
    #[arg(long, value_enum, default_value = "ip")]
    payload: PayloadArg,
    /// What the scheme must have: standard, misuse-resistant, 256-bit-key, short-tags
    #[arg(long, value_delimiter = ',', value_name = "NEEDS", value_parser = need)]
    need: Vec<Need>,
    /// Results files of `combseal study` [default: those in combseal-study/; if there are none, 20 seconds of measuring]
    #[arg(value_name = "RESULTS")]
    results: Vec<PathBuf>,
}

fn need(name: &str) -> Result<Need, String> {
    Need::ALL
        .into_iter()
        .find(|need| need.name() == name)
        .ok_or_else(|| format!("the needs are {}", Need::ALL.map(Need::name).join(", ")))
}

/// Runs the command and returns the exit code: 1 if no scheme has what is needed.
///
/// # Errors
/// When the traffic or the results cannot be read, or `out` or `err` cannot be written.
pub fn run(args: &Args, out: &mut impl Write, err: &mut impl Write) -> io::Result<u8> {
    let traffic = match args.traffic.to_str() {
        Some("mix") => Traffic::realistic(),
        _ => {
            let reading = traffic::read(&args.traffic, args.payload.into()).map_err(io::Error::other)?;
            for note in &reading.notes {
                writeln!(err, "{}: {note}", args.traffic.display())?;
            }
            reading.traffic
        }
    };
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
        return Err(io::Error::other("these results hold no measurements; `combseal study` makes some"));
    }
    for (i, run) in runs.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        let ranking = rank::of_traffic(run, &traffic);
        fits |= print(run, &traffic, &ranking, &advise(&ranking, &args.need), &args.need, out)?;
    }
    Ok(if fits { OK } else { FAILED })
}

/// Prints the schemes that fit, then the others with what they lack. Says whether any fits.
fn print(
    run: &Run,
    traffic: &Traffic,
    ranking: &Ranking,
    advice: &[Advice],
    needs: &[Need],
    out: &mut impl Write,
) -> io::Result<bool> {
    let unit = match run.machine.clock.unit {
        Unit::Cycles => "cycles",
        Unit::Nanoseconds => "ns",
    };
    writeln!(out, "{}", run.machine.cpu)?;
    let how = if ranking.measured { "measured as it is" } else { "put together from measured lengths" };
    writeln!(out, "{}: {}; {how}", traffic.name, rank::about(traffic))?;
    if !needs.is_empty() {
        let names: Vec<_> = needs.iter().map(|need| need.name()).collect();
        writeln!(out, "needed: {}", names.join(", "))?;
    }
    writeln!(out)?;
    let head = [
        "scheme".to_string(),
        format!("{unit} a message"),
        format!("{unit} a byte"),
        "Gbit/s a core".into(),
        "times".into(),
        "by".into(),
    ];
    let (fit, others): (Vec<&Advice>, Vec<&Advice>) = advice.iter().partition(|a| a.lacks.is_empty());
    let mut rows = vec![head.to_vec()];
    for a in &fit {
        let r = a.ranked;
        rows.push(vec![
            r.scheme.clone(),
            format!("{:.0}", r.per_message),
            format!("{:.2}", r.per_byte),
            r.gbits.map_or("-".into(), |g| format!("{g:.1}")),
            a.times.map_or("-".into(), |t| format!("{t:.2}")),
            r.implementation.clone(),
        ]);
    }
    match fit.first() {
        Some(best) => {
            columns(out, &rows)?;
            writeln!(
                out,
                "\nOf the {} schemes that were measured, take {}, by {}.",
                advice.len(),
                best.ranked.scheme,
                best.ranked.implementation
            )?;
        }
        None if run.machine.emulated.is_some() => {
            writeln!(
                out,
                "An emulator ran this study: its times say nothing of a real machine, and nothing is ranked."
            )?;
        }
        None if advice.is_empty() => writeln!(
            out,
            "Of schemes that are for use, nothing was measured at two lengths or more, so nothing can be said."
        )?,
        None => writeln!(out, "None of these has all that is needed.")?,
    }
    if !others.is_empty() {
        writeln!(out, "\nNot these:\n")?;
        let row = |a: &&Advice| {
            let r = a.ranked;
            vec![r.scheme.clone(), format!("{:.2}", r.per_byte), a.lacks.join("; ")]
        };
        let head = vec!["scheme".to_string(), format!("{unit} a byte"), "because".into()];
        columns(out, &[head].into_iter().chain(others.iter().map(row)).collect::<Vec<_>>())?;
    }
    Ok(!fit.is_empty())
}

/// A study that nobody watches.
struct Quiet;

impl Watcher for Quiet {
    fn say(&mut self, _: &str) {}
    fn progress(&mut self, _: &str, _: f64, _: Duration) {}
}
