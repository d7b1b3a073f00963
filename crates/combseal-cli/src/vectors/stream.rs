//! Known answers of the archive's stream ciphers: key streams, systems with an authenticator of their
//! own, and systems with Poly1305. Each test runs in every tuning on every tier.

use super::check::{Failure, Report, same};
use super::error::Error;
use super::json::At;
use super::suite::{Expected, KeyStream, Limits, Packet, Streams, Vectors};
use combseal_archive::streams::named::{StreamCipher, StreamJob, StreamKey, StreamSystem, SystemJob, SystemKey};
use combseal_archive::streams::together::{decrypt_many, encrypt_many, xor_many};
use combseal_archive::{Cpu, Error as Refused, runs_on};
use sha2::{Digest, Sha256};

/// Key streams of more bytes than this are made as a whole only.
const LONG: usize = 1 << 14;
/// Bytes in an authenticator as the archive makes them.
const TAG: usize = 16;

/// Reads a file of the cipher or the system of that name.
pub(super) fn read(file: &At, name: &str, limits: Limits) -> Result<Vectors, Error> {
    let tests = file.field("tests")?.list("test")?;
    let unknown = || Vectors::Unknown { scheme: name.into(), tests: tests.len() };
    // What follows the name says more of the nonce: "hc-256-poly1305 with a 16-byte nonce".
    let short = name.split(' ').next().unwrap_or_default();
    let is_system = match tests.first() {
        Some(first) => first.get("ct")?.is_some(),
        None => StreamSystem::by_name(short).next().is_some(),
    };
    if !is_system {
        let ciphers: Vec<_> = StreamCipher::by_name(short).collect();
        if ciphers.is_empty() {
            return Ok(unknown());
        }
        let cases = tests.into_iter().map(|test| key_stream(test, limits)).collect::<Result<_, _>>()?;
        return Ok(Vectors::Stream(Streams::KeyStream(ciphers, cases)));
    }
    // A cipher that has an authenticator beside its use as a plain cipher: the system's name says so.
    let own = format!("{short}-ae");
    let systems: Vec<_> = StreamSystem::by_name(short).chain(StreamSystem::by_name(&own)).collect();
    if systems.is_empty() {
        return Ok(unknown());
    }
    let cases = tests.into_iter().map(packet).collect::<Result<_, _>>()?;
    Ok(Vectors::Stream(Streams::System(systems, cases)))
}

fn key_stream(test: At, limits: Limits) -> Result<KeyStream, Error> {
    let id = test.field("id")?.id()?;
    let test = test.called(format!("test {id}"));
    let len = test.field("length")?.number()?;
    if len > limits.generated {
        return Err(test.error(format!("{len} bytes are more than the {} this reads", limits.generated)));
    }
    let len = len as usize;
    let expected = match test.maybe_bytes("keystream")? {
        Some(bytes) if bytes.len() != len => {
            return Err(test.error(format!("\"keystream\" has {} bytes, and \"length\" says {len}", bytes.len())));
        }
        Some(bytes) => Expected::Bytes(bytes),
        None => Expected::Sha256(test.bytes("sha256")?, samples(&test, len)?),
    };
    Ok(KeyStream { key: test.bytes("key")?, nonce: test.bytes("iv")?, id, len, expected })
}

/// The pieces that a test gives of a long key stream.
fn samples(test: &At, len: usize) -> Result<Vec<(usize, Vec<u8>)>, Error> {
    let mut all = Vec::new();
    for name in ["stream_first_64", "stream_middle_64", "stream_last_64"] {
        let Some(bytes) = test.maybe_bytes(name)? else { continue };
        let at = match name {
            "stream_first_64" => 0,
            "stream_middle_64" => test.field("stream_middle_64_at")?.number()? as usize,
            _ => len.saturating_sub(bytes.len()),
        };
        if at.checked_add(bytes.len()).is_none_or(|end| end > len) {
            return Err(test.error(format!("{name:?} does not lie within {len} bytes")));
        }
        all.push((at, bytes));
    }
    Ok(all)
}

fn packet(test: At) -> Result<Packet, Error> {
    let id = test.field("id")?.id()?;
    let test = test.called(format!("test {id}"));
    let with_poly1305 = test.get("r")?.is_some();
    let key = if with_poly1305 { [test.bytes("r")?, test.bytes("k")?].concat() } else { test.bytes("key")? };
    Ok(Packet {
        key,
        nonce: test.bytes("nonce")?,
        ad: test.maybe_bytes("ad")?.unwrap_or_default(),
        msg: test.bytes("msg")?,
        ct: test.bytes("ct")?,
        tag: test.bytes(if with_poly1305 { "tag" } else { "mac" })?,
        mask: test.maybe_bytes("s")?,
        id,
    })
}

/// What is to be said of a file whose answers rest on one code alone.
pub fn unconfirmed(suite: &Streams) -> Option<&'static str> {
    let about = match suite {
        Streams::KeyStream(ciphers, _) => ciphers.first()?.about(),
        Streams::System(systems, _) => systems.first()?.about(),
    };
    (!about.confirmed).then_some(about.name)
}

/// Runs every test in every tuning on each of `tiers` that the archive is made for.
pub fn check(suite: &Streams, tiers: &[Cpu]) -> Report {
    let ids: Vec<&str> = match suite {
        Streams::KeyStream(_, cases) => cases.iter().map(|case| &case.id[..]).collect(),
        Streams::System(_, cases) => cases.iter().map(|case| &case.id[..]).collect(),
    };
    let mut failures: Vec<Option<Failure>> = vec![None; ids.len()];
    let tiers: Vec<Cpu> = tiers.iter().copied().filter(|cpu| runs_on(*cpu)).collect();
    for &cpu in &tiers {
        let mut done: Vec<Result<(), String>> = vec![Ok(()); ids.len()];
        match suite {
            Streams::KeyStream(ciphers, cases) => {
                ciphers.iter().for_each(|cipher| streams(cipher, cpu, cases, &mut done))
            }
            Streams::System(systems, cases) => systems.iter().for_each(|system| {
                let tuning = system.about().tuning;
                for (case, done) in cases.iter().zip(&mut done) {
                    note(done, tuning, one(system, cpu, case));
                }
                packets(system, cpu, cases, &mut done);
            }),
        }
        for (i, what) in done.into_iter().enumerate() {
            if let Err(what) = what {
                let first = Failure { test: format!("test {}", ids[i]), tier: cpu.name(), tiers: 0, what };
                failures[i].get_or_insert(first).tiers += 1;
            }
        }
    }
    let failures: Vec<Failure> = failures.into_iter().flatten().collect();
    Report { passed: ids.len() - failures.len(), failures, tiers: tiers.len() }
}

/// Keeps the first thing that went wrong with a test, with the tuning.
fn note(done: &mut Result<(), String>, tuning: &str, now: Result<(), String>) {
    if let (Ok(()), Err(what)) = (&*done, now) {
        *done = Err(format!("{tuning}: {what}"));
    }
}

/// A cipher's tests in one tuning: alone, and those that are not long side by side.
fn streams(cipher: &'static StreamCipher, cpu: Cpu, cases: &[KeyStream], done: &mut [Result<(), String>]) {
    let tuning = cipher.about().tuning;
    let keys: Vec<_> = cases.iter().map(|case| StreamKey::build(cpu, cipher, &case.key)).collect();
    for ((case, key), done) in cases.iter().zip(&keys).zip(&mut *done) {
        let alone = match key {
            Ok(key) => alone(key, case),
            Err(why) => Err(format!("the key is refused: {why}")),
        };
        note(done, tuning, alone);
    }
    if cipher.lanes().is_none() {
        return;
    }
    let taken = |case: &KeyStream| (TAG..=LONG).contains(&case.len);
    let mut bodies: Vec<Vec<u8>> = cases.iter().map(|case| vec![0; case.len.saturating_sub(TAG)]).collect();
    let members = cases.iter().zip(&keys).zip(&mut bodies).enumerate();
    let (places, mut jobs): (Vec<usize>, Vec<StreamJob<'_>>) = members
        .filter(|(_, ((case, _), _))| taken(case))
        .filter_map(|(i, ((case, key), data))| {
            Some((i, StreamJob { key: key.as_ref().ok()?, nonce: &case.nonce, first: [0; TAG], data }))
        })
        .unzip();
    let together = xor_many(&mut jobs).map_err(|why| format!("side by side: refused: {why}"));
    for (&i, job) in places.iter().zip(&jobs) {
        let right = together.clone().and_then(|()| {
            compare(&[&job.first[..], job.data].concat(), &cases[i]).map_err(|what| format!("side by side: {what}"))
        });
        note(&mut done[i], tuning, right);
    }
}

/// A key stream as a whole, and one that is not long in pieces too.
fn alone(key: &StreamKey, case: &KeyStream) -> Result<(), String> {
    let refused = |why| format!("refused: {why}");
    let mut stream = vec![0; case.len];
    key.xor(&case.nonce, &mut stream).map_err(refused)?;
    compare(&stream, case)?;
    if case.len > LONG {
        return Ok(());
    }
    stream.fill(0);
    let mut pieces = key.stream(&case.nonce).map_err(refused)?;
    let (mut rest, mut n) = (&mut stream[..], 1);
    while !rest.is_empty() {
        let (now, then) = rest.split_at_mut(n.min(rest.len()));
        pieces.xor(now).map_err(refused)?;
        rest = then;
        n = 1 + (5 * n + 7) % 93;
    }
    compare(&stream, case).map_err(|what| format!("in pieces: {what}"))
}

fn compare(stream: &[u8], case: &KeyStream) -> Result<(), String> {
    match &case.expected {
        Expected::Bytes(expected) => same("key stream", stream, expected),
        Expected::Sha256(expected, samples) => {
            for (at, bytes) in samples {
                same(&format!("key stream from byte {at} on"), &stream[*at..at + bytes.len()], bytes)?;
            }
            same("key stream's SHA-256", &Sha256::digest(stream), expected)
        }
    }
}

/// A packet made, opened, and refused with a bit changed.
fn one(system: &'static StreamSystem, cpu: Cpu, case: &Packet) -> Result<(), String> {
    let refused = |why| format!("refused: {why}");
    if let Some(mask) = &case.mask {
        first_bytes(system, cpu, case, mask)?;
    }
    let system = system.with_tag_len(case.tag.len());
    let key = SystemKey::build(cpu, system, &case.key).map_err(|why| format!("the key is refused: {why}"))?;
    let packet = key.encrypt(&case.nonce, &case.ad, &case.msg).map_err(refused)?;
    let (tag, ct) = packet.split_at(TAG);
    same("ciphertext", ct, &case.ct)?;
    let n = TAG.min(case.tag.len());
    same("authenticator", &tag[..n], &case.tag[..n])?;
    let msg = key.decrypt(&case.nonce, &case.ad, &packet).map_err(|why| format!("opening: refused: {why}"))?;
    same("opened message", &msg, &case.msg)?;
    // A bit of the authenticator, and one of the ciphertext.
    let mut bits = vec![(37 * case.msg.len() + 11 * case.ad.len()) % (8 * n)];
    if !ct.is_empty() {
        bits.push(8 * TAG + (53 * case.msg.len() + 3) % (8 * ct.len()));
    }
    for bit in bits {
        let mut flipped = packet.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let (tag, body) = flipped.split_at_mut(TAG);
        let tag: &[u8; TAG] = (&*tag).try_into().unwrap_or(&[0; TAG]);
        match key.decrypt_in_place(&case.nonce, &case.ad, body, tag) {
            Err(Refused::Forged) if body.iter().all(|&byte| byte == 0) => {}
            Err(Refused::Forged) => return Err("a flipped bit is found, but plaintext is left".into()),
            _ => return Err(format!("a copy with bit {bit} flipped was accepted")),
        }
    }
    Ok(())
}

/// All packets of a system side by side, where it does that: made, and opened again.
fn packets(system: &'static StreamSystem, cpu: Cpu, cases: &[Packet], done: &mut [Result<(), String>]) {
    if system.lanes().is_none() {
        return;
    }
    let keys: Vec<_> = cases.iter().map(|case| SystemKey::build(cpu, system, &case.key)).collect();
    let mut bodies: Vec<Vec<u8>> = cases.iter().map(|case| case.msg.clone()).collect();
    let members = cases.iter().zip(&keys).zip(&mut bodies).enumerate();
    let (places, mut jobs): (Vec<usize>, Vec<SystemJob<'_>>) = members
        .filter_map(|(i, ((case, key), data))| {
            let done = Err(Refused::NotRun);
            Some((i, SystemJob { key: key.as_ref().ok()?, nonce: &case.nonce, data, tag: [0; TAG], done }))
        })
        .unzip();
    let tuning = system.about().tuning;
    let side_by_side = |what| format!("side by side: {what}");
    let made = encrypt_many(&mut jobs).map_err(|why| format!("refused: {why}"));
    for (&i, job) in places.iter().zip(&jobs) {
        let right = made.clone().and_then(|()| {
            same("ciphertext", job.data, &cases[i].ct)?;
            same("authenticator", &job.tag, &cases[i].tag)
        });
        note(&mut done[i], tuning, right.map_err(side_by_side));
    }
    let opened = decrypt_many(&mut jobs).map_err(|why| format!("refused: {why}"));
    for (&i, job) in places.iter().zip(&jobs) {
        let right = opened.clone().and_then(|()| {
            job.done.map_err(|why| format!("opening: refused: {why}"))?;
            same("opened message", job.data, &cases[i].msg)
        });
        note(&mut done[i], tuning, right.map_err(side_by_side));
    }
}

/// The beginning of the key stream, which masks the authenticator.
fn first_bytes(system: &'static StreamSystem, cpu: Cpu, case: &Packet, mask: &[u8]) -> Result<(), String> {
    let about = system.about();
    let Some(cipher) = StreamCipher::by_name(about.name).find(|cipher| cipher.about().tuning == about.tuning) else {
        return Ok(());
    };
    let key = case.key.get(TAG..).ok_or("the key is shorter than r")?;
    let mut first = vec![0; mask.len()];
    let key = StreamKey::build(cpu, cipher, key).map_err(|why| format!("the cipher's key is refused: {why}"))?;
    key.xor(&case.nonce, &mut first).map_err(|why| format!("refused: {why}"))?;
    same("beginning of the key stream", &first, mask)
}
