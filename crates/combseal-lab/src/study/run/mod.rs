//! Runs a plan. Each group is measured, written to the file and shown before the next one begins.

use super::group::{Measured, Measurer};
use super::options::{Options, Peers, Scope};
use super::plan::{self, Group, Plan, Spec, Subject, plan};
use super::{about, pieces, table};
use crate::measure::{Clock, Limits, Method, machine};
use crate::results::{self, Axis, Context, End, Failed, Machine, Point, Record, Writer};
use crate::subjects::{Implementation, Op, Scheme, archive, ours, peers, streams};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The results' file in a study's folder.
pub const RESULTS: &str = "results.jsonl";

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
    let earlier = if resume { Some(earlier(&path)?) } else { None };
    std::fs::create_dir_all(out).map_err(|e| Error::File(out.into(), e))?;
    let options = match &earlier {
        Some(run) => about::options(&run.machine).map_err(|e| Error::Options(format!("{}: {e}", path.display())))?,
        None => options.clone(),
    };
    let all = implementations(&options)?;
    let subjects = Subject::of(&all);
    let plan = plan(&options, &subjects);
    if plan.groups.is_empty() {
        return Err(Error::Options("these options leave nothing to measure".into()));
    }

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
        measurer: Measurer::new(&options, &all, &subjects, limits, clock),
        machine,
        writer: Writer::new(BufWriter::new(out)),
        done: earlier.iter().flat_map(|run| run.points.iter().map(done)).collect(),
        failed: Vec::new(),
        end: End { left_out: plan.left_out.clone(), ..End::default() },
        begun: Instant::now(),
    };
    study.head().map_err(file)?;
    study.groups(&plan, stop, watcher).map_err(file)?;
    let measured = earlier.iter().flat_map(|run| run.pieces.iter().map(|piece| piece.set.as_str())).collect();
    study.pieces(&measured, stop, watcher).map_err(file)?;
    study.foot(stop.load(Ordering::Relaxed)).map_err(file)?;
    let Study { failed, end, .. } = study;
    Ok(Outcome { file: path, interrupted: end.interrupted, failed })
}

/// The run that is to be resumed: the last in the file, which is cut to whole lines.
fn earlier(path: &Path) -> Result<results::Run, Error> {
    if !path.exists() {
        return Err(Error::Options(format!("{}: nothing to resume; start without --resume", path.display())));
    }
    let contents = results::read(path).map_err(Error::Results)?;
    let bytes = std::fs::read(path).map_err(|e| Error::File(path.into(), e))?;
    let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    if whole < bytes.len() {
        let cut = OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(whole as u64));
        cut.map_err(|e| Error::File(path.into(), e))?;
    }
    let run = results::runs(contents.records).pop();
    run.ok_or_else(|| Error::Options(format!("{}: no study in it; start without --resume", path.display())))
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

/// The implementations that the options ask for: ours first, and of these the best tier first.
fn implementations(options: &Options) -> Result<Vec<Implementation>, Error> {
    let names = |wanted: &[String], known: &[&str], what: &str| {
        let unknown = wanted.iter().find(|name| !known.contains(&name.as_str()));
        unknown.map_or(Ok(()), |name| {
            Err(Error::Options(format!("there is no {what} \"{name}\" here; there are {}", known.join(", "))))
        })
    };
    if let Some(name) = options.schemes.iter().find(|name| Scheme::chosen(name).is_empty()) {
        let choices = Scheme::choices().join(", ");
        return Err(Error::Options(format!("there is no scheme \"{name}\" here; there are {choices}")));
    }
    let tiers: Vec<&str> = combseal::Cpu::all().map(|cpu| cpu.name()).collect();
    names(&options.tiers, &tiers, "tier")?;
    let chosen: Vec<Scheme> = options.schemes.iter().flat_map(|name| Scheme::chosen(name)).collect();
    let mut all = ours::implementations(&options.tiers);
    // The archive takes part in the papers' whole programme, or where it is asked for; those of its
    // stream ciphers that people still meet by default, too, at few lengths.
    let whole = options.scope == Scope::Full || !options.papers.is_empty();
    if options.schemes.is_empty() && whole || chosen.iter().any(|scheme| scheme.is_archived()) {
        all.extend(archive::implementations(&options.tiers));
        all.extend(streams::implementations(&options.tiers));
    } else if options.schemes.is_empty() && options.scope == Scope::Default {
        all.extend(streams::on_the_best(&options.tiers));
    }
    #[allow(unused_mut)]
    let mut peers = peers::implementations();
    // So do our libraries for C; by default they would tell little that a tier of ours does not.
    #[cfg(feature = "in-c")]
    if options.scope == Scope::Full || matches!(options.peers, Peers::Named(_)) {
        peers.extend(crate::subjects::in_c::implementations());
    }
    if let Peers::Named(wanted) = &options.peers
        && let Some(name) =
            wanted.iter().find(|name| !peers.iter().any(|p| p.name.to_lowercase().contains(&name.to_lowercase())))
    {
        let mut known: Vec<&str> = peers.iter().map(|peer| peer.name.as_str()).collect();
        known.sort_unstable();
        known.dedup();
        return Err(Error::Options(format!("there is no peer \"{name}\" here; there are {}", known.join(", "))));
    }
    all.extend(peers.into_iter().filter(|peer| options.peers.take(&peer.name)));
    all.retain(|one| options.schemes.is_empty() || chosen.contains(&one.scheme));
    all.retain(|one| options.papers.is_empty() || plan::takes_part(options, &one.scheme_name()));
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

/// A study while it runs.
struct Study<'a> {
    measurer: Measurer<'a>,
    machine: Machine,
    writer: Writer<BufWriter<File>>,
    /// The points that an earlier part has measured.
    done: BTreeSet<Done>,
    failed: Vec<Failed>,
    end: End,
    begun: Instant,
}

impl Study<'_> {
    /// Writes the records that stand before the points.
    fn head(&mut self) -> std::io::Result<()> {
        self.writer.write(&Record::Machine(self.machine.clone()))?;
        for traffic in self.measurer.traffic() {
            self.writer.write(&Record::Traffic(traffic.clone()))?;
        }
        for one in self.measurer.all {
            if let Some(bytes) = one.context {
                let (scheme, implementation) = (one.scheme_name(), one.name.clone());
                self.writer.write(&Record::Context(Context { scheme, implementation, bytes: bytes as u64 }))?;
            }
        }
        self.writer.flush()
    }

    /// Writes the records that stand behind the points: the machine, of which more is known by
    /// now, and the end.
    fn foot(&mut self, interrupted: bool) -> std::io::Result<()> {
        let Measurer { clock, limits, options, all, .. } = &self.measurer;
        let now = about::machine(clock, limits, options, all);
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
                let Some(measured) = self.measurer.group(&group, stop, &mut progress) else { return Ok(()) };
                let Measured { points, failed, discarded, moved } = measured;
                self.end.discarded += discarded;
                self.end.moved += moved;
                for point in &points {
                    self.writer.write(&Record::Point(point.clone()))?;
                }
                for failed in &failed {
                    self.writer.write(&Record::Failed(failed.clone()))?;
                }
                self.writer.flush()?;
                watcher.say(&table::group(&group.name, &points, &failed));
                self.failed.extend(failed.into_iter().filter(|f| !self.failed.contains(f)).collect::<Vec<_>>());
            }
            planned += group.seconds;
        }
        Ok(())
    }

    /// Measures the small pieces of code that the papers asked for timed by themselves, if an earlier part has not.
    fn pieces(
        &mut self,
        measured: &BTreeSet<&str>,
        stop: &AtomicBool,
        watcher: &mut dyn Watcher,
    ) -> std::io::Result<()> {
        for set in plan::pieces(self.measurer.options) {
            if measured.contains(set) || stop.load(Ordering::Relaxed) {
                continue;
            }
            watcher.progress(set, 1.0, Duration::from_secs(1));
            for piece in pieces::measure(set) {
                self.writer.write(&Record::Piece(piece))?;
            }
            self.writer.flush()?;
        }
        Ok(())
    }

    /// Was this point measured before the interruption?
    fn has(&self, spec: &Spec, method: Method) -> bool {
        let one = &self.measurer.all[spec.subject];
        let Spec { op, axis, bytes, ad, keys, batch, .. } = *spec;
        self.done.contains(&(spec.scheme_name(one), one.name.clone(), method, op, axis, [bytes, ad, keys, batch]))
    }
}

/// What distinguishes a point from all others.
type Done = (String, String, Method, Op, Axis, [u64; 4]);

fn done(point: &Point) -> Done {
    let bytes = if point.messages.is_some() { 0 } else { point.bytes };
    let numbers = [bytes, point.ad, point.keys, point.batch];
    (point.scheme.clone(), point.implementation.clone(), point.method, point.op, point.axis, numbers)
}

#[cfg(test)]
mod tests;
