//! `combseal vectors check`: files to worker threads, reports back in order.

use super::{FAILED, OK, UNREADABLE};
use crate::vectors::check::{Failure, Report, check};
use crate::vectors::{self, Limits, Vectors, archived, files, stream};
use combseal::Cpu;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What to check.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Vector files, and folders with *.json files at any depth
    #[arg(required = true, value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// Run on these tiers only, as `combseal schemes` names them [default: all, and the models if built with that feature]
    #[arg(long, value_name = "TIER", value_delimiter = ',', value_parser = tier)]
    pub tiers: Vec<Cpu>,
    /// Files to check at once [default: as many as the machine has threads]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZero<usize>>,
    /// Print the files that failed, were skipped or could not be read, and the sum
    #[arg(short, long)]
    pub quiet: bool,
}

fn tier(name: &str) -> Result<Cpu, String> {
    Cpu::by_name(name).ok_or_else(|| {
        let names: Vec<_> = Cpu::all().map(Cpu::name).collect();
        format!("this machine has no such tier; it has {}", names.join(", "))
    })
}

/// What became of a file.
enum Outcome {
    /// What came of it, how long it took, and what is to be said of the file.
    Checked(Report, Duration, String),
    /// The scheme as the file names it, and why it is not checked.
    Skipped {
        scheme: String,
        tests: usize,
        why: &'static str,
    },
    Unreadable(String),
}

/// Failures shown of one file.
const SHOWN: usize = 10;

/// Runs the command and returns the exit code.
///
/// # Errors
/// When `out` or `err` cannot be written.
pub fn run(args: &Args, out: &mut impl Write, err: &mut impl Write) -> io::Result<u8> {
    let mut tiers = args.tiers.clone();
    if tiers.is_empty() {
        tiers.extend(Cpu::all());
    }
    let mut files = Vec::new();
    let mut sum = Sum::default();
    for path in &args.paths {
        match files::collect(path) {
            Ok(found) => files.extend(found),
            Err(e) => {
                sum.unreadable += 1;
                writeln!(err, "error: {}: {e}", path.display())?;
            }
        }
    }
    let names: Vec<_> = tiers.iter().map(|t| t.name()).collect();
    if !args.quiet && !files.is_empty() {
        writeln!(out, "tiers: {}", names.join(" "))?;
    }
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let show = Show { width: files.iter().map(|f| f.as_os_str().len()).max().unwrap_or(0), quiet: args.quiet };
    in_order(
        &files,
        jobs,
        |file| outcome(file, &tiers),
        |file, outcome| {
            sum.add(&outcome);
            show.file(out, err, file, &outcome)?;
            out.flush()
        },
    )?;
    write!(out, "{} passed, {} failed", sum.passed, sum.failed)?;
    if sum.skipped > 0 {
        write!(out, ", {} skipped", sum.skipped)?;
    }
    writeln!(out)?;
    Ok(if sum.failed > 0 {
        FAILED
    } else if sum.unreadable > 0 {
        UNREADABLE
    } else {
        OK
    })
}

fn outcome(file: &Path, tiers: &[Cpu]) -> Outcome {
    let start = Instant::now();
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(e) => return Outcome::Unreadable(e.to_string()),
    };
    match vectors::read(&bytes, Limits::default()) {
        Ok(Vectors::Suite(suite)) => Outcome::Checked(check(&suite, tiers), start.elapsed(), String::new()),
        Ok(Vectors::Archived(suite)) => {
            let report = archived::check(&suite, tiers);
            let note = archived::faulty(&suite).map(|name| format!("  a faulty code's output: {name}"));
            Outcome::Checked(report, start.elapsed(), note.unwrap_or_default())
        }
        Ok(Vectors::Stream(suite)) => {
            let report = stream::check(&suite, tiers);
            let note = stream::unconfirmed(&suite).map(|name| format!("  answers of one code alone: {name}"));
            Outcome::Checked(report, start.elapsed(), note.unwrap_or_default())
        }
        Ok(Vectors::Sealed { format, tests }) => {
            Outcome::Skipped { scheme: format, tests, why: "sealed streams: the library's tests check them" }
        }
        Ok(Vectors::Unknown { scheme, tests }) => Outcome::Skipped { scheme, tests, why: "a scheme that is not here" },
        Err(e) => Outcome::Unreadable(e.to_string()),
    }
}

/// Runs `work` on every item by `jobs` threads, and `done` on the results in
/// the items' order, each as soon as those before it are there.
fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(&T, R) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..jobs.min(items.len()) {
            let (send, next, work) = (send.clone(), &next, &work);
            scope.spawn(move || {
                while let Some((i, item)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, items.get(i)?)))
                {
                    if send.send((i, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let (mut early, mut shown) = (BTreeMap::new(), 0);
        for (i, result) in receive {
            early.insert(i, result);
            while let Some(result) = early.remove(&shown) {
                done(&items[shown], result)?;
                shown += 1;
            }
        }
        Ok(())
    })
}

#[derive(Default)]
struct Sum {
    passed: usize,
    failed: usize,
    skipped: usize,
    unreadable: usize,
}

impl Sum {
    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Checked(report, ..) => {
                self.passed += report.passed;
                self.failed += report.failures.len();
            }
            Outcome::Skipped { tests, .. } => self.skipped += tests,
            Outcome::Unreadable(_) => self.unreadable += 1,
        }
    }
}

/// How results are printed.
struct Show {
    width: usize,
    quiet: bool,
}

impl Show {
    fn file(&self, out: &mut impl Write, err: &mut impl Write, file: &Path, outcome: &Outcome) -> io::Result<()> {
        let (name, width) = (file.display().to_string(), self.width);
        match outcome {
            Outcome::Checked(report, ..) if self.quiet && report.failures.is_empty() => Ok(()),
            Outcome::Checked(report, time, note) => {
                let word = if report.failures.is_empty() { "ok" } else { "FAIL" };
                let tiers = report.tiers;
                writeln!(
                    out,
                    "{word:<5} {name:<width$}  {:>5} passed, {} failed on {tiers} {}  {:>7.3} s{note}",
                    report.passed,
                    report.failures.len(),
                    if tiers == 1 { "tier" } else { "tiers" },
                    time.as_secs_f64()
                )?;
                for failure in report.failures.iter().take(SHOWN) {
                    show_failure(out, failure, tiers)?;
                }
                if let Some(more @ 1..) = report.failures.len().checked_sub(SHOWN) {
                    writeln!(out, "      and {more} more")?;
                }
                Ok(())
            }
            Outcome::Skipped { scheme, tests, why } => {
                writeln!(out, "skip  {name:<width$}  {tests:>5} tests of {scheme:?}, {why}")
            }
            Outcome::Unreadable(what) => writeln!(err, "error: {name}: {what}"),
        }
    }
}

fn show_failure(out: &mut impl Write, failure: &Failure, tiers: usize) -> io::Result<()> {
    let Failure { test, tier, what, .. } = failure;
    write!(out, "      {test}: on {tier}")?;
    match failure.tiers {
        1 if tiers > 1 => write!(out, " alone")?,
        1 => {}
        n if n == tiers => write!(out, " and all other tiers")?,
        n => write!(out, " and {} of {} other tiers", n - 1, tiers - 1)?,
    }
    writeln!(out, ": {what}")
}
