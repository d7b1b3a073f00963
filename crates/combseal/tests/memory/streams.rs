//! Sealed streams: what was derived from a key, and the plaintext that was in their buffers, are
//! not in the memory that they give back.

use crate::place::Faults;
use crate::secrets::Secrets;
use crate::spy::Armed;
use combseal::Algorithm;
use combseal::stream::{Lock, OpenedFile, Opening, Sealing, Settings, Unlock, open_all, open_to, open_vec, seal_all};
use serde_json::Value;
use std::io::{Cursor, Read, Write};

fn unhex(text: &Value) -> Vec<u8> {
    let text = text.as_str().unwrap();
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

/// A stream of the known answers, of which all keys are known: its key, itself, its context, its
/// plaintext, and what must not be found.
fn known() -> ([u8; 32], Vec<u8>, Vec<u8>, Vec<u8>, Secrets) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/stream/good.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let test = file["tests"].as_array().unwrap().iter().find(|it| it["comment"] == "9000 bytes").unwrap();
    assert_eq!(test["scheme"], "OCB3-AES-256");
    let key: [u8; 32] = unhex(&test["key"]).try_into().unwrap();
    let (sealed, context) = (unhex(&test["sealed"]), unhex(&test["context"]));
    let plain = open_vec(&sealed, Unlock::Key(&key), &context, 1).unwrap();
    let mut secrets = Secrets::of(Algorithm::Ocb3Aes256, &unhex(&test["payload_key"]));
    for name in ["key", "file_key", "header_key"] {
        secrets.add(&unhex(&test[name]));
    }
    secrets.add(&plain);
    (key, sealed, context, plain, secrets.sorted())
}

/// One after the other: their secrets are the same, and a test that makes them would be seen by
/// one that looks for them.
#[test]
fn streams() {
    opened();
    sealed();
}

fn opened() {
    let (key, sealed, context, plain, secrets) = known();
    let mut faults = Faults::default();
    for threads in [1, 2] {
        let mut out = vec![0; plain.len()];
        let armed = Armed::new(&secrets);
        open_to(&sealed, &mut out, Unlock::Key(&key), &context, threads).unwrap();
        Opening::new(&sealed[..], Unlock::Key(&key), &context, threads).unwrap().read_exact(&mut out).unwrap();
        // One that is left before its end.
        Opening::new(&sealed[..], Unlock::Key(&key), &context, threads).unwrap().read_exact(&mut out[..5000]).unwrap();
        let mut file = OpenedFile::new(Cursor::new(&sealed), Unlock::Key(&key), &context, threads).unwrap();
        file.read_exact(&mut out).unwrap();
        drop(file);
        open_all(&sealed[..], &mut out[..], Unlock::Key(&key), &context, threads, |_| ()).unwrap();
        armed.end(&mut faults, &format!("opened by {threads} threads"));
        assert!(out == plain);
    }
    assert!(faults.0.is_empty(), "{:?}", faults.0);
}

fn sealed() {
    let (key, _, context, plain, secrets) = known();
    let mut faults = Faults::default();
    for threads in [1, 2] {
        let settings = Settings::new().segment_len(4096).context(&context).threads(threads);
        let mut out = Vec::with_capacity(100_000);
        let armed = Armed::new(&secrets);
        let mut sealing = Sealing::new(&mut out, &settings, &[Lock::Key(&key)]).unwrap();
        sealing.write_all(&plain).unwrap();
        // Dropped with plaintext in its buffer, and finished.
        drop(sealing);
        let mut sealing = Sealing::new(&mut out, &settings, &[Lock::Key(&key)]).unwrap();
        sealing.write_all(&plain).unwrap();
        sealing.finish().unwrap();
        seal_all(&plain[..], &mut out, &settings, &[Lock::Key(&key)], |_| ()).unwrap();
        armed.end(&mut faults, &format!("sealed by {threads} threads"));
    }
    assert!(faults.0.is_empty(), "{:?}", faults.0);
}
