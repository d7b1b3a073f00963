//! Key streams of many messages side by side, each under a key of its own, beside the same messages one after the other: the
//! ciphers of Bernstein's comparison (2007) that have such kernels, on the realistic mix of the comb's paper (2014).
//!
//! `cargo run --release -p combseal-lab --example side_by_side`

use clap::Parser;
use combseal::Cpu;
use combseal_archive::streams::named::{StreamCipher, StreamJob, StreamKey};
use combseal_archive::streams::registry::CIPHERS;
use combseal_archive::streams::together::xor_many;
use combseal_lab::measure::{Bench, Campaign, Clock, Unit, Work};
use combseal_lab::subjects::batches::realistic;
use combseal_lab::subjects::ours;
use std::hint::black_box;
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "Stream ciphers on many messages side by side, beside one after the other, in core cycles a byte")]
struct Options {
    /// Only ciphers whose names begin so
    #[arg(long, value_delimiter = ',')]
    ciphers: Vec<String>,
    /// Only these tiers; the best one otherwise
    #[arg(long, value_delimiter = ',')]
    tiers: Vec<String>,
    /// Messages together
    #[arg(long, value_delimiter = ',', default_values_t = [16, 64, 1000])]
    messages: Vec<usize>,
    /// Keys in all; no message of a group shares one with another as long as there are enough
    #[arg(long, default_value_t = 1000)]
    keys: usize,
    /// Samples of each point
    #[arg(long, default_value_t = 31)]
    rounds: usize,
}

/// The least number of messages in a sample: groups of sixteen alone would be of too few lengths.
const SAMPLE: usize = 960;

/// Messages in groups, each group by one call, or each message by one.
struct Groups {
    keys: Vec<StreamKey>,
    nonces: Vec<Vec<u8>>,
    data: Vec<Vec<u8>>,
    /// Messages in a call; none if they go one after the other.
    group: Option<usize>,
}

impl Groups {
    fn new(cipher: &'static StreamCipher, cpu: Cpu, keys: usize, lengths: &[usize], group: Option<usize>) -> Self {
        let about = cipher.about();
        let key = |i: usize| -> Vec<u8> { (0..about.key_lens[0]).map(|j| (i * 31 + j * 7) as u8).collect() };
        let nonce = |i: usize| -> Vec<u8> { (0..about.nonce_lens[0]).map(|j| (i * 13 + j) as u8).collect() };
        Self {
            keys: (0..keys).map(|i| StreamKey::build(cpu, cipher, &key(i)).expect("the cipher's length")).collect(),
            nonces: (0..lengths.len()).map(nonce).collect(),
            data: lengths.iter().map(|&len| vec![0; len]).collect(),
            group,
        }
    }
}

impl Work for Groups {
    fn run(&mut self, _: &mut Bench, times: u64) {
        for _ in 0..times {
            let messages = self.keys.iter().cycle().zip(&self.nonces).zip(&mut self.data);
            match self.group {
                None => messages.for_each(|((key, nonce), data)| {
                    // The first sixteen bytes are the authenticator's, as they are side by side.
                    let mut stream = key.stream(nonce).expect("the cipher's length");
                    stream.xor(black_box(&mut [0; 16])).expect("a short message");
                    stream.xor(data).expect("a short message");
                }),
                Some(group) => {
                    let mut all: Vec<_> = messages.collect();
                    for some in all.chunks_mut(group) {
                        let mut jobs: Vec<StreamJob<'_>> = some
                            .iter_mut()
                            .map(|((key, nonce), data)| StreamJob { key, nonce, first: [0; 16], data })
                            .collect();
                        xor_many(&mut jobs).expect("keys of one cipher");
                    }
                }
            }
            black_box(&mut self.data);
        }
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    let mut clock = Clock::new();
    if clock.unit() != Unit::Cycles {
        eprintln!("There is no cycle counter here, and these tables are in cycles.");
        return ExitCode::FAILURE;
    }
    let mut tiers = ours::tiers(&options.tiers);
    if options.tiers.is_empty() {
        tiers.truncate(1);
    }
    let wanted = |name: &str| options.ciphers.is_empty() || options.ciphers.iter().any(|begin| name.starts_with(begin));
    // A cipher may have several tunings; side by side they are the same.
    let mut ciphers: Vec<&'static StreamCipher> = Vec::new();
    for cipher in CIPHERS.iter().filter(|it| it.lanes().is_some() && wanted(it.about().name)) {
        if ciphers.iter().all(|it| it.about().name != cipher.about().name) {
            ciphers.push(cipher);
        }
    }
    if ciphers.is_empty() || tiers.is_empty() || options.keys == 0 || options.messages.contains(&0) {
        eprintln!("There is nothing to measure: no such cipher or tier, or a number that is 0.");
        return ExitCode::FAILURE;
    }
    let mut campaign = Campaign::new(&mut clock, 1, 2007);
    for &cipher in &ciphers {
        let of_name = CIPHERS.iter().filter(|it| it.about().name == cipher.about().name);
        let tunings: Vec<&'static StreamCipher> = of_name.collect();
        for &cpu in &tiers {
            for &messages in &options.messages {
                let count = SAMPLE.div_ceil(messages).max(1) * messages;
                let lengths = realistic(count, 2007);
                let bytes = lengths.iter().sum::<usize>() as f64;
                // One after the other by each tuning, of which the fastest counts.
                for &tuning in &tunings {
                    let label = (cipher.about().name, cpu.name(), messages, false, bytes);
                    campaign.add(label, Box::new(Groups::new(tuning, cpu, options.keys, &lengths, None)));
                }
                let label = (cipher.about().name, cpu.name(), messages, true, bytes);
                campaign.add(label, Box::new(Groups::new(cipher, cpu, options.keys, &lengths, Some(messages))));
            }
        }
    }
    campaign.run(options.rounds, |_, _| true);
    println!(
        "Cycles a byte of the realistic mix under {} keys, medians; apart: one message after the other.\n",
        options.keys
    );
    println!("| cipher | tier | messages | apart | together | ratio | how |\n|---|---|---:|---:|---:|---:|---|");
    for &cipher in &ciphers {
        for &cpu in &tiers {
            for &messages in &options.messages {
                let of = |together| {
                    let points = campaign.points.iter().filter(|p| {
                        (p.label.0, p.label.1, p.label.2, p.label.3)
                            == (cipher.about().name, cpu.name(), messages, together)
                    });
                    points.map(|p| campaign.summary(p).median / p.label.4).fold(f64::INFINITY, f64::min)
                };
                let (apart, together) = (of(false), of(true));
                let (_, how) = cipher.lanes().expect("it has such a kernel");
                println!(
                    "| {} | {} | {messages} | {apart:.2} | {together:.2} | {:.1} | {how} |",
                    cipher.about().name,
                    cpu.name(),
                    apart / together
                );
            }
        }
    }
    ExitCode::SUCCESS
}
