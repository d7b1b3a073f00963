//! Runs a plan: group by group, each verified, measured, written and shown.

use super::options::Options;
use super::plan::{Group, Plan, Spec, Subject, plan};
use super::{about, table};
use crate::clock::Clock;
use crate::floor::limit_cycles;
use crate::limits::{Limits, Width};
use crate::machine;
use crate::results::{self, Axis, Context, End, Failed, Machine, Method, Point, Record, Writer};
use crate::sampler::{Campaign, Summary};
use crate::scheme::Scheme;
use crate::stats;
use crate::subject::Implementation;
use crate::traffic::Traffic;
use crate::verify::verify;
use crate::work::{Buffers, Work, room};
use crate::{ours, peers};
use std::fs::{File, OpenOptions};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The results' file in a study's folder.
pub const RESULTS: &str = "results.jsonl";

/// A group may take so many times longer than planned before it is cut short.
const PATIENCE: f64 = 1.25;
/// Rounds that every point gets, however long they take.
const FEWEST: usize = 5;

/// Hears how a study goes.
pub trait Watcher {
    /// Something to read: the machine, a table, a note.
    fn say(&mut self, text: &str);
    /// Still running: the group's name, the part of all work done (0 to 1), and what is left.
    fn progress(&mut self, group: &str, part: f64, left: Duration);
}

/// How a study ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The results.
    pub file: PathBuf,
    /// Stopped by the user.
    pub interrupted: bool,
    /// Implementations that were wrong.
    pub failed: Vec<Failed>,
}

/// Why there is no study.
#[derive(Debug)]
pub enum Error {
    /// A file could not be read or written.
    File(PathBuf, std::io::Error),
    /// The results to be resumed are not usable.
    Results(results::Error),
    /// The options leave nothing to measure, or name what is not here.
    Options(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::File(path, why) => write!(f, "{}: {why}", path.display()),
            Error::Results(why) => why.fmt(f),
            Error::Options(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

/// Runs a study into the folder `out`, until done or until `stop` is set. With `resume`, goes on
/// with what an earlier one in that folder left, by that one's options.
///
/// # Errors
/// If the folder cannot be written, the options make no sense, or there is nothing to resume.
pub fn run(
    options: &Options,
    out: &Path,
    resume: bool,
    stop: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Result<Outcome, Error> {
    let path = out.join(RESULTS);
    let file = |e| Error::File(path.clone(), e);
    std::fs::create_dir_all(out).map_err(|e| Error::File(out.into(), e))?;
    let earlier = if resume { Some(earlier(&path)?) } else { None };
    let options = match &earlier {
        Some(run) => about::options(&run.machine).map_err(|e| Error::Options(format!("{}: {e}", path.display())))?,
        None => options.clone(),
    };
    let all = implementations(&options)?;
    let subjects = Subject::of(&all);
    let plan = plan(&options, &subjects);

    let mut clock = Clock::new();
    let limits = Limits::measure(&mut clock);
    watcher.say(&machine::describe(&clock, &limits));
    watcher.say(&announce(&plan, &options));
    watcher.say(&table::legend(about::unit(&clock)));

    let mut machine = about::machine(&clock, &limits, &options, &all);
    match &earlier {
        Some(run) => (machine.started, machine.campaign) = (run.machine.started.clone(), run.machine.campaign.clone()),
        None => {
            machine.started = about::now();
            machine.campaign = format!("{} {:016x}", machine.started, options.seed);
            if let Some(moved) = keep_older(&path)? {
                watcher.say(&format!("An earlier study's results are now {}.\n", moved.display()));
            }
        }
    }
    let out = OpenOptions::new().create(true).append(true).open(&path).map_err(file)?;
    let mut study = Study {
        options: &options,
        all: &all,
        subjects: &subjects,
        limits,
        clock,
        machine,
        writer: Writer::new(BufWriter::new(out)),
        mixes: mixes(&options),
        seen: earlier.map_or(Vec::new(), |run| run.points),
        failed: Vec::new(),
        end: End { left_out: plan.left_out.clone(), ..End::default() },
        begun: Instant::now(),
    };
    study.head().map_err(file)?;
    study.groups(&plan, stop, watcher).map_err(file)?;
    watcher.say(&table::answer(&study.seen, &study.machine));
    study.foot(stop.load(Ordering::Relaxed)).map_err(file)?;
    let Study { failed, end, .. } = study;
    Ok(Outcome { file: path, interrupted: end.interrupted, failed })
}

/// The run that is to be resumed: the last in the file, which is cut to whole lines.
fn earlier(path: &Path) -> Result<results::Run, Error> {
    let contents = results::read(path).map_err(Error::Results)?;
    let bytes = std::fs::read(path).map_err(|e| Error::File(path.into(), e))?;
    let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    if whole < bytes.len() {
        let cut = OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(whole as u64));
        cut.map_err(|e| Error::File(path.into(), e))?;
    }
    let run = results::runs(contents.records).pop();
    run.ok_or_else(|| Error::Options(format!("{}: nothing to resume; start without --resume", path.display())))
}

/// Moves an earlier study's results out of the way, under its date.
fn keep_older(path: &Path) -> Result<Option<PathBuf>, Error> {
    if !path.exists() {
        return Ok(None);
    }
    let file = |e| Error::File(path.into(), e);
    let begun = std::fs::metadata(path).and_then(|data| data.modified()).map_err(file)?;
    let date = humantime::format_rfc3339_seconds(begun).to_string().replace(':', "");
    let moved = path.with_file_name(format!("results-{date}.jsonl"));
    std::fs::rename(path, &moved).map_err(file)?;
    Ok(Some(moved))
}

/// Those that the options ask for, ours first, the best tier first.
fn implementations(options: &Options) -> Result<Vec<Implementation>, Error> {
    let names = |wanted: &[String], known: &[&str], what: &str| {
        let unknown = wanted.iter().find(|name| !known.contains(&name.as_str()));
        unknown.map_or(Ok(()), |name| {
            Err(Error::Options(format!("there is no {what} \"{name}\" here; there are {}", known.join(", "))))
        })
    };
    names(&options.schemes, &Scheme::ALL.map(Scheme::short), "scheme")?;
    let tiers: Vec<&str> = combseal::Cpu::all().map(|cpu| cpu.name()).collect();
    names(&options.tiers, &tiers, "tier")?;
    let mut all = ours::implementations(&options.tiers);
    let peers = peers::implementations();
    if let super::Peers::Named(wanted) = &options.peers
        && let Some(name) =
            wanted.iter().find(|name| !peers.iter().any(|p| p.name.to_lowercase().contains(&name.to_lowercase())))
    {
        let mut known: Vec<&str> = peers.iter().map(|peer| peer.name.as_str()).collect();
        known.dedup();
        return Err(Error::Options(format!("there is no peer \"{name}\" here; there are {}", known.join(", "))));
    }
    all.extend(peers.into_iter().filter(|peer| options.peers.take(&peer.name)));
    all.retain(|one| options.schemes.is_empty() || options.schemes.iter().any(|name| name == one.scheme.short()));
    Ok(all)
}

fn announce(plan: &Plan, options: &Options) -> String {
    let points: usize = plan.groups.iter().map(|group| group.specs.len()).sum();
    let rounds = plan.groups.first().map_or(0, |group| group.rounds);
    let samples = match options.method {
        Method::Campaign => format!("up to {rounds} samples each"),
        _ => "timed as a paper did".into(),
    };
    let seconds = Duration::from_secs(plan.seconds().ceil() as u64);
    format!(
        "plan      {points} points in {} groups, {samples}: about {}\n",
        plan.groups.len(),
        humantime::format_duration(seconds)
    )
}

/// A mix by its axis: what it is, and the sample that stands for it.
type Mix = (Axis, Traffic, Vec<usize>);

fn mixes(options: &Options) -> Vec<Mix> {
    let own = options.traffic.clone().map(|traffic| (Axis::Traffic, traffic));
    let all = std::iter::once((Axis::Mix, Traffic::realistic())).chain(own);
    all.map(|(axis, traffic)| (axis, traffic.clone(), traffic.sample(options.seed))).collect()
}

struct Study<'a> {
    options: &'a Options,
    all: &'a [Implementation],
    subjects: &'a [Subject],
    limits: Limits,
    clock: Clock,
    machine: Machine,
    writer: Writer<BufWriter<File>>,
    mixes: Vec<Mix>,
    /// The points so far, an earlier part's too; without samples where nobody needs them.
    seen: Vec<Point>,
    failed: Vec<Failed>,
    end: End,
    begun: Instant,
}

impl Study<'_> {
    /// What stands before the points.
    fn head(&mut self) -> std::io::Result<()> {
        self.writer.write(&Record::Machine(self.machine.clone()))?;
        for (_, traffic, _) in &self.mixes {
            self.writer.write(&Record::Traffic(traffic.clone()))?;
        }
        for one in self.all {
            if let Some(bytes) = one.context {
                let (scheme, implementation) = (one.scheme_name(), one.name.clone());
                self.writer.write(&Record::Context(Context { scheme, implementation, bytes: bytes as u64 }))?;
            }
        }
        self.writer.flush()
    }

    /// What stands behind them: the machine as it is known by now, and the end.
    fn foot(&mut self, interrupted: bool) -> std::io::Result<()> {
        let now = about::machine(&self.clock, &self.limits, self.options, self.all);
        self.machine.clock = now.clock;
        self.end.interrupted = interrupted;
        self.end.seconds = self.begun.elapsed().as_secs_f64();
        self.writer.write(&Record::Machine(self.machine.clone()))?;
        self.writer.write(&Record::End(self.end.clone()))?;
        self.writer.flush()
    }

    fn groups(&mut self, plan: &Plan, stop: &AtomicBool, watcher: &mut dyn Watcher) -> std::io::Result<()> {
        let (whole, mut planned) = (plan.seconds().max(1e-9), 0.0);
        for group in &plan.groups {
            let missing: Vec<Spec> = group.specs.iter().filter(|spec| !self.has(spec, group.method)).copied().collect();
            if !missing.is_empty() {
                let group = Group { specs: missing, ..group.clone() };
                let mut progress = |part: f64| {
                    let left = whole - planned - part * group.seconds;
                    watcher.progress(
                        &group.name,
                        (planned + part * group.seconds) / whole,
                        Duration::from_secs_f64(left.max(0.0)),
                    );
                };
                let Some((points, failed)) = self.group(&group, stop, &mut progress) else { return Ok(()) };
                for point in &points {
                    self.writer.write(&Record::Point(point.clone()))?;
                }
                for failed in &failed {
                    self.writer.write(&Record::Failed(failed.clone()))?;
                }
                self.writer.flush()?;
                watcher.say(&table::group(&group.name, &points, &failed, self.all));
                self.seen.extend(points.into_iter().map(|point| Point { samples: Vec::new(), ..point }));
                self.failed.extend(failed.into_iter().filter(|f| !self.failed.contains(f)).collect::<Vec<_>>());
            }
            planned += group.seconds;
        }
        Ok(())
    }

    /// Was this point measured before the interruption?
    fn has(&self, spec: &Spec, method: Method) -> bool {
        let one = &self.all[spec.subject];
        self.seen.iter().any(|point| {
            (point.op, point.axis, point.ad, point.keys, point.method)
                == (spec.op, spec.axis, spec.ad, spec.keys, method)
                && (point.bytes == spec.bytes || point.messages.is_some())
                && point.implementation == one.name
                && point.scheme == one.scheme_name()
        })
    }

    /// Measures a group; `None` if it was stopped.
    fn group(
        &mut self,
        group: &Group,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(f64),
    ) -> Option<(Vec<Point>, Vec<Failed>)> {
        progress(0.0);
        let mut failed = self.verify(group);
        let wrong = |one: &Implementation, failed: &[Failed]| {
            failed.iter().any(|f| f.implementation == one.name && f.scheme == one.scheme_name())
        };
        let longest = group.specs.iter().map(|spec| spec.bytes as usize).max().unwrap_or(0);
        let traffic = |axis: Axis| self.mixes.iter().find(|mix| mix.0 == axis).map_or(&[][..], |mix| &mix.2[..]);
        let longest = self.mixes.iter().map(|mix| room(&mix.2)).max().unwrap_or(0).max(longest);
        let specs: Vec<Spec> = group.specs.iter().filter(|s| !wrong(&self.all[s.subject], &failed)).copied().collect();

        let mut campaign = Campaign::new(&mut self.clock, longest, self.options.seed);
        for specs in specs.chunk_by(|a, b| a.subject == b.subject && a.axis == Axis::Keys && b.axis == Axis::Keys) {
            for (spec, work) in specs.iter().zip(works(&self.all[specs[0].subject], specs, group.method, &traffic)) {
                campaign.add(*spec, work);
            }
        }
        let begun = Instant::now();
        let go_on = |done: usize, of: usize| {
            progress(done as f64 / of as f64);
            let late = begun.elapsed().as_secs_f64() > PATIENCE * group.seconds + 0.2;
            let may_stop = group.method == Method::Campaign && done >= FEWEST && self.options.budget().is_some();
            !stop.load(Ordering::Relaxed) && !(late && may_stop)
        };
        match group.method {
            Method::Campaign => campaign.run(group.rounds, go_on),
            method => {
                let each = group.seconds / group.specs.len() as f64;
                campaign.run_by(method, Duration::from_secs_f64(each), go_on);
            }
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut points = Vec::new();
        for point in &campaign.points {
            let (one, summary) = (&self.all[point.label.subject], campaign.summary(point));
            self.end.discarded += point.discarded as u64;
            self.end.moved += point.moved as u64;
            if summary.faults > 0 {
                let why =
                    format!("{} of {} bytes wrong {} times", point.label.op.name(), point.label.bytes, summary.faults);
                failed.push(Failed { scheme: one.scheme_name(), implementation: one.name.clone(), why });
                continue;
            }
            let samples: Vec<f64> = point.samples.iter().map(|sample| rounded(sample.amount)).collect();
            points.push(record(one, &point.label, group.method, &summary, samples, &self.limits, &traffic));
        }
        points.retain(|point| {
            !failed.iter().any(|f| (&f.scheme, &f.implementation) == (&point.scheme, &point.implementation))
        });
        Some((points, failed))
    }

    /// Checks everyone in a group on known answers and at the group's lengths.
    fn verify(&self, group: &Group) -> Vec<Failed> {
        let mut lengths: Vec<usize> = group.specs.iter().map(|spec| spec.bytes as usize).collect();
        lengths.sort_unstable();
        lengths.dedup();
        let mut members: Vec<usize> = group.specs.iter().map(|spec| spec.subject).collect();
        members.sort_unstable();
        members.dedup();
        let all: Vec<Implementation> = members.iter().map(|&i| self.all[i].clone()).collect();
        let soft = |one: &Implementation| one.tier == Some("soft") && self.subjects.len() > 1;
        // What is measured in software at no great length is not checked at any either.
        let longest = |one: &Implementation| {
            let of = group.specs.iter().filter(|spec| self.all[spec.subject].name == one.name).map(|spec| spec.bytes);
            of.max().unwrap_or(0) as usize
        };
        let (slow, fast): (Vec<Implementation>, Vec<Implementation>) = all.into_iter().partition(soft);
        let mut failed = Vec::new();
        let reference = fast.first().cloned();
        for (set, reference) in [(fast, None), (slow, reference)] {
            let most = set.iter().map(longest).max().unwrap_or(0);
            let lengths: Vec<usize> = lengths.iter().copied().filter(|&bytes| bytes <= most).collect();
            let set: Vec<Implementation> = reference.into_iter().chain(set).collect();
            for (one, result) in set.iter().zip(verify(&set, &lengths)) {
                let Err(why) = result else { continue };
                let one = Failed { scheme: one.scheme_name(), implementation: one.name.clone(), why };
                if !failed.contains(&one) {
                    failed.push(one);
                }
            }
        }
        failed
    }
}

/// The loops of `specs`: one, or all counts of keys at once, which share their keys.
fn works<'t>(
    one: &Implementation,
    specs: &[Spec],
    method: Method,
    traffic: &dyn Fn(Axis) -> &'t [usize],
) -> Vec<Box<dyn Work>> {
    let spec = &specs[0];
    let bytes = spec.bytes as usize;
    match spec.axis {
        Axis::Keys => {
            let counts: Vec<usize> = specs.iter().map(|spec| spec.keys as usize).collect();
            one.keys(&counts, bytes)
        }
        Axis::Ad => vec![one.work_with_data(spec.op, bytes, spec.ad as usize)],
        Axis::Mix | Axis::Traffic => vec![one.work_on_mix(spec.op, traffic(spec.axis))],
        _ => {
            let buffers = if method == Method::Campaign { Buffers::One } else { Buffers::Single };
            vec![one.work(spec.op, bytes, buffers)]
        }
    }
}

fn record<'t>(
    one: &Implementation,
    spec: &Spec,
    method: Method,
    summary: &Summary,
    samples: Vec<f64>,
    limits: &Limits,
    traffic: &dyn Fn(Axis) -> &'t [usize],
) -> Point {
    let unit = limits.aes(one.width).or(limits.aes(Width::W128));
    let limit = |bytes: usize| limit_cycles(one.scheme, spec.op, one.key_bits, bytes, spec.ad as usize, unit.as_ref()?);
    let mix = matches!(spec.axis, Axis::Mix | Axis::Traffic).then(|| traffic(spec.axis));
    let (bytes, messages, limit) = match mix {
        None => (spec.bytes, None, limit(spec.bytes as usize)),
        Some(lengths) => {
            let sum: Option<f64> = lengths.iter().map(|&bytes| limit(bytes)).sum();
            let messages = lengths.len() as u64;
            (lengths.iter().map(|&bytes| bytes as u64).sum(), Some(messages), sum.map(|sum| sum / messages as f64))
        }
    };
    // The papers' methods leave no sample out.
    let all = method != Method::Campaign;
    let of = |clean: f64, q: f64| rounded(if all { stats::quantile(&samples, q) } else { clean });
    Point {
        scheme: one.scheme_name(),
        family: one.scheme.short().into(),
        implementation: one.name.clone(),
        tier: one.tier.map(String::from),
        peer: one.tier.is_none(),
        op: spec.op,
        axis: spec.axis,
        bytes,
        ad: spec.ad,
        keys: spec.keys,
        batch: 1,
        method,
        median: of(summary.median, 0.5),
        minimum: of(summary.minimum, 0.0),
        p25: of(summary.p25, 0.25),
        p75: of(summary.p75, 0.75),
        limit: limit.map(rounded),
        messages,
        clean: summary.clean,
        unclean: summary.unclean,
        discarded: summary.discarded,
        samples,
    }
}

/// To a hundredth of a cycle: what no clock resolves only makes files longer.
fn rounded(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}
