//! Known answers of the archive's schemes: each test on every tier, and all of a file's
//! together in a batch.

use super::check::{Failure, Report};
use super::suite::{Archived, Case, Ciphertext, Verdict};
use combseal_archive::{Batch, Cpu, Error, Key, Scheme, runs_on};

/// The schemes whose known answers are in files of that name, or whose own name it is.
pub fn by_name(name: &str) -> Vec<Scheme> {
    let named = |scheme: &Scheme| {
        let about = scheme.about();
        about.name.eq_ignore_ascii_case(name) || about.known_answers.iter().any(|file| file.eq_ignore_ascii_case(name))
    };
    Scheme::ALL.iter().copied().filter(named).collect()
}

/// What a file's scheme is called whose known answers are a faulty code's output: that code is
/// followed, fault and all.
pub fn faulty(suite: &Archived) -> Option<&'static str> {
    suite.schemes.iter().find(|scheme| **scheme == Scheme::JuliusAsCoded).map(|scheme| scheme.about().name)
}

/// The whole sealed message of a test.
fn sealed(case: &Case) -> Vec<u8> {
    let Ciphertext::Bytes(ct) = &case.ct else { return Vec::new() };
    [&ct[..], &case.tag].concat()
}

/// Runs every test on each of `tiers` that the archive is made for: the models only if it is built
/// with them.
pub fn check(suite: &Archived, tiers: &[Cpu]) -> Report {
    let mut failures: Vec<Option<Failure>> = vec![None; suite.cases.len()];
    let tiers: Vec<Cpu> = tiers.iter().copied().filter(|cpu| runs_on(*cpu)).collect();
    for &cpu in &tiers {
        let keys: Vec<_> = suite.cases.iter().map(|case| key(suite, cpu, case)).collect();
        let together = side_by_side(suite, &keys);
        for (i, case) in suite.cases.iter().enumerate() {
            let alone = match &keys[i] {
                Ok(key) => one(key, case),
                Err(_) if case.verdict != Verdict::Valid => Ok(()),
                Err(e) => Err(format!("the key is refused: {e}")),
            };
            if let Err(what) = alone.and_then(|()| together[i].clone()) {
                let first = Failure { test: format!("test {}", case.id), tier: cpu.name(), tiers: 0, what };
                failures[i].get_or_insert(first).tiers += 1;
            }
        }
    }
    let failures: Vec<Failure> = failures.into_iter().flatten().collect();
    Report { passed: suite.cases.len() - failures.len(), failures, tiers: tiers.len() }
}

fn key(suite: &Archived, cpu: Cpu, case: &Case) -> Result<Key, Error> {
    let fits = |scheme: &&Scheme| scheme.about().key_len == case.key.len();
    let scheme = suite.schemes.iter().find(fits).ok_or(Error::KeyLength)?;
    Key::build(cpu, *scheme, &case.key)
}

/// A test by itself: sealed, opened, and refused with a bit flipped; or a forgery, refused.
fn one(key: &Key, case: &Case) -> Result<(), String> {
    let (nonce, ad) = (case.nonce.as_deref().unwrap_or(&[]), case.ads.concat());
    let whole = sealed(case);
    if case.verdict != Verdict::Valid {
        // The file does not say how long the message would be: no length may open.
        let lengths = (0..=whole.len()).filter(|&len| key.sealed_len(len) == whole.len());
        for len in lengths {
            if key.open(nonce, &ad, &whole, len).is_ok() {
                return Err("a forgery is opened".into());
            }
        }
        return Ok(());
    }
    let len = case.msg.len();
    match key.seal(nonce, &ad, &case.msg) {
        Ok(out) if out == whole => {}
        Ok(_) => return Err("sealing gives other bytes".into()),
        Err(e) => return Err(format!("sealing is refused: {e}")),
    }
    match key.open(nonce, &ad, &whole, len) {
        Ok(msg) if msg == case.msg => {}
        Ok(_) => return Err("opening gives another message".into()),
        Err(e) => return Err(format!("opening is refused: {e}")),
    }
    let mut flipped = whole;
    let bit = (37 * len + 11 * ad.len()) % (8 * flipped.len());
    flipped[bit / 8] ^= 1 << (bit % 8);
    let (body, tail) = flipped.split_at_mut(len);
    match key.open_in_place(nonce, &ad, body, tail) {
        Err(Error::Forged) if body.iter().all(|&byte| byte == 0) => Ok(()),
        Err(Error::Forged) => Err("a flipped bit is found, but plaintext is left".into()),
        _ => Err("a flipped bit is not found".into()),
    }
}

/// All valid tests in one batch: sealed, and opened again.
fn side_by_side(suite: &Archived, keys: &[Result<Key, Error>]) -> Vec<Result<(), String>> {
    let mut results = vec![Ok(()); suite.cases.len()];
    let members: Vec<(usize, &Case, &Key)> = suite
        .cases
        .iter()
        .zip(keys)
        .enumerate()
        .filter(|(_, (case, _))| case.verdict == Verdict::Valid)
        .filter_map(|(i, (case, key))| Some((i, case, key.as_ref().ok()?)))
        .collect();
    let ads: Vec<Vec<u8>> = members.iter().map(|(_, case, _)| case.ads.concat()).collect();
    let mut bodies: Vec<Vec<u8>> = members.iter().map(|(_, case, _)| case.msg.clone()).collect();
    let mut tails: Vec<Vec<u8>> =
        members.iter().map(|(_, case, key)| vec![0; key.scheme().tail_len(case.msg.len())]).collect();
    let nonce = |case: &'_ Case| case.nonce.clone().unwrap_or_default();
    let nonces: Vec<Vec<u8>> = members.iter().map(|(_, case, _)| nonce(case)).collect();
    let mut batch = Batch::new();
    for (((body, tail), (_, _, key)), (nonce, ad)) in
        bodies.iter_mut().zip(&mut tails).zip(&members).zip(nonces.iter().zip(&ads))
    {
        batch.seal(key, nonce, ad, body, tail);
    }
    let done = batch.run();
    for (((done, body), tail), (i, case, _)) in done.into_iter().zip(&bodies).zip(&tails).zip(&members) {
        if done.is_err() || [&body[..], tail].concat() != sealed(case) {
            results[*i] = Err("in a batch sealing gives other bytes".into());
        }
    }
    let mut batch = Batch::new();
    for (((body, tail), (_, _, key)), (nonce, ad)) in
        bodies.iter_mut().zip(&tails).zip(&members).zip(nonces.iter().zip(&ads))
    {
        batch.open(key, nonce, ad, body, tail);
    }
    let done = batch.run();
    for ((done, body), (i, case, _)) in done.into_iter().zip(&bodies).zip(&members) {
        if done.is_err() || *body != case.msg {
            results[*i] = Err("in a batch it is not opened".into());
        }
    }
    results
}
