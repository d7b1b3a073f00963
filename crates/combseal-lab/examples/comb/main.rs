//! What the comb gains on this machine, as the tables of Bogdanov, Lauridsen and Tischhauser
//! (2014): batches on lanes beside the same messages one at a time, in one interleaved run.
//!
//! `cargo run --release -p combseal-lab --example comb`

use clap::Parser;
use combseal::comb::Plan;
use combseal::{Algorithm, Cpu};
use combseal_archive::Scheme;
use combseal_lab::measure::{Campaign, Clock, Limits, Unit, Width, machine};
use combseal_lab::published::comb_paper;
use combseal_lab::subjects::batches::{Mode, Way, planning, realistic, work};
use combseal_lab::subjects::ours;
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

/// Lengths of Figures 2 and 3.
const FIGURE: [usize; 7] = [32, 64, 128, 256, 512, 1024, 2048];
/// Their modes: nonce-based ones, and those that are meant to survive a repeated nonce.
const FIGURES: [(&str, &[Mode]); 2] = [
    ("Fig. 2", &[CCM, Mode::Archived(Scheme::ClocV1), Mode::Archived(Scheme::SilcV1), Mode::Archived(Scheme::Jambu)]),
    ("Fig. 3", &[Mode::Archived(Scheme::McoeG), Mode::Archived(Scheme::PoetV1)]),
];
/// Messages that are planned for.
const PLANS: [usize; 3] = [64, 256, 1000];
/// Keys where there are few.
const KEYS: usize = 8;
/// Messages together whose latency is measured.
const LATENCIES: [usize; 3] = [1, 8, 16];
const CCM: Mode = Mode::Aead(Algorithm::CcmAes128);
/// Schemes of a batch of one.
const ONE: [Mode; 3] = [CCM, Mode::Aead(Algorithm::Ocb3Aes128), Mode::Aead(Algorithm::GcmAes128)];
/// Lengths of Tables 5 and 6.
const LENGTHS: [usize; 6] = [64, 128, 256, 512, 1024, 2048];

fn main() -> ExitCode {
    let options = Options::parse();
    let mut clock = Clock::new();
    if clock.unit() != Unit::Cycles {
        eprintln!("There is no cycle counter here, and these tables are in cycles.");
        return ExitCode::FAILURE;
    }
    let limits = Limits::measure(&mut clock);
    let tiers: Vec<Cpu> = ours::tiers(&options.tiers).into_iter().filter(|c| c.is_hardware()).collect();
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
        for mode in Mode::all() {
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
    for mode in Mode::all() {
        for length in LENGTHS {
            for way in [Way::Single, Way::Comb(None)] {
                add(6, mode, best, way, 1, Some(length));
            }
        }
    }
    for &mode in FIGURES.iter().flat_map(|figure| figure.1) {
        for length in FIGURE {
            for lanes in 2..=16 {
                add(7, mode, best, Way::Comb(Some(lanes)), 1, Some(length));
            }
        }
    }
    // What the comb costs: plans alone; one message in a batch; P messages beside one.
    for count in PLANS {
        let lengths = &realistic(count, 2014);
        for (table, way) in [(8, Way::Single), (9, Way::Comb(None))] {
            let work =
                if table == 8 { planning(lengths, best.lanes()) } else { work(Mode::Cbc, best, way, 1, lengths) };
            let label =
                Label { table, mode: Mode::Cbc, cpu: best, way, keys: 1, length: Some(count), bytes: 1, limit: None };
            campaign.add(label, work);
        }
    }
    for mode in ONE {
        for bytes in [64, 1500] {
            for way in [Way::Single, Way::Comb(None)] {
                let label =
                    Label { table: 10, mode, cpu: best, way, keys: 1, length: Some(bytes), bytes: 1, limit: None };
                campaign.add(label, work(mode, best, way, 1, &[bytes]));
            }
        }
    }
    // Beyond the paper: few keys, in one batch or one for each.
    for mode in [Mode::Cmac, CCM] {
        for (table, keys, count) in [(12, KEYS, options.messages), (13, 1, options.messages / KEYS)] {
            let label = Label {
                table,
                mode,
                cpu: best,
                way: Way::Comb(None),
                keys: 1,
                length: Some(count),
                bytes: mix[..count].iter().sum(),
                limit: None,
            };
            campaign.add(label, work(mode, best, Way::Comb(None), keys, &mix[..count]));
        }
    }
    for count in LATENCIES {
        let way = if count == 1 { Way::Single } else { Way::Comb(None) };
        let label =
            Label { table: 11, mode: Mode::Cbc, cpu: best, way, keys: 1, length: Some(count), bytes: 1, limit: None };
        campaign.add(label, work(Mode::Cbc, best, way, 1, &vec![2048; count]));
    }
    campaign.run(options.rounds, |_, _| true);
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
        "| mode | tier | one at a time | comb, 1 key | gain | one at a time, {0} keys | comb, {0} keys | gain | then: one at a time | then: comb |",
        options.messages
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for mode in Mode::all() {
        for &cpu in &tiers {
            let at = |way, keys| cpb(3, mode, cpu, way, keys, None);
            let (a, b) = (at(Way::Single, 1), at(Way::Comb(None), 1));
            let (c, d) = (at(Way::Single, options.messages), at(Way::Comb(None), options.messages));
            let then = |comb| comb_paper(mode.name(), comb, "mix").map_or("-".into(), |x| format!("{x:.2}"));
            println!(
                "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                mode.name(),
                cpu.name(),
                show(a),
                show(b),
                gain(a, b),
                show(c),
                show(d),
                gain(c, d),
                then(false),
                then(true)
            );
        }
    }
    println!("\n\"Then\" is the paper's Core i5-4300U (Haswell).");
    println!("\n## Table 2: CBC on {}, by lanes P\n", best.name());
    println!("| P | 2048 bytes | gain | realistic mix | gain |\n|---|---:|---:|---:|---:|");
    for lanes in 1..=16 {
        let way = if lanes == 1 { Way::Single } else { Way::Comb(Some(lanes)) };
        let at = |way, length| cpb(2, Mode::Cbc, best, way, 1, length);
        let row =
            [Some(2048), None].map(|n| format!("{} | {}", show(at(way, n)), gain(at(Way::Single, n), at(way, n))));
        println!("| {} | {} |", if lanes == 1 { "one at a time".into() } else { lanes.to_string() }, row.join(" | "));
    }
    println!("\n## Tables 5 and 6: fixed lengths on {}, one key: one at a time / comb", best.name());
    println!("\nWhere the paper has the mode, its own figures (Haswell) stand in the line below.\n");
    println!("| mode | {} |\n|---{}|", LENGTHS.map(|n| format!("{n} B")).join(" | "), "|---:".repeat(LENGTHS.len()));
    let both = |of: &dyn Fn(bool) -> Option<f64>, digits: usize| {
        [false, true].map(|comb| of(comb).map_or("-".into(), |x| format!("{x:.digits$}"))).join(" / ")
    };
    for mode in Mode::all() {
        let now = |n: usize, comb: bool| {
            let way = if comb { Way::Comb(None) } else { Way::Single };
            cpb(6, mode, best, way, 1, Some(n)).map(|x| x.0)
        };
        let then = |n: usize, comb: bool| comb_paper(mode.name(), comb, &n.to_string());
        println!("| {} | {} |", mode.name(), LENGTHS.map(|n| both(&|comb| now(n, comb), 3)).join(" | "));
        if LENGTHS.iter().any(|&n| then(n, false).or(then(n, true)).is_some()) {
            println!("| then | {} |", LENGTHS.map(|n| both(&|comb| then(n, comb), 2)).join(" | "));
        }
    }
    for (figure, modes) in FIGURES {
        for &mode in modes {
            println!("\n## {figure}: {} on {}, cycles a byte by lanes P and length\n", mode.name(), best.name());
            println!(
                "| bytes | {} |\n|---{}|",
                (2..=16).map(|p| p.to_string()).collect::<Vec<_>>().join(" | "),
                "|---:".repeat(15)
            );
            for length in FIGURE {
                let row: Vec<String> = (2..=16)
                    .map(|p| {
                        let x = cpb(7, mode, best, Way::Comb(Some(p)), 1, Some(length));
                        x.map_or("-".into(), |x| format!("{:.2}", x.0))
                    })
                    .collect();
                println!("| {length} | {} |", row.join(" | "));
            }
        }
    }
    println!("\n## What the comb costs, on {}\n", best.name());
    let cycles = |table, mode, way, length| cpb(table, mode, best, way, 1, Some(length)).map_or(f64::NAN, |x| x.0);
    println!("| messages of the mix | cycles of planning | share of the batch in CBC |\n|---|---:|---:|");
    for count in PLANS {
        let (plan, all) = (cycles(8, Mode::Cbc, Way::Single, count), cycles(9, Mode::Cbc, Way::Comb(None), count));
        println!("| {count} | {plan:.0} | {:.1} % |", 100.0 * plan / all);
    }
    println!("\n| one message | bytes | plain call | in a batch of one | more |\n|---|---:|---:|---:|---:|");
    for mode in ONE {
        for bytes in [64, 1500] {
            let (call, batch) = (cycles(10, mode, Way::Single, bytes), cycles(10, mode, Way::Comb(None), bytes));
            println!("| {} | {bytes} | {call:.0} | {batch:.0} | {:.0} % |", mode.name(), 100.0 * (batch / call - 1.0));
        }
    }
    let [one, some, all] = LATENCIES.map(|n| {
        let way = if n == 1 { Way::Single } else { Way::Comb(None) };
        cycles(11, Mode::Cbc, way, n)
    });
    println!(
        "\nLatency: one CBC message of 2048 bytes takes {one:.0} cycles, {} together {some:.0} ({:.2} times), {} together {all:.0} ({:.2} times).",
        LATENCIES[1],
        some / one,
        LATENCIES[2],
        all / one
    );
    println!("\n## Beyond the paper\n");
    println!("| messages of the mix | mean width of 8 lanes | of 16 lanes |\n|---|---:|---:|");
    for count in [16, 32, 64, 256, 1000] {
        let lengths = realistic(count, 2014);
        let mean = |lanes| {
            let mut plan = Plan::new();
            plan.make(count, lanes, |i| lengths[i].div_ceil(16));
            plan.shape(|i| lengths[i].div_ceil(16)).mean_width()
        };
        println!("| {count} | {:.2} | {:.2} |", mean(8), mean(16));
    }
    println!(
        "\n| {} messages under {KEYS} keys | together | a batch for each key |\n|---|---:|---:|",
        options.messages
    );
    for mode in [Mode::Cmac, CCM] {
        let mixed = cycles(12, mode, Way::Comb(None), options.messages);
        let apart = cycles(13, mode, Way::Comb(None), options.messages / KEYS);
        println!("| {} | {mixed:.3} | {apart:.3} |", mode.name());
    }
    ExitCode::SUCCESS
}
