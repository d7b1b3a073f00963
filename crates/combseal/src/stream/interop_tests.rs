//! Streams of others, made by their own implementations (`vectors/stream`): each opens, and from
//! the same salts the library makes the same bytes.

use super::cobblestone::Cobblestone;
use super::error::Error;
use super::keyset::TinkKeyset;
use super::memory::seal_body;
use super::sealing::Sealing;
use super::threads::Threads;
use base64ct::{Base64, Encoding};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::{Cursor, Read, Write};
use std::{format, string::String, vec, vec::Vec};

fn unhex(text: &Value) -> Vec<u8> {
    let text = text.as_str().unwrap();
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

fn file(path: &str) -> Value {
    let path = format!("{}/../../vectors/{path}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The plaintext of the vectors: SHA-256("plaintext" || 0) || SHA-256("plaintext" || 1) || …
fn plaintext(test: &Value) -> Vec<u8> {
    let len = test["length"].as_u64().unwrap() as usize;
    let block = |i: u64| Sha256::new().chain_update(b"plaintext").chain_update(i.to_be_bytes()).finalize();
    (0..len.div_ceil(32) as u64).flat_map(block).take(len).collect()
}

#[test]
fn cobblestone_of_cryptography() {
    for test in file("stream/cobblestone")["tests"].as_array().unwrap() {
        let (sealed, context, plain) = (unhex(&test["sealed"]), unhex(&test["context"]), plaintext(test));
        let key = Cobblestone::new(&unhex(&test["key"])).unwrap();
        assert!(key.open_vec(&sealed, &context, 1).unwrap() == plain);
        let mut opened = Vec::new();
        key.opening(&sealed[..], &context, 2).unwrap().read_to_end(&mut opened).unwrap();
        assert!(opened == plain);
        let mut file = key.file(Cursor::new(&sealed), &context, 1).unwrap();
        assert_eq!(file.len(), plain.len() as u64);
        opened.clear();
        file.read_to_end(&mut opened).unwrap();
        assert!(opened == plain);

        let (header, segments) = key.derive(sealed.first_chunk().unwrap(), &context).unwrap();
        let mut body = vec![0; sealed.len() - header.len()];
        seal_body(&segments, &Threads::Caller, &plain, &mut body).unwrap();
        assert!([&header[..], &body].concat() == sealed);
        let mut sealing = Sealing::with(Vec::new(), &header, segments, Threads::Caller).unwrap();
        sealing.write_all(&plain).unwrap();
        assert!(sealing.finish().unwrap() == sealed);
    }
}

/// No byte of a stream can be changed, and none cut off.
#[test]
fn cobblestone_refusals() {
    let key = Cobblestone::new(&[9; 16]).unwrap();
    let sealed = key.seal_vec(&[1; 16500], b"", 1).unwrap();
    for at in (0..sealed.len()).step_by(7).chain(0..100).chain(sealed.len() - 140..sealed.len()) {
        let mut changed = sealed.clone();
        changed[at] ^= 1;
        let error = key.open_vec(&changed, b"", 1).unwrap_err();
        match at {
            0..56 => assert!(matches!(error, Error::WrongKey), "{at}"),
            56..16456 => assert!(matches!(error, Error::Damaged { segment: 0 }), "{at}"),
            _ => assert!(matches!(error, Error::CutOrDamaged { segment: 1 }), "{at}"),
        }
        assert!(key.open_vec(&sealed[..at], b"", 1).is_err());
    }
}

#[test]
fn cobblestone_both_ways() {
    let (plain, key) = (vec![3; 100_000], Cobblestone::new(&[5; 32]).unwrap());
    let sealed = key.seal_vec(&plain, b"context", 2).unwrap();
    assert_eq!(sealed.len(), 56 + 100_000 + 7 * 16);
    assert!(key.open_vec(&sealed, b"context", 1).unwrap() == plain);
    assert!(matches!(key.open_vec(&sealed, b"", 1), Err(Error::WrongKey)));
    assert!(matches!(key.open_vec(&sealed[..56 + 2 * 16400], b"context", 1), Err(Error::Truncated)));
    assert!(matches!(key.open_vec(&sealed[..55], b"context", 1), Err(Error::Truncated)));
    assert!(matches!(Cobblestone::new(&[5; 24]), Err(Error::KeyLength)));
    let mut sealing = key.sealing(Vec::new(), b"", 1).unwrap();
    sealing.write_all(&plain).unwrap();
    assert!(key.open_vec(&sealing.finish().unwrap(), b"", 1).unwrap() == plain);
    assert_eq!(format!("{key:?}"), "Cobblestone(AES-256-GCM, secret)");
}

/// What Tink sealed opens in pieces of any length, and from its header the same bytes come.
#[test]
fn tink_of_tink() {
    for test in file("stream/tink")["tests"].as_array().unwrap() {
        let (sealed, ad, plain) = (unhex(&test["sealed"]), unhex(&test["context"]), plaintext(test));
        let keyset = TinkKeyset::from_json(test["keyset"].as_str().unwrap()).unwrap();
        let mut opened = Vec::new();
        keyset.opening(&sealed[..], &ad).unwrap().read_to_end(&mut opened).unwrap();
        assert!(opened == plain, "{}", test["id"]);
        let mut header = sealed[..sealed[0].into()].to_vec();
        let mut sealing = keyset.begin(Vec::new(), &mut header, &ad).unwrap();
        plain.chunks(37).for_each(|piece| sealing.write_all(piece).unwrap());
        assert!(sealing.finish().unwrap() == sealed, "{}", test["id"]);
        assert!(matches!(keyset.opening(&sealed[..], b"another"), Err(Error::WrongKey)));
        for len in 0..sealed.len() {
            let mut opened = Vec::new();
            let cut = keyset.opening(&sealed[..len], &ad).map_err(std::io::Error::from);
            let cut = cut.and_then(|mut it| it.read_to_end(&mut opened));
            assert!(cut.is_err() && opened == plain[..opened.len()], "{} {len}", test["id"]);
        }
        let again = TinkKeyset::from_json(&keyset.to_json()).unwrap();
        opened.clear();
        again.opening(&sealed[..], &ad).unwrap().read_to_end(&mut opened).unwrap();
        assert!(opened == plain);
    }
}

/// Keysets that Tink reads, though it does not write them: keys that were destroyed or disabled,
/// other types of output prefix, fields of a fixed width that it does not know.
#[test]
fn odd_keysets_of_tink() {
    let keyset = TinkKeyset::generate(32, 4096).unwrap();
    let mut sealing = keyset.sealing(Vec::new(), b"ad").unwrap();
    sealing.write_all(b"plain").unwrap();
    let sealed = sealing.finish().unwrap();
    let opens = |json: &str| {
        let mut opened = Vec::new();
        TinkKeyset::from_json(json)?.opening(&sealed[..], b"ad")?.read_to_end(&mut opened)?;
        assert_eq!(opened, b"plain");
        Ok::<(), Error>(())
    };
    let json = keyset.to_json();
    opens(&json).unwrap();
    let others =
        ["{\"status\":\"DESTROYED\",\"keyId\":3}", "{\"status\":\"DISABLED\",\"keyData\":{\"value\":\"AA==\"}}"];
    for other in others {
        let both = json.replacen("\"key\":[", &format!("\"key\":[{other},"), 1);
        assert!(both != json);
        opens(&both).unwrap();
    }
    for prefix in ["TINK", "LEGACY", "CRUNCHY", "UNKNOWN_PREFIX"] {
        opens(&json.replace("RAW", prefix)).unwrap();
    }
    opens(&json.replace(",\"outputPrefixType\":\"RAW\"", "")).unwrap();

    let value = json.split("\"value\":\"").nth(1).unwrap().split('"').next().unwrap();
    let bytes = Base64::decode_vec(value).unwrap();
    // Field 9, of eight bytes and of four.
    let with = |more: &[u8]| json.replace(value, &Base64::encode_string(&[&bytes, more].concat()));
    opens(&with(&[0x49, 1, 2, 3, 4, 5, 6, 7, 8, 0x4d, 1, 2, 3, 4])).unwrap();
    for cut in [&[0x49, 1, 2, 3, 4, 5, 6, 7][..], &[0x4d, 1, 2, 3], &[0x4b], &[0x4c], &[0x4a, 9]] {
        assert!(matches!(opens(&with(cut)), Err(Error::Keyset)), "{cut:x?}");
    }
}

/// A segment of 2 GiB takes no more memory than what is in it.
#[test]
fn long_segments_of_tink_grow_with_the_data() {
    let keyset = TinkKeyset::generate(16, (1 << 31) - 1).unwrap();
    let plain: Vec<u8> = (0..100_000u32).map(|i| i as u8).collect();
    let mut sealing = keyset.sealing(Vec::new(), b"").unwrap();
    for piece in plain.chunks(333) {
        sealing.write_all(piece).unwrap();
        assert!(sealing.held() < 2 * plain.len() + 100);
    }
    let sealed = sealing.finish().unwrap();
    let mut opened = Vec::new();
    keyset.opening(&sealed[..], b"").unwrap().read_to_end(&mut opened).unwrap();
    assert!(opened == plain);
}

/// Changed bytes, an empty segment behind others, and keysets that are none.
#[test]
fn tink_refusals() {
    let keyset = TinkKeyset::generate(16, 64).unwrap();
    let plain: Vec<u8> = (0..100).collect();
    let mut sealing = keyset.sealing(Vec::new(), b"ad").unwrap();
    sealing.write_all(&plain).unwrap();
    let sealed = sealing.finish().unwrap();
    for at in 0..sealed.len() {
        let mut changed = sealed.clone();
        changed[at] ^= 1;
        let mut opened = Vec::new();
        let done = keyset.opening(&changed[..], b"ad").map_err(std::io::Error::from);
        let done = done.and_then(|mut it| it.read_to_end(&mut opened));
        assert!(done.is_err() && opened == plain[..opened.len()], "{at}");
    }
    for (key_len, segment) in [(16, 40), (32, 56), (16, 0), (16, 1 << 31)] {
        assert!(matches!(TinkKeyset::generate(key_len, segment), Err(Error::SegmentLength)));
    }
    assert!(matches!(TinkKeyset::generate(24, 4096), Err(Error::KeyLength)));
    let json = keyset.to_json();
    let broken: [(&str, &str); 6] = [
        ("ENABLED", "DISABLED"),
        ("\"status\":\"ENABLED\",", ""),
        ("SYMMETRIC", "ASYMMETRIC_PRIVATE"),
        ("StreamingKey", "Key"),
        ("\"value\":\"", "\"value\":\"!"),
        ("primaryKeyId\":", "primaryKeyId\":9"),
    ];
    for (from, to) in broken {
        let changed: String = json.replacen(from, to, 1);
        assert!(changed != json && matches!(TinkKeyset::from_json(&changed), Err(Error::Keyset)), "{from}");
    }
    for text in ["", "{}", "[]", "[\"x\"]", "7", "null", "\"x\"", "{\"primaryKeyId\":1}"] {
        assert!(matches!(TinkKeyset::from_json(text), Err(Error::Keyset)), "{text}");
    }
    let keys = ["", "{}", "5", "null", "\"x\"", "[]", "{\"keyData\":5}", "{\"keyData\":[\"value\"]}"];
    let more = ["{\"keyData\":{\"value\":5}}", "{\"status\":\"ENABLED\",\"keyData\":null}", "{\"status\":\"ENABLED\"}"];
    for key in keys.into_iter().chain(more) {
        let text = format!("{{\"primaryKeyId\":1,\"key\":[{key}]}}");
        assert!(matches!(TinkKeyset::from_json(&text), Err(Error::Keyset)), "{text}");
    }
    for key in ["5", "\"x\"", "{}", "null"] {
        let text = format!("{{\"primaryKeyId\":1,\"key\":{key}}}");
        assert!(matches!(TinkKeyset::from_json(&text), Err(Error::Keyset)), "{text}");
    }
    assert!(format!("{keyset:?}").contains("secret"));
}
