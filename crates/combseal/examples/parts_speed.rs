//! What a message costs that is sealed in parts, beside the same message at once:
//! `cargo run --release -p combseal --example parts_speed [runs [tier]]`.
//!
//! The ways take turns in one program, each from and to the same warm buffers, so that what disturbs
//! the machine disturbs all alike. Numbers are of bytes sealed in a nanosecond, of the median run, and
//! how much longer the parts take than the one call: in the median and in the least run.

use combseal::{Aead, Algorithm, Cpu, Key, SealParts};
use std::hint::black_box;
use std::time::Instant;

/// Bytes in a part; none is the whole message in one call.
const WAYS: [Option<usize>; 3] = [None, Some(4 << 10), Some(16 << 10)];

fn seal(key: &Key, part: Option<usize>, message: &[u8], out: &mut [u8]) {
    let nonce = &[7; 16][..key.nonce_len()];
    let Some(part) = part else {
        let _ = black_box(key.seal_to(nonce, b"", message, &mut out[..message.len()]).unwrap());
        return;
    };
    let mut it = SealParts::new(key, nonce, b"").unwrap();
    let mut n = 0;
    for part in message.chunks(part) {
        n += it.update(part, &mut out[n..]).unwrap();
    }
    let _ = black_box(it.finish(&mut out[n..]).unwrap());
}

fn main() {
    let runs = std::env::args().nth(1).map_or(400, |it| it.parse::<usize>().expect("a number of runs"));
    let cpu = std::env::args().nth(2).map_or(Cpu::detect(), |it| Cpu::by_name(&it).expect("a tier of this machine"));
    println!("tier {}, {runs} interleaved runs", cpu.name());
    println!("{:<18} {:>9} {:>9} {:>24} {:>24}", "", "message", "at once", "parts of 4 KiB", "parts of 16 KiB");
    for algorithm in [
        Algorithm::Ocb3Aes128,
        Algorithm::GcmAes128,
        Algorithm::GcmAes256,
        Algorithm::ChaCha20Poly1305,
        Algorithm::EaxAes128,
    ] {
        let key = Key::build(cpu, algorithm, &[7; 32][..algorithm.key_len()], 16).unwrap();
        for kib in [64, 1024] {
            let message = vec![1; kib << 10];
            let mut out = vec![1; message.len()];
            let mut times = [const { Vec::new() }; WAYS.len()];
            // So many bytes in each measurement that the clock's own time does not count.
            let times_each = (256 / kib).max(1);
            for _ in 0..runs {
                for (way, times) in WAYS.iter().zip(&mut times) {
                    seal(&key, *way, &message, &mut out);
                    let start = Instant::now();
                    for _ in 0..times_each {
                        seal(&key, *way, black_box(&message), black_box(&mut out));
                    }
                    times.push(start.elapsed().as_nanos() as f64);
                }
            }
            for times in &mut times {
                times.sort_by(f64::total_cmp);
            }
            let bytes = (times_each * message.len()) as f64;
            let [once, parts @ ..] = &times;
            print!("{:<18} {kib:>5} KiB {:>9.2}", algorithm.name(), bytes / once[runs / 2]);
            for it in parts {
                let more = |i: usize| (it[i] / once[i] - 1.0) * 100.0;
                let (median, least) = (more(runs / 2), more(0));
                print!("{:>7.2} {median:>+7.1} {least:>+6.1} %", bytes / it[runs / 2]);
            }
            println!();
        }
    }
}
