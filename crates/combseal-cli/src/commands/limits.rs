//! `combseal limits`: how much may be sealed under one key.

use super::{OK, columns};
use combseal::Algorithm;
use combseal_lab::answers::bounds::{self, Use};
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
    #[arg(long, value_name = "N", value_parser = amount)]
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
    /// The adversary's advantage that you accept: how many messages it allows is printed
    #[arg(long, value_name = "P", default_value = "2^-32", value_parser = amount)]
    pub advantage: f64,
}

fn algorithm(name: &str) -> Result<Algorithm, String> {
    Algorithm::by_name(name).ok_or_else(|| {
        let names: Vec<_> = Algorithm::ALL.iter().map(|a| a.name()).collect();
        format!("no such scheme; there are {}", names.join(", "))
    })
}

/// A number as people write large and small ones: `1500`, `1_000_000`, `1e9`, `2^32`, `2^-32`.
fn amount(text: &str) -> Result<f64, String> {
    let plain = text.replace(['_', ','], "");
    let number = match plain.split_once('^') {
        Some((base, exponent)) => match (base.parse::<f64>(), exponent.parse::<f64>()) {
            (Ok(b), Ok(e)) => Some(b.powf(e)),
            _ => None,
        },
        None => plain.parse().ok(),
    };
    number.filter(|n| n.is_finite() && *n >= 0.0).ok_or("write it as 1500, 1e9, 2^32 or 2^-32".into())
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
    let tags = [scheme.tag_lens(), scheme.short_tag_lens()].concat();
    if !tags.contains(&tag) {
        return wrong(format!("{} has tags of {tags:?} bytes, not of {tag}", scheme.name()));
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
        number(used.messages),
        used.message_bytes,
        bytes(used.messages * used.message_bytes as f64),
        number(used.attempts),
    )?;
    let proven = if bound.proven { "Advantage, at most" } else { "Advantage, as claimed" };
    let mut rows = vec![[proven.to_string(), power(bound.advantage()), String::new()]];
    rows.extend(bound.terms.iter().map(|t| [format!("  {}", t.formula), power(t.advantage), t.about.into()]));
    columns(out, &rows)?;
    writeln!(out, "  {}", bound.source)?;
    if let Some(note) = bound.note {
        writeln!(out, "  {note}")?;
    }

    let accepted = power(args.advantage);
    match bounds::most_messages(scheme, &used, args.advantage) {
        Some(most) => writeln!(
            out,
            "\nFor {accepted}: at most {} messages of this length, {}",
            number(most),
            bytes(most * used.message_bytes as f64)
        )?,
        None if bounds::bound(scheme, &Use { messages: 0.0, ..used }).advantage() > args.advantage => {
            writeln!(out, "\nFor {accepted}: none; the attempts alone exceed it. Longer tags or fewer attempts help.")?
        }
        None => writeln!(out, "\nFor {accepted}: any number of messages; the bound does not depend on it")?,
    }
    let mut allowed = vec![format!("messages of {}", bytes(limits.message as f64))];
    if limits.key_messages < u64::MAX {
        allowed.push(format!("{} messages a key", number(limits.key_messages as f64)));
    }
    if limits.key_blocks < u64::MAX {
        allowed.push(format!("{} blocks a key", number(limits.key_blocks as f64)));
    }
    writeln!(out, "\nAllowed in any case: {}\n  {}", allowed.join(", "), bounds::ceilings_source(scheme))?;
    let blocks = (used.message_bytes.div_ceil(16) + used.ad_bytes.div_ceil(16)) as f64 * used.messages;
    if used.messages > limits.key_messages as f64 || blocks > limits.key_blocks as f64 {
        writeln!(out, "  What you ask for is more: `Sealer` stops there. Change keys in time.")?;
    }
    Ok(OK)
}

/// A count: exactly while that is short, else as a power of two.
fn number(n: f64) -> String {
    if n < 1e6 { format!("{n}") } else { power(n) }
}

/// `2^-53.1`.
fn power(p: f64) -> String {
    if p == 0.0 {
        return "0".into();
    }
    let log = p.log2();
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
        for (text, value) in
            [("1500", 1500.0), ("1_000", 1000.0), ("1e9", 1e9), ("2^32", 4294967296.0), ("2^-3", 0.125)]
        {
            assert_eq!(amount(text), Ok(value));
        }
        for text in ["", "x", "2^", "-1", "inf", "1^x"] {
            assert!(amount(text).is_err(), "{text}");
        }
        assert_eq!([power(0.0), power(0.25), power(3.0)], ["0", "2^-2", "2^1.6"]);
        assert_eq!([number(12.0), number(f64::exp2(40.0))], ["12", "2^40"]);
        assert_eq!([bytes(12.0), bytes(6.442e12), bytes(1e30)], ["12 bytes", "6.44 TB", "2^99.7 bytes"]);
    }
}
