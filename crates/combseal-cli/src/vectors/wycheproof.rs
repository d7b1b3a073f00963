//! Wycheproof's format, `testvectors_v1`: groups of tests that share sizes.
//!
//! An invalid test must be refused, by the tag or already by a length. One
//! class is left to the library: tags that are right but that Wycheproof finds
//! too short (`InsecureTagSize`: 4-byte tags, which SP 800-38C allows).

use super::error::Error;
use super::json::At;
use super::suite::{Case, Ciphertext, Suite, Vectors, Verdict, known};
use crate::schemes::{Kind, Scheme};

pub(super) fn read(file: &At, name: &str) -> Result<Vectors, Error> {
    let mut groups = Vec::new();
    for group in file.field("testGroups")?.list("group")? {
        let tests = group.field("tests")?.list("test")?;
        groups.push((group, tests));
    }
    let count = groups.iter().map(|(_, tests)| tests.len()).sum();
    // GMAC is GCM that encrypts nothing.
    let gmac = name == "AES-GMAC";
    let Ok((scheme, _)) = known(if gmac { "AES-GCM" } else { name }, count) else {
        return Ok(Vectors::Unknown { scheme: name.into(), tests: count });
    };
    let mut suite = Suite { scheme, cases: Vec::with_capacity(count), iterated: Vec::new() };
    for (group, tests) in groups {
        let tag_len = group.get("tagSize")?.map(|t| t.bits()).transpose()?;
        for test in tests {
            suite.cases.push(case(test, scheme, tag_len, gmac)?);
        }
    }
    Ok(Vectors::Suite(suite))
}

fn case(test: At, scheme: &Scheme, tag_len: Option<usize>, gmac: bool) -> Result<Case, Error> {
    let id = test.field("tcId")?.id()?;
    let test = test.called(format!("test {id}"));
    let lenient = match test.get("flags")? {
        Some(flags) => flags.list("flag")?.iter().any(|f| f.str().is_ok_and(|f| f == "InsecureTagSize")),
        None => false,
    };
    let result = test.field("result")?;
    let verdict = match result.str()? {
        "valid" => Verdict::Valid,
        "invalid" if lenient => Verdict::Either,
        "invalid" => Verdict::Forged,
        "acceptable" => Verdict::Either,
        other => return Err(result.error(format!("{other:?} is not \"valid\", \"invalid\" or \"acceptable\""))),
    };
    let (mut ad, mut msg) = (test.maybe_bytes("aad")?.unwrap_or_default(), test.bytes("msg")?);
    let (mut ct, mut tag) = (test.maybe_bytes("ct")?.unwrap_or_default(), test.maybe_bytes("tag")?);
    if gmac || scheme.kind == Kind::Mac {
        (ad, msg) = (msg, Vec::new());
    }
    if tag.is_none() && scheme.kind == Kind::Siv {
        // Deterministic SIV: one string, V first.
        let rest = ct.split_off(ct.len().min(16));
        tag = Some(std::mem::replace(&mut ct, rest));
    }
    let tag = match tag {
        Some(tag) => tag,
        None if scheme.kind == Kind::Stream => Vec::new(),
        None => test.bytes("tag")?,
    };
    Ok(Case {
        id,
        comment: test.get("comment")?.map_or(Ok(String::new()), |c| c.str().map(Into::into))?,
        verdict,
        key: test.bytes("key")?,
        nonce: test.maybe_bytes("iv")?,
        ads: vec![ad],
        msg,
        ct: Ciphertext::Bytes(ct),
        tag_len: tag_len.unwrap_or(tag.len()),
        tag,
    })
}
