//! The fuzz targets' bodies with seeded input.

use combseal_cli::fuzz::{batch, columns, seal_open, streams, traffic, vectors_check};

/// xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 32) as usize % n.max(1)
    }
}

#[test]
fn seal_and_open() {
    let mut random = Random(0x5eed);
    for _ in 0..6000 {
        let data: Vec<u8> = (0..random.below(120)).map(|_| random.next() as u8).collect();
        seal_open(&data);
    }
}

/// A capture and lists of lengths, changed a little here and there.
#[test]
fn captures_and_lists() {
    let mut random = Random(0xcab1e);
    let capture = include_bytes!("../../../vectors/traffic/http-small.pcap");
    let list = b"length,count\n40,44\n1500,37\n\"576\",19\n";
    for i in 0..3000 {
        let mut data = if i % 2 == 0 { capture[..random.below(3000)].to_vec() } else { list.to_vec() };
        for _ in 0..random.below(8) {
            if !data.is_empty() {
                let at = random.below(data.len());
                data[at] = random.next() as u8;
            }
        }
        traffic(&data);
    }
}

#[test]
fn batches() {
    let mut random = Random(0xba7c4);
    for _ in 0..1500 {
        let data: Vec<u8> = (0..random.below(900)).map(|_| random.next() as u8).collect();
        batch(&data);
    }
}

#[test]
fn columns_of_values() {
    let mut random = Random(0xc011);
    for _ in 0..3000 {
        let data: Vec<u8> = (0..random.below(1500)).map(|_| random.next() as u8).collect();
        columns(&data);
    }
}

/// Small files, changed a little here and there.
#[test]
fn vector_files() {
    let mut random = Random(0xf11e5);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    let files: Vec<_> = files.iter().map(|f| std::fs::read(f).unwrap()).collect();
    assert!(files.len() >= 4);
    let words =
        ["null", "[]", "{}", "-1", "1e99", "true", "\"\"", "\"0\"", "\"\\u0000\"", "\"zz\"", "18446744073709551616"];
    for i in 0..4000 {
        let mut data = files[i % files.len()].clone();
        for _ in 0..=random.below(3) {
            if data.is_empty() {
                break;
            }
            let at = random.below(data.len());
            match random.below(5) {
                0 => data[at] ^= 1 << random.below(8),
                1 => data.truncate(at),
                2 => drop(data.drain(at..data.len().min(at + 1 + random.below(40)))),
                3 => drop(data.splice(at..at, words[random.below(words.len())].bytes())),
                // A value replaced as a whole, so that the rest stays JSON.
                _ => {
                    let Some(from) = data[at..].iter().position(|&b| b == b':').map(|i| at + i + 1) else { continue };
                    let to = data[from..].iter().position(|b| b",}]".contains(b)).map_or(data.len(), |i| from + i);
                    drop(data.splice(from..to, words[random.below(words.len())].bytes()));
                }
            }
        }
        vectors_check(&data);
    }
}

/// Input that was interesting once.
#[test]
fn odd_files() {
    let deep = "[".repeat(100_000);
    for text in ["", "null", "[]", "{}", "{\"scheme\":1}", "{\"algorithm\":\"AES-CTR\"}", &deep, "\u{feff}{}"] {
        vectors_check(text.as_bytes());
    }
    vectors_check(br#"{"scheme":"ocb3_long","tests":[{"id":1,"key":"","nonce":"","shake128_seed":"","ad_len":18446744073709551615,"msg_len":2,"ct_sha256":"","tag":""}]}"#);
}

/// Streams that are changed, headers made of a right one, and noise as streams of others.
#[test]
fn sealed_streams() {
    let mut random = Random(0x5ea1);
    let vectors = include_str!("../../../vectors/stream/changing.json");
    let sealed = vectors.split("\"sealed\": \"").nth(1).unwrap().split('"').next().unwrap();
    let sealed: Vec<u8> =
        (0..sealed.len()).step_by(2).map(|i| u8::from_str_radix(&sealed[i..i + 2], 16).unwrap()).collect();
    for i in 0..2000 {
        let noise: Vec<u8> = (0..random.below(80)).map(|_| random.next() as u8).collect();
        if i % 4 == 0 {
            streams::open(&noise);
        }
        streams::others(&noise);
        streams::header(&noise);
        // The vectors' keys are not the target's, so that even an unchanged header does not open.
        let mut header = sealed[9..].to_vec();
        for _ in 0..random.below(4) {
            let at = random.below(header.len());
            header[at] ^= random.next() as u8;
        }
        header.truncate(random.below(2 * header.len()));
        streams::header(&header);
    }
    let keyset = include_str!("../../../vectors/stream/tink.json").split("\"keyset\": \"").nth(1).unwrap();
    let keyset = keyset.split("\", \"context\"").next().unwrap().replace("\\\"", "\"");
    combseal::stream::TinkKeyset::from_json(&keyset).unwrap();
    let others = ["5", "{\"keyData\":5}", "\"x\"", "{\"status\":\"ENABLED\"}", "[[]]"];
    for text in
        others.map(|key| format!("{{\"primaryKeyId\":1,\"key\":[{key}]}}")).into_iter().chain(["[\"x\"]".into()])
    {
        streams::others(text.as_bytes());
    }
    for _ in 0..1000 {
        let mut text = keyset.clone().into_bytes();
        let at = random.below(text.len());
        text[at] = random.next() as u8 & 127;
        streams::others(&text);
    }
}
