//! What the command prints and how it exits: `tests/transcripts`.
//! `TRYCMD=overwrite cargo test -p combseal-cli --test transcripts` rewrites them.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/transcripts/*.trycmd");
}

/// No table is wider than a terminal. What clap says of a wrong argument, it wraps or not as it likes.
#[test]
fn transcripts_fit_a_terminal() {
    const LINE: usize = 120;
    let mut tables = 0;
    for name in ["advise", "analyze", "compare", "help", "limits"] {
        let path = format!("{}/tests/transcripts/{name}.trycmd", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap();
        let said = |line: &&str| !line.starts_with("$ ") && !line.starts_with("error: ");
        for line in text.lines().filter(said) {
            assert!(line.chars().count() <= LINE, "{name}: {line}");
            tables += usize::from(line.contains("   "));
        }
    }
    assert!(tables > 50, "{tables}");
}
