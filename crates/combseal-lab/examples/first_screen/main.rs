//! The README's chart: sealing a packet of 1,500 bytes, and opening a million records of 64, by
//! this library and by those that people use, in one interleaved run.
//!
//! `cargo run --release -p combseal-lab --features peer-openssl --example first_screen -- --svg docs/results/first.svg`

mod chart;

use chart::Row;
use clap::Parser;
use combseal::Cpu;
use combseal_lab::measure::{Campaign, Clock, Work};
use combseal_lab::subjects::workloads::room;
use combseal_lab::subjects::{Buffers, Implementation, Op, Scheme, ours, peers, verify};
use std::path::PathBuf;
use std::process::ExitCode;

/// Bytes of a packet, and of a record.
const PACKET: usize = 1500;
const RECORD: usize = 64;
/// How many records.
const RECORDS: usize = 1_000_000;

/// The schemes that are compared: ours first, and the two that nearly everybody uses.
const SCHEMES: [(&str, u32); 3] = [("ocb3", 128), ("gcm", 128), ("chacha20-poly1305", 256)];

#[derive(Parser)]
#[command(about = "Sealing a packet and opening a million records, beside the peers, as a table and a chart")]
struct Options {
    /// Writes the chart there
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Samples of each number
    #[arg(long, default_value_t = 31)]
    rounds: usize,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match measure(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(options: &Options) -> Result<(), String> {
    let tier = Cpu::detect().name();
    let mut all = Vec::new();
    for (scheme, bits) in SCHEMES {
        let scheme = Scheme::find(scheme).ok_or("no such scheme")?;
        let of = |one: &Implementation| one.scheme == scheme && one.key_bits == bits;
        all.extend(ours::implementations(&[tier.to_string()]).into_iter().filter(of));
        all.extend(peers::implementations().into_iter().filter(of));
    }
    for (one, result) in all.iter().zip(verify(&all, &[RECORD, PACKET])) {
        result.map_err(|why| format!("{} {}: {why}", one.scheme_name(), one.name))?;
    }
    // Nanoseconds a message: what people count in.
    let mut clock = Clock::wall();
    let packets =
        campaign(&mut clock, PACKET, options.rounds, &all, |one| Ok(one.work(Op::Seal, PACKET, Buffers::Ring)))?;
    let lengths = vec![RECORD; RECORDS];
    let records = campaign(&mut clock, room(&lengths), options.rounds.div_ceil(3), &all, |one| {
        Ok(one.work_on_mix(Op::Open, &lengths))
    })?;
    let row = |(one, (packet, record)): (&Implementation, (f64, f64))| Row {
        scheme: one.scheme_name(),
        name: if one.tier.is_some() { "Combseal".into() } else { one.name.clone() },
        ours: one.tier.is_some(),
        values: [packet, record * RECORDS as f64 / 1e6],
    };
    let rows: Vec<Row> = all.iter().zip(packets.into_iter().zip(records)).map(row).collect();
    print!("{}", chart::table(&rows));
    println!("(tier {tier}; nanoseconds, milliseconds; medians)");
    if let Some(path) = &options.svg {
        std::fs::write(path, chart::svg(&rows)).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

/// The median nanoseconds a message of each implementation's loop.
fn campaign(
    clock: &mut Clock,
    longest: usize,
    rounds: usize,
    all: &[Implementation],
    work: impl Fn(&Implementation) -> Result<Box<dyn Work>, String>,
) -> Result<Vec<f64>, String> {
    let mut campaign = Campaign::new(clock, longest, 1);
    for (i, one) in all.iter().enumerate() {
        campaign.add(i, work(one)?);
    }
    campaign.run(rounds, |_, _| true);
    let mut medians = vec![0.0; all.len()];
    for point in &campaign.points {
        let summary = campaign.summary(point);
        if summary.faults > 0 {
            return Err(format!("{} is wrong", all[point.label].name));
        }
        medians[point.label] = summary.median;
    }
    Ok(medians)
}
