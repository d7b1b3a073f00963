//! Runs a file's tests: each on every tier, in every form.

use super::suite::{Case, Ciphertext, Iterated, Suite, Verdict};
use crate::schemes::{Kind, Scheme};
use crate::subject::{Context, Fault, Form, Subject};
use combseal::{Cpu, Error};
use sha2::{Digest, Sha256};

/// A test that failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The test, as the file calls it, with its comment.
    pub test: String,
    /// The first tier that failed it.
    pub tier: &'static str,
    /// How many tiers failed it.
    pub tiers: usize,
    /// What happened.
    pub what: String,
}

/// What came of a file.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Tests that every tier passed in every form.
    pub passed: usize,
    /// The others.
    pub failures: Vec<Failure>,
    /// How many tiers they ran on.
    pub tiers: usize,
}

/// Messages with more bytes than this are run in fewer forms.
const LONG: usize = 1 << 14;

/// Runs every test on each of `tiers`.
pub fn check(suite: &Suite, tiers: &[Cpu]) -> Report {
    let mut failures: Vec<Option<Failure>> = vec![None; suite.cases.len() + suite.iterated.len()];
    let names = suite.cases.iter().map(|c| {
        let comment = if c.comment.is_empty() { String::new() } else { format!(" ({})", c.comment) };
        format!("test {}{comment}", c.id)
    });
    let names: Vec<String> = names.chain((1..=suite.iterated.len()).map(|i| format!("iterated output {i}"))).collect();
    for &cpu in tiers {
        let mut bench = Bench { scheme: suite.scheme, cpu, kept: None };
        let cases = suite.cases.iter().enumerate().map(|(i, c)| (i, bench.case(i, c))).collect::<Vec<_>>();
        let iterated = (suite.cases.len()..).zip(suite.iterated.iter().map(|it| bench.iterated(it)));
        for (i, done) in cases.into_iter().chain(iterated) {
            if let Err(what) = done {
                let first = Failure { test: names[i].clone(), tier: cpu.name(), tiers: 0, what };
                failures[i].get_or_insert(first).tiers += 1;
            }
        }
    }
    let failures: Vec<Failure> = failures.into_iter().flatten().collect();
    Report { passed: names.len() - failures.len(), failures, tiers: tiers.len() }
}

/// A tier, and the key that the last test left.
struct Bench {
    scheme: &'static Scheme,
    cpu: Cpu,
    kept: Option<Kept>,
}

/// A key: its bytes, its lengths of tag and nonce, and itself.
type Kept = (Vec<u8>, usize, Option<usize>, Box<dyn Subject>);

impl Bench {
    /// The key: the last one if it is the same, so that what a sender and a
    /// receiver keep between messages is tested wherever a file repeats a key.
    fn key(&mut self, key: &[u8], tag_len: usize, nonce_len: Option<usize>) -> Result<&mut dyn Subject, Error> {
        let same = self.kept.as_ref().is_some_and(|(k, t, n, _)| k == key && (*t, *n) == (tag_len, nonce_len));
        if !same {
            self.kept = None;
            let built = self.scheme.key(self.cpu, key, tag_len, nonce_len)?;
            self.kept = Some((key.to_vec(), tag_len, nonce_len, built));
        }
        match &mut self.kept {
            Some((_, _, _, subject)) => Ok(subject.as_mut()),
            None => Err(Error::KeyLength),
        }
    }

    fn case(&mut self, number: usize, case: &Case) -> Result<(), String> {
        let (kind, slow) = (self.scheme.kind, self.cpu.name().starts_with("model"));
        let key = match self.key(&case.key, case.tag_len, case.nonce.as_ref().map(Vec::len)) {
            Ok(key) => key,
            Err(_) if case.verdict != Verdict::Valid => return Ok(()),
            Err(e) => return Err(format!("the key is refused: {e}")),
        };
        let c = Context { nonce: case.nonce.as_deref(), ads: &case.ads, offset: number };
        let mut forms = key.forms(&c);
        if case.msg.len() + case.ads.iter().map(Vec::len).sum::<usize>() > LONG {
            forms.retain(|f| matches!(f, Form::InPlace | Form::Strings));
        }
        // The forms are the same code on every tier, and models are slow.
        if slow {
            forms = vec![forms[number % forms.len()]];
        }
        for (i, &form) in forms.iter().enumerate() {
            let at = |what: String| format!("{}: {what}", form.name());
            match case.verdict {
                Verdict::Forged => forged(key, form, &c, case).map_err(at)?,
                Verdict::Either => {
                    if forged(key, form, &c, case).is_err() {
                        valid(key, form, &c, case).map_err(at)?;
                    }
                }
                Verdict::Valid => {
                    valid(key, form, &c, case).map_err(at)?;
                    // A different bit in every form and test.
                    if kind != Kind::Stream && matches!(case.ct, Ciphertext::Bytes(_)) {
                        flipped(key, form, &c, case, 7 * number + 31 * i).map_err(at)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// RFC 7253, appendix A: the tag over 385 sealings of rising lengths.
    fn iterated(&mut self, it: &Iterated) -> Result<(), String> {
        let mut bytes = vec![0; it.key_len];
        if let Some(last) = bytes.last_mut() {
            *last = (8 * it.tag_len) as u8;
        }
        let key = self.key(&bytes, it.tag_len, Some(12)).map_err(|e| format!("the key is refused: {e}"))?;
        let mut seal = |number: u32, ad: &[u8], msg: &[u8]| {
            let mut nonce = [0; 12];
            nonce[8..].copy_from_slice(&number.to_be_bytes());
            let c = Context { nonce: Some(&nonce), ads: &[ad.to_vec()], offset: number as usize };
            key.seal(Form::InPlace, &c, msg).map(|(ct, tag)| [ct, tag].concat()).map_err(told)
        };
        let mut all = Vec::new();
        for i in 0..128 {
            let s = vec![0; i as usize];
            all.extend(seal(3 * i + 1, &s, &s)?);
            all.extend(seal(3 * i + 2, &[], &s)?);
            all.extend(seal(3 * i + 3, &s, &[])?);
        }
        same("output", &seal(385, &all, &[])?, &it.output)
    }
}

/// Sealing gives what is expected, and opening gives the message.
fn valid(key: &mut dyn Subject, form: Form, c: &Context, case: &Case) -> Result<(), String> {
    let (ct, tag) = key.seal(form, c, &case.msg).map_err(told)?;
    match &case.ct {
        Ciphertext::Bytes(expected) => same("ciphertext", &ct, expected)?,
        Ciphertext::Sha256(expected) => same("ciphertext's SHA-256", &Sha256::digest(&ct), expected)?,
    }
    same("tag", &tag, &case.tag)?;
    let msg = key.open(form, c, &ct, &tag).map_err(|f| format!("opening: {}", told(f)))?;
    same("opened message", &msg, &case.msg)
}

/// Opening refuses, and leaves zeros.
fn forged(key: &mut dyn Subject, form: Form, c: &Context, case: &Case) -> Result<(), String> {
    let Ciphertext::Bytes(ct) = &case.ct else { return Err("a forgery without its ciphertext".into()) };
    refuses(key, form, c, ct, &case.tag, "a forgery")
}

/// The valid test with one bit of its ciphertext or tag flipped is refused.
fn flipped(key: &mut dyn Subject, form: Form, c: &Context, case: &Case, bit: usize) -> Result<(), String> {
    let Ciphertext::Bytes(ct) = &case.ct else { return Ok(()) };
    let mut all = [&ct[..], &case.tag].concat();
    if all.is_empty() {
        return Ok(());
    }
    let bit = bit % (8 * all.len());
    all[bit / 8] ^= 1 << (bit % 8);
    let (ct, tag) = all.split_at(ct.len());
    refuses(key, form, c, ct, tag, &format!("a copy with bit {bit} flipped"))
}

fn refuses(key: &mut dyn Subject, form: Form, c: &Context, ct: &[u8], tag: &[u8], what: &str) -> Result<(), String> {
    match key.open(form, c, ct, tag) {
        Err(Fault::Refused(_)) => Ok(()),
        Err(Fault::Broken(what)) => Err(what),
        Ok(_) => Err(format!("{what} was accepted")),
    }
}

fn told(fault: Fault) -> String {
    match fault {
        Fault::Refused(e) => format!("refused: {e}"),
        Fault::Broken(what) => what,
    }
}

/// Compares, and points at the first difference.
pub(super) fn same(what: &str, found: &[u8], expected: &[u8]) -> Result<(), String> {
    if found.len() != expected.len() {
        return Err(format!("the {what} has {} bytes, expected {}", found.len(), expected.len()));
    }
    match found.iter().zip(expected).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(i) => Err(format!("the {what} is {:02x} at byte {i}, expected {:02x}", found[i], expected[i])),
    }
}
