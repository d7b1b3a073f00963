//! `combseal limits`: how much may be sealed under one key.

use super::amount::{amount, probability, written};
use super::lines::wrapped;
use super::nearest::instead;
use super::{OK, columns};
use combseal::Algorithm;
use combseal_lab::answers::bounds::{self, Bound, Use};
use std::io::{self, Write};

/// What the key is used for.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The scheme, as `combseal schemes` names it
    #[arg(value_parser = algorithm)]
    pub scheme: Algorithm,
    /// Bytes in a message
    #[arg(long, value_name = "N", value_parser = amount)]
    pub message_bytes: f64,
    /// Messages sealed under the key: 1000000, 1e9, 2^32
    #[arg(long, value_name = "N", value_parser = some)]
    pub messages: f64,
    /// Bytes of associated data with each message
    #[arg(long, value_name = "N", default_value = "0", value_parser = amount)]
    pub ad_bytes: f64,
    /// Forgeries that an adversary may try
    #[arg(long, value_name = "N", default_value = "1", value_parser = amount)]
    pub attempts: f64,
    /// Bytes in a tag [default: the scheme's usual ones]
    #[arg(long, value_name = "N")]
    pub tag_bytes: Option<usize>,
    /// The adversary's advantage that you accept, a probability: how many messages it allows is printed
    #[arg(long, value_name = "P", default_value = "2^-32", value_parser = probability)]
    pub advantage: f64,
}

fn algorithm(name: &str) -> Result<Algorithm, String> {
    let known = || Algorithm::ALL.iter().map(|a| a.name());
    let by_name = Algorithm::by_name(name)
        .or_else(|| Algorithm::ALL.iter().copied().find(|a| a.name().eq_ignore_ascii_case(name)));
    by_name.ok_or_else(|| format!("no such scheme; {}", instead(name, known(), "`combseal schemes`")))
}

/// A number of messages: a bound for none is a bound for nothing.
fn some(text: &str) -> Result<f64, String> {
    let number = amount(text)?;
    if number < 1.0 { Err("at least one message".into()) } else { Ok(number) }
}

/// What a symbol of the formulas means, in the order in which they are explained.
const SYMBOLS: [(&str, &str); 6] = [
    ("σ", "σ: 16-byte blocks of all messages, attempts and their associated data"),
    ("ℓ", "ℓ: 16-byte blocks of the longest message with its associated data"),
    ("q_d", "q_d: forgery attempts"),
    ("q", "q: messages and attempts"),
    ("τ", "τ: bits of a tag"),
    ("c", "c: calls of the cipher"),
];

/// The symbols that stand in these formulas, explained.
fn symbols(formulas: &[&str]) -> String {
    let stands = |symbol: &str| {
        formulas.iter().any(|formula| {
            // An exponent is a number to Unicode, and no part of the symbol.
            let words = |c: char| c == '²' || !(c.is_alphanumeric() || c == '_');
            formula
                .split(words)
                .any(|word| word == symbol || word.trim_start_matches(|c: char| c.is_ascii_digit()) == symbol)
        })
    };
    let used: Vec<&str> = SYMBOLS.iter().filter(|(symbol, _)| stands(symbol)).map(|(_, meaning)| *meaning).collect();
    used.join("; ")
}

/// Runs the command and returns the exit code.
///
/// # Errors
/// When `out` cannot be written, or when the tag or a message has a length that the scheme does
/// not allow.
pub fn run(args: &Args, out: &mut impl Write) -> io::Result<u8> {
    let scheme = args.scheme;
    let wrong = |what: String| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    let tag = args.tag_bytes.unwrap_or(scheme.tag_lens()[0]);
    if let Some(why) = no_such_tag(scheme, tag) {
        return wrong(why);
    }
    let limits = bounds::ceilings(scheme);
    if args.message_bytes > limits.message as f64 {
        return wrong(format!("{} takes messages of at most {} bytes", scheme.name(), limits.message));
    }
    let used = Use {
        message_bytes: args.message_bytes as u64,
        ad_bytes: args.ad_bytes as u64,
        messages: args.messages,
        attempts: args.attempts,
        tag_bits: 8 * tag as u32,
    };
    let bound = bounds::bound(scheme, &used);
    writeln!(
        out,
        "{}: {} messages of {} bytes ({} in all), forgery attempts: {}, {tag}-byte tags\n",
        scheme.name(),
        written(used.messages),
        written(used.message_bytes as f64),
        bytes(used.messages * used.message_bytes as f64),
        written(used.attempts),
    )?;
    let proven = if bound.proven { "Advantage, at most" } else { "Advantage, as claimed" };
    let mut rows = vec![[proven.to_string(), power(bound.advantage()), String::new()]];
    rows.extend(bound.terms.iter().map(|t| {
        let (value, about) = if t.advantage > 1.0 {
            ("1".into(), format!("{}; above 1, where the bound says nothing", t.about))
        } else {
            (power(t.advantage), t.about.to_string())
        };
        [format!("  {}", t.formula), value, about]
    }));
    columns(out, &rows)?;
    wrapped(out, "  ", bound.source)?;
    if let Some(note) = bound.note {
        wrapped(out, "  ", note)?;
    }

    let formulas: Vec<&str> = bound.terms.iter().map(|t| t.formula).collect();
    let symbols = symbols(&formulas);
    let meaning = "The advantage is by how much an adversary does better than who guesses, beyond what breaking the cipher itself would give.";
    writeln!(out)?;
    wrapped(out, "  ", &format!("{meaning} {symbols}."))?;

    let (accepted, limits_key) = (power(args.advantage), most_by_standard(limits, &used));
    let total = |most: f64| bytes(most * used.message_bytes as f64);
    match bounds::most_messages(scheme, &used, args.advantage) {
        Some(most) if most > limits_key => wrapped(
            out,
            "",
            &format!(
                "\nFor {accepted}: at most {} messages of this length, {}, which is all that is allowed; the bound would reach to {}",
                count(limits_key),
                total(limits_key),
                count(most)
            ),
        )?,
        Some(most) => {
            writeln!(out, "\nFor {accepted}: at most {} messages of this length, {}", count(most), total(most))?
        }
        None if bounds::bound(scheme, &Use { messages: 0.0, ..used }).advantage() > args.advantage => {
            let attempts = bounds::bound(scheme, &Use { messages: 0.0, ..used });
            wrapped(out, "", &format!("\nFor {accepted}: none; {}", none_fit(scheme, tag, &attempts)))?
        }
        None if limits_key < f64::INFINITY => wrapped(
            out,
            "",
            &format!(
                "\nFor {accepted}: at most {} messages of this length, which is all that is allowed; the bound does not depend on it",
                count(limits_key)
            ),
        )?,
        None => writeln!(out, "\nFor {accepted}: any number of messages; the bound does not depend on it")?,
    }
    let mut allowed = vec![format!("messages of {}", bytes(limits.message as f64))];
    if limits.key_messages < u64::MAX {
        allowed.push(format!("{} messages a key", count(limits.key_messages as f64)));
    }
    if limits.key_blocks < u64::MAX {
        allowed.push(format!("{} blocks a key", count(limits.key_blocks as f64)));
    }
    writeln!(out, "\nAllowed in any case: {}", allowed.join(", "))?;
    wrapped(out, "  ", bounds::ceilings_source(scheme))?;
    if used.messages > limits_key {
        writeln!(out, "  What you ask for is more: `Sealer` stops there. Change keys in time.")?;
    }
    Ok(OK)
}

/// Why there is no such tag: those that `combseal schemes` lists are for use, and shorter ones have to be
/// asked for in code.
fn no_such_tag(scheme: Algorithm, tag: usize) -> Option<String> {
    let written = |lens: &[usize]| lens.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let (usual, name) = (scheme.tag_lens(), scheme.name());
    if usual.contains(&tag) {
        return None;
    }
    let what = format!("{name} has tags of {} bytes, not of {tag}", written(usual));
    let is_short = scheme.short_tag_lens().contains(&tag);
    Some(if is_short {
        format!("{what}, which its specification has and which is too short to be for use")
    } else {
        what
    })
}

/// Which term of the bound the attempts alone make too large, and what helps against it.
fn none_fit(scheme: Algorithm, tag: usize, attempts: &Bound) -> String {
    let Some(largest) = attempts.terms.iter().max_by(|a, b| a.advantage.total_cmp(&b.advantage)) else {
        return "the attempts alone exceed it.".into();
    };
    let longer = largest.formula.contains('τ') && scheme.tag_lens().iter().any(|len| *len > tag);
    let help = match (largest.formula.contains('τ'), longer) {
        (true, true) => "Longer tags or fewer attempts help.",
        (true, false) => "Fewer attempts help; there is no longer tag.",
        (false, _) => "Fewer attempts or shorter messages help; a longer tag would not.",
    };
    let value = power(largest.advantage.min(1.0));
    format!("the attempts alone exceed it, by the term {}, which is {value} for them. {help}", largest.formula)
}

/// How many messages as these a key may seal, whatever is proven; infinite where nothing limits them.
fn most_by_standard(limits: combseal::Limits, used: &Use) -> f64 {
    let blocks = (used.message_bytes.div_ceil(16) + used.ad_bytes.div_ceil(16)) as f64;
    let count = |limit: u64| if limit == u64::MAX { f64::INFINITY } else { limit as f64 };
    let by_blocks = if blocks > 0.0 { count(limits.key_blocks) / blocks } else { f64::INFINITY };
    count(limits.key_messages).min(by_blocks.floor())
}

/// What was computed: exactly while that is short, else as a power of two.
fn count(n: f64) -> String {
    if n < 1e6 { written(n) } else { power(n) }
}

/// `2^-53.1`.
fn power(p: f64) -> String {
    if p == 0.0 {
        return "0".into();
    }
    let log = p.log2();
    if log == 0.0 {
        return "1".into();
    }
    if log == log.round() { format!("2^{log:.0}") } else { format!("2^{log:.1}") }
}

/// An amount of data in the unit that suits it.
fn bytes(n: f64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
    let step = if n < 1000.0 { 0 } else { ((n.log10() / 3.0) as usize).min(units.len() - 1) };
    let scaled = n / 1000f64.powi(step as i32);
    if scaled >= 1000.0 { format!("{} bytes", power(n)) } else { format!("{} {}", short(scaled), units[step]) }
}

/// Three digits.
fn short(n: f64) -> f64 {
    let scale = 10f64.powi(2 - n.max(1.0).log10() as i32);
    (n * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        assert_eq!([power(0.0), power(0.25), power(3.0)], ["0", "2^-2", "2^1.6"]);
        assert_eq!([count(12.0), count(f64::exp2(40.0))], ["12", "2^40"]);
        assert_eq!([bytes(12.0), bytes(6.442e12), bytes(1e30)], ["12 bytes", "6.44 TB", "2^99.7 bytes"]);
    }

    #[test]
    fn every_symbol_is_explained() {
        for &algorithm in Algorithm::ALL {
            let used = Use { message_bytes: 64, ad_bytes: 0, messages: 9.0, attempts: 1.0, tag_bits: 128 };
            let bound = bounds::bound(algorithm, &used);
            let formulas: Vec<&str> = bound.terms.iter().map(|t| t.formula).collect();
            let said = symbols(&formulas);
            for symbol in ["σ", "ℓ", "q_d", "τ"] {
                assert_eq!(said.contains(symbol), formulas.iter().any(|f| f.contains(symbol)), "{algorithm}: {said}");
            }
        }
        assert_eq!(symbols(&["1.1 q_d / 2^τ"]), "q_d: forgery attempts; τ: bits of a tag");
        assert!(symbols(&["c² / 2^128"]).contains("c: calls"));
        assert!(symbols(&["6 (σ + 2q)² / 2^128"]).contains("q: messages"));
    }

    #[test]
    fn what_is_allowed_is_never_exceeded() {
        let used = Use { message_bytes: 1500, ad_bytes: 0, messages: 0.0, attempts: 1.0, tag_bits: 128 };
        for &algorithm in Algorithm::ALL {
            let limits = bounds::ceilings(algorithm);
            let most = most_by_standard(limits, &used);
            // 94 blocks a message.
            for (limit, used) in [(limits.key_messages, most), (limits.key_blocks, most * 94.0)] {
                assert!(limit == u64::MAX || used <= limit as f64, "{algorithm}");
            }
        }
    }

    /// Longer tags are advised where they help, and where the scheme has them.
    #[test]
    fn what_helps_is_of_the_largest_term() {
        let used = |message_bytes, attempts: f64, tag_bits| Use {
            message_bytes,
            ad_bytes: 0,
            messages: 0.0,
            attempts,
            tag_bits,
        };
        let said = |algorithm, tag: usize, bytes, attempts: f64| {
            none_fit(algorithm, tag, &bounds::bound(algorithm, &used(bytes, attempts, 8 * tag as u32)))
        };
        let blocks = said(Algorithm::Ocb3Aes128, 16, 16384, f64::exp2(40.0));
        assert!(blocks.contains("6 (σ + 2q)² / 2^128") && blocks.contains("a longer tag would not"), "{blocks}");
        let short = said(Algorithm::Ocb3Aes128, 8, 16, f64::exp2(40.0));
        assert!(short.contains("1.1 q_d / 2^τ") && short.contains("Longer tags"), "{short}");
        let longest = said(Algorithm::GcmAes128, 16, 16, f64::exp2(126.0));
        assert!(!longest.contains("Longer tags"), "{longest}");
    }

    #[test]
    fn tags_are_those_that_are_listed() {
        for &algorithm in Algorithm::ALL {
            for tag in 0..64 {
                assert_eq!(no_such_tag(algorithm, tag).is_none(), algorithm.tag_lens().contains(&tag), "{algorithm}");
            }
        }
        assert!(no_such_tag(Algorithm::Ocb3Aes128, 3).unwrap().contains("too short"));
    }

    #[test]
    fn an_unknown_scheme_has_neighbours() {
        assert!(algorithm("ocb3").unwrap_err().contains("did you mean OCB3-AES-128"));
        assert!(algorithm("DES").unwrap_err().len() < 60);
        assert!(algorithm("aes-128-gcm").is_ok());
    }
}
