//! How fast streams are sealed and opened in memory, beside the same segments as messages by
//! themselves: `cargo run --release -p combseal --features stream --example stream_speed [MiB] [turns]`.
//!
//! The ways take turns, and each one's time is the median of its turns. Buffers are written to
//! before, so that no time goes to the operating system's zeroing.

use combseal::stream::{Lock, Opening, Sealing, Settings, Unlock, open_to, seal_to};
use combseal::{Aead, Algorithm, Key};
use std::io::{BufRead, Write};
use std::time::Instant;

const SEGMENT: usize = 64 << 10;

fn main() {
    let mut args = std::env::args().skip(1).map(|it| it.parse::<usize>().expect("a number"));
    let (mib, turns) = (args.next().unwrap_or(1024), args.next().unwrap_or(9));
    let plain = vec![7; mib << 20];
    let key = Key::new(Algorithm::Ocb3Aes256, &[7; 32]).unwrap();
    let settings = |threads| Settings::new().threads(threads);
    let mut sealed = vec![1; settings(1).sealed_len(plain.len() as u64, 1).unwrap() as usize];
    let mut opened = vec![1; plain.len()];
    seal_to(&plain, &mut sealed, &settings(2), &[Lock::Key(&[7; 32])]).unwrap();
    let mut other = sealed.clone();

    let mut messages = vec![1; (SEGMENT + 16) * plain.len().div_ceil(SEGMENT)];
    let (plain, sealed) = (&plain, &sealed);
    let all: [(&str, usize); 9] = [
        ("messages", 0),
        ("seal_to", 1),
        ("seal_to", 2),
        ("Sealing", 1),
        ("Sealing", 2),
        ("open_to", 1),
        ("open_to", 2),
        ("Opening", 1),
        ("Opening", 2),
    ];
    let mut times = vec![Vec::new(); all.len() + 1];
    for _ in 0..turns {
        for (i, &(way, threads)) in all.iter().enumerate() {
            let start = Instant::now();
            match way {
                "messages" => {
                    let pieces = plain.chunks(SEGMENT).zip(messages.chunks_mut(SEGMENT + 16));
                    for (n, (src, dst)) in pieces.enumerate() {
                        let mut nonce = [0; 12];
                        nonce[4..].copy_from_slice(&(n as u64).to_be_bytes());
                        let (body, tag) = dst.split_at_mut(src.len());
                        tag.copy_from_slice(key.seal_to(&nonce, b"", src, body).unwrap().as_bytes());
                    }
                    times[i].push(start.elapsed());
                    let start = Instant::now();
                    let pieces = messages.chunks(SEGMENT + 16).zip(opened.chunks_mut(SEGMENT));
                    for (n, (src, dst)) in pieces.enumerate() {
                        let mut nonce = [0; 12];
                        nonce[4..].copy_from_slice(&(n as u64).to_be_bytes());
                        let (body, tag) = src.split_at(dst.len());
                        key.open_to(&nonce, b"", body, dst, tag).unwrap();
                    }
                    times[all.len()].push(start.elapsed());
                    continue;
                }
                "seal_to" => seal_to(plain, &mut other, &settings(threads), &[Lock::Key(&[7; 32])]).unwrap(),
                "Sealing" => {
                    let out = std::io::Cursor::new(&mut other[..]);
                    let mut it = Sealing::new(out, &settings(threads), &[Lock::Key(&[7; 32])]).unwrap();
                    it.write_all(plain).unwrap();
                    it.finish().unwrap();
                }
                "open_to" => open_to(sealed, &mut opened, Unlock::Key(&[7; 32]), b"", threads).unwrap(),
                _ => {
                    let mut it = Opening::new(&sealed[..], Unlock::Key(&[7; 32]), b"", threads).unwrap();
                    loop {
                        let n = it.fill_buf().unwrap().len();
                        if n == 0 {
                            break;
                        }
                        it.consume(n);
                    }
                }
            }
            times[i].push(start.elapsed());
        }
    }
    println!(
        "{mib} MiB, OCB3-AES-256, segments of 64 KiB, tier {}, medians of {turns} interleaved turns",
        key.cpu().name()
    );
    let names = all.iter().map(|(way, threads)| match threads {
        0 => "64 KiB messages, sealed by seal_to".into(),
        n => format!("{way}, {n} threads"),
    });
    for (name, times) in names.chain(["64 KiB messages, opened by open_to".into()]).zip(&mut times) {
        times.sort();
        let median = times[times.len() / 2].as_secs_f64();
        // The best turn is what is left where others use the machine meanwhile.
        let (gib, best) = (mib as f64 / 1024.0, times[0].as_secs_f64());
        println!("{name:<36} {:8.1} ms {:7.2} GiB/s, best {:7.2}", median * 1e3, gib / median, gib / best);
    }
}
