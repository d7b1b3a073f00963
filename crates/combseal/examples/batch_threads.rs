//! From which size on a batch gains by threads: batches of packets of 1,500 bytes, on one thread
//! and over those of rayon's pool, by turns. Microseconds a batch, adding included, medians.
//!
//!     cargo run --release -p combseal --features rayon --example batch_threads -- 201

use combseal::{Algorithm, Batch, Error, Key, NonceCounter, Sealer};
use std::time::Instant;

const PACKET: usize = 1500;

fn main() -> Result<(), Error> {
    let rounds = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(101);
    println!("{} threads", rayon::current_num_threads());
    for algorithm in [Algorithm::Ocb3Aes128, Algorithm::GcmAes128, Algorithm::CcmAes128] {
        for count in [4, 16, 64, 128, 256, 512, 1024, 4096] {
            let key = Key::new(algorithm, &[7; 16])?;
            let prefix = vec![1; algorithm.nonce_len() - 8];
            let mut sealer = Sealer::new(&key, NonceCounter::new(&prefix)?)?;
            let mut packets = vec![vec![0; PACKET + 16]; count];
            let mut times = [Vec::new(), Vec::new()];
            let mut memory = [Batch::new().run(), Batch::for_threads().run()];
            for _ in 0..rounds {
                for (parallel, times) in times.iter_mut().enumerate() {
                    let start = Instant::now();
                    let mut batch = std::mem::take(&mut memory[parallel]).reuse();
                    for packet in &mut packets {
                        let (message, tag) = packet.split_at_mut(PACKET);
                        batch.seal_next(&mut sealer, b"", message, tag)?;
                    }
                    memory[parallel] = batch.run();
                    times.push(start.elapsed());
                    memory[parallel].all()?;
                }
            }
            let [one, many] = times.map(|mut times| {
                times.sort_unstable();
                times[times.len() / 2].as_secs_f64() * 1e6
            });
            println!("{algorithm}, {count} packets, {} KiB: {one:.1}, over threads {many:.1}", count * PACKET >> 10);
        }
    }
    Ok(())
}
