//! `combseal schemes`: what is there, on this machine.

mod streams;

use super::lines::{table, wrapped};
use combseal::{Algorithm, Cpu, Description, Limits};
use std::io::{self, Write};
use std::ops::RangeInclusive;

/// What to list.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Args {
    /// The archive's schemes instead, kept to be measured, and what became of each
    #[arg(long)]
    pub archive: bool,
}

/// Prints the schemes and the tiers.
///
/// # Errors
/// When `out` cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> io::Result<()> {
    if args.archive {
        return archive(out);
    }
    let head = ["scheme", "key", "nonce", "tag", "one message", "one key", "nonce reuse gives away"];
    let mut rows = vec![head.map(String::from)];
    let best = Cpu::detect();
    let all: Vec<&Description> = Algorithm::ALL.iter().map(|a| a.description()).collect();
    for it in &all {
        let (message, key) = limited(it.limits);
        rows.push([
            it.name.into(),
            it.key_len.to_string(),
            span(&it.nonce_lens),
            ranges(it.tag_lens),
            message,
            key,
            it.repeated_nonce.to_string(),
        ]);
    }
    table(out, &rows)?;
    wrapped(
        out,
        "",
        "\nLengths in bytes. In `hazmat`: AES-ECB, CTR, CBC, CFB, OFB, CMAC and CBC-MAC; OCB3 with any nonce and in the form of FSE 2011. Where they are defined:\n",
    )?;
    for same in all.chunk_by(|a, b| a.source == b.source) {
        let names: Vec<&str> = same.iter().map(|it| it.name).collect();
        wrapped(out, "  ", &format!("{}: {}", names.join(", "), same[0].source))?;
    }
    writeln!(out, "\nCPU tiers here (* is the one used):\n")?;
    for cpu in Cpu::all() {
        let star = if cpu == best { '*' } else { ' ' };
        writeln!(out, "{star} {:<9} {}", cpu.name(), cpu.description())?;
    }
    Ok(())
}

/// The archive's schemes.
fn archive(out: &mut impl Write) -> io::Result<()> {
    let mut rows = vec![["scheme", "key", "nonce", "tag", "status", "nonce reuse gives away"].map(String::from)];
    let all = combseal_archive::Scheme::ALL;
    for about in all.iter().map(|scheme| scheme.about()) {
        rows.push([
            about.name.into(),
            about.key_len.to_string(),
            about.nonce_len.to_string(),
            (about.tag_bits / 8).to_string(),
            about.status.to_string(),
            about.repeated_nonce.to_string(),
        ]);
    }
    rows.push(["COBRA", "", "", "", "not here", ""].map(String::from));
    table(out, &rows)?;
    wrapped(
        out,
        "",
        "\nNot for use: kept to be measured and studied. Lengths in bytes. Where they are from, and what became of them:\n",
    )?;
    let same = |a: &combseal_archive::Scheme, b: &combseal_archive::Scheme| {
        (a.about().source, a.about().history) == (b.about().source, b.about().history)
    };
    for family in all.chunk_by(same) {
        let (about, names) = (family[0].about(), family.iter().map(|scheme| scheme.about().name));
        wrapped(out, "", &format!("{}:", names.collect::<Vec<_>>().join(", ")))?;
        wrapped(out, "    ", &format!("{}.", about.source))?;
        wrapped(out, "    ", &format!("{}.", about.history))?;
    }
    wrapped(out, "", "COBRA:")?;
    wrapped(
        out,
        "    ",
        "Andreeva, Luykx, Mennink and Yasuda, FSE 2014; not built: we found neither code nor vectors, nor a text of its \
         specification that could be read.",
    )?;
    wrapped(
        out,
        "    ",
        "Forged with about as many queries as a block has bits (Nandi, ASIACRYPT 2014); the CAESAR candidate was \
         withdrawn.",
    )?;
    wrapped(
        out,
        "",
        "\nOTR-P hashes associated data in parallel, OTR-S serially. v1 to v3: versions of a CAESAR candidate. nonce8: \
         nonces of 8 bytes, of version 1 of CLOC and SILC alone, for which there are known answers. both-masks: the paper can be \
         read as E(X + H) + H too; McOE-G without that is E(X + H), which is what the tables of 2014 are compared with, and opens \
         in parallel. CBC's initial vectors must be such as nobody can foretell. OCB1 takes no associated data. Some \
         XOR: that of the blocks behind the common beginning. The first lines of each scheme's file, in \
         crates/combseal-archive/src/schemes, say more of it.",
    )?;
    let mut families: Vec<&str> = all.iter().map(|scheme| scheme.about().family).collect();
    families.dedup();
    wrapped(
        out,
        "",
        &format!("\n`combseal study --schemes` takes these, with commas between: {}.", families.join(", ")),
    )?;
    streams::list(out)
}

/// The limits of a message and of a key.
fn limited(limits: Limits) -> (String, String) {
    let messages = (limits.key_messages, "messages");
    let blocks = (limits.key_blocks, "blocks");
    // Where a message is a block at least, the smaller number is the limit.
    let (n, what) = if messages.0 < blocks.0 { messages } else { blocks };
    let key = if n >= 1 << 62 { "-".into() } else { format!("{} {what}", power(n)) };
    let message = if limits.message >= 1 << 60 { "-".into() } else { format!("{} bytes", power(limits.message)) };
    (message, key)
}

/// A number of the size of a limit, to the next power of two.
fn power(n: u64) -> String {
    match n.checked_next_power_of_two() {
        Some(p) if p == n => format!("2^{}", p.trailing_zeros()),
        Some(p) => format!("< 2^{}", p.trailing_zeros()),
        None => "2^64".into(),
    }
}

/// Lengths from one to another.
fn span(lens: &RangeInclusive<usize>) -> String {
    match (*lens.start(), *lens.end()) {
        (0, n) if n >= u32::MAX as usize => "any".into(),
        (least, n) if n >= u32::MAX as usize => format!("{least} and more"),
        (least, most) if least == most => least.to_string(),
        (least, most) => format!("{least}-{most}"),
    }
}

/// Numbers, rising, with hyphens for what is without a gap.
fn ranges(numbers: &[usize]) -> String {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let mut parts: Vec<String> = Vec::new();
    for run in sorted.chunk_by(|a, b| a + 1 == *b) {
        parts.push(match run {
            [first, .., last] => format!("{first}-{last}"),
            one => one[0].to_string(),
        });
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::lines::LINE;

    #[test]
    fn the_library_fits_a_terminal() {
        let mut out = Vec::new();
        run(&Args { archive: false }, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for scheme in Algorithm::ALL {
            assert!(words.contains(scheme.name()) && words.contains(scheme.description().source), "{scheme}");
        }
        for line in text.lines() {
            assert!(line.chars().count() <= 120, "{line}");
        }
    }

    /// Every scheme, and no line that a terminal would break.
    #[test]
    fn the_archive_fits_a_terminal() {
        let mut out = Vec::new();
        archive(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for scheme in combseal_archive::Scheme::ALL {
            let row = text.lines().find(|line| line.starts_with(&format!("{} ", scheme.about().name))).unwrap();
            assert!(row.ends_with(&scheme.about().repeated_nonce.to_string()), "{row}");
        }
        for line in text.lines() {
            assert!(line.chars().count() <= LINE, "{line}");
        }
    }
}
