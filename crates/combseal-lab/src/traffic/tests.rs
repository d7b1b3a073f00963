use super::lengths::{LONGEST, Lengths, Traffic};
use super::payload::Payload;
use super::read::{parse, read};
use crate::measure::Random;
use std::path::Path;

const HTTP: &[u8] = include_bytes!("../../../../vectors/traffic/http-small.pcap");

fn totals(bytes: &[u8], payload: Payload) -> Result<(u64, u64), String> {
    parse(bytes, "x", payload).map(|reading| (reading.traffic.messages, reading.traffic.bytes))
}

/// A reader of thirty lines, written apart, gave the same numbers for IPv4 in Ethernet (150
/// packets with 58430 bytes, 28 datagrams with 1368); ten frames more are IPv6.
#[test]
fn a_real_capture() {
    assert_eq!(totals(HTTP, Payload::Frame), Ok((179, 69000)));
    let ip = parse(HTTP, "http-small.pcap", Payload::Ip).unwrap();
    assert!(ip.traffic.messages >= 160 && ip.traffic.bytes > 58430, "{:?}", ip.traffic);
    assert!(ip.notes[0].contains("of 179 frames"), "{:?}", ip.notes);
    assert_eq!((ip.traffic.source.as_str(), ip.traffic.payload.as_str()), ("pcap", "ip"));
    let udp = totals(HTTP, Payload::Udp).unwrap();
    assert!(udp.0 >= 28 && udp.1 >= 1368, "{udp:?}");
}

/// The same frames as a pcapng with one interface.
#[test]
fn pcapng_gives_the_same() {
    let mut ng = Vec::new();
    let mut block = |kind: u32, body: &[u8]| {
        let size = (12 + body.len().next_multiple_of(4)) as u32;
        ng.extend([kind.to_le_bytes(), size.to_le_bytes()].concat());
        ng.extend(body);
        ng.resize(ng.len().next_multiple_of(4), 0);
        ng.extend(size.to_le_bytes());
    };
    block(0x0a0d_0d0a, &[0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]);
    block(1, &[1, 0, 0, 0, 0, 0, 4, 0]);
    let mut at = 24;
    while at < HTTP.len() {
        let captured = u32::from_le_bytes(HTTP[at + 8..at + 12].try_into().unwrap()) as usize;
        let body = [&[0; 12], &HTTP[at + 8..at + 16 + captured]].concat();
        block(6, &body);
        at += 16 + captured;
    }
    for payload in [Payload::Ip, Payload::Udp, Payload::Frame] {
        assert_eq!(totals(&ng, payload), totals(HTTP, payload));
    }
    assert_eq!(parse(&ng, "x", Payload::Ip).unwrap().traffic.source, "pcapng");
}

#[test]
fn a_capture_cut_off_keeps_its_whole_frames() {
    let reading = parse(&HTTP[..HTTP.len() - 5], "x", Payload::Frame).unwrap();
    assert_eq!(reading.traffic.messages, 178);
    assert!(reading.notes[0].contains("ends after 178 frames"), "{:?}", reading.notes);
    for cut in [4, 23, 24, 40, 60] {
        let why = totals(&HTTP[..cut], Payload::Ip).unwrap_err();
        assert!(why.contains("no frame") || why.contains("no IP"), "{why}");
    }
}

/// Bits flipped and pieces missing anywhere: an answer or an error.
#[test]
fn damaged_captures_are_answered() {
    let mut random = Random::new(4);
    for _ in 0..3000 {
        let mut bytes = HTTP[..random.below(4000)].to_vec();
        for _ in 0..random.below(6) {
            if !bytes.is_empty() {
                let at = random.below(bytes.len());
                bytes[at] = random.next_u64() as u8;
            }
        }
        for payload in [Payload::Ip, Payload::Udp, Payload::Frame] {
            let _ = totals(&bytes, payload);
        }
    }
}

#[test]
fn lists_of_lengths() {
    let ok = |text: &str| totals(text.as_bytes(), Payload::Ip).unwrap();
    assert_eq!(ok("100\n200\n\n100\n"), (3, 400));
    assert_eq!(ok("# what we send\n100,5\n200,1\n"), (6, 700));
    assert_eq!(ok("100;5\n200;1"), (6, 700));
    assert_eq!(
        ok("\"No.\",\"Time\",\"Length\",\"Info\"\n\"1\",\"0.0\",\"60\",\"a, b\"\n\"2\",\"0.1\",\"1514\",\"\"\n"),
        (2, 1574)
    );
    assert_eq!(ok("count\tbytes\n3\t10\n1\t20\n"), (4, 50));
    let error = |text: &str| totals(text.as_bytes(), Payload::Ip).unwrap_err();
    assert!(error("").contains("no lengths"));
    assert!(error("weather,rain\n1,2\n").contains("column named length"));
    assert!(error("10\nten\n").contains("line 2"));
    assert!(error("10\n-3\n").contains("line 2"));
    assert!(error("length,count\n5,1\n,2\n").contains("line 3"));
    assert!(error("99999999999\n").contains("up to 16777216"));
    assert!(error("10,0\n").contains("no lengths"));
    let none = read(Path::new("no such file"), Payload::Ip).unwrap_err();
    assert!(none.to_string().contains("no such file"));
}

#[test]
fn the_realistic_mix_is_the_papers() {
    let mix = Traffic::realistic();
    let part = |from: u64, to: u64| -> u64 {
        mix.lengths.iter().filter(|(bytes, _)| (from..=to).contains(bytes)).map(|(_, count)| count).sum()
    };
    assert_eq!((mix.messages, part(40, 100), part(101, 1399), part(1400, 1500)), (1000, 440, 190, 370));
    let mean = mix.bytes as f64 / 1000.0;
    assert!((mean - (0.44 * 70.0 + 0.19 * 750.0 + 0.37 * 1450.0)).abs() < 1.0, "{mean}");
}

#[test]
fn a_sample_stands_for_all() {
    let mix = Traffic::realistic();
    let sample = mix.sample(1);
    assert_eq!(sample.len(), 512);
    let mean = sample.iter().sum::<usize>() as f64 / 512.0;
    assert!((mean / (mix.bytes as f64 / 1000.0) - 1.0).abs() < 0.01, "{mean}");
    assert_ne!(sample, mix.sample(2));
    assert_eq!(sample, mix.sample(1));

    let few = Traffic::of("x", "csv", "given", Lengths::from([(0, 2), (7, 1), (LONGEST, 1)]));
    let mut all = few.sample(3);
    all.sort_unstable();
    assert_eq!(all, [0, 0, 7, LONGEST as usize]);
    let huge = Traffic::of("x", "csv", "given", Lengths::from([(1, u64::MAX), (LONGEST, u64::MAX)]));
    assert!(huge.sample(3).len() <= 512);
}
