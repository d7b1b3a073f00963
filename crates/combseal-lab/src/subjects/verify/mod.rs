//! Checks implementations before they are timed, for a wrong answer may be a fast one. Each must
//! give a known answer, where there is one of its scheme here, agree byte for byte with the others
//! of its scheme, open what they seal, count its own nonces so that they can open it, and refuse
//! forgeries.

mod known;
mod known_archive;

use super::candidate::CountingNonce;
use super::implementation::Implementation;
use crate::measure::Random;
use known::Known;

/// Messages in a row from one counter: more than one of OCB3's Ktops serves.
const IN_A_ROW: usize = 70;

/// Checks all of them on the known answers and at these `lengths`, and says of each what was
/// wrong with it, if anything. The others of a scheme must agree with the first that gives the
/// known answer; of a scheme without one here, with the first.
pub fn verify(all: &[Implementation], lengths: &[usize]) -> Vec<Result<(), String>> {
    let known: Vec<_> = all.iter().map(|one| guarded(|| gives_known_answer(one))).collect();
    let mut results = Vec::new();
    for (one, result) in all.iter().zip(&known) {
        let reference = all
            .iter()
            .zip(&known)
            .find(|(other, known)| known.is_ok() && (other.scheme, other.key_bits) == (one.scheme, one.key_bits));
        results.push(match reference {
            Some((reference, _)) if result.is_ok() => {
                guarded(|| lengths.iter().try_for_each(|&bytes| agrees(one, reference, bytes)))
            }
            _ => result.clone(),
        });
    }
    results
}

/// Someone else's code may panic rather than answer: that is a wrong answer too.
fn guarded(check: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).unwrap_or_else(|_| Err("panics".into()))
}

/// The known answers.
fn known() -> impl Iterator<Item = &'static Known> {
    known::KNOWN.iter().chain(&known_archive::ARCHIVE)
}

/// Whether it gives the known answer; so does one of whose scheme there is none here.
fn gives_known_answer(one: &Implementation) -> Result<(), String> {
    let key_hex = 2 * one.scheme.key_len(one.key_bits);
    let Some(known) = known().find(|k| k.family == one.scheme.short() && k.key.len() == key_hex) else {
        return Ok(());
    };
    let mut keyed = one.under(&hex(known.key));
    let (nonce, ad) = (hex(known.nonce), hex(known.ad));
    let mut buf = hex(known.msg);
    let mut tail = vec![0; keyed.tail_len(buf.len())];
    keyed.seal(&nonce, &ad, &mut buf, &mut tail);
    let tag_right = tail == hex(known.tag) || !one.scheme.is_authenticated();
    ensure(buf == hex(known.ct) && tag_right, "wrong known answer")?;
    let opened = keyed.open(&nonce, &ad, &mut buf, &tail);
    ensure(opened && buf == hex(known.msg), "does not open the known answer")
}

/// The same ciphertexts as `reference`, opened and refused alike, under another key.
fn agrees(one: &Implementation, reference: &Implementation, bytes: usize) -> Result<(), String> {
    let at = |what: &str| format!("{what} at {bytes} bytes (against {})", reference.name);
    let mut random = Random::new(bytes as u64);
    let mut key = vec![0; one.scheme.key_len(one.key_bits)];
    let (authenticated, takes_ad) = (one.scheme.is_authenticated(), one.scheme.takes_ad());
    random.fill(&mut key);
    let (mut one, mut reference) = (one.under(&key), reference.under(&key));
    let mut nonce = vec![0; one.nonce_len()];
    random.fill(&mut nonce);
    let mut msg = vec![0; bytes];
    random.fill(&mut msg);
    let mut tail = vec![0; one.tail_len(bytes)];
    let mut other = tail.clone();

    for ad in [&b""[..], b"twenty bytes of data"] {
        let (mut mine, mut theirs) = (msg.clone(), msg.clone());
        one.seal(&nonce, ad, &mut mine, &mut tail);
        reference.seal(&nonce, ad, &mut theirs, &mut other);
        ensure(tail == other && mine == theirs, &at("another ciphertext"))?;
        ensure(one.open(&nonce, ad, &mut mine, &tail) && mine == msg, &at("does not open"))?;

        if !authenticated {
            break;
        }
        for bit in [0, 4 * tail.len() - 1, 8 * tail.len() - 1] {
            let mut forged = tail.clone();
            forged[bit / 8] ^= 1 << (bit % 8);
            let mut buf = theirs.clone();
            ensure(!one.open(&nonce, ad, &mut buf, &forged), &at("accepts a forged tag"))?;
        }
        for place in [0, bytes / 2, bytes.saturating_sub(1)].iter().filter(|p| **p < bytes) {
            let mut buf = theirs.clone();
            buf[*place] ^= 0x10;
            ensure(!one.open(&nonce, ad, &mut buf, &tail), &at("accepts a forged message"))?;
        }
        if !takes_ad {
            break;
        }
        let mut buf = theirs.clone();
        ensure(!one.open(&nonce, b"other", &mut buf, &tail), &at("accepts forged data"))?;
    }

    let mut counter = CountingNonce::new(one.nonce_len(), 1);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..IN_A_ROW {
        let mut buf = msg.clone();
        one.seal_next(&mut counter, b"", &mut buf, &mut tail);
        let nonce = one.counted().unwrap_or_else(|| counter.current().to_vec());
        let opened = reference.open(&nonce, b"", &mut buf, &tail) && buf == msg;
        ensure(opened, &at("its counted nonces do not open"))?;
        ensure(seen.insert(nonce), &at("repeats a nonce"))?;
    }
    Ok(())
}

fn ensure(good: bool, otherwise: &str) -> Result<(), String> {
    if good { Ok(()) } else { Err(otherwise.into()) }
}

fn hex(digits: &str) -> Vec<u8> {
    (0..digits.len() / 2).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("hexadecimal")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Width;
    use crate::subjects::candidate::{Candidate, Tag};
    use crate::subjects::scheme::Scheme;

    const LENGTHS: [usize; 14] = [0, 1, 15, 16, 17, 44, 64, 127, 255, 256, 576, 1500, 4096, 4097];

    #[test]
    fn every_registered_implementation_is_right() {
        let mut all = crate::subjects::peers::implementations();
        #[cfg(feature = "in-c")]
        all.extend(crate::subjects::in_c::implementations());
        all.extend(crate::subjects::ours::implementations(&[]));
        all.extend(crate::subjects::archive::implementations(&[]));
        all.extend(crate::subjects::streams::implementations(&[]));
        for (one, result) in all.iter().zip(verify(&all, &LENGTHS)) {
            assert_eq!(result, Ok(()), "{} {}", one.scheme.name(one.key_bits), one.name);
        }
    }

    /// A known answer that named no scheme would check nothing.
    #[test]
    fn every_known_answer_is_a_schemes() {
        for known in known() {
            let scheme = Scheme::of(known.family);
            assert!(scheme.key_bits().any(|bits| 2 * scheme.key_len(bits) == known.key.len()), "{scheme:?}");
        }
    }

    /// Gives every message the same tag and takes any.
    struct Gullible;

    impl Candidate for Gullible {
        fn seal(&mut self, _nonce: &[u8], _ad: &[u8], _buf: &mut [u8]) -> Tag {
            [0; 16]
        }
        fn open(&mut self, _nonce: &[u8], _ad: &[u8], _buf: &mut [u8], _tag: &Tag) -> bool {
            true
        }
    }

    #[test]
    fn a_wrong_one_is_found() {
        let wrong = Implementation::new(Scheme::of("gcm"), 128, "gullible", Width::W128, |_| Gullible);
        assert_eq!(verify(&[wrong], &LENGTHS), [Err("wrong known answer".to_string())]);
    }

    #[test]
    fn a_panic_is_a_wrong_answer() {
        let wrong = Implementation::new(Scheme::of("gcm"), 128, "panics", Width::W128, |_| -> Gullible {
            panic!("as it must")
        });
        assert_eq!(verify(&[wrong], &LENGTHS), [Err("panics".to_string())]);
    }
}
