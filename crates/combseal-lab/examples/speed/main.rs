//! How fast each scheme is on this machine, ours by tier beside the peers, in one interleaved
//! run: core cycles for a message, cycles a byte, and the multiple of what the AES unit allows.
//!
//! `cargo run --release -p combseal-lab --example speed -- --quick`

mod table;

use clap::Parser;
use combseal_lab::measure::{Campaign, Clock, Limits, Summary, Unit, Width, machine};
use combseal_lab::results::json::{self, Label};
use combseal_lab::subjects::{Buffers, Implementation, Op, Scheme, limit_cycles, ours, peers, verify};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// The lengths of the published tables, and of IPI.
const LENGTHS: [usize; 9] = [1, 16, 44, 64, 552, 576, 1500, 4096, 16384];

#[derive(Parser)]
#[command(about = "Core cycles a message, ours by tier beside the peers, in one interleaved run")]
struct Options {
    /// Only these schemes: ocb3, gcm, ccm, eax, siv, gcm-siv, aegis-128l, chacha20-poly1305, …
    #[arg(long, value_delimiter = ',', value_parser = scheme)]
    schemes: Vec<Scheme>,
    /// Only these operations: seal, seal-fresh (OCB3, a new Ktop each time), open, reject, setup
    #[arg(long, value_delimiter = ',', value_parser = op)]
    ops: Vec<Op>,
    /// Only these tiers of our library, by name
    #[arg(long, value_delimiter = ',')]
    tiers: Vec<String>,
    /// Leave the peers out
    #[arg(long)]
    no_peers: bool,
    /// Key lengths: 128, 192, 256
    #[arg(long, value_delimiter = ',', default_value = "128")]
    key_bits: Vec<u32>,
    /// Message lengths besides 1, 16, 44, 64, 552, 576, 1500, 4096 and 16384
    #[arg(long, value_delimiter = ',')]
    lengths: Vec<usize>,
    /// Message lengths instead of all those
    #[arg(long, value_delimiter = ',', conflicts_with = "lengths")]
    only_lengths: Vec<usize>,
    /// Samples of each point
    #[arg(long, default_value_t = 101)]
    rounds: usize,
    /// 11 samples of each point
    #[arg(long, conflicts_with = "rounds")]
    quick: bool,
    /// Seal and reject in a ring of buffers, not in one: short messages then don't wait for
    /// each other. (Opening always goes round a ring.)
    #[arg(long)]
    ring: bool,
    /// One JSON object a line, on standard output
    #[arg(long)]
    json: bool,
    /// The operating system's clock instead of core cycles
    #[arg(long, conflicts_with = "json")]
    wall: bool,
    /// Of the random order; the time, if not given
    #[arg(long)]
    seed: Option<u64>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let lengths = lengths(&options);
    let mut clock = if options.wall { Clock::wall() } else { Clock::new() };
    if options.json && clock.unit() != Unit::Cycles {
        eprintln!("There is no cycle counter here, and JSON is in cycles. Try without --json.");
        return ExitCode::FAILURE;
    }
    let limits = Limits::measure(&mut clock);

    let all = implementations(&options);
    if all.is_empty() {
        eprintln!("Nothing here has such a scheme, key length or tier.");
        return ExitCode::FAILURE;
    }
    let (good, failed) = check(all, &lengths);

    let seed = options.seed.unwrap_or_else(now);
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let mut campaign = Campaign::new(&mut clock, longest, seed);
    for one in &good {
        for (op, bytes) in points(&options, one.scheme, &lengths) {
            let buffers = if options.ring { Buffers::Ring } else { Buffers::One };
            campaign.add(label(one, op, bytes, &limits), one.work(op, bytes, buffers));
        }
    }
    campaign.run(if options.quick { 11 } else { options.rounds.max(1) }, progress);

    let results: Vec<(&Label, Summary)> =
        campaign.points.iter().map(|point| (&point.label, campaign.summary(point))).collect();
    let (results, faulty): (Vec<_>, Vec<_>) = results.into_iter().partition(|(_, summary)| summary.faults == 0);
    let about = machine::describe(campaign.clock(), &limits);
    if options.json {
        eprint!("{about}");
        for (label, summary) in &results {
            println!("{}", json::line(label, summary));
        }
        eprintln!("{}", table::quality(&results));
    } else {
        print!("{about}");
        print!("{}", table::render(&results, &lengths, campaign.clock().unit(), options.ring));
        println!("{}", table::quality(&results));
    }
    for (label, summary) in &faulty {
        let Label { scheme, implementation, op, bytes, .. } = label;
        let (op, faults) = (op.name(), summary.faults);
        eprintln!("FAILED  {scheme} {implementation}: {op} of {bytes} bytes wrong {faults} times");
    }
    for why in &failed {
        eprintln!("FAILED  {why}");
    }
    if failed.is_empty() && faulty.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn lengths(options: &Options) -> Vec<usize> {
    let mut lengths = options.only_lengths.clone();
    if lengths.is_empty() {
        lengths = [&LENGTHS[..], &options.lengths].concat();
    }
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

fn implementations(options: &Options) -> Vec<Implementation> {
    let mut all = ours::implementations(&options.tiers);
    if !options.no_peers {
        all.extend(peers::implementations());
    }
    all.retain(|one| {
        options.key_bits.contains(&one.key_bits)
            && (options.schemes.is_empty() || options.schemes.contains(&one.scheme))
    });
    all.sort_by_key(|one| (one.scheme, one.key_bits));
    all
}

/// Those that are right, and what is wrong with the others.
fn check(all: Vec<Implementation>, lengths: &[usize]) -> (Vec<Implementation>, Vec<String>) {
    let results = verify(&all, lengths);
    let (mut good, mut failed) = (Vec::new(), Vec::new());
    for (one, result) in all.into_iter().zip(results) {
        match result {
            Ok(()) => good.push(one),
            Err(why) => failed.push(format!("{} {}: {why}", one.scheme.name(one.key_bits), one.name)),
        }
    }
    (good, failed)
}

fn points(options: &Options, scheme: Scheme, lengths: &[usize]) -> Vec<(Op, usize)> {
    let wanted = |op: &Op| op.applies_to(scheme) && (options.ops.is_empty() || options.ops.contains(op));
    let mut points = Vec::new();
    for op in Op::ALL.into_iter().filter(wanted) {
        match op {
            Op::Setup => points.push((op, 0)),
            _ => points.extend(lengths.iter().map(|&bytes| (op, bytes))),
        }
    }
    points
}

fn label(one: &Implementation, op: Op, bytes: usize, limits: &Limits) -> Label {
    let unit = limits.aes(Width::W512);
    Label {
        scheme: one.scheme.name(one.key_bits),
        implementation: one.name.clone(),
        op,
        bytes,
        limit: unit.and_then(|unit| limit_cycles(one.scheme, op, one.key_bits, bytes, 0, &unit)),
    }
}

fn progress(done: usize, of: usize) -> bool {
    let mut err = std::io::stderr();
    if err.is_terminal() {
        let end = if done == of { "\r\x1b[K" } else { "" };
        let _ = write!(err, "\rround {done} of {of}{end}");
    }
    true
}

fn now() -> u64 {
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    time.map_or(1, |time| time.as_nanos() as u64)
}

fn scheme(name: &str) -> Result<Scheme, String> {
    Scheme::find(name).ok_or_else(|| names("schemes", &Scheme::names()))
}

fn op(name: &str) -> Result<Op, String> {
    let found = Op::ALL.into_iter().find(|op| op.name() == name);
    found.ok_or_else(|| names("operations", &Op::ALL.map(Op::name)))
}

fn names(what: &str, names: &[&str]) -> String {
    format!("the {what} are {}", names.join(", "))
}
