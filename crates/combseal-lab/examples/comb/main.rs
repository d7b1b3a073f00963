//! What the comb gains on this machine, as the tables of Bogdanov, Lauridsen and Tischhauser
//! (2014): batches on lanes beside the same messages one at a time, in one interleaved run.
//!
//! `cargo run --release -p combseal-lab --example comb`

use clap::Parser;
use combseal::{Algorithm, Cpu};
use combseal_lab::batches::{Mode, Way, realistic, work};
use combseal_lab::clock::{Clock, Unit};
use combseal_lab::limits::{Limits, Width};
use combseal_lab::machine;
use combseal_lab::sampler::Campaign;
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "Batches on the comb's lanes beside one message at a time, in core cycles a byte")]
struct Options {
    /// Only these tiers
    #[arg(long, value_delimiter = ',')]
    tiers: Vec<String>,
    /// Samples of each point
    #[arg(long, default_value_t = 31)]
    rounds: usize,
    /// Messages in a batch
    #[arg(long, default_value_t = 1000)]
    messages: usize,
    /// One JSON object a line instead of tables
    #[arg(long)]
    json: bool,
}

/// A point: what was measured.
struct Label {
    table: u8,
    mode: Mode,
    cpu: Cpu,
    way: Way,
    keys: usize,
    /// Bytes of every message; of the realistic mix, none.
    length: Option<usize>,
    bytes: usize,
    /// Cycles that the AES unit takes, full.
    limit: Option<f64>,
}

const LENGTHS: [usize; 6] = [64, 128, 256, 512, 1024, 2048];

fn main() -> ExitCode {
    let options = Options::parse();
    let mut clock = Clock::new();
    if clock.unit() != Unit::Cycles {
        eprintln!("There is no cycle counter here, and these tables are in cycles.");
        return ExitCode::FAILURE;
    }
    let limits = Limits::measure(&mut clock);
    let tiers: Vec<Cpu> = Cpu::all()
        .filter(|c| c.is_hardware() && (options.tiers.is_empty() || options.tiers.iter().any(|t| t == c.name())))
        .collect();
    let Some(&best) = tiers.first() else {
        eprintln!("This machine has no such tier.");
        return ExitCode::FAILURE;
    };
    let mix = realistic(options.messages, 2014);
    let mut campaign = Campaign::new(&mut clock, 64, 2014);
    let mut add = |table, mode: Mode, cpu: Cpu, way, keys, length: Option<usize>| {
        let lengths = length.map_or(mix.clone(), |n| vec![n; options.messages]);
        let width = [Width::W128, Width::W256, Width::W512][cpu.blocks().trailing_zeros() as usize];
        let enc = limits.aes(width).map(|unit| unit.enc);
        let limit = enc.and_then(|enc| lengths.iter().map(|&n| mode.limit(n, enc)).sum::<Option<f64>>());
        let bytes = lengths.iter().map(|&n| mode.bytes(n)).sum();
        let label = Label { table, mode, cpu, way, keys, length, bytes, limit };
        campaign.add(label, work(mode, cpu, way, keys, &lengths));
    };
    for &cpu in &tiers {
        for mode in Mode::ALL {
            for keys in [1, options.messages] {
                for way in [Way::Single, Way::Comb(None)] {
                    add(3, mode, cpu, way, keys, None);
                }
            }
        }
    }
    for length in [Some(2048), None] {
        add(2, Mode::Cbc, best, Way::Single, 1, length);
        for lanes in 2..=16 {
            add(2, Mode::Cbc, best, Way::Comb(Some(lanes)), 1, length);
        }
    }
    for mode in Mode::ALL {
        for length in LENGTHS {
            for way in [Way::Single, Way::Comb(None)] {
                add(6, mode, best, way, 1, Some(length));
            }
        }
    }
    for length in [32, 64, 128, 256, 512, 1024, 2048] {
        for lanes in 2..=16 {
            add(7, Mode::Aead(Algorithm::CcmAes128), best, Way::Comb(Some(lanes)), 1, Some(length));
        }
    }
    campaign.run(options.rounds, |_, _| {});
    let cpb = |table: u8, mode: Mode, cpu: Cpu, way: Way, keys: usize, length: Option<usize>| {
        let point = campaign.points.iter().find(|p| {
            let l = &p.label;
            (l.table, l.mode, l.cpu, l.way, l.keys, l.length) == (table, mode, cpu, way, keys, length)
        })?;
        let (cycles, bytes) = (campaign.summary(point).median, point.label.bytes as f64);
        Some((cycles / bytes, point.label.limit.map(|l| cycles / l)))
    };
    if options.json {
        for point in &campaign.points {
            let (l, s) = (&point.label, campaign.summary(point));
            let lanes = match l.way {
                Way::Single => "null".into(),
                Way::Comb(lanes) => lanes.unwrap_or(l.cpu.lanes()).to_string(),
            };
            let limit = l.limit.map_or("null".into(), |l| format!("{l:.1}"));
            let length = l.length.map_or("null".into(), |n| n.to_string());
            println!(
                "{{\"scheme\":\"{}\",\"tier\":\"{}\",\"lanes\":{lanes},\"keys\":{},\"length\":{length},\"messages\":{},\"bytes\":{},\"cycles\":{:.1},\"minimum\":{:.1},\"limit_cycles\":{limit},\"clean_samples\":{}}}",
                l.mode.name(),
                l.cpu.name(),
                l.keys,
                options.messages,
                l.bytes,
                s.median,
                s.minimum,
                s.clean,
            );
        }
        return ExitCode::SUCCESS;
    }
    print!("{}", machine::describe(campaign.clock(), &limits));
    let show = |x: Option<(f64, Option<f64>)>| match x {
        Some((cpb, Some(limit))) => format!("{cpb:.3} ({limit:.2})"),
        Some((cpb, None)) => format!("{cpb:.3}"),
        None => "-".into(),
    };
    let gain = |one: Option<(f64, Option<f64>)>, comb: Option<(f64, Option<f64>)>| match (one, comb) {
        (Some(one), Some(comb)) => format!("x{:.2}", one.0 / comb.0),
        _ => "-".into(),
    };
    println!("\nCycles a byte (multiples of the AES unit's limit in this run), medians.\n");
    println!("## Tables 3 and 4: {} messages of the realistic mix\n", options.messages);
    println!(
        "| mode | tier | one at a time | comb, 1 key | gain | one at a time, {0} keys | comb, {0} keys | gain |",
        options.messages
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    for mode in Mode::ALL {
        for &cpu in &tiers {
            let at = |way, keys| cpb(3, mode, cpu, way, keys, None);
            let (a, b) = (at(Way::Single, 1), at(Way::Comb(None), 1));
            let (c, d) = (at(Way::Single, options.messages), at(Way::Comb(None), options.messages));
            println!(
                "| {} | {} | {} | {} | {} | {} | {} | {} |",
                mode.name(),
                cpu.name(),
                show(a),
                show(b),
                gain(a, b),
                show(c),
                show(d),
                gain(c, d)
            );
        }
    }
    println!("\n## Table 2: CBC on {}, by lanes P\n", best.name());
    println!("| P | 2048 bytes | gain | realistic mix | gain |\n|---|---:|---:|---:|---:|");
    for lanes in 1..=16 {
        let way = if lanes == 1 { Way::Single } else { Way::Comb(Some(lanes)) };
        let at = |way, length| cpb(2, Mode::Cbc, best, way, 1, length);
        let row =
            [Some(2048), None].map(|n| format!("{} | {}", show(at(way, n)), gain(at(Way::Single, n), at(way, n))));
        println!("| {} | {} |", if lanes == 1 { "one at a time".into() } else { lanes.to_string() }, row.join(" | "));
    }
    println!("\n## Table 6: fixed lengths on {}, one key: one at a time / comb\n", best.name());
    println!("| mode | {} |\n|---{}|", LENGTHS.map(|n| format!("{n} B")).join(" | "), "|---:".repeat(LENGTHS.len()));
    for mode in Mode::ALL {
        let row = LENGTHS.map(|n| {
            let at = |way| cpb(6, mode, best, way, 1, Some(n)).map_or("-".into(), |x| format!("{:.3}", x.0));
            format!("{} / {}", at(Way::Single), at(Way::Comb(None)))
        });
        println!("| {} | {} |", mode.name(), row.join(" | "));
    }
    println!("\n## Fig. 2: CCM on {}, cycles a byte by lanes P and length\n", best.name());
    println!(
        "| bytes | {} |\n|---{}|",
        (2..=16).map(|p| p.to_string()).collect::<Vec<_>>().join(" | "),
        "|---:".repeat(15)
    );
    for length in [32, 64, 128, 256, 512, 1024, 2048] {
        let row: Vec<String> = (2..=16)
            .map(|p| {
                let x = cpb(7, Mode::Aead(Algorithm::CcmAes128), best, Way::Comb(Some(p)), 1, Some(length));
                x.map_or("-".into(), |x| format!("{:.2}", x.0))
            })
            .collect();
        println!("| {length} | {} |", row.join(" | "));
    }
    ExitCode::SUCCESS
}
