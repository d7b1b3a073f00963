//! Our own format (`vectors/README.md`).

use super::archived;
use super::error::Error;
use super::json::At;
use super::suite::{Archived, Case, Ciphertext, Iterated, Limits, Suite, Vectors, Verdict, known};
use crate::schemes::Kind;
use shake::digest::{ExtendableOutput, Update, XofReader};

pub(super) fn read(file: &At, name: &str, limits: Limits) -> Result<Vectors, Error> {
    let tests = file.field("tests")?.list("test")?;
    let iterated = match file.get("iterated")? {
        Some(it) => it.field("outputs")?.list("iterated output")?,
        None => Vec::new(),
    };
    let schemes = archived::by_name(name);
    if !schemes.is_empty() {
        let cases = tests.into_iter().map(|test| case(test, Kind::Aead, None, limits)).collect::<Result<_, _>>()?;
        return Ok(Vectors::Archived(Archived { schemes, cases }));
    }
    let (scheme, name) = match known(name, tests.len() + iterated.len()) {
        Ok(known) => known,
        Err(unknown) => return Ok(unknown),
    };
    // A forgery's tag may have been cut or grown, so its key's tag length is the
    // one that the scheme's name gives, or the parameters, or a valid test.
    let mut tag_len = name.tag_len;
    if let (None, Some(p)) = (tag_len, file.get("parameters")?) {
        tag_len = p.get("tag_bytes")?.and_then(|t| t.number().ok()).map(|t| t as usize);
    }
    for test in &tests {
        if tag_len.is_none() && test.get("valid")?.is_none_or(|v| v.bool().unwrap_or(false)) {
            tag_len = test.maybe_bytes("tag")?.map(|t| t.len());
        }
    }
    let mut suite = Suite { scheme, cases: Vec::new(), iterated: Vec::new() };
    for test in tests {
        suite.cases.push(case(test, scheme.kind, tag_len, limits)?);
    }
    for output in iterated {
        suite.iterated.push(Iterated {
            key_len: output.field("keylen_bits")?.bits()?,
            tag_len: output.field("taglen_bits")?.bits()?,
            output: output.bytes("output")?,
        });
    }
    Ok(Vectors::Suite(suite))
}

fn case(test: At, kind: Kind, tag_len: Option<usize>, limits: Limits) -> Result<Case, Error> {
    let id = test.field("id")?.id()?;
    let test = test.called(format!("test {id}"));
    let valid = test.get("valid")?.map_or(Ok(true), |v| v.bool())?;
    let tag = match test.maybe_bytes("tag")? {
        Some(tag) => tag,
        None if kind == Kind::Stream => Vec::new(),
        None => test.bytes("tag")?,
    };
    let given = match test.get("taglen_bits")? {
        Some(bits) => Some(bits.bits()?),
        None if valid => None,
        None => tag_len,
    };
    let (mut ads, mut msg, ct);
    if let Some(seed) = test.get("shake128_seed")? {
        let lengths = [test.field("ad_len")?.number()?, test.field("msg_len")?.number()?];
        let total = lengths[0].saturating_add(lengths[1]);
        if total > limits.generated {
            return Err(test.error(format!("{total} bytes are more than the {} this reads", limits.generated)));
        }
        let mut shake = shake::Shake128::default();
        shake.update(&seed.hex()?);
        let mut shake = shake.finalize_xof();
        ads = vec![vec![0; lengths[0] as usize]];
        msg = vec![0; lengths[1] as usize];
        shake.read(&mut ads[0]);
        shake.read(&mut msg);
        ct = Ciphertext::Sha256(test.bytes("ct_sha256")?);
    } else {
        ads = match test.get("ads")? {
            Some(list) => list.list("associated string")?.iter().map(|s| s.hex()).collect::<Result<_, _>>()?,
            None => vec![test.maybe_bytes("ad")?.unwrap_or_default()],
        };
        msg = if valid { test.bytes("msg")? } else { test.maybe_bytes("msg")?.unwrap_or_default() };
        ct = Ciphertext::Bytes(match kind {
            Kind::Mac => test.maybe_bytes("ct")?.unwrap_or_default(),
            _ => test.bytes("ct")?,
        });
        if kind == Kind::Mac {
            ads = vec![std::mem::take(&mut msg)];
        }
    }
    Ok(Case {
        id,
        comment: test.get("comment")?.map_or(Ok(String::new()), |c| c.str().map(Into::into))?,
        verdict: if valid { Verdict::Valid } else { Verdict::Forged },
        key: test.bytes("key")?,
        nonce: test.maybe_bytes("nonce")?,
        ads,
        msg,
        ct,
        tag_len: given.unwrap_or(tag.len()),
        tag,
    })
}
