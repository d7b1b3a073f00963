//! `combseal study`: arguments to options, a study's words to the terminal.

use super::amount::bytes;
use super::answer;
use super::lines::wrapped;
use super::nearest::instead;
use super::terminal::{INTERRUPTED, Terminal, stop_on_ctrl_c};
use super::{FAILED, OK, UNREADABLE, study2007};
use combseal_lab::answers::rank::{self, Direction};
use combseal_lab::measure::Method;
use combseal_lab::study::{self, Options, Outcome, Peers, Scope};
use combseal_lab::subjects::Scheme;
use combseal_lab::traffic::{self, Payload};
use combseal_lab::{report, results};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Arguments of `study`.
#[derive(clap::Args)]
pub struct Args {
    /// About 20 seconds: our best tier and the peers, at a few lengths
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// The papers' whole programme: every length, every tier, every key length, the archive's schemes too. Takes long;
    /// says how long first
    #[arg(long)]
    full: bool,
    /// Only these families of schemes, by their names in results: ocb3, gcm, chacha20-poly1305, …; `archive` for all of
    /// the archive's, or some of them: cloc, deoxys-ii, …; `streams` for its stream ciphers with Poly1305 that are still met
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = scheme)]
    schemes: Vec<String>,
    /// Only these tiers of ours, as `combseal schemes` lists them
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    tiers: Vec<String>,
    /// Only the peers whose names contain one of these; `none` for no peers. Our libraries for C, `combseal C` and `ae.h`,
    /// are measured with --full, or where they are named here
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    peers: Vec<String>,
    /// These message lengths in bytes instead of the usual ones: 64,1.5k,16Ki or 1-64
    #[arg(long, value_delimiter = ',', value_name = "LENGTHS", value_parser = lengths)]
    lengths: Vec<Lengths>,
    /// Traffic of your own beside the realistic mix: a capture (pcap, pcapng) or a CSV of lengths
    #[arg(long, value_name = "FILE")]
    traffic: Option<PathBuf>,
    /// What counts as a message in a captured frame
    #[arg(long, value_enum, default_value = "ip", requires = "traffic")]
    payload: PayloadArg,
    /// The folder of the results; an earlier study's there are kept under their date
    #[arg(long, value_name = "DIR", default_value = "combseal-study")]
    out: PathBuf,
    /// Go on with the study that was interrupted in that folder, by its options
    #[arg(long, conflicts_with_all = [
        "quick", "full", "schemes", "tiers", "peers", "lengths", "traffic", "seed", "method", "seconds",
    ])]
    resume: bool,
    /// Of the random order; the time, if not given
    #[arg(long)]
    seed: Option<u64>,
    /// How to time
    #[arg(long, value_enum, default_value = "campaign")]
    method: MethodArg,
    /// Seconds to measure for, instead of about 120 (20 with --quick)
    #[arg(long, conflicts_with = "full")]
    seconds: Option<f64>,
    /// The programmes of papers instead, by their years, or of all four: what the page's sections on them need. 2011 and
    /// 2021 are Krovetz and Rogaway's, 2014 is Bogdanov, Lauridsen and Tischhauser's; 2007 is Bernstein's "Cycle counts
    /// for authenticated encryption", the archive's stream ciphers with Poly1305, with a page of its own
    #[arg(long, value_name = "YEARS", num_args = 0..=1, value_delimiter = ',', default_missing_value = "2007,2011,2014,2021",
        value_parser = ["2007", "2011", "2014", "2021"], conflicts_with_all = [
        "full", "schemes", "lengths", "traffic", "resume", "method",
    ])]
    papers: Vec<String>,
    #[command(flatten)]
    paper: study2007::Args,
}

/// What counts as a message, on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum PayloadArg {
    /// What an IP packet carries
    Ip,
    /// What a UDP datagram carries
    Udp,
    /// The whole frame
    Frame,
}

impl From<PayloadArg> for Payload {
    fn from(payload: PayloadArg) -> Self {
        match payload {
            PayloadArg::Ip => Payload::Ip,
            PayloadArg::Udp => Payload::Udp,
            PayloadArg::Frame => Payload::Frame,
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum MethodArg {
    /// Interleaved and calibrated; disturbed samples repeated, all others kept
    Campaign,
    /// Krovetz and Rogaway 2011: 65 messages minus one, on successive nonces
    Kr65,
    /// Bogdanov and others 2014: the median of 91 averages of 200
    Median91,
    /// Bernstein 2007: 15 single timings a length, unaveraged
    Single15,
    /// The 2011 paper's portable one: processor time of many messages
    ProcessTime,
}

/// One length or a range of them.
type Lengths = std::ops::RangeInclusive<u64>;

fn lengths(text: &str) -> Result<Lengths, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let (from, to) = (bytes(from)?, bytes(to)?);
    if to > traffic::LONGEST || from > to {
        return Err(format!("lengths rise, and end at {} bytes", traffic::LONGEST));
    }
    Ok(from..=to)
}

fn scheme(name: &str) -> Result<String, String> {
    let known = !Scheme::chosen(name).is_empty();
    if known { Ok(name.into()) } else { Err(instead(name, Scheme::choices(), "`combseal schemes [--archive]`")) }
}

impl Args {
    /// The years of the papers asked for, each once.
    fn years(&self) -> Vec<u16> {
        let mut years: Vec<u16> = self.papers.iter().filter_map(|year| year.parse().ok()).collect();
        years.sort_unstable();
        years.dedup();
        years
    }

    fn options(&self, err: &mut impl Write) -> Result<Options, String> {
        let own = match &self.traffic {
            None => None,
            Some(path) => {
                let reading = traffic::read(path, self.payload.into()).map_err(|e| e.to_string())?;
                for note in &reading.notes {
                    let _ = writeln!(err, "{}: {note}", path.display());
                }
                Some(reading.traffic)
            }
        };
        let mut lengths: Vec<u64> = self.lengths.iter().cloned().flatten().collect();
        lengths.sort_unstable();
        lengths.dedup();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
        Ok(Options {
            scope: match (self.quick, self.full) {
                (true, _) => Scope::Quick,
                (_, true) => Scope::Full,
                _ => Scope::Default,
            },
            papers: self.years().into_iter().filter(|year| *year != 2007).collect(),
            schemes: self.schemes.clone(),
            tiers: self.tiers.clone(),
            peers: match &self.peers[..] {
                [] => Peers::All,
                [one] if one == "none" => Peers::None,
                names => Peers::Named(names.to_vec()),
            },
            lengths,
            traffic: own,
            method: match self.method {
                MethodArg::Campaign => Method::Campaign,
                MethodArg::Kr65 => Method::Kr65,
                MethodArg::Median91 => Method::Median91,
                MethodArg::Single15 => Method::Single15,
                MethodArg::ProcessTime => Method::ProcessTime,
            },
            seed: self.seed.unwrap_or(now),
            seconds: self.seconds,
        })
    }
}

/// Runs the study.
///
/// # Errors
/// When `out` or `err` cannot be written.
pub fn run(args: &Args, out: &mut impl Write, err: &mut impl Write) -> io::Result<u8> {
    let years = args.years();
    if years.contains(&2007) {
        if !args.tiers.is_empty() || !args.peers.is_empty() || args.seconds.is_some() {
            writeln!(err, "error: --tiers, --peers and --seconds are not for the programme of 2007")?;
            return Ok(UNREADABLE);
        }
        let code = study2007::run(&args.paper, args.quick, args.seed, &args.out, out, err)?;
        // The other papers' programmes are one study, behind it.
        if years.len() == 1 || ![OK, FAILED].contains(&code) {
            return Ok(code);
        }
    }
    let options = match args.options(err) {
        Ok(options) => options,
        Err(why) => {
            writeln!(err, "error: {why}")?;
            return Ok(UNREADABLE);
        }
    };
    let stop = stop_on_ctrl_c();
    let mut terminal = Terminal::new(out, err);
    let outcome = study::run(&options, &args.out, args.resume, &stop, &mut terminal);
    terminal.done()?;
    match outcome {
        Ok(outcome) => finish(args, &outcome, out, err),
        Err(why) => {
            writeln!(err, "error: {why}")?;
            Ok(UNREADABLE)
        }
    }
}

/// What the results say: the recommendation, the figures behind it, what could not be ranked. Gives back the
/// recommendation's lines, which are said once more where a terminal ends up.
fn recommend(outcome: &Outcome, out: &mut impl Write) -> io::Result<String> {
    let contents = results::read(&outcome.file).map_err(io::Error::other)?;
    let runs = results::runs(contents.records);
    let Some(run) = runs.last().filter(|run| !run.points.is_empty()) else { return Ok(String::new()) };
    let direction = Direction::default();
    let mut ranking = rank::own(run, direction);
    let doubtful = std::mem::take(&mut ranking.doubtful);
    let mut said = Vec::new();
    answer::print(run, &ranking, direction, &[], &mut said)?;
    writeln!(out)?;
    out.write_all(&said)?;
    if let Some(line) = too_disturbed(&doubtful) {
        wrapped(out, "", &format!("\n{line}"))?;
    }
    let said = String::from_utf8_lossy(&said);
    Ok(said.split("\n\n").next().unwrap_or_default().trim_end().to_string())
}

/// What could not be ranked, (scheme, implementation) each, in a sentence: how many there are, and by whom.
fn too_disturbed(doubtful: &[(String, String)]) -> Option<String> {
    let ours = doubtful.iter().filter(|(_, by)| by.starts_with("combseal")).count();
    let mut peers: Vec<&str> = doubtful.iter().filter_map(|(_, by)| by.split(' ').next()).collect();
    peers.retain(|by| *by != "combseal");
    peers.sort_unstable();
    peers.dedup();
    let mut by = Vec::new();
    if ours > 0 {
        by.push(format!("{ours} by Combseal's tiers"));
    }
    if !peers.is_empty() {
        by.push(format!("{} by {}", doubtful.len() - ours, peers.join(", ")));
    }
    let what = "had too few undisturbed samples to be ranked";
    (!doubtful.is_empty()).then(|| format!("{} {what}: {}. The page names them.", doubtful.len(), by.join(" and ")))
}

/// Makes the page, and says where everything is.
fn finish(args: &Args, outcome: &Outcome, out: &mut impl Write, err: &mut impl Write) -> io::Result<u8> {
    let (file, folder) = (outcome.file.display(), args.out.display());
    if outcome.interrupted {
        writeln!(out, "\nStopped. What was measured is in {file}.")?;
        writeln!(out, "Go on with: combseal study --resume --out {folder}")?;
        writeln!(out, "Or make a page of it: combseal report {file} -o {folder}/report.html")?;
        return Ok(INTERRUPTED);
    }
    for one in &outcome.failed {
        writeln!(out, "FAILED    {} {}: {}", one.scheme, one.implementation, one.why)?;
    }
    let recommended = recommend(outcome, out)?;
    writeln!(out, "\nresults   {file}")?;
    // Results are safe by now: a page that cannot be written spoils nothing.
    match report::write(std::slice::from_ref(&outcome.file), &args.out.join("report.html")) {
        Ok(written) => {
            writeln!(out, "report    {} (opens in a browser, offline)", written.page.display())?;
            writeln!(out, "figures   {} ({} SVG and CSV files)", written.folder.display(), written.files)?;
        }
        Err(why) => writeln!(err, "no report: {why}; try combseal report {file}")?,
    }
    // Last, so that nobody has to look for it above the tables.
    if !recommended.is_empty() {
        writeln!(out, "\n{recommended}")?;
    }
    Ok(if outcome.failed.is_empty() { OK } else { FAILED })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_disturbed_is_one_sentence() {
        let of = |by: &[&str]| by.iter().map(|by| ("AES-128-GCM".to_string(), by.to_string())).collect::<Vec<_>>();
        assert_eq!(too_disturbed(&[]), None);
        let said =
            too_disturbed(&of(&["combseal soft", "combseal soft512", "RustCrypto 0.11", "RustCrypto 0.9"])).unwrap();
        assert!(said.starts_with("4 had") && said.contains("2 by Combseal's tiers and 2 by RustCrypto."), "{said}");
        assert!(too_disturbed(&of(&["ring 0.17"])).unwrap().contains(": 1 by ring."));
    }

    #[test]
    fn lengths_and_ranges() {
        assert_eq!(lengths("64"), Ok(64..=64));
        assert_eq!(lengths("1-2048"), Ok(1..=2048));
        assert_eq!(lengths("1.5k-16Ki"), Ok(1500..=16384));
        for wrong in ["", "x", "5-2", "-1", "1-2-3", "99999999999"] {
            assert!(lengths(wrong).is_err(), "{wrong}");
        }
    }
}
