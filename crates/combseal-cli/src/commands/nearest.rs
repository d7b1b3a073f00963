//! A name that is not known, and those that somebody may have meant.

/// The names nearest to `wrong`: those that contain it or begin with it, else those that differ by the
/// fewest letters; three at most. None, if nothing is near.
pub(super) fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let bare = |name: &str| name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let wanted = bare(wrong);
    let mut all: Vec<(usize, &str)> = names
        .into_iter()
        .map(|name| {
            let plain = bare(name);
            let part = wanted.len() > 1 && plain.contains(&wanted);
            (if part { 0 } else { distance(&wanted, &plain) }, name)
        })
        .collect();
    all.sort_by_key(|(far, _)| *far);
    let near = all.first().map_or(0, |(far, _)| *far);
    let most = if near == 0 { 0 } else { (wanted.len() / 2).min(near) };
    all.retain(|(far, _)| *far <= most);
    all.into_iter().map(|(_, name)| name).take(3).collect()
}

/// The same as a sentence: what to write instead, or where to look.
pub(super) fn instead<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>, list: &str) -> String {
    match nearest(wrong, names)[..] {
        [] => format!("{list} lists them"),
        [one] => format!("did you mean {one}? {list} lists all"),
        ref several => format!("did you mean {}? {list} lists all", several.join(", ")),
    }
}

/// Letters to be put in, taken out or changed (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = changed.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 6] =
        ["OCB3-AES-128", "AES-128-GCM", "AES-256-GCM", "AES-128-CCM", "ChaCha20-Poly1305", "XChaCha20-Poly1305"];

    #[test]
    fn what_somebody_meant() {
        assert_eq!(nearest("ocb3", NAMES), ["OCB3-AES-128"]);
        assert_eq!(nearest("OCB-AES-128", NAMES), ["OCB3-AES-128"]);
        assert_eq!(nearest("gcm", NAMES), ["AES-128-GCM", "AES-256-GCM"]);
        assert_eq!(nearest("aes128gmc", NAMES)[0], "AES-128-GCM");
        assert_eq!(nearest("chacha20poly1305", NAMES).len(), 2);
        assert!(nearest("DES", NAMES).is_empty() && nearest("", NAMES).is_empty());
        assert_eq!(distance("kitten", "sitting"), 3);
        assert!(instead("DES", NAMES, "`combseal schemes`").starts_with("`combseal schemes`"));
    }
}
