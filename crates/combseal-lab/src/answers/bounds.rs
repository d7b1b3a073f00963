//! The proven bounds as numbers: what an adversary can gain, at most, from so many messages
//! under one key, beyond what breaking the cipher itself would give.
//!
//! An advantage is a probability. All formulas are for 128-bit blocks (n = 128) and for nonces that
//! never repeat. σ counts the blocks of all messages and their associated data; q counts messages
//! and forgery attempts together, and q_d the attempts alone; τ is the number of bits in a tag; ℓ is
//! the number of blocks in the longest message with its associated data.

use combseal::{Algorithm, Limits};

/// What one key is used for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Use {
    /// Bytes in a message.
    pub message_bytes: u64,
    /// Bytes of associated data with each.
    pub ad_bytes: u64,
    /// Messages sealed.
    pub messages: f64,
    /// Forgeries that an adversary may try, each as long as a message.
    pub attempts: f64,
    /// Bits in a tag.
    pub tag_bits: u32,
}

impl Use {
    fn message_blocks(&self) -> f64 {
        self.message_bytes.div_ceil(16) as f64
    }

    fn ad_blocks(&self) -> f64 {
        self.ad_bytes.div_ceil(16) as f64
    }

    /// ℓ.
    fn blocks(&self) -> f64 {
        self.message_blocks() + self.ad_blocks()
    }

    /// q: messages and attempts.
    fn queries(&self) -> f64 {
        self.messages + self.attempts
    }

    /// σ: blocks of all queries.
    fn sigma(&self) -> f64 {
        self.blocks() * self.queries()
    }

    /// q_d / 2^τ.
    fn guesses(&self) -> f64 {
        self.attempts / f64::from(self.tag_bits).exp2()
    }
}

/// One summand of a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What it is about: telling ciphertext from random bits, or forging.
    pub about: &'static str,
    /// The formula.
    pub formula: &'static str,
    /// Its value for some use.
    pub advantage: f64,
}

/// A bound: the sum of its terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The summands.
    pub terms: Vec<Term>,
    /// Author, year, theorem.
    pub source: &'static str,
    /// What to know about it.
    pub note: Option<&'static str>,
    /// Proven under a standard assumption on the cipher, rather than claimed by its designers.
    pub proven: bool,
}

impl Bound {
    /// The sum, at most 1.
    pub fn advantage(&self) -> f64 {
        self.terms.iter().map(|t| t.advantage).sum::<f64>().min(1.0)
    }
}

/// 2^e.
fn two(e: i32) -> f64 {
    f64::from(e).exp2()
}

const BOTH: &str = "privacy and forgery";
const PRIVACY: &str = "privacy";
const FORGERY: &str = "forgery";

/// The published bound of a scheme for some use of one key.
pub fn bound(algorithm: Algorithm, u: &Use) -> Bound {
    use Algorithm::*;
    let term = |about, formula, advantage| Term { about, formula, advantage };
    match algorithm {
        Ocb3Aes128 | Ocb3Aes192 | Ocb3Aes256 => Bound {
            terms: vec![
                term(BOTH, "6 (σ + 2q)² / 2^128", 6.0 * (u.sigma() + 2.0 * u.queries()).powi(2) / two(128)),
                term(FORGERY, "1.1 q_d / 2^τ", 1.1 * u.guesses()),
            ],
            source: "Krovetz and Rogaway 2021, Theorem 1",
            note: None,
            proven: true,
        },
        GcmAes128 | GcmAes192 | GcmAes256 => Bound {
            terms: vec![
                term(PRIVACY, "(σ + q + 1)² / 2^129", (u.blocks() * u.messages + u.messages + 1.0).powi(2) / two(129)),
                term(FORGERY, "(σ + q + q_d + 1)² / 2^129", (u.sigma() + u.queries() + 1.0).powi(2) / two(129)),
                term(FORGERY, "q_d (ℓ + 1) / 2^τ", (u.blocks() + 1.0) * u.guesses()),
            ],
            source: "Iwata, Ohashi and Minematsu 2012, Corollaries 3 and 4",
            note: Some("For 12-byte nonces. A forgery that succeeds gives the hash key away, and with it all others."),
            proven: true,
        },
        CcmAes128 | CcmAes192 | CcmAes256 => {
            // Message blocks once for CBC-MAC and once for CTR; B0 and the tag's pad.
            let calls = u.ad_blocks() + 2.0 * u.message_blocks() + 2.0;
            Bound {
                terms: vec![
                    term(PRIVACY, "c² / 2^128", (calls * u.messages).powi(2) / two(128)),
                    term(FORGERY, "c² / 2^128", (calls * u.queries()).powi(2) / two(128)),
                    term(FORGERY, "q_d / 2^τ", u.guesses()),
                ],
                source: "Jonsson 2002, Theorems 1 and 2, as in draft-irtf-cfrg-aead-limits",
                note: Some(
                    "c counts calls of the cipher: two a message block, one a block of associated data, two a message.",
                ),
                proven: true,
            }
        }
        EaxAes128 | EaxAes192 | EaxAes256 => {
            // The nonce is a block.
            let sigma = u.sigma() + u.queries();
            Bound {
                terms: vec![
                    term(PRIVACY, "9.5 σ² / 2^128", 9.5 * sigma.powi(2) / two(128)),
                    term(FORGERY, "11 σ² / 2^128, an attempt", 11.0 * sigma.powi(2) / two(128) * u.attempts),
                    term(FORGERY, "q_d / 2^τ", u.guesses()),
                ],
                source: "Bellare, Rogaway and Wagner 2004, Theorems 1 and 2",
                note: Some(
                    "The proof is for one attempt, and several are summed up; Minematsu, Lucks and Iwata (2013) prove that they need not be.",
                ),
                proven: true,
            }
        }
        SivAes128 | SivAes192 | SivAes256 => {
            let sigma = u.sigma() + 2.0 * u.queries();
            Bound {
                terms: vec![
                    term(BOTH, "CMAC as a PRF: (4 σ² + 1) / 2^128", (4.0 * sigma.powi(2) + 1.0) / two(128)),
                    term(PRIVACY, "CTR from a random start: 4.5 σ² / 2^128", 4.5 * sigma.powi(2) / two(128)),
                    term(FORGERY, "q_d / 2^128", u.attempts / two(128)),
                ],
                source: "Rogaway and Shrimpton 2006, Theorem 2; Iwata and Kurosawa 2003 for CMAC",
                note: Some("Our sum of published parts. Holds when nonces repeat, too."),
                proven: true,
            }
        }
        GcmSivAes128 | GcmSivAes256 => {
            let calls = if algorithm == GcmSivAes256 { 6.0 } else { 4.0 };
            let one = u.blocks() + 2.0;
            Bound {
                terms: vec![
                    term(BOTH, "keys of nonces: 6 q / 2^96 at most", calls * u.queries() / two(96)),
                    term(BOTH, "each key's (ℓ + 2)² / 2^128, q times", u.queries() * one.powi(2) / two(128)),
                    term(FORGERY, "q_d (ℓ + 1) / 2^127", u.attempts * (u.blocks() + 1.0) / two(127)),
                ],
                source: "Gueron and Lindell 2017 (keys of nonces), 2015 (GCM-SIV)",
                note: Some(
                    "Our sum of published parts, for nonces that do not repeat: then each message has a key of its own, and long messages count more than many.",
                ),
                proven: true,
            }
        }
        ChaCha20Poly1305 | XChaCha20Poly1305 => Bound {
            terms: vec![term(FORGERY, "q_d (ℓ + 1) / 2^103", u.attempts * (u.blocks() + 1.0) / two(103))],
            source: "Procter 2014; Bernstein 2005, Theorem 3.3; draft-irtf-cfrg-aead-limits",
            note: Some("The number of messages does not enter; ChaCha20 is taken as a pseudorandom function."),
            proven: true,
        },
        // No published bound is known here: of a scheme that is added later, what it says itself.
        _ if !is_aegis(algorithm) => Bound {
            terms: vec![term(FORGERY, "q_d / 2^τ", u.guesses())],
            source: algorithm.description().source,
            note: Some("Guessing alone: the laboratory has no bound of this scheme."),
            proven: false,
        },
        _ => Bound {
            terms: vec![term(FORGERY, "q_d / 2^τ", u.guesses())],
            source: "Wu and Preneel 2016; draft-irtf-cfrg-aegis-aead",
            note: Some("Claimed by the designers, not proven: no reduction to the AES is known."),
            proven: false,
        },
    }
}

fn is_aegis(algorithm: Algorithm) -> bool {
    algorithm.description().family.starts_with("aegis")
}

/// The most messages for which the bound stays within `advantage`, everything else of `u` being
/// the same. `None` if the attempts alone exceed it, or if no number of messages does.
pub fn most_messages(algorithm: Algorithm, u: &Use, advantage: f64) -> Option<f64> {
    let at = |messages| bound(algorithm, &Use { messages, ..*u }).advantage();
    if at(0.0) > advantage || at(two(128)) <= advantage {
        return None;
    }
    let (mut low, mut high) = (-1.0, 128.0);
    for _ in 0..200 {
        let mid = (low + high) / 2.0;
        if at(f64::exp2(mid)) <= advantage { low = mid } else { high = mid }
    }
    Some(low.exp2().floor())
}

/// What the standards allow, whatever is proven: the library's own limits, which `Sealer` keeps.
pub fn ceilings(algorithm: Algorithm) -> Limits {
    algorithm.description().limits
}

/// Where the ceilings of a scheme are written, and which of them are the library's own.
pub fn ceilings_source(algorithm: Algorithm) -> &'static str {
    algorithm.description().limits_source
}

#[cfg(test)]
mod tests {
    use super::*;
    use Algorithm::*;

    fn packets(messages: f64, attempts: f64) -> Use {
        Use { message_bytes: 1500, ad_bytes: 0, messages, attempts, tag_bits: 128 }
    }

    fn log(x: f64) -> f64 {
        x.log2()
    }

    #[test]
    fn theorem_1_of_2021() {
        // One query of a block: 6 (1 + 2)² = 54.
        let one = Use { message_bytes: 16, ad_bytes: 0, messages: 1.0, attempts: 0.0, tag_bits: 64 };
        assert_eq!(bound(Ocb3Aes128, &one).advantage(), 54.0 / two(128));
        // 2^32 attempts at 64-bit tags.
        let tries = Use { messages: 0.0, attempts: two(32), message_bytes: 0, ..one };
        let terms = bound(Ocb3Aes128, &tries).terms;
        assert_eq!(terms[0].advantage, 6.0 * two(66) / two(128));
        assert_eq!(terms[1].advantage, 1.1 / two(32));
    }

    /// The RFC's 2^48 blocks, in long messages, leave 2^-29.4.
    #[test]
    fn the_ceiling_of_rfc_7253() {
        let long = Use { message_bytes: 1 << 40, ad_bytes: 0, messages: two(12), attempts: 0.0, tag_bits: 128 };
        assert!((log(bound(Ocb3Aes128, &long).advantage()) + 29.4).abs() < 0.1);
        assert_eq!(ceilings(Ocb3Aes128).key_blocks, 1 << 48);
    }

    /// The example of draft-irtf-cfrg-aead-limits: 2^7 blocks, an advantage of 2^-50.
    #[test]
    fn the_drafts_example() {
        let u = Use { message_bytes: 2048, ad_bytes: 0, messages: 0.0, attempts: 0.0, tag_bits: 128 };
        let most = |algorithm| log(most_messages(algorithm, &u, two(-50)).unwrap());
        // Ours sums privacy and forgery: half a bit less than its 32.5.
        assert!((most(GcmAes128) - 32.0).abs() < 0.1, "{}", most(GcmAes128));
        assert!((most(CcmAes128) - 30.5).abs() < 0.1, "{}", most(CcmAes128));
        assert_eq!(most_messages(ChaCha20Poly1305, &u, two(-50)), None);
        let forged = Use { attempts: two(46), ..u };
        let chacha = bound(ChaCha20Poly1305, &forged).advantage();
        assert!((log(chacha) + 50.0).abs() < 0.02, "{}", log(chacha));
    }

    #[test]
    fn the_most_messages_are_the_most() {
        for &algorithm in Algorithm::ALL {
            let u = packets(0.0, 3.0);
            let Some(most) = most_messages(algorithm, &u, two(-32)) else { continue };
            assert!(bound(algorithm, &packets(most, 3.0)).advantage() <= two(-32), "{}", algorithm.name());
            assert!(bound(algorithm, &packets(most * 1.001 + 1.0, 3.0)).advantage() > two(-32), "{}", algorithm.name());
        }
        // Guessing alone is too much.
        let short = Use { tag_bits: 8, ..packets(0.0, 100.0) };
        assert_eq!(most_messages(Ocb3Aes128, &short, two(-32)), None);
    }

    #[test]
    fn bounds_are_probabilities() {
        for &algorithm in Algorithm::ALL {
            assert_eq!(bound(algorithm, &packets(two(100), two(120))).advantage().max(1.0), 1.0);
            assert!(!ceilings_source(algorithm).is_empty());
        }
    }
}
