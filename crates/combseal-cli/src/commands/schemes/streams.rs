//! The archive's stream ciphers, and what authenticates with them.

use crate::commands::lines::{table, wrapped};
use combseal_archive::streams::about::About;
use combseal_archive::streams::named::{StreamCipher, StreamSystem};
use combseal_archive::streams::registry::{CIPHERS, SYSTEMS};
use std::io::{self, Write};

/// What a cipher and a system with an authenticator of its own have in common: a row for each
/// tuning.
fn rows() -> impl Iterator<Item = (&'static str, &'static About)> {
    let own = SYSTEMS.iter().filter(|system| !system.has_poly1305());
    let ciphers = CIPHERS.iter().map(|cipher: &StreamCipher| (cipher.about().name, cipher.about()));
    ciphers.chain(own.map(|system: &StreamSystem| (system.name(), system.about())))
}

/// The ciphers that have kernels for many messages side by side, and how those do it.
fn lanes() -> impl Iterator<Item = (&'static str, String)> {
    // One row a cipher: its tunings, which stand together, have one such kernel.
    let mut before = "";
    CIPHERS.iter().filter_map(move |cipher| {
        let (name, (group, how)) = (cipher.about().name, cipher.lanes()?);
        (std::mem::replace(&mut before, name) != name).then(|| (name, format!("{group} messages: {how}")))
    })
}

/// Prints all of them, and what became of each.
///
/// # Errors
/// When `out` cannot be written.
pub(super) fn list(out: &mut impl Write) -> io::Result<()> {
    wrapped(
        out,
        "",
        "\nStream ciphers, and those of Bernstein's comparison of 2007. Each of them makes a system with \
         Poly1305, as in hc-128-poly1305; those with ae in their names and Phelix authenticate by themselves:\n",
    )?;
    let head = ["cipher", "key", "nonce", "tuning", "constant-time", "status"].map(String::from);
    let mut before = "";
    let row = |(name, about): (&'static str, &'static About)| {
        let is_new = std::mem::replace(&mut before, name) != name;
        let first = |text: String| if is_new { text } else { String::new() };
        [
            first(name.into()),
            first(numbers(about.key_lens)),
            first(numbers(about.nonce_lens)),
            about.tuning.into(),
            if about.constant_time { "yes" } else { "no" }.into(),
            first(about.status.to_string()),
        ]
    };
    let rows_of_all: Vec<[String; 6]> = std::iter::once(head).chain(rows().map(row)).collect();
    table(out, &rows_of_all)?;
    wrapped(out, "", "\nMany messages side by side, each under its own key and nonce:\n")?;
    let heads = ["cipher", "messages together, and how"].map(String::from);
    let together = lanes().map(|(name, how)| [name.into(), how]);
    table(out, &std::iter::once(heads).chain(together).collect::<Vec<[String; 2]>>())?;
    wrapped(
        out,
        "",
        "\nThese are constant-time where one message at a time is, and SNOW 2.0 and SOSEMANUK too where registers hold their tables \
         (AVX2 and wider).\n",
    )?;
    wrapped(
        out,
        "",
        "\nConstant-time: no table is looked up by what is secret, and no time depends on it. Where the paper has the cipher, \
         its usual lengths are the first. Where they are from, and what became of them:\n",
    )?;
    let mut all: Vec<(Vec<&str>, &About)> = Vec::new();
    for (name, about) in rows() {
        match all.iter_mut().find(|(_, other)| (other.source, other.history) == (about.source, about.history)) {
            Some((names, _)) if names.contains(&name) => {}
            Some((names, _)) => names.push(name),
            None => all.push((vec![name], about)),
        }
    }
    for (names, about) in all {
        wrapped(out, "", &format!("{}:", names.join(", ")))?;
        wrapped(out, "    ", &format!("{}.", about.source))?;
        wrapped(out, "    ", &format!("{}.", about.history))?;
        if !about.confirmed {
            wrapped(out, "    ", "Known from one code alone, or in a version that is not sure.")?;
        }
    }
    Ok(())
}

/// A few lengths; of many, the first and how far they go.
fn numbers(lens: &[usize]) -> String {
    match lens {
        [first, .., last] if lens.len() > 4 => {
            format!("{first} ({} to {})", lens.iter().min().unwrap_or(last), lens.iter().max().unwrap_or(last))
        }
        _ => lens.iter().map(|len| len.to_string()).collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every cipher and system, its tunings with whether they are constant-time, and no line that a
    /// terminal would break.
    #[test]
    fn every_tuning_is_listed() {
        let mut out = Vec::new();
        list(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for (name, about) in rows() {
            assert!(text.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}");
            let ct = if about.constant_time { "  yes" } else { "  no" };
            assert!(
                text.lines().any(|line| line.contains(about.tuning) && line.contains(ct)),
                "{name} {}",
                about.tuning
            );
        }
        let together = || CIPHERS.iter().filter(|cipher| cipher.lanes().is_some());
        assert!(together().count() >= 8);
        for cipher in together() {
            assert_eq!(lanes().filter(|(name, _)| *name == cipher.about().name).count(), 1, "{cipher:?}");
        }
        for (name, how) in lanes() {
            assert!(text.lines().any(|line| line.starts_with(name) && line.ends_with(&how)), "{name} {how}");
        }
        for line in text.lines() {
            assert!(line.chars().count() <= crate::commands::lines::LINE, "{line}");
        }
    }
}
