//! Runs the programme: tunings are chosen, the time is said, and one system after the other is
//! measured and written down.

use super::options::{KEYS_MESSAGE, LONGEST, MOST_KEYS, Options};
use super::record::{Chosen, End, Failed, Machine, Operation, Point, Record, Robust, Run};
use super::subject::{SINGLES, Subject, choose, keys, singles, work};
use super::{page, table};
use crate::measure::{Bench, Campaign, Clock, Limits, Random, machine};
use combseal_archive::Cpu;
use combseal_archive::streams::named::StreamSystem;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// The results' file in the programme's folder, and the page.
pub const RESULTS: &str = "results-2007.jsonl";
/// The page, beside it.
pub const PAGE: &str = "papers-2007.html";

/// Seconds that a single timing takes beside its work, and a sample of the campaign; how long that
/// one's packets take together; and how many are taken for one that is kept.
const AROUND_SINGLE: f64 = 12e-6;
const AROUND_SAMPLE: f64 = 20e-6;
const SAMPLE: f64 = 18e-6;
const TRIES: f64 = 2.0;

/// What is heard of a run.
#[derive(Clone, Copy, Debug)]
pub enum Heard<'a> {
    /// Something to read.
    Text(&'a str),
    /// Still running: the system, the part of all work done (0 to 1), and what is left.
    Progress(&'a str, f64, Duration),
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The results.
    pub file: PathBuf,
    /// The page.
    pub page: PathBuf,
    /// SVG files beside it.
    pub figures: usize,
    /// Stopped by the user.
    pub interrupted: bool,
    /// What gave wrong answers.
    pub failed: Vec<Failed>,
}

/// Why there are no results.
#[derive(Debug)]
pub enum Error {
    /// A file could not be written.
    File(PathBuf, io::Error),
    /// The options name what is not here.
    Options(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::File(path, why) => write!(f, "{}: {why}", path.display()),
            Error::Options(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

/// Runs the programme into the folder `out`, until done or until `stop` is set. What is stopped
/// leaves the systems that are whole, and a page of them.
///
/// # Errors
/// If the folder cannot be written, or the options name what is not here.
pub fn run(
    options: &Options,
    out: &Path,
    stop: &AtomicBool,
    hear: &mut dyn FnMut(Heard<'_>),
) -> Result<Outcome, Error> {
    let systems = options.chosen().map_err(Error::Options)?;
    let begun = Instant::now();
    std::fs::create_dir_all(out).map_err(|e| Error::File(out.into(), e))?;
    let path = out.join(RESULTS);
    let file = |e| Error::File(path.clone(), e);
    let mut clock = Clock::new();
    let limits = Limits::measure(&mut clock);
    hear(Heard::Text(&machine::describe(&clock, &limits)));

    let mut failed = Vec::new();
    let subjects = chosen(&systems, &mut clock, &mut failed);
    let costs = Costs { options, seconds_a_cycle: clock.nanoseconds_a_unit() * 1e-9 };
    let whole: f64 = subjects.iter().map(|subject| costs.seconds(subject)).sum();
    hear(Heard::Text(&announce(options, subjects.len(), whole)));

    if let Some(moved) = keep_older(&path)? {
        hear(Heard::Text(&format!("An earlier run's results are now {}.\n", moved.display())));
    }
    let mut run = Run { machine: record(options, &mut clock), failed, ..Run::default() };
    let mut lines = Lines(File::create(&path).map_err(file)?);
    lines.write(&Record::Machine(run.machine.clone())).map_err(file)?;
    for one in &run.failed {
        lines.write(&Record::Failed(one.clone())).map_err(file)?;
    }
    let mut done = 0.0;
    for subject in subjects {
        let cost = costs.seconds(&subject);
        let mut progress = |part: f64| {
            let part = done + part * cost;
            let left = Duration::from_secs_f64((whole - part).max(0.0));
            hear(Heard::Progress(subject.system.name(), part / whole.max(1e-9), left));
        };
        match measure(&subject, options, &mut clock, stop, &mut progress) {
            None => break,
            Some(Ok(system)) => {
                lines.write(&Record::System(system.clone())).map_err(file)?;
                run.systems.push(system);
            }
            Some(Err(why)) => {
                let about = subject.system.about();
                let one = Failed { name: subject.system.name().into(), tuning: about.tuning.into(), why };
                lines.write(&Record::Failed(one.clone())).map_err(file)?;
                run.failed.push(one);
            }
        }
        done += cost;
    }
    let interrupted = stop.load(Ordering::Relaxed);
    let end = End { interrupted, seconds: begun.elapsed().as_secs_f64() };
    lines.write(&Record::End(end.clone())).map_err(file)?;
    run.end = Some(end);
    hear(Heard::Text(&table::tables(&run)));
    let page = out.join(PAGE);
    let figures = page::write(&run, &page).map_err(|(path, why)| Error::File(path, why))?;
    Ok(Outcome { file: path, page, figures, interrupted, failed: run.failed })
}

/// Writes a record a line, each to the operating system at once.
struct Lines(File);

impl Lines {
    fn write(&mut self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.0.write_all(&line)
    }
}

/// Moves an earlier run's results out of the way, under their date.
fn keep_older(path: &Path) -> Result<Option<PathBuf>, Error> {
    let file = |e| Error::File(path.into(), e);
    if !path.exists() {
        return Ok(None);
    }
    let begun = std::fs::metadata(path).and_then(|data| data.modified()).map_err(file)?;
    let date = humantime::format_rfc3339_seconds(begun).to_string().replace(':', "");
    let moved = path.with_file_name(format!("results-2007-{date}.jsonl"));
    std::fs::rename(path, &moved).map_err(file)?;
    Ok(Some(moved))
}

fn record(options: &Options, clock: &mut Clock) -> Machine {
    Machine {
        cpu: machine::processor(),
        tier: Cpu::detect().name().into(),
        unit: clock.unit().name().into(),
        ghz: clock.ratio().map(|_| 1.0 / clock.nanoseconds_a_unit()),
        compiler: option_env!("COMBSEAL_COMPILER").unwrap_or_default().into(),
        version: env!("CARGO_PKG_VERSION").into(),
        started: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        options: options.clone(),
    }
}

/// Every system in its best tuning.
fn chosen(systems: &[Vec<&'static StreamSystem>], clock: &mut Clock, failed: &mut Vec<Failed>) -> Vec<Subject> {
    let mut bench = Bench::new(LONGEST as usize);
    systems.iter().filter_map(|tunings| choose(tunings, clock, &mut bench, failed)).collect()
}

fn announce(options: &Options, systems: usize, seconds: f64) -> String {
    let (lengths, counts) = (options.lengths().len(), options.key_counts().len());
    format!(
        "plan      {systems} systems; {lengths} lengths each to encrypt, decrypt and reject, {counts} numbers of keys; {SINGLES} single \
         timings a point, and {} lengths by the robust method too: about {}\n",
        options.robust_lengths().len(),
        humantime::format_duration(Duration::from_secs(seconds.ceil() as u64))
    )
}

/// How long a run takes, roughly.
struct Costs<'a> {
    options: &'a Options,
    seconds_a_cycle: f64,
}

impl Costs<'_> {
    fn seconds(&self, subject: &Subject) -> f64 {
        let [setup, start, a_byte] = subject.costs.map(|cycles| cycles * self.seconds_a_cycle);
        let single = |one: f64| SINGLES as f64 * (AROUND_SINGLE + one);
        let robust = |one: f64| {
            // A sample, a tenth of one or a packet before it, and five to find its size.
            (self.options.rounds() as f64 + 5.0) * TRIES * (AROUND_SAMPLE + one.max(SAMPLE) + one.max(SAMPLE / 10.0))
        };
        // Encrypting; decrypting what was encrypted for that; refusing, for which no more than a
        // third of the work is done.
        let packets = |lengths: Vec<u64>, way: &dyn Fn(f64) -> f64| -> f64 {
            let one = |bytes: u64| start + a_byte * bytes as f64;
            lengths.into_iter().map(|bytes| way(one(bytes)) + way(2.0 * one(bytes)) + way(one(bytes) / 3.0)).sum()
        };
        let encrypt = start + a_byte * KEYS_MESSAGE as f64;
        let keys = self.options.key_counts().len() as f64 * (single(encrypt) + robust(encrypt));
        packets(self.options.lengths(), &single)
            + packets(self.options.robust_lengths(), &robust)
            + keys
            + (MOST_KEYS as f64 + 2.0 * SINGLES as f64) * setup
    }
}

/// What is to be measured of a system.
type Label = (Operation, u64, u64);

/// Measures a system; `None` if it was stopped, a sentence if an answer was wrong.
fn measure(
    subject: &Subject,
    options: &Options,
    clock: &mut Clock,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(f64),
) -> Option<Result<Chosen, String>> {
    let system = subject.system;
    let all = match keys(system, MOST_KEYS, options.seed) {
        Ok(all) => all,
        Err(why) => return Some(Err(why.to_string())),
    };
    let mut labels: Vec<Label> = vec![(Operation::ExpandKey, 0, 1)];
    for op in Operation::ON_PACKETS {
        labels.extend(options.lengths().into_iter().map(|bytes| (op, bytes, 1)));
    }
    // (One key of 576 bytes is there already.)
    let counts = options.key_counts().into_iter().filter(|count| *count > 1);
    labels.extend(counts.map(|count| (Operation::Encrypt, KEYS_MESSAGE, count)));

    // Fifteen single timings of each, in an order that is drawn.
    let mut points: Vec<Point> = labels.iter().map(|&(op, bytes, keys)| point(op, bytes, keys)).collect();
    let mut random = Random::new(options.seed);
    let mut order: Vec<usize> = (0..points.len()).collect();
    random.shuffle(&mut order);
    let mut bench = Bench::new(LONGEST as usize);
    for (done, index) in order.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        progress(0.5 * done as f64 / order.len() as f64);
        let (op, bytes, count) = labels[*index];
        bench.shuffle(&mut random);
        let mut work = work(&all, count, op, bytes, true);
        points[*index].singles =
            singles(work.as_mut(), &mut bench, clock).into_iter().map(|cycles| cycles.round() as u64).collect();
        if work.faults() > 0 {
            return Some(Err(wrong(labels[*index])));
        }
    }
    drop(bench);

    // The robust method, on fewer lengths.
    let taken = options.robust_lengths();
    let mut campaign = Campaign::new(clock, LONGEST as usize, options.seed);
    for (index, &(op, bytes, count)) in labels.iter().enumerate() {
        if op == Operation::ExpandKey || taken.contains(&bytes) {
            campaign.add(index, work(&all, count, op, bytes, false));
        }
    }
    campaign.run(options.rounds(), |done, of| {
        progress(0.5 + 0.5 * done as f64 / of as f64);
        !stop.load(Ordering::Relaxed)
    });
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    for measured in &campaign.points {
        let summary = campaign.summary(measured);
        if summary.faults > 0 {
            return Some(Err(wrong(labels[measured.label])));
        }
        points[measured.label].robust = Some(Robust {
            median: rounded(summary.median),
            p25: rounded(summary.p25),
            p75: rounded(summary.p75),
            clean: summary.clean as u64,
            unclean: summary.unclean as u64,
        });
    }
    let about = system.about();
    Some(Ok(Chosen {
        name: system.name().into(),
        tuning: about.tuning.into(),
        constant_time: about.constant_time,
        status: about.status.to_string(),
        context: system.context_len() as u64,
        context_2007: about.context_2007.map(|bytes| bytes as u64),
        tunings: subject.tunings.clone(),
        points,
    }))
}

fn point(op: Operation, bytes: u64, keys: u64) -> Point {
    Point { op, bytes, keys, singles: Vec::new(), robust: None }
}

fn wrong((op, bytes, _): Label) -> String {
    format!("{} of {bytes} bytes gave a wrong answer", op.name())
}

/// To a tenth of a cycle.
fn rounded(cycles: f64) -> f64 {
    (10.0 * cycles).round() / 10.0
}
